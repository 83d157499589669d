/* A point becomes settings, the settings a plan, and the plan a view: does it fit, what is left,
 * and what would move with each layer. Plans are made in a scratch arena that is emptied at once,
 * and views are kept, so that no point is planned twice. */
#include "fit/fit.h"

#include "base/size.h"
#include "fit/speed.h"

#include <stdio.h>

/* ------------------------------------------------------------------ settings */

/* Slots that divide the context among them; 1 when they share one pool. */
static uint32_t streams(const struct ul_fit *f, const struct ul_fit_point *p)
{
    bool unified = f->base->kv_unified == UL_ON || p->slots < 0;
    return unified || p->slots < 1 ? 1 : (uint32_t)p->slots;
}

struct ul_settings ul_fit_settings_of(struct ul_fit *f, const struct ul_fit_point *p)
{
    struct ul_settings s = *f->base;
    if (!f->fixed[UL_FIT_C]) {
        s.ctx_given = true;
        s.n_ctx = (uint32_t)ul_min(ul_mul(p->context, streams(f, p)), UINT32_MAX / 512 * 256);
    }
    s.n_parallel = p->slots;
    s.ngl_given = true;
    s.n_gpu_layers = (int)p->ngl;
    s.n_ubatch = p->ubatch;
    s.type_k = (enum ul_type)p->type_k;
    s.type_v = (enum ul_type)p->type_v;
    s.no_kv_offload = p->kv_on_host;
    if (p->n_apart) {
        s.overrides = ul_fit_apart_overrides(f, p, &s.n_overrides);
    } else if (f->moe && !f->fixed[UL_FIT_NCMOE]) {
        s.overrides = f->overrides;
        s.n_overrides = f->base->n_overrides + p->n_cpu_moe;
    }
    if (p->n_split) {
        s.n_tensor_split = p->n_split;
        for (uint32_t i = 0; i < p->n_split; i++)
            s.tensor_split[i] = p->split[i];
    }
    s.fit = false; /* everything is said: the engine has nothing left to choose */
    return s;
}

/* ------------------------------------------------------------------ views */

static void weigh_layers(struct ul_fit_view *v, const struct ul_plan *plan)
{
    const struct ul_place *p = &plan->place;
    uint32_t n = plan->model->n_layer_all + 1, columns = p->n_devices + 1;
    for (uint32_t il = 0; il < n; il++)
        for (uint32_t d = 0; d < p->n_devices; d++)
            v->layer[il] = ul_add(v->layer[il], p->layer_bytes[(size_t)il * columns + d]);
    for (size_t i = 0; i < plan->caches.n_tensors; i++) {
        const struct ul_cache_tensor *t = &plan->caches.tensor[i];
        uint64_t row = ul_row_bytes((enum ul_type)t->type, t->ne[0]);
        if (t->device != UL_DEV_CPU)
            v->layer[t->layer] =
                ul_add(v->layer[t->layer], ul_mul(ul_mul(row, t->ne[1]), t->ne[2]));
    }
    for (uint32_t d = 0; d < v->n_gpus; d++)
        v->spare[d] = v->left[d];
    for (uint32_t il = 0; il < n; il++) {
        int d = p->layer_device[il];
        if (d < 0 || (uint32_t)d >= v->n_gpus)
            continue;
        v->spare[d] += (int64_t)v->layer[il];
        v->count[d]++;
    }
}

static void look(struct ul_fit *f, struct ul_fit_view *v, const struct ul_plan *plan)
{
    size_t n = plan->n_devices - 1;
    const ullage_device *host = &plan->devices[n];
    v->n_gpus = (uint32_t)n;
    v->fits = plan->fits != 0;
    v->partial = plan->partial != 0;
    v->pipeline = plan->c.pipeline_parallel;
    v->host_left = host->fits < 0 ? INT64_MAX : host->left_bytes;
    v->least = INT64_MAX;
    for (size_t i = 0; i < plan->n_devices; i++) {
        v->kv = ul_add(v->kv, plan->devices[i].kv.bytes);
        v->compute = ul_add(v->compute, plan->devices[i].compute.bytes);
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(f->device[i], sizeof f->device[i], "%s", plan->devices[i].name);
        v->left[i] = plan->devices[i].left_bytes;
        v->sum_left += v->left[i];
        if (v->left[i] < v->least)
            v->least = v->left[i];
    }
    if (n == 0)
        v->least = v->sum_left = v->host_left;
    weigh_layers(v, plan);
}

/* --want speed: one sequence that has filled the shortest context asked for. */
static void time_it(const struct ul_fit *f, struct ul_fit_view *v, const struct ul_plan *plan)
{
    ullage_speed speed;
    ul_speed_make(&speed, plan, f->machine, f->depth);
    v->ms = speed.generation.expected > 0 ? 1000 / speed.generation.expected : 0;
    v->bound_ms = speed.generation.bound > 0 ? 1000 / speed.generation.bound : 0;
    for (uint32_t d = 0; d < v->n_gpus && d + 1 < speed.n_parts; d++) {
        const ullage_speed_part *part = &speed.part[d];
        double ms = part->expected_ms > 0 ? part->expected_ms : part->weight_ms + part->cache_ms;
        v->layer_ms[d] = v->count[d] ? ms / v->count[d] : 0;
    }
}

static bool same(const struct ul_fit_point *a, const struct ul_fit_point *b)
{
    if (a->context != b->context || a->slots != b->slots || a->ngl != b->ngl
        || a->n_cpu_moe != b->n_cpu_moe || a->ubatch != b->ubatch || a->type_k != b->type_k
        || a->type_v != b->type_v || a->kv_on_host != b->kv_on_host || a->n_split != b->n_split
        || a->n_apart != b->n_apart)
        return false;
    return memcmp(a->split, b->split, a->n_split * sizeof *a->split) == 0
        && memcmp(a->apart, b->apart, a->n_apart * sizeof *a->apart) == 0;
}

const struct ul_fit_view *ul_fit_view(struct ul_fit *f, const struct ul_fit_point *p)
{
    for (struct ul_fit_view *v = f->seen; v; v = v->next)
        if (same(&v->p, p))
            return v;
    struct ul_fit_view *v = UL_NEW(f->a, struct ul_fit_view);
    struct ul_plan *plan = UL_NEW(f->scratch, struct ul_plan);
    struct ul_settings s = ul_fit_settings_of(f, p);
    v->p = *p;
    v->layer = UL_NEWS(f->a, uint64_t, f->n_layers);
    v->least = INT64_MIN;
    if (ul_plan_make(plan, f->m, &s, f->machine, f->scratch, &v->err) == ULLAGE_OK) {
        look(f, v, plan);
        if (f->o.want == ULLAGE_WANT_SPEED)
            time_it(f, v, plan);
    }
    ul_arena_reset(f->scratch);
    f->n_plans++;
    v->next = f->seen;
    f->seen = v;
    return v;
}

/* ------------------------------------------------------------------ what is off the GPUs */

uint32_t ul_fit_layers_off(const struct ul_fit *f, const struct ul_fit_point *p)
{
    return f->n_layers - p->ngl;
}

/* Of layers that are on a GPU themselves. */
uint32_t ul_fit_experts_off(const struct ul_fit *f, const struct ul_fit_point *p)
{
    uint32_t n = 0;
    for (uint32_t d = 0; d < p->n_apart; d++)
        n += p->apart[d];
    uint32_t end = p->n_apart ? 0 : (uint32_t)ul_min(p->n_cpu_moe, f->n_layers - 1);
    for (uint32_t il = ul_fit_layers_off(f, p); il < end; il++)
        n += f->has_experts[il];
    return n;
}
