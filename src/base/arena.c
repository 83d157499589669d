#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_FIRST ((size_t)16 * 1024)
#define BLOCK_MOST ((size_t)1024 * 1024)

struct ul_arena_block {
    struct ul_arena_block *next;
    size_t size, used;
    max_align_t data[];
};

static void out_of_memory(struct ul_arena *a)
{
    if (a->oom)
        longjmp(*a->oom, 1);
    abort();
}

/* A block that a reset left, if one is large enough. */
static struct ul_arena_block *take_spare(struct ul_arena *a, size_t need)
{
    for (struct ul_arena_block **at = &a->spare; *at; at = &(*at)->next) {
        struct ul_arena_block *b = *at;
        if (b->size < need)
            continue;
        *at = b->next;
        b->next = a->head;
        a->head = b;
        return b;
    }
    return NULL;
}

static struct ul_arena_block *add_block(struct ul_arena *a, size_t need)
{
    struct ul_arena_block *spare = take_spare(a, need);
    if (spare)
        return spare;
    size_t size = a->head ? a->head->size * 2 : BLOCK_FIRST;
    if (size > BLOCK_MOST)
        size = BLOCK_MOST;
    if (size < need)
        size = need;
    /* calloc: fresh pages come zeroed from the system, so large blocks cost nothing until used */
    struct ul_arena_block *b = calloc(1, sizeof *b + size);
    if (!b)
        out_of_memory(a);
    b->next = a->head;
    b->size = size;
    a->head = b;
    a->total += sizeof *b + size;
    return b;
}

void *ul_arena_alloc(struct ul_arena *a, size_t count, size_t size)
{
    const size_t align = sizeof(max_align_t);
    if (size && count > (SIZE_MAX / 2 - align) / size)
        out_of_memory(a);
    size_t need = (count * size + align - 1) / align * align;
    struct ul_arena_block *b = a->head;
    if (!b || b->size - b->used < need)
        b = add_block(a, need);
    void *p = (char *)b->data + b->used;
    b->used += need;
    return p;
}

char *ul_arena_copy(struct ul_arena *a, const char *p, size_t n)
{
    char *s = ul_arena_alloc(a, n + 1, 1);
    if (n)
        memcpy(s, p, n);
    return s;
}

static void free_blocks(struct ul_arena_block *b)
{
    while (b) {
        struct ul_arena_block *next = b->next;
        free(b);
        b = next;
    }
}

void ul_arena_free(struct ul_arena *a)
{
    free_blocks(a->head);
    free_blocks(a->spare);
    a->head = a->spare = NULL;
    a->total = 0;
}

void ul_arena_reset(struct ul_arena *a)
{
    while (a->head) {
        struct ul_arena_block *b = a->head;
        a->head = b->next;
        memset(b->data, 0, b->used);
        b->used = 0;
        b->next = a->spare;
        a->spare = b;
    }
}
