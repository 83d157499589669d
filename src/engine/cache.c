/* The engine has eight memory modules, and all are made of the same two parts: a cache of keys and
 * values, a row a cell (llama_kv_cache), and states of fixed size, a row a sequence
 * (llama_memory_recurrent, llama_dsv4_comp_state). So this file has one function for each part, and
 * one a module that says which layers get which part, with how many cells.
 *
 * A cache's tensors on one device are one allocation. The bytes that the engine logs for a cache
 * are its tensors' own; the buffer is a little larger where tensors are padded. */
#include "engine/cache.h"

#include "engine/arith.h"
#include "engine/cache_split.h"
#include "engine/context.h"
#include "graph/device.h"

/* llama-kv-cache-dsv4.cpp: one compressed key for 4 and for 128 tokens. */
#define DSV4_CSA_RATIO 4u
#define DSV4_HCA_RATIO 128u

const char *ul_cache_kind_name(enum ul_cache_kind kind)
{
    static const char *const names[UL_CACHE_KIND_COUNT] = {
        [UL_CACHE_KV] = "kv",
        [UL_CACHE_RS] = "rs",
        [UL_CACHE_DSV4_CSA] = "dsv4_csa_state",
        [UL_CACHE_DSV4_HCA] = "dsv4_hca_state",
        [UL_CACHE_DSV4_LID] = "dsv4_lid_state",
    };
    return names[kind];
}

/* ------------------------------------------------------------------ which layers keep what */

static bool has_indexer(const struct ul_model *m, uint32_t il)
{
    if (m->arch->has_indexer)
        return m->arch->has_indexer(m, il);
    if (m->arch->memory == UL_MEMORY_MSA)
        return il >= m->n_layer_dense_lead;
    if (m->arch->memory == UL_MEMORY_HYBRID)
        return ul_layer_keeps_kv(m, il);
    return il < m->n_layer;
}

static bool full_kv(const struct ul_model *m, uint32_t il)
{
    return ul_layer_keeps_kv(m, il) && !m->layer[il].is_swa;
}

static bool window_kv(const struct ul_model *m, uint32_t il)
{
    return ul_layer_keeps_kv(m, il) && m->layer[il].is_swa;
}

/* src/llama-model.cpp, create_memory: the draft head's context keeps its own layers alone. */
static bool head_kv(const struct ul_model *m, uint32_t il)
{
    return il >= m->n_layer && !m->layer[il].is_swa;
}

static bool head_window_kv(const struct ul_model *m, uint32_t il)
{
    return il >= m->n_layer && m->layer[il].is_swa;
}

static bool csa_layer(const struct ul_model *m, uint32_t il)
{
    return m->layer[il].dsv4_compress_ratio == DSV4_CSA_RATIO;
}

static bool hca_layer(const struct ul_model *m, uint32_t il)
{
    return m->layer[il].dsv4_compress_ratio == DSV4_HCA_RATIO;
}

/* ------------------------------------------------------------------ building */

struct maker {
    struct ul_caches *k;
    const struct ul_model *m;
    const struct ul_cparams *c;
    const struct ul_place *p;
    struct ul_arena *a;
    size_t cap, cap_tensors;
};

static struct ul_cache *add_cache(struct maker *b, struct ul_cache cache)
{
    struct ul_caches *k = b->k;
    if (k->n == b->cap) {
        b->cap = b->cap ? b->cap * 2 : 8;
        struct ul_cache *v = UL_NEWS(b->a, struct ul_cache, b->cap);
        if (k->n)
            memcpy(v, k->cache, k->n * sizeof *v);
        k->cache = v;
    }
    cache.first = k->n_tensors;
    k->cache[k->n] = cache;
    return &k->cache[k->n++];
}

static uint64_t tensor_bytes(enum ul_type type, const uint64_t ne[3])
{
    return ul_mul(ul_mul(ul_row_bytes(type, ne[0]), ne[1]), ne[2]);
}

/* A tensor of the newest cache. */
static uint64_t add_tensor(struct maker *b, struct ul_cache *cache, struct ul_cache_tensor t)
{
    struct ul_caches *k = b->k;
    if (k->n_tensors == b->cap_tensors) {
        b->cap_tensors = b->cap_tensors ? b->cap_tensors * 2 : 128;
        struct ul_cache_tensor *v = UL_NEWS(b->a, struct ul_cache_tensor, b->cap_tensors);
        if (k->n_tensors)
            memcpy(v, k->tensor, k->n_tensors * sizeof *v);
        k->tensor = v;
    }
    t.device = b->c->offload_kqv ? b->p->layer_device[t.layer] : UL_DEV_CPU;
    k->tensor[k->n_tensors++] = t;
    cache->n++;
    return tensor_bytes(t.type, t.ne);
}

