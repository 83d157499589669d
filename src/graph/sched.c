/* The scheduler's split, after ggml/src/ggml-backend.cpp: ggml_backend_sched_split_graph. Five
 * passes give every operation a back-end and cut the graph; then the split graph is written out
 * with what the allocator must know: before each split, for every tensor that it copies in, a node
 * that keeps the original alive until then and the copy itself.
 *
 * A tensor's back-end is kept in the tensor, where a pinned one
 * (ggml_backend_sched_set_tensor_backend) stands already; ggml keeps it in a hash table. Copies are
 * found through an array by index. */
#include "graph/sched.h"

#include "graph/fuse.h"
#include "graph/ops.h"
#include "graph/ops_impl.h"

#include <string.h>

struct part {
    int backend;
    int start, end;      /* nodes of the unsplit graph */
    int n_inputs;
    struct ul_tensor **inputs;
    int cap;
};

/* The copies of one tensor on one back-end. */
struct copies {
    struct ul_tensor *t[UL_MAX_COPIES];
};

struct ul_sched_state {
    struct part *parts;
    int cap_parts;
    struct copies *copies;   /* entry 0 is unused */
    int n_copies, cap_copies;
    int32_t *copy_of;        /* [index * n_backends + backend]: entry in copies, 0: none */
    int cap_copy_of;
    struct ul_tensor **graph_inputs;
    int n_graph_inputs, cap_graph_inputs;
    struct ul_tensor **nodes, **leafs;
    int8_t *node_buffer, *leaf_buffer;
    int cap_nodes, cap_leafs;
    struct ul_keeps keeps;   /* of fused groups */
    const char *failure;     /* the operation that no buffer's back-end can run */
};

static int last(const struct ul_sched *s) { return s->n_backends - 1; }

/* Room for n things in an arena array; what is in it is kept. */
static void *room(struct ul_arena *a, void *old, int n, int *cap, size_t size)
{
    if (n <= *cap)
        return old;
    int wide = *cap ? *cap : 64;
    while (wide < n)
        wide *= 2;
    void *p = ul_arena_alloc(a, (size_t)wide, size);
    if (*cap)
        memcpy(p, old, (size_t)*cap * size);
    *cap = wide;
    return p;
}

/* --- where tensors are ------------------------------------------------------------------------ */

static const struct ul_tensor *base(const struct ul_tensor *t)
{
    return t->view_src ? t->view_src : t;
}

static bool supports(const struct ul_sched *s, int b, const struct ul_tensor *op)
{
    return ul_supports_op(&s->backend[b].hw, op, s->bufts);
}

/* ggml_backend_sched_backend_from_buffer: the first back-end that can use the tensor's own memory
 * for the operation; -1 when it has none, or none can. */
static int from_buffer(const struct ul_sched *s, const struct ul_tensor *t,
                       const struct ul_tensor *op)
{
    const struct ul_tensor *b = base(t);
    if (!(b->flags & UL_TENSOR_PLACED))
        return -1;
    for (int i = 0; i < s->n_backends; i++)
        if (ul_supports_buft(&s->backend[i].hw, &s->bufts[b->place]) && supports(s, i, op))
            return i;
    return -1;
}

/* ggml_backend_sched_buffer_supported: whether a back-end can read the tensor where it is, or where
 * it is going to be. */
static bool readable(const struct ul_sched *s, const struct ul_tensor *t, int b)
{
    const struct ul_tensor *from = base(t);
    int buft = -1;
    if (from->flags & UL_TENSOR_PLACED)
        buft = from->place;
    else if (t->backend >= 0 || from->backend >= 0)
        buft = s->backend[t->backend >= 0 ? t->backend : from->backend].buft;
    return buft >= 0 && ul_supports_buft(&s->backend[b].hw, &s->bufts[buft]);
}

/* --- pass 1: what weights and inputs decide --------------------------------------------------- */

/* A weight in host memory whose operation a device would rather do: large batches. */
static int offloaded(const struct ul_sched *s, const struct ul_tensor *t,
                     const struct ul_tensor *weight, int b)
{
    if (!s->op_offload || b != last(s) || !s->bufts[weight->place].host)
        return b;
    for (int i = 0; i < b; i++)
        if (supports(s, i, t) && ul_offload_op(&s->backend[i].hw, t))
            return i;
    return b;
}

