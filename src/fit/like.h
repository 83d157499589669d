/* What llama.cpp's own --fit would choose, for comparison and for plans of commands that leave it
 * to the engine. */
#ifndef UL_FIT_LIKE_H
#define UL_FIT_LIKE_H

#include "engine/plan.h"

struct ul_like {
    struct ul_settings settings; /* as given, with what --fit changed; lists live in the arena */
    uint32_t context;            /* 0: as given */
    bool layers_set;             /* -ngl, -ts and -ot were chosen */
    bool changed;                /* something else than what would be planned without --fit */
    bool partial;                /* some compute buffer is not known: the choice may differ */
    const char *failed;          /* --fit gives up, for this reason; the context stays as changed */
    bool unknown;                /* neither GPUs nor the host's memory: nothing to compare */

    uint32_t n_devices;          /* GPUs in use */

    /* The measurement that --fit begins with. */
    bool enough;                 /* every device keeps its target free: nothing has to change */
    uint32_t first_context;
    const char *shortest;        /* the device that keeps least of what it should, or "the host" */
    int64_t lacks;               /* bytes of its target that it cannot keep */
    uint64_t target;             /* bytes that it should keep free */
};

/* What cannot be measured makes --fit give up, as in the engine: no error. */
void ul_like_llama(struct ul_like *out, const struct ul_model *m, const struct ul_settings *s,
                   const struct ul_machine *machine, struct ul_arena *a, struct ul_arena *scratch);

#endif
