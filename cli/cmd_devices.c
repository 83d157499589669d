/* ullage devices: the catalogue that --gpu picks from. */
#include "cli.h"

#include <stdlib.h>

static bool any_matches(const char *pattern)
{
    const ullage_known_device *d;
    for (size_t i = 0; (d = ullage_known_device_at(i)) != NULL; i++)
        if (ullage_known_device_matches(d, pattern))
            return true;
    return false;
}

/* Nothing found is an error in words, so that a script does not take an empty table for an
 * answer. */
static int no_device(const char *pattern)
{
    ullage_error err = {0};
    ullage_machine *machine = ullage_machine_new();
    int status = CLI_USAGE;
    if (machine && ullage_machine_add_gpu(machine, pattern, &err))
        cli_error(status, "%s", err.message);
    else
        cli_error(status, "no known device matches '%.60s'", pattern);
    ullage_machine_free(machine);
    return status;
}

int cmd_devices(const struct cli_args *args)
{
    if (args->word && !any_matches(args->word))
        return no_device(args->word);
    char *text = ullage_known_devices_render(args->word, args->json ? ULLAGE_JSON : ULLAGE_TABLE);
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    return status;
}
