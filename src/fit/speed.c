/* How fast a plan would run.
 *
 * A token of one sequence reads every weight that takes part once (of experts, the used ones) and
 * the keys and values of all tokens before it. Nothing reads them faster than the memory that holds
 * them, so bytes over bandwidth is a bound. Layers run one after the other, so the devices' times
 * add up; only -sm tensor lets GPUs work at the same time.
 *
 * A real run is slower in three ways that measurements tell apart: a fixed time a layer (launching
 * kernels, waiting for the device), a share of the bandwidth that the kernels of a weight type
 * reach, and another that attention reaches. These factors are fitted (fit/factors.h). */
#include "fit/speed.h"

#include "base/size.h"

#define MS 1000.0

/* ------------------------------------------------------------------ which device */

/* The part of a device of the placement (an index into ul_place.device). */
static size_t part_of_device(const ullage_speed *speed, int device)
{
    return device == UL_DEV_CPU ? speed->n_parts - 1 : (size_t)device;
}

static void name_parts(ullage_speed *speed, const struct ul_plan *plan,
                       const struct ul_machine *machine)
{
    speed->n_parts = plan->n_devices;
    for (size_t i = 0; i < speed->n_parts; i++) {
        ullage_speed_part *p = &speed->part[i];
        p->device = plan->devices[i].name;
        p->bandwidth = i < plan->place.n_gpus ? machine->gpu[plan->place.gpus[i]].bandwidth
                                              : machine->ram_bandwidth;
        /* A processor that shares its memory with a GPU reads it at most as fast. */
        for (uint32_t g = 0; i == plan->place.n_gpus && p->bandwidth <= 0 && g < machine->n_gpus; g++)
            if (machine->gpu[g].unified)
                p->bandwidth = machine->gpu[g].bandwidth;
    }
}

/* ------------------------------------------------------------------ weights */

/* A tied output that shares the embedding's memory is no tensor of its own. */
static bool doubles_as_output(const struct ul_place *p, size_t i)
{
    const struct ul_weight *w = p->tensors[i].weight;
    return w->twin && (i + 1 == p->n_tensors || p->tensors[i + 1].weight != w->twin);
}

/* Bytes of a tensor that one token reads. Experts: those that the router picks; a table: one row. */
static uint64_t bytes_read(const struct ul_plan *plan, size_t i)
{
    const struct ul_placed *t = &plan->place.tensors[i];
    const struct ul_gguf_tensor *w = t->weight->t;
    uint64_t experts = w->ne[2] > 1 ? (uint64_t)w->ne[2] : w->ne[1] > 1 ? (uint64_t)w->ne[1] : 1;
    switch (t->use) {
    case UL_USE_GET_ROWS:
        return doubles_as_output(&plan->place, i) ? w->bytes : w->bytes / (uint64_t)w->ne[1];
    case UL_USE_MUL_MAT_ID:
    case UL_USE_ADD_ID:
        return w->bytes / experts * ul_min(experts, plan->model->n_expert_used);
    default:
        return w->bytes;
    }
}

/* The draft head's layers are loaded but take no part in plain generation; layers that loop are
 * read again in each round. */
static uint64_t rounds(const struct ul_plan *plan, const struct ul_placed *t)
{
    const struct ul_model *m = plan->model;
    if (t->layer >= 0 && (uint32_t)t->layer >= m->n_layer)
        return 0;
    return t->layer >= 0 && m->num_loops > 1 ? m->num_loops : 1;
}

/* With -sm tensor a weight is divided over the GPUs as the model's buffer is. */
static void read_weight(ullage_speed *speed, const struct ul_plan *plan, int device, uint64_t bytes)
{
    const struct ul_place *p = &plan->place;
    if (device == UL_DEV_CPU || p->n_devices == p->n_gpus) {
        ullage_speed_part *part = &speed->part[part_of_device(speed, device)];
        part->weight_bytes = ul_add(part->weight_bytes, bytes);
        return;
    }
    for (uint32_t g = 0; g < p->n_gpus; g++)
        speed->part[g].weight_bytes = ul_add(speed->part[g].weight_bytes, bytes / p->n_gpus);
}

