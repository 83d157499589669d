/* Which companions there are, and the draft among them. A draft is a second plan: the same rules
 * over other weights, or over the same ones when the model's own head drafts, on a machine where
 * what the model took is in use. Only its settings differ, and this file says how
 * (common/speculative.cpp: common_base_params_to_speculative, common_speculative_init_result). */
#include "engine/companions.h"

#include "engine/ledger.h"

#define DRAFT_TOP_K 10       /* llama_sampler_init_top_k in common/speculative.cpp's constructors */
#define VOCAB_DIFFERENCE 128 /* SPEC_VOCAB_MAX_SIZE_DIFFERENCE */

#define WITH_CONTEXT (UL_SPEC_BIT(UL_SPEC_NGRAM_SIMPLE) - 1)
#define BLOCKS (UL_SPEC_BIT(UL_SPEC_DRAFT_DFLASH) | UL_SPEC_BIT(UL_SPEC_DRAFT_DSPARK))
#define SAMPLED (WITH_CONTEXT & ~UL_SPEC_BIT(UL_SPEC_DRAFT_SIMPLE))

const char *ul_companion_name(int kind)
{
    static const char *const names[] = {
        [ULLAGE_NO_COMPANION] = "model", [ULLAGE_DRAFT_MODEL] = "draft",
        [ULLAGE_PROJECTOR] = "projector", [ULLAGE_ADAPTER] = "adapter",
        [ULLAGE_CONTROL_VECTOR] = "control vector"};
    return names[kind];
}

void ul_part_add(struct ul_companions *c, struct ul_part part)
{
    if (c->n_parts == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 16;
        struct ul_part *v = UL_NEWS(c->arena, struct ul_part, c->cap);
        if (c->n_parts)
            memcpy(v, c->part, c->n_parts * sizeof *v);
        c->part = v;
    }
    c->part[c->n_parts++] = part;
}

/* ------------------------------------------------------------------ kinds of drafting */

/* common/speculative.cpp, common_speculative_types_from_gguf: when none is asked for. */
static unsigned implied(const struct ul_settings *s)
{
    const struct ul_companion *c = ul_companion_of(s, ULLAGE_DRAFT_MODEL, 0);
    const struct ul_model *m = c ? c->model : NULL;
    if (!m)
        return 0;
    if (!m->arch->drafts_blocks)
        return m->n_layer_all > 0 && ul_weight_of(m, UL_ROLE_NEXTN_EH_PROJ, UL_WEIGHT,
                                                  (int)m->n_layer_all - 1)
                   ? UL_SPEC_BIT(UL_SPEC_DRAFT_MTP) : 0;
    for (size_t i = 0; i < m->file->n_tensors; i++)
        if (ul_str_is(m->file->tensors[i].name, "markov_w1.weight"))
            return UL_SPEC_BIT(UL_SPEC_DRAFT_DSPARK);
    return UL_SPEC_BIT(UL_SPEC_DRAFT_DFLASH);
}

unsigned ul_spec_types(const struct ul_settings *s)
{
    return s->spec.given || s->spec.types ? s->spec.types : implied(s);
}

bool ul_spec_drafts(const struct ul_settings *s)
{
    return ul_companion_of(s, ULLAGE_DRAFT_MODEL, 0) != NULL
        || (ul_spec_types(s) & UL_SPEC_BIT(UL_SPEC_DRAFT_MTP)) != 0;
}

/* common/speculative.cpp, common_speculative_n_max */
uint32_t ul_spec_n_max(const struct ul_settings *s)
{
    unsigned types = ul_spec_types(s);
    const struct {
        unsigned types;
        int n;
    } kinds[] = {{WITH_CONTEXT, s->spec.n_max},
                 {UL_SPEC_BIT(UL_SPEC_NGRAM_SIMPLE), s->spec.simple_size_m},
                 {UL_SPEC_BIT(UL_SPEC_NGRAM_MAP_K), s->spec.map_k_size_m},
                 {UL_SPEC_BIT(UL_SPEC_NGRAM_MAP_K4V), s->spec.map_k4v_size_m},
                 {UL_SPEC_BIT(UL_SPEC_NGRAM_MOD), s->spec.mod_n_max},
                 {UL_SPEC_BIT(UL_SPEC_NGRAM_CACHE), 8}};
    int most = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((types & kinds[i].types) && kinds[i].n > most)
            most = kinds[i].n;
    return (uint32_t)most;
}

