/* Attention: inputs of each kind of memory, writing to and reading from the caches, and the core,
 * fused (flash attention) or spelled out. Source: src/llama-graph.cpp (build_attn_inp_*,
 * build_attn, build_attn_mha, build_qkv), src/llama-kv-cache.cpp (get_k, get_v, cpy_k, cpy_v). */
#include "arch/build.h"

/* Without a cache, the keys and values of a batch are padded to a multiple of this (newer than the
 * source that was read, which leaves a note for it: TAG_NO_CACHE_PAD). */
#define NO_CACHE_PAD 256

/* --- inputs ----------------------------------------------------------------------------------- */

static struct ul_tensor *input_4d(struct ul_build *b, enum ul_type type, const char *name,
                                  int64_t n0, int64_t n1, int64_t n2, int64_t n3)
{
    struct ul_tensor *t = ulg_new_4d(b->graph, type, n0, n1, n2, n3);
    ulg_set_input(t);
    return ulg_name(t, name, -1);
}

/* Flash attention takes half-precision masks. */
static struct ul_tensor *mask(struct ul_build *b, const char *name, int64_t n_kv, int64_t n_stream)
{
    return input_4d(b, b->cparams->flash_attn ? UL_F16 : UL_F32, name, n_kv, b->n_tokens / n_stream,
                    1, n_stream);
}

struct ul_tensor *ul_attn_mask(struct ul_build *b, enum ul_kv_role cache, bool half)
{
    return input_4d(b, half ? UL_F16 : UL_F32, "attn_inp_kq_mask", b->memory->cache[cache].cells,
                    b->n_tokens / b->n_stream, 1, b->n_stream);
}

static struct ul_tensor *rotation(struct ul_build *b, const char *name, uint32_t n)
{
    return n ? input_4d(b, UL_F32, name, n, n, 1, 1) : NULL;
}

struct ul_attn_side ul_attn_side_of(struct ul_build *b, enum ul_kv_role cache, bool values)
{
    const struct ul_kv_cache *c = &b->memory->cache[cache];
    struct ul_attn_side s = {.cache = cache};
    int64_t n_v = b->n_tokens * (c->v_trans ? c->v_width_max : 1);
    s.k_idxs = input_4d(b, UL_I64, "attn_inp_k_idxs", b->n_tokens, 1, 1, 1);
    if (values)
        s.v_idxs = input_4d(b, UL_I64, "attn_inp_v_idxs", n_v, 1, 1, 1);
    s.mask = mask(b, "attn_inp_kq_mask", c->cells, b->n_stream);
    s.k_rot = rotation(b, "attn_inp_k_rot", c->rot_k);
    if (values)
        s.v_rot = rotation(b, "attn_inp_v_rot", c->rot_v);
    return s;
}

struct ul_attn_inp ul_attn_inputs(struct ul_build *b, enum ul_attn_kind kind)
{
    struct ul_attn_inp inp = {.kind = kind};
    bool windows = b->model->swa_type != UL_SWA_NONE;
    if (kind == UL_ATTN_NO_CACHE) {
        int64_t n_kv = (int64_t)ul_pad((uint64_t)b->n_tokens, NO_CACHE_PAD);
        inp.full.mask = mask(b, "self_kq_mask", n_kv, 1);
        if (windows)
            inp.swa.mask = mask(b, "self_kq_mask_swa", n_kv, 1);
        return inp;
    }
    if (kind == UL_ATTN_CROSS) {
        inp.full.mask = mask(b, "attn_inp_kq_mask", b->model->n_ctx_train, 1);
        return inp;
    }
    bool values = kind == UL_ATTN_KV || kind == UL_ATTN_KV_ISWA;
    if (windows)
        inp.kind = values ? UL_ATTN_KV_ISWA : UL_ATTN_K_ISWA;
    inp.full = ul_attn_side_of(b, UL_KV_BASE, values);
    if (inp.kind == UL_ATTN_KV_ISWA || inp.kind == UL_ATTN_K_ISWA)
        inp.swa = ul_attn_side_of(b, UL_KV_SWA, values);
    return inp;
}

