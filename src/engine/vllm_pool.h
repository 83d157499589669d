/* vLLM's pool of KV blocks: what each layer keeps, in which groups the layers share block ids, how
 * many bytes a block has, how many blocks a request holds. Exact arithmetic on integers; the one
 * place with floating point is the log's concurrency, as in vLLM. */
#ifndef UL_ENGINE_VLLM_POOL_H
#define UL_ENGINE_VLLM_POOL_H

#include "base/arena.h"
#include "base/size.h"
#include "engine/vllm_era.h"

enum ul_vkind {
    UL_V_FULL,       /* keys and values of every token */
    UL_V_LATENT,     /* one latent a token; also an indexer's keys */
    UL_V_WINDOW,     /* a sliding window */
    UL_V_CHUNK,      /* chunked local attention */
    UL_V_WINDOW_MLA, /* DeepSeek-V4's windows and compressor states */
    UL_V_STATE       /* a state of fixed size */
};

/* One cache of one layer on one rank. */
struct ul_vspec {
    enum ul_vkind kind;
    uint32_t layer;    /* of the model; those of drafts come after the model's own */
    uint32_t shape;    /* layers whose heads differ are not merged though their bytes may agree */
    uint64_t block;    /* tokens a block */
    uint64_t page;     /* bytes a block of this layer, padding included */
    uint64_t window;   /* of WINDOW, CHUNK and WINDOW_MLA, in tokens */
    bool strided;      /* its back-end reads padded pages */
};

enum ul_vstate_mode { UL_V_STATE_NONE, UL_V_STATE_ALIGN, UL_V_STATE_ALL };

/* What blocks a request holds depend on, besides the specs. */
struct ul_vload {
    const struct ul_vera *era;
    uint64_t in_flight;      /* tokens scheduled and not settled */
    uint64_t dcp, pcp;       /* context parallelism, 1: none */
    uint64_t draft_tokens;   /* speculative tokens: extra states a request */
    uint64_t retained;       /* extra tokens that a window keeps */
    enum ul_vstate_mode mode;
};

struct ul_vgroup {
    struct ul_vspec spec;    /* what its layers share */
    uint64_t page;           /* bytes of a block in one layer, or of all layers when they differ */
    uint32_t *members;       /* indices of specs */
    uint32_t n;
    uint32_t tuples;         /* packed pools: most layers with the same page size */
};

enum ul_vlayout {
    UL_V_NO_CACHE, /* no layer keeps anything */
    UL_V_EVEN,     /* pages of one size: the longest group's length x page */
    UL_V_SUM,      /* one group, pages of several sizes */
    UL_V_PACKED    /* several groups of several sizes over one another (DeepSeek-V4) */
};

struct ul_vpool {
    enum ul_vlayout layout;
    struct ul_vspec *specs;  /* after unification */
    uint32_t n_specs;
    struct ul_vgroup *groups;
    uint32_t n_groups;
    bool promoted;           /* windows are kept whole because pages could not be unified */
};

/* The layers that a rank holds: those from `first` to before `end`. */
struct ul_vstage {
    uint32_t first, end;
};

/* Groups layers. The specs are copied. `hybrid` false: one kind of allocation for all layers
 * (--disable-hybrid-kv-cache-manager). Errors: REFUSED, as vLLM refuses. */
int ul_vpool_make(struct ul_vpool *pool, const struct ul_vspec *specs, uint32_t n, bool hybrid,
                  const struct ul_vload *load, struct ul_arena *a, ullage_error *err);

/* Blocks that one request of `length` tokens holds of a spec. */
uint64_t ul_vspec_blocks(const struct ul_vspec *s, const struct ul_vload *load, uint64_t length);

uint64_t ul_vpool_block_bytes(const struct ul_vpool *pool, const struct ul_vload *load,
                              struct ul_vstage stage);
/* What the start-up check asks for, for one request. */
uint64_t ul_vpool_need(const struct ul_vpool *pool, const struct ul_vload *load,
                       struct ul_vstage stage, uint64_t length);
/* The number by which the log divides the blocks. */
uint64_t ul_vpool_request_blocks(const struct ul_vpool *pool, const struct ul_vload *load,
                                 uint64_t length);
/* The longest request, at most `cap` tokens, that `available` bytes can hold; 0: not one token. */
uint64_t ul_vpool_longest(const struct ul_vpool *pool, const struct ul_vload *load,
                          struct ul_vstage stage, uint64_t available, uint64_t cap);
/* The tokens that the log prints. */
uint64_t ul_vpool_tokens(const struct ul_vpool *pool, const struct ul_vload *load, uint64_t blocks,
                         uint64_t length);

#endif
