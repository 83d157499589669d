/* How fast a plan would run.
 *
 * A token of one sequence reads every weight that takes part once (of experts, the used ones) and
 * the keys and values of all tokens before it. Nothing reads them faster than the memory that holds
 * them, so bytes over bandwidth is a bound. Layers run one after the other, so the devices' times
 * add up; only -sm tensor lets GPUs work at the same time.
 *
 * A real run is slower in ways that measurements tell apart: a fixed time a layer (launching
 * kernels, waiting for the device), the arithmetic of unpacking weights, that of attention. Their
 * factors are fitted to published runs (fit/factors.h), and the expectation is their sum. */
#include "arch/arch.h"
#include "fit/factors.h"
#include "fit/speed.h"

#include "base/size.h"

#define MS 1000.0

/* What is gathered of a device before times are made of it. */
struct work {
    struct ul_speed_work token;
    double all_bytes;     /* weights in its memory, with all experts: what a batch reads */
    const struct ul_gpu *gpu; /* NULL: the host */
    struct ul_speed_device device;
    struct ul_expectation prompt; /* ms a token of what it computes */
    double prompt_best;           /* ms; 0: no rule is known */
};

struct gathering {
    const struct ul_plan *plan;
    const struct ul_machine *machine;
    ullage_speed *speed;
    struct work work[ULLAGE_MAX_PARTS];
    double class_bytes[UL_CLASS_COUNT]; /* of all weights: the largest names the kernels */
};

/* ------------------------------------------------------------------ which device */

/* The part of a device of the placement (an index into ul_place.device). */
static size_t part_of_device(const struct gathering *g, int device)
{
    return device == UL_DEV_CPU ? g->speed->n_parts - 1 : (size_t)device;
}

/* -sm tensor: one device of the engine stands for all GPUs. */
static bool shared(const struct ul_place *p)
{
    return p->n_devices != p->n_gpus;
}

/* A processor that shares its memory with a GPU reads it at most as fast. */
static double host_bandwidth(const struct ul_machine *machine)
{
    double bandwidth = machine->ram_bandwidth;
    for (uint32_t i = 0; bandwidth <= 0 && i < machine->n_gpus; i++)
        if (machine->gpu[i].unified)
            bandwidth = machine->gpu[i].bandwidth;
    return bandwidth;
}

static void name_parts(struct gathering *g)
{
    const struct ul_place *p = &g->plan->place;
    g->speed->n_parts = g->plan->n_devices;
    for (size_t i = 0; i < g->speed->n_parts; i++) {
        ullage_speed_part *part = &g->speed->part[i];
        struct work *w = &g->work[i];
        part->device = g->plan->devices[i].name;
        w->gpu = i < p->n_gpus ? &g->machine->gpu[p->gpus[i]] : NULL;
        w->device = ul_speed_device_of(w->gpu, host_bandwidth(g->machine));
        part->bandwidth = w->device.bandwidth;
        w->token.further = w->gpu && i > 0;
        w->token.flash = g->plan->c.flash_attn;
    }
}

/* ------------------------------------------------------------------ weights */

/* A tied output that shares the embedding's memory is no tensor of its own. */
static bool doubles_as_output(const struct ul_place *p, size_t i)
{
    const struct ul_weight *w = p->tensors[i].weight;
    return w->twin && (i + 1 == p->n_tensors || p->tensors[i + 1].weight != w->twin);
}

/* The share of a tensor that a token reads. Experts: those that the router picks; a table: a
 * row. */
static double share_read(const struct ul_plan *plan, size_t i)
{
    const struct ul_placed *t = &plan->place.tensors[i];
    const struct ul_gguf_tensor *w = t->weight->t;
    double experts = w->ne[2] > 1 ? (double)w->ne[2] : w->ne[1] > 1 ? (double)w->ne[1] : 1;
    double used = plan->model->n_expert_used;
    switch (t->use) {
    case UL_USE_GET_ROWS:
        return doubles_as_output(&plan->place, i) ? 1 : 1 / (double)w->ne[1];
    case UL_USE_MUL_MAT_ID:
    case UL_USE_ADD_ID:
        return used < experts ? used / experts : 1;
    default:
        return 1;
    }
}

/* The draft head's layers are loaded but take no part in plain generation; layers that loop are
 * read again in each round. */
static uint32_t rounds(const struct ul_plan *plan, const struct ul_placed *t)
{
    const struct ul_model *m = plan->model;
    if (t->layer >= 0 && (uint32_t)t->layer >= m->n_layer)
        return 0;
    return t->layer >= 0 && m->num_loops > 1 ? m->num_loops : 1;
}

