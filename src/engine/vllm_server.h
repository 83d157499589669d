/* A vLLM server as planned: the settings with their defaults filled in, the pool, and the
 * figures. */
#ifndef UL_ENGINE_VLLM_SERVER_H
#define UL_ENGINE_VLLM_SERVER_H

#include "engine/machine.h"
#include "engine/notes.h"
#include "engine/vllm_flags.h"
#include "engine/vllm_model.h"

struct ul_st;

struct ul_vserver {
    struct ul_arena *a;
    const struct ul_vera *era;
    struct ul_vsettings s;
    struct ul_vmodel m;
    const struct ul_machine *machine;
    const struct ul_st *headers; /* of the checkpoint's files, or NULL */
    const struct ul_st *listed;  /* what stands for them: ul_vconvert_headers, once it was asked */
    ullage_vllm_options given;

    const char *cache_dtype;   /* after `auto` */
    uint64_t kernel_block;     /* the back-end's smallest */
    uint64_t block;            /* tokens, after all alignment */
    uint64_t state_page;       /* bytes, padded; 0: no states */
    uint64_t batched, seqs, max_len;
    uint32_t conv_bytes, ssm_bytes;
    uint32_t n_drafts;         /* draft layers that keep a cache */
    struct ul_vload load;
    struct ul_vspec *specs;
    uint32_t n_specs;
    struct ul_vpool pool;

    ullage_vllm_info info;
    ullage_vllm_group *groups;
    ullage_vllm_stage *stages;
    struct ul_notes notes;
};

struct ullage_vllm {
    struct ul_arena arena;
    struct ul_vserver v;
    ullage_vllm_goal goal;   /* of a fit */
    const char **flags;      /* that it chose, and words that they point to */
    size_t n_flags;
    int serves;
};

/* Fills in defaults and lists what each layer keeps. What is not known sets info.unknown. */
int ul_vserver_specs(struct ul_vserver *v, ullage_error *err);
/* Groups, budget, blocks. */
int ul_vserver_plan(struct ul_vserver *v, ullage_error *err);

/* The layers of a pipeline stage; drafts are on the last. */
struct ul_vstage ul_vserver_stage(const struct ul_vserver *v, uint32_t stage);

/* The smallest GPU among those of a stage's ranks; NULL: no GPU is known. */
const struct ul_gpu *ul_vserver_gpu(const struct ul_vserver *v, uint32_t stage);

/* Bytes of weights that one token reads on each rank of a stage: all but the embedding's other rows
 * and the rotations. 0: not known (of experts only some are read). */
uint64_t ul_vserver_read_bytes(const struct ul_vserver *v, uint32_t stage);

/* Bytes of weights on each rank of a stage, or unknown with the reason in info.unknown_weights. */
ullage_bytes ul_vserver_weights(struct ul_vserver *v, uint32_t stage);

#endif
