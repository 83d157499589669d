/* Feed-forward blocks: one for all tokens, and experts. Source: src/llama-graph.cpp (build_ffn,
 * build_moe_ffn). */
#include "arch/build.h"

/* A limit below this is none (the engine's own epsilon). */
#define NO_CLAMP 1e-6f

/* Gated activation with both sides limited (swiglu_clamp_exp, swiglu_clamp_shexp). Where the limits
 * stand before the activation, the pinned engine has one operation for it all; the source that was
 * read spells it out. */
static struct ul_tensor *limited_swiglu(struct ul_build *b, struct ul_tensor *gate,
                                        struct ul_tensor *up, bool clamp_before, bool fused)
{
    struct ul_graph *g = b->graph;
    if (fused)
        return ulg_swiglu_clamp(g, gate, up);
    if (clamp_before)
        return ulg_swiglu_clamp(g, gate, up);
    up = ulg_clamp(g, up);
    return ulg_mul(g, ulg_clamp(g, ulg_silu(g, gate)), up);
}

/* beta tanh(gate / beta) sigmoid(gate) times the linear part, squashed too when the model says
 * so */
struct ul_tensor *ul_situ(struct ul_build *b, struct ul_tensor *gate, struct ul_tensor *up,
                          bool linear)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *act = ulg_scale(g, ulg_tanh(g, ulg_scale(g, gate)));
    act = ulg_mul(g, act, ulg_sigmoid(g, gate));
    if (linear)
        up = ulg_scale(g, ulg_tanh(g, ulg_scale(g, up)));
    return ulg_mul(g, act, up);
}

/* The activation of a gate beside `up`; NULL when the two are multiplied after it instead. */
static struct ul_tensor *gated(struct ul_build *b, struct ul_tensor *gate, struct ul_tensor *up,
                               enum ul_ffn_op op)
{
    struct ul_graph *g = b->graph;
    switch (op) {
    case UL_FFN_SILU: return ulg_swiglu_split(g, gate, up);
    case UL_FFN_GELU: return ulg_geglu_split(g, gate, up);
    case UL_FFN_RELU: return ulg_reglu_split(g, gate, up);
    case UL_FFN_SWIGLU_OAI: return ulg_swiglu_oai(g, gate, up);
    default: return NULL;
    }
}

static struct ul_tensor *activation(struct ul_build *b, struct ul_tensor *t, enum ul_ffn_op op)
{
    struct ul_graph *g = b->graph;
    switch (op) {
    case UL_FFN_SILU: return ulg_silu(g, t);
    case UL_FFN_GELU: return ulg_gelu(g, t);
    case UL_FFN_RELU: return ulg_relu(g, t);
    case UL_FFN_RELU_SQR: return ulg_sqr(g, ulg_relu(g, t));
    case UL_FFN_SWIGLU: return ulg_swiglu(g, t);
    case UL_FFN_GEGLU: return ulg_geglu(g, t);
    case UL_FFN_GEGLU_ERF: return ulg_geglu_erf(g, t);
    case UL_FFN_REGLU: return ulg_reglu(g, t);
    case UL_FFN_XIELU: return ulg_xielu(g, t);
    default: return t;
    }
}

static const char *activation_name(enum ul_ffn_op op, bool with_gate)
{
    switch (op) {
    case UL_FFN_SILU: return with_gate ? "ffn_swiglu" : "ffn_silu";
    case UL_FFN_GELU: return with_gate ? "ffn_geglu" : "ffn_gelu";
    case UL_FFN_RELU: return with_gate ? "ffn_reglu" : "ffn_relu";
    case UL_FFN_RELU_SQR: return "ffn_sqr(relu)";
    case UL_FFN_SWIGLU: return "ffn_swiglu";
    case UL_FFN_GEGLU: return "ffn_geglu";
    case UL_FFN_GEGLU_ERF: return "ffn_geglu_erf";
    case UL_FFN_REGLU: return "ffn_reglu";
    case UL_FFN_SWIGLU_OAI: return "ffn_swiglu_oai";
    case UL_FFN_XIELU: return "ffn_xielu";
    default: return "ffn_situ";
    }
}

/* A matrix with its bias, then its scale; for `up` and `gate`, whose scale comes last. */
static struct ul_tensor *biased_scaled(struct ul_build *b, struct ul_tensor *t,
                                       struct ul_tensor *bias, struct ul_tensor *scale,
                                       const char *const name[3], int il)
{
    ul_cb(b, t, name[0], il);
    if (bias)
        t = ul_cb(b, ulg_add(b->graph, t, bias), name[1], il);
    if (scale)
        t = ul_cb(b, ulg_mul(b->graph, t, scale), name[2], il);
    return t;
}

