/* A law of speed applied to what one device does. The factors are in factors.c. */
#include "fit/factors.h"

#include <stdlib.h>
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

double ul_prompt_law_ms(const struct ul_prompt_law *law, const struct ul_prompt_work *w)
{
    double work = w->flops16 > 0 ? 2 * w->elements / w->flops16 * law->wide[w->type]
                                 : 2 * w->elements / (4 * w->flops32) * law->plain[w->type];
    double batch = w->all_bytes / w->bandwidth * MS * law->bandwidth + w->mixers * law->mixer_ms
                   + w->experts * law->expert_ms;
    return work * MS + w->attention_flops / w->flops32 * MS * law->attention + batch / w->batch;
}

/* ------------------------------------------------------------------ the best arithmetic */

/* Quantised weights are multiplied at 8 bits (ggml/src/ggml-cuda/mmq.cu), twice as fast as 16 from
 * Turing on; MXFP4 at 4 bits on Blackwell. GeForce's rate at 16 bits is the catalogue's doubled when
 * sums are kept at 16 bits too. Before, four products of 8 bits an instruction (DP4A). */
static double best_nvidia(const ullage_known_device *d, enum ul_weight_class type)
{
    double cc = d->chip ? strtod(d->chip, NULL) : 0;
    double full = d->fp16_tflops * (strncmp(d->name, "GeForce", 7) == 0 ? 2 : 1);
    bool narrow = type != UL_CLASS_F16 && type != UL_CLASS_BF16;
    if (cc >= 7.5 && full > 0)
        return full * (narrow ? 2 : 1) * (type == UL_CLASS_MXFP4 && cc >= 10 ? 2 : 1);
    if (cc >= 7.5 || cc == 6.1)
        return 4 * d->fp32_tflops;
    return full > 0 ? full : 2 * d->fp32_tflops;
}

/* Multiples of the rate at 32 bits, as AMD's data sheets print them for each generation. */
static double best_amd(const ullage_known_device *d)
{
    static const struct {
        const char *family;
        double times;
    } rows[] = {{"RDNA4", 8}, {"RDNA3", 2}, {"RDNA2", 4}, {"RDNA", 2}, {"GCN5.1", 4}, {"GCN5", 2},
                {"GCN4", 1}};
    if (strncmp(d->family, "CDNA", 4) == 0)
        return 2 * d->fp16_tflops;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strncmp(d->family, rows[i].family, strlen(rows[i].family)) == 0)
            return d->fp32_tflops > 0 ? rows[i].times * d->fp32_tflops : d->fp16_tflops;
    return 0;
}

double ul_best_arithmetic(const ullage_known_device *d, enum ul_weight_class type)
{
    if (strcmp(d->vendor, "NVIDIA") == 0)
        return best_nvidia(d, type) * 1e12;
    return strcmp(d->vendor, "AMD") == 0 ? best_amd(d) * 1e12 : 0;
}

const struct ul_speed_scale *ul_speed_scale_of(const ullage_known_device *device,
                                               enum ul_backend backend, bool held)
{
    const struct ul_speed_scale *family = NULL;
    for (size_t i = 0; device && i < ul_n_speed_scales; i++) {
        const struct ul_speed_scale *s = &ul_speed_scales[i];
        if (s->backend != backend || (s->held && !held))
            continue;
        if (s->device && strcmp(s->device, device->name) == 0)
            return s;
        if (s->family && strcmp(s->family, device->family) == 0)
            family = s;
    }
    return family;
}
