/* Rows of models that keep a state of fixed size in some layers or all: Mamba and its hybrids, gated
 * delta nets, short convolutions. */
#include "model/convert.h"

#include "base/size.h"

/* ------------------------------------------------------------------ Mamba: conversion/mamba.py */

static uint64_t mamba_inner(struct ul_conv *c)
{
    return ul_cfg_u(c, "intermediate_size|d_inner", 2 * c->n_embd);
}

static uint64_t mamba_state(struct ul_conv *c) { return ul_cfg_u(c, "state_size|d_state", 16); }
static uint64_t mamba_conv(struct ul_conv *c) { return ul_cfg_u(c, "conv_kernel|d_conv", 4); }

static uint64_t mamba_rank(struct ul_conv *c)
{
    return ul_cfg_u(c, "time_step_rank|dt_rank", (c->n_embd + 15) / 16);
}

static void mamba_setup(struct ul_conv *c)
{
    c->n_vocab = ul_pad(c->n_vocab, ul_max(ul_cfg_u(c, "pad_vocab_size_multiple", 8), 1));
}

static void mamba_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", 1u << 20);
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", 0);
    ul_kv_u32(c, "attention.head_count", 0);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "ssm.conv_kernel", mamba_conv(c));
    ul_kv_u32(c, "ssm.inner_size", mamba_inner(c));
    ul_kv_u32(c, "ssm.state_size", mamba_state(c));
    ul_kv_u32(c, "ssm.time_step_rank", mamba_rank(c));
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon",
              ul_cfg_f(c, "layer_norm_epsilon|rms_norm_eps", 1e-5));
    ul_kv_bool(c, "ssm.dt_b_c_rms", ul_str_is(ul_cfg_s(c, "model_type"), "falcon_mamba"));
}

/* The tensors of the first kind of Mamba. */
static void mamba1(struct ul_conv *c, uint64_t inner, uint64_t state, uint64_t conv, uint64_t rank)
{
    ul_t2(c, "ssm_in.weight", c->n_embd, 2 * inner);
    ul_t2(c, "ssm_conv1d.weight", conv, inner);
    ul_t1(c, "ssm_conv1d.bias", inner);
    ul_t2(c, "ssm_x.weight", inner, rank + 2 * state);
    ul_t2(c, "ssm_dt.weight", rank, inner);
    ul_t1(c, "ssm_dt.bias", inner);
    ul_t2(c, "ssm_a", state, inner);
    ul_t1(c, "ssm_d", inner);
    ul_t2(c, "ssm_out.weight", inner, c->n_embd);
}

static void mamba_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    mamba1(c, mamba_inner(c), mamba_state(c), mamba_conv(c), mamba_rank(c));
}

/* Mamba 2 and its kin: one scan over heads. */
struct mamba2 {
    uint64_t inner, state, groups, heads, conv;
    bool norm, proj_bias;
};

static void mamba2(struct ul_conv *c, const struct mamba2 *m)
{
    uint64_t channels = m->inner + 2 * m->groups * m->state;
    ul_linear(c, "ssm_in", c->n_embd, m->inner + channels + m->heads, m->proj_bias);
    ul_t2(c, "ssm_conv1d.weight", m->conv, channels);
    ul_t1(c, "ssm_conv1d.bias", channels);
    ul_t1(c, "ssm_dt.bias", m->heads);
    ul_t2(c, "ssm_a", 1, m->heads);
    ul_t2(c, "ssm_d", 1, m->heads);
    if (m->norm)
        ul_t2(c, "ssm_norm.weight", m->inner / (m->groups ? m->groups : 1), m->groups);
    ul_linear(c, "ssm_out", m->inner, c->n_embd, m->proj_bias);
}

static struct mamba2 mamba2_of(struct ul_conv *c)
{
    struct mamba2 m = {.norm = true};
    uint64_t head = ul_cfg_u(c, "mamba_d_head|head_dim", 64);
    m.inner = ul_cfg_u(c, "mamba_d_ssm|intermediate_size|d_inner",
                       ul_cfg_u(c, "mamba_expand|expand", 2) * c->n_embd);
    m.state = ul_cfg_u(c, "state_size|d_state|mamba_d_state", 128);
    m.groups = ul_cfg_u(c, "n_groups|mamba_n_groups", 1);
    m.conv = ul_cfg_u(c, "conv_kernel|d_conv|mamba_d_conv", 4);
    m.heads = head != 0 ? m.inner / head : 0;
    return m;
}

static void mamba2_setup(struct ul_conv *c)
{
    const struct ul_jvalue *attention = ul_cfg(c, "attn_layer_idx");
    if (attention != NULL && attention->n > 0)
        ul_conv_unknown(c, "llama.cpp knows no Mamba 2 with attention (attn_layer_idx)");
    c->n_vocab = ul_pad(c->n_vocab, ul_max(ul_cfg_u(c, "pad_vocab_size_multiple", 16), 1));
}

