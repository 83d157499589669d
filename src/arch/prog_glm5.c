/* GLM 5 Next: delta attention and sparse latent attention in hyper-connections. The indexer scores
 * pools of a few keys each, which it makes itself when a pool is full: its cache holds a token's
 * key, its gate, and in the third part the pools. The newest keys, not yet in a pool, are attended
 * to unless a key says otherwise. Newer than the source that was read: all of this follows the
 * graphs that the pinned engine builds. */
#include "arch/hyper.h"
#include "arch/latent.h"
#include "arch/rows.h"

/* What pools are padded by. */
#define POOL_PAD 64

struct inputs {
    struct ul_rs_inp rs;
    struct ul_attn_side attn, index;
    int64_t pool, n_pools, n_read, n_top,
        n_picked; /* keys a pool; pools; those read; picked; their keys */
    struct ul_tensor *read, *cells_of_pool, *pool_mask, *tail,
        *moved;                          /* of the pools that are read */
    struct ul_tensor *fill_cells, *fill; /* of the pools that become full */
};

static struct ul_tensor *input(struct ul_build *b, enum ul_type type, int64_t n0, int64_t n1,
                               int64_t n3)
{
    return ulg_set_input(ulg_new_4d(b->graph, type, n0, n1, 1, n3));
}

/* Every slot has pools for all cells that it may see. */
static struct inputs make_inputs(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    struct inputs in = {.rs = ul_rs_inputs(b), .pool = m->indexer_kpool,
                        .attn = ul_attn_side_of(b, UL_KV_BASE, false),
                        .index = ul_attn_side_of(b, UL_KV_INDEX, false)};
    int64_t n = b->n_tokens, seqs = b->cparams->n_seq_max;
    in.n_pools = b->memory->cache[UL_KV_INDEX].cells / in.pool * seqs;
    in.n_read = (int64_t)ul_pad((uint64_t)in.n_pools + 1, POOL_PAD);
    in.n_top = m->indexer_top_k / in.pool;
    if (in.n_top > in.n_read)
        in.n_top = in.n_read;
    in.n_picked = in.n_top * in.pool + (m->no_pool_tail ? 0 : in.pool - 1);
    in.read = input(b, UL_I32, in.n_read, 1, 1);
    in.cells_of_pool = input(b, UL_I32, in.pool, in.n_read, 1);
    in.pool_mask = input(b, b->cparams->fused_lid ? UL_F16 : UL_F32, in.n_read, n, 1);
    in.tail = input(b, UL_I32, in.pool - 1, n, 1);
    in.moved = input(b, UL_F32, in.n_picked, 1, n);
    in.fill_cells = input(b, UL_I32, in.pool, in.n_pools, 1);
    in.fill = input(b, UL_I64, in.n_pools, 1, 1);
    ul_expand(b, in.read);
    ul_expand(b, in.cells_of_pool);
    ul_expand(b, in.pool_mask);
    ul_expand(b, in.tail);
    ul_expand(b, in.moved);
    return in;
}

/* --- the indexer ------------------------------------------------------------------------------ */

/* A token's key and gate, and room for a pool, into the cache. */
static void store_keys(struct ul_build *b, struct ul_tensor *cur, const struct inputs *in, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n = b->n_tokens, head = b->model->indexer_head_size;
    struct ul_tensor *k = ul_mm(b, ul_wt(b, UL_ROLE_INDEXER_ATTN_K, il), cur, NULL);
    k = ul_cb(b, ul_norm_of(b, k, UL_ROLE_INDEXER_K_NORM, UL_NORM_LAYER, il), "indexer_k", il);
    struct ul_tensor *gate = ul_mm(b, ul_wt(b, UL_ROLE_INDEXER_COMPRESSOR_WGATE, il), cur, NULL);
    k = ulg_concat(g, k, ul_cb(b, gate, "indexer_gate", il), 0);
    k = ulg_concat(g, k, ulg_fill(g, ulg_new_2d(g, UL_F32, head, n)), 0);
    k = ulg_reshape_3d(g, k, k->ne[0], 1, n);
    ul_expand(b, ul_kv_put_k(b, UL_KV_INDEX, k, in->index.k_idxs, il));
}

