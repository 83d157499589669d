/* Files that no reader may believe. Each test makes one kind of damage that was reported against a
 * public reader (wrong magic, counts and lengths that wrap, shapes that overflow, duplicate names,
 * broken alignment, unknown types ...), as small as it gets, and expects one line that names the
 * byte or the key. The kinds are those of llama.cpp's tests/test-gguf.cpp, of its advisories
 * (CVE-2025-49847, CVE-2025-53630, CVE-2026-33298, CVE-2026-7482, CVE-2026-53923) and of issues. */
#include "gguf_case.h"

#define INPUT ULLAGE_ERROR_INPUT
#define BIG ((uint64_t)1 << 63)

static struct mkgguf start(void)
{
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    return m;
}

/* A file whose head says so many tensors and keys, and nothing follows. */
static void head_refused(uint64_t n_tensors, uint64_t n_kv, uint64_t at, const char *fragment)
{
    struct mkgguf m = start();
    mk_patch(&m, MK_AT_TENSORS, n_tensors, 8);
    mk_patch(&m, MK_AT_KVS, n_kv, 8);
    expect_bytes_refused(m.p, m.n, m.n, INPUT, at, fragment);
    mk_free(&m);
}

/* ------------------------------------------------------------------ magic and version */

static void another_format_is_named(void **state)
{
    (void)state;
    static const struct { const char *bytes; size_t n; const char *fragment; } files[] = {
#define F(lit, text) {lit, sizeof(lit) - 1, text}
        F("\x40\0\0\0\0\0\0\0{\"__metadata__\":{}}", "safetensors"),
        F("PK\3\4\x14\0\0\0\0\0", "zip archive"),
        F("lmgg\1\0\0\0", "old GGML"),
        F("tjgg\3\0\0\0", "ggjt"),
        F("FUGG\3\0\0\0", "magic swapped"),
        F("\x1f\x8b\x08\0\0\0\0\0", "gzip"),
        F("version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git-lfs pointer"),
        F("<!DOCTYPE html><html><body>404", "web page"),
        F("<html><head>", "web page"),
        F("{\"error\":\"Access denied\"}", "JSON"),
        F("\x80\x02}q\0X\4\0", "pickle"),
        F("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "only zeros"),
        F("Unknown things", "not a GGUF file"),
        F("U", "not a GGUF file"),
        F("GGU", "not a GGUF file"),
        F("gguf\3\0\0\0", "not a GGUF file"),
        F("", "empty"),
#undef F
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_bytes_refused(files[i].bytes, files[i].n, files[i].n, INPUT, 0, files[i].fragment);
}

static void a_later_piece_of_a_cut_file_is_named(void **state)
{
    (void)state;
    struct read r = {.code = 0};
    struct ul_source s;
    ul_source_memory(&s, "some tensor data", 16, 16);
    s.name = "model.gguf.part2of2";
    r.code = ul_gguf_read(&r.g, &s, &r.arena, &r.err);
    check_message(&r, INPUT, "join the pieces");
    ul_arena_free(&r.arena);
}

static void only_versions_2_and_3_are_read(void **state)
{
    (void)state;
    static const struct { uint32_t version; const char *fragment; } versions[] = {
        {0, "version 0 does not exist"},
        {1, "version 1 is no longer supported"},
        {4, "version 4 is newer"},
        {0x01000000, "big-endian GGUF version 1"},
        {0x04000000, "big-endian GGUF version 4"},
        {0x7fff0000, "big-endian GGUF version 65407"},
        {UINT32_MAX, "version 4294967295 is newer"},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct mkgguf m = {.version = versions[i].version};
        mk_begin(&m);
        expect_refused(&m, MK_AT_VERSION, versions[i].fragment);
    }
}

/* ------------------------------------------------------------------ counts and lengths */

static void counts_are_divided_not_multiplied(void **state)
{
    (void)state;
    /* minus one, near 2^64 / sizeof, one more than a file of this length can hold */
    head_refused(UINT64_MAX, 0, MK_AT_TENSORS, "18446744073709551615 tensors");
    head_refused(UINT64_MAX / 24 + 1, 0, MK_AT_TENSORS, "tensors are more than");
    head_refused(UINT64_MAX / 368, 0, MK_AT_TENSORS, "tensors are more than");
    head_refused(1, 0, MK_AT_TENSORS, "1 tensors are more than");
    head_refused(0, UINT64_MAX, MK_AT_KVS, "18446744073709551615 keys");
    head_refused(0, BIG, MK_AT_KVS, "keys are more than");
    head_refused(0, 1, MK_AT_KVS, "1 keys are more than");
}

static void a_key_must_be_there_and_short(void **state)
{
    (void)state;
    struct mkgguf m = start();
    mk_kv_u32(&m, "", 1);
    expect_refused(&m, 24, "an empty key");

    static const uint64_t lengths[] = {UINT64_MAX, UINT32_MAX, BIG, 1000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        m = start();
        mk_kv_u32(&m, "k", 1);
        mk_patch(&m, MK_AT_FIRST, lengths[i], 8);
        expect_refused(&m, 24, "a key of");
    }

    m = start();
    char *name = calloc(1, 70000);
    memset(name, 'k', 69999);
    mk_kv_u32(&m, name, 1);
    free(name);
    expect_refused(&m, 24, "a key of 69999 bytes is too long (at most 65535)");
}

static void a_string_must_fit_the_file(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {60000, UINT64_MAX, BIG, (uint64_t)1 << 32};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct mkgguf m = start();
        mk_key(&m, "general.name", UL_GGUF_STRING);
        size_t at = m.n;
        mk_64(&m, lengths[i]);
        mk_64(&m, 0); /* 8 bytes are left */
        expect_refused(&m, at, "where 8 are left");
    }
}

/* A token longer than INT32_MAX is a sparse file's trick (CVE-2025-49847); the engine stops at
 * 1 GiB. Here the file is said to be 8 GiB and nothing of it is read. */
static void a_string_of_gigabytes_is_refused(void **state)
{
    (void)state;
    struct mkgguf m = start();
    mk_array(&m, "tokenizer.ggml.tokens", UL_GGUF_STRING, 2);
    mk_str(&m, "a");
    size_t at = m.n;
    mk_64(&m, (uint64_t)INT32_MAX + 1);
    mk_end(&m);
    expect_bytes_refused(m.p, m.n, (uint64_t)8 << 30, INPUT, at, "2147483648 bytes is too long");
    mk_free(&m);

    m = start();
    mk_key(&m, "general.name", UL_GGUF_STRING);
    at = m.n;
    mk_64(&m, (uint64_t)3 << 30);
    mk_end(&m);
    expect_bytes_refused(m.p, m.n, (uint64_t)8 << 30, INPUT, at, "3221225472 bytes is too long");
    mk_free(&m);
}

static void array_lengths_are_no_bombs(void **state)
{
    (void)state;
    static const struct { uint32_t item; uint64_t n; } arrays[] = {
        {UL_GGUF_U8, BIG},                            /* the 43-byte file that hangs gguf-py */
        {UL_GGUF_F64, ((uint64_t)1 << 61) + 1},       /* n x 8 wraps to 8 */
        {UL_GGUF_STRING, ((uint64_t)1 << 61) + 1},
        {UL_GGUF_STRING, UINT64_MAX},
        {UL_GGUF_I32, 10000001},
        {UL_GGUF_I32, ((uint64_t)1 << 62) + 1},       /* n x 4 wraps to 4 */
        {UL_GGUF_BOOL, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        struct mkgguf m = start();
        mk_key(&m, "a", UL_GGUF_ARRAY);
        mk_32(&m, arrays[i].item);
        size_t at = m.n;
        mk_64(&m, arrays[i].n);
        mk_32(&m, 0);
        mk_32(&m, 0);
        expect_refused(&m, at, "key 'a' claims");
    }
    /* As long as the file, but past the engine's own limit of 2^30 items. */
    struct mkgguf m = start();
    mk_key(&m, "a", UL_GGUF_ARRAY);
    mk_32(&m, UL_GGUF_U8);
    size_t at = m.n;
    mk_64(&m, ((uint64_t)1 << 30) + 1);
    mk_end(&m);
    expect_bytes_refused(m.p, m.n, (uint64_t)2 << 30, INPUT, at, "claims 1073741825 items");
    mk_free(&m);
}

static void a_string_in_an_array_must_fit_the_file(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {9, UINT64_MAX, UINT64_MAX - 7, BIG};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct mkgguf m = start();
        mk_array(&m, "tokens", UL_GGUF_STRING, 2);
        mk_str(&m, "abc");
        size_t at = m.n;
        mk_64(&m, lengths[i]);
        mk_raw(&m, "12345678", 8);
        expect_refused(&m, at, "a string of");
    }
}

static void types_of_values_are_known(void **state)
{
    (void)state;
    static const uint32_t types[] = {13, 99, UINT32_MAX, 0xfafdfeff};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct mkgguf m = start();
        mk_key(&m, "general.name", types[i]);
        mk_64(&m, 0);
        expect_refused(&m, 24 + 8 + 12, "key 'general.name' has a value of unknown type");

        m = start();
        mk_array(&m, "general.name", types[i], 1);
        mk_64(&m, 0);
        expect_refused(&m, 24 + 8 + 12 + 4, "key 'general.name' is an array of unknown type");
    }
    struct mkgguf m = start();
    mk_array(&m, "nested", UL_GGUF_ARRAY, 1);
    mk_64(&m, 0);
    expect_refused(&m, 24 + 8 + 6 + 4, "key 'nested' is an array of arrays");
}

