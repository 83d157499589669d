/* A log beside what was computed: as a table, and as JSON. */
#include "measure/check.h"
#include "base/json.h"

#include <math.h>
#include <string.h>
#include <setjmp.h>
#include <stdlib.h>

/* A line of the log is rounded to a hundredth of a MiB; sums of lines carry as many roundings. */
bool ul_check_same(double logged, double computed, int lines)
{
    return fabs(logged - computed) <= 0.005 * lines + 1e-6;
}

struct ul_check_row *ul_check_row(struct ul_check *c, const char *buffer, const char *kind,
                                  double logged, double computed, int lines)
{
    static struct ul_check_row spare;
    struct ul_check_row *row = c->n_rows < UL_CHECK_ROWS ? &c->row[c->n_rows++] : &spare;
    *row = (struct ul_check_row){.logged = logged, .computed = computed, .lines = lines};
    snprintf(row->buffer, sizeof row->buffer, "%s", buffer);
    snprintf(row->kind, sizeof row->kind, "%s", kind);
    if (logged >= 0 && computed >= 0)
        row->verdict = ul_check_same(logged, computed, lines) ? UL_CHECK_AGREES : UL_CHECK_DIFFERS;
    return row;
}

void ul_check_note(struct ul_check *c, const char *fmt, ...)
{
    va_list args;
    if (c->n_notes == UL_CHECK_NOTES)
        return;
    va_start(args, fmt);
    vsnprintf(c->note[c->n_notes++], sizeof c->note[0], fmt, args);
    va_end(args);
}

int ul_check_count(const struct ul_check *c, enum ul_check_verdict verdict)
{
    int n = 0;
    for (int i = 0; i < c->n_rows; i++)
        n += c->row[i].verdict == verdict;
    return n;
}

/* ------------------------------------------------------------------ the table */

static const char *verdict_name(enum ul_check_verdict v)
{
    return v == UL_CHECK_AGREES ? "agrees" : v == UL_CHECK_DIFFERS ? "differs" : "unchecked";
}

/* Tokens and blocks are whole. */
static int decimals(const struct ul_check_row *row)
{
    return strcmp(row->unit, "tokens") == 0 || strcmp(row->kind, "blocks") == 0 ? 0 : 2;
}

static void number(struct ul_text *t, const struct ul_check_row *row, double value)
{
    if (value < 0)
        ul_text_printf(t, " %11s", "-");
    else
        ul_text_printf(t, " %11.*f", decimals(row), value);
}

static void table_row(struct ul_text *t, const struct ul_check_row *row)
{
    char kind[80];
    if (row->model || row->context)
        snprintf(kind, sizeof kind, "%s (%s %d)", row->kind, row->model ? "model" : "context",
                 1 + (row->model ? row->model : row->context));
    else
        snprintf(kind, sizeof kind, "%s%s%s", row->kind, row->unit[0] ? ", " : "", row->unit);
    ul_text_printf(t, "%-12s %-22s", row->buffer, kind);
    number(t, row, row->logged);
    number(t, row, row->computed);
    if (row->verdict == UL_CHECK_DIFFERS)
        ul_text_printf(t, " %+11.*f", decimals(row), (row->logged < 0 ? 0 : row->logged)
                                          - (row->computed < 0 ? 0 : row->computed));
    else
        ul_text_printf(t, " %11s", row->verdict == UL_CHECK_AGREES ? "0" : "-");
    ul_text_printf(t, "  %s%s%s\n", verdict_name(row->verdict), row->why[0] ? ": " : "", row->why);
}

