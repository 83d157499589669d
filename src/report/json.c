/* A plan as JSON, schema_version 1. Keys are only ever added. Bytes are integers, null when they
 * are not known. */
#include "report/companions.h"
#include "report/render.h"

static void text(struct ul_json *j, const char *key, const char *value)
{
    ul_json_key(j, key);
    ul_json_str(j, ul_cstr(value ? value : ""));
}

static void truth(struct ul_json *j, const char *key, int value)
{
    ul_json_key(j, key);
    if (value < 0)
        ul_json_null(j);
    else
        ul_json_bool(j, value != 0);
}

static void bytes(struct ul_json *j, const char *key, ullage_bytes b)
{
    ul_json_key(j, key);
    if (b.source == ULLAGE_UNKNOWN)
        ul_json_null(j);
    else
        ul_json_u64(j, b.bytes);
}

static void open(struct ul_json *j, const char *key, char bracket)
{
    ul_json_key(j, key);
    ul_json_open(j, bracket);
}

static void engine(struct ul_json *j)
{
    open(j, "engine", '{');
    text(j, "name", UL_ENGINE_NAME);
    text(j, "version", UL_ENGINE_VERSION);
    ul_json_close(j, '}');
}

static void model(struct ul_json *j, const ullage_model_info *m)
{
    open(j, "model", '{');
    text(j, "path", m->path);
    text(j, "arch", m->arch);
    text(j, "name", m->name);
    text(j, "file_type", m->file_type);
    ul_json_put_u64(j, "n_params", m->n_params);
    ul_json_put_u64(j, "size_bytes", m->size_bytes);
    ul_json_put_u64(j, "n_layer", m->n_layer);
    ul_json_put_u64(j, "n_ctx_train", m->n_ctx_train);
    text(j, "status", m->status);
    ul_json_close(j, '}');
}

static void context(struct ul_json *j, const ullage_context *c)
{
    open(j, "context", '{');
    ul_json_put_u64(j, "n_ctx", c->n_ctx);
    ul_json_put_u64(j, "n_ctx_seq", c->n_ctx_seq);
    ul_json_put_u64(j, "n_seq_max", c->n_seq_max);
    truth(j, "kv_unified", c->kv_unified);
    ul_json_put_u64(j, "n_batch", c->n_batch);
    ul_json_put_u64(j, "n_ubatch", c->n_ubatch);
    ul_json_put_u64(j, "n_outputs", c->n_outputs);
    truth(j, "flash_attn", c->flash_attn);
    text(j, "type_k", c->type_k);
    text(j, "type_v", c->type_v);
    ul_json_close(j, '}');
}

void ul_engine_fit_json(struct ul_json *j, const ullage_plan *plan)
{
    const ullage_engine_fit *f = ullage_plan_engine_fit(plan);
    open(j, "engine_fit", '{');
    truth(j, "ran", f->ran);
    truth(j, "changed", f->changed);
    truth(j, "certain", f->certain);
    ul_json_put_str(j, "flags", f->flags);
    ul_json_put_str(j, "why_not", f->why_not);
    ul_json_put_str(j, "short_of", f->short_of);
    ul_json_put_u64(j, "short_bytes", f->short_bytes);
    ul_json_put_u64(j, "target_bytes", f->target_bytes);
    ul_json_close(j, '}');
}

