/* Latent attention over the keys that an indexer picks (arch/prog_sparse.c). */
#ifndef UL_ARCH_SPARSE_H
#define UL_ARCH_SPARSE_H

#include "arch/latent.h"

struct ul_sparse_inp {
    struct ul_attn_inp attn;   /* the latents' cache; dots3note has layers with windows, too */
    struct ul_attn_side index; /* the indexer's keys */
    bool no_wo_scale;          /* the output matrix's .scale is not used */
};

struct ul_sparse_inp ul_sparse_inputs(struct ul_build *b);
/* All of what stands for attention in a layer; x: its normed input. `top`: the last keys picked,
 * NULL before the first layer. Layers without an indexer of their own use the layer's before. */
struct ul_tensor *ul_sparse_attention(struct ul_build *b, struct ul_tensor *x,
                                      const struct ul_sparse_inp *in, struct ul_tensor **top,
                                      int il);

#endif
