/* The table that the engine prints when it ends: model, context and compute of each device in whole
 * MiB, rounded down. All that is host memory stands in one row; other buffer types have rows of
 * their own. Source: common/fit.cpp: common_memory_breakdown_print. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MIB 1048576.0

enum part { MODEL, CONTEXT, COMPUTE, PARTS };
static const char *const part_names[PARTS] = {"model, table", "context, table", "compute, table"};

/* Outputs are in no part of the table. */
static int part_of(const char *kind)
{
    if (strcmp(kind, "model") == 0)
        return MODEL;
    if (strcmp(kind, "compute") == 0)
        return COMPUTE;
    return strcmp(kind, "output") == 0 || strcmp(kind, "mmproj") == 0 ? -1 : CONTEXT;
}

/* The row that a buffer's bytes are in. */
static const struct ul_ev_row *row_of(const struct ul_evidence *e, const char *buffer)
{
    const struct ul_ev_row *host = NULL;
    for (int i = 0; i < e->n_rows; i++) {
        if (strcmp(e->row[i].device, buffer) == 0)
            return &e->row[i];
        if (strcmp(e->row[i].device, "Host") == 0)
            host = &e->row[i];
    }
    return host;
}

static double value_of(const struct ul_ev_row *row, int part)
{
    return part == MODEL ? row->model : part == CONTEXT ? row->context : row->compute;
}

static void add_row(struct ul_check *c, const struct ul_ev_row *row, int part, double computed)
{
    struct ul_check_row *r =
        ul_check_row(c, row->device, part_names[part], value_of(row, part), computed, 0);
    r->table = true;
}

/* ------------------------------------------------------------------ beside a plan */

/* Bytes of a row's part by the plan; < 0: a buffer in it is unknown. */
static double planned(const struct ul_check *c, const ullage_plan *plan,
                      const struct ul_ev_row *row, int part)
{
    size_t n;
    double sum = 0;
    const ullage_buffer *all = ullage_plan_buffers(plan, &n);
    for (size_t i = 0; i < n; i++) {
        if (part_of(all[i].kind) != part || row_of(c->e, all[i].buffer) != row)
            continue;
        if (all[i].size.source == ULLAGE_UNKNOWN)
            return -1;
        sum += (double)all[i].size.bytes;
    }
    return sum;
}

/* What is in no part is the process's context and pools, and what other programs hold. */
static void note_unaccounted(struct ul_check *c)
{
    for (int i = 0; i < c->e->n_rows; i++) {
        const struct ul_ev_row *row = &c->e->row[i];
        if (row->total > 0 && row->unaccounted > 0)
            ul_check_note(
                c,
                "%.32s: %.0f MiB in no buffer: the process's context and pools, and other "
                "programs; without any, plans here take --runtime %.0fMiB",
                row->device, row->unaccounted, row->unaccounted);
    }
}

/* A load that only tries settings holds nothing, so that less than nothing is left over. */
static bool tried_only(const struct ul_check *c)
{
    bool below = false;
    for (int i = 0; i < c->e->n_rows; i++)
        below |= c->e->row[i].total > 0 && c->e->row[i].unaccounted < 0;
    return c->e->rows_of_trial && below;
}

static bool usable(const struct ul_check *c)
{
    return c->e->n_rows > 0 && (!c->e->rows_of_trial || c->e->n_buffers == 0);
}

void check_table_by_plan(struct ul_check *c, const ullage_plan *plan)
{
    if (!usable(c))
        return;
    for (int i = 0; i < c->e->n_rows; i++)
        for (int part = 0; part < PARTS; part++) {
            double bytes = planned(c, plan, &c->e->row[i], part);
            if (bytes != 0 || value_of(&c->e->row[i], part) != 0)
                add_row(c, &c->e->row[i], part, bytes < 0 ? -1 : floor(bytes / MIB));
        }
    if (tried_only(c))
        ul_check_note(c,
                      "the table is of a load that only tried settings, before they were decided");
    else
        note_unaccounted(c);
}

/* ------------------------------------------------------------------ beside the log's own lines */

/* Lines are rounded to a hundredth, so that their sum's whole part may be the next one's. */
static double from_lines(const struct ul_check *c, const struct ul_ev_row *row, int part)
{
    double sum = 0, slack = 0;
    bool any = false;
    for (int i = 0; i < c->e->n_buffers; i++) {
        const struct ul_ev_buffer *b = &c->e->buffer[i];
        if (b->model || b->context || part_of(b->kind) != part || row_of(c->e, b->buffer) != row)
            continue;
        any = true;
        sum += b->mib;
        slack += 0.005 * b->lines;
    }
    if (!any)
        return -1;
    return floor(sum + slack) == value_of(row, part) ? value_of(row, part) : floor(sum - slack);
}

void check_table_by_log(struct ul_check *c)
{
    if (!usable(c) || c->e->n_buffers == 0)
        return;
    for (int i = 0; i < c->e->n_rows; i++)
        for (int part = 0; part < PARTS; part++) {
            double mib = from_lines(c, &c->e->row[i], part);
            if (mib >= 0)
                add_row(c, &c->e->row[i], part, mib);
        }
    note_unaccounted(c);
}
