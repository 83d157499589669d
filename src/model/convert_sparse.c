/* Rows of models with many experts and ordinary attention: GLM 4.5, Ling, dots, MiniMax, MiMo, Hy,
 * Laguna, and the first DeepSeek. */
#include "model/convert.h"

static void shared_of(struct ul_conv *c, const char *count)
{
    c->n_ff_exp = ul_cfg_u(c, "moe_intermediate_size", c->n_ff);
    c->n_ff_shexp = ul_cfg_u(c, count, 0) * c->n_ff_exp;
}

static void nextn_key(struct ul_conv *c)
{
    if (ul_cfg_has(c, "num_nextn_predict_layers"))
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
}

/* ------------------------------------------------------------------ GLM 4.5: conversion/glm.py */

static void glm4moe_setup(struct ul_conv *c)
{
    shared_of(c, "n_shared_experts");
    ul_conv_keep_nextn(c);
    if (ul_cfg_b(c, "use_qk_norm", false))
        c->flags |= UL_CV_QK_NORM;
}

static void glm4moe_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "rope.dimension_count", (uint64_t)((double)c->head * ul_cfg_partial(c, 0.5)));
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    ul_kv_copy_u32(c, "expert_shared_count", "n_shared_experts");
    ul_kv_copy_u32(c, "leading_dense_block_count", "first_k_dense_replace");
    ul_kv_u32(c, "expert_gating_func", 2);
    ul_kv_copy_f32(c, "expert_weights_scale", "routed_scaling_factor");
    ul_kv_copy_bool(c, "expert_weights_norm", "norm_topk_prob");
    nextn_key(c);
}

static void glm4moe_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, true);
}

/* ------------------------------------------------------------------ DeepSeek 1, dots, Ling */

static void deepseek_setup(struct ul_conv *c) { shared_of(c, "n_shared_experts"); }

/* Source: conversion/deepseek.py: DeepseekModel. */
static void deepseek_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "rope.dimension_count", c->head);
    ul_kv_str(c, "rope.scaling.type", "none");
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_f32(c, "expert_weights_scale", 1.0);
    ul_kv_copy_u32(c, "expert_count", "n_routed_experts");
    ul_kv_copy_u32(c, "expert_shared_count", "n_shared_experts");
}

/* Source: conversion/dots1.py. */
static void dots1_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_copy_u32(c, "expert_shared_count", "n_shared_experts");
    ul_kv_copy_f32(c, "expert_weights_scale", "routed_scaling_factor");
    ul_kv_copy_bool(c, "expert_weights_norm", "norm_topk_prob");
}

/* Source: conversion/bailingmoe.py. */
static void bailing_setup(struct ul_conv *c) { shared_of(c, "num_shared_experts"); }

static void bailing_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "rope.dimension_count", c->head);
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_f32(c, "expert_weights_scale", 1.0);
    ul_kv_copy_u32(c, "expert_shared_count", "num_shared_experts");
    ul_kv_copy_bool(c, "expert_weights_norm", "norm_topk_prob");
}

static void bailing2_setup(struct ul_conv *c)
{
    shared_of(c, "num_shared_experts");
    c->n_ff_shexp = ul_cfg_u(c, "moe_shared_expert_intermediate_size", c->n_ff_shexp);
    ul_conv_keep_nextn(c);
}

static void bailing2_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "rope.dimension_count", (uint64_t)((double)c->head * ul_cfg_partial(c, 0.5)));
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
    ul_kv_copy_f32(c, "expert_weights_scale", "routed_scaling_factor");
    ul_kv_copy_u32(c, "expert_shared_count", "num_shared_experts");
    ul_kv_copy_bool(c, "expert_weights_norm", "norm_topk_prob");
    nextn_key(c);
}

/* Sarvam rotates the whole head. */
static void sarvam_keys(struct ul_conv *c)
{
    bailing2_keys(c);
    ul_kv_u32(c, "rope.dimension_count", c->head);
}

static void bailing2_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    if (!ul_conv_is_nextn(c))
        return;
    ul_conv_nextn(c, false);
    ul_t1(c, "layer_output_norm.weight", c->n_embd);
}

/* ------------------------------------------------------------------ Hy 3: conversion/hunyuan.py */

static void hy3_setup(struct ul_conv *c)
{
    shared_of(c, "num_shared_experts");
    ul_conv_keep_nextn(c);
}

static void hy3_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "expert_shared_feed_forward_length",
              c->n_ff_exp * ul_cfg_u(c, "num_shared_experts", 1));
    ul_kv_bool(c, "expert_weights_norm", ul_cfg_b(c, "route_norm", true));
    ul_kv_f32(c, "expert_weights_scale", ul_cfg_f(c, "router_scaling_factor", 1.0));
    ul_kv_u32(c, "expert_gating_func", 2);
    if (c->n_nextn > 0)
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
}

