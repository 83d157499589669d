/* ullage simulate: the user's own llama.cpp on GPUs that are not there. This file reads the
 * command line, makes the devices, and runs the program; simulate_model.c replaces models that are
 * not here, simulate_report.c says what was seen. */
#define _GNU_SOURCE
#include "simulate.h"

#include "measure/child.h"
#include "measure/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------ options and words */

static int read_options(struct simulating *x)
{
    const struct cli_measure_args *o = &x->args->measure;
    if (cli_number("--fill", o->fill, 100, 0, 100, &x->fill)
        || cli_number("--timeout", x->args->measure.timeout, 300, 0.1, 86400, &x->timeout)
        || cli_number("--prompt-timeout", o->prompt_timeout, 300, 1, 86400, &x->prompt_timeout)
        || cli_number("--grace", o->grace, 10, 0, 3600, &x->grace)
        || cli_whole("--generate", o->generate, 1, 1u << 20, &x->generate))
        return CLI_USAGE;
    const char *by = x->args->by;
    if (by && strcmp(by, "device") != 0 && strcmp(by, "buffer") != 0)
        return cli_error(CLI_USAGE, "--by: '%.40s' is neither device nor buffer: layers and "
                         "operations are a plan's", by);
    if (x->args->n_program == 0)
        return cli_error(CLI_USAGE, "no program: name its command line, as in 'ullage simulate "
                         "--gpu 24GiB -- llama-server -m MODEL.gguf -ngl 99'");
    int at = cli_find_program(x->args, "llama-");
    x->at = at < 0 ? 0 : at;
    x->server = strcmp(cli_base_name(x->args->program[x->at]), "llama-server") == 0;
    return CLI_OK;
}

static void add_words(struct simulating *x, const char *const *words, int n)
{
    memcpy(x->words + x->n_words, words, (size_t)n * sizeof *words);
    x->n_words += n;
}

static bool has_word(const struct simulating *x, const char *a, const char *b)
{
    for (int i = x->at + 1; i < x->n_words; i++)
        if (strcmp(x->words[i], a) == 0 || strcmp(x->words[i], b) == 0)
            return true;
    return false;
}

/* The buffers are named from verbosity 4 on. llama.cpp's common programs take it from the
 * environment too, where programs without such a flag do not mind; llama-bench has a flag of its
 * own. */
static void ask_for_words(struct simulating *x)
{
    if (!has_word(x, "-lv", "--verbosity"))
        setenv("LLAMA_ARG_LOG_VERBOSITY", "4", 1);
    const char *name = cli_base_name(x->args->program[x->at]);
    if (strcmp(name, "llama-bench") == 0 && !has_word(x, "-v", "--verbose"))
        add_words(x, (const char *const[]){"-v"}, 1);
}

static int compose(struct simulating *x)
{
    x->words = calloc((size_t)x->args->n_program + 8, sizeof *x->words);
    if (!x->words)
        return cli_error(CLI_INPUT, "out of memory");
    add_words(x, x->args->program, x->args->n_program);
    ask_for_words(x);
    if (x->server && !cli_program_value(x->args, "--port")) {
        snprintf(x->port, sizeof x->port, "%d", ul_port_free());
        add_words(x, (const char *const[]){"--port", x->port}, 2);
    }
    return CLI_OK;
}

/* ------------------------------------------------------------------ the devices */

/* As simgpu/spec.c reads them. */
static int spell_devices(const struct simulating *x, char *out, size_t size)
{
    ullage_gpu g;
    size_t n = 0;
    for (uint32_t i = 0; ullage_machine_gpu_at(x->machine, i, &g); i++) {
        if (strcmp(g.backend, "cuda") != 0)
            return cli_error(CLI_USAGE, "'%.60s' is a %s device: only CUDA is simulated", g.name,
                             g.backend);
        if (!g.cc || !g.sm)
            fprintf(stderr, "ullage: GPU %u: %s not said: taken as %s (see --gpu)\n", i,
                    g.cc ? "sm is" : "cc and sm are", g.cc ? "128" : "8.9 and 128");
        int cc = g.cc ? g.cc : 89;
        n += (size_t)snprintf(out + n, size - n, "%sname=%s,total=%llu,used=%llu,context=%llu,"
                              "cc=%d.%d,sm=%d,integrated=%d", n ? ";" : "",
                              g.name[0] ? g.name : "GPU", (unsigned long long)g.total,
                              (unsigned long long)g.used, (unsigned long long)g.runtime, cc / 10,
                              cc % 10, g.sm ? g.sm : 128, g.unified);
        if (g.l2 && n < size)
            n += (size_t)snprintf(out + n, size - n, ",l2=%llu", (unsigned long long)g.l2);
        if (n >= size)
            return cli_error(CLI_USAGE, "the GPUs' descriptions are too long");
    }
    return n ? CLI_OK : cli_error(CLI_USAGE, "no GPU to simulate: name one, as in --gpu 'RTX 4090' "
                                  "('ullage devices' lists them)");
}

