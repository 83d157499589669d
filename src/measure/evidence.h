/* Everything in a llama.cpp program's log that a plan can be set beside: the model's shape, what
 * the context was made with, every buffer, and the sizes of caches, each of the load and context
 * that it belongs to. Wordings of old and new builds are read alike; a line that says nothing of
 * memory is passed over. Memory is bounded whatever the input is. */
#ifndef UL_MEASURE_EVIDENCE_H
#define UL_MEASURE_EVIDENCE_H

#include "measure/log.h"
#include "measure/logline.h"
#include "measure/vllm_log.h"

#include <stdio.h>

#define UL_EV_BUFFERS 128
#define UL_EV_CACHES 32
#define UL_EV_ROWS 32
#define UL_EV_LAYERS 512
#define UL_EV_PARTS 16
#define UL_EV_OTHERS 8

/* A number of the model's or the context's, or one a layer. */
struct ul_ev_value {
    uint32_t n;                /* 0: not said; 1: one for all layers */
    uint32_t v[UL_EV_LAYERS];
};

/* What print_info and the metadata's dump say of the model. */
enum ul_ev_key {
    UL_EV_N_CTX_TRAIN, UL_EV_N_EMBD, UL_EV_N_LAYER, UL_EV_N_LAYER_ALL, UL_EV_N_HEAD,
    UL_EV_N_HEAD_KV, UL_EV_N_SWA, UL_EV_HEAD_K, UL_EV_HEAD_V, UL_EV_K_GQA, UL_EV_V_GQA,
    UL_EV_SSM_CONV, UL_EV_SSM_INNER, UL_EV_SSM_STATE, UL_EV_SSM_GROUP, UL_EV_N_VOCAB,
    UL_EV_SHORTCONV, UL_EV_FULL_EVERY, UL_EV_LORA_KV, UL_EV_MLA_KEY, UL_EV_KEYS
};

/* What the context was made with. */
enum ul_ev_context {
    UL_EV_N_SEQ, UL_EV_N_CTX, UL_EV_N_CTX_SEQ, UL_EV_N_BATCH, UL_EV_N_UBATCH, UL_EV_UNIFIED,
    UL_EV_RS_SEQ, UL_EV_OUTPUTS, UL_EV_FLASH, UL_EV_CONTEXTS
};

struct ul_ev_buffer {
    char buffer[64], kind[32]; /* as in struct ul_log_buffer */
    double mib;
    int lines;
    int model, context;        /* from 0; the first context of the first model is the server's */
};

/* Whose keys and values: an indexer's or a compressor's have another width than the model's. */
enum ul_ev_cache_of { UL_EV_PLAIN, UL_EV_WINDOW, UL_EV_OTHER };

struct ul_ev_cache {
    bool state;                /* a recurrent model's, without keys and values */
    enum ul_ev_cache_of of;
    char type[2][16];          /* of keys and values, or of R and S */
    double mib, part[2];       /* the whole; keys and values, or R and S. < 0: not said */
    uint32_t cells, layers, seqs, streams, rs_seq; /* cells 0: not said */
    int model, context;
};

/* A row of the memory breakdown, in whole MiB, rounded down. `unaccounted` is what a device holds
 * beside; total < 0: the row has none (the host's). */
struct ul_ev_row {
    char device[96];
    double total, free, self, model, context, compute, unaccounted;
};

/* What a load or context that is not the server's own is for: a draft model, a context of its own
 * for the model's draft layers. */
struct ul_ev_part {
    int model, context;
    char what[128];
};

/* What the engine's own fit gave a device: layers, of which the last-named number keep (part of)
 * their feed-forward weights elsewhere; which part of the first of those: "MOE", "UP", "GATE",
 * "ATTN". */
struct ul_ev_fit {
    uint32_t n_layer, n_part;
    char type[8];
};

struct ul_evidence {
    struct ul_log log;
    char model_name[256];      /* its path or name, as the log has it */
    char arch[64], cpu[32], load_mode[16];
    char capability[UL_LOG_DEVICES][8];   /* of CUDA's devices by number: "8.9"; "": not said */
    char command[4096];                   /* the program's command line, where the log has it */
    bool command_open;                    /* it goes on in the next line */
    double host_mib;
    struct ul_ev_value key[UL_EV_KEYS];
    int64_t context[UL_EV_CONTEXTS];      /* -1: not said; of the first context */
    int offloaded, layers;                /* "offloaded 20/35 layers"; -1: not said */
    int flash;                            /* what was decided: 1 on, 0 off, -1: not said */
    bool swa_full, embedding;
    struct ul_ev_buffer buffer[UL_EV_BUFFERS];
    int n_buffers;
    struct ul_ev_cache cache[UL_EV_CACHES];
    int n_caches;
    struct ul_ev_row row[UL_EV_ROWS];     /* of the last table that belongs to a real load */
    int n_rows;
    bool rows_of_trial;                   /* the table is of a load that only tried settings */
    struct ul_ev_part part[UL_EV_PARTS];
    int n_parts;
    char part_next[128];                  /* what the next load or context is for */
    struct ul_ev_fit fit[UL_LOG_DEVICES];
    int n_fit;                            /* devices that the fit set; 0: none */
    struct ul_vlog vllm;
    /* where the log holds several: whose these lines are, whose are passed over, and which start */
    char source[UL_LOG_SOURCE], other[UL_EV_OTHERS][UL_LOG_SOURCE];
    int n_others, starts;
    uint32_t lines, lines_used;
    int dropped;                          /* buffers and caches beyond what is kept */
    /* where reading stands */
    int model_at, context_at;
    bool any_context, trial;
    enum ul_ev_cache_of next;
    uint32_t cells_next, layers_next;
};

void ul_evidence_start(struct ul_evidence *e);
void ul_evidence_line(struct ul_evidence *e, const char *line);

/* Reads to the end; lines beyond 16 KiB are cut off. Where several programs write to one log, or
 * one was started several times, what is kept is the last start that got furthest. False when
 * reading fails or memory is out. */
bool ul_evidence_read(struct ul_evidence *e, FILE *f);

/* How far a start got: 0 nothing of memory, 1 some buffers, 2 all of a server's. */
int ul_evidence_reach(const struct ul_evidence *e);
/* What a load or context that is not the server's own is for; NULL: not said. */
const char *ul_evidence_part(const struct ul_evidence *e, int model, int context);

/* A command line's words as a shell would split them, up to the first that is not the program's
 * ("|", ">", "2>&1", "&&"); they lie in `text`, which is changed. How many. */
int ul_command_words(char *text, const char **words, int most);

/* The build's number ("9849 (799fcc04a)", "b9106-dd9280a66"); 0: not said. */
uint32_t ul_evidence_build(const struct ul_evidence *e);

#endif