static void mamba2_common(struct ul_conv *c, const struct mamba2 *m)
{
    ul_kv_u32(c, "ssm.conv_kernel", m->conv);
    ul_kv_u32(c, "ssm.inner_size", m->inner);
    ul_kv_u32(c, "ssm.state_size", m->state);
    ul_kv_u32(c, "ssm.time_step_rank", m->heads);
    ul_kv_u32(c, "ssm.group_count", m->groups);
}

static void mamba2_keys(struct ul_conv *c)
{
    struct mamba2 m = mamba2_of(c);
    ul_kv_u32(c, "context_length", 1u << 20);
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", 0);
    ul_kv_u32(c, "attention.head_count", 0);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon",
              ul_cfg_f(c, "layer_norm_epsilon|rms_norm_eps", 1e-5));
    mamba2_common(c, &m);
}

static void mamba2_layer(struct ul_conv *c)
{
    struct mamba2 m = mamba2_of(c);
    ul_norm(c, "attn_norm", c->n_embd);
    mamba2(c, &m);
}

/* ------------------------------------------------------------------ Falcon H1: falcon_h1.py */

static void falcon_h1_keys(struct ul_conv *c)
{
    mamba2_keys(c);
    ul_kv_copy_u32(c, "context_length", "max_position_embeddings");
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_u32(c, "attention.key_length", c->head);
    ul_kv_u32(c, "attention.value_length", c->head);
    ul_kv_f32(c, "rope.freq_base",
              ul_jreal(c->rope, "rope_theta", ul_cfg_f(c, "rope_theta", 100000)));
}

static struct mamba2 falcon_h1_ssm(struct ul_conv *c)
{
    struct mamba2 m = mamba2_of(c);
    uint64_t head = ul_cfg_u(c, "mamba_d_head", 64);
    m.inner = ul_cfg_u(c, "mamba_d_ssm", ul_cfg_u(c, "mamba_n_heads", 0) * head);
    m.heads = head != 0 ? m.inner / head : 0;
    m.norm = ul_cfg_b(c, "mamba_rms_norm", false);
    return m;
}

static void falcon_h1_all_keys(struct ul_conv *c)
{
    struct mamba2 m = falcon_h1_ssm(c);
    falcon_h1_keys(c);
    mamba2_common(c, &m);
}

static void falcon_h1_layer(struct ul_conv *c)
{
    struct mamba2 m = falcon_h1_ssm(c);
    ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    mamba2(c, &m);
    ul_t1(c, "ffn_norm", c->n_embd); /* without ".weight": the name it is mapped to */
    ul_conv_ffn(c, c->n_ff);
}

/* ------------------------------------------------------------------ Jamba: jamba.py */

static bool jamba_attends(struct ul_conv *c, uint64_t i)
{
    uint64_t offset = ul_cfg_u(c, "attn_layer_offset", 4);
    uint64_t period = ul_max(ul_cfg_u(c, "attn_layer_period", 8), 1);
    return i >= offset && (i - offset) % period == 0;
}

static uint64_t jamba_heads_kv(struct ul_conv *c, uint64_t i)
{
    return jamba_attends(c, i) ? c->n_head_kv : 0;
}

static uint64_t jamba_inner(struct ul_conv *c) { return ul_cfg_u(c, "mamba_expand", 2) * c->n_embd; }
static uint64_t jamba_state(struct ul_conv *c) { return ul_cfg_u(c, "mamba_d_state", 16); }

static uint64_t jamba_rank(struct ul_conv *c)
{
    bool automatic = ul_str_is(ul_cfg_s(c, "mamba_dt_rank"), "auto");
    return automatic ? (c->n_embd + 15) / 16 : ul_cfg_u(c, "mamba_dt_rank", (c->n_embd + 15) / 16);
}

static void jamba_setup(struct ul_conv *c) { c->n_ff_exp = c->n_ff; }

static void jamba_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "max_position_embeddings|n_ctx"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", ul_cfg_need(c, "intermediate_size"));
    ul_kv_u32(c, "attention.head_count", ul_cfg_need(c, "num_attention_heads"));
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, jamba_heads_kv);
    ul_kv_u32(c, "ssm.conv_kernel", ul_cfg_u(c, "mamba_d_conv", 4));
    ul_kv_u32(c, "ssm.inner_size", jamba_inner(c));
    ul_kv_u32(c, "ssm.state_size", jamba_state(c));
    ul_kv_u32(c, "ssm.time_step_rank", jamba_rank(c));
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon",
              ul_cfg_f(c, "layer_norm_epsilon|rms_norm_eps", 1e-6));
    ul_kv_u32(c, "expert_count", c->n_expert);
    ul_kv_copy_u32(c, "expert_used_count", "num_experts_per_tok|num_experts_per_token");
}

