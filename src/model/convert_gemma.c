/* Rows of Gemma: its norms are many, its embedding is its output, and from the third on its layers
 * take turns between a window and everything. Source: conversion/gemma.py. */
#include "model/convert.h"

#include <math.h>

/* The first two write their few keys themselves. */
static void gemma_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "max_position_embeddings"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, "rms_norm_eps", 1e-6));
    ul_kv_u32(c, "attention.key_length", c->head);
    ul_kv_u32(c, "attention.value_length", c->head);
}

static void gemma2_keys(struct ul_conv *c)
{
    gemma_keys(c);
    ul_kv_f32(c, "attn_logit_softcapping", ul_cfg_f(c, "attn_logit_softcapping", 50));
    ul_kv_f32(c, "final_logit_softcapping", ul_cfg_f(c, "final_logit_softcapping", 30));
    ul_kv_u32(c, "attention.sliding_window", ul_cfg_u(c, "sliding_window", 4096));
}

static void gemma3_keys(struct ul_conv *c)
{
    ul_kv_copy_f32(c, "final_logit_softcapping", "final_logit_softcapping");
    if (ul_cfg_u(c, "sliding_window_pattern", 0) != 1)
        ul_kv_u32(c, "attention.sliding_window", ul_cfg_need(c, "sliding_window"));
}

static void embedding_gemma_keys(struct ul_conv *c)
{
    gemma3_keys(c);
    ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
}

/* ------------------------------------------------------------------ 3n */

static uint64_t ff_of(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_item(c, "intermediate_size", i, 0);
}

static void gemma3n_setup(struct ul_conv *c) { c->n_ff = ff_of(c, 0); }

/* How many deviations cut off that share of a normal distribution: its quantile, by bisection of
 * the error function's series. */
static double quantile(double share)
{
    double lo = -10, hi = 10;
    for (int k = 0; k < 200; k++) {
        double x = (lo + hi) / 2, term = x, sum = x;
        for (int i = 1; i < 400; i++) {
            term *= -x * x / (2.0 * i);
            sum += term / (2 * i + 1);
        }
        if (0.5 + sum * 0.39894228040143267794 < share)
            lo = x;
        else
            hi = x;
        if (x < -5 || x > 5) /* the series is of no use out there, nor are such shares */
            break;
    }
    return (lo + hi) / 2;
}

static void sparsity_scale(struct ul_conv *c)
{
    const struct ul_jvalue *shares = ul_cfg(c, "activation_sparsity_pattern"), *v;
    double *scale = UL_NEWS(c->a, double, c->n_layer + 1);
    uint64_t i = 0;
    for (v = shares != NULL ? shares->first : NULL; v != NULL && i < c->n_layer; v = v->next, i++)
        scale[i] = v->d <= 0 ? -(double)INFINITY : quantile((double)(float)v->d);
    ul_kv_f32s(c, "activation_sparsity_scale", c->n_layer, scale);
}

static void gemma3n_keys(struct ul_conv *c)
{
    gemma3_keys(c);
    ul_kv_u32s(c, "feed_forward_length", c->n_layer, ff_of);
    ul_kv_u32(c, "altup.active_idx", ul_cfg_u(c, "altup_active_idx", 0));
    ul_kv_u32(c, "altup.num_inputs", ul_cfg_u(c, "altup_num_inputs", 4));
    ul_kv_u32(c, "embedding_length_per_layer_input",
              ul_cfg_u(c, "hidden_size_per_layer_input", 256));
    ul_kv_u32(c, "attention.shared_kv_layers", ul_cfg_u(c, "num_kv_shared_layers", 15));
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer, ul_conv_is_window);
    sparsity_scale(c);
}

static void per_layer_rest(struct ul_conv *c)
{
    uint64_t per_layer = ul_cfg_u(c, "hidden_size_per_layer_input", 0);
    if (per_layer == 0)
        return;
    ul_t2(c, "per_layer_token_embd.weight", per_layer * c->n_layer, c->n_vocab);
    ul_t2(c, "per_layer_model_proj.weight", c->n_embd, per_layer * c->n_layer);
    ul_t1(c, "per_layer_proj_norm.weight", per_layer);
}

