/* The allocator's plan: where every tensor of a graph would lie, and how large each buffer gets.
 * ggml/src/ggml-alloc.c's algorithm, step for step (best fit over free blocks, in place where a
 * source dies, views kept alive, memory returned at the last use), because its result depends on
 * the order of every step. Nothing is allocated; offsets are relative to a buffer's chunk. */
#ifndef UL_GRAPH_ALLOC_H
#define UL_GRAPH_ALLOC_H

#include "graph/graph.h"

#define UL_MAX_CHUNKS 16  /* GGML_VBUFFER_MAX_CHUNKS */
#define UL_MAX_BUFFERS 18 /* devices, accelerators, CPU */

/* A buffer that graphs are planned into. Two of the same buffer type share one allocator: the later
 * one then has `same` = the index of the first. */
struct ul_alloc_buffer {
    uint64_t alignment;
    uint64_t max_chunk;   /* largest allocation that the back-end allows */
    uint64_t extra;       /* bytes that the back-end adds to each allocation */
    int same;             /* its own index, or the first buffer of the same type */
};

/* A graph in allocation order, with the buffer that each tensor wants. */
struct ul_alloc_graph {
    struct ul_tensor *const *nodes, *const *leafs;
    const int8_t *node_buffer, *leaf_buffer;
    int n_nodes, n_leafs;
    int n_index;          /* all tensors' `index` are below this */
};

/* The bytes that a buffer's back-end asks for a tensor. */
typedef uint64_t ul_alloc_size_fn(const void *context, int buffer, const struct ul_tensor *t);

/* What one buffer holds: ggml's "vbuffer", made anew when a graph needs more in any chunk. */
struct ul_alloc_held {
    int n_chunks;
    uint64_t chunk[UL_MAX_CHUNKS];
    bool made;
};

struct ul_alloc {
    struct ul_arena *arena;
    const struct ul_alloc_buffer *buffers;
    int n_buffers;
    ul_alloc_size_fn *size;
    const void *context;
    struct ul_alloc_held held[UL_MAX_BUFFERS];
    int peak_step[UL_MAX_BUFFERS];   /* of the last graph: the node at which the buffer grew last */
    struct ul_alloc_state *state;
};

void ul_alloc_init(struct ul_alloc *a, struct ul_arena *arena,
                   const struct ul_alloc_buffer *buffers, int n_buffers, ul_alloc_size_fn *size,
                   const void *context);

/* ggml_gallocr_reserve_n: plans the graph and makes buffers anew where they are too small. Errors:
 * REFUSED when the engine would abort (out of free blocks, more than 16 chunks). */
int ul_alloc_reserve(struct ul_alloc *a, const struct ul_alloc_graph *g, ullage_error *err);

/* ggml_gallocr_get_buffer_size; a buffer that shares another's type counts 0. */
uint64_t ul_alloc_bytes(const struct ul_alloc *a, int buffer);

/* A tensor that lies in a buffer at its peak. */
struct ul_alive {
    const struct ul_tensor *t;
    uint64_t offset, bytes;  /* bytes with alignment */
    int chunk;
};

/* The tensors in `buffer` at the moment when the graph, planned alone, filled it most; returns how
 * many, in an array in the arena ordered by address, or -1. Bytes between them are free then. */
int ul_alloc_alive(struct ul_alloc *a, const struct ul_alloc_graph *g, int buffer,
                   struct ul_alive **out, ullage_error *err);

#endif
