/* Placement: a buffer type for each weight, then the buffers.
 *
 * For each tensor the engine walks a list of buffer types and takes the first whose device says
 * that it could run the operation that the tensor is used with. A layer on a GPU has that GPU's
 * memory first and the CPU's list behind it; the CPU's list is pinned memory, repacked memory,
 * plain memory. -ot comes before the list. With a mapped file, what would be pinned is plain
 * instead; plain memory is then not allocated but the file's own pages, in one piece for each run
 * of neighbours. */
#include "engine/place_impl.h"

#include <stdio.h>
#include <stdlib.h>

#define LAZY_LEAST ((uint64_t)4 << 30) /* -lzm auto: tensors larger than this */

/* ------------------------------------------------------------------ buffer types */

static const char *const buft_names[] = {
    [UL_BUFT_CPU] = "CPU", [UL_BUFT_REPACK] = "CPU_REPACK", [UL_BUFT_AMX] = "AMX",
    [UL_BUFT_META] = "Meta()",
};

static void name_buft(struct ul_buft *b, const struct ul_machine *machine)
{
    if (b->kind == UL_BUFT_DEVICE)
        ul_gpu_name(machine, (uint32_t)b->gpu, b->name, sizeof b->name);
    else if (b->kind == UL_BUFT_HOST)
        snprintf(b->name, sizeof b->name, "%s", ul_host_buffer_name(b->backend));
    else
        snprintf(b->name, sizeof b->name, "%s", buft_names[b->kind]);
}

int ul_place_buft(struct ul_place *p, enum ul_buft_kind kind, const struct ul_machine *machine,
                  int gpu, int device)
{
    for (uint32_t i = 0; i < p->n_bufts; i++)
        if (p->buft[i].kind == kind && p->buft[i].gpu == gpu)
            return (int)i;
    struct ul_buft *b = &p->buft[p->n_bufts];
    *b = (struct ul_buft){.kind = kind, .device = device, .gpu = gpu,
                          .backend = gpu < 0 ? UL_CPU : machine->gpu[gpu].backend};
    bool device_memory = kind == UL_BUFT_DEVICE || kind == UL_BUFT_META;
    const struct ul_backend_rules *rules = &ul_backend_rules[b->backend];
    b->host = kind == UL_BUFT_CPU || kind == UL_BUFT_HOST;
    b->alignment = device_memory          ? rules->alignment
                   : kind == UL_BUFT_HOST ? rules->host_alignment
                                          : ul_backend_rules[UL_CPU].alignment;
    p->modelled |= device_memory && rules->modelled;
    name_buft(b, machine);
    return (int)p->n_bufts++;
}

/* The first device that has pinned memory gives the host buffer type of all. */
static void host_buft(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    p->host_buft = -1;
    for (uint32_t i = 0; i < p->n_devices && p->host_buft < 0; i++)
        if (ul_host_buffer_name(p->device[i].backend) != NULL)
            p->host_buft =
                ul_place_buft(p, UL_BUFT_HOST, x->machine, (int)p->device[i].gpu, (int)i);
}

/* src/llama-model.cpp: make_cpu_buft_list; ggml-cpu.cpp:
 * ggml_backend_cpu_get_extra_buffer_types. */
static void list_cpu(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    const struct ul_cpu_variant *cpu = NULL;
    if (x->machine->cpu != NULL)
        cpu = ul_cpu_variant_find(x->machine->cpu);
    x->cpu_features = cpu != NULL ? cpu->features : 0;
    x->cpu_modelled = cpu != NULL && !cpu->confirmed;
    if (p->host_buft >= 0 && !x->s->no_host)
        x->cpu_list[x->n_cpu_list++] = p->host_buft;
    if (!x->s->no_repack) {
        if (x->cpu_features & UL_CPU_AMX)
            x->cpu_list[x->n_cpu_list++] =
                ul_place_buft(p, UL_BUFT_AMX, x->machine, -1, UL_DEV_CPU);
        x->cpu_list[x->n_cpu_list++] = ul_place_buft(p, UL_BUFT_REPACK, x->machine, -1, UL_DEV_CPU);
    }
    x->cpu_list[x->n_cpu_list++] = p->cpu_buft;
}

