/* The operations, part two: matrices, attention, recurrences and convolutions. As in ops.c, every
 * function gives the shape that ggml/src/ggml.c's function of that name gives. */
#include "graph/ops.h"
#include "graph/ops_impl.h"

#include <stddef.h>

static int64_t safe_mod(int64_t a, int64_t b) { return b > 0 ? a % b : 1; }

static struct ul_tensor *make(struct ul_graph *g, enum ul_op op, enum ul_type type, int64_t n0,
                              int64_t n1, int64_t n2, int64_t n3)
{
    return ulg_make(g, op, type, (int64_t[4]){n0, n1, n2, n3});
}

/* Products of sizes that a file names; what does not fit becomes a shape that ggml would refuse. */
static int64_t times(int64_t a, int64_t b)
{
    uint64_t n = ul_mul((uint64_t)a, (uint64_t)b);
    return a < 0 || b < 0 || n > INT64_MAX / 4 ? INT64_MAX / 4 : (int64_t)n;
}

static struct ul_tensor *with(struct ul_tensor *t, struct ul_tensor *a, struct ul_tensor *b,
                              struct ul_tensor *c)
{
    t->src[0] = a;
    t->src[1] = b;
    t->src[2] = c;
    return t;
}

static struct ul_tensor *with_all(struct ul_tensor *t, struct ul_tensor *const *in, int n)
{
    for (int i = 0; i < n; i++)
        t->src[i] = in[i];
    return t;
}

/* --- matrices --------------------------------------------------------------------------------- */

struct ul_tensor *ulg_mul_mat(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b)
{
    a = ulg_given(g, a);
    b = ulg_given(g, b);
    struct ul_tensor *t = make(g, UL_OP_MUL_MAT, UL_F32, a->ne[1], b->ne[1], b->ne[2], b->ne[3]);
    ulg_check(g, t, a->ne[0] == b->ne[0] && safe_mod(b->ne[2], a->ne[2]) == 0 &&
                        safe_mod(b->ne[3], a->ne[3]) == 0 && a->nb[0] <= a->nb[1]);
    return with(t, a, b, NULL);
}

struct ul_tensor *ulg_mul_mat_id(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                                 struct ul_tensor *ids)
{
    a = ulg_given(g, a);
    b = ulg_given(g, b);
    struct ul_tensor *t = make(g, UL_OP_MUL_MAT_ID, UL_F32, a->ne[1], ids->ne[0], b->ne[2], 1);
    ulg_check(g, t, a->ne[0] == b->ne[0] && a->ne[3] == 1 && b->ne[3] == 1 &&
                        ids->ne[1] == b->ne[2] && safe_mod(ids->ne[0], b->ne[1]) == 0);
    return with(t, a, b, ids);
}

struct ul_tensor *ulg_out_prod(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b)
{
    struct ul_tensor *t = make(g, UL_OP_OUT_PROD, UL_F32, a->ne[0], b->ne[0], b->ne[2], b->ne[3]);
    ulg_check(g, t, a->ne[1] == b->ne[1]);
    return with(t, a, b, NULL);
}

struct ul_tensor *ulg_prec_f32(struct ul_tensor *t)
{
    t->p[t->op == UL_OP_FLASH_ATTN_EXT ? 2 : 0] = UL_PREC_F32;
    return t;
}

struct ul_tensor *ulg_prec_src_f32(struct ul_tensor *t)
{
    t->p[1] = UL_PREC_F32;
    return t;
}

struct ul_tensor *ulg_get_rows(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b)
{
    a = ulg_given(g, a);
    b = ulg_given(g, b);
    struct ul_tensor *t = make(g, UL_OP_GET_ROWS, a->type == UL_I32 ? UL_I32 : UL_F32, a->ne[0],
                               b->ne[0], b->ne[1], b->ne[2]);
    ulg_check(g, t,
              a->ne[2] == b->ne[1] && a->ne[3] == b->ne[2] && b->ne[3] == 1 && b->type == UL_I32);
    return with(t, a, b, NULL);
}

