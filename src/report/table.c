/* A plan for people: what the context came to, one column a device, the verdict, and the notes. */
#include "report/render.h"

#include <inttypes.h>
#include <string.h>

static const char bold[] = "\033[1m", red[] = "\033[31m", green[] = "\033[32m", off[] = "\033[0m";

/* ------------------------------------------------------------------ above the table */

static void title(struct ul_text *out, const ullage_model_info *m, bool color)
{
    ul_text_printf(out, "%s%s%s  %s, %s, %.2f MiB in the file, %" PRIu32 " layers\n",
                   color ? bold : "", m->name[0] ? m->name : m->path, color ? off : "", m->arch,
                   m->file_type, (double)m->weight_bytes / UL_MIB, m->n_layer);
}

/* "8192 cells x 36 layers", and each further cache with its own number. */
static void caches(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_cache *k = ullage_plan_caches(plan, &n);
    if (n == 0)
        ul_text_puts(out, "no KV cache");
    for (size_t i = 0; i < n; i++) {
        ul_text_printf(out, "%s%" PRIu32 " cells x %" PRIu32 " layers", i ? ", " : "", k[i].cells,
                       k[i].layers);
        if (k[i].streams > 1)
            ul_text_printf(out, " x %" PRIu32 " slots", k[i].streams);
    }
    bool values = false;
    for (size_t i = 0; i < n; i++)
        values = values || k[i].v_bytes;
    if (n)
        ul_text_printf(out, "; K %s, V %s", k[0].k_type, values ? k[0].v_type : "none");
}

static void context(struct ul_text *out, const ullage_plan *plan)
{
    const ullage_context *c = ullage_plan_context(plan);
    ul_text_printf(out, "n_ctx %" PRIu32 ", n_ctx_seq %" PRIu32 ", %" PRIu32 " slot%s, %s; ",
                   c->n_ctx, c->n_ctx_seq, c->n_seq_max, c->n_seq_max == 1 ? "" : "s",
                   c->kv_unified ? "unified" : "not unified");
    caches(out, plan);
    ul_text_printf(out, "; batch %" PRIu32 ", ubatch %" PRIu32 ", flash attention %s\n\n",
                   c->n_batch, c->n_ubatch, c->flash_attn ? "on" : "off");
}

/* ------------------------------------------------------------------ one column a device */

static bool shown(const struct ul_column *c, const ullage_device *d, size_t n)
{
    if (c->show != UL_SHOW_NONZERO)
        return c->show == UL_SHOW_ALWAYS;
    for (size_t i = 0; i < n; i++) {
        ullage_bytes b = ul_column_of(c, &d[i]);
        if (b.source == ULLAGE_UNKNOWN || b.bytes)
            return true;
    }
    return false;
}

/* What a reader must know of a row: that a figure of it is not computed. */
static const char *remark(const struct ul_column *c, const ullage_device *d, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ullage_bytes b = ul_column_of(c, &d[i]);
        if (b.bytes && b.source != ULLAGE_COMPUTED && b.source != ULLAGE_UNKNOWN)
            return ullage_source_name(b.source);
    }
    return "";
}

static void figure_row(struct ul_table *t, const struct ul_column *c, const ullage_device *d,
                       size_t n, bool partial)
{
    if (c->sum)
        ul_table_rule(t);
    ul_table_add(t, c->label);
    for (size_t i = 0; i < n; i++)
        ul_table_mib(t, ul_column_of(c, &d[i]));
    ul_table_add(t, c->sum && partial ? "what is known" : remark(c, d, n));
}

static void left_row(struct ul_table *t, const ullage_device *d, size_t n)
{
    ul_table_add(t, "left");
    for (size_t i = 0; i < n; i++)
        ul_table_add(t, d[i].budget.source == ULLAGE_UNKNOWN
                            ? "unknown"
                            : ul_format(t->arena, "%.2f", (double)d[i].left_bytes / UL_MIB));
    ul_table_add(t, "");
}

