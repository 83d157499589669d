/* Laws of speed on quantities made by hand, and models known by their shape alone. What the laws are
 * worth against measured runs is bench/speed.c's to say. */
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

/* Every term with its own factor, and nothing else. */
static void a_law_is_its_terms(void **state)
{
    (void)state;
    struct ul_speed_law law = {.runs = 1, .bandwidth = 1.25, .cache = 2, .attention = 3,
                               .mixer_ms = 0.5, .state_ms = 0.25, .expert_ms = 0.125,
                               .further_ms = 7, .type = {[UL_CLASS_K] = 4}};
    struct ul_speed_work w = {.weight_bytes = 1e9, .elements = 2e9, .cache_bytes = 5e8,
                              .attention_flops = 1e9, .bandwidth = 1e11, .flops32 = 1e13,
                              .type = UL_CLASS_K, .mixers = 10, .states = 4, .experts = 8};
    struct ul_speed_ms t = ul_speed_law_ms(&law, &w);
    assert_near(t.fixed, 5 + 1 + 1, 1e-12);
    assert_near(t.weights, 10 * 1.25 + 0.4 * 4, 1e-12); /* 10 ms of bytes, 0.4 of arithmetic */
    assert_near(t.cache, 5 * 2 + 0.1 * 3, 1e-12);
    w.further = true;
    assert_near(ul_speed_law_ms(&law, &w).fixed, 14, 1e-12);
    w.flops32 = 0; /* a processor: no arithmetic is known */
    assert_near(ul_speed_law_ms(&law, &w).weights, 12.5, 1e-12);
}

/* A batch reads every weight once, so twice the batch halves that part of a token's time. */
static void a_batch_shares_its_reading(void **state)
{
    (void)state;
    struct ul_prompt_law law = {.bandwidth = 1, .plain = {[UL_CLASS_F16] = 0}};
    struct ul_prompt_work w = {.elements = 1e9, .all_bytes = 1e10, .bandwidth = 1e12, .flops32 = 1e13,
                               .type = UL_CLASS_F16, .batch = 500};
    assert_near(ul_prompt_law_ms(&law, &w), 0.02, 1e-12);
    w.batch = 1000;
    assert_near(ul_prompt_law_ms(&law, &w), 0.01, 1e-12);
    law.plain[UL_CLASS_F16] = 2; /* 2e9 operations at 4e13 a second, twice as long */
    assert_near(ul_prompt_law_ms(&law, &w), 0.11, 1e-12);
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

/* A device's own scale comes before its family's; the test's devices can be left out. */
static void scales(void **state)
{
    (void)state;
    const ullage_known_device *own = NULL, *held = NULL, *d;
    for (size_t i = 0; (d = ullage_known_device_at(i)) != NULL; i++) {
        own = strcmp(d->name, "GeForce RTX 4090") == 0 ? d : own;
        held = strcmp(d->name, "Radeon AI PRO R9700") == 0 ? d : held;
    }
    assert_string_equal(ul_speed_scale_of(own, UL_CUDA, true)->device, "GeForce RTX 4090");
    assert_string_equal(ul_speed_scale_of(held, UL_ROCM, true)->device, "Radeon AI PRO R9700");
    assert_string_equal(ul_speed_scale_of(held, UL_ROCM, false)->family, "RDNA4");
    assert_null(ul_speed_scale_of(own, UL_SYCL, true));
    assert_null(ul_speed_scale_of(NULL, UL_CUDA, true));
}

static ullage_speed speed_of(const ullage_shape *shape, double bits, const char *gpu, uint32_t depth)
{
    ullage_speed s;
    ullage_error err = {0};
    assert_int_equal(ullage_shape_speed(&s, shape, "q4_K", bits, "f16", gpu, depth, &err), ULLAGE_OK);
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
    ullage_speed one = speed_of(&llama_8b, 0, "RTX 3090", 0), two = speed_of(&llama_8b, 0, "2x RTX 3090", 0);
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
        cmocka_unit_test(classes), cmocka_unit_test(scales), cmocka_unit_test(a_shape_has_a_bound),
        cmocka_unit_test(a_shape_with_experts), cmocka_unit_test(cards), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
