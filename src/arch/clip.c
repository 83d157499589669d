/* A projector's header becomes its encoders: sizes from keys, and which tensors each loads. The
 * engine asks for tensors by name, so what nobody asks for stays in the file. Source:
 * tools/mtmd/clip.cpp, clip_model_loader::load_hparams, load_tensors. */
#include "arch/clip_build.h"

#include <math.h>
#include <stdio.h>

const struct ul_clip_row *ul_clip_row_find(struct ul_str name)
{
    for (const struct ul_clip_row *r = ul_clip_rows; r->name; r++)
        if (ul_str_is(name, r->name))
            return r;
    return NULL;
}

/* ------------------------------------------------------------------ keys */

static const struct ul_gguf_kv *find(const struct ul_clip *c, const char *name)
{
    char key[96];
    snprintf(key, sizeof key, "clip.%s.%s", c->audio ? "audio" : "vision", name);
    return ul_gguf_find(c->file, ul_cstr(key));
}

static bool u32(const struct ul_clip *c, const char *name, uint32_t *out)
{
    const struct ul_gguf_kv *kv = find(c, name);
    if (!kv || kv->type != UL_GGUF_U32)
        return false;
    *out = (uint32_t)kv->v.u;
    return true;
}

static bool flag(const struct ul_gguf *g, const char *key)
{
    const struct ul_gguf_kv *kv = ul_gguf_find(g, ul_cstr(key));
    return kv && kv->type == UL_GGUF_BOOL && kv->v.u;
}

static struct ul_str word(const struct ul_gguf *g, const char *key)
{
    const struct ul_gguf_kv *kv = ul_gguf_find(g, ul_cstr(key));
    return kv && kv->type == UL_GGUF_STRING ? kv->v.s : (struct ul_str){0};
}

/* The engine refuses what lies outside of these; a graph of sizes beyond them would be absurd. */
#define MOST_SIDE 8192
#define MOST_PATCH 65535
#define MOST_WIDTH (1u << 20)
#define MOST_LAYERS 1024

static int check(const struct ul_clip *c, ullage_error *err)
{
    const struct {
        const char *name;
        uint32_t value, least, most;
    } bounds[] = {{"embedding_length", c->n_embd, 1, MOST_WIDTH},
                  {"block_count", c->n_layer, 0, MOST_LAYERS},
                  {"image_size", c->image, 0, MOST_SIDE},
                  {"patch_size", c->patch, 1, MOST_PATCH},
                  {"attention.head_count", c->n_head, 0, MOST_WIDTH},
                  {"num_mel_bins", c->n_mel, c->audio, 8192},
                  {"the number of patches that become one", c->n_merge, 1, MOST_PATCH}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (bounds[i].value < bounds[i].least || bounds[i].value > bounds[i].most)
            return ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                           "the projector's %s is %u, not from %u to %u", bounds[i].name,
                           bounds[i].value, bounds[i].least, bounds[i].most);
    return ULLAGE_OK;
}

static uint32_t side(uint64_t pixels)
{
    return (uint32_t)ul_min((uint64_t)sqrt((double)pixels), MOST_SIDE);
}

/* set_limit_image_tokens and set_warmup_n_tokens; images of a free size are rounded to whole merged
 * patches. */
static void size_images(struct ul_clip *c, int max_tokens)
{
    const struct ul_clip_row *r = c->row;
    uint64_t cell = (uint64_t)c->patch * c->n_merge, area = cell * cell, most = 0;
    uint32_t pixels = 0;
    c->warm = c->largest = c->image;
    if (r->tokens_max)
        most = ul_mul(max_tokens > 0 ? (uint64_t)max_tokens : r->tokens_max, area);
    if (r->takes_pixels && u32(c, "image_max_pixels", &pixels))
        most = pixels;
    if (most)
        c->warm = c->largest = side(most);
    uint64_t warm = r->warm_tokens;
    if (max_tokens > 0) /* as 0.7.0 does; its source says that the limit does not count here */
        warm = ul_min(warm, (uint64_t)max_tokens);
    if (warm)
        c->warm = (uint32_t)ul_min(side(warm) * cell, MOST_SIDE);
    if (most)
        c->largest = (uint32_t)ul_max(c->largest / cell * cell, c->warm);
}

