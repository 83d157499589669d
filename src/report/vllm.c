/* A vLLM plan for people and for programs: what each stage has, how the layers are grouped, and the
 * lines that vLLM's log will have. Where profiling is not measured, both ends are shown. */
#include "engine/vllm_server.h"
#include "report/text.h"
#include "base/json.h"

#include <inttypes.h>

static const char bold[] = "\033[1m", red[] = "\033[31m", green[] = "\033[32m", off[] = "\033[0m";

/* ------------------------------------------------------------------ figures in words */

static const char *mib(struct ul_arena *a, ullage_bytes b)
{
    return b.source ? ul_format(a, "%.2f", (double)b.bytes / UL_MIB) : "unknown";
}

static const char *mib_range(struct ul_arena *a, ullage_bytes low, ullage_bytes high)
{
    if (!low.source || !high.source || low.bytes == high.bytes)
        return mib(a, low);
    return ul_format(a, "%.2f to %.2f", (double)low.bytes / UL_MIB, (double)high.bytes / UL_MIB);
}

/* 163168 as vLLM prints it: 163,168. */
static const char *grouped(struct ul_arena *a, uint64_t n)
{
    return n < 1000 ? ul_format(a, "%" PRIu64, n)
                    : ul_format(a, "%s,%03u", grouped(a, n / 1000), (unsigned)(n % 1000));
}

static const char *range(struct ul_arena *a, uint64_t low, uint64_t high)
{
    return low == high ? grouped(a, low)
                       : ul_format(a, "%s to %s", grouped(a, low), grouped(a, high));
}

/* ------------------------------------------------------------------ the table */

static void title(struct ul_text *out, const ullage_vllm_info *i, bool color)
{
    ul_text_printf(out, "%s%s%s  %s, vLLM %s", color ? bold : "", i->model, color ? off : "",
                   i->model_class, i->version);
    if (i->quantization)
        ul_text_printf(out, ", %s", i->quantization);
    ul_text_printf(out, "; %u GPU%s (tp %u, pp %u, dp %u", i->n_gpus, i->n_gpus == 1 ? "" : "s",
                   i->tp, i->pp, i->dp);
    if (i->dcp > 1 || i->pcp > 1)
        ul_text_printf(out, ", dcp %u, pcp %u", i->dcp, i->pcp);
    ul_text_printf(out, ")\nblocks of %" PRIu64 " tokens, cache type %s", i->block_tokens,
                   i->cache_type);
    if (i->state_mode)
        ul_text_printf(out, ", states '%s'", i->state_mode);
    ul_text_printf(out, "; batches of %" PRIu64 " tokens, %" PRIu64 " requests, %" PRIu64
                        " tokens in flight", i->batched_tokens, i->max_seqs, i->in_flight_tokens);
    if (i->draft_tokens)
        ul_text_printf(out, ", %" PRIu64 " drafted", i->draft_tokens);
    ul_text_puts(out, "\n\n");
}

static void stages(struct ul_text *out, const ullage_vllm *plan)
{
    size_t n;
    const ullage_vllm_stage *s = ullage_vllm_stages(plan, &n);
    static const char *const head[] = {"stage", "layers", "GPU MiB", "asked for", "weights",
                                       "left for the cache", "block bytes", "one request MiB"};
    struct ul_table t;
    ul_table_open(&t, out->arena, 8);
    for (size_t i = 0; i < 8; i++)
        ul_table_add(&t, head[i]);
    bool known = !ullage_vllm_describe(plan)->unknown;
    for (size_t i = 0; i < n; i++) {
        ullage_bytes need = {.bytes = s[i].need_bytes, .source = known ? ULLAGE_COMPUTED : 0};
        ul_table_add(&t, ul_format(t.arena, "%zu", i));
        ul_table_add(&t, ul_format(t.arena, "%u-%u", s[i].first_layer, s[i].end_layer - 1));
        ul_table_add(&t, mib(t.arena, s[i].total));
        ul_table_add(&t, mib(t.arena, s[i].requested));
        ul_table_add(&t, mib(t.arena, s[i].weights));
        ul_table_add(&t, mib_range(t.arena, s[i].available_low, s[i].available_high));
        ul_table_add(&t, known ? grouped(t.arena, s[i].block_bytes) : "unknown");
        ul_table_add(&t, mib(t.arena, need));
    }
    ul_table_print(&t, out);
}

