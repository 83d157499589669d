/* Metal's rules: which operations the back-end runs, and what it asks for a tensor. Source:
 * ggml/src/ggml-metal/ggml-metal-device.m (ggml_metal_device_supports_op), ggml-metal.cpp
 * (ggml_backend_metal_buffer_type_get_alloc_size, ggml_backend_metal_device_offload_op) and
 * ggml-metal-ops.cpp (the ..._extra_... functions). Apple's own GPUs are meant, M1 and newer: they
 * have SIMD-group matrices and reductions, and bfloat16.
 *
 * Unlike CUDA, Metal has no pool that grows while it works: what an operation needs for a moment
 * stands behind its result in the compute buffer. Flash attention's share is large, for it reserves
 * a copy of the whole cache in half precision whatever the cache's type. */
#include "graph/device_impl.h"
#include "graph/ops.h"

#define FLOATS (UL_BIT(UL_F32) | UL_BIT(UL_F16))
#define QUANTIZED_CACHES \
    (UL_BIT(UL_Q4_0) | UL_BIT(UL_Q4_1) | UL_BIT(UL_Q5_0) | UL_BIT(UL_Q5_1) | UL_BIT(UL_Q8_0))
#define CACHES (FLOATS | UL_BIT(UL_BF16) | QUANTIZED_CACHES)
#define WRITABLE (CACHES | UL_BIT(UL_IQ4_NL) | UL_BIT(UL_TQ2_0)) /* rows in single precision */

#define CHUNK 64        /* OP_FLASH_ATTN_EXT_NCPSG: columns a step; the vector kernel 32 */
#define CHUNK_VECTOR 32
#define QUERIES 8       /* OP_FLASH_ATTN_EXT_NQPSG: rows a step; the vector kernel 1 */
#define VECTOR_BATCH 20 /* the vector kernel takes fewer rows than that */
#define WORKGROUPS 32   /* partial results that are summed up, and rows that have them */
#define HALF_BATCH 32   /* rows from which on a quantised cache is expanded first */
#define OFFLOAD_BATCH 32

/* --- sizes ------------------------------------------------------------------------------------ */

static uint64_t product(const struct ul_tensor *t, int first)
{
    uint64_t n = 1;
    for (int i = first; i < 4; i++)
        n = ul_mul(n, (uint64_t)t->ne[i]);
    return n;
}

/* Values that are the first columns of the keys (latent attention) share their copy. */
static bool values_in_keys(const struct ul_tensor *o)
{
    const struct ul_tensor *k = o->src[1], *v = o->src[2];
    return v->view_src && (v->view_src == k ||
                           (v->view_src == k->view_src && v->view_offs == k->view_offs));
}

/* ggml_metal_op_flash_attn_ext_extra_pad: the last columns of keys, values and mask, filled up. */
static uint64_t fattn_tail(const struct ul_tensor *o)
{
    const struct ul_tensor *k = o->src[1], *v = o->src[2], *mask = o->src[3];
    uint64_t k_row = k->nb[1], v_row = v->nb[1];
    if (o->src[0]->ne[1] >= HALF_BATCH && ul_type_in(k, QUANTIZED_CACHES)) {
        k_row = ul_mul(2, (uint64_t)k->ne[0]);
        v_row = ul_mul(2, (uint64_t)(values_in_keys(o) ? k : v)->ne[0]);
    }
    uint64_t bytes = ul_add(ul_mul(k_row, product(k, 2)), ul_mul(v_row, product(v, 2)));
    if (mask)
        bytes = ul_add(bytes, ul_mul(2, product(mask, 1)));
    return ul_mul(CHUNK, bytes);
}

/* ggml_metal_op_flash_attn_ext_extra_blk: a byte for each block of the mask. */
static uint64_t fattn_blocks(const struct ul_tensor *o)
{
    const struct ul_tensor *q = o->src[0], *mask = o->src[3];
    bool vector = q->ne[1] < VECTOR_BATCH && q->ne[0] % 32 == 0;
    uint64_t rows = vector ? 1 : QUERIES, columns = vector ? CHUNK_VECTOR : CHUNK;
    if (!mask)
        return 0;
    uint64_t blocks = ul_mul(((uint64_t)q->ne[1] + rows - 1) / rows,
                             ((uint64_t)mask->ne[0] + columns - 1) / columns);
    return ul_pad(ul_mul(blocks, product(mask, 2)), 32);
}

