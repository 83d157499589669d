/* Rows of the architectures from granite on, in the engine's order. A row's facts come from its
 * file under src/models/ (load_arch_hparams, load_arch_tensors), from llama_model_rope_type and
 * llama_model::create_memory in src/llama-model.cpp, and where the pinned engine goes beyond that
 * source, from what it was seen to do. Fields that a row does not name have the meaning of zero, as
 * in rows_first.c. */
#include "arch/rows.h"

/* ------------------------------------------------------------------ granite */

/* src/models/granite.cpp, granite-swa.cpp: which features of a vision tower go in before a layer.
 * They come appended to the embeddings, once for each different number. */
static void read_deepstack(struct ul_keys *k, struct ul_model *m)
{
    static const char key[] = "deepstack_mapping";
    uint32_t values[UL_MAX_LAYERS], n = 0;
    bool seen[UL_MAX_LAYERS + 1] = {false};
    int32_t largest = -1;
    if (!ul_key_array(k, key, values, UL_MAX_LAYERS, &n))
        return;
    for (uint32_t i = 0; i < n; i++) {
        int32_t v = (int32_t)values[i];
        if (i < m->n_layer_all)
            m->layer[i].deepstack = v;
        if (v < 0)
            continue;
        largest = v > largest ? v : largest;
        if (v <= UL_MAX_LAYERS && !seen[v]) {
            seen[v] = true;
            m->n_deepstack_layers++;
        }
    }
    if (largest >= 0 && (uint32_t)largest > m->n_deepstack_layers)
        ul_key_fail(k, key, "feature %d of %u", largest, m->n_deepstack_layers);
}

/* rope.scaling.finetuned is granite's switch for rope, in all layers at once. */
static void read_rope_switch(struct ul_keys *k, struct ul_model *m)
{
    m->rope_finetuned = true;
    ul_key_bool(k, "rope.scaling.finetuned", &m->rope_finetuned);
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].rope = m->rope_finetuned;
}

static void hparams_granite(struct ul_keys *k, struct ul_model *m)
{
    read_deepstack(k, m);
    read_rope_switch(k, m);
}

static void hparams_granite_hybrid(struct ul_keys *k, struct ul_model *m)
{
    read_rope_switch(k, m);
    ul_recurrent_without_heads(k, m);
}

static void hparams_granite_swa(struct ul_keys *k, struct ul_model *m)
{
    uint32_t rope[UL_MAX_LAYERS], n = 0;
    read_deepstack(k, m);
    if (ul_key_array(k, "attention.rope_pattern", rope, UL_MAX_LAYERS, &n))
        for (uint32_t il = 0; il < n && il < m->n_layer_all; il++)
            m->layer[il].rope = rope[il] != 0;
}

/* An array of one token a adapter: its length is checked, its tokens are not used here. */
static void check_adapter_tokens(struct ul_keys *k, const struct ul_model *m, const char *key)
{
    uint64_t n = 0;
    if (!ul_key_count(k, key, &n))
        ul_key_missing(k, key);
    else if (n != m->n_adapters)
        ul_key_fail(k, key, "%llu tokens for %u adapters", (unsigned long long)n, m->n_adapters);
}

/* src/models/granite-switch.cpp: a layer behind the others routes between adapters. It has one
 * head, no weights, and a cache of its own; the engine counts it as a draft head to keep it out of
 * the stack. */
static void hparams_granite_switch(struct ul_keys *k, struct ul_model *m)
{
    uint32_t n = m->n_layer;
    read_rope_switch(k, m);
    check_adapter_tokens(k, m, "adapters.token_ids_activate");
    check_adapter_tokens(k, m, "adapters.token_ids_substitute");
    if (m->n_adapters > 4096 || m->max_lora_rank > 4096)
        ul_key_fail(k, "adapters.count", "%u adapters of rank %u; the engine takes at most 4096",
                    m->n_adapters, m->max_lora_rank);
    if (n >= UL_MAX_LAYERS) {
        ul_key_fail(k, "block_count", "%u layers leave no room for the router", n);
        return;
    }
    m->router_layer = (int32_t)n;
    m->n_layer_all = n + 1;
    m->n_layer_nextn = 1;
    m->layer[n] = (struct ul_layer){.n_head = 1, .n_head_kv = 1, .rope = true, .deepstack = -1};
}

/* ------------------------------------------------------------------ experts and windows */

/* src/models/wavtokenizer-dec.cpp, load_hparams: what goes in are features, what comes out has the
 * length that other models call their embedding's. */
static void hparams_wavtokenizer(struct ul_keys *k, struct ul_model *m)
{
    m->n_embd_out_impl = m->n_embd;
    ul_need_u32(k, "features_length", &m->n_embd);
    if (m->posnet_n_layer > m->n_layer_all)
        ul_key_fail(k, "posnet.block_count", "%u of %u layers", m->posnet_n_layer, m->n_layer_all);
    if (m->convnext_n_layer > m->n_layer_all)
        ul_key_fail(k, "convnext.block_count", "%u of %u layers", m->convnext_n_layer,
                    m->n_layer_all);
}

