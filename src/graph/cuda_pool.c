/* The CUDA back-end's pool. An operation takes what it needs from the pool, last in first out, and
 * gives all of it back when it is launched; so the pool's size is that of its hungriest operation,
 * in whole steps (ggml_cuda_pool_vmm in ggml-cuda.cu). What an operation takes follows from the
 * kernel that the back-end picks for its types and shapes on this generation of cards:
 *
 *   matrix product, quantised, large batch  the activations in 8-bit blocks, and a tile a block of
 *                                           the grid where blocks end inside a tile (mmq.cu)
 *   matrix product, quantised, few columns  the activations in 8-bit blocks (mmvq.cu)
 *   matrix product by cuBLAS                operands and result in the computing type (ggml-cuda.cu)
 *   flash attention                         partial results of tiles that several blocks share
 *   Mamba-2's scan                          the chunk's matrices (ssm-scan.cu)
 *
 * Confirmed against the pool's growth in 205 decoded batches on compute capabilities 6.1, 7.5, 8.0,
 * 8.9, 9.0 and 12.0. */
#include "graph/cuda_pool.h"

#include "graph/device_impl.h"
#include "graph/ops.h"

#define POOL_ALIGN 128    /* ggml_cuda_pool_vmm::alloc */
#define ROW_PADDING 512   /* MATRIX_ROW_PADDING */
#define Q8_BLOCK 128      /* QK8_1_MMQ: activations a block ... */
#define Q8_BYTES 144      /* ... and its bytes, sizeof(block_q8_1_mmq) */
#define KQ_STRIDE 256     /* FATTN_KQ_STRIDE */

/* What one operation has taken so far. */
struct use {
    const struct ul_cuda_device *d;
    uint64_t bytes;
    bool modelled;
    bool blas;      /* it takes cuBLAS's handle */
};

