/* Hybrids of delta attention and latent attention: Kimi Linear, Kimi K3, Ling 3 (bailingmoe3).
 * Sources: src/models/kimi-linear.cpp, kimi-k3.cpp, bailingmoe3.cpp. */
#include "arch/latent.h"
#include "arch/rows.h"

static const struct ul_kda_form kimi_form = {.by_seqs = true, .one_row = true};
static const struct ul_kda_form k3_form = {.by_seqs = true};
static const struct ul_kda_form ling_form = {0};

struct inputs {
    struct ul_rs_inp rs;
    struct ul_attn_inp attn;
};

static struct inputs make_inputs(struct ul_build *b)
{
    return (struct inputs){.rs = ul_rs_inputs(b),
                           .attn = ul_attn_inputs(b, ul_is_mla(b->model) ? UL_ATTN_K : UL_ATTN_KV)};
}

/* Conversions without wk_b and wv_b keep every head's keys and values, the shared part first. */
static struct ul_attn latent_attn(struct ul_build *b, const struct ul_latent *l,
                                  struct ul_tensor *cur, int il)
{
    struct ul_tensor *q = ul_latent_q(b, ul_latent_low_q(b, cur, il), cur, il);
    if (ul_wt(b, UL_ROLE_ATTN_K_B, il) && ul_wt(b, UL_ROLE_ATTN_V_B, il))
        return ul_latent_absorbed(b, l, q, cur, il);
    q = ulg_reshape_3d(b->graph, q, l->head_k, b->model->layer[il].n_head, b->n_tokens);
    return ul_latent_full(b, l, q, cur, NULL, il);
}

/* Attention with a gate over its result, before the output matrix: a factor a value, or a head. */
static struct ul_tensor *gated_latent(struct ul_build *b, const struct inputs *in, bool by_head,
                                      bool rotates, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_latent l = ul_latent_of(b->model, rotates, il);
    struct ul_attn a = latent_attn(b, &l, x, il);
    struct ul_tensor *wo = a.wo, *w = ul_wt(b, UL_ROLE_ATTN_GATE, il), *gate;
    int64_t n_head = b->model->layer[il].n_head;
    a.wo = a.wo_s = NULL;
    struct ul_tensor *cur = ul_attn_block(b, &in->attn, &a, il);
    if (w && by_head) {
        gate = ulg_sigmoid(g, ulg_reshape_3d(g, ulg_mul_mat(g, w, x), 1, n_head, b->n_tokens));
        cur = ulg_mul(g, ulg_reshape_3d(g, cur, l.head_v, n_head, b->n_tokens), gate);
        cur = ulg_cont_2d(g, cur, l.head_v * n_head, b->n_tokens);
    } else if (w) {
        cur = ulg_mul(g, cur, ulg_sigmoid(g, ulg_mul_mat(g, w, x)));
    }
    return ul_cb(b, ul_mm(b, wo, cur, NULL), "mla_out", il);
}

/* --- kimi-linear, bailingmoe3 ----------------------------------------------------------------- */

static struct ul_tensor *plain_latent(struct ul_build *b, const struct inputs *in,
                                      struct ul_tensor *x, int il)
{
    struct ul_latent l = ul_latent_of(b->model, false, il);
    struct ul_attn a = latent_attn(b, &l, x, il);
    return ul_cb(b, ul_attn_block(b, &in->attn, &a, il), "mla_out", il);
}