/* The activation of a feed-forward block: over gate and up, or over what there is. */
static struct ul_tensor *ffn_activation(struct ul_build *b, struct ul_tensor *cur,
                                        struct ul_tensor *up, const struct ul_ffn *f, int il)
{
    bool parallel = f->gate && !f->sequential;
    float limit = il >= 0 ? b->model->layer[il].swiglu_clamp_shexp : 0.0f;
    if (parallel && f->op == UL_FFN_SILU && limit > NO_CLAMP)
        return ul_cb(b, limited_swiglu(b, cur, up, f->clamp_before, f->clamp_fused),
                     "ffn_swiglu_limited", il);
    struct ul_tensor *both = parallel ? gated(b, cur, up, f->op) : NULL;
    if (both)
        return ul_cb(b, both, activation_name(f->op, true), il);
    cur = ul_cb(b, activation(b, cur, f->op), activation_name(f->op, false), il);
    if (f->op == UL_FFN_GELU && f->act)
        cur = ul_cb(b, ulg_div(b->graph, cur, f->act), "ffn_act", il);
    return parallel ? ul_cb(b, ulg_mul(b->graph, cur, up), "ffn_gate_par", il) : cur;
}

struct ul_tensor *ul_ffn_block(struct ul_build *b, struct ul_tensor *cur, const struct ul_ffn *f,
                               int il)
{
    static const char *const up_names[3] = {"ffn_up", "ffn_up_b", "ffn_up_s"};
    static const char *const gate_names[3] = {"ffn_gate", "ffn_gate_b", "ffn_gate_s"};
    struct ul_graph *g = b->graph;
    struct ul_tensor *up = f->up ? ul_mm(b, f->up, cur, NULL) : cur;
    up = biased_scaled(b, up, f->up_b, f->up_s, up_names, il);
    if (f->gate)
        cur = biased_scaled(b, ul_mm(b, f->gate, f->sequential ? up : cur, NULL), f->gate_b,
                            f->gate_s, gate_names, il);
    else
        cur = up;
    cur = ffn_activation(b, cur, up, f, il);
    if (f->down)
        cur = ul_mm(b, f->down, cur, NULL);
    if (f->down_b)
        cur = ulg_add(g, ul_cb(b, cur, "ffn_down", il), f->down_b);
    if (f->down_s)
        cur = ul_cb(b, ulg_mul(g, cur, f->down_s), "ffn_down_s", il);
    return cur;
}

struct ul_ffn ul_ffn_of(struct ul_build *b, enum ul_ffn_op op, bool scales, int il)
{
    struct ul_ffn f = {.op = op};
    f.up = ul_wt(b, UL_ROLE_FFN_UP, il);
    f.up_b = ul_wt_bias(b, UL_ROLE_FFN_UP, il);
    f.gate = ul_wt(b, UL_ROLE_FFN_GATE, il);
    f.gate_b = ul_wt_bias(b, UL_ROLE_FFN_GATE, il);
    f.down = ul_wt(b, UL_ROLE_FFN_DOWN, il);
    f.down_b = ul_wt_bias(b, UL_ROLE_FFN_DOWN, il);
    if (scales) {
        f.up_s = ul_wt_scale(b, UL_ROLE_FFN_UP, il);
        f.gate_s = ul_wt_scale(b, UL_ROLE_FFN_GATE, il);
        f.down_s = ul_wt_scale(b, UL_ROLE_FFN_DOWN, il);
    }
    return f;
}

struct ul_ffn ul_ffn_shexp_of(struct ul_build *b, enum ul_ffn_op op, int il)
{
    return (struct ul_ffn){.op = op,
                           .up = ul_wt(b, UL_ROLE_FFN_UP_SHEXP, il),
                           .gate = ul_wt(b, UL_ROLE_FFN_GATE_SHEXP, il),
                           .down = ul_wt(b, UL_ROLE_FFN_DOWN_SHEXP, il)};
}

/* --- experts ---------------------------------------------------------------------------------- */

static struct ul_tensor *router_probs(struct ul_build *b, struct ul_tensor *logits,
                                      enum ul_gating gating)
{
    struct ul_graph *g = b->graph;
    switch (gating) {
    case UL_GATING_SIGMOID: return ulg_sigmoid(g, logits);
    case UL_GATING_SOFTMAX_WEIGHT: return logits;
    case UL_GATING_SQRT_SOFTPLUS: return ulg_sqrt(g, ulg_softplus(g, logits));
    default: return ulg_soft_max(g, logits);
    }
}

