/* Rows of models whose layers are the usual ones: attention and a feed-forward block or experts,
 * with other names, norms and biases. */
#include "model/convert.h"

#include "base/size.h"

#include <math.h>

/* Rotated dimensions of a head: a part of it, rounded down. */
static void rope_part(struct ul_conv *c, double otherwise)
{
    ul_kv_u32(c, "rope.dimension_count", (uint64_t)((double)c->head * ul_cfg_partial(c, otherwise)));
}

/* ------------------------------------------------------------------ llama and near kin */

/* One layer with a vocabulary of its own drafts for a larger model. Source: LlamaModel.__init__. */
static void llama_setup(struct ul_conv *c)
{
    if (ul_cfg_has(c, "draft_vocab_size") && c->n_layer == 1)
        ul_conv_unknown(c, "an EAGLE-3 drafter is converted with its larger model at hand: give the "
                           "GGUF file");
}

static void mistral3_setup(struct ul_conv *c)
{
    if (ul_cfg_has(c, "num_local_experts"))
        c->n_ff_exp = c->n_ff;
}

static void ministral3_keys(struct ul_conv *c)
{
    if (!ul_str_is(ul_cfg_s(c, "model_type"), "ministral3"))
        return;
    ul_kv_f32(c, "rope.scaling.yarn_log_multiplier", ul_jreal(c->rope, "mscale_all_dim", 0));
    ul_kv_f32(c, "attention.temperature_scale", ul_jreal(c->rope, "llama_4_scaling_beta", 0));
}

/* Mixtral's experts are as wide as its feed-forward length. */
static void mixtral_setup(struct ul_conv *c) { c->n_ff_exp = c->n_ff; }

static uint64_t llama4_step(struct ul_conv *c)
{
    return ul_cfg_u(c, "interleave_moe_layer_step", 1);
}

/* Source: conversion/llama.py: Llama4Model. */
static void llama4_setup(struct ul_conv *c)
{
    c->n_ff_exp = ul_cfg_need(c, "intermediate_size");
    c->n_ff_shexp = c->n_ff_exp;
    c->n_ff = ul_cfg_need(c, "intermediate_size_mlp");
}

static void llama4_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "interleave_moe_layer_step", llama4_step(c));
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
}

static void llama4_layer(struct ul_conv *c)
{
    uint64_t step = llama4_step(c);
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    ul_norm(c, "ffn_norm", c->n_embd);
    if (step > 0 && ((uint64_t)c->il + 1) % step == 0)
        ul_conv_experts(c);
    else
        ul_conv_ffn(c, c->n_ff);
}

/* Source: conversion/granite.py. */
static void granite_setup(struct ul_conv *c)
{
    c->head = c->share; /* its head_dim is not looked at */
    c->n_ff_exp = c->n_ff;
    c->n_ff_shexp = ul_cfg_u(c, "shared_intermediate_size", 0);
}

static void granite_keys(struct ul_conv *c)
{
    ul_kv_drop(c, "attention.key_length");
    ul_kv_drop(c, "attention.value_length");
    ul_kv_copy_f32(c, "attention.scale", "attention_multiplier");
    ul_kv_copy_f32(c, "embedding_scale", "embedding_multiplier");
    ul_kv_copy_f32(c, "residual_scale", "residual_multiplier");
    ul_kv_copy_f32(c, "logit_scale", "logits_scaling");
}

static void granite_moe_keys(struct ul_conv *c)
{
    granite_keys(c);
    if (c->n_ff_shexp > 0)
        ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
}

/* ------------------------------------------------------------------ exaone, olmo, hunyuan ... */

static void exaone_keys(struct ul_conv *c)
{
    double part = ul_jreal(c->rope, "partial_rotary_factor", ul_cfg_f(c, "partial_rotary_factor", 1));
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon",
              ul_cfg_f(c, "layer_norm_epsilon", 1e-5)); /* its loader reads this one */
    ul_kv_u32(c, "rope.dimension_count",
              (uint64_t)(part * (double)c->share));
}

/* Windows by layer_types, or 'L' and 'G' in a pattern, or one full layer in four. Source:
 * conversion/exaone.py: Exaone4Model. */
static uint64_t exaone4_window(struct ul_conv *c, uint64_t i)
{
    struct ul_str pattern = ul_cfg_s(c, "sliding_window_pattern");
    if (ul_cfg_has(c, "layer_types"))
        return ul_conv_is_window(c, i);
    return pattern.n > 0 ? pattern.p[i % pattern.n] == 'L' : (i + 1) % 4 != 0;
}

static void exaone4_keys(struct ul_conv *c)
{
    if (c->n_nextn > 0)
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
    if (!ul_cfg_has(c, "sliding_window"))
        return;
    ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer - c->n_nextn, exaone4_window);
}

/* 4.5 keeps the layers that predict further tokens. */
static void exaone45_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, false);
}

static void olmo_keys(struct ul_conv *c)
{
    ul_kv_f32(c, "attention.layer_norm_epsilon", 1e-5);
    ul_kv_copy_f32(c, "attention.clamp_kqv", "clip_qkv");
}

