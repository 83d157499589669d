/* DeepSeek V4: a window of keys, and behind it keys compressed 4 or 128 to one, in
 * hyper-connections. Layers of ratio 4 (CSA) pick compressed keys with a lightning indexer, which
 * compresses keys of its own; layers of ratio 128 (HCA) see all; the others have their window
 * alone. What is not yet a whole block waits in small states beside the caches. Sources:
 * src/models/deepseek4.cpp, src/llama-graph.cpp (build_inp_dsv4), src/llama-kv-cache-dsv4.cpp
 * (dsv4_build_reserve_comp_plan: while memory is reserved every block that a batch may touch is
 * written). */
#include "arch/hyper.h"
#include "arch/latent.h"
#include "arch/rows.h"

#define CSA_RATIO 4
#define HCA_RATIO 128

/* --- inputs ----------------------------------------------------------------------------------- */

/* One compressor: its cache, its state's tensors by name, and its inputs (comp_input). */
struct compressor {
    enum ul_kv_role cache;
    int64_t ratio, width;      /* tokens a key; a key's length */
    bool overlaps;             /* a key sees the block before, too */
    const char *kv, *score;
    int64_t n_blocks;
    struct ul_tensor *pos, *persist_src, *persist_dst, *restore_src, *restore_dst, *snap_src,
        *snap_dst;
    struct ul_tensor *read, *write, *write_pos, *mask, *rot;
};

struct inputs {
    struct ul_attn_side raw;
    struct compressor csa, hca, lid;
};

static struct ul_tensor *input(struct ul_build *b, enum ul_type type, int64_t n)
{
    return n > 0 ? ulg_set_input(ulg_new_1d(b->graph, type, n)) : NULL;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void make_compressor(struct ul_build *b, struct compressor *c, bool half)
{
    int64_t rows = c->ratio * (c->overlaps ? 2 : 1), snaps = b->cparams->n_rs_seq;
    int64_t persist = smaller(b->n_tokens, rows * b->cparams->n_seq_max);
    c->n_blocks = b->n_tokens / c->ratio + b->n_seqs; /* so the pinned engine counts */
    c->pos = input(b, UL_I32, b->n_tokens);
    c->persist_src = input(b, UL_I32, persist);
    c->persist_dst = input(b, UL_I32, persist);
    c->restore_src = input(b, UL_I32, snaps > 0 ? rows * b->n_seqs : 0);
    c->restore_dst = input(b, UL_I32, snaps > 0 ? rows * b->n_seqs : 0);
    c->snap_src = input(b, UL_I32, snaps * rows * b->n_seqs);
    c->snap_dst = input(b, UL_I32, snaps * rows * b->n_seqs);
    c->read = input(b, UL_I32, rows * c->n_blocks);
    c->write = input(b, UL_I64, c->n_blocks);
    c->write_pos = input(b, UL_I32, c->n_blocks);
    c->mask = ul_attn_mask(b, c->cache, half);
    c->rot = ul_attn_side_of(b, c->cache, false).k_rot;
}

static struct inputs make_inputs(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    int64_t head = ul_n_embd_head_k(m, 0);
    struct inputs in = {.raw = ul_attn_side_of(b, UL_KV_SWA, false),
                        .csa = {.cache = UL_KV_CSA,
                                .ratio = CSA_RATIO,
                                .width = head,
                                .overlaps = true,
                                .kv = "dsv4_csa_state_kv_l%d",
                                .score = "dsv4_csa_state_score_l%d"},
                        .hca = {.cache = UL_KV_HCA,
                                .ratio = HCA_RATIO,
                                .width = head,
                                .kv = "dsv4_hca_state_kv_l%d",
                                .score = "dsv4_hca_state_score_l%d"},
                        .lid = {.cache = UL_KV_INDEX,
                                .ratio = CSA_RATIO,
                                .width = m->indexer_head_size,
                                .overlaps = true,
                                .kv = "dsv4_lid_state_kv_l%d",
                                .score = "dsv4_lid_state_score_l%d"}};
    make_compressor(b, &in.csa, b->cparams->flash_attn);
    make_compressor(b, &in.hca, b->cparams->flash_attn);
    make_compressor(b, &in.lid, b->cparams->fused_lid);
    return in;
}

/* --- compression ------------------------------------------------------------------------------ */

/* Keys, or their scores: what the state holds (all of it, snapshots included; and the rows in use),
 * and what the batch adds. */
struct part {
    const char *name;
    struct ul_tensor *all, *base, *added;
};

/* The state's tensor with its streams in one column: get_kv_all, get_score_all. */
static struct ul_tensor *whole_state(struct ul_build *b, const char *name, int il)
{
    struct ul_tensor *t = ul_kv_extra_of(b, name, il);
    if (t == NULL)
        t = ulg_new_1d(b->graph, UL_F32, 1);
    return ulg_view_2d(b->graph, t, t->ne[0], t->ne[1] * t->ne[2], t->nb[1], 0);
}

/* dsv4_build_state_restore, and the rows in use. */
static void restore(struct ul_build *b, const struct compressor *c, struct part *p, int il)
{
    struct ul_graph *g = b->graph;
    int64_t snapshots = (int64_t)b->cparams->n_rs_seq + 1;
    p->all = whole_state(b, p->name, il);
    if (c->restore_src)
        p->all = ulg_set_rows(g, whole_state(b, p->name, il),
                              ulg_get_rows(g, p->all, c->restore_src), c->restore_dst);
    p->base = ulg_view_2d(g, p->all, p->all->ne[0], p->all->ne[1] / snapshots, p->all->nb[1], 0);
}

/* dsv4_append_zero_row: what a block before the first reads. */
static struct ul_tensor *append_row(struct ul_build *b, struct ul_tensor *t)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *row = ulg_scale(g, ulg_view_1d(g, t, t->ne[0], 0));
    return ulg_concat(g, t, ulg_reshape_2d(g, row, t->ne[0], 1), 1);
}

