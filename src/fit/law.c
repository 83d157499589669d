/* A law of speed applied to what one device does. The factors are in factors.c. */
#include "fit/factors.h"

#include <math.h>
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

/* ------------------------------------------------------------------ laws and multiples */

/* Where only the rate at 16 bits is known, half of it is that at 32 (so it is on the one chip of
 * the catalogue where this is needed). */
struct ul_speed_device ul_speed_device_of(const struct ul_gpu *gpu, double ram)
{
    if (!gpu)
        return (struct ul_speed_device){.backend = UL_CPU, .bandwidth = ram};
    return (struct ul_speed_device){
        .known = gpu->known, .backend = gpu->backend, .bandwidth = gpu->bandwidth,
        .flops32 = gpu->flops32 > 0 ? gpu->flops32 : gpu->flops16 / 2};
}

static const struct ul_speed_law *law_of(const struct ul_speed_device *d)
{
    for (size_t i = 0; i < ul_n_speed_laws; i++) {
        const struct ul_speed_law *law = &ul_speed_laws[i];
        if (law->backend == d->backend
            && (!law->vendor || (d->known && strcmp(law->vendor, d->known->vendor) == 0)))
            return law;
    }
    return NULL;
}

/* Multiples of a device: its own, else its family's, else none. */
struct multiples {
    double fixed, rest, prompt;
    bool own, own_prompt;
    enum ul_rests rests; /* of the first two */
};

static struct multiples multiples_of(const struct ul_speed_device *d, bool held)
{
    struct multiples m = {1, 1, 1, false, false, UL_RESTS_BACKEND};
    for (size_t i = 0; d->known && i < ul_n_speed_scales; i++) {
        const struct ul_speed_scale *s = &ul_speed_scales[i];
        bool own = s->device && strcmp(s->device, d->known->name) == 0;
        bool kin = s->family && strcmp(s->family, d->known->family) == 0;
        if (s->backend != d->backend || (s->held && !held) || (!own && !kin))
            continue;
        if (!s->prompts_only && (own || !m.own)) {
            m.fixed = s->fixed;
            m.rest = s->rest;
            m.own = own;
            m.rests = own ? UL_RESTS_DEVICE : UL_RESTS_FAMILY;
        }
        if (own || !m.own_prompt) {
            m.prompt = s->prompt;
            m.own_prompt = own;
        }
    }
    return m;
}

const char *ul_rests_on(enum ul_rests rests)
{
    static const char *const words[] = {
        [UL_RESTS_DEVICE] = "from published runs of this very device",
        [UL_RESTS_FAMILY] = "from published runs of its family; this device was not measured",
        [UL_RESTS_BACKEND] = "from published runs of other families with this back-end"};
    return words[rests];
}

static void spread(struct ul_expectation *e, const struct ul_spread *s)
{
    e->fast = e->ms * s->fast;
    e->slow = e->ms * s->slow;
}

/* ------------------------------------------------------------------ tokens */

/* Turing's cores, and those of Volta and GA100 which are laid out alike, do integers beside floats:
 * 136 operations where others do 100 (NVIDIA, Turing architecture whitepaper), which Blackwell's
 * reach by doing either on every core. RDNA3 and RDNA4 count a second operation that floats alone
 * can pair. */
double ul_unpacking(const ullage_known_device *d, double flops32)
{
    static const char *const both[] = {"Volta", "Turing", "Blackwell"};
    if (strncmp(d->family, "RDNA3", 5) == 0 || strncmp(d->family, "RDNA4", 5) == 0)
        return flops32 / 2;
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++)
        if (strcmp(d->family, both[i]) == 0)
            return flops32 * 1.36;
    return d->chip && strcmp(d->chip, "8.0") == 0 ? flops32 * 1.36 : flops32;
}

bool ul_has_matrix_units(const ullage_known_device *d)
{
    static const char *const none[] = {"Pascal", "RDNA", "RDNA2", "M1", "M2", "M3", "M4"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strcmp(d->family, none[i]) == 0)
            return false;
    return strncmp(d->family, "GCN", 3) != 0 && strncmp(d->name, "GeForce GTX", 11) != 0;
}

static double rate_of(const struct ul_speed_device *d)
{
    return d->known ? ul_unpacking(d->known, d->flops32) : d->flops32;
}

/* Of the processor the law knows a share of the bandwidth only. */
bool ul_expect_token(struct ul_expectation *e, const struct ul_speed_device *d,
                     const struct ul_speed_work *w, bool held)
{
    const struct ul_speed_law *law = law_of(d);
    struct multiples m = multiples_of(d, held);
    double rate = rate_of(d), unpacking = 0;
    if (!law || d->bandwidth <= 0 || (d->backend != UL_CPU && rate <= 0))
        return false;
    double attention = w->cache_bytes / d->bandwidth * law->cache;
    if (d->backend != UL_CPU) {
        bool converted = w->type == UL_CLASS_BF16 && w->experts;
        unpacking = 2 * w->elements / rate * law->type[w->type]
                    * (converted && law->bf16_experts > 0 ? law->bf16_experts : 1);
        attention += w->attention_flops / rate * (w->flash ? law->flash : law->plain);
    }
    double weights = hypot(w->weight_bytes / d->bandwidth * law->bandwidth, unpacking);
    e->fixed = (w->mixers * law->mixer_ms + w->states * law->state_ms + w->experts * law->expert_ms
                + w->further * law->further_ms) * m.fixed;
    e->ms = e->fixed + (weights + attention) * MS * m.rest;
    e->rests = m.rests;
    spread(e, m.own ? &law->known : &law->unknown);
    return true;
}

/* ------------------------------------------------------------------ prompts */

bool ul_expect_prompt(struct ul_expectation *e, const struct ul_speed_device *d,
                      const struct ul_prompt_work *w, bool held)
{
    const struct ul_speed_law *speed = law_of(d);
    const struct ul_prompt_law *law = speed && speed->prompt.wide[0] > 0 ? &speed->prompt : NULL;
    struct multiples m = multiples_of(d, held);
    double rate = rate_of(d);
    bool matrix = d->known && ul_has_matrix_units(d->known);
    if (!law || d->bandwidth <= 0 || rate <= 0 || !w->batch)
        return false;
    double work = 2 * w->elements / rate * (matrix ? law->wide : law->plain)[w->type];
    double batch = w->all_bytes / d->bandwidth * MS * law->bandwidth + w->mixers * law->mixer_ms
                   + w->experts * law->expert_ms;
    e->fixed = 0;
    e->rests = m.own_prompt ? UL_RESTS_DEVICE : UL_RESTS_FAMILY;
    work += w->attention_flops / rate * law->attention;
    e->ms = (work * MS + batch / w->batch) * m.prompt;
    spread(e, m.own_prompt ? &law->known : &law->unknown);
    return true;
}

double ul_pipelined(double sum, double most, double batches)
{
    return batches > 1 ? (sum + (batches - 1) * most) / batches : sum;
}

/* ------------------------------------------------------------------ the best arithmetic */

/* Quantised weights are multiplied at 8 bits (ggml/src/ggml-cuda/mmq.cu), twice as fast as 16 from
 * Turing on; MXFP4 at 4 bits on Blackwell. GeForce's rate at 16 bits is the catalogue's doubled
 * when sums are kept at 16 bits too. Before, four products of 8 bits an instruction (DP4A). */
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
