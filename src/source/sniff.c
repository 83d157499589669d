/* Telling files apart: the table of kinds, GGUF files by their keys, and what can be wrong with one.
 *
 * Keys of files that are no models: gguf-py/gguf/constants.py: GGUFType, MODEL_ARCH.MMPROJ;
 * src/llama-adapter.cpp (adapters), tools/imatrix/imatrix.cpp and common/imatrix-loader.cpp,
 * tools/cvector-generator/cvector-generator.cpp (control vectors). */
#include "source/sniff_kinds.h"

#include "base/size.h"
#include "source/gguf_read.h"
#include "source/stores.h"

#include <inttypes.h>
#include <stdarg.h>

#define SAMPLE 4096          /* bytes of a tensor that are looked at for zeros */
#define MOST_SIBLINGS 1000
#define MOST_NAMED 5         /* missing shards that a message lists */

struct kind {
    const char *kind, *what, *hint;
    const char *wrong; /* the code of what is wrong with every such file, whose text is the hint */
};

static const struct kind kinds[] = {
    {.kind = "model", .what = "a GGUF model", .hint = "ullage plan FILE"},
    {.kind = "mmproj", .what = "an image or audio encoder in GGUF",
     .hint = "goes with its model: --mmproj FILE"},
    {.kind = "lora", .what = "a LoRA adapter in GGUF", .hint = "goes with its model: --lora FILE"},
    {.kind = "control-vector", .what = "a control vector in GGUF",
     .hint = "goes with its model: --control-vector FILE"},
    {.kind = "imatrix", .what = "an importance matrix in GGUF",
     .hint = "for llama-quantize --imatrix, no model"},
    {.kind = "vocab", .what = "a vocabulary in GGUF, without any weights",
     .hint = "for tests of tokenizers, no model"},
    {.kind = "gguf", .what = "a GGUF file"},
    {.kind = "safetensors", .what = "safetensors weights",
     .hint = "with its config.json beside it: ullage plan FOLDER"},
    {.kind = "safetensors-index", .what = "the index of safetensors shards",
     .hint = "with config.json and the shards: ullage plan FOLDER"},
    {.kind = "config", .what = "a Hugging Face configuration",
     .hint = "ullage plan FILE --quant Q4_K_M"},
    {.kind = "json", .what = "JSON, no model"},
    {.kind = "pytorch", .what = "a PyTorch checkpoint (zip of pickles)",
     .hint = "llama.cpp's convert_hf_to_gguf.py makes a GGUF file of the folder; a pickle can run "
             "code: trust who made it"},
    {.kind = "pickle", .what = "a Python pickle, as old PyTorch saves models",
     .hint = "loading it can run code: trust who made it"},
    {.kind = "numpy", .what = "NumPy arrays"},
    {.kind = "ggml", .what = "an old GGML file, from before GGUF", .wrong = "too_old",
     .hint = "no llama.cpp since August 2023 loads it: fetch a GGUF file, or convert it with "
             "convert_llama_ggml_to_gguf.py"},
    {.kind = "imatrix-dat", .what = "an importance matrix in the old form",
     .hint = "for llama-quantize --imatrix, no model"},
    {.kind = "onnx", .what = "an ONNX model", .hint = "for ONNX Runtime; llama.cpp does not load it"},
    {.kind = "zip", .what = "a zip archive", .hint = "unpack it"},
    {.kind = "tar", .what = "a tar archive", .hint = "unpack it"},
    {.kind = "gzip", .what = "compressed with gzip", .hint = "unpack it"},
    {.kind = "zstd", .what = "compressed with zstd", .hint = "unpack it"},
    {.kind = "xz", .what = "compressed with xz", .hint = "unpack it"},
    {.kind = "hdf5", .what = "an HDF5 file, as old Keras saves models"},
    {.kind = "program", .what = "a program, no model"},
    {.kind = "git-lfs", .what = "a git-lfs pointer", .wrong = "pointer",
     .hint = "the file itself was not fetched: run git lfs pull"},
    {.kind = "html", .what = "a web page", .wrong = "web_page",
     .hint = "a server's page came instead of the file: a sign-in or an error"},
    {.kind = "zeros", .what = "zeros", .wrong = "zeros",
     .hint = "space that a download reserved and did not fill"},
    {.kind = "empty", .what = "empty", .wrong = "empty", .hint = "there is not one byte in it"},
    {.kind = "text", .what = "text, no model"},
    {.kind = "unknown", .what = "nothing that is known"},
};

void ul_sniff_fault(struct ul_sniff *s, const char *code, const char *text)
{
    if (s->n_faults < UL_SNIFF_FAULTS)
        s->faults[s->n_faults++] = (struct ul_sniff_fault){code, text};
}

void ul_sniff_is(struct ul_sniffer *f, const char *kind)
{
    const struct kind *k = kinds;
    while (strcmp(k->kind, kind) != 0 && strcmp(k->kind, "unknown") != 0)
        k++;
    f->out->kind = k->kind;
    f->out->what = k->what;
    f->out->hint = k->wrong ? NULL : k->hint;
    if (k->wrong)
        ul_sniff_fault(f->out, k->wrong, k->hint);
}

