/* The same caches seen from two sides: the plan lists tensors with their devices and bytes, a graph
 * asks by layer for keys, values and states, and for what decides the shape of its inputs: whether
 * values are transposed, and whether keys and values are rotated before they are stored.
 * Source: src/llama-kv-cache.cpp, llama_kv_cache::llama_kv_cache. */
#include "engine/graph_memory.h"

static enum ul_kv_role kv_role(enum ul_cache_role role)
{
    switch (role) {
    case UL_CACHE_WINDOW: return UL_KV_SWA;
    case UL_CACHE_INDEXER:
    case UL_CACHE_LID: return UL_KV_INDEX;
    case UL_CACHE_CSA: return UL_KV_CSA;
    case UL_CACHE_HCA: return UL_KV_HCA;
    default: return UL_KV_BASE;
    }
}

static int16_t place_of(const struct ul_place *p, int device)
{
    return (int16_t)(device == UL_DEV_CPU ? p->cpu_buft : p->device_buft[device]);
}

/* The length of keys (or values) when all layers of the cache agree on it, else 0. */
static uint32_t common_head(const struct ul_model *m, const struct ul_kv_cache *c, bool values)
{
    uint32_t head = 0;
    for (uint32_t i = 0; i < c->n_layers; i++) {
        uint32_t il = (uint32_t)c->layer[i].il;
        uint32_t h = values ? ul_n_embd_head_v(m, il) : ul_n_embd_head_k(m, il);
        if (head != 0 && h != head)
            return 0;
        head = h;
    }
    return head;
}

/* Quantised caches are rotated by a Hadamard matrix: keys by the largest power of two that divides
 * their length (build_input_k_rot), values by one of 64 (build_input_v_rot). An indexer's keys are
 * rotated always in the architectures that say so. */
static void set_rotation(struct ul_kv_cache *k, const struct ul_model *m,
                         const struct ul_cparams *c, bool indexer)
{
    uint32_t head_k = indexer ? m->indexer_head_size : common_head(m, k, false);
    uint32_t head_v = indexer ? m->n_embd_head_v_full : common_head(m, k, true);
    uint32_t first_k = indexer ? head_k : ul_n_embd_head_k(m, 0);
    bool quantized_k = ul_type_info(c->type_k)->quantized && first_k % 64 == 0;
    bool always =
        m->arch->rotates_index && (indexer || m->n_embd_head_k_full == m->indexer_head_size);
    if (k->n_layers == 0)
        return;
    if (head_k > 0 && (quantized_k || always)) {
        k->rot_k = 64;
        while (head_k % (2 * k->rot_k) == 0)
            k->rot_k *= 2;
    }
    if (head_v > 0 && ul_type_info(c->type_v)->quantized && ul_n_embd_head_v(m, 0) % 64 == 0 &&
        !ul_is_mla(m))
        k->rot_v = 64;
}

static void add_kv(struct ul_kv_cache *k, const struct ul_caches *caches,
                   const struct ul_cache *cache, const struct ul_place *p, struct ul_arena *a)
{
    k->layer = UL_NEWS(a, struct ul_kv_layer, cache->layers + 1);
    k->cells = cache->cells;
    k->streams = cache->streams;
    k->indexer = cache->role == UL_CACHE_INDEXER;
    for (size_t i = cache->first; i < cache->first + cache->n; i++) {
        const struct ul_cache_tensor *t = &caches->tensor[i];
        struct ul_kv_layer *l = k->n_layers ? &k->layer[k->n_layers - 1] : NULL;
        if (t->part == 'k') {
            l = &k->layer[k->n_layers++];
            l->il = (int)t->layer;
            l->k_type = (enum ul_type)t->type;
            l->k_width = t->ne[0];
            l->place = place_of(p, t->device);
        } else if (l != NULL) {
            l->v_type = (enum ul_type)t->type;
            l->v_width = t->ne[0];
        }
    }
}

/* The state of a layer, made when the first of its parts comes. */
static struct ul_state_layer *state_layer(struct ul_state *s, uint32_t il)
{
    for (uint32_t i = 0; i < s->n_layers; i++)
        if (s->layer[i].il == (int)il)
            return &s->layer[i];
    s->layer[s->n_layers].il = (int)il;
    return &s->layer[s->n_layers++];
}

static void add_states(struct ul_state *s, const struct ul_caches *caches,
                       const struct ul_cache *cache, const struct ul_place *p, struct ul_arena *a)
{
    s->layer = UL_NEWS(a, struct ul_state_layer, cache->n + 1);
    s->size = cache->cells;
    for (size_t i = cache->first; i < cache->first + cache->n; i++) {
        const struct ul_cache_tensor *t = &caches->tensor[i];
        struct ul_state_layer *l = state_layer(s, t->layer);
        s->cells = (uint32_t)t->ne[1];
        l->place = place_of(p, t->device);
        if (t->part == 'r') {
            l->r_type = (enum ul_type)t->type;
            l->r_width = t->ne[0];
        } else if (t->part == 's') {
            l->s_type = (enum ul_type)t->type;
            l->s_width = t->ne[0];
        } else {
            l->p_type = (enum ul_type)t->type;
            l->p_width = t->ne[0];
        }
    }
}

/* src/llama-kv-cache-dsv4.cpp, llama_dsv4_comp_state */
static const char *compressor_name(enum ul_cache_kind kind, char part)
{
    switch (kind) {
    case UL_CACHE_DSV4_CSA:
        return part == 'c' ? "dsv4_csa_state_kv_l%d" : "dsv4_csa_state_score_l%d";
    case UL_CACHE_DSV4_HCA:
        return part == 'c' ? "dsv4_hca_state_kv_l%d" : "dsv4_hca_state_score_l%d";
    default: return part == 'c' ? "dsv4_lid_state_kv_l%d" : "dsv4_lid_state_score_l%d";
    }
}

static void add_extra(struct ul_memory_desc *d, const struct ul_caches *caches,
                      const struct ul_cache *cache, const struct ul_place *p)
{
    for (size_t i = cache->first; i < cache->first + cache->n; i++) {
        const struct ul_cache_tensor *t = &caches->tensor[i];
        d->extra[d->n_extra++] = (struct ul_kv_extra){
            .name = compressor_name(cache->kind, t->part), .il = (int)t->layer,
            .type = (enum ul_type)t->type, .place = place_of(p, t->device),
            .ne = {(int64_t)t->ne[0], (int64_t)t->ne[1], (int64_t)t->ne[2], 1}};
    }
}

void ul_graph_memory(struct ul_memory_desc *d, const struct ul_caches *caches,
                     const struct ul_model *m, const struct ul_cparams *c, const struct ul_place *p,
                     struct ul_arena *a)
{
    *d = (struct ul_memory_desc){.extra = UL_NEWS(a, struct ul_kv_extra, caches->n_tensors + 1)};
    for (size_t i = 0; i < caches->n; i++) {
        const struct ul_cache *cache = &caches->cache[i];
        struct ul_kv_cache *k = &d->cache[kv_role(cache->role)];
        bool indexer = cache->role == UL_CACHE_INDEXER || cache->role == UL_CACHE_LID;
        if (cache->kind == UL_CACHE_RS) {
            add_states(&d->state, caches, cache, p, a);
        } else if (cache->kind != UL_CACHE_KV) {
            add_extra(d, caches, cache, p);
        } else {
            add_kv(k, caches, cache, p, a);
            k->v_trans = c->v_trans;
            k->v_width_max = ul_n_embd_v_gqa_max(m);
            set_rotation(k, m, c, indexer);
        }
    }
}
