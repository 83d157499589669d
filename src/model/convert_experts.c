/* Rows of further models with many experts and ordinary attention: Step 3.5, MiniMax 01 (most of its
 * layers attend linearly), DBRX, Arctic, Grok, GroveMoE, EXAONE MoE, Cohere 2 MoE, Granite with
 * windows, and those that are Qwen's experts with a difference. */
#include "model/convert.h"

#include <stdlib.h>

static void window_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer - c->n_nextn, ul_conv_is_window);
}

/* ------------------------------------------------------------------ Step 3.5: conversion/step3.py
 *
 * Layers with a window have more heads; the layers that predict further tokens are the last ones,
 * and dense. */

static uint64_t step_heads(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *window = ul_cfg(c, "attention_other_setting");
    return ul_conv_is_window(c, i)
               ? (uint64_t)ul_jint(window, "num_attention_heads", (int64_t)c->n_head)
               : c->n_head;
}

static uint64_t step_heads_kv(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *window = ul_cfg(c, "attention_other_setting");
    return ul_conv_is_window(c, i)
               ? (uint64_t)ul_jint(window, "num_attention_groups", (int64_t)c->n_head_kv)
               : c->n_head_kv;
}

static void step_setup(struct ul_conv *c)
{
    struct ul_str moe = ul_cfg_s(c, "moe_layers_enum");
    c->n_head_kv = ul_cfg_need(c, "num_attention_groups");
    c->n_expert = ul_cfg_need(c, "moe_num_experts");
    c->n_ff_exp = ul_cfg_need(c, "moe_intermediate_size");
    c->n_ff_shexp = ul_cfg_need(c, "share_expert_dim");
    c->dense_lead = moe.n > 0 && moe.p[0] >= '0' && moe.p[0] <= '9' ? strtoul(moe.p, NULL, 10) : 0;
    ul_conv_keep_nextn(c);
}

static void step_keys(struct ul_conv *c)
{
    const struct ul_jvalue *theta = ul_cfg(c, "rope_theta");
    if (theta != NULL && theta->kind == UL_J_ARRAY && theta->n == 2) {
        ul_kv_f32(c, "rope.freq_base", ul_jitem(theta, 0)->d);
        ul_kv_f32(c, "rope.freq_base_swa", ul_jitem(theta, 1)->d);
    }
    ul_kv_u32s(c, "attention.head_count", c->n_layer, step_heads);
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, step_heads_kv);
    ul_kv_u32(c, "attention.sliding_window", ul_cfg_need(c, "sliding_window"));
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer, ul_conv_is_window);
    ul_kv_u32(c, "attention.value_length", ul_cfg_need(c, "head_dim"));
    ul_kv_u32(c, "expert_count", c->n_expert);
    ul_kv_u32(c, "expert_used_count", ul_cfg_need(c, "moe_top_k"));
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
    ul_kv_copy_f32(c, "expert_weights_scale", "moe_router_scaling_factor");
    ul_kv_copy_bool(c, "expert_weights_norm", "norm_expert_weight");
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_u32(c, "moe_every_n_layers", ul_cfg_u(c, "moe_every_n_layer", 1));
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, "rms_norm_eps", 1e-5));
    ul_kv_copy_f32s(c, "swiglu_clamp_exp", "swiglu_limits");
    ul_kv_copy_f32s(c, "swiglu_clamp_shexp", "swiglu_limits_shared");
    if (c->n_nextn > 0)
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
}

static void step_layer(struct ul_conv *c)
{
    uint64_t heads = c->n_head, kv = c->n_head_kv, il = (uint64_t)c->il;
    c->n_head = step_heads(c, il);
    c->n_head_kv = step_heads_kv(c, il);
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    if (ul_cfg_b(c, "use_head_wise_attn_gate", true))
        ul_t2(c, "attn_gate.weight", c->n_embd, c->n_head);
    c->n_head = heads;
    c->n_head_kv = kv;
    ul_norm(c, "ffn_norm", c->n_embd);
    if (il >= c->dense_lead && !ul_conv_is_nextn(c))
        ul_conv_experts(c);
    else
        ul_conv_ffn(c, c->n_ff);
    if (!ul_conv_is_nextn(c))
        return;
    ul_conv_nextn(c, false);
    ul_t2(c, "nextn.shared_head_head.weight", c->n_embd, c->n_vocab);
}

/* ------------------------------------------------------------------ MiniMax 01: minimax.py */

