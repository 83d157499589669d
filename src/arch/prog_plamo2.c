/* The layer program of PLaMo-2: state space layers of its own kind and attention, each between two
 * norms. Source: src/models/plamo2.cpp; the pinned engine drops the last layer's rows right behind
 * the mixer, before the norm. */
#include "arch/build.h"
#include "arch/rows.h"

/* Fewest columns of the time steps' part (src/models/plamo2.cpp: dt_dim). */
#define MIN_DT_DIM 64

static struct ul_tensor *rms(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                             const char *name, int il)
{
    return ul_cb(b, ul_norm_block(b, cur, ul_wt(b, role, il), NULL, UL_NORM_RMS, il), name, il);
}

static struct ul_tensor *attention(struct ul_build *b, const struct ul_attn_inp *inp,
                                   struct ul_tensor *cur, int il)
{
    const struct ul_layer *l = &b->model->layer[il];
    int64_t head = ul_n_embd_head_k(b->model, (uint32_t)il),
            n_rot = ul_n_rot(b->model, (uint32_t)il);
    struct ul_qkv r = ul_qkv_block(b, cur, head, l->n_head, l->n_head_kv, il);
    r.q = ul_rope_block(b, rms(b, r.q, UL_ROLE_ATTN_Q_NORM, "Qcur_normed", il), NULL, n_rot);
    r.k = ul_rope_block(b, rms(b, r.k, UL_ROLE_ATTN_K_NORM, "Kcur_normed", il), NULL, n_rot);
    struct ul_attn a = {.q = r.q, .k = r.k, .v = r.v, .wo = ul_wt(b, UL_ROLE_ATTN_OUT, il),
                        .wo_s = ul_wt_scale(b, UL_ROLE_ATTN_OUT, il)};
    return ul_cb(b, ul_attn_block(b, inp, &a, il), "attn_out", il);
}

/* The input projection, by heads: each head's gate, then what is convolved. */
static struct ul_tensor *project_in(struct ul_build *b, struct ul_tensor *cur, int64_t head_dim,
                                    int64_t n_heads, int il)
{
    struct ul_graph *g = b->graph;
    cur = ulg_reshape_3d(g, cur, cur->ne[0], b->n_seq_tokens, b->n_seqs);
    cur = ul_cb(b, ulg_mul_mat(g, ul_wt(b, UL_ROLE_SSM_IN, il), cur), "mamba_in_proj", il);
    cur = ulg_permute(g, cur, 0, 2, 1, 3);
    cur = ulg_cont_4d(g, cur, head_dim * 2, n_heads, b->n_seq_tokens, b->n_seqs);
    return ul_cb(b, cur, "mamba_in_proj_out", il);
}

/* The convolution with its state. */
static struct ul_tensor *convolve(struct ul_build *b, struct ul_tensor *conv, struct ul_tensor *x,
                                  int il)
{
    struct ul_graph *g = b->graph;
    struct ul_state_layer *st = ul_state_of(b, il);
    int64_t tail = b->model->ssm_d_conv - 1, d_inner = b->model->ssm_d_inner, n_seqs = b->n_seqs;
    struct ul_tensor *conv_x = ulg_concat(g, conv, ulg_transpose(g, x), 0);
    ul_cb(b, conv_x, "mamba_conv1d_input", il);
    struct ul_tensor *last = ulg_view_3d(g, conv_x, tail, d_inner, n_seqs, conv_x->nb[1],
                                         conv_x->nb[2], (uint64_t)b->n_seq_tokens * conv_x->nb[0]);
    ul_expand(b, ulg_cpy(g, last, ulg_view_1d(g, st->r, tail * d_inner * n_seqs, 0)));
    x = ul_cb(b, ulg_ssm_conv(g, conv_x, ul_wt(b, UL_ROLE_SSM_CONV1D, il)), "mamba_conv1d", il);
    return ul_cb(b, ulg_silu(g, x), "mamba_conv1d_silu", il);
}

/* Input and output matrices and time steps, each with its norm. */
static void project_b_c_dt(struct ul_build *b, struct ul_scan *s, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    int64_t d_state = b->model->ssm_d_state, n = b->n_seq_tokens, n_seqs = b->n_seqs;
    int64_t dt_dim = b->model->n_embd / 16 > MIN_DT_DIM ? b->model->n_embd / 16 : MIN_DT_DIM;
    struct ul_tensor *t =
        ul_cb(b, ulg_mul_mat(g, ul_wt(b, UL_ROLE_SSM_X, il), x), "mamba_bcdt_proj", il);
    uint64_t row = (uint64_t)d_state * t->nb[0];
    s->B = ulg_view_3d(g, t, d_state, n, n_seqs, t->nb[1], t->nb[2], 0);
    s->C = ulg_view_3d(g, t, d_state, n, n_seqs, t->nb[1], t->nb[2], row);
    s->dt = ulg_view_3d(g, t, dt_dim, n, n_seqs, t->nb[1], t->nb[2], 2 * row);
    s->B = rms(b, s->B, UL_ROLE_SSM_B_NORM, "mamba_B_normed", il);
    s->C = rms(b, s->C, UL_ROLE_SSM_C_NORM, "mamba_C_normed", il);
    s->dt = rms(b, s->dt, UL_ROLE_SSM_DT_NORM, "mamba_dt_normed", il);
    s->dt = ulg_mul_mat(g, ul_wt(b, UL_ROLE_SSM_DT, il), s->dt);
    s->dt = ul_cb(b, ulg_add(g, s->dt, ul_wt_bias(b, UL_ROLE_SSM_DT, il)), "mamba_dt_proj", il);
    s->B = ulg_view_4d(g, s->B, d_state, 1, n, n_seqs, row, s->B->nb[1], s->B->nb[2], 0);
    s->C = ulg_view_4d(g, s->C, d_state, 1, n, n_seqs, row, s->C->nb[1], s->C->nb[2], 0);
}

