/* How `ullage list` shows its rows: a table whose last column is the name, because it is what is
 * copied and may be long; what is wrong with some of them below it; or JSON. */
#include "list.h"

#include <stdio.h>
#include <string.h>

const char *list_fits_name(enum list_fits fits)
{
    static const char *const names[] = {[LIST_UNKNOWN] = "unknown", [LIST_NO] = "no",
                                        [LIST_SPLIT] = "split", [LIST_YES] = "yes",
                                        [LIST_LONGER] = "longer"};
    return names[fits];
}

/* ------------------------------------------------------------------ a table */

static const char *cell_word(const struct list_cell *c)
{
    return c->fits == LIST_LONGER ? "-" : c->fits == LIST_UNKNOWN ? "?" : list_fits_name(c->fits);
}

/* 8.19B, 494M. */
static void count(char *out, size_t size, uint64_t n)
{
    double v = (double)n;
    if (n >= 999500000)
        snprintf(out, size, v < 99.95e9 ? "%.2fB" : "%.0fB", v / 1e9);
    else
        snprintf(out, size, "%.0fM", v / 1e6);
}

static void context(char *out, size_t size, uint32_t n)
{
    if (n > 0 && n % 1024 == 0)
        snprintf(out, size, "%uK", (unsigned)(n / 1024));
    else
        snprintf(out, size, "%u", (unsigned)n);
}

static size_t width_of(const struct listing *l, size_t at, size_t least)
{
    for (size_t i = 0; i < l->n; i++) {
        size_t n = strlen((const char *)&l->rows[i] + at);
        least = n > least && l->rows[i].opened ? n : least;
    }
    return least;
}

static void table(struct cli_text *t, const struct listing *l)
{
    int arch = (int)width_of(l, offsetof(struct list_row, arch), 4);
    int quant = (int)width_of(l, offsetof(struct list_row, quant), 5);
    size_t store = 5;
    for (size_t i = 0; i < l->n; i++)
        store = strlen(l->rows[i].store) > store ? strlen(l->rows[i].store) : store;
    cli_add(t, "%7s  %6s  %-*s  %-*s  %7s  %5s  %5s  %5s  %-*s  %s\n", "GiB", "params", quant,
            "quant", arch, "arch", "trained", "fits", "32K", "8K", (int)store, "store", "model");
    for (size_t i = 0; i < l->n; i++) {
        const struct list_row *r = &l->rows[i];
        char params[24] = "-", trained[16] = "-";
        if (!r->opened)
            continue;
        count(params, sizeof params, r->n_params);
        if (r->n_ctx_train)
            context(trained, sizeof trained, r->n_ctx_train);
        cli_add(t, "%7.2f  %6s  %-*s  %-*s  %7s  %5s  %5s  %5s  %-*s  %s%s\n",
                (double)r->bytes / 1073741824.0, params, quant, r->quant, arch, r->arch, trained,
                cell_word(&r->cell[LIST_TRAINED]), cell_word(&r->cell[LIST_32K]),
                cell_word(&r->cell[LIST_8K]), (int)store, r->store, r->argument,
                r->mmproj ? "  +mmproj" : "");
    }
}

/* Under the table, what is wrong with some. Control characters stay out of a terminal. */
static void problems(struct cli_text *t, const struct listing *l)
{
    bool any = false;
    for (size_t i = 0; i < l->n; i++) {
        const struct list_row *r = &l->rows[i];
        if (!r->problem)
            continue;
        cli_add(t, any ? "" : "\n");
        any = true;
        for (const char *p = r->argument; *p; p++)
            cli_add(t, "%c", (unsigned char)*p < 0x20 || *p == 0x7f ? '?' : *p);
        cli_add(t, ": %s\n", r->problem);
    }
}

/* ------------------------------------------------------------------ JSON */

static void json_cell(struct cli_text *t, const char *name, const struct list_cell *c, bool last)
{
    cli_add(t, "        \"%s\": {\"n_ctx\": %u, \"fits\": \"%s\", \"left_bytes\": ", name,
            (unsigned)c->n_ctx, list_fits_name(c->fits));
    if (c->known)
        cli_add(t, "%lld}%s\n", (long long)c->left, last ? "" : ",");
    else
        cli_add(t, "null}%s\n", last ? "" : ",");
}

static void json_text(struct cli_text *t, const char *key, const char *value)
{
    cli_add(t, "      \"%s\": ", key);
    cli_add_json(t, value);
    cli_add(t, ",\n");
}

static void json_row(struct cli_text *t, const struct list_row *r)
{
    json_text(t, "model", r->argument);
    json_text(t, "store", r->store);
    json_text(t, "path", r->path);
    json_text(t, "mmproj", r->mmproj);
    json_text(t, "problem", r->problem);
    cli_add(t, "      \"files\": %u,\n      \"size_bytes\": %llu%s\n", (unsigned)r->n_files,
            (unsigned long long)r->bytes, r->opened ? "," : "");
    if (!r->opened)
        return;
    json_text(t, "arch", r->arch);
    json_text(t, "quant", r->quant);
    cli_add(t, "      \"n_params\": %llu,\n      \"bits_per_weight\": %.4f,\n"
            "      \"n_ctx_train\": %u,\n      \"fits\": {\n",
            (unsigned long long)r->n_params, r->bits, (unsigned)r->n_ctx_train);
    json_cell(t, "trained", &r->cell[LIST_TRAINED], false);
    json_cell(t, "32k", &r->cell[LIST_32K], false);
    json_cell(t, "8k", &r->cell[LIST_8K], true);
    cli_add(t, "      }\n");
}

static void json(struct cli_text *t, const struct listing *l)
{
    cli_add(t, "{\n  \"schema_version\": 1,\n  \"models\": [");
    for (size_t i = 0; i < l->n; i++) {
        cli_add(t, "%s\n    {\n", i ? "," : "");
        json_row(t, &l->rows[i]);
        cli_add(t, "    }");
    }
    cli_add(t, "%s]\n}\n", l->n ? "\n  " : "");
}

int list_print(const struct listing *l)
{
    struct cli_text t = {0};
    if (l->args->json) {
        json(&t, l);
    } else {
        table(&t, l);
        problems(&t, l);
    }
    return cli_print_text(&t);
}