static void jamba_layer(struct ul_conv *c)
{
    uint64_t il = (uint64_t)c->il, offset = ul_cfg_u(c, "expert_layer_offset", 1);
    uint64_t period = ul_max(ul_cfg_u(c, "expert_layer_period", 2), 1);
    ul_norm(c, "attn_norm", c->n_embd);
    if (jamba_attends(c, il)) {
        ul_conv_attention(c);
    } else {
        mamba1(c, jamba_inner(c), jamba_state(c), ul_cfg_u(c, "mamba_d_conv", 4), jamba_rank(c));
        ul_t1(c, "ssm_dt_norm.weight", jamba_rank(c));
        ul_t1(c, "ssm_b_norm.weight", jamba_state(c));
        ul_t1(c, "ssm_c_norm.weight", jamba_state(c));
    }
    ul_norm(c, "ffn_norm", c->n_embd);
    if (c->n_expert > 1 && il >= offset && (il - offset) % period == 0)
        ul_conv_experts(c);
    else
        ul_conv_ffn(c, c->n_ff);
}

/* ------------------------------------------------------------------ PLaMo 2: plamo.py */

static bool plamo2_attends(struct ul_conv *c, uint64_t i)
{
    uint64_t step = ul_max(ul_cfg_u(c, "mamba_step", 2), 1);
    if (!ul_cfg_b(c, "mamba_enabled", true))
        return true;
    return c->n_layer <= step / 2 ? i == c->n_layer - 1 : i % step == step / 2;
}

static uint64_t plamo2_heads(struct ul_conv *c, uint64_t i)
{
    return plamo2_attends(c, i) ? ul_cfg_u(c, "num_attention_heads", 32) : 0;
}

static uint64_t plamo2_heads_kv(struct ul_conv *c, uint64_t i)
{
    return plamo2_attends(c, i) ? ul_cfg_u(c, "num_key_value_heads", 4) : 0;
}

static uint64_t plamo2_scans(struct ul_conv *c) { return ul_cfg_u(c, "mamba_num_heads", 64); }

static void plamo2_setup(struct ul_conv *c)
{
    c->head = ul_cfg_u(c, "hidden_size_per_head", 128);
    c->n_ff = ul_cfg_u(c, "intermediate_size", 13312);
}

static void plamo2_keys(struct ul_conv *c)
{
    ul_kv_u32s(c, "attention.head_count", c->n_layer, plamo2_heads);
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, plamo2_heads_kv);
    ul_kv_u32(c, "context_length", ul_cfg_u(c, "max_position_embeddings", 2048));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "attention.key_length", c->head);
    ul_kv_u32(c, "attention.value_length", c->head);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, "rms_norm_eps", 1e-6));
    ul_kv_f32(c, "rope.freq_base",
              ul_jreal(c->rope, "rope_theta", ul_cfg_f(c, "rope_theta", 10000)));
    ul_kv_u32(c, "ssm.state_size", ul_cfg_u(c, "mamba_d_state", 64));
    ul_kv_u32(c, "ssm.conv_kernel", ul_cfg_u(c, "mamba_d_conv", 4));
    ul_kv_u32(c, "ssm.time_step_rank", plamo2_scans(c));
    ul_kv_u32(c, "ssm.inner_size", plamo2_scans(c) * c->head);
    ul_kv_u32(c, "ssm.group_count", 0);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
}

/* Its scan is the second Mamba's with the first one's projections; several norms have no ".weight". */
static void plamo2_scan(struct ul_conv *c)
{
    uint64_t heads = plamo2_scans(c), inner = heads * c->head, state = ul_cfg_u(c, "mamba_d_state", 64);
    uint64_t rank = ul_max(64, c->n_embd / 16);
    ul_t2(c, "ssm_in.weight", c->n_embd, 2 * inner);
    ul_t2(c, "ssm_conv1d.weight", ul_cfg_u(c, "mamba_d_conv", 4), inner);
    ul_t2(c, "ssm_x.weight", inner, rank + 2 * state);
    ul_t2(c, "ssm_dt.weight", rank, heads);
    ul_t1(c, "ssm_dt.bias", heads);
    ul_t1(c, "ssm_a", heads);
    ul_t1(c, "ssm_d", heads);
    ul_t2(c, "ssm_out.weight", inner, c->n_embd);
    ul_t1(c, "ssm_dt_norm", rank);
    ul_t1(c, "ssm_b_norm", state);
    ul_t1(c, "ssm_c_norm", state);
}

