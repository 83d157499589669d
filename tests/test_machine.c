/* Machines: sizes, GPU descriptions, CPU names, what stays free. */
#include "engine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define GiB ((uint64_t)1 << 30)

static void sizes_are_exact(void **state)
{
    (void)state;
    static const struct { const char *text; uint64_t bytes; } cases[] = {
        {"24GiB", 24 * GiB}, {"24GB", 24000000000}, {"24564MiB", 24564ull << 20},
        {"1.5GiB", 3 * GiB / 2}, {"24G", 24 * GiB}, {"24g", 24 * GiB}, {"512K", 512 << 10},
        {"100kb", 100000}, {"1048576", 1 << 20}, {"0", 0}, {"7B", 7}, {"2 TiB", 2048 * GiB},
        {"0.000000001TB", 1000}, {"1.000000001GB", 1000000001}, {"23.55GiB", 25286619955},
        {"1.TiB", 1024 * GiB}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ullage_error err = {0};
        uint64_t bytes = 1;
        if (ullage_parse_size(cases[i].text, &bytes, &err) || bytes != cases[i].bytes)
            fail_msg("%s: %llu %s", cases[i].text, (unsigned long long)bytes, err.message);
    }
}

static void what_is_no_size_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "", "GiB", "-1", "+1", " 1", "1 000", "24GiBs", "0x10", "1e9", "1,5GiB", ".5GiB",
        "1.0000000001GB", "9223372036854775807", "99999999999999999999", "16777216TiB", "5%",
        "1GiB "};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ullage_error err = {0};
        uint64_t bytes;
        if (ullage_parse_size(cases[i], &bytes, &err) != ULLAGE_ERROR_USAGE)
            fail_msg("'%s' was read as %llu", cases[i], (unsigned long long)bytes);
        assert_true(strlen(err.message) > 10);
    }
}

static void a_gpu_is_a_size_or_keys(void **state)
{
    (void)state;
    ullage_error err = {0};
    ullage_machine *machine = ullage_machine_new();
    const struct ul_machine *m = &machine->m;
    assert_int_equal(ullage_machine_add_gpu(machine, "24GiB", &err), 0);
    assert_int_equal(ullage_machine_add_gpu(
        machine, "name=RTX 4090,total=24564MiB,used=1203MiB,cc=8.9,sm=128,backend=cuda", &err), 0);
    assert_int_equal(ullage_machine_add_gpu(machine, "total=8GB, backend=Vulkan, cc=12", &err), 0);
    assert_int_equal(m->n_gpus, 3);
    assert_int_equal(m->gpu[0].total, 24 * GiB);
    assert_string_equal(m->gpu[0].name, "");
    assert_int_equal(m->gpu[0].backend, UL_CUDA);
    assert_string_equal(m->gpu[1].name, "RTX 4090");
    assert_int_equal(m->gpu[1].total, 24564ull << 20);
    assert_int_equal(m->gpu[1].used, 1203ull << 20);
    assert_int_equal(m->gpu[1].cc, 890);
    assert_int_equal(m->gpu[1].sm, 128);
    assert_int_equal(m->gpu[2].backend, UL_VULKAN);
    assert_int_equal(m->gpu[2].cc, 1200);
    ullage_machine_free(machine);
}

static void a_wrong_gpu_is_not_added(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "", "big", "total", "name=x", "total=0", "total=1GiB,used=2GiB", "total=1GiB,cc=89x",
        "total=1GiB,cc=", "total=1GiB,cc=8.95", "total=1GiB,sm=", "total=1GiB,sm=0", "mib=24564",
        "total=1GiB,backend=gpu", "total=1GiB,junk", "total=1GiB,,", "=1"};
    ullage_machine *machine = ullage_machine_new();
    for (size_t i = 0; i < COUNT(cases); i++) {
        ullage_error err = {0};
        if (ullage_machine_add_gpu(machine, cases[i], &err) != ULLAGE_ERROR_USAGE)
            fail_msg("'%s' was taken", cases[i]);
        assert_int_equal(err.code, ULLAGE_ERROR_USAGE);
    }
    assert_int_equal(machine->m.n_gpus, 0);
    for (int i = 0; i < UL_MAX_GPUS; i++)
        assert_int_equal(ullage_machine_add_gpu(machine, "1GiB", NULL), 0);
    assert_int_equal(ullage_machine_add_gpu(machine, "1GiB", NULL), ULLAGE_ERROR_USAGE);
    ullage_machine_free(machine);
}

static void cpus_go_by_ggmls_names(void **state)
{
    (void)state;
    ullage_machine *machine = ullage_machine_new();
    size_t n = 0;
    for (const char *name; (name = ullage_cpu_variant(n)); n++) {
        assert_int_equal(ullage_machine_cpu(machine, name, NULL), 0);
        assert_ptr_equal(machine->m.cpu, name);
    }
    assert_int_equal(n, 37);
    ullage_error err = {0};
    assert_int_equal(ullage_machine_cpu(machine, "haswel", &err), ULLAGE_ERROR_USAGE);
    assert_non_null(strstr(err.message, "did you mean haswell?"));
    assert_int_equal(ullage_machine_cpu(machine, "Zen4", NULL), 0);
    ullage_machine_free(machine);
}

static void a_reserve_is_a_size_or_a_share(void **state)
{
    (void)state;
    ullage_machine *machine = ullage_machine_new();
    assert_int_equal(ullage_machine_reserve(machine, "5%", NULL), 0);
    assert_float_equal(machine->m.reserve_fraction, 0.05, 1e-15);
    assert_int_equal(ullage_machine_reserve(machine, "512MiB", NULL), 0);
    assert_float_equal(machine->m.reserve_fraction, 0, 0);
    assert_int_equal(machine->m.reserve_bytes, 512 << 20);
    static const char *const wrong[] = {"101%", "-1%", "%", "5%%", "5% ", "nan%", "inf%", "x"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        if (ullage_machine_reserve(machine, wrong[i], NULL) != ULLAGE_ERROR_USAGE)
            fail_msg("'%s' was taken", wrong[i]);
    ullage_machine_free(machine);
}

static void what_is_not_said_is_assumed(void **state)
{
    (void)state;
    ullage_machine *machine = ullage_machine_new();
    assert_int_equal(machine->m.n_gpus, 0);
    assert_int_equal(machine->m.ram.source, ULLAGE_UNKNOWN);
    assert_null(machine->m.cpu);
    assert_int_equal(machine->m.runtime.bytes, 480ull << 20);
    assert_int_equal(machine->m.runtime.source, ULLAGE_ASSUMED);
    assert_int_equal(machine->m.prompt_peak.bytes, 16ull << 20);
    ullage_machine_free(machine);
    ullage_machine_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_exact),
        cmocka_unit_test(what_is_no_size_is_refused),
        cmocka_unit_test(a_gpu_is_a_size_or_keys),
        cmocka_unit_test(a_wrong_gpu_is_not_added),
        cmocka_unit_test(cpus_go_by_ggmls_names),
        cmocka_unit_test(a_reserve_is_a_size_or_a_share),
        cmocka_unit_test(what_is_not_said_is_assumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
