/* Help: of the command, of a subcommand, and of llama-server's flags, all from the tables. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 92  /* of a help line */
#define COLUMN 32 /* where an option's help starts */

/* "  -c, --ctx-size N" and its help from the column on, wrapped at blanks. */
static void add_entry(struct cli_text *t, const char *left, const char *help)
{
    int at = (int)strlen(left) + 2;
    cli_add(t, "  %s", left);
    if (at > COLUMN - 2) {
        cli_add(t, "\n");
        at = 0;
    }
    cli_add(t, "%*s", COLUMN - at, "");
    at = COLUMN;
    while (*help) {
        int n = (int)strcspn(help, " ");
        if (at > COLUMN && at + 1 + n > WIDTH) {
            cli_add(t, "\n%*s", COLUMN, "");
            at = COLUMN;
        }
        cli_add(t, at > COLUMN ? " %.*s" : "%.*s", n, help);
        at += n + (at > COLUMN);
        help += n;
        help += strspn(help, " ");
    }
    cli_add(t, "\n");
}

static void add_options(struct cli_text *t, unsigned use)
{
    for (size_t i = 0; i < cli_n_options; i++) {
        const struct cli_option *o = &cli_options[i];
        char left[96];
        if (!(o->uses & use) || !o->help)
            continue;
        snprintf(left, sizeof left, "%s%s%s%s%s", o->brief ? o->brief : "", o->brief ? ", " : "",
                 o->name, o->value ? " " : "", o->value ? o->value : "");
        add_entry(t, left, o->help);
    }
}

/* "-nkvo, --no-kv-offload" and so on, spellings first. */
static void spell_flag(const ullage_flag *flag, char *left, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < flag->n_names + flag->n_negations && n < size; i++)
        n += (size_t)snprintf(left + n, size - n, "%s%s", i ? ", " : "",
                              i < flag->n_names ? flag->names[i]
                                                : flag->negations[i - flag->n_names]);
    if (flag->value && n < size)
        n += (size_t)snprintf(left + n, size - n, " %s", flag->value);
    if (flag->value2 && n < size)
        snprintf(left + n, size - n, " %s", flag->value2);
}

static void add_flags(struct cli_text *t, int memory)
{
    ullage_flag flag;
    for (size_t i = 0; ullage_flag_at(i, &flag); i++) {
        char left[256], help[256];
        if (flag.memory != memory)
            continue;
        spell_flag(&flag, left, sizeof left);
        snprintf(help, sizeof help, "%s%s%s%s", flag.help, flag.env ? " [" : "",
                 flag.env ? flag.env : "", flag.env ? "]" : "");
        add_entry(t, left, help);
    }
}

static int finish(struct cli_text *t)
{
    int status = t->failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(t->p);
    free(t->p);
    return status;
}

/* By what they do to memory, since that is what a reader of this list wants to know first. */
static int flags_help(void)
{
    struct cli_text t = {0};
    cli_add(&t, "llama-server's flags, as version 0.7.0 knows them.\n\nThey move memory:\n");
    add_flags(&t, ULLAGE_FLAG_MODELLED);
    cli_add(&t, "\nThey move memory by rules not known here; what they touch becomes unknown:\n");
    add_flags(&t, ULLAGE_FLAG_UNMODELLED);
    cli_add(&t, "\nThey move none by themselves and are accepted:\n");
    add_flags(&t, ULLAGE_FLAG_FREE);
    return finish(&t);
}

/* How a model is named; the man page has it too. */
const struct cli_model_kind cli_model_kinds[] = {
    {"FILE.gguf", "a file, any shard of a split one, or a download's part with the header"},
    {"FOLDER, config.json",
     "a checkpoint, or its configuration alone, as llama.cpp would convert it"},
    {"NAME", "of the built-in catalogue, as llama-3.1-8b; no network"},
    {"STORE:NAME", "of a store on this machine, as 'ullage list' prints it"},
    {"https://...", "a GGUF file or a config.json on a server; only the header is fetched"},
    {"hf:OWNER/REPO[:QUANT]", "of Hugging Face (or MODEL_ENDPOINT), as -hf; "
                              "hf:OWNER/REPO/FILE is -hff"},
    {"ms:OWNER/REPO[:QUANT]", "of ModelScope (MODELSCOPE_DOMAIN)"},
    {"ollama:MODEL[:TAG]", "of Ollama's store here or its registry; "
                           "ollama:hf.co/OWNER/REPO:QUANT too"},
};

