/* Files that are no GGUF. Most are told by their first bytes (magic.c); some need a second look:
 * what is in an archive, what a JSON document is for, how much of a file there should be. Formats:
 *   - GGML, GGMF and GGJT: llama.cpp, convert_llama_ggml_to_gguf.py (magic, version, seven numbers);
 *   - the old importance matrix: llama.cpp, common/imatrix-loader.cpp: common_imatrix_load_legacy;
 *   - zip: PKWARE's APPNOTE 4.3.7 (a local header, then the file's name); PyTorch's is
 *     torch/serialization.py (NAME/data.pkl);
 *   - git-lfs: docs/spec.md (lines of a key and a value);
 *   - ONNX: onnx/onnx.proto (ModelProto: ir_version first), as protobuf writes it;
 *   - tar: POSIX ustar ("ustar" at byte 257). */
#include "source/sniff_kinds.h"

#include "base/size.h"
#include "source/gguf_read.h"
#include "source/magic.h"
#include "source/safetensors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define JSON_BYTES ((size_t)16 << 20)
#define MOST_ENTRIES 65536 /* of an importance matrix */

static uint32_t u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool printable(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != '\t' && p[i] != '\n' && p[i] != '\r' && (p[i] < 0x20 || p[i] == 0x7f))
            return false;
    return true;
}

static struct ul_shown shown(const unsigned char *p, size_t n)
{
    return ul_gguf_shown((struct ul_str){(const char *)p, n});
}

/* Where a text stands in the head, in any case; NULL: nowhere. */
static const unsigned char *find(const struct ul_sniffer *f, size_t from, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = from; i + n <= f->n; i++) {
        size_t k = 0;
        while (k < n && (f->head[i + k] | 0x20) == ((unsigned char)text[k] | 0x20))
            k++;
        if (k == n)
            return f->head + i;
    }
    return NULL;
}

/* ------------------------------------------------------------------ old GGML */

static void sniff_ggml(struct ul_sniffer *f)
{
    static const struct { const char *magic, *name; } names[] = {
        {"lmgg", "GGML"}, {"fmgg", "GGMF"}, {"tjgg", "GGJT"}, {"algg", "GGLA"}};
    const char *name = "GGML";
    bool versioned = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (memcmp(f->head, names[i].magic, 4) == 0) {
            name = names[i].name;
            versioned = i > 0;
        }
    if (strcmp(name, "GGLA") == 0) {
        ul_sniff_says(f, "an old LoRA adapter (GGLA), from before GGUF");
        return;
    }
    const unsigned char *p = f->head + (versioned ? 8 : 4);
    char version[16] = "";
    if (versioned && f->n >= 8)
        snprintf(version, sizeof version, " v%u", (unsigned)u32(f->head + 4) % 1000);
    ul_sniff_says(f, "an old %s%s file, from before GGUF", name, version);
    if (f->n < 36 || u32(p) == 0 || u32(p) > 1000000 || u32(p + 16) == 0 || u32(p + 16) > 512)
        return;
    ul_sniff_says(f, "an old %s%s file, from before GGUF: %u layers of width %u, %u tokens", name,
                  version, (unsigned)u32(p + 16), (unsigned)u32(p + 4), (unsigned)u32(p));
}

/* ------------------------------------------------------------------ importance matrices */

/* A count of entries, then of each: the name's length, the name, calls, values, floats. */
static bool sniff_imatrix(struct ul_sniffer *f)
{
    unsigned char b[8], name[256];
    uint64_t at = 4;
    uint32_t n = f->n >= 16 ? u32(f->head) : 0, i = 0;
    uint32_t length = f->n >= 16 ? u32(f->head + 4) : 0;
    if (n == 0 || n > MOST_ENTRIES || length == 0 || length > 255 || f->n < 8 + (size_t)length
        || !printable(f->head + 8, length) || !memchr(f->head + 8, '.', length))
        return false;
    for (; i < n; i++) {
        if (!ul_sniff_bytes(f, at, b, 4) || (length = u32(b)) == 0 || length > 255
            || !ul_sniff_bytes(f, at + 4, name, length) || !printable(name, length)
            || !ul_sniff_bytes(f, at + 4 + length, b, 8) || u32(b + 4) > (uint32_t)1 << 28)
            break;
        uint64_t end = at + 12 + length + (uint64_t)u32(b + 4) * 4;
        if (end > f->out->size)
            break;
        at = end;
    }
    ul_sniff_is(f, "imatrix-dat");
    ul_sniff_says(f, "an importance matrix in the old form: %u tensors", (unsigned)n);
    if (i < n)
        ul_sniff_wrong(f, "cut", "it ends within entry %u of %u", (unsigned)i + 1, (unsigned)n);
    return true;
}

