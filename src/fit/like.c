/* What llama-server would choose by itself (--fit), step by step as the engine does it, its
 * straight line between two contexts and its false positions included: not the best, but what
 * happens. Source: common/fit.cpp, common_params_fit_impl; memory is measured without allocating
 * anything, so as the plain sums of a plan, unrounded, with pipeline parallelism where it is on.
 * Recurrent states alone are allocated all the same (src/llama-memory-recurrent.cpp), and so are
 * missing from what the driver calls free meanwhile. */
#include "fit/like.h"

#include "base/size.h"
#include "engine/companions.h"
#include "engine/ledger.h"

#define MIB ((int64_t)1 << 20)
#define MOST ((uint64_t)1 << 44) /* more than any memory: so that sums and products stay in range */

enum fraction { FRACTION_NONE, FRACTION_ATTN, FRACTION_UP, FRACTION_GATE, FRACTION_MOE };

/* A device's share: its layers, and how many of the last of them keep their experts elsewhere; of
 * these the first may keep more. */
struct share {
    uint32_t layers, part;
    enum fraction overflow;
};

struct like {
    struct ul_like *out;
    const struct ul_model *m;
    const struct ul_settings *base;
    const struct ul_machine *machine;
    struct ul_arena *a, *scratch;
    ullage_error *err;
    int code;
    uint32_t devices, layers, streams, context;
    uint32_t pools; /* memories that are compared: the devices, or the host where there is none */
    int64_t target[UL_MAX_DEVICES], margin[UL_MAX_DEVICES];
    int64_t first_free[UL_MAX_DEVICES]; /* of the first plan: targets rest on it */
    /* of the last plan; one more for what is on no device of the model's */
    int64_t used[UL_MAX_DEVICES + 1], model[UL_MAX_DEVICES + 1], free[UL_MAX_DEVICES + 1];
    int64_t beside[UL_MAX_DEVICES]; /* the projector's: left free like a margin */
    char name[UL_MAX_DEVICES][16];
};

struct layout {
    struct share share[UL_MAX_DEVICES];
    int overflow_to[UL_MAX_DEVICES]; /* a device, or -1: the host */
    int64_t used[UL_MAX_DEVICES];
};

/* ------------------------------------------------------------------ measuring */

static int64_t bounded(uint64_t bytes)
{
    return (int64_t)ul_min(bytes, MOST);
}

/* 0: unknown. Where only what the host can give is known, that stands for all it has. */
static uint64_t host_total(const struct ul_machine *m)
{
    return m->ram_total ? m->ram_total : m->ram.source == ULLAGE_UNKNOWN ? 0 : m->ram.bytes;
}

/* Without devices the host's memory counts, all of it free, and of what it holds the plain and the
 * pinned buffers: repacked weights are no host memory to the engine. */
static void add_host(struct like *x, const struct ul_plan *plan)
{
    const struct ul_place *p = &plan->place;
    x->free[0] = bounded(host_total(x->machine));
    x->used[0] = bounded(plan->compute.host);
    for (size_t i = 0; i < p->n_buffers; i++)
        if (p->buft[p->buffers[i].buft].host)
            x->used[0] += bounded(p->buffers[i].bytes);
    for (size_t i = 0; i < plan->caches.n_buffers; i++)
        x->used[0] += bounded(plan->caches.buffer[i].bytes);
    memcpy(x->name[0], "the host", sizeof "the host");
}

/* A plan's buffers on the devices, those of weights apart too. */
static void add_buffers(struct like *x, const struct ul_plan *plan, const uint32_t *at)
{
    const struct ul_place *p = &plan->place;
    for (uint32_t d = 0; d < p->n_devices; d++)
        x->used[at[d]] += bounded(plan->compute.device[d]);
    for (size_t i = 0; i < p->n_buffers; i++) {
        const struct ul_buft *b = &p->buft[p->buffers[i].buft];
        if (b->host || b->device < 0)
            continue;
        x->used[at[b->device]] += bounded(p->buffers[i].bytes);
        x->model[at[b->device]] += bounded(p->buffers[i].bytes);
    }
    for (size_t i = 0; i < plan->caches.n_buffers; i++) {
        const struct ul_cache_buffer *b = &plan->caches.buffer[i];
        if (b->device < 0)
            continue;
        x->used[at[b->device]] += bounded(b->bytes);
        if (b->kind != UL_CACHE_KV) /* really allocated, while free memory is asked for */
            x->free[at[b->device]] -=
                bounded(ul_driver_charge(p->device[b->device].backend, b->bytes));
    }
}

