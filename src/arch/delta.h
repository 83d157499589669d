/* Gated delta nets as Qwen 3.5 has them: the parts that a later program shares
 * (arch/prog_delta.c). */
#ifndef UL_ARCH_DELTA_H
#define UL_ARCH_DELTA_H

#include "arch/build.h"

/* Sets g and beta from cur. */
void ul_delta_gates(struct ul_build *b, struct ul_delta *d, struct ul_tensor *cur, int il);
/* Sets q, k and v from the activated convolution. */
void ul_delta_split(struct ul_build *b, struct ul_delta *d, struct ul_tensor *t, int il);
/* Experts and the gated shared expert. */
struct ul_tensor *ul_delta_experts(struct ul_build *b, struct ul_tensor *x, int il);

#endif
