/* Ollama's names: [HOST/][NAMESPACE/]MODEL[:TAG]. Unless the model is on this machine already
 * (stores.c), its registry says in a manifest which blob is the model, and the blob's first bytes
 * are fetched like any other file's. hf.co/owner/repo:QUANT is such a name too, because Hugging
 * Face answers as a registry.
 *
 * Rules: Ollama, types/model/name.go (names, defaults), server/images.go (media types of
 * layers). */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART 129 /* bytes of a part of a name, with its NUL */

struct name {
    const char *scheme;
    char host[PART], space[PART], model[PART], tag[PART];
};

static bool take(char out[PART], const char *p, size_t n)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._:";
    bool ok = n > 0 && n < PART && p[0] != '.' && p[0] != '-';
    for (size_t i = 0; ok && i < n; i++)
        ok = strchr(plain, p[i]) != NULL
             && !(p[i] == '.' && i + 1 < n && p[i + 1] == '.');
    if (ok)
        snprintf(out, PART, "%.*s", (int)n, p);
    return ok;
}

/* The registry that stands before a name without one; a test's own. */
static const char *default_host(const char **scheme)
{
    const char *own = getenv("ULLAGE_OLLAMA_REGISTRY");
    if (!own || !*own)
        return "registry.ollama.ai";
    if (strncmp(own, "http://", 7) == 0)
        *scheme = "http://";
    return strstr(own, "://") ? strstr(own, "://") + 3 : own;
}

/* From the end, since the front is what may be missing. */
static bool parse(struct name *n, const char *text)
{
    *n = (struct name){.scheme = "https://", .space = "library", .tag = "latest"};
    if (strncmp(text, "http://", 7) == 0)
        n->scheme = "http://";
    text += strncmp(text, "http://", 7) == 0 ? 7 : strncmp(text, "https://", 8) == 0 ? 8 : 0;
    const char *slash = strchr(text, '/'), *last = strrchr(text, '/');
    const char *model = last ? last + 1 : text, *colon = strchr(model, ':');
    size_t length = colon ? (size_t)(colon - model) : strlen(model);
    bool ok = take(n->model, model, length)
              && (!colon || (take(n->tag, colon + 1, strlen(colon + 1)) && !strchr(n->tag, ':')));
    if (last && slash == last) /* NAMESPACE/MODEL */
        ok = ok && take(n->space, text, (size_t)(last - text));
    else if (last) /* HOST/NAMESPACE/MODEL */
        ok = ok && take(n->host, text, (size_t)(slash - text))
             && take(n->space, slash + 1, (size_t)(last - slash - 1));
    if (ok && !*n->host)
        ok = take(n->host, default_host(&n->scheme), strlen(default_host(&n->scheme)));
    return ok;
}

/* ------------------------------------------------------------------ the registry */

int fetch_ollama_open(struct fetch_repo *r, struct fetch_session *s, const char *name,
                      ullage_error *err)
{
    struct name n;
    char url[1024], *text = NULL;
    size_t size;
    ullage_error own = {0};
    if (!parse(&n, name))
        return fetch_fail(err, ULLAGE_ERROR_USAGE, "'%.200s' is no name of Ollama's: write "
                          "MODEL:TAG, NAMESPACE/MODEL:TAG or hf.co/owner/repo:QUANT", name);
    snprintf(url, sizeof url, "%s%s/v2/%s/%s/manifests/%s", n.scheme, n.host, n.space, n.model,
             n.tag);
    int code = fetch_text(s, url, &text, &size, err);
    if (code == ULLAGE_ERROR_MISSING) {
        *err = (ullage_error){0};
        return fetch_fail(err, ULLAGE_ERROR_IO, "%s has no model '%s/%s' with the tag '%s'", n.host,
                          n.space, n.model, n.tag);
    }
    if (!code && (code = ullage_repo_read(&r->files, ULLAGE_REPO_MANIFEST, text, size, &own)) != 0)
        fetch_fail(err, code, "%.200s: %.250s", url, own.message);
    free(text);
    if (code)
        return code;
    snprintf(url, sizeof url, "%s%s/v2/%s/%s/blobs/", n.scheme, n.host, n.space, n.model);
    r->base = strdup(url);
    r->name = strdup(name);
    return r->base && r->name ? ULLAGE_OK : fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
}
