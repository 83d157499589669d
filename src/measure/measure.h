/* A measurement: its conditions, its runs, and what follows from them. The command fills it, the
 * store keeps it, the reports print it. A place is where memory is counted: a GPU, or the host. */
#ifndef UL_MEASURE_MEASURE_H
#define UL_MEASURE_MEASURE_H

#include "measure/line.h"
#include "measure/run.h"

#define UL_PLACES (UL_READER_DEVICES + 1)
#define UL_RUNS 64
#define UL_NOTES 32

struct ul_figure {
    struct ul_amount load, peak;
    struct ul_amount logged;    /* the sum of the log's buffers there */
    struct ul_amount computed;  /* the same by the plan, as the driver charges it */
};

struct ul_measure_run {
    bool check;                 /* with a prompt */
    uint32_t n_ctx, prompt_tokens;
    int attempt;                /* from 1 */
    struct ul_figure at[UL_PLACES];
    double ready_seconds, prompt_seconds;
    bool resumed;               /* taken from an earlier, unfinished measurement */
    int differs;                /* buffers that log and plan have differently; -1: no plan */
    struct ul_sample *samples;
    size_t n_samples;
};

#define UL_SLOT_HOST (-1) /* process memory */
#define UL_SLOT_LOG (-2)  /* nobody reads it: its figures are the log's and what is assumed */

struct ul_measure_place {
    char name[96];
    char device[32];            /* the engine's name for it, "CUDA0"; "Host" */
    int slot;                   /* of the reader's devices; or one of the two below */
    bool counts;                /* it has a limit */
    uint64_t budget, limit;     /* what is free; less the reserve */
    uint64_t margin;            /* for the prompt */
    struct ul_line line;
    uint32_t longest;           /* what the line allows */
    struct ul_amount runtime;   /* load less what the plan (or the log) has, and the pool */
    struct ul_amount pool;      /* of the runtime's, after the warm-up: in the load, not a buffer */
    struct ul_amount added;     /* by the prompt: peak less load, the largest of the check runs */
};

struct ul_measurement {
    char started[32], host[72]; /* "2026-11-30T00:15:00Z" */
    char engine[128], gpu[96], driver[64], reader[16];
    char model[256];            /* the file's name */
    uint64_t model_bytes;
    char flags[1024];           /* the server's, without the model's path and the length */
    uint64_t reserve;
    struct ul_measure_place place[UL_PLACES];
    int n_places;
    uint32_t points[2];         /* the lengths that the line goes through */
    uint32_t n_ctx, cap, round; /* the answer; n_ctx_train, 0 when unknown */
    bool fits;                  /* the check stayed within every limit */
    double worst_error;         /* bytes: load at the check less the line, worst place */
    struct ul_measure_run runs[UL_RUNS];
    int n_runs;
    char note[UL_NOTES][256];
    int n_notes;
};

/* Adds a note unless it is there already; what does not fit is dropped. */
void ul_measure_note(struct ul_measurement *m, const char *fmt, ...) UL_PRINTF(2, 3);

/* Whether all runs of one length and purpose read the same, and by how much they differ. */
uint64_t ul_measure_spread(const struct ul_measurement *m, const struct ul_measure_run *like);

/* The text is the caller's to free; NULL when memory is out. */
char *ul_measure_table(const struct ul_measurement *m);
char *ul_measure_json(const struct ul_measurement *m);
char *ul_measure_html(const struct ul_measurement *m);

void ul_measure_free(struct ul_measurement *m);

#endif
