/* The catalogue of devices for people and for programs. What a row does not say is a dash in the
 * table and null in JSON: unknown, not zero. */
#include "report/render.h"

static bool chosen(const ullage_known_device *d, const char *pattern)
{
    return !pattern || ullage_known_device_matches(d, pattern);
}

/* ------------------------------------------------------------------ a table */

static void figure(struct ul_table *t, double value)
{
    ul_table_add(t, value > 0 ? ul_format(t->arena, "%g", value) : "-");
}

void ul_devices_table(struct ul_text *out, const char *pattern)
{
    static const char *const head[] = {"device", "GiB", "MiB reported", "by", "GB/s", "TFLOPS 16",
                                       "TFLOPS 32", "units", "chip", "back-end"};
    struct ul_table t;
    ul_table_open(&t, out->arena, sizeof head / sizeof head[0]);
    t.left[3] = t.left[8] = t.left[9] = true;
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        ul_table_add(&t, head[i]);
    const ullage_known_device *d;
    for (size_t i = 0; (d = ullage_known_device_at(i)) != NULL; i++) {
        if (!chosen(d, pattern))
            continue;
        bool linux_seen = d->total_linux_mib > 0;
        ul_table_add(&t, d->name);
        figure(&t, d->memory_gib);
        figure(&t, linux_seen ? d->total_linux_mib : d->total_mib);
        ul_table_add(&t, linux_seen ? "CUDA on Linux" : d->reported_by ? d->reported_by : "-");
        figure(&t, d->bandwidth_gbs);
        figure(&t, d->fp16_tflops);
        figure(&t, d->fp32_tflops);
        figure(&t, d->units);
        ul_table_add(&t, d->chip ? d->chip : "-");
        ul_table_add(&t, d->backend);
    }
    ul_table_print(&t, out);
}

/* ------------------------------------------------------------------ JSON */

static void device(struct ul_json *j, const ullage_known_device *d)
{
    ul_json_open(j, '{');
    ul_json_put_str(j, "name", d->name);
    ul_json_put_str(j, "vendor", d->vendor);
    ul_json_put_str(j, "family", d->family);
    ul_json_put_str(j, "chip", d->chip);
    ul_json_put_str(j, "kind", d->kind);
    ul_json_put_str(j, "backend", d->backend);
    ul_json_put_known(j, "memory_gib", d->memory_gib, 0);
    ul_json_put_known(j, "total_mib", d->total_mib, 2);
    ul_json_put_known(j, "total_linux_mib", d->total_linux_mib, 2);
    ul_json_put_known(j, "total_windows_mib", d->total_windows_mib, 2);
    ul_json_put_str(j, "reported_by", d->reported_by);
    ul_json_put_str(j, "reported_also", d->reported_also);
    ul_json_put_str(j, "reported_source", d->reported_source);
    ul_json_put_known(j, "bandwidth_gbs", d->bandwidth_gbs, 3);
    ul_json_put_known(j, "fp16_tflops", d->fp16_tflops, 2);
    ul_json_put_known(j, "fp32_tflops", d->fp32_tflops, 2);
    ul_json_put_known(j, "l2_mib", d->l2_mib, 2);
    ul_json_put_known(j, "units", d->units, 0);
    ul_json_key(j, "unified");
    ul_json_bool(j, d->unified != 0);
    ul_json_put_known(j, "share", d->share, 4);
    ul_json_put_known(j, "tdp_w", d->tdp_w, 0);
    ul_json_put_known(j, "pcie_gen", d->pcie_gen, 0);
    ul_json_put_known(j, "pcie_lanes", d->pcie_lanes, 0);
    ul_json_put_str(j, "released", d->released);
    ul_json_put_str(j, "source", d->source);
    ul_json_put_str(j, "confidence", d->confidence);
    ul_json_put_str(j, "notes", d->notes);
    ul_json_close(j, '}');
}

void ul_devices_json(struct ul_text *out, const char *pattern)
{
    struct ul_json w = {.out = out, .pretty = true}, *j = &w;
    const ullage_known_device *d;
    ul_json_open(j, '{');
    ul_json_key(j, "schema_version");
    ul_json_u64(j, 1);
    ul_json_key(j, "devices");
    ul_json_open(j, '[');
    for (size_t i = 0; (d = ullage_known_device_at(i)) != NULL; i++)
        if (chosen(d, pattern))
            device(j, d);
    ul_json_close(j, ']');
    ul_json_close(j, '}');
    ul_text_puts(out, "\n");
}
