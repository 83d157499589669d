/* A shape-only compute graph: what ggml's graph is without data. Tensors have a type, a shape,
 * strides, sources and views, so that the allocator's plan and the scheduler's split can be run
 * over them; no values are ever computed. Knows ggml's mechanics, no architecture.
 *
 * A graph is built by calling one function an operation (src/graph/ops.h); each gives the result
 * the shape that ggml gives it. ul_graph_expand adds a tensor and everything it needs in the
 * depth-first order in which ggml_build_forward_expand visits it: that order decides the bytes. */
#ifndef UL_GRAPH_GRAPH_H
#define UL_GRAPH_GRAPH_H

#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "source/types.h"

#include <stdbool.h>
#include <stdint.h>

#define UL_MAX_SRC 10

enum ul_tensor_flag {
    UL_TENSOR_INPUT = 1,   /* ggml_set_input */
    UL_TENSOR_OUTPUT = 2,  /* ggml_set_output */
    UL_TENSOR_PLACED = 4   /* a weight or cache: lives in a buffer of its own */
};

struct ul_tensor {
    uint8_t type;          /* enum ul_type */
    uint8_t op;            /* enum ul_op (graph/ops.h) */
    uint8_t sub;           /* which unary or gated operation */
    uint8_t flags;
    int64_t ne[4];
    uint64_t nb[4];
    struct ul_tensor *src[UL_MAX_SRC];
    struct ul_tensor *view_src;
    uint64_t view_offs;
    int32_t p[8];          /* operation parameters that decide support or size */
    const char *name;      /* the engine's name for it; "" when it has none */
    int16_t layer;         /* for names and placement: -1 none */
    int16_t place;         /* placed tensors: the index of their buffer type; else -1 */
    int32_t id;            /* position in the graph's node or leaf list, -1 before it is visited */
    const void *origin;    /* placed tensors: the struct ul_weight or cache they stand for */
};

struct ul_graph {
    struct ul_arena *arena;
    struct ul_tensor **nodes, **leafs;
    int n_nodes, n_leafs, cap_nodes, cap_leafs;
};

#endif
