/* A plan as CSV: a line a device, a buffer or a layer; bytes are integers, empty when not known. */
#include "report/render.h"

#include <inttypes.h>

static void bytes(struct ul_text *out, ullage_bytes b, bool last)
{
    if (b.source != ULLAGE_UNKNOWN)
        ul_text_printf(out, "%" PRIu64, b.bytes);
    ul_text_puts(out, last ? "\n" : ",");
}

static void devices(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    ul_text_puts(out, "name,description,");
    for (size_t c = 0; c < ul_n_columns; c++)
        ul_text_printf(out, "%s,", ul_columns[c].key);
    ul_text_puts(out, "left_bytes,fits\n");
    for (size_t i = 0; i < n; i++) {
        ul_csv(out, d[i].name, false);
        ul_csv(out, d[i].description, false);
        for (size_t c = 0; c < ul_n_columns; c++)
            bytes(out, ul_column_of(&ul_columns[c], &d[i]), false);
        if (d[i].budget.source != ULLAGE_UNKNOWN)
            ul_text_printf(out, "%" PRId64, d[i].left_bytes);
        ul_text_printf(out, ",%s\n", d[i].fits < 0 ? "" : d[i].fits ? "true" : "false");
    }
}

static void buffers(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_buffer *b = ullage_plan_buffers(plan, &n);
    ul_text_puts(out, "buffer,kind,bytes,count,source,of\n");
    for (size_t i = 0; i < n; i++) {
        ul_csv(out, b[i].buffer, false);
        ul_csv(out, b[i].kind, false);
        bytes(out, b[i].size, false);
        ul_text_printf(out, "%" PRIu32 ",", b[i].count);
        ul_csv(out, ullage_source_name(b[i].size.source), false);
        ul_csv(out, b[i].of, true);
    }
}

static void layers(struct ul_text *out, const ullage_plan *plan)
{
    size_t n;
    const ullage_layer_row *l = ullage_plan_layers(plan, &n);
    ul_text_puts(out, "layer,device,kind,weight_bytes,kv_bytes,state_bytes\n");
    for (size_t i = 0; i < n; i++) {
        if (i + 1 == n)
            ul_text_puts(out, "output,");
        else
            ul_text_printf(out, "%zu,", i);
        ul_csv(out, l[i].device, false);
        ul_csv(out, i + 1 == n ? "output" : ul_layer_kind_name(l[i].kind), false);
        ul_text_printf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", l[i].weight_bytes,
                       l[i].kv_bytes, l[i].state_bytes);
    }
}

static void ops(struct ul_text *out, const struct ullage_plan *plan)
{
    struct ul_peak *o;
    const struct ul_plan *p = &plan->p;
    size_t n =
        ul_compute_peaks(&o, &p->compute, p->model, &p->c, &p->place, &p->caches, out->arena);
    ul_text_puts(out, "buffer,bytes,tensor,operation,type,ne0,ne1,ne2,ne3\n");
    for (size_t i = 0; i < n; i++) {
        ul_csv(out, o[i].buffer, false);
        ul_text_printf(out, "%" PRIu64 ",", o[i].bytes);
        ul_csv(out, o[i].name, false);
        ul_csv(out, o[i].op ? o[i].op : "", false);
        ul_csv(out, o[i].op ? o[i].type : "", false);
        ul_text_printf(out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", o[i].ne[0],
                       o[i].ne[1], o[i].ne[2], o[i].ne[3]);
    }
}

void ul_plan_csv(struct ul_text *out, const struct ullage_plan *plan, int by)
{
    if (by == ULLAGE_BY_BUFFER)
        buffers(out, plan);
    else if (by == ULLAGE_BY_LAYER)
        layers(out, plan);
    else if (by == ULLAGE_BY_OP)
        ops(out, plan);
    else
        devices(out, plan);
}
