/* ggml's operations as shapes: one function an operation, with ggml's name (ggml_x is ulg_x) and
 * order of arguments, less the values that change neither shape nor memory (epsilons, scales, rope
 * frequencies). Each gives its result the type, shape, strides and view that ggml/src/ggml.c gives
 * it. A shape that ggml would refuse marks the graph as bad (ul_graph.bad names the operation) and
 * building goes on harmlessly, so callers check once, at the end.
 *
 * Operation parameters kept in ul_tensor.p, because support or size depends on them:
 *   ROPE: mode, n_dims    SOFT_MAX: alibi     FLASH_ATTN_EXT: alibi, softcap, precision, n_kv_max
 *   SSM_SCAN, GATED_DELTA_NET: snapshots      MUL_MAT, MUL_MAT_ID: precision, of the input
 *   CONCAT: dim           PERMUTE: axes       IM2COL: 2-d         PAD: circular */
#ifndef UL_GRAPH_OPS_H
#define UL_GRAPH_OPS_H

#include "graph/graph.h"

enum ul_op {
#define OP(id, name, inplace) UL_OP_##id,
#include "graph/ops.def"
#undef OP
    UL_OP_COUNT
};

/* enum ggml_unary_op (ggml/include/ggml.h) */
enum ul_unary {
    UL_UNARY_ABS, UL_UNARY_SGN, UL_UNARY_NEG, UL_UNARY_STEP, UL_UNARY_TANH, UL_UNARY_ELU,
    UL_UNARY_RELU, UL_UNARY_SIGMOID, UL_UNARY_GELU, UL_UNARY_GELU_QUICK, UL_UNARY_SILU,
    UL_UNARY_HARDSWISH, UL_UNARY_HARDSIGMOID, UL_UNARY_EXP, UL_UNARY_EXPM1, UL_UNARY_SOFTPLUS,
    UL_UNARY_GELU_ERF, UL_UNARY_XIELU, UL_UNARY_FLOOR, UL_UNARY_CEIL, UL_UNARY_ROUND,
    UL_UNARY_TRUNC, UL_UNARY_COUNT
};

/* enum ggml_glu_op */
enum ul_glu {
    UL_GLU_REGLU, UL_GLU_GEGLU, UL_GLU_SWIGLU, UL_GLU_SWIGLU_OAI, UL_GLU_SWIGLU_CLAMP,
    UL_GLU_GEGLU_ERF, UL_GLU_GEGLU_QUICK, UL_GLU_COUNT
};

/* The bit of GGML_ROPE_TYPE_* that makes positions have four sections; the modes are enum
 * ul_rope_type (model/model.h). Then enum ggml_prec, enum ggml_op_pool. */
#define UL_ROPE_SECTIONS 8
enum { UL_PREC_DEFAULT = 0, UL_PREC_F32 = 10 };
enum { UL_POOL_MAX, UL_POOL_AVG };

/* The name that the engine prints: for UNARY and GLU the sub-operation's. */
const char *ul_op_name(const struct ul_tensor *t);
/* ggml_op_can_inplace (ggml/src/ggml-alloc.c). */
bool ul_op_inplace(uint8_t op);
/* ggml_is_view_op: RESHAPE, VIEW, PERMUTE and TRANSPOSE do no work. */
static inline bool ul_op_is_view(uint8_t op)
{
    return op >= UL_OP_RESHAPE && op <= UL_OP_TRANSPOSE;
}

/* The shapes of declaration that most operations share. */
#define ULG_1(name) struct ul_tensor *ulg_##name(struct ul_graph *g, struct ul_tensor *a)
#define ULG_2(name) \
    struct ul_tensor *ulg_##name(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b)
#define ULG_3(name) struct ul_tensor *ulg_##name(struct ul_graph *g, struct ul_tensor *a, \
                                                 struct ul_tensor *b, struct ul_tensor *c)
#define ULG_SIZES(name) struct ul_tensor *ulg_##name(struct ul_graph *g, struct ul_tensor *a, \
                                                     int64_t n0, int64_t n1, int64_t n2, int64_t n3)

/* --- tensors and their marks ------------------------------------------------------------------ */

