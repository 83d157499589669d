/* A vLLM server's plan: the share of each card that is asked for, what weights and profiling leave
 * of it, and from there on vLLM's own arithmetic to the log's figures.
 *
 * What profiling takes cannot be derived from the configuration, so without a measured figure it
 * is an interval: the least and the most that published start-up logs show. Both ends are carried
 * through to the end, and a verdict that differs between them is unknown. */
#include "engine/vllm_server.h"

#include <math.h>

#define GIB 1073741824.0

/* Start-up logs that print share, weights and what is left name, as the difference, 0.79 GiB (a
 * card of 15.51 GiB) to 5.59 GiB (a batch of 16,384 tokens and a vocabulary of 262,144). */
#define PROFILED_LOW (0.79 * GIB)
#define PROFILED_HIGH (5.59 * GIB)

/* ------------------------------------------------------------------ stages and cards */

/* distributed/utils.py: get_pp_indices: layers left over go to the stages before the last. */
struct ul_vstage ul_vserver_stage(const struct ul_vserver *v, uint32_t stage)
{
    uint32_t pp = (uint32_t)v->s.pp, each = v->m.n_layers / pp, over = v->m.n_layers % pp;
    struct ul_vstage r = {0, 0};
    for (uint32_t i = 0; i <= stage; i++) {
        r.first = r.end;
        r.end = r.first + each + (i + 1 < pp && i + 1 + over >= pp);
    }
    if (stage + 1 == pp)
        r.end = v->m.n_layers + v->n_drafts;
    return r;
}

/* Ranks are numbered data parallel first, then by stage, then within it. One card that was named
 * stands for all of them. */
const struct ul_gpu *ul_vserver_gpu(const struct ul_vserver *v, uint32_t stage)
{
    const struct ul_machine *m = v->machine;
    const struct ul_gpu *least = NULL;
    uint64_t world = v->s.tp * v->s.pp;
    for (uint64_t rank = 0; m && rank < world * v->s.dp && m->n_gpus; rank++) {
        if (rank % world / v->s.tp != stage)
            continue;
        const struct ul_gpu *g = &m->gpu[m->n_gpus == 1 ? 0 : rank % m->n_gpus];
        if (!least || g->total < least->total)
            least = g;
    }
    return least;
}

/* ------------------------------------------------------------------ the budget */

static ullage_bytes known(double bytes, int source)
{
    return (ullage_bytes){.bytes = bytes > 0 ? (uint64_t)bytes : 0, .source = source};
}

/* worker/utils.py: request_memory. */
static ullage_bytes requested(const struct ul_vserver *v, const struct ul_gpu *gpu)
{
    double share = v->s.share > 0 ? v->s.share : v->era->share;
    return gpu ? known(ceil((double)gpu->total * share), ULLAGE_COMPUTED) : (ullage_bytes){0};
}

static void fill_profiled(struct ul_vserver *v)
{
    const ullage_bytes *given = &v->given.profiled;
    v->info.profiled_low = given->source ? given->bytes : (uint64_t)PROFILED_LOW;
    v->info.profiled_high = given->source ? given->bytes : (uint64_t)PROFILED_HIGH;
    v->info.profiled_basis =
        given->source == ULLAGE_MEASURED ? "measured on this machine, from a log ('check --keep')"
        : given->source                  ? "given"
                      : "the least and the most that published start-up logs show (activations, "
                        "CUDA graphs, and what grows beside torch); measure it: 'Available KV "
                        "cache memory' in your log gives it";
    const struct ul_gpu *gpu = ul_vserver_gpu(v, 0);
    if (!given->source && gpu && gpu->backend != UL_CUDA)
        ul_note(&v->notes, "profiled_elsewhere",
                "What profiling takes is known of NVIDIA's cards only: on this one it may lie "
                "outside the interval.");
}

/* gpu_worker.py: determine_available_memory; 0 when weights and profiling leave nothing. */
static ullage_bytes available(const struct ul_vserver *v, const ullage_vllm_stage *s,
                              uint64_t profiled)
{
    double ipc = v->s.mm_ipc_gb * GIB;
    if (v->s.kv_bytes)
        return (ullage_bytes){.bytes = v->s.kv_bytes, .source = ULLAGE_ASSUMED};
    if (!s->requested.source || !s->weights.source)
        return (ullage_bytes){0};
    return known((double)s->requested.bytes - (double)s->weights.bytes - (double)profiled - ipc,
                 v->given.profiled.source ? v->given.profiled.source : ULLAGE_MODELLED);
}

