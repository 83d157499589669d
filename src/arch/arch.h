/* THE TABLE: one row an architecture. A row says how its hyper-parameters are read beyond the
 * common ones, which memory its layers keep, and which layer program builds its graph. No file
 * outside src/arch/ compares an architecture's name. */
#ifndef UL_ARCH_ARCH_H
#define UL_ARCH_ARCH_H

#include "graph/graph.h"
#include "model/model.h"

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

/* The context's resolved parameters: llama_cparams (src/llama-cparams.h). */
struct ul_cparams {
    uint32_t n_ctx, n_ctx_seq, n_batch, n_ubatch, n_seq_max, n_rs_seq;
    uint32_t n_outputs_max, n_outputs_max_per_seq;
    enum ul_type type_k, type_v;
    bool embeddings, causal_attn, offload_kqv, flash_attn, op_offload, kv_unified, swa_full;
    bool pipeline_parallel;
    bool fused_gdn_ar, fused_gdn_ch, fused_lid, fused_dsv4_hc_pre, fused_dsv4_hc_comb, fused_dsv4_hc_post;
    int pooling_type;
};

struct ul_build; /* arch/build.h: a graph being built */

struct ul_arch {
    const char *name;
    enum ul_memory memory;
    /* Reads what the common keys do not say (load_arch_hparams), and marks tensors that the engine
     * skips or makes twice. NULL: nothing. */
    int (*hparams)(struct ul_model *m, ullage_error *err);
    /* Which layers own keys and values, and which a state; NULL: all. Layers are 0..n_layer_all-1. */
    bool (*has_kv)(const struct ul_model *m, uint32_t il);
    bool (*has_state)(const struct ul_model *m, uint32_t il);
    /* The layer whose cache this layer uses, or -1. NULL: none shares. */
    int (*reuses)(const struct ul_model *m, uint32_t il);
    /* Which layers own an indexer cache (DSA, MSA, hybrids with indexer_parts); NULL: all trunk
     * layers, with MSA those past the leading dense ones. */
    bool (*has_indexer)(const struct ul_model *m, uint32_t il);
    /* Keys that an indexer cache row holds, in units of indexer_head_size: 0 means one. */
    uint8_t indexer_parts;
    /* Values of a layer's third recurrent state besides R and S; NULL: none. */
    uint32_t (*n_embd_p)(const struct ul_model *m, uint32_t il);
    bool no_flash_attn;      /* llama_init_from_model forces it off (grok) */
    bool has_encoder;        /* llama_model_has_encoder: outputs are reserved for a whole batch */
    bool outputs_embd;       /* output_reserve keeps embeddings whatever --embedding says (t5) */
    bool mirrored_state;     /* -sm tensor: every device holds the whole state (LFM2's convolution) */
    bool grouped_state;      /* -sm tensor: R and S are split by key heads (qwen35) */
    bool no_tensor_split;    /* -sm tensor is "not implemented" (llm_arch_supports_sm_tensor) */
    bool gated_q;            /* -sm tensor: attn_q holds a gate too (qwen3next, qwen35, qwen35moe) */
    bool lazy_per_layer;     /* -lzm: per_layer_token_embd can stay on disk (gemma4, qwen4exp) */
    /* Builds the graph; NULL: weights and caches only. */
    int (*build)(struct ul_build *b);
};

/* The row of an architecture's name, or NULL. */
const struct ul_arch *ul_arch_find(struct ul_str name);
/* Rows in the engine's order, for `ullage archs`. */
const struct ul_arch *ul_arch_at(size_t i);

/* Fills a model from a header: common keys, the row's own, tensors by role. Errors: INPUT (a key is
 * missing, has the wrong type or length, or contradicts another), UNKNOWN (no such architecture). */
int ul_model_load(struct ul_model *m, const struct ul_gguf *g, struct ul_arena *a, ullage_error *err);

#endif
