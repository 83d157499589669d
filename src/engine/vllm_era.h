/* vLLM's rules change within a year more than once; an era is a version's answers to the questions
 * on which versions differ. A version that is not in the table has no era, and what follows from
 * one is unknown for it. */
#ifndef UL_ENGINE_VLLM_ERA_H
#define UL_ENGINE_VLLM_ERA_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* How many bytes a block of DeepSeek-V4's pool has. */
enum ul_v4_block {
    UL_V4_TUPLES,   /* every tuple of the longest group, at the history's page sizes */
    UL_V4_BY_SIZE,  /* for each page size, the most pages that any group has of it */
    UL_V4_WIDEST    /* the widest group */
};

struct ul_vera {
    int minor;               /* of 0.x */
    const char *name;        /* "0.27" */
    double share;            /* --gpu-memory-utilization when it is not given */
    bool tokens_by_blocks;   /* the log's tokens: blocks / groups x the smallest block */
    bool request_by_bytes;   /* blocks a request: one rounding over all groups */
    bool two_batches;        /* batches in flight count in windows */
    bool window_own_block;   /* windows choose the kernel's smallest block themselves */
    bool prefill_parallel;   /* prefill context parallelism divides a request's history */
    bool null_block;         /* the start-up check leaves the null block out */
    bool need_by_block;      /* packed pools: need is blocks x bytes a block */
    bool graphs_estimated;   /* CUDA graphs are subtracted beforehand */
    bool latent_128;         /* states beside latents: blocks of at least 128 tokens */
    bool one_line;           /* capacity and concurrency in one line of the log */
    bool sampled;            /* known from one commit, not followed commit by commit */
    enum ul_v4_block v4;
};

/* The era of "0.27", "v0.27.1", "0.29.1rc1"; of the newest known when `text` is NULL. NULL: not
 * known. */
const struct ul_vera *ul_vera_find(const char *text);
/* "0.20", "0.33": the ends of the table. */
const char *ul_vera_first(void);
const char *ul_vera_last(void);

#endif
