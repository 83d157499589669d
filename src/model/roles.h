/* What a tensor is, by its name. The table is model/roles.def: one line a role with the name's
 * stem, the layer class that decides its device, and the operation that decides which buffer type
 * can hold it. Source: src/llama-arch.cpp, LLM_TENSOR_NAMES and LLM_TENSOR_INFOS. */
#ifndef UL_MODEL_ROLES_H
#define UL_MODEL_ROLES_H

#include "base/str.h"

#include <stdint.h>

enum ul_role {
    UL_ROLE_UNKNOWN = 0,
#define ROLE(id, stem, class, op) UL_ROLE_##id,
#include "model/roles.def"
#undef ROLE
    UL_ROLE_COUNT
};

/* Where a tensor lives: with the input (always the CPU), the output layer, or its own layer. */
enum ul_layer_class { UL_CLASS_INPUT, UL_CLASS_REPEATING, UL_CLASS_OUTPUT };

/* The operation that a tensor is tried with when a buffer type is chosen for it
 * (llama-model-loader.cpp: weight_buft_supported). NONE: the engine never loads it. */
enum ul_use {
    UL_USE_NONE, UL_USE_GET_ROWS, UL_USE_MUL_MAT, UL_USE_MUL_MAT_ID, UL_USE_MUL, UL_USE_ADD,
    UL_USE_ADD_ID, UL_USE_DIV, UL_USE_SCALE, UL_USE_ROPE, UL_USE_IM2COL, UL_USE_SSM_CONV,
    UL_USE_SSM_SCAN, UL_USE_RWKV_WKV6
};

/* What follows the stem: ".weight", ".bias" ... */
enum ul_suffix {
    UL_WEIGHT, UL_BIAS, UL_SCALE, UL_INPUT_SCALE, UL_LORA_A, UL_LORA_B, UL_SCALES, UL_NO_SUFFIX,
    UL_SUFFIX_COUNT
};

struct ul_role_info {
    const char *stem;
    uint8_t layer_class; /* enum ul_layer_class */
    uint8_t use;         /* enum ul_use */
};

const struct ul_role_info *ul_role_info(enum ul_role role);
/* Whether the role's name says a layer. */
bool ul_role_layered(enum ul_role role);

/* Names looked up by stem. Built once a model (a few microseconds), in its arena. */
struct ul_role_index;
const struct ul_role_index *ul_role_index_new(struct ul_arena *a);

/* Takes a tensor's name apart. `layer` is -1 when the name says none; a name that no role fits
 * gives UL_ROLE_UNKNOWN (its layer is still read, for reports). */
enum ul_role ul_role_of(const struct ul_role_index *index, struct ul_str name,
                        enum ul_suffix *suffix, int *layer);

#endif
