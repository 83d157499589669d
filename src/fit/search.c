/* The search. A goal orders the points that fit; the best of them is found by bisection where
 * memory is known to move one way (more context, more layers or more experts on the GPUs never
 * take less), led by a straight line between the two ends, and every step is a real plan: the line
 * only says where to look, never what fits.
 *
 *   context   fewest layers off the GPUs, then fewest experts, then the longest context
 *   speed     the fastest generation that is expected once the shortest context is full; where no
 *             speed is known, fewest layers and experts off, then what a variant gives up
 *   slots     as context, but the number of slots counts before the context
 *
 * and all of them with at least the shortest context asked for. */
#include "fit/fit.h"

#include "base/size.h"
#include "engine/arith.h"

#define MOST_SLOTS 256 /* LLAMA_MAX_SEQ, src/llama-cparams.h */

/* ------------------------------------------------------------------ between what fits and not */

typedef void set_fn(struct ul_fit_point *p, int64_t x);

static void set_context(struct ul_fit_point *p, int64_t x)
{
    p->context = (uint32_t)x * UL_FIT_STEP;
}
static void set_ngl(struct ul_fit_point *p, int64_t x) { p->ngl = (uint32_t)x; }
static void set_moe(struct ul_fit_point *p, int64_t x) { p->n_cpu_moe = (uint32_t)x; }
static void set_slots(struct ul_fit_point *p, int64_t x) { p->slots = (int)x; }

struct edge {
    int64_t good, bad;                   /* fits, does not: on either side of the edge */
    const struct ul_fit_view *at_good, *at_bad;
};

static bool same_cut(const struct ul_fit_view *a, const struct ul_fit_view *b)
{
    return a->n_gpus == b->n_gpus && memcmp(a->count, b->count, sizeof a->count) == 0;
}

/* What the line is drawn through: what the fullest device has left where layers stay where they
 * are, and what all have together where they move; too little where what is left does not suit. */
static void heights(const struct edge *e, double *good, double *bad)
{
    const struct ul_fit_view *g = e->at_good, *b = e->at_bad;
    bool least = g->n_gpus < 2 || same_cut(g, b);
    *good = (double)(least ? g->least : g->sum_left);
    *bad = (double)(least || b->sum_left >= 0 ? b->least : b->sum_left);
}

/* Where a straight line between the ends meets zero, on the side that fits; the middle every third
 * time, so that a bent line cannot hold the search up. */
static int64_t guess(const struct edge *e, int turn)
{
    int64_t width = e->bad - e->good, way = width > 0 ? 1 : -1;
    int64_t middle = e->good + width / 2;
    if (turn % 3 == 2 || e->at_good->err.code || e->at_bad->err.code)
        return middle;
    double a, b;
    heights(e, &a, &b);
    if (!(a >= 0 && b < 0))
        return middle;
    int64_t x = e->good + (int64_t)((double)width * (a / (a - b)));
    if ((x - e->good) * way < 1)
        x = e->good + way;
    return (e->bad - x) * way < 1 ? e->bad - way : x;
}

/* The last value on the good side. Both ends must be seen already. */
static const struct ul_fit_view *find_edge(struct ul_fit *f, const struct ul_fit_point *from,
                                           set_fn *set, struct edge e)
{
    struct ul_fit_point p = *from;
    for (int turn = 0; e.bad - e.good > 1 || e.good - e.bad > 1; turn++) {
        int64_t x = guess(&e, turn);
        set(&p, x);
        const struct ul_fit_view *v = ul_fit_try(f, &p);
        if (v->fits) {
            e.good = x;
            e.at_good = v;
        } else {
            e.bad = x;
            e.at_bad = v;
        }
    }
    return e.at_good;
}

/* From `first`, the best value, to `last`: the nearest to `first` that fits, or NULL. */
static const struct ul_fit_view *nearest(struct ul_fit *f, const struct ul_fit_point *from,
                                         set_fn *set, int64_t first, int64_t last)
{
    struct ul_fit_point p = *from;
    set(&p, first);
    const struct ul_fit_view *v = ul_fit_try(f, &p);
    if (v->fits)
        return v;
    if (first == last)
        return NULL;
    set(&p, last);
    const struct ul_fit_view *w = ul_fit_try(f, &p);
    if (!w->fits)
        return NULL;
    return find_edge(f, from, set, (struct edge){last, first, w, v});
}

