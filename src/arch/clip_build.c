/* The blocks of projectors' graphs: tools/mtmd/clip.cpp, clip_graph's build_* functions. */
#include "arch/clip_build.h"

#include <stdio.h>

#define MOST_GRID 65536 /* positions a side */

/* ------------------------------------------------------------------ tensors */

struct ul_tensor *ul_ct(struct ul_clip_build *b, const char *name)
{
    const struct ul_gguf *f = b->c->file;
    for (size_t i = 0; i < f->n_tensors; i++) {
        const struct ul_gguf_tensor *t = &f->tensors[i];
        if (!b->c->loads[i] || !ul_str_is(t->name, name))
            continue;
        if (!b->tensor[i]) {
            const int64_t ne[4] = {(int64_t)t->ne[0], (int64_t)t->ne[1], (int64_t)t->ne[2],
                                   (int64_t)t->ne[3]};
            b->tensor[i] = ul_placed_tensor(b->g->arena, t->type, ne, b->place, true);
            b->tensor[i]->name = ul_arena_copy(b->g->arena, t->name.p, t->name.n);
        }
        return b->tensor[i];
    }
    return NULL;
}

struct ul_tensor *ul_cl(struct ul_clip_build *b, int il, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%c.blk.%d.%s", b->c->audio ? 'a' : 'v', il, name);
    return ul_ct(b, full);
}

struct ul_tensor *ul_ct_needed(struct ul_clip_build *b, const char *name)
{
    struct ul_tensor *t = ul_ct(b, name);
    if (t)
        return t;
    b->g->bad = "a tensor is missing";
    return ulg_new_1d(b->g, UL_F32, 1);
}

struct ul_tensor *ul_clip_input(struct ul_clip_build *b, enum ul_type type, int64_t n0, int64_t n1)
{
    return ulg_set_input(ulg_new_2d(b->g, type, n0, n1));
}

/* ------------------------------------------------------------------ small blocks */

struct ul_tensor *ul_clip_mm(struct ul_clip_build *b, struct ul_tensor *w, struct ul_tensor *x)
{
    if (!w) {
        b->g->bad = "a tensor is missing";
        return x;
    }
    if (!b->c->row->clamps)
        return ulg_mul_mat(b->g, w, x);
    return ulg_clamp(b->g, ulg_mul_mat(b->g, w, ulg_clamp(b->g, x)));
}

static struct ul_tensor *add_opt(struct ul_clip_build *b, struct ul_tensor *x,
                                 struct ul_tensor *bias)
{
    return bias ? ulg_add(b->g, x, bias) : x;
}

struct ul_tensor *ul_clip_norm(struct ul_clip_build *b, struct ul_tensor *x, struct ul_tensor *w,
                               struct ul_tensor *bias, bool rms)
{
    x = rms ? ulg_rms_norm(b->g, x) : ulg_norm(b->g, x);
    if (w)
        x = ulg_mul(b->g, x, w);
    return add_opt(b, x, bias);
}

static struct ul_tensor *activate(struct ul_graph *g, struct ul_tensor *x, struct ul_tensor *up,
                                  enum ul_clip_ffn op)
{
    switch (op) {
    case UL_CLIP_SILU: return up ? ulg_swiglu_split(g, x, up) : ulg_silu(g, x);
    case UL_CLIP_GELU: return up ? ulg_geglu_split(g, x, up) : ulg_gelu(g, x);
    case UL_CLIP_GELU_ERF: return up ? ulg_geglu_erf_split(g, x, up) : ulg_gelu_erf(g, x);
    default: return up ? ulg_geglu_quick_split(g, x, up) : ulg_gelu_quick(g, x);
    }
}

/* Matrices and biases of a feed-forward block. */
struct ffn {
    struct ul_tensor *up, *up_b, *gate, *gate_b, *down, *down_b;
};

