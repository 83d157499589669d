/* What is stored of a measurement and found again: each GPU its own figures, under its driver;
 * those of the same model and flags first; and what belongs together comes together. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER TEST_BUILD "/store"
#define MIB ((uint64_t)1 << 20)

static struct ul_store *s;

static int setup(void **state)
{
    (void)state;
    return system("rm -rf '" FOLDER "'") || mkdir(FOLDER, 0777) || ul_store_open(&s, FOLDER, NULL);
}

static int teardown(void **state)
{
    (void)state;
    ul_store_close(s);
    return 0;
}

static struct ul_amount mib(uint64_t n) { return (struct ul_amount){n * MIB, true}; }

static void add(const char *started, const char *driver, const char *model, const char *flags,
                const char *const names[2], const uint64_t figures[2][3])
{
    struct ul_measurement *m = calloc(1, sizeof *m);
    int64_t id;
    snprintf(m->started, sizeof m->started, "%s", started);
    snprintf(m->host, sizeof m->host, "box");
    snprintf(m->driver, sizeof m->driver, "%s", driver);
    snprintf(m->engine, sizeof m->engine, "11669");
    snprintf(m->model, sizeof m->model, "%s", model);
    snprintf(m->flags, sizeof m->flags, "%s", flags);
    m->model_bytes = 1000;
    m->n_ctx = 8192;
    for (int i = 0; i < 2 && names[i]; i++) {
        struct ul_measure_place *p = &m->place[m->n_places++];
        snprintf(p->name, sizeof p->name, "%s", names[i]);
        snprintf(p->device, sizeof p->device, "CUDA%d", i);
        p->counts = true;
        p->runtime = mib(figures[i][0]);
        p->pool = (struct ul_amount){figures[i][1] * MIB, figures[i][1] > 0};
        p->added = mib(figures[i][2]);
    }
    assert_int_equal(ul_store_begin(s, m, started, &id, NULL), 0);
    assert_int_equal(ul_store_finish(s, id, m, NULL), 0);
    ul_measure_free(m);
}

static void find(const char *gpu, const char *driver, const char *model, const char *flags,
                 long long runtime, long long prompt)
{
    struct ul_amount r, p;
    ul_store_figures(s, "box", gpu, driver, model, 1000, flags, &r, &p);
    assert_int_equal(r.known ? (long long)(r.bytes / MIB) : -1, runtime);
    assert_int_equal(p.known ? (long long)(p.bytes / MIB) : -1, prompt);
}

static void test_figures(void **state)
{
    static const char *const both[2] = {"RTX 4090", "GTX 1080"}, *const one[2] = {"RTX 4090", NULL};
    (void)state;
    add("2026-11-01T00:00:00Z", "580", "a.gguf", "-np 1", both,
        (const uint64_t[2][3]){{480, 2, 12}, {150, 4, 8}});
    add("2026-11-02T00:00:00Z", "580", "b.gguf", "-np 1", one,
        (const uint64_t[2][3]){{484, 0, 10}});
    find("RTX 4090", "580", "a.gguf", "-np 1", 480, 14); /* the pool counts with the prompt */
    find("GTX 1080", "580", "a.gguf", "-np 1", 150, 12); /* a GPU of another name has its own */
    find("RTX 4090", "580", "b.gguf", "-np 1", 484, 10); /* one measurement's figures together */
    find("RTX 4090", "580", "c.gguf", "-np 1", 480, -1); /* where the pool was told apart, first */
    find("RTX 4090", "580", "a.gguf", "-np 2", 480, -1);
    find("RTX 4090", "590", "a.gguf", "-np 1", -1, -1);  /* another driver: nothing */
    find("RTX 3090", "580", "a.gguf", "-np 1", -1, -1);
}

static int rows, places;

static void count(void *context, const struct ul_store_row *r)
{
    (void)context;
    rows++;
    places += r->n_figures;
    if (strcmp(r->model, "a.gguf") == 0) {
        assert_string_equal(r->figure[1].gpu, "GTX 1080");
        assert_int_equal(r->figure[1].runtime.bytes, 150 * MIB);
        assert_string_equal(r->engine, "11669");
    }
}

static void test_list(void **state)
{
    (void)state;
    ul_store_list(s, count, NULL);
    assert_int_equal(rows, 2);
    assert_int_equal(places, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figures), cmocka_unit_test(test_list)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
