/* Latent attention over the keys that an indexer picks: DeepSeek V3.2, GLM 5, dots3note. A small
 * attention without values, the lightning indexer, scores all keys; the best stay unmasked.
 * Sources: src/models/deepseek32.cpp, glm-dsa.cpp, dots3note.cpp; src/llama-graph.cpp
 * (build_attn_inp_k_dsa, build_attn over llm_graph_input_attn_k_dsa). */
#include "arch/rows.h"
#include "arch/sparse.h"

/* The indexer's mask follows the fused indexer, not flash attention. */
struct ul_sparse_inp ul_sparse_inputs(struct ul_build *b)
{
    struct ul_sparse_inp in = {.attn = {.kind = UL_ATTN_K}};
    in.attn.full = ul_attn_side_of(b, UL_KV_BASE, false);
    in.index = ul_attn_side_of(b, UL_KV_INDEX, false);
    in.index.mask = ul_attn_mask(b, UL_KV_INDEX, b->cparams->fused_lid);
    if (b->model->swa_type != UL_SWA_NONE)
        in.attn.swa = ul_attn_side_of(b, UL_KV_SWA, false);
    return in;
}

/* --- the indexer ------------------------------------------------------------------------------ */

/* Rotated positions; then Hadamard's rotation where the cache has one (hy_v4's has none). */
static struct ul_tensor *rotate(struct ul_build *b, struct ul_tensor *t, struct ul_tensor *rot,
                                const char *name, int il)
{
    t = ul_cb(b, ul_rope_block(b, t, NULL, b->model->n_rot_full), name, il);
    return rot ? ul_cb(b, ulg_mul_mat(b->graph, rot, t), name, il) : t;
}

/* The indexer's key of each token goes into its cache. */
static void store_key(struct ul_build *b, struct ul_tensor *cur, const struct ul_sparse_inp *in,
                      int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct ul_tensor *k = ulg_mul_mat(g, ul_wt_needed(b, UL_ROLE_INDEXER_ATTN_K, il), cur);
    k = ul_norm_of(b, ul_cb(b, k, "indexer_k", il), UL_ROLE_INDEXER_K_NORM, UL_NORM_LAYER, il);
    k = ulg_reshape_3d(g, ul_cb(b, k, "indexer_k", il), m->indexer_head_size, 1, b->n_tokens);
    k = rotate(b, k, in->index.k_rot, "indexer_k", il);
    ul_expand(b, ul_kv_put_k(b, UL_KV_INDEX, k, in->index.k_idxs, il));
}

/* The numbers of the keys that each token attends to. */
static struct ul_tensor *pick_keys(struct ul_build *b, struct ul_tensor *low_q,
                                   struct ul_tensor *cur, const struct ul_sparse_inp *in, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    store_key(b, cur, in, il);
    struct ul_tensor *q = ulg_mul_mat(g, ul_wt_needed(b, UL_ROLE_INDEXER_ATTN_Q_B, il), low_q);
    q = ulg_reshape_3d(g, ul_cb(b, q, "indexer_q", il), m->indexer_head_size, m->indexer_n_head,
                       b->n_tokens);
    q = rotate(b, q, in->index.k_rot, "indexer_q", il);
    struct ul_tensor *w = ulg_mul_mat(g, ul_wt_needed(b, UL_ROLE_INDEXER_PROJ, il), cur);
    ul_cb(b, w, "indexer_weights", il);
    struct ul_tensor *k = ul_kv_get_k(b, UL_KV_INDEX, il);
    int64_t n = k->ne[3];
    uint64_t n_bytes = (uint64_t)n;
    q = ulg_view_4d(g, q, q->ne[0], q->ne[1], q->ne[2] / n, n, q->nb[1], q->nb[2],
                    q->nb[3] / n_bytes, 0);
    w = ulg_view_4d(g, w, w->ne[0], w->ne[1] / n, w->ne[2], n, w->nb[1], w->nb[2] / n_bytes,
                    w->nb[3] / n_bytes, 0);
    w = ul_cb(b, ulg_scale(g, w), "indexer_weights", il);
    struct ul_tensor *score = ul_indexer_scores(b, q, k, w, in->index.mask);
    ul_cb(b, score, "indexer_score", il);
    int64_t top = score->ne[0] < m->indexer_top_k ? score->ne[0] : m->indexer_top_k;
    return ul_cb(b, ulg_cont(g, ulg_top_k(g, score, top)), "top_k", il);
}

