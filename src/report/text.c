#include "report/text.h"

#include <stdlib.h>

static const char rule[] = "";

void ul_table_open(struct ul_table *t, struct ul_arena *a, size_t n_cols)
{
    *t = (struct ul_table){.arena = a, .n_cols = n_cols < UL_TABLE_COLS ? n_cols : UL_TABLE_COLS};
    t->left[0] = true;
}

void ul_table_add(struct ul_table *t, const char *cell)
{
    if (t->n_cells == t->cap) {
        size_t cap = t->cap ? t->cap * 2 : 64;
        const char **cells = UL_NEWS(t->arena, const char *, cap);
        if (t->n_cells)
            memcpy(cells, t->cells, t->n_cells * sizeof *cells);
        t->cells = cells;
        t->cap = cap;
    }
    t->cells[t->n_cells++] = cell ? cell : "";
}

void ul_table_mib(struct ul_table *t, ullage_bytes b)
{
    ul_table_add(t, b.source == ULLAGE_UNKNOWN
                        ? "unknown"
                        : ul_format(t->arena, "%.2f", (double)b.bytes / UL_MIB));
}

void ul_table_rule(struct ul_table *t)
{
    for (size_t i = 0; i < t->n_cols; i++)
        ul_table_add(t, rule);
}

/* Columns of the terminal that a UTF-8 text takes, near enough: its code points. */
static size_t width_of(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xC0) != 0x80;
    return n;
}

static void spaces(struct ul_text *out, size_t n, char c)
{
    while (n-- > 0)
        ul_text_add(out, &c, 1);
}

/* No blanks at a line's end. */
static void end_line(struct ul_text *out)
{
    while (out->n && out->p[out->n - 1] == ' ')
        out->p[--out->n] = '\0';
    ul_text_puts(out, "\n");
}

void ul_table_print(const struct ul_table *t, struct ul_text *out)
{
    size_t width[UL_TABLE_COLS] = {0}, all = 0;
    for (size_t i = 0; i < t->n_cells; i++) {
        size_t w = width_of(t->cells[i]);
        if (w > width[i % t->n_cols])
            width[i % t->n_cols] = w;
    }
    for (size_t i = 0; i < t->n_cols; i++)
        all += width[i] + (i ? 2 : 0);
    for (size_t i = 0; i < t->n_cells; i++) {
        size_t col = i % t->n_cols, w = width_of(t->cells[i]);
        if (t->cells[i] == rule) {
            if (col == 0) {
                spaces(out, all, '-');
                ul_text_puts(out, "\n");
            }
            continue;
        }
        spaces(out, (col ? 2 : 0) + (t->left[col] ? 0 : width[col] - w), ' ');
        ul_text_puts(out, t->cells[i]);
        if (t->left[col])
            spaces(out, width[col] - w, ' ');
        if (col + 1 == t->n_cols)
            end_line(out);
    }
}

void ul_csv(struct ul_text *out, const char *field, bool last)
{
    if (strpbrk(field, ",\"\r\n")) {
        ul_text_puts(out, "\"");
        for (; *field; field++) {
            if (*field == '"')
                ul_text_puts(out, "\"");
            ul_text_add(out, field, 1);
        }
        ul_text_puts(out, "\"");
    } else {
        ul_text_puts(out, field);
    }
    ul_text_puts(out, last ? "\n" : ",");
}

void ullage_text_free(char *text)
{
    free(text);
}

struct job {
    void (*write)(struct ul_text *out, const struct ul_rendering *r);
    const struct ul_rendering *r;
};

static void run(struct ul_text *out, const void *what)
{
    const struct job *job = what;
    job->write(out, job->r);
}

char *ul_render(void (*write)(struct ul_text *out, const struct ul_rendering *r),
                const struct ul_rendering *r)
{
    const struct job job = {write, r};
    return ul_text_written(run, &job);
}
