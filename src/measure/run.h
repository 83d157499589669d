/* One run of a server: started, waited for, read, perhaps given a prompt, and ended. Whatever
 * happens, nothing of it runs any more when ul_run returns. */
#ifndef UL_MEASURE_RUN_H
#define UL_MEASURE_RUN_H

#include "measure/http.h"
#include "measure/reader.h"

#include <signal.h>

struct ul_run_spec {
    const char *const *argv;
    const char *log;          /* where its output goes */
    struct ul_url url;        /* where it answers; the path is its health check's */
    bool own_port;            /* the port must be free before */
    const char *ready;        /* a regular expression for a line of its log, instead of the URL */
    struct ul_reader *reader;
    double interval, settle;  /* seconds between readings; after it is ready */
    double timeout;           /* seconds until it is ready */
    double prompt_timeout;
    int grace_ms;             /* between SIGTERM and SIGKILL */
    const char *prompt;       /* JSON to post, or NULL */
    char *(*at_ready)(void *context); /* asked once it is ready and quiet: a prompt, to be freed */
    const char *prompt_path;
    const char *prompt_cmd;   /* a shell command instead, or NULL */
    volatile const sig_atomic_t *interrupted;
    void (*progress)(void *context, const char *what, double seconds);
    void *context;
};

enum ul_run_failure {
    UL_RUN_OK = 0,
    UL_RUN_START,       /* it could not be started */
    UL_RUN_PORT,        /* its port is taken */
    UL_RUN_EXITED,      /* it ended before it was ready */
    UL_RUN_MEMORY,      /* the same, and its log says that memory was out */
    UL_RUN_NEVER_READY,
    UL_RUN_DIED,        /* it was ready and then ended */
    UL_RUN_PROMPT,      /* the prompt was not answered */
    UL_RUN_INTERRUPTED
};

struct ul_sample {
    double seconds;                   /* since the start */
    uint64_t device[UL_READER_DEVICES], host;
};

struct ul_run {
    int failure;               /* enum ul_run_failure */
    struct ul_reading load;    /* once it was ready and quiet */
    struct ul_reading peak;    /* the largest of each figure, from the start on */
    double ready_seconds, prompt_seconds;
    bool forced;               /* SIGTERM was not enough */
    struct ul_sample *samples; /* free() them */
    size_t n_samples;
};

int ul_run(struct ul_run *run, const struct ul_run_spec *spec, ullage_error *err);

#endif
