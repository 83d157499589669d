/* Reading safetensors headers. See safetensors.h.
 *
 * The header's length is a claim until its bytes are there: they are read in pieces, so a file that
 * lies about it costs only what it really holds. Tensors are checked as the format's own reader
 * does: a known type, a place as large as type and shape say, no two of one name, and no gap and no
 * overlap when they are put in order. */
#include "source/safetensors.h"

#include "base/size.h"

#include <inttypes.h>
#include <stdlib.h>

#define PIECE ((size_t)1 << 20) /* how much of a header is read at a time */
#define SHOWN 72                /* bytes of a name in a message */

static const struct ul_st_dtype dtypes[] = {
    {"BOOL", 8}, {"U8", 8}, {"I8", 8}, {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8},
    {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16}, {"U16", 16}, {"F16", 16}, {"BF16", 16},
    {"I32", 32}, {"U32", 32}, {"F32", 32}, {"I64", 64}, {"U64", 64}, {"F64", 64}, {"C64", 64},
    {"F4", 4}, {"F6_E2M3", 6}, {"F6_E3M2", 6},
};

/* ------------------------------------------------------------------ bytes */

static int fail(ullage_error *err, const struct ul_source *s, uint64_t at, const char *what)
{
    return ul_fail(err, ULLAGE_ERROR_INPUT, at, "%s: %s at byte %" PRIu64, ul_path_tail(s->name),
                   what, at);
}

/* Exactly n bytes from `at`, or an error. */
static int read_exactly(struct ul_source *s, uint64_t at, char *buf, size_t n, ullage_error *err)
{
    size_t done = 0;
    while (done < n) {
        long got = s->read(s, at + done, buf + done, n - done, err);
        if (got < 0)
            return ULLAGE_ERROR_IO;
        if (got == 0)
            return fail(err, s, at + done, "the file ends inside its header,");
        done += (size_t)got;
    }
    return ULLAGE_OK;
}

/* The header's text, in memory that grows with what the file really has. */
static int read_text(struct ul_source *s, uint64_t n, char **text, struct ul_arena *a,
                     ullage_error *err)
{
    size_t room = n < PIECE ? (size_t)n : PIECE, done = 0;
    char *p = ul_arena_alloc(a, room + 1, 1);
    while (done < n) {
        size_t piece = n - done < room - done ? (size_t)(n - done) : room - done;
        int code = read_exactly(s, 8 + done, p + done, piece, err);
        if (code != ULLAGE_OK)
            return code;
        done += piece;
        if (p[0] != '{')
            return fail(err, s, 8, "not a safetensors file: its header is no object,");
        if (done == room && done < n) {
            room = n < 4 * (uint64_t)room ? (size_t)n : 4 * room;
            char *more = ul_arena_alloc(a, room + 1, 1);
            memcpy(more, p, done);
            p = more;
        }
    }
    *text = p;
    return ULLAGE_OK;
}

static int read_length(struct ul_source *s, uint64_t *n, ullage_error *err)
{
    unsigned char b[8];
    int code = read_exactly(s, 0, (char *)b, sizeof b, err);
    *n = 0;
    for (int i = 7; i >= 0 && code == ULLAGE_OK; i--)
        *n = *n << 8 | b[i];
    if (code != ULLAGE_OK)
        return code;
    if (*n > UL_JREAD_BYTES)
        return fail(err, s, 0, "not a safetensors file: its header would have more than 100 MB,");
    if (*n < 2 || (s->size != UINT64_MAX && *n > s->size - 8))
        return fail(err, s, 0, "not a safetensors file: its header does not fit into it,");
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ one tensor */

static const struct ul_st_dtype *dtype_of(struct ul_str name)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (ul_str_is(name, dtypes[i].name))
            return &dtypes[i];
    return NULL;
}

