/* Reading evidence line by line. A line is a function's name, a colon and words; the names changed
 * often (llm_load_print_meta, print_info; llama_kv_cache_init, llama_kv_cache_unified ...), so what
 * counts is what follows them. */
#define _GNU_SOURCE
#include "measure/evidence_lines.h"

#include <ctype.h>
#include <stdlib.h>

void ul_evidence_start(struct ul_evidence *e)
{
    *e = (struct ul_evidence){.offloaded = -1, .layers = -1, .flash = -1};
    for (int i = 0; i < UL_EV_CONTEXTS; i++)
        e->context[i] = -1;
}

const char *ul_ev_after(const char *text, const char *word)
{
    const char *p = strstr(text, word);
    if (!p)
        return NULL;
    p += strlen(word);
    return p + strspn(p, " ");
}

void ul_ev_copy(char *out, size_t size, const char *p, const char *ends)
{
    snprintf(out, size, "%.*s", (int)strcspn(p, ends), p);
}

bool ul_ev_number_after(const char *text, const char *word, uint32_t *value)
{
    const char *p = ul_ev_after(text, word);
    if (!p || !isdigit((unsigned char)*p))
        return false;
    *value = (uint32_t)strtoul(p, NULL, 10);
    return true;
}

/* ------------------------------------------------------------------ buffers */

/* Once more in the same context, a compute or output buffer was made anew; others add up. */
static void keep_buffer(struct ul_evidence *e, const struct ul_log_buffer *found)
{
    bool anew = strcmp(found->kind, "compute") == 0 || strcmp(found->kind, "output") == 0;
    struct ul_ev_buffer *b = e->buffer;
    for (; b < e->buffer + e->n_buffers; b++)
        if (strcmp(b->buffer, found->buffer) == 0 && strcmp(b->kind, found->kind) == 0
            && b->model == e->model_at
            && (b->context == e->context_at || !strcmp(b->kind, "model")))
            break;
    if (b == e->buffer + UL_EV_BUFFERS) {
        e->dropped++;
        return;
    }
    if (b == e->buffer + e->n_buffers) {
        *b = (struct ul_ev_buffer){.model = e->model_at, .context = e->context_at};
        memcpy(b->buffer, found->buffer, sizeof b->buffer);
        memcpy(b->kind, found->kind, sizeof b->kind);
        e->n_buffers++;
    }
    b->mib = anew ? found->mib : b->mib + found->mib;
    b->lines = anew ? 1 : b->lines + 1;
}

/* "DSV4 CSA state" is a plan's "dsv4_csa_state". */
static void name_state(char *kind)
{
    if (strncmp(kind, "DSV4", 4) != 0)
        return;
    for (; *kind; kind++)
        *kind = *kind == ' ' ? '_' : (char)tolower((unsigned char)*kind);
}

/* The buffer's words are log.c's to read. What a vision tower takes has the same wording, from a
 * function of its own (tools/mtmd/clip.cpp). */
static bool buffer_line(struct ul_evidence *e, const char *text)
{
    struct ul_log one = {0};
    if (!strstr(text, " buffer size ="))
        return false;
    ul_log_line(&one, text);
    if (one.n_buffers == 0)
        return false;
    if (strstr(text, "compute_meta") || strncmp(text, "clip", 4) == 0)
        snprintf(one.buffer[0].kind, sizeof one.buffer[0].kind, "mmproj");
    name_state(one.buffer[0].kind);
    if (!e->trial)
        keep_buffer(e, &one.buffer[0]);
    return true;
}

/* ------------------------------------------------------------------ caches */

/* "K (f16): 4096.00 MiB": the type and the size. */
static void read_part(struct ul_ev_cache *c, int i, const char *text, const char *word)
{
    const char *p = ul_ev_after(text, word), *close = p ? strchr(p, ')') : NULL;
    c->part[i] = -1;
    if (!close)
        return;
    ul_ev_copy(c->type[i], sizeof c->type[i], p, ")");
    p = close + 1 + strspn(close + 1, ": ");
    if (isdigit((unsigned char)*p))
        c->part[i] = strtod(p, NULL);
}

static uint32_t before(const char *text, const char *word)
{
    const char *p = strstr(text, word);
    while (p && p > text && p[-1] == ' ')
        p--;
    while (p && p > text && isdigit((unsigned char)p[-1]))
        p--;
    return p ? (uint32_t)strtoul(p, NULL, 10) : 0;
}