uint32_t ul_spec_snapshots(const struct ul_settings *s)
{
    return (ul_spec_types(s) & SAMPLED) && s->spec.n_max > 0 ? (uint32_t)s->spec.n_max : 0;
}

/* ------------------------------------------------------------------ the draft */

/* A reason for which the draft is loaded and let go again, or NULL (server-context.cpp, load_model:
 * "try speculative decoding"; speculative.cpp: common_speculative_are_compatible). */
static const char *let_go(const struct ul_plan *plan, const struct ul_model *m, unsigned types)
{
    if (types == 0)
        return "no --spec-type asks for it";
    if (plan->model->arch->memory == UL_MEMORY_NONE)
        return "the model keeps nothing that drafts could be taken back from";
    uint64_t a = plan->model->n_vocab, b = m->n_vocab;
    if ((types & UL_SPEC_BIT(UL_SPEC_DRAFT_SIMPLE)) && (a > b ? a - b : b - a) > VOCAB_DIFFERENCE)
        return "its vocabulary is not the model's";
    return NULL;
}

/* The target's settings, with what the draft's own flags say in their place. */
static struct ul_settings settings_of(const struct ul_plan *plan, const struct ul_settings *s,
                                      bool file, struct ul_draft_role *role)
{
    struct ul_settings d = *s;
    const struct ul_settings *own = s->draft;
    unsigned types = ul_spec_types(s);
    bool blocks = types & BLOCKS;
    *role = (struct ul_draft_role){
        .target = plan, .head = types & UL_SPEC_BIT(UL_SPEC_DRAFT_MTP),
        .top_k = (types & SAMPLED) && !s->spec.no_backend_sampling ? DRAFT_TOP_K : 0,
        .hidden = types & SAMPLED, .rows = blocks ? (uint32_t)ul_max(1, s->spec.n_max + 1) : 1};
    d.draft_role = role;
    d.n_companions = 0;
    d.spec = (struct ul_spec){.given = true};
    d.ctx_given = true;
    d.n_ctx = plan->c.n_ctx;
    d.n_parallel = (int)plan->c.n_seq_max;
    d.kv_unified = plan->c.kv_unified ? UL_ON : UL_OFF;
    d.embedding = false;
    d.backend_sampling = false;
    d.pooling = -1;
    d.fit = false;
    d.n_unmodelled = 0;
    d.notes = (struct ul_notes){.arena = s->notes.arena};
    if (s->spec.n_ubatch > 0)
        d.n_ubatch = (uint32_t)s->spec.n_ubatch;
    d.type_k = own ? own->type_k : UL_F16;
    d.type_v = own ? own->type_v : UL_F16;
    if (!file)
        return d;
    d.ngl_given = own && own->ngl_given;
    d.n_gpu_layers = own ? own->n_gpu_layers : UL_NGL_AUTO;
    d.overrides = own ? own->overrides : NULL;
    d.n_overrides = own ? own->n_overrides : 0;
    if (own && (own->n_devices || own->no_devices)) {
        d.devices = own->devices;
        d.n_devices = own->n_devices;
        d.no_devices = own->no_devices;
    }
    return d;
}

/* What the model's plan took is in use when the next one looks. */
static struct ul_machine left_of(const struct ul_plan *plan, const struct ul_machine *machine)
{
    struct ul_machine left = *machine;
    for (uint32_t i = 0; i < plan->n_accounts; i++) {
        const ullage_device *d = &plan->devices[i];
        uint64_t loaded = d->needed.bytes - d->runtime.bytes - d->prompt_peak.bytes
                          - d->workspace.bytes;
        struct ul_gpu *g = &left.gpu[plan->account[i]];
        g->used = ul_add(g->used, loaded);
    }
    return left;
}