static void hy3_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    if (c->n_expert > 0 && (uint64_t)c->il >= c->dense_lead)
        ul_t1(c, "exp_probs_b", c->n_expert);
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, false);
}

/* ------------------------------------------------------------------ MiMo V2: conversion/mimo.py */

#define MIMO_NEXTN 3 /* all its models have three, and no configuration says so */

static bool mimo_window(struct ul_conv *c, uint64_t i)
{
    return i >= c->n_layer - c->n_nextn || ul_cfg_item(c, "hybrid_layer_pattern", i, 0) == 1;
}

static uint64_t mimo_pattern(struct ul_conv *c, uint64_t i) { return mimo_window(c, i); }

static uint64_t mimo_heads_kv(struct ul_conv *c, uint64_t i)
{
    return mimo_window(c, i) ? ul_cfg_u(c, "swa_num_key_value_heads", 0)
                             : ul_cfg_u(c, "num_key_value_heads", 0);
}

static void mimo_setup(struct ul_conv *c)
{
    c->n_nextn = MIMO_NEXTN;
    c->n_layer += c->n_nextn;
    c->n_ff_shexp = 0;
}

static void mimo_keys(struct ul_conv *c)
{
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, mimo_heads_kv);
    ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
    ul_kv_u32s(c, "attention.sliding_window_pattern", c->n_layer, mimo_pattern);
    ul_kv_copy_u32(c, "attention.value_length", "v_head_dim");
    ul_kv_u32(c, "expert_count", c->n_expert);
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "rope.dimension_count", (uint64_t)((double)c->head * ul_cfg_partial(c, 1.0)));
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, "layernorm_epsilon", 1e-5));
    ul_kv_copy_f32(c, "attention.value_scale", "attention_value_scale");
    ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
}

static void mimo_layer(struct ul_conv *c)
{
    uint64_t il = (uint64_t)c->il, kv = mimo_heads_kv(c, il), v = ul_cfg_need(c, "v_head_dim");
    bool sinks = ul_cfg_b(c, mimo_window(c, il) ? "add_swa_attention_sink_bias"
                                                : "add_full_attention_sink_bias", false);
    ul_norm(c, "attn_norm", c->n_embd);
    ul_t2(c, "attn_q.weight", c->n_embd, c->n_head * c->head);
    ul_t2(c, "attn_k.weight", c->n_embd, kv * c->head);
    ul_t2(c, "attn_v.weight", c->n_embd, kv * v);
    ul_t2(c, "attn_output.weight", c->n_head * v, c->n_embd);
    if (sinks)
        ul_t1(c, "attn_sinks.weight", c->n_head);
    ul_norm(c, "ffn_norm", c->n_embd);
    if (!ul_conv_is_nextn(c) && ul_cfg_item(c, "moe_layer_freq", il, 0) != 0)
        ul_conv_experts(c);
    else
        ul_conv_ffn(c, c->n_ff);
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, false);
}

/* ------------------------------------------------------------------ MiniMax: conversion/minimax.py */

static void minimax2_setup(struct ul_conv *c)
{
    c->n_ff_exp = ul_cfg_need(c, "intermediate_size");
}

static void minimax2_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "rope.dimension_count", ul_cfg_need(c, "rotary_dim"));
}

static void minimax3_setup(struct ul_conv *c)
{
    c->n_ff_exp = ul_cfg_need(c, "intermediate_size");
    c->n_ff_shexp = ul_cfg_u(c, "n_shared_experts", 0) *
                    ul_cfg_u(c, "shared_intermediate_size", c->n_ff_exp);
    while (c->dense_lead < c->n_layer && ul_cfg_item(c, "moe_layer_freq", c->dense_lead, 1) == 0)
        c->dense_lead++;
}

static void minimax3_keys(struct ul_conv *c)
{
    static const struct {
        const char *key, *cfg;
    } copied[] = {{"attention.indexer.head_count", "sparse_num_index_heads"},
                  {"attention.indexer.key_length", "sparse_index_dim"},
                  {"attention.indexer.top_k", "sparse_topk_blocks"},
                  {"attention.indexer.block_size", "sparse_block_size"},
                  {"attention.indexer.local_blocks", "sparse_local_block"}};
    const struct ul_jvalue *sparse = ul_cfg(c, "sparse_attention_config");
    minimax2_keys(c);
    ul_kv_u32(c, "expert_shared_count", ul_cfg_need(c, "n_shared_experts"));
    ul_kv_f32(c, "expert_weights_scale", ul_cfg_f(c, "routed_scaling_factor", 1.0));
    ul_kv_bool(c, "expert_weights_norm", true);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        ul_kv_u32(c, copied[i].key, (uint64_t)ul_jint(sparse, copied[i].cfg, 0));
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
}

