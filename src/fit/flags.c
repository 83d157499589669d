/* The answer as llama-server's flags. Everything that the engine would otherwise choose by itself
 * is said, so that it does what was planned whatever is free at that moment. */
#include "fit/fit.h"

const char *ul_fit_value(struct ul_fit *f, enum ul_fit_id id)
{
    const struct ul_fit_point *p = &f->best->p;
    const struct ul_settings *b = f->base;
    static const char *const fa[] = {"off", "on"};
    static const char *const modes[] = {[UL_SPLIT_NONE] = "none", [UL_SPLIT_LAYER] = "layer",
                                        [UL_SPLIT_ROW] = "row", [UL_SPLIT_TENSOR] = "tensor"};
    struct ul_text list = {.arena = f->a};
    switch (id) {
    case UL_FIT_C: return ul_format(f->a, "%u", ul_fit_settings_of(f, p).n_ctx);
    case UL_FIT_NP: return p->slots < 0 ? "auto" : ul_format(f->a, "%d", p->slots);
    case UL_FIT_KVU: return b->kv_unified == UL_ON || p->slots < 0 ? "on" : "off";
    case UL_FIT_UB: return ul_format(f->a, "%u", p->ubatch);
    case UL_FIT_B: return ul_format(f->a, "%u", b->n_batch);
    case UL_FIT_CTK: return ul_type_info((uint32_t)p->type_k)->name;
    case UL_FIT_CTV: return ul_type_info((uint32_t)p->type_v)->name;
    case UL_FIT_FA: return b->flash_attn == UL_AUTO ? "auto" : fa[b->flash_attn];
    case UL_FIT_SWA_FULL: return fa[b->swa_full];
    case UL_FIT_NCMOE:
        if (f->fixed[UL_FIT_NCMOE])
            return ""; /* patterns, however they were given */
        return p->n_apart ? ul_fit_apart_pattern(f, p) : ul_format(f->a, "%u", p->n_cpu_moe);
    case UL_FIT_NKVO: return fa[p->kv_on_host];
    case UL_FIT_NGL: return ul_format(f->a, "%u", p->ngl);
    case UL_FIT_SM: return modes[b->split_mode];
    case UL_FIT_TS:
        for (uint32_t i = 0; i < p->n_split; i++)
            ul_text_printf(&list, "%s%u", i ? "," : "", p->split[i]);
        for (uint32_t i = 0; f->fixed[UL_FIT_TS] && i < b->n_tensor_split; i++)
            ul_text_printf(&list, "%s%g", i ? "," : "", (double)b->tensor_split[i]);
        return list.p ? list.p : "";
    default: return "";
    }
}

const char *ul_fit_flag(const struct ul_fit *f, enum ul_fit_id id)
{
    const struct ul_fit_setting *s = &ul_fit_settings[id];
    for (size_t i = 0; f->fixed[id] && i < sizeof s->fixed_by / sizeof *s->fixed_by; i++)
        if (s->fixed_by[i] && ul_settings_given(f->base, s->fixed_by[i]))
            return s->fixed_by[i];
    return id == UL_FIT_NCMOE && f->best->p.n_apart ? "-ot" : s->flag;
}

/* Whether the answer says more than the user did and the engine would do. */
static bool said(const struct ul_fit *f, enum ul_fit_id id)
{
    const struct ul_fit_point *p = &f->best->p;
    if (f->fixed[id])
        return false;
    switch (id) {
    case UL_FIT_C: case UL_FIT_NGL: return true;
    case UL_FIT_NP: return p->slots != f->base->n_parallel;
    case UL_FIT_UB: return p->ubatch != f->base->n_ubatch;
    case UL_FIT_CTK: return p->type_k != (int)f->base->type_k;
    case UL_FIT_CTV: return p->type_v != (int)f->base->type_v;
    case UL_FIT_NCMOE: return p->n_cpu_moe > 0 || p->n_apart > 0;
    case UL_FIT_NKVO: return p->kv_on_host != f->base->no_kv_offload;
    case UL_FIT_TS: return p->n_split > 0;
    default: return false;
    }
}

size_t ul_fit_flags(struct ul_fit *f, const char **words, size_t most)
{
    size_t n = 0;
    for (int i = 0; i < UL_FIT_IDS && n + 4 <= most; i++) {
        if (!said(f, (enum ul_fit_id)i))
            continue;
        words[n++] = ul_fit_flag(f, (enum ul_fit_id)i);
        if (i != UL_FIT_NKVO)
            words[n++] = ul_fit_value(f, (enum ul_fit_id)i);
    }
    words[n++] = "-fit";
    words[n++] = "off";
    return n;
}
