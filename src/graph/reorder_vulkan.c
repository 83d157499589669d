/* The order in which Vulkan runs a split. Source: ggml/src/ggml-vulkan/ggml-vulkan.cpp
 * (ggml_vk_graph_optimize).
 *
 * The back-end wants neighbours that do not wait for one another. It takes the first node that is
 * left, then, of the next nineteen, all that depend on nothing that is still waiting: first those
 * that compute something, then the views. Groups that it runs as one kernel (the choice of experts,
 * a norm and its weight, a product and its bias, rope and the store into the cache) stay together,
 * so a few followers are pulled forward behind what they follow. */
#include "graph/fuse.h"
#include "graph/ops.h"

#include <string.h>

#define WINDOW 20   /* NUM_TO_CHECK */
#define FAR 15      /* how far behind its leader a follower may be */
#define NEAR 10     /* the same for the view and the store after a rope */
#define SET_MOST (5 * WINDOW) /* each of the next nineteen pulls at most four */

enum { LEFT, PULLED, PLACED }; /* PULLED: in the set, and not to be looked at again */

struct order {
    struct ul_tensor **in;   /* the split as it came */
    uint8_t *used;           /* by position in `in`: one of the above */
    struct ul_tensor **out;
    int n, n_out;
    int start;               /* of the split in the graph */
    int first;               /* the first that is left */
    int set[SET_MOST], n_set; /* what is taken together with it */
    struct ul_keeps *keeps;
};

/* Groups run as one kernel; each stays whole where it begins. What the first CHOICES, which choose
 * the experts, read stays alive until the group is through: 0.7.0 does so, the source that was read
 * does not yet. */
#define CHOICES 5
static const struct {
    uint8_t n, op[12];
} groups[] = {
    {10, {UL_OP_SOFT_MAX, UL_OP_RESHAPE, UL_OP_ARGSORT, UL_OP_VIEW, UL_OP_GET_ROWS, UL_OP_RESHAPE,
          UL_OP_SUM_ROWS, UL_OP_CLAMP, UL_OP_DIV, UL_OP_RESHAPE}},
    {11, {UL_OP_UNARY, UL_OP_RESHAPE, UL_OP_ADD, UL_OP_ARGSORT, UL_OP_VIEW, UL_OP_GET_ROWS,
          UL_OP_RESHAPE, UL_OP_SUM_ROWS, UL_OP_CLAMP, UL_OP_DIV, UL_OP_RESHAPE}},
    {12, {UL_OP_UNARY, UL_OP_SQRT, UL_OP_RESHAPE, UL_OP_ADD, UL_OP_ARGSORT, UL_OP_VIEW,
          UL_OP_GET_ROWS, UL_OP_RESHAPE, UL_OP_SUM_ROWS, UL_OP_CLAMP, UL_OP_DIV, UL_OP_RESHAPE}},
    {5, {UL_OP_SOFT_MAX, UL_OP_RESHAPE, UL_OP_ARGSORT, UL_OP_VIEW, UL_OP_GET_ROWS}},
    {6, {UL_OP_ARGSORT, UL_OP_VIEW, UL_OP_GET_ROWS, UL_OP_RESHAPE, UL_OP_SOFT_MAX, UL_OP_RESHAPE}},
    {5, {UL_OP_MUL, UL_OP_SIN, UL_OP_SQR, UL_OP_MUL, UL_OP_ADD}},
    /* newer than the source that was read */
    {5, {UL_OP_RMS_NORM, UL_OP_MUL, UL_OP_ROPE, UL_OP_VIEW, UL_OP_SET_ROWS}},
    {3, {UL_OP_ROPE, UL_OP_VIEW, UL_OP_SET_ROWS}},
};

/* A node may be taken with the one before it when the two run as one. */
static const uint8_t pairs[][2] = {
    {UL_OP_RMS_NORM, UL_OP_MUL},    {UL_OP_MUL_MAT, UL_OP_ADD},
    {UL_OP_MUL_MAT_ID, UL_OP_ADD_ID}, {UL_OP_MUL_MAT_ID, UL_OP_MUL},
    {UL_OP_ADD, UL_OP_ADD},         {UL_OP_SSM_CONV, UL_OP_ADD},
    {UL_OP_SSM_CONV, UL_OP_UNARY},    {UL_OP_UNARY, UL_OP_MUL}, /* the last one is newer */
};

/* ... and a third one later, which reads the second first: it is pulled forward to them. What else
 * it reads must be there already, but for the unary operation, which reads nothing else. */
