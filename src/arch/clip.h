/* Projectors (--mmproj): the encoders that turn an image or a sound into embeddings. One file holds
 * one or two of them; each is a row of a table, as an architecture is: which tensors it loads, how
 * large an image it is warmed up with, and which program builds its graph. A row without a program
 * has exact weights and unknown compute. Source: tools/mtmd/clip.cpp, tools/mtmd/models. */
#ifndef UL_ARCH_CLIP_H
#define UL_ARCH_CLIP_H

#include "graph/ops.h"
#include "source/gguf.h"

enum ul_clip_ffn {
    UL_CLIP_GELU, UL_CLIP_GELU_ERF, UL_CLIP_SILU, UL_CLIP_GELU_QUICK, UL_CLIP_FFN_OF_FILE
};

struct ul_clip_build;

struct ul_clip_row {
    const char *name;         /* clip.projector_type */
    const char *as_vision, *as_audio; /* of a type that stands for two (qwen2.5o): theirs */
    bool audio;
    /* Loaded besides the common ones; '*' stands for anything; NULL: not known, all of its kind
     * count. */
    const char *const *tensors;
    uint8_t ffn;              /* enum ul_clip_ffn */
    bool swapped;             /* old files have up and down the wrong way round */
    bool clamps;              /* products are clamped on both sides (gemma4v) */
    bool takes_pixels;        /* keys say how many pixels an image may have */
    const char *merge_key;    /* of how many patches a side become one; NULL: none */
    uint32_t merge;           /* when the key is missing */
    uint32_t tokens_min, tokens_max; /* of an image; 0: fixed size */
    uint32_t warm_tokens;     /* a warm-up's image; 0: the largest, or the fixed size */
    bool avgpool, stacks;     /* audio: halves the frames behind the layers; joins some */
    int (*build)(struct ul_clip_build *b); /* NULL: the graph is not known */
};

/* One encoder of a file. */
struct ul_clip {
    const struct ul_gguf *file;
    const struct ul_clip_row *row; /* NULL: a type that is not known */
    struct ul_str type;
    bool audio;
    uint32_t image, patch, n_embd, n_ff, n_head, n_head_kv, n_embd_head, n_layer, n_merge, n_out;
    uint32_t n_mel, n_stack, n_window, n_query;
    enum ul_clip_ffn ffn;
    uint32_t warm, largest;    /* side of an image in pixels, or frames of a sound */
    bool *loads;               /* by tensor of the file */
};

/* The encoders of a file, in the order in which the engine makes them; how many. Custom counts of
 * tokens are --image-min-tokens and --image-max-tokens, 0: none. Errors: INPUT. */
int ul_clip_load(struct ul_clip out[2], int *n, const struct ul_gguf *g, int min_tokens,
                 int max_tokens, struct ul_arena *a, ullage_error *err);

/* Builds the graph for an image of nx by ny pixels (a sound of nx frames), weights at `place`.
 * Errors: UNKNOWN. */
int ul_clip_graph(const struct ul_clip *c, struct ul_graph *g, uint32_t nx, uint32_t ny, int place,
                  bool flash_attn, ullage_error *err);

const struct ul_clip_row *ul_clip_row_find(struct ul_str name);

#endif
