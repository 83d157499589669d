/* CUDA's rules: which operations the back-end runs, and what it asks for a tensor. Source:
 * ggml/src/ggml-cuda/ggml-cuda.cu (ggml_backend_cuda_buffer_type_get_alloc_size,
 * ggml_backend_cuda_device_supports_op, get_op_batch_size) and fattn.cu
 * (ggml_cuda_get_best_fattn_kernel); where 0.7.0 differs from the source at hand, its answers to
 * tensors of many shapes decided. Flash attention is the one operation whose size is not its
 * result's: kernels that read half precision get copies of other caches after it. */
#include "graph/device_impl.h"
#include "graph/ops.h"

#define ROW_PADDING 512   /* MATRIX_ROW_PADDING: quantised rows are read in such steps */
#define KQ_STRIDE 256     /* FATTN_KQ_STRIDE */
#define OFFLOAD_BATCH 32  /* GGML_OP_OFFLOAD_MIN_BATCH's default */

/* Compute capability x 100; unknown counts as a recent card. */
static int cc_of(const struct ul_hw *hw)
{
    return hw->cc ? hw->cc : 890;
}

static bool quantized(const struct ul_tensor *t)
{
    const struct ul_type_info *info = ul_type_info(t->type);
    return info && info->quantized;
}

/* --- flash attention -------------------------------------------------------------------------- */

static bool cache_type(uint8_t type)
{
    return type == UL_F32 || type == UL_F16 || type == UL_BF16 || type == UL_Q8_0 ||
           type == UL_Q4_0 || type == UL_Q4_1 || type == UL_Q5_0 || type == UL_Q5_1;
}

/* The vector kernels that are compiled in: one type for keys and values, and not all of them
 * (GGML_CUDA_FA_ALL_QUANTS off). What they lack, the other kernels do after a conversion. */
static bool vector_types(uint8_t k, uint8_t v)
{
    return k == v && (k == UL_F32 || k == UL_F16 || k == UL_BF16 || k == UL_Q8_0 || k == UL_Q4_0);
}

/* Whether heads that share a key can be taken together. */
bool ul_cuda_fattn_grouped(const struct ul_tensor *o, int64_t ratio)
{
    if (ratio < 2 || !o->src[3] || o->p[0] || o->src[1]->ne[1] % KQ_STRIDE)
        return false;
    for (int s = 0; s < 4; s++) {
        const struct ul_tensor *t = o->src[s];
        for (int i = 1; i < 4 && !quantized(t); i++)
            if (t->nb[i] % 16)
                return false;
    }
    return true;
}

/* Head sizes that have kernels: keys, values, and what else they need. */
static bool head_size(int64_t k, int64_t v, int64_t ratio, bool group)
{
    switch (k) {
    case 40: case 64: case 72: case 80: case 96: case 112: case 128: case 256:
        return v == k;
    case 192:
        return v == 128 && group && ratio % 8 == 0;
    case 320:
        return v == 256 && group && ratio % 32 == 0;
    case 512:
        return v == k && group;
    case 576:
        return v == 512 && group;
    default:
        return false;
    }
}

/* The vector kernel against the tensor cores' (7.5 and newer): small batches only. */
static bool vector_beats_mma(int cc, const struct ul_tensor *o, int64_t ratio, bool group)
{
    const struct ul_tensor *q = o->src[0], *k = o->src[1], *v = o->src[2];
    if (!group && q->ne[1] == 1)
        return true;
    if (quantized(k) || quantized(v))
        return q->ne[1] <= (cc >= 890 ? 2 : 1);
    bool many = ratio > 4 && (k->ne[1] >= 8192 || q->ne[0] == 256);
    return cc >= 890 && q->ne[1] == 1 && q->ne[3] == 1 && !many;
}