/* Groups of experts compete first: each group's score is the sum of its two best, and experts of
 * the groups that lose are masked out. */
static struct ul_tensor *mask_groups(struct ul_build *b, struct ul_tensor *probs, int64_t n_expert,
                                     int64_t n_tokens, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n_groups = b->model->n_expert_groups;
    struct ul_tensor *groups = ulg_reshape_3d(g, probs, n_expert / n_groups, n_groups, n_tokens);
    struct ul_tensor *best = ulg_argsort_top_k(g, groups, 2);
    struct ul_tensor *s = ulg_get_rows(
        g, ulg_reshape_4d(g, groups, 1, groups->ne[0], groups->ne[1], groups->ne[2]), best);
    s = ulg_sum_rows(g, ulg_reshape_3d(g, s, s->ne[1], s->ne[2], s->ne[3]));
    s = ulg_reshape_2d(g, s, s->ne[1], s->ne[2]);
    struct ul_tensor *chosen = ulg_argsort_top_k(g, s, b->model->n_group_used);
    ul_cb(b, chosen, "ffn_moe_group_topk", il);
    struct ul_tensor *kept = ulg_get_rows(g, groups, chosen);
    kept = ulg_set_rows(g, ulg_fill(g, groups), kept, chosen);
    return ul_cb(b, ulg_reshape_2d(g, kept, n_expert, n_tokens), "ffn_moe_probs_masked", il);
}

/* The experts' numbers, [n_expert_used, n_tokens]. */
static struct ul_tensor *select_experts(struct ul_build *b, const struct ul_moe *e,
                                        struct ul_tensor *logits, struct ul_tensor *probs,
                                        int64_t n_tokens, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *by = probs;
    if (e->probs_b)
        by = ul_cb(b, ulg_add(g, probs, e->probs_b), "ffn_moe_probs_biased", il);
    if (e->select_logits)
        by = logits;
    if (e->select_sigmoid)
        by = ul_cb(b, ulg_sigmoid(g, logits), "ffn_moe_probs_biased", il);
    if (b->model->n_expert_groups > 1 && n_tokens > 0)
        by = mask_groups(b, by, e->n_expert, n_tokens, il);
    struct ul_tensor *ids = e->selected_in;
    if (ids == NULL) {
        ids = ulg_argsort_top_k(g, by, e->n_expert_used);
        ul_cb(b, ids->src[0], "ffn_moe_argsort", il);
    }
    return ul_cb(b, ids, "ffn_moe_topk", il);
}

/* The weights that the experts' results are multiplied by, [1, n_expert_used, n_tokens]. */
static struct ul_tensor *expert_weights(struct ul_build *b, const struct ul_moe *e,
                                        struct ul_tensor *probs, struct ul_tensor *ids,
                                        int64_t n_tokens, int il)
{
    struct ul_graph *g = b->graph;
    int64_t used = e->n_expert_used;
    struct ul_tensor *w = ul_cb(b, ulg_get_rows(g, probs, ids), "ffn_moe_weights", il);
    if (e->gating == UL_GATING_SOFTMAX_WEIGHT) {
        w = ulg_soft_max(g, ulg_reshape_2d(g, w, used, n_tokens));
        w = ul_cb(b, ulg_reshape_3d(g, w, 1, used, n_tokens), "ffn_moe_weights_softmax", il);
    }
    if (e->norm_w) {
        w = ulg_reshape_2d(g, w, used, n_tokens);
        struct ul_tensor *sum = ul_cb(b, ulg_sum_rows(g, w), "ffn_moe_weights_sum", il);
        sum = ul_cb(b, ulg_clamp(g, sum), "ffn_moe_weights_sum_clamped", il);
        w = ul_cb(b, ulg_div(g, w, sum), "ffn_moe_weights_norm", il);
        w = ulg_reshape_3d(g, w, 1, used, n_tokens);
    }
    if (e->scale_w)
        w = ul_cb(b, ulg_scale(g, w), "ffn_moe_weights_scaled", il);
    return w;
}

