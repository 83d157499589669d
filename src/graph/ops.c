/* The operations, part one: what works element by element, along rows, or rearranges. Every
 * function says which shape ggml/src/ggml.c's function of that name gives its result; the helpers
 * below are the four ways in which a result comes about: like its source, a view of it, a new
 * shape, or the source's memory seen otherwise. */
#include "graph/ops.h"
#include "graph/ops_impl.h"

#include <stddef.h>

/* --- names and facts -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool inplace;
} ops[UL_OP_COUNT] = {
#define OP(id, text, in) [UL_OP_##id] = {.name = text, .inplace = in},
#include "graph/ops.def"
#undef OP
};

static const char *const unary_name[UL_UNARY_COUNT] = {
    [UL_UNARY_ABS] = "ABS", [UL_UNARY_SGN] = "SGN", [UL_UNARY_NEG] = "NEG",
    [UL_UNARY_STEP] = "STEP", [UL_UNARY_TANH] = "TANH", [UL_UNARY_ELU] = "ELU",
    [UL_UNARY_RELU] = "RELU", [UL_UNARY_SIGMOID] = "SIGMOID", [UL_UNARY_GELU] = "GELU",
    [UL_UNARY_GELU_QUICK] = "GELU_QUICK", [UL_UNARY_SILU] = "SILU",
    [UL_UNARY_HARDSWISH] = "HARDSWISH", [UL_UNARY_HARDSIGMOID] = "HARDSIGMOID",
    [UL_UNARY_EXP] = "EXP", [UL_UNARY_EXPM1] = "EXPM1", [UL_UNARY_SOFTPLUS] = "SOFTPLUS",
    [UL_UNARY_GELU_ERF] = "GELU_ERF", [UL_UNARY_XIELU] = "XIELU", [UL_UNARY_FLOOR] = "FLOOR",
    [UL_UNARY_CEIL] = "CEIL", [UL_UNARY_ROUND] = "ROUND", [UL_UNARY_TRUNC] = "TRUNC",
};

static const char *const glu_name[UL_GLU_COUNT] = {
    [UL_GLU_REGLU] = "REGLU", [UL_GLU_GEGLU] = "GEGLU", [UL_GLU_SWIGLU] = "SWIGLU",
    [UL_GLU_SWIGLU_OAI] = "SWIGLU_OAI", [UL_GLU_SWIGLU_CLAMP] = "SWIGLU_CLAMP",
    [UL_GLU_GEGLU_ERF] = "GEGLU_ERF", [UL_GLU_GEGLU_QUICK] = "GEGLU_QUICK",
};

const char *ul_op_name(const struct ul_tensor *t)
{
    if (t->op == UL_OP_UNARY)
        return t->sub < UL_UNARY_COUNT ? unary_name[t->sub] : "UNARY";
    if (t->op == UL_OP_GLU)
        return t->sub < UL_GLU_COUNT ? glu_name[t->sub] : "GLU";
    return t->op < UL_OP_COUNT ? ops[t->op].name : "?";
}

bool ul_op_inplace(uint8_t op)
{
    return ops[op].inplace;
}

/* --- how results come about ------------------------------------------------------------------- */

bool ulg_check(struct ul_graph *g, const struct ul_tensor *t, bool ok)
{
    if (!ok && !g->bad)
        g->bad = ul_op_name(t);
    return ok;
}

struct ul_tensor *ulg_given(struct ul_graph *g, struct ul_tensor *t)
{
    if (t != NULL)
        return t;
    if (!g->bad)
        g->bad = "a tensor is missing";
    return ulg_new_1d(g, UL_F32, 1);
}

/* ggml_new_tensor_impl: contiguous strides; a row must be whole blocks. */
static void set_shape(struct ul_graph *g, struct ul_tensor *t, enum ul_type type,
                      const int64_t ne[4])
{
    const struct ul_type_info *info = ul_type_info(type);
    int64_t block = info && info->block ? info->block : 1;
    t->type = (uint8_t)type;
    t->nb[0] = info ? info->bytes : 0;
    uint64_t next = t->nb[0];
    bool ok = ne[0] % block == 0;
    for (int i = 0; i < 4; i++) {
        ok &= ne[i] >= 0;
        t->ne[i] = ne[i] < 0 ? 0 : ne[i];
        t->nb[i] = i ? next : t->nb[0];
        next = ul_mul(next, (uint64_t)(i ? t->ne[i] : t->ne[0] / block));
    }
    if (!ok)
        ulg_check(g, t, false);
}

