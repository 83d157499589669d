/* What llama.cpp's converter would write for a model that is still in Hugging Face's form: the keys
 * and the tensors of the GGUF file, from config.json alone. So a model that is not on the disk runs
 * through the very reader, placement and graphs that a file does.
 *
 * A row names the classes that it converts, the architecture that comes out, and how its layers
 * look: flags where it is a variation of the usual stack, functions where it is not. Source:
 * convert_hf_to_gguf.py, conversion/base.py (TextModel.set_gguf_parameters, prepare_tensors), the
 * file in conversion/ that each row names, gguf-py/gguf/tensor_mapping.py; and the defaults of the
 * configuration classes of transformers, which the converter reads configurations through. */
#ifndef UL_MODEL_CONVERT_H
#define UL_MODEL_CONVERT_H

#include "source/gguf.h"
#include "source/jsonread.h"

/* How a usual layer is varied. */
enum ul_conv_flags {
    UL_CV_QKV_BIAS = 1u << 0,      /* attn_q, attn_k and attn_v have biases */
    UL_CV_O_BIAS = 1u << 1,        /* so has attn_output */
    UL_CV_BIAS_ASKED = 1u << 2,    /* the configuration's attention_bias says so for all four */
    UL_CV_QKV_BIAS_ASKED = 1u << 3, /* ... for the first three (attention_bias, add_qkv_bias) */
    UL_CV_QK_NORM = 1u << 4,       /* attn_q_norm and attn_k_norm over a head */
    UL_CV_QK_NORM_ALL = 1u << 5,   /* ... over all heads together */
    UL_CV_NORM_BIAS = 1u << 6,     /* every norm has a bias */
    UL_CV_FUSED_QKV = 1u << 7,     /* attn_qkv */
    UL_CV_FUSED_UP = 1u << 8,      /* gate and up in one ffn_up */
    UL_CV_NO_GATE = 1u << 9,       /* ffn_up and ffn_down only */
    UL_CV_MLP_BIAS = 1u << 10,     /* ffn tensors have biases */
    UL_CV_MLP_BIAS_ASKED = 1u << 11, /* when mlp_bias or use_bias says so */
    UL_CV_NO_FFN_NORM = 1u << 12,  /* attention and ffn in parallel behind one norm */
    UL_CV_FFN_NORM_POST = 1u << 13, /* the norm before the ffn is called post_attention_norm */
    UL_CV_POST_NORMS = 1u << 14,   /* norms behind both: post_attention_norm, post_ffw_norm */
    UL_CV_NO_PRE_NORMS = 1u << 15, /* and none before */
    UL_CV_TIED = 1u << 16,         /* no output.weight unless the configuration says so */
    UL_CV_TIED_ALWAYS = 1u << 17,  /* never an output.weight */
    UL_CV_UNTIED_ALWAYS = 1u << 18,
    UL_CV_HEAD_DIM = 1u << 19,     /* its configuration class fills head_dim in */
    UL_CV_ROPE_DIM = 1u << 20,     /* writes rope.dimension_count: the head's length */
    UL_CV_OWN_KEYS = 1u << 21,     /* `keys` does not come on top of the usual keys */
    UL_CV_LLAMA3 = 1u << 22,       /* makes rope_freqs for rope type llama3 */
    UL_CV_SINKS = 1u << 24,        /* attn_sinks */
    UL_CV_GATE_EXP_PROBS = 1u << 25, /* exp_probs_b.bias beside the router */
    UL_CV_KV_HEADS = 1u << 26,     /* its class fills num_key_value_heads in */
    UL_CV_NO_OUTPUT_NORM = 1u << 27
};

struct ul_conv;

/* UL_CV_DEFAULTS("n_group": 8, "topk_group": 4) */
#define UL_CV_DEFAULTS(...) "{" #__VA_ARGS__ "}"

struct ul_conv_row {
    const char *classes; /* of the configuration, blanks between them */
    const char *types;   /* model_type, for configurations that name no class; or NULL */
    const char *text_types; /* only for this model_type of its text part; NULL: for any */
    const char *name;    /* general.architecture; `setup` may choose another */
    const char *upstream; /* the file in conversion/ */
    unsigned flags;
    uint32_t head_dim;   /* head_dim's default when not hidden_size / heads; 0: that */
    double rope_theta;   /* the default; 0: none is filled in */
    double norm_eps;     /* likewise */
    const char *defaults; /* what else its configuration class fills in: JSON, see UL_CV_DEFAULTS */
    void (*setup)(struct ul_conv *c);  /* before anything is written */
    void (*keys)(struct ul_conv *c);   /* keys beyond the usual ones */
    void (*layer)(struct ul_conv *c);  /* the tensors of layer c->il; NULL: ul_conv_layer */
    void (*rest)(struct ul_conv *c);   /* tensors of no layer, beyond embedding, norm and output */
};