/* Volta's tensor cores pay off for many columns only; grouped heads count as columns. */
static enum ul_fattn volta(const struct ul_tensor *o, int64_t ratio, bool vector)
{
    const struct ul_tensor *q = o->src[0];
    int64_t most = q->ne[0] == 320                    ? 32
                 : q->ne[0] == 576 || q->ne[0] == 192 ? 16
                                                      : 8,
            columns = q->ne[1];
    for (int64_t n = 1; !o->p[0] && n < most && ratio % (2 * n) == 0; n *= 2)
        columns *= 2;
    if (vector && columns <= 2)
        return UL_FATTN_VEC;
    return columns <= 16 ? UL_FATTN_TILE : UL_FATTN_MMA;
}

enum ul_fattn ul_cuda_fattn_kernel(int cc, const struct ul_tensor *o)
{
    const struct ul_tensor *q = o->src[0], *k = o->src[1], *v = o->src[2], *mask = o->src[3];
    int64_t ratio = k->ne[2] > 0 ? q->ne[2] / k->ne[2] : 0;
    bool group = ul_cuda_fattn_grouped(o, ratio);
    if (!head_size(k->ne[0], v->ne[0], ratio, group) || !cache_type(k->type) ||
        !cache_type(v->type))
        return UL_FATTN_NONE;
    if (mask && mask->ne[2] != 1)
        return UL_FATTN_NONE;
    bool vector = q->ne[0] <= 256 && q->ne[0] % 64 == 0 && q->ne[0] != 192 &&
                  k->ne[1] % KQ_STRIDE == 0 && vector_types(k->type, v->type);
    bool tensor_cores = q->ne[0] != 40 && q->ne[0] != 72;
    if (cc >= 750 && tensor_cores)
        return vector && vector_beats_mma(cc, o, ratio, group) ? UL_FATTN_VEC : UL_FATTN_MMA;
    if (cc >= 700 && tensor_cores)
        return volta(o, ratio, vector);
    if (vector && (quantized(k) || quantized(v) ? q->ne[1] <= 2 : q->ne[1] == 1 && !group))
        return UL_FATTN_VEC;
    return UL_FATTN_TILE;
}

static uint64_t half_copy(uint64_t end, const struct ul_tensor *t)
{
    return ul_add(ul_pad(end, 128), ul_mul((uint64_t)ul_tensor_elements(t), 2));
}

/* ggml_cuda_flash_attn_ext_get_f16_extra_data: the result, then keys and values in half precision
 * where the kernel does not read the cache's type. Values that are part of the keys share
 * theirs. */
static uint64_t fattn_size(int cc, const struct ul_tensor *o)
{
    const struct ul_tensor *k = o->src[1], *v = o->src[2];
    enum ul_fattn which = ul_cuda_fattn_kernel(cc, o);
    bool all = which == UL_FATTN_TILE || which == UL_FATTN_MMA;
    bool need_k = all ? k->type != UL_F16 : which == UL_FATTN_VEC && k->type == UL_F32;
    bool need_v = all ? v->type != UL_F16 : which == UL_FATTN_VEC && v->type == UL_F32;
    bool shared = v->view_src && (v->view_src == k ||
                                  (v->view_src == k->view_src && v->view_offs == k->view_offs));
    uint64_t end = ul_tensor_bytes(o);
    if (need_k)
        end = half_copy(end, k);
    if (need_v && !shared)
        end = half_copy(end, v);
    return end;
}

uint64_t ul_cuda_alloc_size(const struct ul_hw *hw, const struct ul_tensor *t)
{
    uint64_t size = t->op == UL_OP_FLASH_ATTN_EXT ? fattn_size(cc_of(hw), t) : ul_tensor_bytes(t);
    if (quantized(t) && t->ne[0] % ROW_PADDING)
        size =
            ul_add(size, ul_row_bytes(t->type, (uint64_t)(ROW_PADDING - t->ne[0] % ROW_PADDING)));
    return size;
}

/* --- what it runs ----------------------------------------------------------------------------- */

