/* The compute buffers, by doing what the engine does when it starts: build the graph of the largest
 * prompt batch, split it over the devices, plan its allocation; the same with the smallest
 * generation batch; and the prompt's once more (src/llama-context.cpp:
 * llama_context::sched_reserve, graph_reserve). The bytes are the allocator's; no formula stands
 * beside it. */
#include "engine/compute.h"

#include "arch/build.h"
#include "engine/graph_memory.h"
#include "graph/cuda_pool.h"
#include "graph/dump.h"
#include "graph/ops.h"

#include <stdlib.h>
#include <string.h>

struct reserve {
    const struct ul_model *m;
    const struct ul_cparams *c;
    struct ul_cparams *own; /* the same, for what is decided here */
    const struct ul_place *p;
    struct ul_graph graph;
    struct ul_build build;
    struct ul_memory_desc memory;
    struct ul_buffer_type bufts[UL_MAX_BUFTS];
    struct ul_sched sched;
    int8_t *layer_backend;
    bool unpinned;        /* what the graph pins to a back-end is forgotten before it is split */
    struct ul_text *dump; /* NULL: nobody wants to see the graphs */
    int n_graphs;         /* dumped */
    ullage_error err;
};

/* ------------------------------------------------------------------ devices */

/* The scheduler's back-ends are the devices in order, then the CPU. */
static int backend_of(const struct ul_place *p, int device)
{
    return device == UL_DEV_CPU ? (int)p->n_devices : device;
}

static struct ul_buffer_type buffer_type(const struct ul_place *p, const struct ul_buft *b)
{
    bool extra = b->kind == UL_BUFT_REPACK || b->kind == UL_BUFT_AMX;
    bool stranger = b->device == UL_DEV_CPU && b->kind == UL_BUFT_DEVICE; /* no back-end reads it */
    return (struct ul_buffer_type){.name = b->name,
                                   .backend = b->backend,
                                   .host = b->host,
                                   .extra = extra,
                                   .device = stranger ? -1 : backend_of(p, b->device)};
}

/* llama_context::llama_context, "enumerating backends": the CPU's results go into pinned memory of
 * the first device that has some. */
static void make_backends(struct reserve *r, const int *cc, struct ul_arena *a)
{
    const struct ul_place *p = r->p;
    struct ul_sched *s = &r->sched;
    for (uint32_t i = 0; i < p->n_bufts; i++)
        r->bufts[i] = buffer_type(p, &p->buft[i]);
    for (uint32_t i = 0; i < p->n_devices; i++)
        s->backend[i] = (struct ul_sched_backend){
            .hw = {.backend = p->device[i].backend, .cc = cc[i],
                   .meta = p->buft[p->device_buft[i]].kind == UL_BUFT_META},
            .name = p->device[i].name, .buft = p->device_buft[i]};
    s->backend[p->n_devices] =
        (struct ul_sched_backend){.hw = {.backend = UL_CPU},
                                  .name = "CPU",
                                  .buft = p->host_buft >= 0 ? p->host_buft : p->cpu_buft};
    s->n_backends = (int)p->n_devices + 1;
    s->bufts = r->bufts;
    s->n_copies = r->c->pipeline_parallel ? UL_MAX_COPIES : 1;
    s->op_offload = r->c->op_offload;
    ul_sched_init(s, a);
}

static int place_of(const void *context, const struct ul_weight *w, int layer)
{
    const struct reserve *r = context;
    return ul_place_of(r->p, r->m, w, layer);
}

static void make_build(struct reserve *r, const struct ul_caches *caches, struct ul_arena *a)
{
    const struct ul_place *p = r->p;
    uint32_t n_layer = r->m->n_layer_all;
    ul_graph_init(&r->graph, a);
    ul_graph_memory(&r->memory, caches, r->m, r->c, p, a);
    ul_build_init(&r->build, r->m, r->c, &r->graph, a);
    r->build.memory = &r->memory;
    r->build.place_of = place_of;
    r->build.place_ctx = r;
    r->layer_backend = UL_NEWS(a, int8_t, (size_t)n_layer + 1);
    for (uint32_t il = 0; il <= n_layer; il++)
        r->layer_backend[il] = (int8_t)backend_of(p, p->layer_device[il]);
}

