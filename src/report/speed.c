/* Speeds for people and for programs: rates with their range, and what each device reads and how
 * long that takes. A rate that is not known is "unknown" in a table and null in JSON. */
#include "report/render.h"

/* ------------------------------------------------------------------ a table */

static char *rate(struct ul_arena *a, double tokens_a_second)
{
    if (tokens_a_second <= 0)
        return ul_format(a, "unknown");
    return ul_format(a, tokens_a_second < 100 ? "%.1f" : "%.0f", tokens_a_second);
}

static void line(struct ul_text *out, const char *what, const ullage_rate *r)
{
    struct ul_arena *a = out->arena;
    ul_text_printf(out, "%s: ", what);
    if (r->bound <= 0 && r->expected <= 0) {
        ul_text_puts(out, "unknown\n");
        return;
    }
    if (r->expected > 0)
        ul_text_printf(out, "%s tokens/s expected (%s to %s), ", rate(a, r->expected),
                       rate(a, r->low), rate(a, r->high));
    if (r->bound > 0)
        ul_text_printf(out, "at most %s%s\n", rate(a, r->bound),
                       r->expected > 0 ? "" : " tokens/s");
    else
        ul_text_puts(out, "the most is unknown\n");
}

static void lines(struct ul_text *out, const ullage_speed *s)
{
    char *what = ul_format(out->arena, "generation at depth %u", s->depth);
    line(out, what, &s->generation);
    line(out, "prompts", &s->prompt);
    if (s->basis[0])
        ul_text_printf(out, "speed: %s\n", s->basis);
}

static void depth_note(struct ul_text *out, const ullage_speed *s, uint32_t asked)
{
    if (s->depth < asked)
        ul_text_printf(out, "note: a sequence holds %u tokens here: depth %u is taken as that "
                            "[depth_cut]\n", s->depth, asked);
}

/* Only where it was asked for, or something is known. */
void ul_speed_lines(struct ul_text *out, const struct ullage_plan *plan)
{
    ullage_speed s;
    ullage_plan_speed(plan, plan->depth, &s);
    if (plan->depth_given || s.generation.bound > 0) {
        lines(out, &s);
        depth_note(out, &s, plan->depth);
    }
}

static void mib(struct ul_table *t, uint64_t bytes)
{
    ul_table_mib(t, (ullage_bytes){bytes, ULLAGE_COMPUTED});
}

static void ms(struct ul_table *t, double value, bool known)
{
    ul_table_add(t, known ? ul_format(t->arena, "%.2f", value) : "unknown");
}

/* A row of the embedding table is no work. */
#define NOTHING (1 << 20)

static bool works(const ullage_speed_part *p)
{
    return p->weight_bytes + p->cache_bytes > NOTHING;
}

static void parts(struct ul_text *out, const ullage_speed *s)
{
    static const char *const head[] = {"", "GB/s", "weights MiB", "cache MiB", "weights ms",
                                       "cache ms", "fixed ms", "expected ms"};
    struct ul_table t;
    ul_table_open(&t, out->arena, sizeof head / sizeof head[0]);
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        ul_table_add(&t, head[i]);
    for (size_t i = 0; i < s->n_parts; i++) {
        const ullage_speed_part *p = &s->part[i];
        bool known = p->bandwidth > 0, seen = known && p->expected_ms > 0;
        if (!works(p))
            continue;
        ul_table_add(&t, p->device);
        ul_table_add(&t, known ? ul_format(t.arena, "%g", p->bandwidth / 1e9) : "unknown");
        mib(&t, p->weight_bytes);
        mib(&t, p->cache_bytes);
        ms(&t, p->weight_ms, known);
        ms(&t, p->cache_ms, known);
        ms(&t, p->fixed_ms, seen);
        ms(&t, p->expected_ms, seen);
    }
    ul_table_print(&t, out);
    ul_text_puts(out, "\n");
}

/* Which device a token waits for most, as shares of the expectation; and what no faster memory
 * shortens. */
static void where(struct ul_text *out, const ullage_speed *s)
{
    double all = 0, fixed = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->n_parts; i++) {
        all += s->part[i].expected_ms;
        fixed += s->part[i].fixed_ms;
        n += works(&s->part[i]);
    }
    if (s->generation.expected <= 0 || all <= 0)
        return;
    ul_text_puts(out, "where a token's time goes:");
    for (size_t i = 0; i < s->n_parts && n > 1; i++)
        if (works(&s->part[i]))
            ul_text_printf(out, " %s %.0f %%,", s->part[i].device,
                           100 * s->part[i].expected_ms / all);
    ul_text_printf(out, " %.0f %% %swhatever memory's speed\n", 100 * fixed / all,
                   n > 1 ? "of all " : "");
}

