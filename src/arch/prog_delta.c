/* The layer program of Qwen3-Next and Qwen3.5: gated delta nets, and every few layers attention
 * whose queries come with a gate. Sources: src/models/qwen3next.cpp, qwen35.cpp, qwen35moe.cpp. */
#include "arch/delta.h"
#include "arch/draft_head.h"
#include "arch/rows.h"

static struct ul_tensor *rms(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                             const char *name, int il)
{
    return ul_cb(b, ul_norm_block(b, cur, ul_wt(b, role, il), NULL, UL_NORM_RMS, il), name, il);
}

/* A matrix with its scale. */
static struct ul_tensor *mm(struct ul_build *b, enum ul_role role, struct ul_tensor *cur,
                            const char *name, int il)
{
    return ul_cb(b, ul_mm(b, ul_wt(b, role, il), cur, ul_wt_scale(b, role, il)), name, il);
}

/* The two differ in how projections are laid out and where scales are used. */
enum layout { NEXT, QWEN35 };

/* --- attention: queries and gates in one matrix ----------------------------------------------- */

/* One of queries, keys, values with its bias. */
static struct ul_tensor *project(struct ul_build *b, enum ul_role role, struct ul_tensor *cur,
                                 const char *name, int il)
{
    struct ul_tensor *t = ul_mm(b, ul_wt(b, role, il), cur, ul_wt_scale(b, role, il));
    return ul_cb(b, ul_add_opt(b, t, ul_wt_bias(b, role, il)), name, il);
}

/* Half of each head: its queries, or its gate. qwen3next makes heads first, which leaves a view
 * more. */
static struct ul_tensor *half(struct ul_build *b, struct ul_tensor *full, int64_t head,
                              int64_t n_head, int second)
{
    uint64_t size = ul_row_bytes(full->type, (uint64_t)head), row = 2 * size;
    return ulg_view_3d(b->graph, full, head, n_head, b->n_tokens, row, row * (uint64_t)n_head,
                       second ? size : 0);
}

static struct ul_tensor *attention(struct ul_build *b, const struct ul_attn_inp *inp,
                                   struct ul_tensor *cur, enum layout layout, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = ul_n_embd_head_v(m, (uint32_t)il), n_head = m->layer[il].n_head, n = b->n_tokens;
    int64_t n_kv = m->layer[il].n_head_kv, n_rot = ul_n_rot(m, (uint32_t)il);
    struct ul_tensor *full = project(b, UL_ROLE_ATTN_Q, cur, "Qcur_full", il);
    if (layout == NEXT)
        full = ulg_reshape_4d(g, full, 2 * head, n_head, n, 1);
    struct ul_tensor *q = half(b, full, head, n_head, 0), *gate = half(b, full, head, n_head, 1);
    struct ul_tensor *k = project(b, UL_ROLE_ATTN_K, cur, "Kcur", il);
    struct ul_tensor *v = project(b, UL_ROLE_ATTN_V, cur, "Vcur", il);
    k = ulg_reshape_3d(g, k, head, n_kv, n);
    v = ulg_reshape_3d(g, v, head, n_kv, n);
    q = ul_rope_block(b, rms(b, q, UL_ROLE_ATTN_Q_NORM, "Qcur_normed", il), NULL, n_rot);
    k = ul_rope_block(b, rms(b, k, UL_ROLE_ATTN_K_NORM, "Kcur_normed", il), NULL, n_rot);
    struct ul_attn a = {.q = ul_cb(b, q, "Qcur", il), .k = ul_cb(b, k, "Kcur", il),
                        .v = ul_cb(b, v, "Vcur", il)};
    cur = ul_cb(b, ul_attn_block(b, inp, &a, il), "attn_pregate", il);
    gate = ulg_cont_2d(g, gate, head * n_head, n);
    gate = ul_cb(b, ulg_sigmoid(g, gate), "gate_sigmoid", il);
    cur = ul_cb(b, ulg_mul(g, cur, gate), "attn_gated", il);
    return mm(b, UL_ROLE_ATTN_OUT, cur, "attn_output", il);
}