/* What is known from elsewhere than the configuration; zeroed: nothing. */
struct ul_conv_hints {
    int output;          /* 1 when the checkpoint has an output matrix, -1 when not, 0 unknown */
    uint32_t n_vocab;    /* rows of the embedding; 0 unknown */
    int type;            /* enum ul_type of its matrices plus 1; 0 unknown */
};

/* A conversion under way. */
struct ul_conv {
    const struct ul_conv_row *row;
    const struct ul_jvalue *root, *text; /* the configuration, and its part for text (or NULL) */
    const struct ul_jvalue *defaults;    /* the row's */
    const struct ul_jvalue *rope;        /* rope_parameters or rope_scaling, or NULL */
    const struct ul_conv_hints *hints;
    struct ul_arena *a;
    ullage_error *err;
    int code;
    struct ul_gguf *g;
    size_t kv_room, tensor_room;
    unsigned flags;      /* the row's, which `setup` may change */
    const char *name;    /* likewise */
    enum ul_type type;   /* of matrices before quantisation */
    int il;              /* the layer under way; -1: none */
    uint64_t n_layer;    /* layers written, those that predict further tokens included */
    uint64_t n_nextn;    /* of these */
    uint64_t n_embd, n_head, n_head_kv, head, n_ff, n_vocab;
    uint64_t share; /* n_embd / n_head: what a head is long when nothing says it; 0: no heads */
    uint64_t n_expert, n_ff_exp, n_ff_shexp; /* shexp: of all shared experts together; 0: none */
    uint64_t dense_lead; /* layers before the first with experts */
};

/* ------------------------------------------------------------------ the configuration
 *
 * Names may be several, "|" between them: the first that is there counts. The text part goes before
 * the root, as in the converter. */

const struct ul_jvalue *ul_cfg(const struct ul_conv *c, const char *names);
bool ul_cfg_has(const struct ul_conv *c, const char *names);
uint64_t ul_cfg_u(struct ul_conv *c, const char *names, uint64_t otherwise);
/* The same, an error when it is not there. */
uint64_t ul_cfg_need(struct ul_conv *c, const char *names);
double ul_cfg_f(const struct ul_conv *c, const char *names, double otherwise);
double ul_cfg_need_f(struct ul_conv *c, const char *names);
bool ul_cfg_b(const struct ul_conv *c, const char *names, bool otherwise);
struct ul_str ul_cfg_s(const struct ul_conv *c, const char *names);
/* Whether the i-th item of a list of words is that word. */
bool ul_cfg_item_is(const struct ul_conv *c, const char *names, uint64_t i, const char *word);
/* The i-th number of a list; a number alone stands for all. */
uint64_t ul_cfg_item(const struct ul_conv *c, const char *names, uint64_t i, uint64_t otherwise);
/* What rotates the full layers' positions: rope_parameters.full_attention, or rope_parameters. */
const struct ul_jvalue *ul_cfg_rope(const struct ul_conv *c);
double ul_cfg_partial(const struct ul_conv *c, double otherwise); /* partial_rotary_factor */
void ul_conv_fail(struct ul_conv *c, const char *fmt, ...) UL_PRINTF(2, 3);
/* The same for what no rule is known for. The message begins with "config.json: " either way. */
void ul_conv_unknown(struct ul_conv *c, const char *fmt, ...) UL_PRINTF(2, 3);

/* ------------------------------------------------------------------ keys
 *
 * Named without the architecture, as in model/keys.h. Written twice, the last counts. */

void ul_kv_u32(struct ul_conv *c, const char *name, uint64_t v);
void ul_kv_f32(struct ul_conv *c, const char *name, double v);
void ul_kv_bool(struct ul_conv *c, const char *name, bool v);
void ul_kv_str(struct ul_conv *c, const char *name, const char *v);
/* A list with one item a layer: `of` gives each. */
void ul_kv_u32s(struct ul_conv *c, const char *name, uint64_t n,
                uint64_t (*of)(struct ul_conv *, uint64_t));
