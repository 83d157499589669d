/* ullage plan --quant all: one model in every quantisation that llama-quantize makes without help:
 * how large, how many bits a weight, and what fits of it here. Each row is a file that could be
 * made, with the best flags that fit as 'fit' finds them. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row; what is not known is 0 or -1. */
struct row {
    const char *quant;
    uint64_t bytes;
    double bits, speed;
    uint32_t n_ctx;      /* the longest context of a sequence that fits */
    int fits;            /* 1: it does; 0: nothing fits; -1: unknown */
    char flags[320];
};

/* ------------------------------------------------------------------ the quantisations */

/* Other names of the same file, and types that no mix is made of. */
static bool listed(const char *quant)
{
    static const char *const other[] = {"Q3_K", "Q4_K", "Q5_K", "F32", NULL};
    for (size_t i = 0; other[i]; i++)
        if (strcmp(quant, other[i]) == 0)
            return false;
    return true;
}

static void keep_flags(struct row *r, const ullage_fit *fit)
{
    size_t n, at = 0;
    const char *const *word = ullage_fit_flags(fit, &n);
    for (size_t i = 0; i < n && at < sizeof r->flags; i++)
        at += (size_t)snprintf(r->flags + at, sizeof r->flags - at, "%s%s", i ? " " : "", word[i]);
}

/* The best that fits; a model for which no search can be made keeps its size alone. */
static void search(struct row *r, const ullage_model *model, const ullage_settings *settings,
                   const ullage_machine *machine)
{
    ullage_fit *fit = NULL;
    ullage_fit_options options = {0};
    ullage_error err = {0};
    ullage_speed speed;
    r->fits = -1;
    if (ullage_fit_make(&fit, model, settings, machine, &options, &err))
        return;
    r->fits = ullage_fit_found(fit);
    if (r->fits) {
        r->n_ctx = ullage_plan_context(ullage_fit_plan(fit))->n_ctx_seq;
        ullage_plan_speed(ullage_fit_plan(fit), 0, &speed);
        r->speed =
            speed.generation.expected > 0 ? speed.generation.expected : speed.generation.bound;
        keep_flags(r, fit);
    }
    ullage_fit_free(fit);
}

int cli_each_quant(const struct cli_args *args, const char *path, cli_quant_fn *each, void *state)
{
    struct cli_source *source = NULL;
    ullage_error err = {0};
    int n = 0, status = CLI_OK;
    if (cli_source_open(&source, args, path, false, &err))
        status = cli_fail(&err);
    for (size_t i = 0; !status && ullage_quant_at(i); i++) {
        ullage_model *model = NULL;
        if (!listed(ullage_quant_at(i)))
            continue;
        err = (ullage_error){0};
        int code = cli_source_model(source, ullage_quant_at(i), &model, &err);
        if (code == ULLAGE_ERROR_REFUSED) /* a shape without a type: no such file */
            continue;
        status = code ? cli_fail(&err) : each(state, ullage_quant_at(i), model);
        ullage_close(model);
        n++;
    }
    if (!status && n == 0)
        status = cli_fail(&err);
    cli_source_close(source);
    return status;
}

/* ------------------------------------------------------------------ the rows */

struct quants {
    const ullage_settings *settings;
    const ullage_machine *machine;
    struct row rows[CLI_MAX_QUANTS];
    size_t n;
};

static int add_row(void *state, const char *quant, const ullage_model *model)
{
    struct quants *q = state;
    const ullage_model_info *info = ullage_describe(model);
    if (q->n == CLI_MAX_QUANTS)
        return CLI_OK;
    struct row *r = &q->rows[q->n++];
    *r = (struct row){.quant = quant, .bytes = info->weight_bytes, .bits = info->bits_per_weight};
    search(r, model, q->settings, q->machine);
    return CLI_OK;
}

static int by_size(const struct row *a, const struct row *b)
{
    return a->bytes != b->bytes ? (a->bytes < b->bytes ? -1 : 1) : strcmp(a->quant, b->quant);
}

static void sort(struct row *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && by_size(&rows[k], &rows[k - 1]) < 0; k--) {
            struct row held = rows[k];
            rows[k] = rows[k - 1];
            rows[k - 1] = held;
        }
}

static void table(struct cli_text *t, const struct row *rows, size_t n)
{
    cli_add(t, "%-10s%10s%7s%10s%9s  %s\n", "quant", "GiB", "bits", "context", "tokens/s", "flags");
    for (size_t i = 0; i < n; i++) {
        const struct row *r = &rows[i];
        char context[24] = "no", speed[24] = "-";
        if (r->fits != 0)
            snprintf(context, sizeof context, r->fits > 0 ? "%u" : "unknown", (unsigned)r->n_ctx);
        if (r->speed > 0)
            snprintf(speed, sizeof speed, "%.1f", r->speed);
        cli_add(t, "%-10s%10.2f%7.2f%10s%9s  %s\n", r->quant, (double)r->bytes / 1073741824.0,
                r->bits, context, speed, r->flags);
    }
}

static void json(struct cli_text *t, const struct row *rows, size_t n)
{
    cli_add(t, "{\n  \"schema_version\": 1,\n  \"quantisations\": [");
    for (size_t i = 0; i < n; i++) {
        const struct row *r = &rows[i];
        cli_add(
            t,
            "%s\n    {\"quant\": \"%s\", \"bytes\": %llu, \"bits_per_weight\": %.4f, \"fits\": %s",
            i ? "," : "", r->quant, (unsigned long long)r->bytes, r->bits,
            r->fits < 0 ? "null"
            : r->fits   ? "true"
                        : "false");
        if (r->fits > 0) {
            cli_add(t, ", \"n_ctx_seq\": %u, \"flags\": ", (unsigned)r->n_ctx);
            cli_add_json(t, r->flags);
        } else {
            cli_add(t, ", \"n_ctx_seq\": null, \"flags\": null");
        }
        cli_add(t, r->speed > 0 ? ", \"tokens_per_second\": %.2f}" : ", \"tokens_per_second\": null}",
                r->speed);
    }
    cli_add(t, "\n  ]\n}\n");
}

static int print(const struct cli_args *args, struct row *rows, size_t n)
{
    struct cli_text t = {0};
    sort(rows, n);
    (args->json ? json : table)(&t, rows, n);
    int status = t.failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(t.p);
    free(t.p);
    return status;
}

int cli_quants(const struct cli_args *args, const char *path, const ullage_settings *settings)
{
    ullage_machine *machine = NULL;
    struct quants *q = calloc(1, sizeof *q);
    if (!q)
        return cli_error(CLI_INPUT, "out of memory");
    int status = cli_machine(&machine, args);
    q->settings = settings;
    q->machine = machine;
    if (!status)
        status = cli_each_quant(args, path, add_row, q);
    if (!status)
        status = print(args, q->rows, q->n);
    ullage_machine_free(machine);
    free(q);
    return status;
}
