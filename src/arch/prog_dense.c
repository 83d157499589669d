/* The layer program of ordinary transformers: attention, feed-forward or experts, residuals. Most
 * architectures are this program with a few options in their row (arch/options.h); the rest follows
 * the file. Sources: src/models/llama.cpp and the some eighty files beside it that differ from it
 * in the ways that the options name. */
#include "arch/build.h"
#include "arch/draft_head.h"
#include "arch/rows.h"

static const struct ul_dense *options(const struct ul_build *b)
{
    return &b->model->arch->dense;
}

static enum ul_norm_key norm_kind(const struct ul_build *b)
{
    const struct ul_model *m = b->model;
    if (m->arch->norm == UL_NORM_NO_KEY) /* cohere2moe: whichever the file gives */
        return m->f_norm_rms_eps == 0.0f ? UL_NORM_LAYER : UL_NORM_RMS;
    return m->arch->norm;
}

static struct ul_tensor *last_rows(struct ul_build *b, struct ul_tensor *t, int il)
{
    return options(b)->keeps_rows ? t : ul_last_rows(b, t, il);
}

/* A layer's norm of a role; by groups of values where the options say so. */
static struct ul_tensor *layer_norm(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                                    int il)
{
    struct ul_graph *g = b->graph;
    int64_t n = cur->ne[0], rows = cur->ne[1], groups = b->model->n_norm_groups;
    if (!options(b)->group_norm || groups == 0)
        return ul_norm_of(b, cur, role, norm_kind(b), il);
    cur = ulg_rms_norm(g, ulg_reshape_3d(g, cur, n / groups, groups, rows));
    return ulg_mul(g, ulg_reshape_2d(g, cur, n, rows), ul_wt_needed(b, role, il));
}

/* What a layer needs from outside it. */
struct inputs {
    struct ul_attn_inp attn;
    struct ul_tensor *temp;   /* inp_attn_scale */
    struct ul_tensor *embd;   /* skip_embd */
};

/* --- the way in ------------------------------------------------------------------------------- */

static struct ul_tensor *embeddings(struct ul_build *b)
{
    const struct ul_dense *d = options(b);
    struct ul_graph *g = b->graph;
    struct ul_tensor *cur = ul_inp_embd(b);
    struct ul_tensor *pos = ul_wt(b, UL_ROLE_POS_EMBD, -1);
    if (d->scale_embd)
        cur = ul_cb(b, ulg_scale(g, cur), "inp_scaled", -1);
    if (d->scale_rows) {
        cur = ul_cb(b, ulg_mul(g, cur, ul_inp_scale_rows(b)), "inp_scaled", -1);
        ul_expand(b, cur);
    }
    if (d->norm_embd)
        cur = ul_cb(b, ul_norm_block(b, cur, NULL, NULL, norm_kind(b), -1), "inp_norm", -1);
    if (pos) {
        pos = ul_cb(b, ulg_get_rows(g, pos, ul_inp_pos(b)), "pos_embd", -1);
        cur = ul_cb(b, ulg_add(g, cur, pos), "inpL", -1);
    }
    if (ul_wt(b, UL_ROLE_TOKEN_EMBD_NORM, -1))
        cur = ul_cb(b, ul_norm_of(b, cur, UL_ROLE_TOKEN_EMBD_NORM, norm_kind(b), 0), "inp_norm", 0);
    return cur;
}

/* --- attention -------------------------------------------------------------------------------- */

static bool rotates(const struct ul_build *b, int il)
{
    const struct ul_model *m = b->model;
    int step = (int)m->n_no_rope_layer_step;
    switch (options(b)->rotate) {
    case UL_ROTATE_NONE: return false;
    case UL_ROTATE_SWA: return m->layer[il].is_swa;
    case UL_ROTATE_SWA_IF_ANY: return m->layer[il].is_swa || m->swa_type == UL_SWA_NONE;
    case UL_ROTATE_STEP: return step == 0 || (il + 1) % step != 0;
    case UL_ROTATE_STEP_IF_SET: return step > 0 && (il + 1) % step != 0;
    case UL_ROTATE_STEP_FIRST: return step == (int)m->n_layer || (step > 0 && il % step != 0);
    case UL_ROTATE_SWA_OR_LEAD: return m->layer[il].is_swa || il < (int)m->n_layer_dense_lead;
    case UL_ROTATE_LAYER: return ul_has_rope(m, (uint32_t)il);
    case UL_ROTATE_32_LAYERS: return m->n_layer == 32;
    default: return true;
    }
}

static struct ul_tensor *qk_norm(struct ul_build *b, struct ul_tensor *t, enum ul_role role,
                                 const char *name, int il)
{
    const struct ul_dense *d = options(b);
    bool bare = role == UL_ROLE_ATTN_K_NORM && d->k_norm_bare;
    if (!bare && ul_wt(b, role, il) == NULL)
        return t;
    return ul_cb(b, ul_norm_of(b, t, role, norm_kind(b), il), name, il);
}

