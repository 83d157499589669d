/* libcudart: the CUDA runtime without a GPU. Memory is counted and runs out; kernels and copies do
 * nothing, but that copies to the host give zeros. Built once for each major version (SIM_MAJOR),
 * whose name its symbols carry. cudart.def says what becomes of each call. */
#define _GNU_SOURCE
#include "sim.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int last_error;

/* A result on its way out; a failure is remembered for cudaGetLastError. */
static int result(int rc)
{
    if (rc)
        last_error = rc;
    return rc;
}

#define SIM_TABLE "cudart.def"
#define SIM_REFUSAL(name) result(sim_refuse(name))
#include "entry.h"

/* ------------------------------------------------------------------ what a device is */

#if SIM_MAJOR < 13
#define UNTIL_12(...) __VA_ARGS__
#else
#define UNTIL_12(...)
#endif

/* driver_types.h: cudaDeviceProp, up to the last field that is filled; the caller's goes on. */
struct properties {
    char name[256];
    unsigned char uuid[16];
    char luid[8];
    unsigned luid_mask;
    size_t total, shared_per_block;
    int registers_per_block, warp;
    size_t pitch;
    int threads_per_block, block[3], grid[3];
    UNTIL_12(int clock;)
    size_t constant;
    int major, minor;
    size_t texture_alignment, texture_pitch;
    UNTIL_12(int overlap;)
    int multiprocessors;
    UNTIL_12(int timeout;)
    int integrated, map_host;
    UNTIL_12(int compute_mode;)
    int texture_1d[2];
    UNTIL_12(int texture_1d_linear;)
    int textures[2 + 2 + 3 + 2 + 3 + 3 + 1 + 2 + 3 + 2], surfaces[1 + 2 + 3 + 2 + 3 + 1 + 2];
    size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, async_engines, unified;
    UNTIL_12(int memory_clock;)
    int bus_width, l2, persisting_l2, threads_per_multiprocessor, priorities, l1[2];
    size_t shared_per_multiprocessor;
    int registers_per_multiprocessor, managed, multi_board, multi_board_group, host_atomics;
    UNTIL_12(int double_ratio;)
    int pageable, concurrent_managed, preemption, registered_pointer, cooperative;
    UNTIL_12(int cooperative_multi;)
    size_t shared_optin;
};

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static int threads_of(int cc)
{
    if (cc == 75)
        return 1024;
    return cc == 86 || cc == 87 || cc == 89 || cc >= 120 ? 1536 : 2048;
}

static int fill(struct properties *p, int device)
{
    const struct sim_device *d = sim_device(device);
    if (!d)
        return SIM_BAD_DEVICE;
    *p = (struct properties){
        .total = d->total, .shared_per_block = 48 << 10, .registers_per_block = 65536, .warp = 32,
        .pitch = 0x7fffffff, .threads_per_block = 1024, .block = {1024, 1024, 64},
        .grid = {0x7fffffff, 65535, 65535}, .constant = 65536, .major = d->cc / 10,
        .minor = d->cc % 10, .texture_alignment = 512, .texture_pitch = 32,
        .multiprocessors = d->sm, .integrated = d->integrated, .map_host = 1,
        .surface_alignment = 512, .concurrent_kernels = 1, .pci_bus = sim_visible(device) + 1,
        .async_engines = 2,
        .unified = 1, .bus_width = 256, .l2 = (int)d->l2,
        .threads_per_multiprocessor = threads_of(d->cc), .priorities = 1, .l1 = {1, 1},
        .shared_per_multiprocessor = (size_t)d->shared + 1024,
        .registers_per_multiprocessor = 65536, .managed = 1, .concurrent_managed = 1,
        .preemption = 1, .registered_pointer = 1, .cooperative = 1,
        .shared_optin = (size_t)d->shared};
    snprintf(p->name, sizeof p->name, "%s", d->name);
    sim_uuid(sim_visible(device), p->uuid);
    return SIM_OK;
}

SIM_API int cudaGetDeviceProperties(struct properties *p, int device)
{
    return result(fill(p, device));
}

SIM_API int cudaGetDeviceProperties_v2(struct properties *p, int device)
{
    return result(fill(p, device));
}