void ul_kv_i32s(struct ul_conv *c, const char *name, uint64_t n, const int64_t *v);
void ul_kv_bools(struct ul_conv *c, const char *name, uint64_t n,
                 uint64_t (*of)(struct ul_conv *, uint64_t));
void ul_kv_f32s(struct ul_conv *c, const char *name, uint64_t n, const double *v);
void ul_kv_drop(struct ul_conv *c, const char *name);
/* The keys of TextModel.set_gguf_parameters. */
void ul_conv_keys(struct ul_conv *c);
/* A key of the configuration under its name in the file, when it is there. */
void ul_kv_copy_u32(struct ul_conv *c, const char *name, const char *cfg);
void ul_kv_copy_f32(struct ul_conv *c, const char *name, const char *cfg);
void ul_kv_copy_bool(struct ul_conv *c, const char *name, const char *cfg);
void ul_kv_copy_u32s(struct ul_conv *c, const char *name, const char *cfg); /* all of a list */
/* One a layer, 0 where the list ends early or has none. */
void ul_kv_copy_f32s(struct ul_conv *c, const char *name, const char *cfg);

/* ------------------------------------------------------------------ tensors
 *
 * Named without "blk.N." inside a layer. Dimensions as in the file, fastest first; 1s at the end do
 * not count. The type is the converter's. */

void ul_t1(struct ul_conv *c, const char *name, uint64_t n0);
void ul_t2(struct ul_conv *c, const char *name, uint64_t n0, uint64_t n1);
void ul_t3(struct ul_conv *c, const char *name, uint64_t n0, uint64_t n1, uint64_t n2);
void ul_t4(struct ul_conv *c, const char *name, uint64_t n0, uint64_t n1, uint64_t n2, uint64_t n3);
/* The last tensor's type, where the converter does not leave it to the usual rule. */
void ul_as(struct ul_conv *c, enum ul_type type);
/* NAME.weight, and NAME.bias when asked. */
void ul_linear(struct ul_conv *c, const char *name, uint64_t in, uint64_t out, bool bias);
/* NAME.weight, and NAME.bias when the row's norms have one. */
void ul_norm(struct ul_conv *c, const char *name, uint64_t n);

/* The usual layer, and its parts. */
void ul_conv_layer(struct ul_conv *c);
void ul_conv_attention(struct ul_conv *c);
void ul_conv_ffn(struct ul_conv *c, uint64_t n_ff);
void ul_conv_experts(struct ul_conv *c);
/* Dense or experts, by dense_lead. */
void ul_conv_ffn_or_experts(struct ul_conv *c);
/* nextn.*: eh_proj, enorm, hnorm, shared_head_norm; and the two matrices when `own`. */
void ul_conv_nextn(struct ul_conv *c, bool own);
bool ul_conv_is_nextn(const struct ul_conv *c);
/* For `setup`: the layers that predict further tokens are written too. */
void ul_conv_keep_nextn(struct ul_conv *c);
/* Whether a layer sees a window only, by the configuration's layer_types. */
uint64_t ul_conv_is_window(struct ul_conv *c, uint64_t i);

/* ------------------------------------------------------------------ the table */

/* One a family, each with a row without classes at its end. */
extern const struct ul_conv_row ul_conv_rows_dense[], ul_conv_rows_gemma[], ul_conv_rows_latent[],
    ul_conv_rows_sparse[], ul_conv_rows_hybrid[], ul_conv_rows_early[], ul_conv_rows_experts[],
    ul_conv_rows_rwkv[], ul_conv_rows_others[];

extern const struct ul_conv_row *const ul_conv_tables[];
extern const size_t ul_n_conv_tables;

/* Fills `g` as the converter would. `name` is the configuration's file, for messages. Errors: INPUT
 * (something is missing), UNKNOWN (a class that llama.cpp does not convert, or this does not). */
int ul_convert(struct ul_gguf *g, const char *name, const struct ul_jvalue *config,
               const struct ul_conv_hints *hints, struct ul_arena *a, ullage_error *err);

/* Tensors in the order of the engine's map: by layer, then by name. And the sizes and places of all
 * anew, after types have changed. */
void ul_gguf_sort(struct ul_gguf *g);
void ul_gguf_lay_out(struct ul_gguf *g);

#endif