/* src/models/openelm.cpp: the fused result seen as heads, of which the first are queries. */
static struct ul_qkv qkv_by_heads(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_layer *l = &b->model->layer[il];
    int64_t head = ul_n_embd_head_k(b->model, (uint32_t)il), n_kv = l->n_head_kv, n = l->n_head;
    cur = ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_ATTN_QKV, il), cur, NULL), "wqkv", il);
    cur = ulg_reshape_3d(g, cur, head, n + 2 * n_kv, b->n_tokens);
    uint64_t nb1 = cur->nb[1], nb2 = cur->nb[2];
    struct ul_qkv r = {
        .q = ulg_view_3d(g, cur, head, n, b->n_tokens, nb1, nb2, 0),
        .k = ulg_view_3d(g, cur, head, n_kv, b->n_tokens, nb1, nb2, nb1 * (uint64_t)n),
        .v = ulg_view_3d(g, cur, head, n_kv, b->n_tokens, nb1, nb2, nb1 * (uint64_t)(n + n_kv))};
    ul_cb(b, r.q, "Qcur", il);
    ul_cb(b, r.k, "Kcur", il);
    ul_cb(b, r.v, "Vcur", il);
    return r;
}

/* src/models/mpt.cpp: norms over all heads, after the heads were told apart. */
static struct ul_tensor *reshaped_norm(struct ul_build *b, struct ul_tensor *t, enum ul_role role,
                                       int il)
{
    struct ul_graph *g = b->graph;
    int64_t head = t->ne[0], n_head = t->ne[1];
    t = ul_norm_of(b, ulg_reshape_2d(g, t, head * n_head, b->n_tokens), role, norm_kind(b), il);
    return ulg_reshape_3d(g, t, head, n_head, b->n_tokens);
}

/* Values from experts (k2-horizon): chosen by a biased sigmoid, weighted by the sigmoid alone. */
static struct ul_tensor *routed_values(struct ul_build *b, struct ul_tensor *cur, int64_t head,
                                       int64_t n_head_kv, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n = b->n_tokens, width = head * n_head_kv;
    int64_t used = (int64_t)ul_min(b->model->n_expert_used, UL_MAX_EXPERTS);
    struct ul_tensor *probs =
        ulg_sigmoid(g, ul_mm(b, ul_wt(b, UL_ROLE_ATTN_V_GATE, il), cur, NULL));
    struct ul_tensor *by = ul_add_opt(b, probs, ul_wt_bias(b, UL_ROLE_ATTN_V_GATE, il));
    struct ul_tensor *ids = ul_cb(b, ulg_argsort_top_k(g, by, used), "v_moe_topk", il);
    struct ul_tensor *v = ulg_reshape_3d(g, cur, cur->ne[0], 1, n);
    v = ulg_silu(g, ul_mm_id(b, ul_wt(b, UL_ROLE_ATTN_V_EXPS, il), v, ids, NULL));
    probs = ulg_reshape_3d(g, probs, 1, probs->ne[0], n);
    v = ul_cb(b, ulg_mul(g, v, ulg_get_rows(g, probs, ids)), "v_moe_weighted", il);
    ul_expand(b, v);
    struct ul_tensor *one[UL_MAX_EXPERTS] = {0};
    for (int64_t i = 0; i < used; i++) {
        one[i] = ulg_view_3d(g, v, width, 1, n, v->nb[1], v->nb[2], (uint64_t)i * v->nb[1]);
        ul_expand(b, one[i]);
    }
    struct ul_tensor *sum = one[0];
    for (int64_t i = 1; i < used; i++) {
        sum = ulg_add(g, sum, one[i]);
        ul_expand(b, sum);
    }
    return ul_cb(b, ulg_reshape_3d(g, ul_cb(b, sum, "Vcur_routed", il), head, n_head_kv, n), "Vcur",
                 il);
}

/* Separate matrices, of which the values' has experts. */
static struct ul_qkv qk_and_routed_values(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_layer *l = &b->model->layer[il];
    int64_t head = ul_n_embd_head_k(b->model, (uint32_t)il);
    struct ul_qkv r = {.v = routed_values(b, cur, ul_n_embd_head_v(b->model, (uint32_t)il),
                                          l->n_head_kv, il)};
    struct ul_tensor *q =
        ul_mm(b, ul_wt(b, UL_ROLE_ATTN_Q, il), cur, ul_wt_scale(b, UL_ROLE_ATTN_Q, il));
    struct ul_tensor *k =
        ul_mm(b, ul_wt(b, UL_ROLE_ATTN_K, il), cur, ul_wt_scale(b, UL_ROLE_ATTN_K, il));
    r.q = ulg_reshape_3d(g, q, head, l->n_head, b->n_tokens);
    r.k = ulg_reshape_3d(g, k, head, l->n_head_kv, b->n_tokens);
    return r;
}

