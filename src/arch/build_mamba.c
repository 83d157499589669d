/* State space layers: Mamba's selective scan, Mamba-2's with heads and groups. A layer keeps the
 * last columns of its convolution's input (R) and the scan's state (S). Source:
 * src/models/mamba-base.cpp (build_mamba_layer, build_mamba2_layer). Where the pinned engine puts
 * copies and reshapes elsewhere than the source that was read, the recorded graphs are followed. */
#include "arch/build.h"

/* Snapshots of the states that are kept for rolling back rejected drafts: one, and one for each
 * token of a draft (n_rs_seq). */
static int64_t snapshots(const struct ul_build *b)
{
    return (int64_t)b->cparams->n_rs_seq + 1;
}

static int64_t min_i64(int64_t a, int64_t c)
{
    return a < c ? a : c;
}

/* x in the shape [width, tokens of a sequence, sequences] */
static struct ul_tensor *by_sequence(struct ul_build *b, struct ul_tensor *x)
{
    return ulg_reshape_3d(b->graph, x, x->ne[0], b->n_seq_tokens, b->n_seqs);
}

/* The convolution's state before this batch, [columns, channels, sequences]. */
static struct ul_tensor *conv_state(struct ul_build *b, const struct ul_rs_inp *inp,
                                    int64_t channels, int il)
{
    const struct ul_model *m = b->model;
    struct ul_tensor *t = ul_rs_block(b, inp, ul_state_of(b, il)->r, (int64_t)ul_n_embd_r(m));
    return ulg_reshape_3d(b->graph, t, (int64_t)m->ssm_d_conv - 1, channels, b->n_seqs);
}

/* The convolution over the state followed by the batch, its bias and its activation. */
static struct ul_tensor *convolve(struct ul_build *b, struct ul_tensor *conv_x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ulg_ssm_conv(g, conv_x, ul_wt(b, UL_ROLE_SSM_CONV1D, il));
    x = ul_add_opt(b, x, ul_wt_bias(b, UL_ROLE_SSM_CONV1D, il));
    return ulg_silu(g, x);
}

struct ul_tensor *ul_scan_block(struct ul_build *b, const struct ul_rs_inp *inp,
                                const struct ul_scan *s, int il)
{
    struct ul_graph *g = b->graph;
    int64_t size = (int64_t)ul_n_embd_s(b->model), d_state = b->model->ssm_d_state;
    struct ul_tensor *all = ul_state_of(b, il)->s;
    struct ul_tensor *states = ul_rs_clear(b, all, size);
    struct ul_tensor *ssm = ulg_reshape_4d(g, states, d_state, s->head_dim, s->n_head, all->ne[1]);
    struct ul_tensor *const in[7] = {ssm, s->x, s->dt, s->A, s->B, s->C, inp->main};
    struct ul_tensor *y = ulg_ssm_scan(g, in, s->k);
    ul_expand(b, y);
    ul_rs_copy_extra(b, inp, all, states, size);
    return y;
}

/* --- Mamba ------------------------------------------------------------------------------------ */

/* Time steps, input and output matrices, from one product with x. Some models norm the three. */
static void project_dt_b_c(struct ul_build *b, struct ul_scan *s, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t d_state = m->ssm_d_state, rank = m->ssm_dt_rank, n = b->n_seq_tokens;
    struct ul_tensor *t = ulg_mul_mat(g, ul_wt(b, UL_ROLE_SSM_X, il), x);
    struct ul_tensor *dt_norm = ul_wt(b, UL_ROLE_SSM_DT_NORM, il);
    struct ul_tensor *b_norm = ul_wt(b, UL_ROLE_SSM_B_NORM, il),
                     *c_norm = ul_wt(b, UL_ROLE_SSM_C_NORM, il);
    uint64_t one = t->nb[0], row = (uint64_t)d_state * one;
    s->dt = ulg_view_3d(g, t, rank, n, b->n_seqs, t->nb[1], t->nb[2], 0);
    s->B =
        ulg_view_4d(g, t, d_state, 1, n, b->n_seqs, row, t->nb[1], t->nb[2], one * (uint64_t)rank);
    s->C = ulg_view_4d(g, t, d_state, 1, n, b->n_seqs, row, t->nb[1], t->nb[2],
                       one * (uint64_t)(rank + d_state));
    if (m->ssm_dt_b_c_rms || (dt_norm && b_norm && c_norm)) {
        s->dt = ul_norm_block(b, s->dt, dt_norm, NULL, UL_NORM_RMS, il);
        s->B = ul_norm_block(b, s->B, b_norm, NULL, UL_NORM_RMS, il);
        s->C = ul_norm_block(b, s->C, c_norm, NULL, UL_NORM_RMS, il);
    } else {
        s->dt = ulg_cont(g, s->dt);
    }
    s->dt = ulg_mul_mat(g, ul_wt(b, UL_ROLE_SSM_DT, il), s->dt);
    s->dt = ul_add_opt(b, s->dt, ul_wt_bias(b, UL_ROLE_SSM_DT, il));
}

