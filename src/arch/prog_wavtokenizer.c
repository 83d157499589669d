/* The layer program of WavTokenizer's decoder: convolutions over time, in two stacks (PosNet with
 * one attention layer in the middle, then ConvNeXt), no cache and no logits. Between convolutions a
 * tensor is [time, channels], else [channels, time]. Source: src/models/wavtokenizer-dec.cpp. */
#include "arch/build.h"
#include "arch/rows.h"

static struct ul_tensor *flip(struct ul_build *b, struct ul_tensor *t)
{
    return ulg_cont(b->graph, ulg_transpose(b->graph, t));
}

/* ggml_conv_1d_ph with stride and dilation 1, and the bias. */
static struct ul_tensor *conv(struct ul_build *b, struct ul_tensor *t, enum ul_role role, int il)
{
    struct ul_tensor *w = ul_wt(b, role, il);
    struct ul_window window = {.s = 1, .p = (int)(w->ne[0] / 2), .d = 1};
    return ulg_add(b->graph, ulg_conv_1d(b->graph, w, t, window), ul_wt_bias(b, role, il));
}

/* build_norm with LLM_NORM_GROUP. */
static struct ul_tensor *group_norm(struct ul_build *b, struct ul_tensor *t, enum ul_role role,
                                    int il)
{
    struct ul_graph *g = b->graph;
    int64_t n = t->ne[0], channels = t->ne[1];
    t = ulg_group_norm(g, ulg_reshape_3d(g, t, n, 1, channels));
    t = ul_cb(b, ulg_reshape_2d(g, t, n, channels), "norm", 0);
    t = ul_cb(b, ulg_mul(g, t, ul_wt(b, role, il)), "norm_w", 0);
    return ulg_add(g, t, ul_wt_bias(b, role, il));
}

/* A norm, the swish written out, a convolution. */
static struct ul_tensor *half_block(struct ul_build *b, struct ul_tensor *t, enum ul_role norm,
                                    enum ul_role role, int il)
{
    t = group_norm(b, t, norm, il);
    t = ulg_mul(b->graph, ulg_sigmoid(b->graph, t), t);
    return conv(b, t, role, il);
}

static struct ul_tensor *residual_block(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_tensor *t = half_block(b, x, UL_ROLE_POS_NET_NORM1, UL_ROLE_POS_NET_CONV1, il);
    t = half_block(b, t, UL_ROLE_POS_NET_NORM2, UL_ROLE_POS_NET_CONV2, il);
    return ulg_add(b->graph, t, x);
}

static struct ul_tensor *attention_block(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *t = group_norm(b, x, UL_ROLE_POS_NET_ATTN_NORM, il);
    struct ul_tensor *q = flip(b, conv(b, t, UL_ROLE_POS_NET_ATTN_Q, il));
    struct ul_tensor *k = flip(b, conv(b, t, UL_ROLE_POS_NET_ATTN_K, il));
    struct ul_tensor *v = conv(b, t, UL_ROLE_POS_NET_ATTN_V, il);
    t = ulg_mul_mat(g, ulg_soft_max(g, ulg_mul_mat(g, k, q)), v);
    return ulg_add(g, conv(b, t, UL_ROLE_POS_NET_ATTN_OUT, il), x);
}

static struct ul_tensor *pos_net_layer(struct ul_build *b, struct ul_tensor *x, int il)
{
    switch (il) {
    case 2: return attention_block(b, x, il);
    case 5: return group_norm(b, x, UL_ROLE_POS_NET_ATTN_NORM, il);
    default: return residual_block(b, x, il);
    }
}

static struct ul_tensor *convnext_layer(struct ul_build *b, struct ul_tensor *x, int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *w = ul_wt(b, UL_ROLE_CONVNEXT_DW, il);
    struct ul_window window = {.s = 1, .p = (int)(w->ne[0] / 2), .d = 1};
    struct ul_tensor *t = ulg_conv_1d_dw(g, w, x, window);
    t = flip(b, ulg_add(g, t, ul_wt_bias(b, UL_ROLE_CONVNEXT_DW, il)));
    t = ul_norm_block(b, t, ul_wt(b, UL_ROLE_CONVNEXT_NORM, il),
                      ul_wt_bias(b, UL_ROLE_CONVNEXT_NORM, il), UL_NORM_LAYER, -1);
    struct ul_ffn f = {.op = UL_FFN_GELU,
                       .up = ul_wt(b, UL_ROLE_CONVNEXT_PW1, il),
                       .up_b = ul_wt_bias(b, UL_ROLE_CONVNEXT_PW1, il),
                       .down = ul_wt(b, UL_ROLE_CONVNEXT_PW2, il),
                       .down_b = ul_wt_bias(b, UL_ROLE_CONVNEXT_PW2, il)};
    t = ulg_mul(g, ul_ffn_block(b, t, &f, il), ul_wt(b, UL_ROLE_CONVNEXT_GAMMA, il));
    return ulg_add(g, flip(b, t), x);
}

int ul_prog_wavtokenizer(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    const struct ul_model *m = b->model;
    struct ul_tensor *cur = conv(b, flip(b, ul_inp_embd(b)), UL_ROLE_CONV1D, -1);
    for (int il = 0; il < (int)m->posnet_n_layer; il++)
        cur = pos_net_layer(b, cur, il);
    cur = ul_norm_of(b, flip(b, cur), UL_ROLE_TOKEN_EMBD_NORM, UL_NORM_LAYER, 0);
    cur = flip(b, cur);
    for (int il = 0; il < (int)m->convnext_n_layer; il++)
        cur = convnext_layer(b, cur, il);
    cur = ul_norm_of(b, flip(b, cur), UL_ROLE_OUTPUT_NORM, UL_NORM_LAYER, -1);
    cur = ul_mm(b, ul_wt(b, UL_ROLE_OUTPUT, -1), cur, ul_wt_scale(b, UL_ROLE_OUTPUT, -1));
    cur = ulg_add(g, cur, ul_wt_bias(b, UL_ROLE_OUTPUT, -1));
    b->t_embd = ul_cb(b, cur, "result_embd", -1);
    ul_expand(b, cur);
    return ULLAGE_OK;
}