/* Queries, keys and values by head, normed where the norm comes before the rotation. */
static struct ul_qkv project(struct ul_build *b, struct ul_tensor *cur, int il)
{
    const struct ul_dense *d = options(b);
    struct ul_graph *g = b->graph;
    const struct ul_layer *l = &b->model->layer[il];
    int64_t head = ul_n_embd_head_k(b->model, (uint32_t)il);
    struct ul_qkv r;
    if (d->qk_norm == UL_QK_FLAT && ul_wt(b, UL_ROLE_ATTN_Q, il)) {
        r = ul_qkv_flat(b, cur, il);
        r.q = qk_norm(b, r.q, UL_ROLE_ATTN_Q_NORM, "Qcur_normed", il);
        r.k = qk_norm(b, r.k, UL_ROLE_ATTN_K_NORM, "Kcur_normed", il);
        r.q = ulg_reshape_3d(g, r.q, head, l->n_head, b->n_tokens);
        r.k = ulg_reshape_3d(g, r.k, head, l->n_head_kv, b->n_tokens);
        r.v = ulg_reshape_3d(g, r.v, head, l->n_head_kv, b->n_tokens);
        return r;
    }
    if (ul_wt(b, UL_ROLE_ATTN_V_EXPS, il))
        r = qk_and_routed_values(b, cur, il);
    else
        r = d->qkv_heads ? qkv_by_heads(b, cur, il)
                         : ul_qkv_block(b, cur, head, l->n_head, l->n_head_kv, il);
    if (d->qk_norm == UL_QK_RESHAPED && ul_wt(b, UL_ROLE_ATTN_Q_NORM, il)) {
        r.q = reshaped_norm(b, r.q, UL_ROLE_ATTN_Q_NORM, il);
        r.k = reshaped_norm(b, r.k, UL_ROLE_ATTN_K_NORM, il);
    }
    if (d->qk_norm == UL_QK_BEFORE_ROPE) {
        r.q = qk_norm(b, r.q, UL_ROLE_ATTN_Q_NORM, "Qcur_normed", il);
        r.k = qk_norm(b, r.k, UL_ROLE_ATTN_K_NORM, "Kcur_normed", il);
    }
    return r;
}

static void rotate(struct ul_build *b, struct ul_qkv *r, const struct inputs *in, int il)
{
    const struct ul_dense *d = options(b);
    struct ul_graph *g = b->graph;
    bool turn = rotates(b, il);
    if (turn) {
        bool none = d->no_rope_factors || (d->no_swa_factors && b->model->layer[il].is_swa);
        struct ul_tensor *factors = none ? NULL : ul_rope_factors(b, il);
        int64_t n_rot = ul_n_rot(b->model, (uint32_t)il);
        r->q = ul_rope_block(b, r->q, factors, n_rot);
        r->k = ul_rope_block(b, r->k, factors, n_rot);
    }
    if (in->temp && (!turn || d->attn_temp == UL_TEMP_IF_SET))
        r->q = ulg_mul(g, r->q, in->temp);
    ul_cb(b, r->q, "Qcur", il);
    ul_cb(b, r->k, "Kcur", il);
    if (turn && b->model->use_kq_norm) { /* llama4: norms without weights */
        r->q = ul_cb(b, ulg_rms_norm(g, r->q), "Qcur_normed", il);
        r->k = ul_cb(b, ulg_rms_norm(g, r->k), "Kcur_normed", il);
    }
    if (d->qk_norm == UL_QK_AFTER_ROPE) {
        r->q = qk_norm(b, r->q, UL_ROLE_ATTN_Q_NORM, "Qcur_norm", il);
        r->k = qk_norm(b, r->k, UL_ROLE_ATTN_K_NORM, "Kcur_norm", il);
    }
    if (d->scale_q)
        r->q = ul_cb(b, ulg_scale(g, r->q), "Qcur_scaled", il);
}

static struct ul_tensor *gate_activation(struct ul_build *b, struct ul_tensor *gate)
{
    struct ul_graph *g = b->graph;
    switch (options(b)->attn_gate) {
    case UL_GATE_SOFTPLUS: return ulg_softplus(g, gate);
    case UL_GATE_SOFTPLUS_SCALED: return ulg_scale(g, ulg_softplus(g, ulg_scale(g, gate)));
    default: return ulg_sigmoid(g, gate);
    }
}

