/* MiniMax M3: attention over blocks of positions that an indexer with one head a group picks (MSA).
 * Prompts mask what is not picked; generation gathers what is. Without flash attention, or when
 * slots share one cache, attention is dense. Source: src/models/minimax-m3.cpp. */
#include "arch/build.h"
#include "arch/rows.h"

/* src/llama-kv-cache-msa.cpp, get_n_pos: positions of an empty cache, as when memory is
 * reserved. */
#define POSITIONS 256

/* What all sparse layers of a graph share. */
struct msa {
    bool on, gathers;
    int64_t n_kv, n_pos, block, n_blocks,
        n_top; /* cells; positions and their blocks; blocks picked */
    int64_t streams, tokens;                     /* and tokens of a stream */
    int64_t head, n_head, n_head_kv, index_head, index_heads;
    struct ul_attn_inp attn;
    struct ul_attn_side index;
    struct ul_tensor *bias, *pos_mask, *cell_of_pos, *cell_of_pos_f, *block_of_cell, *mask_f32;
};

static struct ul_tensor *input(struct ul_build *b, enum ul_type type, int64_t n0, int64_t n1)
{
    return ulg_set_input(ulg_new_2d(b->graph, type, n0, n1));
}

static void make_inputs(struct ul_build *b, struct msa *s)
{
    int64_t n = b->n_tokens;
    s->index = ul_attn_side_of(b, UL_KV_INDEX, false);
    s->bias = input(b, UL_F32, s->n_blocks, n);
    s->pos_mask = input(b, UL_F32, s->n_pos, n);
    s->cell_of_pos = input(b, UL_I32, s->n_pos, s->streams);
    if (s->gathers) {
        s->cell_of_pos_f = input(b, UL_F32, s->n_pos, s->streams);
    } else {
        s->block_of_cell = input(b, UL_I32, s->n_kv, s->streams);
        s->mask_f32 = ulg_cast(b->graph, s->attn.full.mask, UL_F32);
    }
}

static struct msa make_msa(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    struct msa s = {.attn = ul_attn_inputs(b, UL_ATTN_KV), .block = m->indexer_block_size};
    s.on = b->cparams->flash_attn && (b->cparams->n_seq_max == 1 || !b->cparams->kv_unified) &&
           s.block > 0;
    if (!s.on)
        return s;
    s.n_kv = s.attn.full.mask->ne[0];
    s.tokens = s.attn.full.mask->ne[1];
    s.streams = s.attn.full.mask->ne[3];
    s.gathers = s.tokens == 1;
    s.n_blocks = (POSITIONS + s.block - 1) / s.block;
    s.n_pos = s.n_blocks * s.block;
    s.n_top = m->indexer_top_k < s.n_blocks ? m->indexer_top_k : s.n_blocks;
    s.head = ul_n_embd_head_k(m, 0);
    s.n_head = m->layer[0].n_head;
    s.n_head_kv = m->layer[0].n_head_kv;
    s.index_head = m->indexer_head_size;
    s.index_heads = m->indexer_n_head;
    make_inputs(b, &s);
    return s;
}

/* --- attention with groups as channels -------------------------------------------------------- */

/* build_attn_msa_fa: q [head, heads, tokens]; k and v have a channel a group. */
static struct ul_tensor *attend(struct ul_build *b, struct ul_tensor *q, struct ul_tensor *k,
                                struct ul_tensor *v, struct ul_tensor *mask, int64_t in_group,
                                int il)
{
    struct ul_graph *g = b->graph;
    int64_t head = q->ne[0], n_head = q->ne[1], tokens = q->ne[2], channels = k->ne[3];
    int64_t rows = n_head * tokens / (in_group * channels);
    q = ulg_permute(g, ulg_reshape_4d(g, q, head, in_group, channels, rows), 0, 2, 3, 1);
    struct ul_tensor *o = ulg_flash_attn_ext(g, q, k, v, mask, b->model->f_max_alibi_bias, 0.0f);
    o = ulg_permute(g, ul_cb(b, ulg_prec_f32(o), "msa_fattn", il), 0, 1, 3, 2);
    if (!ul_tensor_contiguous(o))
        o = ulg_cont(g, o);
    return ulg_reshape_2d(g, o, head * n_head, tokens);
}