/* Its norms have no weights at all. */
static void olmo_layer(struct ul_conv *c)
{
    ul_conv_attention(c);
    ul_conv_ffn(c, c->n_ff);
}

static uint64_t olmo3_window(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_has(c, "layer_types") ? ul_conv_is_window(c, i) : (i + 1) % 4 != 0;
}

static void olmo2_keys(struct ul_conv *c)
{
    if (!ul_cfg_has(c, "sliding_window"))
        return;
    ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer, olmo3_window);
}

static void olmoe_keys(struct ul_conv *c)
{
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", 1e-5);
}

/* NTK-aware scaling turned into another base. Source: conversion/hunyuan.py. */
static void hunyuan_rope(struct ul_conv *c)
{
    double alpha = ul_jreal(c->rope, "alpha", 0), dim = (double)c->head;
    double base = ul_cfg_f(c, "rope_theta", ul_jreal(c->rope, "rope_theta", 10000));
    if (alpha == 0 || dim <= 2)
        return;
    ul_kv_f32(c, "rope.freq_base", base * pow(alpha, dim / (dim - 2)));
    ul_kv_str(c, "rope.scaling.type", "none");
    ul_kv_f32(c, "rope.scaling.factor", 1);
    ul_kv_u32(c, "rope.scaling.original_context_length", 256 * 1024);
    ul_kv_u32(c, "context_length", 256 * 1024);
}

/* The one that sees: positions by sections, and no other base. Source: HunyuanVLTextModel. */
static void hunyuan_vl_keys(struct ul_conv *c)
{
    struct ul_str type = ul_jstr(c->rope, "rope_type", "");
    const struct ul_jvalue *sections = ul_jget(c->rope, "xdrope_section");
    bool dynamic = ul_str_is(type, "dynamic") && ul_jget(c->rope, "mrope_section") != NULL;
    int64_t v[4] = {0};
    if (!dynamic && !ul_str_is(type, "xdrope")) {
        hunyuan_rope(c);
        return;
    }
    sections = dynamic ? ul_jget(c->rope, "mrope_section") : sections;
    for (size_t i = 0; i < 4; i++)
        v[i] = ul_jitem(sections, i) != NULL ? ul_jitem(sections, i)->i : 0;
    ul_kv_f32(c, "rope.freq_base",
              ul_jreal(c->rope, "rope_theta", ul_cfg_f(c, "rope_theta", 10000)));
    ul_kv_f32(c, "rope.scaling.alpha", ul_jreal(c->rope, "alpha", 0));
    ul_kv_str(c, "rope.scaling.type", "none");
    ul_kv_f32(c, "rope.scaling.factor", ul_jreal(c->rope, "factor", 1));
    ul_kv_u32(c, "rope.scaling.original_context_length",
              ul_cfg_need(c, "max_position_embeddings"));
    ul_kv_i32s(c, "rope.dimension_sections", 4, v);
}

static void hunyuan_moe_setup(struct ul_conv *c)
{
    c->n_ff_exp = ul_cfg_item(c, "moe_intermediate_size", 0, c->n_ff);
    c->n_ff_shexp = ul_cfg_item(c, "num_shared_expert", 0, 1) != 0 ? c->n_ff : 0;
}

static void hunyuan_moe_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "expert_count", c->n_expert);
    ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff);
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "expert_used_count", ul_cfg_item(c, "moe_topk", 0, 1));
    ul_kv_u32(c, "expert_shared_count", ul_cfg_item(c, "num_shared_expert", 0, 1));
    hunyuan_rope(c);
}

/* Source: conversion/ernie.py. */
static void ernie_moe_setup(struct ul_conv *c)
{
    uint64_t shared = ul_cfg_u(c, "moe_num_shared_experts", 0);
    c->n_expert = ul_cfg_need(c, "moe_num_experts");
    c->n_ff_exp = ul_cfg_need(c, "moe_intermediate_size");
    c->n_ff_shexp = shared * c->n_ff_exp;
    c->dense_lead = ul_cfg_u(c, "moe_layer_start_index", 0);
}

static void ernie_moe_keys(struct ul_conv *c)
{
    uint64_t shared = ul_cfg_u(c, "moe_num_shared_experts", 0);
    ul_kv_u32(c, "expert_count", c->n_expert);
    ul_kv_copy_u32(c, "expert_used_count", "moe_k");
    ul_kv_copy_u32(c, "interleave_moe_layer_step", "moe_layer_interval");
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    if (ul_cfg_has(c, "moe_num_shared_experts"))
        ul_kv_u32(c, "expert_shared_count", shared);
    if (shared > 0 && c->n_head_kv > 0)
        ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff / c->n_head_kv);
}

/* ------------------------------------------------------------------ phi, cohere, glm, starcoder */

static void internlm2_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "rope.dimension_count", c->head);
}

static uint64_t phi_rotated(struct ul_conv *c)
{
    return (uint64_t)(ul_cfg_partial(c, 1.0) * (double)c->n_embd) / (c->n_head ? c->n_head : 1);
}

