/* The layer program of LFM2: short gated convolutions with a state, and attention. Source:
 * src/models/lfm2.cpp (lfm2moe is the same with experts behind the leading layers). */
#include "arch/build.h"
#include "arch/rows.h"

static struct ul_tensor *rms(struct ul_build *b, struct ul_tensor *cur, enum ul_role role, int il)
{
    return ul_norm_block(b, cur, ul_wt(b, role, il), NULL, UL_NORM_RMS, il);
}

static struct ul_tensor *feed_forward(struct ul_build *b, struct ul_tensor *cur, int il)
{
    if (il >= (int)b->model->n_layer_dense_lead) {
        struct ul_moe e = ul_moe_of(b, UL_FFN_SILU, il);
        e.norm_w = true;
        return ul_moe_block(b, cur, &e, il);
    }
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_SILU, false, il);
    f.up_b = f.gate_b = f.down_b = NULL;
    return ul_ffn_block(b, cur, &f, il);
}

static struct ul_tensor *attention(struct ul_build *b, const struct ul_attn_inp *inp,
                                   struct ul_tensor *cur, int il)
{
    const struct ul_layer *l = &b->model->layer[il];
    int64_t head = ul_n_embd_head_v(b->model, (uint32_t)il),
            n_rot = ul_n_rot(b->model, (uint32_t)il);
    struct ul_qkv r = ul_qkv_block(b, cur, head, l->n_head, l->n_head_kv, il);
    r.q = ul_rope_block(b, rms(b, r.q, UL_ROLE_ATTN_Q_NORM, il), NULL, n_rot);
    r.k = ul_rope_block(b, rms(b, r.k, UL_ROLE_ATTN_K_NORM, il), NULL, n_rot);
    struct ul_attn a = {.q = r.q, .k = r.k, .v = r.v, .wo = ul_wt(b, UL_ROLE_ATTN_OUT, il),
                        .wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il)};
    return ul_attn_block(b, inp, &a, il);
}

/* The convolution's input: the state before the batch; or, for models that look both ways, the
 * batch in the middle of the window. */
static struct ul_tensor *with_state(struct ul_build *b, struct ul_tensor *state,
                                    struct ul_tensor *bx)
{
    struct ul_graph *g = b->graph;
    int64_t kept = state->ne[0], pad = kept / 2;
    if (b->model->causal_attn)
        return ulg_concat(g, state, bx, 0);
    struct ul_tensor *left = ulg_view_3d(g, state, pad, state->ne[1], state->ne[2], state->nb[1],
                                         state->nb[2], (uint64_t)(kept - pad) * state->nb[0]);
    bx = ulg_concat(g, ulg_cont(g, left), bx, 0);
    const int64_t before[4] = {0}, after[4] = {pad};
    return ulg_pad_ext(g, bx, before, after);
}

/* The input's last columns become the state, and with drafts those before them snapshots. */
static void store(struct ul_build *b, struct ul_tensor *bx, int64_t kept, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *all = ul_state_of(b, il)->r;
    int64_t width = kept * b->model->n_embd, n = b->n_seq_tokens;
    int64_t slots = b->model->causal_attn ? (int64_t)b->cparams->n_rs_seq + 1 : 1;
    uint64_t row = ul_row_bytes(all->type, (uint64_t)width);
    for (int64_t slot = 0; slot < (n < slots ? n : slots); slot++) {
        struct ul_tensor *from =
            ulg_view_3d(g, bx, kept, bx->ne[1], bx->ne[2], bx->nb[1], bx->nb[2],
                        (uint64_t)(bx->ne[0] - kept - slot) * bx->nb[0]);
        uint64_t at = (uint64_t)slot * b->memory->state.size * row;
        ul_expand(b, ulg_cpy(g, from, ulg_view_2d(g, all, width, b->n_seqs, all->nb[1], at)));
    }
}

static struct ul_tensor *short_convolution(struct ul_build *b, const struct ul_rs_inp *inp,
                                           struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    int64_t kept = (int64_t)b->model->n_shortconv_l_cache - 1, n = b->n_seq_tokens;
    cur = ulg_reshape_3d(g, cur, cur->ne[0], n, b->n_seqs);
    cur = ulg_mul_mat(g, ul_wt(b, UL_ROLE_SHORTCONV_INPROJ, il), cur);
    struct ul_tensor *part[3]; /* before the convolution, behind it, and what is convolved */
    for (int i = 0; i < 3; i++) {
        int64_t width = cur->ne[0] / 3;
        part[i] = ulg_view_3d(g, cur, width, cur->ne[1], cur->ne[2], cur->nb[1], cur->nb[2],
                              (uint64_t)(i * width) * cur->nb[0]);
    }
    struct ul_tensor *bx = ulg_transpose(g, ulg_mul(g, part[0], part[2]));
    struct ul_tensor *state =
        ul_rs_block(b, inp, ul_state_of(b, il)->r, (int64_t)ul_n_embd_r(b->model));
    state = ulg_reshape_3d(g, state, kept, b->model->n_embd, b->n_seqs);
    bx = with_state(b, state, bx);
    store(b, bx, kept, il);
    cur = ulg_ssm_conv(g, bx, ul_wt(b, UL_ROLE_SHORTCONV_CONV, il));
    cur = ulg_mul(g, part[1], cur);
    cur = ulg_mul_mat(g, ul_wt(b, UL_ROLE_SHORTCONV_OUTPROJ, il), cur);
    return ulg_reshape_2d(g, cur, cur->ne[0], n * b->n_seqs);
}

int ul_prog_lfm2(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct ul_tensor *cur = rms(b, x, UL_ROLE_ATTN_NORM, il);
        cur = b->model->layer[il].is_recr ? short_convolution(b, &rs, cur, il)
                                          : attention(b, &kv, cur, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_last_rows(b, x, il);
        x = ulg_add(g, x, cur);
        cur = feed_forward(b, rms(b, x, UL_ROLE_FFN_NORM, il), il);
        x = ul_cb(b, ulg_add(g, x, cur), "l_out", il);
    }
    x = ul_cb(b, rms(b, x, UL_ROLE_OUTPUT_NORM_LFM2, -1), "result_norm", -1);
    b->t_embd = x;
    if (b->cparams->embeddings)
        ul_expand(b, x);
    else
        ul_result_output(b, x);
    return ULLAGE_OK;
}