static void table(struct ul_text *t, const void *check)
{
    const struct ul_check *c = check;
    const struct ul_evidence *e = c->e;
    if (c->vllm)
        ul_text_printf(t, "log       vLLM %s, model %s\n",
                       e->vllm.version[0] ? e->vllm.version : "of no version that it says",
                       c->model[0] ? c->model : "not said");
    else
        ul_text_printf(t, "log       build %s, model %s\n",
                       e->log.build[0] ? e->log.build : "not said",
                       e->model_name[0] ? e->model_name : e->arch[0] ? e->arch : "not said");
    for (int i = 0; i < e->log.n_devices; i++)
        ul_text_printf(t, "          %s: %s\n", e->log.device[i].name,
                       e->log.device[i].description);
    ul_text_printf(t, "flags     %s\n", c->flags[0] ? c->flags : "none that it shows");
    ul_text_printf(t, "computed  from %s\n\n", c->by_plan ? c->vllm ? "the model's configuration"
                                                                   : "the model's file"
                                                          : "what the log says of the model");
    if (c->n_rows)
        ul_text_printf(t, "%-12s %-22s %11s %11s %11s\n", c->vllm ? "" : "MiB", "", "logged",
                       "computed", "difference");
    for (int i = 0; i < c->n_rows; i++)
        table_row(t, &c->row[i]);
    ul_text_printf(t, "%s%d agree, %d differ, %d not checked\n", c->n_rows ? "\n" : "",
                   ul_check_count(c, UL_CHECK_AGREES), ul_check_count(c, UL_CHECK_DIFFERS),
                   ul_check_count(c, UL_CHECK_UNCHECKED));
    for (int i = 0; i < c->n_notes; i++)
        ul_text_printf(t, "note: %s\n", c->note[i]);
}

/* ------------------------------------------------------------------ JSON */

/* An empty text is one that the log does not say. */
static void json_text(struct ul_json *j, const char *key, const char *text)
{
    ul_json_put_str(j, key, text[0] ? text : NULL);
}

static void json_mib(struct ul_json *j, const char *key, double mib)
{
    ul_json_key(j, key);
    if (mib < 0)
        ul_json_null(j);
    else
        ul_json_double(j, mib, 4);
}

static void json_row(struct ul_json *j, const struct ul_check *c, const struct ul_check_row *row)
{
    ul_json_open(j, '{');
    json_text(j, "buffer", row->buffer);
    json_text(j, "kind", row->kind);
    ul_json_key(j, "model");
    ul_json_i64(j, row->model);
    ul_json_key(j, "context");
    ul_json_i64(j, row->context);
    json_mib(j, row->unit[0] || c->vllm ? "logged" : "logged_mib", row->logged);
    json_mib(j, row->unit[0] || c->vllm ? "computed" : "computed_mib", row->computed);
    if (c->vllm)
        json_text(j, "unit", row->unit);
    json_text(j, "verdict", verdict_name(row->verdict));
    json_text(j, "why", row->why);
    ul_json_close(j, '}');
}

static void json(struct ul_text *t, const void *check)
{
    const struct ul_check *c = check;
    struct ul_json j = {.out = t, .pretty = true};
    ul_json_open(&j, '{');
    ul_json_key(&j, "schema_version");
    ul_json_i64(&j, 1);
    json_text(&j, "engine", c->vllm ? "vLLM" : "llama.cpp");
    json_text(&j, "build", c->vllm ? c->e->vllm.version : c->e->log.build);
    json_text(&j, "model", c->vllm ? c->model : c->e->model_name);
    json_text(&j, "arch", c->e->arch);
    json_text(&j, "flags", c->flags);
    json_text(&j, "computed_from", c->by_plan ? "model" : "log");
    ul_json_key(&j, "rows");
    ul_json_open(&j, '[');
    for (int i = 0; i < c->n_rows; i++)
        json_row(&j, c, &c->row[i]);
    ul_json_close(&j, ']');
    for (int v = UL_CHECK_UNCHECKED; v <= UL_CHECK_DIFFERS; v++) {
        ul_json_key(&j, verdict_name((enum ul_check_verdict)v));
        ul_json_i64(&j, ul_check_count(c, (enum ul_check_verdict)v));
    }
    ul_json_key(&j, "notes");
    ul_json_open(&j, '[');
    for (int i = 0; i < c->n_notes; i++)
        ul_json_str(&j, ul_cstr(c->note[i]));
    ul_json_close(&j, ']');
    ul_json_close(&j, '}');
    ul_text_puts(t, "\n");
}

char *ul_check_table(const struct ul_check *c) { return ul_text_written(table, c); }
char *ul_check_json(const struct ul_check *c) { return ul_text_written(json, c); }
