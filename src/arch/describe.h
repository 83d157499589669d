/* A model's description for people: `ullage show`, ullage_describe. */
#ifndef UL_ARCH_DESCRIBE_H
#define UL_ARCH_DESCRIBE_H

#include "arch/arch.h"

/* Fills all but `path` and `status`, which the caller knows. Everything lives in the arena. */
void ul_model_describe(const struct ul_model *m, struct ul_arena *a, ullage_model_info *info);

#endif
