/* Between the places of stores (stores.c), the walk through them (stores_walk.c) and Ollama's
 * manifests (stores_ollama.c). */
#ifndef UL_SOURCE_STORES_WALK_H
#define UL_SOURCE_STORES_WALK_H

#include "source/stores.h"

#include <dirent.h>
#include <sys/stat.h>

/* Files and folders that were met, by device and inode: links cannot make the walk go in circles,
 * and a file with two names is one model. */
struct ul_seen {
    struct ul_seen_file {
        uint64_t device, inode;
        bool used;
    } *at;
    size_t n, room;
};

struct ul_walk {
    struct ul_stores *out;
    struct ul_arena *arena;
    struct ul_seen folders, files;
    size_t entries;       /* looked at so far */
    DIR *open;            /* the folder that is being listed */
    const char *store;
    bool given;           /* below a folder that was named */
    const char *prefix;   /* of names: a repository, or "" */
    size_t base;          /* how much of a path goes before names */
};

/* The names in a folder, sorted, hidden ones left out. `kind` is dirent's d_type. */
struct ul_entry {
    const char *name;
    unsigned char kind;
};

/* NULL when it cannot be listed. */
struct ul_entry *ul_walk_list(struct ul_walk *w, const char *path, size_t *n);
bool ul_walk_is_folder(struct ul_walk *w, const char *path, const struct ul_entry *e);
/* A new row. */
struct ul_found *ul_walk_add(struct ul_walk *w, const char *path, const struct stat *st);
/* From this folder down, what is in it. */
void ul_walk(struct ul_walk *w, const char *path);
void ul_walk_ollama(struct ul_walk *w, const char *path);

#endif
