/* Rows of architectures that the pinned engine has and the source that was read has not. No text
 * says what they do: their rules were taken from the engine itself, by loading headers that differ
 * in one key and comparing the caches that it makes and the tensors and keys that it asks for. */
#include "arch/rows.h"

/* ------------------------------------------------------------------ functions of rows */

/* Layers take turns as in qwen3next; a lookup of n-grams is mixed into one recurrent layer, whose
 * convolution keeps a state of its own. */
static void hparams_qwen4exp(struct ul_keys *k, struct ul_model *m)
{
    uint32_t ratios[UL_MAX_LAYERS], ple[UL_MAX_LAYERS], n = 0;
    ul_hparams_rope_sections(k, m);
    ul_hparams_delta_net(k, m);
    if (ul_key_array(k, "ple.layers", ple, UL_MAX_LAYERS, &n) && n > 1)
        ul_key_fail(k, "ple.layers", "%u layers; the engine takes one", n);
    m->ple_layer = n == 1 ? (int32_t)ple[0] : -1;
    if (n == 1 && (ple[0] >= m->n_layer || !m->layer[ple[0]].is_recr))
        ul_key_fail(k, "ple.layers", "layer %u is not recurrent", ple[0]);
    m->indexer_parts = 1;
    n = 0;
    if (!ul_key_array(k, "attention.compress_ratios", ratios, UL_MAX_LAYERS, &n))
        return;
    for (uint32_t i = 0; i < n; i++) /* any ratio pools the keys of all layers: a pool beside each */
        if (ratios[i] > 0) {
            if (m->indexer_parts == 2 && ratios[i] != m->indexer_kpool)
                ul_key_fail(k, "attention.compress_ratios", "%u and %u; layers must share one",
                            m->indexer_kpool, ratios[i]);
            m->indexer_parts = 2;
            m->indexer_kpool = ratios[i];
        }
}

