/* The settings that memory hangs on, as data: the search, the help and the JSON read this table.
 * The order of sacrifice is the order in which a setting is given up for the goal: first what costs
 * neither quality nor generation speed, then the experts, last whole layers. What costs quality, or
 * takes something that the user may count on, is given up only when --allow names it. */
#include "fit/fit.h"

const struct ul_fit_setting ul_fit_settings[UL_FIT_IDS] = {
    [UL_FIT_C] = {.name = "c", .flag = "-c", .fixed_by = {"-c", "--kv-unified-per-slot"},
                  .domain = "multiples of 256 a sequence, up to the training context",
                  .cost = "a shorter context holds less of the conversation", .order = 5},
    [UL_FIT_NP] = {.name = "np", .flag = "-np", .fixed_by = {"-np"}, .domain = "1 to 256",
                   .cost = "fewer requests are served at once", .order = 2, .asked = true},
    [UL_FIT_KVU] = {.name = "kvu", .flag = "-kvu", .fixed_by = {"-kvu"}, .domain = "on, off",
                    .cost = "slots share one pool of tokens, or each has its own"},
    [UL_FIT_UB] = {.name = "ub", .flag = "-ub", .fixed_by = {"-ub", "-b"},
                   .domain = "1 to the batch size",
                   .cost = "prompts are read in smaller pieces, slower", .order = 1, .asked = true},
    [UL_FIT_B] = {.name = "b", .flag = "-b", .fixed_by = {"-b"}, .domain = "1 and more",
                  .cost = "moves no memory of its own in the server"},
    [UL_FIT_CTK] = {.name = "ctk", .flag = "-ctk", .fixed_by = {"-ctk"},
                    .domain = "f16, q8_0, q5_1, q5_0, q4_1, q4_0 ...",
                    .cost = "keys lose precision: little with q8_0, more below", .order = 3,
                    .asked = true},
    [UL_FIT_CTV] = {.name = "ctv", .flag = "-ctv", .fixed_by = {"-ctv"},
                    .domain = "f16, q8_0, q5_1, q5_0, q4_1, q4_0 ...",
                    .cost = "values lose precision: little with q8_0, more below; needs flash "
                            "attention", .order = 3, .asked = true},
    [UL_FIT_FA] = {.name = "fa", .flag = "-fa", .fixed_by = {"-fa"}, .domain = "on, off, auto",
                   .cost = "off takes more memory and is slower: auto is never worse"},
    [UL_FIT_SWA_FULL] = {.name = "swa-full", .flag = "--swa-full", .fixed_by = {"--swa-full"},
                         .domain = "on, off",
                         .cost = "without it a windowed layer forgets what a prompt could reuse"},
    [UL_FIT_NCMOE] = {.name = "ncmoe", .flag = "-ncmoe", .fixed_by = {"-ncmoe", "-cmoe", "-ot"},
                      .domain = "0 to the number of layers",
                      .cost = "these layers' experts are read from the host's memory", .order = 6},
    [UL_FIT_NKVO] = {.name = "nkvo", .flag = "-nkvo", .fixed_by = {"-nkvo"}, .domain = "on, off",
                     .cost = "attention runs on the CPU: much slower with a long context",
                     .order = 4, .asked = true},
    [UL_FIT_NGL] = {.name = "ngl", .flag = "-ngl", .fixed_by = {"-ngl"},
                    .domain = "0 to the number of layers and one for the output",
                    .cost = "these layers run on the CPU", .order = 7},
    [UL_FIT_TS] = {.name = "ts", .flag = "-ts", .fixed_by = {"-ts"}, .domain = "layers on each GPU",
                   .cost = "none: another cut between the GPUs"},
    [UL_FIT_SM] = {.name = "sm", .flag = "-sm", .fixed_by = {"-sm"},
                   .domain = "none, layer, row, tensor", .cost = "kept as it is"},
};
