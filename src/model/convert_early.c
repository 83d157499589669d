/* Rows of the encoders (BERT and its kin) and of earlier generations of decoders: Falcon, MPT,
 * BLOOM, GPT-2, T5. */
#include "model/convert.h"

/* ------------------------------------------------------------------ encoders: conversion/bert.py */

static uint64_t position_offset(struct ul_conv *c)
{
    return ul_cfg_has(c, "pad_token_id") ? 1 + ul_cfg_u(c, "pad_token_id", 0) : 0;
}

static uint64_t types_of(struct ul_conv *c) { return ul_cfg_u(c, "type_vocab_size", 1); }

static void bert_keys(struct ul_conv *c)
{
    ul_kv_bool(c, "attention.causal", false);
    ul_kv_u32(c, "tokenizer.ggml.token_type_count", types_of(c));
}

/* Jina's third: adapters inside, which become files of their own, and positions that rotate. */
static bool jina3(struct ul_conv *c) { return ul_cfg_has(c, "lora_adaptations"); }

static void roberta_setup(struct ul_conv *c)
{
    if (!jina3(c))
        return;
    c->name = "jina-bert-v3";
    c->flags |= UL_CV_FUSED_QKV;
}

/* Positions begin behind the padding's. */
static void roberta_keys(struct ul_conv *c)
{
    bert_keys(c);
    ul_kv_u32(c, "context_length",
              ul_cfg_need(c, "max_position_embeddings") - position_offset(c));
}

static void embeddings(struct ul_conv *c, uint64_t positions)
{
    ul_t2(c, "token_types.weight", c->n_embd, types_of(c));
    if (positions > 0)
        ul_t2(c, "position_embd.weight", c->n_embd, positions);
    ul_norm(c, "token_embd_norm", c->n_embd);
}

static void bert_rest(struct ul_conv *c)
{
    embeddings(c, ul_cfg_need(c, "max_position_embeddings"));
}

static void roberta_rest(struct ul_conv *c)
{
    embeddings(c, jina3(c) ? 0 : ul_cfg_need(c, "max_position_embeddings") - position_offset(c));
}

/* DistilBERT has no kinds of tokens. */
static void distil_rest(struct ul_conv *c)
{
    ul_t2(c, "position_embd.weight", c->n_embd, ul_cfg_need(c, "max_position_embeddings"));
    ul_norm(c, "token_embd_norm", c->n_embd);
}

static void distil_keys(struct ul_conv *c)
{
    ul_kv_f32(c, "attention.layer_norm_epsilon", 1e-12);
    bert_keys(c);
}

/* NeoBERT: a decoder's layer turned round. */
static void neo_setup(struct ul_conv *c) { c->n_ff = 2 * ul_cfg_need(c, "intermediate_size") / 3; }

static void neo_keys(struct ul_conv *c)
{
    bert_keys(c);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_f32(c, "rope.freq_base", 10000);
    ul_kv_str(c, "rope.scaling.type", "none");
    ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, "norm_eps", 1e-6));
    ul_kv_u32(c, "pooling_type", 2);
}

static void neo_rest(struct ul_conv *c) { ul_t1(c, "enc.output_norm.weight", c->n_embd); }

static void bert_layer(struct ul_conv *c)
{
    ul_conv_attention(c);
    ul_norm(c, "attn_output_norm", c->n_embd);
    ul_conv_ffn(c, c->n_ff);
    ul_norm(c, "layer_output_norm", c->n_embd);
}

static bool nomic_moe(struct ul_conv *c) { return ul_cfg_u(c, "moe_every_n_layers", 0) > 0; }

static void nomic_setup(struct ul_conv *c)
{
    c->n_ff = ul_cfg_u(c, "n_inner|intermediate_size", 3072);
    c->n_ff_exp = c->n_ff;
    if (!nomic_moe(c))
        return;
    c->name = "nomic-bert-moe";
    c->flags |= UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_MLP_BIAS | UL_CV_NO_GATE;
}

