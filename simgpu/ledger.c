/* The ledger's file, its lock, and the rows of processes. */
#define _GNU_SOURCE
#include "sim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    pthread_once_t once;
    pthread_mutex_t mutex;
    struct sim_ledger *l;
    struct sim_process *own;
    int fd;         /* -1: no file, so nobody else looks */
    bool read_only; /* another user's: to be watched only */
} ledger = {.once = PTHREAD_ONCE_INIT, .mutex = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* ------------------------------------------------------------------ the lock */

static void set_lock(short type)
{
    struct flock f = {.l_type = type, .l_whence = SEEK_SET};
    while (ledger.fd >= 0 && fcntl(ledger.fd, F_SETLKW, &f) != 0 && errno == EINTR)
        ;
}

static void lock(void)
{
    pthread_mutex_lock(&ledger.mutex);
    set_lock(ledger.read_only ? F_RDLCK : F_WRLCK);
}

static void unlock(void)
{
    set_lock(F_UNLCK);
    pthread_mutex_unlock(&ledger.mutex);
}

/* ------------------------------------------------------------------ processes */

/* When a process started, by the kernel's clock and never 0; 0 when it is dead, or dead but for its
 * parent's asking. */
static uint64_t start_of(int pid)
{
    char path[64], text[1024], state;
    unsigned long long start;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    const char *p = strrchr(text, ')'); /* a program's name may hold anything */
    if (!p || sscanf(p + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                            "%*d %*d %llu", &state, &start) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : start + 1;
}

static void bury(struct sim_ledger *l)
{
    for (int i = 0; i < SIM_PROCESSES; i++) {
        struct sim_process *p = &l->process[i];
        if (p->pid == 0 || p->dead || start_of(p->pid) == p->start)
            continue;
        p->dead = 1;
        p->pinned = 0;
        for (int d = 0; d < SIM_DEVICES; d++) {
            p->device[d].used = 0;
            memset(p->device[d].now, 0, sizeof p->device[d].now);
        }
    }
}

/* An empty row, else a dead one's. With the lock held. */
static struct sim_process *own_row(void)
{
    if (ledger.own && ledger.own->pid == getpid())
        return ledger.own;
    bury(ledger.l);
    for (int dead = 0; dead < 2; dead++)
        for (int i = 0; i < SIM_PROCESSES; i++) {
            struct sim_process *p = &ledger.l->process[i];
            if (dead ? !p->dead : p->pid != 0)
                continue;
            *p = (struct sim_process){.pid = getpid(), .start = start_of(getpid())};
            return ledger.own = p;
        }
    return NULL;
}

/* ------------------------------------------------------------------ opening */

static bool define(struct sim_ledger *l, const char *spec)
{
    memset(l, 0, sizeof *l);
    int n = strlen(spec) < sizeof l->spec ? sim_devices_read(spec, l->device) : -1;
    if (n <= 0)
        return false;
    l->n_devices = (uint32_t)n;
    strcpy(l->spec, spec);
    memcpy(l->magic, SIM_MAGIC, sizeof l->magic);
    return true;
}

static bool anyone(const struct sim_ledger *l)
{
    for (int i = 0; i < SIM_PROCESSES; i++)
        if (l->process[i].pid && !l->process[i].dead)
            return true;
    return false;
}

/* The first process writes the devices; a later one with others may only when nobody is left. */
static bool agree(struct sim_ledger *l, const char *spec)
{
    bool fresh = memcmp(l->magic, SIM_MAGIC, sizeof l->magic) != 0;
    if (!spec || (!fresh && strcmp(l->spec, spec) == 0))
        return !fresh;
    if (!fresh)
        bury(l);
    if (fresh || !anyone(l))
        return define(l, spec);
    fprintf(stderr, "simgpu: the ledger is in use with other devices: " SIM_ENV_DEVICES
                    " is passed over\n");
    return true;
}

static void *map_file(const char *folder, const char *spec)
{
    char path[4200];
    struct stat st;
    snprintf(path, sizeof path, "%.4096s/ledger", folder);
    if (spec)
        mkdir(folder, 0777);
    ledger.fd = open(path, O_RDWR | O_CLOEXEC | (spec ? O_CREAT : 0), 0666);
    if (ledger.fd < 0) {
        ledger.fd = open(path, O_RDONLY | O_CLOEXEC);
        ledger.read_only = true;
    }
    lock();
    void *p = MAP_FAILED;
    if (ledger.fd >= 0 && fstat(ledger.fd, &st) == 0
        && (st.st_size >= (off_t)sizeof *ledger.l
            || (!ledger.read_only && ftruncate(ledger.fd, sizeof *ledger.l) == 0)))
        p = mmap(NULL, sizeof *ledger.l, PROT_READ | (ledger.read_only ? 0 : PROT_WRITE),
                 MAP_SHARED, ledger.fd, 0);
    bool ok = p != MAP_FAILED && (ledger.read_only || agree(p, spec));
    unlock();
    return ok ? p : NULL;
}

static void open_once(void)
{
    static struct sim_ledger own;
    const char *spec = getenv(SIM_ENV_DEVICES), *folder = getenv(SIM_ENV_FOLDER);
    if (spec && !*spec)
        spec = NULL;
    if (folder && *folder)
        ledger.l = map_file(folder, spec);
    else if (spec && define(&own, spec))
        ledger.l = &own;
}

bool sim_open(void)
{
    pthread_once(&ledger.once, open_once);
    return ledger.l != NULL;
}

/* ------------------------------------------------------------------ reading and charging */

void sim_read(struct sim_ledger *out)
{
    memset(out, 0, sizeof *out);
    if (!sim_open())
        return;
    lock();
    if (!ledger.read_only)
        bury(ledger.l);
    *out = *ledger.l;
    unlock();
    if (ledger.read_only)
        bury(out);
}

uint64_t sim_held(const struct sim_ledger *l, int device)
{
    uint64_t sum = l->device[device].used;
    for (int i = 0; i < SIM_PROCESSES; i++)
        sum += l->process[i].device[device].used;
    return sum;
}

static uint64_t free_now(int device)
{
    uint64_t held = sim_held(ledger.l, device), total = ledger.l->device[device].total;
    return held < total ? total - held : 0;
}

static void charge(struct sim_account *a, enum sim_kind kind, uint64_t bytes)
{
    a->used += bytes;
    a->now[kind] += bytes;
    if (a->used > a->peak_used)
        a->peak_used = a->used;
    if (a->now[kind] > a->peak[kind])
        a->peak[kind] = a->now[kind];
}

bool sim_take(int device, enum sim_kind kind, uint64_t bytes)
{
    if (!sim_open() || ledger.read_only)
        return false;
    lock();
    struct sim_process *own = own_row();
    if (own && bytes > free_now(device))
        bury(ledger.l);
    bool ok = own && bytes <= free_now(device);
    if (ok) {
        charge(&own->device[device], kind, bytes);
    } else if (own) {
        own->device[device].n_refused++;
        own->device[device].refused = bytes;
        own->device[device].refused_free = free_now(device);
    }
    unlock();
    return ok;
}

void sim_give(int device, enum sim_kind kind, uint64_t bytes)
{
    lock();
    struct sim_process *own = own_row();
    if (own && bytes <= own->device[device].now[kind]) {
        own->device[device].used -= bytes;
        own->device[device].now[kind] -= bytes;
    }
    unlock();
}

void sim_pin(int64_t bytes)
{
    if (!sim_open() || ledger.read_only)
        return;
    lock();
    struct sim_process *own = own_row();
    if (own)
        own->pinned += (uint64_t)bytes;
    unlock();
}
