/* The layer program of BERT and its kin: no cache, norms behind attention and feed-forward instead
 * of before them, no logits. Source: src/models/bert.cpp (also nomic-bert, nomic-bert-moe,
 * jina-bert-v2, jina-bert-v3). The later encoders norm first and are the dense program.
 *
 * The row's options say whether positions rotate and how feed-forward goes; token types, learned
 * positions, norms of queries and keys and the second norm behind attention follow the file. */
#include "arch/build.h"
#include "arch/rows.h"

/* Tokens, plus the row of the first token type, plus learned positions; normed. */
static struct ul_tensor *embeddings(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *types = ul_wt(b, UL_ROLE_TOKEN_TYPES, -1);
    struct ul_tensor *positions = ul_wt(b, UL_ROLE_POS_EMBD, -1);
    if (positions) { /* the pinned engine has them in the graph before the tokens */
        positions = ulg_get_rows(g, positions, ul_inp_pos(b));
        ul_expand(b, positions);
    }
    struct ul_tensor *cur = ul_inp_embd(b);
    if (types)
        cur = ulg_add(g, cur, ulg_view_1d(g, types, b->model->n_embd, 0));
    if (positions)
        cur = ulg_add(g, positions, cur);
    ul_cb(b, cur, "inp_embd", -1);
    cur = ul_norm_of(b, cur, UL_ROLE_TOKEN_EMBD_NORM, UL_NORM_LAYER, 0);
    return ul_cb(b, cur, "inp_norm", 0);
}

/* A norm over all heads at once, when the file has one. */
static struct ul_tensor *head_norm(struct ul_build *b, struct ul_tensor *t, enum ul_role role,
                                   int il)
{
    struct ul_graph *g = b->graph;
    int64_t head = t->ne[0], n_head = t->ne[1];
    if (ul_wt(b, role, il) == NULL)
        return t;
    t = ul_norm_of(b, ulg_reshape_2d(g, t, head * n_head, b->n_tokens), role, UL_NORM_LAYER, il);
    return ulg_reshape_3d(g, t, head, n_head, b->n_tokens);
}

static struct ul_tensor *attention(struct ul_build *b, struct ul_tensor *x,
                                   const struct ul_attn_inp *inp, int il)
{
    const struct ul_model *m = b->model;
    const struct ul_layer *l = &m->layer[il];
    int64_t n_rot = ul_n_rot(m, (uint32_t)il);
    struct ul_qkv r =
        ul_qkv_block(b, x, ul_n_embd_head_k(m, (uint32_t)il), l->n_head, l->n_head_kv, il);
    r.q = head_norm(b, r.q, UL_ROLE_ATTN_Q_NORM, il);
    r.k = head_norm(b, r.k, UL_ROLE_ATTN_K_NORM, il);
    if (m->arch->dense.rotate != UL_ROTATE_NONE) {
        r.q = ul_rope_block(b, r.q, NULL, n_rot);
        r.k = ul_rope_block(b, r.k, NULL, n_rot);
    }
    ul_cb(b, r.q, "Qcur", il);
    ul_cb(b, r.k, "Kcur", il);
    struct ul_attn a = {.q = r.q, .k = r.k, .v = r.v,
                        .wo = ul_wt(b, UL_ROLE_ATTN_OUT, il),
                        .wo_b = ul_wt_bias(b, UL_ROLE_ATTN_OUT, il),
                        .wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il)};
    return ul_cb(b, ul_attn_block(b, inp, &a, il), "kqv_out", il);
}

/* Experts in every moe_every_n_layers-th layer, beginning with the second. */
static struct ul_tensor *feed_forward(struct ul_build *b, struct ul_tensor *cur, int il)
{
    const struct ul_model *m = b->model;
    const struct ul_dense *d = &m->arch->dense;
    if (m->moe_every_n_layers > 0 && (uint32_t)il % m->moe_every_n_layers == 1) {
        struct ul_moe e = ul_moe_of(b, UL_FFN_GELU, il);
        e.gating = UL_GATING_SOFTMAX;
        e.norm_w = false;
        return ul_moe_block(b, cur, &e, il);
    }
    struct ul_ffn f = ul_ffn_of(b, d->ffn_op, false, il);
    if (d->no_ffn_bias)
        f.up_b = f.gate_b = f.down_b = NULL;
    /* jina-bert-v2: both halves may be one matrix */
    if (f.op == UL_FFN_GELU && f.gate == NULL && f.up != NULL && f.up->ne[1] != m->layer[il].n_ff)
        f.op = UL_FFN_GEGLU;
    return ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
}

static struct ul_tensor *layer(struct ul_build *b, struct ul_tensor *x,
                               const struct ul_attn_inp *inp, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *cur = attention(b, x, inp, il);
    cur = ul_last_rows(b, cur, il);
    x = ul_last_rows(b, x, il);
    cur = ulg_add(g, cur, x);
    cur = ul_norm_of(b, cur, UL_ROLE_ATTN_OUT_NORM, UL_NORM_LAYER, il);
    if (ul_wt(b, UL_ROLE_ATTN_NORM_2, il))
        cur = ul_norm_of(b, ulg_add(g, cur, x), UL_ROLE_ATTN_NORM_2, UL_NORM_LAYER, il);
    x = ul_cb(b, cur, "ffn_inp", il);
    cur = ulg_add(g, feed_forward(b, x, il), x);
    return ul_norm_of(b, cur, UL_ROLE_LAYER_OUT_NORM, UL_NORM_LAYER, il);
}

int ul_prog_bert(struct ul_build *b)
{
    struct ul_tensor *cur = embeddings(b);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_NO_CACHE);
    for (int il = 0; il < (int)b->model->n_layer; il++)
        cur = layer(b, cur, &inp, il);
    b->t_embd = ul_cb(b, cur, "result_embd", -1);
    return ULLAGE_OK;
}
