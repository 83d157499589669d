/* Rows of dense models of one family each, in the order of the alphabet, and T5's encoders and
 * decoders at the end: each is the usual layer with a difference of its own. */
#include "model/convert.h"

#include "base/size.h"

#include <math.h>

/* Chameleon: queries and keys are normed head by head, with weights a head. Source:
 * conversion/chameleon.py. */
static void chameleon_keys(struct ul_conv *c)
{
    ul_kv_bool(c, "swin_norm", ul_cfg_b(c, "swin_norm", false));
}

static void chameleon_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    ul_t2(c, "attn_q_norm.weight", c->head, c->n_head);
    ul_t2(c, "attn_q_norm.bias", c->head, c->n_head);
    ul_t2(c, "attn_k_norm.weight", c->head, c->n_head_kv);
    ul_t2(c, "attn_k_norm.bias", c->head, c->n_head_kv);
}

/* CodeShell. Source: conversion/codeshell.py. */
static void codeshell_setup(struct ul_conv *c)
{
    c->n_ff = 4 * c->n_embd;
    c->n_head_kv = ul_cfg_need(c, "num_query_groups");
}

static void codeshell_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "n_positions"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_need_f(c, "layer_norm_epsilon"));
    ul_kv_f32(c, "rope.freq_base", 10000);
    ul_kv_str(c, "rope.scaling.type", "linear");
    ul_kv_f32(c, "rope.scaling.factor", 1);
}

/* CogVLM: a second set of matrices for what comes from the image. Source: conversion/cogvlm.py. */
static void cogvlm_layer(struct ul_conv *c)
{
    uint64_t q = c->n_head * c->head;
    ul_conv_layer(c);
    ul_t2(c, "vis_attn_qkv.weight", c->n_embd, 3 * q);
    ul_t2(c, "vis_attn_output.weight", q, c->n_embd);
    ul_t2(c, "vis_gate.weight", c->n_embd, c->n_ff);
    ul_t2(c, "vis_up.weight", c->n_embd, c->n_ff);
    ul_t2(c, "vis_down.weight", c->n_ff, c->n_embd);
}

/* Dream: a diffusion model that looks both ways. Source: conversion/dream.py. */
static void both_ways(struct ul_conv *c) { ul_kv_bool(c, "attention.causal", false); }

/* GPT-NeoX. Source: conversion/gptneox.py. */
static void gptneox_setup(struct ul_conv *c) { c->n_head_kv = c->n_head; }

static void gptneox_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "max_position_embeddings"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "feed_forward_length", ul_cfg_need(c, "intermediate_size"));
    ul_kv_u32(c, "rope.dimension_count",
              (uint64_t)(ul_cfg_f(c, "rotary_pct", 0.25) * (double)c->share));
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_bool(c, "use_parallel_residual", ul_cfg_b(c, "use_parallel_residual", true));
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_f(c, "layer_norm_eps", 1e-5));
}

/* InternLM 3. Source: conversion/internlm.py. */
static void internlm3_setup(struct ul_conv *c)
{
    if (ul_cfg_b(c, "qkv_bias", false))
        c->flags |= UL_CV_QKV_BIAS;
    if (ul_cfg_b(c, "bias", false))
        c->flags |= UL_CV_O_BIAS | UL_CV_MLP_BIAS;
}

/* Jais. Source: conversion/jais.py. */
static void jais_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "n_positions"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", ul_cfg_need(c, "n_inner"));
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_need_f(c, "layer_norm_epsilon"));
    ul_kv_f32(c, "attention.max_alibi_bias", 8);
}

/* LLaDA. Source: conversion/llada.py: LLaDAModel. */
static void llada_setup(struct ul_conv *c)
{
    c->n_ff = ul_cfg_u(c, "mlp_hidden_size", 12288);
}

static void llada_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "rope.dimension_count", c->head);
    ul_kv_u32(c, "context_length", ul_cfg_u(c, "max_sequence_length", 4096));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    both_ways(c);
}

/* MiniCPM. Source: conversion/minicpm.py: MiniCPMModel. */
static void minicpm_keys(struct ul_conv *c)
{
    double base = ul_cfg_need_f(c, "dim_model_base");
    ul_kv_f32(c, "embedding_scale", ul_cfg_need_f(c, "scale_emb"));
    ul_kv_f32(c, "residual_scale", ul_cfg_need_f(c, "scale_depth") / sqrt((double)c->n_layer));
    ul_kv_f32(c, "logit_scale", base != 0 ? (double)c->n_embd / base : 0);
}