const struct ul_attn_side *ul_attn_side_at(struct ul_build *b, const struct ul_attn_inp *inp,
                                           int il)
{
    return inp->swa.mask != NULL && b->model->layer[il].is_swa ? &inp->swa : &inp->full;
}

/* --- the caches ------------------------------------------------------------------------------- */

/* The cache tensors of a layer. A layer that has none (a file at odds with itself) makes the graph
 * bad and gets a single value instead. */
static struct ul_tensor *kv_tensor(struct ul_build *b, enum ul_kv_role cache, bool values, int il)
{
    const struct ul_kv_layer *l = ul_kv_of(b, cache, il);
    struct ul_tensor *t = l == NULL ? NULL : values ? l->v : l->k;
    if (t != NULL)
        return t;
    if (b->graph->bad == NULL)
        b->graph->bad = "a layer attends without a cache";
    return ulg_new_3d(b->graph, UL_F16, 1, 1, 1);
}

/* A batch reads the streams of its own sequences only: all of them when the context reserves, one
 * for a single slot's prompt (llama_kv_cache::get_k, slot_info::n_stream). */
static int64_t streams_read(const struct ul_build *b, const struct ul_kv_cache *c)
{
    return b->n_seqs < (int64_t)c->streams ? (int64_t)b->n_seqs : (int64_t)c->streams;
}

struct ul_tensor *ul_kv_get_k(struct ul_build *b, enum ul_kv_role cache, int il)
{
    const struct ul_kv_cache *c = &b->memory->cache[cache];
    struct ul_tensor *k = kv_tensor(b, cache, false, il);
    bool one = cache == UL_KV_INDEX; /* an indexer has one head of keys */
    int64_t head = one ? k->ne[0] : ul_n_embd_head_k(b->model, (uint32_t)il);
    int64_t n_head_kv = one ? 1 : b->model->layer[il].n_head_kv;
    uint64_t row = ul_row_bytes(k->type, (uint64_t)k->ne[0]);
    return ulg_view_4d(b->graph, k, head, n_head_kv, c->cells, streams_read(b, c),
                       ul_row_bytes(k->type, (uint64_t)head), row, ul_mul(row, c->cells), 0);
}

struct ul_tensor *ul_kv_get_v(struct ul_build *b, enum ul_kv_role cache, int il)
{
    const struct ul_kv_cache *c = &b->memory->cache[cache];
    struct ul_tensor *v = kv_tensor(b, cache, true, il);
    int64_t head = ul_n_embd_head_v(b->model, (uint32_t)il),
            n_head_kv = b->model->layer[il].n_head_kv;
    uint64_t all = ul_mul(ul_row_bytes(v->type, (uint64_t)v->ne[0]), c->cells);
    if (!c->v_trans)
        return ulg_view_4d(b->graph, v, head, n_head_kv, c->cells, streams_read(b, c),
                           ul_row_bytes(v->type, (uint64_t)head),
                           ul_row_bytes(v->type, (uint64_t)v->ne[0]), all, 0);
    return ulg_view_4d(b->graph, v, c->cells, n_head_kv, head, streams_read(b, c),
                       ul_row_bytes(v->type, (uint64_t)c->cells * (uint64_t)head),
                       ul_row_bytes(v->type, c->cells), all, 0);
}

/* The first two dimensions (head, heads) as one. */
static struct ul_tensor *merge_heads(struct ul_build *b, struct ul_tensor *t)
{
    return ulg_view_2d(b->graph, t, t->ne[0] * t->ne[1], t->ne[2], t->nb[2], 0);
}

/* All streams as one, because the indices count over all of them. */
static struct ul_tensor *merge_streams(struct ul_build *b, struct ul_tensor *t)
{
    return t->ne[2] > 1 ? ulg_reshape_2d(b->graph, t, t->ne[0], t->ne[1] * t->ne[2]) : t;
}

