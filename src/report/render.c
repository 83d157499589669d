/* The public rendering calls: an arena for the work, a copy of the result for the caller. */
#include "report/render.h"

const char *ul_layer_kind_name(int kind)
{
    static const char *const names[] = {
        [ULLAGE_LAYER_NONE] = "none",           [ULLAGE_LAYER_FULL] = "full",
        [ULLAGE_LAYER_WINDOW] = "window",       [ULLAGE_LAYER_LATENT] = "latent",
        [ULLAGE_LAYER_RECURRENT] = "recurrent", [ULLAGE_LAYER_HYBRID] = "hybrid",
    };
    return names[kind];
}

char *ullage_plan_render(const ullage_plan *plan, int format, int by, int color)
{
    struct ul_arena a = {0};
    jmp_buf oom;
    if (setjmp(oom)) {
        ul_arena_free(&a);
        return NULL;
    }
    a.oom = &oom;
    struct ul_text out = {.arena = &a};
    if (format == ULLAGE_JSON)
        ul_plan_json(&out, plan);
    else if (format == ULLAGE_CSV)
        ul_plan_csv(&out, plan, by);
    else
        ul_plan_table(&out, plan, by, color != 0);
    char *text = ul_text_take(&out);
    ul_arena_free(&a);
    return text;
}

char *ullage_model_render(const ullage_model *model, int format, int color)
{
    struct ul_arena a = {0};
    jmp_buf oom;
    if (setjmp(oom)) {
        ul_arena_free(&a);
        return NULL;
    }
    a.oom = &oom;
    struct ul_text out = {.arena = &a};
    if (format == ULLAGE_JSON)
        ul_model_json(&out, model);
    else
        ul_model_table(&out, model, color != 0);
    char *text = ul_text_take(&out);
    ul_arena_free(&a);
    return text;
}

char *ullage_fit_render(const ullage_fit *fit, const char *line, int format, int color)
{
    struct ul_arena a = {0};
    jmp_buf oom;
    if (setjmp(oom)) {
        ul_arena_free(&a);
        return NULL;
    }
    a.oom = &oom;
    struct ul_text out = {.arena = &a};
    if (format == ULLAGE_JSON)
        ul_fit_json(&out, fit, line);
    else
        ul_fit_table(&out, fit, color != 0);
    char *text = ul_text_take(&out);
    ul_arena_free(&a);
    return text;
}

char *ullage_known_devices_render(const char *pattern, int format)
{
    struct ul_arena a = {0};
    jmp_buf oom;
    if (setjmp(oom)) {
        ul_arena_free(&a);
        return NULL;
    }
    a.oom = &oom;
    struct ul_text out = {.arena = &a};
    if (format == ULLAGE_JSON)
        ul_devices_json(&out, pattern);
    else
        ul_devices_table(&out, pattern);
    char *text = ul_text_take(&out);
    ul_arena_free(&a);
    return text;
}
