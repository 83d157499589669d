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

/* The OCR models have ordinary attention under this class, and their own architecture. */
static bool is_ocr(struct ul_conv *c)
{
    const struct ul_jvalue *v = ul_jitem(ul_jget(c->root, "architectures"), 0);
    return v != NULL && v->kind == UL_J_STRING &&
           (ul_str_is(v->s, "DeepseekOCRForCausalLM") ||
            ul_str_is(v->s, "DeepseekOCR2ForCausalLM") ||
            ul_str_is(v->s, "UnlimitedOCRForCausalLM"));
}

static void latent_setup(struct ul_conv *c)
{
    if (is_ocr(c))
        ul_conv_unknown(c, "no conversion is known for DeepSeek's OCR models");
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
    ul_conv_keep_nextn(c);
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

/* Which layers have an indexer of their own: by name, or all when the configuration does not
 * say. */
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

/* ------------------------------------------------------------------ DeepSeek V4
 *
 * One key and value head, a window in every layer, keys compressed 4 or 128 to 1 beside it, several
 * residual streams (hyper-connections), the first layers' experts chosen by the token's number.
 * Source: conversion/deepseek.py: DeepseekV4Model; the checkpoint's own tensors are FP8 where a
 * scale lies beside them, and come out as Q8_0, its experts as MXFP4. */

static uint64_t v4_ratio(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_item(c, "compress_ratios", i, 0);
}

static void deepseek4_setup(struct ul_conv *c)
{
    struct ul_str experts = ul_cfg_s(c, "expert_dtype");
    if (experts.n > 0 && !ul_str_is(experts, "fp4"))
        ul_conv_unknown(c, "llama.cpp converts DeepSeek V4 only with its own FP4 experts");
    c->n_ff_exp = ul_cfg_need(c, "moe_intermediate_size");
    c->n_ff_shexp = ul_cfg_need(c, "n_shared_experts") * c->n_ff_exp;
    c->head = ul_cfg_need(c, "head_dim");
}

static void v4_clamp(struct ul_conv *c, const char *name)
{
    double *v = UL_NEWS(c->a, double, c->n_layer + 1);
    for (uint64_t i = 0; i < c->n_layer; i++)
        v[i] = ul_cfg_f(c, "swiglu_limit", 0);
    ul_kv_f32s(c, name, c->n_layer, v);
}

static void deepseek4_keys(struct ul_conv *c)
{
    static const struct {
        const char *key, *cfg;
    } copied[] = {{"rope.dimension_count", "qk_rope_head_dim"},
                  {"attention.q_lora_rank", "q_lora_rank"},
                  {"attention.sliding_window", "sliding_window"},
                  {"expert_feed_forward_length", "moe_intermediate_size"},
                  {"expert_shared_count", "n_shared_experts"},
                  {"attention.indexer.head_count", "index_n_heads"},
                  {"attention.indexer.key_length", "index_head_dim"},
                  {"attention.indexer.top_k", "index_topk"},
                  {"attention.output_group_count", "o_groups"},
                  {"attention.output_lora_rank", "o_lora_rank"},
                  {"hyper_connection.count", "hc_mult"},
                  {"hyper_connection.sinkhorn_iterations", "hc_sinkhorn_iters"},
                  {"hash_layer_count", "num_hash_layers"}};
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        ul_kv_u32(c, copied[i].key, ul_cfg_need(c, copied[i].cfg));
    ul_kv_f32(c, "expert_weights_scale", ul_cfg_need_f(c, "routed_scaling_factor"));
    ul_kv_bool(c, "expert_weights_norm", ul_cfg_b(c, "norm_topk_prob", false));
    v4_clamp(c, "swiglu_clamp_exp");
    v4_clamp(c, "swiglu_clamp_shexp");
    ul_kv_copy_u32s(c, "attention.compress_ratios", "compress_ratios");
    ul_kv_f32(c, "attention.compress_rope_freq_base", ul_cfg_need_f(c, "compress_rope_theta"));
    ul_kv_f32(c, "hyper_connection.epsilon", ul_cfg_need_f(c, "hc_eps"));
    ul_kv_u32(c, "embedding_length_out", c->n_embd * ul_cfg_need(c, "hc_mult"));
}

/* A matrix that the checkpoint has in FP8. */
static void v4_fp8(struct ul_conv *c, const char *name, uint64_t in, uint64_t out)
{
    ul_t2(c, name, in, out);
    ul_as(c, UL_Q8_0);
}

/* One that it has in 32 bits. */
static void v4_f32(struct ul_conv *c, const char *name, uint64_t in, uint64_t out)
{
    ul_t2(c, name, in, out);
    ul_as(c, UL_F32);
}

static void v4_compressor(struct ul_conv *c, const char *prefix, uint64_t width, uint64_t ratio)
{
    uint64_t all = ratio == 4 ? 2 * width : width; /* overlapping windows where 4 become 1 */
    v4_f32(c, ul_format(c->a, "%s_compressor_ape.weight", prefix), all, ratio);
    ul_t2(c, ul_format(c->a, "%s_compressor_gate.weight", prefix), c->n_embd, all);
    ul_t2(c, ul_format(c->a, "%s_compressor_kv.weight", prefix), c->n_embd, all);
    ul_t1(c, ul_format(c->a, "%s_compressor_norm.weight", prefix), width);
}

static void v4_attention(struct ul_conv *c)
{
    uint64_t rank = q_rank(c), q = c->n_head * c->head, groups = ul_cfg_need(c, "o_groups");
    uint64_t out_rank = ul_cfg_need(c, "o_lora_rank"), ratio = v4_ratio(c, (uint64_t)c->il);
    ul_norm(c, "attn_norm", c->n_embd);
    ul_t1(c, "attn_sinks.weight", c->n_head);
    v4_fp8(c, "attn_q_a.weight", c->n_embd, rank);
    ul_norm(c, "attn_q_a_norm", rank);
    v4_fp8(c, "attn_q_b.weight", rank, q);
    v4_fp8(c, "attn_kv.weight", c->n_embd, c->head);
    ul_norm(c, "attn_kv_a_norm", c->head);
    v4_fp8(c, "attn_output_a.weight", groups ? q / groups : 0, groups * out_rank);
    v4_fp8(c, "attn_output_b.weight", groups * out_rank, c->n_embd);
    if (ratio == 0)
        return;
    v4_compressor(c, "attn", c->head, ratio);
    if (ratio != 4)
        return;
    v4_fp8(c, "indexer.attn_q_b.weight", rank,
           ul_cfg_need(c, "index_n_heads") * ul_cfg_need(c, "index_head_dim"));
    ul_t2(c, "indexer.proj.weight", c->n_embd, ul_cfg_need(c, "index_n_heads"));
    ul_as(c, c->type);
    v4_compressor(c, "indexer", ul_cfg_need(c, "index_head_dim"), ratio);
}

static void v4_streams(struct ul_conv *c, const char *where)
{
    uint64_t n = ul_cfg_need(c, "hc_mult"), mix = (2 + n) * n;
    v4_f32(c, ul_format(c->a, "hc_%s_fn.weight", where), n * c->n_embd, mix);
    ul_t1(c, ul_format(c->a, "hc_%s_base.weight", where), mix);
    ul_t1(c, ul_format(c->a, "hc_%s_scale.weight", where), 3);
}

static void v4_expert(struct ul_conv *c, const char *part, uint64_t in, uint64_t out,
                      uint64_t in_shared, uint64_t out_shared)
{
    ul_t3(c, ul_format(c->a, "%s_exps.weight", part), in, out, c->n_expert);
    ul_as(c, UL_MXFP4);
    v4_fp8(c, ul_format(c->a, "%s_shexp.weight", part), in_shared, out_shared);
}

static void deepseek4_layer(struct ul_conv *c)
{
    v4_attention(c);
    v4_streams(c, "attn");
    v4_streams(c, "ffn");
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_t2(c, "ffn_gate_inp.weight", c->n_embd, c->n_expert);
    ul_as(c, c->type);
    if ((uint64_t)c->il < ul_cfg_u(c, "num_hash_layers", 0)) {
        ul_t2(c, "ffn_gate_tid2eid.weight", ul_cfg_need(c, "num_experts_per_tok"), c->n_vocab);
        ul_as(c, UL_I32);
    } else {
        ul_t1(c, "exp_probs_b.bias", c->n_expert);
    }
    v4_expert(c, "ffn_gate", c->n_embd, c->n_ff_exp, c->n_embd, c->n_ff_shexp);
    v4_expert(c, "ffn_up", c->n_embd, c->n_ff_exp, c->n_embd, c->n_ff_shexp);
    v4_expert(c, "ffn_down", c->n_ff_exp, c->n_embd, c->n_ff_shexp, c->n_embd);
}

static void deepseek4_rest(struct ul_conv *c)
{
    uint64_t n = ul_cfg_need(c, "hc_mult");
    v4_f32(c, "output_hc_fn.weight", n * c->n_embd, n);
    ul_t1(c, "output_hc_base.weight", n);
    ul_t1(c, "output_hc_scale.weight", 1);
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

/* Delta attention as far as its kinds agree: projections, convolutions, decay. */
static void delta_common(struct ul_conv *c, uint64_t dim, uint64_t all, uint64_t kernel)
{
    static const char *const conv[] = {"ssm_conv1d_q.weight", "ssm_conv1d_k.weight",
                                       "ssm_conv1d_v.weight"};
    ul_norm(c, "attn_norm", c->n_embd);
    ul_t2(c, "attn_q.weight", c->n_embd, all);
    ul_t2(c, "attn_k.weight", c->n_embd, all);
    ul_t2(c, "attn_v.weight", c->n_embd, all);
    ul_t2(c, "attn_output.weight", all, c->n_embd);
    for (int i = 0; i < 3; i++)
        ul_t3(c, conv[i], kernel, 1, all);
    ul_t2(c, "ssm_beta.weight", c->n_embd, dim != 0 ? all / dim : 0);
    ul_t1(c, "ssm_dt.bias", all);
    ul_t1(c, "ssm_norm.weight", dim);
}

static void kimi_delta(struct ul_conv *c)
{
    const struct ul_jvalue *linear = ul_cfg(c, "linear_attn_config");
    uint64_t dim = (uint64_t)ul_jint(linear, "head_dim", 128);
    uint64_t heads = (uint64_t)ul_jint(linear, "num_heads", (int64_t)c->n_head), all = heads * dim;
    delta_common(c, dim, all, (uint64_t)ul_jint(linear, "short_conv_kernel_size", 4));
    ul_t2(c, "ssm_a", 1, heads);
    ul_t2(c, "ssm_f_a.weight", c->n_embd, dim);
    ul_t2(c, "ssm_f_b.weight", dim, all);
    ul_t2(c, "ssm_g_a.weight", c->n_embd, dim);
    ul_t2(c, "ssm_g_b.weight", dim, all);
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

/* Kimi K3: the same two kinds of layers with gates, residuals across layers, and experts that work
 * in a narrower space. Source: conversion/kimi_k3.py. */
static bool k3_packed(struct ul_conv *c)
{
    const struct ul_jvalue *q = ul_cfg(c, "quantization_config");
    return ul_str_is(ul_jstr(q, "quant_method", ""), "compressed-tensors") &&
           ul_str_is(ul_jstr(q, "format", ""), "mxfp4-pack-quantized");
}

static void kimi_k3_keys(struct ul_conv *c)
{
    const struct ul_jvalue *linear = ul_cfg(c, "linear_attn_config");
    latent_keys(c);
    ul_kv_drop(c, "rope.scaling.yarn_log_multiplier");
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, kimi_heads_kv);
    ul_kv_u32(c, "ssm.conv_kernel", (uint64_t)ul_jint(linear, "short_conv_kernel_size", 4));
    ul_kv_u32(c, "kda.head_dim", (uint64_t)ul_jint(linear, "head_dim", 128));
    if (ul_jget(linear, "gate_lower_bound") != NULL)
        ul_kv_f32(c, "kda.gate_lower_bound", ul_jreal(linear, "gate_lower_bound", 0));
    ul_kv_u32(c, "expert_shared_count", ul_cfg_need(c, "num_shared_experts"));
    ul_kv_bool(c, "expert_weights_norm", ul_cfg_b(c, "moe_renormalize", false));
    ul_kv_copy_u32(c, "expert_latent_length", "routed_expert_hidden_size");
    ul_kv_f32(c, "activation.situ_beta", ul_cfg_need_f(c, "activation_situ_beta"));
    ul_kv_f32(c, "activation.situ_linear_beta", ul_cfg_need_f(c, "activation_situ_linear_beta"));
    ul_kv_u32(c, "attn_res.block_size", ul_cfg_need(c, "attn_res_block_size"));
}

static void k3_delta(struct ul_conv *c)
{
    const struct ul_jvalue *linear = ul_cfg(c, "linear_attn_config");
    uint64_t dim = (uint64_t)ul_jint(linear, "head_dim", 128), all = c->n_head * dim;
    delta_common(c, dim, all, (uint64_t)ul_jint(linear, "short_conv_kernel_size", 4));
    ul_t1(c, "ssm_a", c->n_head);
    ul_t2(c, "ssm_f_a.weight", c->n_embd, dim);
    ul_t2(c, "ssm_f_b.weight", dim, all);
    ul_t2(c, "ssm_g.weight", c->n_embd, all);
}

static void k3_experts(struct ul_conv *c)
{
    static const char *const parts[] = {"ffn_gate_exps.weight", "ffn_up_exps.weight",
                                        "ffn_down_exps.weight"};
    uint64_t latent = ul_cfg_u(c, "routed_expert_hidden_size", 0);
    uint64_t width = latent != 0 ? latent : c->n_embd;
    ul_t2(c, "ffn_gate_inp.weight", c->n_embd, c->n_expert);
    ul_t1(c, "exp_probs_b.bias", c->n_expert);
    for (int i = 0; i < 3; i++) {
        ul_t3(c, parts[i], i < 2 ? width : c->n_ff_exp, i < 2 ? c->n_ff_exp : width, c->n_expert);
        if (k3_packed(c))
            ul_as(c, UL_MXFP4);
    }
    ul_t2(c, "ffn_gate_shexp.weight", c->n_embd, c->n_ff_shexp);
    ul_t2(c, "ffn_up_shexp.weight", c->n_embd, c->n_ff_shexp);
    ul_t2(c, "ffn_down_shexp.weight", c->n_ff_shexp, c->n_embd);
    if (latent == 0)
        return;
    ul_t2(c, "ffn_routed_down.weight", c->n_embd, latent);
    ul_t2(c, "ffn_routed_up.weight", latent, c->n_embd);
    if (ul_cfg_b(c, "latent_moe_use_norm", false))
        ul_t1(c, "ffn_routed_norm.weight", latent);
}

static void kimi_k3_layer(struct ul_conv *c)
{
    if (kimi_full(c, (uint64_t)c->il)) {
        latent_attention(c);
        if (ul_cfg_b(c, "mla_use_output_gate", false))
            ul_t2(c, "attn_gate.weight", c->n_embd, c->n_head * v_dim(c));
    } else {
        k3_delta(c);
    }
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_t1(c, "attn_res_score.weight", c->n_embd);
    ul_t1(c, "ffn_res_score.weight", c->n_embd);
    if (c->n_expert > 0 && (uint64_t)c->il >= c->dense_lead)
        k3_experts(c);
    else
        ul_conv_ffn(c, c->n_ff);
}

static void kimi_k3_rest(struct ul_conv *c) { ul_t1(c, "output_res_score.weight", c->n_embd); }

/* Ling 3: delta attention without low ranks, one layer with a latent at the end of each group, a
 * gate a head. Source: conversion/bailingmoe3.py. */
static bool ling3_full(struct ul_conv *c, uint64_t i)
{
    uint64_t n = c->n_layer - c->n_nextn, group = ul_cfg_need(c, "layer_group_size");
    return group == 0 || i >= n || (i + 1) % group == 0 || i >= n / group * group;
}

static uint64_t ling3_heads_kv(struct ul_conv *c, uint64_t i) { return ling3_full(c, i) ? 1 : 0; }

static void ling3_setup(struct ul_conv *c)
{
    with_nextn(c);
    c->n_ff_shexp = ul_cfg_need(c, "moe_shared_expert_intermediate_size");
    if (!ul_cfg_b(c, "no_kda_lora", false) || !ul_cfg_b(c, "kda_safe_gate", false) ||
        !ul_str_is(ul_cfg_s(c, "gated_attention_proj_granularity_type"), "head_wise"))
        ul_conv_unknown(c, "llama.cpp converts only Ling 3 without low ranks in its "
                        "delta attention, with safe gates and a gate a head");
}

static void ling3_keys(struct ul_conv *c)
{
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, ling3_heads_kv);
    ul_kv_u32(c, "ssm.conv_kernel", ul_cfg_need(c, "short_conv_kernel_size"));
    ul_kv_u32(c, "kda.head_dim", ul_cfg_need(c, "head_dim"));
    ul_kv_bool(c, "kda.safe_gate", true);
    ul_kv_f32(c, "kda.gate_lower_bound", ul_cfg_need_f(c, "kda_lower_bound"));
    if (q_rank(c) > 0)
        ul_kv_u32(c, "attention.q_lora_rank", q_rank(c));
    ul_kv_u32(c, "attention.kv_lora_rank", kv_rank(c));
    ul_kv_u32(c, "rope.dimension_count", roped(c));
    ul_kv_u32(c, "attention.key_length", kv_rank(c) + roped(c));
    ul_kv_u32(c, "attention.key_length_mla", nope(c) + roped(c));
    ul_kv_u32(c, "attention.value_length_mla", v_dim(c));
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
    ul_kv_u32(c, "expert_shared_count", ul_cfg_need(c, "num_shared_experts"));
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_f32(c, "expert_weights_scale", ul_cfg_need_f(c, "routed_scaling_factor"));
    ul_kv_bool(c, "expert_weights_norm", ul_cfg_b(c, "norm_topk_prob", false));
    ul_kv_copy_f32s(c, "swiglu_clamp_exp", "expert_swiglu_limit_list");
    ul_kv_copy_f32s(c, "swiglu_clamp_shexp", "share_expert_swiglu_limit_list");
    if (c->n_nextn > 0)
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
}

static void ling3_layer(struct ul_conv *c)
{
    uint64_t dim = ul_cfg_need(c, "head_dim"), all = c->n_head * dim;
    if (ling3_full(c, (uint64_t)c->il)) {
        latent_attention(c);
        ul_t2(c, "attn_gate.weight", c->n_embd, c->n_head);
    } else {
        delta_common(c, dim, all, ul_cfg_need(c, "short_conv_kernel_size"));
        ul_t2(c, "ssm_a", 1, c->n_head);
        ul_t2(c, "ssm_f_a.weight", c->n_embd, all);
        ul_t2(c, "ssm_g_a.weight", c->n_embd, all);
    }
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn_or_experts(c);
    if (!ul_conv_is_nextn(c))
        return;
    ul_t2(c, "nextn.eh_proj.weight", 2 * c->n_embd, c->n_embd);
    ul_t1(c, "nextn.enorm.weight", c->n_embd);
    ul_t1(c, "nextn.hnorm.weight", c->n_embd);
    ul_t1(c, "layer_output_norm.weight", c->n_embd);
}

/* dots 3 note: two latents, the narrower one's layers see a window and have no indexer. Whether the
 * checkpoint has a layer that predicts further tokens only its tensors say. Source:
 * conversion/dots3.py: Dots3NoteModel. */
static uint64_t dots3_full(struct ul_conv *c, uint64_t i) { return !ul_conv_is_window(c, i); }

static uint64_t dots3_heads(struct ul_conv *c, uint64_t i)
{
    return ul_conv_is_window(c, i) ? ul_cfg_need(c, "swa_num_attention_heads") : c->n_head;
}

static void dots3_keys(struct ul_conv *c)
{
    uint64_t rank = ul_cfg_need(c, "swa_kv_lora_rank"),
             rot = ul_cfg_need(c, "swa_qk_rope_head_dim");
    indexer_keys(c);
    ul_kv_u32s(c, "attention.head_count", c->n_layer, dots3_heads);
    ul_kv_u32(c, "attention.sliding_window", ul_cfg_need(c, "sliding_window_size"));
    ul_kv_bools(c, "attention.sliding_window_pattern", c->n_layer, ul_conv_is_window);
    ul_kv_u32(c, "attention.kv_lora_rank_swa", rank);
    ul_kv_u32(c, "attention.key_length_swa", rank + rot);
    ul_kv_u32(c, "attention.value_length_swa", rank);
    ul_kv_u32(c, "attention.key_length_mla_swa", ul_cfg_need(c, "swa_qk_nope_head_dim") + rot);
    ul_kv_u32(c, "attention.value_length_mla_swa", ul_cfg_need(c, "swa_v_head_dim"));
    ul_kv_bools(c, "attention.indexer.types", c->n_layer, dots3_full);
}

static void dots3_layer(struct ul_conv *c)
{
    bool window = ul_conv_is_window(c, (uint64_t)c->il);
    uint64_t heads = dots3_heads(c, (uint64_t)c->il), rank = kv_rank(c), no = nope(c), v = v_dim(c);
    if (window) {
        rank = ul_cfg_need(c, "swa_kv_lora_rank");
        no = ul_cfg_need(c, "swa_qk_nope_head_dim");
        v = ul_cfg_need(c, "swa_v_head_dim");
    }
    ul_norm(c, "attn_norm", c->n_embd);
    ul_t2(c, "attn_q_a.weight", c->n_embd, q_rank(c));
    ul_norm(c, "attn_q_a_norm", q_rank(c));
    ul_t2(c, "attn_q_b.weight", q_rank(c), heads * (no + roped(c)));
    ul_t2(c, "attn_kv_a_mqa.weight", c->n_embd, rank + roped(c));
    ul_norm(c, "attn_kv_a_norm", rank);
    ul_norm(c, "attn_k_norm", roped(c));
    ul_t3(c, "attn_k_b.weight", no, rank, heads);
    ul_t3(c, "attn_v_b.weight", rank, v, heads);
    ul_t2(c, "attn_output.weight", heads * v, c->n_embd);
    ul_t2(c, "attn_gate.weight", c->n_embd, heads);
    if (!window)
        indexer(c);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn_or_experts(c);
}

/* PLM: a latent that is unpacked, and a feed-forward part without a gate. Source:
 * conversion/plm.py. */
static void plm_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "attention.kv_lora_rank", ul_cfg_need(c, "kv_lora_rank"));
    ul_kv_u32(c, "attention.key_length", nope(c) + roped(c));
    ul_kv_u32(c, "attention.value_length", v_dim(c));
    ul_kv_u32(c, "rope.dimension_count", roped(c));
}

