/* Names of devices, and what --gpu makes of them. The figures are the catalogue's own, each with
 * its source in src/engine/devices_table.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "engine/devices.h"
#include "engine/machine.h"

#define MIB ((uint64_t)1 << 20)

static const char *found(const char *name)
{
    static ullage_error err;
    struct ul_found_device f = {0};
    err = (ullage_error){0};
    return ul_device_find(&f, name, &err) ? err.message : f.row->name;
}

/* People's spellings, and the one row that they mean. */
static void spellings(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"RTX 4090", "GeForce RTX 4090"}, {"rtx4090", "GeForce RTX 4090"},
        {"4090", "GeForce RTX 4090"}, {"NVIDIA GeForce RTX 4090", "GeForce RTX 4090"},
        {"RTX 4090 24GB", "GeForce RTX 4090"}, {"4090 d", "GeForce RTX 4090 D"},
        {"RTX 3090", "GeForce RTX 3090"}, {"3090ti", "GeForce RTX 3090 Ti"},
        {"RTX 3080 10 GB", "GeForce RTX 3080 10GB"}, {"4060 Ti 16GB", "GeForce RTX 4060 Ti 16GB"},
        {"A100 SXM4 80GB", "A100 SXM4 80GB"}, {"6000 Ada", "RTX 6000 Ada Generation"},
        {"T4", "Tesla T4"}, {"P40", "Tesla P40 24GB"}, {"rx7900xtx", "Radeon RX 7900 XTX"},
        {"AMD Radeon RX 7900 XT", "Radeon RX 7900 XT"}, {"R9700", "Radeon AI PRO R9700"},
        {"DGX Spark", "GB10 (DGX Spark)"}, {"gb10", "GB10 (DGX Spark)"},
        {"Strix Halo 128GB", "Ryzen AI Max+ 395 / Radeon 8060S 128GB (Strix Halo)"},
        {"M3 Max 64GB", "Apple M3 Max 64GB"}, {"M4 Max 64GB", "Apple M4 Max 40-core"},
        {"Apple M1 Max 32GB", "Apple M1 Max 32GB"}, {"m2 ultra", "Apple M2 Ultra"},
        {"Mac Studio M2 Ultra 192GB", "Apple M2 Ultra"}, {"MacBook Pro M1 16GB", "Apple M1"},
        {"MacBook Pro M1 Pro 32GB", "Apple M1 Pro 32GB"}, {"M3 Max 96GB", "Apple M3 Max 96GB"},
        {"M3 Max 48GB", "Apple M3 Max 40-core"}, {"NVIDIA H100 80GB HBM3", "H100 SXM5 80GB"},
        {"H100 SXM", "H100 SXM5 80GB"}, {"nvidia rtx 4090 24gb", "GeForce RTX 4090"},
        {"Ryzen AI Max 395", "Ryzen AI Max+ 395 / Radeon 8060S 128GB (Strix Halo)"},
        {"680M", "Radeon 680M (Ryzen 6000/7035 iGPU)"},
        {"4070 ti super", "GeForce RTX 4070 Ti SUPER"},
        {"Arc B580", "Arc B580"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_string_equal(found(pairs[i][0]), pairs[i][1]);
}

/* Every row is found by its own name: no name is only a part of another's. */
static void every_row_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < ul_n_known_devices; i++)
        assert_string_equal(found(ul_known_devices[i].name), ul_known_devices[i].name);
}

/* A name that fits several devices names them; one that fits none gets the nearest. */
static void suggestions(void **state)
{
    (void)state;
    assert_non_null(strstr(found("RTX 3080"), "RTX 3080 10GB, GeForce RTX 3080 12GB"));
    assert_non_null(strstr(found("a100"), "A100 PCIe 80GB, A100 SXM4 80GB"));
    assert_non_null(strstr(found("RTX 4909"), "did you mean RTX 4090"));
    assert_non_null(strstr(found("rtx 4099"), "did you mean RTX 4090"));
    assert_non_null(strstr(found("Radeon 7900 XTZ"), "did you mean RX 7900 XT, RX 7900 XTX?"));
    assert_null(strstr(found("Snapdragon X Elite"), "did you mean")); /* nothing is near */
    assert_non_null(strstr(found("RTX 4090 17GB"), "GeForce RTX 4090 has 24 GiB, not 17"));
    assert_non_null(strstr(found(""), "neither a size"));
}

struct gpus {
    ullage_machine *h;
    int code;
    ullage_error err;
};

static struct gpus added(const char *spec)
{
    struct gpus g = {.h = ullage_machine_new()};
    g.code = ullage_machine_add_gpu(g.h, spec, &g.err);
    return g;
}

static void one_name_is_a_whole_gpu(void **state)
{
    (void)state;
    struct gpus g = added("2x RTX 3090,used=1GiB");
    assert_int_equal(g.code, ULLAGE_OK);
    assert_int_equal(g.h->m.n_gpus, 2);
    const struct ul_gpu *gpu = &g.h->m.gpu[1];
    assert_int_equal(gpu->total, 24121 * MIB); /* the least that CUDA reported on Linux */
    assert_int_equal(gpu->used, 1024 * MIB);
    assert_int_equal(gpu->cc, 860);
    assert_int_equal(gpu->sm, 82);
    assert_true(gpu->backend == UL_CUDA && gpu->bandwidth == 936.2e9 && gpu->flops16 == 71e12);
    assert_non_null(gpu->total_basis);
    ullage_machine_free(g.h);
}