/* --num-gpu-blocks-override makes everything as though just so many blocks had been left. */
static void fill_stage(struct ul_vserver *v, uint32_t i)
{
    ullage_vllm_stage *s = &v->stages[i];
    struct ul_vstage r = ul_vserver_stage(v, i);
    const struct ul_gpu *gpu = ul_vserver_gpu(v, i);
    s->first_layer = r.first;
    s->end_layer = r.end;
    if (gpu)
        s->total = (ullage_bytes){.bytes = gpu->total, .source = ULLAGE_ASSUMED};
    s->requested = requested(v, gpu);
    s->weights = v->given.weights.source ? v->given.weights : ul_vserver_weights(v, i);
    s->available_low = available(v, s, v->info.profiled_high);
    s->available_high = available(v, s, v->info.profiled_low);
    if (v->m.unknown)
        return;
    s->block_bytes = ul_vpool_block_bytes(&v->pool, &v->load, r);
    s->need_bytes = ul_vpool_need(&v->pool, &v->load, r, v->max_len);
    if (v->s.blocks)
        s->available_low = s->available_high =
            (ullage_bytes){.bytes = ul_mul(v->s.blocks, s->block_bytes), .source = ULLAGE_ASSUMED};
    if (gpu && gpu->used && s->requested.source && gpu->total - ul_min(gpu->used, gpu->total)
                                                       < s->requested.bytes)
        ul_note(&v->notes, "free_memory", "vLLM refuses to start: %.2f GiB are free on a card and "
                "%.2f GiB are asked for.", (double)(gpu->total - gpu->used) / GIB,
                (double)s->requested.bytes / GIB);
}

/* ------------------------------------------------------------------ the pool's figures */

/* What the start-up check may use: from 0.29 on without the null block. */
static uint64_t checked(const struct ul_vserver *v, const ullage_vllm_stage *s, uint64_t available)
{
    uint64_t null_block = v->era->null_block ? s->block_bytes : 0;
    return available > null_block ? available - null_block : 0;
}

static uint64_t of(const ullage_vllm_stage *s, bool high)
{
    return high ? s->available_high.bytes : s->available_low.bytes;
}

/* get_kv_cache_configs: the least over all ranks. */
static void fill_pool(struct ul_vserver *v, bool high)
{
    ullage_vllm_pool *p = high ? &v->info.high : &v->info.low;
    *p = (ullage_vllm_pool){.blocks = UINT64_MAX, .longest = v->m.max_len, .max_len = v->max_len};
    for (uint32_t i = 0; i < v->s.pp; i++) {
        const ullage_vllm_stage *s = &v->stages[i];
        uint64_t here = of(s, high);
        struct ul_vstage r = ul_vserver_stage(v, i);
        if (s->block_bytes == 0)
            continue;
        p->blocks = ul_min(p->blocks, here / s->block_bytes);
        p->longest = ul_min(p->longest, ul_vpool_longest(&v->pool, &v->load, r,
                                                         checked(v, s, here), v->m.max_len));
    }
    if (p->blocks == UINT64_MAX)
        p->blocks = 1; /* no layer keeps anything: the pool is its null block */
    if (v->s.len_auto)
        p->max_len = p->longest;
    p->starts = p->max_len > 0 && p->max_len <= p->longest;
    p->request_blocks = ul_vpool_request_blocks(&v->pool, &v->load, p->max_len);
    p->concurrency = p->request_blocks ? (double)p->blocks / (double)p->request_blocks : 0;
    p->tokens = ul_vpool_tokens(&v->pool, &v->load, p->blocks, p->max_len);
}

static bool budget_known(const struct ul_vserver *v)
{
    for (uint32_t i = 0; i < v->s.pp; i++)
        if (!v->stages[i].available_low.source)
            return false;
    return true;
}

