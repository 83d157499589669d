/* From config.json to the description that the converter would write. See convert.h.
 *
 * This file has what every row uses: reading the configuration, writing keys and tensors, the types
 * that the converter gives them, and the order of tensors that llama-quantize leaves behind (by
 * layer, then by name), since a plan with memory mapping sees it. */
#include "model/convert.h"

#include "base/size.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_MOST 128
#define LAYERS_MOST 4096 /* a configuration that says more is refused; the engine takes 512 */
#define LAYERS "n_layers|num_hidden_layers|n_layer|num_layers"
#define WIDTH "hidden_size|n_embd|dim|d_model"
#define TENSOR_ALIGN 32  /* GGUF_DEFAULT_ALIGNMENT */

/* ------------------------------------------------------------------ the configuration */

static void fail(struct ul_conv *c, int code, const char *fmt, va_list ap)
{
    char text[256];
    if (c->code != ULLAGE_OK)
        return;
    vsnprintf(text, sizeof text, fmt, ap);
    c->code = ul_fail(c->err, code, ULLAGE_NO_POSITION, "config.json: %s", text);
}

void ul_conv_fail(struct ul_conv *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fail(c, ULLAGE_ERROR_INPUT, fmt, ap);
    va_end(ap);
}

void ul_conv_unknown(struct ul_conv *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fail(c, ULLAGE_ERROR_UNKNOWN, fmt, ap);
    va_end(ap);
}

/* Whether `word` is one of the words in a list with blanks between them. */
static bool listed(const char *words, struct ul_str word)
{
    while (words != NULL && *words != '\0') {
        size_t n = strcspn(words, " ");
        if (n == word.n && memcmp(words, word.p, n) == 0)
            return true;
        words += n + (words[n] == ' ');
    }
    return false;
}

static const struct ul_jvalue *member(const struct ul_conv *c, const char *name)
{
    const struct ul_jvalue *v = ul_jget(c->text, name);
    if (v == NULL)
        v = ul_jget(c->root, name);
    return v != NULL ? v : ul_jget(c->defaults, name);
}

const struct ul_jvalue *ul_cfg(const struct ul_conv *c, const char *names)
{
    char one[NAME_MOST];
    const struct ul_jvalue *v = NULL;
    while (v == NULL && *names != '\0') {
        size_t n = strcspn(names, "|");
        if (n >= sizeof one)
            return NULL;
        memcpy(one, names, n);
        one[n] = '\0';
        v = member(c, one);
        names += n + (names[n] == '|');
    }
    return v;
}

bool ul_cfg_has(const struct ul_conv *c, const char *names) { return ul_cfg(c, names) != NULL; }

/* A whole number that is not negative and fits 32 bits; anything else is an error. */
static uint64_t whole(struct ul_conv *c, const struct ul_jvalue *v, const char *names)
{
    double d = v->kind == UL_J_INT || v->kind == UL_J_REAL ? v->d : -1;
    if (d >= 0 && d <= UINT32_MAX)
        return (uint64_t)d;
    ul_conv_fail(c, "%s is no whole number from 0 to 4294967295", names);
    return 0;
}

uint64_t ul_cfg_u(struct ul_conv *c, const char *names, uint64_t otherwise)
{
    const struct ul_jvalue *v = ul_cfg(c, names);
    return v != NULL ? whole(c, v, names) : otherwise;
}

uint64_t ul_cfg_need(struct ul_conv *c, const char *names)
{
    const struct ul_jvalue *v = ul_cfg(c, names);
    if (v == NULL)
        ul_conv_fail(c, "%s is missing", names);
    return v != NULL ? whole(c, v, names) : 0;
}

double ul_cfg_f(const struct ul_conv *c, const char *names, double otherwise)
{
    const struct ul_jvalue *v = ul_cfg(c, names);
    return v != NULL && (v->kind == UL_J_INT || v->kind == UL_J_REAL) ? v->d : otherwise;
}

double ul_cfg_need_f(struct ul_conv *c, const char *names)
{
    if (!ul_cfg_has(c, names))
        ul_conv_fail(c, "%s is missing", names);
    return ul_cfg_f(c, names, 0);
}

bool ul_cfg_b(const struct ul_conv *c, const char *names, bool otherwise)
{
    const struct ul_jvalue *v = ul_cfg(c, names);
    return v != NULL && v->kind == UL_J_BOOL ? v->i != 0 : otherwise;
}

struct ul_str ul_cfg_s(const struct ul_conv *c, const char *names)
{
    const struct ul_jvalue *v = ul_cfg(c, names);
    return v != NULL && v->kind == UL_J_STRING ? v->s : (struct ul_str){"", 0};
}

