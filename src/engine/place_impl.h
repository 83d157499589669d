/* What the files of placement share. */
#ifndef UL_ENGINE_PLACE_IMPL_H
#define UL_ENGINE_PLACE_IMPL_H

#include "arch/arch.h"
#include "base/size.h"
#include "engine/backend.h"
#include "engine/place.h"
#include "engine/regex.h"

/* Answers that a device gave: most layers ask the same of the same shapes. */
#define UL_ANSWERS 64

struct ul_answer {
    uint64_t ne[4];
    uint8_t use, type;
    int8_t gpu;
    bool known, takes;
};

struct ul_placer {
    struct ul_place *p;
    const struct ul_model *m;
    const struct ul_settings *s;
    const struct ul_machine *machine;
    struct ul_arena *a;
    ullage_error *err;
    struct ul_trial trial;
    struct ul_regex **patterns;      /* -ot: compiled, as many as s->overrides */
    int16_t *targets;                /* their buffer types */
    int cpu_list[4];                 /* make_cpu_buft_list: buffer types, best first */
    int n_cpu_list;
    unsigned cpu_features;
    bool cpu_modelled;               /* its rules are not confirmed by recorded figures */
    struct ul_answer answers[UL_ANSWERS];
};

/* Which devices take part, and which layer is on which (place_devices.c). */
int ul_place_devices(struct ul_placer *x);
int ul_place_layers(struct ul_placer *x);
/* The index of a buffer type, added when it is new. */
int ul_place_buft(struct ul_place *p, enum ul_buft_kind kind, const struct ul_machine *machine,
                  int gpu, int device);

/* Bytes of a weight in a buffer type of a GPU, padded to the alignment. */
uint64_t ul_padded_bytes(const struct ul_buft *b, enum ul_type type, const uint64_t ne[4]);

/* -sm tensor (place_meta.c): the shape of a weight's part on each GPU. */
int ul_meta_shapes(const struct ul_placer *x, const struct ul_weight *w,
                   uint64_t ne[UL_MAX_DEVICES][4], ullage_error *err);

#endif
