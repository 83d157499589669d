/* What the dense layer program (arch/prog_dense.c) can vary in, as data in an architecture's row.
 * Zero is llama's way. What the file says by having a tensor or not (biases, norms of queries and
 * keys, post norms, experts, shared experts, sinks, positions, fused matrices) is not here. */
#ifndef UL_ARCH_OPTIONS_H
#define UL_ARCH_OPTIONS_H

#include "model/model.h"

/* enum llm_ffn_op_type */
enum ul_ffn_op {
    UL_FFN_SILU, UL_FFN_GELU, UL_FFN_RELU, UL_FFN_RELU_SQR, UL_FFN_SWIGLU, UL_FFN_GEGLU,
    UL_FFN_REGLU, UL_FFN_SWIGLU_OAI, UL_FFN_SITU, UL_FFN_GEGLU_ERF, UL_FFN_XIELU
};

/* Which layers rotate queries and keys. */
enum ul_rotate {
    UL_ROTATE_ALL,
    UL_ROTATE_NONE,
    UL_ROTATE_SWA,           /* those with a window (cohere2, exaone-moe) */
    UL_ROTATE_SWA_IF_ANY,    /* the same, but all when no layer has a window (exaone4) */
    UL_ROTATE_STEP,          /* not each n_no_rope_layer_step-th (smollm3) */
    UL_ROTATE_STEP_IF_SET,   /* the same, but none when there is no step (llama4, afmoe) */
    UL_ROTATE_STEP_FIRST,    /* the first of each step does not (smallthinker) */
    UL_ROTATE_LAYER,         /* has_rope (granite) */
    UL_ROTATE_SWA_OR_LEAD,   /* those with a window, and the leading dense ones (cohere2moe) */
    UL_ROTATE_32_LAYERS      /* the model with 32 layers does (baichuan's 7B) */
};

/* Where the norms of queries and keys stand. */
enum ul_qk_norm {
    UL_QK_BEFORE_ROPE,       /* by head */
    UL_QK_AFTER_ROPE,
    UL_QK_RESHAPED,          /* over all heads at once, heads put together again for it (mpt) */
    UL_QK_FLAT               /* over all heads at once, before they are told apart (olmo2) */
};

/* How attention and feed-forward meet the residual stream x; n is the attention's norm of x. */
enum ul_residual {
    UL_RESIDUAL_SEQUENTIAL, /* h = attn + x; ffn(norm(h)) + h */
    UL_RESIDUAL_REVERSED,   /* h = x + attn; ffn(norm(h)) + h (openelm) */
    UL_RESIDUAL_SWAPPED,    /* h = attn + x; h + ffn(norm(h)) (phi3) */
    UL_RESIDUAL_FFN_ATTN_X, /* (ffn(n) + attn) + x (falcon, plamo) */
    UL_RESIDUAL_ATTN_FFN_X, /* (attn + ffn(n)) + x (phi2) */
    UL_RESIDUAL_FFN_X_ATTN, /* (ffn(n) + x) + attn (command-r, cohere2) */
    UL_RESIDUAL_PAR_RES, /* (ffn(norm(x)) + x) + attn when use_par_res says so, else sequential */
    UL_RESIDUAL_EXPERTS_OF_X /* h = attn + x; f = ffn(norm(h)) + h; experts(norm_exps(x)) + f
                                (arctic) */
};

/* Whether the experts' weights are normalised (norm_w of build_moe_ffn). */
enum ul_moe_norm { UL_MOE_NORM, UL_MOE_NO_NORM, UL_MOE_NORM_MODEL };

/* A factor of the queries by position (build_inp_attn_scale). */
enum ul_attn_temp { UL_TEMP_NONE, UL_TEMP_NO_ROPE_LAYERS, UL_TEMP_IF_SET };

/* A gate over the attention's result, before the output matrix. */
enum ul_attn_gate { UL_GATE_NONE, UL_GATE_SIGMOID, UL_GATE_SOFTPLUS, UL_GATE_SOFTPLUS_SCALED };