/* driver_types.h: cudaDeviceAttr. */
static int attribute(const struct properties *p, int which)
{
    const struct {
        int which, value;
    } known[] = {
        {1, p->threads_per_block}, {2, 1024}, {3, 1024}, {4, 64}, {5, p->grid[0]}, {6, p->grid[1]},
        {7, p->grid[2]}, {8, (int)p->shared_per_block}, {9, (int)p->constant}, {10, p->warp},
        {11, (int)p->pitch}, {12, p->registers_per_block}, {14, 512}, {15, 1},
        {16, p->multiprocessors}, {18, p->integrated}, {19, 1}, {31, 1}, {33, p->pci_bus},
        {37, p->bus_width}, {38, p->l2}, {39, p->threads_per_multiprocessor},
        {40, p->async_engines}, {41, 1},
        {75, p->major}, {76, p->minor}, {78, 1}, {79, 1}, {80, 1},
        {81, (int)p->shared_per_multiprocessor}, {82, p->registers_per_multiprocessor}, {83, 1},
        {89, 1}, {90, 1}, {91, 1}, {95, 1}, {97, (int)p->shared_optin}, {106, 32}, {111, 1024},
        {115, 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].which == which)
            return known[i].value;
    return 0;
}

SIM_API int cudaDeviceGetAttribute(int *value, int which, int device)
{
    struct properties p;
    int rc = fill(&p, device);
    if (!rc)
        *value = attribute(&p, which);
    return result(rc);
}

/* ------------------------------------------------------------------ devices */

SIM_API int cudaGetDeviceCount(int *n)
{
    *n = sim_visible_count();
    return result(*n ? SIM_OK : SIM_NO_DEVICE);
}

SIM_API int cudaGetDevice(int *device)
{
    *device = sim_current();
    return SIM_OK;
}

SIM_API int cudaSetDevice(int device)
{
    if (!sim_device(device))
        return result(SIM_BAD_DEVICE);
    sim_set_current(device);
    return result(sim_use(device));
}

SIM_API int cudaInitDevice(int device) { return result(sim_use(device)); }

SIM_API int cudaSetDeviceFlags(void) { return SIM_OK; }

SIM_API int cudaGetDeviceFlags(unsigned *flags)
{
    *flags = 0;
    return SIM_OK;
}

SIM_API int cudaChooseDevice(int *device)
{
    *device = 0;
    return result(sim_device(0) ? SIM_OK : SIM_NO_DEVICE);
}

SIM_API int cudaDeviceGetPCIBusId(char *text, int n, int device)
{
    if (!sim_device(device))
        return result(SIM_BAD_DEVICE);
    return result(snprintf(text, (size_t)n, "0000:%02x:00.0", sim_visible(device) + 1) < n
                      ? SIM_OK : SIM_INVALID);
}

SIM_API int cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    unsigned domain, bus;
    for (int i = 0; sscanf(text, "%x:%x:", &domain, &bus) == 2 && i < sim_visible_count(); i++)
        if (sim_visible(i) + 1 == (int)bus) {
            *device = i;
            return SIM_OK;
        }
    return result(SIM_BAD_DEVICE);
}

SIM_API int cudaDeviceCanAccessPeer(int *can, int a, int b)
{
    const struct sim_device *x = sim_device(a), *y = sim_device(b);
    *can = x && y && a != b && x->peer && y->peer;
    return result(x && y ? SIM_OK : SIM_BAD_DEVICE);
}

SIM_API int cudaDeviceGetP2PAttribute(int *value)
{
    *value = 0;
    return SIM_OK;
}

SIM_API int cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = 0;
    return SIM_OK;
}

SIM_API int cudaDeviceGetLimit(size_t *value)
{
    *value = 0;
    return SIM_OK;
}

SIM_API int cudaDriverGetVersion(int *version)
{
    *version = SIM_CUDA;
    return SIM_OK;
}

SIM_API int cudaRuntimeGetVersion(int *version)
{
    *version = SIM_MAJOR * 1000;
    return SIM_OK;
}

/* ------------------------------------------------------------------ memory */

SIM_API int cudaMemGetInfo(size_t *room, size_t *total)
{
    uint64_t f = 0, t = 0;
    int rc = sim_info(sim_current(), &f, &t);
    *room = f;
    *total = t;
    return result(rc);
}

SIM_API int cudaMalloc(void **p, size_t n) { return result(sim_malloc(p, n, sim_current())); }

SIM_API int cudaMallocAsync(void **p, size_t n) { return cudaMalloc(p, n); }

SIM_API int cudaMallocFromPoolAsync(void **p, size_t n) { return cudaMalloc(p, n); }

SIM_API int cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    if (height && *pitch > SIZE_MAX / height)
        return result(SIM_NO_MEMORY);
    return cudaMalloc(p, *pitch * height);
}