static void gemma3n_rest(struct ul_conv *c)
{
    uint64_t others = ul_cfg_u(c, "altup_num_inputs", 4) - 1;
    per_layer_rest(c);
    ul_t3(c, "altup_proj.weight", c->n_embd, c->n_embd, others);
    ul_t3(c, "altup_unembd_proj.weight", c->n_embd, c->n_embd, others);
}

static void per_layer_parts(struct ul_conv *c)
{
    uint64_t per_layer = ul_cfg_u(c, "hidden_size_per_layer_input", 0);
    if (per_layer == 0)
        return;
    ul_t2(c, "inp_gate.weight", c->n_embd, per_layer);
    ul_t2(c, "proj.weight", per_layer, c->n_embd);
    ul_t1(c, "post_norm.weight", c->n_embd);
}

static void gemma3n_layer(struct ul_conv *c)
{
    uint64_t inputs = ul_cfg_u(c, "altup_num_inputs", 4), rank = ul_cfg_u(c, "laurel_rank", 64);
    c->n_ff = ff_of(c, (uint64_t)c->il);
    ul_conv_layer(c);
    per_layer_parts(c);
    ul_t2(c, "altup_correct_coef.weight", inputs, inputs);
    ul_t1(c, "altup_correct_scale.weight", c->n_embd);
    ul_t2(c, "altup_predict_coef.weight", inputs, inputs * inputs);
    ul_t2(c, "altup_router.weight", c->n_embd, inputs);
    ul_t1(c, "altup_router_norm.weight", c->n_embd);
    ul_t2(c, "laurel_l.weight", c->n_embd, rank);
    ul_t2(c, "laurel_r.weight", rank, c->n_embd);
    ul_t1(c, "laurel_post_norm.weight", c->n_embd);
}

/* ------------------------------------------------------------------ 4 */

static bool moe(struct ul_conv *c) { return ul_cfg_b(c, "enable_moe_block", false); }

static uint64_t gemma4_heads_kv(struct ul_conv *c, uint64_t i)
{
    uint64_t window = ul_cfg_u(c, "num_key_value_heads", 0);
    return ul_conv_is_window(c, i) ? window : ul_cfg_u(c, "num_global_key_value_heads", window);
}

/* Layers that use another's keys and values may have a wider feed-forward part. */
static uint64_t gemma4_ff(struct ul_conv *c, uint64_t i)
{
    uint64_t n = ul_cfg_u(c, "intermediate_size", 0),
             shared = ul_cfg_u(c, "num_kv_shared_layers", 0);
    bool wide = ul_cfg_b(c, "use_double_wide_mlp", false) && i >= c->n_layer - shared;
    return wide ? 2 * n : n;
}

static uint64_t gemma4_full_head(struct ul_conv *c)
{
    return ul_cfg_u(c, "global_head_dim", 512);
}

static void gemma4_keys(struct ul_conv *c)
{
    uint64_t full = gemma4_full_head(c), window = ul_cfg_need(c, "head_dim");
    gemma3_keys(c);
    ul_kv_u32(c, "attention.shared_kv_layers", ul_cfg_u(c, "num_kv_shared_layers", 0));
    ul_kv_u32(c, "embedding_length_per_layer_input",
              ul_cfg_u(c, "hidden_size_per_layer_input", 0));
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer, ul_conv_is_window);
    ul_kv_u32(c, "attention.key_length", full);
    ul_kv_u32(c, "attention.value_length", full);
    ul_kv_u32(c, "attention.key_length_swa", window);
    ul_kv_u32(c, "attention.value_length_swa", window);
    ul_kv_copy_u32(c, "expert_feed_forward_length",
                   "expert_intermediate_size|moe_intermediate_size");
    if (ul_cfg_b(c, "use_double_wide_mlp", false))
        ul_kv_u32s(c, "feed_forward_length", c->n_layer, gemma4_ff);
    if (ul_cfg_has(c, "num_global_key_value_heads"))
        ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, gemma4_heads_kv);
    ul_kv_u32(c, "rope.dimension_count", full);
    ul_kv_u32(c, "rope.dimension_count_swa", window);
}