struct ul_tensor *ulg_make(struct ul_graph *g, enum ul_op op, enum ul_type type,
                           const int64_t ne[4])
{
    struct ul_tensor *t = ul_graph_tensor(g);
    t->op = (uint8_t)op;
    set_shape(g, t, type, ne);
    return t;
}

struct ul_tensor *ulg_like(struct ul_graph *g, enum ul_op op, struct ul_tensor *a,
                           struct ul_tensor *b)
{
    struct ul_tensor *t = ulg_make(g, op, a->type, a->ne);
    t->src[0] = a;
    t->src[1] = b;
    return t;
}

/* A name derived from a's: ggml formats "%s (view)" and the like at once. */
static void derive_name(struct ul_tensor *t, const struct ul_tensor *a, enum ul_suffix_code code)
{
    t->name = a->name;
    t->layer = a->layer;
    t->suffix = a->suffix << 4 | (unsigned)code;
    if (a->flags & UL_TENSOR_COPY) {
        t->flags |= UL_TENSOR_COPY;
        t->origin = a->origin;
    }
}

/* A view of a whose shape the caller sets: views of views point at the base. */
static struct ul_tensor *look_at(struct ul_graph *g, enum ul_op op, struct ul_tensor *a,
                                 uint64_t offset, enum ul_suffix_code code)
{
    struct ul_tensor *t = ul_graph_tensor(g);
    t->op = (uint8_t)op;
    t->view_src = a->view_src ? a->view_src : a;
    t->view_offs = ul_add(offset, a->view_src ? a->view_offs : 0);
    derive_name(t, a, code);
    return t;
}

struct ul_tensor *ulg_over(struct ul_graph *g, enum ul_op op, struct ul_tensor *a,
                           struct ul_tensor *b)
{
    struct ul_tensor *t = look_at(g, op, a, 0, UL_SUFFIX_VIEW);
    t->type = a->type;
    for (int i = 0; i < 4; i++) {
        t->ne[i] = a->ne[i];
        t->nb[i] = a->nb[i];
    }
    t->src[0] = a;
    t->src[1] = b;
    return t;
}

struct ul_tensor *ulg_view_tensor(struct ul_graph *g, struct ul_tensor *a)
{
    struct ul_tensor *t = ulg_over(g, UL_OP_NONE, a, NULL);
    t->src[0] = NULL;
    return t;
}

static bool divides(int64_t n, int64_t m)
{
    return n > 0 ? m % n == 0 : m == 0;
}

/* ggml_can_repeat: a fits into the shape of b a whole number of times. */
static bool can_repeat(const struct ul_tensor *a, const struct ul_tensor *b)
{
    return divides(a->ne[0], b->ne[0]) && divides(a->ne[1], b->ne[1]) &&
           divides(a->ne[2], b->ne[2]) && divides(a->ne[3], b->ne[3]);
}

/* --- tensors and their marks ------------------------------------------------------------------ */

struct ul_tensor *ulg_new_4d(struct ul_graph *g, enum ul_type type, int64_t n0, int64_t n1,
                             int64_t n2, int64_t n3)
{
    return ulg_make(g, UL_OP_NONE, type, (int64_t[4]){n0, n1, n2, n3});
}

struct ul_tensor *ulg_new_3d(struct ul_graph *g, enum ul_type type, int64_t n0, int64_t n1,
                             int64_t n2)
{
    return ulg_new_4d(g, type, n0, n1, n2, 1);
}

struct ul_tensor *ulg_new_2d(struct ul_graph *g, enum ul_type type, int64_t n0, int64_t n1)
{
    return ulg_new_4d(g, type, n0, n1, 1, 1);
}

struct ul_tensor *ulg_new_1d(struct ul_graph *g, enum ul_type type, int64_t n0)
{
    return ulg_new_4d(g, type, n0, 1, 1, 1);
}

struct ul_tensor *ulg_name(struct ul_tensor *t, const char *name, int layer)
{
    t->name = name;
    t->layer = layer;
    t->suffix = 0;
    return t;
}

