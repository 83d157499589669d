/* AMD's GPUs through Linux's own files. The card's use is in sysfs (mem_info_vram_used); a
 * process's in the fdinfo of each of its files that is open on the card (DRM's usage statistics,
 * drivers/gpu/drm/amd/amdgpu/amdgpu_fdinfo.c), and, for programs of the compute stack, in the
 * compute driver's own folder (/sys/class/kfd/kfd/proc/PID/vram_GPU). Newer kernels count the
 * second in the first, older ones do not, so the larger of the two is the process's. */
#define _GNU_SOURCE
#include "measure/proc.h"
#include "measure/reader.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CARDS 64
#define CLIENTS 64

struct card {
    char path[64];      /* "/sys/class/drm/card0/device" */
    uint64_t compute;   /* the compute driver's number for it; 0: none */
};

struct amdgpu {
    struct card card[UL_READER_DEVICES];
};

static bool read_number(const char *root, const char *folder, const char *name, uint64_t *value)
{
    char path[256], text[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return ul_proc_read(root, path, text, sizeof text) && ul_proc_number(text, "", value);
}

/* The rest of the line after a word. */
static bool word_after(const char *text, const char *word, char *out, size_t size)
{
    size_t n = strlen(word);
    for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        if (strncmp(p, word, n) != 0)
            continue;
        p += n + strspn(p + n, " \t");
        snprintf(out, size, "%.*s", (int)strcspn(p, "\n"), p);
        return true;
    }
    return false;
}

/* The compute driver numbers its nodes and says where on the bus each sits: bus, device and
 * function in one number (drivers/gpu/drm/amd/amdkfd/kfd_topology.c, location_id). */
static uint64_t compute_number(const char *root, const char *id)
{
    unsigned bus, device, function;
    if (sscanf(id, "%*x:%x:%x.%x", &bus, &device, &function) != 3)
        return 0;
    for (int node = 0; node < CARDS; node++) {
        char folder[96], path[128], text[4096];
        uint64_t number, location;
        snprintf(folder, sizeof folder, "/sys/class/kfd/kfd/topology/nodes/%d", node);
        snprintf(path, sizeof path, "%s/properties", folder);
        if (!ul_proc_read(root, path, text, sizeof text))
            return 0;
        if (ul_proc_number(text, "location_id ", &location)
            && location == (bus << 8 | device << 3 | function)
            && read_number(root, folder, "gpu_id", &number))
            return number;
    }
    return 0;
}

static void add_card(struct ul_reader *r, int number)
{
    struct amdgpu *a = r->state;
    struct card *c = &a->card[r->n];
    struct ul_reader_device *d = &r->device[r->n];
    char path[128], text[4096];
    uint64_t total;
    snprintf(c->path, sizeof c->path, "/sys/class/drm/card%d/device", number);
    snprintf(path, sizeof path, "%s/uevent", c->path);
    if (!read_number(r->root, c->path, "mem_info_vram_total", &total)
        || !ul_proc_read(r->root, path, text, sizeof text)
        || !word_after(text, "PCI_SLOT_NAME=", d->id, sizeof d->id))
        return;
    snprintf(path, sizeof path, "%s/product_name", c->path);
    if (ul_proc_read(r->root, path, text, sizeof text))
        word_after(text, "", d->name, sizeof d->name);
    if (!d->name[0])
        strcpy(d->name, "AMD GPU");
    c->compute = compute_number(r->root, d->id);
    r->n++;
}

static bool amdgpu_open(struct ul_reader *r)
{
    char text[256];
    r->state = calloc(1, sizeof(struct amdgpu));
    for (int i = 0; r->state && i < CARDS && r->n < UL_READER_DEVICES; i++)
        add_card(r, i);
    if (ul_proc_read(r->root, "/proc/sys/kernel/osrelease", text, sizeof text))
        snprintf(r->driver, sizeof r->driver, "amdgpu %.*s", (int)strcspn(text, "\n"), text);
    if (r->n == 0)
        free(r->state);
    return r->n > 0;
}

/* ------------------------------------------------------------------ a process */

/* One open file on a card. Several files of one client show the same figures. */
struct client {
    int device;
    uint64_t id;
};

static bool seen_before(struct client *clients, int *n, struct client c)
{
    for (int i = 0; i < *n; i++)
        if (clients[i].device == c.device && clients[i].id == c.id)
            return true;
    if (*n < CLIENTS)
        clients[(*n)++] = c;
    return false;
}

