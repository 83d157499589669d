/* The flags and the machine that a log shows, as words of a command line: what was asked for is
 * seldom in a log, but what came of it is, and that is what a plan needs. What the user gives comes
 * after these words and wins. */
#include "check.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text(struct check_words *w, const char *fmt, ...)
{
    va_list args;
    int most = (int)(sizeof w->text / sizeof w->text[0]) - 1;
    char *at = w->text[w->n_text < most ? w->n_text++ : most];
    va_start(args, fmt);
    vsnprintf(at, sizeof w->text[0], fmt, args);
    va_end(args);
    return at;
}

static void add(struct check_words *w, struct ul_check *c, const char *flag, const char *value)
{
    size_t n = strlen(c->flags);
    w->flags[w->args.n_flags++] = flag;
    if (value)
        w->flags[w->args.n_flags++] = value;
    snprintf(c->flags + n, sizeof c->flags - n, "%s%s%s%s", n ? " " : "", flag, value ? " " : "",
             value ? value : "");
}

void check_words_flash(struct check_words *w, struct ul_check *c, bool on)
{
    add(w, c, "-fa", on ? "on" : "off");
}

static void add_number(struct check_words *w, struct ul_check *c, const char *flag, int64_t value)
{
    if (value >= 0)
        add(w, c, flag, text(w, "%lld", (long long)value));
}

/* ------------------------------------------------------------------ flags */

static const struct ul_ev_cache *first_cache(const struct ul_evidence *e)
{
    for (int i = 0; i < e->n_caches; i++)
        if (!e->cache[i].state && e->cache[i].of != UL_EV_OTHER && e->cache[i].model == 0)
            return &e->cache[i];
    return NULL;
}

/* Whether any buffer of that kind of the server's own model lies (or none lies) where `where` is in
 * the buffer's name; -1: there is no such kind. */
static int lies(const struct ul_evidence *e, const char *kind, const char *where)
{
    int any = -1;
    for (int i = 0; i < e->n_buffers; i++)
        if (e->buffer[i].model == 0 && strcmp(e->buffer[i].kind, kind) == 0)
            any = any == 1 || strstr(e->buffer[i].buffer, where) ? 1 : 0;
    return any;
}

static bool all_on_cpu(const struct ul_evidence *e, const char *kind)
{
    int n = 0;
    for (int i = 0; i < e->n_buffers; i++)
        if (e->buffer[i].model == 0 && strcmp(e->buffer[i].kind, kind) == 0) {
            if (strncmp(e->buffer[i].buffer, "CPU", 3) != 0)
                return false;
            n++;
        }
    return n > 0;
}

/* ------------------------------------------------------------------ a command line in the log */

/* Whether llama-server's flag may come from a pasted line: a plan takes it with that value, and it
 * neither names a model nor opens a file that is not here. */
static bool usable(const ullage_flag *flag, const char *word, const char *value)
{
    static const char *const no[] = {"-m", "-hf", "-hff", "-hft", "-mu", "-md", "--mmproj", "-dr",
                                     "-mmu", "-hfd", "-hfv", "--models-preset", "-lv"};
    ullage_error err = {0};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (strcmp(flag->names[0], no[i]) == 0)
            return false;
    if (flag->memory == ULLAGE_FLAG_FREE)
        return false;
    ullage_settings *s = ullage_settings_new();
    bool ok = s && ullage_settings_set(s, word, value, &err) == ULLAGE_OK;
    ullage_settings_free(s);
    return ok;
}

/* Its flags that move memory come first: what the log itself shows came of them, and wins. */
static void command_flags(struct check_words *w, struct ul_check *c)
{
    const char *words[COMMAND_WORDS];
    snprintf(w->command, sizeof w->command, "%s", c->e->command);
    int n = ul_command_words(w->command, words, COMMAND_WORDS);
    for (int i = 0; i < n; i++) {
        ullage_flag flag;
        if (words[i][0] != '-' || !ullage_flag_find(words[i], &flag))
            continue;
        bool takes = flag.value != NULL;
        for (size_t k = 0; k < flag.n_negations; k++)
            takes &= strcmp(flag.negations[k], words[i]) != 0;
        const char *value = takes && i + 1 < n ? words[i + 1] : NULL;
        if (takes && !value)
            break;
        if (!flag.value2 && usable(&flag, words[i], value))
            add(w, c, words[i], value);
        i += takes;
    }
}

