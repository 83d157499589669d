/* The GGUF reader: one file's header, from its first byte to the start of the tensor data.
 *
 * The file is not trusted and not loaded. A cursor walks the header once through a small window.
 * What is kept is what a plan needs: scalar values, short arrays of numbers, and one record a
 * tensor. Arrays of strings (the vocabulary, most of a header) are stepped over by their lengths,
 * long arrays of numbers are jumped over. Every count is compared with the bytes that are left
 * before it is believed, and space grows with what was really read, so that a small file that
 * claims to be huge costs nothing.
 *
 * What is refused is what the engine refuses (ggml/src/gguf.cpp: gguf_init_from_reader), and a
 * little more where the engine would only fail later: tensors without elements, absurd alignment.
 * Two things that it refuses are read: big-endian files, and files whose tensor data is missing,
 * because a plan needs only the header. */
#include "source/gguf_read.h"
#include "source/magic.h"

#include "base/size.h"

#include <inttypes.h>
#include <stdlib.h>

/* The format's own limits, and the engine's. */
#define MAX_KEY 65535                      /* the GGUF specification */
#define MAX_STRING ((uint64_t)1 << 30)     /* ggml/src/gguf.cpp: GGUF_MAX_STRING_LENGTH */
#define MAX_ARRAY ((uint64_t)1 << 30)      /* ggml/src/gguf.cpp: GGUF_MAX_ARRAY_ELEMENTS */
#define MAX_TENSOR_NAME 64                 /* ggml/include/ggml.h: GGML_MAX_NAME, with its NUL */
#define MAX_DIMS 4                         /* ggml/include/ggml.h: GGML_MAX_DIMS */
#define DEFAULT_ALIGNMENT 32               /* ggml/include/gguf.h: GGUF_DEFAULT_ALIGNMENT */
/* Ours: past this, padding is a trick and not a layout. */
#define MAX_ALIGNMENT ((uint32_t)1 << 20)
/* What the reader keeps. The longest per-layer array has 512 items (LLAMA_MAX_LAYERS). */
#define MAX_KEPT_ITEMS 4096
#define MAX_KEPT_ITEMS_ALL 65536
#define MAX_KEPT_STRING 4096
/* The fewest bytes that a key with its value, and a tensor's record, can have in the file. */
#define MIN_KV (8 + 1 + 4 + 1)
#define MIN_TENSOR (8 + 4 + 4 + 8)
#define FIRST_ROOM 1024 /* records to make room for before any is read */

/* What a value's type is called, and how long one is in the file. */
struct value_type {
    const char *name;
    uint8_t bytes; /* 0: it has no fixed size */
};

/* Source: ggml/src/gguf.cpp: GGUF_TYPE_SIZE, GGUF_TYPE_NAME. */
static const struct value_type value_types[UL_GGUF_VALUE_COUNT] = {
    [UL_GGUF_U8] = {.name = "u8", .bytes = 1},    [UL_GGUF_I8] = {.name = "i8", .bytes = 1},
    [UL_GGUF_U16] = {.name = "u16", .bytes = 2},  [UL_GGUF_I16] = {.name = "i16", .bytes = 2},
    [UL_GGUF_U32] = {.name = "u32", .bytes = 4},  [UL_GGUF_I32] = {.name = "i32", .bytes = 4},
    [UL_GGUF_F32] = {.name = "f32", .bytes = 4},  [UL_GGUF_BOOL] = {.name = "bool", .bytes = 1},
    [UL_GGUF_STRING] = {.name = "string"},        [UL_GGUF_ARRAY] = {.name = "array"},
    [UL_GGUF_U64] = {.name = "u64", .bytes = 8},  [UL_GGUF_I64] = {.name = "i64", .bytes = 8},
    [UL_GGUF_F64] = {.name = "f64", .bytes = 8},
};

const char *ul_gguf_value_name(uint32_t type)
{
    return type < UL_GGUF_VALUE_COUNT ? value_types[type].name : "unknown";
}

