/* ullage speed: what a token reads on each device, and how long that takes. */
#include "cli.h"

static int print_speed(const struct cli_args *args, const ullage_plan *plan)
{
    char *text = ullage_speed_render(plan, args->json ? ULLAGE_JSON : ULLAGE_TABLE);
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_speed speed;
    ullage_text_free(text);
    ullage_plan_speed(plan, 0, &speed);
    return status ? status : speed.generation.bound > 0 ? CLI_OK : CLI_UNKNOWN;
}

static int speed_of(const struct cli_args *args, const char *path, const ullage_settings *settings)
{
    ullage_error err = {0};
    ullage_machine *machine = NULL;
    ullage_model *model = NULL;
    ullage_plan *plan = NULL;
    int status = cli_machine(&machine, args);
    if (!status && (cli_open_model(&model, args, path, args->quant, &err)
                    || ullage_plan_make(&plan, model, settings, machine, &err)))
        status = cli_fail(&err);
    if (!status)
        status = print_speed(args, plan);
    ullage_plan_free(plan);
    ullage_close(model);
    ullage_machine_free(machine);
    return status;
}

int cmd_speed(const struct cli_args *args)
{
    const char *path = NULL;
    ullage_settings *settings = NULL;
    int status = cli_settings(&settings, args);
    if (!status)
        status = cli_model_path(args, &path);
    if (!status)
        status = path ? speed_of(args, path, settings) : cli_no_model(settings, "speed");
    ullage_settings_free(settings);
    return status;
}
