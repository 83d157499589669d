/* A measurement as one HTML page without scripts: the answer and its conditions; for each place
 * that has a limit the line with its points, and the last check run's use over time, drawn as SVG;
 * below them every run, and the notes. Light or dark, as the reader's system is. */
#include "measure/measure.h"
#include "base/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MIB 1048576.0
#define WIDTH 760.0
#define HEIGHT 340.0
#define LEFT 78.0
#define RIGHT 14.0
#define TOP 26.0
#define BELOW 46.0

static const char style[] =
    ":root{--ink:#1c2430;--soft:#5b6675;--paper:#fff;--card:#f6f8fa;--rule:#dfe5ec;--line:#2563eb;"
    "--check:#15803d;--peak:#c2410c;--limit:#b91c1c}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa6b5;--paper:#12161c;"
    "--card:#1a2029;--rule:#2c3542;--line:#6ea1ff;--check:#4ade80;--peak:#fb923c;--limit:#f87171}}"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:58em;margin:2em auto;padding:0 1em}h1{font-size:1.5em;margin:0}"
    "h2{font-size:1.15em;margin:2em 0 .4em}.soft{color:var(--soft)}"
    ".answer{display:flex;flex-wrap:wrap;gap:.8em;margin:1.2em 0}"
    ".answer div{background:var(--card);border:1px solid var(--rule);border-radius:8px;"
    "padding:.6em 1em;min-width:8em}.answer b{display:block;font-size:1.35em}"
    ".answer "
    "span{color:var(--soft);font-size:.85em}.good{color:var(--check)}.bad{color:var(--limit)}"
    "svg{width:100%;height:auto;background:var(--card);border:1px solid var(--rule);"
    "border-radius:8px;margin:.3em 0}svg text{font:11px system-ui,sans-serif;fill:var(--soft)}"
    ".grid{stroke:var(--rule)}.line{stroke:var(--line);fill:none;stroke-width:2}"
    ".area{fill:var(--line);opacity:.13}.limit{stroke:var(--limit);stroke-dasharray:5 4}"
    "svg text.limit{fill:var(--limit);stroke:none}.load{fill:var(--line)}.check{fill:var(--check)}"
    ".peak{fill:none;stroke:var(--peak);stroke-width:2}table{border-collapse:collapse;width:100%;"
    "font-variant-numeric:tabular-nums;font-size:.92em}th,td{text-align:right;padding:.3em .6em;"
    "border-bottom:1px solid var(--rule);white-space:nowrap}th{color:var(--soft);font-weight:600}"
    "td:first-child,th:first-child{text-align:left}.scroll{overflow-x:auto}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1em 1em;margin:1em 0}"
    "dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}li{margin:.2em 0}";

static void escaped(struct ul_text *t, const char *s)
{
    for (; *s; s++) {
        if (*s == '<')
            ul_text_puts(t, "&lt;");
        else if (*s == '>')
            ul_text_puts(t, "&gt;");
        else if (*s == '&')
            ul_text_puts(t, "&amp;");
        else
            ul_text_add(t, s, 1);
    }
}

/* ------------------------------------------------------------------ axes */

/* Data coordinates to the drawing's; both begin at 0. */
struct axes {
    double x1, y1;         /* where the drawing ends */
    double x_step, y_step; /* between ticks */
};

static double px(const struct axes *a, double x)
{
    return LEFT + x / a->x1 * (WIDTH - LEFT - RIGHT);
}

static double py(const struct axes *a, double y)
{
    return HEIGHT - BELOW - y / a->y1 * (HEIGHT - BELOW - TOP);
}

/* 1, 2 or 5 times a power of ten (of two for lengths of contexts), for about five ticks. */
static double step_for(double most, bool binary)
{
    double rough = most / 5;
    if (!(rough > 0))
        return 1;
    if (binary)
        return exp2(round(log2(rough)));
    double power = pow(10, floor(log10(rough))), lead = rough / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static struct axes axes_to(double x, double y, bool lengths)
{
    struct axes a = {.x1 = x > 0 ? x * 1.04 : 1, .y1 = y > 0 ? y * 1.08 : 1};
    a.x_step = step_for(a.x1, lengths);
    a.y_step = step_for(a.y1, false);
    return a;
}

/* A length as people say it: 96k. */
static void x_tick(struct ul_text *t, const struct axes *a, double x, bool lengths)
{
    ul_text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", px(a, x),
                   HEIGHT - BELOW + 18);
    if (lengths && x >= 1024)
        ul_text_printf(t, "%gk</text>\n", x / 1024);
    else
        ul_text_printf(t, "%g</text>\n", x);
}

