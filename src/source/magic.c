/* People point a GGUF reader at what they have: the other format from the same page, the pointer
 * that git left in place of a large file, the web page with the error message. "Invalid magic"
 * helps nobody, so the usual ones are told apart by their first bytes. */
#include "source/magic.h"

#include <string.h>

struct magic {
    const char *bytes;
    size_t n;
    size_t at;
    const char *words;
};

#define MAGIC(lit, offset, text) \
    {.bytes = (lit), .n = sizeof(lit) - 1, .at = (offset), .words = (text)}

/* The old formats' magics are 32-bit numbers, so their letters stand backwards in the file.
 * Source of those names: llama.cpp, convert_llama_ggml_to_gguf.py. */
static const struct magic magics[] = {
    MAGIC("FUGG", 0, "GGUF with its magic swapped, as a broken big-endian writer leaves it"),
    MAGIC("lmgg", 0, "an old GGML file, from before GGUF: convert it"),
    MAGIC("tjgg", 0, "an old GGML file (ggjt), from before GGUF: convert it"),
    MAGIC("fmgg", 0, "an old GGML file (ggmf), from before GGUF: convert it"),
    MAGIC("algg", 0, "an old GGML adapter (ggla), from before GGUF: convert it"),
    MAGIC("ggml", 0, "an old GGML file, from before GGUF: convert it"),
    MAGIC("ggjt", 0, "an old GGML file (ggjt), from before GGUF: convert it"),
    MAGIC("PK\003\004", 0, "a zip archive, as PyTorch saves models"),
    MAGIC("\x80\x02", 0, "a Python pickle, as old PyTorch saves models"),
    MAGIC("\x80\x04", 0, "a Python pickle, as old PyTorch saves models"),
    MAGIC("\x1f\x8b", 0, "compressed with gzip: unpack it"),
    MAGIC("\x28\xb5\x2f\xfd", 0, "compressed with zstd: unpack it"),
    MAGIC("\xfd" "7zXZ", 0, "compressed with xz: unpack it"),
    MAGIC("version https://", 0, "a git-lfs pointer, not the file itself: run git lfs pull"),
    MAGIC("<!DOCTYPE", 0, "a web page, probably an error instead of the download"),
    MAGIC("<!doctype", 0, "a web page, probably an error instead of the download"),
    MAGIC("<html", 0, "a web page, probably an error instead of the download"),
    MAGIC("{\"", 8, "a safetensors file"), /* after the 64-bit length of its JSON header */
    MAGIC("{", 0, "JSON, not a model"),
    MAGIC("\x89HDF", 0, "an HDF5 file"),
    MAGIC("\x7f" "ELF", 0, "a program"),
    MAGIC("\0\0\0\0\0\0\0\0", 0, "only zeros, as a download that has not arrived yet"),
};

const char *ul_magic_guess(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const struct magic *m = &magics[i];
        if (m->at + m->n <= n && memcmp(p + m->at, m->bytes, m->n) == 0)
            return m->words;
    }
    return NULL;
}