/* By value: a message may name two of them, and none needs the arena. */
struct ul_shown ul_gguf_shown(struct ul_str s)
{
    struct ul_shown out = {.text = ""};
    size_t n = s.n < UL_GGUF_SHOWN ? s.n : UL_GGUF_SHOWN;
    for (size_t i = 0; i < n; i++)
        out.text[i] = s.p[i] >= 0x20 && s.p[i] < 0x7f ? s.p[i] : '?';
    if (s.n > n)
        memcpy(out.text + n, "...", 3);
    return out;
}

/* ------------------------------------------------------------------ the head */

/* The first bytes are read again by the source, because a file shorter than the magic has not got
 * into the window. */
static void refuse_magic(struct ul_gguf_reader *r)
{
    struct ul_source *s = r->c.source;
    unsigned char first[UL_MAGIC_BYTES];
    long n = s->read(s, 0, first, sizeof first, r->err);
    const char *what = n > 0 ? ul_magic_guess(first, (size_t)n) : NULL;
    if (n < 0)
        r->c.ok = false;
    else if (n == 0)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, 0, "the file is empty: no GGUF magic");
    else if (what)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, 0, "not a GGUF file but %s: no GGUF magic", what);
    else if (strstr(s->name, ".part"))
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, 0,
                       "a later piece of a file that was cut up (join the pieces with cat): "
                       "no GGUF magic");
    else
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, 0, "not a GGUF file: no GGUF magic");
}

/* Version 1 had 32-bit counts and is refused by the engine too; 2 and 3 differ in nothing but that
 * 3 may be big-endian. The magic is the same in both orders. The version's bytes tell the byte
 * order: versions are small, so the half that is zero shows which end came first. Source:
 * ggml/src/gguf.cpp: gguf_init_from_reader. */
static void read_version(struct ul_gguf_reader *r)
{
    uint32_t v = ul_cursor_u32(&r->c);
    if (v != 0 && (v & 0xffff) == 0) {
        r->c.big_endian = true;
        v = v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
    }
    r->version = v;
    const char *order = r->c.big_endian ? "big-endian " : "";
    if (!r->c.ok)
        return;
    if (v == 0)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, 4, "GGUF version 0 does not exist");
    else if (v == 1)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, 4,
                       "%sGGUF version 1 is no longer supported (2 and 3 are)", order);
    else if (v > 3)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, 4,
                       "%sGGUF version %" PRIu32 " is newer than this program knows (2 and 3)",
                       order, v);
}

/* A count of records that each take at least `least` bytes. Divided, not multiplied: the product
 * of a claimed count can wrap. */
static uint64_t read_count(struct ul_gguf_reader *r, const char *what, uint64_t least)
{
    uint64_t at = ul_cursor_at(&r->c);
    uint64_t n = ul_cursor_u64(&r->c);
    if (r->c.ok && n > ul_cursor_left(&r->c) / least)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, at,
                       "%" PRIu64 " %s are more than the file has room for, stated", n, what);
    return r->c.ok ? n : 0;
}

/* ------------------------------------------------------------------ keys and values */

/* Room for one more of `n` records. The header's count is only a ceiling: of a file of many
 * gigabytes a false count passes the check against the bytes left, and an allocation by it would
 * take them. Doubling from a first room that ordinary models do not outgrow costs those nothing,
 * and others at most twice what they hold. */
static void *grow(struct ul_arena *a, void *old, size_t n, size_t *room, uint64_t claimed,
                  size_t size)
{
    if (n < *room)
        return old;
    size_t want = ul_max(*room * 2, FIRST_ROOM);
    if (want > claimed && claimed >= *room + *room / 2) /* not one more for each of 800 shards */
        want = (size_t)ul_max(claimed, n + 1);
    void *p = ul_arena_alloc(a, want, size);
    if (n)
        memcpy(p, old, n * size);
    *room = want;
    return p;
}

/* A string that is kept, or stepped over when it is longer than `most`: no plan needs a chat
 * template of 20 KB. `limit` is what is refused. Kept strings have a NUL behind them, for
 * convenience, but may hold others. */
