/* The graph itself: its slabs of tensors, the order of its nodes, and what can be asked of a
 * tensor. The walk is ggml's (ggml/src/ggml.c: ggml_visit_parents_graph), with an explicit stack in
 * place of recursion, for graphs are as deep as models are long. */
#include "graph/graph.h"

#include "graph/ops.h"

#include <stdio.h>
#include <string.h>

struct ul_visit {
    struct ul_tensor *t;
    int next; /* the source to look at next */
};

void ul_graph_init(struct ul_graph *g, struct ul_arena *arena)
{
    *g = (struct ul_graph){.arena = arena};
}

void ul_graph_clear(struct ul_graph *g)
{
    /* tensors in slabs die with the graph; placed ones must forget their position */
    for (int i = 0; i < g->n_leafs; i++)
        g->leafs[i]->id = g->leafs[i]->index = g->leafs[i]->backend = -1;
    g->n_nodes = g->n_leafs = g->n_index = 0;
    g->slab = g->first;
    g->used = 0;
    g->bad = NULL;
}

static struct ul_slab *next_slab(struct ul_graph *g)
{
    struct ul_slab *s = g->slab ? g->slab->next : g->first;
    if (!s) {
        s = UL_NEW(g->arena, struct ul_slab);
        if (g->slab)
            g->slab->next = s;
        else
            g->first = s;
    }
    g->used = 0;
    return g->slab = s;
}

struct ul_tensor *ul_graph_tensor(struct ul_graph *g)
{
    struct ul_slab *s = g->slab;
    if (!s || g->used == UL_SLAB)
        s = next_slab(g);
    struct ul_tensor *t = &s->t[g->used++];
    memset(t, 0, sizeof *t);
    t->place = t->backend = -1;
    t->id = t->index = t->layer = -1;
    return t;
}

struct ul_tensor *ul_placed_tensor(struct ul_arena *a, enum ul_type type, const int64_t ne[4],
                                   int place, bool weight)
{
    struct ul_tensor *t = UL_NEW(a, struct ul_tensor);
    const struct ul_type_info *info = ul_type_info(type);
    t->type = (uint8_t)type;
    t->flags = UL_TENSOR_PLACED | (weight ? UL_TENSOR_WEIGHT : 0);
    t->place = (int16_t)place;
    t->backend = -1;
    t->id = t->index = t->layer = -1;
    t->nb[0] = info ? info->bytes : 0;
    for (int i = 0; i < 4; i++) {
        t->ne[i] = ne[i];
        if (i < 3)
            t->nb[i + 1] = ul_mul(
                t->nb[i], (uint64_t)(i || !info || !info->block ? ne[i] : ne[i] / info->block));
    }
    return t;
}

/* --- order ------------------------------------------------------------------------------------ */

/* Doubles an array of pointers in the arena; the old one stays behind, at most as large again. */
static void *grow(struct ul_arena *a, void *old, int n, int *cap, size_t size)
{
    int wide = *cap ? *cap * 2 : 512;
    void *p = ul_arena_alloc(a, (size_t)wide, size);
    if (n)
        memcpy(p, old, (size_t)n * size);
    *cap = wide;
    return p;
}

static void add_leaf(struct ul_graph *g, struct ul_tensor *t)
{
    if (g->n_leafs == g->cap_leafs)
        g->leafs = grow(g->arena, g->leafs, g->n_leafs, &g->cap_leafs, sizeof *g->leafs);
    if (!t->name && !t->suffix)
        ulg_name(t, "leaf_%d", g->n_leafs);
    t->id = g->n_leafs;
    g->leafs[g->n_leafs++] = t;
}

static void add_node(struct ul_graph *g, struct ul_tensor *t)
{
    if (g->n_nodes == g->cap_nodes)
        g->nodes = grow(g->arena, g->nodes, g->n_nodes, &g->cap_nodes, sizeof *g->nodes);
    if (!t->name && !t->suffix)
        ulg_name(t, "node_%d", g->n_nodes);
    t->id = g->n_nodes;
    g->nodes[g->n_nodes++] = t;
}

static void push(struct ul_graph *g, int *depth, struct ul_tensor *t)
{
    if (*depth == g->cap_stack)
        g->stack = grow(g->arena, g->stack, *depth, &g->cap_stack, sizeof *g->stack);
    t->index = g->n_index++;
    ul_tensor_count_src(t);
    g->stack[(*depth)++] = (struct ul_visit){t, 0};
}

void ul_graph_expand(struct ul_graph *g, struct ul_tensor *t)
{
    int depth = 0;
    if (t->index < 0)
        push(g, &depth, t);
    while (depth) {
        struct ul_visit *v = &g->stack[depth - 1];
        struct ul_tensor *next = NULL;
        while (v->next < v->t->n_src && !next) {
            next = v->t->src[v->next++];
            if (next && next->index >= 0)
                next = NULL;
        }
        if (next) {
            push(g, &depth, next);
            continue;
        }
        depth--;
        if (v->t->op == UL_OP_NONE)
            add_leaf(g, v->t);
        else
            add_node(g, v->t);
    }
}

