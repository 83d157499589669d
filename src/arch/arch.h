/* THE TABLE: one row an architecture. A row says how its hyper-parameters are read beyond the
 * common ones, which memory its layers keep, and which layer program builds its graph. No file
 * outside src/arch/ compares an architecture's name. */
#ifndef UL_ARCH_ARCH_H
#define UL_ARCH_ARCH_H

#include "arch/options.h"
#include "graph/graph.h"
#include "model/keys.h"

#include <stddef.h>

/* The memory module that llama_model::create_memory (src/llama-model.cpp) makes. */
enum ul_memory {
    UL_MEMORY_NONE,         /* encoders, diffusion models */
    UL_MEMORY_KV,           /* llama_kv_cache, or llama_kv_cache_iswa when the model has windows */
    UL_MEMORY_RECURRENT,    /* llama_memory_recurrent */
    UL_MEMORY_HYBRID,       /* llama_memory_hybrid, or _iswa when the model has windows */
    UL_MEMORY_DSA,          /* llama_kv_cache_dsa */
    UL_MEMORY_DSA_ISWA,     /* llama_kv_cache_dsa_iswa */
    UL_MEMORY_MSA,          /* llama_kv_cache_msa */
    UL_MEMORY_DSV4          /* llama_kv_cache_dsv4 */
};

/* An adapter's two matrices beside the weight that they change; `place` indexes the buffer
 * types. */
struct ul_adapter_pair {
    const struct ul_weight *weight;
    const struct ul_gguf_tensor *a, *b;
    int place;
    struct ul_adapter_pair *next;
};

/* The context's resolved parameters: llama_cparams (src/llama-cparams.h). */
struct ul_cparams {
    uint32_t n_ctx, n_ctx_seq, n_batch, n_ubatch, n_seq_max, n_rs_seq;
    uint32_t n_outputs_max, n_outputs_max_per_seq;
    enum ul_type type_k, type_v;
    bool probe_fa; /* flash attention stays on only if the graph puts it on its layers' devices */
    bool embeddings, causal_attn, offload_kqv, flash_attn, op_offload, kv_unified, swa_full;
    bool v_trans; /* caches keep values transposed: flash attention is off, and not by itself */
    bool pipeline_parallel;
    bool mtp;                /* the draft head's own context (LLAMA_CONTEXT_TYPE_MTP) */
    uint32_t draft_top_k; /* the draft is sampled on the device: so many candidates; 0: it is not */
    bool keeps_hidden_rows;  /* rows of hidden states are kept beside the logits (embd_nextn) */
    struct ul_adapter_pair *adapters,
        **adapters_end;              /* in the order in which they act; NULL: none */
    int control_first, control_last; /* layers whose output a control vector is added to */
    const int16_t *control_place;    /* by layer: its buffer type; NULL: no control vectors */
    bool fused_gdn_ar, fused_gdn_ch, fused_lid, fused_dsv4_hc_pre, fused_dsv4_hc_comb,
        fused_dsv4_hc_post;
    int pooling_type;
};

struct ul_build; /* arch/build.h: a graph being built */

/* A key that a row reads into a field of the model. */
enum ul_key_kind { UL_KEY_U32, UL_KEY_F32, UL_KEY_BOOL, UL_KEY_STR };
struct ul_key_spec {
    const char *name;    /* without the architecture */
    uint16_t field;      /* offset in struct ul_model */
    uint8_t kind;        /* enum ul_key_kind */
    bool required;
};
#define UL_OPT(kind, name, member) {name, offsetof(struct ul_model, member), UL_KEY_##kind, false}
#define UL_REQ(kind, name, member) {name, offsetof(struct ul_model, member), UL_KEY_##kind, true}
#define UL_KEYS(...) (const struct ul_key_spec[]){__VA_ARGS__, {0}}
/* The keys of a state space layer (Mamba, delta nets); the group count is a key of its own. */
#define UL_SSM_KEYS \
    UL_REQ(U32, "ssm.conv_kernel", ssm_d_conv), UL_REQ(U32, "ssm.inner_size", ssm_d_inner), \
    UL_REQ(U32, "ssm.state_size", ssm_d_state), UL_REQ(U32, "ssm.time_step_rank", ssm_dt_rank)
#define UL_SSM_GROUP_KEY UL_REQ(U32, "ssm.group_count", ssm_n_group)

/* The required epsilon key: attention.layer_norm_epsilon or layer_norm_rms_epsilon. */
enum ul_norm_key { UL_NORM_NO_KEY, UL_NORM_LAYER, UL_NORM_RMS };