/* src/models/afmoe.cpp, laguna.cpp: one gate a value, or one a head. */
static struct ul_tensor *gate_attention(struct ul_build *b, struct ul_tensor *cur,
                                        struct ul_tensor *normed, int il)
{
    struct ul_graph *g = b->graph;
    bool scaled = options(b)->attn_gate == UL_GATE_SOFTPLUS_SCALED;
    int64_t n_head = b->model->layer[il].n_head, width = cur->ne[0], n = cur->ne[1];
    struct ul_tensor *scale = scaled ? ul_wt_scale(b, UL_ROLE_ATTN_GATE, il) : NULL;
    struct ul_tensor *gate = ul_mm(b, ul_wt(b, UL_ROLE_ATTN_GATE, il), normed, scale);
    ul_cb(b, gate, "attn_gate_proj", il);
    gate = ul_cb(b, gate_activation(b, gate), "attn_gate_act", il);
    if (gate->ne[0] == n_head && n_head != width) {
        cur = ulg_reshape_3d(g, cur, width / n_head, n_head, n);
        cur = ulg_mul(g, cur, ulg_reshape_3d(g, gate, 1, n_head, n));
        cur = ulg_reshape_2d(g, cur, width, n);
    } else {
        cur = ulg_mul(g, cur, gate);
    }
    ul_cb(b, cur, "attn_gated", il);
    return ul_mm(b, ul_wt(b, UL_ROLE_ATTN_OUT, il), cur, ul_wt_scale(b, UL_ROLE_ATTN_OUT, il));
}

static struct ul_tensor *attention(struct ul_build *b, struct ul_tensor *x,
                                   struct ul_tensor *normed, const struct inputs *in, int il)
{
    const struct ul_dense *d = options(b);
    struct ul_qkv r;
    if (ul_wt(b, UL_ROLE_ATTN_NORM_2, il)) { /* falcon 40B: a norm of its own */
        struct ul_tensor *own = ul_norm_of(b, x, UL_ROLE_ATTN_NORM_2, norm_kind(b), il);
        r = project(b, ul_cb(b, own, "attn_norm_2", il), il);
    } else {
        r = project(b, normed, il);
    }
    rotate(b, &r, in, il);
    struct ul_attn a = {.q = r.q, .k = r.k, .v = r.v, .scale_tanh = d->scale_tanh,
                        .sinks = ul_wt(b, UL_ROLE_ATTN_SINKS, il)};
    bool gated = d->attn_gate != UL_GATE_NONE && ul_wt(b, UL_ROLE_ATTN_GATE, il) != NULL;
    bool normed_out = ul_wt(b, UL_ROLE_ATTN_SUB_NORM, il) != NULL; /* bitnet */
    if (!gated && !normed_out) {
        a.wo = ul_wt(b, UL_ROLE_ATTN_OUT, il);
        a.wo_b = d->no_wo_bias ? NULL : ul_wt_bias(b, UL_ROLE_ATTN_OUT, il);
        a.wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il);
    }
    struct ul_tensor *cur = ul_cb(b, ul_attn_block(b, &in->attn, &a, il), "attn_out", il);
    if (b->model->f_attn_value_scale != 0.0f) /* mimo2 */
        cur = ul_cb(b, ulg_scale(b->graph, cur), "attn_out_scaled", il);
    if (normed_out) {
        cur = ul_norm_of(b, cur, UL_ROLE_ATTN_SUB_NORM, norm_kind(b), il);
        cur = ul_mm(b, ul_wt(b, UL_ROLE_ATTN_OUT, il), ul_cb(b, cur, "attn_sub_norm", il),
                    ul_wt_scale(b, UL_ROLE_ATTN_OUT, il));
        return ul_add_opt(b, cur, ul_wt_bias(b, UL_ROLE_ATTN_OUT, il));
    }
    return gated ? gate_attention(b, cur, normed, il) : cur;
}

/* Attention of a layer, or what deci has in its place: a matrix, or nothing. */
static struct ul_tensor *mix_tokens(struct ul_build *b, struct ul_tensor *x,
                                    struct ul_tensor *normed, const struct inputs *in, int il)
{
    const struct ul_layer *l = &b->model->layer[il];
    if (l->n_head == 0)
        return x;
    if (l->n_head_kv == 0)
        return ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_ATTN_OUT, il), normed, NULL), "wo", il);
    return attention(b, x, normed, in, il);
}

/* --- feed-forward ----------------------------------------------------------------------------- */

static struct ul_moe experts_of(struct ul_build *b, int il)
{
    const struct ul_dense *d = options(b);
    struct ul_moe e = ul_moe_of(b, d->moe_op, il);
    if (d->gating != UL_GATING_NONE)
        e.gating = d->gating;
    if (d->moe_norm != UL_MOE_NORM_MODEL)
        e.norm_w = d->moe_norm == UL_MOE_NORM;
    if (d->moe_scales) {
        e.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_EXPS, il);
        e.gate_s = ul_wt_scale(b, UL_ROLE_FFN_GATE_EXPS, il);
        e.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_EXPS, il);
    }
    e.clamp_before = d->clamp_before;
    e.weight_before_ffn = e.select_logits = d->weight_before_ffn;
    e.select_sigmoid = d->chunk_experts;
    return e;
}