static void minimax3_layer(struct ul_conv *c)
{
    const struct ul_jvalue *sparse = ul_cfg(c, "sparse_attention_config");
    uint64_t dim = (uint64_t)ul_jint(sparse, "sparse_index_dim", 0);
    uint64_t heads = (uint64_t)ul_jint(sparse, "sparse_num_index_heads", 0);
    const struct ul_jvalue *where =
        ul_jitem(ul_jget(sparse, "sparse_attention_freq"), (size_t)c->il);
    ul_conv_layer(c);
    if (where == NULL ? (uint64_t)c->il < c->dense_lead : where->i == 0)
        return;
    ul_t2(c, "indexer.k_proj.weight", c->n_embd, dim);
    ul_t2(c, "indexer.q_proj.weight", c->n_embd, heads * dim);
    ul_t1(c, "indexer.k_norm.weight", dim);
    ul_t1(c, "indexer.q_norm.weight", dim);
}

/* ------------------------------------------------------------------ Laguna: conversion/laguna.py */

static uint64_t laguna_heads(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_item(c, "num_attention_heads_per_layer", i, c->n_head);
}

static void laguna_setup(struct ul_conv *c)
{
    c->n_ff_shexp = ul_cfg_need(c, "shared_expert_intermediate_size");
    while (c->dense_lead < c->n_layer &&
           ul_cfg_item_is(c, "mlp_layer_types", c->dense_lead, "dense"))
        c->dense_lead++;
}

static void laguna_keys(struct ul_conv *c)
{
    const struct ul_jvalue *window = ul_jget(c->rope, "sliding_attention");
    double head = (double)c->head;
    ul_kv_u32s(c, "attention.head_count", c->n_layer, laguna_heads);
    if (ul_cfg_u(c, "sliding_window", 0) > 0)
        ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
    ul_kv_u32(c, "expert_feed_forward_length", ul_cfg_need(c, "moe_intermediate_size"));
    ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
    ul_kv_bool(c, "expert_weights_norm", true);
    ul_kv_f32(c, "expert_weights_scale", ul_cfg_f(c, "moe_routed_scaling_factor", 1.0));
    ul_kv_u32(c, "expert_gating_func", 2);
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_u32(c, "rope.dimension_count",
              (uint64_t)(head * ul_jreal(ul_cfg_rope(c), "partial_rotary_factor", 1.0)));
    if (window != NULL)
        ul_kv_u32(c, "rope.dimension_count_swa",
                  (uint64_t)(head * ul_jreal(window, "partial_rotary_factor", 1.0)));
}

static void laguna_layer(struct ul_conv *c)
{
    uint64_t all = c->n_head;
    struct ul_str gating = ul_cfg_s(c, "gating");
    c->n_head = laguna_heads(c, (uint64_t)c->il);
    ul_conv_layer(c);
    bool each = ul_cfg_item_is(c, "gating_types", (uint64_t)c->il, "per_element") ||
                ul_cfg_item_is(c, "gating_types", (uint64_t)c->il, "per-element") ||
                ul_str_is(gating, "per-element") || ul_str_is(gating, "per_element");
    ul_t2(c, "attn_gate.weight", c->n_embd, each ? c->n_head * c->head : c->n_head);
    c->n_head = all;
}

/* ------------------------------------------------------------------ Trinity: conversion/afmoe.py */

static void afmoe_setup(struct ul_conv *c)
{
    shared_of(c, "num_shared_experts");
    c->dense_lead = ul_cfg_u(c, "num_dense_layers", 0);
}

static void afmoe_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "expert_shared_count", "num_shared_experts");
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    ul_kv_copy_u32(c, "leading_dense_block_count", "num_dense_layers");
    ul_kv_copy_bool(c, "expert_weights_norm", "route_norm");
    ul_kv_copy_f32(c, "expert_weights_scale", "route_scale");
    ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
}

static void afmoe_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    ul_t2(c, "attn_gate.weight", c->n_embd, c->n_head * c->head);
    ul_norm(c, "post_attention_norm", c->n_embd);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_norm(c, "post_ffw_norm", c->n_embd);
    ul_conv_ffn_or_experts(c);
}