/* A list of whole numbers, not negative; its length in *n. */
static bool numbers(struct ul_jread *r, uint64_t *v, uint32_t most, uint32_t *n, const char *what)
{
    enum ul_jtoken t = ul_jread_next(r);
    *n = 0;
    if (t != UL_JT_ARRAY) {
        ul_jread_fail(r, r->at, "%s is no list", what);
        return false;
    }
    while ((t = ul_jread_next(r)) == UL_JT_INT && r->i >= 0 && *n < most)
        v[(*n)++] = (uint64_t)r->i;
    if (t == UL_JT_INT && r->i >= 0)
        ul_jread_fail(r, r->at, "%s has more than %u items", what, most);
    else if (t != UL_JT_ARRAY_END)
        ul_jread_fail(r, r->at, "%s holds what is no whole number", what);
    return r->ok;
}

static void read_dtype(struct ul_jread *r, struct ul_st_tensor *t)
{
    if (ul_jread_next(r) != UL_JT_STRING) {
        ul_jread_fail(r, r->at, "dtype is no text");
        return;
    }
    t->dtype = dtype_of(r->s);
    if (t->dtype != NULL || !r->ok)
        return;
    r->ok = false;
    ul_fail(r->err, ULLAGE_ERROR_UNKNOWN, r->at, "%s: the type %.*s is not known, at byte %" PRIu64,
            r->name, r->s.n < SHOWN ? (int)r->s.n : SHOWN, r->s.p, r->at);
}

/* Shape times type, rounded to bytes; saturates. */
static uint64_t bytes_of(const struct ul_st_tensor *t)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < t->n_dims; i++)
        n = ul_mul(n, t->shape[i]);
    uint64_t bits = ul_mul(n, t->dtype->bits);
    return bits == UL_SIZE_OVERFLOW || bits % 8 != 0 ? UL_SIZE_OVERFLOW : bits / 8;
}

static void check_tensor(struct ul_jread *r, const struct ul_st_tensor *t, bool shape, bool place)
{
    if (t->dtype == NULL || !shape || !place)
        ul_jread_fail(r, t->position, "a tensor without %s", t->dtype == NULL ? "dtype" : !shape
                      ? "shape" : "data_offsets");
    else if (t->end < t->begin)
        ul_jread_fail(r, t->position, "a tensor that ends before it begins");
    else if (bytes_of(t) != t->end - t->begin)
        ul_jread_fail(r, t->position, "a tensor whose place has not the size of its shape");
}

/* The object behind a tensor's name. */
static void read_tensor(struct ul_jread *r, struct ul_st_tensor *t)
{
    bool shape = false, place = false;
    uint64_t at[2];
    uint32_t n;
    enum ul_jtoken token = ul_jread_next(r);
    if (token != UL_JT_OBJECT)
        ul_jread_fail(r, r->at, "a tensor that is no object");
    while (r->ok && (token = ul_jread_next(r)) == UL_JT_KEY) {
        if (ul_str_is(r->s, "dtype")) {
            read_dtype(r, t);
        } else if (ul_str_is(r->s, "shape")) {
            shape = numbers(r, t->shape, UL_ST_DIMS, &t->n_dims, "shape");
        } else if (ul_str_is(r->s, "data_offsets")) {
            place = numbers(r, at, 2, &n, "data_offsets") && n == 2;
            if (place) {
                t->begin = at[0];
                t->end = at[1];
            }
        } else {
            ul_jread_skip(r);
        }
    }
    if (r->ok)
        check_tensor(r, t, shape, place);
}

/* ------------------------------------------------------------------ one file */

static struct ul_st_tensor *slot(struct ul_st *st, struct ul_arena *a)
{
    if (st->n_tensors == st->room) {
        size_t room = st->room * 2 + 256;
        struct ul_st_tensor *more = UL_NEWS(a, struct ul_st_tensor, room);
        if (st->n_tensors > 0)
            memcpy(more, st->tensors, st->n_tensors * sizeof *more);
        st->tensors = more;
        st->room = room;
    }
    struct ul_st_tensor *t = &st->tensors[st->n_tensors++];
    *t = (struct ul_st_tensor){.file = st->n_files};
    return t;
}