/* --- questions -------------------------------------------------------------------------------- */

int64_t ul_tensor_elements(const struct ul_tensor *t)
{
    uint64_t n = ul_mul(ul_mul((uint64_t)t->ne[0], (uint64_t)t->ne[1]),
                        ul_mul((uint64_t)t->ne[2], (uint64_t)t->ne[3]));
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

int64_t ul_tensor_rows(const struct ul_tensor *t)
{
    uint64_t n = ul_mul((uint64_t)t->ne[1], ul_mul((uint64_t)t->ne[2], (uint64_t)t->ne[3]));
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* From the first byte of the first value to the last byte of the last one, as strides have it;
 * an empty tensor takes none. */
uint64_t ul_tensor_bytes(const struct ul_tensor *t)
{
    const struct ul_type_info *info = ul_type_info(t->type);
    if (!info || !info->block)
        return UL_SIZE_OVERFLOW;
    uint64_t n;
    int first = 0;
    for (int i = 0; i < 4; i++)
        if (t->ne[i] <= 0)
            return 0;
    if (info->block == 1) {
        n = info->bytes;
    } else {
        n = ul_mul((uint64_t)t->ne[0], t->nb[0]) / info->block;
        first = 1;
    }
    for (int i = first; i < 4; i++)
        n = ul_add(n, ul_mul((uint64_t)(t->ne[i] - 1), t->nb[i]));
    return n;
}

bool ul_tensor_contiguous(const struct ul_tensor *t)
{
    const struct ul_type_info *info = ul_type_info(t->type);
    if (!info || !info->block)
        return false;
    uint64_t next = info->bytes;
    if (t->ne[0] != info->block && t->nb[0] != next)
        return false;
    next = ul_mul(next, (uint64_t)t->ne[0] / info->block);
    for (int i = 1; i < 4; i++) {
        /* dimensions of one element may have any stride: ggml.c: ggml_is_contiguous_n */
        if (t->ne[i] != 1 && t->nb[i] != next)
            return false;
        next = t->ne[i] == 1 ? next : ul_mul(next, (uint64_t)t->ne[i]);
    }
    return true;
}

bool ul_tensor_rows_contiguous(const struct ul_tensor *t)
{
    const struct ul_type_info *info = ul_type_info(t->type);
    return info && (t->nb[0] == info->bytes || t->ne[0] == (int64_t)info->block);
}

/* --- names ------------------------------------------------------------------------------------ */

static const char *const suffix_text[] = {
    [UL_SUFFIX_VIEW] = " (view)", [UL_SUFFIX_RESHAPED] = " (reshaped)",
    [UL_SUFFIX_PERMUTED] = " (permuted)", [UL_SUFFIX_TRANSPOSED] = " (transposed)",
    [UL_SUFFIX_CONT] = " (cont)", [UL_SUFFIX_COPY] = " (copy)",
};

static size_t append(char *out, size_t n, const char *text)
{
    while (*text && n < UL_NAME_MAX - 1)
        out[n++] = *text++;
    out[n] = '\0';
    return n;
}

/* "CUDA0#inp_pos#0": the back-end, what is copied, which of the copies. */
static size_t copy_name(const struct ul_tensor *t, char out[UL_NAME_MAX])
{
    char from[UL_NAME_MAX], number[16];
    ul_tensor_name(t->origin, from);
    snprintf(number, sizeof number, "#%d", (int)t->layer);
    return append(out, append(out, append(out, append(out, 0, t->name), "#"), from), number);
}

static size_t base_name(const struct ul_tensor *t, char out[UL_NAME_MAX])
{
    out[0] = '\0';
    if (!t->name)
        return 0;
    if (t->flags & UL_TENSOR_COPY)
        return copy_name(t, out);
    const char *digit = strstr(t->name, "%d");
    char number[16];
    snprintf(number, sizeof number, digit ? "%d" : "-%d", (int)t->layer);
    if (!digit) {
        size_t n = append(out, 0, t->name);
        return t->layer >= 0 ? append(out, n, number) : n;
    }
    char head[UL_NAME_MAX];
    size_t n =
        (size_t)(digit - t->name) < sizeof head ? (size_t)(digit - t->name) : sizeof head - 1;
    memcpy(head, t->name, n);
    head[n] = '\0';
    n = append(out, 0, head);
    return append(out, append(out, n, number), digit + 2);
}

void ul_tensor_name(const struct ul_tensor *t, char out[UL_NAME_MAX])
{
    size_t n = base_name(t, out);
    for (int shift = 28; shift >= 0; shift -= 4) {
        unsigned code = t->suffix >> shift & 15;
        if (code == UL_SUFFIX_COPY_OF && t->src[0]) {
            char from[UL_NAME_MAX];
            ul_tensor_name(t->src[0], from);
            n = append(out, append(out, append(out, n, " (copy of "), from), ")");
        } else if (code && code < UL_SUFFIX_COPY_OF) {
            n = append(out, n, suffix_text[code]);
        }
    }
}
