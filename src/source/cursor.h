/* A bounds-checked cursor over a source, with a sticky first error.
 *
 * Every byte of a file's header goes through here. The cursor keeps a window of the file and moves
 * it forward, so a header of any length costs one window of memory. After the first failure every
 * read gives zero and every test `ok` is false: a caller may read a whole record and look once.
 * Lengths and counts that a file states are compared with the bytes that are left before anything
 * is allocated or looped over. */
#ifndef UL_SOURCE_CURSOR_H
#define UL_SOURCE_CURSOR_H

#include "source/source.h"

/* The window. Keys and names are read out of it in one piece, so none may be longer. */
#define UL_CURSOR_WINDOW ((size_t)64 * 1024)

struct ul_cursor {
    struct ul_source *source;
    ullage_error *err;
    unsigned char *window;    /* `room` bytes */
    size_t room;
    const unsigned char *p;   /* the next byte */
    const unsigned char *end; /* past the last byte read */
    uint64_t base;            /* where in the file window[0] is */
    bool big_endian;
    bool ok;                  /* false after the first failure */
};

/* Starts at byte 0. The window is taken from the arena unless the cursor has one already. */
void ul_cursor_start(struct ul_cursor *c, struct ul_source *s, struct ul_arena *a,
                     ullage_error *err);

/* The file's byte that is read next, and how many follow (UINT64_MAX - that, when unknown). */
uint64_t ul_cursor_at(const struct ul_cursor *c);
uint64_t ul_cursor_left(const struct ul_cursor *c);

/* Fails with "<file>: <message> at byte N". */
void ul_cursor_fail(struct ul_cursor *c, int code, uint64_t position, const char *fmt, ...)
    UL_PRINTF(4, 5);

/* n bytes in one piece, valid until the next call; n is at most the window. NULL on failure. */
const unsigned char *ul_cursor_take(struct ul_cursor *c, size_t n);
void ul_cursor_skip(struct ul_cursor *c, uint64_t n);

/* At the header's end: fails when the bytes jumped over last are not there. */
void ul_cursor_finish(struct ul_cursor *c);

uint8_t ul_cursor_u8(struct ul_cursor *c);
uint16_t ul_cursor_u16(struct ul_cursor *c);
uint32_t ul_cursor_u32(struct ul_cursor *c);
uint64_t ul_cursor_u64(struct ul_cursor *c);

/* Fails when a length read at `at` is more than the bytes left, or more than is allowed. */
void ul_cursor_check_length(struct ul_cursor *c, uint64_t at, const char *what, uint64_t n,
                            uint64_t longest);

/* Walks over `count` strings, each a 64-bit length and its bytes. `longest` bounds a length. */
void ul_cursor_skip_strings(struct ul_cursor *c, uint64_t count, uint64_t longest);

#endif