/* src/models/hunyuan-vl.cpp, llama_model_rope_type: with sections, rope has as many dimensions. */
static void hparams_hunyuan_vl(struct ul_keys *k, struct ul_model *m)
{
    ul_read_rope_sections(k, m);
    if (m->rope_sections[0] > 0 && m->rope_sections[1] > 0)
        m->rope_type = UL_ROPE_MROPE;
}

/* src/models/bailingmoe3.cpp: the gate of the delta net must be the one that the graph knows. */
static void hparams_bailingmoe3(struct ul_keys *k, struct ul_model *m)
{
    ul_recurrent_without_heads(k, m);
    hparams_hunyuan_vl(k, m); /* newer than the source that was read */
    m->kda_safe_gate = true;
    ul_key_bool(k, "kda.safe_gate", &m->kda_safe_gate);
    if (!m->kda_safe_gate)
        ul_key_fail(k, "kda.safe_gate", "false, and the engine requires it");
    if (!(m->kda_gate_lower_bound < 0.0f))
        ul_key_fail(k, "kda.gate_lower_bound", "not below 0");
    ul_key_f32s(k, "swiglu_clamp_exp", UL_PER_LAYER(m, swiglu_clamp_exp), m->n_layer_all);
    ul_key_f32s(k, "swiglu_clamp_shexp", UL_PER_LAYER(m, swiglu_clamp_shexp), m->n_layer_all);
    if (m->n_ff_shexp == 0)
        m->n_ff_shexp = m->n_ff_exp * (m->n_expert_shared > 0 ? m->n_expert_shared : 1);
}

/* Which layers have an indexer of their own; an array of any length, as get_arr takes it. */
static void need_indexer_types(struct ul_keys *k, struct ul_model *m)
{
    static const char key[] = "attention.indexer.types";
    uint32_t values[UL_MAX_LAYERS], n = 0;
    if (!ul_key_array(k, key, values, UL_MAX_LAYERS, &n))
        ul_key_missing(k, key);
    for (uint32_t il = 0; il < n && il < m->n_layer_all; il++)
        m->layer[il].indexer_full = values[il] != 0;
}

static void hparams_dots3note(struct ul_keys *k, struct ul_model *m)
{
    m->f_norm_eps = 1e-6f;
    need_indexer_types(k, m);
}

/* src/models/laguna.cpp: windowed layers rotate plainly, with the others' base but not their scale;
 * the shared expert's width is a key of its own. */
static void hparams_laguna(struct ul_keys *k, struct ul_model *m)
{
    ul_gating_sigmoid(m);
    m->n_expert_shared = 1;
    ul_key_u32(k, "expert_shared_count", &m->n_expert_shared);
    if (m->n_ff_shexp == 0)
        m->n_ff_shexp = m->n_ff_exp * m->n_expert_shared;
    m->rope_freq_base_train_swa = m->rope_freq_base_train;
    ul_key_f32(k, "rope.freq_base_swa", &m->rope_freq_base_train_swa);
}

/* src/models/smallthinker.cpp: any window means 4096. */
static void hparams_smallthinker(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    if (m->swa_type != UL_SWA_NONE)
        m->n_swa = 4096;
    else
        m->n_no_rope_layer_step = m->n_layer;
}

static void hparams_no_cause(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    m->causal_attn = false;
}

/* src/models/lfm2.cpp: a window holds for all layers with attention. */
static void hparams_lfm2(struct ul_keys *k, struct ul_model *m)
{
    ul_recurrent_without_heads(k, m);
    m->n_layer_dense_lead = m->n_layer;
    if (!ul_key_u32(k, "attention.sliding_window", &m->n_swa) || m->n_swa == 0)
        return;
    m->swa_type = UL_SWA_STANDARD;
    for (uint32_t il = 0; il < m->n_layer; il++)
        m->layer[il].is_swa = !m->layer[il].is_recr;
}

/* The norm of the output goes by the name of the embedding's (LLM_TENSOR_OUTPUT_NORM_LFM2), and
 * stands with the output. */
static void tensors_lfm2(struct ul_model *m, struct ul_arena *a)
{
    (void)a;
    for (size_t i = 0; i < m->n_weights; i++)
        if (m->weights[i].role == UL_ROLE_TOKEN_EMBD_NORM)
            m->weights[i].layer = -1;
    ul_rename_role(m, UL_ROLE_TOKEN_EMBD_NORM, UL_ROLE_OUTPUT_NORM_LFM2);
}

/* src/models/apertus.cpp: the activation's numbers, a layer each. */
static void hparams_apertus(struct ul_keys *k, struct ul_model *m)
{
    if (!ul_key_f32s(k, "xielu.alpha_n", UL_PER_LAYER(m, xielu_alpha_n), m->n_layer))
        ul_key_missing(k, "xielu.alpha_n");
    if (!ul_key_f32s(k, "xielu.alpha_p", UL_PER_LAYER(m, xielu_alpha_p), m->n_layer))
        ul_key_missing(k, "xielu.alpha_p");
    if (!ul_key_f32s(k, "xielu.beta", UL_PER_LAYER(m, xielu_beta), m->n_layer))
        ul_key_missing(k, "xielu.beta");
    if (!ul_key_f32s(k, "xielu.eps", UL_PER_LAYER(m, xielu_eps), m->n_layer))
        ul_key_missing(k, "xielu.eps");
}

