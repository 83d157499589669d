/* What the engine's CUDA back-end answered about flash attention: whether it runs, and the bytes that
 * it asks for the result, for a batch, a cache type and a compute capability. For Metal, whose answers
 * nobody recorded, the source's sums done by hand. */
#include "graph/device.h"
#include "graph/ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct question {
    int cc;
    int64_t head_k, head_v, batch, heads, heads_kv;
    enum ul_type k, v;
    bool v_in_k;   /* the values are part of the keys: latent attention */
    bool runs;
    uint64_t bytes;
};

static const struct question questions[] = {
    /* the vector kernel reads q8_0; Volta's choice falls on another one for grouped heads */
    {610, 128, 128, 1, 32, 8, UL_Q8_0, UL_Q8_0, false, true, 16384},
    {700, 128, 128, 1, 32, 8, UL_Q8_0, UL_Q8_0, false, true, 33570816},
    {890, 128, 128, 1, 32, 8, UL_Q8_0, UL_Q8_0, false, true, 16384},
    /* large batches need keys and values in half precision */
    {890, 128, 128, 512, 32, 8, UL_Q8_0, UL_Q8_0, false, true, 41943040},
    {890, 128, 128, 1, 32, 8, UL_F16, UL_F16, false, true, 16384},
    /* values within the keys are converted once */
    {890, 576, 512, 512, 16, 1, UL_Q8_0, UL_Q8_0, true, true, 26214400},
    /* mixed types go through a copy */
    {890, 128, 128, 1, 32, 8, UL_Q8_0, UL_Q4_0, false, true, 33570816},
    /* bfloat16 has a vector kernel, used from compute capability 8.9 on */
    {860, 128, 128, 1, 32, 8, UL_BF16, UL_BF16, false, true, 33570816},
    {890, 128, 128, 1, 32, 8, UL_BF16, UL_BF16, false, true, 16384},
    /* head sizes without a kernel */
    {890, 192, 128, 512, 16, 16, UL_F16, UL_F16, false, false, 0},
    {890, 48, 48, 512, 16, 16, UL_F16, UL_F16, false, false, 0},
};

/* Metal: the result, 64 columns of keys, values and mask, a byte a block of the mask, 32 rows of
 * partial sums for each of 32 groups, and the whole cache in half precision. */
static const struct question metal[] = {
    /* 8388608 + 64 x (2048 x 8 x 2 + 2 x 512) + 64 x 128 + 128 x 32 x 32 x 130 + 2 x 16777216 */
    {0, 128, 128, 512, 32, 8, UL_F16, UL_F16, false, true, 61153280},
    /* large batches expand a quantised cache first, so the tail is one of half precision */
    {0, 128, 128, 512, 32, 8, UL_Q8_0, UL_Q8_0, false, true, 59318272},
    /* the vector kernel looks at the mask row by row; values within the keys have no copy */
    {0, 576, 512, 1, 16, 1, UL_F16, UL_F16, true, true, 10670464},
    {0, 128, 128, 512, 32, 8, UL_Q8_0, UL_F16, false, false, 0},
    {0, 88, 88, 512, 32, 8, UL_F16, UL_F16, false, false, 0},
};

static struct ul_tensor *cache(struct ul_graph *g, struct ul_tensor *base, int64_t head, int64_t row,
                               int64_t heads, enum ul_type type)
{
    const int64_t cells = 8192;
    struct ul_tensor *t = ulg_view_4d(g, base, head, heads, cells, 1, ul_row_bytes(type, (uint64_t)row),
                                      ul_row_bytes(type, (uint64_t)(row * heads)),
                                      ul_row_bytes(type, (uint64_t)(row * heads)) * (uint64_t)cells, 0);
    return ulg_permute(g, t, 0, 2, 1, 3);
}

static struct ul_tensor *ask(struct ul_graph *g, const struct question *q)
{
    struct ul_tensor *query = ulg_permute(g, ulg_new_3d(g, UL_F32, q->head_k, q->heads, q->batch), 0, 2, 1, 3);
    struct ul_tensor *keys = ulg_new_2d(g, q->k, q->head_k * q->heads_kv, 8192);
    struct ul_tensor *values = q->v_in_k ? keys : ulg_new_2d(g, q->v, q->head_v * q->heads_kv, 8192);
    struct ul_tensor *mask = ulg_new_2d(g, UL_F16, 8192, q->batch);
    return ulg_flash_attn_ext(g, query, cache(g, keys, q->head_k, q->head_k, q->heads_kv, q->k),
                              cache(g, values, q->head_v, q->v_in_k ? q->head_k : q->head_v, q->heads_kv, q->v),
                              mask, 0.0f, 0.0f);
}

static void answers(enum ul_backend backend, const struct question *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct question *q = &list[i];
        const struct ul_hw hw = {.backend = backend, .cc = q->cc};
        struct ul_arena arena = {0};
        struct ul_graph g;
        ul_graph_init(&g, &arena);
        struct ul_tensor *t = ask(&g, q);
        assert_null(g.bad);
        assert_int_equal(ul_supports_op(&hw, t, NULL), q->runs);
        if (q->runs)
            assert_int_equal(ul_alloc_size(&hw, t), q->bytes);
        ul_arena_free(&arena);
    }
}

static void flash_attention(void **state)
{
    (void)state;
    answers(UL_CUDA, questions, sizeof questions / sizeof *questions);
    answers(UL_METAL, metal, sizeof metal / sizeof *metal);
}

/* Rows of block types are padded to 512 values at the tensor's end. */
static void row_padding(void **state)
{
    (void)state;
    const int64_t even[4] = {1024, 3, 1, 1}, odd[4] = {2880, 3, 1, 1};
    assert_int_equal(ul_alloc_size_of(UL_CUDA, UL_Q4_0, even), 3 * 1024 / 32 * 18);
    assert_int_equal(ul_alloc_size_of(UL_CUDA, UL_Q4_0, odd), (3 * 2880 + 192) / 32 * 18);
    assert_int_equal(ul_alloc_size_of(UL_CPU, UL_Q4_0, odd), 3 * 2880 / 32 * 18);
    assert_int_equal(ul_alloc_size_of(UL_CUDA, UL_F16, odd), 3 * 2880 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flash_attention),
        cmocka_unit_test(row_padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