/* Sliding windows. `when` says for which files; then attention.sliding_window gives the size (a
 * default: the key may be missing) and the pattern says which layers have one:
 * attention.sliding_window_pattern as a period, or layer by layer. */
enum ul_window_when { UL_WINDOW_NEVER, UL_WINDOW_IF_SET, UL_WINDOW_ALWAYS };
struct ul_window_rule {
    uint8_t when;        /* enum ul_window_when */
    uint8_t type;        /* enum ul_swa_type */
    bool dense_first;
    bool per_layer;      /* the pattern is required, layer by layer */
    bool same_rope;      /* windowed layers rotate as the others when no key says otherwise */
    uint32_t period;     /* the default */
    uint32_t n_swa;      /* the default; 0: the key is required */
};

/* What happens to the output matrix when the file has none. */
enum ul_tied {
    UL_TIED_IF_MISSING,  /* the token embedding is made a second time */
    UL_TIED_ALWAYS,      /* the same, and output.weight is not even looked for */
    UL_TIED_NEVER,       /* output.weight is required */
    UL_TIED_NO_OUTPUT    /* the architecture has no such matrix */
};

/* The trailing layers of %s.nextn_predict_layers, a draft head. */
enum ul_nextn {
    UL_NEXTN_NONE,       /* no draft head: such layers are tensors that the engine does not know */
    UL_NEXTN_SKIPPED,    /* never loaded */
    UL_NEXTN_DRAFT,      /* loaded with --spec-type draft-mtp only (model_params.load_mtp) */
    UL_NEXTN_LOADED      /* always loaded */
};

struct ul_role_ref {
    enum ul_role role;
    enum ul_suffix suffix;
};
#define UL_ROLES(...) (const struct ul_role_ref[]){__VA_ARGS__, {UL_ROLE_UNKNOWN, UL_WEIGHT}}

struct ul_arch {
    const char *name;
    enum ul_memory memory;
    enum ul_rope_type rope_type; /* llama_model_rope_type; a function may change it */
    enum ul_norm_key norm;
    enum ul_tied tied;
    enum ul_nextn nextn;
    bool one_expert_is_dense; /* an expert count of 1 means none (hunyuan) */
    bool adds_layers; /* `hparams` makes more layers than the file counts, up to UL_MAX_LAYERS */
    bool bare_layers;        /* layers may be without tensors (they share, or only count) */
    bool draft_only;         /* llama_init_from_model refuses it without the model it drafts for */
    bool drafts_blocks; /* a draft model that fills a block at once (--spec-type draft-dflash) */
    bool rope_is_head;       /* the rotated part must be the whole key (llama, deci, falcon) */
    const struct ul_key_spec *keys;
    /* Tensors of a draft head that are loaded even when it is skipped (the engine's flags miss
     * them); ends with UL_ROLE_UNKNOWN. */
    const struct ul_role_ref *draft_kept;
    struct ul_window_rule window;
    /* What tables cannot say, after all keys above are read (load_arch_hparams). NULL: nothing. */
    void (*hparams)(struct ul_keys *k, struct ul_model *m);
    /* After roles are known: renames roles, skips tensors, ties others (load_arch_tensors). */
    void (*tensors)(struct ul_model *m, struct ul_arena *a);
    /* Layers that hold the file's rope factors; NULL: all but the draft head's. */
    bool (*rope_factors)(const struct ul_model *m, uint32_t il);
    /* Which layers own keys and values, and which a state; NULL: all. Layers are
     * 0..n_layer_all-1. */
    bool (*has_kv)(const struct ul_model *m, uint32_t il);
    bool (*has_state)(const struct ul_model *m, uint32_t il);
    /* The layer whose matrices, norms and biases this layer uses (.scale tensors are its own);
     * NULL: its own. For stacks that run in turns. */
    uint32_t (*weights_layer)(const struct ul_model *m, uint32_t il);
    /* The layer whose cache this layer uses, or -1. NULL: none shares. */
    int (*reuses)(const struct ul_model *m, uint32_t il);
    /* Which layers own an indexer cache (DSA, MSA, hybrids with indexer_parts); NULL: all trunk
     * layers, with MSA those past the leading dense ones. */
    bool (*has_indexer)(const struct ul_model *m, uint32_t il);
    /* Keys that an indexer cache row holds, in units of indexer_head_size: 0 means one. The model's
     * own indexer_parts goes before it. */
    uint8_t indexer_parts;
    /* Values of a layer's third recurrent state besides R and S; NULL: none. */
    uint32_t (*n_embd_p)(const struct ul_model *m, uint32_t il);
    bool no_flash_attn;      /* llama_init_from_model forces it off (grok) */
    bool flash_attn_aborts;  /* its graph fails ggml's assertions unless -fa is off (plm) */
    bool has_encoder;        /* llama_model_has_encoder: outputs are reserved for a whole batch */
    bool outputs_embd;       /* output_reserve keeps embeddings whatever --embedding says (t5) */
    bool mirrored_state; /* -sm tensor: every device holds the whole state (LFM2's convolution) */
    bool grouped_state;      /* -sm tensor: R and S are split by key heads (qwen35) */
    bool whole_everywhere;   /* -sm tensor: every device holds all weights and caches (hrm_text) */
    bool rolls_back;         /* keeps its states before each token of a draft
                              * (llm_arch_supports_rs_rollback) */
    bool no_tensor_split;    /* -sm tensor is "not implemented" (llm_arch_supports_sm_tensor) */
    bool gated_q;    /* -sm tensor: attn_q holds a gate too (qwen3next, qwen35, qwen35moe) */
    bool tied_twice; /* a tied output is made before the embedding, so that both exist even in
                      * one buffer type (gemma3n, gemma4) */
    bool lazy_per_layer;     /* -lzm: per_layer_token_embd can stay on disk (gemma4, qwen4exp) */
    bool no_mixed_input;     /* no way in for batches that mix tokens and embeddings (cogvlm) */
    bool reserves_one_seq;    /* the engine's last reservation is a batch of one sequence */
    bool exact_down;         /* the experts' last product must not round its input
                                (ggml_prec_set_src), for which CUDA has no kernel */
    bool resolves_fused;     /* its graph notes fused operations that may have to be spelled out */
    bool rotates_index;      /* an indexer's keys are rotated always, not only when quantised */
    bool rank_mean; /* ranking pools the mean, and its classifier has a GELU (modern-bert) */
    bool rank_soft_max;      /* ranking ends in a soft max (qwen3, qwen3vl) */
    /* Builds the graph; NULL: weights and caches only. */
    int (*build)(struct ul_build *b);
    /* The same for the draft head's context; NULL: not known, or there is no such head. */
    int (*build_mtp)(struct ul_build *b);
    struct ul_dense dense;   /* what ul_prog_dense varies in */
};