/* One matrix an expert, with its scale and bias. */
static struct ul_tensor *expert_mm(struct ul_build *b, struct ul_tensor *w, struct ul_tensor *cur,
                                   struct ul_tensor *ids, struct ul_tensor *scale,
                                   struct ul_tensor *bias, const char *const name[3], int il)
{
    struct ul_tensor *t = ul_cb(b, ul_mm_id(b, w, cur, ids, scale), name[scale != NULL], il);
    return bias ? ul_cb(b, ulg_add_id(b->graph, t, bias, ids), name[2], il) : t;
}

/* The experts' inner activation, [n_ff, n_expert_used, n_tokens]. */
static struct ul_tensor *expert_activation(struct ul_build *b, const struct ul_moe *e,
                                           struct ul_tensor *cur, struct ul_tensor *up, int il)
{
    bool has_gate = e->gate || e->gate_up;
    float limit = il >= 0 ? b->model->layer[il].swiglu_clamp_exp : 0.0f;
    if (e->op == UL_FFN_SILU && e->gate && limit > NO_CLAMP)
        return limited_swiglu(b, cur, up, e->clamp_before, e->clamp_fused);
    if (e->op == UL_FFN_SITU)
        return ul_situ(b, cur, up, e->situ_linear);
    struct ul_tensor *both =
        has_gate || e->op == UL_FFN_SWIGLU_OAI ? gated(b, cur, up, e->op) : NULL;
    return both ? both : activation(b, cur, e->op);
}

/* Both halves of the first matrices, or the one that there is; then the activation. */
static struct ul_tensor *expert_inner(struct ul_build *b, const struct ul_moe *e,
                                      struct ul_tensor *cur, struct ul_tensor *ids, int il)
{
    static const char *const both_n[3] = {"ffn_moe_gate_up", "ffn_moe_gate_up_scaled",
                                          "ffn_moe_gate_up_biased"};
    static const char *const up_n[3] = {"ffn_moe_up", "ffn_moe_up_scaled", "ffn_moe_up_biased"};
    static const char *const gate_n[3] = {"ffn_moe_gate", "ffn_moe_gate_scaled",
                                          "ffn_moe_gate_biased"};
    struct ul_graph *g = b->graph;
    struct ul_tensor *up, *gate;
    if (e->gate_up) {
        struct ul_tensor *t = expert_mm(b, e->gate_up, cur, ids, e->up_s, e->gate_up_b, both_n, il);
        int64_t n_ff = t->ne[0] / 2;
        gate = ulg_view_3d(g, t, n_ff, t->ne[1], t->ne[2], t->nb[1], t->nb[2], 0);
        up = ulg_view_3d(g, t, n_ff, t->ne[1], t->ne[2], t->nb[1], t->nb[2],
                         (uint64_t)n_ff * t->nb[0]);
        ul_cb(b, gate, "ffn_moe_gate", il);
        ul_cb(b, up, "ffn_moe_up", il);
    } else {
        up = expert_mm(b, e->up, cur, ids, e->up_s, e->up_b, up_n, il);
        gate = e->gate ? expert_mm(b, e->gate, cur, ids, e->gate_s, e->gate_b, gate_n, il) : up;
    }
    return expert_activation(b, e, gate, up, il);
}

/* The sum over experts: one view each, all views before the first addition. */
static struct ul_tensor *sum_experts(struct ul_build *b, struct ul_tensor *experts, int64_t n_embd,
                                     int64_t n_tokens, int il)
{
    struct ul_graph *g = b->graph;
    uint32_t n = b->model->n_expert_used;
    struct ul_tensor *one[UL_MAX_EXPERTS] = {0};
    for (uint32_t i = 0; i < n && i < UL_MAX_EXPERTS; i++) {
        one[i] = ulg_view_2d(g, experts, n_embd, n_tokens, experts->nb[2], i * experts->nb[1]);
        ul_expand(b, one[i]);
    }
    if (n == 0) { /* a router and no experts to use */
        b->graph->bad = b->graph->bad ? b->graph->bad : "no experts are used";
        return ulg_view_2d(g, experts, n_embd, n_tokens, experts->nb[2], 0);
    }
    struct ul_tensor *out = one[0];
    for (uint32_t i = 1; i < n && i < UL_MAX_EXPERTS; i++) {
        out = ulg_add(g, out, one[i]);
        ul_expand(b, out);
    }
    if (n == 1)
        out = ulg_cont(g, out);
    return ul_cb(b, out, "ffn_moe_out", il);
}

/* What selects and weighs: the router. Chunked experts (grovemoe) are chosen through the experts
 * that make them up. */