/* ------------------------------------------------------------------ archives */

/* The first file's name is at byte 30 and says who made the archive. */
static void sniff_zip(struct ul_sniffer *f)
{
    size_t n = f->n >= 30 ? (size_t)f->head[26] | (size_t)f->head[27] << 8 : 0;
    n = n > f->n - 30 && f->n >= 30 ? f->n - 30 : n;
    const char *name = (const char *)f->head + 30;
    if (n >= 8 && memcmp(name + n - 8, "data.pkl", 8) == 0)
        ul_sniff_is(f, "pytorch");
    else if (n >= 4 && memcmp(name + n - 4, ".npy", 4) == 0)
        ul_sniff_is(f, "numpy");
    else if (n > 0)
        ul_sniff_says(f, "a zip archive, its first file %s",
                      shown((const unsigned char *)name, n).text);
}

/* A varint field 1 of a small number, then a field that a model has. */
static bool is_onnx(const struct ul_sniffer *f)
{
    const unsigned char *p = f->head;
    if (f->n < 16 || p[0] != 0x08 || p[1] == 0 || p[1] > 32)
        return false;
    if (p[2] == 0x12) /* producer_name */
        return p[3] > 0 && p[3] < 64 && f->n > 4 + (size_t)p[3] && printable(p + 4, p[3]);
    return p[2] == 0x3a || p[2] == 0x42; /* graph, opset_import */
}

/* ------------------------------------------------------------------ what came instead */

static void sniff_pointer(struct ul_sniffer *f)
{
    const unsigned char *size = find(f, 0, "\nsize ");
    if (!size)
        return;
    uint64_t n = strtoull((const char *)size + 6, NULL, 10);
    ul_sniff_says(f, "a git-lfs pointer to a file of %.2f MiB", (double)n / 1048576.0);
}

static void sniff_page(struct ul_sniffer *f)
{
    const unsigned char *title = find(f, 0, "<title");
    const unsigned char *end = title ? memchr(title, '>', (size_t)(f->head + f->n - title)) : NULL;
    if (!end)
        return;
    const unsigned char *from = end + 1, *to = memchr(from, '<', (size_t)(f->head + f->n - from));
    if (to && to > from)
        ul_sniff_says(f, "a web page, '%s'", shown(from, (size_t)(to - from)).text);
}

/* ------------------------------------------------------------------ JSON */

static char *all_of(struct ul_sniffer *f, size_t *n)
{
    uint64_t size = f->out->size;
    if (size == UINT64_MAX || size > JSON_BYTES)
        return NULL;
    char *text = ul_arena_alloc(f->arena, (size_t)size + 1, 1);
    *n = (size_t)size;
    return ul_sniff_bytes(f, 0, text, *n) ? text : NULL;
}

static void sniff_index(struct ul_sniffer *f, const char *text, size_t n)
{
    ullage_error err = {0};
    size_t files, missing = 0;
    struct ul_source s;
    const struct ul_str *name = ul_st_index(&files, "index", text, n, f->arena, &err);
    const char *slash = f->path ? strrchr(f->path, '/') : NULL;
    ul_sniff_is(f, "safetensors-index");
    if (!name) {
        ul_sniff_wrong(f, "index", "%s", err.message);
        return;
    }
    ul_sniff_says(f, "the index of %zu safetensors shards", files);
    for (size_t i = 0; f->path && i < files; i++) {
        ullage_error ignored = {0};
        const char *path = ul_format(f->arena, "%.*s%.*s", slash ? (int)(slash + 1 - f->path) : 0,
                                     f->path, (int)name[i].n, name[i].p);
        if (ul_source_file(&s, path, f->arena, &ignored) == ULLAGE_OK)
            s.close(&s);
        else
            missing++;
    }
    if (missing)
        ul_sniff_wrong(f, "missing_shards", "of its %zu shards %zu are missing", files, missing);
}