/* --- the delta net ---------------------------------------------------------------------------- */

/* Heads of the delta net: queries and keys have n_k, values n_v. */
struct heads {
    int64_t k_dim, v_dim, n_k, n_v;
};

static struct heads heads_of(const struct ul_model *m)
{
    return (struct heads){.k_dim = m->ssm_d_state, .v_dim = m->ssm_d_inner / m->ssm_dt_rank,
                          .n_k = m->ssm_n_group, .n_v = m->ssm_dt_rank};
}

/* Decay and strength of each head's update, [1, heads, tokens, sequences]. */
static void gates(struct ul_build *b, struct ul_delta *d, struct ul_tensor *alpha,
                  struct ul_tensor *beta, int64_t n_v, int il)
{
    struct ul_graph *g = b->graph;
    alpha = ulg_add(g, alpha, ul_wt_bias(b, UL_ROLE_SSM_DT, il));
    alpha = ul_cb(b, ulg_softplus(g, alpha), "a_softplus", il);
    alpha = ul_cb(b, ulg_mul(g, alpha, ul_wt(b, UL_ROLE_SSM_A_NOSCAN, il)), "gate", il);
    d->g = ulg_reshape_4d(g, alpha, 1, n_v, b->n_seq_tokens, b->n_seqs);
    d->beta = ulg_reshape_4d(g, beta, 1, n_v, b->n_seq_tokens, b->n_seqs);
}

/* qwen3next: both from one matrix, by groups of heads. */
static void gates_next(struct ul_build *b, struct ul_delta *d, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    struct heads h = heads_of(b->model);
    int64_t each = h.n_v / h.n_k, n = b->n_seq_tokens, n_seqs = b->n_seqs;
    struct ul_tensor *t = ulg_mul_mat(g, ul_wt(b, UL_ROLE_SSM_BETA_ALPHA, il), cur);
    ul_cb(b, t, "linear_attn_mixed_ba", il);
    t = ulg_reshape_4d(g, t, 2 * each, h.n_k, n, n_seqs);
    struct ul_tensor *beta =
        ulg_view_4d(g, t, each, h.n_k, n, n_seqs, t->nb[1], t->nb[2], t->nb[3], 0);
    struct ul_tensor *a = ulg_view_4d(g, t, each, h.n_k, n, n_seqs, t->nb[1], t->nb[2], t->nb[3],
                                      (uint64_t)each * t->nb[0]);
    ul_cb(b, beta, "b", il);
    ul_cb(b, a, "a", il);
    gates(b, d, ulg_cont_3d(g, a, h.n_v, n, n_seqs), ulg_sigmoid(g, beta), h.n_v, il);
}

void ul_delta_gates(struct ul_build *b, struct ul_delta *d, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n_v = b->model->ssm_dt_rank, n = b->n_seq_tokens, n_seqs = b->n_seqs;
    struct ul_tensor *beta = mm(b, UL_ROLE_SSM_BETA, cur, "beta", il);
    beta = ulg_sigmoid(g, ul_cb(b, ulg_reshape_4d(g, beta, 1, n_v, n, n_seqs), "beta", il));
    struct ul_tensor *alpha = mm(b, UL_ROLE_SSM_ALPHA, cur, "alpha", il);
    gates(b, d, ul_cb(b, ulg_reshape_3d(g, alpha, n_v, n, n_seqs), "alpha", il), beta, n_v, il);
    d->beta = ul_cb(b, beta, "beta_sigmoid", il);
}

/* Queries and keys as often as there are value heads, each beside its copies (qwen3next; the fused
 * operation of the others does that itself). */
static struct ul_tensor *repeat_heads(struct ul_build *b, struct ul_tensor *t,
                                      const struct heads *h)
{
    struct ul_graph *g = b->graph;
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs;
    t = ulg_reshape_4d(g, t, h->k_dim, 1, h->n_k, n * n_seqs);
    t = ulg_repeat_4d(g, t, h->k_dim, h->n_v / h->n_k, h->n_k, n * n_seqs);
    return ulg_reshape_4d(g, t, h->k_dim, h->n_v, n, n_seqs);
}

