/* Several GPUs, experts, and a split that the user has fixed: -ncmoe takes the experts of the first
 * layers, which lie on the first device, however full the others are. Here each device keeps away
 * as many of its own layers' experts as it must, and -ot names them. A device's memory falls with
 * its own experts alone, so the fewest on each are the fewest in all. */
#include "fit/fit.h"

#include "base/size.h"

#define MOST_ROUNDS 64

bool ul_fit_is_apart(const struct ul_fit *f)
{
    return f->fixed[UL_FIT_TS] && f->highest_moe > 0 && f->base->n_tensor_split > 1
        && f->base->split_mode == UL_SPLIT_LAYER;
}

/* ------------------------------------------------------------------ which layers */

/* Whether the point keeps the experts of a layer on the host. */
static bool away(const struct ul_fit *f, const struct ul_fit_point *p, uint32_t il)
{
    uint32_t first = f->n_layers - p->ngl, seen = 0;
    for (uint32_t d = 0; d < p->n_apart; d++) {
        uint32_t end = first + p->share[d];
        if (il >= first && il < end) {
            for (uint32_t k = first; k < il; k++)
                seen += f->has_experts[k];
            return f->has_experts[il] && seen < p->apart[d];
        }
        first = end;
    }
    return false;
}

struct ul_override *ul_fit_apart_overrides(struct ul_fit *f, const struct ul_fit_point *p,
                                           size_t *n)
{
    size_t given = f->base->n_overrides;
    struct ul_override *list = UL_NEWS(f->a, struct ul_override, given + f->n_layers);
    for (size_t i = 0; i < given; i++)
        list[i] = f->overrides[i];
    *n = given;
    for (uint32_t il = 0; il + 1 < f->n_layers; il++)
        if (away(f, p, il))
            list[(*n)++] = f->overrides[given + il];
    return list;
}

const char *ul_fit_apart_pattern(struct ul_fit *f, const struct ul_fit_point *p)
{
    struct ul_text t = {.arena = f->a};
    ul_text_puts(&t, "blk\\.(");
    bool any = false;
    for (uint32_t il = 0; il + 1 < f->n_layers; il++)
        if (away(f, p, il)) {
            ul_text_printf(&t, "%s%u", any ? "|" : "", il);
            any = true;
        }
    ul_text_puts(&t, ")\\.ffn_(gate|up|gate_up|down)_(ch|)exps=CPU");
    return t.p;
}

/* ------------------------------------------------------------------ how many */

/* The experts of each device's layers, and where its layers are. */
static void measure(const struct ul_fit *f, const struct ul_fit_view *v, uint16_t *most,
                    struct ul_fit_point *p)
{
    uint32_t il = f->n_layers - v->p.ngl;
    p->n_apart = v->n_gpus;
    for (uint32_t d = 0; d < v->n_gpus; d++) {
        p->share[d] = v->count[d];
        most[d] = 0;
        for (uint32_t end = il + v->count[d]; il < end; il++)
            most[d] = (uint16_t)(most[d] + f->has_experts[il]);
    }
}

/* More and more away from the devices that lack memory, until none does. */
static const struct ul_fit_view *clear(struct ul_fit *f, struct ul_fit_point *p,
                                       const uint16_t *most)
{
    uint16_t step[UL_MAX_DEVICES] = {0};
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const struct ul_fit_view *v = ul_fit_view(f, p);
        bool moved = false;
        if (v->fits || v->err.code)
            return v->fits ? v : NULL;
        for (uint32_t d = 0; d < p->n_apart; d++) {
            if (v->left[d] >= 0 || p->apart[d] == most[d])
                continue;
            step[d] = (uint16_t)(step[d] ? 2 * step[d] : 1);
            p->apart[d] = (uint16_t)ul_min((uint64_t)p->apart[d] + step[d], most[d]);
            moved = true;
        }
        if (!moved)
            return NULL;
    }
    return NULL;
}

/* The fewest on one device that still fit, the others as they are. */
static const struct ul_fit_view *least_on(struct ul_fit *f, const struct ul_fit_view *v, uint32_t d)
{
    struct ul_fit_point p = v->p;
    uint32_t bad = 0, good = p.apart[d];
    while (good > bad) {
        uint32_t middle = bad + (good - bad) / 2;
        p.apart[d] = (uint16_t)middle;
        const struct ul_fit_view *w = ul_fit_view(f, &p);
        if (w->fits) {
            good = middle;
            v = w;
        } else {
            bad = middle + 1;
        }
    }
    return v;
}

/* The layers on GPUs as the point has them; NULL: not even with every expert away. */
static const struct ul_fit_view *with_layers(struct ul_fit *f, const struct ul_fit_point *from)
{
    uint16_t most[UL_MAX_DEVICES];
    struct ul_fit_point p = *from;
    p.n_cpu_moe = p.n_apart = 0;
    const struct ul_fit_view *v = ul_fit_view(f, &p);
    if (v->fits || v->err.code)
        return v->fits ? v : NULL;
    memset(p.apart, 0, sizeof p.apart);
    measure(f, v, most, &p);
    v = clear(f, &p, most);
    for (uint32_t d = 0; v && d < p.n_apart; d++)
        v = least_on(f, v, d);
    return v;
}

static const struct ul_fit_view *most_layers(struct ul_fit *f, const struct ul_fit_point *from)
{
    struct ul_fit_point p = *from;
    p.ngl = f->highest_ngl;
    const struct ul_fit_view *v = with_layers(f, &p);
    uint32_t bad = f->highest_ngl, good = f->lowest_ngl;
    if (v || good == bad)
        return v;
    p.ngl = good;
    v = with_layers(f, &p);
    while (v && bad - good > 1) {
        p.ngl = good + (bad - good) / 2;
        const struct ul_fit_view *w = with_layers(f, &p);
        if (w) {
            good = p.ngl;
            v = w;
        } else {
            bad = p.ngl;
        }
    }
    return v;
}

/* Where the layers are the first ones, -ncmoe says the same. */
const struct ul_fit_view *ul_fit_place_apart(struct ul_fit *f, const struct ul_fit_point *from)
{
    const struct ul_fit_view *v = most_layers(f, from);
    if (!v || !v->p.n_apart)
        return v;
    struct ul_fit_point p = v->p;
    uint32_t il = f->n_layers - p.ngl, n = 0;
    for (; il + 1 < f->n_layers && (!f->has_experts[il] || away(f, &p, il)); il++)
        n += f->has_experts[il];
    if (n != ul_fit_experts_off(f, &p))
        return v;
    p.n_cpu_moe = n ? il : 0;
    p.n_apart = 0;
    const struct ul_fit_view *w = ul_fit_view(f, &p);
    return w->fits ? w : v;
}

bool ul_fit_one_back(const struct ul_fit_view *v, struct ul_fit_point *p)
{
    int at = -1;
    for (uint32_t d = 0; d < p->n_apart; d++)
        if (p->apart[d] && (at < 0 || v->left[d] > v->left[at]))
            at = (int)d;
    if (at >= 0)
        p->apart[at]--;
    else if (p->n_cpu_moe)
        p->n_cpu_moe--;
    else
        return false;
    return true;
}
