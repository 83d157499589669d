/* Programs of transformers with latent attention and nothing besides: DeepSeek V2 and V3 with all
 * that is converted to them (Kimi K2, GLM 4.7 Flash ...), Mistral 4, MiniCPM3, PLM. Sources:
 * src/models/deepseek2.cpp, minicpm3.cpp, plm.cpp. */
#include "arch/draft_head.h"
#include "arch/latent.h"
#include "arch/rows.h"

/* --- deepseek2, mistral4 ---------------------------------------------------------------------- */

struct inputs {
    struct ul_attn_inp attn;
    struct ul_tensor *temp; /* queries are scaled by position (mistral's large models) */
};

static struct ul_tensor *attention(struct ul_build *b, struct ul_tensor *cur,
                                   const struct inputs *in, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_latent l = ul_latent_of(b->model, true, il);
    struct ul_tensor *q = ul_latent_q(b, ul_latent_low_q(b, cur, il), cur, il);
    q = ul_cb(b, ulg_reshape_3d(g, q, l.head_k, b->model->layer[il].n_head, b->n_tokens), "q", il);
    struct ul_attn a = ul_is_mla(b->model) ? ul_latent_absorbed(b, &l, q, cur, il)
                                           : ul_latent_full(b, &l, q, cur, NULL, il);
    if (in->temp)
        a.q = ul_cb(b, ulg_mul(g, a.q, in->temp), "Qcur_attn_temp_scaled", il);
    return ul_attn_block(b, &in->attn, &a, il);
}

int ul_prog_deepseek2(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    struct ul_graph *g = b->graph;
    struct inputs in = {0};
    struct ul_tensor *x = ul_inp_embd(b);
    if (m->f_attn_temp_scale != 0.0f)
        in.temp = ul_inp_attn_scale(b);
    in.attn = ul_attn_inputs(b, ul_is_mla(m) ? UL_ATTN_K : UL_ATTN_KV);
    for (int il = 0; il < (int)m->n_layer; il++) {
        struct ul_tensor *cur = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
        cur = attention(b, ul_cb(b, cur, "attn_norm", il), &in, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_cb(b, ulg_add(g, cur, ul_last_rows(b, x, il)), "ffn_inp", il);
        cur = ul_cb(b, ul_norm_of(b, x, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "ffn_norm", il);
        x = ul_cb(b, ulg_add(g, ul_latent_ffn(b, cur, false, il), x), "l_out", il);
    }
    x = ul_result_norm(b, x, UL_NORM_RMS);
    b->t_h_nextn = x;
    ul_result_output(b, x);
    return ULLAGE_OK;
}

/* The draft head: one more layer. */
int ul_head_deepseek2(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    int il = ul_head_layer(b);
    struct inputs in = {0};
    struct ul_tensor *x = ul_head_inputs(b);
    if (b->model->f_attn_temp_scale != 0.0f)
        return ULLAGE_ERROR_UNKNOWN;
    in.attn = ul_attn_inputs(b, ul_is_mla(b->model) ? UL_ATTN_K : UL_ATTN_KV);
    struct ul_tensor *cur = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
    cur = attention(b, ul_cb(b, cur, "mtp_attn_norm", il), &in, il);
    x = ul_cb(b, ulg_add(g, cur, x), "mtp_ffn_inp", il);
    cur = ul_cb(b, ul_norm_of(b, x, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "mtp_ffn_norm", il);
    x = ul_cb(b, ulg_add(g, ul_latent_ffn(b, cur, false, il), x), "mtp_post_ffn", il);
    ul_head_outputs(b, x, UL_HEAD_ROWS_LAST);
    return ULLAGE_OK;
}

/* --- minicpm3, plm ---------------------------------------------------------------------------- */

/* Both keep every head's keys and values. MiniCPM3 scales its residuals, and has rope factors;
 * PLM's values are flat, which only their transposed cache takes: the row has no flash
 * attention. */
static struct ul_tensor *full_layer(struct ul_build *b, struct ul_tensor *x,
                                    const struct ul_attn_inp *inp, enum ul_ffn_op op, bool scaled,
                                    int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    bool flat_v = m->arch->flash_attn_aborts;
    struct ul_latent l = {.head_k = ul_n_embd_head_k(m, 0), .head_v = ul_n_embd_head_v(m, 0),
                          .n_rot = m->n_rot_full, .n_lora = m->n_lora_kv, .rotates = true};
    struct ul_tensor *cur = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
    ul_cb(b, cur, "attn_norm", il);
    struct ul_tensor *q = ul_latent_q(b, ul_latent_low_q(b, cur, il), cur, il);
    q = ulg_reshape_3d(g, q, l.head_k, m->layer[il].n_head, b->n_tokens);
    struct ul_attn a = ul_latent_full(b, &l, q, cur, scaled ? ul_rope_factors(b, il) : NULL, il);
    if (flat_v)
        a.v = ulg_view_2d(g, a.v, a.v->ne[0] * a.v->ne[1], b->n_tokens, a.v->nb[2], 0);
    cur = ul_last_rows(b, ul_attn_block(b, inp, &a, il), il);
    x = ul_last_rows(b, x, il);
    if (scaled)
        cur = ul_cb(b, ulg_scale(g, cur), "hidden_scaled", il);
    x = ul_cb(b, ulg_add(g, cur, x), "ffn_inp", il);
    cur = ul_cb(b, ul_norm_of(b, x, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "ffn_norm", il);
    struct ul_ffn f = ul_ffn_of(b, op, false, il);
    f.up_b = f.gate_b = f.down_b = NULL;
    cur = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
    if (scaled)
        cur = ul_cb(b, ulg_scale(g, cur), "hidden_scaled_ffn", il);
    return ul_cb(b, ulg_add(g, cur, x), "l_out", il);
}

int ul_prog_minicpm3(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_cb(b, ulg_scale(g, ul_inp_embd(b)), "inp_scaled", -1);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++)
        x = full_layer(b, x, &inp, UL_FFN_SILU, true, il);
    x = ul_result_norm(b, x, UL_NORM_RMS);
    ul_result_output(b, ul_cb(b, ulg_scale(g, x), "lmhead_scaling", -1));
    return ULLAGE_OK;
}

int ul_prog_plm(struct ul_build *b)
{
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++)
        x = full_layer(b, x, &inp, UL_FFN_RELU_SQR, false, il);
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}
