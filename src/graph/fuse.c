/* What the back-ends' rearrangements share: the list of what must stay alive, and scratch
 * memory. */
#include "graph/fuse.h"

#include <string.h>

struct ul_keep *ul_keep_add(struct ul_keeps *k, int after)
{
    if (k->n == k->cap) {
        int cap = k->cap ? 2 * k->cap : 64;
        struct ul_keep *p = UL_NEWS(k->arena, struct ul_keep, (size_t)cap);
        if (k->n)
            memcpy(p, k->keep, (size_t)k->n * sizeof *p);
        k->keep = p;
        k->cap = cap;
    }
    struct ul_keep *e = &k->keep[k->n++];
    for (; e > k->keep && e[-1].after > after; e--)
        e[0] = e[-1];
    e->after = after;
    e->n = 0;
    return e;
}

void *ul_scratch(struct ul_keeps *k, size_t bytes)
{
    if (k->scratch_bytes < bytes) {
        k->scratch_bytes = bytes + bytes / 4;
        k->scratch = ul_arena_alloc(k->arena, k->scratch_bytes, 1);
    } else {
        memset(k->scratch, 0, bytes);
    }
    return k->scratch;
}
