/* ullage table: which cache type fits which context, in one picture. Every cell is a plan of its
 * own: what is left on the fullest device, in MiB, or what it lacks. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const types[] = {"f16", "q8_0", "q5_1", "q4_0"};
#define TYPES (sizeof types / sizeof *types)
#define MOST_CONTEXTS 16

struct cell {
    int fits;      /* 1, 0; -1: no budget is known; -2: the engine refuses it */
    bool partial;
    double left;   /* MiB on the fullest device */
};

struct table {
    const struct cli_args *args;
    const ullage_model *model;
    const ullage_machine *machine;
    uint32_t context[MOST_CONTEXTS];
    size_t n;
    struct cell cell[TYPES][MOST_CONTEXTS];
};

/* Doubling from 4096, and the training context. */
static void list_contexts(struct table *t, uint32_t train)
{
    for (uint32_t c = 4096; c < train && t->n + 1 < MOST_CONTEXTS; c *= 2)
        t->context[t->n++] = c;
    t->context[t->n++] = train;
}

static struct cell look(const ullage_plan *plan)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    struct cell c = {ullage_plan_fits(plan), ullage_plan_partial(plan) != 0, 0};
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        double left = (double)d[i].left_bytes / 1048576.0;
        if (d[i].fits >= 0 && (!any || left < c.left)) {
            c.left = left;
            any = true;
        }
    }
    return c;
}

static int fill_cell(struct table *t, size_t type, size_t at)
{
    ullage_error err = {0};
    ullage_settings *settings = NULL;
    ullage_plan *plan = NULL;
    char context[16];
    const char *flags[] = {"-ctk", types[type], "-ctv", types[type], "-c", context, "-fit", "off"};
    snprintf(context, sizeof context, "%u", (unsigned)t->context[at]);
    int status = cli_settings(&settings, t->args);
    if (!status && ullage_settings_parse(settings, 8, flags, &err))
        status = cli_fail(&err);
    if (!status && ullage_plan_make(&plan, t->model, settings, t->machine, &err) == ULLAGE_OK)
        t->cell[type][at] = look(plan);
    else if (!status && err.code == ULLAGE_ERROR_REFUSED)
        t->cell[type][at].fits = -2;
    else if (!status)
        status = cli_fail(&err);
    ullage_plan_free(plan);
    ullage_settings_free(settings);
    return status;
}

static void write_json(struct cli_text *o, const struct table *t)
{
    cli_add(o, "{\n  \"schema_version\": 1,\n  \"cells\": [");
    for (size_t k = 0; k < TYPES; k++)
        for (size_t i = 0; i < t->n; i++) {
            const struct cell *c = &t->cell[k][i];
            cli_add(o, "%s\n    {\"cache_type\": \"%s\", \"n_ctx\": %u, \"fits\": %s, \"partial\": %s, ",
                    k + i ? "," : "", types[k], (unsigned)t->context[i],
                    c->fits == 1 ? "true" : c->fits == 0 ? "false" : "null", c->partial ? "true" : "false");
            if (c->fits >= 0)
                cli_add(o, "\"left_mib\": %.2f}", c->left);
            else
                cli_add(o, "\"left_mib\": null}");
        }
    cli_add(o, "\n  ]\n}\n");
}

static void write_text(struct cli_text *o, const struct table *t)
{
    cli_add(o, "MiB left on the fullest device; - in front: lacking, it does not fit\n\n%-8s", "context");
    for (size_t k = 0; k < TYPES; k++)
        cli_add(o, "%12s", types[k]);
    for (size_t i = 0; i < t->n; i++) {
        cli_add(o, "\n%-8u", (unsigned)t->context[i]);
        for (size_t k = 0; k < TYPES; k++) {
            const struct cell *c = &t->cell[k][i];
            if (c->fits == -2)
                cli_add(o, "%12s", "refused");
            else if (c->fits == -1)
                cli_add(o, "%12s", "unknown");
            else
                cli_add(o, "%11.0f%s", c->left, c->partial ? "?" : c->fits ? "+" : " ");
        }
    }
    cli_add(o, "\n\n+ fits; ? some figure is unknown\n");
}

static int make_table(const struct cli_args *args, const char *path)
{
    ullage_error err = {0};
    ullage_machine *machine = NULL;
    ullage_model *model = NULL;
    struct table t = {.args = args};
    int status = cli_machine(&machine, args);
    if (!status && cli_open_model(&model, args, path, args->quant, &err))
        status = cli_fail(&err);
    if (!status) {
        t.model = model;
        t.machine = machine;
        list_contexts(&t, ullage_describe(model)->n_ctx_train);
    }
    for (size_t k = 0; k < TYPES && !status; k++)
        for (size_t i = 0; i < t.n && !status; i++)
            status = fill_cell(&t, k, i);
    if (!status) {
        struct cli_text o = {0};
        (args->json ? write_json : write_text)(&o, &t);
        status = o.failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(o.p);
        free(o.p);
    }
    ullage_close(model);
    ullage_machine_free(machine);
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
