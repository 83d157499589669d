#include "base/str.h"

#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static void reserve(struct ul_text *t, size_t more)
{
    if (t->cap - t->n > more)
        return;
    size_t cap = t->cap ? t->cap * 2 : 256;
    while (cap - t->n <= more)
        cap *= 2;
    char *p = ul_arena_alloc(t->arena, cap, 1);
    if (t->n)
        memcpy(p, t->p, t->n);
    t->p = p;
    t->cap = cap;
}

void ul_text_add(struct ul_text *t, const char *p, size_t n)
{
    reserve(t, n);
    memcpy(t->p + t->n, p, n);
    t->n += n;
    t->p[t->n] = '\0';
}

void ul_text_puts(struct ul_text *t, const char *s)
{
    ul_text_add(t, s, strlen(s));
}

void ul_text_vprintf(struct ul_text *t, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    if (n > 0) {
        reserve(t, (size_t)n + 1);
        vsnprintf(t->p + t->n, (size_t)n + 1, fmt, again);
        t->n += (size_t)n;
    }
    va_end(again);
}

void ul_text_printf(struct ul_text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    ul_text_vprintf(t, fmt, args);
    va_end(args);
}

char *ul_format(struct ul_arena *a, const char *fmt, ...)
{
    struct ul_text t = {.arena = a};
    va_list args;
    va_start(args, fmt);
    ul_text_vprintf(&t, fmt, args);
    va_end(args);
    return t.p ? t.p : ul_arena_copy(a, "", 0);
}

char *ul_text_take(const struct ul_text *t)
{
    char *s = malloc(t->n + 1);
    if (s) {
        if (t->n)
            memcpy(s, t->p, t->n);
        s[t->n] = '\0';
    }
    return s;
}

char *ul_text_written(void (*write)(struct ul_text *t, const void *what), const void *what)
{
    struct ul_arena a = {0};
    jmp_buf oom;
    if (setjmp(oom)) {
        ul_arena_free(&a);
        return NULL;
    }
    a.oom = &oom;
    struct ul_text out = {.arena = &a};
    write(&out, what);
    char *text = ul_text_take(&out);
    ul_arena_free(&a);
    return text;
}
