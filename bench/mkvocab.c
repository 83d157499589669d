/* Writes the header of a model with a large vocabulary: Qwen3-8B's shape in Q4_K with a Q6_K
 * output, and 150,000 tokens of the lengths that real vocabularies have (2 to 10 bytes mostly),
 * with scores, kinds and as many merges. The engine loads it too, once the data is there as zeros.
 *
 *     bench_mkvocab OUT.gguf [TOKENS] */
#include "mkgguf.h"

#define TOKENS 150000
#define LAYERS 36
#define EMBD 4096
#define FF 12288
#define KV 1024

static uint32_t seed = 1;

static uint32_t next(uint32_t below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % below;
}

/* A token like no other: its number in letters, and some letters more. */
static size_t token(char *out, uint32_t i)
{
    size_t n = 0, more = next(6);
    do
        out[n++] = (char)('a' + i % 26);
    while (i /= 26);
    while (more--)
        out[n++] = (char)('A' + next(26));
    return n;
}

static void vocabulary(struct mkgguf *m, uint32_t n)
{
    char text[32];
    mk_kv_str(m, "tokenizer.ggml.model", "gpt2");
    mk_kv_str(m, "tokenizer.ggml.pre", "qwen2");
    mk_array(m, "tokenizer.ggml.tokens", UL_GGUF_STRING, n);
    for (uint32_t i = 0; i < n; i++)
        mk_strn(m, text, token(text, i));
    mk_array(m, "tokenizer.ggml.scores", UL_GGUF_F32, n);
    for (uint32_t i = 0; i < n; i++)
        mk_f32(m, 0.0f);
    mk_array(m, "tokenizer.ggml.token_type", UL_GGUF_I32, n);
    for (uint32_t i = 0; i < n; i++)
        mk_32(m, 1);
    mk_array(m, "tokenizer.ggml.merges", UL_GGUF_STRING, n);
    for (uint32_t i = 0; i < n; i++) {
        size_t k = token(text, i);
        memmove(text + 2, text + 1, k - 1);
        text[1] = ' ';
        mk_strn(m, text, k + 1);
    }
    mk_kv_u32(m, "tokenizer.ggml.eos_token_id", 0);
}

static void keys(struct mkgguf *m)
{
    mk_kv_str(m, "general.architecture", "qwen3");
    mk_kv_str(m, "general.name", "A large vocabulary");
    mk_kv_u32(m, "general.file_type", 15);
    mk_kv_u32(m, "qwen3.block_count", LAYERS);
    mk_kv_u32(m, "qwen3.context_length", 40960);
    mk_kv_u32(m, "qwen3.embedding_length", EMBD);
    mk_kv_u32(m, "qwen3.feed_forward_length", FF);
    mk_kv_u32(m, "qwen3.attention.head_count", 32);
    mk_kv_u32(m, "qwen3.attention.head_count_kv", 8);
    mk_kv_u32(m, "qwen3.attention.key_length", 128);
    mk_kv_u32(m, "qwen3.attention.value_length", 128);
    mk_kv_f32(m, "qwen3.attention.layer_norm_rms_epsilon", 1e-6f);
    mk_kv_f32(m, "qwen3.rope.freq_base", 1e6f);
}

static void layer(struct mkgguf *m, int i)
{
    static const struct { const char *name; uint32_t type; uint64_t a, b; } tensors[] = {
        {"attn_norm", UL_F32, EMBD, 0},     {"attn_q", UL_Q4_K, EMBD, EMBD},
        {"attn_k", UL_Q4_K, EMBD, KV},      {"attn_v", UL_Q4_K, EMBD, KV},
        {"attn_output", UL_Q4_K, EMBD, EMBD}, {"attn_q_norm", UL_F32, 128, 0},
        {"attn_k_norm", UL_F32, 128, 0},    {"ffn_norm", UL_F32, EMBD, 0},
        {"ffn_gate", UL_Q4_K, EMBD, FF},    {"ffn_up", UL_Q4_K, EMBD, FF},
        {"ffn_down", UL_Q4_K, FF, EMBD},
    };
    for (size_t k = 0; k < sizeof tensors / sizeof *tensors; k++) {
        char name[64];
        snprintf(name, sizeof name, "blk.%d.%s.weight", i, tensors[k].name);
        mk_tensor(m, name, tensors[k].type, tensors[k].b ? 2 : 1,
                  (uint64_t[]){tensors[k].a, tensors[k].b});
    }
}

int main(int argc, char **argv)
{
    uint32_t n = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : TOKENS;
    struct mkgguf m = {.version = 3};
    if (argc < 2 || n == 0)
        return fprintf(stderr, "usage: bench_mkvocab OUT.gguf [TOKENS]\n"), 2;
    mk_begin(&m);
    keys(&m);
    vocabulary(&m, n);
    mk_tensor2(&m, "token_embd.weight", UL_Q4_K, EMBD, n);
    mk_tensor1(&m, "output_norm.weight", UL_F32, EMBD);
    mk_tensor2(&m, "output.weight", UL_Q6_K, EMBD, n);
    for (int i = 0; i < LAYERS; i++)
        layer(&m, i);
    mk_end(&m);
    mk_zeros(&m, mk_data_start(&m));
    mk_write(&m, argv[1]);
    mk_free(&m);
    return 0;
}
