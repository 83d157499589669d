/* Every wording of transcribed logs, old and new, as the reader of evidence takes it: the sizes of
 * caches, who has them, buffers of all back-ends, the table at the end, what carries a line. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "measure/evidence.h"

#include <stdlib.h>

static struct ul_evidence e;

static void read_lines(const char *text)
{
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", text);
    FILE *f = fmemopen(copy, strlen(copy), "r");
    assert_non_null(f);
    assert_true(ul_evidence_read(&e, f));
    fclose(f);
}

static bool near(double a, double b) { return a - b < 1e-6 && b - a < 1e-6; }

/* ------------------------------------------------------------------ caches */

static void test_caches(void **state)
{
    static const struct {
        const char *line;
        double mib, part[2];
        uint32_t cells, layers, seqs, streams, rs_seq;
        bool states;
        const char *type;
    } rows[] = {
        {"llama_kv_cache: size = 8192.00 MiB (131072 cells,  16 layers,  1/1 seqs), K (f16): "
         "4096.00 "
         "MiB, V (f16): 4096.00 MiB",
         8192,
         {4096, 4096},
         131072,
         16,
         1,
         1,
         0,
         false,
         "f16"},
        {"llama_memory_recurrent: size =  149.62 MiB (     1 cells,  64 layers,  1 seqs), R (f32): "
         "   "
         "5.62 MiB, S (f32):  144.00 MiB",
         149.62,
         {5.62, 144},
         1,
         64,
         1,
         1,
         0,
         true,
         "f32"},
        {"llama_memory_recurrent: size = 1795.50 MiB (     4 cells,  64 layers,  4 seqs  2 "
         "rs_seq), R "
         "(f32):   67.50 MiB, S (f32): 1728.00 MiB",
         1795.5,
         {67.5, 1728},
         4,
         64,
         4,
         1,
         2,
         true,
         "f32"},
        {"llama_memory_recurrent: size =   50.25 MiB (     1 cells,  32 layers,  1 seqs  0 "
         "rs_seq), R "
         "(f32):    2.25 MiB, S (f32):   48.00 MiB",
         50.25,
         {2.25, 48},
         1,
         32,
         1,
         1,
         0,
         true,
         "f32"},
        {"llama_kv_cache: size =  272.00 MiB (131072 cells,   1 layers,  4/1 seqs), K (q8_0):  "
         "136.00 "
         "MiB, V (q8_0):  136.00 MiB",
         272,
         {136, 136},
         131072,
         1,
         4,
         1,
         0,
         false,
         "q8_0"},
        {"llama_kv_cache: size =  384.00 MiB (  2048 cells,  12 layers,  8/8 seqs), K (f16):  "
         "192.00 "
         "MiB, V (f16):  192.00 MiB",
         384,
         {192, 192},
         2048,
         12,
         8,
         8,
         0,
         false,
         "f16"},
        {"llama_kv_cache: size =   68.00 MiB ( 8192 cells,  8 layers, 4/1 seqs)",
         68,
         {-1, -1},
         8192,
         8,
         4,
         1,
         0,
         false,
         ""},
        {"llama_kv_cache: size = 1581.00 MiB ( 24576 cells,  62 layers,  1/1 seqs), K (turbo4):  "
         "790.50 "
         "MiB, V (turbo4):  790.50 MiB",
         1581,
         {790.5, 790.5},
         24576,
         62,
         1,
         1,
         0,
         false,
         "turbo4"},
        {"size = 198.00 MiB (8448 cells, 12 layers)", 198, {-1, -1}, 8448, 12, 1, 1, 0, false, ""},
        {"size = 24.75 MiB (8448 cells, 12 layers), K (f16): 24.75 MiB",
         24.75,
         {24.75, -1},
         8448,
         12,
         1,
         1,
         0,
         false,
         "f16"},
        {"llama_kv_cache: size =    0.00 MiB ( 64000 cells,   0 layers,  1/1 seqs), K (bf16):    "
         "0.00 "
         "MiB, V (bf16):    0.00 MiB",
         0,
         {0, 0},
         64000,
         0,
         1,
         1,
         0,
         false,
         "bf16"},
        {"llama_kv_cache_unified: size = 23552.00 MiB (131072 cells,  46 layers,  1/1 seqs), K "
         "(f16): "
         "11776.00 MiB, V (f16): 11776.00 MiB",
         23552,
         {11776, 11776},
         131072,
         46,
         1,
         1,
         0,
         false,
         "f16"},
        {"init: kv_size = 4096, offload = 1, type_k = 'f16', type_v = 'f16', n_layer = 26, "
         "can_shift = 1"
         "\nllama_context: KV self size  =  104.00 MiB, K (f16):   52.00 MiB, V (f16):   52.00 MiB",
         104,
         {52, 52},
         4096,
         26,
         1,
         1,
         0,
         false,
         "f16"},
        {"llama_kv_cache_init: kv_size = 4096, offload = 1, type_k = 'q5_0', type_v = 'f16', "
         "n_layer = "
         "61, can_shift = 0\nllama_new_context_with_model: KV self size  = 11834.00 MiB, K (q5_0): "
         "4026.00 MiB, V (f16): 7808.00 MiB",
         11834,
         {4026, 7808},
         4096,
         61,
         1,
         1,
         0,
         false,
         "q5_0"},
        {"llama_kv_cache_dsv4: creating DSV4 raw KV cache\nllama_kv_cache: size =  182.75 MiB (  "
         "4352 "
         "cells,  43 ...",
         182.75,
         {-1, -1},
         4352,
         0,
         1,
         1,
         0,
         false,
         ""},
        {"size = 544.00 MiB (8192 cells, 16 layers, 1/1 seqs), K (q8_0): 272 MiB, V (q8_0): 272 "
         "MiB",
         544,
         {272, 272},
         8192,
         16,
         1,
         1,
         0,
         false,
         "q8_0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read_lines(rows[i].line);
        const struct ul_ev_cache *c = &e.cache[0];
        if (e.n_caches != 1 || !near(c->mib, rows[i].mib) || !near(c->part[0], rows[i].part[0])
            || !near(c->part[1], rows[i].part[1]) || c->cells != rows[i].cells
            || c->layers != rows[i].layers || c->seqs != rows[i].seqs
            || c->streams != rows[i].streams || c->rs_seq != rows[i].rs_seq
            || c->state != rows[i].states || strcmp(c->type[0], rows[i].type) != 0)
            fail_msg("%s: %d caches, %.2f MiB = %.2f + %.2f, %u cells, %u layers, %u/%u, %u '%s'",
                     rows[i].line, e.n_caches, c->mib, c->part[0], c->part[1], c->cells, c->layers,
                     c->seqs, c->streams, c->rs_seq, c->type[0]);
    }
}

/* Lines around caches that decide whose the next is, or say nothing of sizes. */
static void test_whose(void **state)
{
    (void)state;
    read_lines("llama_kv_cache_iswa: creating non-SWA KV cache, size = 8192 cells\n"
               "llama_kv_cache: size =  416.00 MiB (  8192 cells,  13 layers,  4/1 seqs), K (f16): "
               " 208.00 MiB, V (f16):  208.00 MiB\n"
               "llama_kv_cache: attn_rot_k = 0, n_embd_head_k_all = 128\n"
               "llama_kv_cache: layer  15: does not have KV cache\n"
               "llama_kv_cache: - layer  19: reuse layer 14, is_swa = 0\n"
               "llama_context: pipeline parallelism enabled\n"
               "llama_kv_cache_iswa: creating     SWA KV cache, size = 2304 cells\n"
               "llama_kv_cache: size =   54.00 MiB (  2304 cells,  12 layers,  1/1 seqs), K (f16): "
               "  27.00 MiB, V (f16):   27.00 MiB\n"
               "llama_kv_cache: creating indexer KV cache, size = 8448 cells\n"
               "llama_kv_cache: size = 24.75 MiB (8448 cells, 12 layers), K (f16): 24.75 MiB\n");
    assert_int_equal(e.n_caches, 3);
    assert_int_equal(e.cache[0].of, UL_EV_PLAIN);
    assert_int_equal(e.cache[1].of, UL_EV_WINDOW);
    assert_int_equal(e.cache[2].of, UL_EV_OTHER);
    assert_false(e.swa_full);
    read_lines("llama_kv_cache_iswa: using full-size SWA cache (ref: ...)\n"
               "x: CPU KV buffer size = 1.00 MiB\n");
    assert_true(e.swa_full);
}

/* ------------------------------------------------------------------ buffers */

static void test_buffers(void **state)
{
    static const char *const devices[] = {
        "CUDA0", "CPU_Mapped", "Vulkan0", "CUDA_Host", "CPU", "Vulkan_Host", "ROCm_Host", "MTL0",
        "ROCm0", "Meta()", "CPU_REPACK", "MTL0_Mapped", "CUDA_Split", "HTP0-REPACK", "HTP1",
        "RPC0[127.0.0.1:50052]", "SYCL1", "CANN0"};
    static const struct {
        const char *function, *words, *kind;
    } forms[] = {{"load_tensors", "model buffer size", "model"},
                 {"llm_load_tensors", "buffer size", "model"},
                 {"llama_kv_cache", "KV buffer size", "kv"},
                 {"llama_kv_cache_unified", "KV buffer size", "kv"},
                 {"llama_kv_cache_init", "KV buffer size", "kv"},
                 {"init", "KV buffer size", "kv"},
                 {"llama_memory_recurrent", "RS buffer size", "rs"},
                 {"llama_context", "output buffer size", "output"},
                 {"sched_reserve", "compute buffer size", "compute"},
                 {"llama_new_context_with_model", "compute buffer size", "compute"}};
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            char line[256];
            snprintf(line, sizeof line, "%s: %10s %s =  1401.75 MiB\n", forms[i].function,
                     devices[d], forms[i].words);
            read_lines(line);
            if (e.n_buffers != 1 || strcmp(e.buffer[0].buffer, devices[d]) != 0
                || strcmp(e.buffer[0].kind, forms[i].kind) != 0 || !near(e.buffer[0].mib, 1401.75))
                fail_msg("%s: %d buffers, '%s' '%s' %.2f", line, e.n_buffers, e.buffer[0].buffer,
                         e.buffer[0].kind, e.buffer[0].mib);
        }
}