/* As `nearest`, where the answer is likely near `first`: in growing steps. */
static const struct ul_fit_view *gallop(struct ul_fit *f, const struct ul_fit_point *from,
                                        set_fn *set, int64_t first, int64_t last)
{
    struct ul_fit_point p = *from;
    struct edge e = {.good = first};
    int64_t step = 1, way = last < first ? -1 : 1;
    for (;;) {
        set(&p, e.good);
        e.at_good = ul_fit_try(f, &p);
        if (e.at_good->fits)
            break;
        if (e.good == last)
            return NULL;
        e.bad = e.good;
        e.at_bad = e.at_good;
        e.good = (last - e.good) * way < step ? last : e.good + step * way;
        step *= 2;
    }
    return e.at_bad ? find_edge(f, from, set, e) : e.at_good;
}

/* ------------------------------------------------------------------ layers */

/* Experts leave the GPUs before whole layers do; and when whole layers had to go, experts of those
 * that stay come back as far as they fit. */
const struct ul_fit_view *ul_fit_place(struct ul_fit *f, const struct ul_fit_point *from)
{
    struct ul_fit_point p = *from;
    if (ul_fit_is_apart(f))
        return ul_fit_place_apart(f, from);
    p.ngl = f->highest_ngl;
    p.n_cpu_moe = 0;
    const struct ul_fit_view *v = ul_fit_try(f, &p);
    if (v->fits)
        return v;
    v = nearest(f, &p, set_moe, 0, f->highest_moe);
    if (v || f->lowest_ngl == f->highest_ngl)
        return v;
    p.n_cpu_moe = f->highest_moe;
    v = nearest(f, &p, set_ngl, f->highest_ngl, f->lowest_ngl);
    if (!v || f->highest_moe == 0)
        return v;
    p.ngl = v->p.ngl;
    return nearest(f, &p, set_moe, 0, f->highest_moe);
}

/* With a longer context than that of the answer v: no less than v keeps off stays off. */
const struct ul_fit_view *ul_fit_place_more(struct ul_fit *f, const struct ul_fit_view *v,
                                            uint32_t context)
{
    struct ul_fit_point p = v->p;
    p.context = context;
    if (ul_fit_is_apart(f))
        return ul_fit_place_apart(f, &p);
    if (ul_fit_layers_off(f, &v->p) == 0) {
        const struct ul_fit_view *w = gallop(f, &p, set_moe, p.n_cpu_moe, f->highest_moe);
        if (w || f->lowest_ngl == f->highest_ngl)
            return w;
    }
    p.n_cpu_moe = f->highest_moe;
    const struct ul_fit_view *w = gallop(f, &p, set_ngl, v->p.ngl, f->lowest_ngl);
    if (!w || f->highest_moe == 0)
        return w;
    p.ngl = w->p.ngl;
    return nearest(f, &p, set_moe, 0, f->highest_moe);
}

/* ------------------------------------------------------------------ one variant */

/* Past the edge the engine may do without pipeline parallelism, which takes less: the shortest
 * context from which on it does, if that fits. With it the load alone must fit, without it the
 * prompt too, so there can be contexts in between that load and then run out of memory. */
static const struct ul_fit_view *without_pipeline(struct ul_fit *f, const struct ul_fit_view *v,
                                                  const struct ul_fit_view *longest)
{
    struct ul_fit_point p = v->p;
    uint32_t with = p.context / UL_FIT_STEP, off = f->cap / UL_FIT_STEP;
    const struct ul_fit_view *w = longest;
    if (!v->pipeline || longest->pipeline)
        return NULL;
    while (off - with > 1) {
        uint32_t middle = with + (off - with) / 2;
        set_context(&p, middle);
        const struct ul_fit_view *x = ul_fit_try(f, &p);
        if (x->pipeline && !x->fits) {
            with = middle;
        } else {
            off = middle;
            w = x;
        }
    }
    return w->fits ? w : NULL;
}

/* So all layers may fit with a longer context than the shortest one, and not with that. */
static const struct ul_fit_view *longer_without_pipeline(struct ul_fit *f,
                                                         const struct ul_fit_point *from)
{
    struct ul_fit_point p = *from;
    p.ngl = f->highest_ngl;
    const struct ul_fit_view *v = ul_fit_try(f, &p);
    if (v->fits || !v->pipeline || f->fixed[UL_FIT_C])
        return NULL;
    p.context = f->cap;
    return without_pipeline(f, v, ul_fit_try(f, &p));
}