static void add_weight(struct gathering *g, size_t part, double bytes, double elements, double all)
{
    struct work *w = &g->work[part];
    w->token.weight_bytes += bytes;
    w->token.elements += elements;
    w->all_bytes += all;
}

/* With -sm tensor a weight is divided over the GPUs. */
static void read_weight(struct gathering *g, size_t i)
{
    const struct ul_place *p = &g->plan->place;
    const struct ul_gguf_tensor *w = p->tensors[i].weight->t;
    int device = p->buft[p->tensors[i].buft].device;
    double times = share_read(g->plan, i) * rounds(g->plan, &p->tensors[i]);
    double bytes = (double)w->bytes * times;
    double elements = times * (double)w->ne[0] * (double)w->ne[1] * (double)w->ne[2]
                      * (double)w->ne[3];
    double all = p->tensors[i].use == UL_USE_GET_ROWS && times < 1 ? 0 : (double)w->bytes;
    g->class_bytes[ul_weight_class_of((enum ul_type)w->type)] += (double)w->bytes;
    if (device == UL_DEV_CPU || !shared(p)) {
        add_weight(g, part_of_device(g, device), bytes, elements, all);
        return;
    }
    for (uint32_t k = 0; k < p->n_gpus; k++)
        add_weight(g, k, bytes / p->n_gpus, elements / p->n_gpus, all / p->n_gpus);
}

/* Layers with experts are counted where their experts are. */
static void read_weights(struct gathering *g)
{
    const struct ul_place *p = &g->plan->place;
    int last = -1;
    for (size_t i = 0; i < p->n_tensors; i++) {
        const struct ul_placed *t = &p->tensors[i];
        read_weight(g, i);
        if (t->use == UL_USE_MUL_MAT_ID && t->layer != last && rounds(g->plan, t))
            g->work[part_of_device(g, p->buft[t->buft].device)].token.experts++;
        if (t->use == UL_USE_MUL_MAT_ID)
            last = t->layer;
    }
    enum ul_weight_class most = UL_CLASS_F16;
    for (int c = 0; c < UL_CLASS_COUNT; c++)
        most = g->class_bytes[c] > g->class_bytes[most] ? (enum ul_weight_class)c : most;
    for (size_t i = 0; i < g->speed->n_parts; i++)
        g->work[i].token.type = most;
}

/* ------------------------------------------------------------------ caches */

/* Cells that a token reads of one layer's cache. A compressed cache has fewer cells than tokens. */
static double cells_read(const struct ul_plan *plan, const struct ul_cache *k, double depth)
{
    double cells = k->cells, seen = plan->c.n_ctx_seq ? cells * depth / plan->c.n_ctx_seq : depth;
    if (k->role == UL_CACHE_STATE)
        return 1;
    if (k->role == UL_CACHE_WINDOW)
        seen = depth < plan->model->n_swa ? depth : plan->model->n_swa;
    return seen < cells ? seen : cells;
}

/* Query heads that read one head of the cache; of a latent, all of them. */
static double heads_a_head(const struct ul_model *m, uint32_t il)
{
    const struct ul_layer *l = &m->layer[il];
    return ul_is_mla(m) ? l->n_head : l->n_head_kv ? (double)l->n_head / l->n_head_kv : 0;
}

/* Bytes of one tensor, and the operations on it: a multiply and an add a query head and value. */
static void read_cache(struct gathering *g, const struct ul_cache *k,
                       const struct ul_cache_tensor *t)
{
    const struct ul_place *p = &g->plan->place;
    double cells = cells_read(g->plan, k, g->speed->depth);
    double bytes = (double)ul_row_bytes((enum ul_type)t->type, t->ne[0]) * cells;
    double flops = k->role == UL_CACHE_STATE
                       ? 0 : 2 * heads_a_head(g->plan->model, t->layer) * (double)t->ne[0] * cells;
    bool divided = t->device != UL_DEV_CPU && shared(p);
    uint32_t n = divided ? p->n_gpus : 1;
    for (uint32_t i = 0; i < n; i++) {
        struct work *w = &g->work[divided ? i : part_of_device(g, t->device)];
        w->token.cache_bytes += bytes / n;
        w->token.attention_flops += flops / n;
    }
}

static void read_caches(struct gathering *g)
{
    const struct ul_caches *c = &g->plan->caches;
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = c->cache[i].first; j < c->cache[i].first + c->cache[i].n; j++)
            read_cache(g, &c->cache[i], &c->tensor[j]);
}

