/* -sm tensor: one "Meta()" device stands for all GPUs, and each weight is cut between them.
 *
 * A product's first matrix is cut by rows (axis 1) and the one after it by columns (axis 0), so that
 * a GPU's part of the activations meets its part of the weights; what has no rule is held whole by
 * every GPU. A cut falls on whole heads and whole blocks; the first GPUs get their shares rounded
 * down and the last takes the rest, and which is the last rotates with the layer.
 * Source: src/llama-model.cpp, llama_meta_device_get_split_state. */
#include "engine/place_impl.h"

#define AXIS_WHOLE (-1) /* mirrored, or partial sums: the whole shape on each GPU */

/* How a weight is cut: the axis, and the weight whose columns follow the cut (its block size bounds
 * how fine it can be), with another where the layer lacks it. */
struct rule {
    uint16_t role;
    uint8_t suffix;
    int8_t axis;
    uint16_t follows, or_follows; /* UL_ROLE_UNKNOWN: the weight itself */
    enum grain {
        GRAIN_ONE, GRAIN_QUERY, GRAIN_KV, GRAIN_QKV, GRAIN_OUT, GRAIN_SINKS, GRAIN_LINEAR,
        GRAIN_LINEAR_HEADS, GRAIN_LINEAR_PAIRS, GRAIN_FFN, GRAIN_GATE, GRAIN_GROUP
    } grain;
};

#define ATTN UL_ROLE_ATTN_OUT, UL_ROLE_SSM_OUT
#define SSM UL_ROLE_SSM_OUT, UL_ROLE_UNKNOWN
#define FFN UL_ROLE_FFN_DOWN, UL_ROLE_FFN_DOWN_EXPS
#define SHEXP UL_ROLE_FFN_DOWN_SHEXP, UL_ROLE_UNKNOWN
#define SELF UL_ROLE_UNKNOWN, UL_ROLE_UNKNOWN

static const struct rule rules[] = {
    {UL_ROLE_ATTN_Q, UL_WEIGHT, 1, ATTN, GRAIN_QUERY},
    {UL_ROLE_ATTN_K, UL_WEIGHT, 1, ATTN, GRAIN_KV},
    {UL_ROLE_ATTN_V, UL_WEIGHT, 1, ATTN, GRAIN_KV},
    {UL_ROLE_ATTN_QKV, UL_WEIGHT, 1, ATTN, GRAIN_QKV},
    {UL_ROLE_ATTN_Q, UL_BIAS, 0, ATTN, GRAIN_QUERY},
    {UL_ROLE_ATTN_K, UL_BIAS, 0, ATTN, GRAIN_KV},
    {UL_ROLE_ATTN_V, UL_BIAS, 0, ATTN, GRAIN_KV},
    {UL_ROLE_ATTN_QKV, UL_BIAS, 0, ATTN, GRAIN_QKV},
    {UL_ROLE_ATTN_Q_NORM, UL_WEIGHT, 1, UL_ROLE_ATTN_OUT, UL_ROLE_UNKNOWN, GRAIN_ONE},
    {UL_ROLE_ATTN_K_NORM, UL_WEIGHT, 1, UL_ROLE_ATTN_OUT, UL_ROLE_UNKNOWN, GRAIN_ONE},
    {UL_ROLE_ATTN_SINKS, UL_WEIGHT, 0, UL_ROLE_ATTN_OUT, UL_ROLE_UNKNOWN, GRAIN_SINKS},
    {UL_ROLE_ATTN_OUT, UL_WEIGHT, 0, SELF, GRAIN_OUT},
    {UL_ROLE_ATTN_GATE, UL_WEIGHT, 1, ATTN, GRAIN_GATE},
    {UL_ROLE_SSM_DT, UL_BIAS, 0, SSM, GRAIN_LINEAR_HEADS},
    {UL_ROLE_SSM_A, UL_NO_SUFFIX, 0, SSM, GRAIN_LINEAR_HEADS},
    {UL_ROLE_SSM_A_NOSCAN, UL_NO_SUFFIX, 0, SSM, GRAIN_LINEAR_HEADS},
    {UL_ROLE_SSM_ALPHA, UL_WEIGHT, 1, SSM, GRAIN_LINEAR_HEADS},
    {UL_ROLE_SSM_BETA, UL_WEIGHT, 1, SSM, GRAIN_LINEAR_HEADS},
    {UL_ROLE_SSM_BETA_ALPHA, UL_WEIGHT, 1, SSM, GRAIN_LINEAR_PAIRS},
    {UL_ROLE_SSM_CONV1D, UL_WEIGHT, 1, SSM, GRAIN_LINEAR},
    {UL_ROLE_SSM_OUT, UL_WEIGHT, 0, SELF, GRAIN_LINEAR},
    {UL_ROLE_FFN_UP, UL_WEIGHT, 1, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_UP_EXPS, UL_WEIGHT, 1, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_GATE, UL_WEIGHT, 1, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_GATE_EXPS, UL_WEIGHT, 1, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_GATE_UP_EXPS, UL_WEIGHT, 1, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_UP, UL_BIAS, 0, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_UP_EXPS, UL_BIAS, 0, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_GATE, UL_BIAS, 0, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_GATE_EXPS, UL_BIAS, 0, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_DOWN, UL_WEIGHT, 0, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_DOWN_EXPS, UL_WEIGHT, 0, FFN, GRAIN_FFN},
    {UL_ROLE_OUTPUT, UL_WEIGHT, 1, SELF, GRAIN_ONE},
    {UL_ROLE_OUTPUT, UL_BIAS, 0, SELF, GRAIN_ONE},
};

