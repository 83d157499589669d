/* ullage measure: its command line, where memory is counted, and one run of the server. What runs
 * there are, and what follows from them, is measure_method.c's. */
#define _GNU_SOURCE
#include "measure.h"

#include "measure/store.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MIB 1048576.0
#define RESERVE ((uint64_t)512 << 20)
#define RUNTIME_ASSUMED ((uint64_t)480 << 20)

/* ------------------------------------------------------------------ options */

static int size_of(const char *name, const char *text, uint64_t fallback, uint64_t *bytes)
{
    ullage_error err = {0};
    *bytes = fallback;
    if (text && ullage_parse_size(text, bytes, &err))
        return cli_error(CLI_USAGE, "%s: %s", name, err.message);
    return CLI_OK;
}

static int read_points(struct measuring *x)
{
    const char *text = x->args->measure.points;
    char end;
    if (text && (sscanf(text, "%u,%u%c", &x->forced[0], &x->forced[1], &end) != 2
                 || x->forced[0] < 1 || x->forced[0] >= x->forced[1]))
        return cli_error(CLI_USAGE, "--points: '%.40s' is not two rising lengths, as in 4096,8192",
                         text);
    return CLI_OK;
}

static int read_options(struct measuring *x)
{
    const struct cli_measure_args *o = &x->args->measure;
    if (cli_number("--fill", o->fill, 90, 0, 100, &x->fill)
        || cli_number("--interval", o->interval, 0.2, 0.01, 60, &x->interval)
        || cli_number("--settle", o->settle, 1, 0, 600, &x->settle)
        || cli_number("--timeout", o->timeout, 600, 0.1, 86400, &x->timeout)
        || cli_number("--grace", o->grace, 10, 0, 3600, &x->grace)
        || cli_number("--prompt-timeout", o->prompt_timeout, 3600, 1, 86400, &x->prompt_timeout)
        || cli_whole("--repeat", o->repeat, 2, 8, &x->repeat)
        || cli_whole("--generate", o->generate, 1, 1u << 20, &x->generate)
        || cli_whole("--round", o->round, 1024, 1u << 20, &x->m->round)
        || cli_whole("--cap", o->cap, 0, 1u << 30, &x->m->cap)
        || size_of("--gpu-budget", o->budget, 0, &x->budget)
        || size_of("--reserve", x->args->reserve, RESERVE, &x->m->reserve)
        || size_of("--prompt-peak", x->args->prompt_peak, 0, &x->margin) || read_points(x))
        return CLI_USAGE;
    return CLI_OK;
}

/* ------------------------------------------------------------------ the program */

/* Where the layers are open, the server's own --fit would move some to the host as the lengths
 * grow, and no line would go through its figures. */
static bool layers_open(const struct cli_args *a)
{
    static const char *const settled[] = {"-fit", "--fit", "-ngl", "--gpu-layers",
                                          "--n-gpu-layers"};
    for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
        if (cli_program_value(a, settled[i]))
            return false;
    return true;
}

/* Adds the length at the end, where it counts; for llama-server also the log's verbosity, at which
 * buffers are named, and a port of our own. */
static int compose(struct measuring *x)
{
    const struct cli_args *a = x->args;
    int n = a->n_program;
    x->argv = calloc((size_t)n + 12, sizeof *x->argv);
    if (!x->argv)
        return cli_error(CLI_INPUT, "out of memory");
    memcpy(x->argv, a->program, (size_t)n * sizeof *x->argv);
    x->argv[n++] = a->measure.ctx_flag ? a->measure.ctx_flag : "-c";
    x->argv[n++] = x->ctx;
    if (x->no_fit) {
        x->argv[n++] = "-fit";
        x->argv[n++] = "off";
    }
    if (x->llama && !cli_program_value(a, "-lv") && !cli_program_value(a, "--verbosity")) {
        x->argv[n++] = "-lv";
        x->argv[n++] = "4";
    }
    x->at_port = -1;
    if (x->llama && !cli_program_value(a, "--port")) {
        x->argv[n++] = "--port";
        x->at_port = n;
        x->argv[n++] = x->port;
    }
    return CLI_OK;
}