static void plamo2_layer(struct ul_conv *c)
{
    uint64_t q = plamo2_heads(c, (uint64_t)c->il), kv = plamo2_heads_kv(c, (uint64_t)c->il);
    ul_norm(c, "attn_norm", c->n_embd);
    if (plamo2_attends(c, (uint64_t)c->il)) {
        ul_t2(c, "attn_qkv.weight", c->n_embd, (q + 2 * kv) * c->head);
        ul_t2(c, "attn_q_norm.weight", c->head, q);
        ul_t2(c, "attn_k_norm.weight", c->head, kv);
        ul_t2(c, "attn_output.weight", q * c->head, c->n_embd);
    } else {
        plamo2_scan(c);
    }
    ul_t1(c, "post_attention_norm", c->n_embd);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn(c, c->n_ff);
    ul_t1(c, "post_ffw_norm", c->n_embd);
}

/* ------------------------------------------------------------------ Granite 4 and Bamba: granite.py */

/* Which layers attend: by name, by index, or one in a period. */
static bool granite_attends(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *indices = ul_cfg(c, "attn_layer_indices");
    uint64_t period = ul_cfg_u(c, "attn_layer_period", 0);
    if (ul_cfg_has(c, "layer_types|layers_block_type"))
        return ul_cfg_item_is(c, "layer_types|layers_block_type", i, "attention");
    for (const struct ul_jvalue *v = indices != NULL ? indices->first : NULL; v != NULL; v = v->next)
        if (v->i == (int64_t)i)
            return true;
    return indices == NULL && period != 0 && i % period == ul_cfg_u(c, "attn_layer_offset", 0);
}

static bool granite_no_ssm(struct ul_conv *c)
{
    for (uint64_t i = 0; i < c->n_layer; i++)
        if (!granite_attends(c, i))
            return false;
    return true;
}

static uint64_t granite_heads_kv(struct ul_conv *c, uint64_t i)
{
    return granite_attends(c, i) ? c->n_head_kv : 0;
}

static void granite_hybrid_setup(struct ul_conv *c)
{
    bool known = ul_cfg_has(c, "layer_types|layers_block_type|attn_layer_indices|attn_layer_period");
    if (!known)
        ul_conv_fail(c, "layer_types is missing");
    c->head = c->share;
    c->n_ff_exp = c->n_ff;
    c->n_ff_shexp = ul_cfg_u(c, "shared_intermediate_size", 0);
    if (granite_no_ssm(c))
        c->name = ul_cfg_has(c, "num_experts_per_tok|num_experts_per_token") ? "granitemoe"
                                                                             : "granite";
    else
        c->n_vocab = ul_pad(c->n_vocab, 8);
}

static struct mamba2 granite_ssm(struct ul_conv *c)
{
    struct mamba2 m = mamba2_of(c);
    m.inner = ul_cfg_u(c, "mamba_expand|expand", 2) * c->n_embd;
    m.heads = ul_cfg_u(c, "mamba_n_heads|n_heads", 128);
    m.proj_bias = ul_cfg_b(c, "mamba_proj_bias", false);
    return m;
}

static void granite_hybrid_keys(struct ul_conv *c)
{
    struct mamba2 m = granite_ssm(c);
    bool bamba = ul_cfg_item_is(c, "architectures", 0, "BambaForCausalLM");
    bool rope = bamba || granite_no_ssm(c);
    ul_kv_drop(c, "attention.key_length");
    ul_kv_drop(c, "attention.value_length");
    ul_kv_u32(c, "rope.dimension_count", c->head);
    ul_kv_copy_f32(c, "attention.scale", "attention_multiplier");
    ul_kv_copy_f32(c, "embedding_scale", "embedding_multiplier");
    ul_kv_copy_f32(c, "residual_scale", "residual_multiplier");
    ul_kv_copy_f32(c, "logit_scale", "logits_scaling");
    if (c->n_ff_shexp > 0)
        ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
    mamba2_common(c, &m);
    ul_kv_copy_u32(c, "rope.dimension_count", "attn_rotary_emb");
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, granite_heads_kv);
    ul_kv_bool(c, "rope.scaling.finetuned", rope);
    if (!rope)
        ul_kv_u32(c, "context_length", 1u << 20);
}

static void granite_hybrid_layer(struct ul_conv *c)
{
    struct mamba2 m = granite_ssm(c);
    ul_norm(c, "attn_norm", c->n_embd);
    if (granite_attends(c, (uint64_t)c->il))
        ul_conv_attention(c);
    else
        mamba2(c, &m);
    ul_norm(c, "ffn_norm", c->n_embd);
    if (c->n_expert > 0)
        ul_conv_experts(c);
    else
        ul_conv_ffn(c, c->n_ff_shexp > 0 ? c->n_ff_shexp : c->n_ff);
}

/* ------------------------------------------------------------------ Nemotron H: nemotron.py */

static bool nemotron_moe(struct ul_conv *c) { return ul_cfg_has(c, "num_experts_per_tok"); }

