/* The allocator's plan against the engine's: graphs that the engine's scheduler handed to its
 * allocator, recorded with the bytes that the allocator then held for every buffer. */
#define _POSIX_C_SOURCE 200809L
#include "graph_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void compare(const struct recorded *r, const struct ul_alloc *a, int *wrong)
{
    for (int b = 0; b < r->n_buffers; b++)
        if (ul_alloc_bytes(a, b) != r->size[b]) {
            print_error("%s: buffer %d: %llu, the engine %llu\n", r->title, b,
                        (unsigned long long)ul_alloc_bytes(a, b), (unsigned long long)r->size[b]);
            ++*wrong;
        }
}

static struct ul_alloc_graph graph_of(const struct recorded *r)
{
    return (struct ul_alloc_graph){r->nodes, r->leafs, r->node_buffer, r->leaf_buffer,
                                   r->n_nodes, r->n_leafs, r->n_index};
}

static void recorded_graphs(void **state)
{
    (void)state;
    struct ul_arena arena = {0};
    struct recorded r = {.arena = &arena};
    struct ul_alloc a;
    struct ul_alloc_buffer buffers[UL_MAX_BUFFERS];
    int file = 0, graphs = 0, wrong = 0;
    FILE *f = recorded_open();
    while (recorded_next(&r, f)) {
        ullage_error err = {0};
        if (r.n_files != file) {
            file = r.n_files;
            memcpy(buffers, r.buffer, sizeof buffers);
            ul_alloc_init(&a, &arena, buffers, r.n_buffers, recorded_size, &r);
        }
        struct ul_alloc_graph g = graph_of(&r);
        assert_int_equal(ul_alloc_reserve(&a, &g, &err), ULLAGE_OK);
        compare(&r, &a, &wrong);
        graphs++;
    }
    assert_int_equal(pclose(f), 0);
    assert_int_equal(file, 48);
    assert_int_equal(graphs, 144);
    assert_int_equal(wrong, 0);
    ul_arena_free(&arena);
}

/* The tensors alive at the peak lie side by side without overlap, and reach the buffer's end. */
static void alive_at_the_peak(void **state)
{
    (void)state;
    struct ul_arena arena = {0};
    struct recorded r = {.arena = &arena};
    FILE *f = recorded_open();
    assert_true(recorded_next(&r, f));
    struct ul_alloc a;
    struct ul_alive *alive;
    struct ul_alloc_graph g = graph_of(&r);
    ullage_error err = {0};
    ul_alloc_init(&a, &arena, r.buffer, r.n_buffers, recorded_size, &r);
    assert_int_equal(ul_alloc_reserve(&a, &g, &err), ULLAGE_OK);
    for (int b = 0; b < r.n_buffers; b++) {
        int n = ul_alloc_alive(&a, &g, b, &alive, &err);
        assert_true(n > 0);
        uint64_t end = 0, most = 0;
        for (int i = 0; i < n; i++) {
            assert_true(alive[i].offset >= end);
            end = alive[i].offset + alive[i].bytes;
            most = most > end ? most : end;
        }
        assert_int_equal(most, ul_alloc_bytes(&a, b));
    }
    while (fgetc(f) != EOF) /* let the decompressor finish */
        ;
    pclose(f);
    ul_arena_free(&arena);
}

/* 300 tensors of growing size, each other one freed: more free blocks than the engine has room for. */
static void too_many_free_blocks(void **state)
{
    (void)state;
    struct ul_arena arena = {0};
    struct ul_graph g;
    ul_graph_init(&g, &arena);
    struct ul_tensor *keep[700];
    struct ul_tensor *in = ulg_set_input(ulg_new_1d(&g, UL_F32, 32));
    for (int i = 0; i < 700; i++) {
        keep[i] = ulg_norm(&g, in);
        ul_graph_expand(&g, keep[i]);
    }
    for (int i = 0; i < 700; i += 2) /* the last use of every other one */
        ul_graph_expand(&g, ulg_set_output(ulg_sum(&g, keep[i])));
    for (int i = 1; i < 700; i += 2)
        ul_graph_expand(&g, ulg_set_output(ulg_sum(&g, keep[i])));
    int8_t *zero = UL_NEWS(&arena, int8_t, 4096);
    struct ul_alloc_buffer buffer = {.alignment = 32, .max_chunk = UINT64_MAX};
    struct ul_alloc_graph ag = {g.nodes, g.leafs, zero, zero, g.n_nodes, g.n_leafs, g.n_index};
    struct ul_alloc a;
    struct recorded r = {.bytes = UL_NEWS(&arena, uint64_t, 8192)};
    for (int i = 0; i < g.n_nodes; i++)
        r.bytes[g.nodes[i]->index] = g.nodes[i]->op == UL_OP_SUM ? 4096 : 128;
    ullage_error err = {0};
    ul_alloc_init(&a, &arena, &buffer, 1, recorded_size, &r);
    assert_int_equal(ul_alloc_reserve(&a, &ag, &err), ULLAGE_ERROR_REFUSED);
    ul_arena_free(&arena);
}

/* Shapes that a file may name, whose bytes no 64 bits can count: refused, not wrapped around. */
static void absurd_sizes(void **state)
{
    (void)state;
    struct ul_arena arena = {0};
    struct ul_graph g;
    ul_graph_init(&g, &arena);
    struct ul_tensor *in = ulg_set_input(ulg_new_4d(&g, UL_F32, INT64_MAX / 4, INT64_MAX / 4, 3, 1));
    ul_graph_expand(&g, ulg_set_output(ulg_norm(&g, in)));
    int8_t zero[4] = {0};
    struct ul_alloc_buffer buffer = {.alignment = 32, .max_chunk = UINT64_MAX};
    struct ul_alloc_graph ag = {g.nodes, g.leafs, zero, zero, g.n_nodes, g.n_leafs, g.n_index};
    struct recorded r = {.bytes = UL_NEWS(&arena, uint64_t, 8)};
    for (int i = 0; i < g.n_index; i++)
        r.bytes[i] = ul_tensor_bytes(in);
    struct ul_alloc a;
    ullage_error err = {0};
    ul_alloc_init(&a, &arena, &buffer, 1, recorded_size, &r);
    assert_int_equal(ul_alloc_reserve(&a, &ag, &err), ULLAGE_ERROR_REFUSED);
    ul_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_graphs),
        cmocka_unit_test(alive_at_the_peak),
        cmocka_unit_test(too_many_free_blocks),
        cmocka_unit_test(absurd_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
