/* Reading a log line by line. Lines that are not about memory are passed over, so a log of another
 * program is no error: it has nothing to say. */
#define _GNU_SOURCE
#include "measure/log.h"
#include "measure/logline.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST 8192

/* ------------------------------------------------------------------ buffers */

/* The engine's spelling in the log, and the plan's. */
static const char *kind_of(const char *words)
{
    static const struct {
        const char *log, *plan;
    } kinds[] = {{"KV", "kv"}, {"RS", "rs"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(words, kinds[i].log) == 0)
            return kinds[i].plan;
    return words;
}

static void add_buffer(struct ul_log *log, const char *buffer, const char *kind, double mib)
{
    int i = 0;
    for (; i < log->n_buffers; i++)
        if (strcmp(log->buffer[i].buffer, buffer) == 0 && strcmp(log->buffer[i].kind, kind) == 0)
            break;
    if (i == UL_LOG_BUFFERS)
        return;
    if (i == log->n_buffers) {
        snprintf(log->buffer[i].buffer, sizeof log->buffer[i].buffer, "%s", buffer);
        snprintf(log->buffer[i].kind, sizeof log->buffer[i].kind, "%s", kind);
        log->n_buffers++;
    }
    log->buffer[i].mib += mib;
    log->buffer[i].lines++;
}

/* The last colon and blank before `size`; a buffer's name may have colons ("RPC0[h:1]"). */
static const char *before_name(const char *text, const char *size)
{
    const char *colon = NULL;
    for (const char *p = text; p < size; p++)
        if (p[0] == ':' && p[1] == ' ')
            colon = p;
    return colon;
}

/* "load_tensors:        CUDA0 model buffer size =  4455.34 MiB". The word before the colon is the
 * function's name, which changed over time; all that counts follows it. */
static bool buffer_line(struct ul_log *log, const char *text)
{
    char name[64], kind[64];
    double mib;
    const char *size = strstr(text, " buffer size ="),
               *colon = size ? before_name(text, size) : NULL;
    if (!colon || sscanf(size, " buffer size = %lf MiB", &mib) != 1)
        return false;
    colon += 1 + strspn(colon + 1, " ");
    size_t n = strcspn(colon, " ");
    size_t words = colon + n < size ? (size_t)(size - (colon + n + 1)) : 0;
    if (colon + n > size || n == 0 || n >= sizeof name || words >= sizeof kind)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)n, colon);
    snprintf(kind, sizeof kind, "%.*s", (int)words, words ? colon + n + 1 : "");
    const char *word = kind + strspn(kind, " ");
    add_buffer(log, name, *word ? kind_of(word) : "model", mib); /* once only weights had none */
    return true;
}

/* ------------------------------------------------------------------ devices and the rest */

static struct ul_log_device *device(struct ul_log *log, const char *name)
{
    for (int i = 0; i < log->n_devices; i++)
        if (strcmp(log->device[i].name, name) == 0)
            return &log->device[i];
    if (log->n_devices == UL_LOG_DEVICES)
        return NULL;
    struct ul_log_device *d = &log->device[log->n_devices++];
    snprintf(d->name, sizeof d->name, "%.31s", name);
    return d;
}

/* "using device CUDA0 (NVIDIA A100 80GB PCIe) (0000:01:00.0) - 80671 MiB free" */
static bool using_line(struct ul_log *log, const char *text)
{
    char name[32];
    const char *p = strstr(text, "using device ");
    if (!p || sscanf(p, "using device %31s", name) != 1)
        return false;
    struct ul_log_device *d = device(log, name);
    const char *open = strchr(p, '('), *dash = strstr(p, ") - ");
    if (d)
        d->used = true;
    if (!d || !open || !dash)
        return true;
    sscanf(dash, ") - %lf MiB free", &d->free_mib);
    const char *id = dash;
    while (id > open && *id != '(')
        id--;
    const char *end = id > open ? id - 2 : dash; /* the bracket that ends the description */
    snprintf(d->description, sizeof d->description, "%.*s", (int)(end - open - 1), open + 1);
    if (id > open)
        snprintf(d->id, sizeof d->id, "%.*s", (int)(dash - id - 1), id + 1);
    return true;
}

static void number_line(const char *text, const char *word, uint32_t *value)
{
    const char *p = strstr(text, word);
    if (!p)
        return;
    p += strlen(word);
    p += strspn(p, " =");
    if (isdigit((unsigned char)*p))
        *value = (uint32_t)strtoul(p, NULL, 10);
}

/* What the CUDA, Vulkan and CPU back-ends say when memory is out. */
static bool says_out_of_memory(const char *text)
{
    static const char *const words[] = {"out of memory", "failed to allocate",
                                        "ErrorOutOfDeviceMemory", "unable to allocate",
                                        "Cannot allocate memory"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

void ul_log_line(struct ul_log *log, const char *line)
{
    const char *text = ul_log_text(line), *p;
    if (buffer_line(log, text) || using_line(log, text))
        return;
    log->out_of_memory |= says_out_of_memory(text);
    number_line(text, "n_ctx_slot =", &log->n_ctx_slot);
    number_line(text, "n_slots =", &log->n_slots);
    if (strncmp(text, "llama_context: n_ctx  ", 22) == 0)
        number_line(text, "n_ctx ", &log->n_ctx);
    if (strncmp(text, "print_info: n_vocab", 19) == 0)
        number_line(text, "n_vocab", &log->n_vocab);
    if (!log->build[0]
        && ((p = strstr(text, "print_info: build ")) || (p = strstr(text, "build: "))))
        snprintf(log->build, sizeof log->build, "%s", p + (*p == 'p' ? 18 : 7));
}

static FILE *each_line(FILE *f, char line[LINE_MOST])
{
    if (!f || !fgets(line, LINE_MOST, f))
        return NULL;
    line[strcspn(line, "\r\n")] = '\0';
    ul_log_plain(line);
    return f;
}

/* The engine loads twice when it fits the settings to the memory first; those trial loads log no
 * buffers, so all lines count. */
bool ul_log_file(struct ul_log *log, const char *path)
{
    char line[LINE_MOST];
    FILE *f = fopen(path, "re");
    *log = (struct ul_log){0};
    while (each_line(f, line))
        ul_log_line(log, line);
    if (f)
        fclose(f);
    return f != NULL;
}

/* How much a line says of a failure: the first of the best counts, later ones follow from it. */
static int weight(const char *line)
{
    static const struct {
        const char *word;
        int weight;
    } words[] = {{"out of memory", 4}, {"failed to allocate", 4}, {"couldn't bind", 4},
                 {"ddress already in use", 4}, {"GGML_ASSERT", 4}, {"terminate called", 3},
                 {"error", 2}, {"Error", 2}, {"failed", 2}, {"unknown", 2}, {"invalid", 2}};
    const char *text = ul_log_text(line);
    int best = text > line && text[-2] == 'E' ? 2 : text[0] ? 1 : 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].weight > best && strstr(text, words[i].word))
            best = words[i].weight;
    return best;
}

void ul_log_reason(const char *path, char *out, size_t size)
{
    char line[LINE_MOST];
    int best = 0;
    FILE *f = fopen(path, "re");
    out[0] = '\0';
    while (each_line(f, line)) {
        int w = weight(line);
        if (w > best || (w == best && w == 1)) { /* with nothing better: the last line */
            best = w;
            snprintf(out, size, "%s", ul_log_text(line));
        }
    }
    if (f)
        fclose(f);
}
