/* A safetensors file's header: a length, then JSON that names every tensor, its type, shape and
 * place. And the index that joins shards: which tensor is in which file. Nothing of the data is
 * read. Source: huggingface/safetensors, safetensors/src/tensor.rs (Metadata::validate): tensors
 * follow each other without gaps and fill the file; a header has at most 100 MB. */
#ifndef UL_SOURCE_SAFETENSORS_H
#define UL_SOURCE_SAFETENSORS_H

#include "source/jsonread.h"
#include "source/source.h"

#define UL_ST_DIMS 8                     /* of a tensor; PyTorch's own use has at most 6 */
#define UL_ST_TENSORS ((size_t)1 << 20)  /* of one model */
#define UL_ST_FILES 4096                 /* shards of one model */

struct ul_st_dtype {
    const char *name;
    uint32_t bits;
};

struct ul_st_tensor {
    struct ul_str name;
    const struct ul_st_dtype *dtype;
    uint32_t n_dims;
    uint64_t shape[UL_ST_DIMS]; /* slowest first, as in the file */
    uint64_t begin, end;        /* bytes of the data part of its file */
    uint64_t position;          /* byte of its name in the header */
    uint32_t file;
};

struct ul_st {
    struct ul_st_tensor *tensors; /* by file, then by place */
    size_t n_tensors, room;
    uint32_t n_files;
    uint64_t bytes;      /* of all tensors */
    uint64_t header;     /* bytes of the headers, lengths included */
    bool partial;        /* some file ends before its tensors do */
    size_t n_missing;    /* shards that the index names and are not there */
};

/* Adds one file's tensors. Errors: IO, INPUT (with the byte), UNKNOWN (a type). */
int ul_st_read(struct ul_st *st, struct ul_source *s, struct ul_arena *a, ullage_error *err);

/* The files that an index names, in the order of their names, without repeats; *n of them. Each is
 * a bare name: one with a folder in it is an error. NULL with the error set. */
const struct ul_str *ul_st_index(size_t *n, const char *name, const char *text, size_t bytes,
                                 struct ul_arena *a, ullage_error *err);

/* The checkpoint in a folder, of the system (opener NULL) or of a server: model.safetensors, or the
 * shards of model.safetensors.index.json. *found is false, and nothing read, when there is
 * neither. */
int ul_st_open_folder(struct ul_st *st, const struct ul_opener *opener, const char *folder,
                      bool *found, struct ul_arena *a, ullage_error *err);

#endif