const size_t cli_n_model_kinds = sizeof cli_model_kinds / sizeof *cli_model_kinds;

static int models_help(void)
{
    struct cli_text t = {0};
    cli_add(&t, "MODEL may be, wherever a command takes one:\n\n");
    for (size_t i = 0; i < cli_n_model_kinds; i++)
        cli_add(&t, "  %-23s %s\n", cli_model_kinds[i].name, cli_model_kinds[i].help);
    cli_add(
        &t,
        "\nllama-server's -m, -mu, -hf and -hff, and their variables, name it too. The token of\n"
        "-hft or HF_TOKEN goes to Hugging Face only, what --header says to the host that was\n"
        "named. Headers that were fetched are kept below XDG_CACHE_HOME, and --offline takes\n"
        "these alone. Without such a name nothing is asked of any server.\n");
    return finish(&t);
}

int cli_command_help(const struct cli_command *command)
{
    struct cli_text t = {0};
    cli_add(&t, "Usage: ullage %s%s%s\n\n", command->name, *command->usage ? " " : "",
            command->usage);
    if (command->about)
        cli_add(&t, "%s", command->about);
    else
        cli_add(&t, "%s.\n", command->summary);
    cli_add(&t, "\nOptions:\n");
    add_options(&t, command->use);
    if (command->takes_flags)
        cli_add(&t, "\nllama-server's flags: 'ullage help flags' lists all of them. Most used:\n"
                    "  -c N (64k too)   -ngl N|all   -np N   -ctk TYPE -ctv TYPE   -fa on|off   "
                    "-ub N   -ncmoe N\n");
    return finish(&t);
}

/* What `ullage` alone prints too: what it is for, the subcommands, two commands to try, and the
 * statuses that scripts need. */
static int overview(void)
{
    struct cli_text t = {0};
    cli_add(&t, "ullage says what llama-server will hold in memory for a model, to the byte,\n"
                "before it is loaded: from the file's header and the flags alone.\n\n"
                "Usage: ullage SUBCOMMAND ...\n"
                "       ullage MODEL.gguf [llama-server flags]     the same as 'ullage plan'\n\n");
    for (size_t i = 0; i < cli_n_commands; i++)
        if (!cli_commands[i].hidden)
            cli_add(&t, "  %-10s %s\n", cli_commands[i].name, cli_commands[i].summary);
    cli_add(&t, "\nTry:\n"
                "  ullage model.gguf -c 32768 -np 1 --gpu 24GiB\n"
                "  ullage plan llama-server -m model.gguf -ngl 99\n"
                "  ullage help models                        every way to name a model\n\n"
                "Exit status: 0 it fits; 1 it does not; 2 the command line is wrong or the engine\n"
                "would refuse it; 3 the input cannot be read or is not valid, or the output\n"
                "cannot be written; 4 it may fit, but some figure is unknown.\n");
    return finish(&t);
}

int cmd_help(const struct cli_args *args)
{
    if (!args->word)
        return overview();
    if (strcmp(args->word, "flags") == 0)
        return flags_help();
    if (strcmp(args->word, "models") == 0)
        return models_help();
    const char *names[32];
    size_t n = 0;
    for (size_t i = 0; i < cli_n_commands; i++) {
        if (cli_commands[i].hidden)
            continue;
        if (strcmp(cli_commands[i].name, args->word) == 0)
            return cli_command_help(&cli_commands[i]);
        names[n++] = cli_commands[i].name;
    }
    const char *near = ullage_near(args->word, names, n);
    return cli_error(CLI_USAGE, "no help for '%.80s'%s%s%s", args->word,
                     near ? ": did you mean " : ": 'ullage help' lists the subcommands",
                     near ? near : "", near ? "?" : "");
}
