/* Latent attention: the blocks that the programs of DeepSeek's line share (arch/latent.c). Keys and
 * values are one narrow vector a token; the cache holds it and a rotated part, and the matrices
 * that widen it are applied to the queries and to the result instead. */
#ifndef UL_ARCH_LATENT_H
#define UL_ARCH_LATENT_H

#include "arch/build.h"

/* Lengths of a layer's latent attention: of a head before it is absorbed, and of the latent. */
struct ul_latent {
    int64_t head_k, head_v; /* n_embd_head_k_mla, n_embd_head_v_mla */
    int64_t n_rot;          /* the rotated end of head_k, shared by all heads' keys */
    int64_t n_lora;         /* kv_lora_rank */
    bool rotates;           /* the linear hybrids have positions in their other layers only, and */
    bool pe_first;          /* ... put the shared part of full keys first */
};

struct ul_latent ul_latent_of(const struct ul_model *m, bool rotates, int il);

/* wq_a, its norm: the low-rank queries; NULL when the layer has full ones (wq). */
struct ul_tensor *ul_latent_low_q(struct ul_build *b, struct ul_tensor *cur, int il);
/* The queries, [head_k * n_head, tokens], from the low-rank ones or else from cur. */
struct ul_tensor *ul_latent_q(struct ul_build *b, struct ul_tensor *low, struct ul_tensor *cur,
                              int il);
/* Queries, keys and values of the absorbed form, with wv_b and the output matrix: what build_attn
 * takes. `q` may be flat or have its heads apart. */
struct ul_attn ul_latent_absorbed(struct ul_build *b, const struct ul_latent *l,
                                  struct ul_tensor *q, struct ul_tensor *cur, int il);
/* The same for conversions that keep every head's keys and values; q has its heads apart. */
struct ul_attn ul_latent_full(struct ul_build *b, const struct ul_latent *l, struct ul_tensor *q,
                              struct ul_tensor *cur, struct ul_tensor *factors, int il);
/* Feed-forward: dense in the leading layers, then experts and the shared expert added. `scales`:
 * .scale tensors are used. */
struct ul_tensor *ul_latent_ffn(struct ul_build *b, struct ul_tensor *cur, bool scales, int il);
/* The experts of a layer, with their scales when asked for. */
struct ul_moe ul_moe_scaled_of(struct ul_build *b, enum ul_ffn_op op, bool scales, int il);
struct ul_ffn ul_ffn_shexp_scaled_of(struct ul_build *b, enum ul_ffn_op op, bool scales, int il);

/* The lightning indexer's scores, [keys, tokens, 1, streams]. */
struct ul_tensor *ul_indexer_scores(struct ul_build *b, struct ul_tensor *q, struct ul_tensor *k,
                                    struct ul_tensor *weights, struct ul_tensor *mask);
/* A mask with everything masked besides that `top` does not pick. zeros_type: of what unmasks. */
struct ul_tensor *ul_mask_others(struct ul_build *b, struct ul_tensor *mask, struct ul_tensor *top,
                                 enum ul_type zeros_type);

/* Two ways in which the engine's programs of delta attention differ though it computes the same. */
struct ul_kda_form {
    bool by_seqs;           /* the gate takes its input by way of sequences */
    bool one_row;           /* the new state is stored as one row */
};

/* Kimi's delta attention (arch/kda.c): all of what stands for attention in a layer. */
struct ul_tensor *ul_kda_block(struct ul_build *b, const struct ul_rs_inp *rs,
                               const struct ul_kda_form *form, struct ul_tensor *cur, int il);

#endif
