/* Keys read as the engine reads them. See keys.h.
 *
 * The engine is strict where a reader would like to be kind: a count stored as u64 is refused where
 * it wants u32, a float stored as f64 too. Being kind here would plan files that do not load. */
#include "model/keys.h"

#include <stdarg.h>
#include <stdio.h>

static struct ul_str full_name(const struct ul_keys *k, const char *name, char buf[UL_KEY_MAX])
{
    bool whole = strncmp(name, "general.", 8) == 0 || strncmp(name, "tokenizer.", 10) == 0 ||
                 strncmp(name, "xielu.", 6) == 0;
    if (whole)
        return ul_cstr(name);
    size_t n = strlen(name);
    if (k->arch.n + 1 + n >= UL_KEY_MAX)
        return (struct ul_str){buf, 0}; /* no such key: no architecture has so long a name */
    memcpy(buf, k->arch.p, k->arch.n);
    buf[k->arch.n] = '.';
    memcpy(buf + k->arch.n + 1, name, n);
    return (struct ul_str){buf, k->arch.n + 1 + n};
}

static const struct ul_gguf_kv *find(struct ul_keys *k, const char *name)
{
    char buf[UL_KEY_MAX];
    return k->code == ULLAGE_OK ? ul_gguf_find(k->g, full_name(k, name, buf)) : NULL;
}

void ul_key_fail(struct ul_keys *k, const char *name, const char *fmt, ...)
{
    char text[256], buf[UL_KEY_MAX];
    const struct ul_gguf_kv *kv = name != NULL ? find(k, name) : NULL;
    va_list ap;
    if (k->code != ULLAGE_OK)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    struct ul_str full = name != NULL ? full_name(k, name, buf) : UL_STR("");
    k->code = ul_fail(k->err, ULLAGE_ERROR_INPUT, kv != NULL ? kv->position : ULLAGE_NO_POSITION,
                      name != NULL ? "key %.*s: %s" : "%.*s%s", (int)full.n, full.p, text);
}

void ul_key_missing(struct ul_keys *k, const char *name)
{
    ul_key_fail(k, name, "missing, and the engine requires it");
}

/* The override of a key, when it is of that kind; the engine ignores one of another kind. */
static const struct ul_kv_override *override_of(struct ul_keys *k, const char *name,
                                                enum ul_override_kind kind)
{
    char buf[UL_KEY_MAX];
    if (k->code != ULLAGE_OK || k->n_overrides == 0)
        return NULL;
    struct ul_str full = full_name(k, name, buf);
    for (size_t i = 0; i < k->n_overrides; i++)
        if (ul_str_eq(k->overrides[i].key, full)) /* the first of several counts: a map's insert */
            return k->overrides[i].kind == kind ? &k->overrides[i] : NULL;
    return NULL;
}

/* The key's value when it has the type, NULL when there is no such key; else an error. */
static const struct ul_gguf_kv *typed(struct ul_keys *k, const char *name, enum ul_gguf_value type)
{
    const struct ul_gguf_kv *kv = find(k, name);
    if (kv == NULL || kv->type == type)
        return kv;
    ul_key_fail(k, name, "its type is %s, and the engine requires %s",
                ul_gguf_value_name(kv->type), ul_gguf_value_name(type));
    return NULL;
}

bool ul_key_u32(struct ul_keys *k, const char *name, uint32_t *out)
{
    const struct ul_kv_override *o = override_of(k, name, UL_OVERRIDE_INT);
    const struct ul_gguf_kv *kv = o == NULL ? typed(k, name, UL_GGUF_U32) : NULL;
    if (o != NULL)
        *out = (uint32_t)o->i;
    else if (kv != NULL)
        *out = (uint32_t)kv->v.u;
    return o != NULL || kv != NULL;
}

bool ul_key_f32(struct ul_keys *k, const char *name, float *out)
{
    const struct ul_kv_override *o = override_of(k, name, UL_OVERRIDE_FLOAT);
    const struct ul_gguf_kv *kv = o == NULL ? typed(k, name, UL_GGUF_F32) : NULL;
    if (o != NULL)
        *out = (float)o->f;
    else if (kv != NULL)
        *out = (float)kv->v.f;
    return o != NULL || kv != NULL;
}

bool ul_key_bool(struct ul_keys *k, const char *name, bool *out)
{
    const struct ul_kv_override *o = override_of(k, name, UL_OVERRIDE_BOOL);
    const struct ul_gguf_kv *kv = o == NULL ? typed(k, name, UL_GGUF_BOOL) : NULL;
    if (o != NULL)
        *out = o->b;
    else if (kv != NULL)
        *out = kv->v.u != 0;
    return o != NULL || kv != NULL;
}

bool ul_key_str(struct ul_keys *k, const char *name, struct ul_str *out)
{
    const struct ul_kv_override *o = override_of(k, name, UL_OVERRIDE_STR);
    const struct ul_gguf_kv *kv = o == NULL ? typed(k, name, UL_GGUF_STRING) : NULL;
    if (o != NULL)
        *out = o->s;
    else if (kv != NULL)
        *out = kv->v.s;
    return o != NULL || kv != NULL;
}

void ul_need_u32(struct ul_keys *k, const char *name, uint32_t *out)
{
    if (!ul_key_u32(k, name, out))
        ul_key_missing(k, name);
}