/* "size =  416.00 MiB (  8192 cells,  13 layers,  4/1 seqs), K (f16): ...", and before that
 * "KV self size  = 104.00 MiB, K (f16): ..." with the cells in another line. */
static bool cache_line(struct ul_evidence *e, const char *text)
{
    const char *p = ul_ev_after(text, "size ="), *seqs, *slash;
    struct ul_ev_cache c = {.model = e->model_at, .context = e->context_at};
    if (!p)
        p = ul_ev_after(text, "size  ="); /* of "KV self size" */
    bool cells = strstr(text, " cells,") != NULL;
    if (!p || (!cells && !strstr(text, "KV self size")) || !isdigit((unsigned char)*p))
        return false;
    c.mib = strtod(p, NULL);
    c.cells = cells ? before(text, " cells") : e->cells_next;
    c.layers = cells ? before(text, " layers") : e->layers_next;
    c.state = strstr(text, "R (") || strstr(text, "memory_recurrent") != NULL;
    read_part(&c, 0, text, c.state ? "R (" : " K (");
    read_part(&c, 1, text, c.state ? "S (" : " V (");
    seqs = strstr(text, " seqs");
    c.streams = before(text, " seqs");
    c.rs_seq = before(text, " rs_seq");
    c.seqs = c.streams ? c.streams : 1;
    slash = seqs ? memrchr(text, '/', (size_t)(seqs - text)) : NULL;
    if (slash && seqs - slash < 6)
        for (const char *q = slash; q > text && isdigit((unsigned char)q[-1]); q--)
            c.seqs = (uint32_t)strtoul(q - 1, NULL, 10);
    if (c.state || !c.streams || !slash)
        c.streams = 1;
    c.of = e->next;
    if (e->trial)
        return true;
    if (e->n_caches < UL_EV_CACHES)
        e->cache[e->n_caches++] = c;
    else
        e->dropped++;
    return true;
}

/* ------------------------------------------------------------------ the rest */

/* "- CPU     : AMD EPYC (24105 MiB, 24105 MiB free)", and the same of GPUs with their totals. */
static void device_line(struct ul_evidence *e, const char *text)
{
    char name[32];
    double total, free_mib;
    const char *p = ul_ev_after(text, "- "), *paren = strrchr(text, '(');
    if (!p || !paren || sscanf(paren, "(%lf MiB, %lf MiB free)", &total, &free_mib) != 2)
        return;
    ul_ev_copy(name, sizeof name, p, " :");
    if (strcmp(name, "CPU") == 0) {
        e->host_mib = total;
        return;
    }
    for (int i = 0; i < e->log.n_devices; i++)
        if (strcmp(e->log.device[i].name, name) == 0)
            e->log.device[i].total_mib = total;
    const char *colon = strchr(p, ':');
    if (e->log.n_devices == UL_LOG_DEVICES || !colon || colon > paren)
        return;
    for (int i = 0; i < e->log.n_devices; i++)
        if (strcmp(e->log.device[i].name, name) == 0)
            return;
    struct ul_log_device *d = &e->log.device[e->log.n_devices++];
    *d = (struct ul_log_device){.total_mib = total, .free_mib = free_mib};
    memcpy(d->name, name, sizeof d->name);
    colon += 1 + strspn(colon + 1, " ");
    snprintf(d->description, sizeof d->description, "%.*s",
             (int)(paren > colon ? paren - colon - 1 : 0), colon);
}

/* "  Device 1: GTX 1080, compute capability 6.1, VMM: yes". Source: ggml-cuda.cu:
 * ggml_cuda_init. */
static void capability_line(struct ul_evidence *e, const char *text, const char *value)
{
    uint32_t device = 0;
    ul_ev_number_after(text, "Device ", &device);
    if (device < UL_LOG_DEVICES)
        ul_ev_copy(e->capability[device], sizeof e->capability[device], value, ", ");
}