/* ggml_backend_sched_backend_id_from_cur */
static int decided(const struct ul_sched *s, const struct ul_tensor *t)
{
    int b = from_buffer(s, t, t);
    if (b >= 0)
        return b;
    if (base(t)->flags & UL_TENSOR_PLACED) {
        s->state->failure = ul_op_name(t);
        return last(s);
    }
    if (t->flags & UL_TENSOR_INPUT)
        return last(s);
    /* rope factors and attention sinks are too small to decide */
    if (t->op == UL_OP_ROPE || t->op == UL_OP_FLASH_ATTN_EXT)
        return -1;
    for (int i = 0; i < t->n_src; i++) {
        const struct ul_tensor *w = t->src[i];
        if (w && (w->flags & UL_TENSOR_WEIGHT))
            return offloaded(s, t, w, from_buffer(s, w, t));
    }
    return -1;
}

static void pass_weights(const struct ul_sched *s, struct ul_graph *g)
{
    for (int i = 0; i < g->n_leafs; i++)
        if (g->leafs[i]->backend < 0)
            g->leafs[i]->backend = (int8_t)decided(s, g->leafs[i]);
    for (int i = 0; i < g->n_nodes; i++)
        if (g->nodes[i]->backend < 0)
            g->nodes[i]->backend = (int8_t)decided(s, g->nodes[i]);
}

/* --- passes 2 to 4: what neighbours decide ---------------------------------------------------- */

/* Back-ends spread to undecided neighbours that they can run; from the devices only, or from
 * all. */
static void spread(const struct ul_sched *s, struct ul_graph *g, bool down, bool devices_only)
{
    int current = -1;
    for (int k = 0; k < g->n_nodes; k++) {
        struct ul_tensor *t = g->nodes[down ? k : g->n_nodes - 1 - k];
        if (ul_op_is_view(t->op))
            continue;
        if (t->backend >= 0)
            current = devices_only && t->backend == last(s) ? -1 : t->backend;
        else if (current >= 0 && supports(s, current, t))
            t->backend = (int8_t)current;
    }
}

/* An operation that no neighbour could take goes where most of its sources can be read. */
static void place_best(const struct ul_sched *s, struct ul_tensor *t)
{
    int best = -1;
    for (int b = 0; b < s->n_backends; b++) {
        int n = 0;
        if (!supports(s, b, t))
            continue;
        for (int j = 0; j < t->n_src; j++) {
            const struct ul_tensor *src = t->src[j];
            bool known =
                src && (src->backend >= 0 || (src->view_src && src->view_src->backend >= 0));
            n += known && readable(s, src, b);
        }
        if (n > best) {
            best = n;
            t->backend = (int8_t)b;
        }
    }
}

/* One that a back-end of the same memory and higher priority can run moves there. */
static void upgrade(const struct ul_sched *s, struct ul_tensor *t)
{
    for (int b = 0; b < t->backend; b++) {
        bool ok = s->backend[b].buft == s->backend[t->backend].buft && supports(s, b, t);
        for (int j = 0; ok && j < t->n_src; j++)
            ok = !t->src[j] || readable(s, t->src[j], b);
        if (ok) {
            t->backend = (int8_t)b;
            return;
        }
    }
}

static void pass_upgrade(const struct ul_sched *s, struct ul_graph *g)
{
    for (int i = 0; i < g->n_nodes; i++) {
        struct ul_tensor *t = g->nodes[i];
        if (ul_op_is_view(t->op))
            continue;
        if (t->backend < 0)
            place_best(s, t);
        else
            upgrade(s, t);
    }
}

/* Views follow what they look at, other sources follow their user. */
static void pass_sources(const struct ul_sched *s, struct ul_graph *g)
{
    for (int i = 0; i < g->n_nodes; i++) {
        struct ul_tensor *t = g->nodes[i];
        if (t->view_src && t->backend < 0)
            t->backend = t->view_src->backend;
        for (int j = 0; j < t->n_src; j++) {
            struct ul_tensor *src = t->src[j];
            if (src && src->backend < 0)
                src->backend = src->view_src ? src->view_src->backend : t->backend;
        }
        for (int b = 0; b < s->n_backends && t->backend < 0; b++)
            if (supports(s, b, t))
                t->backend = (int8_t)b;
        if (t->backend < 0)
            t->backend = (int8_t)last(s);
    }
}

/* --- pass 5: the cuts, and what crosses them -------------------------------------------------- */

