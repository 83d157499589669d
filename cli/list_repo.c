/* ullage list --hf: the table that one wants before a download. The repository's files are asked
 * for once, and of each model in it the header, over the same connection; what was fetched is
 * cached, as for a plan. */
#define _POSIX_C_SOURCE 200809L
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_MODELS 64 /* a repository of more is not one model's quantisations */

struct repo {
    struct cli_source *source;
    const ullage_reader *reader;
    char *mmproj;
    size_t n, at; /* headers to fetch, and fetched */
};

static int open_row(void *state, ullage_model **model, const struct list_row *row,
                    ullage_error *err)
{
    struct repo *r = state;
    bool shown = isatty(STDERR_FILENO);
    if (shown)
        fprintf(stderr, "\r\033[Kreading headers: %zu of %zu", ++r->at, r->n);
    int code = ullage_open_reader(model, r->reader, row->path, NULL, err);
    if (shown && r->at == r->n)
        fputs("\r\033[K", stderr);
    return code;
}

static void add_row(struct listing *l, const struct repo *r, const char *word,
                    const ullage_repo_file *file, char *url)
{
    char argument[1024];
    bool known = file->bytes != UINT64_MAX;
    snprintf(argument, sizeof argument, "%s/%s", word, file->path);
    l->rows[l->n++] = (struct list_row){.argument = strdup(argument),
                                        .store = "remote",
                                        .path = url,
                                        .mmproj = r->mmproj,
                                        .bytes = known ? file->bytes : 0,
                                        .n_files = 1};
}

/* "hf:owner/repo:QUANT" and ".../FILE" without their ends. */
static char *repo_of(const char *word)
{
    const char *colon = strchr(word, ':'), *name = colon && colon[1] != '/' ? colon + 1 : word;
    const char *slash = strchr(name, '/');
    size_t n = slash ? (size_t)(slash + 1 - word) + strcspn(slash + 1, ":/") : strlen(word);
    return strndup(word, strstr(word, "://") ? strlen(word) : n);
}

static int fill_rows(struct listing *l, struct repo *r, const char *word)
{
    ullage_repo_file file;
    char *url;
    l->rows = calloc(MOST_MODELS, sizeof *l->rows);
    if (!l->rows)
        return cli_error(CLI_INPUT, "out of memory");
    size_t more = 0;
    for (size_t i = 0; cli_source_at(r->source, i, &file, &url); i++) {
        if (file.model && l->n < MOST_MODELS) {
            add_row(l, r, word, &file, url);
            continue;
        }
        more += file.model != 0;
        free(url);
    }
    if (more)
        fprintf(stderr, "ullage: %zu more models are not shown\n", more);
    if (l->n == 0)
        return cli_error(CLI_INPUT,
                         "%.200s has no GGUF model: 'ullage plan %.200s --quant all' compares "
                         "what could be made of it",
                         word, word);
    r->n = l->n_all = l->n;
    return CLI_OK;
}

int list_repo(struct listing *l, const char *word)
{
    struct repo r = {0};
    const char *name;
    ullage_error err = {0};
    char *repo = repo_of(word);
    int status = repo ? CLI_OK : cli_error(CLI_INPUT, "out of memory");
    if (!status && cli_source_open(&r.source, l->args, repo, false, &err))
        status = cli_fail(&err);
    if (!status && !(r.reader = cli_source_reader(r.source, &name)))
        status = cli_error(CLI_USAGE, "'%.80s' names no repository on a server", word);
    if (!status) {
        r.mmproj = cli_source_beside(r.source, "mmproj");
        status = fill_rows(l, &r, repo);
    }
    l->open = open_row;
    l->state = &r;
    if (!status)
        status = list_finish(l);
    for (size_t i = 0; i < l->n_all; i++) {
        free((char *)l->rows[i].argument);
        free((char *)l->rows[i].path);
        free(l->rows[i].problem);
    }
    free(l->rows);
    free(r.mmproj);
    cli_source_close(r.source);
    free(repo);
    return status;
}
