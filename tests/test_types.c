/* ggml's type table against the engine's. The rows of `engine` were printed by a program linked to
 * the libraries of Debian's llama.cpp 0.7.0 (ggml 0.27.0), calling ggml_type_name, ggml_blck_size,
 * ggml_type_size and ggml_is_quantized for every number below its GGML_TYPE_COUNT (43). */
#include "source/types.h"
#include "base/size.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

struct row {
    const char *name;
    uint32_t block, bytes;
    bool quantized;
};

#define ENGINE_TYPE_COUNT 43

static const struct row engine[ENGINE_TYPE_COUNT] = {
    [0] = {"f32", 1, 4, false},
    [1] = {"f16", 1, 2, false},
    [2] = {"q4_0", 32, 18, true},
    [3] = {"q4_1", 32, 20, true},
    [4] = {NULL, 0, 0, false},
    [5] = {NULL, 0, 0, false},
    [6] = {"q5_0", 32, 22, true},
    [7] = {"q5_1", 32, 24, true},
    [8] = {"q8_0", 32, 34, true},
    [9] = {"q8_1", 32, 36, true},
    [10] = {"q2_K", 256, 84, true},
    [11] = {"q3_K", 256, 110, true},
    [12] = {"q4_K", 256, 144, true},
    [13] = {"q5_K", 256, 176, true},
    [14] = {"q6_K", 256, 210, true},
    [15] = {"q8_K", 256, 292, true},
    [16] = {"iq2_xxs", 256, 66, true},
    [17] = {"iq2_xs", 256, 74, true},
    [18] = {"iq3_xxs", 256, 98, true},
    [19] = {"iq1_s", 256, 50, true},
    [20] = {"iq4_nl", 32, 18, true},
    [21] = {"iq3_s", 256, 110, true},
    [22] = {"iq2_s", 256, 82, true},
    [23] = {"iq4_xs", 256, 136, true},
    [24] = {"i8", 1, 1, false},
    [25] = {"i16", 1, 2, false},
    [26] = {"i32", 1, 4, false},
    [27] = {"i64", 1, 8, false},
    [28] = {"f64", 1, 8, false},
    [29] = {"iq1_m", 256, 56, true},
    [30] = {"bf16", 1, 2, false},
    [31] = {NULL, 0, 0, false},
    [32] = {NULL, 0, 0, false},
    [33] = {NULL, 0, 0, false},
    [34] = {"tq1_0", 256, 54, true},
    [35] = {"tq2_0", 256, 66, true},
    [36] = {NULL, 0, 0, false},
    [37] = {NULL, 0, 0, false},
    [38] = {NULL, 0, 0, false},
    [39] = {"mxfp4", 32, 17, true},
    [40] = {"nvfp4", 64, 36, true},
    [41] = {"q1_0", 128, 18, true},
    [42] = {"q2_0", 64, 18, true},
};

static void the_table_is_the_engines(void **state)
{
    (void)state;
    int sized = 0, removed = 0;
    for (uint32_t t = 0; t < ENGINE_TYPE_COUNT; t++) {
        const struct ul_type_info *i = ul_type_info(t);
        assert_non_null(i);
        assert_int_equal(i->block, engine[t].block);
        assert_int_equal(i->bytes, engine[t].bytes);
        assert_int_equal(i->quantized, engine[t].quantized);
        assert_int_equal(i->removed, engine[t].block == 0);
        if (engine[t].name)
            assert_string_equal(i->name, engine[t].name);
        sized += !i->removed;
        removed += i->removed;
    }
    assert_int_equal(sized, 35);
    assert_int_equal(removed, 8);
}

static void other_numbers_name_no_type(void **state)
{
    (void)state;
    for (uint32_t t = ENGINE_TYPE_COUNT; t < 300; t++)
        assert_null(ul_type_info(t));
    assert_null(ul_type_info(UINT32_MAX));
    assert_string_equal(ul_type_foreign(156), "iq3_ks of ik_llama.cpp");
    assert_null(ul_type_foreign(105));
    assert_null(ul_type_foreign(UINT32_MAX));
}

static void names_find_types_in_any_case(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < ENGINE_TYPE_COUNT; t++)
        if (engine[t].name)
            assert_int_equal(ul_type_by_name(ul_cstr(engine[t].name)), t);
    assert_int_equal(ul_type_by_name(UL_STR("Q4_k")), UL_Q4_K);
    assert_int_equal(ul_type_by_name(UL_STR("q4_")), -1);
    assert_int_equal(ul_type_by_name(UL_STR("q4_KK")), -1);
    assert_int_equal(ul_type_by_name(UL_STR("")), -1);
    assert_int_equal(ul_type_by_name(UL_STR("q4_2")), -1); /* removed */
}

static void rows_are_blocks_times_bytes(void **state)
{
    (void)state;
    /* 34 and 18 bytes a block of 32: the figures that people quote for q8_0 and q4_0 caches */
    assert_int_equal(ul_row_bytes(UL_Q8_0, 32), 34);
    assert_int_equal(ul_row_bytes(UL_Q4_0, 32), 18);
    assert_int_equal(ul_row_bytes(UL_F16, 4096), 8192);
    assert_int_equal(ul_row_bytes(UL_Q4_K, 4096), 2304);
    assert_int_equal(ul_row_bytes(UL_F32, 0), 0);
    /* saturates, and a type without a size divides nothing by zero */
    assert_true(ul_row_bytes(UL_F64, (uint64_t)1 << 62) == UL_SIZE_OVERFLOW);
    assert_true(ul_row_bytes((enum ul_type)4, 32) == UL_SIZE_OVERFLOW);
    assert_true(ul_row_bytes((enum ul_type)63, 32) == UL_SIZE_OVERFLOW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_the_engines),
        cmocka_unit_test(other_numbers_name_no_type),
        cmocka_unit_test(names_find_types_in_any_case),
        cmocka_unit_test(rows_are_blocks_times_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
