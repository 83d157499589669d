/* The table of architectures, put together from the files of rows. The order is the engine's
 * (src/llama-arch.cpp, LLM_ARCH_NAMES), then the architectures that are newer than that list. */
#include "arch/rows.h"

static const struct ul_arch *const groups[] = {
    ul_rows_first, ul_rows_second, ul_rows_newer,
};

#define N_GROUPS (sizeof(groups) / sizeof(groups[0]))

const struct ul_arch *ul_arch_at(size_t i)
{
    for (size_t g = 0; g < N_GROUPS; g++)
        for (const struct ul_arch *r = groups[g]; r->name != NULL; r++)
            if (i-- == 0)
                return r;
    return NULL;
}

const struct ul_arch *ul_arch_find(struct ul_str name)
{
    for (size_t g = 0; g < N_GROUPS; g++)
        for (const struct ul_arch *r = groups[g]; r->name != NULL; r++)
            if (ul_str_is(name, r->name))
                return r;
    return NULL;
}