static void list_bufts(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    enum ul_buft_kind kind = x->s->split_mode == UL_SPLIT_TENSOR ? UL_BUFT_META : UL_BUFT_DEVICE;
    p->cpu_buft = ul_place_buft(p, UL_BUFT_CPU, x->machine, -1, UL_DEV_CPU);
    p->device_buft = UL_NEWS(x->a, int, p->n_devices);
    for (uint32_t i = 0; i < p->n_devices; i++)
        p->device_buft[i] = ul_place_buft(p, kind, x->machine, (int)p->device[i].gpu, (int)i);
    host_buft(x);
    list_cpu(x);
}

/* ------------------------------------------------------------------ overrides */

/* Any device's own buffer type can be named, also one that takes no other part.
 * Source: common/arg.cpp, parse_tensor_buffer_overrides. */
static int override_target(struct ul_placer *x, const char *name)
{
    struct ul_place *p = x->p;
    if (strcmp(name, "CPU") == 0)
        return p->cpu_buft;
    int gpu = ul_gpu_by_name(x->machine, name);
    if (gpu >= 0)
        return ul_place_buft(p, UL_BUFT_DEVICE, x->machine, gpu, UL_DEV_CPU);
    ul_fail(x->err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION, "-ot: unknown buffer type \"%s\"",
            name);
    return -1;
}

static int compile_overrides(struct ul_placer *x)
{
    size_t n = x->s->n_overrides;
    x->patterns = UL_NEWS(x->a, struct ul_regex *, n);
    x->targets = UL_NEWS(x->a, int16_t, n);
    for (size_t i = 0; i < n; i++) {
        const struct ul_override *o = &x->s->overrides[i];
        int code = ul_regex_compile(&x->patterns[i], ul_cstr(o->pattern), x->a, x->err);
        if (code != ULLAGE_OK)
            return code;
        int target = override_target(x, o->buft);
        if (target < 0)
            return ULLAGE_ERROR_REFUSED;
        x->targets[i] = (int16_t)target;
    }
    return ULLAGE_OK;
}