/* ggml_is_contiguous_2: the dimensions above the third follow without gaps. */
static bool contiguous_2(const struct ul_tensor *t)
{
    return t->ne[3] == 1 || t->nb[3] == ul_mul(t->nb[2], (uint64_t)t->ne[2]);
}

#define MATRICES \
    (UL_BIT(UL_F32) | UL_BIT(UL_F16) | UL_BIT(UL_BF16) | UL_BIT(UL_Q1_0) | UL_BIT(UL_Q2_0) | \
     UL_BIT(UL_Q4_0) | UL_BIT(UL_Q4_1) | UL_BIT(UL_Q5_0) | UL_BIT(UL_Q5_1) | UL_BIT(UL_Q8_0) | \
     UL_BIT(UL_MXFP4) | UL_BIT(UL_NVFP4) | UL_BIT(UL_Q2_K) | UL_BIT(UL_Q3_K) | UL_BIT(UL_Q4_K) | \
     UL_BIT(UL_Q5_K) | UL_BIT(UL_Q6_K) | UL_BIT(UL_Q8_K) | UL_BIT(UL_IQ1_M) | UL_BIT(UL_IQ1_S) | \
     UL_BIT(UL_IQ2_S) | UL_BIT(UL_IQ2_XS) | UL_BIT(UL_IQ2_XXS) | UL_BIT(UL_IQ3_S) | \
     UL_BIT(UL_IQ3_XXS) | UL_BIT(UL_IQ4_NL) | UL_BIT(UL_IQ4_XS))

static bool is(const struct ul_tensor *t, uint8_t a, uint8_t b)
{
    return t->type == a || t->type == b;
}

/* A product by expert whose input must not be rounded (ggml_prec_set_src) has no kernel. */
static bool mul_mat(const struct ul_tensor *o)
{
    if (o->op == UL_OP_MUL_MAT_ID && o->p[1] == UL_PREC_F32)
        return false;
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    const struct ul_type_info *ia = ul_type_info(a->type), *ib = ul_type_info(b->type);
    if (!ia || !ib || a->nb[0] != ia->bytes || b->nb[0] != ib->bytes)
        return false;
    return (b->type != UL_F16 || a->type == UL_F16) && ul_type_in(a, MATRICES);
}

static bool get_rows(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0];
    switch (a->type) {
    case UL_NVFP4: case UL_Q8_K: case UL_TQ1_0: case UL_TQ2_0:
        return false;
    case UL_IQ4_NL: case UL_MXFP4:
        return a->ne[0] % 256 == 0; /* the kernel walks super-blocks */
    default:
        return a->type == UL_I32 || ul_type_in(a, MATRICES);
    }
}

static bool set_rows(const struct ul_tensor *o)
{
    const struct ul_tensor *rows = o->src[0];
    switch (o->type) {
    case UL_F16:
        return is(rows, UL_F32, UL_F16);
    case UL_F32: case UL_BF16: case UL_Q4_0: case UL_Q4_1: case UL_Q5_0: case UL_Q5_1: case UL_Q8_0:
    case UL_IQ4_NL:
        return rows->type == UL_F32;
    default:
        return false;
    }
}

static bool plain(uint8_t type)
{
    return type == UL_F32 || type == UL_F16 || type == UL_BF16;
}

static bool copy(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    if (plain(a->type) && plain(b->type))
        return true;
    if (a->type == b->type &&
        (a->type == UL_I32 || (ul_tensor_contiguous(a) && ul_tensor_contiguous(b))))
        return true;
    uint8_t other = a->type == UL_F32 ? b->type : a->type;
    if (a->type != UL_F32 && b->type != UL_F32)
        return false;
    switch (other) {
    case UL_Q8_0: case UL_Q4_0: case UL_Q4_1: case UL_Q5_0: case UL_Q5_1: case UL_I32:
        return true;
    default:
        return other == UL_IQ4_NL && a->type == UL_F32;
    }
}