/* src/models/grovemoe.cpp: a second set of experts, each standing for a chunk of the first, over
 * the result of the first. */
static struct ul_tensor *chunked_experts(struct ul_build *b, struct ul_tensor *cur, struct ul_moe e,
                                         int il)
{
    struct ul_graph *g = b->graph;
    e.probs_in = ul_cb(b, ul_mm(b, e.gate_inp, cur, NULL), "ffn_moe_logits", il);
    struct ul_tensor *first = ul_cb(b, ul_moe_block(b, cur, &e, il), "ffn_moe_out", il);
    e.n_expert = b->model->n_group_experts ? b->model->n_expert / b->model->n_group_experts : 0;
    if (e.n_expert_used > e.n_expert)
        e.n_expert_used = e.n_expert;
    e.up = ul_wt(b, UL_ROLE_FFN_UP_CHEXPS, il);
    e.gate = ul_wt(b, UL_ROLE_FFN_GATE_CHEXPS, il);
    e.down = ul_wt(b, UL_ROLE_FFN_DOWN_CHEXPS, il);
    struct ul_tensor *second = ul_cb(b, ul_moe_block(b, first, &e, il), "ffn_adj_moe_out", il);
    return ul_cb(b, ulg_add(g, first, ulg_scale(g, second)), "ffn_final_moe_out", il);
}

/* Experts that work in a narrower space than the layers; the router sees the full width. */
static struct ul_tensor *latent_experts(struct ul_build *b, struct ul_tensor *cur, struct ul_moe e,
                                        int il)
{
    struct ul_graph *g = b->graph;
    e.probs_in = ul_mm(b, e.gate_inp, cur, NULL);
    cur = ulg_mul_mat(g, ul_wt(b, UL_ROLE_FFN_LATENT_DOWN, il), cur);
    return ul_mm(b, ul_wt(b, UL_ROLE_FFN_LATENT_UP, il), ul_moe_block(b, cur, &e, il), NULL);
}

/* The experts that every token passes, when there are any, gated when there is a gate for them. */
static struct ul_tensor *shared_experts(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_ffn f = ul_ffn_shexp_of(b, UL_FFN_SILU, il);
    struct ul_tensor *gate = ul_wt(b, UL_ROLE_FFN_GATE_INP_SHEXP, il);
    if (f.up == NULL)
        return NULL;
    if (f.gate == NULL)
        f.op = UL_FFN_SWIGLU;
    if (options(b)->shexp_scales) {
        f.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP_SHEXP, il);
        f.gate_s = ul_wt_scale(b, UL_ROLE_FFN_GATE_SHEXP, il);
        f.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN_SHEXP, il);
    }
    struct ul_tensor *out = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_shexp", il);
    if (gate == NULL)
        return out;
    gate = ul_cb(b, ul_mm(b, gate, cur, NULL), "ffn_shexp_gate_inp", il);
    gate = ul_cb(b, ulg_div(g, ulg_silu(g, gate), gate), "ffn_shexp_gate", il);
    return ul_cb(b, ulg_mul(g, out, gate), "ffn_shexp_out", il);
}

/* src/llama-model.cpp: llm_ffn_op_type_from_string, which knows more names since: "gelu" is the
 * exact one, as is what it does not know. Only modern-bert reads the key. */
static enum ul_ffn_op ffn_op(const struct ul_build *b)
{
    static const struct {
        const char *name;
        enum ul_ffn_op op;
    } named[] = {
        {"geglu", UL_FFN_GEGLU}, {"gelu_accurate", UL_FFN_GEGLU}, {"gelu_fast", UL_FFN_GEGLU},
        {"gelu_new", UL_FFN_GEGLU}, {"gelu_pytorch_tanh", UL_FFN_GEGLU}, {"silu", UL_FFN_SWIGLU},
        {"swish", UL_FFN_SWIGLU}, {"swiglu", UL_FFN_SWIGLU}, {"relu", UL_FFN_RELU},
        {"reglu", UL_FFN_REGLU}};
    for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
        if (ul_str_is(b->model->hidden_act, named[i].name))
            return named[i].op;
    return options(b)->ffn_op;
}

