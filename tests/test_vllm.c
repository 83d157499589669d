/* vLLM's pool against published start-up logs.
 *
 * A row is a log: the budget that it printed, with two decimals of a GiB, and what it said of the
 * pool. From the model's configuration and the line's flags the plan must give the bytes of a
 * block and the blocks of a request; with the one number of blocks that the budget allows it must
 * give the tokens to the token and the concurrency to its two decimals.
 *
 * Logs that cannot be met, with the reason:
 *   Qwen3-235B FP8, TP 4, H100 (8.11 GiB, 178,880 tokens), Qwen3-235B FP8, TP 4, L40S (10.65,
 *   238,208), MiniMax-M2.7 AWQ, TP 2 (28.74, 240,816), GLM-5.2 at 94 % (32.32, 643,136): one rank's
 *   budget is printed, the least over all ranks decides. The sizes of their blocks are tested, and
 *   the budget that their tokens imply is within 2 % of the printed one.
 *   Gemma-4-31B with 2048, 8192 or 16384 tokens in flight: the log's run had 4096. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ullage.h"
#include "vllm_configs.h"

#define GIB 1073741824.0
#define MOST_WORDS 40

struct log_row {
    const char *tag, *config, *flags, *version, *gpu;
    double budget, within;       /* GiB; 0: not printed */
    uint64_t block_bytes, request, blocks, tokens;
    const char *concurrency;     /* as printed; NULL: not */
};

