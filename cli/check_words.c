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

/* A device of the catalogue by the driver's name, which has the maker's before it. */
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
            gpu_spec(w, &d, c->e->compute_capability);
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
    for (int i = 0; i < e->log.n_devices; i++)
        if (backend_of(e->log.device[i].name))
            gpu_spec(w, &e->log.device[i], e->compute_capability);
    if (w->args.n_gpus == 0)
        unlisted_gpus(w, c);
}

int check_words_make(struct check_words *w, const struct cli_args *args, struct ul_check *c)
{
    *w = (struct check_words){.args = *args};
    w->flags = calloc((size_t)args->n_flags + 64, sizeof *w->flags);
    if (!w->flags)
        return cli_error(CLI_INPUT, "out of memory");
    w->args.flags = w->flags;
    w->args.n_flags = 0;
    context_flags(w, c);
    placement_flags(w, c);
    machine(w, c);
    for (int i = 0; i < args->n_flags; i++)
        w->flags[w->args.n_flags++] = args->flags[i];
    return CLI_OK;
}

void check_words_free(struct check_words *w) { free(w->flags); }
