/* Rows of the architectures from llama to arwkv7, in the engine's order. A row's facts come from
 * its file under src/models/ (load_arch_hparams, load_arch_tensors), from llama_model_rope_type and
 * llama_model::create_memory in src/llama-model.cpp. Fields that a row does not name have the
 * meaning of zero: a plain cache of keys and values, rope in its normal form, an output that may be
 * tied to the embedding, no windows, no draft head. */
#include "arch/rows.h"

#include <math.h>

/* ------------------------------------------------------------------ functions of rows */

/* src/models/llama4.cpp: a window of 0 turns chunks off, any other value or none means 8192. */
static void hparams_llama4(struct ul_keys *k, struct ul_model *m)
{
    bool found = ul_key_u32(k, "attention.sliding_window", &m->n_swa);
    m->use_kq_norm = m->n_expert != 128;
    if (found && m->n_swa == 0) {
        m->n_no_rope_layer_step = m->n_layer;
        return;
    }
    m->swa_type = UL_SWA_CHUNKED;
    m->n_swa = 8192;
    m->n_attn_temp_floor_scale = 8192;
    m->f_attn_temp_scale = 0.1f;
    m->f_attn_temp_offset = 1.0f;
    ul_read_swa_pattern(k, m, 4, false);
    m->rope_freq_base_train_swa = m->rope_freq_base_train;
    m->rope_freq_scale_train_swa = m->rope_freq_scale_train;
    ul_key_f32(k, "rope.freq_base_swa", &m->rope_freq_base_train_swa);
}

/* src/models/grok.cpp: defaults for files from before the keys existed. */
static void hparams_grok(struct ul_keys *k, struct ul_model *m)
{
    m->yarn_beta_fast = 8.0f;
    m->f_logit_scale = 0.5773502691896257f;
    m->f_embedding_scale = 78.38367176906169f;
    m->f_attn_out_scale = 0.08838834764831845f;
    m->f_attn_logit_softcapping = 30.0f;
    m->f_final_logit_softcapping = 0.0f;
    ul_key_f32(k, "logit_scale", &m->f_logit_scale);
    ul_key_f32(k, "embedding_scale", &m->f_embedding_scale);
    ul_key_f32(k, "attention.output_scale", &m->f_attn_out_scale);
    ul_key_f32(k, "attn_logit_softcapping", &m->f_attn_logit_softcapping);
    ul_key_f32(k, "router_logit_softcapping", &m->f_router_logit_softcapping);
    ul_key_f32(k, "final_logit_softcapping", &m->f_final_logit_softcapping);
    ul_key_u32(k, "attention.temperature_length", &m->attn_temp_length);
    ul_key_f32(k, "rope.scaling.yarn_ext_factor", &m->yarn_ext_factor);
    ul_key_f32(k, "rope.scaling.yarn_attn_factor", &m->yarn_attn_factor);
    ul_key_f32(k, "rope.scaling.yarn_beta_fast", &m->yarn_beta_fast);
    ul_key_f32(k, "rope.scaling.yarn_beta_slow", &m->yarn_beta_slow);
}

/* src/models/baichuan.cpp: the 13B model, told by its layers, has position biases and no key for
 * it. */
static void hparams_baichuan(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    if (m->n_layer == 40)
        m->f_max_alibi_bias = 8.0f;
}

/* src/models/refact.cpp, bloom.cpp, jina-bert-v2.cpp. */
static void hparams_alibi(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    m->f_max_alibi_bias = 8.0f;
}

static void hparams_qwen35(struct ul_keys *k, struct ul_model *m)
{
    ul_hparams_rope_sections(k, m);
    ul_hparams_delta_net(k, m);
}

/* src/models/phi3.cpp: windows are switched off whatever the file says. */
static void hparams_phi3(struct ul_keys *k, struct ul_model *m)
{
    uint32_t ignored = 0;
    ul_key_u32(k, "attention.sliding_window", &ignored);
    m->n_swa = 0;
}

/* src/models/minicpm.cpp: scales that older files do not state. */
static void hparams_minicpm(struct ul_keys *k, struct ul_model *m)
{
    m->f_embedding_scale = 12.0f;
    m->f_residual_scale = 1.4f / sqrtf((float)m->n_layer);
    m->f_logit_scale = m->n_embd != 0 ? 256.0f / (float)m->n_embd : 1.0f;
    ul_key_f32(k, "embedding_scale", &m->f_embedding_scale);
    ul_key_f32(k, "residual_scale", &m->f_residual_scale);
    ul_key_f32(k, "logit_scale", &m->f_logit_scale);
    m->rope_finetuned = true;
}

/* src/models/gemma2.cpp, gemma3.cpp: the 27B models, told by their layers, scale otherwise. */
static void gemma_attention_scale(struct ul_model *m, bool is_27b)
{
    uint32_t n_head = m->layer[0].n_head;
    uint32_t n = is_27b && n_head != 0 ? m->n_embd / n_head : ul_n_embd_head_k(m, 0);
    m->f_attention_scale = n != 0 ? 1.0f / sqrtf((float)n) : 0.0f;
}

static void hparams_gemma2(struct ul_keys *k, struct ul_model *m)
{
    m->attn_soft_cap = true;
    ul_key_f32(k, "attn_logit_softcapping", &m->f_attn_logit_softcapping);
    ul_key_f32(k, "final_logit_softcapping", &m->f_final_logit_softcapping);
    gemma_attention_scale(m, m->n_layer == 46);
}

static void hparams_gemma3(struct ul_keys *k, struct ul_model *m)
{
    m->f_final_logit_softcapping = 0.0f;
    ul_key_f32(k, "final_logit_softcapping", &m->f_final_logit_softcapping);
    gemma_attention_scale(m, m->n_layer == 62);
}

