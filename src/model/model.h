/* The model: its dimensions, its layers, and its tensors by role. Filled from a GGUF header (or a
 * config.json), never by hand. Field names are those of llama.cpp's llama_hparams
 * (src/llama-hparams.h), so that a rule can be read beside its source. */
#ifndef UL_MODEL_MODEL_H
#define UL_MODEL_MODEL_H

#include "model/roles.h"
#include "source/gguf.h"

#define UL_MAX_LAYERS 512  /* LLAMA_MAX_LAYERS */
#define UL_MAX_EXPERTS 1024 /* LLAMA_MAX_EXPERTS */

/* A tensor of the file, and what the engine makes of it. */
struct ul_weight {
    const struct ul_gguf_tensor *t; /* name, type, ne, bytes, offset, file */
    uint16_t role;                  /* enum ul_role */
    uint8_t suffix;                 /* enum ul_suffix: .weight, .bias, .scale, .input_scale ... */
    int16_t layer;                  /* the layer it is placed with; -1: none. Repeating roles with
                                     * none in their names (token_embd_norm, rope_freqs) have 0 */
    uint32_t key;                   /* role, suffix and layer in one number: see model.c */
    bool skipped;                   /* in the file, but the engine does not load it */
    bool unknown;                   /* no name that the engine knows: it would refuse the file */
    bool per_layer;                 /* rope factors: made once in each buffer type of the layers
                                     * with ul_layer.rope_factors set; llama-model-loader.cpp:
                                     * create_tensor, TENSOR_DUPLICATED */
    struct ul_weight *twin;         /* the same tensor made a second time in another role (a tied
                                     * output), unless both land in one buffer type; else NULL */
};

enum ul_swa_type { UL_SWA_NONE, UL_SWA_STANDARD, UL_SWA_CHUNKED, UL_SWA_SYMMETRIC };

/* The numbers are llama.h's. */
enum ul_rope_type {
    UL_ROPE_NONE = -1, UL_ROPE_NORM = 0, UL_ROPE_NEOX = 2, UL_ROPE_MROPE = 8, UL_ROPE_VISION = 24,
    UL_ROPE_IMROPE = 40
};
enum ul_rope_scaling {
    UL_ROPE_SCALING_NONE, UL_ROPE_SCALING_LINEAR, UL_ROPE_SCALING_YARN, UL_ROPE_SCALING_LONGROPE
};
enum ul_pooling {
    UL_POOLING_UNSPECIFIED = -1, UL_POOLING_NONE, UL_POOLING_MEAN, UL_POOLING_CLS, UL_POOLING_LAST,
    UL_POOLING_RANK
};
enum ul_gating { UL_GATING_NONE, UL_GATING_SOFTMAX, UL_GATING_SIGMOID, UL_GATING_SOFTMAX_WEIGHT,
                 UL_GATING_SQRT_SOFTPLUS };

struct ul_layer {
    uint32_t n_head, n_head_kv, n_ff;
    bool is_swa;          /* windowed attention */
    bool is_recr;         /* keeps a recurrent state */
    bool rope;            /* rope_pattern */
    bool rope_factors;    /* holds the file's rope factors (ul_weight.per_layer) */
    bool indexer_full;    /* is_indexer_full_impl */
    float swiglu_clamp_exp, swiglu_clamp_shexp;
    float xielu_alpha_n, xielu_alpha_p, xielu_beta, xielu_eps;
    uint32_t dsv4_compress_ratio;
    int32_t deepstack;    /* deepstack_mapping_arr: -1 none */
};

struct ul_model {
    const struct ul_gguf *file;
    struct ul_str arch_name, name;
    const struct ul_arch *arch;  /* its row of the table (arch/arch.h) */

    uint32_t n_ctx_train, n_embd, n_vocab;
    uint32_t n_layer_all, n_layer_nextn; /* n_layer_all counts the nextn (MTP) layers too */
    uint32_t n_layer;                    /* n_layer_all - n_layer_nextn: hparams.n_layer() */
    struct ul_layer *layer;              /* n_layer_all of them */

    uint32_t n_expert, n_expert_used, n_expert_shared;
    uint32_t n_expert_groups, n_group_used, n_group_experts;
    uint32_t n_ff_exp, n_ff_shexp, n_ff_chexp;
    uint32_t n_layer_dense_lead, moe_every_n_layers, moe_latent_size;
    uint32_t expert_gating_func;
    bool expert_weights_norm;
    float expert_weights_scale, expert_group_scale;

