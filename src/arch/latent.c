/* Latent attention. See latent.h. Source: src/models/deepseek2.cpp; its relatives have the same
 * operations in the same order, down to which tensor is a view of which. */
#include "arch/latent.h"

struct ul_latent ul_latent_of(const struct ul_model *m, bool rotates, int il)
{
    struct ul_latent l = {.head_k = ul_n_embd_head_k_mla(m), .head_v = ul_n_embd_head_v_mla(m),
                          .n_rot = m->n_rot_full, .n_lora = m->n_lora_kv, .rotates = rotates,
                          .pe_first = !rotates};
    if (m->layer[il].is_swa && m->n_lora_kv_swa > 0) { /* src/models/dots3note.cpp */
        l.head_k = m->n_embd_head_k_mla_swa;
        l.head_v = m->n_embd_head_v_mla_swa;
        l.n_lora = m->n_lora_kv_swa;
    }
    return l;
}

/* --- queries ---------------------------------------------------------------------------------- */

struct ul_tensor *ul_latent_low_q(struct ul_build *b, struct ul_tensor *cur, int il)
{
    if (ul_wt(b, UL_ROLE_ATTN_Q_A, il) == NULL)
        return NULL;
    cur = ul_cb(b, ulg_mul_mat(b->graph, ul_wt_needed(b, UL_ROLE_ATTN_Q_A, il), cur), "q", il);
    cur = ul_norm_block(b, cur, ul_wt(b, UL_ROLE_ATTN_Q_A_NORM, il), NULL, UL_NORM_RMS, il);
    return ul_cb(b, cur, "q", il);
}

struct ul_tensor *ul_latent_q(struct ul_build *b, struct ul_tensor *low, struct ul_tensor *cur,
                              int il)
{
    struct ul_tensor *w = ul_wt_needed(b, low ? UL_ROLE_ATTN_Q_B : UL_ROLE_ATTN_Q, il);
    return ul_cb(b, ulg_mul_mat(b->graph, w, low ? low : cur), "q", il);
}

static struct ul_tensor *rope(struct ul_build *b, const struct ul_latent *l, struct ul_tensor *t,
                              struct ul_tensor *factors)
{
    return l->rotates ? ul_rope_block(b, t, factors, l->n_rot) : t;
}

/* --- keys and values -------------------------------------------------------------------------- */

/* The latent, normed, and the part of the keys that is rotated. */
struct narrow {
    struct ul_tensor *latent, *k_pe;
};

static struct narrow narrow_kv(struct ul_build *b, const struct ul_latent *l, struct ul_tensor *cur,
                               struct ul_tensor *factors, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *kv = ulg_mul_mat(g, ul_wt_needed(b, UL_ROLE_ATTN_KV_A_MQA, il), cur);
    ul_cb(b, kv, "kv_cmpr_pe", il);
    struct narrow n = {
        .latent = ulg_view_2d(g, kv, l->n_lora, b->n_tokens, kv->nb[1], 0),
        .k_pe = ulg_view_3d(g, kv, l->n_rot, 1, b->n_tokens, kv->nb[1], kv->nb[1],
                            ul_row_bytes(kv->type, (uint64_t)l->n_lora))};
    ul_cb(b, n.latent, "kv_cmpr", il);
    ul_cb(b, n.k_pe, "k_pe", il);
    if (ul_wt(b, UL_ROLE_ATTN_K_NORM, il)) /* dots3note */
        n.k_pe = ul_norm_block(b, n.k_pe, ul_wt(b, UL_ROLE_ATTN_K_NORM, il), NULL, UL_NORM_RMS, il);
    n.k_pe = ul_cb(b, rope(b, l, n.k_pe, factors), "k_pe", il);
    n.latent =
        ul_norm_block(b, n.latent, ul_wt(b, UL_ROLE_ATTN_KV_A_NORM, il), NULL, UL_NORM_RMS, il);
    ul_cb(b, n.latent, "kv_cmpr", il);
    return n;
}