/* What the user says wins over the catalogue, and the driver chooses among its totals. */
static void keys_win(void **state)
{
    (void)state;
    struct gpus g = added("RTX 4090,total=24000MiB,bandwidth=900GB/s,sm=100");
    assert_true(g.h->m.gpu[0].total == 24000 * MIB && g.h->m.gpu[0].bandwidth == 900e9);
    assert_true(g.h->m.gpu[0].sm == 100 && !g.h->m.gpu[0].total_basis);
    ullage_machine_free(g.h);
    g = added("RTX 4090,driver=windows");
    assert_int_equal(g.h->m.gpu[0].total, 24563 * MIB);
    ullage_machine_free(g.h);
    g = added("RX 7900 XTX,backend=vulkan");
    assert_true(g.h->m.gpu[0].backend == UL_VULKAN);
    ullage_machine_free(g.h);
}

/* Metal's share of the memory: as printed for a size that was seen, else by the laws. */
static void shares_of_memory(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint64_t mib;
    } cases[] = {{"M3 Max 64GB", 53084}, {"M3 Max 64GB,driver=macos15", 49152},
                 {"M4 Max 64GB", 53084}, {"M1 Pro 32GB", 21845}, {"M2 Max 96GB,driver=macos15", 73728},
                 {"DGX Spark", 122502}, {"Strix Halo 128GB", 63967}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct gpus g = added(cases[i].spec);
        assert_int_equal(g.code, ULLAGE_OK);
        assert_int_equal(g.h->m.gpu[0].total / MIB, cases[i].mib);
        assert_true(g.h->m.gpu[0].unified);
        ullage_machine_free(g.h);
    }
}

/* A driver's own name brings the bandwidth, and changes nothing that the user gave. */
static void a_drivers_name(void **state)
{
    (void)state;
    struct gpus g = added("name=NVIDIA GeForce RTX 4090,total=24080MiB,backend=cuda,cc=8.9,sm=128");
    assert_true(g.h->m.gpu[0].bandwidth == 1008e9 && g.h->m.gpu[0].total == 24080 * MIB);
    ullage_machine_free(g.h);
    g = added("name=NVIDIA A100-SXM4-40GB,total=40326MiB");
    assert_true(g.h->m.gpu[0].bandwidth == 1555e9);
    ullage_machine_free(g.h);
    g = added("name=A card nobody knows,total=1GiB");
    assert_true(g.code == ULLAGE_OK && g.h->m.gpu[0].bandwidth == 0);
    ullage_machine_free(g.h);
}

/* Every way to say two. */
static void counts(void **state)
{
    (void)state;
    static const char *const two[] = {"2x RTX 3090", "2 x RTX 3090", "2xRTX3090", "2x3090",
                                      "RTX 3090 x2", "Dual RTX 3090", "RTX 3090 X2,used=1GiB"};
    for (size_t i = 0; i < sizeof two / sizeof two[0]; i++) {
        struct gpus g = added(two[i]);
        assert_int_equal(g.code, ULLAGE_OK);
        assert_int_equal(g.h->m.n_gpus, 2);
        assert_string_equal(g.h->m.gpu[1].known->name, "GeForce RTX 3090");
        assert_int_equal(g.h->m.gpu[0].used, strchr(two[i], ',') ? 1024 * MIB : 0);
        ullage_machine_free(g.h);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *message;
    } cases[] = {{"RTX 4090,driver=beos", "none of linux, windows"},
                 {"Radeon 890M", "no memory of its own, but the host's: say total="},
                 {"780M", "no memory of its own"}, {"RTX 3090 48GB", "has 24 GiB, not 48: say"},
                 {"EPYC Genoa", "is no GPU"}, {"RTX 4090,bandwidth=fast", "not a rate"},
                 {"99x RTX 4090", "more than 16"}, {"RTX 4090,RTX 3090", "not key=value"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct gpus g = added(cases[i].spec);
        assert_int_equal(g.code, ULLAGE_ERROR_USAGE);
        assert_non_null(strstr(g.err.message, cases[i].message));
        assert_int_equal(g.h->m.n_gpus, 0);
        ullage_machine_free(g.h);
    }
}

static void patterns(void **state)
{
    (void)state;
    size_t rtx30 = 0, apple = 0, all = 0;
    for (size_t i = 0; i < ul_n_known_devices; i++) {
        rtx30 += (size_t)ullage_known_device_matches(&ul_known_devices[i], "rtx 30");
        apple += (size_t)ullage_known_device_matches(&ul_known_devices[i], "apple");
        all += (size_t)ullage_known_device_matches(&ul_known_devices[i], "");
    }
    assert_int_equal(rtx30, 20);
    assert_int_equal(apple, 36);
    assert_int_equal(all, 301);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings), cmocka_unit_test(every_row_by_its_name),
        cmocka_unit_test(suggestions), cmocka_unit_test(counts),
        cmocka_unit_test(one_name_is_a_whole_gpu),
        cmocka_unit_test(keys_win), cmocka_unit_test(shares_of_memory),
        cmocka_unit_test(a_drivers_name), cmocka_unit_test(refused), cmocka_unit_test(patterns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