/* --- generation: gather ----------------------------------------------------------------------- */

/* The blocks picked, [top, index heads, 1, streams]. */
static struct ul_tensor *pick_blocks(struct ul_build *b, const struct msa *s, struct ul_tensor *iq,
                                     struct ul_tensor *keys, int il)
{
    struct ul_graph *g = b->graph;
    int64_t ns = s->streams;
    keys = ulg_view_3d(g, keys, s->index_head, s->n_kv, ns, keys->nb[2], keys->nb[3], 0);
    keys = ulg_reshape_4d(g, ulg_get_rows(g, keys, s->cell_of_pos), s->index_head, s->n_pos, 1, ns);
    iq = ulg_reshape_4d(g, iq, s->index_head, s->index_heads, 1, ns);
    struct ul_tensor *score = ulg_prec_f32(ulg_mul_mat(g, keys, iq));
    score = ulg_add_inplace(g, score, ulg_reshape_4d(g, s->pos_mask, s->n_pos, 1, 1, ns));
    score = ulg_pool_2d(g, score, (int)s->block, 1, (int)s->block, 1, 0, 0);
    ul_cb(b, score, "msa_bs", il);
    score = ulg_add(g, score, ulg_reshape_4d(g, s->bias, s->n_blocks, 1, 1, ns));
    return ulg_top_k(g, score, s->n_top);
}

/* The rows of keys (or values) in the blocks picked, a channel a group and stream; in half
 * precision when the cache is quantised. */
static struct ul_tensor *gather(struct ul_build *b, const struct msa *s, struct ul_tensor *cache,
                                struct ul_tensor *rows)
{
    struct ul_graph *g = b->graph;
    enum ul_type type = ul_type_info(cache->type)->quantized ? UL_F16 : (enum ul_type)cache->type;
    struct ul_tensor *t = ulg_view_3d(g, cache, s->head, s->n_head_kv * s->n_kv, s->streams,
                                      cache->nb[1], cache->nb[3], 0);
    t = ulg_reshape_4d(g, ulg_get_rows(g, t, rows), s->head, s->block * s->n_top, 1,
                       s->index_heads * s->streams);
    return t->type == type ? t : ulg_cast(g, t, type);
}

static struct ul_tensor *attend_gathered(struct ul_build *b, const struct msa *s,
                                         struct ul_tensor *q, struct ul_tensor *k,
                                         struct ul_tensor *v, struct ul_tensor *iq,
                                         struct ul_tensor *keys, int il)
{
    struct ul_graph *g = b->graph;
    int64_t ns = s->streams, heads = s->index_heads, all = s->block * s->n_top * heads;
    struct ul_tensor *top = ulg_scale(g, ulg_cast(g, pick_blocks(b, s, iq, keys, il), UL_F32));
    top = ulg_repeat_4d(g, ulg_reshape_4d(g, top, 1, s->n_top, heads, ns), s->block, s->n_top,
                        heads, ns);
    /* positions: the block's first, and which of the block */
    struct ul_tensor *pos =
        ulg_add(g, top, ulg_reshape_3d(g, ulg_arange(g, s->block), s->block, 1, 1));
    pos = ulg_cast(g, ulg_reshape_2d(g, pos, all, ns), UL_I32);
    /* their cells, and of each cell the head's row */
    struct ul_tensor *cell =
        ulg_get_rows(g, ulg_reshape_3d(g, s->cell_of_pos_f, 1, s->n_pos, ns), pos);
    cell = ulg_scale(g, ulg_reshape_4d(g, cell, s->block, s->n_top, heads, ns));
    struct ul_tensor *row = ulg_reshape_3d(g, ulg_arange(g, s->n_head_kv), 1, 1, heads);
    row = ulg_cast(g, ulg_reshape_2d(g, ulg_add(g, cell, row), all, ns), UL_I32);
    struct ul_tensor *mask = ulg_get_rows(g, ulg_reshape_3d(g, s->pos_mask, 1, s->n_pos, ns), pos);
    mask = ulg_reshape_4d(g, mask, s->block * s->n_top, 1, 1, heads * ns);
    return attend(b, q, gather(b, s, k, row), gather(b, s, v, row), ulg_cast(g, mask, UL_F16),
                  s->n_head / s->n_head_kv, il);
}

