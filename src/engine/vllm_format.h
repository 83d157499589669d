/* Bytes of a linear layer's weights as vLLM keeps them, by quantisation. */
#ifndef UL_ENGINE_VLLM_FORMAT_H
#define UL_ENGINE_VLLM_FORMAT_H

#include "engine/vllm_model.h"

enum ul_vscheme {
    UL_VQ_PLAIN,     /* 16 bits */
    UL_VQ_PACKED,    /* GPTQ, AWQ, compressed-tensors: values packed into 32-bit words by group */
    UL_VQ_FP8_ROW,   /* 8 bits, a scale a row of the output, or one in all */
    UL_VQ_FP8_BLOCK, /* 8 bits, a scale a block of 128 x 128 */
    UL_VQ_INT8,      /* 8 bits, a scale a row */
    UL_VQ_MXFP4,     /* 4 bits, an 8-bit scale for 32 values */
    UL_VQ_MXFP8,     /* 8 bits, the same */
    UL_VQ_NVFP4,     /* 4 bits, an 8-bit scale for 16 values */
    UL_VQ_UNKNOWN
};

struct ul_vformat {
    enum ul_vscheme scheme;
    uint32_t bits, group;   /* PACKED: group 0 is one for the whole input */
    bool zeros;             /* PACKED: zero points stay resident */
    uint32_t element;       /* bytes of the model's type */
};

/* The format that a model's quantisation asks for, or that `method` (-q) makes of 16-bit weights;
 * UNKNOWN when no rule is known. */
struct ul_vformat ul_vformat_of(const struct ul_vmodel *m, const char *method);

/* Bytes of one in x out matrix on a rank. */
uint64_t ul_vformat_linear(const struct ul_vformat *f, uint64_t in, uint64_t out);

#endif
