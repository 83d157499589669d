/* The public face of telling files apart. What the bytes say is source/sniff.h's; of a model it is
 * also said what is wrong with it as the engine sees it: conversions that it refuses, and those that
 * it runs with a cache many times too large. */
#include "arch/describe.h"
#include "base/json.h"
#include "report/render.h"
#include "source/sniff.h"

#include <inttypes.h>
#include <stdlib.h>

struct ullage_sniffing {
    struct ul_arena arena;
    ullage_sniff_info info;
};

/* ------------------------------------------------------------------ models */

static void check_model(struct ul_sniff *s, const struct ul_model *m, struct ul_arena *a)
{
    if (m->refusal)
        ul_sniff_fault(s, "refused", m->refusal);
    if (m->old_latent)
        ul_sniff_fault(s, "old_latent_conversion", ul_format(a, "an old conversion: its cache holds full "
                       "keys and values, %" PRIu32 ".%02" PRIu32 " times the latent that a new conversion "
                       "keeps: fetch a newer one", m->old_latent / 100, m->old_latent % 100));
    if (m->n_unknown)
        ul_sniff_fault(s, "tensors_unknown", ul_format(a, "%zu tensors have names that the engine does "
                       "not know: it would refuse the file", m->n_unknown));
}

/* A split model is opened whole, when it is whole. */
static void look_at_model(struct ul_sniff *s, const char *path, struct ul_arena *a)
{
    struct ul_gguf all, *g = &s->gguf;
    struct ul_model m = {0};
    ullage_model_info info = {0};
    ullage_error err = {0};
    if (s->shards > 1) {
        for (size_t i = 0; i < s->n_faults; i++)
            if (strcmp(s->faults[i].code, "missing_shards") == 0 || strcmp(s->faults[i].code, "shard_name") == 0)
                return;
        if (!path || ul_gguf_open(&all, path, a, &err) != ULLAGE_OK) {
            if (path)
                ul_sniff_fault(s, "shards", ul_format(a, "%s", err.message));
            return;
        }
        g = &all;
    }
    if (ul_model_load(&m, g, NULL, a, &err) != ULLAGE_OK) {
        ul_sniff_fault(s, "refused", ul_format(a, "%s", err.message));
        return;
    }
    ul_model_describe(&m, a, &info);
    s->what = ul_format(a, "%s: %s, %s, %.2f B parameters, %" PRIu32 " layers",
                        s->shards > 1 ? ul_format(a, "shard %" PRIu64 " of %" PRIu64 " of a GGUF model",
                                                  s->shard, s->shards) : s->what,
                        info.arch, info.file_type, (double)info.n_params / 1e9, info.n_layer);
    check_model(s, &m, a);
}

/* ------------------------------------------------------------------ opening */

static int sniff(struct ullage_sniffing *h, const ullage_reader *reader, const char *name,
                 ullage_error *err)
{
    struct ul_arena *a = &h->arena;
    const struct ul_opener opener = ul_source_handed(reader);
    struct ul_source source;
    struct ul_sniff *s = UL_NEW(a, struct ul_sniff);
    const char *path = reader ? NULL : name;
    int code = ul_source_open(&source, reader ? &opener : NULL, name, a, err);
    if (code != ULLAGE_OK)
        return code;
    code = ul_sniff(s, &source, path, a, err);
    source.close(&source);
    if (code != ULLAGE_OK)
        return code;
    if (s->has_gguf && strcmp(s->kind, "model") == 0)
        look_at_model(s, path, a);
    ullage_note *faults = UL_NEWS(a, ullage_note, s->n_faults + 1);
    for (size_t i = 0; i < s->n_faults; i++)
        faults[i] = (ullage_note){s->faults[i].code, s->faults[i].text};
    h->info = (ullage_sniff_info){
        .path = ul_arena_copy(a, name, strlen(name)), .kind = s->kind, .what = s->what,
        .hint = s->hint, .size_bytes = s->size, .whole_bytes = s->whole, .shard = (uint32_t)s->shard,
        .shards = (uint32_t)s->shards, .faults = faults, .n_faults = s->n_faults};
    return ULLAGE_OK;
}

