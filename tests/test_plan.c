/* Whole plans through the public interface, on a model of Llama 3.1 8B's published shape with one
 * weight type, so that every figure can be worked out by hand. */
#include "mkgguf.h"

#include "ullage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define LAYERS 32

/* Bytes of n values: 144 a block of 256 in Q4_K, 4 each in F32. */
#define Q4K(n) ((uint64_t)(n) / 256 * 144)

static void layer_tensors(struct mkgguf *m, uint32_t il)
{
    static const struct {
        const char *name;
        uint64_t in, out;
    } parts[] = {{"attn_q", 4096, 4096}, {"attn_k", 4096, 1024}, {"attn_v", 4096, 1024},
                 {"attn_output", 4096, 4096}, {"ffn_gate", 4096, 14336}, {"ffn_up", 4096, 14336},
                 {"ffn_down", 14336, 4096}};
    char name[64];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(name, sizeof name, "blk.%u.%s.weight", il, parts[i].name);
        mk_tensor2(m, name, UL_Q4_K, parts[i].in, parts[i].out);
    }
    snprintf(name, sizeof name, "blk.%u.attn_norm.weight", il);
    mk_tensor1(m, name, UL_F32, 4096);
    snprintf(name, sizeof name, "blk.%u.ffn_norm.weight", il);
    mk_tensor1(m, name, UL_F32, 4096);
}

static ullage_model *llama8b(void)
{
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_kv_str(&m, "general.architecture", "llama");
    mk_kv_str(&m, "general.name", "Llama 3.1 8B shape");
    mk_kv_u32(&m, "llama.context_length", 131072);
    mk_kv_u32(&m, "llama.embedding_length", 4096);
    mk_kv_u32(&m, "llama.block_count", LAYERS);
    mk_kv_u32(&m, "llama.feed_forward_length", 14336);
    mk_kv_u32(&m, "llama.attention.head_count", 32);
    mk_kv_u32(&m, "llama.attention.head_count_kv", 8);
    mk_kv_u32(&m, "llama.vocab_size", 128256);
    mk_kv_f32(&m, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
    mk_tensor2(&m, "token_embd.weight", UL_Q4_K, 4096, 128256);
    mk_tensor1(&m, "output_norm.weight", UL_F32, 4096);
    mk_tensor2(&m, "output.weight", UL_Q4_K, 4096, 128256);
    for (uint32_t il = 0; il < LAYERS; il++)
        layer_tensors(&m, il);
    mk_end(&m);
    ullage_model *model;
    ullage_error err = {0};
    if (ullage_open_memory(&model, m.p, m.n, mk_full_size(&m), &err))
        fail_msg("%s", err.message);
    mk_free(&m);
    return model;
}

/* What a test asks for; freed together. */
struct ask {
    ullage_model *model;
    ullage_settings *settings;
    ullage_machine *machine;
    ullage_plan *plan;
};

static struct ask ask(const char *gpu, uint64_t ram, int n, const char *const *flags)
{
    ullage_error err = {0};
    struct ask a = {llama8b(), ullage_settings_new(), ullage_machine_new(), NULL};
    assert_int_equal(ullage_machine_cpu(a.machine, "x64", &err), 0);
    if (gpu)
        assert_int_equal(ullage_machine_add_gpu(a.machine, gpu, &err), 0);
    if (ram)
        ullage_machine_ram(a.machine, ram);
    if (ullage_settings_parse(a.settings, n, flags, &err))
        fail_msg("%s", err.message);
    return a;
}

#define FLAGS(...) \
    (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)), \
        (const char *const[]){__VA_ARGS__}

static const ullage_device *make(struct ask *a)
{
    ullage_error err = {0};
    size_t n;
    if (ullage_plan_make(&a->plan, a->model, a->settings, a->machine, &err))
        fail_msg("%s", err.message);
    return ullage_plan_devices(a->plan, &n);
}

static void done(struct ask *a)
{
    ullage_plan_free(a->plan);
    ullage_machine_free(a->machine);
    ullage_settings_free(a->settings);
    ullage_close(a->model);
}

static bool noted(const struct ask *a, const char *code)
{
    size_t n;
    const ullage_note *v = ullage_plan_notes(a->plan, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(v[i].code, code) == 0)
            return true;
    return false;
}

