/* ullage plan: settings, machine and model joined, printed, and judged by the exit status. */
#include "cli.h"

#include <string.h>

static int read_by(const struct cli_args *args)
{
    static const char *const names[] = {[ULLAGE_BY_DEVICE] = "device",
                                        [ULLAGE_BY_BUFFER] = "buffer",
                                        [ULLAGE_BY_LAYER] = "layer", [ULLAGE_BY_OP] = "op"};
    for (int i = 0; i < 4; i++)
        if (!args->by || strcmp(args->by, names[i]) == 0)
            return i;
    cli_error(CLI_USAGE, "--by: '%.40s' is none of device, buffer, layer or op", args->by);
    return -1;
}

static int print_plan(const struct cli_args *args, const ullage_plan *plan)
{
    char *text =
        ullage_plan_render(plan, cli_format(args), read_by(args), cli_color(args));
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    return status ? status : cli_verdict(plan);
}

static int plan_model(const struct cli_args *args, const char *path,
                      const ullage_settings *settings)
{
    ullage_error err = {0};
    ullage_machine *machine = NULL;
    ullage_model *model = NULL;
    ullage_plan *plan = NULL;
    int status = cli_machine(&machine, args);
    if (!status && (cli_open(&model, machine, args, path, &err)
                    || ullage_plan_make(&plan, model, settings, machine, &err)))
        status = cli_fail(&err);
    if (!status)
        status = print_plan(args, plan);
    ullage_plan_free(plan);
    ullage_close(model);
    ullage_machine_free(machine);
    return status;
}

/* All that can be wrong with the command line is found before the file is opened. */
int cmd_plan(const struct cli_args *args)
{
    const char *path = NULL;
    ullage_settings *settings = NULL;
    int status = cli_format(args) < 0 || read_by(args) < 0 ? CLI_USAGE : CLI_OK;
    if (!status)
        status = cli_settings(&settings, args);
    if (!status)
        status = cli_model_path(args, &path);
    if (!status && path && args->quant && strcmp(args->quant, "all") == 0)
        status = cli_quants(args, path, settings);
    else if (!status)
        status = path ? plan_model(args, path, settings) : cli_no_model(settings, "plan");
    ullage_settings_free(settings);
    return status;
}
