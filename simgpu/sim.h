/* What the simulated libraries share: the ledger, the devices as this process sees them, and its
 * own allocations. Numbers of devices are the program's, after CUDA_VISIBLE_DEVICES, but for those
 * of the ledger. */
#ifndef SIM_H
#define SIM_H

#include "ledger.h"

#define SIM_API __attribute__((visibility("default")))

/* The CUDA version that the driver claims, and its own. The runtime may be older, never newer. */
#define SIM_CUDA 13000
#define SIM_DRIVER "580.65.06"

/* CUDA's results, the same numbers in the runtime and the driver (cudaError_t, CUresult). */
enum {
    SIM_OK = 0, SIM_INVALID = 1, SIM_NO_MEMORY = 2, SIM_NO_DEVICE = 100, SIM_BAD_DEVICE = 101,
    SIM_NOT_FOUND = 500, SIM_NOT_SUPPORTED = 801
};

/* Reads the devices of a description; how many, or -1 when it cannot be read (said on standard
 * error). */
int sim_devices_read(const char *spec, struct sim_device device[SIM_DEVICES]);
void sim_uuid(int ledger_device, unsigned char out[16]);

/* The ledger's number of the program's device, or -1. */
int sim_visible(int device);
int sim_visible_count(void);
/* NULL when there is no such device. */
const struct sim_device *sim_device(int device);

int sim_current(void);
void sim_set_current(int device);

/* Each gives SIM_OK or another result. */
int sim_use(int device); /* makes the process's context there */
int sim_info(int device, uint64_t *room, uint64_t *total);
int sim_malloc(void **p, uint64_t n, int device);
int sim_malloc_managed(void **p, uint64_t n, int device);
int sim_malloc_pinned(void **p, uint64_t n);
int sim_free(void *p);
int sim_free_pinned(void *p);
bool sim_on_device(const void *p);
void sim_library_handle(int device);

/* Physical memory and the addresses it is mapped at (cuMem*). */
int sim_reserve(void **p, uint64_t n);
int sim_unreserve(void *p);
int sim_create(uint64_t *handle, uint64_t n, int device);
int sim_map(void *p, uint64_t n, uint64_t handle);
int sim_unmap(void *p, uint64_t n);
int sim_release(uint64_t handle);

/* For calls that have no simulation: says so on standard error, with the name, the first time;
 * gives SIM_NOT_SUPPORTED. */
int sim_refuse(const char *name);

#endif