/* Source: conversion/phi.py: Phi3MiniModel, PhiMoeModel. */
static void phi3_keys(struct ul_conv *c)
{
    uint64_t ctx = ul_cfg_need(c, "n_positions|max_position_embeddings");
    const struct ul_jvalue *theta = ul_jget(ul_cfg_rope(c), "rope_theta");
    ul_kv_u32(c, "context_length", ctx);
    ul_kv_u32(c, "rope.scaling.original_context_length",
              ul_cfg_u(c, "original_max_position_embeddings", ctx));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, "rms_norm_eps|norm_eps", 1e-5));
    ul_kv_u32(c, "rope.dimension_count", phi_rotated(c));
    ul_kv_f32(c, "rope.freq_base",
              theta != NULL ? theta->d : ul_cfg_f(c, "rope_theta", 10000));
    ul_kv_u32(c, "attention.sliding_window", ul_cfg_u(c, "sliding_window", 0));
}

static const struct ul_jvalue *long_factors(struct ul_conv *c)
{
    return ul_jget(ul_cfg_rope(c), "long_factor");
}

static void phi3_rest(struct ul_conv *c)
{
    if (long_factors(c) == NULL)
        return;
    ul_t1(c, "rope_factors_long.weight", phi_rotated(c) / 2);
    ul_t1(c, "rope_factors_short.weight", phi_rotated(c) / 2);
}

static void phimoe_setup(struct ul_conv *c) { c->n_ff_exp = c->n_ff; }

static void phimoe_keys(struct ul_conv *c)
{
    phi3_keys(c);
    ul_kv_copy_u32(c, "expert_used_count", "num_experts_per_tok|num_experts_per_token");
    ul_kv_u32(c, "expert_count", c->n_expert);
}

static void phimoe_rest(struct ul_conv *c)
{
    ul_t1(c, "output.bias", c->n_vocab);
    phi3_rest(c);
}

/* Source: conversion/command_r.py. */
static void command_r_keys(struct ul_conv *c)
{
    ul_kv_copy_f32(c, "logit_scale", "logit_scale");
    ul_kv_str(c, "rope.scaling.type", "none");
    ul_kv_copy_u32(c, "context_length", "model_max_length|max_position_embeddings");
}

static void command_r_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    if (ul_cfg_b(c, "use_qk_norm", false)) {
        ul_t2(c, "attn_q_norm.weight", c->head, c->n_head);
        ul_t2(c, "attn_k_norm.weight", c->head, c->n_head_kv);
    }
    ul_conv_ffn(c, c->n_ff);
}

static void cohere2_keys(struct ul_conv *c)
{
    ul_kv_copy_f32(c, "logit_scale", "logit_scale");
    ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
    ul_kv_u32(c, "rope.dimension_count",
              (uint64_t)(ul_cfg_f(c, "rotary_pct", 1.0) * (double)c->share));
    ul_kv_str(c, "rope.scaling.type", "none");
}

static void glm4_keys(struct ul_conv *c) { rope_part(c, 0.5); }

/* GLM-OCR keeps the layer that predicts a further token. */
static void glm_ocr_keys(struct ul_conv *c)
{
    glm4_keys(c);
    if (ul_cfg_has(c, "num_nextn_predict_layers"))
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
}

static void glm_ocr_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, true);
}

/* Source: conversion/chatglm.py, for the configurations of either spelling. */
static void chatglm_setup(struct ul_conv *c)
{
    c->n_ff = ul_cfg_u(c, "ffn_hidden_size|intermediate_size", 4 * c->n_embd);
    c->n_head_kv = ul_cfg_u(c, "multi_query_group_num|num_key_value_heads", c->n_head);
    c->head = ul_cfg_u(c, "attention_dim|head_dim|kv_channels", c->share);
}

static void chatglm_keys(struct ul_conv *c)
{
    uint64_t rope = ul_cfg_has(c, "attention_dim") ? ul_cfg_u(c, "attention_dim", 0)
                                                   : c->share;
    ul_kv_u32(c, "context_length", ul_cfg_u(c, "seq_length", c->n_embd));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon",
              ul_cfg_f(c, "layernorm_epsilon", 1e-5));
    ul_kv_u32(c, "rope.dimension_count", (uint64_t)((double)rope * ul_cfg_partial(c, 0.5)));
    ul_kv_f32(c, "rope.freq_base", ul_cfg_has(c, "rope_ratio")
                                       ? 10000 * ul_cfg_f(c, "rope_ratio", 1)
                                       : ul_cfg_f(c, "rope_theta", 10000));
}

/* Source: conversion/nemotron.py: NemotronModel. */
static void nemotron_keys(struct ul_conv *c)
{
    ul_kv_f32(c, "attention.layer_norm_epsilon",
              ul_cfg_f(c, "layer_norm_eps|layer_norm_epsilon|norm_epsilon|norm_eps", 1e-5));
    ul_kv_u32(c, "rope.dimension_count",
              (uint64_t)(ul_cfg_partial(c, 0.5) * (double)c->n_embd) / (c->n_head ? c->n_head : 1));
    if (ul_cfg_has(c, "rope_scaling") && ul_jget(c->rope, "factor") != NULL) {
        ul_kv_str(c, "rope.scaling.type", "linear");
        ul_kv_f32(c, "rope.scaling.factor", ul_jreal(c->rope, "factor", 1));
    } else {
        ul_kv_str(c, "rope.scaling.type", "none");
    }
}

