/* People point a GGUF reader at what they have: the other format from the same page, the pointer
 * that git left in place of a large file, the web page with the error message. "Invalid magic"
 * helps nobody, so the usual ones are told apart by their first bytes. */
#include "source/magic.h"

#include <string.h>

#define MAGIC(lit, offset, id, text) \
    {.bytes = (lit), .n = sizeof(lit) - 1, .at = (offset), .kind = (id), .words = (text)}

/* The old formats' magics are 32-bit numbers, so their letters stand backwards in the file.
 * Source of those names: llama.cpp, convert_llama_ggml_to_gguf.py. */
static const struct ul_magic magics[] = {
    MAGIC("FUGG", 0, "gguf",
          "GGUF with its magic swapped, as a broken big-endian writer leaves it"),
    MAGIC("lmgg", 0, "ggml", "an old GGML file, from before GGUF: convert it"),
    MAGIC("tjgg", 0, "ggml", "an old GGML file (ggjt), from before GGUF: convert it"),
    MAGIC("fmgg", 0, "ggml", "an old GGML file (ggmf), from before GGUF: convert it"),
    MAGIC("algg", 0, "ggml", "an old GGML adapter (ggla), from before GGUF: convert it"),
    MAGIC("ggml", 0, "ggml", "an old GGML file, from before GGUF: convert it"),
    MAGIC("ggjt", 0, "ggml", "an old GGML file (ggjt), from before GGUF: convert it"),
    MAGIC("PK\003\004", 0, "zip", "a zip archive, as PyTorch saves models"),
    MAGIC("\x80\x02", 0, "pickle", "a Python pickle, as old PyTorch saves models"),
    MAGIC("\x80\x03", 0, "pickle", "a Python pickle, as old PyTorch saves models"),
    MAGIC("\x80\x04", 0, "pickle", "a Python pickle, as old PyTorch saves models"),
    MAGIC("\x80\x05", 0, "pickle", "a Python pickle, as old PyTorch saves models"),
    MAGIC("\x1f\x8b", 0, "gzip", "compressed with gzip: unpack it"),
    MAGIC("\x28\xb5\x2f\xfd", 0, "zstd", "compressed with zstd: unpack it"),
    MAGIC("\xfd"
          "7zXZ",
          0, "xz", "compressed with xz: unpack it"),
    MAGIC("version https://", 0, "git-lfs",
          "a git-lfs pointer, not the file itself: run git lfs pull"),
    MAGIC("<!DOCTYPE", 0, "html", "a web page, probably an error instead of the download"),
    MAGIC("<!doctype", 0, "html", "a web page, probably an error instead of the download"),
    MAGIC("<html", 0, "html", "a web page, probably an error instead of the download"),
    MAGIC("{\"", 8, "safetensors", "a safetensors file"), /* after the length of its JSON header */
    MAGIC("{", 0, "json", "JSON, not a model"),
    MAGIC("\x89HDF", 0, "hdf5", "an HDF5 file"),
    MAGIC("\x7f"
          "ELF",
          0, "program", "a program"),
    MAGIC("\0\0\0\0\0\0\0\0", 0, "zeros", "only zeros, as a download that has not arrived yet"),
};

const struct ul_magic *ul_magic_find(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const struct ul_magic *m = &magics[i];
        if (m->at + m->n <= n && memcmp(p + m->at, m->bytes, m->n) == 0)
            return m;
    }
    return NULL;
}

const char *ul_magic_guess(const unsigned char *p, size_t n)
{
    const struct ul_magic *m = ul_magic_find(p, n);
    return m != NULL ? m->words : NULL;
}
