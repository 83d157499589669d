/* The model: its dimensions, its layers, and its tensors by role. Filled from a GGUF header (or a
 * config.json), never by hand. Field names are those of llama.cpp's llama_hparams
 * (src/llama-hparams.h), so that a rule can be read beside its source. */
#ifndef UL_MODEL_MODEL_H
#define UL_MODEL_MODEL_H

#include "model/roles.h"
#include "source/gguf.h"

#define UL_MAX_LAYERS 512  /* LLAMA_MAX_LAYERS */
#define UL_MAX_EXPERTS 1024 /* LLAMA_MAX_EXPERTS */

/* A tensor that the engine makes from the file. */
struct ul_weight {
    const struct ul_gguf_tensor *t; /* name, type, ne, bytes, offset, file */
    enum ul_role role;
    enum ul_suffix suffix;          /* .weight, .bias, .scale, .input_scale ... */
    int layer;                      /* -1: not of a layer */
    bool skipped;                   /* in the file, but the engine does not load it */
    struct ul_weight *twin;         /* a tensor made twice (tied output, rope factors): see place */
};

enum ul_swa_type { UL_SWA_NONE, UL_SWA_STANDARD, UL_SWA_CHUNKED, UL_SWA_SYMMETRIC };

struct ul_layer {
    uint32_t n_head, n_head_kv, n_ff;
    bool is_swa;          /* windowed attention */
    bool is_recr;         /* keeps a recurrent state */
    bool rope;            /* rope_pattern */
    bool indexer_full;    /* is_indexer_full_impl */
    float swiglu_clamp_exp, swiglu_clamp_shexp;
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

    uint32_t n_expert, n_expert_used, n_expert_shared, n_expert_groups, n_group_used, n_group_experts;
    uint32_t n_ff_exp, n_ff_shexp, n_ff_chexp, n_layer_dense_lead, moe_every_n_layers, moe_latent_size;
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

    uint32_t indexer_n_head, indexer_head_size, indexer_top_k, indexer_block_size, indexer_local_blocks;
    uint32_t dsv4_o_group_count, dsv4_o_lora_rank, dsv4_hc_mult, dsv4_hash_layer_count;
    uint32_t n_embd_per_layer, n_altup, i_altup_act, laurel_rank, n_embd_altup;
    uint32_t n_deepstack_layers, n_cls_out, dec_n_layer, n_rel_attn_bkts;
    uint32_t n_no_rope_layer_step, n_moe_layer_step, attn_temp_length;
    float f_clamp_kqv, f_max_alibi_bias, f_logit_scale, f_residual_scale, f_embedding_scale;
    float f_attention_scale, f_attn_logit_softcapping, f_final_logit_softcapping;
    float f_router_logit_softcapping, f_attn_temp_scale;
    bool causal_attn, use_alibi, attn_soft_cap, use_kq_norm, use_par_res, swin_norm;
    int pooling_type, rope_type, rope_scaling_type;
    int rope_sections[4];
    /* Add fields as rows need them, by their llama_hparams names. */

    struct ul_weight *weights; /* in file order */
    size_t n_weights;
    uint64_t n_elements, n_bytes; /* all tensors of the file */
};

/* The tensor of a role and layer (-1: none), or NULL when the file has none or it is skipped. */
const struct ul_weight *ul_weight_of(const struct ul_model *m, enum ul_role role,
                                     enum ul_suffix suffix, int layer);

#endif
