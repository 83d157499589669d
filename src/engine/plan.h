/* The plan: placement, caches, outputs and compute buffers joined into what the engine would hold,
 * each device's account of it, and the verdict. Its lists are the public structs. */
#ifndef UL_ENGINE_PLAN_H
#define UL_ENGINE_PLAN_H

#include "engine/cache.h"
#include "engine/compute.h"
#include "engine/context.h"
#include "engine/notes.h"

struct ul_part;

/* Companions' part of a plan: engine/companions.h. */
struct ul_companions {
    struct ul_plan *draft;   /* the draft's own plan; NULL: there is none, or it is let go */
    struct ul_part *part;    /* of all others */
    size_t n_parts, cap;
    bool unknown;            /* some figure is not known */
    struct ul_arena *arena;
};

struct ul_plan {
    const struct ul_model *model;
    struct ul_cparams c;
    struct ul_place place;
    struct ul_caches caches;
    struct ul_compute compute;
    ullage_context context;
    ullage_buffer *buffers;
    size_t n_buffers;
    ullage_cache *kv;        /* the caches of keys and values, as the engine's log lists them */
    size_t n_kv;
    ullage_device *devices;  /* the GPUs in use, then the host */
    size_t n_devices;
    uint32_t account[UL_MAX_DEVICES]; /* by index into devices: that into ul_machine.gpu */
    uint32_t n_accounts;     /* the place's GPUs, then those that only companions use */
    struct ul_companions beside;
    ullage_growth growth[2];
    size_t n_growth;
    ullage_layer_row *layers;
    size_t n_layers;
    ullage_compared *compared; /* with what the engine was seen to hold; NULL until then */
    size_t n_compared;
    struct ul_notes notes;
    int fits, partial;
    bool no_op_offload;      /* a prompt's batches stay on the CPU with the host's weights */
};

/* Makes the plan; everything lives in the arena, and the model is pointed to.
 * Errors: REFUSED, UNKNOWN. */
int ul_plan_make(struct ul_plan *plan, const struct ul_model *m, const struct ul_settings *s,
                 const struct ul_machine *machine, struct ul_arena *a, ullage_error *err);

#endif
