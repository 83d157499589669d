/* libcuda: of the driver's interface what llama.cpp uses, which is virtual memory and a device's
 * attributes, and what programs look around with. cuda.def says what becomes of each call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define SIM_TABLE "cuda.def"
#include "entry.h"

typedef unsigned long long address;

/* ------------------------------------------------------------------ devices */

SIM_API int cuInit(void) { return sim_visible_count() ? SIM_OK : SIM_NO_DEVICE; }

SIM_API int cuDriverGetVersion(int *version)
{
    *version = SIM_CUDA;
    return SIM_OK;
}

SIM_API int cuDeviceGetCount(int *n)
{
    *n = sim_visible_count();
    return SIM_OK;
}

SIM_API int cuDeviceGet(int *device, int i)
{
    *device = i;
    return sim_device(i) ? SIM_OK : SIM_BAD_DEVICE;
}

SIM_API int cuDeviceGetName(char *name, int n, int device)
{
    const struct sim_device *d = sim_device(device);
    if (!d)
        return SIM_BAD_DEVICE;
    snprintf(name, (size_t)n, "%s", d->name);
    return SIM_OK;
}

SIM_API int cuDeviceGetUuid(unsigned char out[16], int device)
{
    if (!sim_device(device))
        return SIM_BAD_DEVICE;
    sim_uuid(sim_visible(device), out);
    return SIM_OK;
}

SIM_API int cuDeviceGetUuid_v2(unsigned char out[16], int device)
{
    return cuDeviceGetUuid(out, device);
}

SIM_API int cuDeviceTotalMem(size_t *bytes, int device)
{
    const struct sim_device *d = sim_device(device);
    *bytes = d ? d->total : 0;
    return d ? SIM_OK : SIM_BAD_DEVICE;
}

SIM_API int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    return cuDeviceTotalMem(bytes, device);
}

SIM_API int cuDeviceComputeCapability(int *major, int *minor, int device)
{
    const struct sim_device *d = sim_device(device);
    *major = d ? d->cc / 10 : 0;
    *minor = d ? d->cc % 10 : 0;
    return d ? SIM_OK : SIM_BAD_DEVICE;
}

SIM_API int cuDeviceGetPCIBusId(char *text, int n, int device)
{
    if (!sim_device(device))
        return SIM_BAD_DEVICE;
    snprintf(text, (size_t)n, "0000:%02x:00.0", sim_visible(device) + 1);
    return SIM_OK;
}

/* cuda.h: CUdevice_attribute. */
SIM_API int cuDeviceGetAttribute(int *value, int which, int device)
{
    const struct sim_device *d = sim_device(device);
    if (!d)
        return SIM_BAD_DEVICE;
    const struct {
        int which, value;
    } known[] = {{1, 1024}, {8, 48 << 10}, {10, 32}, {12, 65536}, {16, d->sm}, {18, d->integrated},
                 {33, sim_visible(device) + 1}, {38, (int)d->l2}, {41, 1}, {75, d->cc / 10},
                 {76, d->cc % 10}, {83, 1}, {97, d->shared}, {102, d->vmm}, {115, 1}};
    *value = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].which == which)
            *value = known[i].value;
    return SIM_OK;
}

/* ------------------------------------------------------------------ contexts */

/* A context's handle is its device, counted from 1. */
SIM_API int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = (void *)(uintptr_t)(device + 1);
    return sim_use(device);
}

SIM_API int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    *flags = 0;
    *active = 1;
    return sim_device(device) ? SIM_OK : SIM_BAD_DEVICE;
}

SIM_API int cuCtxGetCurrent(void **context)
{
    *context = (void *)(uintptr_t)(sim_current() + 1);
    return SIM_OK;
}

SIM_API int cuCtxSetCurrent(void *context)
{
    int device = (int)(uintptr_t)context - 1;
    if (context && sim_device(device))
        sim_set_current(device);
    return SIM_OK;
}

SIM_API int cuCtxGetDevice(int *device)
{
    *device = sim_current();
    return SIM_OK;
}

/* ------------------------------------------------------------------ memory */

SIM_API int cuMemGetInfo(size_t *room, size_t *total)
{
    uint64_t f = 0, t = 0;
    int rc = sim_info(sim_current(), &f, &t);
    *room = f;
    *total = t;
    return rc;
}

SIM_API int cuMemGetInfo_v2(size_t *room, size_t *total) { return cuMemGetInfo(room, total); }

SIM_API int cuMemAlloc(address *p, size_t n)
{
    void *at;
    int rc = n > 0 ? sim_malloc(&at, n, sim_current()) : SIM_INVALID;
    *p = rc ? 0 : (address)(uintptr_t)at;
    return rc;
}

SIM_API int cuMemAlloc_v2(address *p, size_t n) { return cuMemAlloc(p, n); }

SIM_API int cuMemFree(address p) { return sim_free((void *)(uintptr_t)p); }

SIM_API int cuMemFree_v2(address p) { return cuMemFree(p); }

SIM_API int cuMemGetAllocationGranularity(size_t *step)
{
    *step = 2 * SIM_MIB;
    return SIM_OK;
}

SIM_API int cuMemAddressReserve(address *p, size_t n)
{
    void *at;
    int rc = sim_reserve(&at, n);
    *p = (address)(uintptr_t)at;
    return rc;
}

SIM_API int cuMemAddressFree(address p) { return sim_unreserve((void *)(uintptr_t)p); }

/* cuda.h: CUmemAllocationProp, as far as the device. */
struct allocation {
    int type, handle_types, location_type, device;
};

SIM_API int cuMemCreate(unsigned long long *handle, size_t n, const struct allocation *where)
{
    uint64_t made = 0;
    int rc = sim_create(&made, n, where->device);
    *handle = made;
    return rc;
}

SIM_API int cuMemMap(address p, size_t n, size_t offset, unsigned long long handle)
{
    (void)offset;
    return sim_map((void *)(uintptr_t)p, n, handle);
}

SIM_API int cuMemUnmap(address p, size_t n) { return sim_unmap((void *)(uintptr_t)p, n); }

SIM_API int cuMemRelease(unsigned long long handle) { return sim_release(handle); }

/* ------------------------------------------------------------------ errors, functions by name */

static const struct {
    int code;
    const char *name, *text;
} errors[] = {{SIM_OK, "CUDA_SUCCESS", "no error"},
              {SIM_INVALID, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
              {SIM_NO_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
              {SIM_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
              {SIM_BAD_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
              {SIM_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
              {SIM_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}};

static int spell(int code, const char **name, const char **text)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) {
            *name = errors[i].name;
            *text = errors[i].text;
            return SIM_OK;
        }
    *name = *text = NULL;
    return SIM_INVALID;
}

SIM_API int cuGetErrorString(int code, const char **text)
{
    const char *name;
    return spell(code, &name, text);
}

SIM_API int cuGetErrorName(int code, const char **name)
{
    const char *text;
    return spell(code, name, &text);
}

SIM_API int cuGetProcAddress(const char *name, void **function)
{
    char versioned[128];
    void *self = dlopen("libcuda.so.1", RTLD_NOW);
    snprintf(versioned, sizeof versioned, "%s_v2", name);
    *function = self ? dlsym(self, versioned) : NULL;
    if (self && !*function)
        *function = dlsym(self, name);
    return *function ? SIM_OK : SIM_NOT_FOUND;
}

SIM_API int cuGetProcAddress_v2(const char *name, void **function)
{
    return cuGetProcAddress(name, function);
}
