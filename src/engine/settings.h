/* llama-server's settings as the user left them: what was given, and what stays open. Filled by the
 * flag table (engine/flags.c), resolved by engine/context.c. */
#ifndef UL_ENGINE_SETTINGS_H
#define UL_ENGINE_SETTINGS_H

#include "base/error.h"
#include "engine/notes.h"
#include "model/keys.h"
#include "source/types.h"

#include <stdbool.h>

#define UL_MAX_DEVICES 16 /* GGML_SCHED_MAX_BACKENDS */

enum ul_auto { UL_AUTO = -1, UL_OFF = 0, UL_ON = 1 };
enum ul_split_mode { UL_SPLIT_NONE, UL_SPLIT_LAYER, UL_SPLIT_ROW, UL_SPLIT_TENSOR };
enum ul_load_mode {
    UL_LOAD_AUTO, UL_LOAD_NONE, UL_LOAD_MMAP, UL_LOAD_MLOCK, UL_LOAD_MMAP_MLOCK, UL_LOAD_DIO
};

#define UL_FIT_TARGET_MIB 1024 /* what --fit leaves free on a device when -fitt is missing */

#define UL_NGL_AUTO (-1)
#define UL_NGL_ALL (-2)

/* One -ot entry: the first pattern that matches a tensor's name decides its buffer type. -cmoe,
 * -ncmoe and -ncffn become such entries, in the engine's order. */
struct ul_override {
    const char *pattern; /* an ECMAScript regular expression, searched for anywhere in the name */
    const char *buft;    /* "CPU", "CUDA0" ... */
};

/* The kinds of speculative decoding, as --spec-type names them (common/common.h:
 * common_speculative_type). Those before UL_SPEC_NGRAM_SIMPLE draft with a context of their own. */
enum ul_spec_type {
    UL_SPEC_DRAFT_SIMPLE, UL_SPEC_DRAFT_EAGLE3, UL_SPEC_DRAFT_MTP, UL_SPEC_DRAFT_DFLASH,
    UL_SPEC_DRAFT_DSPARK, UL_SPEC_NGRAM_SIMPLE, UL_SPEC_NGRAM_MAP_K, UL_SPEC_NGRAM_MAP_K4V,
    UL_SPEC_NGRAM_MOD, UL_SPEC_NGRAM_CACHE, UL_SPEC_COUNT
};
#define UL_SPEC_BIT(type) (1u << (type))

/* What the --spec flags say. */
struct ul_spec {
    unsigned types;              /* UL_SPEC_BIT together */
    bool given;                  /* --spec-type was given, "none" too: nothing is inferred */
    int n_max;                   /* of the kinds that draft with a context */
    int mod_n_max, simple_size_m, map_k_size_m, map_k4v_size_m;
    int n_ubatch;                /* of the draft's context; 0: as -ub */
    bool no_backend_sampling;
};

struct ul_gguf;
struct ul_model;
struct ul_plan;

/* What a draft's context is towards the model's (engine/companions.c). */
struct ul_draft_role {
    const struct ul_plan *target;
    bool head;       /* the draft head's context: LLAMA_CONTEXT_TYPE_MTP */
    bool hidden;     /* rows of hidden states are kept */
    uint32_t top_k;  /* sampled on the device; 0: it is not */
    uint32_t rows;   /* of logits for each sequence */
};

/* A file that is loaded beside the model, and its header once somebody opened it. */
struct ul_companion {
    int kind;                    /* enum ullage_companion_kind */
    const char *name, *flag;
    const struct ul_gguf *file;  /* NULL: not opened */
    const struct ul_model *model; /* of a draft model */
    void *handle;                /* what was opened, and how it is closed */
    void (*close)(void *handle);
};

/* A flag that moves memory and is not modelled: the rows it touches become unknown. */
struct ul_unmodelled {
    const char *flag;
    const char *why;
};