static void fill_pools(struct ul_vserver *v)
{
    v->info.known = budget_known(v);
    if (!v->info.known)
        return;
    fill_pool(v, false);
    fill_pool(v, true);
    v->info.exact = v->s.kv_bytes || v->s.blocks || v->given.profiled.source;
}

/* ------------------------------------------------------------------ what would help */

static bool by_batches(const struct ul_vserver *v)
{
    for (uint32_t g = 0; g < v->pool.n_groups; g++)
        if (v->pool.groups[g].spec.window > 1)
            return true;
    return false;
}

/* The least share with which one request of the wanted length starts, with the most that profiling
 * may take; 0: none does. */
static double needed_share(const struct ul_vserver *v)
{
    double share = 0;
    for (uint32_t i = 0; i < v->s.pp; i++) {
        const ullage_vllm_stage *s = &v->stages[i];
        double bytes = (double)s->weights.bytes + (double)v->info.profiled_high
                       + v->s.mm_ipc_gb * GIB + (double)s->need_bytes
                       + (v->era->null_block ? (double)s->block_bytes : 0);
        if (!s->total.source || !s->weights.source)
            return 0;
        share = fmax(share, bytes / (double)s->total.bytes);
    }
    return share;
}

/* Flags that make it start, when it surely does not. */
static void advise(struct ul_vserver *v)
{
    const ullage_vllm_pool *p = &v->info.low;
    if (!v->info.known || p->starts)
        return;
    double share = needed_share(v);
    if (p->longest)
        ul_note(&v->notes, "try_length", "--max-model-len %llu starts in any case%s.",
                (unsigned long long)p->longest, v->info.exact ? "" : ", whatever profiling takes");
    if (share > 0 && share <= 0.98 && !v->s.kv_bytes && !v->s.blocks)
        ul_note(&v->notes, "try_share", "--gpu-memory-utilization %.2f is enough for %llu tokens.",
                ceil(share * 100) / 100, (unsigned long long)v->max_len);
    if (strcmp(v->cache_dtype, "auto") == 0)
        ul_note(&v->notes, "try_cache_type",
                "--kv-cache-dtype fp8 halves what a token takes in the cache.");
    if (by_batches(v) && v->batched > 2048)
        ul_note(&v->notes, "try_batch", "A smaller --max-num-batched-tokens than %llu makes each "
                "window's part of a request smaller.", (unsigned long long)v->batched);
}

/* ------------------------------------------------------------------ notes on rules */

static void note_rules(struct ul_vserver *v)
{
    const struct ul_vmodel *m = &v->m;
    if (v->era->sampled)
        ul_note(&v->notes, "version_sampled", "Rules of versions from 0.30 on were read at one "
                "commit; a change between them would not be seen.");
    if (m->class && m->kv_heads && v->s.tp > m->kv_heads
        && m->class->read != UL_VR_LATENT && m->class->read != UL_VR_V4)
        ul_note(&v->notes, "kv_replicated", "Each rank keeps a whole KV head: -tp above %llu does "
                "not make the cache on a rank smaller.", (unsigned long long)m->kv_heads);
    if (v->s.tp > 1 && m->class && (m->class->read == UL_VR_LATENT || m->class->read == UL_VR_V4))
        ul_note(
            &v->notes, "latent_replicated",
            "Latents are kept whole on every rank: -tp does not make the cache smaller; --decode-context-parallel-size, or -tp 1 with -dp and "
            "--enable-expert-parallel, does.");
    if (v->s.dp > 1)
        ul_note(&v->notes, "data_parallel", "Each of the %llu engines has its own pool and prints "
                "its own line; the figures are of one.", (unsigned long long)v->s.dp);
    if (v->machine && v->machine->n_gpus > 1 && v->machine->n_gpus < v->info.n_gpus)
        ul_note(&v->notes, "gpus_missing", "The line asks for %u GPUs and %u were named: they are "
                "taken in turn.", v->info.n_gpus, v->machine->n_gpus);
    if (v->pool.promoted)
        ul_note(&v->notes, "windows_whole",
                "Pages cannot be unified: vLLM keeps the windows whole.");
    if (v->s.eplb == 1 || v->s.lora == 1)
        ul_note(&v->notes, "extra_weights", "Redundant experts and LoRA adapters take memory that "
                "is not in the weights here.");
}