static void bitnet_keys(struct ul_conv *c)
{
    ul_kv_str(c, "rope.scaling.type", "linear");
    ul_kv_f32(c, "rope.scaling.factor", 1.0);
}

static void bitnet_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    ul_norm(c, "attn_sub_norm", c->n_embd);
    ul_norm(c, "ffn_sub_norm", c->n_ff);
}

static void baichuan_keys(struct ul_conv *c)
{
    ul_kv_str(c, "tensor_data_layout", "Meta AI original pth");
    ul_kv_u32(c, "rope.dimension_count", c->share);
}

static void baichuan_setup(struct ul_conv *c)
{
    c->head = c->share;
}

/* Source: conversion/stablelm.py. */
static void stablelm_keys(struct ul_conv *c)
{
    double part = ul_cfg_f(c, "partial_rotary_factor|rope_pct", 0.25);
    ul_kv_copy_u32(c, "context_length", "max_position_embeddings");
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "rope.dimension_count", (uint64_t)(part * (double)c->share));
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_bool(c, "use_parallel_residual", ul_cfg_b(c, "use_parallel_residual", true));
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_f(c, "layer_norm_eps|norm_eps", 1e-5));
}

static void apertus_keys(struct ul_conv *c)
{
    static const char *const names[] = {"xielu.alpha_n", "xielu.alpha_p", "xielu.beta", "xielu.eps"};
    ul_kv_drop(c, "attention.key_length");
    ul_kv_drop(c, "attention.value_length");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ul_kv_f32(c, names[i], 1.0); /* learned: in the weights, not in the configuration */
}

/* ------------------------------------------------------------------ qwen */

static void qwen_moe_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    ul_kv_copy_u32(c, "expert_shared_feed_forward_length", "shared_expert_intermediate_size");
}

static void qwen2_moe_setup(struct ul_conv *c)
{
    c->n_ff_shexp = ul_cfg_u(c, "shared_expert_intermediate_size", 0);
}

static void qwen2_moe_layer(struct ul_conv *c)
{
    ul_conv_layer(c);
    ul_t1(c, "ffn_gate_inp_shexp.weight", c->n_embd);
}

/* Source: conversion/qwenvl.py, qwen3vl.py. */
static void qwen3vl_keys(struct ul_conv *c)
{
    const struct ul_jvalue *deep =
        ul_jget(ul_jget(c->root, "vision_config"), "deepstack_visual_indexes");
    qwen_moe_keys(c);
    ul_kv_u32(c, "n_deepstack_layers", deep != NULL ? deep->n : 0);
}

/* Without the layers that an image is fed into. */
static void qwen3asr_keys(struct ul_conv *c)
{
    qwen_moe_keys(c);
    ul_kv_u32(c, "n_deepstack_layers", 0);
}

/* ------------------------------------------------------------------ gpt-oss, seed ... */

static void gpt_oss_setup(struct ul_conv *c) { c->n_ff_exp = c->n_ff; }

static void gpt_oss_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "attention.sliding_window", "sliding_window");
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    if (ul_jget(c->rope, "truncate") != NULL)
        ul_kv_bool(c, "rope.scaling.yarn_truncate", ul_jbool(c->rope, "truncate", true));
}

/* Its experts are stored as MXFP4 unless the checkpoint was made anew in another type. */
static void gpt_oss_expert(struct ul_conv *c, const char *part, uint64_t in, uint64_t out)
{
    ul_t3(c, ul_format(c->a, "%s.weight", part), in, out, c->n_expert);
    if (ul_str_is(ul_jstr(ul_cfg(c, "quantization_config"), "quant_method", ""), "mxfp4"))
        ul_as(c, UL_MXFP4);
    ul_t2(c, ul_format(c->a, "%s.bias", part), out, c->n_expert);
}

static void gpt_oss_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    ul_norm(c, "post_attention_norm", c->n_embd);
    ul_t2(c, "ffn_gate_inp.weight", c->n_embd, c->n_expert);
    ul_t1(c, "ffn_gate_inp.bias", c->n_expert);
    gpt_oss_expert(c, "ffn_gate_exps", c->n_embd, c->n_ff_exp);
    gpt_oss_expert(c, "ffn_up_exps", c->n_embd, c->n_ff_exp);
    gpt_oss_expert(c, "ffn_down_exps", c->n_ff_exp, c->n_embd);
}

/* Blocks that differ one from another: some without attention, some without a feed-forward part.
 * Source: conversion/deci.py. */
static const struct ul_jvalue *deci_block(struct ul_conv *c, uint64_t i, const char *part)
{
    return ul_jget(ul_jitem(ul_cfg(c, "block_configs"), i), part);
}

static bool deci_no_attention(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *a = deci_block(c, i, "attention");
    return ul_jbool(a, "no_op", false) || ul_jbool(a, "replace_with_linear", false) ||
           ul_jget(a, "n_heads_in_group") == NULL;
}

