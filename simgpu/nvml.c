/* libnvidia-ml: what a monitor asks of devices, their memory and who uses it, read from the ledger.
 * nvml.def says what becomes of each call. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* nvml.h: nvmlReturn_t. */
enum { NVML_UNINITIALIZED = 1, NVML_INVALID = 2, NVML_NOT_SUPPORTED = 3, NVML_NOT_FOUND = 6,
       NVML_TOO_SMALL = 7, NVML_NO_DRIVER = 9 };

#define SIM_TABLE "nvml.def"
#define SIM_REFUSAL(name) (sim_refuse(name), NVML_NOT_SUPPORTED)
#include "entry.h"

struct device {
    char unused;
};

static struct device handles[SIM_DEVICES];
static int users;
static struct sim_ledger now; /* as last read; NVML's users call from one thread */

/* ------------------------------------------------------------------ the library */

SIM_API int nvmlInit_v2(void)
{
    if (!sim_open())
        return NVML_NO_DRIVER;
    users++;
    return SIM_OK;
}

SIM_API int nvmlInit(void) { return nvmlInit_v2(); }

SIM_API int nvmlInitWithFlags(void) { return nvmlInit_v2(); }

SIM_API int nvmlShutdown(void)
{
    if (users == 0)
        return NVML_UNINITIALIZED;
    users--;
    return SIM_OK;
}

SIM_API const char *nvmlErrorString(int code)
{
    static const char *const words[] = {
        [SIM_OK] = "Success", [NVML_UNINITIALIZED] = "Uninitialized",
        [NVML_INVALID] = "Invalid Argument", [NVML_NOT_SUPPORTED] = "Not Supported",
        [NVML_NOT_FOUND] = "Not Found", [NVML_TOO_SMALL] = "Insufficient Size",
        [NVML_NO_DRIVER] = "Driver Not Loaded"};
    bool known = code >= 0 && code < (int)(sizeof words / sizeof *words) && words[code];
    return known ? words[code] : "Unknown Error";
}

static int put(char *out, unsigned size, const char *text)
{
    if (strlen(text) >= size)
        return NVML_TOO_SMALL;
    strcpy(out, text);
    return SIM_OK;
}

SIM_API int nvmlSystemGetDriverVersion(char *out, unsigned size)
{
    return users ? put(out, size, SIM_DRIVER) : NVML_UNINITIALIZED;
}

SIM_API int nvmlSystemGetNVMLVersion(char *out, unsigned size)
{
    return users ? put(out, size, "13." SIM_DRIVER) : NVML_UNINITIALIZED;
}

SIM_API int nvmlSystemGetCudaDriverVersion(int *version)
{
    *version = SIM_CUDA;
    return SIM_OK;
}

SIM_API int nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

SIM_API int nvmlSystemGetProcessName(unsigned pid, char *out, unsigned size)
{
    char path[64], text[4096] = "";
    snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return NVML_NOT_FOUND;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0'; /* the words end with zeros: the first is the program */
    snprintf(out, size, "%s", text);
    return SIM_OK;
}

/* ------------------------------------------------------------------ devices */

/* The handle's number in the ledger as it is now, or less than 0: the negated result. */
static int look(const struct device *handle)
{
    if (!users)
        return -NVML_UNINITIALIZED;
    sim_read(&now);
    if (handle < handles || handle >= handles + now.n_devices)
        return -NVML_INVALID;
    return (int)(handle - handles);
}

SIM_API int nvmlDeviceGetCount_v2(unsigned *n)
{
    if (!users)
        return NVML_UNINITIALIZED;
    sim_read(&now);
    *n = now.n_devices;
    return SIM_OK;
}

SIM_API int nvmlDeviceGetCount(unsigned *n) { return nvmlDeviceGetCount_v2(n); }

SIM_API int nvmlDeviceGetHandleByIndex_v2(unsigned i, struct device **handle)
{
    unsigned n;
    int rc = nvmlDeviceGetCount_v2(&n);
    if (rc || i >= n)
        return rc ? rc : NVML_INVALID;
    *handle = &handles[i];
    return SIM_OK;
}

SIM_API int nvmlDeviceGetHandleByIndex(unsigned i, struct device **handle)
{
    return nvmlDeviceGetHandleByIndex_v2(i, handle);
}

SIM_API int nvmlDeviceGetIndex(struct device *handle, unsigned *out)
{
    int i = look(handle);
    *out = i < 0 ? 0 : (unsigned)i;
    return i < 0 ? -i : SIM_OK;
}

SIM_API int nvmlDeviceGetMinorNumber(struct device *handle, unsigned *out)
{
    return nvmlDeviceGetIndex(handle, out);
}

SIM_API int nvmlDeviceGetName(struct device *handle, char *out, unsigned size)
{
    int i = look(handle);
    return i < 0 ? -i : put(out, size, now.device[i].name);
}

SIM_API int nvmlDeviceGetUUID(struct device *handle, char *out, unsigned size)
{
    int i = look(handle);
    unsigned char u[16];
    char text[48] = "GPU-", *p = text + 4;
    sim_uuid(i < 0 ? 0 : i, u);
    for (int k = 0; k < 16; k++)
        p += snprintf(p, 4, "%s%02x", k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "", u[k]);
    return i < 0 ? -i : put(out, size, text);
}

/* nvml.h: nvmlPciInfo_t. */
struct pci {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char bus_id[32];
};

