/* Layer programs of RWKV 6 and 7, and of ordinary models whose attention was replaced by theirs
 * (rwkv6qwen2, arwkv7). Time mixing keeps a matrix a head (S) and, like channel mixing, the last
 * token's input (R), with which each token's input is mixed. Sources: src/models/rwkv6-base.cpp,
 * rwkv7-base.cpp, rwkv6.cpp, rwkv6qwen2.cpp, rwkv7.cpp, arwkv7.cpp; src/llama-graph.cpp
 * (build_rwkv_token_shift_load, build_rwkv_token_shift_store). */
#include "arch/build.h"
#include "arch/rows.h"

/* The state's length of a head, and how many heads there are. */
struct wkv {
    int64_t size, n_head;
};

static struct wkv heads_of(const struct ul_model *m)
{
    return (struct wkv){.size = m->wkv_head_size, .n_head = m->n_embd / m->wkv_head_size};
}

static struct ul_tensor *mm(struct ul_build *b, enum ul_role role, struct ul_tensor *cur, int il)
{
    return ulg_mul_mat(b->graph, ul_wt(b, role, il), cur);
}

/* [head, heads, tokens] */
static struct ul_tensor *by_head(struct ul_build *b, struct ul_tensor *t)
{
    struct wkv h = heads_of(b->model);
    return ulg_reshape_3d(b->graph, t, h.size, h.n_head, b->n_tokens);
}

/* --- token shift ------------------------------------------------------------------------------ */

static struct ul_tensor *load_shift(struct ul_build *b, const struct ul_rs_inp *inp, int il)
{
    const struct ul_model *m = b->model;
    struct ul_tensor *t = ul_rs_block(b, inp, ul_state_of(b, il)->r, (int64_t)ul_n_embd_r(m));
    return ulg_reshape_3d(b->graph, t, m->n_embd, m->token_shift_count, b->n_seqs);
}

static void store_shift(struct ul_build *b, struct ul_tensor *shift, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t from = (int64_t)m->n_embd * b->n_seqs * m->token_shift_count;
    struct ul_tensor *to =
        ulg_view_1d(g, ul_state_of(b, il)->r, (int64_t)ul_n_embd_r(m) * b->n_seqs, 0);
    ul_expand(b, ulg_cpy(g, ulg_view_1d(g, shift, from, 0), to));
}

/* One of the inputs kept: attention's is the first, channel mixing's the second. */
static struct ul_tensor *kept(struct ul_build *b, struct ul_tensor *shift, int i)
{
    return ulg_view_3d(b->graph, shift, b->model->n_embd, 1, b->n_seqs, shift->nb[1], shift->nb[2],
                       (uint64_t)i * b->model->n_embd * shift->nb[0]);
}

/* Each token's predecessor: what was kept, then all but the last. */
static struct ul_tensor *previous(struct ul_build *b, struct ul_tensor *shift, struct ul_tensor *x)
{
    struct ul_tensor *rest = ulg_view_3d(b->graph, x, b->model->n_embd, b->n_seq_tokens - 1,
                                         b->n_seqs, x->nb[1], x->nb[2], 0);
    return ulg_concat(b->graph, shift, rest, 1);
}

static struct ul_tensor *last_token(struct ul_build *b, struct ul_tensor *x)
{
    uint64_t at = (uint64_t)(b->n_seq_tokens - 1) * b->model->n_embd * x->nb[0];
    return ulg_view_3d(b->graph, x, b->model->n_embd, 1, b->n_seqs, x->nb[1], x->nb[2], at);
}

/* --- what both generations' time mixing share ------------------------------------------------- */

/* One of the mixed inputs, which lie one behind the other. */
static struct ul_tensor *mixed(struct ul_build *b, struct ul_tensor *xxx, int i)
{
    int64_t n_embd = b->model->n_embd, n = b->n_tokens;
    return ulg_view_2d(b->graph, xxx, n_embd, n, xxx->nb[1],
                       (uint64_t)(i * n_embd * n) * sizeof(float));
}

/* The operation's result in two: the new state goes into the cache, the output is returned. */
static struct ul_tensor *split_result(struct ul_build *b, struct ul_tensor *t, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n_embd = b->model->n_embd, n = b->n_tokens, size = b->model->wkv_head_size;
    struct ul_tensor *out = ulg_view_1d(g, t, n_embd * n, 0);
    struct ul_tensor *state = ulg_view_1d(g, t, n_embd * size * b->n_seqs,
                                          (uint64_t)(n_embd * n) * sizeof(float));
    struct ul_tensor *to = ulg_view_1d(g, ul_state_of(b, il)->s,
                                       (int64_t)ul_n_embd_s(b->model) * b->n_seqs, 0);
    ul_expand(b, ulg_cpy(g, state, to));
    return out;
}

