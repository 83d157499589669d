/* Laws of speed on quantities made by hand, and models known by their shape alone. What the laws
 * are worth against measured runs is bench/speed.c's to say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "fit/factors.h"

static const ullage_shape llama_8b = {.n_embd = 4096, .n_layer = 32, .n_head = 32, .n_head_kv = 8,
                                      .head_dim = 128, .n_ff = 14336, .n_vocab = 128256};
static const ullage_shape qwen3_moe = {.n_embd = 2048, .n_layer = 48, .n_head = 32, .n_head_kv = 4,
                                       .head_dim = 128, .n_ff = 768, .n_vocab = 151936,
                                       .n_expert = 128, .n_expert_used = 8};

#define assert_near(a, b, share) assert_true(fabs((a) / (b) - 1) < (share))

static const ullage_known_device *known(const char *name)
{
    const ullage_known_device *d, *found = NULL;
    for (size_t i = 0; (d = ullage_known_device_at(i)) != NULL; i++)
        found = strcmp(d->name, name) == 0 ? d : found;
    assert_non_null(found);
    return found;
}

static const struct ul_speed_law *law_of(enum ul_backend backend, const char *vendor)
{
    for (size_t i = 0; i < ul_n_speed_laws; i++)
        if (ul_speed_laws[i].backend == backend
            && (!vendor || strcmp(ul_speed_laws[i].vendor, vendor) == 0))
            return &ul_speed_laws[i];
    fail();
    return NULL;
}

/* A device that the catalogue does not have, so without multiples: every term with its own factor,
 * and nothing else. */
static void a_law_is_its_terms(void **state)
{
    (void)state;
    const struct ul_speed_law *law = law_of(UL_CUDA, NULL);
    const struct ul_speed_device d = {.backend = UL_CUDA, .bandwidth = 1e11, .flops32 = 1e13};
    struct ul_speed_work w = {.type = UL_CLASS_K, .mixers = 10, .states = 4, .experts = 8,
                              .further = 2, .flash = true};
    struct ul_expectation e, f;
    assert_true(ul_expect_token(&e, &d, &w, true));
    assert_near(e.ms, 10 * law->mixer_ms + 4 * law->state_ms + 8 * law->expert_ms
                          + 2 * law->further_ms, 1e-12);
    assert_near(e.fixed, e.ms, 1e-12);
    w.weight_bytes = 3e9; /* 30 ms of bytes */
    assert_true(ul_expect_token(&f, &d, &w, true));
    assert_near(f.ms - e.ms, 30 * law->bandwidth, 1e-9);
    w.elements = 5e9; /* and beside them 1 ms of arithmetic times its factor */
    assert_true(ul_expect_token(&f, &d, &w, true));
    assert_near(f.ms - e.ms, hypot(30 * law->bandwidth, law->type[UL_CLASS_K]), 1e-9);
    w.cache_bytes = 5e8;
    w.attention_flops = 1e10;
    e = f;
    assert_true(ul_expect_token(&f, &d, &w, true));
    assert_near(f.ms - e.ms, 5 * law->cache + law->flash, 1e-9);
    w.flash = false;
    assert_true(ul_expect_token(&f, &d, &w, true));
    assert_near(f.ms - e.ms, 5 * law->cache + law->plain, 1e-9);
    assert_near(f.slow, f.ms * law->unknown.slow, 1e-12);
}

/* A batch reads every weight once, so twice the batch halves that part of a token's time. */
static void a_batch_shares_its_reading(void **state)
{
    (void)state;
    const struct ul_prompt_law *law = &law_of(UL_METAL, NULL)->prompt;
    const struct ul_speed_device d = {.backend = UL_METAL, .bandwidth = 1e12, .flops32 = 1e13};
    struct ul_prompt_work w = {.all_bytes = 1e10, .type = UL_CLASS_F16, .batch = 500};
    struct ul_expectation e;
    assert_true(ul_expect_prompt(&e, &d, &w, true));
    assert_near(e.ms, 10 * law->bandwidth / 500, 1e-12);
    w.batch = 1000;
    assert_true(ul_expect_prompt(&e, &d, &w, true));
    assert_near(e.ms, 10 * law->bandwidth / 1000, 1e-12);
    w.elements = 1e9; /* 2e9 operations at 1e13 a second */
    assert_true(ul_expect_prompt(&e, &d, &w, true));
    assert_near(e.ms, 10 * law->bandwidth / 1000 + 0.2 * law->plain[UL_CLASS_F16], 1e-9);
}