/* DeepSeek V4: heads in groups, each with an output projection of its own. Shared experts are cut
 * too, and the output is not. The source that was read refuses this architecture; these are the
 * pinned engine's shares. */
static const struct rule grouped_rules[] = {
    {UL_ROLE_ATTN_Q_B, UL_WEIGHT, 1, SELF, GRAIN_GROUP},
    {UL_ROLE_ATTN_OUT_A, UL_WEIGHT, 2, SELF, GRAIN_GROUP},
    {UL_ROLE_ATTN_OUT_B, UL_WEIGHT, 0, SELF, GRAIN_GROUP},
    {UL_ROLE_ATTN_SINKS, UL_WEIGHT, 0, SELF, GRAIN_GROUP},
    {UL_ROLE_FFN_UP_EXPS, UL_WEIGHT, 1, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_GATE_EXPS, UL_WEIGHT, 1, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_DOWN_EXPS, UL_WEIGHT, 0, FFN, GRAIN_FFN},
    {UL_ROLE_FFN_UP_SHEXP, UL_WEIGHT, 1, SHEXP, GRAIN_FFN},
    {UL_ROLE_FFN_GATE_SHEXP, UL_WEIGHT, 1, SHEXP, GRAIN_FFN},
    {UL_ROLE_FFN_DOWN_SHEXP, UL_WEIGHT, 0, SHEXP, GRAIN_FFN},
};

/* A tied output keeps the embedding's name, and the engine goes by names: it is not cut. */
static const struct rule *rule_of(const struct ul_model *m, const struct ul_weight *w)
{
    if (m->arch->whole_everywhere)
        return NULL;
    bool grouped = m->dsv4_o_group_count > 0;
    const struct rule *table = grouped ? grouped_rules : rules;
    size_t n = grouped ? sizeof grouped_rules / sizeof *rules : sizeof rules / sizeof *rules;
    for (size_t i = 0; i < n; i++) {
        const struct rule *r = &table[i];
        if (r->role != w->role || r->suffix != w->suffix)
            continue;
        if (w->role == UL_ROLE_OUTPUT && !ul_str_starts(w->t->name, "output."))
            return NULL;
        bool norm = w->role == UL_ROLE_ATTN_Q_NORM || w->role == UL_ROLE_ATTN_K_NORM;
        return norm && w->t->ne[1] == 1 ? NULL : r;
    }
    return NULL;
}

static uint64_t lcm(uint64_t a, uint64_t b)
{
    uint64_t x = a, y = b;
    while (y != 0) {
        uint64_t r = x % y;
        x = y;
        y = r;
    }
    return x == 0 ? 0 : ul_mul(a / x, b);
}

/* ------------------------------------------------------------------ segments */

/* A row cut into parts that are shared out each on its own: n parts of `ne` values. */
struct segment {
    uint64_t ne;
    uint32_t n;
};

/* Delta-net layers keep queries, keys and values of many heads in one tensor. With more value heads
 * than key heads, qwen3next groups the values by key and qwen35 interleaves them. */
static int delta_segments(const struct ul_model *m, const struct ul_weight *w, struct segment *s)
{
    uint64_t keys = ul_mul(m->ssm_d_state, m->ssm_n_group);
    uint64_t values = ul_mul(m->ssm_d_state, m->ssm_dt_rank);
    uint32_t ratio = m->ssm_n_group ? m->ssm_dt_rank / m->ssm_n_group : 0;
    bool qkv =
        w->role == UL_ROLE_SSM_CONV1D || (w->role == UL_ROLE_ATTN_QKV && w->suffix == UL_WEIGHT);
    if (qkv && !m->arch->grouped_state) {
        s[0] = (struct segment){keys, 2};
        s[1] = (struct segment){values, 1};
        return 2;
    }
    if (!m->arch->grouped_state)
        return 0;
    switch (w->role) {
    case UL_ROLE_ATTN_GATE: case UL_ROLE_SSM_OUT: s[0] = (struct segment){keys, ratio}; return 1;
    case UL_ROLE_SSM_DT:
    case UL_ROLE_SSM_A:
    case UL_ROLE_SSM_A_NOSCAN:
    case UL_ROLE_SSM_ALPHA:
    case UL_ROLE_SSM_BETA:
        s[0] = (struct segment){m->ssm_n_group, ratio};
        return 1;
    default: break;
    }
    s[0] = (struct segment){keys, 2 + ratio};
    return qkv ? 1 : 0;
}

