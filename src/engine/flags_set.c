/* What the flags with rules of their own do to the settings. Each setter reads its value as the
 * engine's handler does and refuses what the engine refuses (common/arg.cpp:
 * common_params_parser_init, the entry of the flag named in the function's name), except that a
 * number the engine would only trip over while loading is refused here at once. */
#include "engine/flags.h"

#include "base/size.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Names of the weights that -cmoe, -ncmoe and -ncffn keep on the host. common/common.h:
 * llm_ffn_exps_block_regex and its neighbour for dense layers; a block's number goes before. */
#define EXPERT_WEIGHTS "\\.ffn_(gate|up|gate_up|down)_(ch|)exps"
#define DENSE_WEIGHTS "\\.ffn_(gate|up|down)\\."

#define MOST_LAYERS 512 /* src/llama-hparams.h: LLAMA_MAX_LAYERS; no pattern past it can match */

/* Values are copied: the caller's arguments may be gone when a plan is made. */
static const char *keep(struct ul_flag_use *u, const char *p, size_t n)
{
    return ul_arena_copy(&u->s->arena, p, n);
}

/* The engine reads a negative size into an unsigned one and fails while it allocates. */
static int at_least(struct ul_flag_use *u, int least)
{
    if (u->number < least)
        return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "%d is too small: at least %d", u->number,
                            least);
    return ULLAGE_OK;
}

/* -c 0 is not the same as no -c: both mean the training context, but the one given in words also
 * forbids --fit to shorten it (common/arg.cpp: fit_params_min_ctx). */
int ul_set_ctx(struct ul_flag_use *u)
{
    if (at_least(u, 0))
        return ULLAGE_ERROR_USAGE;
    u->s->ctx_given = true;
    u->s->n_ctx = (uint32_t)u->number;
    if (u->number == 0)
        u->s->fit_ctx = UINT32_MAX; /* asked for in full: --fit may not shorten it */
    return ULLAGE_OK;
}

/* With an empty batch, or a negative one, the engine does not load. */
int ul_set_batch(struct ul_flag_use *u)
{
    if (at_least(u, 1))
        return ULLAGE_ERROR_USAGE;
    u->s->n_batch = (uint32_t)u->number;
    return ULLAGE_OK;
}

/* 0 and negative numbers come to the batch's size (src/llama-context.cpp: llama_context). */
int ul_set_ubatch(struct ul_flag_use *u)
{
    u->s->n_ubatch = u->number <= 0 ? UINT32_MAX : (uint32_t)u->number;
    return ULLAGE_OK;
}

/* std::stof: a number at the text's start that a float can hold. */
static bool read_float(const char *text, float *value)
{
    char *end;
    double d = strtod(text, &end);
    *value = (float)d;
    return end != text && (isinf(d) || !isinf(*value));
}

/* --rope-scale 4 and --rope-freq-scale 0.25 are one setting; the later one counts. */
int ul_set_rope_scale(struct ul_flag_use *u)
{
    float scale;
    if (!read_float(u->value, &scale) || scale == 0.0f)
        return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%s' is not a scale", u->value);
    u->s->rope_freq_scale = 1.0f / scale;
    return ULLAGE_OK;
}

int ul_set_yarn_orig_ctx(struct ul_flag_use *u)
{
    u->s->yarn_orig_ctx = u->number < 0 ? 0 : (uint32_t)u->number;
    return ULLAGE_OK;
}

/* The next item of a list: up to any character of `separators`. False at the end. */
static bool next_item(const char **at, const char *separators, struct ul_str *item)
{
    if (!*at)
        return false;
    size_t n = strcspn(*at, separators);
    *item = (struct ul_str){*at, n};
    *at = (*at)[n] ? *at + n + 1 : NULL;
    return true;
}

/* common/arg.cpp: parse_device_list. Whether the machine has them is the placement's question. */
int ul_set_devices(struct ul_flag_use *u)
{
    struct ul_settings *s = u->s;
    s->devices = ul_arena_alloc(&s->arena, UL_MAX_DEVICES, sizeof *s->devices);
    s->n_devices = 0;
    s->no_devices = strcmp(u->value, "none") == 0;
    if (s->no_devices)
        return ULLAGE_OK;
    struct ul_str item;
    for (const char *at = u->value; next_item(&at, ",", &item);) {
        if (item.n == 0 || ul_str_is(item, "none") || ul_str_is(item, "CPU"))
            return ul_flag_fail(u, ULLAGE_ERROR_USAGE,
                                "'%s' is no list of devices such as CUDA0,CUDA1", u->value);
        if (s->n_devices == UL_MAX_DEVICES)
            return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "more than %d devices", UL_MAX_DEVICES);
        s->devices[s->n_devices++] = keep(u, item.p, item.n);
    }
    return ULLAGE_OK;
}