static struct ul_str read_string(struct ul_gguf_reader *r, const char *what, uint64_t limit,
                                 uint64_t most)
{
    struct ul_cursor *c = &r->c;
    uint64_t at = ul_cursor_at(c);
    uint64_t n = ul_cursor_u64(c);
    if (c->ok)
        ul_cursor_check_length(c, at, what, n, limit);
    if (!c->ok)
        return (struct ul_str){0};
    if (n > most) {
        ul_cursor_skip(c, n);
        return (struct ul_str){0};
    }
    const unsigned char *p = ul_cursor_take(c, (size_t)n);
    if (!p)
        return (struct ul_str){0};
    return (struct ul_str){ul_arena_copy(r->arena, (const char *)p, (size_t)n), (size_t)n};
}

/* Bits to numbers by copying, as C allows; the host's floats are IEEE like the file's. */
static double f32_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static double f64_of(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* One number, widened, so that those who ask for a value need not know in which of ten forms a
 * converter wrote it. The union's members overlay, so an array's items are stored the same way. */
union number {
    uint64_t u;
    int64_t i;
    double f;
};

static union number read_number(struct ul_cursor *c, uint32_t type)
{
    switch (type) {
    case UL_GGUF_U8: return (union number){.u = ul_cursor_u8(c)};
    case UL_GGUF_I8: return (union number){.i = (int8_t)ul_cursor_u8(c)};
    case UL_GGUF_U16: return (union number){.u = ul_cursor_u16(c)};
    case UL_GGUF_I16: return (union number){.i = (int16_t)ul_cursor_u16(c)};
    case UL_GGUF_U32: return (union number){.u = ul_cursor_u32(c)};
    case UL_GGUF_I32: return (union number){.i = (int32_t)ul_cursor_u32(c)};
    case UL_GGUF_F32: return (union number){.f = f32_of(ul_cursor_u32(c))};
    case UL_GGUF_BOOL: return (union number){.u = ul_cursor_u8(c) != 0};
    case UL_GGUF_I64: return (union number){.i = (int64_t)ul_cursor_u64(c)};
    case UL_GGUF_F64: return (union number){.f = f64_of(ul_cursor_u64(c))};
    default: return (union number){.u = ul_cursor_u64(c)};
    }
}

/* An array's items, one behind the other. Where arrays are many (a file made to be a nuisance: u8
 * items grow eightfold here) the sum over all of them is bounded too, see read_array. */
static void keep_items(struct ul_gguf_reader *r, struct ul_gguf_kv *kv)
{
    union number *items = UL_NEWS(r->arena, union number, (size_t)kv->count);
    for (uint64_t i = 0; i < kv->count; i++)
        items[i] = read_number(&r->c, kv->item);
    r->kept_items += kv->count;
    if (kv->item == UL_GGUF_F32 || kv->item == UL_GGUF_F64)
        kv->v.fs = &items->f;
    else if (kv->item == UL_GGUF_I8 || kv->item == UL_GGUF_I16 || kv->item == UL_GGUF_I32 ||
             kv->item == UL_GGUF_I64)
        kv->v.is = &items->i;
    else
        kv->v.us = &items->u;
}

/* An array's length is divided into the bytes left before anything else is done with it: a product
 * could wrap, and a loop over a claimed 2^63 items would not end. Which arrays are kept depends on
 * their type and length only, never on their key: what a key means is decided above this layer. */
static void read_array(struct ul_gguf_reader *r, struct ul_gguf_kv *kv)
{
    struct ul_cursor *c = &r->c;
    uint64_t at = ul_cursor_at(c);
    uint32_t item = ul_cursor_u32(c);
    uint64_t n = ul_cursor_u64(c);
    struct ul_shown key = ul_gguf_shown(kv->key);
    if (!c->ok)
        return;
    if (item >= UL_GGUF_VALUE_COUNT || item == UL_GGUF_ARRAY) {
        ul_cursor_fail(c, ULLAGE_ERROR_INPUT, at,
                       item == UL_GGUF_ARRAY ? "key '%s' is an array of arrays (type %" PRIu32 ")"
                                             : "key '%s' is an array of unknown type %" PRIu32,
                       key.text, item);
        return;
    }
    uint64_t least = item == UL_GGUF_STRING ? 8 : value_types[item].bytes;
    if (n > ul_cursor_left(c) / least || n > MAX_ARRAY) {
        ul_cursor_fail(c, ULLAGE_ERROR_INPUT, at + 4,
                       "key '%s' claims %" PRIu64 " items, more than the file has room for,",
                       key.text, n);
        return;
    }
    kv->item = (uint8_t)item;
    kv->count = n;
    if (item == UL_GGUF_STRING)
        ul_cursor_skip_strings(c, n, MAX_STRING);
    else if (n > 0 && n <= MAX_KEPT_ITEMS && r->kept_items + n <= MAX_KEPT_ITEMS_ALL)
        keep_items(r, kv);
    else
        ul_cursor_skip(c, n * least);
}

/* A value's type is the file's word; the keys' meaning is not looked at here. */
static void read_value(struct ul_gguf_reader *r, struct ul_gguf_kv *kv)
{
    uint64_t at = ul_cursor_at(&r->c);
    uint32_t type = ul_cursor_u32(&r->c);
    if (type >= UL_GGUF_VALUE_COUNT) {
        if (r->c.ok)
            ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, at,
                           "key '%s' has a value of unknown type %" PRIu32,
                           ul_gguf_shown(kv->key).text, type);
        return;
    }
    kv->type = (uint8_t)type;
    kv->count = 1;
    if (type == UL_GGUF_ARRAY)
        read_array(r, kv);
    else if (type == UL_GGUF_STRING)
        kv->v.s = read_string(r, "a value", MAX_STRING, MAX_KEPT_STRING);
    else
        kv->v.u = read_number(&r->c, type).u;
}

