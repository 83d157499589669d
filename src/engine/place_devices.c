/* Devices and layers: who takes part, and who holds which layer.
 *
 * Layers are laid out from the first one on a GPU over the devices in order, in proportion to what
 * is free on each (or to -ts). The engine compares fractions in single precision, so this does too:
 * a boundary that falls exactly on a layer goes where the rounding puts it. */
#include "engine/place_impl.h"

#include <stdio.h>

/* Devices count within their back-end: the machine's third GPU may be Vulkan0. */
void ul_gpu_name(const struct ul_machine *machine, uint32_t gpu, char *out, size_t size)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < gpu; i++)
        n += machine->gpu[i].backend == machine->gpu[gpu].backend;
    snprintf(out, size, "%s%u", ul_backend_rules[machine->gpu[gpu].backend].name, n);
}

int ul_gpu_by_name(const struct ul_machine *machine, const char *name)
{
    char other[16];
    for (uint32_t i = 0; i < machine->n_gpus; i++) {
        ul_gpu_name(machine, i, other, sizeof other);
        if (strcmp(name, other) == 0)
            return (int)i;
    }
    return -1;
}

static int refuse(struct ul_placer *x, const char *fmt, const char *what)
{
    return ul_fail(x->err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION, fmt, what);
}

/* What a device reports as free: cudaMemGetInfo after this process's own context was made. */
static uint64_t free_bytes(const struct ul_machine *machine, uint32_t gpu)
{
    const struct ul_gpu *g = &machine->gpu[gpu];
    uint64_t taken = ul_add(g->used, ul_machine_runtime(machine, gpu).bytes);
    return g->total > taken ? g->total - taken : 0;
}

/* -dev, or all GPUs. Source: common/arg.cpp, parse_device_list. */
static int list_gpus(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    if (x->s->no_devices)
        return ULLAGE_OK;
    for (size_t i = 0; i < x->s->n_devices; i++) {
        int gpu = ul_gpu_by_name(x->machine, x->s->devices[i]);
        if (gpu < 0)
            return refuse(x, "invalid device: %s", x->s->devices[i]);
        if (p->n_gpus == UL_MAX_DEVICES)
            return refuse(x, "%s: too many devices", "-dev");
        p->gpus[p->n_gpus++] = (uint32_t)gpu;
    }
    if (x->s->n_devices > 0)
        return ULLAGE_OK;
    for (uint32_t i = 0; i < x->machine->n_gpus && i < UL_MAX_DEVICES; i++)
        p->gpus[p->n_gpus++] = i;
    return ULLAGE_OK;
}

/* -sm none keeps one device, or with a negative -mg none. */
static int keep_main(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    if (x->s->split_mode != UL_SPLIT_NONE || p->n_gpus == 0)
        return ULLAGE_OK;
    if (x->s->main_gpu < 0) {
        p->n_gpus = 0;
        return ULLAGE_OK;
    }
    if ((uint32_t)x->s->main_gpu >= p->n_gpus)
        return ul_fail(x->err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "invalid value for main_gpu: %d (available devices: %u)", x->s->main_gpu,
                       p->n_gpus);
    p->gpus[0] = p->gpus[x->s->main_gpu];
    p->n_gpus = 1;
    return ULLAGE_OK;
}

static void add_device(struct ul_placer *x, uint32_t gpu)
{
    struct ul_device *d = &x->p->device[x->p->n_devices++];
    d->backend = x->machine->gpu[gpu].backend;
    d->gpu = gpu;
    d->free_bytes = free_bytes(x->machine, gpu);
    ul_gpu_name(x->machine, gpu, d->name, sizeof d->name);
}

