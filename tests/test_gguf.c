/* Good files: every version, byte order and kind of value; alignment; large vocabularies; files
 * whose data is missing; and sources that give their bytes in small pieces or not at all. */
#include "gguf_case.h"
#include "base/size.h"

static const struct ul_gguf_kv *get(const struct read *r, const char *key)
{
    const struct ul_gguf_kv *kv = ul_gguf_find(&r->g, ul_cstr(key));
    assert_non_null(kv);
    return kv;
}

/* One key of each kind of value, and one array of each. */
static void all_kinds(struct mkgguf *m)
{
    mk_key(m, "u8", UL_GGUF_U8), mk_8(m, 200);
    mk_key(m, "i8", UL_GGUF_I8), mk_8(m, (uint64_t)-100);
    mk_key(m, "u16", UL_GGUF_U16), mk_16(m, 60000);
    mk_key(m, "i16", UL_GGUF_I16), mk_16(m, (uint64_t)-30000);
    mk_key(m, "u32", UL_GGUF_U32), mk_32(m, 4000000000u);
    mk_key(m, "i32", UL_GGUF_I32), mk_32(m, (uint64_t)-2000000000);
    mk_key(m, "f32", UL_GGUF_F32), mk_f32(m, 1.5f);
    mk_key(m, "yes", UL_GGUF_BOOL), mk_8(m, 1);
    mk_key(m, "no", UL_GGUF_BOOL), mk_8(m, 0);
    mk_key(m, "odd bool", UL_GGUF_BOOL), mk_8(m, 7);
    mk_key(m, "string", UL_GGUF_STRING), mk_strn(m, "a\0b\n\xff", 5);
    mk_key(m, "u64", UL_GGUF_U64), mk_64(m, UINT64_MAX);
    mk_key(m, "i64", UL_GGUF_I64), mk_64(m, (uint64_t)INT64_MIN);
    mk_key(m, "f64", UL_GGUF_F64), mk_f64(m, -2.25);
    mk_array(m, "u8s", UL_GGUF_U8, 3), mk_8(m, 1), mk_8(m, 2), mk_8(m, 255);
    mk_array(m, "i8s", UL_GGUF_I8, 2), mk_8(m, (uint64_t)-1), mk_8(m, 1);
    mk_array(m, "u16s", UL_GGUF_U16, 1), mk_16(m, 65535);
    mk_array(m, "i16s", UL_GGUF_I16, 1), mk_16(m, (uint64_t)-2);
    mk_array(m, "u32s", UL_GGUF_U32, 2), mk_32(m, 8), mk_32(m, UINT32_MAX);
    mk_array(m, "i32s", UL_GGUF_I32, 2), mk_32(m, 8), mk_32(m, (uint64_t)-3);
    mk_array(m, "f32s", UL_GGUF_F32, 2), mk_f32(m, 0.5f), mk_f32(m, -1.0f);
    mk_array(m, "bools", UL_GGUF_BOOL, 3), mk_8(m, 1), mk_8(m, 0), mk_8(m, 2);
    mk_array(m, "strings", UL_GGUF_STRING, 2), mk_str(m, "one"), mk_str(m, "");
    mk_array(m, "u64s", UL_GGUF_U64, 1), mk_64(m, (uint64_t)1 << 63);
    mk_array(m, "i64s", UL_GGUF_I64, 1), mk_64(m, (uint64_t)-4);
    mk_array(m, "f64s", UL_GGUF_F64, 1), mk_f64(m, 0.125);
    mk_array(m, "none", UL_GGUF_U32, 0);
    mk_kv_u32(m, "last", 42);
}

