/* Reading a GGUF file made with mkgguf.h, for the reader's tests. */
#ifndef GGUF_CASE_H
#define GGUF_CASE_H

#include "mkgguf.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

struct read {
    struct ul_arena arena;
    struct ul_gguf g;
    ullage_error err;
    int code;
};

/* Reads the first n bytes as those of a file of `size` bytes. */
static inline struct read *read_part(const void *p, size_t n, uint64_t size)
{
    struct read *r = calloc(1, sizeof *r);
    struct ul_source s;
    assert_non_null(r);
    ul_source_memory(&s, p, n, size);
    r->code = ul_gguf_read(&r->g, &s, &r->arena, &r->err);
    s.close(&s);
    assert_int_equal(r->code, r->err.code);
    return r;
}

static inline struct read *read_file(const char *path)
{
    struct read *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->code = ul_gguf_open(&r->g, path, &r->arena, &r->err);
    assert_int_equal(r->code, r->err.code);
    return r;
}

static inline void read_free(struct read *r)
{
    ul_arena_free(&r->arena);
    free(r);
}

/* Ends the file with `m`'s counts, reads it as a whole file (header and all the data it promises),
 * and expects it to be good. */
static inline struct read *expect_good(struct mkgguf *m)
{
    mk_end(m);
    struct read *r = read_part(m->p, m->n, mk_full_size(m));
    if (r->code != ULLAGE_OK)
        fail_msg("refused: %s", r->err.message);
    return r;
}

static inline void check_message(const struct read *r, int code, const char *fragment)
{
    if (r->code != code || !strstr(r->err.message, fragment))
        fail_msg("expected %d with \"%s\", got %d: %s", code, fragment, r->code, r->err.message);
    for (const char *c = r->err.message; *c; c++)
        if ((unsigned char)*c < 0x20)
            fail_msg("a control character in: %s", r->err.message);
}

/* The bytes as they are must be refused, with `fragment` in the message, at byte `at`. */
static inline void expect_bytes_refused(const void *p, size_t n, uint64_t size, int code,
                                        uint64_t at, const char *fragment)
{
    struct read *r = read_part(p, n, size);
    check_message(r, code, fragment);
    if (r->err.position != at)
        fail_msg("expected byte %llu: %s", (unsigned long long)at, r->err.message);
    if (at != ULLAGE_NO_POSITION) {
        char where[40];
        snprintf(where, sizeof where, "at byte %llu", (unsigned long long)at);
        if (!strstr(r->err.message, where))
            fail_msg("expected \"%s\": %s", where, r->err.message);
    }
    assert_int_equal(r->g.n_tensors, 0);
    assert_int_equal(r->g.n_kv, 0);
    read_free(r);
}

static inline void expect_refused(struct mkgguf *m, uint64_t at, const char *fragment)
{
    mk_end(m);
    expect_bytes_refused(m->p, m->n, mk_full_size(m), ULLAGE_ERROR_INPUT, at, fragment);
    mk_free(m);
}

#endif