/* src/models/gemma3n.cpp: the first 20 layers own a cache, the others share the last two. */
static void hparams_gemma3n(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    m->n_layer_kv_from_start = 20;
    m->f_attention_scale = 1.0f;
}

static void hparams_gemma4(struct ul_keys *k, struct ul_model *m)
{
    uint32_t shared = 0;
    ul_key_u32(k, "attention.shared_kv_layers", &shared);
    if (shared > m->n_layer_all)
        ul_key_fail(k, "attention.shared_kv_layers", "%u of %u layers", shared, m->n_layer_all);
    m->n_layer_kv_from_start = (int32_t)(m->n_layer_all - shared);
    m->f_attention_scale = 1.0f;
}

/* create_memory: the last layer of each kind that owns a cache serves those after it. */
static int reuses_gemma(const struct ul_model *m, uint32_t il)
{
    if (m->n_layer_kv_from_start < 2 || il < (uint32_t)m->n_layer_kv_from_start)
        return -1;
    return m->n_layer_kv_from_start - (m->layer[il].is_swa ? 2 : 1);
}

/* src/models/gemma4.cpp: only layers with full attention use the factors. */
static bool rope_factors_full(const struct ul_model *m, uint32_t il)
{
    return il < m->n_layer && !m->layer[il].is_swa;
}

static bool rope_factors_full_all(const struct ul_model *m, uint32_t il)
{
    return !m->layer[il].is_swa;
}

/* src/models/gemma4-assistant.cpp: a draft model, all of it counted as nextn layers. */
static void hparams_gemma4_assistant(struct ul_keys *k, struct ul_model *m)
{
    m->n_embd_inp_impl = m->n_embd_out_impl > 0 ? m->n_embd_out_impl : m->n_embd;
    m->f_attention_scale = 1.0f;
    if (m->n_layer_nextn != m->n_layer_all)
        ul_key_fail(k, "nextn_predict_layers", "%u; the engine requires all %u layers",
                    m->n_layer_nextn, m->n_layer_all);
}

static void hparams_gemma_embedding(struct ul_keys *k, struct ul_model *m)
{
    m->causal_attn = false;
    if (m->dense_2_feat_in != 0 && m->dense_2_feat_in != m->n_embd)
        ul_key_fail(k, "dense_2_feat_in", "%u; the engine requires %u", m->dense_2_feat_in,
                    m->n_embd);
    if (m->dense_3_feat_out != 0 && m->dense_3_feat_out != m->n_embd)
        ul_key_fail(k, "dense_3_feat_out", "%u; the engine requires %u", m->dense_3_feat_out,
                    m->n_embd);
    gemma_attention_scale(m, false);
}

/* src/models/falcon-h1.cpp: every layer has both attention and a state. */
static void hparams_falcon_h1(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].is_recr = true;
}

static bool every_layer(const struct ul_model *m, uint32_t il)
{
    (void)m;
    (void)il;
    return true;
}

/* src/models/cohere2moe.cpp: either epsilon will do; sigmoid gating unless a key says otherwise. */
static void hparams_cohere2moe(struct ul_keys *k, struct ul_model *m)
{
    bool layer = ul_key_f32(k, "attention.layer_norm_epsilon", &m->f_norm_eps);
    bool rms = ul_key_f32(k, "attention.layer_norm_rms_epsilon", &m->f_norm_rms_eps);
    if (!layer && !rms)
        ul_key_missing(k, "attention.layer_norm_epsilon");
    if (m->expert_gating_func == UL_GATING_NONE)
        m->expert_gating_func = UL_GATING_SIGMOID;
}

static void hparams_deepseek2ocr(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    if (m->expert_gating_func == UL_GATING_NONE)
        m->expert_gating_func = UL_GATING_SOFTMAX;
}

static void hparams_deepseek32(struct ul_keys *k, struct ul_model *m)
{
    m->f_norm_eps = 1e-6f;
    ul_key_u32s(k, "rope.dimension_sections", (uint32_t *)m->rope_sections, sizeof(int), 4);
    if (ul_key_f32(k, "rope.scaling.yarn_log_multiplier", &m->rope_yarn_log_mul))
        m->rope_yarn_log_mul /= 0.1f;
}

/* src/models/deepseek4.cpp: a key may promise a draft head whose tensors the file does not have. */
static void hparams_deepseek4(struct ul_keys *k, struct ul_model *m)
{
    uint32_t ratios[UL_MAX_LAYERS], n = 0;
    if (m->n_layer_nextn > 0 &&
        ul_weight_of(m, UL_ROLE_NEXTN_EH_PROJ, UL_WEIGHT, (int)m->n_layer) == NULL) {
        m->n_layer_nextn = 0;
        m->n_layer = m->n_layer_all;
    }
    if (!ul_key_f32s(k, "swiglu_clamp_exp", UL_PER_LAYER(m, swiglu_clamp_exp), m->n_layer_all))
        ul_key_missing(k, "swiglu_clamp_exp");
    if (!ul_key_f32s(k, "swiglu_clamp_shexp", UL_PER_LAYER(m, swiglu_clamp_shexp), m->n_layer_all))
        for (uint32_t il = 0; il < m->n_layer_all; il++)
            m->layer[il].swiglu_clamp_shexp = m->layer[il].swiglu_clamp_exp;
    m->n_embd_out_impl = m->dsv4_hc_mult * m->n_embd;
    if (!ul_key_array(k, "attention.compress_ratios", ratios, UL_MAX_LAYERS, &n))
        ul_key_missing(k, "attention.compress_ratios");
    else if (n < m->n_layer_all)
        ul_key_fail(k, "attention.compress_ratios", "%u items for %u layers", n, m->n_layer_all);
    for (uint32_t il = 0; il < m->n_layer_all && il < n; il++)
        m->layer[il].dsv4_compress_ratio = ratios[il];
    if (m->expert_gating_func != UL_GATING_SQRT_SOFTPLUS)
        ul_key_fail(k, "expert_gating_func", "%u; the engine requires %d", m->expert_gating_func,
                    UL_GATING_SQRT_SOFTPLUS);
    m->swa_type = UL_SWA_STANDARD;
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].is_swa = true;
}

