/* The back-ends' own functions, gathered in device.c's table; nobody else includes this. */
#ifndef UL_GRAPH_DEVICE_IMPL_H
#define UL_GRAPH_DEVICE_IMPL_H

#include "graph/device.h"

uint64_t ul_cuda_alloc_size(const struct ul_hw *hw, const struct ul_tensor *t);
bool ul_cuda_supports_op(const struct ul_hw *hw, const struct ul_tensor *op);

#endif
