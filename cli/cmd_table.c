/* ullage table: which context fits with which cache type, or with which quantisation of the model,
 * in one picture. Every cell is a plan of its own, with every layer on the GPUs unless -ngl says
 * otherwise: what is left on the fullest device, or what it lacks. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CONTEXTS 16

struct cell {
    int fits;      /* 1, 0; -1: no budget is known; -2: the engine refuses it */
    bool partial;
    long long left; /* bytes on the fullest device */
};

struct row {
    const char *name;    /* the cache's type, or the quantisation */
    uint64_t bytes;      /* of the weights */
    struct cell cell[MOST_CONTEXTS];
};

struct table {
    const struct cli_args *args;
    const char *path;
    const ullage_machine *machine;
    bool quants;         /* rows are quantisations */
    uint32_t context[MOST_CONTEXTS];
    size_t n_contexts, n_rows;
    struct row row[CLI_MAX_QUANTS];
};

/* ------------------------------------------------------------------ one cell */

static struct cell look(const ullage_plan *plan)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    struct cell c = {ullage_plan_fits(plan), ullage_plan_partial(plan) != 0, 0};
    bool any = false;
    for (size_t i = 0; i < n; i++)
        if (d[i].fits >= 0 && (!any || d[i].left_bytes < c.left)) {
            c.left = (long long)d[i].left_bytes;
            any = true;
        }
    return c;
}

/* `flags` and the context come after the user's own. */
static int fill_cell(const struct table *t, const ullage_model *model, struct cell *cell,
                     uint32_t context, int n, const char *const *flags)
{
    ullage_error err = {0};
    ullage_settings *settings = NULL;
    ullage_plan *plan = NULL;
    char text[16];
    snprintf(text, sizeof text, "%u", (unsigned)context);
    const char *last[] = {"-c", text, "-fit", "off"};
    int status = cli_settings(&settings, t->args);
    if (!status && (ullage_settings_parse(settings, n, flags, &err)
                    || ullage_settings_parse(settings, 4, last, &err)))
        status = cli_fail(&err);
    if (!status && ullage_plan_make(&plan, model, settings, t->machine, &err) == ULLAGE_OK)
        *cell = look(plan);
    else if (!status && err.code == ULLAGE_ERROR_REFUSED)
        cell->fits = -2;
    else if (!status)
        status = cli_fail(&err);
    ullage_plan_free(plan);
    ullage_settings_free(settings);
    return status;
}

/* ------------------------------------------------------------------ rows */

/* Doubling from 4096, and the training context. */
static void list_contexts(struct table *t, uint32_t train)
{
    for (uint32_t c = 4096; c < train && t->n_contexts + 1 < MOST_CONTEXTS; c *= 2)
        t->context[t->n_contexts++] = c;
    t->context[t->n_contexts++] = train;
}

static int fill_row(struct table *t, const char *name, const ullage_model *model, int n,
                    const char *const *flags)
{
    struct row *r = &t->row[t->n_rows++];
    int status = CLI_OK;
    *r = (struct row){.name = name, .bytes = ullage_describe(model)->weight_bytes};
    for (size_t i = 0; i < t->n_contexts && !status; i++)
        status = fill_cell(t, model, &r->cell[i], t->context[i], n, flags);
    return status;
}

static int by_cache_type(struct table *t)
{
    static const char *const types[] = {"f16", "q8_0", "q5_1", "q4_0"};
    ullage_error err = {0};
    ullage_model *model = NULL;
    int status = CLI_OK;
    if (cli_open_model(&model, t->args, t->path, t->args->quant, &err))
        return cli_fail(&err);
    list_contexts(t, ullage_describe(model)->n_ctx_train);
    for (size_t k = 0; k < sizeof types / sizeof *types && !status; k++) {
        const char *flags[] = {"-ctk", types[k], "-ctv", types[k]};
        status = fill_row(t, types[k], model, 4, flags);
    }
    ullage_close(model);
    return status;
}

static int add_quant(void *state, const char *quant, const ullage_model *model)
{
    struct table *t = state;
    if (t->n_rows == CLI_MAX_QUANTS)
        return CLI_OK;
    if (t->n_contexts == 0)
        list_contexts(t, ullage_describe(model)->n_ctx_train);
    return fill_row(t, quant, model, 0, NULL);
}

