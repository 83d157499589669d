/* A checkpoint's tensors when its files are not at hand: those that llama.cpp's converter would
 * read, named as Hugging Face names them, so that the rules for real headers serve here too.
 *
 * The converter's list has every parameter once, with its shape; what it makes anew (rope factors)
 * is left out, and all is of the model's own 16 bits. A vision or audio tower is not in the
 * list. */
#include "engine/vllm_server.h"
#include "engine/vllm_weights.h"
#include "model/convert.h"

#include <ctype.h>

static const struct ul_st_dtype bf16 = {.name = "BF16", .bits = 16};

/* What a layer's tensors are called here and there; the first that begins so. Names that are not in
 * the list, and norms, stay as they are. */
static const char *const names[][2] = {
    {"attn_q_a.", "q_a_proj."},       {"attn_kv_a_mqa.", "kv_a_proj_with_mqa."},
    {"attn_q_b.", "q_b_proj."},       {"attn_k_b.", "kv_b_proj."},
    {"attn_v_b.", "kv_b_proj."},      {"attn_kv_b.", "kv_b_proj."},
    {"attn_qkv.", "qkv_proj."},       {"attn_q.", "q_proj."},
    {"attn_k.", "k_proj."},           {"attn_v.", "v_proj."},
    {"attn_output.", "o_proj."},      {"attn_sinks.", "sinks."},
    {"ffn_gate_inp_shexp.", "shared_expert_gate."}, {"ffn_gate_inp.", "router."},
    {"exp_probs_b.", "e_score_correction_bias."},
    {"ffn_gate_exps.", "experts."},   {"ffn_up_exps.", "experts."},
    {"ffn_gate_up_exps.", "experts."}, {"ffn_down_exps.", "experts."},
    {"ffn_gate_shexp.", "gate_proj."}, {"ffn_up_shexp.", "up_proj."},
    {"ffn_down_shexp.", "down_proj."}, {"ffn_gate.", "gate_proj."},
    {"ffn_up.", "up_proj."},          {"ffn_down.", "down_proj."},
};

static struct ul_str layer_name(struct ul_str layer, struct ul_str rest, struct ul_arena *a)
{
    const char *text = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !text; i++) {
        size_t n = strlen(names[i][0]);
        if (ul_str_starts(rest, names[i][0]))
            text = ul_format(a, "layers.%.*s%s%.*s", (int)layer.n, layer.p, names[i][1],
                             (int)(rest.n - n), rest.p + n);
    }
    if (!text)
        text = ul_format(a, "layers.%.*s%.*s", (int)layer.n, layer.p, (int)rest.n, rest.p);
    return (struct ul_str){text, strlen(text)};
}

/* "blk.3.attn_q.weight" is "layers.3.q_proj.weight". */
static struct ul_str name_of(struct ul_str name, struct ul_arena *a)
{
    static const char *const whole[][2] = {{"token_embd.", "embed_tokens.weight"},
                                           {"output.", "lm_head.weight"},
                                           {"output_norm.", "norm.weight"}};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (ul_str_starts(name, whole[i][0]))
            return (struct ul_str){whole[i][1], strlen(whole[i][1])};
    size_t at = 4;
    if (!ul_str_starts(name, "blk."))
        return name;
    while (at < name.n && isdigit((unsigned char)name.p[at]))
        at++;
    at += at < name.n; /* the full stop */
    return layer_name((struct ul_str){name.p + 4, at - 4},
                      (struct ul_str){name.p + at, name.n - at}, a);
}

static void add(struct ul_st *st, const struct ul_gguf_tensor *t, struct ul_arena *a)
{
    struct ul_st_tensor *out = &st->tensors[st->n_tensors];
    uint64_t values = 1;
    if (ul_str_starts(t->name, "rope_"))
        return;
    out->name = name_of(t->name, a);
    out->dtype = &bf16;
    for (int i = 3; i >= 0; i--)
        if (out->n_dims || t->ne[i] > 1 || i == 0)
            out->shape[out->n_dims++] = t->ne[i];
    for (uint32_t i = 0; i < out->n_dims; i++)
        values = ul_mul(values, out->shape[i]);
    out->end = ul_mul(values, 2);
    st->n_tensors++;
}

const struct ul_st *ul_vconvert_headers(struct ul_vserver *v)
{
    struct ul_conv_hints hints = {.type = UL_BF16 + 1};
    struct ul_gguf g = {0};
    ullage_error err = {0};
    if (ul_convert(&g, v->m.name, v->m.root, &hints, v->a, &err))
        return NULL;
    struct ul_st *st = UL_NEW(v->a, struct ul_st);
    st->tensors = UL_NEWS(v->a, struct ul_st_tensor, g.n_tensors);
    v->m.tied = true;
    for (size_t i = 0; i < g.n_tensors; i++) {
        v->m.tied &= !ul_str_starts(g.tensors[i].name, "output.");
        add(st, &g.tensors[i], v->a);
    }
    return st;
}
