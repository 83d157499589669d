/* ullage vllm: what a `vllm serve` line will have for its KV cache. */
#include "cli.h"

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

static int print_plan(const struct cli_args *args, const ullage_vllm *plan)
{
    char *text = ullage_vllm_render(plan, cli_format(args), cli_color(args));
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    return status ? status : verdict(plan);
}

int cmd_vllm(const struct cli_args *args)
{
    ullage_error err = {0};
    ullage_machine *machine = NULL;
    ullage_vllm *plan = NULL;
    ullage_vllm_options o = {.version = args->vllm_version};
    int status = read_bytes("--weights", args->weights, &o.weights);
    if (!status)
        status = read_bytes("--profiled", args->profiled, &o.profiled);
    if (!status)
        status = cli_machine(&machine, args);
    if (!status && ullage_vllm_make(&plan, args->n_flags, args->flags, machine, &o, &err))
        status = fail(&err);
    if (!status)
        status = print_plan(args, plan);
    ullage_vllm_free(plan);
    ullage_machine_free(machine);
    return status;
}
