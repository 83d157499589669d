/* The public face of a model: opened from its header, described, closed. Every entry point that
 * allocates sets the place where the arena jumps when memory runs out, and frees the whole handle
 * there. */
#include "report/handles.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ opening */

static int load(struct ullage_model *h, ullage_error *err);

/* Where the header comes from. */
struct origin {
    const char *path;
    const void *data;
    size_t size;
    uint64_t file_size;
};

static int read_header(struct ullage_model *h, const struct origin *o, ullage_error *err)
{
    if (o->path)
        return ul_gguf_open(&h->file, o->path, &h->arena, err);
    struct ul_source s;
    ul_source_memory(&s, o->data, o->size, o->file_size);
    return ul_gguf_read(&h->file, &s, &h->arena, err);
}

static int open_handle(struct ullage_model **model, const struct origin *o, ullage_error *err)
{
    *model = NULL;
    struct ullage_model *volatile h = calloc(1, sizeof *h);
    jmp_buf oom;
    if (!h)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    if (setjmp(oom)) {
        ullage_close(h);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    h->arena.oom = &oom;
    int code = read_header(h, o, err);
    if (!code)
        code = load(h, err);
    h->arena.oom = NULL;
    if (code)
        ullage_close(h);
    else
        *model = h;
    return code;
}

int ullage_open(ullage_model **model, const char *path, ullage_error *err)
{
    struct origin o = {.path = path};
    return open_handle(model, &o, err);
}

int ullage_open_memory(ullage_model **model, const void *data, size_t size, uint64_t file_size,
                       ullage_error *err)
{
    struct origin o = {.data = data, .size = size, .file_size = file_size};
    return open_handle(model, &o, err);
}

void ullage_close(ullage_model *model)
{
    if (!model)
        return;
    ul_arena_free(&model->arena);
    free(model);
}

/* ------------------------------------------------------------------ describing */

static int layer_kind(const struct ul_model *m, uint32_t il)
{
    bool kv = ul_cache_has_kv(m, il), state = ul_cache_has_state(m, il);
    if (kv && state)
        return ULLAGE_LAYER_HYBRID;
    if (state)
        return ULLAGE_LAYER_RECURRENT;
    if (!kv)
        return ULLAGE_LAYER_NONE;
    if (m->layer[il].is_swa)
        return ULLAGE_LAYER_WINDOW;
    return ul_is_mla(m) ? ULLAGE_LAYER_LATENT : ULLAGE_LAYER_FULL;
}

static void describe_layers(struct ullage_model *h)
{
    const struct ul_model *m = &h->m;
    ullage_layer_info *v = UL_NEWS(&h->arena, ullage_layer_info, (size_t)m->n_layer + 1);
    for (uint32_t il = 0; il < m->n_layer; il++) {
        v[il].kind = layer_kind(m, il);
        v[il].window = v[il].kind == ULLAGE_LAYER_WINDOW ? m->n_swa : 0;
        v[il].n_head = m->layer[il].n_head;
        v[il].n_head_kv = m->layer[il].n_head_kv;
        v[il].n_ff = m->layer[il].n_ff;
    }
    for (size_t i = 0; i < m->n_weights; i++) {
        const struct ul_weight *w = &m->weights[i];
        if (w->layer >= 0 && (uint32_t)w->layer < m->n_layer && !w->skipped)
            v[w->layer].weight_bytes = ul_add(v[w->layer].weight_bytes, w->t->bytes);
    }
    h->info.layers = v;
    h->info.n_layer = m->n_layer;
}

/* By bytes, largest first; an insertion sort of at most a few dozen types. */
static void describe_types(struct ullage_model *h)
{
    ullage_type_info sums[UL_TYPE_COUNT] = {{0}};
    for (size_t i = 0; i < h->file.n_tensors; i++) {
        const struct ul_gguf_tensor *t = &h->file.tensors[i];
        ullage_type_info *s = &sums[t->type];
        s->name = ul_type_info(t->type)->name;
        s->n_tensors++;
        s->bytes = ul_add(s->bytes, t->bytes);
        s->n_elements = ul_add(s->n_elements, ul_mul(ul_mul(t->ne[0], t->ne[1]),
                                                     ul_mul(t->ne[2], t->ne[3])));
    }
    ullage_type_info *v = UL_NEWS(&h->arena, ullage_type_info, UL_TYPE_COUNT);
    size_t n = 0;
    for (size_t i = 0; i < UL_TYPE_COUNT; i++) {
        if (!sums[i].n_tensors)
            continue;
        size_t at = n++;
        for (; at > 0 && v[at - 1].bytes < sums[i].bytes; at--)
            v[at] = v[at - 1];
        v[at] = sums[i];
    }
    h->info.types = v;
    h->info.n_types = n;
}

static const char *text_of(struct ullage_model *h, struct ul_str s)
{
    return ul_arena_copy(&h->arena, s.p, s.n);
}

/* How far plans of this architecture go. */
static const char *status_of(const struct ul_model *m)
{
    return m->arch->build ? "modelled" : "weights and cache only";
}

static void describe(struct ullage_model *h)
{
    const struct ul_model *m = &h->m;
    ullage_model_info *i = &h->info;
    i->path = h->file.n_files ? h->file.files[0].path : "";
    i->arch = text_of(h, m->arch_name);
    i->name = text_of(h, m->name);
    i->file_type = m->file_type ? m->file_type : "";
    i->status = status_of(m);
    i->n_params = m->n_elements;
    i->weight_bytes = m->n_bytes;
    for (size_t f = 0; f < h->file.n_files; f++)
        i->size_bytes = ul_add(i->size_bytes, h->file.files[f].full_size);
    i->bits_per_weight = m->n_elements ? (double)m->n_bytes * 8 / (double)m->n_elements : 0;
    i->n_ctx_train = m->n_ctx_train;
    i->n_embd = m->n_embd;
    i->n_vocab = m->n_vocab;
    i->n_expert = m->n_expert;
    i->n_expert_used = m->n_expert_used;
    i->n_files = (uint32_t)h->file.n_files;
    i->partial = h->file.partial;
    describe_layers(h);
    describe_types(h);
}

static int load(struct ullage_model *h, ullage_error *err)
{
    int code = ul_model_load(&h->m, &h->file, NULL, &h->arena, err);
    if (!code)
        describe(h);
    return code;
}

const ullage_model_info *ullage_describe(const ullage_model *model)
{
    return &model->info;
}

/* ------------------------------------------------------------------ names */

const char *ullage_source_name(int source)
{
    static const char *const names[] = {
        [ULLAGE_UNKNOWN] = "unknown",     [ULLAGE_COMPUTED] = "computed",
        [ULLAGE_MODELLED] = "modelled",   [ULLAGE_ASSUMED] = "assumed",
        [ULLAGE_SIMULATED] = "simulated", [ULLAGE_MEASURED] = "measured",
    };
    return source >= 0 && (size_t)source < sizeof names / sizeof *names ? names[source] : "unknown";
}

const char *ullage_version(void)
{
    return ULLAGE_VERSION;
}
