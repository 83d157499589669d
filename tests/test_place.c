/* Placement: devices, split points, buffer types, mapped pieces, cuts, overrides.
 *
 * The figures of whole models are the engine's (llama.cpp 0.7.0, CUDA back-end): what it allocated for
 * the architecture test model "arcee" (two layers, all F32, made by its own generator) on GPUs of
 * 24,564 MiB, and where it put the layers of Qwen3-8B. */
#include "fake_model.h"

#include "engine/place_impl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MIB ((uint64_t)1 << 20)

struct fixture {
    struct fake f;
    struct ul_gguf file;
    struct ul_gguf_tensor t[128];
    uint64_t end;
    struct ul_layer many[64];
    ullage_error err;
};

static void tensor(struct fixture *x, const char *name, enum ul_type type, uint64_t n0, uint64_t n1,
                   uint64_t n2)
{
    struct ul_gguf_tensor *t = &x->t[x->file.n_tensors++];
    *t = (struct ul_gguf_tensor){.name = ul_cstr(ul_format(&x->f.arena, "%s", name)), .type = type,
                                 .ne = {n0, n1, n2, 1}, .offset = x->end};
    t->bytes = ul_shape_bytes(type, t->ne);
    x->end = ul_pad(x->end + t->bytes, 32);
}

static void layer_tensor(struct fixture *x, int il, const char *rest, uint64_t n0, uint64_t n1)
{
    tensor(x, ul_format(&x->f.arena, "blk.%d.%s", il, rest), UL_F32, n0, n1, 1);
}

/* Two layers as the generator writes them: matrices, biases, and a scale of one value for each
 * matrix, which starts a new 32 bytes each. */
static void arcee_layer(struct fixture *x, int il)
{
    static const char *const scaled[] = {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_up",
                                         "ffn_down"};
    layer_tensor(x, il, "attn_norm.weight", 256, 1);
    for (int i = 0; i < 4; i++)
        layer_tensor(x, il, ul_format(&x->f.arena, "%s.weight", scaled[i]), 256, 256);
    for (int i = 0; i < 3; i++)
        layer_tensor(x, il, ul_format(&x->f.arena, "%s.bias", scaled[i]), 256, 1);
    layer_tensor(x, il, "ffn_norm.weight", 256, 1);
    layer_tensor(x, il, "ffn_down.weight", 384, 256);
    layer_tensor(x, il, "ffn_up.weight", 256, 384);
    if (il == 0)
        tensor(x, "rope_freqs.weight", UL_F32, 64, 1, 1);
    for (int i = 0; i < 6; i++)
        layer_tensor(x, il, ul_format(&x->f.arena, "%s.scale", scaled[i]), 1, 1);
    for (int i = 0; i < 6; i++)
        layer_tensor(x, il, ul_format(&x->f.arena, "%s.input_scale", scaled[i]), 1, 1);
}

static void load(struct fixture *x)
{
    struct ul_model *m = &x->f.m;
    x->file.tensors = x->t;
    m->file = &x->file;
    ul_model_weights(m, &x->file, &x->f.arena);
    for (size_t i = 0; i < m->n_weights; i++) {
        m->weights[i].per_layer = m->weights[i].role == UL_ROLE_ROPE_FREQS;
        if (m->weights[i].per_layer)
            m->weights[i].layer = 0;
    }
    ul_model_index(m, &x->f.arena);
}

static void gpus(struct fixture *x, int n, const uint64_t *mib)
{
    x->f.machine.n_gpus = (uint32_t)n;
    x->f.machine.runtime = (ullage_bytes){480 * MIB, ULLAGE_ASSUMED};
    for (int i = 0; i < n; i++)
        x->f.machine.gpu[i] = (struct ul_gpu){.name = "", .backend = UL_CUDA, .total = mib[i] * MIB,
                                              .cc = 890};
}