struct ul_tensor *ulg_set_rows(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                               struct ul_tensor *c)
{
    struct ul_tensor *t = ulg_over(g, UL_OP_SET_ROWS, a, NULL);
    ulg_check(g, t, a->ne[0] == b->ne[0] && a->ne[2] == b->ne[2] && a->ne[3] == b->ne[3] &&
                        b->ne[1] == c->ne[0] && safe_mod(b->ne[2], c->ne[1]) == 0);
    return with(t, b, c, a); /* the destination is the last source */
}

struct ul_tensor *ulg_soft_max_ext(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *mask,
                                   float max_bias)
{
    struct ul_tensor *t = ulg_like(g, UL_OP_SOFT_MAX, a, mask);
    t->p[0] = max_bias > 0.0f;
    ulg_check(g, t,
              ul_tensor_contiguous(a) &&
                  (!mask || (mask->ne[0] == a->ne[0] && mask->ne[1] >= a->ne[1])));
    return t;
}

struct ul_tensor *ulg_soft_max_add_sinks(struct ul_tensor *t, struct ul_tensor *sinks)
{
    t->src[2] = sinks;
    return t;
}

/* --- attention -------------------------------------------------------------------------------- */

static struct ul_tensor *rope(struct ul_graph *g, struct ul_tensor *t, struct ul_tensor *pos,
                              struct ul_tensor *freq_factors, int n_dims, int mode)
{
    int64_t positions = mode & UL_ROPE_SECTIONS ? times(4, t->ne[2]) : t->ne[2];
    t->src[1] = pos;
    t->src[2] = freq_factors;
    t->p[0] = mode;
    t->p[1] = n_dims;
    ulg_check(g, t, pos->type == UL_I32 && pos->ne[0] == positions &&
                        (!freq_factors || freq_factors->ne[0] >= n_dims / 2));
    return t;
}

struct ul_tensor *ulg_rope_ext(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *pos,
                               struct ul_tensor *freq_factors, int n_dims, int mode)
{
    return rope(g, ulg_like(g, UL_OP_ROPE, a, NULL), pos, freq_factors, n_dims, mode);
}

struct ul_tensor *ulg_rope_ext_inplace(struct ul_graph *g, struct ul_tensor *a,
                                       struct ul_tensor *pos, struct ul_tensor *freq_factors,
                                       int n_dims, int mode)
{
    return rope(g, ulg_over(g, UL_OP_ROPE, a, NULL), pos, freq_factors, n_dims, mode);
}

struct ul_tensor *ulg_rope_ext_back(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *pos,
                                    struct ul_tensor *freq_factors, int n_dims, int mode)
{
    return rope(g, ulg_like(g, UL_OP_ROPE_BACK, a, NULL), pos, freq_factors, n_dims, mode);
}

struct ul_tensor *ulg_flash_attn_ext(struct ul_graph *g, struct ul_tensor *q, struct ul_tensor *k,
                                     struct ul_tensor *v, struct ul_tensor *mask, float max_bias,
                                     float logit_softcap)
{
    struct ul_tensor *t =
        make(g, UL_OP_FLASH_ATTN_EXT, UL_F32, v->ne[0], q->ne[2], q->ne[1], q->ne[3]);
    t->p[0] = max_bias > 0.0f;
    t->p[1] = logit_softcap != 0.0f;
    t->src[3] = mask;
    ulg_check(g, t, k->ne[0] == q->ne[0] && safe_mod(q->ne[2], k->ne[2]) == 0 &&
                        q->ne[3] == k->ne[3] && q->ne[3] == v->ne[3]);
    return with(t, q, k, v);
}

struct ul_tensor *ulg_flash_attn_ext_add_sinks(struct ul_tensor *t, struct ul_tensor *sinks)
{
    t->src[4] = sinks;
    return t;
}

