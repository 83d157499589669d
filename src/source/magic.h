/* What a file is that is not GGUF, for the message that refuses it. */
#ifndef UL_SOURCE_MAGIC_H
#define UL_SOURCE_MAGIC_H

#include <stddef.h>

#define UL_MAGIC_BYTES 16 /* how many first bytes the guess looks at */

struct ul_magic {
    const char *bytes;
    size_t n, at;
    const char *kind;  /* "zip": for programs */
    const char *words; /* for the message */
};

/* The row that the first n bytes match, or NULL. */
const struct ul_magic *ul_magic_find(const unsigned char *p, size_t n);

/* A few words ("a safetensors file"), or NULL when the first n bytes say nothing. */
const char *ul_magic_guess(const unsigned char *p, size_t n);

#endif