static void groups(struct ul_text *out, const ullage_vllm *plan)
{
    size_t n;
    const ullage_vllm_group *g = ullage_vllm_groups(plan, &n);
    struct ul_table t;
    if (n == 0)
        return;
    ul_text_puts(out, "\n");
    ul_table_open(&t, out->arena, 5);
    static const char *const head[] = {"group", "caches", "block tokens", "page bytes",
                                       "blocks a request"};
    for (size_t i = 0; i < 5; i++)
        ul_table_add(&t, head[i]);
    for (size_t i = 0; i < n; i++) {
        ul_table_add(&t, g[i].kind);
        ul_table_add(&t, grouped(t.arena, g[i].layers));
        ul_table_add(&t, grouped(t.arena, g[i].block_tokens));
        ul_table_add(&t, grouped(t.arena, g[i].page_bytes));
        ul_table_add(&t, grouped(t.arena, g[i].request_blocks));
    }
    ul_table_print(&t, out);
}

/* The log's own words. */
static void log_lines(struct ul_text *out, const ullage_vllm_info *i)
{
    struct ul_arena *a = out->arena;
    const ullage_vllm_pool *l = &i->low, *h = &i->high;
    ul_text_printf(out, "\nGPU blocks: %s\n", range(a, l->blocks, h->blocks));
    ul_text_printf(out, "GPU KV cache size: %s tokens\n", range(a, l->tokens, h->tokens));
    ul_text_printf(out, "Maximum concurrency for %s tokens per request: %.2fx",
                   range(a, l->max_len, h->max_len), l->concurrency);
    if (h->concurrency > l->concurrency)
        ul_text_printf(out, " to %.2fx", h->concurrency);
    ul_text_printf(out, "\nlongest --max-model-len that starts: %s\n",
                   range(a, l->longest, h->longest));
}

static void verdict(struct ul_text *out, const ullage_vllm_info *i, bool color)
{
    bool yes = i->known && i->low.starts, no = i->known && !i->high.starts;
    const char *word = yes ? "starts" : no ? "does not start" : "unknown";
    ul_text_printf(out, "%s%s%s", color && yes ? green : color && no ? red : "", word,
                   color && (yes || no) ? off : "");
    if (i->unknown)
        ul_text_printf(out, ": %s", i->unknown);
    else if (!i->known)
        ul_text_printf(out, ": %s", i->unknown_weights ? i->unknown_weights : "no GPU was named");
    else if (!yes && !no)
        ul_text_puts(out, ": it depends on what profiling takes");
    ul_text_puts(out, "\n");
}

static void render_table(struct ul_text *out, const ullage_vllm *plan, bool color)
{
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    size_t n;
    const ullage_note *note = ullage_vllm_notes(plan, &n);
    title(out, i, color);
    stages(out, plan);
    groups(out, plan);
    if (i->known)
        log_lines(out, i);
    ul_text_puts(out, "\n");
    verdict(out, i, color);
    if (i->known && !i->exact)
        ul_text_printf(out, "profiling: %.2f to %.2f MiB, %s\n", (double)i->profiled_low / UL_MIB,
                       (double)i->profiled_high / UL_MIB, i->profiled_basis);
    else if (i->known && plan->v.given.profiled.source == ULLAGE_MEASURED)
        ul_text_printf(out, "profiling: %.2f MiB, %s\n", (double)i->profiled_low / UL_MIB,
                       i->profiled_basis);
    for (size_t k = 0; k < n; k++)
        ul_text_printf(out, "note: %s\n", note[k].text);
}

/* ------------------------------------------------------------------ JSON */

/* {"bytes": N or null, "source": "..."} */
static void bytes(struct ul_json *j, const char *key, ullage_bytes b)
{
    ul_json_key(j, key);
    ul_json_open(j, '{');
    ul_json_key(j, "bytes");
    if (b.source)
        ul_json_u64(j, b.bytes);
    else
        ul_json_null(j);
    ul_json_put_str(j, "source", ullage_source_name(b.source));
    ul_json_close(j, '}');
}

static void json_settings(struct ul_json *j, const ullage_vllm_info *i)
{
    ul_json_key(j, "settings");
    ul_json_open(j, '{');
    ul_json_put_u64(j, "tensor_parallel", i->tp);
    ul_json_put_u64(j, "pipeline_parallel", i->pp);
    ul_json_put_u64(j, "data_parallel", i->dp);
    ul_json_put_u64(j, "decode_context_parallel", i->dcp);
    ul_json_put_u64(j, "prefill_context_parallel", i->pcp);
    ul_json_put_u64(j, "gpus", i->n_gpus);
    ul_json_put_u64(j, "block_tokens", i->block_tokens);
    ul_json_put_u64(j, "batched_tokens", i->batched_tokens);
    ul_json_put_u64(j, "max_requests", i->max_seqs);
    ul_json_put_u64(j, "in_flight_tokens", i->in_flight_tokens);
    ul_json_put_u64(j, "draft_tokens", i->draft_tokens);
    ul_json_put_str(j, "cache_type", i->cache_type);
    ul_json_put_str(j, "state_mode", i->state_mode);
    ul_json_put_str(j, "quantization", i->quantization);
    ul_json_close(j, '}');
}