/* Queries, keys and values from the convolution's result. */
static void split_qkv(struct ul_build *b, struct ul_delta *d, struct ul_tensor *t,
                      enum layout layout, int il)
{
    struct ul_graph *g = b->graph;
    struct heads h = heads_of(b->model);
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs;
    uint64_t one = t->nb[0], k_head = (uint64_t)h.k_dim * one, v_head = (uint64_t)h.v_dim * one;
    uint64_t keys = k_head * (uint64_t)h.n_k;
    uint64_t token = 2 * keys + v_head * (uint64_t)h.n_v, seq = token * (uint64_t)n;
    d->q = ulg_view_4d(g, t, h.k_dim, h.n_k, n, n_seqs, k_head, token, seq, 0);
    d->k = ulg_view_4d(g, t, h.k_dim, h.n_k, n, n_seqs, k_head, token, seq, keys);
    d->v = ulg_view_4d(g, t, h.v_dim, h.n_v, n, n_seqs, v_head, token, seq, 2 * keys);
    d->q = ul_l2_norm(b, ul_cb(b, d->q, "q_conv", il));
    d->k = ul_l2_norm(b, ul_cb(b, d->k, "k_conv", il));
    if (layout == NEXT && h.n_k != h.n_v) {
        d->q = repeat_heads(b, d->q, &h);
        d->k = repeat_heads(b, d->k, &h);
    }
    ul_cb(b, d->q, "q_conv_predelta", il);
    ul_cb(b, d->k, "k_conv_predelta", il);
    ul_cb(b, d->v, "v_conv_predelta", il);
}

void ul_delta_split(struct ul_build *b, struct ul_delta *d, struct ul_tensor *t, int il)
{
    split_qkv(b, d, t, QWEN35, il);
}

/* Queries, keys and values to be convolved, and the output's gate. Older files of qwen3next have
 * one matrix for all four, by groups of heads. */
static struct ul_tensor *mixed_qkv_old(struct ul_build *b, struct ul_tensor *cur,
                                       struct ul_tensor **z, int il)
{
    struct ul_graph *g = b->graph;
    struct heads h = heads_of(b->model);
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs, v = h.v_dim * h.n_v / h.n_k;
    struct ul_tensor *t = ulg_mul_mat(g, ul_wt(b, UL_ROLE_SSM_IN, il), cur);
    ul_cb(b, t, "linear_attn_mixed_qkvz", il);
    t = ulg_reshape_4d(g, t, 2 * h.k_dim + 2 * v, h.n_k, n, n_seqs);
    int64_t width[4] = {h.k_dim, h.k_dim, v, v}, at = 0;
    struct ul_tensor *part[4];
    for (int i = 0; i < 4; i++) {
        part[i] = ulg_view_4d(g, t, width[i], h.n_k, n, n_seqs, t->nb[1], t->nb[2], t->nb[3],
                              (uint64_t)at * t->nb[0]);
        at += width[i];
    }
    *z = ul_cb(b, ulg_cont(g, part[3]), "z", il);
    struct ul_tensor *q = ulg_cont_3d(g, part[0], h.k_dim * h.n_k, n, n_seqs);
    struct ul_tensor *k = ulg_cont_3d(g, part[1], h.k_dim * h.n_k, n, n_seqs);
    struct ul_tensor *values = ulg_cont_3d(g, part[2], h.v_dim * h.n_v, n, n_seqs);
    return ul_cb(b, ulg_concat(g, ulg_concat(g, q, k, 0), values, 0), "qkv_mixed", il);
}