struct ul_tensor *ulg_set_input(struct ul_tensor *t)
{
    t->flags |= UL_TENSOR_INPUT;
    return t;
}

struct ul_tensor *ulg_set_output(struct ul_tensor *t)
{
    t->flags |= UL_TENSOR_OUTPUT;
    return t;
}

/* --- element by element ----------------------------------------------------------------------- */

static struct ul_tensor *binary(struct ul_graph *g, enum ul_op op, struct ul_tensor *a,
                                struct ul_tensor *b, bool inplace)
{
    a = ulg_given(g, a);
    b = ulg_given(g, b);
    struct ul_tensor *t = inplace ? ulg_over(g, op, a, b) : ulg_like(g, op, a, b);
    ulg_check(g, t, can_repeat(b, a));
    return t;
}

#define DEF_1(fn, expression) \
    struct ul_tensor *ulg_##fn(struct ul_graph *g, struct ul_tensor *a) { return expression; }
#define DEF_2(fn, expression) \
    struct ul_tensor *ulg_##fn(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b) \
    { return expression; }

DEF_2(add, binary(g, UL_OP_ADD, a, b, false))
DEF_2(add_inplace, binary(g, UL_OP_ADD, a, b, true))
DEF_2(add1, binary(g, UL_OP_ADD1, a, b, false))
DEF_2(sub, binary(g, UL_OP_SUB, a, b, false))
DEF_2(mul, binary(g, UL_OP_MUL, a, b, false))
DEF_2(mul_inplace, binary(g, UL_OP_MUL, a, b, true))
DEF_2(div, binary(g, UL_OP_DIV, a, b, false))
DEF_1(dup, ulg_like(g, UL_OP_DUP, a, NULL))
DEF_1(sqr, ulg_like(g, UL_OP_SQR, a, NULL))
DEF_1(sqrt, ulg_like(g, UL_OP_SQRT, a, NULL))
DEF_1(log, ulg_like(g, UL_OP_LOG, a, NULL))
DEF_1(sin, ulg_like(g, UL_OP_SIN, a, NULL))
DEF_1(cos, ulg_like(g, UL_OP_COS, a, NULL))
DEF_1(scale, ulg_like(g, UL_OP_SCALE, a, NULL))
DEF_1(scale_inplace, ulg_over(g, UL_OP_SCALE, a, NULL))
/* 0.7.0 gave clamp a result of its own; before, ggml_clamp was always a view. */
DEF_1(clamp, ulg_like(g, UL_OP_CLAMP, a, NULL))
DEF_1(clamp_inplace, ulg_over(g, UL_OP_CLAMP, a, NULL))
DEF_1(fill, ulg_like(g, UL_OP_FILL, a, NULL))
DEF_1(fill_inplace, ulg_over(g, UL_OP_FILL, a, NULL))
DEF_1(leaky_relu, ulg_like(g, UL_OP_LEAKY_RELU, a, NULL))
DEF_1(norm, ulg_like(g, UL_OP_NORM, a, NULL))
DEF_1(rms_norm, ulg_like(g, UL_OP_RMS_NORM, a, NULL))
DEF_1(group_norm, ulg_like(g, UL_OP_GROUP_NORM, a, NULL))
DEF_1(l2_norm, ulg_like(g, UL_OP_L2_NORM, a, NULL))
DEF_1(cumsum, ulg_like(g, UL_OP_CUMSUM, a, NULL))
DEF_1(tri, ulg_like(g, UL_OP_TRI, a, NULL))
DEF_1(roll, ulg_like(g, UL_OP_ROLL, a, NULL))
DEF_1(diag_mask_inf, ulg_like(g, UL_OP_DIAG_MASK_INF, a, NULL))
DEF_1(diag_mask_zero, ulg_like(g, UL_OP_DIAG_MASK_ZERO, a, NULL))
DEF_2(set, ulg_like(g, UL_OP_SET, a, b))
DEF_2(set_inplace, ulg_over(g, UL_OP_SET, a, b))
DEF_2(acc, ulg_like(g, UL_OP_ACC, a, b))

struct ul_tensor *ulg_add_id(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                             struct ul_tensor *ids)
{
    a = ulg_given(g, a);
    b = ulg_given(g, b);
    struct ul_tensor *t = ulg_like(g, UL_OP_ADD_ID, a, b);
    t->src[2] = ids;
    ulg_check(g, t, a->ne[0] == b->ne[0] && a->ne[1] == ids->ne[0] && a->ne[2] == ids->ne[1]);
    return t;
}

