/* Made by tools/catalogue.py. */
#include "model/catalogue.h"

const struct ul_catalogue_row ul_catalogue[] = {
    {"qwen3-8b", "Qwen/Qwen3-8B", "{\"architectures\":[\"Qwen3ForCausalLM\"],\"head_dim\":128,\"hidden_size\":4096,\"intermediate_size\":12288,\"max_position_embeddings\":40960,\"num_attention_heads\":32,\"num_hidden_layers\":36,\"num_key_value_heads\":8,\"rms_norm_eps\":1e-06,\"rope_theta\":1000000,\"tie_word_embeddings\":false,\"vocab_size\":151936}"},
};

const size_t ul_n_catalogue = sizeof ul_catalogue / sizeof ul_catalogue[0];