/* What a layer is: 'M' a scan, '*' attention, '-' or 'E' a feed-forward part. */
static char nemotron_kind(struct ul_conv *c, uint64_t i)
{
    struct ul_str pattern = ul_cfg_s(c, "hybrid_override_pattern");
    if (i < pattern.n)
        return pattern.p[i];
    return ul_cfg_item_is(c, "layers_block_type", i, "mamba")       ? 'M'
           : ul_cfg_item_is(c, "layers_block_type", i, "attention") ? '*'
           : ul_cfg_item_is(c, "layers_block_type", i, "moe")       ? 'E' : '-';
}

static uint64_t nemotron_heads_kv(struct ul_conv *c, uint64_t i)
{
    return nemotron_kind(c, i) == '*' || i >= c->n_layer - c->n_nextn ? c->n_head_kv : 0;
}

static uint64_t nemotron_ff(struct ul_conv *c, uint64_t i)
{
    bool own = nemotron_kind(c, i) == (nemotron_moe(c) ? 'E' : '-');
    return !own && i < c->n_layer - c->n_nextn ? 0 : nemotron_moe(c) ? c->n_ff_exp : c->n_ff;
}

static struct mamba2 nemotron_ssm(struct ul_conv *c)
{
    struct mamba2 m = {.norm = true};
    m.heads = ul_cfg_need(c, "mamba_num_heads");
    m.inner = m.heads * ul_cfg_need(c, "mamba_head_dim");
    m.state = ul_cfg_need(c, "ssm_state_size");
    m.groups = ul_cfg_u(c, "n_groups", 1);
    m.conv = ul_cfg_u(c, "conv_kernel", 4);
    m.proj_bias = ul_cfg_b(c, "mamba_proj_bias", false);
    return m;
}

static void nemotron_h_setup(struct ul_conv *c)
{
    const struct ul_jvalue *blocks = ul_cfg(c, "layers_block_type");
    if (!ul_cfg_has(c, "hybrid_override_pattern|layers_block_type"))
        ul_conv_fail(c, "hybrid_override_pattern is missing");
    if (blocks != NULL)
        c->n_layer = blocks->n;
    c->head = ul_cfg_u(c, "head_dim|attention_head_dim", c->head);
    c->n_ff_shexp = nemotron_moe(c) ? ul_cfg_u(c, "moe_shared_expert_intermediate_size", 0) : 0;
    c->n_vocab = ul_pad(c->n_vocab, 8);
    if (nemotron_moe(c)) {
        c->name = "nemotron_h_moe";
        c->n_nextn = ul_cfg_u(c, "num_nextn_predict_layers", 0);
        c->n_layer += c->n_nextn;
    }
}

static void nemotron_moe_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "expert_feed_forward_length", c->n_ff_exp);
    ul_kv_u32(c, "expert_shared_feed_forward_length", c->n_ff_shexp);
    ul_kv_copy_u32(c, "expert_shared_count", "n_shared_experts");
    ul_kv_copy_bool(c, "expert_weights_norm", "norm_topk_prob");
    ul_kv_copy_f32(c, "expert_weights_scale", "routed_scaling_factor");
    ul_kv_copy_u32(c, "moe_latent_size", "moe_latent_size");
    if (c->n_nextn > 0)
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
}

static void nemotron_h_keys(struct ul_conv *c)
{
    struct mamba2 m = nemotron_ssm(c);
    ul_kv_u32(c, "rope.dimension_count",
              nemotron_moe(c) || !ul_cfg_has(c, "head_dim") ? c->share : c->head);
    mamba2_common(c, &m);
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, nemotron_heads_kv);
    ul_kv_bool(c, "rope.scaling.finetuned", false);
    ul_kv_u32(c, "context_length", 1u << 20);
    ul_kv_u32(c, "attention.key_length", c->head);
    ul_kv_u32(c, "attention.value_length", c->head);
    ul_kv_u32s(c, "feed_forward_length", c->n_layer, nemotron_ff);
    if (nemotron_moe(c))
        nemotron_moe_keys(c);
}

static void nemotron_experts(struct ul_conv *c)
{
    uint64_t latent = ul_cfg_u(c, "moe_latent_size", 0), width = latent != 0 ? latent : c->n_embd;
    ul_t2(c, "ffn_gate_inp.weight", c->n_embd, c->n_expert);
    ul_t1(c, "exp_probs_b.bias", c->n_expert);
    ul_t3(c, "ffn_up_exps.weight", width, c->n_ff_exp, c->n_expert);
    ul_t3(c, "ffn_down_exps.weight", c->n_ff_exp, width, c->n_expert);
    ul_t2(c, "ffn_up_shexp.weight", c->n_embd, c->n_ff_shexp);
    ul_t2(c, "ffn_down_shexp.weight", c->n_ff_shexp, c->n_embd);
    if (latent == 0)
        return;
    ul_t2(c, "ffn_latent_down.weight", c->n_embd, latent);
    ul_t2(c, "ffn_latent_up.weight", latent, c->n_embd);
}

