/* The layer program of Granite Switch: an ordinary transformer in which every matrix has a stack of
 * low-rank adapters, and each token takes the adapter that a router gives it. The router is an
 * attention layer of one head behind the others, whose keys say which tokens switch and whose
 * values say to what. Source: src/models/granite-switch.cpp. */
#include "arch/build.h"
#include "arch/rows.h"

/* One number a token, as a head whose other values are zero. */
static struct ul_tensor *router_lane(struct ul_build *b, int64_t n_embd_head)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = ulg_set_input(ulg_new_1d(g, UL_F32, b->n_tokens));
    return ulg_pad(g, ulg_reshape_3d(g, t, 1, 1, b->n_tokens), n_embd_head - 1, 0, 0, 0);
}

/* The adapter's number for each token. */
static struct ul_tensor *route(struct ul_build *b, const struct ul_attn_inp *inp)
{
    struct ul_graph *g = b->graph;
    int il = b->model->router_layer;
    int64_t head = ul_n_embd_head_k(b->model, (uint32_t)il);
    struct ul_attn a = {
        .q = router_lane(b, head), .k = router_lane(b, head), .v = router_lane(b, head)};
    struct ul_tensor *t = ul_cb(b, ul_attn_block(b, inp, &a, il), "router_out", il);
    t = ulg_cont(g, ulg_view_2d(g, t, 1, b->n_tokens, t->nb[1], 0));
    t = ulg_clamp(g, ulg_reshape_1d(g, t, b->n_tokens));
    t = ulg_cast(g, ulg_unary(g, t, UL_UNARY_ROUND), UL_I32);
    return ul_cb(b, t, "adapter_ids", -1);
}

/* build_switched_lora_delta */
static struct ul_tensor *delta(struct ul_build *b, enum ul_role role, struct ul_tensor *cur,
                               struct ul_tensor *ids, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n = cur->ne[1];
    struct ul_tensor *x = ulg_reshape_3d(g, cur, cur->ne[0], 1, n);
    ids = ulg_reshape_2d(g, ids, 1, n);
    struct ul_tensor *t = ulg_mul_mat_id(g, ul_wt_suffix(b, role, UL_LORA_A, il), x, ids);
    t = ulg_mul_mat_id(g, ul_wt_suffix(b, role, UL_LORA_B, il), t, ids);
    return ulg_reshape_2d(g, t, t->ne[0], n);
}

/* build_switched_lora_mm */
static struct ul_tensor *mm(struct ul_build *b, enum ul_role role, struct ul_tensor *cur,
                            struct ul_tensor *ids, int il)
{
    struct ul_tensor *t = ulg_mul_mat(b->graph, ul_wt(b, role, il), cur);
    return ulg_add(b->graph, t, delta(b, role, cur, ids, il));
}

/* A part of the fused projection with its adapter, by head. */
static struct ul_tensor *part(struct ul_build *b, struct ul_tensor *qkv, enum ul_role role,
                              struct ul_tensor *cur, struct ul_tensor *ids, int64_t n_head,
                              int64_t heads_before, int il)
{
    struct ul_graph *g = b->graph;
    int64_t head = ul_n_embd_head_k(b->model, (uint32_t)il);
    struct ul_tensor *t = ulg_view_2d(g, qkv, head * n_head, qkv->ne[1], qkv->nb[1],
                                      (uint64_t)(head * heads_before) * qkv->nb[0]);
    t = ulg_add(g, ulg_cont(g, t), delta(b, role, cur, ids, il));
    return ulg_reshape_3d(g, t, head, n_head, b->n_tokens);
}

static struct ul_tensor *attention(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *ids,
                                   const struct ul_attn_inp *inp, int il)
{
    const struct ul_model *m = b->model;
    int64_t q = m->layer[il].n_head, kv = m->layer[il].n_head_kv, n_rot = ul_n_rot(m, (uint32_t)il);
    struct ul_tensor *qkv = ulg_mul_mat(b->graph, ul_wt(b, UL_ROLE_ATTN_QKV, il), cur);
    ul_cb(b, qkv, "wqkv", il);
    struct ul_attn a = {.q = part(b, qkv, UL_ROLE_ATTN_Q, cur, ids, q, 0, il),
                        .k = part(b, qkv, UL_ROLE_ATTN_K, cur, ids, kv, q, il),
                        .v = part(b, qkv, UL_ROLE_ATTN_V, cur, ids, kv, q + kv, il)};
    if (ul_has_rope(m, (uint32_t)il)) {
        a.q = ul_rope_block(b, a.q, ul_rope_factors(b, il), n_rot);
        a.k = ul_rope_block(b, a.k, ul_rope_factors(b, il), n_rot);
    }
    ul_cb(b, a.q, "Qcur", il);
    ul_cb(b, a.k, "Kcur", il);
    ul_cb(b, a.v, "Vcur", il);
    cur = ul_cb(b, ul_attn_block(b, inp, &a, il), "attn_pre_o", il);
    return ul_cb(b, mm(b, UL_ROLE_ATTN_OUT, cur, ids, il), "attn_out", il);
}

/* The residual, to which t is added after scaling. */
static struct ul_tensor *add_scaled(struct ul_build *b, struct ul_tensor *t, struct ul_tensor *x)
{
    if (b->model->f_residual_scale != 0.0f)
        t = ulg_scale(b->graph, t);
    return ulg_add(b->graph, t, x);
}

static struct ul_tensor *feed_forward(struct ul_build *b, struct ul_tensor *cur,
                                      struct ul_tensor *x, struct ul_tensor *ids, int il)
{
    struct ul_graph *g = b->graph;
    x = ul_cb(b, add_scaled(b, cur, x), "ffn_inp", il);
    cur = ul_norm_block(b, x, ul_wt(b, UL_ROLE_FFN_NORM, il), NULL, UL_NORM_RMS, il);
    ul_cb(b, cur, "ffn_norm", il);
    struct ul_tensor *gate = mm(b, UL_ROLE_FFN_GATE, cur, ids, il);
    struct ul_tensor *up = mm(b, UL_ROLE_FFN_UP, cur, ids, il);
    cur = mm(b, UL_ROLE_FFN_DOWN, ulg_mul(g, ulg_silu(g, gate), up), ids, il);
    ul_cb(b, cur, "ffn_out", il);
    return ul_cb(b, add_scaled(b, cur, x), "l_out", il);
}

/* Tokens that switch are embedded as others, so the batch's own are not used. */
static struct ul_tensor *embeddings(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *tokens = ulg_set_input(ulg_new_1d(g, UL_I32, b->n_tokens));
    struct ul_tensor *cur = ulg_get_rows(g, ul_wt(b, UL_ROLE_TOKEN_EMBD, -1), tokens);
    if (b->model->f_embedding_scale != 0.0f)
        cur = ulg_scale(g, cur);
    return ul_cb(b, cur, "inp_embd", -1);
}

int ul_prog_granite_switch(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    int last = (int)b->model->n_layer - 1;
    struct ul_tensor *x = embeddings(b);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_KV);
    struct ul_tensor *ids = route(b, &inp);
    for (int il = 0; il <= last; il++) {
        struct ul_tensor *cur = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
        cur = attention(b, ul_cb(b, cur, "attn_norm", il), ids, &inp, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_last_rows(b, x, il);
        if (il == last) {
            ids = ul_last_rows(b, ulg_reshape_2d(g, ids, 1, ids->ne[0]), il);
            ids = ulg_reshape_1d(g, ids, ids->ne[1]);
        }
        x = feed_forward(b, cur, x, ids, il);
    }
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}
