/* Every buffer is somebody's memory: a GPU's, or the host's (mapped weights and pinned memory too).
 * This file adds them up for each device, adds what is not the model's (the process's own context,
 * what a prompt adds), and compares the sum with what the device can give.
 *
 * A GPU's driver gives memory in steps, so the sum of the parts is less than what is charged; the
 * difference is a part of its own, "rounding". */
#include "engine/ledger.h"

#include "engine/companions.h"
#include "engine/output.h"
#include "graph/device.h"

#define MIB ((uint64_t)1024 * 1024)

/* With -sm tensor over two CUDA GPUs the engine makes its own all-reduce: a buffer on each GPU, and
 * pinned memory (ggml-cuda.cu, ggml_cuda_ar_pipeline_init). */
#define ALLREDUCE_DEVICE (32 * MIB)
#define ALLREDUCE_HOST (2 * (2 * MIB + 32 * MIB) + 2048)

/* cudaMalloc's grain as measured: 2 MiB for requests over 1 MiB, 512 bytes for smaller ones, which
 * share a step. Other back-ends: as asked for. */
uint64_t ul_driver_charge(enum ul_backend backend, uint64_t n)
{
    if (backend != UL_CUDA && backend != UL_ROCM)
        return n;
    return n <= MIB ? ul_pad(n, 512) : ul_pad(n, 2 * MIB);
}

enum part { PART_MODEL, PART_KV, PART_STATE, PART_OUTPUT, PART_COMPUTE };

static ullage_bytes *part_of(ullage_device *d, enum part part)
{
    switch (part) {
    case PART_MODEL: return &d->model;
    case PART_KV: return &d->kv;
    case PART_STATE: return &d->state;
    case PART_OUTPUT: return &d->output;
    default: return &d->compute;
    }
}

/* Adds one allocation to a device's account. */
static void charge(ullage_device *d, enum part part, uint64_t bytes, const struct ul_gpu *gpu)
{
    ullage_bytes *b = part_of(d, part);
    b->bytes = ul_add(b->bytes, bytes);
    if (gpu)
        d->rounding.bytes = ul_add(d->rounding.bytes,
                                   ul_driver_charge(gpu->backend, bytes) - bytes);
}

struct accounts {
    struct ul_plan *plan;
    const struct ul_machine *machine;
};

static ullage_device *host_of(const struct accounts *acc)
{
    return &acc->plan->devices[acc->plan->n_accounts];
}

/* Adds an allocation on a place's device: to one GPU, to each of the Meta device's by its share,
 * or to the host. */
static void charge_device(const struct accounts *acc, int device, enum part part, uint64_t bytes,
                          const uint64_t *share)
{
    const struct ul_place *p = &acc->plan->place;
    if (device == UL_DEV_CPU) {
        charge(host_of(acc), part, bytes, NULL);
    } else if (p->buft[p->device_buft[device]].kind == UL_BUFT_META) {
        for (uint32_t j = 0; j < p->n_gpus; j++)
            charge(&acc->plan->devices[j], part, share ? share[j] : bytes,
                   &acc->machine->gpu[p->gpus[j]]);
    } else {
        charge(&acc->plan->devices[device], part, bytes, &acc->machine->gpu[p->gpus[device]]);
    }
}

static void charge_all(const struct accounts *acc)
{
    const struct ul_plan *plan = acc->plan;
    const struct ul_place *p = &plan->place;
    for (size_t i = 0; i < p->n_buffers; i++) {
        const struct ul_model_buffer *b = &p->buffers[i];
        const struct ul_buft *buft = &p->buft[b->buft];
        charge_device(acc, buft->host ? UL_DEV_CPU : buft->device, PART_MODEL, b->bytes,
                      b->share);
    }
    for (size_t i = 0; i < plan->caches.n_buffers; i++) {
        const struct ul_cache_buffer *b = &plan->caches.buffer[i];
        charge_device(acc, b->device, b->kind == UL_CACHE_KV ? PART_KV : PART_STATE, b->bytes,
                      b->share);
    }
    for (uint32_t i = 0; i < p->n_devices; i++)
        charge_device(acc, (int)i, PART_COMPUTE, plan->compute.device[i], NULL);
    charge(host_of(acc), PART_COMPUTE, plan->compute.host, NULL);
}