/* As much context as the placement leaves room for. */
static const struct ul_fit_view *lengthen(struct ul_fit *f, const struct ul_fit_view *v)
{
    if (f->fixed[UL_FIT_C] || v->p.context >= f->cap)
        return v;
    struct ul_fit_point p = v->p;
    p.context = f->cap;
    const struct ul_fit_view *longest = ul_fit_try(f, &p);
    while (!longest->fits && v) {
        struct edge e = {v->p.context / UL_FIT_STEP, f->cap / UL_FIT_STEP, v, longest};
        const struct ul_fit_view *edge = find_edge(f, &v->p, set_context, e);
        v = without_pipeline(f, edge, longest);
        if (!v)
            return edge;
    }
    return longest;
}

static const struct ul_fit_view *add_slots(struct ul_fit *f, const struct ul_fit_view *v)
{
    int64_t most = MOST_SLOTS, now = v->p.slots < 1 ? 1 : v->p.slots;
    if (f->fixed[UL_FIT_C])
        most = (int64_t)ul_min(MOST_SLOTS, f->base->n_ctx / f->least);
    return f->fixed[UL_FIT_NP] || most <= now ? v : nearest(f, &v->p, set_slots, most, now);
}

static const struct ul_fit_view *best_of(struct ul_fit *f, const struct ul_fit_variant *x)
{
    struct ul_fit_point p = {.context = f->least, .slots = x->slots, .ubatch = x->ubatch,
                             .type_k = x->type_k, .type_v = x->type_v, .kv_on_host = x->kv_on_host};
    if (f->o.want == ULLAGE_WANT_SLOTS && p.slots < 0)
        p.slots = 1;
    f->pinned = false;
    const struct ul_fit_view *v = longer_without_pipeline(f, &p);
    if (!v)
        v = ul_fit_place(f, &p);
    if (v && f->o.want == ULLAGE_WANT_SLOTS)
        v = add_slots(f, v);
    if (v && f->o.want == ULLAGE_WANT_SPEED) {
        v = ul_fit_quicken(f, v);
        f->pinned = true; /* more context may not move a layer */
    }
    return v ? lengthen(f, v) : NULL;
}

/* ------------------------------------------------------------------ variants */

/* Each goal's order: the first difference decides, less is better. */
static bool better(const struct ul_fit *f, const struct ul_fit_view *a, int rank_a,
                   const struct ul_fit_view *b, int rank_b)
{
    bool speed = f->o.want == ULLAGE_WANT_SPEED, slots = f->o.want == ULLAGE_WANT_SLOTS;
    if (speed && ul_fit_faster(a, b) != ul_fit_faster(b, a))
        return ul_fit_faster(a, b);
    int64_t differs[] = {
        (int64_t)ul_fit_layers_off(f, &a->p) - ul_fit_layers_off(f, &b->p),
        (int64_t)ul_fit_experts_off(f, &a->p) - ul_fit_experts_off(f, &b->p),
        (int64_t)a->p.kv_on_host - b->p.kv_on_host,
        speed ? rank_a - rank_b : 0,
        slots ? (int64_t)b->p.slots - a->p.slots : 0,
        (int64_t)b->p.context - a->p.context,
        rank_a - rank_b};
    for (size_t i = 0; i < sizeof differs / sizeof differs[0]; i++)
        if (differs[i])
            return differs[i] < 0;
    return false;
}

/* Nothing that gives up more can be better. */
static bool perfect(const struct ul_fit *f, const struct ul_fit_view *v)
{
    bool full = ul_fit_layers_off(f, &v->p) == 0 && ul_fit_experts_off(f, &v->p) == 0
        && !v->p.kv_on_host;
    if (f->o.want == ULLAGE_WANT_SPEED) /* what is allowed may still be faster */
        return full && v->bound_ms <= 0;
    return full && f->o.want == ULLAGE_WANT_CONTEXT
        && (f->fixed[UL_FIT_C] || v->p.context >= f->cap);
}

static void try_variants(struct ul_fit *f)
{
    int rank = 0;
    for (size_t i = 0; i < f->n_variants; i++) {
        const struct ul_fit_view *v = best_of(f, &f->variant[i]);
        if (v && (!f->found || better(f, v, f->variant[i].rank, f->best, rank))) {
            f->best = v;
            f->found = true;
            rank = f->variant[i].rank;
        }
        if (f->found && perfect(f, f->best))
            return;
    }
}

/* ------------------------------------------------------------------ the question */

static void find_fixed(struct ul_fit *f)
{
    for (int i = 0; i < UL_FIT_IDS; i++)
        for (size_t k = 0; k < 5 && ul_fit_settings[i].fixed_by[k]; k++)
            f->fixed[i] |= ul_settings_given(f->base, ul_fit_settings[i].fixed_by[k]);
    f->fixed[UL_FIT_NGL] &= f->base->ngl_given; /* -ngl auto leaves it open */
    f->fixed[UL_FIT_NP] &= f->base->n_parallel >= 0;
}