/* --- prompts: mask, one stream at a time ------------------------------------------------------ */

/* The blocks' scores of one stream, [blocks, index heads, tokens]. `first`: the stream's first
 * token. */
static struct ul_tensor *score_blocks(struct ul_build *b, const struct msa *s, struct ul_tensor *iq,
                                      struct ul_tensor *keys, struct ul_tensor *bias,
                                      uint64_t stream, int il)
{
    struct ul_graph *g = b->graph;
    uint64_t first = stream * (uint64_t)s->tokens;
    iq = ulg_view_3d(g, iq, s->index_head, s->index_heads, s->tokens, iq->nb[1], iq->nb[2],
                     first * iq->nb[2]);
    keys = ulg_view_2d(g, keys, s->index_head, s->n_kv, keys->nb[2], stream * keys->nb[3]);
    struct ul_tensor *cells =
        ulg_view_1d(g, s->cell_of_pos, s->n_pos, stream * s->cell_of_pos->nb[1]);
    struct ul_tensor *mask = ulg_view_3d(g, s->pos_mask, s->n_pos, 1, s->tokens, s->pos_mask->nb[1],
                                         s->pos_mask->nb[1], first * s->pos_mask->nb[1]);
    iq = ulg_reshape_2d(g, iq, s->index_head, s->index_heads * s->tokens);
    struct ul_tensor *score = ulg_prec_f32(ulg_mul_mat(g, ulg_get_rows(g, keys, cells), iq));
    score = ulg_reshape_3d(g, score, s->n_pos, s->index_heads, s->tokens);
    score = ulg_add_inplace(g, score, mask);
    score = ulg_pool_2d(g, score, (int)s->block, 1, (int)s->block, 1, 0, 0);
    score = ulg_add(g, ul_cb(b, score, "msa_bs", il), bias);
    return ul_cb(b, score, "msa_bsf", il);
}

/* The mask over blocks: all masked, but those picked. [blocks, tokens, index heads] */
static struct ul_tensor *mask_blocks(struct ul_build *b, const struct msa *s,
                                     struct ul_tensor *score, struct ul_tensor *bias, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n = s->index_heads * s->tokens;
    struct ul_tensor *top = ulg_top_k(g, score, s->n_top);
    struct ul_tensor *all = ulg_cast(g, ulg_scale(g, bias), UL_F16);
    all = ulg_repeat_4d(g, all, s->n_blocks, s->index_heads, s->tokens, 1);
    struct ul_tensor *zero = ulg_scale(g, ulg_cast(g, top, UL_F32));
    all =
        ulg_set_rows(g, ulg_reshape_3d(g, all, 1, s->n_blocks, n),
                     ulg_reshape_3d(g, zero, 1, s->n_top, n), ulg_reshape_2d(g, top, s->n_top, n));
    all =
        ulg_permute(g, ulg_reshape_3d(g, all, s->n_blocks, s->index_heads, s->tokens), 0, 2, 1, 3);
    return ul_cb(b, ulg_cont(g, all), "msa_block_mask", il);
}