static void nomic_keys(struct ul_conv *c)
{
    uint64_t positions = ul_cfg_u(c, "max_position_embeddings", 2048);
    bert_keys(c);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    if (!nomic_moe(c))
        return;
    ul_kv_u32(c, "context_length", positions - (1 + ul_cfg_u(c, "pad_token_id", 1)));
    ul_kv_copy_u32(c, "moe_every_n_layers", "moe_every_n_layers");
    ul_kv_copy_u32(c, "expert_used_count", "moe_top_k");
}

static void nomic_rest(struct ul_conv *c) { embeddings(c, 0); }

static void nomic_layer(struct ul_conv *c)
{
    uint64_t every = ul_cfg_u(c, "moe_every_n_layers", 0);
    ul_conv_attention(c);
    ul_norm(c, "attn_output_norm", c->n_embd);
    if (every > 0 && (uint64_t)c->il % every == 1)
        ul_conv_experts(c);
    else
        ul_conv_ffn(c, c->n_ff);
    ul_norm(c, "layer_output_norm", c->n_embd);
}

static void modern_keys(struct ul_conv *c)
{
    struct ul_str pooling = ul_cfg_s(c, "classifier_pooling");
    struct ul_str act = ul_cfg_s(c, "classifier_activation");
    struct ul_str hidden = ul_cfg_s(c, "hidden_activation");
    bert_keys(c);
    if (ul_str_is(pooling, "mean") || ul_str_is(pooling, "cls"))
        ul_kv_u32(c, "classifier.pooling_type", ul_str_is(pooling, "mean") ? 1 : 2);
    if (act.n > 0)
        ul_kv_str(c, "classifier.activation", ul_format(c->a, "%.*s", (int)act.n, act.p));
    if (hidden.n > 0)
        ul_kv_str(c, "hidden_activation", ul_format(c->a, "%.*s", (int)hidden.n, hidden.p));
    ul_kv_copy_u32(c, "attention.sliding_window", "local_attention");
    ul_kv_copy_u32(c, "attention.sliding_window_pattern", "global_attn_every_n_layers");
    ul_kv_str(c, "rope.scaling.type", "none");
}

static void modern_rest(struct ul_conv *c) { ul_t1(c, "token_embd_norm.weight", c->n_embd); }

/* Causal models turned round. */
static void eurobert_keys(struct ul_conv *c)
{
    ul_kv_bool(c, "attention.causal", false);
    ul_kv_str(c, "rope.scaling.type", "none");
}

/* ------------------------------------------------------------------ Falcon: conversion/falcon.py */

static void falcon_setup(struct ul_conv *c)
{
    c->n_head_kv = ul_cfg_u(c, "num_kv_heads|n_head_kv", 1);
    c->n_ff = 4 * c->n_embd;
    c->head = c->share;
}

static void falcon_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", 2048);
    ul_kv_str(c, "tensor_data_layout", "jploski");
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_f(c, "layer_norm_epsilon", 1e-5));
}

static void falcon_layer(struct ul_conv *c)
{
    ul_norm(c, "attn_norm", c->n_embd);
    if (ul_cfg_b(c, "new_decoder_architecture", false))
        ul_norm(c, "attn_norm_2", c->n_embd);
    ul_conv_attention(c);
    ul_conv_ffn(c, c->n_ff);
}

/* ------------------------------------------------------------------ MPT, BLOOM, GPT-2 */

static void mpt_setup(struct ul_conv *c)
{
    const struct ul_jvalue *attention = ul_cfg(c, "attn_config");
    c->n_head_kv = (uint64_t)ul_jint(attention, "kv_n_heads", (int64_t)c->n_head);
    c->n_ff = 4 * c->n_embd;
    if (!ul_cfg_b(c, "no_bias", true))
        c->flags |= UL_CV_NORM_BIAS | UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_MLP_BIAS;
}