/* What a person waits for: the first token after a prompt as long as the depth asked. */
static void prompt_time(struct ul_text *out, const ullage_speed *s)
{
    const ullage_rate *r = &s->prompt;
    if (r->expected <= 0 || s->depth == 0)
        return;
    int decimals = s->depth < 10 * r->expected;
    ul_text_printf(out, "a prompt of %u tokens: about %.*f s (%.*f to %.*f)\n", s->depth, decimals,
                   s->depth / r->expected, decimals, s->depth / r->high, decimals,
                   s->depth / r->low);
}

/* Where layers lie that nobody placed. */
static void placed(struct ul_text *out, const struct ullage_plan *plan)
{
    size_t n;
    const ullage_note *note = ullage_plan_notes(plan, &n);
    for (size_t i = 0; i < n; i++)
        if (strncmp(note[i].code, "fit_", 4) == 0)
            ul_text_printf(out, "note: %s [%s]\n", note[i].text, note[i].code);
}

void ul_speed_table(struct ul_text *out, const struct ullage_plan *plan)
{
    ullage_speed s;
    ullage_plan_speed(plan, plan->depth, &s);
    parts(out, &s);
    lines(out, &s);
    prompt_time(out, &s);
    where(out, &s);
    if (s.generation.expected > 0)
        ul_text_puts(out, "eight of ten published runs are in the ranges; \"at most\": every byte "
                          "once, at the full bandwidth\n");
    depth_note(out, &s, plan->depth);
    placed(out, plan);
}

/* ------------------------------------------------------------------ JSON */

static void rates(struct ul_json *j, const char *key, const ullage_rate *r)
{
    ul_json_key(j, key);
    ul_json_open(j, '{');
    ul_json_put_known(j, "bound", r->bound, 3);
    ul_json_put_known(j, "expected", r->expected, 3);
    ul_json_put_known(j, "low", r->low, 3);
    ul_json_put_known(j, "high", r->high, 3);
    ul_json_close(j, '}');
}

static void part(struct ul_json *j, const ullage_speed_part *p)
{
    ul_json_open(j, '{');
    ul_json_key(j, "name");
    ul_json_str(j, ul_cstr(p->device));
    ul_json_put_known(j, "bandwidth_bytes_per_s", p->bandwidth, 0);
    ul_json_key(j, "weight_bytes");
    ul_json_u64(j, p->weight_bytes);
    ul_json_key(j, "cache_bytes");
    ul_json_u64(j, p->cache_bytes);
    ul_json_put_known(j, "weight_ms", p->weight_ms, 4);
    ul_json_put_known(j, "cache_ms", p->cache_ms, 4);
    ul_json_put_known(j, "fixed_ms", p->fixed_ms, 4);
    ul_json_put_known(j, "expected_ms", p->expected_ms, 4);
    ul_json_key(j, "crossing_bytes");
    ul_json_u64(j, p->crossing_bytes);
    ul_json_put_known(j, "prompt_flops_per_token", p->prompt_flops, 0);
    ul_json_close(j, '}');
}

/* The member "speed": tokens a second, milliseconds a token. */
void ul_speed_json(struct ul_json *j, const struct ullage_plan *plan)
{
    ullage_speed s;
    ullage_plan_speed(plan, plan->depth, &s);
    ul_json_key(j, "speed");
    ul_json_open(j, '{');
    ul_json_key(j, "depth");
    ul_json_u64(j, s.depth);
    rates(j, "generation", &s.generation);
    rates(j, "prompt", &s.prompt);
    ul_json_key(j, "basis");
    ul_json_str(j, ul_cstr(s.basis));
    ul_json_key(j, "devices");
    ul_json_open(j, '[');
    for (size_t i = 0; i < s.n_parts; i++)
        part(j, &s.part[i]);
    ul_json_close(j, ']');
    ul_json_close(j, '}');
}

static void write_speed(struct ul_text *out, const struct ul_rendering *r)
{
    struct ul_json w = {.out = out, .pretty = true};
    if (r->format != ULLAGE_JSON) {
        ul_speed_table(out, r->what);
        return;
    }
    ul_json_open(&w, '{');
    ul_json_put_u64(&w, "schema_version", 1);
    ul_speed_json(&w, r->what);
    ul_engine_fit_json(&w, r->what);
    ul_json_close(&w, '}');
    ul_text_puts(out, "\n");
}

char *ullage_speed_render(const ullage_plan *plan, int format)
{
    const struct ul_rendering r = {.what = plan, .format = format};
    return ul_render(write_speed, &r);
}