static void check_scalars(const struct read *r)
{
    assert_int_equal(get(r, "u8")->v.u, 200);
    assert_int_equal(get(r, "i8")->v.i, -100);
    assert_int_equal(get(r, "u16")->v.u, 60000);
    assert_int_equal(get(r, "i16")->v.i, -30000);
    assert_int_equal(get(r, "u32")->v.u, 4000000000u);
    assert_int_equal(get(r, "i32")->v.i, -2000000000);
    assert_true(get(r, "f32")->v.f == 1.5);
    assert_int_equal(get(r, "yes")->v.u, 1);
    assert_int_equal(get(r, "no")->v.u, 0);
    assert_int_equal(get(r, "odd bool")->v.u, 1);
    assert_true(ul_str_eq(get(r, "string")->v.s, UL_STR("a\0b\n\xff")));
    assert_true(get(r, "u64")->v.u == UINT64_MAX);
    assert_true(get(r, "i64")->v.i == INT64_MIN);
    assert_true(get(r, "f64")->v.f == -2.25);
    assert_int_equal(get(r, "u8")->type, UL_GGUF_U8);
    assert_int_equal(get(r, "u8")->count, 1);
    assert_int_equal(get(r, "last")->v.u, 42);
}

static void check_arrays(const struct read *r)
{
    assert_int_equal(get(r, "u8s")->type, UL_GGUF_ARRAY);
    assert_int_equal(get(r, "u8s")->item, UL_GGUF_U8);
    assert_int_equal(get(r, "u8s")->count, 3);
    assert_int_equal(get(r, "u8s")->v.us[2], 255);
    assert_int_equal(get(r, "i8s")->v.is[0], -1);
    assert_int_equal(get(r, "u16s")->v.us[0], 65535);
    assert_int_equal(get(r, "i16s")->v.is[0], -2);
    assert_int_equal(get(r, "u32s")->v.us[0], 8);
    assert_int_equal(get(r, "u32s")->v.us[1], UINT32_MAX);
    assert_int_equal(get(r, "i32s")->v.is[1], -3);
    assert_true(get(r, "f32s")->v.fs[0] == 0.5);
    assert_true(get(r, "f32s")->v.fs[1] == -1.0);
    assert_int_equal(get(r, "bools")->v.us[0], 1);
    assert_int_equal(get(r, "bools")->v.us[1], 0);
    assert_int_equal(get(r, "bools")->v.us[2], 1);
    assert_int_equal(get(r, "strings")->item, UL_GGUF_STRING);
    assert_int_equal(get(r, "strings")->count, 2);
    assert_null(get(r, "strings")->v.us);
    assert_true(get(r, "u64s")->v.us[0] == (uint64_t)1 << 63);
    assert_int_equal(get(r, "i64s")->v.is[0], -4);
    assert_true(get(r, "f64s")->v.fs[0] == 0.125);
    assert_int_equal(get(r, "none")->count, 0);
    assert_null(get(r, "none")->v.us);
}

static void every_kind_of_value(void **state)
{
    (void)state;
    static const struct { uint32_t version; bool big; } forms[] = {
        {2, false}, {3, false}, {3, true}};
    for (size_t i = 0; i < 3; i++) {
        struct mkgguf m = {.version = forms[i].version, .big = forms[i].big};
        mk_begin(&m);
        all_kinds(&m);
        struct read *r = expect_good(&m);
        assert_int_equal(r->g.version, forms[i].version);
        assert_int_equal(r->g.big_endian, forms[i].big);
        assert_int_equal(r->g.alignment, 32);
        assert_int_equal(r->g.n_kv, m.n_kv);
        assert_int_equal(r->g.n_tensors, 0);
        assert_int_equal(r->g.kv[0].position, 24);
        check_scalars(r);
        check_arrays(r);
        assert_null(ul_gguf_find(&r->g, UL_STR("nothing")));
        assert_null(ul_gguf_find(&r->g, UL_STR("las")));
        read_free(r);
        mk_free(&m);
    }
}

