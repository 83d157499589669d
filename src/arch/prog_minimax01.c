/* The layer program of MiniMax-01: attention, and lightning attention, which keeps one matrix a
 * head that decays with the head's slope. Source: src/models/minimax-01.cpp. */
#include "arch/build.h"
#include "arch/rows.h"

/* llm_graph_input_la: what the positions of a batch do to each head's decay. */
struct decay {
    struct ul_tensor *slopes, *q, *k, *diag;
};

static struct ul_tensor *input(struct ul_build *b, const char *name, int64_t n0, int64_t n1,
                               int64_t n2, int64_t n3)
{
    struct ul_tensor *t = ulg_new_4d(b->graph, UL_F32, n0, n1, n2, n3);
    return ulg_name(ulg_set_input(t), name, -1);
}

static struct decay decay_inputs(struct ul_build *b)
{
    int64_t n_head = b->model->layer[0].n_head, n = b->n_seq_tokens, n_seqs = b->n_seqs;
    return (struct decay){.slopes = input(b, "slopes", n_head, 1, 1, 1),
                          .q = input(b, "q_decay_exp", 1, n_head, n, n_seqs),
                          .k = input(b, "k_decay_exp", 1, n_head, n, n_seqs),
                          .diag = input(b, "diag_decay_exp", n, n, n_head, n_seqs)};
}

/* Queries, keys, values, and the head's matrix before and after the batch. */
struct lightning {
    struct ul_tensor *q, *k, *v, *old, *new;
    struct ul_tensor *slope_rate;
};

static struct ul_tensor *old_decayed(struct ul_build *b, const struct lightning *l, int64_t n_head)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = ulg_exp(g, ulg_scale(g, l->slope_rate));
    return ulg_mul(g, l->old, ulg_reshape_3d(g, t, 1, 1, n_head));
}

/* Keys or values with the tokens first, so that a product sums over them. */
static struct ul_tensor *tokens_first(struct ul_build *b, struct ul_tensor *t)
{
    return ulg_cont(b->graph, ulg_permute(b->graph, t, 1, 2, 0, 3));
}

/* What the batch gives, from the matrix as it was and from the batch itself; and the matrix after
 * it. The source that was read has a shorter form for a single token, which the pinned engine has
 * dropped. */
static struct ul_tensor *attend(struct ul_build *b, struct lightning *l, const struct decay *d,
                                     int64_t n_head)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *q_decay = ulg_exp(g, ulg_scale(g, d->q));
    struct ul_tensor *diag = ulg_exp(g, ulg_scale(g, d->diag));
    struct ul_tensor *q_s = ulg_permute(g, ulg_mul(g, l->q, q_decay), 0, 2, 1, 3);
    struct ul_tensor *before = ulg_mul_mat(g, l->old, q_s);
    struct ul_tensor *q = ulg_permute(g, l->q, 0, 2, 1, 3), *k = ulg_permute(g, l->k, 0, 2, 1, 3);
    struct ul_tensor *qk = ulg_mul(g, ulg_mul_mat(g, k, q), diag);
    struct ul_tensor *v = tokens_first(b, l->v);
    struct ul_tensor *qkv = ulg_add(g, before, ulg_mul_mat(g, v, qk));
    ul_expand(b, qkv);
    struct ul_tensor *k_decay = ulg_exp(g, ulg_scale(g, d->k));
    k = tokens_first(b, ulg_mul(g, l->k, k_decay));
    l->new = ulg_add(g, old_decayed(b, l, n_head), ulg_mul_mat(g, k, v));
    return qkv;
}

/* Queries, keys and values of each head lie together in one matrix. */
static void split_heads(struct ul_build *b, struct lightning *l, struct ul_tensor *t, int64_t head,
                        int64_t n_head)
{
    struct ul_graph *g = b->graph;
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs;
    struct ul_tensor **to[3] = {&l->q, &l->k, &l->v};
    t = ulg_reshape_4d(g, ulg_silu(g, t), head * 3, n_head, n, n_seqs);
    for (int i = 0; i < 3; i++)
        *to[i] = ulg_view_4d(g, t, head, n_head, n, n_seqs, t->nb[1], t->nb[2], t->nb[3],
                             (uint64_t)(i * head) * t->nb[0]);
}