/* Where the server answers, and how it shows that it is ready. */
static int find_url(struct measuring *x)
{
    const char *ready = x->args->measure.ready, *host = cli_program_value(x->args, "--host");
    const char *port = cli_program_value(x->args, "--port");
    x->url = (struct ul_url){.host = "127.0.0.1", .path = "/health", .port = 8080};
    if (host && strcmp(host, "0.0.0.0") != 0 && strcmp(host, "localhost") != 0)
        snprintf(x->url.host, sizeof x->url.host, "%.120s", host);
    if (port && (x->url.port = atoi(port)) <= 0)
        return cli_error(CLI_USAGE, "--port: '%.40s' is no port to ask", port);
    x->own_port = port != NULL;
    if (!ready && !x->llama)
        return cli_error(CLI_USAGE, "'%.80s' is not llama-server: say how it shows that it is "
                         "ready, with --ready URL|REGEX", x->args->program[0]);
    if (ready && strncmp(ready, "http://", 7) == 0) {
        if (!ul_url_read(&x->url, ready))
            return cli_error(CLI_USAGE, "--ready: '%.80s' is not an address that can be asked",
                             ready);
    } else {
        x->ready = ready;
    }
    return CLI_OK;
}

/* The plan's own reading of the server's flags. */
static int open_curve(struct measuring *x, int server)
{
    x->server = *x->args;
    x->server.word = NULL;
    x->server.reserve = NULL;
    x->server.environment = NULL;
    x->server.n_environment = 0;
    x->server.flags = NULL;
    x->server.n_flags = 0;
    if (server < 0)
        return CLI_OK;
    x->server.n_flags = x->args->n_program - server - 1;
    x->server.flags = (const char **)(uintptr_t)(x->args->program + server + 1);
    int status = measure_curve_open(&x->curve, &x->server);
    if (status || !x->curve.model)
        return status;
    if (x->no_fit)
        ullage_settings_set(x->curve.settings, "-fit", "off", NULL);
    const ullage_model_info *info = ullage_describe(x->curve.model);
    snprintf(x->m->model, sizeof x->m->model, "%.255s", cli_base_name(info->path));
    x->m->model_bytes = info->size_bytes;
    if (!x->m->cap)
        x->m->cap = info->n_ctx_train;
    cli_measured(x->curve.machine, &x->server, x->curve.model);
    return CLI_OK;
}

static int read_program(struct measuring *x)
{
    if (x->args->n_program == 0)
        return cli_error(CLI_USAGE, "no server: name its command line, as in 'ullage measure -- "
                         "llama-server -m MODEL.gguf -ngl 99'");
    int server = cli_find_program(x->args, "llama-server");
    x->llama = server >= 0;
    x->no_fit = x->llama && layers_open(x->args);
    if (x->no_fit)
        ul_measure_note(x->m,
                        "measured with -fit off, every layer on the GPU: start the server so too, "
                        "or it moves layers when less than 1024 MiB would stay free");
    int status = find_url(x);
    if (!status)
        status = open_curve(x, server);
    if (!status)
        status = compose(x);
    cli_flags_text(&x->server, x->m->flags, sizeof x->m->flags);
    for (int i = 0; !x->llama && i < x->args->n_program; i++) {
        size_t n = strlen(x->m->flags);
        snprintf(x->m->flags + n, sizeof x->m->flags - n, "%s%s", i ? " " : "",
                 x->args->program[i]);
    }
    return status;
}

/* ------------------------------------------------------------------ places */

static void set_limit(struct measuring *x, struct ul_measure_place *p, struct ul_amount free)
{
    p->budget = x->budget ? x->budget : free.bytes;
    p->limit = p->budget > x->m->reserve ? p->budget - x->m->reserve : 0;
    p->margin = x->margin ? x->margin : MARGIN_LEAST;
}