static struct ul_tensor *mixed_qkv(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor **z,
                                   enum layout layout, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *qkv = ul_wt(b, UL_ROLE_ATTN_QKV, il), *gate = ul_wt(b, UL_ROLE_ATTN_GATE, il);
    bool scales = layout == QWEN35;
    if (qkv == NULL)
        return mixed_qkv_old(b, cur, z, il);
    *z = ul_mm(b, gate, cur, scales ? ul_wt_scale(b, UL_ROLE_ATTN_GATE, il) : NULL);
    ul_cb(b, *z, "z", il);
    struct ul_tensor *t = ul_mm(b, qkv, cur, scales ? ul_wt_scale(b, UL_ROLE_ATTN_QKV, il) : NULL);
    t = ulg_reshape_3d(g, t, t->ne[0], b->n_seq_tokens, b->n_seqs);
    return ul_cb(b, t, "linear_attn_qkv_mixed", il);
}

static struct ul_tensor *delta_net(struct ul_build *b, const struct ul_rs_inp *inp,
                                   struct ul_tensor *cur, enum layout layout, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct heads h = heads_of(m);
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs;
    int64_t channels = (int64_t)m->ssm_d_inner + 2 * h.n_k * h.k_dim;
    struct ul_delta d = {0};
    struct ul_tensor *z, *mixed = mixed_qkv(b, cur, &z, layout, il);
    struct ul_tensor *kernel = ul_wt(b, UL_ROLE_SSM_CONV1D, il);
    if (layout == NEXT)
        gates_next(b, &d, cur, il);
    else
        ul_delta_gates(b, &d, cur, il);
    struct ul_tensor *t = ul_conv_state_block(b, inp, mixed, kernel->ne[0], channels, il);
    d.state = ul_rs_block(b, inp, ul_state_of(b, il)->s, (int64_t)ul_n_embd_s(m));
    d.state = ulg_reshape_4d(g, d.state, h.v_dim, h.v_dim, h.n_v, n_seqs);
    ul_cb(b, d.state, "state_predelta", il);
    t = ul_cb(b, ulg_ssm_conv(g, t, kernel), "conv_output_raw", il);
    split_qkv(b, &d, ul_cb(b, ulg_silu(g, t), "conv_output_silu", il), layout, il);
    t = ul_cb(b, ul_delta_block(b, &d, ul_state_of(b, il)->s), "attn_output", il);
    t = ul_norm_block(b, t, ul_wt(b, UL_ROLE_SSM_NORM, il), NULL, UL_NORM_RMS, il);
    z = ulg_reshape_4d(g, z, h.v_dim, h.n_v, n, n_seqs);
    t = ulg_mul(g, t, ulg_silu(g, z));
    t = ul_cb(b, ulg_reshape_3d(g, t, h.v_dim * h.n_v, n, n_seqs), "final_output", il);
    struct ul_tensor *scale = layout == QWEN35 ? ul_wt_scale(b, UL_ROLE_SSM_OUT, il) : NULL;
    t = ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_SSM_OUT, il), t, scale), "linear_attn_out", il);
    return ulg_reshape_2d(g, t, m->n_embd, n * n_seqs);
}

/* --- feed-forward ----------------------------------------------------------------------------- */

struct ul_tensor *ul_delta_experts(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_moe e = ul_moe_of(b, UL_FFN_SILU, il);
    e.probs_b = NULL;
    e.norm_w = true;
    e.gating = UL_GATING_SOFTMAX;
    e.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_EXPS, il);
    e.gate_s = ul_wt_scale(b, UL_ROLE_FFN_GATE_EXPS, il);
    e.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_EXPS, il);
    struct ul_tensor *out = ul_moe_block(b, x, &e, il);
    if (ul_wt(b, UL_ROLE_FFN_UP_SHEXP, il) == NULL)
        return out;
    struct ul_ffn f = ul_ffn_shexp_of(b, UL_FFN_SILU, il);
    f.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_SHEXP, il);
    f.gate_s = ul_wt_scale(b, UL_ROLE_FFN_GATE_SHEXP, il);
    f.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_SHEXP, il);
    struct ul_tensor *shared = ul_cb(b, ul_ffn_block(b, x, &f, il), "ffn_shexp", il);
    struct ul_tensor *gate = ulg_mul_mat(g, ul_wt(b, UL_ROLE_FFN_GATE_INP_SHEXP, il), x);
    gate = ulg_sigmoid(g, ul_cb(b, gate, "shared_expert_gate", il));
    ul_cb(b, gate, "shared_expert_gate_sigmoid", il);
    shared = ul_cb(b, ulg_mul(g, shared, gate), "ffn_shexp_gated", il);
    return ul_cb(b, ulg_add(g, out, shared), "ffn_out", il);
}