struct ul_tensor *ul_kv_put_k(struct ul_build *b, enum ul_kv_role cache,
                                 struct ul_tensor *k, struct ul_tensor *idxs, int il)
{
    struct ul_tensor *rows = merge_heads(b, k);
    return ulg_set_rows(b->graph, merge_streams(b, kv_tensor(b, cache, false, il)), rows, idxs);
}

struct ul_tensor *ul_kv_put_v(struct ul_build *b, enum ul_kv_role cache,
                                 struct ul_tensor *v, struct ul_tensor *idxs, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *store = kv_tensor(b, cache, true, il);
    if (!b->memory->cache[cache].v_trans)
        return ulg_set_rows(g, merge_streams(b, store), merge_heads(b, v), idxs);
    /* Transposed: every value is a row of its own. */
    int64_t width = v->ne[0] * v->ne[1], n = v->ne[2];
    v = ul_row_bytes(v->type, (uint64_t)width) == v->nb[2] ? ulg_reshape_2d(g, v, width, n)
                                                           : ulg_cont_2d(g, v, width, n);
    if (width < store->ne[0])
        v = ulg_pad(g, v, store->ne[0] - width, 0, 0, 0);
    store = ulg_reshape_2d(g, store, 1, ul_tensor_elements(store));
    return ulg_set_rows(g, store, ulg_reshape_2d(g, v, 1, ul_tensor_elements(v)), idxs);
}

struct ul_tensor *ul_hadamard(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *rot)
{
    struct ul_graph *g = b->graph;
    int64_t n = rot->ne[0], rows = ul_tensor_elements(cur) / n;
    struct ul_tensor *r = ul_tensor_contiguous(cur) ? ulg_reshape_2d(g, cur, n, rows)
                                                    : ulg_cont_2d(g, cur, n, rows);
    r = ulg_mul_mat(g, rot, r);
    return ulg_reshape_4d(g, r, cur->ne[0], cur->ne[1], cur->ne[2], cur->ne[3]);
}

/* --- the core --------------------------------------------------------------------------------- */

static struct ul_tensor *attend_fused(struct ul_build *b, const struct ul_attn *a,
                                      struct ul_tensor *q, struct ul_tensor *k, struct ul_tensor *v,
                                      bool v_trans, struct ul_tensor *kq_mask, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    if (v_trans)
        v = ulg_transpose(g, v);
    if (k->type == UL_F32)
        k = ulg_cast(g, k, UL_F16);
    if (v->type == UL_F32)
        v = ulg_cast(g, v, UL_F16);
    struct ul_tensor *cur =
        ulg_flash_attn_ext(g, q, k, v, kq_mask, m->f_max_alibi_bias,
                           m->attn_soft_cap ? m->f_attn_logit_softcapping : 0.0f);
    cur->origin = &m->layer[il]; /* llm_graph_result::add_fused_node */
    ulg_flash_attn_ext_add_sinks(cur, a->sinks);
    ulg_prec_f32(cur);
    if (a->v_mla) {
        cur = ulg_mul_mat(g, a->v_mla, ulg_permute(g, cur, 0, 2, 1, 3));
        ul_cb(b, cur, "fattn_mla", il);
        cur = ulg_cont(g, ulg_permute(g, cur, 0, 2, 1, 3));
    }
    return ulg_reshape_2d(g, cur, cur->ne[0] * cur->ne[1], cur->ne[2] * cur->ne[3]);
}

/* The logits before the soft max: squashed for grok and for models with a soft cap, biased for
 * t5. */