/* Vulkan's law is that of the card's vendor, since it is his driver; nobody's is none. */
static void vulkan_is_of_a_vendor(void **state)
{
    (void)state;
    struct ul_speed_work w = {.weight_bytes = 4e9, .elements = 7e9, .mixers = 32, .flash = true};
    struct ul_speed_device d = {.backend = UL_VULKAN, .bandwidth = 5e11, .flops32 = 2e13};
    struct ul_expectation nvidia, amd;
    assert_false(ul_expect_token(&amd, &d, &w, true));
    d.known = known("GeForce RTX 4070");
    assert_true(ul_expect_token(&nvidia, &d, &w, true));
    d.known = known("Radeon RX 6800");
    assert_true(ul_expect_token(&amd, &d, &w, true));
    assert_true(fabs(nvidia.ms / amd.ms - 1) > 0.01);
}

/* What data sheets count as one rate, kernels do not find alike. */
static void rates_of_cores(void **state)
{
    (void)state;
    assert_near(ul_unpacking(known("GeForce RTX 4090"), 1e13), 1e13, 1e-12);
    assert_near(ul_unpacking(known("Quadro RTX 6000"), 1e13), 1.36e13, 1e-12);
    assert_near(ul_unpacking(known("A30"), 1e13), 1.36e13, 1e-12);
    assert_near(ul_unpacking(known("Radeon RX 7900 XTX"), 1e13), 5e12, 1e-12);
    assert_near(ul_unpacking(known("Radeon RX 6800"), 1e13), 1e13, 1e-12);
    assert_true(ul_has_matrix_units(known("GeForce RTX 2060 SUPER")));
    assert_false(ul_has_matrix_units(known("GeForce GTX 1660 SUPER")));
    assert_false(ul_has_matrix_units(known("Instinct MI50 32GB")));
    assert_true(ul_has_matrix_units(known("Radeon AI PRO R9700")));
    assert_false(ul_has_matrix_units(known("Apple M4 Pro")));
}

static void classes(void **state)
{
    (void)state;
    assert_int_equal(ul_weight_class_of(UL_Q4_K), UL_CLASS_K);
    assert_int_equal(ul_weight_class_of(UL_Q3_K), UL_CLASS_LOW);
    assert_int_equal(ul_weight_class_of(UL_IQ4_XS), UL_CLASS_LOW);
    assert_int_equal(ul_weight_class_of(UL_Q5_1), UL_CLASS_LEGACY);
    assert_int_equal(ul_weight_class_of(UL_BF16), UL_CLASS_BF16);
}

/* A device's own multiples come before its family's; the test's devices can be left out. */
static void multiples(void **state)
{
    (void)state;
    const struct ul_speed_work w = {.weight_bytes = 4e9, .elements = 7e9, .mixers = 32,
                                    .type = UL_CLASS_LEGACY, .flash = true};
    const ullage_known_device *own = known("Radeon AI PRO R9700");
    struct ul_speed_device d = {.known = own, .backend = UL_ROCM, .bandwidth = 6.4e11,
                                .flops32 = 4.8e13};
    const struct ul_speed_scale *mine = NULL, *kin = NULL;
    struct ul_expectation e, f;
    for (size_t i = 0; i < ul_n_speed_scales; i++) {
        const struct ul_speed_scale *s = &ul_speed_scales[i];
        mine = s->backend == UL_ROCM && s->device && !strcmp(s->device, own->name) ? s : mine;
        kin = s->backend == UL_ROCM && s->family && !strcmp(s->family, "RDNA4") ? s : kin;
    }
    assert_true(mine && kin && mine->held);
    assert_true(ul_expect_token(&e, &d, &w, true));
    assert_true(ul_expect_token(&f, &d, &w, false));
    assert_near(e.fixed / f.fixed, mine->fixed / kin->fixed, 1e-9);
    assert_near((e.ms - e.fixed) / (f.ms - f.fixed), mine->rest / kin->rest, 1e-9);
    assert_near(f.slow / f.ms, law_of(UL_ROCM, NULL)->unknown.slow, 1e-9);
}