void ul_need_f32(struct ul_keys *k, const char *name, float *out)
{
    if (!ul_key_f32(k, name, out))
        ul_key_missing(k, name);
}

bool ul_key_u32_not_array(struct ul_keys *k, const char *name, uint32_t *out)
{
    const struct ul_gguf_kv *kv = find(k, name);
    if (kv == NULL || kv->type == UL_GGUF_ARRAY)
        return false; /* an override without a key in the file is not looked at either */
    return ul_key_u32(k, name, out);
}

/* Whether an array's items may be read as whole numbers (or floats); else an error. */
static bool items_ok(struct ul_keys *k, const char *name, const struct ul_gguf_kv *kv, bool floats)
{
    bool ok = floats ? kv->item == UL_GGUF_F32
                     : kv->item == UL_GGUF_U32 || kv->item == UL_GGUF_I32 ||
                           kv->item == UL_GGUF_BOOL;
    bool kept = kv->count == 0 || kv->v.us != NULL;
    if (!ok || !kept)
        ul_key_fail(k, name, "items of type %s in %llu places, and the engine requires %s",
                    ul_gguf_value_name(kv->item),
                    (unsigned long long)kv->count, floats ? "f32" : "u32, i32 or bool");
    return ok && kept;
}

static uint32_t item_u32(const struct ul_gguf_kv *kv, uint64_t i)
{
    return kv->item == UL_GGUF_I32 ? (uint32_t)kv->v.is[i] : (uint32_t)kv->v.us[i];
}

/* The array under a name when it has n items; NULL: a scalar or nothing (*scalar says which). */
static const struct ul_gguf_kv *array_of(struct ul_keys *k, const char *name, uint32_t n,
                                         bool floats, bool *scalar)
{
    const struct ul_gguf_kv *kv = find(k, name);
    *scalar = kv != NULL && kv->type != UL_GGUF_ARRAY;
    if (kv == NULL || *scalar)
        return NULL;
    if (kv->count != n) {
        ul_key_fail(k, name, "an array of %llu, and the engine requires %u",
                    (unsigned long long)kv->count, n);
        return NULL;
    }
    return items_ok(k, name, kv, floats) ? kv : NULL;
}

bool ul_key_u32s(struct ul_keys *k, const char *name, uint32_t *out, size_t stride, uint32_t n)
{
    bool scalar;
    uint32_t one = 0;
    const struct ul_gguf_kv *kv = array_of(k, name, n, false, &scalar);
    if (kv == NULL && (!scalar || !ul_key_u32(k, name, &one)))
        return false;
    for (uint32_t i = 0; i < n; i++)
        *(uint32_t *)((char *)out + i * stride) = kv != NULL ? item_u32(kv, i) : one;
    return true;
}

bool ul_key_bools(struct ul_keys *k, const char *name, bool *out, size_t stride, uint32_t n)
{
    bool scalar;
    uint32_t one = 0;
    const struct ul_gguf_kv *kv = array_of(k, name, n, false, &scalar);
    if (kv == NULL && (!scalar || !ul_key_u32(k, name, &one)))
        return false;
    for (uint32_t i = 0; i < n; i++)
        *(bool *)((char *)out + i * stride) = (kv != NULL ? item_u32(kv, i) : one) != 0;
    return true;
}

bool ul_key_f32s(struct ul_keys *k, const char *name, float *out, size_t stride, uint32_t n)
{
    bool scalar;
    float one = 0;
    const struct ul_gguf_kv *kv = array_of(k, name, n, true, &scalar);
    if (kv == NULL && (!scalar || !ul_key_f32(k, name, &one)))
        return false;
    for (uint32_t i = 0; i < n; i++)
        *(float *)((char *)out + i * stride) = kv != NULL ? (float)kv->v.fs[i] : one;
    return true;
}

bool ul_key_array(struct ul_keys *k, const char *name, uint32_t *out, uint32_t max, uint32_t *n)
{
    const struct ul_gguf_kv *kv = find(k, name);
    if (kv == NULL || kv->type != UL_GGUF_ARRAY)
        return false;
    if (kv->count > max)
        ul_key_fail(k, name, "an array of %llu, and the engine takes at most %u",
                    (unsigned long long)kv->count, max);
    if (kv->count > max || !items_ok(k, name, kv, false))
        return false;
    *n = (uint32_t)kv->count;
    for (uint32_t i = 0; i < *n; i++)
        out[i] = item_u32(kv, i);
    return true;
}

bool ul_key_count(struct ul_keys *k, const char *name, uint64_t *n)
{
    const struct ul_gguf_kv *kv = typed(k, name, UL_GGUF_ARRAY);
    if (kv != NULL)
        *n = kv->count;
    return kv != NULL;
}

bool ul_key_string_count(struct ul_keys *k, const char *name, uint64_t *n)
{
    const struct ul_gguf_kv *kv = find(k, name);
    if (kv == NULL || kv->type != UL_GGUF_ARRAY)
        return false;
    if (kv->item != UL_GGUF_STRING) {
        ul_key_fail(k, name, "an array of %s, and the engine requires strings",
                    ul_gguf_value_name(kv->item));
        return false;
    }
    *n = kv->count;
    return true;
}
