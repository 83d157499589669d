/* The speed of a model that is known by its published shape alone: a dense decoder or a mixture of
 * experts, all of it on one kind of GPU. The same laws as for a plan (fit/factors.h); what a file
 * would say of its tensors is an average of bits a weight here. */
#include "engine/machine.h"
#include "fit/factors.h"

#define MS 1000.0

/* What a token does on the GPU, by arithmetic. The embedding is read by the row. */
static int work_of(struct ul_speed_work *w, const ullage_shape *s, const char *type, double bits,
                   const char *type_kv, uint32_t depth, ullage_error *err)
{
    ullage_counts c;
    uint64_t cache = 0;
    uint32_t values, bytes;
    uint64_t head = s->head_dim ? s->head_dim : s->n_head ? s->n_embd / s->n_head : 0;
    int code = ullage_shape_counts(s, &c, err);
    if (!code)
        code = ullage_type_block(type, &values, &bytes, err);
    if (!code)
        code = ullage_kv_bytes(s->n_layer, s->n_head_kv, head, head, type_kv, type_kv, depth,
                               &cache, err);
    if (code)
        return code;
    double unused = s->n_expert > s->n_expert_used ? (double)(s->n_expert - s->n_expert_used) : 0;
    double read = (double)c.total - unused * (double)c.expert * (double)s->n_layer
                  - (s->tied ? 0 : (double)c.embedding);
    enum ul_type t = (enum ul_type)ul_type_by_name(ul_cstr(type)); /* known, since its block is */
    *w = (struct ul_speed_work){
        .weight_bytes = read * (bits > 0 ? bits / 8 : (double)bytes / values), .elements = read,
        .cache_bytes = (double)cache,
        .attention_flops = 4.0 * (double)s->n_layer * (double)s->n_head * (double)head * depth,
        .type = ul_weight_class_of(t), .mixers = (uint32_t)s->n_layer,
        .experts = s->n_expert ? (uint32_t)s->n_layer : 0, .flash = true};
    return ULLAGE_OK;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Equal GPUs share the layers and work one after the other: their number costs `further` only. */
static void rate_of(ullage_speed *speed, const struct ul_speed_work *w, const struct ul_machine *m)
{
    const struct ul_gpu *gpu = &m->gpu[0];
    const struct ul_speed_device d = ul_speed_device_of(gpu, 0);
    ullage_speed_part *p = &speed->part[0];
    ullage_rate *r = &speed->generation;
    struct ul_expectation e;
    p->weight_ms = w->weight_bytes / gpu->bandwidth * MS;
    p->cache_ms = w->cache_bytes / gpu->bandwidth * MS;
    r->bound = MS / (p->weight_ms + p->cache_ms);
    if (!ul_expect_token(&e, &d, w, true)) {
        speed->basis = "no measured run tells what such a device reaches: a bound only";
        return;
    }
    speed->basis = ul_rests_on(e.rests);
    p->fixed_ms = e.fixed;
    p->expected_ms = e.ms;
    r->expected = least(MS / e.ms, r->bound);
    r->low = least(MS / e.slow, r->expected);
    r->high = least(MS / e.fast, r->bound);
}

int ullage_shape_speed(ullage_speed *speed, const ullage_shape *shape, const char *type,
                       double bits, const char *type_kv, const char *gpu, uint32_t depth,
                       ullage_error *err)
{
    struct ul_speed_work w;
    ullage_machine *machine = ullage_machine_new();
    *speed = (ullage_speed){.depth = depth, .basis = "", .n_parts = 1};
    if (!machine)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    int code = ullage_machine_add_gpu(machine, gpu, err);
    if (!code)
        code = work_of(&w, shape, type, bits, type_kv, depth, err);
    if (!code) {
        const struct ul_gpu *g = &machine->m.gpu[0];
        w.further = machine->m.n_gpus - 1;
        speed->part[0] = (ullage_speed_part){
            .device = g->known ? g->known->name : "GPU", .bandwidth = g->bandwidth,
            .weight_bytes = (uint64_t)w.weight_bytes, .cache_bytes = (uint64_t)w.cache_bytes};
        if (g->bandwidth > 0)
            rate_of(speed, &w, &machine->m);
        else
            speed->basis = "the bandwidth of a device that takes part is not known";
    }
    ullage_machine_free(machine);
    return code;
}
