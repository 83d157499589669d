/* The layer programs of Gemma 3n, Gemma 4 and EmbeddingGemma 2: every layer gets an embedding of
 * its own, and the last layers attend to the cache of an earlier one (arch.h: reuses). Gemma 3n
 * carries several streams (AltUp) that layers predict and correct; Gemma 4 has the ordinary one,
 * and experts beside its feed-forward. Sources: src/models/gemma3n.cpp, src/models/gemma4.cpp.
 *
 * Newer than the source that was read: token embeddings are scaled by one factor a row, and Gemma 4
 * fetches the layers' embeddings before the tokens' and scales them before they are reshaped. */
#include "arch/build.h"
#include "arch/rows.h"

#define SPARSE_LAYERS 10 /* gemma3n.cpp: n_layer_sparsity */

/* --- what both share -------------------------------------------------------------------------- */

static struct ul_tensor *rms(struct ul_build *b, struct ul_tensor *t, enum ul_role role, int il)
{
    return ul_norm_of(b, t, role, UL_NORM_RMS, il);
}

static struct ul_tensor *scaled_embeddings(struct ul_build *b)
{
    struct ul_tensor *cur = ulg_mul(b->graph, ul_inp_embd(b), ul_inp_scale_rows(b));
    ul_expand(b, ul_cb(b, cur, "inp_scaled", -1));
    return cur;
}

/* The rows of the table of all layers' embeddings: [width x layers, tokens]. */
static struct ul_tensor *fetch_per_layer(struct ul_build *b)
{
    struct ul_tensor *tokens = ulg_set_input(ulg_new_1d(b->graph, UL_I32, b->n_tokens));
    return ulg_get_rows(b->graph, ul_wt(b, UL_ROLE_PER_LAYER_TOKEN_EMBD, -1), tokens);
}

/* project_per_layer_inputs: a projection of the input embeddings, and the table's rows when there
 * is a table, together: [width, tokens, layers]. */
static struct ul_tensor *join_per_layer(struct ul_build *b, struct ul_tensor *x,
                                        struct ul_tensor *rows, int64_t width, int64_t n_layer)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *p = ulg_mul_mat(g, ul_wt(b, UL_ROLE_PER_LAYER_MODEL_PROJ, -1), x);
    p = ulg_reshape_3d(g, ulg_scale(g, p), width, n_layer, b->n_tokens);
    p = ul_cb(b, rms(b, p, UL_ROLE_PER_LAYER_PROJ_NORM, -1), "per_layer_proj", -1);
    if (rows)
        p = ulg_scale(g, ulg_add(g, p, rows));
    ul_cb(b, p, "inp_per_layer", -1);
    return ulg_cont(g, ulg_permute(g, p, 0, 2, 1, 3));
}

/* ggml_view_2d_slice: one of the third dimension. */
static struct ul_tensor *slice(struct ul_build *b, struct ul_tensor *t, int64_t i)
{
    return ulg_view_2d(b->graph, t, t->ne[0], t->ne[1], ul_row_bytes(t->type, (uint64_t)t->ne[0]),
                       (uint64_t)(i * t->ne[0] * t->ne[1]) * t->nb[0]);
}

static struct ul_tensor *query(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *factors,
                               int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct ul_tensor *q =
        ul_mm(b, ul_wt(b, UL_ROLE_ATTN_Q, il), cur, ul_wt_scale(b, UL_ROLE_ATTN_Q, il));
    ul_cb(b, q, "Qcur", il);
    q = ulg_reshape_3d(g, q, ul_n_embd_head_k(m, (uint32_t)il), m->layer[il].n_head, b->n_tokens);
    q = ul_cb(b, rms(b, q, UL_ROLE_ATTN_Q_NORM, il), "Qcur_normed", il);
    return ul_cb(b, ul_rope_block(b, q, factors, ul_n_rot(m, (uint32_t)il)), "Qcur_pos", il);
}

/* Keys and values of a layer that has its own; keys serve as values when it has no matrix for
 * those. */
