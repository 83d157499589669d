/* The worked examples of a published lesson on the memory of local models ("Memory Math: Weights,
 * KV Cache, and What Fits"), through the public library. The lesson's assumptions (a uniform weight
 * type, a compute buffer of 600 MiB, 8.03e9 parameters) are arguments; what is checked is the text
 * that the lesson prints, so rounding is checked too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ullage.h"

#define MIB 1048576.0
#define GIB 1073741824.0

static const ullage_shape llama_8b = {.n_embd = 4096, .n_layer = 32, .n_head = 32, .n_head_kv = 8,
                                      .head_dim = 128, .n_ff = 14336, .n_vocab = 128256};
static const ullage_shape tiny = {.n_embd = 256, .n_layer = 4, .n_head = 8, .n_head_kv = 2,
                                  .head_dim = 32, .n_ff = 704, .n_vocab = 151936};

static char text[256];

#define assert_text(expected, ...) \
    do { \
        snprintf(text, sizeof text, __VA_ARGS__); \
        assert_string_equal(text, expected); \
    } while (0)

static uint64_t kv(const ullage_shape *s, const char *type, uint64_t tokens)
{
    uint64_t bytes = 0;
    assert_int_equal(ullage_kv_bytes(s->n_layer, s->n_head_kv, s->head_dim, s->head_dim, type, type,
                                     tokens, &bytes, NULL), ULLAGE_OK);
    return bytes;
}

static ullage_counts counts_of(const ullage_shape *s)
{
    ullage_counts c;
    assert_int_equal(ullage_shape_counts(s, &c, NULL), ULLAGE_OK);
    return c;
}

/* Example 1: weight memory from parameters and bits per weight. */
static void weight_memory(void **state)
{
    (void)state;
    static const char *const types[] = {"F32", "F16", "BF16", "Q8_0", "Q6_K", "Q5_K", "Q4_K",
                                        "Q4_0", "Q3_K", "Q2_K"};
    static const char *const printed[] = {
        "F32        1      4 32.0000   32.12    29.91",
        "F16        1      2 16.0000   16.06    14.96",
        "BF16       1      2 16.0000   16.06    14.96",
        "Q8_0      32     34 8.5000    8.53     7.95",
        "Q6_K     256    210 6.5625    6.59     6.13",
        "Q5_K     256    176 5.5000    5.52     5.14",
        "Q4_K     256    144 4.5000    4.52     4.21",
        "Q4_0      32     18 4.5000    4.52     4.21",
        "Q3_K     256    110 3.4375    3.45     3.21",
        "Q2_K     256     84 2.6250    2.63     2.45",
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        uint32_t values, bytes;
        assert_int_equal(ullage_type_block(types[i], &values, &bytes, NULL), ULLAGE_OK);
        double all = ullage_type_bytes(types[i], 8.03e9);
        assert_text(printed[i], "%-5s %6u %6u %6.4f %7.2f %8.2f", types[i], values, bytes,
                    bytes * 8.0 / values, all / 1e9, all / GIB);
    }
    ullage_error err = {0};
    uint32_t values, bytes;
    assert_int_equal(ullage_type_block("Q9_Z", &values, &bytes, &err), ULLAGE_ERROR_USAGE);
    assert_non_null(strstr(err.message, "Q9_Z"));
}

/* Example 2: the parameter count from a configuration. */
static void parameter_count(void **state)
{
    (void)state;
    ullage_counts c = counts_of(&llama_8b);
    assert_int_equal(c.attention, 41943040);
    assert_int_equal(c.mlp, 176160768);
    assert_int_equal(c.layer, 218112000);
    assert_int_equal(c.embedding, 525336576);
    assert_int_equal(c.output, 525336576);
    assert_true(c.total == 8030261248u);
}

