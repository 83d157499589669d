/* The caches of each memory module, in numbers that can be checked by hand. */
#include "engine/cache.h"
#include "engine/output.h"
#include "fake_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Caches of 1024 cells a sequence, flash attention on. */
static struct ul_caches make(struct fake *f, struct ul_cparams *c)
{
    struct ul_caches k;
    ul_caches_make(&k, &f->m, c, &f->s, &f->p, &f->arena);
    return k;
}

static struct ul_cparams params(void)
{
    return (struct ul_cparams){.n_ctx = 1024, .n_ctx_seq = 1024, .n_seq_max = 1, .n_batch = 512,
                               .n_ubatch = 512, .type_k = UL_F16, .type_v = UL_F16,
                               .flash_attn = true, .offload_kqv = true};
}

static void every_layer_keeps_keys_and_values(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    struct ul_cparams c = params();
    struct ul_caches k = make(&f, &c);
    assert_int_equal(k.n, 1);
    assert_int_equal(k.cache[0].layers, 6);
    assert_int_equal(k.cache[0].k_bytes, 6 * 1024 * 2 * 128 * 2);
    assert_int_equal(k.cache[0].v_bytes, 6 * 1024 * 2 * 128 * 2);
    assert_int_equal(k.n_buffers, 1);
    assert_int_equal(k.buffer[0].bytes, 2 * 6 * 1024 * 2 * 128 * 2);
    c.n_seq_max = 3; /* a stream a sequence, or one pool */
    assert_int_equal(make(&f, &c).cache[0].streams, 3);
    c.kv_unified = true;
    assert_int_equal(make(&f, &c).cache[0].streams, 1);
    fake_done(&f);
}

static void caches_follow_their_layers(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.layer_device[0] = f.layer_device[1] = UL_DEV_CPU;
    struct ul_cparams c = params();
    struct ul_caches k = make(&f, &c);
    const uint64_t layer = 2 * 1024 * 2 * 128 * 2;
    assert_int_equal(k.n_buffers, 2);
    assert_int_equal(k.buffer[0].device, UL_DEV_CPU);
    assert_int_equal(k.buffer[0].bytes, 2 * layer);
    assert_int_equal(k.buffer[1].bytes, 4 * layer);
    c.offload_kqv = false;
    k = make(&f, &c);
    assert_int_equal(k.n_buffers, 1);
    assert_int_equal(k.buffer[0].device, UL_DEV_CPU);
    assert_int_equal(k.buffer[0].bytes, 6 * layer);
    fake_done(&f);
}

static void windows_have_a_cache_of_their_own(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.m.swa_type = UL_SWA_STANDARD;
    f.m.n_swa = 100;
    for (int i = 0; i < 5; i++)
        f.layer[i].is_swa = true;
    struct ul_cparams c = params();
    struct ul_caches k = make(&f, &c);
    assert_int_equal(k.n, 2);
    assert_int_equal(k.cache[0].layers, 1);
    assert_int_equal(k.cache[0].cells, 1024);
    assert_int_equal(k.cache[1].layers, 5);
    assert_int_equal(k.cache[1].cells, 768); /* 100 + 512, rounded up to 256 */
    c.swa_full = true;
    assert_int_equal(make(&f, &c).cache[1].cells, 1024);
    fake_done(&f);
}

static void latent_attention_keeps_no_values(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.m.n_embd_head_k_mla_impl = f.m.n_embd_head_v_mla_impl = 192;
    f.m.n_embd_head_k_full = 576;
    for (int i = 0; i < FAKE_LAYERS; i++)
        f.layer[i].n_head_kv = 1;
    struct ul_cparams c = params();
    struct ul_caches k = make(&f, &c);
    assert_int_equal(k.cache[0].k_bytes, 6 * 1024 * 576 * 2);
    assert_int_equal(k.cache[0].v_bytes, 0);
    fake_done(&f);
}