static void key_value(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *factors,
                      struct ul_attn *a, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t head = ul_n_embd_head_k(m, (uint32_t)il), n_head_kv = m->layer[il].n_head_kv;
    struct ul_tensor *wv = ul_wt(b, UL_ROLE_ATTN_V, il), *k, *v;
    k = ul_mm(b, ul_wt(b, UL_ROLE_ATTN_K, il), cur, ul_wt_scale(b, UL_ROLE_ATTN_K, il));
    ul_cb(b, k, "Kcur", il);
    v = wv ? ul_mm(b, wv, cur, ul_wt_scale(b, UL_ROLE_ATTN_V, il)) : k;
    ul_cb(b, v, "Vcur", il);
    k = ulg_reshape_3d(g, k, head, n_head_kv, b->n_tokens);
    v = ulg_reshape_3d(g, v, head, n_head_kv, b->n_tokens);
    k = ul_cb(b, rms(b, k, UL_ROLE_ATTN_K_NORM, il), "Kcur_normed", il);
    a->v = ul_cb(b, ulg_rms_norm(g, v), "Vcur_normed", il);
    a->k = ul_cb(b, ul_rope_block(b, k, factors, ul_n_rot(m, (uint32_t)il)), "Kcur_pos", il);
}

static struct ul_tensor *attention(struct ul_build *b, struct ul_tensor *cur,
                                   const struct ul_attn_inp *inp, struct ul_tensor *factors, int il)
{
    struct ul_attn a = {.q = query(b, cur, factors, il),
                        .wo = ul_wt(b, UL_ROLE_ATTN_OUT, il),
                        .wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il)};
    if (ul_has_kv(b->model, (uint32_t)il))
        key_value(b, cur, factors, &a, il);
    return ul_attn_block(b, inp, &a, il);
}

/* --- Gemma 4 ---------------------------------------------------------------------------------- */

/* The router sees the residual stream, normed without weights and scaled by value. */
static struct ul_tensor *router4(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = ulg_scale(g, ulg_rms_norm(g, x));
    t = ulg_mul(g, t, ul_wt_scale(b, UL_ROLE_FFN_GATE_INP, il));
    return ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_FFN_GATE_INP, il), t, NULL), "ffn_moe_logits", il);
}

static struct ul_tensor *experts4(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_tensor *cur = ul_cb(b, rms(b, x, UL_ROLE_FFN_PRE_NORM_2, il), "ffn_norm_2", il);
    struct ul_moe e = ul_moe_of(b, UL_FFN_GELU, il);
    e.probs_in = router4(b, x, il);
    e.gating = UL_GATING_SOFTMAX;
    e.norm_w = true;
    e.scale_w = false;
    e.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_EXPS, il);
    e.gate_s = ul_wt_scale(b, UL_ROLE_FFN_GATE_EXPS, il);
    e.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_EXPS, il);
    cur = ul_moe_block(b, cur, &e, il);
    return ul_cb(b, rms(b, cur, UL_ROLE_FFN_POST_NORM_2, il), "ffn_moe", il);
}

static struct ul_tensor *feed_forward4(struct ul_build *b, struct ul_tensor *x, int il)
{
    bool moe = ul_wt(b, UL_ROLE_FFN_GATE_INP, il) != NULL;
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_GELU, true, il);
    f.up_b = f.gate_b = f.down_b = NULL;
    struct ul_tensor *cur = rms(b, x, UL_ROLE_FFN_NORM, il);
    ul_cb(b, cur, moe ? "ffn_norm_1" : "ffn_norm", il);
    cur = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
    if (!moe)
        return cur;
    cur = ul_cb(b, rms(b, cur, UL_ROLE_FFN_POST_NORM_1, il), "ffn_mlp", il);
    return ul_cb(b, ulg_add(b->graph, cur, experts4(b, x, il)), "ffn_moe_combined", il);
}

/* The layer's own embedding, gated by the stream. */
static struct ul_tensor *add_per_layer4(struct ul_build *b, struct ul_tensor *x,
                                        struct ul_tensor *per_layer, int il)
{
    struct ul_graph *g = b->graph;
    ul_cb(b, x, "pe_in", il);
    struct ul_tensor *cur = ul_mm(b, ul_wt(b, UL_ROLE_PER_LAYER_INP_GATE, il), x, NULL);
    cur = ulg_gelu(g, cur);
    cur = ulg_mul(g, cur, ul_last_rows(b, slice(b, per_layer, il), il));
    cur = ul_mm(b, ul_wt(b, UL_ROLE_PER_LAYER_PROJ, il), cur, NULL);
    cur = ul_cb(b, rms(b, cur, UL_ROLE_PER_LAYER_POST_NORM, il), "per_layer_embd_out", il);
    return ulg_add(g, x, cur);
}