SIM_API int cudaMallocManaged(void **p, size_t n)
{
    return result(sim_malloc_managed(p, n, sim_current()));
}

SIM_API int cudaFree(void *p) { return result(sim_free(p)); }

SIM_API int cudaFreeAsync(void *p) { return result(sim_free(p)); }

SIM_API int cudaMallocHost(void **p, size_t n) { return result(sim_malloc_pinned(p, n)); }

SIM_API int cudaHostAlloc(void **p, size_t n) { return result(sim_malloc_pinned(p, n)); }

SIM_API int cudaFreeHost(void *p) { return result(sim_free_pinned(p)); }

SIM_API int cudaHostGetDevicePointer(void **device, void *host)
{
    *device = host;
    return SIM_OK;
}

SIM_API int cudaHostGetFlags(unsigned *flags)
{
    *flags = 0;
    return SIM_OK;
}

/* driver_types.h: cudaPointerAttributes; 0 unregistered, 2 device. */
struct pointer {
    int type, device;
    void *device_pointer, *host_pointer;
};

SIM_API int cudaPointerGetAttributes(struct pointer *out, void *p)
{
    bool device = sim_on_device(p);
    *out = (struct pointer){device ? 2 : 0, sim_current(), device ? p : NULL, device ? NULL : p};
    return SIM_OK;
}

/* cudaMemcpyKind: 0 host to host, 1 to the device, 2 to the host, 3 on devices, 4 find out. */
static void copy(void *to, const void *from, size_t n, int kind)
{
    if (kind == 4)
        kind = sim_on_device(to) ? 1 : sim_on_device(from) ? 2 : 0;
    if (kind == 2)
        memset(to, 0, n);
    else if (kind == 0)
        memmove(to, from, n);
}

SIM_API int cudaMemcpy(void *to, const void *from, size_t n, int kind)
{
    copy(to, from, n, kind);
    return SIM_OK;
}

SIM_API int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind)
{
    copy(to, from, n, kind);
    return SIM_OK;
}

SIM_API int cudaMemcpy2D(char *to, size_t to_pitch, const char *from, size_t from_pitch,
                         size_t width, size_t height, int kind)
{
    for (size_t i = 0; i < height; i++)
        copy(to + i * to_pitch, from + i * from_pitch, width, kind);
    return SIM_OK;
}

SIM_API int cudaMemcpy2DAsync(char *to, size_t to_pitch, const char *from, size_t from_pitch,
                              size_t width, size_t height, int kind)
{
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

SIM_API int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n)
{
    (void)symbol;
    memset(to, 0, n);
    return SIM_OK;
}

SIM_API int cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n)
{
    return cudaMemcpyFromSymbol(to, symbol, n);
}

SIM_API int cudaGetSymbolAddress(void **p, void *symbol)
{
    *p = symbol;
    return SIM_OK;
}

SIM_API int cudaGetSymbolSize(size_t *n)
{
    *n = 0;
    return SIM_OK;
}

/* ------------------------------------------------------------------ errors */

