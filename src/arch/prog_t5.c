/* The layer programs of T5: the encoder alone (t5encoder), and the decoder, which is what the
 * engine reserves memory for when a file has both (t5). Positions are a bias on the attention's
 * logits, looked up by bucket; the first layer's table serves layers without one. Sources:
 * src/models/t5.cpp, src/models/t5encoder.cpp; src/llama-graph.cpp (build_pos_bias,
 * build_inp_pos_bucket_enc, build_inp_pos_bucket_dec, build_inp_cross_embd). */
#include "arch/build.h"
#include "arch/rows.h"

/* The roles of one half's tensors. */
struct half {
    enum ul_role norm, q, k, v, out, rel_b, ffn_norm, up, gate, down;
};
static const struct half encoder = {
    UL_ROLE_ENC_ATTN_NORM, UL_ROLE_ENC_ATTN_Q, UL_ROLE_ENC_ATTN_K, UL_ROLE_ENC_ATTN_V,
    UL_ROLE_ENC_ATTN_OUT, UL_ROLE_ENC_ATTN_REL_B, UL_ROLE_ENC_FFN_NORM, UL_ROLE_ENC_FFN_UP,
    UL_ROLE_ENC_FFN_GATE, UL_ROLE_ENC_FFN_DOWN};
static const struct half decoder = {
    UL_ROLE_DEC_ATTN_NORM, UL_ROLE_DEC_ATTN_Q, UL_ROLE_DEC_ATTN_K, UL_ROLE_DEC_ATTN_V,
    UL_ROLE_DEC_ATTN_OUT, UL_ROLE_DEC_ATTN_REL_B, UL_ROLE_DEC_FFN_NORM, UL_ROLE_DEC_FFN_UP,
    UL_ROLE_DEC_FFN_GATE, UL_ROLE_DEC_FFN_DOWN};

static struct ul_tensor *rms(struct ul_build *b, struct ul_tensor *t, enum ul_role role,
                             const char *name, int il)
{
    return ul_cb(b, ul_norm_of(b, t, role, UL_NORM_RMS, il), name, il);
}

static struct ul_tensor *input_2d(struct ul_build *b, enum ul_type type, const char *name,
                                  int64_t n0, int64_t n1)
{
    return ulg_name(ulg_set_input(ulg_new_2d(b->graph, type, n0, n1)), name, -1);
}

/* One projection by head. */
static struct ul_tensor *project(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                                 const char *name, int64_t n_head, int il)
{
    struct ul_tensor *t = ul_cb(b, ul_mm(b, ul_wt(b, role, il), cur, NULL), name, il);
    return ulg_reshape_3d(b->graph, t, ul_n_embd_head_k(b->model, (uint32_t)il), n_head,
                          cur->ne[1]);
}

static struct ul_attn project_all(struct ul_build *b, struct ul_tensor *q_of,
                                  struct ul_tensor *kv_of, const enum ul_role role[4], int il)
{
    const struct ul_layer *l = &b->model->layer[il];
    return (struct ul_attn){.q = project(b, q_of, role[0], "Qcur", l->n_head, il),
                            .k = project(b, kv_of, role[1], "Kcur", l->n_head_kv, il),
                            .v = project(b, kv_of, role[2], "Vcur", l->n_head_kv, il),
                            .wo = ul_wt(b, role[3], il)};
}

static struct ul_tensor *position_bias(struct ul_build *b, const struct half *h,
                                       struct ul_tensor *bucket, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *table = ul_wt(b, h->rel_b, il);
    if (table == NULL)
        table = ul_wt(b, h->rel_b, 0);
    struct ul_tensor *flat = ulg_reshape_1d(g, bucket, bucket->ne[0] * bucket->ne[1]);
    ul_cb(b, flat, "pos_bucket_1d", -1);
    struct ul_tensor *t = ulg_get_rows(g, table, flat);
    t = ulg_reshape_3d(g, t, t->ne[0], bucket->ne[0], bucket->ne[1]);
    return ul_cb(b, ulg_cont(g, ulg_permute(g, t, 2, 0, 1, 3)), "pos_bias", -1);
}

