/* The projector: its weights in one buffer of the device that runs it, and the compute buffers that
 * its warm-up reserves, for an image of a size that its type fixes. Each encoder of a file has a
 * back-end and a scheduler of its own, over one GPU and the CPU (tools/mtmd/clip.cpp: clip_ctx,
 * clip_model_loader::warmup). A larger image makes the compute buffer anew when it comes. */
#include "engine/companions.h"

#include "arch/clip.h"
#include "graph/sched.h"

struct projector {
    struct ul_plan *plan;
    const struct ul_settings *s;
    const struct ul_machine *machine;
    struct ul_arena *a;
    int gpu;                 /* index into the machine's, -1: the CPU runs it */
    char name[16];           /* of the GPU's buffer type */
};

/* -mmdev, or the first of the devices in use; of those of the machine when none is. */
static int choose_gpu(struct projector *x, ullage_error *err)
{
    const struct ul_place *p = &x->plan->place;
    const char *asked = x->s->mmproj_device;
    x->gpu = -1;
    if (!x->s->no_mmproj_offload && asked)
        x->gpu = ul_gpu_by_name(x->machine, asked);
    if (asked && x->gpu < 0)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION, "invalid device: %s", asked);
    if (!x->s->no_mmproj_offload && !asked && x->machine->n_gpus > 0)
        x->gpu = p->n_gpus > 0 ? (int)p->gpus[0] : 0;
    if (x->gpu >= 0)
        ul_gpu_name(x->machine, (uint32_t)x->gpu, x->name, sizeof x->name);
    return ULLAGE_OK;
}

static enum ul_backend backend_of(const struct projector *x)
{
    return x->gpu >= 0 ? x->machine->gpu[x->gpu].backend : UL_CPU;
}

static const char *buffer_of(const struct projector *x)
{
    return x->gpu >= 0 ? ul_arena_copy(x->a, x->name, strlen(x->name)) : "CPU";
}

static uint64_t weight_bytes(const struct projector *x, const struct ul_clip *c)
{
    enum ul_backend backend = backend_of(x);
    uint64_t sum = 0;
    for (size_t i = 0; i < c->file->n_tensors; i++) {
        const struct ul_gguf_tensor *t = &c->file->tensors[i];
        const int64_t ne[4] = {(int64_t)t->ne[0], (int64_t)t->ne[1], (int64_t)t->ne[2],
                               (int64_t)t->ne[3]};
        uint64_t bytes = x->gpu >= 0 ? ul_alloc_size_of(backend, t->type, ne) : t->bytes;
        if (c->loads[i])
            sum = ul_add(sum, ul_pad(bytes, ul_backend_rules[backend].alignment));
    }
    return sum;
}

/* ------------------------------------------------------------------ compute */

/* What one encoder's scheduler holds: on the GPU, and in the CPU's memory. */
struct held {
    uint64_t gpu, cpu;
    bool flash_attn, known;
};

struct trial {
    struct ul_sched sched;
    struct ul_graph graph;
    struct ul_buffer_type bufts[2];
};

static struct trial *begin(const struct projector *x)
{
    struct trial *t = UL_NEW(x->a, struct trial);
    struct ul_sched *s = &t->sched;
    int n = 0;
    if (x->gpu >= 0) {
        t->bufts[0] = (struct ul_buffer_type){.name = x->name, .backend = backend_of(x),
                                              .device = 0};
        s->backend[n++] = (struct ul_sched_backend){
            .hw = {.backend = backend_of(x), .cc = x->machine->gpu[x->gpu].cc}, .name = x->name};
    }
    t->bufts[n] = (struct ul_buffer_type){.name = "CPU", .backend = UL_CPU, .device = n,
                                          .host = true};
    s->backend[n] = (struct ul_sched_backend){.hw = {.backend = UL_CPU}, .name = "CPU", .buft = n};
    s->n_backends = n + 1;
    s->bufts = t->bufts;
    s->n_copies = 1;
    s->op_offload = true;
    ul_sched_init(s, x->a);
    ul_graph_init(&t->graph, x->a);
    return t;
}

/* Whether the back-end that comes first runs every flash attention of the graph. */
static bool runs_flash_attn(const struct trial *t)
{
    for (int i = 0; i < t->graph.n_nodes; i++)
        if (t->graph.nodes[i]->op == UL_OP_FLASH_ATTN_EXT
            && !ul_supports_op(&t->sched.backend[0].hw, t->graph.nodes[i], NULL))
            return false;
    return true;
}

