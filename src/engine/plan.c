/* A plan is made in the engine's own order: devices and weights (place), the context's parameters
 * (context), the output buffer, the caches, the compute buffers. Then the buffers are listed under
 * the names that the engine logs, and each device's account is drawn up (ledger). */
#include "engine/plan.h"

#include "engine/companions.h"
#include "engine/ledger.h"
#include "engine/output.h"

/* ------------------------------------------------------------------ buffers */

/* Adds to the line of that owner, kind and buffer type, or begins it. */
static void list_add(struct ul_plan *plan, ullage_buffer add)
{
    for (size_t i = 0; i < plan->n_buffers; i++) {
        ullage_buffer *b = &plan->buffers[i];
        if (b->of == add.of && strcmp(b->kind, add.kind) == 0 &&
            strcmp(b->buffer, add.buffer) == 0) {
            b->size.bytes = ul_add(b->size.bytes, add.size.bytes);
            if (add.size.source == ULLAGE_UNKNOWN)
                b->size.source = ULLAGE_UNKNOWN;
            b->count += add.count;
            return;
        }
    }
    plan->buffers[plan->n_buffers++] = add;
}

static void list_buffer(struct ul_plan *plan, const char *kind, const char *name, uint64_t bytes,
                        uint32_t count, int source)
{
    list_add(plan, (ullage_buffer){.buffer = name, .kind = kind, .size = {bytes, source},
                                   .count = count, .of = ul_companion_name(ULLAGE_NO_COMPANION)});
}

static const char *device_name(const struct ul_place *p, int device)
{
    return p->buft[device == UL_DEV_CPU ? p->cpu_buft : p->device_buft[device]].name;
}

static void list_model(struct ul_plan *plan, int source)
{
    static const char *const kinds[] = {[UL_BUFFER_MODEL] = "model",
                                        [UL_BUFFER_MOE_CACHE] = "moe_cache"};
    for (size_t i = 0; i < plan->place.n_buffers; i++) {
        const struct ul_model_buffer *b = &plan->place.buffers[i];
        bool open = plan->place.cpu_unknown && plan->place.buft[b->buft].backend == UL_CPU;
        list_buffer(plan, kinds[b->kind], b->name, b->bytes, b->count,
                    open ? ULLAGE_UNKNOWN : source);
    }
}

static void list_compute(struct ul_plan *plan)
{
    const struct ul_place *p = &plan->place;
    for (uint32_t i = 0; i < p->n_devices; i++)
        list_buffer(plan, "compute", device_name(p, (int)i), plan->compute.device[i], 1,
                    plan->compute.source);
    const char *host = p->buft[p->host_buft >= 0 ? p->host_buft : p->cpu_buft].name;
    list_buffer(plan, "compute", host, plan->compute.host, 1, plan->compute.source);
}

/* Companions' buffers follow the model's own. */
static void list_companions(struct ul_plan *plan)
{
    const struct ul_companions *c = &plan->beside;
    for (size_t i = 0; c->draft && i < c->draft->n_buffers; i++) {
        ullage_buffer b = c->draft->buffers[i];
        b.of = ul_companion_name(ULLAGE_DRAFT_MODEL);
        list_add(plan, b);
    }
    for (size_t i = 0; i < c->n_parts; i++)
        list_add(plan, (ullage_buffer){
            .buffer = c->part[i].buffer, .kind = c->part[i].what, .size = c->part[i].size,
            .count = c->part[i].count, .of = ul_companion_name(c->part[i].kind)});
}

/* In the order in which the engine makes them. */
static void list_buffers(struct ul_plan *plan, const struct ul_settings *s, struct ul_arena *a)
{
    const struct ul_place *p = &plan->place;
    size_t most = p->n_buffers + plan->caches.n_buffers + p->n_devices + 2
        + plan->beside.n_parts + (plan->beside.draft ? plan->beside.draft->n_buffers : 0);
    int source = p->modelled ? ULLAGE_MODELLED : ULLAGE_COMPUTED;
    plan->buffers = UL_NEWS(a, ullage_buffer, most);
    list_model(plan, source);
    list_buffer(
        plan, "output", p->buft[ul_output_buft(p, plan->model)].name,
        ul_output_bytes(p, plan->model, &plan->c, s->backend_sampling || plan->c.draft_top_k), 1,
        source);
    for (size_t i = 0; i < plan->caches.n_buffers; i++) {
        const struct ul_cache_buffer *b = &plan->caches.buffer[i];
        list_buffer(plan, ul_cache_kind_name(b->kind), device_name(p, b->device), b->bytes, 1,
                    source);
    }
    list_compute(plan);
    list_companions(plan);
}

