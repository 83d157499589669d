/* What rows of several architectures share: which layers own a cache or a state, and readings of
 * keys that came with one model and were taken over by the next. A function names the upstream file
 * that had it first. */
#include "arch/rows.h"

/* ------------------------------------------------------------------ which layers keep what */

bool ul_trunk_only(const struct ul_model *m, uint32_t il)
{
    return il < m->n_layer;
}

bool ul_not_recurrent(const struct ul_model *m, uint32_t il)
{
    return !m->layer[il].is_recr;
}

bool ul_recurrent(const struct ul_model *m, uint32_t il)
{
    return m->layer[il].is_recr;
}

bool ul_has_kv_hybrid(const struct ul_model *m, uint32_t il)
{
    return il < m->n_layer && !m->layer[il].is_recr;
}

bool ul_has_state_hybrid(const struct ul_model *m, uint32_t il)
{
    return il < m->n_layer && m->layer[il].is_recr;
}

bool ul_indexer_full(const struct ul_model *m, uint32_t il)
{
    return il < m->n_layer && m->layer[il].indexer_full;
}

/* src/models/plamo2.cpp, jamba.cpp, kimi-linear.cpp, lfm2.cpp. */
void ul_recurrent_without_heads(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    for (uint32_t il = 0; il < m->n_layer; il++)
        m->layer[il].is_recr = m->layer[il].n_head_kv == 0;
}

/* ------------------------------------------------------------------ keys */

void ul_read_rope_sections(struct ul_keys *k, struct ul_model *m)
{
    ul_key_u32s(k, "rope.dimension_sections", (uint32_t *)m->rope_sections, sizeof(int), 4);
}

void ul_hparams_rope_sections(struct ul_keys *k, struct ul_model *m)
{
    if (!ul_key_u32s(k, "rope.dimension_sections", (uint32_t *)m->rope_sections, sizeof(int), 4))
        ul_key_missing(k, "rope.dimension_sections");
}

void ul_gating_sigmoid(struct ul_model *m)
{
    if (m->expert_gating_func == UL_GATING_NONE)
        m->expert_gating_func = UL_GATING_SIGMOID;
}

void ul_hparams_gating_sigmoid(struct ul_keys *k, struct ul_model *m)
{
    (void)k;
    ul_gating_sigmoid(m);
}

/* src/models/deepseek2.cpp: models of these sizes have no low-rank queries. */
void ul_hparams_deepseek2(struct ul_keys *k, struct ul_model *m)
{
    uint32_t n = m->n_layer, n_vocab = m->n_vocab;
    ul_key_u32(k, "vocab_size", &n_vocab); /* here alone it goes before the tokenizer */
    bool lite = n == 27 || n == 26 || (n == 48 && n_vocab == 128256);
    if (!lite)
        ul_need_u32(k, "attention.q_lora_rank", &m->n_lora_q);
    if (m->expert_gating_func == UL_GATING_NONE)
        m->expert_gating_func = (n == 47 || n == 48) && n_vocab == 154880 ? UL_GATING_SIGMOID
                                                                            : UL_GATING_SOFTMAX;
    if (ul_key_f32(k, "rope.scaling.yarn_log_multiplier", &m->rope_yarn_log_mul))
        m->rope_yarn_log_mul /= 0.1f;
    /* Conversions from before the latent was cached have no lengths of their own for it, and keep
     * every head's keys and values: how much more that is. */
    uint64_t latent = (uint64_t)m->n_lora_kv + m->n_rot_full;
    if (m->n_lora_kv > 0 && !ul_is_mla(m))
        m->old_latent = (uint32_t)(
            ((uint64_t)ul_n_embd_k_gqa(m, 0) + ul_n_embd_v_gqa(m, 0)) * 100 / latent);
}

/* src/models/qwen3next.cpp, qwen35.cpp, qwen35moe.cpp: every fourth layer has full attention, the
 * others a delta net, unless a key says it layer by layer; the draft head is never recurrent. */
void ul_hparams_delta_net(struct ul_keys *k, struct ul_model *m)
{
    uint32_t interval = 4;
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

/* The delta net's own decay is multiplied, not scanned. */
void ul_tensors_delta_net(struct ul_model *m, struct ul_arena *a)
{
    (void)a;
    ul_rename_role(m, UL_ROLE_SSM_A, UL_ROLE_SSM_A_NOSCAN);
}