/* Entries are searched in the order they were given, and the first that matches a name decides, so
 * -ot, -cmoe, -ncmoe and -ncffn share one list (src/llama-model-loader.cpp: create_tensor). */
static void add_override(struct ul_settings *s, const char *pattern, const char *buft)
{
    s->overrides = ul_settings_grow(s, s->overrides, s->n_overrides, sizeof *s->overrides);
    s->overrides[s->n_overrides++] = (struct ul_override){.pattern = pattern, .buft = buft};
}

/* common/arg.cpp: parse_tensor_buffer_overrides. A pattern ends at the first '='; a comma ends the
 * entry, so a pattern cannot hold one. Which buffer types exist depends on the machine. */
int ul_set_override_tensor(struct ul_flag_use *u)
{
    struct ul_str item;
    for (const char *at = u->value; next_item(&at, ",", &item);) {
        const char *eq = item.n ? memchr(item.p, '=', item.n) : NULL;
        if (!eq || eq + 1 == item.p + item.n)
            return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%.*s' is not PATTERN=BUFFER",
                                (int)(item.n < 60 ? item.n : 60), item.p);
        size_t n = (size_t)(eq - item.p);
        add_override(u->s, keep(u, item.p, n), keep(u, eq + 1, item.n - n - 1));
    }
    return ULLAGE_OK;
}

/* common/common.h: llm_ffn_exps_cpu_override; one pattern for all blocks. */
int ul_set_cpu_moe(struct ul_flag_use *u)
{
    add_override(u->s, EXPERT_WEIGHTS, "CPU");
    return ULLAGE_OK;
}

/* One pattern a block, in order, where the flag stands among the others. */
static int blocks_on_host(struct ul_flag_use *u, const char *weights)
{
    if (at_least(u, 0))
        return ULLAGE_ERROR_USAGE;
    for (int i = 0; i < u->number && i < MOST_LAYERS; i++)
        add_override(u->s, ul_format(&u->s->arena, "blk\\.%d%s", i, weights), "CPU");
    return ULLAGE_OK;
}

/* Shared experts are not meant: their names end in _shexp. */
int ul_set_n_cpu_moe(struct ul_flag_use *u)
{
    return blocks_on_host(u, EXPERT_WEIGHTS);
}

/* common/common.cpp: llm_add_n_cpu_ffn_overrides of 0.7.0. Weights, biases and scales of the dense
 * gate, up and down; not the norm before them, and no expert's. */
int ul_set_n_cpu_ffn(struct ul_flag_use *u)
{
    return blocks_on_host(u, DENSE_WEIGHTS);
}

/* 0 turns it off; the engine refuses less. */
int ul_set_moe_cache(struct ul_flag_use *u)
{
    if (at_least(u, 0))
        return ULLAGE_ERROR_USAGE;
    u->s->moe_cache_bytes = (uint64_t)u->number << 20;
    return ULLAGE_OK;
}

/* Below zero: -1 is auto, all others mean all (src/llama-model.cpp: n_gpu_layers). */
int ul_set_gpu_layers(struct ul_flag_use *u)
{
    int n = 0;
    const char *end = "";
    if (strcmp(u->value, "auto") == 0)
        n = UL_NGL_AUTO;
    else if (strcmp(u->value, "all") == 0)
        n = UL_NGL_ALL;
    else if (!ul_flag_stoi(u->value, &n, &end))
        return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%s' is not a number, all or auto", u->value);
    if (*end)
        ul_note(&u->s->notes, "number_tail", "%s %s: the engine reads %d and ignores the rest",
                         u->name, u->value, n);
    u->s->n_gpu_layers = n < UL_NGL_ALL ? UL_NGL_ALL : n;
    u->s->ngl_given = u->s->n_gpu_layers != UL_NGL_AUTO;
    return ULLAGE_OK;
}