static struct ul_tensor *dense_ffn(struct ul_build *b, struct ul_tensor *cur, int il)
{
    const struct ul_dense *d = options(b);
    struct ul_ffn f = ul_ffn_of(b, ffn_op(b), d->ffn_scales, il);
    if (d->no_ffn_bias)
        f.up_b = f.gate_b = f.down_b = NULL;
    if (d->down_scale)
        f.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN, il);
    f.act = ul_wt_suffix(b, UL_ROLE_FFN_ACT, UL_SCALES, il);
    if (ul_wt(b, UL_ROLE_FFN_SUB_NORM, il)) { /* bitnet: a norm before the last matrix */
        f.down = NULL;
        struct ul_tensor *down_s = f.down_s;
        f.down_s = NULL;
        cur = ul_norm_of(b, ul_ffn_block(b, cur, &f, il), UL_ROLE_FFN_SUB_NORM, norm_kind(b), il);
        return ul_mm(b, ul_wt(b, UL_ROLE_FFN_DOWN, il), ul_cb(b, cur, "ffn_sub_norm", il), down_s);
    }
    return ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
}

/* Feed-forward of a layer: the ordinary one, or experts where it has a router. `logits`: the
 * router's, when they were made from something else than cur. */
static struct ul_tensor *feed_forward(struct ul_build *b, struct ul_tensor *cur,
                                      struct ul_tensor *logits, int il)
{
    const struct ul_dense *d = options(b);
    struct ul_graph *g = b->graph;
    if (d->no_experts || ul_wt(b, UL_ROLE_FFN_GATE_INP, il) == NULL)
        return dense_ffn(b, cur, il);
    struct ul_moe e = experts_of(b, il);
    if (d->chunk_experts)
        return chunked_experts(b, cur, e, il);
    e.probs_in = logits;
    struct ul_tensor *out = ul_wt(b, UL_ROLE_FFN_LATENT_DOWN, il) ? latent_experts(b, cur, e, il)
                                                                  : ul_moe_block(b, cur, &e, il);
    if (d->scale_sum && ul_wt(b, UL_ROLE_FFN_UP, il))
        return ul_cb(b, ulg_scale(g, ulg_add(g, dense_ffn(b, cur, il), out)), "ffn_out", il);
    struct ul_tensor *shared = shared_experts(b, cur, il);
    if (shared == NULL)
        return out;
    out = ulg_add(g, out, shared);
    return ul_cb(b, d->halve_shared ? ulg_scale(g, out) : out, "ffn_out", il);
}

/* --- a layer ---------------------------------------------------------------------------------- */

/* The norm of a role, when the file has one. */
static struct ul_tensor *norm_if_any(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                                     const char *name, int pin, int il)
{
    if (ul_wt(b, role, il) == NULL)
        return cur;
    cur = ul_norm_block(b, cur, ul_wt(b, role, il), ul_wt_bias(b, role, il), norm_kind(b), pin);
    return ul_cb(b, cur, name, pin);
}

static struct ul_tensor *post_attention(struct ul_build *b, struct ul_tensor *cur, int il)
{
    const struct ul_dense *d = options(b);
    int pin = d->post_norms_bare ? -1 : il;
    enum ul_role role = d->post_norm ? d->post_norm : UL_ROLE_ATTN_POST_NORM;
    if (d->ffn_norm == role)
        return last_rows(b, cur, il);
    if (d->post_norm_all_rows)
        return last_rows(b, norm_if_any(b, cur, role, "attn_post_norm", pin, il), il);
    cur = last_rows(b, cur, il);
    return norm_if_any(b, cur, role, "attn_post_norm", pin, il);
}

static struct ul_tensor *pre_ffn_norm(struct ul_build *b, struct ul_tensor *cur, int il)
{
    const struct ul_dense *d = options(b);
    if (d->no_pre_norms)
        return cur;
    cur = layer_norm(b, cur, d->ffn_norm ? d->ffn_norm : UL_ROLE_FFN_NORM, il);
    return ul_cb(b, cur, "ffn_norm", il);
}

static struct ul_tensor *post_ffn(struct ul_build *b, struct ul_tensor *cur, int il)
{
    const struct ul_dense *d = options(b);
    enum ul_role role = d->ffn_post_norm ? d->ffn_post_norm : UL_ROLE_FFN_POST_NORM;
    int pin = d->post_norm_unpinned || d->post_norms_bare ? -1 : il;
    return norm_if_any(b, cur, role, "ffn_post_norm", pin, il);
}

/* Residuals are scaled when the model says so (granite, minicpm). */
static struct ul_tensor *scaled(struct ul_build *b, struct ul_tensor *t)
{
    return b->model->f_residual_scale != 0.0f ? ulg_scale(b->graph, t) : t;
}

