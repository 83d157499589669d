/* What vLLM needs to know of a model, from its config.json: which cache every layer keeps, and the
 * shapes of weights. Only architectures of one table are read; for all others the caches are
 * unknown, with the reason. */
#ifndef UL_ENGINE_VLLM_MODEL_H
#define UL_ENGINE_VLLM_MODEL_H

#include "engine/vllm_pool.h"
#include "source/jsonread.h"

/* How an architecture says which layer keeps what. */
enum ul_vread {
    UL_VR_DENSE,     /* all layers alike; a window when the configuration has one */
    UL_VR_TYPES,     /* layer_types, or a pattern: windows and full attention */
    UL_VR_EVEN,      /* gpt-oss: every other layer has a window */
    UL_VR_GEMMA4,    /* larger heads in full layers, and layers that share a cache */
    UL_VR_LLAMA4,    /* chunks, but for layers without positions */
    UL_VR_LATENT,    /* MLA, with an indexer when the configuration has one */
    UL_VR_V4,        /* DeepSeek-V4 */
    UL_VR_LINEAR,    /* Qwen3-Next and after: gated delta net and full attention */
    UL_VR_KDA,       /* Kimi Linear: KDA and MLA */
    UL_VR_PATTERN,   /* Nemotron-H: a string of letters */
    UL_VR_BLOCKS,    /* layer_types or layers_block_type with "mamba", "conv" and "attention" */
    UL_VR_BOTH,      /* Falcon-H1: attention and a state in every layer */
    UL_VR_STATES,    /* states only */
    UL_VR_LIST       /* MiniMax-Text-01: attn_type_list, 0 linear, 1 full */
};

enum ul_vstate_kind {
    UL_VS_NONE, UL_VS_MAMBA1, UL_VS_MAMBA2, UL_VS_DELTA, UL_VS_KDA, UL_VS_LINEAR, UL_VS_CONV
};

/* Which names a Mamba 2's dimensions go by. */
enum ul_vstate_keys { UL_VK_NEMOTRON, UL_VK_GRANITE, UL_VK_FALCON, UL_VK_MAMBA };

struct ul_vclass {
    const char *name;         /* as "architectures" spells it */
    enum ul_vread read;
    enum ul_vstate_kind state;
    enum ul_vstate_keys keys;
    bool runner2;             /* by default on the second model runner though it has experts */
    bool window_switch;       /* a window counts only with use_sliding_window */
    bool state_all;           /* supports --mamba-cache-mode all */
    bool conv_grows;          /* speculation lengthens the convolution's state */
    bool own_layout;          /* weights not laid out as a common decoder's: headers are needed */
    int pattern;              /* every n-th layer is full when layer_types is missing; 0: none */
    /* What the configuration class fills in where config.json is silent; 0: nothing. */
    uint32_t heads, kv_heads, head_dim, max_len, vocab;
};

const struct ul_vclass *ul_vclass_find(struct ul_str name);
/* The i-th row, or NULL past the last. */
const struct ul_vclass *ul_vclass_at(size_t i);

/* A layer's caches. */
struct ul_vlayer {
    bool attention, state, indexer;
    enum ul_vkind kind;         /* of its attention */
    uint32_t kv_heads, head_k, head_v;
    uint64_t window;
    uint32_t ratio;             /* DeepSeek-V4: tokens an entry; 1: windows only */
};

struct ul_vstates {
    enum ul_vstate_kind kind;
    uint64_t kernel, inner, state, groups, heads, head_dim, k_heads, k_dim;
    const char *ssm_dtype;      /* the configuration's own, or NULL: as the convolution's */
    uint64_t chunk;
};

struct ul_vmodel {
    const struct ul_vclass *class;  /* NULL: not in the table */
    const char *class_name;
    const char *unknown;        /* why the caches are not known; NULL: they are */
    const char *name;           /* for headings: the file's path */
    const struct ul_jvalue *root, *text; /* the document, and its part on the language model */
    uint32_t n_layers, n_drafts; /* drafts: layers of multi-token prediction that it has */
    struct ul_vlayer *layers;   /* n_layers, then what one draft layer keeps */
    uint64_t hidden, heads, kv_heads, head_dim, vocab, inter, n_experts, expert_inter, n_shared;
    uint64_t latent, rope, nope, v_dim, index_dim, window;
    uint64_t max_len;           /* the longest sequence that the configuration allows */
    uint32_t element;           /* bytes of the model's own type: 2 */
    bool tied;
    struct ul_vstates states;
    const char *quant;          /* quant_method, or NULL */
    const struct ul_jvalue *quant_config;
    const char *cache_dtype;    /* what `auto` is for its KV cache: "auto", "fp8", "nvfp4" */
};

/* Reads config.json's text. INPUT when it is not JSON or lacks what every model has; what is merely
 * not known leaves `unknown` set. Everything lives in the arena; the text must live as long. */
int ul_vmodel_read(struct ul_vmodel *m, const char *name, const char *text, size_t n,
                   struct ul_arena *a, ullage_error *err);

bool ul_vmodel_has_state(const struct ul_vmodel *m);

/* The state's dimensions, read by ul_vmodel_read before the layers. */
void ul_vstates_read(struct ul_vmodel *m, struct ul_arena *a);

/* Bytes of a layer's state on one of `tp` ranks; conv_bytes and ssm_bytes are element sizes. 0:
 * the ranks do not divide it. */
uint64_t ul_vstates_bytes(const struct ul_vstates *s, uint64_t tp, uint64_t draft_tokens,
                          uint32_t conv_bytes, uint32_t ssm_bytes);

/* Bytes that one token takes in one layer: heads x (K + V) in a KV cache type; head_v 0: no values.
 * 0: no rule for that type. `element` is the model's own type's size. */
uint64_t ul_vdtype_token(const char *dtype, uint64_t kv_heads, uint64_t head_k, uint64_t head_v,
                         uint32_t element);
bool ul_vdtype_known(const char *dtype);

#endif
