/* Writes the models of the lesson "Memory Math" as headers whose every matrix is Q4_K: the shapes of
 * Llama 3.1 8B and 70B and that of Qwen3-30B-A3B.
 *
 *     mklesson FOLDER      -> FOLDER/llama-8b.gguf, FOLDER/llama-70b.gguf, FOLDER/qwen3-30b-a3b.gguf */
#include "mkgguf.h"

struct shape {
    const char *arch, *file;
    uint32_t embd, layers, heads, kv, head, ff, vocab, experts, used;
};

static void key(struct mkgguf *m, const struct shape *s, const char *name, uint32_t v)
{
    char full[96];
    snprintf(full, sizeof full, "%s.%s", s->arch, name);
    mk_kv_u32(m, full, v);
}

static void keys(struct mkgguf *m, const struct shape *s)
{
    char eps[96];
    mk_kv_str(m, "general.architecture", s->arch);
    key(m, s, "block_count", s->layers);
    key(m, s, "context_length", 131072);
    key(m, s, "embedding_length", s->embd);
    key(m, s, "feed_forward_length", s->ff);
    key(m, s, "attention.head_count", s->heads);
    key(m, s, "attention.head_count_kv", s->kv);
    key(m, s, "attention.key_length", s->head);
    key(m, s, "attention.value_length", s->head);
    key(m, s, "vocab_size", s->vocab);
    if (s->experts) {
        key(m, s, "expert_count", s->experts);
        key(m, s, "expert_used_count", s->used);
        key(m, s, "expert_feed_forward_length", s->ff);
    }
    snprintf(eps, sizeof eps, "%s.attention.layer_norm_rms_epsilon", s->arch);
    mk_kv_f32(m, eps, 1e-6f);
}

static void tensor(struct mkgguf *m, uint32_t layer, const char *name, uint32_t type, uint64_t a,
                   uint64_t b, uint64_t c)
{
    char full[64];
    snprintf(full, sizeof full, "blk.%u.%s.weight", layer, name);
    mk_tensor(m, full, type, c ? 3 : b ? 2 : 1, (uint64_t[]){a, b, c, 0});
}

static void attention(struct mkgguf *m, const struct shape *s, uint32_t i)
{
    uint64_t e = s->embd, q = (uint64_t)s->heads * s->head, k = (uint64_t)s->kv * s->head;
    tensor(m, i, "attn_norm", UL_F32, e, 0, 0);
    tensor(m, i, "attn_q", UL_Q4_K, e, q, 0);
    tensor(m, i, "attn_k", UL_Q4_K, e, k, 0);
    tensor(m, i, "attn_v", UL_Q4_K, e, k, 0);
    tensor(m, i, "attn_output", UL_Q4_K, q, e, 0);
    if (s->experts) {
        tensor(m, i, "attn_q_norm", UL_F32, s->head, 0, 0);
        tensor(m, i, "attn_k_norm", UL_F32, s->head, 0, 0);
    }
    tensor(m, i, "ffn_norm", UL_F32, e, 0, 0);
}

static void feed_forward(struct mkgguf *m, const struct shape *s, uint32_t i)
{
    uint64_t e = s->embd, f = s->ff;
    if (!s->experts) {
        tensor(m, i, "ffn_gate", UL_Q4_K, e, f, 0);
        tensor(m, i, "ffn_up", UL_Q4_K, e, f, 0);
        tensor(m, i, "ffn_down", UL_Q4_K, f, e, 0);
        return;
    }
    tensor(m, i, "ffn_gate_inp", UL_F32, e, s->experts, 0);
    tensor(m, i, "ffn_gate_exps", UL_Q4_K, e, f, s->experts);
    tensor(m, i, "ffn_up_exps", UL_Q4_K, e, f, s->experts);
    tensor(m, i, "ffn_down_exps", UL_Q4_K, f, e, s->experts);
}

static void write_model(const char *folder, const struct shape *s)
{
    struct mkgguf m = {.version = 3};
    char path[1024];
    mk_begin(&m);
    keys(&m, s);
    mk_tensor2(&m, "token_embd.weight", UL_Q4_K, s->embd, s->vocab);
    mk_tensor1(&m, "output_norm.weight", UL_F32, s->embd);
    mk_tensor2(&m, "output.weight", UL_Q4_K, s->embd, s->vocab);
    for (uint32_t i = 0; i < s->layers; i++) {
        attention(&m, s, i);
        feed_forward(&m, s, i);
    }
    mk_end(&m);
    snprintf(path, sizeof path, "%s/%s", folder, s->file);
    mk_write(&m, path);
    mk_free(&m);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fprintf(stderr, "usage: mklesson FOLDER\n"), 2;
    write_model(argv[1], &(struct shape){.arch = "llama", .file = "llama-8b.gguf", .embd = 4096,
                                         .layers = 32, .heads = 32, .kv = 8, .head = 128,
                                         .ff = 14336, .vocab = 128256});
    write_model(argv[1], &(struct shape){.arch = "llama", .file = "llama-70b.gguf", .embd = 8192,
                                         .layers = 80, .heads = 64, .kv = 8, .head = 128,
                                         .ff = 28672, .vocab = 128256});
    write_model(argv[1], &(struct shape){.arch = "qwen3moe", .file = "qwen3-30b-a3b.gguf",
                                         .embd = 2048, .layers = 48, .heads = 32, .kv = 4,
                                         .head = 128, .ff = 768, .vocab = 151936, .experts = 128,
                                         .used = 8});
    return 0;
}