static void list_caches(struct ul_plan *plan, struct ul_arena *a)
{
    plan->kv = UL_NEWS(a, ullage_cache, plan->caches.n + 1);
    for (size_t i = 0; i < plan->caches.n; i++) {
        const struct ul_cache *k = &plan->caches.cache[i];
        if (k->kind != UL_CACHE_KV)
            continue;
        plan->kv[plan->n_kv++] = (ullage_cache){
            .cells = k->cells, .layers = k->layers, .streams = k->streams,
            .k_type = ul_type_info(k->type_k)->name, .v_type = ul_type_info(k->type_v)->name,
            .k_bytes = k->k_bytes, .v_bytes = k->v_bytes};
    }
}

/* ------------------------------------------------------------------ layers */

static void list_layers(struct ul_plan *plan, struct ul_arena *a)
{
    const struct ul_place *p = &plan->place;
    const struct ul_model *m = plan->model;
    plan->n_layers = (size_t)m->n_layer_all + 1;
    plan->layers = UL_NEWS(a, ullage_layer_row, plan->n_layers);
    for (uint32_t il = 0; il <= m->n_layer_all; il++) {
        ullage_layer_row *r = &plan->layers[il];
        int dev = p->layer_device[il];
        r->device = dev == UL_DEV_CPU ? "CPU" : p->device[dev].name;
        r->kind = il < m->n_layer_all ? ul_layer_kind(m, il) : ULLAGE_LAYER_NONE;
        for (uint32_t d = 0; d <= p->n_devices; d++)
            r->weight_bytes = ul_add(r->weight_bytes,
                                     p->layer_bytes[(size_t)il * (p->n_devices + 1) + d]);
    }
    for (size_t i = 0; i < plan->caches.n; i++) {
        const struct ul_cache *k = &plan->caches.cache[i];
        for (size_t j = k->first; j < k->first + k->n; j++) {
            const struct ul_cache_tensor *t = &plan->caches.tensor[j];
            uint64_t bytes = ul_mul(ul_mul(ul_row_bytes((enum ul_type)t->type, t->ne[0]), t->ne[1]),
                                    t->ne[2]);
            uint64_t *sum = k->kind == UL_CACHE_KV ? &plan->layers[t->layer].kv_bytes
                                                   : &plan->layers[t->layer].state_bytes;
            *sum = ul_add(*sum, bytes);
        }
    }
}

/* ------------------------------------------------------------------ what may grow */

/* tools/server/server-context.cpp, create_checkpoint: the state of one sequence without what can be
 * cut back to any length: its recurrent states, and of the windowed caches the cells that its
 * window still sees (llama-kv-cache.cpp, state_write leaves masked cells out). */
static uint64_t checkpoint_bytes(const struct ul_plan *plan)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < plan->caches.n; i++) {
        const struct ul_cache *k = &plan->caches.cache[i];
        if (k->streams == 0 || k->cells == 0)
            continue;
        uint64_t stream = ul_add(k->k_bytes, k->v_bytes) / k->streams;
        if (k->role == UL_CACHE_WINDOW && !plan->c.swa_full)
            sum = ul_add(sum, ul_mul(stream / k->cells, ul_min(plan->model->n_swa, k->cells)));
        else if (k->role == UL_CACHE_STATE)
            sum = ul_add(sum, stream);
    }
    return sum;
}