static void read_sizes(struct ul_clip *c, int max_tokens)
{
    const struct ul_clip_row *r = c->row;
    u32(c, "embedding_length", &c->n_embd);
    u32(c, "feed_forward_length", &c->n_ff);
    u32(c, "block_count", &c->n_layer);
    u32(c, "attention.head_count", &c->n_head);
    u32(c, "projection_dim", &c->n_out);
    u32(c, "attention.head_dim", &c->n_embd_head);
    c->n_head_kv = c->n_head;
    u32(c, "attention.head_count_kv", &c->n_head_kv);
    c->n_merge = c->patch = 1;
    c->ffn = flag(c->file, "clip.use_gelu") ? UL_CLIP_GELU
             : flag(c->file, "clip.use_silu") ? UL_CLIP_SILU : UL_CLIP_GELU_QUICK;
    if (r && r->ffn != UL_CLIP_FFN_OF_FILE)
        c->ffn = (enum ul_clip_ffn)r->ffn;
    if (c->audio) {
        u32(c, "num_mel_bins", &c->n_mel);
        u32(c, "projector.stack_factor", &c->n_stack);
        c->warm = c->largest = 3000; /* frames: half a minute (clip_hparams::warmup_audio_size) */
        return;
    }
    u32(c, "image_size", &c->image);
    u32(c, "patch_size", &c->patch);
    u32(c, "n_wa_pattern", &c->n_window);
    c->n_query = 64;
    const struct ul_gguf_kv *q = ul_gguf_find(c->file, UL_STR("clip.minicpmv_query_num"));
    if (q && q->type == UL_GGUF_U32 && q->v.u)
        c->n_query = (uint32_t)q->v.u;
    if (!r)
        return;
    c->n_merge = r->merge ? r->merge : 1;
    if (r->merge_key)
        u32(c, r->merge_key, &c->n_merge);
    if (c->patch && c->n_merge)
        size_images(c, max_tokens);
}

/* ------------------------------------------------------------------ tensors */

/* What every encoder asks for, by its prefix where there is a %; the rest by these very names, in
 * an audio encoder too. */
static const char *const common[] = {
    "v.class_embd", "%.pre_ln.weight", "%.pre_ln.bias", "%.post_ln.weight", "%.post_ln.bias",
    "v.patch_embd.bias", "v.patch_embd.weight", "v.patch_embd.weight.1", "v.norm_embd.weight",
    "v.norm_embd.bias", "%.position_embd.weight", NULL};
static const char *const of_layer[] = {
    "attn_k.weight", "attn_q.weight", "attn_v.weight", "attn_out.weight", "attn_qkv.weight",
    "attn_k_norm.weight", "attn_q_norm.weight", "ln1.weight", "ln2.weight", "ls1.weight",
    "ls2.weight", "out_scale.weight", "attn_post_norm.weight", "ffn_post_norm.weight",
    "attn_k.bias", "attn_q.bias",
    "attn_v.bias", "attn_out.bias", "attn_qkv.bias", "ln1.bias", "ln2.bias", "ffn_gate_inp.weight",
    "ffn_gate_exps.weight", "ffn_up_exps.weight", "ffn_down_exps.weight", "exp_probs_b.weight",
    "ffn_up.weight", "ffn_up.bias", "ffn_gate.weight", "ffn_gate.bias", "ffn_down.weight",
    "ffn_down.bias", "attn_sinks", NULL};
static const char *const of_deepstack[] = {"norm.weight", "norm.bias", "fc1.weight", "fc1.bias",
                                           "fc2.weight", "fc2.bias", NULL};

/* A pattern with one '*' at most, and '%' for the prefix's letter. */
static bool matches(struct ul_str name, const char *pattern, char prefix)
{
    size_t i = 0, n = strlen(pattern);
    for (; i < name.n && i < n && pattern[i] != '*'; i++)
        if (name.p[i] != (pattern[i] == '%' ? prefix : pattern[i]))
            return false;
    if (i < n && pattern[i] == '*') {
        size_t rest = n - i - 1;
        return name.n - i >= rest && memcmp(name.p + name.n - rest, pattern + i + 1, rest) == 0;
    }
    return i == name.n && i == n;
}

static bool any(struct ul_str name, const char *const *patterns, char prefix)
{
    for (; patterns && *patterns; patterns++)
        if (matches(name, *patterns, prefix))
            return true;
    return false;
}

