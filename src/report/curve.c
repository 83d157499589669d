/* The public face of a curve: handle, table with a plot, JSON, CSV and SVG. */
#include "fit/curve.h"

#include "base/json.h"
#include "report/handles.h"
#include "report/render.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct ullage_curve {
    struct ul_arena arena;
    struct ul_curve c;
    struct ul_model own; /* as in a plan */
    const ullage_model_info *info;
};

/* ------------------------------------------------------------------ the handle */

int ullage_curve_make(ullage_curve **curve, const ullage_model *model,
                      const ullage_settings *settings, const ullage_machine *machine, uint32_t to,
                      ullage_error *err)
{
    *curve = NULL;
    struct ullage_curve *volatile h = calloc(1, sizeof *h);
    jmp_buf oom;
    if (!h)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    if (setjmp(oom)) {
        ullage_curve_free(h);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    h->arena.oom = &oom;
    h->info = &model->info;
    struct ullage_curve *own = h;
    own->c =
        (struct ul_curve){.arena = &own->arena, .settings = &settings->s, .machine = &machine->m};
    int code = ul_model_for(&own->c.model, &own->own, model, &settings->s, &own->arena, err);
    if (!code)
        code = ul_curve_make(&own->c, to, err);
    h->arena.oom = NULL;
    if (code)
        ullage_curve_free(h);
    else
        *curve = h;
    return code;
}

void ullage_curve_free(ullage_curve *curve)
{
    if (!curve)
        return;
    ul_arena_free(&curve->c.scratch);
    ul_arena_free(&curve->arena);
    free(curve);
}

const ullage_curve_point *ullage_curve_points(const ullage_curve *curve, size_t *n)
{
    if (n)
        *n = curve->c.n_points;
    return curve->c.points;
}

const ullage_curve_stretch *ullage_curve_stretches(const ullage_curve *curve, size_t *n)
{
    if (n)
        *n = curve->c.n_stretches;
    return curve->c.stretches;
}

const char *const *ullage_curve_devices(const ullage_curve *curve, size_t *n)
{
    if (n)
        *n = curve->c.n_devices;
    return curve->c.device;
}

int ullage_curve_line_error(ullage_curve *curve, uint32_t device, uint32_t a, uint32_t b,
                            uint32_t at, int64_t *bytes, ullage_error *err)
{
    jmp_buf oom;
    if (setjmp(oom))
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    curve->arena.oom = &oom;
    int code = ul_curve_line_error(&curve->c, device, a, b, at, bytes, err);
    curve->arena.oom = NULL;
    return code;
}

/* ------------------------------------------------------------------ the table */

static void table(struct ul_text *out, const struct ul_curve *c)
{
    struct ul_table t;
    ul_table_open(&t, out->arena, 2 + 2 * c->n_devices);
    t.left[1 + 2 * c->n_devices] = true;
    ul_table_add(&t, "context");
    for (size_t d = 0; d < c->n_devices; d++) {
        ul_table_add(&t, ul_format(t.arena, "%s MiB", c->device[d]));
        ul_table_add(&t, "compute");
    }
    ul_table_add(&t, "");
    for (size_t i = 0; i < c->n_points; i++) {
        ul_table_add(&t, ul_format(t.arena, "%" PRIu32, c->points[i].n_ctx));
        for (size_t d = 0; d < c->n_devices; d++) {
            ul_table_mib(&t, (ullage_bytes){c->points[i].load[d].load, ULLAGE_COMPUTED});
            ul_table_mib(&t, (ullage_bytes){c->points[i].load[d].compute, ULLAGE_COMPUTED});
        }
        ul_table_add(&t, c->points[i].bend ? "bends here" : "");
    }
    ul_table_print(&t, out);
}

/* In which range two measured lengths tell the truth. */
static void stretches(struct ul_text *out, const struct ul_curve *c)
{
    ul_text_puts(out, "\nTwo measured lengths tell the truth between the ends of one line:\n");
    for (size_t i = 0; i < c->n_stretches; i++) {
        const ullage_curve_stretch *s = &c->stretches[i];
        ul_text_printf(out, "  %-6s %7" PRIu32 " to %7" PRIu32 "  %9.2f MiB per 1,024 tokens",
                       c->device[s->device], s->from, s->to, s->bytes_per_token * 1024 / UL_MIB);
        if (s->bend)
            ul_text_printf(out, "  (%s bends)", s->bend);
        ul_text_puts(out, "\n");
    }
}

/* ------------------------------------------------------------------ the plot */

#define PLOT_COLUMNS 64
#define PLOT_ROWS 14

/* A device's load anywhere on the axis, along its pieces. */
static double load_at(const struct ul_curve *c, size_t device, double n_ctx)
{
    for (size_t i = 1; i < c->n_points; i++) {
        const ullage_curve_point *a = &c->points[i - 1], *b = &c->points[i];
        if (n_ctx <= b->n_ctx || i + 1 == c->n_points) {
            double share = (n_ctx - a->n_ctx) / ((double)b->n_ctx - a->n_ctx);
            return (double)a->load[device].load
                 + share * ((double)b->load[device].load - (double)a->load[device].load);
        }
    }
    return 0;
}

static double largest(const struct ul_curve *c)
{
    double most = 1;
    for (size_t i = 0; i < c->n_points; i++)
        for (size_t d = 0; d < c->n_devices; d++)
            if ((double)c->points[i].load[d].load > most)
                most = (double)c->points[i].load[d].load;
    return most;
}

static void plot(struct ul_text *out, const struct ul_curve *c)
{
    double most = largest(c), first = c->points[0].n_ctx, last = c->points[c->n_points - 1].n_ctx;
    ul_text_puts(out, "\n");
    for (int row = PLOT_ROWS; row >= 0; row--) {
        char line[PLOT_COLUMNS + 1];
        memset(line, ' ', PLOT_COLUMNS);
        line[PLOT_COLUMNS] = '\0';
        for (int x = 0; x < PLOT_COLUMNS; x++) {
            double n_ctx = first + (last - first) * x / (PLOT_COLUMNS - 1);
            for (size_t d = 0; d < c->n_devices; d++) {
                int y = (int)(load_at(c, d, n_ctx) / most * PLOT_ROWS + 0.5);
                if (y == row)
                    line[x] = d + 1 == c->n_devices ? 'H' : (char)('0' + d % 10);
            }
        }
        for (int x = PLOT_COLUMNS; x > 0 && line[x - 1] == ' '; x--)
            line[x - 1] = '\0';
        ul_text_printf(out, "%10.0f |%s\n", most * row / PLOT_ROWS / UL_MIB, line);
    }
    char right[16];
    snprintf(right, sizeof right, "%.0f", last);
    ul_text_printf(out, "%10s +", "MiB");
    for (int x = 0; x < PLOT_COLUMNS; x++)
        ul_text_puts(out, "-");
    ul_text_printf(out, "\n%12s%-*.0f%s\n", "", PLOT_COLUMNS - (int)strlen(right), first, right);
    ul_text_printf(out, "%12s0, 1 ...: the devices in order; H: the host\n", "");
}

/* ------------------------------------------------------------------ JSON, CSV, SVG */

static void json_u64(struct ul_json *j, const char *key, uint64_t v)
{
    ul_json_key(j, key);
    ul_json_u64(j, v);
}

static void json_point(struct ul_json *j, const struct ul_curve *c, const ullage_curve_point *p)
{
    ul_json_open(j, '{');
    json_u64(j, "n_ctx", p->n_ctx);
    ul_json_key(j, "bend");
    ul_json_bool(j, p->bend != 0);
    ul_json_key(j, "devices");
    ul_json_open(j, '[');
    for (size_t d = 0; d < c->n_devices; d++) {
        ul_json_open(j, '{');
        ul_json_key(j, "name");
        ul_json_str(j, ul_cstr(c->device[d]));
        json_u64(j, "load_bytes", p->load[d].load);
        json_u64(j, "kv_bytes", p->load[d].kv);
        json_u64(j, "compute_bytes", p->load[d].compute);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
    ul_json_close(j, '}');
}

static void json_stretch(struct ul_json *j, const struct ul_curve *c, const ullage_curve_stretch *s)
{
    ul_json_open(j, '{');
    ul_json_key(j, "device");
    ul_json_str(j, ul_cstr(c->device[s->device]));
    json_u64(j, "from", s->from);
    json_u64(j, "to", s->to);
    ul_json_key(j, "bytes_per_token");
    ul_json_double(j, s->bytes_per_token, 3);
    ul_json_key(j, "bend");
    if (s->bend)
        ul_json_str(j, ul_cstr(s->bend));
    else
        ul_json_null(j);
    ul_json_close(j, '}');
}

static void json(struct ul_text *out, const struct ul_curve *c)
{
    struct ul_json j = {.out = out, .pretty = true};
    ul_json_open(&j, '{');
    json_u64(&j, "schema_version", 1);
    ul_json_key(&j, "points");
    ul_json_open(&j, '[');
    for (size_t i = 0; i < c->n_points; i++)
        json_point(&j, c, &c->points[i]);
    ul_json_close(&j, ']');
    ul_json_key(&j, "stretches");
    ul_json_open(&j, '[');
    for (size_t i = 0; i < c->n_stretches; i++)
        json_stretch(&j, c, &c->stretches[i]);
    ul_json_close(&j, ']');
    ul_json_close(&j, '}');
    ul_text_puts(out, "\n");
}

static void csv(struct ul_text *out, const struct ul_curve *c)
{
    ul_text_puts(out, "n_ctx,device,load_bytes,kv_bytes,compute_bytes,bend\n");
    for (size_t i = 0; i < c->n_points; i++)
        for (size_t d = 0; d < c->n_devices; d++) {
            const ullage_curve_load *l = &c->points[i].load[d];
            ul_text_printf(out, "%" PRIu32 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d\n",
                           c->points[i].n_ctx, c->device[d], l->load, l->kv, l->compute,
                           c->points[i].bend);
        }
}

#define SVG_WIDTH 720
#define SVG_HEIGHT 400
#define SVG_LEFT 80
#define SVG_TOP 20
#define SVG_BOTTOM 40

static double svg_x(const struct ul_curve *c, double n_ctx)
{
    double first = c->points[0].n_ctx, last = c->points[c->n_points - 1].n_ctx;
    return SVG_LEFT + (SVG_WIDTH - SVG_LEFT - 20) * (n_ctx - first) / (last - first);
}

static double svg_y(double bytes, double most)
{
    return SVG_HEIGHT - SVG_BOTTOM - (SVG_HEIGHT - SVG_BOTTOM - SVG_TOP) * bytes / most;
}

static void svg_line(struct ul_text *out, const struct ul_curve *c, size_t d, double most)
{
    static const char *const colours[] = {"#1b6ca8", "#c8553d", "#4f7d4b", "#7b5ea7"};
    const char *colour = d + 1 == c->n_devices ? "#777777" : colours[d % 4];
    ul_text_printf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                   colour);
    for (size_t i = 0; i < c->n_points; i++)
        ul_text_printf(out, "%.1f,%.1f ", svg_x(c, c->points[i].n_ctx),
                       svg_y((double)c->points[i].load[d].load, most));
    ul_text_puts(out, "\"/>\n");
    for (size_t i = 0; i < c->n_stretches; i++) {
        const ullage_curve_stretch *s = &c->stretches[i];
        if (s->device == d && s->bend)
            ul_text_printf(out,
                           "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>%s bends at "
                           "%" PRIu32 "</title></circle>\n",
                           svg_x(c, s->from), svg_y(load_at(c, d, s->from), most), colour, s->bend,
                           s->from);
    }
    double end = (double)c->points[c->n_points - 1].load[d].load;
    ul_text_printf(out, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\" text-anchor=\"end\">%s</text>\n",
                   SVG_WIDTH - 24, svg_y(end, most) - 6, colour, c->device[d]);
}

static void svg(struct ul_text *out, const struct ul_curve *c)
{
    double most = largest(c), base = SVG_HEIGHT - SVG_BOTTOM;
    ul_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                   "font-family=\"sans-serif\" font-size=\"12\">\n"
                   "<title>Load memory against the context's length</title>\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                   SVG_WIDTH, SVG_HEIGHT);
    for (int i = 0; i <= 4; i++) {
        double y = svg_y(most * i / 4, most);
        ul_text_printf(out,
                       "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>"
                       "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f MiB</text>\n",
                       SVG_LEFT, y, SVG_WIDTH - 20, y, SVG_LEFT - 6, y + 4, most * i / 4 / UL_MIB);
    }
    for (size_t i = 0; i < c->n_points; i += c->n_points > 2 ? c->n_points - 1 : 1)
        ul_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%" PRIu32 "</text>\n",
                       svg_x(c, c->points[i].n_ctx), base + 18, i ? "end" : "start",
                       c->points[i].n_ctx);
    ul_text_printf(
        out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">-c, tokens of context</text>\n",
        SVG_WIDTH / 2, base + 34);
    for (size_t d = 0; d < c->n_devices; d++)
        svg_line(out, c, d, most);
    ul_text_puts(out, "</svg>\n");
}

static void write_curve(struct ul_text *out, const struct ul_rendering *r)
{
    const ullage_curve *curve = r->what;
    if (r->format == ULLAGE_JSON) {
        json(out, &curve->c);
    } else if (r->format == ULLAGE_CSV) {
        csv(out, &curve->c);
    } else if (r->format == ULLAGE_SVG) {
        svg(out, &curve->c);
    } else {
        table(out, &curve->c);
        stretches(out, &curve->c);
        plot(out, &curve->c);
    }
}

char *ullage_curve_render(const ullage_curve *curve, int format, int color)
{
    const struct ul_rendering r = {.what = curve, .format = format, .color = color != 0};
    return ul_render(write_curve, &r);
}
