/* Building a model's compute graph: the blocks that layer programs are written in.
 *
 * A layer program (arch/prog_*.c) is a function `int build(struct ul_build *b)` that an
 * architecture's row names. It calls the blocks below, each of which adds the operations that the
 * function of the same purpose in llama.cpp adds (src/llama-graph.cpp, struct llm_graph_context),
 * in the same order. Order matters in one way only: ul_graph_expand walks depth first through the
 * sources, so a graph is decided by (1) which operation has which sources, in which order, and
 * (2) the order of the calls of ul_graph_expand. The order of the other statements is free.
 *
 * What varies with the file follows the file: ul_wt(b, role, il) is NULL when it has no such
 * tensor, and every block leaves out what it is given NULL for, as the engine does.
 *
 * Who fills what. The caller (the engine layer) sets `model`, `cparams`, `graph`, `arena`, the
 * batch, the caches' description and the callbacks, then calls ul_build_graph once a graph:
 *
 *     ul_build_init(&b, model, cparams, &graph, arena);
 *     b.memory = ...; b.place_of = ...; b.layer_backend = ...;
 *     ul_build_batch(&b, n_tokens, n_seqs, n_outputs);
 *     ul_build_graph(&b, &err);      b.graph now holds the whole graph, outputs flagged
 *
 * The same ul_build may build several graphs one after the other: tensors of weights and caches are
 * made once and shared. */
#ifndef UL_ARCH_BUILD_H
#define UL_ARCH_BUILD_H

#include "arch/arch.h"
#include "graph/ops.h"

/* --- the caches, as the graph sees them ------------------------------------------------------- */

/* One layer of a cache. Widths count values a cell; v_width 0: keys only (latent attention). */
struct ul_kv_layer {
    int il;
    enum ul_type k_type, v_type;
    uint64_t k_width, v_width;   /* n_embd_k_gqa and n_embd_v_gqa, padded as the cache pads them */
    int16_t place;               /* index of its buffer type */
    struct ul_tensor *k, *v;     /* made by ul_build_graph */
};

/* A llama_kv_cache. */
struct ul_kv_cache {
    struct ul_kv_layer *layer; /* the layers that own an entry; see ul_arch.reuses for the others */
    uint32_t n_layers;
    uint32_t cells, streams;     /* cells a stream (get_size) and streams (n_stream) */
    bool v_trans;                /* values are kept transposed: flash attention is off */
    uint32_t rot_k, rot_v;       /* side of the Hadamard matrix K and V are rotated by; 0: none
                                    (src/llama-kv-cache.cpp: build_input_k_rot, build_input_v_rot) */
    bool indexer;                /* an indexer's keys: named cache_idx_k_l%d in hybrids */
    uint32_t v_width_max;        /* n_embd_v_gqa_max: rows of the indices of transposed values */
};

/* One layer's recurrent state (llama_memory_recurrent: r_l, s_l, and a third that newer hybrids
 * have), width values a cell. */
struct ul_state_layer {
    int il;
    enum ul_type r_type, s_type, p_type;
    uint64_t r_width, s_width, p_width; /* n_embd_r, n_embd_s, n_embd_p; 0: none */
    int16_t place;
    struct ul_tensor *r, *s, *p; /* made by ul_build_graph */
};

struct ul_state {
    struct ul_state_layer *layer;
    uint32_t n_layers;
    uint32_t cells;              /* rows of r and s: size x (1 + n_rs_seq) */
    uint32_t size;               /* mem_size: cells without snapshots */
};

/* A tensor that a newer memory keeps besides (compressor states and such), by its engine's name. */
struct ul_kv_extra {
    const char *name;            /* with "%d" for the layer */
    int il;
    enum ul_type type;
    int64_t ne[4];
    int16_t place;
    struct ul_tensor *t;         /* made by ul_build_graph */
};

enum ul_kv_role {
    UL_KV_BASE,               /* the only one, or the layers without a window */
    UL_KV_SWA,                /* layers with a window */
    UL_KV_INDEX,              /* an indexer's keys: lid of dsa, idx of msa, lid of dsv4 */
    UL_KV_CSA, UL_KV_HCA,  /* dsv4's compressed keys */
    UL_KV_COUNT
};

