/* Hyper-connections: the residual stream is several streams wide; each block reads a weighted sum
 * of them and its result is spread over them again. Source: src/models/deepseek4.cpp (build_hc_pre,
 * build_hc_sinkhorn, build_hc_post); glm5-next has the same. Three fused operations do it; each can
 * be spelled out instead, when it would land on another device than its layer. */
#include "arch/hyper.h"

struct ul_tensor *ul_hyper_weights(struct ul_build *b, const struct ul_hyper *h, int64_t first,
                                   int part)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = h->mixes;
    uint64_t from = ul_row_bytes(x->type, (uint64_t)first);
    x = ulg_view_2d(g, x, h->n, h->mixes->ne[1], x->nb[1], from);
    x = ulg_mul(g, x, ulg_view_1d(g, h->scale, 1, ul_row_bytes(h->scale->type, (uint64_t)part)));
    x = ulg_add(g, x, ulg_view_1d(g, h->base, h->n, ul_row_bytes(h->base->type, (uint64_t)first)));
    return ulg_scale(g, ulg_sigmoid(g, x));
}

struct ul_tensor *ul_hyper_weight_of(struct ul_build *b, struct ul_tensor *w, int64_t i)
{
    return ulg_view_2d(b->graph, w, 1, w->ne[1], w->nb[1], (uint64_t)i * w->nb[0]);
}

struct ul_tensor *ul_hyper_stream_of(struct ul_build *b, struct ul_tensor *x, int64_t i)
{
    return ulg_view_2d(b->graph, x, x->ne[0], x->ne[2], x->nb[2], (uint64_t)i * x->nb[1]);
}

struct ul_tensor *ul_hyper_sum(struct ul_build *b, struct ul_tensor *x, struct ul_tensor *w)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *sum = NULL;
    for (int64_t i = 0; i < x->ne[1]; i++) {
        struct ul_tensor *t = ulg_mul(g, ul_hyper_stream_of(b, x, i), ul_hyper_weight_of(b, w, i));
        sum = sum ? ulg_add(g, sum, t) : t;
    }
    return sum;
}

/* Rows and columns in turn are made to sum to one. */
static struct ul_tensor *sinkhorn(struct ul_build *b, struct ul_tensor *t)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *eps = ulg_fill(g, ulg_new_1d(g, UL_F32, 1));
    t = ulg_add(g, ulg_soft_max(g, t), eps);
    for (uint32_t i = 0; i == 0 || i < b->model->dsv4_hc_sinkhorn_iters; i++) {
        if (i > 0)
            t = ulg_div(g, t, ulg_add(g, ulg_sum_rows(g, t), eps));
        struct ul_tensor *columns = ulg_sum_rows(g, ulg_cont(g, ulg_permute(g, t, 1, 0, 2, 3)));
        t = ulg_div(g, t, ulg_permute(g, ulg_add(g, columns, eps), 1, 0, 2, 3));
    }
    return t;
}

static struct ul_tensor *comb_spelled_out(struct ul_build *b, const struct ul_hyper *h)
{
    struct ul_graph *g = b->graph;
    int64_t n = h->n * h->n, tokens = h->mixes->ne[1];
    uint64_t from = ul_row_bytes(h->mixes->type, (uint64_t)(2 * h->n));
    struct ul_tensor *t = ulg_view_2d(g, h->mixes, n, tokens, h->mixes->nb[1], from);
    t = ulg_mul(g, t, ulg_view_1d(g, h->scale, 1, ul_row_bytes(h->scale->type, 2)));
    t = ulg_add(g, t,
                ulg_view_1d(g, h->base, n, ul_row_bytes(h->base->type, (uint64_t)(2 * h->n))));
    return sinkhorn(b, ulg_reshape_3d(g, t, h->n, h->n, tokens));
}

struct ul_hyper ul_hyper_mixes(struct ul_build *b, struct ul_tensor *x, const enum ul_role roles[3],
                               int il)
{
    struct ul_graph *g = b->graph;
    struct ul_hyper h = {.il = il, .n = x->ne[1], .x = x, .scale = ul_wt_needed(b, roles[1], il),
                         .base = ul_wt_needed(b, roles[2], il)};
    struct ul_tensor *flat = ulg_rms_norm(g, ulg_reshape_2d(g, x, x->ne[0] * x->ne[1], x->ne[2]));
    h.mixes = ul_cb(b, ul_mm(b, ul_wt(b, roles[0], il), flat, NULL), "hc_mixes", il);
    return h;
}

