/* Lines of a log and entries of the list of buffers, brought together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/elf.h"
#include "measure/seen.h"

#include <stdio.h>
#include <string.h>

#define TRACE TEST_BUILD "/seen-trace"

static struct ul_evidence e;
static struct ul_seen seen;

static void log_of(const char *const *lines)
{
    ul_evidence_start(&e);
    for (; *lines; lines++)
        ul_evidence_line(&e, *lines);
}

static void see(const char *trace, uint64_t most)
{
    FILE *f = fopen(TRACE, "w");
    assert_non_null(f);
    fputs(trace, f);
    fclose(f);
    assert_true(ul_seen_make(&seen, &e, TRACE, most));
}

static const struct ul_seen_buffer *buffer(const char *name, const char *kind)
{
    for (int i = 0; i < seen.n_buffers; i++)
        if (strcmp(seen.buffer[i].buffer, name) == 0 && strcmp(seen.buffer[i].kind, kind) == 0)
            return &seen.buffer[i];
    fail_msg("no %s %s", name, kind);
    return NULL;
}

static const struct ul_seen_part *part(const char *device, const char *kind)
{
    for (int i = 0; i < seen.n_parts; i++)
        if (strcmp(seen.part[i].device, device) == 0 && strcmp(seen.part[i].kind, kind) == 0)
            return &seen.part[i];
    fail_msg("no %s %s", device, kind);
    return NULL;
}

static const char *const one_card[] = {
    "load_tensors:   CPU_Mapped model buffer size =   333.84 MiB",
    "load_tensors:   CPU_Mapped model buffer size =     0.50 MiB",
    "load_tensors:        CUDA0 model buffer size =  4455.34 MiB",
    "llama_context: constructing llama_context",
    "llama_kv_cache:      CUDA0 KV buffer size =   576.00 MiB",
    "sched_reserve:      CUDA0 compute buffer size =   600.00 MiB", NULL};

static void test_exact(void **state)
{
    (void)state;
    log_of(one_card);
    see("map 1 0 350060544 CPU_Mapped\nmap 2 0 524288 CPU_Mapped\nalloc 3 0 4671766528 CUDA0\n"
        "alloc 4 0 603979776 CUDA0\nalloc 5 0 629145600 CUDA0\n", 0);
    assert_int_equal(seen.rounded, 0);
    assert_int_equal(buffer("CPU_Mapped", "model")->bytes, 350060544 + 524288);
    assert_int_equal(buffer("CPU_Mapped", "model")->count, 2);
    assert_int_equal(buffer("CUDA0", "kv")->bytes, 603979776);
    assert_int_equal(part("Host", "model")->bytes, 350060544 + 524288);
    assert_int_equal(part("CUDA0", "model")->charged, (uint64_t)4456 << 20); /* steps of 2 MiB */
}

/* An allocator may make a compute buffer of several pieces, and anew; what was freed is not it. */
static void test_pieces(void **state)
{
    (void)state;
    log_of(one_card);
    see("alloc 3 0 4671766528 CUDA0\nalloc 4 0 603979776 CUDA0\nalloc 5 0 629145601 CUDA0\nfree 5\n"
        "alloc 6 0 419430400 CUDA0\nalloc 7 0 209715203 CUDA0\n", 0);
    assert_int_equal(buffer("CUDA0", "compute")->bytes, 419430400 + 209715203);
    assert_int_equal(buffer("CUDA0", "compute")->count, 2);
    assert_int_equal(seen.rounded, 1); /* CPU_Mapped is not on the list */
    assert_int_equal(buffer("CPU_Mapped", "model")->exact, 0);
}

/* The list is read as far as it was when the server was ready: later all is freed. */
static void test_until(void **state)
{
    (void)state;
    const char *list = "alloc 3 0 4671766528 CUDA0\nalloc 4 0 603979776 CUDA0\n"
                       "alloc 5 0 629145600 CUDA0\n";
    char all[400];
    snprintf(all, sizeof all, "%sfree 3\nfree 4\nfree 5\nalloc 9 0 629145602 CUDA0\n", list);
    log_of(one_card);
    see(all, strlen(list));
    assert_int_equal(buffer("CUDA0", "compute")->bytes, 629145600);
    see(all, 0); /* of two that would do, the one that lives */
    assert_int_equal(buffer("CUDA0", "compute")->bytes, 629145602);
}

