/* What the engine loads beside the model, and what it holds where: the draft model or draft head
 * with its own context, the projector, adapters and control vectors. Each is planned on what those
 * before it left, in the engine's order. Source: tools/server/server-context.cpp, load_model;
 * common/common.cpp, common_init_from_params. */
#ifndef UL_ENGINE_COMPANIONS_H
#define UL_ENGINE_COMPANIONS_H

#include "engine/plan.h"
#include "engine/settings.h"

/* The kinds of speculative decoding in force: those asked for, or those that the draft model's file
 * implies when none is. UL_SPEC_BIT together. */
unsigned ul_spec_types(const struct ul_settings *s);
/* Whether a context of its own drafts, and whether it is the draft head's. */
bool ul_spec_drafts(const struct ul_settings *s);
/* The most tokens that are verified at once, beside the one that is certain. */
uint32_t ul_spec_n_max(const struct ul_settings *s);
/* Snapshots of recurrent states that the target keeps to go back to (need_n_rs_seq). */
uint32_t ul_spec_snapshots(const struct ul_settings *s);

/* One thing that a companion holds in a buffer. */
struct ul_part {
    int kind;            /* enum ullage_companion_kind */
    const char *what;    /* "model", "compute" ... */
    const char *buffer;  /* the engine's name of the buffer type */
    int gpu;             /* index into ul_machine.gpu, -1: the host */
    ullage_bytes size;
    ullage_bytes grows;  /* by so much more while it works: the largest image */
    uint32_t count;
};

void ul_part_add(struct ul_companions *c, struct ul_part part);

/* Adapters and control vectors (adapters.c), once the model is placed and before its graphs are
 * built, which they change. Errors: REFUSED, with the engine's reason. */
int ul_adapters_make(struct ul_plan *plan, const struct ul_settings *s, struct ul_arena *a,
                     ullage_error *err);
/* The rest. `plan` is the model's own, with its account drawn up. Errors: the same. */
int ul_companions_make(struct ul_plan *plan, const struct ul_settings *s,
                       const struct ul_machine *machine, struct ul_arena *a, ullage_error *err);
/* The projector, which is the last (projector.c). */
int ul_projector_make(struct ul_plan *plan, const struct ul_settings *s,
                      const struct ul_machine *machine, struct ul_arena *a, ullage_error *err);

/* "model", "draft", "projector", "adapter", "control vector" */
const char *ul_companion_name(int kind);

#endif
