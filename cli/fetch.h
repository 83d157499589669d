/* Files on servers: their first bytes, by requests that take as little as can be, and a cache of
 * what was taken. Only the command fetches; the library reads what it is handed. */
#ifndef UL_CLI_FETCH_H
#define UL_CLI_FETCH_H

#include "cli.h"

/* What makes two answers answers about the same file. */
struct fetch_identity {
    char etag[256], modified[64]; /* "" when the server did not say */
    uint64_t size;                /* UINT64_MAX: not known */
};

struct fetch_session; /* connections that are kept, and what the command line said of requests */
struct fetch_file;

int fetch_session_open(struct fetch_session **s, const struct cli_args *args, ullage_error *err);
void fetch_session_close(struct fetch_session *s);

/* As the functions of a ullage_reader; `state` is a session, `name` a URL with its query. */
int fetch_open(void *state, const char *url, void **file, uint64_t *size, ullage_error *err);
long fetch_read(void *file, uint64_t offset, void *buf, size_t n, ullage_error *err);
void fetch_close(void *file);

/* The URL of the file that -hf means by owner/repo[:QUANT]; to be freed. */
int fetch_hf_url(struct fetch_session *s, const char *spec, char **url, ullage_error *err);

/* Whether the words name a file on a server. */
bool fetch_is_url(const char *text);

/* ------------------------------------------------------------------ the cache */

/* The first n bytes of a file as they were taken earlier; bytes NULL: there are none. */
struct fetch_cached {
    struct fetch_identity id;
    unsigned char *bytes;
    size_t n;
};

void fetch_cache_load(struct fetch_cached *c, const char *url);
/* What cannot be written is not cached, which is no error. */
void fetch_cache_save(const struct fetch_cached *c, const char *url);

#endif
