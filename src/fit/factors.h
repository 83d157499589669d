/* What measured runs say of speed: one law a back-end, and a scale for devices that were measured.
 * A law is a sum of terms, each a quantity of the model and the device times a factor:
 *
 *     a token's ms = weights / bandwidth x bandwidth   + 2 x elements / arithmetic x type[class]
 *                  + layers that attend or keep a state x mixer_ms
 *                  + layers that keep a state x state_ms + layers with experts x expert_ms
 *                  + caches / bandwidth x cache        + attention's operations / arithmetic x attention
 *                  + devices past the first x further_ms
 *
 * Arithmetic is the device's rate at 32 bits, in which kernels that unpack weights are bound.
 * tools/fit_speed.py fits the factors to tests/speed/pairs.tsv.xz and writes factors.c. */
#ifndef UL_FIT_FACTORS_H
#define UL_FIT_FACTORS_H

#include "graph/device.h"
#include "ullage.h"

#include <stdbool.h>

/* Weight types by the kernels that read them. */
enum ul_weight_class {
    UL_CLASS_F16, UL_CLASS_BF16, UL_CLASS_Q8_0,
    UL_CLASS_LEGACY, /* Q4_0, Q4_1, Q5_0, Q5_1, IQ4_NL */
    UL_CLASS_K,      /* Q4_K, Q5_K, Q6_K */
    UL_CLASS_LOW,    /* Q2_K, Q3_K and the IQ types */
    UL_CLASS_MXFP4, UL_CLASS_COUNT
};

/* Of a prompt's token. A batch reads every weight once; `wide` multiplies 2 x elements over the
 * matrix units' rate at 16 bits, `plain`, where there are none, over four times that at 32. */
struct ul_prompt_law {
    double wide[UL_CLASS_COUNT], plain[UL_CLASS_COUNT];
    double bandwidth, attention, mixer_ms, expert_ms; /* ms a batch */
    double fast, slow;
};

struct ul_speed_law {
    int runs, devices;   /* it rests on; 0: there is no law */
    double bandwidth, cache, attention, mixer_ms, state_ms, expert_ms, further_ms;
    double type[UL_CLASS_COUNT];
    double fast, slow;   /* eight of ten runs are between these multiples of the predicted time */
    double known_fast, known_slow; /* ... of devices with a scale of their own */
    struct ul_prompt_law prompt;
};

extern const struct ul_speed_law ul_speed_laws[UL_BACKEND_COUNT];

/* What a device's runs take, as multiples of the law's two parts. */
struct ul_speed_scale {
    const char *device;  /* as the catalogue names it; NULL: of those of a family */
    const char *family;
    enum ul_backend backend;
    double fixed, rest;  /* of what layers take whatever they read, and of what they read */
    bool held;           /* of a device that the law has not seen: the test of the law leaves it out */
};

extern const struct ul_speed_scale ul_speed_scales[];
extern const size_t ul_n_speed_scales;

/* What one device does for a token. */
struct ul_speed_work {
    double weight_bytes, elements; /* elements: of the weights that are read */
    double cache_bytes, attention_flops;
    double bandwidth, flops32;     /* 0: unknown */
    enum ul_weight_class type;
    uint32_t mixers, states, experts;
    bool further;                  /* not the first device */
};

/* What one device does for a batch of a prompt. */
struct ul_prompt_work {
    double elements, all_bytes, attention_flops; /* a token's; all_bytes: every expert's too */
    double bandwidth, flops16, flops32;
    enum ul_weight_class type;
    uint32_t mixers, experts, batch;
};

/* Milliseconds a token. */
double ul_prompt_law_ms(const struct ul_prompt_law *law, const struct ul_prompt_work *w);

/* The most operations a second that the engine's kernels may reach with weights of a type: at 8 bits
 * where they are quantised. 0: no rule for such a device is known. */
double ul_best_arithmetic(const ullage_known_device *d, enum ul_weight_class type);

/* Its parts in ms, by the law alone. */
struct ul_speed_ms {
    double fixed, weights, cache;
};

struct ul_speed_ms ul_speed_law_ms(const struct ul_speed_law *law, const struct ul_speed_work *w);

/* The scale of a device, else of its family, NULL when none is known. `held`: those that the test
 * leaves out too. */
const struct ul_speed_scale *ul_speed_scale_of(const ullage_known_device *device,
                                               enum ul_backend backend, bool held);

enum ul_weight_class ul_weight_class_of(enum ul_type type);

#endif
