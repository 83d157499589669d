/* A measurement as a table that can be pasted into a post (Markdown), and as JSON. */
#include "measure/measure.h"
#include "base/json.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


#define MIB 1048576.0

/* ------------------------------------------------------------------ what both need */

void ul_measure_note(struct ul_measurement *m, const char *fmt, ...)
{
    char text[sizeof m->note[0]];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    for (int i = 0; i < m->n_notes; i++)
        if (strcmp(m->note[i], text) == 0)
            return;
    if (m->n_notes < UL_NOTES)
        memcpy(m->note[m->n_notes++], text, sizeof text);
}

static bool alike(const struct ul_measure_run *a, const struct ul_measure_run *b)
{
    return a->check == b->check && a->n_ctx == b->n_ctx;
}

uint64_t ul_measure_spread(const struct ul_measurement *m, const struct ul_measure_run *like)
{
    uint64_t most = 0;
    for (int p = 0; p < m->n_places; p++) {
        uint64_t low = UINT64_MAX, high = 0;
        for (int i = 0; i < m->n_runs && m->place[p].counts; i++)
            if (alike(&m->runs[i], like) && m->runs[i].at[p].load.known) {
                uint64_t bytes = m->runs[i].at[p].load.bytes;
                low = bytes < low ? bytes : low;
                high = bytes > high ? bytes : high;
            }
        most = high > low && high - low > most ? high - low : most;
    }
    return most;
}

void ul_measure_free(struct ul_measurement *m)
{
    for (int i = 0; m && i < m->n_runs; i++)
        free(m->runs[i].samples);
    free(m);
}

/* Whether the run is one of those that the line went through or was checked by. */
static bool is_point(const struct ul_measurement *m, const struct ul_measure_run *run)
{
    return !run->check && (run->n_ctx == m->points[0] || run->n_ctx == m->points[1]);
}

/* ------------------------------------------------------------------ table */

/* "-" for what is unknown. */
static void cell(struct ul_text *t, struct ul_amount a, int width)
{
    if (a.known)
        ul_text_printf(t, " %*.2f |", width, (double)a.bytes / MIB);
    else
        ul_text_printf(t, " %*s |", width, "-");
}

static struct ul_amount less(struct ul_amount a, struct ul_amount b)
{
    bool known = a.known && b.known && a.bytes >= b.bytes;
    return (struct ul_amount){known ? a.bytes - b.bytes : 0, known};
}

static void run_row(struct ul_text *t, const struct ul_measurement *m,
                    const struct ul_measure_run *run, int p)
{
    const struct ul_figure *f = &run->at[p];
    double line = ul_line_at(&m->place[p].line, run->n_ctx);
    bool drawn = m->points[0] != 0;
    ul_text_printf(t, "| %-5s | %7u | %3d |", run->check ? "check" : "load", run->n_ctx,
                   run->attempt);
    cell(t, f->load, 9);
    if (drawn && f->load.known && !is_point(m, run))
        ul_text_printf(t, " %9.2f | %+7.2f |", line / MIB, ((double)f->load.bytes - line) / MIB);
    else
        ul_text_puts(t, "           |         |");
    cell(t, run->check ? f->peak : (struct ul_amount){0}, 9);
    cell(t, run->check ? less(f->peak, f->load) : (struct ul_amount){0}, 6);
    cell(t, f->logged, 9);
    cell(t, less(f->load, f->logged), 10);
    ul_text_puts(t, "\n");
}

static void place_table(struct ul_text *t, const struct ul_measurement *m, int p)
{
    ul_text_printf(t, "\n%s (MiB)\n\n", m->place[p].name);
    ul_text_puts(t, "| run   |      -c | no. |      load |      line |   error |      peak |"
                    " prompt |    in log | not in log |\n"
                    "|-------|--------:|----:|----------:|----------:|--------:|----------:|"
                    "-------:|----------:|-----------:|\n");
    for (int i = 0; i < m->n_runs; i++)
        run_row(t, m, &m->runs[i], p);
}

