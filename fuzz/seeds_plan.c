/* Writes the seed files of fuzz_plan: tiny models of several kinds, and models that a reader accepts
 * and nothing else should: counts of zero and of four billion, arrays of the wrong length, tensors
 * that belong to no layer.  seeds_plan fuzz/corpus/plan */
#include "mkgguf.h"

static const char *folder;

struct shape {
    const char *arch;
    uint32_t layers, embd, heads, kv, ff, ctx;
};

static const struct shape usual = {"llama", 2, 64, 4, 2, 128, 2048};

static void key(struct mkgguf *m, const struct shape *s, const char *name, uint32_t v)
{
    char full[96];
    snprintf(full, sizeof full, "%s.%s", s->arch, name);
    mk_kv_u32(m, full, v);
}

/* A seed's first byte chooses the command line and the machine (fuzz_plan.c: setups). */
static void save(struct mkgguf *m, unsigned setup, const char *name)
{
    struct mkgguf out = {.version = 3};
    char path[1024];
    mk_end(m);
    mk_8(&out, setup);
    mk_raw(&out, m->p, m->n);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mk_write(&out, path);
    mk_free(&out);
    mk_free(m);
}

static struct mkgguf begin(const struct shape *s)
{
    struct mkgguf m = {.version = 3};
    char eps[96];
    mk_begin(&m);
    mk_kv_str(&m, "general.architecture", s->arch);
    key(&m, s, "block_count", s->layers);
    key(&m, s, "context_length", s->ctx);
    key(&m, s, "embedding_length", s->embd);
    key(&m, s, "feed_forward_length", s->ff);
    key(&m, s, "attention.head_count", s->heads);
    key(&m, s, "vocab_size", 32);
    snprintf(eps, sizeof eps, "%s.attention.layer_norm_rms_epsilon", s->arch);
    mk_kv_f32(&m, eps, 1e-5f);
    return m;
}

static void tensors(struct mkgguf *m, const struct shape *s)
{
    uint64_t e = s->embd, k = s->heads ? s->embd / s->heads * s->kv : 1;
    mk_tensor2(m, "token_embd.weight", UL_Q4_0, e, 32);
    mk_tensor1(m, "output_norm.weight", UL_F32, e);
    for (uint32_t i = 0; i < s->layers && i < 2; i++) {
        const struct { const char *name; uint64_t a, b; } t[] = {
            {"attn_norm", e, 1}, {"attn_q", e, e},        {"attn_k", e, k},
            {"attn_v", e, k},    {"attn_output", e, e},   {"ffn_norm", e, 1},
            {"ffn_gate", e, s->ff}, {"ffn_up", e, s->ff}, {"ffn_down", s->ff, e}};
        for (size_t j = 0; j < sizeof t / sizeof *t; j++) {
            char name[64];
            snprintf(name, sizeof name, "blk.%u.%s.weight", i, t[j].name);
            mk_tensor2(m, name, t[j].b > 1 ? UL_Q8_0 : UL_F32, t[j].a, t[j].b);
        }
    }
}

static void simple(struct shape s, unsigned setup, const char *name)
{
    struct mkgguf m = begin(&s);
    key(&m, &s, "attention.head_count_kv", s.kv);
    /* the tensors stay those of a small model, whatever the keys say */
    struct shape t = usual;
    t.arch = s.arch;
    tensors(&m, &t);
    save(&m, setup, name);
}

/* One more key beside the usual ones. */
static void with_key(const char *arch, const char *extra, uint32_t v, const char *name)
{
    struct shape s = usual;
    s.arch = arch;
    struct mkgguf m = begin(&s);
    key(&m, &s, "attention.head_count_kv", s.kv);
    key(&m, &s, extra, v);
    tensors(&m, &s);
    save(&m, 0, name);
}

static void per_layer(uint32_t n, uint32_t item, const char *name)
{
    struct mkgguf m = begin(&usual);
    mk_array(&m, "llama.attention.head_count_kv", item, n);
    for (uint32_t i = 0; i < n; i++) {
        if (item == UL_GGUF_STRING)
            mk_str(&m, "2");
        else
            mk_32(&m, i % 2 * 2);
    }
    tensors(&m, &usual);
    save(&m, 3, name);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fprintf(stderr, "usage: seeds_plan FOLDER\n"), 2;
    folder = argv[1];
    static const char *const archs[] = {"llama", "qwen3", "gemma3", "deepseek2", "qwen35", "mamba2",
                                        "bert", "rwkv7", "t5", "gpt-oss", "nothing-known"};
    for (unsigned i = 0; i < sizeof archs / sizeof *archs; i++) {
        struct shape s = usual;
        s.arch = archs[i];
        simple(s, i, archs[i]);
    }
    simple((struct shape){"llama", 0, 64, 4, 2, 128, 2048}, 0, "layers-0");
    simple((struct shape){"llama", 525, 64, 4, 2, 128, 2048}, 1, "layers-525");
    simple((struct shape){"llama", UINT32_MAX, 64, 4, 2, 128, 2048}, 2, "layers-all");
    simple((struct shape){"llama", 2, 0, 4, 2, 128, 2048}, 0, "embd-0");
    simple((struct shape){"llama", 2, UINT32_MAX, 4, 2, 128, 2048}, 3, "embd-all");
    simple((struct shape){"llama", 2, 64, 0, 2, 128, 2048}, 0, "heads-0");
    simple((struct shape){"llama", 2, 64, UINT32_MAX, UINT32_MAX, 128, 2048}, 4, "heads-all");
    simple((struct shape){"llama", 2, 64, 4, 0, 128, 2048}, 5, "kv-0");
    simple((struct shape){"llama", 2, 64, 3, 7, 128, 2048}, 0, "kv-odd");
    simple((struct shape){"llama", 2, 64, 4, 2, 128, 0}, 1, "ctx-0");
    simple((struct shape){"llama", 2, 64, 4, 2, 128, UINT32_MAX}, 1, "ctx-all");
    with_key("llama", "attention.key_length", 0, "key-length-0");
    with_key("llama", "attention.key_length", UINT32_MAX, "key-length-all");
    with_key("llama", "attention.key_length", 24, "key-length-24");
    with_key("llama", "expert_count", UINT32_MAX, "experts-all");
    with_key("gemma3", "attention.sliding_window", UINT32_MAX, "window-all");
    with_key("gemma3", "attention.sliding_window", 0, "window-0");
    with_key("qwen35", "full_attention_interval", 0, "interval-0");
    with_key("qwen3moe", "nextn_predict_layers", 3, "draft-layers");
    per_layer(2, UL_GGUF_U32, "kv-array");
    per_layer(1, UL_GGUF_U32, "kv-array-short");
    per_layer(3, UL_GGUF_I32, "kv-array-long");
    per_layer(2, UL_GGUF_STRING, "kv-array-strings");
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    save(&m, 0, "no-keys");
    m = begin(&usual);
    mk_tensor1(&m, "blk.4294967295.attn_norm.weight", UL_F32, 1);
    mk_tensor1(&m, "blk.99999999999999999999.x", UL_F32, 1);
    mk_tensor1(&m, "blk..weight", UL_F32, 1);
    mk_tensor1(&m, "", UL_F32, 1);
    save(&m, 0, "odd-names");
    m = begin(&usual);
    mk_tensor(&m, "token_embd.weight", UL_I8, 4,
              (uint64_t[]){(uint64_t)1 << 31, (uint64_t)1 << 20, 1024, 2});
    save(&m, 0, "huge-tensor");
    return 0;
}