/* ggml_metal_op_flash_attn_ext_extra_tmp: each workgroup's sum, with two figures to merge it by. */
static uint64_t fattn_partial(const struct ul_tensor *o)
{
    const struct ul_tensor *q = o->src[0];
    uint64_t rows = ul_mul(ul_min((uint64_t)q->ne[1], WORKGROUPS), product(q, 2));
    return ul_mul(4 * WORKGROUPS, ul_mul(rows, (uint64_t)o->src[2]->ne[0] + 2));
}

/* ggml_metal_op_flash_attn_ext_extra_kv_f16: keys and values in half precision. */
static uint64_t fattn_half(const struct ul_tensor *o)
{
    uint64_t bytes = ul_pad(ul_mul(2, product(o->src[1], 0)), 16);
    return values_in_keys(o) ? bytes : ul_add(bytes, ul_pad(ul_mul(2, product(o->src[2], 0)), 16));
}

uint64_t ul_metal_alloc_size(const struct ul_hw *hw, const struct ul_tensor *t)
{
    uint64_t size = ul_tensor_bytes(t);
    (void)hw;
    switch (t->op) {
    case UL_OP_MUL_MAT_ID: /* tokens an expert, and which they are */
        return ul_add(size, ul_mul(4 * (uint64_t)t->src[0]->ne[2], 1 + (uint64_t)t->src[2]->ne[1]));
    case UL_OP_FLASH_ATTN_EXT:
        return ul_add(ul_add(size, ul_add(fattn_tail(t), fattn_blocks(t))),
                      ul_add(fattn_partial(t), fattn_half(t)));
    case UL_OP_CUMSUM: case UL_OP_ARGSORT:
        return ul_mul(2, size);
    case UL_OP_TOP_K:
        return ul_mul(8, product(t->src[0], 0));
    default:
        return size;
    }
}

/* --- what it runs ----------------------------------------------------------------------------- */

static bool rows_of(const struct ul_tensor *t, uint64_t types)
{
    return ul_type_in(t, types) && ul_tensor_rows_contiguous(t);
}

static bool head_size(int64_t n)
{
    static const int16_t sizes[] = {32, 40, 48, 64, 72, 80, 96, 112, 128, 192, 256, 320, 512, 576};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] == n)
            return true;
    return false;
}

static bool copy(const struct ul_tensor *o)
{
    switch (o->src[0]->type) {
    case UL_F32:
        return ul_type_in(o, WRITABLE | UL_BIT(UL_Q1_0) | UL_BIT(UL_Q2_0) | UL_BIT(UL_I32));
    case UL_BF16:
        return ul_type_in(o, UL_BIT(UL_F32) | UL_BIT(UL_BF16));
    case UL_I32:
        return ul_type_in(o, UL_BIT(UL_F32) | UL_BIT(UL_I32));
    default:
        return ul_type_in(o->src[0], QUANTIZED_CACHES | UL_BIT(UL_F16) | UL_BIT(UL_Q1_0) |
                                         UL_BIT(UL_Q2_0) | UL_BIT(UL_TQ2_0)) &&
               ul_type_in(o, FLOATS);
    }
}

/* The kernel is compiled for one shape of index. */
static bool indexer(const struct ul_tensor *o)
{
    return o->src[0]->ne[0] == 128 && o->src[0]->ne[1] == 64 &&
           rows_of(o->src[0], UL_BIT(UL_F32)) && rows_of(o->src[1], CACHES) &&
           rows_of(o->src[2], UL_BIT(UL_F32)) && rows_of(o->src[3], UL_BIT(UL_F16));
}

static bool concat(const struct ul_tensor *o)
{
    const struct ul_type_info *info = ul_type_info(o->type);
    return o->src[0]->type == o->type && o->src[1]->type == o->type && info && !info->quantized;
}

