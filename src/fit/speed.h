/* How fast a plan would run: what each device reads for a token, at which bandwidth, and how long
 * that takes at best (the bound) and as measured elsewhere (the expectation). */
#ifndef UL_FIT_SPEED_H
#define UL_FIT_SPEED_H

#include "engine/plan.h"

/* Fills *speed for one sequence with `depth` tokens in its cache. Cheap: one pass over the placed
 * tensors; nothing is allocated. `machine` is the plan's. A rate is 0 when it is not known. */
void ul_speed_make(ullage_speed *speed, const struct ul_plan *plan,
                   const struct ul_machine *machine, uint32_t depth);

#endif
