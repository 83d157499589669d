/* Reading evidence line by line. A line is a function's name, a colon and words; the names changed
 * often (llm_load_print_meta, print_info; llama_kv_cache_init, llama_kv_cache_unified ...), so what
 * counts is what follows them. */
#define _GNU_SOURCE
#include "measure/evidence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST 16384

void ul_evidence_start(struct ul_evidence *e)
{
    *e = (struct ul_evidence){.offloaded = -1, .layers = -1, .flash = -1};
    for (int i = 0; i < UL_EV_CONTEXTS; i++)
        e->context[i] = -1;
}

/* What follows `word` in the text, without blanks; NULL when it is not there. */
static const char *after(const char *text, const char *word)
{
    const char *p = strstr(text, word);
    if (!p)
        return NULL;
    p += strlen(word);
    return p + strspn(p, " ");
}

static void copy_word(char *out, size_t size, const char *p, const char *ends)
{
    snprintf(out, size, "%.*s", (int)strcspn(p, ends), p);
}

static bool unsigned_after(const char *text, const char *word, uint32_t *value)
{
    const char *p = after(text, word);
    if (!p || !isdigit((unsigned char)*p))
        return false;
    *value = (uint32_t)strtoul(p, NULL, 10);
    return true;
}

/* ------------------------------------------------------------------ the model's shape */

/* "= 8", "= [0, 0, 8, ...]". An array that the log cuts off ("...") is not said. */
static void read_values(struct ul_ev_value *value, const char *p)
{
    uint32_t n = 0;
    bool array = *p == '[';
    p += array;
    for (; n < UL_EV_LAYERS; n++) {
        char *end;
        p += strspn(p, " ,");
        if (!isdigit((unsigned char)*p))
            break;
        value->v[n] = (uint32_t)strtoul(p, &end, 10);
        p = end;
        if (!array) {
            n = 1;
            break;
        }
    }
    value->n = array && *p != ']' ? 0 : n;
}

/* "print_info: n_head_kv             = 8" */
static bool info_line(struct ul_evidence *e, const char *text)
{
    static const struct {
        const char *name;
        enum ul_ev_key key;
    } keys[] = {
        {"n_ctx_train", UL_EV_N_CTX_TRAIN}, {"n_embd", UL_EV_N_EMBD}, {"n_layer", UL_EV_N_LAYER},
        {"n_layer_all", UL_EV_N_LAYER_ALL}, {"n_head", UL_EV_N_HEAD}, {"n_head_kv", UL_EV_N_HEAD_KV},
        {"n_swa", UL_EV_N_SWA}, {"n_embd_head_k", UL_EV_HEAD_K}, {"n_embd_head_v", UL_EV_HEAD_V},
        {"n_embd_k_gqa", UL_EV_K_GQA}, {"n_embd_v_gqa", UL_EV_V_GQA}, {"ssm_d_conv", UL_EV_SSM_CONV},
        {"ssm_d_inner", UL_EV_SSM_INNER}, {"ssm_d_state", UL_EV_SSM_STATE},
        {"ssm_n_group", UL_EV_SSM_GROUP}, {"n_vocab", UL_EV_N_VOCAB}, {"n_lora_kv", UL_EV_LORA_KV},
    };
    const char *p = after(text, "print_info:"), *equals;
    char name[32];
    if (!p && !(p = after(text, "llm_load_print_meta:")))
        return false;
    copy_word(name, sizeof name, p, " =");
    if (!(equals = after(p, "=")))
        return false;
    if (strcmp(name, "no_alloc") == 0)
        e->trial = *equals == '1';
    if (e->trial || e->model_at > 0)
        return true;
    const char *word = after(p, "arch ");
    if (word == p + 4 + strspn(p + 4, " ")) /* at the line's beginning */
        copy_word(e->arch, sizeof e->arch, equals, " ");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i].name, name) == 0)
            read_values(&e->key[keys[i].key], equals);
    return true;
}