bool ul_metal_supports_op(const struct ul_hw *hw, const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    (void)hw;
    switch (o->op) {
    case UL_OP_SCALE: case UL_OP_FILL: case UL_OP_CLAMP: case UL_OP_SQR: case UL_OP_SQRT:
    case UL_OP_SIN: case UL_OP_COS: case UL_OP_LOG: case UL_OP_UNARY:
        return rows_of(a, FLOATS);
    case UL_OP_GLU:
        return o->sub != UL_GLU_SWIGLU_CLAMP && rows_of(a, FLOATS);
    case UL_OP_CONCAT:
        return concat(o);
    case UL_OP_ADD: case UL_OP_SUB: case UL_OP_MUL: case UL_OP_DIV: case UL_OP_ADD_ID:
        return rows_of(a, FLOATS) && rows_of(b, FLOATS) && a->type == b->type;
    case UL_OP_ACC:
        return rows_of(a, UL_BIT(UL_F32)) && ul_tensor_rows_contiguous(b);
    case UL_OP_REPEAT: case UL_OP_CONV_TRANSPOSE_1D: case UL_OP_ARGMAX: case UL_OP_ROPE:
    case UL_OP_ROPE_BACK: case UL_OP_ARGSORT: case UL_OP_TOP_K: case UL_OP_ARANGE:
    case UL_OP_SSM_SCAN: case UL_OP_SSM_CONV: case UL_OP_RWKV_WKV6: case UL_OP_RWKV_WKV7:
    case UL_OP_DIAG:
        return true;
    case UL_OP_SUM: case UL_OP_ROLL:
        return ul_tensor_contiguous(a);
    case UL_OP_TRI: case UL_OP_SUM_ROWS: case UL_OP_CUMSUM: case UL_OP_MEAN: case UL_OP_SOFT_MAX:
    case UL_OP_GROUP_NORM: case UL_OP_L2_NORM: case UL_OP_NORM: case UL_OP_RMS_NORM:
        return ul_tensor_rows_contiguous(a);
    case UL_OP_IM2COL:
        return b->type == UL_F32 && ul_tensor_contiguous(b) && ul_type_in(o, FLOATS);
    case UL_OP_CONV_2D: case UL_OP_CONV_3D: case UL_OP_CONV_TRANSPOSE_2D:
        return ul_type_in(a, FLOATS) && ul_tensor_contiguous(a) && b->type == UL_F32;
    case UL_OP_CONV_2D_DW:
        return ul_type_in(a, FLOATS) && b->type == UL_F32;
    case UL_OP_UPSCALE: case UL_OP_POOL_2D: case UL_OP_PAD_REFLECT_1D:
    case UL_OP_TIMESTEP_EMBEDDING:
        return a->type == UL_F32;
    case UL_OP_POOL_1D:
        return a->type == UL_F32 && ul_tensor_contiguous(a);
    case UL_OP_PAD:
        return !o->p[0];
    case UL_OP_LEAKY_RELU:
        return ul_type_in(a, FLOATS);
    case UL_OP_FLASH_ATTN_EXT:
        return head_size(a->ne[0]) && b->type == o->src[2]->type && ul_type_in(b, CACHES);
    case UL_OP_LIGHTNING_INDEXER:
        return indexer(o);
    case UL_OP_DSV4_HC_COMB:
        return a->ne[0] == 24;
    case UL_OP_DSV4_HC_PRE:
        return a->ne[1] == 4;
    case UL_OP_DSV4_HC_POST:
        return b->ne[1] == 4;
    case UL_OP_GATED_DELTA_NET:
        return o->src[2]->ne[0] % 32 == 0;
    case UL_OP_SOLVE_TRI: case UL_OP_MUL_MAT: case UL_OP_MUL_MAT_ID: case UL_OP_GET_ROWS:
        return a->type != UL_NVFP4;
    case UL_OP_SET: case UL_OP_CPY: case UL_OP_DUP: case UL_OP_CONT:
        return copy(o);
    case UL_OP_SET_ROWS:
        return a->type == UL_F16 ? o->type == UL_F16 : a->type == UL_F32 && ul_type_in(o, WRITABLE);
    default:
        return false;
    }
}

bool ul_metal_offload_op(const struct ul_hw *hw, const struct ul_tensor *o)
{
    (void)hw;
    return (o->op == UL_OP_MUL_MAT && o->ne[1] >= OFFLOAD_BATCH) ||
           (o->op == UL_OP_MUL_MAT_ID && o->ne[2] >= OFFLOAD_BATCH);
}
