/* Hunyuan 4: sparse latent attention (arch/prog_sparse.c) in hyper-connections of a simpler kind
 * than DeepSeek 4's: streams are not mixed with one another, so there is a weight a stream for what
 * a block reads and one for what it adds, and no matrix between. Nothing is fused. The streams may
 * be kept in another type than they are computed in: each use casts them, in single precision too.
 * Newer than the source that was read: all of this follows the graphs that the pinned engine
 * builds. */
#include "arch/hyper.h"
#include "arch/rows.h"
#include "arch/sparse.h"

static struct ul_tensor *to_f32(struct ul_build *b, struct ul_tensor *t)
{
    return ulg_cast(b->graph, t, UL_F32);
}

/* What a block adds to the streams: its result, weighted by twice a sigmoid for each. */
static struct ul_tensor *put_back(struct ul_build *b, const struct ul_hyper *h,
                                  struct ul_tensor *cur)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = to_f32(b, h->x), *out = NULL;
    struct ul_tensor *gate =
        ul_cb(b, ulg_scale(g, ul_hyper_weights(b, h, h->n, 1)), "hc_post_gate", h->il);
    cur = to_f32(b, cur);
    gate = to_f32(b, gate);
    for (int64_t i = 0; i < h->n; i++) {
        struct ul_tensor *t = ulg_mul(g, cur, ul_hyper_weight_of(b, gate, i));
        t = ulg_add(g, ul_hyper_stream_of(b, x, i), t);
        t = ulg_reshape_3d(g, t, cur->ne[0], 1, cur->ne[1]);
        out = out ? ulg_concat(g, out, t, 1) : t;
    }
    return to_f32(b, out);
}

/* What a block reads: the streams' weighted sum. */
static struct ul_hyper take(struct ul_build *b, struct ul_tensor *x, const enum ul_role roles[3],
                            int il)
{
    struct ul_hyper h = ul_hyper_mixes(b, x, roles, il);
    h.pre = ul_cb(b, ul_hyper_weights(b, &h, 0, 0), "hc_pre", il);
    h.out = to_f32(b, ul_hyper_sum(b, to_f32(b, x), h.pre));
    return h;
}

/* Experts' gates are limited; the shared expert's and the dense layers' are not. */
static struct ul_tensor *feed_forward(struct ul_build *b, struct ul_tensor *cur, int il)
{
    if (il < (int)b->model->n_layer_dense_lead)
        return ul_latent_ffn(b, cur, false, il);
    struct ul_moe e = ul_moe_of(b, UL_FFN_SILU, il);
    struct ul_ffn f = ul_ffn_shexp_of(b, UL_FFN_SILU, il);
    e.clamp_fused = true;
    struct ul_tensor *routed = ul_moe_block(b, cur, &e, il);
    return ul_cb(b, ulg_add(b->graph, routed, ul_ffn_block(b, cur, &f, il)), "ffn_out", il);
}

static struct ul_tensor *layer(struct ul_build *b, const struct ul_sparse_inp *in,
                               struct ul_tensor *x, struct ul_tensor **top, int il)
{
    static const enum ul_role attn[3] = {UL_ROLE_HC_ATTN_FN, UL_ROLE_HC_ATTN_SCALE,
                                         UL_ROLE_HC_ATTN_BASE};
    static const enum ul_role ffn[3] = {UL_ROLE_HC_FFN_FN, UL_ROLE_HC_FFN_SCALE,
                                        UL_ROLE_HC_FFN_BASE};
    struct ul_hyper h = take(b, x, attn, il);
    struct ul_tensor *cur =
        ul_cb(b, ul_norm_of(b, h.out, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il), "attn_norm", il);
    cur = ul_cb(b, ul_sparse_attention(b, cur, in, top, il), "attn_out", il);
    x = ul_cb(b, put_back(b, &h, cur), "hc_attn_out", il);
    h = take(b, x, ffn, il);
    cur = ul_cb(b, ul_norm_of(b, h.out, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "ffn_norm", il);
    return ul_cb(b, put_back(b, &h, feed_forward(b, cur, il)), "l_out", il);
}

int ul_prog_hy4(struct ul_build *b)
{
    struct ul_tensor *x = ul_inp_embd(b), *top = NULL;
    struct ul_sparse_inp in = ul_sparse_inputs(b);
    in.no_wo_scale = true;
    in.index.k_rot = NULL; /* not even a quantised cache of the indexer's is rotated */
    x = ul_hyper_start(b, x);
    for (int il = 0; il < (int)b->model->n_layer; il++)
        x = layer(b, &in, x, &top, il);
    x = ul_hyper_rows(b, x);
    struct ul_tensor *w = ul_hyper_head_weights(b, x);
    x = ul_cb(b, to_f32(b, ul_hyper_sum(b, to_f32(b, x), w)), "hc_head", -1);
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}
