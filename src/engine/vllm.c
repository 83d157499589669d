/* The public face of a vLLM plan: handles, reading the configuration, and the lesson's
 * arithmetic. */
#include "engine/vllm_server.h"
#include "model/catalogue.h"
#include "source/safetensors.h"

#include <math.h>
#include <stdlib.h>

#define MOST_CONFIG ((size_t)8 << 20) /* bytes of a config.json; the largest seen has 200 KB */

/* ------------------------------------------------------------------ reading a file */

/* A configuration by its own path, or in the folder of that name. */
static char *read_config(struct ul_vserver *v, const struct ul_opener *opener, size_t *n,
                         const char **found, ullage_error *err)
{
    const char *path = opener ? v->given.name : v->s.model;
    size_t length = strlen(path);
    bool json = length > 5 && strcmp(path + length - 5, ".json") == 0;
    if (length > 5 && strcmp(path + length - 5, ".gguf") == 0 && !ul_source_is_folder(path))
        return ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                       "%.200s: a GGUF file is not planned for vLLM: name the config.json of its "
                       "model, or the folder that holds one", path), NULL;
    if (!opener && !json && !strchr(path, '/') && !ul_source_is_folder(path))
        return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION,
                       "%.200s: no such folder, and no model of that name in the catalogue", path),
               NULL;
    *found = json ? path : ul_format(v->a, "%s/config.json", path);
    return ul_source_text(opener, *found, MOST_CONFIG, n, v->a, err);
}

/* The configuration of a well-known model: its numbers, as far as a conversion or a plan here reads
 * them. NULL when the name is a path, or nobody's. */
static const char *in_catalogue(const char *name)
{
    const struct ul_catalogue_row *row = NULL;
    if (!ul_source_is_folder(name) && !strchr(name, '/'))
        row = ul_catalogue_find(name);
    return row ? row->config : NULL;
}

/* The headers of the checkpoint in the configuration's folder, when it is there. */
static int read_headers(struct ul_vserver *v, const struct ul_opener *opener, const char *config,
                        ullage_error *err)
{
    const char *slash = strrchr(config, '/');
    const char *folder = slash ? ul_arena_copy(v->a, config, (size_t)(slash - config)) : ".";
    struct ul_st *st = UL_NEW(v->a, struct ul_st);
    bool found = false;
    int code = ul_st_open_folder(st, opener, *folder ? folder : "/", &found, v->a, err);
    if (!code && found)
        v->headers = st;
    return code;
}

/* ------------------------------------------------------------------ making */

static int no_model(ullage_error *err)
{
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "no model: name a config.json or a folder that holds one");
}

static int find_era(struct ul_vserver *v, ullage_error *err)
{
    v->era = ul_vera_find(v->given.version);
    if (v->era)
        return ULLAGE_OK;
    return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                   "vLLM '%.40s' is not known: %s to %s are", v->given.version, ul_vera_first(),
                   ul_vera_last());
}

/* What a call asks for, kept in one place so that nothing of it lives across a longjmp. */
struct request {
    const char *config; /* NULL: the model's file is read */
    size_t size;
    int n;
    const char *const *words;
};

static int make(struct ul_vserver *v, const struct request *r, ullage_error *err)
{
    const char *name = "config.json", *text = r->config;
    size_t size = r->size;
    int code = ul_vsettings_parse(&v->s, r->n, r->words, v->a, err);
    if (!code)
        code = find_era(v, err);
    if (!code && !text && !v->s.model)
        code = no_model(err);
    if (code)
        return code;
    const struct ul_opener handed = ul_source_handed(v->given.reader);
    const struct ul_opener *opener = v->given.reader && v->given.name ? &handed : NULL;
    bool file = !text && (opener || !(text = in_catalogue(v->s.model)));
    if (!file && !r->config)
        size = strlen(text);
    text = file ? read_config(v, opener, &size, &name, err)
                : ul_arena_copy(v->a, text, size);
    if (!text)
        return err->code;
    code = ul_vmodel_read(&v->m, v->s.model ? v->s.model : name, text, size, v->a, err);
    if (!code && file)
        code = read_headers(v, opener, name, err);
    return code ? code : ul_vserver_plan(v, err);
}