static void a_key_is_there_once(void **state)
{
    (void)state;
    struct mkgguf m = start();
    mk_kv_u32(&m, "llama.attention.head_count_kv", 8);
    mk_kv_u32(&m, "llama.block_count", 2);
    uint64_t at = m.n;
    mk_kv_u32(&m, "llama.attention.head_count_kv", 1);
    mk_kv_u32(&m, "llama.attention.head_count_kv", 1);
    expect_refused(&m, at, "key 'llama.attention.head_count_kv' is there twice");
}

/* Names from the file go into messages: one line, whatever the bytes. */
static void control_characters_do_not_reach_the_message(void **state)
{
    (void)state;
    struct mkgguf m = start();
    mk_key(&m, "a\n\033[31m\x80", 77);
    mk_64(&m, 0);
    expect_refused(&m, 24 + 8 + 8, "key 'a??[31m?'");
}

/* ------------------------------------------------------------------ alignment */

static void alignment_is_a_small_power_of_two(void **state)
{
    (void)state;
    static const struct { uint32_t v; const char *fragment; } bad[] = {
        {0, "general.alignment is 0, not a power of two"},
        {13, "general.alignment is 13, not a power of two"},
        {48, "general.alignment is 48, not a power of two"},
        {UINT32_MAX, "not a power of two"},
        {0x80000000, "general.alignment is 2147483648, more than"},
        {1u << 30, "general.alignment is 1073741824, more than"},
        {1u << 21, "general.alignment is 2097152, more than"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mkgguf m = start();
        mk_kv_u32(&m, "general.alignment", bad[i].v);
        expect_refused(&m, 24, bad[i].fragment);
    }
    struct mkgguf m = start();
    mk_kv_i32(&m, "general.alignment", 32);
    expect_refused(&m, 24, "general.alignment must be a u32 but is of type i32");
    m = start();
    mk_array(&m, "general.alignment", UL_GGUF_U32, 1);
    mk_32(&m, 32);
    expect_refused(&m, 24, "general.alignment must be a u32 but is of type array");
}

/* ------------------------------------------------------------------ tensors */

/* One tensor whose shape is refused, at the byte `after` the record's name. */
static void shape_refused(uint32_t type, uint32_t n_dims, const uint64_t *ne, size_t after,
                          const char *fragment)
{
    struct mkgguf m = start();
    mk_tensor(&m, "w", type, n_dims, ne);
    m.data = 0;
    expect_refused(&m, MK_AT_FIRST + 9 + after, fragment);
}

static void a_tensor_has_at_most_four_dimensions(void **state)
{
    (void)state;
    static const uint64_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    shape_refused(UL_F32, 5, ones, 0, "tensor 'w' has more than 4 dimensions");
    shape_refused(UL_F32, UINT32_MAX, ones, 0, "tensor 'w' has more than 4 dimensions");
}

static void dimensions_are_positive(void **state)
{
    (void)state;
    shape_refused(UL_F32, 1, (uint64_t[]){0}, 4, "tensor 'w' has a dimension of 0");
    shape_refused(UL_F32, 3, (uint64_t[]){4, 0, 4}, 12, "tensor 'w' has a dimension of 0");
    shape_refused(UL_F32, 1, (uint64_t[]){UINT64_MAX}, 4, "tensor 'w' has a negative dimension");
    shape_refused(UL_F32, 2, (uint64_t[]){2, UINT64_MAX}, 12, "has a negative dimension");
    shape_refused(UL_F32, 2, (uint64_t[]){BIG, 2}, 4, "has a negative dimension");
}

static void elements_can_be_counted(void **state)
{
    (void)state;
    uint64_t i32 = INT32_MAX;
    shape_refused(UL_F32, 4, (uint64_t[]){i32, i32, i32, i32}, 20, "more elements than");
    shape_refused(UL_F32, 2, (uint64_t[]){4 * i32, 4 * i32}, 12, "more elements than");
    shape_refused(UL_F32, 2, (uint64_t[]){(uint64_t)1 << 32, (uint64_t)1 << 31}, 12,
                  "more elements than");
    shape_refused(UL_I8, 1, (uint64_t[]){INT64_MAX}, 4, "more elements than");
}

static void bytes_can_be_counted(void **state)
{
    (void)state;
    /* CVE-2026-33298: 1024 x 1024 x (2^42 + 1) f32 wraps to 4 MB */
    uint64_t many = ((uint64_t)1 << 42) + 1;
    shape_refused(UL_F32, 3, (uint64_t[]){1024, 1024, many}, 4 + 24, "more bytes than");
    shape_refused(UL_F32, 2, (uint64_t[]){(uint64_t)1 << 62, 1}, 4 + 16, "more bytes than");
    shape_refused(UL_I64, 1, (uint64_t[]){(uint64_t)1 << 61}, 4 + 8, "more bytes than");
    shape_refused(UL_Q8_1, 2, (uint64_t[]){(uint64_t)1 << 32, (uint64_t)15 << 27}, 4 + 16,
                  "more bytes than");
}

/* CVE-2025-53630: each size is legal, the sum passes 2^64 (and 2^63, which no file passes). */
static void the_sum_of_sizes_can_be_counted(void **state)
{
    (void)state;
    struct mkgguf m = start();
    uint64_t at = 0;
    for (int i = 0; i < 5; i++) {
        at = m.n;
        mk_tensor1(&m, (const char *[]){"a", "b", "c", "d", "e"}[i], UL_I8, (uint64_t)1 << 61);
    }
    /* the fourth reaches 2^63 */
    uint64_t record = 8 + 1 + 4 + 8 + 4 + 8;
    m.data = 0;
    expect_refused(&m, at - record, "tensor 'd' ends past the largest possible file");

    m = start();
    mk_tensor1(&m, "a", UL_I8, INT64_MAX - 1); /* its padding passes 2^63 */
    m.data = 0;
    expect_refused(&m, MK_AT_FIRST, "tensor 'a' ends past the largest possible file");
}

static void rows_are_whole_blocks(void **state)
{
    (void)state;
    shape_refused(UL_Q4_K, 2, (uint64_t[]){576, 4}, 4 + 16, "rows of 576 values, not a multiple");
    shape_refused(UL_Q8_0, 1, (uint64_t[]){33}, 4 + 8, "not a multiple of the 32 in a block");
    shape_refused(UL_Q4_0, 2, (uint64_t[]){1, 32}, 4 + 16, "rows of 1 values");
    shape_refused(UL_Q4_0, 0, NULL, 4, "rows of 1 values"); /* a scalar */
}

static void unknown_types_are_named(void **state)
{
    (void)state;
    static const struct { uint32_t type; const char *fragment; } types[] = {
        {4, "type 4 (q4_2), which ggml has removed"},
        {5, "type 5 (q4_3), which ggml has removed"},
        {31, "type 31 (q4_0_4_4), which ggml has removed"},
        {32, "type 32 (q4_0_4_8), which ggml has removed"},
        {33, "type 33 (q4_0_8_8), which ggml has removed"},
        {36, "type 36 (iq4_nl_4_4), which ggml has removed"},
        {37, "type 37 (iq4_nl_4_8), which ggml has removed"},
        {38, "type 38 (iq4_nl_8_8), which ggml has removed"},
        {43, "type 43, which the engine does not know"},
        {63, "type 63, which the engine does not know"},
        {64, "type 64, which the engine does not know"},
        {105, "type 105, which the engine does not know"},
        {156, "type 156 (iq3_ks of ik_llama.cpp), which the engine does not know"},
        {UINT32_MAX, "type 4294967295, which the engine does not know"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct mkgguf m = start();
        mk_tensor1(&m, "w", types[i].type, 256);
        mk_end(&m);
        expect_bytes_refused(m.p, m.n, m.n, ULLAGE_ERROR_UNKNOWN, MK_AT_FIRST + 9 + 4 + 8,
                             types[i].fragment);
        mk_free(&m);
    }
}

static void names_of_tensors_are_short_and_unique(void **state)
{
    (void)state;
    char name[65];
    memset(name, 'n', 64);
    name[64] = '\0';
    struct mkgguf m = start();
    mk_tensor1(&m, name, UL_F32, 1);
    expect_refused(&m, MK_AT_FIRST, "a tensor's name of 64 bytes is too long (at most 63)");

    m = start();
    mk_tensor1(&m, "token_embd.weight", UL_F32, 8);
    mk_tensor1(&m, "output.weight", UL_F32, 8);
    uint64_t at = m.n;
    mk_tensor1(&m, "token_embd.weight", UL_F32, 8);
    expect_refused(&m, at, "tensor 'token_embd.weight' is there twice");

    m = start();
    mk_tensor1(&m, "w", UL_F32, 1);
    mk_patch(&m, MK_AT_FIRST, UINT64_MAX, 8);
    expect_refused(&m, MK_AT_FIRST, "a tensor's name of 18446744073709551615 bytes");
}

/* Two tensors of 100 and 8 floats; the second says its data is at `offset` (128 follows 400: 416).
 */
static void offset_refused(uint64_t offset, const char *fragment)
{
    struct mkgguf m = start();
    mk_tensor1(&m, "a", UL_F32, 100);
    mk_tensor_at(&m, "b", UL_F32, 1, (uint64_t[]){8}, offset);
    expect_refused(&m, m.n - 8, fragment);
}

static void data_lies_in_order_without_overlap(void **state)
{
    (void)state;
    offset_refused(0, "which overlaps the tensor before it: expected 416");
    offset_refused(384, "which overlaps the tensor before it: expected 416");
    offset_refused(448, "which leaves a gap: expected 416");
    offset_refused(400, "which is not aligned: expected 416");
    offset_refused(UINT64_MAX - 31, "which leaves a gap: expected 416");
    offset_refused(UINT64_MAX - 1, "which is not aligned: expected 416");

    struct mkgguf m = start();
    mk_tensor_at(&m, "a", UL_F32, 1, (uint64_t[]){8}, 32);
    expect_refused(&m, m.n - 8, "data offset 32, which leaves a gap: expected 0");
    /* Written with one alignment, read with another. */
    m = start();
    m.alignment = 32;
    mk_kv_u32(&m, "general.alignment", 64);
    mk_tensor1(&m, "a", UL_F32, 8);
    mk_tensor1(&m, "b", UL_F32, 8);
    expect_refused(&m, m.n - 8, "data offset 32, which is not aligned: expected 64");
}

/* ------------------------------------------------------------------ cut off */

static void small_model(struct mkgguf *m)
{
    mk_begin(m);
    mk_kv_str(m, "general.architecture", "llama");
    mk_kv_u32(m, "llama.block_count", 1);
    mk_array(m, "llama.attention.head_count", UL_GGUF_I16, 2);
    mk_16(m, 4);
    mk_16(m, 4);
    mk_array(m, "tokenizer.ggml.tokens", UL_GGUF_STRING, 3);
    mk_str(m, "<s>");
    mk_str(m, "");
    mk_str(m, "a b");
    mk_tensor2(m, "token_embd.weight", UL_Q8_0, 32, 3);
    mk_tensor1(m, "output_norm.weight", UL_F32, 32);
    mk_end(m);
}

/* Whatever byte a header is cut at, it is refused, within what is left of it. */
static void every_cut_of_the_header_is_refused(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        struct mkgguf m = {.version = 3, .big = big};
        small_model(&m);
        for (size_t n = 0; n < m.n; n++) {
            /* a buffer of its own, so that a sanitizer sees a read past the end */
            unsigned char *p = malloc(n ? n : 1);
            memcpy(p, m.p, n);
            struct read *r = read_part(p, n, n);
            if (r->code != INPUT || !strstr(r->err.message, "at byte ") || r->err.position > n)
                fail_msg("cut at %zu: %d %s", n, r->code, r->err.message);
            read_free(r);
            /* and so is a part of a longer file; what is jumped over may end past the part */
            r = read_part(p, n, 1 << 20);
            if (r->code != INPUT || r->err.position > m.n)
                fail_msg("part of %zu: %d %s", n, r->code, r->err.message);
            read_free(r);
            free(p);
        }
        mk_free(&m);
    }
}

static void the_message_says_where_the_file_ends(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    small_model(&m);
    expect_bytes_refused(m.p, m.n - 5, m.n - 5, INPUT, m.n - 5, "cut off: the file ends");
    expect_bytes_refused(m.p, m.n - 5, m.n + 100, INPUT, m.n - 5,
                         "goes on past the bytes that were given");
    mk_free(&m);
}

/* Two tensors are declared, and the file ends after the second's name. */
static void a_second_tensor_cut_after_its_name(void **state)
{
    (void)state;
    struct mkgguf m = start();
    mk_tensor1(&m, "a", UL_F32, 8);
    size_t at = m.n;
    mk_tensor1(&m, "a.rather.long.name.so.that.two.records.seem.possible", UL_F32, 8);
    mk_end(&m);
    size_t n = at + 8 + 52;
    expect_bytes_refused(m.p, n, n, INPUT, n, "cut off");
    mk_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_format_is_named),
        cmocka_unit_test(a_later_piece_of_a_cut_file_is_named),
        cmocka_unit_test(only_versions_2_and_3_are_read),
        cmocka_unit_test(counts_are_divided_not_multiplied),
        cmocka_unit_test(a_key_must_be_there_and_short),
        cmocka_unit_test(a_string_must_fit_the_file),
        cmocka_unit_test(a_string_of_gigabytes_is_refused),
        cmocka_unit_test(array_lengths_are_no_bombs),
        cmocka_unit_test(a_string_in_an_array_must_fit_the_file),
        cmocka_unit_test(types_of_values_are_known),
        cmocka_unit_test(a_key_is_there_once),
        cmocka_unit_test(control_characters_do_not_reach_the_message),
        cmocka_unit_test(alignment_is_a_small_power_of_two),
        cmocka_unit_test(a_tensor_has_at_most_four_dimensions),
        cmocka_unit_test(dimensions_are_positive),
        cmocka_unit_test(elements_can_be_counted),
        cmocka_unit_test(bytes_can_be_counted),
        cmocka_unit_test(the_sum_of_sizes_can_be_counted),
        cmocka_unit_test(rows_are_whole_blocks),
        cmocka_unit_test(unknown_types_are_named),
        cmocka_unit_test(names_of_tensors_are_short_and_unique),
        cmocka_unit_test(data_lies_in_order_without_overlap),
        cmocka_unit_test(every_cut_of_the_header_is_refused),
        cmocka_unit_test(the_message_says_where_the_file_ends),
        cmocka_unit_test(a_second_tensor_cut_after_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