static void start(struct fixture *x, int n_gpus)
{
    static const uint64_t mib[] = {24564, 24564, 24564, 24564};
    *x = (struct fixture){.end = 0};
    fake_init(&x->f);
    x->f.s.n_gpu_layers = UL_NGL_ALL;
    x->f.s.load_mode = UL_LOAD_AUTO;
    x->f.s.lazy_mode = UL_AUTO;
    x->f.machine.cpu = "zen4";
    x->f.m.arch_name = UL_STR("arcee");
    x->f.m.router_layer = -1;
    gpus(x, n_gpus, mib);
}

static void arcee(struct fixture *x, int n_gpus)
{
    start(x, n_gpus);
    struct ul_model *m = &x->f.m;
    m->n_layer = m->n_layer_all = 2;
    m->n_embd = 256;
    for (int i = 0; i < 2; i++)
        x->f.layer[i] = (struct ul_layer){.n_head = 2, .n_head_kv = 2, .n_ff = 384, .rope_factors = true};
    tensor(x, "token_embd.weight", UL_F32, 256, 128, 1);
    tensor(x, "output_norm.weight", UL_F32, 256, 1, 1);
    tensor(x, "output.weight", UL_F32, 256, 128, 1);
    arcee_layer(x, 0);
    arcee_layer(x, 1);
    load(x);
}

static int place(struct fixture *x)
{
    return ul_place_make(&x->f.p, &x->f.m, &x->f.s, &x->f.machine, &x->f.arena, &x->err);
}

static void override(struct fixture *x, const char *pattern, const char *buft)
{
    struct ul_override *o = UL_NEW(&x->f.arena, struct ul_override);
    *o = (struct ul_override){pattern, buft};
    x->f.s.overrides = o;
    x->f.s.n_overrides = 1;
}

/* The model buffers must be exactly these: name, bytes, count; NULL ends the list. */
static void expect(struct fixture *x, ...)
{
    va_list args;
    size_t n = 0;
    const char *name;
    if (place(x) != ULLAGE_OK)
        fail_msg("%s", x->err.message);
    va_start(args, x);
    while ((name = va_arg(args, const char *)) != NULL) {
        uint64_t bytes = va_arg(args, uint64_t);
        unsigned count = va_arg(args, unsigned);
        bool found = false;
        for (size_t i = 0; i < x->f.p.n_buffers && !found; i++) {
            const struct ul_model_buffer *b = &x->f.p.buffers[i];
            if (strcmp(b->name, name) != 0)
                continue;
            assert_int_equal(b->bytes, bytes);
            assert_int_equal(b->count, count);
            found = true;
        }
        if (!found)
            fail_msg("no buffer %s", name);
        n++;
    }
    va_end(args);
    assert_int_equal(x->f.p.n_buffers, n);
    fake_done(&x->f);
}

#define END (const char *)NULL
#define BUF(name, bytes, count) name, (uint64_t)(bytes), (unsigned)(count)

/* ------------------------------------------------------------------ whole models */

static void one_gpu(void **state)
{
    (void)state;
    struct fixture x;
    arcee(&x, 1);
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("CUDA0", 3815680, 1), END);
    arcee(&x, 1);
    x.f.s.load_mode = UL_LOAD_NONE;
    expect(&x, BUF("CUDA_Host", 131072, 1), BUF("CUDA0", 3815680, 1), END);
    arcee(&x, 1);
    x.f.s.n_gpu_layers = 2;
    expect(&x, BUF("CPU_Mapped", 1971504, 13), BUF("CUDA0", 1974016, 1), END);
    arcee(&x, 1);
    x.f.s.n_gpu_layers = 0;
    x.f.s.load_mode = UL_LOAD_NONE;
    expect(&x, BUF("CUDA_Host", 3944448, 1), END);
    arcee(&x, 1);
    x.f.s.n_gpu_layers = 2;
    x.f.s.load_mode = UL_LOAD_NONE;
    x.f.s.no_host = true;
    expect(&x, BUF("CPU", 1971840, 1), BUF("CUDA0", 1974016, 1), END);
}

