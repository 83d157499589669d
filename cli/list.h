/* Between `ullage list` (cmd_list.c), the reading and planning of its rows (list_rows.c) and their
 * printing (list_print.c). */
#ifndef UL_CLI_LIST_H
#define UL_CLI_LIST_H

#include "cli.h"

/* Each row is planned at the model's training context, at 32K and at 8K. */
enum { LIST_TRAINED, LIST_32K, LIST_8K, LIST_CONTEXTS };

enum list_fits {
    LIST_UNKNOWN,  /* no plan can be made, or some figure is unknown */
    LIST_NO,
    LIST_SPLIT,    /* not with all layers on the GPUs, but with some in host memory */
    LIST_YES,
    LIST_LONGER    /* longer than the model was trained for */
};

struct list_cell {
    uint32_t n_ctx;
    enum list_fits fits;
    bool known;    /* whether the next is */
    int64_t left;  /* bytes on the fullest device, of the plan with all layers on the GPUs */
};

struct list_row {
    const char *argument, *store, *path; /* of what was found, which outlives the rows */
    const char *mmproj;
    uint64_t bytes;   /* the whole model's */
    uint32_t n_files;
    bool opened;      /* whether what follows is known */
    char arch[48], quant[48];
    uint64_t n_params;
    double bits;
    uint32_t n_ctx_train;
    struct list_cell cell[LIST_CONTEXTS];
    char *problem;    /* NULL: none; the row's own */
};

struct listing {
    const struct cli_args *args;
    const ullage_machine *machine;
    struct list_row *rows;
    size_t n, n_all; /* to be shown, and all: --fits moves the others behind */
    bool own_layers; /* the flags say -ngl: it is not changed */
    /* Opens a row's model. NULL: the file at its path. Called by one thread at a time. */
    int (*open)(void *state, ullage_model **model, const struct list_row *row, ullage_error *err);
    void *state;
};

/* The rows of a repository on a server, opened by range, planned and printed. */
int list_repo(struct listing *l, const char *word);
/* Sorts and prints the rows, once they are there. An exit status. */
int list_finish(struct listing *l);

/* Opens and plans every row. 0 or an exit status. */
int list_fill(struct listing *l);
/* As a table, or as JSON. */
int list_print(const struct listing *l);
const char *list_fits_name(enum list_fits fits);

#endif
