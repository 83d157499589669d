/* What a load holds as a function of the context's length, found by planning at many lengths. */
#ifndef UL_FIT_CURVE_H
#define UL_FIT_CURVE_H

#include "engine/plan.h"

/* A length and what each device (the host last) holds there. Parts: weights, states and outputs do
 * not grow; keys and values and the compute buffer may. */
struct ul_curve_point {
    uint32_t n_ctx;
    ullage_curve_load *load;
};

struct ul_curve {
    struct ul_arena *arena;          /* of what is kept */
    struct ul_arena scratch;         /* of one plan; the owner frees it too, after an error */
    const struct ul_model *model;
    const struct ul_settings *settings;
    const struct ul_machine *machine;
    uint32_t step;                   /* lengths are multiples of it: 256 a slot */
    uint32_t first, last;            /* in steps */
    ullage_curve_load **at;          /* by steps; NULL: not planned yet */
    const char **device;             /* names; n_devices of them */
    size_t n_devices;
    ullage_curve_point *points;      /* what is shown: usual lengths, bends, ends; ascending */
    size_t n_points;
    ullage_curve_stretch *stretches; /* straight pieces of each device's load */
    size_t n_stretches;
};

/* Plans up to `to` tokens (0: the training context). Errors: those of ul_plan_make; UNKNOWN when
 * the compute buffers are. */
int ul_curve_make(struct ul_curve *c, uint32_t to, ullage_error *err);

/* See ullage_curve_line_error. */
int ul_curve_line_error(struct ul_curve *c, uint32_t device, uint32_t a, uint32_t b, uint32_t at,
                        int64_t *bytes, ullage_error *err);

#endif