/* `ling`: queries and keys are rotated, attention is gated, the norm is not expanded at once. */
static int linear_hybrid(struct ul_build *b, bool ling)
{
    const struct ul_model *m = b->model;
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct inputs in = make_inputs(b);
    for (int il = 0; il < (int)m->n_layer; il++) {
        struct ul_tensor *cur = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
        ul_cb(b, cur, "attn_norm", il);
        if (!ling)
            ul_expand(b, cur);
        if (m->layer[il].is_recr)
            cur = ul_kda_block(b, &in.rs, ling ? &ling_form : &kimi_form, cur, il);
        else
            cur = ling ? gated_latent(b, &in, true, true, cur, il) : plain_latent(b, &in, cur, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_cb(b, ulg_add(g, cur, ul_last_rows(b, x, il)), "ffn_inp", il);
        cur = ul_cb(b, ul_norm_of(b, x, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "ffn_norm", il);
        x = ul_cb(b, ulg_add(g, ul_latent_ffn(b, cur, false, il), x), "l_out", il);
    }
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}

/* Seen in the pinned engine: when the largest batch is no multiple of the sequences and has to be
 * made one, and they have caches of their own, ggml_can_repeat fails in this graph and the process
 * ends. */
int ul_prog_kimi_linear(struct ul_build *b)
{
    const struct ul_cparams *c = b->cparams;
    uint32_t largest = c->n_ctx < c->n_ubatch ? c->n_ctx : c->n_ubatch;
    if (!c->kv_unified && largest % c->n_seq_max != 0 && b->graph->bad == NULL)
        b->graph->bad = "the engine aborts: the micro-batch is no multiple of the slots";
    return linear_hybrid(b, false);
}

int ul_prog_bailingmoe3(struct ul_build *b)
{
    return linear_hybrid(b, true);
}

/* --- kimi-k3 ---------------------------------------------------------------------------------- */

/* The streams at the checkpoints so far, [n_embd, checkpoints, tokens]; NULL before the first. */
struct stack {
    struct ul_tensor *t;
};

static void push(struct ul_build *b, struct stack *s, struct ul_tensor *x)
{
    x = ulg_reshape_3d(b->graph, x, b->model->n_embd, 1, b->n_tokens);
    s->t = s->t ? ulg_concat(b->graph, s->t, x, 1) : x;
}

static struct ul_tensor *score(struct ul_build *b, struct ul_tensor *x, struct ul_tensor *w)
{
    return ulg_sum_rows(b->graph, ulg_mul(b->graph, ulg_rms_norm(b->graph, x), w));
}

/* Attention over the checkpoints and the stream itself: a weighted sum of them (res_mix). */
static struct ul_tensor *mix(struct ul_build *b, const struct stack *s, struct ul_tensor *x,
                             enum ul_role role, int il)
{
    struct ul_graph *g = b->graph;
    if (s->t == NULL)
        return x;
    struct ul_tensor *w = ul_wt_needed(b, role, il);
    int64_t n = s->t->ne[1];
    struct ul_tensor *before = ulg_reshape_2d(g, score(b, s->t, w), n, b->n_tokens);
    struct ul_tensor *probs = ulg_soft_max(g, ulg_concat(g, before, score(b, x, w), 0));
    ul_cb(b, probs, "res_probs", il);
    struct ul_tensor *p = ulg_cont(g, ulg_view_2d(g, probs, n, b->n_tokens, probs->nb[1], 0));
    struct ul_tensor *out = ulg_dsv4_hc_pre(g, s->t, p);
    p = ulg_cont(g,
                 ulg_view_2d(g, probs, 1, b->n_tokens, probs->nb[1], probs->nb[0] * (uint64_t)n));
    return ulg_add(g, out, ulg_mul(g, x, p));
}

static struct ul_tensor *situ_ffn(struct ul_build *b, struct ul_tensor *cur, const struct ul_ffn *f)
{
    struct ul_tensor *gate = ul_mm(b, f->gate, cur, NULL), *up = ul_mm(b, f->up, cur, NULL);
    cur = ul_situ(b, gate, up, b->model->situ_linear_beta > 0.0f);
    return ul_mm(b, f->down, cur, NULL);
}

/* Experts over a narrower vector than the router and the shared expert see. */
static struct ul_tensor *latent_experts(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *down = ul_wt(b, UL_ROLE_FFN_ROUTED_DOWN, il);
    struct ul_tensor *up = ul_wt(b, UL_ROLE_FFN_ROUTED_UP, il);
    struct ul_moe e = ul_moe_of(b, UL_FFN_SITU, il);
    struct ul_ffn f = ul_ffn_shexp_of(b, UL_FFN_SITU, il);
    e.probs_in = ul_cb(b, ul_mm(b, e.gate_inp, x, NULL), "ffn_moe_logits", il);
    e.gate_inp_b = NULL;
    e.situ_linear = b->model->situ_linear_beta > 0.0f;
    struct ul_tensor *out = ul_moe_block(b, down ? ulg_mul_mat(g, down, x) : x, &e, il);
    if (ul_wt(b, UL_ROLE_FFN_ROUTED_NORM, il))
        out = ul_norm_of(b, out, UL_ROLE_FFN_ROUTED_NORM, UL_NORM_RMS, il);
    if (up)
        out = ulg_mul_mat(g, up, out);
    return f.gate ? ulg_add(g, out, ul_cb(b, situ_ffn(b, x, &f), "ffn_shexp", il)) : out;
}

static struct ul_tensor *k3_ffn(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_SITU, false, il);
    cur =
        il < (int)b->model->n_layer_dense_lead ? situ_ffn(b, cur, &f) : latent_experts(b, cur, il);
    return ul_cb(b, cur, "ffn_out", il);
}

static struct ul_tensor *k3_layer(struct ul_build *b, struct ul_tensor *x, const struct inputs *in,
                                  struct stack *s, int il)
{
    const struct ul_model *m = b->model;
    uint32_t step = m->attn_res_block_size;
    struct ul_tensor *cur = mix(b, s, x, UL_ROLE_ATTN_RES_SCORE, il);
    bool banked = step > 0 && (uint32_t)il % step == 0;
    if (banked)
        push(b, s, x);
    cur = ul_cb(b, ul_norm_of(b, cur, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il), "attn_norm", il);
    ul_expand(b, cur);
    cur = m->layer[il].is_recr ? ul_kda_block(b, &in->rs, &k3_form, cur, il)
                               : gated_latent(b, in, false, false, cur, il);
    x = ul_cb(b, banked ? cur : ulg_add(b->graph, x, cur), "prefix_sum_attn", il);
    cur = mix(b, s, x, UL_ROLE_FFN_RES_SCORE, il);
    cur = ul_cb(b, ul_norm_of(b, cur, UL_ROLE_FFN_NORM, UL_NORM_RMS, il), "ffn_norm", il);
    return ul_cb(b, ulg_add(b->graph, x, k3_ffn(b, cur, il)), "l_out", il);
}

int ul_prog_kimi_k3(struct ul_build *b)
{
    struct stack s = {0};
    struct ul_tensor *x = ul_inp_embd(b);
    struct inputs in = make_inputs(b);
    for (int il = 0; il < (int)b->model->n_layer; il++)
        x = k3_layer(b, x, &in, &s, il);
    x = mix(b, &s, x, UL_ROLE_OUTPUT_RES_SCORE, -1);
    x = ulg_get_rows(b->graph, x, ul_inp_out_ids(b));
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}
