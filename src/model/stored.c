/* A checkpoint's headers as hints. See stored.h.
 *
 * The converter writes what the checkpoint has: a model that shares its embedding with its output
 * may still store both, and a configuration may leave out how many tokens there are. */
#include "model/stored.h"

static bool ends(struct ul_str s, const char *tail)
{
    size_t n = strlen(tail);
    return s.n >= n && memcmp(s.p + s.n - n, tail, n) == 0;
}

static bool is_embedding(struct ul_str s)
{
    return ends(s, "embed_tokens.weight") || ends(s, "word_embeddings.weight") ||
           ends(s, "wte.weight") || ends(s, "tok_embeddings.weight") ||
           ends(s, "backbone.embeddings.weight") || ends(s, "embedding.word_embeddings.weight");
}

/* Source: conversion/base.py: ModelBase.__init__, the type of the first matrix of 16 bits. */
static int type_of(const struct ul_st_tensor *t)
{
    if (t->n_dims < 2)
        return 0;
    return strcmp(t->dtype->name, "BF16") == 0  ? (int)UL_BF16 + 1
           : strcmp(t->dtype->name, "F16") == 0 ? (int)UL_F16 + 1 : 0;
}

struct ul_conv_hints ul_stored_hints(const struct ul_st *st)
{
    struct ul_conv_hints h = {.output = st->n_missing > 0 ? 0 : -1};
    for (size_t i = 0; i < st->n_tensors; i++) {
        const struct ul_st_tensor *t = &st->tensors[i];
        bool output = ends(t->name, "lm_head.weight") || ends(t->name, "output_layer.weight") ||
                      ul_str_is(t->name, "output.weight") || ends(t->name, "model.output.weight");
        if (output && !ul_str_starts(t->name, "mtp."))
            h.output = 1;
        if (is_embedding(t->name) && t->n_dims == 2 && t->shape[0] <= UINT32_MAX)
            h.n_vocab = t->shape[0] > h.n_vocab ? (uint32_t)t->shape[0] : h.n_vocab;
        if (h.type == 0)
            h.type = type_of(t);
    }
    return h;
}
