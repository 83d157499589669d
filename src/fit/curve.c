/* The load as a function of the context's length. Nothing is assumed of its shape but that it is
 * made of straight pieces: a piece is cut in two until its quarters lie on the line between its
 * ends. So a bend is found to the step, with some forty plans a bend. */
#include "fit/curve.h"

/* Padding moves a sum by a few bytes from length to length; this much is still a straight line. */
#define TOLERANCE ((int64_t)64 * 1024)

/* ------------------------------------------------------------------ planning at a length */

static void take_loads(struct ul_curve *c, const struct ul_plan *plan, ullage_curve_load *load)
{
    for (size_t i = 0; i < c->n_devices; i++) {
        const ullage_device *d = &plan->devices[i];
        load[i].kv = d->kv.bytes;
        load[i].compute = d->compute.bytes;
        const ullage_bytes *parts[] = {&d->model, &d->context, &d->output, &d->compute, &d->draft,
                                       &d->projector, &d->adapters};
        load[i].load = 0;
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            load[i].load = ul_add(load[i].load, parts[k]->bytes);
    }
}

static void take_devices(struct ul_curve *c, const struct ul_plan *plan)
{
    c->n_devices = plan->n_devices;
    c->device = UL_NEWS(c->arena, const char *, plan->n_devices);
    for (size_t i = 0; i < plan->n_devices; i++)
        c->device[i] =
            ul_arena_copy(c->arena, plan->devices[i].name, strlen(plan->devices[i].name));
}

static int plan_at(struct ul_curve *c, uint32_t steps, ullage_error *err)
{
    if (c->at[steps])
        return ULLAGE_OK;
    struct ul_settings s = *c->settings;
    c->scratch.oom = c->arena->oom;
    struct ul_plan plan = {0};
    s.ctx_given = true;
    s.n_ctx = steps * c->step;
    int code = ul_plan_make(&plan, c->model, &s, c->machine, &c->scratch, err);
    if (!code && plan.compute.source == ULLAGE_UNKNOWN)
        code = ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                       "the compute buffers of this plan are not known: %s",
                       plan.compute.why ? plan.compute.why : "no rule");
    if (!code) {
        if (!c->device)
            take_devices(c, &plan);
        c->at[steps] = UL_NEWS(c->arena, ullage_curve_load, c->n_devices);
        take_loads(c, &plan, c->at[steps]);
    }
    ul_arena_reset(&c->scratch);
    return code;
}

/* ------------------------------------------------------------------ straight pieces */

static double slope(const struct ul_curve *c, size_t device, uint32_t a, uint32_t b)
{
    return ((double)c->at[b][device].load - (double)c->at[a][device].load) / (double)(b - a);
}

static bool on_line(const struct ul_curve *c, uint32_t a, uint32_t b, uint32_t x)
{
    for (size_t d = 0; d < c->n_devices; d++) {
        double line = (double)c->at[a][d].load + slope(c, d, a, b) * (double)(x - a);
        double off = (double)c->at[x][d].load - line;
        if (off > (double)TOLERANCE || off < -(double)TOLERANCE)
            return false;
    }
    return true;
}

static int straight(struct ul_curve *c, uint32_t a, uint32_t b, bool *yes, ullage_error *err)
{
    *yes = true;
    for (uint32_t q = 1; q < 4 && *yes; q++) {
        uint32_t x = a + (uint32_t)((uint64_t)(b - a) * q / 4);
        int code = x > a ? plan_at(c, x, err) : ULLAGE_OK;
        if (code)
            return code;
        *yes = x == a || on_line(c, a, b, x);
    }
    return ULLAGE_OK;
}

struct cuts {
    uint32_t *at;
    size_t n, cap;
};

static void add_cut(struct ul_curve *c, struct cuts *cuts, uint32_t x)
{
    if (cuts->n == cuts->cap) {
        cuts->cap = cuts->cap ? cuts->cap * 2 : 64;
        uint32_t *more = UL_NEWS(c->arena, uint32_t, cuts->cap);
        if (cuts->n)
            memcpy(more, cuts->at, cuts->n * sizeof *more);
        cuts->at = more;
    }
    cuts->at[cuts->n++] = x;
}

/* Cuts (a, b] into straight pieces and adds the end of each. Depth is the logarithm of b - a. */
static int cut(struct ul_curve *c, struct cuts *cuts, uint32_t a, uint32_t b, ullage_error *err)
{
    bool yes = true;
    int code = b - a > 1 ? straight(c, a, b, &yes, err) : ULLAGE_OK;
    if (code)
        return code;
    if (yes) {
        add_cut(c, cuts, b);
        return ULLAGE_OK;
    }
    uint32_t middle = a + (b - a) / 2;
    code = plan_at(c, middle, err);
    code = code ? code : cut(c, cuts, a, middle, err);
    return code ? code : cut(c, cuts, middle, b, err);
}

/* Which part's own slope changes most between two pieces that meet. */
static const char *what_bends(const struct ul_curve *c, size_t d, uint32_t a, uint32_t x,
                              uint32_t b)
{
    const ullage_curve_load *l = &c->at[a][d], *m = &c->at[x][d], *r = &c->at[b][d];
    double kv =
        ((double)r->kv - (double)m->kv) / (b - x) - ((double)m->kv - (double)l->kv) / (x - a);
    double compute = ((double)r->compute - (double)m->compute) / (b - x)
                   - ((double)m->compute - (double)l->compute) / (x - a);
    return (kv < 0 ? -kv : kv) > (compute < 0 ? -compute : compute) ? "KV cache" : "compute";
}

