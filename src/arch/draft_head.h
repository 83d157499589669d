/* Draft heads ("MTP", "nextn"): the layers behind a model's own that draft the next tokens from its
 * last hidden state and the token that came of it. Each is a layer of the model's kind between two
 * ends that all of them share (arch/draft_head.c). */
#ifndef UL_ARCH_DRAFT_HEAD_H
#define UL_ARCH_DRAFT_HEAD_H

#include "arch/build.h"

/* The head's layer. */
int ul_head_layer(const struct ul_build *b);
/* What goes into it: the token's embedding and the hidden state, each normed, side by side,
 * projected. */
struct ul_tensor *ul_head_inputs(struct ul_build *b);
/* Where the rows that nobody asks for are dropped. */
enum ul_head_rows {
    UL_HEAD_ROWS_LAST,   /* after the norm */
    UL_HEAD_ROWS_BEFORE, /* before the norm, and what is handed on are those rows without it */
    UL_HEAD_ROWS_GONE    /* inside the layer */
};
/* The norm, what is handed to the next head (h_nextn), and the logits. */
void ul_head_outputs(struct ul_build *b, struct ul_tensor *x, enum ul_head_rows rows);

#endif