static struct ul_tensor *feed(struct ul_clip_build *b, struct ul_tensor *x, const struct ffn *f,
                              enum ul_clip_ffn op)
{
    struct ul_tensor *up = add_opt(b, ul_clip_mm(b, f->up, x), f->up_b);
    struct ul_tensor *gate = f->gate ? add_opt(b, ul_clip_mm(b, f->gate, x), f->gate_b) : NULL;
    x = activate(b->g, gate ? gate : up, gate ? up : NULL, op);
    if (f->down)
        x = ul_clip_mm(b, f->down, x);
    return add_opt(b, x, f->down_b);
}

static void pair(struct ul_clip_build *b, const char *name, struct ul_tensor **w,
                 struct ul_tensor **bias)
{
    char full[64];
    if (!name)
        return;
    snprintf(full, sizeof full, "%s.weight", name);
    *w = ul_ct(b, full);
    snprintf(full, sizeof full, "%s.bias", name);
    *bias = ul_ct(b, full);
}

struct ul_tensor *ul_clip_linear(struct ul_clip_build *b, struct ul_tensor *x, const char *name)
{
    struct ul_tensor *w = NULL, *bias = NULL;
    pair(b, name, &w, &bias);
    return add_opt(b, ul_clip_mm(b, w, x), bias);
}

struct ul_tensor *ul_clip_ffn(struct ul_clip_build *b, struct ul_tensor *x, const char *up,
                              const char *gate, const char *down, enum ul_clip_ffn op)
{
    struct ffn f = {0};
    pair(b, up, &f.up, &f.up_b);
    pair(b, gate, &f.gate, &f.gate_b);
    pair(b, down, &f.down, &f.down_b);
    return feed(b, x, &f, op);
}

struct ul_tensor *ul_clip_attn(struct ul_clip_build *b, struct ul_tensor *wo,
                               struct ul_tensor *wo_b,
                               struct ul_tensor *q, struct ul_tensor *k, struct ul_tensor *v,
                               struct ul_tensor *mask)
{
    struct ul_graph *g = b->g;
    struct ul_tensor *cur;
    ul_graph_expand(g, q);
    ul_graph_expand(g, k);
    ul_graph_expand(g, v);
    q = ulg_permute(g, q, 0, 2, 1, 3);
    k = ulg_permute(g, k, 0, 2, 1, 3);
    if (b->flash) {
        v = ulg_permute(g, v, 0, 2, 1, 3);
        k = ulg_cast(g, k, UL_F16);
        v = ulg_cast(g, v, UL_F16);
        if (mask && mask->type != UL_F16)
            mask = ulg_cast(g, mask, UL_F16);
        cur = ulg_prec_f32(ulg_flash_attn_ext(g, q, k, v, mask, 0.0f, 0.0f));
        cur = ulg_reshape_2d(g, cur, cur->ne[0] * cur->ne[1], cur->ne[2] * cur->ne[3]);
    } else {
        v = ulg_cont(g, ulg_permute(g, v, 1, 2, 0, 3));
        struct ul_tensor *kq = ulg_soft_max_ext(g, ulg_mul_mat(g, k, q), mask, 0.0f);
        cur = ulg_permute(g, ulg_mul_mat(g, v, kq), 0, 2, 1, 3);
        cur = ulg_cont_2d(g, cur, cur->ne[0] * cur->ne[1], cur->ne[2] * cur->ne[3]);
    }
    if (wo)
        cur = ul_clip_mm(b, wo, cur);
    return add_opt(b, cur, wo_b);
}

/* ------------------------------------------------------------------ the stack of layers */

struct qkv {
    struct ul_tensor *q, *k, *v;
};

static struct ul_tensor *third(struct ul_clip_build *b, struct ul_tensor *t, int64_t n_pos, int i)
{
    uint64_t head = ul_row_bytes(t->type, (uint64_t)b->head);
    uint64_t width = ul_mul(head, b->c->n_head);
    return ulg_view_4d(b->g, t, b->head, b->c->n_head, n_pos, t->ne[1] / n_pos, head, t->nb[1],
                       ul_mul(t->nb[1], (uint64_t)n_pos), ul_mul(width, (uint64_t)i));
}

