/* -sm tensor: how the engine cuts a cache over the GPUs behind the Meta device.
 * Source: src/llama-model.cpp, llama_meta_device_get_split_state. */
#ifndef UL_ENGINE_CACHE_SPLIT_H
#define UL_ENGINE_CACHE_SPLIT_H

#include "engine/cache.h"

/* Fills ne0[0..n_gpus-1] with the row length that each GPU holds. */
void ul_cache_split(const struct ul_model *m, const struct ul_settings *s,
                    const struct ul_place *p, const struct ul_cache *cache,
                    const struct ul_cache_tensor *t, uint64_t *ne0);

#endif
