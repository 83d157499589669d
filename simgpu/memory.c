/* This process's allocations. Device memory is address space that nothing may touch: no kernel
 * runs, and a program that reads it by mistake crashes, as it would on a real card.
 *
 * The driver gives memory in steps of 2 MiB. A request above 1 MiB has steps of its own; smaller
 * ones, in units of 512 bytes, share steps, which are given back when all in them are. */
#define _GNU_SOURCE
#include "sim.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STEP (2 * SIM_MIB)
#define SMALL_MOST SIM_MIB
#define SMALL_UNIT 512

enum what { OF_DEVICE, OF_MANAGED, OF_HOST, OF_ADDRESSES };

struct block {
    struct block *next;
    char *p;
    uint64_t n, charged;
    int device; /* the ledger's number */
    enum what what;
};

struct piece { /* of physical memory; it lives while it has a handle or is mapped anywhere */
    struct piece *next;
    uint64_t handle, n;
    int device, mapped;
    bool released;
};

struct mapping {
    struct mapping *next;
    char *p;
    uint64_t n;
    struct piece *of;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks;
static struct piece *pieces;
static struct mapping *mappings;
static bool used[SIM_DEVICES];        /* the process has its context there */
static uint64_t small[SIM_DEVICES];   /* bytes of small requests */
static _Thread_local int current;

int sim_current(void) { return current; }

void sim_set_current(int device) { current = device; }

static uint64_t up(uint64_t n, uint64_t step) { return (n + step - 1) / step * step; }

/* ------------------------------------------------------------------ taking from the ledger */

/* Managed memory makes way, as the driver moves it to the host; the mutex is held. */
static bool take(int device, enum sim_kind kind, uint64_t bytes)
{
    bool ok = sim_take(device, kind, bytes);
    for (struct block *b = blocks; b && !ok; b = b->next)
        if (b->what == OF_MANAGED && b->device == device && b->charged) {
            sim_give(device, SIM_MEMORY, b->charged);
            b->charged = 0;
            ok = sim_take(device, kind, bytes);
        }
    return ok;
}

static int use(int device, uint64_t context)
{
    if (used[device])
        return SIM_OK;
    used[device] = take(device, SIM_CONTEXT, context);
    return used[device] ? SIM_OK : SIM_NO_MEMORY;
}

static bool take_memory(int device, uint64_t n, uint64_t *charged)
{
    if (n > SMALL_MOST) {
        *charged = up(n, STEP);
        return take(device, SIM_MEMORY, *charged);
    }
    *charged = up(n, SMALL_UNIT);
    uint64_t more = up(small[device] + *charged, STEP) - up(small[device], STEP);
    bool ok = more == 0 || take(device, SIM_MEMORY, more);
    small[device] += ok ? *charged : 0;
    return ok;
}

static void give_memory(const struct block *b)
{
    if (b->n > SMALL_MOST || b->what == OF_MANAGED) {
        sim_give(b->device, SIM_MEMORY, b->charged);
        return;
    }
    uint64_t less = up(small[b->device], STEP) - up(small[b->device] - b->charged, STEP);
    small[b->device] -= b->charged;
    if (less)
        sim_give(b->device, SIM_MEMORY, less);
}

/* ------------------------------------------------------------------ blocks */

static int add(void **p, uint64_t n, uint64_t charged, int device, enum what what)
{
    int access = what == OF_HOST || what == OF_MANAGED ? PROT_READ | PROT_WRITE : PROT_NONE;
    struct block *b = malloc(sizeof *b);
    void *at = b ? mmap(NULL, n, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                 : MAP_FAILED;
    if (at == MAP_FAILED) {
        free(b);
        return SIM_NO_MEMORY;
    }
    *b = (struct block){blocks, at, n, charged, device, what};
    blocks = b;
    *p = at;
    return SIM_OK;
}

static struct block *find(const void *p)
{
    for (struct block *b = blocks; b; b = b->next)
        if (b->p == (const char *)p)
            return b;
    return NULL;
}

static void drop(struct block *b)
{
    struct block **at = &blocks;
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    munmap(b->p, b->n);
    free(b);
}

/* ------------------------------------------------------------------ the devices' memory */

int sim_use(int device)
{
    int d = sim_visible(device);
    if (d < 0)
        return SIM_BAD_DEVICE;
    pthread_mutex_lock(&mutex);
    int rc = use(d, sim_device(device)->context);
    pthread_mutex_unlock(&mutex);
    return rc;
}

int sim_info(int device, uint64_t *room, uint64_t *total)
{
    int d = sim_visible(device), rc = sim_use(device);
    if (rc)
        return rc;
    struct sim_ledger *l = malloc(sizeof *l);
    if (!l)
        return SIM_NO_MEMORY;
    sim_read(l);
    uint64_t held = sim_held(l, d);
    *total = l->device[d].total;
    *room = held < *total ? *total - held : 0;
    free(l);
    return SIM_OK;
}

int sim_malloc(void **p, uint64_t n, int device)
{
    int d = sim_visible(device);
    uint64_t charged = 0;
    *p = NULL;
    if (d < 0)
        return SIM_BAD_DEVICE;
    pthread_mutex_lock(&mutex);
    int rc = use(d, sim_device(device)->context);
    if (!rc && n > 0) {
        rc = n <= UINT64_MAX - STEP && take_memory(d, n, &charged) ? SIM_OK : SIM_NO_MEMORY;
        if (!rc && (rc = add(p, n, charged, d, OF_DEVICE)) != SIM_OK)
            give_memory(&(struct block){.n = n, .charged = charged, .device = d});
    }
    pthread_mutex_unlock(&mutex);
    return rc;
}

/* It may be larger than the device: what is not free stays in the host's memory. */
int sim_malloc_managed(void **p, uint64_t n, int device)
{
    uint64_t room = 0, total;
    int d = sim_visible(device), rc = n > 0 ? sim_info(device, &room, &total) : SIM_INVALID;
    *p = NULL;
    if (rc)
        return rc;
    uint64_t charged = up(n, STEP) < room ? up(n, STEP) : room;
    pthread_mutex_lock(&mutex);
    rc = sim_take(d, SIM_MEMORY, charged) ? add(p, n, charged, d, OF_MANAGED) : SIM_NO_MEMORY;
    pthread_mutex_unlock(&mutex);
    return rc;
}

int sim_malloc_pinned(void **p, uint64_t n)
{
    *p = NULL;
    if (n == 0)
        return SIM_OK;
    pthread_mutex_lock(&mutex);
    int rc = add(p, n, n, -1, OF_HOST);
    pthread_mutex_unlock(&mutex);
    if (!rc)
        sim_pin((int64_t)n);
    return rc;
}

int sim_free(void *p)
{
    if (!p)
        return SIM_OK;
    pthread_mutex_lock(&mutex);
    struct block *b = find(p);
    bool ours = b && (b->what == OF_DEVICE || b->what == OF_MANAGED);
    if (ours) {
        give_memory(b);
        drop(b);
    }
    pthread_mutex_unlock(&mutex);
    return ours ? SIM_OK : SIM_INVALID;
}

int sim_free_pinned(void *p)
{
    if (!p)
        return SIM_OK;
    pthread_mutex_lock(&mutex);
    struct block *b = find(p);
    bool ours = b && b->what == OF_HOST;
    uint64_t n = ours ? b->n : 0;
    if (ours)
        drop(b);
    pthread_mutex_unlock(&mutex);
    if (ours)
        sim_pin(-(int64_t)n);
    return ours ? SIM_OK : SIM_INVALID;
}

bool sim_on_device(const void *p)
{
    bool found = false;
    pthread_mutex_lock(&mutex);
    for (struct block *b = blocks; b && !found; b = b->next)
        found = (b->what == OF_DEVICE || b->what == OF_ADDRESSES) && (const char *)p >= b->p
                && (const char *)p < b->p + b->n;
    pthread_mutex_unlock(&mutex);
    return found;
}

/* It stays to the process's end. */
void sim_library_handle(int device)
{
    const struct sim_device *d = sim_device(device);
    if (d && d->library)
        sim_take(sim_visible(device), SIM_LIBRARY, d->library);
}

/* ------------------------------------------------------------------ physical memory, mapped */

int sim_reserve(void **p, uint64_t n)
{
    *p = NULL;
    if (n == 0)
        return SIM_INVALID;
    pthread_mutex_lock(&mutex);
    int rc = add(p, n, 0, -1, OF_ADDRESSES);
    pthread_mutex_unlock(&mutex);
    return rc;
}

int sim_unreserve(void *p)
{
    pthread_mutex_lock(&mutex);
    struct block *b = find(p);
    bool ours = b && b->what == OF_ADDRESSES;
    if (ours)
        drop(b);
    pthread_mutex_unlock(&mutex);
    return ours ? SIM_OK : SIM_INVALID;
}

int sim_create(uint64_t *handle, uint64_t n, int device)
{
    static uint64_t last;
    int d = sim_visible(device);
    if (d < 0)
        return SIM_BAD_DEVICE;
    if (n == 0 || n % STEP != 0) /* the granularity that cuMemGetAllocationGranularity gives */
        return SIM_INVALID;
    struct piece *piece = malloc(sizeof *piece);
    pthread_mutex_lock(&mutex);
    int rc = piece ? use(d, sim_device(device)->context) : SIM_NO_MEMORY;
    if (!rc && !take(d, SIM_POOL, n))
        rc = SIM_NO_MEMORY;
    if (!rc) {
        *piece = (struct piece){pieces, ++last, n, d, 0, false};
        pieces = piece;
        *handle = piece->handle;
    }
    pthread_mutex_unlock(&mutex);
    if (rc)
        free(piece);
    return rc;
}

static struct piece *piece_of(uint64_t handle)
{
    for (struct piece *c = pieces; c; c = c->next)
        if (c->handle == handle && !c->released)
            return c;
    return NULL;
}

static void drop_piece(struct piece *c)
{
    struct piece **at = &pieces;
    if (!c->released || c->mapped > 0)
        return;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    sim_give(c->device, SIM_POOL, c->n);
    free(c);
}

int sim_map(void *p, uint64_t n, uint64_t handle)
{
    struct mapping *m = malloc(sizeof *m);
    pthread_mutex_lock(&mutex);
    struct piece *c = m ? piece_of(handle) : NULL;
    bool ok = c && n <= c->n;
    if (ok) {
        *m = (struct mapping){mappings, p, n, c};
        mappings = m;
        c->mapped++;
    }
    pthread_mutex_unlock(&mutex);
    if (!ok)
        free(m);
    return ok ? SIM_OK : m ? SIM_INVALID : SIM_NO_MEMORY;
}

int sim_unmap(void *p, uint64_t n)
{
    const char *from = p;
    pthread_mutex_lock(&mutex);
    for (struct mapping **at = &mappings; *at;) {
        struct mapping *m = *at;
        if (m->p < from || m->p + m->n > from + n) {
            at = &m->next;
            continue;
        }
        *at = m->next;
        m->of->mapped--;
        drop_piece(m->of);
        free(m);
    }
    pthread_mutex_unlock(&mutex);
    return SIM_OK;
}

int sim_release(uint64_t handle)
{
    pthread_mutex_lock(&mutex);
    struct piece *c = piece_of(handle);
    if (c) {
        c->released = true;
        drop_piece(c);
    }
    pthread_mutex_unlock(&mutex);
    return c ? SIM_OK : SIM_INVALID;
}

/* ------------------------------------------------------------------ what is not simulated */

int sim_refuse(const char *name)
{
    static const char *said[64];
    static int n;
    pthread_mutex_lock(&mutex);
    bool again = false;
    for (int i = 0; i < n && !again; i++)
        again = strcmp(said[i], name) == 0;
    if (!again) {
        if (n < 64)
            said[n++] = name;
        fprintf(stderr, "simgpu: %s is not simulated: it fails with 'operation not supported'\n",
                name);
    }
    pthread_mutex_unlock(&mutex);
    return SIM_NOT_SUPPORTED;
}