/* Attention and feed-forward side by side. `n`: the attention's norm of x. */
static struct ul_tensor *join_parallel(struct ul_build *b, struct ul_tensor *attn,
                                       struct ul_tensor *x, struct ul_tensor *n, int il)
{
    struct ul_graph *g = b->graph;
    if (options(b)->residual == UL_RESIDUAL_PAR_RES)
        n = pre_ffn_norm(b, x, il);
    struct ul_tensor *ffn = feed_forward(b, n, NULL, il);
    switch (options(b)->residual) {
    case UL_RESIDUAL_FFN_ATTN_X: return ulg_add(g, ulg_add(g, ffn, attn), x);
    case UL_RESIDUAL_ATTN_FFN_X: return ulg_add(g, ulg_add(g, attn, ffn), x);
    default: return ulg_add(g, ulg_add(g, ffn, x), attn);
    }
}

/* One after the other. `n`: the attention's norm of x, which feeds forward where there is no norm
 * for that (stablelm's parallel form). */
static struct ul_tensor *join_sequential(struct ul_build *b, struct ul_tensor *attn,
                                         struct ul_tensor *x, struct ul_tensor *n,
                                         struct ul_tensor *logits, int il)
{
    const struct ul_dense *d = options(b);
    struct ul_graph *g = b->graph;
    bool alone = b->model->layer[il].n_head == 0; /* deci: no attention, no residual */
    struct ul_tensor *h = alone                                   ? attn
                          : d->residual == UL_RESIDUAL_REVERSED ? ulg_add(g, x, scaled(b, attn))
                                                                : ulg_add(g, scaled(b, attn), x);
    ul_cb(b, h, "ffn_inp", il);
    bool no_norm = d->norm_or_parallel && ul_wt(b, UL_ROLE_FFN_NORM, il) == NULL;
    struct ul_tensor *cur = no_norm ? n : pre_ffn_norm(b, h, il);
    cur = scaled(b, post_ffn(b, feed_forward(b, cur, logits, il), il));
    return d->residual == UL_RESIDUAL_SWAPPED ? ulg_add(g, h, cur) : ulg_add(g, cur, h);
}

/* src/models/arctic.cpp: an ordinary block, and experts that see the layer's input. */
static struct ul_tensor *join_arctic(struct ul_build *b, struct ul_tensor *attn,
                                     struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *h = ul_cb(b, ulg_add(g, attn, x), "ffn_inp", il);
    struct ul_tensor *ffn = ulg_add(g, dense_ffn(b, pre_ffn_norm(b, h, il), il), h);
    struct ul_tensor *n = ul_norm_of(b, x, UL_ROLE_FFN_NORM_EXPS, norm_kind(b), il);
    struct ul_moe e = experts_of(b, il);
    return ulg_add(g, ul_moe_block(b, ul_cb(b, n, "ffn_norm_exps", il), &e, il), ffn);
}

static bool is_parallel(const struct ul_build *b)
{
    switch (options(b)->residual) {
    case UL_RESIDUAL_FFN_ATTN_X:
    case UL_RESIDUAL_ATTN_FFN_X:
    case UL_RESIDUAL_FFN_X_ATTN: return true;
    case UL_RESIDUAL_PAR_RES: return b->model->use_par_res;
    default: return false;
    }
}

/* A vision model's deeper features: further parts of wide input embeddings, added to the stream. */
static struct ul_tensor *deepstack(struct ul_build *b, struct ul_tensor *cur, int64_t part,
                                   const char *name, int il)
{
    struct ul_tensor *in = b->t_inp_embd;
    uint64_t offset = (uint64_t)(part * b->model->n_embd) * sizeof(float);
    struct ul_tensor *t =
        ulg_view_2d(b->graph, in, b->model->n_embd, b->n_tokens, in->nb[1], offset);
    return ul_cb(b, ulg_add(b->graph, cur, t), name, il);
}

static struct ul_tensor *layer(struct ul_build *b, struct ul_tensor *x, const struct inputs *in,
                               int il)
{
    const struct ul_dense *d = options(b);
    struct ul_graph *g = b->graph;
    struct ul_tensor *n = x, *logits = NULL, *cur;
    if (d->probs_of_x)
        logits =
            ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_FFN_GATE_INP, il), x, NULL), "ffn_moe_logits", il);
    /* modern-bert's first layer has no norm of its own */
    bool bare = d->embeds && ul_wt(b, UL_ROLE_ATTN_NORM, il) == NULL;
    if (!d->no_pre_norms && !bare && b->model->layer[il].n_head > 0)
        n = ul_cb(b, layer_norm(b, x, UL_ROLE_ATTN_NORM, il), "attn_norm", il);
    cur = post_attention(b, mix_tokens(b, x, n, in, il), il);
    if (b->model->layer[il].n_ff == 0 && ul_wt(b, UL_ROLE_FFN_GATE_INP, il) == NULL)
        return x; /* deci: what attention gave is dropped with the layer */
    x = last_rows(b, x, il);
    n = last_rows(b, n, il);
    logits = last_rows(b, logits, il);
    if (is_parallel(b))
        cur = join_parallel(b, cur, x, n, il);
    else if (d->residual == UL_RESIDUAL_EXPERTS_OF_X)
        cur = join_arctic(b, cur, x, il);
    else
        cur = join_sequential(b, cur, x, n, logits, il);
    if (d->skip_embd)
        cur = ulg_add(g, cur, ulg_mul(g, last_rows(b, in->embd, il),
                                      ul_wt_needed(b, UL_ROLE_LAYER_OUT_SCALE, il)));
    return ul_cb(b, cur, "l_out", il);
}

