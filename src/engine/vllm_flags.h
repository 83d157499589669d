/* `vllm serve`'s flags: one table of names, and the values that move memory. */
#ifndef UL_ENGINE_VLLM_FLAGS_H
#define UL_ENGINE_VLLM_FLAGS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* How a flag takes values: PAIR is a switch that also has a --no- form, LIST takes words up to the
 * next flag, MAYBE takes one or none. */
enum ul_vflag_kind { UL_VF_VALUE, UL_VF_SWITCH, UL_VF_PAIR, UL_VF_LIST, UL_VF_MAYBE };

enum ul_vflag_id {
    UL_VI_NONE = 0, /* known, and moves no memory that is modelled */
    UL_VI_MODEL, UL_VI_MAX_LEN, UL_VI_QUANT, UL_VI_EAGER, UL_VI_DTYPE, UL_VI_PP, UL_VI_TP, UL_VI_DP,
    UL_VI_DCP, UL_VI_PCP, UL_VI_EP, UL_VI_BLOCK, UL_VI_SHARE, UL_VI_KV_BYTES, UL_VI_KV_DTYPE,
    UL_VI_BLOCKS, UL_VI_PREFIX, UL_VI_SKIP, UL_VI_MAMBA_DTYPE, UL_VI_SSM_DTYPE,
    UL_VI_MAMBA_BLOCK, UL_VI_MAMBA_MODE, UL_VI_REPLAY, UL_VI_OFFLOAD, UL_VI_OFFLOAD_KIND,
    UL_VI_OFFLOAD_GROUP, UL_VI_BATCHED, UL_VI_SEQS, UL_VI_NO_HYBRID, UL_VI_ASYNC, UL_VI_SPEC,
    UL_VI_SPEC_METHOD, UL_VI_SPEC_TOKENS, UL_VI_SPEC_MODEL, UL_VI_PERFORMANCE, UL_VI_BACKEND,
    UL_VI_MM_IPC, UL_VI_LANGUAGE, UL_VI_CHUNKED, UL_VI_NO_WINDOW, UL_VI_OVERRIDES, UL_VI_LORA,
    UL_VI_EPLB, UL_VI_TRANSFER, UL_VI_RUNNER
};

struct ul_vflag {
    const char *name, *brief; /* "--tensor-parallel-size"; "-tp" or NULL */
    enum ul_vflag_kind kind;
    enum ul_vflag_id id;
};

extern const struct ul_vflag ul_vflags[];
extern const size_t ul_n_vflags;

/* What a command line said; numbers that were not given are 0, switches -1. */
struct ul_vsettings {
    const char *model;
    double share;
    uint64_t kv_bytes, max_len, block, blocks, batched, seqs, mamba_block, offload_group;
    uint64_t tp, pp, dp, dcp, pcp;    /* 1 when not given */
    bool len_auto;
    int eager, ep, prefix, no_hybrid, async, language, chunked, no_window, replay, lora, eplb;
    const char *cache_dtype, *quant, *dtype, *mamba_dtype, *ssm_dtype, *mamba_mode, *backend;
    const char *performance, *offload_kind, *skip, *overrides, *transfer, *runner;
    const char *spec_method, *spec_model;
    uint64_t spec_tokens;
    double offload_gb, mm_ipc_gb;
};

/* Reads a `vllm serve` command line: words with or without the program's name, its variables before
 * it, and one word that is no flag: the model. Errors: USAGE. */
int ul_vsettings_parse(struct ul_vsettings *s, int n, const char *const *words, struct ul_arena *a,
                       ullage_error *err);

#endif