/* common_params_fit_impl, add_extra_memory: the draft counts where the model's devices are its
 * own. */
static void add_draft(struct like *x, const struct ul_plan *plan, const struct ul_plan *draft)
{
    uint32_t at[UL_MAX_DEVICES];
    for (uint32_t d = 0; d < draft->place.n_devices; d++) {
        at[d] = UL_MAX_DEVICES; /* elsewhere: counted by nobody */
        for (uint32_t k = 0; k < plan->place.n_devices; k++)
            if (plan->place.device[k].gpu == draft->place.device[d].gpu)
                at[d] = k;
    }
    add_buffers(x, draft, at);
}

/* What the server adds to the margins before it fits (server-context.cpp, load_model). */
static void add_projector(struct like *x, const struct ul_plan *plan)
{
    for (size_t i = 0; i < plan->beside.n_parts; i++)
        for (uint32_t d = 0; d < plan->place.n_devices; d++)
            if (plan->beside.part[i].kind == ULLAGE_PROJECTOR
                && plan->beside.part[i].gpu == (int)plan->place.device[d].gpu)
                x->beside[d] += bounded(plan->beside.part[i].size.bytes);
}

static void add_devices(struct like *x, const struct ul_plan *plan)
{
    const struct ul_place *p = &plan->place;
    uint32_t at[UL_MAX_DEVICES];
    for (uint32_t d = 0; d < p->n_devices; d++) {
        at[d] = d;
        x->used[d] = x->model[d] = x->beside[d] = 0;
        x->free[d] = bounded(p->device[d].free_bytes);
        memcpy(x->name[d], p->device[d].name, sizeof x->name[d]);
    }
    add_buffers(x, plan, at);
    if (plan->beside.draft)
        add_draft(x, plan, plan->beside.draft);
    add_projector(x, plan);
}

static void add_up(struct like *x, const struct ul_plan *plan)
{
    x->devices = plan->place.n_devices;
    x->pools = x->devices ? x->devices : 1;
    if (x->devices)
        add_devices(x, plan);
    else
        add_host(x, plan);
}

static void measure(struct like *x, struct ul_settings *s)
{
    struct ul_plan *plan = UL_NEW(x->scratch, struct ul_plan);
    s->no_alloc = true;
    s->load_mode = UL_LOAD_NONE;
    s->fit = false;
    if (x->context) {
        s->ctx_given = true;
        s->n_ctx = x->context;
    }
    if (x->code == ULLAGE_OK)
        x->code = ul_plan_make(plan, x->m, s, x->machine, x->scratch, x->err);
    if (x->code == ULLAGE_OK) {
        add_up(x, plan);
        x->out->partial |= plan->compute.source == ULLAGE_UNKNOWN;
        x->streams = plan->c.kv_unified ? 1 : plan->c.n_seq_max;
    }
    ul_arena_reset(x->scratch);
}

static int64_t sum_of(const struct like *x, const int64_t *v)
{
    int64_t sum = 0;
    for (uint32_t d = 0; d < x->pools; d++)
        sum += v[d];
    return sum;
}

/* ------------------------------------------------------------------ layouts as settings */

static const char *pattern_of(struct ul_arena *a, uint32_t il, enum fraction part)
{
    static const char *const ends[] = {
        [FRACTION_ATTN] = "ffn_(gate|up|gate_up|down).*",
        [FRACTION_UP] = "ffn_(gate|gate_up|down).*",
        [FRACTION_GATE] = "ffn_down.*", [FRACTION_MOE] = "ffn_(up|down|gate_up|gate)_(ch|)exps"};
    return ul_format(a, "blk\\.%u\\.%s", il, ends[part]);
}