static const struct log_row rows[] = {
    {"Qwen2.5-1.5B bf16, GB10", QWEN25_1_5B, "", "0.27", NULL, 0.56, 0.005, 458752, 2048, 1312,
     20992, NULL},
    {"Llama-3.1-8B bf16, A100", LLAMA_8B, "--max-model-len 32768", "0.20", NULL, 19.92, 0.005,
     2097152, 2048, 10198, 163168, NULL},
    {"Qwen3-14B bf16, L40S", QWEN3(5120, 40, 40), "", "0.21", NULL, 11.00, 0.005, 2621440, 2560,
     4504, 72064, "1.76"},
    {"Qwen3-8B bf16, before 0.20", QWEN3(4096, 36, 32), "", "0.20", NULL, 18.69, 0.005, 2359296,
     2560, 8505, 136080, "3.32"},
    {"Qwen3-0.6B, GB10, 0.27.1", QWEN3(1024, 28, 16), "", "0.27.1", NULL, 69.4, 0.05, 1835008,
     2560, 40608, 649728, NULL},
    {"Kimi-K2-Thinking, TP 8", KIMI_K2, "-tp 8", "0.20", NULL, 46.80, 0.005, 1124352, 16384, 44692,
     715072, NULL},
    {"Kimi-K2-Thinking, TP 8, DCP 8", KIMI_K2, "-tp 8 --decode-context-parallel-size 8", "0.20",
     NULL, 46.80, 0.005, 1124352, 2048, 44696, 5721088, NULL},
    {"GLM-5.2 W4A16, TP 4, fp8 cache", GLM_52,
     "-tp 4 --kv-cache-dtype fp8 --max-model-len 400000 --cpu-offload-gb 40", "0.20", NULL, 28.85,
     0.005, 3452160, 6250, 8974, 574336, "1.44"},
    {"Qwen3.6-35B-A3B NVFP4, fp8 cache", QWEN36_35B,
     "--kv-cache-dtype fp8 --max-model-len 131072", "v0.24.0", NULL, 5.98, 0.005, 21463040, 69, 299,
     567978, "4.33"},
    {"the same, a later boot", QWEN36_35B, "--kv-cache-dtype fp8 --max-model-len 131072", "0.24",
     NULL, 6.01, 0.005, 21463040, 69, 300, 569878, "4.35"},
    {"Qwen3.6-27B int4, TP 2, MTP 3", QWEN36_27B,
     "-tp 2 --kv-cache-dtype fp8_e5m2 --max-model-len 262144 --speculative-config "
     "{\"method\":\"mtp\",\"num_speculative_tokens\":3}", "0.24", NULL, 11.05, 0.005, 27852800, 179,
     426, 623873, "2.38"},
    {"the same, a second boot", QWEN36_27B,
     "-tp=2 --kv_cache_dtype=fp8_e5m2 --speculative-config.method mtp "
     "--speculative-config.num_speculative_tokens=3", "0.24", NULL, 11.03, 0.03, 27852800, 179, 425,
     622408, NULL},
    {"the same, a third boot", QWEN36_27B,
     "-tp 2 --kv-cache-dtype fp8_e5m2 --spec-method mtp --spec-tokens 3", "0.24", NULL, 11.00, 0.03,
     27852800, 179, 424, 620944, NULL},
    {"Qwen3.5-122B-A10B NVFP4, GB10", QWEN35_122B, "--kv-cache-dtype fp8 --max-model-len 131072",
     "0.20", NULL, 21.43, 0.005, 51314688, 38, 448, 467712, "11.79"},
    {"the same, MTP 1", QWEN35_122B,
     "--kv-cache-dtype fp8 --speculative-config {\"method\":\"mtp\",\"num_speculative_tokens\":1}",
     "0.20", NULL, 24.05, 0.005, 55803904, 72, 462, 482080, "6.42"},
    {"Qwen3.5-9B fp16, no prefix cache", QWEN35_9B,
     "--no-enable-prefix-caching --max-model-len 65536", "0.27", NULL, 10.78, 0.005, 17301504, 128,
     669, 342528, NULL},
    {"Gemma-4-26B NVFP4, fp8 cache, batches of 2048", GEMMA4_26B,
     "--kv-cache-dtype fp8 --max-num-batched-tokens 2048 --max-model-len 98304", "0.20", NULL, 8.29,
     0.005, 327680, 4037, 27150, 72400, "6.73"},
    {"Gemma-4-26B NVFP4, fp8 cache, batches of 8192", GEMMA4_26B,
     "--kv-cache-dtype fp8 --max-num-batched-tokens 8192 --max-model-len 98304 --max-num-seqs 2",
     "0.20", NULL, 9.08, 0.005, 327680, 5957, 29757, 79344, "5.00"},
    {"Gemma-4-31B bf16, XPU, TP 2", GEMMA4_31B,
     "-tp 2 --max-num-batched-tokens 8192 --max-model-len 163840", "0.25", "24GiB,backend=sycl",
     10.12, 0.005, 5242880, 2005, 2072, 169314, "1.03"},
    {"Gemma-4-31B NVFP4, fp8 cache", GEMMA4_31B,
     "--kv-cache-dtype fp8 --max-num-batched-tokens 4096", "0.25", NULL, 0, 0, 1310720, 9797, 58441,
     1563739, "5.97"},
    {"Gemma-4-E2B bf16, MI300X", GEMMA4_E2B, "--max-num-batched-tokens 16384 --max-model-len 32768",
     "0.27", NULL, 155.04, 0.005, 98304, 6148, 1693480, 9026017, "275.45"},
    {"DeepSeek-V4-Flash, H200, TP 2, 0.27.1", DSV4_FLASH,
     "-tp 2 --max-num-batched-tokens 8192 --max-model-len 98304", "0.27.1", NULL, 50.51, 0.005,
     1002240, 7066, 54117, 752889, "7.66"},
    {"DeepSeek-V4-Flash, H200, 0.28", DSV4_FLASH,
     "--max-num-batched-tokens 8192 --max-model-len 131072", "0.28", NULL, 77.53, 0.005, 1002240,
     7194, 83062, 1513358, "11.55"},
    {"DeepSeek-V4-Flash, RTX PRO 6000, TP 2, 0.25.0", DSV4_FLASH,
     "-tp 2 --max-num-batched-tokens 8192 --max-model-len 131072", "0.25.0", NULL, 7.75, 0.005,
     1039680, 3481, 8008, 301529, "2.30"},
    {"DeepSeek-V4-Flash, H200, TP 2, 0.25", DSV4_FLASH,
     "-tp 2 --max-num-batched-tokens 8192 --max-model-len 262144", "0.25", NULL, 32.08, 0.005,
     1039680, 3993, 33134, 2175276, "8.30"},
};

