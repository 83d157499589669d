/* Makes the entry points of a table (SIM_TABLE, a .def file) that need no body of their own. What
 * they are called with does not matter: they look at nothing. The functions' types are those of
 * NVIDIA's headers, which are not needed to build this. */
#include "sim.h"

#ifndef SIM_REFUSAL
#define SIM_REFUSAL(name) sim_refuse(name)
#endif

#define SIMULATED(name, what)
#define EMPTY(name) SIM_API int name(void) { return SIM_OK; }
#define REFUSED(name) SIM_API int name(void) { return SIM_REFUSAL(#name); }

#include SIM_TABLE