/* src/models/minimax-01.cpp: every eighth layer has full attention, the others the linear one,
 * unless a key says it layer by layer. */
static void hparams_minimax_01(struct ul_keys *k, struct ul_model *m)
{
    uint32_t interval = 8;
    m->n_embd_head_la = m->n_embd_head_k_full;
    if (ul_key_bools(k, "attention.recurrent_layers", UL_PER_LAYER(m, is_recr), m->n_layer_all))
        return;
    ul_key_u32(k, "full_attention_interval", &interval);
    if (interval == 0) {
        ul_key_fail(k, "full_attention_interval", "0: the engine divides by it");
        return;
    }
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].is_recr = il < m->n_layer && (il + 1) % interval != 0;
}

static void hparams_minimax_m3(struct ul_keys *k, struct ul_model *m)
{
    if (m->indexer_block_size == 0)
        ul_key_fail(k, "attention.indexer.block_size", "0: the engine divides by it");
}

/* src/models/mistral3.cpp. */
static void hparams_mistral3(struct ul_keys *k, struct ul_model *m)
{
    m->n_attn_temp_floor_scale = m->f_attn_temp_scale != 0.0f ? m->n_ctx_orig_yarn : 0;
    if (m->f_attn_temp_scale != 0.0f && m->n_ctx_orig_yarn == 0)
        ul_key_fail(k, "rope.scaling.original_context_length",
                    "0, and attention.temperature_scale needs it");
}

/* ------------------------------------------------------------------ draft models */

/* src/models/eagle3.cpp: features of three layers of the model that it drafts for. */
static void hparams_eagle3(struct ul_keys *k, struct ul_model *m)
{
    uint32_t layers[UL_MAX_LAYERS], n = 0, width = 0;
    if (!ul_key_array(k, "target_layers", layers, UL_MAX_LAYERS, &n))
        ul_key_missing(k, "target_layers");
    else if (n != 3)
        ul_key_fail(k, "target_layers", "%u layers; the engine requires 3", n);
    ul_need_u32(k, "target_hidden_size", &width);
    m->n_embd_inp_enc_impl = 3 * width;
}

/* A drafter whose blocks are DeepSeek V4's: every layer has the window, and its own rope. */
static void hparams_dspark(struct ul_keys *k, struct ul_model *m)
{
    m->rope_type = UL_ROPE_NORM;
    ul_need_u32(k, "attention.q_lora_rank", &m->n_lora_q);
    ul_need_u32(k, "attention.sliding_window", &m->n_swa);
    ul_need_u32(k, "expert_feed_forward_length", &m->n_ff_exp);
    ul_need_u32(k, "expert_shared_count", &m->n_expert_shared);
    ul_need_u32(k, "expert_gating_func", &m->expert_gating_func);
    ul_need_u32(k, "attention.output_group_count", &m->dsv4_o_group_count);
    ul_need_u32(k, "attention.output_lora_rank", &m->dsv4_o_lora_rank);
    ul_need_u32(k, "hyper_connection.sinkhorn_iterations", &m->dsv4_hc_sinkhorn_iters);
    ul_need_f32(k, "hyper_connection.epsilon", &m->dsv4_hc_eps);
    if (!ul_key_f32s(k, "swiglu_clamp_exp", UL_PER_LAYER(m, swiglu_clamp_exp), m->n_layer_all))
        ul_key_missing(k, "swiglu_clamp_exp");
    if (!ul_key_f32s(k, "swiglu_clamp_shexp", UL_PER_LAYER(m, swiglu_clamp_shexp), m->n_layer_all))
        for (uint32_t il = 0; il < m->n_layer_all; il++)
            m->layer[il].swiglu_clamp_shexp = m->layer[il].swiglu_clamp_exp;
    m->swa_type = UL_SWA_STANDARD;
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].is_swa = true;
}

/* src/models/dflash.cpp. */
static void hparams_dflash(struct ul_keys *k, struct ul_model *m)
{
    uint32_t values[UL_MAX_LAYERS], n = 0;
    if (!ul_key_array(k, "target_layers", values, UL_MAX_LAYERS, &n))
        ul_key_missing(k, "target_layers");
    m->n_embd_inp_enc_impl = n * m->n_embd;
    if (m->dsv4_hc_mult > 0) {
        hparams_dspark(k, m);
        return;
    }
    if (!ul_key_u32(k, "attention.sliding_window", &m->n_swa) || m->n_swa == 0)
        return;
    m->swa_type = UL_SWA_STANDARD;
    if (!ul_key_array(k, "attention.sliding_window_pattern", values, UL_MAX_LAYERS, &n))
        ul_key_missing(k, "attention.sliding_window_pattern");
    for (uint32_t il = 0; il < n && il < m->n_layer_all; il++)
        m->layer[il].is_swa = values[il] != 0;
    m->rope_freq_base_train_swa = m->rope_freq_base_train;
    m->rope_freq_scale_train_swa = m->rope_freq_scale_train;
}

/* ------------------------------------------------------------------ the newest */

