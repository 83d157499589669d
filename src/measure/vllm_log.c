/* Reading vLLM's start-up lines. They have a process, a level, a time and a file's name and line
 * before their words, which change with versions; the words that count are looked for anywhere.
 * Sources: vllm/entrypoints/utils.py: log_non_default_args; v1/engine/core.py: EngineCore;
 * v1/worker/gpu_model_runner.py: load_model; v1/worker/gpu_worker.py: determine_available_memory;
 * v1/core/kv_cache_utils.py: _report_kv_cache_config, check_enough_kv_cache_memory. */
#include "measure/vllm_log.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *after(const char *text, const char *word)
{
    const char *p = strstr(text, word);
    return p ? p + strlen(word) + strspn(p + strlen(word), " (") : NULL;
}

/* "18.69", "69.4", "37,617": the value and half of its last digit; where the number ends. */
static const char *figure(struct ul_vfigure *f, const char *p)
{
    char plain[64];
    size_t n = 0, digits = 0;
    bool point = false;
    for (; isdigit((unsigned char)*p) || *p == ',' || (*p == '.' && !point); p++) {
        if (*p == ',' && !isdigit((unsigned char)p[1]))
            break;
        if (*p == '.' && !isdigit((unsigned char)p[1]))
            break;
        digits += point;
        point |= *p == '.';
        if (*p != ',' && n + 1 < sizeof plain)
            plain[n++] = *p;
    }
    plain[n] = '\0';
    if (n == 0)
        return NULL;
    *f = (struct ul_vfigure){.value = strtod(plain, NULL), .half = 0.5};
    for (; digits > 0; digits--)
        f->half /= 10;
    return p;
}

/* GB in older versions stands for the same 2^30. */
static bool gib_after(struct ul_vfigure *f, const char *text, const char *word)
{
    struct ul_vfigure found;
    const char *p = after(text, word), *end = p ? figure(&found, p) : NULL;
    if (!end)
        return false;
    end += strspn(end, " ");
    if (strncmp(end, "GiB", 3) != 0 && strncmp(end, "GB", 2) != 0)
        return false;
    *f = found;
    return true;
}

static bool whole_after(uint64_t *value, const char *text, const char *word)
{
    struct ul_vfigure f;
    const char *p = after(text, word);
    if (!p || !figure(&f, p) || f.value < 0 || f.value > 1e15)
        return false;
    *value = (uint64_t)f.value;
    return true;
}

/* ------------------------------------------------------------------ arguments */

static bool copy_after(char *out, size_t size, const char *text, const char *word)
{
    const char *p = strstr(text, word);
    if (!p)
        return false;
    snprintf(out, size, "%s", p + strlen(word));
    return true;
}

/* "vLLM API server version 0.11.0", "Initializing a V1 LLM engine (v0.27.1) with config: ..." */
static bool version_line(struct ul_vlog *v, const char *text)
{
    const char *p = after(text, "API server version");
    if (!p && (p = strstr(text, "LLM engine (v")))
        p += 13;
    if (!p || !isdigit((unsigned char)p[*p == 'v']))
        return false;
    p += *p == 'v';
    snprintf(v->version, sizeof v->version, "%.*s",
             (int)strspn(p, "0123456789.abcdefghijklmnopqrstuvwxyz+"), p);
    return true;
}

static bool argument_lines(struct ul_vlog *v, const char *text)
{
    bool found = version_line(v, text);
    found |= copy_after(v->arguments, sizeof v->arguments, text, "non-default args: ");
    if (!v->arguments[0])
        found |= copy_after(v->arguments, sizeof v->arguments, text, "args: Namespace(");
    if (strstr(text, "LLM engine"))
        found |= copy_after(v->engine, sizeof v->engine, text, "with config: ");
    return found;
}

/* A value ends at a comma or a closing bracket that is not inside quotes or brackets of its own. */
static size_t value_length(const char *p)
{
    int depth = 0;
    char quote = '\0';
    size_t n = 0;
    for (; p[n]; n++) {
        if (quote ? p[n] == quote : p[n] == '\'' || p[n] == '"')
            quote = quote ? '\0' : p[n];
        else if (quote)
            continue;
        else if (strchr("([{<", p[n]))
            depth++;
        else if (strchr(")]}>", p[n]) && depth-- == 0)
            break;
        else if (p[n] == ',' && depth == 0)
            break;
    }
    return n;
}

static void copy_unquoted(char *out, unsigned size, const char *p, size_t n)
{
    while (n > 0 && p[n - 1] == ' ')
        n--;
    if (n >= 2 && (*p == '\'' || *p == '"') && p[n - 1] == *p)
        p++, n -= 2;
    snprintf(out, size, "%.*s", (int)n, p);
}

