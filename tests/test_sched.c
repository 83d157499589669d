/* The scheduler's split against the engine's. Recorded graphs are taken back to what they were before
 * the split; splitting them again must give every node and leaf in its place, on its back-end, under
 * its name, and planning the result the engine's bytes. */
#define _POSIX_C_SOURCE 200809L
#include "graph_unsplit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int compare_list(const char *title, const char *what, struct ul_tensor *const *got,
                        const int8_t *got_b, int n_got, struct ul_tensor *const *want,
                        const int8_t *want_b, int n_want)
{
    int wrong = n_got != n_want;
    if (wrong)
        print_error("%s: %d %ss, the engine %d\n", title, n_got, what, n_want);
    for (int i = 0; i < n_got && i < n_want && !wrong; i++) {
        char name[UL_NAME_MAX];
        ul_tensor_name(got[i], name);
        const char *wanted = want[i]->name ? want[i]->name : "";
        if (got_b[i] != want_b[i] || strcmp(name, strcmp(wanted, "-") ? wanted : "")) {
            print_error("%s: %s %d: %s on %d, the engine %s on %d\n", title, what, i, name,
                        got_b[i], wanted, want_b[i]);
            wrong = 1;
        }
    }
    return wrong;
}

static int compare(const struct recorded *r, const struct ul_sched *s)
{
    int wrong = compare_list(r->title, "node", s->split.nodes, s->split.node_buffer, s->split.n_nodes,
                             r->nodes, r->node_buffer, r->n_nodes) +
                compare_list(r->title, "leaf", s->split.leafs, s->split.leaf_buffer, s->split.n_leafs,
                             r->leafs, r->leaf_buffer, r->n_leafs);
    for (int b = 0; b < s->n_backends; b++)
        if (ul_sched_bytes(s, b) != r->size[b]) {
            print_error("%s: buffer %d: %llu, the engine %llu\n", r->title, b,
                        (unsigned long long)ul_sched_bytes(s, b), (unsigned long long)r->size[b]);
            wrong++;
        }
    return wrong;
}

static void begin(const struct recorded *r, const struct recorded_setting *set, struct ul_sched *s,
                  struct ul_buffer_type *bufts, int n_copies, struct ul_arena *arena)
{
    *s = (struct ul_sched){0};
    recorded_backends(r, set, s, bufts);
    s->n_copies = n_copies;
    ul_sched_init(s, arena);
    for (int b = 0; b < s->n_backends; b++) {
        assert_int_equal(s->buffer[b].alignment, r->buffer[b].alignment);
        assert_true(s->buffer[b].max_chunk == r->buffer[b].max_chunk);
    }
}

static void recorded_graphs(void **state)
{
    (void)state;
    struct ul_arena arena = {0};
    struct recorded r = {.arena = &arena};
    struct recorded_setting set = {0};
    struct ul_sched s;
    struct ul_buffer_type bufts[UL_MAX_BACKENDS];
    int file = 0, files = 0, graphs = 0, wrong = 0;
    FILE *f = recorded_open();
    while (recorded_next(&r, f)) {
        struct ul_graph g;
        int n_copies;
        ullage_error err = {0};
        bool first = r.n_files != file;
        file = r.n_files;
        if (first)
            set = recorded_setting_of(r.title);
        if (!set.split)
            continue;
        unsplit(&r, &set, &g, &n_copies);
        if (first)
            begin(&r, &set, &s, bufts, n_copies, &arena);
        assert_int_equal(ul_sched_reserve(&s, &g, &err), ULLAGE_OK);
        wrong += compare(&r, &s);
        files += first;
        graphs++;
    }
    assert_int_equal(pclose(f), 0);
    assert_int_equal(files, 46);
    assert_int_equal(graphs, 138);
    assert_int_equal(wrong, 0);
    ul_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recorded_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
