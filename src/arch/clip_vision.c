/* Programs of image encoders, one a family. Source: tools/mtmd/models, the file of that name. */
#include "arch/clip_build.h"

#include <stdio.h>

static int done(struct ul_clip_build *b, struct ul_tensor *x)
{
    ul_graph_expand(b->g, x);
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ siglip.cpp */

/* gemma3: patches are averaged in squares, and the matrix is stored the other way round. */
static struct ul_tensor *gemma3_head(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    int k = (int)b->c->n_merge;
    x = ulg_cont_4d(g, ulg_transpose(g, x), b->px, b->px, b->c->n_embd, 1);
    x = ulg_pool_2d(g, x, k, k, k, k, 0, 0);
    x = ulg_reshape_3d(g, x, x->ne[0] * x->ne[0], b->c->n_embd, 1);
    x = ulg_rms_norm(g, ulg_cont(g, ulg_transpose(g, x)));
    x = ulg_mul(g, x, ul_ct_needed(b, "mm.soft_emb_norm.weight"));
    struct ul_tensor *w = ul_ct_needed(b, "mm.input_projection.weight");
    return ulg_mul_mat(g, ulg_cont(g, ulg_transpose(g, w)), x);
}

static struct ul_tensor *lfm2_head(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_tensor *w = ul_ct(b, "mm.input_norm.weight");
    x = ul_clip_merge(b, x);
    if (w)
        x = ul_clip_norm(b, x, w, ul_ct(b, "mm.input_norm.bias"), false);
    return ul_clip_ffn(b, x, "mm.1", NULL, "mm.2", UL_CLIP_GELU);
}

static struct ul_tensor *siglip_head(struct ul_clip_build *b, struct ul_tensor *x)
{
    const char *type = b->c->row->name;
    if (strcmp(type, "gemma3") == 0)
        return gemma3_head(b, x);
    if (strcmp(type, "idefics3") == 0)
        return ul_clip_mm(b, ul_ct_needed(b, "mm.model.fc.weight"), ul_clip_merge(b, x));
    if (strcmp(type, "lfm2") == 0)
        return lfm2_head(b, x);
    if (strcmp(type, "janus_pro") == 0)
        return ul_clip_ffn(b, x, "mm.0", NULL, "mm.1", b->c->ffn);
    return ul_clip_ffn(b, x, "mm.0", NULL, "mm.2", UL_CLIP_GELU); /* phi4 */
}

int ul_clip_siglip(struct ul_clip_build *b)
{
    struct ul_tensor *x = ul_clip_patches(b);
    struct ul_vit v = {.n_pos = b->n, .learned = b->c->row->tokens_max || b->c->row->takes_pixels
                                           ? ul_clip_positions(b)
                                           : ul_ct_needed(b, "v.position_embd.weight")};
    return done(b, siglip_head(b, ul_clip_vit(b, x, &v)));
}

/* ------------------------------------------------------------------ llava.cpp */

/* The last layer is not run; granite's choice of layers is not modelled. */
int ul_clip_llava(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    struct ul_tensor *cls = ul_ct(b, "v.class_embd"), *x = ul_clip_patches(b);
    int64_t n_pos = b->n + (cls != NULL);
    if (ul_gguf_find(b->c->file, UL_STR("clip.vision.feature_layer")) || ul_ct(b, "mm.3.weight"))
        return ULLAGE_ERROR_UNKNOWN;
    if (cls)
        x = ulg_concat(g, x, cls, 1);
    struct ul_tensor *at = ul_clip_input(b, UL_I32, n_pos, 1);
    x = ulg_add(g, x, ulg_get_rows(g, ul_ct_needed(b, "v.position_embd.weight"), at));
    struct ul_vit v = {.n_pos = n_pos, .plain = true, .layers = (int)b->c->n_layer - 1};
    x = ul_clip_vit(b, x, &v);
    x = ulg_reshape_2d(g, x, x->ne[0], x->ne[1]);
    x = ulg_get_rows(g, x, ul_clip_input(b, UL_I32, b->n, 1));
    if (ul_ct(b, "mm.2.weight"))
        return done(b, ul_clip_ffn(b, x, "mm.0", NULL, "mm.2", UL_CLIP_GELU));
    return done(b, ul_clip_ffn(b, x, "mm.0", NULL, NULL, UL_CLIP_GELU));
}

/* ------------------------------------------------------------------ qwen2vl.cpp, qwen3vl.cpp */

/* Two frames of an image, one after the other. */
static struct ul_tensor *two_frames(struct ul_clip_build *b)
{
    struct ul_tensor *raw = ul_clip_raw(b, 3), *x = ul_clip_conv(b, "v.patch_embd.weight", raw);
    return ulg_add(b->g, x, ul_clip_conv(b, "v.patch_embd.weight.1", raw));
}

/* Rows of patches become rows of squares of four. */
static struct ul_tensor *by_squares(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    int64_t n = b->c->n_embd;
    x = ulg_cont_4d(g, x, n * 2, b->px / 2, b->py, 1);
    x = ulg_permute(g, ulg_reshape_4d(g, x, n * 2, b->px / 2, 2, b->py / 2), 0, 2, 1, 3);
    return ulg_cont_3d(g, x, n, b->n, 1);
}

/* Rows of four patches in the order of windows, or back. */
static struct ul_tensor *reorder(struct ul_clip_build *b, struct ul_tensor *x, int64_t width,
                                 int64_t out)
{
    struct ul_graph *g = b->g;
    struct ul_tensor *ids = ul_clip_input(b, UL_I32, b->n / 4, 1);
    x = ulg_get_rows(g, ulg_reshape_2d(g, x, width, b->n / 4), ids);
    return ulg_reshape_3d(g, x, out, width * (b->n / 4) / out, 1);
}

int ul_clip_qwen2vl(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t n = b->c->n_embd;
    struct ul_tensor *x = by_squares(b, ulg_permute(g, two_frames(b), 1, 2, 0, 3));
    struct ul_vit v = {.n_pos = b->n, .plain = true,
                       .rms = strcmp(b->c->row->name, "qwen2vl_merger") != 0,
                       .rotate = ul_clip_mrope, .pos_a = ul_clip_input(b, UL_I32, b->n * 4, 1)};
    if (b->c->n_window) {
        /* newer than the source that was read: of the type that attention takes */
        v.mask = ul_clip_input(b, b->flash ? UL_F16 : UL_F32, b->n, b->n);
        x = reorder(b, x, n * 4, n);
    }
    x = ul_clip_vit(b, x, &v);
    x = ulg_reshape_3d(g, x, n * 4, b->n / 4, 1);
    x = ul_clip_ffn(b, x, "mm.0", NULL, "mm.2", UL_CLIP_GELU);
    if (b->c->n_window)
        x = reorder(b, x, b->c->n_out, b->c->n_out);
    return done(b, x);
}

/* The features of some layers go along, one behind the other. */
struct deep {
    struct ul_tensor *features;
};

static void deepstack(struct ul_clip_build *b, struct ul_tensor *x, int il, void *ctx)
{
    struct ul_graph *g = b->g;
    struct deep *d = ctx;
    int64_t f = (int64_t)b->c->n_merge * b->c->n_merge;
    char name[4][40];
    static const char *const parts[] = {"norm.weight", "norm.bias", "fc1", "fc2"};
    for (int i = 0; i < 4; i++)
        snprintf(name[i], sizeof name[i], "v.deepstack.%d.%s", il, parts[i]);
    struct ul_tensor *w = ul_ct(b, name[0]);
    if (!w)
        return;
    x = ulg_reshape_3d(g, x, b->c->n_embd * f, b->n / f, 1);
    x = ul_clip_norm(b, x, w, ul_ct(b, name[1]), false);
    x = ul_clip_ffn(b, x, name[2], NULL, name[3], UL_CLIP_GELU);
    d->features = d->features ? ulg_concat(g, d->features, x, 0) : x;
}

int ul_clip_qwen3vl(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    struct deep d = {NULL};
    struct ul_tensor *x = by_squares(b, ulg_permute(g, two_frames(b), 1, 2, 0, 3));
    x = ulg_add(g, x, ul_ct_needed(b, "v.patch_embd.bias"));
    x = ulg_add(g, x, by_squares(b, ul_clip_positions(b)));
    struct ul_vit v = {.n_pos = b->n, .plain = true, .rotate = ul_clip_mrope,
                       .pos_a = ul_clip_input(b, UL_I32, b->n * 4, 1), .layer_out = deepstack,
                       .ctx = &d};
    x = ul_clip_vit(b, x, &v);
    x = ulg_reshape_3d(g, x, (int64_t)b->c->n_embd * 4, b->n / 4, 1);
    x = ul_clip_ffn(b, x, "mm.0", NULL, "mm.2", UL_CLIP_GELU);
    return done(b, d.features ? ulg_concat(g, x, d.features, 0) : x);
}

/* ------------------------------------------------------------------ glm4v.cpp */

int ul_clip_glm4v(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t n = b->c->n_embd, m = b->c->n_merge, out = b->n / m / m;
    struct ul_window w = {.s = (int)m, .d = 1};
    struct ul_tensor *x = by_squares(b, ulg_permute(g, two_frames(b), 1, 2, 0, 3));
    x = ulg_add(g, x, ul_ct_needed(b, "v.patch_embd.bias"));
    x = ul_clip_norm(b, x, ul_ct(b, "v.norm_embd.weight"), ul_ct(b, "v.norm_embd.bias"), true);
    struct ul_vit v = {.n_pos = b->n, .rms = true, .rotate = ul_clip_mrope,
                       .pos_a = ul_clip_input(b, UL_I32, b->n * 4, 1)};
    if (ul_ct(b, "v.position_embd.weight"))
        v.learned = by_squares(b, ul_clip_positions(b));
    x = ul_clip_vit(b, x, &v);
    x = ulg_permute(g, ulg_reshape_4d(g, x, n, m, m, out), 2, 0, 1, 3);
    x = ulg_conv_2d(g, ul_ct_needed(b, "mm.patch_merger.weight"), ulg_cont(g, x), w, w);
    x = ulg_add(g, ulg_reshape_2d(g, x, x->ne[2], out), ul_ct_needed(b, "mm.patch_merger.bias"));
    x = ul_clip_mm(b, ul_ct_needed(b, "mm.model.fc.weight"), x);
    x = ul_clip_norm(b, x, ul_ct_needed(b, "mm.post_norm.weight"), ul_ct(b, "mm.post_norm.bias"),
                     false);
    return done(b, ul_clip_ffn(b, ulg_gelu_erf(g, x), "mm.up", "mm.gate", "mm.down", b->c->ffn));
}

/* ------------------------------------------------------------------ pixtral.cpp */

/* Mistral's later models join four patches. The kernel stands for its shape alone. */
static struct ul_tensor *merge_patches(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    int64_t m = b->c->n_merge;
    struct ul_window w = {.s = (int)m, .d = 1};
    x = ulg_mul(g, ulg_rms_norm(g, x), ul_ct_needed(b, "mm.input_norm.weight"));
    x = ulg_reshape_3d(g, x, b->c->n_embd, b->px, b->py);
    x = ulg_cont(g, ulg_permute(g, x, 2, 0, 1, 3));
    struct ul_tensor *kernel = ulg_view_3d(g, x, m, m, x->ne[2], 0, 0, 0);
    x = ulg_im2col(g, kernel, x, w, w, true, UL_F32);
    x = ulg_reshape_2d(g, x, x->ne[0], x->ne[1] * x->ne[2]);
    return ul_clip_mm(b, ul_ct_needed(b, "mm.patch_merger.weight"), x);
}

/* A row of patches ends in a token of its own; what is behind the last row is cut off. */
static struct ul_tensor *break_rows(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    int64_t w = b->px / b->c->n_merge, h = b->py / b->c->n_merge, n = x->ne[0];
    struct ul_tensor *rows = ulg_reshape_3d(g, x, n, w, h);
    struct ul_tensor *end = ulg_scale(g, ulg_new_3d(g, rows->type, n, 1, h));
    end = ulg_add(g, end, ul_ct_needed(b, "v.token_embd.img_break"));
    rows = ulg_concat(g, rows, end, 1);
    return ulg_view_2d(g, rows, n, w * h + h - 1, ul_row_bytes(rows->type, (uint64_t)n), 0);
}

int ul_clip_pixtral(struct ul_clip_build *b)
{
    struct ul_vit v = {.n_pos = b->n, .rms = true, .rotate = ul_clip_rope_2d,
                       .pos_a = ul_clip_input(b, UL_I32, b->n, 1),
                       .pos_b = ul_clip_input(b, UL_I32, b->n, 1)};
    struct ul_tensor *x = ul_clip_vit(b, ul_clip_patches(b), &v);
    if (ul_ct(b, "mm.patch_merger.weight"))
        x = merge_patches(b, x);
    x = ul_clip_ffn(b, x, "mm.1", NULL, "mm.2", UL_CLIP_GELU);
    return done(b, ul_ct(b, "v.token_embd.img_break") ? break_rows(b, x) : x);
}

/* ------------------------------------------------------------------ internvl.cpp, llama4.cpp */

int ul_clip_internvl(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t n = b->c->n_embd, f = b->c->n_merge;
    struct ul_tensor *x = ul_clip_patches(b), *cls = ul_ct_needed(b, "v.class_embd");
    x = ulg_concat(g, x, ulg_repeat_4d(g, cls, cls->ne[0], 1, 1, 1), 1);
    struct ul_vit v = {.n_pos = b->n + 1, .rms = n == 3200 && b->c->n_layer == 45,
                       .learned = ul_ct_needed(b, "v.position_embd.weight")};
    x = ul_clip_vit(b, x, &v);
    x = ulg_cont(g, ulg_view_3d(g, x, n, b->n, 1, x->nb[1], x->nb[2], 0));
    x = ulg_permute(g, ulg_reshape_4d(g, x, n * f, b->py / f, b->px, 1), 0, 2, 1, 3);
    x = ulg_permute(g, ulg_cont_4d(g, x, n * f * f, b->py / f, b->px / f, 1), 0, 2, 1, 3);
    x = ulg_cont_3d(g, x, n * f * f, x->ne[1] * x->ne[2], x->ne[3]);
    x = ul_clip_norm(b, x, ul_ct_needed(b, "mm.model.mlp.0.weight"),
                     ul_ct(b, "mm.model.mlp.0.bias"),
                     false);
    return done(b, ul_clip_ffn(b, x, "mm.model.mlp.1", NULL, "mm.model.mlp.3", UL_CLIP_GELU));
}

int ul_clip_llama4(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t n = b->c->n_embd, f = b->c->n_merge, p = b->c->patch;
    struct ul_window w = {.s = (int)p, .d = 1};
    struct ul_vit v = {.n_pos = b->n + 1, .rotate = ul_clip_rope_2d,
                       .pos_b = ul_clip_input(b, UL_I32, b->n + 1, 1),
                       .pos_a = ul_clip_input(b, UL_I32, b->n + 1, 1),
                       .learned = ul_ct_needed(b, "v.position_embd.weight")};
    struct ul_tensor *kernel = ul_ct_needed(b, "v.patch_embd.weight");
    struct ul_tensor *x = ulg_im2col(g, ulg_reshape_4d(g, kernel, p, p, 3, n),
                                     ul_clip_raw(b, 3), w, w,
                                     true, UL_F32);
    x = ulg_reshape_2d(g, ul_clip_mm(b, kernel, x), n, b->n);
    x = ul_clip_vit(b, ulg_concat(g, x, ul_ct_needed(b, "v.class_embd"), 1), &v);
    x = ulg_view_2d(g, x, n, b->n, ul_row_bytes(x->type, (uint64_t)n), 0);
    x = ulg_permute(g, ulg_reshape_4d(g, x, n * f, b->px / f, b->py, 1), 0, 2, 1, 3);
    x = ulg_cont_4d(g, x, n * f * f, b->px / f, b->py / f, 1);
    x = ulg_cont_2d(g, x, n * f * f, b->n / f / f);
    x = ulg_gelu(g, ul_clip_mm(b, ul_ct_needed(b, "mm.model.mlp.1.weight"), x));
    x = ulg_gelu(g, ul_clip_mm(b, ul_ct_needed(b, "mm.model.mlp.2.weight"), x));
    return done(b, ul_clip_mm(b, ul_ct_needed(b, "mm.model.fc.weight"), x));
}

/* ------------------------------------------------------------------ minicpmv.cpp */

/* The resampler: a fixed number of queries attends to all patches. */
static struct ul_tensor *resample(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    struct ul_tensor *q = ul_ct_needed(b, "resampler.query");
    int64_t n = q->ne[0], head = 128, heads = n / head;
    struct ul_tensor *omega = ul_clip_input(b, UL_F32, n / 4, 1);
    struct ul_tensor *pos_h = ul_clip_input(b, UL_F32, 1, b->n);
    struct ul_tensor *pos_w = ul_clip_input(b, UL_F32, 1, b->n);
    struct ul_tensor *v = ul_clip_mm(b, ul_ct_needed(b, "resampler.kv.weight"), x);
    q = ul_clip_norm(b, q, ul_ct_needed(b, "resampler.ln_q.weight"),
                     ul_ct(b, "resampler.ln_q.bias"), false);
    v = ul_clip_norm(b, v, ul_ct_needed(b, "resampler.ln_kv.weight"),
                     ul_ct(b, "resampler.ln_kv.bias"), false);
    struct ul_tensor *rep = ulg_repeat_4d(g, omega, omega->ne[0], b->n, 1, 1);
    struct ul_tensor *tx = ulg_mul(g, rep, pos_w), *ty = ulg_mul(g, rep, pos_h);
    tx = ulg_concat(g, ulg_sin(g, tx), ulg_cos(g, tx), 0);
    ty = ulg_concat(g, ulg_sin(g, ty), ulg_cos(g, ty), 0);
    struct ul_tensor *k = ulg_add(g, v, ulg_concat(g, tx, ty, 0));
    q = ul_clip_linear(b, q, "resampler.attn.q");
    k = ul_clip_linear(b, k, "resampler.attn.k");
    v = ul_clip_linear(b, v, "resampler.attn.v");
    q = ulg_reshape_3d(g, q, head, heads, b->c->n_query);
    k = ulg_reshape_3d(g, k, head, heads, b->n);
    v = ulg_reshape_3d(g, v, head, heads, b->n);
    return ul_clip_attn(b, ul_ct_needed(b, "resampler.attn.out.weight"),
                        ul_ct(b, "resampler.attn.out.bias"), q, k, v, NULL);
}

int ul_clip_minicpmv(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    struct ul_tensor *table = ul_ct_needed(b, "v.position_embd.weight");
    struct ul_vit v = {.n_pos = b->n, .learned = ulg_get_rows(g, table,
                                                               ul_clip_input(b, UL_I32, b->n, 1))};
    struct ul_tensor *x = resample(b, ul_clip_vit(b, ul_clip_patches(b), &v));
    x = ul_clip_norm(b, x, ul_ct_needed(b, "resampler.ln_post.weight"),
                     ul_ct(b, "resampler.ln_post.bias"), false);
    return done(b, ul_clip_mm(b, ul_ct_needed(b, "resampler.proj.weight"), x));
}

/* ------------------------------------------------------------------ kimivl.cpp, kimik25.cpp */

/* Merged, normed patch by patch, and projected. */
static int kimi_end(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    int64_t n = b->c->n_embd, f = b->c->n_merge;
    x = ul_clip_merge(b, x);
    int64_t wide = x->ne[0];
    x = ulg_view_2d(g, x, n, x->ne[1] * f * f, ul_row_bytes(x->type, (uint64_t)n), 0);
    x = ul_clip_norm(b, x, ul_ct_needed(b, "mm.input_norm.weight"),
                     ul_ct_needed(b, "mm.input_norm.bias"), false);
    x = ulg_view_2d(g, x, wide, x->ne[1] / f / f, ul_row_bytes(x->type, (uint64_t)wide), 0);
    return done(b, ul_clip_ffn(b, x, "mm.1", NULL, "mm.2", UL_CLIP_GELU));
}

int ul_clip_kimivl(struct ul_clip_build *b)
{
    struct ul_vit v = {.n_pos = b->n, .rotate = ul_clip_rope_2d, .learned = ul_clip_positions(b),
                       .pos_a = ul_clip_input(b, UL_I32, b->n, 1),
                       .pos_b = ul_clip_input(b, UL_I32, b->n, 1)};
    return kimi_end(b, ul_clip_vit(b, ul_clip_patches(b), &v));
}

/* Kimi K2.5 keeps its positions as a plane. */
int ul_clip_kimik25(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t n = b->c->n_embd;
    struct ul_vit v = {.n_pos = b->n, .rotate = ul_clip_rope_2d,
                       .pos_a = ul_clip_input(b, UL_I32, b->n, 1),
                       .pos_b = ul_clip_input(b, UL_I32, b->n, 1)};
    struct ul_tensor *at = ul_ct_needed(b, "v.position_embd.weight");
    if (at->ne[1] != b->px || at->ne[2] != b->py) {
        at = ulg_interpolate(g, ulg_permute(g, at, 2, 1, 0, 3), b->py, b->px, n, 1);
        at = ulg_permute(g, at, 2, 1, 0, 3);
    }
    at = ulg_cont_2d(g, at, n, b->n);
    return kimi_end(b, ul_clip_vit(b, ulg_add(g, ul_clip_patches(b), at), &v));
}

/* ------------------------------------------------------------------ paddleocr.cpp, dotsocr.cpp */

int ul_clip_paddleocr(struct ul_clip_build *b)
{
    struct ul_vit v = {.n_pos = b->n, .rotate = ul_clip_mrope, .learned = ul_clip_positions(b),
                       .pos_a = ul_clip_input(b, UL_I32, b->n * 4, 1)};
    struct ul_tensor *x = ul_clip_vit(b, ul_clip_patches(b), &v);
    x = ul_clip_norm(b, x, ul_ct_needed(b, "mm.input_norm.weight"),
                     ul_ct_needed(b, "mm.input_norm.bias"), false);
    return done(b, ul_clip_ffn(b, ul_clip_merge(b, x), "mm.1", NULL, "mm.2", b->c->ffn));
}

int ul_clip_dotsocr(struct ul_clip_build *b)
{
    struct ul_vit v = {.n_pos = b->n, .rms = true, .plain = true, .rotate = ul_clip_mrope,
                       .pos_a = ul_clip_input(b, UL_I32, b->n * 4, 1)};
    struct ul_tensor *x = ul_clip_vit(b, ul_clip_patches(b), &v);
    x = ul_clip_norm(b, x, ul_ct_needed(b, "mm.post_norm.weight"), NULL, true);
    x = ulg_reshape_3d(b->g, x, b->c->n_embd, b->n, 1);
    x = ul_clip_norm(b, x, ul_ct_needed(b, "mm.input_norm.weight"),
                     ul_ct_needed(b, "mm.input_norm.bias"), false);
    return done(b, ul_clip_ffn(b, ul_clip_merge(b, x), "mm.0", NULL, "mm.2", UL_CLIP_GELU_ERF));
}

/* ------------------------------------------------------------------ gemma4v.cpp */

int ul_clip_gemma4v(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t n = b->c->n_embd;
    int k = (int)b->c->n_merge;
    struct ul_tensor *raw = ulg_scale(g, ul_clip_raw(b, 3));
    struct ul_tensor *x = ul_clip_conv(b, "v.patch_embd.weight", raw);
    x = ulg_cont(g, ulg_transpose(g, ulg_reshape_3d(g, x, b->n, n, 1)));
    struct ul_vit v = {.n_pos = b->n, .rms = true, .rotate = ul_clip_rope_neox_2d,
                       .pos_a = ul_clip_input(b, UL_I32, b->n, 1),
                       .pos_b = ul_clip_input(b, UL_I32, b->n, 1)};
    struct ul_tensor *table = ul_ct_needed(b, "v.position_embd.weight");
    uint64_t row = ul_row_bytes(table->type, (uint64_t)n);
    uint64_t half = ul_mul(row, (uint64_t)table->ne[1]);
    x = ulg_add(g, x, ulg_get_rows(g, ulg_view_2d(g, table, n, table->ne[1], row, 0), v.pos_a));
    x = ulg_add(g, x, ulg_get_rows(g, ulg_view_2d(g, table, n, table->ne[1], row, half), v.pos_b));
    x = ul_clip_vit(b, x, &v);
    x = ulg_pool_2d(g, ulg_cont_4d(g, ulg_transpose(g, x), b->px, b->py, n, 1), k, k, k, k, 0, 0);
    x = ulg_reshape_3d(g, x, (b->px / k) * (b->py / k), n, 1);
    x = ulg_scale(g, ulg_cont(g, ulg_transpose(g, x)));
    if (ul_ct(b, "v.std_bias") && ul_ct(b, "v.std_scale"))
        x = ulg_mul(g, ulg_sub(g, x, ul_ct(b, "v.std_bias")), ul_ct(b, "v.std_scale"));
    return done(b, ul_clip_mm(b, ul_ct_needed(b, "mm.input_projection.weight"),
                              ulg_rms_norm(g, x)));
}