static struct ul_tensor *layer4(struct ul_build *b, struct ul_tensor *x,
                                const struct ul_attn_inp *inp, struct ul_tensor *per_layer, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *scale = ul_wt(b, UL_ROLE_LAYER_OUT_SCALE, il);
    struct ul_tensor *factors =
        b->model->layer[il].is_swa ? NULL : ul_wt(b, UL_ROLE_ROPE_FREQS, il);
    struct ul_tensor *cur = ul_cb(b, rms(b, x, UL_ROLE_ATTN_NORM, il), "attn_norm", il);
    cur = ul_last_rows(b, attention(b, cur, inp, factors, il), il);
    x = ul_last_rows(b, x, il);
    cur = ul_cb(b, rms(b, cur, UL_ROLE_ATTN_POST_NORM, il), "attn_post_norm", il);
    x = ul_cb(b, ulg_add(g, cur, x), "attn_out", il);
    cur = feed_forward4(b, x, il);
    cur = ul_norm_block(b, cur, ul_wt(b, UL_ROLE_FFN_POST_NORM, il), NULL, UL_NORM_RMS, -1);
    cur = ulg_add(g, ul_cb(b, cur, "ffn_post_norm", il), x);
    if (per_layer)
        cur = add_per_layer4(b, cur, per_layer, il);
    if (scale)
        cur = ulg_mul(g, cur, scale);
    return ul_cb(b, cur, "l_out", il);
}

int ul_prog_gemma4(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t width = m->n_embd_per_layer, n_layer = m->n_layer;
    struct ul_tensor *per_layer = NULL;
    if (ul_wt(b, UL_ROLE_PER_LAYER_TOKEN_EMBD, -1)) {
        per_layer = ul_cb(b, fetch_per_layer(b), "inp_per_layer_selected", -1);
        ul_expand(b, per_layer);
    }
    struct ul_tensor *cur = scaled_embeddings(b);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_KV_ISWA);
    if (per_layer) {
        per_layer = ulg_reshape_3d(g, ulg_scale(g, per_layer), width, n_layer, b->n_tokens);
        per_layer = join_per_layer(b, cur, per_layer, width, n_layer);
    }
    for (int il = 0; il < (int)m->n_layer; il++)
        cur = layer4(b, cur, &inp, per_layer, il);
    cur = b->t_h_nextn = ul_result_norm(b, cur, UL_NORM_RMS);
    ul_result_output(b, cur);
    return ULLAGE_OK;
}

/* EmbeddingGemma 2 (newer than the source that was read): Gemma 4 without a cache and without a
 * table of layers' embeddings; a matrix where other models make logits gives the embeddings their
 * width. */
int ul_prog_gemma_embedding2(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    struct ul_tensor *cur = scaled_embeddings(b);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_NO_CACHE);
    struct ul_tensor *per_layer = join_per_layer(b, cur, NULL, m->n_embd_per_layer, m->n_layer);
    for (int il = 0; il < (int)m->n_layer; il++)
        cur = layer4(b, cur, &inp, per_layer, il);
    cur = ul_cb(b, rms(b, cur, UL_ROLE_OUTPUT_NORM, -1), "result_norm", -1);
    cur = ul_mm(b, ul_wt(b, UL_ROLE_OUTPUT, -1), cur, ul_wt_scale(b, UL_ROLE_OUTPUT, -1));
    b->t_embd = ul_cb(b, cur, "result_embd", -1);
    ul_expand(b, cur);
    return ULLAGE_OK;
}

/* --- Gemma 3n: AltUp and Laurel --------------------------------------------------------------- */

/* calc_magnitude */
static struct ul_tensor *magnitude(struct ul_build *b, struct ul_tensor *t)
{
    struct ul_graph *g = b->graph;
    return ulg_sqrt(g, ulg_sum_rows(g, ulg_sqr(g, t)));
}

/* All streams but the first: [n_embd, n_tokens, n_altup - 1]. */
static struct ul_tensor *other_streams(struct ul_build *b, struct ul_tensor *t)
{
    uint64_t row = ul_row_bytes(t->type, (uint64_t)t->ne[0]), all = ul_mul(row, (uint64_t)t->ne[1]);
    return ulg_view_3d(b->graph, t, t->ne[0], t->ne[1], t->ne[2] - 1, row, all, all);
}

