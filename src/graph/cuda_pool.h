/* What the CUDA back-end takes at run time beyond the buffers it reserved: its pool of temporary
 * memory, which grows in steps of the device's granularity and never shrinks. */
#ifndef UL_GRAPH_CUDA_POOL_H
#define UL_GRAPH_CUDA_POOL_H

#include "graph/device.h"

/* The device's facts that the kernels' launches depend on. */
struct ul_cuda_device {
    int cc;          /* compute capability x 100 */
    int sm;          /* multiprocessors */
    int occupancy;   /* blocks of a flash-attention kernel that fit a multiprocessor */
};

#define UL_CUDA_POOL_STEP ((uint64_t)2 << 20) /* cuMemGetAllocationGranularity on all cards seen */

/* Bytes that one node holds in the pool at once while it runs; 0 for a node that takes none.
 * `*modelled` is set when a figure hangs on the occupancy, or on a library's scratch whose size no
 * rule gives. Source: ggml/src/ggml-cuda (mmq.cu, mmvq.cu, fattn-common.cuh, ssm-scan.cu,
 * ggml-cuda.cu), each at its place in cuda_pool.c. */
uint64_t ul_cuda_pool_node(const struct ul_cuda_device *d, const struct ul_tensor *t,
                           bool *modelled);

/* The workspace that cuBLAS is given when its handle is first taken, if the node takes it; else 0.
 * Source: ggml/src/ggml-cuda/common.cuh, cublas_handle. */
uint64_t ul_cuda_blas_node(const struct ul_cuda_device *d, const struct ul_tensor *t);

/* The pool after its largest node, `most` bytes: whole steps. */
static inline uint64_t ul_cuda_pool_size(uint64_t most) { return ul_pad(most, UL_CUDA_POOL_STEP); }

#endif