static struct ul_tensor *self_attention(struct ul_build *b, struct ul_tensor *x,
                                        const struct half *h, const struct ul_attn_inp *inp,
                                        struct ul_tensor *bucket, int il)
{
    const enum ul_role role[4] = {h->q, h->k, h->v, h->out};
    struct ul_tensor *cur = rms(b, x, h->norm, "attn_norm", il);
    struct ul_attn a = project_all(b, cur, cur, role, il);
    a.kq_b = position_bias(b, h, bucket, il);
    return ul_cb(b, ul_attn_block(b, inp, &a, il), "kqv_out", il);
}

static struct ul_tensor *cross_attention(struct ul_build *b, struct ul_tensor *x,
                                         struct ul_tensor *encoded, const struct ul_attn_inp *inp,
                                         int il)
{
    static const enum ul_role role[4] = {UL_ROLE_DEC_CROSS_ATTN_Q, UL_ROLE_DEC_CROSS_ATTN_K,
                                         UL_ROLE_DEC_CROSS_ATTN_V, UL_ROLE_DEC_CROSS_ATTN_OUT};
    struct ul_tensor *cur = rms(b, x, UL_ROLE_DEC_CROSS_ATTN_NORM, "attn_norm_cross", il);
    struct ul_attn a = project_all(b, cur, encoded, role, il);
    return ul_cb(b, ul_attn_block(b, inp, &a, il), "kqv_out", il);
}

/* T5 has a plain ReLU, Flan-T5 a gated GELU. */
static struct ul_tensor *feed_forward(struct ul_build *b, struct ul_tensor *x, const struct half *h,
                                      int il)
{
    struct ul_ffn f = {.up = ul_wt(b, h->up, il),
                       .gate = ul_wt(b, h->gate, il),
                       .down = ul_wt(b, h->down, il)};
    f.op = f.gate ? UL_FFN_GELU : UL_FFN_RELU;
    struct ul_tensor *cur = rms(b, x, h->ffn_norm, "ffn_norm", il);
    cur = ulg_add(b->graph, ul_ffn_block(b, cur, &f, il), x);
    return ul_cb(b, cur, "l_out", il);
}

/* Attention's result and the residual beside it, in the last layer only the rows that are asked
 * for. */
static struct ul_tensor *join(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *x,
                              bool last, int il)
{
    if (last) {
        cur = ulg_get_rows(b->graph, cur, ul_inp_out_ids(b));
        x = ulg_get_rows(b->graph, x, ul_inp_out_ids(b));
    }
    return ul_cb(b, ulg_add(b->graph, cur, x), "ffn_inp", il);
}

static struct ul_tensor *result_norm(struct ul_build *b, struct ul_tensor *cur, enum ul_role role)
{
    cur = rms(b, cur, role, "result_norm", -1);
    b->t_embd = cur;
    return cur;
}

int ul_prog_t5encoder(struct ul_build *b)
{
    int n_layer = (int)b->model->n_layer;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_tensor *bucket = input_2d(b, UL_I32, "pos_bucket_enc", b->n_tokens, b->n_tokens);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_NO_CACHE);
    for (int il = 0; il < n_layer; il++) {
        struct ul_tensor *cur = self_attention(b, x, &encoder, &inp, bucket, il);
        x = feed_forward(b, join(b, cur, x, il == n_layer - 1, il), &encoder, il);
    }
    ul_expand(b, result_norm(b, x, UL_ROLE_ENC_OUTPUT_NORM));
    return ULLAGE_OK;
}

/* The encoder's outputs are as many as the model was trained on, until there are some. */
int ul_prog_t5(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    int n_layer = (int)m->dec_n_layer;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_tensor *encoded = input_2d(b, UL_F32, "cross_embd", m->n_embd_inp, m->n_ctx_train);
    struct ul_tensor *bucket =
        input_2d(b, UL_I32, "pos_bucket_dec", b->memory->cache[UL_KV_BASE].cells, b->n_tokens);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_KV);
    struct ul_attn_inp cross = ul_attn_inputs(b, UL_ATTN_CROSS);
    for (int il = 0; il < n_layer; il++) {
        struct ul_tensor *cur = self_attention(b, x, &decoder, &inp, bucket, il);
        x = ul_cb(b, ulg_add(b->graph, cur, x), "cross_inp", il);
        cur = cross_attention(b, x, encoded, &cross, il);
        x = feed_forward(b, join(b, cur, x, il == n_layer - 1, il), &decoder, il);
    }
    ul_result_output(b, result_norm(b, x, UL_ROLE_DEC_OUTPUT_NORM));
    return ULLAGE_OK;
}
