/* A simulated machine for a program to run on: its folder, its environment, and what the ledger
 * and the list of buffers say of it (simgpu/ledger.h, simgpu/preload.c). */
#ifndef UL_MEASURE_SIM_H
#define UL_MEASURE_SIM_H

#include "measure/reader.h"

#include "simgpu/ledger.h"

#define UL_SIM_PATH 1024

struct ul_sim {
    char folder[UL_SIM_PATH];    /* temporary; "" when there is none */
    char libraries[UL_SIM_PATH]; /* the simulated ones */
    char log[UL_SIM_PATH];       /* the program's */
    char trace[UL_SIM_PATH];
    char files[1024];            /* whose weights are not read, as the environment has it */
};

/* What all the program's processes hold of a device. */
struct ul_sim_device {
    struct sim_account account; /* summed */
    uint64_t total, used;       /* used: by others */
};

struct ul_sim_state {
    struct ul_sim_device device[SIM_DEVICES];
    int n;
    int processes;              /* that used a device */
    bool refused;               /* a request for memory failed last; on `refused_device` */
    int refused_device;
    uint64_t trace_bytes;       /* how long the list of buffers is */
};

/* Finds the libraries and makes the folder. `log` NULL: the log is in the folder, and goes with it.
 * Errors: IO. */
int ul_sim_open(struct ul_sim *s, const char *log, ullage_error *err);
/* The weights of this file, from the offset on, are not to be read. */
void ul_sim_file(struct ul_sim *s, const char *path, uint64_t offset);
/* Sets this process's environment for children; the devices as simgpu/spec.c reads them. */
void ul_sim_environment(const struct ul_sim *s, const char *devices);
/* False while no process has come to the devices. */
bool ul_sim_read(const struct ul_sim *s, struct ul_sim_state *out);
/* A reader of the ledger, for ul_run. */
void ul_sim_reader(struct ul_reader *r, struct ul_sim *s);
void ul_sim_close(struct ul_sim *s);

#endif
