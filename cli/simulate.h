/* ullage simulate: what its files share. */
#ifndef UL_CLI_SIMULATE_H
#define UL_CLI_SIMULATE_H

#include "cli.h"

#include "measure/build.h"
#include "measure/evidence.h"
#include "measure/seen.h"
#include "measure/sim.h"

#define SIMULATE_MODELS 4

/* One simulation. */
struct simulating {
    const struct cli_args *args;
    struct ul_sim sim;
    struct ul_build build;
    int at;                      /* the llama.cpp program among the words */
    bool server;                 /* it is llama-server */
    ullage_machine *machine;
    const char **words;          /* the program's, as it is run */
    int n_words;
    char stub[SIMULATE_MODELS][UL_SIM_PATH];
    int n_stubs;
    char model[UL_SIM_PATH];     /* what a plan is made of: the file, or its fetched header */
    char port[16];
    double fill, timeout, prompt_timeout, grace;
    uint32_t generate;
    uint32_t prompt_tokens;      /* sent; 0: none */
    char note[400];              /* why none was */
    struct ul_evidence *e;
    struct ul_seen *seen;
    struct ul_sim_state loaded;  /* when it was ready; n 0: it never said so */
    struct ul_sim_state end;     /* with the peaks */
};

/* Replaces models that are headers only, or on servers, by weightless files. 0, or an exit status.
 */
int simulate_models(struct simulating *x);

/* The plan of what was run, with what was seen in it, and prints it. An exit status. */
int simulate_report(struct simulating *x);
/* Memory ran out: says where, in the engine's words too. CLI_NO_FIT. */
int simulate_out_of_memory(const struct simulating *x);

#endif