struct ul_tensor *ulg_new_1d(struct ul_graph *g, enum ul_type type, int64_t n0);
struct ul_tensor *ulg_new_2d(struct ul_graph *g, enum ul_type type, int64_t n0, int64_t n1);
struct ul_tensor *ulg_new_3d(struct ul_graph *g, enum ul_type type, int64_t n0, int64_t n1,
                             int64_t n2);
struct ul_tensor *ulg_new_4d(struct ul_graph *g, enum ul_type type, int64_t n0, int64_t n1,
                             int64_t n2, int64_t n3);
/* What llm_graph_context::cb does: the tensor is called "name-layer", or "name" when layer is
 * negative; "%d" in the name stands for the layer instead. The pointer must outlive the graph. */
struct ul_tensor *ulg_name(struct ul_tensor *t, const char *name, int layer);
struct ul_tensor *ulg_set_input(struct ul_tensor *t);
struct ul_tensor *ulg_set_output(struct ul_tensor *t);

/* --- element by element ----------------------------------------------------------------------- */

ULG_1(dup);
ULG_2(add);
ULG_2(sub);
ULG_2(mul);
ULG_2(div);
ULG_2(add_inplace);
ULG_2(mul_inplace);
ULG_2(add1);
ULG_3(add_id); /* a, b, ids */
ULG_1(sqr);
ULG_1(sqrt);
ULG_1(log);
ULG_1(sin);
ULG_1(cos);
ULG_1(scale);          /* also ggml_scale_bias */
ULG_1(scale_inplace);
ULG_1(clamp);
ULG_1(clamp_inplace);
ULG_1(fill);
ULG_1(fill_inplace);
ULG_1(leaky_relu);
struct ul_tensor *ulg_unary(struct ul_graph *g, struct ul_tensor *a, enum ul_unary op);
struct ul_tensor *ulg_unary_inplace(struct ul_graph *g, struct ul_tensor *a, enum ul_unary op);
/* b NULL: a holds both halves. ggml_glu, ggml_glu_split, ggml_swiglu_oai, ggml_swiglu_clamp. */
struct ul_tensor *ulg_glu(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                          enum ul_glu op);

#define ULG_UNARY(name, op) \
    static inline ULG_1(name) { return ulg_unary(g, a, op); }
ULG_UNARY(abs, UL_UNARY_ABS)
ULG_UNARY(sgn, UL_UNARY_SGN)
ULG_UNARY(neg, UL_UNARY_NEG)
ULG_UNARY(tanh, UL_UNARY_TANH)
ULG_UNARY(relu, UL_UNARY_RELU)
ULG_UNARY(sigmoid, UL_UNARY_SIGMOID)
ULG_UNARY(gelu, UL_UNARY_GELU)
ULG_UNARY(gelu_erf, UL_UNARY_GELU_ERF)
ULG_UNARY(gelu_quick, UL_UNARY_GELU_QUICK)
ULG_UNARY(silu, UL_UNARY_SILU)
ULG_UNARY(exp, UL_UNARY_EXP)
ULG_UNARY(softplus, UL_UNARY_SOFTPLUS)
ULG_UNARY(xielu, UL_UNARY_XIELU)
ULG_UNARY(hardsigmoid, UL_UNARY_HARDSIGMOID)
#undef ULG_UNARY