static void nemotron_h_layer(struct ul_conv *c)
{
    struct mamba2 m = nemotron_ssm(c);
    char kind = nemotron_kind(c, (uint64_t)c->il);
    ul_norm(c, "attn_norm", c->n_embd);
    if (ul_conv_is_nextn(c)) {
        ul_conv_attention(c);
        ul_norm(c, "post_attention_norm", c->n_embd);
        nemotron_experts(c);
        ul_conv_nextn(c, false);
    } else if (kind == 'M') {
        mamba2(c, &m);
    } else if (kind == '*') {
        ul_conv_attention(c);
    } else if (nemotron_moe(c) && kind == 'E') {
        nemotron_experts(c);
    } else {
        ul_conv_ffn(c, c->n_ff);
    }
}

/* ------------------------------------------------------------------ LFM2: lfm2.py */

static bool lfm2_attends(struct ul_conv *c, uint64_t i)
{
    const struct ul_jvalue *full = ul_cfg(c, "full_attn_idxs");
    if (ul_cfg_has(c, "layer_types"))
        return ul_cfg_item_is(c, "layer_types", i, "full_attention");
    for (const struct ul_jvalue *v = full != NULL ? full->first : NULL; v != NULL; v = v->next)
        if (v->i == (int64_t)i)
            return true;
    return false;
}

static uint64_t lfm2_heads_kv(struct ul_conv *c, uint64_t i)
{
    return lfm2_attends(c, i) ? c->n_head_kv : 0;
}

static void lfm2_setup(struct ul_conv *c)
{
    uint64_t ff = ul_cfg_u(c, "block_ff_dim|intermediate_size", 0);
    uint64_t multiple = ul_max(ul_cfg_u(c, "block_multiple_of", 256), 1);
    if (!ul_cfg_has(c, "layer_types|full_attn_idxs"))
        ul_conv_fail(c, "layer_types is missing");
    if (ul_cfg_b(c, "block_auto_adjust_ff_dim", true)) {
        ff = 2 * ff / 3;
        ff = (uint64_t)(ul_cfg_f(c, "block_ffn_dim_multiplier", 1.0) * (double)ff);
        ff = ul_pad(ff, multiple);
    }
    c->n_ff = ff;
    c->head = c->share;
}

static void lfm2_keys(struct ul_conv *c)
{
    if (ul_cfg_item_is(c, "architectures", 0, "Lfm2BidirectionalModel"))
        ul_kv_bool(c, "attention.causal", false);
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, lfm2_heads_kv);
    ul_kv_u32(c, "shortconv.l_cache", ul_cfg_u(c, "conv_L_cache", 3));
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, "norm_eps|block_norm_eps", 1e-5));
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
}

static void lfm2_moe_setup(struct ul_conv *c)
{
    if (!ul_cfg_has(c, "layer_types|full_attn_idxs"))
        ul_conv_fail(c, "layer_types is missing");
    c->dense_lead = ul_cfg_u(c, "num_dense_layers", 2);
}

static void lfm2_moe_keys(struct ul_conv *c)
{
    ul_kv_u32s(c, "attention.head_count_kv", c->n_layer, lfm2_heads_kv);
    ul_kv_u32(c, "expert_feed_forward_length", ul_cfg_need(c, "moe_intermediate_size"));
    ul_kv_u32(c, "leading_dense_block_count", c->dense_lead);
    ul_kv_u32(c, "expert_gating_func", 2);
    ul_kv_u32(c, "shortconv.l_cache", ul_cfg_u(c, "conv_L_cache", 3));
}

static void lfm2_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    if (lfm2_attends(c, (uint64_t)c->il)) {
        ul_conv_attention(c);
    } else {
        ul_t2(c, "shortconv.conv.weight", ul_cfg_u(c, "conv_L_cache", 3), c->n_embd);
        ul_t2(c, "shortconv.in_proj.weight", c->n_embd, 3 * c->n_embd);
        ul_t2(c, "shortconv.out_proj.weight", c->n_embd, c->n_embd);
    }
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn_or_experts(c);
}

static void lfm2_rest(struct ul_conv *c) { ul_t1(c, "token_embd_norm.weight", c->n_embd); }

/* ------------------------------------------------------------------ Qwen3-Next, Qwen3.5: qwen.py */

static uint64_t delta_layer(struct ul_conv *c, uint64_t i)
{
    uint64_t interval = ul_max(ul_cfg_u(c, "full_attention_interval", 4), 1);
    if (i >= c->n_layer - c->n_nextn)
        return 0;
    return ul_cfg_has(c, "layer_types") ? ul_cfg_item_is(c, "layer_types", i, "linear_attention")
                                        : (i + 1) % interval != 0;
}

