/* Hyper-connections: the residual stream is several streams wide; each block reads a weighted sum of
 * them and its result is spread over them again. Source: src/models/deepseek4.cpp (build_hc_pre,
 * build_hc_post, build_hc_head); glm5-next has the same. The fused operations are built: no back-end
 * that is modelled lacks them. */
#include "arch/hyper.h"

/* sigmoid(x * scale + base), scaled: x and base from their `first` value on. */
static struct ul_tensor *weights(struct ul_build *b, const struct ul_hyper *h, int64_t first, int part)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = h->mixes;
    uint64_t from = ul_row_bytes(x->type, (uint64_t)first);
    x = ulg_view_2d(g, x, h->n, h->mixes->ne[1], x->nb[1], from);
    x = ulg_mul(g, x, ulg_view_1d(g, h->scale, 1, ul_row_bytes(h->scale->type, (uint64_t)part)));
    x = ulg_add(g, x, ulg_view_1d(g, h->base, h->n, ul_row_bytes(h->base->type, (uint64_t)first)));
    return ulg_scale(g, ulg_sigmoid(g, x));
}

struct ul_hyper ul_hyper_pre(struct ul_build *b, struct ul_tensor *x, const enum ul_role roles[3], int il)
{
    struct ul_graph *g = b->graph;
    struct ul_hyper h = {.n = x->ne[1], .x = x, .scale = ul_wt_needed(b, roles[1], il),
                         .base = ul_wt_needed(b, roles[2], il)};
    struct ul_tensor *flat = ulg_rms_norm(g, ulg_reshape_2d(g, x, x->ne[0] * x->ne[1], x->ne[2]));
    h.mixes = ul_cb(b, ul_mm(b, ul_wt(b, roles[0], il), flat, NULL), "hc_mixes", il);
    h.pre = ul_cb(b, weights(b, &h, 0, 0), "hc_pre", il);
    h.post = ul_cb(b, weights(b, &h, h.n, 1), "hc_post", il);
    h.comb = ul_cb(b, ulg_dsv4_hc_comb(g, h.mixes, h.scale, h.base), "hc_comb", il);
    h.out = ulg_dsv4_hc_pre(g, x, h.pre);
    return h;
}

struct ul_tensor *ul_hyper_post(struct ul_build *b, const struct ul_hyper *h, struct ul_tensor *cur)
{
    return ulg_dsv4_hc_post(b->graph, cur, h->x, h->post, h->comb);
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
