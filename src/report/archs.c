/* `ullage archs`: every architecture with its status. */
#include "arch/arch.h"
#include "base/json.h"
#include "report/render.h"

#include <inttypes.h>

int ullage_arch_at(size_t i, ullage_arch_info *info)
{
    const struct ul_arch *arch = ul_arch_at(i);
    if (!arch)
        return 0;
    info->name = arch->name;
    info->status = ul_arch_status(arch);
    ul_arch_recorded(arch, &info->rows, &info->exact);
    return 1;
}

static bool next(size_t *i, const char *pattern, ullage_arch_info *info)
{
    while (ullage_arch_at((*i)++, info))
        if (!pattern || strstr(info->name, pattern))
            return true;
    return false;
}

static void table(struct ul_text *out, const char *pattern)
{
    static const char *const head[] = {"architecture", "status", "recorded runs", "exact"};
    struct ul_table t;
    ullage_arch_info info;
    ul_table_open(&t, out->arena, 4);
    t.left[1] = true;
    for (size_t i = 0; i < 4; i++)
        ul_table_add(&t, head[i]);
    for (size_t i = 0; next(&i, pattern, &info);) {
        ul_table_add(&t, info.name);
        ul_table_add(&t, info.status);
        ul_table_add(&t, info.rows ? ul_format(t.arena, "%" PRIu32, info.rows) : "");
        ul_table_add(&t, info.rows ? ul_format(t.arena, "%" PRIu32, info.exact) : "");
    }
    ul_table_print(&t, out);
}

static void json(struct ul_text *out, const char *pattern)
{
    struct ul_json j = {.out = out, .pretty = true};
    ullage_arch_info info;
    ul_json_open(&j, '{');
    ul_json_key(&j, "schema_version");
    ul_json_u64(&j, 1);
    ul_json_key(&j, "architectures");
    ul_json_open(&j, '[');
    for (size_t i = 0; next(&i, pattern, &info);) {
        ul_json_open(&j, '{');
        ul_json_key(&j, "name");
        ul_json_str(&j, ul_cstr(info.name));
        ul_json_key(&j, "status");
        ul_json_str(&j, ul_cstr(info.status));
        ul_json_key(&j, "rows");
        ul_json_u64(&j, info.rows);
        ul_json_key(&j, "exact");
        ul_json_u64(&j, info.exact);
        ul_json_close(&j, '}');
    }
    ul_json_close(&j, ']');
    ul_json_close(&j, '}');
    ul_text_puts(out, "\n");
}

static void write_archs(struct ul_text *out, const struct ul_rendering *r)
{
    if (r->format == ULLAGE_JSON)
        json(out, r->text);
    else
        table(out, r->text);
}

char *ullage_archs_render(const char *pattern, int format, int color)
{
    const struct ul_rendering r = {.text = pattern, .format = format, .color = color != 0};
    return ul_render(write_archs, &r);
}