struct ul_dense {
    enum ul_rotate rotate;
    enum ul_qk_norm qk_norm;
    enum ul_residual residual;
    enum ul_ffn_op ffn_op;
    enum ul_ffn_op moe_op;
    enum ul_gating gating;        /* NONE: the model's key; most rows say UL_GATING_SOFTMAX */
    enum ul_moe_norm moe_norm;
    enum ul_attn_temp attn_temp;
    enum ul_attn_gate attn_gate;
    enum ul_role ffn_norm;        /* the feed-forward's norm when it is not FFN_NORM */
    enum ul_role post_norm;       /* the norm behind attention when it is not ATTN_POST_NORM */
    enum ul_role ffn_post_norm;   /* the norm behind feed-forward when it is not FFN_POST_NORM */
    bool no_pre_norms; /* neither attention nor feed-forward has a norm before it (olmo2) */
    uint8_t head_rows; /* of its draft head: enum ul_head_rows (arch/draft_head.h) */
    bool scale_embd;              /* embeddings are scaled on the way in (gemma) */
    bool scale_rows; /* ... each row by a factor of its own (gemma3: tokens, not images) */
    bool norm_embd;               /* ... or normed without weights (talkie, muse-glimmer) */
    bool scale_q;     /* queries are scaled before attention, not inside it (gemma, phi) */
    bool k_norm_bare; /* keys are normed though the file has no weight for it (talkie) */
    bool no_rope_factors;         /* the file's rope factors are not used (llada) */
    bool no_swa_factors;          /* ... by layers with a window (step35) */
    bool no_qkv_scale;            /* the .scale of queries, keys and values is not used (plamo3) */
    bool no_qkv_bias;             /* nor their biases (mimo2) */
    bool no_wo_bias,
        no_ffn_bias; /* the file may have these biases, but they are not used (refact) */
    bool no_output_bias;          /* the same for the last matrix (qwen2vl) */
    bool no_experts;              /* a router is not looked at (refact) */
    bool qkv_heads;               /* the fused matrix is cut by heads, not by rows (openelm) */
    bool down_scale; /* ffn_down's .scale is used though the others' are not (talkie) */
    bool ffn_scales, moe_scales, shexp_scales; /* .scale tensors of these are used */
    bool halve_shared;            /* experts with shared ones are scaled (cohere2moe) */
    bool group_norm;              /* the layers' norms are over n_norm_groups groups (k2-horizon) */
    bool clamp_before;            /* limits stand before the experts' activation (maple) */
    bool keeps_rows;              /* the last layer drops no rows (cogvlm) */
    bool probs_of_x;              /* the router sees x, before any norm (smallthinker) */
    bool weight_before_ffn;       /* llama4's experts */
    bool chunk_experts;           /* grovemoe: experts of chunks beside the experts */
    bool scale_sum;               /* ffn and experts are added and scaled (grok) */
    bool scale_tanh;              /* grok's squashed attention logits */
    bool post_norm_all_rows; /* the norm behind attention comes before rows are dropped (afmoe) */
    bool post_norms_bare;    /* both post norms are spelled out, so not pinned (muse-glimmer) */
    bool post_norm_unpinned;      /* the norm behind feed-forward is called with il = -1 */
    bool keeps_hidden; /* the last layer's result is an output too (t_h_nextn: gpt-oss) */
    bool soft_cap;                /* final logits: f_final_logit_softcapping, when not 0 */
    bool norm_or_parallel; /* a layer without FFN_NORM feeds the attention's norm forward (stablelm)
                            */
    bool deepstack_before; /* deeper features go into a layer, by deepstack_mapping_arr (granite) */
    bool embeds;           /* no cache is used and no logits are made: the last norm's result is
                              all there is (eurobert) */
    bool skip_embd;               /* the embeddings, scaled, are added in every layer (talkie) */
};

#endif
