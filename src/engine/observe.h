/* What the engine was seen to hold, in the place of what a plan computed. */
#ifndef UL_ENGINE_OBSERVE_H
#define UL_ENGINE_OBSERVE_H

#include "engine/plan.h"

/* Changes the plan's buffers, devices and verdict, and keeps what they were as plan->compared. */
void ul_plan_observe(struct ul_plan *plan, const ullage_seen *seen,
                     const struct ul_machine *machine, struct ul_arena *a);

#endif