#define MINIMAX_INTERVAL 8 /* one layer in eight attends to everything; the file does not say so */

static void minimax01_setup(struct ul_conv *c)
{
    c->n_ff_exp = ul_cfg_need(c, "intermediate_size");
}

static void minimax01_keys(struct ul_conv *c)
{
    ul_kv_f32(c, "residual_scale", ul_cfg_need_f(c, "layernorm_full_attention_alpha"));
    ul_kv_u32(c, "rope.dimension_count", ul_cfg_need(c, "rotary_dim"));
}

static void minimax01_layer(struct ul_conv *c)
{
    uint64_t all = c->n_head * c->head;
    ul_norm(c, "attn_norm", c->n_embd);
    if (((uint64_t)c->il + 1) % MINIMAX_INTERVAL == 0) {
        ul_conv_attention(c);
    } else {
        ul_norm(c, "attn_norm_2", all);
        ul_t2(c, "attn_qkv.weight", c->n_embd, 3 * all);
        ul_t2(c, "attn_gate.weight", c->n_embd, all);
        ul_t2(c, "attn_output.weight", all, c->n_embd);
    }
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_experts(c);
}

/* ------------------------------------------------------------------ DBRX: dbrx.py */

static uint64_t part_u(struct ul_conv *c, const char *part, const char *name)
{
    int64_t v = ul_jint(ul_cfg(c, part), name, -1);
    if (v < 0 || v > UINT32_MAX)
        ul_conv_fail(c, "%s.%s is missing", part, name);
    return v < 0 || v > UINT32_MAX ? 0 : (uint64_t)v;
}

static double part_f(struct ul_conv *c, const char *part, const char *name)
{
    const struct ul_jvalue *v = ul_jget(ul_cfg(c, part), name);
    if (v == NULL)
        ul_conv_fail(c, "%s.%s is missing", part, name);
    return v != NULL ? v->d : 0;
}

static void dbrx_setup(struct ul_conv *c)
{
    c->n_head_kv = part_u(c, "attn_config", "kv_n_heads");
    c->n_expert = part_u(c, "ffn_config", "moe_num_experts");
    c->n_ff = c->n_ff_exp = part_u(c, "ffn_config", "ffn_hidden_size");
}

static void dbrx_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "max_seq_len"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "rope.freq_base", part_f(c, "attn_config", "rope_theta"));
    ul_kv_f32(c, "attention.clamp_kqv", part_f(c, "attn_config", "clip_qkv"));
    ul_kv_u32(c, "expert_count", c->n_expert);
    ul_kv_u32(c, "expert_used_count", part_u(c, "ffn_config", "moe_top_k"));
    ul_kv_f32(c, "attention.layer_norm_epsilon", 1e-5);
}

/* All its matrices are quantised, the router's too. */
static void dbrx_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    ul_norm(c, "attn_output_norm", c->n_embd);
    ul_t2(c, "ffn_gate_inp.weight", c->n_embd, c->n_expert);
    ul_as(c, c->type);
    ul_t3(c, "ffn_gate_exps.weight", c->n_embd, c->n_ff, c->n_expert);
    ul_t3(c, "ffn_up_exps.weight", c->n_embd, c->n_ff, c->n_expert);
    ul_t3(c, "ffn_down_exps.weight", c->n_ff, c->n_embd, c->n_expert);
}

/* ------------------------------------------------------------------ Arctic, Grok, GroveMoE */

/* A small dense part in every layer, and experts as wide as the configuration says. */
static void arctic_setup(struct ul_conv *c) { c->n_ff_exp = c->n_ff; }

static void arctic_keys(struct ul_conv *c) { ul_kv_u32(c, "rope.dimension_count", c->share); }

static void arctic_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn(c, c->n_embd);
    ul_norm(c, "ffn_norm_exps", c->n_embd);
    ul_conv_experts(c);
}

/* Source: conversion/grok.py; the second has a dense part beside its experts. */
static bool grok_dense(struct ul_conv *c) { return ul_cfg_b(c, "residual_moe", false); }

