/* Made by tools/catalogue.py: the numbers of published configurations. */
#include "model/catalogue.h"

const struct ul_catalogue_row ul_catalogue[] = {
    {"afm-4.5b", "arcee-ai/AFM-4.5B",
     "{\"hidden_size\":2560,\"intermediate_size\":18432,\"max_position_embeddings\":65536,\"mo"
     "del_type\":\"arcee\",\"num_attention_heads\":20,\"num_hidden_layers\":36,\"num_key_value"
     "_heads\":4,\"rope_scaling\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"factor\":20.0,\"orig"
     "inal_max_position_embeddings\":4096,\"type\":\"yarn\"},\"torch_dtype\":\"bfloat16\",\"vo"
     "cab_size\":128005}"},
    {"all-minilm-l6-v1", "sentence-transformers/all-MiniLM-L6-v1",
     "{\"hidden_size\":384,\"intermediate_size\":1536,\"model_type\":\"bert\",\"num_attention_"
     "heads\":12,\"num_hidden_layers\":6,\"vocab_size\":30522}"},
    {"apertus-70b-2509", "swiss-ai/Apertus-70B-2509",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":8192,\"intermediate_size\":43008,\"max_position_"
     "embeddings\":65536,\"model_type\":\"apertus\",\"num_attention_heads\":64,\"num_hidden_la"
     "yers\":80,\"num_key_value_heads\":8,\"rope_scaling\":{\"type\":\"llama3\"},\"vocab_size"
     "\":131072}"},
    {"apertus-70b-instruct-2509", "swiss-ai/Apertus-70B-Instruct-2509",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":8192,\"intermediate_size\":43008,\"max_position_"
     "embeddings\":65536,\"model_type\":\"apertus\",\"num_attention_heads\":64,\"num_hidden_la"
     "yers\":80,\"num_key_value_heads\":8,\"rope_scaling\":{\"type\":\"llama3\"},\"vocab_size"
     "\":131072}"},
    {"apertus-8b-2509", "swiss-ai/Apertus-8B-2509",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":4096,\"intermediate_size\":21504,\"max_position_"
     "embeddings\":65536,\"model_type\":\"apertus\",\"num_attention_heads\":32,\"num_hidden_la"
     "yers\":32,\"num_key_value_heads\":8,\"rope_scaling\":{\"type\":\"llama3\"},\"vocab_size"
     "\":131072}"},
    {"apertus-8b-instruct-2509", "swiss-ai/Apertus-8B-Instruct-2509",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":4096,\"intermediate_size\":21504,\"max_position_"
     "embeddings\":65536,\"model_type\":\"apertus\",\"num_attention_heads\":32,\"num_hidden_la"
     "yers\":32,\"num_key_value_heads\":8,\"rope_scaling\":{\"type\":\"llama3\"},\"vocab_size"
     "\":131072}"},
    {"aya-23-8b", "CohereLabs/aya-23-8B",
     "{\"hidden_size\":4096,\"intermediate_size\":14336,\"layer_norm_eps\":1e-05,\"logit_scale"
     "\":0.0625,\"max_position_embeddings\":8192,\"model_type\":\"cohere\",\"num_attention_hea"
     "ds\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"vocab_size\":256000}"},
    {"baichuan2-7b", "baichuan-inc/Baichuan2-7B",
     "{\"hidden_size\":4096,\"intermediate_size\":11008,\"model_max_length\":4096,\"model_type"
     "\":\"baichuan\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"torch_dtype\":\"bf"
     "loat16\",\"vocab_size\":125696}"},
    {"bamba-9b-v1", "ibm-ai-platform/Bamba-9B-v1",
     "{\"architectures\":[\"BambaForCausalLM\"],\"attn_layer_indices\":[9,18,27],\"attn_rotary"
     "_emb\":64,\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embeddings\":4"
     "096,\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"rms_"
     "norm_eps\":1e-05,\"vocab_size\":128256}"},
    {"bamba-9b-v2", "ibm-ai-platform/Bamba-9B-v2",
     "{\"architectures\":[\"BambaForCausalLM\"],\"attn_layer_indices\":[9,18,27],\"attn_rotary"
     "_emb\":64,\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embeddings\":2"
     "62144,\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"rm"
     "s_norm_eps\":1e-05,\"vocab_size\":128256}"},
    {"bert-base-multilingual-cased", "google-bert/bert-base-multilingual-cased",
     "{\"hidden_size\":768,\"intermediate_size\":3072,\"model_type\":\"bert\",\"num_attention_"
     "heads\":12,\"num_hidden_layers\":12,\"vocab_size\":119547}"},
    {"bert-base-uncased", "google-bert/bert-base-uncased",
     "{\"hidden_size\":768,\"intermediate_size\":3072,\"model_type\":\"bert\",\"num_attention_"
     "heads\":12,\"num_hidden_layers\":12,\"vocab_size\":30522}"},
    {"bert-large-uncased", "google-bert/bert-large-uncased",
     "{\"model_type\":\"bert\",\"hidden_size\":1024,\"intermediate_size\":4096,\"num_hidden_la"
     "yers\":24,\"num_attention_heads\":16,\"vocab_size\":30522}"},
    {"bge-large-en", "BAAI/bge-large-en",
     "{\"hidden_size\":1024,\"intermediate_size\":4096,\"model_type\":\"bert\",\"num_attention"
     "_heads\":16,\"num_hidden_layers\":24,\"vocab_size\":30522}"},
    {"bitnet-b1.58-2b-4t", "microsoft/bitnet-b1.58-2B-4T",
     "{\"hidden_size\":2560,\"intermediate_size\":6912,\"max_position_embeddings\":4096,\"mode"
     "l_type\":\"bitnet\",\"num_attention_heads\":20,\"num_hidden_layers\":30,\"num_key_value_"
     "heads\":5,\"torch_dtype\":\"bfloat16\",\"vocab_size\":128256}"},
    {"bloom", "bigscience/bloom",
     "{\"model_type\":\"bloom\",\"n_layer\":70,\"hidden_size\":14336,\"n_head\":112,\"vocab_si"
     "ze\":250880}"},
    {"bloom-1b1", "bigscience/bloom-1b1",
     "{\"model_type\":\"bloom\",\"n_layer\":24,\"hidden_size\":1536,\"n_head\":16,\"vocab_size"
     "\":250880}"},
    {"bloom-3b", "bigscience/bloom-3b",
     "{\"model_type\":\"bloom\",\"n_layer\":30,\"hidden_size\":2560,\"n_head\":32,\"vocab_size"
     "\":250880}"},
    {"bloom-560m", "bigscience/bloom-560m",
     "{\"model_type\":\"bloom\",\"n_layer\":24,\"hidden_size\":1024,\"n_head\":16,\"vocab_size"
     "\":250880}"},
    {"bloom-7b1", "bigscience/bloom-7b1",
     "{\"model_type\":\"bloom\",\"n_layer\":30,\"hidden_size\":4096,\"n_head\":32,\"vocab_size"
     "\":250880}"},
    {"c4ai-command-a-03-2025", "CohereLabs/c4ai-command-a-03-2025",
     "{\"hidden_size\":12288,\"intermediate_size\":36864,\"layer_norm_eps\":1e-05,\"logit_scal"
     "e\":0.25,\"max_position_embeddings\":131072,\"model_type\":\"cohere2\",\"num_attention_h"
     "eads\":96,\"num_hidden_layers\":64,\"num_key_value_heads\":8,\"rope_theta\":50000,\"slid"
     "ing_window\":4096,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"c4ai-command-r-plus", "CohereLabs/c4ai-command-r-plus",
     "{\"hidden_size\":12288,\"intermediate_size\":33792,\"layer_norm_eps\":1e-05,\"logit_scal"
     "e\":0.8333333333333334,\"model_max_length\":131072,\"model_type\":\"cohere\",\"num_atten"
     "tion_heads\":96,\"num_hidden_layers\":64,\"num_key_value_heads\":8,\"rope_theta\":750000"
     "00.0,\"use_qk_norm\":true,\"vocab_size\":256000}"},
    {"c4ai-command-r-v01", "CohereLabs/c4ai-command-r-v01",
     "{\"hidden_size\":8192,\"intermediate_size\":22528,\"layer_norm_eps\":1e-05,\"logit_scale"
     "\":0.0625,\"model_max_length\":131072,\"model_type\":\"cohere\",\"num_attention_heads\":"
     "64,\"num_hidden_layers\":40,\"rope_theta\":8000000.0,\"vocab_size\":256000}"},
    {"c4ai-command-r7b-12-2024", "CohereLabs/c4ai-command-r7b-12-2024",
     "{\"hidden_size\":4096,\"intermediate_size\":14336,\"layer_norm_eps\":1e-05,\"logit_scale"
     "\":0.25,\"max_position_embeddings\":8192,\"model_type\":\"cohere2\",\"num_attention_head"
     "s\":32,\"num_hidden_layers\":32,\"num_key_value_heads\":8,\"rope_theta\":50000,\"sliding"
     "_window\":4096,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"chatglm3-6b", "zai-org/chatglm3-6b",
     "{\"architectures\":[\"ChatGLMModel\"],\"add_qkv_bias\":true,\"ffn_hidden_size\":13696,\""
     "hidden_size\":4096,\"multi_query_group_num\":2,\"num_attention_heads\":32,\"num_layers\""
     ":28,\"padded_vocab_size\":65024,\"seq_length\":8192}"},
    {"codellama-34b", "codellama/CodeLlama-34b-Instruct-hf",
     "{\"hidden_size\":8192,\"intermediate_size\":22016,\"max_position_embeddings\":16384,\"mo"
     "del_type\":\"llama\",\"num_attention_heads\":64,\"num_hidden_layers\":48,\"num_key_value"
     "_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16\",\""
     "vocab_size\":32000}"},
    {"deepseek-moe-16b", "deepseek-ai/deepseek-moe-16b-base",
     "{\"first_k_dense_replace\":1,\"hidden_size\":2048,\"intermediate_size\":10944,\"max_posi"
     "tion_embeddings\":4096,\"model_type\":\"deepseek\",\"moe_intermediate_size\":1408,\"n_ro"
     "uted_experts\":64,\"n_shared_experts\":2,\"num_attention_heads\":16,\"num_experts_per_to"
     "k\":6,\"num_hidden_layers\":28,\"num_key_value_heads\":16,\"rms_norm_eps\":1e-06,\"scori"
     "ng_func\":\"softmax\",\"torch_dtype\":\"bfloat16\",\"vocab_size\":102400}"},
    {"deepseek-r1", "deepseek-ai/DeepSeek-R1",
     "{\"hidden_size\":7168,\"intermediate_size\":18432,\"max_position_embeddings\":163840,\"m"
     "odel_type\":\"deepseek_v3\",\"moe_intermediate_size\":2048,\"n_routed_experts\":256,\"n_"
     "shared_experts\":1,\"num_attention_heads\":128,\"num_hidden_layers\":61,\"num_key_value_"
     "heads\":128,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"rope"
     "_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_dim\":1.0,\"orig"
     "inal_max_position_embeddings\":4096,\"type\":\"yarn\"},\"scoring_func\":\"sigmoid\",\"to"
     "rch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size\":129280}"},
    {"deepseek-v2", "deepseek-ai/DeepSeek-V2-Chat",
     "{\"first_k_dense_replace\":1,\"hidden_size\":5120,\"intermediate_size\":12288,\"max_posi"
     "tion_embeddings\":163840,\"model_type\":\"deepseek_v2\",\"moe_intermediate_size\":1536,"
     "\"n_group\":8,\"n_routed_experts\":160,\"n_shared_experts\":2,\"num_attention_heads\":12"
     "8,\"num_experts_per_tok\":6,\"num_hidden_layers\":60,\"num_key_value_heads\":128,\"q_lor"
     "a_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"rope_scaling\":{\"beta_"
     "fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_dim\":0.707,\"original_max_position"
     "_embeddings\":4096,\"type\":\"yarn\"},\"routed_scaling_factor\":16.0,\"scoring_func\":\""
     "softmax\",\"topk_group\":3,\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size"
     "\":102400}"},
    {"deepseek-v2-lite", "deepseek-ai/DeepSeek-V2-Lite-Chat",
     "{\"first_k_dense_replace\":1,\"hidden_size\":2048,\"intermediate_size\":10944,\"max_posi"
     "tion_embeddings\":163840,\"model_type\":\"deepseek_v2\",\"moe_intermediate_size\":1408,"
     "\"n_group\":1,\"n_routed_experts\":64,\"n_shared_experts\":2,\"num_attention_heads\":16,"
     "\"num_experts_per_tok\":6,\"num_hidden_layers\":27,\"num_key_value_heads\":16,\"qk_nope_"
     "head_dim\":128,\"qk_rope_head_dim\":64,\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":"
     "1,\"factor\":40,\"mscale_all_dim\":0.707,\"original_max_position_embeddings\":4096,\"typ"
     "e\":\"yarn\"},\"routed_scaling_factor\":1.0,\"scoring_func\":\"softmax\",\"topk_group\":"
     "1,\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size\":102400}"},
    {"deepseek-v2.5", "deepseek-ai/DeepSeek-V2.5",
     "{\"first_k_dense_replace\":1,\"hidden_size\":5120,\"intermediate_size\":12288,\"max_posi"
     "tion_embeddings\":163840,\"model_type\":\"deepseek_v2\",\"moe_intermediate_size\":1536,"
     "\"n_group\":8,\"n_routed_experts\":160,\"n_shared_experts\":2,\"num_attention_heads\":12"
     "8,\"num_experts_per_tok\":6,\"num_hidden_layers\":60,\"num_key_value_heads\":128,\"q_lor"
     "a_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"rope_scaling\":{\"beta_"
     "fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_dim\":1.0,\"original_max_position_e"
     "mbeddings\":4096,\"type\":\"yarn\"},\"routed_scaling_factor\":16.0,\"scoring_func\":\"so"
     "ftmax\",\"topk_group\":3,\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size\":"
     "102400}"},
    {"deepseek-v3", "deepseek-ai/DeepSeek-V3",
     "{\"hidden_size\":7168,\"intermediate_size\":18432,\"max_position_embeddings\":163840,\"m"
     "odel_type\":\"deepseek_v3\",\"moe_intermediate_size\":2048,\"n_routed_experts\":256,\"n_"
     "shared_experts\":1,\"num_attention_heads\":128,\"num_hidden_layers\":61,\"num_key_value_"
     "heads\":128,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"rope"
     "_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_dim\":1.0,\"orig"
     "inal_max_position_embeddings\":4096,\"type\":\"yarn\"},\"scoring_func\":\"sigmoid\",\"to"
     "rch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size\":129280}"},
    {"deepseek-v3.1", "deepseek-ai/DeepSeek-V3.1",
     "{\"hidden_size\":7168,\"intermediate_size\":18432,\"max_position_embeddings\":163840,\"m"
     "odel_type\":\"deepseek_v3\",\"moe_intermediate_size\":2048,\"n_routed_experts\":256,\"n_"
     "shared_experts\":1,\"num_attention_heads\":128,\"num_hidden_layers\":61,\"num_key_value_"
     "heads\":128,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"rope"
     "_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_dim\":1.0,\"orig"
     "inal_max_position_embeddings\":4096,\"type\":\"yarn\"},\"scoring_func\":\"sigmoid\",\"to"
     "rch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size\":129280}"},
    {"deepseek-v3.2", "deepseek-ai/DeepSeek-V3.2",
     "{\"hidden_size\":7168,\"index_head_dim\":128,\"index_n_heads\":64,\"index_topk\":2048,\""
     "intermediate_size\":18432,\"max_position_embeddings\":163840,\"model_type\":\"deepseek_v"
     "32\",\"moe_intermediate_size\":2048,\"n_routed_experts\":256,\"n_shared_experts\":1,\"nu"
     "m_attention_heads\":128,\"num_hidden_layers\":61,\"num_key_value_heads\":128,\"num_nextn"
     "_predict_layers\":1,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":6"
     "4,\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_dim\":1."
     "0,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},\"scoring_func\":\"sigmoi"
     "d\",\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size\":129280}"},
    {"deepseek-v3.2-exp", "deepseek-ai/DeepSeek-V3.2-Exp",
     "{\"hidden_size\":7168,\"index_head_dim\":128,\"index_n_heads\":64,\"index_topk\":2048,\""
     "intermediate_size\":18432,\"max_position_embeddings\":163840,\"model_type\":\"deepseek_v"
     "32\",\"moe_intermediate_size\":2048,\"n_routed_experts\":256,\"n_shared_experts\":1,\"nu"
     "m_attention_heads\":128,\"num_hidden_layers\":61,\"num_key_value_heads\":128,\"num_nextn"
     "_predict_layers\":1,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":6"
     "4,\"rope_scaling\":{\"beta_fast\":32,\"beta_slow\":1,\"factor\":40,\"mscale_all_dim\":1."
     "0,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},\"scoring_func\":\"sigmoi"
     "d\",\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size\":129280}"},
    {"devstral-small-2-24b", "mistralai/Devstral-Small-2-24B-Instruct-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\""
     "hidden_size\":5120,\"intermediate_size\":32768,\"max_position_embeddings\":393216,\"mode"
     "l_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_va"
     "lue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow"
     "\":1.0,\"factor\":48.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_ma"
     "x_position_embeddings\":8192,\"rope_theta\":100000000.0,\"type\":\"yarn\"},\"vocab_size"
     "\":131072}}"},
    {"dots.llm1.inst", "rednote-hilab/dots.llm1.inst",
     "{\"first_k_dense_replace\":1,\"hidden_size\":4096,\"intermediate_size\":10944,\"max_posi"
     "tion_embeddings\":32768,\"model_type\":\"dots1\",\"moe_intermediate_size\":1408,\"n_rout"
     "ed_experts\":128,\"n_shared_experts\":2,\"norm_topk_prob\":true,\"num_attention_heads\":"
     "32,\"num_experts_per_tok\":6,\"num_hidden_layers\":62,\"num_key_value_heads\":32,\"rms_n"
     "orm_eps\":1e-05,\"rope_theta\":10000000,\"routed_scaling_factor\":2.5,\"scoring_func\":"
     "\"sigmoid\",\"torch_dtype\":\"bfloat16\",\"vocab_size\":152064}"},
    {"ernie-4.5-0.3b-pt", "baidu/ERNIE-4.5-0.3B-PT",
     "{\"model_type\":\"ernie4_5\",\"hidden_size\":1024,\"num_hidden_layers\":18,\"num_attenti"
     "on_heads\":16,\"num_key_value_heads\":2,\"head_dim\":128,\"intermediate_size\":3072,\"vo"
     "cab_size\":103424,\"max_position_embeddings\":131072}"},
    {"ernie-4.5-21b-a3b-pt", "baidu/ERNIE-4.5-21B-A3B-PT",
     "{\"model_type\":\"ernie4_5_moe\",\"hidden_size\":2560,\"num_hidden_layers\":28,\"num_att"
     "ention_heads\":20,\"num_key_value_heads\":4,\"intermediate_size\":12288,\"moe_intermedia"
     "te_size\":1536,\"moe_num_experts\":64,\"moe_k\":6,\"moe_num_shared_experts\":2,\"moe_lay"
     "er_start_index\":1,\"max_position_embeddings\":131072,\"tie_word_embeddings\":true}"},
    {"ernie-4.5-300b-a47b-pt", "baidu/ERNIE-4.5-300B-A47B-PT",
     "{\"model_type\":\"ernie4_5_moe\",\"hidden_size\":8192,\"num_hidden_layers\":54,\"num_att"
     "ention_heads\":64,\"num_key_value_heads\":8,\"intermediate_size\":28672,\"moe_intermedia"
     "te_size\":3584,\"moe_num_experts\":64,\"moe_k\":8,\"moe_num_shared_experts\":0,\"moe_lay"
     "er_start_index\":3,\"max_position_embeddings\":131072}"},
    {"eurobert-2.1b", "EuroBERT/EuroBERT-2.1B",
     "{\"hidden_size\":2304,\"intermediate_size\":6144,\"max_position_embeddings\":8192,\"mode"
     "l_type\":\"eurobert\",\"num_attention_heads\":18,\"num_hidden_layers\":32,\"num_key_valu"
     "e_heads\":6,\"vocab_size\":128256}"},
    {"eurobert-210m", "EuroBERT/EuroBERT-210m",
     "{\"hidden_size\":768,\"intermediate_size\":3072,\"max_position_embeddings\":8192,\"model"
     "_type\":\"eurobert\",\"num_attention_heads\":12,\"num_hidden_layers\":12,\"num_key_value"
     "_heads\":12,\"vocab_size\":128256}"},
    {"eurobert-610m", "EuroBERT/EuroBERT-610m",
     "{\"hidden_size\":1152,\"intermediate_size\":4096,\"max_position_embeddings\":8192,\"mode"
     "l_type\":\"eurobert\",\"num_attention_heads\":18,\"num_hidden_layers\":26,\"num_key_valu"
     "e_heads\":6,\"vocab_size\":128256}"},
    {"exaone-3.5-7.8b", "LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct (id inferred: fixture is named exaone_7.8b, 32k context)",
     "{\"hidden_size\":4096,\"intermediate_size\":14336,\"layer_norm_epsilon\":1e-05,\"max_pos"
     "ition_embeddings\":32768,\"model_type\":\"exaone\",\"num_attention_heads\":32,\"num_key_"
     "value_heads\":8,\"num_layers\":32,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"rope_the"
     "ta\":1000000.0,\"vocab_size\":102400}"},
    {"exaone-4.0-1.2b", "LGAI-EXAONE/EXAONE-4.0-1.2B",
     "{\"model_type\":\"exaone4\",\"num_hidden_layers\":30,\"hidden_size\":2048,\"num_attentio"
     "n_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":4096,\"max_position_embeddi"
     "ngs\":65536,\"rope_theta\":1000000,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"tie_wor"
     "d_embeddings\":true}"},
    {"exaone-4.0-32b", "LGAI-EXAONE/EXAONE-4.0-32B",
     "{\"hidden_size\":5120,\"intermediate_size\":27392,\"max_position_embeddings\":131072,\"m"
     "odel_type\":\"exaone4\",\"num_attention_heads\":40,\"num_hidden_layers\":64,\"num_key_va"
     "lue_heads\":8,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"rope_theta\":1000000,\"slidi"
     "ng_window\":4096,\"torch_dtype\":\"bfloat16\"}"},
    {"falcon-40b", "tiiuae/falcon-40b",
     "{\"hidden_size\":8192,\"model_type\":\"falcon\",\"new_decoder_architecture\":true,\"num_"
     "attention_heads\":128,\"num_hidden_layers\":60,\"num_kv_heads\":8,\"torch_dtype\":\"bflo"
     "at16\",\"vocab_size\":65024}"},
    {"falcon-h1-7b", "tiiuae/Falcon-H1-7B-Instruct",
     "{\"model_type\":\"falcon_h1\",\"num_hidden_layers\":44,\"hidden_size\":3072,\"intermedia"
     "te_size\":12288,\"vocab_size\":130049,\"num_attention_heads\":12,\"num_key_value_heads\""
     ":2,\"head_dim\":128,\"mamba_d_head\":128,\"mamba_d_ssm\":3072,\"mamba_d_state\":256,\"ma"
     "x_position_embeddings\":262144,\"mamba_rms_norm\":true,\"rope_theta\":100000000000.0}"},
    {"falcon-h1-tiny-r-90m", "tiiuae/Falcon-H1-Tiny-R-90M",
     "{\"model_type\":\"falcon_h1\",\"num_hidden_layers\":24,\"hidden_size\":512,\"intermediat"
     "e_size\":768,\"vocab_size\":32768,\"num_attention_heads\":8,\"num_key_value_heads\":2,\""
     "mamba_d_head\":32,\"mamba_d_ssm\":768,\"mamba_d_state\":64,\"max_position_embeddings\":2"
     "62144,\"rope_theta\":100000000000.0}"},
    {"falcon-mamba-7b", "tiiuae/falcon-mamba-7b-instruct",
     "{\"hidden_size\":4096,\"model_type\":\"falcon_mamba\",\"num_hidden_layers\":64,\"tie_wor"
     "d_embeddings\":false,\"torch_dtype\":\"bfloat16\",\"vocab_size\":65024}"},
    {"gemma-2-27b", "google/gemma-2-27b-it",
     "{\"head_dim\":128,\"hidden_size\":4608,\"intermediate_size\":36864,\"max_position_embedd"
     "ings\":8192,\"model_type\":\"gemma2\",\"num_attention_heads\":32,\"num_hidden_layers\":4"
     "6,\"num_key_value_heads\":16,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"gemma-2-2b", "google/gemma-2-2b-it",
     "{\"hidden_size\":2304,\"intermediate_size\":9216,\"max_position_embeddings\":8192,\"mode"
     "l_type\":\"gemma2\",\"num_attention_heads\":8,\"num_hidden_layers\":26,\"num_key_value_h"
     "eads\":4,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"gemma-2-9b", "google/gemma-2-9b-it",
     "{\"hidden_size\":3584,\"intermediate_size\":14336,\"max_position_embeddings\":8192,\"mod"
     "el_type\":\"gemma2\",\"num_attention_heads\":16,\"num_hidden_layers\":42,\"num_key_value"
     "_heads\":8,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"gemma-3-12b", "google/gemma-3-12b-it",
     "{\"model_type\":\"gemma3\",\"text_config\":{\"hidden_size\":3840,\"intermediate_size\":1"
     "5360,\"num_hidden_layers\":48,\"num_attention_heads\":16,\"num_key_value_heads\":8,\"sli"
     "ding_window\":1024,\"rope_scaling\":{\"factor\":8.0,\"rope_type\":\"linear\"}}}"},
    {"gemma-3-1b", "google/gemma-3-1b-it",
     "{\"hidden_size\":1152,\"intermediate_size\":6912,\"max_position_embeddings\":32768,\"mod"
     "el_type\":\"gemma3_text\",\"num_attention_heads\":4,\"num_hidden_layers\":26,\"num_key_v"
     "alue_heads\":1,\"sliding_window\":512,\"torch_dtype\":\"bfloat16\",\"vocab_size\":262144"
     "}"},
    {"gemma-3-27b", "google/gemma-3-27b-it",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"gemma3\",\"text_config\":{\"head_dim\":128,\"hi"
     "dden_size\":5376,\"intermediate_size\":21504,\"num_attention_heads\":32,\"num_hidden_lay"
     "ers\":62,\"num_key_value_heads\":16,\"rope_scaling\":{\"factor\":8.0,\"rope_type\":\"lin"
     "ear\"},\"sliding_window\":1024}}"},
    {"gemma-3-4b", "google/gemma-3-4b-it",
     "{\"model_type\":\"gemma3\",\"text_config\":{\"hidden_size\":2560,\"intermediate_size\":1"
     "0240,\"num_hidden_layers\":34,\"sliding_window\":1024,\"rope_scaling\":{\"factor\":8.0,"
     "\"rope_type\":\"linear\"}}}"},
    {"gemma-3n-e2b", "google/gemma-3n-E2B-it",
     "{\"model_type\":\"gemma3n\",\"text_config\":{\"hidden_size\":2048,\"num_hidden_layers\":"
     "30,\"intermediate_size\":[8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,81"
     "92,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192,8192]"
     ",\"num_attention_heads\":8,\"num_key_value_heads\":2,\"vocab_size\":262400,\"max_positio"
     "n_embeddings\":32768,\"sliding_window\":512,\"layer_types\":[\"sliding_attention\",\"sli"
     "ding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"slidin"
     "g_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_a"
     "ttention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_a"
     "ttention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_atte"
     "ntion\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attenti"
     "on\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention"
     "\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\"]"
     ",\"num_kv_shared_layers\":10,\"activation_sparsity_pattern\":[0.95,0.95,0.95,0.95,0.95,0"
     ".95,0.95,0.95,0.95,0.95,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,"
     "0.0,0.0,0.0,0.0],\"final_logit_softcapping\":30.0,\"rope_local_base_freq\":10000.0}}"},
    {"gemma-3n-e4b", "google/gemma-3n-E4B-it",
     "{\"model_type\":\"gemma3n\",\"text_config\":{\"hidden_size\":2048,\"num_hidden_layers\":"
     "35,\"intermediate_size\":[16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16"
     "384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,16384,"
     "16384,16384,16384,16384,16384,16384,16384,16384,16384,16384],\"num_attention_heads\":8,"
     "\"num_key_value_heads\":2,\"vocab_size\":262400,\"max_position_embeddings\":32768,\"slid"
     "ing_window\":512,\"layer_types\":[\"sliding_attention\",\"sliding_attention\",\"sliding_"
     "attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_att"
     "ention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attent"
     "ion\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention"
     "\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention"
     "\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"s"
     "liding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"slid"
     "ing_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\"],\"activa"
     "tion_sparsity_pattern\":[0.95,0.95,0.95,0.95,0.95,0.95,0.95,0.95,0.95,0.95,0.0,0.0,0.0,0"
     ".0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0],"
     "\"final_logit_softcapping\":30.0,\"rope_local_base_freq\":10000.0}}"},
    {"gemma-4-26b-a4b", "google/gemma-4-26B-A4B-it",
     "{\"model_type\":\"gemma4\",\"text_config\":{\"attention_k_eq_v\":true,\"dtype\":\"bfloat"
     "16\",\"enable_moe_block\":true,\"final_logit_softcapping\":30.0,\"head_dim\":256,\"hidde"
     "n_size\":2816,\"intermediate_size\":2112,\"layer_types\":[\"sliding_attention\",\"slidin"
     "g_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_a"
     "ttention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_a"
     "ttention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_atte"
     "ntion\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attenti"
     "on\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attenti"
     "on\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention"
     "\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\"]"
     ",\"max_position_embeddings\":262144,\"moe_intermediate_size\":704,\"num_attention_heads"
     "\":16,\"num_experts\":128,\"num_global_key_value_heads\":2,\"num_hidden_layers\":30,\"nu"
     "m_key_value_heads\":8,\"rope_parameters\":{\"full_attention\":{\"rope_theta\":1000000.0}"
     ",\"sliding_attention\":{\"rope_theta\":10000.0}},\"sliding_window\":1024,\"top_k_experts"
     "\":8,\"vocab_size\":262144}}"},
    {"gemma-4-31b", "google/gemma-4-31B-it",
     "{\"model_type\":\"gemma4\",\"text_config\":{\"attention_k_eq_v\":true,\"dtype\":\"bfloat"
     "16\",\"final_logit_softcapping\":30.0,\"head_dim\":256,\"hidden_size\":5376,\"intermedia"
     "te_size\":21504,\"layer_types\":[\"sliding_attention\",\"sliding_attention\",\"sliding_a"
     "ttention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_atte"
     "ntion\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_atte"
     "ntion\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attenti"
     "on\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention"
     "\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention"
     "\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"s"
     "liding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"f"
     "ull_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"slid"
     "ing_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding"
     "_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_at"
     "tention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_at"
     "tention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_atten"
     "tion\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attentio"
     "n\"],\"max_position_embeddings\":262144,\"num_attention_heads\":32,\"num_global_key_valu"
     "e_heads\":4,\"num_hidden_layers\":60,\"num_key_value_heads\":16,\"rope_parameters\":{\"f"
     "ull_attention\":{\"rope_theta\":1000000.0},\"sliding_attention\":{\"rope_theta\":10000.0"
     "}},\"sliding_window\":1024,\"vocab_size\":262144}}"},
    {"gemma-4-e2b", "google/gemma-4-E2B-it",
     "{\"model_type\":\"gemma4\",\"text_config\":{\"dtype\":\"bfloat16\",\"final_logit_softcap"
     "ping\":30.0,\"head_dim\":256,\"hidden_size\":1536,\"hidden_size_per_layer_input\":256,\""
     "intermediate_size\":6144,\"layer_types\":[\"sliding_attention\",\"sliding_attention\",\""
     "sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sli"
     "ding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"slidin"
     "g_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_a"
     "ttention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_a"
     "ttention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_atte"
     "ntion\",\"sliding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attenti"
     "on\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_attention"
     "\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\"]"
     ",\"max_position_embeddings\":131072,\"num_attention_heads\":8,\"num_hidden_layers\":35,"
     "\"num_key_value_heads\":1,\"num_kv_shared_layers\":20,\"rope_parameters\":{\"full_attent"
     "ion\":{\"rope_theta\":1000000.0},\"sliding_attention\":{\"rope_theta\":10000.0}},\"slidi"
     "ng_window\":512,\"use_double_wide_mlp\":true,\"vocab_size\":262144}}"},
    {"gemma-4-e4b", "google/gemma-4-E4B-it",
     "{\"model_type\":\"gemma4\",\"text_config\":{\"dtype\":\"bfloat16\",\"final_logit_softcap"
     "ping\":30.0,\"head_dim\":256,\"hidden_size\":2560,\"hidden_size_per_layer_input\":256,\""
     "intermediate_size\":10240,\"layer_types\":[\"sliding_attention\",\"sliding_attention\","
     "\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"s"
     "liding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"s"
     "liding_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"slid"
     "ing_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding"
     "_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding"
     "_attention\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_at"
     "tention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\",\"sliding_atten"
     "tion\",\"sliding_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_atten"
     "tion\",\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"sliding_attentio"
     "n\",\"sliding_attention\",\"sliding_attention\",\"full_attention\"],\"max_position_embed"
     "dings\":131072,\"num_attention_heads\":8,\"num_hidden_layers\":42,\"num_key_value_heads"
     "\":2,\"num_kv_shared_layers\":18,\"rope_parameters\":{\"full_attention\":{\"rope_theta\""
     ":1000000.0},\"sliding_attention\":{\"rope_theta\":10000.0}},\"sliding_window\":512,\"voc"
     "ab_size\":262144}}"},
    {"gemma-7b", "google/gemma-7b",
     "{\"hidden_size\":3072,\"intermediate_size\":24576,\"max_position_embeddings\":8192,\"mod"
     "el_type\":\"gemma\",\"num_attention_heads\":16,\"num_hidden_layers\":28,\"torch_dtype\":"
     "\"bfloat16\",\"vocab_size\":256000}"},
    {"glm-4-32b-0414", "zai-org/GLM-4-32B-0414",
     "{\"hidden_size\":6144,\"intermediate_size\":23040,\"max_position_embeddings\":32768,\"mo"
     "del_type\":\"glm4\",\"num_attention_heads\":48,\"num_hidden_layers\":61,\"num_key_value_"
     "heads\":2,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"glm-4-32b-base-0414", "zai-org/GLM-4-32B-Base-0414",
     "{\"hidden_size\":6144,\"intermediate_size\":23040,\"max_position_embeddings\":32768,\"mo"
     "del_type\":\"glm4\",\"num_attention_heads\":48,\"num_hidden_layers\":61,\"num_key_value_"
     "heads\":2,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"glm-4-9b", "THUDM/glm-4-9b-chat-hf",
     "{\"attention_bias\":true,\"hidden_size\":4096,\"intermediate_size\":13696,\"model_type\""
     ":\"glm\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_value_heads\":2,"
     "\"torch_dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"glm-4-9b-0414", "zai-org/GLM-4-9B-0414",
     "{\"attention_bias\":true,\"hidden_size\":4096,\"intermediate_size\":13696,\"max_position"
     "_embeddings\":32768,\"model_type\":\"glm4\",\"num_attention_heads\":32,\"num_hidden_laye"
     "rs\":40,\"num_key_value_heads\":2,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"glm-4-9b-chat-1m", "THUDM/glm-4-9b-chat-1m",
     "{\"add_qkv_bias\":true,\"ffn_hidden_size\":13696,\"hidden_size\":4096,\"layernorm_epsilo"
     "n\":1.5625e-07,\"model_type\":\"chatglm\",\"multi_query_group_num\":4,\"num_attention_he"
     "ads\":32,\"num_layers\":40,\"padded_vocab_size\":151552,\"rope_ratio\":10000,\"seq_lengt"
     "h\":1048576,\"torch_dtype\":\"bfloat16\"}"},
    {"glm-4.5", "zai-org/GLM-4.5",
     "{\"attention_bias\":true,\"hidden_size\":5120,\"intermediate_size\":12288,\"max_position"
     "_embeddings\":131072,\"model_type\":\"glm4_moe\",\"moe_intermediate_size\":1536,\"num_at"
     "tention_heads\":96,\"n_routed_experts\":160,\"n_shared_experts\":1,\"routed_scaling_fact"
     "or\":2.5,\"num_experts_per_tok\":8,\"first_k_dense_replace\":3,\"num_hidden_layers\":92,"
     "\"num_key_value_heads\":8,\"rope_theta\":1000000,\"num_nextn_predict_layers\":1,\"torch_"
     "dtype\":\"bfloat16\",\"use_qk_norm\":true,\"vocab_size\":151552}"},
    {"glm-4.5-air", "zai-org/GLM-4.5-Air",
     "{\"attention_bias\":true,\"hidden_size\":4096,\"intermediate_size\":10944,\"max_position"
     "_embeddings\":131072,\"model_type\":\"glm4_moe\",\"moe_intermediate_size\":1408,\"num_at"
     "tention_heads\":96,\"n_routed_experts\":128,\"n_shared_experts\":1,\"routed_scaling_fact"
     "or\":1.0,\"num_experts_per_tok\":8,\"first_k_dense_replace\":1,\"num_hidden_layers\":46,"
     "\"num_key_value_heads\":8,\"rope_theta\":1000000,\"num_nextn_predict_layers\":1,\"torch_"
     "dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"glm-4.6", "zai-org/GLM-4.6",
     "{\"attention_bias\":true,\"hidden_size\":5120,\"intermediate_size\":12288,\"max_position"
     "_embeddings\":202752,\"model_type\":\"glm4_moe\",\"moe_intermediate_size\":1536,\"num_at"
     "tention_heads\":96,\"n_routed_experts\":160,\"n_shared_experts\":1,\"routed_scaling_fact"
     "or\":2.5,\"num_experts_per_tok\":8,\"first_k_dense_replace\":3,\"num_hidden_layers\":92,"
     "\"num_key_value_heads\":8,\"rope_theta\":1000000,\"num_nextn_predict_layers\":1,\"torch_"
     "dtype\":\"bfloat16\",\"use_qk_norm\":true,\"vocab_size\":151552}"},
    {"glm-4.7", "zai-org/GLM-4.7",
     "{\"attention_bias\":true,\"hidden_size\":5120,\"intermediate_size\":12288,\"max_position"
     "_embeddings\":202752,\"model_type\":\"glm4_moe\",\"moe_intermediate_size\":1536,\"num_at"
     "tention_heads\":96,\"n_routed_experts\":160,\"n_shared_experts\":1,\"routed_scaling_fact"
     "or\":2.5,\"num_experts_per_tok\":8,\"first_k_dense_replace\":3,\"num_hidden_layers\":92,"
     "\"num_key_value_heads\":8,\"rope_theta\":1000000,\"num_nextn_predict_layers\":1,\"torch_"
     "dtype\":\"bfloat16\",\"use_qk_norm\":true,\"vocab_size\":151552}"},
    {"glm-4.7-flash", "zai-org/GLM-4.7-Flash",
     "{\"dtype\":\"bfloat16\",\"first_k_dense_replace\":1,\"hidden_size\":2048,\"intermediate_"
     "size\":10240,\"max_position_embeddings\":202752,\"model_type\":\"glm4_moe_lite\",\"moe_i"
     "ntermediate_size\":1536,\"n_group\":1,\"n_routed_experts\":64,\"n_shared_experts\":1,\"n"
     "orm_topk_prob\":true,\"num_attention_heads\":20,\"num_experts_per_tok\":4,\"num_hidden_l"
     "ayers\":47,\"num_key_value_heads\":20,\"num_nextn_predict_layers\":1,\"q_lora_rank\":768"
     ",\"qk_nope_head_dim\":192,\"qk_rope_head_dim\":64,\"rms_norm_eps\":1e-05,\"rope_paramete"
     "rs\":{\"rope_theta\":1000000},\"routed_scaling_factor\":1.8,\"topk_group\":1,\"v_head_di"
     "m\":256,\"vocab_size\":154880}"},
    {"glm-5", "zai-org/GLM-5",
     "{\"dtype\":\"bfloat16\",\"first_k_dense_replace\":3,\"head_dim\":64,\"hidden_size\":6144"
     ",\"index_head_dim\":128,\"index_n_heads\":32,\"index_topk\":2048,\"intermediate_size\":1"
     "2288,\"max_position_embeddings\":202752,\"moe_intermediate_size\":2048,\"model_type\":\""
     "glm_moe_dsa\",\"n_group\":1,\"n_routed_experts\":256,\"n_shared_experts\":1,\"norm_topk_"
     "prob\":true,\"num_attention_heads\":64,\"num_experts_per_tok\":8,\"num_hidden_layers\":7"
     "8,\"num_key_value_heads\":64,\"num_nextn_predict_layers\":1,\"q_lora_rank\":2048,\"qk_no"
     "pe_head_dim\":192,\"qk_rope_head_dim\":64,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\""
     "rope_theta\":1000000},\"routed_scaling_factor\":2.5,\"scoring_func\":\"sigmoid\",\"topk_"
     "group\":1,\"v_head_dim\":256,\"vocab_size\":154880}"},
    {"glm-5.1", "zai-org/GLM-5.1",
     "{\"dtype\":\"bfloat16\",\"first_k_dense_replace\":3,\"head_dim\":64,\"hidden_size\":6144"
     ",\"index_head_dim\":128,\"index_n_heads\":32,\"index_topk\":2048,\"intermediate_size\":1"
     "2288,\"max_position_embeddings\":202752,\"moe_intermediate_size\":2048,\"model_type\":\""
     "glm_moe_dsa\",\"n_group\":1,\"n_routed_experts\":256,\"n_shared_experts\":1,\"norm_topk_"
     "prob\":true,\"num_attention_heads\":64,\"num_experts_per_tok\":8,\"num_hidden_layers\":7"
     "8,\"num_key_value_heads\":64,\"num_nextn_predict_layers\":1,\"q_lora_rank\":2048,\"qk_no"
     "pe_head_dim\":192,\"qk_rope_head_dim\":64,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\""
     "rope_theta\":1000000},\"routed_scaling_factor\":2.5,\"scoring_func\":\"sigmoid\",\"topk_"
     "group\":1,\"v_head_dim\":256,\"vocab_size\":154880}"},
    {"glm-5.2", "zai-org/GLM-5.2",
     "{\"dtype\":\"bfloat16\",\"first_k_dense_replace\":3,\"head_dim\":192,\"hidden_size\":614"
     "4,\"index_head_dim\":128,\"index_n_heads\":32,\"index_topk\":2048,\"indexer_types\":[\"f"
     "ull\",\"full\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\","
     "\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"sh"
     "ared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared"
     "\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\","
     "\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"fu"
     "ll\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\""
     ",\"shared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"s"
     "hared\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"share"
     "d\",\"shared\",\"shared\",\"full\",\"shared\",\"shared\",\"shared\",\"full\",\"shared\","
     "\"shared\",\"shared\"],\"intermediate_size\":12288,\"max_position_embeddings\":1048576,"
     "\"model_type\":\"glm_moe_dsa\",\"moe_intermediate_size\":2048,\"n_group\":1,\"n_routed_e"
     "xperts\":256,\"n_shared_experts\":1,\"norm_topk_prob\":true,\"num_attention_heads\":64,"
     "\"num_experts_per_tok\":8,\"num_hidden_layers\":78,\"num_key_value_heads\":64,\"num_next"
     "n_predict_layers\":1,\"q_lora_rank\":2048,\"qk_nope_head_dim\":192,\"qk_rope_head_dim\":"
     "64,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"rope_theta\":8000000},\"routed_scaling_"
     "factor\":2.5,\"scoring_func\":\"sigmoid\",\"topk_group\":1,\"v_head_dim\":256,\"vocab_si"
     "ze\":154880}"},
    {"glm-z1-9b-0414", "zai-org/GLM-Z1-9B-0414",
     "{\"attention_bias\":true,\"hidden_size\":4096,\"intermediate_size\":13696,\"max_position"
     "_embeddings\":32768,\"model_type\":\"glm4\",\"num_attention_heads\":32,\"num_hidden_laye"
     "rs\":40,\"num_key_value_heads\":2,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"glm-z1-rumination-32b-0414", "zai-org/GLM-Z1-Rumination-32B-0414",
     "{\"hidden_size\":6144,\"intermediate_size\":23040,\"max_position_embeddings\":131072,\"m"
     "odel_type\":\"glm4\",\"num_attention_heads\":48,\"num_hidden_layers\":61,\"num_key_value"
     "_heads\":8,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151552}"},
    {"gpt-oss-120b", "openai/gpt-oss-120b",
     "{\"hidden_size\":2880,\"intermediate_size\":2880,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"gpt_oss\",\"num_attention_heads\":64,\"num_experts_per_tok\":4,\"num_hidden"
     "_layers\":36,\"num_key_value_heads\":8,\"num_local_experts\":128,\"rope_scaling\":{\"bet"
     "a_fast\":32.0,\"beta_slow\":1.0,\"factor\":32.0,\"original_max_position_embeddings\":409"
     "6,\"rope_type\":\"yarn\",\"truncate\":false},\"sliding_window\":128,\"vocab_size\":20108"
     "8}"},
    {"gpt-oss-20b", "openai/gpt-oss-20b",
     "{\"hidden_size\":2880,\"intermediate_size\":2880,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"gpt_oss\",\"num_attention_heads\":64,\"num_experts_per_tok\":4,\"num_hidden"
     "_layers\":24,\"num_key_value_heads\":8,\"num_local_experts\":32,\"rope_scaling\":{\"beta"
     "_fast\":32.0,\"beta_slow\":1.0,\"factor\":32.0,\"original_max_position_embeddings\":4096"
     ",\"rope_type\":\"yarn\",\"truncate\":false},\"sliding_window\":128,\"vocab_size\":201088"
     "}"},
    {"gpt2", "openai-community/gpt2",
     "{\"model_type\":\"gpt2\",\"n_embd\":768,\"n_head\":12,\"n_layer\":12,\"n_positions\":102"
     "4,\"vocab_size\":50257}"},
    {"gpt2-large", "openai-community/gpt2-large",
     "{\"model_type\":\"gpt2\",\"n_layer\":36,\"n_embd\":1280,\"n_head\":20,\"n_positions\":10"
     "24,\"vocab_size\":50257}"},
    {"gpt2-medium", "openai-community/gpt2-medium",
     "{\"model_type\":\"gpt2\",\"n_embd\":1024,\"n_head\":16,\"n_layer\":24,\"n_positions\":10"
     "24,\"vocab_size\":50257}"},
    {"gpt2-xl", "openai-community/gpt2-xl",
     "{\"model_type\":\"gpt2\",\"n_layer\":48,\"n_embd\":1600,\"n_head\":25,\"n_positions\":10"
     "24,\"vocab_size\":50257}"},
    {"granite-3.2-8b", "ibm-granite/granite-3.2-8b-instruct",
     "{\"attention_multiplier\":0.0078125,\"embedding_multiplier\":12.0,\"hidden_size\":4096,"
     "\"intermediate_size\":12800,\"logits_scaling\":16.0,\"max_position_embeddings\":131072,"
     "\"model_type\":\"granite\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key"
     "_value_heads\":8,\"residual_multiplier\":0.22,\"rms_norm_eps\":1e-05,\"rope_theta\":1000"
     "0000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":49155}"},
    {"granite-3.3-8b", "ibm-granite/granite-3.3-8b-instruct",
     "{\"attention_multiplier\":0.0078125,\"embedding_multiplier\":12.0,\"hidden_size\":4096,"
     "\"intermediate_size\":12800,\"logits_scaling\":16.0,\"max_position_embeddings\":131072,"
     "\"model_type\":\"granite\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key"
     "_value_heads\":8,\"residual_multiplier\":0.22,\"rms_norm_eps\":1e-05,\"rope_theta\":1000"
     "0000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":49159}"},
    {"granite-4.0-h-1b", "ibm-granite/granite-4.0-h-1b",
     "{\"attention_multiplier\":0.0078125,\"embedding_multiplier\":12,\"hidden_size\":1536,\"i"
     "ntermediate_size\":4096,\"layer_types\":[\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba"
     "\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\","
     "\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"ma"
     "mba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba"
     "\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\","
     "\"mamba\",\"mamba\"],\"logits_scaling\":6,\"mamba_n_heads\":48,\"max_position_embeddings"
     "\":131072,\"model_type\":\"granitemoehybrid\",\"num_attention_heads\":12,\"num_experts_p"
     "er_tok\":0,\"num_hidden_layers\":40,\"num_key_value_heads\":4,\"num_local_experts\":0,\""
     "residual_multiplier\":0.22,\"rms_norm_eps\":1e-05,\"shared_intermediate_size\":4096,\"ti"
     "e_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"granite-4.0-h-350m", "ibm-granite/granite-4.0-h-350m",
     "{\"attention_multiplier\":0.015625,\"embedding_multiplier\":12,\"hidden_size\":768,\"int"
     "ermediate_size\":2048,\"layer_types\":[\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\""
     ",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"a"
     "ttention\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"m"
     "amba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba"
     "\",\"mamba\",\"mamba\"],\"logits_scaling\":3,\"mamba_n_heads\":48,\"max_position_embeddi"
     "ngs\":32768,\"model_type\":\"granitemoehybrid\",\"num_attention_heads\":12,\"num_experts"
     "_per_tok\":0,\"num_hidden_layers\":32,\"num_key_value_heads\":4,\"num_local_experts\":0,"
     "\"residual_multiplier\":0.246,\"rms_norm_eps\":1e-05,\"shared_intermediate_size\":2048,"
     "\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"granite-4.0-h-small", "ibm-granite/granite-4.0-h-small",
     "{\"attention_multiplier\":0.0078125,\"embedding_multiplier\":12,\"hidden_size\":4096,\"i"
     "ntermediate_size\":768,\"layer_types\":[\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba"
     "\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\","
     "\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"ma"
     "mba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\",\"mamba\",\"mamba"
     "\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"mamba\",\"attention\",\"mamba\",\"mamba\","
     "\"mamba\",\"mamba\"],\"logits_scaling\":16,\"max_position_embeddings\":131072,\"model_ty"
     "pe\":\"granitemoehybrid\",\"num_attention_heads\":32,\"num_experts_per_tok\":10,\"num_hi"
     "dden_layers\":40,\"num_key_value_heads\":8,\"num_local_experts\":72,\"residual_multiplie"
     "r\":0.22,\"rms_norm_eps\":1e-05,\"shared_intermediate_size\":1536,\"tie_word_embeddings"
     "\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"hunyuan-0.5b-pretrain", "tencent/Hunyuan-0.5B-Pretrain",
     "{\"head_dim\":128,\"hidden_size\":1024,\"intermediate_size\":3584,\"max_position_embeddi"
     "ngs\":262144,\"model_type\":\"hunyuan_v1_dense\",\"num_attention_heads\":16,\"num_hidden"
     "_layers\":24,\"num_key_value_heads\":8,\"rope_scaling\":{\"alpha\":1000.0},\"torch_dtype"
     "\":\"bfloat16\",\"vocab_size\":120818}"},
    {"hunyuan-1.8b", "tencent/Hunyuan-1.8B-Instruct",
     "{\"head_dim\":128,\"hidden_size\":2048,\"intermediate_size\":6144,\"max_position_embeddi"
     "ngs\":262144,\"model_type\":\"hunyuan_v1_dense\",\"num_attention_heads\":16,\"num_hidden"
     "_layers\":32,\"num_key_value_heads\":4,\"rope_scaling\":{\"alpha\":1000.0},\"torch_dtype"
     "\":\"bfloat16\",\"vocab_size\":120818}"},
    {"hunyuan-4b", "tencent/Hunyuan-4B-Instruct",
     "{\"head_dim\":128,\"hidden_size\":3072,\"intermediate_size\":8192,\"max_position_embeddi"
     "ngs\":262144,\"model_type\":\"hunyuan_v1_dense\",\"num_attention_heads\":32,\"num_hidden"
     "_layers\":36,\"num_key_value_heads\":8,\"rope_scaling\":{\"alpha\":1000.0},\"torch_dtype"
     "\":\"bfloat16\",\"vocab_size\":120818}"},
    {"hunyuan-7b", "tencent/Hunyuan-7B-Instruct",
     "{\"head_dim\":128,\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embedd"
     "ings\":32768,\"model_type\":\"hunyuan_v1_dense\",\"num_attention_heads\":32,\"num_hidden"
     "_layers\":32,\"num_key_value_heads\":8,\"rope_scaling\":{\"alpha\":1000.0},\"torch_dtype"
     "\":\"bfloat16\",\"vocab_size\":128167}"},
    {"hunyuan-a13b", "tencent/Hunyuan-A13B-Instruct",
     "{\"hidden_size\":4096,\"intermediate_size\":3072,\"max_position_embeddings\":32768,\"mod"
     "el_type\":\"hunyuan\",\"moe_topk\":[8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,"
     "8,8,8,8,8,8],\"num_attention_heads\":32,\"num_experts\":64,\"num_hidden_layers\":32,\"nu"
     "m_key_value_heads\":8,\"rope_scaling\":{\"alpha\":1000.0},\"torch_dtype\":\"bfloat16\","
     "\"vocab_size\":128167}"},
    {"hy3-preview", "tencent/Hy3-preview",
     "{\"moe_intermediate_size\":1536,\"first_k_dense_replace\":1,\"head_dim\":128,\"hidden_si"
     "ze\":4096,\"intermediate_size\":13312,\"max_position_embeddings\":262144,\"model_type\":"
     "\"hy_v3\",\"num_attention_heads\":64,\"num_experts\":192,\"num_experts_per_tok\":8,\"num"
     "_hidden_layers\":80,\"num_key_value_heads\":8,\"num_shared_experts\":1,\"rms_norm_eps\":"
     "1e-05,\"rope_parameters\":{\"rope_theta\":11158840.0},\"router_scaling_factor\":2.826,\""
     "vocab_size\":120832,\"num_nextn_predict_layers\":1}"},
    {"internlm2-7b", "internlm/internlm2-7b",
     "{\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embeddings\":32768,\"mo"
     "del_type\":\"internlm2\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_v"
     "alue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16"
     "\",\"vocab_size\":92544}"},
    {"jamba-v0.1", "ai21labs/Jamba-v0.1",
     "{\"model_type\":\"jamba\",\"hidden_size\":4096,\"intermediate_size\":14336,\"num_hidden_"
     "layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"num_experts\":16,\"nu"
     "m_experts_per_tok\":2,\"vocab_size\":65536,\"max_position_embeddings\":262144}"},
    {"kimi-k2", "moonshotai/Kimi-K2-Instruct",
     "{\"first_k_dense_replace\":1,\"hidden_size\":7168,\"intermediate_size\":18432,\"max_posi"
     "tion_embeddings\":131072,\"model_type\":\"kimi_k2\",\"moe_intermediate_size\":2048,\"n_g"
     "roup\":1,\"n_routed_experts\":384,\"n_shared_experts\":1,\"num_attention_heads\":64,\"nu"
     "m_hidden_layers\":61,\"num_key_value_heads\":64,\"q_lora_rank\":1536,\"qk_nope_head_dim"
     "\":128,\"qk_rope_head_dim\":64,\"rope_theta\":50000.0,\"routed_scaling_factor\":2.827,\""
     "rope_scaling\":{\"beta_fast\":1.0,\"beta_slow\":1.0,\"factor\":32.0,\"mscale_all_dim\":1"
     ".0,\"original_max_position_embeddings\":4096,\"type\":\"yarn\"},\"scoring_func\":\"sigmo"
     "id\",\"topk_group\":1,\"torch_dtype\":\"bfloat16\",\"v_head_dim\":128,\"vocab_size\":163"
     "840}"},
    {"kimi-k2.5", "moonshotai/Kimi-K2.5",
     "{\"text_config\":{\"architectures\":[\"DeepseekV3ForCausalLM\"],\"dtype\":\"bfloat16\","
     "\"first_k_dense_replace\":1,\"hidden_size\":7168,\"intermediate_size\":18432,\"max_posit"
     "ion_embeddings\":262144,\"moe_intermediate_size\":2048,\"n_group\":1,\"n_routed_experts"
     "\":384,\"n_shared_experts\":1,\"num_attention_heads\":64,\"num_hidden_layers\":61,\"num_"
     "key_value_heads\":64,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":"
     "64,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"facto"
     "r\":64.0,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":\"yar"
     "n\"},\"rope_theta\":50000.0,\"routed_scaling_factor\":2.827,\"scoring_func\":\"sigmoid\""
     ",\"topk_group\":1,\"v_head_dim\":128,\"vocab_size\":163840}}"},
    {"kimi-k2.6", "moonshotai/Kimi-K2.6",
     "{\"text_config\":{\"architectures\":[\"DeepseekV3ForCausalLM\"],\"dtype\":\"bfloat16\","
     "\"first_k_dense_replace\":1,\"hidden_size\":7168,\"intermediate_size\":18432,\"max_posit"
     "ion_embeddings\":262144,\"moe_intermediate_size\":2048,\"n_group\":1,\"n_routed_experts"
     "\":384,\"n_shared_experts\":1,\"num_attention_heads\":64,\"num_hidden_layers\":61,\"num_"
     "key_value_heads\":64,\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":"
     "64,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"facto"
     "r\":64.0,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":4096,\"type\":\"yar"
     "n\"},\"rope_theta\":50000.0,\"routed_scaling_factor\":2.827,\"scoring_func\":\"sigmoid\""
     ",\"topk_group\":1,\"v_head_dim\":128,\"vocab_size\":163840}}"},
    {"kimi-linear-48b-a3b", "moonshotai/Kimi-Linear-48B-A3B-Instruct",
     "{\"dtype\":\"bfloat16\",\"first_k_dense_replace\":1,\"head_dim\":72,\"hidden_size\":2304"
     ",\"intermediate_size\":9216,\"linear_attn_config\":{\"full_attn_layers\":[4,8,12,16,20,2"
     "4,27]},\"model_max_length\":1048576,\"model_type\":\"kimi_linear\",\"moe_intermediate_si"
     "ze\":1024,\"moe_router_activation_func\":\"sigmoid\",\"num_attention_heads\":32,\"num_ex"
     "perts\":256,\"num_experts_per_token\":8,\"num_hidden_layers\":27,\"num_key_value_heads\""
     ":32,\"num_shared_experts\":1,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"rms_norm"
     "_eps\":1e-05,\"rope_theta\":10000.0,\"routed_scaling_factor\":2.446,\"topk_group\":1,\"v"
     "_head_dim\":128,\"vocab_size\":163840}"},
    {"laguna-xs.2", "poolside/Laguna-XS.2",
     "{\"model_type\":\"laguna\",\"vocab_size\":100352,\"hidden_size\":2048,\"intermediate_siz"
     "e\":8192,\"num_hidden_layers\":40,\"num_attention_heads\":48,\"num_key_value_heads\":8,"
     "\"head_dim\":128,\"max_position_embeddings\":131072,\"rms_norm_eps\":1e-06,\"num_experts"
     "\":256,\"num_experts_per_tok\":8,\"moe_intermediate_size\":512,\"shared_expert_intermedi"
     "ate_size\":512,\"torch_dtype\":\"bfloat16\",\"sliding_window\":512,\"rope_parameters\":{"
     "\"full_attention\":{\"rope_theta\":500000.0,\"rope_type\":\"yarn\",\"factor\":32.0,\"ori"
     "ginal_max_position_embeddings\":4096,\"beta_slow\":1.0,\"beta_fast\":64.0,\"attention_fa"
     "ctor\":1.0,\"partial_rotary_factor\":0.5},\"sliding_attention\":{\"rope_theta\":10000.0}"
     "},\"mlp_layer_types\":[\"dense\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\","
     "\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\","
     "\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\","
     "\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\","
     "\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\",\"sparse\","
     "\"sparse\",\"sparse\"],\"moe_routed_scaling_factor\":2.5,\"num_attention_heads_per_layer"
     "\":[48,64,64,64,48,64,64,64,48,64,64,64,48,64,64,64,48,64,64,64,48,64,64,64,48,64,64,64,"
     "48,64,64,64,48,64,64,64,48,64,64,64]}"},
    {"lfm2-1.2b", "LiquidAI/LFM2-1.2B",
     "{\"block_ff_dim\":12288,\"full_attn_idxs\":[2,5,8,10,12,14],\"hidden_size\":2048,\"max_p"
     "osition_embeddings\":128000,\"model_type\":\"lfm2\",\"norm_eps\":1e-05,\"num_attention_h"
     "eads\":32,\"num_hidden_layers\":16,\"num_key_value_heads\":8,\"vocab_size\":65536}"},
    {"lfm2-2.6b", "LiquidAI/LFM2-2.6B",
     "{\"model_type\":\"lfm2\",\"hidden_size\":2048,\"block_ff_dim\":10752,\"block_auto_adjust"
     "_ff_dim\":false,\"num_hidden_layers\":30,\"num_attention_heads\":32,\"num_key_value_head"
     "s\":8,\"full_attn_idxs\":[2,5,9,13,17,21,24,27],\"vocab_size\":65536,\"norm_eps\":1e-05,"
     "\"max_position_embeddings\":128000}"},
    {"lfm2-24b-a2b", "LiquidAI/LFM2-24B-A2B",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":2048,\"intermediate_size\":11776,\"layer_types\""
     ":[\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"c"
     "onv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\""
     ",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attenti"
     "on\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_att"
     "ention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full"
     "_attention\",\"conv\"],\"max_position_embeddings\":128000,\"model_type\":\"lfm2_moe\",\""
     "moe_intermediate_size\":1536,\"norm_eps\":1e-05,\"num_attention_heads\":32,\"num_experts"
     "\":64,\"num_experts_per_tok\":4,\"num_hidden_layers\":40,\"num_key_value_heads\":8,\"voc"
     "ab_size\":65536}"},
    {"lfm2-350m", "LiquidAI/LFM2-350M",
     "{\"model_type\":\"lfm2\",\"hidden_size\":1024,\"block_ff_dim\":6656,\"num_hidden_layers"
     "\":16,\"num_attention_heads\":16,\"num_key_value_heads\":8,\"full_attn_idxs\":[2,5,8,10,"
     "12,14],\"vocab_size\":65536,\"norm_eps\":1e-05,\"max_position_embeddings\":128000}"},
    {"lfm2-700m", "LiquidAI/LFM2-700M",
     "{\"model_type\":\"lfm2\",\"hidden_size\":1536,\"block_ff_dim\":10240,\"num_hidden_layers"
     "\":16,\"num_attention_heads\":24,\"num_key_value_heads\":8,\"full_attn_idxs\":[2,5,8,10,"
     "12,14],\"vocab_size\":65536,\"norm_eps\":1e-05,\"max_position_embeddings\":128000}"},
    {"lfm2-8b-a1b", "LiquidAI/LFM2-8B-A1B",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":2048,\"intermediate_size\":7168,\"layer_types\":"
     "[\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"co"
     "nv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\","
     "\"conv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"con"
     "v\",\"conv\"],\"max_position_embeddings\":128000,\"model_type\":\"lfm2_moe\",\"moe_inter"
     "mediate_size\":1792,\"norm_eps\":1e-05,\"num_attention_heads\":32,\"num_experts\":32,\"n"
     "um_experts_per_tok\":4,\"num_hidden_layers\":24,\"num_key_value_heads\":8,\"vocab_size\""
     ":65536}"},
    {"lfm2-vl-3b", "LiquidAI/LFM2-VL-3B",
     "{\"text_config\":{\"architectures\":[\"Lfm2ForCausalLM\"],\"block_auto_adjust_ff_dim\":f"
     "alse,\"dtype\":\"bfloat16\",\"hidden_size\":2048,\"intermediate_size\":10752,\"layer_typ"
     "es\":[\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv\""
     ",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\",\"co"
     "nv\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"conv\",\"full_attention\","
     "\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"con"
     "v\"],\"max_position_embeddings\":128000,\"norm_eps\":1e-05,\"num_attention_heads\":32,\""
     "num_hidden_layers\":30,\"num_key_value_heads\":8,\"vocab_size\":65536}}"},
    {"lfm2.5-vl-1.6b", "LiquidAI/LFM2.5-VL-1.6B",
     "{\"text_config\":{\"architectures\":[\"Lfm2ForCausalLM\"],\"dtype\":\"bfloat16\",\"hidde"
     "n_size\":2048,\"intermediate_size\":12288,\"layer_types\":[\"conv\",\"conv\",\"full_atte"
     "ntion\",\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv"
     "\",\"full_attention\",\"conv\",\"full_attention\",\"conv\",\"full_attention\",\"conv\"],"
     "\"max_position_embeddings\":128000,\"norm_eps\":1e-05,\"num_attention_heads\":32,\"num_h"
     "idden_layers\":16,\"num_key_value_heads\":8,\"vocab_size\":65536}}"},
    {"ling-1t", "inclusionAI/Ling-1T",
     "{\"model_type\":\"bailing_moe_v2\",\"hidden_size\":8192,\"num_hidden_layers\":80,\"num_a"
     "ttention_heads\":64,\"num_key_value_heads\":8,\"head_dim\":128,\"num_experts\":256,\"num"
     "_experts_per_tok\":8,\"num_shared_experts\":1,\"moe_intermediate_size\":2048,\"first_k_d"
     "ense_replace\":4,\"intermediate_size\":18432,\"vocab_size\":157184}"},
    {"ling-flash-2.0", "inclusionAI/Ling-flash-2.0",
     "{\"model_type\":\"bailing_moe_v2\",\"hidden_size\":4096,\"num_hidden_layers\":32,\"num_a"
     "ttention_heads\":32,\"num_key_value_heads\":4,\"head_dim\":128,\"num_experts\":256,\"num"
     "_experts_per_tok\":8,\"num_shared_experts\":1,\"moe_intermediate_size\":1024,\"first_k_d"
     "ense_replace\":1,\"intermediate_size\":9216,\"vocab_size\":157184}"},
    {"ling-mini-2.0", "inclusionAI/Ling-mini-2.0",
     "{\"model_type\":\"bailing_moe_v2\",\"hidden_size\":2048,\"num_hidden_layers\":20,\"num_a"
     "ttention_heads\":16,\"num_key_value_heads\":4,\"head_dim\":128,\"num_experts\":256,\"num"
     "_experts_per_tok\":8,\"num_shared_experts\":1,\"moe_intermediate_size\":512,\"first_k_de"
     "nse_replace\":1,\"intermediate_size\":5120,\"vocab_size\":157184}"},
    {"llama-2-13b", "meta-llama/Llama-2-13b-hf",
     "{\"model_type\":\"llama\",\"hidden_size\":5120,\"intermediate_size\":13824,\"num_hidden_"
     "layers\":40,\"num_attention_heads\":40,\"vocab_size\":32000,\"max_position_embeddings\":"
     "4096}"},
    {"llama-2-7b", "meta-llama/Llama-2-7b-hf",
     "{\"hidden_size\":4096,\"intermediate_size\":11008,\"max_position_embeddings\":4096,\"mod"
     "el_type\":\"llama\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"rms_norm_eps\""
     ":1e-05,\"vocab_size\":32000}"},
    {"llama-3-8b", "meta-llama/Meta-Llama-3-8B",
     "{\"model_type\":\"llama\",\"hidden_size\":4096,\"intermediate_size\":14336,\"num_hidden_"
     "layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"vocab_size\":128256,"
     "\"max_position_embeddings\":8192,\"rope_theta\":500000.0}"},
    {"llama-3.1-405b", "meta-llama/Meta-Llama-3.1-405B",
     "{\"hidden_size\":16384,\"intermediate_size\":53248,\"max_position_embeddings\":131072,\""
     "model_type\":\"llama\",\"num_attention_heads\":128,\"num_hidden_layers\":126,\"num_key_v"
     "alue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"rope"
     "_theta\":500000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":128256}"},
    {"llama-3.1-70b", "meta-llama/Meta-Llama-3.1-70B",
     "{\"hidden_size\":8192,\"intermediate_size\":28672,\"max_position_embeddings\":131072,\"m"
     "odel_type\":\"llama\",\"num_attention_heads\":64,\"num_hidden_layers\":80,\"num_key_valu"
     "e_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"rope_th"
     "eta\":500000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":128256}"},
    {"llama-3.1-8b", "meta-llama/Meta-Llama-3.1-8B",
     "{\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embeddings\":131072,\"m"
     "odel_type\":\"llama\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_valu"
     "e_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"rope_th"
     "eta\":500000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":128256}"},
    {"llama-3.2-1b", "meta-llama/Llama-3.2-1B-Instruct",
     "{\"hidden_size\":2048,\"intermediate_size\":8192,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"llama\",\"num_attention_heads\":32,\"num_hidden_layers\":16,\"num_key_value"
     "_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"rope_the"
     "ta\":500000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":1"
     "28256}"},
    {"llama-3.2-3b", "meta-llama/Llama-3.2-3B-Instruct",
     "{\"hidden_size\":3072,\"intermediate_size\":8192,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"llama\",\"num_attention_heads\":24,\"num_hidden_layers\":28,\"num_key_value"
     "_heads\":8,\"rms_norm_eps\":1e-05,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"rope_the"
     "ta\":500000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":1"
     "28256}"},
    {"llama-4-maverick-17b-128e", "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
     "{\"model_type\":\"llama4\",\"text_config\":{\"hidden_size\":5120,\"interleave_moe_layer_"
     "step\":2,\"intermediate_size\":8192,\"intermediate_size_mlp\":16384,\"max_position_embed"
     "dings\":1048576,\"num_attention_heads\":40,\"num_experts_per_tok\":1,\"num_hidden_layers"
     "\":48,\"num_key_value_heads\":8,\"num_local_experts\":128,\"vocab_size\":202048},\"torch"
     "_dtype\":\"bfloat16\"}"},
    {"llama-4-scout-17b-16e", "meta-llama/Llama-4-Scout-17B-16E-Instruct",
     "{\"model_type\":\"llama4\",\"text_config\":{\"hidden_size\":5120,\"intermediate_size\":8"
     "192,\"intermediate_size_mlp\":16384,\"max_position_embeddings\":10485760,\"num_attention"
     "_heads\":40,\"num_experts_per_tok\":1,\"num_hidden_layers\":48,\"num_key_value_heads\":8"
     ",\"num_local_experts\":16,\"rope_scaling\":{\"rope_type\":\"llama3\"},\"vocab_size\":202"
     "048},\"torch_dtype\":\"bfloat16\"}"},
    {"mamba-1.4b", "state-spaces/mamba-1.4b-hf",
     "{\"hidden_size\":2048,\"model_type\":\"mamba\",\"num_hidden_layers\":48,\"vocab_size\":5"
     "0280}"},
    {"mamba-130m", "state-spaces/mamba-130m-hf",
     "{\"hidden_size\":768,\"model_type\":\"mamba\",\"num_hidden_layers\":24,\"vocab_size\":50"
     "280}"},
    {"mamba-2.8b", "state-spaces/mamba-2.8b-hf",
     "{\"hidden_size\":2560,\"model_type\":\"mamba\",\"num_hidden_layers\":64,\"vocab_size\":5"
     "0280}"},
    {"mamba-370m", "state-spaces/mamba-370m-hf",
     "{\"hidden_size\":1024,\"model_type\":\"mamba\",\"num_hidden_layers\":48,\"vocab_size\":5"
     "0280}"},
    {"mamba-790m", "state-spaces/mamba-790m-hf",
     "{\"hidden_size\":1536,\"model_type\":\"mamba\",\"num_hidden_layers\":48,\"vocab_size\":5"
     "0280}"},
    {"mimo-v2-flash", "XiaomiMiMo/MiMo-V2-Flash",
     "{\"model_type\":\"mimo_v2_flash\",\"num_hidden_layers\":48,\"hidden_size\":4096,\"num_at"
     "tention_heads\":64,\"num_key_value_heads\":4,\"head_dim\":192,\"v_head_dim\":128,\"inter"
     "mediate_size\":16384,\"vocab_size\":152576,\"max_position_embeddings\":262144,\"rope_the"
     "ta\":5000000,\"swa_rope_theta\":10000,\"partial_rotary_factor\":0.334,\"sliding_window\""
     ":128,\"swa_num_key_value_heads\":8,\"hybrid_layer_pattern\":[0,1,1,1,1,0,1,1,1,1,1,0,1,1"
     ",1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0,1,1,1,1,1,0],\"moe_layer_freq\""
     ":[0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1],\"moe_intermediate_size\":2048,\"n_routed_experts\":256,\"num_experts_per_tok"
     "\":8,\"scoring_func\":\"sigmoid\",\"n_group\":1,\"topk_group\":1,\"attention_value_scale"
     "\":0.707,\"add_swa_attention_sink_bias\":true,\"torch_dtype\":\"bfloat16\"}"},
    {"minicpm3-4b", "openbmb/MiniCPM3-4B",
     "{\"hidden_size\":2560,\"num_hidden_layers\":62,\"intermediate_size\":6400,\"max_position"
     "_embeddings\":32768,\"model_type\":\"minicpm3\",\"num_attention_heads\":40,\"num_key_val"
     "ue_heads\":40,\"qk_nope_head_dim\":64,\"qk_rope_head_dim\":32,\"q_lora_rank\":768,\"kv_l"
     "ora_rank\":256,\"rope_scaling\":{\"type\":\"longrope\",\"long_factor\":[1.05912341378671"
     "71,1.1241891283591912,1.2596935748670968,1.5380380402321725,2.093982484148734,3.14469351"
     "21267696,4.937952647693647,7.524541999994549,10.475458000005451,13.062047352306353,14.85"
     "530648787323,15.906017515851266,16.461961959767827,16.740306425132907,16.87581087164081,"
     "16.940876586213285]},\"torch_dtype\":\"bfloat16\",\"vocab_size\":73448}"},
    {"minimax-m2", "MiniMaxAI/MiniMax-M2",
     "{\"head_dim\":128,\"hidden_size\":3072,\"intermediate_size\":1536,\"max_position_embeddi"
     "ngs\":196608,\"model_type\":\"minimax_m2\",\"num_attention_heads\":48,\"num_experts_per_"
     "tok\":8,\"num_hidden_layers\":62,\"num_key_value_heads\":8,\"num_local_experts\":256,\"r"
     "ms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim\":64,\"scoring_func\":\"sigmoid"
     "\",\"vocab_size\":200064}"},
    {"minimax-m2.1", "MiniMaxAI/MiniMax-M2.1",
     "{\"head_dim\":128,\"hidden_size\":3072,\"intermediate_size\":1536,\"max_position_embeddi"
     "ngs\":196608,\"model_type\":\"minimax_m2\",\"num_attention_heads\":48,\"num_experts_per_"
     "tok\":8,\"num_hidden_layers\":62,\"num_key_value_heads\":8,\"num_local_experts\":256,\"r"
     "ms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim\":64,\"scoring_func\":\"sigmoid"
     "\",\"vocab_size\":200064}"},
    {"minimax-m2.5", "MiniMaxAI/MiniMax-M2.5",
     "{\"head_dim\":128,\"hidden_size\":3072,\"intermediate_size\":1536,\"max_position_embeddi"
     "ngs\":196608,\"model_type\":\"minimax_m2\",\"num_attention_heads\":48,\"num_experts_per_"
     "tok\":8,\"num_hidden_layers\":62,\"num_key_value_heads\":8,\"num_local_experts\":256,\"r"
     "ms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim\":64,\"scoring_func\":\"sigmoid"
     "\",\"vocab_size\":200064}"},
    {"minimax-m2.7", "MiniMaxAI/MiniMax-M2.7",
     "{\"dtype\":\"bfloat16\",\"head_dim\":128,\"hidden_size\":3072,\"intermediate_size\":1536"
     ",\"max_position_embeddings\":204800,\"model_type\":\"minimax_m2\",\"num_attention_heads"
     "\":48,\"num_experts_per_tok\":8,\"num_hidden_layers\":62,\"num_key_value_heads\":8,\"num"
     "_local_experts\":256,\"rms_norm_eps\":1e-06,\"rope_theta\":5000000,\"rotary_dim\":64,\"s"
     "coring_func\":\"sigmoid\",\"vocab_size\":200064}"},
    {"minimax-m3", "MiniMaxAI/MiniMax-M3",
     "{\"text_config\":{\"hidden_size\":6144,\"intermediate_size\":3072,\"num_hidden_layers\":"
     "60,\"num_attention_heads\":64,\"num_key_value_heads\":4,\"head_dim\":128,\"vocab_size\":"
     "200064,\"max_position_embeddings\":1048576,\"rms_norm_eps\":1e-06,\"rope_theta\":5000000"
     ",\"rotary_dim\":64,\"dense_intermediate_size\":12288,\"num_local_experts\":128,\"num_exp"
     "erts_per_tok\":4,\"n_shared_experts\":1,\"scoring_func\":\"sigmoid\",\"moe_layer_freq\":"
     "[0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"
     ",1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],\"routed_scaling_factor\":2.0,\"sparse_attention_confi"
     "g\":{\"sparse_index_dim\":128,\"sparse_num_index_heads\":4,\"sparse_topk_blocks\":16,\"s"
     "parse_block_size\":128,\"sparse_local_block\":1},\"architectures\":[\"MiniMaxM3SparseFor"
     "CausalLM\"]},\"torch_dtype\":\"bfloat16\"}"},
    {"ministral-3-14b", "mistralai/Ministral-3-14B-Instruct-2512-BF16",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\""
     "hidden_size\":5120,\"intermediate_size\":16384,\"max_position_embeddings\":262144,\"mode"
     "l_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_va"
     "lue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow"
     "\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_ma"
     "x_position_embeddings\":16384,\"rope_theta\":1000000000.0,\"type\":\"yarn\"},\"vocab_siz"
     "e\":131072}}"},
    {"ministral-3-14b-base-2512", "mistralai/Ministral-3-14B-Base-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\""
     "hidden_size\":5120,\"intermediate_size\":16384,\"max_position_embeddings\":262144,\"mode"
     "l_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_va"
     "lue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow"
     "\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_ma"
     "x_position_embeddings\":16384,\"rope_theta\":1000000000.0,\"type\":\"yarn\"},\"vocab_siz"
     "e\":131072}}"},
    {"ministral-3-14b-instruct-2512", "mistralai/Ministral-3-14B-Instruct-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\""
     "hidden_size\":5120,\"intermediate_size\":16384,\"max_position_embeddings\":262144,\"mode"
     "l_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":40,\"num_key_va"
     "lue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow"
     "\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_ma"
     "x_position_embeddings\":16384,\"rope_theta\":1000000000.0,\"type\":\"yarn\"},\"vocab_siz"
     "e\":131072}}"},
    {"ministral-3-3b", "mistralai/Ministral-3-3B-Instruct-2512-BF16",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\""
     "hidden_size\":3072,\"intermediate_size\":9216,\"max_position_embeddings\":262144,\"model"
     "_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":26,\"num_key_val"
     "ue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow"
     "\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_ma"
     "x_position_embeddings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"tie_word_emb"
     "eddings\":true,\"vocab_size\":131072}}"},
    {"ministral-3-3b-base-2512", "mistralai/Ministral-3-3B-Base-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\""
     "hidden_size\":3072,\"intermediate_size\":9216,\"max_position_embeddings\":262144,\"model"
     "_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":26,\"num_key_val"
     "ue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow"
     "\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_ma"
     "x_position_embeddings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"tie_word_emb"
     "eddings\":true,\"vocab_size\":131072}}"},
    {"ministral-3-3b-instruct-2512", "mistralai/Ministral-3-3B-Instruct-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\""
     "hidden_size\":3072,\"intermediate_size\":9216,\"max_position_embeddings\":262144,\"model"
     "_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":26,\"num_key_val"
     "ue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow"
     "\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_ma"
     "x_position_embeddings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"tie_word_emb"
     "eddings\":true,\"vocab_size\":131072}}"},
    {"ministral-3-3b-reasoning-2512", "mistralai/Ministral-3-3B-Reasoning-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\""
     "hidden_size\":3072,\"intermediate_size\":9216,\"max_position_embeddings\":262144,\"model"
     "_type\":\"ministral3\",\"num_attention_heads\":32,\"num_hidden_layers\":26,\"num_key_val"
     "ue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow"
     "\":1.0,\"factor\":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_ma"
     "x_position_embeddings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"tie_word_emb"
     "eddings\":true,\"vocab_size\":131072}}"},
    {"ministral-3-8b-base-2512", "mistralai/Ministral-3-8B-Base-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"hidden_size\":409"
     "6,\"intermediate_size\":14336,\"max_position_embeddings\":262144,\"model_type\":\"minist"
     "ral3\",\"num_attention_heads\":32,\"num_hidden_layers\":34,\"num_key_value_heads\":8,\"r"
     "ms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"factor\""
     ":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_max_position_embedd"
     "ings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"vocab_size\":131072}}"},
    {"ministral-3-8b-instruct-2512", "mistralai/Ministral-3-8B-Instruct-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"hidden_size\":409"
     "6,\"intermediate_size\":14336,\"max_position_embeddings\":262144,\"model_type\":\"minist"
     "ral3\",\"num_attention_heads\":32,\"num_hidden_layers\":34,\"num_key_value_heads\":8,\"r"
     "ms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"factor\""
     ":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_max_position_embedd"
     "ings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"vocab_size\":131072}}"},
    {"ministral-3-8b-reasoning-2512", "mistralai/Ministral-3-8B-Reasoning-2512",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"hidden_size\":409"
     "6,\"intermediate_size\":14336,\"max_position_embeddings\":262144,\"model_type\":\"minist"
     "ral3\",\"num_attention_heads\":32,\"num_hidden_layers\":34,\"num_key_value_heads\":8,\"r"
     "ms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\":1.0,\"factor\""
     ":16.0,\"llama_4_scaling_beta\":0.1,\"mscale_all_dim\":1.0,\"original_max_position_embedd"
     "ings\":16384,\"rope_theta\":1000000.0,\"type\":\"yarn\"},\"vocab_size\":131072}}"},
    {"ministral-8b-instruct-2410", "mistralai/Ministral-8B-Instruct-2410",
     "{\"hidden_size\":4096,\"intermediate_size\":12288,\"max_position_embeddings\":32768,\"mo"
     "del_type\":\"mistral\",\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_val"
     "ue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":100000000.0,\"torch_dtype\":\"bfloat1"
     "6\",\"vocab_size\":131072}"},
    {"mistral-7b-instruct-v0.2", "mistralai/Mistral-7B-Instruct-v0.2",
     "{\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embeddings\":32768,\"mo"
     "del_type\":\"mistral\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_val"
     "ue_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16"
     "\",\"vocab_size\":32000}"},
    {"mistral-7b-instruct-v0.3", "mistralai/Mistral-7B-Instruct-v0.3",
     "{\"vocab_size\":32768,\"max_position_embeddings\":32768,\"hidden_size\":4096,\"intermedi"
     "ate_size\":14336,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_hea"
     "ds\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\",\"mo"
     "del_type\":\"mistral\"}"},
    {"mistral-medium-3.5-128b", "mistralai/Mistral-Medium-3.5-128B",
     "{\"dtype\":\"bfloat16\",\"model_type\":\"mistral3\",\"text_config\":{\"hidden_size\":122"
     "88,\"intermediate_size\":28672,\"max_position_embeddings\":262144,\"model_type\":\"minis"
     "tral3\",\"num_attention_heads\":96,\"num_hidden_layers\":88,\"num_key_value_heads\":8,\""
     "rms_norm_eps\":1e-05,\"rope_parameters\":{\"beta_fast\":4.0,\"beta_slow\":1.0,\"factor\""
     ":64.0,\"original_max_position_embeddings\":4096,\"rope_theta\":1000000.0,\"type\":\"yarn"
     "\"},\"vocab_size\":131072}}"},
    {"mistral-nemo-instruct-2407", "mistralai/Mistral-Nemo-Instruct-2407",
     "{\"head_dim\":128,\"hidden_size\":5120,\"intermediate_size\":14336,\"max_position_embedd"
     "ings\":131072,\"model_type\":\"mistral\",\"num_attention_heads\":32,\"num_hidden_layers"
     "\":40,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_"
     "dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"mistral-small-3.1-24b-instruct-2503", "mistralai/Mistral-Small-3.1-24B-Instruct-2503",
     "{\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\"hidden_size\":5120,\"in"
     "termediate_size\":32768,\"max_position_embeddings\":131072,\"num_attention_heads\":32,\""
     "num_hidden_layers\":40,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1"
     "000000000.0,\"vocab_size\":131072},\"torch_dtype\":\"bfloat16\"}"},
    {"mistral-small-3.2-24b-instruct-2506", "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
     "{\"model_type\":\"mistral3\",\"text_config\":{\"head_dim\":128,\"hidden_size\":5120,\"in"
     "termediate_size\":32768,\"max_position_embeddings\":131072,\"num_attention_heads\":32,\""
     "num_hidden_layers\":40,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1"
     "000000000.0,\"vocab_size\":131072},\"torch_dtype\":\"bfloat16\"}"},
    {"mistral-small-4-119b-2603", "mistralai/Mistral-Small-4-119B-2603",
     "{\"architectures\":[\"Mistral3ForConditionalGeneration\"],\"dtype\":\"bfloat16\",\"text_"
     "config\":{\"head_dim\":128,\"hidden_size\":4096,\"intermediate_size\":12288,\"kv_lora_ra"
     "nk\":256,\"max_position_embeddings\":1048576,\"model_type\":\"mistral4\",\"moe_intermedi"
     "ate_size\":2048,\"n_group\":1,\"n_routed_experts\":128,\"n_shared_experts\":1,\"norm_top"
     "k_prob\":true,\"num_attention_heads\":32,\"num_experts_per_tok\":4,\"num_hidden_layers\""
     ":36,\"num_key_value_heads\":32,\"q_lora_rank\":1024,\"qk_nope_head_dim\":64,\"qk_rope_he"
     "ad_dim\":64,\"rms_norm_eps\":1e-06,\"rope_parameters\":{\"beta_fast\":32.0,\"beta_slow\""
     ":1.0,\"factor\":128.0,\"mscale_all_dim\":1.0,\"original_max_position_embeddings\":8192,"
     "\"rope_theta\":10000.0,\"type\":\"yarn\"},\"routed_scaling_factor\":1.0,\"topk_group\":1"
     ",\"v_head_dim\":128,\"vocab_size\":131072}}"},
    {"mixtral-8x22b-v0.1", "mistralai/Mixtral-8x22B-v0.1",
     "{\"hidden_size\":6144,\"intermediate_size\":16384,\"max_position_embeddings\":65536,\"mo"
     "del_type\":\"mixtral\",\"num_attention_heads\":48,\"num_experts_per_tok\":2,\"num_hidden"
     "_layers\":56,\"num_key_value_heads\":8,\"num_local_experts\":8,\"torch_dtype\":\"bfloat1"
     "6\",\"vocab_size\":32000}"},
    {"mixtral-8x7b-v0.1", "mistralai/Mixtral-8x7B-v0.1",
     "{\"hidden_size\":4096,\"intermediate_size\":14336,\"max_position_embeddings\":32768,\"mo"
     "del_type\":\"mixtral\",\"num_attention_heads\":32,\"num_experts_per_tok\":2,\"num_hidden"
     "_layers\":32,\"num_key_value_heads\":8,\"num_local_experts\":8,\"torch_dtype\":\"bfloat1"
     "6\",\"vocab_size\":32000}"},
    {"modernbert-large", "answerdotai/ModernBERT-large",
     "{\"classifier_activation\":\"gelu\",\"classifier_pooling\":\"mean\",\"global_attn_every_"
     "n_layers\":3,\"global_rope_theta\":160000.0,\"hidden_activation\":\"gelu\",\"hidden_size"
     "\":1024,\"intermediate_size\":2624,\"layer_norm_eps\":1e-05,\"local_attention\":128,\"lo"
     "cal_rope_theta\":10000.0,\"max_position_embeddings\":8192,\"model_type\":\"modernbert\","
     "\"norm_eps\":1e-05,\"num_attention_heads\":16,\"num_hidden_layers\":28,\"vocab_size\":50"
     "368}"},
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
    {"nemotron-h-47b-reasoning-128k", "nvidia/Nemotron-H-47B-Reasoning-128K",
     "{\"hidden_size\":8192,\"hybrid_override_pattern\":\"M-M-M-M-M-M-M-M-M*-M-M-M-M-M-M-M-M-M"
     "-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-M-M---MM---M-M*-M-M-M-M-M-\",\"intermediate_size\":3"
     "0720,\"layer_norm_epsilon\":1e-05,\"mamba_head_dim\":64,\"mamba_num_heads\":256,\"max_po"
     "sition_embeddings\":131072,\"model_type\":\"nemotron_h\",\"n_groups\":8,\"num_attention_"
     "heads\":64,\"num_hidden_layers\":98,\"num_key_value_heads\":8,\"ssm_state_size\":256,\"t"
     "orch_dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"nemotron-h-4b-base-8k", "nvidia/Nemotron-H-4B-Base-8K",
     "{\"attention_head_dim\":128,\"hidden_size\":3072,\"hybrid_override_pattern\":\"M-M-M-M*-"
     "M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-\",\"intermediate_size\":12288,\"layer_norm_e"
     "psilon\":1e-05,\"mamba_head_dim\":64,\"mamba_num_heads\":112,\"max_position_embeddings\""
     ":8192,\"model_type\":\"nemotron_h\",\"n_groups\":8,\"num_attention_heads\":32,\"num_hidd"
     "en_layers\":52,\"num_key_value_heads\":8,\"ssm_state_size\":128,\"torch_dtype\":\"bfloat"
     "16\",\"vocab_size\":131072}"},
    {"nemotron-h-56b-base-8k", "nvidia/Nemotron-H-56B-Base-8K",
     "{\"hidden_size\":8192,\"hybrid_override_pattern\":\"M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M"
     "-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-\",\"i"
     "ntermediate_size\":32768,\"layer_norm_epsilon\":1e-05,\"mamba_head_dim\":64,\"mamba_num_"
     "heads\":256,\"max_position_embeddings\":8192,\"model_type\":\"nemotron_h\",\"n_groups\":"
     "8,\"num_attention_heads\":64,\"num_hidden_layers\":118,\"num_key_value_heads\":8,\"ssm_s"
     "tate_size\":256,\"torch_dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"nemotron-h-8b-base-8k", "nvidia/Nemotron-H-8B-Base-8K",
     "{\"hidden_size\":4096,\"hybrid_override_pattern\":\"M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M"
     "-M-M*-M-M-M-M-M-\",\"intermediate_size\":21504,\"layer_norm_epsilon\":1e-05,\"mamba_head"
     "_dim\":64,\"mamba_num_heads\":128,\"max_position_embeddings\":8192,\"model_type\":\"nemo"
     "tron_h\",\"n_groups\":8,\"num_attention_heads\":32,\"num_hidden_layers\":52,\"num_key_va"
     "lue_heads\":8,\"ssm_state_size\":128,\"torch_dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"nemotron-mini-4b", "nvidia/Nemotron-Mini-4B-Instruct",
     "{\"hidden_size\":3072,\"intermediate_size\":9216,\"max_position_embeddings\":4096,\"mode"
     "l_type\":\"nemotron\",\"num_attention_heads\":24,\"num_hidden_layers\":32,\"num_key_valu"
     "e_heads\":8,\"norm_eps\":1e-05,\"torch_dtype\":\"bfloat16\",\"vocab_size\":256000}"},
    {"nomic-embed-text-v1.5", "nomic-ai/nomic-embed-text-v1.5",
     "{\"model_type\":\"nomic_bert\",\"n_embd\":768,\"n_inner\":3072,\"num_attention_heads\":1"
     "2,\"num_hidden_layers\":12,\"vocab_size\":30528}"},
    {"nomic-embed-text-v2-moe-unsupervised", "nomic-ai/nomic-embed-text-v2-moe-unsupervised",
     "{\"model_type\":\"nomic_bert\",\"moe_every_n_layers\":2,\"moe_top_k\":2,\"n_embd\":768,"
     "\"n_head\":12,\"n_inner\":3072,\"n_layer\":12,\"num_experts\":8,\"type_vocab_size\":1,\""
     "vocab_size\":250048}"},
    {"nvidia-nemotron-3-nano-30b-a3b-bf16", "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
     "{\"head_dim\":128,\"hidden_size\":2688,\"hybrid_override_pattern\":\"MEMEM*EMEMEM*EMEMEM"
     "*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME\",\"intermediate_size\":1856,\"layer_norm_epsilon\":1e"
     "-05,\"mamba_head_dim\":64,\"mamba_num_heads\":64,\"max_position_embeddings\":262144,\"mo"
     "del_type\":\"nemotron_h\",\"moe_shared_expert_intermediate_size\":3712,\"n_group\":1,\"n"
     "_groups\":8,\"n_routed_experts\":128,\"n_shared_experts\":1,\"norm_topk_prob\":true,\"nu"
     "m_attention_heads\":32,\"num_experts_per_tok\":6,\"num_hidden_layers\":52,\"num_key_valu"
     "e_heads\":2,\"rope_theta\":10000,\"routed_scaling_factor\":2.5,\"ssm_state_size\":128,\""
     "topk_group\":1,\"torch_dtype\":\"bfloat16\",\"vocab_size\":131072}"},
    {"nvidia-nemotron-nano-12b-v2", "nvidia/NVIDIA-Nemotron-Nano-12B-v2",
     "{\"head_dim\":128,\"hidden_size\":5120,\"hybrid_override_pattern\":\"M-M-M-M*-M-M-M-M*-M"
     "-M-M-M*-M-M-M-M*-M-M-M-M*-M-M-M-M*-M-M-M-M-\",\"intermediate_size\":20480,\"layer_norm_e"
     "psilon\":1e-05,\"mamba_head_dim\":80,\"mamba_num_heads\":128,\"max_position_embeddings\""
     ":131072,\"model_type\":\"nemotron_h\",\"n_groups\":8,\"num_attention_heads\":40,\"num_hi"
     "dden_layers\":62,\"num_key_value_heads\":8,\"ssm_state_size\":128,\"torch_dtype\":\"bflo"
     "at16\",\"vocab_size\":131072}"},
    {"olmo-1b", "allenai/OLMo-1B-hf",
     "{\"hidden_size\":2048,\"intermediate_size\":8192,\"max_position_embeddings\":2048,\"mode"
     "l_type\":\"olmo\",\"num_attention_heads\":16,\"num_hidden_layers\":16,\"num_key_value_he"
     "ads\":16,\"tie_word_embeddings\":true,\"vocab_size\":50304}"},
    {"olmo-2-0325-32b", "allenai/OLMo-2-0325-32B-Instruct",
     "{\"hidden_size\":5120,\"intermediate_size\":27648,\"max_position_embeddings\":4096,\"mod"
     "el_type\":\"olmo2\",\"num_attention_heads\":40,\"num_hidden_layers\":64,\"num_key_value_"
     "heads\":8,\"rms_norm_eps\":1e-06,\"rope_theta\":500000,\"torch_dtype\":\"bfloat16\",\"vo"
     "cab_size\":100352}"},
    {"olmo-2-1124-13b", "allenai/OLMo-2-1124-13B-Instruct",
     "{\"hidden_size\":5120,\"intermediate_size\":13824,\"max_position_embeddings\":4096,\"mod"
     "el_type\":\"olmo2\",\"num_attention_heads\":40,\"num_hidden_layers\":40,\"rms_norm_eps\""
     ":1e-06,\"rope_theta\":500000,\"torch_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"olmo-2-1124-7b", "allenai/OLMo-2-1124-7B-Instruct",
     "{\"hidden_size\":4096,\"intermediate_size\":11008,\"max_position_embeddings\":4096,\"mod"
     "el_type\":\"olmo2\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"rms_norm_eps\""
     ":1e-06,\"rope_theta\":500000,\"torch_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"olmo-3-7b", "allenai/Olmo-3-7B-Instruct",
     "{\"model_type\":\"olmo3\",\"dtype\":\"bfloat16\",\"hidden_size\":4096,\"intermediate_siz"
     "e\":11008,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"vocab_size\":100278,\"ma"
     "x_position_embeddings\":65536,\"sliding_window\":4096,\"rope_theta\":500000,\"rope_scali"
     "ng\":{\"rope_type\":\"yarn\",\"factor\":8.0,\"original_max_position_embeddings\":8192,\""
     "beta_fast\":32.0,\"beta_slow\":1.0,\"attention_factor\":1.2079441541679836},\"rms_norm_e"
     "ps\":1e-06}"},
    {"olmo-3.1-32b", "allenai/Olmo-3.1-32B-Instruct",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":5120,\"intermediate_size\":27648,\"max_position_"
     "embeddings\":65536,\"model_type\":\"olmo3\",\"num_attention_heads\":40,\"num_hidden_laye"
     "rs\":64,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-06,\"rope_scaling\":{\"attention_f"
     "actor\":1.2079441541679836,\"beta_fast\":32,\"beta_slow\":1,\"factor\":8.0,\"original_ma"
     "x_position_embeddings\":8192,\"rope_type\":\"yarn\"},\"rope_theta\":500000,\"sliding_win"
     "dow\":4096,\"vocab_size\":100278}"},
    {"olmo-7b", "allenai/OLMo-7B-hf",
     "{\"hidden_size\":4096,\"intermediate_size\":11008,\"max_position_embeddings\":2048,\"mod"
     "el_type\":\"olmo\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_h"
     "eads\":32,\"vocab_size\":50304}"},
    {"olmo-7b-0424", "allenai/OLMo-7B-0424-hf",
     "{\"clip_qkv\":8.0,\"hidden_size\":4096,\"intermediate_size\":11008,\"max_position_embedd"
     "ings\":4096,\"model_type\":\"olmo\",\"num_attention_heads\":32,\"num_hidden_layers\":32,"
     "\"num_key_value_heads\":32,\"vocab_size\":50304}"},
    {"olmo-7b-0724", "allenai/OLMo-7B-0724-Instruct-hf",
     "{\"hidden_size\":4096,\"intermediate_size\":11008,\"max_position_embeddings\":4096,\"mod"
     "el_type\":\"olmo\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"num_key_value_h"
     "eads\":32,\"rms_norm_eps\":1e-05,\"torch_dtype\":\"bfloat16\",\"vocab_size\":50304}"},
    {"olmoe-1b-7b-0924", "allenai/OLMoE-1B-7B-0924",
     "{\"model_type\":\"olmoe\",\"hidden_size\":2048,\"num_hidden_layers\":16,\"num_attention_"
     "heads\":16,\"intermediate_size\":1024,\"num_experts\":64,\"vocab_size\":50304}"},
    {"phi-3-mini-128k", "microsoft/Phi-3-mini-128k-instruct",
     "{\"hidden_size\":3072,\"intermediate_size\":8192,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"phi3\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"original_max_p"
     "osition_embeddings\":4096,\"rope_scaling\":{\"long_factor\":[1.0700000524520874,1.120000"
     "0047683716,1.149999976158142,1.4199999570846558,1.5699999332427979,1.7999999523162842,2."
     "129999876022339,2.129999876022339,3.009999990463257,5.910000324249268,6.950000286102295,"
     "9.070000648498535,9.930000305175781,10.710000038146973,11.130000114440918,14.60999965667"
     "7246,15.409998893737793,19.809999465942383,37.279998779296875,38.279998779296875,38.5999"
     "98474121094,40.12000274658203,46.20000457763672,50.940006256103516,53.66000747680664,54."
     "9373893737793,56.89738845825195,57.28738784790039,59.98738479614258,60.86738586425781,60"
     ".887386322021484,61.71739196777344,62.91739273071289,62.957393646240234,63.4173927307128"
     "9,63.8173942565918,63.83739471435547,63.897396087646484,63.93739700317383,64.06739807128"
     "906,64.11434936523438,64.12435150146484,64.15435028076172,64.19435119628906,64.244354248"
     "04688,64.57435607910156,64.69000244140625,64.76000213623047]},\"sliding_window\":262144,"
     "\"torch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"phi-3-mini-4k", "microsoft/Phi-3-mini-4k-instruct",
     "{\"hidden_size\":3072,\"intermediate_size\":8192,\"max_position_embeddings\":4096,\"mode"
     "l_type\":\"phi3\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"sliding_window\""
     ":2047,\"torch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"phi-3.5-mini", "microsoft/Phi-3.5-mini-instruct",
     "{\"hidden_size\":3072,\"intermediate_size\":8192,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"phi3\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"original_max_p"
     "osition_embeddings\":4096,\"rope_scaling\":{\"long_factor\":[1.0800000429153442,1.110000"
     "0143051147,1.1399999856948853,1.340000033378601,1.5899999141693115,1.600000023841858,1.6"
     "200000047683716,2.620000123977661,3.2300000190734863,3.2300000190734863,4.78999996185302"
     "7,7.400000095367432,7.700000286102295,9.09000015258789,12.199999809265137,17.67000007629"
     "3945,24.46000099182129,28.57000160217285,30.420001983642578,30.840002059936523,32.590003"
     "967285156,32.93000411987305,42.320003509521484,44.96000289916992,50.340003967285156,50.4"
     "5000457763672,57.55000305175781,57.93000411987305,58.21000289916992,60.1400032043457,62."
     "61000442504883,62.62000274658203,62.71000289916992,63.1400032043457,63.1400032043457,63."
     "77000427246094,63.93000411987305,63.96000289916992,63.970001220703125,64.02999877929688,"
     "64.06999969482422,64.08000183105469,64.12000274658203,64.41000366210938,64.4800033569336"
     ",64.51000213623047,64.52999877929688,64.83999633789062]},\"sliding_window\":262144,\"tor"
     "ch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"phi-3.5-moe", "microsoft/Phi-3.5-MoE-instruct",
     "{\"hidden_size\":4096,\"intermediate_size\":6400,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"phimoe\",\"num_attention_heads\":32,\"num_experts_per_tok\":2,\"num_hidden_"
     "layers\":32,\"num_key_value_heads\":8,\"num_local_experts\":16,\"original_max_position_e"
     "mbeddings\":4096,\"rope_scaling\":{\"long_factor\":[1.0199999809265137,1.029999971389770"
     "5,1.0399999618530273,1.0499999523162842,1.0499999523162842,1.0499999523162842,1.05999994"
     "2779541,1.059999942779541,1.059999942779541,1.059999942779541,1.059999942779541,1.059999"
     "942779541,1.0999999046325684,1.1799999475479126,1.1799999475479126,1.3700000047683716,1."
     "4899998903274536,2.109999895095825,2.8899998664855957,3.9499998092651367,4.2999997138977"
     "05,6.429999828338623,8.09000015258789,10.690000534057617,12.050000190734863,18.229999542"
     "236328,18.84000015258789,19.899999618530273,21.420000076293945,26.200000762939453,34.280"
     "00259399414,34.590003967285156,38.730003356933594,40.22000503540039,42.54000473022461,44"
     ".000003814697266,47.590003967285156,54.750003814697266,56.19000244140625,57.440002441406"
     "25,57.4900016784668,61.20000076293945,61.540000915527344,61.75,61.779998779296875,62.069"
     "99969482422,63.11000061035156,63.43000030517578,63.560001373291016,63.71000289916992,63."
     "92000198364258,63.94000244140625,63.94000244140625,63.96000289916992,63.980003356933594,"
     "64.0300064086914,64.0300064086914,64.0300064086914,64.04000854492188,64.10000610351562,6"
     "4.19000244140625,64.20999908447266,64.75,64.95999908447266]},\"sliding_window\":131072,"
     "\"torch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"phi-4", "microsoft/phi-4",
     "{\"hidden_size\":5120,\"intermediate_size\":17920,\"max_position_embeddings\":16384,\"mo"
     "del_type\":\"phi3\",\"num_attention_heads\":40,\"num_hidden_layers\":40,\"num_key_value_"
     "heads\":10,\"rope_theta\":250000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":100352}"},
    {"phi-4-mini", "microsoft/Phi-4-mini-instruct",
     "{\"hidden_size\":3072,\"intermediate_size\":8192,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"phi3\",\"num_attention_heads\":24,\"num_hidden_layers\":32,\"num_key_value_"
     "heads\":8,\"original_max_position_embeddings\":4096,\"partial_rotary_factor\":0.75,\"rop"
     "e_scaling\":{\"long_factor\":[1,1.118320672,1.250641126,1.398617824,1.564103225,1.749168"
     "97,1.956131817,2.187582649,2.446418898,2.735880826,3.059592084,3.421605075,3.826451687,4"
     ".279200023,4.785517845,5.351743533,5.984965424,6.693110555,7.485043894,8.370679318,9.361"
     "10372,10.4687158,11.70738129,13.09260651,14.64173252,16.37415215,18.31155283,20.47818807"
     ",22.90118105,25.61086418,28.64115884,32.03,32.1,32.13,32.23,32.6,32.61,32.64,32.66,32.7,"
     "32.71,32.93,32.97,33.28,33.49,33.5,44.16,47.77]},\"sliding_window\":262144,\"tie_word_em"
     "beddings\":true,\"torch_dtype\":\"bfloat16\",\"vocab_size\":200064}"},
    {"phi-mini-moe", "microsoft/Phi-mini-MoE-instruct",
     "{\"hidden_size\":4096,\"intermediate_size\":960,\"max_position_embeddings\":4096,\"model"
     "_type\":\"phimoe\",\"num_attention_heads\":32,\"num_experts_per_tok\":2,\"num_hidden_lay"
     "ers\":32,\"num_key_value_heads\":8,\"num_local_experts\":16,\"sliding_window\":2047,\"to"
     "rch_dtype\":\"bfloat16\",\"vocab_size\":32064}"},
    {"qwen1.5-moe-a2.7b", "Qwen/Qwen1.5-MoE-A2.7B",
     "{\"hidden_size\":2048,\"intermediate_size\":5632,\"max_position_embeddings\":32768,\"mod"
     "el_type\":\"qwen2_moe\",\"num_attention_heads\":16,\"num_hidden_layers\":24,\"num_key_va"
     "lue_heads\":16,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":1519"
     "36,\"moe_intermediate_size\":1408,\"shared_expert_intermediate_size\":5632,\"num_experts"
     "_per_tok\":4,\"num_experts\":60}"},
    {"qwen2.5-0.5b", "Qwen/Qwen2.5-0.5B-Instruct",
     "{\"hidden_size\":896,\"intermediate_size\":4864,\"max_position_embeddings\":32768,\"mode"
     "l_type\":\"qwen2\",\"num_attention_heads\":14,\"num_hidden_layers\":24,\"num_key_value_h"
     "eads\":2,\"rope_theta\":1000000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat1"
     "6\",\"vocab_size\":151936}"},
    {"qwen2.5-1.5b", "Qwen/Qwen2.5-1.5B",
     "{\"hidden_size\":1536,\"intermediate_size\":8960,\"max_position_embeddings\":131072,\"mo"
     "del_type\":\"qwen2\",\"num_attention_heads\":12,\"num_hidden_layers\":28,\"num_key_value"
     "_heads\":2,\"rope_theta\":1000000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloa"
     "t16\",\"vocab_size\":151936}"},
    {"qwen2.5-14b", "Qwen/Qwen2.5-14B",
     "{\"hidden_size\":5120,\"intermediate_size\":13824,\"max_position_embeddings\":131072,\"m"
     "odel_type\":\"qwen2\",\"num_attention_heads\":40,\"num_hidden_layers\":48,\"num_key_valu"
     "e_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\""
     ",\"vocab_size\":152064}"},
    {"qwen2.5-32b", "Qwen/Qwen2.5-32B",
     "{\"hidden_size\":5120,\"intermediate_size\":27648,\"max_position_embeddings\":131072,\"m"
     "odel_type\":\"qwen2\",\"num_attention_heads\":40,\"num_hidden_layers\":64,\"num_key_valu"
     "e_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\""
     ",\"vocab_size\":152064}"},
    {"qwen2.5-3b", "Qwen/Qwen2.5-3B",
     "{\"hidden_size\":2048,\"intermediate_size\":11008,\"max_position_embeddings\":32768,\"mo"
     "del_type\":\"qwen2\",\"num_attention_heads\":16,\"num_hidden_layers\":36,\"num_key_value"
     "_heads\":2,\"rope_theta\":1000000.0,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloa"
     "t16\",\"vocab_size\":151936}"},
    {"qwen2.5-72b", "Qwen/Qwen2.5-72B",
     "{\"hidden_size\":8192,\"intermediate_size\":29568,\"max_position_embeddings\":131072,\"m"
     "odel_type\":\"qwen2\",\"num_attention_heads\":64,\"num_hidden_layers\":80,\"num_key_valu"
     "e_heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\""
     ",\"vocab_size\":152064}"},
    {"qwen2.5-7b", "Qwen/Qwen2.5-7B-Instruct",
     "{\"hidden_size\":3584,\"intermediate_size\":18944,\"max_position_embeddings\":32768,\"mo"
     "del_type\":\"qwen2\",\"num_attention_heads\":28,\"num_hidden_layers\":28,\"num_key_value"
     "_heads\":4,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":152064}"},
    {"qwen2.5-vl-7b", "Qwen/Qwen2.5-VL-7B-Instruct",
     "{\"hidden_size\":3584,\"intermediate_size\":18944,\"max_position_embeddings\":128000,\"m"
     "odel_type\":\"qwen2_5_vl\",\"num_attention_heads\":28,\"num_hidden_layers\":28,\"num_key"
     "_value_heads\":4,\"rms_norm_eps\":1e-06,\"torch_dtype\":\"bfloat16\",\"rope_scaling\":{"
     "\"mrope_section\":[16,24,24]},\"vocab_size\":152064}"},
    {"qwen3-0.6b", "Qwen/Qwen3-0.6B",
     "{\"hidden_size\":1024,\"intermediate_size\":3072,\"max_position_embeddings\":40960,\"mod"
     "el_type\":\"qwen3\",\"num_attention_heads\":16,\"num_hidden_layers\":28,\"num_key_value_"
     "heads\":8,\"rope_theta\":1000000,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16"
     "\",\"vocab_size\":151936}"},
    {"qwen3-1.7b", "Qwen/Qwen3-1.7B",
     "{\"hidden_size\":2048,\"intermediate_size\":6144,\"max_position_embeddings\":40960,\"mod"
     "el_type\":\"qwen3\",\"num_attention_heads\":16,\"num_hidden_layers\":28,\"num_key_value_"
     "heads\":8,\"rope_theta\":1000000,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16"
     "\",\"vocab_size\":151936}"},
    {"qwen3-14b", "Qwen/Qwen3-14B",
     "{\"hidden_size\":5120,\"intermediate_size\":17408,\"max_position_embeddings\":40960,\"mo"
     "del_type\":\"qwen3\",\"num_attention_heads\":40,\"num_hidden_layers\":40,\"num_key_value"
     "_heads\":8,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-235b-a22b", "Qwen/Qwen3-235B-A22B",
     "{\"head_dim\":128,\"hidden_size\":4096,\"intermediate_size\":12288,\"max_position_embedd"
     "ings\":40960,\"model_type\":\"qwen3_moe\",\"moe_intermediate_size\":1536,\"num_attention"
     "_heads\":64,\"num_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_layers\":94,\"num"
     "_key_value_heads\":4,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size"
     "\":151936}"},
    {"qwen3-30b-a3b", "Qwen/Qwen3-30B-A3B",
     "{\"head_dim\":128,\"hidden_size\":2048,\"intermediate_size\":6144,\"max_position_embeddi"
     "ngs\":40960,\"model_type\":\"qwen3_moe\",\"moe_intermediate_size\":768,\"num_attention_h"
     "eads\":32,\"num_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_layers\":48,\"num_k"
     "ey_value_heads\":4,\"rope_theta\":1000000.0,\"torch_dtype\":\"bfloat16\",\"vocab_size\":"
     "151936}"},
    {"qwen3-30b-a3b-instruct-2507", "Qwen/Qwen3-30B-A3B-Instruct-2507",
     "{\"head_dim\":128,\"hidden_size\":2048,\"intermediate_size\":6144,\"max_position_embeddi"
     "ngs\":262144,\"model_type\":\"qwen3_moe\",\"moe_intermediate_size\":768,\"num_attention_"
     "heads\":32,\"num_experts\":128,\"num_experts_per_tok\":8,\"num_hidden_layers\":48,\"num_"
     "key_value_heads\":4,\"rope_theta\":10000000,\"torch_dtype\":\"bfloat16\",\"vocab_size\":"
     "151936}"},
    {"qwen3-32b", "Qwen/Qwen3-32B",
     "{\"hidden_size\":5120,\"intermediate_size\":25600,\"max_position_embeddings\":40960,\"mo"
     "del_type\":\"qwen3\",\"num_attention_heads\":64,\"num_hidden_layers\":64,\"num_key_value"
     "_heads\":8,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-4b", "Qwen/Qwen3-4B",
     "{\"hidden_size\":2560,\"intermediate_size\":9728,\"max_position_embeddings\":40960,\"mod"
     "el_type\":\"qwen3\",\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value_"
     "heads\":8,\"rope_theta\":1000000,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat16"
     "\",\"vocab_size\":151936}"},
    {"qwen3-4b-instruct-2507", "Qwen/Qwen3-4B-Instruct-2507",
     "{\"hidden_size\":2560,\"intermediate_size\":9728,\"max_position_embeddings\":262144,\"mo"
     "del_type\":\"qwen3\",\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value"
     "_heads\":8,\"rope_theta\":5000000,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat1"
     "6\",\"vocab_size\":151936}"},
    {"qwen3-4b-thinking-2507", "Qwen/Qwen3-4B-Thinking-2507",
     "{\"hidden_size\":2560,\"intermediate_size\":9728,\"max_position_embeddings\":262144,\"mo"
     "del_type\":\"qwen3\",\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value"
     "_heads\":8,\"rope_theta\":5000000,\"tie_word_embeddings\":true,\"torch_dtype\":\"bfloat1"
     "6\",\"vocab_size\":151936}"},
    {"qwen3-8b", "Qwen/Qwen3-8B",
     "{\"hidden_size\":4096,\"intermediate_size\":12288,\"max_position_embeddings\":40960,\"mo"
     "del_type\":\"qwen3\",\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value"
     "_heads\":8,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-coder-30b-a3b", "Qwen/Qwen3-Coder-30B-A3B-Instruct",
     "{\"dtype\":\"bfloat16\",\"head_dim\":128,\"hidden_size\":2048,\"intermediate_size\":5472"
     ",\"max_position_embeddings\":262144,\"model_type\":\"qwen3_moe\",\"moe_intermediate_size"
     "\":768,\"num_attention_heads\":32,\"num_experts\":128,\"num_experts_per_tok\":8,\"num_hi"
     "dden_layers\":48,\"num_key_value_heads\":4,\"rope_theta\":10000000,\"shared_expert_inter"
     "mediate_size\":0,\"vocab_size\":151936}"},
    {"qwen3-coder-480b-a35b", "Qwen/Qwen3-Coder-480B-A35B-Instruct",
     "{\"head_dim\":128,\"hidden_size\":6144,\"intermediate_size\":8192,\"max_position_embeddi"
     "ngs\":262144,\"model_type\":\"qwen3_moe\",\"moe_intermediate_size\":2560,\"num_attention"
     "_heads\":96,\"num_experts\":160,\"num_experts_per_tok\":8,\"num_hidden_layers\":62,\"num"
     "_key_value_heads\":8,\"rope_theta\":10000000,\"shared_expert_intermediate_size\":0,\"tor"
     "ch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-coder-next", "Qwen/Qwen3-Coder-Next",
     "{\"hidden_size\":2048,\"intermediate_size\":5120,\"linear_conv_kernel_dim\":4,\"linear_k"
     "ey_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_val"
     "ue_head_dim\":128,\"max_position_embeddings\":262144,\"model_type\":\"qwen3_next\",\"moe"
     "_intermediate_size\":512,\"num_attention_heads\":16,\"num_experts\":512,\"num_experts_pe"
     "r_tok\":10,\"num_hidden_layers\":48,\"num_key_value_heads\":2,\"rope_theta\":5000000,\"s"
     "hared_expert_intermediate_size\":512,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936}"},
    {"qwen3-embedding-8b", "Qwen/Qwen3-Embedding-8B",
     "{\"hidden_size\":4096,\"intermediate_size\":12288,\"max_position_embeddings\":40960,\"mo"
     "del_type\":\"qwen3\",\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value"
     "_heads\":8,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151665}"},
    {"qwen3-next-80b-a3b", "Qwen/Qwen3-Next-80B-A3B-Instruct",
     "{\"hidden_size\":2048,\"intermediate_size\":5120,\"linear_conv_kernel_dim\":4,\"linear_k"
     "ey_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_val"
     "ue_head_dim\":128,\"max_position_embeddings\":262144,\"model_type\":\"qwen3_next\",\"moe"
     "_intermediate_size\":512,\"num_attention_heads\":16,\"num_experts\":512,\"num_experts_pe"
     "r_tok\":10,\"num_hidden_layers\":48,\"num_key_value_heads\":2,\"rope_theta\":10000000,\""
     "shared_expert_intermediate_size\":512,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936"
     "}"},
    {"qwen3-next-80b-a3b-thinking", "Qwen/Qwen3-Next-80B-A3B-Thinking",
     "{\"hidden_size\":2048,\"intermediate_size\":5120,\"linear_conv_kernel_dim\":4,\"linear_k"
     "ey_head_dim\":128,\"linear_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_val"
     "ue_head_dim\":128,\"max_position_embeddings\":262144,\"model_type\":\"qwen3_next\",\"moe"
     "_intermediate_size\":512,\"num_attention_heads\":16,\"num_experts\":512,\"num_experts_pe"
     "r_tok\":10,\"num_hidden_layers\":48,\"num_key_value_heads\":2,\"rope_theta\":10000000,\""
     "shared_expert_intermediate_size\":512,\"torch_dtype\":\"bfloat16\",\"vocab_size\":151936"
     "}"},
    {"qwen3-vl-235b-a22b", "Qwen/Qwen3-VL-235B-A22B-Instruct",
     "{\"model_type\":\"qwen3_vl_moe\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\""
     ":4096,\"intermediate_size\":12288,\"max_position_embeddings\":262144,\"moe_intermediate_"
     "size\":1536,\"num_attention_heads\":64,\"num_experts\":128,\"num_experts_per_tok\":8,\"n"
     "um_hidden_layers\":94,\"num_key_value_heads\":4,\"rope_scaling\":{\"mrope_section\":[24,"
     "20,20]},\"vocab_size\":151936},\"vision_config\":{\"deepstack_visual_indexes\":[8,16,24]"
     "}}"},
    {"qwen3-vl-235b-a22b-thinking", "Qwen/Qwen3-VL-235B-A22B-Thinking",
     "{\"model_type\":\"qwen3_vl_moe\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\""
     ":4096,\"intermediate_size\":12288,\"max_position_embeddings\":262144,\"moe_intermediate_"
     "size\":1536,\"num_attention_heads\":64,\"num_experts\":128,\"num_experts_per_tok\":8,\"n"
     "um_hidden_layers\":94,\"num_key_value_heads\":4,\"rope_scaling\":{\"mrope_section\":[24,"
     "20,20]},\"vocab_size\":151936},\"vision_config\":{\"deepstack_visual_indexes\":[8,16,24]"
     "}}"},
    {"qwen3-vl-2b", "Qwen/Qwen3-VL-2B-Instruct",
     "{\"model_type\":\"qwen3_vl\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":204"
     "8,\"intermediate_size\":6144,\"max_position_embeddings\":262144,\"num_attention_heads\":"
     "16,\"num_hidden_layers\":28,\"num_key_value_heads\":8,\"vocab_size\":151936},\"tie_word_"
     "embeddings\":true,\"vision_config\":{\"deepstack_visual_indexes\":[5,11,17]}}"},
    {"qwen3-vl-30b-a3b", "Qwen/Qwen3-VL-30B-A3B-Instruct",
     "{\"model_type\":\"qwen3_vl_moe\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\""
     ":2048,\"intermediate_size\":6144,\"max_position_embeddings\":262144,\"moe_intermediate_s"
     "ize\":768,\"num_attention_heads\":32,\"num_experts\":128,\"num_experts_per_tok\":8,\"num"
     "_hidden_layers\":48,\"num_key_value_heads\":4,\"rope_scaling\":{\"mrope_section\":[24,20"
     ",20]},\"vocab_size\":151936},\"vision_config\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3-vl-30b-a3b-thinking", "Qwen/Qwen3-VL-30B-A3B-Thinking",
     "{\"model_type\":\"qwen3_vl_moe\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\""
     ":2048,\"intermediate_size\":6144,\"max_position_embeddings\":262144,\"moe_intermediate_s"
     "ize\":768,\"num_attention_heads\":32,\"num_experts\":128,\"num_experts_per_tok\":8,\"num"
     "_hidden_layers\":48,\"num_key_value_heads\":4,\"rope_scaling\":{\"mrope_section\":[24,20"
     ",20]},\"vocab_size\":151936},\"vision_config\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3-vl-32b", "Qwen/Qwen3-VL-32B-Instruct",
     "{\"model_type\":\"qwen3_vl\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":512"
     "0,\"intermediate_size\":25600,\"max_position_embeddings\":262144,\"num_attention_heads\""
     ":64,\"num_hidden_layers\":64,\"num_key_value_heads\":8,\"vocab_size\":151936},\"vision_c"
     "onfig\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3-vl-32b-thinking", "Qwen/Qwen3-VL-32B-Thinking",
     "{\"model_type\":\"qwen3_vl\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":512"
     "0,\"intermediate_size\":25600,\"max_position_embeddings\":262144,\"num_attention_heads\""
     ":64,\"num_hidden_layers\":64,\"num_key_value_heads\":8,\"vocab_size\":151936},\"vision_c"
     "onfig\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3-vl-4b", "Qwen/Qwen3-VL-4B-Instruct",
     "{\"model_type\":\"qwen3_vl\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":256"
     "0,\"intermediate_size\":9728,\"max_position_embeddings\":262144,\"num_attention_heads\":"
     "32,\"num_hidden_layers\":36,\"num_key_value_heads\":8,\"vocab_size\":151936},\"tie_word_"
     "embeddings\":true,\"vision_config\":{\"deepstack_visual_indexes\":[5,11,17]}}"},
    {"qwen3-vl-8b", "Qwen/Qwen3-VL-8B-Instruct",
     "{\"model_type\":\"qwen3_vl\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":409"
     "6,\"intermediate_size\":12288,\"max_position_embeddings\":262144,\"num_attention_heads\""
     ":32,\"num_hidden_layers\":36,\"num_key_value_heads\":8,\"vocab_size\":151936},\"vision_c"
     "onfig\":{\"deepstack_visual_indexes\":[8,16,24]}}"},
    {"qwen3.5-122b-a10b", "Qwen/Qwen3.5-122B-A10B",
     "{\"model_type\":\"qwen3_5_moe\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":"
     "3072,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear_num_key_heads\":1"
     "6,\"linear_num_value_heads\":64,\"linear_value_head_dim\":128,\"max_position_embeddings"
     "\":262144,\"moe_intermediate_size\":1024,\"mtp_num_hidden_layers\":1,\"num_attention_hea"
     "ds\":32,\"num_experts\":256,\"num_experts_per_tok\":8,\"num_hidden_layers\":48,\"num_key"
     "_value_heads\":2,\"shared_expert_intermediate_size\":1024,\"vocab_size\":248320,\"rope_p"
     "arameters\":{\"mrope_section\":[11,11,10],\"rope_theta\":10000000}}}"},
    {"qwen3.5-27b", "Qwen/Qwen3.5-27B",
     "{\"model_type\":\"qwen3_5\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":5120"
     ",\"intermediate_size\":17408,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\""
     "linear_num_key_heads\":16,\"linear_num_value_heads\":48,\"linear_value_head_dim\":128,\""
     "max_position_embeddings\":262144,\"mtp_num_hidden_layers\":1,\"num_attention_heads\":24,"
     "\"num_hidden_layers\":64,\"num_key_value_heads\":4,\"vocab_size\":248320,\"rope_paramete"
     "rs\":{\"mrope_section\":[11,11,10],\"rope_theta\":10000000}}}"},
    {"qwen3.5-35b-a3b", "Qwen/Qwen3.5-35B-A3B",
     "{\"model_type\":\"qwen3_5_moe\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":"
     "2048,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear_num_key_heads\":1"
     "6,\"linear_num_value_heads\":32,\"linear_value_head_dim\":128,\"max_position_embeddings"
     "\":262144,\"moe_intermediate_size\":512,\"mtp_num_hidden_layers\":1,\"num_attention_head"
     "s\":16,\"num_experts\":256,\"num_experts_per_tok\":8,\"num_hidden_layers\":40,\"num_key_"
     "value_heads\":2,\"shared_expert_intermediate_size\":512,\"vocab_size\":248320,\"rope_par"
     "ameters\":{\"mrope_section\":[11,11,10],\"rope_theta\":10000000}}}"},
    {"qwen3.5-397b-a17b", "Qwen/Qwen3.5-397B-A17B",
     "{\"model_type\":\"qwen3_5_moe\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":"
     "4096,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear_num_key_heads\":1"
     "6,\"linear_num_value_heads\":64,\"linear_value_head_dim\":128,\"max_position_embeddings"
     "\":262144,\"moe_intermediate_size\":1024,\"mtp_num_hidden_layers\":1,\"num_attention_hea"
     "ds\":32,\"num_experts\":512,\"num_experts_per_tok\":10,\"num_hidden_layers\":60,\"num_ke"
     "y_value_heads\":2,\"shared_expert_intermediate_size\":1024,\"vocab_size\":248320,\"rope_"
     "parameters\":{\"mrope_section\":[11,11,10],\"rope_theta\":10000000}}}"},
    {"qwen3.5-9b", "Qwen/Qwen3.5-9B",
     "{\"model_type\":\"qwen3_5\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":4096"
     ",\"intermediate_size\":12288,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\""
     "linear_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_value_head_dim\":128,\""
     "max_position_embeddings\":262144,\"mtp_num_hidden_layers\":1,\"num_attention_heads\":16,"
     "\"num_hidden_layers\":32,\"num_key_value_heads\":4,\"vocab_size\":248320,\"rope_paramete"
     "rs\":{\"mrope_section\":[11,11,10],\"rope_theta\":10000000}}}"},
    {"qwen3.6-27b", "Qwen/Qwen3.6-27B",
     "{\"model_type\":\"qwen3_5\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":5120"
     ",\"intermediate_size\":17408,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\""
     "linear_num_key_heads\":16,\"linear_num_value_heads\":48,\"linear_value_head_dim\":128,\""
     "max_position_embeddings\":262144,\"mtp_num_hidden_layers\":1,\"num_attention_heads\":24,"
     "\"num_hidden_layers\":64,\"num_key_value_heads\":4,\"rope_parameters\":{\"mrope_section"
     "\":[11,11,10],\"rope_theta\":10000000},\"vocab_size\":248320}}"},
    {"qwen3.6-35b-a3b", "Qwen/Qwen3.6-35B-A3B",
     "{\"model_type\":\"qwen3_5_moe\",\"text_config\":{\"dtype\":\"bfloat16\",\"hidden_size\":"
     "2048,\"linear_conv_kernel_dim\":4,\"linear_key_head_dim\":128,\"linear_num_key_heads\":1"
     "6,\"linear_num_value_heads\":32,\"linear_value_head_dim\":128,\"max_position_embeddings"
     "\":262144,\"moe_intermediate_size\":512,\"mtp_num_hidden_layers\":1,\"num_attention_head"
     "s\":16,\"num_experts\":256,\"num_experts_per_tok\":8,\"num_hidden_layers\":40,\"num_key_"
     "value_heads\":2,\"rope_parameters\":{\"mrope_section\":[11,11,10],\"rope_theta\":1000000"
     "0},\"shared_expert_intermediate_size\":512,\"vocab_size\":248320}}"},
    {"seed-oss-36b", "ByteDance-Seed/Seed-OSS-36B-Instruct",
     "{\"model_type\":\"seed_oss\",\"hidden_size\":5120,\"num_hidden_layers\":64,\"num_attenti"
     "on_heads\":80,\"num_key_value_heads\":8,\"intermediate_size\":27648,\"vocab_size\":15513"
     "6,\"max_position_embeddings\":524288,\"rope_theta\":10000000.0,\"torch_dtype\":\"bfloat1"
     "6\"}"},
    {"smollm-1.7b", "HuggingFaceTB/SmolLM-1.7B",
     "{\"hidden_size\":2048,\"intermediate_size\":8192,\"max_position_embeddings\":2048,\"mode"
     "l_type\":\"llama\",\"num_attention_heads\":32,\"num_hidden_layers\":24,\"rms_norm_eps\":"
     "1e-05,\"tie_word_embeddings\":true,\"vocab_size\":49152}"},
    {"smollm2-360m", "HuggingFaceTB/SmolLM2-360M-Instruct",
     "{\"hidden_size\":960,\"intermediate_size\":2560,\"max_position_embeddings\":8192,\"model"
     "_type\":\"llama\",\"num_attention_heads\":15,\"num_hidden_layers\":32,\"num_key_value_he"
     "ads\":5,\"rms_norm_eps\":1e-05,\"rope_theta\":100000,\"tie_word_embeddings\":true,\"torc"
     "h_dtype\":\"bfloat16\",\"vocab_size\":49152}"},
    {"smollm3-3b", "HuggingFaceTB/SmolLM3-3B",
     "{\"model_type\":\"smollm3\",\"hidden_size\":2048,\"num_hidden_layers\":36,\"num_attentio"
     "n_heads\":16,\"num_key_value_heads\":4,\"intermediate_size\":11008,\"vocab_size\":128256"
     ",\"max_position_embeddings\":65536,\"rope_theta\":5000000.0}"},
    {"smolvlm", "HuggingFaceTB/SmolVLM-Instruct",
     "{\"text_config\":{\"architectures\":[\"VLlama3ForCausalLM\"],\"hidden_size\":2048,\"inte"
     "rmediate_size\":8192,\"max_position_embeddings\":16384,\"num_attention_heads\":32,\"num_"
     "hidden_layers\":24,\"rms_norm_eps\":1e-05,\"rope_theta\":273768.0},\"torch_dtype\":\"bfl"
     "oat16\",\"vocab_size\":49155}"},
    {"smolvlm-256m", "HuggingFaceTB/SmolVLM-256M-Instruct",
     "{\"text_config\":{\"architectures\":[\"VLlama3ForCausalLM\"],\"hidden_size\":576,\"inter"
     "mediate_size\":1536,\"max_position_embeddings\":8192,\"num_attention_heads\":9,\"num_hid"
     "den_layers\":30,\"num_key_value_heads\":3,\"rms_norm_eps\":1e-05,\"rope_theta\":100000},"
     "\"torch_dtype\":\"bfloat16\",\"vocab_size\":49280}"},
    {"smolvlm-500m", "HuggingFaceTB/SmolVLM-500M-Instruct",
     "{\"text_config\":{\"architectures\":[\"VLlama3ForCausalLM\"],\"hidden_size\":960,\"inter"
     "mediate_size\":2560,\"max_position_embeddings\":8192,\"num_attention_heads\":15,\"num_hi"
     "dden_layers\":32,\"num_key_value_heads\":5,\"rms_norm_eps\":1e-05,\"rope_theta\":100000}"
     ",\"torch_dtype\":\"bfloat16\",\"vocab_size\":49280}"},
    {"smolvlm2-256m-video", "HuggingFaceTB/SmolVLM2-256M-Video-Instruct",
     "{\"text_config\":{\"architectures\":[\"VLlama3ForCausalLM\"],\"hidden_size\":576,\"inter"
     "mediate_size\":1536,\"max_position_embeddings\":8192,\"num_attention_heads\":9,\"num_hid"
     "den_layers\":30,\"num_key_value_heads\":3,\"rms_norm_eps\":1e-05,\"rope_theta\":100000,"
     "\"torch_dtype\":\"bfloat16\"},\"vocab_size\":49280}"},
    {"smolvlm2-500m-video", "HuggingFaceTB/SmolVLM2-500M-Video-Instruct",
     "{\"text_config\":{\"architectures\":[\"VLlama3ForCausalLM\"],\"hidden_size\":960,\"inter"
     "mediate_size\":2560,\"max_position_embeddings\":8192,\"num_attention_heads\":15,\"num_hi"
     "dden_layers\":32,\"num_key_value_heads\":5,\"rms_norm_eps\":1e-05,\"rope_theta\":100000,"
     "\"torch_dtype\":\"bfloat16\"},\"vocab_size\":49280}"},
    {"snowflake-arctic-embed-m", "Snowflake/snowflake-arctic-embed-m",
     "{\"hidden_size\":768,\"intermediate_size\":3072,\"model_type\":\"bert\",\"num_attention_"
     "heads\":12,\"num_hidden_layers\":12,\"vocab_size\":30522}"},
    {"solar-open-100b", "upstage/Solar-Open-100B",
     "{\"architectures\":[\"SolarOpenForCausalLM\"],\"partial_rotary_factor\":1.0,\"hidden_siz"
     "e\":4096,\"num_hidden_layers\":48,\"num_attention_heads\":64,\"num_key_value_heads\":8,"
     "\"vocab_size\":196608,\"intermediate_size\":10240,\"moe_intermediate_size\":1280,\"rope_"
     "theta\":1000000,\"max_position_embeddings\":131072,\"n_routed_experts\":128,\"n_shared_e"
     "xperts\":1,\"norm_topk_prob\":true,\"routed_scaling_factor\":1.0,\"num_experts_per_tok\""
     ":8,\"torch_dtype\":\"bfloat16\",\"first_k_dense_replace\":0,\"rope_scaling\":{\"type\":"
     "\"yarn\",\"factor\":2.0,\"original_max_position_embeddings\":65536}}"},
    {"sqlcoder-15b", "defog/sqlcoder",
     "{\"model_type\":\"gpt_bigcode\",\"n_embd\":6144,\"n_head\":48,\"n_layer\":40,\"n_positio"
     "ns\":8192,\"torch_dtype\":\"bfloat16\",\"vocab_size\":49152}"},
    {"stablelm-3b-4e1t", "stabilityai/stablelm-3b-4e1t",
     "{\"hidden_size\":2560,\"intermediate_size\":6912,\"max_position_embeddings\":4096,\"mode"
     "l_type\":\"stablelm\",\"num_attention_heads\":32,\"num_hidden_layers\":32,\"torch_dtype"
     "\":\"bfloat16\",\"vocab_size\":50304}"},
    {"starcoder2-15b", "bigcode/starcoder2-15b",
     "{\"hidden_size\":6144,\"intermediate_size\":24576,\"max_position_embeddings\":16384,\"mo"
     "del_type\":\"starcoder2\",\"norm_epsilon\":1e-05,\"num_attention_heads\":48,\"num_hidden"
     "_layers\":40,\"num_key_value_heads\":4,\"rope_theta\":100000,\"tie_word_embeddings\":fal"
     "se,\"vocab_size\":49152}"},
    {"starcoder2-15b-instruct-v0.1", "bigcode/starcoder2-15b-instruct-v0.1",
     "{\"hidden_size\":6144,\"intermediate_size\":24576,\"max_position_embeddings\":16384,\"mo"
     "del_type\":\"starcoder2\",\"norm_epsilon\":1e-05,\"num_attention_heads\":48,\"num_hidden"
     "_layers\":40,\"num_key_value_heads\":4,\"rope_theta\":100000,\"tie_word_embeddings\":fal"
     "se,\"torch_dtype\":\"bfloat16\",\"vocab_size\":49152}"},
    {"starcoder2-3b", "bigcode/starcoder2-3b",
     "{\"hidden_size\":3072,\"intermediate_size\":12288,\"max_position_embeddings\":16384,\"mo"
     "del_type\":\"starcoder2\",\"norm_epsilon\":1e-05,\"num_attention_heads\":24,\"num_hidden"
     "_layers\":30,\"num_key_value_heads\":2,\"rope_theta\":999999.4420358813,\"vocab_size\":4"
     "9152}"},
    {"starcoder2-7b", "bigcode/starcoder2-7b",
     "{\"hidden_size\":4608,\"intermediate_size\":18432,\"max_position_embeddings\":16384,\"mo"
     "del_type\":\"starcoder2\",\"norm_epsilon\":1e-05,\"num_attention_heads\":36,\"num_hidden"
     "_layers\":32,\"num_key_value_heads\":4,\"rope_theta\":1000000,\"torch_dtype\":\"bfloat16"
     "\",\"vocab_size\":49152}"},
    {"tinyllama-1.1b-chat-v1.0", "TinyLlama/TinyLlama-1.1B-Chat-v1.0",
     "{\"model_type\":\"llama\",\"hidden_size\":2048,\"intermediate_size\":5632,\"num_hidden_l"
     "ayers\":22,\"num_attention_heads\":32,\"num_key_value_heads\":4,\"vocab_size\":32000,\"m"
     "ax_position_embeddings\":2048}"},
    {"trinity-large-preview", "arcee-ai/Trinity-Large-Preview",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":3072,\"intermediate_size\":12288,\"max_position_"
     "embeddings\":262144,\"model_type\":\"afmoe\",\"moe_intermediate_size\":3072,\"n_group\":"
     "1,\"num_attention_heads\":48,\"num_dense_layers\":6,\"num_experts\":256,\"num_experts_pe"
     "r_tok\":4,\"num_hidden_layers\":60,\"num_key_value_heads\":8,\"num_shared_experts\":1,\""
     "route_norm\":true,\"route_scale\":2.448,\"score_func\":\"sigmoid\",\"sliding_window\":40"
     "96,\"topk_group\":1,\"vocab_size\":200192}"},
    {"trinity-mini", "arcee-ai/Trinity-Mini",
     "{\"dtype\":\"bfloat16\",\"hidden_size\":2048,\"intermediate_size\":6144,\"max_position_e"
     "mbeddings\":131072,\"model_type\":\"afmoe\",\"moe_intermediate_size\":1024,\"n_group\":1"
     ",\"num_attention_heads\":32,\"num_dense_layers\":2,\"num_experts\":128,\"num_experts_per"
     "_tok\":8,\"num_hidden_layers\":32,\"num_key_value_heads\":4,\"num_shared_experts\":1,\"r"
     "oute_norm\":true,\"route_scale\":2.826,\"score_func\":\"sigmoid\",\"sliding_window\":204"
     "8,\"topk_group\":1,\"vocab_size\":200192}"},
    {"xlm-roberta-large", "FacebookAI/xlm-roberta-large",
     "{\"hidden_size\":1024,\"intermediate_size\":4096,\"layer_norm_eps\":1e-05,\"max_position"
     "_embeddings\":514,\"model_type\":\"xlm-roberta\",\"num_attention_heads\":16,\"num_hidden"
     "_layers\":24,\"vocab_size\":250002}"},
    {"yi-34b", "01-ai/Yi-34B",
     "{\"hidden_size\":7168,\"intermediate_size\":20480,\"max_position_embeddings\":4096,\"mod"
     "el_type\":\"llama\",\"num_attention_heads\":56,\"num_hidden_layers\":60,\"num_key_value_"
     "heads\":8,\"rms_norm_eps\":1e-05,\"rope_theta\":5000000.0,\"torch_dtype\":\"bfloat16\","
     "\"vocab_size\":64000}"},
};

const size_t ul_n_catalogue = sizeof ul_catalogue / sizeof ul_catalogue[0];
