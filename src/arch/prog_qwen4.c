/* Qwen 4 (experimental): gated delta nets and attention over picked pools of keys, in
 * hyper-connections of low rank; a lookup of n-grams is mixed into one layer. Newer than the source
 * that was read: all of this follows the graphs that the pinned engine builds. */
#include "arch/delta.h"
#include "arch/latent.h"
#include "arch/rows.h"

/* What pools are padded by. */
#define POOL_PAD 64

struct inputs {
    struct ul_rs_inp rs;
    struct ul_attn_inp kv;
    struct ul_attn_side attn, index;                /* attn: the same as kv's only side */
    bool picks; /* else attention is dense, and what follows unset */
    int64_t pool, n_pools, n_read, n_top,
        n_picked; /* keys a pool; pools; those read; picked; their keys */
    struct ul_tensor *ngrams;                       /* their embeddings, [n_embd, tokens] */
    struct ul_tensor *read, *cells_of_pool, *pool_mask, *tail;
    struct ul_tensor *fill_cells, *fill, *fill_pos;
};

static struct ul_tensor *input(struct ul_build *b, enum ul_type type, int64_t n0, int64_t n1)
{
    return ulg_set_input(ulg_new_2d(b->graph, type, n0, n1));
}

/* Every token looks up a row for each head of each n-gram from two tokens on. */
static void look_up(struct ul_build *b, struct inputs *in)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t rows =
        m->ple_ngram_size > 1 ? (int64_t)(m->ple_ngram_size - 1) * m->ple_heads_per_ngram : 1;
    struct ul_tensor *table = ul_wt_needed(b, UL_ROLE_PER_LAYER_TOKEN_EMBD, -1);
    struct ul_tensor *t = ulg_get_rows(g, table, input(b, UL_I32, rows * b->n_tokens, 1));
    in->ngrams = ul_cb(b, ulg_reshape_2d(g, t, table->ne[0] * rows, b->n_tokens), "ple_embd", -1);
    ul_expand(b, in->ngrams);
}

/* Every slot has pools for all cells that it may see. */
static void make_inputs(struct ul_build *b, struct inputs *in)
{
    const struct ul_model *m = b->model;
    int64_t n = b->n_tokens;
    in->rs = ul_rs_inputs(b);
    in->kv = ul_attn_inputs(b, UL_ATTN_KV);
    in->attn = in->kv.full;
    in->picks = m->indexer_parts == 2 && m->indexer_kpool > 1;
    if (!in->picks)
        return;
    in->index = ul_attn_side_of(b, UL_KV_INDEX, false);
    in->pool = m->indexer_kpool;
    in->n_pools = b->memory->cache[UL_KV_INDEX].cells / in->pool * b->cparams->n_seq_max;
    in->n_read = (int64_t)ul_pad((uint64_t)in->n_pools + 1, POOL_PAD);
    in->n_top = m->indexer_top_k / in->pool < in->n_read ? m->indexer_top_k / in->pool : in->n_read;
    in->n_picked = in->n_top * in->pool + in->pool - 1;
    in->read = input(b, UL_I32, in->n_read, 1);
    in->cells_of_pool = input(b, UL_I32, in->pool, in->n_read);
    in->pool_mask = input(b, b->cparams->fused_lid ? UL_F16 : UL_F32, in->n_read, n);
    in->tail = input(b, UL_I32, in->pool - 1, n);
    in->fill_cells = input(b, UL_I32, in->pool, in->n_pools);
    in->fill = input(b, UL_I64, in->n_pools, 1);
    in->fill_pos = input(b, UL_I32, in->n_pools * ul_n_pos_per_embd(m), 1);
    ul_expand(b, in->read);
    ul_expand(b, in->cells_of_pool);
    ul_expand(b, in->pool_mask);
    ul_expand(b, in->tail);
}

/* --- convolutions with a state ---------------------------------------------------------------- */