/* ------------------------------------------------------------------ the engine's own fit */

/* A layer's tensors that stay elsewhere, by the fit's name for the part of a layer that is kept.
 * Source: common/fit.cpp: get_overflow_pattern. */
static const char *overflow_pattern(const char *type)
{
    return strcmp(type, "ATTN") == 0 ? "ffn_(gate|up|gate_up|down).*"
         : strcmp(type, "UP") == 0   ? "ffn_(gate|gate_up|down).*"
         : strcmp(type, "GATE") == 0 ? "ffn_down.*"
                                     : "ffn_(up|down|gate_up|gate)_(ch|)exps";
}

static void add_layers(struct check_words *w, uint32_t from, uint32_t end, const char *type,
                       const char *where)
{
    size_t n = strlen(w->overflow);
    if (from >= end)
        return;
    n += (size_t)snprintf(w->overflow + n, sizeof w->overflow - n, "%sblk\\.(", n ? "," : "");
    for (uint32_t i = from; i < end && n < sizeof w->overflow; i++)
        n += (size_t)snprintf(w->overflow + n, sizeof w->overflow - n, "%s%u", i > from ? "|" : "",
                              i);
    if (n < sizeof w->overflow)
        snprintf(w->overflow + n, sizeof w->overflow - n, ")\\.%s=%s", overflow_pattern(type),
                 where);
}

/* Source: common/fit.cpp: set_ngl_tensor_split_tbo. Only the first of a device's layers that are
 * not whole keeps a part, and what it does not keep may be the next device's. */
static void fit_flags(struct check_words *w, struct ul_check *c)
{
    const struct ul_evidence *e = c->e;
    char split[128] = "";
    uint32_t on = 0, at = 0, parts = 0;
    for (int i = 0; i < e->n_fit; i++) {
        size_t n = strlen(split);
        snprintf(split + n, sizeof split - n, "%s%u", i ? "," : "", e->fit[i].n_layer);
        on += e->fit[i].n_layer;
        parts += e->fit[i].n_part;
    }
    if (e->n_fit > 1)
        add(w, c, "-ts", text(w, "%s", split));
    const struct ul_ev_value *layers = &e->key[UL_EV_N_LAYER]; /* without draft layers */
    uint32_t all = layers->n == 1 ? layers->v[0] + 1 : e->layers > 0 ? (uint32_t)e->layers : 0;
    if (!parts || all < on)
        return;
    at = all - on;
    for (int i = 0; i < e->n_fit; i++) {
        const struct ul_ev_fit *f = &e->fit[i];
        bool moe = !f->type[0] || strcmp(f->type, "MOE") == 0;
        at += f->n_layer - f->n_part;
        add_layers(w, at, at + (f->n_part > 0), f->type,
                   moe || i + 1 >= e->n_fit ? "CPU" : e->log.device[i + 1].name);
        add_layers(w, at + 1, at + f->n_part, "MOE", "CPU");
        at += f->n_part;
    }
    add(w, c, "-ot", w->overflow);
}

/* ------------------------------------------------------------------ what came of them */

