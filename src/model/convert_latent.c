/* Rows of models whose attention keeps one compressed latent a token (MLA): DeepSeek V2 and V3 and
 * what was made after them. The converter turns it into attention with one key head, so that the
 * latent is the cache, and splits kv_b into its two halves. Source: conversion/deepseek.py. */
#include "model/convert.h"

static uint64_t q_rank(struct ul_conv *c) { return ul_cfg_u(c, "q_lora_rank|n_lora_q", 0); }
static uint64_t kv_rank(struct ul_conv *c) { return ul_cfg_u(c, "kv_lora_rank|n_lora_kv", 512); }
static uint64_t nope(struct ul_conv *c) { return ul_cfg_need(c, "qk_nope_head_dim"); }
static uint64_t roped(struct ul_conv *c) { return ul_cfg_need(c, "qk_rope_head_dim|n_rot"); }
static uint64_t v_dim(struct ul_conv *c) { return ul_cfg_need(c, "v_head_dim"); }

static bool has_experts(struct ul_conv *c) { return c->n_expert > 0; }

static void latent_setup(struct ul_conv *c)
{
    c->n_ff_exp = ul_cfg_u(c, "moe_intermediate_size|intermediate_size", 0);
    c->n_ff_shexp = ul_cfg_u(c, "n_shared_experts|num_shared_experts", 0) * c->n_ff_exp;
    c->dense_lead = ul_cfg_u(c, "first_k_dense_replace", has_experts(c) ? 0 : c->n_layer);
    c->n_head_kv = 1;
    struct ul_str method = ul_cfg_s(c, "topk_method");
    if (method.n > 0 && !ul_str_is(method, "noaux_tc"))
        c->flags &= ~(unsigned)UL_CV_GATE_EXP_PROBS;
}

/* The layers that predict further tokens are kept. */
static void with_nextn(struct ul_conv *c)
{
    latent_setup(c);
    c->n_nextn = ul_cfg_u(c, "num_nextn_predict_layers", 0);
    c->n_layer += c->n_nextn;
}

static void latent_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "attention.head_count_kv", 1);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, "rms_norm_eps", 1e-6));
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    if (q_rank(c) > 0)
        ul_kv_u32(c, "attention.q_lora_rank", q_rank(c));
    ul_kv_u32(c, "attention.kv_lora_rank", kv_rank(c));
    ul_kv_u32(c, "attention.key_length", kv_rank(c) + roped(c));
    ul_kv_u32(c, "attention.value_length", kv_rank(c));
    ul_kv_u32(c, "attention.key_length_mla", nope(c) + roped(c));
    ul_kv_u32(c, "attention.value_length_mla", v_dim(c));
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "expert_shared_count", ul_cfg_u(c, "n_shared_experts", 0));
    ul_kv_copy_f32(c, "expert_weights_scale", "routed_scaling_factor");
    if (ul_cfg_b(c, "norm_topk_prob", false))
        ul_kv_bool(c, "expert_weights_norm", true);
    ul_kv_u32(c, "rope.dimension_count", roped(c));
    if (ul_jget(c->rope, "mscale_all_dim") != NULL)
        ul_kv_f32(c, "rope.scaling.yarn_log_multiplier",
                  0.1 * ul_jreal(c->rope, "mscale_all_dim", 0));
    if (c->n_nextn > 0)
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
}

static void latent_attention(struct ul_conv *c)
{
    uint64_t q = c->n_head * (nope(c) + roped(c)), rank = kv_rank(c);
    ul_norm(c, "attn_norm", c->n_embd);
    if (q_rank(c) > 0) {
        ul_t2(c, "attn_q_a.weight", c->n_embd, q_rank(c));
        ul_norm(c, "attn_q_a_norm", q_rank(c));
        ul_t2(c, "attn_q_b.weight", q_rank(c), q);
    } else {
        ul_t2(c, "attn_q.weight", c->n_embd, q);
    }
    ul_t2(c, "attn_kv_a_mqa.weight", c->n_embd, rank + roped(c));
    ul_norm(c, "attn_kv_a_norm", rank);
    ul_t3(c, "attn_k_b.weight", nope(c), rank, c->n_head);
    ul_t3(c, "attn_v_b.weight", rank, v_dim(c), c->n_head);
    ul_t2(c, "attn_output.weight", c->n_head * v_dim(c), c->n_embd);
}

static void latent_layer(struct ul_conv *c)
{
    latent_attention(c);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn_or_experts(c);
}

/* ------------------------------------------------------------------ with an indexer (DSA) */

static void indexer_keys(struct ul_conv *c)
{
    latent_keys(c);
    ul_kv_u32(c, "attention.indexer.head_count", ul_cfg_need(c, "index_n_heads"));
    ul_kv_u32(c, "attention.indexer.key_length", ul_cfg_need(c, "index_head_dim"));
    ul_kv_u32(c, "attention.indexer.top_k", ul_cfg_need(c, "index_topk"));
}

