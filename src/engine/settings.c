/* Settings: the engine's defaults, and the small functions of the public API around them. What
 * flags do is in flags.c and flags_set.c. */
#include "engine/settings.h"

#include "base/size.h"

#include <setjmp.h>
#include <stdlib.h>

#define ITEMS_FIRST 8 /* capacity of a list's first array */

/* llama-server's defaults. common/common.h: common_params; common/arg.cpp:
 * common_params_parser_init for the server's own (n_parallel -1). */
static const struct ul_settings defaults = {
    .n_parallel = -1,
    .kv_unified = UL_AUTO,
    .n_batch = 2048,
    .n_ubatch = 512,
    .type_k = UL_F16,
    .type_v = UL_F16,
    .flash_attn = UL_AUTO,
    .n_gpu_layers = UL_NGL_AUTO,
    .split_mode = UL_SPLIT_LAYER,
    .load_mode = UL_LOAD_AUTO,
    .lazy_mode = UL_AUTO,
    .cache_ram_mib = 8192,
    .ctx_checkpoints = 32,
    .checkpoint_step = 8192,
    .pooling = -1,
    .outputs = ULLAGE_OUTPUTS_SLOTS,
    .assume_compute = UL_SIZE_OVERFLOW,
    .rope_scaling = -1,
    .yarn_ext_factor = -1,
    .yarn_attn_factor = -1,
    .yarn_beta_slow = -1,
    .yarn_beta_fast = -1,
    .fit = true,
    .fit_ctx = 4096,
    .spec = {.n_max = 3, .mod_n_max = 64, .simple_size_m = 48, .map_k_size_m = 48,
             .map_k4v_size_m = 48},
    .control_first = -1,
    .control_last = -1,
};

/* The arena takes its first block when something is kept: settings of numbers alone take none. */
ullage_settings *ullage_settings_new(void)
{
    ullage_settings *settings = malloc(sizeof *settings);
    if (!settings)
        return NULL;
    settings->s = defaults;
    settings->s.notes.arena = &settings->s.arena;
    for (size_t i = 0; i < UL_MAX_DEVICES; i++)
        settings->s.fit_target_mib[i] = UL_FIT_TARGET_MIB;
    return settings;
}

void ullage_settings_free(ullage_settings *settings)
{
    if (!settings)
        return;
    for (size_t i = 0; i < settings->s.n_companions; i++)
        if (settings->s.companions[i].close)
            settings->s.companions[i].close(settings->s.companions[i].handle);
    if (settings->s.draft)
        ul_arena_free(&settings->s.draft->arena);
    ul_arena_free(&settings->s.arena);
    free(settings);
}

const char *ullage_settings_model(const ullage_settings *settings)
{
    return settings->s.model;
}

const char *ullage_settings_remote_model(const ullage_settings *settings)
{
    return settings->s.remote_model;
}

const ullage_note *ullage_settings_notes(const ullage_settings *settings, size_t *n)
{
    if (n)
        *n = settings->s.notes.n;
    return settings->s.notes.v;
}

int ullage_settings_note(ullage_settings *settings, const char *code, const char *text)
{
    struct ul_settings *s = &settings->s;
    jmp_buf oom;
    s->arena.oom = &oom;
    if (setjmp(oom))
        return ULLAGE_ERROR_MEMORY;
    ul_note(&s->notes, ul_arena_copy(&s->arena, code, strlen(code)), "%s", text);
    return ULLAGE_OK;
}

void ullage_settings_outputs(ullage_settings *settings, int outputs)
{
    settings->s.outputs = outputs;
}

void ullage_settings_depth(ullage_settings *settings, uint32_t tokens)
{
    settings->s.depth = tokens;
    settings->s.depth_given = true;
}

void ullage_settings_assume_compute(ullage_settings *settings, uint64_t bytes)
{
    settings->s.assume_compute = bytes;
}

/* Lists grow by doubling, at powers of two from ITEMS_FIRST on, so that no capacity is kept. */
void *ul_settings_grow(struct ul_settings *s, const void *items, size_t n, size_t size)
{
    bool full = n == 0 || (n >= ITEMS_FIRST && (n & (n - 1)) == 0);
    if (!full)
        return (void *)items;
    char *p = ul_arena_alloc(&s->arena, n < ITEMS_FIRST ? ITEMS_FIRST : n * 2, size);
    if (n)
        memcpy(p, items, n * size);
    return p;
}

/* The draft model's lists grow in an arena of their own, under the same guard. */
struct ul_settings *ul_settings_draft(struct ul_settings *s)
{
    if (!s->draft) {
        s->draft = UL_NEW(&s->arena, struct ul_settings);
        *s->draft = defaults;
    }
    s->draft->arena.oom = s->arena.oom;
    s->draft->notes = s->notes;
    return s->draft;
}

static bool only_one(int kind)
{
    return kind == ULLAGE_DRAFT_MODEL || kind == ULLAGE_PROJECTOR;
}

void ul_settings_companion(struct ul_settings *s, int kind, const char *flag, const char *name)
{
    size_t i = 0;
    while (i < s->n_companions && !(only_one(kind) && s->companions[i].kind == kind))
        i++;
    if (i < s->n_companions && s->companions[i].close)
        s->companions[i].close(s->companions[i].handle);
    if (i == s->n_companions) {
        s->companions = ul_settings_grow(s, s->companions, i, sizeof *s->companions);
        s->n_companions++;
    }
    s->companions[i] = (struct ul_companion){
        .kind = kind, .name = ul_arena_copy(&s->arena, name, strlen(name)),
        .flag = ul_arena_copy(&s->arena, flag, strlen(flag))};
}

const struct ul_companion *ul_companion_of(const struct ul_settings *s, int kind, size_t n)
{
    for (size_t i = 0; i < s->n_companions; i++)
        if (s->companions[i].kind == kind && n-- == 0)
            return &s->companions[i];
    return NULL;
}

size_t ullage_settings_companions(const ullage_settings *settings)
{
    return settings->s.n_companions;
}

ullage_companion ullage_settings_companion(const ullage_settings *settings, size_t i)
{
    const struct ul_settings *s = &settings->s;
    if (i >= s->n_companions)
        return (ullage_companion){.kind = ULLAGE_NO_COMPANION};
    const struct ul_companion *c = &s->companions[i];
    return (ullage_companion){.kind = c->kind, .name = c->name, .flag = c->flag,
                              .opened = c->file != NULL};
}

void ul_settings_unmodelled(struct ul_settings *s, const char *flag, const char *why)
{
    for (size_t i = 0; i < s->n_unmodelled; i++)
        if (strcmp(s->unmodelled[i].flag, flag) == 0)
            return;
    s->unmodelled = ul_settings_grow(s, s->unmodelled, s->n_unmodelled, sizeof *s->unmodelled);
    s->unmodelled[s->n_unmodelled++] =
        (struct ul_unmodelled){.flag = ul_arena_copy(&s->arena, flag, strlen(flag)), .why = why};
}
