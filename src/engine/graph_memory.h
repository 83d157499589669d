/* The caches of a plan (engine/cache.h) described as graph building wants them (arch/build.h). */
#ifndef UL_ENGINE_GRAPH_MEMORY_H
#define UL_ENGINE_GRAPH_MEMORY_H

#include "arch/build.h"
#include "engine/cache.h"

/* Everything lives in the arena. Places are indices into p->buft. */
void ul_graph_memory(struct ul_memory_desc *d, const struct ul_caches *caches,
                     const struct ul_model *m, const struct ul_cparams *c, const struct ul_place *p,
                     struct ul_arena *a);

#endif