static void delta_setup(struct ul_conv *c)
{
    c->n_ff_shexp = ul_cfg_u(c, "shared_expert_intermediate_size", 0);
    c->n_nextn = ul_cfg_u(c, "mtp_num_hidden_layers", 0);
    c->n_layer += c->n_nextn;
}

static uint64_t delta_v(struct ul_conv *c)
{
    return ul_cfg_need(c, "linear_value_head_dim") * ul_cfg_need(c, "linear_num_value_heads");
}

static void delta_keys(struct ul_conv *c)
{
    ul_kv_copy_u32(c, "expert_feed_forward_length", "moe_intermediate_size");
    ul_kv_copy_u32(c, "expert_shared_feed_forward_length", "shared_expert_intermediate_size");
    if (c->n_nextn > 0)
        ul_kv_u32(c, "nextn_predict_layers", c->n_nextn);
    ul_kv_u32(c, "ssm.conv_kernel", ul_cfg_need(c, "linear_conv_kernel_dim"));
    ul_kv_u32(c, "ssm.state_size", ul_cfg_need(c, "linear_key_head_dim"));
    ul_kv_u32(c, "ssm.group_count", ul_cfg_need(c, "linear_num_key_heads"));
    ul_kv_u32(c, "ssm.time_step_rank", ul_cfg_need(c, "linear_num_value_heads"));
    ul_kv_u32(c, "ssm.inner_size", delta_v(c));
    ul_kv_u32(c, "full_attention_interval", ul_cfg_u(c, "full_attention_interval", 4));
    ul_kv_bools(c, "attention.recurrent_layers", c->n_layer, delta_layer);
    ul_kv_u32(c, "rope.dimension_count", (uint64_t)((double)c->head * ul_cfg_partial(c, 0.25)));
}

static void qwen35_keys(struct ul_conv *c)
{
    static const int64_t sections[4] = {11, 11, 10, 0};
    delta_keys(c);
    if (ul_jget(c->rope, "mrope_section") == NULL)
        ul_kv_i32s(c, "rope.dimension_sections", 4, sections);
}

/* `together`: beta and alpha are one matrix, as in the first of these models. */
static void delta_net(struct ul_conv *c, bool together)
{
    uint64_t heads_k = ul_cfg_need(c, "linear_num_key_heads");
    uint64_t heads_v = ul_cfg_need(c, "linear_num_value_heads");
    uint64_t k = ul_cfg_need(c, "linear_key_head_dim") * heads_k, v = delta_v(c);
    ul_t2(c, "attn_qkv.weight", c->n_embd, 2 * k + v);
    ul_t2(c, "attn_gate.weight", c->n_embd, v);
    ul_t1(c, "ssm_a", heads_v);
    ul_t1(c, "ssm_dt.bias", heads_v);
    ul_t2(c, "ssm_conv1d.weight", ul_cfg_need(c, "linear_conv_kernel_dim"), 2 * k + v);
    ul_t1(c, "ssm_norm.weight", ul_cfg_need(c, "linear_value_head_dim"));
    ul_t2(c, "ssm_out.weight", v, c->n_embd);
    if (together) {
        ul_t2(c, "ssm_ba.weight", c->n_embd, 2 * heads_v);
    } else {
        ul_t2(c, "ssm_beta.weight", c->n_embd, heads_v);
        ul_t2(c, "ssm_alpha.weight", c->n_embd, heads_v);
    }
}

/* Attention whose queries come with a gate. */
static void gated_attention(struct ul_conv *c)
{
    uint64_t q = c->n_head * c->head, kv = c->n_head_kv * c->head;
    ul_t2(c, "attn_q.weight", c->n_embd, 2 * q);
    ul_t2(c, "attn_k.weight", c->n_embd, kv);
    ul_t2(c, "attn_v.weight", c->n_embd, kv);
    ul_t2(c, "attn_output.weight", q, c->n_embd);
    ul_t1(c, "attn_q_norm.weight", c->head);
    ul_t1(c, "attn_k_norm.weight", c->head);
}

static void delta_model_layer(struct ul_conv *c, bool together)
{
    ul_norm(c, "attn_norm", c->n_embd);
    if (delta_layer(c, (uint64_t)c->il))
        delta_net(c, together);
    else
        gated_attention(c);
    ul_norm(c, "post_attention_norm", c->n_embd);
    if (c->n_expert > 0) {
        ul_conv_experts(c);
        ul_t1(c, "ffn_gate_inp_shexp.weight", c->n_embd);
    } else {
        ul_conv_ffn(c, c->n_ff);
    }
    if (ul_conv_is_nextn(c))
        ul_conv_nextn(c, false);
}

static void qwen3next_layer(struct ul_conv *c) { delta_model_layer(c, true); }
static void qwen35_layer(struct ul_conv *c) { delta_model_layer(c, false); }

