/* What kind of llama.cpp a program is, and whether a simulated CUDA can stand in front of it:
 * found out from the files that the loader would take, before anything is run. */
#ifndef UL_MEASURE_BUILD_H
#define UL_MEASURE_BUILD_H

#include "base/error.h"

#include <stdbool.h>

#define UL_BUILD_PATH 4096

struct ul_build {
    char program[UL_BUILD_PATH]; /* where it was found */
    char cuda[UL_BUILD_PATH];    /* the file that calls CUDA: a back-end, or the program */
    int cudart;                  /* its runtime's major version: 12, 13; 0: not known (a script) */
    char others[128];            /* its other GPU back-ends, "Vulkan, ROCm" */
    bool script;                 /* no program itself: what it starts is not known */
};

/* `libraries` is the folder of the simulated ones, `scratch` a file that may be written. Errors:
 * IO when there is no such program, REFUSED with what is in the way. */
int ul_build_find(struct ul_build *b, const char *program, const char *libraries,
                  const char *scratch, ullage_error *err);

#endif