/* An empty key is refused as the engine does: it could not be asked for. */
static void read_kv(struct ul_gguf_reader *r, struct ul_gguf_kv *kv)
{
    kv->position = ul_cursor_at(&r->c);
    kv->key = read_string(r, "a key", MAX_KEY, MAX_KEY);
    if (r->c.ok && kv->key.n == 0)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, kv->position, "an empty key");
    if (r->c.ok)
        read_value(r, kv);
}

/* ------------------------------------------------------------------ names */

/* Duplicates are found by sorting: no file can make that slow, as it could a hash table. */
struct name_at {
    uint64_t hash;
    struct ul_str name;
    size_t index;
};

/* The hash makes most comparisons one of numbers; it decides nothing, so it need not be strong. */
static uint64_t hash_of(struct ul_str s)
{
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a */
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3;
    return h;
}

/* Equal names come out beside each other, in the file's order. */
static int by_name(const void *pa, const void *pb)
{
    const struct name_at *a = pa, *b = pb;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->name.n != b->name.n)
        return a->name.n < b->name.n ? -1 : 1;
    int order = a->name.n ? memcmp(a->name.p, b->name.p, a->name.n) : 0;
    if (order != 0)
        return order;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* The earliest record that repeats a name, or n. Sorts `names`. */
static size_t first_duplicate(struct name_at *names, size_t n)
{
    size_t found = n;
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 1; i < n; i++)
        if (ul_str_eq(names[i - 1].name, names[i].name) && names[i].index < found)
            found = names[i].index;
    return found;
}

/* If the last of two equal keys won, or the first, a file could show one head_count_kv to this
 * program and another to the engine. */
static bool check_keys(struct ul_gguf_reader *r)
{
    struct name_at *names = UL_NEWS(r->arena, struct name_at, r->n_kv);
    for (size_t i = 0; i < r->n_kv; i++)
        names[i] = (struct name_at){hash_of(r->kv[i].key), r->kv[i].key, i};
    size_t i = first_duplicate(names, r->n_kv);
    if (i < r->n_kv)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, r->kv[i].position,
                       "key '%s' is there twice, again", ul_gguf_shown(r->kv[i].key).text);
    return r->c.ok;
}

