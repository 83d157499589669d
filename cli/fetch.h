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

/* As the functions of a ullage_reader; `state` is a session, `name` a URL with its query. What was
 * read stays with the session: opened again, a file asks nobody for it. */
int fetch_open(void *state, const char *url, void **file, uint64_t *size, ullage_error *err);
long fetch_read(void *file, uint64_t offset, void *buf, size_t n, ullage_error *err);
void fetch_close(void *file);

/* All of an answer with a NUL behind it, to be freed; *n its length. */
int fetch_text(struct fetch_session *s, const char *url, char **text, size_t *n, ullage_error *err);

/* Whether the words name a file on a server. */
bool fetch_is_url(const char *text);
/* Whether no server may be asked: --offline, or LLAMA_ARG_OFFLINE. */
bool fetch_offline(const struct cli_args *args);
/* Where Hugging Face is: MODEL_ENDPOINT, HF_ENDPOINT, or its own address. */
const char *fetch_endpoint(void);

/* ------------------------------------------------------------------ repositories */

/* The files of a model on a server, and where they are. */
struct fetch_repo {
    ullage_repo *files;
    char *name;  /* "owner/repo", for messages */
    char *base;  /* what stands before a file's path in its address */
    char *quant; /* the quantisation that was asked for, or NULL */
    char *file;  /* the file that was asked for, or NULL */
};

/* Whether the word names a repository: hf:, ms:, ollama:, hf.co/... or a page of Hugging Face's. */
bool fetch_is_repo(const char *word);
/* Asks for its list of files. */
int fetch_repo_open(struct fetch_repo *r, struct fetch_session *s, const char *word,
                    ullage_error *err);
void fetch_repo_close(struct fetch_repo *r);
/* The address of a file, to be freed. */
char *fetch_repo_url(const struct fetch_repo *r, const char *path);
/* The path of the file to plan: the one that llama-server would take, or the configuration of a
 * repository without GGUF files, and always of it when `config`. */
int fetch_repo_choose(const struct fetch_repo *r, bool config, const char **path,
                      ullage_error *err);

/* "ollama:[HOST/][NAMESPACE/]MODEL[:TAG]", behind its prefix. */
int fetch_ollama_open(struct fetch_repo *r, struct fetch_session *s, const char *name,
                      ullage_error *err);

/* Sets the error, unless one is set, and returns its code. */
int fetch_fail(ullage_error *err, int code, const char *fmt, ...);

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
