/* What a tensor is, by its name. The table is model/roles.def: one line a role with the name's
 * stem, the layer class that decides its device, and the operation that decides which buffer type
 * can hold it. Source: src/llama-arch.cpp, LLM_TENSOR_NAMES and LLM_TENSOR_INFOS. */
#ifndef UL_MODEL_ROLES_H
#define UL_MODEL_ROLES_H

#include "base/str.h"

enum ul_role {
    UL_ROLE_UNKNOWN = 0,
#define ROLE(id, stem, class, op) UL_ROLE_##id,
#include "model/roles.def"
#undef ROLE
    UL_ROLE_COUNT
};

/* Where a tensor lives: with the input (always the CPU), the output layer, or its own layer. */
enum ul_layer_class { UL_CLASS_INPUT, UL_CLASS_REPEATING, UL_CLASS_OUTPUT };

/* What follows the stem: ".weight", ".bias" ... */
enum ul_suffix { UL_WEIGHT, UL_BIAS, UL_SCALE, UL_INPUT_SCALE, UL_NO_SUFFIX, UL_SUFFIX_COUNT };

#endif
