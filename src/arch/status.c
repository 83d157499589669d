/* How far plans of an architecture go, by what they were compared with. The figures are written by
 * the comparison itself (status.def), so nobody can claim more than the recorded runs show. */
#include "arch/arch.h"

static const struct {
    const char *name;
    uint32_t rows, exact;
} recorded[] = {
#define STATUS(name, rows, exact) {name, rows, exact},
#include "arch/status.def"
#undef STATUS
};

void ul_arch_recorded(const struct ul_arch *arch, uint32_t *rows, uint32_t *exact)
{
    *rows = *exact = 0;
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        if (strcmp(recorded[i].name, arch->name) == 0) {
            *rows = recorded[i].rows;
            *exact = recorded[i].exact;
        }
    }
}

bool ul_arch_exact(const struct ul_arch *arch)
{
    uint32_t rows, exact;
    ul_arch_recorded(arch, &rows, &exact);
    return arch->build && rows > 0 && exact == rows;
}

const char *ul_arch_status(const struct ul_arch *arch)
{
    if (arch->draft_only)
        return "draft model: not by itself";
    if (!arch->build)
        return "weights and cache only";
    return ul_arch_exact(arch) ? "exact" : "modelled";
}