SIM_API int nvmlDeviceGetPciInfo_v3(struct device *handle, struct pci *out)
{
    int i = look(handle);
    if (i < 0)
        return -i;
    *out = (struct pci){.bus = (unsigned)i + 1};
    snprintf(out->legacy, sizeof out->legacy, "0000:%02X:00.0", (unsigned)i + 1);
    snprintf(out->bus_id, sizeof out->bus_id, "00000000:%02X:00.0", (unsigned)i + 1);
    return SIM_OK;
}

SIM_API int nvmlDeviceGetHandleByPciBusId_v2(const char *text, struct device **handle)
{
    unsigned domain, bus, n;
    int rc = nvmlDeviceGetCount_v2(&n);
    if (rc)
        return rc;
    if (sscanf(text, "%x:%x:", &domain, &bus) != 2 || domain != 0 || bus < 1 || bus > n)
        return NVML_NOT_FOUND;
    *handle = &handles[bus - 1];
    return SIM_OK;
}

SIM_API int nvmlDeviceGetHandleByPciBusId(const char *text, struct device **handle)
{
    return nvmlDeviceGetHandleByPciBusId_v2(text, handle);
}

SIM_API int nvmlDeviceGetHandleByUUID(const char *text, struct device **handle)
{
    char own[48];
    unsigned n;
    int rc = nvmlDeviceGetCount_v2(&n);
    for (unsigned i = 0; !rc && i < n; i++)
        if (nvmlDeviceGetUUID(&handles[i], own, sizeof own) == SIM_OK
            && strcasecmp(own, text) == 0) {
            *handle = &handles[i];
            return SIM_OK;
        }
    return rc ? rc : NVML_NOT_FOUND;
}

SIM_API int nvmlDeviceGetCudaComputeCapability(struct device *handle, int *major, int *minor)
{
    int i = look(handle);
    *major = i < 0 ? 0 : now.device[i].cc / 10;
    *minor = i < 0 ? 0 : now.device[i].cc % 10;
    return i < 0 ? -i : SIM_OK;
}

SIM_API int nvmlDeviceGetUtilizationRates(struct device *handle, unsigned out[2])
{
    int i = look(handle);
    out[0] = out[1] = 0;
    return i < 0 ? -i : SIM_OK;
}

/* ------------------------------------------------------------------ memory */

/* nvml.h: nvmlMemory_t, nvmlMemory_v2_t. */
struct memory {
    unsigned long long total, free, used;
};
struct memory_v2 {
    unsigned version;
    unsigned long long total, reserved, free, used;
};

SIM_API int nvmlDeviceGetMemoryInfo_v2(struct device *handle, struct memory_v2 *out)
{
    int i = look(handle);
    if (i < 0)
        return -i;
    const struct sim_device *d = &now.device[i];
    uint64_t held = sim_held(&now, i);
    out->total = d->total + d->reserved;
    out->reserved = d->reserved;
    out->used = held;
    out->free = held < d->total ? d->total - held : 0;
    return SIM_OK;
}

SIM_API int nvmlDeviceGetMemoryInfo(struct device *handle, struct memory *out)
{
    struct memory_v2 m = {0};
    int rc = nvmlDeviceGetMemoryInfo_v2(handle, &m);
    *out = (struct memory){m.total, m.free, m.used + m.reserved};
    return rc;
}

/* nvml.h: nvmlProcessInfo_v1_t, nvmlProcessInfo_t. */
struct process_v1 {
    unsigned pid;
    unsigned long long used;
};
struct process {
    unsigned pid;
    unsigned long long used;
    unsigned gpu_instance, compute_instance;
};

static int processes(struct device *handle, unsigned *n, void *out, bool old)
{
    unsigned room = *n;
    int i = look(handle);
    if (i < 0)
        return -i;
    *n = 0;
    for (int k = 0; k < SIM_PROCESSES; k++) {
        const struct sim_process *p = &now.process[k];
        if (p->dead || p->device[i].used == 0)
            continue;
        if (*n < room && out && old)
            ((struct process_v1 *)out)[*n] =
                (struct process_v1){(unsigned)p->pid, p->device[i].used};
        else if (*n < room && out)
            ((struct process *)out)[*n] =
                (struct process){(unsigned)p->pid, p->device[i].used, ~0u, ~0u};
        ++*n;
    }
    return *n > room ? NVML_TOO_SMALL : SIM_OK;
}

SIM_API int nvmlDeviceGetComputeRunningProcesses(struct device *handle, unsigned *n, void *out)
{
    return processes(handle, n, out, true);
}

SIM_API int nvmlDeviceGetComputeRunningProcesses_v2(struct device *handle, unsigned *n, void *out)
{
    return processes(handle, n, out, false);
}

SIM_API int nvmlDeviceGetComputeRunningProcesses_v3(struct device *handle, unsigned *n, void *out)
{
    return processes(handle, n, out, false);
}

static int nobody(struct device *handle, unsigned *n)
{
    int i = look(handle);
    *n = 0;
    return i < 0 ? -i : SIM_OK;
}

SIM_API int nvmlDeviceGetGraphicsRunningProcesses(struct device *handle, unsigned *n)
{
    return nobody(handle, n);
}

SIM_API int nvmlDeviceGetGraphicsRunningProcesses_v2(struct device *handle, unsigned *n)
{
    return nobody(handle, n);
}

SIM_API int nvmlDeviceGetGraphicsRunningProcesses_v3(struct device *handle, unsigned *n)
{
    return nobody(handle, n);
}

SIM_API int nvmlDeviceGetMPSComputeRunningProcesses_v3(struct device *handle, unsigned *n)
{
    return nobody(handle, n);
}
