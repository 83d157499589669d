/* What the opaque handles of include/ullage.h hold. */
#ifndef UL_REPORT_HANDLES_H
#define UL_REPORT_HANDLES_H

#include "engine/plan.h"

struct ullage_model {
    struct ul_arena arena;
    struct ul_gguf file;
    struct ul_model m;
    ullage_model_info info;
};

struct ullage_plan {
    struct ul_arena arena;
    const struct ullage_model *model;
    struct ul_model own; /* the model read again, when --override-kv changes what it says */
    struct ul_plan p;
    struct ul_machine machine; /* its figures; the strings are the machine's, which may be gone */
};

/* A hypothetical context of one sequence, for what a token costs. */
void ul_model_growth(const struct ullage_model *model, struct ul_arena *a, uint64_t *per_token,
                     uint64_t *fixed);

#endif