/* The same over cells, with the ordinary mask added: [cells, tokens, 1, index heads]. */
static struct ul_tensor *mask_cells(struct ul_build *b, const struct msa *s,
                                    struct ul_tensor *blocks, uint64_t stream, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *ids =
        ulg_view_1d(g, s->block_of_cell, s->n_kv, stream * s->block_of_cell->nb[1]);
    struct ul_tensor *f = s->mask_f32;
    blocks = ulg_reshape_2d(g, blocks, s->n_blocks, s->tokens * s->index_heads);
    struct ul_tensor *t = ulg_get_rows(g, ulg_cont(g, ulg_transpose(g, blocks)), ids);
    t = ulg_cont(g, ulg_transpose(g, t));
    t = ulg_reshape_3d(g, t, s->n_kv, s->tokens, s->index_heads);
    t = ulg_add_inplace(g, t, ulg_view_3d(g, f, s->n_kv, s->tokens, 1, f->nb[1], f->nb[3],
                                          stream * f->nb[3]));
    t = ulg_reshape_4d(g, t, s->n_kv, s->tokens, 1, s->index_heads);
    return ul_cb(b, ulg_cast(g, t, UL_F16), "msa_mask4", il);
}

/* One stream's part of a cache, groups as channels. */
static struct ul_tensor *stream_of(struct ul_build *b, const struct msa *s, struct ul_tensor *cache,
                                   uint64_t stream)
{
    cache = ulg_view_4d(b->graph, cache, s->head, s->n_head_kv, s->n_kv, 1, cache->nb[1],
                        cache->nb[2], cache->nb[3], stream * cache->nb[3]);
    return ulg_permute(b->graph, cache, 0, 3, 1, 2);
}

static struct ul_tensor *attend_masked(struct ul_build *b, const struct msa *s, struct ul_tensor *q,
                                       struct ul_tensor *k, struct ul_tensor *v,
                                       struct ul_tensor *iq, struct ul_tensor *keys, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *out = NULL;
    for (int64_t i = 0; i < s->streams; i++) {
        uint64_t stream = (uint64_t)i, first = stream * (uint64_t)s->tokens;
        struct ul_tensor *bias = ulg_view_3d(g, s->bias, s->n_blocks, 1, s->tokens, s->bias->nb[1],
                                             s->bias->nb[1], first * s->bias->nb[1]);
        struct ul_tensor *score = score_blocks(b, s, iq, keys, bias, stream, il);
        struct ul_tensor *mask = mask_cells(b, s, mask_blocks(b, s, score, bias, il), stream, il);
        struct ul_tensor *part =
            ulg_view_3d(g, q, s->head, s->n_head, s->tokens, q->nb[1], q->nb[2], first * q->nb[2]);
        part = attend(b, part, stream_of(b, s, k, stream), stream_of(b, s, v, stream), mask,
                      s->n_head / s->n_head_kv, il);
        out = out ? ulg_concat(g, out, part, 1) : part;
    }
    return out;
}

/* --- a layer ---------------------------------------------------------------------------------- */

/* Queries or keys of the indexer, normed and rotated. */
static struct ul_tensor *index_part(struct ul_build *b, struct ul_tensor *cur, enum ul_role w,
                                    enum ul_role norm, int64_t n_head, int il)
{
    const struct ul_model *m = b->model;
    struct ul_tensor *t = ul_mm(b, ul_wt(b, w, il), cur, NULL);
    t = ulg_reshape_3d(b->graph, t, m->indexer_head_size, n_head, b->n_tokens);
    t = ul_norm_of(b, t, norm, UL_NORM_RMS, il);
    return ul_rope_block(b, t, NULL, m->n_rot_full);
}

