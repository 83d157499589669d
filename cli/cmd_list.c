/* ullage list: the models of this machine, or of folders, each with what it is and whether it fits
 * here. Nothing is asked of a network but what --hf names. */
#define _POSIX_C_SOURCE 200809L
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ------------------------------------------------------------------ the words */

static bool is_folder(const char *word)
{
    struct stat st;
    return strchr(word, '/') || (stat(word, &st) == 0 && S_ISDIR(st.st_mode));
}

/* The first n of args->words become folders, the rest texts to look for. */
static size_t sort_words(const struct cli_args *args, const char **folders, const char **texts,
                         size_t *n_texts)
{
    size_t n = 0;
    *n_texts = 0;
    for (int i = 0; i < args->n_words; i++) {
        if (is_folder(args->words[i]))
            folders[n++] = args->words[i];
        else
            texts[(*n_texts)++] = args->words[i];
    }
    return n;
}

static bool contains(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, n) == 0)
            return true;
    return n == 0;
}

static bool wanted(const ullage_found *f, const char *const *texts, size_t n)
{
    if (f->duplicate)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!contains(f->name, texts[i]))
            return false;
    return true;
}

/* ------------------------------------------------------------------ rows */

static char *first_problem(const ullage_found *f)
{
    char text[120];
    if (f->unfinished)
        snprintf(text, sizeof text, "half a download: %.2f MiB are here",
                 (double)f->size_bytes / 1048576.0);
    else if (f->n_missing)
        snprintf(text, sizeof text, "%u of its %u shards are missing", (unsigned)f->n_missing,
                 (unsigned)(f->n_files + f->n_missing));
    return f->unfinished || f->n_missing ? strdup(text) : f->problem ? strdup(f->problem) : NULL;
}

static void rows_of(struct listing *l, const ullage_stores *stores, const char *const *texts,
                    size_t n_texts)
{
    size_t n;
    const ullage_found *f = ullage_stores_list(stores, &n);
    l->rows = calloc(n + 1, sizeof *l->rows);
    for (size_t i = 0; l->rows && i < n; i++)
        if (wanted(&f[i], texts, n_texts))
            l->rows[l->n++] = (struct list_row){
                .argument = f[i].argument, .store = f[i].store, .path = f[i].path,
                .mmproj = f[i].mmproj, .bytes = f[i].size_bytes, .n_files = f[i].n_files,
                .problem = first_problem(&f[i])};
}

static void free_rows(struct listing *l)
{
    for (size_t i = 0; i < l->n_all; i++)
        free(l->rows[i].problem);
    free(l->rows);
}

/* ------------------------------------------------------------------ which, in which order */

static const char *const sort_words_of[] = {"name", "size", "params", "store", NULL};
static int sort_by; /* qsort takes no argument for its function */

/* Without folders and the store, so that a family's files come together. */
static const char *own_name(const struct list_row *r)
{
    const char *slash = strrchr(r->argument, '/'), *store = ullage_store_of(r->argument);
    return slash ? slash + 1 : store ? r->argument + strlen(store) + 1 : r->argument;
}

static int by_name(const struct list_row *a, const struct list_row *b)
{
    int order = strcasecmp(own_name(a), own_name(b));
    return order ? order : strcmp(a->argument, b->argument);
}

static int compare(const void *x, const void *y)
{
    const struct list_row *a = x, *b = y;
    int order = 0;
    if (sort_by == 1)
        order = (a->bytes < b->bytes) - (a->bytes > b->bytes);
    else if (sort_by == 2)
        order = (a->n_params < b->n_params) - (a->n_params > b->n_params);
    else if (sort_by == 3)
        order = strcmp(a->store, b->store);
    return order ? order : by_name(a, b);
}

static int read_sort(const struct cli_args *args)
{
    for (sort_by = 0; args->sort && sort_words_of[sort_by]; sort_by++)
        if (strcmp(args->sort, sort_words_of[sort_by]) == 0)
            return CLI_OK;
    return args->sort
             ? cli_error(CLI_USAGE, "--sort: '%.40s' is none of name, size, params or store",
                         args->sort)
             : CLI_OK;
}

/* Which of the columns --fits means, or -1 (reported). */
static int read_fits(const struct cli_args *args)
{
    static const char *const names[LIST_CONTEXTS] = {"trained", "32k", "8k"};
    for (int i = 0; args->fits && i < LIST_CONTEXTS; i++)
        if (strcasecmp(args->fits, names[i]) == 0)
            return i;
    cli_error(CLI_USAGE, "--fits: '%.40s' is none of trained, 32k or 8k", args->fits);
    return -1;
}

