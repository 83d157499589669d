/* Vulkan's rules: which operations the back-end runs. Source: ggml/src/ggml-vulkan/ggml-vulkan.cpp
 * (ggml_backend_vk_device_supports_op). A tensor takes just its bytes. What a device may lack is
 * taken as present, as it is on every driver of the last years: subgroup operations, the Vulkan
 * memory model, buffers of 4 GiB. */
#include "graph/device_impl.h"
#include "graph/ops.h"

#define FLOATS (UL_BIT(UL_F32) | UL_BIT(UL_F16))
#define MATRICES \
    (FLOATS | UL_BIT(UL_BF16) | UL_BIT(UL_Q1_0) | UL_BIT(UL_Q2_0) | UL_BIT(UL_Q4_0) | \
     UL_BIT(UL_Q4_1) | UL_BIT(UL_Q5_0) | UL_BIT(UL_Q5_1) | UL_BIT(UL_Q8_0) | UL_BIT(UL_Q2_K) | \
     UL_BIT(UL_Q3_K) | UL_BIT(UL_Q4_K) | UL_BIT(UL_Q5_K) | UL_BIT(UL_Q6_K) | UL_BIT(UL_IQ1_S) | \
     UL_BIT(UL_IQ1_M) | UL_BIT(UL_IQ2_XXS) | UL_BIT(UL_IQ2_XS) | UL_BIT(UL_IQ2_S) | \
     UL_BIT(UL_IQ3_XXS) | UL_BIT(UL_IQ3_S) | UL_BIT(UL_IQ4_XS) | UL_BIT(UL_IQ4_NL) | \
     UL_BIT(UL_MXFP4) | UL_BIT(UL_NVFP4) | UL_BIT(UL_TQ2_0))
/* what rows can be written in, and read back from into single precision */
#define WRITABLE \
    (FLOATS | UL_BIT(UL_BF16) | UL_BIT(UL_Q1_0) | UL_BIT(UL_Q2_0) | UL_BIT(UL_Q4_0) | \
     UL_BIT(UL_Q4_1) | UL_BIT(UL_Q5_0) | UL_BIT(UL_Q5_1) | UL_BIT(UL_Q8_0) | UL_BIT(UL_IQ4_NL))
#define CACHES \
    (FLOATS | UL_BIT(UL_BF16) | UL_BIT(UL_Q4_0) | UL_BIT(UL_Q4_1) | UL_BIT(UL_Q5_0) | \
     UL_BIT(UL_Q5_1) | UL_BIT(UL_Q8_0) | UL_BIT(UL_IQ4_NL))

/* ggml_vk_dim01_contiguous: matrices may lie apart, their rows may not. */
static bool matrix_contiguous(const struct ul_tensor *t)
{
    const struct ul_type_info *info = ul_type_info(t->type);
    return info && t->nb[0] == info->bytes &&
           t->nb[1] == ul_row_bytes(t->type, (uint64_t)t->ne[0]) &&
           (t->ne[3] == 1 || t->nb[3] == ul_mul(t->nb[2], (uint64_t)t->ne[2]));
}

static bool mul_mat(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    const struct ul_tensor *outer = o->op == UL_OP_MUL_MAT_ID ? o->src[2] : a;
    if (!ul_type_in(a, MATRICES) || outer->ne[3] != b->ne[3])
        return false;
    if (!matrix_contiguous(a) && !ul_type_in(a, FLOATS | UL_BIT(UL_BF16)))
        return false;
    if (!matrix_contiguous(b) && !ul_type_in(b, FLOATS))
        return false;
    return a->type != UL_BF16 || b->type != UL_F16;
}

static bool flash_attn(const struct ul_tensor *o)
{
    const struct ul_tensor *q = o->src[0], *k = o->src[1], *v = o->src[2];
    return k->ne[0] % 8 == 0 && v->ne[0] % 8 == 0 && q->type == UL_F32 &&
           ul_type_in(k, CACHES) && ul_type_in(v, CACHES) &&
           (k->type == UL_BF16) == (v->type == UL_BF16);
}

/* A copy goes through single precision, or stays in its type. */
static bool copy(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1] ? o->src[1] : a;
    const struct ul_type_info *info = ul_type_info(a->type);
    if (a->type == UL_F32 && (ul_type_in(b, WRITABLE) || b->type == UL_I32))
        return true;
    if (b->type == UL_F32 && (ul_type_in(a, WRITABLE) || a->type == UL_I32))
        return true;
    return a->type == b->type && info && info->bytes % 2 == 0 &&
           (!info->quantized || (ul_tensor_contiguous(a) && ul_tensor_contiguous(o)));
}

static bool concat(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    const struct ul_type_info *info = ul_type_info(a->type);
    if (!info || a->type != b->type || a->type != o->type)
        return false;
    return !info->quantized || (ul_tensor_rows_contiguous(a) && ul_tensor_rows_contiguous(b) &&
                                ul_tensor_rows_contiguous(o));
}

/* Only Mamba 2's scan, with one decay a head. */
static bool ssm_scan(const struct ul_tensor *o)
{
    const struct ul_tensor *s = o->src[0], *decay = o->src[3];
    return s->type == UL_F32 && decay && decay->nb[1] == sizeof(float) &&
           (s->ne[0] == 128 || s->ne[0] == 256) && s->ne[1] % 16 == 0;
}

static bool delta_net(const struct ul_tensor *o)
{
    int64_t size = o->src[2]->ne[0];
    for (int i = 0; i < 6; i++)
        if (!o->src[i] || o->src[i]->type != UL_F32)
            return false;
    return size == 16 || size == 32 || size == 64 || size == 128;
}

static bool contiguous_f32(const struct ul_tensor *t)
{
    return t->type == UL_F32 && ul_tensor_contiguous(t);
}