struct ul_tensor *ulg_unary(struct ul_graph *g, struct ul_tensor *a, enum ul_unary op)
{
    struct ul_tensor *t = ulg_like(g, UL_OP_UNARY, a, NULL);
    t->sub = (uint8_t)op;
    return t;
}

struct ul_tensor *ulg_unary_inplace(struct ul_graph *g, struct ul_tensor *a, enum ul_unary op)
{
    struct ul_tensor *t = ulg_over(g, UL_OP_UNARY, a, NULL);
    t->sub = (uint8_t)op;
    return t;
}

struct ul_tensor *ulg_glu(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b,
                          enum ul_glu op)
{
    struct ul_tensor *t = ulg_make(g, UL_OP_GLU, a->type,
        (int64_t[4]){b ? a->ne[0] : a->ne[0] / 2, a->ne[1], a->ne[2], a->ne[3]});
    t->sub = (uint8_t)op;
    t->src[0] = a;
    t->src[1] = b;
    ulg_check(g, t, !b || ulg_same_shape(a, b));
    return t;
}

/* --- along rows ------------------------------------------------------------------------------- */

static struct ul_tensor *one_source(struct ul_graph *g, enum ul_op op, enum ul_type type,
                                    struct ul_tensor *a, int64_t n0, int64_t n1, int64_t n2,
                                    int64_t n3)
{
    struct ul_tensor *t = ulg_make(g, op, type, (int64_t[4]){n0, n1, n2, n3});
    t->src[0] = a;
    return t;
}

DEF_1(sum, one_source(g, UL_OP_SUM, a->type, a, 1, 1, 1, 1))
DEF_1(sum_rows, one_source(g, UL_OP_SUM_ROWS, a->type, a, 1, a->ne[1], a->ne[2], a->ne[3]))
DEF_1(mean, one_source(g, UL_OP_MEAN, UL_F32, a, 1, a->ne[1], a->ne[2], a->ne[3]))
DEF_1(argmax, one_source(g, UL_OP_ARGMAX, UL_I32, a, a->ne[1], 1, 1, 1))
DEF_1(argsort, one_source(g, UL_OP_ARGSORT, UL_I32, a, a->ne[0], a->ne[1], a->ne[2], a->ne[3]))
DEF_1(diag, one_source(g, UL_OP_DIAG, a->type, a, a->ne[0], a->ne[0], a->ne[2], a->ne[3]))
DEF_2(repeat, one_source(g, UL_OP_REPEAT, a->type, a, b->ne[0], b->ne[1], b->ne[2], b->ne[3]))

struct ul_tensor *ulg_repeat_4d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                                int64_t n2, int64_t n3)
{
    struct ul_tensor *t = one_source(g, UL_OP_REPEAT, a->type, a, n0, n1, n2, n3);
    ulg_check(g, t, can_repeat(a, t));
    return t;
}

struct ul_tensor *ulg_top_k(struct ul_graph *g, struct ul_tensor *a, int64_t k)
{
    struct ul_tensor *t = one_source(g, UL_OP_TOP_K, UL_I32, a, k, a->ne[1], a->ne[2], a->ne[3]);
    ulg_check(g, t, a->ne[0] >= k);
    return t;
}

struct ul_tensor *ulg_argsort_top_k(struct ul_graph *g, struct ul_tensor *a, int64_t k)
{
    struct ul_tensor *t = ulg_argsort(g, a);
    ulg_check(g, t, a->ne[0] >= k);
    return ulg_view_4d(g, t, k, t->ne[1], t->ne[2], t->ne[3], t->nb[1], t->nb[2], t->nb[3], 0);
}

struct ul_tensor *ulg_solve_tri(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b)
{
    struct ul_tensor *t =
        one_source(g, UL_OP_SOLVE_TRI, UL_F32, a, b->ne[0], b->ne[1], b->ne[2], b->ne[3]);
    t->src[1] = b;
    ulg_check(g, t, a->ne[0] == a->ne[1] && a->ne[1] == b->ne[1]);
    return t;
}

