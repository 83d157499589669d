/* Projectors, adapters and control vectors are GGUF files like models, and are opened by the same
 * functions; what they are their keys say. They can be described, and attached to settings whose
 * flags name them; planned alone they cannot be. A draft model is a model. */
#include "report/companions.h"

static struct ul_str text_of(const struct ul_gguf *g, const char *key)
{
    const struct ul_gguf_kv *kv = ul_gguf_find(g, ul_cstr(key));
    return kv && kv->type == UL_GGUF_STRING ? kv->v.s : (struct ul_str){0};
}

/* The engine's own checks: src/llama-adapter.cpp (general.type), common/common.cpp
 * (common_control_vector_load_one), tools/mtmd/clip.cpp (clip_model_loader). */
int ul_companion_role(const struct ul_gguf *g)
{
    struct ul_str what = text_of(g, "general.architecture"), type = text_of(g, "general.type");
    if (ul_str_is(type, "adapter"))
        return ULLAGE_ADAPTER;
    if (ul_str_is(what, "controlvector"))
        return ULLAGE_CONTROL_VECTOR;
    return ul_str_is(what, "clip") || ul_str_is(type, "mmproj") ? ULLAGE_PROJECTOR
                                                                : ULLAGE_NO_COMPANION;
}

int ul_companion_describe(struct ullage_model *h)
{
    ullage_model_info *i = &h->info;
    struct ul_str arch = text_of(&h->file, "general.architecture");
    struct ul_str name = text_of(&h->file, "general.name");
    i->path = h->file.n_files ? h->file.files[0].path : "";
    i->arch = ul_arena_copy(&h->arena, arch.p ? arch.p : "", arch.n);
    i->name = ul_arena_copy(&h->arena, name.p ? name.p : "", name.n);
    i->file_type = i->status = "";
    i->n_files = (uint32_t)h->file.n_files;
    i->partial = h->file.partial;
    for (size_t k = 0; k < h->file.n_tensors; k++) {
        const struct ul_gguf_tensor *t = &h->file.tensors[k];
        i->weight_bytes = ul_add(i->weight_bytes, t->bytes);
        i->n_params = ul_add(i->n_params, ul_mul(ul_mul(ul_mul(t->ne[0], t->ne[1]), t->ne[2]),
                                                 t->ne[3]));
    }
    for (size_t k = 0; k < h->file.n_files; k++)
        i->size_bytes = ul_add(i->size_bytes, h->file.files[k].full_size);
    i->bits_per_weight = i->n_params ? 8.0 * (double)i->weight_bytes / (double)i->n_params : 0;
    return ULLAGE_OK;
}

/* What a kind of file is called, and the flag that takes it. */
static const struct {
    const char *what, *flag;
} kinds[] = {
    [ULLAGE_NO_COMPANION] = {"a model", "-m"},
    [ULLAGE_DRAFT_MODEL] = {"a draft model", "-md"},
    [ULLAGE_PROJECTOR] = {"a projector", "--mmproj"},
    [ULLAGE_ADAPTER] = {"an adapter", "--lora"},
    [ULLAGE_CONTROL_VECTOR] = {"a control vector", "--control-vector"},
};

int ul_companion_refuse(const struct ullage_model *h, ullage_error *err)
{
    if (!h->info.role)
        return ULLAGE_OK;
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "%s is %s, not a model: name the model, and this file with %s", h->info.path,
                   kinds[h->info.role].what, kinds[h->info.role].flag);
}

const char *ul_companion_flag(int role, const char **what)
{
    *what = kinds[role].what;
    return kinds[role].flag;
}

static void close_file(void *handle)
{
    ullage_close(handle);
}

int ullage_settings_attach(ullage_settings *settings, size_t i, ullage_model *file,
                           ullage_error *err)
{
    struct ul_settings *s = &settings->s;
    if (i >= s->n_companions)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "the settings name no such file");
    struct ul_companion *c = &s->companions[i];
    int wanted = c->kind == ULLAGE_DRAFT_MODEL ? ULLAGE_NO_COMPANION : c->kind;
    if (file->info.role != wanted)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "%s %s: the file is %s, not %s",
                       c->flag, c->name, kinds[file->info.role].what, kinds[c->kind].what);
    if (c->close)
        c->close(c->handle);
    c->handle = file;
    c->close = close_file;
    c->file = &file->file;
    c->model = wanted ? NULL : &file->m;
    return ULLAGE_OK;
}