/* "drm-memory-vram: 4096 KiB"; newer kernels say drm-resident-vram too, which is the same, and
 * those before DRM agreed on names (5.14 to 5.18) "vram mem: 4096 kB". */
static bool vram_of(const char *text, uint64_t *bytes)
{
    char value[64], unit[8] = "";
    unsigned long long n;
    if (!word_after(text, "drm-memory-vram:", value, sizeof value)
        && !word_after(text, "drm-resident-vram:", value, sizeof value)
        && !word_after(text, "vram mem:", value, sizeof value))
        return false;
    if (sscanf(value, "%llu %7s", &n, unit) < 1)
        return false;
    *bytes = (uint64_t)n << (unit[0] == 'K' || unit[0] == 'k' ? 10
                             : unit[0] == 'M'                 ? 20
                             : unit[0] == 'G'                 ? 30
                                                              : 0);
    return true;
}

static void add_file(struct ul_reader *r, const char *text, struct client *clients, int *n,
                     struct ul_amount *sums)
{
    char value[64];
    uint64_t bytes, id;
    bool named = word_after(text, "drm-driver:", value, sizeof value);
    if ((named && strcmp(value, "amdgpu") != 0) || !vram_of(text, &bytes)
        || !word_after(text, named ? "drm-pdev:" : "pdev:", value, sizeof value))
        return;
    for (int i = 0; i < r->n; i++) {
        char number[32];
        if (strcmp(r->device[i].id, value) != 0)
            continue;
        id = word_after(text, named ? "drm-client-id:" : "pasid:", number, sizeof number)
            ? strtoull(number, NULL, 10) : 0;
        if (id && seen_before(clients, n, (struct client){i, id}))
            return;
        sums[i].known = true;
        sums[i].bytes += bytes;
    }
}

static void add_files(struct ul_reader *r, pid_t pid, struct client *clients, int *n,
                      struct ul_amount *sums)
{
    char folder[4096], path[512], text[4096];
    snprintf(folder, sizeof folder, "%s/proc/%d/fdinfo", r->root ? r->root : "", (int)pid);
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/fdinfo/%.200s", (int)pid, e->d_name);
        if (ul_proc_read(r->root, path, text, sizeof text))
            add_file(r, text, clients, n, sums);
    }
    if (dir)
        closedir(dir);
}

static void add_compute(struct ul_reader *r, pid_t pid, struct ul_amount *sums)
{
    const struct amdgpu *a = r->state;
    char folder[64], name[64];
    uint64_t bytes;
    snprintf(folder, sizeof folder, "/sys/class/kfd/kfd/proc/%d", (int)pid);
    for (int i = 0; i < r->n; i++) {
        snprintf(name, sizeof name, "vram_%llu", (unsigned long long)a->card[i].compute);
        if (!a->card[i].compute || !read_number(r->root, folder, name, &bytes))
            continue;
        sums[i].known = true;
        sums[i].bytes += bytes;
    }
}

static void amdgpu_read(struct ul_reader *r, pid_t top, struct ul_reading *out)
{
    const struct amdgpu *a = r->state;
    struct ul_amount files[UL_READER_DEVICES] = {{0}}, compute[UL_READER_DEVICES] = {{0}};
    struct client clients[CLIENTS];
    pid_t family[UL_PROC_MOST];
    int n_clients = 0, n = top > 0 ? ul_proc_tree(r->root, top, family) : 0;
    for (int i = 0; i < n; i++) {
        add_files(r, family[i], clients, &n_clients, files);
        add_compute(r, family[i], compute);
    }
    for (int i = 0; i < r->n; i++) {
        struct ul_reading_device *d = &out->device[i];
        d->process = compute[i].bytes > files[i].bytes || !files[i].known ? compute[i] : files[i];
        d->total.known = read_number(r->root, a->card[i].path, "mem_info_vram_total",
                                     &d->total.bytes);
        d->used.known = read_number(r->root, a->card[i].path, "mem_info_vram_used",
                                    &d->used.bytes);
        d->free.known = d->total.known && d->used.known && d->total.bytes >= d->used.bytes;
        d->free.bytes = d->free.known ? d->total.bytes - d->used.bytes : 0;
    }
}

static void amdgpu_close(struct ul_reader *r) { free(r->state); }

const struct ul_reader_kind ul_reader_amdgpu = {"amdgpu", amdgpu_open, amdgpu_read, amdgpu_close};