static const uint8_t triples[][3] = {
    {UL_OP_MUL_MAT_ID, UL_OP_ADD_ID, UL_OP_MUL},
    {UL_OP_MUL_MAT, UL_OP_ADD, UL_OP_ADD},
    {UL_OP_SSM_CONV, UL_OP_ADD, UL_OP_UNARY},
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static bool idle(const struct ul_tensor *t)
{
    return t->op == UL_OP_NONE || ul_op_is_view(t->op);
}

static bool group_at(const struct order *r, size_t which, int i)
{
    if (i + groups[which].n > r->n)
        return false;
    for (int k = 0; k < groups[which].n; k++)
        if (r->in[i + k]->op != groups[which].op[k] || r->used[i + k])
            return false;
    return true;
}

static bool any_group_at(const struct order *r, int i)
{
    for (size_t k = 0; k < COUNT(groups); k++)
        if (group_at(r, k, i))
            return true;
    return false;
}

static void put(struct order *r, int i)
{
    r->out[r->n_out++] = r->in[i];
    r->used[i] = PLACED;
}

static void advance(struct order *r)
{
    while (r->first < r->n && r->used[r->first])
        r->first++;
}

static bool keep_group(struct order *r)
{
    for (size_t k = 0; k < COUNT(groups); k++) {
        if (!group_at(r, k, r->first))
            continue;
        struct ul_tensor *reads = r->in[r->first]->src[0];
        for (int j = 0, i = r->first; j < groups[k].n; j++)
            put(r, i + j);
        if (k < CHOICES) {
            struct ul_keep *keep = ul_keep_add(r->keeps, r->start + r->n_out - 1);
            keep->t[keep->n++] = reads;
        }
        advance(r);
        return true;
    }
    return false;
}

static const struct ul_tensor *base(const struct ul_tensor *t)
{
    return t->view_src ? t->view_src : t;
}

/* Whether t reads s, or what s writes; or the two look at the same memory. */
static bool depends(const struct ul_tensor *t, const struct ul_tensor *s)
{
    for (int i = 0; i < t->n_src; i++)
        if (t->src[i] == s || (t->src[i] && !idle(s) && base(t->src[i]) == base(s)))
            return true;
    return base(t) == base(s);
}

static bool paired(const struct order *r, int c, int j)
{
    if (j != c + 1 || c != r->set[r->n_set - 1])
        return false;
    for (size_t k = 0; k < COUNT(pairs); k++)
        if (pairs[k][0] == r->in[c]->op && pairs[k][1] == r->in[j]->op)
            return true;
    return false;
}

static bool ready(const struct order *r, int j)
{
    for (int c = r->first; c < j; c++)
        if (!r->used[c] && depends(r->in[j], r->in[c]) && !paired(r, c, j))
            return false;
    return true;
}

static void take(struct order *r, int i)
{
    r->set[r->n_set++] = i;
}

static void pull(struct order *r, int i)
{
    take(r, i);
    r->used[i] = PULLED;
}

/* A tensor that no operation makes, or one that has its place already. */
static bool there(const struct order *r, const struct ul_tensor *t)
{
    int i = t->id - r->start;
    return t->op == UL_OP_NONE || (i >= 0 && i < r->n && r->in[i] == t && r->used[i] == PLACED);
}

/* The rope that reads a norm's product, when it needs nothing else that is computed. */
static int rope_of(struct order *r, int j)
{
    if (r->in[j]->op != UL_OP_MUL || r->in[j - 1]->op != UL_OP_RMS_NORM)
        return j;
    for (int k = j + 1; k < j + FAR && k < r->n; k++) {
        const struct ul_tensor *t = r->in[k];
        if (t->op == UL_OP_ROPE && t->src[0] == r->in[j] && t->src[1]->op == UL_OP_NONE &&
            (!t->src[2] || t->src[2]->op == UL_OP_NONE)) {
            pull(r, k);
            return k;
        }
    }
    return j;
}

/* The view of a rope's result and the store of that view into the cache. */
static void store_of(struct order *r, int rope)
{
    int view = -1;
    if (r->in[rope]->op != UL_OP_ROPE)
        return;
    for (int k = rope + 1; k < rope + NEAR && k < r->n; k++) {
        const struct ul_tensor *t = r->in[k];
        if (view < 0 && t->op == UL_OP_VIEW && t->src[0] == r->in[rope]) {
            view = k;
        } else if (view >= 0 && t->op == UL_OP_SET_ROWS && t->src[0] == r->in[view]) {
            pull(r, view);
            pull(r, k);
            return;
        }
    }
}

static void third_of(struct order *r, int j)
{
    for (size_t i = 0; i < COUNT(triples); i++) {
        const uint8_t *op = triples[i];
        if (r->in[j - 1]->op != op[0] || r->in[j]->op != op[1])
            continue;
        for (int k = j + 1; k < j + FAR && k < r->n; k++) {
            const struct ul_tensor *t = r->in[k];
            if (t->op == op[2] && t->src[0] == r->in[j] &&
                (op[2] == UL_OP_UNARY || there(r, t->src[1]))) {
                pull(r, k);
                break;
            }
        }
    }
}

static void take_working(struct order *r)
{
    for (int j = r->first + 1; j < r->first + WINDOW && j < r->n; j++) {
        if (r->used[j] || idle(r->in[j]) || any_group_at(r, j) || !ready(r, j))
            continue;
        take(r, j);
        store_of(r, rope_of(r, j));
        third_of(r, j);
    }
}

static bool in_set(const struct order *r, int i)
{
    for (int k = 0; k < r->n_set; k++)
        if (r->set[k] == i)
            return true;
    return false;
}

/* Views of what is there or comes in this set; not behind an addition, which may run as one with
 * what follows it. */
static void take_views(struct order *r)
{
    if (r->in[r->set[r->n_set - 1]]->op == UL_OP_ADD)
        return;
    for (int j = r->first + 1; j < r->first + WINDOW && j < r->n; j++) {
        bool ok = !r->used[j] && idle(r->in[j]);
        for (int c = r->first; ok && c < j; c++)
            ok = r->used[c] || !depends(r->in[j], r->in[c]) || in_set(r, c);
        if (ok)
            take(r, j);
    }
}

void ul_reorder_vulkan(struct ul_graph *g, int start, int end, struct ul_keeps *keeps)
{
    int n = end - start;
    if (n < 2)
        return;
    struct order r = {.n = n, .start = start, .out = g->nodes + start, .keeps = keeps};
    r.in = ul_scratch(keeps, (size_t)n * (sizeof *r.in + 1));
    r.used = (uint8_t *)(r.in + n);
    memcpy(r.in, r.out, (size_t)n * sizeof *r.in);
    while (r.first < n) {
        if (keep_group(&r))
            continue;
        r.n_set = 0;
        take(&r, r.first);
        take_working(&r);
        take_views(&r);
        for (int i = 0; i < r.n_set; i++)
            put(&r, r.set[i]);
        advance(&r);
    }
}