struct ul_hyper ul_hyper_pre(struct ul_build *b, struct ul_tensor *x, const enum ul_role roles[3],
                             int il)
{
    struct ul_graph *g = b->graph;
    struct ul_hyper h = ul_hyper_mixes(b, x, roles, il);
    h.pre = ul_cb(b, ul_hyper_weights(b, &h, 0, 0), "hc_pre", il);
    h.post = ul_cb(b, ul_hyper_weights(b, &h, h.n, 1), "hc_post", il);
    h.comb = b->cparams->fused_dsv4_hc_comb
                 ? ul_note_fused(b, ulg_dsv4_hc_comb(g, h.mixes, h.scale, h.base), il)
                 : comb_spelled_out(b, &h);
    ul_cb(b, h.comb, "hc_comb", il);
    h.out = b->cparams->fused_dsv4_hc_pre ? ul_note_fused(b, ulg_dsv4_hc_pre(g, x, h.pre), il)
                                          : ul_hyper_sum(b, x, h.pre);
    return h;
}

/* Every stream after the block: its share of the result, and of each stream before. */
static struct ul_tensor *post_spelled_out(struct ul_build *b, const struct ul_hyper *h,
                                          struct ul_tensor *cur)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *out = NULL, *c = h->comb;
    for (int64_t to = 0; to < h->n; to++) {
        struct ul_tensor *t = ulg_mul(g, cur, ul_hyper_weight_of(b, h->post, to));
        for (int64_t from = 0; from < h->n; from++) {
            struct ul_tensor *w = ulg_view_2d(g, c, 1, c->ne[2], c->nb[2],
                                              (uint64_t)to * c->nb[0] + (uint64_t)from * c->nb[1]);
            t = ulg_add(g, t, ulg_mul(g, ul_hyper_stream_of(b, h->x, from), w));
        }
        t = ulg_reshape_3d(g, t, cur->ne[0], 1, cur->ne[1]);
        out = out ? ulg_concat(g, out, t, 1) : t;
    }
    return out;
}

struct ul_tensor *ul_hyper_post(struct ul_build *b, const struct ul_hyper *h, struct ul_tensor *cur)
{
    if (!b->cparams->fused_dsv4_hc_post)
        return post_spelled_out(b, h, cur);
    return ul_note_fused(b, ulg_dsv4_hc_post(b->graph, cur, h->x, h->post, h->comb), h->il);
}

struct ul_tensor *ul_hyper_start(struct ul_build *b, struct ul_tensor *x)
{
    const struct ul_model *m = b->model;
    x = ulg_reshape_3d(b->graph, x, m->n_embd, 1, b->n_tokens);
    x = ulg_repeat_4d(b->graph, x, m->n_embd, m->dsv4_hc_mult, b->n_tokens, 1);
    return ul_cb(b, x, "hc_init", -1);
}

struct ul_tensor *ul_hyper_rows(struct ul_build *b, struct ul_tensor *x)
{
    int64_t width = x->ne[0], n = x->ne[1];
    x = ulg_reshape_2d(b->graph, x, width * n, b->n_tokens);
    x = ulg_get_rows(b->graph, x, ul_inp_out_ids(b));
    return ulg_reshape_3d(b->graph, x, width, n, x->ne[1]);
}

struct ul_tensor *ul_hyper_head_weights(struct ul_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *w = ulg_rms_norm(g, ulg_reshape_2d(g, x, x->ne[0] * x->ne[1], x->ne[2]));
    w = ul_mm(b, ul_wt(b, UL_ROLE_HC_HEAD_FN, -1), w, NULL);
    w = ulg_mul(g, w, ul_wt_needed(b, UL_ROLE_HC_HEAD_SCALE, -1));
    w = ulg_add(g, w, ul_wt_needed(b, UL_ROLE_HC_HEAD_BASE, -1));
    return ul_cb(b, ulg_scale(g, ulg_sigmoid(g, w)), "hc_head_pre", -1);
}
