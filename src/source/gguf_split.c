/* A model in several files. Any of them may be named: their common name, the count and a shard's
 * own number say where the others are. The keys are those of the first shard, the others hold
 * tensors only; the count of tensors over all is the one thing that tells a shard of another
 * model, or a lost one, from the right ones, so it is checked.
 *
 * Rules: src/llama-model-loader.cpp: llama_model_loader (keys, numbering from 0, counts) and
 * src/llama.cpp: llama_split_path, llama_split_prefix (names, numbered from 1). */
#include "source/gguf_read.h"

#include <inttypes.h>

#define KEY_NO "split.no"
#define KEY_COUNT "split.count"
#define KEY_TENSORS "split.tensors.count"

/* The file that was named is read first, because only its header tells whether it is a shard. When
 * it is the first shard that was no waste; when it is another, everything read of it is dropped
 * (the arena keeps the bytes until the request ends, which a header is small enough for) and the
 * shards are read in their order, so that tensors come out in the order the engine has them. */

/* What one file's header says of the split it belongs to. */
struct split {
    uint64_t no, count; /* count 1: it belongs to none */
    uint64_t tensors;
    bool has_no, has_tensors;
};

/* A split key's number. The types are the engine's: src/llama-model-loader.cpp: GGUFMeta refuses
 * others. False: the key is not there, or an error. */
static bool split_number(struct ul_gguf_reader *r, const char *key, uint32_t type, uint64_t *v)
{
    const struct ul_gguf_kv *kv = ul_gguf_find_in(r->kv, r->n_kv, ul_cstr(key));
    if (!kv)
        return false;
    if (kv->type != type)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, kv->position,
                       "%s must be of type %s but is of type %s,", key, ul_gguf_value_name(type),
                       ul_gguf_value_name(kv->type));
    *v = kv->v.u;
    return r->c.ok;
}

/* A count of 0 or 1 is no split: the engine then looks at neither the number nor the name. */
static bool read_split(struct ul_gguf_reader *r, struct split *s)
{
    *s = (struct split){.count = 1};
    split_number(r, KEY_COUNT, UL_GGUF_U16, &s->count);
    if (s->count <= 1)
        return r->c.ok;
    s->has_no = split_number(r, KEY_NO, UL_GGUF_U16, &s->no);
    s->has_tensors = split_number(r, KEY_TENSORS, UL_GGUF_I32, &s->tensors);
    if (r->c.ok && !s->has_no)
        ul_fail(r->err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                "%s: key %s is missing in one of %" PRIu64 " shards",
                ul_path_tail(r->c.source->name), KEY_NO, s->count);
    else if (r->c.ok && s->no >= s->count)
        ul_fail(r->err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                "%s: %s is %" PRIu64 " but %s is %" PRIu64, ul_path_tail(r->c.source->name),
                KEY_NO, s->no, KEY_COUNT, s->count);
    return r->c.ok && s->has_no && s->no < s->count;
}

/* Source: src/llama.cpp: llama_split_path. Five digits at least, more when the number has them. */
static char *shard_suffix(struct ul_arena *a, uint64_t no, uint64_t count)
{
    return ul_format(a, "-%05" PRIu64 "-of-%05" PRIu64 ".gguf", no + 1, count);
}

/* The name without what the shard's number makes of its end, or NULL when it does not end so. A
 * download cache that renames files, a person who does, and shards joined with `cat` all end here;
 * the last leaves a file longer than its first header says.
 * Source: src/llama.cpp: llama_split_prefix. */
static char *shard_prefix(struct ul_gguf_reader *r, const char *path, const struct split *s)
{
    char *suffix = shard_suffix(r->arena, s->no, s->count);
    size_t n = strlen(path), k = strlen(suffix);
    if (n > k && strcmp(path + n - k, suffix) == 0)
        return ul_arena_copy(r->arena, path, n - k);
    const char *joined = r->g->files[0].size > r->g->files[0].full_size
        ? " (it is longer than its header says: shards joined with cat? merge them with "
          "llama-gguf-split)" : "";
    ul_fail(r->err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
            "%s: by its key %s it is shard %" PRIu64 " of %" PRIu64
            ", so its name must end in %s, and its siblings are looked for by that%s",
            ul_path_tail(path), KEY_NO, s->no + 1, s->count, suffix, joined);
    return NULL;
}

/* Opens and reads one file; a failure to open a shard says which. */
static bool read_path(struct ul_gguf_reader *r, const char *path, const char *which)
{
    ullage_error e = {.code = ULLAGE_OK};
    int code = ul_source_open(&r->file, r->opener, path, r->arena, &e);
    if (code != ULLAGE_OK) {
        ul_fail(r->err, e.code == ULLAGE_ERROR_MISSING ? ULLAGE_ERROR_IO : e.code, e.position,
                "%s%s", which, e.message);
        return false;
    }
    bool ok = ul_gguf_read_one(r, &r->file);
    r->file.close(&r->file);
    return ok;
}

/* The engine asks each shard for its number only. That shards agree on their count is asked here
 * too: one that does not is from another download of the model, and its tensors would be counted.
 */
