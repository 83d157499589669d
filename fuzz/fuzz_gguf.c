/* Any bytes as a GGUF file. Beyond not crashing (the sanitizers' part), each input is held to what
 * the reader promises:
 *   - it fails with one line and a code for input, or gives tensors whose data lie one after the
 *     other, aligned, without overflow;
 *   - memory stays within a multiple of the file's size, whatever the file claims;
 *   - the same bytes in small pieces, of a file of unknown size, give the same answer;
 *   - the same bytes as the first part of a longer file give the same tensors. */
#include "fuzz.h"
#include "source/gguf.h"

#include <stdlib.h>

/* A record of the fewest bytes (14 for a key, 24 for a tensor) costs at most a doubling array of
 * structs, its name, and an entry for the search of duplicates. */
#define MEMORY_A_BYTE 32
#define MEMORY_FIXED (512 * 1024)

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))

struct pieces {
    const uint8_t *p;
    size_t n, step;
};

static long read_piece(struct ul_source *s, uint64_t offset, void *buf, size_t n, ullage_error *err)
{
    const struct pieces *w = s->state;
    (void)err;
    if (offset >= w->n)
        return 0;
    if (n > w->step)
        n = w->step;
    if (n > w->n - offset)
        n = (size_t)(w->n - offset);
    memcpy(buf, w->p + offset, n);
    return (long)n;
}

static void check_error(const ullage_error *e, size_t size)
{
    size_t n = strlen(e->message);
    CHECK(e->code == ULLAGE_ERROR_INPUT || e->code == ULLAGE_ERROR_UNKNOWN);
    CHECK(n > 0 && n < sizeof e->message);
    for (size_t i = 0; i < n; i++)
        CHECK((unsigned char)e->message[i] >= 0x20);
    CHECK(e->position == ULLAGE_NO_POSITION || e->position <= size);
}

static void check_good(const struct ul_gguf *g)
{
    uint64_t end = g->files[0].data;
    CHECK(g->n_files == 1 && g->alignment > 0);
    CHECK((g->alignment & (g->alignment - 1)) == 0);
    for (size_t i = 0; i < g->n_tensors; i++) {
        const struct ul_gguf_tensor *t = &g->tensors[i];
        CHECK(t->offset == end && t->offset % g->alignment == 0);
        CHECK(t->bytes > 0 && t->bytes < INT64_MAX && t->name.n < 64 && t->n_dims <= 4);
        end = t->offset + (t->bytes + g->alignment - 1) / g->alignment * g->alignment;
        CHECK(end >= t->offset + t->bytes);
    }
    CHECK(end == g->files[0].full_size);
    for (size_t i = 0; i < g->n_kv; i++)
        CHECK(ul_gguf_find(g, g->kv[i].key) == &g->kv[i]);
}

static void read_in_pieces(const uint8_t *data, size_t size, const struct ul_gguf *whole, int code)
{
    struct ul_arena a = {0};
    struct ul_gguf g;
    ullage_error e = {0};
    struct pieces w = {.p = data, .n = size, .step = 7};
    struct ul_source s = {.name = "x", .size = UINT64_MAX, .read = read_piece, .state = &w};
    int again = ul_gguf_read(&g, &s, &a, &e);
    /* Of an unknown size, a length may be believed until the bytes end; it fails all the same. */
    CHECK((again == ULLAGE_OK) == (code == ULLAGE_OK));
    CHECK(g.n_tensors == whole->n_tensors && g.n_kv == whole->n_kv);
    ul_arena_free(&a);
}

static void read_as_part(const uint8_t *data, size_t size, const struct ul_gguf *whole)
{
    struct ul_arena a = {0};
    struct ul_gguf g;
    ullage_error e = {0};
    struct ul_source s;
    ul_source_memory(&s, data, size, (uint64_t)size + ((uint64_t)1 << 40));
    CHECK(ul_gguf_read(&g, &s, &a, &e) == ULLAGE_OK);
    CHECK(g.n_tensors == whole->n_tensors && g.n_kv == whole->n_kv);
    ul_arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ul_arena a = {0};
    struct ul_gguf g;
    ullage_error e = {0};
    struct ul_source s;
    ul_source_memory(&s, data, size, size);
    int code = ul_gguf_read(&g, &s, &a, &e);
    CHECK(code == e.code);
    CHECK(a.total <= MEMORY_A_BYTE * size + MEMORY_FIXED);
    if (code != ULLAGE_OK)
        check_error(&e, size);
    else
        check_good(&g);
    read_in_pieces(data, size, &g, code);
    if (code == ULLAGE_OK)
        read_as_part(data, size, &g);
    ul_arena_free(&a);
    return 0;
}