static void context_flags(struct check_words *w, struct ul_check *c)
{
    const int64_t *x = c->e->context;
    add_number(w, c, "-c", x[UL_EV_N_CTX]);
    add_number(w, c, "-np", x[UL_EV_N_SEQ] > 0 ? x[UL_EV_N_SEQ] : -1);
    if (x[UL_EV_UNIFIED] >= 0)
        add(w, c, x[UL_EV_UNIFIED] ? "-kvu" : "-no-kvu", NULL);
    add_number(w, c, "-b", x[UL_EV_N_BATCH]);
    add_number(w, c, "-ub", x[UL_EV_N_UBATCH]);
    if (x[UL_EV_FLASH] >= 0) /* else on auto: what came of it is compared with the plan's */
        add(w, c, "-fa", x[UL_EV_FLASH] ? "on" : "off");
    if (c->e->swa_full)
        add(w, c, "--swa-full", NULL);
    if (c->e->embedding)
        add(w, c, "--embedding", NULL);
    for (int i = 0; i < c->e->n_parts; i++)
        if (!c->e->part[i].model && strstr(c->e->part[i].what, "(MTP)")) {
            add(w, c, "--spec-type", "draft-mtp");
            add_number(w, c, "--spec-draft-n-max", x[UL_EV_RS_SEQ] > 0 ? x[UL_EV_RS_SEQ] : -1);
        }
    if (x[UL_EV_OUTPUTS] > 0 && x[UL_EV_OUTPUTS] != x[UL_EV_N_SEQ] && !w->args.outputs)
        w->args.outputs = text(w, "%lld", (long long)x[UL_EV_OUTPUTS]);
}

static void placement_flags(struct check_words *w, struct ul_check *c)
{
    const struct ul_evidence *e = c->e;
    const struct ul_ev_cache *k = first_cache(e);
    if (k && k->type[0][0] && strcmp(k->type[0], "f16") != 0)
        add(w, c, "-ctk", k->type[0]);
    if (k && k->type[1][0] && strcmp(k->type[1], "f16") != 0)
        add(w, c, "-ctv", k->type[1]);
    add_number(w, c, "-ngl", e->offloaded);
    if (e->offloaded > 1 && all_on_cpu(e, "kv"))
        add(w, c, "-nkvo", NULL);
    if (e->load_mode[0])
        add(w, c, "-lm", e->load_mode);
    else if (lies(e, "model", "_Mapped") == 0)
        add(w, c, "-lm", "none");
    add(w, c, "-fit", "off"); /* what it decided is in the log */
}

/* Devices that are there and were not used: -dev or -sm none left them out. With -sm tensor the one
 * that is used stands for all (ggml-backend-meta.cpp). */
static void device_flags(struct check_words *w, struct ul_check *c)
{
    char used[160] = "";
    int n = 0, left_out = 0;
    for (int i = 0; i < c->e->log.n_devices; i++)
        if (strncmp(c->e->log.device[i].name, "Meta(", 5) == 0) {
            add(w, c, "-sm", "tensor");
            return;
        }
    for (int i = 0; i < c->e->log.n_devices; i++) {
        const struct ul_log_device *d = &c->e->log.device[i];
        size_t at = strlen(used);
        if (d->used)
            snprintf(used + at, sizeof used - at, "%s%s", n++ ? "," : "", d->name);
        else
            left_out++;
    }
    if (n && left_out)
        add(w, c, "-dev", text(w, "%s", used));
}

/* ------------------------------------------------------------------ the machine */