static bool check_shard(struct ul_gguf_reader *r, const char *path, uint64_t no,
                        const struct split *first)
{
    struct split s;
    if (!read_split(r, &s))
        return false;
    if (s.count == first->count && s.no == no)
        return true;
    const char *name = ul_path_tail(path);
    if (s.count != first->count)
        ul_fail(r->err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                "%s: %s is %" PRIu64 " here but %" PRIu64 " in the first shard", name, KEY_COUNT,
                s.count, first->count);
    else
        ul_fail(r->err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                "%s: %s is %" PRIu64 " but by its name it must be %" PRIu64, name, KEY_NO, s.no,
                no);
    return false;
}

/* The tensors over all shards: wrong shards with right names and numbers are found by nothing
 * else. */
static bool check_total(struct ul_gguf_reader *r, const char *path, const struct split *first)
{
    if (first->has_tensors && first->tensors == r->g->n_tensors)
        return true;
    if (!first->has_tensors)
        ul_fail(r->err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                "%s: key %s is missing in the first shard", ul_path_tail(path), KEY_TENSORS);
    else
        ul_fail(r->err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                "%s: %s is %" PRIu64 " but the %" PRIu64 " shards hold %zu tensors: one of them "
                "belongs to another model, or is damaged",
                ul_path_tail(path), KEY_TENSORS, first->tensors, first->count, r->g->n_tensors);
    return false;
}

/* Reads the shards from the first on; `named` is what was read already. */
static bool read_shards(struct ul_gguf_reader *r, const char *path, const struct split *named)
{
    struct split first = *named;
    char *prefix = shard_prefix(r, path, named);
    if (!prefix)
        return false;
    if (named->no != 0) {
        /* It was read for its split keys only; everything starts again at the first. */
        r->g->n_files = 0;
        r->g->n_tensors = 0;
        r->g->partial = false;
    }
    for (uint64_t no = r->g->n_files; no < named->count; no++) {
        char *shard = ul_format(r->arena, "%s%s", prefix, shard_suffix(r->arena, no, named->count));
        char *which = ul_format(r->arena, "shard %" PRIu64 " of %" PRIu64 " is missing: ", no + 1,
                                named->count);
        if (!read_path(r, shard, which) || !check_shard(r, shard, no, named))
            return false;
        if (no == 0 && !read_split(r, &first))
            return false;
    }
    return check_total(r, r->g->files[0].path, &first);
}

static bool open_all(struct ul_gguf_reader *r, const char *path)
{
    struct split s;
    if (!read_path(r, path, "") || !read_split(r, &s))
        return false;
    if (s.count > 1 && !read_shards(r, path, &s))
        return false;
    return ul_gguf_check_names(r);
}

/* After a failure nothing half read is to be seen. */
static int finish(struct ul_gguf_reader *r, bool ok, ullage_error *err)
{
    if (ok)
        return ULLAGE_OK;
    memset(r->g, 0, sizeof *r->g);
    return err->code;
}

/* The arena jumps to its owner when memory runs out, over everything in between. A file may be open
 * then, and only this function knows, so it stands in the way once, closes it, and lets the jump go
 * on. The reader is in the arena and not on the stack, because locals are lost in a jump. */
int ul_gguf_open_with(struct ul_gguf *g, const struct ul_opener *opener, const char *path,
                      struct ul_arena *a, ullage_error *err)
{
    ullage_error own = {.code = ULLAGE_OK};
    struct ul_gguf_reader *r = UL_NEW(a, struct ul_gguf_reader);
    jmp_buf *outer = a->oom;
    jmp_buf here;
    memset(g, 0, sizeof *g);
    r->g = g;
    r->opener = opener;
    r->arena = a;
    r->err = err ? err : &own;
    if (outer) {
        if (setjmp(here)) {
            if (r->file.close)
                r->file.close(&r->file);
            a->oom = outer;
            longjmp(*outer, 1);
        }
        a->oom = &here;
    }
    bool ok = open_all(r, path);
    a->oom = outer;
    return finish(r, ok, r->err);
}

int ul_gguf_open(struct ul_gguf *g, const char *path, struct ul_arena *a, ullage_error *err)
{
    return ul_gguf_open_with(g, NULL, path, a, err);
}

int ul_gguf_read_part(struct ul_gguf *g, struct ul_source *s, uint64_t *no, uint64_t *count,
                      struct ul_arena *a, ullage_error *err)
{
    ullage_error own = {.code = ULLAGE_OK};
    struct ul_gguf_reader r = {.g = g, .arena = a, .err = err ? err : &own};
    struct split split = {.count = 1};
    memset(g, 0, sizeof *g);
    bool ok = ul_gguf_read_one(&r, s) && read_split(&r, &split) && ul_gguf_check_names(&r);
    *no = split.no;
    *count = split.count;
    return finish(&r, ok, r.err);
}

int ul_gguf_read(struct ul_gguf *g, struct ul_source *s, struct ul_arena *a, ullage_error *err)
{
    ullage_error own = {.code = ULLAGE_OK};
    uint64_t no, count;
    err = err ? err : &own;
    int code = ul_gguf_read_part(g, s, &no, &count, a, err);
    if (code == ULLAGE_OK && count > 1) {
        memset(g, 0, sizeof *g);
        code = ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                       "%s: is shard %" PRIu64 " of %" PRIu64
                       ", and the others cannot be read from here",
                       ul_path_tail(s->name), no + 1, count);
    }
    return code;
}