bool ul_vlog_pair(const char **at, char *name, unsigned name_size, char *value, unsigned value_size)
{
    const char *p = *at + strspn(*at, " ,{(");
    bool quoted = *p == '\'' || *p == '"';
    size_t n = quoted ? 1 + strcspn(p + 1, "'\"") + 1 : strcspn(p, "=: ,})");
    if (strlen(p) < n || n == 0 || strspn(p, "})"))
        return false;
    copy_unquoted(name, name_size, p, n);
    p += n + strspn(p + n, " ");
    if (*p != '=' && *p != ':')
        return false;
    p += 1 + strspn(p + 1, " ");
    n = value_length(p);
    copy_unquoted(value, value_size, p, n);
    *at = p + n;
    return true;
}

/* ------------------------------------------------------------------ memory */

/* "Memory profiling takes 3.5 seconds ... total_gpu_memory (23.65GiB) x gpu_memory_utilization
 * (0.90) = 21.28GiB; model weights take 14.99GiB; non_torch_memory takes 0.06GiB; PyTorch
 * activation peak memory takes 1.26GiB; the rest ... for KV Cache is 4.97GiB." (up to 0.8) */
static bool profiling_line(struct ul_vlog *v, const char *text)
{
    struct ul_vfigure share;
    const char *p = after(text, "gpu_memory_utilization ");
    bool found = gib_after(&v->total_gib, text, "total_gpu_memory ");
    if (found && p && figure(&share, p))
        v->share = share.value;
    found |= gib_after(&v->weights_gib, text, "model weights take ");
    found |= gib_after(&v->other_gib, text, "non_torch_memory takes ");
    found |= gib_after(&v->activation_gib, text, "activation peak memory takes ");
    found |= gib_after(&v->available_gib, text, "reserved for KV Cache is ");
    return found;
}

/* Each rank may print its own; the least decides. */
static bool available_line(struct ul_vlog *v, const char *text)
{
    struct ul_vfigure f = {0};
    if (!gib_after(&f, text, "Available KV cache memory: "))
        return false;
    if (v->ranks++ == 0 || f.value < v->available_gib.value)
        v->available_gib = f;
    return true;
}

/* "To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is
 * needed, which is larger than the available KV cache memory (4.50 GiB). Based on the available
 * memory, the estimated maximum model length is 36864." */
static bool refusal_line(struct ul_vlog *v, const char *text)
{
    const char *p = strstr(text, "max seq len"), *needed;
    if (!p || !(needed = strstr(p, "KV cache is needed")))
        return false;
    whole_after(&v->max_len, p, "max seq len ");
    while (needed > p && *needed != '(')
        needed--;
    gib_after(&v->need_gib, needed, "(");
    gib_after(&v->available_gib, p, "available KV cache memory ");
    whole_after(&v->longest, p, "maximum model length is ");
    return true;
}

static bool pool_line(struct ul_vlog *v, const char *text)
{
    bool found = whole_after(&v->tokens, text, "GPU KV cache size: ");
    const char *p = after(text, "Maximum concurrency for ");
    if (p) {
        whole_after(&v->max_len, p - 1, " ");
        const char *colon = strchr(p, ':');
        if (colon)
            figure(&v->concurrency, colon + 1 + strspn(colon + 1, " "));
        found = true;
    }
    found |= whole_after(&v->blocks, text, "# GPU blocks: ");
    found |= whole_after(&v->blocks, text, "num_gpu_blocks is: ");
    return found;
}

static bool settings_line(struct ul_vlog *v, const char *text)
{
    bool found = whole_after(&v->block_tokens, text, "Setting attention block size to ");
    found |= whole_after(&v->block_tokens, text, "Setting kv cache block size to ");
    found |=
        whole_after(&v->batched, text, "Chunked prefill is enabled with max_num_batched_tokens=");
    found |= gib_after(&v->graphs_gib, text, "Estimated CUDA graph memory: ");
    const char *p = after(text, "Free memory on device"), *slash = p ? strchr(p, '/') : NULL;
    const char *open = p ? strchr(text, '(') : NULL;
    while (open && slash && strchr(open + 1, '(') && strchr(open + 1, '(') < slash)
        open = strchr(open + 1, '(');
    if (open && slash && open < slash) {
        figure(&v->free_gib, open + 1);
        figure(&v->device_gib, slash + 1);
        found = true;
    }
    return found;
}

bool ul_vlog_line(struct ul_vlog *v, const char *text)
{
    bool found = argument_lines(v, text);
    if (gib_after(&v->weights_gib, text, "Model loading took ")
        || gib_after(&v->weights_gib, text, "Loading model weights took "))
        found = true;
    found |= profiling_line(v, text);
    found |= available_line(v, text);
    found |= refusal_line(v, text);
    found |= pool_line(v, text);
    found |= settings_line(v, text);
    v->any |= found;
    return found;
}
