/* A shape-only compute graph: what ggml's graph is without data. Tensors have a type, a shape,
 * strides, sources and views, so that the allocator's plan and the scheduler's split can be run
 * over them; no values are ever computed. Knows ggml's mechanics, no architecture.
 *
 * A graph is built by calling one function an operation (src/graph/ops.h); each gives the result
 * the shape that ggml gives it. ul_graph_expand adds a tensor and everything it needs in the
 * depth-first order in which ggml_build_forward_expand visits it: that order decides the bytes.
 *
 * Tensors that a graph makes live in its slabs, which ul_graph_clear takes back for the next graph;
 * placed tensors (weights, caches) belong to their maker and outlive graphs. */
#ifndef UL_GRAPH_GRAPH_H
#define UL_GRAPH_GRAPH_H

#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "source/types.h"

#include <stdbool.h>
#include <stdint.h>

#define UL_MAX_SRC 10 /* GGML_MAX_SRC */

enum ul_tensor_flag {
    UL_TENSOR_INPUT = 1,   /* ggml_set_input */
    UL_TENSOR_OUTPUT = 2,  /* ggml_set_output */
    UL_TENSOR_PLACED = 4,  /* a weight or cache: lives in a buffer of its own */
    UL_TENSOR_WEIGHT = 8,  /* placed in a buffer of usage WEIGHTS: operations follow it */
    UL_TENSOR_COPY = 16    /* the scheduler's copy of `origin` for the back-end called `name` */
};

/* What ggml appends to a name when it derives a tensor from another; four bits each, newest last,
 * so that names cost nothing until somebody prints them. */
enum ul_suffix_code {
    UL_SUFFIX_VIEW = 1, UL_SUFFIX_RESHAPED, UL_SUFFIX_PERMUTED, UL_SUFFIX_TRANSPOSED,
    UL_SUFFIX_CONT, UL_SUFFIX_COPY, UL_SUFFIX_COPY_OF
};

struct ul_tensor {
    uint8_t type;          /* enum ul_type */
    uint8_t op;            /* enum ul_op (graph/ops.h) */
    uint8_t sub;           /* which unary or gated operation */
    uint8_t flags;         /* enum ul_tensor_flag */
    int16_t place; /* placed tensors: the index of their buffer type (graph/device.h); else -1 */
    int8_t backend;        /* ggml_backend_sched_set_tensor_backend: the backend asked for, or -1 */
    uint8_t n_src;         /* sources end before this one; set when the tensor is visited */
    int32_t id;            /* position in the graph's node or leaf list, -1 before it is visited */
    int32_t index;         /* unique among all tensors of the graph, -1 before it is visited */
    int64_t ne[4];
    uint64_t nb[4];
    struct ul_tensor *src[UL_MAX_SRC];
    struct ul_tensor *view_src;
    uint64_t view_offs;
    int32_t p[4];          /* operation parameters that decide support or size: see ops.h */
    const char *name; /* what the engine calls it; "%d" in it stands for `layer`; NULL: unnamed */
    uint32_t suffix;       /* enum ul_suffix_code, four bits each */
    int32_t layer;         /* printed as "name-layer" when not -1 and the name has no "%d" */
    const void *origin;    /* placed tensors: the struct ul_weight or cache they stand for; flash
                            * attention: its struct ul_layer */
};

#define UL_SLAB 128

struct ul_slab {
    struct ul_slab *next;
    struct ul_tensor t[UL_SLAB];
};

struct ul_graph {
    struct ul_arena *arena;
    struct ul_tensor **nodes, **leafs;
    int n_nodes, n_leafs, cap_nodes, cap_leafs;
    int n_index;                   /* tensors visited so far */
    const char *bad;               /* the first operation whose shapes ggml would refuse, or NULL */
    struct ul_slab *first, *slab;  /* all slabs, and the one in use */
    int used;                      /* tensors used in it */
    struct ul_visit *stack;        /* of the depth-first walk */
    int cap_stack;
};

void ul_graph_init(struct ul_graph *g, struct ul_arena *arena);
/* Empties the graph: its tensors are gone, its memory stays. */
void ul_graph_clear(struct ul_graph *g);
/* A tensor with every field at its neutral value, in the graph's slabs. */
struct ul_tensor *ul_graph_tensor(struct ul_graph *g);
/* A tensor that lives in a buffer of its own (a weight, a cache), outside any graph. Contiguous;
 * `place` indexes the plan's buffer types. */
struct ul_tensor *ul_placed_tensor(struct ul_arena *a, enum ul_type type, const int64_t ne[4],
                                   int place, bool weight);

/* ggml_build_forward_expand: `t` and all that it needs and that is not there yet, in order. */
void ul_graph_expand(struct ul_graph *g, struct ul_tensor *t);

/* Sets n_src from src. */
static inline void ul_tensor_count_src(struct ul_tensor *t)
{
    t->n_src = UL_MAX_SRC;
    while (t->n_src && !t->src[t->n_src - 1])
        t->n_src--;
}

/* ggml_nbytes. */
uint64_t ul_tensor_bytes(const struct ul_tensor *t);
int64_t ul_tensor_elements(const struct ul_tensor *t);
int64_t ul_tensor_rows(const struct ul_tensor *t);
/* ggml_is_contiguous; ggml_is_contiguous_rows. */
bool ul_tensor_contiguous(const struct ul_tensor *t);
bool ul_tensor_rows_contiguous(const struct ul_tensor *t);
#define UL_NAME_MAX 64 /* GGML_MAX_NAME */
/* The name as ggml would have it, cut at 63 bytes like there. */
void ul_tensor_name(const struct ul_tensor *t, char out[UL_NAME_MAX]);

#endif
