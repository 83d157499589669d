/* What llama.cpp's own --fit would choose, for comparison and for plans of commands that leave it
 * to the engine. */
#ifndef UL_FIT_LIKE_H
#define UL_FIT_LIKE_H

#include "engine/plan.h"

struct ul_like {
    struct ul_settings settings; /* as given, with what --fit changed; lists live in the arena */
    uint32_t context;            /* 0: as given */
    bool layers_set;             /* -ngl, -ts and -ot were chosen */
    bool partial;                /* some compute buffer is not known: the choice may differ */
    const char *failed;          /* --fit gives up, for this reason; the context stays as changed */
};

/* Errors: those of a plan of the settings. */
int ul_like_llama(struct ul_like *out, const struct ul_model *m, const struct ul_settings *s,
                  const struct ul_machine *machine, struct ul_arena *a, struct ul_arena *scratch,
                  ullage_error *err);

#endif
