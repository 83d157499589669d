/* The layer program of Chameleon: queries and keys have norms with a mean, each head its own
 * weights; with swin_norm the layer's two norms come behind attention and feed-forward instead of
 * before them; and the logits of image tokens are overwritten, so that text comes out. Source:
 * src/models/chameleon.cpp. */
#include "arch/build.h"
#include "arch/rows.h"

enum { FIRST_IMAGE_TOKEN = 4, AFTER_IMAGE_TOKENS = 8196 };

static struct ul_tensor *rms(struct ul_build *b, struct ul_tensor *t, enum ul_role role, int il)
{
    return ul_norm_block(b, t, ul_wt(b, role, il), NULL, UL_NORM_RMS, il);
}

static struct ul_tensor *turn(struct ul_build *b, struct ul_tensor *t, enum ul_role norm,
                              const char *name, int il)
{
    if (ul_wt(b, norm, il))
        t = ul_cb(b, ul_norm_of(b, t, norm, UL_NORM_LAYER, il), name, il);
    return ul_cb(b, ul_rope_block(b, t, NULL, ul_n_rot(b->model, (uint32_t)il)), name, il);
}

static struct ul_tensor *attention(struct ul_build *b, struct ul_tensor *cur,
                                   const struct ul_attn_inp *inp, int il)
{
    const struct ul_layer *l = &b->model->layer[il];
    struct ul_qkv r = ul_qkv_block(b, cur, ul_n_embd_head_k(b->model, (uint32_t)il), l->n_head,
                                   l->n_head_kv, il);
    struct ul_attn a = {.q = turn(b, r.q, UL_ROLE_ATTN_Q_NORM, "Qcur", il),
                        .k = turn(b, r.k, UL_ROLE_ATTN_K_NORM, "Kcur", il),
                        .v = r.v,
                        .wo = ul_wt(b, UL_ROLE_ATTN_OUT, il),
                        .wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il)};
    return ul_attn_block(b, inp, &a, il);
}

static struct ul_tensor *layer(struct ul_build *b, struct ul_tensor *x,
                               const struct ul_attn_inp *inp, int il)
{
    struct ul_graph *g = b->graph;
    bool swin = b->model->swin_norm;
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_SILU, false, il);
    f.up_b = f.gate_b = f.down_b = NULL;
    struct ul_tensor *cur = swin ? x : ul_cb(b, rms(b, x, UL_ROLE_ATTN_NORM, il), "attn_norm", il);
    cur = ul_last_rows(b, attention(b, cur, inp, il), il);
    x = ul_last_rows(b, x, il);
    if (swin)
        cur = rms(b, cur, UL_ROLE_ATTN_NORM, il);
    x = ul_cb(b, ulg_add(g, cur, x), "ffn_inp", il);
    if (!swin)
        cur = ul_cb(b, rms(b, x, UL_ROLE_FFN_NORM, il), "ffn_norm", il);
    cur = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
    if (swin)
        cur = ul_cb(b, rms(b, cur, UL_ROLE_FFN_NORM, il), "ffn_norm", il);
    return ul_cb(b, ulg_add(g, cur, x), "l_out", il);
}

int ul_prog_chameleon(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *cur = ul_inp_embd(b);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++)
        cur = layer(b, cur, &inp, il);
    cur = ul_result_norm(b, cur, UL_NORM_RMS);
    if (!ul_wants_logits(b))
        return ULLAGE_OK;
    cur = ul_mm(b, ul_wt(b, UL_ROLE_OUTPUT, -1), cur, ul_wt_scale(b, UL_ROLE_OUTPUT, -1));
    ul_cb(b, cur, "result_output_with_img_logits", -1);
    struct ul_tensor *none = ulg_new_1d(g, UL_F32, AFTER_IMAGE_TOKENS - FIRST_IMAGE_TOKEN);
    none = ul_cb(b, ulg_clamp(g, none), "img_logits", -1);
    b->t_logits = ul_cb(b, ulg_set(g, cur, none), "result_output", -1);
    ul_expand(b, b->t_logits);
    return ULLAGE_OK;
}
