/* The JSON reader: what it takes, what it refuses and at which byte, and its caps. */
#include "source/jsonread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

static struct ul_arena arena;
static ullage_error err;

static const struct ul_jvalue *parse(const char *text)
{
    err = (ullage_error){0};
    return ul_json_parse("x.json", text, strlen(text), &arena, &err);
}

static int drop(void **state)
{
    (void)state;
    ul_arena_free(&arena);
    return 0;
}

static void reads_every_kind(void **state)
{
    (void)state;
    const struct ul_jvalue *v = parse(
        " {\"a\": [1, -2, 3.5, true, null], \"b\" : {\"c\": \"d\"}, \"big\": 18446744073709551616,\n"
        "\"e\": 1e-06, \"t\": false, \"min\": -9223372036854775807, \"w\": 2e3} ");
    assert_non_null(v);
    assert_int_equal(v->kind, UL_J_OBJECT);
    assert_int_equal(v->n, 7);
    const struct ul_jvalue *a = ul_jget(v, "a");
    assert_int_equal(a->n, 5);
    assert_int_equal(ul_jitem(a, 1)->i, -2);
    assert_true(ul_jitem(a, 2)->d == 3.5);
    assert_int_equal(ul_jitem(a, 3)->kind, UL_J_BOOL);
    assert_int_equal(ul_jitem(a, 4)->kind, UL_J_NULL);
    assert_null(ul_jitem(a, 5));
    struct ul_str d = ul_jstr(ul_jget(v, "b"), "c", "none");
    assert_true(ul_str_is(d, "d"));
    assert_true(ul_jreal(v, "big", 0) == 18446744073709551616.0);
    assert_int_equal(ul_jint(v, "big", -7), -7);
    assert_true(ul_jreal(v, "e", 0) == 1e-06);
    assert_false(ul_jbool(v, "t", true));
    assert_int_equal(ul_jint(v, "min", 0), INT64_C(-9223372036854775807));
    assert_int_equal(ul_jint(v, "w", 0), 2000);
    assert_int_equal(ul_jint(v, "missing", 42), 42);
}

/* Doubles as Python prints and reads them. */
static void reads_numbers_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0}, {"-0.0", 0}, {"0.02", 0.02}, {"1e-05", 1e-05}, {"1000000.0", 1e6},
        {"0.1767766952966369", 0.1767766952966369}, {"1.7976931348623157e308", 1.7976931348623157e308},
        {"2.2250738585072014e-308", 2.2250738585072014e-308}, {"1e-400", 0},
        {"0.000000000000000000000000000000001", 1e-33},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ul_jvalue *v = parse(cases[i].text);
        assert_non_null(v);
        assert_true(v->d == cases[i].value);
    }
    assert_true(isinf(parse("Infinity")->d));
    assert_true(parse("-Infinity")->d < 0);
    assert_true(isnan(parse("NaN")->d));
}

static void reads_strings(void **state)
{
    (void)state;
    const struct ul_jvalue *v = parse("\"a\\n\\u00e9\\ud83d\\ude00\\\"\\\\\\ud800x\"");
    assert_non_null(v);
    assert_true(ul_str_is(v->s, "a\n\xc3\xa9\xf0\x9f\x98\x80\"\\\xef\xbf\xbdx"));
}

static void last_of_two_members_counts(void **state)
{
    (void)state;
    assert_int_equal(ul_jint(parse("{\"a\": 1, \"b\": 5, \"a\": 2}"), "a", 0), 2);
}

static void refuses_what_is_not_json(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t at;
    } cases[] = {
        {"", 0}, {"   ", 3}, {"{", 1}, {"[1,]", 3}, {"{\"a\":1,}", 7}, {"{\"a\" 1}", 5}, {"[1 2]", 3},
        {"{a:1}", 1}, {"01", 2}, {"1.", 2}, {"1e", 2}, {"-", 0}, {"+1", 0}, {"nul", 0}, {"\"abc", 4},
        {"\"a\nb\"", 2}, {"\"\\x\"", 3}, {"\"\\u12g4\"", 7}, {"1 2", 2}, {"[}", 1}, {"{]", 1}, {"]", 0},
        {"{\"a\":}", 5}, {"\xef\xbb\xbf{}", 0}, {"\"abc\\", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(parse(cases[i].text));
        assert_int_equal(err.code, ULLAGE_ERROR_INPUT);
        if (err.position != cases[i].at)
            print_message("case %zu: %s\n", i, err.message);
        assert_int_equal(err.position, cases[i].at);
        assert_non_null(strstr(err.message, "x.json"));
    }
}

static void caps_depth(void **state)
{
    (void)state;
    char text[2 * UL_JREAD_DEPTH + 8];
    memset(text, '[', sizeof text);
    memset(text + UL_JREAD_DEPTH, ']', UL_JREAD_DEPTH);
    text[2 * UL_JREAD_DEPTH] = '\0';
    assert_non_null(parse(text));
    memset(text, '[', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_null(parse(text));
    assert_int_equal(err.position, UL_JREAD_DEPTH);
}

static void caps_values(void **state)
{
    (void)state;
    size_t n = 2 * (UL_JREAD_NODES + 2);
    char *text = ul_arena_alloc(&arena, n, 1);
    memset(text, '1', n);
    for (size_t i = 1; i < n; i += 2)
        text[i] = ',';
    text[0] = '[';
    text[1] = '1';
    for (size_t i = 2; i < n; i++)
        text[i] = i % 2 ? '1' : ',';
    text[n - 1] = ']';
    text[n - 2] = ' ';
    err = (ullage_error){0};
    assert_null(ul_json_parse("x.json", text, n, &arena, &err));
    assert_non_null(strstr(err.message, "more than"));
}

/* The pull parser alone: positions are in the file, and a member's value can be walked over. */
static void pulls(void **state)
{
    (void)state;
    static const char text[] = "{\"skip\": [{\"x\": [1]}, 2], \"keep\": 7}";
    struct ul_jread r;
    err = (ullage_error){0};
    ul_jread_start(&r, "x", text, sizeof text - 1, 100, &arena, &err);
    assert_int_equal(ul_jread_next(&r), UL_JT_OBJECT);
    assert_int_equal(ul_jread_next(&r), UL_JT_KEY);
    assert_int_equal(r.at, 101);
    assert_true(ul_jread_skip(&r));
    assert_int_equal(ul_jread_next(&r), UL_JT_KEY);
    assert_true(ul_str_is(r.s, "keep"));
    assert_int_equal(ul_jread_next(&r), UL_JT_INT);
    assert_int_equal(r.i, 7);
    assert_int_equal(ul_jread_next(&r), UL_JT_OBJECT_END);
    assert_int_equal(ul_jread_next(&r), UL_JT_END);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(reads_every_kind, drop),
        cmocka_unit_test_teardown(reads_numbers_exactly, drop),
        cmocka_unit_test_teardown(reads_strings, drop),
        cmocka_unit_test_teardown(last_of_two_members_counts, drop),
        cmocka_unit_test_teardown(refuses_what_is_not_json, drop),
        cmocka_unit_test_teardown(caps_depth, drop),
        cmocka_unit_test_teardown(caps_values, drop),
        cmocka_unit_test_teardown(pulls, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
