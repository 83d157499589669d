/* A line's buffers are neighbours in the list of those with its name: a cache's and a model's are
 * one entry a line, a compute buffer's one line for all its entries, which the allocator may have
 * made several of. So a run of neighbours whose sum rounds to the log's figure is taken, those
 * that still lived at the list's end before those that did not. Compute buffers come last; of two
 * that would do, theirs is the later. */
#define _GNU_SOURCE
#include "measure/seen.h"

#include "base/size.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB 1048576.0
#define STEP ((uint64_t)2 << 20) /* of the driver's large allocations */
#define RUN_MOST 64

struct entry {
    unsigned number, parent;
    uint64_t bytes;
    char name[64];
    bool freed, taken;
};

struct list {
    struct entry *v;
    size_t n, cap;
};

/* ------------------------------------------------------------------ the list */

static struct entry *entry_of(const struct list *l, unsigned number)
{
    for (size_t i = l->n; i-- > 0;)
        if (l->v[i].number == number)
            return &l->v[i];
    return NULL;
}

static bool add_entry(struct list *l, const struct entry *x)
{
    if (l->n == l->cap) {
        size_t cap = l->cap * 2 + 256;
        struct entry *v = realloc(l->v, cap * sizeof *v);
        if (!v)
            return false;
        l->v = v;
        l->cap = cap;
    }
    l->v[l->n++] = *x;
    return true;
}

static bool read_line(struct list *l, const char *line)
{
    struct entry x = {0}, *freed;
    unsigned long long bytes;
    if (sscanf(line, "%*[a-z] %u %u %llu %63s", &x.number, &x.parent, &bytes, x.name) == 4) {
        x.bytes = bytes;
        return add_entry(l, &x);
    }
    if (sscanf(line, "free %u", &x.number) == 1 && (freed = entry_of(l, x.number)) != NULL)
        freed->freed = true;
    return true;
}

static bool read_list(struct list *l, const char *path, uint64_t most)
{
    char line[256];
    bool ok = true;
    uint64_t at = 0;
    FILE *f = fopen(path, "re");
    while (f && ok && (!most || at < most) && fgets(line, sizeof line, f)) {
        at += strlen(line);
        ok = read_line(l, line);
    }
    if (f)
        fclose(f);
    return ok;
}

/* ------------------------------------------------------------------ lines and entries */

static bool may_be(const struct entry *x, const struct ul_ev_buffer *b, bool freed)
{
    return x->parent == 0 && !x->taken && x->freed == freed && strcmp(x->name, b->buffer) == 0;
}

/* The sum of a run of `n` such neighbours from `at` on; false when there are not so many. */
static bool run_of(const struct list *l, size_t at, int n, const struct ul_ev_buffer *b, bool freed,
                   uint64_t *sum)
{
    *sum = 0;
    for (size_t i = at; n > 0 && i < l->n; i++)
        if (may_be(&l->v[i], b, freed)) {
            *sum = ul_add(*sum, l->v[i].bytes);
            n--;
        }
    return n == 0;
}

static bool rounds_to(uint64_t bytes, const struct ul_ev_buffer *b)
{
    return fabs((double)bytes / MIB - b->mib) <= 0.005 * b->lines + 1e-6;
}

static int find_run(const struct list *l, int n, const struct ul_ev_buffer *b, bool freed,
                    uint64_t *sum)
{
    bool last = strcmp(b->kind, "compute") == 0;
    for (size_t k = 0; k < l->n; k++) {
        size_t at = last ? l->n - 1 - k : k;
        if (may_be(&l->v[at], b, freed) && run_of(l, at, n, b, freed, sum) && rounds_to(*sum, b))
            return (int)at;
    }
    return -1;
}

/* ------------------------------------------------------------------ whose memory it is */

static bool is_gpu(const char *name)
{
    return strncmp(name, "CUDA", 4) == 0 && name[4] >= '0' && name[4] <= '9'
           && strspn(name + 4, "0123456789") == strlen(name + 4);
}

/* As simgpu/memory.c takes it; small ones are so few that a shared step is left out. */
static uint64_t charge(uint64_t bytes)
{
    return bytes > STEP / 2 ? ul_pad(bytes, STEP) : ul_pad(bytes, 512);
}

static void add_part(struct ul_seen *seen, const char *name, const char *kind, uint64_t bytes)
{
    const char *device = is_gpu(name) ? name : "Host";
    struct ul_seen_part *p = seen->part;
    while (p < seen->part + seen->n_parts
           && (strcmp(p->device, device) != 0 || strcmp(p->kind, kind) != 0))
        p++;
    if (p == seen->part + UL_SEEN_PARTS)
        return;
    if (p == seen->part + seen->n_parts) {
        *p = (struct ul_seen_part){.kind = kind};
        snprintf(p->device, sizeof p->device, "%s", device);
        seen->n_parts++;
    }
    p->bytes = ul_add(p->bytes, bytes);
    p->charged = ul_add(p->charged, is_gpu(name) ? charge(bytes) : bytes);
}