static void grok_yarn(struct ul_conv *c)
{
    static const struct {
        const char *key, *cfg;
    } copied[] = {{"rope.scaling.factor", "scaling_factor"},
                  {"rope.scaling.yarn_ext_factor", "extrapolation_factor"},
                  {"rope.scaling.yarn_attn_factor", "attn_factor"},
                  {"rope.scaling.yarn_beta_fast", "beta_fast"},
                  {"rope.scaling.yarn_beta_slow", "beta_slow"}};
    struct ul_str type = ul_cfg_s(c, "rope_type");
    if (!ul_str_is(type, "yarn") && !ul_str_is(type, "original"))
        return;
    ul_kv_str(c, "rope.scaling.type", "yarn");
    ul_kv_u32(c, "rope.scaling.original_context_length",
              ul_cfg_need(c, "original_max_position_embeddings"));
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        ul_kv_f32(c, copied[i].key, ul_cfg_need_f(c, copied[i].cfg));
}

static void grok_keys(struct ul_conv *c)
{
    double final = ul_cfg_f(c, "final_logit_softcapping", 0);
    ul_kv_f32(c, "attn_logit_softcapping", ul_cfg_f(c, "attn_logit_softcapping", 30));
    ul_kv_f32(c, "router_logit_softcapping", ul_cfg_f(c, "router_logit_softcapping", 30));
    if (final != 0)
        ul_kv_f32(c, "final_logit_softcapping", final);
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    grok_yarn(c);
    if (ul_cfg_u(c, "attn_temperature_len", 0) != 0)
        ul_kv_copy_u32(c, "attention.temperature_length", "attn_temperature_len");
    ul_kv_f32(c, "attention.output_scale", ul_cfg_need_f(c, "attn_output_multiplier"));
    ul_kv_f32(c, "embedding_scale", ul_cfg_need_f(c, "embedding_multiplier_scale"));
    ul_kv_f32(c, "logit_scale", ul_cfg_need_f(c, "output_multiplier_scale"));
}

static void grok_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    ul_norm(c, "attn_output_norm", c->n_embd);
    ul_norm(c, "ffn_norm", c->n_embd);
    if (grok_dense(c))
        ul_conv_ffn(c, c->n_ff);
    ul_conv_experts(c);
    ul_norm(c, grok_dense(c) ? "post_ffw_norm" : "layer_output_norm", c->n_embd);
}

/* Source: conversion/grovemoe.py: two experts share a small one. */
static void grove_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    ul_kv_u32(c, "expert_chunk_feed_forward_length", ul_cfg_u(c, "head_dim", 128));
    ul_kv_u32(c, "experts_per_group", 2);
    ul_kv_f32(c, "expert_group_scale", 0.05);
}

static void grove_layer(struct ul_conv *c)
{
    uint64_t small = ul_cfg_u(c, "head_dim", 128), n = c->n_expert / 2;
    ul_conv_layer(c);
    ul_t3(c, "ffn_gate_chexps.weight", c->n_embd, small, n);
    ul_t3(c, "ffn_up_chexps.weight", c->n_embd, small, n);
    ul_t3(c, "ffn_down_chexps.weight", small, c->n_embd, n);
}

/* ------------------------------------------------------------------ EXAONE MoE, Cohere 2 MoE */

static void exaone_moe_setup(struct ul_conv *c)
{
    c->n_ff_exp = ul_cfg_need(c, "moe_intermediate_size");
    c->n_ff_shexp = ul_cfg_need(c, "num_shared_experts") * c->n_ff_exp;
    c->dense_lead = ul_cfg_u(c, "first_k_dense_replace|first_last_k_dense_replace", 0);
    ul_conv_keep_nextn(c);
}

/* Source: conversion/exaone.py: ExaoneMoEModel. */
static void exaone_moe_keys(struct ul_conv *c)
{
    if (ul_cfg_has(c, "sliding_window"))
        window_keys(c);
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_copy_u32(c, "expert_shared_count", "num_shared_experts");
    ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
    ul_kv_f32(c, "expert_weights_scale", ul_cfg_need_f(c, "routed_scaling_factor"));
    ul_kv_bool(c, "expert_weights_norm", ul_cfg_b(c, "norm_topk_prob", false));
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
    ul_kv_str(c, "rope.scaling.type", "none");
}

static void exaone_moe_layer(struct ul_conv *c)
{
    uint64_t experts = c->n_expert;
    if (ul_conv_is_nextn(c))
        c->n_expert = 0;
    ul_conv_layer(c);
    c->n_expert = experts;
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, false);
}