static void minicpm_rest(struct ul_conv *c)
{
    if (ul_jget(ul_cfg_rope(c), "long_factor") == NULL)
        return;
    ul_t1(c, "rope_factors_long.weight", c->share / 2);
    ul_t1(c, "rope_factors_short.weight", c->share / 2);
}

/* Nanbeige: its layers run several times. Source: conversion/nanbeige.py. */
static void nanbeige_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "num_loops", ul_max(ul_cfg_u(c, "num_loops", 1), 1));
    ul_kv_bool(c, "skip_loop_final_norm", ul_cfg_b(c, "skip_loop_final_norm", false));
}

/* OpenELM: heads and widths grow from layer to layer. Source: conversion/openelm.py. */
static uint64_t elm_heads(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_item(c, "num_query_heads", i, 0);
}

static uint64_t elm_heads_kv(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_item(c, "num_kv_heads", i, 0);
}

static uint64_t elm_ff(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *v = ul_jitem(ul_cfg(c, "ffn_multipliers"), i);
    uint64_t by = ul_max(ul_cfg_u(c, "ffn_dim_divisor", 256), 1);
    double want = v != NULL ? v->d * (double)c->n_embd : 0;
    uint64_t n = want > 0 && want < UINT32_MAX ? (uint64_t)(want + (double)by / 2) / by * by : 0;
    n = ul_max(n, by);
    return (double)n < 0.9 * want ? n + by : n;
}

static void openelm_setup(struct ul_conv *c)
{
    c->n_layer = ul_cfg_need(c, "num_transformer_layers");
    c->n_embd = ul_cfg_need(c, "model_dim");
    c->head = ul_cfg_need(c, "head_dim");
}

static void openelm_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "max_context_length"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32s(c, "feed_forward_length", c->n_layer, elm_ff);
    ul_kv_u32s(c, "attention.head_count", c->n_layer, elm_heads);
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, elm_heads_kv);
    ul_kv_f32(c, "rope.freq_base", ul_cfg_need_f(c, "rope_freq_constant"));
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", 1e-6);
    ul_kv_u32(c, "rope.dimension_count", c->head);
    ul_kv_u32(c, "attention.key_length", c->head);
    ul_kv_u32(c, "attention.value_length", c->head);
}

static void openelm_layer(struct ul_conv *c)
{
    c->n_head = elm_heads(c, (uint64_t)c->il);
    c->n_head_kv = elm_heads_kv(c, (uint64_t)c->il);
    c->n_ff = elm_ff(c, (uint64_t)c->il);
    ul_conv_layer(c);
}

/* Orion: its norms' epsilon goes by the other name. Source: conversion/orion.py. */
static void orion_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length",
              ul_cfg_need(c, "max_sequence_length|max_position_embeddings|model_max_length"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_need_f(c, "rms_norm_eps"));
}

/* Pangu Embedded. Source: conversion/pangu.py. */
static void pangu_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "rope.dimension_count", c->head);
    ul_kv_u32(c, "attention.key_length", c->head);
    ul_kv_u32(c, "attention.value_length", c->head);
}

/* Phi 1 and 2. Source: conversion/phi.py: Phi2Model. */
static void phi2_setup(struct ul_conv *c)
{
    c->n_ff = 4 * c->n_embd;
    c->n_head_kv = c->n_head;
}

static void phi2_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "n_positions|max_position_embeddings"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head);
    ul_kv_f32(c, "attention.layer_norm_epsilon",
              ul_cfg_f(c, "layer_norm_epsilon|layer_norm_eps", 1e-5));
    ul_kv_u32(c, "rope.dimension_count",
              c->n_head ? (uint64_t)(ul_cfg_partial(c, 0.5) * (double)c->n_embd) / c->n_head : 0);
}

static void phi2_rest(struct ul_conv *c) { ul_t1(c, "output.bias", c->n_vocab); }

/* PLaMo: eight queries share a key, whatever the configuration says. Source:
 * conversion/plamo.py. */
static void plamo_setup(struct ul_conv *c) { c->n_head_kv = 5; }

static void plamo_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", 4096);
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_need_f(c, "rms_norm_eps"));
}

/* PLaMo 3. Source: conversion/plamo.py: Plamo3Model. */
static void plamo3_keys(struct ul_conv *c)
{
    if (!ul_cfg_has(c, "window_size|sliding_window"))
        return;
    ul_kv_copy_u32(c, "attention.sliding_window", "window_size|sliding_window");
    ul_kv_copy_u32(c, "attention.sliding_window_pattern", "sliding_window_pattern");
}