static struct ul_tensor *mamba(struct ul_build *b, const struct ul_rs_inp *inp,
                               struct ul_tensor *cur, int il)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    int64_t d_inner = m->ssm_d_inner, n_heads = m->ssm_dt_rank, head_dim = d_inner / n_heads;
    int64_t n = b->n_seq_tokens, n_seqs = b->n_seqs,
            size = (int64_t)m->ssm_d_state * d_inner * n_seqs;
    uint64_t head = (uint64_t)head_dim * sizeof(float), token = head * (uint64_t)n_heads;
    uint64_t seq = token * (uint64_t)n;
    struct ul_state_layer *st = ul_state_of(b, il);
    struct ul_tensor *conv = ul_rs_block(b, inp, st->r, (int64_t)ul_n_embd_r(m));
    conv = ulg_reshape_3d(g, conv, m->ssm_d_conv - 1, d_inner, n_seqs);
    struct ul_tensor *zx = project_in(b, cur, head_dim, n_heads, il);
    struct ul_tensor *x = ulg_view_4d(g, zx, head_dim, n_heads, n, n_seqs, zx->nb[1], zx->nb[2],
                                      zx->nb[3], head);
    struct ul_tensor *z = ulg_view_4d(g, zx, head_dim, n_heads, n, n_seqs, zx->nb[1], zx->nb[2],
                                      zx->nb[3], 0);
    ul_cb(b, z, "mamba_z_split", il);
    x = convolve(b, conv, ul_cb(b, ulg_cont_3d(g, x, d_inner, n, n_seqs), "mamba_x_split", il), il);
    struct ul_scan s = {.head_dim = head_dim, .n_head = n_heads, .k = 1};
    project_b_c_dt(b, &s, x, il);
    s.A = ul_cb(b, ulg_reshape_2d(g, ul_wt(b, UL_ROLE_SSM_A, il), 1, n_heads), "mamba_A", il);
    s.x = ulg_view_4d(g, x, head_dim, n_heads, n, n_seqs, head, token, seq, 0);
    struct ul_tensor *y = ul_cb(b, ul_scan_block(b, inp, &s, il), "mamba_ssm_scan", il);
    struct ul_tensor *new_state = ulg_view_1d(g, y, size, seq * (uint64_t)n_seqs);
    ul_expand(b, ulg_cpy(g, new_state, ulg_view_1d(g, st->s, size, 0)));
    y = ulg_view_4d(g, y, head_dim, n_heads, n, n_seqs, head, token, seq, 0);
    struct ul_tensor *d = ulg_reshape_2d(g, ul_wt(b, UL_ROLE_SSM_D, il), 1, n_heads);
    y = ul_cb(b, ulg_add(g, y, ulg_mul(g, s.x, d)), "mamba_y_add_d", il);
    y = ul_cb(b, ulg_swiglu_split(g, ulg_cont(g, z), y), "mamba_y_swiglu_z", il);
    y = ulg_view_3d(g, y, d_inner, n, n_seqs, y->nb[2], y->nb[3], 0);
    y = ul_cb(b, ulg_mul_mat(g, ul_wt(b, UL_ROLE_SSM_OUT, il), y), "mamba_out_proj", il);
    return ul_cb(b, ulg_reshape_2d(g, y, y->ne[0], n * n_seqs), "mamba_out", il);
}

int ul_prog_plamo2(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *x = ul_inp_embd(b);
    struct ul_rs_inp rs = ul_rs_inputs(b);
    struct ul_attn_inp kv = ul_attn_inputs(b, UL_ATTN_KV);
    for (int il = 0; il < (int)b->model->n_layer; il++) {
        struct ul_tensor *cur = rms(b, x, UL_ROLE_ATTN_NORM, "attn_norm", il);
        cur = b->model->layer[il].is_recr ? mamba(b, &rs, cur, il) : attention(b, &kv, cur, il);
        cur = ul_last_rows(b, cur, il);
        x = ul_last_rows(b, x, il);
        cur = rms(b, cur, UL_ROLE_ATTN_POST_NORM, "attn_post_norm", il);
        x = ul_cb(b, ulg_add(g, cur, x), "attn_residual", il);
        cur = rms(b, x, UL_ROLE_FFN_NORM, "ffn_pre_norm", il);
        struct ul_ffn f = {.op = UL_FFN_SWIGLU, .up = ul_wt(b, UL_ROLE_FFN_UP, il),
                           .down = ul_wt(b, UL_ROLE_FFN_DOWN, il), .sequential = true};
        cur = ul_cb(b, ul_ffn_block(b, cur, &f, il), "ffn_out", il);
        cur = rms(b, cur, UL_ROLE_FFN_POST_NORM, "ffn_post_norm", il);
        x = ul_cb(b, ulg_add(g, cur, x), "ffn_residual", il);
    }
    ul_result_output(b, ul_result_norm(b, x, UL_NORM_RMS));
    return ULLAGE_OK;
}
