/* safetensors headers and indexes: what they say, every malformed kind with the byte that is named,
 * a header of 25 MiB, shards in a folder. Files are made here, from shapes. */
#include "source/safetensors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <cmocka.h>

static struct ul_arena arena;
static ullage_error err;
static struct ul_st st;

static int drop(void **state)
{
    (void)state;
    ul_arena_free(&arena);
    return 0;
}

/* A file: the length, the header, `data` bytes more. `length` 0: the header's own. */
static char *file_of(const char *header, uint64_t length, size_t data, size_t *size)
{
    size_t n = strlen(header);
    uint64_t claim = length != 0 ? length : n;
    char *p = ul_arena_alloc(&arena, 8 + n + data, 1);
    for (int i = 0; i < 8; i++)
        p[i] = (char)(claim >> 8 * i);
    memcpy(p + 8, header, n);
    *size = 8 + n + data;
    return p;
}

static int read_bytes(const char *p, size_t held, uint64_t size)
{
    struct ul_source s;
    ul_source_memory(&s, p, held, size);
    st = (struct ul_st){0};
    err = (ullage_error){0};
    return ul_st_read(&st, &s, &arena, &err);
}

static int read_header(const char *header, size_t data)
{
    size_t n;
    const char *p = file_of(header, 0, data, &n);
    return read_bytes(p, n, n);
}

static void reads_tensors(void **state)
{
    (void)state;
    assert_int_equal(read_header("{\"__metadata__\": {\"format\": \"pt\"},"
        "\"b\": {\"dtype\": \"BF16\", \"shape\": [3, 4], \"data_offsets\": [16, 40]},"
        "\"a\": {\"data_offsets\": [0, 16], \"shape\": [4], \"dtype\": \"F32\", \"x\": [1, {}]},"
        "\"s\": {\"dtype\": \"F64\", \"shape\": [], \"data_offsets\": [40, 48]},"
        "\"e\": {\"dtype\": \"U8\", \"shape\": [0, 5], \"data_offsets\": [48, 48]},"
        "\"f\": {\"dtype\": \"F4\", \"shape\": [2, 3], \"data_offsets\": [48, 51]}}  ", 51), 0);
    assert_int_equal(st.n_tensors, 5);
    assert_int_equal(st.bytes, 51);
    assert_true(ul_str_is(st.tensors[0].name, "a"));
    assert_true(ul_str_is(st.tensors[1].name, "b"));
    assert_int_equal(st.tensors[1].n_dims, 2);
    assert_int_equal(st.tensors[1].shape[1], 4);
    assert_string_equal(st.tensors[1].dtype->name, "BF16");
    assert_false(st.partial);
    assert_int_equal(read_header("{}", 0), 0);
    assert_int_equal(st.n_tensors, 0);
}

/* The header alone is enough: the data may be missing. */
static void reads_a_cut_file(void **state)
{
    (void)state;
    size_t n;
    const char *p = file_of("{\"a\":{\"dtype\":\"F32\",\"shape\":[1000],\"data_offsets\":[0,4000]}}", 0,
                            0, &n);
    assert_int_equal(read_bytes(p, n, n), 0);
    assert_true(st.partial);
    assert_int_equal(st.bytes, 4000);
    assert_int_equal(read_bytes(p, n, n + 4000), 0);
    assert_false(st.partial);
    assert_int_equal(read_bytes(p, n, UINT64_MAX), 0);
}

#define A "{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}"

static void refuses_malformed_headers(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        size_t data;
        int code;
        const char *says;
    } cases[] = {
        {"[]", 0, ULLAGE_ERROR_INPUT, "no object"},
        {"{\"a\":", 0, ULLAGE_ERROR_INPUT, "ends too early"},
        {"{\"a\":7}", 0, ULLAGE_ERROR_INPUT, "no object"},
        {"{} x", 0, ULLAGE_ERROR_INPUT, "behind the document"},
        {"{\"a\":{\"shape\":[2],\"data_offsets\":[0,2]}}", 2, ULLAGE_ERROR_INPUT, "without dtype"},
        {"{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,2]}}", 2, ULLAGE_ERROR_INPUT, "without shape"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2]}}", 2, ULLAGE_ERROR_INPUT, "without data_offsets"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0]}}", 2, ULLAGE_ERROR_INPUT,
         "without data_offsets"},
        {"{\"a\":{\"dtype\":\"Q9\",\"shape\":[2],\"data_offsets\":[0,2]}}", 2, ULLAGE_ERROR_UNKNOWN,
         "Q9"},
        {"{\"a\":{\"dtype\":8,\"shape\":[2],\"data_offsets\":[0,2]}}", 2, ULLAGE_ERROR_INPUT, "no text"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":2,\"data_offsets\":[0,2]}}", 2, ULLAGE_ERROR_INPUT,
         "shape is no list"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[-2],\"data_offsets\":[0,2]}}", 2, ULLAGE_ERROR_INPUT,
         "no whole number"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2.5],\"data_offsets\":[0,2]}}", 2, ULLAGE_ERROR_INPUT,
         "no whole number"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,1]}}", 1,
         ULLAGE_ERROR_INPUT, "more than 8"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,3]}}", 3, ULLAGE_ERROR_INPUT,
         "not the size of its shape"},
        {"{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,2]}}", 2, ULLAGE_ERROR_INPUT,
         "not the size of its shape"},
        {"{\"a\":{\"dtype\":\"F64\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}", 0,
         ULLAGE_ERROR_INPUT, "not the size of its shape"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[4,2]}}", 4, ULLAGE_ERROR_INPUT,
         "ends before it begins"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}", 3, ULLAGE_ERROR_INPUT,
         "a gap"},
        {"{\"a\":" A ",\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}", 3,
         ULLAGE_ERROR_INPUT, "overlap"},
        {"{\"a\":" A ",\"a\":" A "}", 2, ULLAGE_ERROR_INPUT, "twice"},
        {"{\"a\":" A "}", 5, ULLAGE_ERROR_INPUT, "behind the last tensor"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int code = read_header(cases[i].header, cases[i].data);
        if (code != cases[i].code || strstr(err.message, cases[i].says) == NULL)
            print_message("case %zu: %d %s\n", i, code, err.message);
        assert_int_equal(code, cases[i].code);
        assert_int_equal(err.code, code);
        assert_non_null(strstr(err.message, cases[i].says));
        assert_non_null(strstr(err.message, "at byte "));
    }
}

