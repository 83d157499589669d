/* How the word that names a model becomes one: a path, or a URL whose header is fetched. */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A URL's query ("?download=true", a signature) stands behind the name; shards are found by the
 * name, and asked for with the same query. */
struct remote {
    struct fetch_session *session;
    const char *query;
};

static int open_named(void *state, const char *name, void **file, uint64_t *size, ullage_error *err)
{
    const struct remote *r = state;
    size_t n = strlen(name) + strlen(r->query) + 1;
    char *url = malloc(n);
    if (!url) {
        *err = (ullage_error){.code = ULLAGE_ERROR_MEMORY, .position = ULLAGE_NO_POSITION,
                              .message = "out of memory"};
        return ULLAGE_ERROR_MEMORY;
    }
    snprintf(url, n, "%s%s", name, r->query);
    int code = fetch_open(r->session, url, file, size, err);
    free(url);
    return code;
}

static int open_url(ullage_model **model, const struct cli_args *args, const char *url,
                    const char *quant, ullage_error *err)
{
    size_t n = strcspn(url, "?#");
    char *name = strndup(url, n), *query = strndup(url + n, strcspn(url + n, "#"));
    struct remote r = {.query = query};
    ullage_reader reader = {.open = open_named, .read = fetch_read, .close = fetch_close, .state = &r};
    int code = fetch_session_open(&r.session, args, err);
    if (!code && (!name || !query)) {
        *err = (ullage_error){.code = ULLAGE_ERROR_MEMORY, .message = "out of memory"};
        code = err->code;
    }
    if (!code)
        code = ullage_open_reader(model, &reader, name, quant, err);
    fetch_session_close(r.session);
    free(name);
    free(query);
    return code;
}

static int open_hf(ullage_model **model, const struct cli_args *args, const char *spec,
                   const char *quant, ullage_error *err)
{
    struct fetch_session *s;
    char *url = NULL;
    int code = fetch_session_open(&s, args, err);
    if (!code)
        code = fetch_hf_url(s, spec, &url, err);
    fetch_session_close(s);
    if (!code)
        code = open_url(model, args, url, quant, err);
    free(url);
    return code;
}

int cli_open_model(ullage_model **model, const struct cli_args *args, const char *path,
                   const char *quant, ullage_error *err)
{
    if (strncmp(path, CLI_HF, sizeof CLI_HF - 1) == 0)
        return open_hf(model, args, path + sizeof CLI_HF - 1, quant, err);
    if (fetch_is_url(path))
        return open_url(model, args, path, quant, err);
    return ullage_open_as(model, path, quant, err);
}