/* A projection of t, as large as `like` is. */
static struct ul_tensor *same_magnitude(struct ul_build *b, enum ul_role proj, struct ul_tensor *t,
                                        struct ul_tensor *like)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *target = magnitude(b, like);
    t = ulg_mul_mat(g, ul_wt(b, proj, -1), t);
    return ulg_div(g, ulg_mul(g, t, target), magnitude(b, t));
}

static struct ul_tensor *stack_streams(struct ul_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->graph;
    int64_t more = (int64_t)b->model->n_altup - 1;
    struct ul_tensor *t = ulg_repeat_4d(g, x, x->ne[0], x->ne[1], more, 1);
    t = same_magnitude(b, UL_ROLE_ALTUP_PROJ, t, x);
    return ul_cb(b, ulg_concat(g, x, t, 2), "inp_stacked", -1);
}

static struct ul_tensor *merge_streams(struct ul_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = same_magnitude(b, UL_ROLE_ALTUP_UNEMBD_PROJ, other_streams(b, x),
                                         slice(b, x, b->model->i_altup_act));
    ul_cb(b, t, "altup_unembd", -1);
    struct ul_tensor *cur = slice(b, x, 0);
    for (uint32_t i = 0; i + 1 < b->model->n_altup; i++)
        cur = ulg_add(g, cur, slice(b, t, i));
    return ul_cb(b, ulg_scale(g, cur), "unembd_merged", -1);
}

/* altup_compute_router_modalities */
static struct ul_tensor *modalities(struct ul_build *b, struct ul_tensor *t, int il)
{
    struct ul_graph *g = b->graph;
    t = ulg_scale(g, rms(b, t, UL_ROLE_ALTUP_ROUTER_NORM, il));
    t = ulg_tanh(g, ulg_mul_mat(g, ul_wt(b, UL_ROLE_ALTUP_ROUTER, il), t));
    return ul_cb(b, t, "modalities", il);
}

static struct ul_tensor *altup_predict(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n = b->model->n_altup;
    struct ul_tensor *coefs = modalities(b, slice(b, x, b->model->i_altup_act), il);
    coefs =
        ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_ALTUP_PREDICT_COEF, il), coefs, NULL), "all_coefs", il);
    coefs = ulg_reshape_3d(g, coefs, n, n, b->n_tokens);
    struct ul_tensor *t = ulg_mul_mat(g, ulg_cont(g, ulg_permute(g, x, 1, 2, 0, 3)), coefs);
    t = ulg_cont(g, ulg_permute(g, t, 0, 2, 1, 3));
    return ul_cb(b, ulg_add(g, t, x), "predictions", il);
}

static struct ul_tensor *altup_correct(struct ul_build *b, struct ul_tensor *predictions,
                                       struct ul_tensor *active, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n = b->model->n_altup;
    struct ul_tensor *coefs = modalities(b, active, il);
    struct ul_tensor *t = ulg_sub(g, active, slice(b, predictions, b->model->i_altup_act));
    ul_cb(b, t, "innovation", il);
    coefs = ulg_scale(g, ul_mm(b, ul_wt(b, UL_ROLE_ALTUP_CORRECT_COEF, il), coefs, NULL));
    coefs = ulg_transpose(g, ul_cb(b, coefs, "all_coefs", il));
    coefs = ulg_cont_3d(g, coefs, 1, b->n_tokens, n);
    t = ulg_mul(g, ulg_repeat_4d(g, t, t->ne[0], t->ne[1], n, 1), coefs);
    return ul_cb(b, ulg_add(g, t, predictions), "corrected", il);
}

static struct ul_tensor *laurel(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_tensor *t = ul_mm(b, ul_wt(b, UL_ROLE_LAUREL_L, il), cur, NULL);
    t = ul_mm(b, ul_wt(b, UL_ROLE_LAUREL_R, il), t, NULL);
    t = rms(b, t, UL_ROLE_LAUREL_POST_NORM, il);
    return ul_cb(b, ulg_add(b->graph, t, cur), "laurel_out", il);
}

/* gaussian_topk: what does not stand out is zero. */
static struct ul_tensor *keep_largest(struct ul_build *b, struct ul_tensor *t)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *mean = ulg_mean(g, t);
    struct ul_tensor *spread = ulg_sum_rows(g, ulg_sqr(g, ulg_sub(g, t, mean)));
    spread = ulg_scale(g, ulg_sqrt(g, ulg_scale(g, spread)));
    return ulg_relu(g, ulg_sub(g, t, ulg_add(g, mean, spread)));
}