/* "- kv  15:   qwen35.full_attention_interval u32   = 4" */
static bool metadata_line(struct ul_evidence *e, const char *text)
{
    static const struct {
        const char *name;
        enum ul_ev_key key;
    } keys[] = {{".full_attention_interval", UL_EV_FULL_EVERY},
                {".shortconv.l_cache", UL_EV_SHORTCONV},
                {".attention.key_length_mla", UL_EV_MLA_KEY}};
    const char *p = after(text, "- kv "), *equals = p ? after(p, " = ") : NULL;
    if (!equals)
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && e->model_at == 0; i++)
        if (strstr(p, keys[i].name))
            read_values(&e->key[keys[i].key], equals);
    return true;
}

/* ------------------------------------------------------------------ the context */

static void begin_context(struct ul_evidence *e)
{
    if (e->trial)
        return;
    e->context_at += e->any_context;
    e->any_context = true;
}

/* "llama_context: n_ubatch              = 512" */
static bool context_line(struct ul_evidence *e, const char *text)
{
    static const char *const names[] = {
        [UL_EV_N_SEQ] = "n_seq_max", [UL_EV_N_CTX] = "n_ctx", [UL_EV_N_CTX_SEQ] = "n_ctx_seq",
        [UL_EV_N_BATCH] = "n_batch", [UL_EV_N_UBATCH] = "n_ubatch", [UL_EV_UNIFIED] = "kv_unified",
        [UL_EV_RS_SEQ] = "n_rs_seq", [UL_EV_OUTPUTS] = "n_outputs_max", [UL_EV_FLASH] = "flash_attn"};
    const char *p = after(text, "llama_context:"), *equals;
    char name[32];
    if (!p && !(p = after(text, "llama_new_context_with_model:"))
        && !(p = after(text, "llama_init_from_model:")))
        return false;
    if (strstr(p, "constructing llama_context")) {
        begin_context(e);
        return true;
    }
    copy_word(name, sizeof name, p, " =");
    equals = after(p, "=");
    if (!equals || e->trial || e->context_at > 0 || e->model_at > 0)
        return equals != NULL;
    for (int i = 0; i < UL_EV_CONTEXTS; i++)
        if (strcmp(names[i], name) == 0)
            e->context[i] = isdigit((unsigned char)*equals) ? (int64_t)strtoull(equals, NULL, 10)
                : strncmp(equals, "true", 4) == 0 || strncmp(equals, "enabled", 7) == 0 ? 1
                : strncmp(equals, "false", 5) == 0 || strncmp(equals, "disabled", 8) == 0 ? 0 : -1;
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
            && b->model == e->model_at && (b->context == e->context_at || !strcmp(b->kind, "model")))
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
    const char *p = after(text, word), *close = p ? strchr(p, ')') : NULL;
    c->part[i] = -1;
    if (!close)
        return;
    copy_word(c->type[i], sizeof c->type[i], p, ")");
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
    const char *p = after(text, "size ="), *seqs, *slash;
    struct ul_ev_cache c = {.model = e->model_at, .context = e->context_at};
    if (!p)
        p = after(text, "size  ="); /* of "KV self size" */
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

/* ------------------------------------------------------------------ the memory breakdown */

/* "|   - CUDA0 (RTX 4090)   | 24564 = 24084 + (2894 =  1918 +     896 +      80) +       -2414 |" */
static bool breakdown_line(struct ul_evidence *e, const char *text)
{
    struct ul_ev_row row;
    const char *p = strstr(text, "|   - "), *bar, *open;
    if (strstr(text, "memory breakdown [MiB]")) {
        e->n_rows = 0; /* the last table counts: it is printed at the end */
        return true;
    }
    if (!p || !(bar = strchr(p + 6, '|')))
        return false;
    snprintf(row.device, sizeof row.device, "%.*s", (int)(bar - p - 6), p + 6);
    row.device[strcspn(row.device, " ")] = '\0';
    open = strchr(bar, '(');
    if (sscanf(open ? open + 1 : bar + 1, "%lf = %lf + %lf + %lf", &row.self, &row.model,
               &row.context, &row.compute) != 4)
        return false;
    if (e->n_rows < UL_EV_ROWS)
        e->row[e->n_rows++] = row;
    return true;
}

