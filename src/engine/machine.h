/* The machine a plan is for: GPUs in the engine's order, the host, and what is not the model's. */
#ifndef UL_ENGINE_MACHINE_H
#define UL_ENGINE_MACHINE_H

#include "base/error.h"
#include "engine/devices.h"
#include "graph/device.h" /* enum ul_backend */

#include <stdbool.h>

#define UL_MAX_GPUS 16

struct ul_gpu {
    const char *name;       /* "" when the spec gave none */
    enum ul_backend backend;
    uint64_t total, used;   /* bytes; used: by other programs */
    int cc;                 /* CUDA compute capability x 100 (8.9 -> 890); 0 unknown */
    int sm;                 /* multiprocessors; 0 unknown */
    double bandwidth;       /* of its memory, bytes/s; 0 unknown */
    double flops16, flops32; /* matrix units at 16 bits, dense; plain; 0 unknown or none */
    double link;            /* to the host, bytes/s one way; 0 unknown */
    uint64_t l2;            /* bytes; 0 unknown */
    bool unified;           /* its memory is the host's */
    ullage_bytes runtime, prompt_peak; /* its own, measured; UNKNOWN: as the machine's */
    const ullage_known_device *known; /* its row of the catalogue, or NULL */
    enum ul_driver driver;   /* whose total it is, of those the catalogue has */
    const char *total_basis; /* what the total of a catalogue's device rests on, or NULL */
};

struct ul_machine {
    struct ul_arena arena;
    struct ul_gpu gpu[UL_MAX_GPUS];
    uint32_t n_gpus;
    ullage_bytes ram;           /* what the host can give */
    uint64_t ram_total;         /* what it has, which --fit counts without GPUs; 0: unknown */
    double ram_bandwidth;       /* bytes/s; 0 unknown */
    const char *cpu;            /* ggml's variant name, NULL: unknown */
    double reserve_fraction;    /* of each device's total */
    uint64_t reserve_bytes;
    ullage_bytes runtime;       /* a process's context on each device: see ul_machine_runtime */
    bool runtime_given;         /* by the caller: it is every back-end's then */
    ullage_bytes prompt_peak;   /* what a prompt adds on each device */
    bool prompt_peak_given;     /* by the caller: it is not computed then */
};

struct ullage_machine {
    struct ul_machine m; /* first: a ul_machine pointer is a ullage_machine pointer */
};

/* What the process takes on a GPU besides its buffers. */
ullage_bytes ul_machine_runtime(const struct ul_machine *machine, uint32_t gpu);

/* "cuda" ... as specs spell it. */
const char *ul_backend_name(enum ul_backend backend);

#endif