/* The draft model as it is loaded: with the target's --override-kv, and with its head's layers when
 * that drafts. */
static int load_draft(const struct ul_model **m, const struct ul_companion *c,
                      const struct ul_settings *s, struct ul_arena *a, ullage_error *err)
{
    bool head = ul_spec_types(s) & UL_SPEC_BIT(UL_SPEC_DRAFT_MTP);
    const struct ul_model_options opt = {.overrides = s->kv_overrides,
                                         .n_overrides = s->n_kv_overrides, .load_mtp = head};
    *m = c->model;
    if (s->n_kv_overrides == 0 && c->model->load_mtp == head)
        return ULLAGE_OK;
    struct ul_model *own = UL_NEW(a, struct ul_model);
    *m = own;
    return ul_model_load(own, c->file, &opt, a, err);
}

static int draft(struct ul_plan *plan, const struct ul_settings *s,
                 const struct ul_machine *machine,
                 struct ul_arena *a, ullage_error *err)
{
    const struct ul_companion *c = ul_companion_of(s, ULLAGE_DRAFT_MODEL, 0);
    const struct ul_model *m = plan->model;
    if (!ul_spec_drafts(s))
        return ULLAGE_OK;
    if (c && !c->model) {
        plan->beside.unknown = true;
        return ULLAGE_OK; /* noted with the others that nobody opened */
    }
    int code = c ? load_draft(&m, c, s, a, err) : ULLAGE_OK;
    if (code)
        return code;
    struct ul_plan *d = UL_NEW(a, struct ul_plan);
    struct ul_draft_role *role = UL_NEW(a, struct ul_draft_role);
    struct ul_settings own = settings_of(plan, s, c != NULL, role);
    if (role->head && m->n_layer_nextn == 0)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "the engine refuses: --spec-type draft-mtp, and %s has no draft head",
                       c ? "the draft model" : "the model");
    const char *why = c ? let_go(plan, m, ul_spec_types(s)) : NULL;
    struct ul_machine left = s->no_alloc ? *machine : left_of(plan, machine);
    code = ul_plan_make(d, m, &own, &left, a, err);
    if (code || !why) {
        plan->beside.draft = code ? NULL : d;
        return code;
    }
    uint64_t gone = 0;
    for (size_t i = 0; i + 1 < d->n_devices; i++)
        gone = ul_add(gone, ul_add(d->devices[i].model.bytes, ul_add(d->devices[i].context.bytes,
                                                                     d->devices[i].compute.bytes)));
    ul_note(&plan->notes, "draft_let_go", "the draft model is loaded (%.2f MiB on GPUs) and let go "
            "again: %s", (double)gone / (1024.0 * 1024.0), why);
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ all of them */

static void note_missing(struct ul_plan *plan, const struct ul_settings *s)
{
    for (size_t i = 0; i < s->n_companions; i++) {
        const struct ul_companion *c = &s->companions[i];
        if (c->file)
            continue;
        plan->beside.unknown = true;
        ul_note(&plan->notes, "not_modelled",
                "%s %s: its header was not read, so the sums are lower "
                "bounds", c->flag, c->name);
    }
}

/* In the order in which they are loaded: the adapters are in the plan already, for they come before
 * the context; the projector is last. */
int ul_companions_make(struct ul_plan *plan, const struct ul_settings *s,
                       const struct ul_machine *machine, struct ul_arena *a, ullage_error *err)
{
    note_missing(plan, s);
    ul_ledger_add(plan, s, machine, a);
    int code = draft(plan, s, machine, a, err);
    ul_ledger_add(plan, s, machine, a);
    if (!code)
        code = ul_projector_make(plan, s, machine, a, err);
    ul_ledger_add(plan, s, machine, a);
    return code;
}