/* src/models/step35.cpp: layers with full attention rotate half of what the key says. */
static void hparams_step35(struct ul_keys *k, struct ul_model *m)
{
    m->n_rot_full /= 2;
    ul_gating_sigmoid(m);
    ul_key_f32s(k, "swiglu_clamp_exp", UL_PER_LAYER(m, swiglu_clamp_exp), m->n_layer_all);
    ul_key_f32s(k, "swiglu_clamp_shexp", UL_PER_LAYER(m, swiglu_clamp_shexp), m->n_layer_all);
}

/* src/models/step35.cpp, load_block_mtp: the draft head's layers take the factors too. */
static bool rope_factors_all(const struct ul_model *m, uint32_t il)
{
    (void)m;
    (void)il;
    return true;
}

/* src/models/kimi-linear.cpp: the experts' weights are normalised, whatever a key says. */
static void hparams_kimi_linear(struct ul_keys *k, struct ul_model *m)
{
    ul_recurrent_without_heads(k, m);
    m->expert_weights_norm = true;
}

/* src/models/kimi-k3.cpp: the latent is cached, whatever the key of the value's length says. */
static void hparams_kimi_k3(struct ul_keys *k, struct ul_model *m)
{
    ul_recurrent_without_heads(k, m);
    m->n_embd_head_v_full = m->n_lora_kv;
}

/* src/models/nanbeige.cpp: the stack is run more than once. Each turn has caches of its own, but
 * all share the weights, so that the engine counts the layers of all turns. */
static void hparams_nanbeige(struct ul_keys *k, struct ul_model *m)
{
    uint32_t n = m->n_layer;
    m->num_loops = 1;
    ul_key_u32(k, "num_loops", &m->num_loops);
    ul_key_bool(k, "skip_loop_final_norm", &m->skip_loop_final_norm);
    if (m->num_loops < 1 || m->num_loops > UL_MAX_LAYERS / n) {
        ul_key_fail(k, "num_loops", "%u times %u layers; the engine takes 1 to %u", m->num_loops, n,
                    UL_MAX_LAYERS);
        return;
    }
    for (uint32_t il = n; il < n * m->num_loops; il++)
        m->layer[il] = m->layer[il % n];
    m->n_layer_phys = n;
    m->n_layer_all = m->n_layer = n * m->num_loops;
}

static uint32_t weights_layer_nanbeige(const struct ul_model *m, uint32_t il)
{
    return m->n_layer_phys ? il % m->n_layer_phys : il;
}

/* ------------------------------------------------------------------ the rows */

#define GRANITE_SCALE_KEYS                                                     \
    UL_OPT(F32, "residual_scale", f_residual_scale),                           \
    UL_OPT(F32, "embedding_scale", f_embedding_scale),                         \
    UL_OPT(F32, "attention.scale", f_attention_scale), FF_SHEXP_KEY
#define GRANITE_KEYS UL_REQ(F32, "logit_scale", f_logit_scale), GRANITE_SCALE_KEYS
#define NEED_GATING_KEY UL_REQ(U32, "expert_gating_func", expert_gating_func)
#define NEED_DENSE_LEAD_KEY UL_REQ(U32, "leading_dense_block_count", n_layer_dense_lead)
#define NEED_LATENT_KEYS                                                       \
    UL_REQ(U32, "attention.kv_lora_rank", n_lora_kv),                          \
    UL_REQ(U32, "attention.key_length_mla", n_embd_head_k_mla_impl),           \
    UL_REQ(U32, "attention.value_length_mla", n_embd_head_v_mla_impl)
#define KDA_KEYS                                                               \
    UL_REQ(U32, "ssm.conv_kernel", ssm_d_conv), UL_REQ(U32, "kda.head_dim", n_embd_head_kda)
#define YARN_KEYS                                                              \
    UL_OPT(F32, "rope.scaling.yarn_beta_fast", yarn_beta_fast),                \
    UL_OPT(F32, "rope.scaling.yarn_beta_slow", yarn_beta_slow),                \
    UL_OPT(F32, "rope.scaling.yarn_log_multiplier", rope_yarn_log_mul)
/* What hy-v3.cpp and step35.cpp load of a draft head without being asked: their flags leave these
 * out. */
#define DRAFT_FFN                                                              \
    {UL_ROLE_FFN_GATE, UL_WEIGHT}, {UL_ROLE_FFN_DOWN, UL_WEIGHT},              \
    {UL_ROLE_FFN_UP, UL_WEIGHT}, {UL_ROLE_FFN_GATE_INP, UL_WEIGHT},            \
    {UL_ROLE_FFN_GATE_EXPS, UL_WEIGHT}, {UL_ROLE_FFN_DOWN_EXPS, UL_WEIGHT},    \
    {UL_ROLE_FFN_UP_EXPS, UL_WEIGHT}, {UL_ROLE_FFN_GATE_SHEXP, UL_WEIGHT},     \
    {UL_ROLE_FFN_UP_SHEXP, UL_WEIGHT}, {UL_ROLE_FFN_DOWN_SHEXP, UL_WEIGHT},    \
    {UL_ROLE_NEXTN_EMBED_TOKENS, UL_WEIGHT}, {UL_ROLE_NEXTN_SHARED_HEAD_HEAD, UL_WEIGHT}, \
    {UL_ROLE_NEXTN_SHARED_HEAD_NORM, UL_WEIGHT}

