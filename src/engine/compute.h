/* The compute buffers: what the graphs' intermediate tensors take on each device. */
#ifndef UL_ENGINE_COMPUTE_H
#define UL_ENGINE_COMPUTE_H

#include "arch/arch.h"
#include "engine/cache.h"
#include "engine/place.h"

struct ul_compute {
    int source;                       /* enum ullage_source; of all the figures below */
    uint64_t device[UL_MAX_DEVICES];  /* by ul_place.device; Meta: a GPU's */
    uint64_t host;                    /* in the host's buffer type (host_buft, or cpu_buft) */
    /* of the prompt's graph and of the generation's, as the engine logs them */
    int n_nodes[2], n_splits[2];
    int n_copies;                     /* of the inputs: 4 with pipeline parallelism */
    const char *why;                  /* unknown: for which reason */
    /* What CUDA's pool grows to while a prompt that fills the context is read, by ul_place.device.
     * Unknown where the device's facts or a rule are missing. */
    ullage_bytes pool[UL_MAX_DEVICES];
    uint64_t blas[UL_MAX_DEVICES]; /* and cuBLAS's workspace, beside the pool */
    int cc[UL_MAX_DEVICES];           /* the devices' compute capabilities, for ul_compute_peaks */
};

/* A tensor that lies in a compute buffer when it is fullest; the last row of a buffer is what is
 * free between the tensors at that moment, so that the rows of a buffer add up to it. */
struct ul_peak {
    const char *buffer;               /* CUDA0, CUDA_Host ... */
    const char *name, *op, *type;     /* op NULL: free */
    int64_t ne[4];
    uint64_t bytes;
};

struct ul_text;

/* What the engine would reserve. The source is unknown where no rule is known. */
void ul_compute_plan(struct ul_compute *out, const struct ul_model *m, const struct ul_cparams *c,
                     const struct ul_settings *s, const struct ul_place *p,
                     const struct ul_caches *caches, const struct ul_machine *machine,
                     struct ul_arena *a);

/* Whether flash attention stays on when it is on auto: every layer's must run on the layer's
 * device. If not, *il is the first layer whose does not. */
bool ul_compute_keeps_flash_attn(const struct ul_model *m, const struct ul_cparams *c,
                                 const struct ul_place *p, const struct ul_caches *caches,
                                 const struct ul_machine *machine, struct ul_arena *a,
                                 uint32_t *il);

/* What fills each compute buffer of a plan made before, largest first. Returns how many rows; 0
 * when the buffers are not computed. */
size_t ul_compute_peaks(struct ul_peak **out, const struct ul_compute *k, const struct ul_model *m,
                        const struct ul_cparams *c, const struct ul_place *p,
                        const struct ul_caches *caches, struct ul_arena *a);

/* The graphs that the engine would hand to its allocator, as text (graph/dump.h): each
 * after the split over the devices. Errors: UNKNOWN, with the reason. */
int ul_compute_dump(struct ul_text *out, const struct ul_model *m, const struct ul_cparams *c,
                    const struct ul_settings *s, const struct ul_place *p,
                    const struct ul_caches *caches, const struct ul_machine *machine,
                    ullage_error *err);

#endif
