/* The public face of a plan. */
#include "engine/companions.h"
#include "engine/observe.h"
#include "fit/speed.h"
#include "report/companions.h"
#include "report/handles.h"

#include <stdlib.h>

int ul_model_for(const struct ul_model **m, struct ul_model *own, const struct ullage_model *model,
                 const struct ul_settings *s, struct ul_arena *a, ullage_error *err)
{
    const struct ul_model_options opt = {
        .overrides = s->kv_overrides, .n_overrides = s->n_kv_overrides,
        .load_mtp = (ul_spec_types(s) & UL_SPEC_BIT(UL_SPEC_DRAFT_MTP)) != 0};
    bool again = s->n_kv_overrides > 0 || opt.load_mtp != model->m.load_mtp;
    int code = ul_companion_refuse(model, err);
    *m = again ? own : &model->m;
    return !code && again ? ul_model_load(own, &model->file, &opt, a, err) : code;
}

static int make(struct ullage_plan *h, const struct ullage_model *model,
                const struct ul_settings *s, const struct ul_machine *machine, ullage_error *err)
{
    const struct ul_model *m;
    struct ul_settings fitted = *s;
    int code = ul_model_for(&m, &h->own, model, s, &h->arena, err);
    h->fit = (ullage_engine_fit){.certain = 1};
    if (code)
        return code;
    if (s->fit && !m->refusal)
        ul_engine_fit(&h->fit, &fitted, m, s, machine, &h->arena, &h->scratch);
    return ul_plan_make(&h->p, m, &fitted, machine, &h->arena, err);
}

/* Everything but the handle is the arena's; after an error the plan is empty. */
static int fill(struct ullage_plan *h, const ullage_model *model, const ullage_settings *settings,
                const ullage_machine *machine, ullage_error *err)
{
    jmp_buf oom;
    int code;
    h->model = model;
    h->depth = settings->s.depth;
    h->depth_given = settings->s.depth_given;
    h->machine = machine->m;
    h->machine.arena = (struct ul_arena){0};
    if (setjmp(oom)) {
        code = ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    } else {
        h->arena.oom = h->scratch.oom = &oom;
        code = make(h, model, &settings->s, &machine->m, err);
    }
    h->arena.oom = h->scratch.oom = NULL;
    ul_arena_free(&h->scratch);
    if (code)
        h->p = (struct ul_plan){0};
    return code;
}

int ullage_plan_make(ullage_plan **plan, const ullage_model *model, const ullage_settings *settings,
                     const ullage_machine *machine, ullage_error *err)
{
    *plan = NULL;
    struct ullage_plan *h = calloc(1, sizeof *h);
    if (!h)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    int code = fill(h, model, settings, machine, err);
    if (code)
        ullage_plan_free(h);
    else
        *plan = h;
    return code;
}

int ullage_plan_remake(ullage_plan *plan, const ullage_model *model,
                       const ullage_settings *settings, const ullage_machine *machine,
                       ullage_error *err)
{
    ul_arena_reset(&plan->arena);
    plan->p = (struct ul_plan){0};
    return fill(plan, model, settings, machine, err);
}

void ullage_plan_free(ullage_plan *plan)
{
    if (!plan)
        return;
    ul_arena_free(&plan->arena);
    free(plan);
}

const ullage_engine_fit *ullage_plan_engine_fit(const ullage_plan *plan)
{
    return &plan->fit;
}

const ullage_context *ullage_plan_context(const ullage_plan *plan)
{
    return &plan->p.context;
}

const ullage_buffer *ullage_plan_buffers(const ullage_plan *plan, size_t *n)
{
    if (n)
        *n = plan->p.n_buffers;
    return plan->p.buffers;
}

const ullage_cache *ullage_plan_caches(const ullage_plan *plan, size_t *n)
{
    if (n)
        *n = plan->p.n_kv;
    return plan->p.kv;
}

const ullage_device *ullage_plan_devices(const ullage_plan *plan, size_t *n)
{
    if (n)
        *n = plan->p.n_devices;
    return plan->p.devices;
}

const ullage_note *ullage_plan_notes(const ullage_plan *plan, size_t *n)
{
    if (n)
        *n = plan->p.notes.n;
    return plan->p.notes.v;
}

const ullage_growth *ullage_plan_growth(const ullage_plan *plan, size_t *n)
{
    if (n)
        *n = plan->p.n_growth;
    return plan->p.growth;
}

const ullage_layer_row *ullage_plan_layers(const ullage_plan *plan, size_t *n)
{
    if (n)
        *n = plan->p.n_layers;
    return plan->p.layers;
}

int ullage_plan_observe(ullage_plan *plan, const ullage_seen *seen, ullage_error *err)
{
    jmp_buf oom;
    if (setjmp(oom)) {
        plan->arena.oom = NULL;
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    plan->arena.oom = &oom;
    ul_plan_observe(&plan->p, seen, &plan->machine, &plan->arena);
    plan->arena.oom = NULL;
    return ULLAGE_OK;
}

const ullage_compared *ullage_plan_compared(const ullage_plan *plan, size_t *n)
{
    if (n)
        *n = plan->p.n_compared;
    return plan->p.compared;
}

ullage_graph_info ullage_plan_graphs(const ullage_plan *plan)
{
    const struct ul_compute *c = &plan->p.compute;
    if (c->source == ULLAGE_UNKNOWN || c->source == ULLAGE_ASSUMED)
        return (ullage_graph_info){.copies = 0};
    return (ullage_graph_info){
        .nodes = {(uint32_t)c->n_nodes[0], (uint32_t)c->n_nodes[1]},
        .splits = {(uint32_t)c->n_splits[0], (uint32_t)c->n_splits[1]},
        .copies = (uint32_t)c->n_copies};
}

int ullage_plan_fits(const ullage_plan *plan)
{
    return plan->p.fits;
}

int ullage_plan_partial(const ullage_plan *plan)
{
    return plan->p.partial;
}

void ullage_plan_speed(const ullage_plan *plan, uint32_t depth, ullage_speed *speed)
{
    ul_speed_make(speed, &plan->p, &plan->machine, depth);
}