static void cpu_only(void **state)
{
    (void)state;
    struct fixture x;
    arcee(&x, 0);
    expect(&x, BUF("CPU_Mapped", 3943776, 24), END);
    arcee(&x, 0);
    x.f.s.load_mode = UL_LOAD_DIO;
    expect(&x, BUF("CPU", 3944448, 1), END);
}

static void overrides(void **state)
{
    (void)state;
    struct fixture x;
    arcee(&x, 1);
    override(&x, "ffn_up", "CPU");
    expect(&x, BUF("CPU_Mapped", 917520, 7), BUF("CUDA0", 3028736, 1), END);
    arcee(&x, 1);
    override(&x, "token_embd", "CUDA0");
    expect(&x, BUF("CUDA0", 3946752, 1), END);
    arcee(&x, 1);
    override(&x, "token_embd", "CUDA1");
    assert_int_equal(place(&x), ULLAGE_ERROR_REFUSED);
    assert_non_null(strstr(x.err.message, "unknown buffer type"));
    fake_done(&x.f);
    arcee(&x, 1);
    override(&x, "a(", "CPU");
    assert_int_equal(place(&x), ULLAGE_ERROR_REFUSED);
    assert_non_null(strstr(x.err.message, "Mismatched '(' and ')' in regular expression"));
    fake_done(&x.f);
}

static void several_gpus(void **state)
{
    (void)state;
    struct fixture x;
    arcee(&x, 2); /* rope factors are on both, the output alone on the second */
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("CUDA0", 3683584, 1), BUF("CUDA1", 132096, 1), END);
    arcee(&x, 2);
    x.f.s.tensor_split[0] = 1;
    x.f.s.tensor_split[1] = 2;
    x.f.s.n_tensor_split = 2;
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("CUDA0", 1841920, 1), BUF("CUDA1", 1974016, 1), END);
    arcee(&x, 2);
    x.f.s.split_mode = UL_SPLIT_NONE;
    x.f.s.main_gpu = 1;
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("CUDA1", 3815680, 1), END);
    arcee(&x, 2);
    x.f.s.split_mode = UL_SPLIT_NONE;
    x.f.s.main_gpu = -1;
    expect(&x, BUF("CPU_Mapped", 3943776, 24), END);
    arcee(&x, 2); /* -dev CUDA1,CUDA0 -ts 1,2: shares go by the list's order */
    const char *names[] = {"CUDA1", "CUDA0"};
    x.f.s.devices = names;
    x.f.s.n_devices = 2;
    x.f.s.tensor_split[0] = 1;
    x.f.s.tensor_split[1] = 2;
    x.f.s.n_tensor_split = 2;
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("CUDA0", 1974016, 1), BUF("CUDA1", 1841920, 1), END);
    arcee(&x, 2); /* a GPU that takes no other part */
    x.f.s.devices = names + 1;
    x.f.s.n_devices = 1;
    override(&x, "ffn_up", "CUDA1");
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("CUDA0", 3028736, 1), BUF("CUDA1", 786944, 1), END);
}

static void tensor_parallel(void **state)
{
    (void)state;
    struct fixture x;
    arcee(&x, 2);
    x.f.s.split_mode = UL_SPLIT_TENSOR;
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("Meta()", 1912064, 1), END);
    arcee(&x, 2);
    x.f.s.split_mode = UL_SPLIT_TENSOR;
    x.f.s.tensor_split[0] = 1;
    x.f.s.tensor_split[1] = 3;
    x.f.s.n_tensor_split = 2;
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("Meta()", 2994944, 1), END);
    arcee(&x, 3); /* two heads over three GPUs: one has a feed-forward part only */
    x.f.s.split_mode = UL_SPLIT_TENSOR;
    expect(&x, BUF("CPU_Mapped", 131072, 1), BUF("Meta()", 1627392, 1), END);
}