/* -sm tensor: one line, a part on each device; and a repacked buffer made through a plain one. */
static void test_parents(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "load_tensors:       Meta() model buffer size =   100.00 MiB",
        "load_tensors:   CPU_REPACK model buffer size =    10.00 MiB", NULL};
    log_of(lines);
    see("alloc 2 1 104857600 CUDA0\nalloc 3 1 52428800 CUDA1\nalloc 1 0 104857600 Meta()\n"
        "alloc 5 4 10485760 CPU\nalloc 4 0 10485760 CPU_REPACK\n", 0);
    assert_int_equal(seen.rounded, 0);
    assert_int_equal(buffer("Meta()", "model")->bytes, 104857600);
    assert_int_equal(part("CUDA0", "model")->bytes, 104857600);
    assert_int_equal(part("CUDA1", "model")->bytes, 52428800);
    assert_int_equal(part("Host", "model")->bytes, 10485760);
}

/* What llama.cpp makes on one device after the other, with the largest in the log; and 512 bytes,
 * which the log rounds to nothing. */
static void test_devices(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "load_tensors:       Meta() model buffer size =   100.00 MiB",
        "llama_context:  CUDA_Host  output buffer size =     0.00 MiB",
        "llama_kv_cache:     Meta() KV buffer size =    50.00 MiB",
        "llama_kv_cache:     Meta() KV buffer size =     7.00 MiB", NULL};
    log_of(lines);
    see("alloc 1 0 100857600 CUDA0\nalloc 2 0 104857600 CUDA1\nalloc 3 0 512 CUDA_Host\n"
        "alloc 4 0 52428800 CUDA0\nalloc 5 0 52428700 CUDA1\n"
        "alloc 6 0 7340000 CUDA0\nalloc 7 0 7340032 CUDA1\n", 0);
    assert_int_equal(seen.rounded, 0);
    assert_int_equal(buffer("Meta()", "model")->bytes, 104857600);
    assert_int_equal(part("CUDA0", "model")->bytes, 100857600);
    assert_int_equal(buffer("Meta()", "kv")->bytes, 52428800 + 7340032);
    assert_int_equal(part("CUDA1", "kv")->bytes, 52428700 + 7340032);
    assert_int_equal(buffer("CUDA_Host", "output")->bytes, 512);
    see("", 0);
    assert_int_equal(seen.n_buffers, 2);
}

static void test_no_list(void **state)
{
    (void)state;
    log_of(one_card);
    see("garbage\nalloc x\n", 0);
    assert_int_equal(seen.rounded, seen.n_buffers);
    assert_int_equal(buffer("CUDA0", "kv")->bytes, (uint64_t)576 << 20);
    assert_true(ul_seen_make(&seen, &e, TEST_BUILD "/no-such-file", 0));
    assert_int_equal(seen.rounded, seen.n_buffers);
}

/* This very program, as the loader sees it. */
static void test_elf(void **state)
{
    (void)state;
    struct ul_elf elf;
    bool libc = false, defined, uses = false;
    const char *text;
    assert_true(ul_elf_open(&elf, "/proc/self/exe"));
    assert_non_null(strstr(ul_elf_interpreter(&elf), "ld-"));
    for (size_t i = 0; (text = ul_elf_needed(&elf, i)) != NULL; i++)
        libc |= strncmp(text, "libc.so.", 8) == 0;
    for (size_t i = 0; (text = ul_elf_symbol(&elf, i, &defined)) != NULL; i++)
        uses |= !defined && strncmp(text, "fopen", 5) == 0;
    assert_true(libc && uses);
    assert_false(ul_elf_defines(&elf, "fopen"));
    ul_elf_close(&elf);
    assert_false(ul_elf_open(&elf, "/no/such/file"));
    assert_false(ul_elf_read(&elf, "\177ELF\2\1", 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),   cmocka_unit_test(test_pieces), cmocka_unit_test(test_until),
        cmocka_unit_test(test_parents), cmocka_unit_test(test_devices),
        cmocka_unit_test(test_no_list), cmocka_unit_test(test_elf)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