static void list_growth(struct ul_plan *plan, const struct ul_settings *s)
{
    if (s->cache_ram_mib != 0)
        plan->growth[plan->n_growth++] = (ullage_growth){
            .name = "prompt cache", .flag = "--cache-ram",
            .up_to = {s->cache_ram_mib > 0 ? ul_mul((uint64_t)s->cache_ram_mib, 1024 * 1024) : 0,
                      s->cache_ram_mib > 0 ? ULLAGE_COMPUTED : ULLAGE_UNKNOWN}};
    uint64_t one = checkpoint_bytes(plan);
    if (one && s->ctx_checkpoints)
        plan->growth[plan->n_growth++] = (ullage_growth){
            .name = "context checkpoints", .flag = "--ctx-checkpoints",
            .up_to = {ul_mul(ul_mul(one, s->ctx_checkpoints), plan->c.n_seq_max), ULLAGE_MODELLED}};
}

/* ------------------------------------------------------------------ notes */

static void note_settings(struct ul_plan *plan, const struct ul_settings *s)
{
    struct ul_notes *n = &plan->notes;
    for (size_t i = 0; i < s->notes.n; i++)
        ul_note(n, s->notes.v[i].code, "%s", s->notes.v[i].text);
    for (size_t i = 0; i < s->n_unmodelled; i++)
        ul_note(n, "not_modelled", "%s: %s: not modelled, so the sums are lower bounds",
                s->unmodelled[i].flag, s->unmodelled[i].why);
}

/* src/llama-model-loader.cpp, done_getting_tensors: tensors that the architecture does not use. */
static void note_unused(struct ul_plan *plan)
{
    const struct ul_model *m = plan->model;
    uint64_t bytes = 0;
    size_t n = 0;
    for (size_t i = 0; i < m->n_weights; i++) {
        if (m->weights[i].skipped) {
            n++;
            bytes = ul_add(bytes, m->weights[i].t->bytes);
        }
    }
    if (n)
        ul_note(&plan->notes, "unused_tensors",
                "%zu tensors of the file (%.2f MiB) are not loaded: the "
                "engine ignores them",
                n, (double)bytes / (1024.0 * 1024.0));
}

/* src/llama-model-loader.cpp, create_tensor: a tensor put on the CPU while files are mapped. */
static void note_overrides(struct ul_plan *plan, const struct ul_settings *s)
{
    for (size_t i = 0; i < s->n_overrides && plan->place.use_mmap; i++)
        if (strcmp(s->overrides[i].buft, "CPU") == 0)
            ul_note(&plan->notes, "override_mapped",
                    "tensors are overridden to the CPU while the file "
                    "is mapped: the engine suggests -lm none");
}

static void note_model(struct ul_plan *plan)
{
    const struct ul_model *m = plan->model;
    struct ul_notes *n = &plan->notes;
    if (m->file->partial)
        ul_note(n, "partial_file", "tensor data is missing or cut off; the header is whole, so the "
                "figures are those of the whole file");
    if (m->file->imagined)
        ul_note(n, "from_configuration", "no model file was read: this is the model as llama.cpp's "
                "converter would write it from its configuration");
    if (m->old_latent)
        ul_note(n, "old_latent_conversion",
                "an old conversion: its cache holds full keys and values, "
                "%u.%02u times the latent that a new conversion keeps",
                m->old_latent / 100, m->old_latent % 100);
    if (m->n_unknown)
        ul_note(n, "tensors_unknown", "%zu tensors have names that the engine does not know: it "
                "would refuse the file", m->n_unknown);
    note_unused(plan);
    if (!plan->c.flash_attn && ul_n_embd_v_gqa_variable(m) && plan->caches.n)
        ul_note(n, "v_padded", "flash attention is off and layers differ in their values' length: "
                "every layer's V cache is as wide as the widest, %u", ul_n_embd_v_gqa_max(m));
    if (plan->c.swa_full && m->swa_type != UL_SWA_NONE)
        ul_note(n, "swa_full", "--swa-full: windowed layers keep the whole context");
    if (m->arch->memory == UL_MEMORY_MSA && (!plan->c.flash_attn
                                             || (plan->c.kv_unified && plan->c.n_seq_max > 1)))
        ul_note(n, "dense_attention",
                "sparse attention needs flash attention and a stream for each "
                "sequence (no unified cache): the engine runs dense attention");
}

