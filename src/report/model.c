/* The public face of a model: opened from its header, described, closed. Every entry point that
 * allocates sets the place where the arena jumps when memory runs out, and frees the whole handle
 * there. */
#include "report/handles.h"

#include "arch/describe.h"
#include "report/companions.h"
#include "report/open_config.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ opening */

static int load(struct ullage_model *h, ullage_error *err);

/* Where the header comes from. */
struct origin {
    const char *path;
    const void *data;
    size_t size;
    uint64_t file_size;
    const char *quant;
    bool config; /* the data are a configuration's text, and path its name */
    const ullage_reader *reader; /* reads what `path` names */
};

/* A configuration is ready when it is read, with its quantisation; a file is not. */
static int read_handed(struct ullage_model *h, const struct origin *o, bool *ready,
                       ullage_error *err)
{
    const struct ul_opener opener = ul_source_handed(o->reader);
    size_t n = strlen(o->path);
    *ready = n > 5 && strcmp(o->path + n - 5, ".json") == 0;
    if (*ready)
        return ul_open_config_with(h, &opener, o->path, o->quant, err);
    return ul_gguf_open_with(&h->file, &opener, o->path, &h->arena, err);
}

static int read_header(struct ullage_model *h, const struct origin *o, ullage_error *err)
{
    bool other = false;
    int code = ULLAGE_OK;
    if (o->config)
        return ul_open_config_text(h, o->path, o->data, o->size, o->quant, err);
    if (o->reader)
        code = read_handed(h, o, &other, err);
    else if (o->path)
        code = ul_open_other(h, o->path, o->quant, &other, err);
    if (code || other)
        return code;
    h->info.origin = "gguf";
    if (o->path && !o->reader) {
        code = ul_gguf_open(&h->file, o->path, &h->arena, err);
    } else if (!o->reader) {
        struct ul_source s;
        ul_source_memory(&s, o->data, o->size, o->file_size);
        code = ul_gguf_read(&h->file, &s, &h->arena, err);
    }
    return code ? code : ul_open_quantized(h, o->quant, err);
}

static int open_handle(struct ullage_model **model, const struct origin *o, ullage_error *err)
{
    *model = NULL;
    struct ullage_model *volatile h = calloc(1, sizeof *h);
    jmp_buf oom;
    if (!h)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    if (setjmp(oom)) {
        ullage_close(h);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    h->arena.oom = &oom;
    int code = read_header(h, o, err);
    if (!code)
        code = load(h, err);
    h->arena.oom = NULL;
    if (code)
        ullage_close(h);
    else
        *model = h;
    return code;
}

int ullage_open(ullage_model **model, const char *path, ullage_error *err)
{
    return ullage_open_as(model, path, NULL, err);
}

int ullage_open_as(ullage_model **model, const char *path, const char *quant, ullage_error *err)
{
    struct origin o = {.path = path, .quant = quant};
    return open_handle(model, &o, err);
}

int ullage_open_config(ullage_model **model, const char *name, const void *text, size_t size,
                       const char *quant, ullage_error *err)
{
    struct origin o = {.path = name, .data = text, .size = size, .quant = quant, .config = true};
    return open_handle(model, &o, err);
}

int ullage_open_reader(ullage_model **model, const ullage_reader *reader, const char *name,
                       const char *quant, ullage_error *err)
{
    struct origin o = {.path = name, .reader = reader, .quant = quant};
    return open_handle(model, &o, err);
}

int ullage_open_memory(ullage_model **model, const void *data, size_t size, uint64_t file_size,
                       ullage_error *err)
{
    struct origin o = {.data = data, .size = size, .file_size = file_size};
    return open_handle(model, &o, err);
}

void ullage_close(ullage_model *model)
{
    if (!model)
        return;
    ul_arena_free(&model->arena);
    free(model);
}

/* ------------------------------------------------------------------ describing */

static void describe(struct ullage_model *h)
{
    ullage_model_info kept = h->info; /* where it came from */
    ul_model_describe(&h->m, &h->arena, &h->info);
    h->info.origin = kept.origin;
    h->info.quant = kept.quant;
    h->info.checkpoint_bytes = kept.checkpoint_bytes;
    h->info.checkpoint_missing = kept.checkpoint_missing;
    h->info.path = h->file.n_files ? h->file.files[0].path : "";
    h->info.status = ul_arch_status(h->m.arch);
}

static int load(struct ullage_model *h, ullage_error *err)
{
    h->info.role = ul_companion_role(&h->file);
    if (h->info.role)
        return ul_companion_describe(h);
    int code = ul_model_load(&h->m, &h->file, NULL, &h->arena, err);
    if (!code)
        describe(h);
    return code;
}

const ullage_model_info *ullage_describe(const ullage_model *model)
{
    return &model->info;
}

/* ------------------------------------------------------------------ names */

const char *ullage_source_name(int source)
{
    static const char *const names[] = {
        [ULLAGE_UNKNOWN] = "unknown",     [ULLAGE_COMPUTED] = "computed",
        [ULLAGE_MODELLED] = "modelled",   [ULLAGE_ASSUMED] = "assumed",
        [ULLAGE_SIMULATED] = "simulated", [ULLAGE_MEASURED] = "measured",
    };
    return source >= 0 && (size_t)source < sizeof names / sizeof *names ? names[source] : "unknown";
}

const char *ullage_version(void)
{
    return ULLAGE_VERSION;
}