struct ul_tensor *ul_mamba_block(struct ul_build *b, const struct ul_rs_inp *inp,
                                 struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t d_inner = m->ssm_d_inner, n = b->n_seq_tokens, n_seqs = b->n_seqs,
            tail = m->ssm_d_conv - 1;
    struct ul_state_layer *st = ul_state_of(b, il);
    struct ul_tensor *conv = conv_state(b, inp, d_inner, il);
    struct ul_tensor *xz = ul_mm(b, ul_wt(b, UL_ROLE_SSM_IN, il), by_sequence(b, cur),
                                 ul_wt_scale(b, UL_ROLE_SSM_IN, il));
    struct ul_tensor *x = ulg_view_3d(g, xz, d_inner, n, n_seqs, xz->nb[1], xz->nb[2], 0);
    struct ul_tensor *z = ulg_view_3d(g, xz, d_inner, n, n_seqs, xz->nb[1], xz->nb[2],
                                      (uint64_t)d_inner * xz->nb[0]);
    struct ul_tensor *conv_x = ulg_concat(g, conv, ulg_transpose(g, x), 0);
    struct ul_tensor *last = ulg_view_3d(g, conv_x, tail, d_inner, n_seqs, conv_x->nb[1],
                                         conv_x->nb[2], (uint64_t)n * conv_x->nb[0]);
    ul_expand(b, ulg_cpy(g, last, ulg_view_1d(g, st->r, tail * d_inner * n_seqs, 0)));
    cur = convolve(b, conv_x, il);
    struct ul_scan s = {.head_dim = 1, .n_head = d_inner, .k = 1, .A = ul_wt(b, UL_ROLE_SSM_A, il)};
    project_dt_b_c(b, &s, cur, il);
    s.x = x = ulg_reshape_4d(g, cur, 1, d_inner, n, n_seqs);
    struct ul_tensor *y = ul_scan_block(b, inp, &s, il);
    int64_t size = (int64_t)m->ssm_d_state * d_inner * n_seqs;
    struct ul_tensor *new_state = ulg_view_1d(g, y, size, x->nb[3] * (uint64_t)x->ne[3]);
    ul_expand(b, ulg_cpy(g, new_state, ulg_view_1d(g, st->s, size, 0)));
    y = ulg_view_3d(g, y, d_inner, n, n_seqs, x->nb[2], x->nb[3], 0);
    y = ulg_add(g, y, ulg_mul(g, cur, ul_wt(b, UL_ROLE_SSM_D, il)));
    y = ulg_swiglu_split(g, ulg_cont(g, z), y);
    cur = ul_mm(b, ul_wt(b, UL_ROLE_SSM_OUT, il), y, ul_wt_scale(b, UL_ROLE_SSM_OUT, il));
    return ulg_reshape_2d(g, cur, cur->ne[0], n * n_seqs);
}

/* --- Mamba-2 ---------------------------------------------------------------------------------- */

struct mamba2 {
    int64_t d_inner, d_state, n_group, n_head, head_dim, channels;
    struct ul_tensor *z, *xBC, *dt;
};

/* The input projection and its parts: gate, convolved part, time steps. */
static struct mamba2 project_in(struct ul_build *b, struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct mamba2 p = {.d_inner = m->ssm_d_inner,
                       .d_state = m->ssm_d_state,
                       .n_group = m->ssm_n_group,
                       .n_head = m->ssm_dt_rank,
                       .head_dim = m->ssm_d_inner / m->ssm_dt_rank};
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs;
    p.channels = p.d_inner + 2 * p.n_group * p.d_state;
    struct ul_tensor *t =
        ul_mm(b, ul_wt(b, UL_ROLE_SSM_IN, il), cur, ul_wt_scale(b, UL_ROLE_SSM_IN, il));
    t = by_sequence(b, t);
    uint64_t one = t->nb[0];
    p.z = ulg_view_4d(g, t, p.head_dim, p.n_head, n, n_seqs, (uint64_t)p.head_dim * one, t->nb[1],
                      t->nb[2], 0);
    p.xBC = ulg_view_3d(g, t, p.channels, n, n_seqs, t->nb[1], t->nb[2], (uint64_t)p.d_inner * one);
    p.dt = ulg_view_3d(g, t, p.n_head, n, n_seqs, t->nb[1], t->nb[2],
                       (uint64_t)(p.d_inner + p.channels) * one);
    return p;
}

