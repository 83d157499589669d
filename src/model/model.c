/* The model's tensors by role, and the getters of llama.cpp's hyper-parameters.
 *
 * Tensors keep the file's order. A hash over (role, suffix, layer) finds one in constant time:
 * graph programs ask for every weight of every layer, and for many that a file does not have. */
#include "model/model.h"

#include "base/size.h"

static const uint32_t no_layer = 0xFFFF; /* in keys; layers are below UL_MAX_LAYERS */

static uint32_t key_of(enum ul_role role, enum ul_suffix suffix, int layer)
{
    uint32_t il = ul_role_layered(role) && layer >= 0 ? (uint32_t)layer : no_layer;
    return ((uint32_t)role << 20) | (il << 4) | (uint32_t)suffix;
}

/* The slot of a key, or the free one where it would stand. */
static const struct ul_weight **index_slot(const struct ul_model *m, uint32_t key)
{
    uint32_t i = ((key * 2654435761u) >> 7) & m->index_mask; /* multiplicative hash */
    while (m->index[i] != NULL && m->index[i]->key != key)
        i = (i + 1) & m->index_mask;
    return &m->index[i];
}

static void index_add(struct ul_model *m, struct ul_weight *w)
{
    w->key = key_of((enum ul_role)w->role, (enum ul_suffix)w->suffix, w->layer);
    const struct ul_weight **s = index_slot(m, w->key);
    if (*s == NULL)
        *s = w;
}

void ul_model_index(struct ul_model *m, struct ul_arena *a)
{
    uint32_t n = 64;
    while (n < 2 * m->n_weights + 64)
        n *= 2; /* at most half full, twins included */
    if (m->index == NULL)
        m->index = UL_NEWS(a, const struct ul_weight *, n);
    for (uint32_t i = 0; i < n; i++)
        m->index[i] = NULL;
    m->index_mask = n - 1;
    for (size_t i = 0; i < m->n_weights; i++) {
        struct ul_weight *w = &m->weights[i];
        if (w->role == UL_ROLE_UNKNOWN || w->skipped)
            continue;
        index_add(m, w);
        if (w->twin != NULL)
            index_add(m, w->twin);
    }
}

const struct ul_weight *ul_weight_of(const struct ul_model *m, enum ul_role role,
                                     enum ul_suffix suffix, int layer)
{
    if (m->n_layer_phys != 0 && layer >= (int)m->n_layer_phys)
        layer %= (int)m->n_layer_phys;
    return m->index != NULL ? *index_slot(m, key_of(role, suffix, layer)) : NULL;
}

/* Source: src/llama-model-loader.cpp, create_tensor. */
enum ul_use ul_weight_use(const struct ul_model *m, const struct ul_weight *w)
{
    enum ul_use use = (enum ul_use)ul_role_info(w->role)->use;
    if (w->suffix == UL_BIAS)
        return use == UL_USE_MUL_MAT_ID ? UL_USE_ADD_ID : UL_USE_ADD;
    if (m->router_layer >= 0 && (w->suffix == UL_LORA_A || w->suffix == UL_LORA_B))
        return UL_USE_MUL_MAT_ID;
    return use;
}

static uint64_t elements(const struct ul_gguf_tensor *t)
{
    return ul_mul(ul_mul(t->ne[0], t->ne[1]), ul_mul(t->ne[2], t->ne[3]));
}

void ul_model_weights(struct ul_model *m, const struct ul_gguf *g, struct ul_arena *a)
{
    const struct ul_role_index *names = ul_role_index_new(a);
    m->weights = UL_NEWS(a, struct ul_weight, g->n_tensors + 1);
    m->n_weights = g->n_tensors;
    for (size_t i = 0; i < g->n_tensors; i++) {
        struct ul_weight *w = &m->weights[i];
        w->t = &g->tensors[i];
        enum ul_suffix suffix;
        int layer;
        w->role = (uint16_t)ul_role_of(names, w->t->name, &suffix, &layer);
        w->suffix = (uint8_t)suffix;
        w->layer = (int16_t)layer;
        w->unknown = w->role == UL_ROLE_UNKNOWN;
        m->n_elements = ul_add(m->n_elements, elements(w->t));
        m->n_bytes = ul_add(m->n_bytes, w->t->bytes);
    }
}

void ul_model_tie(struct ul_weight *w, enum ul_role role, struct ul_arena *a)
{
    w->twin = UL_NEW(a, struct ul_weight);
    *w->twin = (struct ul_weight){.t = w->t, .role = role, .suffix = w->suffix, .layer = -1};
}

/* ------------------------------------------------------------------ src/llama-hparams.cpp */

uint32_t ul_n_embd_head_k(const struct ul_model *m, uint32_t il)
{
    return m->layer[il].is_swa ? m->n_embd_head_k_swa : m->n_embd_head_k_full;
}

uint32_t ul_n_embd_head_v(const struct ul_model *m, uint32_t il)
{
    return m->layer[il].is_swa ? m->n_embd_head_v_swa : m->n_embd_head_v_full;
}

