/* Reading a `vllm serve` line.
 *
 * As vLLM's own reader does: underscores stand for dashes, --flag=value is the same as two words, a
 * switch has a --no- form, a dictionary may be given key by key (--speculative-config.method mtp).
 * Numbers may have a suffix: 32k is 32,000 and 32K is 32,768.
 * Source: utils/argparse_utils.py: FlexibleArgumentParser; engine/arg_utils.py:
 * human_readable_int. */
#include "engine/vllm_flags.h"
#include "source/jsonread.h"
#include "ullage.h"

#include <ctype.h>
#include <stdlib.h>

struct reader {
    struct ul_vsettings *s;
    const char *const *words;
    int n, at;
    struct ul_arena *a;
    ullage_error *err;
};

static int usage(const struct reader *r, const char *flag, const char *value, const char *what)
{
    return ul_fail(r->err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "%s: '%.60s' is not %s", flag,
                   value, what);
}

/* ------------------------------------------------------------------ values */

static double suffix(const char *s)
{
    static const struct { const char *s; double times; } table[] = {
        {"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12},
        {"K", 1024.0}, {"M", 1048576.0}, {"G", 1073741824.0}, {"T", 1099511627776.0}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(s, table[i].s) == 0)
            return table[i].times;
    return 0;
}

/* "4096", "32k", "1.5G"; false when it is no such number. */
static bool whole(const char *text, uint64_t *n)
{
    char *end;
    double d = strtod(text, &end);
    double times = suffix(end);
    if (end == text || !isdigit((unsigned char)*text) || times == 0 || d * times > 9e18)
        return false;
    *n = (uint64_t)(d * times + 0.5);
    return true;
}

static int read_whole(struct reader *r, const char *flag, const char *value, uint64_t *n)
{
    return whole(value, n) ? ULLAGE_OK
                           : usage(r, flag, value, "a whole number, as in 8192, 32k or 32K");
}

static int read_positive(struct reader *r, const char *flag, const char *value, uint64_t *n)
{
    int code = read_whole(r, flag, value, n);
    return code || *n ? code : usage(r, flag, value, "a number above 0");
}

static int read_real(struct reader *r, const char *flag, const char *value, double most, double *d)
{
    char *end;
    *d = strtod(value, &end);
    if (end == value || *end || !(*d >= 0) || *d > most)
        return usage(r, flag, value, most == 1 ? "a share between 0 and 1" : "a number");
    return ULLAGE_OK;
}

static int read_length(struct reader *r, const char *flag, const char *value)
{
    r->s->len_auto = strcmp(value, "-1") == 0 || strcmp(value, "auto") == 0;
    r->s->max_len = 0;
    return r->s->len_auto ? ULLAGE_OK : read_positive(r, flag, value, &r->s->max_len);
}

/* {"method": "mtp", "num_speculative_tokens": 3} */
static int read_speculation(struct reader *r, const char *value)
{
    const struct ul_jvalue *v =
        ul_json_parse("--speculative-config", value, strlen(value), r->a, NULL);
    if (!v || v->kind != UL_J_OBJECT)
        return usage(r, "--speculative-config", value, "a JSON object");
    struct ul_str method = ul_jstr(v, "method", ""), model = ul_jstr(v, "model", "");
    int64_t tokens = ul_jint(v, "num_speculative_tokens", 0);
    if (method.n)
        r->s->spec_method = ul_arena_copy(r->a, method.p, method.n);
    if (model.n)
        r->s->spec_model = ul_arena_copy(r->a, model.p, model.n);
    if (tokens > 0)
        r->s->spec_tokens = (uint64_t)tokens;
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ one flag */

/* Where a flag's number, switch or word is kept. */
static uint64_t *number_of(struct ul_vsettings *s, enum ul_vflag_id id)
{
    switch (id) {
    case UL_VI_PP: return &s->pp;
    case UL_VI_TP: return &s->tp;
    case UL_VI_DP: return &s->dp;
    case UL_VI_DCP: return &s->dcp;
    case UL_VI_PCP: return &s->pcp;
    case UL_VI_BLOCK: return &s->block;
    case UL_VI_KV_BYTES: return &s->kv_bytes;
    case UL_VI_BLOCKS: return &s->blocks;
    case UL_VI_BATCHED: return &s->batched;
    case UL_VI_SEQS: return &s->seqs;
    case UL_VI_MAMBA_BLOCK: return &s->mamba_block;
    case UL_VI_SPEC_TOKENS: return &s->spec_tokens;
    default: return NULL;
    }
}

static int *switch_of(struct ul_vsettings *s, enum ul_vflag_id id)
{
    switch (id) {
    case UL_VI_EAGER: return &s->eager;
    case UL_VI_EP: return &s->ep;
    case UL_VI_PREFIX: return &s->prefix;
    case UL_VI_NO_HYBRID: return &s->no_hybrid;
    case UL_VI_ASYNC: return &s->async;
    case UL_VI_LANGUAGE: return &s->language;
    case UL_VI_CHUNKED: return &s->chunked;
    case UL_VI_NO_WINDOW: return &s->no_window;
    case UL_VI_REPLAY: return &s->replay;
    case UL_VI_LORA: return &s->lora;
    case UL_VI_EPLB: return &s->eplb;
    default: return NULL;
    }
}

static const char **word_of(struct ul_vsettings *s, enum ul_vflag_id id)
{
    switch (id) {
    case UL_VI_MODEL: return &s->model;
    case UL_VI_KV_DTYPE: return &s->cache_dtype;
    case UL_VI_QUANT: return &s->quant;
    case UL_VI_DTYPE: return &s->dtype;
    case UL_VI_MAMBA_DTYPE: return &s->mamba_dtype;
    case UL_VI_SSM_DTYPE: return &s->ssm_dtype;
    case UL_VI_MAMBA_MODE: return &s->mamba_mode;
    case UL_VI_BACKEND: return &s->backend;
    case UL_VI_PERFORMANCE: return &s->performance;
    case UL_VI_OFFLOAD_KIND: return &s->offload_kind;
    case UL_VI_SKIP: return &s->skip;
    case UL_VI_OVERRIDES: return &s->overrides;
    case UL_VI_TRANSFER: return &s->transfer;
    case UL_VI_RUNNER: return &s->runner;
    case UL_VI_SPEC_METHOD: return &s->spec_method;
    case UL_VI_SPEC_MODEL: return &s->spec_model;
    default: return NULL;
    }
}

static int set_value(struct reader *r, const struct ul_vflag *f, const char *value)
{
    uint64_t *n = number_of(r->s, f->id);
    const char **word = word_of(r->s, f->id);
    if (word)
        *word = value;
    if (n)
        return read_positive(r, f->name, value, n);
    switch (f->id) {
    case UL_VI_MAX_LEN: return read_length(r, f->name, value);
    case UL_VI_SHARE: return read_real(r, f->name, value, 1, &r->s->share);
    case UL_VI_OFFLOAD: return read_real(r, f->name, value, 1e6, &r->s->offload_gb);
    case UL_VI_MM_IPC: return read_real(r, f->name, value, 1e6, &r->s->mm_ipc_gb);
    case UL_VI_OFFLOAD_GROUP: return read_whole(r, f->name, value, &r->s->offload_group);
    case UL_VI_SPEC: return read_speculation(r, value);
    default: return ULLAGE_OK;
    }
}

/* ------------------------------------------------------------------ finding a flag */

#define MOST_NAME 80

/* The flag's name as the table has it: no value behind '=', no key behind '.', dashes. */
static void plain_name(const char *word, char name[MOST_NAME])
{
    size_t n = strcspn(word, word[1] == '-' ? "=." : "=");
    n = n < MOST_NAME - 1 ? n : MOST_NAME - 1;
    memcpy(name, word, n);
    name[n] = '\0';
    for (size_t i = 2; word[1] == '-' && i < n; i++)
        if (name[i] == '_')
            name[i] = '-';
}

static bool is_off(const char *name, const struct ul_vflag *f)
{
    return f->kind == UL_VF_PAIR && strncmp(name, "--no-", 5) == 0
           && strcmp(name + 5, f->name + 2) == 0;
}

static const struct ul_vflag *find(const char *name)
{
    for (size_t i = 0; i < ul_n_vflags; i++) {
        const struct ul_vflag *f = &ul_vflags[i];
        if (strcmp(f->name, name) == 0 || (f->brief && strcmp(f->brief, name) == 0)
            || is_off(name, f))
            return f;
    }
    return NULL;
}

static int unknown(const struct reader *r, const char *word)
{
    const char *names[1024];
    size_t n = 0;
    for (size_t i = 0; i < ul_n_vflags && n < 1024; i++)
        names[n++] = ul_vflags[i].name;
    const char *near = ullage_near(word, names, n);
    return ul_fail(r->err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "unknown flag '%.80s' of vllm serve%s%s%s", word, near ? ": did you mean " : "",
                   near ? near : "", near ? "?" : "");
}

/* -O3 and -tp4 as argparse takes them: a short flag with its value in the same word. */
static const struct ul_vflag *joined(const char *word, const char **value)
{
    for (size_t i = 0; i < ul_n_vflags; i++) {
        size_t n = ul_vflags[i].brief ? strlen(ul_vflags[i].brief) : 0;
        if (n && strncmp(word, ul_vflags[i].brief, n) == 0 && isdigit((unsigned char)word[n])) {
            *value = word + n;
            return &ul_vflags[i];
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ the line */

static bool is_flag(const char *word)
{
    return word[0] == '-' && word[1] && !isdigit((unsigned char)word[1]);
}

/* The words up to the next flag; all but the first are ignored, for no list moves memory. */
static int take_list(struct reader *r, const struct ul_vflag *f)
{
    int code = ULLAGE_OK;
    for (bool first = true; r->at < r->n && !is_flag(r->words[r->at]); first = false, r->at++)
        if (first)
            code = set_value(r, f, r->words[r->at]);
    return code;
}

/* --speculative-config.num_speculative_tokens 3 */
static int set_key(struct reader *r, const struct ul_vflag *f, const char *key, const char *value)
{
    size_t n = strcspn(key, "=");
    if (f->id != UL_VI_SPEC)
        return ULLAGE_OK;
    if (n == 6 && memcmp(key, "method", 6) == 0)
        r->s->spec_method = value;
    else if (n == 5 && memcmp(key, "model", 5) == 0)
        r->s->spec_model = value;
    else if (n == 22 && memcmp(key, "num_speculative_tokens", 22) == 0)
        return read_positive(r, f->name, value, &r->s->spec_tokens);
    return ULLAGE_OK;
}

static int take_flag(struct reader *r, const char *word)
{
    char name[MOST_NAME];
    const char *value = strchr(word, '='), *inside = NULL;
    plain_name(word, name);
    const struct ul_vflag *f = find(name);
    if (!f)
        f = joined(word, &inside);
    if (!f)
        return unknown(r, word);
    if (f->kind == UL_VF_SWITCH || f->kind == UL_VF_PAIR) {
        int *on = switch_of(r->s, f->id);
        if (on)
            *on = !is_off(name, f);
        return ULLAGE_OK;
    }
    if (f->kind == UL_VF_LIST && !value)
        return take_list(r, f);
    if (!value && !inside && r->at >= r->n)
        return ul_fail(r->err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "%s needs a value", name);
    if (f->kind == UL_VF_MAYBE && !value && is_flag(r->words[r->at]))
        return ULLAGE_OK;
    const char *v = inside ? inside : value ? value + 1 : r->words[r->at++];
    const char *dot = word[1] == '-' ? strchr(word, '.') : NULL;
    return dot && (!value || dot < value) ? set_key(r, f, dot + 1, v) : set_value(r, f, v);
}

static bool assignment(const char *word)
{
    size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return n > 0 && word[n] == '=';
}

/* VLLM_X=1 vllm serve ...; python3 -m vllm.entrypoints.openai.api_server ... */
static void skip_program(struct reader *r)
{
    while (r->at < r->n && assignment(r->words[r->at]))
        r->at++;
    const char *tail = r->at < r->n ? strrchr(r->words[r->at], '/') : NULL;
    const char *word = tail ? tail + 1 : r->at < r->n ? r->words[r->at] : "";
    if (strcmp(word, "vllm") == 0)
        r->at++;
    else if (strncmp(word, "python", 6) == 0 && r->at + 2 < r->n)
        r->at += 3;
    if (r->at < r->n && strcmp(r->words[r->at], "serve") == 0)
        r->at++;
}

static int take_word(struct reader *r, const char *word)
{
    if (r->s->model && strcmp(r->s->model, word) != 0)
        return ul_fail(r->err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "'%.80s' is one word too many after '%.80s'", word, r->s->model);
    r->s->model = word;
    return ULLAGE_OK;
}

int ul_vsettings_parse(struct ul_vsettings *s, int n, const char *const *words, struct ul_arena *a,
                       ullage_error *err)
{
    struct reader r = {.s = s, .words = words, .n = n, .a = a, .err = err};
    *s = (struct ul_vsettings){.tp = 1, .pp = 1, .dp = 1, .dcp = 1, .pcp = 1, .eager = -1, .ep = -1,
                               .prefix = -1, .no_hybrid = -1, .async = -1, .language = -1,
                               .chunked = -1, .no_window = -1, .replay = -1, .lora = -1,
                               .eplb = -1};
    skip_program(&r);
    while (r.at < n) {
        const char *word = words[r.at++];
        int code = is_flag(word) ? take_flag(&r, word) : take_word(&r, word);
        if (code)
            return code;
    }
    return ULLAGE_OK;
}