bool ul_cfg_item_is(const struct ul_conv *c, const char *names, uint64_t i, const char *word)
{
    const struct ul_jvalue *v = ul_jitem(ul_cfg(c, names), i);
    return v != NULL && v->kind == UL_J_STRING && ul_str_is(v->s, word);
}

uint64_t ul_cfg_item(const struct ul_conv *c, const char *names, uint64_t i, uint64_t otherwise)
{
    const struct ul_jvalue *v = ul_cfg(c, names);
    if (v != NULL && v->kind == UL_J_ARRAY)
        v = ul_jitem(v, i);
    bool number = v != NULL && (v->kind == UL_J_INT || v->kind == UL_J_REAL ||
                                v->kind == UL_J_BOOL);
    double d = !number ? -1 : v->kind == UL_J_BOOL ? (double)v->i : v->d;
    return d >= 0 && d <= UINT32_MAX ? (uint64_t)d : otherwise;
}

const struct ul_jvalue *ul_cfg_rope(const struct ul_conv *c)
{
    const struct ul_jvalue *full = ul_jget(c->rope, "full_attention");
    return full != NULL ? full : c->rope;
}

double ul_cfg_partial(const struct ul_conv *c, double otherwise)
{
    double outside = ul_cfg_f(c, "partial_rotary_factor|rope_pct|rope_percent", otherwise);
    return ul_jreal(ul_cfg_rope(c), "partial_rotary_factor", outside);
}

/* ------------------------------------------------------------------ keys */

static struct ul_str full_key(struct ul_conv *c, const char *name)
{
    bool whole_name = strncmp(name, "general.", 8) == 0 || strncmp(name, "tokenizer.", 10) == 0 ||
                      strncmp(name, "xielu.", 6) == 0;
    return ul_cstr(whole_name ? name : ul_format(c->a, "%s.%s", c->name, name));
}

/* The key's place: where it was, or a new one. */
static struct ul_gguf_kv *key_slot(struct ul_conv *c, const char *name, enum ul_gguf_value type)
{
    struct ul_gguf *g = c->g;
    struct ul_str key = full_key(c, name);
    struct ul_gguf_kv *kv = NULL;
    for (size_t i = 0; i < g->n_kv && kv == NULL; i++)
        if (ul_str_eq(g->kv[i].key, key))
            kv = &g->kv[i];
    if (kv == NULL) {
        if (g->n_kv == c->kv_room) {
            struct ul_gguf_kv *more = UL_NEWS(c->a, struct ul_gguf_kv, c->kv_room * 2 + 64);
            if (g->n_kv > 0)
                memcpy(more, g->kv, g->n_kv * sizeof *more);
            g->kv = more;
            c->kv_room = c->kv_room * 2 + 64;
        }
        kv = &g->kv[g->n_kv++];
    }
    *kv = (struct ul_gguf_kv){.key = key, .type = (uint8_t)type, .count = 1,
                              .position = ULLAGE_NO_POSITION};
    return kv;
}

void ul_kv_u32(struct ul_conv *c, const char *name, uint64_t v)
{
    key_slot(c, name, UL_GGUF_U32)->v.u = v;
}

void ul_kv_f32(struct ul_conv *c, const char *name, double v)
{
    key_slot(c, name, UL_GGUF_F32)->v.f = (double)(float)v;
}

void ul_kv_bool(struct ul_conv *c, const char *name, bool v)
{
    key_slot(c, name, UL_GGUF_BOOL)->v.u = v;
}

void ul_kv_str(struct ul_conv *c, const char *name, const char *v)
{
    key_slot(c, name, UL_GGUF_STRING)->v.s = ul_cstr(v);
}

static void list(struct ul_conv *c, const char *name, uint64_t n, enum ul_gguf_value item,
                 uint64_t (*of)(struct ul_conv *, uint64_t))
{
    uint64_t *v = UL_NEWS(c->a, uint64_t, n + 1);
    for (uint64_t i = 0; i < n; i++)
        v[i] = of(c, i);
    struct ul_gguf_kv *kv = key_slot(c, name, UL_GGUF_ARRAY);
    kv->item = (uint8_t)item;
    kv->count = n;
    kv->v.us = v;
}

void ul_kv_u32s(struct ul_conv *c, const char *name, uint64_t n,
                uint64_t (*of)(struct ul_conv *, uint64_t))
{
    list(c, name, n, UL_GGUF_U32, of);
}

void ul_kv_bools(struct ul_conv *c, const char *name, uint64_t n,
                 uint64_t (*of)(struct ul_conv *, uint64_t))
{
    list(c, name, n, UL_GGUF_BOOL, of);
}

