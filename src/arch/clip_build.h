/* The blocks that projectors' programs are written in (arch/clip_build.c); see arch/build.h for
 * what decides a graph. */
#ifndef UL_ARCH_CLIP_BUILD_H
#define UL_ARCH_CLIP_BUILD_H

#include "arch/clip.h"
#include "model/model.h" /* enum ul_rope_type */

struct ul_clip_build {
    const struct ul_clip *c;
    struct ul_graph *g;
    int place;
    bool flash;
    int64_t nx, ny, px, py, n; /* pixels, patches, patches in all */
    int64_t head;              /* of attention */
    struct ul_tensor **tensor; /* by tensor of the file, made when first asked for */
};

/* A tensor by name, or NULL; the same of a layer ("ln1.weight"). */
struct ul_tensor *ul_ct(struct ul_clip_build *b, const char *name);
struct ul_tensor *ul_cl(struct ul_clip_build *b, int il, const char *name);
/* One that the graph cannot do without. */
struct ul_tensor *ul_ct_needed(struct ul_clip_build *b, const char *name);
struct ul_tensor *ul_clip_input(struct ul_clip_build *b, enum ul_type type, int64_t n0, int64_t n1);

struct ul_tensor *ul_clip_mm(struct ul_clip_build *b, struct ul_tensor *w, struct ul_tensor *x);
struct ul_tensor *ul_clip_norm(struct ul_clip_build *b, struct ul_tensor *x, struct ul_tensor *w,
                               struct ul_tensor *bias, bool rms);
/* A matrix and its bias. */
struct ul_tensor *ul_clip_linear(struct ul_clip_build *b, struct ul_tensor *x, const char *name);
/* build_ffn with matrices called `up`.weight, `up`.bias ... ; gate may be NULL. */
struct ul_tensor *ul_clip_ffn(struct ul_clip_build *b, struct ul_tensor *x, const char *up,
                              const char *gate, const char *down, enum ul_clip_ffn op);
struct ul_tensor *ul_clip_attn(struct ul_clip_build *b, struct ul_tensor *wo,
                               struct ul_tensor *wo_b,
                               struct ul_tensor *q, struct ul_tensor *k, struct ul_tensor *v,
                               struct ul_tensor *mask);

/* What build_vit varies in. */
struct ul_vit {
    int64_t n_pos;
    bool rms;
    struct ul_tensor *learned;  /* positions that are added */
    struct ul_tensor *(*rotate)(struct ul_clip_build *b, struct ul_tensor *x,
                                const struct ul_vit *v);
    struct ul_tensor *pos_a, *pos_b; /* what rotates */
    struct ul_tensor *mask;     /* of layers without full attention */
    int layers;                 /* 0: all */
    bool plain;                 /* written out without build_vit's reshapes */
    /* called with each layer's output */
    void (*layer_out)(struct ul_clip_build *b, struct ul_tensor *x, int il, void *ctx);
    void *ctx;
};
struct ul_tensor *ul_clip_vit(struct ul_clip_build *b, struct ul_tensor *x, const struct ul_vit *v);
/* Two halves of each head, by two positions; and by four at once. */
struct ul_tensor *ul_clip_rope_2d(struct ul_clip_build *b, struct ul_tensor *x,
                                  const struct ul_vit *v);
struct ul_tensor *ul_clip_rope_neox_2d(struct ul_clip_build *b, struct ul_tensor *x,
                                       const struct ul_vit *v);
struct ul_tensor *ul_clip_mrope(struct ul_clip_build *b, struct ul_tensor *x,
                                const struct ul_vit *v);

/* build_inp_raw, build_inp, and the same before the bias. */
struct ul_tensor *ul_clip_raw(struct ul_clip_build *b, int64_t channels);
struct ul_tensor *ul_clip_patches(struct ul_clip_build *b);
struct ul_tensor *ul_clip_conv(struct ul_clip_build *b, const char *kernel, struct ul_tensor *x);
/* resize_position_embeddings */
struct ul_tensor *ul_clip_positions(struct ul_clip_build *b);
/* build_patch_merge_permute */
struct ul_tensor *ul_clip_merge(struct ul_clip_build *b, struct ul_tensor *x);

/* Programs: arch/clip_vision.c, arch/clip_audio.c. */
int ul_clip_siglip(struct ul_clip_build *b);
int ul_clip_llava(struct ul_clip_build *b);
int ul_clip_qwen2vl(struct ul_clip_build *b);
int ul_clip_qwen3vl(struct ul_clip_build *b);
int ul_clip_pixtral(struct ul_clip_build *b);
int ul_clip_internvl(struct ul_clip_build *b);
int ul_clip_minicpmv(struct ul_clip_build *b);
int ul_clip_kimivl(struct ul_clip_build *b);
int ul_clip_kimik25(struct ul_clip_build *b);
int ul_clip_paddleocr(struct ul_clip_build *b);
int ul_clip_dotsocr(struct ul_clip_build *b);
int ul_clip_llama4(struct ul_clip_build *b);
int ul_clip_glm4v(struct ul_clip_build *b);
int ul_clip_gemma4v(struct ul_clip_build *b);
int ul_clip_whisper(struct ul_clip_build *b);
int ul_clip_qwen3a(struct ul_clip_build *b);

/* arch/clip_rows.c; ends with a row without a name */
extern const struct ul_clip_row ul_clip_rows[];

#endif