static int guarded(struct ullage_vllm *h, const struct request *r, ullage_error *err)
{
    jmp_buf oom;
    if (setjmp(oom))
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    h->arena.oom = &oom;
    return make(&h->v, r, err);
}

int ullage_vllm_make_memory(ullage_vllm **plan, const char *config, size_t size, int n,
                            const char *const *words, const ullage_machine *machine,
                            const ullage_vllm_options *options, ullage_error *err)
{
    struct request r = {.config = config, .size = size, .n = n, .words = words};
    ullage_error own = {0};
    struct ullage_vllm *h = calloc(1, sizeof *h);
    *plan = NULL;
    if (!h)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    h->v.a = h->v.notes.arena = &h->arena;
    h->v.machine = machine ? &machine->m : NULL;
    if (options)
        h->v.given = *options;
    int code = guarded(h, &r, err ? err : &own);
    h->arena.oom = NULL;
    if (code)
        ullage_vllm_free(h);
    else
        *plan = h;
    return code;
}

int ullage_vllm_make(ullage_vllm **plan, int n, const char *const *words,
                     const ullage_machine *machine, const ullage_vllm_options *options,
                     ullage_error *err)
{
    return ullage_vllm_make_memory(plan, NULL, 0, n, words, machine, options, err);
}

const char *ullage_vllm_model(int n, const char *const *words)
{
    struct ul_arena a = {0};
    struct ul_vsettings s = {0};
    ullage_error err = {0};
    const char *volatile model = NULL;
    jmp_buf oom;
    if (setjmp(oom) == 0) {
        a.oom = &oom;
        if (ul_vsettings_parse(&s, n, words, &a, &err) == ULLAGE_OK)
            model = s.model;
    }
    ul_arena_free(&a);
    return model;
}

void ullage_vllm_free(ullage_vllm *plan)
{
    if (plan) {
        ul_arena_free(&plan->arena);
        free(plan->flags);
    }
    free(plan);
}

/* ------------------------------------------------------------------ asking */

const ullage_vllm_info *ullage_vllm_describe(const ullage_vllm *plan) { return &plan->v.info; }

const ullage_vllm_group *ullage_vllm_groups(const ullage_vllm *plan, size_t *n)
{
    if (n)
        *n = plan->v.pool.n_groups;
    return plan->v.groups;
}

const ullage_vllm_stage *ullage_vllm_stages(const ullage_vllm *plan, size_t *n)
{
    if (n)
        *n = (size_t)plan->v.s.pp;
    return plan->v.stages;
}

const ullage_note *ullage_vllm_notes(const ullage_vllm *plan, size_t *n)
{
    if (n)
        *n = plan->v.notes.n;
    return plan->v.notes.v;
}

void ullage_vllm_versions(const char **first, const char **last)
{
    *first = ul_vera_first();
    *last = ul_vera_last();
}

/* ------------------------------------------------------------------ school arithmetic */

int ullage_vllm_arithmetic(double total, double share, double weights, double activations,
                           double overhead, uint64_t bytes_per_token, uint64_t block_tokens,
                           uint64_t request_tokens, ullage_vllm_budget *budget, ullage_error *err)
{
    *budget = (ullage_vllm_budget){0};
    if (!bytes_per_token || !block_tokens || !request_tokens || !(total >= 0 && total < 1e18)
        || !(share >= 0 && share <= 1))
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "a token, a block and a request must not be empty, and the share is of 1");
    budget->usable = total * share;
    budget->cache = fmax(0, budget->usable - weights - activations - overhead);
    budget->tokens = (uint64_t)(budget->cache / (double)bytes_per_token);
    budget->blocks = budget->tokens / block_tokens;
    budget->printed_tokens = budget->blocks * block_tokens;
    budget->requests = (double)budget->tokens / (double)request_tokens;
    return ULLAGE_OK;
}
