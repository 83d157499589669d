/* ullage sniff: what files are, one after the other; the status is the worst of them. */
#include "cli.h"

#include <string.h>

/* Nothing wrong with a web page, but it is no model's. */
static bool is_known(const char *kind)
{
    static const char *const others[] = {"unknown", "text", "json", "program"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(kind, others[i]) == 0)
            return false;
    return true;
}

static int status_of(const ullage_sniff_info *info)
{
    return info->n_faults ? CLI_NO_FIT : is_known(info->kind) ? CLI_OK : CLI_UNKNOWN;
}

static int sniff(const struct cli_args *args, const char *word)
{
    struct cli_source *source = NULL;
    ullage_sniffing *s = NULL;
    ullage_error err = {0};
    const char *name = NULL;
    int status = CLI_OK;
    if (cli_source_open(&source, args, word, false, &err))
        return cli_fail(&err);
    const ullage_reader *reader = cli_source_reader(source, &name);
    if (ullage_sniff(&s, reader, name, &err))
        status = cli_fail(&err);
    char *text = status ? NULL : ullage_sniff_render(s, args->json ? ULLAGE_JSON : ULLAGE_TABLE);
    if (!status)
        status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    if (!status)
        status = status_of(ullage_sniff_describe(s));
    ullage_text_free(text);
    ullage_sniff_free(s);
    cli_source_close(source);
    return status;
}

int cmd_sniff(const struct cli_args *args)
{
    static const int worst[] = {CLI_OK, CLI_UNKNOWN, CLI_NO_FIT, CLI_USAGE, CLI_INPUT};
    int rank = 0;
    if (args->n_words == 0)
        return cli_error(CLI_USAGE, "no file: name one, as in 'ullage sniff model.gguf'");
    for (int i = 0; i < args->n_words; i++) {
        int status = sniff(args, args->words[i]);
        for (int k = rank; k < 5; k++)
            rank = worst[k] == status ? k : rank;
    }
    return worst[rank];
}