struct ul_tensor *ulg_concat(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b, int dim)
{
    a = ulg_given(g, a);
    b = ulg_given(g, b);
    int64_t ne[4];
    bool ok = a->type == b->type;
    for (int i = 0; i < 4; i++) {
        ne[i] = i == dim ? a->ne[i] + b->ne[i] : a->ne[i];
        ok &= i == dim || a->ne[i] == b->ne[i];
    }
    struct ul_tensor *t = ulg_make(g, UL_OP_CONCAT, a->type, ne);
    t->src[0] = a;
    t->src[1] = b;
    t->p[0] = dim;
    ulg_check(g, t, ok);
    return t;
}

struct ul_tensor *ulg_pad_ext(struct ul_graph *g, struct ul_tensor *a, const int64_t left[4],
                              const int64_t right[4])
{
    return one_source(g, UL_OP_PAD, a->type, a, a->ne[0] + left[0] + right[0],
                      a->ne[1] + left[1] + right[1], a->ne[2] + left[2] + right[2],
                      a->ne[3] + left[3] + right[3]);
}

struct ul_tensor *ulg_interpolate(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                                  int64_t n2, int64_t n3)
{
    return one_source(g, UL_OP_UPSCALE, a->type, a, n0, n1, n2, n3);
}

struct ul_tensor *ulg_pad(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                          int64_t n2, int64_t n3)
{
    return ulg_pad_ext(g, a, (int64_t[4]){0}, (int64_t[4]){n0, n1, n2, n3});
}

struct ul_tensor *ulg_pad_reflect_1d(struct ul_graph *g, struct ul_tensor *a, int64_t p0,
                                     int64_t p1)
{
    return one_source(g, UL_OP_PAD_REFLECT_1D, a->type, a, a->ne[0] + p0 + p1, a->ne[1], a->ne[2],
                      a->ne[3]);
}

struct ul_tensor *ulg_arange(struct ul_graph *g, int64_t steps)
{
    return one_source(g, UL_OP_ARANGE, UL_F32, NULL, steps, 1, 1, 1);
}

struct ul_tensor *ulg_timestep_embedding(struct ul_graph *g, struct ul_tensor *a, int64_t dim)
{
    return one_source(g, UL_OP_TIMESTEP_EMBEDDING, UL_F32, a, dim, a->ne[0], 1, 1);
}

/* --- rearranging ------------------------------------------------------------------------------ */

struct ul_tensor *ulg_reshape_4d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                                 int64_t n2, int64_t n3)
{
    a = ulg_given(g, a);
    struct ul_tensor *t = look_at(g, UL_OP_RESHAPE, a, 0, UL_SUFFIX_RESHAPED);
    set_shape(g, t, (enum ul_type)a->type, (int64_t[4]){n0, n1, n2, n3});
    t->src[0] = a;
    ulg_check(g, t, ul_tensor_contiguous(a) && ul_tensor_elements(a) == ul_tensor_elements(t));
    return t;
}

struct ul_tensor *ulg_reshape_3d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                                 int64_t n2)
{
    return ulg_reshape_4d(g, a, n0, n1, n2, 1);
}

struct ul_tensor *ulg_reshape_2d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1)
{
    return ulg_reshape_4d(g, a, n0, n1, 1, 1);
}

struct ul_tensor *ulg_reshape_1d(struct ul_graph *g, struct ul_tensor *a, int64_t n0)
{
    return ulg_reshape_4d(g, a, n0, 1, 1, 1);
}

DEF_2(reshape, ulg_reshape_4d(g, a, b->ne[0], b->ne[1], b->ne[2], b->ne[3]))

/* ggml_view_impl, with the strides that the caller then sets. */
static struct ul_tensor *view(struct ul_graph *g, struct ul_tensor *a, const int64_t ne[4],
                              uint64_t offset)
{
    a = ulg_given(g, a);
    struct ul_tensor *t = look_at(g, UL_OP_VIEW, a, offset, UL_SUFFIX_VIEW);
    set_shape(g, t, (enum ul_type)a->type, ne);
    t->src[0] = a;
    uint64_t size = ul_tensor_bytes(t);
    ulg_check(g, t, !size || ul_add(size, t->view_offs) <= ul_tensor_bytes(t->view_src));
    return t;
}