/* Joins neighbouring pieces whose slopes agree for this device, and lists what remains. */
static void list_stretches(struct ul_curve *c, const struct cuts *cuts, uint32_t d)
{
    uint32_t from = cuts->at[0], before = from;
    for (size_t i = 1; i < cuts->n; i++) {
        uint32_t to = cuts->at[i];
        bool last = i + 1 == cuts->n;
        if (!last) {
            double change = slope(c, d, to, cuts->at[i + 1]) - slope(c, d, from, to);
            double shift = change * (double)(cuts->at[i + 1] - to);
            if (shift < (double)TOLERANCE && shift > -(double)TOLERANCE)
                continue;
        }
        c->stretches[c->n_stretches++] = (ullage_curve_stretch){
            .device = d, .from = from * c->step, .to = to * c->step,
            .bytes_per_token = slope(c, d, from, to) / c->step,
            .bend = from == cuts->at[0] ? NULL : what_bends(c, d, before, from, to)};
        before = from;
        from = to;
    }
}

/* ------------------------------------------------------------------ what is shown */

static bool bends_at(const struct ul_curve *c, uint32_t n_ctx)
{
    for (size_t i = 0; i < c->n_stretches; i++)
        if (c->stretches[i].bend && c->stretches[i].from == n_ctx)
            return true;
    return false;
}

/* The powers of two, the ends, and the bends. */
static bool worth_showing(const struct ul_curve *c, uint32_t steps)
{
    uint32_t n_ctx = steps * c->step;
    return steps == c->first || steps == c->last || (n_ctx & (n_ctx - 1)) == 0 ||
           bends_at(c, n_ctx);
}

static int list_points(struct ul_curve *c, ullage_error *err)
{
    size_t n = 0;
    for (uint32_t i = c->first; i <= c->last; i++)
        n += worth_showing(c, i);
    c->points = UL_NEWS(c->arena, ullage_curve_point, n);
    for (uint32_t i = c->first; i <= c->last; i++) {
        if (!worth_showing(c, i))
            continue;
        int code = plan_at(c, i, err);
        if (code)
            return code;
        c->points[c->n_points++] = (ullage_curve_point){
            .n_ctx = i * c->step, .bend = bends_at(c, i * c->step), .load = c->at[i]};
    }
    return ULLAGE_OK;
}

/* A length's place on the axis: whole steps for each slot (llama-context.cpp rounds up). */
static int make_axis(struct ul_curve *c, uint32_t to, ullage_error *err)
{
    struct ul_plan plan = {0};
    c->scratch.oom = c->arena->oom;
    int code = ul_plan_make(&plan, c->model, c->settings, c->machine, &c->scratch, err);
    uint32_t streams = plan.c.kv_unified ? 1 : plan.c.n_seq_max, ubatch = plan.c.n_ubatch;
    ul_arena_reset(&c->scratch);
    if (code)
        return code;
    c->step = 256 * (streams ? streams : 1);
    c->first = (ubatch + c->step - 1) / c->step;
    c->first = c->first ? c->first : 1;
    uint64_t last = ul_pad(to ? to : c->model->n_ctx_train, c->step) / c->step;
    c->last = (uint32_t)ul_max(ul_min(last, UINT32_MAX / c->step / 2), c->first + 1);
    c->at = UL_NEWS(c->arena, ullage_curve_load *, (size_t)c->last + 1);
    return ULLAGE_OK;
}

int ul_curve_make(struct ul_curve *c, uint32_t to, ullage_error *err)
{
    struct cuts cuts = {0};
    int code = make_axis(c, to, err);
    if (!code)
        code = plan_at(c, c->first, err);
    if (!code)
        code = plan_at(c, c->last, err);
    if (code)
        return code;
    add_cut(c, &cuts, c->first);
    code = cut(c, &cuts, c->first, c->last, err);
    if (code)
        return code;
    c->stretches = UL_NEWS(c->arena, ullage_curve_stretch, cuts.n * c->n_devices);
    for (uint32_t d = 0; d < c->n_devices; d++)
        list_stretches(c, &cuts, d);
    return list_points(c, err);
}

static int steps_of(const struct ul_curve *c, uint32_t n_ctx, uint32_t *steps, ullage_error *err)
{
    *steps = (uint32_t)(ul_pad(n_ctx, c->step) / c->step);
    if (*steps < c->first || *steps > c->last)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "the curve goes from %u to %u tokens; %u is not on it",
                       (unsigned)(c->first * c->step), (unsigned)(c->last * c->step),
                       (unsigned)n_ctx);
    return ULLAGE_OK;
}

int ul_curve_line_error(struct ul_curve *c, uint32_t device, uint32_t a, uint32_t b, uint32_t at,
                        int64_t *bytes, ullage_error *err)
{
    const uint32_t n_ctx[3] = {a, b, at};
    uint32_t x[3];
    for (int i = 0; i < 3; i++) {
        int code = steps_of(c, n_ctx[i], &x[i], err);
        code = code ? code : plan_at(c, x[i], err);
        if (code)
            return code;
    }
    if (x[0] == x[1] || device >= c->n_devices)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "a line needs two lengths and a device");
    double line = (double)c->at[x[0]][device].load
                + slope(c, device, x[0], x[1]) * ((double)x[2] - (double)x[0]);
    *bytes = (int64_t)(line - (double)c->at[x[2]][device].load);
    return ULLAGE_OK;
}