/* One rank's budget printed, another's decided: the size of a block and what the tokens imply. */
static const struct log_row rank_rows[] = {
    {"Qwen3-235B FP8, TP 4, H100", QWEN3_235B, "-tp 4", "0.20", NULL, 8.11, 0.02, 770048, 2560,
     11180, 178880, NULL},
    {"Qwen3-235B FP8, TP 4, L40S", QWEN3_235B, "-tp 4 --max-model-len 32768", "0.20", NULL, 10.65,
     0.02, 770048, 2048, 14888, 238208, "7.27"},
    {"MiniMax-M2.7 AWQ, TP 2", MINIMAX_M2, "-tp 2 --max-model-len 196608", "0.29.1rc1", NULL, 28.74,
     0.02, 2031616, 12288, 15051, 240816, "1.22"},
    {"GLM-5.2 at 94 %", GLM_52, "-tp 4 --kv-cache-dtype fp8 --max-model-len 400000", "0.20", NULL,
     32.32, 0.02, 3452160, 6250, 10049, 643136, NULL},
};

/* ------------------------------------------------------------------ planning a row */

static int split(char *text, const char **words)
{
    int n = 0;
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        words[n++] = w;
    return n;
}

static int plan_of(ullage_vllm **plan, const char *config, const char *flags, const char *more,
                   const char *version, const char *gpu, ullage_error *err)
{
    char text[1024];
    const char *words[MOST_WORDS];
    ullage_machine *machine = ullage_machine_new();
    ullage_vllm_options options = {.version = version};
    snprintf(text, sizeof text, "%s %s", flags, more);
    int n = split(text, words);
    if (gpu)
        assert_int_equal(ullage_machine_add_gpu(machine, gpu, NULL), ULLAGE_OK);
    int code = ullage_vllm_make_memory(plan, config, strlen(config), n, words, machine, &options,
                                       err);
    ullage_machine_free(machine);
    return code;
}

static ullage_vllm *plan_row(const struct log_row *r, const char *format, uint64_t value)
{
    char more[96];
    ullage_vllm *plan = NULL;
    ullage_error err = {0};
    snprintf(more, sizeof more, format, (unsigned long long)value);
    if (plan_of(&plan, r->config, r->flags, more, r->version, r->gpu, &err))
        fail_msg("%s: %s", r->tag, err.message);
    if (!ullage_vllm_describe(plan)->known)
        fail_msg("%s: unknown: %s", r->tag, ullage_vllm_describe(plan)->unknown);
    return plan;
}

static uint64_t blocks_with(const struct log_row *r, double bytes)
{
    ullage_vllm *plan = plan_row(r, "--kv-cache-memory-bytes %llu", (uint64_t)bytes);
    uint64_t blocks = ullage_vllm_describe(plan)->low.blocks;
    ullage_vllm_free(plan);
    return blocks;
}

static void check_row(const struct log_row *r)
{
    ullage_vllm *plan = plan_row(r, "--num-gpu-blocks-override %llu", r->blocks);
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    const ullage_vllm_pool *p = &i->low;
    char text[32];
    snprintf(text, sizeof text, "%.2f", p->concurrency);
    if (ullage_vllm_stages(plan, NULL)->block_bytes != r->block_bytes
        || p->request_blocks != r->request || p->blocks != r->blocks || p->tokens != r->tokens
        || (r->concurrency && strcmp(text, r->concurrency) != 0))
        fail_msg("%s: %llu B/block, %llu a request, %llu blocks, %llu tokens, %sx", r->tag,
                 (unsigned long long)ullage_vllm_stages(plan, NULL)->block_bytes,
                 (unsigned long long)p->request_blocks, (unsigned long long)p->blocks,
                 (unsigned long long)p->tokens, text);
    assert_int_equal(i->exact, 1);
    ullage_vllm_free(plan);
}