/* Of devices that were named from the catalogue, what their totals rest on. Equal ones once. */
static void note_totals(struct ul_plan *plan, const struct ul_machine *machine)
{
    for (uint32_t i = 0; i < machine->n_gpus; i++) {
        const struct ul_gpu *g = &machine->gpu[i];
        bool again = i > 0 && machine->gpu[i - 1].known == g->known;
        if (g->total_basis && !again)
            ul_note(&plan->notes, "device_total", "%s: total %s", g->name, g->total_basis);
    }
}

static void note_machine(struct ul_plan *plan, const struct ul_machine *machine)
{
    note_totals(plan, machine);
    if (machine->ram.source == ULLAGE_UNKNOWN)
        ul_note(&plan->notes, "host_budget_unknown",
                "the host's memory is not known (--ram): only the GPUs are compared with a budget");
    if (plan->compute.source == ULLAGE_UNKNOWN)
        ul_note(&plan->notes, "compute_unknown",
                "the compute buffers are not known, and not part of the totals: %s",
                plan->compute.why ? plan->compute.why : "no rule");
    if (plan->place.cpu_unknown)
        ul_note(&plan->notes, "cpu_unknown",
                "which weights are repacked depends on the CPU, which is not known (--cpu)");
    if (plan->place.modelled)
        ul_note(&plan->notes, "modelled",
                "some rule used here has not been confirmed by a recorded figure");
}

/* ------------------------------------------------------------------ the plan */

#define DRIVER_STEP ((uint64_t)2 << 20) /* CUDA gives large allocations in such steps */

/* The engine shares the experts' cache among the devices by what the weights and caches left. */
static int cache_experts(struct ul_plan *plan, const struct ul_settings *s, struct ul_arena *a,
                         ullage_error *err)
{
    struct ul_place *p = &plan->place;
    uint64_t taken[UL_MAX_DEVICES] = {0};
    for (size_t i = 0; i < p->n_buffers; i++) {
        int device = p->buft[p->buffers[i].buft].device;
        if (device >= 0 && !p->buffers[i].mapped &&
            p->buft[p->buffers[i].buft].kind == UL_BUFT_DEVICE)
            taken[device] = ul_add(taken[device], ul_pad(p->buffers[i].bytes, DRIVER_STEP));
    }
    for (size_t i = 0; i < plan->caches.n_buffers; i++) {
        const struct ul_cache_buffer *b = &plan->caches.buffer[i];
        if (b->device >= 0)
            taken[b->device] = ul_add(taken[b->device], ul_pad(b->bytes, DRIVER_STEP));
    }
    return ul_place_moe_cache(p, plan->model, s, taken, a, err);
}

/* src/llama-context.cpp, sched_reserve: pipeline parallelism keeps inputs four times; when a device
 * cannot hold these compute buffers the engine goes on without it. What a prompt adds comes
 * later. */
static bool pipeline_fails(const struct ul_plan *plan)
{
    for (size_t i = 0; i + 1 < plan->n_devices; i++) {
        const ullage_device *d = &plan->devices[i];
        uint64_t loaded = d->needed.bytes - d->prompt_peak.bytes - d->workspace.bytes;
        if (ul_add(d->used.bytes, loaded) > d->total.bytes)
            return true;
    }
    return false;
}

static void compute(struct ul_plan *plan, const struct ul_settings *s,
                    const struct ul_machine *machine, struct ul_arena *a)
{
    ul_compute_plan(&plan->compute, plan->model, &plan->c, s, &plan->place, &plan->caches, machine,
                    a);
    ul_ledger_make(plan, s, machine, a);
    if (!plan->c.pipeline_parallel || s->no_alloc || plan->compute.source == ULLAGE_UNKNOWN
        || !pipeline_fails(plan))
        return;
    ul_note(
        &plan->notes, "pipeline_off",
        "the compute buffers of pipeline parallelism do not fit: the engine goes on without it, "
        "and reads prompts more slowly");
    plan->c.pipeline_parallel = false;
    ul_compute_plan(&plan->compute, plan->model, &plan->c, s, &plan->place, &plan->caches, machine,
                    a);
    ul_ledger_make(plan, s, machine, a);
}