/* Example 3: KV cache bytes per token. */
static void kv_per_token(void **state)
{
    (void)state;
    assert_int_equal(kv(&llama_8b, "f16", 1), 131072);
    assert_int_equal(kv(&tiny, "f16", 1), 1024);
    assert_int_equal(kv(&tiny, "f16", 4096), 4 * 1048576);
}

/* Example 4: the KV cache from 4K to 128K tokens. */
static void kv_by_context(void **state)
{
    (void)state;
    static const struct { unsigned ctx; const char *printed; } rows[] = {
        {4096, "   4096      0.50          12%"},    {8192, "   8192      1.00          24%"},
        {16384, "  16384      2.00          48%"},   {32768, "  32768      4.00          95%"},
        {65536, "  65536      8.00         190%"},   {131072, " 131072     16.00         380%"},
    };
    double weights = ullage_type_bytes("q4_K", 8.03e9) / GIB;
    assert_text("4.21", "%.2f", weights);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double gib = (double)kv(&llama_8b, "f16", rows[i].ctx) / GIB;
        assert_text(rows[i].printed, "%7u  %8.2f  %10.0f%%", rows[i].ctx, gib, 100 * gib / weights);
    }
}

/* Example 5: grouped-query attention against full multi-head attention. */
static void gqa_against_mha(void **state)
{
    (void)state;
    static const struct { unsigned heads; const char *printed; } rows[] = {
        {32, "     32        512       16.00"},
        {8, "      8        128        4.00"},
        {1, "      1         16        0.50"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ullage_shape s = llama_8b;
        s.n_head_kv = rows[i].heads;
        assert_text(rows[i].printed, "%7u  %9u  %10.2f", rows[i].heads,
                    (unsigned)(kv(&s, "f16", 1) / 1024), (double)kv(&s, "f16", 32768) / GIB);
    }
}

/* Example 6: a quantised KV cache. */
static void quantised_kv(void **state)
{
    (void)state;
    static const struct { const char *type, *printed; } rows[] = {
        {"f16", "f16   2.0000 bytes/value  total 16.00 MiB  (K 8.00, V 8.00)  saving 0%"},
        {"q8_0", "q8_0  1.0625 bytes/value  total  8.50 MiB  (K 4.25, V 4.25)  saving 47%"},
        {"q4_0", "q4_0  0.5625 bytes/value  total  4.50 MiB  (K 2.25, V 2.25)  saving 72%"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double each = ullage_type_bytes(rows[i].type, 1), mib = (double)kv(&tiny, rows[i].type, 16384) / MIB;
        assert_text(rows[i].printed,
                    "%-5s %.4f bytes/value  total %5.2f MiB  (K %.2f, V %.2f)  saving %.0f%%",
                    rows[i].type, each, mib, mib / 2, mib / 2, 100 * (1 - each / 2));
    }
    uint64_t bytes;
    ullage_error err = {0};
    assert_int_equal(ullage_kv_bytes(1, 1, 24, 24, "q8_0", "q8_0", 256, &bytes, &err), ULLAGE_ERROR_USAGE);
    assert_non_null(strstr(err.message, "24"));
}

/* Example 7: slots. */
static void slots(void **state)
{
    (void)state;
    static const struct { unsigned ctx; int np, unified; unsigned seqs, n_ctx, n_ctx_seq; } rows[] = {
        {4096, 4, 0, 4, 4096, 1024},
        {4096, -1, 0, 4, 4096, 4096},
        {4096, 4, 1, 4, 4096, 4096},
        {5000, 3, 0, 3, 5376, 1792},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ullage_slots s = ullage_slots_divide(rows[i].ctx, rows[i].np, rows[i].unified);
        assert_int_equal(s.n_seq_max, rows[i].seqs);
        assert_int_equal(s.n_ctx, rows[i].n_ctx);
        assert_int_equal(s.n_ctx_seq, rows[i].n_ctx_seq);
    }
}

/* Example 9: runtime overhead and headroom. */
static void headroom(void **state)
{
    (void)state;
    const uint64_t mib = 1048576;
    uint64_t budget = ullage_budget(24564 * mib, 1203 * mib, 500 * mib, 0.05);
    assert_text("budget 21633 MiB (21.13 GiB)", "budget %.0f MiB (%.2f GiB)", (double)budget / MIB,
                (double)budget / GIB);
    double need = ullage_type_bytes("q4_K", 8.03e9) + (double)kv(&llama_8b, "f16", 32768) + 600 * MIB;
    assert_text("9004", "%.0f", need / MIB);
    assert_true(need <= (double)budget);
    assert_int_equal(ullage_budget(100, 80, 30, 0), 0);
}

/* Example 10: how many layers fit the GPU. */
static void gpu_layers(void **state)
{
    (void)state;
    const uint64_t mib = 1048576, budget = (8192 - 300 - 500 - 400) * mib;
    ullage_counts c = counts_of(&llama_8b);
    uint64_t layer = (uint64_t)ullage_type_bytes("q4_K", (double)c.layer);
    uint64_t output = (uint64_t)ullage_type_bytes("q4_K", (double)c.output);
    assert_text("block 117.0 MiB, output 281.8 MiB", "block %.1f MiB, output %.1f MiB",
                (double)layer / MIB, (double)output / MIB);
    static const struct { unsigned ctx, kv_mib, ngl; } rows[] = {{8192, 32, 33}, {32768, 128, 25}};
    for (size_t i = 0; i < 2; i++) {
        uint64_t cache = kv(&llama_8b, "f16", rows[i].ctx) / llama_8b.n_layer;
        assert_int_equal(cache / mib, rows[i].kv_mib);
        assert_int_equal(ullage_layers_that_fit(budget, 600 * mib, output, layer, cache, 32),
                         rows[i].ngl);
    }
    assert_int_equal(ullage_layers_that_fit(100 * mib, 600 * mib, output, layer, 0, 32), 0);
}

/* Example 14: the longest context that fits a budget. The lesson knows no training-context cap. */
static void longest_context(void **state)
{
    (void)state;
    static const struct { unsigned gib; const char *type; unsigned ctx; } rows[] = {
        {6, "f16", 9728},    {6, "q8_0", 18432},  {10, "f16", 42496},
        {10, "q8_0", 80128}, {20, "f16", 124416}, {20, "q8_0", 234496},
    };
    uint64_t fixed = (uint64_t)(ullage_type_bytes("q4_K", 8.03e9) + 600 * MIB);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t budget = (uint64_t)rows[i].gib << 30;
        assert_int_equal(ullage_longest_context(budget, fixed, kv(&llama_8b, rows[i].type, 1), 0),
                         rows[i].ctx);
    }
    assert_int_equal(ullage_longest_context(20ull << 30, fixed, kv(&llama_8b, "q8_0", 1), 131072),
                     131072);
}

/* Example 15: the memory calculator. Its compute figure is an estimate of the lesson's own
 * ((vocabulary + 2 x FFN) x 512 x 4 bytes), given here as an assumption. */
static void report(const ullage_shape *s, const char *weights, const char *cache, unsigned ctx,
                   int np, uint64_t budget_mib, const unsigned *expected)
{
    ullage_counts c = counts_of(s);
    ullage_slots slot = ullage_slots_divide(ctx, np, 0);
    uint64_t layer = (uint64_t)ullage_type_bytes(weights, (double)c.layer);
    uint64_t output = (uint64_t)ullage_type_bytes(weights, (double)c.output);
    double all = ullage_type_bytes(weights, (double)(s->n_layer * c.layer + c.embedding + c.output));
    uint64_t cells = kv(s, cache, slot.n_ctx);
    uint64_t compute = (s->n_vocab + 2 * s->n_ff) * 512 * 4;
    /* round(): the lesson prints with Java, which rounds 306.5 up where C's %.0f goes to even */
    snprintf(text, sizeof text, "%.0f %.0f %u %u %.0f %.0f %u", round(all / MIB),
             round((double)cells / MIB), slot.n_ctx, slot.n_ctx_seq, round((double)compute / MIB),
             round((all + (double)cells + (double)compute) / MIB),
             ullage_layers_that_fit(budget_mib << 20, compute, output, layer, cells / s->n_layer,
                                    (uint32_t)s->n_layer));
    char want[256];
    snprintf(want, sizeof want, "%u %u %u %u %u %u %u", expected[0], expected[1], expected[2],
             expected[3], expected[4], expected[5], expected[6]);
    assert_string_equal(text, want);
}

static void memory_calculator(void **state)
{
    (void)state;
    /* weights, KV, cells, cells a slot, compute, total (MiB), -ngl */
    report(&tiny, "f32", "f16", 4096, 4, 1000, (unsigned[]){308, 4, 4096, 1024, 300, 611, 5});
    report(&llama_8b, "q4_K", "f16", 32768, 1, 6992,
           (unsigned[]){4308, 4096, 32768, 32768, 307, 8710, 27});
    report(&llama_8b, "q4_K", "q8_0", 32768, 1, 6992,
           (unsigned[]){4308, 2176, 32768, 32768, 307, 6790, 33});
}

/* Example 11: a 70B split between a GPU of 1008 GB/s and a CPU of 89.6. The number of layers and the
 * memory; the plan of such a file, through the command, is in speed.bats. */
static void hybrid_split(void **state)
{
    (void)state;
    static const ullage_shape llama_70b = {.n_embd = 8192, .n_layer = 80, .n_head = 64,
                                           .n_head_kv = 8, .head_dim = 128, .n_ff = 28672,
                                           .n_vocab = 128256};
    ullage_counts c = counts_of(&llama_70b);
    double layer = ullage_type_bytes("Q4_K", (double)c.layer);
    double output = ullage_type_bytes("Q4_K", (double)c.output), compute = 0.8 * GIB;
    double layer_kv = (double)kv(&llama_70b, "f16", 8192) / 80;
    uint32_t ngl = ullage_layers_that_fit((uint64_t)(21 * GIB), (uint64_t)compute, (uint64_t)output,
                                          (uint64_t)layer, (uint64_t)layer_kv, 80);
    assert_int_equal(ngl, 41);
    double blocks = ngl - 1, gpu = output + blocks * (layer + layer_kv);
    double cpu = (80 - blocks) * (layer + layer_kv);
    assert_text("20.5 19.7", "%.1f %.1f", (compute + gpu) / GIB, (cpu + output) / GIB);
    double a = ullage_read_ms((uint64_t)gpu, 1008e9), b = ullage_read_ms((uint64_t)cpu, 89.6e9);
    assert_text("21.0 229.8 250.9 4.0", "%.1f %.1f %.1f %.1f", a, b, a + b, 1000 / (a + b));
}

/* Example 12: experts in the host's memory, of which a token reads 8 of 128 a layer. */
static void expert_split(void **state)
{
    (void)state;
    static const ullage_shape qwen3_moe = {.n_embd = 2048, .n_layer = 48, .n_head = 32,
                                           .n_head_kv = 4, .head_dim = 128, .n_ff = 768,
                                           .n_vocab = 151936, .n_expert = 128,
                                           .n_expert_used = 8};
    ullage_counts c = counts_of(&qwen3_moe);
    double attention = 48 * (ullage_type_bytes("Q4_K", (double)c.attention)
                             + ullage_type_bytes("F32", (double)c.router));
    double output = ullage_type_bytes("Q4_K", (double)c.output);
    double expert = ullage_type_bytes("Q4_K", (double)c.expert);
    double gpu = attention + output + (double)kv(&qwen3_moe, "f16", 32768);
    double used = 48 * 8 * expert;
    assert_text("0.52 0.16 3.68", "%.2f %.2f %.2f", attention / GIB, output / GIB, gpu / GIB);
    assert_text("15.19 15.35", "%.2f %.2f", 48 * 128 * expert / GIB, (48 * 128 * expert + output) / GIB);
    double ms = ullage_read_ms((uint64_t)gpu, 1008e9) + ullage_read_ms((uint64_t)used, 89.6e9);
    assert_text("0.95 15.3 65", "%.2f %.1f %.0f", used / GIB, ms, 1000 / ms);
}

/* The figures of "Why long context eats your VRAM, and when it doesn't". */
static void kv_article(void **state)
{
    (void)state;
    assert_text("4.00", "%.2f", (double)kv(&llama_8b, "f16", 32768) / GIB);

    /* Gemma 3 27B: 62 layers, 10 of them full; window 1,024, ubatch 512: 1,536 cells */
    uint64_t full, windowed, flat, cells = ullage_window_cells(32768, 1024, 1, 0, 512);
    assert_int_equal(cells, 1536);
    assert_int_equal(ullage_kv_bytes(10, 16, 128, 128, "f16", "f16", 32768, &full, NULL), 0);
    assert_int_equal(ullage_kv_bytes(52, 16, 128, 128, "f16", "f16", cells, &windowed, NULL), 0);
    assert_int_equal(ullage_kv_bytes(62, 16, 128, 128, "f16", "f16", 32768, &flat, NULL), 0);
    assert_text("2.500 0.609 3.109 15.50", "%.3f %.3f %.3f %.2f", (double)full / GIB,
                (double)windowed / GIB, (double)(full + windowed) / GIB, (double)flat / GIB);

    /* DeepSeek-V3: 128 heads of 192 + 128, or one latent of 576 */
    uint64_t decompressed, latent;
    assert_int_equal(ullage_kv_bytes(61, 128, 192, 128, "f16", "f16", 32768, &decompressed, NULL), 0);
    assert_int_equal(ullage_kv_bytes(61, 1, 576, 0, "f16", "f16", 32768, &latent, NULL), 0);
    assert_text("152.5 2.145 71", "%.1f %.3f %llu", (double)decompressed / GIB, (double)latent / GIB,
                (unsigned long long)(decompressed / latent));

    /* Qwen3.6-27B: 16 of 64 layers keep keys and values, 48 a state */
    uint64_t some, every, state_values, conv;
    assert_int_equal(ullage_kv_bytes(16, 4, 256, 256, "f16", "f16", 131072, &some, NULL), 0);
    assert_int_equal(ullage_kv_bytes(64, 4, 256, 256, "f16", "f16", 131072, &every, NULL), 0);
    ullage_state_values(4, 6144, 128, 16, &state_values, &conv);
    assert_int_equal(state_values, 786432);
    assert_int_equal(conv, 30720);
    assert_text("8.00 32.00 144 5.6", "%.2f %.2f %.0f %.1f", (double)some / GIB, (double)every / GIB,
                48 * (double)state_values * 4 / MIB, 48 * (double)conv * 4 / MIB);

    uint32_t values, bytes;
    assert_int_equal(ullage_type_block("q8_0", &values, &bytes, NULL), 0);
    assert_int_equal(bytes, 34);
    assert_int_equal(ullage_type_block("q4_0", &values, &bytes, NULL), 0);
    assert_int_equal(bytes, 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weight_memory), cmocka_unit_test(parameter_count),
        cmocka_unit_test(kv_per_token),  cmocka_unit_test(kv_by_context),
        cmocka_unit_test(gqa_against_mha), cmocka_unit_test(quantised_kv),
        cmocka_unit_test(slots),         cmocka_unit_test(headroom),
        cmocka_unit_test(gpu_layers),    cmocka_unit_test(longest_context),
        cmocka_unit_test(memory_calculator), cmocka_unit_test(kv_article),
        cmocka_unit_test(hybrid_split),  cmocka_unit_test(expert_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