/* Source: conversion/mpt.py. */
static void mpt_keys(struct ul_conv *c)
{
    const struct ul_jvalue *attention = ul_cfg(c, "attn_config");
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "max_seq_len"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    if (ul_jget(attention, "kv_n_heads") != NULL)
        ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    ul_kv_f32(c, "attention.layer_norm_epsilon", 1e-5);
    if (ul_jget(attention, "clip_qkv") != NULL)
        ul_kv_f32(c, "attention.clamp_kqv", ul_jreal(attention, "clip_qkv", 0));
    ul_kv_f32(c, "attention.max_alibi_bias",
              ul_jbool(attention, "alibi", false) ? ul_jreal(attention, "alibi_bias_max", 8) : 0);
}

static void bloom_setup(struct ul_conv *c) { c->n_ff = 4 * c->n_embd; }

/* Source: conversion/bloom.py. */
static void bloom_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "context_length", ul_cfg_u(c, "seq_length", c->n_embd));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_u32(c, "attention.head_count_kv", c->n_head);
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_f(c, "layer_norm_epsilon", 1e-5));
}

static void bloom_rest(struct ul_conv *c) { ul_norm(c, "token_embd_norm", c->n_embd); }

/* Source: conversion/gpt2.py. */
static void gpt2_keys(struct ul_conv *c)
{
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_u32(c, "context_length", ul_cfg_need(c, "n_ctx|n_positions"));
    ul_kv_u32(c, "embedding_length", c->n_embd);
    ul_kv_u32(c, "feed_forward_length", c->n_ff);
    ul_kv_u32(c, "attention.head_count", c->n_head);
    ul_kv_f32(c, "attention.layer_norm_epsilon", ul_cfg_f(c, "layer_norm_epsilon", 1e-5));
}

static void gpt2_rest(struct ul_conv *c)
{
    ul_t2(c, "position_embd.weight", c->n_embd, ul_cfg_need(c, "n_positions|n_ctx"));
}

/* Source: conversion/starcoder.py: StarCoderModel. */
static void starcoder_setup(struct ul_conv *c)
{
    c->n_ff = 4 * c->n_embd;
    c->n_head_kv = 1;
}

static void starcoder_keys(struct ul_conv *c)
{
    gpt2_keys(c);
    ul_kv_u32(c, "attention.head_count_kv", 1);
}

