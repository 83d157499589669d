/* The flag table's own types. The table itself (flags_table.c) is data; reading a command line or
 * the environment is flags.c; what a flag with rules of its own does to the settings is
 * flags_set.c. The public view of a row is ullage_flag (ullage.h), from which the command makes
 * its help, the man page and the shells' completion. */
#ifndef UL_ENGINE_FLAGS_H
#define UL_ENGINE_FLAGS_H

#include "engine/settings.h"

#define UL_FLAG_NAMES 5
#define UL_FLAG_NEGATIONS 3

/* How the engine reads a flag's value (common/arg.h: common_arg's handlers). */
enum ul_flag_kind {
    UL_FLAG_SWITCH, /* no value; from the environment only when the variable is truthy */
    UL_FLAG_BOOL,   /* no value; has a negation */
    UL_FLAG_INT,    /* std::stoi: the number at the text's start */
    UL_FLAG_FLOAT,  /* std::stof */
    UL_FLAG_TEXT,
    UL_FLAG_CHOICE  /* one word of a list */
};

enum ul_flag_group {
    UL_GROUP_COMMON, UL_GROUP_SAMPLING, UL_GROUP_SPECULATIVE, UL_GROUP_SERVER, UL_GROUP_OLDER
};

enum ul_flag_effect {
    UL_FLAG_IGNORED = 0, /* moves no memory by itself */
    UL_FLAG_ACTS,        /* changes the settings */
    UL_FLAG_UNMODELLED,  /* moves memory by a rule not known here */
    UL_FLAG_OLDER,       /* of older versions: 0.7.0 refuses it; accepted with a note */
    UL_FLAG_STOPS        /* the engine prints something and stops, whatever else is given */
};

struct ul_choice {
    const char *word; /* NULL ends the list */
    int value;
    bool alias;       /* another spelling of a value that is listed already */
};

/* One use of a flag, as its setter sees it. */
struct ul_flag_use {
    struct ul_settings *s;
    const struct ul_flag *flag;
    const char *name;   /* as it was spelled, or the variable's name */
    const char *value;  /* NULL: none */
    const char *value2;
    bool on;            /* false for a negation */
    int number;         /* UL_FLAG_INT */
    ullage_error *err;
};

/* Where a flag that only stores its value stores it. */
enum ul_flag_store { UL_STORE_NONE = 0, UL_STORE, UL_STORE_NOT };

struct ul_flag {
    const char *names[UL_FLAG_NAMES];
    const char *negations[UL_FLAG_NEGATIONS];
    const char *value, *value2; /* the values' names in help; NULL: takes none */
    const char *env;
    const char *help;
    const char *why;    /* UNMODELLED: what is loaded */
    const char *engine; /* what the engine says to it: becomes a note */
    enum ul_flag_kind kind;
    enum ul_flag_group group;
    enum ul_flag_effect effect;
    const struct ul_choice *choices;
    bool appends;       /* given twice, both count */
    bool draft;         /* says to the draft model what the same setter says to the model */
    int companion;      /* enum ullage_companion_kind: its value names such a file */
    enum ul_flag_store store;
    size_t at, size;    /* offset in struct ul_settings, and the member's size */
    int (*set)(struct ul_flag_use *u); /* instead of storing; a code from enum ullage_code */
};

extern const struct ul_flag ul_flags[];
extern const size_t ul_n_flags;

/* The setters of flags_set.c. */
int ul_set_ctx(struct ul_flag_use *u);
int ul_set_batch(struct ul_flag_use *u);
int ul_set_ubatch(struct ul_flag_use *u);
int ul_set_rope_scale(struct ul_flag_use *u);
int ul_set_yarn_orig_ctx(struct ul_flag_use *u);
int ul_set_devices(struct ul_flag_use *u);
int ul_set_override_tensor(struct ul_flag_use *u);
int ul_set_cpu_moe(struct ul_flag_use *u);
int ul_set_n_cpu_moe(struct ul_flag_use *u);
int ul_set_n_cpu_ffn(struct ul_flag_use *u);
int ul_set_moe_cache(struct ul_flag_use *u);
int ul_set_gpu_layers(struct ul_flag_use *u);
int ul_set_tensor_split(struct ul_flag_use *u);
int ul_set_fit_target(struct ul_flag_use *u);
int ul_set_fit_ctx(struct ul_flag_use *u);
int ul_set_override_kv(struct ul_flag_use *u);
int ul_set_model(struct ul_flag_use *u);
int ul_set_remote_model(struct ul_flag_use *u);
int ul_set_hf_repo(struct ul_flag_use *u);
int ul_set_preset(struct ul_flag_use *u);
int ul_set_spec_type(struct ul_flag_use *u);
int ul_set_spec_default(struct ul_flag_use *u);
int ul_set_hf_draft(struct ul_flag_use *u);
int ul_set_companion(struct ul_flag_use *u);
int ul_set_companion_scaled(struct ul_flag_use *u);
int ul_set_companions(struct ul_flag_use *u);
int ul_set_control_range(struct ul_flag_use *u);
int ul_set_mmproj_device(struct ul_flag_use *u);
int ul_set_kv_per_slot(struct ul_flag_use *u);
int ul_set_ctx_checkpoints(struct ul_flag_use *u);
int ul_set_checkpoint_step(struct ul_flag_use *u);
int ul_set_cache_ram(struct ul_flag_use *u);
int ul_set_parallel(struct ul_flag_use *u);
int ul_set_rerank(struct ul_flag_use *u);
int ul_set_mmap(struct ul_flag_use *u);
int ul_set_mlock(struct ul_flag_use *u);
int ul_set_direct_io(struct ul_flag_use *u);

/* ul_fail with the flag's spelling before the text. Returns the code. */
int ul_flag_fail(struct ul_flag_use *u, int code, const char *fmt, ...) UL_PRINTF(3, 4);
/* The number at the start of `text` as std::stoi reads it: false when there is none or it does not
 * fit an int. *end: where it stopped. */
bool ul_flag_stoi(const char *text, int *number, const char **end);

#endif