void ul_kv_i32s(struct ul_conv *c, const char *name, uint64_t n, const int64_t *v)
{
    int64_t *own = UL_NEWS(c->a, int64_t, n + 1);
    memcpy(own, v, n * sizeof *own);
    struct ul_gguf_kv *kv = key_slot(c, name, UL_GGUF_ARRAY);
    kv->item = UL_GGUF_I32;
    kv->count = n;
    kv->v.is = own;
}

void ul_kv_f32s(struct ul_conv *c, const char *name, uint64_t n, const double *v)
{
    double *own = UL_NEWS(c->a, double, n + 1);
    for (uint64_t i = 0; i < n; i++)
        own[i] = (double)(float)v[i];
    struct ul_gguf_kv *kv = key_slot(c, name, UL_GGUF_ARRAY);
    kv->item = UL_GGUF_F32;
    kv->count = n;
    kv->v.fs = own;
}

void ul_kv_drop(struct ul_conv *c, const char *name)
{
    struct ul_str key = full_key(c, name);
    for (size_t i = 0; i < c->g->n_kv; i++)
        if (ul_str_eq(c->g->kv[i].key, key)) {
            c->g->kv[i] = c->g->kv[--c->g->n_kv];
            return;
        }
}

void ul_kv_copy_u32(struct ul_conv *c, const char *name, const char *cfg)
{
    if (ul_cfg_has(c, cfg))
        ul_kv_u32(c, name, ul_cfg_u(c, cfg, 0));
}

void ul_kv_copy_f32(struct ul_conv *c, const char *name, const char *cfg)
{
    if (ul_cfg_has(c, cfg))
        ul_kv_f32(c, name, ul_cfg_f(c, cfg, 0));
}

void ul_kv_copy_bool(struct ul_conv *c, const char *name, const char *cfg)
{
    if (ul_cfg_has(c, cfg))
        ul_kv_bool(c, name, ul_cfg_b(c, cfg, false));
}

void ul_kv_copy_u32s(struct ul_conv *c, const char *name, const char *cfg)
{
    const struct ul_jvalue *list_of = ul_cfg(c, cfg), *v;
    if (list_of == NULL || list_of->kind != UL_J_ARRAY)
        return;
    int64_t *own = UL_NEWS(c->a, int64_t, list_of->n + 1);
    size_t n = 0;
    for (v = list_of->first; v != NULL && n < list_of->n; v = v->next)
        own[n++] = (int64_t)whole(c, v, cfg);
    ul_kv_i32s(c, name, n, own);
}

void ul_kv_copy_f32s(struct ul_conv *c, const char *name, const char *cfg)
{
    const struct ul_jvalue *list_of = ul_cfg(c, cfg), *v;
    double *own = UL_NEWS(c->a, double, c->n_layer + 1);
    uint64_t i = 0;
    if (list_of == NULL || list_of->kind != UL_J_ARRAY)
        return;
    for (v = list_of->first; v != NULL && i < c->n_layer; v = v->next, i++)
        own[i] = v->kind == UL_J_INT || v->kind == UL_J_REAL ? v->d : 0;
    ul_kv_f32s(c, name, c->n_layer, own);
}

/* ------------------------------------------------------------------ the usual keys */

static void yarn_keys(struct ul_conv *c, const struct ul_jvalue *rope)
{
    static const struct {
        const char *cfg, *key;
    } copied[] = {{"extrapolation_factor", "rope.scaling.yarn_ext_factor"},
                  {"beta_fast", "rope.scaling.yarn_beta_fast"},
                  {"beta_slow", "rope.scaling.yarn_beta_slow"}};
    const struct ul_jvalue *orig = ul_jget(rope, "original_max_position_embeddings");
    const struct ul_jvalue *factor = ul_jget(rope, "attention_factor");
    if (orig == NULL)
        orig = ul_cfg(c, "original_max_position_embeddings");
    if (orig != NULL)
        ul_kv_u32(c, "rope.scaling.original_context_length",
                  whole(c, orig, "original_max_position_embeddings"));
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        if (ul_jget(rope, copied[i].cfg) != NULL)
            ul_kv_f32(c, copied[i].key, ul_jreal(rope, copied[i].cfg, 0));
    if (factor == NULL)
        factor = ul_jget(rope, "attn_factor");
    if (factor != NULL)
        ul_kv_f32(c, "rope.scaling.yarn_attn_factor", factor->d);
}

