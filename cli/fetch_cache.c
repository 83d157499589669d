/* Headers that were taken from servers, under XDG_CACHE_HOME: a file each, named by a hash of its
 * URL, with a few lines before the bytes. What is kept may be the beginning of a header only, when
 * a transfer was broken off: the next one goes on there. It is not believed without asking the
 * server, unless its address names the content (--offline aside), so nothing here grows old, and it
 * can be deleted at any time. Of more than MOST_BYTES those that were used longest ago go. Programs
 * that run at once each write a file of their own and rename it: the last one stays. */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIRST_LINE "ullage header 1"
#define LINE_BYTES 4096
#define MOST_BYTES ((uint64_t)512 << 20)
#define KEPT_BYTES (MOST_BYTES / 4 * 3) /* what is left when that was too much */
#define STALE_SECONDS 3600              /* a file half written, whose program is gone */

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
    } else {
        futimens(fileno(f), NULL); /* used now */
    }
    fclose(f);
}

/* The file that was used longest ago, and the size of all; half-written ones that are left behind
 * are removed on the way. Other files are none of ours. */
static uint64_t look_over(const char *dir, char *oldest, size_t size)
{
    uint64_t all = 0;
    time_t then = 0;
    char path[1400];
    struct stat st;
    DIR *d = opendir(dir);
    *oldest = '\0';
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        size_t hex = strspn(e->d_name, "0123456789abcdef");
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (hex != 16 || lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
            continue;
        if (e->d_name[16] == '.' && st.st_mtime < time(NULL) - STALE_SECONDS)
            remove(path);
        if (e->d_name[16] != '\0')
            continue;
        all += (uint64_t)st.st_size;
        if (!*oldest || st.st_mtime < then) {
            snprintf(oldest, size, "%s", path);
            then = st.st_mtime;
        }
    }
    if (d)
        closedir(d);
    return all;
}

static void prune(void)
{
    char dir[1024], oldest[1400];
    uint64_t most = MOST_BYTES;
    while (folder(dir, sizeof dir, false) && look_over(dir, oldest, sizeof oldest) > most
           && *oldest && remove(oldest) == 0)
        most = KEPT_BYTES;
}

/* Written beside and renamed, so that a reader finds all of it or the one before. */
void fetch_cache_save(const struct fetch_cached *c, const char *url)
{
    char path[1100], beside[1160];
    if (strchr(url, '\n') || strlen(url) >= LINE_BYTES - 2
        || !path_of(path, sizeof path, url, true))
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
    prune();
}
