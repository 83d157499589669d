/* What a simulation showed, put into a plan of the same settings and printed as a plan. Which
 * settings those were is the command line's to say, and where the engine chose some of them
 * itself, the log's. */
#define _GNU_SOURCE
#include "simulate.h"
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB 1048576.0

/* ------------------------------------------------------------------ what was seen */

/* The lists that the library takes. */
struct lists {
    ullage_buffer buffers[UL_EV_BUFFERS];
    ullage_seen_part parts[UL_SEEN_PARTS];
    ullage_seen_device devices[SIM_DEVICES];
    char name[SIM_DEVICES][16];
    ullage_seen seen;
};

static uint64_t sum_of(const struct ul_seen *s, const char *device, bool charged)
{
    uint64_t sum = 0;
    for (int i = 0; i < s->n_parts; i++)
        if (strcmp(s->part[i].device, device) == 0)
            sum += charged ? s->part[i].charged : s->part[i].bytes;
    return sum;
}

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* What is neither a buffer nor the pool was the process's own when it had loaded; what came after
 * that is a library's workspace. Of a program that never said it had loaded, all of it is. */
static void see_device(const struct simulating *x, struct lists *l, int i)
{
    const struct sim_account *end = &x->end.device[i].account;
    ullage_seen_device *d = &l->devices[i];
    snprintf(l->name[i], sizeof l->name[i], "CUDA%d", i);
    uint64_t buffers = sum_of(x->seen, l->name[i], true);
    *d = (ullage_seen_device){.name = l->name[i], .charged = end->peak_used,
                              .prompt = end->peak[SIM_POOL], .context = end->peak[SIM_CONTEXT]};
    if (x->loaded.n > i) {
        const struct sim_account *then = &x->loaded.device[i].account;
        d->context = less(then->used, then->now[SIM_POOL] + buffers);
        d->workspace = less(end->peak_used, less(then->used, then->now[SIM_POOL]) + d->prompt);
        d->whole_prompt = x->e->context[UL_EV_N_UBATCH] > 0
                          && (int64_t)x->prompt_tokens >= x->e->context[UL_EV_N_UBATCH];
    } else {
        d->workspace = less(end->peak_used, d->context + buffers + d->prompt);
    }
}

static void make_lists(const struct simulating *x, struct lists *l)
{
    const struct ul_seen *s = x->seen;
    for (int i = 0; i < s->n_buffers; i++)
        l->buffers[i] = (ullage_buffer){.buffer = s->buffer[i].buffer, .kind = s->buffer[i].kind,
                                        .size = {s->buffer[i].bytes, ULLAGE_SIMULATED},
                                        .count = s->buffer[i].count};
    for (int i = 0; i < s->n_parts; i++)
        l->parts[i] = (ullage_seen_part){s->part[i].device, s->part[i].kind, s->part[i].bytes};
    for (int i = 0; i < x->end.n; i++)
        see_device(x, l, i);
    l->seen = (ullage_seen){l->buffers, l->parts, l->devices, (size_t)s->n_buffers,
                            (size_t)s->n_parts, (size_t)x->end.n};
}

/* ------------------------------------------------------------------ the settings */

static bool has_flag(const struct simulating *x, const char *const *names)
{
    for (int i = x->at + 1; i < x->args->n_program; i++)
        for (const char *const *name = names; *name; name++)
            if (strcmp(x->args->program[i], *name) == 0)
                return true;
    return false;
}

/* llama-server was told the layers and the length, or to choose nothing. */
static bool all_said(const struct simulating *x)
{
    static const char *const ngl[] = {"-ngl", "--gpu-layers", "--n-gpu-layers", NULL};
    static const char *const ctx[] = {"-c", "--ctx-size", NULL};
    static const char *const fit[] = {"-fit", "--fit", NULL};
    const char *value = cli_program_value(x->args, "-fit");
    value = value ? value : cli_program_value(x->args, "--fit");
    return (has_flag(x, fit) && value && strcmp(value, "off") == 0)
           || (has_flag(x, ngl) && has_flag(x, ctx));
}