static struct ul_tensor *shape_logits(struct ul_build *b, const struct ul_attn *a,
                                      struct ul_tensor *kq, int il)
{
    struct ul_graph *g = b->graph;
    if (a->scale_tanh) {
        kq = ul_cb(b, ulg_tanh(g, ulg_scale(g, kq)), "kq_tanh", il);
        kq = ul_cb(b, ulg_scale(g, kq), "kq_scaled", il);
    }
    if (b->model->attn_soft_cap) {
        kq = ul_cb(b, ulg_scale(g, kq), "kq_scaled_1", il);
        kq = ul_cb(b, ulg_tanh(g, kq), "kq_tanh", il);
        kq = ul_cb(b, ulg_scale(g, kq), "kq_scaled_2", il);
    }
    return a->kq_b ? ul_cb(b, ulg_add(g, kq, a->kq_b), "kq_plus_kq_b", il) : kq;
}

static struct ul_tensor *attend_spelled_out(struct ul_build *b, const struct ul_attn *a,
                                            struct ul_tensor *q, struct ul_tensor *k,
                                            struct ul_tensor *v, bool v_trans,
                                            struct ul_tensor *kq_mask, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *kq = ulg_prec_f32(ul_cb(b, ulg_mul_mat(g, k, q), "kq", il));
    kq = ulg_soft_max_ext(g, shape_logits(b, a, kq, il), kq_mask, b->model->f_max_alibi_bias);
    ulg_soft_max_add_sinks(kq, a->sinks);
    ul_cb(b, kq, "kq_soft_max", il);
    if (!v_trans)
        v = ul_cb(b, ulg_cont(g, ulg_transpose(g, v)), "v_cont", il);
    struct ul_tensor *kqv = ul_cb(b, ulg_mul_mat(g, v, kq), "kqv", il);
    if (a->v_mla)
        kqv = ul_cb(b, ulg_mul_mat(g, a->v_mla, kqv), "kqv_mla", il);
    struct ul_tensor *cur = ulg_permute(g, kqv, 0, 2, 1, 3);
    cur = ulg_cont_2d(g, cur, cur->ne[0] * cur->ne[1], cur->ne[2] * cur->ne[3]);
    if (!b->cparams->offload_kqv && b->cpu_backend >= 0)
        cur->backend = b->cpu_backend;
    return cur;
}

struct ul_tensor *ul_attn_mha(struct ul_build *b, const struct ul_attn *a, struct ul_tensor *k,
                              struct ul_tensor *v, struct ul_tensor *kq_mask, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *q = a->q;
    bool v_trans = v->nb[1] > v->nb[2];
    int64_t n_stream = k->ne[3];
    q = ulg_view_4d(g, q, q->ne[0], q->ne[1], q->ne[2] / n_stream, n_stream, q->nb[1], q->nb[2],
                    q->nb[3] / (uint64_t)n_stream, 0);
    q = ulg_permute(g, q, 0, 2, 1, 3);
    k = ulg_permute(g, k, 0, 2, 1, 3);
    v = ulg_permute(g, v, 0, 2, 1, 3);
    struct ul_tensor *cur = b->cparams->flash_attn && a->kq_b == NULL
                                ? attend_fused(b, a, q, k, v, v_trans, kq_mask, il)
                                : attend_spelled_out(b, a, q, k, v, v_trans, kq_mask, il);
    ul_expand(b, cur);
    return cur;
}

/* --- a layer's attention ---------------------------------------------------------------------- */

/* Queries, keys and values go into the graph together. Which comes first is a matter of the
 * kind. */
static void expand_qkv(struct ul_build *b, enum ul_attn_kind kind, const struct ul_attn *a)
{
    struct ul_tensor *order[3] = {a->q, a->k, a->v};
    if (kind == UL_ATTN_KV || kind == UL_ATTN_K) {
        order[1] = a->v;
        order[2] = a->k;
    } else if (kind == UL_ATTN_K_ISWA) {
        order[2] = NULL;
    }
    for (int i = 0; i < 3; i++)
        if (order[i] != NULL)
            ul_expand(b, order[i]);
}

static void rotate(struct ul_build *b, const struct ul_attn_side *s, struct ul_attn *a, bool values)
{
    if (s->k_rot) {
        a->q = ul_hadamard(b, a->q, s->k_rot);
        a->k = a->k ? ul_hadamard(b, a->k, s->k_rot) : NULL;
    }
    if (s->v_rot && values && a->v)
        a->v = ul_hadamard(b, a->v, s->v_rot);
}