/* One device in front of all GPUs. Source: ggml/src/ggml-backend-meta.cpp. */
static int add_meta(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    if (x->m->arch->no_tensor_split)
        return ul_fail(x->err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "error loading model: LLAMA_SPLIT_MODE_TENSOR not implemented for "
                       "architecture '%.*s'", (int)x->m->arch_name.n, x->m->arch_name.p);
    if (p->n_gpus == 0)
        return refuse(x, "%s needs >= 1 devices", "LLAMA_SPLIT_MODE_TENSOR");
    add_device(x, p->gpus[0]);
    for (uint32_t i = 1; i < p->n_gpus; i++)
        p->device[0].free_bytes = ul_add(p->device[0].free_bytes,
                                         free_bytes(x->machine, p->gpus[i]));
    snprintf(p->device[0].name, sizeof p->device[0].name, "Meta()");
    return ULLAGE_OK;
}

/* Source: src/llama.cpp, llama_prepare_model_devices; -sm row: src/llama-model.cpp,
 * make_gpu_buft_list, with back-ends that have no ggml_backend_split_buffer_type. */
int ul_place_devices(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    int code = list_gpus(x);
    if (code == ULLAGE_OK && x->s->split_mode == UL_SPLIT_TENSOR)
        return add_meta(x);
    if (code == ULLAGE_OK)
        code = keep_main(x);
    if (code != ULLAGE_OK)
        return code;
    for (uint32_t i = 0; i < p->n_gpus; i++)
        add_device(x, p->gpus[i]);
    if (x->s->split_mode == UL_SPLIT_ROW && p->n_devices > 0)
        return refuse(x, "error loading model: device %s does not support split buffers",
                      p->device[0].name);
    return ULLAGE_OK;
}

/* The devices' shares, cumulated and divided by their sum. */
static void split_points(const struct ul_placer *x, float *split)
{
    const struct ul_place *p = x->p;
    bool given = false;
    for (uint32_t i = 0; i < p->n_devices; i++)
        given |= i < x->s->n_tensor_split && x->s->tensor_split[i] != 0.0f;
    float sum = 0.0f;
    for (uint32_t i = 0; i < p->n_devices; i++) {
        float part = (float)p->device[i].free_bytes;
        if (given)
            part = i < x->s->n_tensor_split ? x->s->tensor_split[i] : 0.0f;
        sum += part;
        split[i] = sum;
    }
    for (uint32_t i = 0; i < p->n_devices; i++)
        split[i] /= sum;
}

/* std::upper_bound, halving as it does: with a negative -ts the points are not in order, and the
 * way matters. */
static uint32_t upper_bound(const float *split, uint32_t n, float part)
{
    uint32_t first = 0;
    while (n > 0) {
        uint32_t half = n / 2;
        if (part < split[first + half]) {
            n = half;
        } else {
            first += half + 1;
            n -= half + 1;
        }
    }
    return first;
}

/* Source: src/llama-model.cpp, llama_model_base::load_tensors (get_layer_buft_list) and
 * llama_model::n_gpu_layers. */
int ul_place_layers(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    int n_all = (int)x->m->n_layer_all, wanted = x->s->n_gpu_layers;
    float split[UL_MAX_DEVICES];
    if (wanted < 0 || wanted > n_all + 1)
        wanted = n_all + 1;
    int n = p->n_devices == 0 ? 0 : wanted;
    p->n_gpu_layers = n;
    p->i_gpu_start = n_all + 1 - wanted;
    p->layer_device = UL_NEWS(x->a, int8_t, (size_t)n_all + 1);
    split_points(x, split);
    for (int il = 0; il <= n_all; il++) {
        int at = il - p->i_gpu_start;
        p->layer_device[il] = UL_DEV_CPU;
        if (at < 0 || at >= n)
            continue;
        uint32_t d = upper_bound(split, p->n_devices, (float)at / (float)n);
        if (d == p->n_devices)
            return refuse(x, "error loading model: the layers cannot be split over %s",
                          "devices with no free memory");
        p->layer_device[il] = (int8_t)d;
    }
    return ULLAGE_OK;
}