static struct qkv fused(struct ul_clip_build *b, struct ul_tensor *x, const struct ul_vit *v,
                        int il)
{
    struct ul_tensor *qn = ul_cl(b, il, "attn_q_norm.weight");
    struct ul_tensor *kn = ul_cl(b, il, "attn_k_norm.weight");
    x = add_opt(b, ul_clip_mm(b, ul_cl(b, il, "attn_qkv.weight"), x),
                ul_cl(b, il, "attn_qkv.bias"));
    struct qkv t = {third(b, x, v->n_pos, 0), third(b, x, v->n_pos, 1), third(b, x, v->n_pos, 2)};
    if (qn)
        t.q = ul_clip_norm(b, t.q, qn, NULL, v->rms);
    if (kn)
        t.k = ul_clip_norm(b, t.k, kn, NULL, v->rms);
    return t;
}

static struct ul_tensor *project(struct ul_clip_build *b, struct ul_tensor *x, const char *weight,
                                 const char *bias, int il)
{
    return add_opt(b, ul_clip_mm(b, ul_cl(b, il, weight), x), ul_cl(b, il, bias));
}

/* The norms of queries and keys are over a head or over all of them, as their length says. */
static struct qkv separate(struct ul_clip_build *b, struct ul_tensor *x, const struct ul_vit *v,
                           int il)
{
    struct ul_graph *g = b->g;
    struct ul_tensor *qn = ul_cl(b, il, "attn_q_norm.weight");
    struct ul_tensor *kn = ul_cl(b, il, "attn_k_norm.weight");
    bool by_head = qn && qn->ne[0] == b->head;
    int64_t n_batch = x->ne[1] / v->n_pos;
    struct qkv t = {project(b, x, "attn_q.weight", "attn_q.bias", il),
                    project(b, x, "attn_k.weight", "attn_k.bias", il),
                    project(b, x, "attn_v.weight", "attn_v.bias", il)};
    if (!by_head && qn)
        t.q = ul_clip_norm(b, t.q, qn, NULL, v->rms);
    if (!by_head && kn)
        t.k = ul_clip_norm(b, t.k, kn, NULL, v->rms);
    t.q = ulg_reshape_4d(g, t.q, b->head, b->c->n_head, v->n_pos, n_batch);
    t.k = ulg_reshape_4d(g, t.k, b->head, b->c->n_head_kv, v->n_pos, n_batch);
    t.v = ulg_reshape_4d(g, t.v, b->head, b->c->n_head_kv, v->n_pos, n_batch);
    if (by_head)
        t.q = ul_clip_norm(b, t.q, qn, NULL, v->rms);
    if (by_head && kn)
        t.k = ul_clip_norm(b, t.k, kn, NULL, v->rms);
    return t;
}

static struct ul_tensor *attention(struct ul_clip_build *b, struct ul_tensor *x,
                                   const struct ul_vit *v, int il)
{
    struct qkv t = ul_cl(b, il, "attn_qkv.weight") ? fused(b, x, v, il) : separate(b, x, v, il);
    bool full = b->c->n_window && (uint32_t)(il + 1) % b->c->n_window == 0;
    if (v->rotate) {
        t.q = v->rotate(b, t.q, v);
        t.k = v->rotate(b, t.k, v);
    }
    if (b->c->row->clamps)
        t.v = ulg_rms_norm(b->g, t.v);
    return ul_clip_attn(b, ul_cl(b, il, "attn_out.weight"), ul_cl(b, il, "attn_out.bias"), t.q, t.k,
                        t.v, full ? NULL : v->mask);
}