/* "Meta()" stands for a buffer on each device (-sm tensor). */
static bool is_several(const char *name) { return strncmp(name, "Meta", 4) == 0; }

static void add_parts(struct ul_seen *seen, const struct list *l, const struct entry *x,
                      const char *kind)
{
    bool any = false;
    for (size_t i = 0; is_several(x->name) && i < l->n; i++)
        if (l->v[i].parent == x->number) {
            add_part(seen, l->v[i].name, kind, l->v[i].bytes);
            any = true;
        }
    if (!any)
        add_part(seen, x->name, kind, x->bytes);
}

static void take_run(struct ul_seen *seen, struct list *l, int at, int n,
                     const struct ul_ev_buffer *b, bool freed)
{
    for (size_t i = (size_t)at; n > 0 && i < l->n; i++)
        if (may_be(&l->v[i], b, freed)) {
            l->v[i].taken = true;
            add_parts(seen, l, &l->v[i], b->kind);
            n--;
        }
}

/* Entries from `at` on that are one buffer on each device, the first to the last; how many, and the
 * largest. */
static size_t one_a_device(const struct list *l, size_t at, uint64_t *most)
{
    size_t n = 0;
    char device[32] = "CUDA0";
    *most = 0;
    while (at + n < l->n && !l->v[at + n].taken && l->v[at + n].parent == 0
           && strcmp(l->v[at + n].name, device) == 0) {
        *most = ul_max(*most, l->v[at + n].bytes);
        snprintf(device, sizeof device, "CUDA%zu", ++n);
    }
    return n < 2 ? 0 : n;
}

/* So many of these one after the other, as the log has lines; where they end. */
static size_t each_line(const struct list *l, size_t at, int lines, uint64_t *sum)
{
    uint64_t most;
    *sum = 0;
    for (size_t n; lines > 0 && (n = one_a_device(l, at, &most)) > 0; lines--) {
        *sum = ul_add(*sum, most);
        at += n;
    }
    return lines > 0 ? 0 : at;
}

/* The weights and caches of -sm tensor are made on each device one after the other, and the log has
 * the largest of them. */
static bool match_devices(struct ul_seen *seen, struct list *l, const struct ul_ev_buffer *b,
                          struct ul_seen_buffer *out)
{
    for (size_t i = 0; i < l->n; i++) {
        size_t end = each_line(l, i, b->lines, &out->bytes);
        if (end == 0 || !rounds_to(out->bytes, b))
            continue;
        for (size_t k = i; k < end; k++) {
            l->v[k].taken = true;
            add_part(seen, l->v[k].name, b->kind, l->v[k].bytes);
        }
        out->count = (uint32_t)b->lines;
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------ all of it */

static bool match(struct ul_seen *seen, struct list *l, const struct ul_ev_buffer *b,
                  struct ul_seen_buffer *out)
{
    for (int freed = 0; freed < 2; freed++)
        for (int k = 0; k <= RUN_MOST; k++) {
            int n = k ? k : b->lines; /* one a line is the rule */
            int at = n > 0 ? find_run(l, n, b, freed, &out->bytes) : -1;
            if (at < 0)
                continue;
            take_run(seen, l, at, n, b, freed);
            out->count = (uint32_t)n;
            return true;
        }
    return is_several(b->buffer) && match_devices(seen, l, b, out);
}

static void see(struct ul_seen *seen, struct list *l, const struct ul_ev_buffer *b)
{
    struct ul_seen_buffer *out = &seen->buffer[seen->n_buffers++];
    *out = (struct ul_seen_buffer){.buffer = b->buffer, .kind = b->kind};
    out->exact = match(seen, l, b, out);
    if (!out->exact && b->mib <= 0)
        seen->n_buffers--; /* nothing, or too small for the log and not on the list */
    if (out->exact || b->mib <= 0)
        return;
    out->bytes = (uint64_t)llround(b->mib * MIB);
    out->count = (uint32_t)b->lines;
    add_part(seen, b->buffer, b->kind, out->bytes);
    seen->rounded++;
}

bool ul_seen_make(struct ul_seen *seen, const struct ul_evidence *e, const char *trace,
                  uint64_t most)
{
    struct list l = {0};
    *seen = (struct ul_seen){0};
    bool ok = read_list(&l, trace, most);
    for (int i = 0; ok && i < e->n_buffers; i++) {
        const struct ul_ev_buffer *b = &e->buffer[i];
        if (b->model || b->context || strcmp(b->kind, "mmproj") == 0)
            seen->other_mib += is_gpu(b->buffer) ? b->mib : 0;
        else
            see(seen, &l, b);
    }
    free(l.v);
    return ok;
}