/* The host is this machine, whatever the GPUs are. */
static int open_machine(struct simulating *x)
{
    struct cli_args own = *x->args;
    char ram[32];
    uint64_t bytes;
    if (!own.ram && cli_detect_ram(own.sysroot, &bytes)) {
        snprintf(ram, sizeof ram, "%llu", (unsigned long long)bytes);
        own.ram = ram;
    }
    return cli_machine(&x->machine, &own);
}

/* ------------------------------------------------------------------ a server */

static void read_log(struct simulating *x)
{
    FILE *f = fopen(x->sim.log, "re");
    ul_evidence_start(x->e);
    if (f) {
        ul_evidence_read(x->e, f);
        fclose(f);
    }
}

/* Why no prompt should be read; NULL: it may. */
static const char *no_prompt(const struct simulating *x)
{
    if (x->fill <= 0)
        return "no prompt was read (--fill 0): the prompt peak is the load's";
    if (has_word(x, "--embedding", "--embeddings") || has_word(x, "--rerank", "--reranking"))
        return "no prompt was read: the server generates nothing";
    return NULL;
}

/* Once it is ready: what it holds, and the prompt to send. */
static char *at_ready(void *context)
{
    struct simulating *x = context;
    ul_sim_read(&x->sim, &x->loaded);
    read_log(x);
    const char *why = no_prompt(x);
    uint32_t slot = x->e->log.n_ctx_slot ? x->e->log.n_ctx_slot : x->e->log.n_ctx;
    double n = (double)slot * x->fill / 100, most = (double)slot - x->generate;
    n = n > most ? most : n;
    if (!why && n < 1)
        why = "no prompt was read: the log does not say how long a slot is";
    snprintf(x->note, sizeof x->note, "%s", why ? why : "");
    x->prompt_tokens = why ? 0 : (uint32_t)n;
    return why ? NULL : cli_prompt(x->e->log.n_vocab, x->prompt_tokens, x->generate);
}