static void tensors_with_shape_size_and_place(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        struct mkgguf m = {.version = 3, .big = big};
        mk_begin(&m);
        mk_kv_str(&m, "general.architecture", "llama");
        mk_tensor2(&m, "token_embd.weight", UL_Q4_K, 512, 10);
        mk_tensor1(&m, "output_norm.weight", UL_F32, 5); /* 20 bytes, padded to 32 */
        mk_tensor(&m, "blk.0.ffn_up_exps.weight", UL_MXFP4, 4, (uint64_t[]){64, 2, 3, 1});
        mk_tensor(&m, "scalar", UL_F16, 0, NULL);
        struct read *r = expect_good(&m);
        const struct ul_gguf_tensor *t = r->g.tensors;
        uint64_t data = (m.n + 31) / 32 * 32;
        assert_int_equal(r->g.n_tensors, 4);
        assert_true(ul_str_is(t[0].name, "token_embd.weight"));
        assert_int_equal(t[0].type, UL_Q4_K);
        assert_int_equal(t[0].n_dims, 2);
        assert_int_equal(t[0].ne[0], 512);
        assert_int_equal(t[0].ne[1], 10);
        assert_int_equal(t[0].ne[3], 1);
        assert_int_equal(t[0].bytes, 2 * 144 * 10);
        assert_int_equal(t[0].offset, data);
        assert_int_equal(t[1].bytes, 20);
        assert_int_equal(t[1].offset, data + 2880);
        assert_int_equal(t[2].bytes, 2 * 17 * 6);
        assert_int_equal(t[2].offset, data + 2880 + 32);
        assert_int_equal(t[3].bytes, 2);
        assert_int_equal(t[3].ne[0], 1);
        assert_int_equal(r->g.n_files, 1);
        assert_int_equal(r->g.files[0].data, data);
        assert_int_equal(r->g.files[0].full_size, data + 2880 + 32 + 224 + 32);
        assert_false(r->g.partial);
        read_free(r);
        mk_free(&m);
    }
}

static void alignment_is_the_keys(void **state)
{
    (void)state;
    static const uint32_t aligns[] = {1, 8, 64, 4096, 1u << 20};
    for (size_t i = 0; i < sizeof aligns / sizeof *aligns; i++) {
        struct mkgguf m = {.version = 3, .alignment = aligns[i]};
        mk_begin(&m);
        mk_kv_u32(&m, "general.alignment", aligns[i]);
        mk_tensor1(&m, "a", UL_F32, 3);
        mk_tensor1(&m, "b", UL_F32, 3);
        struct read *r = expect_good(&m);
        assert_int_equal(r->g.alignment, aligns[i]);
        assert_int_equal(r->g.tensors[0].offset, ul_pad(m.n, aligns[i]));
        assert_int_equal(r->g.tensors[1].offset, ul_pad(m.n, aligns[i]) + ul_pad(12, aligns[i]));
        read_free(r);
        mk_free(&m);
    }
}

/* Sizes are 64-bit all through: a row of 2^32 + 32 values (CVE-2026-53923 made an int of it). */
static void rows_may_pass_32_bits(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_tensor2(&m, "a", UL_Q8_0, ((uint64_t)1 << 32) + 32, 2);
    struct read *r = expect_good(&m);
    assert_true(r->g.tensors[0].bytes == (((uint64_t)1 << 27) + 1) * 34 * 2);
    read_free(r);
    mk_free(&m);
}

/* A header that is whole is planned, whatever is missing of the data; one byte counts. The padding
 * after the last tensor does not: the engine reads such a file. */
static void missing_data_is_marked_not_refused(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_tensor1(&m, "a", UL_F32, 100);
    mk_tensor1(&m, "b", UL_F32, 3); /* 12 bytes, padded to 32 */
    mk_end(&m);
    uint64_t full = mk_full_size(&m);
    const struct { uint64_t size; bool partial; } sizes[] = {
        {full, false}, {full + 1000, false}, {full - 20, false}, {full - 21, true}, {m.n, true}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct read *r = read_part(m.p, m.n, sizes[i].size);
        assert_int_equal(r->code, ULLAGE_OK);
        assert_int_equal(r->g.partial, sizes[i].partial);
        assert_true(r->g.files[0].full_size == full);
        assert_true(r->g.files[0].size == sizes[i].size);
        read_free(r);
    }
    mk_free(&m);
}

