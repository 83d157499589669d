/* Text with a length (file strings are not NUL-terminated and may hold NUL), and a growing text
 * buffer for reports. */
#ifndef UL_BASE_STR_H
#define UL_BASE_STR_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct ul_str {
    const char *p;
    size_t n;
};

/* A string literal or array as a ul_str. */
#define UL_STR(lit) ((struct ul_str){(lit), sizeof(lit) - 1})

static inline struct ul_str ul_cstr(const char *s) { return (struct ul_str){s, s ? strlen(s) : 0}; }

static inline bool ul_str_eq(struct ul_str a, struct ul_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool ul_str_is(struct ul_str a, const char *s)
{
    size_t n = strlen(s);
    return a.n == n && memcmp(a.p, s, n) == 0;
}

static inline bool ul_str_starts(struct ul_str a, const char *s)
{
    size_t n = strlen(s);
    return a.n >= n && memcmp(a.p, s, n) == 0;
}

#if defined(__GNUC__)
#define UL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define UL_PRINTF(fmt, args)
#endif

/* Text that grows, in an arena. Always NUL-terminated once something was added. */
struct ul_text {
    struct ul_arena *arena;
    char *p;
    size_t n, cap;
};

void ul_text_add(struct ul_text *t, const char *p, size_t n);
void ul_text_puts(struct ul_text *t, const char *s);
void ul_text_vprintf(struct ul_text *t, const char *fmt, va_list args);
void ul_text_printf(struct ul_text *t, const char *fmt, ...) UL_PRINTF(2, 3);
/* A malloc'ed copy for the caller; NULL when memory is out. */
char *ul_text_take(const struct ul_text *t);
/* Runs `write` over a text in an arena of its own, and hands out a malloc'ed copy of what it wrote;
 * NULL when memory runs out. */
char *ul_text_written(void (*write)(struct ul_text *t, const void *what), const void *what);
/* printf into the arena. */
char *ul_format(struct ul_arena *a, const char *fmt, ...) UL_PRINTF(2, 3);

#endif