/* Some values of all cells of the indexer's cache. */
static struct ul_tensor *part_of_cache(struct ul_build *b, int64_t first, int64_t n, int il)
{
    struct ul_tensor *t = ul_kv_of(b, UL_KV_INDEX, il)->k;
    return ulg_view_2d(b->graph, t, n, t->ne[1] * t->ne[2], t->nb[1],
                       ul_row_bytes(t->type, (uint64_t)first));
}

/* One half of the rows of a pool, its tokens first. */
static struct ul_tensor *pool_half(struct ul_build *b, const struct inputs *in,
                                   struct ul_tensor *rows, bool gate)
{
    int64_t head = b->model->indexer_head_size;
    return ulg_view_3d(b->graph, rows, head, in->pool, in->n_pools, rows->nb[1], rows->nb[2],
                       gate ? ul_row_bytes(rows->type, (uint64_t)head) : 0);
}

/* Pools that are full: a sum of their keys, weighted by the gates' soft max over the pool. Returns
 * the pools' part of the cache. */
static struct ul_tensor *fill_pools(struct ul_build *b, const struct inputs *in, int il)
{
    struct ul_graph *g = b->graph;
    int64_t head = b->model->indexer_head_size;
    struct ul_tensor *rows =
        ulg_get_rows(g, part_of_cache(b, 0, 2 * head, il),
                     ulg_reshape_1d(g, in->fill_cells, in->pool * in->n_pools));
    rows = ulg_reshape_3d(g, rows, 2 * head, in->pool, in->n_pools);
    struct ul_tensor *w = ulg_add(g, pool_half(b, in, rows, true),
                                  ul_wt_needed(b, UL_ROLE_INDEXER_COMPRESSOR_APE, il));
    w = ulg_cont(g, ulg_permute(g, w, 1, 0, 2, 3));
    w = ulg_soft_max(g, ulg_reshape_2d(g, w, in->pool, head * in->n_pools));
    w = ulg_reshape_3d(g, w, in->pool, head, in->n_pools);
    struct ul_tensor *k = ulg_cont(g, ulg_permute(g, pool_half(b, in, rows, false), 1, 0, 2, 3));
    k = ulg_reshape_2d(g, ulg_sum_rows(g, ulg_mul(g, w, k)), head, in->n_pools);
    struct ul_tensor *to = part_of_cache(b, 2 * head, head, il);
    ul_expand(b, ulg_set_rows(g, to, ul_cb(b, k, "indexer_pool_k_new", il), in->fill));
    return to;
}

/* The best pools' numbers, the best first: ggml_top_k does not sort. */
static struct ul_tensor *best_pools(struct ul_build *b, const struct inputs *in,
                                    struct ul_tensor *score)
{
    struct ul_graph *g = b->graph;
    int64_t n = b->n_tokens;
    struct ul_tensor *top = ulg_top_k(g, score, in->n_top);
    struct ul_tensor *ids = ulg_reshape_3d(g, ulg_cast(g, top, UL_F32), 1, in->n_top, n);
    struct ul_tensor *s = ulg_get_rows(g, ulg_reshape_3d(g, score, 1, in->n_read, n), top);
    ids = ulg_get_rows(g, ids, ulg_argsort(g, ulg_reshape_2d(g, s, in->n_top, n)));
    return ulg_cast(g, ulg_cont(g, ulg_reshape_2d(g, ids, in->n_top, n)), UL_I32);
}