static void place_summary(struct ul_text *t, const struct ul_measurement *m, int p)
{
    const struct ul_measure_place *place = &m->place[p];
    ul_text_printf(t, "\n%s: %.2f MiB a 1,024 tokens; limit %.2f = %.2f free - %.2f reserve; %.2f "
                   "kept for the prompt; longest %u\n", place->name, place->line.slope * 1024 / MIB,
                   (double)place->limit / MIB, (double)place->budget / MIB,
                   (double)m->reserve / MIB, (double)place->margin / MIB, place->longest);
    if (place->runtime.known)
        ul_text_printf(t, "  this machine's own figures: runtime %.2f",
                       (double)place->runtime.bytes / MIB);
    if (place->runtime.known && place->pool.known)
        ul_text_printf(t, ", its pool after the warm-up %.2f", (double)place->pool.bytes / MIB);
    if (place->runtime.known && place->added.known)
        ul_text_printf(t, ", prompt %.2f", (double)place->added.bytes / MIB);
    if (place->runtime.known)
        ul_text_puts(t, "\n");
}

static void agreement(struct ul_text *t, const struct ul_measurement *m)
{
    uint64_t worst = 0;
    bool repeated = false;
    for (int i = 0; i < m->n_runs; i++) {
        uint64_t spread = ul_measure_spread(m, &m->runs[i]);
        worst = spread > worst ? spread : worst;
        repeated |= m->runs[i].attempt > 1;
    }
    if (repeated && worst == 0)
        ul_text_puts(t, "Repeated runs read the same to the byte.\n");
    else if (repeated)
        ul_text_printf(t, "Repeated runs differ by up to %.2f MiB.\n", (double)worst / MIB);
}

static void differences(struct ul_text *t, const struct ul_measurement *m)
{
    int compared = 0, differing = 0;
    for (int i = 0; i < m->n_runs; i++) {
        compared += m->runs[i].differs >= 0;
        differing += m->runs[i].differs > 0;
    }
    if (compared && !differing)
        ul_text_printf(t, "Every buffer in the log of %d runs is as computed.\n", compared);
    else if (compared)
        ul_text_printf(t, "In %d of %d runs the log and the plan differ: see the notes.\n",
                       differing, compared);
}

static const char *at_cap(const struct ul_measurement *m)
{
    return m->cap && m->n_ctx == m->cap / m->round * m->round
               ? " (no more: --cap, or what the model was trained for)" : "";
}

static void table(struct ul_text *t, const void *measured)
{
    const struct ul_measurement *m = measured;
    ul_text_printf(t, "%s%s%s\n", m->model[0] ? m->model : "a server", m->flags[0] ? ", " : "",
                   m->flags);
    ul_text_printf(t, "engine %s; %s%s%s; read by %s; %s\n", m->engine[0] ? m->engine : "unknown",
                   m->gpu[0] ? m->gpu : "no GPU", m->driver[0] ? ", driver " : "", m->driver,
                   m->reader, m->started);
    for (int p = 0; p < m->n_places; p++)
        if (m->place[p].counts)
            place_table(t, m, p);
    for (int p = 0; p < m->n_places && m->points[0]; p++)
        if (m->place[p].counts)
            place_summary(t, m, p);
    ul_text_puts(t, "\n");
    agreement(t, m);
    differences(t, m);
    if (m->n_ctx && m->points[0])
        ul_text_printf(t, "Longest context: -c %u%s. %s\n", m->n_ctx, at_cap(m),
                       m->fits ? "The check stayed within the limit."
                               : "The check did not stay within the limit.");
    for (int i = 0; i < m->n_notes; i++)
        ul_text_printf(t, "note: %s\n", m->note[i]);
}

char *ul_measure_table(const struct ul_measurement *m) { return ul_text_written(table, m); }

/* ------------------------------------------------------------------ JSON */

static void text_member(struct ul_json *j, const char *key, const char *value)
{
    ul_json_key(j, key);
    if (value[0])
        ul_json_str(j, ul_cstr(value));
    else
        ul_json_null(j);
}

static void number_member(struct ul_json *j, const char *key, uint64_t value)
{
    ul_json_key(j, key);
    ul_json_u64(j, value);
}

static void double_member(struct ul_json *j, const char *key, double value, int decimals)
{
    ul_json_key(j, key);
    ul_json_double(j, value, decimals);
}

static void amount_member(struct ul_json *j, const char *key, struct ul_amount a)
{
    ul_json_key(j, key);
    if (a.known)
        ul_json_u64(j, a.bytes);
    else
        ul_json_null(j);
}

static void bool_member(struct ul_json *j, const char *key, bool value)
{
    ul_json_key(j, key);
    ul_json_bool(j, value);
}

