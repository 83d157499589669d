/* The devices, from a description, and which of them the process may see.
 *
 *     ULLAGE_SIMGPU='name=RTX 4090,total=24564MiB,cc=8.9,sm=128; name=RTX 3060,total=12GiB,cc=8.6'
 *
 * Sizes are bytes, or have KiB, MiB or GiB behind them. What is not said follows from the compute
 * capability, by NVIDIA's programming guide. A description that cannot be read gives no devices: a
 * wrong one that half works would be worse. */
#define _GNU_SOURCE
#include "sim.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ------------------------------------------------------------------ reading */

static bool size_of(const char *text, uint64_t *bytes)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB"};
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    uint64_t n = strtoull(text, &end, 10);
    for (int i = 0; i < 4; i++)
        if (strcmp(end, units[i]) == 0) {
            *bytes = n << 10 * i;
            return *bytes >> 10 * i == n;
        }
    return false;
}

static bool number_of(const char *text, int32_t *value)
{
    uint64_t n;
    if (!size_of(text, &n) || n > INT32_MAX)
        return false;
    *value = (int32_t)n;
    return true;
}

/* "8.9" as 89. */
static bool capability_of(const char *text, int32_t *cc)
{
    int major, minor;
    char rest;
    if (sscanf(text, "%2d.%1d%c", &major, &minor, &rest) != 2 || major < 1 || minor < 0)
        return false;
    *cc = major * 10 + minor;
    return true;
}

static bool set_key(struct sim_device *d, const char *key, const char *value)
{
    const struct {
        const char *name;
        uint64_t *size;
        int32_t *number;
    } keys[] = {{"total", &d->total, NULL}, {"used", &d->used, NULL},
                {"context", &d->context, NULL}, {"reserved", &d->reserved, NULL},
                {"library", &d->library, NULL}, {"sm", NULL, &d->sm}, {"shared", NULL, &d->shared},
                {"occupancy", NULL, &d->occupancy}, {"vmm", NULL, &d->vmm},
                {"peer", NULL, &d->peer}, {"integrated", NULL, &d->integrated}};
    if (strcmp(key, "name") == 0)
        return snprintf(d->name, sizeof d->name, "%s", value) < (int)sizeof d->name;
    if (strcmp(key, "cc") == 0)
        return capability_of(value, &d->cc);
    if (strcmp(key, "l2") == 0) {
        int32_t l2;
        bool ok = number_of(value, &l2);
        d->l2 = ok ? (uint32_t)l2 : 0;
        return ok;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i].name) == 0)
            return keys[i].size ? size_of(value, keys[i].size) : number_of(value, keys[i].number);
    return false;
}

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": the most shared
 * memory of a thread block. */
static int32_t shared_of(int cc)
{
    static const struct {
        int cc;
        int32_t kib;
    } known[] = {{70, 96}, {72, 96}, {75, 64}, {80, 163}, {86, 99}, {87, 163}, {89, 99},
                 {90, 227}, {100, 227}, {103, 227}, {110, 227}, {120, 99}, {121, 99}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].cc == cc)
            return known[i].kib * 1024;
    return (cc < 70 ? 48 : 99) * 1024;
}

static bool read_device(char *text, struct sim_device *d)
{
    char *outer;
    *d = (struct sim_device){.name = "Simulated GPU", .cc = 89, .sm = 128, .occupancy = 2, .vmm = 1,
                             .l2 = 48 << 20};
    for (char *k = strtok_r(text, ",", &outer); k; k = strtok_r(NULL, ",", &outer)) {
        k += strspn(k, " \n");
        char *value = strchr(k, '=');
        if (value)
            *value++ = '\0';
        if (!value || !set_key(d, k, value)) {
            fprintf(stderr, "simgpu: '%s%s%s' in %s describes no device\n", k, value ? "=" : "",
                    value ? value : "", SIM_ENV_DEVICES);
            return false;
        }
    }
    if (!d->shared)
        d->shared = shared_of(d->cc);
    if (d->total == 0)
        fprintf(stderr, "simgpu: a device without total= in %s\n", SIM_ENV_DEVICES);
    return d->total > 0;
}

int sim_devices_read(const char *spec, struct sim_device device[SIM_DEVICES])
{
    char *copy = strdup(spec), *outer;
    int n = 0;
    bool ok = copy != NULL;
    for (char *t = ok ? strtok_r(copy, ";", &outer) : NULL; ok && t;
         t = strtok_r(NULL, ";", &outer)) {
        if (t[strspn(t, " \n")] == '\0')
            continue;
        if (n == SIM_DEVICES)
            fprintf(stderr, "simgpu: more than %d devices\n", SIM_DEVICES);
        ok = n < SIM_DEVICES && read_device(t, &device[n++]);
    }
    free(copy);
    return ok ? n : -1;
}

/* ------------------------------------------------------------------ what is seen */

/* A made-up identity, of the random kind (RFC 9562's version 4), that counts the devices. */
void sim_uuid(int ledger_device, unsigned char out[16])
{
    static const unsigned char base[16] = {0x75, 0x6c, 0x6c, 0x61, 0x67, 0x65, 0x40, 0x00,
                                           0x80, 0x73, 0x69, 0x6d, 0x67, 0x70, 0x75, 0x00};
    memcpy(out, base, sizeof base);
    out[15] = (unsigned char)ledger_device;
}

static struct {
    pthread_once_t once;
    struct sim_device device[SIM_DEVICES];
    int seen[SIM_DEVICES]; /* ledger numbers */
    int n;
} view = {.once = PTHREAD_ONCE_INIT};

/* "GPU-756c6c61...", or its beginning. */
static int find_uuid(const char *text, size_t n, int n_devices)
{
    for (int i = 0; n > 4 && i < n_devices; i++) {
        unsigned char u[16];
        char spelled[48] = "GPU-", *p = spelled + 4;
        sim_uuid(i, u);
        for (int k = 0; k < 16; k++)
            p += snprintf(p, 4, "%s%02x", k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "", u[k]);
        if (strncasecmp(spelled, text, n) == 0)
            return i;
    }
    return -1;
}

static int find_visible(const char *text, size_t n, int n_devices)
{
    char *end;
    if (strncmp(text, "GPU-", 4) == 0)
        return find_uuid(text, n, n_devices);
    long i = strtol(text, &end, 10);
    return end == text + n && n > 0 && i >= 0 && i < n_devices ? (int)i : -1;
}

/* As CUDA does, the list ends at the first word that is no device. */
static void look(void)
{
    static struct sim_ledger l; /* large; once only */
    sim_read(&l);
    memcpy(view.device, l.device, sizeof view.device);
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    for (int i = 0; !list && i < (int)l.n_devices; i++)
        view.seen[view.n++] = i;
    while (list && *list && view.n < SIM_DEVICES) {
        size_t n = strcspn(list, ",");
        int i = find_visible(list, n, (int)l.n_devices);
        if (i < 0)
            break;
        view.seen[view.n++] = i;
        list += n + (list[n] == ',');
    }
}

int sim_visible_count(void)
{
    pthread_once(&view.once, look);
    return view.n;
}

int sim_visible(int device)
{
    return device >= 0 && device < sim_visible_count() ? view.seen[device] : -1;
}

const struct sim_device *sim_device(int device)
{
    int i = sim_visible(device);
    return i < 0 ? NULL : &view.device[i];
}