/* The convolution is dilated by the n-grams' length, over all residual streams. */
static uint32_t n_embd_p_qwen4exp(const struct ul_model *m, uint32_t il)
{
    if ((int64_t)il != m->ple_layer || m->ple_conv_kernel == 0)
        return 0;
    uint64_t n = ul_mul(ul_mul(m->ple_conv_kernel - 1, m->ple_ngram_size),
                        ul_mul(m->n_embd, m->dsv4_hc_mult));
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* A scalar for all layers, or a value a layer of the trunk. The first has nobody to share with. */
static void read_indexer_types(struct ul_keys *k, struct ul_model *m)
{
    ul_key_bools(k, "attention.indexer.types", UL_PER_LAYER(m, indexer_full), m->n_layer);
}

static void hparams_hy_v4(struct ul_keys *k, struct ul_model *m)
{
    read_indexer_types(k, m);
    if (!m->layer[0].indexer_full)
        ul_key_fail(k, "attention.indexer.types", "layer 0 has no indexer, and none before it");
    ul_key_f32s(k, "swiglu_clamp_exp", UL_PER_LAYER(m, swiglu_clamp_exp), m->n_layer_all);
}

/* Layers with KV heads have latent attention, the others a delta net. The indexer keeps a key, its
 * gate and their pool. */
static void hparams_glm5_next(struct ul_keys *k, struct ul_model *m)
{
    bool tail = true;
    read_indexer_types(k, m);
    ul_recurrent_without_heads(k, m);
    ul_key_bool(k, "attention.indexer.kpool_select_tail", &tail);
    m->no_pool_tail = !tail;
    if (m->indexer_kpool <= 1 || m->indexer_top_k % m->indexer_kpool != 0)
        ul_key_fail(k, "attention.indexer.kpool", "%u; it must be above 1 and divide top_k %u",
                    m->indexer_kpool, m->indexer_top_k);
}

static bool has_indexer_glm5_next(const struct ul_model *m, uint32_t il)
{
    return ul_has_kv_hybrid(m, il) && m->layer[il].indexer_full;
}

/* A few layers run in turns, as nanbeige's; the file counts all turns. */
static void hparams_hrm_text(struct ul_keys *k, struct ul_model *m)
{
    uint64_t turns = ul_mul(m->hrm_h_cycles, (uint64_t)m->hrm_l_cycles + 1);
    if (ul_mul(turns, m->hrm_layers_per_stack) != m->n_layer)
        ul_key_fail(k, "block_count", "%u layers, and the cycles make %llu", m->n_layer,
                    (unsigned long long)ul_mul(turns, m->hrm_layers_per_stack));
}

static uint32_t weights_layer_hrm_text(const struct ul_model *m, uint32_t il)
{
    uint32_t stack = m->hrm_layers_per_stack, turn = stack ? il / stack : 0;
    bool is_high = turn % (m->hrm_l_cycles + 1) == m->hrm_l_cycles;
    return stack ? (is_high ? stack : 0) + il % stack : il;
}

/* The experts' width may differ from layer to layer: the tensors say it. */
static void hparams_maion_coder(struct ul_keys *k, struct ul_model *m)
{
    uint32_t ff[UL_MAX_LAYERS] = {0}, rope[UL_MAX_LAYERS], n = 0;
    if (m->n_swa == 0)
        ul_key_fail(k, "attention.sliding_window", "0; the engine requires a window");
    if (!ul_key_u32s(k, "expert_feed_forward_length", ff, sizeof(ff[0]), m->n_layer_all))
        ul_key_missing(k, "expert_feed_forward_length");
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->n_ff_exp = ff[il] > m->n_ff_exp ? ff[il] : m->n_ff_exp;
    if (ul_key_array(k, "attention.rope_pattern", rope, UL_MAX_LAYERS, &n))
        for (uint32_t il = 0; il < n && il < m->n_layer_all; il++)
            m->layer[il].rope = rope[il] != 0;
}

static void hparams_maple(struct ul_keys *k, struct ul_model *m)
{
    ul_key_f32s(k, "swiglu_clamp_exp", UL_PER_LAYER(m, swiglu_clamp_exp), m->n_layer_all);
}

static void hparams_no_cause(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    m->causal_attn = false;
}

/* ------------------------------------------------------------------ the rows */

#define INDEXER_KPOOL_KEY UL_OPT(U32, "attention.indexer.kpool", indexer_kpool)
#define HYPER_KEYS UL_REQ(U32, "hyper_connection.count", dsv4_hc_mult)

const struct ul_arch ul_rows_newer[] = {
    {.name = "qwen4exp", .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_IMROPE,
     .norm = UL_NORM_RMS, .nextn = UL_NEXTN_DRAFT, .has_kv = ul_has_kv_hybrid,
     .has_state = ul_has_state_hybrid, .indexer_parts = 2, .n_embd_p = n_embd_p_qwen4exp,
     .lazy_per_layer = true, .hparams = hparams_qwen4exp, .tensors = ul_tensors_delta_net,
     .build = ul_prog_qwen4exp,
     .keys = UL_KEYS(FF_EXP_KEY, FF_SHEXP_KEY, UL_SSM_KEYS, UL_SSM_GROUP_KEY, HYPER_KEYS,
                     INDEXER_KEYS, INDEXER_KPOOL_KEY,
                     UL_OPT(U32, "ple.conv_kernel", ple_conv_kernel),
                     UL_OPT(U32, "ple.ngram_size", ple_ngram_size),
                     UL_OPT(U32, "ple.heads_per_ngram", ple_heads_per_ngram),
                     UL_OPT(U32, "hyper_connection.low_rank", hc_low_rank),
                     UL_OPT(U32, "embedding_length_per_layer_input", n_embd_per_layer))},
    {.name = "gemma-embedding2", .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .hparams = hparams_no_cause,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_SYMMETRIC, .period = 6},
     .keys = UL_KEYS(UL_REQ(U32, "embedding_length_per_layer_input", n_embd_per_layer)),
     .build = ul_prog_gemma_embedding2},
    {.name = "maple", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .tied = UL_TIED_NEVER, .hparams = hparams_maple, .window = {UL_WINDOW_ALWAYS,
     UL_SWA_STANDARD, .per_layer = true},
     .keys = UL_KEYS(FF_EXP_KEY),
     UL_DENSE(.rotate = UL_ROTATE_SWA, .clamp_before = true)},
    {.name = "hy_v4", .memory = UL_MEMORY_DSA, .norm = UL_NORM_RMS, .nextn = UL_NEXTN_DRAFT,
     .tied = UL_TIED_NEVER, .has_kv = ul_trunk_only, .has_indexer = ul_indexer_full,
     .hparams = hparams_hy_v4, .no_tensor_split = true, .build = ul_prog_hy4,
     .keys = UL_KEYS(DENSE_LEAD_KEY, FF_EXP_KEY, SHARED_KEY, EXPERT_SCALE_KEYS, GATING_KEY,
                     UL_OPT(U32, "attention.q_lora_rank", n_lora_q), LATENT_KEYS, INDEXER_KEYS,
                     HYPER_KEYS, UL_OPT(F32, "hyper_connection.epsilon", dsv4_hc_eps))},
    {.name = "hrm_text", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS, .hparams = hparams_hrm_text,
     .whole_everywhere = true, .bare_layers = true,
     .keys = UL_KEYS(UL_REQ(U32, "hrm.layers_per_stack", hrm_layers_per_stack),
                     UL_REQ(U32, "hrm.h_cycles", hrm_h_cycles),
                     UL_REQ(U32, "hrm.l_cycles", hrm_l_cycles),
                     UL_OPT(F32, "embedding_scale", f_embedding_scale)),
     .weights_layer = weights_layer_hrm_text, .build = ul_prog_hrm,
     .dense = {.attn_gate = UL_GATE_SIGMOID, .keeps_rows = true}},
    {.name = "spark2_5", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX, .norm = UL_NORM_RMS,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .per_layer = true},
     UL_DENSE(.ffn_op = UL_FFN_GELU, .attn_gate = UL_GATE_SIGMOID)},
    {.name = "maion-coder", .memory = UL_MEMORY_KV, .rope_type = UL_ROPE_NEOX,
     .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER, .hparams = hparams_maion_coder,
     .window = {UL_WINDOW_ALWAYS, UL_SWA_STANDARD, .per_layer = true},
     .keys = UL_KEYS(UL_REQ(U32, "interleave_moe_layer_step", n_moe_layer_step),
                     UL_OPT(U32, "moe_latent_size", moe_latent_size), GATING_KEY),
     UL_DENSE(.rotate = UL_ROTATE_LAYER)},
    {.name = "glm5-next", .memory = UL_MEMORY_HYBRID, .rope_type = UL_ROPE_NONE,
     .norm = UL_NORM_RMS, .tied = UL_TIED_NEVER, .nextn = UL_NEXTN_DRAFT,
     .has_kv = ul_has_kv_hybrid, .has_state = ul_has_state_hybrid,
     .has_indexer = has_indexer_glm5_next, .indexer_parts = 3,
     .hparams = hparams_glm5_next, .tensors = ul_tensors_delta_net,
     .build = ul_prog_glm5_next, .resolves_fused = true,
     .keys = UL_KEYS(DENSE_LEAD_KEY, FF_EXP_KEY, SHARED_KEY, EXPERT_SCALE_KEYS, GATING_KEY,
                     UL_OPT(U32, "attention.q_lora_rank", n_lora_q), LATENT_KEYS, INDEXER_KEYS,
                     INDEXER_KPOOL_KEY, HYPER_KEYS,
                     UL_OPT(F32, "hyper_connection.epsilon", dsv4_hc_eps),
                     UL_OPT(U32, "hyper_connection.sinkhorn_iterations", dsv4_hc_sinkhorn_iters),
                     UL_REQ(U32, "ssm.conv_kernel", ssm_d_conv),
                     UL_OPT(F32, "kda.gate_lower_bound", kda_gate_lower_bound),
                     UL_REQ(U32, "kda.head_dim", n_embd_head_kda))},
    {.name = "k2-horizon", .memory = UL_MEMORY_KV, .norm = UL_NORM_RMS,
     .keys = UL_KEYS(DENSE_LEAD_KEY, FF_EXP_KEY, FF_SHEXP_KEY, SHARED_KEY, EXPERT_SCALE_KEYS,
                     GATING_KEY,
                     UL_OPT(U32, "attention.group_norm_groups", n_norm_groups)),
     UL_DENSE(.attn_gate = UL_GATE_SOFTPLUS_SCALED, .moe_norm = UL_MOE_NORM_MODEL,
              .group_norm = true)},
    {0},
};
