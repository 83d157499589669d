/* Rows of RWKV, which has no attention: a state a head, mixed in time, and a feed-forward part
 * mixed over channels; and of the models that put its time mixing into Qwen's layers. Source:
 * conversion/rwkv.py; the widths of low-rank parts are the checkpoint's, which the configuration
 * gives or which follow from the hidden size by the rule of their training code. */
#include "model/convert.h"

#include <math.h>

/* The converter's calc_lora_rank: a power of the hidden size in steps of 32. */
static uint64_t rank_of(struct ul_conv *c, const char *cfg, double exponent, double factor)
{
    double steps = rint(pow((double)c->n_embd, exponent) * factor / 32);
    return ul_cfg_u(c, cfg, (uint64_t)(steps < 1 ? 1 : steps) * 32);
}

static void endless(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", 1u << 20);
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "attention.head_count", 0);
}

/* A low-rank pair, and what is added to its result. */
static void low_rank(struct ul_conv *c, char which, uint64_t rank)
{
    ul_t1(c, ul_format(c->a, "time_mix_%c0.weight", which), c->n_embd);
    ul_t2(c, ul_format(c->a, "time_mix_%c1.weight", which), c->n_embd, rank);
    ul_t2(c, ul_format(c->a, "time_mix_%c2.weight", which), rank, c->n_embd);
}

static void square(struct ul_conv *c, const char *name) { ul_t2(c, name, c->n_embd, c->n_embd); }

/* ------------------------------------------------------------------ RWKV 7 */

static uint64_t decay7(struct ul_conv *c)
{
    return rank_of(c, "lora_rank_decay|decay_low_rank_dim", 0.5, 1.8);
}

static uint64_t rate7(struct ul_conv *c)
{
    return rank_of(c, "lora_rank_iclr|a_low_rank_dim", 0.5, 1.8);
}

static uint64_t value7(struct ul_conv *c)
{
    return rank_of(c, "lora_rank_value_residual_mix|v_low_rank_dim", 0.5, 1.3);
}

static uint64_t gate7(struct ul_conv *c)
{
    return rank_of(c, "lora_rank_gate|gate_low_rank_dim", 0.8, 0.6);
}

static void rwkv7_setup(struct ul_conv *c)
{
    c->n_ff = ul_cfg_u(c, "intermediate_size", 4 * c->n_embd);
}

static void rwkv7_keys(struct ul_conv *c)
{
    endless(c);
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_need_f(c, "layer_norm_epsilon|norm_eps"));
    ul_kv_u32(c, "wkv.head_size", ul_cfg_need(c, "head_size|head_dim"));
    ul_kv_u32(c, "attention.decay_lora_rank", decay7(c));
    ul_kv_u32(c, "attention.iclr_lora_rank", rate7(c));
    ul_kv_u32(c, "attention.value_residual_mix_lora_rank", value7(c));
    ul_kv_u32(c, "attention.gate_lora_rank", gate7(c));
}

/* The first layer has no value to mix in; its tensors are the learning rate's once more. */
static void time_mix7(struct ul_conv *c, uint64_t decay, uint64_t rate, uint64_t value,
                      uint64_t gate)
{
    low_rank(c, 'w', decay);
    low_rank(c, 'a', rate);
    low_rank(c, 'v', c->il == 0 ? rate : value);
    if (gate > 0) {
        ul_t2(c, "time_mix_g1.weight", c->n_embd, gate);
        ul_t2(c, "time_mix_g2.weight", gate, c->n_embd);
    }
    ul_t4(c, "time_mix_lerp_fused.weight", c->n_embd, 1, 1, gate > 0 ? 6 : 5);
    ul_t1(c, "time_mix_k_k.weight", c->n_embd);
    ul_t1(c, "time_mix_k_a.weight", c->n_embd);
    ul_t1(c, "time_mix_r_k.weight", c->n_embd);
    square(c, "time_mix_key.weight");
    square(c, "time_mix_value.weight");
    square(c, "time_mix_receptance.weight");
    square(c, "time_mix_output.weight");
}

static void rwkv7_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    ul_norm(c, "attn_norm_2", c->n_embd);
    time_mix7(c, decay7(c), rate7(c), value7(c), gate7(c));
    ul_norm(c, "time_mix_ln", c->n_embd);
    ul_t1(c, "channel_mix_lerp_k.weight", c->n_embd);
    ul_t2(c, "channel_mix_key.weight", c->n_embd, c->n_ff);
    ul_t2(c, "channel_mix_value.weight", c->n_ff, c->n_embd);
}

static void rwkv_rest(struct ul_conv *c) { ul_norm(c, "token_embd_norm", c->n_embd); }

/* ------------------------------------------------------------------ RWKV 7 in Qwen's layers */

static bool has_gate(struct ul_conv *c) { return ul_cfg_b(c, "wkv_has_gate", true); }

static void arwkv7_keys(struct ul_conv *c)
{
    endless(c);
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_need_f(c, "rms_norm_eps"));
    ul_kv_u32(c, "wkv.head_size", ul_cfg_need(c, "head_size"));
    ul_kv_u32(c, "attention.decay_lora_rank", 64);
    ul_kv_u32(c, "attention.iclr_lora_rank", 64);
    ul_kv_u32(c, "attention.value_residual_mix_lora_rank", 32);
    ul_kv_u32(c, "attention.gate_lora_rank", has_gate(c) ? 128 : 0);
    ul_kv_u32(c, "token_shift_count", 1);
}

static void arwkv7_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    time_mix7(c, 64, 64, 32, has_gate(c) ? 128 : 0);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn(c, c->n_ff);
}

