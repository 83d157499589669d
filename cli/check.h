/* ullage check: what its files share. */
#ifndef UL_CLI_CHECK_H
#define UL_CLI_CHECK_H

#include "cli.h"

#include "measure/check.h"

/* Words that the log stands for: `args` with the flags and the machine that it shows, before the
 * user's own. */
#define COMMAND_WORDS 256
struct check_words {
    struct cli_args args;
    char text[64][160];
    int n_text;
    char command[4096];  /* the words of a command line in the log */
    char overflow[8192]; /* what the engine's own fit left elsewhere, as -ot takes it */
    const char **flags;
};

int check_words_make(struct check_words *w, const struct cli_args *args, struct ul_check *c);
/* Flash attention as the log says it was decided, where a plan decides otherwise. */
void check_words_flash(struct check_words *w, struct ul_check *c, bool on);
void check_words_free(struct check_words *w);

/* Fills the rows from a plan of the model at `path`. 0, or an exit status (reported). */
int check_by_plan(struct ul_check *c, struct check_words *w, const char *path);

/* Fills the rows from what the log says of the model. */
void check_by_shape(struct ul_check *c);

#endif
