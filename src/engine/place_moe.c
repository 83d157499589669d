/* --moe-cache-mib: room on the GPUs for experts that stay in host memory.
 *
 * Layers on a GPU whose experts are all in plain host memory share slots with the layers of the same
 * device and the same types: a group has one tensor a matrix, with a slot for each cached expert and
 * one more. The budget is shared among the devices like the layers, and within a device among the
 * groups by the bytes of their experts. A group that could not hold one token's experts gets none.
 * The source that was read does not have this yet: the rules are the pinned engine's answers to
 * budgets, splits and placements. */
#include "engine/place_impl.h"

#define MATRICES 4

static const enum ul_role matrices[MATRICES] = {
    UL_ROLE_FFN_GATE_EXPS, UL_ROLE_FFN_UP_EXPS, UL_ROLE_FFN_DOWN_EXPS, UL_ROLE_FFN_GATE_UP_EXPS,
};

struct group {
    int device;
    const struct ul_weight
        *w[MATRICES]; /* of its first layer; NULL: the layers have no such matrix */
    uint32_t n_layers;
    uint64_t expert_bytes;               /* one expert of one layer */
};

static bool same_matrix(const struct ul_weight *a, const struct ul_weight *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->t->type == b->t->type && memcmp(a->t->ne, b->t->ne, sizeof a->t->ne) == 0;
}

/* The expert matrices of a layer; false unless there are some and all are in host memory. */
static bool experts_of(const struct ul_place *p, const struct ul_model *m, int il,
                       const struct ul_weight *w[MATRICES])
{
    bool any = false;
    for (int k = 0; k < MATRICES; k++) {
        w[k] = ul_weight_of(m, matrices[k], UL_WEIGHT, il);
        if (w[k] == NULL)
            continue;
        int buft = ul_place_of(p, m, w[k], -1);
        if (buft < 0 || !p->buft[buft].host)
            return false;
        any = true;
    }
    return any;
}

static struct group *group_of(struct group *g, size_t *n, int device,
                              const struct ul_weight *const w[MATRICES])
{
    for (size_t i = 0; i < *n; i++) {
        bool same = g[i].device == device;
        for (int k = 0; same && k < MATRICES; k++)
            same = same_matrix(g[i].w[k], w[k]);
        if (same)
            return &g[i];
    }
    struct group *own = &g[(*n)++];
    *own = (struct group){.device = device};
    for (int k = 0; k < MATRICES; k++) {
        own->w[k] = w[k];
        if (w[k] != NULL)
            own->expert_bytes =
                ul_add(own->expert_bytes, w[k]->t->bytes / ul_max(w[k]->t->ne[2], 1));
    }
    return own;
}

static size_t make_groups(const struct ul_place *p, const struct ul_model *m, struct group *g)
{
    size_t n = 0;
    const struct ul_weight *w[MATRICES];
    for (uint32_t il = 0; il < m->n_layer; il++)
        if (p->layer_device[il] >= 0 && experts_of(p, m, (int)il, w))
            group_of(g, &n, p->layer_device[il], w)->n_layers++;
    return n;
}

/* The part of the budget that a device gets: by -ts, or by what is free on it once the weights and
 * the caches are there. */
static double share_of(const struct ul_place *p, const struct ul_settings *s, uint32_t device,
                       const uint64_t *taken)
{
    double own = 0, sum = 0, given = 0;
    for (uint32_t i = 0; i < p->n_devices && i < s->n_tensor_split; i++)
        given += s->tensor_split[i];
    for (uint32_t i = 0; i < p->n_devices; i++) {
        uint64_t free = p->device[i].free_bytes;
        double part = free > taken[i] ? (double)(free - taken[i]) : 0;
        if (given > 0)
            part = i < s->n_tensor_split ? (double)s->tensor_split[i] : 0;
        sum += part;
        own = i == device ? part : own;
    }
    return sum > 0 ? own / sum : 0;
}

/* Bytes of a group's tensors with room for `slots` experts and one more. */
static uint64_t group_bytes(const struct ul_buft *b, const struct group *g, uint64_t slots)
{
    uint64_t bytes = 0;
    for (int k = 0; k < MATRICES; k++) {
        if (g->w[k] == NULL)
            continue;
        const uint64_t *ne = g->w[k]->t->ne;
        const uint64_t shape[4] = {ne[0], ne[1], slots + 1, 1};
        bytes = ul_add(bytes, ul_padded_bytes(b, g->w[k]->t->type, shape));
    }
    return bytes;
}

/* One device's buffer: 0 when none of its groups fits. */
static uint64_t device_bytes(const struct ul_place *p, const struct ul_model *m,
                             const struct group *g, size_t n, uint32_t device, double budget)
{
    double total = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        if (g[i].device == (int)device)
            total += (double)g[i].expert_bytes * g[i].n_layers * m->n_expert;
    for (size_t i = 0; i < n; i++) {
        if (g[i].device != (int)device)
            continue;
        uint64_t all = (uint64_t)g[i].n_layers * m->n_expert;
        double part = budget * ((double)g[i].expert_bytes * (double)all) / total;
        uint64_t fit = (uint64_t)(part / (double)g[i].expert_bytes);
        uint64_t slots = ul_min(fit > 0 ? fit - 1 : 0, all);
        if (slots >= m->n_expert_used)
            bytes = ul_add(bytes, group_bytes(&p->buft[p->device_buft[device]], &g[i], slots));
    }
    return bytes;
}

static int refuse(ullage_error *err, const char *why)
{
    return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                   "failed to initialize the context: %s", why);
}

int ul_place_moe_cache(struct ul_place *p, const struct ul_model *m, const struct ul_settings *s,
                       const uint64_t *taken, struct ul_arena *a, ullage_error *err)
{
    if (s->moe_cache_bytes == 0)
        return ULLAGE_OK;
    if (p->n_devices == 0 || p->buft[p->device_buft[0]].kind == UL_BUFT_META)
        return refuse(err, "MoE cache requires a GPU backend");
    if (m->n_expert == 0)
        return refuse(err, "MoE cache requires a MoE model");
    struct group *groups = UL_NEWS(a, struct group, m->n_layer);
    size_t n = make_groups(p, m, groups);
    bool any = n == 0;
    for (uint32_t i = 0; i < p->n_devices && n > 0; i++) {
        double budget = (double)s->moe_cache_bytes * share_of(p, s, i, taken);
        struct ul_model_buffer b = {.name = p->device[i].name, .kind = UL_BUFFER_MOE_CACHE,
                                    .buft = (int16_t)p->device_buft[i], .count = 1};
        b.bytes = device_bytes(p, m, groups, n, i, budget);
        if (b.bytes > 0)
            p->buffers[p->n_buffers++] = b;
        any |= b.bytes > 0;
    }
    return any ? ULLAGE_OK : refuse(err, "MoE cache is too small to hold the experts of one token");
}