struct ul_memory_desc {
    struct ul_kv_cache cache[UL_KV_COUNT]; /* unused ones are zero */
    struct ul_state state;
    struct ul_kv_extra *extra;
    uint32_t n_extra;
};

/* An operation that stands for several, and the layer on whose device it must run: else the engine
 * builds the several (src/llama-context.cpp, resolve_fused_ops). */
struct ul_fused {
    struct ul_tensor *t;
    int il;
    struct ul_fused *next;
};

/* --- the state of building -------------------------------------------------------------------- */

struct ul_build {
    const struct ul_model *model;
    const struct ul_cparams *cparams;
    struct ul_graph *graph;
    struct ul_arena *arena;
    struct ul_memory_desc *memory;

    /* Index of the buffer type of a weight as used by a layer (-1: its own layer), or -1 when the
     * engine does not create it. NULL: place 0. The result must not change between calls. */
    int (*place_of)(const void *ctx, const struct ul_weight *w, int layer);
    const void *place_ctx;
    /* llama_context::graph_get_cb: each layer's backend, to which "norm" tensors are pinned when
     * the batch is small or everything is offloaded; NULL: nothing is pinned. */
    const int8_t *layer_backend;
    int8_t cpu_backend;          /* for attention without -kvo; -1: not pinned */

    /* the batch (llama_ubatch) */
    int64_t n_tokens, n_seqs, n_seq_tokens, n_outputs;
    int64_t n_stream;            /* attention streams: 1 when unified, else n_seqs */

    /* results (llm_graph_result) */
    struct ul_tensor *t_inp_tokens, *t_inp_embd, *t_embd, *t_logits, *t_embd_pooled, *t_h_nextn;

    struct ul_fused *fused;   /* of this graph; see ul_note_fused */
    /* tensors of weights, by index into model->weights; a weight that several places need has
     * more */
    struct ul_placed_weight *weight, *twins;
    struct ul_adapter_tensors *adapters;
    struct ul_tensor *inp_pos, *inp_out_ids; /* made when first asked for, once a graph */
};

void ul_build_init(struct ul_build *b, const struct ul_model *m, const struct ul_cparams *c,
                   struct ul_graph *g, struct ul_arena *a);
/* llama_batch_allocr::ubatch_reserve: n_tokens is rounded up to a multiple of n_seqs. */
void ul_build_batch(struct ul_build *b, uint32_t n_tokens, uint32_t n_seqs, uint32_t n_outputs);
/* llama_model::build_graph: the row's program, then pooling, then the dense layers behind it.
 * Errors: UNKNOWN (the row has no program; an operation got shapes that ggml refuses). */
int ul_build_graph(struct ul_build *b, ullage_error *err);

/* --- weights ---------------------------------------------------------------------------------- */

/* The tensor of a role, or NULL. Layer -1: of no layer. Rope factors and the like, which the file
 * has once and every device its copy of, take the layer that uses them. */
struct ul_tensor *ul_wt_suffix(struct ul_build *b, enum ul_role role, enum ul_suffix suffix,
                               int il);
static inline struct ul_tensor *ul_wt(struct ul_build *b, enum ul_role role, int il)
{
    return ul_wt_suffix(b, role, UL_WEIGHT, il);
}
static inline struct ul_tensor *ul_wt_bias(struct ul_build *b, enum ul_role role, int il)
{
    return ul_wt_suffix(b, role, UL_BIAS, il);
}
static inline struct ul_tensor *ul_wt_scale(struct ul_build *b, enum ul_role role, int il)
{
    return ul_wt_suffix(b, role, UL_SCALE, il);
}

/* The cache tensors of a layer (of the layer it shares with, when it owns none), or NULL. */
struct ul_kv_layer *ul_kv_of(struct ul_build *b, enum ul_kv_role cache, int il);
struct ul_state_layer *ul_state_of(struct ul_build *b, int il);
struct ul_tensor *ul_kv_extra_of(struct ul_build *b, const char *name, int il);

/* The tensor of a role that the graph cannot do without: a file that lacks it makes the graph
 * bad. */
struct ul_tensor *ul_wt_needed(struct ul_build *b, enum ul_role role, int il);

/* --- small blocks ----------------------------------------------------------------------------- */

/* llm_graph_context::cb: names a tensor, and pins it to its layer's device when the name is "norm"
 * and il is not -1. NULL is passed through. Returns t. */
