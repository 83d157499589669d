/* Which type each tensor gets when llama-quantize makes a file: the mixes behind "Q4_K_M" and its
 * like. Source: src/llama-quant.cpp; the names: tools/quantize/quantize.cpp, QUANT_OPTIONS. */
#ifndef UL_ARCH_QUANTIZE_H
#define UL_ARCH_QUANTIZE_H

#include "model/model.h"

struct ul_quant {
    const char *name;
    uint8_t ftype;      /* enum llama_ftype: general.file_type */
    enum ul_type type;  /* of most matrices */
    bool alias;         /* another name of the next one's file type */
    bool needs_imatrix; /* llama-quantize refuses to make it without an importance matrix */
};

/* By name, in any case; NULL when there is none. And by place, from 0; NULL past the last. */
const struct ul_quant *ul_quant_find(const char *name);
const struct ul_quant *ul_quant_at(size_t i);

/* Changes the types of g's tensors to what the file would have, sizes and places with them, and its
 * key general.file_type. `m` is g read as a model. `imatrix`: made with an importance matrix, as
 * most published files of few bits are. */
void ul_quantize(struct ul_gguf *g, const struct ul_model *m, const struct ul_quant *q,
                 bool imatrix, struct ul_arena *a);

#endif
