/* What a file is that is not GGUF, for the message that refuses it. */
#ifndef UL_SOURCE_MAGIC_H
#define UL_SOURCE_MAGIC_H

#include <stddef.h>

#define UL_MAGIC_BYTES 16 /* how many first bytes the guess looks at */

/* A few words ("a safetensors file"), or NULL when the first n bytes say nothing. */
const char *ul_magic_guess(const unsigned char *p, size_t n);

#endif