/* src/models/nanbeige.cpp: between two turns of the stack the final norm is applied. */
static struct ul_tensor *between_turns(struct ul_build *b, struct ul_tensor *cur, int il)
{
    const struct ul_model *m = b->model;
    uint32_t next = (uint32_t)il + 1;
    if (m->num_loops <= 1 || m->skip_loop_final_norm || next == m->n_layer ||
        next % m->n_layer_phys != 0)
        return cur;
    return ul_cb(b, ul_norm_of(b, cur, UL_ROLE_OUTPUT_NORM, norm_kind(b), il), "loop_norm", il);
}

int ul_prog_dense(struct ul_build *b)
{
    const struct ul_dense *d = options(b);
    const struct ul_model *m = b->model;
    struct inputs in = {0};
    struct ul_tensor *cur = embeddings(b);
    in.embd = cur;
    bool cached = m->arch->memory != UL_MEMORY_NONE && !d->embeds;
    in.attn = ul_attn_inputs(b, cached ? UL_ATTN_KV : UL_ATTN_NO_CACHE);
    if (d->attn_temp == UL_TEMP_NO_ROPE_LAYERS || (d->attn_temp && m->f_attn_temp_scale != 0.0f))
        in.temp = ul_inp_attn_scale(b);
    for (int il = 0; il < (int)m->n_layer; il++) {
        if (il > 0 && m->layer[il].deepstack >= 0 && d->deepstack_before)
            cur = deepstack(b, cur, m->layer[il].deepstack, "deepstack_in", il);
        cur = layer(b, cur, &in, il);
        if (il < (int)m->n_deepstack_layers && !d->deepstack_before)
            cur = deepstack(b, cur, il + 1, "deepstack_out", il);
        cur = between_turns(b, cur, il);
    }
    if (d->keeps_hidden)
        b->t_h_nextn = cur;
    enum ul_role last = ul_wt(b, UL_ROLE_ENC_OUTPUT_NORM, -1) ? UL_ROLE_ENC_OUTPUT_NORM
                                                              : UL_ROLE_OUTPUT_NORM;
    cur = ul_cb(b, layer_norm(b, cur, last, -1), "result_norm", -1);
    b->t_embd = cur;
    if (d->embeds)
        ul_expand(b, cur);
    else
        ul_result_output(b, cur);
    return ULLAGE_OK;
}

/* A draft head of the model's own kind of layer. */
int ul_head_dense(struct ul_build *b)
{
    struct inputs in = {0};
    struct ul_tensor *x = ul_head_inputs(b);
    in.attn = ul_attn_inputs(b, UL_ATTN_KV);
    x = layer(b, x, &in, ul_head_layer(b));
    ul_head_outputs(b, x, options(b)->head_rows);
    return ULLAGE_OK;
}

/* Two stacks of layers in turns: the low one runs l_cycles times, then the high one once, and all
 * that h_cycles times. Each run sees the sum of both stacks' latest states and ends in a norm
 * without weights; layers are numbered through all runs. (hrm_text, newer than the source that was
 * read.) */
int ul_prog_hrm(struct ul_build *b)
{
    const struct ul_model *m = b->model;
    struct ul_graph *g = b->graph;
    struct inputs in = {0};
    struct ul_tensor *high = embeddings(b), *low = ul_wt(b, UL_ROLE_HRM_Z_L_INIT, -1);
    int il = 0, turns = (int)(m->hrm_h_cycles * (m->hrm_l_cycles + 1));
    if (low == NULL)
        return ULLAGE_ERROR_UNKNOWN;
    in.attn = ul_attn_inputs(b, UL_ATTN_KV);
    for (int turn = 0; turn < turns; turn++) {
        bool is_high = turn % (int)(m->hrm_l_cycles + 1) == (int)m->hrm_l_cycles;
        struct ul_tensor *cur = ulg_add(g, high, low);
        for (uint32_t i = 0; i < m->hrm_layers_per_stack; i++)
            cur = layer(b, cur, &in, il++);
        cur = ul_cb(b, ulg_rms_norm(g, cur), "stack_norm", il - 1);
        *(is_high ? &high : &low) = cur;
    }
    b->t_embd = ul_cb(b, ulg_get_rows(g, high, ul_inp_out_ids(b)), "result_norm", -1);
    ul_result_output(b, b->t_embd);
    return ULLAGE_OK;
}