static int32_t *copy_slot(const struct ul_sched *s, const struct ul_tensor *t, int b)
{
    return &s->state->copy_of[t->index * s->n_backends + b];
}

/* ggml_dup_tensor_layout, with an index of its own. */
static struct ul_tensor *layout_of(const struct ul_sched *s, struct ul_graph *g,
                                   const struct ul_tensor *t, int b, int number)
{
    struct ul_tensor *c = ul_graph_tensor(g);
    c->type = t->type;
    memcpy(c->ne, t->ne, sizeof c->ne);
    memcpy(c->nb, t->nb, sizeof c->nb);
    c->flags = UL_TENSOR_COPY | (s->n_copies > 1 ? UL_TENSOR_INPUT | UL_TENSOR_OUTPUT : 0);
    c->name = s->backend[b].name;
    c->layer = number;
    c->origin = t;
    c->backend = (int8_t)b;
    c->index = g->n_index++;
    return c;
}

static struct copies *new_copies(const struct ul_sched *s, struct ul_tensor *t, int b)
{
    struct ul_sched_state *st = s->state;
    st->copies = room(s->arena, st->copies, st->n_copies + 1, &st->cap_copies, sizeof *st->copies);
    *copy_slot(s, t, b) = st->n_copies;
    return &st->copies[st->n_copies++];
}

/* With pipeline copies every input of the graph exists several times where it is; the first is the
 * original. 0.7.0 takes them in the order of the leafs, those that nobody reads too. */
static void copy_input(const struct ul_sched *s, struct ul_graph *g, struct ul_tensor *t)
{
    struct ul_sched_state *st = s->state;
    if (*copy_slot(s, t, t->backend))
        return;
    struct copies *c = new_copies(s, t, t->backend);
    c->t[0] = t;
    for (int i = 1; i < s->n_copies; i++)
        c->t[i] = layout_of(s, g, t, t->backend, i);
    t->flags |= UL_TENSOR_INPUT | UL_TENSOR_OUTPUT;
    st->graph_inputs = room(s->arena, st->graph_inputs, st->n_graph_inputs + 1,
                            &st->cap_graph_inputs, sizeof(struct ul_tensor *));
    st->graph_inputs[st->n_graph_inputs++] = t;
}

/* The copy of a tensor that the split reads, made and listed when it is the first to do so. */
static struct ul_tensor *copy_into(const struct ul_sched *s, struct ul_graph *g, struct part *p,
                                   struct ul_tensor *t)
{
    int32_t at = *copy_slot(s, t, p->backend);
    if (at)
        return s->state->copies[at].t[0];
    struct copies *c = new_copies(s, t, p->backend);
    for (int i = 0; i < s->n_copies; i++)
        c->t[i] = layout_of(s, g, t, p->backend, i);
    p->inputs = room(s->arena, p->inputs, p->n_inputs + 1, &p->cap, sizeof(struct ul_tensor *));
    p->inputs[p->n_inputs++] = t;
    return c->t[0];
}

/* A split ends before an operation whose weight must be copied in, so that the memory of the
 * weights copied before can be used again. The limit of 30 inputs that the source at hand still has
 * is gone in 0.7.0. */
static bool cut_before(const struct ul_sched *s, const struct part *p, const struct ul_tensor *t)
{
    for (int j = 0; p->n_inputs && j < t->n_src; j++) {
        const struct ul_tensor *src = t->src[j];
        if (src && (src->flags & UL_TENSOR_WEIGHT) && src->backend != p->backend &&
            !readable(s, src, p->backend))
            return true;
    }
    return false;
}

static struct part *open_part(struct ul_sched *s, int backend, int start)
{
    struct ul_sched_state *st = s->state;
    st->parts = room(s->arena, st->parts, s->n_splits + 1, &st->cap_parts, sizeof *st->parts);
    struct part *p = &st->parts[s->n_splits++];
    p->backend = backend;
    p->start = start;
    p->n_inputs = 0;
    return p;
}

static void read_sources(const struct ul_sched *s, struct ul_graph *g, struct part *p,
                         struct ul_tensor *t)
{
    for (int j = 0; j < t->n_src; j++) {
        struct ul_tensor *src = t->src[j];
        if (!src)
            continue;
        if (src->backend != p->backend && !readable(s, src, p->backend))
            t->src[j] = copy_into(s, g, p, src);
    }
}