/* driver_types.h: cudaError; the words are the runtime's own, which programs print. */
static const struct {
    int code;
    const char *name, *text;
} errors[] = {{SIM_OK, "cudaSuccess", "no error"},
              {SIM_INVALID, "cudaErrorInvalidValue", "invalid argument"},
              {SIM_NO_MEMORY, "cudaErrorMemoryAllocation", "out of memory"},
              {SIM_NO_DEVICE, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
              {SIM_BAD_DEVICE, "cudaErrorInvalidDevice", "invalid device ordinal"},
              {SIM_NOT_FOUND, "cudaErrorSymbolNotFound", "named symbol not found"},
              {SIM_NOT_SUPPORTED, "cudaErrorNotSupported", "operation not supported"}};

SIM_API const char *cudaGetErrorString(int code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return errors[i].text;
    return "unrecognized error code";
}

SIM_API const char *cudaGetErrorName(int code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return errors[i].name;
    return "unrecognized error code";
}

SIM_API int cudaGetLastError(void)
{
    int rc = last_error;
    last_error = SIM_OK;
    return rc;
}

SIM_API int cudaPeekAtLastError(void) { return last_error; }

/* ------------------------------------------------------------------ handles */

static int handle(void **h)
{
    *h = malloc(16);
    return result(*h ? SIM_OK : SIM_NO_MEMORY);
}

static int forget(void *h)
{
    free(h);
    return SIM_OK;
}

SIM_API int cudaStreamCreate(void **s) { return handle(s); }

SIM_API int cudaStreamCreateWithFlags(void **s) { return handle(s); }

SIM_API int cudaStreamCreateWithPriority(void **s) { return handle(s); }

SIM_API int cudaStreamDestroy(void *s) { return forget(s); }

SIM_API int cudaStreamEndCapture(void *s, void **graph)
{
    (void)s;
    return handle(graph);
}

static int zero(int *value)
{
    *value = 0;
    return SIM_OK;
}

SIM_API int cudaStreamIsCapturing(void *s, int *status)
{
    (void)s;
    return zero(status);
}

SIM_API int cudaStreamGetPriority(void *s, int *priority)
{
    (void)s;
    return zero(priority);
}

SIM_API int cudaStreamGetFlags(void *s, int *flags)
{
    (void)s;
    return zero(flags);
}

SIM_API int cudaStreamGetId(void *s, unsigned long long *id)
{
    *id = (unsigned long long)(uintptr_t)s;
    return SIM_OK;
}

SIM_API int cudaEventCreate(void **e) { return handle(e); }

SIM_API int cudaEventCreateWithFlags(void **e) { return handle(e); }

SIM_API int cudaEventDestroy(void *e) { return forget(e); }

SIM_API int cudaEventElapsedTime(float *ms)
{
    *ms = 0;
    return SIM_OK;
}

SIM_API int cudaGraphCreate(void **g) { return handle(g); }

SIM_API int cudaGraphInstantiate(void **g) { return handle(g); }

SIM_API int cudaGraphInstantiateWithFlags(void **g) { return handle(g); }

SIM_API int cudaGraphDestroy(void *g) { return forget(g); }

SIM_API int cudaGraphExecDestroy(void *g) { return forget(g); }

SIM_API int cudaGraphGetNodes(void *g, void **nodes, size_t *n)
{
    (void)g;
    (void)nodes;
    *n = 0;
    return SIM_OK;
}

SIM_API int cudaThreadExchangeStreamCaptureMode(void) { return SIM_OK; }

static int a_pool;

SIM_API int cudaDeviceGetDefaultMemPool(void **pool)
{
    *pool = &a_pool;
    return SIM_OK;
}

SIM_API int cudaDeviceGetMemPool(void **pool) { return cudaDeviceGetDefaultMemPool(pool); }

SIM_API int cudaMemPoolCreate(void **pool) { return cudaDeviceGetDefaultMemPool(pool); }

SIM_API int cudaMemPoolGetAttribute(void *pool, int which, uint64_t *value)
{
    (void)pool;
    (void)which;
    *value = 0;
    return SIM_OK;
}

/* ------------------------------------------------------------------ kernels */

/* driver_types.h: cudaFuncAttributes, as far as it is filled. */
struct function {
    size_t shared, constant, local;
    int threads, registers, ptx, binary, cached, dynamic_shared, carveout;
};

SIM_API int cudaFuncGetAttributes(struct function *f)
{
    const struct sim_device *d = sim_device(sim_current());
    if (!d)
        return result(SIM_NO_DEVICE);
    *f = (struct function){.threads = 1024, .registers = 128, .ptx = d->cc, .binary = d->cc,
                           .dynamic_shared = d->shared};
    return SIM_OK;
}

SIM_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n)
{
    const struct sim_device *d = sim_device(sim_current());
    *n = d ? d->occupancy : 0;
    return result(d ? SIM_OK : SIM_NO_DEVICE);
}

SIM_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n);
}

SIM_API int cudaOccupancyMaxActiveClusters(int *n)
{
    *n = 1;
    return SIM_OK;
}

SIM_API int cudaOccupancyAvailableDynamicSMemPerBlock(size_t *n)
{
    const struct sim_device *d = sim_device(sim_current());
    *n = d ? (size_t)d->shared : 0;
    return SIM_OK;
}

/* What nvcc's host code calls when a library with kernels is loaded. */
SIM_API void **__cudaRegisterFatBinary(void)
{
    static void *loaded;
    return &loaded;
}

SIM_API int __cudaGetKernel(void **kernel, void *function)
{
    *kernel = function;
    return SIM_OK;
}

/* ------------------------------------------------------------------ the driver's functions */

SIM_API int cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    int *found)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    *function = driver ? dlsym(driver, name) : NULL;
    (void)flags;
    if (found)
        *found = *function ? 0 : 1; /* cudaDriverEntryPointSymbolNotFound */
    return SIM_OK;
}

SIM_API int cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags, int *found)
{
    (void)version;
    return cudaGetDriverEntryPoint(name, function, flags, found);
}