/* get_split_segments; their sum must be the row, else the engine stops. */
static int segments_of(const struct ul_model *m, const struct ul_weight *w, int axis,
                       struct segment *s)
{
    uint64_t ne = w->t->ne[axis];
    uint32_t il = w->layer < 0 ? 0 : (uint32_t)w->layer;
    int n = m->arch->gated_q ? delta_segments(m, w, s) : 0;
    if (n == 0 && w->role == UL_ROLE_FFN_GATE_UP_EXPS) {
        s[0] = (struct segment){m->n_ff_exp, 2};
        n = 1;
    } else if (n == 0 && w->role == UL_ROLE_ATTN_QKV && !m->arch->gated_q) {
        s[0] = (struct segment){m->n_embd, 1};
        s[1] = (struct segment){ul_n_embd_v_gqa(m, il), 2};
        n = 2;
    } else if (n == 0) {
        /* fused gate and up matrices go by the name of up */
        bool up = w->role == UL_ROLE_FFN_UP || w->role == UL_ROLE_FFN_UP_EXPS;
        bool fused = up && !m->arch->gated_q && ne == 2 * (uint64_t)m->layer[il].n_ff;
        s[0] = fused ? (struct segment){ne / 2, 2} : (struct segment){ne, 1};
        n = 1;
    }
    uint64_t sum = ul_mul(s[0].ne, s[0].n);
    if (n == 2)
        sum = ul_add(sum, ul_mul(s[1].ne, s[1].n));
    return sum == ne ? n : 0;
}

/* ------------------------------------------------------------------ granularity */

/* get_split_granularity for linear attention. */
static uint64_t linear_grain(const struct ul_model *m, enum grain grain, uint64_t block)
{
    uint64_t head = m->ssm_d_state;
    uint64_t all = lcm(lcm(block, 128), head);
    switch (grain) {
    case GRAIN_LINEAR: case GRAIN_GATE: case GRAIN_QKV: return all;
    case GRAIN_LINEAR_HEADS: return head ? all / head : 0;
    case GRAIN_LINEAR_PAIRS: return head ? 2 * (all / head) : 0;
    default: return 1;
    }
}

/* The same for ordinary attention: whole groups of query heads, in whole blocks, doubled towards
 * 128 values while every GPU still gets some. `second`: keys and values of a fused tensor. */
static uint64_t attention_grain(const struct ul_model *m, uint32_t il, enum grain grain,
                                uint64_t block, uint32_t n_gpus, bool second)
{
    uint64_t gqa = ul_n_gqa(m, il), query = ul_mul(gqa, ul_n_embd_head_k(m, il));
    while (block < 128 && block * n_gpus < query)
        block *= 2;
    uint64_t all = lcm(query, block);
    switch (grain) {
    case GRAIN_QUERY: return m->arch->gated_q ? lcm(2 * query, block) : all;
    /* a gate of ordinary attention: whole heads (one value a cut in the source that was read) */
    case GRAIN_OUT: case GRAIN_GATE: return all;
    case GRAIN_KV: return gqa ? all / gqa : 0;
    case GRAIN_QKV: return !second ? all : gqa ? all / gqa : 0;
    case GRAIN_SINKS: return query ? all / query * gqa : 0;
    default: return 1;
    }
}

/* 0 where the engine divides by zero. */
static uint64_t grain_of(const struct ul_placer *x, const struct rule *r, const struct ul_weight *w,
                         uint64_t block, bool second)
{
    const struct ul_model *m = x->m;
    uint32_t il = w->layer < 0 ? 0 : (uint32_t)w->layer;
    if (r->grain == GRAIN_GROUP)
        return w->t->ne[r->axis] / m->dsv4_o_group_count;
    /* a layer without attention: the engine divides by its heads before it looks at the others */
    bool before = r->grain == GRAIN_QUERY || r->grain == GRAIN_OUT || r->grain == GRAIN_SINKS;
    if (!m->layer[il].is_recr && !before && ul_n_gqa(m, il) == 0)
        return 0;
    if (r->grain == GRAIN_FFN)
        return lcm(block, 128);
    if (r->grain == GRAIN_ONE)
        return 1;
    if (m->layer[il].is_recr)
        return linear_grain(m, r->grain, block);
    uint64_t grain = attention_grain(m, il, r->grain, block, x->p->n_gpus, second);
    /* a gate of one value a head (laguna, spark2_5) is cut between the same heads */
    bool by_head = r->grain == GRAIN_GATE && w->t->ne[r->axis] == m->layer[il].n_head;
    uint32_t head = ul_n_embd_head_k(m, il);
    return by_head && head != 0 ? grain / head : grain;
}

