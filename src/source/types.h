/* ggml's tensor types: how many values a block holds and how many bytes it takes. Source:
 * ggml/src/ggml.c, type_traits, and ggml/include/ggml.h, enum ggml_type (llama.cpp 0.7.0). */
#ifndef UL_SOURCE_TYPES_H
#define UL_SOURCE_TYPES_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* The numbers are the file format's. Gaps are types that were removed. */
enum ul_type {
    UL_F32 = 0, UL_F16 = 1, UL_Q4_0 = 2, UL_Q4_1 = 3, UL_Q5_0 = 6, UL_Q5_1 = 7, UL_Q8_0 = 8,
    UL_Q8_1 = 9, UL_Q2_K = 10, UL_Q3_K = 11, UL_Q4_K = 12, UL_Q5_K = 13, UL_Q6_K = 14,
    UL_Q8_K = 15, UL_IQ2_XXS = 16, UL_IQ2_XS = 17, UL_IQ3_XXS = 18, UL_IQ1_S = 19, UL_IQ4_NL = 20,
    UL_IQ3_S = 21, UL_IQ2_S = 22, UL_IQ4_XS = 23, UL_I8 = 24, UL_I16 = 25, UL_I32 = 26, UL_I64 = 27,
    UL_F64 = 28, UL_IQ1_M = 29, UL_BF16 = 30, UL_TQ1_0 = 34, UL_TQ2_0 = 35, UL_MXFP4 = 39,
    UL_NVFP4 = 40, UL_Q1_0 = 41, UL_Q2_0 = 42,
    UL_TYPE_COUNT = 64 /* room: the table says which exist */
};

struct ul_type_info {
    const char *name;     /* as ggml prints it; NULL when there is no such type */
    uint32_t block;       /* values a block */
    uint32_t bytes;       /* bytes a block */
    bool quantized;
    bool removed;         /* once existed: named in errors, never sized */
};

/* NULL for a number that names no type; a removed type has block 0. */
const struct ul_type_info *ul_type_info(uint32_t type);

/* The name of a type that only a fork of ggml knows, for messages, or NULL. */
const char *ul_type_foreign(uint32_t type);

/* The type of that name (any case), or -1. */
int ul_type_by_name(struct ul_str name);

/* Bytes of one row of `n` values; n must be a multiple of the block. Saturates; the
 * largest value also stands for a type without a size. */
uint64_t ul_row_bytes(enum ul_type type, uint64_t n);

#endif
