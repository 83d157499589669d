/* What a layer keeps between tokens: keys and values, a recurrent state, both or neither. Caches
 * are made of it (engine/cache.c), and `ullage show` tells it. */
#include "arch/arch.h"

/* src/llama-model.cpp, create_memory: the layer filters. A row may have its own; else a hybrid's
 * layers attend when they are not recurrent, and the trunk of a model with draft layers keeps
 * nothing for them where the module says so. llama_hparams::has_kv comes before either. */
bool ul_layer_keeps_kv(const struct ul_model *m, uint32_t il)
{
    if (m->n_layer_kv_from_start >= 0 && il >= (uint32_t)m->n_layer_kv_from_start)
        return false;
    if (m->arch->has_kv)
        return m->arch->has_kv(m, il);
    switch (m->arch->memory) {
    case UL_MEMORY_NONE:
    case UL_MEMORY_RECURRENT:
        return false;
    case UL_MEMORY_HYBRID:
        return !m->layer[il].is_recr;
    case UL_MEMORY_DSA:
    case UL_MEMORY_DSA_ISWA:
        return il < m->n_layer;
    case UL_MEMORY_KV: /* a router's layer is counted as a draft head, but is none */
        return il < m->n_layer || (int64_t)il == m->router_layer;
    default:
        return true;
    }
}

bool ul_layer_keeps_state(const struct ul_model *m, uint32_t il)
{
    if (il >= m->n_layer)
        return false;
    if (m->arch->has_state)
        return m->arch->has_state(m, il);
    return m->arch->memory == UL_MEMORY_RECURRENT
        || (m->arch->memory == UL_MEMORY_HYBRID && m->layer[il].is_recr);
}

int ul_layer_kind(const struct ul_model *m, uint32_t il)
{
    bool kv = ul_layer_keeps_kv(m, il) && ul_n_embd_k_gqa(m, il) > 0; /* deci: none, of width 0 */
    if (ul_layer_keeps_state(m, il))
        return kv ? ULLAGE_LAYER_HYBRID : ULLAGE_LAYER_RECURRENT;
    if (!kv)
        return ULLAGE_LAYER_NONE;
    if (ul_is_mla(m) || m->layer[il].dsv4_compress_ratio > 0)
        return ULLAGE_LAYER_LATENT; /* perhaps of a window, too */
    return m->layer[il].is_swa ? ULLAGE_LAYER_WINDOW : ULLAGE_LAYER_FULL;
}