/* Layers whose experts can stay on the host: those with tensors that -ncmoe names. */
static void find_experts(struct ul_fit *f)
{
    static const enum ul_role roles[] = {UL_ROLE_FFN_GATE_EXPS, UL_ROLE_FFN_UP_EXPS,
                                         UL_ROLE_FFN_GATE_UP_EXPS, UL_ROLE_FFN_DOWN_EXPS,
                                         UL_ROLE_FFN_GATE_CHEXPS, UL_ROLE_FFN_UP_CHEXPS,
                                         UL_ROLE_FFN_DOWN_CHEXPS};
    f->has_experts = UL_NEWS(f->a, bool, f->n_layers);
    for (uint32_t il = 0; il + 1 < f->n_layers; il++)
        for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
            f->has_experts[il] |= ul_weight_of(f->m, roles[i], UL_WEIGHT, (int)il) != NULL;
    for (uint32_t il = 0; il + 1 < f->n_layers; il++)
        if (f->has_experts[il])
            f->highest_moe = il + 1;
    f->moe = f->highest_moe > 0;
    if (f->fixed[UL_FIT_NCMOE])
        f->highest_moe = 0;
}

/* -ncmoe's own patterns (common/arg.cpp), after the user's. */
static void list_overrides(struct ul_fit *f)
{
    const char *names = "\\.ffn_(gate|up|gate_up|down)_(ch|)exps";
    size_t n = f->base->n_overrides;
    f->overrides = UL_NEWS(f->a, struct ul_override, n + f->n_layers);
    for (size_t i = 0; i < n; i++)
        f->overrides[i] = f->base->overrides[i];
    for (uint32_t il = 0; il < f->n_layers; il++)
        f->overrides[n + il] =
            (struct ul_override){ul_format(f->a, "blk\\.%u%s", il, names), "CPU"};
}

static void bound_context(struct ul_fit *f)
{
    uint32_t train = f->m->n_ctx_train, least = f->o.min_context;
    f->cap = train / UL_FIT_STEP * UL_FIT_STEP;
    if (f->cap == 0)
        f->cap = UL_FIT_STEP;
    if (!least)
        least = (uint32_t)ul_min(f->base->fit_ctx, f->cap);
    f->least = (uint32_t)ul_min(ul_pad(least, UL_FIT_STEP), UINT32_MAX / 512 * 256);
    f->cap = (uint32_t)ul_max(f->cap, f->least);
    f->depth = f->fixed[UL_FIT_C] ? (uint32_t)ul_min(f->least, f->base->n_ctx) : f->least;
}

/* Nothing fits: the point that comes nearest, to say what is missing. */
static void nearest_miss(struct ul_fit *f)
{
    const struct ul_fit_variant *x = &f->variant[0];
    struct ul_fit_point p = {.context = f->least, .slots = x->slots, .ubatch = x->ubatch,
                             .type_k = x->type_k, .type_v = x->type_v, .kv_on_host = x->kv_on_host,
                             .ngl = f->lowest_ngl, .n_cpu_moe = f->highest_moe};
    f->best = ul_fit_try(f, &p);
}

int ul_fit_search(struct ul_fit *f, ullage_error *err)
{
    f->reasons.arena = f->a;
    f->n_layers = f->m->n_layer_all + 1;
    find_fixed(f);
    find_experts(f);
    list_overrides(f);
    bound_context(f);
    int ngl = f->base->n_gpu_layers;
    f->highest_ngl = f->n_layers;
    if (f->fixed[UL_FIT_NGL])
        f->highest_ngl = ngl < 0 ? f->n_layers : (uint32_t)ul_min((uint64_t)ngl, f->n_layers);
    f->lowest_ngl = f->fixed[UL_FIT_NGL] ? f->highest_ngl : 0;
    f->open_split = !f->fixed[UL_FIT_TS] && f->base->split_mode == UL_SPLIT_LAYER;
    int code = ul_fit_variants(f, err);
    if (code)
        return code;
    try_variants(f);
    if (f->found)
        f->best = ul_fit_plain(f, f->best);
    else
        nearest_miss(f);
    if (f->best->err.code)
        return ul_fail(err, f->best->err.code, f->best->err.position, "%s", f->best->err.message);
    f->pinned = false;
    ul_fit_explain(f);
    return ULLAGE_OK;
}