static void pass_cut(struct ul_sched *s, struct ul_graph *g)
{
    int i = 0;
    for (int k = 0; k < g->n_leafs && s->n_copies > 1; k++)
        if (g->leafs[k]->flags & UL_TENSOR_INPUT)
            copy_input(s, g, g->leafs[k]);
    while (i < g->n_nodes && ul_op_is_view(g->nodes[i]->op))
        i++;
    s->n_splits = 0;
    struct part *p = open_part(s, i < g->n_nodes ? g->nodes[i]->backend : last(s), 0);
    for (; i < g->n_nodes; i++) {
        struct ul_tensor *t = g->nodes[i];
        if (ul_op_is_view(t->op))
            continue;
        if (t->backend != p->backend || cut_before(s, p, t)) {
            p->end = i;
            p = open_part(s, t->backend, i);
        }
        read_sources(s, g, p, t);
    }
    p->end = g->n_nodes;
}

/* --- the split graph -------------------------------------------------------------------------- */

static void add_node(struct ul_sched *s, struct ul_tensor *t, int backend)
{
    s->state->node_buffer[s->split.n_nodes] = (int8_t)backend;
    s->state->nodes[s->split.n_nodes++] = t;
}

static void add_leaf(struct ul_sched *s, struct ul_tensor *t, int backend)
{
    s->state->leaf_buffer[s->split.n_leafs] = (int8_t)backend;
    s->state->leafs[s->split.n_leafs++] = t;
}

static void make_room(struct ul_sched *s, const struct ul_graph *g, int inputs)
{
    struct ul_sched_state *st = s->state;
    int cap = st->cap_nodes, n = g->n_nodes + 2 * inputs + st->keeps.n;
    st->nodes = room(s->arena, st->nodes, n, &cap, sizeof *st->nodes);
    st->node_buffer = room(s->arena, st->node_buffer, n, &st->cap_nodes, 1);
    inputs += st->n_graph_inputs;
    cap = st->cap_leafs;
    st->leafs =
        room(s->arena, st->leafs, g->n_leafs + inputs * s->n_copies, &cap, sizeof *st->leafs);
    st->leaf_buffer =
        room(s->arena, st->leaf_buffer, g->n_leafs + inputs * s->n_copies, &st->cap_leafs, 1);
}

/* A node that does nothing but keep tensors alive until it is reached. */
static void add_keep(struct ul_sched *s, struct ul_graph *g, struct ul_tensor *const *t, int n)
{
    struct ul_tensor *keep = ulg_view_tensor(g, t[0]);
    memcpy(keep->src, t, (size_t)n * sizeof *t);
    keep->n_src = (uint8_t)n;
    keep->index = g->n_index++;
    add_node(s, keep, t[0]->backend);
}

static void write_inputs(struct ul_sched *s, struct ul_graph *g, const struct part *p)
{
    for (int j = 0; j < p->n_inputs; j++) {
        add_keep(s, g, &p->inputs[j], 1);
        add_node(s, s->state->copies[*copy_slot(s, p->inputs[j], p->backend)].t[0], p->backend);
    }
}

static void write_nodes(struct ul_sched *s, struct ul_graph *g)
{
    const struct ul_keeps *keeps = &s->state->keeps;
    for (int i = 0, k = 0; i < s->n_splits; i++) {
        const struct part *p = &s->state->parts[i];
        write_inputs(s, g, p);
        for (int j = p->start; j < p->end; j++) {
            add_node(s, g->nodes[j], g->nodes[j]->backend);
            for (; k < keeps->n && keeps->keep[k].after <= j; k++)
                add_keep(s, g, keeps->keep[k].t, keeps->keep[k].n);
        }
    }
}

/* ggml_backend_graph_optimize, split by split. */
static void optimize(struct ul_sched *s, struct ul_graph *g)
{
    s->state->keeps.n = 0;
    s->state->keeps.arena = s->arena;
    for (int i = 0; i < s->n_splits; i++) {
        const struct part *p = &s->state->parts[i];
        const struct ul_hw *hw = &s->backend[p->backend].hw;
        if (!hw->meta && ul_backend_rules[hw->backend].optimize)
            ul_backend_rules[hw->backend].optimize(g, p->start, p->end, &s->state->keeps);
    }
}

/* Pipeline copies are leafs, before all others, so that they are allocated first. */
static void write_copies(struct ul_sched *s, const struct ul_tensor *t, int backend)
{
    const struct copies *c = &s->state->copies[*copy_slot(s, t, backend)];
    for (int i = 0; i < s->n_copies; i++)
        add_leaf(s, c->t[i], backend);
}

