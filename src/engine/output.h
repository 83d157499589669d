/* The output buffer: logits (and embeddings) of every slot, in host memory.
 * Source: src/llama-context.cpp, llama_context::output_reserve. */
#ifndef UL_ENGINE_OUTPUT_H
#define UL_ENGINE_OUTPUT_H

#include "arch/arch.h"
#include "engine/place.h"

/* Its bytes. `sampling`: -bs, the samplers run on the device and their results are kept too. */
uint64_t ul_output_bytes(const struct ul_place *p, const struct ul_model *m,
                         const struct ul_cparams *c, bool sampling);

/* Its buffer type: an index into p->buft. */
int ul_output_buft(const struct ul_place *p, const struct ul_model *m);

#endif