/* ------------------------------------------------------------------ graphs */

/* llama_context::graph_get_cb pins norms to their layer's device when the batch is small or all
 * layers are offloaded. */
static int build(struct reserve *r, uint32_t n_tokens, uint32_t n_seqs, uint32_t n_outputs)
{
    bool all = r->p->n_gpu_layers > (int)r->m->n_layer_all;
    ul_build_batch(&r->build, n_tokens, n_seqs, n_outputs);
    bool pins = !r->unpinned && (all || r->build.n_tokens < 32);
    r->build.layer_backend = pins ? r->layer_backend : NULL;
    r->build.cpu_backend = r->unpinned ? -1 : (int8_t)r->p->n_devices;
    return ul_build_graph(&r->build, &r->err);
}

static int reserve(struct reserve *r, uint32_t n_tokens, uint32_t n_seqs, uint32_t n_outputs)
{
    int code = build(r, n_tokens, n_seqs, n_outputs);
    if (!code)
        code = ul_sched_reserve(&r->sched, &r->graph, &r->err);
    if (!code && r->dump)
        ul_sched_dump(r->dump, r->n_graphs++, &r->sched);
    return code;
}

/* ------------------------------------------------------------------ the runtime pool */

/* Blocks of a flash-attention kernel that fit a multiprocessor. The kernels are written for two
 * (ggml/src/ggml-cuda/fattn-*.cuh, `occupancy`); the driver's answer for a compiled kernel may
 * differ, so what hangs on it is modelled. */
#define FATTN_OCCUPANCY 2

/* The pool of one device after the graph that was split last: its largest node's need, in steps. */
static ullage_bytes pool_of(const struct ul_sched *s, int backend, const struct ul_gpu *gpu,
                            uint64_t *blas)
{
    const struct ul_cuda_device d = {.cc = gpu->cc, .sm = gpu->sm, .occupancy = FATTN_OCCUPANCY};
    const struct ul_alloc_graph *g = &s->split;
    ullage_bytes most = {0, ULLAGE_COMPUTED};
    if (gpu->backend == UL_METAL) /* what it needs for a moment is in the compute buffer */
        return (ullage_bytes){0, ULLAGE_MODELLED};
    if (gpu->backend != UL_CUDA || gpu->cc == 0 || gpu->sm == 0)
        return (ullage_bytes){0, ULLAGE_UNKNOWN};
    for (int i = 0; i < g->n_nodes; i++) {
        bool modelled;
        if (g->node_buffer[i] != backend)
            continue;
        uint64_t bytes = ul_cuda_pool_node(&d, g->nodes[i], &modelled);
        *blas = ul_max(*blas, ul_cuda_blas_node(&d, g->nodes[i]));
        if (bytes > most.bytes)
            most = (ullage_bytes){bytes, modelled ? ULLAGE_MODELLED : ULLAGE_COMPUTED};
    }
    most.bytes = ul_cuda_pool_size(most.bytes);
    return most;
}

static void take_pools(const struct reserve *r, const struct ul_machine *machine,
                       struct ul_compute *out)
{
    for (uint32_t i = 0; i < r->p->n_devices; i++) {
        ullage_bytes pool = pool_of(&r->sched, (int)i, &machine->gpu[r->p->device[i].gpu],
                                    &out->blas[i]);
        if (pool.bytes >= out->pool[i].bytes)
            out->pool[i] = pool;
    }
}

/* The reservations are for all slots at once; a single slot's prompt has the whole batch, and where
 * slots are apart (states, caches of their own) its kernels may take more. */
static void take_pools_of_one(struct reserve *r, const struct ul_machine *machine,
                              struct ul_compute *out, uint32_t n_tokens, uint32_t n_outputs)
{
    if (r->c->n_seq_max < 2 || (r->c->kv_unified && r->memory.state.n_layers == 0))
        return;
    if (build(r, n_tokens, 1, n_outputs) != ULLAGE_OK) {
        for (uint32_t i = 0; i < r->p->n_devices; i++)
            out->pool[i].source = ULLAGE_UNKNOWN;
        return;
    }
    ul_sched_split(&r->sched, &r->graph);
    take_pools(r, machine, out);
}

