/* ullage history: the measurements that are stored, as a table or JSON. */
#include "cli.h"

#include "measure/store.h"

#include <stdio.h>
#include <stdlib.h>

#define MIB 1048576.0

struct listing {
    struct cli_text t;
    int n;
};

static void add_amount(struct cli_text *t, const char *name, struct ul_amount a)
{
    if (a.known)
        cli_add(t, "  %s %.2f MiB", name, (double)a.bytes / MIB);
}

static void add_figure(struct cli_text *t, const struct ul_store_figure *f)
{
    cli_add(t, "    %s (%s): %.2f MiB a 1,024 tokens", f->device, f->gpu, f->slope * 1024 / MIB);
    add_amount(t, "limit", f->limit);
    add_amount(t, "runtime", f->runtime);
    add_amount(t, "pool", f->pool);
    add_amount(t, "prompt", f->prompt);
    cli_add(t, "\n");
}

static void add_row(void *context, const struct ul_store_row *r)
{
    struct listing *l = context;
    cli_add(&l->t, "%s  %s  %s\n", r->started, r->status[0] == 'd' ? "done" : "unfinished",
            r->model[0] ? r->model : "(no model file)");
    cli_add(&l->t, "    driver %s, read by %s on %s; engine %s\n", r->driver[0] ? r->driver : "-",
            r->reader, r->host, r->engine[0] ? r->engine : "-");
    cli_add(&l->t, "    flags: %s\n    %u runs", r->flags, r->runs);
    if (r->n_ctx)
        cli_add(&l->t, "  -c %u", r->n_ctx);
    cli_add(&l->t, "\n");
    for (int i = 0; i < r->n_figures; i++)
        add_figure(&l->t, &r->figure[i]);
    l->n++;
}

/* ------------------------------------------------------------------ JSON */

static void add_string(struct cli_text *t, const char *key, const char *s)
{
    cli_add(t, "\"%s\": \"", key);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            cli_add(t, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            cli_add(t, "\\u%04x", *s);
        else
            cli_add(t, "%c", *s);
    }
    cli_add(t, "\", ");
}

static void add_number(struct cli_text *t, const char *key, struct ul_amount a)
{
    if (a.known)
        cli_add(t, "\"%s\": %llu, ", key, (unsigned long long)a.bytes);
    else
        cli_add(t, "\"%s\": null, ", key);
}

static void add_json_figure(struct cli_text *t, const struct ul_store_figure *f)
{
    cli_add(t, "{");
    add_string(t, "gpu", f->gpu);
    add_string(t, "device", f->device);
    add_number(t, "limit_bytes", f->limit);
    add_number(t, "runtime_bytes", f->runtime);
    add_number(t, "pool_bytes", f->pool);
    add_number(t, "prompt_bytes", f->prompt);
    cli_add(t, "\"bytes_per_token\": %.3f}", f->slope);
}

static void add_json(void *context, const struct ul_store_row *r)
{
    struct listing *l = context;
    cli_add(&l->t, "%s\n  {", l->n++ ? "," : "");
    add_string(&l->t, "started", r->started);
    add_string(&l->t, "status", r->status);
    add_string(&l->t, "host", r->host);
    add_string(&l->t, "engine", r->engine);
    add_string(&l->t, "driver", r->driver);
    add_string(&l->t, "reader", r->reader);
    add_string(&l->t, "model", r->model);
    add_string(&l->t, "flags", r->flags);
    cli_add(&l->t, "\"places\": [");
    for (int i = 0; i < r->n_figures; i++) {
        cli_add(&l->t, "%s", i ? ", " : "");
        add_json_figure(&l->t, &r->figure[i]);
    }
    cli_add(&l->t, "], \"n_ctx\": %u, \"runs\": %u}", r->n_ctx, r->runs);
}

int cmd_history(const struct cli_args *args)
{
    char folder[2048];
    ullage_error err = {0};
    struct ul_store *store = NULL;
    struct listing l = {.n = 0};
    if (args->word)
        return cli_error(CLI_USAGE, "'%.80s': 'history' takes no words", args->word);
    if (ul_store_folder(folder, sizeof folder, false)
        && ul_store_open_read(&store, folder, &err))
        return cli_fail(&err);
    if (args->json)
        cli_add(&l.t, "{\"schema_version\": 1, \"measurements\": [");
    if (store)
        ul_store_list(store, args->json ? add_json : add_row, &l);
    ul_store_close(store);
    if (args->json)
        cli_add(&l.t, "%s]}\n", l.n ? "\n" : "");
    else if (l.n == 0)
        cli_add(&l.t, "Nothing was measured here yet: see 'ullage help measure'.\n");
    int status = l.t.failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(l.t.p);
    free(l.t.p);
    return status;
}