static void rope_keys(struct ul_conv *c)
{
    const struct ul_jvalue *rope = ul_cfg_rope(c), *sections = ul_jget(c->rope, "mrope_section");
    struct ul_str type = ul_jstr(rope, "rope_type", "");
    if (type.n == 0)
        type = ul_jstr(rope, "type", "");
    bool factor = ul_jget(rope, "factor") != NULL;
    if ((ul_str_is(type, "linear") || ul_str_is(type, "yarn")) && factor) {
        ul_kv_str(c, "rope.scaling.type", ul_str_is(type, "yarn") ? "yarn" : "linear");
        ul_kv_f32(c, "rope.scaling.factor", ul_jreal(rope, "factor", 0));
        if (ul_str_is(type, "yarn"))
            yarn_keys(c, rope);
    } else if (ul_str_is(type, "su") || ul_str_is(type, "longrope")) {
        ul_kv_str(c, "rope.scaling.type", "longrope");
    }
    if (sections != NULL) {
        int64_t v[4] = {0};
        for (size_t i = 0; i < 4; i++)
            v[i] = ul_jitem(sections, i) != NULL ? ul_jitem(sections, i)->i : 0;
        ul_kv_i32s(c, "rope.dimension_sections", 4, v);
    }
    double theta = ul_cfg_f(c, "global_rope_theta|rope_global_theta|rope_theta_global|rope_theta|"
                               "rotary_emb_base", c->row->rope_theta);
    double local = ul_cfg_f(c, "local_rope_theta|rope_local_theta|rope_theta_local|swa_rope_theta|"
                               "rope_local_base_freq", 0);
    theta = ul_jreal(rope, "rope_theta", theta);
    local = ul_jreal(ul_jget(c->rope, "sliding_attention"), "rope_theta", local);
    if (theta != 0)
        ul_kv_f32(c, "rope.freq_base", theta);
    if (local != 0)
        ul_kv_f32(c, "rope.freq_base_swa", local);
}

static void expert_keys(struct ul_conv *c)
{
    struct ul_str score =
        ul_cfg_s(c, "score_function|scoring_func|score_func|moe_router_activation|"
                    "moe_router_activation_func|expert_selection_fn");
    ul_kv_copy_u32(c, "expert_count", "num_local_experts|num_experts|n_routed_experts");
    ul_kv_copy_u32(c, "expert_used_count",
                   "num_experts_per_tok|num_experts_per_token|top_k_experts");
    ul_kv_copy_u32(c, "expert_group_count", "n_group");
    ul_kv_copy_u32(c, "expert_group_used_count", "topk_group");
    if (ul_str_is(score, "softmax"))
        ul_kv_u32(c, "expert_gating_func", 1);
    else if (ul_str_is(score, "sigmoid"))
        ul_kv_u32(c, "expert_gating_func", 2);
    else if (ul_str_is(score, "sqrtsoftplus"))
        ul_kv_u32(c, "expert_gating_func", 4);
}

/* Source: conversion/base.py: TextModel.set_gguf_parameters. */
void ul_conv_keys(struct ul_conv *c)
{
    static const char rms[] = "rms_norm_eps|norm_eps";
    static const char n_ff[] = "prefix_dense_intermediate_size|dense_intermediate_size|"
                               "intermediate_size|n_inner|hidden_dim";
    ul_kv_u32(c, "block_count", c->n_layer);
    ul_kv_copy_u32(c, "context_length", "max_position_embeddings|n_ctx|n_positions|max_length|"
                                        "max_sequence_length|model_max_length");
    ul_kv_copy_u32(c, "embedding_length", "hidden_size|n_embd|dim");
    if (ul_cfg_has(c, n_ff))
        ul_kv_u32(c, "feed_forward_length", ul_cfg_item(c, n_ff, 0, 0)); /* lists: by the row */
    ul_kv_copy_u32(c, "attention.head_count", "num_attention_heads|n_head|n_heads");
    if (ul_cfg_has(c, "num_key_value_heads|n_kv_heads") || (c->flags & UL_CV_KV_HEADS))
        ul_kv_u32(c, "attention.head_count_kv", c->n_head_kv);
    if (!ul_cfg_b(c, "is_causal", true))
        ul_kv_bool(c, "attention.causal", false);
    rope_keys(c);
    if (ul_cfg_has(c, rms) || c->row->norm_eps != 0)
        ul_kv_f32(c, "attention.layer_norm_rms_epsilon", ul_cfg_f(c, rms, c->row->norm_eps));
    ul_kv_copy_f32(c, "attention.layer_norm_epsilon",
                   "layer_norm_eps|layer_norm_epsilon|norm_epsilon");
    expert_keys(c);
    if (ul_cfg_has(c, "head_dim") || (c->flags & UL_CV_HEAD_DIM)) {
        ul_kv_u32(c, "attention.key_length", c->head);
        ul_kv_u32(c, "attention.value_length", c->head);
    }
    if (c->flags & UL_CV_ROPE_DIM)
        ul_kv_u32(c, "rope.dimension_count", c->head);
}