static struct ul_tensor *sparse(struct ul_build *b, const struct msa *s, struct ul_qkv r,
                                struct ul_tensor *cur, int il)
{
    const struct ul_attn_side *in = &s->attn.full;
    struct ul_tensor *iq = index_part(b, cur, UL_ROLE_INDEXER_Q_PROJ, UL_ROLE_INDEXER_Q_NORM,
                                      s->index_heads, il);
    struct ul_tensor *ik =
        index_part(b, cur, UL_ROLE_INDEXER_K_PROJ, UL_ROLE_INDEXER_K_NORM, 1, il);
    ul_expand(b, ul_kv_put_k(b, UL_KV_INDEX, ik, s->index.k_idxs, il));
    struct ul_tensor *keys = ul_kv_get_k(b, UL_KV_INDEX, il);
    if (in->k_rot) {
        r.q = ul_hadamard(b, r.q, in->k_rot);
        r.k = ul_hadamard(b, r.k, in->k_rot);
    }
    if (in->v_rot)
        r.v = ul_hadamard(b, r.v, in->v_rot);
    ul_expand(b, r.q);
    ul_expand(b, r.k);
    ul_expand(b, r.v);
    ul_expand(b, ul_kv_put_k(b, UL_KV_BASE, r.k, in->k_idxs, il));
    ul_expand(b, ul_kv_put_v(b, UL_KV_BASE, r.v, in->v_idxs, il));
    struct ul_tensor *k = ul_kv_get_k(b, UL_KV_BASE, il), *v = ul_kv_get_v(b, UL_KV_BASE, il);
    cur = s->gathers ? attend_gathered(b, s, r.q, k, v, iq, keys, il)
                     : attend_masked(b, s, r.q, k, v, iq, keys, il);
    ul_cb(b, cur, "kqv_out", il);
    if (in->v_rot)
        cur = ul_hadamard(b, cur, in->v_rot);
    return ul_mm(b, ul_wt(b, UL_ROLE_ATTN_OUT, il), cur, ul_wt_scale(b, UL_ROLE_ATTN_OUT, il));
}

static struct ul_tensor *attention(struct ul_build *b, const struct msa *s, struct ul_tensor *cur,
                                   int il)
{
    const struct ul_model *m = b->model;
    const struct ul_layer *l = &m->layer[il];
    struct ul_qkv r = ul_qkv_block(b, cur, ul_n_embd_head_k(m, 0), l->n_head, l->n_head_kv, il);
    r.q = ul_cb(b, ul_norm_of(b, r.q, UL_ROLE_ATTN_Q_NORM, UL_NORM_RMS, il), "Qcur_normed", il);
    r.k = ul_cb(b, ul_norm_of(b, r.k, UL_ROLE_ATTN_K_NORM, UL_NORM_RMS, il), "Kcur_normed", il);
    r.q = ul_cb(b, ul_rope_block(b, r.q, NULL, m->n_rot_full), "Qcur", il);
    r.k = ul_cb(b, ul_rope_block(b, r.k, NULL, m->n_rot_full), "Kcur", il);
    if (s->on && il >= (int)m->n_layer_dense_lead)
        return sparse(b, s, r, cur, il);
    struct ul_attn a = {.q = r.q, .k = r.k, .v = r.v, .wo = ul_wt(b, UL_ROLE_ATTN_OUT, il),
                        .wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il)};
    return ul_attn_block(b, &s->attn, &a, il);
}

static struct ul_tensor *feed_forward(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_SWIGLU_OAI, false, il);
    struct ul_ffn shared = ul_ffn_shexp_of(b, UL_FFN_SWIGLU_OAI, il);
    struct ul_moe e = ul_moe_of(b, UL_FFN_SWIGLU_OAI, il);
    if (il < (int)b->model->n_layer_dense_lead)
        return ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
    struct ul_tensor *routed = ul_moe_block(b, cur, &e, il);
    cur = ul_cb(b, ul_ffn_block(b, cur, &shared, il), "ffn_shexp", il);
    return ul_cb(b, ulg_add(b->graph, routed, cur), "ffn_out", il);
}

int ul_prog_msa(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct msa s = make_msa(b);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct ul_tensor *cur = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
        cur = attention(b, &s, ul_cb(b, cur, "attn_norm", il), il);
        cur = ul_last_rows(b, cur, il);
        x = ul_cb(b, ulg_add(g, cur, ul_last_rows(b, x, il)), "ffn_inp", il);
        cur = ul_cb(b, ul_norm_of(b, x, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "ffn_norm", il);
        x = ul_cb(b, ulg_add(g, feed_forward(b, cur, il), x), "l_out", il);
    }
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}
