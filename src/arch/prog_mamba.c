/* Layer programs of models with state space layers: Mamba and Mamba-2 alone, and hybrids that mix
 * them with attention. Sources: src/models/mamba.cpp, jamba.cpp, falcon-h1.cpp, nemotron-h.cpp,
 * granite-hybrid.cpp. */
#include "arch/build.h"
#include "arch/rows.h"

static struct ul_tensor *rms(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                             const char *name, int il)
{
    return ul_cb(b, ul_norm_block(b, cur, ul_wt(b, role, il), NULL, UL_NORM_RMS, il), name, il);
}

static int head(struct ul_build *b, struct ul_tensor *cur)
{
    ul_result_output(b, ul_result_norm(b, cur, UL_NORM_RMS));
    return ULLAGE_OK;
}

/* --- mamba, mamba2 ---------------------------------------------------------------------------- */

typedef struct ul_tensor *mixer(struct ul_build *b, const struct ul_rs_inp *inp,
                                struct ul_tensor *cur, int il);

static int pure(struct ul_build *b, mixer *mix)
{
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct ul_tensor *cur = mix(b, &rs, rms(b, x, UL_ROLE_ATTN_NORM, "attn_norm", il), il);
        cur = ul_last_rows(b, cur, il);
        x = ul_last_rows(b, x, il);
        x = ul_cb(b, ulg_add(b->graph, cur, x), "l_out", il);
    }
    return head(b, x);
}

int ul_prog_mamba(struct ul_build *b)
{
    return pure(b, ul_mamba_block);
}

int ul_prog_mamba2(struct ul_build *b)
{
    return pure(b, ul_mamba2_block);
}

/* --- what hybrids share ----------------------------------------------------------------------- */

/* Attention of a layer. `wo_b`: the output's bias is added. `rotate`: queries and keys are rotated.
 */
struct attn_options {
    bool rotate, factors, wo_b;
};

static struct ul_tensor *attention(struct ul_build *b, const struct ul_attn_inp *inp,
                                   struct ul_tensor *cur, struct attn_options o, int il)
{
    const struct ul_model *m = b->model;
    const struct ul_layer *l = &m->layer[il];
    struct ul_qkv r =
        ul_qkv_block(b, cur, ul_n_embd_head_v(m, (uint32_t)il), l->n_head, l->n_head_kv, il);
    if (o.rotate) {
        struct ul_tensor *factors = o.factors ? ul_rope_factors(b, il) : NULL;
        int64_t n_rot = ul_n_rot(m, (uint32_t)il);
        r.q = ul_rope_block(b, r.q, factors, n_rot);
        r.k = ul_rope_block(b, r.k, factors, n_rot);
    }
    struct ul_attn a = {.q = r.q, .k = r.k, .v = r.v, .wo = ul_wt(b, UL_ROLE_ATTN_OUT, il),
                        .wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il)};
    if (o.wo_b)
        a.wo_b = ul_wt_bias(b, UL_ROLE_ATTN_OUT, il);
    return ul_attn_block(b, inp, &a, il);
}

/* --- jamba ------------------------------------------------------------------------------------ */

static struct ul_tensor *jamba_ffn(struct ul_build *b, struct ul_tensor *cur, int il)
{
    if (ul_wt(b, UL_ROLE_FFN_GATE_INP, il)) {
        struct ul_moe e = ul_moe_of(b, UL_FFN_SILU, il);
        e.norm_w = false;
        e.gating = UL_GATING_SOFTMAX;
        return ul_cb(b, ul_moe_block(b, cur, &e, il), "ffn_moe_out", il);
    }
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_SILU, false, il);
    return ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
}

int ul_prog_jamba(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct ul_tensor *cur = rms(b, x, UL_ROLE_ATTN_NORM, "attn_norm", il);
        cur = b->model->layer[il].n_head_kv == 0
                  ? ul_mamba_block(b, &rs, cur, il)
                  : attention(b, &kv, cur, (struct attn_options){0}, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_last_rows(b, x, il);
        x = ulg_add(g, x, cur);
        cur = jamba_ffn(b, rms(b, x, UL_ROLE_FFN_NORM, "ffn_norm", il), il);
        x = ul_cb(b, ulg_add(g, x, cur), "l_out", il);
    }
    return head(b, x);
}

/* --- falcon-h1: attention and Mamba-2 side by side in every layer ----------------------------- */

int ul_prog_falcon_h1(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct ul_tensor *n = rms(b, x, UL_ROLE_ATTN_NORM, "attn_norm", il);
        struct ul_tensor *attn = attention(b, &kv, n, (struct attn_options){.rotate = true}, il);
        n = rms(b, x, UL_ROLE_ATTN_NORM, "ssm_in", il);
        struct ul_tensor *cur = ulg_add(g, attn, ul_mamba2_block(b, &rs, n, il));
        x = ulg_add(g, cur, x);
        x = ul_last_rows(b, x, il);
        cur = rms(b, x, UL_ROLE_FFN_NORM, "ffn_norm", il);
        struct ul_ffn f = ul_ffn_of(b, UL_FFN_SILU, false, il);
        cur = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
        x = ul_cb(b, ulg_add(g, cur, x), "l_out", il);
    }
    return head(b, x);
}