static uint64_t deci_heads_kv(struct ul_conv *c, uint64_t i)
{
    int64_t group = ul_jint(deci_block(c, i, "attention"), "n_heads_in_group", 0);
    return deci_no_attention(c, i) || group <= 0 ? 0 : c->n_head / (uint64_t)group;
}

static uint64_t deci_heads(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *a = deci_block(c, i, "attention");
    return deci_heads_kv(c, i) != 0 || ul_jbool(a, "replace_with_linear", false) ? c->n_head : 0;
}

static uint64_t deci_ff(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *f = deci_block(c, i, "ffn");
    double mult = ul_jreal(f, "ffn_mult", 0);
    uint64_t n = (uint64_t)(2 * mult * (double)c->n_embd / 3);
    if (ul_jbool(f, "no_op", false))
        return 0;
    return ul_pad(n, 256);
}

static void deci_keys(struct ul_conv *c)
{
    const struct ul_jvalue *theta = ul_cfg(c, "rope_theta");
    if (!ul_cfg_has(c, "block_configs"))
        ul_conv_fail(c, "block_configs is missing");
    ul_kv_f32(c, "rope.freq_base", theta != NULL ? theta->d : ul_jreal(c->rope, "rope_theta", 0));
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, deci_heads_kv);
    ul_kv_u32s(c, "attention.head_count", c->n_layer, deci_heads);
    ul_kv_u32s(c, "feed_forward_length", c->n_layer, deci_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_copy_u32(c, "context_length", "max_position_embeddings");
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_copy_f32(c, "attention.layer_norm_rms_epsilon", "rms_norm_eps");
    ul_kv_u32(c, "attention.key_length", c->head);
    ul_kv_u32(c, "attention.value_length", c->head);
    ul_kv_u32(c, "rope.dimension_count", c->head);
}

static void deci_layer(struct ul_conv *c)
{
    uint64_t all = c->n_head_kv, il = (uint64_t)c->il;
    c->n_head_kv = deci_heads_kv(c, il);
    if (c->n_head_kv > 0) {
        ul_norm(c, "attn_norm", c->n_embd);
        ul_conv_attention(c);
    } else if (deci_heads(c, il) > 0) {
        ul_norm(c, "attn_norm", c->n_embd);
        ul_t2(c, "attn_output.weight", c->n_embd, c->n_embd);
    }
    if (deci_ff(c, il) > 0) {
        ul_norm(c, "ffn_norm", c->n_embd);
        ul_conv_ffn(c, deci_ff(c, il));
    }
    c->n_head_kv = all;
}

static void starcoder2_setup(struct ul_conv *c)
{
    if (!ul_cfg_b(c, "use_bias", true))
        c->flags &= ~(unsigned)(UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_MLP_BIAS);
}

#define GRANITE UL_CV_DEFAULTS("attention_multiplier": 1.0, "embedding_multiplier": 1.0, \
    "residual_multiplier": 1.0, "logits_scaling": 1.0)