/* Source: conversion/command_r.py: Cohere2MoeModel. */
static void cohere2moe_setup(struct ul_conv *c)
{
    const struct ul_jvalue *kinds = ul_cfg(c, "mlp_layer_types");
    c->n_ff_exp = c->n_ff = ul_cfg_need(c, "intermediate_size");
    c->n_ff_shexp = ul_cfg_u(c, "num_shared_experts", 0) * c->n_ff_exp;
    if (kinds != NULL)
        for (c->dense_lead = 0; ul_cfg_item_is(c, "mlp_layer_types", c->dense_lead, "dense");)
            c->dense_lead++;
    c->n_ff = ul_cfg_item(c, "prefix_dense_intermediate_size|intermediate_size", 0, 0);
    ul_conv_keep_nextn(c);
}

static void cohere2moe_keys(struct ul_conv *c)
{
    ul_kv_f32(c, "logit_scale", ul_cfg_need_f(c, "logit_scale"));
    window_keys(c);
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_bool(c, "expert_weights_norm", ul_cfg_b(c, "norm_topk_prob", false));
    if (c->n_ff_shexp > 0) {
        ul_kv_copy_u32(c, "expert_shared_count", "num_shared_experts");
        ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
    }
    if (c->n_nextn > 0)
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
    ul_kv_u32(c, "rope.dimension_count", c->head);
    ul_kv_str(c, "rope.scaling.type", "none");
}

static void cohere2moe_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, false);
}

/* ------------------------------------------------------------------ kin of Qwen's experts */

/* Source: conversion/mellum.py. */
static void mellum_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    if (ul_cfg_b(c, "use_sliding_window", true) && ul_cfg_has(c, "sliding_window"))
        window_keys(c);
}

/* Source: conversion/qwen.py: RND1Model. */
static void rnd1_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    ul_kv_bool(c, "attention.causal", false);
}

/* Source: conversion/llada.py: LLaDAMoEModel. */
static void llada_moe_setup(struct ul_conv *c)
{
    c->n_ff_exp = ul_cfg_u(c, "expert_intermediate_size", c->n_ff);
}

static void llada_moe_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "expert_feed_forward_length", "expert_intermediate_size");
    ul_kv_bool(c, "attention.causal", false);
}

/* Source: conversion/smallthinker.py. */
static void smallthinker_setup(struct ul_conv *c)
{
    c->n_expert = ul_cfg_need(c, "moe_num_primary_experts");
    c->n_ff = c->n_ff_exp = ul_cfg_need(c, "moe_ffn_hidden_size");
}

static void smallthinker_keys(struct ul_conv *c)
{
    bool window = false;
    ul_kv_u32(c, "expert_count", c->n_expert);
    ul_kv_copy_u32(c, "expert_used_count", "moe_num_active_primary_experts");
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "expert_gating_func",
              ul_cfg_b(c, "moe_primary_router_apply_softmax", false) ? 1 : 2);
    for (uint64_t i = 0; i < c->n_layer; i++)
        window = window || ul_cfg_item(c, "sliding_window_layout", i, 0) != 0;
    if (window)
        ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window_size");
}

/* ------------------------------------------------------------------ Granite with windows */

static void granite_swa_setup(struct ul_conv *c)
{
    c->n_ff_exp = c->n_ff;
    c->n_ff_shexp = ul_cfg_u(c, "shared_intermediate_size", 0);
}

static uint64_t granite_window(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_has(c, "layer_types") ? ul_conv_is_window(c, i) : i % 4 != 0;
}

static uint64_t granite_rotates(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_item(c, "no_rope_layers", i, 0) != 0;
}

/* Source: conversion/granite.py: GraniteSWAModel, GraniteMoeSWAModel. */
static void granite_swa_keys(struct ul_conv *c)
{
    const struct ul_jvalue *rotates = ul_cfg(c, "no_rope_layers");
    ul_kv_drop(c, "attention.key_length");
    ul_kv_drop(c, "attention.value_length");
    ul_kv_copy_f32(c, "attention.scale", "attention_multiplier");
    ul_kv_copy_f32(c, "embedding_scale", "embedding_multiplier");
    ul_kv_copy_f32(c, "residual_scale", "residual_multiplier");
    ul_kv_copy_f32(c, "logit_scale", "logits_scaling");
    ul_kv_u32(c, "attention.sliding_window", ul_cfg_u(c, "sliding_window", 128));
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer, granite_window);
    if (rotates != NULL && rotates->n > 0)
        ul_kv_bools(c, "attention.rope_pattern", c->n_layer, granite_rotates);
    if (c->n_ff_shexp > 0)
        ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
}