const struct ul_conv_row ul_conv_rows_hybrid[] = {
    {.classes = "MambaForCausalLM MambaLMHeadModel FalconMambaForCausalLM",
     .types = "mamba falcon_mamba", .name = "mamba", .upstream = "mamba.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_TIED, .setup = mamba_setup, .keys = mamba_keys,
     .layer = mamba_layer},
    {.classes = "Mamba2ForCausalLM", .types = "mamba2", .name = "mamba2", .upstream = "mamba.py",
     .flags = UL_CV_OWN_KEYS, .setup = mamba2_setup, .keys = mamba2_keys,
     .layer = mamba2_layer},
    {.classes = "FalconH1ForCausalLM", .types = "falcon_h1", .name = "falcon-h1",
     .upstream = "falcon_h1.py", .flags = UL_CV_OWN_KEYS, .setup = NULL,
     .keys = falcon_h1_all_keys, .layer = falcon_h1_layer},
    {.classes = "JambaForCausalLM", .types = "jamba", .name = "jamba", .upstream = "jamba.py",
     .flags = UL_CV_OWN_KEYS,
     .defaults = UL_CV_DEFAULTS("vocab_size": 65536, "max_position_embeddings": 262144,
                                "rms_norm_eps": 1e-6),
     .setup = jamba_setup, .keys = jamba_keys, .layer = jamba_layer},
    {.classes = "GraniteMoeHybridForCausalLM BambaForCausalLM",
     .types = "granitemoehybrid bamba", .name = "granitehybrid", .upstream = "granite.py",
     .rope_theta = 10000, .norm_eps = 1e-6,
     .defaults = UL_CV_DEFAULTS("attention_multiplier": 1.0, "embedding_multiplier": 1.0,
                                "residual_multiplier": 1.0, "logits_scaling": 1.0),
     .setup = granite_hybrid_setup,
     .keys = granite_hybrid_keys, .layer = granite_hybrid_layer},
    {.classes = "Plamo2ForCausalLM PLaMo2ForCausalLM", .types = "plamo2", .name = "plamo2",
     .upstream = "plamo.py", .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_UP | UL_CV_TIED,
     .setup = plamo2_setup, .keys = plamo2_keys, .layer = plamo2_layer},
    {.classes = "NemotronHForCausalLM", .types = "nemotron_h", .name = "nemotron_h",
     .upstream = "nemotron.py", .flags = UL_CV_NO_GATE, .norm_eps = 1e-5,
     .setup = nemotron_h_setup, .keys = nemotron_h_keys, .layer = nemotron_h_layer},
    {.classes = "Lfm2ForCausalLM LFM2ForCausalLM Lfm2Model Lfm2BidirectionalModel",
     .types = "lfm2", .name = "lfm2", .upstream = "lfm2.py",
     .flags = UL_CV_TIED_ALWAYS | UL_CV_NO_OUTPUT_NORM | UL_CV_QK_NORM, .rope_theta = 1e6,
     .setup = lfm2_setup, .keys = lfm2_keys, .layer = lfm2_layer, .rest = lfm2_rest},
    {.classes = "Lfm2MoeForCausalLM", .types = "lfm2_moe", .name = "lfm2moe",
     .upstream = "lfm2.py",
     .flags = UL_CV_TIED_ALWAYS | UL_CV_NO_OUTPUT_NORM | UL_CV_QK_NORM | UL_CV_GATE_EXP_PROBS,
     .rope_theta = 1e6, .setup = lfm2_moe_setup, .keys = lfm2_moe_keys, .layer = lfm2_layer,
     .rest = lfm2_rest},
    {.classes = "Qwen3NextForCausalLM", .types = "qwen3_next", .name = "qwen3next",
     .upstream = "qwen.py", .flags = UL_CV_HEAD_DIM, .head_dim = 256, .rope_theta = 10000,
     .norm_eps = 1e-6, .setup = delta_setup, .keys = delta_keys, .layer = qwen3next_layer},
    {.classes = "Qwen3_5ForConditionalGeneration Qwen3_5ForCausalLM "
                "MiniCPMV4_6ForConditionalGeneration",
     .types = "qwen3_5 qwen3_5_text", .name = "qwen35", .upstream = "qwen.py",
     .flags = UL_CV_HEAD_DIM, .head_dim = 256, .rope_theta = 10000, .norm_eps = 1e-6,
     .setup = delta_setup, .keys = qwen35_keys, .layer = qwen35_layer},
    {.classes = "Qwen3_5MoeForConditionalGeneration Qwen3_5MoeForCausalLM",
     .types = "qwen3_5_moe qwen3_5_moe_text", .name = "qwen35moe", .upstream = "qwen.py",
     .flags = UL_CV_HEAD_DIM, .head_dim = 256, .rope_theta = 10000, .norm_eps = 1e-6,
     .setup = delta_setup, .keys = qwen35_keys, .layer = qwen35_layer},
    {.classes = NULL},
};
