/* Kimi's delta attention: a delta net whose queries, keys and values each pass a short convolution
 * with a state of its own. Sources: src/models/kimi-linear.cpp, kimi-k3.cpp, bailingmoe3.cpp. What
 * differs between them is in the file: whether the decay and the gate are made in one step or two,
 * and whether the decay has a lower bound. */
#include "arch/latent.h"

struct kda {
    int64_t head, n_head, inner; /* length of a head, heads, all of them */
    int64_t taps;                /* the convolution's state: so many tokens before */
    struct ul_tensor *all, *mine; /* the states of all cells, and of the batch */
};

/* Puts the last tokens of the batch into one third of the state, once a snapshot. */
static void keep_taps(struct ul_build *b, const struct kda *k, struct ul_tensor *x, int third)
{
    struct ul_graph *g = b->graph;
    uint64_t size = k->all->nb[0], part = (uint64_t)(k->taps * k->inner), all = 3 * part * size;
    int64_t slots = (int64_t)b->cparams->n_rs_seq + 1;
    for (int64_t i = 0; i < slots && i < b->n_seq_tokens; i++) {
        uint64_t from = (uint64_t)(x->ne[0] - k->taps - i) * x->nb[0];
        uint64_t to = (uint64_t)i * b->memory->state.size * all + (uint64_t)third * part * size;
        struct ul_tensor *last =
            ulg_view_3d(g, x, k->taps, k->inner, b->n_seqs, x->nb[1], x->nb[2], from);
        ul_expand(b, ulg_cpy(g, last, ulg_view_3d(g, k->all, k->taps, k->inner, b->n_seqs,
                                                  (uint64_t)k->taps * size, all, to)));
    }
}

/* One of queries, keys and values: projected, convolved, activated, by head. */
static struct ul_tensor *convolved(struct ul_build *b, const struct kda *k, struct ul_tensor *cur,
                                   int third, int il)
{
    static const enum ul_role weight[3] = {UL_ROLE_ATTN_Q, UL_ROLE_ATTN_K, UL_ROLE_ATTN_V};
    static const enum ul_role kernel[3] = {UL_ROLE_SSM_CONV1D_Q, UL_ROLE_SSM_CONV1D_K,
                                           UL_ROLE_SSM_CONV1D_V};
    struct ul_graph *g = b->graph;
    uint64_t size = k->mine->nb[0], part = (uint64_t)(k->taps * k->inner);
    struct ul_tensor *before = ulg_view_3d(g, k->mine, k->taps, k->inner, b->n_seqs,
                                           (uint64_t)k->taps * size, 3 * part * size,
                                           (uint64_t)third * part * size);
    struct ul_tensor *x = ul_mm(b, ul_wt(b, weight[third], il), cur, NULL);
    x = ulg_reshape_3d(g, x, k->inner, b->n_seq_tokens, b->n_seqs);
    x = ulg_concat(g, before, ulg_transpose(g, x), 0);
    keep_taps(b, k, x, third);
    struct ul_tensor *w = ul_wt_needed(b, kernel[third], il);
    x = ulg_ssm_conv(g, x, ulg_reshape_2d(g, w, k->taps + 1, k->inner));
    x = ulg_silu(g, ulg_reshape_2d(g, x, k->inner, b->n_tokens));
    return ulg_reshape_4d(g, x, k->head, k->n_head, b->n_seq_tokens, b->n_seqs);
}

/* How much of the state each token forgets. A lower bound is another activation, not a limit; only
 * files that make the decay in two steps store it with the other sign. */