static void gemma4_rest(struct ul_conv *c)
{
    per_layer_rest(c);
    ul_t1(c, "rope_freqs.weight", gemma4_full_head(c) / 2);
}

static void gemma4_attention(struct ul_conv *c)
{
    uint64_t il = (uint64_t)c->il, kv = gemma4_heads_kv(c, il);
    uint64_t head = ul_conv_is_window(c, il) ? ul_cfg_need(c, "head_dim") : gemma4_full_head(c);
    bool no_v = ul_cfg_b(c, "attention_k_eq_v", false) && !ul_conv_is_window(c, il);
    ul_t2(c, "attn_q.weight", c->n_embd, c->n_head * head);
    ul_t1(c, "attn_q_norm.weight", head);
    ul_t2(c, "attn_output.weight", c->n_head * head, c->n_embd);
    ul_t2(c, "attn_k.weight", c->n_embd, kv * head);
    ul_t1(c, "attn_k_norm.weight", head);
    if (!no_v)
        ul_t2(c, "attn_v.weight", c->n_embd, kv * head);
}

static void gemma4_experts(struct ul_conv *c)
{
    uint64_t n = ul_cfg_need(c, "num_experts");
    uint64_t ff = ul_cfg_need(c, "expert_intermediate_size|moe_intermediate_size");
    ul_t2(c, "ffn_gate_inp.weight", c->n_embd, n);
    ul_t1(c, "ffn_gate_inp.scale", c->n_embd);
    ul_t3(c, "ffn_gate_up_exps.weight", c->n_embd, 2 * ff, n);
    ul_t3(c, "ffn_down_exps.weight", ff, c->n_embd, n);
    ul_t1(c, "ffn_down_exps.scale", n);
    ul_t1(c, "pre_ffw_norm_2.weight", c->n_embd);
    ul_t1(c, "post_ffw_norm_1.weight", c->n_embd);
    ul_t1(c, "post_ffw_norm_2.weight", c->n_embd);
}

static void gemma4_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    gemma4_attention(c);
    ul_norm(c, "post_attention_norm", c->n_embd);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_norm(c, "post_ffw_norm", c->n_embd);
    ul_conv_ffn(c, gemma4_ff(c, (uint64_t)c->il));
    if (moe(c))
        gemma4_experts(c);
    per_layer_parts(c);
    ul_t1(c, "layer_output_scale.weight", 1);
}

/* The drafting model beside one of the fourth: it has no keys and values of its own, and its inputs
 * are the larger model's. Source: conversion/gemma.py: Gemma4AssistantModel. */
static void assistant_setup(struct ul_conv *c) { c->n_nextn = c->n_layer; }

static void assistant_keys(struct ul_conv *c)
{
    gemma4_keys(c);
    ul_kv_u32(c, "embedding_length_out", ul_cfg_need(c, "backbone_hidden_size"));
    ul_kv_u32(c, "nextn_predict_layers", c->n_layer);
}

static void assistant_layer(struct ul_conv *c)
{
    uint64_t il = (uint64_t)c->il;
    uint64_t head = ul_conv_is_window(c, il) ? ul_cfg_need(c, "head_dim") : gemma4_full_head(c);
    ul_norm(c, "attn_norm", c->n_embd);
    ul_t2(c, "attn_q.weight", c->n_embd, c->n_head * head);
    ul_t1(c, "attn_q_norm.weight", head);
    ul_t2(c, "attn_output.weight", c->n_head * head, c->n_embd);
    ul_norm(c, "post_attention_norm", c->n_embd);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_norm(c, "post_ffw_norm", c->n_embd);
    ul_conv_ffn(c, gemma4_ff(c, il));
    ul_t1(c, "layer_output_scale.weight", 1);
}