/* A norm within each head, with weights and biases over all of them. */
static struct ul_tensor *group_norm(struct ul_build *b, struct ul_tensor *t, int il)
{
    struct ul_graph *g = b->graph;
    t = ulg_norm(g, by_head(b, t));
    t = ulg_reshape_2d(g, t, b->model->n_embd, b->n_tokens);
    t = ulg_mul(g, t, ul_wt(b, UL_ROLE_TIME_MIX_LN, il));
    return ulg_add(g, t, ul_wt_bias(b, UL_ROLE_TIME_MIX_LN, il));
}

static struct ul_tensor *states(struct ul_build *b, const struct ul_rs_inp *inp, int il)
{
    return ul_rs_block(b, inp, ul_state_of(b, il)->s, (int64_t)ul_n_embd_s(b->model));
}

/* --- RWKV 6 ----------------------------------------------------------------------------------- */

enum { W6, K6, V6, R6, G6, N6 }; /* in the order in which the mixed inputs lie */

/* Each input is the token's mixed with its predecessor's, in proportions that depend on the token.
 * The proportions are one tensor in newer files, five in older ones. */
static void mix6(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *sx,
                 struct ul_tensor *x[N6], int il)
{
    static const enum ul_role lerp[N6] = {UL_ROLE_TIME_MIX_LERP_W, UL_ROLE_TIME_MIX_LERP_K,
                                          UL_ROLE_TIME_MIX_LERP_V, UL_ROLE_TIME_MIX_LERP_R,
                                          UL_ROLE_TIME_MIX_LERP_G};
    struct ul_graph *g = b->graph;
    int64_t n_embd = b->model->n_embd, n = b->n_tokens;
    struct ul_tensor *w1 = ul_wt(b, UL_ROLE_TIME_MIX_W1, il),
                     *w2 = ul_wt(b, UL_ROLE_TIME_MIX_W2, il);
    struct ul_tensor *fused = ul_wt(b, UL_ROLE_TIME_MIX_LERP_FUSED, il);
    struct ul_tensor *t = ulg_add(g, ulg_mul(g, sx, ul_wt(b, UL_ROLE_TIME_MIX_LERP_X, il)), cur);
    t = ulg_reshape_4d(g, ulg_tanh(g, ulg_mul_mat(g, w1, t)), w1->ne[1] / N6, 1, N6, n);
    t = ulg_cont(g, ulg_permute(g, t, 0, 1, 3, 2));
    t = ulg_mul_mat(g, ulg_reshape_4d(g, w2, w2->ne[0], w2->ne[1], 1, N6), t);
    if (fused) {
        sx = ulg_reshape_3d(g, sx, n_embd, 1, n);
        cur = ulg_reshape_3d(g, cur, n_embd, 1, n);
        t = ulg_add(g, ulg_mul(g, ulg_add(g, t, fused), sx), cur);
    }
    for (int i = 0; i < N6; i++) {
        x[i] = mixed(b, t, i);
        if (!fused)
            x[i] = ulg_add(g, ulg_mul(g, ulg_add(g, x[i], ul_wt(b, lerp[i], il)), sx), cur);
    }
}

/* Keys or values of fewer heads, each repeated (rwkv6qwen2). */
static struct ul_tensor *repeat_heads(struct ul_build *b, struct ul_tensor *t, int64_t n_kv)
{
    struct wkv h = heads_of(b->model);
    if (n_kv == 0 || n_kv == h.n_head)
        return t;
    t = ulg_reshape_4d(b->graph, t, h.size, 1, n_kv, b->n_tokens);
    return ulg_repeat_4d(b->graph, t, h.size, h.n_head / n_kv, n_kv, b->n_tokens);
}

static struct ul_tensor *biased(struct ul_build *b, enum ul_role role, struct ul_tensor *x, int il)
{
    return ul_add_opt(b, mm(b, role, x, il), ul_wt_bias(b, role, il));
}

static struct ul_tensor *decay6(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *w = ulg_tanh(g, mm(b, UL_ROLE_TIME_MIX_DECAY_W1, x, il));
    w = ulg_add(g, mm(b, UL_ROLE_TIME_MIX_DECAY_W2, w, il), ul_wt(b, UL_ROLE_TIME_MIX_DECAY, il));
    return by_head(b, ulg_exp(g, ulg_neg(g, ulg_exp(g, w))));
}