/* set_ngl_tensor_split_tbo. Lists go to the arena `a`. */
static struct ul_settings settings_of(const struct like *x, const struct layout *l,
                                      struct ul_arena *a)
{
    struct ul_settings s = *x->base;
    uint32_t ngl = 0;
    for (uint32_t d = 0; d < x->devices; d++)
        ngl += l->share[d].layers;
    s.ngl_given = true;
    s.n_gpu_layers = (int)ngl;
    s.n_tensor_split = x->devices > 1 ? x->devices : s.n_tensor_split;
    s.overrides = UL_NEWS(a, struct ul_override, x->layers + 2);
    s.n_overrides = 0;
    uint32_t il = x->layers + 1 - ngl;
    for (uint32_t d = 0; d < x->devices; d++) {
        const struct share *h = &l->share[d];
        if (x->devices > 1)
            s.tensor_split[d] = (float)h->layers;
        il += h->layers - h->part;
        for (uint32_t i = 0; i < h->part; i++, il++) {
            int to = i ? -1 : l->overflow_to[d];
            s.overrides[s.n_overrides++] = (struct ul_override){
                .pattern = pattern_of(a, il, i ? FRACTION_MOE : h->overflow),
                .buft = to < 0 ? "CPU" : ul_arena_copy(a, x->name[to], strlen(x->name[to]))};
        }
    }
    return s;
}

static void measure_layout(struct like *x, struct layout *l)
{
    struct ul_settings s = settings_of(x, l, x->scratch);
    measure(x, &s);
    memcpy(l->used, x->used, sizeof l->used);
}

/* ------------------------------------------------------------------ the context */

/* Step 2: a straight line between the shortest and the longest context. True: nothing else is to be
 * done. */
static bool shorten(struct like *x, uint32_t most, uint32_t least, const int64_t *full)
{
    int64_t used_full = sum_of(x, full), target = sum_of(x, x->first_free) - sum_of(x, x->margin);
    if (x->devices > 1) {
        uint32_t ngl = x->base->n_gpu_layers < 0 ? UINT32_MAX : (uint32_t)x->base->n_gpu_layers;
        int64_t layer = sum_of(x, x->model) / (int64_t)ul_max(1, ul_min(ngl, x->layers));
        target -= (int64_t)(x->devices + 1) * layer / (x->m->n_expert == 0 ? 2 : 6);
    }
    struct ul_settings s = *x->base;
    x->context = least;
    measure(x, &s);
    int64_t used_least = sum_of(x, x->used);
    if (target <= used_least)
        return false;
    uint32_t align = 256 * x->streams;
    uint64_t product = (uint64_t)(most - least) * (uint64_t)(target - used_least);
    x->context += (uint32_t)((int64_t)product / (used_full - used_least));
    x->context = (uint32_t)ul_max(x->context - x->context % align, least);
    return x->devices <= 1;
}

/* ------------------------------------------------------------------ the layers */

/* Between two layouts of one device: where a line from what is used with the one to what is used
 * with the other meets the target, at least one layer away from both. Where layers take nothing the
 * engine would divide by nothing. */
static uint32_t step_of(const struct like *x, uint32_t d, uint32_t delta, int64_t low, int64_t high)
{
    int64_t step = high == low ? 1 : (int64_t)delta * (x->target[d] - low) / (high - low);
    uint32_t n = (uint32_t)step; /* as the engine converts it */
    return n < 1 ? 1 : n > delta - 1 ? delta - 1 : n;
}

/* Step 3, one device: as many layers as fit, from the last device to the first. */
static void fill(struct like *x, struct layout *l, uint32_t d)
{
    bool last = d + 1 == x->devices, moe = x->m->n_expert > 0;
    uint32_t left = x->layers + 1;
    for (uint32_t j = d + 1; j < x->devices; j++)
        left -= l->share[j].layers;
    struct layout high = *l;
    high.share[d].layers = left;
    if (moe)
        high.share[d].part = last ? left - 1 : left;
    if (left == 0)
        return;
    measure_layout(x, &high);
    if (high.used[d] <= x->target[d]) {
        *l = high;
        return;
    }
    for (uint32_t delta = high.share[d].layers - l->share[d].layers; delta > 1 && !x->code;
         delta = high.share[d].layers - l->share[d].layers) {
        uint32_t step = step_of(x, d, delta, l->used[d], high.used[d]);
        struct layout test = *l;
        test.share[d].layers += step;
        if (moe)
            test.share[d].part += last && test.share[d].part == 0 ? step - 1 : step;
        measure_layout(x, &test);
        if (test.used[d] <= x->target[d])
            *l = test;
        else
            high = test;
    }
}

static uint32_t full_layers(const struct layout *l, uint32_t d)
{
    return l->share[d].layers - l->share[d].part;
}

