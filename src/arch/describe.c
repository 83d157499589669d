/* What a model is, in the words and figures of `ullage show`: its sizes, its tensors by type, and
 * what each layer keeps between tokens. Nothing here is used to plan. */
#include "arch/describe.h"

#include "base/size.h"

#include <stdlib.h>

static void describe_layers(const struct ul_model *m, struct ul_arena *a, ullage_model_info *info)
{
    ullage_layer_info *out = UL_NEWS(a, ullage_layer_info, m->n_layer + 1);
    for (uint32_t il = 0; il < m->n_layer; il++) {
        const struct ul_layer *l = &m->layer[il];
        out[il] = (ullage_layer_info){.kind = ul_layer_kind(m, il),
                                      .window = l->is_swa ? m->n_swa : 0,
                                      .n_head = l->n_head,
                                      .n_head_kv = l->n_head_kv,
                                      .n_ff = l->n_ff};
    }
    for (size_t i = 0; i < m->n_weights; i++) {
        const struct ul_weight *w = &m->weights[i];
        if (w->layer >= 0 && (uint32_t)w->layer < m->n_layer && !w->skipped)
            out[w->layer].weight_bytes = ul_add(out[w->layer].weight_bytes, w->t->bytes);
    }
    info->layers = out;
    info->n_layer = m->n_layer;
}

static int by_bytes(const void *a, const void *b)
{
    const ullage_type_info *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void describe_types(const struct ul_model *m, struct ul_arena *a, ullage_model_info *info)
{
    ullage_type_info *all = UL_NEWS(a, ullage_type_info, UL_TYPE_COUNT);
    size_t n = 0;
    for (size_t i = 0; i < m->n_weights; i++) {
        const struct ul_gguf_tensor *t = m->weights[i].t;
        ullage_type_info *x = &all[t->type];
        x->name = ul_type_info((uint32_t)t->type)->name;
        x->n_tensors++;
        x->bytes = ul_add(x->bytes, t->bytes);
        x->n_elements = ul_add(x->n_elements, ul_mul(ul_mul(t->ne[0], t->ne[1]),
                                                     ul_mul(t->ne[2], t->ne[3])));
    }
    for (size_t t = 0; t < UL_TYPE_COUNT; t++)
        if (all[t].name != NULL)
            all[n++] = all[t];
    qsort(all, n, sizeof(all[0]), by_bytes);
    info->types = all;
    info->n_types = n;
}

static uint64_t full_size(const struct ul_gguf *g)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < g->n_files; i++)
        sum = ul_add(sum, g->files[i].full_size);
    return sum;
}

void ul_model_describe(const struct ul_model *m, struct ul_arena *a, ullage_model_info *info)
{
    info->arch = m->arch->name;
    info->name = ul_arena_copy(a, m->name.p != NULL ? m->name.p : "", m->name.n);
    info->file_type = m->file_type;
    info->n_params = m->n_elements;
    info->weight_bytes = m->n_bytes;
    info->size_bytes = full_size(m->file);
    info->bits_per_weight =
        m->n_elements != 0 ? (double)m->n_bytes * 8.0 / (double)m->n_elements : 0.0;
    info->n_ctx_train = m->n_ctx_train;
    info->n_embd = m->n_embd;
    info->n_vocab = m->n_vocab;
    info->n_expert = m->n_expert;
    info->n_expert_used = m->n_expert_used;
    info->n_files = (uint32_t)m->file->n_files;
    info->partial = m->file->partial;
    describe_layers(m, a, info);
    describe_types(m, a, info);
}
