/* The computed side of a measurement: the server's own command as a plan, at whatever length is
 * asked for, and that plan beside the server's log. */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MIB 1048576.0
#define LEAST 5242 /* bytes that a log shows as 0.00 MiB */

/* The server may have in its own cache what cannot be fetched here. */
static int no_plan(const ullage_error *err)
{
    fprintf(stderr, "ullage: no plan beside the measurement: %s\n", err->message);
    return CLI_OK;
}

int measure_curve_open(struct measure_curve *c, const struct cli_args *args)
{
    ullage_error err = {0};
    *c = (struct measure_curve){0};
    const char *path = cli_flagged_model(args);
    if (path && cli_is_remote(path) && cli_open_model(&c->model, args, path, NULL, &err))
        return no_plan(&err);
    int status = cli_settings(&c->settings, args);
    if (status || !path)
        return status;
    if (!c->model && cli_open_model(&c->model, args, path, NULL, &err))
        return cli_fail(&err);
    return cli_machine(&c->machine, args);
}

void measure_curve_close(struct measure_curve *c)
{
    ullage_plan_free(c->plan);
    ullage_machine_free(c->machine);
    ullage_close(c->model);
    ullage_settings_free(c->settings);
    *c = (struct measure_curve){0};
}

const ullage_plan *measure_curve_at(struct measure_curve *c, uint32_t n_ctx)
{
    char text[16];
    if (!c->model || (c->plan && c->n_ctx == n_ctx))
        return c->plan;
    ullage_plan_free(c->plan);
    c->plan = NULL;
    c->n_ctx = n_ctx;
    snprintf(text, sizeof text, "%u", n_ctx);
    if (ullage_settings_set(c->settings, "-c", text, NULL)
        || ullage_plan_make(&c->plan, c->model, c->settings, c->machine, NULL))
        c->plan = NULL;
    return c->plan;
}

/* The host is a plan's last device. */
int measure_curve_gpus(struct measure_curve *c)
{
    size_t n = 0;
    const ullage_plan *plan = measure_curve_at(c, 4096);
    if (plan)
        ullage_plan_devices(plan, &n);
    return n > 0 ? (int)n - 1 : 0;
}

static bool known(const ullage_device *d)
{
    const ullage_bytes *parts[] = {&d->model, &d->kv, &d->state, &d->output, &d->compute};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]->source == ULLAGE_UNKNOWN)
            return false;
    return true;
}

/* Without the runtime and the prompt; `device` -1: the host. */
static bool device_bytes(struct measure_curve *c, uint32_t n_ctx, int device, bool rounded,
                         uint64_t *bytes)
{
    size_t n;
    const ullage_plan *plan = measure_curve_at(c, n_ctx);
    const ullage_device *d = plan ? ullage_plan_devices(plan, &n) : NULL;
    if (!d || device >= (int)n)
        return false;
    d += device < 0 ? (int)n - 1 : device;
    *bytes = d->needed.bytes - d->runtime.bytes - d->prompt_peak.bytes - d->workspace.bytes
             - (rounded ? 0 : d->rounding.bytes);
    return known(d);
}

bool measure_curve_bytes(void *curve, uint32_t n_ctx, uint64_t *bytes)
{
    struct measure_curve *c = curve;
    return device_bytes(c, n_ctx, c->device, false, bytes);
}

bool measure_curve_charged(void *curve, uint32_t n_ctx, uint64_t *bytes)
{
    struct measure_curve *c = curve;
    size_t n;
    if (!device_bytes(c, n_ctx, c->device, true, bytes))
        return false;
    const ullage_device *d = ullage_plan_devices(c->plan, &n);
    *bytes += d[c->device < 0 ? (int)n - 1 : c->device].runtime.bytes;
    return true;
}

struct ul_amount measure_computed(struct measure_curve *c, uint32_t n_ctx, const char *device)
{
    size_t n = 0;
    struct ul_amount a = {0};
    const ullage_plan *plan = measure_curve_at(c, n_ctx);
    const ullage_device *d = plan ? ullage_plan_devices(plan, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(d[i].name, device) == 0)
            a.known = device_bytes(c, n_ctx, (int)i, true, &a.bytes);
    return a;
}

struct ul_amount measure_pool(struct measure_curve *c, uint32_t n_ctx, uint32_t tokens,
                              const char *device)
{
    size_t n = 0;
    struct ul_amount a = {0};
    const ullage_plan *plan = measure_curve_at(c, n_ctx);
    const ullage_device *d = plan ? ullage_plan_devices(plan, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(d[i].name, device) == 0 && tokens >= ullage_plan_context(plan)->n_ubatch
            && d[i].workspace.bytes == 0 && d[i].prompt_peak.source != ULLAGE_UNKNOWN
            && d[i].prompt_peak.source != ULLAGE_ASSUMED)
            a = (struct ul_amount){d[i].prompt_peak.bytes, true};
    return a;
}

/* ------------------------------------------------------------------ beside the log */

/* Each line of the log is rounded to a hundredth. */
static bool differs(double logged, double computed, int lines)
{
    return fabs(logged - computed) > 0.005 * (lines > 0 ? lines : 1) + 1e-6;
}

static const ullage_buffer *find(const ullage_buffer *all, size_t n, const struct ul_log_buffer *b)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].buffer, b->buffer) == 0 && strcmp(all[i].kind, b->kind) == 0)
            return &all[i];
    return NULL;
}

static bool in_log(const struct ul_log *log, const ullage_buffer *b)
{
    for (int i = 0; i < log->n_buffers; i++)
        if (strcmp(log->buffer[i].buffer, b->buffer) == 0
            && strcmp(log->buffer[i].kind, b->kind) == 0)
            return true;
    return false;
}

int measure_compare(struct measure_curve *c, uint32_t n_ctx, const struct ul_log *log,
                    struct ul_measurement *m)
{
    size_t n;
    int differing = 0;
    const ullage_plan *plan = measure_curve_at(c, n_ctx);
    const ullage_buffer *all = plan ? ullage_plan_buffers(plan, &n) : NULL;
    if (!all || log->n_buffers == 0)
        return -1;
    for (int i = 0; i < log->n_buffers; i++) {
        const struct ul_log_buffer *b = &log->buffer[i];
        const ullage_buffer *p = find(all, n, b);
        double computed = p ? (double)p->size.bytes / MIB : 0;
        if (p && p->size.source == ULLAGE_UNKNOWN)
            continue;
        if (!differs(b->mib, computed, b->lines))
            continue;
        differing++;
        ul_measure_note(m, "-c %u: %s %s buffer: %.2f MiB in the log, %.2f computed", n_ctx,
                        b->buffer, b->kind, b->mib, computed);
    }
    for (size_t i = 0; i < n; i++)
        if (all[i].size.source != ULLAGE_UNKNOWN && all[i].size.bytes > LEAST
            && !in_log(log, &all[i])) {
            differing++;
            ul_measure_note(m, "-c %u: %s %s buffer: %.2f MiB computed, not in the log", n_ctx,
                            all[i].buffer, all[i].kind, (double)all[i].size.bytes / MIB);
        }
    return differing;
}
