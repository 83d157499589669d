/* Settings resolved as the engine resolves them, rule by rule; what it refuses is refused with its
 * reason. The recorded runs check the same rules together (conformance.py). */
#include "fake_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct ul_cparams resolve(struct fake *f)
{
    struct ul_cparams c;
    ullage_error err = {0};
    int code = ul_context_resolve(&c, &f->m, &f->s, &f->p, &f->machine, &f->notes, &err);
    if (code)
        fail_msg("refused: %s", err.message);
    return c;
}

static void refuse(struct fake *f, const char *why)
{
    struct ul_cparams c;
    ullage_error err = {0};
    int code = ul_context_resolve(&c, &f->m, &f->s, &f->p, &f->machine, &f->notes, &err);
    assert_int_equal(code, ULLAGE_ERROR_REFUSED);
    if (!strstr(err.message, why))
        fail_msg("'%s' does not say '%s'", err.message, why);
}

static void slots_divide_the_context(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.s.n_ctx = 5000;
    f.s.n_parallel = 3;
    struct ul_cparams c = resolve(&f);
    assert_int_equal(c.n_ctx, 5376);
    assert_int_equal(c.n_ctx_seq, 1792);
    assert_int_equal(c.n_seq_max, 3);
    assert_int_equal(c.n_outputs_max, 3);
    assert_true(fake_noted(&f, "n_ctx_not_divisible"));
    assert_false(fake_noted(&f, "over_training_context"));
    fake_done(&f);
}

static void automatic_slots_share_one_pool(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.s.n_parallel = -1;
    f.s.kv_unified = UL_OFF; /* auto overrules it */
    struct ul_cparams c = resolve(&f);
    assert_int_equal(c.n_seq_max, 4);
    assert_true(c.kv_unified);
    assert_int_equal(c.n_ctx_seq, 8192);
    assert_true(fake_noted(&f, "over_training_context"));
    f.s.outputs = ULLAGE_OUTPUTS_BATCH; /* not the server: one slot, logits for the batch */
    c = resolve(&f);
    assert_int_equal(c.n_seq_max, 1);
    assert_false(c.kv_unified);
    assert_int_equal(c.n_outputs_max, 2048);
    fake_done(&f);
}

static void batches_are_limited(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.s.n_ctx = 300; /* the batch follows what was asked for, not what it is rounded up to */
    struct ul_cparams c = resolve(&f);
    assert_int_equal(c.n_ctx, 512);
    assert_int_equal(c.n_batch, 300);
    assert_int_equal(c.n_ubatch, 300);
    assert_true(fake_noted(&f, "batch_limited"));
    f.m.causal_attn = false;
    c = resolve(&f);
    assert_int_equal(c.n_batch, 2048);
    f.s.embedding = true;
    c = resolve(&f);
    assert_int_equal(c.n_batch, 512);
    assert_int_equal(c.n_outputs_max, 512);
    fake_done(&f);
}

static void missing_context_is_the_training_context(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.s.n_ctx = 0;
    assert_int_equal(resolve(&f).n_ctx, 4096);
    f.s.ctx_per_slot = 1000;
    f.s.n_parallel = 2;
    assert_int_equal(resolve(&f).n_ctx, 2048);
    f.s.ctx_per_slot = 0;
    f.m.n_ctx_train = 0;
    refuse(&f, "training context");
    fake_done(&f);
}

static void quantized_values_need_flash_attention(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.s.type_k = f.s.type_v = UL_Q8_0;
    assert_true(resolve(&f).flash_attn);
    assert_true(fake_noted(&f, "flash_attn_on"));
    f.s.flash_attn = UL_OFF;
    refuse(&f, "requires flash attention");
    f.s.type_v = UL_F16; /* keys alone may be quantised without it */
    assert_false(resolve(&f).flash_attn);
    fake_done(&f);
}

static void blocks_divide_a_head(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.m.n_embd_head_v_full = 72;
    f.s.type_k = f.s.type_v = UL_Q8_0;
    refuse(&f, "does not divide n_embd_head_v=72");
    f.m.n_embd_head_k_full = 80;
    refuse(&f, "does not divide n_embd_head_k=80");
    fake_done(&f);
}

static void latent_caches_have_one_type(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.m.n_embd_head_k_mla_impl = f.m.n_embd_head_v_mla_impl = 192;
    f.s.type_k = UL_Q8_0;
    refuse(&f, "different K (q8_0) and V (f16)");
    fake_done(&f);
}

static void automatic_flash_attention_follows_the_device(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    assert_true(resolve(&f).flash_attn);
    f.m.n_embd_head_k_full = f.m.n_embd_head_v_full = 32; /* CUDA has no kernel for it */
    assert_false(resolve(&f).flash_attn);
    assert_true(fake_noted(&f, "flash_attn_off"));
    f.s.flash_attn = UL_ON; /* asked for, it stays on, on the CPU */
    assert_true(resolve(&f).flash_attn);
    f.s.flash_attn = UL_AUTO;
    for (int i = 0; i <= FAKE_LAYERS; i++)
        f.layer_device[i] = UL_DEV_CPU;
    assert_true(resolve(&f).flash_attn);
    fake_done(&f);
}

/* llama.cpp 0.7.0 logs "Flash Attention enabled" for Qwen3-8B with -nkvo, and "not supported" for Jamba:
 * the graph decides. A row's own word against it goes before. */
static void with_caches_in_host_memory_the_graph_decides(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.s.no_kv_offload = true;
    assert_true(resolve(&f).flash_attn && resolve(&f).probe_fa);
    f.s.flash_attn = UL_ON;
    assert_false(resolve(&f).probe_fa);
    f.s.flash_attn = UL_AUTO;
    f.s.no_kv_offload = false;
    assert_false(resolve(&f).probe_fa);
    f.arch.no_flash_attn = true;
    f.s.flash_attn = UL_ON;
    assert_false(resolve(&f).flash_attn);
    fake_done(&f);
}

static void limits_are_the_engines(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f);
    f.s.n_parallel = 257;
    refuse(&f, "more than 256");
    f.s.n_parallel = 256;
    assert_int_equal(resolve(&f).n_seq_max, 256);
    f.s.n_batch = f.s.n_ubatch = 0;
    refuse(&f, "cannot both be zero");
    fake_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_divide_the_context),
        cmocka_unit_test(automatic_slots_share_one_pool),
        cmocka_unit_test(batches_are_limited),
        cmocka_unit_test(missing_context_is_the_training_context),
        cmocka_unit_test(quantized_values_need_flash_attention),
        cmocka_unit_test(blocks_divide_a_head),
        cmocka_unit_test(latent_caches_have_one_type),
        cmocka_unit_test(automatic_flash_attention_follows_the_device),
        cmocka_unit_test(with_caches_in_host_memory_the_graph_decides),
        cmocka_unit_test(limits_are_the_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
