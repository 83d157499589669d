/* The settings that a user left open, and the search for the best of them that fits.
 *
 * A point is one choice of every open setting. A point is judged by the plan of it, the very plan
 * that `ullage plan` prints: nothing here estimates whether it fits. Estimates only say which
 * point to look at next. */
#ifndef UL_FIT_FIT_H
#define UL_FIT_FIT_H

#include "engine/plan.h"

#define UL_FIT_STEP 256 /* tokens a sequence; GGML_PAD(n_ctx, 256), src/llama-context.cpp */

/* ------------------------------------------------------------------ the settings */

enum ul_fit_id {
    UL_FIT_C, UL_FIT_NP, UL_FIT_KVU, UL_FIT_UB, UL_FIT_B, UL_FIT_CTK, UL_FIT_CTV, UL_FIT_FA,
    UL_FIT_SWA_FULL, UL_FIT_NCMOE, UL_FIT_NKVO, UL_FIT_NGL, UL_FIT_TS, UL_FIT_SM, UL_FIT_IDS
};

/* One setting: what it may be, what a step away from the engine's default costs, and when. */
struct ul_fit_setting {
    const char *name;   /* "context"; as --allow and the JSON spell it: the flag without dashes */
    const char *flag;
    const char *fixed_by[5]; /* the flags that settle it when the user gives one of them */
    const char *domain, *cost;
    int order;          /* of sacrifice: 1 is given up first; 0: never given up */
    bool asked;         /* only when --allow names it */
};

extern const struct ul_fit_setting ul_fit_settings[UL_FIT_IDS];

/* ------------------------------------------------------------------ points */

struct ul_fit_point {
    uint32_t context;   /* tokens a sequence (of the whole pool when it is unified) */
    int slots;          /* -np; -1: the engine's own 4 over one pool */
    uint32_t ngl;       /* layers on GPUs, the output layer too */
    uint32_t n_cpu_moe; /* the first layers whose experts stay on the host */
    uint32_t ubatch;
    int type_k, type_v; /* enum ul_type */
    bool kv_on_host;
    uint32_t n_split;   /* 0: no -ts, the engine's own split */
    uint16_t split[UL_MAX_DEVICES]; /* layers of each device */
    uint32_t n_apart;   /* 0: n_cpu_moe counts; else devices, each with experts of its own away: */
    uint16_t share[UL_MAX_DEVICES]; /* of the layers on GPUs, those of each device */
    uint16_t apart[UL_MAX_DEVICES]; /* of these, the first whose experts stay away */
};

/* What the plan of a point says. */
struct ul_fit_view {
    struct ul_fit_point p;
    ullage_error err;       /* code: the engine refuses it */
    bool fits, partial, pipeline; /* pipeline: prompts go through the devices in parallel */
    uint32_t n_gpus;
    int64_t left[UL_MAX_DEVICES], sum_left, least; /* of the GPUs */
    int64_t host_left;      /* INT64_MAX: its budget is not known */
    int64_t spare[UL_MAX_DEVICES]; /* what a device could give to layers: left + layers' bytes */
    uint16_t count[UL_MAX_DEVICES]; /* layers on each GPU */
    double ms, bound_ms;    /* a token, for --want speed: as expected, and at best; 0: unknown */
    double layer_ms[UL_MAX_DEVICES]; /* of it, a layer on each GPU */
    uint64_t *layer;        /* n_layers: bytes that move with a layer */
    uint64_t kv, compute;   /* on all devices and the host */
    struct ul_fit_view *next;
};

/* ------------------------------------------------------------------ the search */

struct ul_fit_cut;

struct ul_fit_options {
    int want;               /* enum ullage_want */
    uint32_t min_context;   /* tokens a sequence; 0: --fit-ctx, and no more than the training's */
    const char *allow;
    bool like_llama;
};

/* One alternative to the defaults that --allow (or --want speed) opens. */
struct ul_fit_variant {
    uint32_t ubatch;
    int type_k, type_v, slots;
    bool kv_on_host;
    int rank;               /* how much it gives up; compared within one goal */
};