/* Layers that attend or keep a state, where they run. */
static void count_layers(struct gathering *g)
{
    const struct ul_model *m = g->plan->model;
    for (uint32_t il = 0; il < m->n_layer; il++) {
        struct work *w = &g->work[part_of_device(g, g->plan->place.layer_device[il])];
        bool state = ul_layer_keeps_state(m, il);
        w->token.mixers += state || ul_layer_keeps_kv(m, il);
        w->token.states += state;
    }
}

/* ------------------------------------------------------------------ the bound */

/* A row of the embedding table is no reason to know nothing. */
#define NOTHING (1 << 20)

/* Sets the parts' bytes and best times. False when a device that takes part has no bandwidth. */
static bool set_bound_times(struct gathering *g)
{
    bool known = true;
    for (size_t i = 0; i < g->speed->n_parts; i++) {
        ullage_speed_part *p = &g->speed->part[i];
        const struct ul_speed_work *w = &g->work[i].token;
        p->weight_bytes = (uint64_t)w->weight_bytes;
        p->cache_bytes = (uint64_t)w->cache_bytes;
        if (p->bandwidth > 0) {
            p->weight_ms = w->weight_bytes / p->bandwidth * MS;
            p->cache_ms = w->cache_bytes / p->bandwidth * MS;
        } else if (w->weight_bytes + w->cache_bytes > NOTHING) {
            known = false;
        }
    }
    return known;
}

/* One device after the other; GPUs that share each layer (-sm tensor) at the same time. */
static double bound_ms(const struct gathering *g)
{
    double sum = 0, most = 0;
    for (size_t i = 0; i < g->speed->n_parts; i++) {
        double ms = g->speed->part[i].weight_ms + g->speed->part[i].cache_ms;
        if (g->work[i].gpu && shared(&g->plan->place))
            most = ms > most ? ms : most;
        else
            sum += ms;
    }
    return sum + most;
}

/* ------------------------------------------------------------------ the expectation */