/* Items of -ts and -fitt: any run of commas and slashes separates, one at the end is nothing. */
static bool next_share(const char **at, struct ul_str *item)
{
    if (!next_item(at, ",/", item))
        return false;
    if (*at) {
        *at += strspn(*at, ",/");
        if (!**at)
            *at = NULL;
    }
    return true;
}

/* The engine wants one device fewer than it has room for (llama_max_devices). */
static int too_many(struct ul_flag_use *u)
{
    return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "more than %d values: the engine has %d devices",
                        UL_MAX_DEVICES - 1, UL_MAX_DEVICES);
}

/* Shares, not percentages: what each GPU gets is its share over the sum. Those not given are 0. */
int ul_set_tensor_split(struct ul_flag_use *u)
{
    struct ul_settings *s = u->s;
    struct ul_str item;
    memset(s->tensor_split, 0, sizeof s->tensor_split);
    s->n_tensor_split = 0;
    for (const char *at = u->value; next_share(&at, &item);) {
        if (s->n_tensor_split == UL_MAX_DEVICES - 1)
            return too_many(u);
        if (!read_float(keep(u, item.p, item.n), &s->tensor_split[s->n_tensor_split++]))
            return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%s' is no list of shares such as 3,1",
                                u->value);
    }
    return ULLAGE_OK;
}

/* std::stoull: digits after white space and a sign; what follows is ignored. */
static bool read_mib(const char *text, uint64_t *mib)
{
    char *end;
    unsigned long long v = strtoull(text, &end, 10);
    *mib = v;
    return end != text && v <= UINT64_MAX >> 20;
}

/* One value is for all devices; of several, each is for its own, and the rest keep the default. */
int ul_set_fit_target(struct ul_flag_use *u)
{
    struct ul_str item;
    size_t n = 0;
    for (const char *at = u->value; next_share(&at, &item); n++) {
        if (n == UL_MAX_DEVICES - 1)
            return too_many(u);
        if (!read_mib(keep(u, item.p, item.n), &u->s->fit_target_mib[n]))
            return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%s' is no list of MiB such as 1024,512",
                                u->value);
    }
    for (size_t i = 1; n == 1 && i < UL_MAX_DEVICES; i++)
        u->s->fit_target_mib[i] = u->s->fit_target_mib[0];
    return ULLAGE_OK;
}

/* The engine stores an int in an unsigned one: -1 forbids any shortening, as -c 0 does. */
int ul_set_fit_ctx(struct ul_flag_use *u)
{
    u->s->fit_ctx = (uint32_t)u->number;
    return ULLAGE_OK;
}

/* One field of a comma-separated row, quotes removed. common/arg.cpp: parse_csv_row. */
static const char *csv_field(struct ul_flag_use *u, const char **at)
{
    char *field = ul_arena_alloc(&u->s->arena, strlen(*at) + 1, 1);
    size_t n = 0;
    bool quoted = false;
    const char *p = *at;
    for (; *p && (quoted || *p != ','); p++) {
        if (*p != '"' || (!quoted && n > 0))
            field[n++] = *p;
        else if (!quoted)
            quoted = true;
        else if (p[1] == '"')
            field[n++] = *p++;
        else
            quoted = false;
    }
    *at = *p ? p + 1 : NULL;
    return field;
}

/* TYPE:VALUE. Numbers are read as atol and atof do, so "int:x" is 0, as in the engine. */
static bool override_value(struct ul_kv_override *o, const char *text)
{
    if (strncmp(text, "int:", 4) == 0) {
        o->kind = UL_OVERRIDE_INT;
        o->i = strtoll(text + 4, NULL, 10);
    } else if (strncmp(text, "float:", 6) == 0) {
        o->kind = UL_OVERRIDE_FLOAT;
        o->f = strtod(text + 6, NULL);
    } else if (strncmp(text, "bool:", 5) == 0) {
        o->kind = UL_OVERRIDE_BOOL;
        o->b = strcmp(text + 5, "true") == 0;
        return o->b || strcmp(text + 5, "false") == 0;
    } else if (strncmp(text, "str:", 4) == 0) {
        o->kind = UL_OVERRIDE_STR;
        o->s = ul_cstr(text + 4);
        return strlen(text + 4) <= 127;
    } else {
        return false;
    }
    return true;
}

