/* What measured runs say of speed: laws, one a back-end (with Vulkan one a vendor, since the driver
 * makes the difference), and multiples of families and single devices that were measured. A law is
 * a sum of terms, each a quantity of the model and the device times a factor:
 *
 *     layers      layers that attend or keep a state x mixer_ms + those that keep one x state_ms
 *                 + layers with experts x expert_ms + devices past the first x further_ms
 *     weights     the hypotenuse of reading, bytes / bandwidth x bandwidth,
 *                 and unpacking, 2 x elements / rate x type[class]: they go on at the same time
 *     attention   caches / bandwidth x cache + its operations / rate x flash (or plain)
 *
 * The rate is that of the plain cores with the integers among their work (ul_unpacking). A token
 * takes layers x fixed + (weights + attention) x rest, with the device's two multiples.
 * tools/fit_speed.py fits the factors to tests/speed/pairs.tsv.xz and writes factors.c. */
#ifndef UL_FIT_FACTORS_H
#define UL_FIT_FACTORS_H

#include "engine/machine.h"
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

/* Eight of ten runs are between these multiples of the predicted time. */
struct ul_spread {
    double fast, slow;
};

/* Of a prompt's token. A batch reads every weight once; `wide` multiplies 2 x elements / rate where
 * there are matrix units, `plain` where there are none. The rate is the plain cores'
 * all the same: what matrix units reach goes with the cores that feed them, and data sheets count
 * theirs in too many ways. */
struct ul_prompt_law {
    int runs;
    double wide[UL_CLASS_COUNT], plain[UL_CLASS_COUNT];
    double bandwidth, attention, mixer_ms, expert_ms; /* ms a batch */
    struct ul_spread unknown, known;
};

struct ul_speed_law {
    enum ul_backend backend;
    const char *vendor;  /* NULL: of any */
    int runs, devices;   /* it rests on; where there are none, another law's factors stand in */
    double bandwidth, cache, flash, plain, mixer_ms, state_ms, expert_ms, further_ms;
    double type[UL_CLASS_COUNT];
    double bf16_experts; /* times BF16's factor, for experts: kernels that convert them first */
    struct ul_spread unknown, known; /* known: of devices with multiples of their own */
    struct ul_prompt_law prompt;
};

extern const struct ul_speed_law ul_speed_laws[];
extern const size_t ul_n_speed_laws;

/* What a device's runs take, as multiples of the law's parts. */
struct ul_speed_scale {
    const char *device;  /* as the catalogue names it; NULL: of those of a family */
    const char *family;
    enum ul_backend backend;
    double fixed, rest;  /* of what layers take whatever they read, and of what they read */
    double prompt;       /* of a prompt's time */
    bool prompts_only;   /* only prompts were measured: the family's multiples hold for tokens */
    bool held;           /* of a device that the law has not seen: its test leaves it out */
};

extern const struct ul_speed_scale ul_speed_scales[];
extern const size_t ul_n_speed_scales;

/* What one device does for a token. */
struct ul_speed_work {
    double weight_bytes, elements; /* elements: of the weights that are read */
    double cache_bytes, attention_flops;
    enum ul_weight_class type;
    uint32_t mixers, states, experts;
    uint32_t further;              /* devices before this one */
    bool flash;                    /* attention is one operation */
};

/* What one device does for a batch of a prompt. */
struct ul_prompt_work {
    double elements, all_bytes, attention_flops; /* a token's; all_bytes: every expert's too */
    enum ul_weight_class type;
    uint32_t mixers, experts, batch;
};

/* A device as the laws see it. Rates are a second's; 0: unknown. */
struct ul_speed_device {
    const ullage_known_device *known; /* NULL: not of the catalogue */
    enum ul_backend backend;
    double bandwidth, flops32;
};

/* Whose runs an expectation rests on, from near to far. */
enum ul_rests {
    UL_RESTS_DEVICE, UL_RESTS_FAMILY, UL_RESTS_BACKEND
};

/* Milliseconds. */
struct ul_expectation {
    double fixed;      /* of ms: what layers take whatever they read */
    double ms, fast, slow;
    enum ul_rests rests;
};

/* A token's time on a device. False where no run tells it: nothing of such a back-end or vendor was
 * measured, or the rate of the device's cores is not known. Without `held`, as if the devices that
 * the laws never saw were unknown. */
bool ul_expect_token(struct ul_expectation *e, const struct ul_speed_device *d,
                     const struct ul_speed_work *w, bool held);

/* A prompt's token in batches, with all of its work on the device. */
bool ul_expect_prompt(struct ul_expectation *e, const struct ul_speed_device *d,
                      const struct ul_prompt_work *w, bool held);

/* Time a batch where `batches` go through devices that take `sum` together, and `most` of it at the
 * slowest: each works on the next as soon as it has passed one on. */
double ul_pipelined(double sum, double most, double batches);

/* The rate at which a device unpacks weights: that at 32 bits, and what its cores do beside. */
double ul_unpacking(const ullage_known_device *d, double flops32);

/* Whether a chip multiplies matrices in units made for it. */
bool ul_has_matrix_units(const ullage_known_device *d);

/* The most operations a second that the engine's kernels may reach with weights of a type: at 8
 * bits where they are quantised. 0: no rule for such a device is known. */
double ul_best_arithmetic(const ullage_known_device *d, enum ul_weight_class type);

/* The catalogue's and the user's figures of a GPU; NULL: the host, which reads at `ram`. */
struct ul_speed_device ul_speed_device_of(const struct ul_gpu *gpu, double ram);

/* In words. */
const char *ul_rests_on(enum ul_rests rests);

enum ul_weight_class ul_weight_class_of(enum ul_type type);

#endif
