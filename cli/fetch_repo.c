/* Models of a repository, named as llama-server's -hf names them: owner/repo[:QUANT], or a file of
 * it as owner/repo/FILE (what -hff says). The repository's files are asked for at one commit, the
 * one that the engine would take is chosen by the library, and its header is fetched like any
 * other. A repository without GGUF files is a checkpoint: its configuration is taken, with the
 * headers of its safetensors.
 *
 * Addresses: llama.cpp, common/hf-cache.cpp: get_repo_commit, get_repo_files; common/common.cpp:
 * common_get_model_endpoint; ModelScope's client, modelscope/hub/api.py and file_download.py. */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_TEXT ((size_t)16 << 20)

/* ------------------------------------------------------------------ answers */

int fetch_text(struct fetch_session *s, const char *url, char **text, size_t *n, ullage_error *err)
{
    void *file;
    uint64_t size;
    long got = 1;
    *text = NULL;
    *n = 0;
    int code = fetch_open(s, url, &file, &size, err);
    if (code)
        return code;
    while (got > 0 && *n < MOST_TEXT) {
        char *p = realloc(*text, *n + 65537);
        if (!p) {
            code = fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
            break;
        }
        *text = p;
        got = fetch_read(file, *n, p + *n, 65536, err);
        *n += got > 0 ? (size_t)got : 0;
        p[*n] = '\0';
    }
    fetch_close(file);
    if (got > 0 && !code)
        code = fetch_fail(err, ULLAGE_ERROR_INPUT, "%.200s: too long an answer", url);
    if (got < 0 || code) {
        free(*text);
        *text = NULL;
    }
    return got < 0 ? err->code : code;
}

/* The answer at an address, read as one of its kind. */
static int ask(ullage_repo **repo, struct fetch_session *s, int kind, const char *url,
               ullage_error *err)
{
    ullage_error own = {0};
    char *text;
    size_t n;
    int code = fetch_text(s, url, &text, &n, err);
    *repo = NULL;
    if (!code && (code = ullage_repo_read(repo, kind, text, n, &own)) != 0)
        fetch_fail(err, code, "%.200s: %.250s", url, own.message);
    free(text);
    return code;
}

/* ------------------------------------------------------------------ names */

const char *fetch_endpoint(void)
{
    const char *base = getenv("MODEL_ENDPOINT");
    if (!base || !*base)
        base = getenv("HF_ENDPOINT");
    return base && *base ? base : "https://huggingface.co";
}

/* An address without the slash at its end. */
static char *without_slash(const char *base)
{
    size_t n = strlen(base);
    return strndup(base, n > 0 && base[n - 1] == '/' ? n - 1 : n);
}

/* What stands behind "https://huggingface.co/" in the word, or behind the endpoint's address; NULL:
 * it is no page of it. */
static const char *page(const char *word)
{
    static const char *const known[] = {"https://huggingface.co/", "https://hf.co/",
                                        "huggingface.co/", "hf.co/"};
    const char *own = fetch_endpoint();
    size_t n = strlen(own);
    if (strncmp(word, own, n) == 0 && (own[n - 1] == '/' || word[n] == '/'))
        return word + n + (own[n - 1] != '/');
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncasecmp(word, known[i], strlen(known[i])) == 0)
            return word + strlen(known[i]);
    return NULL;
}

static bool ends(const char *text, const char *tail)
{
    size_t n = strlen(text), k = strlen(tail);
    return n >= k && strcmp(text + n - k, tail) == 0;
}

/* owner/repo alone, with or without a quantisation; with a scheme that is a page for browsers. */
static bool is_owner_repo(const char *text)
{
    const char *slash = strchr(text, '/');
    return slash && slash > text && slash[1] && !strchr(slash + 1, '/') && !strpbrk(text, "?#")
           && !ends(text, ".gguf") && !ends(text, ".json");
}

