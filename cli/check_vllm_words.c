/* The `vllm serve` line that a vLLM log stands for: its own list of arguments, or a command line
 * pasted before it, and over both what the engine says came of them. */
#include "check.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arguments that move memory, as the log spells them. */
static const char *const sizing[] = {
    "max_model_len", "gpu_memory_utilization", "kv_cache_memory_bytes", "max_num_seqs",
    "max_num_batched_tokens", "block_size", "kv_cache_dtype", "quantization", "dtype",
    "tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size",
    "decode_context_parallel_size", "prefill_context_parallel_size", "enable_expert_parallel",
    "cpu_offload_gb", "enforce_eager", "speculative_config", "enable_prefix_caching",
    "num_gpu_blocks_override", "mamba_cache_dtype", "mamba_ssm_cache_dtype", "mamba_block_size",
    "mamba_cache_mode", "disable_hybrid_kv_cache_manager", "async_scheduling",
    "enable_chunked_prefill", "attention_backend", "language_model_only",
    "kv_cache_dtype_skip_layers"};

static const char *keep(struct vllm_words *w, const char *fmt, ...)
{
    va_list args;
    size_t left = sizeof w->text - w->n_text;
    char *at = w->text + w->n_text;
    va_start(args, fmt);
    int n = vsnprintf(at, left, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= left)
        return "";
    w->n_text += (size_t)n + 1;
    return at;
}

static void add(struct vllm_words *w, const char *word)
{
    if (w->n < VLLM_WORDS && word[0])
        w->words[w->n++] = word;
}

/* "max_model_len" is --max-model-len. */
static const char *flag_of(struct vllm_words *w, const char *prefix, const char *name)
{
    char *flag = (char *)(uintptr_t)keep(w, "%s%s", prefix, name);
    for (char *p = flag; *p; p++)
        *p = *p == '_' ? '-' : *p;
    return flag;
}

/* A dictionary as JSON: its quotes, and Python's names for the constants. */
static const char *json_of(struct vllm_words *w, const char *value)
{
    static const struct {
        const char *python, *json;
    } names[] = {{"True", "true"}, {"False", "false"}, {"None", "null"}};
    char out[1024];
    size_t n = 0;
    while (*value && n + 8 < sizeof out) {
        size_t i = 0;
        while (i < 3 && strncmp(value, names[i].python, strlen(names[i].python)) != 0)
            i++;
        if (i < 3) {
            n += (size_t)sprintf(out + n, "%s", names[i].json);
            value += strlen(names[i].python);
        } else {
            out[n++] = *value == '\'' ? '"' : *value;
            value++;
        }
    }
    out[n] = '\0';
    return keep(w, "%s", out);
}

static void add_argument(struct vllm_words *w, const char *name, const char *value)
{
    if (strcmp(value, "None") == 0 || value[0] == '\0')
        return;
    if (strcmp(value, "True") == 0 || strcmp(value, "False") == 0) {
        bool on = value[0] == 'T';
        if (on || strncmp(name, "enable", 6) == 0 || strncmp(name, "async", 5) == 0)
            add(w, flag_of(w, on ? "--" : "--no-", name));
        return;
    }
    add(w, flag_of(w, "--", name));
    const char *plain = strncmp(value, "torch.", 6) == 0 ? value + 6 : value;
    add(w, plain[0] == '{' ? json_of(w, plain) : keep(w, "%s", plain));
}

static bool is_sizing(const char *name)
{
    for (size_t i = 0; i < sizeof sizing / sizeof *sizing; i++)
        if (strcmp(sizing[i], name) == 0)
            return true;
    return false;
}

static void add_arguments(struct vllm_words *w, struct ul_check *c)
{
    char name[64], value[1024];
    for (const char *at = c->e->vllm.arguments;
         ul_vlog_pair(&at, name, sizeof name, value, sizeof value);) {
        if (strcmp(name, "model") == 0 || strcmp(name, "model_tag") == 0)
            snprintf(w->model, sizeof w->model, "%.*s", (int)sizeof w->model - 1, value);
        else if (is_sizing(name))
            add_argument(w, name, value);
    }
}

/* What the engine settled on: never what speculation or the plan's own rules derive. */
static void add_outcome(struct vllm_words *w, struct ul_check *c)
{
    static const struct {
        const char *log, *name;
    } settled[] = {{"max_seq_len", "max_model_len"}, {"dtype", "dtype"},
                   {"tensor_parallel_size", "tensor_parallel_size"},
                   {"pipeline_parallel_size", "pipeline_parallel_size"},
                   {"data_parallel_size", "data_parallel_size"},
                   {"enforce_eager", "enforce_eager"}, {"kv_cache_dtype", "kv_cache_dtype"},
                   {"enable_prefix_caching", "enable_prefix_caching"},
                   {"quantization", "quantization"}};
    char name[64], value[1024];
    const struct ul_vlog *v = &c->e->vllm;
    for (const char *at = v->engine; ul_vlog_pair(&at, name, sizeof name, value, sizeof value);) {
        if (strcmp(name, "model") == 0)
            snprintf(w->model, sizeof w->model, "%.*s", (int)sizeof w->model - 1, value);
        for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
            if (strcmp(settled[i].log, name) == 0)
                add_argument(w, settled[i].name, value);
    }
    if (v->max_len) {
        add(w, "--max-model-len");
        add(w, keep(w, "%llu", (unsigned long long)v->max_len));
    }
    if (v->batched) {
        add(w, "--max-num-batched-tokens");
        add(w, keep(w, "%llu", (unsigned long long)v->batched));
    }
}

void vllm_words_make(struct vllm_words *w, struct ul_check *c, const char *path)
{
    const char *pasted[VLLM_WORDS];
    *w = (struct vllm_words){0};
    add(w, path ? path : "");
    snprintf(w->command, sizeof w->command, "%s", c->e->command);
    int n = ul_command_words(w->command, pasted, VLLM_WORDS);
    for (int i = 0; i < n; i++) {
        if (i == 0 && pasted[0][0] != '-') /* the model, which the caller's file stands for */
            snprintf(w->model, sizeof w->model, "%.*s", (int)sizeof w->model - 1, pasted[0]);
        else
            add(w, pasted[i]);
    }
    add_arguments(w, c);
    add_outcome(w, c);
    for (int i = path ? 1 : 0; i < w->n; i++) {
        size_t at = strlen(c->flags);
        snprintf(c->flags + at, sizeof c->flags - at, "%s%s", at ? " " : "", w->words[i]);
    }
}