static void open_account(ullage_device *d, uint32_t index, const struct ul_machine *machine)
{
    const struct ul_gpu *gpu = &machine->gpu[index];
    d->description = gpu->name;
    d->total = (ullage_bytes){gpu->total, ULLAGE_COMPUTED};
    d->used = (ullage_bytes){gpu->used, ULLAGE_COMPUTED};
    d->runtime = ul_machine_runtime(machine, index);
    d->prompt_peak = gpu->prompt_peak.source != ULLAGE_UNKNOWN ? gpu->prompt_peak
                                                              : machine->prompt_peak;
}

static void open_gpu(ullage_device *d, const struct ul_plan *plan, uint32_t j,
                     const struct ul_machine *machine, struct ul_arena *a)
{
    const struct ul_place *p = &plan->place;
    const struct ul_gpu *gpu = &machine->gpu[p->gpus[j]];
    bool own = p->n_devices == p->n_gpus && p->n_devices > 0
        && p->buft[p->device_buft[j]].kind != UL_BUFT_META;
    open_account(d, p->gpus[j], machine);
    d->name = own ? p->device[j].name
                  : ul_format(a, "%s%u", ul_backend_rules[gpu->backend].name, (unsigned)p->gpus[j]);
    bool measured = gpu->prompt_peak.source != ULLAGE_UNKNOWN;
    bool computed = own && !measured && !machine->prompt_peak_given;
    if (computed && plan->compute.pool[j].source != ULLAGE_UNKNOWN)
        d->prompt_peak = plan->compute.pool[j];
    d->workspace = (ullage_bytes){computed ? plan->compute.blas[j] : 0, ULLAGE_COMPUTED};
}

static void open_host(ullage_device *d, const struct ul_machine *machine)
{
    d->name = "Host";
    d->description = machine->cpu ? machine->cpu : "";
    d->total = machine->ram;
    d->used = (ullage_bytes){0, machine->ram.source};
    d->runtime = d->prompt_peak = d->workspace = (ullage_bytes){0, ULLAGE_COMPUTED};
}

/* The known parts' sources; the compute buffers have one of their own. */
static void set_sources(ullage_device *d, int compute, int base)
{
    d->model.source = d->kv.source = d->state.source = d->output.source = base;
    d->rounding.source = base;
    d->draft.source = d->projector.source = d->adapters.source = ULLAGE_COMPUTED;
    d->compute.source = compute;
}

static uint64_t reserve_of(const struct ul_machine *machine, uint64_t total)
{
    double share = machine->reserve_fraction > 0 ? machine->reserve_fraction * (double)total : 0;
    return ul_add(machine->reserve_bytes, (uint64_t)share);
}

/* The sum of what is known, the budget, and what is left of it. */
static void close_account(ullage_device *d, const struct ul_machine *machine)
{
    const ullage_bytes *parts[] = {&d->model, &d->kv, &d->state, &d->output, &d->compute,
                                   &d->draft, &d->projector, &d->adapters, &d->runtime,
                                   &d->prompt_peak, &d->workspace, &d->rounding};
    uint64_t needed = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]->source != ULLAGE_UNKNOWN)
            needed = ul_add(needed, parts[i]->bytes);
    d->context = (ullage_bytes){ul_add(d->kv.bytes, d->state.bytes), d->kv.source};
    d->needed = (ullage_bytes){needed, ULLAGE_COMPUTED};
    if (d->total.source == ULLAGE_UNKNOWN) {
        d->fits = -1;
        return;
    }
    uint64_t taken = ul_add(d->used.bytes, reserve_of(machine, d->total.bytes));
    d->budget = (ullage_bytes){d->total.bytes > taken ? d->total.bytes - taken : 0,
                               d->total.source};
    d->left_bytes = d->budget.bytes >= needed
                      ? (int64_t)(d->budget.bytes - needed)
                      : -(int64_t)ul_min(needed - d->budget.bytes, INT64_MAX);
    d->fits = d->budget.bytes >= needed;
}

