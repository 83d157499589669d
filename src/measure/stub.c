/* Writing a model without weights. Keys are copied byte for byte from the original header, tensor
 * records are written anew with the offsets that the new header implies, and the file is extended
 * to its size without anything being written there.
 *
 * Headers are often passed around without their tokenizer, which is most of a header's bytes. The
 * engine loads such a model ("no_vocab") but aborts on a prompt. So a vocabulary can be made up:
 * one token for each byte, the usual three special ones, and "t259", "t260" ... up to the number of
 * rows that the embedding has. Source: src/llama-vocab.cpp, llama_vocab::impl::load: of the
 * tokenizers there, "llama" is the one that needs neither merges nor tables of the model's own. */
#define _GNU_SOURCE
#include "measure/stub.h"
#include "source/gguf.h"
#include "base/size.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SPECIAL 3 /* unknown, begin, end; then the 256 bytes */

/* llama.h: llama_token_type */
enum { NORMAL = 1, UNKNOWN = 2, CONTROL = 3, BYTE = 6 };

struct out {
    FILE *f;
    uint64_t n;
};

static void raw(struct out *o, const void *p, size_t n)
{
    fwrite(p, 1, n, o->f);
    o->n += n;
}

/* GGUF is little-endian whatever the machine. */
static void number(struct out *o, uint64_t v, size_t n)
{
    unsigned char b[8];
    for (size_t i = 0; i < n; i++)
        b[i] = (unsigned char)(v >> 8 * i);
    raw(o, b, n);
}

static void string(struct out *o, const char *s, size_t n)
{
    number(o, n, 8);
    raw(o, s, n);
}

static void key(struct out *o, const char *name, uint32_t type)
{
    string(o, name, strlen(name));
    number(o, type, 4);
}

static void array(struct out *o, const char *name, uint32_t item, uint64_t n)
{
    key(o, name, UL_GGUF_ARRAY);
    number(o, item, 4);
    number(o, n, 8);
}

/* ------------------------------------------------------------------ the vocabulary */

static void token(struct out *o, uint32_t i)
{
    static const char *const special[] = {"<unk>", "<s>", "</s>"};
    char text[16];
    if (i < SPECIAL)
        snprintf(text, sizeof text, "%s", special[i]);
    else if (i < SPECIAL + 256)
        snprintf(text, sizeof text, "<0x%02X>", i - SPECIAL);
    else
        snprintf(text, sizeof text, "t%" PRIu32, i);
    string(o, text, strlen(text));
}

static uint32_t token_kind(uint32_t i)
{
    if (i == 0)
        return UNKNOWN;
    return i < SPECIAL ? CONTROL : i < SPECIAL + 256 ? BYTE : NORMAL;
}

static void id(struct out *o, const char *name, uint32_t value)
{
    key(o, name, UL_GGUF_U32);
    number(o, value, 4);
}

#define VOCABULARY_KEYS 7

static void vocabulary(struct out *o, uint32_t n)
{
    key(o, "tokenizer.ggml.model", UL_GGUF_STRING);
    string(o, "llama", 5);
    array(o, "tokenizer.ggml.tokens", UL_GGUF_STRING, n);
    for (uint32_t i = 0; i < n; i++)
        token(o, i);
    array(o, "tokenizer.ggml.scores", UL_GGUF_F32, n);
    for (uint32_t i = 0; i < n; i++)
        number(o, 0, 4);
    array(o, "tokenizer.ggml.token_type", UL_GGUF_I32, n);
    for (uint32_t i = 0; i < n; i++)
        number(o, token_kind(i), 4);
    id(o, "tokenizer.ggml.unknown_token_id", 0);
    id(o, "tokenizer.ggml.bos_token_id", 1);
    id(o, "tokenizer.ggml.eos_token_id", 2);
}

/* ------------------------------------------------------------------ the header */

/* Keys that the new header has not: a shard's number, and the tokenizer when one is made up. */
static bool is_dropped(struct ul_str name, bool without)
{
    return ul_str_starts(name, "split.") || (without && ul_str_starts(name, "tokenizer."));
}

/* Whether the header has tokens to speak of. */
static bool has_vocabulary(const struct ul_gguf *g)
{
    const struct ul_gguf_kv *tokens = ul_gguf_find(g, UL_STR("tokenizer.ggml.tokens"));
    return tokens && tokens->count > 0;
}

/* As many tokens as the embedding has rows. */
static uint32_t rows_of_embedding(const struct ul_gguf *g)
{
    for (size_t i = 0; i < g->n_tensors; i++)
        if (ul_str_is(g->tensors[i].name, "token_embd.weight"))
            return (uint32_t)ul_min(g->tensors[i].ne[1], UINT32_MAX);
    return 0;
}

/* A key's bytes end where the next begins; the last one's where the first tensor's record does, or
 * at the header's end. */
static int copy_keys(struct out *o, const struct ul_gguf *g, int in, bool without,
                     ullage_error *err)
{
    char buf[65536];
    for (size_t i = 0; i < g->n_kv; i++) {
        uint64_t at = g->kv[i].position;
        uint64_t end = i + 1 < g->n_kv       ? g->kv[i + 1].position
                       : g->n_tensors > 0 && g->tensors[0].file == 0 ? g->tensors[0].position
                                             : g->files[0].data;
        if (is_dropped(g->kv[i].key, without))
            continue;
        while (at < end) {
            ssize_t n = pread(in, buf, ul_min(end - at, sizeof buf), (off_t)at);
            if (n <= 0)
                return ul_fail(err, ULLAGE_ERROR_IO, at, "cannot read the header again: %s",
                               n < 0 ? strerror(errno) : "it is shorter now");
            raw(o, buf, (size_t)n);
            at += (uint64_t)n;
        }
    }
    return ULLAGE_OK;
}