/* The state of `before` columns followed by the batch, [columns, channels, sequences]; the last
 * columns become the new state. */
static struct ul_tensor *with_state(struct ul_build *b, const struct ul_rs_inp *rs,
                                    struct ul_tensor *all, struct ul_tensor *x, int64_t before,
                                    int64_t channels)
{
    struct ul_graph *g = b->graph;
    int64_t size = before * channels;
    struct ul_tensor *t = ul_rs_block(b, rs, all, size);
    t = ulg_concat(g, ulg_reshape_3d(g, t, before, channels, b->n_seqs), ulg_transpose(g, x), 0);
    struct ul_tensor *last = ulg_view_3d(g, t, before, channels, b->n_seqs, t->nb[1], t->nb[2],
                                         (uint64_t)(t->ne[0] - before) * t->nb[0]);
    struct ul_tensor *to = ulg_view_2d(g, all, size, b->n_seqs, all->nb[1], 0);
    ul_expand(b, ulg_cpy(g, ulg_cont(g, last), to));
    return t;
}

/* --- n-grams ---------------------------------------------------------------------------------- */

/* How much of the lookup each stream takes: a product of keys and stream, squashed. */
static struct ul_tensor *ngram_gate(struct ul_build *b, const struct inputs *in,
                                    struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *k = ul_mm(b, ul_wt(b, UL_ROLE_PLE_KEY, il), in->ngrams, NULL);
    k = ulg_rms_norm(g, ulg_reshape_3d(g, k, x->ne[0], x->ne[1], b->n_tokens));
    k = ulg_mul(g, k, ul_wt_needed(b, UL_ROLE_PLE_NORM_KEY, il));
    struct ul_tensor *q = ulg_rms_norm(g, ulg_reshape_3d(g, x, x->ne[0], x->ne[1], b->n_tokens));
    q = ulg_mul(g, q, ul_wt_needed(b, UL_ROLE_PLE_NORM_QUERY, il));
    struct ul_tensor *s = ulg_scale(g, ulg_sum_rows(g, ulg_mul(g, k, q)));
    struct ul_tensor *root = ulg_sqrt(g, ulg_clamp(g, ulg_abs(g, s)));
    return ul_cb(b, ulg_sigmoid(g, ulg_mul(g, ulg_sgn(g, s), root)), "ple_gate", il);
}

/* A dilated convolution, spelled out: a sum over its taps. */
static struct ul_tensor *dilated(struct ul_build *b, struct ul_tensor *t, int64_t channels, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct ul_tensor *kernel = ul_wt_needed(b, UL_ROLE_PLE_CONV1D, il), *sum = NULL;
    for (uint32_t i = 0; i < m->ple_conv_kernel; i++) {
        struct ul_tensor *x = ulg_view_3d(g, t, b->n_seq_tokens, channels, b->n_seqs, t->nb[1],
                                          t->nb[2], (uint64_t)i * m->ple_ngram_size * t->nb[0]);
        struct ul_tensor *w = ulg_view_2d(g, kernel, 1, channels, kernel->nb[1], i * kernel->nb[0]);
        x = ulg_cont(g, ulg_transpose(g, x));
        x = ulg_mul(g, x, ulg_reshape_1d(g, ulg_cont(g, w), channels));
        sum = sum ? ulg_add(g, sum, x) : x;
    }
    return sum;
}

