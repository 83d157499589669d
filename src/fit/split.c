/* Several GPUs: where to cut the layers. The engine's own cut follows the devices' free memory and
 * knows nothing of layers that differ, of the output layer, or of experts on the host. A cut of
 * one's own is -ts with the layers of each device, which the engine follows to the layer
 * (src/llama-model.cpp, load_tensors: get_layer_buft_list).
 *
 * What a device holds besides its layers (compute buffer, runtime, rounding) hangs on which layers
 * it has, so the best cut is found by looking: plan a cut, take each device's own overhead from the
 * plan, find the cut that leaves the fullest device most, plan that one; until one fits or the cuts
 * repeat. */
#include "fit/fit.h"

#define MOST_CUTS 8
#define MOST_STEPS 8
#define MOST_LAYERS 600 /* LLAMA_MAX_LAYERS is 512 */
#define SLACK ((int64_t)256 << 20) /* how far overheads may move between two cuts of one model */

struct ul_fit_cut {
    const struct ul_fit_view *v;
    uint32_t first, n, devices; /* layers first .. first + n - 1 */
    uint64_t sum[MOST_LAYERS + 1];
    int64_t best[MOST_LAYERS + 1], next[MOST_LAYERS + 1];
    uint16_t from[UL_MAX_DEVICES][MOST_LAYERS + 1];
};

/* What stays free on a device that holds the layers i .. j-1 of those to be cut. */
static int64_t left_with(const struct ul_fit_cut *c, uint32_t d, uint32_t i, uint32_t j)
{
    return c->v->spare[d] - (int64_t)(c->sum[j] - c->sum[i]);
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* best[j]: the most that the fullest of the devices 0..d can keep free with the first j layers. The
 * more layers the others have, the less they keep and the more device d does: the best place to cut
 * is where the two meet, which moves on with j. */
static void extend(struct ul_fit_cut *c, uint32_t d)
{
    for (uint32_t j = 0; j <= c->n; j++) {
        uint32_t at = 0;
        int64_t most = INT64_MIN;
        for (uint32_t i = 0; i <= j; i++) {
            int64_t left = lesser(c->best[i], left_with(c, d, i, j));
            if (left > most) {
                most = left;
                at = i;
            }
        }
        c->next[j] = most;
        c->from[d][j] = (uint16_t)at;
    }
    memcpy(c->best, c->next, sizeof c->best);
}

/* The cut that leaves the fullest device most, by the overheads of the view. */
static void best_cut(struct ul_fit_cut *c, struct ul_fit_point *p)
{
    for (uint32_t i = 0; i < c->n; i++)
        c->sum[i + 1] = c->sum[i] + c->v->layer[c->first + i];
    for (uint32_t j = 0; j <= c->n; j++)
        c->best[j] = left_with(c, 0, 0, j);
    for (uint32_t d = 1; d < c->devices; d++)
        extend(c, d);
    uint32_t j = c->n;
    for (uint32_t d = c->devices; d-- > 0;) {
        uint32_t i = d ? c->from[d][j] : 0;
        p->split[d] = (uint16_t)(j - i);
        j = i;
    }
    p->n_split = c->devices;
}

static uint32_t fullest(const struct ul_fit_view *v)
{
    uint32_t at = 0;
    for (uint32_t d = 1; d < v->n_gpus; d++)
        if (v->left[d] < v->left[at])
            at = d;
    return at;
}

/* Whether a device could take a layer and still have more left than the fullest has now. The layer
 * that it gets is the one beyond its boundary on the fullest device's side. */
static bool can_take(const struct ul_fit *f, const struct ul_fit_view *v, uint32_t from,
                     uint32_t to)
{
    uint32_t first = f->n_layers - v->p.ngl;
    for (uint32_t d = 0; d < to + (to < from); d++)
        first += v->count[d];
    uint32_t il = to < from ? first : first - 1;
    return v->left[to] - (int64_t)v->layer[il] > v->least - SLACK / 4;
}

/* One layer fewer on the fullest device and one more on another, the cuts between them moving
 * along, as long as that helps: a device's overhead may jump with a layer (the first attention on
 * it, the first expert), which no cut by the overheads of another can see. */
static const struct ul_fit_view *climb(struct ul_fit *f, const struct ul_fit_view *v)
{
    for (int step = 0; step < MOST_STEPS && !v->fits; step++) {
        const struct ul_fit_view *best = v;
        uint32_t from = fullest(v);
        for (uint32_t to = 0; to < v->n_gpus && v->count[from]; to++) {
            struct ul_fit_point q = v->p;
            q.n_split = v->n_gpus;
            memcpy(q.split, v->count, sizeof q.split);
            q.split[from]--;
            q.split[to]++;
            const struct ul_fit_view *w =
                to == from || !can_take(f, v, from, to) ? v : ul_fit_view(f, &q);
            if (w->fits)
                return w;
            if (!w->err.code && w->least > best->least)
                best = w;
        }
        if (best == v)
            break;
        v = best;
    }
    return v;
}

static bool worth_cutting(const struct ul_fit *f, const struct ul_fit_view *v)
{
    if (!f->open_split || v->err.code || v->fits || v->n_gpus < 2 || v->p.ngl == 0)
        return false;
    return f->n_layers <= MOST_LAYERS && v->sum_left >= -SLACK;
}

/* The best cut by the overheads of the last one, until one fits or they repeat. */
static const struct ul_fit_view *look_for_cut(struct ul_fit *f, const struct ul_fit_view *v)
{
    const struct ul_fit_view *best = v;
    struct ul_fit_point q = v->p;
    if (!f->cut)
        f->cut = UL_NEW(f->a, struct ul_fit_cut);
    for (int i = 0; i < MOST_CUTS && !v->fits && !v->err.code; i++) {
        *f->cut = (struct ul_fit_cut){.v = v, .first = f->n_layers - q.ngl, .n = q.ngl,
                                      .devices = v->n_gpus};
        uint32_t before = f->n_plans;
        best_cut(f->cut, &q);
        v = ul_fit_view(f, &q);
        if (v->fits || v->least > best->least)
            best = v;
        if (f->n_plans == before)
            break; /* seen: the cuts go round in circles */
    }
    return best;
}

/* A cut to look at first: the engine's own, or the one that fitted last with as many layers. */
static const struct ul_fit_view *first_look(struct ul_fit *f, const struct ul_fit_point *p)
{
    struct ul_fit_point q = *p;
    q.n_split = 0;
    if (f->open_split && f->last_cut && f->last_cut->p.ngl == p->ngl) {
        q.n_split = f->last_cut->p.n_split;
        memcpy(q.split, f->last_cut->p.split, sizeof q.split);
    }
    return ul_fit_view(f, &q);
}

const struct ul_fit_view *ul_fit_try(struct ul_fit *f, const struct ul_fit_point *p)
{
    if (f->pinned)
        return ul_fit_view(f, p);
    const struct ul_fit_view *v = first_look(f, p), *best = v;
    if (worth_cutting(f, v)) {
        best = look_for_cut(f, v);
        if (!best->fits && best->sum_left >= 0)
            best = climb(f, best);
    }
    if (best->fits && best->p.n_split)
        f->last_cut = best;
    return best;
}

/* The engine's own cut, where that fits too, needs no flag. */
const struct ul_fit_view *ul_fit_plain(struct ul_fit *f, const struct ul_fit_view *v)
{
    struct ul_fit_point q = v->p;
    q.n_split = 0;
    const struct ul_fit_view *w = ul_fit_view(f, &q);
    return w->fits && !ul_fit_faster(v, w) ? w : v;
}
