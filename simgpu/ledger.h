/* The simulated GPUs' memory: who holds how much of which device.
 *
 * The ledger is one file, mapped by every process that uses the devices (the CUDA libraries) or
 * watches them (NVML, nvidia-smi, ullage itself). A record lock guards it, which the kernel drops
 * when a process dies; what a dead process held is given back by the next one that looks, as a
 * driver does. Its row stays until its place is needed, so that peaks can be read afterwards.
 *
 * What a device is charged has a kind, because a driver's total alone says little:
 *   context   what the runtime takes when a process first uses the device
 *   memory    cudaMalloc and its kin: buffers
 *   pool      physical memory made by cuMemCreate: ggml's runtime pool
 *   library   what cuBLAS takes for a handle */
#ifndef SIM_LEDGER_H
#define SIM_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_DEVICES 16
#define SIM_PROCESSES 64
#define SIM_MIB ((uint64_t)1 << 20)
#define SIM_MAGIC "ullage-simgpu 1"

/* Environment: the devices (spec.c), the folder of the ledger. */
#define SIM_ENV_DEVICES "ULLAGE_SIMGPU"
#define SIM_ENV_FOLDER "ULLAGE_SIMGPU_LEDGER"

enum sim_kind { SIM_CONTEXT, SIM_MEMORY, SIM_POOL, SIM_LIBRARY, SIM_KINDS };

struct sim_device {
    char name[96];
    uint64_t total;       /* bytes that programs may have: cudaMemGetInfo's total */
    uint64_t used;        /* held by programs outside the simulation */
    uint64_t context;     /* taken by each process at its first use */
    uint64_t reserved;    /* the driver's own, which only NVML counts */
    uint64_t library;     /* taken for each cuBLAS handle */
    int32_t cc;           /* compute capability x 10: 89 */
    int32_t sm;           /* multiprocessors */
    int32_t shared;       /* bytes of shared memory that a block may opt in to */
    int32_t occupancy;    /* blocks of any kernel that fit a multiprocessor */
    int32_t vmm, peer, integrated;
    uint32_t l2;          /* bytes */
};

struct sim_account {
    uint64_t now[SIM_KINDS], peak[SIM_KINDS];
    uint64_t used, peak_used;       /* of all kinds together */
    uint64_t refused, refused_free; /* bytes of the last request that failed, and what was free */
    uint32_t n_refused;
};

struct sim_process {
    int32_t pid;        /* 0: an empty row */
    uint32_t dead;
    uint64_t start;     /* the kernel's start time, which tells a number used again apart */
    uint64_t pinned;    /* host memory that it pinned, now */
    struct sim_account device[SIM_DEVICES];
};

struct sim_ledger {
    char magic[16];
    uint32_t n_devices, reserved;
    char spec[4096];    /* what the devices were made from */
    struct sim_device device[SIM_DEVICES];
    struct sim_process process[SIM_PROCESSES];
};

/* Opens the folder's ledger, or with devices in the environment one of the process's own. Later
 * calls do nothing. False when there is neither. */
bool sim_open(void);
/* A consistent copy, in which the dead hold nothing. */
void sim_read(struct sim_ledger *out);
/* What all programs together hold of a device. */
uint64_t sim_held(const struct sim_ledger *l, int device);

/* Takes from a device for this process; false when so much is not free, which is noted. */
bool sim_take(int device, enum sim_kind kind, uint64_t bytes);
void sim_give(int device, enum sim_kind kind, uint64_t bytes);
void sim_pin(int64_t bytes);

#endif