/* Keeps the last columns of the convolution's input, and those before them for rolling back. */
static void store_conv(struct ul_build *b, struct ul_tensor *conv_x, int64_t channels, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *all = ul_state_of(b, il)->r;
    int64_t tail = b->model->ssm_d_conv - 1, n = b->n_seq_tokens;
    uint64_t row = ul_row_bytes(all->type, (uint64_t)(tail * channels));
    for (int64_t slot = 0; slot < min_i64(n, snapshots(b)); slot++) {
        struct ul_tensor *last = ulg_view_3d(g, conv_x, tail, channels, b->n_seqs, conv_x->nb[1],
                                             conv_x->nb[2], (uint64_t)(n - slot) * conv_x->nb[0]);
        uint64_t at = (uint64_t)slot * b->memory->state.size * row;
        ul_expand(
            b, ulg_cpy(g, last, ulg_view_2d(g, all, tail * channels, b->n_seqs, all->nb[1], at)));
    }
}

/* The scan's states, behind its result, go back to the cache. */
static void store_states(struct ul_build *b, struct ul_tensor *y, const struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *all = ul_state_of(b, il)->s;
    int64_t size = (int64_t)b->model->ssm_d_state * b->model->ssm_d_inner, n_seqs = b->n_seqs;
    int64_t n_written = min_i64(b->n_seq_tokens, snapshots(b));
    uint64_t row = ul_row_bytes(all->type, (uint64_t)size),
             y_row = ul_row_bytes(y->type, (uint64_t)size);
    struct ul_tensor *from =
        ulg_view_3d(g, y, size, n_seqs, n_written, y_row, y_row * (uint64_t)n_seqs,
                    (uint64_t)ul_tensor_elements(x) * sizeof(float));
    ul_expand(b, ulg_cpy(g, from, ulg_view_3d(g, all, size, n_seqs, n_written, all->nb[1],
                                              b->memory->state.size * row, 0)));
}

struct ul_tensor *ul_mamba2_block(struct ul_build *b, const struct ul_rs_inp *inp,
                                  struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs;
    int64_t channels = (int64_t)m->ssm_d_inner + 2 * (int64_t)m->ssm_n_group * m->ssm_d_state;
    struct ul_tensor *conv = conv_state(b, inp, channels, il);
    struct mamba2 p = project_in(b, cur, il);
    struct ul_tensor *conv_x = ulg_concat(g, conv, ulg_transpose(g, p.xBC), 0);
    store_conv(b, conv_x, channels, il);
    struct ul_tensor *t = convolve(b, conv_x, il);
    uint64_t one = t->nb[0], head = (uint64_t)p.head_dim * one, state = (uint64_t)p.d_state * one;
    struct ul_scan s = {.head_dim = p.head_dim, .n_head = p.n_head, .k = snapshots(b),
                     .A = ul_wt(b, UL_ROLE_SSM_A, il)};
    s.x = ulg_view_4d(g, t, p.head_dim, p.n_head, n, n_seqs, head, t->nb[1], t->nb[2], 0);
    s.B = ulg_view_4d(g, t, p.d_state, p.n_group, n, n_seqs, state, t->nb[1], t->nb[2],
                      (uint64_t)p.d_inner * one);
    s.C = ulg_view_4d(g, t, p.d_state, p.n_group, n, n_seqs, state, t->nb[1], t->nb[2],
                      (uint64_t)(p.d_inner + p.n_group * p.d_state) * one);
    s.dt = ulg_add(g, ulg_cont(g, p.dt), ul_wt_bias(b, UL_ROLE_SSM_DT, il));
    struct ul_tensor *y = ul_scan_block(b, inp, &s, il);
    store_states(b, y, s.x, il);
    uint64_t token = (uint64_t)p.n_head * head;
    y = ulg_view_4d(g, y, p.head_dim, p.n_head, n, n_seqs, head, token, (uint64_t)n * token, 0);
    y = ul_cb(b, ulg_add(g, y, ulg_mul(g, s.x, ul_wt(b, UL_ROLE_SSM_D, il))), "mamba2_y_add_d", il);
    y = ulg_swiglu_split(g, ulg_cont(g, p.z), y);
    if (ul_wt(b, UL_ROLE_SSM_NORM, il)) {
        y = ulg_reshape_4d(g, y, p.d_inner / p.n_group, p.n_group, n, n_seqs);
        y = ul_norm_block(b, y, ul_wt(b, UL_ROLE_SSM_NORM, il), NULL, UL_NORM_RMS, il);
    }
    y = ulg_reshape_2d(g, y, p.d_inner, n * n_seqs);
    cur = ul_mm(b, ul_wt(b, UL_ROLE_SSM_OUT, il), y, ul_wt_scale(b, UL_ROLE_SSM_OUT, il));
    return ul_cb(b, cur, "mamba_out", il);
}