static const uint64_t layer_weights = Q4K(218103808) + 2 * 4096 * 4; /* published: 218,112,000 */
static const uint64_t table = Q4K(4096 * 128256);

static void parts_add_up(void **state)
{
    (void)state;
    struct ask a = ask("24GiB", 32 * GIB, FLAGS("-c", "32768", "-np", "1", "-ngl", "99"));
    ullage_settings_assume_compute(a.settings, 300 * MIB);
    const ullage_device *d = make(&a);
    assert_int_equal(d[0].model.bytes, LAYERS * layer_weights + table + 4096 * 4);
    assert_int_equal(d[0].kv.bytes, 4 * GIB);
    assert_int_equal(d[0].context.bytes, 4 * GIB);
    assert_int_equal(d[0].compute.bytes, 300 * MIB);
    assert_int_equal(d[0].compute.source, ULLAGE_ASSUMED);
    assert_int_equal(d[0].runtime.bytes, 480 * MIB);
    assert_int_equal(d[0].prompt_peak.bytes, 16 * MIB);
    uint64_t sum = d[0].model.bytes + d[0].kv.bytes + d[0].compute.bytes + d[0].runtime.bytes
        + d[0].prompt_peak.bytes + d[0].rounding.bytes;
    assert_int_equal(d[0].needed.bytes, sum);
    assert_int_equal(d[0].needed.bytes % (2 * MIB), 0); /* all large: whole steps of the driver */
    assert_true(d[0].rounding.bytes < 2 * MIB);
    assert_int_equal(d[0].left_bytes, 24 * GIB - sum);
    assert_int_equal(d[1].model.bytes, table); /* the embedding stays on the host, mapped */
    assert_int_equal(d[1].output.bytes, 128256 * 4);
    assert_int_equal(d[1].kv.bytes, 0);
    assert_int_equal(ullage_plan_fits(a.plan), 1);
    assert_int_equal(ullage_plan_partial(a.plan), 0);
    done(&a);
}

static void unknown_compute_is_not_zero(void **state)
{
    (void)state;
    struct ask a = ask("24GiB", 32 * GIB, FLAGS("-c", "8192", "-np", "1", "-ngl", "99", "-md", "x"));
    const ullage_device *d = make(&a);
    assert_int_equal(d[0].draft.source, ULLAGE_UNKNOWN); /* nobody opened the draft model */
    assert_int_equal(d[0].model.source, ULLAGE_COMPUTED);
    assert_int_equal(ullage_plan_partial(a.plan), 1);
    assert_true(noted(&a, "not_modelled"));
    char *json = ullage_plan_render(a.plan, ULLAGE_JSON, ULLAGE_BY_DEVICE, 0);
    assert_non_null(strstr(json, "\"draft_bytes\": null"));
    assert_non_null(strstr(json, "\"partial\": true"));
    ullage_text_free(json);
    done(&a);
}

static void layers_split_between_the_sides(void **state)
{
    (void)state;
    struct ask a = ask("8GiB", 32 * GIB, FLAGS("-c", "32768", "-np", "1", "-ngl", "25"));
    ullage_settings_assume_compute(a.settings, 600 * MIB);
    const ullage_device *d = make(&a);
    /* the output layer and 24 blocks, as the lesson found for this card */
    assert_int_equal(d[0].model.bytes, 24 * layer_weights + table + 4096 * 4);
    assert_int_equal(d[0].kv.bytes, 24 * 128 * MIB);
    assert_int_equal(d[1].kv.bytes, 8 * 128 * MIB);
    assert_int_equal(d[1].model.bytes, 8 * layer_weights + table);
    size_t n;
    const ullage_layer_row *l = ullage_plan_layers(a.plan, &n);
    assert_int_equal(n, LAYERS + 1);
    assert_string_equal(l[7].device, "CPU");
    assert_string_equal(l[8].device, "CUDA0");
    assert_string_equal(l[LAYERS].device, "CUDA0");
    assert_int_equal(l[8].kv_bytes, 128 * MIB);
    assert_int_equal(l[8].weight_bytes, layer_weights);
    done(&a);
}