static void assistant_rest(struct ul_conv *c)
{
    uint64_t backbone = ul_cfg_need(c, "backbone_hidden_size");
    gemma4_rest(c);
    ul_t2(c, "nextn.pre_projection.weight", 2 * backbone, c->n_embd);
    ul_t2(c, "nextn.post_projection.weight", c->n_embd, backbone);
}

const struct ul_conv_row ul_conv_rows_gemma[] = {
    {.classes = "Gemma4AssistantForCausalLM Gemma4UnifiedAssistantForCausalLM",
     .types = "gemma4_assistant", .name = "gemma4-assistant", .upstream = "gemma.py",
     .flags = UL_CV_TIED_ALWAYS | UL_CV_HEAD_DIM, .head_dim = 256, .norm_eps = 1e-6,
     .setup = assistant_setup, .keys = assistant_keys, .layer = assistant_layer,
     .rest = assistant_rest},
    {.classes = "GemmaForCausalLM", .types = "gemma", .name = "gemma", .upstream = "gemma.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_TIED_ALWAYS, .head_dim = 256, .keys = gemma_keys},
    {.classes = "Gemma2ForCausalLM", .types = "gemma2", .name = "gemma2",
     .upstream = "gemma.py", .flags = UL_CV_OWN_KEYS | UL_CV_TIED_ALWAYS | UL_CV_POST_NORMS,
     .head_dim = 256, .keys = gemma2_keys},
    {.classes = "Gemma3ForCausalLM Gemma3ForConditionalGeneration", .types = "gemma3 gemma3_text",
     .name = "gemma3", .upstream = "gemma.py",
     .flags = UL_CV_TIED_ALWAYS | UL_CV_POST_NORMS | UL_CV_QK_NORM | UL_CV_HEAD_DIM |
              UL_CV_KV_HEADS,
     .head_dim = 256, .rope_theta = 1e6, .norm_eps = 1e-6,
     .defaults = UL_CV_DEFAULTS("vocab_size": 262208, "max_position_embeddings": 131072,
                                "num_attention_heads": 8, "num_key_value_heads": 4,
                                "rope_local_base_freq": 10000.0, "sliding_window": 4096),
     .keys = gemma3_keys},
    {.classes = "Gemma3TextModel", .name = "gemma-embedding", .upstream = "gemma.py",
     .flags = UL_CV_TIED_ALWAYS | UL_CV_POST_NORMS | UL_CV_QK_NORM | UL_CV_HEAD_DIM,
     .head_dim = 256, .rope_theta = 1e6, .norm_eps = 1e-6, .keys = embedding_gemma_keys},
    {.classes = "Gemma3nForConditionalGeneration Gemma3nForCausalLM",
     .types = "gemma3n gemma3n_text", .name = "gemma3n", .upstream = "gemma.py",
     .flags = UL_CV_TIED_ALWAYS | UL_CV_POST_NORMS | UL_CV_QK_NORM | UL_CV_HEAD_DIM,
     .head_dim = 256, .rope_theta = 1e6, .norm_eps = 1e-6,
     .defaults = UL_CV_DEFAULTS("hidden_size_per_layer_input": 256), .setup = gemma3n_setup,
     .keys = gemma3n_keys, .layer = gemma3n_layer, .rest = gemma3n_rest},
    {.classes = "Gemma4ForConditionalGeneration Gemma4ForCausalLM "
                "Gemma4UnifiedForConditionalGeneration",
     .types = "gemma4 gemma4_text", .name = "gemma4", .upstream = "gemma.py",
     .flags = UL_CV_TIED_ALWAYS | UL_CV_HEAD_DIM, .head_dim = 256, .norm_eps = 1e-6,
     .keys = gemma4_keys, .layer = gemma4_layer, .rest = gemma4_rest},
    {.classes = NULL},
};