static struct ul_tensor *mix_ngrams(struct ul_build *b, const struct inputs *in,
                                    struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    int64_t width = x->ne[0], n = x->ne[1], channels = width * n;
    int64_t before = (int64_t)(b->model->ple_conv_kernel - 1) * b->model->ple_ngram_size;
    ul_expand(b, x);
    struct ul_tensor *v = ul_mm(b, ul_wt(b, UL_ROLE_PLE_VALUE, il), in->ngrams, NULL);
    v = ulg_repeat_4d(g, ulg_reshape_3d(g, v, width, 1, b->n_tokens), width, n, b->n_tokens, 1);
    v = ul_cb(b, ulg_mul(g, v, ngram_gate(b, in, x, il)), "ple_gated_value", il);
    struct ul_tensor *t = ulg_reshape_2d(g, v, channels, b->n_tokens);
    t = ulg_rms_norm(g, ulg_reshape_3d(g, t, width, n, b->n_tokens));
    t = ulg_mul(g, t, ul_wt_needed(b, UL_ROLE_PLE_NORM_CONV, il));
    t = ulg_reshape_2d(g, t, channels, b->n_tokens);
    t = ulg_reshape_3d(g, t, channels, b->n_seq_tokens, b->n_seqs);
    t = with_state(b, &in->rs, ul_state_of(b, il)->p, t, before, channels);
    t = ulg_cont(g, ulg_silu(g, dilated(b, t, channels, il)));
    t = ul_cb(b, ulg_reshape_3d(g, t, width, n, b->n_tokens), "ple_conv_out", il);
    return ulg_add(g, x, ulg_add(g, v, t));
}

/* --- hyper-connections of low rank ------------------------------------------------------------ */

struct hyper {
    struct ul_tensor *x, *norm, *gate; /* the streams; normed, flat; what each is multiplied by */
};

/* roles: norm, down, up. */
static struct hyper hyper_of(struct ul_build *b, struct ul_tensor *x, const enum ul_role roles[3],
                             int il)
{
    struct ul_graph *g = b->graph;
    struct hyper h = {.x = x};
    h.norm = ulg_mul(g, ulg_rms_norm(g, x), ul_wt_needed(b, roles[0], il));
    h.norm = ul_cb(b, ulg_reshape_2d(g, h.norm, x->ne[0] * x->ne[1], x->ne[2]), "hc_norm", il);
    h.gate = ulg_silu(g, ulg_scale(g, ul_mm(b, ul_wt(b, roles[1], il), h.norm, NULL)));
    h.gate = ul_cb(b, ul_mm(b, ul_wt(b, roles[2], il), h.gate, NULL), "hc_gate", il);
    return h;
}

/* What a block reads. */
static struct ul_tensor *hyper_pre(struct ul_build *b, const struct hyper *h, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ulg_reshape_3d(g, h->norm, h->x->ne[0], h->x->ne[1], h->x->ne[2]);
    struct ul_tensor *gate = ulg_reshape_3d(g, h->gate, h->x->ne[0], h->x->ne[1], h->x->ne[2]);
    return ul_cb(b, ulg_dsv4_hc_pre(g, x, gate), "hc_mixed", il);
}

/* The streams after a block. `rows`: only some tokens go on from here. */
static struct ul_tensor *hyper_post(struct ul_build *b, const struct hyper *h,
                                    struct ul_tensor *cur, enum ul_role inject, bool rows, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = h->x, *w = ul_mm(b, ul_wt(b, inject, il), h->norm, NULL);
    ul_cb(b, w, "hc_inject", il);
    if (rows) {
        cur = ulg_get_rows(g, cur, ul_inp_out_ids(b));
        x = ulg_reshape_2d(g, x, x->ne[0] * x->ne[1], x->ne[2]);
        x = ulg_get_rows(g, x, ul_inp_out_ids(b));
        x = ulg_reshape_3d(g, x, h->x->ne[0], h->x->ne[1], x->ne[1]);
        w = ulg_get_rows(g, w, ul_inp_out_ids(b));
    }
    w = ulg_scale(g, ulg_sigmoid(g, ulg_scale(g, w)));
    return ulg_dsv4_hc_post(g, cur, x, w, NULL);
}

/* --- the delta net ---------------------------------------------------------------------------- */

static struct ul_tensor *scaled_mm(struct ul_build *b, enum ul_role role, struct ul_tensor *cur,
                                   int il)
{
    return ul_mm(b, ul_wt(b, role, il), cur, ul_wt_scale(b, role, il));
}

