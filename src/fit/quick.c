/* --want speed over several GPUs. A token goes through the layers one after the other, so it is
 * fastest when as many as fit lie on the fastest GPU, and when no GPU takes part for a few layers
 * alone: each further one costs a hand-over. Layers are moved from one device to another, as many
 * as still fit, as long as the token gets faster; every step is a plan with its speed. */
#include "fit/fit.h"

#define MOST_MOVES 64
#define SLIGHT 1e-9 /* of a time: less is no difference */

bool ul_fit_faster(const struct ul_fit_view *a, const struct ul_fit_view *b)
{
    if (a->ms > 0 && b->ms > 0)
        return a->ms < b->ms * (1 - SLIGHT);
    return a->bound_ms > 0 && (b->bound_ms <= 0 || a->bound_ms < b->bound_ms * (1 - SLIGHT));
}

static const struct ul_fit_view *moved(struct ul_fit *f, const struct ul_fit_view *v, uint32_t from,
                                       uint32_t to, uint32_t layers)
{
    struct ul_fit_point q = v->p;
    q.n_split = v->n_gpus;
    memcpy(q.split, v->count, sizeof q.split);
    q.split[from] = (uint16_t)(q.split[from] - layers);
    q.split[to] = (uint16_t)(q.split[to] + layers);
    return ul_fit_view(f, &q);
}

/* All layers of `from` on `to`, else as many as fit where `to` is the faster one. */
static const struct ul_fit_view *best_move(struct ul_fit *f, const struct ul_fit_view *v,
                                           uint32_t from, uint32_t to)
{
    uint32_t good = 0, bad = v->count[from];
    const struct ul_fit_view *best = moved(f, v, from, to, bad);
    if (best->fits)
        return best;
    best = v;
    if (v->layer_ms[from] <= v->layer_ms[to])
        return best;
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        const struct ul_fit_view *w = moved(f, v, from, to, middle);
        if (w->fits) {
            good = middle;
            best = ul_fit_faster(w, best) ? w : best;
        } else {
            bad = middle;
        }
    }
    return best;
}

const struct ul_fit_view *ul_fit_quicken(struct ul_fit *f, const struct ul_fit_view *v)
{
    bool open = f->open_split && v->n_gpus > 1 && f->n_layers <= UINT16_MAX && v->bound_ms > 0;
    for (int moves = 0; open && moves < MOST_MOVES; moves++) {
        const struct ul_fit_view *best = v;
        for (uint32_t from = 0; from < v->n_gpus; from++)
            for (uint32_t to = 0; to < v->n_gpus && v->count[from]; to++) {
                const struct ul_fit_view *w = from == to ? v : best_move(f, v, from, to);
                best = ul_fit_faster(w, best) ? w : best;
            }
        if (best == v)
            break;
        v = best;
    }
    return v;
}