/* The last tensor's rows doubled: the shape reaches past the file (CVE-2026-7482 read there). */
static void a_shape_past_the_file_is_marked(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_tensor2(&m, "a", UL_F32, 64, 4);
    mk_end(&m);
    uint64_t full = mk_full_size(&m);
    mk_patch(&m, MK_AT_FIRST + 9 + 4 + 8, 8, 8);
    struct read *r = read_part(m.p, m.n, full);
    assert_int_equal(r->code, ULLAGE_OK);
    assert_true(r->g.partial);
    assert_true(r->g.files[0].full_size == full + 1024);
    read_free(r);
    mk_free(&m);
}

/* Ids of special tokens are the engine's business (it indexed with them); here they are numbers. */
static void token_ids_are_only_numbers(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_kv_u32(&m, "tokenizer.ggml.bos_token_id", UINT32_MAX);
    mk_array(&m, "tokenizer.ggml.tokens", UL_GGUF_STRING, 1);
    mk_str(&m, "<0x-1>");
    struct read *r = expect_good(&m);
    assert_int_equal(get(r, "tokenizer.ggml.bos_token_id")->v.u, UINT32_MAX);
    read_free(r);
    mk_free(&m);
}

/* A vocabulary of 262,144 tokens and 514,906 merges (Gemma's size), with a score and a kind each:
 * walked, counted, not kept. What the reader holds does not grow with it. */
static void large_vocabularies_cost_no_memory(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_array(&m, "tokenizer.ggml.tokens", UL_GGUF_STRING, 262144);
    for (int i = 0; i < 262144; i++)
        mk_strn(&m, "abcdefghijklmnopqrstuvwxyz", (size_t)(i % 27));
    mk_array(&m, "tokenizer.ggml.scores", UL_GGUF_F32, 262144);
    for (int i = 0; i < 262144; i++)
        mk_f32(&m, 0.0f);
    mk_array(&m, "tokenizer.ggml.merges", UL_GGUF_STRING, 514906);
    for (int i = 0; i < 514906; i++)
        mk_strn(&m, "abcdefghij klmnopqrst", 3 + (size_t)(i % 19));
    /* a token longer than the reader's window */
    mk_array(&m, "long", UL_GGUF_STRING, 3);
    mk_str(&m, "short");
    char *text = calloc(1, 300000);
    mk_strn(&m, text, 300000);
    mk_str(&m, "short");
    mk_key(&m, "tokenizer.chat_template", UL_GGUF_STRING);
    mk_strn(&m, text, 300000);
    free(text);
    mk_kv_u32(&m, "after", 77);
    mk_tensor1(&m, "w", UL_F32, 1);
    struct read *r = expect_good(&m);
    assert_int_equal(get(r, "tokenizer.ggml.tokens")->count, 262144);
    assert_int_equal(get(r, "tokenizer.ggml.scores")->count, 262144);
    assert_null(get(r, "tokenizer.ggml.scores")->v.fs);
    assert_int_equal(get(r, "tokenizer.ggml.merges")->count, 514906);
    assert_int_equal(get(r, "long")->count, 3);
    assert_null(get(r, "tokenizer.chat_template")->v.s.p);
    assert_int_equal(get(r, "after")->v.u, 77);
    assert_int_equal(r->g.n_tensors, 1);
    if (r->arena.total > 256 * 1024)
        fail_msg("%zu bytes of memory", r->arena.total);
    read_free(r);
    mk_free(&m);
}

/* Per-layer arrays are kept up to 4096 items, longer ones are stepped over; and however many there
 * are, what is kept stays small. */
