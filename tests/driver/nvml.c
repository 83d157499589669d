/* NVIDIA's library as one GPU would have it whose only user is tests/fake_server.c: what that holds
 * is in the file $ULLAGE_FAKE_USE, "PID BYTES". ULLAGE_FAKE_NVML says how a driver may be: "hidden"
 * lists no processes, "withheld" lists them without figures, "old" has the first lists only. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB (1ull << 20)
#define OTHERS (700 * MIB) /* what other programs hold */

struct memory_v1 {
    unsigned long long total, free, used;
};
struct process {
    unsigned pid;
    unsigned long long used;
    unsigned gi, ci;
};
struct pci {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char bus_id[32];
};

static int is(const char *mode)
{
    const char *now = getenv("ULLAGE_FAKE_NVML");
    return now && strcmp(now, mode) == 0;
}

/* A server that ended holds nothing, whatever the file says. */
static int use(unsigned *pid, unsigned long long *bytes)
{
    const char *path = getenv("ULLAGE_FAKE_USE");
    FILE *f = path ? fopen(path, "r") : NULL;
    int ok = f && fscanf(f, "%u %llu", pid, bytes) == 2 && kill((int)*pid, 0) == 0;
    if (f)
        fclose(f);
    return ok;
}

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { return *n = 1, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **h) { return *h = (void *)"gpu", (int)i; }
int nvmlDeviceGetName(void *h, char *name, unsigned n)
{
    return (void)h, snprintf(name, n, "Fake GPU"), 0;
}
int nvmlSystemGetDriverVersion(char *v, unsigned n) { return snprintf(v, n, "1.2.3"), 0; }
int nvmlDeviceGetPciInfo_v3(void *h, struct pci *p)
{
    return (void)h, snprintf(p->bus_id, sizeof p->bus_id, "00000000:0A:00.0"), 0;
}
int nvmlDeviceGetMemoryInfo(void *h, struct memory_v1 *m)
{
    unsigned pid;
    unsigned long long bytes = 0;
    (void)h;
    m->used = OTHERS + (use(&pid, &bytes) ? bytes : 0);
    m->total = 8192 * MIB;
    m->free = m->total - m->used;
    return 0;
}

static int list(unsigned *n, unsigned *pid, unsigned long long *used)
{
    unsigned room = *n;
    *n = !is("hidden") && use(pid, used);
    if (is("withheld"))
        *used = ~0ull;
    return *n > room ? 7 : 0;
}

#ifdef OLD
int nvmlDeviceGetComputeRunningProcesses(void *h, unsigned *n, void *out)
{
    struct {
        unsigned pid;
        unsigned long long used;
    } *items = out;
    return (void)h, list(n, &items->pid, &items->used);
}
#else
int nvmlDeviceGetComputeRunningProcesses_v3(void *h, unsigned *n, struct process *items)
{
    return (void)h, list(n, &items->pid, &items->used);
}
/* The same process draws too, with the same figure. */
int nvmlDeviceGetGraphicsRunningProcesses_v3(void *h, unsigned *n, struct process *items)
{
    return (void)h, list(n, &items->pid, &items->used);
}
#endif