#define ULG_GLU(name, op) \
    static inline ULG_1(name) { return ulg_glu(g, a, NULL, op); } \
    static inline ULG_2(name##_split) { return ulg_glu(g, a, b, op); }
ULG_GLU(reglu, UL_GLU_REGLU)
ULG_GLU(geglu, UL_GLU_GEGLU)
ULG_GLU(swiglu, UL_GLU_SWIGLU)
ULG_GLU(geglu_erf, UL_GLU_GEGLU_ERF)
ULG_GLU(geglu_quick, UL_GLU_GEGLU_QUICK)
static inline ULG_2(swiglu_oai) { return ulg_glu(g, a, b, UL_GLU_SWIGLU_OAI); }
static inline ULG_2(swiglu_clamp) { return ulg_glu(g, a, b, UL_GLU_SWIGLU_CLAMP); }
#undef ULG_GLU

/* --- along rows ------------------------------------------------------------------------------- */

ULG_1(norm);
ULG_1(rms_norm);
ULG_1(group_norm);
ULG_1(l2_norm);
ULG_1(sum);
ULG_1(sum_rows);
ULG_1(mean);
ULG_1(cumsum);
ULG_1(argmax);
ULG_1(argsort);
struct ul_tensor *ulg_top_k(struct ul_graph *g, struct ul_tensor *a, int64_t k);
/* An argsort and a view of its first k columns, as experts are chosen. */
struct ul_tensor *ulg_argsort_top_k(struct ul_graph *g, struct ul_tensor *a, int64_t k);
ULG_1(tri);
ULG_1(diag);
ULG_2(solve_tri);
ULG_2(repeat); /* a to the shape of b */
ULG_SIZES(repeat_4d);
struct ul_tensor *ulg_concat(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b, int dim);
ULG_SIZES(interpolate); /* ggml_interpolate: to these sizes */
ULG_SIZES(pad); /* so many more at each dimension's end */
struct ul_tensor *ulg_pad_ext(struct ul_graph *g, struct ul_tensor *a, const int64_t left[4],
                              const int64_t right[4]);
struct ul_tensor *ulg_pad_reflect_1d(struct ul_graph *g, struct ul_tensor *a, int64_t p0,
                                     int64_t p1);
ULG_1(roll);
struct ul_tensor *ulg_arange(struct ul_graph *g, int64_t steps);
struct ul_tensor *ulg_timestep_embedding(struct ul_graph *g, struct ul_tensor *a, int64_t dim);

/* --- matrices --------------------------------------------------------------------------------- */

ULG_2(mul_mat);
ULG_3(mul_mat_id); /* experts, b, ids */
ULG_2(out_prod);
/* ggml_prec_set_acc(GGML_PREC_F32), and ggml_prec_set_src(GGML_PREC_F32, 1); both return t. */
struct ul_tensor *ulg_prec_f32(struct ul_tensor *t);
struct ul_tensor *ulg_prec_src_f32(struct ul_tensor *t);
ULG_2(get_rows);
ULG_3(set_rows); /* destination, rows, ids: a view of the destination */
/* Left and right may be null: ggml_soft_max_ext; sinks: ggml_soft_max_add_sinks. */
struct ul_tensor *ulg_soft_max_ext(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *mask,
                                   float max_bias);
struct ul_tensor *ulg_soft_max_add_sinks(struct ul_tensor *t, struct ul_tensor *sinks);
static inline ULG_1(soft_max) { return ulg_soft_max_ext(g, a, NULL, 0.0f); }
ULG_1(diag_mask_inf);
ULG_1(diag_mask_zero);

/* --- rearranging: views, and copies ----------------------------------------------------------- */

struct ul_tensor *ulg_reshape_1d(struct ul_graph *g, struct ul_tensor *a, int64_t n0);
struct ul_tensor *ulg_reshape_2d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1);
struct ul_tensor *ulg_reshape_3d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                                 int64_t n2);
ULG_SIZES(reshape_4d);
ULG_2(reshape); /* a in the shape of b */
struct ul_tensor *ulg_view_1d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, uint64_t offset);
struct ul_tensor *ulg_view_2d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              uint64_t nb1, uint64_t offset);
struct ul_tensor *ulg_view_3d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              int64_t n2, uint64_t nb1, uint64_t nb2, uint64_t offset);
struct ul_tensor *ulg_view_4d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              int64_t n2, int64_t n3, uint64_t nb1, uint64_t nb2, uint64_t nb3,
                              uint64_t offset);
ULG_1(view_tensor); /* ggml_view_tensor: the whole of a, no operation */
struct ul_tensor *ulg_permute(struct ul_graph *g, struct ul_tensor *a, int x0, int x1, int x2,
                              int x3);
ULG_1(transpose);
ULG_1(cont);
struct ul_tensor *ulg_cont_2d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1);
struct ul_tensor *ulg_cont_3d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              int64_t n2);
ULG_SIZES(cont_4d);
ULG_2(cpy); /* a into b: a view of b */
struct ul_tensor *ulg_cast(struct ul_graph *g, struct ul_tensor *a, enum ul_type type);
/* ggml_set: b into a copy of a; strides and offset do not move memory. */
ULG_2(set);
ULG_2(set_inplace);
ULG_2(acc);

