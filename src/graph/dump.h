/* Graphs as text, in the form in which the engine's own graphs are recorded: one line a tensor,
 * leafs before nodes. So two graphs are compared line by line. */
#ifndef UL_GRAPH_DUMP_H
#define UL_GRAPH_DUMP_H

#include "base/str.h"
#include "graph/sched.h"

/* The graph before the split: without buffers and their bytes. */
void ul_graph_dump(struct ul_text *out, int number, const struct ul_graph *g);

/* The graph that the allocator was given last, and the bytes that every buffer then holds. */
void ul_sched_dump(struct ul_text *out, int number, const struct ul_sched *s);

#endif