/* Once for all shards, at the end: a tensor may not be in two of them either. */
bool ul_gguf_check_names(struct ul_gguf_reader *r)
{
    const struct ul_gguf *g = r->g;
    struct name_at *names = UL_NEWS(r->arena, struct name_at, g->n_tensors);
    for (size_t i = 0; i < g->n_tensors; i++)
        names[i] = (struct name_at){hash_of(g->tensors[i].name), g->tensors[i].name, i};
    size_t i = first_duplicate(names, g->n_tensors);
    if (i == g->n_tensors)
        return true;
    const struct ul_gguf_tensor *t = &g->tensors[i];
    ul_fail(r->err, ULLAGE_ERROR_INPUT, t->position,
            "%s: tensor '%s' is there twice, again at byte %" PRIu64,
            ul_path_tail(g->files[t->file].path),
            ul_gguf_shown(t->name).text, t->position);
    return false;
}

/* ------------------------------------------------------------------ tensors */

static void fail_tensor(struct ul_gguf_reader *r, const struct ul_gguf_tensor *t, uint64_t at,
                        const char *text)
{
    ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, at, "tensor '%s' %s", ul_gguf_shown(t->name).text,
                   text);
}

/* A tensor without dimensions is a scalar, of one element. A dimension is a signed 64-bit number to
 * the engine, so the upper half is negative; elements must stay below 2^63. A dimension of 0 the
 * engine's reader lets pass (0.7.0, tried); nothing that can be planned has one, so here it is
 * refused. Source: ggml/src/gguf.cpp: gguf_init_from_reader. */
static void read_shape(struct ul_gguf_reader *r, struct ul_gguf_tensor *t)
{
    uint64_t at = ul_cursor_at(&r->c), elements = 1;
    t->n_dims = ul_cursor_u32(&r->c);
    if (r->c.ok && t->n_dims > MAX_DIMS) {
        fail_tensor(r, t, at, "has more than 4 dimensions");
        return;
    }
    for (uint32_t i = 0; i < MAX_DIMS; i++) {
        at = ul_cursor_at(&r->c);
        t->ne[i] = i < t->n_dims ? ul_cursor_u64(&r->c) : 1;
        if (!r->c.ok)
            return;
        if (t->ne[i] == 0)
            fail_tensor(r, t, at, "has a dimension of 0");
        else if (t->ne[i] > INT64_MAX)
            fail_tensor(r, t, at, "has a negative dimension");
        elements = ul_mul(elements, t->ne[i]);
        if (elements >= INT64_MAX)
            fail_tensor(r, t, at, "has more elements than can be counted");
    }
}

/* Not "invalid": the file may be good and made for another program, and which one is what a person
 * wants to know. The code is UNKNOWN for the same reason. */
static void fail_type(struct ul_gguf_reader *r, const struct ul_gguf_tensor *t, uint32_t type,
                      uint64_t at)
{
    const struct ul_type_info *known = ul_type_info(type);
    const char *name = known ? known->name : ul_type_foreign(type);
    const char *why = known ? "which ggml has removed" : "which the engine does not know";
    ul_cursor_fail(&r->c, ULLAGE_ERROR_UNKNOWN, at, "tensor '%s' has type %" PRIu32 "%s%s%s, %s,",
                   ul_gguf_shown(t->name).text, type, name ? " (" : "", name ? name : "",
                   name ? ")" : "", why);
}

/* The type with its number of bytes. Rows hold whole blocks, as in the engine; this is where a
 * removed type would divide by zero. Source: ggml/src/gguf.cpp: gguf_init_from_reader. */