/* The published number of blocks lies within what the printed budget allows, and a byte less than
 * it needs gives one block less. */
static void check_budget(const struct log_row *r)
{
    double exact = (double)r->blocks * (double)r->block_bytes;
    assert_int_equal(blocks_with(r, exact), r->blocks);
    assert_int_equal(blocks_with(r, exact - 1), r->blocks - 1);
    if (r->budget == 0)
        return;
    uint64_t low = blocks_with(r, (r->budget - r->within) * GIB);
    uint64_t high = blocks_with(r, (r->budget + r->within) * GIB);
    if (low > r->blocks || high < r->blocks)
        fail_msg("%s: %llu blocks are not between %llu and %llu", r->tag,
                 (unsigned long long)r->blocks, (unsigned long long)low, (unsigned long long)high);
}

static void published_logs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(&rows[i]);
        check_budget(&rows[i]);
    }
}

static void one_rank_printed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rank_rows / sizeof rank_rows[0]; i++) {
        const struct log_row *r = &rank_rows[i];
        double implied = (double)r->blocks * (double)r->block_bytes / GIB;
        check_row(r);
        assert_true(fabs(implied - r->budget) < 0.02 * r->budget);
    }
}

/* ------------------------------------------------------------------ what one request needs */

struct need_row {
    const char *tag, *config, *flags, *version;
    const char *gib; /* as vLLM's error printed it */
};

static const struct need_row needs[] = {
    {"Gemma-4-31B, 0.25.1", GEMMA4_31B, "--max-num-batched-tokens 32768", "0.25.1", "45.79"},
    {"Gemma-4-31B, 0.26", GEMMA4_31B, "--max-num-batched-tokens 32768", "0.26", "70.79"},
    {"DeepSeek-V4-Flash, 0.27.1", DSV4_FLASH,
     "-tp 2 --max-num-batched-tokens 65536 --max-model-len 131072", "0.27.1", "52.66"},
    {"DeepSeek-V4-Flash, 0.22", DSV4_FLASH, "--max-num-batched-tokens 16384 --max-model-len 30000",
     "0.22", "6.66"},
    {"MiniMax-M2.7, 0.29.1rc1", MINIMAX_M2, "-tp 2 --max-model-len 196608", "0.29.1rc1", "23.25"},
};

static void published_needs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        ullage_vllm *plan = NULL;
        char text[32];
        assert_int_equal(plan_of(&plan, needs[i].config, needs[i].flags, "", needs[i].version, NULL,
                                 NULL), ULLAGE_OK);
        snprintf(text, sizeof text, "%.2f",
                 (double)ullage_vllm_stages(plan, NULL)->need_bytes / GIB);
        if (strcmp(text, needs[i].gib) != 0)
            fail_msg("%s: %s GiB, the log %s", needs[i].tag, text, needs[i].gib);
        ullage_vllm_free(plan);
    }
}

static uint64_t longest_with(const char *available)
{
    ullage_vllm *plan = NULL;
    char more[64];
    snprintf(more, sizeof more, "--kv-cache-memory-bytes %s", available);
    assert_int_equal(plan_of(&plan, DSV4_FLASH,
                             "--max-num-batched-tokens 16384 --max-model-len 30000", more, "0.22",
                             NULL, NULL), ULLAGE_OK);
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    uint64_t longest = i->low.longest;
    assert_int_equal(i->low.starts, 0);
    ullage_vllm_free(plan);
    return longest;
}

/* The log estimated 13528 tokens with 5.44 GiB: budgets from 5.4404 to 5.4423 GiB give that. */
static void published_length(void **state)
{
    (void)state;
    assert_int_equal(longest_with("5841600000"), 13528); /* 5.4404 GiB */
    assert_int_equal(longest_with("5842500000"), 13528); /* 5.4413 GiB */
    assert_true(longest_with("5840000000") < 13528);
    assert_true(longest_with("5844500000") > 13528);
}

/* ------------------------------------------------------------------ the lesson */

/* "Memory Math", example 13: vLLM's share of a card of 24,564 MiB. The lesson counts tokens before
 * it rounds them to blocks; vLLM's own line would have 43,056. */
