/* Models that are no GGUF file yet: a config.json, the folder of a checkpoint, a name of the
 * catalogue; and any model as it would be after llama-quantize. The description is the one that the
 * converter's file would give, so everything behind it is as for a file. */
#include "report/open_config.h"

#include "arch/quantize.h"
#include "base/size.h"
#include "model/catalogue.h"
#include "model/stored.h"

#define CONFIG_BYTES ((size_t)16 << 20)

/* The part of a path before its last name, "." when there is none. */
static const char *folder_of(const char *path, struct ul_arena *a)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ".";
    return slash == path ? "/" : ul_arena_copy(a, path, (size_t)(slash - path));
}

static bool ends_in(const char *path, const char *tail)
{
    size_t n = strlen(path), t = strlen(tail);
    return n >= t && strcmp(path + n - t, tail) == 0;
}

/* ------------------------------------------------------------------ types */

static int quant_of(const struct ul_quant **q, const char *name, ullage_error *err)
{
    const char *words[64];
    size_t n = 0;
    *q = name != NULL ? ul_quant_find(name) : NULL;
    if (name == NULL || *q != NULL)
        return ULLAGE_OK;
    for (; ul_quant_at(n) != NULL && n < 64; n++)
        words[n] = ul_quant_at(n)->name;
    const char *near = ullage_near(name, words, n);
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "no quantisation is called '%.40s'%s%s%s", name,
                   near ? ": did you mean " : ": Q4_K_M, IQ4_XS, Q8_0 and F16 are some",
                   near ? near : "", near ? "?" : "");
}

int ul_open_quantized(struct ullage_model *h, const char *quant, ullage_error *err)
{
    const struct ul_quant *q;
    int code = quant_of(&q, quant, err);
    if (code != ULLAGE_OK || q == NULL)
        return code;
    struct ul_model m = {0};
    code = ul_model_load(&m, &h->file, NULL, &h->arena, err);
    if (code == ULLAGE_OK) {
        ul_quantize(&h->file, &m, q, false, &h->arena);
        h->file.n_files = 1; /* llama-quantize writes one */
        for (size_t i = 0; i < h->file.n_tensors; i++)
            h->file.tensors[i].file = 0;
        h->file.partial = false;
        h->info.quant = q->name;
    }
    return code;
}

/* ------------------------------------------------------------------ configurations */

/* A whole type is the converter's own business (--outtype), a mix is made of its F16 file. */
static int convert(struct ullage_model *h, const char *name, const struct ul_jvalue *config,
                   struct ul_conv_hints hints, const char *quant, ullage_error *err)
{
    const struct ul_quant *q;
    int code = quant_of(&q, quant, err);
    bool whole = q != NULL && !ul_type_info(q->type)->quantized;
    if (code != ULLAGE_OK)
        return code;
    if (q != NULL)
        hints.type = whole ? (int)q->type + 1 : (int)UL_F16 + 1;
    code = ul_convert(&h->file, name, config, &hints, &h->arena, err);
    if (code != ULLAGE_OK)
        return code;
    h->file.partial = false;
    h->info.quant = whole ? q->name : NULL;
    return q != NULL && !whole ? ul_open_quantized(h, quant, err) : ULLAGE_OK;
}

int ul_open_config_text(struct ullage_model *h, const char *name, const char *text, size_t n,
                        const char *quant, ullage_error *err)
{
    struct ul_conv_hints none = {0};
    const char *own = ul_arena_copy(&h->arena, text, n); /* the tree points into it */
    const struct ul_jvalue *v = ul_json_parse(ul_path_tail(name), own, n, &h->arena, err);
    h->info.origin = "config.json";
    if (v == NULL)
        return ULLAGE_ERROR_INPUT;
    return convert(h, ul_arena_copy(&h->arena, name, strlen(name)), v, none, quant, err);
}