static void verdict(struct ul_plan *plan)
{
    plan->fits = -1;
    for (size_t i = 0; i < plan->n_devices; i++) {
        const ullage_device *d = &plan->devices[i];
        if (d->fits == 0)
            plan->fits = 0;
        else if (d->fits == 1 && plan->fits == -1)
            plan->fits = 1;
    }
}

void ul_ledger_close(struct ul_plan *plan, const struct ul_machine *machine)
{
    for (size_t i = 0; i < plan->n_devices; i++)
        close_account(&plan->devices[i], machine);
    verdict(plan);
}

/* A flag that moves memory by no known rule may load weights, a cache and graphs of its own: the
 * parts that it touches are not known any more, though what was added up stays a lower bound. */
static void forget_parts(struct ul_plan *plan)
{
    for (size_t i = 0; i < plan->n_devices; i++) {
        ullage_device *d = &plan->devices[i];
        d->model.source = d->kv.source = d->context.source = d->compute.source = ULLAGE_UNKNOWN;
    }
}

static void draw_up(struct ul_plan *plan, const struct ul_settings *s,
                    const struct ul_machine *machine, struct ul_arena *a)
{
    struct accounts acc = {plan, machine};
    const struct ul_place *p = &plan->place;
    plan->n_accounts = p->n_gpus;
    plan->n_devices = p->n_gpus + 1;
    plan->devices = UL_NEWS(a, ullage_device, UL_MAX_DEVICES + 1);
    for (uint32_t j = 0; j < p->n_gpus; j++) {
        plan->account[j] = p->gpus[j];
        open_gpu(&plan->devices[j], plan, j, machine, a);
    }
    open_host(host_of(&acc), machine);
    charge_all(&acc);
    host_of(&acc)->output.bytes = ul_output_bytes(p, plan->model, &plan->c,
                                                  s->backend_sampling || plan->c.draft_top_k);
    if (s->split_mode == UL_SPLIT_TENSOR && p->n_gpus == 2
        && machine->gpu[p->gpus[0]].backend == UL_CUDA) {
        for (uint32_t j = 0; j < 2; j++)
            plan->devices[j].runtime.bytes =
                ul_add(plan->devices[j].runtime.bytes, ALLREDUCE_DEVICE);
        host_of(&acc)->runtime.bytes = ALLREDUCE_HOST;
        ul_note(
            &plan->notes, "all_reduce",
            "-sm tensor over two GPUs: 32 MiB on each, and pinned host memory, for the all-reduce");
    }
    int base = p->modelled ? ULLAGE_MODELLED : ULLAGE_COMPUTED;
    for (size_t i = 0; i < plan->n_devices; i++) {
        set_sources(&plan->devices[i], plan->compute.source, base);
        if (p->cpu_unknown && i == p->n_gpus)
            plan->devices[i].model.source = ULLAGE_UNKNOWN;
    }
    ul_ledger_close(plan, machine);
    plan->partial = plan->compute.source == ULLAGE_UNKNOWN || s->n_unmodelled > 0 || p->cpu_unknown;
}

void ul_ledger_make(struct ul_plan *plan, const struct ul_settings *s,
                    const struct ul_machine *machine, struct ul_arena *a)
{
    draw_up(plan, s, machine, a);
    if (s->n_unmodelled)
        forget_parts(plan);
}

/* ------------------------------------------------------------------ companions */

/* The account of a GPU, opened before the host's when no other part needs that GPU. */
static ullage_device *account_of(const struct accounts *acc, uint32_t gpu, struct ul_arena *a)
{
    struct ul_plan *plan = acc->plan;
    char name[16];
    for (uint32_t i = 0; i < plan->n_accounts; i++)
        if (plan->account[i] == gpu)
            return &plan->devices[i];
    uint32_t i = plan->n_accounts++;
    ullage_device *d = &plan->devices[i];
    plan->devices[i + 1] = *d; /* the host moves on */
    plan->n_devices++;
    plan->account[i] = gpu;
    *d = (ullage_device){0};
    open_account(d, gpu, acc->machine);
    ul_gpu_name(acc->machine, gpu, name, sizeof name);
    d->name = ul_arena_copy(a, name, strlen(name));
    d->workspace.source = ULLAGE_COMPUTED;
    d->prompt_peak = (ullage_bytes){0, ULLAGE_COMPUTED};
    set_sources(d, ULLAGE_COMPUTED, ULLAGE_COMPUTED);
    return d;
}