struct ul_tensor *ul_cb(struct ul_build *b, struct ul_tensor *t, const char *name, int il);
void ul_expand(struct ul_build *b, struct ul_tensor *t);
/* llm_graph_result::add_fused_node, for operations whose spelled-out form is built, too. Returns
 * t. */
struct ul_tensor *ul_note_fused(struct ul_build *b, struct ul_tensor *t, int il);
/* build_lora_mm: w x cur, times the scale w_s when there is one. */
struct ul_tensor *ul_mm(struct ul_build *b, struct ul_tensor *w, struct ul_tensor *cur,
                        struct ul_tensor *w_s);
/* build_lora_mm_id: the same by expert. */
struct ul_tensor *ul_mm_id(struct ul_build *b, struct ul_tensor *w, struct ul_tensor *cur,
                           struct ul_tensor *ids, struct ul_tensor *w_s);
/* a + bias, or a when there is none. */
struct ul_tensor *ul_add_opt(struct ul_build *b, struct ul_tensor *a, struct ul_tensor *bias);

/* build_norm: the norm, times w, plus bias. `kind` is UL_NORM_LAYER, else the root mean
 * square's. */
struct ul_tensor *ul_norm_block(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *w,
                                struct ul_tensor *bias, enum ul_norm_key kind, int il);
/* The same with the weight and bias of a role. */
struct ul_tensor *ul_norm_of(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                             enum ul_norm_key kind, int il);

/* --- inputs ----------------------------------------------------------------------------------- */

/* build_inp_embd: the rows of the token embedding (or the raw embeddings, or both mixed). */
struct ul_tensor *ul_inp_embd(struct ul_build *b);
struct ul_tensor *ul_inp_pos(struct ul_build *b);
struct ul_tensor *ul_inp_out_ids(struct ul_build *b);
struct ul_tensor *ul_inp_attn_scale(struct ul_build *b);
/* One factor a row of the embeddings (newer than the source that was read). */
struct ul_tensor *ul_inp_scale_rows(struct ul_build *b);
/* ggml_get_rows(t, out_ids) in the last layer, t in the others. */
struct ul_tensor *ul_last_rows(struct ul_build *b, struct ul_tensor *t, int il);

/* --- attention -------------------------------------------------------------------------------- */

enum ul_attn_kind {
    UL_ATTN_KV,        /* build_attn_inp_kv */
    UL_ATTN_KV_ISWA,   /* build_attn_inp_kv_iswa */
    UL_ATTN_NO_CACHE,  /* build_attn_inp_no_cache */
    UL_ATTN_K,         /* build_attn_inp_k: the keys are the values (latent attention) */
    UL_ATTN_K_ISWA,    /* build_attn_inp_k_iswa */
    UL_ATTN_CROSS      /* build_attn_inp_cross */
};

/* The inputs of the layers of one cache. */
struct ul_attn_side {
    enum ul_kv_role cache;
    struct ul_tensor *k_idxs, *v_idxs, *mask, *k_rot, *v_rot;
};

struct ul_attn_inp {
    enum ul_attn_kind kind;
    struct ul_attn_side full, swa;
};

/* build_attn_inp_*. KV and K take the windowed form when the model has windows, as upstream's
 * template graphs do. n_enc: CROSS only, the encoder's outputs. */
struct ul_attn_inp ul_attn_inputs(struct ul_build *b, enum ul_attn_kind kind);
/* One cache's inputs, for memories that the kinds above do not cover. */
struct ul_attn_side ul_attn_side_of(struct ul_build *b, enum ul_kv_role cache, bool values);
/* A mask over a cache's cells, in half or single precision. */
struct ul_tensor *ul_attn_mask(struct ul_build *b, enum ul_kv_role cache, bool half);
/* The inputs that layer il uses. */
const struct ul_attn_side *ul_attn_side_at(struct ul_build *b, const struct ul_attn_inp *inp,
                                           int il);

/* What build_attn takes; what is absent is NULL. */
struct ul_attn {
    struct ul_tensor *q, *k, *v;             /* [head, heads, tokens] */
    struct ul_tensor *kq_b, *sinks, *v_mla;
    struct ul_tensor *wo, *wo_b, *wo_s;
    bool scale_tanh;                         /* grok's squashed logits (LLM_ARCH_GROK) */
};