int ul_open_config_with(struct ullage_model *h, const struct ul_opener *opener, const char *path,
                        const char *quant, ullage_error *err)
{
    struct ul_st st;
    bool found;
    size_t n;
    ullage_error local = {0}, *e = err != NULL ? err : &local;
    struct ul_arena *a = &h->arena;
    const char *text = ul_source_text(opener, path, CONFIG_BYTES, &n, a, e);
    const struct ul_jvalue *v =
        text != NULL ? ul_json_parse(ul_path_tail(path), text, n, a, e) : NULL;
    if (v == NULL)
        return e->code;
    int code = ul_st_open_folder(&st, opener, folder_of(path, a), &found, a, e);
    if (code != ULLAGE_OK)
        return code;
    struct ul_conv_hints hints = found ? ul_stored_hints(&st) : (struct ul_conv_hints){0};
    h->info.origin = found ? "safetensors" : "config.json";
    h->info.checkpoint_bytes = found ? st.bytes : 0;
    h->info.checkpoint_missing = (uint32_t)st.n_missing;
    return convert(h, ul_arena_copy(a, path, strlen(path)), v, hints, quant, e);
}

static int open_catalogue(struct ullage_model *h, const struct ul_catalogue_row *row,
                          const char *quant, ullage_error *err)
{
    struct ul_conv_hints none = {0};
    const struct ul_jvalue *v =
        ul_json_parse(row->name, row->config, strlen(row->config), &h->arena, err);
    h->info.origin = "catalogue";
    return v != NULL ? convert(h, row->name, v, none, quant, err) : ULLAGE_ERROR_INPUT;
}

#define LIKE_MOST 6 /* names to choose from in a message */

/* A word that is neither a file nor in the catalogue: the names there that it fits or begins, or
 * the nearest, if one is near. */
static int no_such_name(const char *path, struct ul_arena *a, ullage_error *err)
{
    const char **names = UL_NEWS(a, const char *, ul_n_catalogue + 1), *like[LIKE_MOST], *all;
    size_t n = ul_catalogue_like(path, like, LIKE_MOST);
    for (size_t i = 0; i < ul_n_catalogue; i++)
        names[i] = ul_catalogue[i].name;
    all = n > 0 ? like[0] : ullage_near(path, names, ul_n_catalogue);
    for (size_t i = 1; i < n; i++)
        all = ul_format(a, "%s%s%s", all, i + 1 < n ? ", " : " or ", like[i]);
    return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION,
                   "%.80s: no such file, and no model of that name in the catalogue%s%s%s", path,
                   all ? ": did you mean " : "", all ? all : "", all ? "?" : "");
}

int ul_open_other(struct ullage_model *h, const char *path, const char *quant, bool *is,
                  ullage_error *err)
{
    const struct ul_catalogue_row *row = NULL;
    struct ul_arena *a = &h->arena;
    ullage_error ignored = {0};
    struct ul_source s;
    *is = true;
    if (ul_source_is_folder(path)) {
        const char *config = ul_format(a, "%s/config.json", path);
        if (ul_source_file(&s, config, a, &ignored) == ULLAGE_OK) {
            s.close(&s);
            return ul_open_config_with(h, NULL, config, quant, err);
        }
    } else if (ends_in(path, ".json")) {
        return ul_open_config_with(h, NULL, path, quant, err);
    } else if (*path != '\0' && !ends_in(path, ".gguf")) {
        if (ul_source_file(&s, path, a, &ignored) == ULLAGE_OK)
            s.close(&s);
        else if ((row = ul_catalogue_find(path)) != NULL)
            return open_catalogue(h, row, quant, err);
        else if (strchr(path, '/') == NULL && strstr(ignored.message, "no such file") != NULL &&
                 strlen(path) < 64)
            return no_such_name(path, a, err);
    }
    *is = false;
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ what can be asked for */

const char *ullage_quant_at(size_t i)
{
    const struct ul_quant *q = ul_quant_at(i);
    return q != NULL ? q->name : NULL;
}

int ullage_catalogue_at(size_t i, ullage_catalogue_info *info)
{
    const struct ul_catalogue_row *row = ul_catalogue_at(i);
    if (row == NULL)
        return 0;
    *info = (ullage_catalogue_info){.name = row->name, .source = row->source};
    return 1;
}