static struct ul_tensor *delta_net(struct ul_build *b, const struct inputs *in,
                                   struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t v_dim = m->ssm_d_inner / (m->ssm_dt_rank ? m->ssm_dt_rank : 1), n_v = m->ssm_dt_rank;
    struct ul_state_layer *s = ul_state_of(b, il);
    struct ul_tensor *kernel = ul_wt_needed(b, UL_ROLE_SSM_CONV1D, il);
    struct ul_delta d = {0};
    struct ul_tensor *t = scaled_mm(b, UL_ROLE_ATTN_QKV, cur, il);
    t = ulg_reshape_3d(g, t, t->ne[0], b->n_seq_tokens, b->n_seqs);
    t = with_state(b, &in->rs, s->r, t, kernel->ne[0] - 1, t->ne[0]);
    d.state = ul_rs_block(b, &in->rs, s->s, (int64_t)ul_n_embd_s(m));
    d.state = ulg_reshape_4d(g, d.state, v_dim, v_dim, n_v, b->n_seqs);
    ul_delta_gates(b, &d, cur, il);
    ul_delta_split(b, &d, ulg_silu(g, ulg_ssm_conv(g, t, kernel)), il);
    t = ul_norm_of(b, ul_delta_block(b, &d, s->s), UL_ROLE_SSM_NORM, UL_NORM_RMS, il);
    struct ul_tensor *z = scaled_mm(b, UL_ROLE_ATTN_GATE, cur, il);
    z = ulg_sigmoid(g, ulg_reshape_4d(g, z, v_dim, n_v, b->n_seq_tokens, b->n_seqs));
    t = ulg_reshape_3d(g, ulg_mul(g, t, z), v_dim * n_v, b->n_seq_tokens, b->n_seqs);
    t = scaled_mm(b, UL_ROLE_SSM_OUT, t, il);
    return ulg_reshape_2d(g, t, m->n_embd, b->n_tokens);
}

/* --- the indexer ------------------------------------------------------------------------------ */

static struct ul_tensor *part_of_cache(struct ul_build *b, int64_t first, int il)
{
    struct ul_tensor *t = ul_kv_of(b, UL_KV_INDEX, il)->k;
    return ulg_view_2d(b->graph, t, b->model->indexer_head_size, t->ne[1] * t->ne[2], t->nb[1],
                       ul_row_bytes(t->type, (uint64_t)first));
}

/* A token's key, and room for a pool, into the cache. */
static void store_keys(struct ul_build *b, const struct inputs *in, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *k = ul_mm(b, ul_wt(b, UL_ROLE_INDEXER_K_PROJ, il), cur, NULL);
    struct ul_tensor *room =
        ulg_fill(g, ulg_new_2d(g, UL_F32, b->model->indexer_head_size, b->n_tokens));
    k = ulg_concat(g, ul_cb(b, k, "indexer_k_raw", il), room, 0);
    k = ulg_reshape_3d(g, k, k->ne[0], 1, b->n_tokens);
    ul_expand(b, ul_kv_put_k(b, UL_KV_INDEX, k, in->index.k_idxs, il));
}

/* Pools that are full: the mean of their keys, normed and rotated. Returns the pools in the
 * cache. */
static struct ul_tensor *fill_pools(struct ul_build *b, const struct inputs *in, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = m->indexer_head_size;
    struct ul_tensor *ids = ulg_reshape_1d(g, in->fill_cells, in->pool * in->n_pools);
    struct ul_tensor *rows = ulg_get_rows(g, part_of_cache(b, 0, il), ids);
    rows = ulg_reshape_3d(g, rows, head, in->pool, in->n_pools);
    struct ul_tensor *sum = ulg_cont(g, ulg_view_2d(g, rows, head, in->n_pools, rows->nb[2], 0));
    for (int64_t i = 1; i < in->pool; i++)
        sum = ulg_add(g, sum, ulg_view_2d(g, rows, head, in->n_pools, rows->nb[2],
                                          (uint64_t)i * rows->nb[1]));
    sum = ul_norm_of(b, ulg_scale(g, sum), UL_ROLE_INDEXER_K_NORM, UL_NORM_RMS, il);
    sum = ulg_reshape_3d(g, sum, head, 1, in->n_pools);
    sum = ulg_rope_ext(g, sum, in->fill_pos, NULL, (int)m->n_rot_full, m->rope_type);
    struct ul_tensor *to = part_of_cache(b, head, il);
    ul_expand(b, ulg_set_rows(g, to, ulg_reshape_2d(g, sum, head, in->n_pools), in->fill));
    return to;
}

