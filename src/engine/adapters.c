/* Adapters and control vectors. An adapter's pair of matrices lies where the weight that it changes
 * lies; control vectors have one of the width for each layer but the first, where the layer is
 * (src/llama-adapter.cpp). What they do to the graphs is arch/build.c's. */
#include "engine/companions.h"

/* Sums by buffer type while one file's tensors are gone through. The type of mapped memory is
 * another than that of plain memory, though what is asked of it is plain memory too. */
#define MAPPED UL_MAX_BUFTS
struct sums {
    uint64_t bytes[UL_MAX_BUFTS + 1];
};

static void add(struct sums *t, const struct ul_place *p, int buft, bool mapped, enum ul_type type,
                const uint64_t ne[4])
{
    const struct ul_buft *b = &p->buft[buft];
    const int64_t shape[4] = {(int64_t)ne[0], (int64_t)ne[1], (int64_t)ne[2], (int64_t)ne[3]};
    uint64_t bytes = b->host ? ul_mul(ul_mul(ul_mul(ul_row_bytes(type, ne[0]), ne[1]), ne[2]),
                                      ne[3])
                             : ul_alloc_size_of(b->backend, type, shape);
    uint64_t *sum = &t->bytes[mapped ? MAPPED : buft];
    *sum = ul_add(*sum, ul_pad(bytes, b->alignment));
}

/* One buffer a buffer type. */
static void list(struct ul_plan *plan, const struct sums *t, int kind)
{
    const struct ul_place *p = &plan->place;
    int source = p->modelled ? ULLAGE_MODELLED : ULLAGE_COMPUTED;
    for (uint32_t i = 0; i < p->n_bufts; i++)
        if (t->bytes[i])
            ul_part_add(&plan->beside, (struct ul_part){
                .kind = kind, .what = "model", .buffer = p->buft[i].name,
                .gpu = p->buft[i].host ? -1 : p->buft[i].gpu, .size = {t->bytes[i], source},
                .count = 1});
    if (t->bytes[MAPPED])
        ul_part_add(&plan->beside, (struct ul_part){
            .kind = kind, .what = "model", .buffer = "CPU_Mapped", .gpu = -1,
            .size = {t->bytes[MAPPED], source}, .count = 1});
}

/* ------------------------------------------------------------------ adapters */

static int refuse(const struct ul_companion *c, struct ul_str name, const char *why,
                  ullage_error *err)
{
    return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                   "the engine refuses %s %.80s: %s%.*s",
                   c->flag, c->name, why, (int)ul_min(name.n, 80), name.p ? name.p : "");
}

static bool ends(struct ul_str s, const char *end)
{
    size_t n = strlen(end);
    return s.n >= n && memcmp(s.p + s.n - n, end, n) == 0;
}

static const struct ul_gguf_tensor *tensor_of(const struct ul_gguf *g, struct ul_str stem,
                                              const char *end)
{
    for (size_t i = 0; i < g->n_tensors; i++)
        if (g->tensors[i].name.n == stem.n + strlen(end) && ends(g->tensors[i].name, end)
            && memcmp(g->tensors[i].name.p, stem.p, stem.n) == 0)
            return &g->tensors[i];
    return NULL;
}

static const struct ul_weight *weight_called(const struct ul_model *m, struct ul_str name)
{
    for (size_t i = 0; i < m->n_weights; i++)
        if (m->weights[i].t->name.n == name.n
            && memcmp(m->weights[i].t->name.p, name.p, name.n) == 0)
            return &m->weights[i];
    return NULL;
}

/* Where the engine wants both matrices to fit: the embedding's are the other way round. */
static bool fits(const struct ul_gguf_tensor *w, const struct ul_gguf_tensor *a,
                 const struct ul_gguf_tensor *b)
{
    if (ends(w->name, "token_embd.weight"))
        return w->ne[0] == b->ne[1] && w->ne[1] == a->ne[1];
    return w->ne[0] == a->ne[0] && w->ne[1] == b->ne[1] && a->ne[1] == b->ne[0];
}

/* Weights that are repacked have their adapters in plain memory. */
static bool repacked(const struct ul_place *p, int buft)
{
    return buft >= 0 && (p->buft[buft].kind == UL_BUFT_REPACK || p->buft[buft].kind == UL_BUFT_AMX);
}