static void refusals(void **state)
{
    (void)state;
    struct fixture x;
    arcee(&x, 2);
    x.f.s.split_mode = UL_SPLIT_ROW;
    assert_int_equal(place(&x), ULLAGE_ERROR_REFUSED);
    assert_string_equal(x.err.message,
                        "error loading model: device CUDA0 does not support split buffers");
    fake_done(&x.f);
    arcee(&x, 2);
    x.f.s.split_mode = UL_SPLIT_TENSOR;
    x.f.arch.no_tensor_split = true;
    assert_int_equal(place(&x), ULLAGE_ERROR_REFUSED);
    assert_string_equal(x.err.message, "error loading model: LLAMA_SPLIT_MODE_TENSOR not implemented "
                                       "for architecture 'arcee'");
    fake_done(&x.f);
    arcee(&x, 2);
    x.f.s.split_mode = UL_SPLIT_NONE;
    x.f.s.main_gpu = 2;
    assert_int_equal(place(&x), ULLAGE_ERROR_REFUSED);
    assert_string_equal(x.err.message, "invalid value for main_gpu: 2 (available devices: 2)");
    fake_done(&x.f);
    arcee(&x, 1);
    const char *names[] = {"CUDA3"};
    x.f.s.devices = names;
    x.f.s.n_devices = 1;
    assert_int_equal(place(&x), ULLAGE_ERROR_REFUSED);
    assert_string_equal(x.err.message, "invalid device: CUDA3");
    fake_done(&x.f);
}

/* A tied output exists a second time only where it is in other memory than the embedding; in some
 * architectures always. */
static void tied_output(void **state)
{
    (void)state;
    struct fixture x;
    for (int twice = 0; twice < 2; twice++) {
        start(&x, 1);
        x.f.m.n_layer = x.f.m.n_layer_all = 1;
        x.f.arch.tied_twice = twice;
        tensor(&x, "token_embd.weight", UL_Q6_K, 2560, 1000, 1);
        load(&x);
        ul_model_tie(&x.f.m.weights[0], UL_ROLE_OUTPUT, &x.f.arena);
        ul_model_index(&x.f.m, &x.f.arena);
        if (twice)
            override(&x, "token_embd", "CUDA0");
        uint64_t bytes = 1000 * (2560 / 256) * 210;
        if (twice)
            expect(&x, BUF("CUDA0", 2 * ul_pad(bytes, 128), 1), END);
        else
            expect(&x, BUF("CPU_Mapped", bytes, 1), BUF("CUDA0", ul_pad(bytes, 128), 1), END);
    }
}

/* -lzm: rows of the per-layer embeddings are read from the file, whatever else is said. */
static void lazy_rows(void **state)
{
    (void)state;
    struct fixture x;
    for (int lazy = 0; lazy < 2; lazy++) {
        start(&x, 1);
        x.f.m.n_layer = x.f.m.n_layer_all = 1;
        x.f.arch.lazy_per_layer = true;
        x.f.s.lazy_mode = lazy ? UL_ON : UL_AUTO; /* auto: far below 4 GiB */
        x.f.s.load_mode = UL_LOAD_NONE;
        tensor(&x, "per_layer_token_embd.weight", UL_Q8_0, 256, 100, 1);
        tensor(&x, "token_embd.weight", UL_Q8_0, 256, 100, 1);
        load(&x);
        if (lazy)
            expect(&x, BUF("CPU_Mapped", 27200, 1), BUF("CUDA_Host", 27200, 1), END);
        else
            expect(&x, BUF("CUDA_Host", 54400, 1), END);
    }
}

/* ------------------------------------------------------------------ layers */

/* How many layers of Qwen3-8B (36 and the output) each device and the host got. */
static void split(const uint64_t *mib, int n, int ngl, const float *ts, const int *want)
{
    struct fixture x;
    start(&x, 0);
    gpus(&x, n, mib);
    x.f.m.n_layer = x.f.m.n_layer_all = 36;
    x.f.m.layer = x.many;
    x.f.s.n_gpu_layers = ngl;
    for (int i = 0; ts && i < n; i++)
        x.f.s.tensor_split[i] = ts[i];
    x.f.s.n_tensor_split = ts ? (size_t)n : 0;
    load(&x);
    assert_int_equal(place(&x), ULLAGE_OK);
    int got[5] = {0};
    for (int il = 0; il <= 36; il++)
        got[x.f.p.layer_device[il] < 0 ? n : x.f.p.layer_device[il]]++;
    for (int i = 0; i <= n; i++)
        assert_int_equal(got[i], want[i]);
    fake_done(&x.f);
}