struct ul_fit {
    const struct ul_model *m;
    const struct ul_settings *base;
    const struct ul_machine *machine;
    struct ul_arena *a;         /* of the fit */
    struct ul_arena *scratch;   /* of one plan; empty between two */
    struct ul_fit_options o;
    bool fixed[UL_FIT_IDS];     /* the user's */
    bool open_split, moe;
    bool pinned;                /* points are looked at with the split that they have */
    uint32_t n_layers;          /* with the output layer: the most that -ngl counts */
    uint32_t lowest_ngl, highest_ngl, highest_moe;
    bool *has_experts;          /* by layer */
    uint32_t cap, least;        /* tokens a sequence: the longest and the shortest */
    uint32_t depth;             /* tokens in the cache when speeds are compared */
    struct ul_override *overrides; /* the user's, then one for each layer's experts */
    struct ul_fit_variant *variant;
    size_t n_variants;
    struct ul_fit_view *seen;
    uint32_t n_plans;
    char device[UL_MAX_DEVICES][16]; /* names, as the plans call them */
    struct ul_fit_cut *cut;     /* split.c's working space */
    const struct ul_fit_view *last_cut; /* the last that fitted: where the next search begins */

    const struct ul_fit_view *best;  /* the answer, or the nearest to one */
    bool found;
    struct ul_notes reasons;
};

/* Errors: USAGE (a word of --allow), REFUSED, UNKNOWN. No answer is not an error: found is
 * false. */
int ul_fit_search(struct ul_fit *f, ullage_error *err);

/* --allow: the variants, best first (variants.c). */
int ul_fit_variants(struct ul_fit *f, ullage_error *err);

/* The settings of a point. Lists live in the fit's arena. */
struct ul_settings ul_fit_settings_of(struct ul_fit *f, const struct ul_fit_point *p);
/* The plan of exactly this point (point.c); plans are kept. */
const struct ul_fit_view *ul_fit_view(struct ul_fit *f, const struct ul_fit_point *p);
/* The same with the split over devices left open when it is: one that fits, if there is one
 * (split.c). */
const struct ul_fit_view *ul_fit_try(struct ul_fit *f, const struct ul_fit_point *p);
/* The same without -ts, where that fits as well. */
const struct ul_fit_view *ul_fit_plain(struct ul_fit *f, const struct ul_fit_view *v);
/* The same point on the devices where it goes fastest (quick.c); the split is not open: itself. */
const struct ul_fit_view *ul_fit_quicken(struct ul_fit *f, const struct ul_fit_view *v);
/* Whether a goes faster than b: as expected where both are known, else by the bound. */
bool ul_fit_faster(const struct ul_fit_view *a, const struct ul_fit_view *b);
/* Several devices whose split is the user's: which experts leave is chosen device by device
 * (apart.c), and -ot says it. */
bool ul_fit_is_apart(const struct ul_fit *f);
const struct ul_fit_view *ul_fit_place_apart(struct ul_fit *f, const struct ul_fit_point *p);
/* Their overrides; the list lives in the fit's arena. */
struct ul_override *ul_fit_apart_overrides(struct ul_fit *f, const struct ul_fit_point *p,
                                           size_t *n);
/* -ot's value for them. */
const char *ul_fit_apart_pattern(struct ul_fit *f, const struct ul_fit_point *p);
/* The point with one layer's experts less on the host: of the device with most left. False: there
 * is none. */
bool ul_fit_one_back(const struct ul_fit_view *v, struct ul_fit_point *p);
/* The fewest layers off the GPUs for the point's context; NULL when nothing fits. */
const struct ul_fit_view *ul_fit_place(struct ul_fit *f, const struct ul_fit_point *p);
/* The same for more context than an answer has. */
const struct ul_fit_view *ul_fit_place_more(struct ul_fit *f, const struct ul_fit_view *v,
                                            uint32_t context);
/* Layers, and layers' experts, that a point keeps off the GPUs. */
uint32_t ul_fit_layers_off(const struct ul_fit *f, const struct ul_fit_point *p);
uint32_t ul_fit_experts_off(const struct ul_fit *f, const struct ul_fit_point *p);
/* Which constraint bound, and the price of more (reasons.c). */
void ul_fit_explain(struct ul_fit *f);
/* The flags of the answer that are not the user's, as words; by: who chose each setting. */
size_t ul_fit_flags(struct ul_fit *f, const char **words, size_t most);
/* The flag that says a setting in the answer, and its value as the flag spells it. */
const char *ul_fit_flag(const struct ul_fit *f, enum ul_fit_id id);
const char *ul_fit_value(struct ul_fit *f, enum ul_fit_id id);

#endif
