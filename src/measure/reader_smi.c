/* The nvidia-smi command, where NVIDIA's library cannot be loaded (another C library, a static
 * build). It prints whole MiB. Each question starts a process, so samples are further apart. */
#define _GNU_SOURCE
#include "measure/proc.h"
#include "measure/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GPUS "nvidia-smi --query-gpu=pci.bus_id,memory.total,memory.used,memory.free,name," \
             "driver_version --format=csv,noheader,nounits 2>/dev/null"
#define APPS "nvidia-smi --query-compute-apps=pid,gpu_bus_id,used_memory " \
             "--format=csv,noheader,nounits 2>/dev/null"

/* Cuts the first field off a line of "a, b, c"; what is left starts at the next. */
static char *field(char **line)
{
    char *start = *line, *comma = strstr(start, ", ");
    *line = comma ? comma + 2 : start + strlen(start);
    if (comma)
        *comma = '\0';
    return start;
}

/* "[N/A]" and the like are not numbers, and not zero. */
static struct ul_amount mib(const char *text)
{
    char *end;
    unsigned long long n = strtoull(text, &end, 10);
    return (struct ul_amount){(uint64_t)n << 20, end != text};
}

static void copy(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%.*s", (int)size - 1, text);
}

/* "00000000:01:00.0" as "0000:01:00.0". */
static const char *short_id(const char *id)
{
    const char *colon = strchr(id, ':');
    return colon && colon - id == 8 ? id + 4 : id;
}

static int index_of(const struct ul_reader *r, const char *id)
{
    for (int i = 0; i < r->n; i++)
        if (strcasecmp(r->device[i].id, short_id(id)) == 0)
            return i;
    return -1;
}

/* Lists the GPUs the first time (out NULL), and reads their memory later. */
static void gpus(struct ul_reader *r, struct ul_reading *out)
{
    char text[1024];
    FILE *f = popen(GPUS, "re");
    while (f && fgets(text, sizeof text, f)) {
        char *line = text;
        text[strcspn(text, "\n")] = '\0';
        char *id = field(&line), *total = field(&line), *used = field(&line), *free = field(&line);
        char *name = field(&line);
        int i = index_of(r, id);
        if (!out && i < 0 && r->n < UL_READER_DEVICES && mib(total).known) {
            copy(r->device[r->n].id, sizeof r->device[0].id, short_id(id));
            copy(r->device[r->n++].name, sizeof r->device[0].name, name);
            copy(r->driver, sizeof r->driver, line);
        } else if (out && i >= 0) {
            out->device[i].total = mib(total);
            out->device[i].used = mib(used);
            out->device[i].free = mib(free);
        }
    }
    if (f)
        pclose(f);
}

static void apps(struct ul_reader *r, pid_t top, struct ul_reading *out)
{
    pid_t family[UL_PROC_MOST];
    char text[1024];
    int n = ul_proc_tree(NULL, top, family);
    FILE *f = popen(APPS, "re");
    while (f && fgets(text, sizeof text, f)) {
        char *line = text;
        pid_t pid = (pid_t)atoi(field(&line));
        int i = index_of(r, field(&line));
        struct ul_amount used = mib(line);
        for (int k = 0; k < n && i >= 0 && used.known; k++)
            if (family[k] == pid) {
                out->device[i].process.known = true;
                out->device[i].process.bytes += used.bytes;
            }
    }
    if (f)
        pclose(f);
}

static bool smi_open(struct ul_reader *r)
{
    if (!r->root)
        gpus(r, NULL);
    return r->n > 0;
}

static void smi_read(struct ul_reader *r, pid_t top, struct ul_reading *out)
{
    gpus(r, out);
    if (top > 0)
        apps(r, top, out);
}

static void smi_close(struct ul_reader *r) { (void)r; }

const struct ul_reader_kind ul_reader_smi = {"smi", smi_open, smi_read, smi_close};