/* Layers of the back, experts elsewhere, become whole layers of device d. */
static uint32_t convert(const struct like *x, struct layout *l, uint32_t d, uint32_t start,
                        uint32_t n)
{
    uint32_t done = 0;
    for (; start < x->devices; start++) {
        struct share *h = &l->share[start];
        uint32_t take = (uint32_t)ul_min(n - done, h->part);
        h->layers -= take;
        h->part -= take;
        l->share[d].layers += take;
        done += take;
        if (h->part > 0)
            break;
    }
    return start;
}

static bool both_fit(const struct like *x, const struct layout *l, uint32_t d)
{
    return l->used[d] < x->target[d]
        && (d + 1 == x->devices || l->used[d + 1] < x->target[d + 1]);
}

/* Tries a part of one more layer on device d. */
static void add_part(struct like *x, struct layout *l, uint32_t d, uint32_t *start)
{
    bool last = d + 1 == x->devices;
    if (l->share[*start].layers <= (last ? 1 : 0))
        return;
    struct layout test = *l;
    uint32_t begin = *start;
    test.share[begin].layers--;
    test.share[begin].part--;
    test.share[d].layers++;
    test.share[d].part++;
    if (test.share[begin].part == 0)
        begin++;
    test.overflow_to[d] = last ? -1 : (int)d + 1;
    test.share[d].overflow = FRACTION_UP;
    measure_layout(x, &test);
    bool up = both_fit(x, &test, d);
    if (up) {
        *l = test;
        *start = begin;
    }
    test.share[d].overflow = up ? FRACTION_GATE : FRACTION_ATTN;
    measure_layout(x, &test);
    if (both_fit(x, &test, d)) {
        *l = test;
        *start = begin;
    }
}

/* Step 4, one device: whole layers from the front. */
static void fill_whole(struct like *x, struct layout *l, uint32_t d, uint32_t *start)
{
    struct layout high = *l;
    uint32_t start_high = x->devices - 1;
    for (uint32_t j = *start; j < x->devices; j++) {
        uint32_t move = j + 1 < x->devices ? high.share[j].layers : high.share[j].layers - 1;
        high.share[d].layers += move;
        high.share[j].layers -= move;
        high.share[j].part = 0;
    }
    measure_layout(x, &high);
    if (high.used[d] <= x->target[d]) {
        *l = high;
        *start = start_high;
    } else {
        for (uint32_t delta = full_layers(&high, d) - full_layers(l, d); delta > 1 && !x->code;
             delta = full_layers(&high, d) - full_layers(l, d)) {
            struct layout test = *l;
            uint32_t begin = convert(x, &test, d, *start,
                                     step_of(x, d, delta, l->used[d], high.used[d]));
            measure_layout(x, &test);
            if (full_layers(&test, d) == full_layers(l, d))
                break; /* no layer was left to convert */
            if (test.used[d] <= x->target[d]) {
                *l = test;
                *start = begin;
            } else {
                high = test;
            }
        }
    }
    if (*start < x->devices)
        add_part(x, l, d, start);
}

/* Whether all dense weights fit with every expert on the host. */
static bool dense_fits(struct like *x)
{
    struct ul_settings s = *x->base;
    struct ul_override all[1] = {{"blk\\.\\d+\\.ffn_(up|down|gate_up|gate)_(ch|)exps", "CPU"}};
    s.overrides = all;
    s.n_overrides = 1;
    measure(x, &s);
    return sum_of(x, x->free) - sum_of(x, x->used) - sum_of(x, x->margin) > 0;
}

static void lay_out(struct like *x)
{
    struct layout *l = UL_NEW(x->a, struct layout);
    for (uint32_t d = 0; d < UL_MAX_DEVICES; d++) {
        l->share[d].overflow = FRACTION_MOE;
        l->overflow_to[d] = -1;
    }
    bool whole = x->m->n_expert > 0 && dense_fits(x);
    for (uint32_t d = 0; d < x->devices; d++)
        x->target[d] = x->first_free[d] - x->margin[d];
    measure_layout(x, l);
    for (uint32_t d = x->devices; d-- > 0 && !x->code;)
        fill(x, l, d);
    uint32_t start = x->devices;
    while (start > 0 && l->share[start - 1].layers > 0)
        start--;
    for (uint32_t d = 0; whole && d <= start && start < x->devices && !x->code; d++)
        fill_whole(x, l, d, &start);
    x->out->settings = settings_of(x, l, x->a);
    x->out->layers_set = x->out->changed = true;
}

