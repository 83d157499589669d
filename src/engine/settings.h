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
    bool draft_mtp;              /* --spec-type draft-mtp: the model's draft layers are loaded */
    bool draft_states;           /* a kind of drafting that states are kept for before each token */
    uint32_t draft_n_max;        /* --spec-draft-n-max */
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

/* Adds a flag that moves memory by a rule not modelled; once for each flag. */
void ul_settings_unmodelled(struct ul_settings *s, const char *flag, const char *why);
/* Whether the flag of that spelling was given, by either source. */
bool ul_settings_given(const struct ul_settings *s, const char *flag);
/* Appends an item to an arena array whose length is a power of two when it is full. */
void *ul_settings_grow(struct ul_settings *s, const void *items, size_t n, size_t size);

#endif
