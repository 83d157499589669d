/* This machine's NVIDIA GPUs, from the driver's two libraries, loaded when they are there.
 *
 * libcuda says what the engine will see: which devices, in which order (CUDA_VISIBLE_DEVICES and
 * CUDA's own ordering included), their totals, generation and multiprocessors. Asking takes no
 * memory on a GPU: no context is made. NVML says what is free now; it has no notion of CUDA's
 * order, so devices are matched by their UUID. With NVML alone, a device's total is the board's
 * less what the driver keeps for itself, which is what the runtime reports. */
#include "cli.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct device {
    char name[96];
    char uuid[48]; /* "GPU-6d2f7f6e-..." */
    uint64_t total, used;
    int major, minor, sm; /* 0: unknown */
};

/* ------------------------------------------------------------------ CUDA's driver */

/* cuda.h: CUdevice_attribute */
enum { ATTRIBUTE_SM = 16, ATTRIBUTE_CC_MAJOR = 75, ATTRIBUTE_CC_MINOR = 76 };

struct cuda {
    int (*init)(unsigned);
    int (*count)(int *);
    int (*get)(int *, int);
    int (*name)(char *, int, int);
    int (*total)(size_t *, int);
    int (*attribute)(int *, int, int);
    int (*uuid)(unsigned char *, int); /* 16 bytes */
};

/* dlsym gives an object pointer; POSIX lets it be copied into a function pointer. */
static bool load(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* The library stays loaded: the process is short, and unloading a driver is asking for trouble. */
static bool load_cuda(struct cuda *c)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library && load(library, "cuInit", &c->init)
           && load(library, "cuDeviceGetCount", &c->count)
           && load(library, "cuDeviceGet", &c->get)
           && load(library, "cuDeviceGetName", &c->name)
           && load(library, "cuDeviceTotalMem_v2", &c->total)
           && load(library, "cuDeviceGetAttribute", &c->attribute)
           && load(library, "cuDeviceGetUuid", &c->uuid);
}

static void spell_uuid(char out[48], const unsigned char *u)
{
    char *p = out + snprintf(out, 48, "GPU-");
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *p++ = '-';
        p += snprintf(p, 3, "%02x", u[i]);
    }
}

static bool cuda_device(const struct cuda *c, int index, struct device *d)
{
    int handle;
    size_t total;
    unsigned char uuid[16];
    *d = (struct device){0};
    if (c->get(&handle, index) || c->name(d->name, sizeof d->name, handle)
        || c->total(&total, handle) || c->uuid(uuid, handle))
        return false;
    c->attribute(&d->sm, ATTRIBUTE_SM, handle);
    c->attribute(&d->major, ATTRIBUTE_CC_MAJOR, handle);
    c->attribute(&d->minor, ATTRIBUTE_CC_MINOR, handle);
    d->total = total;
    spell_uuid(d->uuid, uuid);
    return true;
}

static int cuda_devices(struct device *devices)
{
    struct cuda c;
    int count = 0, n = 0;
    if (!load_cuda(&c) || c.init(0) || c.count(&count))
        return 0;
    for (int i = 0; i < count && n < CLI_MAX_GPUS; i++)
        n += cuda_device(&c, i, &devices[n]);
    return n;
}

/* ------------------------------------------------------------------ NVML */

/* nvml.h: nvmlMemory_v2_t, nvmlMemory_t */
struct memory_v2 {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
struct memory_v1 {
    unsigned long long total, free, used;
};
#define MEMORY_V2 ((unsigned)(sizeof(struct memory_v2) | 2u << 24))

struct nvml {
    int (*init)(void);
    int (*shutdown)(void);
    int (*count)(unsigned *);
    int (*handle)(unsigned, void **);
    int (*name)(void *, char *, unsigned);
    int (*uuid)(void *, char *, unsigned);
    int (*memory_v2)(void *, struct memory_v2 *); /* may be missing */
    int (*memory)(void *, struct memory_v1 *);
    int (*capability)(void *, int *, int *);
};

static bool load_nvml(struct nvml *n)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    load(library, "nvmlDeviceGetMemoryInfo_v2", &n->memory_v2);
    return load(library, "nvmlInit_v2", &n->init) && load(library, "nvmlShutdown", &n->shutdown)
           && load(library, "nvmlDeviceGetCount_v2", &n->count)
           && load(library, "nvmlDeviceGetHandleByIndex_v2", &n->handle)
           && load(library, "nvmlDeviceGetName", &n->name)
           && load(library, "nvmlDeviceGetUUID", &n->uuid)
           && load(library, "nvmlDeviceGetMemoryInfo", &n->memory)
           && load(library, "nvmlDeviceGetCudaComputeCapability", &n->capability);
}

