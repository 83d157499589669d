/* The back-ends' own functions, gathered in device.c's table; nobody else includes this. */
#ifndef UL_GRAPH_DEVICE_IMPL_H
#define UL_GRAPH_DEVICE_IMPL_H

#include "graph/device.h"
#include "graph/fuse.h"

/* Sets of types, as what an operation can read or write. */
#define UL_BIT(type) (UINT64_C(1) << (type))
static inline bool ul_type_in(const struct ul_tensor *t, uint64_t types)
{
    return t->type < UL_TYPE_COUNT && (types >> t->type & 1);
}

uint64_t ul_cuda_alloc_size(const struct ul_hw *hw, const struct ul_tensor *t);
bool ul_cuda_supports_op(const struct ul_hw *hw, const struct ul_tensor *op);
bool ul_vulkan_supports_op(const struct ul_hw *hw, const struct ul_tensor *op);
uint64_t ul_metal_alloc_size(const struct ul_hw *hw, const struct ul_tensor *t);
bool ul_metal_supports_op(const struct ul_hw *hw, const struct ul_tensor *op);
bool ul_metal_offload_op(const struct ul_hw *hw, const struct ul_tensor *op);

/* The kernel that the CUDA back-end runs flash attention with, and whether heads that share a key
 * can be taken together. */
enum ul_fattn { UL_FATTN_NONE, UL_FATTN_TILE, UL_FATTN_VEC, UL_FATTN_MMA };
enum ul_fattn ul_cuda_fattn_kernel(int cc, const struct ul_tensor *flash_attn);
bool ul_cuda_fattn_grouped(const struct ul_tensor *flash_attn, int64_t heads_a_key);

#endif