static void lesson(void **state)
{
    (void)state;
    const double mib = 1048576.0, weights = 8.03e9 * 2;
    ullage_vllm_budget b;
    char text[128];
    assert_int_equal(ullage_vllm_arithmetic(24564 * mib, 0.92, weights, 1500 * mib, 400 * mib,
                                            131072, 16, 16384, &b, NULL), ULLAGE_OK);
    snprintf(text, sizeof text, "usable %.0f MiB, weights %.0f MiB, KV cache %.0f MiB",
             b.usable / mib, weights / mib, b.cache / mib);
    assert_string_equal(text, "usable 22599 MiB, weights 15316 MiB, KV cache 5383 MiB");
    assert_int_equal(b.tokens, 43062);
    assert_int_equal(b.blocks, 2691);
    assert_int_equal(b.printed_tokens, 43056);
    snprintf(text, sizeof text, "%.1f", b.requests);
    assert_string_equal(text, "2.6");
}

/* The same through a plan: the card, the share, the weights and the profile given. */
static void lesson_by_plan(void **state)
{
    (void)state;
    ullage_vllm *plan = NULL;
    ullage_machine *machine = ullage_machine_new();
    static const char *const words[] = {"--gpu-memory-utilization", "0.92", "--max-model-len",
                                        "16384"};
    ullage_vllm_options o = {.version = "0.30",
                             .weights = {.bytes = 16060000000u, .source = ULLAGE_ASSUMED},
                             .profiled = {.bytes = 1900u << 20, .source = ULLAGE_ASSUMED}};
    assert_int_equal(ullage_machine_add_gpu(machine, "24564MiB", NULL), ULLAGE_OK);
    assert_int_equal(ullage_vllm_make_memory(&plan, LLAMA_8B, strlen(LLAMA_8B), 4, words, machine,
                                             &o, NULL), ULLAGE_OK);
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    assert_int_equal(i->known, 1);
    assert_int_equal(i->low.blocks, 2691);
    assert_int_equal(i->low.tokens, 43056);
    assert_int_equal(i->low.starts, 1);
    assert_int_equal(ullage_vllm_stages(plan, NULL)->requested.bytes / 1048576, 22598);
    ullage_vllm_free(plan);
    ullage_machine_free(machine);
}

static void arithmetic_refuses(void **state)
{
    (void)state;
    ullage_vllm_budget b;
    assert_int_equal(ullage_vllm_arithmetic(1e9, 0.9, 0, 0, 0, 0, 16, 1, &b, NULL),
                     ULLAGE_ERROR_USAGE);
    assert_int_equal(ullage_vllm_arithmetic(1e9, 1.5, 0, 0, 0, 1, 16, 1, &b, NULL),
                     ULLAGE_ERROR_USAGE);
    assert_int_equal(ullage_vllm_arithmetic(1e9, 0.5, 1e9, 0, 0, 1, 16, 1, &b, NULL), ULLAGE_OK);
    assert_int_equal(b.tokens, 0);
}

/* ------------------------------------------------------------------ blocks, stages, weights */

struct block_row {
    const char *tag, *config, *flags;
    uint64_t block; /* "Setting attention block size to N tokens" */
};

static const struct block_row block_rows[] = {
    {"Qwen3.6-35B-A3B, fp8", QWEN36_35B, "--kv-cache-dtype fp8", 2096},
    {"Qwen3.6-27B, TP 2, MTP 3", QWEN36_27B,
     "-tp 2 --kv-cache-dtype fp8 --spec-method mtp --spec-tokens 3", 1600},
    {"Qwen3.5-122B", QWEN35_122B, "--kv-cache-dtype fp8", 4176},
    {"Qwen3.5-9B, 16 bits", QWEN35_9B, "", 528},
    {"27B, states of 16 bits, 15 drafted", QWEN36_27B,
     "--mamba-ssm-cache-dtype float16 --spec-method mtp --spec-tokens 15", 480},
    {"27B, 8 bits by head, states of 16 bits, 7 drafted", QWEN36_27B,
     "--kv-cache-dtype int8_per_token_head --mamba-ssm-cache-dtype float16 --spec-method mtp "
     "--spec-tokens 7", 864},
};