static void store(struct ul_build *b, const struct ul_attn_side *s, const struct ul_attn *a,
                  bool values, int il)
{
    if (a->k)
        ul_expand(b, ul_kv_put_k(b, s->cache, a->k, s->k_idxs, il));
    if (values && a->v)
        ul_expand(b, ul_kv_put_v(b, s->cache, a->v, s->v_idxs, il));
}

struct ul_tensor *ul_attn_block(struct ul_build *b, const struct ul_attn_inp *inp,
                                const struct ul_attn *args, int il)
{
    const struct ul_attn_side *s = ul_attn_side_at(b, inp, il);
    struct ul_attn a = *args;
    bool values = inp->kind == UL_ATTN_KV || inp->kind == UL_ATTN_KV_ISWA;
    bool cached = values || inp->kind == UL_ATTN_K || inp->kind == UL_ATTN_K_ISWA;
    struct ul_tensor *k = a.k, *v = a.v, *back = values ? s->v_rot : NULL;
    if (inp->kind == UL_ATTN_K_ISWA)
        back = s->k_rot;
    if (inp->kind != UL_ATTN_K)
        rotate(b, s, &a, values);
    expand_qkv(b, inp->kind, &a);
    if (cached) {
        store(b, s, &a, values, il);
        k = ul_kv_get_k(b, s->cache, il);
        v = values ? ul_kv_get_v(b, s->cache, il)
                   : ulg_view_4d(b->graph, k, a.v->ne[0], k->ne[1], k->ne[2], k->ne[3], k->nb[1],
                                 k->nb[2], k->nb[3], 0);
    }
    if (inp->kind == UL_ATTN_NO_CACHE) {
        int64_t more = s->mask->ne[0] - b->n_tokens;
        k = ulg_pad(b->graph, k, 0, 0, more, 0);
        v = ulg_pad(b->graph, v, 0, 0, more, 0);
        a.kq_b = a.kq_b ? ulg_pad(b->graph, a.kq_b, more, 0, 0, 0) : NULL;
    }
    struct ul_tensor *cur = ul_cb(b, ul_attn_mha(b, &a, k, v, s->mask, il), "kqv_out", il);
    if (back)
        cur = ul_hadamard(b, cur, back);
    if (a.wo)
        cur = ul_mm(b, a.wo, cur, a.wo_s);
    return ul_add_opt(b, cur, a.wo_b);
}

/* --- queries, keys and values ----------------------------------------------------------------- */

static struct ul_qkv fused_qkv(struct ul_build *b, struct ul_tensor *w, struct ul_tensor *cur,
                               int64_t n_embd_head, int64_t n_head, int64_t n_head_kv, int il)
{
    struct ul_graph *g = b->graph;
    bool biased = !b->model->arch->dense.no_qkv_bias;
    struct ul_tensor *bias = biased ? ul_wt_bias(b, UL_ROLE_ATTN_QKV, il) : NULL;
    struct ul_tensor *scale = b->model->arch->dense.no_qkv_scale
                                  ? NULL : ul_wt_scale(b, UL_ROLE_ATTN_QKV, il);
    struct ul_tensor *qkv = ul_mm(b, w, cur, scale);
    ul_cb(b, qkv, "wqkv", il);
    if (bias)
        qkv = ul_cb(b, ulg_add(g, qkv, bias), "wqkv_b", il);
    if (b->model->f_clamp_kqv > 0.0f)
        qkv = ul_cb(b, ulg_clamp(g, qkv), "wqkv_clamped", il);
    /* Values may be shorter than keys (mimo2, plamo3): what is left of the row is theirs. */
    int64_t rest = qkv->ne[0] - n_embd_head * (n_head + n_head_kv);
    int64_t head_v = n_head_kv > 0 && rest > 0 ? rest / n_head_kv : n_embd_head;
    uint64_t head = ul_row_bytes(qkv->type, (uint64_t)n_embd_head);
    uint64_t q = head * (uint64_t)n_head, kv = head * (uint64_t)n_head_kv;
    return (struct ul_qkv){
        .q = ulg_view_3d(g, qkv, n_embd_head, n_head, b->n_tokens, head, qkv->nb[1], 0),
        .k = ulg_view_3d(g, qkv, n_embd_head, n_head_kv, b->n_tokens, head, qkv->nb[1], q),
        .v = ulg_view_3d(g, qkv, head_v, n_head_kv, b->n_tokens,
                         ul_row_bytes(qkv->type, (uint64_t)head_v), qkv->nb[1], q + kv)};
}

