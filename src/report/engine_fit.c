/* The engine's own --fit before a plan: its choice becomes the plan's settings, and a note says in
 * one line what it changed and why, or why it gave up. The choice itself is made in fit/like.c. */
#include "fit/like.h"
#include "report/handles.h"
#include "report/text.h"

/* ------------------------------------------------------------------ its flags */

/* As llama-fit-params prints them; -ot unquoted, one word. */
static void add_flags(struct ul_text *out, const struct ul_like *x, uint32_t devices)
{
    const struct ul_settings *s = &x->settings;
    ul_text_printf(out, "-c %u -ngl %d", s->n_ctx, s->n_gpu_layers);
    if (!x->layers_set)
        return;
    while (devices > 1 && s->tensor_split[devices - 1] == 0.0f)
        devices--;
    for (uint32_t i = 0; devices > 1 && i < devices; i++)
        ul_text_printf(out, "%s%u", i ? "," : " -ts ", (unsigned)s->tensor_split[i]);
}

static void add_overrides(struct ul_text *out, const struct ul_like *x)
{
    const struct ul_settings *s = &x->settings;
    for (size_t i = 0; x->layers_set && i < s->n_overrides; i++)
        ul_text_printf(out, "%s%s=%s", i ? "," : " -ot ", s->overrides[i].pattern,
                       s->overrides[i].buft);
}

/* For people: what was chosen and was not given, and of -ot only how many layers it is for. */
static const char *in_short(const struct ul_like *x, const struct ul_settings *given,
                            uint32_t devices, struct ul_arena *a)
{
    struct ul_text t = {.arena = a};
    size_t n = x->layers_set ? x->settings.n_overrides : 0;
    if (x->layers_set)
        add_flags(&t, x, devices);
    else
        ul_text_printf(&t, "-c %u", x->settings.n_ctx);
    if (n)
        ul_text_printf(&t, " and the experts of %zu layer%s elsewhere (-ot)", n, n == 1 ? "" : "s");
    return given->n_ctx && x->layers_set ? strstr(t.p, "-ngl") : t.p;
}

/* ------------------------------------------------------------------ in words */

static void note_choice(struct ul_notes *notes, const struct ul_like *x,
                        const struct ul_settings *s, uint32_t devices)
{
    const char *what = in_short(x, s, devices, notes->arena);
    if (x->enough) {
        ul_note(notes, "fit_applied", "--fit gives each slot the training context: %s", what);
        return;
    }
    ul_note(notes, "fit_applied",
            "--fit chooses %s: with %s%u tokens %s would lack %.2f MiB of the %.0f MiB that "
            "stay free (-fitt)",
            what, devices ? "every layer on GPUs and " : "", x->first_context, x->shortest,
            (double)x->lacks / UL_MIB, (double)x->target / UL_MIB);
}

static void note_failure(struct ul_notes *notes, const struct ul_like *x)
{
    struct ul_text t = {.arena = notes->arena};
    ul_text_printf(&t, "--fit gives up, as llama-server will warn (%s)", x->failed);
    if (x->shortest)
        ul_text_printf(&t, ": %s lacks %.2f MiB of the %.0f MiB that should stay free (-fitt)",
                       x->shortest, (double)x->lacks / UL_MIB, (double)x->target / UL_MIB);
    if (x->changed)
        ul_text_printf(&t, "; the context stays shortened, -c %u", x->settings.n_ctx);
    ul_note(notes, "fit_gave_up", "%s", t.p);
}

static void note_all(struct ul_notes *notes, const struct ul_like *x, const struct ul_settings *s,
                     uint32_t devices)
{
    if (x->unknown) {
        if (!s->ctx_given)
            ul_note(notes, "fit_not_applied",
                    "no -c: planned with the training context; llama-server would shorten it if "
                    "the host's memory (--ram), which is not known, asked for it");
        return;
    }
    if (x->failed)
        note_failure(notes, x);
    else if (x->changed)
        note_choice(notes, x, s, devices);
    if (x->partial)
        ul_note(notes, "fit_uncertain",
                "--fit looks at compute buffers too, which are not known here: what it chooses may "
                "differ");
}

/* ------------------------------------------------------------------ before a plan */

void ul_engine_fit(ullage_engine_fit *fit, struct ul_settings *out, const struct ul_model *m,
                   const struct ul_settings *s, const struct ul_machine *machine,
                   struct ul_arena *a, struct ul_arena *scratch)
{
    struct ul_like *x = UL_NEW(a, struct ul_like);
    struct ul_text flags = {.arena = a};
    struct ul_notes notes = {.arena = a};
    ul_like_llama(x, m, s, machine, a, scratch);
    add_flags(&flags, x, machine->n_gpus);
    add_overrides(&flags, x);
    *fit = (ullage_engine_fit){.ran = !x->unknown,
                               .changed = x->changed && !x->unknown,
                               .certain = !x->partial,
                               .flags = flags.p,
                               .why_not = x->failed,
                               .short_of = x->shortest,
                               .short_bytes = (uint64_t)x->lacks,
                               .target_bytes = x->target};
    note_all(&notes, x, s, x->n_devices);
    for (size_t i = 0; i < s->notes.n; i++)
        ul_note(&notes, s->notes.v[i].code, "%s", s->notes.v[i].text);
    *out = x->unknown ? *s : x->settings;
    out->notes = notes;
}

int ullage_fit_like_llama(char **flags, int *failed, const ullage_model *model,
                          const ullage_settings *settings, const ullage_machine *machine,
                          ullage_error *err)
{
    struct ul_arena a = {0}, scratch = {0};
    jmp_buf oom;
    *flags = NULL;
    if (setjmp(oom)) {
        ul_arena_free(&a);
        ul_arena_free(&scratch);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    a.oom = scratch.oom = &oom;
    struct ul_model *own = UL_NEW(&a, struct ul_model);
    const struct ul_model *m;
    int code = ul_model_for(&m, own, model, &settings->s, &a, err);
    if (!code) {
        ullage_engine_fit fit;
        struct ul_settings fitted;
        ul_engine_fit(&fit, &fitted, m, &settings->s, &machine->m, &a, &scratch);
        struct ul_text out = {.arena = &a};
        ul_text_puts(&out, fit.flags);
        *failed = fit.why_not != NULL;
        *flags = ul_text_take(&out);
    }
    ul_arena_free(&scratch);
    ul_arena_free(&a);
    return code;
}