static void progress(void *context, const char *what, double seconds)
{
    (void)context;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rsimulating: %s, %.1f s \033[K", what, seconds);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static int server_failed(struct simulating *x, int failure, const ullage_error *err)
{
    if (failure == UL_RUN_INTERRUPTED)
        return cli_error(CLI_INTERRUPTED, "%s", err->message);
    if (x->end.refused && (failure == UL_RUN_MEMORY || failure == UL_RUN_EXITED
                           || failure == UL_RUN_DIED))
        return simulate_out_of_memory(x);
    if (failure != UL_RUN_PROMPT)
        return cli_error(CLI_INPUT, "%s", err->message);
    x->prompt_tokens = 0;
    snprintf(x->note, sizeof x->note, "no prompt was read: %.300s", err->message);
    return CLI_OK;
}

static int run_server(struct simulating *x)
{
    ullage_error err = {0};
    struct ul_run seen;
    struct ul_reader reader;
    const char *port = cli_program_value(x->args, "--port"), *ready = x->args->measure.ready;
    struct ul_run_spec spec = {
        .argv = x->words, .log = x->sim.log, .reader = &reader, .interval = 0.05, .settle = 0.1,
        .own_port = port != NULL,
        .timeout = x->timeout, .prompt_timeout = x->prompt_timeout, .prompt_path = "/completion",
        .grace_ms = (int)(x->grace * 1000), .at_ready = at_ready,
        .interrupted = &cli_interrupted, .progress = progress, .context = x,
        .url = {.host = "127.0.0.1", .path = "/health", .port = atoi(port ? port : x->port)}};
    if (ready && !ul_url_read(&spec.url, ready))
        spec.ready = ready;
    ul_sim_reader(&reader, &x->sim);
    int rc = ul_run(&seen, &spec, &err);
    free(seen.samples);
    end_progress();
    ul_sim_read(&x->sim, &x->end);
    return rc ? server_failed(x, seen.failure, &err) : CLI_OK;
}

/* ------------------------------------------------------------------ any other program */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Runs it to its end, with nothing on its standard input. */
static int run_program(struct simulating *x)
{
    ullage_error err = {0};
    struct ul_child child;
    char how[64], why[200];
    double from = now();
    if (ul_child_start(&child, x->words, x->sim.log, &err))
        return cli_fail(&err);
    while (!ul_child_wait(&child, 100) && now() - from < x->timeout && !cli_interrupted)
        progress(x, "running", now() - from);
    bool ended = child.ended;
    ul_child_stop(&child, (int)(x->grace * 1000));
    end_progress();
    ul_sim_read(&x->sim, &x->end);
    ul_child_ending(&child, how);
    ul_log_reason(x->sim.log, why, sizeof why);
    if (cli_interrupted)
        return cli_error(CLI_INTERRUPTED, "interrupted");
    if (ended && child.exit == 0)
        return CLI_OK;
    if (x->end.refused)
        return simulate_out_of_memory(x);
    if (!ended)
        return cli_error(CLI_INPUT, "the program did not end within %.0f s (\"%.100s\"): give it "
                         "longer (--timeout)", x->timeout, why);
    return cli_error(CLI_INPUT, "the program %s: \"%.200s\"", how, why);
}

/* ------------------------------------------------------------------ all of it */

/* Whether what ran used the devices at all. */
static int check_use(const struct simulating *x)
{
    if (x->end.processes == 0)
        return cli_error(CLI_INPUT, "the program asked for no GPU: %s", x->build.script
                         ? "it started no CUDA build of llama.cpp" : "see its log (--log-dir)");
    if (x->e->n_buffers == 0)
        return cli_error(CLI_UNKNOWN, "the program's log names no buffers: %s",
                         x->args->measure.log_dir ? x->sim.log : "keep it with --log-dir");
    return CLI_OK;
}

static int run(struct simulating *x)
{
    int status = x->server || x->args->measure.ready ? run_server(x) : run_program(x);
    if (status)
        return status;
    read_log(x);
    status = check_use(x);
    if (status)
        return status;
    if (!ul_seen_make(x->seen, x->e, x->sim.trace, x->loaded.trace_bytes))
        return cli_error(CLI_INPUT, "out of memory");
    return simulate_report(x);
}

static int simulate(struct simulating *x)
{
    ullage_error err = {0};
    char devices[4096], list[UL_SIM_PATH + 8], log[UL_SIM_PATH];
    const char *folder = x->args->measure.log_dir;
    int status = open_machine(x);
    if (!status)
        status = spell_devices(x, devices, sizeof devices);
    if (status)
        return status;
    snprintf(log, sizeof log, "%.900s/simulate.log", folder ? folder : "");
    if (ul_sim_open(&x->sim, folder ? log : NULL, &err))
        return cli_fail(&err);
    snprintf(list, sizeof list, "%s/list", x->sim.folder);
    if (ul_build_find(&x->build, x->args->program[x->at], x->sim.libraries, list, &err))
        return cli_fail(&err);
    status = compose(x);
    if (!status)
        status = simulate_models(x);
    if (status)
        return status;
    ul_sim_environment(&x->sim, devices);
    return run(x);
}

int cmd_simulate(const struct cli_args *args)
{
    struct simulating x = {.args = args, .e = calloc(1, sizeof *x.e),
                           .seen = calloc(1, sizeof *x.seen)};
    int status = x.e && x.seen ? read_options(&x) : cli_error(CLI_INPUT, "out of memory");
    cli_watch_signals();
    if (!status)
        status = simulate(&x);
    ul_sim_close(&x.sim);
    ullage_machine_free(x.machine);
    free(x.words);
    free(x.seen);
    free(x.e);
    return status;
}