/* One half of the rows read: of the block before, or of the block itself. */
static struct ul_tensor *half_of(struct ul_build *b, const struct compressor *c,
                                 struct ul_tensor *rows, bool second)
{
    struct ul_graph *g = b->graph;
    int64_t n = c->ratio * c->n_blocks;
    uint64_t from =
        second ? (uint64_t)n * rows->nb[1] + ul_row_bytes(rows->type, (uint64_t)c->width) : 0;
    struct ul_tensor *t = ulg_view_2d(g, rows, c->width, n, rows->nb[1], from);
    return ulg_reshape_3d(g, ulg_cont(g, t), c->width, c->ratio, c->n_blocks);
}

/* The rows that make up the blocks, tokens first. */
static struct ul_tensor *blocks_of(struct ul_build *b, const struct compressor *c,
                                   const struct part *p)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = ulg_concat(g, p->base, p->added, 1);
    if (c->overlaps) {
        t = ulg_get_rows(g, append_row(b, t), c->read);
        t = ulg_concat(g, half_of(b, c, t, false), half_of(b, c, t, true), 1);
    } else {
        t = ulg_reshape_3d(g, ulg_get_rows(g, t, c->read), c->width, c->ratio, c->n_blocks);
    }
    return ulg_cont(g, ulg_permute(g, t, 1, 0, 2, 3));
}

/* build_overlap_compressed_kv_from_state, build_hca_compressed_kv_from_state */
static struct ul_tensor *compress(struct ul_build *b, const struct compressor *c,
                                  const struct part p[2], enum ul_role norm, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t =
        ulg_mul(g, blocks_of(b, c, &p[0]), ulg_soft_max(g, blocks_of(b, c, &p[1])));
    t = ulg_cont(g, ulg_permute(g, ulg_sum_rows(g, t), 1, 0, 2, 3));
    t = ul_norm_of(b, t, norm, UL_NORM_RMS, il);
    t = ulg_rope_ext(g, t, c->write_pos, NULL, (int)b->model->n_rot_full, b->model->rope_type);
    return c->rot ? ul_hadamard(b, t, c->rot) : t;
}