uint32_t ul_n_embd_k_gqa(const struct ul_model *m, uint32_t il)
{
    return ul_n_embd_head_k(m, il) * m->layer[il].n_head_kv;
}

uint32_t ul_n_embd_v_gqa(const struct ul_model *m, uint32_t il)
{
    return ul_n_embd_head_v(m, il) * m->layer[il].n_head_kv;
}

uint32_t ul_n_embd_k_gqa_max(const struct ul_model *m)
{
    uint32_t max = 0;
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        max = ul_n_embd_k_gqa(m, il) > max ? ul_n_embd_k_gqa(m, il) : max;
    return max;
}

uint32_t ul_n_embd_v_gqa_max(const struct ul_model *m)
{
    uint32_t max = 0;
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        max = ul_n_embd_v_gqa(m, il) > max ? ul_n_embd_v_gqa(m, il) : max;
    return max;
}

bool ul_n_embd_k_gqa_variable(const struct ul_model *m)
{
    for (uint32_t il = 1; il < m->n_layer_all; il++)
        if (ul_n_embd_k_gqa(m, il) != ul_n_embd_k_gqa(m, 0))
            return true;
    return false;
}

bool ul_n_embd_v_gqa_variable(const struct ul_model *m)
{
    for (uint32_t il = 1; il < m->n_layer_all; il++)
        if (ul_n_embd_v_gqa(m, il) != ul_n_embd_v_gqa(m, 0))
            return true;
    return false;
}

uint32_t ul_n_gqa(const struct ul_model *m, uint32_t il)
{
    const struct ul_layer *l = &m->layer[il];
    return l->n_head_kv == 0 ? 0 : l->n_head / l->n_head_kv;
}

uint32_t ul_n_rot(const struct ul_model *m, uint32_t il)
{
    return m->layer[il].is_swa ? m->n_rot_swa : m->n_rot_full;
}

uint64_t ul_n_embd_r(const struct ul_model *m)
{
    if (m->wkv_head_size != 0) /* RWKV: token shifts */
        return ul_mul(m->token_shift_count, m->n_embd);
    if (m->n_shortconv_l_cache != 0)
        return ul_mul(m->n_embd, m->n_shortconv_l_cache - 1);
    if (m->n_embd_head_kda != 0) /* convolutions of queries, keys and values */
        return ul_mul(3 * (uint64_t)(m->ssm_d_conv > 0 ? m->ssm_d_conv - 1 : 3),
                      ul_mul(m->layer[0].n_head, m->n_embd_head_kda));
    return ul_mul(m->ssm_d_conv > 0 ? m->ssm_d_conv - 1 : 0,
                  ul_add(m->ssm_d_inner, ul_mul(2 * (uint64_t)m->ssm_n_group, m->ssm_d_state)));
}

uint64_t ul_n_embd_s(const struct ul_model *m)
{
    if (m->wkv_head_size != 0)
        return ul_mul(m->n_embd, m->wkv_head_size);
    uint64_t head = m->n_embd_head_kda != 0 ? m->n_embd_head_kda : m->n_embd_head_la;
    if (head != 0) /* a square matrix a head */
        return ul_mul(ul_mul(head, head), m->layer[0].n_head);
    return ul_mul(m->ssm_d_state, m->ssm_d_inner);
}

bool ul_is_mla(const struct ul_model *m)
{
    return m->n_embd_head_k_mla_impl != 0 && m->n_embd_head_v_mla_impl != 0;
}

uint32_t ul_n_embd_head_k_mla(const struct ul_model *m)
{
    return ul_is_mla(m) ? m->n_embd_head_k_mla_impl : ul_n_embd_head_k(m, 0);
}

uint32_t ul_n_embd_head_v_mla(const struct ul_model *m)
{
    return ul_is_mla(m) ? m->n_embd_head_v_mla_impl : ul_n_embd_head_v(m, 0);
}

bool ul_has_kv(const struct ul_model *m, uint32_t il)
{
    return m->n_layer_kv_from_start < 0 || il < (uint32_t)m->n_layer_kv_from_start;
}

bool ul_has_rope(const struct ul_model *m, uint32_t il)
{
    return (int64_t)il != m->router_layer && m->layer[il].rope;
}

bool ul_is_swa_any(const struct ul_model *m)
{
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        if (m->layer[il].is_swa)
            return true;
    return false;
}

uint32_t ul_n_pos_per_embd(const struct ul_model *m)
{
    return m->rope_type == UL_ROPE_MROPE || m->rope_type == UL_ROPE_IMROPE ? 4 : 1;
}

static bool in_pattern(uint32_t il, uint32_t n, bool dense_first)
{
    if (n == 0)
        return true;
    return dense_first ? il % n != 0 : il % n < n - 1;
}

void ul_set_swa_pattern(struct ul_model *m, uint32_t n_pattern, bool dense_first)
{
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].is_swa = il < m->n_layer && in_pattern(il, n_pattern, dense_first);
}

void ul_set_recr_pattern(struct ul_model *m, uint32_t n_pattern, bool dense_first)
{
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].is_recr = il < m->n_layer && in_pattern(il, n_pattern, dense_first);
}