static struct ul_tensor *feed_forward3n(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *up = ul_mm(b, ul_wt(b, UL_ROLE_FFN_UP, il), cur, NULL);
    struct ul_tensor *gate = ul_mm(b, ul_wt(b, UL_ROLE_FFN_GATE, il), cur, NULL);
    if (il < SPARSE_LAYERS)
        gate = keep_largest(b, gate);
    cur = ulg_mul(g, up, ulg_gelu(g, gate));
    return ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_FFN_DOWN, il), cur, NULL), "ffn_out", il);
}

/* The layer's own embedding goes into all streams but the first. */
static struct ul_tensor *add_per_layer3n(struct ul_build *b, struct ul_tensor *corrected,
                                         struct ul_tensor *per_layer, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = slice(b, corrected, b->model->i_altup_act);
    t = ulg_mul(g, t, ul_wt(b, UL_ROLE_ALTUP_CORRECT_SCALE, il));
    t = ulg_gelu(g, ul_mm(b, ul_wt(b, UL_ROLE_PER_LAYER_INP_GATE, il), t, NULL));
    ul_cb(b, t, "first_prediction_gated", il);
    t = ul_cb(b, ulg_mul(g, t, slice(b, per_layer, il)), "first_prediction_scaled", il);
    t = rms(b, ul_mm(b, ul_wt(b, UL_ROLE_PER_LAYER_PROJ, il), t, NULL), UL_ROLE_PER_LAYER_POST_NORM,
            il);
    ul_cb(b, t, "first_prediction_out", il);
    struct ul_tensor *first = slice(b, corrected, 0);
    return ulg_concat(g, first, ulg_add(g, other_streams(b, corrected), t), 2);
}

static struct ul_tensor *layer3n(struct ul_build *b, struct ul_tensor *x,
                                 const struct ul_attn_inp *inp, struct ul_tensor *per_layer, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *predictions = altup_predict(b, x, il);
    struct ul_tensor *active = slice(b, predictions, b->model->i_altup_act);
    ul_cb(b, active, "active_prediction", il);
    struct ul_tensor *cur = ul_cb(b, rms(b, active, UL_ROLE_ATTN_NORM, il), "attn_norm", il);
    struct ul_tensor *low_rank = laurel(b, cur, il);
    cur = rms(b, attention(b, cur, inp, NULL, il), UL_ROLE_ATTN_POST_NORM, il);
    cur = ulg_add(g, ul_cb(b, cur, "attn_post_norm", il), active);
    ul_cb(b, cur, "attn_gated", il);
    struct ul_tensor *h = ul_cb(b, ulg_scale(g, ulg_add(g, cur, low_rank)), "attn_laurel", il);
    cur = ul_cb(b, rms(b, h, UL_ROLE_FFN_NORM, il), "ffn_norm", il);
    cur = feed_forward3n(b, cur, il);
    cur = ul_norm_block(b, cur, ul_wt(b, UL_ROLE_FFN_POST_NORM, il), NULL, UL_NORM_RMS, -1);
    cur = ulg_add(g, ul_cb(b, cur, "ffn_post_norm", il), h);
    ul_cb(b, cur, "attn_ffw_laurel_gated", il);
    cur = add_per_layer3n(b, altup_correct(b, predictions, cur, il), per_layer, il);
    return ul_cb(b, cur, "l_out", il);
}

int ul_prog_gemma3n(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t width = m->n_embd_altup, n_layer = m->n_layer;
    struct ul_tensor *cur = scaled_embeddings(b);
    struct ul_attn_inp inp = ul_attn_inputs(b, UL_ATTN_KV_ISWA);
    struct ul_tensor *per_layer =
        ulg_reshape_3d(g, fetch_per_layer(b), width, n_layer, b->n_tokens);
    per_layer = ul_cb(b, ulg_scale(g, per_layer), "inp_per_layer_selected", -1);
    ul_expand(b, per_layer);
    per_layer = join_per_layer(b, cur, per_layer, width, n_layer);
    cur = stack_streams(b, cur);
    for (int il = 0; il < (int)m->n_layer; il++)
        cur = layer3n(b, cur, &inp, per_layer, il);
    cur = ulg_get_rows(g, merge_streams(b, cur), ul_inp_out_ids(b));
    ul_result_output(b, ul_result_norm(b, cur, UL_NORM_RMS));
    return ULLAGE_OK;
}