static void what_is_known_may_not_fit(void **state)
{
    (void)state;
    struct ask a = ask("8GiB", 0, FLAGS("-c", "32768", "-np", "1", "-ngl", "99"));
    const ullage_device *d = make(&a);
    assert_int_equal(d[0].fits, 0);
    assert_true(d[0].left_bytes < 0);
    assert_int_equal(d[1].fits, -1); /* the host's memory was not given */
    assert_int_equal(ullage_plan_fits(a.plan), 0);
    assert_true(noted(&a, "host_budget_unknown"));
    done(&a);
}

static void a_reserve_is_kept_free(void **state)
{
    (void)state;
    ullage_error err = {0};
    struct ask a = ask("total=24564MiB,used=1203MiB", 0, FLAGS("-c", "32768", "-np", "1", "-ngl", "99"));
    assert_int_equal(ullage_machine_reserve(a.machine, "5%", &err), 0);
    const ullage_device *d = make(&a);
    const uint64_t total = 24564 * MIB;
    assert_int_equal(d[0].budget.bytes, total - 1203 * MIB - (uint64_t)(0.05 * (double)total));
    done(&a);
}

static void without_fit_missing_flags_are_planned_in_full(void **state)
{
    (void)state;
    struct ask a = ask("8GiB", 0, FLAGS("-np", "1", "-fit", "off"));
    const ullage_device *d = make(&a);
    assert_int_equal(ullage_plan_context(a.plan)->n_ctx, 131072);
    assert_int_equal(d[0].kv.bytes, 16 * GIB);
    assert_int_equal(ullage_plan_engine_fit(a.plan)->ran, 0);
    assert_false(noted(&a, "fit_applied"));
    assert_false(noted(&a, "partial_file"));
    done(&a);
}

static void with_fit_they_are_what_the_engine_chooses(void **state)
{
    (void)state;
    struct ask a = ask("12GiB", 0, FLAGS("-np", "1"));
    const ullage_device *d = make(&a);
    const ullage_engine_fit *f = ullage_plan_engine_fit(a.plan);
    const ullage_context *c = ullage_plan_context(a.plan);
    assert_true(f->ran && f->changed && f->certain && !f->why_not);
    assert_string_equal(f->short_of, "CUDA0");
    assert_int_equal(f->target_bytes, GIB);
    assert_true(c->n_ctx > 4096 && c->n_ctx < 131072);
    assert_true(d[0].left_bytes > 0);
    assert_true(noted(&a, "fit_applied"));
    done(&a);
    a = ask("80GiB", 0, FLAGS("-np", "1")); /* everything fits: nothing is said */
    make(&a);
    assert_int_equal(ullage_plan_context(a.plan)->n_ctx, 131072);
    f = ullage_plan_engine_fit(a.plan);
    assert_true(f->ran && !f->changed && !f->short_of);
    assert_false(noted(&a, "fit_applied"));
    done(&a);
}

static void fit_gives_up_where_the_user_has_settled_layers(void **state)
{
    (void)state;
    struct ask a = ask("8GiB", 0, FLAGS("-np", "1", "-c", "24576", "-ngl", "99"));
    make(&a);
    const ullage_engine_fit *f = ullage_plan_engine_fit(a.plan);
    assert_string_equal(f->why_not, "n_gpu_layers already set by user to 99");
    assert_int_equal(f->changed, 0);
    assert_int_equal(ullage_plan_context(a.plan)->n_ctx, 24576);
    assert_true(noted(&a, "fit_gave_up"));
    done(&a);
}

/* Without a GPU the host's whole memory counts, whatever of it is free. */
static void fit_on_the_host(void **state)
{
    (void)state;
    struct ask a = ask(NULL, 8 * GIB, FLAGS("-np", "1"));
    ullage_machine_ram_total(a.machine, 12 * GIB);
    make(&a);
    uint32_t n_ctx = ullage_plan_context(a.plan)->n_ctx;
    assert_true(n_ctx > 4096 && n_ctx < 131072);
    assert_string_equal(ullage_plan_engine_fit(a.plan)->short_of, "the host");
    done(&a);
    a = ask(NULL, 0, FLAGS("-np", "1")); /* nothing to compare with */
    make(&a);
    assert_int_equal(ullage_plan_context(a.plan)->n_ctx, 131072);
    assert_int_equal(ullage_plan_engine_fit(a.plan)->ran, 0);
    assert_true(noted(&a, "fit_not_applied"));
    done(&a);
}

