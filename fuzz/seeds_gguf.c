/* Writes the seed files of fuzz_gguf: small good files of every form, and one of each kind of
 * damage, so that a fuzzer starts behind every check. Run it when the format's reader learns
 * something new:  seeds_gguf fuzz/corpus/gguf */
#include "mkgguf.h"

static const char *folder;

static void save(struct mkgguf *m, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mk_write(m, path);
    mk_free(m);
}

static struct mkgguf start(void)
{
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    return m;
}

static void finish(struct mkgguf *m, const char *name)
{
    mk_end(m);
    save(m, name);
}

/* A little model with one of everything that a header holds. */
static void model(uint32_t version, bool big, uint32_t alignment, const char *name)
{
    struct mkgguf m = {.version = version, .big = big, .alignment = alignment};
    mk_begin(&m);
    mk_kv_str(&m, "general.architecture", "llama");
    mk_kv_str(&m, "general.name", "seed");
    if (alignment)
        mk_kv_u32(&m, "general.alignment", alignment);
    mk_kv_u32(&m, "llama.block_count", 2);
    mk_kv_u32(&m, "llama.context_length", 2048);
    mk_kv_f32(&m, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
    mk_kv_u32s(&m, "llama.attention.head_count_kv", (const uint32_t[]){2, 0}, 2);
    mk_array(&m, "llama.window", UL_GGUF_BOOL, 2), mk_8(&m, 1), mk_8(&m, 0);
    mk_array(&m, "tokenizer.ggml.tokens", UL_GGUF_STRING, 4);
    mk_str(&m, "<unk>"), mk_str(&m, ""), mk_strn(&m, "a\0b", 3), mk_str(&m, "\xff\n");
    mk_array(&m, "tokenizer.ggml.scores", UL_GGUF_F32, 4);
    for (int i = 0; i < 4; i++)
        mk_f32(&m, (float)i);
    mk_tensor2(&m, "token_embd.weight", UL_Q4_0, 32, 4);
    mk_tensor1(&m, "blk.0.attn_norm.weight", UL_F32, 5);
    mk_tensor(&m, "blk.0.ffn_up_exps.weight", UL_Q8_0, 3, (uint64_t[]){32, 2, 2});
    mk_tensor(&m, "scalar", UL_BF16, 0, NULL);
    finish(&m, name);
}

static void scalars(uint32_t version, bool big, const char *name)
{
    struct mkgguf m = {.version = version, .big = big};
    mk_begin(&m);
    for (uint32_t t = 0; t < UL_GGUF_VALUE_COUNT; t++) {
        char key[8];
        snprintf(key, sizeof key, "k%u", t);
        if (t == UL_GGUF_STRING || t == UL_GGUF_ARRAY)
            continue;
        mk_key(&m, key, t);
        mk_number(&m, 0x3ff0, t == UL_GGUF_U64 || t == UL_GGUF_I64 || t == UL_GGUF_F64 ? 8
                              : t == UL_GGUF_U16 || t == UL_GGUF_I16                  ? 2
                              : t == UL_GGUF_U32 || t == UL_GGUF_I32 || t == UL_GGUF_F32 ? 4
                                                                                         : 1);
    }
    finish(&m, name);
}

/* One tensor of every type that has a size, a row of one block. */
static void every_type(const char *name)
{
    struct mkgguf m = start();
    for (uint32_t t = 0; t < UL_TYPE_COUNT; t++) {
        const struct ul_type_info *i = ul_type_info(t);
        if (i && i->block)
            mk_tensor1(&m, i->name, t, i->block);
    }
    finish(&m, name);
}

static void one_tensor(uint32_t type, uint32_t n_dims, const uint64_t *ne, uint64_t offset,
                       const char *name)
{
    struct mkgguf m = start();
    mk_tensor_at(&m, "w", type, n_dims, ne, offset);
    finish(&m, name);
}

static void head(uint64_t n_tensors, uint64_t n_kv, const char *name)
{
    struct mkgguf m = start();
    mk_patch(&m, MK_AT_TENSORS, n_tensors, 8);
    mk_patch(&m, MK_AT_KVS, n_kv, 8);
    save(&m, name);
}

static void array(uint32_t item, uint64_t n, const char *name)
{
    struct mkgguf m = start();
    mk_array(&m, "a", item, n);
    mk_64(&m, 1);
    finish(&m, name);
}

static void alignment(uint32_t v, const char *name)
{
    struct mkgguf m = start();
    mk_kv_u32(&m, "general.alignment", v);
    mk_tensor1(&m, "w", UL_F32, 3);
    finish(&m, name);
}

static void bad_shapes(void)
{
    const uint64_t big = (uint64_t)1 << 62;
    one_tensor(UL_F32, 5, (uint64_t[]){1, 1, 1, 1, 1}, 0, "bad-dims-5");
    one_tensor(UL_F32, 1, (uint64_t[]){0}, 0, "bad-dim-zero");
    one_tensor(UL_F32, 2, (uint64_t[]){2 * big, 2}, 0, "bad-dim-negative");
    one_tensor(UL_F32, 2, (uint64_t[]){big, 1}, 0, "bad-bytes");
    one_tensor(UL_F32, 3, (uint64_t[]){1024, 1024, ((uint64_t)1 << 42) + 1}, 0, "bad-bytes-wrap");
    one_tensor(UL_F32, 2, (uint64_t[]){(uint64_t)1 << 40, (uint64_t)1 << 40}, 0, "bad-elements");
    one_tensor(UL_I8, 1, (uint64_t[]){(uint64_t)INT64_MAX - 1}, 0, "bad-sum");
    one_tensor(UL_Q4_K, 1, (uint64_t[]){576}, 0, "bad-row");
    one_tensor(UL_F32, 1, (uint64_t[]){8}, 32, "bad-gap");
    one_tensor(UL_F32, 1, (uint64_t[]){8}, UINT64_MAX - 1, "bad-offset");
    one_tensor(4, 1, (uint64_t[]){256}, 0, "bad-type-removed");
    one_tensor(156, 1, (uint64_t[]){256}, 0, "bad-type-fork");
}

static void bad_keys(void)
{
    struct mkgguf m = start();
    mk_kv_u32(&m, "twice", 1);
    mk_kv_u32(&m, "twice", 2);
    finish(&m, "bad-key-twice");
    m = start();
    mk_kv_u32(&m, "", 1);
    finish(&m, "bad-key-empty");
    m = start();
    mk_key(&m, "k", 13), mk_8(&m, 0);
    finish(&m, "bad-value-type");
    m = start();
    mk_kv_i32(&m, "general.alignment", 32);
    finish(&m, "bad-alignment-type");
    m = start();
    mk_tensor1(&m, "w", UL_F32, 8);
    mk_tensor1(&m, "w", UL_F32, 8);
    finish(&m, "bad-tensor-twice");
    m = start();
    mk_kv_u16(&m, "split.no", 1);
    mk_kv_u16(&m, "split.count", 3);
    mk_kv_i32(&m, "split.tensors.count", 0);
    finish(&m, "shard");
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fprintf(stderr, "usage: seeds_gguf FOLDER\n"), 2;
    folder = argv[1];
    model(3, false, 0, "v3");
    model(2, false, 0, "v2");
    model(3, true, 0, "v3-big-endian");
    model(3, false, 64, "v3-aligned-64");
    scalars(3, false, "scalars");
    scalars(3, true, "scalars-big-endian");
    every_type("every-type");
    head(0, 0, "empty");
    head(UINT64_MAX, 0, "bad-tensor-count");
    head(0, UINT64_MAX, "bad-key-count");
    head((uint64_t)1 << 62, (uint64_t)1 << 62, "bad-counts");
    array(UL_GGUF_U8, (uint64_t)1 << 63, "bad-array-bomb");
    array(UL_GGUF_F64, ((uint64_t)1 << 61) + 1, "bad-array-wrap");
    array(UL_GGUF_STRING, 1, "array-of-one-string");
    array(UL_GGUF_ARRAY, 1, "bad-array-nested");
    array(UL_GGUF_BOOL, 8, "array-of-bools");
    alignment(0, "bad-alignment-0");
    alignment(13, "bad-alignment-13");
    alignment(0x80000000, "bad-alignment-31-bits");
    alignment(1, "alignment-1");
    bad_shapes();
    bad_keys();
    struct mkgguf m = {.version = 1};
    mk_begin(&m);
    save(&m, "bad-version-1");
    mk_raw(&m, "PK\3\4", 4);
    save(&m, "bad-zip");
    return 0;
}