/* build_attn: stores k and v in the cache, attends, and projects with wo. */
struct ul_tensor *ul_attn_block(struct ul_build *b, const struct ul_attn_inp *inp,
                                const struct ul_attn *a, int il);
/* build_attn_mha: attention alone, over k and v as given (v transposed or not, by its strides). */
struct ul_tensor *ul_attn_mha(struct ul_build *b, const struct ul_attn *a, struct ul_tensor *k,
                              struct ul_tensor *v, struct ul_tensor *mask, int il);
/* llama_kv_cache::get_k, get_v, cpy_k, cpy_v. */
struct ul_tensor *ul_kv_get_k(struct ul_build *b, enum ul_kv_role cache, int il);
struct ul_tensor *ul_kv_get_v(struct ul_build *b, enum ul_kv_role cache, int il);
struct ul_tensor *ul_kv_put_k(struct ul_build *b, enum ul_kv_role cache,
                                 struct ul_tensor *k, struct ul_tensor *idxs, int il);
struct ul_tensor *ul_kv_put_v(struct ul_build *b, enum ul_kv_role cache,
                                 struct ul_tensor *v, struct ul_tensor *idxs, int il);
/* llama_mul_mat_hadamard (src/llama-impl.h). */
struct ul_tensor *ul_hadamard(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *rot);

struct ul_qkv {
    struct ul_tensor *q, *k, *v;
};

/* The projections alone, before heads are told apart: separate matrices only. */
struct ul_qkv ul_qkv_flat(struct ul_build *b, struct ul_tensor *cur, int il);
/* build_qkv: fused or separate, with the biases, scales and clamp that there are. */
struct ul_qkv ul_qkv_block(struct ul_build *b, struct ul_tensor *cur, int64_t n_embd_head,
                           int64_t n_head, int64_t n_head_kv, int il);
/* llama_model::get_rope_factors. */
struct ul_tensor *ul_rope_factors(struct ul_build *b, int il);
/* ggml_rope_ext or ggml_rope_multi with the model's mode: they differ in values only. */
struct ul_tensor *ul_rope_block(struct ul_build *b, struct ul_tensor *t, struct ul_tensor *factors,
                                int64_t n_rot);

/* --- feed-forward ----------------------------------------------------------------------------- */

/* What build_ffn takes. The gate is parallel to `up` (LLM_FFN_PAR) unless `sequential`. */
struct ul_ffn {
    struct ul_tensor *up, *up_b, *up_s, *gate, *gate_b, *gate_s, *down, *down_b, *down_s, *act;
    enum ul_ffn_op op;
    bool sequential;
    bool clamp_before;  /* a clamp limits the gate before the activation (maple) */
    bool clamp_fused;   /* the activation limits both (deepseek4) */
};

/* The activation UL_FFN_SITU, over a gate and what it opens. */
struct ul_tensor *ul_situ(struct ul_build *b, struct ul_tensor *gate, struct ul_tensor *up,
                          bool linear);
struct ul_tensor *ul_ffn_block(struct ul_build *b, struct ul_tensor *cur, const struct ul_ffn *f,
                               int il);
/* The ordinary tensors of a layer: weights and biases; scales when `scales`. */
struct ul_ffn ul_ffn_of(struct ul_build *b, enum ul_ffn_op op, bool scales, int il);
/* The shared experts' weights. */
struct ul_ffn ul_ffn_shexp_of(struct ul_build *b, enum ul_ffn_op op, int il);

/* What build_moe_ffn takes. */
struct ul_moe {
    struct ul_tensor *gate_inp, *gate_inp_b, *up, *up_b, *gate, *gate_b, *down, *down_b;
    struct ul_tensor *gate_up, *gate_up_b, *probs_b, *up_s, *gate_s, *down_s;
    struct ul_tensor *probs_in, *selected_in;
    int64_t n_expert, n_expert_used;
    enum ul_ffn_op op;
    enum ul_gating gating;
    bool norm_w, scale_w;    /* normalise the weights; multiply them by a scale */
    bool weight_before_ffn;  /* LLM_ARCH_LLAMA4 */
    bool select_logits;      /* experts are chosen by the raw logits (LLM_ARCH_LLAMA4) */
    bool select_sigmoid; /* ... by their sigmoid, and chunks of experts exist (LLM_ARCH_GROVEMOE) */
    bool clamp_before, clamp_fused; /* as in ul_ffn */
    bool situ_linear; /* UL_FFN_SITU: the linear part is squashed too (situ_linear_beta > 0) */
};