static void published_block_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof block_rows / sizeof block_rows[0]; i++) {
        ullage_vllm *plan = NULL;
        assert_int_equal(plan_of(&plan, block_rows[i].config, block_rows[i].flags, "", "0.27", NULL,
                                 NULL), ULLAGE_OK);
        uint64_t block = ullage_vllm_describe(plan)->block_tokens;
        if (block != block_rows[i].block)
            fail_msg("%s: blocks of %llu", block_rows[i].tag, (unsigned long long)block);
        ullage_vllm_free(plan);
    }
}

/* 25 windows and 5 full layers: six groups of five. With MTP 36 states and 13 full: 3 and 1. */
static void groups(void **state)
{
    (void)state;
    ullage_vllm *plan = NULL;
    size_t n, states = 0;
    assert_int_equal(plan_of(&plan, GEMMA4_26B, "", "", "0.27", NULL, NULL), ULLAGE_OK);
    const ullage_vllm_group *g = ullage_vllm_groups(plan, &n);
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(g[i].layers, 5);
    ullage_vllm_free(plan);
    assert_int_equal(plan_of(&plan, QWEN35_122B, "--spec-method mtp --spec-tokens 1", "", "0.27", NULL,
                             NULL), ULLAGE_OK);
    g = ullage_vllm_groups(plan, &n);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++)
        states += strcmp(g[i].kind, "state") == 0;
    assert_int_equal(states, 3);
    ullage_vllm_free(plan);
}

/* Without the hybrid manager windows cost as full attention: 30 layers, one request 98304 tokens. */
static void windows_promoted(void **state)
{
    (void)state;
    ullage_vllm *plan = NULL;
    size_t n;
    assert_int_equal(plan_of(&plan, GEMMA4_26B, "--disable-hybrid-kv-cache-manager "
                             "--max-model-len 98304 --kv-cache-dtype fp8", "", "0.25", NULL, NULL),
                     ULLAGE_OK);
    const ullage_vllm_group *g = ullage_vllm_groups(plan, &n);
    assert_int_equal(n, 1);
    assert_string_equal(g[0].kind, "full");
    assert_int_equal(g[0].request_blocks, 6144);
    assert_int_equal(ullage_vllm_stages(plan, NULL)->block_bytes, 16 * (5 * 2048 + 25 * 4096));
    ullage_vllm_free(plan);
}

/* 61 layers in 4 stages: the one left over goes to the stage before the last. */
static void pipeline_stages(void **state)
{
    (void)state;
    static const uint32_t ends[] = {15, 30, 46, 61};
    ullage_vllm *plan = NULL;
    size_t n;
    assert_int_equal(plan_of(&plan, KIMI_K2, "-pp 4", "", "0.27", NULL, NULL), ULLAGE_OK);
    const ullage_vllm_stage *s = ullage_vllm_stages(plan, &n);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(s[i].end_layer, ends[i]);
        assert_int_equal(s[i].block_bytes, (uint64_t)(s[i].end_layer - s[i].first_layer) * 576 * 32);
    }
    ullage_vllm_free(plan);
}

/* From 0.29 on the start-up check leaves the null block out: one block less of length. */
static void null_block(void **state)
{
    (void)state;
    static const char *const versions[] = {"0.28", "0.29"};
    for (int i = 0; i < 2; i++) {
        ullage_vllm *plan = NULL;
        assert_int_equal(plan_of(&plan, LLAMA_8B, "--num-gpu-blocks-override 1000", "", versions[i],
                                 NULL, NULL), ULLAGE_OK);
        assert_int_equal(ullage_vllm_describe(plan)->low.longest, 16 * (1000 - i));
        ullage_vllm_free(plan);
    }
}

struct weight_row {
    const char *config;
    const char *gib; /* as the header's sum and the table of rotations give it */
};