static uint32_t prompt_tokens(const struct ul_cparams *c)
{
    return c->n_ctx < c->n_ubatch ? c->n_ctx : c->n_ubatch;
}

static uint32_t prompt_outputs(const struct ul_cparams *c)
{
    return prompt_tokens(c) < c->n_outputs_max ? prompt_tokens(c) : c->n_outputs_max;
}

static bool *switch_of(struct ul_cparams *c, uint8_t op)
{
    switch (op) {
    case UL_OP_DSV4_HC_PRE: return &c->fused_dsv4_hc_pre;
    case UL_OP_DSV4_HC_COMB: return &c->fused_dsv4_hc_comb;
    case UL_OP_DSV4_HC_POST: return &c->fused_dsv4_hc_post;
    default: return NULL;
    }
}

/* Some operation of this kind lies on another device than its layer. */
static bool astray(const struct reserve *r, uint8_t op)
{
    for (const struct ul_fused *f = r->build.fused; f != NULL; f = f->next)
        if (f->t->op == op && f->il >= 0 && f->t->backend != r->layer_backend[f->il])
            return true;
    return false;
}

/* src/llama-context.cpp, resolve_fused_ops: a fused operation that the scheduler would put on
 * another device than its layer is spelled out in all layers. One kind after the other, each with a
 * graph of one token a sequence. Kinds of which only the fused form is built are not asked. */
static int resolve_fused(struct reserve *r)
{
    static const uint8_t kinds[] = {UL_OP_DSV4_HC_PRE, UL_OP_DSV4_HC_COMB, UL_OP_DSV4_HC_POST};
    uint32_t n = r->c->n_seq_max;
    bool stale = true;
    for (size_t i = 0; i < sizeof kinds; i++) {
        int code = stale ? build(r, n, n, n) : ULLAGE_OK;
        if (code || r->build.fused == NULL)
            return code;
        if (stale)
            ul_sched_split(&r->sched, &r->graph);
        stale = astray(r, kinds[i]);
        if (stale)
            *switch_of(r->own, kinds[i]) = false;
    }
    return ULLAGE_OK;
}

/* llama_context::sched_reserve. The prompt's graph is planned again only when the generation's made
 * a buffer anew: else nothing changes. Where a sequence's length squared decides, 0.7.0's last
 * reservation is for one sequence that has all tokens of the batch. */
static int reserve_all(struct reserve *r, const struct ul_machine *machine, struct ul_compute *out)
{
    uint32_t n_tokens = prompt_tokens(r->c), n_outputs = prompt_outputs(r->c);
    uint32_t n_seqs = r->c->n_seq_max;
    struct ul_alloc_held before[UL_MAX_BUFFERS];
    int code = r->m->arch->resolves_fused ? resolve_fused(r) : ULLAGE_OK;
    if (!code)
        code = reserve(r, n_tokens, n_seqs, n_outputs);
    if (code)
        return code;
    out->n_nodes[0] = r->sched.n_nodes;
    out->n_splits[0] = r->sched.n_splits;
    take_pools(r, machine, out);
    memcpy(before, r->sched.alloc.held, sizeof before);
    code = reserve(r, n_seqs, n_seqs, n_seqs);
    if (code)
        return code;
    out->n_nodes[1] = r->sched.n_nodes;
    out->n_splits[1] = r->sched.n_splits;
    if (r->m->arch->reserves_one_seq && n_seqs > 1)
        code = reserve(r, n_tokens, 1, n_outputs);
    else if (memcmp(before, r->sched.alloc.held, sizeof before))
        code = reserve(r, n_tokens, n_seqs, n_outputs);
    if (!code)
        take_pools_of_one(r, machine, out, n_tokens, n_outputs);
    return code;
}

/* As --fit measures: the sizes of the prompt's graph alone, and the scheduler is reset between the
 * building of the graph and its split, so that norms and attention are no longer pinned
 * (ggml/src/ggml-backend.cpp, ggml_backend_sched_reserve_size). */
static int measure_all(struct reserve *r)
{
    int code = r->m->arch->resolves_fused ? resolve_fused(r) : ULLAGE_OK;
    r->unpinned = true;
    return code ? code : reserve(r, prompt_tokens(r->c), r->c->n_seq_max, prompt_outputs(r->c));
}

