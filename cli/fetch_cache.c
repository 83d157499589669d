/* Headers that were taken from servers, under XDG_CACHE_HOME: a file each, named by a hash of its
 * URL, with a few lines before the bytes. What is kept may be the beginning of a header only, when
 * a transfer was broken off: the next one goes on there. It is never believed without asking the
 * server (--offline aside), so nothing here grows old, and it can be deleted at any time. */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE "ullage header 1"
#define LINE_BYTES 4096

/* FNV-1a. A collision is harmless, because the URL is in the file and is compared. */
static uint64_t hash(const char *text)
{
    uint64_t h = 14695981039346656037u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

/* The cache's folder, made on the way when `make`. */
static bool folder(char *out, size_t size, bool make)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = base && *base == '/' ? snprintf(out, size, "%s", base)
            : home && *home == '/' ? snprintf(out, size, "%s/.cache", home) : -1;
    if (n < 0 || (size_t)n + 20 >= size)
        return false;
    static const char *const below[] = {"", "/ullage", "/headers"};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        strcat(out, below[i]);
        if (make)
            mkdir(out, 0700);
    }
    return true;
}

static bool path_of(char *out, size_t size, const char *url, bool make)
{
    char dir[1024];
    return folder(dir, sizeof dir, make)
           && (size_t)snprintf(out, size, "%s/%016" PRIx64, dir, hash(url)) < size;
}

/* A line without its end; false at the file's. */
static bool line(FILE *f, char *out, size_t size)
{
    if (!fgets(out, (int)size, f))
        return false;
    size_t n = strcspn(out, "\n");
    bool whole = out[n] == '\n';
    out[n] = '\0';
    return whole;
}

static bool read_all(struct fetch_cached *c, FILE *f, const char *url)
{
    char text[LINE_BYTES], numbers[80];
    unsigned long long n;
    if (!line(f, text, sizeof text) || strcmp(text, FIRST_LINE) != 0 || !line(f, text, sizeof text)
        || strcmp(text, url) != 0 || !line(f, c->id.etag, sizeof c->id.etag)
        || !line(f, c->id.modified, sizeof c->id.modified) || !line(f, numbers, sizeof numbers)
        || sscanf(numbers, "%" SCNu64 " %llu", &c->id.size, &n) != 2 || n == 0 || n > c->id.size
        || n > ((unsigned long long)1 << 30))
        return false;
    c->n = (size_t)n;
    c->bytes = malloc(c->n);
    return c->bytes && fread(c->bytes, 1, c->n, f) == c->n;
}

void fetch_cache_load(struct fetch_cached *c, const char *url)
{
    char path[1100];
    *c = (struct fetch_cached){.bytes = NULL};
    FILE *f = path_of(path, sizeof path, url, false) ? fopen(path, "rb") : NULL;
    if (!f)
        return;
    if (!read_all(c, f, url)) {
        free(c->bytes);
        *c = (struct fetch_cached){.bytes = NULL};
    }
    fclose(f);
}

/* Written beside and renamed, so that a reader finds all of it or the one before. */
void fetch_cache_save(const struct fetch_cached *c, const char *url)
{
    char path[1100], beside[1160];
    if (strchr(url, '\n') || strlen(url) >= LINE_BYTES - 2 || !path_of(path, sizeof path, url, true))
        return;
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    mode_t old = umask(077); /* a URL may hold a signature */
    FILE *f = fopen(beside, "wb");
    umask(old);
    if (!f)
        return;
    bool ok = fprintf(f, "%s\n%s\n%s\n%s\n%" PRIu64 " %zu\n", FIRST_LINE, url, c->id.etag,
                      c->id.modified, c->id.size, c->n) > 0
              && fwrite(c->bytes, 1, c->n, f) == c->n;
    ok &= fclose(f) == 0;
    if (!ok || rename(beside, path) != 0)
        remove(beside);
}
