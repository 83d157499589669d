/* Between the reader of one GGUF file (gguf.c) and the joining of shards (gguf_split.c). */
#ifndef UL_SOURCE_GGUF_READ_H
#define UL_SOURCE_GGUF_READ_H

#include "source/cursor.h"
#include "source/gguf.h"

/* The header of one file while and after it is read. The tensors go to the end of `g`. */
struct ul_gguf_reader {
    struct ul_gguf *g;
    struct ul_cursor c;
    struct ul_arena *arena;
    ullage_error *err;
    struct ul_source file; /* the one that is open, when reading by path */
    const struct ul_opener *opener; /* NULL: the system's files */
    size_t tensor_room; /* items that g->tensors has room for */
    size_t file_room;   /* and g->files */
    uint64_t kept_items; /* array items kept so far, over all shards */

    /* of this file */
    uint32_t version;
    uint32_t alignment;
    struct ul_gguf_kv *kv;
    size_t n_kv;
};

/* Reads one header, appends its tensors and its file to r->g. False: the error is set. */
bool ul_gguf_read_one(struct ul_gguf_reader *r, struct ul_source *s);

const struct ul_gguf_kv *ul_gguf_find_in(const struct ul_gguf_kv *kv, size_t n, struct ul_str key);

/* No two tensors may have one name. Source: ggml/src/gguf.cpp: gguf_init_from_reader, and across
 * shards src/llama-model-loader.cpp: llama_model_loader. */
bool ul_gguf_check_names(struct ul_gguf_reader *r);

/* Text from a file for a message: what is not printable as '?', long text cut. */
#define UL_GGUF_SHOWN 72
struct ul_shown {
    char text[UL_GGUF_SHOWN + 4];
};
struct ul_shown ul_gguf_shown(struct ul_str s);

#endif