/* The best pools with their scores, and the cells in them and in the tail. */
struct picked {
    struct ul_tensor *score, *top, *cells;
};

static struct picked pick_cells(struct ul_build *b, const struct inputs *in, struct ul_tensor *cur,
                                int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = m->indexer_head_size, n = b->n_tokens;
    struct picked p;
    store_keys(b, in, cur, il);
    struct ul_tensor *pools = fill_pools(b, in, il);
    struct ul_tensor *q = ul_mm(b, ul_wt(b, UL_ROLE_INDEXER_Q_PROJ, il), cur, NULL);
    q = ulg_reshape_3d(g, q, head, m->indexer_n_head, n);
    q = ul_rope_block(b, ul_norm_of(b, q, UL_ROLE_INDEXER_Q_NORM, UL_NORM_RMS, il), NULL,
                      m->n_rot_full);
    struct ul_tensor *k = ulg_reshape_3d(g, ulg_get_rows(g, pools, in->read), head, 1, in->n_read);
    struct ul_tensor *w = ulg_fill(g, ulg_new_2d(g, UL_F32, m->indexer_n_head, n));
    p.score = ul_cb(b, ul_indexer_scores(b, q, k, w, in->pool_mask), "indexer_score", il);
    p.top = ul_cb(b, ulg_top_k(g, p.score, in->n_top), "indexer_top_k", il);
    p.cells = ulg_get_rows(g, in->cells_of_pool, ulg_reshape_1d(g, p.top, in->n_top * n));
    p.cells = ulg_concat(g, ulg_reshape_2d(g, p.cells, in->pool * in->n_top, n), in->tail, 0);
    ul_expand(b, p.cells);
    return p;
}

/* --- attention -------------------------------------------------------------------------------- */

/* One row of a kind for all tokens, as [1, n, tokens]. */
static struct ul_tensor *rows_of(struct ul_build *b, enum ul_type type, int64_t n)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = ulg_fill(g, ulg_new_1d(g, type, n));
    return ulg_reshape_3d(g, ulg_repeat_4d(g, t, n, b->n_tokens, 1, 1), 1, n, b->n_tokens);
}

/* 1 for a cell that a token sees, 0 for others, from the pools' scores and the tail's numbers. */
static struct ul_tensor *seen(struct ul_build *b, const struct inputs *in, const struct picked *p)
{
    struct ul_graph *g = b->graph;
    int64_t n = b->n_tokens;
    struct ul_tensor *s = ulg_get_rows(g, ulg_reshape_3d(g, p->score, 1, in->n_read, n), p->top);
    s = ulg_repeat_4d(g, ulg_clamp(g, ulg_scale(g, s)), in->pool, in->n_top, n, 1);
    s = ulg_reshape_2d(g, s, in->pool * in->n_top, n);
    struct ul_tensor *tail = ulg_clamp(g, ulg_scale(g, ulg_cast(g, in->tail, UL_F32)));
    return ulg_concat(g, s, tail, 0);
}

/* The ordinary mask, and everything masked that is not picked. What a token does not see is moved
 * past the mask's end: place + (id - place) x 0. */