static size_t kept_keys(const struct ul_gguf *g, bool without)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n_kv; i++)
        n += !is_dropped(g->kv[i].key, without);
    return n;
}

static uint64_t tensors(struct out *o, const struct ul_gguf *g)
{
    uint64_t at = 0;
    for (size_t i = 0; i < g->n_tensors; i++) {
        const struct ul_gguf_tensor *t = &g->tensors[i];
        string(o, t->name.p, t->name.n);
        number(o, t->n_dims, 4);
        for (uint32_t d = 0; d < t->n_dims; d++)
            number(o, t->ne[d], 8);
        number(o, (uint64_t)t->type, 4);
        number(o, at, 8);
        at = ul_pad(ul_add(at, t->bytes), g->alignment);
    }
    return at;
}

static int write_all(struct ul_stub *stub, struct out *o, const struct ul_gguf *g, int in,
                     bool made_up, ullage_error *err)
{
    stub->n_vocab = made_up ? rows_of_embedding(g) : 0;
    raw(o, "GGUF", 4);
    number(o, 3, 4);
    number(o, g->n_tensors, 8);
    number(o, kept_keys(g, made_up) + (made_up ? VOCABULARY_KEYS : 0), 8);
    if (copy_keys(o, g, in, made_up, err))
        return err->code;
    if (made_up)
        vocabulary(o, stub->n_vocab);
    uint64_t data = tensors(o, g);
    stub->header_bytes = ul_pad(o->n, g->alignment);
    stub->n_tensors = g->n_tensors;
    stub->file_bytes = ul_add(stub->header_bytes, data);
    if (fflush(o->f) != 0 || ferror(o->f) || ftruncate(fileno(o->f), (off_t)stub->file_bytes) != 0)
        return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "cannot write the stub: %s",
                       strerror(errno));
    return ULLAGE_OK;
}

/* Refuses what cannot be copied so. */
static int can_copy(const struct ul_gguf *g, const char *in, bool made_up, ullage_error *err)
{
    if (g->big_endian)
        return ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION, "%s: a big-endian file",
                       ul_path_tail(in));
    if (made_up && rows_of_embedding(g) < SPECIAL + 256)
        return ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                       "%s: its vocabulary of %" PRIu32 " has no room for one token a byte",
                       ul_path_tail(in), rows_of_embedding(g));
    return ULLAGE_OK;
}

static int write_file(struct ul_stub *stub, const struct ul_gguf *g, const char *in_path,
                      const char *out_path, bool made_up, ullage_error *err)
{
    struct out o = {.f = NULL};
    struct stat a, b;
    if (stat(in_path, &a) == 0 && stat(out_path, &b) == 0 && a.st_ino == b.st_ino
        && a.st_dev == b.st_dev)
        return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION,
                       "%s is the model itself: write the stub elsewhere", ul_path_tail(out_path));
    int in = open(in_path, O_RDONLY | O_CLOEXEC);
    o.f = in < 0 ? NULL : fopen(out_path, "wbe");
    int rc = o.f ? write_all(stub, &o, g, in, made_up, err)
                 : ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "%.200s: %s",
                           in < 0 ? in_path : out_path, strerror(errno));
    if (o.f && fclose(o.f) != 0 && !rc)
        rc = ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "cannot write %.200s: %s", out_path,
                     strerror(errno));
    if (in >= 0)
        close(in);
    if (rc && o.f)
        unlink(out_path);
    return rc;
}

static int write_stub(struct ul_stub *stub, const char *in, const char *out,
                      enum ul_stub_vocabulary vocabulary, struct ul_arena *arena, ullage_error *err)
{
    struct ul_gguf g = {0};
    int rc = ul_gguf_open(&g, in, arena, err);
    bool made_up = vocabulary == UL_STUB_PLAIN
                   || (vocabulary == UL_STUB_MISSING && !rc && !has_vocabulary(&g));
    if (!rc)
        rc = can_copy(&g, in, made_up, err);
    return rc ? rc : write_file(stub, &g, g.files[0].path, out, made_up, err);
}

int ul_stub_write(struct ul_stub *stub, const char *in, const char *out,
                  enum ul_stub_vocabulary vocabulary, ullage_error *err)
{
    jmp_buf oom;
    ullage_error own = {0};
    struct ul_arena arena = {.oom = &oom};
    *stub = (struct ul_stub){0};
    if (setjmp(oom)) {
        ul_arena_free(&arena);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    int rc = write_stub(stub, in, out, vocabulary, &arena, err ? err : &own);
    ul_arena_free(&arena);
    return rc;
}

/* ------------------------------------------------------------------ where weights begin */

int ul_stub_files(const char *path, bool *partial,
                  void (*each)(void *context, const char *path, uint64_t weights), void *context,
                  ullage_error *err)
{
    jmp_buf oom;
    struct ul_gguf g = {0};
    struct ul_arena arena = {.oom = &oom};
    if (setjmp(oom)) {
        ul_arena_free(&arena);
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    }
    int rc = ul_gguf_open(&g, path, &arena, err);
    *partial = g.partial;
    for (size_t i = 0; !rc && i < g.n_files; i++)
        each(context, g.files[i].path, g.files[i].data);
    ul_arena_free(&arena);
    return rc;
}