struct ul_tensor *ulg_flash_attn_ext_set_n_kv_max(struct ul_tensor *t, int32_t n_kv_max)
{
    t->p[3] = n_kv_max;
    return t;
}

struct ul_tensor *ulg_lightning_indexer(struct ul_graph *g, struct ul_tensor *q,
                                        struct ul_tensor *k, struct ul_tensor *weights,
                                        struct ul_tensor *mask)
{
    struct ul_tensor *t = make(g, UL_OP_LIGHTNING_INDEXER, UL_F32, k->ne[2], q->ne[2], 1, q->ne[3]);
    t->src[3] = mask;
    ulg_check(g, t,
              q->ne[0] == k->ne[0] && q->ne[1] == weights->ne[0] && q->ne[2] == weights->ne[1]);
    return with(t, q, k, weights);
}

/* --- states ----------------------------------------------------------------------------------- */

struct ul_tensor *ulg_ssm_conv(struct ul_graph *g, struct ul_tensor *sx, struct ul_tensor *c)
{
    sx = ulg_given(g, sx);
    c = ulg_given(g, c);
    struct ul_tensor *t =
        make(g, UL_OP_SSM_CONV, UL_F32, c->ne[1], sx->ne[0] - c->ne[0] + 1, sx->ne[2], 1);
    ulg_check(g, t, sx->ne[1] == c->ne[1]);
    return with(t, sx, c, NULL);
}

/* The outputs of all tokens, then the states of all sequences: one row of numbers. */
struct ul_tensor *ulg_ssm_scan(struct ul_graph *g, struct ul_tensor *const in[7], int64_t k)
{
    const struct ul_tensor *s = in[0], *x = in[1], *dt = in[2], *ids = in[6];
    int64_t state = times(times(s->ne[0], s->ne[1]), times(s->ne[2], ids->ne[0]));
    struct ul_tensor *t = make(g, UL_OP_SSM_SCAN, UL_F32,
                               times(1, ul_tensor_elements(x)) + times(k, state), 1, 1, 1);
    t->p[0] = (int32_t)k;
    ulg_check(g, t, s->ne[1] == x->ne[0] && s->ne[2] == x->ne[1] && dt->ne[0] == x->ne[1] &&
                        ids->ne[0] == x->ne[3]);
    return with_all(t, in, 7);
}

/* k, v, ...: [S, H, tokens]; the state [S*S*H, sequences] is appended as S rows a sequence. */
static struct ul_tensor *linear(struct ul_graph *g, enum ul_op op, struct ul_tensor *const *in,
                                int n, const struct ul_tensor *k)
{
    int64_t size = k->ne[0], heads = k->ne[1], n_seqs = in[n - 1]->ne[1];
    struct ul_tensor *t =
        make(g, op, UL_F32, times(size, heads), k->ne[2] + times(size, n_seqs), 1, 1);
    ulg_check(g, t,
              ul_tensor_elements(in[n - 1]) == times(times(size, size), times(heads, n_seqs)));
    return with_all(t, in, n);
}

struct ul_tensor *ulg_rwkv_wkv6(struct ul_graph *g, struct ul_tensor *const in[6])
{
    return linear(g, UL_OP_RWKV_WKV6, in, 6, in[0]);
}

struct ul_tensor *ulg_rwkv_wkv7(struct ul_graph *g, struct ul_tensor *const in[7])
{
    return linear(g, UL_OP_RWKV_WKV7, in, 7, in[2]);
}

struct ul_tensor *ulg_gated_linear_attn(struct ul_graph *g, struct ul_tensor *const in[5])
{
    return linear(g, UL_OP_GATED_LINEAR_ATTN, in, 5, in[0]);
}