struct ul_tensor *ulg_view_1d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, uint64_t offset)
{
    return view(g, a, (int64_t[4]){n0, 1, 1, 1}, offset);
}

struct ul_tensor *ulg_view_2d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              uint64_t nb1, uint64_t offset)
{
    struct ul_tensor *t = view(g, a, (int64_t[4]){n0, n1, 1, 1}, offset);
    t->nb[1] = nb1;
    t->nb[2] = t->nb[3] = ul_mul(nb1, (uint64_t)n1);
    return t;
}

struct ul_tensor *ulg_view_3d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              int64_t n2, uint64_t nb1, uint64_t nb2, uint64_t offset)
{
    struct ul_tensor *t = view(g, a, (int64_t[4]){n0, n1, n2, 1}, offset);
    t->nb[1] = nb1;
    t->nb[2] = nb2;
    t->nb[3] = ul_mul(nb2, (uint64_t)n2);
    return t;
}

struct ul_tensor *ulg_view_4d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              int64_t n2, int64_t n3, uint64_t nb1, uint64_t nb2, uint64_t nb3,
                              uint64_t offset)
{
    struct ul_tensor *t = view(g, a, (int64_t[4]){n0, n1, n2, n3}, offset);
    t->nb[1] = nb1;
    t->nb[2] = nb2;
    t->nb[3] = nb3;
    return t;
}

struct ul_tensor *ulg_permute(struct ul_graph *g, struct ul_tensor *a, int x0, int x1, int x2,
                              int x3)
{
    const int axis[4] = {x0, x1, x2, x3};
    struct ul_tensor *t = look_at(g, UL_OP_PERMUTE, a, 0, UL_SUFFIX_VIEW);
    derive_name(t, a, UL_SUFFIX_PERMUTED);
    t->type = a->type;
    t->src[0] = a;
    for (int i = 0; i < 4; i++) {
        int to = axis[i] & 3;
        t->ne[to] = a->ne[i];
        t->nb[to] = a->nb[i];
        t->p[i] = axis[i];
    }
    ulg_check(g, t, (1 << x0 | 1 << x1 | 1 << x2 | 1 << x3) == 15);
    return t;
}

struct ul_tensor *ulg_transpose(struct ul_graph *g, struct ul_tensor *a)
{
    struct ul_tensor *t = ulg_permute(g, a, 1, 0, 2, 3);
    t->op = UL_OP_TRANSPOSE;
    derive_name(t, a, UL_SUFFIX_TRANSPOSED);
    return t;
}

struct ul_tensor *ulg_cont_4d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              int64_t n2, int64_t n3)
{
    struct ul_tensor *t = one_source(g, UL_OP_CONT, a->type, a, n0, n1, n2, n3);
    derive_name(t, a, UL_SUFFIX_CONT);
    ulg_check(g, t, ul_tensor_elements(a) == ul_tensor_elements(t));
    return t;
}

struct ul_tensor *ulg_cont_3d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1,
                              int64_t n2)
{
    return ulg_cont_4d(g, a, n0, n1, n2, 1);
}

struct ul_tensor *ulg_cont_2d(struct ul_graph *g, struct ul_tensor *a, int64_t n0, int64_t n1)
{
    return ulg_cont_4d(g, a, n0, n1, 1, 1);
}

DEF_1(cont, ulg_cont_4d(g, a, a->ne[0], a->ne[1], a->ne[2], a->ne[3]))

struct ul_tensor *ulg_cpy(struct ul_graph *g, struct ul_tensor *a, struct ul_tensor *b)
{
    struct ul_tensor *t = ulg_over(g, UL_OP_CPY, b, b);
    t->src[0] = a;
    bool named = b->name || b->suffix;
    derive_name(t, named ? b : a, named ? UL_SUFFIX_COPY_OF : UL_SUFFIX_COPY);
    ulg_check(g, t, ul_tensor_elements(a) == ul_tensor_elements(b));
    return t;
}

/* A copy to another type names itself as its destination. */
struct ul_tensor *ulg_cast(struct ul_graph *g, struct ul_tensor *a, enum ul_type type)
{
    struct ul_tensor *t = one_source(g, UL_OP_CPY, type, a, a->ne[0], a->ne[1], a->ne[2], a->ne[3]);
    t->src[1] = t;
    derive_name(t, a, UL_SUFFIX_COPY);
    return t;
}
