/* The method's arithmetic, on lines and curves that are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/line.h"

#define MIB ((uint64_t)1 << 20)

/* Two readings of a published experiment: 145 MiB a 1,024 tokens; the budget of an 8 GB card less
 * 512 MiB is 7,117 MiB, and 16 MiB are kept: 14,336 tokens. */
static void test_published_line(void **state)
{
    (void)state;
    struct ul_line line = ul_line_through((struct ul_point){4096, 5618 * MIB},
                                          (struct ul_point){8192, 6198 * MIB});
    assert_true(line.slope * 1024 == 145.0 * MIB);
    assert_true(ul_line_at(&line, 32768) == 9678.0 * MIB);
    assert_int_equal(ul_line_longest(&line, (7117 - 16) * MIB, 1024, 40960), 14336);
    assert_int_equal(ul_line_longest(&line, 7068 * MIB, 1024, 40960), 14336); /* to the byte */
    assert_int_equal(ul_line_longest(&line, 7068 * MIB - 1, 1024, 40960), 13312);
    assert_int_equal(ul_line_longest(&line, 80000 * MIB, 1024, 40960), 40960);
    assert_int_equal(ul_line_longest(&line, 80000 * MIB, 1024, 40000), 39936);
    assert_int_equal(ul_line_longest(&line, 5000 * MIB, 1024, 40960), 0);
}

static void test_flat_line(void **state)
{
    (void)state;
    struct ul_line line = ul_line_through((struct ul_point){4096, MIB}, (struct ul_point){8192, MIB});
    assert_int_equal(ul_line_longest(&line, MIB, 1024, 5000), 4096);
    assert_int_equal(ul_line_longest(&line, MIB - 1, 1024, 5000), 0);
}

/* Three pieces: 10 a token, from 20,480 on 14, from 100,000 (no multiple of the step) on 30. */
static bool pieces(void *calls, uint32_t n, uint64_t *bytes)
{
    ++*(int *)calls;
    uint64_t a = 1000000 + 10ull * n, b = a + 4 * ((uint64_t)n - 20480),
             c = b + 16 * ((uint64_t)n - 100000);
    *bytes = n <= 20480 ? a : n <= 100000 ? b : c;
    return true;
}

static bool unknown_above(void *limit, uint32_t n, uint64_t *bytes)
{
    *bytes = n;
    return n <= *(uint32_t *)limit;
}

static void test_bends(void **state)
{
    (void)state;
    uint32_t bends[8];
    int calls = 0;
    int n = ul_curve_bends(pieces, &calls, 1024, 131072, 16, bends, 8);
    assert_in_range(n, 2, 3); /* the second lies between two steps: one or both of them */
    assert_int_equal(bends[0], 20480);
    for (int i = 1; i < n; i++)
        assert_in_range(bends[i], 99328, 100352);
    assert_true(calls < 60); /* halving, not walking: 128 steps */
    assert_int_equal(ul_curve_bends(pieces, &calls, 1024, 16384, 16, bends, 8), 0);
    uint32_t limit = 50000;
    assert_int_equal(ul_curve_bends(unknown_above, &limit, 1024, 131072, 0, bends, 8), -1);
}

static void test_curve_longest(void **state)
{
    (void)state;
    int calls = 0;
    uint64_t bytes;
    pieces(&calls, 65536, &bytes);
    assert_int_equal(ul_curve_longest(pieces, &calls, bytes, 1024, 131072), 65536);
    assert_int_equal(ul_curve_longest(pieces, &calls, bytes - 1, 1024, 131072), 64512);
    assert_int_equal(ul_curve_longest(pieces, &calls, UINT64_MAX, 1024, 131072), 131072);
    assert_int_equal(ul_curve_longest(pieces, &calls, 1, 1024, 131072), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_line),
        cmocka_unit_test(test_flat_line),
        cmocka_unit_test(test_bends),
        cmocka_unit_test(test_curve_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