/* What encoders of images and sound use. */
static bool convolution(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    switch (o->op) {
    case UL_OP_IM2COL:
        return contiguous_f32(b) && ul_type_in(o, FLOATS);
    case UL_OP_IM2COL_3D:
        return b->type == UL_F32 && ul_type_in(o, FLOATS);
    case UL_OP_CONV_2D_DW:
        return ul_type_in(a, FLOATS) && b->type == UL_F32;
    case UL_OP_CONV_TRANSPOSE_1D:
        return a->type == UL_F32 && b->type == UL_F32;
    case UL_OP_COL2IM_1D:
        return ul_type_in(a, FLOATS | UL_BIT(UL_BF16)) && o->type == a->type &&
               ul_tensor_contiguous(a);
    case UL_OP_CONV_2D: case UL_OP_CONV_3D: case UL_OP_CONV_TRANSPOSE_2D:
        return ul_type_in(a, FLOATS) && ul_tensor_contiguous(a) && contiguous_f32(b);
    default:
        return false;
    }
}

bool ul_vulkan_supports_op(const struct ul_hw *hw, const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    (void)hw;
    switch (o->op) {
    case UL_OP_UNARY: case UL_OP_SQR: case UL_OP_SQRT: case UL_OP_SIN: case UL_OP_COS:
    case UL_OP_CLAMP: case UL_OP_LEAKY_RELU: case UL_OP_LOG: case UL_OP_TRI: case UL_OP_DIAG:
        return ul_type_in(a, FLOATS) && o->type == a->type;
    case UL_OP_GLU:
        return ul_type_in(a, FLOATS) && o->type == a->type &&
               (!b || b->type == a->type);
    case UL_OP_MUL_MAT: case UL_OP_MUL_MAT_ID:
        return mul_mat(o);
    case UL_OP_FLASH_ATTN_EXT:
        return flash_attn(o);
    case UL_OP_GET_ROWS:
        return ul_type_in(a, MATRICES | UL_BIT(UL_I32));
    case UL_OP_SET_ROWS:
        return ul_type_in(a, FLOATS) && ul_type_in(o, WRITABLE);
    case UL_OP_CONT: case UL_OP_CPY: case UL_OP_DUP:
        return copy(o);
    case UL_OP_REPEAT:
        return ul_type_in(o, FLOATS | UL_BIT(UL_BF16) | UL_BIT(UL_I32) | UL_BIT(UL_I16));
    case UL_OP_ROPE:
        return ul_tensor_rows_contiguous(o) && ul_tensor_rows_contiguous(a);
    case UL_OP_ROPE_BACK: case UL_OP_RMS_NORM: case UL_OP_RWKV_WKV6: case UL_OP_RWKV_WKV7:
    case UL_OP_ARANGE:
        return true;
    /* newer than the source that was read: what 0.7.0 says of many shapes */
    case UL_OP_DSV4_HC_PRE:
        return a->ne[1] == 4;
    case UL_OP_DSV4_HC_POST:
        return b->ne[1] == 4;
    case UL_OP_LIGHTNING_INDEXER:
        return ul_type_in(b, CACHES);
    case UL_OP_GROUP_NORM:
        return ul_tensor_contiguous(a);
    case UL_OP_NORM: case UL_OP_L2_NORM: case UL_OP_UPSCALE: case UL_OP_PAD:
    case UL_OP_PAD_REFLECT_1D: case UL_OP_ROLL: case UL_OP_TIMESTEP_EMBEDDING:
    case UL_OP_SSM_CONV:
        return a->type == UL_F32;
    case UL_OP_ADD: case UL_OP_SUB: case UL_OP_MUL: case UL_OP_DIV:
        return ul_type_in(a, FLOATS) && ul_type_in(b, FLOATS) && ul_type_in(o, FLOATS);
    case UL_OP_ADD_ID: case UL_OP_ACC:
        return a->type == UL_F32 && b->type == UL_F32;
    case UL_OP_ADD1:
        return ul_type_in(a, FLOATS) && ul_type_in(b, FLOATS) &&
               (a->type == UL_F16 || a->type == b->type);
    case UL_OP_OUT_PROD:
        return contiguous_f32(a) && contiguous_f32(b);
    case UL_OP_ARGSORT: case UL_OP_TOP_K: /* 0.7.0 has no limit on the latter any more */
        return ul_tensor_contiguous(o) && ul_tensor_contiguous(a);
    case UL_OP_SET:
        return a->type == b->type && a->type == o->type &&
               ul_type_in(a, UL_BIT(UL_F32) | UL_BIT(UL_I32));
    case UL_OP_CONCAT:
        return concat(o);
    case UL_OP_FILL:
        return ul_type_in(o, FLOATS);
    case UL_OP_SCALE: case UL_OP_DIAG_MASK_INF: case UL_OP_ARGMAX: case UL_OP_POOL_1D:
    case UL_OP_POOL_2D:
        return contiguous_f32(a);
    case UL_OP_SOFT_MAX:
        return contiguous_f32(a) && (!b || ul_type_in(b, FLOATS));
    case UL_OP_SUM: case UL_OP_SUM_ROWS: case UL_OP_MEAN: case UL_OP_CUMSUM:
        return a->type == UL_F32 && ul_tensor_rows_contiguous(a);
    case UL_OP_SOLVE_TRI:
        return a->type == UL_F32 && o->type == UL_F32;
    case UL_OP_GATED_LINEAR_ATTN:
        return a->type == UL_F32 && a->ne[0] == 64;
    case UL_OP_GATED_DELTA_NET:
        return delta_net(o);
    case UL_OP_SSM_SCAN:
        return ssm_scan(o);
    default:
        return convolution(o);
    }
}