/* common/common.cpp: string_parse_kv_override */
int ul_set_override_kv(struct ul_flag_use *u)
{
    struct ul_settings *s = u->s;
    for (const char *at = u->value; at;) {
        const char *field = csv_field(u, &at);
        const char *eq = strchr(field, '=');
        struct ul_kv_override o = {0};
        if (!eq || eq - field >= 128 || !override_value(&o, eq + 1))
            return ul_flag_fail(u, ULLAGE_ERROR_USAGE,
                                "'%.80s' is not KEY=int:, float:, bool: or str:VALUE", field);
        o.key = ul_cstr(keep(u, field, (size_t)(eq - field)));
        s->kv_overrides =
            ul_settings_grow(s, s->kv_overrides, s->n_kv_overrides, sizeof *s->kv_overrides);
        s->kv_overrides[s->n_kv_overrides++] = o;
    }
    return ULLAGE_OK;
}

/* -m again replaces the first; a path on the command line comes from the caller, who compares. */
int ul_set_model(struct ul_flag_use *u)
{
    u->s->model = keep(u, u->value, strlen(u->value));
    return ULLAGE_OK;
}

/* No network here: the name is kept so that the command can say what to download. */
int ul_set_remote_model(struct ul_flag_use *u)
{
    u->s->remote_model = keep(u, u->value, strlen(u->value));
    return ULLAGE_OK;
}

/* The repository's projector comes along unless --no-mmproj is given: decided when all flags are
 * read (flags.c). */
int ul_set_hf_repo(struct ul_flag_use *u)
{
    u->s->hf_repo = true;
    return ul_set_remote_model(u);
}

/* A preset is a repository and some settings, which change between versions of the engine. */
int ul_set_preset(struct ul_flag_use *u)
{
    u->s->remote_model = u->flag->names[0];
    ul_settings_unmodelled(u->s, u->name, "the preset sets a model, its context and its batches");
    return ULLAGE_OK;
}

/* common/speculative.cpp, common_speculative_types_from_names: given twice, both count. */
int ul_set_spec_type(struct ul_flag_use *u)
{
    static const char *const types[UL_SPEC_COUNT] = {
        [UL_SPEC_DRAFT_SIMPLE] = "draft-simple", [UL_SPEC_DRAFT_EAGLE3] = "draft-eagle3",
        [UL_SPEC_DRAFT_MTP] = "draft-mtp",       [UL_SPEC_DRAFT_DFLASH] = "draft-dflash",
        [UL_SPEC_DRAFT_DSPARK] = "draft-dspark", [UL_SPEC_NGRAM_SIMPLE] = "ngram-simple",
        [UL_SPEC_NGRAM_MAP_K] = "ngram-map-k",   [UL_SPEC_NGRAM_MAP_K4V] = "ngram-map-k4v",
        [UL_SPEC_NGRAM_MOD] = "ngram-mod",       [UL_SPEC_NGRAM_CACHE] = "ngram-cache"};
    struct ul_str item;
    u->s->spec.given = true;
    for (const char *at = u->value; next_item(&at, ",", &item);) {
        size_t i = 0;
        while (i < UL_SPEC_COUNT && !ul_str_is(item, types[i]))
            i++;
        if (i < UL_SPEC_COUNT)
            u->s->spec.types |= UL_SPEC_BIT(i);
        else if (!ul_str_is(item, "none"))
            return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%.*s' is no kind of speculative decoding",
                                (int)(item.n < 60 ? item.n : 60), item.p);
    }
    return ULLAGE_OK;
}

/* common/arg.cpp: --spec-default. Drafts of up to 64 tokens that were said before. */
int ul_set_spec_default(struct ul_flag_use *u)
{
    u->s->spec.given = true;
    u->s->spec.types |= UL_SPEC_BIT(UL_SPEC_NGRAM_MOD);
    u->s->spec.mod_n_max = 64;
    return ULLAGE_OK;
}

/* --- files beside the model ------------------------------------------------------------------ */

int ul_set_companion(struct ul_flag_use *u)
{
    ul_settings_companion(u->s, u->flag->companion, u->name, u->value);
    return ULLAGE_OK;
}

/* Who opens it knows the repository by the prefix. */
int ul_set_hf_draft(struct ul_flag_use *u)
{
    ul_settings_companion(u->s, ULLAGE_DRAFT_MODEL, u->name,
                          ul_format(&u->s->arena, "hf:%s", u->value));
    return ULLAGE_OK;
}

