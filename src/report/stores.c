/* The public face of the stores: what was found, and which of it a word means. */
#include "base/error.h"
#include "source/stores.h"

#include <stdlib.h>

struct ullage_stores {
    struct ul_arena arena;
    ullage_found *list;
    size_t n;
    int cut;
};

/* ------------------------------------------------------------------ names */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_gguf(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".gguf") == 0;
}

static int by_file_name(const void *a, const void *b)
{
    const ullage_found *const *x = a, *const *y = b;
    int order = strcmp(file_name((*x)->name), file_name((*y)->name));
    return order ? order : strcmp((*x)->argument, (*y)->argument);
}

/* A file's own name is enough where it is the only one; Ollama's models have none. Two places of
 * one store may hold the same name: then only the paths differ. */
static void name_all(struct ullage_stores *s, const struct ul_found *found)
{
    ullage_found **sorted = UL_NEWS(&s->arena, ullage_found *, s->n + 1);
    const char **argument = UL_NEWS(&s->arena, const char *, s->n + 1);
    for (size_t i = 0; i < s->n; i++) {
        ullage_found *f = sorted[i] = &s->list[i];
        f->argument = found[i].given ? f->path : ul_format(&s->arena, "%s:%s", f->store, f->name);
    }
    if (s->n)
        qsort(sorted, s->n, sizeof *sorted, by_file_name);
    for (size_t i = 0; i < s->n; i++) {
        const ullage_found *f = sorted[i], *near[2] = {i ? sorted[i - 1] : NULL,
                                                       i + 1 < s->n ? sorted[i + 1] : NULL};
        bool alone = is_gguf(f->name) && strcmp(f->argument, f->path) != 0;
        argument[i] = f->argument;
        for (int k = 0; k < 2; k++) {
            alone &= !near[k] || strcmp(file_name(near[k]->name), file_name(f->name)) != 0;
            if (near[k] && strcmp(near[k]->argument, f->argument) == 0)
                argument[i] = f->path;
        }
        if (alone)
            argument[i] = file_name(f->name);
    }
    for (size_t i = 0; i < s->n; i++)
        sorted[i]->argument = argument[i];
}

/* ------------------------------------------------------------------ finding */

static int find(struct ullage_stores *s, const ullage_stores_options *o, ullage_error *err)
{
    struct ul_stores found;
    struct ul_stores_ask ask = {.env = o->env, .root = o->root, .store = o->store,
                                .folders = o->folders, .n_folders = o->n_folders};
    int code = ul_stores_find(&found, &ask, &s->arena, err);
    if (code != ULLAGE_OK)
        return code;
    s->n = found.n;
    s->cut = found.cut;
    s->list = UL_NEWS(&s->arena, ullage_found, found.n + 1);
    for (size_t i = 0; i < found.n; i++) {
        const struct ul_found *f = &found.found[i];
        s->list[i] = (ullage_found){
            .store = f->store, .name = f->name, .path = f->path, .mmproj = f->mmproj,
            .adapter = f->adapter, .problem = f->problem, .size_bytes = f->bytes,
            .n_files = f->n_files, .n_missing = f->n_missing, .folder = f->folder,
            .unfinished = f->unfinished, .duplicate = f->duplicate};
    }
    name_all(s, found.found);
    return ULLAGE_OK;
}

int ullage_stores_find(ullage_stores **stores, const ullage_stores_options *options,
                       ullage_error *err)
{
    jmp_buf oom;
    struct ullage_stores *volatile s = calloc(1, sizeof *s);
    *stores = NULL;
    if (!s)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    if (setjmp(oom)) {
        ullage_stores_free(s);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    s->arena.oom = &oom;
    int code = find(s, options, err);
    s->arena.oom = NULL;
    if (code != ULLAGE_OK)
        ullage_stores_free(s);
    else
        *stores = s;
    return code;
}

void ullage_stores_free(ullage_stores *stores)
{
    if (!stores)
        return;
    ul_arena_free(&stores->arena);
    free(stores);
}

const ullage_found *ullage_stores_list(const ullage_stores *stores, size_t *n)
{
    if (n)
        *n = stores->n;
    return stores->list;
}

int ullage_stores_cut(const ullage_stores *stores)
{
    return stores->cut;
}

const char *ullage_store_at(size_t i)
{
    return ul_store_name(i);
}

const char *ullage_store_of(const char *text)
{
    const char *name;
    for (size_t i = 0; (name = ul_store_name(i)) != NULL; i++)
        if (strncmp(text, name, strlen(name)) == 0 && text[strlen(name)] == ':')
            return name;
    return NULL;
}

/* ------------------------------------------------------------------ what a word means */

/* 0: no; 1: the end of its name, from a slash on; 2: all of it. */
static int means(const ullage_found *f, const char *store, const char *name)
{
    if (store && strcmp(store, f->store) != 0)
        return 0;
    if (strcmp(f->store, UL_STORE_OLLAMA) == 0)
        return store && ul_ollama_same(f->name, name) ? 2 : 0;
    size_t n = strlen(f->name), k = strlen(name);
    if (k > n || strcmp(f->name + n - k, name) != 0)
        return 0;
    return k == n ? 2 : f->name[n - k - 1] == '/';
}

/* The files of that rank: the first, and how many. Another name of one file is no second. */
static const ullage_found *first_of(const struct ullage_stores *s, const char *store,
                                    const char *name, int rank, size_t *n)
{
    const ullage_found *first = NULL;
    *n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const ullage_found *f = &s->list[i];
        if (means(f, store, name) < rank)
            continue;
        if (!first)
            first = f;
        *n += *n == 0 || !f->duplicate;
    }
    return first;
}

const ullage_found *ullage_stores_named(const ullage_stores *stores, const char *text,
                                        ullage_error *err)
{
    const char *store = ullage_store_of(text), *name = store ? text + strlen(store) + 1 : text;
    size_t n;
    for (int rank = 2; rank > 0; rank--) {
        const ullage_found *f = first_of(stores, store, name, rank, &n);
        if (n == 1)
            return f;
        if (n == 0)
            continue;
        ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                "'%.100s' names %zu models of this machine: say %s, or which other ('ullage list')",
                text, n, f->argument);
        return NULL;
    }
    ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION,
            "%.100s: %sno model of this name on this machine ('ullage list' shows what there is)",
            text, store ? "" : "no such file, and ");
    return NULL;
}