/* The state after the batch: snapshots for taking back tokens, then what the last block lacks. */
static void keep_state(struct ul_build *b, const struct compressor *c, const struct part p[2],
                       int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t[2];
    for (int i = 0; i < 2 && c->snap_src; i++) {
        t[i] = ulg_get_rows(g, ulg_concat(g, p[i].all, p[i].added, 1), c->snap_src);
        ul_expand(b, ulg_set_rows(g, whole_state(b, p[i].name, il), t[i], c->snap_dst));
    }
    for (int i = 0; i < 2; i++) {
        t[i] = ulg_get_rows(g, p[i].added, c->persist_src);
        ul_expand(b, ulg_set_rows(g, whole_state(b, p[i].name, il), t[i], c->persist_dst));
    }
}

/* roles: keys' matrix, scores' matrix, positions, norm. */
static void run_compressor(struct ul_build *b, const struct compressor *c,
                           const enum ul_role roles[4], struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    struct part p[2] = {{.name = c->kv}, {.name = c->score}};
    p[0].added = ul_mm(b, ul_wt(b, roles[0], il), cur, NULL);
    p[1].added = ul_mm(b, ul_wt(b, roles[1], il), cur, NULL);
    p[1].added = ulg_add(g, p[1].added, ulg_get_rows(g, ul_wt_needed(b, roles[2], il), c->pos));
    restore(b, c, &p[0], il);
    restore(b, c, &p[1], il);
    ul_expand(b, ul_kv_put_k(b, c->cache, compress(b, c, p, roles[3], il), c->write, il));
    keep_state(b, c, p, il);
}

/* --- attention -------------------------------------------------------------------------------- */

/* build_lid_top_k */
static struct ul_tensor *pick_keys(struct ul_build *b, const struct compressor *lid,
                                   struct ul_tensor *low, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct ul_tensor *q = ul_mm(b, ul_wt(b, UL_ROLE_INDEXER_ATTN_Q_B, il), low, NULL);
    q = ulg_reshape_3d(g, q, m->indexer_head_size, m->indexer_n_head, b->n_tokens);
    q = ul_rope_block(b, q, NULL, m->n_rot_full);
    if (lid->rot)
        q = ul_hadamard(b, q, lid->rot);
    struct ul_tensor *w = ulg_scale(g, ul_mm(b, ul_wt(b, UL_ROLE_INDEXER_PROJ, il), cur, NULL));
    struct ul_tensor *k = ul_kv_get_k(b, lid->cache, il);
    k = ulg_view_4d(g, k, k->ne[0], k->ne[1], lid->mask->ne[0], k->ne[3], k->nb[1], k->nb[2],
                    k->nb[3], 0);
    int64_t n = k->ne[3];
    uint64_t parts = (uint64_t)n;
    q = ulg_view_4d(g, q, q->ne[0], q->ne[1], q->ne[2] / n, n, q->nb[1], q->nb[2], q->nb[3] / parts,
                    0);
    w = ulg_view_4d(g, w, w->ne[0], w->ne[1] / n, w->ne[2], n, w->nb[1], w->nb[2] / parts,
                    w->nb[3] / parts, 0);
    struct ul_tensor *score = ul_indexer_scores(b, q, k, w, lid->mask);
    int64_t top = smaller(score->ne[0], m->indexer_top_k);
    return ulg_cont(g, ulg_top_k(g, score, top));
}

