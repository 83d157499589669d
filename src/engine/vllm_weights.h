/* Weights of a rank by the checkpoint's headers. */
#ifndef UL_ENGINE_VLLM_WEIGHTS_H
#define UL_ENGINE_VLLM_WEIGHTS_H

#include "engine/vllm_server.h"
#include "source/safetensors.h"

/* Bytes that a rank of the stage loads of these tensors, with what is made of them, without tables
 * of rotations. *why: why that is not known, or NULL. */
uint64_t ul_vtensors_bytes(struct ul_vserver *v, const struct ul_st *st, uint32_t stage,
                           const char **why);

/* The checkpoint's tensors by the configuration alone, where llama.cpp's converter knows them and
 * they are not quantised; NULL where not. */
const struct ul_st *ul_vconvert_headers(struct ul_vserver *v);

#endif
