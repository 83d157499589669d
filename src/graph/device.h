/* What a back-end does to a plan, as data: the alignment and limits of its buffers, the bytes that
 * it asks for a tensor (row padding, an operation's scratch), which operations it can run, and
 * which it takes over from the CPU's weights. The allocator and the scheduler know nothing else of
 * devices. CUDA and CPU follow the engine exactly; the others follow their source and are marked
 * `modelled` until a recorded figure confirms them. */
#ifndef UL_GRAPH_DEVICE_H
#define UL_GRAPH_DEVICE_H

#include "graph/graph.h"

enum ul_backend { UL_CUDA, UL_VULKAN, UL_ROCM, UL_METAL, UL_SYCL, UL_CPU, UL_BACKEND_COUNT };

#define UL_NO_LIMIT UINT64_MAX

struct ul_keeps; /* graph/fuse.h */

/* One device as its back-end sees it. */
struct ul_hw {
    enum ul_backend backend;
    int cc; /* CUDA: compute capability x 100 (8.9 -> 890); 0: unknown, taken for a recent one */
    bool meta;   /* several GPUs as one (-sm tensor): whole shapes, nothing fused */
    int index;   /* position among the scheduler's back-ends; the CPU is last */
};

/* A buffer type, as a graph's placed tensors (ul_tensor.place) and the plan's buffers name it. */
struct ul_buffer_type {
    const char *name;   /* "CUDA0", "CUDA_Host", "CPU", "CPU_REPACK" ... */
    enum ul_backend backend;
    int device;         /* index of the back-end whose memory it is; the CPU's for host memory */
    bool host;          /* the CPU can use it: plain, mapped or pinned memory */
    bool extra;         /* repacked or the like: only the CPU's matrix products can use it */
};

struct ul_backend_rules {
    const char *name;   /* as the engine names its devices: "CUDA", "Vulkan" ... */
    uint64_t alignment; /* of tensors in a device buffer */
    uint64_t host_alignment; /* of tensors in the back-end's pinned host memory, 0: it has none */
    uint64_t max_buffer;     /* largest allocation, UL_NO_LIMIT: none */
    uint64_t host_extra;     /* bytes added to each allocation of pinned host memory */
    bool modelled;
    uint64_t (*alloc_size)(const struct ul_hw *hw, const struct ul_tensor *t);
    bool (*supports_op)(const struct ul_hw *hw, const struct ul_tensor *op);
    bool (*offload_op)(const struct ul_hw *hw, const struct ul_tensor *op); /* NULL: never */
    /* ggml_backend_graph_optimize over a split's nodes start..end-1; NULL: leaves them as they
     * are */
    void (*optimize)(struct ul_graph *g, int start, int end, struct ul_keeps *keeps);
};

extern const struct ul_backend_rules ul_backend_rules[UL_BACKEND_COUNT];

/* ggml_backend_buft_get_alloc_size: bytes that `t` takes in a buffer of the device, before the
 * alignment; in host memory (pinned or not) a tensor takes just its bytes. */
uint64_t ul_alloc_size(const struct ul_hw *hw, const struct ul_tensor *t);

/* The same for a weight, from its type and shape. */
uint64_t ul_alloc_size_of(enum ul_backend backend, enum ul_type type, const int64_t ne[4]);

/* ggml_backend_dev_supports_op. Sources that are placed count by their buffer type: `bufts` is the
 * table that ul_tensor.place indexes; NULL: no source is placed. */
bool ul_supports_op(const struct ul_hw *hw, const struct ul_tensor *op,
                    const struct ul_buffer_type *bufts);

/* ggml_backend_dev_supports_buft. */
bool ul_supports_buft(const struct ul_hw *hw, const struct ul_buffer_type *b);

/* ggml_backend_dev_offload_op: whether the device wants this operation although its weight is in
 * host memory. */
bool ul_offload_op(const struct ul_hw *hw, const struct ul_tensor *op);

#endif
