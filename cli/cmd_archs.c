/* ullage archs: the architectures, and how far plans of each go. */
#include "cli.h"

#include <string.h>

static bool any_matches(const char *pattern)
{
    ullage_arch_info info;
    for (size_t i = 0; ullage_arch_at(i, &info); i++)
        if (strstr(info.name, pattern))
            return true;
    return false;
}

/* Nothing found is an error in words, as for 'devices': an empty table is no answer. */
int cmd_archs(const struct cli_args *args)
{
    if (args->word && !any_matches(args->word))
        return cli_error(CLI_USAGE, "no architecture has '%.60s' in its name: 'ullage archs' lists "
                         "them", args->word);
    char *text = ullage_archs_render(args->word, cli_format(args), cli_color(args));
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    return status;
}