static void write_leafs(struct ul_sched *s, const struct ul_graph *g)
{
    const struct ul_sched_state *st = s->state;
    for (int i = 0; s->n_copies > 1 && i < st->n_graph_inputs; i++)
        write_copies(s, st->graph_inputs[i], st->graph_inputs[i]->backend);
    for (int i = 0; s->n_copies > 1 && i < s->n_splits; i++)
        for (int j = 0; j < st->parts[i].n_inputs; j++)
            write_copies(s, st->parts[i].inputs[j], st->parts[i].backend);
    for (int i = 0; i < g->n_leafs; i++)
        add_leaf(s, g->leafs[i], g->leafs[i]->backend < 0 ? last(s) : g->leafs[i]->backend);
}

static void write_split(struct ul_sched *s, struct ul_graph *g)
{
    struct ul_sched_state *st = s->state;
    int inputs = 0;
    for (int i = 0; i < s->n_splits; i++)
        inputs += st->parts[i].n_inputs;
    make_room(s, g, inputs);
    s->split.n_nodes = s->split.n_leafs = 0;
    write_nodes(s, g);
    write_leafs(s, g);
    s->split.nodes = st->nodes;
    s->split.leafs = st->leafs;
    s->split.node_buffer = st->node_buffer;
    s->split.leaf_buffer = st->leaf_buffer;
    s->split.n_index = g->n_index;
}

/* --- entry points ----------------------------------------------------------------------------- */

static uint64_t size_in(const void *context, int buffer, const struct ul_tensor *t)
{
    const struct ul_sched *s = context;
    if (s->bufts[s->backend[buffer].buft].host)
        return ul_tensor_bytes(t);
    return ul_alloc_size(&s->backend[buffer].hw, t);
}

/* The CPU's compute buffer is pinned memory of the first device's back-end where there is one. */
static struct ul_alloc_buffer buffer_of(const struct ul_sched *s, int b)
{
    const struct ul_buffer_type *t = &s->bufts[s->backend[b].buft];
    const struct ul_backend_rules *r = &ul_backend_rules[t->backend];
    bool pinned = t->host && t->backend != UL_CPU;
    struct ul_alloc_buffer out = {.alignment = pinned ? r->host_alignment : r->alignment,
                                  .max_chunk = r->max_buffer,
                                  .extra = pinned ? r->host_extra : 0,
                                  .same = b};
    for (int i = b - 1; i >= 0; i--)
        if (s->backend[i].buft == s->backend[b].buft)
            out.same = i;
    return out;
}

void ul_sched_init(struct ul_sched *s, struct ul_arena *arena)
{
    s->arena = arena;
    s->state = UL_NEW(arena, struct ul_sched_state);
    for (int b = 0; b < s->n_backends; b++) {
        s->backend[b].hw.index = b;
        s->buffer[b] = buffer_of(s, b);
    }
    ul_alloc_init(&s->alloc, arena, s->buffer, s->n_backends, size_in, s);
}

void ul_sched_split(struct ul_sched *s, struct ul_graph *g)
{
    struct ul_sched_state *st = s->state;
    st->failure = NULL;
    st->n_copies = 1;
    st->n_graph_inputs = 0;
    st->copy_of = room(s->arena, st->copy_of, g->n_index * s->n_backends, &st->cap_copy_of,
                       sizeof *st->copy_of);
    memset(st->copy_of, 0, (size_t)(g->n_index * s->n_backends) * sizeof *st->copy_of);
    s->n_nodes = g->n_nodes;
    pass_weights(s, g);
    spread(s, g, true, true);
    spread(s, g, false, true);
    spread(s, g, true, false);
    spread(s, g, false, false);
    pass_upgrade(s, g);
    pass_sources(s, g);
    pass_cut(s, g);
    optimize(s, g);
    write_split(s, g);
}

int ul_sched_reserve(struct ul_sched *s, struct ul_graph *g, ullage_error *err)
{
    ul_sched_split(s, g);
    if (s->state->failure)
        return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                       "%s cannot run in the buffer that its result is in", s->state->failure);
    return ul_alloc_reserve(&s->alloc, &s->split, err);
}

uint64_t ul_sched_bytes(const struct ul_sched *s, int backend)
{
    return ul_alloc_bytes(&s->alloc, backend);
}