static void read_type(struct ul_gguf_reader *r, struct ul_gguf_tensor *t)
{
    uint64_t at = ul_cursor_at(&r->c);
    uint32_t type = ul_cursor_u32(&r->c);
    const struct ul_type_info *info = ul_type_info(type);
    if (!r->c.ok)
        return;
    if (!info || info->removed) {
        fail_type(r, t, type, at);
        return;
    }
    t->type = (enum ul_type)type;
    if (t->ne[0] % info->block != 0) {
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, at,
                       "tensor '%s' has rows of %" PRIu64 " values, not a multiple of the %" PRIu32
                       " in a block of its type %s,",
                       ul_gguf_shown(t->name).text, t->ne[0], info->block, info->name);
        return;
    }
    t->bytes = ul_row_bytes(t->type, t->ne[0]);
    for (int i = 1; i < MAX_DIMS; i++)
        t->bytes = ul_mul(t->bytes, t->ne[i]);
    if (t->bytes >= INT64_MAX)
        fail_tensor(r, t, at, "has more bytes than can be counted");
}

/* The data of the tensors lies in the order of their records, each padded to the alignment: an
 * offset that is not the running sum is an error, whatever it would mean.
 * Source: ggml/src/gguf.cpp: gguf_init_from_reader. */
static void read_offset(struct ul_gguf_reader *r, struct ul_gguf_tensor *t, uint64_t expected)
{
    uint64_t at = ul_cursor_at(&r->c);
    t->offset = ul_cursor_u64(&r->c);
    if (!r->c.ok || t->offset == expected)
        return;
    const char *how = t->offset % r->alignment != 0 ? "is not aligned"
                      : t->offset < expected        ? "overlaps the tensor before it"
                                                    : "leaves a gap";
    ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, at,
                   "tensor '%s' has data offset %" PRIu64 ", which %s: expected %" PRIu64 ",",
                   ul_gguf_shown(t->name).text, t->offset, how, expected);
}

static void read_tensor(struct ul_gguf_reader *r, struct ul_gguf_tensor *t, uint64_t expected)
{
    t->position = ul_cursor_at(&r->c);
    t->name = read_string(r, "a tensor's name", MAX_TENSOR_NAME - 1, MAX_TENSOR_NAME - 1);
    if (r->c.ok)
        read_shape(r, t);
    if (r->c.ok)
        read_type(r, t);
    if (r->c.ok)
        read_offset(r, t, expected);
}

/* The tensors' records of one file, appended to those of the files before it. Offsets in the file
 * count from where its data starts, which is known only after the last record; from then on they
 * count from the file's start.
 *
 * Two ends are kept apart: the file's full size includes the padding after the last tensor, which
 * writers write; but a file without that padding lacks nothing that the engine reads, so `partial`
 * goes by the last tensor's own end. Source: src/llama-model-loader.h: llama_tensor_weight. */
static void read_tensors(struct ul_gguf_reader *r, uint64_t n, struct ul_gguf_file *file)
{
    struct ul_gguf *g = r->g;
    uint64_t end = 0, last = 0; /* the padded sum, and the last tensor's own end */
    size_t from = g->n_tensors;
    for (uint64_t i = 0; i < n && r->c.ok; i++) {
        g->tensors = grow(r->arena, g->tensors, g->n_tensors, &r->tensor_room,
                          ul_add(from, n), sizeof *g->tensors);
        struct ul_gguf_tensor *t = &g->tensors[g->n_tensors];
        read_tensor(r, t, end);
        t->file = (uint32_t)g->n_files;
        last = ul_add(end, t->bytes);
        end = ul_add(end, ul_pad(t->bytes, r->alignment));
        if (r->c.ok && end >= INT64_MAX)
            fail_tensor(r, t, t->position, "ends past the largest possible file");
        g->n_tensors++;
    }
    if (!r->c.ok)
        return;
    uint64_t at = ul_cursor_at(&r->c);
    file->data = n ? ul_pad(at, r->alignment) : at;
    file->full_size = ul_add(file->data, end);
    if (file->size < ul_add(file->data, last))
        g->partial = true;
    for (size_t i = from; i < g->n_tensors; i++)
        g->tensors[i].offset = ul_add(g->tensors[i].offset, file->data);
}

/* ------------------------------------------------------------------ one file */