void ul_sniff_says(struct ul_sniffer *f, const char *fmt, ...)
{
    struct ul_text t = {.arena = f->arena};
    va_list args;
    va_start(args, fmt);
    ul_text_vprintf(&t, fmt, args);
    va_end(args);
    f->out->what = t.p;
}

void ul_sniff_wrong(struct ul_sniffer *f, const char *code, const char *fmt, ...)
{
    struct ul_text t = {.arena = f->arena};
    va_list args;
    va_start(args, fmt);
    ul_text_vprintf(&t, fmt, args);
    va_end(args);
    ul_sniff_fault(f->out, code, t.p);
}

/* ------------------------------------------------------------------ bytes */

bool ul_sniff_bytes(struct ul_sniffer *f, uint64_t offset, void *out, size_t n)
{
    ullage_error ignored = {0};
    size_t at = 0;
    while (at < n) {
        long got = f->source->read(f->source, offset + at, (char *)out + at, n - at, &ignored);
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

void ul_sniff_whole(struct ul_sniffer *f, uint64_t whole)
{
    struct ul_sniff *s = f->out;
    s->whole = whole;
    if (s->size == UINT64_MAX || whole == UINT64_MAX || s->size == whole)
        return;
    double mib = 1024.0 * 1024.0;
    if (s->size < whole)
        ul_sniff_wrong(f, "missing_bytes", "%.2f of %.2f MiB are missing (%.1f %%): half a download",
                       (double)(whole - s->size) / mib, (double)whole / mib,
                       100.0 * (double)(whole - s->size) / (double)whole);
    else
        ul_sniff_wrong(f, "extra_bytes", "it has %" PRIu64 " bytes more than its header says: files "
                       "joined with cat, or another file's end", s->size - whole);
}

/* ------------------------------------------------------------------ neighbours */

static bool is_there(struct ul_sniffer *f, const char *path)
{
    struct ul_source s;
    ullage_error ignored = {0};
    bool found = ul_source_file(&s, path, f->arena, &ignored) == ULLAGE_OK;
    if (found)
        s.close(&s);
    return found;
}

void ul_sniff_siblings(struct ul_sniffer *f, uint64_t no, uint64_t count, const char *tail)
{
    struct ul_text list = {.arena = f->arena};
    uint64_t n = 0;
    f->out->shard = no;
    f->out->shards = count;
    if (!f->path || count > MOST_SIBLINGS)
        return;
    const char *own = ul_format(f->arena, "-%05" PRIu64 "-of-%05" PRIu64 "%s", no, count, tail);
    size_t k = strlen(f->path), t = strlen(own);
    if (k <= t || strcmp(f->path + k - t, own) != 0) {
        ul_sniff_wrong(f, "shard_name", "as shard %" PRIu64 " of %" PRIu64 " its name must end in %s: "
                       "its siblings are looked for by that", no, count, own);
        return;
    }
    for (uint64_t i = 1; i <= count; i++) {
        const char *path = ul_format(f->arena, "%.*s-%05" PRIu64 "-of-%05" PRIu64 "%s", (int)(k - t),
                                     f->path, i, count, tail);
        if (i != no && !is_there(f, path) && ++n <= MOST_NAMED)
            ul_text_printf(&list, "%s%" PRIu64, n > 1 ? ", " : "", i);
    }
    if (n)
        ul_sniff_wrong(f, "missing_shards", "of its %" PRIu64 " shards %" PRIu64 " are missing: %s%s",
                       count, n, list.p, n > MOST_NAMED ? " ..." : "");
}

/* What the name says, where the bytes do not: some downloaders reserve all of a file's space. */
static void unfinished(struct ul_sniffer *f)
{
    if (!f->path)
        return;
    const char *slash = strrchr(f->path, '/');
    bool short_of = f->out->size < f->out->whole && f->out->whole != UINT64_MAX;
    if (!short_of && ul_name_is_unfinished(slash ? slash + 1 : f->path))
        ul_sniff_fault(f->out, "unfinished_name", "its name says that a download has not ended");
    if (is_there(f, ul_format(f->arena, "%s.aria2", f->path)))
        ul_sniff_fault(f->out, "unfinished_name", "beside it lies aria2's note of an unfinished download");
}

/* ------------------------------------------------------------------ GGUF */

static struct ul_str text_of(const struct ul_gguf *g, const char *key)
{
    const struct ul_gguf_kv *kv = ul_gguf_find(g, ul_cstr(key));
    return kv && kv->type == UL_GGUF_STRING ? kv->v.s : UL_STR("");
}

static bool has_key(const struct ul_gguf *g, const char *key)
{
    return ul_gguf_find(g, ul_cstr(key)) != NULL;
}

/* The architecture's key also names what is none. */
static const char *gguf_kind(const struct ul_gguf *g)
{
    struct ul_str type = text_of(g, "general.type"), says = text_of(g, "general.architecture");
    if (ul_str_is(says, "clip") || ul_str_is(type, "mmproj"))
        return "mmproj";
    if (ul_str_is(type, "adapter"))
        return "lora";
    if (ul_str_is(says, "controlvector"))
        return "control-vector";
    if (ul_str_is(type, "imatrix") || has_key(g, "imatrix.chunk_count"))
        return "imatrix";
    if (g->n_tensors == 0)
        return has_key(g, "tokenizer.ggml.model") ? "vocab" : "gguf";
    return "model";
}

/* Of a shard that is not the first, the keys are elsewhere. */
static void describe_gguf(struct ul_sniffer *f)
{
    const struct ul_gguf *g = &f->out->gguf;
    struct ul_shown says = ul_gguf_shown(text_of(g, "general.architecture"));
    const char *kind = f->out->kind;
    if (f->out->shards > 1 && f->out->shard > 1)
        ul_sniff_says(f, "shard %" PRIu64 " of %" PRIu64 " of a GGUF model", f->out->shard,
                      f->out->shards);
    else if (strcmp(kind, "mmproj") == 0)
        ul_sniff_says(f, "%s (%s)", f->out->what,
                      ul_gguf_shown(text_of(g, "clip.projector_type")).text);
    else if (strcmp(kind, "lora") == 0)
        ul_sniff_says(f, "%s for %s", f->out->what, says.text);
    else if (strcmp(kind, "control-vector") == 0)
        ul_sniff_says(f, "%s for %s", f->out->what,
                      ul_gguf_shown(text_of(g, "controlvector.model_hint")).text);
}

/* A hole where the weights of a tensor should be: its middle, of the last large one that the file
 * reaches to. */
static void look_for_holes(struct ul_sniffer *f)
{
    const struct ul_gguf *g = &f->out->gguf;
    static const unsigned char none[SAMPLE];
    unsigned char sample[SAMPLE];
    for (size_t i = g->n_tensors; f->path && i-- > 0;) {
        const struct ul_gguf_tensor *t = &g->tensors[i];
        uint64_t at = ul_add(t->offset, t->bytes / 2);
        if (t->bytes < 16 * SAMPLE || ul_add(t->offset, t->bytes) > f->out->size)
            continue;
        if (ul_sniff_bytes(f, at, sample, SAMPLE) && memcmp(sample, none, SAMPLE) == 0)
            ul_sniff_wrong(f, "zeros", "the weights of '%s' are zeros: space that a download reserved "
                           "and did not fill", ul_gguf_shown(t->name).text);
        return;
    }
}

static void sniff_gguf(struct ul_sniffer *f)
{
    struct ul_sniff *s = f->out;
    ullage_error err = {0};
    uint64_t no = 0, count = 1;
    ul_sniff_is(f, "gguf");
    if (ul_gguf_read_part(&s->gguf, f->source, &no, &count, f->arena, &err) != ULLAGE_OK) {
        ul_sniff_wrong(f, "header", "%s", err.message);
        return;
    }
    s->has_gguf = true;
    ul_sniff_is(f, count > 1 ? "model" : gguf_kind(&s->gguf));
    const struct ul_gguf_file *file = &s->gguf.files[0];
    bool padded = s->size > file->full_size && s->size - file->full_size < s->gguf.alignment;
    ul_sniff_whole(f, padded ? s->size : file->full_size);
    if (count > 1)
        ul_sniff_siblings(f, no + 1, count, ".gguf");
    describe_gguf(f);
    if (s->gguf.big_endian)
        ul_sniff_fault(s, "big_endian", "its numbers are big-endian: llama.cpp loads it on such "
                       "machines only (s390x); fetch the ordinary file");
    if (strcmp(s->kind, "model") == 0 && no == 0 && !has_key(&s->gguf, "tokenizer.ggml.model"))
        ul_sniff_fault(s, "no_tokenizer", "it has no tokenizer: llama-server refuses it");
    look_for_holes(f);
}

/* ------------------------------------------------------------------ any file */

int ul_sniff(struct ul_sniff *s, struct ul_source *source, const char *path, struct ul_arena *a,
             ullage_error *err)
{
    struct ul_sniffer *f = UL_NEW(a, struct ul_sniffer);
    *s = (struct ul_sniff){.size = source->size, .whole = UINT64_MAX, .shard = 1, .shards = 1};
    *f = (struct ul_sniffer){.out = s, .source = source, .path = path, .arena = a};
    for (long got = 1; got > 0 && f->n < UL_SNIFF_HEAD; f->n += (size_t)got) {
        got = source->read(source, f->n, f->head + f->n, UL_SNIFF_HEAD - f->n, err);
        if (got < 0)
            return ULLAGE_ERROR_IO;
    }
    if (f->n == 0)
        ul_sniff_is(f, "empty");
    else if (f->n >= 4 && memcmp(f->head, "GGUF", 4) == 0)
        sniff_gguf(f);
    else
        ul_sniff_other(f);
    unfinished(f);
    return ULLAGE_OK;
}
