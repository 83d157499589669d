/* CUDA's fused groups of 0.7.0, as far as memory goes. Three of them matter:
 *
 *   - the choice of experts: activation, bias, argsort, view, rows, and what normalises the weights,
 *     run as one kernel (ggml/src/ggml-cuda/ggml-cuda.cu: ggml_cuda_topk_moe_fusion; topk-moe.cu:
 *     ggml_cuda_should_use_topk_moe). All its tensors stay alive until one node later.
 *   - the weighted sum over experts: the product with the weights, a view an expert, and the
 *     additions. What it reads stays alive until the last addition.
 *   - the shared expert beside the routed ones: when its gate and up matrices have the shape and
 *     type of one expert's, they are computed together, so its three operations move up behind the
 *     routed experts' activation, and the experts' input and choice stay alive until there.
 *
 * That the engine keeps tensors alive, and for how long, is not in the source at hand: it was read
 * off recorded graphs. */
#include "graph/fuse.h"

#include "graph/ops.h"

#include <string.h>

struct walk {
    struct ul_graph *g;
    int end;              /* of the split */
    struct ul_keeps *out;
};

static struct ul_tensor *at(const struct walk *w, int i)
{
    return i < w->end ? w->g->nodes[i] : NULL;
}

/* Node i is this operation and reads that tensor first. */
static bool is(const struct walk *w, int i, enum ul_op op, const struct ul_tensor *source)
{
    const struct ul_tensor *t = at(w, i);
    return t && t->op == op && t->src[0] == source;
}

/* --- what is kept ----------------------------------------------------------------------------- */

/* The tensors of nodes first..last and their sources, each once, ten a node. */
static void keep_all(const struct walk *w, int first, int last, int after)
{
    struct ul_tensor *seen[64];
    int n = 0;
    for (int i = first; i <= last; i++) {
        struct ul_tensor *t = at(w, i);
        for (int j = -1; j < t->n_src && n < 64; j++) {
            struct ul_tensor *x = j < 0 ? t : t->src[j];
            bool known = !x;
            for (int k = 0; k < n && !known; k++)
                known = seen[k] == x;
            if (!known)
                seen[n++] = x;
        }
    }
    struct ul_keep *e = NULL;
    for (int i = 0; i < n; i++) {
        if (!e || e->n == UL_MAX_SRC)
            e = ul_keep_add(w->out, after);
        e->t[e->n++] = seen[i];
    }
}

/* --- the choice of experts -------------------------------------------------------------------- */

/* The activation's last node: softmax, sigmoid, or the root of a softplus. -1: another. */
static int activation(const struct walk *w, int i)
{
    const struct ul_tensor *t = at(w, i);
    if (t->op == UL_OP_SOFT_MAX)
        return t->src[1] || t->src[2] || t->p[0] ? -1 : i;
    if (t->op != UL_OP_UNARY)
        return -1;
    if (t->sub == UL_UNARY_SOFTPLUS && is(w, i + 1, UL_OP_SQRT, t))
        return i + 1;
    return t->sub == UL_UNARY_SIGMOID ? i : -1;
}

/* Kernels exist for powers of two and for some models' counts. */
static bool expert_count(int64_t n)
{
    return (n > 0 && n <= 512 && (n & (n - 1)) == 0) || n == 288 || n == 576;
}

/* The weights' norm and scale, from node i on; returns the node behind them. */
static int norm_and_scale(const struct walk *w, int i)
{
    const struct ul_tensor *rows = at(w, i - 1);
    if (is(w, i, UL_OP_RESHAPE, rows) && is(w, i + 1, UL_OP_SUM_ROWS, at(w, i)) &&
        is(w, i + 2, UL_OP_CLAMP, at(w, i + 1)) && is(w, i + 3, UL_OP_DIV, at(w, i)) &&
        at(w, i + 3)->src[1] == at(w, i + 2) && is(w, i + 4, UL_OP_RESHAPE, at(w, i + 3)))
        i += 5;
    return is(w, i, UL_OP_SCALE, at(w, i - 1)) ? i + 1 : i;
}

/* Returns the node behind the group, or i when none begins there. */
static int choice(const struct walk *w, int i)
{
    int probs = activation(w, i), k = probs + 1;
    if (probs < 0 || !is(w, k, UL_OP_RESHAPE, at(w, probs)))
        return i;
    const struct ul_tensor *reshaped = at(w, k++), *sorted = at(w, probs);
    if (is(w, k, UL_OP_ADD, sorted))
        sorted = at(w, k++);
    if (!is(w, k, UL_OP_ARGSORT, sorted) || !is(w, k + 1, UL_OP_VIEW, at(w, k)) ||
        !is(w, k + 2, UL_OP_GET_ROWS, reshaped) || at(w, k + 2)->src[1] != at(w, k + 1))
        return i;
    if (!expert_count(at(w, k)->ne[0]))
        return i;
    int end = norm_and_scale(w, k + 3);
    keep_all(w, i, end - 1, end);
    return end;
}

