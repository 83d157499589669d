/* One line a tensor: what it is, its place, its strides where they are not the plain ones, its
 * sources and what it is a view of, by position in the lists (L for leafs), its marks. */
#include "graph/dump.h"

#include "graph/ops.h"

#include <inttypes.h>

/* Where every tensor stands: its position by index. Leafs are counted from -2 downwards. */
struct places {
    int32_t *at;
};

static struct places find_places(struct ul_arena *a, struct ul_tensor *const *nodes, int n_nodes,
                                 struct ul_tensor *const *leafs, int n_leafs, int n_index)
{
    struct places p = {UL_NEWS(a, int32_t, (size_t)n_index + 1)};
    for (int i = 0; i < n_index; i++)
        p.at[i] = -1;
    for (int i = n_leafs - 1; i >= 0; i--)
        p.at[leafs[i]->index] = -2 - i;
    for (int i = 0; i < n_nodes; i++)
        p.at[nodes[i]->index] = i;
    return p;
}

static void put_id(struct ul_text *out, const struct places *p, const struct ul_tensor *t)
{
    char name[UL_NAME_MAX];
    int32_t at = t->index >= 0 ? p->at[t->index] : -1;
    if (at >= 0) {
        ul_text_printf(out, "%d", (int)at);
    } else if (at < -1) {
        ul_text_printf(out, "L%d", (int)(-2 - at));
    } else {
        ul_tensor_name(t, name);
        ul_text_printf(out, "(%s)", name);
    }
}

static void put_strides(struct ul_text *out, const struct ul_tensor *t)
{
    const struct ul_type_info *info = ul_type_info(t->type);
    uint64_t want = info->bytes;
    bool plain = t->nb[0] == want;
    want = ul_mul(want, (uint64_t)t->ne[0] / info->block);
    for (int j = 1; j < 4; j++) {
        plain = plain && t->nb[j] == want;
        want = ul_mul(want, (uint64_t)t->ne[j]);
    }
    if (!plain)
        ul_text_printf(out, " nb=[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", t->nb[0],
                       t->nb[1], t->nb[2], t->nb[3]);
}

static void put_sources(struct ul_text *out, const struct places *p, const struct ul_tensor *t)
{
    const char *separator = " src=";
    for (int j = 0; j < UL_MAX_SRC; j++) {
        if (!t->src[j])
            continue;
        ul_text_puts(out, separator);
        put_id(out, p, t->src[j]);
        separator = ",";
    }
    if (t->view_src) {
        ul_text_puts(out, " view=");
        put_id(out, p, t->view_src);
        ul_text_printf(out, "+%" PRIu64, t->view_offs);
    }
}

/* s NULL: the graph is not split yet. */
static void put_tensor(struct ul_text *out, const struct places *p, const struct ul_sched *s,
                       const char *what, int i, const struct ul_tensor *t, int buffer)
{
    char name[UL_NAME_MAX];
    ul_tensor_name(t, name);
    ul_text_printf(out, "%s %d %s %s [%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "] %s", what, i,
                   ul_op_name(t), ul_type_info(t->type)->name, t->ne[0], t->ne[1], t->ne[2],
                   t->ne[3], name[0] ? name : "-");
    if (s)
        ul_text_printf(out, " b=%d bytes=%" PRIu64, buffer, s->alloc.size(s, buffer, t));
    put_strides(out, t);
    put_sources(out, p, t);
    const struct ul_tensor *base = t->view_src ? t->view_src : t;
    ul_text_puts(out, t->flags & UL_TENSOR_INPUT ? " input" : "");
    ul_text_puts(out, t->flags & UL_TENSOR_OUTPUT ? " output" : "");
    ul_text_puts(out, base->flags & UL_TENSOR_PLACED ? " placed" : "");
}

static void put_leaf(struct ul_text *out, const struct places *p, const struct ul_sched *s, int i,
                     const struct ul_tensor *t, int buffer)
{
    put_tensor(out, p, s, "leaf", i, t, buffer);
    int32_t at = p->at[t->index];
    if (at >= 0)
        ul_text_printf(out, " is=%d", (int)at);
    else if (-2 - at != i)
        ul_text_printf(out, " is=L%d", (int)(-2 - at));
    ul_text_puts(out, "\n");
}

void ul_graph_dump(struct ul_text *out, int number, const struct ul_graph *g)
{
    struct places p =
        find_places(out->arena, g->nodes, g->n_nodes, g->leafs, g->n_leafs, g->n_index);
    ul_text_printf(out, "graph %d nodes=%d leafs=%d\n", number, g->n_nodes, g->n_leafs);
    for (int i = 0; i < g->n_leafs; i++)
        put_leaf(out, &p, NULL, i, g->leafs[i], 0);
    for (int i = 0; i < g->n_nodes; i++) {
        put_tensor(out, &p, NULL, "node", i, g->nodes[i], 0);
        ul_text_puts(out, "\n");
    }
}

void ul_sched_dump(struct ul_text *out, int number, const struct ul_sched *s)
{
    const struct ul_alloc_graph *g = &s->split;
    struct places p =
        find_places(out->arena, g->nodes, g->n_nodes, g->leafs, g->n_leafs, g->n_index);
    ul_text_printf(out, "graph %d nodes=%d leafs=%d\n", number, g->n_nodes, g->n_leafs);
    for (int b = 0; b < s->n_backends; b++)
        ul_text_printf(out, "buffer %d %s align=%" PRIu64 " max=%" PRIu64 "\n", b,
                       s->bufts[s->backend[b].buft].name, s->buffer[b].alignment,
                       s->buffer[b].max_chunk);
    for (int i = 0; i < g->n_leafs; i++)
        put_leaf(out, &p, s, i, g->leafs[i], g->leaf_buffer[i]);
    for (int i = 0; i < g->n_nodes; i++) {
        put_tensor(out, &p, s, "node", i, g->nodes[i], g->node_buffer[i]);
        ul_text_puts(out, "\n");
    }
    for (int b = 0; b < s->n_backends; b++)
        ul_text_printf(out, "size %d %" PRIu64 "\n", b, ul_sched_bytes(s, b));
}
