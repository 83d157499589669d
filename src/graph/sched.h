/* The scheduler's plan: which back-end runs each operation of a graph, where the graph is cut into
 * splits, which tensors are copied between back-ends, and the order in which the allocator then
 * meets everything. ggml/src/ggml-backend.cpp's ggml_backend_sched_split_graph, pass for pass. */
#ifndef UL_GRAPH_SCHED_H
#define UL_GRAPH_SCHED_H

#include "graph/alloc.h"
#include "graph/device.h"

#define UL_MAX_BACKENDS 17 /* GGML_SCHED_MAX_BACKENDS is 16; and one of ours for the CPU */
#define UL_MAX_COPIES 4    /* GGML_SCHED_MAX_COPIES */

/* A back-end in the scheduler's list: the devices in order, then the CPU. A lower index has
 * priority. */
struct ul_sched_backend {
    struct ul_hw hw;
    const char *name;  /* "CUDA0" ... "CPU" */
    int buft;          /* index of the buffer type of its compute buffer */
};

struct ul_sched {
    struct ul_arena *arena;
    struct ul_sched_backend backend[UL_MAX_BACKENDS];
    int n_backends;
    const struct ul_buffer_type *bufts; /* what ul_tensor.place and backend.buft index */
    int n_copies;      /* 1, or UL_MAX_COPIES with pipeline parallelism */
    bool op_offload;
    struct ul_alloc_buffer buffer[UL_MAX_BACKENDS]; /* one a back-end, for the allocator */
    struct ul_alloc alloc;

    /* of the graph split last */
    struct ul_alloc_graph split;
    int n_splits;
    int n_nodes;       /* nodes of the graph before the split, as the engine logs them */

    struct ul_sched_state *state;
};

/* `backend` and `n_backends`, `bufts`, `n_copies` and `op_offload` are set before; this makes the
 * rest. */
void ul_sched_init(struct ul_sched *s, struct ul_arena *arena);

/* Splits the graph; its operations then read the copies. `s->split` is what the allocator is
 * given. */
void ul_sched_split(struct ul_sched *s, struct ul_graph *g);

/* ggml_backend_sched_reserve: splits and plans. Errors: those of ul_alloc_reserve; UNKNOWN when a
 * placed tensor's buffer cannot run its operation, where the engine aborts. */
int ul_sched_reserve(struct ul_sched *s, struct ul_graph *g, ullage_error *err);

/* ggml_backend_sched_get_buffer_size: the compute buffer of a back-end. */
uint64_t ul_sched_bytes(const struct ul_sched *s, int backend);

#endif