static struct ul_tensor *time_mix6(struct ul_build *b, const struct ul_rs_inp *inp,
                                   struct ul_tensor *cur, struct ul_tensor *prev, int il)
{
    struct ul_graph *g = b->graph;
    int64_t n_embd = b->model->n_embd, n = b->n_tokens, n_kv = b->model->layer[il].n_head_kv;
    struct ul_tensor *x[N6], *first = ul_wt(b, UL_ROLE_TIME_MIX_FIRST, il);
    struct ul_tensor *sx = ulg_reshape_2d(g, ulg_sub(g, prev, cur), n_embd, n);
    mix6(b, ulg_reshape_2d(g, cur, n_embd, n), sx, x, il);
    struct ul_tensor *r = by_head(b, biased(b, UL_ROLE_TIME_MIX_RECEPTANCE, x[R6], il));
    struct ul_tensor *k = biased(b, UL_ROLE_TIME_MIX_KEY, x[K6], il);
    struct ul_tensor *v = biased(b, UL_ROLE_TIME_MIX_VALUE, x[V6], il);
    struct ul_tensor *gate = mm(b, UL_ROLE_TIME_MIX_GATE, x[G6], il);
    gate = first ? ulg_silu(g, gate) : ulg_sigmoid(g, gate);
    k = by_head(b, repeat_heads(b, k, n_kv));
    v = by_head(b, repeat_heads(b, v, n_kv));
    struct ul_tensor *w = decay6(b, x[W6], il);
    if (first == NULL)
        k = ulg_sub(g, k, ulg_mul(g, k, w));
    struct ul_tensor *state = states(b, inp, il);
    struct ul_tensor *const six[6] = {k, v, r, first, w, state};
    struct ul_tensor *const gla[5] = {k, v, r, w, state};
    cur = split_result(b, first ? ulg_rwkv_wkv6(g, six) : ulg_gated_linear_attn(g, gla), il);
    cur = first ? group_norm(b, cur, il) : ulg_reshape_2d(g, cur, n_embd, n);
    cur = mm(b, UL_ROLE_TIME_MIX_OUTPUT, ulg_mul(g, cur, gate), il);
    return ulg_reshape_3d(g, cur, n_embd, b->n_seq_tokens, b->n_seqs);
}

static struct ul_tensor *lerp(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *sx,
                              enum ul_role role, int il)
{
    return ulg_add(b->graph, ulg_mul(b->graph, sx, ul_wt(b, role, il)), cur);
}

/* Both generations; the older one has a gate. */
static struct ul_tensor *channel_mix(struct ul_build *b, struct ul_tensor *cur,
                                     struct ul_tensor *prev, bool gated, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *sx = ulg_sub(g, prev, cur);
    struct ul_tensor *k = lerp(b, cur, sx, UL_ROLE_CHANNEL_MIX_LERP_K, il);
    struct ul_tensor *r = gated ? lerp(b, cur, sx, UL_ROLE_CHANNEL_MIX_LERP_R, il) : NULL;
    k = ulg_sqr(g, ulg_relu(g, mm(b, UL_ROLE_CHANNEL_MIX_KEY, k, il)));
    k = mm(b, UL_ROLE_CHANNEL_MIX_VALUE, k, il);
    if (r == NULL)
        return k;
    return ulg_mul(g, ulg_sigmoid(g, mm(b, UL_ROLE_CHANNEL_MIX_RECEPTANCE, r, il)), k);
}

/* --- RWKV 7 ----------------------------------------------------------------------------------- */

enum { R7, W7, K7, V7, A7, G7, N7 };

/* Two matrices of low rank, with the activation between them that `act` names, if any. */
static struct ul_tensor *low_rank(struct ul_build *b, struct ul_tensor *x, enum ul_role one,
                                  enum ul_role two, int act, int il)
{
    x = mm(b, one, x, il);
    if (act >= 0)
        x = ulg_unary(b->graph, x, (enum ul_unary)act);
    return mm(b, two, x, il);
}

/* Values move towards the first layer's. */
static struct ul_tensor *values7(struct ul_build *b, struct ul_tensor *x, struct ul_tensor **first,
                                 int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *v = mm(b, UL_ROLE_TIME_MIX_VALUE, x, il);
    if (*first == NULL)
        return *first = v;
    struct ul_tensor *t = low_rank(b, x, UL_ROLE_TIME_MIX_V1, UL_ROLE_TIME_MIX_V2, -1, il);
    t = ulg_sigmoid(g, ulg_add(g, t, ul_wt(b, UL_ROLE_TIME_MIX_V0, il)));
    return ulg_add(g, v, ulg_mul(g, ulg_sub(g, *first, v), t));
}