/* Mamba 2 has one decay a head, Mamba 1 one a state. */
static bool ssm_scan(const struct ul_tensor *o)
{
    const struct ul_tensor *s = o->src[0];
    if (o->src[3]->ne[0] == 1)
        return (s->ne[0] == 128 || s->ne[0] == 256) && s->ne[1] % 16 == 0;
    return o->p[0] <= 1 && s->ne[0] == 16 && s->ne[1] == 1 && s->ne[2] % 128 == 0 &&
           o->src[4]->ne[1] == 1;
}

static bool concat(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    if (a->type != b->type || a->type != o->type)
        return false;
    return !quantized(a) || (ul_tensor_contiguous(a) && ul_tensor_contiguous(b));
}

static bool indexer(const struct ul_tensor *o)
{
    const struct ul_tensor *q = o->src[0];
    if (q->ne[0] != 128 || (q->ne[1] != 64 && q->ne[1] != 32))
        return false;
    for (int s = 0; s < 2; s++)
        for (int i = 1; i < 4 && !quantized(o->src[s]); i++)
            if (o->src[s]->nb[i] % 16)
                return false;
    return cache_type(o->src[1]->type);
}

/* Half and full precision mix; bfloat16 only with itself and full precision, and on the left. */
static bool arithmetic(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    if (a->type == UL_BF16)
        return is(b, UL_BF16, UL_F32) && plain(o->type);
    return is(a, UL_F32, UL_F16) && is(b, UL_F32, UL_F16) && is(o, UL_F32, UL_F16);
}

bool ul_cuda_supports_op(const struct ul_hw *hw, const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    switch (o->op) {
    case UL_OP_ADD: case UL_OP_SUB: case UL_OP_MUL: case UL_OP_DIV:
        return arithmetic(o);
    case UL_OP_MUL_MAT: case UL_OP_MUL_MAT_ID:
        return mul_mat(o);
    case UL_OP_GET_ROWS:
        return get_rows(o);
    case UL_OP_SET_ROWS:
        return set_rows(o);
    case UL_OP_CPY:
        return copy(o);
    case UL_OP_FLASH_ATTN_EXT:
        return ul_cuda_fattn_kernel(cc_of(hw), o) != UL_FATTN_NONE;
    case UL_OP_NORM: case UL_OP_RMS_NORM: case UL_OP_L2_NORM: case UL_OP_SUM: case UL_OP_UNARY:
    case UL_OP_SUM_ROWS: case UL_OP_MEAN:
        return ul_tensor_rows_contiguous(a); /* 0.7.0 added the last three */
    case UL_OP_GROUP_NORM:
        return ul_tensor_contiguous(a);
    case UL_OP_SCALE:
        return is(a, UL_F32, UL_BF16);
    case UL_OP_ROPE: case UL_OP_ROPE_BACK:
        return ul_tensor_rows_contiguous(a) && contiguous_2(a);
    case UL_OP_SSM_SCAN:
        return ssm_scan(o);
    case UL_OP_SSM_CONV:
        return a->ne[1] % 128 == 0;
    case UL_OP_CONCAT:
        return concat(o);
    case UL_OP_REPEAT:
        return is(a, UL_F32, UL_F16);
    case UL_OP_SET:
        return is(o, UL_F32, UL_I32) && a->type == o->type && b->type == o->type;
    case UL_OP_ACC: case UL_OP_IM2COL: case UL_OP_IM2COL_3D: case UL_OP_CONV_2D:
        return ul_tensor_contiguous(a) && ul_tensor_contiguous(b);
    case UL_OP_OUT_PROD: case UL_OP_CONV_TRANSPOSE_1D:
        return a->type == UL_F32 && b->type == UL_F32;
    case UL_OP_LIGHTNING_INDEXER:
        return indexer(o);
    case UL_OP_DIAG_MASK_ZERO: case UL_OP_CONV_3D: case UL_OP_WIN_PART:
    case UL_OP_WIN_UNPART: case UL_OP_GET_REL_POS: case UL_OP_ADD_REL_POS:
        return false;
    default:
        return true;
    }
}