/* --- attention -------------------------------------------------------------------------------- */

/* build_attn over the keys picked. */
static struct ul_tensor *attend(struct ul_build *b, const struct ul_attn_side *s,
                                const struct ul_attn *a, struct ul_tensor *top, int il)
{
    ul_expand(b, a->q);
    ul_expand(b, a->v);
    ul_expand(b, a->k);
    ul_expand(b, ul_kv_put_k(b, s->cache, a->k, s->k_idxs, il));
    struct ul_tensor *mask = ul_mask_others(b, s->mask, top, UL_F32);
    struct ul_tensor *k = ul_kv_get_k(b, s->cache, il);
    struct ul_tensor *v = ulg_view_4d(b->graph, k, a->v->ne[0], k->ne[1], k->ne[2], k->ne[3],
                                      k->nb[1], k->nb[2], k->nb[3], 0);
    struct ul_tensor *cur = ul_cb(b, ul_attn_mha(b, a, k, v, mask, il), "kqv_out", il);
    return a->wo ? ul_mm(b, a->wo, cur, a->wo_s) : cur;
}

/* A gate from the layer's input, before the output matrix: one a head (src/models/dots3note.cpp),
 * or one a value (hy_v4). */
static struct ul_tensor *gated_output(struct ul_build *b, const struct ul_latent *l,
                                      struct ul_tensor *cur, struct ul_tensor *x,
                                      const struct ul_attn *a, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n_head = b->model->layer[il].n_head;
    struct ul_tensor *gate = ul_mm(b, ul_wt(b, UL_ROLE_ATTN_GATE, il), x, NULL);
    gate = ul_cb(b, ulg_sigmoid(g, gate), "attn_gate", il);
    if (gate->ne[0] == cur->ne[0]) {
        cur = ulg_mul(g, cur, gate);
    } else {
        cur = ulg_reshape_3d(g, cur, l->head_v, n_head, b->n_tokens);
        cur = ulg_mul(g, cur, ulg_reshape_3d(g, gate, 1, n_head, b->n_tokens));
        cur = ulg_reshape_2d(g, cur, l->head_v * n_head, b->n_tokens);
    }
    return ul_mm(b, a->wo, ul_cb(b, cur, "attn_gated", il), a->wo_s);
}

struct ul_tensor *ul_sparse_attention(struct ul_build *b, struct ul_tensor *x,
                                      const struct ul_sparse_inp *in, struct ul_tensor **top,
                                      int il)
{
    const struct ul_model *m = b->model;
    struct ul_latent l = ul_latent_of(m, true, il);
    struct ul_tensor *low = ul_latent_low_q(b, x, il), *cur;
    bool windowed = m->layer[il].is_swa;
    bool own = m->arch->has_indexer == NULL || m->arch->has_indexer(m, (uint32_t)il);
    bool gated = ul_wt(b, UL_ROLE_ATTN_GATE, il) != NULL;
    if (own && !windowed)
        *top = pick_keys(b, low, x, in, il);
    struct ul_attn a = ul_latent_absorbed(b, &l, ul_latent_q(b, low, x, il), x, il);
    if (in->no_wo_scale)
        a.wo_s = NULL;
    a.sinks = ul_wt(b, UL_ROLE_ATTN_SINKS, il); /* hy_v4's */
    struct ul_attn bare = a;
    if (gated)
        bare.wo = bare.wo_s = NULL;
    cur = windowed || *top == NULL ? ul_attn_block(b, &in->attn, &bare, il)
                                   : attend(b, &in->attn.full, &bare, *top, il);
    return gated ? gated_output(b, &l, cur, x, &a, il) : cur;
}

int ul_prog_sparse(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b), *top = NULL;
    struct ul_sparse_inp in = ul_sparse_inputs(b);
    for (int il = 0; il < (int)m->n_layer; il++) {
        struct ul_tensor *cur = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
        cur = ul_sparse_attention(b, ul_cb(b, cur, "attn_norm", il), &in, &top, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_cb(b, ulg_add(g, cur, ul_last_rows(b, x, il)), "ffn_inp", il);
        cur = ul_cb(b, ul_norm_of(b, x, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "ffn_norm", il);
        x = ul_cb(b, ulg_add(g, ul_latent_ffn(b, cur, true, il), x), "l_out", il);
    }
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}