/* ------------------------------------------------------------------ all of it */

/* Why --fit gives up before it moves layers. */
static const char *refusal(const struct like *x)
{
    const struct ul_settings *s = x->base;
    if (x->devices == 0)
        return "was unable to fit model into system memory by reducing context";
    if (s->n_gpu_layers != UL_NGL_AUTO)
        return ul_format(x->a, "n_gpu_layers already set by user to %d", s->n_gpu_layers);
    for (uint32_t d = 0; x->devices > 1 && d < s->n_tensor_split; d++)
        if (s->tensor_split[d] != 0.0f)
            return "model_params::tensor_split already set by user";
    if (x->devices > 1 && s->split_mode == UL_SPLIT_ROW)
        return "changing weight allocation for LLAMA_SPLIT_MODE_ROW not implemented";
    if (s->n_overrides)
        return "model_params::tensor_buft_overrides already set by user";
    return NULL;
}

/* Step 1: what each memory would keep free, and which comes shortest of its target. */
static void compare(struct like *x, const int64_t *full)
{
    struct ul_like *out = x->out;
    out->enough = true;
    for (uint32_t d = 0; d < x->pools; d++) {
        int64_t lacks = x->margin[d] - (x->free[d] - full[d]);
        if (lacks <= 0 || (!out->enough && lacks <= out->lacks))
            continue;
        out->enough = false;
        out->lacks = lacks;
        out->target = (uint64_t)x->margin[d];
        out->shortest = ul_arena_copy(x->a, x->name[d], strlen(x->name[d]));
    }
}

static void choose(struct like *x)
{
    struct ul_settings s = *x->base;
    bool open = s.n_ctx == 0 && (s.ctx_given || !s.ctx_per_slot);
    int64_t full[UL_MAX_DEVICES];
    measure(x, &s);
    uint32_t most = (uint32_t)ul_min((uint64_t)x->m->n_ctx_train * x->streams, UINT32_MAX);
    uint32_t least = (uint32_t)ul_min((uint64_t)s.fit_ctx * x->streams, UINT32_MAX);
    if (open) {
        x->context = most;
        if (x->streams > 1)
            measure(x, &s);
        x->out->changed = most != x->m->n_ctx_train;
    }
    x->out->unknown = x->devices == 0 && host_total(x->machine) == 0;
    if (x->code || x->out->unknown)
        return;
    x->out->first_context = open ? most : s.n_ctx;
    memcpy(full, x->used, sizeof full);
    memcpy(x->first_free, x->free, sizeof x->first_free);
    for (uint32_t d = 0; d < x->pools; d++)
        x->margin[d] = bounded(ul_mul(s.fit_target_mib[d], MIB)) + x->beside[d];
    compare(x, full);
    if (x->out->enough)
        return;
    int64_t surplus = sum_of(x, x->free) - sum_of(x, full) - sum_of(x, x->margin);
    if (surplus < 0 && open && most > least) {
        x->out->changed = true;
        if (shorten(x, most, least, full))
            return;
    }
    x->out->failed = refusal(x);
    if (!x->out->failed && !x->code)
        lay_out(x);
}

/* What cannot be measured ends --fit, and the engine goes on with what it has. */
static const char *broken(struct like *x)
{
    return ul_format(x->a, "an error while measuring: %s", x->err->message);
}

void ul_like_llama(struct ul_like *out, const struct ul_model *m, const struct ul_settings *s,
                   const struct ul_machine *machine, struct ul_arena *a, struct ul_arena *scratch)
{
    ullage_error err = {0};
    struct like x = {.out = out, .m = m, .base = s, .machine = machine, .a = a, .scratch = scratch,
                     .err = &err, .layers = m->n_layer, .streams = 1};
    *out = (struct ul_like){.settings = *s};
    if (s->split_mode == UL_SPLIT_TENSOR)
        out->failed = "llama_params_fit is not implemented for SPLIT_MODE_TENSOR";
    else
        choose(&x);
    if (x.code)
        out->failed = broken(&x);
    out->n_devices = x.devices;
    out->context = x.context;
    if (x.context) {
        out->settings.ctx_given = true;
        out->settings.n_ctx = x.context;
    }
}