static struct ul_tensor *route(struct ul_build *b, const struct ul_moe *e, struct ul_tensor *cur,
                               int64_t n_tokens, struct ul_tensor **weights, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *logits = e->probs_in;
    if (logits == NULL)
        logits = ul_cb(b, ul_mm(b, e->gate_inp, cur, NULL), "ffn_moe_logits", il);
    if (e->gate_inp_b)
        logits = ul_cb(b, ulg_add(g, logits, e->gate_inp_b), "ffn_moe_logits_biased", il);
    struct ul_tensor *probs = ul_cb(b, router_probs(b, logits, e->gating), "ffn_moe_probs", il);
    struct ul_tensor *ids = select_experts(b, e, logits, probs, n_tokens, il);
    int64_t n_probs = e->n_expert;
    if (e->select_sigmoid && e->n_expert != b->model->n_expert) {
        ids = ulg_cast(g, ulg_scale(g, ulg_cast(g, ids, UL_F32)), UL_I32);
        n_probs = b->model->n_expert;
    }
    probs = ulg_reshape_3d(g, probs, 1, n_probs, n_tokens);
    *weights = expert_weights(b, e, probs, ids, n_tokens, il);
    ul_expand(b, *weights);
    return ids;
}

/* The product beneath its scale and bias. */
static void mark_exact(struct ul_tensor *t)
{
    while (t->op != UL_OP_MUL_MAT_ID && t->src[0])
        t = t->src[0];
    ulg_prec_src_f32(t);
}

struct ul_tensor *ul_moe_block(struct ul_build *b, struct ul_tensor *cur, const struct ul_moe *e,
                               int il)
{
    static const char *const down_n[3] = {"ffn_moe_down", "ffn_moe_down_scaled",
                                          "ffn_moe_down_biased"};
    struct ul_graph *g = b->graph;
    int64_t n_embd = cur->ne[0], n_tokens = cur->ne[1];
    struct ul_tensor *weights;
    struct ul_tensor *ids = route(b, e, cur, n_tokens, &weights, il);
    cur = ulg_reshape_3d(g, cur, n_embd, 1, n_tokens);
    if (e->weight_before_ffn) {
        cur = ulg_repeat_4d(g, cur, n_embd, e->n_expert_used, n_tokens, 1);
        cur = ul_cb(b, ulg_mul(g, cur, weights), "ffn_moe_weighted", il);
    }
    cur = expert_inner(b, e, cur, ids, il);
    cur = expert_mm(b, e->down, cur, ids, e->down_s, e->down_b, down_n, il);
    if (b->model->arch->exact_down)
        mark_exact(cur);
    if (!e->weight_before_ffn)
        cur = ul_cb(b, ulg_mul(g, cur, weights), "ffn_moe_weighted", il);
    ul_expand(b, cur);
    return sum_experts(b, cur, n_embd, n_tokens, il);
}

struct ul_moe ul_moe_of(struct ul_build *b, enum ul_ffn_op op, int il)
{
    const struct ul_model *m = b->model;
    struct ul_moe e = {.op = op, .n_expert = m->n_expert, .n_expert_used = m->n_expert_used};
    e.gate_inp = ul_wt(b, UL_ROLE_FFN_GATE_INP, il);
    e.gate_inp_b = ul_wt_bias(b, UL_ROLE_FFN_GATE_INP, il);
    e.up = ul_wt(b, UL_ROLE_FFN_UP_EXPS, il);
    e.up_b = ul_wt_bias(b, UL_ROLE_FFN_UP_EXPS, il);
    e.gate = ul_wt(b, UL_ROLE_FFN_GATE_EXPS, il);
    e.gate_b = ul_wt_bias(b, UL_ROLE_FFN_GATE_EXPS, il);
    e.gate_up = ul_wt(b, UL_ROLE_FFN_GATE_UP_EXPS, il);
    e.down = ul_wt(b, UL_ROLE_FFN_DOWN_EXPS, il);
    e.down_b = ul_wt_bias(b, UL_ROLE_FFN_DOWN_EXPS, il);
    e.probs_b = ul_wt_bias(b, UL_ROLE_FFN_EXP_PROBS_B, il);
    if (e.probs_b == NULL)
        e.probs_b = ul_wt(b, UL_ROLE_FFN_EXP_PROBS_B, il);
    e.scale_w = m->expert_weights_scale != 0.0f && m->expert_weights_scale != 1.0f;
    e.norm_w = m->expert_weights_norm;
    e.gating = (enum ul_gating)m->expert_gating_func;
    return e;
}