static int reserve(struct trial *t, const struct ul_clip *c, uint32_t side, bool flash_attn,
                   ullage_error *err)
{
    int code = ul_clip_graph(c, &t->graph, side, c->audio ? c->n_mel : side, 0, flash_attn, err);
    return code ? code : ul_sched_reserve(&t->sched, &t->graph, err);
}

/* Flash attention on auto is tried first; when it does not run, what was reserved for it stays. */
static int warm_up(const struct projector *x, const struct ul_clip *c, uint32_t side,
                   struct held *out, ullage_error *err)
{
    struct trial *t = begin(x);
    out->flash_attn = x->s->flash_attn != UL_OFF;
    int code = reserve(t, c, side, out->flash_attn, err);
    if (!code && x->s->flash_attn == UL_AUTO && !runs_flash_attn(t)) {
        out->flash_attn = false;
        code = reserve(t, c, side, false, err);
    }
    if (code)
        return code;
    out->gpu = x->gpu >= 0 ? ul_sched_bytes(&t->sched, 0) : 0;
    out->cpu = ul_sched_bytes(&t->sched, t->sched.n_backends - 1);
    out->known = true;
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ parts */

static void add(struct projector *x, const char *what, const char *buffer, int gpu,
                ullage_bytes size,
                uint64_t grows)
{
    ul_part_add(&x->plan->beside, (struct ul_part){
        .kind = ULLAGE_PROJECTOR, .what = what, .buffer = buffer, .gpu = gpu, .size = size,
        .grows = {grows, ULLAGE_COMPUTED}, .count = 1});
}

static uint64_t beyond(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* The size of the image decides what the compute buffer takes. */
static void note_image(struct projector *x, const struct ul_clip *c, uint64_t more)
{
    if (more)
        ul_note(&x->plan->notes, "image_size",
                "the projector is warmed up with an image of %ux%u; the "
                "largest, %ux%u, takes %.2f MiB more (--image-max-tokens)", c->warm, c->warm,
                c->largest, c->largest, (double)more / (1024.0 * 1024.0));
}

static void compute(struct projector *x, const struct ul_clip *c)
{
    ullage_error err = {0};
    struct held warm = {0}, large = {0};
    int source = ul_backend_rules[backend_of(x)].modelled ? ULLAGE_MODELLED : ULLAGE_COMPUTED;
    if (warm_up(x, c, c->warm, &warm, &err) == ULLAGE_OK && c->largest > c->warm)
        warm_up(x, c, c->largest, &large, &err);
    if (!warm.known) {
        x->plan->beside.unknown = true;
        source = ULLAGE_UNKNOWN;
        ul_note(&x->plan->notes, "projector_compute_unknown",
                "the projector's compute buffers are not "
                "known, and not part of the totals: %s", err.message);
    }
    if (x->s->no_warmup) { /* nothing is reserved until the first image comes */
        large = warm.known && !large.known ? warm : large;
        warm = (struct held){.known = warm.known};
    }
    if (x->gpu >= 0)
        add(x, "compute", buffer_of(x), x->gpu, (ullage_bytes){warm.gpu, source},
            beyond(large.gpu, warm.gpu));
    if (warm.cpu || !warm.known || x->gpu < 0)
        add(x, "compute", "CPU", -1, (ullage_bytes){warm.cpu, source}, beyond(large.cpu, warm.cpu));
    if (!c->audio)
        note_image(x, c, x->gpu >= 0 ? beyond(large.gpu, warm.gpu) : beyond(large.cpu, warm.cpu));
}

int ul_projector_make(struct ul_plan *plan, const struct ul_settings *s,
                      const struct ul_machine *machine, struct ul_arena *a, ullage_error *err)
{
    struct projector x = {.plan = plan, .s = s, .machine = machine, .a = a};
    const struct ul_companion *file = ul_companion_of(s, ULLAGE_PROJECTOR, 0);
    struct ul_clip c[2];
    int n = 0;
    if (!file || !file->file)
        return ULLAGE_OK;
    int code = choose_gpu(&x, err);
    if (!code)
        code = ul_clip_load(c, &n, file->file, s->image_min_tokens, s->image_max_tokens, a, err);
    for (int i = 0; i < n && !code; i++) {
        bool listed = c[i].row && c[i].row->tensors;
        add(&x, "model", buffer_of(&x), x.gpu,
            (ullage_bytes){weight_bytes(&x, &c[i]), listed ? ULLAGE_COMPUTED : ULLAGE_MODELLED}, 0);
        compute(&x, &c[i]);
    }
    return code;
}
