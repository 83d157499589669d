/* NVIDIA's management library, loaded when it is there. It lists, for each GPU, the processes that
 * hold memory on it and how much; inside some containers and on Windows' subsystem for Linux it
 * lists none, or without figures, and then the device's own use is all there is.
 *
 * Struct layouts and values are nvml.h's. The process list changed its item's size twice; the
 * function's suffix says which it takes. */
#define _GNU_SOURCE
#include "measure/proc.h"
#include "measure/reader.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct memory_v1 {
    unsigned long long total, free, used;
};
struct memory_v2 {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
#define MEMORY_V2 ((unsigned)(sizeof(struct memory_v2) | 2u << 24))

/* nvmlProcessInfo_v1_t; nvmlProcessInfo_t has the GPU's instances behind. */
struct process_v1 {
    unsigned pid;
    unsigned long long used;
};
struct process {
    unsigned pid;
    unsigned long long used; /* NVML_VALUE_NOT_AVAILABLE: all ones */
    unsigned gpu_instance, compute_instance;
};
#define PROCESSES 256

struct pci {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char bus_id[32];
};

struct nvml {
    void *library;
    int (*init)(void), (*shutdown)(void), (*count)(unsigned *);
    int (*handle)(unsigned, void **);
    int (*name)(void *, char *, unsigned), (*driver)(char *, unsigned);
    int (*pci)(void *, struct pci *);
    int (*memory)(void *, struct memory_v1 *);
    int (*memory_v2)(void *, struct memory_v2 *);
    int (*compute)(void *, unsigned *, void *), (*graphics)(void *, unsigned *, void *);
    bool old_items; /* the list's items are process_v1 */
    void *device[UL_READER_DEVICES];
};

/* dlsym gives an object pointer; POSIX lets it be copied into a function pointer. */
static bool load(struct nvml *n, const char *name, void *function)
{
    void *symbol = dlsym(n->library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load_all(struct nvml *n)
{
    n->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!n->library)
        return false;
    load(n, "nvmlDeviceGetMemoryInfo_v2", &n->memory_v2);
    load(n, "nvmlDeviceGetPciInfo_v3", &n->pci);
    load(n, "nvmlSystemGetDriverVersion", &n->driver);
    if (load(n, "nvmlDeviceGetComputeRunningProcesses_v3", &n->compute)
        || load(n, "nvmlDeviceGetComputeRunningProcesses_v2", &n->compute)) {
        if (!load(n, "nvmlDeviceGetGraphicsRunningProcesses_v3", &n->graphics))
            load(n, "nvmlDeviceGetGraphicsRunningProcesses_v2", &n->graphics);
    } else {
        n->old_items = load(n, "nvmlDeviceGetComputeRunningProcesses", &n->compute);
        load(n, "nvmlDeviceGetGraphicsRunningProcesses", &n->graphics);
    }
    return load(n, "nvmlInit_v2", &n->init) && load(n, "nvmlShutdown", &n->shutdown)
           && load(n, "nvmlDeviceGetCount_v2", &n->count)
           && load(n, "nvmlDeviceGetHandleByIndex_v2", &n->handle)
           && load(n, "nvmlDeviceGetName", &n->name)
           && load(n, "nvmlDeviceGetMemoryInfo", &n->memory);
}

/* "00000000:01:00.0" as "0000:01:00.0", which is how the engine's log has it. */
static void device_id(const struct nvml *n, void *handle, char id[64])
{
    struct pci p = {0};
    if (!n->pci || n->pci(handle, &p))
        return;
    const char *colon = strchr(p.bus_id, ':');
    const char *from = colon && colon - p.bus_id == 8 ? p.bus_id + 4 : p.bus_id;
    strncpy(id, from, 63);
    for (char *c = id; *c; c++)
        *c |= *c >= 'A' && *c <= 'Z' ? 0x20 : 0;
}

static bool nvml_open(struct ul_reader *r)
{
    struct nvml *n = calloc(1, sizeof *n);
    unsigned count = 0;
    r->state = n;
    if (r->root || !n || !load_all(n) || n->init()) {
        free(n);
        return false;
    }
    n->count(&count);
    for (unsigned i = 0; i < count && r->n < UL_READER_DEVICES; i++) {
        if (n->handle(i, &n->device[r->n]))
            continue;
        n->name(n->device[r->n], r->device[r->n].name, sizeof r->device[0].name);
        device_id(n, n->device[r->n], r->device[r->n].id);
        r->n++;
    }
    if (n->driver)
        n->driver(r->driver, sizeof r->driver);
    if (r->n == 0) {
        n->shutdown();
        free(n);
    }
    return r->n > 0;
}

/* The first version counts the driver's reserve as used; the second says it apart. */
static void device_memory(const struct nvml *n, void *handle, struct ul_reading_device *d)
{
    struct memory_v2 v2 = {.version = MEMORY_V2};
    struct memory_v1 v1;
    if (n->memory_v2 && n->memory_v2(handle, &v2) == 0)
        v1 = (struct memory_v1){v2.total - v2.reserved, v2.free, v2.used};
    else if (n->memory(handle, &v1))
        return;
    d->total = (struct ul_amount){v1.total, true};
    d->used = (struct ul_amount){v1.used, true};
    d->free = (struct ul_amount){v1.free, true};
}

struct family {
    pid_t pid[UL_PROC_MOST];
    int n;
};

static int member(const struct family *f, unsigned pid)
{
    for (int i = 0; i < f->n; i++)
        if (f->pid[i] == (pid_t)pid)
            return i;
    return -1;
}

/* A process that computes and draws is on both lists, with the same figure: `seen` remembers it.
 * False when a figure of the family is withheld. */
static bool add_list(const struct nvml *n, int (*list)(void *, unsigned *, void *), void *handle,
                     const struct family *f, bool seen[UL_PROC_MOST], struct ul_amount *sum)
{
    static union {
        struct process now[PROCESSES];
        struct process_v1 old[PROCESSES];
    } items;
    unsigned count = PROCESSES;
    if (!list || list(handle, &count, &items))
        return true;
    for (unsigned i = 0; i < count; i++) {
        unsigned pid = n->old_items ? items.old[i].pid : items.now[i].pid;
        unsigned long long used = n->old_items ? items.old[i].used : items.now[i].used;
        int who = member(f, pid);
        if (who < 0 || seen[who])
            continue;
        seen[who] = true;
        if (used == ~0ull)
            return false;
        sum->known = true;
        sum->bytes += used;
    }
    return true;
}

static void nvml_read(struct ul_reader *r, pid_t top, struct ul_reading *out)
{
    struct nvml *n = r->state;
    struct family f = {.n = 0};
    if (top > 0)
        f.n = ul_proc_tree(NULL, top, f.pid);
    for (int i = 0; i < r->n; i++) {
        struct ul_reading_device *d = &out->device[i];
        bool seen[UL_PROC_MOST] = {false};
        device_memory(n, n->device[i], d);
        if (f.n == 0)
            continue;
        if (!add_list(n, n->compute, n->device[i], &f, seen, &d->process)
            || !add_list(n, n->graphics, n->device[i], &f, seen, &d->process))
            d->process = (struct ul_amount){0};
    }
}

static void nvml_close(struct ul_reader *r)
{
    struct nvml *n = r->state;
    n->shutdown();
    free(n);
}

const struct ul_reader_kind ul_reader_nvml = {"nvml", nvml_open, nvml_read, nvml_close};