/* The norms behind have no ".weight": the names that they are mapped to. */
static void plamo3_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    ul_t1(c, "post_attention_norm", c->n_embd);
    ul_t1(c, "post_ffw_norm", c->n_embd);
}

/* The first Qwen: two halves of the configuration's width. Source: conversion/qwen.py:
 * QwenModel. */
static void qwen1_setup(struct ul_conv *c) { c->n_ff = ul_cfg_need(c, "intermediate_size") / 2; }

/* Refact: one key head, and a width rounded up. Source: conversion/refact.py. */
static void refact_setup(struct ul_conv *c)
{
    c->n_head_kv = 1;
    c->n_ff = ul_pad(2 * (4 * c->n_embd) / 3, 256);
}

static void refact_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "n_positions"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", 1);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_need_f(c, "layer_norm_epsilon"));
}

/* Muse Glimmer: queries, keys and values are normed without weights, which the converter writes.
 * Source: conversion/muse_glimmer.py. */
static void muse_keys(struct ul_conv *c)
{
    ul_kv_f32(c, "final_logit_softcapping", ul_cfg_need_f(c, "final_logit_softcapping"));
    ul_kv_f32(c, "logit_scale", ul_cfg_need_f(c, "output_multiplier"));
    ul_kv_u32(c, "attention.sliding_window", ul_cfg_need(c, "sliding_window"));
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer, ul_conv_is_window);
}

static void muse_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    ul_t2(c, "attn_gate.weight", c->n_embd, c->n_head * c->head);
}

/* Talkie: no norms with weights, gains instead; its output's gain is in the checkpoint, and here 1.
 * Source: conversion/talkie.py. */
static void talkie_keys(struct ul_conv *c)
{
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", 1.1920928955078125e-7);
    ul_kv_f32(c, "logit_scale", 1);
}

static void talkie_layer(struct ul_conv *c)
{
    ul_conv_attention(c);
    ul_t1(c, "attn_output.scale", 1);
    ul_t2(c, "attn_q_norm.weight", 1, c->n_head);
    ul_conv_ffn(c, c->n_ff);
    ul_t1(c, "ffn_down.scale", 1);
    ul_t1(c, "layer_output_scale.weight", 1);
}

/* ------------------------------------------------------------------ T5: conversion/t5.py
 *
 * Its layers are of two stacks, so none is called "blk.". Positions are a table in the first layer of
 * a stack, in every one of UMT5's. */

static const char *const t5_stacks[] = {"enc", "dec"};

static void t5_setup(struct ul_conv *c)
{
    c->n_ff = ul_cfg_need(c, "d_ff");
    c->head = ul_cfg_need(c, "d_kv");
}

static uint64_t t5_decoders(struct ul_conv *c)
{
    return ul_cfg_u(c, "num_decoder_layers", c->n_layer);
}

static void t5_encoder_keys(struct ul_conv *c)
{
    double eps = ul_cfg_f(c, "layer_norm_epsilon", 1e-6);
    ul_kv_u32(c, "context_length", ul_cfg_u(c, "n_positions", 512));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.key_length", c->head);
    ul_kv_u32(c, "attention.value_length", c->head);
    ul_kv_f32(c, "attention.layer_norm_epsilon", eps);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", eps);
    ul_kv_u32(c, "attention.relative_buckets_count",
              ul_cfg_u(c, "relative_attention_num_buckets", 32));
}

static void t5_keys(struct ul_conv *c)
{
    t5_encoder_keys(c);
    ul_kv_u32(c, "decoder_block_count", t5_decoders(c));
    ul_kv_copy_u32(c, "decoder_start_token_id", "decoder_start_token_id");
}

static void t5_matrix(struct ul_conv *c, int stack, uint64_t i, const char *name, uint64_t in,
                      uint64_t out)
{
    ul_t2(c,
          ul_format(c->a, "%s.blk.%llu.%s.weight", t5_stacks[stack], (unsigned long long)i, name),
          in, out);
}

static void t5_attention(struct ul_conv *c, int stack, uint64_t i, const char *which)
{
    uint64_t all = c->n_head * c->head;
    t5_matrix(c, stack, i, ul_format(c->a, "%s_norm", which), c->n_embd, 1);
    t5_matrix(c, stack, i, ul_format(c->a, "%s_q", which), c->n_embd, all);
    t5_matrix(c, stack, i, ul_format(c->a, "%s_k", which), c->n_embd, all);
    t5_matrix(c, stack, i, ul_format(c->a, "%s_v", which), c->n_embd, all);
    t5_matrix(c, stack, i, ul_format(c->a, "%s_o", which), all, c->n_embd);
}