/* Sums keep the weakest of their parts' sources. */
static void sum(ullage_bytes *to, ullage_bytes b)
{
    static const int rank[] = {[ULLAGE_UNKNOWN] = 3, [ULLAGE_COMPUTED] = 0, [ULLAGE_MODELLED] = 1,
                               [ULLAGE_ASSUMED] = 2, [ULLAGE_SIMULATED] = 0, [ULLAGE_MEASURED] = 0};
    to->bytes = ul_add(to->bytes, b.bytes);
    if (b.bytes && (to->bytes == b.bytes || rank[b.source] > rank[to->source]))
        to->source = b.source;
}

/* A context of its own brings its back-end's pool and cuBLAS handle along. */
static void add_draft(const struct accounts *acc, const struct ul_plan *d, struct ul_arena *a)
{
    for (size_t i = 0; i < d->n_devices; i++) {
        const ullage_device *from = &d->devices[i];
        bool host = i + 1 == d->n_devices;
        ullage_device *to = host ? host_of(acc) : account_of(acc, d->account[i], a);
        const ullage_bytes *parts[] = {&from->model, &from->kv, &from->state, &from->output,
                                       &from->compute};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            sum(&to->draft, *parts[k]);
        to->rounding.bytes = ul_add(to->rounding.bytes, from->rounding.bytes);
        if (host || acc->machine->prompt_peak_given)
            continue;
        sum(&to->prompt_peak, from->prompt_peak);
        sum(&to->workspace, from->workspace);
    }
}

static ullage_bytes *part_of_kind(ullage_device *d, int kind)
{
    return kind == ULLAGE_DRAFT_MODEL ? &d->draft : kind == ULLAGE_PROJECTOR ? &d->projector
                                                                            : &d->adapters;
}

static void add_part(const struct accounts *acc, const struct ul_part *part, struct ul_arena *a)
{
    ullage_device *d = part->gpu < 0 ? host_of(acc) : account_of(acc, (uint32_t)part->gpu, a);
    sum(part_of_kind(d, part->kind), part->size);
    if (part->gpu >= 0 && !acc->machine->prompt_peak_given)
        sum(&d->prompt_peak, part->grows);
    if (part->gpu >= 0)
        d->rounding.bytes = ul_add(d->rounding.bytes, ul_driver_charge(
            acc->machine->gpu[part->gpu].backend, part->size.bytes) - part->size.bytes);
}

/* Nobody knows where files that were not opened would lie. */
static void forget_missing(struct ul_plan *plan, const struct ul_settings *s)
{
    for (size_t i = 0; i < s->n_companions; i++)
        for (size_t k = 0; !s->companions[i].file && k < plan->n_devices; k++)
            part_of_kind(&plan->devices[k], s->companions[i].kind)->source = ULLAGE_UNKNOWN;
}

void ul_ledger_add(struct ul_plan *plan, const struct ul_settings *s,
                   const struct ul_machine *machine, struct ul_arena *a)
{
    struct accounts acc = {plan, machine};
    const struct ul_companions *c = &plan->beside;
    if (!c->draft && c->n_parts == 0 && !c->unknown)
        return;
    draw_up(plan, s, machine, a);
    if (c->draft)
        add_draft(&acc, c->draft, a);
    for (size_t i = 0; i < c->n_parts; i++)
        add_part(&acc, &c->part[i], a);
    for (size_t i = 0; i < plan->n_devices; i++)
        close_account(&plan->devices[i], machine);
    verdict(plan);
    forget_missing(plan, s);
    plan->partial = plan->partial || c->unknown || (c->draft && c->draft->partial);
    if (s->n_unmodelled)
        forget_parts(plan);
}