/* Adds what a part takes to the sums; false when nothing was measured that says it. */
static bool expect_part(const struct work *w, ullage_speed_part *p, struct ul_expectation *sum)
{
    struct ul_expectation e;
    if (w->token.weight_bytes + w->token.cache_bytes <= NOTHING)
        return true;
    if (!ul_expect_token(&e, &w->device, &w->token, true))
        return false;
    p->fixed_ms = e.fixed;
    p->expected_ms = e.ms;
    sum->ms += e.ms;
    sum->fast += e.fast;
    sum->slow += e.slow;
    sum->rests = w->gpu && e.rests > sum->rests ? e.rests : sum->rests;
    return true;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* An expectation is never faster than the bound. */
static void expect(struct gathering *g)
{
    struct ul_expectation sum = {0};
    ullage_rate *r = &g->speed->generation;
    bool known = true, host = false;
    if (shared(&g->plan->place)) {
        g->speed->basis = "no law was fitted for -sm tensor: a bound only";
        return;
    }
    for (size_t i = 0; i < g->speed->n_parts; i++) {
        const struct work *w = &g->work[i];
        known = known && expect_part(w, &g->speed->part[i], &sum);
        host = host || (!w->gpu && w->token.weight_bytes + w->token.cache_bytes > NOTHING);
    }
    if (!known || sum.ms <= 0) {
        g->speed->basis = "no measured run tells what such a device reaches: a bound only";
        return;
    }
    r->expected = least(MS / sum.ms, r->bound);
    r->low = least(MS / sum.slow, r->expected);
    r->high = least(MS / sum.fast, r->bound);
    g->speed->basis = ul_rests_on(sum.rests);
    if (host)
        g->speed->basis = "what the CPU reaches of its memory's bandwidth was measured on few "
                          "machines";
}

/* ------------------------------------------------------------------ prompts */

/* Which device computes with a part's weights: the GPUs their own; the host's go to the first GPU
 * batch by batch over its link, when it takes such work over (src/llama-context.cpp: op_offload;
 * ggml-cuda.cu: offload_op, from 32 tokens on). */
static struct work *computes(struct gathering *g, size_t i)
{
    struct work *w = &g->work[i];
    return w->gpu || g->speed->n_parts == 1 || g->plan->no_op_offload ? w : &g->work[0];
}

struct prompt_known {
    bool best, expected;
};

static void prompt_part(struct gathering *g, size_t i, struct prompt_known *known)
{
    const struct work *w = &g->work[i];
    struct work *by = computes(g, i);
    const struct ul_gpu *gpu = by->gpu;
    double flops = 2 * w->token.elements + w->token.attention_flops;
    g->speed->part[i].prompt_flops = flops;
    if (w->token.weight_bytes + w->token.cache_bytes <= NOTHING)
        return;
    double best = gpu && gpu->known ? ul_best_arithmetic(gpu->known, w->token.type) : 0;
    double link = gpu ? gpu->link : 0, crossing = by == w ? 0 : w->all_bytes;
    const struct ul_prompt_work work = {
        .elements = w->token.elements, .all_bytes = by == w ? w->all_bytes : 0,
        .attention_flops = w->token.attention_flops, .type = w->token.type,
        .mixers = w->token.mixers, .experts = w->token.experts, .batch = g->plan->c.n_ubatch};
    struct ul_expectation e;
    bool expected = gpu && (crossing <= 0 || link > 0)
                    && ul_expect_prompt(&e, &by->device, &work, true);
    known->best = known->best && best > 0;
    known->expected = known->expected && expected;
    by->prompt_best += best > 0 ? flops / best * MS : 0;
    if (!expected)
        return;
    g->speed->part[by - g->work].crossing_bytes += (uint64_t)crossing;
    double across = crossing > 0 ? crossing / link * MS / work.batch : 0;
    by->prompt_best += across;
    by->prompt.ms += e.ms + across;
    by->prompt.fast += e.fast + across;
    by->prompt.slow += e.slow + across;
}

/* The devices' times, one after the other, or where the engine lets them work on different batches
 * at the same time (src/llama-context.cpp, pipeline_parallel): -b holds so many of -ub. */
static struct ul_expectation together(const struct gathering *g)
{
    struct ul_expectation sum = {0}, most = {0};
    const struct ul_cparams *c = &g->plan->c;
    double batches = c->pipeline_parallel && c->n_ubatch ? (double)c->n_batch / c->n_ubatch : 1;
    for (size_t i = 0; i < g->speed->n_parts; i++) {
        const struct ul_expectation *e = &g->work[i].prompt;
        sum.ms += e->ms;
        sum.fast += e->fast;
        sum.slow += e->slow;
        most = e->ms > most.ms ? *e : most;
    }
    return (struct ul_expectation){.ms = ul_pipelined(sum.ms, most.ms, batches),
                                   .fast = ul_pipelined(sum.fast, most.fast, batches),
                                   .slow = ul_pipelined(sum.slow, most.slow, batches)};
}

/* Devices that work at the same time are bound by the one with the most to do. */
static double best_prompt_ms(const struct gathering *g)
{
    bool parallel = g->plan->c.pipeline_parallel || shared(&g->plan->place);
    double sum = 0, most = 0;
    for (size_t i = 0; i < g->speed->n_parts; i++) {
        double ms = g->work[i].prompt_best;
        sum += ms;
        most = ms > most ? ms : most;
    }
    return parallel ? most : sum;
}

/* Batches of -ub tokens. There is no law for the processor, nor for -sm tensor. */
static void expect_prompts(struct gathering *g)
{
    struct prompt_known known = {.best = true, .expected = !shared(&g->plan->place)};
    ullage_rate *r = &g->speed->prompt;
    for (size_t i = 0; i < g->speed->n_parts; i++)
        prompt_part(g, i, &known);
    double best = best_prompt_ms(g);
    struct ul_expectation e = together(g);
    if (known.best && best > 0)
        r->bound = MS / best;
    if (!known.expected || e.ms <= 0)
        return;
    double most = r->bound > 0 ? r->bound : MS / e.fast;
    r->expected = least(MS / e.ms, most);
    r->low = least(MS / e.slow, r->expected);
    r->high = least(MS / e.fast, most);
}

void ul_speed_make(ullage_speed *speed, const struct ul_plan *plan,
                   const struct ul_machine *machine, uint32_t depth)
{
    struct gathering g = {.plan = plan, .machine = machine, .speed = speed};
    if (plan->c.n_ctx_seq && depth > plan->c.n_ctx_seq)
        depth = plan->c.n_ctx_seq; /* a sequence holds no more */
    *speed = (ullage_speed){.depth = depth, .basis = ""};
    name_parts(&g);
    read_weights(&g);
    read_caches(&g);
    count_layers(&g);
    if (!set_bound_times(&g)) {
        speed->basis = "the bandwidth of a device that takes part is not known";
        return;
    }
    double ms = bound_ms(&g);
    if (ms <= 0)
        return;
    speed->generation.bound = MS / ms;
    expect(&g);
    expect_prompts(&g);
}
