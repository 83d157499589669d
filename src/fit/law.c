/* A law of speed applied to what one device does. The factors are in factors.c. */
#include "fit/factors.h"

#include <string.h>

#define MS 1000.0

enum ul_weight_class ul_weight_class_of(enum ul_type type)
{
    switch (type) {
    case UL_F32: case UL_F16: return UL_CLASS_F16;
    case UL_BF16: return UL_CLASS_BF16;
    case UL_Q8_0: return UL_CLASS_Q8_0;
    case UL_Q4_0: case UL_Q4_1: case UL_Q5_0: case UL_Q5_1: case UL_IQ4_NL: return UL_CLASS_LEGACY;
    case UL_Q4_K: case UL_Q5_K: case UL_Q6_K: return UL_CLASS_K;
    case UL_MXFP4: return UL_CLASS_MXFP4;
    default: return UL_CLASS_LOW;
    }
}

/* Where a device's arithmetic is not known, its terms are left out: for the processor the law has
 * none. */
struct ul_speed_ms ul_speed_law_ms(const struct ul_speed_law *law, const struct ul_speed_work *w)
{
    double arithmetic = w->flops32 > 0 ? MS / w->flops32 : 0;
    return (struct ul_speed_ms){
        .fixed = w->mixers * law->mixer_ms + w->states * law->state_ms + w->experts * law->expert_ms
                 + (w->further ? law->further_ms : 0),
        .weights = w->weight_bytes / w->bandwidth * MS * law->bandwidth
                   + 2 * w->elements * arithmetic * law->type[w->type],
        .cache = w->cache_bytes / w->bandwidth * MS * law->cache
                 + w->attention_flops * arithmetic * law->attention};
}

const struct ul_speed_scale *ul_speed_scale_of(const char *device, enum ul_backend backend, bool held)
{
    for (size_t i = 0; i < ul_n_speed_scales; i++) {
        const struct ul_speed_scale *s = &ul_speed_scales[i];
        if (s->backend == backend && (held || !s->held) && strcmp(s->device, device) == 0)
            return s;
    }
    return NULL;
}