static void a_server_grows_in_host_memory(void **state)
{
    (void)state;
    struct ask a = ask(NULL, 32 * GIB, FLAGS("-c", "4096"));
    make(&a);
    size_t n;
    const ullage_growth *g = ullage_plan_growth(a.plan, &n);
    assert_int_equal(n, 1); /* nothing to check-point: every token is kept */
    assert_string_equal(g[0].flag, "--cache-ram");
    assert_int_equal(g[0].up_to.bytes, 8192 * MIB);
    done(&a);
    a = ask(NULL, 32 * GIB, FLAGS("-c", "4096", "--cache-ram", "0"));
    make(&a);
    ullage_plan_growth(a.plan, &n);
    assert_int_equal(n, 0);
    done(&a);
}

static void keys_can_be_overridden(void **state)
{
    (void)state;
    struct ask a = ask("80GiB", 0, FLAGS("-c", "8192", "-np", "1", "-ngl", "99", "--override-kv",
                                         "llama.context_length=int:4096"));
    make(&a);
    assert_true(noted(&a, "over_training_context"));
    done(&a);
}

/* As the pinned engine does with these flags: it aborts when it reserves its first graph. */
static void weights_on_a_gpu_left_out_are_refused(void **state)
{
    (void)state;
    ullage_error err = {0};
    struct ask a = ask("80GiB", 0, FLAGS("-c", "8192", "-np", "1", "-ngl", "99", "-sm", "none", "-mg",
                                         "1", "-ot", "attn_.*=CUDA0"));
    assert_int_equal(ullage_machine_add_gpu(a.machine, "80GiB", &err), 0);
    assert_int_equal(ullage_plan_make(&a.plan, a.model, a.settings, a.machine, &err),
                     ULLAGE_ERROR_REFUSED);
    assert_non_null(strstr(err.message, "CUDA0"));
    done(&a);
}

static void csv_has_a_line_a_device(void **state)
{
    (void)state;
    struct ask a = ask("name=RTX 4090,total=24564MiB", 0, FLAGS("-c", "8192", "-np", "1", "-ngl", "99"));
    make(&a);
    char *csv = ullage_plan_render(a.plan, ULLAGE_CSV, ULLAGE_BY_DEVICE, 0);
    size_t lines = 0;
    for (const char *p = csv; *p; p++)
        lines += *p == '\n';
    assert_int_equal(lines, 3);
    assert_non_null(strstr(csv, "CUDA0,RTX 4090,25757220864,0,"));
    ullage_text_free(csv);
    done(&a);
}

static void a_model_describes_itself(void **state)
{
    (void)state;
    ullage_model *model = llama8b();
    const ullage_model_info *i = ullage_describe(model);
    assert_string_equal(i->arch, "llama");
    assert_int_equal(i->n_params, 8030261248);
    assert_int_equal(i->n_layer, LAYERS);
    assert_int_equal(i->n_types, 2);
    assert_string_equal(i->types[0].name, "q4_K");
    assert_int_equal(i->layers[0].kind, ULLAGE_LAYER_FULL);
    assert_int_equal(i->layers[31].weight_bytes, layer_weights);
    assert_false(i->partial);
    char *text = ullage_model_render(model, ULLAGE_TABLE, 0);
    assert_non_null(strstr(text, "131072 bytes of f16 cache"));
    ullage_text_free(text);
    ullage_close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(unknown_compute_is_not_zero),
        cmocka_unit_test(layers_split_between_the_sides),
        cmocka_unit_test(what_is_known_may_not_fit),
        cmocka_unit_test(a_reserve_is_kept_free),
        cmocka_unit_test(without_fit_missing_flags_are_planned_in_full),
        cmocka_unit_test(with_fit_they_are_what_the_engine_chooses),
        cmocka_unit_test(fit_gives_up_where_the_user_has_settled_layers),
        cmocka_unit_test(fit_on_the_host),
        cmocka_unit_test(a_server_grows_in_host_memory),
        cmocka_unit_test(keys_can_be_overridden),
        cmocka_unit_test(weights_on_a_gpu_left_out_are_refused),
        cmocka_unit_test(csv_has_a_line_a_device),
        cmocka_unit_test(a_model_describes_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
