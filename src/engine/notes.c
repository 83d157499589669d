#include "engine/notes.h"

static bool said(const struct ul_notes *notes, const char *code, const char *text)
{
    for (size_t i = 0; i < notes->n; i++)
        if (strcmp(notes->v[i].code, code) == 0 && strcmp(notes->v[i].text, text) == 0)
            return true;
    return false;
}

void ul_note(struct ul_notes *notes, const char *code, const char *fmt, ...)
{
    struct ul_text t = {.arena = notes->arena};
    va_list args;
    va_start(args, fmt);
    ul_text_vprintf(&t, fmt, args);
    va_end(args);
    if (!t.p || said(notes, code, t.p))
        return;
    if (notes->n == notes->cap) {
        size_t cap = notes->cap ? notes->cap * 2 : 16;
        ullage_note *v = UL_NEWS(notes->arena, ullage_note, cap);
        if (notes->n)
            memcpy(v, notes->v, notes->n * sizeof *v);
        notes->v = v;
        notes->cap = cap;
    }
    notes->v[notes->n++] = (ullage_note){.code = code, .text = t.p};
}