/* --- the weighted sum ------------------------------------------------------------------------- */

static int weighted_sum(const struct walk *w, int i)
{
    const struct ul_tensor *first = at(w, i), *product = first;
    int k = i + 1;
    if (first->op != UL_OP_MUL)
        return i;
    if (is(w, k, UL_OP_MUL, product))
        product = at(w, k++);
    int experts = (int)(product->ne[1] < 1024 ? product->ne[1] : 1024);
    if (experts < 2)
        return i;
    for (int e = 0; e < experts; e++) {
        const struct ul_tensor *v = at(w, k + e);
        if (!is(w, k + e, UL_OP_VIEW, product) || v->ne[1] != product->ne[2] ||
            v->nb[1] != product->nb[2])
            return i;
    }
    const struct ul_tensor *sum = at(w, k);
    for (int e = 1; e < experts; e++) {
        const struct ul_tensor *add = at(w, k + experts + e - 1);
        if (!add || add->op != UL_OP_ADD || add->src[0] != sum || add->src[1] != at(w, k + e))
            return i;
        sum = add;
    }
    int last = k + 2 * experts - 2;
    struct ul_keep *e = ul_keep_add(w->out, last);
    e->t[e->n++] = first->src[0];
    e->t[e->n++] = first->src[1];
    if (product != first)
        e->t[e->n++] = product->src[1];
    return last + 1;
}

/* --- the shared expert ------------------------------------------------------------------------ */

static bool gated_pair(const struct walk *w, int i, enum ul_op op)
{
    const struct ul_tensor *gate = at(w, i), *up = at(w, i + 1);
    return up && at(w, i + 2) && gate->op == op && up->op == op && gate->src[1] == up->src[1] &&
           is(w, i + 2, UL_OP_GLU, gate) && at(w, i + 2)->src[1] == up;
}

static bool like_an_expert(const struct ul_tensor *shared, const struct ul_tensor *experts)
{
    const struct ul_type_info *info = ul_type_info(experts->type);
    return info && info->quantized && shared->type == experts->type &&
           shared->ne[0] == experts->ne[0] && shared->ne[1] == experts->ne[1];
}

/* Whether nodes j.. are the shared expert of the routed experts at i. */
static bool shared_expert(const struct walk *w, int i, int j)
{
    const struct ul_tensor *in = at(w, i)->src[1], *gate = at(w, j);
    return gated_pair(w, j, UL_OP_MUL_MAT) && in->src[0] == gate->src[1] &&
           in->op == UL_OP_RESHAPE && at(w, j + 2)->sub == at(w, i + 2)->sub &&
           like_an_expert(gate->src[0], at(w, i)->src[0]) &&
           like_an_expert(at(w, j + 1)->src[0], at(w, i + 1)->src[0]);
}

static int routed(const struct walk *w, int i)
{
    const int far = 64; /* experts' sum between the two */
    if (at(w, i)->op != UL_OP_MUL_MAT_ID || !gated_pair(w, i, UL_OP_MUL_MAT_ID))
        return i;
    int j = i + 3;
    while (j < i + far && at(w, j) && !(at(w, j)->op == UL_OP_MUL_MAT && shared_expert(w, i, j)))
        j++;
    if (j == i + far || !at(w, j))
        return i;
    struct ul_tensor **nodes = w->g->nodes, *moved[3];
    memcpy(moved, nodes + j, sizeof moved);
    memmove(nodes + i + 6, nodes + i + 3, (size_t)(j - i - 3) * sizeof *nodes);
    memcpy(nodes + i + 3, moved, sizeof moved);
    struct ul_keep *e = ul_keep_add(w->out, i + 5);
    e->t[e->n++] = at(w, i)->src[1];
    e->t[e->n++] = at(w, i)->src[2];
    return i + 6;
}

void ul_fuse_cuda(struct ul_graph *g, int start, int end, struct ul_keeps *out)
{
    const struct walk w = {g, end, out};
    for (int i = start; i < end;) {
        int next = i;
        switch (g->nodes[i]->op) {
        case UL_OP_SOFT_MAX: case UL_OP_UNARY:
            next = choice(&w, i);
            break;
        case UL_OP_MUL:
            next = weighted_sum(&w, i);
            break;
        case UL_OP_MUL_MAT_ID:
            next = routed(&w, i);
            break;
        default:
            break;
        }
        i = next > i ? next : i + 1;
    }
}