static struct ul_tensor *one_of_qkv(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                                    const char *name, const char *clamped, int il)
{
    struct ul_tensor *bias = b->model->arch->dense.no_qkv_bias ? NULL : ul_wt_bias(b, role, il);
    bool scaled = !b->model->arch->dense.no_qkv_scale;
    struct ul_tensor *t =
        ul_mm(b, ul_wt(b, role, il), cur, scaled ? ul_wt_scale(b, role, il) : NULL);
    ul_cb(b, t, name, il);
    if (bias)
        t = ul_cb(b, ulg_add(b->graph, t, bias), name, il);
    if (b->model->f_clamp_kqv > 0.0f)
        t = ul_cb(b, ulg_clamp(b->graph, t), clamped, il);
    return t;
}

struct ul_qkv ul_qkv_flat(struct ul_build *b, struct ul_tensor *cur, int il)
{
    return (struct ul_qkv){
        .q = one_of_qkv(b, cur, UL_ROLE_ATTN_Q, "Qcur", "Qcur_clamped", il),
        .k = one_of_qkv(b, cur, UL_ROLE_ATTN_K, "Kcur", "Kcur_clamped", il),
        .v = one_of_qkv(b, cur, UL_ROLE_ATTN_V, "Vcur", "Vcur_clamped", il)};
}

struct ul_qkv ul_qkv_block(struct ul_build *b, struct ul_tensor *cur, int64_t n_embd_head,
                           int64_t n_head, int64_t n_head_kv, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *w = ul_wt(b, UL_ROLE_ATTN_QKV, il);
    struct ul_qkv r;
    if (w) {
        r = fused_qkv(b, w, cur, n_embd_head, n_head, n_head_kv, il);
    } else {
        r = ul_qkv_flat(b, cur, il);
        r.q = ulg_reshape_3d(g, r.q, n_embd_head, n_head, b->n_tokens);
        r.k = ulg_reshape_3d(g, r.k, n_embd_head, n_head_kv, b->n_tokens);
        r.v = ulg_reshape_3d(g, r.v, n_head_kv > 0 ? r.v->ne[0] / n_head_kv : 0, n_head_kv,
                             b->n_tokens);
    }
    ul_cb(b, r.q, "Qcur", il);
    ul_cb(b, r.k, "Kcur", il);
    ul_cb(b, r.v, "Vcur", il);
    return r;
}

/* src/llama-model.cpp: llama_model::get_rope_factors */
struct ul_tensor *ul_rope_factors(struct ul_build *b, int il)
{
    if (!b->model->layer[il].rope_factors)
        return NULL;
    struct ul_tensor *t = ul_wt(b, UL_ROLE_ROPE_FREQS, il);
    if (t)
        return t;
    return ul_wt(b,
                 b->cparams->n_ctx_seq > b->model->n_ctx_orig_yarn ? UL_ROLE_ROPE_FACTORS_LONG
                                                                   : UL_ROLE_ROPE_FACTORS_SHORT,
                 il);
}

struct ul_tensor *ul_rope_block(struct ul_build *b, struct ul_tensor *t, struct ul_tensor *factors,
                                int64_t n_rot)
{
    return ulg_rope_ext(b->graph, t, ul_inp_pos(b), factors, (int)n_rot, b->model->rope_type);
}