static void plm_layer(struct ul_conv *c)
{
    uint64_t rank = kv_rank(c);
    ul_norm(c, "attn_norm", c->n_embd);
    ul_t2(c, "attn_q.weight", c->n_embd, c->n_head * (nope(c) + roped(c)));
    ul_t2(c, "attn_kv_a_mqa.weight", c->n_embd, rank + roped(c));
    ul_norm(c, "attn_kv_a_norm", rank);
    ul_t2(c, "attn_kv_b.weight", rank, c->n_head * (nope(c) + v_dim(c)));
    ul_t2(c, "attn_output.weight", c->n_head * v_dim(c), c->n_embd);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn(c, c->n_ff);
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
    {.classes = "YoutuForCausalLM YoutuVLForConditionalGeneration", .types = "youtu youtu_vl",
     .name = "deepseek2", .upstream = "deepseek.py", .setup = latent_setup,
     .keys = latent_keys, .layer = latent_layer},
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
    {.classes = "DeepseekV4ForCausalLM", .types = "deepseek_v4", .name = "deepseek4",
     .upstream = "deepseek.py", .setup = deepseek4_setup, .keys = deepseek4_keys,
     .layer = deepseek4_layer, .rest = deepseek4_rest},
    {.classes = "KimiK3ForConditionalGeneration", .types = "kimi_k3", .name = "kimi-k3",
     .upstream = "kimi_k3.py", .setup = latent_setup, .keys = kimi_k3_keys,
     .layer = kimi_k3_layer, .rest = kimi_k3_rest},
    {.classes = "BailingMoeV3ForCausalLM", .types = "bailing_moe_v3", .name = "bailingmoe3",
     .upstream = "bailingmoe3.py", .flags = UL_CV_GATE_EXP_PROBS, .setup = ling3_setup,
     .keys = ling3_keys, .layer = ling3_layer},
    {.classes = "Dots3NoteForCausalLM Dots3NoteForConditionalGeneration Dots3NoteTextForCausalLM",
     .types = "dots3_note", .name = "dots3note", .upstream = "dots3.py",
     .flags = UL_CV_GATE_EXP_PROBS, .setup = latent_setup, .keys = dots3_keys,
     .layer = dots3_layer},
    {.classes = "PLMForCausalLM", .types = "plm", .name = "plm", .upstream = "plm.py",
     .flags = UL_CV_TIED_ALWAYS | UL_CV_NO_GATE, .keys = plm_keys, .layer = plm_layer},
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