static void t5_stack(struct ul_conv *c, int stack, uint64_t n)
{
    bool each = ul_cfg_item_is(c, "architectures", 0, "UMT5ForConditionalGeneration") ||
                ul_cfg_item_is(c, "architectures", 0, "UMT5Model");
    struct ul_str act = ul_cfg_s(c, "feed_forward_proj");
    for (uint64_t i = 0; i < n && c->code == ULLAGE_OK; i++) {
        t5_attention(c, stack, i, "attn");
        if (i == 0 || each)
            t5_matrix(c, stack, i, "attn_rel_b", c->n_head,
                      ul_cfg_u(c, "relative_attention_num_buckets", 32));
        if (stack == 1)
            t5_attention(c, stack, i, "cross_attn");
        t5_matrix(c, stack, i, "ffn_norm", c->n_embd, 1);
        if (act.n > 5 && memcmp(act.p, "gated", 5) == 0)
            t5_matrix(c, stack, i, "ffn_gate", c->n_embd, c->n_ff);
        t5_matrix(c, stack, i, "ffn_up", c->n_embd, c->n_ff);
        t5_matrix(c, stack, i, "ffn_down", c->n_ff, c->n_embd);
    }
    ul_t1(c, ul_format(c->a, "%s.output_norm.weight", t5_stacks[stack]), c->n_embd);
}

static void t5_encoder_rest(struct ul_conv *c) { t5_stack(c, 0, c->n_layer); }

static void t5_rest(struct ul_conv *c)
{
    t5_stack(c, 0, c->n_layer);
    t5_stack(c, 1, t5_decoders(c));
}

static void t5_layer(struct ul_conv *c) { (void)c; }

#define LAYER_NORM_ALL (UL_CV_NORM_BIAS | UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_MLP_BIAS)