static void by_device(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    struct ul_table t;
    ul_table_open(&t, out->arena, n + 2);
    t.left[n + 1] = true;
    ul_table_add(&t, "MiB");
    for (size_t i = 0; i < n; i++)
        ul_table_add(&t, d[i].name);
    ul_table_add(&t, "");
    ul_table_add(&t, "");
    for (size_t i = 0; i < n; i++)
        ul_table_add(&t, d[i].description);
    ul_table_add(&t, "");
    for (size_t c = 0; c < ul_n_columns; c++)
        if (shown(&ul_columns[c], d, n))
            figure_row(&t, &ul_columns[c], d, n, ullage_plan_partial(plan));
    left_row(&t, d, n);
    ul_table_print(&t, out);
}

/* ------------------------------------------------------------------ other rows */

static void by_buffer(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_buffer *b = ullage_plan_buffers(plan, &n);
    bool beside = false; /* who a buffer is of is said where there is more than the model */
    for (size_t i = 0; i < n; i++)
        beside |= strcmp(b[i].of, "model") != 0;
    struct ul_table t;
    ul_table_open(&t, out->arena, beside ? 6 : 5);
    t.left[1] = t.left[4] = t.left[5] = true;
    const char *head[] = {"buffer", "kind", "MiB", "bytes", "source", "of"};
    for (size_t i = 0; i < (beside ? 6u : 5u); i++)
        ul_table_add(&t, head[i]);
    for (size_t i = 0; i < n; i++) {
        ul_table_add(&t, b[i].buffer);
        ul_table_add(&t, b[i].kind);
        ul_table_mib(&t, b[i].size);
        ul_table_add(&t, b[i].size.source == ULLAGE_UNKNOWN
                             ? "" : ul_format(t.arena, "%" PRIu64, b[i].size.bytes));
        ul_table_add(&t, ullage_source_name(b[i].size.source));
        if (beside)
            ul_table_add(&t, b[i].of);
    }
    ul_table_print(&t, out);
}

static void by_layer(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_layer_row *l = ullage_plan_layers(plan, &n);
    struct ul_table t;
    ul_table_open(&t, out->arena, 6);
    t.left[1] = t.left[2] = true;
    const char *head[] = {"layer", "device", "keeps", "weights", "KV cache", "state"};
    for (size_t i = 0; i < 6; i++)
        ul_table_add(&t, head[i]);
    for (size_t i = 0; i < n; i++) {
        ul_table_add(&t, i + 1 == n ? "output" : ul_format(t.arena, "%zu", i));
        ul_table_add(&t, l[i].device);
        ul_table_add(&t, i + 1 == n ? "" : ul_layer_kind_name(l[i].kind));
        ul_table_mib(&t, (ullage_bytes){l[i].weight_bytes, ULLAGE_COMPUTED});
        ul_table_mib(&t, (ullage_bytes){l[i].kv_bytes, ULLAGE_COMPUTED});
        ul_table_mib(&t, (ullage_bytes){l[i].state_bytes, ULLAGE_COMPUTED});
    }
    ul_table_print(&t, out);
}

static void op_row(struct ul_table *t, const struct ul_peak *o)
{
    ul_table_add(t, o->buffer);
    ul_table_mib(t, (ullage_bytes){o->bytes, ULLAGE_COMPUTED});
    ul_table_add(t, o->name);
    ul_table_add(t, o->op ? o->op : "");
    ul_table_add(t, o->op ? o->type : "");
    ul_table_add(t, o->op
                        ? ul_format(t->arena, "%" PRId64 " x %" PRId64 " x %" PRId64 " x %" PRId64,
                                    o->ne[0], o->ne[1], o->ne[2], o->ne[3])
                        : "");
}

/* What fills the compute buffers. */
static void by_op(struct ul_text *out, const struct ullage_plan *plan)
{
    struct ul_peak *o;
    const struct ul_plan *p = &plan->p;
    size_t n =
        ul_compute_peaks(&o, &p->compute, p->model, &p->c, &p->place, &p->caches, out->arena);
    struct ul_table t;
    ul_table_open(&t, out->arena, 6);
    t.left[0] = t.left[2] = t.left[3] = t.left[4] = t.left[5] = true;
    const char *head[] = {"buffer", "MiB", "tensor", "operation", "type", "shape"};
    for (size_t i = 0; i < 6; i++)
        ul_table_add(&t, head[i]);
    for (size_t i = 0; i < n; i++)
        op_row(&t, &o[i]);
    ul_table_print(&t, out);
}

