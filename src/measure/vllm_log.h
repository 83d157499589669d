/* What vLLM's start-up log says of memory: the arguments, the weights, what profiling left for the
 * KV cache, and what came of it. Wordings of versions from 0.6 to the newest known. */
#ifndef UL_MEASURE_VLLM_LOG_H
#define UL_MEASURE_VLLM_LOG_H

#include <stdbool.h>
#include <stdint.h>

/* A figure as printed; half of its last digit is how far the real one may be off. */
struct ul_vfigure {
    double value, half;  /* half 0: not said */
};

struct ul_vlog {
    bool any;                  /* a line of vLLM's own */
    char version[32];          /* "0.27.1" */
    char arguments[4096];      /* "{'model': 'x', 'max_model_len': 32768}", or of a Namespace( ) */
    char engine[4096];         /* "model='x', ..., max_seq_len=40960, ...": what came of them */
    struct ul_vfigure weights_gib, available_gib, graphs_gib, activation_gib, other_gib, total_gib;
    struct ul_vfigure free_gib, device_gib; /* "Free memory on device (x/y GiB)" */
    struct ul_vfigure need_gib, concurrency;
    double share;              /* --gpu-memory-utilization as profiling says it; 0: not said */
    uint64_t tokens, max_len, blocks, batched, block_tokens, longest; /* 0: not said */
    int ranks;                 /* lines of available memory */
};

/* Reads one line's text; whether it had something to say. */
bool ul_vlog_line(struct ul_vlog *v, const char *text);

/* The next "name: value" or "name=value" of arguments; *at goes on behind it. Quotes are taken off
 * the name and off a plain string; what is nested stays as it is. False at the end. */
bool ul_vlog_pair(const char **at, char *name, unsigned name_size, char *value,
                  unsigned value_size);

#endif
