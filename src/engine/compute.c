/* The compute buffers are not computed yet: they come from running the allocator over the model's
 * graph. Until then they are what the caller assumes, or unknown. */
#include "engine/compute.h"

void ul_compute_plan(struct ul_compute *out, const struct ul_model *m, const struct ul_cparams *c,
                     const struct ul_settings *s, const struct ul_place *p,
                     const struct ul_caches *caches, struct ul_arena *a)
{
    (void)m, (void)c, (void)caches, (void)a;
    *out = (struct ul_compute){.source = ULLAGE_UNKNOWN};
    if (s->assume_compute == UL_SIZE_OVERFLOW)
        return;
    out->source = ULLAGE_ASSUMED;
    for (uint32_t i = 0; i < p->n_devices; i++)
        out->device[i] = s->assume_compute;
    if (p->n_devices == 0)
        out->host = s->assume_compute;
}