static void indexer(struct ul_conv *c)
{
    uint64_t heads = ul_cfg_need(c, "index_n_heads"), dim = ul_cfg_need(c, "index_head_dim");
    ul_t2(c, "indexer.attn_k.weight", c->n_embd, dim);
    ul_t2(c, "indexer.attn_q_b.weight", q_rank(c), heads * dim);
    ul_t1(c, "indexer.k_norm.weight", dim);
    ul_t1(c, "indexer.k_norm.bias", dim);
    ul_t2(c, "indexer.proj.weight", c->n_embd, heads);
}

static void deepseek32_layer(struct ul_conv *c)
{
    latent_layer(c);
    indexer(c);
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, true);
}

/* Which layers have an indexer of their own: by name, or all when the configuration does not say. */
static uint64_t indexer_full(struct ul_conv *c, uint64_t i)
{
    if (ul_cfg_has(c, "indexer_types") && i < c->n_layer - c->n_nextn)
        return ul_cfg_item_is(c, "indexer_types", i, "full");
    return 1;
}

static uint64_t glm_layers_typed(struct ul_conv *c)
{
    return ul_cfg_has(c, "indexer_types") ? ul_cfg(c, "indexer_types")->n
                                          : c->n_layer - c->n_nextn;
}

static void glm_dsa_keys(struct ul_conv *c)
{
    indexer_keys(c);
    ul_kv_u32(c, "rope.dimension_count", (uint64_t)((double)roped(c) *
              ul_jreal(c->rope, "partial_rotary_factor", ul_cfg_f(c, "partial_rotary_factor", 1))));
    ul_kv_bools(c, "attention.indexer.types", glm_layers_typed(c), indexer_full);
}

static void glm_dsa_layer(struct ul_conv *c)
{
    latent_layer(c);
    if (indexer_full(c, (uint64_t)c->il))
        indexer(c);
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, true);
}

/* ------------------------------------------------------------------ kin */

/* Its prediction layer is counted, and none of that layer's own tensors are there. */
static void glm_lite_layer(struct ul_conv *c) { latent_layer(c); }

/* Kimi Linear: three layers of delta attention, then one with a latent. Source:
 * conversion/kimi_linear.py. */
static bool kimi_full(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *full = ul_jget(ul_cfg(c, "linear_attn_config"), "full_attn_layers");
    for (const struct ul_jvalue *v = full != NULL ? full->first : NULL; v != NULL; v = v->next)
        if (v->i == (int64_t)i + 1)
            return true;
    return false;
}

static uint64_t kimi_heads_kv(struct ul_conv *c, uint64_t i) { return kimi_full(c, i) ? 1 : 0; }

static void kimi_linear_keys(struct ul_conv *c)
{
    const struct ul_jvalue *linear = ul_cfg(c, "linear_attn_config");
    uint64_t head_dim = ul_cfg_u(c, "head_dim", 0);
    latent_keys(c);
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, kimi_heads_kv);
    ul_kv_u32(c, "ssm.conv_kernel", (uint64_t)ul_jint(linear, "short_conv_kernel_size", 4));
    ul_kv_u32(c, "kda.head_dim", (uint64_t)ul_jint(linear, "head_dim", 128));
    ul_kv_u32(c, "expert_shared_count", ul_cfg_u(c, "num_shared_experts", 0));
    ul_kv_drop(c, "expert_weights_norm");
    if (head_dim != 0) /* written with the usual keys, and not corrected after */
        ul_kv_u32(c, "attention.value_length", head_dim);
}

static void kimi_delta(struct ul_conv *c)
{
    static const char *const conv[] = {"ssm_conv1d_q.weight", "ssm_conv1d_k.weight",
                                       "ssm_conv1d_v.weight"};
    const struct ul_jvalue *linear = ul_cfg(c, "linear_attn_config");
    uint64_t dim = (uint64_t)ul_jint(linear, "head_dim", 128);
    uint64_t heads = (uint64_t)ul_jint(linear, "num_heads", (int64_t)c->n_head), all = heads * dim;
    uint64_t kernel = (uint64_t)ul_jint(linear, "short_conv_kernel_size", 4);
    ul_norm(c, "attn_norm", c->n_embd);
    ul_t2(c, "attn_q.weight", c->n_embd, all);
    ul_t2(c, "attn_k.weight", c->n_embd, all);
    ul_t2(c, "attn_v.weight", c->n_embd, all);
    ul_t2(c, "attn_output.weight", all, c->n_embd);
    for (int i = 0; i < 3; i++)
        ul_t3(c, conv[i], kernel, 1, all);
    ul_t2(c, "ssm_a", 1, heads);
    ul_t2(c, "ssm_beta.weight", c->n_embd, heads);
    ul_t1(c, "ssm_dt.bias", all);
    ul_t2(c, "ssm_f_a.weight", c->n_embd, dim);
    ul_t2(c, "ssm_f_b.weight", dim, all);
    ul_t2(c, "ssm_g_a.weight", c->n_embd, dim);
    ul_t2(c, "ssm_g_b.weight", dim, all);
    ul_t1(c, "ssm_norm.weight", dim);
}

static void kimi_linear_layer(struct ul_conv *c)
{
    if (kimi_full(c, (uint64_t)c->il))
        latent_attention(c);
    else
        kimi_delta(c);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn_or_experts(c);
}