static ullage_speed speed_of(const ullage_shape *shape, double bits, const char *gpu,
                             uint32_t depth)
{
    ullage_speed s;
    ullage_error err = {0};
    assert_int_equal(ullage_shape_speed(&s, shape, "q4_K", bits, "f16", gpu, depth, &err),
                     ULLAGE_OK);
    return s;
}

/* 7.505e9 weights at 4.5 bits and 1 GiB of cache, over 1008 GB/s. */
static void a_shape_has_a_bound(void **state)
{
    (void)state;
    ullage_speed s = speed_of(&llama_8b, 0, "RTX 4090", 8192);
    double bytes = (8030261248.0 - 525336576.0) * 4.5 / 8 + 1073741824.0;
    assert_near(s.generation.bound, 1008e9 / bytes, 1e-6);
    assert_true(s.generation.low <= s.generation.expected);
    assert_true(s.generation.expected <= s.generation.high);
    assert_true(s.generation.high <= s.generation.bound);
    s = speed_of(&llama_8b, 9, "RTX 4090", 0); /* twice the bits, half the bound */
    assert_near(s.generation.bound, 1008e9 / (7504924672.0 * 9 / 8), 1e-6);
}

/* Of 128 experts 8 are read. */
static void a_shape_with_experts(void **state)
{
    (void)state;
    ullage_counts c;
    assert_int_equal(ullage_shape_counts(&qwen3_moe, &c, NULL), ULLAGE_OK);
    ullage_speed s = speed_of(&qwen3_moe, 0, "RTX 4090", 0);
    double read = (double)c.total - (double)c.embedding - 120.0 * 48 * (double)c.expert;
    assert_near((double)s.part[0].weight_bytes, read * 4.5 / 8, 1e-6);
    assert_true(read > 2.9e9 && read < 3.2e9); /* the "A3B" of its name */
}

/* More of the same cards make one sequence no faster; an unknown card has a bound only. */
static void cards(void **state)
{
    (void)state;
    ullage_speed one = speed_of(&llama_8b, 0, "RTX 3090", 0);
    ullage_speed two = speed_of(&llama_8b, 0, "2x RTX 3090", 0);
    assert_near(one.generation.bound, two.generation.bound, 1e-12);
    assert_true(two.generation.expected < one.generation.expected);
    ullage_speed s = speed_of(&llama_8b, 0, "total=24GiB,bandwidth=900GB/s", 0);
    assert_true(s.generation.bound > 200 && s.generation.expected == 0);
    s = speed_of(&llama_8b, 0, "24GiB", 0);
    assert_true(s.generation.bound == 0 && s.basis[0]);
}

static void refused(void **state)
{
    (void)state;
    ullage_speed s;
    ullage_error err = {0};
    assert_int_equal(ullage_shape_speed(&s, &llama_8b, "q9_K", 0, "f16", "RTX 4090", 0, &err),
                     ULLAGE_ERROR_USAGE);
    assert_non_null(strstr(err.message, "q9_K"));
    err = (ullage_error){0};
    assert_int_equal(ullage_shape_speed(&s, &llama_8b, "q4_K", 0, "f16", "RTX 4909", 0, &err),
                     ULLAGE_ERROR_USAGE);
    assert_non_null(strstr(err.message, "did you mean"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_is_its_terms), cmocka_unit_test(a_batch_shares_its_reading),
        cmocka_unit_test(classes), cmocka_unit_test(multiples),
        cmocka_unit_test(vulkan_is_of_a_vendor), cmocka_unit_test(rates_of_cores),
        cmocka_unit_test(a_shape_has_a_bound), cmocka_unit_test(a_shape_with_experts),
        cmocka_unit_test(cards), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