/* Old conversions of some types call the two matrices by each other's names. */
static struct ul_tensor *layer_ffn(struct ul_clip_build *b, struct ul_tensor *x, int il)
{
    struct ffn f = {ul_cl(b, il, "ffn_up.weight"), ul_cl(b, il, "ffn_up.bias"),
                    ul_cl(b, il, "ffn_gate.weight"), ul_cl(b, il, "ffn_gate.bias"),
                    ul_cl(b, il, "ffn_down.weight"), ul_cl(b, il, "ffn_down.bias")};
    if (b->c->row->swapped && f.up && f.down && f.down->ne[0] == (int64_t)b->c->n_embd) {
        struct ffn old = f;
        f.up = old.down;
        f.up_b = old.down_b;
        f.down = old.up;
        f.down_b = old.up_b;
    }
    return feed(b, x, &f, b->c->ffn);
}

/* x times a layer's vector, or x when it has none. */
static struct ul_tensor *scaled(struct ul_clip_build *b, struct ul_tensor *x, const char *name,
                                int il)
{
    struct ul_tensor *w = ul_cl(b, il, name);
    return w ? ulg_mul(b->g, x, w) : x;
}

static struct ul_tensor *normed(struct ul_clip_build *b, struct ul_tensor *x, const char *name,
                                bool rms, int il)
{
    struct ul_tensor *w = ul_cl(b, il, name);
    return w ? ul_clip_norm(b, x, w, NULL, rms) : x;
}

static struct ul_tensor *layer(struct ul_clip_build *b, struct ul_tensor *x, const struct ul_vit *v,
                               int il)
{
    struct ul_graph *g = b->g;
    struct ul_tensor *cur = ul_clip_norm(b, x, ul_cl(b, il, "ln1.weight"), ul_cl(b, il, "ln1.bias"),
                                         v->rms);
    cur = scaled(b, attention(b, cur, v, il), "ls1.weight", il);
    cur = normed(b, cur, "attn_post_norm.weight", v->rms, il);
    x = ulg_add(g, cur, x);
    cur = ul_clip_norm(b, x, ul_cl(b, il, "ln2.weight"), ul_cl(b, il, "ln2.bias"), v->rms);
    cur = normed(b, layer_ffn(b, cur, il), "ffn_post_norm.weight", v->rms, il);
    x = ulg_add(g, x, scaled(b, cur, "ls2.weight", il));
    return scaled(b, x, "out_scale.weight", il);
}

static struct ul_tensor *ends_norm(struct ul_clip_build *b, struct ul_tensor *x, const char *which,
                                   bool rms)
{
    char name[32];
    struct ul_tensor *w, *bias;
    snprintf(name, sizeof name, "%c.%s", b->c->audio ? 'a' : 'v', which);
    pair(b, name, &w, &bias);
    return w ? ul_clip_norm(b, x, w, bias, rms) : x;
}

static struct ul_tensor *avgpool(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    x = ulg_pool_1d(g, ulg_cont(g, ulg_transpose(g, x)), 2, 2, 0);
    return ulg_cont(g, ulg_transpose(g, x));
}

struct ul_tensor *ul_clip_vit(struct ul_clip_build *b, struct ul_tensor *x, const struct ul_vit *v)
{
    struct ul_graph *g = b->g;
    int64_t n_batch = x->ne[2];
    if (v->learned)
        x = ulg_add(g, x, v->learned);
    if (!v->plain)
        x = ulg_reshape_2d(g, x, b->c->n_embd, v->n_pos * n_batch);
    x = ends_norm(b, x, "pre_ln", v->rms);
    for (int il = 0; il < (v->layers ? v->layers : (int)b->c->n_layer); il++) {
        x = layer(b, x, v, il);
        if (v->layer_out)
            v->layer_out(b, x, il, v->ctx);
    }
    if (b->c->row->avgpool)
        x = avgpool(b, x);
    x = ends_norm(b, x, "post_ln", v->rms);
    if (v->plain)
        return x;
    return ulg_reshape_3d(g, x, b->c->n_embd, x->ne[1] / n_batch, n_batch);
}

