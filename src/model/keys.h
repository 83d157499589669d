/* Keys read as the engine reads them: a value must have exactly the type that the engine asks for,
 * an override of the same kind goes before the file, a missing key is an error only when it is
 * required. Errors stick: the first one is kept and later reads do nothing, so a reader of many
 * keys checks once. Source: src/llama-model-loader.cpp, get_key, get_arr, get_key_or_arr. */
#ifndef UL_MODEL_KEYS_H
#define UL_MODEL_KEYS_H

#include "model/model.h"

/* --override-kv. The kinds are the flag's: int, float, bool, str. */
enum ul_override_kind { UL_OVERRIDE_INT, UL_OVERRIDE_FLOAT, UL_OVERRIDE_BOOL, UL_OVERRIDE_STR };

struct ul_kv_override {
    struct ul_str key;
    enum ul_override_kind kind;
    int64_t i;
    double f;
    bool b;
    struct ul_str s;
};

#define UL_KEY_MAX 256

struct ul_keys {
    const struct ul_gguf *g;
    struct ul_str arch; /* "%s" of the key names; empty while it is being read */
    const struct ul_kv_override *overrides;
    size_t n_overrides;
    ullage_error *err;
    int code;           /* ULLAGE_OK, or the first error's code */
};

/* Keys are named without the architecture: "block_count" is "llama.block_count"; names that begin
 * with "general.", "tokenizer." or "xielu." are whole. They give whether the key was there; the
 * target is left alone when it was not. */
bool ul_key_u32(struct ul_keys *k, const char *name, uint32_t *out);
bool ul_key_f32(struct ul_keys *k, const char *name, float *out);
bool ul_key_bool(struct ul_keys *k, const char *name, bool *out);
bool ul_key_str(struct ul_keys *k, const char *name, struct ul_str *out);
/* The same, an error when the key is missing. */
void ul_need_u32(struct ul_keys *k, const char *name, uint32_t *out);
void ul_need_f32(struct ul_keys *k, const char *name, float *out);

/* A scalar, but an array under that name is taken for absent (get_key_or_arr on a scalar). */
bool ul_key_u32_not_array(struct ul_keys *k, const char *name, uint32_t *out);

/* Exactly n values, or one value n times (get_key_or_arr). `stride` bytes lie between targets. */
bool ul_key_u32s(struct ul_keys *k, const char *name, uint32_t *out, size_t stride, uint32_t n);
bool ul_key_bools(struct ul_keys *k, const char *name, bool *out, size_t stride, uint32_t n);
bool ul_key_f32s(struct ul_keys *k, const char *name, float *out, size_t stride, uint32_t n);
/* An array of any length up to `max`, its length in *n (get_arr). A scalar counts as absent. */
bool ul_key_array(struct ul_keys *k, const char *name, uint32_t *out, uint32_t max, uint32_t *n);
/* The length of an array of any item type (get_arr_n); a scalar is an error. */
bool ul_key_count(struct ul_keys *k, const char *name, uint64_t *n);
/* The length of an array of strings; a scalar counts as absent. */
bool ul_key_string_count(struct ul_keys *k, const char *name, uint64_t *n);

void ul_key_missing(struct ul_keys *k, const char *name);
/* An error in the file's own words, at its key (NULL: none). */
void ul_key_fail(struct ul_keys *k, const char *name, const char *fmt, ...) UL_PRINTF(3, 4);

/* A field of every layer as a target of ul_key_u32s and its like. */
#define UL_PER_LAYER(m, field) &(m)->layer[0].field, sizeof(struct ul_layer)

#endif