static void begin(struct ul_text *t, const struct axes *a, const char *x_label, bool lengths)
{
    ul_text_printf(t, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", WIDTH, HEIGHT);
    for (double y = 0; y <= a->y1; y += a->y_step)
        ul_text_printf(t, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT,
                       WIDTH - RIGHT, py(a, y), py(a, y), LEFT - 8, py(a, y) + 4, y);
    for (double x = 0; x <= a->x1; x += a->x_step)
        x_tick(t, a, x, lengths);
    ul_text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>"
                      "<text x=\"%.1f\" y=\"16\" text-anchor=\"end\">MiB</text>\n",
                   (LEFT + WIDTH) / 2, HEIGHT - 8, x_label, LEFT - 8);
}

static void level(struct ul_text *t, const struct axes *a, double y, const char *name)
{
    if (y > a->y1)
        return;
    ul_text_printf(t, "<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                      "<text class=\"limit\" x=\"%.1f\" y=\"%.1f\">%s %.0f</text>\n", LEFT,
                   WIDTH - RIGHT, py(a, y), py(a, y), LEFT + 8, py(a, y) - 5, name, y);
}

static void legend(struct ul_text *t, double x, const char *mark, const char *text)
{
    ul_text_printf(t, "<circle class=\"%s\" r=\"4\" cx=\"%.1f\" cy=\"13\"/><text x=\"%.1f\" "
                      "y=\"17\">%s</text>\n", mark, x, x + 9, text);
}

static double larger(double a, double b) { return a > b ? a : b; }

/* ------------------------------------------------------------------ the line */

static void point(struct ul_text *t, const struct axes *a, const char *mark, uint32_t n_ctx,
                  uint64_t bytes)
{
    ul_text_printf(t, "<circle class=\"%s\" r=\"4.5\" cx=\"%.1f\" cy=\"%.1f\"><title>%s at -c %u: "
                      "%.2f MiB</title></circle>\n", mark, px(a, n_ctx),
                   py(a, (double)bytes / MIB), mark, n_ctx, (double)bytes / MIB);
}

static struct axes line_axes(const struct ul_measurement *m, int p)
{
    double x = m->n_ctx, y = ul_line_at(&m->place[p].line, m->n_ctx) / MIB;
    for (int i = 0; i < m->n_runs; i++) {
        x = larger(x, m->runs[i].n_ctx);
        y = larger(y, (double)m->runs[i].at[p].peak.bytes / MIB);
    }
    double limit = (double)m->place[p].limit / MIB; /* far above, it would press all else down */
    return axes_to(x, limit < 3 * y ? larger(y, limit) : y, true);
}