/* ------------------------------------------------------------------ keys and values */

typedef bool layer_filter(const struct ul_model *m, uint32_t il);

/* What one llama_kv_cache is made of. The engine makes an indexer's cache by handing it a copy of
 * the hyper-parameters with one KV head of another length; `width_k` says so here. */
struct kv_spec {
    enum ul_cache_role role;
    layer_filter *filter;
    uint32_t cells;
    bool unified;
    bool k_only;      /* latent attention: no values */
    uint64_t width_k; /* 0: the model's own heads; else a row's length */
    uint64_t head_v;  /* with width_k: the length of the one value head ... */
    uint64_t head_v_swa; /* ... in a layer with a window */
};

static uint64_t width_k(const struct ul_model *m, const struct kv_spec *s, uint32_t il)
{
    return s->width_k ? s->width_k : ul_mul(ul_n_embd_head_k(m, il), m->layer[il].n_head_kv);
}

static uint64_t width_v(const struct ul_model *m, const struct kv_spec *s, uint32_t il)
{
    if (s->width_k)
        return m->layer[il].is_swa ? s->head_v_swa : s->head_v;
    return ul_mul(ul_n_embd_head_v(m, il), m->layer[il].n_head_kv);
}

/* Without flash attention V is stored transposed, and every layer's is as wide as the widest of the
 * model, of layers without a cache too (llama-kv-cache.cpp, TAG_V_CACHE_VARIABLE). */
static uint64_t width_v_max(const struct ul_model *m, const struct kv_spec *s)
{
    uint64_t most = 0;
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        most = ul_max(most, width_v(m, s, il));
    return most;
}

/* llama-kv-cache.cpp, llama_kv_cache::llama_kv_cache */
static void add_kv(struct maker *b, const struct kv_spec *s)
{
    const struct ul_model *m = b->m;
    struct ul_cache *cache = add_cache(b, (struct ul_cache){
        .kind = UL_CACHE_KV, .role = s->role, .cells = s->cells,
        .streams = s->unified ? 1 : b->c->n_seq_max,
        .type_k = b->c->type_k, .type_v = b->c->type_v,
    });
    uint64_t widest = b->c->flash_attn ? 0 : width_v_max(m, s);
    for (uint32_t il = 0; il < m->n_layer_all; il++) {
        if (!s->filter(m, il))
            continue;
        struct ul_cache_tensor t = {.type = (uint8_t)cache->type_k, .part = 'k', .layer = il,
                                    .ne = {width_k(m, s, il), s->cells, cache->streams}};
        cache->layers++;
        cache->k_bytes = ul_add(cache->k_bytes, add_tensor(b, cache, t));
        if (s->k_only)
            continue;
        t.type = (uint8_t)cache->type_v;
        t.part = 'v';
        t.ne[0] = b->c->flash_attn ? width_v(m, s, il) : widest;
        cache->v_bytes = ul_add(cache->v_bytes, add_tensor(b, cache, t));
    }
}

static uint32_t window_cells(const struct maker *b, bool unified)
{
    const struct ul_cparams *c = b->c;
    if (c->swa_full)
        return c->n_ctx_seq;
    return (uint32_t)ullage_window_cells(c->n_ctx_seq, b->m->n_swa, c->n_seq_max, unified,
                                         c->n_ubatch);
}

static void add_full(struct maker *b, bool unified, bool k_only)
{
    bool windows = b->m->swa_type != UL_SWA_NONE;
    struct kv_spec s = {.role = UL_CACHE_FULL, .cells = b->c->n_ctx_seq, .unified = unified,
                        .k_only = k_only, .filter = windows ? full_kv : ul_layer_keeps_kv};
    if (b->c->mtp)
        s.filter = head_kv;
    add_kv(b, &s);
}

static void add_window(struct maker *b, bool unified, bool k_only)
{
    struct kv_spec s = {.role = UL_CACHE_WINDOW, .cells = window_cells(b, unified),
                        .unified = unified, .k_only = k_only,
                        .filter = b->c->mtp ? head_window_kv : window_kv};
    if (b->m->swa_type != UL_SWA_NONE)
        add_kv(b, &s);
}

/* llama_kv_cache, or llama_kv_cache_iswa: one cache for layers that see everything and a smaller
 * one for those that see a window. */
static void add_attention(struct maker *b, bool unified, bool k_only)
{
    add_full(b, unified, k_only);
    add_window(b, unified, k_only);
}

/* llama-kv-cache-dsa.cpp, llama-kv-cache-msa.cpp: the indexer keeps one key head a token. Where the
 * model's own cache has values, so has the indexer's, by the same constructor. */