static void keep_fitting(struct listing *l, int column)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n; i++) {
        struct list_row r = l->rows[i];
        if (!r.opened || r.cell[column].fits != LIST_YES)
            continue;
        l->rows[i] = l->rows[kept];
        l->rows[kept++] = r;
    }
    l->n = kept;
}

/* -c is what the columns are; -ngl is kept. */
static int read_flags(struct listing *l)
{
    ullage_flag flag;
    for (int i = 0; i < l->args->n_flags; i++) {
        if (!ullage_flag_find(l->args->flags[i], &flag))
            continue;
        if (strcmp(flag.names[0], "-c") == 0)
            return cli_error(CLI_USAGE, "'list' plans at the training context, at 32K and at 8K: "
                             "leave -c away, and plan one model with it");
        if (strcmp(flag.names[0], "-m") == 0)
            return cli_error(CLI_USAGE, "'list' takes folders, parts of names, or --hf owner/repo");
        l->own_layers |= strcmp(flag.names[0], "-ngl") == 0;
        i += (flag.value != NULL) + (flag.value2 != NULL);
    }
    return CLI_OK;
}

/* ------------------------------------------------------------------ the command */

int list_finish(struct listing *l)
{
    l->n_all = l->n;
    int column = l->args->fits ? read_fits(l->args) : 0;
    int status = column < 0 ? CLI_USAGE : list_fill(l);
    if (status)
        return status;
    if (l->args->fits)
        keep_fitting(l, column);
    if (l->n)
        qsort(l->rows, l->n, sizeof *l->rows, compare);
    return list_print(l);
}

/* Nothing found is said, with where it was looked. */
static void say_none(const struct cli_args *args, size_t n_folders, const char *const *texts,
                     size_t n_texts)
{
    char names[160] = "";
    size_t k = 0;
    for (size_t i = 0; ullage_store_at(i) && k < sizeof names; i++)
        k += (size_t)snprintf(names + k, sizeof names - k, "%s%s", i ? ", " : "",
                              ullage_store_at(i));
    if (args->json)
        return;
    if (args->fits)
        fprintf(stderr, "ullage: no model here fits so (--fits %s)\n", args->fits);
    else if (n_texts)
        fprintf(stderr, "ullage: no model here has '%s'%s in its name\n", texts[0],
                n_texts > 1 ? " and the other words" : "");
    else if (n_folders)
        fprintf(stderr, "ullage: no model in %s\n",
                n_folders == 1 ? "this folder" : "these folders");
    else
        fprintf(stderr, "ullage: no model in the stores that are known (%s): name a folder, as in "
                "'ullage list ~/models'\n", args->store ? args->store : names);
}

static int list_here(struct listing *l)
{
    const struct cli_args *args = l->args;
    const char **folders = calloc((size_t)args->n_words * 2 + 2, sizeof *folders);
    const char **texts = folders ? folders + args->n_words + 1 : NULL;
    ullage_stores *stores = NULL;
    ullage_error err = {0};
    size_t n_texts = 0;
    if (!folders)
        return cli_error(CLI_INPUT, "out of memory");
    size_t n = sort_words(args, folders, texts, &n_texts);
    int status = cli_stores(&stores, args, args->store, folders, n, &err) ? cli_fail(&err) : CLI_OK;
    if (!status) {
        rows_of(l, stores, texts, n_texts);
        status = l->rows ? list_finish(l) : cli_error(CLI_INPUT, "out of memory");
        if (!status && l->n == 0)
            say_none(args, n, texts, n_texts);
        if (ullage_stores_cut(stores))
            fprintf(stderr,
                    "ullage: there are more files than a list goes through: name a folder\n");
        free_rows(l);
    }
    ullage_stores_free(stores);
    free(folders);
    return status;
}

/* --hf owner/repo, or a word that can only be a repository's: hf:, ms:, a page. NULL: none. */
static const char *repo_word(const struct cli_args *args, char *out, size_t size)
{
    if (args->hf)
        return (size_t)snprintf(out, size, CLI_HF "%s", args->hf) < size ? out : NULL;
    return args->n_words == 1 && cli_is_remote(args->words[0]) ? args->words[0] : NULL;
}

int cmd_list(const struct cli_args *args)
{
    char word[320];
    const char *repo = repo_word(args, word, sizeof word);
    struct listing l = {.args = args};
    ullage_machine *machine = NULL;
    int status = read_sort(args);
    if (!status && args->hf && args->n_words)
        status =
            cli_error(CLI_USAGE, "--hf lists one repository: leave '%.80s' away", args->words[0]);
    if (!status)
        status = read_flags(&l);
    if (!status)
        status = cli_machine(&machine, args);
    l.machine = machine;
    if (!status)
        status = repo ? list_repo(&l, repo) : list_here(&l);
    ullage_machine_free(machine);
    return status;
}