/* ------------------------------------------------------------------ the rest */

/* "- CPU     : AMD EPYC (24105 MiB, 24105 MiB free)", and the same of GPUs with their totals. */
static void device_line(struct ul_evidence *e, const char *text)
{
    char name[32];
    double total, free_mib;
    const char *p = after(text, "- "), *paren = strrchr(text, '(');
    if (!p || !paren || sscanf(paren, "(%lf MiB, %lf MiB free)", &total, &free_mib) != 2)
        return;
    copy_word(name, sizeof name, p, " :");
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

static void placement_line(struct ul_evidence *e, const char *text)
{
    const char *p = after(text, "offloaded ");
    if (p && e->model_at == 0 && !e->trial)
        sscanf(p, "%d/%d layers", &e->offloaded, &e->layers);
    if ((p = after(text, "load_mode = ")))
        copy_word(e->load_mode, sizeof e->load_mode, p, ") ");
    if ((p = after(text, "libggml-cpu-")))
        copy_word(e->cpu, sizeof e->cpu, p, ".");
    if ((p = after(text, "compute capability ")) && !e->compute_capability[0])
        copy_word(e->compute_capability, sizeof e->compute_capability, p, ", ");
    if ((p = after(text, "loading model '")))
        copy_word(e->model_name, sizeof e->model_name, p, "'");
    if ((p = after(text, "tensors from ")) && !e->model_name[0])
        copy_word(e->model_name, sizeof e->model_name, p, " ");
    e->swa_full |= strstr(text, "using full-size SWA cache") != NULL;
    if (strstr(text, "Flash Attention enabled") || strstr(text, "Flash Attention was auto, set to enabled"))
        e->flash = 1;
    if (strstr(text, "Flash Attention not supported") || strstr(text, "set to disabled"))
        e->flash = 0;
}

/* What decides to which model, context and cache the next lines belong. */
static void state_line(struct ul_evidence *e, const char *text)
{
    if (strstr(text, "loading model tensors"))
        for (int i = 0; i < e->n_buffers; i++)
            if (e->buffer[i].model == e->model_at && strcmp(e->buffer[i].kind, "model") == 0) {
                e->model_at++;
                e->context_at = 0;
                e->any_context = false;
                break;
            }
    if (strstr(text, "creating non-SWA KV cache") || strstr(text, "constructing llama_context"))
        e->next = UL_EV_PLAIN;
    else if (strstr(text, " SWA KV cache, size"))
        e->next = UL_EV_WINDOW;
    else if (strstr(text, "creating ") && strstr(text, " KV cache"))
        e->next = UL_EV_OTHER;
    if (unsigned_after(text, "kv_size =", &e->cells_next))
        unsigned_after(text, "n_layer =", &e->layers_next);
}

void ul_evidence_line(struct ul_evidence *e, const char *line)
{
    const char *text = ul_log_text(line);
    e->lines++;
    ul_log_line(&e->log, line);
    state_line(e, text);
    if (buffer_line(e, text) || cache_line(e, text) || info_line(e, text) || context_line(e, text)
        || metadata_line(e, text) || breakdown_line(e, text)) {
        e->lines_used++;
        return;
    }
    device_line(e, text);
    placement_line(e, text);
}

bool ul_evidence_read(struct ul_evidence *e, FILE *f)
{
    char line[LINE_MOST];
    size_t n = 0;
    int c;
    ul_evidence_start(e);
    while ((c = getc(f)) != EOF) {
        if (c != '\n' && c != '\r' && c != '\0') {
            if (n + 1 < sizeof line)
                line[n++] = (char)c;
            continue;
        }
        line[n] = '\0';
        if (n > 0)
            ul_evidence_line(e, line);
        n = 0;
    }
    line[n] = '\0';
    if (n > 0)
        ul_evidence_line(e, line);
    return !ferror(f);
}

uint32_t ul_evidence_build(const struct ul_evidence *e)
{
    const char *p = e->log.build + strcspn(e->log.build, "0123456789");
    return (uint32_t)strtoul(p, NULL, 10);
}