/* Whether the log's words have that flag too. */
static bool said_again(const struct check_words *w, const char *name)
{
    ullage_flag flag, other;
    if (!ullage_flag_find(name, &flag))
        return false;
    for (int i = 0; i < w->args.n_flags; i++)
        if (ullage_flag_find(w->flags[i], &other) && other.names[0] == flag.names[0])
            return true;
    return false;
}

/* The server's own words, but for those that the log knows better. */
static int own_words(const struct simulating *x, const struct check_words *w, bool log,
                     const char **flags)
{
    int n = 0;
    ullage_flag flag;
    for (int i = x->at + 1; i < x->args->n_program; i++) {
        const char *word = x->args->program[i];
        bool known = ullage_flag_find(word, &flag) != 0;
        int values = known ? (flag.value != NULL) + (flag.value2 != NULL) : 0;
        if (log && said_again(w, word)) {
            i += values;
            continue;
        }
        flags[n++] = word;
        for (; values > 0 && i + 1 < x->args->n_program; values--)
            flags[n++] = x->args->program[++i];
    }
    return n;
}

/* The flags of a plan: the server's own, the log's, or both. */
static int plan_words(struct simulating *x, struct check_words *w, struct ul_check *c)
{
    struct cli_args bare = *x->args;
    int n = x->args->n_program - x->at - 1;
    bool log = !x->server || !all_said(x);
    bare.flags = NULL;
    bare.n_flags = 0;
    c->e = x->e;
    int status = check_words_make(w, &bare, c);
    if (status)
        return status;
    const char **flags = calloc((size_t)n + 64, sizeof *flags);
    if (!flags)
        return cli_error(CLI_INPUT, "out of memory");
    int at = x->server ? own_words(x, w, log, flags) : 0;
    for (int i = 0; log && i < w->args.n_flags; i++)
        flags[at++] = w->flags[i];
    free(w->flags);
    w->flags = w->args.flags = flags;
    w->args.n_flags = at;
    if (x->server)
        w->args.outputs = x->args->outputs;
    return CLI_OK;
}

static void add_notes(const struct simulating *x, ullage_settings *s)
{
    char text[600];
    snprintf(text, sizeof text, "what %.80s itself (%.100s) held on simulated GPUs; no kernel "
             "ran", cli_base_name(x->build.program),
             x->e->log.build[0] ? x->e->log.build : "its log names no build");
    ullage_settings_note(s, "simulated", text);
    if (x->prompt_tokens) {
        snprintf(text, sizeof text, "the prompt peak is that of a prompt of %u tokens",
                 x->prompt_tokens);
        ullage_settings_note(s, "prompt_read", text);
    } else if (x->note[0]) {
        ullage_settings_note(s, "no_prompt", x->note);
    }
    if (x->seen->rounded)
        ullage_settings_note(s, "rounded", "some buffers are as the log rounds them, to 0.01 MiB");
    if (x->seen->other_mib > 0.01 && x->loaded.n > 0) {
        snprintf(text, sizeof text, "%.2f MiB of other models' or contexts' buffers are part of "
                 "'runtime'", x->seen->other_mib);
        ullage_settings_note(s, "other_buffers", text);
    }
}

/* ------------------------------------------------------------------ printing */

static int by(const struct cli_args *args)
{
    return args->by && strcmp(args->by, "buffer") == 0 ? ULLAGE_BY_BUFFER : ULLAGE_BY_DEVICE;
}

static int print_plan(const struct simulating *x, const ullage_plan *plan)
{
    char *text = ullage_plan_render(plan, x->args->json ? ULLAGE_JSON : ULLAGE_TABLE,
                                    by(x->args), cli_color(x->args));
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    return status ? status : cli_verdict(plan);
}

