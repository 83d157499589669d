/* What --allow opens: "ctk=q8_0,ctv=q8_0,ub=256,np=1,nkvo". Each word is one more value that a
 * setting may take; the engine's default (or the user's own) stays the first choice. A variant is
 * one choice of each; they are tried in the order of what they give up. */
#include "fit/fit.h"

#include "base/size.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_VALUES 8

struct values {
    int v[MOST_VALUES];
    size_t n;
};

struct allowed {
    struct values ub, k, v, np, nkvo;
};

static int refuse(ullage_error *err, struct ul_str word, const char *why)
{
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "--allow: '%.*s' %s",
                   (int)(word.n < 40 ? word.n : 40), word.p, why);
}

static int add(struct values *list, int value, struct ul_str word, ullage_error *err)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->v[i] == value)
            return ULLAGE_OK;
    if (list->n == MOST_VALUES)
        return refuse(err, word, "is one value too many");
    list->v[list->n++] = value;
    return ULLAGE_OK;
}

/* common/arg.cpp: kv_cache_types */
static int cache_type(struct ul_str name)
{
    static const enum ul_type types[] = {UL_F32, UL_F16, UL_BF16, UL_Q8_0, UL_Q4_0, UL_Q4_1,
                                         UL_IQ4_NL, UL_Q5_0, UL_Q5_1};
    int type = ul_type_by_name(name);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (type == (int)types[i])
            return type;
    return -1;
}

static int allow_type(struct allowed *x, bool k, bool v, struct ul_str value, struct ul_str word,
                      ullage_error *err)
{
    int type = cache_type(value), code = ULLAGE_OK;
    if (type < 0)
        return refuse(err, word, "names no cache type (f16, bf16, q8_0, q5_1, q4_0 ...)");
    if (k)
        code = add(&x->k, type, word, err);
    return !code && v ? add(&x->v, type, word, err) : code;
}

static int number(struct ul_str value)
{
    int n = 0;
    for (size_t i = 0; i < value.n; i++) {
        if (value.p[i] < '0' || value.p[i] > '9' || n > 1000000)
            return 0;
        n = n * 10 + (value.p[i] - '0');
    }
    return n;
}

static int allow(struct allowed *x, struct ul_str word, ullage_error *err)
{
    const char *eq = memchr(word.p, '=', word.n);
    struct ul_str key = {word.p, eq ? (size_t)(eq - word.p) : word.n};
    struct ul_str value = {eq ? eq + 1 : "", eq ? word.n - key.n - 1 : 0};
    bool both = ul_str_is(key, "kv");
    if (both || ul_str_is(key, "ctk") || ul_str_is(key, "ctv"))
        return allow_type(x, both || ul_str_is(key, "ctk"), both || ul_str_is(key, "ctv"), value,
                          word, err);
    if (ul_str_is(key, "nkvo") && !eq)
        return add(&x->nkvo, 1, word, err);
    int n = number(value);
    if (ul_str_is(key, "ub"))
        return n ? add(&x->ub, n, word, err) : refuse(err, word, "has no number, as in ub=256");
    if (ul_str_is(key, "np"))
        return n ? add(&x->np, n, word, err) : refuse(err, word, "has no number, as in np=1");
    return refuse(err, word, "is none of ctk=TYPE, ctv=TYPE, kv=TYPE, ub=N, np=N and nkvo");
}

static int read_words(struct allowed *x, const char *text, ullage_error *err)
{
    for (const char *p = text; p && *p;) {
        size_t n = strcspn(p, ",");
        int code = n ? allow(x, (struct ul_str){p, n}, err) : ULLAGE_OK;
        if (code)
            return code;
        p += n;
        p += *p == ',';
    }
    return ULLAGE_OK;
}

/* What the user fixed has one value, whatever is allowed. Larger micro-batches read prompts faster,
 * so for speed they come first. */
static void open_values(struct allowed *x, const struct ul_fit *f)
{
    const struct ul_settings *s = f->base;
    struct ul_str none = {"", 0};
    if (f->o.want == ULLAGE_WANT_SPEED && !f->fixed[UL_FIT_UB])
        for (uint32_t ub = s->n_batch; ub > s->n_ubatch; ub /= 2)
            add(&x->ub, (int)ub, none, NULL);
    add(&x->ub, (int)ul_min(s->n_ubatch, INT32_MAX), none, NULL);
    add(&x->k, (int)s->type_k, none, NULL);
    add(&x->v, (int)s->type_v, none, NULL);
    add(&x->np, s->n_parallel, none, NULL);
    add(&x->nkvo, s->no_kv_offload, none, NULL);
}

static void close_fixed(struct allowed *x, const struct ul_fit *f)
{
    struct values *lists[UL_FIT_IDS] = {[UL_FIT_UB] = &x->ub, [UL_FIT_CTK] = &x->k,
                                        [UL_FIT_CTV] = &x->v, [UL_FIT_NP] = &x->np,
                                        [UL_FIT_NKVO] = &x->nkvo};
    for (int i = 0; i < UL_FIT_IDS; i++)
        if (lists[i] && f->fixed[i])
            lists[i]->n = 1;
    if (f->o.want == ULLAGE_WANT_SLOTS)
        x->np.n = 1; /* the number of slots is the goal itself */
}

static int by_rank(const void *a, const void *b)
{
    return ((const struct ul_fit_variant *)a)->rank - ((const struct ul_fit_variant *)b)->rank;
}

static void combine(struct ul_fit *f, const struct allowed *x)
{
    size_t most = x->ub.n * x->k.n * x->v.n * x->np.n * x->nkvo.n;
    f->variant = UL_NEWS(f->a, struct ul_fit_variant, most);
    for (size_t i = 0; i < most; i++) {
        size_t r = i, ub = r % x->ub.n, k, v, np, kv;
        r /= x->ub.n, k = r % x->k.n;
        r /= x->k.n, v = r % x->v.n;
        r /= x->v.n, np = r % x->np.n;
        kv = r / x->np.n;
        f->variant[i] = (struct ul_fit_variant){
            .ubatch = (uint32_t)x->ub.v[ub], .type_k = x->k.v[k], .type_v = x->v.v[v],
            .slots = x->np.v[np], .kv_on_host = x->nkvo.v[kv] != 0,
            .rank = (int)(((kv * 16 + k + v) * 8 + np) * 8 + ub)};
    }
    f->n_variants = most;
    qsort(f->variant, most, sizeof *f->variant, by_rank);
}

int ul_fit_variants(struct ul_fit *f, ullage_error *err)
{
    struct allowed asked = {0}, all = {0};
    int code = read_words(&asked, f->o.allow, err);
    if (code)
        return code;
    open_values(&all, f);
    close_fixed(&all, f);
    const struct values *from[] = {&asked.ub, &asked.k, &asked.v, &asked.np, &asked.nkvo};
    struct values *to[] = {&all.ub, &all.k, &all.v, &all.np, &all.nkvo};
    static const enum ul_fit_id id[] = {UL_FIT_UB, UL_FIT_CTK, UL_FIT_CTV, UL_FIT_NP, UL_FIT_NKVO};
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < from[i]->n && !f->fixed[id[i]]; k++)
            if (!(id[i] == UL_FIT_NP && f->o.want == ULLAGE_WANT_SLOTS))
                add(to[i], from[i]->v[k], (struct ul_str){"", 0}, NULL);
    combine(f, &all);
    return ULLAGE_OK;
}
