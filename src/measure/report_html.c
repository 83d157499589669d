/* A measurement as one HTML page without scripts: for each place that has a limit the line with its
 * points, and the use of the last check run over time, drawn as SVG; below them the table. */
#include "measure/report.h"

#include <stdlib.h>

#define MIB 1048576.0
#define WIDTH 760.0
#define HEIGHT 320.0
#define LEFT 80.0
#define BELOW 40.0

/* Data coordinates to the drawing's. */
struct axes {
    double x0, x1, y0, y1;
};

static double px(const struct axes *a, double x)
{
    return LEFT + (x - a->x0) / (a->x1 > a->x0 ? a->x1 - a->x0 : 1) * (WIDTH - LEFT - 10);
}

static double py(const struct axes *a, double y)
{
    double share = (y - a->y0) / (a->y1 > a->y0 ? a->y1 - a->y0 : 1);
    return HEIGHT - BELOW - share * (HEIGHT - BELOW - 15);
}

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

static void begin(struct ul_text *t, const struct axes *a, const char *x_label, const char *y_label)
{
    ul_text_printf(t, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", WIDTH, HEIGHT);
    for (int i = 0; i <= 4; i++) {
        double x = a->x0 + (a->x1 - a->x0) * i / 4, y = a->y0 + (a->y1 - a->y0) * i / 4;
        ul_text_printf(t, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
                          "y2=\"%.1f\"/>\n", LEFT, WIDTH - 10, py(a, y), py(a, y));
        ul_text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n", LEFT - 6,
                       py(a, y) + 4, y);
        ul_text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.*f</text>\n",
                       px(a, x), HEIGHT - BELOW + 18, a->x1 < 20 ? 1 : 0, x);
    }
    ul_text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                   (LEFT + WIDTH) / 2, HEIGHT - 4, x_label);
    ul_text_printf(t, "<text x=\"4\" y=\"11\">%s</text>\n", y_label);
}

static void level(struct ul_text *t, const struct axes *a, double y, const char *name)
{
    ul_text_printf(t, "<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                      "<text class=\"limit\" x=\"%.1f\" y=\"%.1f\">%s %.0f</text>\n", LEFT,
                   WIDTH - 10, py(a, y), py(a, y), LEFT + 6, py(a, y) - 4, name, y);
}

static double larger(double a, double b) { return a > b ? a : b; }

static void line_chart(struct ul_text *t, const struct ul_measurement *m, int p)
{
    const struct ul_measure_place *place = &m->place[p];
    struct axes a = {.x1 = m->n_ctx, .y1 = (double)place->limit / MIB};
    for (int i = 0; i < m->n_runs; i++) {
        a.x1 = larger(a.x1, m->runs[i].n_ctx);
        a.y1 = larger(a.y1, (double)m->runs[i].at[p].peak.bytes / MIB);
    }
    a.x1 *= 1.05;
    a.y1 *= 1.05;
    begin(t, &a, "context (-c)", "MiB");
    level(t, &a, (double)place->limit / MIB, "limit");
    ul_text_printf(t, "<line class=\"line\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                   px(&a, 0), py(&a, larger(0, ul_line_at(&place->line, 0) / MIB)), px(&a, a.x1),
                   py(&a, ul_line_at(&place->line, (uint32_t)a.x1) / MIB));
    for (int i = 0; i < m->n_runs; i++) {
        const struct ul_measure_run *run = &m->runs[i];
        if (run->at[p].load.known)
            ul_text_printf(t, "<circle class=\"%s\" r=\"4\" cx=\"%.1f\" cy=\"%.1f\"><title>-c %u: "
                              "%.2f MiB</title></circle>\n", run->check ? "check" : "load",
                           px(&a, run->n_ctx), py(&a, (double)run->at[p].load.bytes / MIB),
                           run->n_ctx, (double)run->at[p].load.bytes / MIB);
    }
    ul_text_puts(t, "</svg>\n");
}

static double sample_at(const struct ul_measurement *m, const struct ul_sample *s, int p)
{
    int slot = m->place[p].slot;
    return (double)(slot < 0 ? s->host : s->device[slot]) / MIB;
}

static void time_chart(struct ul_text *t, const struct ul_measurement *m,
                       const struct ul_measure_run *run, int p)
{
    struct axes a = {.x1 = run->samples[run->n_samples - 1].seconds,
                     .y1 = (double)m->place[p].limit / MIB};
    for (size_t i = 0; i < run->n_samples; i++)
        a.y1 = larger(a.y1, sample_at(m, &run->samples[i], p));
    a.y1 *= 1.05;
    ul_text_printf(t, "<h3>The check at -c %u over time</h3>\n", run->n_ctx);
    begin(t, &a, "seconds since the start", "MiB");
    level(t, &a, (double)m->place[p].limit / MIB, "limit");
    ul_text_puts(t, "<polyline class=\"line\" points=\"");
    for (size_t i = 0; i < run->n_samples; i++)
        ul_text_printf(t, "%.1f,%.1f ", px(&a, run->samples[i].seconds),
                       py(&a, sample_at(m, &run->samples[i], p)));
    ul_text_puts(t, "\"/>\n</svg>\n");
}

static void html(struct ul_text *t, const struct ul_measurement *m)
{
    ul_text_puts(t, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>ullage "
                    "measure</title>\n<style>body{font:15px sans-serif;max-width:60em;margin:2em "
                    "auto}svg{width:100%}svg text{font:11px sans-serif}.grid{stroke:#ddd}"
                    ".line{stroke:#2563eb;fill:none;stroke-width:1.5}.limit{stroke:#b91c1c;"
                    "stroke-dasharray:4}text.limit{fill:#b91c1c;stroke:none}.load{fill:#2563eb}"
                    ".check{fill:#15803d}pre{overflow-x:auto}</style>\n<h1>");
    escaped(t, m->model[0] ? m->model : "A server");
    ul_text_puts(t, "</h1>\n");
    const struct ul_measure_run *check = NULL;
    for (int i = 0; i < m->n_runs; i++)
        if (m->runs[i].check && m->runs[i].n_samples > 0)
            check = &m->runs[i];
    for (int p = 0; p < m->n_places; p++) {
        if (!m->place[p].counts || !m->points[0])
            continue;
        ul_text_puts(t, "<h2>");
        escaped(t, m->place[p].name);
        ul_text_puts(t, "</h2>\n");
        line_chart(t, m, p);
        if (check && m->place[p].slot != UL_SLOT_LOG)
            time_chart(t, m, check, p);
    }
    char *table = ul_measure_table(m);
    ul_text_puts(t, "<pre>");
    escaped(t, table ? table : "");
    ul_text_puts(t, "</pre>\n</html>\n");
    free(table);
}

char *ul_measure_html(const struct ul_measurement *m) { return ul_measure_render(m, html); }