static void json_reading(struct ul_json *j, const struct ul_measurement *m,
                         const struct ul_measure_run *run, int p)
{
    const struct ul_figure *f = &run->at[p];
    ul_json_open(j, '{');
    text_member(j, "place", m->place[p].name);
    amount_member(j, "load_bytes", f->load);
    amount_member(j, "peak_bytes", f->peak);
    amount_member(j, "logged_bytes", f->logged);
    amount_member(j, "computed_bytes", f->computed);
    if (m->place[p].counts && m->points[0])
        double_member(j, "line_bytes", ul_line_at(&m->place[p].line, run->n_ctx), 0);
    ul_json_close(j, '}');
}

static void json_run(struct ul_json *j, const struct ul_measurement *m,
                     const struct ul_measure_run *run)
{
    ul_json_open(j, '{');
    text_member(j, "purpose", run->check ? "check" : "load");
    number_member(j, "n_ctx", run->n_ctx);
    number_member(j, "attempt", (uint64_t)run->attempt);
    number_member(j, "prompt_tokens", run->prompt_tokens);
    double_member(j, "ready_seconds", run->ready_seconds, 3);
    double_member(j, "prompt_seconds", run->prompt_seconds, 3);
    bool_member(j, "resumed", run->resumed);
    ul_json_key(j, "buffers_differing");
    if (run->differs >= 0)
        ul_json_u64(j, (uint64_t)run->differs);
    else
        ul_json_null(j);
    ul_json_key(j, "readings");
    ul_json_open(j, '[');
    for (int p = 0; p < m->n_places; p++)
        json_reading(j, m, run, p);
    ul_json_close(j, ']');
    ul_json_close(j, '}');
}

static void json_place(struct ul_json *j, const struct ul_measurement *m,
                       const struct ul_measure_place *p)
{
    ul_json_open(j, '{');
    text_member(j, "name", p->name);
    text_member(j, "device", p->device);
    bool_member(j, "counts", p->counts);
    if (p->counts) {
        number_member(j, "budget_bytes", p->budget);
        number_member(j, "limit_bytes", p->limit);
        number_member(j, "margin_bytes", p->margin);
        if (m->points[0]) {
            double_member(j, "bytes_per_token", p->line.slope, 3);
            number_member(j, "longest", p->longest);
        }
    }
    amount_member(j, "runtime_bytes", p->runtime);
    amount_member(j, "pool_bytes", p->pool);
    amount_member(j, "prompt_bytes", p->added);
    ul_json_close(j, '}');
}

static void json_lists(struct ul_json *j, const struct ul_measurement *m)
{
    ul_json_key(j, "places");
    ul_json_open(j, '[');
    for (int p = 0; p < m->n_places; p++)
        json_place(j, m, &m->place[p]);
    ul_json_close(j, ']');
    ul_json_key(j, "runs");
    ul_json_open(j, '[');
    for (int i = 0; i < m->n_runs; i++)
        json_run(j, m, &m->runs[i]);
    ul_json_close(j, ']');
    ul_json_key(j, "notes");
    ul_json_open(j, '[');
    for (int i = 0; i < m->n_notes; i++)
        ul_json_str(j, ul_cstr(m->note[i]));
    ul_json_close(j, ']');
}

static void json(struct ul_text *t, const void *measured)
{
    const struct ul_measurement *m = measured;
    struct ul_json w = {.out = t, .pretty = true}, *j = &w;
    ul_json_open(j, '{');
    number_member(j, "schema_version", 1);
    text_member(j, "source", "measured");
    text_member(j, "started", m->started);
    text_member(j, "host", m->host);
    text_member(j, "engine", m->engine);
    text_member(j, "gpu", m->gpu);
    text_member(j, "driver", m->driver);
    text_member(j, "reader", m->reader);
    text_member(j, "model", m->model);
    number_member(j, "model_bytes", m->model_bytes);
    text_member(j, "flags", m->flags);
    number_member(j, "reserve_bytes", m->reserve);
    number_member(j, "round", m->round);
    ul_json_key(j, "n_ctx_train");
    if (m->cap)
        ul_json_u64(j, m->cap);
    else
        ul_json_null(j);
    if (m->points[0]) {
        ul_json_key(j, "points");
        ul_json_open(j, '[');
        ul_json_u64(j, m->points[0]);
        ul_json_u64(j, m->points[1]);
        ul_json_close(j, ']');
        number_member(j, "n_ctx", m->n_ctx);
        bool_member(j, "fits", m->fits);
        double_member(j, "worst_error_bytes", m->worst_error, 0);
    }
    json_lists(j, m);
    ul_json_close(j, '}');
    ul_text_puts(t, "\n");
}

char *ul_measure_json(const struct ul_measurement *m) { return ul_text_written(json, m); }
