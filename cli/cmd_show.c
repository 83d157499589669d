/* ullage show: what a model file holds. */
#include "cli.h"

int cmd_show(const struct cli_args *args)
{
    ullage_error err = {0};
    ullage_model *model = NULL;
    const char *path = NULL;
    if (cli_model_path(args, &path))
        return CLI_USAGE;
    if (!path)
        return cli_error(CLI_USAGE, "no model: name its file, as in 'ullage show MODEL.gguf'");
    if (cli_open_model(&model, args, path, args->quant, &err))
        return cli_fail(&err);
    char *text = ullage_model_render(model, cli_format(args), cli_color(args));
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    ullage_close(model);
    return status;
}
