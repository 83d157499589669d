/* Models on this machine: where programs keep them, and what is there. Nothing of a file is read
 * but its folder's entry; a manifest, where a store has some. What a file is says sniff.h.
 *
 * A store is a list of places (stores.c), each of them a folder that may be there. One walk
 * (stores_walk.c) goes through all of them, and through folders that the caller names: it knows the
 * two layouts that are no plain tree, a Hugging Face repository and Ollama's manifests and blobs,
 * wherever it meets them. */
#ifndef UL_SOURCE_STORES_H
#define UL_SOURCE_STORES_H

#include "base/error.h"
#include "base/str.h"

#include <stdint.h>

#define UL_STORE_FOLDER "folder" /* of what was found in a folder that was named */
#define UL_STORE_OLLAMA "ollama"

struct ul_found {
    const char *store;
    const char *name;     /* in its store: what STORE:NAME means; of a folder's: the path */
    const char *path; /* a GGUF file (the first shard that is there), or a checkpoint's folder */
    const char *mmproj;   /* the encoder that goes with it, or NULL */
    const char *adapter;  /* a LoRA that its store applies to it, or NULL */
    const char *problem;  /* what is wrong without opening it; NULL: nothing seen */
    uint64_t bytes;       /* of its files here, as their folders state them */
    uint32_t n_files, n_missing; /* shards; missing by their numbers */
    bool folder;          /* path is a folder */
    bool given;           /* found below a folder that was named: only its path names it */
    bool unfinished;      /* a download that did not end */
    bool duplicate;       /* the same file as one before it */
};

struct ul_stores {
    struct ul_found *found; /* in the order of the table, by path within a place */
    size_t n, room;
    bool cut;               /* there was more than the walk's limit */
};

struct ul_stores_ask {
    const char *const *env;     /* "NAME=value", NULL at the end */
    const char *root;           /* stands for "/" in places that depend on no variable; or NULL */
    const char *store;          /* this one only; NULL: all */
    const char *const *folders; /* besides */
    size_t n_folders;
};

/* Everything lives in the arena. Errors: USAGE (no such store), IO (a folder that was named cannot
 * be read). */
int ul_stores_find(struct ul_stores *s, const struct ul_stores_ask *ask, struct ul_arena *a,
                   ullage_error *err);

/* The stores' names, from 0; NULL past the last. */
const char *ul_store_name(size_t i);

/* Whether a file is by its name a model that is still being fetched. */
bool ul_name_is_unfinished(const char *name);

/* Whether a model of Ollama's is meant by what a person typed: "llama3.2", "library/llama3.2:3b",
 * "hf.co/owner/repo:Q4_K_M". The tag is "latest" and the host the registry's when missing, and case
 * does not count. */
bool ul_ollama_same(const char *name, const char *typed);

#endif