/* Some values of every head of the queries, from `first` on. */
static struct ul_tensor *part_of_heads(struct ul_build *b, const struct ul_latent *l,
                                       struct ul_tensor *q, int64_t first, int64_t n, int il)
{
    int64_t n_head = b->model->layer[il].n_head;
    uint64_t head = ul_row_bytes(q->type, (uint64_t)l->head_k);
    return ulg_view_3d(b->graph, q, n, n_head, b->n_tokens, head, head * (uint64_t)n_head,
                       ul_row_bytes(q->type, (uint64_t)first));
}

static void set_output_matrix(struct ul_build *b, struct ul_attn *a, int il)
{
    a->wo = ul_wt(b, UL_ROLE_ATTN_OUT, il);
    a->wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il);
}

struct ul_attn ul_latent_absorbed(struct ul_build *b, const struct ul_latent *l,
                                  struct ul_tensor *q, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_attn a = {.v_mla = ul_wt(b, UL_ROLE_ATTN_V_B, il)};
    struct narrow n = narrow_kv(b, l, cur, NULL, il);
    int64_t n_nope = l->head_k - l->n_rot;
    struct ul_tensor *nope = ul_cb(b, part_of_heads(b, l, q, 0, n_nope, il), "q_nope", il);
    struct ul_tensor *pe = ul_cb(b, part_of_heads(b, l, q, n_nope, l->n_rot, il), "q_pe", il);
    pe = ul_cb(b, rope(b, l, pe, NULL), "q_pe", il);
    nope = ul_cb(b, ulg_permute(g, nope, 0, 2, 1, 3), "q_nope_perm", il);
    nope = ul_cb(b, ulg_mul_mat(g, ul_wt_needed(b, UL_ROLE_ATTN_K_B, il), nope), "q_nope_absorbed",
                 il);
    nope = ul_cb(b, ulg_permute(g, nope, 0, 2, 1, 3), "q_nope_absorbed_perm", il);
    a.q = ul_cb(b, ulg_concat(g, nope, pe, 0), "Qcur", il);
    a.v = ul_cb(b, ulg_reshape_3d(g, n.latent, l->n_lora, 1, b->n_tokens), "Vcur", il);
    a.k = ul_cb(b, ulg_concat(g, a.v, n.k_pe, 0), "Kcur", il);
    set_output_matrix(b, &a, il);
    return a;
}

struct ul_attn ul_latent_full(struct ul_build *b, const struct ul_latent *l, struct ul_tensor *q,
                              struct ul_tensor *cur, struct ul_tensor *factors, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_attn a = {0};
    struct narrow n = narrow_kv(b, l, cur, factors, il);
    int64_t n_head = b->model->layer[il].n_head, n_nope = l->head_k - l->n_rot;
    struct ul_tensor *kv = ulg_mul_mat(g, ul_wt_needed(b, UL_ROLE_ATTN_KV_B, il), n.latent);
    uint64_t head = ul_row_bytes(kv->type, (uint64_t)(n_nope + l->head_v));
    uint64_t all = head * (uint64_t)n_head;
    ul_cb(b, kv, "kv", il);
    struct ul_tensor *nope = ulg_view_3d(g, kv, n_nope, n_head, b->n_tokens, head, all, 0);
    ul_cb(b, nope, "k_nope_view", il);
    a.v = ulg_view_3d(g, kv, l->head_v, n_head, b->n_tokens, head, all,
                      ul_row_bytes(kv->type, (uint64_t)n_nope));
    a.v = ul_cb(b, ulg_cont(g, ul_cb(b, a.v, "Vcur_view", il)), "Vcur_cont", il);
    a.q = ul_cb(b, rope(b, l, q, factors), "Qcur", il);
    struct ul_tensor *pe = ulg_repeat_4d(g, n.k_pe, l->n_rot, n_head, b->n_tokens, 1);
    a.k = l->pe_first ? ulg_concat(g, pe, nope, 0) : ulg_concat(g, nope, pe, 0);
    ul_cb(b, a.k, "Kcur", il);
    set_output_matrix(b, &a, il);
    return a;
}