/* ------------------------------------------------------------------ tensors */

static bool ends(struct ul_str s, const char *tail)
{
    size_t t = strlen(tail);
    return s.n >= t && memcmp(s.p + s.n - t, tail, t) == 0;
}

/* Matrices that stay 32-bit floats. Source: conversion/base.py: ModelBase.prepare_tensors. */
static bool stays_f32(const char *name)
{
    static const char *const kept[] = {
        "ffn_gate_inp", "ffn_gate_inp_shexp", "position_embd", "token_types", "ssm_conv1d",
        "shortconv.conv", "time_mix_first", "time_mix_w1", "time_mix_w2", "time_mix_decay_w1",
        "time_mix_decay_w2", "time_mix_lerp_fused", "altup_correct_coef", "altup_predict_coef",
        "ssm_conv1d_q", "ssm_conv1d_k", "ssm_conv1d_v", "indexer.proj",
    };
    struct ul_str s = ul_cstr(name);
    if (ends(s, "_norm.weight") || !(ends(s, ".weight") || ends(s, ".lora_a") ||
                                     ends(s, ".lora_b")))
        return true;
    size_t n = strlen(name) - sizeof ".weight" + 1;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strlen(kept[i]) == n && memcmp(kept[i], name, n) == 0)
            return true;
    return false;
}

static struct ul_gguf_tensor *tensor_slot(struct ul_conv *c)
{
    struct ul_gguf *g = c->g;
    if (g->n_tensors == c->tensor_room) {
        size_t room = c->tensor_room * 2 + 512;
        struct ul_gguf_tensor *more = UL_NEWS(c->a, struct ul_gguf_tensor, room);
        if (g->n_tensors > 0)
            memcpy(more, g->tensors, g->n_tensors * sizeof *more);
        g->tensors = more;
        c->tensor_room = room;
    }
    return &g->tensors[g->n_tensors++];
}

void ul_t4(struct ul_conv *c, const char *name, uint64_t n0, uint64_t n1, uint64_t n2, uint64_t n3)
{
    if (n0 == 0 || n1 == 0 || n2 == 0 || n3 == 0) {
        ul_conv_fail(c, "its numbers make a tensor without elements (%s)", name);
        return;
    }
    struct ul_gguf_tensor *t = tensor_slot(c);
    t->name = ul_cstr(c->il >= 0 ? ul_format(c->a, "blk.%d.%s", c->il, name)
                                 : ul_format(c->a, "%s", name));
    t->n_dims = n3 > 1 ? 4 : n2 > 1 ? 3 : n1 > 1 ? 2 : 1;
    t->ne[0] = n0;
    t->ne[1] = n1;
    t->ne[2] = n2;
    t->ne[3] = n3;
    t->type = t->n_dims == 1 || stays_f32(name) ? UL_F32 : c->type;
    t->position = ULLAGE_NO_POSITION;
}

void ul_as(struct ul_conv *c, enum ul_type type)
{
    if (c->code == ULLAGE_OK && c->g->n_tensors > 0)
        c->g->tensors[c->g->n_tensors - 1].type = type;
}

void ul_t3(struct ul_conv *c, const char *name, uint64_t n0, uint64_t n1, uint64_t n2)
{
    ul_t4(c, name, n0, n1, n2, 1);
}

void ul_t2(struct ul_conv *c, const char *name, uint64_t n0, uint64_t n1)
{
    ul_t3(c, name, n0, n1, 1);
}

void ul_t1(struct ul_conv *c, const char *name, uint64_t n0) { ul_t3(c, name, n0, 1, 1); }

void ul_linear(struct ul_conv *c, const char *name, uint64_t in, uint64_t out, bool bias)
{
    ul_t2(c, ul_format(c->a, "%s.weight", name), in, out);
    if (bias)
        ul_t1(c, ul_format(c->a, "%s.bias", name), out);
}

void ul_norm(struct ul_conv *c, const char *name, uint64_t n)
{
    ul_t1(c, ul_format(c->a, "%s.weight", name), n);
    if (c->flags & UL_CV_NORM_BIAS)
        ul_t1(c, ul_format(c->a, "%s.bias", name), n);
}

/* ------------------------------------------------------------------ order and places */

static long layer_of(struct ul_str name)
{
    return name.n > 4 && memcmp(name.p, "blk.", 4) == 0 ? strtol(name.p + 4, NULL, 10) : -1;
}