/* ------------------------------------------------------------------ the table */

static void test_table(void **state)
{
    (void)state;
    read_lines("llama_kv_cache: CUDA0 KV buffer size = 1.00 MiB\n"
               "common_memory_breakdown_print: | memory breakdown [MiB] | total free self model "
               "context compute unaccounted |\n"
               "common_memory_breakdown_print: |   - CUDA0 (RTX 2060)   |  5738 =  5141 + (8392 =  "
               "4155 +    4096 +     140) +       -7794 |\n"
               "common_memory_breakdown_print: |   - Host               |                   329 =  "
               " 281 +       0 +      48                |\n"
               "common_memory_breakdown_print: |   - CPU_REPACK         |                   921 =  "
               " 921 +       0 +       0                |\n");
    assert_int_equal(e.n_rows, 3);
    assert_string_equal(e.row[0].device, "CUDA0");
    assert_true(near(e.row[0].total, 5738) && near(e.row[0].model, 4155));
    assert_true(near(e.row[0].context, 4096) && near(e.row[0].unaccounted, -7794));
    assert_true(e.row[1].total < 0 && near(e.row[1].compute, 48));
    assert_string_equal(e.row[2].device, "CPU_REPACK");
    /* as an article prints it */
    read_lines(
        "| - CUDA0 (A100 80GB PCIe) | 81151 = 77113 + (9191 = 4455 + 4608 + 128) + -5152 |\n");
    assert_int_equal(e.n_rows, 1);
    assert_true(near(e.row[0].self, 9191));
}