const struct ul_gguf_kv *ul_gguf_find_in(const struct ul_gguf_kv *kv, size_t n, struct ul_str key)
{
    for (size_t i = 0; i < n; i++)
        if (ul_str_eq(kv[i].key, key))
            return &kv[i];
    return NULL;
}

const struct ul_gguf_kv *ul_gguf_find(const struct ul_gguf *g, struct ul_str key)
{
    return ul_gguf_find_in(g->kv, g->n_kv, key);
}

/* The engine wants exactly a u32 here and aborts or refuses otherwise; it has no upper bound, and a
 * 160-byte file with 2^30 makes it seek a gigabyte. Source: ggml/src/gguf.cpp:
 * gguf_init_from_reader. */
static void read_alignment(struct ul_gguf_reader *r)
{
    const struct ul_gguf_kv *kv = ul_gguf_find_in(r->kv, r->n_kv, UL_STR("general.alignment"));
    r->alignment = DEFAULT_ALIGNMENT;
    if (!kv)
        return;
    uint64_t v = kv->v.u;
    if (kv->type != UL_GGUF_U32)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, kv->position,
                       "general.alignment must be a u32 but is of type %s,",
                       ul_gguf_value_name(kv->type));
    else if (v == 0 || (v & (v - 1)) != 0)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, kv->position,
                       "general.alignment is %" PRIu64 ", not a power of two,", v);
    else if (v > MAX_ALIGNMENT)
        ul_cursor_fail(&r->c, ULLAGE_ERROR_INPUT, kv->position,
                       "general.alignment is %" PRIu64 ", more than %" PRIu32 ",", v,
                       MAX_ALIGNMENT);
    else
        r->alignment = (uint32_t)v;
}

/* All keys, then what has to be known before the tensors: that none is there twice, and the
 * alignment. */
static void read_kvs(struct ul_gguf_reader *r, uint64_t n)
{
    size_t room = 0;
    r->kv = NULL;
    for (r->n_kv = 0; r->n_kv < n && r->c.ok; r->n_kv++) {
        r->kv = grow(r->arena, r->kv, r->n_kv, &room, n, sizeof *r->kv);
        read_kv(r, &r->kv[r->n_kv]);
    }
    if (r->c.ok && check_keys(r))
        read_alignment(r);
}

/* The first file makes room for itself only; that there are more shows when the second comes. */
static struct ul_gguf_file *add_file(struct ul_gguf_reader *r, struct ul_source *s)
{
    struct ul_gguf *g = r->g;
    g->files = grow(r->arena, g->files, g->n_files, &r->file_room, g->n_files ? UINT16_MAX : 1,
                    sizeof *g->files);
    g->files[g->n_files] = (struct ul_gguf_file){.path = s->name, .size = s->size};
    return &g->files[g->n_files];
}

/* One header from its first byte to its last. Each step does nothing once the cursor has failed, so
 * only the steps that allocate or publish something look first. */
bool ul_gguf_read_one(struct ul_gguf_reader *r, struct ul_source *s)
{
    ul_cursor_start(&r->c, s, r->arena, r->err);
    const unsigned char *magic = s->size >= 4 ? ul_cursor_take(&r->c, 4) : NULL;
    if (r->c.ok && (!magic || memcmp(magic, "GGUF", 4) != 0))
        refuse_magic(r);
    read_version(r);
    uint64_t n_tensors = read_count(r, "tensors", MIN_TENSOR);
    uint64_t n_kv = read_count(r, "keys", MIN_KV);
    if (r->c.ok)
        read_kvs(r, n_kv);
    if (!r->c.ok)
        return false;
    struct ul_gguf_file *file = add_file(r, s);
    read_tensors(r, n_tensors, file);
    ul_cursor_finish(&r->c);
    if (r->g->n_files == 0) {
        r->g->version = r->version;
        r->g->big_endian = r->c.big_endian;
        r->g->alignment = r->alignment;
        r->g->kv = r->kv;
        r->g->n_kv = r->n_kv;
    }
    r->g->n_files++;
    return r->c.ok;
}
