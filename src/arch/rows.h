/* The files of rows. Each ends with a row without a name. */
#ifndef UL_ARCH_ROWS_H
#define UL_ARCH_ROWS_H

#include "arch/arch.h"

extern const struct ul_arch ul_rows_first[];  /* rows_first.c: llama to arwkv7 */
extern const struct ul_arch ul_rows_second[]; /* rows_second.c: granite and after */
extern const struct ul_arch ul_rows_newer[]; /* rows_newer.c: newer than the source that was read */

/* Layer programs (arch/prog_*.c), and the row's text for the one that has options. */
int ul_prog_dense(struct ul_build *b);
int ul_prog_hrm(struct ul_build *b);
int ul_prog_mamba(struct ul_build *b); /* prog_mamba.c, and the next four */
int ul_prog_mamba2(struct ul_build *b);
int ul_prog_jamba(struct ul_build *b);
int ul_prog_falcon_h1(struct ul_build *b);
int ul_prog_nemotron_h(struct ul_build *b);
int ul_prog_granite_hybrid(struct ul_build *b);
int ul_prog_deepseek2(struct ul_build *b);
int ul_prog_minicpm3(struct ul_build *b);
int ul_prog_plm(struct ul_build *b);
int ul_prog_sparse(struct ul_build *b);
int ul_prog_qwen3next(struct ul_build *b); /* prog_delta.c, and the next */
int ul_prog_qwen35(struct ul_build *b);
int ul_prog_bert(struct ul_build *b);
int ul_prog_plamo2(struct ul_build *b);
int ul_prog_lfm2(struct ul_build *b);
int ul_prog_minimax01(struct ul_build *b);
int ul_prog_hy4(struct ul_build *b);
int ul_prog_glm5_next(struct ul_build *b);
int ul_prog_qwen4exp(struct ul_build *b);
int ul_prog_dsv4(struct ul_build *b);
int ul_prog_msa(struct ul_build *b);
int ul_prog_kimi_linear(struct ul_build *b);
int ul_prog_kimi_k3(struct ul_build *b);
int ul_prog_bailingmoe3(struct ul_build *b);
int ul_prog_rwkv6(struct ul_build *b); /* prog_rwkv.c, and the next three */
int ul_prog_rwkv6qwen2(struct ul_build *b);
int ul_prog_rwkv7(struct ul_build *b);
int ul_prog_arwkv7(struct ul_build *b);
/* Programs of draft heads. */
int ul_head_qwen3next(struct ul_build *b);
int ul_head_qwen35(struct ul_build *b);
int ul_head_deepseek2(struct ul_build *b);
int ul_head_dense(struct ul_build *b);
#define UL_DENSE(...) .build = ul_prog_dense, .dense = {__VA_ARGS__}
#define UL_BERT(...) .build = ul_prog_bert, .dense = {__VA_ARGS__}

/* Families with parts of their own. */
int ul_prog_gemma3n(struct ul_build *b); /* prog_gemma.c, and the next two */
int ul_prog_gemma4(struct ul_build *b);
int ul_prog_gemma_embedding2(struct ul_build *b);
int ul_prog_t5(struct ul_build *b);      /* prog_t5.c, and the next */
int ul_prog_t5encoder(struct ul_build *b);
int ul_prog_chameleon(struct ul_build *b);
int ul_prog_wavtokenizer(struct ul_build *b);
int ul_prog_granite_switch(struct ul_build *b);

/* Filters of caches and states (rows_common.c). */
bool ul_trunk_only(const struct ul_model *m, uint32_t il);    /* not the draft head's layers */
bool ul_not_recurrent(const struct ul_model *m, uint32_t il); /* llama_memory_hybrid's default */
bool ul_recurrent(const struct ul_model *m, uint32_t il);
bool ul_has_kv_hybrid(const struct ul_model *m, uint32_t il); /* the same, without the draft head */
bool ul_has_state_hybrid(const struct ul_model *m, uint32_t il);
bool ul_indexer_full(const struct ul_model *m, uint32_t il);

/* Readings that several rows have (rows_common.c). */
void ul_recurrent_without_heads(struct ul_keys *k, struct ul_model *m);
void ul_read_rope_sections(struct ul_keys *k, struct ul_model *m);    /* when there are some */
void ul_hparams_rope_sections(struct ul_keys *k, struct ul_model *m); /* required */
void ul_gating_sigmoid(struct ul_model *m); /* unless a key says otherwise */
void ul_hparams_gating_sigmoid(struct ul_keys *k, struct ul_model *m);
void ul_hparams_delta_net(struct ul_keys *k, struct ul_model *m);
void ul_tensors_delta_net(struct ul_model *m, struct ul_arena *a);
void ul_hparams_deepseek2(struct ul_keys *k, struct ul_model *m);

/* Keys that many rows read. */
#define LATENT_KEYS                                                            \
    UL_REQ(U32, "attention.kv_lora_rank", n_lora_kv),                          \
    UL_OPT(U32, "attention.key_length_mla", n_embd_head_k_mla_impl),           \
    UL_OPT(U32, "attention.value_length_mla", n_embd_head_v_mla_impl)
#define EXPERT_SCALE_KEYS                                                      \
    UL_OPT(F32, "expert_weights_scale", expert_weights_scale),                 \
    UL_OPT(BOOL, "expert_weights_norm", expert_weights_norm)
#define INDEXER_KEYS                                                           \
    UL_REQ(U32, "attention.indexer.head_count", indexer_n_head),               \
    UL_REQ(U32, "attention.indexer.key_length", indexer_head_size),            \
    UL_REQ(U32, "attention.indexer.top_k", indexer_top_k)
#define DENSE_LEAD_KEY UL_OPT(U32, "leading_dense_block_count", n_layer_dense_lead)
#define FF_EXP_KEY UL_OPT(U32, "expert_feed_forward_length", n_ff_exp)
#define NEED_FF_EXP_KEY UL_REQ(U32, "expert_feed_forward_length", n_ff_exp)
#define FF_SHEXP_KEY UL_OPT(U32, "expert_shared_feed_forward_length", n_ff_shexp)
#define SHARED_KEY UL_OPT(U32, "expert_shared_count", n_expert_shared)
#define NEED_SHARED_KEY UL_REQ(U32, "expert_shared_count", n_expert_shared)
#define GATING_KEY UL_OPT(U32, "expert_gating_func", expert_gating_func)

#endif