static void json_stages(struct ul_json *j, const ullage_vllm *plan)
{
    size_t n;
    const ullage_vllm_stage *s = ullage_vllm_stages(plan, &n);
    bool known = !ullage_vllm_describe(plan)->unknown;
    int source = known ? ULLAGE_COMPUTED : ULLAGE_UNKNOWN;
    ul_json_key(j, "stages");
    ul_json_open(j, '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        ul_json_put_u64(j, "first_layer", s[i].first_layer);
        ul_json_put_u64(j, "end_layer", s[i].end_layer);
        bytes(j, "total", s[i].total);
        bytes(j, "requested", s[i].requested);
        bytes(j, "weights", s[i].weights);
        bytes(j, "available_low", s[i].available_low);
        bytes(j, "available_high", s[i].available_high);
        bytes(j, "block", (ullage_bytes){.bytes = s[i].block_bytes, .source = source});
        bytes(j, "need", (ullage_bytes){.bytes = s[i].need_bytes, .source = source});
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

static void json_groups(struct ul_json *j, const ullage_vllm *plan)
{
    size_t n;
    const ullage_vllm_group *g = ullage_vllm_groups(plan, &n);
    ul_json_key(j, "groups");
    ul_json_open(j, '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        ul_json_put_str(j, "kind", g[i].kind);
        ul_json_put_u64(j, "caches", g[i].layers);
        ul_json_put_u64(j, "block_tokens", g[i].block_tokens);
        ul_json_put_u64(j, "page_bytes", g[i].page_bytes);
        ul_json_put_u64(j, "request_blocks", g[i].request_blocks);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

static void json_pool(struct ul_json *j, const char *key, const ullage_vllm_pool *p, bool known)
{
    ul_json_key(j, key);
    if (!known) {
        ul_json_null(j);
        return;
    }
    ul_json_open(j, '{');
    ul_json_put_u64(j, "max_model_len", p->max_len);
    ul_json_put_u64(j, "blocks", p->blocks);
    ul_json_put_u64(j, "request_blocks", p->request_blocks);
    ul_json_put_u64(j, "tokens", p->tokens);
    ul_json_key(j, "concurrency");
    ul_json_double(j, p->concurrency, 4);
    ul_json_put_u64(j, "longest_max_model_len", p->longest);
    ul_json_put_bool(j, "starts", p->starts);
    ul_json_close(j, '}');
}

static void json_notes(struct ul_json *j, const ullage_vllm *plan)
{
    size_t n;
    const ullage_note *note = ullage_vllm_notes(plan, &n);
    ul_json_key(j, "notes");
    ul_json_open(j, '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        ul_json_put_str(j, "code", note[i].code);
        ul_json_put_str(j, "text", note[i].text);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

static void render_json(struct ul_text *out, const ullage_vllm *plan)
{
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    struct ul_json j = {.out = out, .pretty = true};
    ul_json_open(&j, '{');
    ul_json_put_u64(&j, "schema_version", 1);
    ul_json_key(&j, "engine");
    ul_json_open(&j, '{');
    ul_json_put_str(&j, "name", "vLLM");
    ul_json_put_str(&j, "version", i->version);
    ul_json_close(&j, '}');
    ul_json_put_str(&j, "model", i->model);
    ul_json_put_str(&j, "architecture", i->model_class);
    json_settings(&j, i);
    json_stages(&j, plan);
    json_groups(&j, plan);
    ul_json_key(&j, "speed_bound");
    if (i->speed_bound > 0)
        ul_json_double(&j, i->speed_bound, 2);
    else
        ul_json_null(&j);
    ul_json_put_u64(&j, "profiled_low_bytes", i->profiled_low);
    ul_json_put_u64(&j, "profiled_high_bytes", i->profiled_high);
    ul_json_put_bool(&j, "exact", i->exact);
    json_pool(&j, "low", &i->low, i->known);
    json_pool(&j, "high", &i->high, i->known);
    ul_json_put_str(&j, "unknown_cache", i->unknown);
    ul_json_put_str(&j, "unknown_weights", i->unknown_weights);
    json_notes(&j, plan);
    ul_json_close(&j, '}');
    ul_text_puts(out, "\n");
}

/* ------------------------------------------------------------------ the entry point */

static void write_vllm(struct ul_text *out, const struct ul_rendering *r)
{
    if (r->format == ULLAGE_JSON)
        render_json(out, r->what);
    else
        render_table(out, r->what, r->color);
}

char *ullage_vllm_render(const ullage_vllm *plan, int format, int color)
{
    const struct ul_rendering r = {.what = plan, .format = format, .color = color != 0};
    return ul_render(write_vllm, &r);
}
