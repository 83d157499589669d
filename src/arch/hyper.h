/* Hyper-connections (arch/hyper.c): a residual stream of several streams, [n_embd, streams,
 * tokens]. */
#ifndef UL_ARCH_HYPER_H
#define UL_ARCH_HYPER_H

#include "arch/build.h"

/* One block's connections: `out` is what the block reads, the rest is for putting its result
 * back. */
struct ul_hyper {
    int il;
    int64_t n;                                  /* streams */
    struct ul_tensor *x, *mixes, *scale,
        *base; /* the streams before, and what the weights come from */
    struct ul_tensor *pre, *post, *comb, *out;
};

/* roles: the matrix, the scales, the biases. The first: what the weights come from, and no
 * weights. */
struct ul_hyper ul_hyper_mixes(struct ul_build *b, struct ul_tensor *x, const enum ul_role roles[3],
                               int il);
struct ul_hyper ul_hyper_pre(struct ul_build *b, struct ul_tensor *x, const enum ul_role roles[3],
                             int il);
/* The streams after a block whose result is cur. */
struct ul_tensor *ul_hyper_post(struct ul_build *b, const struct ul_hyper *h,
                                struct ul_tensor *cur);
/* sigmoid(x * scale + base), scaled, [streams, tokens]: mixes and base from their `first` value
 * on. */
struct ul_tensor *ul_hyper_weights(struct ul_build *b, const struct ul_hyper *h, int64_t first,
                                   int part);
/* build_hc_head: the streams' weights in the model's output. */
struct ul_tensor *ul_hyper_head_weights(struct ul_build *b, struct ul_tensor *x);
/* One stream's weight for every token, and the stream. */
struct ul_tensor *ul_hyper_weight_of(struct ul_build *b, struct ul_tensor *w, int64_t i);
struct ul_tensor *ul_hyper_stream_of(struct ul_build *b, struct ul_tensor *x, int64_t i);
/* A sum of the streams, weighted by w [streams, tokens], spelled out. */
struct ul_tensor *ul_hyper_sum(struct ul_build *b, struct ul_tensor *x, struct ul_tensor *w);
/* All streams as copies of one. */
struct ul_tensor *ul_hyper_start(struct ul_build *b, struct ul_tensor *x);
/* The streams of the tokens whose logits are wanted. */
struct ul_tensor *ul_hyper_rows(struct ul_build *b, struct ul_tensor *x);

#endif