/* Ranks of a stage read at the same time, stages one after the other. */
static double speed_bound(const struct ul_vserver *v)
{
    double seconds = 0;
    for (uint32_t i = 0; i < v->s.pp; i++) {
        const struct ul_gpu *gpu = ul_vserver_gpu(v, i);
        uint64_t bytes = ul_vserver_read_bytes(v, i);
        if (!gpu || gpu->bandwidth <= 0 || !bytes)
            return 0;
        seconds += (double)bytes / gpu->bandwidth;
    }
    return seconds > 0 ? 1 / seconds : 0;
}

/* ------------------------------------------------------------------ all together */

static const char *kind_name(enum ul_vkind kind)
{
    static const char *const names[] = {
        [UL_V_FULL] = "full",     [UL_V_LATENT] = "latent",
        [UL_V_WINDOW] = "window", [UL_V_CHUNK] = "chunk",
        [UL_V_WINDOW_MLA] = "window", [UL_V_STATE] = "state",
    };
    return names[kind];
}

static void list_groups(struct ul_vserver *v)
{
    v->groups = UL_NEWS(v->a, ullage_vllm_group, v->pool.n_groups + 1);
    for (uint32_t i = 0; i < v->pool.n_groups; i++) {
        const struct ul_vgroup *g = &v->pool.groups[i];
        v->groups[i] = (ullage_vllm_group){
            .kind = kind_name(g->spec.kind), .layers = g->n, .block_tokens = g->spec.block,
            .page_bytes = g->page,
            .request_blocks = ul_vspec_blocks(&g->spec, &v->load, v->max_len)};
    }
}

static const char *mode_name(const struct ul_vserver *v)
{
    static const char *const names[] = {[UL_V_STATE_NONE] = "none", [UL_V_STATE_ALIGN] = "align",
                                        [UL_V_STATE_ALL] = "all"};
    return v->m.unknown || !ul_vmodel_has_state(&v->m) ? NULL : names[v->load.mode];
}

static void describe(struct ul_vserver *v)
{
    ullage_vllm_info *i = &v->info;
    i->model = v->m.name;
    i->model_class = v->m.class_name;
    i->version = v->era->name;
    i->quantization = v->s.quant ? v->s.quant : v->m.quant;
    i->cache_type = v->cache_dtype;
    i->state_mode = mode_name(v);
    i->tp = (uint32_t)v->s.tp;
    i->pp = (uint32_t)v->s.pp;
    i->dp = (uint32_t)v->s.dp;
    i->dcp = (uint32_t)v->s.dcp;
    i->pcp = (uint32_t)v->s.pcp;
    i->n_gpus = i->tp * i->pp * i->dp * i->pcp;
    i->block_tokens = v->block;
    i->batched_tokens = v->batched;
    i->max_seqs = v->seqs;
    i->in_flight_tokens = v->load.in_flight;
    i->draft_tokens = v->load.draft_tokens;
}

/* config/vllm.py: models with chunked attention run without the hybrid manager unless
 * VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE is set. */
static bool has_chunks(const struct ul_vserver *v)
{
    for (uint32_t i = 0; i < v->n_specs; i++)
        if (v->specs[i].kind == UL_V_CHUNK)
            return true;
    return false;
}

int ul_vserver_plan(struct ul_vserver *v, ullage_error *err)
{
    int code = ul_vserver_specs(v, err);
    bool hybrid = v->s.no_hybrid != 1 && !has_chunks(v);
    if (!code && !v->m.unknown)
        code = ul_vpool_make(&v->pool, v->specs, v->n_specs, hybrid, &v->load, v->a, err);
    if (code)
        return code;
    describe(v);
    fill_profiled(v);
    v->stages = UL_NEWS(v->a, ullage_vllm_stage, v->s.pp);
    for (uint32_t i = 0; i < v->s.pp; i++)
        fill_stage(v, i);
    v->info.unknown = v->m.unknown;
    v->info.speed_bound = speed_bound(v);
    if (v->m.unknown)
        return ULLAGE_OK;
    list_groups(v);
    fill_pools(v);
    advise(v);
    note_rules(v);
    return ULLAGE_OK;
}
