/* Memory for one request: many small allocations, freed in one call.
 *
 * An allocation never returns NULL. When memory runs out the arena jumps to the place its owner set
 * with setjmp, which every public entry point does once; so no caller in between checks for NULL,
 * and nothing is left half built: the arena is freed whole. */
#ifndef UL_BASE_ARENA_H
#define UL_BASE_ARENA_H

#include <setjmp.h>
#include <stddef.h>

struct ul_arena_block;

struct ul_arena {
    struct ul_arena_block *head; /* newest block, the one allocated from */
    struct ul_arena_block *spare; /* zeroed blocks that a reset left */
    size_t total;                /* bytes held, blocks' own heads included */
    jmp_buf *oom;                /* where to go when memory runs out; NULL: abort */
};

/* Zeroed memory, aligned for any object. `count` x `size` is checked for overflow. */
void *ul_arena_alloc(struct ul_arena *a, size_t count, size_t size);
/* A copy of n bytes with a NUL after them. */
char *ul_arena_copy(struct ul_arena *a, const char *p, size_t n);
/* Frees every block. The arena can be used again. */
void ul_arena_free(struct ul_arena *a);

/* Forgets everything but keeps the blocks, for the next of many like requests. */
void ul_arena_reset(struct ul_arena *a);

#define UL_NEW(a, type) ((type *)ul_arena_alloc((a), 1, sizeof(type)))
#define UL_NEWS(a, type, n) ((type *)ul_arena_alloc((a), (n), sizeof(type)))

#endif
