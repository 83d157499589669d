/* What a back-end rearranges in a split before it is allocated, because it will run several
 * operations as one (ggml_backend_graph_optimize). Only the order of nodes changes, and which
 * tensors must stay alive until a fused group is through. */
#ifndef UL_GRAPH_FUSE_H
#define UL_GRAPH_FUSE_H

#include "graph/graph.h"

/* A node without operation that is put behind node `after`: its sources live until there. */
struct ul_keep {
    int after;
    int n;
    struct ul_tensor *t[UL_MAX_SRC];
};

struct ul_keeps {
    struct ul_arena *arena;
    struct ul_keep *keep;   /* ordered by `after` */
    int n, cap;
    void *scratch;          /* of the reordering that runs, reused by the next */
    size_t scratch_bytes;
};

/* A new one behind node `after`, empty, where it belongs in the order. */
struct ul_keep *ul_keep_add(struct ul_keeps *keeps, int after);
/* So many zeroed bytes, until the next call. */
void *ul_scratch(struct ul_keeps *keeps, size_t bytes);

/* Over nodes start..end-1, which one device runs: CUDA's fused groups; the order in which Vulkan
 * and Metal run operations that do not depend on one another side by side. These keep nothing. */
void ul_fuse_cuda(struct ul_graph *g, int start, int end, struct ul_keeps *out);
void ul_reorder_vulkan(struct ul_graph *g, int start, int end, struct ul_keeps *out);
void ul_reorder_metal(struct ul_graph *g, int start, int end, struct ul_keeps *out);

#endif