/* The buffer type that the first matching pattern names, -1 when none does. */
static int overridden(struct ul_placer *x, const struct ul_weight *w, int *target)
{
    *target = -1;
    for (size_t i = 0; i < x->s->n_overrides; i++) {
        int found = ul_regex_search(x->patterns[i], w->t->name);
        if (found < 0)
            return ul_fail(x->err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                           "-ot: the pattern \"%s\" takes too long to match",
                           x->s->overrides[i].pattern);
        if (found > 0) {
            *target = x->targets[i];
            return ULLAGE_OK;
        }
    }
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ choosing */

static struct ul_answer *answer_of(struct ul_placer *x, int gpu, enum ul_use use,
                                   const struct ul_gguf_tensor *t)
{
    uint64_t h = t->ne[0] * 31 + t->ne[1] * 17 + t->ne[2] + (uint64_t)use * 5 +
                 (uint64_t)t->type * 7 + (uint64_t)gpu;
    return &x->answers[(h ^ h >> 6 ^ h >> 12) % UL_ANSWERS];
}

static bool gpu_takes(struct ul_placer *x, int gpu, enum ul_use use, const struct ul_gguf_tensor *t)
{
    struct ul_answer *a = answer_of(x, gpu, use, t);
    if (a->known && a->use == use && a->type == t->type && a->gpu == gpu &&
        memcmp(a->ne, t->ne, sizeof a->ne) == 0)
        return a->takes;
    struct ul_hw hw = {.backend = x->machine->gpu[gpu].backend, .cc = x->machine->gpu[gpu].cc};
    *a = (struct ul_answer){.use = (uint8_t)use, .type = (uint8_t)t->type, .gpu = (int8_t)gpu,
                            .known = true};
    memcpy(a->ne, t->ne, sizeof a->ne);
    a->takes = ul_device_takes(&hw, use, t->type, t->ne, &x->trial);
    return a->takes;
}

/* Whether a buffer type's device can use the weight. A Meta device asks all its GPUs. */
static bool takes(struct ul_placer *x, int buft, enum ul_use use, const struct ul_gguf_tensor *t)
{
    const struct ul_buft *b = &x->p->buft[buft];
    switch (b->kind) {
    case UL_BUFT_CPU: return true;
    case UL_BUFT_REPACK:
        /* no name: any variant that might repack it leaves the answer open */
        if (x->machine->cpu == NULL && ul_repack_takes(UINT16_MAX, use, t->type, t->ne))
            x->p->cpu_unknown = true;
        return ul_repack_takes(x->cpu_features, use, t->type, t->ne);
    case UL_BUFT_AMX: return ul_amx_takes(use, t->type, t->ne);
    case UL_BUFT_META:
        for (uint32_t i = 0; i < x->p->n_gpus; i++)
            if (!gpu_takes(x, (int)x->p->gpus[i], use, t))
                return false;
        return true;
    default: return gpu_takes(x, b->gpu, use, t);
    }
}

static int choose_cpu(struct ul_placer *x, enum ul_use use, const struct ul_gguf_tensor *t)
{
    for (int i = 0; i < x->n_cpu_list; i++)
        if (takes(x, x->cpu_list[i], use, t))
            return x->cpu_list[i];
    return x->p->cpu_buft;
}

/* src/llama-model-loader.cpp: create_tensor, buft_for_tensor. */
static int choose(struct ul_placer *x, const struct ul_weight *w, enum ul_use use, int device,
                  int *buft)
{
    struct ul_place *p = x->p;
    int target;
    int code = overridden(x, w, &target);
    if (code != ULLAGE_OK)
        return code;
    if (target >= 0)
        *buft = target == p->cpu_buft ? choose_cpu(x, use, w->t) : target;
    else if (device >= 0 && takes(x, p->device_buft[device], use, w->t))
        *buft = p->device_buft[device];
    else
        *buft = choose_cpu(x, use, w->t);
    if (p->use_mmap && p->buft[*buft].kind == UL_BUFT_HOST)
        *buft = p->cpu_buft;
    return ULLAGE_OK;
}

/* A tensor of which single rows are read, that stays in the file: it has a mapping of its own
 * whatever the load mode and -ot say. */
static bool is_lazy(const struct ul_placer *x, const struct ul_weight *w)
{
    if (w->role != UL_ROLE_PER_LAYER_TOKEN_EMBD || !x->m->arch->lazy_per_layer)
        return false;
    return x->s->lazy_mode == UL_ON || (x->s->lazy_mode == UL_AUTO && w->t->bytes > LAZY_LEAST);
}

static int device_of(const struct ul_placer *x, const struct ul_weight *w, int layer)
{
    switch (ul_role_info(w->role)->layer_class) {
    case UL_CLASS_INPUT: return UL_DEV_CPU;
    case UL_CLASS_OUTPUT: return x->p->layer_device[x->m->n_layer_all];
    default: return layer < 0 ? UL_DEV_CPU : x->p->layer_device[layer];
    }
}

/* ------------------------------------------------------------------ tensors */

/* Adds a tensor unless this weight has one in the same buffer type already. (The engine looks when
 * a copy is made, so an architecture that makes the copy first gets both.) */
static void add_tensor(struct ul_placer *x, const struct ul_weight *w, uint32_t first,
                       struct ul_placed t)
{
    struct ul_place *p = x->p;
    for (size_t i = first; i < p->n_tensors && (w->per_layer || !x->m->arch->tied_twice); i++)
        if (p->tensors[i].buft == t.buft)
            return;
    t.weight = w;
    t.copy = p->n_tensors > first;
    p->tensors[p->n_tensors++] = t;
}

static int place_role(struct ul_placer *x, const struct ul_weight *w, uint32_t first, int layer)
{
    int buft = x->p->cpu_buft;
    bool lazy = is_lazy(x, w);
    enum ul_use use = ul_weight_use(x->m, w);
    int code = lazy ? ULLAGE_OK : choose(x, w, use, device_of(x, w, layer), &buft);
    if (code == ULLAGE_OK)
        add_tensor(x, w, first, (struct ul_placed){.layer = layer, .buft = (int16_t)buft,
                                                      .use = use, .lazy = lazy});
    return code;
}

static int place_weight(struct ul_placer *x, size_t index)
{
    const struct ul_weight *w = &x->m->weights[index];
    uint32_t first = (uint32_t)x->p->n_tensors;
    int code = ULLAGE_OK;
    x->p->first[index] = w->skipped ? UINT32_MAX : first;
    if (w->skipped)
        return ULLAGE_OK;
    if (!w->per_layer) {
        code = place_role(x, w, first, w->layer);
    } else {
        for (uint32_t il = 0; il < x->m->n_layer_all && code == ULLAGE_OK; il++)
            if (x->m->layer[il].rope_factors)
                code = place_role(x, w, first, (int)il);
        if (x->p->n_tensors == first)
            x->p->first[index] = UINT32_MAX;
    }
    if (code == ULLAGE_OK && w->twin != NULL)
        code = place_role(x, w->twin, first, w->twin->layer);
    return code;
}

static int place_weights(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    size_t room = x->m->n_weights;
    for (size_t i = 0; i < x->m->n_weights; i++)
        room +=
            (x->m->weights[i].per_layer ? p->n_devices + 1 : 0) + (x->m->weights[i].twin != NULL);
    p->tensors = UL_NEWS(x->a, struct ul_placed, room);
    p->first = UL_NEWS(x->a, uint32_t, x->m->n_weights);
    for (size_t i = 0; i < x->m->n_weights; i++) {
        int code = place_weight(x, i);
        if (code != ULLAGE_OK)
            return code;
    }
    return ULLAGE_OK;
}

int ul_place_of(const struct ul_place *p, const struct ul_model *m, const struct ul_weight *w,
                int layer)
{
    const struct ul_weight *own = w;
    if (w < m->weights || w >= m->weights + m->n_weights) { /* a twin */
        own = NULL;
        for (size_t i = 0; i < m->n_weights && own == NULL; i++)
            if (m->weights[i].twin == w)
                own = &m->weights[i];
    }
    uint32_t first = own != NULL ? p->first[own - m->weights] : UINT32_MAX;
    if (first == UINT32_MAX)
        return -1;
    int device = own == w ? UL_DEV_CPU : p->layer_device[m->n_layer_all];
    if (w->per_layer && layer >= 0)
        device = p->layer_device[layer];
    bool other = own != w || (w->per_layer && layer >= 0);
    /* a copy for another device, or the first one, which serves as well */
    for (size_t i = first; other && i < p->n_tensors; i++) {
        const struct ul_placed *t = &p->tensors[i];
        if (t->weight->t != w->t)
            break;
        const struct ul_buft *b =
            &p->buft[t->buft]; /* pinned memory names its device, but is the host's */
        if ((b->host ? UL_DEV_CPU : b->device) == device || (own != w && t->weight == w))
            return t->buft;
    }
    return p->tensors[first].buft;
}

/* ------------------------------------------------------------------ buffers */

uint64_t ul_padded_bytes(const struct ul_buft *b, enum ul_type type, const uint64_t ne[4])
{
    uint64_t bytes; /* an empty part of a tensor has no values, but its last row's padding */
    if (b->kind == UL_BUFT_AMX) {
        bytes = ul_amx_bytes(type, ne);
    } else {
        const int64_t shape[4] = {(int64_t)ne[0], (int64_t)ne[1], (int64_t)ne[2], (int64_t)ne[3]};
        bytes = ul_alloc_size_of(b->host ? UL_CPU : b->backend, type, shape);
    }
    return ul_pad(bytes, b->alignment);
}

/* One allocation for all tensors of a buffer type, or several where the back-end limits their size.
 * Source: ggml/src/ggml-alloc.c, ggml_backend_alloc_ctx_tensors_from_buft. */
static void allocated(const struct ul_place *p, int buft, struct ul_model_buffer *out)
{
    const struct ul_buft *b = &p->buft[buft];
    uint64_t most = ul_backend_rules[b->backend].max_buffer, current = 0;
    for (size_t i = 0; i < p->n_tensors; i++) {
        const struct ul_placed *t = &p->tensors[i];
        if (t->buft != buft || t->lazy)
            continue;
        uint64_t bytes = ul_padded_bytes(b, t->weight->t->type, t->weight->t->ne);
        if (out->count == 0 || (current > 0 && ul_add(current, bytes) > most)) {
            out->count++;
            out->bytes = ul_add(out->bytes, ul_buft_extra(b));
            current = 0;
        }
        current = ul_add(current, bytes);
        out->bytes = ul_add(out->bytes, bytes);
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct ul_gguf_tensor *x = *(const struct ul_gguf_tensor *const *)a;
    const struct ul_gguf_tensor *y = *(const struct ul_gguf_tensor *const *)b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The mapped pieces: each run of tensors that touch in the file. (In the source that was read there
 * is one piece a file, from the first tensor to the last; the pinned engine leaves out what lies
 * between and is elsewhere, even the padding between two tensors.) */
static void mapped(struct ul_arena *a, const struct ul_place *p, int buft, bool lazy,
                   struct ul_model_buffer *out)
{
    const struct ul_gguf_tensor **list = UL_NEWS(a, const struct ul_gguf_tensor *, p->n_tensors);
    size_t n = 0;
    bool sorted = true;
    for (size_t i = 0; i < p->n_tensors; i++) {
        if (p->tensors[i].buft != buft || p->tensors[i].lazy != lazy)
            continue;
        list[n] = p->tensors[i].weight->t;
        sorted = sorted && (n == 0 || by_offset(&list[n - 1], &list[n]) <= 0);
        n++;
    }
    if (!sorted)
        qsort(list, n, sizeof *list, by_offset);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && list[i] == list[i - 1])
            continue; /* made twice */
        bool touches = i > 0 && list[i]->file == list[i - 1]->file &&
                       list[i]->offset == ul_add(list[i - 1]->offset, list[i - 1]->bytes);
        out->count += !touches;
        out->bytes = ul_add(out->bytes, list[i]->bytes);
    }
}

/* Each GPU's part; the engine prints the largest. */
static int shared(struct ul_placer *x, int buft, struct ul_model_buffer *out)
{
    struct ul_place *p = x->p;
    const struct ul_buft *b = &p->buft[buft];
    uint64_t ne[UL_MAX_DEVICES][4];
    for (size_t i = 0; i < p->n_tensors; i++) {
        const struct ul_placed *t = &p->tensors[i];
        if (t->buft != buft)
            continue;
        int code = ul_meta_shapes(x, t->weight, ne, x->err);
        if (code != ULLAGE_OK)
            return code;
        out->count = 1;
        for (uint32_t j = 0; j < p->n_gpus; j++)
            out->share[j] = ul_add(out->share[j], ul_padded_bytes(b, t->weight->t->type, ne[j]));
    }
    for (uint32_t j = 0; j < p->n_gpus; j++)
        out->bytes = ul_max(out->bytes, out->share[j]);
    return ULLAGE_OK;
}

static const char *mapped_name(struct ul_arena *a, const struct ul_buft *b)
{
    return ul_format(a, "%s_Mapped", b->name);
}

static bool holds_any(const struct ul_place *p, int buft)
{
    for (size_t i = 0; i < p->n_tensors; i++)
        if (p->tensors[i].buft == buft)
            return true;
    return false;
}

static void add_buffer(struct ul_place *p, const struct ul_model_buffer *b)
{
    if (b->count > 0)
        p->buffers[p->n_buffers++] = *b;
}

static int make_buffers(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    p->buffers = UL_NEWS(x->a, struct ul_model_buffer, 2 * p->n_bufts + p->n_devices + 1);
    for (uint32_t i = 0; i < p->n_bufts; i++) {
        const struct ul_buft *b = &p->buft[i];
        bool own = b->kind == UL_BUFT_CPU || b->kind == UL_BUFT_DEVICE;
        struct ul_model_buffer lazy = {.name = mapped_name(x->a, b), .buft = (int16_t)i,
                                       .mapped = true};
        struct ul_model_buffer buffer = lazy;
        if (b->kind == UL_BUFT_CPU && x->m->arch->lazy_per_layer)
            mapped(x->a, p, (int)i, true, &lazy);
        if (p->use_mmap && own && ul_backend_maps_files(b->backend)) {
            mapped(x->a, p, (int)i, false, &buffer);
            buffer.count += lazy.count;
            buffer.bytes = ul_add(buffer.bytes, lazy.bytes);
            add_buffer(p, &buffer);
            continue;
        }
        add_buffer(p, &lazy);
        p->modelled |= x->cpu_modelled && holds_any(p, (int)i) &&
                       (b->kind == UL_BUFT_REPACK || b->kind == UL_BUFT_AMX);
        buffer.name = b->name;
        buffer.mapped = false;
        if (b->kind == UL_BUFT_META) {
            int code = shared(x, (int)i, &buffer);
            if (code != ULLAGE_OK)
                return code;
        } else {
            allocated(p, (int)i, &buffer);
        }
        add_buffer(p, &buffer);
    }
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ sums, and all of it */

static void sum_layers(struct ul_placer *x)
{
    struct ul_place *p = x->p;
    size_t columns = p->n_devices + 1, last = x->m->n_layer_all;
    p->layer_bytes = UL_NEWS(x->a, uint64_t, (last + 1) * columns);
    for (size_t i = 0; i < p->n_tensors; i++) {
        const struct ul_placed *t = &p->tensors[i];
        const struct ul_buft *b = &p->buft[t->buft];
        bool layered = ul_role_info(t->weight->role)->layer_class == UL_CLASS_REPEATING &&
                       t->layer >= 0;
        size_t row = layered ? (size_t)t->layer : last;
        size_t column = b->kind == UL_BUFT_DEVICE || b->kind == UL_BUFT_META ? (size_t)b->device
                                                                             : p->n_devices;
        if (b->device < 0)
            column = p->n_devices;
        uint64_t *sum = &p->layer_bytes[row * columns + column];
        *sum = ul_add(*sum, t->weight->t->bytes);
    }
}

/* src/llama-model-loader.cpp (use_mmap), src/llama-model.cpp (load_tensors: auto). */
static bool uses_mmap(const struct ul_placer *x)
{
    switch (x->s->load_mode) {
    case UL_LOAD_AUTO: case UL_LOAD_MMAP: case UL_LOAD_MMAP_MLOCK: return true;
    default: return false;
    }
}

static struct ul_trial trial_of(const struct ul_model *m)
{
    return (struct ul_trial){
        .n_expert_used = m->router_layer >= 0 ? 1 : m->n_expert_used,
        .ssm_d_state = m->ssm_d_state, .ssm_d_inner = m->ssm_d_inner,
        .ssm_n_group = m->ssm_n_group, .n_embd_head_v = m->n_embd_head_v_full,
        .n_head = m->layer[0].n_head, .n_embd_inp = m->n_embd_inp,
    };
}

int ul_place_make(struct ul_place *p, const struct ul_model *m, const struct ul_settings *s,
                  const struct ul_machine *machine, struct ul_arena *a, ullage_error *err)
{
    *p = (struct ul_place){.n_devices = 0};
    struct ul_placer x = {.p = p, .m = m, .s = s, .machine = machine, .a = a, .err = err,
                          .trial = trial_of(m)};
    p->use_mmap = uses_mmap(&x);
    int code = ul_place_devices(&x);
    if (code == ULLAGE_OK)
        code = ul_place_layers(&x);
    if (code == ULLAGE_OK) {
        list_bufts(&x);
        code = compile_overrides(&x);
    }
    if (code == ULLAGE_OK)
        code = place_weights(&x);
    if (code == ULLAGE_OK)
        code = make_buffers(&x);
    if (code == ULLAGE_OK)
        sum_layers(&x);
    return code;
}