/* Attention over the window and, with `c`, over compressed keys; `top` says which of these. */
static struct ul_tensor *attend(struct ul_build *b, const struct inputs *in,
                                const struct compressor *c, struct ul_tensor *q,
                                struct ul_tensor *kv, struct ul_tensor *top, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *rot = in->raw.k_rot, *mask = in->raw.mask;
    if (rot) {
        q = ul_hadamard(b, q, rot);
        kv = ul_hadamard(b, kv, rot);
    }
    ul_expand(b, q);
    ul_expand(b, kv);
    ul_expand(b, ul_kv_put_k(b, UL_KV_SWA, kv, in->raw.k_idxs, il));
    struct ul_tensor *k = ul_kv_get_k(b, UL_KV_SWA, il);
    if (c) {
        struct ul_tensor *t = ul_kv_get_k(b, c->cache, il);
        t = ulg_view_4d(g, t, t->ne[0], t->ne[1], c->mask->ne[0], t->ne[3], t->nb[1], t->nb[2],
                        t->nb[3], 0);
        k = ulg_concat(g, k, t, 2);
        mask = ulg_concat(g, mask, top ? ul_mask_others(b, c->mask, top, mask->type) : c->mask, 0);
    }
    struct ul_attn a = {.q = q, .sinks = ul_wt(b, UL_ROLE_ATTN_SINKS, il)};
    struct ul_tensor *out = ul_attn_mha(b, &a, k, k, mask, il);
    return rot ? ul_hadamard(b, out, rot) : out;
}

/* Converters write the groups' matrices as one, and the engine takes them apart when it loads them.
 * Source: src/models/deepseek4.cpp: load_arch_tensors, TENSOR_ALLOW_RESHAPE. */
static struct ul_tensor *by_groups(struct ul_tensor *w, int64_t groups)
{
    if (w->ne[2] == 1 && groups > 1 && w->ne[1] % groups == 0) {
        w->ne[1] /= groups;
        w->ne[2] = groups;
        w->nb[2] = w->nb[1] * (size_t)w->ne[1];
    }
    return w;
}

/* The output matrix in two steps, the first by groups of heads. */
static struct ul_tensor *project(struct ul_build *b, struct ul_tensor *out, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = ul_n_embd_head_k(m, 0), n_head = m->layer[il].n_head,
            groups = m->dsv4_o_group_count;
    if (groups == 0)
        groups = 1;
    out = ulg_reshape_3d(g, out, head, n_head, b->n_tokens);
    out = ulg_rope_ext_back(g, out, ul_inp_pos(b), NULL, (int)m->n_rot_full, m->rope_type);
    out = ulg_reshape_3d(g, out, n_head / groups * head, groups, b->n_tokens);
    out = ulg_mul_mat(g, by_groups(ul_wt_needed(b, UL_ROLE_ATTN_OUT_A, il), groups),
                      ulg_permute(g, out, 0, 2, 1, 3));
    out = ulg_permute(g, out, 0, 2, 1, 3);
    out = ulg_cont_2d(g, out, (int64_t)m->dsv4_o_lora_rank * groups, b->n_tokens);
    return ul_mm(b, ul_wt(b, UL_ROLE_ATTN_OUT_B, il), out, NULL);
}

static struct ul_tensor *attention(struct ul_build *b, const struct inputs *in,
                                   struct ul_tensor *cur, int il)
{
    static const enum ul_role attn[4] = {UL_ROLE_ATTN_COMPRESSOR_WKV, UL_ROLE_ATTN_COMPRESSOR_WGATE,
                                         UL_ROLE_ATTN_COMPRESSOR_APE, UL_ROLE_ATTN_COMPRESSOR_NORM};
    static const enum ul_role index[4] = {
        UL_ROLE_INDEXER_COMPRESSOR_WKV, UL_ROLE_INDEXER_COMPRESSOR_WGATE,
        UL_ROLE_INDEXER_COMPRESSOR_APE, UL_ROLE_INDEXER_COMPRESSOR_NORM};
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = ul_n_embd_head_k(m, 0), ratio = m->layer[il].dsv4_compress_ratio;
    struct ul_tensor *low = ul_mm(b, ul_wt(b, UL_ROLE_ATTN_Q_A, il), cur, NULL);
    low = ul_norm_of(b, low, UL_ROLE_ATTN_Q_A_NORM, UL_NORM_RMS, il);
    struct ul_tensor *q = ul_mm(b, ul_wt(b, UL_ROLE_ATTN_Q_B, il), low, NULL);
    q = ulg_rms_norm(g, ulg_reshape_3d(g, q, head, m->layer[il].n_head, b->n_tokens));
    q = ul_rope_block(b, q, NULL, m->n_rot_full);
    struct ul_tensor *kv = ul_mm(b, ul_wt(b, UL_ROLE_ATTN_KV, il), cur, NULL);
    kv = ul_norm_of(b, kv, UL_ROLE_ATTN_KV_NORM, UL_NORM_RMS, il);
    kv = ul_rope_block(b, ulg_reshape_3d(g, kv, head, 1, b->n_tokens), NULL, m->n_rot_full);
    const struct compressor *c = ratio == CSA_RATIO ? &in->csa
                               : ratio == HCA_RATIO ? &in->hca
                                                    : NULL;
    struct ul_tensor *top = NULL;
    if (c)
        run_compressor(b, c, attn, cur, il);
    if (ratio == CSA_RATIO) {
        run_compressor(b, &in->lid, index, cur, il);
        top = pick_keys(b, &in->lid, low, cur, il);
    }
    return project(b, attend(b, in, c, q, kv, top, il), il);
}