static void read_tensors(struct ul_st *st, struct ul_jread *r, struct ul_arena *a)
{
    enum ul_jtoken token = ul_jread_next(r);
    if (token != UL_JT_OBJECT)
        ul_jread_fail(r, r->at, "the header is no object");
    while (r->ok && (token = ul_jread_next(r)) == UL_JT_KEY) {
        if (ul_str_is(r->s, "__metadata__")) {
            ul_jread_skip(r);
        } else if (st->n_tensors >= UL_ST_TENSORS) {
            ul_jread_fail(r, r->at, "more than %zu tensors", UL_ST_TENSORS);
        } else {
            struct ul_st_tensor *t = slot(st, a);
            t->name = r->s;
            t->position = r->at;
            read_tensor(r, t);
        }
    }
    if (r->ok && ul_jread_next(r) != UL_JT_END)
        ul_jread_fail(r, r->at, "text behind the header");
}

static int by_name(const void *x, const void *y)
{
    const struct ul_st_tensor *a = x, *b = y;
    size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;
    int order = n > 0 ? memcmp(a->name.p, b->name.p, n) : 0;
    return order != 0 ? order : a->name.n < b->name.n ? -1 : a->name.n > b->name.n;
}

static int by_place(const void *x, const void *y)
{
    const struct ul_st_tensor *a = x, *b = y;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

/* No name twice, no gap, no overlap; leaves the tensors in order of place. */
static int check_file(struct ul_st *st, size_t from, struct ul_source *s, uint64_t data,
                      ullage_error *err)
{
    struct ul_st_tensor *t = st->tensors ? st->tensors + from : NULL; /* a file may hold none */
    size_t n = st->n_tensors - from;
    uint64_t at = 0;
    if (n > 0)
        qsort(t, n, sizeof *t, by_name);
    for (size_t i = 1; i < n; i++)
        if (ul_str_eq(t[i - 1].name, t[i].name))
            return fail(err, s, t[i].position, "a tensor that is there twice,");
    if (n > 0)
        qsort(t, n, sizeof *t, by_place);
    for (size_t i = 0; i < n; i++) {
        if (t[i].begin != at)
            return fail(err, s, t[i].position, t[i].begin < at ? "tensors that overlap,"
                                                               : "a gap before a tensor,");
        at = t[i].end;
        st->bytes = ul_add(st->bytes, t[i].end - t[i].begin);
    }
    if (s->size != UINT64_MAX && s->size - data > at)
        return fail(err, s, ul_add(data, at), "bytes behind the last tensor,");
    st->partial = st->partial || (s->size != UINT64_MAX && s->size - data < at);
    return ULLAGE_OK;
}

int ul_st_read(struct ul_st *st, struct ul_source *s, struct ul_arena *a, ullage_error *err)
{
    uint64_t n;
    size_t from = st->n_tensors;
    char *text = NULL;
    struct ul_jread r;
    int code = read_length(s, &n, err);
    if (code == ULLAGE_OK)
        code = read_text(s, n, &text, a, err);
    if (code != ULLAGE_OK)
        return code;
    ul_jread_start(&r, ul_path_tail(s->name), text, (size_t)n, 8, a, err);
    read_tensors(st, &r, a);
    if (!r.ok)
        return err != NULL && err->code != ULLAGE_OK ? err->code : ULLAGE_ERROR_INPUT;
    code = check_file(st, from, s, n + 8, err);
    st->header = ul_add(st->header, n + 8);
    st->n_files++;
    return code;
}

/* ------------------------------------------------------------------ shards */

static int by_text(const void *x, const void *y)
{
    const struct ul_str *a = x, *b = y;
    size_t n = a->n < b->n ? a->n : b->n;
    int order = n > 0 ? memcmp(a->p, b->p, n) : 0;
    return order != 0 ? order : a->n < b->n ? -1 : a->n > b->n;
}

/* A name of a file in the same folder, and nothing else. */
static bool bare(struct ul_str s)
{
    bool ok = s.n > 0 && s.n < 256 && s.p[0] != '.';
    for (size_t i = 0; i < s.n && ok; i++)
        ok = s.p[i] != '/' && s.p[i] != '\\' && (unsigned char)s.p[i] >= 0x20;
    return ok;
}

static size_t without_repeats(struct ul_str *v, size_t n)
{
    size_t kept = 0;
    if (n > 0)
        qsort(v, n, sizeof *v, by_text);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || !ul_str_eq(v[kept - 1], v[i]))
            v[kept++] = v[i];
    return kept;
}