static struct ul_tensor *mask_others(struct ul_build *b, const struct inputs *in,
                                     const struct picked *p, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *mask = in->attn.mask, *zeros = rows_of(b, mask->type, in->n_picked);
    struct ul_tensor *ids = ulg_cast(g, p->cells, UL_F32), *s = seen(b, in, p);
    struct ul_tensor *place = ulg_scale(g, ulg_cumsum(g, ulg_fill(g, s)));
    ids = ulg_add(g, ulg_mul(g, ulg_sub(g, ids, place), s), place);
    ids = ulg_reshape_3d(g, ulg_cast(g, ids, UL_I32), in->n_picked, b->n_tokens, 1);
    struct ul_tensor *all = rows_of(b, mask->type, mask->ne[0] + in->n_picked);
    all = ulg_set_rows(g, all, zeros, ids);
    uint64_t stream = all->nb[2] * (uint64_t)mask->ne[1];
    all = ulg_view_4d(g, all, mask->ne[0], mask->ne[1], 1, mask->ne[3], all->nb[2], stream, stream,
                      0);
    return ul_cb(b, ulg_add(g, all, mask), "kq_mask_qsa", il);
}

/* Queries or keys, normed and rotated. */
static struct ul_tensor *turned(struct ul_build *b, struct ul_tensor *t, enum ul_role norm, int il)
{
    t = ul_norm_of(b, t, norm, UL_NORM_RMS, il);
    return ul_rope_block(b, t, NULL, ul_n_rot(b->model, (uint32_t)il));
}

static struct ul_tensor *attend(struct ul_build *b, const struct inputs *in, struct ul_attn *a,
                                const struct picked *p, int il)
{
    const struct ul_attn_side *s = &in->attn;
    if (s->k_rot) {
        a->q = ul_hadamard(b, a->q, s->k_rot);
        a->k = ul_hadamard(b, a->k, s->k_rot);
    }
    if (s->v_rot)
        a->v = ul_hadamard(b, a->v, s->v_rot);
    ul_expand(b, a->q);
    ul_expand(b, a->v);
    ul_expand(b, a->k);
    ul_expand(b, ul_kv_put_k(b, UL_KV_BASE, a->k, s->k_idxs, il));
    ul_expand(b, ul_kv_put_v(b, UL_KV_BASE, a->v, s->v_idxs, il));
    struct ul_tensor *mask = mask_others(b, in, p, il);
    struct ul_tensor *k = ul_kv_get_k(b, UL_KV_BASE, il), *v = ul_kv_get_v(b, UL_KV_BASE, il);
    struct ul_tensor *cur = ul_attn_mha(b, a, k, v, mask, il);
    return s->v_rot ? ul_hadamard(b, cur, s->v_rot) : cur;
}

static struct ul_tensor *attention(struct ul_build *b, const struct inputs *in,
                                   struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = ul_n_embd_head_v(m, (uint32_t)il), n_head = m->layer[il].n_head, n = b->n_tokens;
    struct picked p = {0};
    if (in->picks)
        p = pick_cells(b, in, cur, il);
    struct ul_tensor *full = scaled_mm(b, UL_ROLE_ATTN_Q, cur, il);
    uint64_t size = ul_row_bytes(full->type, (uint64_t)head), row = 2 * size * (uint64_t)n_head;
    struct ul_attn a = {.q = ulg_view_3d(g, full, head, n_head, n, 2 * size, row, 0)};
    a.q = turned(b, a.q, UL_ROLE_ATTN_Q_NORM, il);
    a.k = ulg_reshape_3d(g, scaled_mm(b, UL_ROLE_ATTN_K, cur, il), head, m->layer[il].n_head_kv, n);
    a.k = turned(b, a.k, UL_ROLE_ATTN_K_NORM, il);
    a.v = ulg_reshape_3d(g, scaled_mm(b, UL_ROLE_ATTN_V, cur, il), head, m->layer[il].n_head_kv, n);
    cur = in->picks ? attend(b, in, &a, &p, il) : ul_attn_block(b, &in->kv, &a, il);
    ul_cb(b, cur, "attn_pregate", il);
    struct ul_tensor *gate = ulg_view_3d(g, full, head, n_head, n, 2 * size, row, size);
    gate = ulg_sigmoid(g, ulg_cont_2d(g, gate, head * n_head, n));
    return ul_cb(b, scaled_mm(b, UL_ROLE_ATTN_OUT, ulg_mul(g, cur, gate), il), "attn_output", il);
}