/* "v.blk.7.ln1.weight" of a layer that there is. */
static bool numbered(const struct ul_clip *c, struct ul_str name, const char *before,
                     const char *const *parts)
{
    size_t n = strlen(before);
    uint64_t il = 0;
    if (name.n <= n || memcmp(name.p, before, n) != 0)
        return false;
    const char *p = name.p + n, *end = name.p + name.n;
    for (; p < end && *p >= '0' && *p <= '9' && il < MOST_LAYERS; p++)
        il = il * 10 + (uint64_t)(*p - '0');
    if (p >= end || *p != '.' || il >= c->n_layer)
        return false;
    return any((struct ul_str){p + 1, (size_t)(end - p - 1)}, parts, 0);
}

static bool asks_for(const struct ul_clip *c, struct ul_str name)
{
    char prefix = c->audio ? 'a' : 'v';
    return any(name, common, prefix)
        || numbered(c, name, c->audio ? "a.blk." : "v.blk.", of_layer)
        || numbered(c, name, "v.deepstack.", of_deepstack)
        || any(name, c->row->tensors, prefix);
}

/* Without a list of names: by what the names begin with. */
static bool may_ask_for(const struct ul_clip *c, struct ul_str name)
{
    bool sound = ul_str_starts(name, "a.") || ul_str_starts(name, "mm.a.");
    return sound == c->audio;
}

static void mark_tensors(struct ul_clip *c, struct ul_arena *a)
{
    bool listed = c->row && c->row->tensors;
    c->loads = UL_NEWS(a, bool, c->file->n_tensors + 1);
    for (size_t i = 0; i < c->file->n_tensors; i++) {
        struct ul_str name = c->file->tensors[i].name;
        c->loads[i] = listed ? asks_for(c, name) : may_ask_for(c, name);
    }
}

/* ------------------------------------------------------------------ encoders */

static int load(struct ul_clip *c, const struct ul_gguf *g, bool audio, int max_tokens,
                struct ul_arena *a, ullage_error *err)
{
    *c = (struct ul_clip){.file = g, .audio = audio, .type = word(g, "clip.projector_type")};
    if (c->type.n == 0)
        c->type = word(g, audio ? "clip.audio.projector_type" : "clip.vision.projector_type");
    c->row = ul_clip_row_find(c->type);
    if (c->row && c->row->as_vision)
        c->row = ul_clip_row_find(ul_cstr(audio ? c->row->as_audio : c->row->as_vision));
    read_sizes(c, max_tokens);
    int code = check(c, err);
    if (!code)
        mark_tensors(c, a);
    return code;
}

int ul_clip_load(struct ul_clip out[2], int *n, const struct ul_gguf *g, int min_tokens,
                 int max_tokens, struct ul_arena *a, ullage_error *err)
{
    (void)min_tokens; /* images of few tokens take less than those planned for */
    *n = 0;
    for (int audio = 0; audio < 2; audio++) {
        if (!flag(g, audio ? "clip.has_audio_encoder" : "clip.has_vision_encoder"))
            continue;
        if (audio && *n && out[0].type.n && ul_str_is(out[0].type, "gemma3nv"))
            continue; /* the engine has no use for that file's sounds yet */
        int code = load(&out[*n], g, audio, max_tokens, a, err);
        if (code)
            return code;
        ++*n;
    }
    if (*n == 0)
        return ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                       "the projector's file names no encoder (clip.has_vision_encoder)");
    return ULLAGE_OK;
}

int ul_clip_graph(const struct ul_clip *c, struct ul_graph *g, uint32_t nx, uint32_t ny, int place,
                  bool flash_attn, ullage_error *err)
{
    struct ul_clip_build b = {.c = c, .g = g, .place = place, .flash = flash_attn, .nx = nx,
                              .ny = ny,
                              .px = nx / c->patch, .py = ny / c->patch};
    b.n = b.px * b.py;
    b.head = c->n_embd_head ? c->n_embd_head : c->n_head ? c->n_embd / c->n_head : 0;
    b.tensor = UL_NEWS(g->arena, struct ul_tensor *, c->file->n_tensors + 1);
    if (!c->row || !c->row->build)
        return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                       "the graph of projectors of type %.*s is not known",
                       (int)ul_min(c->type.n, 40), c->type.p ? c->type.p : "");
    if (b.head <= 0 || (!c->audio && b.n <= 0))
        return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                       "projector %s: an image of %ux%u has no patches, or there are no heads",
                       c->row->name, (unsigned)nx, (unsigned)ny);
    ul_graph_clear(g);
    int code = c->row->build(&b);
    if (code || g->bad)
        return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                       "projector %s: tensor shapes do not fit together (%s)", c->row->name,
                       g->bad ? g->bad : "a tensor is missing");
    return ULLAGE_OK;
}
