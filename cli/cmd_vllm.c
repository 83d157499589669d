/* ullage vllm: what a `vllm serve` line will have for its KV cache. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_bytes(const char *option, const char *text, ullage_bytes *b)
{
    ullage_error err = {0};
    if (!text)
        return CLI_OK;
    if (ullage_parse_size(text, &b->bytes, &err))
        return cli_error(CLI_USAGE, "%s: %s", option, err.message);
    b->source = ULLAGE_ASSUMED;
    return CLI_OK;
}

/* An unknown version is something this program does not know, not a mistake of the caller's. */
static int fail(const ullage_error *err)
{
    return err->code == ULLAGE_ERROR_UNKNOWN ? cli_error(CLI_UNKNOWN, "%s", err->message)
                                             : cli_fail(err);
}

static int verdict(const ullage_vllm *plan)
{
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    if (!i->known || (!i->low.starts && i->high.starts))
        return CLI_UNKNOWN;
    return i->low.starts ? CLI_OK : CLI_NO_FIT;
}

/* "64", "32k"; 0 when the option is missing. */
static int read_count(const char *option, const char *text, uint64_t otherwise, uint64_t *n)
{
    ullage_error err = {0};
    *n = otherwise;
    if (!text)
        return CLI_OK;
    if (ullage_parse_size(text, n, &err) || *n == 0 || *n > UINT32_MAX)
        return cli_error(CLI_USAGE, "%s: '%.40s' is no number above 0, as in 64 or 32k", option,
                         text);
    return CLI_OK;
}

static int read_goal(const struct cli_args *args, ullage_vllm_goal *goal)
{
    uint64_t per_node = 0;
    int status = read_count("--requests", args->requests, 1, &goal->requests);
    if (!status)
        status = read_count("--tokens", args->tokens, 0, &goal->tokens);
    if (!status)
        status = read_count("--per-node", args->per_node, 0, &per_node);
    goal->per_node = (uint32_t)per_node;
    if (!status && args->fit && !goal->tokens)
        status = cli_error(CLI_USAGE, "--fit needs --tokens: how long each request may become");
    return status;
}

static int read_launch(const char *word)
{
    static const char *const names[] = {
        [ULLAGE_LAUNCH_NATIVE] = "native", [ULLAGE_LAUNCH_RAY] = "ray",
        [ULLAGE_LAUNCH_LWS] = "lws", [ULLAGE_LAUNCH_LLAMA_RPC] = "llama-rpc"};
    for (int i = 0; i < 4; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    return -1;
}

/* Commands to standard output, so that they can be piped; what they rest on to standard error. */
static int print_launch(const struct cli_args *args, const ullage_machine *machine,
                        const ullage_vllm *plan, int how)
{
    ullage_error err = {0};
    char *table = ullage_vllm_render(plan, ULLAGE_TABLE, 0);
    char *text = ullage_vllm_launch(plan, how, &err);
    if (table)
        fputs(table, stderr);
    if (text && how == ULLAGE_LAUNCH_LLAMA_RPC)
        cli_vllm_rpc(args, plan, text, machine);
    int status = text ? cli_print(text) : cli_fail(&err);
    ullage_text_free(table);
    ullage_text_free(text);
    return status;
}

/* The flags that a fit chose, before the plan of exactly these. */
static int print_chosen(const struct cli_args *args, const ullage_vllm *plan)
{
    struct cli_text t = {0};
    size_t n;
    const char *const *flags = ullage_vllm_flags(plan, &n);
    if (!args->fit || args->json)
        return CLI_OK;
    cli_add(&t, "%s:", ullage_vllm_serves(plan) ? "serves with" : "nearest miss");
    for (size_t i = 0; i < n; i++)
        cli_add(&t, " %s", flags[i]);
    cli_add(&t, "  (%u GPUs)\n\n", ullage_vllm_describe(plan)->n_gpus);
    int status = t.failed ? cli_error(CLI_INPUT, "out of memory")
                 : args->launch ? (fputs(t.p, stderr), CLI_OK) : cli_print(t.p);
    free(t.p);
    return status;
}

static int print_plan(const struct cli_args *args, const ullage_machine *machine,
                      const ullage_vllm *plan, int how)
{
    int status = print_chosen(args, plan);
    if (status)
        return status;
    if (args->launch)
        status = print_launch(args, machine, plan, how);
    else {
        char *text = ullage_vllm_render(plan, cli_format(args), cli_color(args));
        status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
        ullage_text_free(text);
    }
    if (!status && args->fit && !ullage_vllm_serves(plan))
        return ullage_vllm_describe(plan)->known ? CLI_NO_FIT : CLI_UNKNOWN;
    return status ? status : verdict(plan);
}

static int make(ullage_vllm **plan, const struct cli_args *args, const ullage_machine *machine,
                const ullage_vllm_options *o, const ullage_vllm_goal *goal)
{
    ullage_error err = {0};
    int code = args->fit ? ullage_vllm_fit(plan, args->n_flags, args->flags, machine, o, goal, &err)
                         : ullage_vllm_make(plan, args->n_flags, args->flags, machine, o, &err);
    if (!code)
        ullage_vllm_goal_set(*plan, goal);
    return code ? fail(&err) : CLI_OK;
}

/* What a log of such a server gave here stands for the interval. */
static int use_kept(ullage_vllm **plan, const struct cli_args *args, const ullage_machine *machine,
                    ullage_vllm_options *o, const ullage_vllm_goal *goal)
{
    ullage_vllm *again = NULL;
    if (args->fit || o->profiled.source != ULLAGE_UNKNOWN
        || !cli_vllm_kept(*plan, machine, &o->profiled))
        return CLI_OK;
    int status = make(&again, args, machine, o, goal);
    if (status)
        return status;
    ullage_vllm_free(*plan);
    *plan = again;
    return CLI_OK;
}

/* A model on a server: its configuration, and the headers of its files. */
static int open_remote(struct cli_source **source, const struct cli_args *args,
                       ullage_vllm_options *o)
{
    const char *word = ullage_vllm_model(args->n_flags, args->flags);
    ullage_error err = {0};
    if (!word || !cli_is_remote(word))
        return CLI_OK;
    if (cli_source_open(source, args, word, true, &err))
        return cli_fail(&err);
    o->reader = cli_source_reader(*source, &o->name);
    return CLI_OK;
}

int cmd_vllm(const struct cli_args *args)
{
    struct cli_source *source = NULL;
    ullage_machine *machine = NULL;
    ullage_vllm *plan = NULL;
    ullage_vllm_options o = {.version = args->vllm_version};
    ullage_vllm_goal goal = {0};
    int how = args->launch ? read_launch(args->launch) : 0;
    if (how < 0)
        return cli_error(CLI_USAGE, "--launch: '%.40s' is none of native, ray, lws or llama-rpc",
                         args->launch);
    int status = read_bytes("--weights", args->weights, &o.weights);
    if (!status)
        status = read_bytes("--profiled", args->profiled, &o.profiled);
    if (!status)
        status = read_goal(args, &goal);
    if (!status)
        status = open_remote(&source, args, &o);
    if (!status)
        status = cli_machine(&machine, args);
    if (!status)
        status = make(&plan, args, machine, &o, &goal);
    if (!status)
        status = use_kept(&plan, args, machine, &o, &goal);
    if (!status)
        status = print_plan(args, machine, plan, how);
    ullage_vllm_free(plan);
    ullage_machine_free(machine);
    cli_source_close(source);
    return status;
}