const struct ul_arch ul_rows_second[] = {
    {.name = "granite", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .hparams = hparams_granite,
     .keys = UL_KEYS(GRANITE_KEYS),
     UL_DENSE(.rotate = UL_ROTATE_LAYER, .deepstack_before = true)},
    {.name = "granitemoe", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .keys = UL_KEYS(GRANITE_KEYS),
     UL_DENSE(.rotate = UL_ROTATE_LAYER, .deepstack_before = true)},
    {.name = "granitehybrid", .memory = UL_MEMORY_HYBRID, .norm = UL_NORM_RMS,
     .hparams = hparams_granite_hybrid, .has_kv = ul_not_recurrent, .has_state = ul_recurrent,
     .no_tensor_split = true,
     .keys = UL_KEYS(UL_OPT(F32, "logit_scale", f_logit_scale), GRANITE_SCALE_KEYS, UL_SSM_KEYS,
                     UL_SSM_GROUP_KEY),
     .build = ul_prog_granite_hybrid},
    {.name = "graniteswitch", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .adds_layers = true,
     .hparams = hparams_granite_switch,
     .keys = UL_KEYS(GRANITE_KEYS, UL_REQ(U32, "adapters.count", n_adapters),
                     UL_REQ(U32, "adapters.lora_rank", max_lora_rank)),
     .build = ul_prog_granite_switch},
    {.name = "granite_swa", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .hparams = hparams_granite_swa, .keys = UL_KEYS(GRANITE_KEYS),
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .per_layer = true},
     UL_DENSE(.rotate = UL_ROTATE_LAYER, .deepstack_before = true)},
    {.name = "chameleon", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .keys = UL_KEYS(UL_OPT(BOOL, "swin_norm", swin_norm)), .build = ul_prog_chameleon},
    {.name = "wavtokenizer-dec", .rope_type = UL_ROPE_NONE, .norm = UL_NORM_LAYER,
     .tied = UL_TIED_NEVER, .bare_layers = true, .hparams = hparams_wavtokenizer,
     .keys = UL_KEYS(UL_REQ(F32, "attention.group_norm_epsilon", f_norm_group_eps),
                     UL_REQ(U32, "attention.group_norm_groups", n_norm_groups),
                     UL_REQ(U32, "posnet.embedding_length", posnet_n_embd),
                     UL_REQ(U32, "posnet.block_count", posnet_n_layer),
                     UL_REQ(U32, "convnext.embedding_length", convnext_n_embd),
                     UL_REQ(U32, "convnext.block_count", convnext_n_layer)),
     .build = ul_prog_wavtokenizer},
    {.name = "plm", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .tied = UL_TIED_ALWAYS,
     .flash_attn_aborts = true, .build = ul_prog_plm,
     .keys = UL_KEYS(UL_REQ(U32, "attention.kv_lora_rank", n_lora_kv))},
    {.name = "bailingmoe", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER,
     .keys = UL_KEYS(DENSE_LEAD_KEY, NEED_FF_EXP_KEY, NEED_SHARED_KEY, EXPERT_SCALE_KEYS),
     UL_DENSE(.moe_norm = UL_MOE_NORM_MODEL)},
    {.name = "bailingmoe2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER, .nextn = UL_NEXTN_SKIPPED,
     .has_kv = ul_trunk_only,
     .keys = UL_KEYS(DENSE_LEAD_KEY, NEED_FF_EXP_KEY, FF_SHEXP_KEY, NEED_SHARED_KEY,
                     EXPERT_SCALE_KEYS, NEED_GATING_KEY),
     UL_DENSE(.moe_norm = UL_MOE_NORM_MODEL)},
    {.name = "bailingmoe3", .rolls_back = true, .memory = UL_MEMORY_HYBRID, .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_DRAFT, .has_kv = ul_not_recurrent, .has_state = ul_recurrent,
     .hparams = hparams_bailingmoe3, .tensors = ul_tensors_delta_net,
     .no_tensor_split = true,
     .build = ul_prog_bailingmoe3,
     .keys = UL_KEYS(NEED_LATENT_KEYS, UL_OPT(U32, "attention.q_lora_rank", n_lora_q), KDA_KEYS,
                     UL_REQ(F32, "kda.gate_lower_bound", kda_gate_lower_bound), NEED_FF_EXP_KEY,
                     FF_SHEXP_KEY, NEED_SHARED_KEY, NEED_DENSE_LEAD_KEY, EXPERT_SCALE_KEYS,
                     NEED_GATING_KEY)},
    {.name = "dots1", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER,
     .keys = UL_KEYS(DENSE_LEAD_KEY, NEED_FF_EXP_KEY, NEED_SHARED_KEY, EXPERT_SCALE_KEYS,
                     GATING_KEY),
     UL_DENSE(.moe_norm = UL_MOE_NORM_MODEL)},
    {.name = "dots3note", .memory = UL_MEMORY_DSA_ISWA, .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_SKIPPED, .has_kv = ul_trunk_only, .has_indexer = ul_indexer_full,
     .hparams = hparams_dots3note, .no_tensor_split = true, .rotates_index = true,
     .build = ul_prog_sparse,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .per_layer = true},
     .keys = UL_KEYS(NEED_SHARED_KEY, NEED_FF_EXP_KEY, NEED_DENSE_LEAD_KEY, EXPERT_SCALE_KEYS,
                     NEED_GATING_KEY, UL_REQ(U32, "attention.q_lora_rank", n_lora_q),
                     NEED_LATENT_KEYS,
                     UL_REQ(U32, "attention.kv_lora_rank_swa", n_lora_kv_swa),
                     UL_REQ(U32, "attention.key_length_mla_swa", n_embd_head_k_mla_swa),
                     UL_REQ(U32, "attention.value_length_mla_swa", n_embd_head_v_mla_swa),
                     UL_REQ(F32, "rope.freq_base_swa", rope_freq_base_train_swa), INDEXER_KEYS)},
    {.name = "arcee", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     UL_DENSE(.ffn_op = UL_FFN_RELU_SQR)},
    {.name = "afmoe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .hparams = ul_hparams_gating_sigmoid,
     .window = {UL_WINDOW_IF_SET, UL_SWA_STANDARD, .same_rope = true, .period = 4},
     .keys = UL_KEYS(DENSE_LEAD_KEY, NEED_FF_EXP_KEY, NEED_SHARED_KEY, GATING_KEY,
                     EXPERT_SCALE_KEYS),
     UL_DENSE(.rotate = UL_ROTATE_STEP_IF_SET, .attn_gate = UL_GATE_SIGMOID,
              .moe_norm = UL_MOE_NORM_MODEL, .scale_embd = true, .post_norm_all_rows = true)},
    {.name = "laguna", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .hparams = hparams_laguna,
     .window = {UL_WINDOW_IF_SET, UL_SWA_STANDARD, .dense_first = true, .period = 4},
     .keys = UL_KEYS(NEED_DENSE_LEAD_KEY, NEED_FF_EXP_KEY, FF_SHEXP_KEY, GATING_KEY,
                     EXPERT_SCALE_KEYS),
     UL_DENSE(.attn_gate = UL_GATE_SOFTPLUS, .moe_norm = UL_MOE_NORM_MODEL)},
    {.name = "ernie4_5", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .hparams = ul_read_rope_sections,
     UL_DENSE(.no_wo_bias = true)},
    {.name = "ernie4_5-moe", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .hparams = ul_read_rope_sections,
     .keys = UL_KEYS(NEED_FF_EXP_KEY, FF_SHEXP_KEY,
                     UL_REQ(U32, "interleave_moe_layer_step", n_moe_layer_step), DENSE_LEAD_KEY),
     UL_DENSE(.no_wo_bias = true)},
    {.name = "hunyuan-moe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .keys = UL_KEYS(NEED_FF_EXP_KEY, FF_SHEXP_KEY),
     UL_DENSE(.qk_norm = UL_QK_AFTER_ROPE)},
    {.name = "hunyuan-dense", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .one_expert_is_dense = true, .hparams = ul_read_rope_sections,
     UL_DENSE(.qk_norm = UL_QK_AFTER_ROPE)},
    {.name = "hunyuan_vl", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .one_expert_is_dense = true, .hparams = hparams_hunyuan_vl,
     UL_DENSE(.qk_norm = UL_QK_AFTER_ROPE)},
    {.name = "hy_v3", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .nextn = UL_NEXTN_DRAFT, .has_kv = ul_trunk_only, .hparams = ul_hparams_gating_sigmoid,
     .build_mtp = ul_head_dense,
     .draft_kept = UL_ROLES(DRAFT_FFN, {UL_ROLE_FFN_EXP_PROBS_B, UL_NO_SUFFIX},
                            {UL_ROLE_FFN_GATE_UP_EXPS, UL_WEIGHT}),
     .keys = UL_KEYS(NEED_FF_EXP_KEY, FF_SHEXP_KEY, GATING_KEY, EXPERT_SCALE_KEYS),
     UL_DENSE(.ffn_scales = true, .moe_scales = true, .shexp_scales = true,
              .moe_norm = UL_MOE_NORM_MODEL)},
    {.name = "smollm3", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     UL_DENSE(.rotate = UL_ROTATE_STEP)},
    {.name = "gpt-oss", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(NEED_FF_EXP_KEY),
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .same_rope = true, .period = 2},
     UL_DENSE(.keeps_hidden = true, .ffn_norm = UL_ROLE_ATTN_POST_NORM, .moe_op = UL_FFN_SWIGLU_OAI,
              .gating = UL_GATING_SOFTMAX_WEIGHT, .moe_norm = UL_MOE_NO_NORM)},
    {.name = "lfm2", .rolls_back = true, .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS,
     .has_kv = ul_not_recurrent, .has_state = ul_recurrent, .mirrored_state = true,
     .hparams = hparams_lfm2, .tensors = tensors_lfm2,
     .keys = UL_KEYS(UL_REQ(U32, "shortconv.l_cache", n_shortconv_l_cache)),
     .build = ul_prog_lfm2},
    {.name = "lfm2moe", .rolls_back = true, .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .has_kv = ul_not_recurrent, .has_state = ul_recurrent,
     .mirrored_state = true, .hparams = ul_recurrent_without_heads, .tensors = tensors_lfm2,
     .keys = UL_KEYS(UL_REQ(U32, "shortconv.l_cache", n_shortconv_l_cache), DENSE_LEAD_KEY,
                     NEED_FF_EXP_KEY, NEED_GATING_KEY),
     .build = ul_prog_lfm2},
    {.name = "dream", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS, .hparams = hparams_no_cause,
     UL_DENSE(.no_output_bias = true)},
    {.name = "smallthinker", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .hparams = hparams_smallthinker,
     .window = {UL_WINDOW_IF_SET, UL_SWA_STANDARD, .dense_first = true, .same_rope = true,
                .period = 4},
     .keys = UL_KEYS(FF_EXP_KEY, GATING_KEY),
     UL_DENSE(.rotate = UL_ROTATE_STEP_FIRST, .moe_op = UL_FFN_RELU, .probs_of_x = true)},
    {.name = "llada", .norm = UL_NORM_RMS, .hparams = hparams_no_cause,
     UL_DENSE(.no_rope_factors = true, .no_wo_bias = true,
              .no_ffn_bias = true)},
    {.name = "llada-moe", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER,
     .hparams = hparams_no_cause, .keys = UL_KEYS(FF_EXP_KEY),
     UL_DENSE(.moe_norm = UL_MOE_NO_NORM)},
    {.name = "seed_oss", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     UL_DENSE(.ffn_norm = UL_ROLE_ATTN_POST_NORM)},
    {.name = "grovemoe", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .keys = UL_KEYS(NEED_FF_EXP_KEY,
                     UL_OPT(U32, "expert_chunk_feed_forward_length", n_ff_chexp),
                     UL_REQ(F32, "expert_group_scale", expert_group_scale),
                     UL_REQ(U32, "experts_per_group", n_group_experts)),
     UL_DENSE(.chunk_experts = true)},
    {.name = "apertus", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .hparams = hparams_apertus,
     UL_DENSE(.ffn_op = UL_FFN_XIELU)},
    {.name = "minimax-01", .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_NEOX,
     .reserves_one_seq = true, .norm = UL_NORM_RMS, .has_kv = ul_has_kv_hybrid, .has_state = ul_has_state_hybrid,
     .hparams = hparams_minimax_01, .no_tensor_split = true,
     .keys = UL_KEYS(UL_REQ(F32, "residual_scale", f_residual_scale)), .build = ul_prog_minimax01},
    {.name = "minimax-m2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER, .no_tensor_split = true,
     .keys = UL_KEYS(NEED_FF_EXP_KEY, GATING_KEY),
     UL_DENSE(.qk_norm = UL_QK_FLAT)},
    {.name = "minimax-m3", .memory = UL_MEMORY_MSA, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER, .hparams = hparams_minimax_m3,
     .no_tensor_split = true,
     .build = ul_prog_msa,
     .keys = UL_KEYS(DENSE_LEAD_KEY, NEED_FF_EXP_KEY, NEED_SHARED_KEY, EXPERT_SCALE_KEYS,
                     NEED_GATING_KEY, INDEXER_KEYS,
                     UL_REQ(U32, "attention.indexer.block_size", indexer_block_size),
                     UL_REQ(U32, "attention.indexer.local_blocks", indexer_local_blocks))},
    {.name = "cogvlm", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .no_mixed_input = true, UL_DENSE(.keeps_rows = true,
              .no_rope_factors = true, .no_qkv_scale = true)},
    {.name = "rnd1", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS, .hparams = hparams_no_cause,
     .keys = UL_KEYS(FF_EXP_KEY),
     UL_DENSE(0)},
    {.name = "pangu-embedded", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS,
     UL_DENSE(.no_rope_factors = true)},
    {.name = "mistral3", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .hparams = hparams_mistral3,
     .keys = UL_KEYS(UL_OPT(F32, "attention.temperature_scale", f_attn_temp_scale), YARN_KEYS),
     UL_DENSE(.attn_temp = UL_TEMP_IF_SET, .ffn_scales = true, .moe_scales = true)},
    {.name = "eagle3", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .tied = UL_TIED_NO_OUTPUT,
     .draft_only = true, .hparams = hparams_eagle3,
     .keys = UL_KEYS(UL_OPT(BOOL, "norm_before_residual", norm_before_residual),
                     UL_OPT(BOOL, "norm_before_fc", norm_before_fc))},
    {.name = "dflash", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NO_OUTPUT, .draft_only = true, .drafts_blocks = true, .hparams = hparams_dflash,
     .keys = UL_KEYS(UL_OPT(U32, "hyper_connection.count", dsv4_hc_mult), EXPERT_SCALE_KEYS)},
    {.name = "mistral4", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .nextn = UL_NEXTN_DRAFT,
     .has_kv = ul_trunk_only, .hparams = ul_hparams_deepseek2, .build = ul_prog_deepseek2,
     .build_mtp = ul_head_deepseek2,
     .no_tensor_split = true, .exact_down = true,
     .keys = UL_KEYS(DENSE_LEAD_KEY, LATENT_KEYS, NEED_FF_EXP_KEY, NEED_SHARED_KEY,
                     EXPERT_SCALE_KEYS, GATING_KEY,
                     UL_OPT(F32, "attention.temperature_scale", f_attn_temp_scale),
                     UL_OPT(U32, "attention.temperature_length", n_attn_temp_floor_scale))},
    {.name = "paddleocr", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_MROPE, .norm = UL_NORM_RMS,
     .hparams = ul_read_rope_sections,
     UL_DENSE(0)},
    {.name = "mimo2", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .nextn = UL_NEXTN_DRAFT, .has_kv = ul_trunk_only,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .per_layer = true},
     .keys = UL_KEYS(NEED_FF_EXP_KEY, UL_OPT(F32, "attention.value_scale", f_attn_value_scale)),
     UL_DENSE(.gating = UL_GATING_SIGMOID, .no_qkv_scale = true, .no_qkv_bias = true,
              .keeps_hidden = true)},
    {.name = "step35", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .nextn = UL_NEXTN_DRAFT, .has_kv = ul_trunk_only,
     .rope_factors = rope_factors_all, .hparams = hparams_step35,
     .draft_kept = UL_ROLES(DRAFT_FFN, {UL_ROLE_FFN_EXP_PROBS_B, UL_BIAS},
                            {UL_ROLE_ATTN_Q_NORM, UL_WEIGHT}, {UL_ROLE_ATTN_K_NORM, UL_WEIGHT},
                            {UL_ROLE_ATTN_GATE, UL_WEIGHT}),
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .per_layer = true},
     .keys = UL_KEYS(NEED_FF_EXP_KEY, FF_SHEXP_KEY, GATING_KEY, EXPERT_SCALE_KEYS),
     UL_DENSE(.attn_gate = UL_GATE_SIGMOID, .moe_norm = UL_MOE_NORM_MODEL,
              .no_qkv_scale = true, .no_qkv_bias = true, .no_swa_factors = true,
              .keeps_hidden = true)},
    {.name = "llama-embed", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .rope_is_head = true,
     UL_DENSE(.ffn_scales = true, .moe_scales = true, .embeds = true)},
    {.name = "maincoder", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     UL_DENSE(.qk_norm = UL_QK_AFTER_ROPE)},
    {.name = "kimi-linear", .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_NONE,
     .reserves_one_seq = true, .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER, .has_kv = ul_not_recurrent,
     .has_state = ul_recurrent, .hparams = hparams_kimi_linear,
     .tensors = ul_tensors_delta_net, .no_tensor_split = true,
     .build = ul_prog_kimi_linear,
     .keys = UL_KEYS(NEED_LATENT_KEYS, KDA_KEYS, NEED_FF_EXP_KEY, NEED_SHARED_KEY, DENSE_LEAD_KEY,
                     UL_OPT(F32, "expert_weights_scale", expert_weights_scale), NEED_GATING_KEY)},
    {.name = "kimi-k3", .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_NONE,
     .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER, .has_kv = ul_not_recurrent,
     .has_state = ul_recurrent, .hparams = hparams_kimi_k3, .tensors = ul_tensors_delta_net,
     .no_tensor_split = true,
     .build = ul_prog_kimi_k3,
     .keys = UL_KEYS(NEED_LATENT_KEYS, UL_OPT(U32, "attention.q_lora_rank", n_lora_q), KDA_KEYS,
                     UL_OPT(F32, "kda.gate_lower_bound", kda_gate_lower_bound), NEED_FF_EXP_KEY,
                     NEED_SHARED_KEY, DENSE_LEAD_KEY, EXPERT_SCALE_KEYS, NEED_GATING_KEY,
                     UL_OPT(U32, "expert_latent_length", n_expert_latent),
                     UL_REQ(U32, "attn_res.block_size", attn_res_block_size),
                     UL_REQ(F32, "activation.situ_beta", situ_beta),
                     UL_REQ(F32, "activation.situ_linear_beta", situ_linear_beta))},
    {.name = "talkie", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(UL_REQ(F32, "logit_scale", f_logit_scale)),
     UL_DENSE(.qk_norm = UL_QK_AFTER_ROPE, .norm_embd = true, .k_norm_bare = true,
              .skip_embd = true, .down_scale = true)},
    {.name = "mellum", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .keys = UL_KEYS(NEED_FF_EXP_KEY, GATING_KEY),
     .window = {UL_WINDOW_IF_SET, UL_SWA_STANDARD, .same_rope = true, .period = 4},
     UL_DENSE(.moe_scales = true)},
    {.name = "nanbeige", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .adds_layers = true,
     .bare_layers = true, .weights_layer = weights_layer_nanbeige, .hparams = hparams_nanbeige,
     UL_DENSE(.ffn_scales = true)},
    {.name = "qwen3tts", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_IMROPE, .norm = UL_NORM_RMS,
     .hparams = ul_hparams_rope_sections, .no_tensor_split = true,
     .keys = UL_KEYS(UL_OPT(U32, "n_deepstack_layers", n_deepstack_layers)),
     UL_DENSE(0)},
    {.name = "pockettts", .memory = UL_MEMORY_KV, .norm = UL_NORM_LAYER, .tied = UL_TIED_ALWAYS,
     UL_DENSE(.ffn_op = UL_FFN_GELU)},
    {0},
};
