/* Who pays for what: each device's account of the buffers on it, as the driver charges them. */
#ifndef UL_ENGINE_LEDGER_H
#define UL_ENGINE_LEDGER_H

#include "engine/plan.h"

/* What the driver takes from a device for one allocation of n bytes. */
uint64_t ul_driver_charge(enum ul_backend backend, uint64_t n);

/* Sums a plan's devices up from their parts, and judges. */
void ul_ledger_close(struct ul_plan *plan, const struct ul_machine *machine);

/* Fills plan->devices, fits and partial. `s` and `machine` are those of the plan. */
void ul_ledger_make(struct ul_plan *plan, const struct ul_settings *s,
                    const struct ul_machine *machine, struct ul_arena *a);

/* Counts what plan->beside has besides, anew each time: GPUs that only companions use get an
 * account of their own. */
void ul_ledger_add(struct ul_plan *plan, const struct ul_settings *s,
                   const struct ul_machine *machine, struct ul_arena *a);

#endif
