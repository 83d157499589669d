/* Programs of sound encoders. Source: tools/mtmd/models/whisper-enc.cpp, qwen3a.cpp. */
#include "arch/clip_build.h"

#include <stdio.h>

/* ggml_conv_1d_ph over three frames, with its bias and activation. */
static struct ul_tensor *convolve(struct ul_clip_build *b, struct ul_tensor *x, int i, int stride)
{
    char w[32], bias[32];
    snprintf(w, sizeof w, "a.conv1d.%d.weight", i);
    snprintf(bias, sizeof bias, "a.conv1d.%d.bias", i);
    struct ul_tensor *kernel = ul_ct_needed(b, w);
    x = ulg_conv_1d(b->g, kernel, x,
                    (struct ul_window){.s = stride, .p = (int)(kernel->ne[0] / 2), .d = 1});
    return ulg_gelu_erf(b->g, ulg_add(b->g, x, ul_ct_needed(b, bias)));
}

/* build_stack: several frames become one, the last padded. */
static struct ul_tensor *stack(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    int64_t n = ul_tensor_elements(x), stride = (int64_t)b->c->n_embd * b->c->n_stack;
    if (b->c->n_stack <= 1)
        return x;
    int64_t padded = (n + stride - 1) / stride * stride;
    if (padded > n)
        x = ulg_pad(g, ulg_view_1d(g, x, n, 0), padded - n, 0, 0, 0);
    return ulg_view_2d(g, x, stride, padded / stride, ul_row_bytes(x->type, (uint64_t)stride), 0);
}

static struct ul_tensor *ultravox(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    x = ulg_mul(g, ulg_rms_norm(g, x), ul_ct_needed(b, "mm.a.norm_pre.weight"));
    x = ulg_swiglu(g, ul_clip_mm(b, ul_ct_needed(b, "mm.a.mlp.1.weight"), x));
    x = ulg_mul(g, ulg_rms_norm(g, x), ul_ct_needed(b, "mm.a.norm_mid.weight"));
    return ul_clip_mm(b, ul_ct_needed(b, "mm.a.mlp.2.weight"), x);
}

/* The projectors behind Whisper's encoder. */
static struct ul_tensor *whisper_head(struct ul_clip_build *b, struct ul_tensor *x)
{
    const char *type = b->c->row->name;
    if (strcmp(type, "ultravox") == 0)
        return ultravox(b, x);
    if (strcmp(type, "qwen2a") == 0)
        return ul_clip_linear(b, x, "mm.a.fc");
    return ul_clip_ffn(b, x, "mm.a.mlp.1", NULL, "mm.a.mlp.2", UL_CLIP_GELU_ERF);
}

int ul_clip_whisper(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t n_pos = b->nx / 2;
    struct ul_tensor *x = convolve(b, convolve(b, ul_clip_raw(b, 1), 1, 1), 2, 2);
    x = ulg_cont(g, ulg_transpose(g, x));
    struct ul_tensor *at = ul_ct_needed(b, "a.position_embd.weight");
    struct ul_vit v = {.n_pos = n_pos,
                       .learned = ulg_view_2d(g, at, at->ne[0], n_pos, at->nb[1], 0)};
    x = ul_clip_vit(b, x, &v);
    if (b->c->row->stacks)
        x = stack(b, x);
    ul_graph_expand(g, whisper_head(b, x));
    return ULLAGE_OK;
}

/* One of three convolutions over frames and frequencies, which halve both. */
static struct ul_tensor *convolve_2d(struct ul_clip_build *b, struct ul_tensor *x, int i)
{
    char w[32], bias[32];
    struct ul_window by2 = {.s = 2, .p = 1, .d = 1};
    snprintf(w, sizeof w, "a.conv2d.%d.weight", i);
    snprintf(bias, sizeof bias, "a.conv2d.%d.bias", i);
    struct ul_tensor *add = ul_ct(b, bias);
    x = ulg_conv_2d(b->g, ul_ct_needed(b, w), x, by2, by2);
    if (add)
        x = ulg_add(b->g, x, ulg_reshape_4d(b->g, add, 1, 1, x->ne[2], 1));
    return ulg_gelu_erf(b->g, x);
}

#define CHUNK 100 /* frames of a chunk, which has positions of its own */

int ul_clip_qwen3a(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t chunks = b->nx / CHUNK;
    struct ul_tensor *x = ul_clip_raw(b, 1);
    x = ulg_cont(g, ulg_view_4d(g, x, CHUNK, x->ne[1], 1, chunks, (uint64_t)b->nx * 4, CHUNK * 4,
                                CHUNK * 4, 0));
    for (int i = 1; i <= 3; i++)
        x = convolve_2d(b, x, i);
    x = ulg_cont(g, ulg_permute(g, x, 2, 0, 1, 3));
    x = ulg_reshape_2d(g, x, x->ne[0] * x->ne[1], x->ne[2] * x->ne[3]);
    x = ul_clip_linear(b, x, "a.conv_out");
    int64_t n_pos = x->ne[1];
    struct ul_tensor *at = ul_ct_needed(b, "a.position_embd.weight");
    at = ulg_view_2d(g, at, at->ne[0], n_pos / chunks, at->nb[1], 0);
    x = ulg_add(g, x, ulg_repeat_4d(g, at, at->ne[0], n_pos, 1, 1));
    struct ul_vit v = {.n_pos = n_pos};
    x = ul_clip_vit(b, x, &v);
    ul_graph_expand(g, ul_clip_ffn(b, x, "mm.a.mlp.1", NULL, "mm.a.mlp.2", UL_CLIP_GELU_ERF));
    return ULLAGE_OK;
}