const struct ul_conv_row ul_conv_rows_early[] = {
    {.classes = "BertModel BertForMaskedLM CamembertModel BertForSequenceClassification",
     .types = "bert", .name = "bert", .upstream = "bert.py",
     .flags = UL_CV_NORM_BIAS | UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_MLP_BIAS | UL_CV_NO_GATE |
              UL_CV_TIED_ALWAYS | UL_CV_NO_OUTPUT_NORM,
     .defaults = UL_CV_DEFAULTS("type_vocab_size": 2, "layer_norm_eps": 1e-12,
                                "max_position_embeddings": 512),
     .keys = bert_keys, .layer = bert_layer, .rest = bert_rest},
    {.classes = "RobertaModel RobertaForSequenceClassification XLMRobertaModel "
                "XLMRobertaForSequenceClassification XLMRobertaForMaskedLM",
     .types = "roberta xlm-roberta", .name = "bert", .upstream = "bert.py",
     .flags = UL_CV_NORM_BIAS | UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_MLP_BIAS | UL_CV_NO_GATE |
              UL_CV_TIED_ALWAYS | UL_CV_NO_OUTPUT_NORM,
     .defaults = UL_CV_DEFAULTS("pad_token_id": 1), .setup = roberta_setup,
     .keys = roberta_keys, .layer = bert_layer, .rest = roberta_rest},
    {.classes = "DistilBertModel DistilBertForMaskedLM DistilBertForSequenceClassification",
     .types = "distilbert", .name = "bert", .upstream = "bert.py",
     .flags = UL_CV_NORM_BIAS | UL_CV_QKV_BIAS | UL_CV_O_BIAS | UL_CV_MLP_BIAS | UL_CV_NO_GATE |
              UL_CV_TIED_ALWAYS | UL_CV_NO_OUTPUT_NORM,
     .defaults = UL_CV_DEFAULTS("max_position_embeddings": 512), .keys = distil_keys,
     .layer = bert_layer, .rest = distil_rest},
    {.classes = "NeoBERT NeoBERTLMHead NeoBERTForSequenceClassification", .types = "neobert",
     .name = "neo-bert", .upstream = "bert.py",
     .flags = UL_CV_FUSED_QKV | UL_CV_FUSED_UP | UL_CV_TIED_ALWAYS | UL_CV_NO_OUTPUT_NORM,
     .setup = neo_setup, .keys = neo_keys, .rest = neo_rest},
    {.classes = "NomicBertModel", .types = "nomic_bert", .name = "nomic-bert",
     .upstream = "bert.py",
     .flags = UL_CV_NORM_BIAS | UL_CV_TIED_ALWAYS | UL_CV_NO_OUTPUT_NORM | UL_CV_HEAD_DIM,
     .defaults = UL_CV_DEFAULTS("type_vocab_size": 2, "layer_norm_eps": 1e-12,
                                "max_position_embeddings": 2048,
                                "rope_parameters": {"rope_theta": 1000.0}),
     .setup = nomic_setup, .keys = nomic_keys, .layer = nomic_layer, .rest = nomic_rest},
    {.classes = "ModernBertModel ModernBertForMaskedLM ModernBertForSequenceClassification",
     .types = "modernbert", .name = "modern-bert", .upstream = "bert.py",
     .flags = UL_CV_FUSED_QKV | UL_CV_FUSED_UP | UL_CV_TIED_ALWAYS,
     .keys = modern_keys, .rest = modern_rest},
    {.classes = "EuroBertModel EuroBertForMaskedLM JinaEmbeddingsV5Model", .types = "eurobert",
     .name = "eurobert", .upstream = "bert.py", .flags = UL_CV_TIED_ALWAYS,
     .rope_theta = 250000, .norm_eps = 1e-5, .keys = eurobert_keys},
    {.classes = "FalconForCausalLM RWForCausalLM", .types = "falcon", .name = "falcon",
     .upstream = "falcon.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NORM_BIAS | UL_CV_FUSED_QKV | UL_CV_NO_GATE,
     .setup = falcon_setup, .keys = falcon_keys, .layer = falcon_layer},
    {.classes = "MPTForCausalLM MptForCausalLM", .types = "mpt", .name = "mpt",
     .upstream = "mpt.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_FUSED_QKV | UL_CV_NO_GATE | UL_CV_TIED_ALWAYS,
     .setup = mpt_setup, .keys = mpt_keys},
    {.classes = "BloomForCausalLM BloomModel", .types = "bloom", .name = "bloom",
     .upstream = "bloom.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NORM_BIAS | UL_CV_FUSED_QKV | UL_CV_QKV_BIAS |
              UL_CV_O_BIAS | UL_CV_MLP_BIAS | UL_CV_NO_GATE | UL_CV_TIED_ALWAYS,
     .setup = bloom_setup, .keys = bloom_keys, .rest = bloom_rest},
    {.classes = "GPT2LMHeadModel", .types = "gpt2", .name = "gpt2", .upstream = "gpt2.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NORM_BIAS | UL_CV_FUSED_QKV | UL_CV_QKV_BIAS |
              UL_CV_O_BIAS | UL_CV_MLP_BIAS | UL_CV_NO_GATE | UL_CV_TIED_ALWAYS,
     .setup = bloom_setup, .keys = gpt2_keys, .rest = gpt2_rest},
    {.classes = "GPTBigCodeForCausalLM", .types = "gpt_bigcode", .name = "starcoder",
     .upstream = "starcoder.py",
     .flags = UL_CV_OWN_KEYS | UL_CV_NORM_BIAS | UL_CV_FUSED_QKV | UL_CV_QKV_BIAS |
              UL_CV_O_BIAS | UL_CV_MLP_BIAS | UL_CV_NO_GATE | UL_CV_TIED,
     .setup = starcoder_setup, .keys = starcoder_keys, .rest = gpt2_rest},
    {.classes = NULL},
};
