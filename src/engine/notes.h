/* Notes: what the engine would warn about, and what a reader must know to trust a figure. The code
 * is stable, for programs; the text is one sentence for people. */
#ifndef UL_ENGINE_NOTES_H
#define UL_ENGINE_NOTES_H

#include "base/str.h"
#include "ullage.h"

struct ul_notes {
    struct ul_arena *arena;
    ullage_note *v;
    size_t n, cap;
};

/* Adds a note; one that says the same again is dropped. `code` must outlive the notes. */
void ul_note(struct ul_notes *notes, const char *code, const char *fmt, ...) UL_PRINTF(3, 4);

#endif
