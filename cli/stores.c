/* Models of this machine by the names that 'list' shows. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int cli_stores(ullage_stores **stores, const struct cli_args *args, const char *store,
               const char *const *folders, size_t n_folders, ullage_error *err)
{
    ullage_stores_options o = {.env = (const char *const *)environ, .root = args->sysroot,
                               .store = store, .folders = folders, .n_folders = n_folders};
    return ullage_stores_find(stores, &o, err);
}

/* A name of the catalogue has no ".gguf"; a path has a slash, or is there. */
bool cli_is_local(const char *word)
{
    size_t n = strlen(word);
    return access(word, F_OK) != 0
           && (ullage_store_of(word)
               || (n > 5 && !strchr(word, '/') && strcmp(word + n - 5, ".gguf") == 0));
}

char *cli_local_path(const struct cli_args *args, const char *word, ullage_error *err)
{
    ullage_stores *stores = NULL;
    char *path = NULL;
    if (cli_stores(&stores, args, ullage_store_of(word), NULL, 0, err))
        return NULL;
    const ullage_found *f = ullage_stores_named(stores, word, err);
    if (f && f->problem && (access(f->path, R_OK) != 0 || strcmp(f->store, "ollama") == 0)) {
        err->code = ULLAGE_ERROR_IO; /* known by name only: a server may have it */
        err->position = ULLAGE_NO_POSITION;
        snprintf(err->message, sizeof err->message, "%.200s: %.200s", word, f->problem);
    } else if (f && !(path = strdup(f->path))) {
        *err = (ullage_error){.code = ULLAGE_ERROR_MEMORY, .message = "out of memory"};
    }
    ullage_stores_free(stores);
    return path;
}