/* All devices of the reader, and the host last. */
static int open_places(struct measuring *x)
{
    ullage_error err = {0};
    struct ul_measurement *m = x->m;
    struct ul_reading now;
    uint64_t ram = 0;
    if (ul_reader_open(&x->reader, x->args->measure.reader, x->args->sysroot, &err))
        return cli_fail(&err);
    ul_reader_read(&x->reader, 0, &now);
    snprintf(m->reader, sizeof m->reader, "%s", x->reader.kind->name);
    snprintf(m->driver, sizeof m->driver, "%s", x->reader.driver);
    for (int i = 0; i < x->reader.n; i++) {
        struct ul_measure_place *p = &m->place[m->n_places++];
        snprintf(p->name, sizeof p->name, "%s", x->reader.device[i].name);
        snprintf(p->device, sizeof p->device, "CUDA%d", i);
        p->slot = i;
        set_limit(x, p, now.device[i].free);
    }
    if (x->reader.n > 0)
        snprintf(m->gpu, sizeof m->gpu, "%s", x->reader.device[0].name);
    struct ul_measure_place *host = &m->place[m->n_places++];
    strcpy(host->name, "Host");
    strcpy(host->device, "Host");
    host->slot = UL_SLOT_HOST;
    if (x->args->ram && ullage_parse_size(x->args->ram, &ram, &err))
        return cli_error(CLI_USAGE, "--ram: %s", err.message);
    if (!x->args->ram)
        cli_detect_ram(x->args->sysroot, &ram);
    set_limit(x, host, (struct ul_amount){ram, true});
    return CLI_OK;
}

/* The places that hold memory of the server's; the host only where no GPU does. */
static void find_places(struct measuring *x, const struct ul_measure_run *first)
{
    struct ul_measurement *m = x->m;
    bool gpu = false;
    for (int i = 0; i < m->n_places - 1; i++) {
        m->place[i].counts = first->at[i].load.known && first->at[i].load.bytes > 0;
        gpu |= m->place[i].counts;
    }
    m->place[m->n_places - 1].counts = !gpu && first->at[m->n_places - 1].load.known;
}

/* The engine's name for each of the reader's devices, by their place on the bus where the log says
 * it, else in order. */
static void name_devices(struct measuring *x)
{
    for (int i = 0; i < x->reader.n; i++)
        for (int k = 0; k < x->log->n_devices; k++) {
            const struct ul_log_device *d = &x->log->device[k];
            bool same = d->id[0] ? strcmp(d->id, x->reader.device[i].id) == 0
                                 : x->reader.n == x->log->n_devices && i == k;
            if (same)
                snprintf(x->m->place[i].device, sizeof x->m->place[i].device, "%s", d->name);
        }
}

/* ------------------------------------------------------------------ one run */

static bool on_device(const struct measuring *x, const char *buffer)
{
    for (int i = 0; i < x->m->n_places - 1; i++)
        if (x->m->place[i].counts && strcmp(x->m->place[i].device, buffer) == 0)
            return true;
    return false;
}

/* A place's buffers by its device's name; the host has those that no device has. */
static struct ul_amount logged_at(const struct measuring *x, const struct ul_measure_place *p)
{
    struct ul_amount sum = {0};
    for (int i = 0; i < x->log->n_buffers; i++) {
        const struct ul_log_buffer *b = &x->log->buffer[i];
        if (p->slot == UL_SLOT_HOST ? on_device(x, b->buffer) : strcmp(b->buffer, p->device) != 0)
            continue;
        sum.known = true;
        sum.bytes += (uint64_t)llround(b->mib * MIB);
    }
    return sum;
}

/* Where no reader knows the GPU, what the log says of it is all there is: its devices become
 * places, before the host. */
static void places_of_log(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    for (int i = 0; i < x->log->n_devices && m->n_places < UL_PLACES; i++) {
        const struct ul_log_device *d = &x->log->device[i];
        struct ul_measure_place *p = &m->place[m->n_places - 1];
        m->place[m->n_places++] = *p;
        *p = (struct ul_measure_place){.slot = UL_SLOT_LOG};
        snprintf(p->name, sizeof p->name, "%s", d->description);
        snprintf(p->device, sizeof p->device, "%s", d->name);
        set_limit(x, p, (struct ul_amount){(uint64_t)(d->free_mib * MIB), true});
        ul_measure_note(m, "no reader knows %.60s: the log's buffers and what a process takes "
                        "besides stand for its memory, and the prompt is as was kept for it",
                        d->name);
    }
}