static void sniff_json(struct ul_sniffer *f)
{
    ullage_error err = {0};
    size_t n = 0;
    char *text = all_of(f, &n);
    const struct ul_jvalue *v = text ? ul_json_parse("JSON", text, n, f->arena, &err) : NULL;
    struct ul_str error = ul_jstr(v, "error", "");
    if (text && !v)
        ul_sniff_wrong(f, "json", "%s", err.message);
    else if (ul_jget(v, "weight_map"))
        sniff_index(f, text, n);
    else if (ul_jget(v, "model_type") || ul_jget(v, "architectures"))
        ul_sniff_is(f, "config");
    else if (ul_jget(v, "layers") && ul_jget(v, "schemaVersion"))
        ul_sniff_says(f, "the manifest of a registry's model (Ollama), no model");
    else if (error.n)
        ul_sniff_wrong(f, "server_error", "a server's message came instead of the file: %s",
                       ul_gguf_shown(error).text);
}

/* ------------------------------------------------------------------ safetensors */

/* "NAME-00001-of-00003.safetensors", as transformers names shards. */
static void shards_of(struct ul_sniffer *f)
{
    static const char tail[] = ".safetensors";
    size_t n = f->path ? strlen(f->path) : 0, t = sizeof tail - 1;
    const char *p = n > t + 15 ? f->path + n - t - 15 : NULL;
    if (!p || strcmp(f->path + n - t, tail) != 0 || p[0] != '-' || strncmp(p + 6, "-of-", 4) != 0
        || strspn(p + 1, "0123456789") != 5 || strspn(p + 10, "0123456789") != 5)
        return;
    ul_sniff_siblings(f, strtoull(p + 1, NULL, 10), strtoull(p + 10, NULL, 10), tail);
}

static bool has_lora(const struct ul_st *st)
{
    for (size_t i = 0; i < st->n_tensors; i++)
        for (size_t k = 0; k + 6 <= st->tensors[i].name.n; k++)
            if (memcmp(st->tensors[i].name.p + k, "lora_A", 6) == 0)
                return true;
    return false;
}

static void sniff_safetensors(struct ul_sniffer *f)
{
    struct ul_st st = {0};
    ullage_error err = {0};
    if (ul_st_read(&st, f->source, f->arena, &err) != ULLAGE_OK) {
        ul_sniff_wrong(f, "header", "%s", err.message);
        return;
    }
    ul_sniff_says(f, "%s: %zu tensors, %.2f MiB",
                  has_lora(&st) ? "a LoRA adapter in safetensors" : "safetensors weights",
                  st.n_tensors, (double)st.bytes / 1048576.0);
    if (has_lora(&st))
        f->out->hint = "llama.cpp's convert_lora_to_gguf.py makes an adapter for --lora of it";
    ul_sniff_whole(f, ul_add(st.header, st.bytes));
    shards_of(f);
}

/* ------------------------------------------------------------------ all of them */

static const struct {
    const char *kind;
    void (*look)(struct ul_sniffer *f);
} looks[] = {
    {"ggml", sniff_ggml}, {"zip", sniff_zip}, {"safetensors", sniff_safetensors},
    {"json", sniff_json}, {"git-lfs", sniff_pointer}, {"html", sniff_page},
};

static void sniff_rest(struct ul_sniffer *f)
{
    if (sniff_imatrix(f))
        return;
    if (f->n > 262 && memcmp(f->head + 257, "ustar", 5) == 0)
        ul_sniff_is(f, "tar");
    else if (is_onnx(f))
        ul_sniff_is(f, "onnx");
    else if (printable(f->head, f->n) && (find(f, 0, "<html") || find(f, 0, "<!doctype"))) {
        ul_sniff_is(f, "html");
        sniff_page(f);
    } else if (printable(f->head, f->n))
        ul_sniff_is(f, "text");
    else
        ul_sniff_is(f, "unknown");
    if (f->path && strstr(f->path, ".part") && strcmp(f->out->kind, "unknown") == 0)
        ul_sniff_fault(f->out, "piece",
                       "a later piece of a file that was cut up: join the pieces with "
                       "cat, in order");
}

void ul_sniff_other(struct ul_sniffer *f)
{
    const struct ul_magic *m = ul_magic_find(f->head, f->n);
    if (!m) {
        sniff_rest(f);
        return;
    }
    if (f->n >= 4 && memcmp(f->head, "FUGG", 4) == 0) {
        ul_sniff_is(f, "gguf");
        ul_sniff_fault(f->out, "big_endian", m->words);
        return;
    }
    ul_sniff_is(f, m->kind);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (strcmp(looks[i].kind, m->kind) == 0)
            looks[i].look(f);
}
