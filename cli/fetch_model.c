/* How the word that names a model becomes one: a path, a name of the catalogue, a model of a local
 * store, a URL, or a model of a repository. What is on a server is resolved once, and its header
 * stays in memory, so that the same model in another quantisation asks nobody again. */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cli_source {
    const struct cli_args *args;
    struct fetch_session *session; /* NULL: a file here, or the catalogue */
    struct fetch_repo repo;        /* files NULL: no repository */
    const char *path;              /* of the chosen file, in the repository */
    char *name;                    /* the path, or the URL without its query */
    char *query;                   /* "?download=true", a signature: asked for with each shard */
    ullage_reader reader;
};

/* The library names files (shards, a checkpoint's parts) by the first one's name. */
static int open_named(void *state, const char *name, void **file, uint64_t *size, ullage_error *err)
{
    const struct cli_source *s = state;
    size_t n = strlen(name) + strlen(s->query) + 1;
    char *url = malloc(n);
    if (!url)
        return fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    snprintf(url, n, "%s%s", name, s->query);
    int code = fetch_open(s->session, url, file, size, err);
    free(url);
    return code;
}

static int set_url(struct cli_source *s, const char *url, ullage_error *err)
{
    size_t n = strcspn(url, "?#");
    s->name = strndup(url, n);
    s->query = strndup(url + n, strcspn(url + n, "#"));
    return s->name && s->query ? ULLAGE_OK : fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
}

/* A browser's page of a file, where its bytes are behind /resolve/. */
static int set_page(struct cli_source *s, const char *url, ullage_error *err)
{
    int code = set_url(s, url, err);
    char *blob = code ? NULL : strstr(s->name, "/blob/");
    size_t n = strlen(fetch_endpoint());
    if (!blob || (strncmp(url, fetch_endpoint(), n) != 0 && !strstr(url, "://huggingface.co/")))
        return code;
    size_t at = (size_t)(blob - s->name);
    char *name = malloc(strlen(s->name) + 4);
    if (!name)
        return fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    sprintf(name, "%.*s/resolve/%s", (int)at, s->name, blob + 6);
    free(s->name);
    s->name = name;
    return ULLAGE_OK;
}

static int set_repo(struct cli_source *s, const char *word, bool config, ullage_error *err)
{
    int code = fetch_repo_open(&s->repo, s->session, word, err);
    if (!code)
        code = fetch_repo_choose(&s->repo, config, &s->path, err);
    char *url = code ? NULL : fetch_repo_url(&s->repo, s->path);
    if (!code)
        code = url ? set_url(s, url, err) : fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    free(url);
    return code;
}

/* A model of a local store; Ollama's registry has what its store has not. */
static int set_local(struct cli_source *s, const char *word, bool *elsewhere, ullage_error *err)
{
    ullage_error why = {0};
    s->name = cli_local_path(s->args, word, &why);
    *elsewhere = !s->name && why.code == ULLAGE_ERROR_IO && fetch_is_repo(word);
    return s->name || *elsewhere ? ULLAGE_OK : fetch_fail(err, why.code, "%s", why.message);
}

/* What is on this machine comes first; of a server's model everything is asked for. */
static int resolve(struct cli_source *s, const char *word, bool config, ullage_error *err)
{
    bool repo = fetch_is_repo(word), elsewhere = true;
    int code = cli_is_local(word) ? set_local(s, word, &elsewhere, err) : ULLAGE_OK;
    if (code || s->name)
        return code;
    if (!repo && !fetch_is_url(word)) {
        s->name = strdup(word);
        return s->name ? ULLAGE_OK : fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    }
    code = fetch_session_open(&s->session, s->args, err);
    if (code)
        return code;
    s->reader = (ullage_reader){.open = open_named, .read = fetch_read, .close = fetch_close,
                                .state = s};
    return repo ? set_repo(s, word, config, err) : set_page(s, word, err);
}

int cli_source_open(struct cli_source **source, const struct cli_args *args, const char *word,
                    bool config, ullage_error *err)
{
    ullage_error own = {0};
    struct cli_source *s = *source = calloc(1, sizeof *s);
    err = err ? err : &own;
    if (!s)
        return fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    s->args = args;
    int code = resolve(s, word, config, err);
    if (code) {
        cli_source_close(s);
        *source = NULL;
    }
    return code;
}

void cli_source_close(struct cli_source *s)
{
    if (!s)
        return;
    fetch_repo_close(&s->repo);
    fetch_session_close(s->session);
    free(s->name);
    free(s->query);
    free(s);
}

int cli_source_model(struct cli_source *s, const char *quant, ullage_model **model,
                     ullage_error *err)
{
    return s->session ? ullage_open_reader(model, &s->reader, s->name, quant, err)
                      : ullage_open_as(model, s->name, quant, err);
}

const ullage_reader *cli_source_reader(const struct cli_source *s, const char **name)
{
    *name = s->name;
    return s->session ? &s->reader : NULL;
}

char *cli_source_beside(struct cli_source *s, const char *what)
{
    const char *path =
        s->repo.files ? ullage_repo_beside(s->repo.files, s->path, what, s->repo.quant) : NULL;
    return path ? fetch_repo_url(&s->repo, path) : NULL;
}

int cli_source_at(struct cli_source *s, size_t i, ullage_repo_file *file, char **word)
{
    if (!s->repo.files || !ullage_repo_at(s->repo.files, i, file))
        return 0;
    *word = fetch_repo_url(&s->repo, file->path);
    return *word != NULL;
}

bool cli_is_remote(const char *word)
{
    return fetch_is_url(word) || fetch_is_repo(word);
}

int cli_open_model(ullage_model **model, const struct cli_args *args, const char *word,
                   const char *quant, ullage_error *err)
{
    struct cli_source *s;
    *model = NULL;
    if (quant && strcmp(quant, "all") == 0) { /* those that compare ask for one after the other */
        *err = (ullage_error){.code = ULLAGE_ERROR_USAGE,
                              .message = "--quant all goes with 'plan' and 'table'; here name one "
                                         "type, as in --quant Q4_K_M"};
        return err->code;
    }
    int code = cli_source_open(&s, args, word, false, err);
    if (!code)
        code = cli_source_model(s, quant, model, err);
    cli_source_close(s);
    return code;
}
