/* ullage archs: the architectures, and how far plans of each go. */
#include "cli.h"

int cmd_archs(const struct cli_args *args)
{
    char *text = ullage_archs_render(args->word, cli_format(args), cli_color(args));
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    return status;
}