    uint32_t n_embd_head_k_full, n_embd_head_v_full, n_embd_head_k_swa, n_embd_head_v_swa;
    uint32_t n_rot_full, n_rot_swa;
    uint32_t n_embd_head_k_mla_impl, n_embd_head_v_mla_impl;
    uint32_t n_lora_q, n_lora_kv, n_lora_kv_swa, n_embd_head_k_mla_swa, n_embd_head_v_mla_swa;
    uint32_t n_embd_inp, n_embd_out, n_embd_inp_enc; /* as the getters give them */

    enum ul_swa_type swa_type;
    uint32_t n_swa;
    int32_t n_layer_kv_from_start;       /* -1: all layers own a cache */

    uint32_t ssm_d_conv, ssm_d_inner, ssm_d_state, ssm_dt_rank, ssm_n_group;
    bool ssm_dt_b_c_rms;
    uint32_t n_shortconv_l_cache, n_embd_head_kda, n_embd_head_la;
    uint32_t wkv_head_size, token_shift_count, time_mix_extra_dim, time_decay_extra_dim;
    uint32_t n_lora_decay, n_lora_iclr, n_lora_value_res_mix, n_lora_gate, rescale_every_n_layers;

    uint32_t indexer_n_head, indexer_head_size, indexer_top_k;
    uint32_t indexer_block_size, indexer_local_blocks;
    uint32_t dsv4_o_group_count, dsv4_o_lora_rank, dsv4_hc_mult, dsv4_hash_layer_count;
    uint32_t n_embd_per_layer, n_altup, i_altup_act, laurel_rank, n_embd_altup;
    uint32_t n_deepstack_layers, n_cls_out, dec_n_layer, n_rel_attn_bkts;
    uint32_t n_no_rope_layer_step, n_moe_layer_step, attn_temp_length;
    float f_clamp_kqv, f_max_alibi_bias, f_logit_scale, f_residual_scale, f_embedding_scale;
    float f_attention_scale, f_attn_logit_softcapping, f_final_logit_softcapping;
    float f_router_logit_softcapping, f_attn_temp_scale;
    bool causal_attn, use_alibi, attn_soft_cap, use_kq_norm, use_par_res, swin_norm;
    int pooling_type;      /* enum ul_pooling */
    int rope_type;         /* enum ul_rope_type */
    int rope_scaling_type; /* enum ul_rope_scaling */
    int rope_sections[4];
    float f_norm_eps, f_norm_rms_eps, f_norm_group_eps, f_attn_out_scale, f_attn_value_scale;
    float rope_freq_base_train, rope_freq_scale_train, rope_freq_base_train_swa;
    float rope_freq_scale_train_swa, rope_attn_factor, rope_scaling_alpha, rope_yarn_log_mul;
    float yarn_ext_factor, yarn_attn_factor, yarn_beta_fast, yarn_beta_slow;
    float kda_gate_lower_bound, situ_beta, situ_linear_beta, f_attn_temp_offset;
    float dsv4_compress_rope_base, dsv4_hc_eps;
    uint32_t n_ctx_orig_yarn, n_norm_groups, n_expert_latent, attn_res_block_size;
    uint32_t n_attn_temp_floor_scale, dsv4_hc_sinkhorn_iters;
    uint32_t n_embd_out_impl, n_embd_inp_impl, n_embd_inp_enc_impl; /* 0: the getters' default */
    uint32_t dense_2_feat_in, dense_2_feat_out, dense_3_feat_in, dense_3_feat_out;
    uint32_t posnet_n_embd, posnet_n_layer, convnext_n_embd, convnext_n_layer;
    bool skip_loop_final_norm;           /* no final norm between two turns */
    uint32_t num_loops;                  /* layers run this often (0, 1: once) */
    uint32_t n_layer_phys; /* layers with weights, when the rest repeats them; else 0 */
    int32_t router_layer;                /* granite-switch; -1: none */
    uint32_t indexer_kpool, indexer_parts; /* parts 0: the row's */
    bool no_pool_tail;                   /* kpool_select_tail says false */
    uint32_t ple_conv_kernel, ple_ngram_size, ple_heads_per_ngram, hc_low_rank; /* qwen4exp */
    int32_t ple_layer;                   /* -1: none */
    uint32_t hrm_layers_per_stack, hrm_h_cycles, hrm_l_cycles;
    uint32_t n_adapters, max_lora_rank;  /* granite-switch */
    bool rope_finetuned, kda_safe_gate, norm_before_residual, norm_before_fc;
    struct ul_str hidden_act;            /* "": the architecture's own */
    struct ul_str cls_act;               /* of a ranking model's classifier; "": the same */
    int cls_pooling;                     /* enum ul_pooling; -1: the architecture's own */
    /* Add fields as rows need them, by their llama_hparams names. */