static void arrays_are_kept_up_to_a_limit(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    for (uint32_t n = 4095; n <= 4097; n++) {
        char key[16];
        snprintf(key, sizeof key, "a%u", n);
        mk_array(&m, key, UL_GGUF_U16, n);
        for (uint32_t i = 0; i < n; i++)
            mk_16(&m, i);
    }
    for (int k = 0; k < 100; k++) {
        char key[16];
        snprintf(key, sizeof key, "bomb %d", k);
        mk_array(&m, key, UL_GGUF_U8, 4096);
        for (int i = 0; i < 4096; i++)
            mk_8(&m, 1);
    }
    struct read *r = expect_good(&m);
    assert_int_equal(get(r, "a4095")->v.us[4094], 4094);
    assert_int_equal(get(r, "a4096")->v.us[4095], 4095);
    assert_null(get(r, "a4097")->v.us);
    assert_non_null(get(r, "bomb 0")->v.us);
    assert_null(get(r, "bomb 99")->v.us);
    assert_int_equal(get(r, "bomb 99")->count, 4096);
    assert_true(r->arena.total < 2 * m.n + 256 * 1024);
    read_free(r);
    mk_free(&m);
}

/* Many tensors: their records outgrow the first room, and none is lost. */
static void many_tensors(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    for (uint32_t i = 0; i < 50000; i++) {
        char name[40];
        snprintf(name, sizeof name, "blk.%u.ffn_up.%u.weight", i / 512, i % 512);
        mk_tensor2(&m, name, UL_BF16, 16, 1 + i % 3);
    }
    struct read *r = expect_good(&m);
    assert_int_equal(r->g.n_tensors, 50000);
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(r->g.tensors[i].bytes, 32 * (1 + i % 3));
    assert_true(ul_str_is(r->g.tensors[49999].name, "blk.97.ffn_up.335.weight"));
    read_free(r);
    mk_free(&m);
}

/* ------------------------------------------------------------------ sources */

/* Gives at most `step` bytes a call; an error from byte `broken` on. */
struct slow {
    const struct mkgguf *m;
    size_t step;
    uint64_t broken;
    unsigned calls;
};

static long slow_read(struct ul_source *s, uint64_t offset, void *buf, size_t n, ullage_error *err)
{
    struct slow *w = s->state;
    w->calls++;
    if (offset + w->step > w->broken) {
        ul_fail(err, ULLAGE_ERROR_IO, offset, "%s: the line is dead", s->name);
        return -1;
    }
    if (offset >= w->m->n)
        return 0;
    if (n > w->step)
        n = w->step;
    if (n > w->m->n - offset)
        n = (size_t)(w->m->n - offset);
    memcpy(buf, w->m->p + offset, n);
    return (long)n;
}

static int read_slowly(struct slow *w, uint64_t size, ullage_error *err, size_t *n_tensors)
{
    struct ul_arena a = {0};
    struct ul_gguf g;
    struct ul_source s = {.name = "http", .size = size, .read = slow_read, .state = w};
    int code = ul_gguf_read(&g, &s, &a, err);
    *n_tensors = g.n_tensors;
    ul_arena_free(&a);
    return code;
}

static void a_source_may_give_little_or_fail(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    size_t n_tensors;
    mk_begin(&m);
    all_kinds(&m);
    mk_tensor1(&m, "w", UL_F32, 10);
    mk_end(&m);
    for (size_t step = 1; step < 40; step++) {
        ullage_error err = {0};
        struct slow w = {.m = &m, .step = step, .broken = UINT64_MAX};
        assert_int_equal(read_slowly(&w, mk_full_size(&m), &err, &n_tensors), ULLAGE_OK);
        assert_int_equal(n_tensors, 1);
        /* of unknown size, as a server may leave it */
        assert_int_equal(read_slowly(&w, UINT64_MAX, &err, &n_tensors), ULLAGE_OK);
        assert_int_equal(n_tensors, 1);
    }
    for (uint64_t broken = 1; broken < m.n; broken++) {
        ullage_error err = {0};
        struct slow w = {.m = &m, .step = 1, .broken = broken};
        assert_int_equal(read_slowly(&w, mk_full_size(&m), &err, &n_tensors), ULLAGE_ERROR_IO);
        assert_string_equal(err.message, "http: the line is dead");
    }
    mk_free(&m);
}