static void add_indexer(struct maker *b, bool k_only)
{
    const struct ul_model *m = b->m;
    uint64_t parts = m->indexer_parts ? m->indexer_parts
                                      : m->arch->indexer_parts ? m->arch->indexer_parts : 1;
    struct kv_spec s = {.role = UL_CACHE_INDEXER, .cells = b->c->n_ctx_seq,
                        .unified = b->c->kv_unified, .k_only = k_only, .filter = has_indexer,
                        .width_k = ul_mul(m->indexer_head_size, parts),
                        .head_v = m->n_embd_head_v_full, .head_v_swa = m->n_embd_head_v_swa};
    add_kv(b, &s);
}

/* ------------------------------------------------------------------ states */

/* llama-memory-recurrent.cpp: always 32-bit floats, a row a sequence and rollback. The log counts
 * all trunk layers, with and without a state. */
static void add_states(struct maker *b)
{
    const struct ul_model *m = b->m;
    uint64_t rows = ul_mul(b->c->n_seq_max, 1 + (uint64_t)b->c->n_rs_seq);
    struct ul_cache *cache = add_cache(b, (struct ul_cache){
        .kind = UL_CACHE_RS, .role = UL_CACHE_STATE, .cells = b->c->n_seq_max,
        .layers = m->n_layer, .streams = b->c->n_seq_max, .type_k = UL_F32, .type_v = UL_F32,
    });
    for (uint32_t il = 0; il < m->n_layer; il++) {
        uint32_t p = m->arch->n_embd_p ? m->arch->n_embd_p(m, il) : 0;
        struct ul_cache_tensor t = {.type = UL_F32, .part = 'p', .layer = il, .ne = {p, rows, 1}};
        if (p)
            cache->k_bytes = ul_add(cache->k_bytes, add_tensor(b, cache, t));
        if (!ul_layer_keeps_state(m, il))
            continue;
        t.part = 'r';
        t.ne[0] = ul_n_embd_r(m);
        cache->k_bytes = ul_add(cache->k_bytes, add_tensor(b, cache, t));
        t.part = 's';
        t.ne[0] = ul_n_embd_s(m);
        cache->v_bytes = ul_add(cache->v_bytes, add_tensor(b, cache, t));
    }
}

/* llama-kv-cache-dsv4.cpp, llama_dsv4_comp_state: keys and scores not compressed yet. */
static void add_compressor(struct maker *b, enum ul_cache_kind kind, layer_filter *filter,
                           uint64_t rows, uint64_t width)
{
    struct ul_cache *cache = add_cache(b, (struct ul_cache){
        .kind = kind, .role = UL_CACHE_STATE, .cells = (uint32_t)rows,
        .streams = b->c->n_seq_max, .type_k = UL_F32, .type_v = UL_F32,
    });
    uint64_t planes = ul_mul(b->c->n_seq_max, 1 + (uint64_t)b->c->n_rs_seq);
    for (uint32_t il = 0; il < b->m->n_layer; il++) {
        if (!filter(b->m, il))
            continue;
        struct ul_cache_tensor t = {.type = UL_F32, .part = 'c', .layer = il,
                                    .ne = {width, rows, planes}};
        cache->layers++;
        cache->k_bytes = ul_add(cache->k_bytes, add_tensor(b, cache, t));
        t.part = 'w';
        cache->v_bytes = ul_add(cache->v_bytes, add_tensor(b, cache, t));
    }
}

/* llama-kv-cache-dsv4.cpp, llama_kv_cache_dsv4: a windowed cache of raw keys, compressed keys at
 * two ratios with an indexer for the finer one, and the compressors' states. Each sequence has its
 * own stream even when the cache is unified for the user, and nothing keeps values. */
static void add_dsv4(struct maker *b)
{
    const struct ul_model *m = b->m;
    uint32_t n = b->c->n_ctx_seq;
    uint32_t fine = (uint32_t)ul_pad(ul_max(1, (n + DSV4_CSA_RATIO - 1) / DSV4_CSA_RATIO), 256);
    uint32_t coarse = (uint32_t)ul_pad(ul_max(1, (n + DSV4_HCA_RATIO - 1) / DSV4_HCA_RATIO), 256);
    uint64_t head = ul_n_embd_head_k(m, 0);
    add_attention(b, false, true);
    struct kv_spec s = {.role = UL_CACHE_CSA, .cells = fine, .k_only = true, .filter = csa_layer};
    add_kv(b, &s);
    s.role = UL_CACHE_HCA;
    s.cells = coarse;
    s.filter = hca_layer;
    add_kv(b, &s);
    s = (struct kv_spec){.role = UL_CACHE_LID, .cells = fine, .k_only = true, .filter = csa_layer,
                         .width_k = m->indexer_head_size};
    add_kv(b, &s);
    add_compressor(b, UL_CACHE_DSV4_CSA, csa_layer, 2 * DSV4_CSA_RATIO, 2 * head);
    add_compressor(b, UL_CACHE_DSV4_HCA, hca_layer, DSV4_HCA_RATIO, head);
    add_compressor(b, UL_CACHE_DSV4_LID, csa_layer, 2 * DSV4_CSA_RATIO,
                   2 * (uint64_t)m->indexer_head_size);
}