const struct ul_conv_row ul_conv_rows_others[] = {
    {.classes = "ChameleonForConditionalGeneration ChameleonForCausalLM", .types = "chameleon",
     .name = "chameleon", .upstream = "chameleon.py", .flags = UL_CV_BIAS_ASKED | UL_CV_KV_HEADS,
     .rope_theta = 10000, .norm_eps = 1e-5, .keys = chameleon_keys, .layer = chameleon_layer},
    {.classes = "CodeShellForCausalLM", .types = "codeshell", .name = "codeshell",
     .upstream = "codeshell.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_QKV | UL_CV_NO_GATE | LAYER_NORM_ALL,
     .setup = codeshell_setup, .keys = codeshell_keys},
    {.classes = "CogVLMForCausalLM", .types = "cogvlm", .name = "cogvlm",
     .upstream = "cogvlm.py", .flags = UL_CV_FUSED_QKV | UL_CV_ROPE_DIM, .rope_theta = 10000,
     .layer = cogvlm_layer},
    {.classes = "DreamModel", .types = "dream Dream", .name = "dream", .upstream = "dream.py",
     .flags = UL_CV_QKV_BIAS, .keys = both_ways},
    {.classes = "GPTNeoXForCausalLM", .types = "gpt_neox", .name = "gptneox",
     .upstream = "gptneox.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_QKV | UL_CV_NO_GATE | LAYER_NORM_ALL,
     .setup = gptneox_setup, .keys = gptneox_keys},
    {.classes = "InternLM3ForCausalLM", .types = "internlm3", .name = "llama",
     .upstream = "internlm.py", .flags = UL_CV_ROPE_DIM, .setup = internlm3_setup},
    {.classes = "JAISLMHeadModel", .types = "jais", .name = "jais", .upstream = "jais.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_QKV | LAYER_NORM_ALL | UL_CV_UNTIED_ALWAYS,
     .keys = jais_keys},
    {.classes = "Jais2ForCausalLM", .types = "jais2", .name = "jais2", .upstream = "jais.py",
     .flags = UL_CV_NO_GATE | LAYER_NORM_ALL | UL_CV_ROPE_DIM},
    {.classes = "LLaDAModelLM", .types = "llada", .name = "llada", .upstream = "llada.py",
     .setup = llada_setup, .keys = llada_keys},
    {.classes = "LlamaBidirectionalModel", .types = "llama_bidirec", .name = "llama-embed",
     .upstream = "llama.py",
     .flags = UL_CV_HEAD_DIM | UL_CV_ROPE_DIM | UL_CV_LLAMA3 | UL_CV_KV_HEADS | UL_CV_TIED_ALWAYS,
     .rope_theta = 10000, .norm_eps = 1e-6},
    {.classes = "MaincoderForCausalLM", .types = "maincoder", .name = "maincoder",
     .upstream = "maincoder.py", .flags = UL_CV_QK_NORM | UL_CV_ROPE_DIM},
    {.classes = "MiniCPMForCausalLM", .types = "minicpm", .name = "minicpm",
     .upstream = "minicpm.py", .flags = UL_CV_TIED, .rope_theta = 10000, .norm_eps = 1e-6,
     .keys = minicpm_keys, .rest = minicpm_rest},
    {.classes = "NanbeigeForCausalLM", .types = "nanbeige", .name = "nanbeige",
     .upstream = "nanbeige.py", .flags = UL_CV_ROPE_DIM | UL_CV_LLAMA3, .keys = nanbeige_keys},
    {.classes = "OpenELMForCausalLM", .types = "openelm", .name = "openelm",
     .upstream = "openelm.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_QKV | UL_CV_QK_NORM | UL_CV_TIED_ALWAYS,
     .setup = openelm_setup, .keys = openelm_keys, .layer = openelm_layer},
    {.classes = "OrionForCausalLM", .types = "orion", .name = "orion", .upstream = "orion.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NORM_BIAS, .keys = orion_keys},
    {.classes = "PanguEmbeddedForCausalLM", .types = "pangu_embedded PanguEmbedded",
     .name = "pangu-embedded", .upstream = "pangu.py", .flags = UL_CV_QKV_BIAS | UL_CV_O_BIAS,
     .keys = pangu_keys},
    {.classes = "PhiForCausalLM", .types = "phi", .name = "phi2", .upstream = "phi.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NO_GATE | UL_CV_NO_FFN_NORM | LAYER_NORM_ALL,
     .setup = phi2_setup, .keys = phi2_keys, .rest = phi2_rest},
    {.classes = "PlamoForCausalLM", .types = "plamo", .name = "plamo", .upstream = "plamo.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NO_FFN_NORM, .setup = plamo_setup, .keys = plamo_keys},
    {.classes = "MuseGlimmerForConditionalGeneration", .types = "muse_glimmer",
     .name = "muse-glimmer", .upstream = "muse_glimmer.py",
     .flags = UL_CV_QK_NORM | UL_CV_POST_NORMS | UL_CV_HEAD_DIM, .keys = muse_keys,
     .layer = muse_layer},
    {.classes = "Plamo3ForCausalLM PLaMo3ForCausalLM", .types = "plamo3", .name = "plamo3",
     .upstream = "plamo.py", .flags = UL_CV_FUSED_QKV | UL_CV_FUSED_UP | UL_CV_QK_NORM,
     .keys = plamo3_keys, .layer = plamo3_layer},
    {.classes = "TalkieForCausalLM", .types = "talkie", .name = "talkie",
     .upstream = "talkie.py", .flags = UL_CV_NO_OUTPUT_NORM, .keys = talkie_keys,
     .layer = talkie_layer},
    {.classes = "QWenLMHeadModel", .types = "qwen", .name = "qwen", .upstream = "qwen.py",
     .flags = UL_CV_FUSED_QKV | UL_CV_QKV_BIAS, .setup = qwen1_setup},
    {.classes = "GPTRefactForCausalLM", .types = "gpt_refact", .name = "refact",
     .upstream = "refact.py", .flags = UL_CV_OWN_KEYS, .setup = refact_setup,
     .keys = refact_keys},
    {.classes = "XverseForCausalLM", .types = "xverse", .name = "xverse",
     .upstream = "xverse.py", .flags = UL_CV_ROPE_DIM},
    {.classes = "T5WithLMHeadModel T5ForConditionalGeneration MT5ForConditionalGeneration "
                "UMT5ForConditionalGeneration UMT5Model",
     .types = "t5 mt5 umt5", .name = "t5", .upstream = "t5.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_TIED | UL_CV_NO_OUTPUT_NORM, .setup = t5_setup,
     .keys = t5_keys, .layer = t5_layer, .rest = t5_rest},
    {.classes = "T5EncoderModel", .name = "t5encoder", .upstream = "t5.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_TIED_ALWAYS | UL_CV_NO_OUTPUT_NORM, .setup = t5_setup,
     .keys = t5_encoder_keys, .layer = t5_layer, .rest = t5_encoder_rest},
    {.classes = NULL},
};