static struct ul_tensor *decay(struct ul_build *b, const struct kda *k, struct ul_tensor *cur,
                               int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *second = ul_wt(b, UL_ROLE_SSM_F_B, il);
    struct ul_tensor *bias = ul_wt_bias(b, UL_ROLE_SSM_DT, il);
    struct ul_tensor *a =
        ulg_reshape_3d(g, ul_wt_needed(b, UL_ROLE_SSM_A_NOSCAN, il), 1, k->n_head, 1);
    bool bounded = b->model->kda_gate_lower_bound < 0.0f;
    struct ul_tensor *t = ul_mm(b, ul_wt(b, UL_ROLE_SSM_F_A, il), cur, NULL);
    if (second)
        t = ulg_mul_mat(g, second, t);
    t = ul_add_opt(b, t, bias);
    if (!bounded)
        t = ulg_softplus(g, t);
    t = ulg_mul(g, ulg_reshape_3d(g, t, k->head, k->n_head, b->n_tokens), a);
    if (bounded && second)
        t = ulg_scale(g, t);
    if (bounded)
        t = ulg_scale(g, ulg_sigmoid(g, t));
    return ulg_reshape_4d(g, t, k->head, k->n_head, b->n_seq_tokens, b->n_seqs);
}

static struct ul_tensor *gate(struct ul_build *b, const struct kda *k, struct ul_tensor *cur,
                              bool by_seqs, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *one = ul_wt(b, UL_ROLE_SSM_G, il), *second = ul_wt(b, UL_ROLE_SSM_G_B, il);
    if (by_seqs) {
        cur = ulg_reshape_3d(g, cur, cur->ne[0], b->n_seq_tokens, b->n_seqs);
        cur = ulg_reshape_2d(g, cur, cur->ne[0], b->n_tokens);
    }
    struct ul_tensor *t = ul_mm(b, one ? one : ul_wt(b, UL_ROLE_SSM_G_A, il), cur, NULL);
    if (second)
        t = ulg_mul_mat(g, second, t);
    return ulg_sigmoid(g, ulg_reshape_3d(g, t, k->head, k->n_head, b->n_tokens));
}

/* The net; its new state goes into `all`. */
static struct ul_tensor *net(struct ul_build *b, const struct ul_delta *d, struct ul_tensor *all,
                             bool one_row)
{
    struct ul_tensor *state, *out;
    int64_t n = (int64_t)ul_n_embd_s(b->model) * b->n_seqs;
    if (!one_row)
        return ul_delta_block(b, d, all);
    out = ul_delta_net(b, d, &state);
    ul_expand(b, ulg_cpy(b->graph, state, ulg_view_1d(b->graph, all, n, 0)));
    return out;
}

struct ul_tensor *ul_kda_block(struct ul_build *b, const struct ul_rs_inp *rs,
                               const struct ul_kda_form *form, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct ul_state_layer *s = ul_state_of(b, il);
    struct kda k = {.head = m->n_embd_head_kda, .n_head = m->layer[0].n_head,
                    .taps = (int64_t)m->ssm_d_conv - 1, .all = s->r};
    k.inner = k.head * k.n_head;
    k.mine = ul_rs_block(b, rs, s->r, (int64_t)ul_n_embd_r(m));
    struct ul_delta d;
    d.q = convolved(b, &k, cur, 0, il);
    d.k = convolved(b, &k, cur, 1, il);
    d.v = convolved(b, &k, cur, 2, il);
    d.g = decay(b, &k, cur, il);
    d.beta = ul_mm(b, ul_wt(b, UL_ROLE_SSM_BETA, il), cur, NULL);
    d.beta = ulg_sigmoid(g, ulg_reshape_4d(g, d.beta, 1, k.n_head, b->n_seq_tokens, b->n_seqs));
    d.state = ul_rs_block(b, rs, s->s, (int64_t)ul_n_embd_s(m));
    d.state = ulg_reshape_4d(g, d.state, k.head, k.head, k.n_head, b->n_seqs);
    d.q = ul_l2_norm(b, d.q);
    d.k = ul_l2_norm(b, d.k);
    struct ul_tensor *out = ulg_cont(g, net(b, &d, s->s, form->one_row));
    out = ulg_reshape_3d(g, out, k.head, k.n_head, b->n_tokens);
    out = ul_norm_of(b, out, UL_ROLE_SSM_NORM, UL_NORM_RMS, il);
    out = ulg_mul(g, out, gate(b, &k, cur, form->by_seqs, il));
    out = ulg_cont_2d(g, out, k.inner, b->n_tokens);
    return ul_cb(b, ul_mm(b, ul_wt(b, UL_ROLE_ATTN_OUT, il), out, NULL), "kda_out", il);
}