static struct ul_tensor *lightning(struct ul_build *b, const struct ul_rs_inp *rs,
                                   const struct decay *d, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = ul_n_embd_head_v(m, (uint32_t)il), n_head = m->layer[il].n_head;
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs, size = (int64_t)ul_n_embd_s(m);
    struct ul_state_layer *st = ul_state_of(b, il);
    struct lightning l = {.slope_rate = ulg_scale(g, d->slopes)};
    ul_expand(b, ul_rs_block(b, rs, st->r, (int64_t)ul_n_embd_r(m)));
    cur = ulg_reshape_4d(g, cur, cur->ne[0], n, 1, n_seqs);
    split_heads(b, &l, ulg_mul_mat(g, ul_wt(b, UL_ROLE_ATTN_QKV, il), cur), head, n_head);
    l.old = ulg_reshape_4d(g, ul_rs_block(b, rs, st->s, size), head, head, n_head, n_seqs);
    struct ul_tensor *t = attend(b, &l, d, n_head);
    ul_expand(b, ulg_cpy(g, l.new, ulg_view_1d(g, st->s, size * n_seqs, 0)));
    t = ulg_cont(g, ulg_permute(g, t, 0, 2, 1, 3));
    t = ulg_reshape_4d(g, t, t->ne[0] * t->ne[1], t->ne[2], 1, t->ne[3]);
    t = ul_norm_block(b, t, ul_wt(b, UL_ROLE_ATTN_NORM_2, il), NULL, UL_NORM_RMS, il);
    struct ul_tensor *gate = ulg_sigmoid(g, ulg_mul_mat(g, ul_wt(b, UL_ROLE_ATTN_GATE, il), cur));
    cur = ulg_mul_mat(g, ul_wt(b, UL_ROLE_ATTN_OUT, il), ulg_mul(g, gate, t));
    return ulg_reshape_2d(g, cur, cur->ne[0], n * n_seqs);
}

static struct ul_tensor *attention(struct ul_build *b, const struct ul_attn_inp *inp,
                                   struct ul_tensor *cur, int il)
{
    const struct ul_layer *l = &b->model->layer[il];
    int64_t head = ul_n_embd_head_v(b->model, (uint32_t)il),
            n_rot = ul_n_rot(b->model, (uint32_t)il);
    struct ul_qkv r = ul_qkv_block(b, cur, head, l->n_head, l->n_head_kv, il);
    struct ul_attn a = {.q = ul_rope_block(b, r.q, NULL, n_rot),
                        .k = ul_rope_block(b, r.k, NULL, n_rot),
                        .v = r.v,
                        .wo = ul_wt(b, UL_ROLE_ATTN_OUT, il),
                        .wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il)};
    return ul_attn_block(b, inp, &a, il);
}

static struct ul_tensor *experts(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_moe e = ul_moe_of(b, UL_FFN_SILU, il);
    e.norm_w = true;
    e.gating = UL_GATING_SOFTMAX;
    return ul_cb(b, ul_moe_block(b, cur, &e, il), "ffn_moe_out", il);
}

/* What goes around attention and experts is the normed stream, scaled, not the stream. */
int ul_prog_minimax01(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    struct decay d = decay_inputs(b);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct ul_tensor *n = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
        struct ul_tensor *cur = b->model->layer[il].is_recr ? lightning(b, &rs, &d, n, il)
                                                            : attention(b, &kv, n, il);
        cur = ul_last_rows(b, cur, il);
        n = ul_last_rows(b, n, il);
        cur = ul_cb(b, ulg_add(g, cur, ulg_scale(g, n)), "ffn_inp", il);
        n = ul_norm_of(b, cur, UL_ROLE_FFN_NORM, UL_NORM_RMS, il);
        cur = experts(b, n, il);
        x = ul_cb(b, ulg_add(g, cur, ulg_scale(g, n)), "l_out", il);
    }
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}