/* Source: src/llama-model-loader.h: weight_name_comparer. */
static int in_order(const void *x, const void *y)
{
    const struct ul_gguf_tensor *a = x, *b = y;
    long la = layer_of(a->name), lb = layer_of(b->name);
    size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;
    if (la != lb)
        return la < lb ? -1 : 1;
    int order = memcmp(a->name.p, b->name.p, n);
    return order != 0 ? order : a->name.n < b->name.n ? -1 : a->name.n > b->name.n;
}

void ul_gguf_sort(struct ul_gguf *g)
{
    if (g->n_tensors > 0)
        qsort(g->tensors, g->n_tensors, sizeof *g->tensors, in_order);
}

void ul_gguf_lay_out(struct ul_gguf *g)
{
    uint64_t at = 0;
    for (size_t i = 0; i < g->n_tensors; i++) {
        struct ul_gguf_tensor *t = &g->tensors[i];
        t->bytes = ul_mul(ul_row_bytes(t->type, t->ne[0]),
                          ul_mul(ul_mul(t->ne[1], t->ne[2]), t->ne[3]));
        t->offset = at;
        at = ul_pad(ul_add(at, t->bytes), TENSOR_ALIGN);
    }
    for (size_t i = 0; i < g->n_files; i++)
        g->files[i].full_size = g->files[i].size = i == 0 ? at : 0;
}

/* ------------------------------------------------------------------ the whole */

static const struct ul_conv_row *row_of(struct ul_str class, struct ul_str type,
                                        struct ul_str text_type)
{
    for (size_t t = 0; t < ul_n_conv_tables; t++)
        for (const struct ul_conv_row *r = ul_conv_tables[t]; r->classes != NULL; r++)
            if ((class.n > 0 ? listed(r->classes, class) : listed(r->types, type)) &&
                (r->text_types == NULL || listed(r->text_types, text_type)))
                return r;
    return NULL;
}

/* The class that decides. Source: conversion/base.py: get_model_architecture. */
static struct ul_str class_of(const struct ul_jvalue *root, const struct ul_jvalue *text)
{
    static const char outer[] = "StepVLForConditionalGeneration Sarashina2VisionForCausalLM "
        "Exaone4_5_ForConditionalGeneration Step3p7ForConditionalGeneration "
        "KimiK3ForConditionalGeneration";
    const struct ul_jvalue *own = ul_jitem(ul_jget(root, "architectures"), 0);
    const struct ul_jvalue *inner = ul_jitem(ul_jget(text, "architectures"), 0);
    const struct ul_jvalue *v = own, *ssm = ul_jget(root, "ssm_cfg");
    if (own == NULL && ssm != NULL) /* the first Mamba's own configurations name no class */
        return ul_str_is(ul_jstr(ssm, "layer", "Mamba"), "Mamba2") ? UL_STR("Mamba2ForCausalLM")
                                                                   : UL_STR("MambaForCausalLM");
    if (inner != NULL && !(own != NULL && own->kind == UL_J_STRING && listed(outer, own->s)))
        v = inner;
    return v != NULL && v->kind == UL_J_STRING ? v->s : (struct ul_str){"", 0};
}

/* Source: conversion/base.py: ModelBase.load_hparams. */
static const struct ul_jvalue *text_of(const struct ul_jvalue *root)
{
    static const char *const names[] = {"lfm", "language_config", "lm_config", "llm_config",
                                        "text_config"};
    const struct ul_jvalue *v = ul_jget(ul_jget(root, "thinker_config"), "text_config");
    for (size_t i = 0; i < sizeof names / sizeof *names && v == NULL; i++)
        v = ul_jget(root, names[i]);
    return v != NULL && v->kind == UL_J_OBJECT ? v : NULL;
}

static enum ul_type stored_type(const struct ul_conv *c)
{
    struct ul_str s = ul_cfg_s(c, "dtype|torch_dtype");
    if (c->hints->type > 0)
        return (enum ul_type)(c->hints->type - 1);
    return ul_str_is(s, "bfloat16") ? UL_BF16 : UL_F16; /* the converter's choice for floats too */
}

/* Before `setup` a number may be missing, since that may find it under another name. */
static void check_numbers(struct ul_conv *c, bool all)
{
    if (all && c->n_layer == 0)
        ul_conv_fail(c, "" LAYERS " is missing");
    if (all && c->n_embd == 0)
        ul_conv_fail(c, "" WIDTH " is missing");
    if (c->n_layer > LAYERS_MOST)
        ul_conv_fail(c, "%llu layers", (unsigned long long)c->n_layer);
}

