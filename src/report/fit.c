/* The public face of a fit, and its text for people: the plan, then who chose what, then why. */
#include "report/render.h"

#include <stdlib.h>

const char *ul_chosen_name(int by)
{
    static const char *const names[] = {
        [ULLAGE_BY_ENGINE] = "engine", [ULLAGE_BY_USER] = "user", [ULLAGE_BY_FIT] = "fit"};
    return names[by];
}

/* ------------------------------------------------------------------ making */

static bool among(const struct ullage_fit *h, const char *flag)
{
    for (size_t i = 0; i < h->n_words; i++)
        if (strcmp(h->words[i], flag) == 0)
            return true;
    return false;
}

static void list_choices(struct ullage_fit *h)
{
    for (int i = 0; i < UL_FIT_IDS; i++) {
        const struct ul_fit_setting *s = &ul_fit_settings[i];
        const char *flag = ul_fit_flag(&h->f, (enum ul_fit_id)i);
        h->choices[i] = (ullage_choice){
            .name = s->name, .flag = flag, .value = ul_fit_value(&h->f, (enum ul_fit_id)i),
            .domain = s->domain, .cost = s->cost, .order = s->order, .asked = s->asked,
            .by = h->f.fixed[i] ? ULLAGE_BY_USER
                  : among(h, flag) ? ULLAGE_BY_FIT : ULLAGE_BY_ENGINE};
    }
}

#define MOST_WORDS (3 * UL_FIT_IDS + 4)

static int make(struct ullage_fit *h, const ullage_model *model, const ullage_settings *settings,
                const ullage_machine *machine, const ullage_fit_options *o, ullage_error *err)
{
    struct ul_fit *f = &h->f;
    int code = ul_model_for(&f->m, &h->own, model, &settings->s, &h->arena, err);
    if (code)
        return code;
    f->base = &settings->s;
    f->machine = &machine->m;
    f->a = &h->arena;
    f->scratch = &h->scratch;
    if (o)
        f->o = (struct ul_fit_options){.want = o->want, .min_context = o->min_context,
                                       .allow = o->allow};
    code = ul_fit_search(f, err);
    if (code)
        return code;
    h->words = UL_NEWS(&h->arena, const char *, MOST_WORDS);
    h->n_words = ul_fit_flags(f, h->words, MOST_WORDS);
    list_choices(h);
    h->settings.s = ul_fit_settings_of(f, &f->best->p);
    return ullage_plan_make(&h->plan, model, &h->settings, machine, err);
}

int ullage_fit_make(ullage_fit **fit, const ullage_model *model, const ullage_settings *settings,
                    const ullage_machine *machine, const ullage_fit_options *options,
                    ullage_error *err)
{
    *fit = NULL;
    struct ullage_fit *volatile h = calloc(1, sizeof *h);
    jmp_buf oom;
    if (!h)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    if (setjmp(oom)) {
        ullage_fit_free(h);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    h->arena.oom = h->scratch.oom = &oom;
    int code = make(h, model, settings, machine, options, err);
    h->arena.oom = h->scratch.oom = NULL;
    if (code)
        ullage_fit_free(h);
    else
        *fit = h;
    return code;
}

void ullage_fit_free(ullage_fit *fit)
{
    if (!fit)
        return;
    ullage_plan_free(fit->plan);
    ul_arena_free(&fit->scratch);
    ul_arena_free(&fit->arena);
    free(fit);
}

/* ------------------------------------------------------------------ reading */

int ullage_fit_found(const ullage_fit *fit)
{
    return fit->f.found;
}

const ullage_plan *ullage_fit_plan(const ullage_fit *fit)
{
    return fit->plan;
}

const char *const *ullage_fit_flags(const ullage_fit *fit, size_t *n)
{
    if (n)
        *n = fit->n_words;
    return fit->words;
}

const ullage_choice *ullage_fit_choices(const ullage_fit *fit, size_t *n)
{
    if (n)
        *n = UL_FIT_IDS;
    return fit->choices;
}

const ullage_note *ullage_fit_reasons(const ullage_fit *fit, size_t *n)
{
    if (n)
        *n = fit->f.reasons.n;
    return fit->f.reasons.v;
}

uint32_t ullage_fit_plans(const ullage_fit *fit)
{
    return fit->f.n_plans;
}

/* ------------------------------------------------------------------ text */

static void who_chose(struct ul_text *out, const ullage_fit *fit)
{
    static const char *const heads[] = {
        [ULLAGE_BY_USER] = "as given:", [ULLAGE_BY_FIT] = "chosen:"};
    size_t n;
    const ullage_choice *c = ullage_fit_choices(fit, &n);
    for (int by = ULLAGE_BY_USER; by <= ULLAGE_BY_FIT; by++) {
        bool any = false;
        for (size_t i = 0; i < n; i++) {
            if (c[i].by != by)
                continue;
            ul_text_printf(out, "%s %s%s%s", any ? "" : heads[by], c[i].flag,
                           *c[i].value ? " " : "", c[i].value);
            any = true;
        }
        ul_text_puts(out, any ? "\n" : "");
    }
}

void ul_fit_table(struct ul_text *out, const ullage_fit *fit, bool color)
{
    size_t n;
    const ullage_note *v = ullage_fit_reasons(fit, &n);
    ul_plan_table(out, fit->plan, ULLAGE_BY_DEVICE, color);
    ul_text_puts(out, "\n");
    who_chose(out, fit);
    for (size_t i = 0; i < n; i++)
        ul_text_printf(out, "%s [%s]\n", v[i].text, v[i].code);
}