static void tensors_deepseek4(struct ul_model *m, struct ul_arena *a)
{
    (void)a;
    ul_rename_role(m, UL_ROLE_ATTN_KV_A_NORM, UL_ROLE_ATTN_KV_NORM);
}

static void hparams_glm4(struct ul_keys *k, struct ul_model *m)
{
    ul_key_u32s(k, "rope.dimension_sections", (uint32_t *)m->rope_sections, sizeof(int), 4);
    if (m->rope_sections[0] > 0 && m->rope_sections[1] > 0) /* llama_hparams::use_mrope */
        m->rope_type = UL_ROPE_MROPE;
}

static void hparams_glm4moe(struct ul_keys *k, struct ul_model *m)
{
    hparams_glm4(k, m);
    ul_gating_sigmoid(m);
}

/* src/models/glm-dsa.cpp: which layers have an indexer of their own. Models before 5.2, told by
 * their context, have one in all; from 5.2 on a file says it, or else it is this pattern: two, then
 * one in four. */
static void hparams_glm_dsa(struct ul_keys *k, struct ul_model *m)
{
    ul_key_u32s(k, "rope.dimension_sections", (uint32_t *)m->rope_sections, sizeof(int), 4);
    ul_gating_sigmoid(m);
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].indexer_full = m->n_ctx_train < 1048576 || il < 2 || il % 4 == 2;
    ul_key_bools(k, "attention.indexer.types", UL_PER_LAYER(m, indexer_full), m->n_layer);
}

static void hparams_t5(struct ul_keys *k, struct ul_model *m)
{
    m->dec_n_layer = m->n_layer;
    ul_key_u32(k, "decoder_block_count", &m->dec_n_layer);
}

/* src/models/nemotron-h.cpp: a layer with neither KV heads nor a feed-forward is recurrent. */
static void hparams_nemotron_h(struct ul_keys *k, struct ul_model *m)
{
    for (uint32_t il = 0; il < m->n_layer; il++)
        m->layer[il].is_recr = m->layer[il].n_head_kv == 0 && m->layer[il].n_ff == 0;
    ul_need_f32(k, "attention.layer_norm_epsilon", &m->f_norm_eps);
}

static bool has_kv_nemotron_h(const struct ul_model *m, uint32_t il)
{
    return !m->layer[il].is_recr && m->layer[il].n_ff == 0;
}

static bool has_state_nemotron_h(const struct ul_model *m, uint32_t il)
{
    return m->layer[il].is_recr && m->layer[il].n_ff == 0;
}

/* src/models/exaone4.cpp: only the model of 64 layers has windows. */
static void hparams_exaone4(struct ul_keys *k, struct ul_model *m)
{
    if (m->n_layer == 64) {
        m->swa_type = UL_SWA_STANDARD;
        m->n_swa = 4096;
        ul_read_swa_pattern(k, m, 4, false);
        m->rope_freq_base_train_swa = m->rope_freq_base_train;
        m->rope_freq_scale_train_swa = m->rope_freq_scale_train;
        ul_key_f32(k, "rope.freq_base_swa", &m->rope_freq_base_train_swa);
    }
    ul_key_u32(k, "attention.sliding_window", &m->n_swa);
}

#define RWKV_KEYS                                                              \
    UL_OPT(F32, "attention.layer_norm_epsilon", f_norm_eps),                   \
    UL_OPT(F32, "attention.layer_norm_rms_epsilon", f_norm_rms_eps),           \
    UL_REQ(U32, "wkv.head_size", wkv_head_size),                               \
    UL_OPT(U32, "token_shift_count", token_shift_count)
#define RWKV6_KEYS                                                             \
    RWKV_KEYS, UL_REQ(U32, "time_mix_extra_dim", time_mix_extra_dim),          \
    UL_REQ(U32, "time_decay_extra_dim", time_decay_extra_dim),                 \
    UL_OPT(U32, "rescale_every_n_layers", rescale_every_n_layers)
#define RWKV7_KEYS                                                             \
    RWKV_KEYS, UL_REQ(U32, "attention.decay_lora_rank", n_lora_decay),         \
    UL_REQ(U32, "attention.iclr_lora_rank", n_lora_iclr),                      \
    UL_REQ(U32, "attention.value_residual_mix_lora_rank", n_lora_value_res_mix), \
    UL_OPT(U32, "attention.gate_lora_rank", n_lora_gate)

/* ------------------------------------------------------------------ the rows */