struct ul_tensor *ulg_gated_delta_net(struct ul_graph *g, struct ul_tensor *const in[6], int64_t k)
{
    const struct ul_tensor *v = in[2], *state = in[5];
    int64_t rows = times(times(k, v->ne[0]), v->ne[3]);
    struct ul_tensor *t = make(g, UL_OP_GATED_DELTA_NET, UL_F32, times(v->ne[0], v->ne[1]),
                               times(v->ne[2], v->ne[3]) + rows, 1, 1);
    t->p[0] = (int32_t)k;
    ulg_check(g, t,
              state->ne[0] == v->ne[0] && state->ne[1] == v->ne[0] && state->ne[2] == v->ne[1] &&
                  state->ne[3] == v->ne[3]);
    return with_all(t, in, 6);
}

/* --- hyper-connections of DeepSeek 4 ---------------------------------------------------------- */

/* mixes: [hc * (hc + 2), tokens] */
struct ul_tensor *ulg_dsv4_hc_comb(struct ul_graph *g, struct ul_tensor *mixes,
                                   struct ul_tensor *scale, struct ul_tensor *base)
{
    int64_t hc = 1;
    while (hc < 64 && (hc + 2) * hc < mixes->ne[0])
        hc++;
    struct ul_tensor *t = make(g, UL_OP_DSV4_HC_COMB, UL_F32, hc, hc, mixes->ne[1], 1);
    ulg_check(g, t, (hc + 2) * hc == mixes->ne[0] && base->ne[0] == mixes->ne[0]);
    return with(t, mixes, scale, base);
}

struct ul_tensor *ulg_dsv4_hc_pre(struct ul_graph *g, struct ul_tensor *x,
                                  struct ul_tensor *weights)
{
    return with(make(g, UL_OP_DSV4_HC_PRE, UL_F32, x->ne[0], x->ne[2], 1, 1), x, weights, NULL);
}

struct ul_tensor *ulg_dsv4_hc_post(struct ul_graph *g, struct ul_tensor *x,
                                   struct ul_tensor *residual, struct ul_tensor *post,
                                   struct ul_tensor *comb)
{
    struct ul_tensor *t =
        make(g, UL_OP_DSV4_HC_POST, UL_F32, x->ne[0], residual->ne[1], x->ne[1], 1);
    t->src[3] = comb;
    ulg_check(g, t, residual->ne[0] == x->ne[0] && residual->ne[2] == x->ne[1]);
    return with(t, x, residual, post);
}

/* --- convolution ------------------------------------------------------------------------------ */

/* ggml_calc_conv_output_size */
static int64_t conv_size(int64_t n, int64_t kernel, struct ul_window w)
{
    return w.s > 0 ? (n + 2 * w.p - w.d * (kernel - 1) - 1) / w.s + 1 : 0;
}

struct ul_tensor *ulg_im2col(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                             struct ul_window w0, struct ul_window w1, bool is_2d,
                             enum ul_type type)
{
    int64_t kernel = times(a->ne[1], a->ne[0]), wide = conv_size(b->ne[0], a->ne[0], w0);
    struct ul_tensor *t = is_2d ? make(g, UL_OP_IM2COL, type, times(kernel, a->ne[2]), wide,
                                       conv_size(b->ne[1], a->ne[1], w1), b->ne[3])
                                : make(g, UL_OP_IM2COL, type, kernel, wide, b->ne[2], 1);
    t->p[0] = is_2d;
    ulg_check(g, t, wide > 0 && (is_2d ? a->ne[2] == b->ne[2] : a->ne[1] == b->ne[1]));
    return with(t, a, b, NULL);
}

/* The columns are half precision unless the kernel is bfloat16. */
static enum ul_type column_type(const struct ul_tensor *kernel)
{
    return kernel->type == UL_BF16 ? UL_F32 : UL_F16;
}

struct ul_tensor *ulg_conv_1d(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                              struct ul_window w)
{
    struct ul_tensor *c = ulg_im2col(g, a, b, w, (struct ul_window){0}, false, column_type(a));
    struct ul_tensor *rows = ulg_reshape_2d(g, c, c->ne[0], times(c->ne[2], c->ne[1]));
    struct ul_tensor *kernel = ulg_reshape_2d(g, a, times(a->ne[0], a->ne[1]), a->ne[2]);
    /* Newer than the source that was read: batches, the outer dimension of the columns, are moved
     * behind the channels, even when there is one. */
    struct ul_tensor *t =
        ulg_reshape_3d(g, ulg_mul_mat(g, rows, kernel), c->ne[1], c->ne[2], a->ne[2]);
    return ulg_cont(g, ulg_permute(g, t, 0, 2, 1, 3));
}

