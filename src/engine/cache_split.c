/* With -sm tensor every GPU holds a slice of each cache: keys and values are cut by heads, a
 * recurrent state by its groups of heads, and what has no rule is held whole by every GPU. A cut
 * falls on a multiple of the granularity, so that a slice holds whole heads and whole blocks of the
 * weight that reads it; what is left over goes to the last GPU, and which GPU is the last rotates
 * with the layer so that the leftovers are spread. */
#include "engine/cache_split.h"

#include "engine/context.h"

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static uint64_t lcm(uint64_t a, uint64_t b)
{
    return a == 0 || b == 0 ? 0 : a / gcd(a, b) * b;
}

/* get_il_eff: how many layers of the same kind come before, so that a regular pattern of layer
 * kinds does not always favour the same GPU. */
static uint32_t rank_of_kind(const struct ul_model *m, uint32_t il)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < il; i++)
        n += m->layer[i].is_recr == m->layer[il].is_recr &&
             m->layer[i].is_swa == m->layer[il].is_swa;
    return n;
}

/* Values a block of the weight whose rows follow the cut. */
static uint64_t block_of(const struct ul_model *m, enum ul_role role, uint32_t il)
{
    const struct ul_weight *w = ul_weight_of(m, role, UL_WEIGHT, (int)il);
    return w ? ul_type_info(w->t->type)->block : 1;
}

/* Keys and values: granularity_kv. Whole groups of query heads, in whole blocks of the output
 * projection; blocks are doubled towards 128 while every GPU still gets some. */
static uint64_t grain_kv(const struct ul_model *m, uint32_t n_gpus, uint32_t il)
{
    const struct ul_layer *l = &m->layer[il];
    uint64_t gqa = l->n_head_kv ? l->n_head / l->n_head_kv : 0;
    uint64_t query = gqa * ul_n_embd_head_k(m, il);
    uint64_t block = block_of(m, UL_ROLE_ATTN_OUT, il);
    while (block < 128 && block * n_gpus < query)
        block *= 2;
    return gqa ? lcm(query, block) / gqa : 1;
}

/* A row cut into n segments of equal length: each segment is cut on its own, and a GPU holds its
 * part of all of them. */
struct cut {
    uint64_t segment, n, grain;
};

static struct cut cut_of(const struct ul_model *m, const struct ul_place *p,
                         const struct ul_cache_tensor *t)
{
    if (t->part == 'k' || t->part == 'v')
        return (struct cut){t->ne[0], 1, grain_kv(m, p->n_gpus, t->layer)};
    /* linear attention: get_split_segments and get_split_granularity */
    uint64_t head = m->ssm_d_state, conv = m->ssm_d_conv ? m->ssm_d_conv - 1 : 0;
    uint64_t qkv = lcm(lcm(block_of(m, UL_ROLE_SSM_OUT, t->layer), 128), head);
    struct cut c = {t->ne[0], 1, t->part == 'r' ? qkv * conv : qkv * head};
    if (m->arch->grouped_state && m->ssm_n_group) {
        uint64_t ratio = m->ssm_dt_rank / m->ssm_n_group;
        c.n = t->part == 'r' ? 2 + ratio : ratio;
        c.segment = t->part == 'r' ? head * m->ssm_n_group * conv : m->ssm_n_group * head * head;
    }
    return c;
}

/* Where slice j of a segment ends: an equal share, or by -ts (in single precision, as there). */
static uint64_t slice_end(uint64_t n, uint32_t j, const float *scan, uint32_t n_gpus)
{
    if (scan[n_gpus - 1] == 0.0f)
        return n * (j + 1) / n_gpus;
    return (uint64_t)((float)n * scan[j] / scan[n_gpus - 1]);
}

void ul_cache_split(const struct ul_model *m, const struct ul_settings *s,
                    const struct ul_place *p, const struct ul_cache *cache,
                    const struct ul_cache_tensor *t, uint64_t *ne0)
{
    uint32_t n = p->n_gpus;
    /* keys and values follow the output projection; DeepSeek V4 has none of that name */
    bool keys = cache->kind == UL_CACHE_KV
        && (cache->role == UL_CACHE_FULL || cache->role == UL_CACHE_WINDOW)
        && ul_weight_of(m, UL_ROLE_ATTN_OUT, UL_WEIGHT, (int)t->layer);
    bool state = cache->kind == UL_CACHE_RS && (t->part == 'r' || t->part == 's')
        && !m->arch->mirrored_state;
    for (uint32_t j = 0; j < n; j++)
        ne0[j] = t->ne[0];
    if ((!keys && !state) || m->arch->whole_everywhere)
        return;
    uint32_t turn = rank_of_kind(m, t->layer) % n;
    float scan[UL_MAX_DEVICES] = {0};
    for (uint32_t j = 0; j < n; j++) {
        uint32_t at = (j + turn) % n;
        scan[j] = (at < s->n_tensor_split ? s->tensor_split[at] : 0.0f) + (j ? scan[j - 1] : 0.0f);
    }
    struct cut c = cut_of(m, p, t);
    uint64_t low = 0;
    for (uint32_t j = 0; j < n; j++) {
        uint64_t high = j + 1 == n ? c.segment : slice_end(c.segment, j, scan, n);
        if (j + 1 < n && c.grain)
            high -= high % c.grain;
        ne0[(j + turn) % n] = (high - low) * c.n;
        low = high;
    }
}