static int pair(struct ul_plan *plan, const struct ul_companion *c, const struct ul_gguf_tensor *a,
                struct sums *t, ullage_error *err)
{
    struct ul_str stem = {a->name.p, a->name.n - strlen(".lora_a")};
    const struct ul_gguf_tensor *b = tensor_of(c->file, stem, ".lora_b");
    const struct ul_weight *w = weight_called(plan->model, stem);
    const struct ul_place *p = &plan->place;
    int at = w ? ul_place_of(p, plan->model, w, -1) : -1;
    int buft = repacked(p, at) ? p->cpu_buft : at;
    bool mapped = p->use_mmap && at == p->cpu_buft;
    if (!b)
        return refuse(c, stem, "half a pair is missing for ", err);
    if (buft < 0)
        return refuse(c, stem, "the model has no ", err);
    if (!fits(w->t, a, b))
        return refuse(c, stem, "made for another model: wrong shape of ", err);
    add(t, p, buft, mapped, a->type, a->ne);
    add(t, p, buft, mapped, b->type, b->ne);
    struct ul_adapter_pair *both = UL_NEW(plan->beside.arena, struct ul_adapter_pair);
    *both = (struct ul_adapter_pair){.weight = w, .a = a, .b = b, .place = buft};
    *plan->c.adapters_end = both;
    plan->c.adapters_end = &both->next;
    return ULLAGE_OK;
}

static int adapter(struct ul_plan *plan, const struct ul_companion *c, bool applied,
                   ullage_error *err)
{
    struct sums t = {0};
    const struct ul_gguf_kv *arch = ul_gguf_find(c->file, UL_STR("general.architecture"));
    if (!arch || arch->type != UL_GGUF_STRING || !ul_str_eq(arch->v.s, plan->model->arch_name))
        return refuse(c, (struct ul_str){0}, "made for another architecture", err);
    for (size_t i = 0; i < c->file->n_tensors; i++) {
        const struct ul_gguf_tensor *a = &c->file->tensors[i];
        if (ends(a->name, ".lora_b") || ends(a->name, "_norm.weight"))
            continue;
        if (!ends(a->name, ".lora_a"))
            return refuse(c, a->name, "unexpected tensor ", err);
        int code = pair(plan, c, a, &t, err);
        if (code)
            return code;
    }
    if (!applied) {
        plan->c.adapters = NULL;
        plan->c.adapters_end = &plan->c.adapters;
    }
    list(plan, &t, ULLAGE_ADAPTER);
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ control vectors */

/* llama_model::select_buft: the layer's own device; of the host, pinned memory where it
 * has some. */
static int layer_buft(const struct ul_place *p, const struct ul_settings *s, uint32_t il)
{
    int device = p->layer_device[il];
    if (device != UL_DEV_CPU)
        return p->device_buft[device];
    return s->no_host || p->host_buft < 0 ? p->cpu_buft : p->host_buft;
}

/* llama_adapter_cvec::init: all files are added up into one vector a layer. */
static int control_vectors(struct ul_plan *plan, const struct ul_settings *s, ullage_error *err)
{
    const struct ul_companion *c = ul_companion_of(s, ULLAGE_CONTROL_VECTOR, 0);
    const struct ul_model *m = plan->model;
    const uint64_t ne[4] = {m->n_embd, 1, 1, 1};
    struct sums t = {0};
    if (!c)
        return ULLAGE_OK;
    for (size_t i = 0; (c = ul_companion_of(s, ULLAGE_CONTROL_VECTOR, i)) != NULL; i++)
        for (size_t k = 0; c->file && k < c->file->n_tensors; k++)
            if (c->file->tensors[k].ne[0] != m->n_embd)
                return refuse(c, c->file->tensors[k].name, "made for another width: ", err);
    for (uint32_t il = 1; il < m->n_layer; il++)
        add(&t, &plan->place, layer_buft(&plan->place, s, il), false, UL_F32, ne);
    list(plan, &t, ULLAGE_CONTROL_VECTOR);
    plan->c.control_first = s->control_first <= 0 ? 1 : s->control_first;
    plan->c.control_last = s->control_last <= 0 ? (int)m->n_layer : s->control_last;
    int16_t *place = UL_NEWS(plan->beside.arena, int16_t, (size_t)m->n_layer + 1);
    for (uint32_t il = 0; il < m->n_layer; il++)
        place[il] = (int16_t)layer_buft(&plan->place, s, il);
    plan->c.control_place = place;
    return ULLAGE_OK;
}

int ul_adapters_make(struct ul_plan *plan, const struct ul_settings *s, struct ul_arena *a,
                     ullage_error *err)
{
    plan->beside.arena = a;
    plan->c.adapters_end = &plan->c.adapters;
    for (size_t i = 0; i < s->n_companions; i++) {
        const struct ul_companion *c = &s->companions[i];
        int code = c->kind == ULLAGE_ADAPTER && c->file ? adapter(plan, c, !s->lora_unapplied, err)
                                                         : ULLAGE_OK;
        if (code)
            return code;
    }
    return control_vectors(plan, s, err);
}