/* ------------------------------------------------------------------ commands and carriers */

static void test_commands(void **state)
{
    static const struct {
        const char *line, *command;
    } rows[] = {
        {"$ ./llama-server -m x.gguf -c 4096", "-m x.gguf -c 4096"},
        {"+ /opt/llama.cpp/build/bin/llama-server -hf a/b --parallel 2", "-hf a/b --parallel 2"},
        {"C:\\llama> llama-server.exe -ngl 99", "-ngl 99"},
        {"./server -m old.gguf", "-m old.gguf"},
        {"docker run --rm --gpus all ghcr.io/ggml-org/llama.cpp:full -ngl 20", "-ngl 20"},
        {"vllm serve Qwen/Qwen3-8B --max-model-len 4096", "Qwen/Qwen3-8B --max-model-len 4096"},
        {"Usage: llama-server -m FILE", ""},
        {"the llama-server was started", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s\nx: CPU KV buffer size = 1.00 MiB\n", rows[i].line);
        read_lines(text);
        assert_string_equal(e.command, rows[i].command);
    }
    char text[] = "-m \"my file.gguf\" -ot 'a\\.b=CPU' --x=\\\"q\\\" | tee";
    const char *words[8];
    assert_int_equal(ul_command_words(text, words, 8), 5);
    assert_string_equal(words[1], "my file.gguf");
    assert_string_equal(words[3], "a\\.b=CPU");
    assert_string_equal(words[4], "--x=\"q\"");
}

static void test_carriers(void **state)
{
    static const struct {
        const char *line, *text, *source;
    } rows[] = {
        {"0.00.148.460 I load_tensors: x", "load_tensors: x", ""},
        {"load_tensors: x", "load_tensors: x", ""},
        {"llm-1  | 0.00.148.460 I load: x", "load: x", "llm-1"},
        {"Nov 30 01:02:03 box llama-server[812]: load: x", "load: x", "llama-server[812]"},
        {"2026-11-30T01:02:03.5Z stderr F load: x", "load: x", ""},
        {"2026-11-30T01:02:03+0100 box a[1]: 0.01.000.000 I load: x", "load: x", "a[1]"},
        {"[55001] load: x", "load: x", "55001"},
        {"[pod/llm-0/server] load: x", "load: x", "pod/llm-0/server"},
        {"| - CUDA0 (A) | 1 = 1 + (1 = 1 + 1 + 1) + 1 |",
         "| - CUDA0 (A) | 1 = 1 + (1 = 1 + 1 + 1) + 1 |", ""},
        {"system_info: n_threads = 2 | CPU : SSE3 = 1 |",
         "system_info: n_threads = 2 | CPU : SSE3 = 1 |", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[UL_LOG_SOURCE];
        assert_string_equal(ul_log_carried(rows[i].line, source), rows[i].text);
        assert_string_equal(source, rows[i].source);
    }
    char coloured[] = "\033[32mload\033[0m: \033[1;31mx\033[m";
    ul_log_plain(coloured);
    assert_string_equal(coloured, "load: x");
}

/* ------------------------------------------------------------------ the engine's fit */

static void test_fit(void **state)
{
    (void)state;
    read_lines("  - CUDA0   : RTX 4090 (24564 MiB, 24564 MiB free)\n  - CUDA1   : RTX 3060 (12288 "
               "MiB, 12288 MiB free)\n"
               "common_params_fit_impl: set ngl_per_device[0].(n_layer, n_part)=(13, 0), "
               "id_dense_start=1\n"
               "common_params_fit_impl: set ngl_per_device[0].(n_layer, n_part, "
               "overflow_type)=(14, 1, GATE), id_dense_start=1\n"
               "common_params_fit_impl:   - CUDA0 (RTX 4090): 14 layers ( 1 overflowing),  22625 "
               "MiB used,   1650 MiB free\n"
               "common_params_fit_impl:   - CUDA1 (RTX 3060): 33 layers (21 overflowing),  23160 "
               "MiB used,   1115 MiB free\n"
               "load_tensors: CUDA0 model buffer size = 1.00 MiB\n");
    assert_int_equal(e.n_fit, 2);
    assert_int_equal(e.fit[0].n_layer, 14);
    assert_int_equal(e.fit[0].n_part, 1);
    assert_string_equal(e.fit[0].type, "GATE");
    assert_int_equal(e.fit[1].n_part, 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caches),   cmocka_unit_test(test_whose),
        cmocka_unit_test(test_buffers),  cmocka_unit_test(test_table),
        cmocka_unit_test(test_commands), cmocka_unit_test(test_carriers),
        cmocka_unit_test(test_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
