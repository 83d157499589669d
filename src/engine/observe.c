/* A plan whose figures are the engine's own. The table, the JSON and the verdict then follow from
 * what was seen by the same code as from what was computed; the settings, caches and layers stay
 * those of the plan. */
#include "engine/observe.h"

#include "engine/ledger.h"

/* ------------------------------------------------------------------ buffers */

static bool same(const ullage_buffer *a, const char *buffer, const char *kind)
{
    return strcmp(a->buffer, buffer) == 0 && strcmp(a->kind, kind) == 0;
}

static const ullage_buffer *find(const ullage_buffer *all, size_t n, const ullage_buffer *like)
{
    for (size_t i = 0; i < n; i++)
        if (same(&all[i], like->buffer, like->kind))
            return &all[i];
    return NULL;
}

static const char *copy(struct ul_arena *a, const char *text)
{
    return ul_arena_copy(a, text, strlen(text));
}

/* Those that were seen, then those that were computed only; empty ones are not worth a line. */
static void compare_buffers(struct ul_plan *plan, const ullage_seen *seen, struct ul_arena *a)
{
    ullage_compared *c = UL_NEWS(a, ullage_compared,
                                 seen->n_buffers + plan->n_buffers + 2 * plan->n_devices);
    plan->compared = c;
    for (size_t i = 0; i < seen->n_buffers; i++) {
        const ullage_buffer *s = &seen->buffers[i], *p = find(plan->buffers, plan->n_buffers, s);
        c[plan->n_compared++] = (ullage_compared){
            .buffer = copy(a, s->buffer), .kind = copy(a, s->kind), .seen = s->size,
            .computed = p ? p->size : (ullage_bytes){0, ULLAGE_COMPUTED}};
    }
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const ullage_buffer *p = &plan->buffers[i];
        if (p->size.bytes && p->size.source != ULLAGE_UNKNOWN
            && !find(seen->buffers, seen->n_buffers, p))
            c[plan->n_compared++] =
                (ullage_compared){p->buffer, p->kind, {0, ULLAGE_SIMULATED}, p->size};
    }
}

static void take_buffers(struct ul_plan *plan, const ullage_seen *seen, struct ul_arena *a)
{
    plan->buffers = UL_NEWS(a, ullage_buffer, seen->n_buffers + 1);
    plan->n_buffers = seen->n_buffers;
    for (size_t i = 0; i < seen->n_buffers; i++) {
        plan->buffers[i] = seen->buffers[i];
        plan->buffers[i].buffer = copy(a, seen->buffers[i].buffer);
        plan->buffers[i].kind = copy(a, seen->buffers[i].kind);
        plan->buffers[i].of = seen->buffers[i].of ? copy(a, seen->buffers[i].of) : "model";
    }
}

/* ------------------------------------------------------------------ devices */

/* Newer caches' states have names of their own. */
static ullage_bytes *part_of(ullage_device *d, const char *kind)
{
    if (strcmp(kind, "model") == 0 || strcmp(kind, "moe_cache") == 0)
        return &d->model;
    if (strcmp(kind, "kv") == 0)
        return &d->kv;
    if (strcmp(kind, "output") == 0)
        return &d->output;
    return strcmp(kind, "compute") == 0 ? &d->compute : &d->state;
}

static void take_parts(ullage_device *d, const ullage_seen *seen)
{
    ullage_bytes *const parts[] = {&d->model, &d->kv, &d->state, &d->output, &d->compute,
                                   &d->draft, &d->projector, &d->adapters};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = (ullage_bytes){0, ULLAGE_SIMULATED};
    for (size_t i = 0; i < seen->n_parts; i++)
        if (strcmp(seen->parts[i].device, d->name) == 0) {
            ullage_bytes *b = part_of(d, seen->parts[i].kind);
            b->bytes = ul_add(b->bytes, seen->parts[i].bytes);
        }
}

/* Where the plan's figure is a rule's. */
static void compare_prompt(struct ul_plan *plan, const ullage_device *d,
                           const ullage_seen_device *s)
{
    int source = d->prompt_peak.source;
    if (source == ULLAGE_ASSUMED || source == ULLAGE_MEASURED)
        return;
    plan->compared[plan->n_compared++] = (ullage_compared){
        .buffer = d->name, .kind = "prompt", .seen = {s->prompt, ULLAGE_SIMULATED},
        .computed = {d->prompt_peak.bytes, source}};
    if (s->workspace || d->workspace.bytes)
        plan->compared[plan->n_compared++] = (ullage_compared){
            .buffer = d->name, .kind = "workspace", .seen = {s->workspace, ULLAGE_SIMULATED},
            .computed = d->workspace};
}

/* What is charged beyond the parts is the driver's rounding. */
static void take_device(struct ul_plan *plan, ullage_device *d, const ullage_seen *seen)
{
    take_parts(d, seen);
    for (size_t i = 0; i < seen->n_devices; i++) {
        const ullage_seen_device *s = &seen->devices[i];
        if (strcmp(s->name, d->name) != 0)
            continue;
        if (s->whole_prompt)
            compare_prompt(plan, d, s);
        d->runtime = (ullage_bytes){s->context, ULLAGE_SIMULATED};
        d->prompt_peak = (ullage_bytes){s->prompt, ULLAGE_SIMULATED};
        d->workspace = (ullage_bytes){s->workspace, ULLAGE_SIMULATED};
        uint64_t sum = ul_add(ul_add(s->context, s->prompt), s->workspace);
        const ullage_bytes *const parts[] = {&d->model, &d->kv, &d->state, &d->output, &d->compute};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            sum = ul_add(sum, parts[k]->bytes);
        d->rounding = (ullage_bytes){s->charged > sum ? s->charged - sum : 0, ULLAGE_SIMULATED};
    }
}

void ul_plan_observe(struct ul_plan *plan, const ullage_seen *seen,
                     const struct ul_machine *machine, struct ul_arena *a)
{
    compare_buffers(plan, seen, a);
    take_buffers(plan, seen, a);
    for (size_t i = 0; i < plan->n_devices; i++)
        take_device(plan, &plan->devices[i], seen);
    plan->partial = 0;
    ul_ledger_close(plan, machine);
}