static struct ul_tensor *rope_halves(struct ul_clip_build *b, struct ul_tensor *x,
                                     const struct ul_vit *v, int mode)
{
    int half = (int)(x->ne[0] / 2);
    x = ulg_rope_ext(b->g, x, v->pos_a, NULL, half, mode);
    return ulg_rope_ext(b->g, x, v->pos_b, NULL, half, mode);
}

struct ul_tensor *ul_clip_rope_2d(struct ul_clip_build *b, struct ul_tensor *x,
                                  const struct ul_vit *v)
{
    return rope_halves(b, x, v, UL_ROPE_NORM);
}

struct ul_tensor *ul_clip_rope_neox_2d(struct ul_clip_build *b, struct ul_tensor *x,
                                       const struct ul_vit *v)
{
    return rope_halves(b, x, v, UL_ROPE_NEOX);
}

struct ul_tensor *ul_clip_mrope(struct ul_clip_build *b, struct ul_tensor *x,
                                const struct ul_vit *v)
{
    return ulg_rope_ext(b->g, x, v->pos_a, NULL, (int)(b->head / 2), UL_ROPE_VISION);
}

/* ------------------------------------------------------------------ inputs */

struct ul_tensor *ul_clip_raw(struct ul_clip_build *b, int64_t channels)
{
    return ulg_set_input(ulg_new_4d(b->g, UL_F32, b->nx, b->ny, channels, 1));
}

struct ul_tensor *ul_clip_conv(struct ul_clip_build *b, const char *kernel, struct ul_tensor *x)
{
    const struct ul_window w = {.s = (int)b->c->patch, .d = 1};
    return ulg_conv_2d(b->g, ul_ct_needed(b, kernel), x, w, w);
}

struct ul_tensor *ul_clip_patches(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    struct ul_tensor *x = ul_clip_conv(b, "v.patch_embd.weight", ul_clip_raw(b, 3));
    x = ulg_reshape_3d(g, x, b->n, b->c->n_embd, 1);
    x = ulg_cont(g, ulg_transpose(g, x));
    return add_opt(b, x, ul_ct(b, "v.patch_embd.bias"));
}

/* A learned grid of positions is stretched to the image's. */
struct ul_tensor *ul_clip_positions(struct ul_clip_build *b)
{
    struct ul_graph *g = b->g;
    int64_t n_embd = b->c->n_embd, per_side = 1;
    struct ul_tensor *t = ul_ct_needed(b, "v.position_embd.weight");
    while (per_side < MOST_GRID && (per_side + 1) * (per_side + 1) <= t->ne[1])
        per_side++;
    if (b->px == per_side && b->py == per_side)
        return t;
    t = ulg_permute(g, ulg_reshape_3d(g, t, n_embd, per_side, per_side), 2, 0, 1, 3);
    t = ulg_interpolate(g, t, b->px, b->py, n_embd, 1);
    return ulg_cont_2d(g, ulg_permute(g, t, 1, 2, 0, 3), n_embd, b->n);
}

struct ul_tensor *ul_clip_merge(struct ul_clip_build *b, struct ul_tensor *x)
{
    struct ul_graph *g = b->g;
    int64_t f = b->c->n_merge, n = x->ne[0], w = b->px, h = b->py;
    int64_t pad_w = (f - w % f) % f, pad_h = (f - h % f) % f;
    x = ulg_reshape_3d(g, x, n, w, h);
    if (pad_w || pad_h)
        x = ulg_pad(g, x, 0, pad_w, pad_h, 0);
    w += pad_w;
    h += pad_h;
    x = ulg_permute(g, ulg_reshape_3d(g, x, n * f, w / f, h), 0, 2, 1, 3);
    x = ulg_permute(g, ulg_cont_3d(g, x, n * f * f, h / f, w / f), 0, 2, 1, 3);
    return ulg_cont_2d(g, x, x->ne[0], x->ne[1] * x->ne[2]);
}