int ullage_sniff(ullage_sniffing **sniffing, const ullage_reader *reader, const char *name,
                 ullage_error *err)
{
    jmp_buf oom;
    struct ullage_sniffing *volatile h = calloc(1, sizeof *h);
    *sniffing = NULL;
    if (!h)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    if (setjmp(oom)) {
        ullage_sniff_free(h);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    h->arena.oom = &oom;
    int code = sniff(h, reader, name, err);
    h->arena.oom = NULL;
    if (code != ULLAGE_OK)
        ullage_sniff_free(h);
    else
        *sniffing = h;
    return code;
}

void ullage_sniff_free(ullage_sniffing *sniffing)
{
    if (!sniffing)
        return;
    ul_arena_free(&sniffing->arena);
    free(sniffing);
}

const ullage_sniff_info *ullage_sniff_describe(const ullage_sniffing *sniffing)
{
    return &sniffing->info;
}

/* ------------------------------------------------------------------ text */

static void text(struct ul_text *out, const ullage_sniff_info *s)
{
    ul_text_printf(out, "%s\n  %s", s->path, s->what);
    if (s->size_bytes != UINT64_MAX)
        ul_text_printf(out, ", %.2f MiB", (double)s->size_bytes / UL_MIB);
    ul_text_puts(out, "\n");
    for (size_t i = 0; i < s->n_faults; i++)
        ul_text_printf(out, "  wrong: %s [%s]\n", s->faults[i].text, s->faults[i].code);
    if (s->hint)
        ul_text_printf(out, "  use: %s\n", s->hint);
}

static void json_bytes(struct ul_json *j, const char *key, uint64_t bytes)
{
    ul_json_key(j, key);
    if (bytes == UINT64_MAX)
        ul_json_null(j);
    else
        ul_json_u64(j, bytes);
}

static void json_text(struct ul_json *j, const char *key, const char *value)
{
    ul_json_key(j, key);
    if (value)
        ul_json_str(j, ul_cstr(value));
    else
        ul_json_null(j);
}

static void json(struct ul_text *out, const ullage_sniff_info *s)
{
    struct ul_json w = {.out = out, .pretty = true}, *j = &w;
    ul_json_open(j, '{');
    ul_json_key(j, "schema_version");
    ul_json_u64(j, 1);
    json_text(j, "path", s->path);
    json_text(j, "kind", s->kind);
    json_text(j, "what", s->what);
    json_bytes(j, "size_bytes", s->size_bytes);
    json_bytes(j, "whole_bytes", s->whole_bytes);
    ul_json_key(j, "shard");
    ul_json_u64(j, s->shard);
    ul_json_key(j, "shards");
    ul_json_u64(j, s->shards);
    ul_json_key(j, "faults");
    ul_json_open(j, '[');
    for (size_t i = 0; i < s->n_faults; i++) {
        ul_json_open(j, '{');
        json_text(j, "code", s->faults[i].code);
        json_text(j, "text", s->faults[i].text);
        ul_json_close(j, '}');
    }
    ul_json_close(j, ']');
    json_text(j, "hint", s->hint);
    ul_json_close(j, '}');
    ul_text_puts(out, "\n");
}

static void write_sniff(struct ul_text *out, const struct ul_rendering *r)
{
    const ullage_sniffing *s = r->what;
    if (r->format == ULLAGE_JSON)
        json(out, &s->info);
    else
        text(out, &s->info);
}

char *ullage_sniff_render(const ullage_sniffing *sniffing, int format)
{
    const struct ul_rendering r = {.what = sniffing, .format = format};
    return ul_render(write_sniff, &r);
}