static void split_points(void **state)
{
    (void)state;
    const uint64_t big[] = {1048576, 1048576}, mixed[] = {24564, 12288};
    const float three_to_one[] = {3, 1};
    split(big, 2, UL_NGL_ALL, NULL, (const int[]){19, 18, 0});
    split(big, 2, UL_NGL_ALL, three_to_one, (const int[]){28, 9, 0});
    split(mixed, 2, 99, NULL, (const int[]){25, 12, 0});
    split(big, 2, 18, NULL, (const int[]){9, 9, 19});
    split(big, 1, 18, NULL, (const int[]){18, 19});
    split(big, 1, 1, NULL, (const int[]){1, 36});
    split(big, 1, 36, NULL, (const int[]){36, 1});
    split(big, 1, 0, NULL, (const int[]){0, 37});
}

/* ------------------------------------------------------------------ the experts' cache */

/* LFM2-8B-A1B Q4_K_M with -cmoe: 22 layers of 32 experts, 10 of them with Q6_K down matrices. The
 * engine's figures for budgets of 1,024 MiB (72 and 87 slots) and, in whole MiB, more than needed. */
static void expert_cache(void **state)
{
    (void)state;
    struct fixture x;
    start(&x, 1);
    x.f.machine.gpu[0].total = 200000 * MIB;
    x.f.m.layer = x.many;
    x.f.m.n_layer = x.f.m.n_layer_all = 22;
    x.f.m.n_expert = 32;
    x.f.m.n_expert_used = 4;
    for (int il = 0; il < 22; il++) {
        enum ul_type down = il < 10 ? UL_Q6_K : UL_Q4_K;
        tensor(&x, ul_format(&x.f.arena, "blk.%d.ffn_down_exps.weight", il), down, 1792, 2048, 32);
        tensor(&x, ul_format(&x.f.arena, "blk.%d.ffn_gate_exps.weight", il), UL_Q4_K, 2048, 1792, 32);
        tensor(&x, ul_format(&x.f.arena, "blk.%d.ffn_up_exps.weight", il), UL_Q4_K, 2048, 1792, 32);
    }
    load(&x);
    override(&x, "\\.ffn_(up|down|gate|gate_up)_(ch|)exps", "CPU");
    x.f.s.moe_cache_bytes = 1024 * MIB;
    assert_int_equal(place(&x), ULLAGE_OK);
    const uint64_t taken[1] = {0};
    size_t before = x.f.p.n_buffers;
    assert_int_equal(ul_place_moe_cache(&x.f.p, &x.f.m, &x.f.s, taken, &x.f.arena, &x.err), 0);
    assert_int_equal(x.f.p.n_buffers, before + 1);
    assert_int_equal(x.f.p.buffers[before].bytes, 1066168832);
    assert_int_equal(x.f.p.buffers[before].kind, UL_BUFFER_MOE_CACHE);
    x.f.s.moe_cache_bytes = 1 * MIB;
    assert_int_equal(ul_place_moe_cache(&x.f.p, &x.f.m, &x.f.s, taken, &x.f.arena, &x.err),
                     ULLAGE_ERROR_REFUSED);
    assert_non_null(strstr(x.err.message, "too small to hold the experts of one token"));
    fake_done(&x.f);
}

/* ------------------------------------------------------------------ single rules */

static bool repacks(const char *cpu, enum ul_use use, enum ul_type type, uint64_t n1, uint64_t n2)
{
    const uint64_t ne[4] = {4096, n1, n2, 1};
    return ul_repack_takes(ul_cpu_variant_find(cpu)->features, use, type, ne);
}

