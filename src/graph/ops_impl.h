/* What the two files of operations share; nobody else includes it. */
#ifndef UL_GRAPH_OPS_IMPL_H
#define UL_GRAPH_OPS_IMPL_H

#include "graph/ops.h"

/* Marks the graph as bad unless ok; returns ok. */
bool ulg_check(struct ul_graph *g, const struct ul_tensor *t, bool ok);
/* The operand, or, when a program hands on a weight that the file does not have, one value in its
 * place and a bad graph. */
struct ul_tensor *ulg_given(struct ul_graph *g, struct ul_tensor *t);
/* A new contiguous tensor, the result of op. */
struct ul_tensor *ulg_make(struct ul_graph *g, enum ul_op op, enum ul_type type,
                           const int64_t ne[4]);
/* The same in the type and shape of a, which with b (or NULL) is its source. */
struct ul_tensor *ulg_like(struct ul_graph *g, enum ul_op op, struct ul_tensor *a,
                           struct ul_tensor *b);
/* op done in a's own memory: the result is a view of a. */
struct ul_tensor *ulg_over(struct ul_graph *g, enum ul_op op, struct ul_tensor *a,
                           struct ul_tensor *b);

static inline bool ulg_same_shape(const struct ul_tensor *a, const struct ul_tensor *b)
{
    return a->ne[0] == b->ne[0] && a->ne[1] == b->ne[1] && a->ne[2] == b->ne[2] &&
           a->ne[3] == b->ne[3];
}

#endif