/* --- a layer ---------------------------------------------------------------------------------- */

/* The first layers choose experts by the token's number. */
static struct ul_tensor *experts(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_moe e = ul_moe_of(b, UL_FFN_SILU, il);
    struct ul_ffn f = ul_ffn_shexp_of(b, UL_FFN_SILU, il);
    e.clamp_fused = f.clamp_fused = true;
    if (il < (int)b->model->dsv4_hash_layer_count) {
        struct ul_tensor *table = ul_wt_needed(b, UL_ROLE_FFN_GATE_TID2EID, il);
        e.selected_in = ulg_get_rows(b->graph, table, b->t_inp_tokens);
        e.probs_b = NULL;
    }
    struct ul_tensor *routed = ul_moe_block(b, cur, &e, il);
    struct ul_tensor *shared = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_shexp", il);
    return ul_cb(b, ulg_add(b->graph, routed, shared), "ffn_out", il);
}

static struct ul_tensor *layer(struct ul_build *b, const struct inputs *in, struct ul_tensor *x,
                               int il)
{
    static const enum ul_role attn[3] = {UL_ROLE_HC_ATTN_FN, UL_ROLE_HC_ATTN_SCALE,
                                         UL_ROLE_HC_ATTN_BASE};
    static const enum ul_role ffn[3] = {UL_ROLE_HC_FFN_FN, UL_ROLE_HC_FFN_SCALE,
                                        UL_ROLE_HC_FFN_BASE};
    struct ul_hyper h = ul_hyper_pre(b, x, attn, il);
    struct ul_tensor *cur = ul_norm_of(b, h.out, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
    x = ul_hyper_post(b, &h, attention(b, in, ul_cb(b, cur, "attn_norm", il), il));
    h = ul_hyper_pre(b, ul_cb(b, x, "hc_attn_post", il), ffn, il);
    ul_expand(b, h.x);
    ul_expand(b, h.post);
    ul_expand(b, h.comb);
    cur = ul_norm_of(b, h.out, UL_ROLE_FFN_NORM, UL_NORM_RMS, il);
    x = ul_hyper_post(b, &h, experts(b, ul_cb(b, cur, "ffn_norm", il), il));
    return ul_cb(b, x, "l_last", il);
}

/* build_hc_head: one weighted sum of the streams, spelled out. */
static struct ul_tensor *head(struct ul_build *b, struct ul_tensor *x)
{
    return ul_cb(b, ul_hyper_sum(b, x, ul_hyper_head_weights(b, x)), "hc_head", -1);
}

int ul_prog_dsv4(struct ul_build *b)
{
    b->n_stream = b->n_seqs; /* these caches are never shared, whatever -kvu says */
    struct ul_tensor *x = ul_inp_embd(b);
    struct inputs in = make_inputs(b);
    ul_expand(b, in.raw.mask);
    x = ul_hyper_start(b, x);
    for (int il = 0; il < (int)b->model->n_layer; il++)
        x = layer(b, &in, x, il);
    b->t_h_nextn = ul_cb(b, x, "h_nextn", -1);
    x = ul_result_norm(b, head(b, ul_hyper_rows(b, x)), UL_NORM_RMS);
    ul_result_output(b, x);
    return ULLAGE_OK;
}