/* Without a plan, because the model is newer than the rules: what was seen alone. */
static void bare_table(struct cli_text *t, const struct lists *l)
{
    cli_add(t, "%-12s %-18s %12s %16s\n", "simulated", "", "MiB", "bytes");
    for (size_t i = 0; i < l->seen.n_buffers; i++)
        cli_add(t, "%-12s %-18s %12.2f %16llu\n", l->buffers[i].buffer, l->buffers[i].kind,
                (double)l->buffers[i].size.bytes / MIB,
                (unsigned long long)l->buffers[i].size.bytes);
    for (size_t i = 0; i < l->seen.n_devices; i++)
        cli_add(t, "%-12s %-18s %12.2f %16llu\n", l->devices[i].name, "all, at its peak",
                (double)l->devices[i].charged / MIB, (unsigned long long)l->devices[i].charged);
}

static void bare_json(struct cli_text *t, const struct lists *l)
{
    cli_add(t, "{\n  \"schema_version\": 1,\n  \"buffers\": [");
    for (size_t i = 0; i < l->seen.n_buffers; i++)
        cli_add(t, "%s\n    {\"buffer\": \"%s\", \"kind\": \"%s\", \"bytes\": %llu, "
                   "\"source\": \"simulated\"}", i ? "," : "", l->buffers[i].buffer,
                l->buffers[i].kind, (unsigned long long)l->buffers[i].size.bytes);
    cli_add(t, "\n  ],\n  \"devices\": [");
    for (size_t i = 0; i < l->seen.n_devices; i++)
        cli_add(t, "%s\n    {\"name\": \"%s\", \"needed_bytes\": %llu}", i ? "," : "",
                l->devices[i].name, (unsigned long long)l->devices[i].charged);
    cli_add(t, "\n  ]\n}\n");
}

static int print_bare(const struct simulating *x, const struct lists *l, const char *why)
{
    struct cli_text t = {0};
    (x->args->json ? bare_json : bare_table)(&t, l);
    int status = t.failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(t.p);
    free(t.p);
    cli_error(CLI_OK, "nothing is computed beside it: %s", why);
    return status; /* it ran, so it fits */
}

static int observe(struct simulating *x, const struct check_words *w, const struct lists *l)
{
    ullage_error err = {0};
    ullage_settings *settings = NULL;
    ullage_model *model = NULL;
    ullage_plan *plan = NULL;
    int status = cli_settings(&settings, &w->args);
    if (!status)
        add_notes(x, settings);
    if (!status && (ullage_open(&model, x->model, &err)
                    || ullage_plan_make(&plan, model, settings, x->machine, &err)))
        status = print_bare(x, l, err.message);
    else if (!status && ullage_plan_observe(plan, &l->seen, &err))
        status = cli_fail(&err);
    else if (!status)
        status = print_plan(x, plan);
    ullage_plan_free(plan);
    ullage_close(model);
    ullage_settings_free(settings);
    return status;
}

int simulate_report(struct simulating *x)
{
    struct lists *l = calloc(1, sizeof *l);
    struct ul_check *c = calloc(1, sizeof *c);
    struct check_words w = {0};
    int status = l && c ? plan_words(x, &w, c) : cli_error(CLI_INPUT, "out of memory");
    if (!status) {
        make_lists(x, l);
        status = observe(x, &w, l);
    }
    check_words_free(&w);
    free(l);
    free(c);
    return status;
}

int simulate_out_of_memory(const struct simulating *x)
{
    char why[300];
    struct cli_text t = {0};
    const struct sim_account *a = &x->end.device[x->end.refused_device].account;
    ul_log_reason(x->sim.log, why, sizeof why);
    cli_error(CLI_NO_FIT, "out of memory: CUDA%d was asked for %.2f MiB and had %.2f MiB free; the "
              "engine says: \"%.250s\"", x->end.refused_device, (double)a->refused / MIB,
              (double)a->refused_free / MIB, why);
    if (x->args->json) {
        cli_add(&t, "{\n  \"schema_version\": 1,\n  \"out_of_memory\": {\"device\": \"CUDA%d\", "
                "\"asked_bytes\": %llu, \"free_bytes\": %llu, \"held_bytes\": %llu}\n}\n",
                x->end.refused_device, (unsigned long long)a->refused,
                (unsigned long long)a->refused_free, (unsigned long long)a->peak_used);
        if (!t.failed)
            cli_print(t.p);
        free(t.p);
    }
    return CLI_NO_FIT;
}