/* --- attention and what stands for it --------------------------------------------------------- */

/* ggml_rope_ext, ggml_rope_multi: freq_factors may be NULL. */
struct ul_tensor *ulg_rope_ext(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *pos,
                               struct ul_tensor *freq_factors, int n_dims, int mode);
struct ul_tensor *ulg_rope_ext_inplace(struct ul_graph *g, struct ul_tensor *a,
                                       struct ul_tensor *pos, struct ul_tensor *freq_factors,
                                       int n_dims, int mode);
struct ul_tensor *ulg_rope_ext_back(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *pos,
                                    struct ul_tensor *freq_factors, int n_dims, int mode);
struct ul_tensor *ulg_flash_attn_ext(struct ul_graph *g, struct ul_tensor *q, struct ul_tensor *k,
                                     struct ul_tensor *v, struct ul_tensor *mask, float max_bias,
                                     float logit_softcap);
struct ul_tensor *ulg_flash_attn_ext_add_sinks(struct ul_tensor *t, struct ul_tensor *sinks);
struct ul_tensor *ulg_flash_attn_ext_set_n_kv_max(struct ul_tensor *t, int32_t n_kv_max);
ULG_2(ssm_conv);
/* s, x, dt, A, B, C, ids; `k` snapshots of the state. */
struct ul_tensor *ulg_ssm_scan(struct ul_graph *g, struct ul_tensor *const in[7], int64_t k);
/* k, v, r, time_faaaa, time_decay, state */
struct ul_tensor *ulg_rwkv_wkv6(struct ul_graph *g, struct ul_tensor *const in[6]);
/* r, w, k, v, a, b, state */
struct ul_tensor *ulg_rwkv_wkv7(struct ul_graph *g, struct ul_tensor *const in[7]);
/* k, v, q, g, state */
struct ul_tensor *ulg_gated_linear_attn(struct ul_graph *g, struct ul_tensor *const in[5]);
/* q, k, v, g, beta, state; `k` snapshots of the state. */
struct ul_tensor *ulg_gated_delta_net(struct ul_graph *g, struct ul_tensor *const in[6], int64_t k);
struct ul_tensor *ulg_lightning_indexer(struct ul_graph *g, struct ul_tensor *q,
                                        struct ul_tensor *k, struct ul_tensor *weights,
                                        struct ul_tensor *mask);
ULG_3(dsv4_hc_comb); /* mixes, scale, base */
ULG_2(dsv4_hc_pre);  /* x, weights; ggml_dsv4_hc_pre_gated: x, gate */
struct ul_tensor *ulg_dsv4_hc_post(struct ul_graph *g, struct ul_tensor *x,
                                   struct ul_tensor *residual, struct ul_tensor *post,
                                   struct ul_tensor *comb);

/* --- convolution ------------------------------------------------------------------------------ */

/* Stride, padding and dilation of one dimension. */
struct ul_window {
    int s, p, d;
};

struct ul_tensor *ulg_im2col(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                             struct ul_window w0, struct ul_window w1, bool is_2d,
                             enum ul_type type);
struct ul_tensor *ulg_conv_1d(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                              struct ul_window w);
struct ul_tensor *ulg_conv_1d_dw(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                                 struct ul_window w);
struct ul_tensor *ulg_conv_2d(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                              struct ul_window w0, struct ul_window w1);
struct ul_tensor *ulg_conv_transpose_1d(struct ul_graph *g, struct ul_tensor *a,
                                        struct ul_tensor *b, int stride);
struct ul_tensor *ulg_col2im_1d(struct ul_graph *g, struct ul_tensor *a, int stride,
                                int64_t channels, int padding);
struct ul_tensor *ulg_pool_1d(struct ul_graph *g, struct ul_tensor *a, int kernel, int stride,
                              int pad);
struct ul_tensor *ulg_pool_2d(struct ul_graph *g, struct ul_tensor *a, int k0, int k1, int s0,
                              int s1, int p0, int p1);

#undef ULG_1
#undef ULG_2
#undef ULG_3
#undef ULG_SIZES
#endif
