/* The order in which Metal runs a split. Source: ggml/src/ggml-metal/ggml-metal-common.cpp
 * (ggml_graph_optimize, ggml_metal_graph_optimize_reorder).
 *
 * The back-end runs operations side by side until one reads or writes what another of them writes:
 * then it must wait for all (a barrier). Before it waits it looks at the next 64 for some that
 * could still join those that run. An addition or a norm and what runs as one kernel with it are
 * one unit.
 *
 * A unit touches memory through its tensors' bases: two tensors meet when they have the same one.
 * (The engine compares address ranges of what is placed already; the end of one counts as the start
 * of the next there, so neighbours in a cache can meet, too. That is not followed.) */
#include "graph/fuse.h"
#include "graph/ops.h"
#include "graph/ops_impl.h"

#include <string.h>

#define FORWARD 64   /* N_FORWARD */
#define FUSE_MOST 16 /* MAX_FUSE */

/* A node, and how many after it run as one with it. */
struct unit {
    int at, n;
    bool used;
};

/* Who touched a tensor last: a set of tensors is a number, and emptying it takes the next one. */
struct marks {
    uint32_t read[2], written[2];
};

struct metal {
    struct ul_tensor **in, **out;
    struct unit *unit;
    struct marks *mark;      /* by ul_tensor.index */
    uint32_t now[2];         /* the sets: what runs side by side; what was looked at and waits */
    int n_nodes, n_units, n_out;
};

enum { RUNNING, WAITING };

static bool idle(const struct ul_tensor *t)
{
    return t->op == UL_OP_NONE || ul_op_is_view(t->op);
}

static struct marks *marks_of(const struct metal *m, const struct ul_tensor *t)
{
    return &m->mark[(t->view_src ? t->view_src : t)->index];
}

static const struct ul_tensor *result(const struct metal *m, const struct unit *u)
{
    return m->in[u->at + u->n - 1];
}

static void add(struct metal *m, int set, const struct unit *u)
{
    for (int k = 0; k < u->n; k++) {
        const struct ul_tensor *t = m->in[u->at + k];
        for (int i = 0; i < t->n_src; i++)
            if (t->src[i])
                marks_of(m, t->src[i])->read[set] = m->now[set];
    }
    marks_of(m, result(m, u))->written[set] = m->now[set];
}

static bool free_of(const struct metal *m, int set, const struct unit *u)
{
    for (int k = 0; k < u->n; k++) {
        const struct ul_tensor *t = m->in[u->at + k];
        for (int i = 0; i < t->n_src; i++)
            if (t->src[i] && marks_of(m, t->src[i])->written[set] == m->now[set])
                return false;
    }
    const struct marks *w = marks_of(m, result(m, u));
    return w->read[set] != m->now[set] && w->written[set] != m->now[set];
}

static bool may_move(const struct ul_tensor *t)
{
    switch (t->op) {
    case UL_OP_MUL_MAT:
    case UL_OP_MUL_MAT_ID:
    case UL_OP_ROPE:
    case UL_OP_NORM:
    case UL_OP_RMS_NORM:
    case UL_OP_GROUP_NORM: case UL_OP_L2_NORM: case UL_OP_SUM_ROWS: case UL_OP_SSM_CONV:
    case UL_OP_SSM_SCAN: case UL_OP_CLAMP: case UL_OP_TRI: case UL_OP_DIAG: case UL_OP_MUL:
    case UL_OP_ADD: case UL_OP_SUB: case UL_OP_DIV: case UL_OP_GLU: case UL_OP_SCALE:
    case UL_OP_UNARY: case UL_OP_GET_ROWS: case UL_OP_SET_ROWS: case UL_OP_SET: case UL_OP_CPY:
    case UL_OP_CONT: case UL_OP_REPEAT:
        return true;
    default:
        return idle(t);
    }
}