static void read_weights(ullage_speed *speed, const struct ul_plan *plan)
{
    const struct ul_place *p = &plan->place;
    for (size_t i = 0; i < p->n_tensors; i++)
        read_weight(speed, plan, p->buft[p->tensors[i].buft].device,
                    ul_mul(bytes_read(plan, i), rounds(plan, &p->tensors[i])));
}

/* ------------------------------------------------------------------ caches */

/* Cells that a token reads of one layer's cache. A compressed cache has fewer cells than tokens. */
static uint64_t cells_read(const struct ul_plan *plan, const struct ul_cache *k, uint32_t depth)
{
    uint64_t cells = k->cells;
    if (k->role == UL_CACHE_STATE)
        return 1;
    if (k->role == UL_CACHE_WINDOW)
        return ul_min(ul_min(cells, depth), plan->model->n_swa);
    return ul_min(cells, cells * (uint64_t)depth / (plan->c.n_ctx_seq ? plan->c.n_ctx_seq : 1));
}

static void read_caches(ullage_speed *speed, const struct ul_plan *plan, uint32_t depth)
{
    const struct ul_place *p = &plan->place;
    for (size_t i = 0; i < plan->caches.n; i++) {
        const struct ul_cache *k = &plan->caches.cache[i];
        for (size_t j = k->first; j < k->first + k->n; j++) {
            const struct ul_cache_tensor *t = &plan->caches.tensor[j];
            uint64_t bytes = ul_mul(ul_row_bytes((enum ul_type)t->type, t->ne[0]),
                                    cells_read(plan, k, depth));
            if (t->device != UL_DEV_CPU && p->n_devices != p->n_gpus) {
                for (uint32_t g = 0; g < p->n_gpus; g++)
                    speed->part[g].cache_bytes += bytes / p->n_gpus;
                continue;
            }
            ullage_speed_part *part = &speed->part[part_of_device(speed, t->device)];
            part->cache_bytes = ul_add(part->cache_bytes, bytes);
        }
    }
}

/* ------------------------------------------------------------------ times */

/* Sets the parts' times. False when a device that reads something has no known bandwidth. */
static bool set_bound_times(ullage_speed *speed)
{
    bool known = true;
    for (size_t i = 0; i < speed->n_parts; i++) {
        ullage_speed_part *p = &speed->part[i];
        if (p->bandwidth > 0) {
            p->weight_ms = (double)p->weight_bytes / p->bandwidth * MS;
            p->cache_ms = (double)p->cache_bytes / p->bandwidth * MS;
        } else if (p->weight_bytes + p->cache_bytes > UINT64_C(1) << 20) {
            known = false; /* a row of the embedding table is no reason to know nothing */
        }
    }
    return known;
}

/* One device after the other; GPUs that share each layer (-sm tensor) at the same time. */
static double bound_ms(const ullage_speed *speed, const struct ul_place *p)
{
    bool together = p->n_devices != p->n_gpus;
    double sum = 0, most = 0;
    for (size_t i = 0; i < speed->n_parts; i++) {
        double ms = speed->part[i].weight_ms + speed->part[i].cache_ms;
        bool gpu = i + 1 < speed->n_parts;
        if (gpu && together)
            most = ms > most ? ms : most;
        else
            sum += ms;
    }
    return sum + most;
}

void ul_speed_make(ullage_speed *speed, const struct ul_plan *plan,
                   const struct ul_machine *machine, uint32_t depth)
{
    *speed = (ullage_speed){.depth = depth, .basis = ""};
    name_parts(speed, plan, machine);
    read_weights(speed, plan);
    read_caches(speed, plan, depth);
    if (!set_bound_times(speed)) {
        speed->basis = "a bandwidth is not known";
        return;
    }
    double ms = bound_ms(speed, &plan->place);
    if (ms > 0)
        speed->generation.bound = MS / ms;
}