/* Of a size nobody knows, a cut header still ends, and a lying count is not believed. */
static void a_source_of_unknown_size_ends(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    size_t n_tensors;
    ullage_error err = {0};
    mk_begin(&m);
    mk_kv_u32(&m, "a", 1);
    mk_end(&m);
    mk_patch(&m, MK_AT_KVS, UINT64_MAX / 14 - 10, 8);
    mk_patch(&m, MK_AT_TENSORS, UINT64_MAX / 24 - 10, 8);
    struct slow w = {.m = &m, .step = 100, .broken = UINT64_MAX};
    assert_int_equal(read_slowly(&w, UINT64_MAX, &err, &n_tensors), ULLAGE_ERROR_INPUT);
    assert_non_null(strstr(err.message, "cut off: the file ends at byte"));
    /* The last value is jumped over, and is not there. */
    mk_begin(&m);
    mk_array(&m, "a", UL_GGUF_STRING, 1);
    mk_64(&m, 70000);
    mk_end(&m);
    err = (ullage_error){0};
    assert_int_equal(read_slowly(&w, UINT64_MAX, &err, &n_tensors), ULLAGE_ERROR_INPUT);
    assert_non_null(strstr(err.message, "cut off: the file ends at byte"));
    struct read *r = read_part(m.p, m.n, 1 << 20);
    check_message(r, ULLAGE_ERROR_INPUT, "goes on past the bytes that were given");
    read_free(r);
    mk_free(&m);
}

/* Long arrays of numbers are jumped over, not read. */
static void long_arrays_are_not_read(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    size_t n_tensors;
    ullage_error err = {0};
    mk_begin(&m);
    mk_array(&m, "scores", UL_GGUF_F64, 1000000);
    for (int i = 0; i < 1000000; i++)
        mk_f64(&m, 0);
    mk_tensor1(&m, "w", UL_F32, 10);
    mk_end(&m);
    struct slow w = {.m = &m, .step = 65536, .broken = UINT64_MAX};
    assert_int_equal(read_slowly(&w, mk_full_size(&m), &err, &n_tensors), ULLAGE_OK);
    assert_int_equal(n_tensors, 1);
    assert_true(w.calls <= 3);
    mk_free(&m);
}

/* A caller that wants no message passes no error struct. */
static void errors_may_be_ignored(void **state)
{
    (void)state;
    struct ul_arena a = {0};
    struct ul_gguf g;
    struct ul_source s;
    ul_source_memory(&s, "GGUF", 4, 4);
    assert_int_equal(ul_gguf_read(&g, &s, &a, NULL), ULLAGE_ERROR_INPUT);
    assert_int_equal(ul_gguf_open(&g, "no such file", &a, NULL), ULLAGE_ERROR_IO);
    ul_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value),
        cmocka_unit_test(tensors_with_shape_size_and_place),
        cmocka_unit_test(alignment_is_the_keys),
        cmocka_unit_test(rows_may_pass_32_bits),
        cmocka_unit_test(missing_data_is_marked_not_refused),
        cmocka_unit_test(a_shape_past_the_file_is_marked),
        cmocka_unit_test(token_ids_are_only_numbers),
        cmocka_unit_test(large_vocabularies_cost_no_memory),
        cmocka_unit_test(arrays_are_kept_up_to_a_limit),
        cmocka_unit_test(many_tensors),
        cmocka_unit_test(a_source_may_give_little_or_fail),
        cmocka_unit_test(a_source_of_unknown_size_ends),
        cmocka_unit_test(long_arrays_are_not_read),
        cmocka_unit_test(errors_may_be_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