struct ul_settings {
    struct ul_arena arena;
    const char *model;           /* -m */
    bool ctx_given;              /* -c was given (0 means the training context, as when missing) */
    uint32_t n_ctx;
    int n_parallel;              /* -1: auto, 4 slots and a unified cache */
    enum ul_auto kv_unified;
    uint32_t n_batch, n_ubatch;
    enum ul_type type_k, type_v;
    enum ul_auto flash_attn;
    bool ngl_given;
    int n_gpu_layers;            /* UL_NGL_AUTO, UL_NGL_ALL or a count */
    struct ul_override *overrides;
    size_t n_overrides;
    const char **devices;        /* -dev */
    size_t n_devices;
    bool no_devices;             /* -dev none */
    enum ul_split_mode split_mode;
    float tensor_split[UL_MAX_DEVICES];
    size_t n_tensor_split;
    int main_gpu;
    bool no_kv_offload, swa_full, no_host, no_repack, no_op_offload;
    enum ul_load_mode load_mode;
    enum ul_auto lazy_mode;      /* -lzm */
    uint64_t moe_cache_bytes;    /* --moe-cache-mib */
    int64_t cache_ram_mib;       /* --cache-ram: -1 no limit, 0 off */
    bool cache_ram_given;
    uint32_t ctx_checkpoints;
    bool embedding, backend_sampling;
    int pooling;                 /* -1: the model's */
    int outputs;                 /* ULLAGE_OUTPUTS_*, or a count */
    uint32_t depth;              /* for speeds: tokens in the cache */
    bool depth_given;
    uint64_t assume_compute;     /* bytes a device; UL_SIZE_OVERFLOW: not given */
    const char *remote_model;    /* -hf, -dr, -mu or a preset: a model that is not a file here */
    bool hf_repo;                /* it was -hf */
    bool no_mmproj;              /* --no-mmproj: -hf does not load the repository's projector */
    uint32_t ctx_per_slot;       /* --kv-unified-per-slot; 0: not given. Without -c, n_ctx is this
                                  * times the slots */
    uint32_t checkpoint_step;    /* -cms: tokens between two context checkpoints */
    int rope_scaling;            /* -1: the model's; 0 none, 1 linear, 2 yarn */
    float rope_freq_base, rope_freq_scale; /* 0: the model's */
    uint32_t yarn_orig_ctx;      /* 0: the model's */
    float yarn_ext_factor, yarn_attn_factor, yarn_beta_slow, yarn_beta_fast; /* -1: the model's */
    struct ul_kv_override *kv_overrides;
    size_t n_kv_overrides;
    bool fit;                    /* --fit (on) */
    uint64_t fit_target_mib[UL_MAX_DEVICES];
    uint32_t fit_ctx;            /* the shortest context that --fit may choose */
    struct ul_settings *draft;   /* what the flags for the draft model say; NULL: nothing */
    struct ul_spec spec;
    const struct ul_draft_role *draft_role; /* NULL: these are not a draft's settings */
    struct ul_companion *companions;
    size_t n_companions;
    bool lora_unapplied;         /* adapters are loaded, and change no graph yet */
    bool no_mmproj_offload;
    const char *mmproj_device;   /* -mmdev; NULL: the first GPU */
    int image_min_tokens, image_max_tokens; /* 0: the projector's own */
    bool no_warmup;              /* graphs that a warm-up would reserve are not */
    int control_first, control_last; /* --control-vector-layer-range; -1: not given */
    struct ul_unmodelled *unmodelled;
    size_t n_unmodelled;
    struct ul_notes notes;       /* what the engine reads otherwise, warns about or refuses */
    bool no_alloc;               /* as --fit measures: nothing is allocated, so nothing fails */
    uint64_t given[8]; /* by index in the flag table: set by the caller or the environment */
    const char **env_seen;       /* flags that the environment set, by their first spelling */
    size_t n_env_seen;
};

struct ullage_settings {
    struct ul_settings s; /* first: a ul_settings pointer is a ullage_settings pointer */
};

/* The settings of the draft model, made when first asked for. */
struct ul_settings *ul_settings_draft(struct ul_settings *s);
/* Adds a file that is loaded beside the model. Of a kind that there is one of, the last counts. */
void ul_settings_companion(struct ul_settings *s, int kind, const char *flag, const char *name);
/* The n-th companion of a kind, or NULL. */
const struct ul_companion *ul_companion_of(const struct ul_settings *s, int kind, size_t n);
/* Adds a flag that moves memory by a rule not modelled; once for each flag. */
void ul_settings_unmodelled(struct ul_settings *s, const char *flag, const char *why);
/* Whether the flag of that spelling was given, by either source. */
bool ul_settings_given(const struct ul_settings *s, const char *flag);
/* Appends an item to an arena array whose length is a power of two when it is full. */
void *ul_settings_grow(struct ul_settings *s, const void *items, size_t n, size_t size);

#endif
