/* The public face of a model: opened from its header, described, closed. Every entry point that
 * allocates sets the place where the arena jumps when memory runs out, and frees the whole handle
 * there. */
#include "report/handles.h"

#include "arch/describe.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ opening */

static int load(struct ullage_model *h, ullage_error *err);

/* Where the header comes from. */
struct origin {
    const char *path;
    const void *data;
    size_t size;
    uint64_t file_size;
};

static int read_header(struct ullage_model *h, const struct origin *o, ullage_error *err)
{
    if (o->path)
        return ul_gguf_open(&h->file, o->path, &h->arena, err);
    struct ul_source s;
    ul_source_memory(&s, o->data, o->size, o->file_size);
    return ul_gguf_read(&h->file, &s, &h->arena, err);
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
    struct origin o = {.path = path};
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
    ul_model_describe(&h->m, &h->arena, &h->info);
    h->info.path = h->file.n_files ? h->file.files[0].path : "";
    h->info.status = ul_arch_status(h->m.arch);
}

static int load(struct ullage_model *h, ullage_error *err)
{
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
