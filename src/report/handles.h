/* What the opaque handles of include/ullage.h hold. */
#ifndef UL_REPORT_HANDLES_H
#define UL_REPORT_HANDLES_H

#include "engine/plan.h"
#include "fit/fit.h"

struct ullage_model {
    struct ul_arena arena;
    struct ul_gguf file;
    struct ul_model m;
    ullage_model_info info;
};

struct ullage_plan {
    struct ul_arena arena;
    struct ul_arena scratch; /* of the plans that --fit looks at; empty between two calls */
    const struct ullage_model *model;
    struct ul_model own; /* the model read again, when flags change what it says or has */
    struct ul_plan p;
    ullage_engine_fit fit;
    uint32_t depth;       /* for speeds, as the settings say */
    bool depth_given;
    struct ul_machine machine; /* its figures; the strings are the machine's, which may be gone */
};

struct ullage_fit {
    struct ul_arena arena, scratch;
    struct ul_model own;  /* as in a plan */
    struct ullage_settings settings; /* of the answer; its lists live in the arena */
    struct ul_fit f;
    ullage_plan *plan;
    const char **words;
    size_t n_words;
    ullage_choice choices[UL_FIT_IDS];
};

/* The model as the settings change it (--override-kv, a draft head that is used), or the one
 * opened. Errors: USAGE (it is no model). */
int ul_model_for(const struct ul_model **m, struct ul_model *own, const struct ullage_model *model,
                 const struct ul_settings *s, struct ul_arena *a, ullage_error *err);

/* Lets the engine's --fit choose: *out are the settings as it leaves them, with a note on what it
 * did; all of it lives in the arena. */
void ul_engine_fit(ullage_engine_fit *fit, struct ul_settings *out, const struct ul_model *m,
                   const struct ul_settings *s, const struct ul_machine *machine,
                   struct ul_arena *a, struct ul_arena *scratch);

/* A hypothetical context of one sequence, for what a token costs. */
void ul_model_growth(const struct ullage_model *model, struct ul_arena *a, uint64_t *per_token,
                     uint64_t *fixed);

#endif