static void refuses_lengths_that_lie(void **state)
{
    (void)state;
    size_t n;
    const char *p = file_of("{}", UINT64_MAX, 0, &n);
    assert_int_equal(read_bytes(p, n, n), ULLAGE_ERROR_INPUT);
    p = file_of("{}", 1000, 0, &n);
    assert_int_equal(read_bytes(p, n, n), ULLAGE_ERROR_INPUT);
    p = file_of("{}", 50 * 1000 * 1000, 0, &n); /* of a file whose size nobody knows */
    assert_int_equal(read_bytes(p, n, UINT64_MAX), ULLAGE_ERROR_INPUT);
    assert_true(arena.total < (size_t)8 << 20);
    assert_int_equal(read_bytes(p, 5, 5), ULLAGE_ERROR_INPUT);
    assert_int_equal(read_bytes(p, 0, 0), ULLAGE_ERROR_INPUT);
}

/* 25 MiB of header: some 300,000 tensors. */
static void reads_a_large_header(void **state)
{
    (void)state;
    size_t most = (size_t)25 << 20, n = 1, count = 0, size;
    char *text = ul_arena_alloc(&arena, most + 256, 1);
    text[0] = '{';
    while (n < most - 128) {
        n += (size_t)sprintf(text + n, "%s\"model.layers.%zu.weight\":{\"dtype\":\"BF16\",\"shape\":[1,8],"
                             "\"data_offsets\":[%zu,%zu]}", count ? "," : "", count, 16 * count,
                             16 * (count + 1));
        count++;
    }
    text[n++] = '}';
    char *p = file_of(text, 0, 0, &size);
    assert_true(n > most - 256);
    size_t before = arena.total;
    assert_int_equal(read_bytes(p, size, size + 16 * count), 0);
    assert_int_equal(st.n_tensors, count);
    assert_true(arena.total - before < (size_t)300 << 20);
}

static void reads_indexes(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{}", "[]", "{\"weight_map\": {}}", "{\"weight_map\": {\"a\": 1}}",
        "{\"weight_map\": {\"a\": \"../b\"}}", "{\"weight_map\": {\"a\": \"x/b\"}}",
        "{\"weight_map\": {\"a\": \"\"}}", "{\"weight_map\": {\"a\": \".hidden\"}}", "{\"weight_map\": ",
    };
    size_t n;
    const char *text = "{\"metadata\": {\"total_size\": 9}, \"weight_map\": {\"a\": \"m-2\", \"b\": \"m-1\","
                       " \"c\": \"m-2\"}}";
    err = (ullage_error){0};
    const struct ul_str *f = ul_st_index(&n, "i", text, strlen(text), &arena, &err);
    assert_non_null(f);
    assert_int_equal(n, 2);
    assert_true(ul_str_is(f[0], "m-1") && ul_str_is(f[1], "m-2"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (ullage_error){0};
        assert_null(ul_st_index(&n, "i", bad[i], strlen(bad[i]), &arena, &err));
        assert_int_equal(err.code, ULLAGE_ERROR_INPUT);
    }
}

static void write_file(const char *folder, const char *name, const char *p, size_t n)
{
    FILE *f = fopen(ul_format(&arena, "%s/%s", folder, name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    fclose(f);
}

static void reads_folders(void **state)
{
    (void)state;
    const char *folder = ul_format(&arena, "%s/shards-%d", TEST_BUILD, 1);
    const char *index = "{\"weight_map\": {\"a\": \"s1\", \"b\": \"s2\", \"c\": \"s3\"}}";
    bool found;
    size_t n;
    mkdir(folder, 0777);
    write_file(folder, "model.safetensors.index.json", index, strlen(index));
    char *p = file_of("{\"a\":" A "}", 0, 2, &n);
    write_file(folder, "s1", p, n);
    p = file_of("{\"b\":" A "}", 0, 2, &n);
    write_file(folder, "s2", p, n);
    err = (ullage_error){0};
    assert_int_equal(ul_st_open_folder(&st, NULL, folder, &found, &arena, &err), 0);
    assert_true(found);
    assert_int_equal(st.n_tensors, 2);
    assert_int_equal(st.n_files, 2);
    assert_int_equal(st.n_missing, 1);
    assert_int_equal(st.bytes, 4);
    assert_int_equal(ul_st_open_folder(&st, NULL, TEST_DATA, &found, &arena, &err), 0);
    assert_false(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(reads_tensors, drop),
        cmocka_unit_test_teardown(reads_a_cut_file, drop),
        cmocka_unit_test_teardown(refuses_malformed_headers, drop),
        cmocka_unit_test_teardown(refuses_lengths_that_lie, drop),
        cmocka_unit_test_teardown(reads_a_large_header, drop),
        cmocka_unit_test_teardown(reads_indexes, drop),
        cmocka_unit_test_teardown(reads_folders, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
