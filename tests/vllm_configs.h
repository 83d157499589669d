/* The dimensions of models by their published config.json files, as far as caches depend on them. */
#ifndef VLLM_CONFIGS_H
#define VLLM_CONFIGS_H

#define DIMS(hidden, layers, heads, kv) \
    "\"hidden_size\":" #hidden ",\"num_hidden_layers\":" #layers ",\"num_attention_heads\":" #heads \
    ",\"num_key_value_heads\":" #kv
#define MODEL(class, rest) "{\"architectures\":[\"" class "\"]," rest "}"

#define QWEN25_1_5B \
    MODEL("Qwen2ForCausalLM", DIMS(1536, 28, 12, 2) ",\"intermediate_size\":8960," \
          "\"vocab_size\":151936,\"sliding_window\":32768,\"use_sliding_window\":false," \
          "\"tie_word_embeddings\":true,\"max_position_embeddings\":32768")
#define LLAMA_8B \
    MODEL("LlamaForCausalLM", DIMS(4096, 32, 32, 8) ",\"intermediate_size\":14336," \
          "\"vocab_size\":128256,\"attention_bias\":false,\"tie_word_embeddings\":false," \
          "\"rope_scaling\":{\"rope_type\":\"llama3\",\"factor\":8.0," \
          "\"original_max_position_embeddings\":8192},\"max_position_embeddings\":131072")
#define QWEN3(hidden, layers, heads) \
    MODEL("Qwen3ForCausalLM", DIMS(hidden, layers, heads, 8) ",\"head_dim\":128," \
          "\"use_sliding_window\":false,\"sliding_window\":null,\"max_position_embeddings\":40960")
#define QWEN3_235B \
    MODEL("Qwen3MoeForCausalLM", DIMS(4096, 94, 64, 4) ",\"head_dim\":128,\"num_experts\":128," \
          "\"max_position_embeddings\":40960")
#define MINIMAX_M2 \
    MODEL("MiniMaxM2ForCausalLM", DIMS(3072, 62, 48, 8) ",\"head_dim\":128," \
          "\"num_local_experts\":256,\"max_position_embeddings\":204800")
#define LATENTS "\"kv_lora_rank\":512,\"qk_rope_head_dim\":64,\"qk_nope_head_dim\":128,\"v_head_dim\":128"
#define KIMI_K2 \
    MODEL("DeepseekV3ForCausalLM", DIMS(7168, 61, 64, 64) "," LATENTS ",\"n_routed_experts\":384," \
          "\"max_position_embeddings\":262144")
#define GLM_52 \
    MODEL("GlmMoeDsaForCausalLM", DIMS(6144, 78, 64, 64) "," LATENTS ",\"n_routed_experts\":256," \
          "\"index_topk\":2048,\"index_head_dim\":128,\"index_topk_freq\":4," \
          "\"max_position_embeddings\":1048576")
#define DELTA(k_heads, v_heads) \
    "\"linear_num_key_heads\":" #k_heads ",\"linear_num_value_heads\":" #v_heads \
    ",\"linear_key_head_dim\":128,\"linear_value_head_dim\":128,\"linear_conv_kernel_dim\":4," \
    "\"mamba_ssm_dtype\":\"float32\",\"head_dim\":256,\"full_attention_interval\":4," \
    "\"mtp_num_hidden_layers\":1,\"max_position_embeddings\":262144"
#define QWEN36_35B \
    MODEL("Qwen3_5MoeForConditionalGeneration", "\"text_config\":{" DIMS(2048, 40, 16, 2) \
          ",\"num_experts\":256," DELTA(16, 32) "}")
#define QWEN36_27B \
    MODEL("Qwen3_5ForConditionalGeneration", "\"text_config\":{" DIMS(5120, 64, 24, 4) "," \
          DELTA(16, 48) "}")
#define QWEN35_122B \
    MODEL("Qwen3_5MoeForConditionalGeneration", "\"text_config\":{" DIMS(3072, 48, 32, 2) \
          ",\"num_experts\":256," DELTA(16, 64) "}")
#define QWEN35_9B \
    MODEL("Qwen3_5ForConditionalGeneration", "\"text_config\":{" DIMS(4096, 32, 16, 4) "," \
          DELTA(16, 32) "}")

/* Every sixth layer full (Gemma 4), or every fifth (its E2B). */
#define W "\"sliding_attention\","
#define F "\"full_attention\""
#define SIX W W W W W F
#define FIVE W W W W F
#define GEMMA4_26B \
    MODEL("Gemma4ForConditionalGeneration", "\"text_config\":{" DIMS(2816, 30, 16, 8) \
          ",\"head_dim\":256,\"global_head_dim\":512,\"num_global_key_value_heads\":2," \
          "\"attention_k_eq_v\":true,\"sliding_window\":1024,\"num_kv_shared_layers\":0," \
          "\"num_experts\":128,\"max_position_embeddings\":262144,\"layer_types\":[" \
          SIX "," SIX "," SIX "," SIX "," SIX "]}")
#define GEMMA4_31B \
    MODEL("Gemma4ForConditionalGeneration", "\"text_config\":{" DIMS(5376, 60, 32, 16) \
          ",\"head_dim\":256,\"global_head_dim\":512,\"num_global_key_value_heads\":4," \
          "\"attention_k_eq_v\":true,\"sliding_window\":1024,\"num_kv_shared_layers\":0," \
          "\"max_position_embeddings\":262144,\"layer_types\":[" \
          SIX "," SIX "," SIX "," SIX "," SIX "," SIX "," SIX "," SIX "," SIX "," SIX "]}")
#define GEMMA4_E2B \
    MODEL("Gemma4ForConditionalGeneration", "\"text_config\":{" DIMS(1536, 35, 8, 1) \
          ",\"head_dim\":256,\"global_head_dim\":512,\"attention_k_eq_v\":false," \
          "\"sliding_window\":512,\"num_kv_shared_layers\":20,\"max_position_embeddings\":131072," \
          "\"layer_types\":[" \
          FIVE "," FIVE "," FIVE "," FIVE "," FIVE "," FIVE "," FIVE "]}")

/* DeepSeek-V4-Flash: 2 layers of windows only, then compressions of 4 and 128 in turn. */
#define TURN "4,128,"
#define TEN TURN TURN TURN TURN TURN
#define DSV4_FLASH \
    MODEL("DeepseekV4ForCausalLM", DIMS(4096, 43, 64, 1) ",\"head_dim\":512," \
          "\"qk_rope_head_dim\":64,\"index_head_dim\":128,\"index_topk\":512,\"sliding_window\":128," \
          "\"n_routed_experts\":256,\"max_position_embeddings\":1048576," \
          "\"compress_ratios\":[0,0," TEN TEN TEN TEN "4]")

#endif