/* ------------------------------------------------------------------ below the table */

static const char *difference(struct ul_table *t, const ullage_compared *c)
{
    if (c->computed.source == ULLAGE_UNKNOWN)
        return "";
    int64_t d = (int64_t)(c->seen.bytes - c->computed.bytes);
    return d ? ul_format(t->arena, "%+" PRId64, d) : "0";
}

/* What the engine held beside what was computed, where it was run. */
static void compared(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_compared *c = ullage_plan_compared(plan, &n);
    struct ul_table t;
    if (n == 0)
        return;
    ul_text_puts(out, "\n");
    ul_table_open(&t, out->arena, 5);
    t.left[1] = true;
    const char *head[] = {"MiB", "", ullage_source_name(c[0].seen.source), "computed",
                          "difference in bytes"};
    for (size_t i = 0; i < 5; i++)
        ul_table_add(&t, head[i]);
    for (size_t i = 0; i < n; i++) {
        ul_table_add(&t, c[i].buffer);
        ul_table_add(&t, c[i].kind);
        ul_table_mib(&t, c[i].seen);
        ul_table_mib(&t, c[i].computed);
        ul_table_add(&t, difference(&t, &c[i]));
    }
    ul_table_print(&t, out);
}

static void growth(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_growth *g = ullage_plan_growth(plan, &n);
    if (n)
        ul_text_puts(out, "\n");
    for (size_t i = 0; i < n; i++) {
        if (g[i].up_to.source == ULLAGE_UNKNOWN)
            ul_text_printf(out, "%s: grows without a limit in host memory (%s)\n", g[i].name,
                           g[i].flag);
        else
            ul_text_printf(out, "%s: grows up to %.2f MiB in host memory (%s)\n", g[i].name,
                           (double)g[i].up_to.bytes / UL_MIB, g[i].flag);
    }
}

/* The device with the least left decides. */
static const ullage_device *tightest(const ullage_plan *plan)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n), *least = NULL;
    for (size_t i = 0; i < n; i++)
        if (d[i].fits >= 0 && (!least || d[i].left_bytes < least->left_bytes))
            least = &d[i];
    return least;
}

static void verdict(struct ul_text *out, const ullage_plan *plan, bool color)
{
    const ullage_device *d = tightest(plan);
    bool partial = ullage_plan_partial(plan) != 0;
    if (!d) {
        ul_text_puts(out, "No budget is known: nothing to compare with.\n");
        return;
    }
    double mib = (double)d->left_bytes / UL_MIB;
    const char *paint = color ? (mib < 0 ? red : green) : "", *end = color ? off : "";
    if (mib < 0)
        ul_text_printf(out, "%sDoes not fit%s: %s lacks %.2f MiB%s.\n", paint, end, d->name, -mib,
                       partial ? " for what is known alone" : "");
    else if (partial)
        ul_text_printf(out, "%sWhat is known fits%s: %s has %.2f MiB for what is not.\n", paint,
                       end, d->name, mib);
    else
        ul_text_printf(out, "%sFits%s: %s has %.2f MiB left.\n", paint, end, d->name, mib);
}

static void notes(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_note *v = ullage_plan_notes(plan, &n);
    for (size_t i = 0; i < n; i++)
        ul_text_printf(out, "note: %s [%s]\n", v[i].text, v[i].code);
}

void ul_plan_table(struct ul_text *out, const struct ullage_plan *plan, int by, bool color)
{
    title(out, &plan->model->info, color);
    context(out, plan);
    if (by == ULLAGE_BY_BUFFER)
        by_buffer(out, plan);
    else if (by == ULLAGE_BY_LAYER)
        by_layer(out, plan);
    else if (by == ULLAGE_BY_OP)
        by_op(out, plan);
    else
        by_device(out, plan);
    compared(out, plan);
    growth(out, plan);
    ul_text_puts(out, "\n");
    verdict(out, plan, color);
    ul_speed_lines(out, plan);
    notes(out, plan);
}