static void common_numbers(struct ul_conv *c)
{
    c->n_layer = ul_cfg_u(c, LAYERS, 0);
    c->n_embd = ul_cfg_u(c, WIDTH, 0);
    c->n_head = ul_cfg_u(c, "num_attention_heads|n_head|n_heads|num_heads", 0);
    c->n_head_kv = ul_cfg_u(c, "num_key_value_heads|n_kv_heads", c->n_head);
    c->share = c->n_head != 0 ? c->n_embd / c->n_head : 0;
    c->head = c->row->head_dim != 0 ? c->row->head_dim : c->share;
    c->head = ul_cfg_u(c, "head_dim", c->head);
    c->n_ff = ul_cfg_item(c, "prefix_dense_intermediate_size|dense_intermediate_size|"
                             "intermediate_size|n_inner|hidden_dim", 0, 0);
    c->n_vocab = ul_cfg_u(c, "vocab_size|padded_vocab_size", c->hints->n_vocab);
    c->n_expert = ul_cfg_u(c, "num_local_experts|num_experts|n_routed_experts", 0);
    c->n_ff_exp = ul_cfg_item(c, "moe_intermediate_size", 0, c->n_ff);
    c->dense_lead = ul_cfg_u(c, "first_k_dense_replace", 0);
    check_numbers(c, false);
}

static bool some_nvfp4(const struct ul_jvalue *q)
{
    const struct ul_jvalue *layers = ul_jget(q, "quantized_layers");
    for (const struct ul_jvalue *v = layers != NULL ? layers->first : NULL; v != NULL; v = v->next)
        if (ends(ul_jstr(v, "quant_algo", ""), "NVFP4"))
            return true;
    return false;
}

/* What the converter does with a checkpoint that is quantised already: most kinds it computes back
 * to floats, some it cannot read, and NVFP4 it keeps, for matrices that other files name. Source:
 * conversion/base.py: ModelBase.dequant_model, prepare_tensors. */
static void check_quantised(struct ul_conv *c)
{
    static const char known[] = "fp8 gptq bitnet compressed-tensors modelopt mxfp4";
    static const char formats[] = "float-quantized int-quantized naive-quantized pack-quantized "
                                  "mxfp4-pack-quantized";
    const struct ul_jvalue *q = ul_cfg(c, "quantization_config");
    struct ul_str method = ul_jstr(q, "quant_method", ""), algo = ul_jstr(q, "quant_algo", "");
    struct ul_str format = ul_jstr(q, "format", "");
    bool packed = ul_str_is(method, "compressed-tensors");
    if (method.n > 0 && !listed(known, method))
        ul_conv_unknown(c, "llama.cpp converts no checkpoint quantised by %.*s",
                        (int)(method.n < 40 ? method.n : 40), method.p);
    if (ul_str_is(algo, "NVFP4") || ul_str_is(algo, "W4A16_NVFP4") || some_nvfp4(q) ||
        (packed && (ul_str_is(format, "nvfp4-pack-quantized") ||
                    ul_str_is(format, "mixed-precision"))))
        ul_conv_unknown(c, "which matrices of an NVFP4 checkpoint stay NVFP4 is not worked out: "
                           "give the configuration of the model before it was quantised");
    if (packed && !listed(formats, format))
        ul_conv_unknown(c, "llama.cpp converts no compressed-tensors of the format %.*s",
                        (int)(format.n < 40 ? format.n : 40), format.p);
}

static bool has_output(const struct ul_conv *c)
{
    if (c->flags & (UL_CV_TIED_ALWAYS | UL_CV_UNTIED_ALWAYS))
        return c->flags & UL_CV_UNTIED_ALWAYS;
    if (c->hints->output != 0)
        return c->hints->output > 0;
    return !ul_cfg_b(c, "tie_word_embeddings|tie_embeddings", (c->flags & UL_CV_TIED) != 0);
}

/* rope_freqs for llama 3's kind of scaling. Source: conversion/llama.py: generate_extra_tensors. */
static void llama3_factors(struct ul_conv *c)
{
    struct ul_str type = ul_jstr(ul_cfg_rope(c), "rope_type", "");
    if (type.n == 0)
        type = ul_jstr(ul_cfg_rope(c), "type", "");
    if ((c->flags & UL_CV_LLAMA3) && ul_str_is(type, "llama3"))
        ul_t1(c, "rope_freqs.weight", c->head / 2);
}

static void all_tensors(struct ul_conv *c)
{
    c->il = -1;
    ul_t2(c, "token_embd.weight", c->n_embd, c->n_vocab);
    if (!(c->flags & UL_CV_NO_OUTPUT_NORM))
        ul_norm(c, "output_norm", c->n_embd);
    if (has_output(c))
        ul_t2(c, "output.weight", c->n_embd, c->n_vocab);
    llama3_factors(c);
    if (c->row->rest != NULL)
        c->row->rest(c);
    for (c->il = 0; c->il < (int)c->n_layer && c->code == ULLAGE_OK; c->il++)
        (c->row->layer != NULL ? c->row->layer : ul_conv_layer)(c);
    c->il = -1;
}