static void take_cc(int *cc, const struct ul_place *p, const struct ul_machine *machine)
{
    for (uint32_t i = 0; i < p->n_devices; i++)
        cc[i] = machine->gpu[p->device[i].gpu].cc;
}

static struct reserve *begin(const struct ul_model *m, const struct ul_cparams *c,
                             const struct ul_place *p, const struct ul_caches *caches,
                             const int *cc, struct ul_arena *a)
{
    struct reserve *r = UL_NEW(a, struct reserve);
    r->m = m;
    r->own = UL_NEW(a, struct ul_cparams);
    *r->own = *c;
    r->c = r->own;
    r->p = p;
    make_backends(r, cc, a);
    make_build(r, caches, a);
    return r;
}

/* llama_context::resolve_fused_ops: a graph of one token a sequence is split, and the device of
 * each fused node compared with its layer's. */
bool ul_compute_keeps_flash_attn(const struct ul_model *m, const struct ul_cparams *c,
                                 const struct ul_place *p, const struct ul_caches *caches,
                                 const struct ul_machine *machine, struct ul_arena *a, uint32_t *il)
{
    int cc[UL_MAX_DEVICES];
    if (m->arch->build == NULL)
        return true;
    take_cc(cc, p, machine);
    struct reserve *r = begin(m, c, p, caches, cc, a);
    if (build(r, c->n_seq_max, c->n_seq_max, c->n_seq_max))
        return true;
    ul_sched_split(&r->sched, &r->graph);
    const struct ul_alloc_graph *g = &r->sched.split;
    for (int i = 0; i < g->n_nodes; i++) {
        const struct ul_tensor *t = g->nodes[i];
        if (t->op != UL_OP_FLASH_ATTN_EXT || t->origin == NULL)
            continue;
        *il = (uint32_t)((const struct ul_layer *)t->origin - m->layer);
        if (g->node_buffer[i] != r->layer_backend[*il])
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------ result */

static void assume(struct ul_compute *out, const struct ul_settings *s, const struct ul_place *p)
{
    out->source = ULLAGE_ASSUMED;
    for (uint32_t i = 0; i < p->n_devices; i++)
        out->device[i] = s->assume_compute;
    if (p->n_devices == 0)
        out->host = s->assume_compute;
}

static const char *not_known(const struct ul_model *m, const struct ul_settings *s)
{
    if (m->arch->build == NULL)
        return "the architecture's graph is not known";
    if (s->split_mode == UL_SPLIT_ROW)
        return "graphs of -sm row are not modelled";
    return NULL;
}

static bool modelled(const struct ul_place *p)
{
    for (uint32_t i = 0; i < p->n_devices; i++)
        if (ul_backend_rules[p->device[i].backend].modelled)
            return true;
    return p->modelled;
}

void ul_compute_plan(struct ul_compute *out, const struct ul_model *m, const struct ul_cparams *c,
                     const struct ul_settings *s, const struct ul_place *p,
                     const struct ul_caches *caches, const struct ul_machine *machine,
                     struct ul_arena *a)
{
    *out = (struct ul_compute){.source = ULLAGE_UNKNOWN, .why = not_known(m, s)};
    if (s->assume_compute != UL_SIZE_OVERFLOW) {
        assume(out, s, p);
        return;
    }
    if (out->why)
        return;
    take_cc(out->cc, p, machine);
    struct reserve *r = begin(m, c, p, caches, out->cc, a);
    if (s->no_alloc ? measure_all(r) : reserve_all(r, machine, out)) {
        out->why = ul_arena_copy(a, r->err.message, strlen(r->err.message));
        return;
    }
    /* a cache of experts adds nodes that are not built here; its recorded bytes agree all the same
     */
    bool exact = !modelled(p) && ul_arch_exact(m->arch) && !s->moe_cache_bytes;
    out->source = exact ? ULLAGE_COMPUTED : ULLAGE_MODELLED;
    out->n_copies = r->sched.n_copies;
    for (uint32_t i = 0; i < p->n_devices; i++)
        out->device[i] = ul_sched_bytes(&r->sched, (int)i);
    out->host = ul_sched_bytes(&r->sched, (int)p->n_devices);
}

int ul_compute_dump(struct ul_text *out, const struct ul_model *m, const struct ul_cparams *c,
                    const struct ul_settings *s, const struct ul_place *p,
                    const struct ul_caches *caches, const struct ul_machine *machine,
                    ullage_error *err)
{
    struct ul_compute unused = {0};
    const char *why = not_known(m, s);
    if (why)
        return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION, "%s", why);
    take_cc(unused.cc, p, machine);
    struct reserve *r = begin(m, c, p, caches, unused.cc, out->arena);
    r->dump = out;
    int code = reserve_all(r, machine, &unused);
    return code ? ul_fail(err, code, ULLAGE_NO_POSITION, "%s", r->err.message) : ULLAGE_OK;
}

/* ------------------------------------------------------------------ what fills a buffer */

static int largest_first(const void *a, const void *b)
{
    const struct ul_alive *x = a, *y = b;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static struct ul_peak peak_of(const struct ul_alive *l, const char *buffer, struct ul_arena *a)
{
    char name[UL_NAME_MAX];
    const struct ul_tensor *t = l->t;
    ul_tensor_name(t, name);
    return (struct ul_peak){.buffer = buffer, .name = ul_arena_copy(a, name, strlen(name)),
                            .op = t->flags & UL_TENSOR_COPY ? "copy" : t->flags & UL_TENSOR_INPUT
                                      ? "input" : ul_op_name(t),
                            .type = ul_type_info(t->type)->name,
                            .ne = {t->ne[0], t->ne[1], t->ne[2], t->ne[3]}, .bytes = l->bytes};
}

static struct ul_peak *list_peak(struct reserve *r, int b, struct ul_peak *out, struct ul_arena *a)
{
    struct ul_alive *alive;
    const char *buffer = r->bufts[r->sched.backend[b].buft].name;
    uint64_t left = ul_sched_bytes(&r->sched, b);
    int n = ul_alloc_alive(&r->sched.alloc, &r->sched.split, b, &alive, &r->err);
    if (n < 0)
        return out;
    qsort(alive, (size_t)n, sizeof *alive, largest_first);
    for (int i = 0; i < n; i++) {
        *out++ = peak_of(&alive[i], buffer, a);
        left -= alive[i].bytes < left ? alive[i].bytes : left;
    }
    if (left)
        *out++ = (struct ul_peak){.buffer = buffer, .name = "free at that moment", .bytes = left};
    return out;
}

/* A buffer is as large as the prompt's graph or the generation's makes it: the first of them that
 * fills it is shown. */
size_t ul_compute_peaks(struct ul_peak **out, const struct ul_compute *k, const struct ul_model *m,
                        const struct ul_cparams *c, const struct ul_place *p,
                        const struct ul_caches *caches, struct ul_arena *a)
{
    bool done[UL_MAX_BACKENDS] = {false};
    struct ul_peak *end = *out = NULL;
    if (k->source != ULLAGE_COMPUTED && k->source != ULLAGE_MODELLED)
        return 0;
    const struct {
        uint32_t tokens, seqs, outputs;
    } batches[] = {{prompt_tokens(c), c->n_seq_max, prompt_outputs(c)},
                   {c->n_seq_max, c->n_seq_max, c->n_seq_max},
                   {prompt_tokens(c), 1, prompt_outputs(c)}};
    for (int g = 0; g < (m->arch->reserves_one_seq ? 3 : 2); g++) {
        struct reserve *r = begin(m, c, p, caches, k->cc, a);
        if (reserve(r, batches[g].tokens, batches[g].seqs, batches[g].outputs))
            continue;
        if (!*out)
            end = *out = UL_NEWS(a, struct ul_peak, 2 * (size_t)r->graph.n_index + 64);
        for (int b = 0; b < r->sched.n_backends; b++) {
            uint64_t want = b == (int)p->n_devices ? k->host : k->device[b];
            if (done[b] || !want || ul_sched_bytes(&r->sched, b) != want)
                continue;
            done[b] = true;
            end = list_peak(r, b, end, a);
        }
    }
    return (size_t)(end - *out);
}
