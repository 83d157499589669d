/* Models of a Hugging Face repository, named as llama-server's -hf names them: owner/repo[:QUANT].
 * The repository's files are asked for, the one that the engine would take is chosen by its rules,
 * and its header is fetched like any other.
 *
 * Rules: common/hf-cache.cpp: get_repo_commit, get_repo_files (addresses) and common/download.cpp:
 * find_best_model, gguf_filename_is_model (the choice). */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_LISTING ((size_t)16 << 20)

static int fail(ullage_error *err, int code, const char *a, const char *b)
{
    err->code = code;
    err->position = ULLAGE_NO_POSITION;
    snprintf(err->message, sizeof err->message, "%.200s%.300s", a, b);
    return code;
}

/* All of an answer, with a NUL behind it. */
static int get(struct fetch_session *s, const char *url, char **text, ullage_error *err)
{
    void *file;
    uint64_t size;
    size_t n = 0;
    long got = 1;
    *text = NULL;
    int code = fetch_open(s, url, &file, &size, err);
    if (code)
        return code;
    while (got > 0 && n < MOST_LISTING) {
        char *p = realloc(*text, n + 65537);
        if (!p)
            break;
        *text = p;
        got = fetch_read(file, n, p + n, 65536, err);
        n += got > 0 ? (size_t)got : 0;
        p[n] = '\0';
    }
    fetch_close(file);
    if (got == 0)
        return ULLAGE_OK;
    free(*text);
    *text = NULL;
    return err->code ? err->code : fail(err, ULLAGE_ERROR_INPUT, "too long an answer: ", url);
}

/* The next "path" of a listing, cut out in place; NULL at the end. Names with escapes are passed
 * over: no model file is called so. */
static char *next_path(char **at)
{
    for (char *p; (p = strstr(*at, "\"path\"")) != NULL;) {
        p += 6;
        p += strspn(p, " \t\r\n:");
        size_t n = *p == '"' ? strcspn(p + 1, "\"\\") : 0;
        *at = p;
        if (n == 0 || p[n + 1] != '"')
            continue;
        *at = p + n + 2;
        p[n + 1] = '\0';
        return p + 1;
    }
    return NULL;
}

static bool ends_in_gguf(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && strcmp(path + n - 5, ".gguf") == 0;
}

/* A later shard is no choice: the first brings it along. */
static bool is_model(const char *path)
{
    static const char *const others[] = {"mmproj", "imatrix", "mtp-", "eagle3-", "dflash-", "dspark-"};
    const char *slash = strrchr(path, '/'), *of = strstr(path, "-of-");
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(name, others[i]))
            return false;
    if (of && of - path >= 6 && of[-6] == '-' && strspn(of - 5, "0123456789") == 5
        && strncmp(of - 5, "00001", 5) != 0)
        return false;
    return ends_in_gguf(path);
}

/* The tag anywhere in the path, in any case, with a dot or a dash behind it. */
static bool has_tag(const char *path, const char *tag)
{
    size_t n = strlen(tag);
    for (; *path; path++)
        if (strncasecmp(path, tag, n) == 0 && (path[n] == '.' || path[n] == '-'))
            return true;
    return false;
}

static const char *choose(char *const *paths, size_t n, const char *tag)
{
    const char *const tags[] = {*tag ? tag : "Q4_K_M", *tag ? NULL : "Q8_0"};
    for (int t = 0; t < 2 && tags[t]; t++)
        for (size_t i = 0; i < n; i++)
            if (is_model(paths[i]) && has_tag(paths[i], tags[t]))
                return paths[i];
    for (size_t i = 0; !*tag && i < n; i++)
        if (is_model(paths[i]))
            return paths[i];
    return NULL;
}

/* No such quantisation: what there is instead. */
static int none(char *const *paths, size_t n, const char *repo, const char *tag, ullage_error *err)
{
    char list[300] = "";
    size_t k = 0;
    for (size_t i = 0; i < n && k < sizeof list; i++)
        if (ends_in_gguf(paths[i]))
            k += (size_t)snprintf(list + k, sizeof list - k, "%s%s", k ? ", " : "", paths[i]);
    err->code = ULLAGE_ERROR_INPUT;
    err->position = ULLAGE_NO_POSITION;
    snprintf(err->message, sizeof err->message, "%.80s has no GGUF model%s%.20s; its files: %s", repo,
             *tag ? " of " : "", tag, *list ? list : "no .gguf at all");
    return err->code;
}

/* `spec`: owner/repo[:QUANT]. The URL of the file, to be freed. */
int fetch_hf_url(struct fetch_session *s, const char *spec, char **url, ullage_error *err)
{
    char repo[160], address[640];
    const char *colon = strchr(spec, ':'), *tag = colon ? colon + 1 : "";
    const char *base = getenv("MODEL_ENDPOINT");
    char *text, *paths[1024];
    size_t n = 0;
    *url = NULL;
    snprintf(repo, sizeof repo, "%.*s", (int)(colon ? colon - spec : (long)strlen(spec)), spec);
    const char *slash = strchr(repo, '/');
    if (!slash || slash == repo || !slash[1] || strchr(slash + 1, '/') || strpbrk(repo, "?#% \\"))
        return fail(err, ULLAGE_ERROR_USAGE, "-hf wants owner/repo[:QUANT], not ", spec);
    base = base && *base ? base : getenv("HF_ENDPOINT");
    base = base && *base ? base : "https://huggingface.co";
    int bare = (int)strlen(base) - (base[strlen(base) - 1] == '/');
    snprintf(address, sizeof address, "%.*s/api/models/%s/tree/main?recursive=true", bare, base, repo);
    int code = get(s, address, &text, err);
    if (code)
        return code;
    char *at = text;
    while (n < 1024 && (paths[n] = next_path(&at)) != NULL)
        n++;
    const char *path = choose(paths, n, tag);
    snprintf(address, sizeof address, "%.*s/%s/resolve/main/%s", bare, base, repo, path ? path : "");
    if (!path)
        code = none(paths, n, repo, tag, err);
    else if (!(*url = strdup(address)))
        code = fail(err, ULLAGE_ERROR_MEMORY, "out of memory", "");
    free(text);
    return code;
}
