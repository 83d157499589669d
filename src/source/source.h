/* Where header bytes come from: a file, memory, or whatever a caller reads by offset. One struct of
 * two functions; the reader above it keeps a window and asks for the next piece. */
#ifndef UL_SOURCE_SOURCE_H
#define UL_SOURCE_SOURCE_H

#include "base/error.h"

struct ul_source {
    const char *name;   /* for messages: the path */
    uint64_t size;      /* the file's size in bytes as it is here; UINT64_MAX when unknown */
    /* Reads up to n bytes at `offset` into buf; 0 at the end of the file, -1 on error (err set). */
    long (*read)(struct ul_source *s, uint64_t offset, void *buf, size_t n, ullage_error *err);
    void (*close)(struct ul_source *s);
    void *state;
    size_t held;        /* memory: how many bytes there are */
};

/* How files are opened by name: the system's, when there is none of these. */
struct ul_opener {
    int (*open)(void *state, struct ul_source *s, const char *name, struct ul_arena *a,
                ullage_error *err);
    void *state;
};

/* Opens by a caller's reader, which must outlive it. */
struct ul_opener ul_source_handed(const ullage_reader *reader);

/* The end of a path, for messages: a long path must not push the rest of the line away. */
const char *ul_path_tail(const char *path);

/* Opens a regular file for reading. Errors: IO (no such file, a directory, no permission). */
int ul_source_file(struct ul_source *s, const char *path, struct ul_arena *a, ullage_error *err);
/* Whether the path is a folder. */
bool ul_source_is_folder(const char *path);
/* By the opener, or when it is NULL as ul_source_file. */
int ul_source_open(struct ul_source *s, const struct ul_opener *opener, const char *path,
                   struct ul_arena *a, ullage_error *err);
/* The same for a file that may be missing: then *found is false, which is no error. Of the system's
 * files those that cannot be opened count as missing too. */
int ul_source_look(struct ul_source *s, const struct ul_opener *opener, const char *path,
                   bool *found, struct ul_arena *a, ullage_error *err);
/* All of a file, which has at most `most` bytes, with a NUL behind it; NULL with the error set. */
char *ul_source_text(const struct ul_opener *opener, const char *path, size_t most, size_t *n,
                     struct ul_arena *a, ullage_error *err);
/* All that is left of a source, which is closed. */
char *ul_source_rest(struct ul_source *s, size_t most, size_t *n, struct ul_arena *a,
                     ullage_error *err);
/* Bytes in memory, the first `n` of a file of `size` bytes. They are not copied. */
void ul_source_memory(struct ul_source *s, const void *p, size_t n, uint64_t size);

#endif
