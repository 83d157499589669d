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

static void write_plan(struct ul_text *out, const struct ul_rendering *r)
{
    const ullage_plan *plan = r->what;
    if (r->format == ULLAGE_JSON)
        ul_plan_json(out, plan);
    else if (r->format == ULLAGE_CSV)
        ul_plan_csv(out, plan, r->by);
    else
        ul_plan_table(out, plan, r->by, r->color);
}

char *ullage_plan_render(const ullage_plan *plan, int format, int by, int color)
{
    const struct ul_rendering r = {.what = plan, .format = format, .by = by, .color = color != 0};
    return ul_render(write_plan, &r);
}

static void write_model(struct ul_text *out, const struct ul_rendering *r)
{
    const ullage_model *model = r->what;
    if (r->format == ULLAGE_JSON)
        ul_model_json(out, model);
    else
        ul_model_table(out, model, r->color);
}

char *ullage_model_render(const ullage_model *model, int format, int color)
{
    const struct ul_rendering r = {.what = model, .format = format, .color = color != 0};
    return ul_render(write_model, &r);
}

static void write_fit(struct ul_text *out, const struct ul_rendering *r)
{
    const ullage_fit *fit = r->what;
    if (r->format == ULLAGE_JSON)
        ul_fit_json(out, fit, r->text);
    else
        ul_fit_table(out, fit, r->color);
}

char *ullage_fit_render(const ullage_fit *fit, const char *line, int format, int color)
{
    const struct ul_rendering r = {.what = fit, .text = line, .format = format,
                                   .color = color != 0};
    return ul_render(write_fit, &r);
}

static void write_known_devices(struct ul_text *out, const struct ul_rendering *r)
{
    if (r->format == ULLAGE_JSON)
        ul_devices_json(out, r->text);
    else
        ul_devices_table(out, r->text);
}

char *ullage_known_devices_render(const char *pattern, int format)
{
    const struct ul_rendering r = {.text = pattern, .format = format};
    return ul_render(write_known_devices, &r);
}

static void write_json_string(struct ul_text *out, const struct ul_rendering *r)
{
    struct ul_json j = {.out = out};
    ul_json_str(&j, ul_cstr(r->text));
}

char *ullage_json_string(const char *text)
{
    const struct ul_rendering r = {.text = text};
    return ul_render(write_json_string, &r);
}