/* ------------------------------------------------------------------ RWKV 6 */

static void rwkv6_setup(struct ul_conv *c)
{
    c->n_ff = ul_cfg_u(c, "intermediate_size", c->n_embd * 7 / 2 / 32 * 32);
}

static uint64_t extra6(struct ul_conv *c) { return c->n_embd == 4096 ? 64 : 32; }
static uint64_t decay6(struct ul_conv *c) { return c->n_embd == 4096 ? 128 : 64; }

static void rwkv6_keys(struct ul_conv *c)
{
    endless(c);
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_need_f(c, "layer_norm_epsilon"));
    ul_kv_u32(c, "rescale_every_n_layers", ul_cfg_need(c, "rescale_every"));
    ul_kv_u32(c, "wkv.head_size", ul_cfg_need(c, "head_size"));
    ul_kv_u32(c, "time_mix_extra_dim", extra6(c));
    ul_kv_u32(c, "time_decay_extra_dim", decay6(c));
}

static void time_mix6(struct ul_conv *c, uint64_t extra, uint64_t decay)
{
    ul_t2(c, "time_mix_w1.weight", c->n_embd, 5 * extra);
    ul_t3(c, "time_mix_w2.weight", extra, c->n_embd, 5);
    ul_t1(c, "time_mix_lerp_x.weight", c->n_embd);
    ul_t4(c, "time_mix_lerp_fused.weight", c->n_embd, 1, 1, 5);
    ul_t1(c, "time_mix_decay.weight", c->n_embd);
    ul_t2(c, "time_mix_decay_w1.weight", c->n_embd, decay);
    ul_t2(c, "time_mix_decay_w2.weight", decay, c->n_embd);
    square(c, "time_mix_receptance.weight");
    square(c, "time_mix_gate.weight");
    square(c, "time_mix_output.weight");
}

static void rwkv6_layer(struct ul_conv *c)
{
    uint64_t head = ul_cfg_need(c, "head_size");
    ul_norm(c, "attn_norm", c->n_embd);
    ul_norm(c, "attn_norm_2", c->n_embd);
    time_mix6(c, extra6(c), decay6(c));
    ul_t2(c, "time_mix_first.weight", head, head != 0 ? c->n_embd / head : 0);
    square(c, "time_mix_key.weight");
    square(c, "time_mix_value.weight");
    ul_norm(c, "time_mix_ln", c->n_embd);
    ul_t1(c, "channel_mix_lerp_k.weight", c->n_embd);
    ul_t1(c, "channel_mix_lerp_r.weight", c->n_embd);
    ul_t2(c, "channel_mix_key.weight", c->n_embd, c->n_ff);
    ul_t2(c, "channel_mix_value.weight", c->n_ff, c->n_embd);
    square(c, "channel_mix_receptance.weight");
}

/* ------------------------------------------------------------------ RWKV 6 in Qwen's layers */

static uint64_t shift6q(struct ul_conv *c)
{
    return ul_cfg_u(c, "lora_rank_tokenshift", c->n_embd >= 4096 ? 64 : 32);
}

static uint64_t decay6q(struct ul_conv *c)
{
    return ul_cfg_u(c, "lora_rank_decay", c->n_embd >= 4096 ? 128 : 64);
}

static void rwkv6qwen2_keys(struct ul_conv *c)
{
    endless(c);
    ul_kv_u32(c, "wkv.head_size", c->share);
    ul_kv_u32(c, "time_mix_extra_dim", shift6q(c));
    ul_kv_u32(c, "time_decay_extra_dim", decay6q(c));
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_need_f(c, "rms_norm_eps"));
    ul_kv_u32(c, "token_shift_count", 1);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
}

static void rwkv6qwen2_layer(struct ul_conv *c)
{
    uint64_t kv = c->n_head_kv * c->share;
    ul_norm(c, "attn_norm", c->n_embd);
    time_mix6(c, shift6q(c), decay6q(c));
    ul_linear(c, "time_mix_key", c->n_embd, kv, true);
    ul_linear(c, "time_mix_value", c->n_embd, kv, true);
    ul_t1(c, "time_mix_receptance.bias", c->n_embd);
    ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn(c, c->n_ff);
}

#define RWKV_FLAGS (UL_CV_OWN_KEYS | UL_CV_NORM_BIAS | UL_CV_UNTIED_ALWAYS)

const struct ul_conv_row ul_conv_rows_rwkv[] = {
    {.classes = "Rwkv6ForCausalLM", .types = "rwkv6", .name = "rwkv6", .upstream = "rwkv.py",
     .flags = RWKV_FLAGS, .setup = rwkv6_setup, .keys = rwkv6_keys, .layer = rwkv6_layer,
     .rest = rwkv_rest},
    {.classes = "RWKV6Qwen2ForCausalLM", .types = "rwkv6qwen2", .name = "rwkv6qwen2",
     .upstream = "rwkv.py", .flags = UL_CV_OWN_KEYS, .keys = rwkv6qwen2_keys,
     .layer = rwkv6qwen2_layer},
    {.classes = "Rwkv7ForCausalLM RWKV7ForCausalLM", .types = "rwkv7", .name = "rwkv7",
     .upstream = "rwkv.py", .flags = RWKV_FLAGS, .setup = rwkv7_setup, .keys = rwkv7_keys,
     .layer = rwkv7_layer, .rest = rwkv_rest},
    {.classes = "RwkvHybridForCausalLM", .types = "rwkv_hybrid", .name = "arwkv7",
     .upstream = "rwkv.py", .flags = UL_CV_OWN_KEYS, .keys = arwkv7_keys, .layer = arwkv7_layer},
    {.classes = NULL},
};