    bool load_mtp;             /* the draft head's layers are loaded too (--spec-type draft-mtp) */
    uint32_t old_latent;       /* an old conversion that keeps full keys and values where the newer
                                * form keeps a latent: how many times larger, x 100; 0: no */
    const char *file_type;     /* as the engine prints it: "Q4_K - Medium", "(guessed) F16" */
    size_t n_unknown;          /* tensors that the engine does not know: it would refuse the file */
    const char *refusal;       /* a reason for which the engine refuses the file, or NULL */

    struct ul_weight *weights; /* in file order; twins are not among them */
    size_t n_weights;
    uint64_t n_elements, n_bytes; /* all tensors of the file */
    const struct ul_weight **index; /* by role, suffix and layer: ul_weight_of */
    uint32_t index_mask;
};

/* The tensor of a role and layer (-1: none), or NULL when the file has none or it is skipped. A
 * role whose name says no layer is found with any. */
const struct ul_weight *ul_weight_of(const struct ul_model *m, enum ul_role role,
                                     enum ul_suffix suffix, int layer);

/* The operation that decides which buffer type can hold it: its role's, but biases are added.
 * Source: src/llama-model-loader.cpp, create_tensor. */
enum ul_use ul_weight_use(const struct ul_model *m, const struct ul_weight *w);

/* The getters of src/llama-hparams.cpp. Layers are 0 .. n_layer_all-1. */
uint32_t ul_n_embd_head_k(const struct ul_model *m, uint32_t il);
uint32_t ul_n_embd_head_v(const struct ul_model *m, uint32_t il);
uint32_t ul_n_embd_k_gqa(const struct ul_model *m, uint32_t il);
uint32_t ul_n_embd_v_gqa(const struct ul_model *m, uint32_t il);
uint32_t ul_n_embd_k_gqa_max(const struct ul_model *m);
uint32_t ul_n_embd_v_gqa_max(const struct ul_model *m);
bool ul_n_embd_k_gqa_variable(const struct ul_model *m);
bool ul_n_embd_v_gqa_variable(const struct ul_model *m);
uint32_t ul_n_gqa(const struct ul_model *m, uint32_t il);
uint32_t ul_n_rot(const struct ul_model *m, uint32_t il);
uint64_t ul_n_embd_r(const struct ul_model *m); /* the rolling state of one sequence and layer */
uint64_t ul_n_embd_s(const struct ul_model *m); /* the recurrent state */
bool ul_is_mla(const struct ul_model *m);
uint32_t ul_n_embd_head_k_mla(const struct ul_model *m);
uint32_t ul_n_embd_head_v_mla(const struct ul_model *m);
bool ul_has_kv(const struct ul_model *m, uint32_t il); /* hparams.has_kv: not the row's filter */
bool ul_has_rope(const struct ul_model *m, uint32_t il);
bool ul_is_swa_any(const struct ul_model *m);
uint32_t ul_n_pos_per_embd(const struct ul_model *m);

/* Pattern setters: every n-th layer is dense, or with dense_first every layer but each n-th.
 * Source: llama_hparams::set_swa_pattern and set_recr_pattern. */
void ul_set_swa_pattern(struct ul_model *m, uint32_t n_pattern, bool dense_first);
void ul_set_recr_pattern(struct ul_model *m, uint32_t n_pattern, bool dense_first);

/* Sets name, role, suffix and layer of all tensors, the index, and the sums. */
void ul_model_weights(struct ul_model *m, const struct ul_gguf *g, struct ul_arena *a);
/* Builds ul_weight_of's index; again after roles or skips changed. */
void ul_model_index(struct ul_model *m, struct ul_arena *a);
/* Makes `w` a second time as `role`, without a layer. */
void ul_model_tie(struct ul_weight *w, enum ul_role role, struct ul_arena *a);

#endif
