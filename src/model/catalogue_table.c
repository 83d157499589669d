/* Made by tools/catalogue.py: the numbers of published configurations. */
#include "model/catalogue.h"

const struct ul_catalogue_row ul_catalogue[] = {
    {"afm-4.5b", "arcee-ai/AFM-4.5B",
     "{\"architectures\":[\"ArceeForCausalLM\"],\"hidden_size\":2560,\"intermediate_size\":184"
     "32,\"max_position_embeddings\":65536,\"num_attention_heads\":20,\"num_hidden_layers\":36"
     ",\"num_key_value_heads\":4,\"rope_scaling\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"fact"
     "or\":20.0,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},\"torch_dtype\":"
     "\"bfloat16\",\"vocab_size\":128005}"},
    {"ai21-jamba-1.5-mini", "ai21labs/AI21-Jamba-1.5-Mini",
     "{\"architectures\":[\"JambaForCausalLM\"],\"attn_layer_offset\":4,\"attn_layer_period\":"
     "8,\"hidden_size\":4096,\"intermediate_size\":14336,\"mamba_d_conv\":4,\"mamba_d_state\":"
     "16,\"max_position_embeddings\":262144,\"num_attention_heads\":32,\"num_experts\":16,\"nu"
     "m_experts_per_tok\":2,\"num_hidden_layers\":32,\"num_key_value_heads\":8}"},
    {"all-minilm-l6-v1", "sentence-transformers/all-MiniLM-L6-v1",
     "{\"architectures\":[\"BertModel\"],\"hidden_size\":384,\"intermediate_size\":1536,\"max_"
     "position_embeddings\":512,\"num_attention_heads\":12,\"num_hidden_layers\":6,\"vocab_siz"
     "e\":30522}"},
    {"apertus-70b-2509", "swiss-ai/Apertus-70B-2509",
     "{\"architectures\":[\"ApertusForCausalLM\"],\"dtype\":\"bfloat16\",\"hidden_size\":8192,"
     "\"intermediate_size\":43008,\"max_position_embeddings\":65536,\"num_attention_heads\":64"
     ",\"num_hidden_layers\":80,\"num_key_value_heads\":8,\"rope_scaling\":{\"type\":\"llama3"
     "\"},\"vocab_size\":131072}"},
    {"apertus-70b-instruct-2509", "swiss-ai/Apertus-70B-Instruct-2509",
     "{\"architectures\":[\"ApertusForCausalLM\"],\"dtype\":\"bfloat16\",\"hidden_size\":8192,"
     "\"intermediate_size\":43008,\"max_position_embeddings\":65536,\"num_attention_heads\":64"
     ",\"num_hidden_layers\":80,\"num_key_value_heads\":8,\"rope_scaling\":{\"type\":\"llama3"
     "\"},\"vocab_size\":131072}"},
    {"apertus-8b-2509", "swiss-ai/Apertus-8B-2509",
     "{\"architectures\":[\"ApertusForCausalLM\"],\"dtype\":\"bfloat16\",\"hidden_size\":4096,"
     "\"intermediate_size\":21504,\"max_position_embeddings\":65536,\"num_attention_heads\":32"
     ",\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"rope_scaling\":{\"type\":\"llama3"
     "\"},\"vocab_size\":131072}"},
    {"apertus-8b-instruct-2509", "swiss-ai/Apertus-8B-Instruct-2509",
     "{\"architectures\":[\"ApertusForCausalLM\"],\"dtype\":\"bfloat16\",\"hidden_size\":4096,"
     "\"intermediate_size\":21504,\"max_position_embeddings\":65536,\"num_attention_heads\":32"
     ",\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"rope_scaling\":{\"type\":\"llama3"
     "\"},\"vocab_size\":131072}"},
    {"aya-23-8b", "CohereLabs/aya-23-8B",
     "{\"architectures\":[\"CohereForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":14"
     "336,\"layer_norm_eps\":1e-05,\"logit_scale\":0.0625,\"max_position_embeddings\":8192,\"n"
     "um_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"vocab_size"
     "\":256000}"},
    {"baichuan2-7b", "baichuan-inc/Baichuan2-7B",
     "{\"architectures\":[\"BaichuanForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":"
     "11008,\"model_max_length\":4096,\"num_attention_heads\":32,\"num_hidden_layers\":32,\"to"
     "rch_dtype\":\"bfloat16\",\"vocab_size\":125696}"},
    {"bamba-9b-v1", "ibm-ai-platform/Bamba-9B-v1",
     "{\"architectures\":[\"BambaForCausalLM\"],\"attn_layer_indices\":[9,18,27],\"attn_rotary"
     "_emb\":64,\"hidden_size\":4096,\"intermediate_size\":14336,\"mamba_d_conv\":4,\"mamba_d_"
     "state\":128,\"mamba_n_heads\":128,\"max_position_embeddings\":4096,\"num_attention_heads"
     "\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"vocab_"
     "size\":128256}"},
    {"bamba-9b-v2", "ibm-ai-platform/Bamba-9B-v2",
     "{\"architectures\":[\"BambaForCausalLM\"],\"attn_layer_indices\":[9,18,27],\"attn_rotary"
     "_emb\":64,\"hidden_size\":4096,\"intermediate_size\":14336,\"mamba_d_conv\":4,\"mamba_d_"
     "state\":128,\"mamba_n_heads\":128,\"max_position_embeddings\":262144,\"num_attention_hea"
     "ds\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"partial_rotary_factor\":0.5"
     ",\"rms_norm_eps\":1e-05,\"vocab_size\":128256}"},
    {"bert-base-multilingual-cased", "google-bert/bert-base-multilingual-cased",
     "{\"architectures\":[\"BertForMaskedLM\"],\"hidden_size\":768,\"intermediate_size\":3072,"
     "\"max_position_embeddings\":512,\"num_attention_heads\":12,\"num_hidden_layers\":12,\"vo"
     "cab_size\":119547}"},
    {"bert-base-uncased", "google-bert/bert-base-uncased",
     "{\"architectures\":[\"BertForMaskedLM\"],\"hidden_size\":768,\"intermediate_size\":3072,"
     "\"max_position_embeddings\":512,\"num_attention_heads\":12,\"num_hidden_layers\":12,\"vo"
     "cab_size\":30522}"},
    {"bert-large-uncased", "google-bert/bert-large-uncased",
     "{\"model_type\":\"bert\",\"hidden_size\":1024,\"intermediate_size\":4096,\"num_hidden_la"
     "yers\":24,\"num_attention_heads\":16,\"vocab_size\":30522}"},
    {"bge-large-en", "BAAI/bge-large-en",
     "{\"architectures\":[\"BertModel\"],\"hidden_size\":1024,\"intermediate_size\":4096,\"max"
     "_position_embeddings\":512,\"num_attention_heads\":16,\"num_hidden_layers\":24,\"vocab_s"
     "ize\":30522}"},
    {"bitnet-b1.58-2b-4t", "microsoft/bitnet-b1.58-2B-4T",
     "{\"architectures\":[\"BitNetForCausalLM\"],\"hidden_size\":2560,\"intermediate_size\":69"
     "12,\"max_position_embeddings\":4096,\"num_attention_heads\":20,\"num_hidden_layers\":30,"
     "\"num_key_value_heads\":5,\"torch_dtype\":\"bfloat16\",\"vocab_size\":128256,\"quantizat"
     "ion_config\":{\"quant_method\":\"bitnet\"}}"},
    {"bloom", "bigscience/bloom",
     "{\"architectures\":[\"BloomForCausalLM\"],\"n_layer\":70,\"hidden_size\":14336,\"n_head"
     "\":112,\"vocab_size\":250880}"},
    {"bloom-1b1", "bigscience/bloom-1b1",
     "{\"architectures\":[\"BloomForCausalLM\"],\"n_layer\":24,\"hidden_size\":1536,\"n_head\""
     ":16,\"vocab_size\":250880}"},
    {"bloom-3b", "bigscience/bloom-3b",
     "{\"architectures\":[\"BloomForCausalLM\"],\"n_layer\":30,\"hidden_size\":2560,\"n_head\""
     ":32,\"vocab_size\":250880}"},
    {"bloom-560m", "bigscience/bloom-560m",
     "{\"architectures\":[\"BloomForCausalLM\"],\"n_layer\":24,\"hidden_size\":1024,\"n_head\""
     ":16,\"vocab_size\":250880}"},
    {"bloom-7b1", "bigscience/bloom-7b1",
     "{\"architectures\":[\"BloomForCausalLM\"],\"n_layer\":30,\"hidden_size\":4096,\"n_head\""
     ":32,\"vocab_size\":250880}"},
    {"c4ai-command-a-03-2025", "CohereLabs/c4ai-command-a-03-2025",
     "{\"architectures\":[\"Cohere2ForCausalLM\"],\"hidden_size\":12288,\"intermediate_size\":"
     "36864,\"layer_norm_eps\":1e-05,\"logit_scale\":0.25,\"max_position_embeddings\":131072,"
     "\"num_attention_heads\":96,\"num_hidden_layers\":64,\"num_key_value_heads\":8,\"rope_the"
     "ta\":50000,\"sliding_window\":4096,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"c4ai-command-r-plus", "CohereLabs/c4ai-command-r-plus",
     "{\"architectures\":[\"CohereForCausalLM\"],\"hidden_size\":12288,\"intermediate_size\":3"
     "3792,\"layer_norm_eps\":1e-05,\"logit_scale\":0.8333333333333334,\"model_max_length\":13"
     "1072,\"num_attention_heads\":96,\"num_hidden_layers\":64,\"num_key_value_heads\":8,\"qua"
     "ntization_config\":{\"quant_method\":\"gptq\"},\"rope_theta\":75000000.0,\"use_qk_norm\""
     ":true,\"vocab_size\":256000}"},
    {"c4ai-command-r-v01", "CohereLabs/c4ai-command-r-v01",
     "{\"architectures\":[\"CohereForCausalLM\"],\"hidden_size\":8192,\"intermediate_size\":22"
     "528,\"layer_norm_eps\":1e-05,\"logit_scale\":0.0625,\"model_max_length\":131072,\"num_at"
     "tention_heads\":64,\"num_hidden_layers\":40,\"rope_theta\":8000000.0,\"vocab_size\":2560"
     "00}"},
    {"c4ai-command-r7b-12-2024", "CohereLabs/c4ai-command-r7b-12-2024",
     "{\"architectures\":[\"Cohere2ForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":1"
     "4336,\"layer_norm_eps\":1e-05,\"logit_scale\":0.25,\"max_position_embeddings\":8192,\"nu"
     "m_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"rope_theta\""
     ":50000,\"sliding_window\":4096,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"chatglm3-6b", "zai-org/chatglm3-6b",
     "{\"architectures\":[\"ChatGLMModel\"],\"add_qkv_bias\":true,\"ffn_hidden_size\":13696,\""
     "hidden_size\":4096,\"multi_query_group_num\":2,\"num_attention_heads\":32,\"num_layers\""
     ":28,\"padded_vocab_size\":65024,\"seq_length\":8192}"},
    {"codellama-34b", "codellama/CodeLlama-34b-Instruct-hf",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":8192,\"intermediate_size\":220"
     "16,\"max_position_embeddings\":16384,\"num_attention_heads\":64,\"num_hidden_layers\":48"
     ",\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000,\"torch_dtype\""
     ":\"bfloat16\",\"vocab_size\":32000}"},
    {"deepseek-moe-16b", "deepseek-ai/deepseek-moe-16b-base",
     "{\"architectures\":[\"DeepseekForCausalLM\"],\"first_k_dense_replace\":1,\"hidden_size\""
     ":2048,\"intermediate_size\":10944,\"max_position_embeddings\":4096,\"moe_intermediate_si"
     "ze\":1408,\"n_routed_experts\":64,\"n_shared_experts\":2,\"num_attention_heads\":16,\"nu"
     "m_experts_per_tok\":6,\"num_hidden_layers\":28,\"num_key_value_heads\":16,\"rms_norm_eps"
     "\":1e-06,\"scoring_func\":\"softmax\",\"torch_dtype\":\"bfloat16\",\"vocab_size\":102400"
     "}"},
    {"deepseek-r1", "deepseek-ai/DeepSeek-R1",
     "{\"architectures\":[\"DeepseekV3ForCausalLM\"],\"hidden_size\":7168,\"intermediate_size"
     "\":18432,\"kv_lora_rank\":512,\"max_position_embeddings\":163840,\"moe_intermediate_size"
     "\":2048,\"n_routed_experts\":256,\"n_shared_experts\":1,\"num_attention_heads\":128,\"nu"
     "m_hidden_layers\":61,\"num_key_value_heads\":128,\"q_lora_rank\":1536,\"qk_nope_head_dim"
     "\":128,\"qk_rope_head_dim\":64,\"quantization_config\":{\"quant_method\":\"fp8\",\"weigh"
     "t_block_size\":[128,128]},\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":"
     "40,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},"
     "\"scoring_func\":\"sigmoid\",\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_siz"
     "e\":129280}"},
    {"deepseek-v2", "deepseek-ai/DeepSeek-V2-Chat",
     "{\"architectures\":[\"DeepseekV2ForCausalLM\"],\"first_k_dense_replace\":1,\"hidden_size"
     "\":5120,\"intermediate_size\":12288,\"kv_lora_rank\":512,\"max_position_embeddings\":163"
     "840,\"moe_intermediate_size\":1536,\"n_group\":8,\"n_routed_experts\":160,\"n_shared_exp"
     "erts\":2,\"num_attention_heads\":128,\"num_experts_per_tok\":6,\"num_hidden_layers\":60,"
     "\"num_key_value_heads\":128,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head"
     "_dim\":64,\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_"
     "dim\":0.707,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},\"routed_scalin"
     "g_factor\":16.0,\"scoring_func\":\"softmax\",\"topk_group\":3,\"torch_dtype\":\"bfloat16"
     "\",\"v_head_dim\":128,\"vocab_size\":102400}"},
    {"deepseek-v2-lite", "deepseek-ai/DeepSeek-V2-Lite-Chat",
     "{\"architectures\":[\"DeepseekV2ForCausalLM\"],\"first_k_dense_replace\":1,\"hidden_size"
     "\":2048,\"intermediate_size\":10944,\"kv_lora_rank\":512,\"max_position_embeddings\":163"
     "840,\"moe_intermediate_size\":1408,\"n_group\":1,\"n_routed_experts\":64,\"n_shared_expe"
     "rts\":2,\"num_attention_heads\":16,\"num_experts_per_tok\":6,\"num_hidden_layers\":27,\""
     "num_key_value_heads\":16,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"rope_scaling"
     "\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_dim\":0.707,\"original_m"
     "ax_position_embeddings\":4096,\"type\":\"yarn\"},\"routed_scaling_factor\":1.0,\"scoring"
     "_func\":\"softmax\",\"topk_group\":1,\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"v"
     "ocab_size\":102400}"},
    {"deepseek-v2.5", "deepseek-ai/DeepSeek-V2.5",
     "{\"architectures\":[\"DeepseekV2ForCausalLM\"],\"first_k_dense_replace\":1,\"hidden_size"
     "\":5120,\"intermediate_size\":12288,\"kv_lora_rank\":512,\"max_position_embeddings\":163"
     "840,\"moe_intermediate_size\":1536,\"n_group\":8,\"n_routed_experts\":160,\"n_shared_exp"
     "erts\":2,\"num_attention_heads\":128,\"num_experts_per_tok\":6,\"num_hidden_layers\":60,"
     "\"num_key_value_heads\":128,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head"
     "_dim\":64,\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_"
     "dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},\"routed_scaling_"
     "factor\":16.0,\"scoring_func\":\"softmax\",\"topk_group\":3,\"torch_dtype\":\"bfloat16\""
     ",\"v_head_dim\":128,\"vocab_size\":102400}"},
    {"deepseek-v3", "deepseek-ai/DeepSeek-V3",
     "{\"architectures\":[\"DeepseekV3ForCausalLM\"],\"hidden_size\":7168,\"intermediate_size"
     "\":18432,\"kv_lora_rank\":512,\"max_position_embeddings\":163840,\"moe_intermediate_size"
     "\":2048,\"n_routed_experts\":256,\"n_shared_experts\":1,\"num_attention_heads\":128,\"nu"
     "m_hidden_layers\":61,\"num_key_value_heads\":128,\"q_lora_rank\":1536,\"qk_nope_head_dim"
     "\":128,\"qk_rope_head_dim\":64,\"quantization_config\":{\"quant_method\":\"fp8\",\"weigh"
     "t_block_size\":[128,128]},\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":"
     "40,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},"
     "\"scoring_func\":\"sigmoid\",\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_siz"
     "e\":129280}"},
    {"deepseek-v3.1", "deepseek-ai/DeepSeek-V3.1",
     "{\"architectures\":[\"DeepseekV3ForCausalLM\"],\"hidden_size\":7168,\"intermediate_size"
     "\":18432,\"kv_lora_rank\":512,\"max_position_embeddings\":163840,\"moe_intermediate_size"
     "\":2048,\"n_routed_experts\":256,\"n_shared_experts\":1,\"num_attention_heads\":128,\"nu"
     "m_hidden_layers\":61,\"num_key_value_heads\":128,\"q_lora_rank\":1536,\"qk_nope_head_dim"
     "\":128,\"qk_rope_head_dim\":64,\"quantization_config\":{\"quant_method\":\"fp8\",\"weigh"
     "t_block_size\":[128,128]},\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":"
     "40,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},"
     "\"scoring_func\":\"sigmoid\",\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_siz"
     "e\":129280}"},
    {"deepseek-v3.2", "deepseek-ai/DeepSeek-V3.2",
     "{\"architectures\":[\"DeepseekV32ForCausalLM\"],\"hidden_size\":7168,\"index_head_dim\":"
     "128,\"index_n_heads\":64,\"index_topk\":2048,\"intermediate_size\":18432,\"kv_lora_rank"
     "\":512,\"max_position_embeddings\":163840,\"moe_intermediate_size\":2048,\"n_routed_expe"
     "rts\":256,\"n_shared_experts\":1,\"num_attention_heads\":128,\"num_hidden_layers\":61,\""
     "num_key_value_heads\":128,\"num_nextn_predict_layers\":1,\"q_lora_rank\":1536,\"qk_nope_"
     "head_dim\":128,\"qk_rope_head_dim\":64,\"quantization_config\":{\"quant_method\":\"fp8\""
     ",\"weight_block_size\":[128,128]},\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"f"
     "actor\":40,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":\"y"
     "arn\"},\"scoring_func\":\"sigmoid\",\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vo"
     "cab_size\":129280}"},
    {"deepseek-v3.2-exp", "deepseek-ai/DeepSeek-V3.2-Exp",
     "{\"architectures\":[\"DeepseekV32ForCausalLM\"],\"hidden_size\":7168,\"index_head_dim\":"
     "128,\"index_n_heads\":64,\"index_topk\":2048,\"intermediate_size\":18432,\"kv_lora_rank"
     "\":512,\"max_position_embeddings\":163840,\"moe_intermediate_size\":2048,\"n_routed_expe"
     "rts\":256,\"n_shared_experts\":1,\"num_attention_heads\":128,\"num_hidden_layers\":61,\""
     "num_key_value_heads\":128,\"num_nextn_predict_layers\":1,\"q_lora_rank\":1536,\"qk_nope_"
     "head_dim\":128,\"qk_rope_head_dim\":64,\"quantization_config\":{\"quant_method\":\"fp8\""
     ",\"weight_block_size\":[128,128]},\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"f"
     "actor\":40,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":\"y"
     "arn\"},\"scoring_func\":\"sigmoid\",\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vo"
     "cab_size\":129280}"},
    {"deepseek-v4-flash", "deepseek-ai/DeepSeek-V4-Flash",
     "{\"architectures\":[\"DeepseekV4ForCausalLM\"],\"hc_eps\":1e-06,\"hc_mult\":4,\"hc_sinkh"
     "orn_iters\":20,\"head_dim\":512,\"hidden_size\":4096,\"index_head_dim\":128,\"index_n_he"
     "ads\":64,\"index_topk\":512,\"max_position_embeddings\":1048576,\"moe_intermediate_size"
     "\":2048,\"n_routed_experts\":256,\"n_shared_experts\":1,\"norm_topk_prob\":true,\"num_at"
     "tention_heads\":64,\"num_experts_per_tok\":6,\"num_hidden_layers\":43,\"num_hash_layers"
     "\":3,\"num_key_value_heads\":1,\"o_groups\":8,\"o_lora_rank\":1024,\"q_lora_rank\":1024,"
     "\"qk_rope_head_dim\":64,\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block"
     "_size\":[128,128]},\"rms_norm_eps\":1e-06,\"rope_scaling\":{\"beta_fast\":32,\"beta_slow"
     "\":1,\"factor\":16,\"original_max_position_embeddings\":65536,\"type\":\"yarn\"},\"rope_"
     "theta\":10000,\"routed_scaling_factor\":1.5,\"scoring_func\":\"sqrtsoftplus\",\"sliding_"
     "window\":128,\"swiglu_limit\":10.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":129280,\""
     "compress_rope_theta\":160000,\"compress_ratios\":[0,0,4,128,4,128,4,128,4,128,4,128,4,12"
     "8,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,"
     "0]}"},
    {"deepseek-v4-pro", "deepseek-ai/DeepSeek-V4-Pro",
     "{\"architectures\":[\"DeepseekV4ForCausalLM\"],\"hc_eps\":1e-06,\"hc_mult\":4,\"hc_sinkh"
     "orn_iters\":20,\"head_dim\":512,\"hidden_size\":7168,\"index_head_dim\":128,\"index_n_he"
     "ads\":64,\"index_topk\":1024,\"max_position_embeddings\":1048576,\"moe_intermediate_size"
     "\":3072,\"n_routed_experts\":384,\"n_shared_experts\":1,\"norm_topk_prob\":true,\"num_at"
     "tention_heads\":128,\"num_experts_per_tok\":6,\"num_hidden_layers\":61,\"num_hash_layers"
     "\":3,\"num_key_value_heads\":1,\"o_groups\":16,\"o_lora_rank\":1024,\"q_lora_rank\":1536"
     ",\"qk_rope_head_dim\":64,\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_bloc"
     "k_size\":[128,128]},\"rms_norm_eps\":1e-06,\"rope_scaling\":{\"beta_fast\":32,\"beta_slo"
     "w\":1,\"factor\":16,\"original_max_position_embeddings\":65536,\"type\":\"yarn\"},\"rope"
     "_theta\":10000,\"routed_scaling_factor\":2.5,\"scoring_func\":\"sqrtsoftplus\",\"sliding"
     "_window\":128,\"swiglu_limit\":10.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":129280,"
     "\"compress_rope_theta\":160000,\"compress_ratios\":[128,128,4,128,4,128,4,128,4,128,4,12"
     "8,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,"
     "128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,128,4,0]}"},
    {"devstral-small-2-24b", "mistralai/Devstral-Small-2-24B-Instruct-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"quant"
     "ization_config\":{\"quant_method\":\"fp8\"},\"text_config\":{\"head_dim\":128,\"hidden_s"
     "ize\":5120,\"intermediate_size\":32768,\"max_position_embeddings\":393216,\"model_type\""
     ":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_value_head"
     "s\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\":1.0,"
     "\"factor\":48.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_max_posit"
     "ion_embeddings\":8192,\"rope_theta\":100000000.0,\"type\":\"yarn\"},\"vocab_size\":13107"
     "2},\"vision_config\":{}}"},
    {"dots.llm1.inst", "rednote-hilab/dots.llm1.inst",
     "{\"architectures\":[\"Dots1ForCausalLM\"],\"first_k_dense_replace\":1,\"hidden_size\":40"
     "96,\"intermediate_size\":10944,\"max_position_embeddings\":32768,\"moe_intermediate_size"
     "\":1408,\"n_routed_experts\":128,\"n_shared_experts\":2,\"norm_topk_prob\":true,\"num_at"
     "tention_heads\":32,\"num_experts_per_tok\":6,\"num_hidden_layers\":62,\"num_key_value_he"
     "ads\":32,\"rms_norm_eps\":1e-05,\"rope_theta\":10000000,\"routed_scaling_factor\":2.5,\""
     "scoring_func\":\"sigmoid\",\"torch_dtype\":\"bfloat16\",\"vocab_size\":152064}"},
    {"ernie-4.5-0.3b-pt", "baidu/ERNIE-4.5-0.3B-PT",
     "{\"architectures\":[\"Ernie4_5ForCausalLM\"],\"hidden_size\":1024,\"num_hidden_layers\":"
     "18,\"num_attention_heads\":16,\"num_key_value_heads\":2,\"head_dim\":128,\"intermediate_"
     "size\":3072,\"vocab_size\":103424,\"max_position_embeddings\":131072}"},
    {"ernie-4.5-21b-a3b-pt", "baidu/ERNIE-4.5-21B-A3B-PT",
     "{\"architectures\":[\"Ernie4_5_MoeForCausalLM\"],\"hidden_size\":2560,\"num_hidden_layer"
     "s\":28,\"num_attention_heads\":20,\"num_key_value_heads\":4,\"intermediate_size\":12288,"
     "\"moe_intermediate_size\":1536,\"moe_num_experts\":64,\"moe_k\":6,\"moe_num_shared_exper"
     "ts\":2,\"moe_layer_start_index\":1,\"max_position_embeddings\":131072,\"tie_word_embeddi"
     "ngs\":true}"},
    {"ernie-4.5-300b-a47b-pt", "baidu/ERNIE-4.5-300B-A47B-PT",
     "{\"architectures\":[\"Ernie4_5_MoeForCausalLM\"],\"hidden_size\":8192,\"num_hidden_layer"
     "s\":54,\"num_attention_heads\":64,\"num_key_value_heads\":8,\"intermediate_size\":28672,"
     "\"moe_intermediate_size\":3584,\"moe_num_experts\":64,\"moe_k\":8,\"moe_num_shared_exper"
     "ts\":0,\"moe_layer_start_index\":3,\"max_position_embeddings\":131072}"},
    {"eurobert-2.1b", "EuroBERT/EuroBERT-2.1B",
     "{\"architectures\":[\"EuroBertForMaskedLM\"],\"hidden_size\":2304,\"intermediate_size\":"
     "6144,\"max_position_embeddings\":8192,\"num_attention_heads\":18,\"num_hidden_layers\":3"
     "2,\"num_key_value_heads\":6,\"vocab_size\":128256}"},
    {"eurobert-210m", "EuroBERT/EuroBERT-210m",
     "{\"architectures\":[\"EuroBertForMaskedLM\"],\"hidden_size\":768,\"intermediate_size\":3"
     "072,\"max_position_embeddings\":8192,\"num_attention_heads\":12,\"num_hidden_layers\":12"
     ",\"num_key_value_heads\":12,\"vocab_size\":128256}"},
    {"eurobert-610m", "EuroBERT/EuroBERT-610m",
     "{\"architectures\":[\"EuroBertForMaskedLM\"],\"hidden_size\":1152,\"intermediate_size\":"
     "4096,\"max_position_embeddings\":8192,\"num_attention_heads\":18,\"num_hidden_layers\":2"
     "6,\"num_key_value_heads\":6,\"vocab_size\":128256}"},
    {"exaone-3.5-7.8b", "LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct (id inferred: fixture is named exaone_7.8b, 32k context)",
     "{\"architectures\":[\"ExaoneForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":14"
     "336,\"layer_norm_epsilon\":1e-05,\"max_position_embeddings\":32768,\"num_attention_heads"
     "\":32,\"num_key_value_heads\":8,\"num_layers\":32,\"rope_scaling\":{\"rope_type\":\"llam"
     "a3\"},\"rope_theta\":1000000.0,\"vocab_size\":102400}"},
    {"exaone-4.0-1.2b", "LGAI-EXAONE/EXAONE-4.0-1.2B",
     "{\"architectures\":[\"Exaone4ForCausalLM\"],\"num_hidden_layers\":30,\"hidden_size\":204"
     "8,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":4096,\"max_"
     "position_embeddings\":65536,\"rope_theta\":1000000,\"rope_scaling\":{\"rope_type\":\"lla"
     "ma3\"},\"tie_word_embeddings\":true}"},
    {"exaone-4.0-32b", "LGAI-EXAONE/EXAONE-4.0-32B",
     "{\"architectures\":[\"Exaone4ForCausalLM\"],\"hidden_size\":5120,\"intermediate_size\":2"
     "7392,\"layer_types\":[\"sliding_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"f"
     "ull_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full"
     "_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_at"
     "tention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_atten"
     "tion\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attentio"
     "n\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\""
     ",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\""
     "sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sli"
     "ding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"slidin"
     "g_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_a"
     "ttention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_atte"
     "ntion\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attenti"
     "on\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention"
     "\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"full_attention\"],\"max_position_embedding"
     "s\":131072,\"num_attention_heads\":40,\"num_hidden_layers\":64,\"num_key_value_heads\":8"
     ",\"rope_scaling\":{\"rope_type\":\"llama3\"},\"rope_theta\":1000000,\"sliding_window\":4"
     "096,\"torch_dtype\":\"bfloat16\",\"vocab_size\":102400}"},
    {"exaone-4.5-33b", "LGAI-EXAONE/EXAONE-4.5-33B",
     "{\"architectures\":[\"Exaone4_5_ForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"hidden_size\":5120,\"intermediate_size\":27392,\"max_position_embeddings"
     "\":262144,\"num_nextn_predict_layers\":1,\"num_attention_heads\":40,\"num_hidden_layers"
     "\":64,\"num_key_value_heads\":8,\"rope_scaling\":{\"rope_theta\":1000000.0,\"rope_type\""
     ":\"llama3\"},\"sliding_window\":4096},\"vision_config\":{},\"vocab_size\":153600}"},
    {"falcon-40b", "tiiuae/falcon-40b",
     "{\"architectures\":[\"FalconForCausalLM\"],\"hidden_size\":8192,\"new_decoder_architectu"
     "re\":true,\"num_attention_heads\":128,\"num_hidden_layers\":60,\"num_kv_heads\":8,\"torc"
     "h_dtype\":\"bfloat16\",\"vocab_size\":65024}"},
    {"falcon-h1-7b", "tiiuae/Falcon-H1-7B-Instruct",
     "{\"architectures\":[\"FalconH1ForCausalLM\"],\"num_hidden_layers\":44,\"hidden_size\":30"
     "72,\"intermediate_size\":12288,\"vocab_size\":130049,\"num_attention_heads\":12,\"num_ke"
     "y_value_heads\":2,\"head_dim\":128,\"mamba_n_heads\":24,\"mamba_d_head\":128,\"mamba_d_s"
     "sm\":3072,\"mamba_d_state\":256,\"mamba_d_conv\":4,\"max_position_embeddings\":262144,\""
     "mamba_rms_norm\":true,\"rope_theta\":100000000000.0}"},
    {"falcon-h1-tiny-r-90m", "tiiuae/Falcon-H1-Tiny-R-90M",
     "{\"architectures\":[\"FalconH1ForCausalLM\"],\"num_hidden_layers\":24,\"hidden_size\":51"
     "2,\"intermediate_size\":768,\"vocab_size\":32768,\"num_attention_heads\":8,\"num_key_val"
     "ue_heads\":2,\"mamba_n_heads\":24,\"mamba_d_head\":32,\"mamba_d_state\":64,\"mamba_d_con"
     "v\":4,\"max_position_embeddings\":262144,\"rope_theta\":100000000000.0}"},
    {"falcon-mamba-7b", "tiiuae/falcon-mamba-7b-instruct",
     "{\"architectures\":[\"FalconMambaForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":4096,"
     "\"model_type\":\"falcon_mamba\",\"num_hidden_layers\":64,\"state_size\":16,\"tie_word_em"
     "beddings\":false,\"torch_dtype\":\"bfloat16\",\"vocab_size\":65024}"},
    {"flan-t5-large", "google/flan-t5-large",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":1024,\"num_heads\":16,\""
     "d_kv\":64,\"d_ff\":2816,\"num_layers\":24,\"feed_forward_proj\":\"gated-gelu\",\"vocab_s"
     "ize\":32128}"},
    {"flan-t5-small", "google/flan-t5-small",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":512,\"num_heads\":6,\"d_"
     "kv\":64,\"d_ff\":1024,\"num_layers\":8,\"feed_forward_proj\":\"gated-gelu\",\"vocab_size"
     "\":32128}"},
    {"flan-t5-xl", "google/flan-t5-xl",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":2048,\"num_heads\":32,\""
     "d_kv\":64,\"d_ff\":5120,\"num_layers\":24,\"feed_forward_proj\":\"gated-gelu\",\"vocab_s"
     "ize\":32128}"},
    {"flan-t5-xxl", "google/flan-t5-xxl",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":4096,\"num_heads\":64,\""
     "d_kv\":64,\"d_ff\":10240,\"num_layers\":24,\"feed_forward_proj\":\"gated-gelu\",\"vocab_"
     "size\":32128}"},
    {"gemma-2-27b", "google/gemma-2-27b-it",
     "{\"architectures\":[\"Gemma2ForCausalLM\"],\"head_dim\":128,\"hidden_size\":4608,\"inter"
     "mediate_size\":36864,\"max_position_embeddings\":8192,\"num_attention_heads\":32,\"num_h"
     "idden_layers\":46,\"num_key_value_heads\":16,\"sliding_window\":4096,\"torch_dtype\":\"b"
     "float16\",\"vocab_size\":256000}"},
    {"gemma-2-2b", "google/gemma-2-2b-it",
     "{\"architectures\":[\"Gemma2ForCausalLM\"],\"hidden_size\":2304,\"intermediate_size\":92"
     "16,\"max_position_embeddings\":8192,\"num_attention_heads\":8,\"num_hidden_layers\":26,"
     "\"num_key_value_heads\":4,\"sliding_window\":4096,\"torch_dtype\":\"bfloat16\",\"vocab_s"
     "ize\":256000}"},
    {"gemma-2-9b", "google/gemma-2-9b-it",
     "{\"architectures\":[\"Gemma2ForCausalLM\"],\"hidden_size\":3584,\"intermediate_size\":14"
     "336,\"max_position_embeddings\":8192,\"num_attention_heads\":16,\"num_hidden_layers\":42"
     ",\"num_key_value_heads\":8,\"sliding_window\":4096,\"torch_dtype\":\"bfloat16\",\"vocab_"
     "size\":256000}"},
    {"gemma-3-12b", "google/gemma-3-12b-it",
     "{\"architectures\":[\"Gemma3ForConditionalGeneration\"],\"model_type\":\"gemma3\",\"text"
     "_config\":{\"hidden_size\":3840,\"intermediate_size\":15360,\"num_hidden_layers\":48,\"n"
     "um_attention_heads\":16,\"num_key_value_heads\":8,\"sliding_window\":1024,\"rope_scaling"
     "\":{\"factor\":8.0,\"rope_type\":\"linear\"}},\"vision_config\":{}}"},
    {"gemma-3-1b", "google/gemma-3-1b-it",
     "{\"architectures\":[\"Gemma3ForCausalLM\"],\"hidden_size\":1152,\"intermediate_size\":69"
     "12,\"max_position_embeddings\":32768,\"num_attention_heads\":4,\"num_hidden_layers\":26,"
     "\"num_key_value_heads\":1,\"sliding_window\":512,\"torch_dtype\":\"bfloat16\",\"vocab_si"
     "ze\":262144}"},
    {"gemma-3-27b", "google/gemma-3-27b-it",
     "{\"architectures\":[\"Gemma3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"model_t"
     "ype\":\"gemma3\",\"text_config\":{\"head_dim\":128,\"hidden_size\":5376,\"intermediate_s"
     "ize\":21504,\"num_attention_heads\":32,\"num_hidden_layers\":62,\"num_key_value_heads\":"
     "16,\"rope_scaling\":{\"factor\":8.0,\"rope_type\":\"linear\"},\"sliding_window\":1024},"
     "\"vision_config\":{}}"},
    {"gemma-3-4b", "google/gemma-3-4b-it",
     "{\"architectures\":[\"Gemma3ForConditionalGeneration\"],\"model_type\":\"gemma3\",\"text"
     "_config\":{\"hidden_size\":2560,\"intermediate_size\":10240,\"num_hidden_layers\":34,\"s"
     "liding_window\":1024,\"rope_scaling\":{\"factor\":8.0,\"rope_type\":\"linear\"}},\"visio"
     "n_config\":{}}"},
    {"gemma-3n-e2b", "google/gemma-3n-E2B-it",
     "{\"architectures\":[\"Gemma3nForConditionalGeneration\"],\"text_config\":{\"hidden_size"
     "\":2048,\"num_hidden_layers\":30,\"intermediate_size\":[8192,8192,8192,8192,8192,8192,81"
     "92,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,"
     "8192,8192,8192,8192,8192,8192],\"num_attention_heads\":8,\"num_key_value_heads\":2,\"voc"
     "ab_size\":262400,\"max_position_embeddings\":32768,\"sliding_window\":512,\"layer_types"
     "\":[\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attentio"
     "n\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\""
     ",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\""
     "sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sli"
     "ding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"slidin"
     "g_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_a"
     "ttention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_a"
     "ttention\",\"full_attention\"],\"num_kv_shared_layers\":10,\"activation_sparsity_pattern"
     "\":[0.95,0.95,0.95,0.95,0.95,0.95,0.95,0.95,0.95,0.95,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0."
     "0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0],\"final_logit_softcapping\":30.0,\"rope_l"
     "ocal_base_freq\":10000.0}}"},
    {"gemma-3n-e4b", "google/gemma-3n-E4B-it",
     "{\"architectures\":[\"Gemma3nForConditionalGeneration\"],\"text_config\":{\"hidden_size"
     "\":2048,\"num_hidden_layers\":35,\"intermediate_size\":[16384,16384,16384,16384,16384,16"
     "384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,"
     "16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,1638"
     "4],\"num_attention_heads\":8,\"num_key_value_heads\":2,\"vocab_size\":262400,\"max_posit"
     "ion_embeddings\":32768,\"sliding_window\":512,\"layer_types\":[\"sliding_attention\",\"s"
     "liding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"slid"
     "ing_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full"
     "_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding"
     "_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_at"
     "tention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_atten"
     "tion\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attentio"
     "n\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\""
     ",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\""
     ",\"full_attention\"],\"activation_sparsity_pattern\":[0.95,0.95,0.95,0.95,0.95,0.95,0.95"
     ",0.95,0.95,0.95,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,"
     "0.0,0.0,0.0,0.0,0.0,0.0,0.0],\"final_logit_softcapping\":30.0,\"rope_local_base_freq\":1"
     "0000.0}}"},
    {"gemma-4-26b-a4b", "google/gemma-4-26B-A4B-it",
     "{\"architectures\":[\"Gemma4ForConditionalGeneration\"],\"text_config\":{\"attention_k_e"
     "q_v\":true,\"dtype\":\"bfloat16\",\"enable_moe_block\":true,\"final_logit_softcapping\":"
     "30.0,\"global_head_dim\":512,\"head_dim\":256,\"hidden_size\":2816,\"intermediate_size\""
     ":2112,\"layer_types\":[\"sliding_attention\",\"sliding_attention\",\"sliding_attention\""
     ",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\""
     "sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\""
     "full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sli"
     "ding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"slidin"
     "g_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_a"
     "ttention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_a"
     "ttention\",\"sliding_attention\",\"full_attention\"],\"max_position_embeddings\":262144,"
     "\"moe_intermediate_size\":704,\"num_attention_heads\":16,\"num_experts\":128,\"num_globa"
     "l_key_value_heads\":2,\"num_hidden_layers\":30,\"num_key_value_heads\":8,\"rope_paramete"
     "rs\":{\"full_attention\":{\"rope_theta\":1000000.0},\"sliding_attention\":{\"rope_theta"
     "\":10000.0}},\"sliding_window\":1024,\"top_k_experts\":8,\"vocab_size\":262144},\"vision"
     "_config\":{}}"},
    {"gemma-4-31b", "google/gemma-4-31B-it",
     "{\"architectures\":[\"Gemma4ForConditionalGeneration\"],\"text_config\":{\"attention_k_e"
     "q_v\":true,\"dtype\":\"bfloat16\",\"final_logit_softcapping\":30.0,\"global_head_dim\":5"
     "12,\"head_dim\":256,\"hidden_size\":5376,\"intermediate_size\":21504,\"layer_types\":[\""
     "sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\""
     "sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sli"
     "ding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"slidin"
     "g_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"slidin"
     "g_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_a"
     "ttention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_atte"
     "ntion\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_atte"
     "ntion\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attenti"
     "on\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention"
     "\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention"
     "\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"s"
     "liding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"f"
     "ull_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"slid"
     "ing_attention\",\"sliding_attention\",\"full_attention\"],\"max_position_embeddings\":26"
     "2144,\"num_attention_heads\":32,\"num_global_key_value_heads\":4,\"num_hidden_layers\":6"
     "0,\"num_key_value_heads\":16,\"rope_parameters\":{\"full_attention\":{\"rope_theta\":100"
     "0000.0},\"sliding_attention\":{\"rope_theta\":10000.0}},\"sliding_window\":1024,\"vocab_"
     "size\":262144},\"vision_config\":{}}"},
    {"gemma-4-e2b", "google/gemma-4-E2B-it",
     "{\"architectures\":[\"Gemma4ForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bfl"
     "oat16\",\"final_logit_softcapping\":30.0,\"global_head_dim\":512,\"head_dim\":256,\"hidd"
     "en_size\":1536,\"hidden_size_per_layer_input\":256,\"intermediate_size\":6144,\"layer_ty"
     "pes\":[\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_atten"
     "tion\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attentio"
     "n\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\""
     ",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\""
     "sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sli"
     "ding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"ful"
     "l_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"slidin"
     "g_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_a"
     "ttention\",\"sliding_attention\",\"full_attention\"],\"max_position_embeddings\":131072,"
     "\"num_attention_heads\":8,\"num_hidden_layers\":35,\"num_key_value_heads\":1,\"num_kv_sh"
     "ared_layers\":20,\"rope_parameters\":{\"full_attention\":{\"rope_theta\":1000000.0},\"sl"
     "iding_attention\":{\"rope_theta\":10000.0}},\"sliding_window\":512,\"use_double_wide_mlp"
     "\":true,\"vocab_size\":262144},\"vision_config\":{}}"},
    {"gemma-4-e4b", "google/gemma-4-E4B-it",
     "{\"architectures\":[\"Gemma4ForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bfl"
     "oat16\",\"final_logit_softcapping\":30.0,\"global_head_dim\":512,\"head_dim\":256,\"hidd"
     "en_size\":2560,\"hidden_size_per_layer_input\":256,\"intermediate_size\":10240,\"layer_t"
     "ypes\":[\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_atte"
     "ntion\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attenti"
     "on\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention"
     "\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention"
     "\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"s"
     "liding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"s"
     "liding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"slid"
     "ing_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding"
     "_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding"
     "_attention\",\"full_attention\"],\"max_position_embeddings\":131072,\"num_attention_head"
     "s\":8,\"num_hidden_layers\":42,\"num_key_value_heads\":2,\"num_kv_shared_layers\":18,\"r"
     "ope_parameters\":{\"full_attention\":{\"rope_theta\":1000000.0},\"sliding_attention\":{"
     "\"rope_theta\":10000.0}},\"sliding_window\":512,\"vocab_size\":262144},\"vision_config\""
     ":{}}"},
    {"gemma-7b", "google/gemma-7b",
     "{\"architectures\":[\"GemmaForCausalLM\"],\"head_dim\":256,\"hidden_size\":3072,\"interm"
     "ediate_size\":24576,\"max_position_embeddings\":8192,\"num_attention_heads\":16,\"num_hi"
     "dden_layers\":28,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"glm-4-32b-0414", "zai-org/GLM-4-32B-0414",
     "{\"architectures\":[\"Glm4ForCausalLM\"],\"hidden_size\":6144,\"intermediate_size\":2304"
     "0,\"max_position_embeddings\":32768,\"num_attention_heads\":48,\"num_hidden_layers\":61,"
     "\"num_key_value_heads\":2,\"partial_rotary_factor\":0.5,\"torch_dtype\":\"bfloat16\",\"v"
     "ocab_size\":151552}"},
    {"glm-4-32b-base-0414", "zai-org/GLM-4-32B-Base-0414",
     "{\"architectures\":[\"Glm4ForCausalLM\"],\"hidden_size\":6144,\"intermediate_size\":2304"
     "0,\"max_position_embeddings\":32768,\"num_attention_heads\":48,\"num_hidden_layers\":61,"
     "\"num_key_value_heads\":2,\"partial_rotary_factor\":0.5,\"torch_dtype\":\"bfloat16\",\"v"
     "ocab_size\":151552}"},
    {"glm-4-9b", "THUDM/glm-4-9b-chat-hf",
     "{\"architectures\":[\"GlmForCausalLM\"],\"attention_bias\":true,\"hidden_size\":4096,\"i"
     "ntermediate_size\":13696,\"max_position_embeddings\":131072,\"num_attention_heads\":32,"
     "\"num_hidden_layers\":40,\"num_key_value_heads\":2,\"torch_dtype\":\"bfloat16\",\"vocab_"
     "size\":151552}"},
    {"glm-4-9b-0414", "zai-org/GLM-4-9B-0414",
     "{\"architectures\":[\"Glm4ForCausalLM\"],\"attention_bias\":true,\"hidden_size\":4096,\""
     "intermediate_size\":13696,\"max_position_embeddings\":32768,\"num_attention_heads\":32,"
     "\"num_hidden_layers\":40,\"num_key_value_heads\":2,\"partial_rotary_factor\":0.5,\"torch"
     "_dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"glm-4-9b-chat-1m", "THUDM/glm-4-9b-chat-1m",
     "{\"add_qkv_bias\":true,\"architectures\":[\"ChatGLMModel\"],\"ffn_hidden_size\":13696,\""
     "hidden_size\":4096,\"layernorm_epsilon\":1.5625e-07,\"multi_query_group_num\":4,\"num_at"
     "tention_heads\":32,\"num_layers\":40,\"padded_vocab_size\":151552,\"rope_ratio\":10000,"
     "\"seq_length\":1048576,\"torch_dtype\":\"bfloat16\"}"},
    {"glm-4.5", "zai-org/GLM-4.5",
     "{\"architectures\":[\"Glm4MoeForCausalLM\"],\"attention_bias\":true,\"head_dim\":128,\"h"
     "idden_size\":5120,\"partial_rotary_factor\":0.5,\"intermediate_size\":12288,\"max_positi"
     "on_embeddings\":131072,\"moe_intermediate_size\":1536,\"num_attention_heads\":96,\"n_rou"
     "ted_experts\":160,\"n_shared_experts\":1,\"routed_scaling_factor\":2.5,\"num_experts_per"
     "_tok\":8,\"first_k_dense_replace\":3,\"num_hidden_layers\":92,\"num_key_value_heads\":8,"
     "\"rope_theta\":1000000,\"num_nextn_predict_layers\":1,\"torch_dtype\":\"bfloat16\",\"use"
     "_qk_norm\":true,\"vocab_size\":151552}"},
    {"glm-4.5-air", "zai-org/GLM-4.5-Air",
     "{\"architectures\":[\"Glm4MoeForCausalLM\"],\"attention_bias\":true,\"head_dim\":128,\"h"
     "idden_size\":4096,\"partial_rotary_factor\":0.5,\"intermediate_size\":10944,\"max_positi"
     "on_embeddings\":131072,\"moe_intermediate_size\":1408,\"num_attention_heads\":96,\"n_rou"
     "ted_experts\":128,\"n_shared_experts\":1,\"routed_scaling_factor\":1.0,\"num_experts_per"
     "_tok\":8,\"first_k_dense_replace\":1,\"num_hidden_layers\":46,\"num_key_value_heads\":8,"
     "\"rope_theta\":1000000,\"num_nextn_predict_layers\":1,\"torch_dtype\":\"bfloat16\",\"voc"
     "ab_size\":151552}"},
    {"glm-4.6", "zai-org/GLM-4.6",
     "{\"architectures\":[\"Glm4MoeForCausalLM\"],\"attention_bias\":true,\"head_dim\":128,\"h"
     "idden_size\":5120,\"partial_rotary_factor\":0.5,\"intermediate_size\":12288,\"max_positi"
     "on_embeddings\":202752,\"moe_intermediate_size\":1536,\"num_attention_heads\":96,\"n_rou"
     "ted_experts\":160,\"n_shared_experts\":1,\"routed_scaling_factor\":2.5,\"num_experts_per"
     "_tok\":8,\"first_k_dense_replace\":3,\"num_hidden_layers\":92,\"num_key_value_heads\":8,"
     "\"rope_theta\":1000000,\"num_nextn_predict_layers\":1,\"torch_dtype\":\"bfloat16\",\"use"
     "_qk_norm\":true,\"vocab_size\":151552}"},
    {"glm-4.7", "zai-org/GLM-4.7",
     "{\"architectures\":[\"Glm4MoeForCausalLM\"],\"attention_bias\":true,\"head_dim\":128,\"h"
     "idden_size\":5120,\"partial_rotary_factor\":0.5,\"intermediate_size\":12288,\"max_positi"
     "on_embeddings\":202752,\"moe_intermediate_size\":1536,\"num_attention_heads\":96,\"n_rou"
     "ted_experts\":160,\"n_shared_experts\":1,\"routed_scaling_factor\":2.5,\"num_experts_per"
     "_tok\":8,\"first_k_dense_replace\":3,\"num_hidden_layers\":92,\"num_key_value_heads\":8,"
     "\"rope_theta\":1000000,\"num_nextn_predict_layers\":1,\"torch_dtype\":\"bfloat16\",\"use"
     "_qk_norm\":true,\"vocab_size\":151552}"},
    {"glm-4.7-flash", "zai-org/GLM-4.7-Flash",
     "{\"architectures\":[\"Glm4MoeLiteForCausalLM\"],\"dtype\":\"bfloat16\",\"first_k_dense_r"
     "eplace\":1,\"hidden_size\":2048,\"intermediate_size\":10240,\"kv_lora_rank\":512,\"max_p"
     "osition_embeddings\":202752,\"moe_intermediate_size\":1536,\"n_group\":1,\"n_routed_expe"
     "rts\":64,\"n_shared_experts\":1,\"norm_topk_prob\":true,\"num_attention_heads\":20,\"num"
     "_experts_per_tok\":4,\"num_hidden_layers\":47,\"num_key_value_heads\":20,\"num_nextn_pre"
     "dict_layers\":1,\"q_lora_rank\":768,\"qk_nope_head_dim\":192,\"qk_rope_head_dim\":64,\"r"
     "ms_norm_eps\":1e-05,\"rope_parameters\":{\"rope_theta\":1000000},\"routed_scaling_factor"
     "\":1.8,\"topk_group\":1,\"v_head_dim\":256,\"vocab_size\":154880}"},
    {"glm-5", "zai-org/GLM-5",
     "{\"architectures\":[\"GlmMoeDsaForCausalLM\"],\"dtype\":\"bfloat16\",\"first_k_dense_rep"
     "lace\":3,\"head_dim\":64,\"hidden_size\":6144,\"index_head_dim\":128,\"index_n_heads\":3"
     "2,\"index_topk\":2048,\"intermediate_size\":12288,\"kv_lora_rank\":512,\"max_position_em"
     "beddings\":202752,\"moe_intermediate_size\":2048,\"n_group\":1,\"n_routed_experts\":256,"
     "\"n_shared_experts\":1,\"norm_topk_prob\":true,\"num_attention_heads\":64,\"num_experts_"
     "per_tok\":8,\"num_hidden_layers\":78,\"num_key_value_heads\":64,\"num_nextn_predict_laye"
     "rs\":1,\"q_lora_rank\":2048,\"qk_nope_head_dim\":192,\"qk_rope_head_dim\":64,\"rms_norm_"
     "eps\":1e-05,\"rope_parameters\":{\"rope_theta\":1000000},\"routed_scaling_factor\":2.5,"
     "\"scoring_func\":\"sigmoid\",\"topk_group\":1,\"v_head_dim\":256,\"vocab_size\":154880}"},
    {"glm-5.1", "zai-org/GLM-5.1",
     "{\"architectures\":[\"GlmMoeDsaForCausalLM\"],\"dtype\":\"bfloat16\",\"first_k_dense_rep"
     "lace\":3,\"head_dim\":64,\"hidden_size\":6144,\"index_head_dim\":128,\"index_n_heads\":3"
     "2,\"index_topk\":2048,\"intermediate_size\":12288,\"kv_lora_rank\":512,\"max_position_em"
     "beddings\":202752,\"moe_intermediate_size\":2048,\"n_group\":1,\"n_routed_experts\":256,"
     "\"n_shared_experts\":1,\"norm_topk_prob\":true,\"num_attention_heads\":64,\"num_experts_"
     "per_tok\":8,\"num_hidden_layers\":78,\"num_key_value_heads\":64,\"num_nextn_predict_laye"
     "rs\":1,\"q_lora_rank\":2048,\"qk_nope_head_dim\":192,\"qk_rope_head_dim\":64,\"rms_norm_"
     "eps\":1e-05,\"rope_parameters\":{\"rope_theta\":1000000},\"routed_scaling_factor\":2.5,"
     "\"scoring_func\":\"sigmoid\",\"topk_group\":1,\"v_head_dim\":256,\"vocab_size\":154880}"},
    {"glm-5.2", "zai-org/GLM-5.2",
     "{\"architectures\":[\"GlmMoeDsaForCausalLM\"],\"dtype\":\"bfloat16\",\"first_k_dense_rep"
     "lace\":3,\"head_dim\":192,\"hidden_size\":6144,\"index_head_dim\":128,\"index_n_heads\":"
     "32,\"index_topk\":2048,\"index_topk_freq\":4,\"indexer_types\":[\"full\",\"full\",\"full"
     "\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\","
     "\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"sh"
     "ared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared"
     "\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\","
     "\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"sh"
     "ared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared"
     "\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\","
     "\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"sh"
     "ared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared"
     "\"],\"intermediate_size\":12288,\"kv_lora_rank\":512,\"max_position_embeddings\":1048576"
     ",\"moe_intermediate_size\":2048,\"n_group\":1,\"n_routed_experts\":256,\"n_shared_expert"
     "s\":1,\"norm_topk_prob\":true,\"num_attention_heads\":64,\"num_experts_per_tok\":8,\"num"
     "_hidden_layers\":78,\"num_key_value_heads\":64,\"num_nextn_predict_layers\":1,\"q_lora_r"
     "ank\":2048,\"qk_nope_head_dim\":192,\"qk_rope_head_dim\":64,\"rms_norm_eps\":1e-05,\"rop"
     "e_parameters\":{\"rope_theta\":8000000},\"routed_scaling_factor\":2.5,\"scoring_func\":"
     "\"sigmoid\",\"topk_group\":1,\"v_head_dim\":256,\"vocab_size\":154880}"},
    {"glm-z1-9b-0414", "zai-org/GLM-Z1-9B-0414",
     "{\"architectures\":[\"Glm4ForCausalLM\"],\"attention_bias\":true,\"hidden_size\":4096,\""
     "intermediate_size\":13696,\"max_position_embeddings\":32768,\"num_attention_heads\":32,"
     "\"num_hidden_layers\":40,\"num_key_value_heads\":2,\"partial_rotary_factor\":0.5,\"torch"
     "_dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"glm-z1-rumination-32b-0414", "zai-org/GLM-Z1-Rumination-32B-0414",
     "{\"architectures\":[\"Glm4ForCausalLM\"],\"hidden_size\":6144,\"intermediate_size\":2304"
     "0,\"max_position_embeddings\":131072,\"num_attention_heads\":48,\"num_hidden_layers\":61"
     ",\"num_key_value_heads\":8,\"partial_rotary_factor\":0.5,\"torch_dtype\":\"bfloat16\",\""
     "vocab_size\":151552}"},
    {"gpt-oss-120b", "openai/gpt-oss-120b",
     "{\"architectures\":[\"GptOssForCausalLM\"],\"head_dim\":64,\"hidden_size\":2880,\"interm"
     "ediate_size\":2880,\"max_position_embeddings\":131072,\"num_attention_heads\":64,\"num_e"
     "xperts_per_tok\":4,\"num_hidden_layers\":36,\"num_key_value_heads\":8,\"num_local_expert"
     "s\":128,\"quantization_config\":{\"quant_method\":\"mxfp4\"},\"rope_scaling\":{\"beta_fa"
     "st\":32.0,\"beta_slow\":1.0,\"factor\":32.0,\"original_max_position_embeddings\":4096,\""
     "rope_type\":\"yarn\",\"truncate\":false},\"sliding_window\":128,\"vocab_size\":201088}"},
    {"gpt-oss-20b", "openai/gpt-oss-20b",
     "{\"architectures\":[\"GptOssForCausalLM\"],\"head_dim\":64,\"hidden_size\":2880,\"interm"
     "ediate_size\":2880,\"max_position_embeddings\":131072,\"num_attention_heads\":64,\"num_e"
     "xperts_per_tok\":4,\"num_hidden_layers\":24,\"num_key_value_heads\":8,\"num_local_expert"
     "s\":32,\"quantization_config\":{\"quant_method\":\"mxfp4\"},\"rope_scaling\":{\"beta_fas"
     "t\":32.0,\"beta_slow\":1.0,\"factor\":32.0,\"original_max_position_embeddings\":4096,\"r"
     "ope_type\":\"yarn\",\"truncate\":false},\"sliding_window\":128,\"vocab_size\":201088}"},
    {"gpt2", "openai-community/gpt2",
     "{\"architectures\":[\"GPT2LMHeadModel\"],\"n_embd\":768,\"n_head\":12,\"n_layer\":12,\"n"
     "_positions\":1024,\"vocab_size\":50257}"},
    {"gpt2-large", "openai-community/gpt2-large",
     "{\"architectures\":[\"GPT2LMHeadModel\"],\"n_layer\":36,\"n_embd\":1280,\"n_head\":20,\""
     "n_positions\":1024,\"vocab_size\":50257}"},
    {"gpt2-medium", "openai-community/gpt2-medium",
     "{\"architectures\":[\"GPT2LMHeadModel\"],\"n_embd\":1024,\"n_head\":16,\"n_layer\":24,\""
     "n_positions\":1024,\"vocab_size\":50257}"},
    {"gpt2-xl", "openai-community/gpt2-xl",
     "{\"architectures\":[\"GPT2LMHeadModel\"],\"n_layer\":48,\"n_embd\":1600,\"n_head\":25,\""
     "n_positions\":1024,\"vocab_size\":50257}"},
    {"granite-3.2-8b", "ibm-granite/granite-3.2-8b-instruct",
     "{\"architectures\":[\"GraniteForCausalLM\"],\"attention_multiplier\":0.0078125,\"embeddi"
     "ng_multiplier\":12.0,\"hidden_size\":4096,\"intermediate_size\":12800,\"logits_scaling\""
     ":16.0,\"max_position_embeddings\":131072,\"num_attention_heads\":32,\"num_hidden_layers"
     "\":40,\"num_key_value_heads\":8,\"residual_multiplier\":0.22,\"rms_norm_eps\":1e-05,\"ro"
     "pe_theta\":10000000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_"
     "size\":49155}"},
    {"granite-3.3-8b", "ibm-granite/granite-3.3-8b-instruct",
     "{\"architectures\":[\"GraniteForCausalLM\"],\"attention_multiplier\":0.0078125,\"embeddi"
     "ng_multiplier\":12.0,\"hidden_size\":4096,\"intermediate_size\":12800,\"logits_scaling\""
     ":16.0,\"max_position_embeddings\":131072,\"num_attention_heads\":32,\"num_hidden_layers"
     "\":40,\"num_key_value_heads\":8,\"residual_multiplier\":0.22,\"rms_norm_eps\":1e-05,\"ro"
     "pe_theta\":10000000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_"
     "size\":49159}"},
    {"granite-4.0-h-1b", "ibm-granite/granite-4.0-h-1b",
     "{\"architectures\":[\"GraniteMoeHybridForCausalLM\"],\"attention_multiplier\":0.0078125,"
     "\"embedding_multiplier\":12,\"hidden_size\":1536,\"intermediate_size\":4096,\"layer_type"
     "s\":[\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\""
     ",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"m"
     "amba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\","
     "\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"ma"
     "mba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\"],\"logits_scaling"
     "\":6,\"mamba_d_conv\":4,\"mamba_d_state\":128,\"mamba_n_heads\":48,\"max_position_embedd"
     "ings\":131072,\"num_attention_heads\":12,\"num_experts_per_tok\":0,\"num_hidden_layers\""
     ":40,\"num_key_value_heads\":4,\"num_local_experts\":0,\"residual_multiplier\":0.22,\"rms"
     "_norm_eps\":1e-05,\"shared_intermediate_size\":4096,\"tie_word_embeddings\":true,\"torch"
     "_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"granite-4.0-h-350m", "ibm-granite/granite-4.0-h-350m",
     "{\"architectures\":[\"GraniteMoeHybridForCausalLM\"],\"attention_multiplier\":0.015625,"
     "\"embedding_multiplier\":12,\"hidden_size\":768,\"intermediate_size\":2048,\"layer_types"
     "\":[\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"ma"
     "mba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"ma"
     "mba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba"
     "\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\"],\"logits_s"
     "caling\":3,\"mamba_d_conv\":4,\"mamba_d_state\":128,\"mamba_n_heads\":48,\"max_position_"
     "embeddings\":32768,\"num_attention_heads\":12,\"num_experts_per_tok\":0,\"num_hidden_lay"
     "ers\":32,\"num_key_value_heads\":4,\"num_local_experts\":0,\"residual_multiplier\":0.246"
     ",\"rms_norm_eps\":1e-05,\"shared_intermediate_size\":2048,\"tie_word_embeddings\":true,"
     "\"torch_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"granite-4.0-h-small", "ibm-granite/granite-4.0-h-small",
     "{\"architectures\":[\"GraniteMoeHybridForCausalLM\"],\"attention_multiplier\":0.0078125,"
     "\"embedding_multiplier\":12,\"hidden_size\":4096,\"intermediate_size\":768,\"layer_types"
     "\":[\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\","
     "\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"ma"
     "mba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\""
     "attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamb"
     "a\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\"],\"logits_scaling\":"
     "16,\"mamba_d_conv\":4,\"mamba_d_state\":128,\"mamba_n_heads\":128,\"max_position_embeddi"
     "ngs\":131072,\"num_attention_heads\":32,\"num_experts_per_tok\":10,\"num_hidden_layers\""
     ":40,\"num_key_value_heads\":8,\"num_local_experts\":72,\"residual_multiplier\":0.22,\"rm"
     "s_norm_eps\":1e-05,\"shared_intermediate_size\":1536,\"tie_word_embeddings\":true,\"torc"
     "h_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"hunyuan-0.5b-pretrain", "tencent/Hunyuan-0.5B-Pretrain",
     "{\"architectures\":[\"HunYuanDenseV1ForCausalLM\"],\"head_dim\":128,\"hidden_size\":1024"
     ",\"intermediate_size\":3584,\"max_position_embeddings\":262144,\"num_attention_heads\":1"
     "6,\"num_hidden_layers\":24,\"num_key_value_heads\":8,\"rope_scaling\":{\"alpha\":1000.0}"
     ",\"torch_dtype\":\"bfloat16\",\"vocab_size\":120818}"},
    {"hunyuan-1.8b", "tencent/Hunyuan-1.8B-Instruct",
     "{\"architectures\":[\"HunYuanDenseV1ForCausalLM\"],\"head_dim\":128,\"hidden_size\":2048"
     ",\"intermediate_size\":6144,\"max_position_embeddings\":262144,\"num_attention_heads\":1"
     "6,\"num_hidden_layers\":32,\"num_key_value_heads\":4,\"rope_scaling\":{\"alpha\":1000.0}"
     ",\"torch_dtype\":\"bfloat16\",\"vocab_size\":120818}"},
    {"hunyuan-4b", "tencent/Hunyuan-4B-Instruct",
     "{\"architectures\":[\"HunYuanDenseV1ForCausalLM\"],\"head_dim\":128,\"hidden_size\":3072"
     ",\"intermediate_size\":8192,\"max_position_embeddings\":262144,\"num_attention_heads\":3"
     "2,\"num_hidden_layers\":36,\"num_key_value_heads\":8,\"rope_scaling\":{\"alpha\":1000.0}"
     ",\"torch_dtype\":\"bfloat16\",\"vocab_size\":120818}"},
    {"hunyuan-7b", "tencent/Hunyuan-7B-Instruct",
     "{\"architectures\":[\"HunYuanDenseV1ForCausalLM\"],\"head_dim\":128,\"hidden_size\":4096"
     ",\"intermediate_size\":14336,\"max_position_embeddings\":32768,\"num_attention_heads\":3"
     "2,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"rope_scaling\":{\"alpha\":1000.0}"
     ",\"torch_dtype\":\"bfloat16\",\"vocab_size\":128167}"},
    {"hunyuan-a13b", "tencent/Hunyuan-A13B-Instruct",
     "{\"architectures\":[\"HunYuanMoEV1ForCausalLM\"],\"hidden_size\":4096,\"intermediate_siz"
     "e\":3072,\"max_position_embeddings\":32768,\"moe_topk\":[8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8"
     ",8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8],\"num_attention_heads\":32,\"num_experts\":64,\"num_hi"
     "dden_layers\":32,\"num_key_value_heads\":8,\"rope_scaling\":{\"alpha\":1000.0},\"torch_d"
     "type\":\"bfloat16\",\"vocab_size\":128167}"},
    {"hy3-preview", "tencent/Hy3-preview",
     "{\"architectures\":[\"HYV3ForCausalLM\"],\"moe_intermediate_size\":1536,\"first_k_dense_"
     "replace\":1,\"head_dim\":128,\"hidden_size\":4096,\"intermediate_size\":13312,\"max_posi"
     "tion_embeddings\":262144,\"num_attention_heads\":64,\"num_experts\":192,\"num_experts_pe"
     "r_tok\":8,\"num_hidden_layers\":80,\"num_key_value_heads\":8,\"num_shared_experts\":1,\""
     "rms_norm_eps\":1e-05,\"rope_parameters\":{\"rope_theta\":11158840.0},\"router_scaling_fa"
     "ctor\":2.826,\"vocab_size\":120832,\"num_nextn_predict_layers\":1}"},
    {"internlm2-7b", "internlm/internlm2-7b",
     "{\"architectures\":[\"InternLM2ForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\""
     ":14336,\"max_position_embeddings\":32768,\"num_attention_heads\":32,\"num_hidden_layers"
     "\":32,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000,\"torch_dt"
     "ype\":\"bfloat16\",\"vocab_size\":92544}"},
    {"jamba-v0.1", "ai21labs/Jamba-v0.1",
     "{\"architectures\":[\"JambaForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":143"
     "36,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"attn_"
     "layer_offset\":4,\"attn_layer_period\":8,\"mamba_d_conv\":4,\"mamba_d_state\":16,\"num_e"
     "xperts\":16,\"num_experts_per_tok\":2,\"max_position_embeddings\":262144}"},
    {"jina-embeddings-v3", "jinaai/jina-embeddings-v3",
     "{\"architectures\":[\"XLMRobertaModel\"],\"hidden_size\":1024,\"intermediate_size\":4096"
     ",\"layer_norm_eps\":1e-05,\"lora_adaptations\":[\"retrieval.query\",\"retrieval.passage"
     "\",\"separation\",\"classification\",\"text-matching\"],\"max_position_embeddings\":8194"
     ",\"num_attention_heads\":16,\"num_hidden_layers\":24,\"rotary_emb_base\":20000.0,\"torch"
     "_dtype\":\"bfloat16\",\"vocab_size\":250002}"},
    {"kimi-k2", "moonshotai/Kimi-K2-Instruct",
     "{\"architectures\":[\"DeepseekV3ForCausalLM\"],\"first_k_dense_replace\":1,\"hidden_size"
     "\":7168,\"intermediate_size\":18432,\"kv_lora_rank\":512,\"max_position_embeddings\":131"
     "072,\"moe_intermediate_size\":2048,\"n_group\":1,\"n_routed_experts\":384,\"n_shared_exp"
     "erts\":1,\"num_attention_heads\":64,\"num_hidden_layers\":61,\"num_key_value_heads\":64,"
     "\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"quantization_con"
     "fig\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128]},\"rope_theta\":50000.0,"
     "\"routed_scaling_factor\":2.827,\"rope_scaling\":{\"beta_fast\":1.0,\"beta_slow\":1.0,\""
     "factor\":32.0,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":"
     "\"yarn\"},\"scoring_func\":\"sigmoid\",\"topk_group\":1,\"torch_dtype\":\"bfloat16\",\"v"
     "_head_dim\":128,\"vocab_size\":163840}"},
    {"kimi-k2.5", "moonshotai/Kimi-K2.5",
     "{\"architectures\":[\"KimiK25ForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"first_k_dense_replace\":1,\"hidden_size\":7168,\"intermediate_size\":18432,\""
     "kv_lora_rank\":512,\"max_position_embeddings\":262144,\"moe_intermediate_size\":2048,\"n"
     "_group\":1,\"n_routed_experts\":384,\"n_shared_experts\":1,\"num_attention_heads\":64,\""
     "num_hidden_layers\":61,\"num_key_value_heads\":64,\"q_lora_rank\":1536,\"qk_nope_head_di"
     "m\":128,\"qk_rope_head_dim\":64,\"quantization_config\":{\"format\":\"pack-quantized\","
     "\"quant_method\":\"compressed-tensors\"},\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"beta"
     "_fast\":32.0,\"beta_slow\":1.0,\"factor\":64.0,\"mscale_all_dim\":1.0,\"original_max_pos"
     "ition_embeddings\":4096,\"type\":\"yarn\"},\"rope_theta\":50000.0,\"routed_scaling_facto"
     "r\":2.827,\"scoring_func\":\"sigmoid\",\"topk_group\":1,\"v_head_dim\":128,\"vocab_size"
     "\":163840},\"vision_config\":{}}"},
    {"kimi-k2.6", "moonshotai/Kimi-K2.6",
     "{\"architectures\":[\"KimiK25ForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"first_k_dense_replace\":1,\"hidden_size\":7168,\"intermediate_size\":18432,\""
     "kv_lora_rank\":512,\"max_position_embeddings\":262144,\"moe_intermediate_size\":2048,\"n"
     "_group\":1,\"n_routed_experts\":384,\"n_shared_experts\":1,\"num_attention_heads\":64,\""
     "num_hidden_layers\":61,\"num_key_value_heads\":64,\"q_lora_rank\":1536,\"qk_nope_head_di"
     "m\":128,\"qk_rope_head_dim\":64,\"quantization_config\":{\"format\":\"pack-quantized\","
     "\"quant_method\":\"compressed-tensors\"},\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"beta"
     "_fast\":32.0,\"beta_slow\":1.0,\"factor\":64.0,\"mscale_all_dim\":1.0,\"original_max_pos"
     "ition_embeddings\":4096,\"type\":\"yarn\"},\"rope_theta\":50000.0,\"routed_scaling_facto"
     "r\":2.827,\"scoring_func\":\"sigmoid\",\"topk_group\":1,\"v_head_dim\":128,\"vocab_size"
     "\":163840},\"vision_config\":{}}"},
    {"kimi-k3", "moonshotai/Kimi-K3",
     "{\"architectures\":[\"KimiK3ForConditionalGeneration\"],\"text_config\":{\"activation_si"
     "tu_beta\":4.0,\"activation_situ_linear_beta\":25.0,\"attn_res_block_size\":12,\"dtype\":"
     "\"bfloat16\",\"first_k_dense_replace\":1,\"hidden_size\":7168,\"intermediate_size\":3379"
     "2,\"latent_moe_use_norm\":true,\"linear_attn_config\":{\"full_attn_layers\":[4,8,12,16,2"
     "0,24,28,32,36,40,44,48,52,56,60,64,68,72,76,80,84,88,92,93],\"gate_lower_bound\":-5.0},"
     "\"max_position_embeddings\":1048576,\"mla_use_output_gate\":true,\"moe_intermediate_size"
     "\":3072,\"moe_renormalize\":true,\"moe_router_activation_func\":\"sigmoid\",\"num_attent"
     "ion_heads\":96,\"num_experts\":896,\"num_experts_per_token\":16,\"num_hidden_layers\":93"
     ",\"num_key_value_heads\":96,\"num_shared_experts\":2,\"q_lora_rank\":1536,\"qk_nope_head"
     "_dim\":128,\"qk_rope_head_dim\":64,\"quantization_config\":{\"format\":\"mxfp4-pack-quan"
     "tized\",\"quant_method\":\"compressed-tensors\"},\"rms_norm_eps\":1e-05,\"routed_expert_"
     "hidden_size\":3584,\"routed_scaling_factor\":1.0,\"topk_group\":1,\"v_head_dim\":128,\"v"
     "ocab_size\":163840},\"vision_config\":{}}"},
    {"kimi-linear-48b-a3b", "moonshotai/Kimi-Linear-48B-A3B-Instruct",
     "{\"architectures\":[\"KimiLinearForCausalLM\"],\"dtype\":\"bfloat16\",\"first_k_dense_re"
     "place\":1,\"head_dim\":72,\"hidden_size\":2304,\"intermediate_size\":9216,\"kv_lora_rank"
     "\":512,\"linear_attn_config\":{\"full_attn_layers\":[4,8,12,16,20,24,27],\"head_dim\":12"
     "8,\"kda_layers\":[1,2,3,5,6,7,9,10,11,13,14,15,17,18,19,21,22,23,25,26],\"num_heads\":32"
     "},\"model_max_length\":1048576,\"moe_intermediate_size\":1024,\"moe_router_activation_fu"
     "nc\":\"sigmoid\",\"num_attention_heads\":32,\"num_experts\":256,\"num_experts_per_token"
     "\":8,\"num_hidden_layers\":27,\"num_key_value_heads\":32,\"num_shared_experts\":1,\"qk_n"
     "ope_head_dim\":128,\"qk_rope_head_dim\":64,\"rms_norm_eps\":1e-05,\"rope_theta\":10000.0"
     ",\"routed_scaling_factor\":2.446,\"topk_group\":1,\"v_head_dim\":128,\"vocab_size\":1638"
     "40}"},
    {"laguna-xs.2", "poolside/Laguna-XS.2",
     "{\"architectures\":[\"LagunaForCausalLM\"],\"vocab_size\":100352,\"hidden_size\":2048,\""
     "intermediate_size\":8192,\"num_hidden_layers\":40,\"num_attention_heads\":48,\"num_key_v"
     "alue_heads\":8,\"head_dim\":128,\"max_position_embeddings\":131072,\"rms_norm_eps\":1e-0"
     "6,\"num_experts\":256,\"num_experts_per_tok\":8,\"moe_intermediate_size\":512,\"shared_e"
     "xpert_intermediate_size\":512,\"torch_dtype\":\"bfloat16\",\"sliding_window\":512,\"rope"
     "_parameters\":{\"full_attention\":{\"rope_theta\":500000.0,\"rope_type\":\"yarn\",\"fact"
     "or\":32.0,\"original_max_position_embeddings\":4096,\"beta_slow\":1.0,\"beta_fast\":64.0"
     ",\"attention_factor\":1.0,\"partial_rotary_factor\":0.5},\"sliding_attention\":{\"rope_t"
     "heta\":10000.0}},\"partial_rotary_factor\":0.5,\"mlp_layer_types\":[\"dense\",\"sparse\""
     ",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\""
     ",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\""
     ",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\""
     ",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\""
     ",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\"],\"moe_routed_scaling"
     "_factor\":2.5,\"num_attention_heads_per_layer\":[48,64,64,64,48,64,64,64,48,64,64,64,48,"
     "64,64,64,48,64,64,64,48,64,64,64,48,64,64,64,48,64,64,64,48,64,64,64,48,64,64,64]}"},
    {"lfm2-1.2b", "LiquidAI/LFM2-1.2B",
     "{\"architectures\":[\"Lfm2ForCausalLM\"],\"block_ff_dim\":12288,\"conv_L_cache\":3,\"ful"
     "l_attn_idxs\":[2,5,8,10,12,14],\"hidden_size\":2048,\"max_position_embeddings\":128000,"
     "\"norm_eps\":1e-05,\"num_attention_heads\":32,\"num_hidden_layers\":16,\"num_key_value_h"
     "eads\":8,\"vocab_size\":65536}"},
    {"lfm2-2.6b", "LiquidAI/LFM2-2.6B",
     "{\"architectures\":[\"Lfm2ForCausalLM\"],\"hidden_size\":2048,\"block_ff_dim\":10752,\"b"
     "lock_auto_adjust_ff_dim\":false,\"num_hidden_layers\":30,\"num_attention_heads\":32,\"nu"
     "m_key_value_heads\":8,\"full_attn_idxs\":[2,5,9,13,17,21,24,27],\"conv_L_cache\":3,\"voc"
     "ab_size\":65536,\"norm_eps\":1e-05,\"max_position_embeddings\":128000}"},
    {"lfm2-24b-a2b", "LiquidAI/LFM2-24B-A2B",
     "{\"architectures\":[\"Lfm2MoeForCausalLM\"],\"conv_L_cache\":3,\"dtype\":\"bfloat16\",\""
     "hidden_size\":2048,\"intermediate_size\":11776,\"layer_types\":[\"conv\",\"conv\",\"full"
     "_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\""
     "full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv"
     "\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\""
     "conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv"
     "\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\"],"
     "\"max_position_embeddings\":128000,\"moe_intermediate_size\":1536,\"norm_eps\":1e-05,\"n"
     "um_attention_heads\":32,\"num_experts\":64,\"num_experts_per_tok\":4,\"num_hidden_layers"
     "\":40,\"num_key_value_heads\":8,\"vocab_size\":65536}"},
    {"lfm2-350m", "LiquidAI/LFM2-350M",
     "{\"architectures\":[\"Lfm2ForCausalLM\"],\"hidden_size\":1024,\"block_ff_dim\":6656,\"nu"
     "m_hidden_layers\":16,\"num_attention_heads\":16,\"num_key_value_heads\":8,\"full_attn_id"
     "xs\":[2,5,8,10,12,14],\"conv_L_cache\":3,\"vocab_size\":65536,\"norm_eps\":1e-05,\"max_p"
     "osition_embeddings\":128000}"},
    {"lfm2-700m", "LiquidAI/LFM2-700M",
     "{\"architectures\":[\"Lfm2ForCausalLM\"],\"hidden_size\":1536,\"block_ff_dim\":10240,\"n"
     "um_hidden_layers\":16,\"num_attention_heads\":24,\"num_key_value_heads\":8,\"full_attn_i"
     "dxs\":[2,5,8,10,12,14],\"conv_L_cache\":3,\"vocab_size\":65536,\"norm_eps\":1e-05,\"max_"
     "position_embeddings\":128000}"},
    {"lfm2-8b-a1b", "LiquidAI/LFM2-8B-A1B",
     "{\"architectures\":[\"Lfm2MoeForCausalLM\"],\"conv_L_cache\":3,\"dtype\":\"bfloat16\",\""
     "hidden_size\":2048,\"intermediate_size\":7168,\"layer_types\":[\"conv\",\"conv\",\"full_"
     "attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"f"
     "ull_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\""
     ",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\"],\"max_positi"
     "on_embeddings\":128000,\"moe_intermediate_size\":1792,\"norm_eps\":1e-05,\"num_attention"
     "_heads\":32,\"num_experts\":32,\"num_experts_per_tok\":4,\"num_hidden_layers\":24,\"num_"
     "key_value_heads\":8,\"vocab_size\":65536}"},
    {"lfm2-vl-3b", "LiquidAI/LFM2-VL-3B",
     "{\"architectures\":[\"Lfm2VlForConditionalGeneration\"],\"text_config\":{\"architectures"
     "\":[\"Lfm2ForCausalLM\"],\"block_auto_adjust_ff_dim\":false,\"dtype\":\"bfloat16\",\"hid"
     "den_size\":2048,\"intermediate_size\":10752,\"layer_types\":[\"conv\",\"conv\",\"full_at"
     "tention\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attenti"
     "on\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_att"
     "ention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attentio"
     "n\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\"],\"max_position_embeddings\":"
     "128000,\"norm_eps\":1e-05,\"num_attention_heads\":32,\"num_hidden_layers\":30,\"num_key_"
     "value_heads\":8,\"vocab_size\":65536},\"vision_config\":{}}"},
    {"lfm2.5-vl-1.6b", "LiquidAI/LFM2.5-VL-1.6B",
     "{\"architectures\":[\"Lfm2VlForConditionalGeneration\"],\"text_config\":{\"architectures"
     "\":[\"Lfm2ForCausalLM\"],\"dtype\":\"bfloat16\",\"hidden_size\":2048,\"intermediate_size"
     "\":12288,\"layer_types\":[\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_"
     "attention\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"full_attention\",\"conv\",\""
     "full_attention\",\"conv\",\"full_attention\",\"conv\"],\"max_position_embeddings\":12800"
     "0,\"norm_eps\":1e-05,\"num_attention_heads\":32,\"num_hidden_layers\":16,\"num_key_value"
     "_heads\":8,\"vocab_size\":65536},\"vision_config\":{}}"},
    {"ling-1t", "inclusionAI/Ling-1T",
     "{\"architectures\":[\"BailingMoeV2ForCausalLM\"],\"hidden_size\":8192,\"num_hidden_layer"
     "s\":80,\"num_attention_heads\":64,\"num_key_value_heads\":8,\"head_dim\":128,\"num_exper"
     "ts\":256,\"num_experts_per_tok\":8,\"num_shared_experts\":1,\"moe_intermediate_size\":20"
     "48,\"first_k_dense_replace\":4,\"intermediate_size\":18432,\"vocab_size\":157184}"},
    {"ling-flash-2.0", "inclusionAI/Ling-flash-2.0",
     "{\"architectures\":[\"BailingMoeV2ForCausalLM\"],\"hidden_size\":4096,\"num_hidden_layer"
     "s\":32,\"num_attention_heads\":32,\"num_key_value_heads\":4,\"head_dim\":128,\"num_exper"
     "ts\":256,\"num_experts_per_tok\":8,\"num_shared_experts\":1,\"moe_intermediate_size\":10"
     "24,\"first_k_dense_replace\":1,\"intermediate_size\":9216,\"vocab_size\":157184}"},
    {"ling-mini-2.0", "inclusionAI/Ling-mini-2.0",
     "{\"architectures\":[\"BailingMoeV2ForCausalLM\"],\"hidden_size\":2048,\"num_hidden_layer"
     "s\":20,\"num_attention_heads\":16,\"num_key_value_heads\":4,\"head_dim\":128,\"num_exper"
     "ts\":256,\"num_experts_per_tok\":8,\"num_shared_experts\":1,\"moe_intermediate_size\":51"
     "2,\"first_k_dense_replace\":1,\"intermediate_size\":5120,\"vocab_size\":157184}"},
    {"llama-2-13b", "meta-llama/Llama-2-13b-hf",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":5120,\"intermediate_size\":138"
     "24,\"num_hidden_layers\":40,\"num_attention_heads\":40,\"vocab_size\":32000,\"max_positi"
     "on_embeddings\":4096}"},
    {"llama-2-7b", "meta-llama/Llama-2-7b-hf",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":110"
     "08,\"max_position_embeddings\":4096,\"num_attention_heads\":32,\"num_hidden_layers\":32,"
     "\"rms_norm_eps\":1e-05,\"vocab_size\":32000}"},
    {"llama-3-8b", "meta-llama/Meta-Llama-3-8B",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":143"
     "36,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"vocab"
     "_size\":128256,\"max_position_embeddings\":8192,\"rope_theta\":500000.0}"},
    {"llama-3.1-405b", "meta-llama/Meta-Llama-3.1-405B",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":16384,\"intermediate_size\":53"
     "248,\"max_position_embeddings\":131072,\"num_attention_heads\":128,\"num_hidden_layers\""
     ":126,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\""
     "llama3\"},\"rope_theta\":500000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":128256}"},
    {"llama-3.1-70b", "meta-llama/Meta-Llama-3.1-70B",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":8192,\"intermediate_size\":286"
     "72,\"max_position_embeddings\":131072,\"num_attention_heads\":64,\"num_hidden_layers\":8"
     "0,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"lla"
     "ma3\"},\"rope_theta\":500000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":128256}"},
    {"llama-3.1-8b", "meta-llama/Meta-Llama-3.1-8B",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":143"
     "36,\"max_position_embeddings\":131072,\"num_attention_heads\":32,\"num_hidden_layers\":3"
     "2,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"lla"
     "ma3\"},\"rope_theta\":500000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":128256}"},
    {"llama-3.2-1b", "meta-llama/Llama-3.2-1B-Instruct",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":819"
     "2,\"max_position_embeddings\":131072,\"num_attention_heads\":32,\"num_hidden_layers\":16"
     ",\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"llam"
     "a3\"},\"rope_theta\":500000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\","
     "\"vocab_size\":128256}"},
    {"llama-3.2-3b", "meta-llama/Llama-3.2-3B-Instruct",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":3072,\"intermediate_size\":819"
     "2,\"max_position_embeddings\":131072,\"num_attention_heads\":24,\"num_hidden_layers\":28"
     ",\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"llam"
     "a3\"},\"rope_theta\":500000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\","
     "\"vocab_size\":128256}"},
    {"llama-4-maverick-17b-128e", "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
     "{\"architectures\":[\"Llama4ForConditionalGeneration\"],\"text_config\":{\"hidden_size\""
     ":5120,\"interleave_moe_layer_step\":2,\"intermediate_size\":8192,\"intermediate_size_mlp"
     "\":16384,\"max_position_embeddings\":1048576,\"num_attention_heads\":40,\"num_experts_pe"
     "r_tok\":1,\"num_hidden_layers\":48,\"num_key_value_heads\":8,\"num_local_experts\":128,"
     "\"vocab_size\":202048},\"torch_dtype\":\"bfloat16\",\"vision_config\":{}}"},
    {"llama-4-scout-17b-16e", "meta-llama/Llama-4-Scout-17B-16E-Instruct",
     "{\"architectures\":[\"Llama4ForConditionalGeneration\"],\"text_config\":{\"hidden_size\""
     ":5120,\"intermediate_size\":8192,\"intermediate_size_mlp\":16384,\"max_position_embeddin"
     "gs\":10485760,\"num_attention_heads\":40,\"num_experts_per_tok\":1,\"num_hidden_layers\""
     ":48,\"num_key_value_heads\":8,\"num_local_experts\":16,\"rope_scaling\":{\"rope_type\":"
     "\"llama3\"},\"vocab_size\":202048},\"torch_dtype\":\"bfloat16\",\"vision_config\":{}}"},
    {"mamba-1.4b", "state-spaces/mamba-1.4b-hf",
     "{\"architectures\":[\"MambaForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":2048,\"num_h"
     "idden_layers\":48,\"state_size\":16,\"vocab_size\":50280}"},
    {"mamba-130m", "state-spaces/mamba-130m-hf",
     "{\"architectures\":[\"MambaForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":768,\"num_hi"
     "dden_layers\":24,\"state_size\":16,\"vocab_size\":50280}"},
    {"mamba-2.8b", "state-spaces/mamba-2.8b-hf",
     "{\"architectures\":[\"MambaForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":2560,\"num_h"
     "idden_layers\":64,\"state_size\":16,\"vocab_size\":50280}"},
    {"mamba-370m", "state-spaces/mamba-370m-hf",
     "{\"architectures\":[\"MambaForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":1024,\"num_h"
     "idden_layers\":48,\"state_size\":16,\"vocab_size\":50280}"},
    {"mamba-790m", "state-spaces/mamba-790m-hf",
     "{\"architectures\":[\"MambaForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":1536,\"num_h"
     "idden_layers\":48,\"state_size\":16,\"vocab_size\":50280}"},
    {"mamba2-1.3b", "state-spaces/mamba2-1.3b",
     "{\"d_model\":2048,\"n_layer\":48,\"vocab_size\":50277,\"ssm_cfg\":{\"layer\":\"Mamba2\"}"
     ",\"tie_embeddings\":true}"},
    {"mamba2-130m", "state-spaces/mamba2-130m",
     "{\"d_model\":768,\"n_layer\":24,\"vocab_size\":50277,\"ssm_cfg\":{\"layer\":\"Mamba2\"},"
     "\"tie_embeddings\":true}"},
    {"mamba2-2.7b", "state-spaces/mamba2-2.7b",
     "{\"d_model\":2560,\"n_layer\":64,\"vocab_size\":50277,\"ssm_cfg\":{\"layer\":\"Mamba2\"}"
     ",\"tie_embeddings\":true}"},
    {"mamba2-370m", "state-spaces/mamba2-370m",
     "{\"d_model\":1024,\"n_layer\":48,\"vocab_size\":50277,\"ssm_cfg\":{\"layer\":\"Mamba2\"}"
     ",\"tie_embeddings\":true}"},
    {"mamba2-780m", "state-spaces/mamba2-780m",
     "{\"d_model\":1536,\"n_layer\":48,\"vocab_size\":50277,\"ssm_cfg\":{\"layer\":\"Mamba2\"}"
     ",\"tie_embeddings\":true}"},
    {"mimo-v2-flash", "XiaomiMiMo/MiMo-V2-Flash",
     "{\"architectures\":[\"MiMoV2FlashForCausalLM\"],\"num_hidden_layers\":48,\"hidden_size\""
     ":4096,\"num_attention_heads\":64,\"num_key_value_heads\":4,\"head_dim\":192,\"v_head_dim"
     "\":128,\"intermediate_size\":16384,\"vocab_size\":152576,\"max_position_embeddings\":262"
     "144,\"rope_theta\":5000000,\"swa_rope_theta\":10000,\"partial_rotary_factor\":0.334,\"sl"
     "iding_window\":128,\"swa_num_key_value_heads\":8,\"hybrid_layer_pattern\":[0,1,1,1,1,0,1"
     ",1,1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0],\"mo"
     "e_layer_freq\":[0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1,1,1,1,1,1,1,1],\"moe_intermediate_size\":2048,\"n_routed_experts\":256,\"num_e"
     "xperts_per_tok\":8,\"scoring_func\":\"sigmoid\",\"n_group\":1,\"topk_group\":1,\"attenti"
     "on_value_scale\":0.707,\"add_swa_attention_sink_bias\":true,\"torch_dtype\":\"bfloat16\""
     ",\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128]}}"},
    {"minicpm3-4b", "openbmb/MiniCPM3-4B",
     "{\"architectures\":[\"MiniCPM3ForCausalLM\"],\"hidden_size\":2560,\"num_hidden_layers\":"
     "62,\"intermediate_size\":6400,\"max_position_embeddings\":32768,\"num_attention_heads\":"
     "40,\"num_key_value_heads\":40,\"qk_nope_head_dim\":64,\"qk_rope_head_dim\":32,\"q_lora_r"
     "ank\":768,\"kv_lora_rank\":256,\"rope_scaling\":{\"type\":\"longrope\",\"long_factor\":["
     "1.0591234137867171,1.1241891283591912,1.2596935748670968,1.5380380402321725,2.0939824841"
     "48734,3.1446935121267696,4.937952647693647,7.524541999994549,10.475458000005451,13.06204"
     "7352306353,14.85530648787323,15.906017515851266,16.461961959767827,16.740306425132907,16"
     ".87581087164081,16.940876586213285]},\"torch_dtype\":\"bfloat16\",\"vocab_size\":73448}"},
    {"minimax-m1", "MiniMaxAI/MiniMax-M1-80k",
     "{\"architectures\":[\"MiniMaxM1ForCausalLM\"],\"head_dim\":128,\"hidden_size\":6144,\"in"
     "termediate_size\":9216,\"layernorm_full_attention_alpha\":3.5565588200778455,\"max_posit"
     "ion_embeddings\":10240000,\"num_attention_heads\":64,\"num_experts_per_tok\":2,\"num_hid"
     "den_layers\":80,\"num_key_value_heads\":8,\"num_local_experts\":32,\"rms_norm_eps\":1e-0"
     "5,\"rope_theta\":10000000,\"rotary_dim\":64,\"vocab_size\":200064}"},
    {"minimax-m1-40k", "MiniMaxAI/MiniMax-M1-40k",
     "{\"architectures\":[\"MiniMaxM1ForCausalLM\"],\"head_dim\":128,\"hidden_size\":6144,\"in"
     "termediate_size\":9216,\"layernorm_full_attention_alpha\":3.5565588200778455,\"max_posit"
     "ion_embeddings\":10240000,\"num_attention_heads\":64,\"num_experts_per_tok\":2,\"num_hid"
     "den_layers\":80,\"num_key_value_heads\":8,\"num_local_experts\":32,\"rms_norm_eps\":1e-0"
     "5,\"rope_theta\":10000000,\"rotary_dim\":64,\"vocab_size\":200064}"},
    {"minimax-m1-80k", "MiniMaxAI/MiniMax-M1-80k",
     "{\"architectures\":[\"MiniMaxM1ForCausalLM\"],\"head_dim\":128,\"hidden_size\":6144,\"in"
     "termediate_size\":9216,\"layernorm_full_attention_alpha\":3.5565588200778455,\"max_posit"
     "ion_embeddings\":10240000,\"num_attention_heads\":64,\"num_experts_per_tok\":2,\"num_hid"
     "den_layers\":80,\"num_key_value_heads\":8,\"num_local_experts\":32,\"rms_norm_eps\":1e-0"
     "5,\"rope_theta\":10000000,\"rotary_dim\":64,\"vocab_size\":200064}"},
    {"minimax-m2", "MiniMaxAI/MiniMax-M2",
     "{\"architectures\":[\"MiniMaxM2ForCausalLM\"],\"head_dim\":128,\"hidden_size\":3072,\"in"
     "termediate_size\":1536,\"max_position_embeddings\":196608,\"num_attention_heads\":48,\"n"
     "um_experts_per_tok\":8,\"num_hidden_layers\":62,\"num_key_value_heads\":8,\"num_local_ex"
     "perts\":256,\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128"
     ",128]},\"rms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim\":64,\"scoring_func\":"
     "\"sigmoid\",\"vocab_size\":200064}"},
    {"minimax-m2.1", "MiniMaxAI/MiniMax-M2.1",
     "{\"architectures\":[\"MiniMaxM2ForCausalLM\"],\"head_dim\":128,\"hidden_size\":3072,\"in"
     "termediate_size\":1536,\"max_position_embeddings\":196608,\"num_attention_heads\":48,\"n"
     "um_experts_per_tok\":8,\"num_hidden_layers\":62,\"num_key_value_heads\":8,\"num_local_ex"
     "perts\":256,\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128"
     ",128]},\"rms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim\":64,\"scoring_func\":"
     "\"sigmoid\",\"vocab_size\":200064}"},
    {"minimax-m2.5", "MiniMaxAI/MiniMax-M2.5",
     "{\"architectures\":[\"MiniMaxM2ForCausalLM\"],\"head_dim\":128,\"hidden_size\":3072,\"in"
     "termediate_size\":1536,\"max_position_embeddings\":196608,\"num_attention_heads\":48,\"n"
     "um_experts_per_tok\":8,\"num_hidden_layers\":62,\"num_key_value_heads\":8,\"num_local_ex"
     "perts\":256,\"quantization_config\":{\"quant_method\":\"fp8\",\"weight_block_size\":[128"
     ",128]},\"rms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim\":64,\"scoring_func\":"
     "\"sigmoid\",\"vocab_size\":200064}"},
    {"minimax-m2.7", "MiniMaxAI/MiniMax-M2.7",
     "{\"architectures\":[\"MiniMaxM2ForCausalLM\"],\"dtype\":\"bfloat16\",\"head_dim\":128,\""
     "hidden_size\":3072,\"intermediate_size\":1536,\"max_position_embeddings\":204800,\"num_a"
     "ttention_heads\":48,\"num_experts_per_tok\":8,\"num_hidden_layers\":62,\"num_key_value_h"
     "eads\":8,\"num_local_experts\":256,\"quantization_config\":{\"quant_method\":\"fp8\",\"w"
     "eight_block_size\":[128,128]},\"rms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim"
     "\":64,\"scoring_func\":\"sigmoid\",\"vocab_size\":200064}"},
    {"minimax-m3", "MiniMaxAI/MiniMax-M3",
     "{\"architectures\":[\"MiniMaxM3SparseForConditionalGeneration\"],\"text_config\":{\"hidd"
     "en_size\":6144,\"intermediate_size\":3072,\"num_hidden_layers\":60,\"num_attention_heads"
     "\":64,\"num_key_value_heads\":4,\"head_dim\":128,\"vocab_size\":200064,\"max_position_em"
     "beddings\":1048576,\"rms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim\":64,\"den"
     "se_intermediate_size\":12288,\"num_local_experts\":128,\"num_experts_per_tok\":4,\"n_sha"
     "red_experts\":1,\"scoring_func\":\"sigmoid\",\"moe_layer_freq\":[0,0,0,1,1,1,1,1,1,1,1,1"
     ",1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"
     ",1,1,1,1],\"routed_scaling_factor\":2.0,\"sparse_attention_config\":{\"sparse_index_dim"
     "\":128,\"sparse_num_index_heads\":4,\"sparse_topk_blocks\":16,\"sparse_block_size\":128,"
     "\"sparse_local_block\":1}},\"vision_config\":{},\"torch_dtype\":\"bfloat16\"}"},
    {"ministral-3-14b", "mistralai/Ministral-3-14B-Instruct-2512-BF16",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"text_"
     "config\":{\"head_dim\":128,\"hidden_size\":5120,\"intermediate_size\":16384,\"max_positi"
     "on_embeddings\":262144,\"model_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hi"
     "dden_layers\":40,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{"
     "\"beta_fast\":32.0,\"beta_slow\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"msca"
     "le_all_dim\":1.0,\"original_max_position_embeddings\":16384,\"rope_theta\":1000000000.0,"
     "\"type\":\"yarn\"},\"vocab_size\":131072},\"vision_config\":{}}"},
    {"ministral-3-14b-base-2512", "mistralai/Ministral-3-14B-Base-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"text_"
     "config\":{\"head_dim\":128,\"hidden_size\":5120,\"intermediate_size\":16384,\"max_positi"
     "on_embeddings\":262144,\"model_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hi"
     "dden_layers\":40,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{"
     "\"beta_fast\":32.0,\"beta_slow\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"msca"
     "le_all_dim\":1.0,\"original_max_position_embeddings\":16384,\"rope_theta\":1000000000.0,"
     "\"type\":\"yarn\"},\"vocab_size\":131072},\"vision_config\":{}}"},
    {"ministral-3-14b-instruct-2512", "mistralai/Ministral-3-14B-Instruct-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"quant"
     "ization_config\":{\"quant_method\":\"fp8\"},\"text_config\":{\"head_dim\":128,\"hidden_s"
     "ize\":5120,\"intermediate_size\":16384,\"max_position_embeddings\":262144,\"model_type\""
     ":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_value_head"
     "s\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\":1.0,"
     "\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_max_posit"
     "ion_embeddings\":16384,\"rope_theta\":1000000000.0,\"type\":\"yarn\"},\"vocab_size\":131"
     "072},\"vision_config\":{}}"},
    {"ministral-3-3b", "mistralai/Ministral-3-3B-Instruct-2512-BF16",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"text_"
     "config\":{\"head_dim\":128,\"hidden_size\":3072,\"intermediate_size\":9216,\"max_positio"
     "n_embeddings\":262144,\"model_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hid"
     "den_layers\":26,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\""
     "beta_fast\":32.0,\"beta_slow\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale"
     "_all_dim\":1.0,\"original_max_position_embeddings\":16384,\"rope_theta\":1000000.0,\"typ"
     "e\":\"yarn\"},\"tie_word_embeddings\":true,\"vocab_size\":131072},\"vision_config\":{}}"},
    {"ministral-3-3b-base-2512", "mistralai/Ministral-3-3B-Base-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"text_"
     "config\":{\"head_dim\":128,\"hidden_size\":3072,\"intermediate_size\":9216,\"max_positio"
     "n_embeddings\":262144,\"model_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hid"
     "den_layers\":26,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\""
     "beta_fast\":32.0,\"beta_slow\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale"
     "_all_dim\":1.0,\"original_max_position_embeddings\":16384,\"rope_theta\":1000000.0,\"typ"
     "e\":\"yarn\"},\"tie_word_embeddings\":true,\"vocab_size\":131072},\"vision_config\":{}}"},
    {"ministral-3-3b-instruct-2512", "mistralai/Ministral-3-3B-Instruct-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"quant"
     "ization_config\":{\"quant_method\":\"fp8\"},\"text_config\":{\"head_dim\":128,\"hidden_s"
     "ize\":3072,\"intermediate_size\":9216,\"max_position_embeddings\":262144,\"model_type\":"
     "\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":26,\"num_key_value_heads"
     "\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\""
     "factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_max_positio"
     "n_embeddings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"tie_word_embeddings\""
     ":true,\"vocab_size\":131072},\"vision_config\":{}}"},
    {"ministral-3-3b-reasoning-2512", "mistralai/Ministral-3-3B-Reasoning-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"text_"
     "config\":{\"head_dim\":128,\"hidden_size\":3072,\"intermediate_size\":9216,\"max_positio"
     "n_embeddings\":262144,\"model_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hid"
     "den_layers\":26,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\""
     "beta_fast\":32.0,\"beta_slow\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale"
     "_all_dim\":1.0,\"original_max_position_embeddings\":16384,\"rope_theta\":1000000.0,\"typ"
     "e\":\"yarn\"},\"tie_word_embeddings\":true,\"vocab_size\":131072},\"vision_config\":{}}"},
    {"ministral-3-8b-base-2512", "mistralai/Ministral-3-8B-Base-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"text_"
     "config\":{\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embeddings\":2"
     "62144,\"model_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":34,"
     "\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0"
     ",\"beta_slow\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,"
     "\"original_max_position_embeddings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},"
     "\"vocab_size\":131072},\"vision_config\":{}}"},
    {"ministral-3-8b-instruct-2512", "mistralai/Ministral-3-8B-Instruct-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"quant"
     "ization_config\":{\"quant_method\":\"fp8\"},\"text_config\":{\"hidden_size\":4096,\"inte"
     "rmediate_size\":14336,\"max_position_embeddings\":262144,\"model_type\":\"ministral3\","
     "\"num_attention_heads\":32,\"num_hidden_layers\":34,\"num_key_value_heads\":8,\"rms_norm"
     "_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"factor\":16.0,"
     "\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\""
     ":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"vocab_size\":131072},\"vision_confi"
     "g\":{}}"},
    {"ministral-3-8b-reasoning-2512", "mistralai/Ministral-3-8B-Reasoning-2512",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"text_"
     "config\":{\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embeddings\":2"
     "62144,\"model_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":34,"
     "\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0"
     ",\"beta_slow\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,"
     "\"original_max_position_embeddings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},"
     "\"vocab_size\":131072},\"vision_config\":{}}"},
    {"ministral-8b-instruct-2410", "mistralai/Ministral-8B-Instruct-2410",
     "{\"architectures\":[\"MistralForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":1"
     "2288,\"layer_types\":[\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"s"
     "liding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"slid"
     "ing_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding"
     "_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_at"
     "tention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_atten"
     "tion\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attentio"
     "n\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\""
     ",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\""
     "full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\"],\"ma"
     "x_position_embeddings\":32768,\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_"
     "key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":100000000.0,\"sliding_window\""
     ":32768,\"torch_dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"mistral-7b-instruct-v0.2", "mistralai/Mistral-7B-Instruct-v0.2",
     "{\"architectures\":[\"MistralForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":1"
     "4336,\"max_position_embeddings\":32768,\"num_attention_heads\":32,\"num_hidden_layers\":"
     "32,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dty"
     "pe\":\"bfloat16\",\"vocab_size\":32000}"},
    {"mistral-7b-instruct-v0.3", "mistralai/Mistral-7B-Instruct-v0.3",
     "{\"vocab_size\":32768,\"max_position_embeddings\":32768,\"hidden_size\":4096,\"intermedi"
     "ate_size\":14336,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_hea"
     "ds\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\",\"ar"
     "chitectures\":[\"MistralForCausalLM\"]}"},
    {"mistral-medium-3.5-128b", "mistralai/Mistral-Medium-3.5-128B",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"quant"
     "ization_config\":{\"quant_method\":\"fp8\"},\"text_config\":{\"hidden_size\":12288,\"int"
     "ermediate_size\":28672,\"max_position_embeddings\":262144,\"model_type\":\"ministral3\","
     "\"num_attention_heads\":96,\"num_hidden_layers\":88,\"num_key_value_heads\":8,\"rms_norm"
     "_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":4.0,\"beta_slow\":1.0,\"factor\":64.0,\""
     "original_max_position_embeddings\":4096,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"vo"
     "cab_size\":131072},\"vision_config\":{}}"},
    {"mistral-nemo-instruct-2407", "mistralai/Mistral-Nemo-Instruct-2407",
     "{\"architectures\":[\"MistralForCausalLM\"],\"head_dim\":128,\"hidden_size\":5120,\"inte"
     "rmediate_size\":14336,\"max_position_embeddings\":131072,\"num_hidden_layers\":40,\"num_"
     "key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtype\":\"bf"
     "loat16\",\"vocab_size\":131072}"},
    {"mistral-small-3.1-24b-instruct-2503", "mistralai/Mistral-Small-3.1-24B-Instruct-2503",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"text_config\":{\"head_dim\":"
     "128,\"hidden_size\":5120,\"intermediate_size\":32768,\"max_position_embeddings\":131072,"
     "\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_value_heads\":8,\"rms_norm"
     "_eps\":1e-05,\"rope_theta\":1000000000.0,\"vocab_size\":131072},\"torch_dtype\":\"bfloat"
     "16\",\"vision_config\":{}}"},
    {"mistral-small-3.2-24b-instruct-2506", "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"text_config\":{\"head_dim\":"
     "128,\"hidden_size\":5120,\"intermediate_size\":32768,\"max_position_embeddings\":131072,"
     "\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_value_heads\":8,\"rms_norm"
     "_eps\":1e-05,\"rope_theta\":1000000000.0,\"vocab_size\":131072},\"torch_dtype\":\"bfloat"
     "16\",\"vision_config\":{}}"},
    {"mistral-small-4-119b-2603", "mistralai/Mistral-Small-4-119B-2603",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"quant"
     "ization_config\":{\"quant_method\":\"fp8\"},\"text_config\":{\"head_dim\":128,\"hidden_s"
     "ize\":4096,\"intermediate_size\":12288,\"kv_lora_rank\":256,\"max_position_embeddings\":"
     "1048576,\"model_type\":\"mistral4\",\"moe_intermediate_size\":2048,\"n_group\":1,\"n_rou"
     "ted_experts\":128,\"n_shared_experts\":1,\"norm_topk_prob\":true,\"num_attention_heads\""
     ":32,\"num_experts_per_tok\":4,\"num_hidden_layers\":36,\"num_key_value_heads\":32,\"q_lo"
     "ra_rank\":1024,\"qk_nope_head_dim\":64,\"qk_rope_head_dim\":64,\"rms_norm_eps\":1e-06,\""
     "rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"factor\":128.0,\"mscale_all_di"
     "m\":1.0,\"original_max_position_embeddings\":8192,\"rope_theta\":10000.0,\"type\":\"yarn"
     "\"},\"routed_scaling_factor\":1.0,\"topk_group\":1,\"v_head_dim\":128,\"vocab_size\":131"
     "072},\"vision_config\":{}}"},
    {"mixtral-8x22b-v0.1", "mistralai/Mixtral-8x22B-v0.1",
     "{\"architectures\":[\"MixtralForCausalLM\"],\"hidden_size\":6144,\"intermediate_size\":1"
     "6384,\"max_position_embeddings\":65536,\"num_attention_heads\":48,\"num_experts_per_tok"
     "\":2,\"num_hidden_layers\":56,\"num_key_value_heads\":8,\"num_local_experts\":8,\"torch_"
     "dtype\":\"bfloat16\",\"vocab_size\":32000}"},
    {"mixtral-8x7b-v0.1", "mistralai/Mixtral-8x7B-v0.1",
     "{\"architectures\":[\"MixtralForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":1"
     "4336,\"max_position_embeddings\":32768,\"num_attention_heads\":32,\"num_experts_per_tok"
     "\":2,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"num_local_experts\":8,\"torch_"
     "dtype\":\"bfloat16\",\"vocab_size\":32000}"},
    {"modernbert-large", "answerdotai/ModernBERT-large",
     "{\"architectures\":[\"ModernBertForMaskedLM\"],\"classifier_activation\":\"gelu\",\"clas"
     "sifier_pooling\":\"mean\",\"global_attn_every_n_layers\":3,\"global_rope_theta\":160000."
     "0,\"hidden_activation\":\"gelu\",\"hidden_size\":1024,\"intermediate_size\":2624,\"layer"
     "_norm_eps\":1e-05,\"local_attention\":128,\"local_rope_theta\":10000.0,\"max_position_em"
     "beddings\":8192,\"norm_eps\":1e-05,\"num_attention_heads\":16,\"num_hidden_layers\":28,"
     "\"vocab_size\":50368}"},
    {"moonlight-16b-a3b", "moonshotai/Moonlight-16B-A3B",
     "{\"model_type\":\"deepseek_v3\",\"hidden_size\":2048,\"num_hidden_layers\":27,\"num_atte"
     "ntion_heads\":16,\"num_key_value_heads\":16,\"qk_nope_head_dim\":128,\"qk_rope_head_dim"
     "\":64,\"v_head_dim\":128,\"n_routed_experts\":64,\"num_experts_per_tok\":6,\"n_shared_ex"
     "perts\":2,\"moe_intermediate_size\":1408,\"first_k_dense_replace\":1,\"intermediate_size"
     "\":11264,\"vocab_size\":163840}"},
    {"mpt-30b", "mosaicml/mpt-30b",
     "{\"model_type\":\"mpt\",\"n_layers\":48,\"d_model\":7168,\"n_heads\":64,\"max_seq_len\":"
     "8192,\"vocab_size\":50432}"},
    {"mpt-7b", "mosaicml/mpt-7b",
     "{\"attn_config\":{\"alibi\":true},\"d_model\":4096,\"max_seq_len\":2048,\"model_type\":"
     "\"mpt\",\"n_heads\":32,\"n_layers\":32,\"torch_dtype\":\"bfloat16\",\"vocab_size\":50432"
     "}"},
    {"mt5-large", "google/mt5-large",
     "{\"architectures\":[\"MT5ForConditionalGeneration\"],\"d_ff\":2816,\"d_kv\":64,\"d_model"
     "\":1024,\"decoder_start_token_id\":0,\"feed_forward_proj\":\"gated-gelu\",\"num_heads\":"
     "16,\"num_layers\":24,\"tie_word_embeddings\":false,\"vocab_size\":250112}"},
    {"mt5-small", "google/mt5-small",
     "{\"architectures\":[\"MT5ForConditionalGeneration\"],\"d_ff\":1024,\"d_kv\":64,\"d_model"
     "\":512,\"decoder_start_token_id\":0,\"feed_forward_proj\":\"gated-gelu\",\"num_heads\":6"
     ",\"num_layers\":8,\"tie_word_embeddings\":false,\"vocab_size\":250112}"},
    {"mt5-xl", "google/mt5-xl",
     "{\"architectures\":[\"MT5ForConditionalGeneration\"],\"d_ff\":5120,\"d_kv\":64,\"d_model"
     "\":2048,\"decoder_start_token_id\":0,\"feed_forward_proj\":\"gated-gelu\",\"num_heads\":"
     "32,\"num_layers\":24,\"tie_word_embeddings\":false,\"vocab_size\":250112}"},
    {"mt5-xxl", "google/mt5-xxl",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_ff\":10240,\"d_kv\":64,\"d_model"
     "\":4096,\"decoder_start_token_id\":0,\"feed_forward_proj\":\"gated-gelu\",\"num_heads\":"
     "64,\"num_layers\":24,\"tie_word_embeddings\":false,\"vocab_size\":250112}"},
    {"nemotron-h-47b-reasoning-128k", "nvidia/Nemotron-H-47B-Reasoning-128K",
     "{\"architectures\":[\"NemotronHForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":8192,\"h"
     "ybrid_override_pattern\":\"M-M-M-M-M-M-M-M-M*-M-M-M-M-M-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*"
     "-M-M-M-M-M-M-M---MM---M-M*-M-M-M-M-M-\",\"intermediate_size\":30720,\"layer_norm_epsilon"
     "\":1e-05,\"mamba_head_dim\":64,\"mamba_num_heads\":256,\"max_position_embeddings\":13107"
     "2,\"n_groups\":8,\"num_attention_heads\":64,\"num_hidden_layers\":98,\"num_key_value_hea"
     "ds\":8,\"ssm_state_size\":256,\"torch_dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"nemotron-h-4b-base-8k", "nvidia/Nemotron-H-4B-Base-8K",
     "{\"architectures\":[\"NemotronHForCausalLM\"],\"attention_head_dim\":128,\"conv_kernel\""
     ":4,\"hidden_size\":3072,\"hybrid_override_pattern\":\"M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M"
     "-M-M-M*-M-M-M-M-M-\",\"intermediate_size\":12288,\"layer_norm_epsilon\":1e-05,\"mamba_he"
     "ad_dim\":64,\"mamba_num_heads\":112,\"max_position_embeddings\":8192,\"n_groups\":8,\"nu"
     "m_attention_heads\":32,\"num_hidden_layers\":52,\"num_key_value_heads\":8,\"ssm_state_si"
     "ze\":128,\"torch_dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"nemotron-h-56b-base-8k", "nvidia/Nemotron-H-56B-Base-8K",
     "{\"architectures\":[\"NemotronHForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":8192,\"h"
     "ybrid_override_pattern\":\"M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-"
     "M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-\",\"intermediate_size\":32768,"
     "\"layer_norm_epsilon\":1e-05,\"mamba_head_dim\":64,\"mamba_num_heads\":256,\"max_positio"
     "n_embeddings\":8192,\"n_groups\":8,\"num_attention_heads\":64,\"num_hidden_layers\":118,"
     "\"num_key_value_heads\":8,\"ssm_state_size\":256,\"torch_dtype\":\"bfloat16\",\"vocab_si"
     "ze\":131072}"},
    {"nemotron-h-8b-base-8k", "nvidia/Nemotron-H-8B-Base-8K",
     "{\"architectures\":[\"NemotronHForCausalLM\"],\"conv_kernel\":4,\"hidden_size\":4096,\"h"
     "ybrid_override_pattern\":\"M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-\",\"inte"
     "rmediate_size\":21504,\"layer_norm_epsilon\":1e-05,\"mamba_head_dim\":64,\"mamba_num_hea"
     "ds\":128,\"max_position_embeddings\":8192,\"n_groups\":8,\"num_attention_heads\":32,\"nu"
     "m_hidden_layers\":52,\"num_key_value_heads\":8,\"ssm_state_size\":128,\"torch_dtype\":\""
     "bfloat16\",\"vocab_size\":131072}"},
    {"nemotron-mini-4b", "nvidia/Nemotron-Mini-4B-Instruct",
     "{\"architectures\":[\"NemotronForCausalLM\"],\"hidden_size\":3072,\"intermediate_size\":"
     "9216,\"max_position_embeddings\":4096,\"num_attention_heads\":24,\"num_hidden_layers\":3"
     "2,\"num_key_value_heads\":8,\"norm_eps\":1e-05,\"partial_rotary_factor\":0.5,\"torch_dty"
     "pe\":\"bfloat16\",\"vocab_size\":256000}"},
    {"nomic-embed-text-v1.5", "nomic-ai/nomic-embed-text-v1.5",
     "{\"architectures\":[\"NomicBertModel\"],\"max_position_embeddings\":2048,\"n_embd\":768,"
     "\"n_inner\":3072,\"num_attention_heads\":12,\"num_hidden_layers\":12,\"vocab_size\":3052"
     "8}"},
    {"nomic-embed-text-v2-moe-unsupervised", "nomic-ai/nomic-embed-text-v2-moe-unsupervised",
     "{\"architectures\":[\"NomicBertModel\"],\"moe_every_n_layers\":2,\"moe_top_k\":2,\"n_emb"
     "d\":768,\"n_head\":12,\"n_inner\":3072,\"n_layer\":12,\"num_experts\":8,\"type_vocab_siz"
     "e\":1,\"vocab_size\":250048}"},
    {"nvidia-nemotron-3-nano-30b-a3b-bf16", "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
     "{\"architectures\":[\"NemotronHForCausalLM\"],\"conv_kernel\":4,\"head_dim\":128,\"hidde"
     "n_size\":2688,\"hybrid_override_pattern\":\"MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*E"
     "MEMEMEME\",\"intermediate_size\":1856,\"layer_norm_epsilon\":1e-05,\"mamba_head_dim\":64"
     ",\"mamba_num_heads\":64,\"max_position_embeddings\":262144,\"moe_shared_expert_intermedi"
     "ate_size\":3712,\"n_group\":1,\"n_groups\":8,\"n_routed_experts\":128,\"n_shared_experts"
     "\":1,\"norm_topk_prob\":true,\"num_attention_heads\":32,\"num_experts_per_tok\":6,\"num_"
     "hidden_layers\":52,\"num_key_value_heads\":2,\"rope_theta\":10000,\"routed_scaling_facto"
     "r\":2.5,\"ssm_state_size\":128,\"topk_group\":1,\"torch_dtype\":\"bfloat16\",\"vocab_siz"
     "e\":131072}"},
    {"nvidia-nemotron-3-ultra-550b-a55b-bf16", "nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16",
     "{\"dtype\":\"bfloat16\",\"head_dim\":128,\"hidden_size\":8192,\"intermediate_size\":5120"
     ",\"layer_norm_epsilon\":1e-05,\"layers_block_type\":[\"mamba\",\"moe\",\"mamba\",\"moe\""
     ",\"mamba\",\"moe\",\"mamba\",\"attention\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\","
     "\"mamba\",\"attention\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\""
     "mamba\",\"attention\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"ma"
     "mba\",\"attention\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"attention\","
     "\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"attention\",\""
     "moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"attention\",\"mo"
     "e\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"attention\",\"moe\",\"mamba\",\"moe"
     "\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"attention\",\"moe\",\"mamba\",\"moe\""
     ",\"mamba\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"attention\",\"moe\",\"mamba\",\"moe\","
     "\"mamba\",\"moe\",\"mamba\",\"attention\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\""
     "mamba\",\"moe\",\"mamba\",\"attention\",\"moe\",\"mamba\",\"moe\",\"mamba\",\"moe\",\"ma"
     "mba\",\"moe\",\"mamba\",\"moe\"],\"mamba_head_dim\":64,\"mamba_num_heads\":256,\"max_pos"
     "ition_embeddings\":262144,\"model_type\":\"nemotron_h\",\"moe_latent_size\":2048,\"moe_s"
     "hared_expert_intermediate_size\":10240,\"n_group\":1,\"n_groups\":8,\"n_routed_experts\""
     ":512,\"n_shared_experts\":1,\"norm_topk_prob\":true,\"num_attention_heads\":64,\"num_exp"
     "erts_per_tok\":22,\"num_key_value_heads\":2,\"num_nextn_predict_layers\":1,\"rope_theta"
     "\":10000,\"routed_scaling_factor\":5.0,\"ssm_state_size\":128,\"topk_group\":1,\"vocab_s"
     "ize\":131072}"},
    {"nvidia-nemotron-nano-12b-v2", "nvidia/NVIDIA-Nemotron-Nano-12B-v2",
     "{\"architectures\":[\"NemotronHForCausalLM\"],\"head_dim\":128,\"conv_kernel\":4,\"hidde"
     "n_size\":5120,\"hybrid_override_pattern\":\"M-M-M-M*-M-M-M-M*-M-M-M-M*-M-M-M-M*-M-M-M-M*"
     "-M-M-M-M*-M-M-M-M-\",\"intermediate_size\":20480,\"layer_norm_epsilon\":1e-05,\"mamba_he"
     "ad_dim\":80,\"mamba_num_heads\":128,\"max_position_embeddings\":131072,\"n_groups\":8,\""
     "num_attention_heads\":40,\"num_hidden_layers\":62,\"num_key_value_heads\":8,\"ssm_state_"
     "size\":128,\"torch_dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"olmo-1b", "allenai/OLMo-1B-hf",
     "{\"architectures\":[\"OlmoForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":8192"
     ",\"max_position_embeddings\":2048,\"num_attention_heads\":16,\"num_hidden_layers\":16,\""
     "num_key_value_heads\":16,\"tie_word_embeddings\":true,\"vocab_size\":50304}"},
    {"olmo-2-0325-32b", "allenai/OLMo-2-0325-32B-Instruct",
     "{\"architectures\":[\"Olmo2ForCausalLM\"],\"hidden_size\":5120,\"intermediate_size\":276"
     "48,\"max_position_embeddings\":4096,\"num_attention_heads\":40,\"num_hidden_layers\":64,"
     "\"num_key_value_heads\":8,\"rms_norm_eps\":1e-06,\"rope_theta\":500000,\"torch_dtype\":"
     "\"bfloat16\",\"vocab_size\":100352}"},
    {"olmo-2-1124-13b", "allenai/OLMo-2-1124-13B-Instruct",
     "{\"architectures\":[\"Olmo2ForCausalLM\"],\"hidden_size\":5120,\"intermediate_size\":138"
     "24,\"max_position_embeddings\":4096,\"num_attention_heads\":40,\"num_hidden_layers\":40,"
     "\"rms_norm_eps\":1e-06,\"rope_theta\":500000,\"torch_dtype\":\"bfloat16\",\"vocab_size\""
     ":100352}"},
    {"olmo-2-1124-7b", "allenai/OLMo-2-1124-7B-Instruct",
     "{\"architectures\":[\"Olmo2ForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":110"
     "08,\"max_position_embeddings\":4096,\"num_attention_heads\":32,\"num_hidden_layers\":32,"
     "\"rms_norm_eps\":1e-06,\"rope_theta\":500000,\"torch_dtype\":\"bfloat16\",\"vocab_size\""
     ":100352}"},
    {"olmo-3-7b", "allenai/Olmo-3-7B-Instruct",
     "{\"architectures\":[\"Olmo3ForCausalLM\"],\"dtype\":\"bfloat16\",\"hidden_size\":4096,\""
     "intermediate_size\":11008,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"vocab_si"
     "ze\":100278,\"max_position_embeddings\":65536,\"sliding_window\":4096,\"rope_theta\":500"
     "000,\"rope_scaling\":{\"rope_type\":\"yarn\",\"factor\":8.0,\"original_max_position_embe"
     "ddings\":8192,\"beta_fast\":32.0,\"beta_slow\":1.0,\"attention_factor\":1.20794415416798"
     "36},\"rms_norm_eps\":1e-06}"},
    {"olmo-3.1-32b", "allenai/Olmo-3.1-32B-Instruct",
     "{\"architectures\":[\"Olmo3ForCausalLM\"],\"dtype\":\"bfloat16\",\"hidden_size\":5120,\""
     "intermediate_size\":27648,\"max_position_embeddings\":65536,\"num_attention_heads\":40,"
     "\"num_hidden_layers\":64,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-06,\"rope_scaling"
     "\":{\"attention_factor\":1.2079441541679836,\"beta_fast\":32,\"beta_slow\":1,\"factor\":"
     "8.0,\"original_max_position_embeddings\":8192,\"rope_type\":\"yarn\"},\"rope_theta\":500"
     "000,\"sliding_window\":4096,\"vocab_size\":100278}"},
    {"olmo-7b", "allenai/OLMo-7B-hf",
     "{\"architectures\":[\"OlmoForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":1100"
     "8,\"max_position_embeddings\":2048,\"num_attention_heads\":32,\"num_hidden_layers\":32,"
     "\"num_key_value_heads\":32,\"vocab_size\":50304}"},
    {"olmo-7b-0424", "allenai/OLMo-7B-0424-hf",
     "{\"architectures\":[\"OlmoForCausalLM\"],\"clip_qkv\":8.0,\"hidden_size\":4096,\"interme"
     "diate_size\":11008,\"max_position_embeddings\":4096,\"num_attention_heads\":32,\"num_hid"
     "den_layers\":32,\"num_key_value_heads\":32,\"vocab_size\":50304}"},
    {"olmo-7b-0724", "allenai/OLMo-7B-0724-Instruct-hf",
     "{\"architectures\":[\"OlmoForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":1100"
     "8,\"max_position_embeddings\":4096,\"num_attention_heads\":32,\"num_hidden_layers\":32,"
     "\"num_key_value_heads\":32,\"rms_norm_eps\":1e-05,\"torch_dtype\":\"bfloat16\",\"vocab_s"
     "ize\":50304}"},
    {"olmoe-1b-7b-0924", "allenai/OLMoE-1B-7B-0924",
     "{\"architectures\":[\"OlmoeForCausalLM\"],\"hidden_size\":2048,\"num_hidden_layers\":16,"
     "\"num_attention_heads\":16,\"intermediate_size\":1024,\"num_experts\":64,\"vocab_size\":"
     "50304}"},
    {"phi-3-mini-128k", "microsoft/Phi-3-mini-128k-instruct",
     "{\"architectures\":[\"Phi3ForCausalLM\"],\"hidden_size\":3072,\"intermediate_size\":8192"
     ",\"max_position_embeddings\":131072,\"num_attention_heads\":32,\"num_hidden_layers\":32,"
     "\"original_max_position_embeddings\":4096,\"rope_scaling\":{\"long_factor\":[1.070000052"
     "4520874,1.1200000047683716,1.149999976158142,1.4199999570846558,1.5699999332427979,1.799"
     "9999523162842,2.129999876022339,2.129999876022339,3.009999990463257,5.910000324249268,6."
     "950000286102295,9.070000648498535,9.930000305175781,10.710000038146973,11.13000011444091"
     "8,14.609999656677246,15.409998893737793,19.809999465942383,37.279998779296875,38.2799987"
     "79296875,38.599998474121094,40.12000274658203,46.20000457763672,50.940006256103516,53.66"
     "000747680664,54.9373893737793,56.89738845825195,57.28738784790039,59.98738479614258,60.8"
     "6738586425781,60.887386322021484,61.71739196777344,62.91739273071289,62.957393646240234,"
     "63.41739273071289,63.8173942565918,63.83739471435547,63.897396087646484,63.9373970031738"
     "3,64.06739807128906,64.11434936523438,64.12435150146484,64.15435028076172,64.19435119628"
     "906,64.24435424804688,64.57435607910156,64.69000244140625,64.76000213623047],\"type\":\""
     "longrope\"},\"sliding_window\":262144,\"torch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"phi-3-mini-4k", "microsoft/Phi-3-mini-4k-instruct",
     "{\"architectures\":[\"Phi3ForCausalLM\"],\"hidden_size\":3072,\"intermediate_size\":8192"
     ",\"max_position_embeddings\":4096,\"num_attention_heads\":32,\"num_hidden_layers\":32,\""
     "sliding_window\":2047,\"torch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"phi-3.5-mini", "microsoft/Phi-3.5-mini-instruct",
     "{\"architectures\":[\"Phi3ForCausalLM\"],\"hidden_size\":3072,\"intermediate_size\":8192"
     ",\"max_position_embeddings\":131072,\"num_attention_heads\":32,\"num_hidden_layers\":32,"
     "\"original_max_position_embeddings\":4096,\"rope_scaling\":{\"long_factor\":[1.080000042"
     "9153442,1.1100000143051147,1.1399999856948853,1.340000033378601,1.5899999141693115,1.600"
     "000023841858,1.6200000047683716,2.620000123977661,3.2300000190734863,3.2300000190734863,"
     "4.789999961853027,7.400000095367432,7.700000286102295,9.09000015258789,12.19999980926513"
     "7,17.670000076293945,24.46000099182129,28.57000160217285,30.420001983642578,30.840002059"
     "936523,32.590003967285156,32.93000411987305,42.320003509521484,44.96000289916992,50.3400"
     "03967285156,50.45000457763672,57.55000305175781,57.93000411987305,58.21000289916992,60.1"
     "400032043457,62.61000442504883,62.62000274658203,62.71000289916992,63.1400032043457,63.1"
     "400032043457,63.77000427246094,63.93000411987305,63.96000289916992,63.970001220703125,64"
     ".02999877929688,64.06999969482422,64.08000183105469,64.12000274658203,64.41000366210938,"
     "64.4800033569336,64.51000213623047,64.52999877929688,64.83999633789062],\"type\":\"longr"
     "ope\"},\"sliding_window\":262144,\"torch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"phi-3.5-moe", "microsoft/Phi-3.5-MoE-instruct",
     "{\"architectures\":[\"PhiMoEForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":64"
     "00,\"max_position_embeddings\":131072,\"num_attention_heads\":32,\"num_experts_per_tok\""
     ":2,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"num_local_experts\":16,\"origina"
     "l_max_position_embeddings\":4096,\"rope_scaling\":{\"long_factor\":[1.0199999809265137,1"
     ".0299999713897705,1.0399999618530273,1.0499999523162842,1.0499999523162842,1.04999995231"
     "62842,1.059999942779541,1.059999942779541,1.059999942779541,1.059999942779541,1.05999994"
     "2779541,1.059999942779541,1.0999999046325684,1.1799999475479126,1.1799999475479126,1.370"
     "0000047683716,1.4899998903274536,2.109999895095825,2.8899998664855957,3.9499998092651367"
     ",4.299999713897705,6.429999828338623,8.09000015258789,10.690000534057617,12.050000190734"
     "863,18.229999542236328,18.84000015258789,19.899999618530273,21.420000076293945,26.200000"
     "762939453,34.28000259399414,34.590003967285156,38.730003356933594,40.22000503540039,42.5"
     "4000473022461,44.000003814697266,47.590003967285156,54.750003814697266,56.19000244140625"
     ",57.44000244140625,57.4900016784668,61.20000076293945,61.540000915527344,61.75,61.779998"
     "779296875,62.06999969482422,63.11000061035156,63.43000030517578,63.560001373291016,63.71"
     "000289916992,63.92000198364258,63.94000244140625,63.94000244140625,63.96000289916992,63."
     "980003356933594,64.0300064086914,64.0300064086914,64.0300064086914,64.04000854492188,64."
     "10000610351562,64.19000244140625,64.20999908447266,64.75,64.95999908447266],\"type\":\"l"
     "ongrope\"},\"sliding_window\":131072,\"torch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"phi-4", "microsoft/phi-4",
     "{\"architectures\":[\"Phi3ForCausalLM\"],\"hidden_size\":5120,\"intermediate_size\":1792"
     "0,\"max_position_embeddings\":16384,\"num_attention_heads\":40,\"num_hidden_layers\":40,"
     "\"num_key_value_heads\":10,\"rope_theta\":250000.0,\"torch_dtype\":\"bfloat16\",\"vocab_"
     "size\":100352}"},
    {"phi-4-mini", "microsoft/Phi-4-mini-instruct",
     "{\"architectures\":[\"Phi3ForCausalLM\"],\"hidden_size\":3072,\"intermediate_size\":8192"
     ",\"max_position_embeddings\":131072,\"num_attention_heads\":24,\"num_hidden_layers\":32,"
     "\"num_key_value_heads\":8,\"original_max_position_embeddings\":4096,\"partial_rotary_fac"
     "tor\":0.75,\"rope_scaling\":{\"long_factor\":[1,1.118320672,1.250641126,1.398617824,1.56"
     "4103225,1.74916897,1.956131817,2.187582649,2.446418898,2.735880826,3.059592084,3.4216050"
     "75,3.826451687,4.279200023,4.785517845,5.351743533,5.984965424,6.693110555,7.485043894,8"
     ".370679318,9.36110372,10.4687158,11.70738129,13.09260651,14.64173252,16.37415215,18.3115"
     "5283,20.47818807,22.90118105,25.61086418,28.64115884,32.03,32.1,32.13,32.23,32.6,32.61,3"
     "2.64,32.66,32.7,32.71,32.93,32.97,33.28,33.49,33.5,44.16,47.77],\"type\":\"longrope\"},"
     "\"sliding_window\":262144,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vo"
     "cab_size\":200064}"},
    {"phi-mini-moe", "microsoft/Phi-mini-MoE-instruct",
     "{\"architectures\":[\"PhiMoEForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":96"
     "0,\"max_position_embeddings\":4096,\"num_attention_heads\":32,\"num_experts_per_tok\":2,"
     "\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"num_local_experts\":16,\"sliding_wi"
     "ndow\":2047,\"torch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"pixtral-12b", "mistral-community/pixtral-12b",
     "{\"architectures\":[\"LlavaForConditionalGeneration\"],\"text_config\":{\"hidden_size\":"
     "5120,\"head_dim\":128,\"intermediate_size\":14336,\"max_position_embeddings\":1024000,\""
     "num_hidden_layers\":40,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1"
     "000000000.0,\"vocab_size\":131072},\"torch_dtype\":\"bfloat16\",\"vision_config\":{}}"},
    {"qwen1.5-moe-a2.7b", "Qwen/Qwen1.5-MoE-A2.7B",
     "{\"architectures\":[\"Qwen2MoeForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":"
     "5632,\"max_position_embeddings\":32768,\"num_attention_heads\":16,\"num_hidden_layers\":"
     "24,\"num_key_value_heads\":16,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\",\"vo"
     "cab_size\":151936,\"moe_intermediate_size\":1408,\"shared_expert_intermediate_size\":563"
     "2,\"num_experts_per_tok\":4,\"num_experts\":60}"},
    {"qwen2.5-0.5b", "Qwen/Qwen2.5-0.5B-Instruct",
     "{\"architectures\":[\"Qwen2ForCausalLM\"],\"hidden_size\":896,\"intermediate_size\":4864"
     ",\"max_position_embeddings\":32768,\"num_attention_heads\":14,\"num_hidden_layers\":24,"
     "\"num_key_value_heads\":2,\"rope_theta\":1000000.0,\"tie_word_embeddings\":true,\"torch_"
     "dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen2.5-1.5b", "Qwen/Qwen2.5-1.5B",
     "{\"architectures\":[\"Qwen2ForCausalLM\"],\"hidden_size\":1536,\"intermediate_size\":896"
     "0,\"max_position_embeddings\":131072,\"num_attention_heads\":12,\"num_hidden_layers\":28"
     ",\"num_key_value_heads\":2,\"rope_theta\":1000000.0,\"tie_word_embeddings\":true,\"torch"
     "_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen2.5-14b", "Qwen/Qwen2.5-14B",
     "{\"architectures\":[\"Qwen2ForCausalLM\"],\"hidden_size\":5120,\"intermediate_size\":138"
     "24,\"max_position_embeddings\":131072,\"num_attention_heads\":40,\"num_hidden_layers\":4"
     "8,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtyp"
     "e\":\"bfloat16\",\"vocab_size\":152064}"},
    {"qwen2.5-32b", "Qwen/Qwen2.5-32B",
     "{\"architectures\":[\"Qwen2ForCausalLM\"],\"hidden_size\":5120,\"intermediate_size\":276"
     "48,\"max_position_embeddings\":131072,\"num_attention_heads\":40,\"num_hidden_layers\":6"
     "4,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtyp"
     "e\":\"bfloat16\",\"vocab_size\":152064}"},
    {"qwen2.5-3b", "Qwen/Qwen2.5-3B",
     "{\"architectures\":[\"Qwen2ForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":110"
     "08,\"max_position_embeddings\":32768,\"num_attention_heads\":16,\"num_hidden_layers\":36"
     ",\"num_key_value_heads\":2,\"rope_theta\":1000000.0,\"tie_word_embeddings\":true,\"torch"
     "_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen2.5-72b", "Qwen/Qwen2.5-72B",
     "{\"architectures\":[\"Qwen2ForCausalLM\"],\"hidden_size\":8192,\"intermediate_size\":295"
     "68,\"max_position_embeddings\":131072,\"num_attention_heads\":64,\"num_hidden_layers\":8"
     "0,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtyp"
     "e\":\"bfloat16\",\"vocab_size\":152064}"},
    {"qwen2.5-7b", "Qwen/Qwen2.5-7B-Instruct",
     "{\"architectures\":[\"Qwen2ForCausalLM\"],\"hidden_size\":3584,\"intermediate_size\":189"
     "44,\"max_position_embeddings\":32768,\"num_attention_heads\":28,\"num_hidden_layers\":28"
     ",\"num_key_value_heads\":4,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\",\"vocab"
     "_size\":152064}"},
    {"qwen2.5-vl-7b", "Qwen/Qwen2.5-VL-7B-Instruct",
     "{\"architectures\":[\"Qwen2_5_VLForConditionalGeneration\"],\"hidden_size\":3584,\"inter"
     "mediate_size\":18944,\"max_position_embeddings\":128000,\"num_attention_heads\":28,\"num"
     "_hidden_layers\":28,\"num_key_value_heads\":4,\"rms_norm_eps\":1e-06,\"torch_dtype\":\"b"
     "float16\",\"vision_config\":{},\"rope_scaling\":{\"mrope_section\":[16,24,24]},\"vocab_s"
     "ize\":152064}"},
    {"qwen3-0.6b", "Qwen/Qwen3-0.6B",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"head_dim\":128,\"hidden_size\":1024,\"interm"
     "ediate_size\":3072,\"max_position_embeddings\":40960,\"num_attention_heads\":16,\"num_hi"
     "dden_layers\":28,\"num_key_value_heads\":8,\"rope_theta\":1000000,\"tie_word_embeddings"
     "\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-1.7b", "Qwen/Qwen3-1.7B",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":614"
     "4,\"max_position_embeddings\":40960,\"num_attention_heads\":16,\"num_hidden_layers\":28,"
     "\"num_key_value_heads\":8,\"rope_theta\":1000000,\"tie_word_embeddings\":true,\"torch_dt"
     "ype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-14b", "Qwen/Qwen3-14B",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"hidden_size\":5120,\"intermediate_size\":174"
     "08,\"max_position_embeddings\":40960,\"num_attention_heads\":40,\"num_hidden_layers\":40"
     ",\"num_key_value_heads\":8,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16\",\"vocab_s"
     "ize\":151936}"},
    {"qwen3-235b-a22b", "Qwen/Qwen3-235B-A22B",
     "{\"architectures\":[\"Qwen3MoeForCausalLM\"],\"head_dim\":128,\"hidden_size\":4096,\"int"
     "ermediate_size\":12288,\"max_position_embeddings\":40960,\"moe_intermediate_size\":1536,"
     "\"num_attention_heads\":64,\"num_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_la"
     "yers\":94,\"num_key_value_heads\":4,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16"
     "\",\"vocab_size\":151936}"},
    {"qwen3-30b-a3b", "Qwen/Qwen3-30B-A3B",
     "{\"architectures\":[\"Qwen3MoeForCausalLM\"],\"head_dim\":128,\"hidden_size\":2048,\"int"
     "ermediate_size\":6144,\"max_position_embeddings\":40960,\"moe_intermediate_size\":768,\""
     "num_attention_heads\":32,\"num_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_laye"
     "rs\":48,\"num_key_value_heads\":4,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\","
     "\"vocab_size\":151936}"},
    {"qwen3-30b-a3b-instruct-2507", "Qwen/Qwen3-30B-A3B-Instruct-2507",
     "{\"architectures\":[\"Qwen3MoeForCausalLM\"],\"head_dim\":128,\"hidden_size\":2048,\"int"
     "ermediate_size\":6144,\"max_position_embeddings\":262144,\"moe_intermediate_size\":768,"
     "\"num_attention_heads\":32,\"num_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_la"
     "yers\":48,\"num_key_value_heads\":4,\"rope_theta\":10000000,\"torch_dtype\":\"bfloat16\""
     ",\"vocab_size\":151936}"},
    {"qwen3-32b", "Qwen/Qwen3-32B",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"head_dim\":128,\"hidden_size\":5120,\"interm"
     "ediate_size\":25600,\"max_position_embeddings\":40960,\"num_attention_heads\":64,\"num_h"
     "idden_layers\":64,\"num_key_value_heads\":8,\"rope_theta\":1000000,\"torch_dtype\":\"bfl"
     "oat16\",\"vocab_size\":151936}"},
    {"qwen3-4b", "Qwen/Qwen3-4B",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"head_dim\":128,\"hidden_size\":2560,\"interm"
     "ediate_size\":9728,\"max_position_embeddings\":40960,\"num_attention_heads\":32,\"num_hi"
     "dden_layers\":36,\"num_key_value_heads\":8,\"rope_theta\":1000000,\"tie_word_embeddings"
     "\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-4b-instruct-2507", "Qwen/Qwen3-4B-Instruct-2507",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"head_dim\":128,\"hidden_size\":2560,\"interm"
     "ediate_size\":9728,\"max_position_embeddings\":262144,\"num_attention_heads\":32,\"num_h"
     "idden_layers\":36,\"num_key_value_heads\":8,\"rope_theta\":5000000,\"tie_word_embeddings"
     "\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-4b-thinking-2507", "Qwen/Qwen3-4B-Thinking-2507",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"head_dim\":128,\"hidden_size\":2560,\"interm"
     "ediate_size\":9728,\"max_position_embeddings\":262144,\"num_attention_heads\":32,\"num_h"
     "idden_layers\":36,\"num_key_value_heads\":8,\"rope_theta\":5000000,\"tie_word_embeddings"
     "\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-8b", "Qwen/Qwen3-8B",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":122"
     "88,\"max_position_embeddings\":40960,\"num_attention_heads\":32,\"num_hidden_layers\":36"
     ",\"num_key_value_heads\":8,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16\",\"vocab_s"
     "ize\":151936}"},
    {"qwen3-coder-30b-a3b", "Qwen/Qwen3-Coder-30B-A3B-Instruct",
     "{\"architectures\":[\"Qwen3MoeForCausalLM\"],\"dtype\":\"bfloat16\",\"head_dim\":128,\"h"
     "idden_size\":2048,\"intermediate_size\":5472,\"max_position_embeddings\":262144,\"moe_in"
     "termediate_size\":768,\"num_attention_heads\":32,\"num_experts\":128,\"num_experts_per_t"
     "ok\":8,\"num_hidden_layers\":48,\"num_key_value_heads\":4,\"rope_theta\":10000000,\"shar"
     "ed_expert_intermediate_size\":0,\"vocab_size\":151936}"},
    {"qwen3-coder-480b-a35b", "Qwen/Qwen3-Coder-480B-A35B-Instruct",
     "{\"architectures\":[\"Qwen3MoeForCausalLM\"],\"head_dim\":128,\"hidden_size\":6144,\"int"
     "ermediate_size\":8192,\"max_position_embeddings\":262144,\"moe_intermediate_size\":2560,"
     "\"num_attention_heads\":96,\"num_experts\":160,\"num_experts_per_tok\":8,\"num_hidden_la"
     "yers\":62,\"num_key_value_heads\":8,\"rope_theta\":10000000,\"shared_expert_intermediate"
     "_size\":0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-coder-next", "Qwen/Qwen3-Coder-Next",
     "{\"architectures\":[\"Qwen3NextForCausalLM\"],\"head_dim\":256,\"hidden_size\":2048,\"in"
     "termediate_size\":5120,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear"
     "_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_value_head_dim\":128,\"max_po"
     "sition_embeddings\":262144,\"moe_intermediate_size\":512,\"num_attention_heads\":16,\"nu"
     "m_experts\":512,\"num_experts_per_tok\":10,\"num_hidden_layers\":48,\"num_key_value_head"
     "s\":2,\"partial_rotary_factor\":0.25,\"rope_theta\":5000000,\"shared_expert_intermediate"
     "_size\":512,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-embedding-8b", "Qwen/Qwen3-Embedding-8B",
     "{\"architectures\":[\"Qwen3ForCausalLM\"],\"hidden_size\":4096,\"intermediate_size\":122"
     "88,\"max_position_embeddings\":40960,\"num_attention_heads\":32,\"num_hidden_layers\":36"
     ",\"num_key_value_heads\":8,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16\",\"vocab_s"
     "ize\":151665}"},
    {"qwen3-next-80b-a3b", "Qwen/Qwen3-Next-80B-A3B-Instruct",
     "{\"architectures\":[\"Qwen3NextForCausalLM\"],\"head_dim\":256,\"hidden_size\":2048,\"in"
     "termediate_size\":5120,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear"
     "_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_value_head_dim\":128,\"max_po"
     "sition_embeddings\":262144,\"moe_intermediate_size\":512,\"num_attention_heads\":16,\"nu"
     "m_experts\":512,\"num_experts_per_tok\":10,\"num_hidden_layers\":48,\"num_key_value_head"
     "s\":2,\"partial_rotary_factor\":0.25,\"rope_theta\":10000000,\"shared_expert_intermediat"
     "e_size\":512,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-next-80b-a3b-thinking", "Qwen/Qwen3-Next-80B-A3B-Thinking",
     "{\"architectures\":[\"Qwen3NextForCausalLM\"],\"head_dim\":256,\"hidden_size\":2048,\"in"
     "termediate_size\":5120,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear"
     "_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_value_head_dim\":128,\"max_po"
     "sition_embeddings\":262144,\"moe_intermediate_size\":512,\"num_attention_heads\":16,\"nu"
     "m_experts\":512,\"num_experts_per_tok\":10,\"num_hidden_layers\":48,\"num_key_value_head"
     "s\":2,\"partial_rotary_factor\":0.25,\"rope_theta\":10000000,\"shared_expert_intermediat"
     "e_size\":512,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-vl-235b-a22b", "Qwen/Qwen3-VL-235B-A22B-Instruct",
     "{\"architectures\":[\"Qwen3VLMoeForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"head_dim\":128,\"hidden_size\":4096,\"intermediate_size\":12288,\"max_pos"
     "ition_embeddings\":262144,\"moe_intermediate_size\":1536,\"num_attention_heads\":64,\"nu"
     "m_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_layers\":94,\"num_key_value_heads"
     "\":4,\"rope_scaling\":{\"mrope_section\":[24,20,20]},\"vocab_size\":151936},\"vision_con"
     "fig\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3-vl-235b-a22b-thinking", "Qwen/Qwen3-VL-235B-A22B-Thinking",
     "{\"architectures\":[\"Qwen3VLMoeForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"head_dim\":128,\"hidden_size\":4096,\"intermediate_size\":12288,\"max_pos"
     "ition_embeddings\":262144,\"moe_intermediate_size\":1536,\"num_attention_heads\":64,\"nu"
     "m_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_layers\":94,\"num_key_value_heads"
     "\":4,\"rope_scaling\":{\"mrope_section\":[24,20,20]},\"vocab_size\":151936},\"vision_con"
     "fig\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3-vl-2b", "Qwen/Qwen3-VL-2B-Instruct",
     "{\"architectures\":[\"Qwen3VLForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"hidden_size\":2048,\"intermediate_size\":6144,\"max_position_embeddings\":262"
     "144,\"num_attention_heads\":16,\"num_hidden_layers\":28,\"num_key_value_heads\":8,\"voca"
     "b_size\":151936},\"tie_word_embeddings\":true,\"vision_config\":{\"deepstack_visual_inde"
     "xes\":[5,11,17]}}"},
    {"qwen3-vl-30b-a3b", "Qwen/Qwen3-VL-30B-A3B-Instruct",
     "{\"architectures\":[\"Qwen3VLMoeForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"head_dim\":128,\"hidden_size\":2048,\"intermediate_size\":6144,\"max_posi"
     "tion_embeddings\":262144,\"moe_intermediate_size\":768,\"num_attention_heads\":32,\"num_"
     "experts\":128,\"num_experts_per_tok\":8,\"num_hidden_layers\":48,\"num_key_value_heads\""
     ":4,\"rope_scaling\":{\"mrope_section\":[24,20,20]},\"vocab_size\":151936},\"vision_confi"
     "g\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3-vl-30b-a3b-thinking", "Qwen/Qwen3-VL-30B-A3B-Thinking",
     "{\"architectures\":[\"Qwen3VLMoeForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"head_dim\":128,\"hidden_size\":2048,\"intermediate_size\":6144,\"max_posi"
     "tion_embeddings\":262144,\"moe_intermediate_size\":768,\"num_attention_heads\":32,\"num_"
     "experts\":128,\"num_experts_per_tok\":8,\"num_hidden_layers\":48,\"num_key_value_heads\""
     ":4,\"rope_scaling\":{\"mrope_section\":[24,20,20]},\"vocab_size\":151936},\"vision_confi"
     "g\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3-vl-32b", "Qwen/Qwen3-VL-32B-Instruct",
     "{\"architectures\":[\"Qwen3VLForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"head_dim\":128,\"hidden_size\":5120,\"intermediate_size\":25600,\"max_positio"
     "n_embeddings\":262144,\"num_attention_heads\":64,\"num_hidden_layers\":64,\"num_key_valu"
     "e_heads\":8,\"vocab_size\":151936},\"vision_config\":{\"deepstack_visual_indexes\":[8,16"
     ",24]}}"},
    {"qwen3-vl-32b-thinking", "Qwen/Qwen3-VL-32B-Thinking",
     "{\"architectures\":[\"Qwen3VLForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"head_dim\":128,\"hidden_size\":5120,\"intermediate_size\":25600,\"max_positio"
     "n_embeddings\":262144,\"num_attention_heads\":64,\"num_hidden_layers\":64,\"num_key_valu"
     "e_heads\":8,\"vocab_size\":151936},\"vision_config\":{\"deepstack_visual_indexes\":[8,16"
     ",24]}}"},
    {"qwen3-vl-4b", "Qwen/Qwen3-VL-4B-Instruct",
     "{\"architectures\":[\"Qwen3VLForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"head_dim\":128,\"hidden_size\":2560,\"intermediate_size\":9728,\"max_position"
     "_embeddings\":262144,\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value"
     "_heads\":8,\"vocab_size\":151936},\"tie_word_embeddings\":true,\"vision_config\":{\"deep"
     "stack_visual_indexes\":[5,11,17]}}"},
    {"qwen3-vl-8b", "Qwen/Qwen3-VL-8B-Instruct",
     "{\"architectures\":[\"Qwen3VLForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"hidden_size\":4096,\"intermediate_size\":12288,\"max_position_embeddings\":26"
     "2144,\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value_heads\":8,\"voc"
     "ab_size\":151936},\"vision_config\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3.5-122b-a10b", "Qwen/Qwen3.5-122B-A10B",
     "{\"architectures\":[\"Qwen3_5MoeForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"head_dim\":256,\"hidden_size\":3072,\"linear_conv_kernel_dim\":4,\"linear"
     "_key_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_value_heads\":64,\"linear_v"
     "alue_head_dim\":128,\"max_position_embeddings\":262144,\"moe_intermediate_size\":1024,\""
     "mtp_num_hidden_layers\":1,\"num_attention_heads\":32,\"num_experts\":256,\"num_experts_p"
     "er_tok\":8,\"num_hidden_layers\":48,\"num_key_value_heads\":2,\"shared_expert_intermedia"
     "te_size\":1024,\"vocab_size\":248320,\"mamba_ssm_dtype\":\"float32\",\"rope_parameters\""
     ":{\"mrope_section\":[11,11,10],\"rope_theta\":10000000}},\"vision_config\":{}}"},
    {"qwen3.5-27b", "Qwen/Qwen3.5-27B",
     "{\"architectures\":[\"Qwen3_5ForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"head_dim\":256,\"hidden_size\":5120,\"intermediate_size\":17408,\"linear_conv"
     "_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_val"
     "ue_heads\":48,\"linear_value_head_dim\":128,\"max_position_embeddings\":262144,\"mtp_num"
     "_hidden_layers\":1,\"num_attention_heads\":24,\"num_hidden_layers\":64,\"num_key_value_h"
     "eads\":4,\"vocab_size\":248320,\"mamba_ssm_dtype\":\"float32\",\"rope_parameters\":{\"mr"
     "ope_section\":[11,11,10],\"rope_theta\":10000000}},\"vision_config\":{}}"},
    {"qwen3.5-35b-a3b", "Qwen/Qwen3.5-35B-A3B",
     "{\"architectures\":[\"Qwen3_5MoeForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"head_dim\":256,\"hidden_size\":2048,\"linear_conv_kernel_dim\":4,\"linear"
     "_key_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_v"
     "alue_head_dim\":128,\"max_position_embeddings\":262144,\"moe_intermediate_size\":512,\"m"
     "tp_num_hidden_layers\":1,\"num_attention_heads\":16,\"num_experts\":256,\"num_experts_pe"
     "r_tok\":8,\"num_hidden_layers\":40,\"num_key_value_heads\":2,\"shared_expert_intermediat"
     "e_size\":512,\"vocab_size\":248320,\"mamba_ssm_dtype\":\"float32\",\"rope_parameters\":{"
     "\"mrope_section\":[11,11,10],\"rope_theta\":10000000}},\"vision_config\":{}}"},
    {"qwen3.5-397b-a17b", "Qwen/Qwen3.5-397B-A17B",
     "{\"architectures\":[\"Qwen3_5MoeForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"head_dim\":256,\"hidden_size\":4096,\"linear_conv_kernel_dim\":4,\"linear"
     "_key_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_value_heads\":64,\"linear_v"
     "alue_head_dim\":128,\"max_position_embeddings\":262144,\"moe_intermediate_size\":1024,\""
     "mtp_num_hidden_layers\":1,\"num_attention_heads\":32,\"num_experts\":512,\"num_experts_p"
     "er_tok\":10,\"num_hidden_layers\":60,\"num_key_value_heads\":2,\"shared_expert_intermedi"
     "ate_size\":1024,\"vocab_size\":248320,\"mamba_ssm_dtype\":\"float32\",\"rope_parameters"
     "\":{\"mrope_section\":[11,11,10],\"rope_theta\":10000000}},\"vision_config\":{}}"},
    {"qwen3.5-9b", "Qwen/Qwen3.5-9B",
     "{\"architectures\":[\"Qwen3_5ForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"hidden_size\":4096,\"intermediate_size\":12288,\"linear_conv_kernel_dim\":4,"
     "\"linear_key_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_value_heads\":32,\""
     "linear_value_head_dim\":128,\"max_position_embeddings\":262144,\"mtp_num_hidden_layers\""
     ":1,\"num_attention_heads\":16,\"num_hidden_layers\":32,\"num_key_value_heads\":4,\"vocab"
     "_size\":248320,\"mamba_ssm_dtype\":\"float32\",\"rope_parameters\":{\"mrope_section\":[1"
     "1,11,10],\"rope_theta\":10000000}},\"vision_config\":{}}"},
    {"qwen3.6-27b", "Qwen/Qwen3.6-27B",
     "{\"architectures\":[\"Qwen3_5ForConditionalGeneration\"],\"text_config\":{\"dtype\":\"bf"
     "loat16\",\"head_dim\":256,\"hidden_size\":5120,\"intermediate_size\":17408,\"linear_conv"
     "_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_val"
     "ue_heads\":48,\"linear_value_head_dim\":128,\"mamba_ssm_dtype\":\"float32\",\"max_positi"
     "on_embeddings\":262144,\"mtp_num_hidden_layers\":1,\"num_attention_heads\":24,\"num_hidd"
     "en_layers\":64,\"num_key_value_heads\":4,\"rope_parameters\":{\"mrope_section\":[11,11,1"
     "0],\"rope_theta\":10000000},\"vocab_size\":248320},\"vision_config\":{}}"},
    {"qwen3.6-35b-a3b", "Qwen/Qwen3.6-35B-A3B",
     "{\"architectures\":[\"Qwen3_5MoeForConditionalGeneration\"],\"text_config\":{\"dtype\":"
     "\"bfloat16\",\"head_dim\":256,\"hidden_size\":2048,\"linear_conv_kernel_dim\":4,\"linear"
     "_key_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_v"
     "alue_head_dim\":128,\"mamba_ssm_dtype\":\"float32\",\"max_position_embeddings\":262144,"
     "\"moe_intermediate_size\":512,\"mtp_num_hidden_layers\":1,\"num_attention_heads\":16,\"n"
     "um_experts\":256,\"num_experts_per_tok\":8,\"num_hidden_layers\":40,\"num_key_value_head"
     "s\":2,\"rope_parameters\":{\"mrope_section\":[11,11,10],\"rope_theta\":10000000},\"share"
     "d_expert_intermediate_size\":512,\"vocab_size\":248320},\"vision_config\":{}}"},
    {"seed-oss-36b", "ByteDance-Seed/Seed-OSS-36B-Instruct",
     "{\"architectures\":[\"SeedOssForCausalLM\"],\"hidden_size\":5120,\"num_hidden_layers\":6"
     "4,\"num_attention_heads\":80,\"num_key_value_heads\":8,\"head_dim\":128,\"intermediate_s"
     "ize\":27648,\"vocab_size\":155136,\"max_position_embeddings\":524288,\"rope_theta\":1000"
     "0000.0,\"torch_dtype\":\"bfloat16\"}"},
    {"smollm-1.7b", "HuggingFaceTB/SmolLM-1.7B",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":819"
     "2,\"max_position_embeddings\":2048,\"num_attention_heads\":32,\"num_hidden_layers\":24,"
     "\"rms_norm_eps\":1e-05,\"tie_word_embeddings\":true,\"vocab_size\":49152}"},
    {"smollm2-360m", "HuggingFaceTB/SmolLM2-360M-Instruct",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":960,\"intermediate_size\":2560"
     ",\"max_position_embeddings\":8192,\"num_attention_heads\":15,\"num_hidden_layers\":32,\""
     "num_key_value_heads\":5,\"rms_norm_eps\":1e-05,\"rope_theta\":100000,\"tie_word_embeddin"
     "gs\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":49152}"},
    {"smollm3-3b", "HuggingFaceTB/SmolLM3-3B",
     "{\"architectures\":[\"SmolLM3ForCausalLM\"],\"hidden_size\":2048,\"num_hidden_layers\":3"
     "6,\"num_attention_heads\":16,\"num_key_value_heads\":4,\"intermediate_size\":11008,\"voc"
     "ab_size\":128256,\"max_position_embeddings\":65536,\"rope_theta\":5000000.0}"},
    {"smolvlm", "HuggingFaceTB/SmolVLM-Instruct",
     "{\"architectures\":[\"Idefics3ForConditionalGeneration\"],\"text_config\":{\"architectur"
     "es\":[\"VLlama3ForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":8192,\"max_posi"
     "tion_embeddings\":16384,\"num_hidden_layers\":24,\"rms_norm_eps\":1e-05,\"rope_theta\":2"
     "73768.0},\"torch_dtype\":\"bfloat16\",\"vision_config\":{},\"vocab_size\":49155}"},
    {"smolvlm-256m", "HuggingFaceTB/SmolVLM-256M-Instruct",
     "{\"architectures\":[\"Idefics3ForConditionalGeneration\"],\"text_config\":{\"architectur"
     "es\":[\"VLlama3ForCausalLM\"],\"hidden_size\":576,\"intermediate_size\":1536,\"max_posit"
     "ion_embeddings\":8192,\"num_attention_heads\":9,\"num_hidden_layers\":30,\"num_key_value"
     "_heads\":3,\"rms_norm_eps\":1e-05,\"rope_theta\":100000},\"torch_dtype\":\"bfloat16\",\""
     "vision_config\":{},\"vocab_size\":49280}"},
    {"smolvlm-500m", "HuggingFaceTB/SmolVLM-500M-Instruct",
     "{\"architectures\":[\"Idefics3ForConditionalGeneration\"],\"text_config\":{\"architectur"
     "es\":[\"VLlama3ForCausalLM\"],\"hidden_size\":960,\"intermediate_size\":2560,\"max_posit"
     "ion_embeddings\":8192,\"num_attention_heads\":15,\"num_hidden_layers\":32,\"num_key_valu"
     "e_heads\":5,\"rms_norm_eps\":1e-05,\"rope_theta\":100000},\"torch_dtype\":\"bfloat16\","
     "\"vision_config\":{},\"vocab_size\":49280}"},
    {"smolvlm2-2.2b", "HuggingFaceTB/SmolVLM2-2.2B-Instruct",
     "{\"architectures\":[\"SmolVLMForConditionalGeneration\"],\"text_config\":{\"architecture"
     "s\":[\"VLlama3ForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":8192,\"max_posit"
     "ion_embeddings\":8192,\"num_hidden_layers\":24,\"rms_norm_eps\":1e-05,\"rope_theta\":130"
     "000,\"torch_dtype\":\"bfloat16\"},\"vision_config\":{},\"vocab_size\":49280}"},
    {"smolvlm2-256m-video", "HuggingFaceTB/SmolVLM2-256M-Video-Instruct",
     "{\"architectures\":[\"SmolVLMForConditionalGeneration\"],\"text_config\":{\"architecture"
     "s\":[\"VLlama3ForCausalLM\"],\"hidden_size\":576,\"intermediate_size\":1536,\"max_positi"
     "on_embeddings\":8192,\"num_attention_heads\":9,\"num_hidden_layers\":30,\"num_key_value_"
     "heads\":3,\"rms_norm_eps\":1e-05,\"rope_theta\":100000,\"torch_dtype\":\"bfloat16\"},\"v"
     "ision_config\":{},\"vocab_size\":49280}"},
    {"smolvlm2-500m-video", "HuggingFaceTB/SmolVLM2-500M-Video-Instruct",
     "{\"architectures\":[\"SmolVLMForConditionalGeneration\"],\"text_config\":{\"architecture"
     "s\":[\"VLlama3ForCausalLM\"],\"hidden_size\":960,\"intermediate_size\":2560,\"max_positi"
     "on_embeddings\":8192,\"num_attention_heads\":15,\"num_hidden_layers\":32,\"num_key_value"
     "_heads\":5,\"rms_norm_eps\":1e-05,\"rope_theta\":100000,\"torch_dtype\":\"bfloat16\"},\""
     "vision_config\":{},\"vocab_size\":49280}"},
    {"snowflake-arctic-embed-m", "Snowflake/snowflake-arctic-embed-m",
     "{\"architectures\":[\"BertModel\"],\"hidden_size\":768,\"intermediate_size\":3072,\"max_"
     "position_embeddings\":512,\"num_attention_heads\":12,\"num_hidden_layers\":12,\"vocab_si"
     "ze\":30522}"},
    {"solar-open-100b", "upstage/Solar-Open-100B",
     "{\"architectures\":[\"SolarOpenForCausalLM\"],\"partial_rotary_factor\":1.0,\"hidden_siz"
     "e\":4096,\"num_hidden_layers\":48,\"num_attention_heads\":64,\"head_dim\":128,\"num_key_"
     "value_heads\":8,\"vocab_size\":196608,\"intermediate_size\":10240,\"moe_intermediate_siz"
     "e\":1280,\"rope_theta\":1000000,\"max_position_embeddings\":131072,\"n_routed_experts\":"
     "128,\"n_shared_experts\":1,\"norm_topk_prob\":true,\"routed_scaling_factor\":1.0,\"num_e"
     "xperts_per_tok\":8,\"torch_dtype\":\"bfloat16\",\"first_k_dense_replace\":0,\"rope_scali"
     "ng\":{\"type\":\"yarn\",\"factor\":2.0,\"original_max_position_embeddings\":65536}}"},
    {"sqlcoder-15b", "defog/sqlcoder",
     "{\"architectures\":[\"GPTBigCodeForCausalLM\"],\"n_embd\":6144,\"n_head\":48,\"n_layer\""
     ":40,\"n_positions\":8192,\"torch_dtype\":\"bfloat16\",\"vocab_size\":49152}"},
    {"stablelm-3b-4e1t", "stabilityai/stablelm-3b-4e1t",
     "{\"architectures\":[\"StableLmForCausalLM\"],\"hidden_size\":2560,\"intermediate_size\":"
     "6912,\"max_position_embeddings\":4096,\"num_attention_heads\":32,\"num_hidden_layers\":3"
     "2,\"partial_rotary_factor\":0.25,\"torch_dtype\":\"bfloat16\",\"vocab_size\":50304}"},
    {"starcoder2-15b", "bigcode/starcoder2-15b",
     "{\"architectures\":[\"Starcoder2ForCausalLM\"],\"hidden_size\":6144,\"intermediate_size"
     "\":24576,\"max_position_embeddings\":16384,\"norm_epsilon\":1e-05,\"num_attention_heads"
     "\":48,\"num_hidden_layers\":40,\"num_key_value_heads\":4,\"rope_theta\":100000,\"sliding"
     "_window\":4096,\"tie_word_embeddings\":false,\"vocab_size\":49152}"},
    {"starcoder2-15b-instruct-v0.1", "bigcode/starcoder2-15b-instruct-v0.1",
     "{\"architectures\":[\"Starcoder2ForCausalLM\"],\"hidden_size\":6144,\"intermediate_size"
     "\":24576,\"max_position_embeddings\":16384,\"norm_epsilon\":1e-05,\"num_attention_heads"
     "\":48,\"num_hidden_layers\":40,\"num_key_value_heads\":4,\"rope_theta\":100000,\"sliding"
     "_window\":4096,\"tie_word_embeddings\":false,\"torch_dtype\":\"bfloat16\",\"vocab_size\""
     ":49152}"},
    {"starcoder2-3b", "bigcode/starcoder2-3b",
     "{\"architectures\":[\"Starcoder2ForCausalLM\"],\"hidden_size\":3072,\"intermediate_size"
     "\":12288,\"max_position_embeddings\":16384,\"norm_epsilon\":1e-05,\"num_attention_heads"
     "\":24,\"num_hidden_layers\":30,\"num_key_value_heads\":2,\"rope_theta\":999999.442035881"
     "3,\"sliding_window\":4096,\"vocab_size\":49152}"},
    {"starcoder2-7b", "bigcode/starcoder2-7b",
     "{\"architectures\":[\"Starcoder2ForCausalLM\"],\"hidden_size\":4608,\"intermediate_size"
     "\":18432,\"max_position_embeddings\":16384,\"norm_epsilon\":1e-05,\"num_attention_heads"
     "\":36,\"num_hidden_layers\":32,\"num_key_value_heads\":4,\"rope_theta\":1000000,\"slidin"
     "g_window\":4096,\"torch_dtype\":\"bfloat16\",\"vocab_size\":49152}"},
    {"t5-11b", "google-t5/t5-11b",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":1024,\"num_heads\":128,"
     "\"d_kv\":128,\"d_ff\":65536,\"num_layers\":24,\"vocab_size\":32128}"},
    {"t5-3b", "google-t5/t5-3b",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":1024,\"num_heads\":32,\""
     "d_kv\":128,\"d_ff\":16384,\"num_layers\":24,\"vocab_size\":32128}"},
    {"t5-large", "google-t5/t5-large",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":1024,\"num_heads\":16,\""
     "d_kv\":64,\"d_ff\":4096,\"num_layers\":24,\"vocab_size\":32128}"},
    {"t5-small", "google-t5/t5-small",
     "{\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":512,\"num_heads\":8,\"d_"
     "kv\":64,\"d_ff\":2048,\"num_layers\":6,\"vocab_size\":32128}"},
    {"tinyllama-1.1b-chat-v1.0", "TinyLlama/TinyLlama-1.1B-Chat-v1.0",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":2048,\"intermediate_size\":563"
     "2,\"num_hidden_layers\":22,\"num_attention_heads\":32,\"num_key_value_heads\":4,\"vocab_"
     "size\":32000,\"max_position_embeddings\":2048}"},
    {"trinity-large-preview", "arcee-ai/Trinity-Large-Preview",
     "{\"architectures\":[\"AfmoeForCausalLM\"],\"dtype\":\"bfloat16\",\"head_dim\":128,\"hidd"
     "en_size\":3072,\"intermediate_size\":12288,\"max_position_embeddings\":262144,\"moe_inte"
     "rmediate_size\":3072,\"n_group\":1,\"num_attention_heads\":48,\"num_dense_layers\":6,\"n"
     "um_experts\":256,\"num_experts_per_tok\":4,\"num_hidden_layers\":60,\"num_key_value_head"
     "s\":8,\"num_shared_experts\":1,\"route_norm\":true,\"route_scale\":2.448,\"score_func\":"
     "\"sigmoid\",\"sliding_window\":4096,\"topk_group\":1,\"vocab_size\":200192}"},
    {"trinity-mini", "arcee-ai/Trinity-Mini",
     "{\"architectures\":[\"AfmoeForCausalLM\"],\"dtype\":\"bfloat16\",\"head_dim\":128,\"hidd"
     "en_size\":2048,\"intermediate_size\":6144,\"max_position_embeddings\":131072,\"moe_inter"
     "mediate_size\":1024,\"n_group\":1,\"num_attention_heads\":32,\"num_dense_layers\":2,\"nu"
     "m_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_layers\":32,\"num_key_value_heads"
     "\":4,\"num_shared_experts\":1,\"route_norm\":true,\"route_scale\":2.826,\"score_func\":"
     "\"sigmoid\",\"sliding_window\":2048,\"topk_group\":1,\"vocab_size\":200192}"},
    {"umt5-small", "google/umt5-small",
     "{\"architectures\":[\"UMT5ForConditionalGeneration\"],\"d_ff\":1024,\"d_kv\":64,\"d_mode"
     "l\":512,\"decoder_start_token_id\":0,\"feed_forward_proj\":\"gated-gelu\",\"num_heads\":"
     "6,\"num_layers\":8,\"tie_word_embeddings\":false,\"vocab_size\":256384}"},
    {"umt5-xl", "google/umt5-xl",
     "{\"architectures\":[\"UMT5ForConditionalGeneration\"],\"d_ff\":5120,\"d_kv\":64,\"d_mode"
     "l\":2048,\"decoder_start_token_id\":0,\"feed_forward_proj\":\"gated-gelu\",\"num_heads\""
     ":32,\"num_layers\":24,\"tie_word_embeddings\":false,\"vocab_size\":256384}"},
    {"umt5-xxl", "google/umt5-xxl",
     "{\"architectures\":[\"UMT5ForConditionalGeneration\"],\"d_ff\":10240,\"d_kv\":64,\"d_mod"
     "el\":4096,\"decoder_start_token_id\":0,\"feed_forward_proj\":\"gated-gelu\",\"num_heads"
     "\":64,\"num_layers\":24,\"tie_word_embeddings\":false,\"vocab_size\":256384}"},
    {"xlm-roberta-large", "FacebookAI/xlm-roberta-large",
     "{\"architectures\":[\"XLMRobertaForMaskedLM\"],\"hidden_size\":1024,\"intermediate_size"
     "\":4096,\"layer_norm_eps\":1e-05,\"max_position_embeddings\":514,\"num_attention_heads\""
     ":16,\"num_hidden_layers\":24,\"vocab_size\":250002}"},
    {"yi-34b", "01-ai/Yi-34B",
     "{\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":7168,\"intermediate_size\":204"
     "80,\"max_position_embeddings\":4096,\"num_attention_heads\":56,\"num_hidden_layers\":60,"
     "\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":5000000.0,\"torch_dtype"
     "\":\"bfloat16\",\"vocab_size\":64000}"},
};

const size_t ul_n_catalogue = sizeof ul_catalogue / sizeof ul_catalogue[0];
