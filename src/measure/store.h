/* What was measured on this machine, in one SQLite file. Each run is saved when it ends, so that a
 * measurement that was broken off goes on where it was; figures of finished ones are there for
 * later plans. */
#ifndef UL_MEASURE_STORE_H
#define UL_MEASURE_STORE_H

#include "measure/measure.h"

struct ul_store;

/* "$XDG_DATA_HOME/ullage" or "~/.local/share/ullage", made when `make` says so; false when neither
 * variable is set, the path is too long or it cannot be made. */
bool ul_store_folder(char *path, size_t size, bool make);

/* Opens, and makes, the file in that folder. Errors: IO. */
int ul_store_open(struct ul_store **s, const char *folder, ullage_error *err);
/* The same for reading only; *s is NULL, without an error, when there is no such file. */
int ul_store_open_read(struct ul_store **s, const char *folder, ullage_error *err);
void ul_store_close(struct ul_store *s);

/* Holds the folder for one measurement at a time; *pid is who holds it already. Returns a file
 * descriptor to close, or -1. */
int ul_store_lock(const char *folder, int *pid);

/* The unfinished measurement of the same conditions (`key`) from the last day, or a new one. */
int ul_store_begin(struct ul_store *s, const struct ul_measurement *m, const char *key,
                   int64_t *id, ullage_error *err);
int ul_store_save_run(struct ul_store *s, int64_t id, const struct ul_measurement *m,
                      const struct ul_measure_run *run, ullage_error *err);
/* Fills figures and samples of a run that was saved before; false when there is none. */
bool ul_store_load_run(struct ul_store *s, int64_t id, struct ul_measure_run *run);
int ul_store_finish(struct ul_store *s, int64_t id, const struct ul_measurement *m,
                    ullage_error *err);

/* The newest finished figures for a GPU of this name, whatever engine was measured: the runtime's;
 * and, when model and flags are the same too, what a prompt makes the pools take in all. */
void ul_store_figures(struct ul_store *s, const char *host, const char *gpu, const char *driver,
                      const char *model, uint64_t model_bytes, const char *flags,
                      struct ul_amount *runtime, struct ul_amount *prompt);

/* What profiling took in a vLLM server of these conditions, kept (the newest counts) and looked up.
 * Errors: IO. */
int ul_store_keep_profile(struct ul_store *s, const char *host, const char *gpu,
                          const char *conditions, uint64_t bytes, ullage_error *err);
struct ul_amount ul_store_profile(struct ul_store *s, const char *host, const char *gpu,
                                  const char *conditions);

/* What was found at one place. */
struct ul_store_figure {
    char gpu[96], device[32];
    struct ul_amount limit, runtime, pool, prompt;
    double slope; /* bytes a token */
};

struct ul_store_row {
    int64_t id;
    const char *started, *status, *host, *engine, *driver, *reader, *model, *flags;
    struct ul_store_figure figure[UL_PLACES]; /* none: unfinished */
    int n_figures;
    uint32_t n_ctx, runs;
};

/* Newest first. */
void ul_store_list(struct ul_store *s, void (*row)(void *context, const struct ul_store_row *r),
                   void *context);

#endif