static void buffers(struct ul_json *j, const ullage_plan *plan)
{
    size_t n;
    const ullage_buffer *b = ullage_plan_buffers(plan, &n);
    open(j, "buffers", '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        text(j, "buffer", b[i].buffer);
        text(j, "kind", b[i].kind);
        text(j, "of", b[i].of);
        bytes(j, "bytes", b[i].size);
        text(j, "source", ullage_source_name(b[i].size.source));
        ul_json_put_u64(j, "count", b[i].count);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

static void caches(struct ul_json *j, const ullage_plan *plan)
{
    size_t n;
    const ullage_cache *k = ullage_plan_caches(plan, &n);
    open(j, "kv", '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        ul_json_put_u64(j, "cells", k[i].cells);
        ul_json_put_u64(j, "layers", k[i].layers);
        ul_json_put_u64(j, "streams", k[i].streams);
        text(j, "k_type", k[i].k_type);
        text(j, "v_type", k[i].v_type);
        ul_json_put_u64(j, "k_bytes", k[i].k_bytes);
        ul_json_put_u64(j, "v_bytes", k[i].v_bytes);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

static void devices(struct ul_json *j, const ullage_plan *plan)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    open(j, "devices", '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        text(j, "name", d[i].name);
        text(j, "description", d[i].description);
        for (size_t c = 0; c < ul_n_columns; c++)
            bytes(j, ul_columns[c].key, ul_column_of(&ul_columns[c], &d[i]));
        ul_json_key(j, "left_bytes");
        if (d[i].budget.source == ULLAGE_UNKNOWN)
            ul_json_null(j);
        else
            ul_json_i64(j, d[i].left_bytes);
        truth(j, "fits", d[i].fits);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

static void growth(struct ul_json *j, const ullage_plan *plan)
{
    size_t n;
    const ullage_growth *g = ullage_plan_growth(plan, &n);
    open(j, "grows_up_to", '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        text(j, "name", g[i].name);
        text(j, "flag", g[i].flag);
        bytes(j, "bytes", g[i].up_to);
        text(j, "source", ullage_source_name(g[i].up_to.source));
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

static void notes(struct ul_json *j, const char *key, const ullage_note *v, size_t n)
{
    open(j, key, '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        text(j, "code", v[i].code);
        text(j, "text", v[i].text);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

/* Only where the engine was run. */
static void compared(struct ul_json *j, const ullage_plan *plan)
{
    size_t n;
    const ullage_compared *c = ullage_plan_compared(plan, &n);
    if (!c)
        return;
    open(j, "compared", '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        text(j, "buffer", c[i].buffer);
        text(j, "kind", c[i].kind);
        bytes(j, "bytes", c[i].seen);
        bytes(j, "computed_bytes", c[i].computed);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

static void plan_members(struct ul_json *j, const struct ullage_plan *plan)
{
    size_t n;
    engine(j);
    model(j, ullage_describe(plan->model));
    context(j, ullage_plan_context(plan));
    ul_engine_fit_json(j, plan);
    buffers(j, plan);
    compared(j, plan);
    caches(j, plan);
    devices(j, plan);
    growth(j, plan);
    ul_speed_json(j, plan);
    open(j, "verdict", '{');
    truth(j, "fits", ullage_plan_fits(plan));
    truth(j, "partial", ullage_plan_partial(plan));
    ul_json_close(j, '}');
    const ullage_note *v = ullage_plan_notes(plan, &n);
    notes(j, "notes", v, n);
}

void ul_plan_json(struct ul_text *out, const struct ullage_plan *plan)
{
    struct ul_json w = {.out = out, .pretty = true}, *j = &w;
    ul_json_open(j, '{');
    ul_json_put_u64(j, "schema_version", 1);
    plan_members(j, plan);
    ul_json_close(j, '}');
    ul_text_puts(out, "\n");
}

/* ------------------------------------------------------------------ fits */

static void choices(struct ul_json *j, const ullage_fit *fit)
{
    size_t n;
    const ullage_choice *c = ullage_fit_choices(fit, &n);
    open(j, "settings", '[');
    for (size_t i = 0; i < n; i++) {
        ul_json_open(j, '{');
        text(j, "name", c[i].name);
        text(j, "flag", c[i].flag);
        text(j, "value", c[i].value);
        text(j, "by", ul_chosen_name(c[i].by));
        text(j, "domain", c[i].domain);
        text(j, "cost", c[i].cost);
        ul_json_put_u64(j, "order_of_sacrifice", (uint64_t)c[i].order);
        truth(j, "only_when_allowed", c[i].asked);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

void ul_fit_json(struct ul_text *out, const ullage_fit *fit, const char *line)
{
    struct ul_json w = {.out = out, .pretty = true}, *j = &w;
    size_t n;
    ul_json_open(j, '{');
    ul_json_put_u64(j, "schema_version", 1);
    truth(j, "found", ullage_fit_found(fit));
    if (line)
        text(j, "line", line);
    const char *const *words = ullage_fit_flags(fit, &n);
    open(j, "flags", '[');
    for (size_t i = 0; i < n; i++)
        ul_json_str(j, ul_cstr(words[i]));
    ul_json_close(j, ']');
    choices(j, fit);
    const ullage_note *v = ullage_fit_reasons(fit, &n);
    notes(j, "reasons", v, n);
    ul_json_put_u64(j, "plans_made", ullage_fit_plans(fit));
    open(j, "plan", '{');
    plan_members(j, ullage_fit_plan(fit));
    ul_json_close(j, '}');
    ul_json_close(j, '}');
    ul_text_puts(out, "\n");
}

/* ------------------------------------------------------------------ the model alone */

static void layers(struct ul_json *j, const ullage_model_info *m)
{
    open(j, "layers", '[');
    for (uint32_t il = 0; il < m->n_layer; il++) {
        const ullage_layer_info *l = &m->layers[il];
        ul_json_open(j, '{');
        text(j, "kind", ul_layer_kind_name(l->kind));
        ul_json_put_u64(j, "window", l->window);
        ul_json_put_u64(j, "n_head", l->n_head);
        ul_json_put_u64(j, "n_head_kv", l->n_head_kv);
        ul_json_put_u64(j, "n_ff", l->n_ff);
        ul_json_put_u64(j, "weight_bytes", l->weight_bytes);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
}

void ul_model_json(struct ul_text *out, const struct ullage_model *h)
{
    struct ul_json w = {.out = out, .pretty = true}, *j = &w;
    const ullage_model_info *m = &h->info;
    ul_json_open(j, '{');
    ul_json_put_u64(j, "schema_version", 1);
    model(j, m);
    if (m->role) {
        const char *what;
        text(j, "flag", ul_companion_flag(m->role, &what));
    }
    ul_json_put_u64(j, "weight_bytes", m->weight_bytes);
    ul_json_key(j, "bits_per_weight");
    ul_json_double(j, m->bits_per_weight, 4);
    ul_json_put_u64(j, "n_embd", m->n_embd);
    ul_json_put_u64(j, "n_vocab", m->n_vocab);
    ul_json_put_u64(j, "n_expert", m->n_expert);
    ul_json_put_u64(j, "n_expert_used", m->n_expert_used);
    ul_json_put_u64(j, "n_files", m->n_files);
    truth(j, "partial", m->partial);
    uint64_t per_token, fixed;
    ul_model_growth(h, out->arena, &per_token, &fixed);
    ul_json_put_u64(j, "kv_bytes_per_token", per_token);
    ul_json_put_u64(j, "fixed_cache_bytes", fixed);
    open(j, "types", '[');
    for (size_t i = 0; i < m->n_types; i++) {
        ul_json_open(j, '{');
        text(j, "name", m->types[i].name);
        ul_json_put_u64(j, "tensors", m->types[i].n_tensors);
        ul_json_put_u64(j, "elements", m->types[i].n_elements);
        ul_json_put_u64(j, "bytes", m->types[i].bytes);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
    layers(j, m);
    ul_json_close(j, '}');
    ul_text_puts(out, "\n");
}