const struct ul_conv_row ul_conv_rows_dense[] = {
    {.classes = "LlamaForCausalLM LLaMAForCausalLM MistralForCausalLM VLlama3ForCausalLM LlamaModel "
                "LlavaForConditionalGeneration VoxtralForConditionalGeneration "
                "IQuestCoderForCausalLM Sarashina2VisionForCausalLM JanusForConditionalGeneration",
     .types = "llama mistral", .name = "llama", .upstream = "llama.py",
     .flags = UL_CV_HEAD_DIM | UL_CV_ROPE_DIM | UL_CV_LLAMA3 | UL_CV_BIAS_ASKED |
              UL_CV_MLP_BIAS_ASKED | UL_CV_KV_HEADS,
     .rope_theta = 10000, .norm_eps = 1e-6,
     .defaults = UL_CV_DEFAULTS("num_attention_heads": 32), .setup = llama_setup},
    {.classes = "MixtralForCausalLM", .types = "mixtral", .name = "llama", .upstream = "llama.py",
     .flags = UL_CV_ROPE_DIM | UL_CV_KV_HEADS, .rope_theta = 1e6, .norm_eps = 1e-5,
     .setup = mixtral_setup},
    {.classes = "Mistral3ForConditionalGeneration Ministral3ForCausalLM",
     .types = "mistral3 ministral3", .name = "mistral3", .upstream = "mistral3.py",
     .flags = UL_CV_HEAD_DIM | UL_CV_ROPE_DIM | UL_CV_LLAMA3 | UL_CV_KV_HEADS, .rope_theta = 10000,
     .norm_eps = 1e-6, .setup = mistral3_setup, .keys = ministral3_keys},
    {.classes = "Llama4ForCausalLM Llama4ForConditionalGeneration", .types = "llama4",
     .name = "llama4", .upstream = "llama.py",
     .flags = UL_CV_HEAD_DIM | UL_CV_ROPE_DIM | UL_CV_LLAMA3, .rope_theta = 500000,
     .norm_eps = 1e-5, .setup = llama4_setup, .keys = llama4_keys, .layer = llama4_layer},
    {.classes = "ArceeForCausalLM", .types = "arcee", .name = "arcee", .upstream = "arcee.py",
     .flags = UL_CV_HEAD_DIM | UL_CV_ROPE_DIM | UL_CV_NO_GATE, .rope_theta = 10000,
     .norm_eps = 1e-5},
    {.classes = "SmolLM3ForCausalLM", .types = "smollm3", .name = "smollm3",
     .upstream = "smallthinker.py", .flags = UL_CV_ROPE_DIM | UL_CV_TIED | UL_CV_LLAMA3,
     .rope_theta = 2000000, .norm_eps = 1e-6},
    {.classes = "ApertusForCausalLM", .types = "apertus", .name = "apertus",
     .upstream = "llama.py", .flags = UL_CV_ROPE_DIM | UL_CV_LLAMA3 | UL_CV_NO_GATE |
                                      UL_CV_QK_NORM,
     .rope_theta = 12000000, .norm_eps = 1e-5, .keys = apertus_keys},
    {.classes = "GraniteForCausalLM", .types = "granite", .name = "granite",
     .upstream = "granite.py", .flags = UL_CV_ROPE_DIM | UL_CV_KV_HEADS, .rope_theta = 10000,
     .norm_eps = 1e-6, .defaults = GRANITE, .setup = granite_setup, .keys = granite_keys},
    {.classes = "GraniteMoeForCausalLM GraniteMoeSharedForCausalLM",
     .types = "granitemoe granitemoeshared", .name = "granitemoe", .upstream = "granite.py",
     .flags = UL_CV_ROPE_DIM | UL_CV_KV_HEADS, .rope_theta = 10000, .norm_eps = 1e-6,
     .defaults = GRANITE, .setup = granite_setup, .keys = granite_moe_keys},
    {.classes = "DeciLMForCausalLM", .types = "nemotron-nas", .name = "deci",
     .upstream = "deci.py", .flags = UL_CV_OWN_KEYS | UL_CV_LLAMA3, .keys = deci_keys,
     .layer = deci_layer},
    {.classes = "ExaoneForCausalLM", .types = "exaone", .name = "exaone", .upstream = "exaone.py",
     .flags = UL_CV_LLAMA3 | UL_CV_HEAD_DIM, .rope_theta = 10000, .keys = exaone_keys},
    {.classes = "Exaone4ForCausalLM", .types = "exaone4", .name = "exaone4",
     .upstream = "exaone.py",
     .flags = UL_CV_LLAMA3 | UL_CV_HEAD_DIM | UL_CV_QK_NORM | UL_CV_POST_NORMS |
              UL_CV_NO_PRE_NORMS,
     .rope_theta = 10000, .norm_eps = 1e-5, .keys = exaone4_keys, 
     .defaults = UL_CV_DEFAULTS("vocab_size": 102400)},
    {.classes = "Exaone4_5_ForConditionalGeneration", .types = "exaone4_5", .name = "exaone4",
     .upstream = "exaone.py",
     .flags = UL_CV_LLAMA3 | UL_CV_HEAD_DIM | UL_CV_QK_NORM | UL_CV_POST_NORMS |
              UL_CV_NO_PRE_NORMS,
     .rope_theta = 10000, .norm_eps = 1e-5, .setup = ul_conv_keep_nextn, .keys = exaone4_keys,
     .layer = exaone45_layer},
    {.classes = "OlmoForCausalLM OLMoForCausalLM", .types = "olmo", .name = "olmo",
     .upstream = "olmo.py", .flags = UL_CV_NO_OUTPUT_NORM, .rope_theta = 10000, .keys = olmo_keys,
     .layer = olmo_layer},
    {.classes = "Olmo2ForCausalLM Olmo3ForCausalLM", .types = "olmo2 olmo3", .name = "olmo2",
     .upstream = "olmo.py",
     .flags = UL_CV_QK_NORM_ALL | UL_CV_POST_NORMS | UL_CV_NO_PRE_NORMS | UL_CV_KV_HEADS,
     .rope_theta = 10000, .norm_eps = 1e-5, .keys = olmo2_keys},
    {.classes = "OlmoeForCausalLM", .types = "olmoe", .name = "olmoe", .upstream = "olmo.py",
     .flags = UL_CV_QK_NORM_ALL | UL_CV_KV_HEADS, .rope_theta = 10000, .norm_eps = 1e-5,
     .keys = olmoe_keys, 
     .defaults = UL_CV_DEFAULTS("max_position_embeddings": 4096, "num_experts_per_tok": 8)},
    {.classes = "SeedOssForCausalLM", .types = "seed_oss", .name = "seed_oss",
     .upstream = "olmo.py", .flags = UL_CV_HEAD_DIM | UL_CV_QKV_BIAS | UL_CV_FFN_NORM_POST,
     .head_dim = 128, .rope_theta = 10000, .norm_eps = 1e-6},
    {.classes = "HunYuanDenseV1ForCausalLM", .types = "hunyuan_v1_dense",
     .name = "hunyuan-dense", .upstream = "hunyuan.py",
     .flags = UL_CV_QK_NORM | UL_CV_TIED, .rope_theta = 10000, .norm_eps = 1e-5,
     .keys = hunyuan_rope},
    {.classes = "HunYuanVLForConditionalGeneration", .types = "hunyuan_vl", .name = "hunyuan_vl",
     .upstream = "hunyuan.py", .flags = UL_CV_QK_NORM | UL_CV_TIED, .rope_theta = 10000,
     .norm_eps = 1e-5, .keys = hunyuan_vl_keys},
    {.classes = "HunYuanMoEV1ForCausalLM", .types = "hunyuan hunyuan_v1_moe",
     .name = "hunyuan-moe", .upstream = "hunyuan.py", .flags = UL_CV_QK_NORM | UL_CV_TIED,
     .rope_theta = 10000, .norm_eps = 1e-5, .setup = hunyuan_moe_setup, .keys = hunyuan_moe_keys},
    {.classes = "Ernie4_5ForCausalLM Ernie4_5_ForCausalLM", .types = "ernie4_5",
     .name = "ernie4_5", .upstream = "ernie.py",
     .flags = UL_CV_HEAD_DIM | UL_CV_TIED, .rope_theta = 500000, .norm_eps = 1e-5},
    {.classes = "PaddleOCRVLForConditionalGeneration", .types = "paddleocr_vl",
     .name = "paddleocr", .upstream = "ernie.py", .flags = UL_CV_HEAD_DIM | UL_CV_TIED,
     .rope_theta = 500000, .norm_eps = 1e-5},
    {.classes = "Ernie4_5_MoeForCausalLM", .types = "ernie4_5_moe", .name = "ernie4_5-moe",
     .upstream = "ernie.py", .flags = UL_CV_GATE_EXP_PROBS, .rope_theta = 500000,
     .norm_eps = 1e-5, .setup = ernie_moe_setup, .keys = ernie_moe_keys, 
     .defaults = UL_CV_DEFAULTS("vocab_size": 103424, "moe_layer_interval": 1)},
    {.classes = "InternLM2ForCausalLM", .types = "internlm2", .name = "internlm2",
     .upstream = "internlm.py", .rope_theta = 10000, .norm_eps = 1e-6, .keys = internlm2_keys},
    {.classes = "Starcoder2ForCausalLM", .types = "starcoder2", .name = "starcoder2",
     .upstream = "starcoder.py",
     .flags = UL_CV_NORM_BIAS | UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_MLP_BIAS | UL_CV_NO_GATE |
              UL_CV_TIED,
     .rope_theta = 10000, .setup = starcoder2_setup},
    {.classes = "Phi3ForCausalLM Phi4ForCausalLMV", .types = "phi3", .name = "phi3",
     .upstream = "phi.py", .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_QKV | UL_CV_FUSED_UP,
     .keys = phi3_keys, .rest = phi3_rest},
    {.classes = "PhiMoEForCausalLM PhimoeForCausalLM", .types = "phimoe", .name = "phimoe",
     .upstream = "phi.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NORM_BIAS | UL_CV_QKV_BIAS | UL_CV_O_BIAS, .rope_theta = 1e6,
     .setup = phimoe_setup, .keys = phimoe_keys, .rest = phimoe_rest},
    {.classes = "CohereForCausalLM", .types = "cohere", .name = "command-r",
     .upstream = "command_r.py", .flags = UL_CV_NO_FFN_NORM | UL_CV_TIED_ALWAYS | UL_CV_KV_HEADS,
     .rope_theta = 10000, .keys = command_r_keys, .layer = command_r_layer},
    {.classes = "Cohere2ForCausalLM", .types = "cohere2", .name = "cohere2",
     .upstream = "command_r.py",
     .flags = UL_CV_NO_FFN_NORM | UL_CV_TIED_ALWAYS | UL_CV_HEAD_DIM, .rope_theta = 10000,
     .keys = cohere2_keys},
    {.classes = "Glm4ForCausalLM Glm4vForConditionalGeneration", .types = "glm4", .name = "glm4",
     .upstream = "glm.py",
     .flags = UL_CV_QKV_BIAS_ASKED | UL_CV_FUSED_UP | UL_CV_POST_NORMS | UL_CV_HEAD_DIM,
     .head_dim = 128, .rope_theta = 10000, .norm_eps = 1e-5, .keys = glm4_keys},
    {.classes = "GlmOcrForConditionalGeneration", .types = "glm_ocr", .name = "glm4",
     .upstream = "glm.py",
     .flags = UL_CV_QKV_BIAS_ASKED | UL_CV_FUSED_UP | UL_CV_POST_NORMS | UL_CV_HEAD_DIM,
     .head_dim = 128, .rope_theta = 10000, .norm_eps = 1e-5, .setup = ul_conv_keep_nextn,
     .keys = glm_ocr_keys, .layer = glm_ocr_layer},
    {.classes = "GlmForCausalLM ChatGLMModel ChatGLMForConditionalGeneration",
     .types = "glm chatglm", .name = "chatglm", .upstream = "chatglm.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_QKV | UL_CV_FUSED_UP | UL_CV_QKV_BIAS_ASKED,
     .setup = chatglm_setup, .keys = chatglm_keys},
    {.classes = "NemotronForCausalLM", .types = "nemotron", .name = "nemotron",
     .upstream = "nemotron.py", .flags = UL_CV_NORM_BIAS | UL_CV_NO_GATE | UL_CV_HEAD_DIM,
     .rope_theta = 10000, .keys = nemotron_keys},
    {.classes = "BitNetForCausalLM BitnetForCausalLM", .types = "bitnet", .name = "bitnet",
     .upstream = "bitnet.py", .flags = UL_CV_TIED, .rope_theta = 500000, .norm_eps = 1e-5,
     .keys = bitnet_keys, .layer = bitnet_layer},
    {.classes = "BaichuanForCausalLM BaiChuanForCausalLM", .types = "baichuan",
     .name = "baichuan", .upstream = "baichuan.py", .norm_eps = 1e-6,
     .setup = baichuan_setup, .keys = baichuan_keys},
    {.classes = "StableLmForCausalLM StableLMEpochForCausalLM LlavaStableLMEpochForCausalLM",
     .types = "stablelm stablelm_epoch", .name = "stablelm", .upstream = "stablelm.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NORM_BIAS | UL_CV_QKV_BIAS_ASKED, .keys = stablelm_keys},
    {.classes = "GptOssForCausalLM", .types = "gpt_oss", .name = "gpt-oss",
     .upstream = "gpt_oss.py",
     .flags = UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_SINKS | UL_CV_HEAD_DIM,
     .head_dim = 64, .rope_theta = 150000, .norm_eps = 1e-5, .setup = gpt_oss_setup,
     .keys = gpt_oss_keys, .layer = gpt_oss_layer},
    {.classes = "Qwen2ForCausalLM Qwen2Model Qwen2AudioForConditionalGeneration KORMoForCausalLM "
                "AudioFlamingo3ForConditionalGeneration DotsOCRForCausalLM",
     .types = "qwen2", .name = "qwen2", .upstream = "qwen.py", .flags = UL_CV_QKV_BIAS,
     .rope_theta = 10000, .norm_eps = 1e-6},
    {.classes = "Qwen2MoeForCausalLM", .types = "qwen2_moe", .name = "qwen2moe",
     .upstream = "qwen.py", .flags = UL_CV_QKV_BIAS, .rope_theta = 10000, .norm_eps = 1e-6,
     .setup = qwen2_moe_setup, .keys = qwen_moe_keys, .layer = qwen2_moe_layer},
    {.classes = "Qwen2VLForConditionalGeneration Qwen2VLModel Qwen2_5_VLForConditionalGeneration "
                "Qwen2_5OmniModel",
     .types = "qwen2_vl qwen2_5_vl", .name = "qwen2vl", .upstream = "qwenvl.py",
     .flags = UL_CV_QKV_BIAS, .rope_theta = 1e6, .norm_eps = 1e-5},
    {.classes = "Qwen3ForCausalLM Qwen3Model StepVLForConditionalGeneration", .types = "qwen3",
     .name = "qwen3", .upstream = "qwen.py",
     .flags = UL_CV_QK_NORM | UL_CV_HEAD_DIM | UL_CV_BIAS_ASKED, .head_dim = 128, .rope_theta = 10000, .norm_eps = 1e-6},
    {.classes = "Qwen3MoeForCausalLM", .types = "qwen3_moe", .name = "qwen3moe",
     .upstream = "qwen.py", .flags = UL_CV_QK_NORM | UL_CV_BIAS_ASKED, .rope_theta = 10000,
     .norm_eps = 1e-6, .keys = qwen_moe_keys},
    {.classes = "Qwen3VLForConditionalGeneration", .types = "qwen3_vl", .name = "qwen3vl",
     .upstream = "qwen3vl.py", .flags = UL_CV_QK_NORM | UL_CV_HEAD_DIM, .head_dim = 128,
     .rope_theta = 5000000, .norm_eps = 1e-6, .keys = qwen3vl_keys, 
     .defaults = UL_CV_DEFAULTS("rope_scaling": {"mrope_section": [24, 20, 20]})},
    {.classes = "Qwen3VLMoeForConditionalGeneration", .types = "qwen3_vl_moe",
     .name = "qwen3vlmoe", .upstream = "qwen3vl.py", .flags = UL_CV_QK_NORM | UL_CV_HEAD_DIM,
     .head_dim = 128, .rope_theta = 5000000, .norm_eps = 1e-6, .keys = qwen3vl_keys},
    {.classes = "Qwen3ASRForConditionalGeneration", .types = "qwen3_asr", .name = "qwen3vl",
     .upstream = "qwen3vl.py", .flags = UL_CV_QK_NORM | UL_CV_HEAD_DIM, .head_dim = 128,
     .rope_theta = 5000000, .norm_eps = 1e-6, .keys = qwen3asr_keys},
    {.classes = "Qwen3OmniMoeForConditionalGeneration", .types = "qwen3_omni_moe",
     .name = "qwen3vlmoe", .upstream = "qwen3vl.py", .flags = UL_CV_QK_NORM | UL_CV_HEAD_DIM,
     .head_dim = 128, .rope_theta = 5000000, .norm_eps = 1e-6, .keys = qwen3asr_keys},
    {.classes = NULL},
};