const struct ul_conv_row ul_conv_rows_sparse[] = {
    {.classes = "Glm4MoeForCausalLM Glm4vMoeForConditionalGeneration", .types = "glm4_moe",
     .name = "glm4moe", .upstream = "glm.py",
     .flags = UL_CV_QKV_BIAS_ASKED | UL_CV_FFN_NORM_POST | UL_CV_GATE_EXP_PROBS |
              UL_CV_HEAD_DIM,
     .head_dim = 128, .rope_theta = 10000, .norm_eps = 1e-5,
     .defaults = UL_CV_DEFAULTS("n_group": 1, "topk_group": 1, "norm_topk_prob": true),
     .setup = glm4moe_setup, .keys = glm4moe_keys, .layer = glm4moe_layer},
    {.classes = "SolarOpenForCausalLM", .types = "solar_open", .name = "glm4moe",
     .upstream = "glm.py",
     .flags = UL_CV_FFN_NORM_POST | UL_CV_GATE_EXP_PROBS | UL_CV_HEAD_DIM, .head_dim = 128,
     .rope_theta = 10000, .norm_eps = 1e-5,
     .defaults = UL_CV_DEFAULTS("n_group": 1, "topk_group": 1), .setup = glm4moe_setup,
     .keys = glm4moe_keys, .layer = glm4moe_layer},
    {.classes = "DeepseekForCausalLM", .types = "deepseek", .name = "deepseek",
     .upstream = "deepseek.py", .rope_theta = 10000, .setup = deepseek_setup,
     .keys = deepseek_keys},
    {.classes = "Dots1ForCausalLM", .types = "dots1", .name = "dots1", .upstream = "dots1.py",
     .flags = UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS, .rope_theta = 10000,
     .defaults = UL_CV_DEFAULTS("n_group": 1, "topk_group": 1), .setup = deepseek_setup,
     .keys = dots1_keys},
    {.classes = "BailingMoeForCausalLM", .types = "bailing_moe", .name = "bailingmoe",
     .upstream = "bailingmoe.py", .rope_theta = 10000, .setup = bailing_setup,
     .keys = bailing_keys},
    {.classes = "BailingMoeV2ForCausalLM", .types = "bailing_moe_v2", .name = "bailingmoe2",
     .upstream = "bailingmoe.py",
     .flags = UL_CV_FUSED_QKV | UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS, .rope_theta = 10000,
     .defaults = UL_CV_DEFAULTS("max_position_embeddings": 32768, "rms_norm_eps": 1e-6,
                                "rope_theta": 600000, "n_group": 8, "topk_group": 4,
                                "score_function": "sigmoid", "routed_scaling_factor": 2.5,
                                "norm_topk_prob": true),
     .setup = bailing2_setup, .keys = bailing2_keys, .layer = bailing2_layer},
    {.classes = "SarvamMoEForCausalLM modeling_sarvam_moe.SarvamMoEForCausalLM",
     .types = "sarvam_moe", .name = "bailingmoe2", .upstream = "bailingmoe.py",
     .flags = UL_CV_FUSED_QKV | UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS, .setup = bailing2_setup,
     .keys = sarvam_keys, .layer = bailing2_layer},
    {.classes = "HYV3ForCausalLM", .types = "hy_v3", .name = "hy_v3", .upstream = "hunyuan.py",
     .flags = UL_CV_QK_NORM, .setup = hy3_setup, .keys = hy3_keys, .layer = hy3_layer},
    {.classes = "MiMoV2FlashForCausalLM MiMoV2ForCausalLM", .types = "mimo_v2_flash mimo_v2",
     .name = "mimo2", .upstream = "mimo.py", .flags = UL_CV_GATE_EXP_PROBS, .setup = mimo_setup,
     .keys = mimo_keys, .layer = mimo_layer},
    {.classes = "MiniMaxM2ForCausalLM", .types = "minimax_m2", .name = "minimax-m2",
     .upstream = "minimax.py", .flags = UL_CV_QK_NORM_ALL | UL_CV_GATE_EXP_PROBS,
     .setup = minimax2_setup, .keys = minimax2_keys},
    {.classes = "MiniMaxM3SparseForCausalLM MiniMaxM3SparseForConditionalGeneration "
                "MiniMaxM3VLForConditionalGeneration",
     .types = "minimax_m3_vl", .name = "minimax-m3", .upstream = "minimax.py",
     .flags = UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS, .setup = minimax3_setup,
     .keys = minimax3_keys, .layer = minimax3_layer},
    {.classes = "LagunaForCausalLM", .types = "laguna", .name = "laguna",
     .upstream = "laguna.py", .flags = UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS,
     .setup = laguna_setup, .keys = laguna_keys, .layer = laguna_layer},
    {.classes = "AfmoeForCausalLM", .types = "afmoe", .name = "afmoe", .upstream = "afmoe.py",
     .flags = UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS | UL_CV_HEAD_DIM | UL_CV_ROPE_DIM,
     .head_dim = 128, .rope_theta = 10000, .norm_eps = 1e-5, .setup = afmoe_setup,
     .keys = afmoe_keys, .layer = afmoe_layer},
    {.classes = NULL},
};
