/* A model's description for people: `ullage show`, ullage_describe. */
#ifndef UL_ARCH_DESCRIBE_H
#define UL_ARCH_DESCRIBE_H

#include "arch/arch.h"

/* Fills all but `path` and `status`, which the caller knows. Everything lives in the arena. */
void ul_model_describe(const struct ul_model *m, struct ul_arena *a, ullage_model_info *info);

/* Whether a layer owns keys and values, and whether it keeps a recurrent state: the row's filters
 * over hparams.has_kv. What create_memory (src/llama-model.cpp) and the caches decide. */
bool ul_layer_keeps_kv(const struct ul_model *m, uint32_t il);
bool ul_layer_keeps_state(const struct ul_model *m, uint32_t il);

#endif
