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

/* Fewer bytes are 0.00 in a log. */
#define CHECK_SHOWN 5243u

/* One thing that may have been otherwise than the log shows. */
enum check_change_kind { CHECK_FLAG, CHECK_OUTPUTS, CHECK_CPU, CHECK_GPU };
struct check_change {
    enum check_change_kind kind;
    const char *word, *value; /* of a GPU: a key and its value; value NULL: none */
};
/* Puts it into `args`, whose flags are `flags`, with room; `gpu` keeps the GPUs' words. */
void check_change_apply(struct cli_args *args, const char **flags, char gpu[CLI_MAX_GPUS][256],
                        const struct check_change *x);

/* The plan for the words with `n` changes. 0 or an exit status. */
int check_plan_with(ullage_plan **plan, const struct check_words *w, const ullage_model *model,
                    const struct check_change *changes, int n, bool quiet);
/* A buffer's by the plan; 0: the plan has none, < 0: unknown. */
double check_computed_mib(const ullage_plan *plan, const char *buffer, const char *kind);
const char *check_not_own(const struct ul_check *c, const struct ul_ev_buffer *b);

/* Names the likely cause in each row that differs. */
void check_name_causes(struct ul_check *c, const struct check_words *w, const ullage_model *model);

/* The engine's own table of memory beside the plan, and beside the log's buffers. */
void check_table_by_plan(struct ul_check *c, const ullage_plan *plan);
void check_table_by_log(struct ul_check *c);

/* Fills the rows from a plan of the model at `path`. 0, or an exit status (reported). */
int check_by_plan(struct ul_check *c, struct check_words *w, const char *path);

/* The words of a `vllm serve` line that a vLLM log stands for. */
#define VLLM_WORDS 256
struct vllm_words {
    const char *words[VLLM_WORDS];
    int n;
    char model[256];      /* as the log names it */
    char text[16384], command[4096];
    size_t n_text;
};
void vllm_words_make(struct vllm_words *w, struct ul_check *c, const char *path);

/* The same for a vLLM start-up log, by the rules of `ullage vllm` for the model at `path` (NULL: by
 * the log alone). 0, or an exit status (reported). */
int check_vllm(struct ul_check *c, const struct cli_args *args, const char *path);

/* Fills the rows from what the log says of the model. */
void check_by_shape(struct ul_check *c);

#endif
