/* Which buffers can hold a weight: the CPU's variants and what they repack, and the trial that the
 * engine makes of a device. What a back-end runs and asks for a tensor is src/graph/device.h. */
#ifndef UL_ENGINE_BACKEND_H
#define UL_ENGINE_BACKEND_H

#include "graph/device.h"
#include "model/roles.h"

/* ------------------------------------------------------------------ CPU variants */

/* What decides about weights; the variants differ in more than that. */
enum ul_cpu_feature {
    UL_CPU_AVX2 = 1, UL_CPU_AVX512 = 2, UL_CPU_AVX512_VNNI = 4, UL_CPU_AMX = 8, UL_CPU_NEON = 16,
    UL_CPU_DOTPROD = 32, UL_CPU_I8MM = 64, UL_CPU_SVE = 128, UL_CPU_RVV = 256
};

struct ul_cpu_variant {
    const char *name;    /* as ggml names it: zen4, apple_m1 ... */
    unsigned features;   /* enum ul_cpu_feature */
    bool confirmed;      /* its rules are confirmed by recorded figures */
};

/* The variant of that name, or NULL; the i-th, or NULL past the last. */
const struct ul_cpu_variant *ul_cpu_variant_find(const char *name);
const struct ul_cpu_variant *ul_cpu_variant_at(size_t i);

/* Whether the CPU_REPACK buffer of a CPU with these features takes a weight for this operation. */
bool ul_repack_takes(unsigned features, enum ul_use use, enum ul_type type, const uint64_t ne[4]);
/* The same for the AMX buffer, and what a weight takes in it. */
bool ul_amx_takes(enum ul_use use, enum ul_type type, const uint64_t ne[4]);
uint64_t ul_amx_bytes(enum ul_type type, const uint64_t ne[4]);

/* ------------------------------------------------------------------ trying a device out */

/* The dimensions of a model that decide whether a weight's operation can run. */
struct ul_trial {
    uint32_t n_expert_used;  /* experts a token; 1 for embedded adapters */
    uint32_t ssm_d_state, ssm_d_inner, ssm_n_group;
    uint32_t n_embd_head_v, n_head;
    uint32_t n_embd_inp;
};

/* Whether the device can run the operation that the weight is used with
 * (src/llama-model-loader.cpp: weight_buft_supported). */
bool ul_device_takes(const struct ul_hw *hw, enum ul_use use, enum ul_type type,
                     const uint64_t ne[4], const struct ul_trial *trial);

/* Bytes of a tensor of this type and shape, without padding. */
uint64_t ul_shape_bytes(enum ul_type type, const uint64_t ne[4]);

/* The name of the back-end's pinned host buffer type ("CUDA_Host"), or NULL when it has none. */
const char *ul_host_buffer_name(enum ul_backend backend);
/* Whether the back-end makes buffers over a mapped file (caps.buffer_from_host_ptr). */
bool ul_backend_maps_files(enum ul_backend backend);

#endif