/* Gate and up stay together, of the routed experts and of the shared one. */
static void granite_moe_swa_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_t2(c, "ffn_gate_inp.weight", c->n_embd, c->n_expert);
    ul_t3(c, "ffn_gate_up_exps.weight", c->n_embd, 2 * c->n_ff_exp, c->n_expert);
    ul_t3(c, "ffn_down_exps.weight", c->n_ff_exp, c->n_embd, c->n_expert);
    if (c->n_ff_shexp == 0)
        return;
    ul_t2(c, "ffn_up_shexp.weight", c->n_embd, 2 * c->n_ff_shexp);
    ul_t2(c, "ffn_down_shexp.weight", c->n_ff_shexp, c->n_embd);
}

const struct ul_conv_row ul_conv_rows_experts[] = {
    {.classes = "Step3p5ForCausalLM Step3p7ForConditionalGeneration", .types = "step3p5",
     .name = "step35", .upstream = "step3.py",
     .flags = UL_CV_LLAMA3 | UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS | UL_CV_HEAD_DIM,
     .setup = step_setup, .keys = step_keys, .layer = step_layer},
    {.classes = "MiniMaxText01ForCausalLM MiniMaxM1ForCausalLM", .types = "minimax_text_01 minimax_m1",
     .name = "minimax-01", .upstream = "minimax.py", .setup = minimax01_setup,
     .keys = minimax01_keys, .layer = minimax01_layer},
    {.classes = "DbrxForCausalLM", .types = "dbrx", .name = "dbrx", .upstream = "dbrx.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_QKV, .setup = dbrx_setup, .keys = dbrx_keys,
     .layer = dbrx_layer},
    {.classes = "ArcticForCausalLM", .types = "arctic", .name = "arctic",
     .upstream = "arctic.py", .rope_theta = 10000, .setup = arctic_setup, .keys = arctic_keys,
     .layer = arctic_layer},
    {.classes = "Grok1ForCausalLM GrokForCausalLM", .types = "grok", .name = "grok",
     .upstream = "grok.py", .flags = UL_CV_TIED, .keys = grok_keys, .layer = grok_layer},
    {.classes = "GroveMoeForCausalLM modeling_grove_moe.GroveMoeForCausalLM", .types = "grove_moe",
     .name = "grovemoe", .upstream = "grovemoe.py", .flags = UL_CV_QK_NORM, .keys = grove_keys,
     .layer = grove_layer},
    {.classes = "ExaoneMoEForCausalLM ExaoneMoeForCausalLM", .types = "exaone_moe",
     .name = "exaone-moe", .upstream = "exaone.py",
     .flags = UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS | UL_CV_LLAMA3, .setup = exaone_moe_setup,
     .keys = exaone_moe_keys, .layer = exaone_moe_layer},
    {.classes = "Cohere2MoeForCausalLM", .types = "cohere2_moe", .name = "cohere2moe",
     .upstream = "command_r.py", .flags = UL_CV_NO_FFN_NORM | UL_CV_TIED,
     .setup = cohere2moe_setup, .keys = cohere2moe_keys, .layer = cohere2moe_layer},
    {.classes = "MellumForCausalLM", .types = "mellum", .name = "mellum",
     .upstream = "mellum.py", .flags = UL_CV_QK_NORM, .keys = mellum_keys},
    {.classes = "RND1", .types = "rnd1", .name = "rnd1", .upstream = "qwen.py",
     .flags = UL_CV_QK_NORM, .keys = rnd1_keys},
    {.classes = "LLaDAMoEModel LLaDAMoEModelLM", .types = "llada_moe", .name = "llada-moe",
     .upstream = "llada.py", .flags = UL_CV_QK_NORM, .setup = llada_moe_setup,
     .keys = llada_moe_keys},
    {.classes = "SmallThinkerForCausalLM", .types = "smallthinker", .name = "smallthinker",
     .upstream = "smallthinker.py", .setup = smallthinker_setup, .keys = smallthinker_keys},
    {.classes = "GraniteSWAForCausalLM", .types = "granite_swa", .name = "granite_swa",
     .upstream = "granite.py", .flags = UL_CV_ROPE_DIM | UL_CV_SINKS,
     .setup = granite_swa_setup, .keys = granite_swa_keys},
    {.classes = "GraniteMoeSWAForCausalLM", .types = "granitemoe_swa", .name = "granite_swa",
     .upstream = "granite.py", .flags = UL_CV_ROPE_DIM | UL_CV_SINKS,
     .setup = granite_swa_setup, .keys = granite_swa_keys, .layer = granite_moe_swa_layer},
    {.classes = NULL},
};