static int by_size(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* ------------------------------------------------------------------ output */

static const char *truth(int fits)
{
    return fits == 1 ? "true" : fits == 0 ? "false" : "null";
}

static void write_json(struct cli_text *o, const struct table *t)
{
    cli_add(o, "{\n  \"schema_version\": 1,\n  \"cells\": [");
    for (size_t k = 0; k < t->n_rows; k++)
        for (size_t i = 0; i < t->n_contexts; i++) {
            const struct cell *c = &t->row[k].cell[i];
            cli_add(o, "%s\n    {\"%s\": \"%s\", \"weight_bytes\": %llu, \"n_ctx\": %u, "
                    "\"fits\": %s, \"partial\": %s, \"left_bytes\": ", k + i ? "," : "",
                    t->quants ? "quant" : "cache_type", t->row[k].name,
                    (unsigned long long)t->row[k].bytes, (unsigned)t->context[i], truth(c->fits),
                    c->partial ? "true" : "false");
            if (c->fits >= 0)
                cli_add(o, "%lld}", c->left);
            else
                cli_add(o, "null}");
        }
    cli_add(o, "\n  ]\n}\n");
}

/* Green where it fits, red where it does not; a figure that is not whole is marked. */
static void write_cell(struct cli_text *o, const struct cell *c, bool color)
{
    char text[24];
    const char *paint = c->fits == 1 ? "\033[32m" : c->fits == 0 ? "\033[31m" : "";
    if (c->fits < 0)
        snprintf(text, sizeof text, "%s", c->fits == -2 ? "refused" : "unknown");
    else
        snprintf(text, sizeof text, "%s%.0f%s", c->fits ? "+" : "", (double)c->left / 1048576.0,
                 c->partial ? "?" : "");
    cli_add(o, " %s%9s%s", color ? paint : "", text, color && *paint ? "\033[0m" : "");
}

static void write_text(struct cli_text *o, const struct table *t)
{
    bool color = cli_color(t->args), partial = false;
    cli_add(o, "MiB left on the fullest device: + it fits, - so much is missing\n\n%-10s%9s",
            t->quants ? "quant" : "cache", "weights");
    for (size_t i = 0; i < t->n_contexts; i++)
        cli_add(o, " %9u", (unsigned)t->context[i]);
    for (size_t k = 0; k < t->n_rows; k++) {
        const struct row *r = &t->row[k];
        cli_add(o, "\n%-10s%9.0f", r->name, (double)r->bytes / 1048576.0);
        for (size_t i = 0; i < t->n_contexts; i++) {
            write_cell(o, &r->cell[i], color);
            partial |= r->cell[i].partial;
        }
    }
    cli_add(o, "\n%s", partial ? "? some figure is unknown, and not part of it\n" : "");
}

static int print_table(const struct table *t)
{
    struct cli_text o = {0};
    (t->args->json ? write_json : write_text)(&o, t);
    return cli_print_text(&o);
}

/* ------------------------------------------------------------------ the command */

static int make_table(const struct cli_args *args, const char *path)
{
    ullage_machine *machine = NULL;
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return cli_error(CLI_INPUT, "out of memory");
    int status = cli_machine(&machine, args);
    *t = (struct table){.args = args, .path = path, .machine = machine,
                        .quants = args->quant && strcmp(args->quant, "all") == 0};
    if (!status)
        status = t->quants ? cli_each_quant(args, path, add_quant, t) : by_cache_type(t);
    if (t->quants)
        qsort(t->row, t->n_rows, sizeof *t->row, by_size);
    if (!status)
        status = print_table(t);
    ullage_machine_free(machine);
    free(t);
    return status;
}

int cmd_table(const struct cli_args *args)
{
    const char *path = NULL;
    ullage_settings *settings = NULL;
    int status = cli_settings(&settings, args);
    if (!status)
        status = cli_model_path(args, &path);
    if (!status)
        status = path ? make_table(args, path) : cli_no_model(settings, "table");
    ullage_settings_free(settings);
    return status;
}