/* The cells that each token attends to: of the best pools, and of the keys not in a pool. */
static struct ul_tensor *pick_cells(struct ul_build *b, const struct inputs *in,
                                    struct ul_tensor *low, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = m->indexer_head_size, n = b->n_tokens;
    store_keys(b, cur, in, il);
    struct ul_tensor *pools = fill_pools(b, in, il);
    struct ul_tensor *q = ul_mm(b, ul_wt(b, UL_ROLE_INDEXER_ATTN_Q_B, il), low, NULL);
    q = ul_cb(b, ulg_reshape_3d(g, q, head, m->indexer_n_head, n), "indexer_q", il);
    struct ul_tensor *k = ulg_reshape_3d(g, ulg_get_rows(g, pools, in->read), head, 1, in->n_read);
    struct ul_tensor *w = ulg_scale(g, ul_mm(b, ul_wt(b, UL_ROLE_INDEXER_PROJ, il), cur, NULL));
    struct ul_tensor *score =
        ul_indexer_scores(b, q, ul_cb(b, k, "indexer_pool_k", il), w, in->pool_mask);
    struct ul_tensor *top = best_pools(b, in, ul_cb(b, score, "indexer_score", il));
    ul_cb(b, top, "indexer_top_k", il);
    struct ul_tensor *cells =
        ulg_get_rows(g, in->cells_of_pool, ulg_reshape_1d(g, top, in->n_top * n));
    cells = ulg_reshape_2d(g, cells, in->pool * in->n_top, n);
    if (!m->no_pool_tail)
        cells = ulg_concat(g, cells, in->tail, 0);
    ul_expand(b, cells);
    return cells;
}

/* --- attention -------------------------------------------------------------------------------- */

/* One row of a kind for all tokens, as [1, n, tokens]. */
static struct ul_tensor *rows_of(struct ul_build *b, enum ul_type type, int64_t n)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = ulg_fill(g, ulg_new_1d(g, type, n));
    return ulg_reshape_3d(g, ulg_repeat_4d(g, t, n, b->n_tokens, 1, 1), 1, n, b->n_tokens);
}

/* The ordinary mask, and everything masked that is not picked. What a token does not see is moved
 * past the mask's end: id + (place - id) x a factor. */
static struct ul_tensor *mask_others(struct ul_build *b, const struct inputs *in,
                                     struct ul_tensor *cells, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *mask = in->attn.mask;
    int64_t n = b->n_tokens, n_kv = mask->ne[0];
    struct ul_tensor *zeros = rows_of(b, mask->type, in->n_picked);
    struct ul_tensor *place = ulg_arange(g, in->n_picked);
    struct ul_tensor *ids = ulg_sub(g, ulg_cast(g, cells, UL_F32), place);
    ids = ulg_mul(g, ids, ulg_exp(g, ulg_reshape_2d(g, in->moved, in->n_picked, n)));
    ids = ulg_cast(g, ulg_add(g, ids, place), UL_I32);
    ids = ulg_reshape_3d(g, ids, in->n_picked, n, 1);
    struct ul_tensor *all = rows_of(b, mask->type, n_kv + in->n_picked);
    all = ulg_set_rows(g, all, zeros, ids);
    uint64_t stream = all->nb[2] * (uint64_t)mask->ne[1];
    all = ulg_view_4d(g, all, n_kv, mask->ne[1], 1, mask->ne[3], all->nb[2], stream, stream, 0);
    return ul_cb(b, ulg_add(g, all, mask), "kq_mask_dsa", il);
}