static void repacking(void **state)
{
    (void)state;
    assert_true(repacks("zen4", UL_USE_MUL_MAT, UL_Q4_K, 4096, 1));
    assert_true(repacks("haswell", UL_USE_MUL_MAT, UL_Q4_K, 4096, 1));
    assert_false(repacks("x64", UL_USE_MUL_MAT, UL_Q4_K, 4096, 1));
    assert_false(repacks("ivybridge", UL_USE_MUL_MAT, UL_Q4_0, 4096, 1));
    assert_true(repacks("skylakex", UL_USE_MUL_MAT, UL_Q2_K, 4096, 1));
    assert_false(repacks("alderlake", UL_USE_MUL_MAT, UL_Q2_K, 4096, 1));
    assert_false(repacks("zen4", UL_USE_MUL_MAT, UL_Q6_K, 4096, 1));
    assert_true(repacks("apple_m1", UL_USE_MUL_MAT, UL_Q6_K, 4096, 1));
    assert_false(repacks("armv8.0_1", UL_USE_MUL_MAT, UL_Q6_K, 4096, 1));
    /* eight rows at a time; a bias, a row of the embedding and a stack used as a matrix: never */
    assert_false(repacks("zen4", UL_USE_MUL_MAT, UL_Q4_K, 4100, 1));
    assert_false(repacks("zen4", UL_USE_GET_ROWS, UL_Q4_K, 4096, 1));
    assert_true(repacks("zen4", UL_USE_MUL_MAT_ID, UL_Q4_K, 4096, 8));
    assert_false(repacks("zen4", UL_USE_MUL_MAT, UL_Q4_K, 4096, 8));
    assert_false(repacks("zen4", UL_USE_MUL_MAT_ID, UL_Q4_K, 4096, 1));
}

static void padding(void **state)
{
    (void)state;
    const struct ul_buft cuda = {.kind = UL_BUFT_DEVICE, .backend = UL_CUDA, .alignment = 128};
    const struct ul_buft cpu = {.kind = UL_BUFT_CPU, .backend = UL_CPU, .host = true, .alignment = 32};
    const uint64_t odd[4] = {896, 896, 1, 1}, empty[4] = {896, 0, 1, 1}, one[4] = {1, 1, 1, 1};
    /* Q5_0, 896 values a row: 128 more, 88 bytes, once for the tensor */
    assert_int_equal(ul_padded_bytes(&cuda, UL_Q5_0, odd), 551936 + 128);
    assert_int_equal(ul_padded_bytes(&cpu, UL_Q5_0, odd), 551936);
    assert_int_equal(ul_padded_bytes(&cuda, UL_Q5_0, empty), 128);
    assert_int_equal(ul_padded_bytes(&cuda, UL_F32, one), 128);
    assert_int_equal(ul_padded_bytes(&cpu, UL_F32, one), 32);
}

static bool runs(enum ul_use use, enum ul_type type, uint64_t n0, uint64_t n1)
{
    const struct ul_hw hw = {.backend = UL_CUDA, .cc = 890};
    const struct ul_trial trial = {.n_expert_used = 2, .ssm_d_state = 16, .ssm_d_inner = 256,
                                   .n_embd_head_v = 128, .n_head = 8, .n_embd_inp = 1024};
    const uint64_t ne[4] = {n0, n1, 1, 1};
    return ul_device_takes(&hw, use, type, ne, &trial);
}

static void trials(void **state)
{
    (void)state;
    assert_true(runs(UL_USE_MUL_MAT, UL_Q4_K, 4096, 4096));
    assert_false(runs(UL_USE_MUL_MAT, UL_TQ1_0, 4096, 4096));
    assert_true(runs(UL_USE_MUL, UL_F32, 4096, 1));
    assert_false(runs(UL_USE_MUL, UL_BF16, 4096, 1)); /* full precision times BF16 has no kernel */
    assert_false(runs(UL_USE_MUL, UL_Q8_0, 4096, 1)); /* a quantised norm stays on the CPU */
    assert_true(runs(UL_USE_SSM_CONV, UL_F32, 4, 256));
    assert_false(runs(UL_USE_SSM_CONV, UL_F32, 4, 200)); /* channels in steps of 128 */
    assert_true(runs(UL_USE_SSM_SCAN, UL_F32, 16, 256));
    assert_false(runs(UL_USE_SSM_SCAN, UL_F32, 16, 64));
    assert_true(runs(UL_USE_ROPE, UL_F32, 64, 1));
}