static struct ul_tensor *feed_forward(struct ul_build *b, struct ul_tensor *x, enum layout layout,
                                      int il)
{
    if (ul_wt(b, UL_ROLE_FFN_GATE_INP, il))
        return ul_delta_experts(b, x, il);
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_SILU, layout == QWEN35, il);
    f.up_b = f.gate_b = f.down_b = NULL;
    return ul_cb(b, ul_ffn_block(b, x, &f, il), "ffn_out", il);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Newer than the source that was read: files for retrieval have a matrix behind the last norm,
 * whose result stands for the embeddings. */
static void project_embd(struct ul_build *b, struct ul_tensor *x)
{
    struct ul_tensor *w = ul_wt(b, UL_ROLE_CLS_OUT, -1);
    if (w == NULL)
        return;
    x = ul_add_opt(b, ulg_mul_mat(b->graph, w, x), ul_wt_bias(b, UL_ROLE_CLS_OUT, -1));
    b->t_embd = ul_cb(b, x, "result_embd_proj", -1);
    ul_expand(b, x);
}

static int build(struct ul_build *b, enum layout layout)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct ul_tensor *cur = rms(b, x, UL_ROLE_ATTN_NORM, "attn_norm", il);
        ul_expand(b, cur);
        cur = b->model->layer[il].is_recr ? delta_net(b, &rs, cur, layout, il)
                                          : attention(b, &kv, cur, layout, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_last_rows(b, x, il);
        x = ul_cb(b, ulg_add(g, cur, x), "attn_residual", il);
        cur = rms(b, x, UL_ROLE_ATTN_POST_NORM, "attn_post_norm", il);
        x = ul_cb(b, ulg_add(g, feed_forward(b, cur, layout, il), x), "l_out", il);
    }
    x = b->t_h_nextn = ul_result_norm(b, x, UL_NORM_RMS);
    if (layout == QWEN35)
        project_embd(b, x);
    ul_result_output(b, x);
    return ULLAGE_OK;
}

int ul_prog_qwen3next(struct ul_build *b)
{
    return build(b, NEXT);
}

int ul_prog_qwen35(struct ul_build *b)
{
    return build(b, QWEN35);
}

/* The draft head is a layer with attention; qwen3next's drops rows where its last layer does. */
static int build_head(struct ul_build *b, enum layout layout)
{
    struct ul_graph *g = b->graph;
    int il = ul_head_layer(b);
    struct ul_tensor *x = ul_head_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    struct ul_tensor *cur = rms(b, x, UL_ROLE_ATTN_NORM, "mtp_attn_norm", il);
    cur = attention(b, &kv, cur, QWEN35, il);
    if (layout == NEXT) {
        cur = ulg_get_rows(g, cur, ul_inp_out_ids(b));
        x = ulg_get_rows(g, x, ul_inp_out_ids(b));
    }
    x = ul_cb(b, ulg_add(g, cur, x), "mtp_attn_residual", il);
    cur = rms(b, x, UL_ROLE_ATTN_POST_NORM, "mtp_attn_post_norm", il);
    x = ul_cb(b, ulg_add(g, feed_forward(b, cur, QWEN35, il), x), "mtp_post_ffn", il);
    ul_head_outputs(b, x, layout == NEXT ? UL_HEAD_ROWS_GONE : UL_HEAD_ROWS_LAST);
    return ULLAGE_OK;
}

int ul_head_qwen3next(struct ul_build *b)
{
    return build_head(b, NEXT);
}

int ul_head_qwen35(struct ul_build *b)
{
    return build_head(b, QWEN35);
}
