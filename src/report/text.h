/* Text tables, and the entry points' way to hand text out. */
#ifndef UL_REPORT_TEXT_H
#define UL_REPORT_TEXT_H

#include "base/str.h"
#include "ullage.h"

#define UL_MIB (1024.0 * 1024.0)

/* A table that is filled row by row and then printed with aligned columns: the first to the left,
 * the others to the right, except those marked as text. */
struct ul_table {
    struct ul_arena *arena;
    size_t n_cols, n_cells, cap;
    const char **cells;
    bool left[24]; /* columns that hold words */
};

#define UL_TABLE_COLS 24

void ul_table_open(struct ul_table *t, struct ul_arena *a, size_t n_cols);
void ul_table_add(struct ul_table *t, const char *cell);
/* Two decimals, as llama.cpp prints MiB; "unknown" without a number. */
void ul_table_mib(struct ul_table *t, ullage_bytes b);
/* A row that is printed as a line. */
void ul_table_rule(struct ul_table *t);
void ul_table_print(const struct ul_table *t, struct ul_text *out);

/* What a render function writes, and how. */
struct ul_rendering {
    const void *what;   /* a plan, a model, a curve ... */
    const char *text;   /* a pattern or a line, where one belongs to it */
    int format, by;     /* enum ullage_format, enum ullage_by */
    bool color;
};

/* Runs `write` over a text of its own and hands the result out as a malloc'ed copy; NULL when
 * memory runs out. Every public render function goes through here. */
char *ul_render(void (*write)(struct ul_text *out, const struct ul_rendering *r),
                const struct ul_rendering *r);

/* CSV: a field, quoted where it must be. */
void ul_csv(struct ul_text *out, const char *field, bool last);

#endif
