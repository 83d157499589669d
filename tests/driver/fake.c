/* Two GPUs as NVIDIA's libraries would report them, for the test of what `ullage machine` finds.
 * Compiled twice: with -DCUDA as libcuda.so.1, which lists them in CUDA's order (the faster one
 * first), and without as libnvidia-ml.so.1, which lists them by their place on the bus. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct gpu {
    const char *name;
    unsigned char id;                          /* the last byte of its UUID */
    unsigned long long board, reserved, used; /* MiB */
    int major, minor, sm;
};

static const struct gpu gpus[] = {
    {"NVIDIA GeForce RTX 3060", 7, 12288, 288, 700, 8, 6, 28},
    {"NVIDIA RTX 4090, founders", 9, 24564, 484, 0, 8, 9, 128},
};

#ifdef CUDA
/* Handles are CUDA's indices. */
static const struct gpu *of(int handle) { return &gpus[1 - handle]; }

int cuInit(unsigned flags) { return (int)flags; }
int cuDeviceGetCount(int *n) { return *n = 2, 0; }
int cuDeviceGet(int *handle, int index) { return *handle = index, 0; }
int cuDeviceGetName(char *name, int n, int handle)
{
    return snprintf(name, (size_t)n, "%s", of(handle)->name), 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int handle)
{
    *bytes = (size_t)((of(handle)->board - of(handle)->reserved) << 20) + 4096;
    return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int handle)
{
    const struct gpu *g = of(handle);
    *value = attribute == 16 ? g->sm : attribute == 75 ? g->major : attribute == 76 ? g->minor : -1;
    return *value < 0;
}
int cuDeviceGetUuid(unsigned char *uuid, int handle)
{
    memset(uuid, 0xab, 16);
    uuid[15] = of(handle)->id;
    return 0;
}
#else
struct memory_v2 {
    unsigned version;
    unsigned long long total, reserved, free, used;
};

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { return *n = 2, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, const struct gpu **g) { return *g = &gpus[i], 0; }
int nvmlDeviceGetName(const struct gpu *g, char *name, unsigned n)
{
    return snprintf(name, n, "%s", g->name), 0;
}
int nvmlDeviceGetUUID(const struct gpu *g, char *uuid, unsigned n)
{
    return snprintf(uuid, n, "GPU-abababab-abab-abab-abab-ababababab%02x", g->id), 0;
}
int nvmlDeviceGetMemoryInfo(const struct gpu *g, unsigned long long *total_free_used)
{
    return (void)g, (void)total_free_used, 1;
}
int nvmlDeviceGetMemoryInfo_v2(const struct gpu *g, struct memory_v2 *m)
{
    if (m->version != (sizeof *m | 2u << 24))
        return 25;
    m->total = g->board << 20;
    m->reserved = g->reserved << 20;
    m->used = g->used << 20;
    m->free = (g->board - g->reserved - g->used) << 20;
    return 0;
}
int nvmlDeviceGetCudaComputeCapability(const struct gpu *g, int *major, int *minor)
{
    *major = g->major;
    *minor = g->minor;
    return 0;
}
#endif