/* What a process takes besides its buffers, by the plan: measured here before, or assumed. */
static uint64_t runtime_bytes(struct measuring *x, uint32_t n_ctx)
{
    size_t n = 0;
    const ullage_plan *plan = measure_curve_at(&x->curve, n_ctx);
    const ullage_device *d = plan ? ullage_plan_devices(plan, &n) : NULL;
    return n > 1 ? d[0].runtime.bytes : RUNTIME_ASSUMED;
}

static void fill_readings(struct measuring *x, struct ul_measure_run *run,
                          const struct ul_run *seen)
{
    for (int i = 0; i < x->m->n_places; i++) {
        const struct ul_measure_place *p = &x->m->place[i];
        struct ul_figure *f = &run->at[i];
        f->logged = logged_at(x, p);
        f->computed = measure_computed(&x->curve, run->n_ctx, p->device);
        if (p->slot == UL_SLOT_LOG) {
            f->load = f->peak = f->logged;
            f->load.bytes += f->load.known ? runtime_bytes(x, run->n_ctx) : 0;
            f->peak.bytes = f->load.bytes + p->margin;
        } else {
            f->load = p->slot < 0 ? seen->load.pss : seen->load.device[p->slot].process;
            f->peak = p->slot < 0 ? seen->peak.pss : seen->peak.device[p->slot].process;
        }
    }
}

static void fill_figures(struct measuring *x, struct ul_measure_run *run, const struct ul_run *seen)
{
    bool first = x->m->n_runs == 1;
    ul_log_file(x->log, x->log_path);
    if (!x->m->engine[0])
        snprintf(x->m->engine, sizeof x->m->engine, "%s", x->log->build);
    name_devices(x);
    if (first && x->reader.n == 0)
        places_of_log(x);
    fill_readings(x, run, seen);
    if (first) {
        find_places(x, run);
        fill_readings(x, run, seen); /* now it is known whose buffers are the host's */
    }
    run->differs = measure_compare(&x->curve, run->n_ctx, x->log, x->m);
}

/* So that the prompt and what is generated fit a slot. */
static uint32_t prompt_tokens(struct measuring *x, uint32_t n_ctx)
{
    const ullage_plan *plan = measure_curve_at(&x->curve, n_ctx);
    double slot = n_ctx;
    if (plan)
        slot = ullage_plan_context(plan)->n_ctx_seq;
    else if (x->log->n_ctx_slot && x->log->n_ctx)
        slot = (double)n_ctx * x->log->n_ctx_slot / x->log->n_ctx;
    double n = floor(slot * x->fill / 100), most = slot - x->generate;
    return n > most ? most > 0 ? (uint32_t)most : 0 : (uint32_t)n;
}

