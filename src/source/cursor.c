/* The window and its movement. See cursor.h for what the cursor promises.
 *
 * The window holds the file's bytes [base, base + (end - window)), and p is in it. A read that
 * needs more than is left moves the rest to the front and fills up behind it; a jump past the
 * window reads nothing and empties it, so that arrays that are stepped over are never fetched,
 * which matters when the source is a server. Positions are always computed from base and p, so
 * there is no second count that could drift.
 *
 * Failure is sticky: `ok` goes false, the first message stays, p goes to the end so that nothing
 * is found in the window any more. */
#include "source/cursor.h"

#include "base/size.h"

#include <inttypes.h>
#include <stdio.h>

/* The window is kept when the cursor goes on to another file: a model of 800 shards needs one. A
 * small file needs no more window than it has bytes. */
void ul_cursor_start(struct ul_cursor *c, struct ul_source *s, struct ul_arena *a,
                     ullage_error *err)
{
    size_t want = (size_t)ul_min(s->size, UL_CURSOR_WINDOW);
    if (!c->window || c->room < want) {
        c->window = ul_arena_alloc(a, want, 1);
        c->room = want;
    }
    c->source = s;
    c->err = err;
    c->p = c->end = c->window;
    c->base = 0;
    c->big_endian = false;
    c->ok = true;
}

uint64_t ul_cursor_at(const struct ul_cursor *c)
{
    return ul_add(c->base, (uint64_t)(c->p - c->window));
}

/* Of a source whose size is unknown, nearly 2^64 are left: counts are then believed until the bytes
 * end, and nothing may be allocated by them (gguf.c: grow). */
uint64_t ul_cursor_left(const struct ul_cursor *c)
{
    uint64_t at = ul_cursor_at(c);
    return c->source->size > at ? c->source->size - at : 0;
}

void ul_cursor_fail(struct ul_cursor *c, int code, uint64_t position, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (c->ok)
        ul_fail(c->err, code, position, "%s: %s at byte %" PRIu64, ul_path_tail(c->source->name),
                text, position);
    c->ok = false;
    c->p = c->end;
}

/* Two ways to end too early, and a person does something else about each: a file that is cut off is
 * downloaded again, a part of a file that was handed over is made larger. */
static void fail_end(struct ul_cursor *c)
{
    uint64_t here = ul_add(c->base, (uint64_t)(c->end - c->window));
    bool more = c->source->size != UINT64_MAX && here < c->source->size;
    ul_cursor_fail(c, ULLAGE_ERROR_INPUT, here,
                   more ? "the header goes on past the bytes that were given: none"
                        : "the header is cut off: the file ends");
}

/* Moves the window on until n bytes from c->p are in it, n at most the room. Always asks for as
 * much as there is room for, and takes what it gets: a source may give less than it was asked. */
static bool refill(struct ul_cursor *c, size_t n)
{
    size_t have = (size_t)(c->end - c->p);
    c->base = ul_cursor_at(c);
    memmove(c->window, c->p, have);
    c->p = c->window;
    c->end = c->window + have;
    while (have < n) {
        long got = c->source->read(c->source, ul_add(c->base, have), c->window + have,
                                   c->room - have, c->err);
        if (got < 0 || (size_t)got > c->room - have) {
            c->ok = false; /* the source has set the error: which file, and why */
            return false;
        }
        if (got == 0) {
            fail_end(c);
            return false;
        }
        have += (size_t)got;
        c->end = c->window + have;
    }
    return true;
}

const unsigned char *ul_cursor_take(struct ul_cursor *c, size_t n)
{
    if (!c->ok)
        return NULL;
    if ((size_t)(c->end - c->p) < n && (n > c->room || !refill(c, n))) {
        if (c->ok)
            fail_end(c);
        return NULL;
    }
    const unsigned char *p = c->p;
    c->p += n;
    return p;
}

