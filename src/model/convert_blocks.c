/* The usual layer of a converted model: attention, then a feed-forward block or experts, with the
 * norms around them. What varies is in the row's flags. Names: gguf-py/gguf/constants.py,
 * TENSOR_NAMES; shapes: the modelling code of transformers, as the loaders in src/models/ expect
 * them. */
#include "model/convert.h"

static bool has(const struct ul_conv *c, unsigned flag) { return (c->flags & flag) != 0; }

bool ul_conv_is_nextn(const struct ul_conv *c)
{
    return (uint64_t)c->il >= c->n_layer - c->n_nextn;
}

void ul_conv_keep_nextn(struct ul_conv *c)
{
    c->n_nextn = ul_cfg_u(c, "num_nextn_predict_layers", 0);
    c->n_layer += c->n_nextn;
}

uint64_t ul_conv_is_window(struct ul_conv *c, uint64_t i)
{
    return ul_cfg_item_is(c, "layer_types", i, "sliding_attention");
}

void ul_conv_attention(struct ul_conv *c)
{
    uint64_t q = c->n_head * c->head, kv = c->n_head_kv * c->head;
    bool asked = has(c, UL_CV_BIAS_ASKED) && ul_cfg_b(c, "attention_bias|use_bias", false);
    bool bias = has(c, UL_CV_QKV_BIAS) || asked ||
                (has(c, UL_CV_QKV_BIAS_ASKED) &&
                 ul_cfg_b(c, "attention_bias|add_qkv_bias|use_qkv_bias|qkv_bias", false));
    if (has(c, UL_CV_FUSED_QKV)) {
        ul_linear(c, "attn_qkv", c->n_embd, q + 2 * kv, bias);
    } else {
        ul_linear(c, "attn_q", c->n_embd, q, bias);
        ul_linear(c, "attn_k", c->n_embd, kv, bias);
        ul_linear(c, "attn_v", c->n_embd, kv, bias);
    }
    ul_linear(c, "attn_output", q, c->n_embd, has(c, UL_CV_O_BIAS) || asked);
    if (has(c, UL_CV_QK_NORM | UL_CV_QK_NORM_ALL)) {
        ul_norm(c, "attn_q_norm", has(c, UL_CV_QK_NORM) ? c->head : q);
        ul_norm(c, "attn_k_norm", has(c, UL_CV_QK_NORM) ? c->head : kv);
    }
    if (has(c, UL_CV_SINKS))
        ul_t1(c, "attn_sinks.weight", c->n_head);
}

void ul_conv_ffn(struct ul_conv *c, uint64_t n_ff)
{
    bool bias = has(c, UL_CV_MLP_BIAS) ||
                (has(c, UL_CV_MLP_BIAS_ASKED) && ul_cfg_b(c, "mlp_bias|use_bias", false));
    if (!has(c, UL_CV_NO_GATE | UL_CV_FUSED_UP))
        ul_linear(c, "ffn_gate", c->n_embd, n_ff, bias);
    ul_linear(c, "ffn_up", c->n_embd, has(c, UL_CV_FUSED_UP) ? 2 * n_ff : n_ff, bias);
    ul_linear(c, "ffn_down", n_ff, c->n_embd, bias);
}

void ul_conv_experts(struct ul_conv *c)
{
    ul_t2(c, "ffn_gate_inp.weight", c->n_embd, c->n_expert);
    if (has(c, UL_CV_GATE_EXP_PROBS))
        ul_t1(c, "exp_probs_b.bias", c->n_expert);
    if (!has(c, UL_CV_NO_GATE))
        ul_t3(c, "ffn_gate_exps.weight", c->n_embd, c->n_ff_exp, c->n_expert);
    ul_t3(c, "ffn_up_exps.weight", c->n_embd, c->n_ff_exp, c->n_expert);
    ul_t3(c, "ffn_down_exps.weight", c->n_ff_exp, c->n_embd, c->n_expert);
    if (c->n_ff_shexp == 0)
        return;
    if (!has(c, UL_CV_NO_GATE))
        ul_t2(c, "ffn_gate_shexp.weight", c->n_embd, c->n_ff_shexp);
    ul_t2(c, "ffn_up_shexp.weight", c->n_embd, c->n_ff_shexp);
    ul_t2(c, "ffn_down_shexp.weight", c->n_ff_shexp, c->n_embd);
}

void ul_conv_ffn_or_experts(struct ul_conv *c)
{
    if (c->n_expert > 0 && (uint64_t)c->il >= c->dense_lead)
        ul_conv_experts(c);
    else
        ul_conv_ffn(c, c->n_ff);
}

void ul_conv_nextn(struct ul_conv *c, bool own)
{
    ul_t2(c, "nextn.eh_proj.weight", 2 * c->n_embd, c->n_embd);
    ul_t1(c, "nextn.enorm.weight", c->n_embd);
    ul_t1(c, "nextn.hnorm.weight", c->n_embd);
    ul_t1(c, "nextn.shared_head_norm.weight", c->n_embd);
    if (!own)
        return;
    ul_t2(c, "nextn.embed_tokens.weight", c->n_embd, c->n_vocab);
    ul_t2(c, "nextn.shared_head_head.weight", c->n_embd, c->n_vocab);
}

void ul_conv_layer(struct ul_conv *c)
{
    if (!has(c, UL_CV_NO_PRE_NORMS))
        ul_norm(c, "attn_norm", c->n_embd);
    ul_conv_attention(c);
    if (has(c, UL_CV_POST_NORMS)) {
        ul_norm(c, "post_attention_norm", c->n_embd);
        ul_norm(c, "post_ffw_norm", c->n_embd);
    }
    if (has(c, UL_CV_FFN_NORM_POST))
        ul_norm(c, "post_attention_norm", c->n_embd);
    else if (!has(c, UL_CV_NO_PRE_NORMS | UL_CV_NO_FFN_NORM))
        ul_norm(c, "ffn_norm", c->n_embd);
    ul_conv_ffn_or_experts(c);
}