static void progress(void *context, const char *what, double seconds)
{
    const struct measuring *x = context;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r-c %s: %s, %.1f s \033[K", x->ctx, what, seconds);
}

static void report_run(const struct measuring *x, const struct ul_measure_run *run)
{
    fprintf(stderr, "%s-c %u, %s %d:", isatty(STDERR_FILENO) ? "\r\033[K" : "", run->n_ctx,
            run->check ? "check" : "run", run->attempt);
    for (int i = 0; i < x->m->n_places; i++)
        if (x->m->place[i].counts)
            fprintf(stderr, " %.2f MiB%s", (double)run->at[i].load.bytes / MIB,
                    run->check ? "" : ",");
    for (int i = 0; run->check && i < x->m->n_places; i++)
        if (x->m->place[i].counts)
            fprintf(stderr, " (peak %.2f),", (double)run->at[i].peak.bytes / MIB);
    fprintf(stderr, run->resumed ? " read earlier\n" : " ready after %.1f s\n", run->ready_seconds);
}

static void name_log(struct measuring *x, uint32_t n_ctx, bool check, int attempt)
{
    snprintf(x->log_path, sizeof x->log_path, "%s/c%u-%s%d.log", x->logs, n_ctx,
             check ? "check" : "run", attempt);
}

static void set_prompt_environment(const struct measuring *x, uint32_t tokens)
{
    char text[256];
    snprintf(text, sizeof text, "http://%s:%d", x->url.host, x->url.port);
    setenv("ULLAGE_URL", text, 1);
    snprintf(text, sizeof text, "%u", tokens);
    setenv("ULLAGE_TOKENS", text, 1);
    snprintf(text, sizeof text, "%u", x->generate);
    setenv("ULLAGE_GENERATE", text, 1);
}

static int start_run(struct measuring *x, struct ul_measure_run *run, int *failure,
                     ullage_error *err)
{
    struct ul_run seen;
    struct ul_run_spec spec = {
        .argv = x->argv, .log = x->log_path, .own_port = x->own_port, .ready = x->ready,
        .reader = &x->reader, .interval = x->interval, .settle = x->settle, .timeout = x->timeout,
        .prompt_timeout = x->prompt_timeout, .grace_ms = (int)(x->grace * 1000),
        .prompt_path = "/completion",
        .interrupted = &cli_interrupted, .progress = progress, .context = x};
    if (x->at_port >= 0) {
        x->url.port = ul_port_free();
        snprintf(x->port, sizeof x->port, "%d", x->url.port);
    }
    snprintf(x->ctx, sizeof x->ctx, "%u", run->n_ctx);
    name_log(x, run->n_ctx, run->check, run->attempt);
    spec.url = x->url;
    char *prompt = NULL;
    run->prompt_tokens = run->check ? prompt_tokens(x, run->n_ctx) : 0;
    if (run->prompt_tokens && x->args->measure.prompt_cmd) {
        spec.prompt_cmd = x->args->measure.prompt_cmd;
        set_prompt_environment(x, run->prompt_tokens);
    } else if (run->prompt_tokens && x->llama) {
        spec.prompt = prompt = cli_prompt(x->log->n_vocab, run->prompt_tokens, x->generate);
    } else if (run->check) {
        run->prompt_tokens = 0;
        ul_measure_note(x->m, "no prompt was sent: the peak is the load's (see --fill and "
                        "--prompt-cmd)");
    }
    int rc = ul_run(&seen, &spec, err);
    free(prompt);
    *failure = seen.failure;
    run->samples = seen.samples;
    run->n_samples = seen.n_samples;
    run->ready_seconds = seen.ready_seconds;
    run->prompt_seconds = seen.prompt_seconds;
    if (seen.forced)
        ul_measure_note(x->m, "the server did not end on SIGTERM and was killed");
    if (!rc)
        fill_figures(x, run, &seen);
    return rc;
}

/* One run, taken from the store when it was made before. What cannot be saved is reported once and
 * measured all the same. */
static int one_run(struct measuring *x, uint32_t n_ctx, bool check, int attempt, int *failure)
{
    ullage_error err = {0}, store_err = {0};
    struct ul_measurement *m = x->m;
    *failure = UL_RUN_OK;
    if (m->n_runs == UL_RUNS)
        return cli_error(CLI_INPUT, "more than %d runs", UL_RUNS);
    struct ul_measure_run *run = &m->runs[m->n_runs++];
    *run = (struct ul_measure_run){.check = check, .n_ctx = n_ctx, .attempt = attempt,
                                   .differs = -1};
    if (x->store && ul_store_load_run(x->store, x->id, run)
        && !(x->reader.n == 0 && run->at[1].load.known)) { /* places of a log: read it again */
        if (m->n_runs == 1)
            find_places(x, run);
    } else if (start_run(x, run, failure, &err)) {
        free(run->samples);
        m->n_runs--;
        if (isatty(STDERR_FILENO))
            fputs("\r\033[K", stderr);
        return *failure == UL_RUN_INTERRUPTED
                   ? cli_error(CLI_INTERRUPTED, "%s", err.message)
                   : cli_error(CLI_INPUT, "-c %u: %s", n_ctx, err.message);
    } else if (x->store && ul_store_save_run(x->store, x->id, m, run, &store_err)) {
        cli_error(CLI_OK, "%s", store_err.message);
        ul_measure_note(m, "not stored: %.200s", store_err.message);
        ul_store_close(x->store);
        x->store = NULL;
    }
    report_run(x, run);
    return CLI_OK;
}

int measure_runs_at(struct measuring *x, uint32_t n_ctx, bool check, int *failure)
{
    int status = CLI_OK;
    for (uint32_t i = 1; !status && i <= x->repeat; i++)
        status = one_run(x, n_ctx, check, (int)i, failure);
    return status;
}

/* ------------------------------------------------------------------ all of it */

static void open_store(struct measuring *x)
{
    ullage_error err = {0};
    char key[4096];
    size_t n = (size_t)snprintf(key, sizeof key, "%s|%s|%s|%s", x->m->host, x->m->reader, x->m->gpu,
                                x->m->driver);
    for (int i = 0; i < x->args->n_program && n < sizeof key; i++)
        n += (size_t)snprintf(key + n, sizeof key - n, "|%s", x->args->program[i]);
    if (x->args->measure.fresh)
        snprintf(key, sizeof key, "%s", x->m->started); /* like no other */
    if (ul_store_open(&x->store, x->data, &err)
        || ul_store_begin(x->store, x->m, key, &x->id, &err)) {
        cli_error(CLI_OK, "%s", err.message);
        ul_measure_note(x->m, "not stored: %.200s", err.message);
        ul_store_close(x->store);
        x->store = NULL;
    }
}

static void set_conditions(struct ul_measurement *m)
{
    struct utsname u;
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(m->started, sizeof m->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (uname(&u) == 0)
        snprintf(m->host, sizeof m->host, "%.71s", u.nodename);
}

static int print(const struct measuring *x)
{
    const char *path = x->args->measure.html;
    char *text = x->args->json ? ul_measure_json(x->m) : ul_measure_table(x->m);
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    free(text);
    if (status || !path)
        return status;
    text = ul_measure_html(x->m);
    FILE *f = text ? fopen(path, "we") : NULL;
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        status = cli_error(CLI_INPUT, "cannot write %.200s: %s", path, strerror(errno));
    free(text);
    return status;
}

static int measure_and_print(struct measuring *x)
{
    ullage_error err = {0};
    open_store(x);
    int status = measure_method(x);
    bool done = status == CLI_OK || status == CLI_NO_FIT;
    if (done && x->store && ul_store_finish(x->store, x->id, x->m, &err))
        cli_error(CLI_OK, "%s", err.message);
    if (!done && x->m->n_runs > 0 && x->store)
        cli_error(CLI_OK, "%d finished runs are saved: the same command goes on from there",
                  x->m->n_runs);
    if (!done) {
        x->m->points[0] = 0; /* no line */
        if (x->m->n_runs > 0)
            print(x);
        return status;
    }
    int printed = print(x);
    return printed ? printed : status == CLI_OK && !x->m->fits ? CLI_NO_FIT : status;
}

/* One measurement at a time: two would read each other's memory, and take it from each other. */
static int with_folder(struct measuring *x)
{
    const char *logs = x->args->measure.log_dir;
    int pid = 0;
    if (!ul_store_folder(x->data, sizeof x->data, true))
        return cli_error(CLI_INPUT, "no folder for measurements can be made: set XDG_DATA_HOME");
    int lock = ul_store_lock(x->data, &pid);
    if (pid)
        return cli_error(CLI_INPUT, "another measurement is under way (process %d): wait for it, "
                         "or end it", pid);
    if (logs)
        snprintf(x->logs, sizeof x->logs, "%.2000s", logs);
    else
        snprintf(x->logs, sizeof x->logs, "%.2000s/logs", x->data);
    mkdir(x->logs, 0777);
    int status = measure_and_print(x);
    if (lock >= 0)
        close(lock);
    return status;
}

int cmd_measure(const struct cli_args *args)
{
    struct measuring x = {.args = args, .m = calloc(1, sizeof *x.m),
                          .log = calloc(1, sizeof *x.log)};
    if (!x.m || !x.log)
        return cli_error(CLI_INPUT, "out of memory");
    set_conditions(x.m);
    cli_watch_signals();
    int status = read_options(&x);
    if (!status)
        status = read_program(&x);
    if (!status)
        status = open_places(&x);
    if (!status)
        status = with_folder(&x);
    if (x.reader.kind)
        ul_reader_close(&x.reader);
    ul_store_close(x.store);
    measure_curve_close(&x.curve);
    ul_measure_free(x.m);
    free(x.log);
    free(x.argv);
    return status;
}