static const struct weight_row weights[] = {
    {MODEL("LlamaForCausalLM", DIMS(4096, 32, 32, 8) ",\"intermediate_size\":14336,"
           "\"vocab_size\":128256,\"max_position_embeddings\":131072"), "14.9888"},
    {MODEL("Qwen3ForCausalLM", DIMS(5120, 40, 40, 8) ",\"head_dim\":128,\"vocab_size\":151936,"
           "\"intermediate_size\":17408,\"max_position_embeddings\":40960"), "27.5179"},
    {MODEL("Qwen3ForCausalLM", DIMS(4096, 36, 32, 8) ",\"head_dim\":128,\"vocab_size\":151936,"
           "\"intermediate_size\":12288,\"max_position_embeddings\":40960"), "15.2662"},
    {QWEN25_1_5B, "2.8832"},
};

/* "Model loading took": 14.9888, 27.5185, 15.2683 and 2.89 GiB in the logs. */
static void published_weights(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        ullage_vllm *plan = NULL;
        char text[32];
        assert_int_equal(plan_of(&plan, weights[i].config, "", "", NULL, "80GiB", NULL), ULLAGE_OK);
        snprintf(text, sizeof text, "%.4f",
                 (double)ullage_vllm_stages(plan, NULL)->weights.bytes / GIB);
        assert_string_equal(text, weights[i].gib);
        ullage_vllm_free(plan);
    }
}

/* ------------------------------------------------------------------ SGLang's logs */

struct sglang_row {
    int older;                /* of the two shapes below */
    double available, fixed;  /* GiB, as printed with two decimals */
    uint64_t page, tokens;
};

static const struct sglang_row sglang_rows[] = {
    {0, 11.89, 0.11, 128, 1641472},
    {1, 45.78, 0, 256, 3080960},
    {1, 19.58, 0, 256, 1317632},
    {0, 1.57, 0.07, 128, 209280},
};

static uint64_t sglang_tokens(const struct sglang_row *r, double bytes, double more)
{
    uint64_t tokens = 0;
    assert_int_equal(ullage_sglang_tokens((r->available + more) * GIB, r->fixed * GIB, bytes,
                                          r->page, &tokens, NULL), ULLAGE_OK);
    return tokens;
}

/* "bytes_per_full_token=7705.45", and 15955.85 of May 2026; tokens within the printed budgets. */
static void sglang_v4(void **state)
{
    (void)state;
    static const ullage_sglang_v4 shapes[] = {
        {.layers = 43, .layers_4 = 21, .layers_128 = 20, .window_share = 0.1, .ring = 8,
         .state_bytes = 4},
        {.layers = 44, .layers_4 = 21, .layers_128 = 20, .window_share = 0.1, .ring = 8,
         .state_bytes = 4, .states_128 = 1},
    };
    static const char *const printed[] = {"7705.45", "15955.85"};
    char text[32];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%.2f", ullage_sglang_v4_token(&shapes[i]));
        assert_string_equal(text, printed[i]);
    }
    for (size_t i = 0; i < sizeof sglang_rows / sizeof sglang_rows[0]; i++) {
        const struct sglang_row *r = &sglang_rows[i];
        double bytes = strtod(printed[r->older], NULL);
        assert_true(sglang_tokens(r, bytes, -0.01) <= r->tokens);
        assert_true(sglang_tokens(r, bytes, 0.01) >= r->tokens);
        assert_int_equal(r->tokens % r->page, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_logs),   cmocka_unit_test(one_rank_printed),
        cmocka_unit_test(published_needs),  cmocka_unit_test(published_length),
        cmocka_unit_test(lesson),           cmocka_unit_test(lesson_by_plan),
        cmocka_unit_test(arithmetic_refuses), cmocka_unit_test(published_block_sizes),
        cmocka_unit_test(groups),           cmocka_unit_test(windows_promoted),
        cmocka_unit_test(pipeline_stages),  cmocka_unit_test(null_block),
        cmocka_unit_test(published_weights), cmocka_unit_test(sglang_v4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