/* MiniCPM 3: a latent that is unpacked again, so keys and values are ordinary ones. Source:
 * conversion/minicpm.py: MiniCPM3Model. */
static void minicpm3_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "attention.q_lora_rank", q_rank(c));
    ul_kv_u32(c, "attention.kv_lora_rank", kv_rank(c));
    ul_kv_u32(c, "attention.key_length", nope(c) + roped(c));
    ul_kv_u32(c, "rope.dimension_count", roped(c));
    ul_kv_drop(c, "attention.value_length");
}

static void minicpm3_layer(struct ul_conv *c)
{
    uint64_t head = nope(c) + roped(c), v = c->share;
    ul_norm(c, "attn_norm", c->n_embd);
    ul_t2(c, "attn_q_a.weight", c->n_embd, q_rank(c));
    ul_norm(c, "attn_q_a_norm", q_rank(c));
    ul_t2(c, "attn_q_b.weight", q_rank(c), c->n_head * head);
    ul_t2(c, "attn_kv_a_mqa.weight", c->n_embd, kv_rank(c) + roped(c));
    ul_norm(c, "attn_kv_a_norm", kv_rank(c));
    ul_t2(c, "attn_kv_b.weight", kv_rank(c), c->n_head * (nope(c) + v));
    ul_t2(c, "attn_output.weight", c->n_head * v, c->n_embd);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn(c, c->n_ff);
}

static void minicpm3_rest(struct ul_conv *c)
{
    if (ul_jget(ul_cfg_rope(c), "long_factor") == NULL)
        return;
    ul_t1(c, "rope_factors_long.weight", roped(c) / 2);
    ul_t1(c, "rope_factors_short.weight", roped(c) / 2);
}

/* What transformers' DeepseekV3Config and DeepseekV2Config fill in. */
#define V3 UL_CV_DEFAULTS("max_position_embeddings": 4096, "n_group": 8, "topk_group": 4, \
    "routed_scaling_factor": 2.5, "norm_topk_prob": true, "rope_theta": 10000, \
    "rms_norm_eps": 1e-6, "first_k_dense_replace": 3, "num_experts_per_tok": 8)
#define V2 UL_CV_DEFAULTS("max_position_embeddings": 2048, "rope_theta": 10000, \
    "rms_norm_eps": 1e-6, "topk_method": "greedy")

const struct ul_conv_row ul_conv_rows_latent[] = {
    {.classes = "DeepseekV2ForCausalLM", .types = "deepseek_v2", .name = "deepseek2",
     .upstream = "deepseek.py", .flags = UL_CV_GATE_EXP_PROBS, .rope_theta = 10000,
     .defaults = V2, .setup = latent_setup, .keys = latent_keys, .layer = latent_layer},
    {.classes = "DeepseekV3ForCausalLM KimiVLForConditionalGeneration "
                "KimiK25ForConditionalGeneration",
     .types = "deepseek_v3 kimi_k2 kimi_k25", .name = "deepseek2", .upstream = "deepseek.py",
     .flags = UL_CV_GATE_EXP_PROBS, .defaults = V3, .setup = latent_setup, .keys = latent_keys,
     .layer = latent_layer},
    {.classes = "Glm4MoeLiteForCausalLM", .types = "glm4_moe_lite", .name = "deepseek2",
     .upstream = "glm.py", .flags = UL_CV_GATE_EXP_PROBS, .setup = with_nextn,
     .keys = latent_keys, .layer = glm_lite_layer},
    {.classes = "DeepseekV32ForCausalLM", .types = "deepseek_v32", .name = "deepseek32",
     .upstream = "deepseek.py", .flags = UL_CV_GATE_EXP_PROBS, .defaults = V3,
     .setup = with_nextn, .keys = indexer_keys, .layer = deepseek32_layer},
    {.classes = "GlmMoeDsaForCausalLM", .types = "glm_moe_dsa", .name = "glm-dsa",
     .upstream = "glm.py", .flags = UL_CV_GATE_EXP_PROBS, .setup = with_nextn,
     .keys = glm_dsa_keys, .layer = glm_dsa_layer},
    {.text_types = "mistral4", .classes = "Mistral3ForConditionalGeneration", .name = "mistral4",
     .upstream = "mistral3.py", .setup = latent_setup, .keys = latent_keys,
     .layer = latent_layer},
    {.classes = "KimiLinearForCausalLM KimiLinearModel", .types = "kimi_linear",
     .name = "kimi-linear", .upstream = "kimi_linear.py", .flags = UL_CV_GATE_EXP_PROBS,
     .setup = latent_setup, .keys = kimi_linear_keys, .layer = kimi_linear_layer},
    {.classes = "MiniCPM3ForCausalLM", .types = "minicpm3", .name = "minicpm3",
     .upstream = "minicpm.py", .flags = UL_CV_TIED, .rope_theta = 10000, .norm_eps = 1e-5,
     .keys = minicpm3_keys, .layer = minicpm3_layer, .rest = minicpm3_rest},
    {.classes = NULL},
};
