/* ullage measure: what its files share. */
#ifndef UL_CLI_MEASURE_H
#define UL_CLI_MEASURE_H

#include "cli.h"

#include "measure/log.h"
#include "measure/measure.h"
#include "measure/store.h"

/* ------------------------------------------------------------------ the computed side */

/* The same command as a plan, at any length. Empty when there is no model file to read, or the
 * program is no llama-server. */
struct measure_curve {
    ullage_model *model;
    ullage_settings *settings;
    ullage_machine *machine;
    ullage_plan *plan; /* the last one made */
    uint32_t n_ctx;    /* for which length */
    int device;        /* whose total measure_curve_bytes gives */
};

/* `args` holds the server's flags as a plan takes them. 0, also when there is no model to read, or
 * an exit status. */
int measure_curve_open(struct measure_curve *c, const struct cli_args *args);
void measure_curve_close(struct measure_curve *c);

/* The plan at a length, or NULL. It lives until the next is asked for. */
const ullage_plan *measure_curve_at(struct measure_curve *c, uint32_t n_ctx);

/* How many GPUs the plan has. */
int measure_curve_gpus(struct measure_curve *c);

/* What device `c->device` holds at a length by the plan, without what the driver rounds up; an
 * ul_curve. */
bool measure_curve_bytes(void *curve, uint32_t n_ctx, uint64_t *bytes);

/* The same with all that the load takes, as the driver charges it; false when a part is unknown. */
bool measure_curve_charged(void *curve, uint32_t n_ctx, uint64_t *bytes);

/* The buffers that the log and the plan have differently, each named in a note; -1: no plan. */
int measure_compare(struct measure_curve *c, uint32_t n_ctx, const struct ul_log *log,
                    struct ul_measurement *m);

/* What a prompt makes the runtime's pool take on that device in all; unknown where it is assumed,
 * for prompts shorter than a batch, and where cuBLAS takes memory too, nobody can tell when. */
struct ul_amount measure_pool(struct measure_curve *c, uint32_t n_ctx, uint32_t tokens,
                              const char *device);

/* Charged bytes of the plan's device of that name, without the runtime and the prompt. */
struct ul_amount measure_computed(struct measure_curve *c, uint32_t n_ctx, const char *device);

/* ------------------------------------------------------------------ the measured side */

/* One measurement under way. */
struct measuring {
    const struct cli_args *args;
    struct ul_measurement *m;
    struct cli_args server; /* the server's flags as a plan takes them */
    struct measure_curve curve;
    struct ul_reader reader;
    struct ul_store *store;
    int64_t id;
    struct ul_log *log;     /* of the last run */
    const char **argv;      /* the program's words, and ours after them */
    int at_port;            /* where in argv a port of ours goes; -1: the user's own */
    char ctx[16], port[16];
    char data[2048], logs[2048], log_path[2200]; /* folders, and the last run's log */
    struct ul_url url;
    const char *ready;      /* a regular expression, or NULL */
    bool llama, own_port;
    bool no_fit;          /* the server is told -fit off: its layers are open */
    double fill, interval, settle, timeout, grace, prompt_timeout;
    uint32_t repeat, generate, forced[2];
    uint64_t budget, margin; /* as given; 0: not */
};

/* What is always kept for a prompt where nothing is known. */
#define MARGIN_LEAST ((uint64_t)16 << 20)

/* All runs at a length, as often as is asked for. 0 or an exit status (reported); *failure is the
 * last run's enum ul_run_failure. */
int measure_runs_at(struct measuring *x, uint32_t n_ctx, bool check, int *failure);

/* The whole method. 0, CLI_NO_FIT or another exit status. */
int measure_method(struct measuring *x);

#endif
