/* The memory breakdown, a table in whole MiB, and what the engine's own fit decided. The table is
 * printed by loads that only try settings, and once more at the end for the real one. */
#include "measure/evidence_lines.h"

#include <stdlib.h>

/* "| 24564 = 24084 + (2894 =  1918 +     896 +      80) +       -2414 |", and of the host
 * "|   838 =   630 +       0 +     208 |". Source: common/fit.cpp:
 * common_memory_breakdown_print. */
static bool read_row(struct ul_ev_row *row, const char *p)
{
    row->total = -1;
    if (sscanf(p, "%lf = %lf + (%lf = %lf + %lf + %lf) + %lf", &row->total, &row->free, &row->self,
               &row->model, &row->context, &row->compute, &row->unaccounted) == 7)
        return true;
    row->total = -1;
    return sscanf(p, "%lf = %lf + %lf + %lf", &row->self, &row->model, &row->context,
                  &row->compute) == 4;
}

/* "|   - CUDA0 (RTX 4090)   | ... |" */
bool ul_ev_table_line(struct ul_evidence *e, const char *text)
{
    struct ul_ev_row row = {0};
    const char *p = strstr(text, "| "), *name, *bar;
    if (strstr(text, "memory breakdown [MiB]")) {
        e->n_rows = 0; /* the last table counts */
        e->rows_of_trial = e->n_buffers == 0;
        return true;
    }
    if (!p || !(name = ul_ev_after(p, "| ")) || strncmp(name, "- ", 2) != 0
        || !(bar = strchr(name, '|')))
        return false;
    ul_ev_copy(row.device, sizeof row.device, name + 2, " ");
    if (!read_row(&row, bar + 1))
        return false;
    if (e->n_rows == 0)
        e->rows_of_trial = e->n_buffers == 0; /* a pasted table without its heading */
    if (e->n_rows < UL_EV_ROWS)
        e->row[e->n_rows++] = row;
    return true;
}

/* "set ngl_per_device[0].n_layer=37", "...[0].(n_layer, n_part, overflow_type)=(37, 25, UP), ...":
 * the last for a device holds. Source: common/fit.cpp: common_params_fit_impl. */
static bool set_line(struct ul_evidence *e, const char *text)
{
    const char *p = ul_ev_after(text, "set ngl_per_device["), *equals = p ? strchr(p, '=') : NULL;
    unsigned long id = p ? strtoul(p, NULL, 10) : 0;
    if (!equals || id >= UL_LOG_DEVICES)
        return false;
    struct ul_ev_fit *f = &e->fit[id];
    char type[8] = "MOE";
    uint32_t layers = 0, part = 0;
    if (sscanf(equals, "=(%u, %u, %7[A-Z]", &layers, &part, type) < 2
        && sscanf(equals, "=%u", &layers) != 1)
        return false;
    *f = (struct ul_ev_fit){.n_layer = layers, .n_part = part};
    memcpy(f->type, type, sizeof type);
    return true;
}

/* "  - CUDA0 (RTX 4090): 37 layers (25 overflowing),  23386 MiB used": the outcome, a device a
 * line, which has no type of what overflows. */
static bool outcome_line(struct ul_evidence *e, const char *text)
{
    const char *p = ul_ev_after(text, "_fit_impl:"), *layers = p ? strstr(p, " layers") : NULL;
    uint32_t part = 0;
    if (!layers || strncmp(p, "- ", 2) != 0 || !strstr(layers, "MiB used"))
        return false;
    ul_ev_number_after(layers, "(", &part);
    while (layers > p && layers[-1] != ' ')
        layers--;
    uint32_t n = (uint32_t)strtoul(layers, NULL, 10);
    for (int i = 0; i < e->log.n_devices; i++) {
        const char *name = e->log.device[i].name;
        size_t length = strlen(name);
        if (strncmp(p + 2, name, length) != 0 || p[2 + length] != ' ')
            continue;
        e->fit[i].n_layer = n; /* fewer than was set, where a device before took some */
        e->fit[i].n_part = part;
        e->n_fit = i + 1 > e->n_fit ? i + 1 : e->n_fit;
        return true;
    }
    return false;
}

bool ul_ev_fit_line(struct ul_evidence *e, const char *text)
{
    return strstr(text, "_fit") && (set_line(e, text) || outcome_line(e, text));
}
