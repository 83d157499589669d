/* Takes a recorded graph back to what it was before the scheduler split it: the nodes that only
 * carry copies go, sources that are copies become the originals, leafs that are pipeline copies go.
 * Splitting the result must then give the recorded graph again. */
#ifndef UL_TESTS_GRAPH_UNSPLIT_H
#define UL_TESTS_GRAPH_UNSPLIT_H

#include "graph/sched.h"
#include "graph_text.h"

/* What a recorded file does not say itself. */
struct recorded_setting {
    int cc;
    bool op_offload;
    bool pin_always;    /* "norm" tensors are pinned to their layer's device whatever the batch */
    bool exact_down;    /* the experts' last product does not round its input */
    bool split;         /* whether the split is to be compared: not where it is only modelled */
};

static inline struct recorded_setting recorded_setting_of(const char *title)
{
    int cc, offload, pin, exact, split;
    if (sscanf(title, "file cc=%d op_offload=%d pin_always=%d exact_down=%d split=%d", &cc, &offload,
               &pin, &exact, &split) != 5)
        abort();
    return (struct recorded_setting){cc, offload, pin, exact, split};
}

static inline bool is_weight(const char *name)
{
    size_t n = strlen(name);
    const char *ends[] = {".weight", ".bias", ".scale", ".scales", "_norm", "z_l_init"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (n >= strlen(ends[i]) && !strcmp(name + n - strlen(ends[i]), ends[i]))
            return true;
    return !strncmp(name, "blk.", 4);
}

static inline bool is_copy(const struct ul_tensor *t)
{
    return t->op == UL_OP_NONE && !t->view_src && t->name && strchr(t->name, '#');
}

/* The back-ends and buffer types of a recorded graph: its buffers, the last one the CPU's. */
static inline void recorded_backends(const struct recorded *r, const struct recorded_setting *set,
                                     struct ul_sched *s, struct ul_buffer_type *bufts)
{
    s->n_backends = r->n_buffers;
    s->bufts = bufts;
    s->op_offload = set->op_offload;
    for (int b = 0; b < r->n_buffers; b++) {
        bool cpu = b == r->n_buffers - 1, vulkan = !strncmp(r->buffer_name[0], "Vulkan", 6);
        enum ul_backend device = vulkan ? UL_VULKAN : UL_CUDA;
        bufts[b] = (struct ul_buffer_type){.name = r->buffer_name[b], .device = b, .host = cpu,
            .backend = cpu && !strcmp(r->buffer_name[b], "CPU") ? UL_CPU : device};
        s->backend[b] = (struct ul_sched_backend){.name = cpu ? "CPU" : r->buffer_name[b], .buft = b,
            .hw = {.backend = cpu ? UL_CPU : device, .cc = set->cc}};
    }
}

/* The original that a copy stands for: the node before a copy keeps its original alive. */
static inline void find_originals(const struct recorded *r, struct ul_tensor **original)
{
    for (int i = 1; i < r->n_nodes; i++)
        if (is_copy(r->nodes[i]) && r->nodes[i - 1]->op == UL_OP_NONE)
            original[r->nodes[i]->index] = r->nodes[i - 1]->src[0];
}

/* Shared experts that the engine moved up go back to where the depth-first walk leaves them: before
 * the node that reads their result. */
static inline void move_back(struct ul_graph *g)
{
    for (int i = 0; i + 6 < g->n_nodes; i++) {
        struct ul_tensor **n = g->nodes + i, *moved[3];
        if (n[0]->op != UL_OP_MUL_MAT_ID || n[1]->op != UL_OP_MUL_MAT_ID || n[2]->op != UL_OP_GLU ||
            n[3]->op != UL_OP_MUL_MAT || n[4]->op != UL_OP_MUL_MAT || n[5]->op != UL_OP_GLU)
            continue;
        int j = 6;
        while (i + j < g->n_nodes && n[j]->src[0] != n[5] && n[j]->src[1] != n[5])
            j++;
        memcpy(moved, n + 3, sizeof moved);
        memmove(n + 3, n + 6, (size_t)(j - 6) * sizeof *n);
        memcpy(n + j - 3, moved, sizeof moved);
    }
}

static inline void unsplit(struct recorded *r, const struct recorded_setting *set, struct ul_graph *g,
                           int *n_copies)
{
    struct ul_tensor **original = UL_NEWS(r->arena, struct ul_tensor *, (size_t)r->n_index + 1);
    ul_graph_init(g, r->arena);
    g->nodes = UL_NEWS(r->arena, struct ul_tensor *, (size_t)r->n_nodes);
    g->leafs = UL_NEWS(r->arena, struct ul_tensor *, (size_t)r->n_leafs);
    g->n_index = r->n_index;
    find_originals(r, original);
    int64_t tokens = 0;
    for (int i = 0; i < r->n_nodes; i++)
        if (r->nodes[i]->name && !strcmp(r->nodes[i]->name, "embd"))
            tokens = r->nodes[i]->ne[1];
    for (int i = 0; i < r->n_nodes; i++) {
        struct ul_tensor *t = r->nodes[i];
        if (t->op == UL_OP_NONE)
            continue;
        for (int j = 0; j < UL_MAX_SRC; j++)
            if (t->src[j] && original[t->src[j]->index])
                t->src[j] = original[t->src[j]->index];
        bool named = t->name && (!strncmp(t->name, "norm-", 5) || !strncmp(t->name, "l_last-", 7));
        if (named && (set->pin_always || tokens < 32))
            t->backend = r->node_buffer[i];
        if (set->exact_down && t->op == UL_OP_MUL_MAT_ID && t->name && !strncmp(t->name, "ffn_moe_down", 12))
            ulg_prec_src_f32(t);
        g->nodes[g->n_nodes++] = t;
    }
    move_back(g);
    *n_copies = 1;
    int first = 0;
    for (int i = 0; i < r->n_leafs; i++)
        if (is_copy(r->leafs[i])) {
            *n_copies = UL_MAX_COPIES;
            first = i + 1;
        }
    for (int i = first; i < r->n_leafs; i++) {
        struct ul_tensor *t = r->leafs[i];
        if (*n_copies > 1)
            t->flags &= (uint8_t)~UL_TENSOR_OUTPUT;
        if (t->flags & UL_TENSOR_PLACED) {
            t->place = r->leaf_buffer[i];
            t->flags |= is_weight(t->name) ? UL_TENSOR_WEIGHT : 0;
        }
        g->leafs[g->n_leafs++] = t;
    }
    for (int i = 0; i < g->n_nodes; i++) /* views of placed tensors carry the mark in the text only */
        if (g->nodes[i]->view_src)
            g->nodes[i]->flags &= (uint8_t)~UL_TENSOR_PLACED;
}

#endif