/* The row of an architecture's name, or NULL. */
const struct ul_arch *ul_arch_find(struct ul_str name);
/* Rows in the engine's order, for `ullage archs`. NULL past the last. */
const struct ul_arch *ul_arch_at(size_t i);

/* How a model is read besides its file. Zero is the plain server's way. */
struct ul_model_options {
    const struct ul_kv_override *overrides; /* --override-kv, in order */
    size_t n_overrides;
    bool load_mtp;                          /* --spec-type draft-mtp */
};

/* Whether a layer owns keys and values, and whether it keeps a recurrent state: the row's filters
 * over those of create_memory (src/llama-model.cpp). The third joins both: enum
 * ullage_layer_kind. */
bool ul_layer_keeps_kv(const struct ul_model *m, uint32_t il);
bool ul_layer_keeps_state(const struct ul_model *m, uint32_t il);
int ul_layer_kind(const struct ul_model *m, uint32_t il);

/* How far plans of an architecture go: "exact" when every recorded run of the engine agrees in
 * every buffer, "modelled" when its graph is built but not all of them do or none is recorded,
 * "draft model: not by itself" when the engine refuses to run it alone, else "weights and cache
 * only"; and how many runs are recorded and exact. */
const char *ul_arch_status(const struct ul_arch *arch);
bool ul_arch_exact(const struct ul_arch *arch);
void ul_arch_recorded(const struct ul_arch *arch, uint32_t *rows, uint32_t *exact);

/* Fills a model from a header: common keys, the row's own, tensors by role. `opt` may be NULL.
 * Errors: INPUT (a key is missing, has the wrong type or length, or contradicts another), UNKNOWN
 * (no such architecture). */
int ul_model_load(struct ul_model *m, const struct ul_gguf *g, const struct ul_model_options *opt,
                  struct ul_arena *a, ullage_error *err);

/* Helpers that rows share (load_arch_hparams of several architectures). */
void ul_read_swa_pattern(struct ul_keys *k, struct ul_model *m, uint32_t period, bool dense_first);
void ul_rename_role(struct ul_model *m, enum ul_role from, enum ul_role to);

#endif