static struct ul_tensor *decay7(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *w =
        low_rank(b, x, UL_ROLE_TIME_MIX_W1, UL_ROLE_TIME_MIX_W2, UL_UNARY_TANH, il);
    w = ulg_sigmoid(g, ulg_add(g, w, ul_wt(b, UL_ROLE_TIME_MIX_W0, il)));
    return by_head(b, ulg_exp(g, ulg_scale(g, w)));
}

/* What the output gets besides the state's: the token's own value, weighted by head. */
static struct ul_tensor *bonus(struct ul_build *b, struct ul_tensor *k, struct ul_tensor *r,
                               struct ul_tensor *v, int il)
{
    struct ul_graph *g = b->graph;
    struct wkv h = heads_of(b->model);
    struct ul_tensor *r_k = ulg_reshape_2d(g, ul_wt(b, UL_ROLE_TIME_MIX_R_K, il), h.size, h.n_head);
    struct ul_tensor *rk = ulg_sum_rows(g, ulg_mul(g, ulg_mul(g, k, r), r_k));
    return ulg_reshape_2d(g, ulg_mul(g, v, rk), b->model->n_embd, b->n_tokens);
}

/* Each input is the token's mixed with its predecessor's, in fixed proportions. */
static struct ul_tensor *mix7(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *prev,
                              int64_t parts, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *sx = ulg_repeat_4d(g, ulg_sub(g, prev, cur), b->model->n_embd,
                                         b->n_seq_tokens, b->n_seqs, parts);
    return lerp(b, cur, sx, UL_ROLE_TIME_MIX_LERP_FUSED, il);
}

static struct ul_tensor *time_mix7(struct ul_build *b, const struct ul_rs_inp *inp,
                                   struct ul_tensor *cur, struct ul_tensor *prev,
                                   struct ul_tensor **first, int il)
{
    struct ul_graph *g = b->graph;
    bool gated = ul_wt(b, UL_ROLE_TIME_MIX_G1, il) && ul_wt(b, UL_ROLE_TIME_MIX_G2, il);
    struct ul_tensor *t = mix7(b, cur, prev, gated ? N7 : G7, il), *gate = NULL;
    struct ul_tensor *r = by_head(b, mm(b, UL_ROLE_TIME_MIX_RECEPTANCE, mixed(b, t, R7), il));
    struct ul_tensor *w = decay7(b, mixed(b, t, W7), il);
    struct ul_tensor *k = mm(b, UL_ROLE_TIME_MIX_KEY, mixed(b, t, K7), il);
    struct ul_tensor *v = by_head(b, values7(b, mixed(b, t, V7), first, il));
    if (gated)
        gate = low_rank(b, mixed(b, t, G7), UL_ROLE_TIME_MIX_G1, UL_ROLE_TIME_MIX_G2,
                        UL_UNARY_SIGMOID, il);
    struct ul_tensor *a =
        low_rank(b, mixed(b, t, A7), UL_ROLE_TIME_MIX_A1, UL_ROLE_TIME_MIX_A2, -1, il);
    a = ulg_sigmoid(g, ulg_add(g, a, ul_wt(b, UL_ROLE_TIME_MIX_A0, il)));
    struct ul_tensor *kk = by_head(b, ulg_mul(g, k, ul_wt(b, UL_ROLE_TIME_MIX_K_K, il)));
    kk = ulg_l2_norm(g, kk);
    struct ul_tensor *ka = ulg_mul(g, k, ul_wt(b, UL_ROLE_TIME_MIX_K_A, il));
    k = by_head(b, ulg_add(g, k, ulg_sub(g, ulg_mul(g, a, ka), ka)));
    a = by_head(b, a);
    struct ul_tensor *state = states(b, inp, il);
    struct ul_tensor *const in[7] = {r, w, k, v, ulg_neg(g, kk), ulg_mul(g, kk, a), state};
    cur = split_result(b, ulg_rwkv_wkv7(g, in), il);
    cur = ul_wt(b, UL_ROLE_TIME_MIX_LN, il) && ul_wt_bias(b, UL_ROLE_TIME_MIX_LN, il)
              ? group_norm(b, cur, il)
              : ulg_reshape_2d(g, cur, b->model->n_embd, b->n_tokens);
    cur = ulg_add(g, cur, bonus(b, k, r, v, il));
    cur = mm(b, UL_ROLE_TIME_MIX_OUTPUT, gated ? ulg_mul(g, cur, gate) : cur, il);
    return ulg_reshape_3d(g, cur, b->model->n_embd, b->n_seq_tokens, b->n_seqs);
}

/* --- the programs ----------------------------------------------------------------------------- */