/* ------------------------------------------------------------------ modules */

static void add_module(struct maker *b)
{
    const struct ul_model *m = b->m;
    bool mla = ul_is_mla(m), unified = b->c->kv_unified;
    switch (b->c->mtp ? UL_MEMORY_KV : m->arch->memory) {
    case UL_MEMORY_NONE:
        break;
    case UL_MEMORY_KV:
        add_attention(b, unified, mla);
        break;
    case UL_MEMORY_RECURRENT:
        add_states(b);
        break;
    case UL_MEMORY_HYBRID:
        add_attention(b, unified, mla);
        add_states(b);
        if (m->arch->indexer_parts) /* newer hybrids add a third part, keys only */
            add_indexer(b, true);
        break;
    case UL_MEMORY_DSA:
    case UL_MEMORY_MSA:
    case UL_MEMORY_DSA_ISWA:
        add_full(b, unified, mla);
        add_indexer(b, mla);
        add_window(b, unified, mla);
        break;
    case UL_MEMORY_DSV4:
        add_dsv4(b);
        break;
    }
}

/* ------------------------------------------------------------------ buffers */

uint64_t ul_cache_alloc_bytes(const struct ul_place *p, int device, enum ul_type type,
                              const uint64_t ne[3])
{
    if (device == UL_DEV_CPU)
        return ul_pad(tensor_bytes(type, ne), p->n_bufts ? p->buft[p->cpu_buft].alignment : 1);
    const int64_t shape[4] = {(int64_t)ne[0], (int64_t)ne[1], (int64_t)ne[2], 1};
    uint64_t bytes = ul_alloc_size_of(p->device[device].backend, type, shape);
    return ul_pad(bytes, p->buft[p->device_buft[device]].alignment);
}

/* The buffer of a cache on a device, made at its first tensor there. */
static struct ul_cache_buffer *buffer_of(struct ul_caches *k, size_t cache, int device)
{
    for (size_t i = k->n_buffers; i-- > 0 && k->buffer[i].cache == cache;)
        if (k->buffer[i].device == device)
            return &k->buffer[i];
    struct ul_cache_buffer *b = &k->buffer[k->n_buffers++];
    *b = (struct ul_cache_buffer){.kind = k->cache[cache].kind, .cache = cache, .device = device};
    return b;
}

static bool is_meta(const struct ul_place *p, int device)
{
    return device != UL_DEV_CPU && p->buft[p->device_buft[device]].kind == UL_BUFT_META;
}

static void add_share(struct ul_cache_buffer *b, const struct ul_model *m,
                      const struct ul_settings *s, const struct ul_place *p,
                      const struct ul_cache *cache, const struct ul_cache_tensor *t)
{
    uint64_t ne0[UL_MAX_DEVICES];
    ul_cache_split(m, s, p, cache, t, ne0);
    b->bytes = 0;
    for (uint32_t j = 0; j < p->n_gpus; j++) {
        const uint64_t ne[3] = {ne0[j], t->ne[1], t->ne[2]};
        uint64_t bytes = ul_cache_alloc_bytes(p, t->device, (enum ul_type)t->type, ne);
        b->share[j] = ul_add(b->share[j], bytes);
        b->bytes = ul_max(b->bytes, b->share[j]);
    }
}

static void make_buffers(struct ul_caches *k, const struct ul_model *m,
                         const struct ul_settings *s, const struct ul_place *p,
                         struct ul_arena *a)
{
    k->buffer = UL_NEWS(a, struct ul_cache_buffer, k->n * (p->n_devices + 1));
    for (size_t i = 0; i < k->n; i++) {
        const struct ul_cache *cache = &k->cache[i];
        for (size_t j = cache->first; j < cache->first + cache->n; j++) {
            const struct ul_cache_tensor *t = &k->tensor[j];
            struct ul_cache_buffer *b = buffer_of(k, i, t->device);
            if (is_meta(p, t->device))
                add_share(b, m, s, p, cache, t);
            else
                b->bytes = ul_add(b->bytes, ul_cache_alloc_bytes(p, t->device,
                                                                 (enum ul_type)t->type, t->ne));
        }
    }
}

void ul_caches_make(struct ul_caches *k, const struct ul_model *m, const struct ul_cparams *c,
                    const struct ul_settings *s, const struct ul_place *p, struct ul_arena *a)
{
    *k = (struct ul_caches){0};
    struct maker b = {.k = k, .m = m, .c = c, .p = p, .a = a};
    add_module(&b);
    make_buffers(k, m, s, p, a);
}