static const char *backend_of(const char *name)
{
    static const struct {
        const char *prefix, *backend;
    } known[] = {{"CUDA", "cuda"}, {"Vulkan", "vulkan"}, {"ROCm", "rocm"}, {"MTL", "metal"},
                 {"Metal", "metal"}, {"SYCL", "sycl"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(name, known[i].prefix, strlen(known[i].prefix)) == 0)
            return known[i].backend;
    return NULL;
}

static bool machine_takes(const char *spec)
{
    ullage_error err = {0};
    ullage_machine *m = ullage_machine_new();
    bool ok = m && ullage_machine_add_gpu(m, spec, &err) == ULLAGE_OK;
    ullage_machine_free(m);
    return ok;
}

/* Of CUDA's devices, by their number. */
static const char *capability(const struct ul_evidence *e, const char *name)
{
    int number = strncmp(name, "CUDA", 4) == 0 ? atoi(name + 4) : -1;
    return number >= 0 && number < UL_LOG_DEVICES ? e->capability[number] : "";
}

/* A device of the catalogue by the driver's name, which has the maker's before it. The log's free
 * memory is without what the process itself takes, which was taken already. */
static void gpu_spec(struct check_words *w, const struct ul_log_device *d, const char *cc)
{
    char name[96], keys[160];
    const char *plain = d->description, *backend = backend_of(d->name);
    static const char *const makers[] = {"NVIDIA ", "GeForce ", "AMD "};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (strncmp(plain, makers[i], strlen(makers[i])) == 0)
            plain += strlen(makers[i]);
    snprintf(name, sizeof name, "%s", plain[0] ? plain : d->name);
    for (char *p = name; *p; p++)
        *p = *p == ',' || *p == '=' ? ' ' : *p;
    double total = d->total_mib > 0 ? d->total_mib : d->free_mib;
    double used = total - (d->free_mib > 0 ? d->free_mib : total);
    snprintf(keys, sizeof keys, ",total=%.0fMiB,used=%.0fMiB%s%s%s%s", total > 0 ? total : 1048576,
             used > 0 ? used : 0, backend ? ",backend=" : "", backend ? backend : "",
             cc[0] ? ",cc=" : "", cc);
    const char *spec = text(w, "%s%s", name, keys);
    if (!machine_takes(spec))
        spec = text(w, "name=%s%s", name, keys);
    if (w->args.n_gpus < CLI_MAX_GPUS)
        w->args.gpu[w->args.n_gpus++] = spec;
}

/* GPUs that only buffers name: how much memory they have does not matter where there is one. */
static void unlisted_gpus(struct check_words *w, struct ul_check *c)
{
    int n = 0;
    for (int i = 0; i < c->e->n_buffers; i++) {
        const char *name = c->e->buffer[i].buffer, *digit = name + strcspn(name, "0123456789");
        if (backend_of(name) && *digit && (digit[1] == '\0' || digit[1] == '_')
            && !strstr(name, "_Host") && atoi(digit) == n && n < CLI_MAX_GPUS) {
            struct ul_log_device d = {0};
            snprintf(d.name, sizeof d.name, "%.31s", name);
            gpu_spec(w, &d, capability(c->e, d.name));
            n++;
            i = -1;
        }
    }
    if (n > 1)
        ul_check_note(c, "the log does not list its %d devices: they are taken for equal ones, and "
                      "layers may be split otherwise; name them with --gpu", n);
    if (n == 0)
        w->args.gpu[w->args.n_gpus++] = "none";
}

static void machine(struct check_words *w, struct ul_check *c)
{
    const struct ul_evidence *e = c->e;
    const char *variant;
    for (size_t i = 0; !w->args.cpu && e->cpu[0] && (variant = ullage_cpu_variant(i)); i++)
        if (strcmp(variant, e->cpu) == 0)
            w->args.cpu = e->cpu;
    if (w->args.n_gpus > 0)
        return;
    if (!w->args.runtime)
        w->args.runtime = "0";
    for (int i = 0; i < e->log.n_devices; i++)
        if (backend_of(e->log.device[i].name))
            gpu_spec(w, &e->log.device[i], capability(e, e->log.device[i].name));
    if (w->args.n_gpus == 0)
        unlisted_gpus(w, c);
}

int check_words_make(struct check_words *w, const struct cli_args *args, struct ul_check *c)
{
    *w = (struct check_words){.args = *args};
    w->flags = calloc((size_t)args->n_flags + COMMAND_WORDS + 64, sizeof *w->flags);
    if (!w->flags)
        return cli_error(CLI_INPUT, "out of memory");
    w->args.flags = w->flags;
    w->args.n_flags = 0;
    command_flags(w, c);
    context_flags(w, c);
    placement_flags(w, c);
    fit_flags(w, c);
    if (args->n_gpus == 0)
        device_flags(w, c);
    machine(w, c);
    for (int i = 0; i < args->n_flags; i++)
        w->flags[w->args.n_flags++] = args->flags[i];
    return CLI_OK;
}

void check_words_free(struct check_words *w) { free(w->flags); }