static void put(struct metal *m, int i)
{
    for (int k = 0; k < m->unit[i].n; k++)
        m->out[m->n_out++] = m->in[m->unit[i].at + k];
    m->unit[i].used = true;
    add(m, RUNNING, &m->unit[i]);
}

/* Unit i0 must wait: those after it that need not, go first. */
static void look_forward(struct metal *m, int i0)
{
    m->now[WAITING]++;
    add(m, WAITING, &m->unit[i0]);
    for (int i = i0 + 1; i < i0 + FORWARD && i < m->n_units; i++) {
        const struct unit *u = &m->unit[i];
        const struct ul_tensor *t = m->in[u->at];
        if (u->used)
            continue;
        if (!may_move(t))
            break;
        if ((idle(t) || free_of(m, RUNNING, u)) && free_of(m, WAITING, u))
            put(m, i);
        else
            add(m, WAITING, u);
    }
    m->now[RUNNING]++;
}

static void reorder(struct metal *m)
{
    m->now[RUNNING] = m->now[WAITING] = 1;
    for (int i = 0; i < m->n_units; i++) {
        if (m->unit[i].used)
            continue;
        if (!idle(m->in[m->unit[i].at]) && !free_of(m, RUNNING, &m->unit[i]))
            look_forward(m, i);
        put(m, i);
    }
}

/* --- units ------------------------------------------------------------------------------------ */

static bool fuses(uint8_t op)
{
    return op == UL_OP_ADD || op == UL_OP_MUL || op == UL_OP_NORM || op == UL_OP_RMS_NORM;
}

/* ggml_can_fuse: each but the last is read by the next alone. `uses` is by ul_tensor.index. */
static bool follows(const struct ul_tensor *prev, const struct ul_tensor *t, const uint16_t *uses)
{
    return uses[prev->index] == 1 && !prev->view_src && !(prev->flags & UL_TENSOR_OUTPUT) &&
           (t->src[0] == prev || t->src[1] == prev) && ulg_same_shape(t, prev);
}

static int unit_size(const struct metal *m, int i, const uint16_t *uses)
{
    int n = 1;
    if (!fuses(m->in[i]->op) || m->in[i]->op == UL_OP_MUL)
        return 1;
    while (n < FUSE_MOST && i + n < m->n_nodes && fuses(m->in[i + n]->op) &&
           follows(m->in[i + n - 1], m->in[i + n], uses))
        n++;
    return n;
}

/* How often each tensor is read in the whole graph; a copy into a split stands for its original. */
static void count_uses(const struct ul_graph *g, uint16_t *uses)
{
    for (int i = 0; i < g->n_nodes; i++)
        for (int k = 0; k < g->nodes[i]->n_src; k++) {
            const struct ul_tensor *s = g->nodes[i]->src[k];
            if (s && s->flags & UL_TENSOR_COPY)
                s = s->origin;
            if (s && uses[s->index] < UINT16_MAX)
                uses[s->index]++;
        }
}

void ul_reorder_metal(struct ul_graph *g, int start, int end, struct ul_keeps *keeps)
{
    size_t n = (size_t)(end - start), tensors = (size_t)g->n_index;
    if (end - start < 2)
        return;
    struct metal m = {.n_nodes = end - start, .out = g->nodes + start};
    m.in = ul_scratch(keeps, n * (sizeof *m.in + sizeof *m.unit) +
                                 tensors * (sizeof *m.mark + sizeof(uint16_t)));
    m.unit = (struct unit *)(m.in + n);
    m.mark = (struct marks *)(m.unit + n);
    uint16_t *uses = (uint16_t *)(m.mark + tensors);
    memcpy(m.in, m.out, n * sizeof *m.in);
    count_uses(g, uses);
    for (int i = 0; i < m.n_nodes; i += m.unit[m.n_units++].n)
        m.unit[m.n_units] = (struct unit){.at = i, .n = unit_size(&m, i, uses)};
    reorder(&m);
}