static ullage_context public_context(const struct ul_cparams *c)
{
    return (ullage_context){
        .n_ctx = c->n_ctx, .n_ctx_seq = c->n_ctx_seq, .n_seq_max = c->n_seq_max,
        .n_batch = c->n_batch, .n_ubatch = c->n_ubatch, .n_outputs = c->n_outputs_max,
        .kv_unified = c->kv_unified, .flash_attn = c->flash_attn,
        .type_k = ul_type_info(c->type_k)->name, .type_v = ul_type_info(c->type_v)->name};
}

/* -ot can name a GPU that takes no other part (-dev, -sm none, -sm tensor). The engine loads the
 * weights there and then aborts, because no back-end of its scheduler can use them
 * (ggml-backend.cpp, ggml_backend_sched_backend_id_from_cur). */
static int refuse_strangers(const struct ul_place *p, ullage_error *err)
{
    for (size_t i = 0; i < p->n_buffers; i++) {
        const struct ul_buft *b = &p->buft[p->buffers[i].buft];
        if (!b->host && b->gpu >= 0 && b->device == UL_DEV_CPU)
            return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                           "the engine aborts: -ot puts weights on %s, which takes no other part",
                           b->name);
    }
    return ULLAGE_OK;
}

/* What only the graph can tell (llama_context::resolve_fused_ops). The caches are as they were. */
static void resolve_fused(struct ul_plan *plan, const struct ul_machine *machine,
                          struct ul_arena *a)
{
    uint32_t il = 0;
    if (plan->c.probe_fa && !ul_compute_keeps_flash_attn(plan->model, &plan->c, &plan->place,
                                                         &plan->caches, machine, a, &il))
        ul_context_no_flash_attn(&plan->c, il, &plan->notes);
}

/* The draft head is a part of its model: its weights lie where the model's plan has put them. */
static int place(struct ul_plan *plan, const struct ul_settings *s,
                 const struct ul_machine *machine, struct ul_arena *a, ullage_error *err)
{
    const struct ul_plan *target = s->draft_role ? s->draft_role->target : NULL;
    if (!target || target->model != plan->model)
        return ul_place_make(&plan->place, plan->model, s, machine, a, err);
    plan->place = target->place;
    plan->place.n_buffers = 0;
    return ULLAGE_OK;
}

/* What the engine would refuse to load by itself it loads as a draft. */
static const char *refusal(const struct ul_model *m, const struct ul_settings *s)
{
    return s->draft_role && m->arch->draft_only ? NULL : m->refusal;
}

int ul_plan_make(struct ul_plan *plan, const struct ul_model *m, const struct ul_settings *s,
                 const struct ul_machine *machine, struct ul_arena *a, ullage_error *err)
{
    *plan = (struct ul_plan){.model = m, .notes = {.arena = a}, .no_op_offload = s->no_op_offload};
    if (refusal(m, s))
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION, "the engine refuses: %s",
                       m->refusal);
    note_settings(plan, s);
    int code = place(plan, s, machine, a, err);
    if (!code)
        code = refuse_strangers(&plan->place, err);
    if (!code)
        code = ul_context_resolve(&plan->c, m, s, &plan->place, machine, &plan->notes, err);
    if (code)
        return code;
    ul_caches_make(&plan->caches, m, &plan->c, s, &plan->place, a);
    resolve_fused(plan, machine, a);
    code = cache_experts(plan, s, a, err);
    if (!code)
        code = ul_adapters_make(plan, s, a, err);
    if (code)
        return code;
    compute(plan, s, machine, a);
    code = ul_companions_make(plan, s, machine, a, err);
    if (code)
        return code;
    plan->context = public_context(&plan->c);
    list_buffers(plan, s, a);
    list_caches(plan, a);
    list_layers(plan, a);
    list_growth(plan, s);
    note_model(plan);
    note_overrides(plan, s);
    note_machine(plan, machine);
    return ULLAGE_OK;
}
