/* What a context keeps between tokens: the tensors of every cache, where each lives, and the
 * buffers that follow. One builder a memory module of the engine, all of them made of two parts:
 * caches of keys and values (cells x streams a layer) and states of fixed size (a row a sequence).
 * Source: src/llama-model.cpp (create_memory), src/llama-kv-cache*.cpp, src/llama-memory-*.cpp. */
#ifndef UL_ENGINE_CACHE_H
#define UL_ENGINE_CACHE_H

#include "arch/arch.h"
#include "engine/place.h"

/* The engine's kinds of buffer, as the rows and the JSON spell them. */
enum ul_cache_kind {
    UL_CACHE_KV, UL_CACHE_RS, UL_CACHE_DSV4_CSA, UL_CACHE_DSV4_HCA, UL_CACHE_DSV4_LID,
    UL_CACHE_KIND_COUNT
};

/* What a cache is for, for people and for the graph that reads it. */
enum ul_cache_role {
    UL_CACHE_FULL,       /* every token */
    UL_CACHE_WINDOW,     /* a sliding window */
    UL_CACHE_INDEXER,    /* keys of a sparse attention's indexer */
    UL_CACHE_CSA, UL_CACHE_HCA, UL_CACHE_LID, /* DeepSeek V4's compressed keys */
    UL_CACHE_STATE       /* a recurrent state */
};

/* One tensor: cache_k_l0, cache_v_l0, cache_r_l0 ... */
struct ul_cache_tensor {
    uint8_t type;       /* enum ul_type */
    char part;          /* 'k' 'v' 'r' 's' 'p'; 'c' the compressor's keys, 'w' its scores */
    int16_t device;     /* index into ul_place.device, or UL_DEV_CPU */
    uint32_t layer;
    uint64_t ne[3];
};

struct ul_cache {
    enum ul_cache_kind kind;
    enum ul_cache_role role;
    uint32_t cells, layers, streams;
    enum ul_type type_k, type_v;
    uint64_t k_bytes, v_bytes; /* as logged: without padding */
    size_t first, n;           /* its tensors */
};

/* The tensors of one cache on one device: one allocation. */
struct ul_cache_buffer {
    enum ul_cache_kind kind;
    size_t cache;              /* index into caches */
    int device;
    uint64_t bytes;            /* Meta: the largest share */
    uint64_t share[UL_MAX_DEVICES]; /* Meta: bytes on each GPU of ul_place.gpus */
};

struct ul_caches {
    struct ul_cache *cache;
    size_t n;
    struct ul_cache_tensor *tensor;
    size_t n_tensors;
    struct ul_cache_buffer *buffer;
    size_t n_buffers;
};

/* Makes the caches of a context. Everything lives in the arena. */
void ul_caches_make(struct ul_caches *k, const struct ul_model *m, const struct ul_cparams *c,
                    const struct ul_settings *s, const struct ul_place *p, struct ul_arena *a);

/* "kv", "rs", "dsv4_csa_state" ... */
const char *ul_cache_kind_name(enum ul_cache_kind kind);

/* Bytes that a tensor takes in a buffer of a device (in the host's when UL_DEV_CPU): rows of block
 * types are padded on CUDA, and the whole is aligned. */
uint64_t ul_cache_alloc_bytes(const struct ul_place *p, int device, enum ul_type type,
                              const uint64_t ne[3]);

#endif