/* Stored transposed, every V is as wide as the widest. */
static void values_are_padded_without_flash_attention(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.layer[3].n_head_kv = 4;
    struct ul_cparams c = params();
    assert_int_equal(make(&f, &c).cache[0].v_bytes, 7 * 1024 * 2 * 128 * 2);
    c.flash_attn = false;
    assert_int_equal(make(&f, &c).cache[0].v_bytes, 6 * 1024 * 4 * 128 * 2);
    assert_int_equal(make(&f, &c).cache[0].k_bytes, 7 * 1024 * 2 * 128 * 2);
    fake_done(&f);
}

/* CUDA pads the last row of a block type to 512 values, and every tensor to 128 bytes. */
static void buffers_hold_padding_that_the_log_does_not(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    struct ul_cparams c = params();
    c.type_k = c.type_v = UL_Q8_0;
    struct ul_caches k = make(&f, &c);
    const uint64_t tensor = 1024 * 256 / 32 * 34; /* 2 heads of 128, 34 bytes a block of 32 */
    assert_int_equal(k.cache[0].k_bytes, 6 * tensor);
    assert_int_equal(k.buffer[0].bytes, 12 * ((tensor + 256 / 32 * 34 + 127) / 128 * 128));
    c.offload_kqv = false;
    assert_int_equal(make(&f, &c).buffer[0].bytes, 12 * tensor);
    fake_done(&f);
}

static void hybrids_keep_states_in_recurrent_layers(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.arch.memory = UL_MEMORY_HYBRID;
    f.m.ssm_d_conv = 4;
    f.m.ssm_d_inner = 6144;
    f.m.ssm_d_state = 128;
    f.m.ssm_n_group = 16;
    for (int i = 0; i < 5; i++)
        f.layer[i].is_recr = true;
    struct ul_cparams c = params();
    c.n_seq_max = 2;
    c.kv_unified = true;
    struct ul_caches k = make(&f, &c);
    assert_int_equal(k.n, 2);
    assert_int_equal(k.cache[0].layers, 1);
    assert_int_equal(k.cache[1].kind, UL_CACHE_RS);
    assert_int_equal(k.cache[1].k_bytes, 5 * 2 * 3 * (6144 + 2 * 16 * 128) * 4);
    assert_int_equal(k.cache[1].v_bytes, 5 * 2 * 128 * 6144 * 4);
    fake_done(&f);
}

static void layers_past_the_first_share(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.m.n_layer_kv_from_start = 4;
    struct ul_cparams c = params();
    assert_int_equal(make(&f, &c).cache[0].layers, 4);
    f.arch.memory = UL_MEMORY_NONE;
    assert_int_equal(make(&f, &c).n, 0);
    fake_done(&f);
}

static void outputs_are_a_row_a_slot(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    struct ul_cparams c = params();
    c.n_seq_max = 4;
    assert_int_equal(ul_output_bytes(&f.p, &f.m, &c, false), 4 * 1000 * 4);
    c.embeddings = true;
    assert_int_equal(ul_output_bytes(&f.p, &f.m, &c, false), 4 * (1000 + 1024) * 4);
    c.embeddings = false;
    assert_int_equal(ul_output_bytes(&f.p, &f.m, &c, true), 4 * (3 * 1000 + 1001) * 4);
    assert_int_equal(ul_output_buft(&f.p, &f.m), 2);
    f.layer_device[FAKE_LAYERS] = UL_DEV_CPU;
    assert_int_equal(ul_output_buft(&f.p, &f.m), 0);
    fake_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_keeps_keys_and_values),
        cmocka_unit_test(caches_follow_their_layers),
        cmocka_unit_test(windows_have_a_cache_of_their_own),
        cmocka_unit_test(latent_attention_keeps_no_values),
        cmocka_unit_test(values_are_padded_without_flash_attention),
        cmocka_unit_test(buffers_hold_padding_that_the_log_does_not),
        cmocka_unit_test(hybrids_keep_states_in_recurrent_layers),
        cmocka_unit_test(layers_past_the_first_share),
        cmocka_unit_test(outputs_are_a_row_a_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