static struct ul_tensor *time_mix(struct ul_build *b, const struct ul_rs_inp *inp,
                                  struct ul_tensor *cur, struct ul_tensor *prev,
                                  struct ul_tensor **first, bool seven, int il)
{
    return seven ? time_mix7(b, inp, cur, prev, first, il) : time_mix6(b, inp, cur, prev, il);
}

static struct ul_tensor *flat(struct ul_build *b, struct ul_tensor *t)
{
    return ulg_reshape_2d(b->graph, t, b->model->n_embd, b->n_tokens);
}

/* A layer of RWKV itself: time mixing, then channel mixing. */
static struct ul_tensor *rwkv_layer(struct ul_build *b, const struct ul_rs_inp *rs,
                                    struct ul_tensor *x, struct ul_tensor **first, bool seven,
                                    int il)
{
    struct ul_graph *g = b->graph;
    uint32_t every = b->model->rescale_every_n_layers;
    struct ul_tensor *shift = load_shift(b, rs, il);
    struct ul_tensor *n = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_LAYER, il);
    struct ul_tensor *cur = time_mix(b, rs, n, previous(b, kept(b, shift, 0), n), first, seven, il);
    struct ul_tensor *h = ul_cb(b, ulg_add(g, cur, x), "ffn_inp", il);
    struct ul_tensor *hn = ul_norm_of(b, h, UL_ROLE_ATTN_NORM_2, UL_NORM_LAYER, il);
    struct ul_tensor *prev = previous(b, kept(b, shift, 1), hn);
    store_shift(b, ulg_concat(g, last_token(b, n), last_token(b, hn), 1), il);
    h = ul_last_rows(b, flat(b, h), il);
    hn = ul_last_rows(b, flat(b, hn), il);
    prev = ul_last_rows(b, flat(b, prev), il);
    cur = ulg_add(g, channel_mix(b, hn, prev, !seven, il), h);
    if (!seven && every != 0 && (uint32_t)(il + 1) % every == 0)
        cur = ulg_scale(g, cur);
    return ul_cb(b, cur, "l_out", il);
}

/* A layer of a converted model: time mixing, then an ordinary feed-forward. */
static struct ul_tensor *converted_layer(struct ul_build *b, const struct ul_rs_inp *rs,
                                         struct ul_tensor *x, struct ul_tensor **first, bool seven,
                                         int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *shift = load_shift(b, rs, il);
    struct ul_tensor *n = ul_norm_of(b, x, UL_ROLE_ATTN_NORM, UL_NORM_RMS, il);
    struct ul_tensor *cur = time_mix(b, rs, n, previous(b, shift, n), first, seven, il);
    store_shift(b, last_token(b, n), il);
    struct ul_tensor *h = ul_cb(b, ulg_add(g, cur, x), "ffn_inp", il);
    h = ul_last_rows(b, flat(b, h), il);
    struct ul_ffn f = ul_ffn_of(b, UL_FFN_SILU, false, il);
    f.up_b = f.gate_b = f.down_b = NULL;
    cur = ul_norm_block(b, h, ul_wt(b, UL_ROLE_FFN_NORM, il), NULL, UL_NORM_RMS, il);
    cur = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
    return ul_cb(b, ulg_add(g, cur, h), "l_out", il);
}

static int build(struct ul_build *b, bool seven, bool converted)
{
    const struct ul_model *m = b->model;
    struct ul_tensor *x = ul_inp_embd(b), *first = NULL;
    if (m->wkv_head_size == 0 || m->n_embd % m->wkv_head_size != 0)
        return ULLAGE_ERROR_UNKNOWN;
    if (!converted)
        x = ul_norm_of(b, x, UL_ROLE_TOKEN_EMBD_NORM, UL_NORM_LAYER, 0);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    for (int il = 0; il < (int)m->n_layer; il++) {
        x = ulg_reshape_3d(b->graph, x, m->n_embd, b->n_seq_tokens, b->n_seqs);
        x = converted ? converted_layer(b, &rs, x, &first, seven, il)
                      : rwkv_layer(b, &rs, x, &first, seven, il);
    }
    ul_result_output(b, ul_result_norm(b, x, converted ? UL_NORM_RMS : UL_NORM_LAYER));
    return ULLAGE_OK;
}

int ul_prog_rwkv6(struct ul_build *b)
{
    return build(b, false, false);
}

int ul_prog_rwkv6qwen2(struct ul_build *b)
{
    return build(b, false, true);
}

int ul_prog_rwkv7(struct ul_build *b)
{
    return build(b, true, false);
}

int ul_prog_arwkv7(struct ul_build *b)
{
    return build(b, true, true);
}
