/* ullage curve: load memory against the context's length. */
#include "cli.h"

#include <limits.h>

static int read_to(const char *text, uint32_t *to)
{
    ullage_error err = {0};
    uint64_t n = 0;
    *to = 0;
    if (!text)
        return CLI_OK;
    if (ullage_parse_size(text, &n, &err) || n == 0 || n > INT_MAX)
        return cli_error(CLI_USAGE, "--to: '%.40s' is no length in tokens, as in 131072 or 128k",
                         text);
    *to = (uint32_t)n;
    return CLI_OK;
}

static int format_of(const struct cli_args *args)
{
    if (args->svg && (args->json || args->csv)) {
        cli_error(CLI_USAGE, "--svg, --json and --csv exclude each other");
        return -1;
    }
    return args->svg ? ULLAGE_SVG : cli_format(args);
}

static int print_curve(const struct cli_args *args, ullage_curve *curve)
{
    char *text = ullage_curve_render(curve, format_of(args), cli_color(args));
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    return status;
}

static int curve_of(const struct cli_args *args, const char *path, const ullage_settings *settings,
                    uint32_t to)
{
    ullage_error err = {0};
    ullage_machine *machine = NULL;
    ullage_model *model = NULL;
    ullage_curve *curve = NULL;
    int status = cli_machine(&machine, args);
    if (!status && (cli_open(&model, machine, args, path, &err)
                    || ullage_curve_make(&curve, model, settings, machine, to, &err)))
        status = err.code == ULLAGE_ERROR_UNKNOWN ? cli_error(CLI_UNKNOWN, "%s", err.message)
                                                  : cli_fail(&err);
    if (!status)
        status = print_curve(args, curve);
    ullage_curve_free(curve);
    ullage_close(model);
    ullage_machine_free(machine);
    return status;
}

int cmd_curve(const struct cli_args *args)
{
    const char *path = NULL;
    ullage_settings *settings = NULL;
    uint32_t to;
    if (format_of(args) < 0 || read_to(args->to, &to))
        return CLI_USAGE;
    int status = cli_settings(&settings, args);
    if (!status)
        status = cli_model_path(args, &path);
    if (!status)
        status = path ? curve_of(args, path, settings, to) : cli_no_model(settings, "curve");
    ullage_settings_free(settings);
    return status;
}
