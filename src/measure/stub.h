/* A model file of full size that takes no room: the header of a real one, and nothing where its
 * weights would be (a hole, which reads as zeros). The engine loads it and allocates all that it
 * would for the real model. */
#ifndef UL_MEASURE_STUB_H
#define UL_MEASURE_STUB_H

#include "base/error.h"

#include <stdbool.h>

enum ul_stub_vocabulary {
    UL_STUB_KEEP,    /* whatever the header has */
    UL_STUB_MISSING, /* a plain synthetic one when the header has none */
    UL_STUB_PLAIN    /* the plain one always */
};

struct ul_stub {
    uint64_t header_bytes, file_bytes, n_tensors;
    uint32_t n_vocab; /* tokens of the vocabulary written; 0 when it was kept */
};

/* Calls `each` for every file of a model with the offset where its weights begin; *partial says
 * whether some are missing or cut off. Errors: those of reading. */
int ul_stub_files(const char *path, bool *partial,
                  void (*each)(void *context, const char *path, uint64_t weights), void *context,
                  ullage_error *err);

/* Writes `out` from the header of `in`, which may be a whole model or its header alone; shards of
 * one model become one file. Errors: those of reading, and IO for writing; `out` does not remain
 * then. */
int ul_stub_write(struct ul_stub *stub, const char *in, const char *out,
                  enum ul_stub_vocabulary vocabulary, ullage_error *err);

#endif