/* Latent attention without positions: queries are absorbed whole, the latent is key and value. */
static struct ul_tensor *latent_attention(struct ul_build *b, const struct inputs *in,
                                          struct ul_tensor *x, struct ul_tensor **cells, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct ul_tensor *low = ul_latent_low_q(b, x, il);
    bool own = m->arch->has_indexer == NULL || m->arch->has_indexer(m, (uint32_t)il);
    if (own || *cells == NULL)
        *cells = pick_cells(b, in, low ? low : x, x, il);
    struct ul_tensor *q = ul_latent_q(b, low, x, il);
    q = ulg_reshape_3d(g, q, ul_n_embd_head_k_mla(m), m->layer[il].n_head, b->n_tokens);
    q = ulg_mul_mat(g, ul_wt_needed(b, UL_ROLE_ATTN_K_B, il), ulg_permute(g, q, 0, 2, 1, 3));
    q = ul_cb(b, ulg_permute(g, q, 0, 2, 1, 3), "q_absorbed", il);
    struct ul_tensor *kv = ul_mm(b, ul_wt(b, UL_ROLE_ATTN_KV_A_MQA, il), x, NULL);
    kv = ul_norm_of(b, kv, UL_ROLE_ATTN_KV_A_NORM, UL_NORM_RMS, il);
    kv = ul_cb(b, ulg_reshape_3d(g, kv, m->n_lora_kv, 1, b->n_tokens), "kv_cmpr", il);
    ul_expand(b, q);
    ul_expand(b, kv);
    ul_expand(b, ul_kv_put_k(b, UL_KV_BASE, kv, in->attn.k_idxs, il));
    struct ul_tensor *mask = mask_others(b, in, *cells, il);
    struct ul_tensor *k = ul_kv_get_k(b, UL_KV_BASE, il);
    struct ul_tensor *v = ulg_view_4d(g, k, m->n_lora_kv, k->ne[1], k->ne[2], k->ne[3], k->nb[1],
                                      k->nb[2], k->nb[3], 0);
    struct ul_attn a = {.q = q, .v_mla = ul_wt(b, UL_ROLE_ATTN_V_B, il)};
    struct ul_tensor *cur = ul_cb(b, ul_attn_mha(b, &a, k, v, mask, il), "kqv_out", il);
    return ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_ATTN_OUT, il), cur, NULL), "attn_out", il);
}

/* --- the program ------------------------------------------------------------------------------ */

static struct ul_tensor *layer(struct ul_build *b, const struct inputs *in, struct ul_tensor *x,
                               struct ul_tensor **cells, int il)
{
    static const enum ul_role attn[3] = {UL_ROLE_HC_ATTN_FN, UL_ROLE_HC_ATTN_SCALE,
                                         UL_ROLE_HC_ATTN_BASE};
    static const enum ul_role ffn[3] = {UL_ROLE_HC_FFN_FN, UL_ROLE_HC_FFN_SCALE,
                                        UL_ROLE_HC_FFN_BASE};
    static const struct ul_kda_form form = {0};
    struct ul_hyper h = ul_hyper_pre(b, x, attn, il);
    struct ul_tensor *cur = ul_norm_of(b, h.out, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
    ul_expand(b, ul_cb(b, cur, "attn_norm", il));
    cur = b->model->layer[il].is_recr ? ul_kda_block(b, &in->rs, &form, cur, il)
                                      : latent_attention(b, in, cur, cells, il);
    x = ul_cb(b, ul_hyper_post(b, &h, cur), "hc_attn_post", il);
    h = ul_hyper_pre(b, x, ffn, il);
    cur = ul_cb(b, ul_norm_of(b, h.out, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "ffn_norm", il);
    return ul_cb(b, ul_hyper_post(b, &h, ul_latent_ffn(b, cur, false, il)), "l_out", il);
}

/* The mean of the streams. */
static struct ul_tensor *head(struct ul_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *sum = ulg_view_2d(g, x, x->ne[0], x->ne[2], x->nb[2], 0);
    for (int64_t i = 1; i < x->ne[1]; i++)
        sum = ulg_add(g, sum,
                      ulg_view_2d(g, x, x->ne[0], x->ne[2], x->nb[2], (uint64_t)i * x->nb[1]));
    return ul_cb(b, ulg_scale(g, sum), "hc_head", -1);
}

int ul_prog_glm5_next(struct ul_build *b)
{
    struct ul_tensor *x = ul_inp_embd(b), *cells = NULL;
    struct inputs in = make_inputs(b);
    x = ul_hyper_start(b, x);
    for (int il = 0; il < (int)b->model->n_layer; il++)
        x = layer(b, &in, x, &cells, il);
    x = ul_result_norm(b, head(b, ul_hyper_rows(b, x)), UL_NORM_RMS);
    ul_result_output(b, x);
    return ULLAGE_OK;
}