static void line_chart(struct ul_text *t, const struct ul_measurement *m, int p)
{
    const struct ul_measure_place *place = &m->place[p];
    struct axes a = line_axes(m, p);
    begin(t, &a, "context (-c)", true);
    level(t, &a, (double)place->limit / MIB, "limit");
    double start = larger(0, ul_line_at(&place->line, 0) / MIB);
    double end = ul_line_at(&place->line, (uint32_t)a.x1) / MIB;
    double x_end = end > a.y1 && end > start ? a.x1 * (a.y1 - start) / (end - start) : a.x1;
    ul_text_printf(t, "<line class=\"line\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                   px(&a, 0), py(&a, start), px(&a, x_end), py(&a, end < a.y1 ? end : a.y1));
    for (int i = 0; i < m->n_runs; i++) {
        const struct ul_measure_run *run = &m->runs[i];
        if (run->at[p].load.known)
            point(t, &a, run->check ? "check" : "load", run->n_ctx, run->at[p].load.bytes);
        if (run->check && run->at[p].peak.known)
            point(t, &a, "peak", run->n_ctx, run->at[p].peak.bytes);
    }
    legend(t, WIDTH - 290, "load", "loaded");
    legend(t, WIDTH - 215, "check", "loaded, checked");
    legend(t, WIDTH - 95, "peak", "peak");
    ul_text_puts(t, "</svg>\n");
}

/* ------------------------------------------------------------------ over time */

static double sample_at(const struct ul_measurement *m, const struct ul_sample *s, int p)
{
    int slot = m->place[p].slot;
    return (double)(slot < 0 ? s->host : s->device[slot]) / MIB;
}

static void time_points(struct ul_text *t, const struct ul_measurement *m,
                        const struct ul_measure_run *run, const struct axes *a, int p)
{
    for (size_t i = 0; i < run->n_samples; i++)
        ul_text_printf(t, "%.1f,%.1f ", px(a, run->samples[i].seconds),
                       py(a, sample_at(m, &run->samples[i], p)));
}

static void time_chart(struct ul_text *t, const struct ul_measurement *m,
                       const struct ul_measure_run *run, int p)
{
    const struct ul_sample *last = &run->samples[run->n_samples - 1], *top = run->samples;
    for (size_t i = 0; i < run->n_samples; i++)
        if (sample_at(m, &run->samples[i], p) > sample_at(m, top, p))
            top = &run->samples[i];
    double peak = sample_at(m, top, p), limit = (double)m->place[p].limit / MIB;
    struct axes a = axes_to(last->seconds, limit < 3 * peak ? larger(peak, limit) : peak, false);
    begin(t, &a, "seconds since the start", false);
    level(t, &a, limit, "limit");
    ul_text_printf(t, "<polygon class=\"area\" points=\"%.1f,%.1f ",
                   px(&a, run->samples[0].seconds), py(&a, 0));
    time_points(t, m, run, &a, p);
    ul_text_printf(t, "%.1f,%.1f\"/>\n<polyline class=\"line\" points=\"", px(&a, last->seconds),
                   py(&a, 0));
    time_points(t, m, run, &a, p);
    bool right = top->seconds > a.x1 * 0.7;
    ul_text_printf(t, "\"/>\n<circle class=\"peak\" r=\"4.5\" cx=\"%.1f\" cy=\"%.1f\"/><text "
                      "x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">peak %.2f</text>\n</svg>\n",
                   px(&a, top->seconds), py(&a, peak), px(&a, top->seconds) + (right ? -9 : 9),
                   py(&a, peak) + 16, right ? "end" : "start", peak);
}

/* ------------------------------------------------------------------ words and tables */

static void fact(struct ul_text *t, const char *value, const char *mark, const char *name)
{
    ul_text_printf(t, "<div><b class=\"%s\">%s</b><span>%s</span></div>\n", mark, value, name);
}

static void answer(struct ul_text *t, const struct ul_measurement *m)
{
    char text[64];
    bool drawn = m->points[0] != 0;
    ul_text_puts(t, "<div class=\"answer\">\n");
    snprintf(text, sizeof text, drawn && m->n_ctx ? "-c %u" : "none", m->n_ctx);
    fact(t, text, "", "longest context");
    fact(t, !drawn ? "unfinished" : m->fits ? "within the limit" : "over the limit",
         drawn && m->fits ? "good" : "bad", "the check with a prompt");
    snprintf(text, sizeof text, "%+.2f MiB", m->worst_error / MIB);
    if (drawn)
        fact(t, text, "", "load less the line");
    for (int p = 0; p < m->n_places; p++)
        if (m->place[p].counts && drawn) {
            snprintf(text, sizeof text, "%.2f MiB", m->place[p].line.slope * 1024 / MIB);
            fact(t, text, "", "a 1,024 tokens");
        }
    ul_text_puts(t, "</div>\n");
}

static void condition(struct ul_text *t, const char *name, const char *value)
{
    if (!value[0])
        return;
    ul_text_printf(t, "<dt>%s</dt><dd>", name);
    escaped(t, value);
    ul_text_puts(t, "</dd>\n");
}

static void conditions(struct ul_text *t, const struct ul_measurement *m)
{
    ul_text_puts(t, "<dl>\n");
    condition(t, "engine", m->engine);
    condition(t, "flags", m->flags);
    condition(t, "GPU", m->gpu);
    condition(t, "driver", m->driver);
    condition(t, "read by", m->reader);
    condition(t, "measured", m->started);
    ul_text_puts(t, "</dl>\n");
}

static void cell(struct ul_text *t, bool known, double bytes)
{
    if (known)
        ul_text_printf(t, "<td>%.2f</td>", bytes / MIB);
    else
        ul_text_puts(t, "<td>-</td>");
}

static void run_row(struct ul_text *t, const struct ul_measurement *m,
                    const struct ul_measure_run *run, int p)
{
    const struct ul_figure *f = &run->at[p];
    double line = ul_line_at(&m->place[p].line, run->n_ctx);
    ul_text_printf(t, "<tr><td>%s %d</td><td>%u</td>", run->check ? "check" : "load", run->attempt,
                   run->n_ctx);
    cell(t, f->load.known, (double)f->load.bytes);
    cell(t, f->load.known && m->points[0], (double)f->load.bytes - line);
    cell(t, run->check && f->peak.known, (double)f->peak.bytes);
    cell(t, run->check && f->peak.known && f->load.known,
         (double)f->peak.bytes - (double)f->load.bytes);
    cell(t, f->logged.known, (double)f->logged.bytes);
    cell(t, f->computed.known, (double)f->computed.bytes);
    ul_text_puts(t, "</tr>\n");
}

static void runs_table(struct ul_text *t, const struct ul_measurement *m, int p)
{
    ul_text_puts(t, "<div class=\"scroll\"><table>\n<tr><th>run</th><th>-c</th><th>load</th>"
                    "<th>off the line</th><th>peak</th><th>prompt</th><th>in the log</th>"
                    "<th>computed</th></tr>\n");
    for (int i = 0; i < m->n_runs; i++)
        run_row(t, m, &m->runs[i], p);
    ul_text_puts(t, "</table></div>\n<p class=\"soft\">MiB.");
    const struct ul_measure_place *place = &m->place[p];
    if (place->runtime.known)
        ul_text_printf(t, " Beside its buffers the process takes %.2f MiB here",
                       (double)place->runtime.bytes / MIB);
    if (place->runtime.known && place->pool.known)
        ul_text_printf(t, ", and its pool %.2f after the warm-up", (double)place->pool.bytes / MIB);
    ul_text_puts(t, place->runtime.known ? ".</p>\n" : "</p>\n");
}

static void place_part(struct ul_text *t, const struct ul_measurement *m, int p,
                       const struct ul_measure_run *check)
{
    ul_text_puts(t, "<h2>");
    escaped(t, m->place[p].name);
    ul_text_puts(t, "</h2>\n");
    if (m->points[0])
        line_chart(t, m, p);
    if (check && m->place[p].slot != UL_SLOT_LOG) {
        ul_text_printf(t, "<p class=\"soft\">The check at -c %u over time</p>\n", check->n_ctx);
        time_chart(t, m, check, p);
    }
    runs_table(t, m, p);
}

static void html(struct ul_text *t, const void *measured)
{
    const struct ul_measurement *m = measured;
    const struct ul_measure_run *check = NULL;
    ul_text_printf(t, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta "
                      "name=\"viewport\" content=\"width=device-width\"><title>ullage measure"
                      "</title>\n<style>%s</style>\n<h1>", style);
    escaped(t, m->model[0] ? m->model : "A server");
    ul_text_puts(t, "</h1>\n<div class=\"soft\">two short runs, one line, one check</div>\n");
    answer(t, m);
    conditions(t, m);
    for (int i = 0; i < m->n_runs; i++)
        if (m->runs[i].check && m->runs[i].n_samples > 0)
            check = &m->runs[i];
    for (int p = 0; p < m->n_places; p++)
        if (m->place[p].counts)
            place_part(t, m, p, check);
    ul_text_puts(t, m->n_notes ? "<h2>Notes</h2>\n<ul>\n" : "");
    for (int i = 0; i < m->n_notes; i++) {
        ul_text_puts(t, "<li>");
        escaped(t, m->note[i]);
        ul_text_puts(t, "</li>\n");
    }
    ul_text_puts(t, m->n_notes ? "</ul>\n</html>\n" : "</html>\n");
}

char *ul_measure_html(const struct ul_measurement *m) { return ul_text_written(html, m); }