struct ul_tensor *ulg_conv_1d_dw(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                                 struct ul_window w)
{
    struct ul_tensor *wide = ulg_reshape_4d(g, b, b->ne[0], 1, b->ne[1], b->ne[2]);
    struct ul_tensor *c = ulg_im2col(g, a, wide, w, (struct ul_window){0}, false, column_type(a));
    struct ul_tensor *t = ulg_mul_mat(g, c, a);
    return ulg_reshape_3d(g, t, t->ne[0], t->ne[2], 1);
}

struct ul_tensor *ulg_conv_2d(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                              struct ul_window w0, struct ul_window w1)
{
    struct ul_tensor *c = ulg_im2col(g, a, b, w0, w1, true, column_type(a));
    struct ul_tensor *rows =
        ulg_reshape_2d(g, c, c->ne[0], times(times(c->ne[3], c->ne[2]), c->ne[1]));
    struct ul_tensor *kernel =
        ulg_reshape_2d(g, a, times(times(a->ne[0], a->ne[1]), a->ne[2]), a->ne[3]);
    struct ul_tensor *t = ulg_mul_mat(g, rows, kernel);
    t = ulg_reshape_4d(g, t, c->ne[1], c->ne[2], c->ne[3], a->ne[3]);
    return ulg_cont(g, ulg_permute(g, t, 0, 1, 3, 2));
}

struct ul_tensor *ulg_conv_transpose_1d(struct ul_graph *g, struct ul_tensor *a,
                                        struct ul_tensor *b, int stride)
{
    struct ul_tensor *t = make(g, UL_OP_CONV_TRANSPOSE_1D, UL_F32,
                               times(b->ne[0] - 1, stride) + a->ne[0], a->ne[1], b->ne[2], 1);
    ulg_check(g, t, a->ne[2] == b->ne[1]);
    return with(t, a, b, NULL);
}

struct ul_tensor *ulg_col2im_1d(struct ul_graph *g, struct ul_tensor *a, int stride,
                                int64_t channels, int padding)
{
    int64_t kernel = channels > 0 ? a->ne[0] / channels : 0;
    struct ul_tensor *t =
        make(g, UL_OP_COL2IM_1D, a->type,
             times(a->ne[1] - 1, stride) + kernel - 2 * (int64_t)padding, channels, 1, 1);
    ulg_check(g, t, kernel > 0 && kernel * channels == a->ne[0]);
    return with(t, a, NULL, NULL);
}

static int64_t pool_size(int64_t n, int kernel, int stride, int pad)
{
    return stride > 0 ? (n + 2 * (int64_t)pad - kernel) / stride + 1 : 0;
}

struct ul_tensor *ulg_pool_1d(struct ul_graph *g, struct ul_tensor *a, int kernel, int stride,
                              int pad)
{
    struct ul_tensor *t = make(g, UL_OP_POOL_1D, UL_F32, pool_size(a->ne[0], kernel, stride, pad),
                               a->ne[1], a->ne[2], a->ne[3]);
    return with(t, a, NULL, NULL);
}

struct ul_tensor *ulg_pool_2d(struct ul_graph *g, struct ul_tensor *a, int k0, int k1, int s0,
                              int s1, int p0, int p1)
{
    struct ul_tensor *t = make(g, UL_OP_POOL_2D, UL_F32, pool_size(a->ne[0], k0, s0, p0),
                               pool_size(a->ne[1], k1, s1, p1), a->ne[2], a->ne[3]);
    ulg_check(g, t, t->ne[0] > 0 && t->ne[1] > 0);
    return with(t, a, NULL, NULL);
}
