/* The session's folder, environment and ledger. */
#define _GNU_SOURCE
#include "measure/sim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------ libraries and folder */

/* Beside the command in the build's folder, or where `make install` put them. */
static bool find_libraries(char out[UL_SIM_PATH])
{
    static const char *const places[] = {ULLAGE_SIMGPU_INSTALLED, "simgpu/lib"};
    char self[UL_SIM_PATH - 256], probe[UL_SIM_PATH + 64];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    const char *folder = dirname(self);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(out, UL_SIM_PATH, "%s/%s", folder, places[i]);
        snprintf(probe, sizeof probe, "%s/libsimgpu.so", out);
        char *real = access(probe, R_OK) == 0 ? realpath(out, NULL) : NULL;
        if (!real)
            continue;
        bool ok = strlen(real) < UL_SIM_PATH && !strpbrk(real, ": ");
        if (ok)
            strcpy(out, real);
        free(real);
        return ok; /* the loader's lists of folders cannot hold a colon or a blank */
    }
    return false;
}

int ul_sim_open(struct ul_sim *s, const char *log, ullage_error *err)
{
    const char *tmp = getenv("TMPDIR");
    *s = (struct ul_sim){0};
    if (!find_libraries(s->libraries))
        return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "the simulated CUDA libraries are "
                       "not found beside this command: install it whole ('make install'), in a "
                       "folder without blanks and colons in its path");
    snprintf(s->folder, sizeof s->folder, "%.400s/ullage-simulate.XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(s->folder)) {
        int code = ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "no temporary folder: %s: %s",
                           s->folder, strerror(errno));
        s->folder[0] = '\0';
        return code;
    }
    snprintf(s->log, sizeof s->log, log ? "%.900s" : "%.900s/log", log ? log : s->folder);
    snprintf(s->trace, sizeof s->trace, "%.900s/trace", s->folder);
    return ULLAGE_OK;
}

void ul_sim_file(struct ul_sim *s, const char *path, uint64_t offset)
{
    struct stat st;
    size_t n = strlen(s->files);
    if (stat(path, &st) == 0)
        snprintf(s->files + n, sizeof s->files - n, "%s%llu:%llu:%llu", n ? "," : "",
                 (unsigned long long)st.st_dev, (unsigned long long)st.st_ino,
                 (unsigned long long)offset);
}

void ul_sim_close(struct ul_sim *s)
{
    DIR *d = s->folder[0] ? opendir(s->folder) : NULL;
    for (struct dirent *f; d && (f = readdir(d)) != NULL;)
        unlinkat(dirfd(d), f->d_name, 0);
    if (d) {
        closedir(d);
        rmdir(s->folder);
    }
    s->folder[0] = '\0';
}

/* ------------------------------------------------------------------ the environment */

static void prepend(const char *name, const char *value)
{
    const char *old = getenv(name);
    char *text = NULL;
    if (!old || !*old)
        setenv(name, value, 1);
    else if (asprintf(&text, "%s:%s", value, old) > 0) {
        setenv(name, text, 1);
        free(text);
    }
}

/* The preloaded library is named without its folder, which the loader finds by LD_LIBRARY_PATH: its
 * list of preloads knows no quotes. GPUs that are really here are hidden from other back-ends. */
void ul_sim_environment(const struct ul_sim *s, const char *devices)
{
    setenv(SIM_ENV_DEVICES, devices, 1);
    setenv(SIM_ENV_FOLDER, s->folder, 1);
    setenv("ULLAGE_SIMGPU_TRACE", s->trace, 1);
    setenv("ULLAGE_SIMGPU_FILES", s->files, 1);
    unsetenv("CUDA_VISIBLE_DEVICES");
    setenv("GGML_VK_VISIBLE_DEVICES", "", 1);
    setenv("HIP_VISIBLE_DEVICES", "", 1);
    prepend("LD_LIBRARY_PATH", s->libraries);
    prepend("LD_PRELOAD", "libullage-preload.so");
    prepend("PATH", s->libraries);
}

/* ------------------------------------------------------------------ the ledger */

static bool read_ledger(const struct ul_sim *s, struct sim_ledger *l)
{
    char path[UL_SIM_PATH + 16];
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    snprintf(path, sizeof path, "%s/ledger", s->folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (fcntl(fd, F_SETLKW, &lock) != 0 && errno == EINTR)
        ;
    bool ok = read(fd, l, sizeof *l) == (ssize_t)sizeof *l
              && memcmp(l->magic, SIM_MAGIC, sizeof l->magic) == 0 && l->n_devices <= SIM_DEVICES;
    close(fd);
    return ok;
}

/* Peaks of several processes are taken to be at one time. */
static void add(struct sim_account *sum, const struct sim_account *a)
{
    for (int k = 0; k < SIM_KINDS; k++) {
        sum->now[k] += a->now[k];
        sum->peak[k] += a->peak[k];
    }
    sum->used += a->used;
    sum->peak_used += a->peak_used;
    sum->n_refused += a->n_refused;
    if (a->n_refused) {
        sum->refused = a->refused;
        sum->refused_free = a->refused_free;
    }
}

bool ul_sim_read(const struct ul_sim *s, struct ul_sim_state *out)
{
    struct stat st;
    struct sim_ledger *l = malloc(sizeof *l);
    bool ok = l && read_ledger(s, l);
    *out = (struct ul_sim_state){0};
    if (stat(s->trace, &st) == 0)
        out->trace_bytes = (uint64_t)st.st_size;
    for (int i = 0; ok && i < (int)l->n_devices; i++) {
        struct ul_sim_device *d = &out->device[out->n++];
        d->total = l->device[i].total;
        d->used = l->device[i].used;
        for (int p = 0; p < SIM_PROCESSES; p++)
            add(&d->account, &l->process[p].device[i]);
        if (d->account.n_refused) {
            out->refused = true;
            out->refused_device = i;
        }
    }
    for (int p = 0; ok && p < SIM_PROCESSES; p++)
        out->processes += l->process[p].pid != 0;
    free(l);
    return ok;
}

/* ------------------------------------------------------------------ a reader of it */

static bool reader_open(struct ul_reader *r)
{
    (void)r;
    return true;
}

static void reader_read(struct ul_reader *r, pid_t top, struct ul_reading *out)
{
    struct ul_sim_state now;
    (void)top; /* the ledger has no others */
    r->n = ul_sim_read(r->state, &now) ? now.n : 0;
    for (int i = 0; i < r->n && i < UL_READER_DEVICES; i++) {
        const struct ul_sim_device *d = &now.device[i];
        struct ul_reading_device *to = &out->device[i];
        to->process = (struct ul_amount){d->account.used, true};
        to->total = (struct ul_amount){d->total, true};
        to->used = (struct ul_amount){d->used + d->account.used, true};
        uint64_t held = to->used.bytes;
        to->free = (struct ul_amount){d->total > held ? d->total - held : 0, true};
    }
}

static void reader_close(struct ul_reader *r) { (void)r; }

void ul_sim_reader(struct ul_reader *r, struct ul_sim *s)
{
    static const struct ul_reader_kind kind = {"simulated", reader_open, reader_read, reader_close};
    *r = (struct ul_reader){.kind = &kind, .state = s};
}