/* --- nemotron-h: each layer is a state space layer, or attention, or feed-forward ------------- */

static struct ul_tensor *nemotron_experts(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *down = ul_wt(b, UL_ROLE_FFN_LATENT_DOWN, il);
    struct ul_tensor *up = ul_wt(b, UL_ROLE_FFN_LATENT_UP, il);
    struct ul_tensor *cur = down ? ulg_mul_mat(g, down, x) : x;
    struct ul_moe e = ul_moe_of(b, UL_FFN_RELU_SQR, il);
    e.gate = NULL;
    e.gating = UL_GATING_SIGMOID;
    e.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_EXPS, il);
    e.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_EXPS, il);
    e.probs_in = ul_cb(b, ulg_mul_mat(g, e.gate_inp, x), "ffn_moe_logits", il);
    cur = ul_moe_block(b, cur, &e, il);
    if (up)
        cur = ulg_mul_mat(g, up, cur);
    struct ul_ffn f = ul_ffn_shexp_of(b, UL_FFN_RELU_SQR, il);
    f.gate = NULL;
    f.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_SHEXP, il);
    f.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_SHEXP, il);
    return ulg_add(g, cur, ul_cb(b, ul_ffn_block(b, x, &f, il), "ffn_shexp", il));
}

static struct ul_tensor *nemotron_ffn(struct ul_build *b, struct ul_tensor *cur, int il)
{
    if (ul_wt(b, UL_ROLE_FFN_GATE_INP, il))
        return nemotron_experts(b, cur, il);
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_RELU_SQR, true, il);
    f.gate = f.gate_b = f.gate_s = NULL;
    return ul_ffn_block(b, cur, &f, il);
}

int ul_prog_nemotron_h(struct ul_build *b)
{
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        const struct ul_layer *l = &b->model->layer[il];
        struct ul_tensor *cur = rms(b, x, UL_ROLE_ATTN_NORM, "attn_norm", il);
        if (l->is_recr)
            cur = ul_mamba2_block(b, &rs, cur, il);
        else if (l->n_ff == 0)
            cur = attention(b, &kv, cur, (struct attn_options){.wo_b = true}, il);
        else
            cur = ul_cb(b, nemotron_ffn(b, cur, il), "l_out", il);
        cur = ul_last_rows(b, cur, il);
        x = ul_last_rows(b, x, il);
        x = ul_cb(b, ulg_add(b->graph, cur, x), "nemotron_h_block_out", il);
    }
    return head(b, x);
}

/* --- granite-hybrid --------------------------------------------------------------------------- */

static struct ul_tensor *scaled(struct ul_build *b, struct ul_tensor *t)
{
    return b->model->f_residual_scale != 0.0f ? ulg_scale(b->graph, t) : t;
}

static struct ul_tensor *granite_ffn(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    if (ul_wt(b, UL_ROLE_FFN_GATE_INP, il) == NULL) {
        struct ul_ffn f = ul_ffn_of(b, UL_FFN_SILU, false, il);
        return ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
    }
    struct ul_moe e = ul_moe_of(b, UL_FFN_SILU, il);
    e.probs_b = NULL;
    e.norm_w = true;
    e.gating = UL_GATING_SOFTMAX;
    struct ul_tensor *out = ul_moe_block(b, cur, &e, il);
    if (b->model->n_ff_shexp == 0)
        return out;
    struct ul_ffn f = ul_ffn_shexp_of(b, UL_FFN_SILU, il);
    struct ul_tensor *shared = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_shexp", il);
    return ul_cb(b, ulg_add(g, out, shared), "ffn_out", il);
}

int ul_prog_granite_hybrid(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct attn_options o = {.rotate = ul_has_rope(b->model, (uint32_t)il), .factors = true,
                                 .wo_b = true};
        struct ul_tensor *cur = rms(b, x, UL_ROLE_ATTN_NORM, "attn_norm", il);
        cur = b->model->layer[il].is_recr ? ul_mamba2_block(b, &rs, cur, il)
                                          : attention(b, &kv, cur, o, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_last_rows(b, x, il);
        x = ul_cb(b, ulg_add(g, scaled(b, cur), x), "ffn_inp", il);
        cur = granite_ffn(b, rms(b, x, UL_ROLE_FFN_NORM, "ffn_norm", il), il);
        x = ul_cb(b, ulg_add(g, scaled(b, cur), x), "l_out", il);
    }
    return head(b, x);
}