static bool has_prefix(const char *word, const char *prefix)
{
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

bool fetch_is_repo(const char *word)
{
    const char *behind = page(word);
    return has_prefix(word, CLI_HF) || has_prefix(word, CLI_MS) || has_prefix(word, CLI_OLLAMA)
           || (behind && is_owner_repo(behind));
}

/* Upstream: common/hf-cache.cpp: is_valid_repo_id. */
static bool is_repo_name(const char *p, size_t n)
{
    bool special = true;
    for (size_t i = 0; i < n; i++) {
        bool word = (p[i] >= 'a' && p[i] <= 'z') || (p[i] >= 'A' && p[i] <= 'Z')
                    || (p[i] >= '0' && p[i] <= '9') || p[i] == '_';
        if (!word && (special || !strchr("/.-", p[i])))
            return false;
        special = !word;
    }
    return n > 0 && n <= 256 && !special;
}

/* "owner/repo[:QUANT]" or "owner/repo/FILE" into the repo's fields. */
static int split(struct fetch_repo *r, const char *spec, ullage_error *err)
{
    const char *slash = strchr(spec, '/');
    const char *next = slash ? slash + 1 + strcspn(slash + 1, "/:") : NULL;
    if (!slash || !is_repo_name(spec, (size_t)(next - spec)) || (*next && !next[1]))
        return fetch_fail(err, ULLAGE_ERROR_USAGE, "'%.200s' names no repository: write "
                          "owner/repo, owner/repo:QUANT or owner/repo/FILE.gguf", spec);
    r->name = strndup(spec, (size_t)(next - spec));
    r->quant = *next == ':' ? strdup(next + 1) : NULL;
    r->file = *next == '/' ? strdup(next + 1) : NULL;
    if (!r->name || (*next && !r->quant && !r->file))
        return fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ two hubs */

/* The branch's commit first, so that all files come from one revision. */
static int open_hf(struct fetch_repo *r, struct fetch_session *s, const char *spec,
                   ullage_error *err)
{
    char url[1024], *base = without_slash(fetch_endpoint());
    ullage_repo *refs = NULL;
    int code = base ? split(r, spec, err) : fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    if (!code) {
        snprintf(url, sizeof url, "%s/api/models/%s/refs", base, r->name);
        code = ask(&refs, s, ULLAGE_REPO_REFS, url, err);
    }
    if (!code) {
        const char *commit = ullage_repo_commit(refs);
        snprintf(url, sizeof url, "%s/api/models/%s/tree/%s?recursive=true", base, r->name, commit);
        code = ask(&r->files, s, ULLAGE_REPO_TREE, url, err);
        snprintf(url, sizeof url, "%s/%s/resolve/%s/", base, r->name, commit);
        r->base = strdup(url);
    }
    ullage_repo_free(refs);
    free(base);
    return code || r->base ? code : fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
}

/* MODELSCOPE_DOMAIN is a host's name; a mirror's whole address will do as well. */
static int open_ms(struct fetch_repo *r, struct fetch_session *s, const char *spec,
                   ullage_error *err)
{
    const char *domain = getenv("MODELSCOPE_DOMAIN");
    char url[1024], *host = without_slash(domain && *domain ? domain : "www.modelscope.cn");
    const char *scheme = host && fetch_is_url(host) ? "" : "https://";
    int code = host ? split(r, spec, err) : fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    if (!code) {
        snprintf(url, sizeof url, "%s%s/api/v1/models/%s/repo/files?Revision=master&Recursive=true",
                 scheme, host, r->name);
        code = ask(&r->files, s, ULLAGE_REPO_MODELSCOPE, url, err);
    }
    if (!code) {
        const char *commit = ullage_repo_commit(r->files);
        snprintf(url, sizeof url, "%s%s/models/%s/resolve/%s/", scheme, host, r->name,
                 commit ? commit : "master");
        r->base = strdup(url);
    }
    free(host);
    return code || r->base ? code : fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
}

int fetch_repo_open(struct fetch_repo *r, struct fetch_session *s, const char *word,
                    ullage_error *err)
{
    *r = (struct fetch_repo){0};
    if (has_prefix(word, CLI_OLLAMA))
        return fetch_ollama_open(r, s, word + strlen(CLI_OLLAMA), err);
    if (has_prefix(word, CLI_MS))
        return open_ms(r, s, word + strlen(CLI_MS), err);
    return open_hf(r, s, has_prefix(word, CLI_HF) ? word + strlen(CLI_HF) : page(word), err);
}

void fetch_repo_close(struct fetch_repo *r)
{
    ullage_repo_free(r->files);
    free(r->name);
    free(r->base);
    free(r->quant);
    free(r->file);
    *r = (struct fetch_repo){0};
}

/* What has a meaning in an address is written as %XX. */
char *fetch_repo_url(const struct fetch_repo *r, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/:@+,=";
    size_t n = strlen(r->base);
    char *url = malloc(n + 3 * strlen(path) + 1), *at = url + n;
    if (!url)
        return NULL;
    memcpy(url, r->base, n);
    for (; *path; path++)
        at += strchr(plain, *path) ? (*at = *path, 1) : sprintf(at, "%%%02X", (unsigned char)*path);
    *at = '\0';
    return url;
}

/* ------------------------------------------------------------------ the choice */

static bool holds(const struct fetch_repo *r, const char *path)
{
    ullage_repo_file f;
    for (size_t i = 0; ullage_repo_at(r->files, i, &f); i++)
        if (strcmp(f.path, path) == 0)
            return true;
    return false;
}

/* No such file: what there is instead. */
static int none(const struct fetch_repo *r, ullage_error *err)
{
    char list[280] = "";
    size_t k = 0, left = 0;
    ullage_repo_file f;
    for (size_t i = 0; ullage_repo_at(r->files, i, &f); i++) {
        size_t n = strlen(f.path) + 2;
        if (!ends(f.path, ".gguf"))
            continue;
        if (left > 0 || k + n >= sizeof list)
            left++;
        else
            k += (size_t)snprintf(list + k, sizeof list - k, "%s%s", k ? ", " : "", f.path);
    }
    if (left > 0)
        snprintf(list + k, sizeof list - k, " and %zu more", left);
    if (!*list)
        return fetch_fail(err, ULLAGE_ERROR_INPUT, "%.80s has no .gguf file%s", r->name,
                          holds(r, "config.json") ? ", but a config.json: name it without a "
                          "quantisation, and the one to make with --quant" : "");
    return fetch_fail(err, ULLAGE_ERROR_INPUT, "%.80s has no GGUF model%s%.60s; its files: %s",
                      r->name, r->file ? " called " : r->quant ? " of " : "",
                      r->file ? r->file : r->quant ? r->quant : "", list);
}

int fetch_repo_choose(const struct fetch_repo *r, bool config, const char **path, ullage_error *err)
{
    const char *asked = r->file && holds(r, r->file) ? r->file : NULL;
    bool checkpoint = holds(r, "config.json");
    if (config && checkpoint && (!asked || !ends(asked, ".json"))) {
        *path = "config.json";
        return ULLAGE_OK;
    }
    if (config && !asked)
        return fetch_fail(err, ULLAGE_ERROR_INPUT, "%.200s has no config.json", r->name);
    /* Upstream: common/download.cpp: common_download_get_hf_plan: a preset before all else. */
    if (!config && holds(r, "preset.ini"))
        return fetch_fail(err, ULLAGE_ERROR_INPUT,
                          "%.200s holds a preset.ini: llama-server starts as "
                          "a router of the models that it lists; name one of these",
                          r->name);
    *path = r->file ? asked : ullage_repo_model(r->files, r->quant);
    if (!*path && !r->file && !r->quant && checkpoint)
        *path = "config.json";
    return *path ? ULLAGE_OK : none(r, err);
}