/* --- feed-forward ----------------------------------------------------------------------------- */

struct ul_moe ul_moe_scaled_of(struct ul_build *b, enum ul_ffn_op op, bool scales, int il)
{
    struct ul_moe e = ul_moe_of(b, op, il);
    if (scales) {
        e.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_EXPS, il);
        e.gate_s = ul_wt_scale(b, UL_ROLE_FFN_GATE_EXPS, il);
        e.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_EXPS, il);
    }
    return e;
}

struct ul_ffn ul_ffn_shexp_scaled_of(struct ul_build *b, enum ul_ffn_op op, bool scales, int il)
{
    struct ul_ffn f = ul_ffn_shexp_of(b, op, il);
    if (scales) {
        f.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_SHEXP, il);
        f.gate_s = ul_wt_scale(b, UL_ROLE_FFN_GATE_SHEXP, il);
        f.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_SHEXP, il);
    }
    return f;
}

struct ul_tensor *ul_latent_ffn(struct ul_build *b, struct ul_tensor *cur, bool scales, int il)
{
    if (il < (int)b->model->n_layer_dense_lead) {
        struct ul_ffn f = ul_ffn_of(b, UL_FFN_SILU, scales, il);
        f.up_b = f.gate_b = f.down_b = NULL;
        return ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
    }
    struct ul_moe e = ul_moe_scaled_of(b, UL_FFN_SILU, scales, il);
    struct ul_ffn f = ul_ffn_shexp_scaled_of(b, UL_FFN_SILU, scales, il);
    struct ul_tensor *routed = ul_moe_block(b, cur, &e, il);
    struct ul_tensor *shared = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_shexp", il);
    return ul_cb(b, ulg_add(b->graph, routed, shared), "ffn_out", il);
}

/* --- an indexer's part ------------------------------------------------------------------------ */

/* Fused, or spelled out: a product for each head, its positive part, the heads' weighted sum. */
struct ul_tensor *ul_indexer_scores(struct ul_build *b, struct ul_tensor *q, struct ul_tensor *k,
                                    struct ul_tensor *weights, struct ul_tensor *mask)
{
    struct ul_graph *g = b->graph;
    if (b->cparams->fused_lid)
        return ulg_lightning_indexer(g, q, k, weights, mask);
    q = ulg_permute(g, q, 0, 2, 1, 3);
    k = ulg_permute(g, k, 0, 2, 1, 3);
    struct ul_tensor *s = ulg_cont(g, ulg_permute(g, ulg_mul_mat(g, k, q), 2, 1, 0, 3));
    s = ulg_sum_rows(g, ulg_mul(g, ulg_relu(g, s), weights));
    return ulg_add(g, ulg_cont(g, ulg_permute(g, s, 2, 1, 0, 3)), mask);
}

struct ul_tensor *ul_mask_others(struct ul_build *b, struct ul_tensor *mask, struct ul_tensor *top,
                                 enum ul_type zeros_type)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *all = ulg_fill(g, mask);
    all = ulg_view_4d(g, all, 1, all->ne[0], all->ne[1], all->ne[3], all->nb[0], all->nb[1],
                      all->nb[2], 0);
    top = ulg_view_4d(g, top, top->ne[0], top->ne[1], top->ne[3], 1, top->nb[1], top->nb[2],
                      (uint64_t)top->ne[3] * top->nb[3], 0);
    struct ul_tensor *zeros = ulg_new_4d(g, zeros_type, 1, top->ne[0], top->ne[1], top->ne[2]);
    all = ulg_set_rows(g, all, ulg_fill(g, zeros), top);
    all = ulg_view_4d(g, all, all->ne[1], all->ne[2], 1, all->ne[3], all->nb[2], all->nb[3],
                      all->nb[3], 0);
    return ulg_add(g, all, mask);
}