void ul_cursor_skip(struct ul_cursor *c, uint64_t n)
{
    size_t have = (size_t)(c->end - c->p);
    if (!c->ok)
        return;
    if (n <= have) {
        c->p += n;
        return;
    }
    if (n > ul_cursor_left(c)) {
        uint64_t end = c->source->size;
        ul_cursor_fail(c, ULLAGE_ERROR_INPUT, end, "the header is cut off: the file ends");
        return;
    }
    /* Nothing is read: the next read begins beyond. A source that is asked for bytes past its end
     * gives none, and that is where a file of unknown size is found to be cut off. */
    c->base = ul_add(ul_cursor_at(c), n);
    c->p = c->end = c->window;
}

/* A jump is checked against the file's size, but the size may be unknown, or more than the bytes
 * that were given; the next read finds out. Here is no next read. */
void ul_cursor_finish(struct ul_cursor *c)
{
    if (!c->ok || c->end != c->window || c->base == 0)
        return;
    c->base--;
    ul_cursor_u8(c);
}

/* Written out, and not as loops, so that compilers make one load of it, and one swap. */
static inline uint32_t load32(const unsigned char *p, bool big)
{
    uint32_t a = p[0], b = p[1], c = p[2], d = p[3];
    return big ? a << 24 | b << 16 | c << 8 | d : d << 24 | c << 16 | b << 8 | a;
}

static inline uint64_t load64(const unsigned char *p, bool big)
{
    uint64_t first = load32(p, big), second = load32(p + 4, big);
    return big ? first << 32 | second : second << 32 | first;
}

uint8_t ul_cursor_u8(struct ul_cursor *c)
{
    const unsigned char *p = ul_cursor_take(c, 1);
    return p ? *p : 0;
}

uint16_t ul_cursor_u16(struct ul_cursor *c)
{
    const unsigned char *p = ul_cursor_take(c, 2);
    return p ? (uint16_t)(c->big_endian ? p[0] << 8 | p[1] : p[1] << 8 | p[0]) : 0;
}

uint32_t ul_cursor_u32(struct ul_cursor *c)
{
    const unsigned char *p = ul_cursor_take(c, 4);
    return p ? load32(p, c->big_endian) : 0;
}

uint64_t ul_cursor_u64(struct ul_cursor *c)
{
    const unsigned char *p = ul_cursor_take(c, 8);
    return p ? load64(p, c->big_endian) : 0;
}

void ul_cursor_check_length(struct ul_cursor *c, uint64_t at, const char *what, uint64_t n,
                            uint64_t longest)
{
    uint64_t left = ul_cursor_left(c);
    if (n > left)
        ul_cursor_fail(c, ULLAGE_ERROR_INPUT, at,
                       "%s of %" PRIu64 " bytes where %" PRIu64 " are left", what, n, left);
    else if (n > longest)
        ul_cursor_fail(c, ULLAGE_ERROR_INPUT, at,
                       "%s of %" PRIu64 " bytes is too long (at most %" PRIu64 ")", what, n,
                       longest);
}

/* The strings that lie whole in the window: this loop is where a vocabulary's time goes, so it
 * keeps its state in locals, touches only the lengths, and asks one question a string: does it end
 * in the window? A length that lies (2^64 - 8, say) answers no like one that is merely cut by the
 * window's edge, and the slow way finds out which it is. Returns how many are left. */
static uint64_t skip_in_window(struct ul_cursor *c, uint64_t count, bool big)
{
    const unsigned char *p = c->p, *end = c->end;
    while (count > 0 && end - p >= 8) {
        uint64_t n = load64(p, big);
        if (n > (uint64_t)(end - p) - 8)
            break;
        p += 8 + n;
        count--;
    }
    c->p = p;
    return count;
}

/* The string at the window's edge is stepped over singly, then the window has moved on. */
void ul_cursor_skip_strings(struct ul_cursor *c, uint64_t count, uint64_t longest)
{
    while (c->ok) {
        count = skip_in_window(c, count, c->big_endian);
        if (count == 0)
            return;
        uint64_t at = ul_cursor_at(c);
        uint64_t n = ul_cursor_u64(c);
        if (c->ok)
            ul_cursor_check_length(c, at, "a string", n, longest);
        ul_cursor_skip(c, n);
        count--;
    }
}