/* The first version counts the driver's reserve as used; the second says it apart. */
static bool nvml_memory(const struct nvml *n, void *handle, struct device *d)
{
    struct memory_v2 v2 = {.version = MEMORY_V2};
    struct memory_v1 v1;
    if (n->memory_v2 && n->memory_v2(handle, &v2) == 0) {
        d->total = v2.total - v2.reserved;
        d->used = v2.used;
        return true;
    }
    if (n->memory(handle, &v1))
        return false;
    d->total = v1.total;
    d->used = v1.used;
    return true;
}

static bool nvml_device(const struct nvml *n, unsigned index, struct device *d)
{
    void *handle;
    *d = (struct device){0};
    if (n->handle(index, &handle) || n->name(handle, d->name, sizeof d->name)
        || n->uuid(handle, d->uuid, sizeof d->uuid) || !nvml_memory(n, handle, d))
        return false;
    n->capability(handle, &d->major, &d->minor);
    return true;
}

static int nvml_devices(struct device *devices)
{
    struct nvml n;
    unsigned count = 0;
    int found = 0;
    if (!load_nvml(&n) || n.init())
        return 0;
    n.count(&count);
    for (unsigned i = 0; i < count && found < CLI_MAX_GPUS; i++)
        found += nvml_device(&n, i, &devices[found]);
    n.shutdown();
    return found;
}

/* ------------------------------------------------------------------ both */

/* What is free is NVML's to say: used is what makes total - used come to it. */
static void add_used(struct device *d, const struct device *seen, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t free = seen[i].total - seen[i].used;
        if (strcmp(seen[i].uuid, d->uuid) == 0)
            d->used = d->total > free ? d->total - free : 0;
    }
}

/* In MiB when that is exact, else in bytes: the split over devices depends on all of them. */
static void spell_size(char out[32], uint64_t bytes)
{
    bool whole = bytes % (1 << 20) == 0;
    snprintf(out, 32, "%llu%s", (unsigned long long)(whole ? bytes >> 20 : bytes),
             whole ? "MiB" : "");
}

/* As --gpu takes it, so that what was found can be printed, and planned for elsewhere. A comma in a
 * name would end it. */
static void spell(struct cli_gpu *gpu, struct device *d)
{
    char total[32], used[32];
    spell_size(total, d->total);
    spell_size(used, d->used);
    for (char *p = d->name; *p; p++)
        if (*p == ',')
            *p = ' ';
    int n = snprintf(gpu->spec, sizeof gpu->spec, "name=%s,total=%s,used=%s,backend=cuda", d->name,
                     total, used);
    if (d->major > 0)
        n += snprintf(gpu->spec + n, sizeof gpu->spec - (size_t)n, ",cc=%d.%d", d->major, d->minor);
    if (d->sm > 0)
        snprintf(gpu->spec + n, sizeof gpu->spec - (size_t)n, ",sm=%d", d->sm);
}

int cli_detect_gpus(struct cli_gpu gpus[CLI_MAX_GPUS])
{
    struct device cuda[CLI_MAX_GPUS], nvml[CLI_MAX_GPUS];
    int n_nvml = nvml_devices(nvml), n_cuda = cuda_devices(cuda);
    for (int i = 0; i < n_cuda; i++)
        add_used(&cuda[i], nvml, n_nvml);
    struct device *devices = n_cuda ? cuda : nvml;
    int n = n_cuda ? n_cuda : n_nvml;
    for (int i = 0; i < n; i++)
        spell(&gpus[i], &devices[i]);
    return n;
}