/* --- the program ------------------------------------------------------------------------------ */

static struct ul_tensor *layer(struct ul_build *b, const struct inputs *in, struct ul_tensor *x,
                               int il)
{
    static const enum ul_role attn[3] = {UL_ROLE_HC_ATTN_NORM, UL_ROLE_HC_ATTN_DOWN,
                                         UL_ROLE_HC_ATTN_UP};
    static const enum ul_role ffn[3] = {UL_ROLE_HC_FFN_NORM, UL_ROLE_HC_FFN_DOWN,
                                        UL_ROLE_HC_FFN_UP};
    const struct ul_model *m = b->model;
    if (il == m->ple_layer)
        x = mix_ngrams(b, in, x, il);
    struct hyper h = hyper_of(b, x, attn, il);
    struct ul_tensor *cur = hyper_pre(b, &h, il);
    ul_expand(b, cur);
    cur = m->layer[il].is_recr ? delta_net(b, in, cur, il) : attention(b, in, cur, il);
    x = hyper_post(b, &h, cur, UL_ROLE_HC_ATTN_INJECT, il == (int)m->n_layer - 1, il);
    h = hyper_of(b, ul_cb(b, x, "hc_combine", il), ffn, il);
    cur = ul_delta_experts(b, hyper_pre(b, &h, il), il);
    return ul_cb(b, hyper_post(b, &h, cur, UL_ROLE_HC_FFN_INJECT, false, il), "l_last", il);
}

/* The streams' mean, each gated. */
static struct ul_tensor *head(struct ul_build *b, struct ul_tensor *x)
{
    static const enum ul_role out[3] = {UL_ROLE_HC_OUT_NORM, UL_ROLE_HC_OUT_DOWN,
                                        UL_ROLE_HC_OUT_UP};
    struct ul_graph *g = b->graph;
    struct hyper h = hyper_of(b, x, out, -1);
    struct ul_tensor *t = ulg_mul(g, h.norm, ulg_sigmoid(g, h.gate));
    t = ulg_reshape_3d(g, t, x->ne[0], x->ne[1], x->ne[2]);
    struct ul_tensor *sum = ulg_cont(g, ulg_view_2d(g, t, t->ne[0], t->ne[2], t->nb[2], 0));
    for (int64_t i = 1; i < t->ne[1]; i++)
        sum = ulg_add(g, sum,
                      ulg_view_2d(g, t, t->ne[0], t->ne[2], t->nb[2], (uint64_t)i * t->nb[1]));
    return ul_cb(b, ulg_scale(g, sum), "result_norm", -1);
}

int ul_prog_qwen4exp(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    struct ul_graph *g = b->graph;
    struct inputs in = {0};
    if (m->ple_layer >= 0)
        look_up(b, &in);
    struct ul_tensor *x = ul_inp_embd(b);
    make_inputs(b, &in);
    x = ulg_reshape_3d(g, x, m->n_embd, 1, b->n_tokens);
    x = ul_cb(b, ulg_repeat_4d(g, x, m->n_embd, m->dsv4_hc_mult, b->n_tokens, 1), "hc_init", -1);
    for (int il = 0; il < (int)m->n_layer; il++)
        x = layer(b, &in, x, il);
    ulg_set_output(x);
    b->t_h_nextn = ul_cb(b, ulg_reshape_2d(g, x, x->ne[0] * x->ne[1], x->ne[2]), "h_nextn", -1);
    ul_expand(b, b->t_h_nextn);
    b->t_embd = head(b, x);
    ul_result_output(b, b->t_embd);
    return ULLAGE_OK;
}
