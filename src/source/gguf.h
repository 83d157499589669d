/* A GGUF file's header: keys, tensors, and where the data would be. One struct for a file and for a
 * set of shards. Nothing of the data is read; string arrays are walked and counted, not kept. */
#ifndef UL_SOURCE_GGUF_H
#define UL_SOURCE_GGUF_H

#include "source/source.h"
#include "source/types.h"

enum ul_gguf_value {
    UL_GGUF_U8, UL_GGUF_I8, UL_GGUF_U16, UL_GGUF_I16, UL_GGUF_U32, UL_GGUF_I32, UL_GGUF_F32,
    UL_GGUF_BOOL, UL_GGUF_STRING, UL_GGUF_ARRAY, UL_GGUF_U64, UL_GGUF_I64, UL_GGUF_F64,
    UL_GGUF_VALUE_COUNT
};

struct ul_gguf_kv {
    struct ul_str key;
    uint8_t type;        /* enum ul_gguf_value */
    uint8_t item;        /* arrays: the items' type */
    uint64_t count;      /* arrays: how many items; else 1 */
    uint64_t position;   /* byte of the key in its file */
    /* Scalars, widened; arrays: items of numbers or bools, widened, NULL when there are more than
     * the reader keeps (tokenizer arrays) or the items are strings. A string longer than the
     * reader keeps (a chat template) has p NULL and n 0. */
    union {
        uint64_t u; /* unsigned and bool */
        int64_t i;
        double f;
        struct ul_str s;
        const uint64_t *us;
        const int64_t *is;
        const double *fs;
    } v;
};

struct ul_gguf_tensor {
    struct ul_str name;
    uint32_t n_dims;
    uint64_t ne[4];      /* 1 past n_dims */
    enum ul_type type;
    uint64_t bytes;      /* without padding */
    uint64_t offset;     /* in its file, from the file's start */
    uint32_t file;       /* index into files */
    uint64_t position;   /* byte of its record in that file */
};

struct ul_gguf_file {
    const char *path;
    uint64_t size;       /* as it is here */
    uint64_t full_size;  /* as the header says, the last tensor's padding included */
    uint64_t data;       /* where tensor data starts */
};

struct ul_gguf {
    uint32_t version;    /* of the first shard, as are alignment and keys */
    bool big_endian;
    uint32_t alignment;
    struct ul_gguf_kv *kv;
    size_t n_kv;
    struct ul_gguf_tensor *tensors; /* in file order, shard after shard */
    size_t n_tensors;
    struct ul_gguf_file *files;
    size_t n_files;
    bool partial;        /* some file ends before its last tensor does */
    bool imagined;       /* no file: what a conversion of a configuration would write */
};

/* Reads the header of `path` and, when it is one shard of a split model, of all the others.
 * Everything lives in the arena. Errors: IO, INPUT (with the byte), UNKNOWN (a tensor type). */
int ul_gguf_open(struct ul_gguf *g, const char *path, struct ul_arena *a, ullage_error *err);
/* The same with files that `opener` opens: the shards' names follow from `path`, as on a disk. */
int ul_gguf_open_with(struct ul_gguf *g, const struct ul_opener *opener, const char *path,
                      struct ul_arena *a, ullage_error *err);
/* The same from one source; a model split over files is refused. */
int ul_gguf_read(struct ul_gguf *g, struct ul_source *s, struct ul_arena *a, ullage_error *err);

/* One file of a split model by itself: `no` (from 0) of `count`; 0 of 1 when it is all of a
 * model. */
int ul_gguf_read_part(struct ul_gguf *g, struct ul_source *s, uint64_t *no, uint64_t *count,
                      struct ul_arena *a, ullage_error *err);

/* The value of a key, or NULL. */
const struct ul_gguf_kv *ul_gguf_find(const struct ul_gguf *g, struct ul_str key);

/* "u32", "string" ... of an enum ul_gguf_value. */
const char *ul_gguf_value_name(uint32_t type);

#endif