static void take(struct use *u, uint64_t bytes)
{
    u->bytes = ul_add(u->bytes, ul_pad(bytes, POOL_ALIGN));
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool quantized(const struct ul_tensor *t)
{
    const struct ul_type_info *info = ul_type_info(t->type);
    return info && info->quantized;
}

static uint64_t elements(const struct ul_tensor *t)
{
    return (uint64_t)ul_tensor_elements(t);
}

/* --- matrix products with quantised weights --------------------------------------------------- */

/* A product's tiles: I rows of the weight by J columns of activations. Larger J means fewer tiles;
 * which exist is in mmq-config-pascal.cuh and mmq-config-ampere.cuh: no tile between two powers of
 * two when the rows do not divide by 128. */
static const uint8_t tile_widths[] = {8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128};

static bool tile_exists(int cc, int j, bool ragged)
{
    return j <= (cc >= 700 ? 128 : 64) && (!ragged || (j & (j - 1)) == 0);
}

/* 32-bit words a row of a weight's tile in shared memory (ggml_cuda_mmq_get_sram_stride). */
static int tile_stride(uint8_t type)
{
    switch (type) {
    case UL_Q2_K:
        return 100;
    case UL_Q3_K: case UL_IQ2_XS: case UL_IQ2_S: case UL_NVFP4:
        return 84;
    default:
        return 76;
    }
}

/* Shared memory a block may ask for (cudaDeviceProp.sharedMemPerBlockOptin; CUDA C programming
 * guide, technical specifications by compute capability). */
static int shared_memory(int cc)
{
    switch (cc) {
    case 700: case 720:
        return 98304;
    case 750:
        return 65536;
    case 800: case 870:
        return 166912;
    case 900: case 1000: case 1030:
        return 232448;
    default:
        return cc < 700 ? 49152 : 101376;
    }
}

/* mmq_get_nbytes_shared, in the layout of tensor cores; older cards' tiles always fit. */
static bool tile_fits(int cc, uint8_t type, int j)
{
    if (cc < 750)
        return true;
    int64_t bytes =
        j * 4 + 128 * tile_stride(type) * 4 + (int64_t)ul_pad((uint64_t)j * Q8_BYTES, 1024);
    return bytes <= shared_memory(cc);
}

/* mul_mat_q_switch_J: the narrowest tile that needs the fewest. */
static int tile_width(int cc, uint8_t type, int64_t columns, bool ragged)
{
    int best = 8;
    int64_t fewest = INT64_MAX;
    for (size_t i = 0; i < sizeof tile_widths && fewest > 1; i++) {
        int j = tile_widths[i];
        if (!tile_exists(cc, j, ragged) || !tile_fits(cc, type, j))
            continue;
        if (ceil_div(columns, j) < fewest) {
            fewest = ceil_div(columns, j);
            best = j;
        }
    }
    return best;
}

/* ggml_cuda_mmq_get_J_max: the widest tile for that many columns, whether it fits or not. */
static int widest_tile(int cc, int64_t columns, bool ragged)
{
    int widest = 0;
    for (size_t i = 0; i < sizeof tile_widths; i++)
        if (tile_exists(cc, tile_widths[i], ragged) && tile_widths[i] <= columns)
            widest = tile_widths[i];
    return widest;
}

/* launch_mul_mat_q: from Volta on the grid has a block a multiprocessor, unless whole tiles fill it
 * well; where blocks then end inside tiles, each keeps a tile of partial sums. */
static void take_fixup(struct use *u, const struct ul_tensor *w, int64_t columns, int64_t matrices,
                       bool ragged)
{
    if (u->d->cc < 700)
        return;
    int j = tile_width(u->d->cc, w->type, columns, ragged);
    int64_t tiles = ceil_div(w->ne[1], 128) * ceil_div(columns, j) * matrices, sm = u->d->sm;
    int64_t efficiency = 100 * tiles / (sm * ceil_div(tiles, sm));
    int64_t blocks = efficiency >= 90 ? tiles : sm;
    if (tiles % blocks)
        take(u, (uint64_t)(blocks * j * 128 * 4));
}

/* Activations in 8-bit blocks; Blackwell quantises them to 4 bits for 4-bit float weights. */
static uint64_t quantised_rows(int cc, uint8_t type, uint64_t rows, int64_t values)
{
    bool fp4 = cc >= 1200 && (type == UL_MXFP4 || type == UL_NVFP4);
    uint64_t padded = ul_pad((uint64_t)values, ROW_PADDING);
    return ul_mul(ul_mul(rows, padded), Q8_BYTES) / (fp4 ? 2 * Q8_BLOCK : Q8_BLOCK);
}

/* ggml_cuda_mul_mat_q. With ids (experts) the rows are sorted by expert first. */
static void take_mmq(struct use *u, const struct ul_tensor *w, const struct ul_tensor *x,
                     const struct ul_tensor *ids)
{
    bool ragged = w->ne[1] % 128 != 0;
    int cc = u->d->cc;
    uint64_t rows = (uint64_t)(x->ne[1] * x->ne[2] * x->ne[3]);
    int64_t columns = x->ne[1], matrices = x->ne[2] * x->ne[3];
    if (ids) {
        rows = (uint64_t)(x->ne[2] * ids->ne[0]);
        columns = x->ne[2];
        matrices = w->ne[2];
        take(u, rows * 4);
        take(u, rows * 4);
        take(u, ((uint64_t)w->ne[2] + 1) * 4);
    }
    take(u, ul_add(quantised_rows(cc, w->type, rows, x->ne[0]),
                   (uint64_t)widest_tile(cc, min(x->ne[1], 512), ragged) * Q8_BYTES));
    if (cc >= 1200 && w->type == UL_NVFP4)
        take(u, rows * 4);
    take_fixup(u, w, columns, matrices, ragged);
}

/* ggml_cuda_should_use_mmvq: few columns go to the vector kernel, the fewer the dearer the type. */
static int64_t vector_columns(int cc, uint8_t type)
{
    switch (type) {
    case UL_Q2_K:
        return cc == 890 ? 4 : cc == 1200 ? 5 : cc == 1210 ? 6 : 8;
    case UL_Q3_K:
        return cc == 890 ? 6 : cc == 1200 ? 5 : 8;
    case UL_Q4_K: case UL_Q5_K:
        return cc == 890 ? 7 : cc == 1200 ? 5 : 8;
    case UL_Q6_K:
        return cc == 1200 ? 7 : 8;
    default:
        return 8; /* MMVQ_MAX_BATCH_SIZE */
    }
}

/* ggml_cuda_mul_mat_vec_q: sizeof(block_q8_1) is 36 bytes for 32 values. */
static void take_mmvq(struct use *u, const struct ul_tensor *x)
{
    uint64_t rows = (uint64_t)(x->ne[1] * x->ne[2] * x->ne[3]);
    take(u, ul_mul(rows, ul_pad((uint64_t)x->ne[0], ROW_PADDING)) / 32 * 36);
}

/* ggml_cuda_should_use_mmq: Volta's tensor cores, but not for integers, make cuBLAS the better
 * one. */
static bool mmq_chosen(int cc, int64_t columns)
{
    return cc >= 750 || (cc >= 610 && (cc < 700 || columns < 64));
}

/* --- matrix products with float weights ------------------------------------------------------- */

static bool fast_half(int cc)
{
    return cc >= 600 && cc != 610; /* fast_fp16_hardware_available */
}

/* The type cuBLAS computes in (ggml_cuda_mul_mat_cublas). */
static uint8_t computing_type(int cc, const struct ul_tensor *t)
{
    uint8_t type = t->src[0]->type;
    if (t->p[0] == UL_PREC_F32)
        return UL_F32;
    if (quantized(t->src[0]) || type == UL_F16)
        return fast_half(cc) ? UL_F16 : UL_F32;
    return type == UL_BF16 && cc < 800 ? UL_F32 : type; /* as 0.7.0 was seen to take memory */
}

static bool dense_outside(const struct ul_tensor *t)
{
    return t->ne[3] == 1 || t->nb[3] == t->nb[2] * (uint64_t)t->ne[2];
}

/* ggml_cuda_mul_mat_cublas_impl: operands of another type are converted, a half-precision result is
 * widened afterwards, and matrices that are broadcast or scattered need lists of pointers. */
static void take_cublas(struct use *u, const struct ul_tensor *t)
{
    const struct ul_tensor *w = t->src[0], *x = t->src[1];
    uint8_t type = computing_type(u->d->cc, t);
    uint64_t value = type == UL_F32 ? 4 : 2, matrices = (uint64_t)(x->ne[2] * x->ne[3]);
    u->blas = true;
    if (w->type != type)
        take(u, ul_mul(elements(w), value));
    if (x->type != type)
        take(u, ul_mul(elements(x), value));
    if (type == UL_F16 && u->d->cc != 700)
        take(u, ul_mul(elements(t), value));
    bool strided = x->ne[2] == w->ne[2] && x->ne[3] == w->ne[3] &&
                   (w->type != type || dense_outside(w)) && (x->type != type || dense_outside(x));
    if (matrices > 1 && !strided) {
        take(u, 16 * matrices);
        take(u, 8 * matrices);
    }
}

/* ggml_cuda_should_use_mmvf and ggml_cuda_should_use_mmf: kernels of the back-end's own that take
 * nothing from the pool. */
static bool own_float_kernel(int cc, const struct ul_tensor *w, int64_t columns)
{
    uint64_t value = ul_type_info(w->type)->bytes;
    for (int i = 1; i < 4; i++)
        if (w->nb[i] % (2 * value))
            return false;
    bool small = w->ne[1] <= 512 || w->ne[2] * w->ne[3] == 1;
    int64_t vector = w->type == UL_F32 ? (cc == 750 ? 4 : 3)
                   : cc >= 800 ? (small ? 1 : 0) : cc >= 700 ? (small ? 3 : 0) : 8;
    if (w->ne[0] % 2 == 0 && w->nb[0] == value && columns <= vector)
        return true;
    int least = w->type == UL_F16 ? 700 : 800;
    return cc >= least && columns <= 16 && w->nb[0] == value && w->ne[1] % 32 == 0 &&
           (uint64_t)w->ne[0] % (32 * (4 / value)) == 0;
}

/* ggml_cuda_mul_mat_id's way without a kernel of its own: rows sorted by expert, then one product
 * an expert. How many rows an expert gets is the model's choice; the products are left out. */
static void take_sorted(struct use *u, const struct ul_tensor *t)
{
    const struct ul_tensor *w = t->src[0], *x = t->src[1], *ids = t->src[2];
    uint64_t rows = (uint64_t)(x->ne[2] * ids->ne[0]);
    bool wide = quantized(w) || w->type == UL_F32 || (w->type == UL_F16 && !fast_half(u->d->cc));
    take(u, 2 * rows * 4);
    take(u, ul_mul(ul_mul(rows, (uint64_t)x->ne[0]), wide ? 4 : 2));
    take(u, ul_mul(ul_mul(rows, (uint64_t)t->ne[0]), 4));
    u->modelled = u->blas = true;
}

static void mul_mat(struct use *u, const struct ul_tensor *t)
{
    const struct ul_tensor *w = t->src[0], *x = t->src[1];
    int cc = u->d->cc;
    if (x->type != UL_F32 || t->type != UL_F32)
        take_cublas(u, t);
    else if (quantized(w) && x->ne[1] <= vector_columns(cc, w->type))
        take_mmvq(u, x);
    else if (quantized(w) && mmq_chosen(cc, x->ne[1]))
        take_mmq(u, w, x, NULL);
    else if (quantized(w) || !own_float_kernel(cc, w, x->ne[1]))
        take_cublas(u, t);
}

static void mul_mat_id(struct use *u, const struct ul_tensor *t)
{
    const struct ul_tensor *w = t->src[0], *x = t->src[1], *ids = t->src[2];
    int64_t tokens = x->ne[2];
    if (quantized(w) && t->ne[2] <= 4)
        take_mmvq(u, x);
    else if (quantized(w) && mmq_chosen(u->d->cc, tokens))
        take_mmq(u, w, x, ids);
    else
        take_sorted(u, t);
}

/* --- flash attention -------------------------------------------------------------------------- */

/* How a kernel cuts attention into tiles: columns of queries, heads that share a key taken
 * together, keys an iteration. */
struct cut {
    int64_t queries, heads, keys;
    bool stream_k;
};

/* Keys an iteration of the tensor-core kernel (ggml_cuda_fattn_mma_get_config_*). */
static int64_t mma_keys(int cc, int64_t size, int64_t columns)
{
    if (size <= 128)
        return columns == 8 ? 128 : 64;
    if (size == 256 && cc == 750)
        return 64;
    return size <= 256 && columns == 8 ? 64 : 32;
}

/* ggml_cuda_flash_attn_ext_mma_f16 and its switches. */
static struct cut cut_mma(int cc, const struct ul_tensor *t, int64_t ratio, bool grouped)
{
    int64_t size = t->src[0]->ne[0], n = t->src[0]->ne[1];
    struct cut c = {.heads = 1, .stream_k = true};
    if (size == 192)
        c.heads = ratio % 16 == 0 ? 16 : 8;
    else if (size == 320)
        c.heads = 32;
    else if (size == 576)
        c.heads = ratio % 16 == 0 || (ratio == 20 && n <= 4) ? 16 : 4;
    else if (grouped)
        c.heads = ratio > 4 ? 8 : ratio > 2 ? 4 : ratio > 1 ? 2 : 1;
    int64_t columns = 64;
    if (cc >= 750 && c.heads <= 8 && n <= 8 / c.heads)
        columns = 8;
    else if (c.heads <= 16 && n <= 16 / c.heads)
        columns = 16;
    else if (n <= 32 / c.heads || cc == 750)
        columns = 32;
    c.queries = columns / c.heads;
    c.keys = mma_keys(cc, size, columns);
    return c;
}

/* Keys an iteration of the tile kernel: ggml_cuda_fattn_tile_get_config_nvidia_fp16 and _fp32. */
static int64_t tile_keys(int cc, int64_t size, int64_t columns)
{
    if (fast_half(cc))
        return 64;
    if (columns == 2)
        return size == 64 || size == 128 || size == 192 || size == 256 ? 64 : 32;
    if (size == 64)
        return columns >= 16 ? 64 : 32;
    return size == 128 && (columns == 8 || columns == 32) ? 64 : 32;
}

/* launch_fattn_tile_switch_ncols2 and _ncols1. */
static struct cut cut_tile(int cc, const struct ul_tensor *t, int64_t ratio, bool grouped)
{
    int64_t size = t->src[0]->ne[0], n = t->src[0]->ne[1], values = t->src[2]->ne[0];
    struct cut c = {.heads = 1};
    bool together = grouped && (ratio > 4 || values > 256 || n <= 16);
    if (size == 576 || size == 320 || size == 192)
        c.heads = ratio % 16 == 0 ? 16 : size == 192 ? 8 : 4;
    else if (together)
        c.heads = ratio % 8 == 0 ? 8 : ratio % 4 == 0 ? 4 : ratio % 2 == 0 ? 2 : 1;
    int64_t columns = size <= 256 ? 32 : 16;
    while (columns > c.heads && columns > 2 && n <= columns / 2 / c.heads)
        columns /= 2;
    c.queries = columns / c.heads > 0 ? columns / c.heads : 1;
    c.keys = tile_keys(cc, size, columns);
    return c;
}

static struct cut cut_of(int cc, const struct ul_tensor *t, int64_t ratio)
{
    bool grouped = ul_cuda_fattn_grouped(t, ratio);
    switch (ul_cuda_fattn_kernel(cc, t)) {
    case UL_FATTN_MMA:
        return cut_mma(cc, t, ratio, grouped);
    case UL_FATTN_TILE:
        return cut_tile(cc, t, ratio, grouped);
    default: /* the vector kernel: one or two queries, a head's size of keys */
        return (struct cut){t->src[0]->ne[1] > 1 ? 2 : 1, 1, t->src[0]->ne[0], false};
    }
}

/* launch_fattn, streaming: blocks that share an output tile leave partial sums and maxima. */
static void take_stream(struct use *u, const struct ul_tensor *t, const struct cut *c,
                        int64_t tiles, int64_t steps)
{
    int64_t most = (int64_t)u->d->occupancy * u->d->sm, blocks = tiles;
    int64_t efficiency = 100 * tiles / (most * ceil_div(tiles, most));
    if (u->d->cc >= 890 || efficiency < 75) {
        int64_t raw = min(most, steps * tiles), even = raw / tiles * tiles;
        int64_t loss = even > 0 ? 100 * (raw - even) / raw : 100;
        blocks = loss <= 5 ? even : raw;
    }
    if (tiles % blocks)
        take(u, (uint64_t)(blocks * c->queries * c->heads * (2 + t->src[2]->ne[0] / 2) * 8));
}

/* launch_fattn, otherwise: each tile's keys are divided among as many blocks as fill the card
 * best. */
static int64_t parallel_blocks(const struct ul_cuda_device *d, int64_t tiles, int64_t steps)
{
    int64_t wave = (int64_t)d->occupancy * d->sm, best = min(d->occupancy, steps);
    int64_t best_waves = 0, best_efficiency = 0;
    for (int64_t n = best; n <= steps; n++) {
        int64_t waves = ceil_div(tiles * n, wave), efficiency = 100 * tiles * n / (waves * wave);
        if (best_efficiency >= 95 && waves > best_waves)
            break;
        if (efficiency > best_efficiency) {
            best_waves = waves;
            best_efficiency = efficiency;
            best = n;
        }
    }
    return best;
}

static void flash_attention(struct use *u, const struct ul_tensor *t)
{
    const struct ul_tensor *q = t->src[0], *k = t->src[1], *mask = t->src[3];
    int64_t ratio = q->ne[2] / k->ne[2];
    struct cut c = cut_of(u->d->cc, t, ratio);
    int64_t rows = ceil_div(q->ne[1], c.queries);
    int64_t tiles = rows * ceil_div(ratio, c.heads) * k->ne[2] * q->ne[3];
    int64_t steps = ceil_div(k->ne[1], c.keys);
    uint64_t before = u->bytes;
    if (mask && k->ne[1] % KQ_STRIDE == 0 && (q->ne[1] >= 1024 || q->ne[3] > 1))
        take(u, (uint64_t)(rows * q->ne[3] * 4));
    if (c.stream_k) {
        take_stream(u, t, &c, tiles, steps);
    } else {
        int64_t n = parallel_blocks(u->d, tiles, steps);
        if (n > 1) {
            take(u, ul_mul((uint64_t)n * 4, elements(t)));
            take(u, ul_mul((uint64_t)n * 8, (uint64_t)ul_tensor_rows(t)));
        }
    }
    u->modelled = u->bytes > before;
}

/* --- the rest --------------------------------------------------------------------------------- */

/* ssm_scan_ssd_f32_cuda: Mamba-2's long prompts, in chunks of 256 tokens. */
static void ssm_scan(struct use *u, const struct ul_tensor *t)
{
    const uint64_t chunk = 256;
    const struct ul_tensor *s = t->src[0], *x = t->src[1], *a = t->src[3], *b = t->src[4];
    bool mamba2 = a->nb[1] == 4;
    if (u->d->cc < 750 || !mamba2 || x->ne[2] <= 128 || x->ne[2] > 8192 || s->ne[1] % 8 ||
        t->p[0] > 1)
        return;
    uint64_t state = (uint64_t)s->ne[0], size = (uint64_t)s->ne[1], n = (uint64_t)x->ne[3];
    uint64_t heads = (uint64_t)x->ne[1] * n, groups = (uint64_t)b->ne[1] * n;
    u->blas = true;
    take(u, (uint64_t)x->ne[2] * heads * 4);      /* steps */
    take(u, (uint64_t)x->ne[2] * heads * 4);      /* their sums */
    take(u, chunk * chunk * groups * 4);          /* C^T B */
    take(u, chunk * size * heads * 2);            /* X dt */
    take(u, state * chunk * heads * 2);           /* weighted B */
    take(u, state * chunk * heads * 4);           /* scaled C */
    take(u, chunk * chunk * heads * 2);           /* the causal matrix */
}

static struct use use_of(const struct ul_cuda_device *d, const struct ul_tensor *t)
{
    struct use u = {.d = d};
    switch (t->op) {
    case UL_OP_MUL_MAT:
        mul_mat(&u, t);
        break;
    case UL_OP_MUL_MAT_ID:
        mul_mat_id(&u, t);
        break;
    case UL_OP_FLASH_ATTN_EXT:
        flash_attention(&u, t);
        break;
    case UL_OP_SSM_SCAN:
        ssm_scan(&u, t);
        break;
    case UL_OP_ARGSORT: case UL_OP_TOP_K: /* long rows: copies, and scratch that CUB sizes itself */
        if (t->src[0]->ne[0] > 1024) {
            take(&u, ul_mul(elements(t->src[0]), 4));
            take(&u, ul_mul(elements(t->src[0]), 4));
            u.modelled = true;
        }
        break;
    case UL_OP_OUT_PROD:
        u.blas = true;
        break;
    case UL_OP_SOLVE_TRI: /* solve_tri.cu: small systems have a kernel of their own */
        u.blas = t->src[0]->ne[0] > 64 || t->src[1]->ne[0] > 32;
        break;
    default:
        break;
    }
    return u;
}

uint64_t ul_cuda_pool_node(const struct ul_cuda_device *d, const struct ul_tensor *t,
                           bool *modelled)
{
    struct use u = use_of(d, t);
    *modelled = u.modelled;
    return u.bytes;
}

uint64_t ul_cuda_blas_node(const struct ul_cuda_device *d, const struct ul_tensor *t)
{
    if (!use_of(d, t).blas)
        return 0;
    return (uint64_t)(d->cc >= 900 ? 32 : 4) << 20;
}