static void all_keys(struct ul_conv *c)
{
    ul_kv_str(c, "general.architecture", c->name);
    if (!(c->flags & UL_CV_OWN_KEYS))
        ul_conv_keys(c);
    if (c->row->keys != NULL)
        c->row->keys(c);
    ul_kv_u32(c, "vocab_size", c->n_vocab);
    ul_kv_str(c, "tokenizer.ggml.model", "no_vocab"); /* its tokens are in other files */
    ul_kv_u32(c, "general.file_type", c->type == UL_BF16 ? 32 : c->type == UL_F16 ? 1 : 0);
}

/* A file with MXFP4 experts is called so. Source: conversion/base.py: prepare_metadata. */
static void name_mxfp4(struct ul_conv *c)
{
    for (size_t i = 0; i < c->g->n_tensors; i++)
        if (c->g->tensors[i].type == UL_MXFP4) {
            ul_kv_u32(c, "general.file_type", 38);
            return;
        }
}

/* Classes that the converter knows and this does not: models that draft for one other model and are
 * made with it at hand, speech, and a few whose layout only the checkpoint says. */
static const char elsewhere[] =
    "DFlashDraftModel DSparkDraftModel DSparkSpeculator DeepseekV4DSparkModel Eagle3DraftModel "
    "Eagle3LlamaForCausalLM Eagle3Speculator LlamaForCausalLMEagle3 Lfm2DSparkDraftModel "
    "LingDSparkModel Qwen3DSparkModel MuseGlimmerAssistantModel "
    "Lfm25AudioTokenizer PocketTTSModel Qwen3TTSForConditionalGeneration WavTokenizerDec "
    "DeepseekOCRForCausalLM UnlimitedOCRForCausalLM "
    "GraniteSwitchForCausalLM JinaBertForMaskedLM JinaBertModel RuGPT3XLForCausalLM";

static int no_row(const char *name, struct ul_str class, ullage_error *err)
{
    int n = (int)(class.n < 80 ? class.n : 80);
    if (class.n == 0)
        return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                       "%s: it names no class (architectures), and so llama.cpp cannot convert it",
                       name);
    if (listed(elsewhere, class))
        return ul_fail(
            err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
            "%s: llama.cpp converts %.*s, but what comes out is not worked out here: give "
            "the GGUF file",
            name, n, class.p);
    return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                   "%s: llama.cpp cannot convert %.*s", name, n, class.p);
}

int ul_convert(struct ul_gguf *g, const char *name, const struct ul_jvalue *config,
               const struct ul_conv_hints *hints, struct ul_arena *a, ullage_error *err)
{
    static const struct ul_conv_hints none = {0};
    const struct ul_jvalue *text = text_of(config);
    struct ul_str class = class_of(config, text);
    struct ul_str type = ul_jstr(config, "model_type", "");
    struct ul_conv c = {.root = config, .text = text, .hints = hints != NULL ? hints : &none,
                        .a = a, .err = err, .g = g, .il = -1};
    if (config == NULL || config->kind != UL_J_OBJECT)
        return ul_fail(err, ULLAGE_ERROR_INPUT, 0, "%s: not a configuration", name);
    c.row = row_of(class, type, ul_jstr(text, "model_type", ""));
    if (c.row == NULL)
        return no_row(name, class, err);
    *g = (struct ul_gguf){.version = 3, .alignment = TENSOR_ALIGN, .imagined = true};
    c.flags = c.row->flags;
    c.name = c.row->name;
    if (c.row->defaults != NULL)
        c.defaults = ul_json_parse("defaults", c.row->defaults, strlen(c.row->defaults), a, err);
    c.type = stored_type(&c);
    c.rope = ul_cfg(&c, "rope_parameters|rope_scaling");
    check_quantised(&c);
    common_numbers(&c);
    if (c.row->setup != NULL && c.code == ULLAGE_OK)
        c.row->setup(&c);
    check_numbers(&c, true);
    if (c.code == ULLAGE_OK)
        all_keys(&c);
    if (c.code == ULLAGE_OK)
        all_tensors(&c);
    name_mxfp4(&c);
    if (c.code != ULLAGE_OK)
        return c.code;
    ul_gguf_sort(g);
    g->files = UL_NEW(a, struct ul_gguf_file);
    g->files[0] = (struct ul_gguf_file){.path = name};
    g->n_files = 1;
    g->partial = true;
    ul_gguf_lay_out(g);
    return ULLAGE_OK;
}