/* FILE,FILE,... */
int ul_set_companions(struct ul_flag_use *u)
{
    for (const char *at = u->value; at;)
        ul_settings_companion(u->s, u->flag->companion, u->name, csv_field(u, &at));
    return ULLAGE_OK;
}

/* FILE:SCALE,... A scale changes values, not memory, so that only its being a number counts. */
int ul_set_companion_scaled(struct ul_flag_use *u)
{
    for (const char *at = u->value; at;) {
        const char *field = csv_field(u, &at), *colon = strchr(field, ':');
        float scale;
        if (!colon || strchr(colon + 1, ':') || !read_float(colon + 1, &scale))
            return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%.80s' is not FILE:SCALE", field);
        ul_settings_companion(u->s, u->flag->companion, u->name,
                              keep(u, field, (size_t)(colon - field)));
    }
    return ULLAGE_OK;
}

int ul_set_control_range(struct ul_flag_use *u)
{
    const char *end;
    if (!ul_flag_stoi(u->value, &u->s->control_first, &end)
        || !ul_flag_stoi(u->value2, &u->s->control_last, &end))
        return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%s %s' are not two layers", u->value,
                            u->value2);
    return ULLAGE_OK;
}

/* "none" is --no-mmproj-offload. */
int ul_set_mmproj_device(struct ul_flag_use *u)
{
    struct ul_settings *s = u->s;
    s->no_mmproj_offload = strcmp(u->value, "none") == 0;
    s->mmproj_device = s->no_mmproj_offload ? NULL : keep(u, u->value, strlen(u->value));
    return strchr(u->value, ',') ? ul_flag_fail(u, ULLAGE_ERROR_USAGE,
                                                "only one device for the projector")
                                 : ULLAGE_OK;
}

/* Below 1 is "not given" (tools/server/server-context.cpp of 0.7.0). Without -c the context becomes
 * this times the slots; with -c only a request's length is capped, which moves no memory. */
int ul_set_kv_per_slot(struct ul_flag_use *u)
{
    u->s->ctx_per_slot = u->number > 0 ? (uint32_t)u->number : 0;
    return ULLAGE_OK;
}

/* They live in host memory and come while serving: a plan lists them apart from the load. */
int ul_set_ctx_checkpoints(struct ul_flag_use *u)
{
    u->s->ctx_checkpoints = u->number > 0 ? (uint32_t)u->number : 0;
    return ULLAGE_OK;
}

int ul_set_checkpoint_step(struct ul_flag_use *u)
{
    if (at_least(u, 0))
        return ULLAGE_ERROR_USAGE;
    u->s->checkpoint_step = (uint32_t)u->number;
    return ULLAGE_OK;
}

/* Any negative number is "no limit". That it was given at all is kept, because 0.7.0's default is
 * another for models that decide instead of generate. */
int ul_set_cache_ram(struct ul_flag_use *u)
{
    u->s->cache_ram_mib = u->number < 0 ? -1 : u->number;
    u->s->cache_ram_given = true;
    return ULLAGE_OK;
}

/* Any negative number is auto: 4 slots and a unified cache (tools/server/server.cpp). */
int ul_set_parallel(struct ul_flag_use *u)
{
    if (u->number == 0)
        return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "there must be a slot; -1 is auto");
    u->s->n_parallel = u->number < 0 ? -1 : u->number;
    return ULLAGE_OK;
}

int ul_set_rerank(struct ul_flag_use *u)
{
    u->s->embedding = true;
    u->s->pooling = 4; /* LLAMA_POOLING_TYPE_RANK */
    return ULLAGE_OK;
}

/* The three flags that --load-mode replaced, as the version that still knew them mapped them
 * (common/arg.cpp of August 2026). Among them and -lm the last one counts. */
int ul_set_mlock(struct ul_flag_use *u)
{
    u->s->load_mode = UL_LOAD_MLOCK;
    return ULLAGE_OK;
}

int ul_set_mmap(struct ul_flag_use *u)
{
    u->s->load_mode = u->on ? UL_LOAD_MMAP : UL_LOAD_NONE;
    return ULLAGE_OK;
}

int ul_set_direct_io(struct ul_flag_use *u)
{
    u->s->load_mode = u->on ? UL_LOAD_DIO : UL_LOAD_NONE;
    return ULLAGE_OK;
}