struct ul_tensor *ul_moe_block(struct ul_build *b, struct ul_tensor *cur, const struct ul_moe *e,
                               int il);
/* The ordinary experts of a layer, with the model's gating, counts and weights' scale. */
struct ul_moe ul_moe_of(struct ul_build *b, enum ul_ffn_op op, int il);

/* --- recurrent states ------------------------------------------------------------------------- */

struct ul_rs_inp {
    /* llm_graph_input_rs: the cells' sources; those of the batch; all but the first */
    struct ul_tensor *s_copy, *main, *extra;
};

/* build_rs_inp. Made once a graph and handed around. */
struct ul_rs_inp ul_rs_inputs(struct ul_build *b);
/* build_rs with ggml_get_rows: the states of the batch's sequences, [state_size, n_seqs], a
 * view. */
struct ul_tensor *ul_rs_block(struct ul_build *b, const struct ul_rs_inp *inp, struct ul_tensor *s,
                              int64_t state_size);
/* build_rs in two halves, for programs whose rows are fetched by another operation: the first
 * clears, the second copies what is not of this batch. */
struct ul_tensor *ul_rs_clear(struct ul_build *b, struct ul_tensor *s, int64_t state_size);
void ul_rs_copy_extra(struct ul_build *b, const struct ul_rs_inp *inp, struct ul_tensor *s,
                      struct ul_tensor *states, int64_t state_size);

/* State space layers (src/models/mamba-base.cpp): all of what stands for attention in a layer. cur:
 * [n_embd, n_tokens]; so is the result. */
struct ul_tensor *ul_mamba_block(struct ul_build *b, const struct ul_rs_inp *inp,
                                 struct ul_tensor *cur, int il);
struct ul_tensor *ul_mamba2_block(struct ul_build *b, const struct ul_rs_inp *inp,
                                  struct ul_tensor *cur, int il);
/* The selective scan over a layer's states (ggml_ssm_scan), with k snapshots of them behind its
 * result: build_rs with the scan in place of the fetching of rows, for it reads states by their
 * numbers. */
struct ul_scan {
    struct ul_tensor *x, *dt, *B, *C, *A;
    int64_t head_dim, n_head, k;
};
struct ul_tensor *ul_scan_block(struct ul_build *b, const struct ul_rs_inp *inp,
                                const struct ul_scan *s, int il);

/* Delta nets (src/models/delta-net-base.cpp): [length, heads, tokens of a sequence, sequences]
 * each, the state [length, length, heads, sequences]. */
struct ul_delta {
    struct ul_tensor *q, *k, *v, *g, *beta, *state;
};

/* build_delta_net: the output and the new state, both views. */
struct ul_tensor *ul_delta_net(struct ul_build *b, const struct ul_delta *d,
                               struct ul_tensor **state);
/* build_recurrent_attn: the same, and the new state goes into `s_all`, with snapshots of it when
 * the context keeps some. */
struct ul_tensor *ul_delta_block(struct ul_build *b, const struct ul_delta *d,
                                 struct ul_tensor *s_all);
/* build_conv_state: the input of the convolution before a delta net, which is its state followed by
 * the batch; the new state is stored. mixed: [channels, tokens of a sequence, sequences]. */
struct ul_tensor *ul_conv_state_block(struct ul_build *b, const struct ul_rs_inp *inp,
                                      struct ul_tensor *mixed, int64_t kernel, int64_t channels,
                                      int il);
/* Rows scaled to a length of one. */
struct ul_tensor *ul_l2_norm(struct ul_build *b, struct ul_tensor *t);

/* --- the head --------------------------------------------------------------------------------- */

/* The final norm (named result_norm), kept as t_embd. */
struct ul_tensor *ul_result_norm(struct ul_build *b, struct ul_tensor *cur, enum ul_norm_key kind);
/* Whether logits follow the embeddings t_embd; only then call what makes them. */
bool ul_wants_logits(struct ul_build *b);
/* The logits: output x cur with its scale and bias, f_logit_scale, final soft cap; kept as t_logits
 * and expanded. */
void ul_result_output(struct ul_build *b, struct ul_tensor *cur);

#endif