const struct ul_str *ul_st_index(size_t *n, const char *name, const char *text, size_t bytes,
                                 struct ul_arena *a, ullage_error *err)
{
    const struct ul_jvalue *root = ul_json_parse(name, text, bytes, a, err);
    const struct ul_jvalue *map = ul_jget(root, "weight_map");
    if (root == NULL)
        return NULL;
    if (map == NULL || map->kind != UL_J_OBJECT || map->n == 0) {
        ul_fail(err, ULLAGE_ERROR_INPUT, root->position, "%s: no weight_map at byte %" PRIu64, name,
                root->position);
        return NULL;
    }
    struct ul_str *files = UL_NEWS(a, struct ul_str, map->n);
    size_t i = 0;
    for (const struct ul_jvalue *v = map->first; v != NULL; v = v->next, i++) {
        if (v->kind != UL_J_STRING || !bare(v->s)) {
            ul_fail(err, ULLAGE_ERROR_INPUT, v->position,
                    "%s: a tensor that is in no file of this folder at byte %" PRIu64, name,
                    v->position);
            return NULL;
        }
        files[i] = v->s;
    }
    *n = without_repeats(files, map->n);
    if (*n <= UL_ST_FILES)
        return files;
    ul_fail(err, ULLAGE_ERROR_INPUT, map->position, "%s: more than %d files", name, UL_ST_FILES);
    return NULL;
}

static int read_opened(struct ul_st *st, struct ul_source *s, struct ul_arena *a, ullage_error *err)
{
    int code = ul_st_read(st, s, a, err);
    s->close(s);
    return code;
}

static int read_shards(struct ul_st *st, const struct ul_opener *opener, const char *folder,
                       struct ul_source *index, struct ul_arena *a, ullage_error *err)
{
    size_t n = 0, bytes = 0;
    const char *name = ul_path_tail(index->name);
    char *text = ul_source_rest(index, UL_JREAD_BYTES, &bytes, a, err);
    const struct ul_str *files = text != NULL ? ul_st_index(&n, name, text, bytes, a, err) : NULL;
    int code = files != NULL ? ULLAGE_OK : err->code;
    for (size_t i = 0; i < n && code == ULLAGE_OK; i++) {
        struct ul_source s;
        bool there;
        const char *path = ul_format(a, "%s/%.*s", folder, (int)files[i].n, files[i].p);
        code = ul_source_look(&s, opener, path, &there, a, err);
        if (code == ULLAGE_OK && there)
            code = read_opened(st, &s, a, err);
        st->n_missing += code == ULLAGE_OK && !there;
    }
    return code;
}

int ul_st_open_folder(struct ul_st *st, const struct ul_opener *opener, const char *folder,
                      bool *found, struct ul_arena *a, ullage_error *err)
{
    ullage_error local = {0}, *e = err != NULL ? err : &local;
    struct ul_source s;
    *st = (struct ul_st){0};
    const char *one = ul_format(a, "%s/model.safetensors", folder);
    const char *index = ul_format(a, "%s/model.safetensors.index.json", folder);
    int code = ul_source_look(&s, opener, one, found, a, e);
    if (code != ULLAGE_OK)
        return code;
    if (*found)
        return read_opened(st, &s, a, e);
    code = ul_source_look(&s, opener, index, found, a, e);
    return code == ULLAGE_OK && *found ? read_shards(st, opener, folder, &s, a, e) : code;
}
