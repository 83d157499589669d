/* A stand-in for the nvidia-smi command: -L, --query-gpu=, --query-compute-apps=, -i N, csv. It
 * reads the ledger, as the library beside it does. Fields are rows of two tables. */
#define _GNU_SOURCE
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sim_ledger now;

struct row {
    int device, process; /* process < 0: about the device */
    bool units;
};

/* ------------------------------------------------------------------ fields */

static void mib(const struct row *r, uint64_t bytes)
{
    printf("%llu%s", (unsigned long long)(bytes / SIM_MIB), r->units ? " MiB" : "");
}

static void bus(const struct row *r) { printf("00000000:%02X:00.0", (unsigned)r->device + 1); }

static void uuid(const struct row *r)
{
    unsigned char u[16];
    sim_uuid(r->device, u);
    printf("GPU-");
    for (int i = 0; i < 16; i++)
        printf("%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
}

static void name(const struct row *r) { printf("%s", now.device[r->device].name); }
static void number(const struct row *r) { printf("%d", r->device); }
static void driver(const struct row *r) { (void)r; printf("%s", SIM_DRIVER); }
static void idle(const struct row *r) { printf("0%s", r->units ? " %" : ""); }

static void capability(const struct row *r)
{
    printf("%d.%d", now.device[r->device].cc / 10, now.device[r->device].cc % 10);
}

static void total(const struct row *r)
{
    mib(r, now.device[r->device].total + now.device[r->device].reserved);
}

static void reserved(const struct row *r) { mib(r, now.device[r->device].reserved); }
static void used(const struct row *r) { mib(r, sim_held(&now, r->device)); }

static void unused(const struct row *r)
{
    uint64_t held = sim_held(&now, r->device), all = now.device[r->device].total;
    mib(r, held < all ? all - held : 0);
}

static void pid(const struct row *r) { printf("%d", now.process[r->process].pid); }
static void held(const struct row *r) { mib(r, now.process[r->process].device[r->device].used); }

static void program(const struct row *r)
{
    char path[64], text[4096] = "";
    snprintf(path, sizeof path, "/proc/%d/cmdline", now.process[r->process].pid);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    printf("%s", text[0] ? text : "[Not Found]");
}

struct field {
    const char *name, *title;
    void (*print)(const struct row *r);
};

static const struct field of_gpu[] = {
    {"index", "index", number}, {"name", "name", name}, {"gpu_name", "name", name},
    {"uuid", "uuid", uuid}, {"gpu_uuid", "uuid", uuid}, {"pci.bus_id", "pci.bus_id", bus},
    {"gpu_bus_id", "pci.bus_id", bus}, {"driver_version", "driver_version", driver},
    {"compute_cap", "compute_cap", capability}, {"memory.total", "memory.total [MiB]", total},
    {"memory.reserved", "memory.reserved [MiB]", reserved},
    {"memory.used", "memory.used [MiB]", used}, {"memory.free", "memory.free [MiB]", unused},
    {"utilization.gpu", "utilization.gpu [%]", idle}, {NULL, NULL, NULL}};

static const struct field of_process[] = {
    {"pid", "pid", pid}, {"process_name", "process_name", program},
    {"name", "process_name", program},
    {"used_memory", "used_gpu_memory [MiB]", held},
    {"used_gpu_memory", "used_gpu_memory [MiB]", held}, {"gpu_uuid", "gpu_uuid", uuid},
    {"gpu_name", "gpu_name", name}, {"gpu_bus_id", "gpu_bus_id", bus}, {NULL, NULL, NULL}};

/* One line of the fields in `list`; r NULL: their titles. */
static void line(const struct field *fields, const char *list, const struct row *r)
{
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, ",");
        const struct field *f = fields;
        while (f->name && (strlen(f->name) != n || memcmp(f->name, p, n) != 0))
            f++;
        if (!f->name) {
            printf("Field \"%.*s\" is not a valid field to query.\n", (int)n, p);
            exit(2);
        }
        printf("%s", p == list ? "" : ", ");
        if (r)
            f->print(r);
        else
            printf("%s", f->title);
        p += n;
        p += strspn(p, ", ");
    }
    printf("\n");
}

/* ------------------------------------------------------------------ the command */

static void each_process(const char *list, struct row r)
{
    for (r.process = 0; r.process < SIM_PROCESSES; r.process++)
        if (!now.process[r.process].dead && now.process[r.process].device[r.device].used)
            line(of_process, list, &r);
}

static void people(struct row r, bool brief)
{
    printf("GPU %d: ", r.device);
    name(&r);
    printf(" (UUID: ");
    uuid(&r);
    printf(")\n");
    if (brief)
        return;
    printf("    ");
    used(&r);
    printf(" / ");
    total(&r);
    printf(" used\n");
    for (r.process = 0; r.process < SIM_PROCESSES; r.process++)
        if (!now.process[r.process].dead && now.process[r.process].device[r.device].used) {
            printf("    %d  ", now.process[r.process].pid);
            held(&r);
            printf("  ");
            program(&r);
            printf("\n");
        }
}

struct asked {
    const char *gpus, *processes, *format;
    bool brief;
    int only;
};

static bool read_word(struct asked *a, const char *word, const char *next, int *at)
{
    if (strncmp(word, "--query-gpu=", 12) == 0)
        a->gpus = word + 12;
    else if (strncmp(word, "--query-compute-apps=", 21) == 0)
        a->processes = word + 21;
    else if (strncmp(word, "--format=", 9) == 0)
        a->format = word + 9;
    else if (strncmp(word, "--id=", 5) == 0)
        a->only = atoi(word + 5);
    else if (strcmp(word, "-L") == 0 || strcmp(word, "--list-gpus") == 0)
        a->brief = true;
    else if (strcmp(word, "-i") == 0 && next) {
        a->only = atoi(next);
        ++*at;
    } else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct asked a = {.only = -1};
    for (int i = 1; i < argc; i++)
        if (!read_word(&a, argv[i], argv[i + 1], &i)) {
            fprintf(stderr, "nvidia-smi (simulated): '%s' is not simulated\n", argv[i]);
            return 2;
        }
    if (!sim_open()) {
        printf("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
               "(simulated: " SIM_ENV_FOLDER " names no ledger)\n");
        return 9;
    }
    bool query = a.gpus || a.processes;
    if (query && (!a.format || strncmp(a.format, "csv", 3) != 0)) {
        printf("\"--format=\" must say csv\n");
        return 2;
    }
    sim_read(&now);
    struct row r = {.process = -1, .units = !a.format || !strstr(a.format, "nounits")};
    if (query && !strstr(a.format, "noheader"))
        line(a.gpus ? of_gpu : of_process, a.gpus ? a.gpus : a.processes, NULL);
    if (!query && !a.brief)
        printf("NVIDIA-SMI %s (simulated)  CUDA Version: %d.%d\n", SIM_DRIVER, SIM_CUDA / 1000,
               SIM_CUDA % 1000 / 10);
    for (r.device = 0; r.device < (int)now.n_devices; r.device++) {
        if (a.only >= 0 && a.only != r.device)
            continue;
        if (a.gpus)
            line(of_gpu, a.gpus, &r);
        else if (a.processes)
            each_process(a.processes, r);
        else
            people(r, a.brief);
    }
    return 0;
}
