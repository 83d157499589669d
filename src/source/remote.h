/* What servers of models answer, understood: the files of a repository, the one of them that
 * llama-server would take, and what goes with it. No network here: text comes in, names go out.
 *
 * The text is a stranger's. It is read by the JSON reader with its caps; a file whose path leaves
 * the repository, a commit that is none and a digest that is none are passed over, so that whatever
 * comes out can stand in an address and in a path. */
#ifndef UL_SOURCE_REMOTE_H
#define UL_SOURCE_REMOTE_H

#include "base/error.h"
#include "base/str.h"

struct ul_remote_file {
    const char *path;  /* in the repository; a registry's blob: its digest */
    uint64_t bytes;    /* UINT64_MAX: not said */
    const char *media; /* of a registry's blob; else NULL */
};

struct ul_remote {
    struct ul_remote_file *files;
    size_t n;
    const char *commit; /* one revision that has all of the files; NULL: not said */
};

/* Each reads one kind of answer. Errors: INPUT. */
/* Hugging Face: /api/models/OWNER/REPO/refs; gives the commit only. */
int ul_remote_refs(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                   ullage_error *err);
/* Hugging Face: /api/models/OWNER/REPO/tree/COMMIT?recursive=true */
int ul_remote_tree(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                   ullage_error *err);
/* ModelScope: /api/v1/models/OWNER/REPO/repo/files?Recursive=true */
int ul_remote_modelscope(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                         ullage_error *err);
/* A registry's manifest: /v2/NAMESPACE/MODEL/manifests/TAG, or the file of a local store. */
int ul_remote_manifest(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                       ullage_error *err);

/* Whether a path is a model's by its name, and of a split model the first file's. */
bool ul_remote_is_model(const char *path);

/* The file that llama-server takes for a quantisation ("": the one it takes by itself), or a
 * registry's model; NULL: there is none. */
const struct ul_remote_file *ul_remote_choose(const struct ul_remote *r, const char *tag);

/* What llama-server loads beside that file: `what` is "mmproj", "mtp-", "eagle3-", "dflash-" or
 * "dspark-"; NULL: nothing. */
const struct ul_remote_file *ul_remote_beside(const struct ul_remote *r, const char *model,
                                              const char *what, const char *tag,
                                              struct ul_arena *a);

#endif