static void placement_line(struct ul_evidence *e, const char *text)
{
    const char *p = ul_ev_after(text, "offloaded ");
    if (p && e->model_at == 0 && !e->trial)
        sscanf(p, "%d/%d layers", &e->offloaded, &e->layers);
    if ((p = ul_ev_after(text, "load_mode = ")))
        ul_ev_copy(e->load_mode, sizeof e->load_mode, p, ") ");
    if ((p = ul_ev_after(text, "libggml-cpu-")))
        ul_ev_copy(e->cpu, sizeof e->cpu, p, ".");
    if ((p = ul_ev_after(text, "compute capability ")))
        capability_line(e, text, p);
    if ((p = ul_ev_after(text, "loading model '")))
        ul_ev_copy(e->model_name, sizeof e->model_name, p, "'");
    if ((p = ul_ev_after(text, "tensors from ")) && !e->model_name[0])
        ul_ev_copy(e->model_name, sizeof e->model_name, p, " ");
    e->embedding |= strstr(text, "embeddings enabled with") != NULL;
    e->swa_full |= strstr(text, "using full-size SWA cache") != NULL;
    if (strstr(text, "Flash Attention enabled")
        || strstr(text, "Flash Attention was auto, set to enabled"))
        e->flash = 1;
    if (strstr(text, "Flash Attention not supported") || strstr(text, "set to disabled"))
        e->flash = 0;
}

/* What decides to which model, context and cache the next lines belong. */
static void state_line(struct ul_evidence *e, const char *text)
{
    const char *draft = ul_ev_after(text, "loading draft model '");
    if (draft)
        snprintf(e->part_next, sizeof e->part_next, "the draft model %.*s",
                 (int)strcspn(draft, "'"), draft);
    else if (strstr(text, "creating MTP draft context"))
        snprintf(e->part_next, sizeof e->part_next, "the model's own draft layers (MTP)");
    if (strstr(text, "loading model tensors"))
        for (int i = 0; i < e->n_buffers; i++)
            if (e->buffer[i].model == e->model_at && strcmp(e->buffer[i].kind, "model") == 0) {
                e->model_at++;
                e->context_at = 0;
                e->any_context = false;
                ul_ev_begin_part(e);
                break;
            }
    if (strstr(text, "creating non-SWA KV cache") || strstr(text, "constructing llama_context"))
        e->next = UL_EV_PLAIN;
    else if (strstr(text, " SWA KV cache, size"))
        e->next = UL_EV_WINDOW;
    else if (strstr(text, "creating ") && strstr(text, " KV cache"))
        e->next = UL_EV_OTHER;
    if (ul_ev_number_after(text, "kv_size =", &e->cells_next))
        ul_ev_number_after(text, "n_layer =", &e->layers_next);
}

void ul_evidence_line(struct ul_evidence *e, const char *line)
{
    const char *text = ul_log_text(line);
    e->lines++;
    ul_log_line(&e->log, line);
    state_line(e, text);
    if (buffer_line(e, text) || cache_line(e, text) || ul_ev_info_line(e, text)
        || ul_ev_context_line(e, text) || ul_ev_metadata_line(e, text) || ul_ev_table_line(e, text)
        || ul_ev_fit_line(e, text) || ul_ev_command_line(e, text)
        || ul_vlog_line(&e->vllm, text)) {
        e->lines_used++;
        return;
    }
    device_line(e, text);
    placement_line(e, text);
}

/* ------------------------------------------------------------------ asking */

void ul_ev_begin_part(struct ul_evidence *e)
{
    if (e->n_parts == UL_EV_PARTS || !e->part_next[0])
        return;
    struct ul_ev_part *p = &e->part[e->n_parts++];
    *p = (struct ul_ev_part){.model = e->model_at, .context = e->context_at};
    memcpy(p->what, e->part_next, sizeof p->what);
    if (!strstr(p->what, "draft model")) /* its context follows its load */
        e->part_next[0] = '\0';
}

const char *ul_evidence_part(const struct ul_evidence *e, int model, int context)
{
    for (int i = 0; i < e->n_parts; i++)
        if (e->part[i].model == model && (e->part[i].context == context || model > 0))
            return e->part[i].what;
    return NULL;
}

int ul_evidence_reach(const struct ul_evidence *e)
{
    for (int i = 0; i < e->n_buffers; i++)
        if (e->buffer[i].model == 0 && strcmp(e->buffer[i].kind, "compute") == 0)
            return 2;
    if (e->vllm.tokens || e->vllm.need_gib.half > 0)
        return 2;
    return e->n_buffers || e->n_caches || e->n_rows || e->vllm.any;
}

uint32_t ul_evidence_build(const struct ul_evidence *e)
{
    const char *p = e->log.build + strcspn(e->log.build, "0123456789");
    return (uint32_t)strtoul(p, NULL, 10);
}