/* ------------------------------------------------------------------ cutting */

/* Which GPU takes the rest: layers of one kind are counted, so that a regular pattern of kinds does
 * not always favour the same GPU. */
static uint32_t rotation_of(const struct ul_model *m, const struct ul_weight *w, uint32_t n_gpus)
{
    if (w->layer < 0 || !ul_role_layered(w->role))
        return m->n_layer % n_gpus;
    const struct ul_layer *own = &m->layer[w->layer];
    uint32_t n = 0;
    for (int il = 0; il < w->layer; il++)
        n += m->layer[il].is_recr == own->is_recr && m->layer[il].is_swa == own->is_swa;
    return n % n_gpus;
}

/* Where part j of a segment ends: an equal share, or by -ts in single precision. Beyond the segment
 * (a negative -ts) there is nothing to say. */
static bool part_end(uint64_t ne, uint32_t j, const float *scan, uint32_t n, uint64_t *end)
{
    if (scan[n - 1] == 0.0f) {
        *end = ul_mul(ne, j + 1) / n;
        return *end <= ne;
    }
    float at = (float)ne * scan[j] / scan[n - 1];
    if (!(at >= 0.0f && at <= (float)ne && at < 9e18f))
        return false;
    *end = (uint64_t)at;
    return *end <= ne;
}

/* Adds one segment's parts to each GPU's length of the axis. */
static bool cut(const struct ul_placer *x, struct segment s, uint64_t grain, uint32_t rotation,
                uint64_t *parts)
{
    uint32_t n = x->p->n_gpus;
    float scan[UL_MAX_DEVICES];
    for (uint32_t j = 0; j < n; j++) {
        uint32_t gpu = (j + rotation) % n;
        scan[j] = gpu < x->s->n_tensor_split ? x->s->tensor_split[gpu] : 0.0f;
        if (j > 0)
            scan[j] += scan[j - 1];
    }
    uint64_t low = 0;
    for (uint32_t j = 0; j < n; j++) {
        uint64_t high = s.ne;
        if (j + 1 < n && !part_end(s.ne, j, scan, n, &high))
            return false;
        if (j + 1 < n)
            high -= high % grain;
        if (high < low)
            return false;
        parts[(j + rotation) % n] += (high - low) * s.n;
        low = high;
    }
    return true;
}

static int stops(ullage_error *err, const struct ul_weight *w)
{
    return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                   "-sm tensor: the engine stops at %.*s, which it cannot cut",
                   (int)w->t->name.n, w->t->name.p);
}

/* The block size that bounds the cut, 0 when the weight that would say it is missing. */
static uint64_t block_of(const struct ul_model *m, const struct rule *r, const struct ul_weight *w)
{
    const struct ul_weight *f = w;
    if (r->follows != UL_ROLE_UNKNOWN)
        f = ul_weight_of(m, (enum ul_role)r->follows, UL_WEIGHT, w->layer);
    if (f == NULL && r->or_follows != UL_ROLE_UNKNOWN)
        f = ul_weight_of(m, (enum ul_role)r->or_follows, UL_WEIGHT, w->layer);
    return f != NULL ? ul_type_info(f->t->type)->block : 0;
}

int ul_meta_shapes(const struct ul_placer *x, const struct ul_weight *w,
                   uint64_t ne[UL_MAX_DEVICES][4], ullage_error *err)
{
    const struct rule *r = rule_of(x->m, w);
    uint32_t n = x->p->n_gpus;
    for (uint32_t j = 0; j < n; j++)
        memcpy(ne[j], w->t->ne, sizeof w->t->ne);
    if (r == NULL)
        return ULLAGE_OK;
    struct segment segments[2];
    uint64_t block = block_of(x->m, r, w), parts[UL_MAX_DEVICES] = {0};
    int count = segments_of(x->m, w, r->axis, segments);
    if (block == 0 || count == 0)
        return stops(err, w);
    for (int i = 0; i < count; i++) {
        uint64_t grain = grain_of(x, r, w, block, i > 0);
        if (grain == 0 || !cut(x, segments[i], grain, rotation_of(x->m, w, n), parts))
            return stops(err, w);
    }
    for (uint32_t j = 0; j < n; j++)
        ne[j][r->axis] = parts[j];
    return ULLAGE_OK;
}
