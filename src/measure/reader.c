/* Choosing a reader, and what all share: process memory, and the device-level difference. */
#include "measure/reader.h"
#include "measure/proc.h"

#include <string.h>

static const struct ul_reader_kind *const kinds[] = {&ul_reader_nvml, &ul_reader_smi,
                                                     &ul_reader_amdgpu, &ul_reader_host};
#define N_KINDS (sizeof kinds / sizeof kinds[0])

int ul_reader_open(struct ul_reader *r, const char *name, const char *root, ullage_error *err)
{
    bool known = false;
    *r = (struct ul_reader){.root = root};
    for (size_t i = 0; i < N_KINDS; i++) {
        if (name && strcmp(name, kinds[i]->name) != 0)
            continue;
        known = true;
        r->kind = kinds[i];
        if (kinds[i]->open(r))
            return ULLAGE_OK;
        *r = (struct ul_reader){.root = root};
    }
    if (!known)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "no reader '%.40s': there are nvml, smi, amdgpu and host", name);
    return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION,
                   "the reader '%.40s' finds no GPU here: is its driver loaded?", name);
}

void ul_reader_close(struct ul_reader *r)
{
    if (r->kind)
        r->kind->close(r);
    *r = (struct ul_reader){0};
}

void ul_reader_before(struct ul_reader *r)
{
    struct ul_reading now;
    ul_reader_read(r, 0, &now);
    for (int i = 0; i < r->n; i++)
        r->before[i] = now.device[i].used;
}

/* Other programs that begin or end meanwhile count as ours; less than before is nothing of ours. */
static void take_difference(const struct ul_reader *r, struct ul_reading *out)
{
    for (int i = 0; i < r->n; i++) {
        struct ul_amount used = out->device[i].used, before = r->before[i];
        struct ul_amount *process = &out->device[i].process;
        process->known = used.known && before.known;
        if (process->known)
            process->bytes = used.bytes > before.bytes ? used.bytes - before.bytes : 0;
    }
}

/* Smaller growth may be anyone's. */
#define GROWTH_LEAST ((uint64_t)32 << 20)

void ul_reader_adapt(struct ul_reader *r, pid_t top)
{
    struct ul_reading now;
    bool grown = false;
    ul_reader_read(r, top, &now);
    for (int i = 0; i < r->n; i++) {
        struct ul_amount used = now.device[i].used, before = r->before[i];
        if (now.device[i].process.known)
            return;
        grown |= used.known && before.known && used.bytes > before.bytes + GROWTH_LEAST;
    }
    r->difference = r->difference || grown;
}

void ul_reader_read(struct ul_reader *r, pid_t top, struct ul_reading *out)
{
    struct ul_proc_memory m;
    memset(out, 0, sizeof *out);
    r->kind->read(r, top, out);
    if (top <= 0)
        return;
    if (r->difference)
        take_difference(r, out);
    if (!ul_proc_memory(r->root, top, &m))
        return;
    out->pss = (struct ul_amount){m.pss, true};
    out->anonymous = (struct ul_amount){m.anonymous, true};
    out->host_peak = (struct ul_amount){m.peak, true};
}

/* ------------------------------------------------------------------ no GPU */

static bool host_open(struct ul_reader *r)
{
    r->n = 0;
    return true;
}

static void host_read(struct ul_reader *r, pid_t top, struct ul_reading *out)
{
    (void)r, (void)top, (void)out; /* process memory comes with every reader */
}

static void host_close(struct ul_reader *r) { (void)r; }

const struct ul_reader_kind ul_reader_host = {"host", host_open, host_read, host_close};