static void patterns(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *text;
        int found;
    } cases[] = {
        {"blk\\.[0-9]\\.ffn_.*", "blk.7.ffn_up.weight", 1},
        {"blk\\.[0-9]\\.ffn_.*", "blk.17.ffn_up.weight", 0},
        {"\\.ffn_(up|down|gate|gate_up)_(ch|)exps", "blk.3.ffn_gate_up_exps.weight", 1},
        {"\\.ffn_(up|down|gate|gate_up)_(ch|)exps", "blk.3.ffn_up_chexps.weight", 1},
        {"\\.ffn_(up|down|gate|gate_up)_(ch|)exps", "blk.3.ffn_up.weight", 0},
        {"^output\\.weight$", "output.weight", 1},
        {"^output\\.weight$", "blk.0.output.weight", 0},
        {"output", "blk.0.attn_output.weight", 1},
        {"blk\\.(1[0-9]|2[0-3])\\.", "blk.21.attn_q.weight", 1},
        {"blk\\.(1[0-9]|2[0-3])\\.", "blk.24.attn_q.weight", 0},
        {"attn_(?!k)", "blk.0.attn_k.weight", 0},
        {"attn_(?=[qk])[^k]", "blk.0.attn_q.weight", 1},
        {"(\\d)\\1", "blk.11.x", 1},
        {"(\\d)\\1", "blk.12.x", 0},
        {"\\bexps", "ffn_exps", 0},
        {"[[:alpha:]]{3}\\.\\d{1,2}?\\.", "blk.31.x", 1},
        {"(a|b)*+c", "abac", 1},
        {"", "anything", 1},
        {"[^\\s\\S]", "x", 0},
        {"x{0}y", "y", 1},
    };
    struct ul_arena a = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ul_regex *re;
        ullage_error err = {0};
        if (ul_regex_compile(&re, ul_cstr(cases[i].pattern), &a, &err))
            fail_msg("%s: %s", cases[i].pattern, err.message);
        if (ul_regex_search(re, ul_cstr(cases[i].text)) != cases[i].found)
            fail_msg("%s in %s", cases[i].pattern, cases[i].text);
    }
    static const char *const bad[] = {"a(", "a)", "[a", "*a", "a{", "a{2,1}", "[b-a]", "\\", "(?a)",
                                      "[[:none:]]", "\\2(a)", "\\x4", "(?<n>a)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ul_regex *re;
        ullage_error err = {0};
        if (ul_regex_compile(&re, ul_cstr(bad[i]), &a, &err) != ULLAGE_ERROR_REFUSED)
            fail_msg("%s was accepted", bad[i]);
        assert_true(ul_str_starts(ul_cstr(err.message), "error loading model: "));
    }
    ul_arena_free(&a);
}

/* What backtracks without end is given up, in bounded time and memory. */
static void hopeless_pattern(void **state)
{
    (void)state;
    struct ul_arena a = {0};
    struct ul_regex *re;
    ullage_error err = {0};
    assert_int_equal(ul_regex_compile(&re, UL_STR("(x+x+)+y"), &a, &err), 0);
    assert_int_equal(ul_regex_search(re, UL_STR("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")), -1);
    assert_true(a.total < 1 << 20);
    ul_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_gpu), cmocka_unit_test(cpu_only), cmocka_unit_test(overrides),
        cmocka_unit_test(several_gpus), cmocka_unit_test(tensor_parallel),
        cmocka_unit_test(refusals), cmocka_unit_test(tied_output), cmocka_unit_test(lazy_rows),
        cmocka_unit_test(split_points), cmocka_unit_test(expert_cache), cmocka_unit_test(repacking),
        cmocka_unit_test(padding), cmocka_unit_test(trials), cmocka_unit_test(patterns),
        cmocka_unit_test(hopeless_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