const struct ul_arch ul_rows_first[] = {
    {.name = "llama", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .rope_is_head = true,
     UL_DENSE(.ffn_scales = true, .moe_scales = true)},
    {.name = "llama4", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .hparams = hparams_llama4,
     .keys = UL_KEYS(NEED_FF_EXP_KEY,
                     UL_REQ(U32, "interleave_moe_layer_step", n_moe_layer_step)),
     UL_DENSE(.rotate = UL_ROTATE_STEP_IF_SET, .attn_temp = UL_TEMP_NO_ROPE_LAYERS,
              .gating = UL_GATING_SIGMOID, .moe_norm = UL_MOE_NO_NORM, .weight_before_ffn = true)},
    {.name = "deci", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .rope_is_head = true,
     UL_DENSE(0)},
    {.name = "falcon", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .rope_is_head = true,
     UL_DENSE(.residual = UL_RESIDUAL_FFN_ATTN_X, .ffn_op = UL_FFN_GELU)},
    {.name = "grok", .no_tensor_split = true, .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS,
     .no_flash_attn = true, .hparams = hparams_grok, .keys = UL_KEYS(FF_EXP_KEY),
     UL_DENSE(.ffn_op = UL_FFN_GELU, .moe_op = UL_FFN_GELU, .post_norm = UL_ROLE_ATTN_OUT_NORM,
              .ffn_post_norm = UL_ROLE_LAYER_OUT_NORM,
              .scale_sum = true, .scale_tanh = true, .soft_cap = true)},
    {.name = "gpt2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NONE, .norm = UL_NORM_LAYER,
     UL_DENSE(.rotate = UL_ROTATE_NONE, .ffn_op = UL_FFN_GELU)},
    {.name = "gptneox", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(UL_REQ(BOOL, "use_parallel_residual", use_par_res)),
     UL_DENSE(.residual = UL_RESIDUAL_PAR_RES, .ffn_op = UL_FFN_GELU)},
    {.name = "mpt", .no_tensor_split = true, .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NONE,
     .norm = UL_NORM_LAYER,
     .keys = UL_KEYS(UL_OPT(F32, "attention.clamp_kqv", f_clamp_kqv),
                     UL_OPT(F32, "attention.max_alibi_bias", f_max_alibi_bias)),
     UL_DENSE(.rotate = UL_ROTATE_NONE, .qk_norm = UL_QK_RESHAPED,
              .ffn_op = UL_FFN_GELU)},
    {.name = "baichuan", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER,
     .hparams = hparams_baichuan,
     UL_DENSE(.rotate = UL_ROTATE_32_LAYERS)},
    {.name = "starcoder", .memory = UL_MEMORY_KV, .norm = UL_NORM_LAYER,
     UL_DENSE(.rotate = UL_ROTATE_NONE, .ffn_op = UL_FFN_GELU)},
    {.name = "refact", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NONE, .norm = UL_NORM_RMS,
     .hparams = hparams_alibi,
     UL_DENSE(.rotate = UL_ROTATE_NONE, .no_wo_bias = true, .no_ffn_bias = true,
              .no_experts = true)},
    {.name = "bert", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER, .tied = UL_TIED_NO_OUTPUT,
     UL_BERT(.rotate = UL_ROTATE_NONE, .ffn_op = UL_FFN_GELU)},
    {.name = "modern-bert", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NO_OUTPUT,
     .window = {UL_WINDOW_IF_SET, UL_SWA_SYMMETRIC, .dense_first = true, .period = 3},
     .keys = UL_KEYS(UL_OPT(STR, "hidden_activation", hidden_act)),
     UL_DENSE(.ffn_op = UL_FFN_GEGLU_ERF, .no_wo_bias = true, .no_ffn_bias = true, .embeds = true),
     .rank_mean = true},
    {.name = "nomic-bert", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NO_OUTPUT,
     .keys = UL_KEYS(UL_OPT(U32, "moe_every_n_layers", moe_every_n_layers)),
     UL_BERT(.no_ffn_bias = true)},
    {.name = "nomic-bert-moe", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NO_OUTPUT,
     .keys = UL_KEYS(UL_OPT(U32, "moe_every_n_layers", moe_every_n_layers)),
     UL_BERT(.ffn_op = UL_FFN_GELU)},
    {.name = "neo-bert", .norm = UL_NORM_RMS, .tied = UL_TIED_NO_OUTPUT,
     UL_DENSE(.ffn_op = UL_FFN_SWIGLU, .no_wo_bias = true, .no_ffn_bias = true, .embeds = true)},
    {.name = "jina-bert-v2", .rope_type = UL_ROPE_NONE, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NO_OUTPUT, .hparams = hparams_alibi,
     UL_BERT(.rotate = UL_ROTATE_NONE, .ffn_op = UL_FFN_GELU)},
    {.name = "jina-bert-v3", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NO_OUTPUT, UL_BERT(.ffn_op = UL_FFN_GELU)},
    {.name = "eurobert", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NO_OUTPUT,
     UL_DENSE(.no_wo_bias = true, .no_ffn_bias = true, .embeds = true)},
    {.name = "bloom", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NONE, .norm = UL_NORM_LAYER,
     .hparams = hparams_alibi,
     UL_DENSE(.rotate = UL_ROTATE_NONE, .ffn_op = UL_FFN_GELU)},
    {.name = "stablelm", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NEVER,
     UL_DENSE(.norm_or_parallel = true)},
    {.name = "qwen", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER,
     UL_DENSE(0)},
    {.name = "qwen2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     UL_DENSE(0)},
    {.name = "qwen2moe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(FF_EXP_KEY, FF_SHEXP_KEY),
     UL_DENSE(.moe_norm = UL_MOE_NO_NORM)},
    {.name = "qwen2vl", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_MROPE, .norm = UL_NORM_RMS,
     .hparams = ul_hparams_rope_sections,
     UL_DENSE(.no_output_bias = true)},
    {.name = "qwen3", .rank_soft_max = true, .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     UL_DENSE(.ffn_scales = true)},
    {.name = "qwen3moe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .keys = UL_KEYS(FF_EXP_KEY),
     UL_DENSE(.moe_scales = true)},
    {.name = "qwen3next", .gated_q = true, .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .nextn = UL_NEXTN_DRAFT, .has_kv = ul_has_kv_hybrid,
     .has_state = ul_has_state_hybrid, .hparams = ul_hparams_delta_net,
     .tensors = ul_tensors_delta_net, .build = ul_prog_qwen3next,
     .build_mtp = ul_head_qwen3next,
     .keys = UL_KEYS(FF_EXP_KEY, FF_SHEXP_KEY, UL_SSM_KEYS, UL_SSM_GROUP_KEY)},
    {.name = "qwen3vl", .rank_soft_max = true, .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_IMROPE, .norm = UL_NORM_RMS,
     .hparams = ul_hparams_rope_sections,
     .keys = UL_KEYS(UL_OPT(U32, "n_deepstack_layers", n_deepstack_layers)),
     UL_DENSE(0)},
    {.name = "qwen3vlmoe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_IMROPE,
     .norm = UL_NORM_RMS, .hparams = ul_hparams_rope_sections,
     .keys = UL_KEYS(UL_OPT(U32, "n_deepstack_layers", n_deepstack_layers), FF_EXP_KEY),
     UL_DENSE(0)},
    {.name = "qwen35", .rolls_back = true, .gated_q = true, .memory = UL_MEMORY_HYBRID,
     .rope_type = UL_ROPE_IMROPE, .norm = UL_NORM_RMS, .nextn = UL_NEXTN_DRAFT,
     .has_kv = ul_has_kv_hybrid,
     .has_state = ul_has_state_hybrid, .grouped_state = true, .hparams = hparams_qwen35,
     .tensors = ul_tensors_delta_net, .keys = UL_KEYS(UL_SSM_KEYS, UL_SSM_GROUP_KEY),
     .build = ul_prog_qwen35, .build_mtp = ul_head_qwen35},
    {.name = "qwen35moe", .rolls_back = true, .gated_q = true, .memory = UL_MEMORY_HYBRID,
     .rope_type = UL_ROPE_IMROPE, .norm = UL_NORM_RMS, .nextn = UL_NEXTN_DRAFT,
     .has_kv = ul_has_kv_hybrid,
     .has_state = ul_has_state_hybrid, .grouped_state = true, .hparams = hparams_qwen35,
     .tensors = ul_tensors_delta_net, .build = ul_prog_qwen35, .build_mtp = ul_head_qwen35,
     .keys = UL_KEYS(FF_EXP_KEY, FF_SHEXP_KEY, UL_SSM_KEYS, UL_SSM_GROUP_KEY)},
    {.name = "phi2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NEVER,
     UL_DENSE(.residual = UL_RESIDUAL_ATTN_FFN_X, .ffn_op = UL_FFN_GELU, .scale_q = true)},
    {.name = "phi3", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .hparams = hparams_phi3,
     UL_DENSE(.residual = UL_RESIDUAL_SWAPPED, .ffn_op = UL_FFN_SWIGLU, .scale_q = true)},
    {.name = "phimoe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER,
     UL_DENSE(.residual = UL_RESIDUAL_SWAPPED, .ffn_op = UL_FFN_SWIGLU, .scale_q = true)},
    {.name = "plamo", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER,
     UL_DENSE(.residual = UL_RESIDUAL_FFN_ATTN_X)},
    {.name = "plamo2", .no_tensor_split = true, .memory = UL_MEMORY_HYBRID,
     .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .hparams = ul_recurrent_without_heads, .has_kv = ul_not_recurrent,
     .has_state = ul_recurrent,
     .keys = UL_KEYS(UL_SSM_KEYS, UL_SSM_GROUP_KEY,
                     UL_OPT(U32, "attention.key_length", n_embd_head_k_full),
                     UL_OPT(U32, "attention.value_length", n_embd_head_v_full)),
     .build = ul_prog_plamo2, .dense = {.no_qkv_scale = true}},
    {.name = "plamo3", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .window = {UL_WINDOW_IF_SET, UL_SWA_STANDARD, .period = 8},
     UL_DENSE(.ffn_op = UL_FFN_SWIGLU, .no_qkv_scale = true)},
    {.name = "codeshell", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_LAYER, .tied = UL_TIED_NEVER,
     UL_DENSE(.ffn_op = UL_FFN_GELU)},
    {.name = "orion", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NEVER,
     UL_DENSE(0)},
    {.name = "internlm2", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER,
     UL_DENSE(0)},
    {.name = "minicpm", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .hparams = hparams_minicpm,
     UL_DENSE(.rotate = UL_ROTATE_LAYER)},
    {.name = "minicpm3", .no_tensor_split = true, .memory = UL_MEMORY_KV,
     .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS, .build = ul_prog_minicpm3,
     .keys = UL_KEYS(UL_REQ(U32, "attention.q_lora_rank", n_lora_q),
                     UL_REQ(U32, "attention.kv_lora_rank", n_lora_kv))},
    {.name = "gemma", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_ALWAYS,
     UL_DENSE(.ffn_op = UL_FFN_GELU, .scale_embd = true, .scale_q = true)},
    {.name = "gemma2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_ALWAYS, .hparams = hparams_gemma2,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .same_rope = true, .period = 2, .n_swa = 4096},
     UL_DENSE(.ffn_op = UL_FFN_GELU, .scale_embd = true, .scale_q = true,
              .post_norm_unpinned = true, .soft_cap = true)},
    {.name = "gemma3", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .hparams = hparams_gemma3, .window = {UL_WINDOW_IF_SET, UL_SWA_STANDARD, .period = 6},
     UL_DENSE(.ffn_op = UL_FFN_GELU, .scale_rows = true, .scale_q = true,
              .post_norm_unpinned = true, .soft_cap = true)},
    {.name = "gemma3n", .tied_twice = true, .no_tensor_split = true, .memory = UL_MEMORY_KV,
     .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .hparams = hparams_gemma3n, .reuses = reuses_gemma,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .period = 5},
     .build = ul_prog_gemma3n, .dense = {.soft_cap = true}},
    {.name = "gemma4", .tied_twice = true, .lazy_per_layer = true, .memory = UL_MEMORY_KV,
     .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .hparams = hparams_gemma4, .reuses = reuses_gemma, .rope_factors = rope_factors_full,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .per_layer = true},
     .keys = UL_KEYS(FF_EXP_KEY,
                     UL_REQ(U32, "embedding_length_per_layer_input", n_embd_per_layer),
                     UL_REQ(U32, "attention.key_length_swa", n_embd_head_k_swa),
                     UL_REQ(U32, "attention.value_length_swa", n_embd_head_v_swa),
                     UL_OPT(F32, "final_logit_softcapping", f_final_logit_softcapping)),
     .build = ul_prog_gemma4, .dense = {.soft_cap = true}},
    {.name = "gemma4-assistant", .draft_only = true, .memory = UL_MEMORY_KV,
     .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .tied = UL_TIED_ALWAYS, .nextn = UL_NEXTN_LOADED,
     .hparams = hparams_gemma4_assistant, .rope_factors = rope_factors_full_all,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .per_layer = true},
     .keys = UL_KEYS(UL_REQ(U32, "attention.key_length_swa", n_embd_head_k_swa),
                     UL_REQ(U32, "attention.value_length_swa", n_embd_head_v_swa))},
    {.name = "gemma-embedding", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .hparams = hparams_gemma_embedding,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_SYMMETRIC, .period = 6},
     .keys = UL_KEYS(UL_OPT(U32, "dense_2_feat_in", dense_2_feat_in),
                     UL_OPT(U32, "dense_2_feat_out", dense_2_feat_out),
                     UL_OPT(U32, "dense_3_feat_in", dense_3_feat_in),
                     UL_OPT(U32, "dense_3_feat_out", dense_3_feat_out)),
     UL_DENSE(.ffn_op = UL_FFN_GELU, .scale_rows = true, .scale_q = true, .no_wo_bias = true,
              .no_ffn_bias = true, .post_norm_unpinned = true, .no_rope_factors = true,
              .embeds = true)},
    {.name = "starcoder2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_LAYER,
     UL_DENSE(.ffn_op = UL_FFN_GELU)},
    {.name = "mamba", .no_tensor_split = true, .memory = UL_MEMORY_RECURRENT,
     .rope_type = UL_ROPE_NONE,
     .norm = UL_NORM_RMS, .keys = UL_KEYS(UL_SSM_KEYS,
     UL_OPT(BOOL, "ssm.dt_b_c_rms", ssm_dt_b_c_rms)), .build = ul_prog_mamba},
    {.name = "mamba2", .no_tensor_split = true, .memory = UL_MEMORY_RECURRENT,
     .rope_type = UL_ROPE_NONE,
     .norm = UL_NORM_RMS, .keys = UL_KEYS(UL_SSM_KEYS, UL_SSM_GROUP_KEY), .build = ul_prog_mamba2},
    {.name = "jamba", .no_tensor_split = true, .memory = UL_MEMORY_HYBRID,
     .rope_type = UL_ROPE_NONE, .norm = UL_NORM_RMS,
     .hparams = ul_recurrent_without_heads, .has_kv = ul_not_recurrent,
     .has_state = ul_recurrent, .keys = UL_KEYS(UL_SSM_KEYS), .build = ul_prog_jamba},
    {.name = "falcon-h1", .no_tensor_split = true, .memory = UL_MEMORY_HYBRID,
     .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .hparams = hparams_falcon_h1, .has_kv = every_layer,
     .has_state = every_layer, .keys = UL_KEYS(UL_SSM_KEYS, UL_SSM_GROUP_KEY),
     .build = ul_prog_falcon_h1},
    {.name = "xverse", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER,
     UL_DENSE(0)},
    {.name = "command-r", .memory = UL_MEMORY_KV, .norm = UL_NORM_LAYER, .tied = UL_TIED_ALWAYS,
     .keys = UL_KEYS(UL_OPT(F32, "logit_scale", f_logit_scale)),
     UL_DENSE(.residual = UL_RESIDUAL_FFN_X_ATTN)},
    {.name = "cohere2", .memory = UL_MEMORY_KV, .norm = UL_NORM_LAYER, .tied = UL_TIED_ALWAYS,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .same_rope = true, .period = 4},
     .keys = UL_KEYS(UL_REQ(F32, "logit_scale", f_logit_scale)),
     UL_DENSE(.residual = UL_RESIDUAL_FFN_X_ATTN, .rotate = UL_ROTATE_SWA, .ffn_scales = true)},
    {.name = "cohere2moe", .memory = UL_MEMORY_KV, .nextn = UL_NEXTN_DRAFT, .has_kv = ul_trunk_only,
     .draft_kept = UL_ROLES({UL_ROLE_NEXTN_EMBED_TOKENS, UL_WEIGHT},
                            {UL_ROLE_NEXTN_SHARED_HEAD_HEAD, UL_WEIGHT},
                            {UL_ROLE_NEXTN_SHARED_HEAD_NORM, UL_WEIGHT}),
     .hparams = hparams_cohere2moe,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .dense_first = true, .same_rope = true,
     .period = 4},
     .keys = UL_KEYS(UL_REQ(F32, "logit_scale", f_logit_scale),
                     UL_REQ(U32, "leading_dense_block_count", n_layer_dense_lead), NEED_FF_EXP_KEY,
                     FF_SHEXP_KEY, SHARED_KEY, EXPERT_SCALE_KEYS, GATING_KEY),
     UL_DENSE(.residual = UL_RESIDUAL_FFN_X_ATTN, .rotate = UL_ROTATE_SWA_OR_LEAD,
              .ffn_scales = true, .moe_scales = true, .shexp_scales = true,
              .halve_shared = true, .moe_norm = UL_MOE_NORM_MODEL)},
    {.name = "dbrx", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(UL_REQ(F32, "attention.clamp_kqv", f_clamp_kqv)),
     UL_DENSE(.ffn_norm = UL_ROLE_ATTN_OUT_NORM)},
    {.name = "olmo", .memory = UL_MEMORY_KV, .norm = UL_NORM_LAYER,
     .keys = UL_KEYS(UL_OPT(F32, "attention.clamp_kqv", f_clamp_kqv)),
     UL_DENSE(0)},
    {.name = "olmo2", .no_tensor_split = true, .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER,
     .window = {UL_WINDOW_IF_SET, UL_SWA_STANDARD, .same_rope = true, .period = 4},
     UL_DENSE(.no_pre_norms = true, .qk_norm = UL_QK_FLAT, .post_norm_unpinned = true)},
    {.name = "olmoe", .no_tensor_split = true, .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER,
     UL_DENSE(.qk_norm = UL_QK_FLAT, .moe_norm = UL_MOE_NO_NORM)},
    {.name = "muse-glimmer", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .same_rope = true, .period = 4},
     .keys = UL_KEYS(UL_OPT(F32, "final_logit_softcapping", f_final_logit_softcapping),
                     UL_REQ(F32, "logit_scale", f_logit_scale)),
     UL_DENSE(.rotate = UL_ROTATE_SWA, .attn_gate = UL_GATE_SIGMOID, .norm_embd = true,
              .post_norm_all_rows = true, .post_norms_bare = true, .soft_cap = true)},
    {.name = "openelm", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_ALWAYS,
     UL_DENSE(.residual = UL_RESIDUAL_REVERSED, .qkv_heads = true)},
    {.name = "arctic", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     UL_DENSE(.residual = UL_RESIDUAL_EXPERTS_OF_X)},
    {.name = "deepseek", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .keys = UL_KEYS(DENSE_LEAD_KEY, NEED_FF_EXP_KEY, NEED_SHARED_KEY,
                     UL_OPT(F32, "expert_weights_scale", expert_weights_scale)),
     UL_DENSE(.moe_norm = UL_MOE_NO_NORM)},
    {.name = "deepseek2", .no_tensor_split = true, .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_DRAFT, .has_kv = ul_trunk_only,
     .hparams = ul_hparams_deepseek2, .build = ul_prog_deepseek2,
     .build_mtp = ul_head_deepseek2,
     .keys = UL_KEYS(DENSE_LEAD_KEY, LATENT_KEYS, NEED_FF_EXP_KEY, NEED_SHARED_KEY,
                     EXPERT_SCALE_KEYS, GATING_KEY,
                     UL_OPT(F32, "attention.temperature_scale", f_attn_temp_scale),
                     UL_OPT(U32, "attention.temperature_length", n_attn_temp_floor_scale))},
    {.name = "deepseek2-ocr", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .hparams = hparams_deepseek2ocr, UL_DENSE(.moe_norm = UL_MOE_NORM_MODEL),
     .keys = UL_KEYS(DENSE_LEAD_KEY, NEED_FF_EXP_KEY, NEED_SHARED_KEY, EXPERT_SCALE_KEYS,
                     GATING_KEY)},
    {.name = "deepseek32", .no_tensor_split = true, .memory = UL_MEMORY_DSA, .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_DRAFT,
     .has_kv = ul_trunk_only, .draft_kept = UL_ROLES({UL_ROLE_FFN_EXP_PROBS_B, UL_BIAS}),
     .rotates_index = true, .hparams = hparams_deepseek32, .build = ul_prog_sparse, .build_mtp = ul_head_deepseek2,
     .keys = UL_KEYS(NEED_FF_EXP_KEY, NEED_SHARED_KEY, DENSE_LEAD_KEY, EXPERT_SCALE_KEYS,
                     UL_REQ(U32, "attention.q_lora_rank", n_lora_q), LATENT_KEYS, INDEXER_KEYS,
                     UL_REQ(U32, "expert_gating_func", expert_gating_func))},
    {.name = "deepseek4", .rolls_back = true, .rotates_index = true, .memory = UL_MEMORY_DSV4,
     .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_DRAFT,
     .tied = UL_TIED_NEVER, .hparams = hparams_deepseek4, .tensors = tensors_deepseek4,
     .no_mixed_input = true, .build = ul_prog_dsv4, .resolves_fused = true,
     .keys = UL_KEYS(UL_REQ(U32, "attention.q_lora_rank", n_lora_q),
                     UL_REQ(U32, "attention.sliding_window", n_swa), NEED_FF_EXP_KEY,
                     NEED_SHARED_KEY, UL_REQ(F32, "expert_weights_scale", expert_weights_scale),
                     UL_REQ(BOOL, "expert_weights_norm", expert_weights_norm), INDEXER_KEYS,
                     UL_REQ(U32, "attention.output_group_count", dsv4_o_group_count),
                     UL_REQ(U32, "attention.output_lora_rank", dsv4_o_lora_rank),
                     UL_REQ(F32, "attention.compress_rope_freq_base", dsv4_compress_rope_base),
                     UL_REQ(U32, "hyper_connection.count", dsv4_hc_mult),
                     UL_REQ(U32, "hyper_connection.sinkhorn_iterations", dsv4_hc_sinkhorn_iters),
                     UL_REQ(F32, "hyper_connection.epsilon", dsv4_hc_eps),
                     UL_REQ(U32, "hash_layer_count", dsv4_hash_layer_count),
                     UL_REQ(U32, "expert_gating_func", expert_gating_func))},
    {.name = "chatglm", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     UL_DENSE(.ffn_op = UL_FFN_SWIGLU)},
    {.name = "glm4", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .nextn = UL_NEXTN_SKIPPED,
     .has_kv = ul_trunk_only,
     .hparams = hparams_glm4,
     UL_DENSE(.ffn_op = UL_FFN_SWIGLU)},
    {.name = "glm4moe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_DRAFT, .has_kv = ul_trunk_only, .hparams = hparams_glm4moe,
     .build_mtp = ul_head_dense,
     .keys = UL_KEYS(NEED_FF_EXP_KEY, NEED_SHARED_KEY, DENSE_LEAD_KEY, EXPERT_SCALE_KEYS,
                     GATING_KEY),
     UL_DENSE(.ffn_norm = UL_ROLE_ATTN_POST_NORM, .moe_norm = UL_MOE_NORM_MODEL)},
    {.name = "glm-dsa", .no_tensor_split = true, .memory = UL_MEMORY_DSA, .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_DRAFT,
     .has_kv = ul_trunk_only, .has_indexer = ul_indexer_full,
     .draft_kept = UL_ROLES({UL_ROLE_FFN_EXP_PROBS_B, UL_BIAS}),
     .rotates_index = true, .hparams = hparams_glm_dsa, .build = ul_prog_sparse,
     .build_mtp = ul_head_deepseek2,
     .keys = UL_KEYS(NEED_FF_EXP_KEY, NEED_SHARED_KEY, DENSE_LEAD_KEY, EXPERT_SCALE_KEYS,
                     UL_REQ(U32, "attention.q_lora_rank", n_lora_q), LATENT_KEYS, INDEXER_KEYS,
                     GATING_KEY)},
    {.name = "bitnet", .no_tensor_split = true, .memory = UL_MEMORY_KV,
     .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NO_OUTPUT,
     UL_DENSE(.ffn_scales = true)},
    {.name = "t5", .no_tensor_split = true, .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NONE,
     .norm = UL_NORM_RMS,
     .has_encoder = true, .outputs_embd = true, .hparams = hparams_t5, .build = ul_prog_t5,
     .keys = UL_KEYS(UL_REQ(U32, "attention.relative_buckets_count", n_rel_attn_bkts))},
    {.name = "t5encoder", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NONE, .norm = UL_NORM_RMS,
     .has_encoder = true, .build = ul_prog_t5encoder,
     .keys = UL_KEYS(UL_REQ(U32, "attention.relative_buckets_count", n_rel_attn_bkts))},
    {.name = "jais", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NONE, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NEVER,
     .keys = UL_KEYS(UL_OPT(F32, "attention.max_alibi_bias", f_max_alibi_bias)),
     UL_DENSE(.rotate = UL_ROTATE_NONE)},
    {.name = "jais2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     UL_DENSE(.ffn_op = UL_FFN_RELU_SQR)},
    {.name = "nemotron", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NEVER,
     UL_DENSE(.ffn_op = UL_FFN_RELU_SQR)},
#define NEMOTRON_H                                                                             \
    .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_NONE, .norm = UL_NORM_RMS,                \
    .nextn = UL_NEXTN_DRAFT, .has_kv = has_kv_nemotron_h, .has_state = has_state_nemotron_h,   \
    .hparams = hparams_nemotron_h,                                                             \
    .keys = UL_KEYS(UL_SSM_KEYS, UL_SSM_GROUP_KEY, FF_EXP_KEY, FF_SHEXP_KEY, SHARED_KEY,       \
                    EXPERT_SCALE_KEYS, UL_OPT(U32, "moe_latent_size", moe_latent_size))
    {.name = "nemotron_h", .rolls_back = true, .no_tensor_split = true, NEMOTRON_H,
     .build = ul_prog_nemotron_h},
    {.name = "nemotron_h_moe", .rolls_back = true, .no_tensor_split = true, NEMOTRON_H,
     .build = ul_prog_nemotron_h},
    {.name = "exaone", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     UL_DENSE(0)},
    {.name = "exaone4", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_SKIPPED, .has_kv = ul_trunk_only, .hparams = hparams_exaone4,
     UL_DENSE(.rotate = UL_ROTATE_SWA_IF_ANY, .no_pre_norms = true, .post_norm_unpinned = true)},
    {.name = "exaone-moe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER,
     .nextn = UL_NEXTN_SKIPPED, .has_kv = ul_trunk_only,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .same_rope = true, .period = 4},
     .keys = UL_KEYS(SHARED_KEY, NEED_FF_EXP_KEY, FF_SHEXP_KEY,
                     UL_REQ(U32, "expert_gating_func", expert_gating_func), EXPERT_SCALE_KEYS,
                     DENSE_LEAD_KEY),
     UL_DENSE(.rotate = UL_ROTATE_SWA, .moe_norm = UL_MOE_NORM_MODEL)},
    {.name = "rwkv6", .memory = UL_MEMORY_RECURRENT, .rope_type = UL_ROPE_NONE,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(RWKV6_KEYS), .build = ul_prog_rwkv6},
    {.name = "rwkv6qwen2", .memory = UL_MEMORY_RECURRENT, .rope_type = UL_ROPE_NONE,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(RWKV6_KEYS), .build = ul_prog_rwkv6qwen2},
    {.name = "rwkv7", .memory = UL_MEMORY_RECURRENT, .rope_type = UL_ROPE_NONE,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(RWKV7_KEYS), .build = ul_prog_rwkv7},
    {.name = "arwkv7", .memory = UL_MEMORY_RECURRENT, .rope_type = UL_ROPE_NONE,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(RWKV7_KEYS), .build = ul_prog_arwkv7},
    {0},
};
