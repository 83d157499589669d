/* The man page and the shells' completion, made from the same tables as the help. The build runs
 * these hidden subcommands and installs what they print. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int finish(struct cli_text *t)
{
    int status = t->failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(t->p);
    free(t->p);
    return status;
}

/* All of what follows is text that another program parses, so each writer escapes what its shell
 * (or roff) would take for its own. */

/* Text with some characters escaped by a backslash or doubled. */
static void add_escaped(struct cli_text *t, const char *text, const char *special, char with)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            cli_add(t, "%c", with);
        cli_add(t, "%c", *text);
    }
}

/* One spelling, as a shell's writer gets it. */
struct spelling {
    const struct cli_command *command;
    const char *name, *help;
    bool takes_value;
    size_t flag;                   /* its index in the library's table, or OWN */
    const char *const *words;      /* an own option's words */
};
#define OWN SIZE_MAX

typedef void add_flag_fn(struct cli_text *t, const struct spelling *s);

/* The k-th word that the spelling takes, or NULL. */
static const char *word_of(const struct spelling *s, size_t k)
{
    if (s->flag != OWN)
        return s->takes_value ? ullage_flag_word(s->flag, k) : NULL;
    for (size_t i = 0; s->words && s->words[i]; i++)
        if (i == k)
            return s->words[i];
    return NULL;
}

static void add_words(struct cli_text *t, const struct spelling *s)
{
    for (size_t k = 0; word_of(s, k); k++)
        cli_add(t, "%s%s", k ? " " : "", word_of(s, k));
}

static void own_spellings(struct cli_text *t, const struct cli_command *c, add_flag_fn *add)
{
    for (size_t i = 0; i < cli_n_options; i++) {
        const struct cli_option *o = &cli_options[i];
        struct spelling s = {c, o->name, o->help, o->value != NULL, OWN, o->words};
        if (!(o->uses & c->use) || !o->help)
            continue;
        add(t, &s);
        s.name = o->brief;
        if (o->brief)
            add(t, &s);
    }
}

/* llama-server's -h and --help are the command's own here, and must not be listed twice. */
static bool own_name(const char *name)
{
    for (size_t i = 0; i < cli_n_options; i++)
        if (strcmp(cli_options[i].name, name) == 0
            || (cli_options[i].brief && strcmp(cli_options[i].brief, name) == 0))
            return true;
    return false;
}

/* Calls `add` for each spelling of each option and flag of a subcommand. */
static void each_flag(struct cli_text *t, const struct cli_command *c, add_flag_fn *add)
{
    ullage_flag flag;
    own_spellings(t, c, add);
    for (size_t i = 0; c->takes_flags && ullage_flag_at(i, &flag); i++) {
        struct spelling s = {c, NULL, flag.help, flag.value != NULL, i, NULL};
        for (size_t k = 0; k < flag.n_names + flag.n_negations; k++) {
            s.name = k < flag.n_names ? flag.names[k] : flag.negations[k - flag.n_names];
            if (!own_name(s.name))
                add(t, &s);
        }
    }
}

static void add_names(struct cli_text *t)
{
    for (size_t i = 0, first = 1; i < cli_n_commands; i++) {
        if (cli_commands[i].hidden)
            continue;
        cli_add(t, "%s%s", first ? "" : " ", cli_commands[i].name);
        first = 0;
    }
}

/* ------------------------------------------------------------------ bash */

static void bash_flag(struct cli_text *t, const struct spelling *s)
{
    cli_add(t, " %s", s->name);
}

/* Words that options and flags take: one `case` branch each. */
static void bash_words(struct cli_text *t, const struct spelling *s)
{
    if (!word_of(s, 0))
        return;
    cli_add(t, "    %s) words='", s->name);
    add_words(t, s);
    cli_add(t, "' ;;\n");
}

/* The words that the flag before takes come first; then flags, by subcommand (a line without a
 * subcommand is a plan, so `plan` is the branch for anything); then files. */
static int bash(void)
{
    struct cli_text t = {0};
    cli_add(&t, "# bash completion for ullage; made by the program itself\n_ullage() {\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                "    local command=${COMP_WORDS[1]} words=''\n"
                "    COMPREPLY=()\n    case $prev in\n");
    each_flag(&t, &cli_commands[0], bash_words);
    cli_add(&t, "    esac\n    if [[ -n $words ]]; then\n"
                "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n        return\n    fi\n"
                "    if [[ $cur == -* ]]; then\n        case $command in\n");
    for (size_t i = cli_n_commands; i-- > 0;) {
        const struct cli_command *c = &cli_commands[i];
        if (c->hidden)
            continue;
        cli_add(&t, "        %s) words='", i == 0 ? "*" : c->name);
        each_flag(&t, c, bash_flag);
        cli_add(&t, "' ;;\n");
    }
    cli_add(&t, "        esac\n        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                "        return\n    fi\n"
                "    if [[ $COMP_CWORD -eq 1 ]]; then\n        COMPREPLY=($(compgen -W '");
    add_names(&t);
    cli_add(&t, "' -- \"$cur\"))\n    fi\n"
                "    COMPREPLY+=($(compgen -f -X '!*.gguf' -- \"$cur\")"
                " $(compgen -d -- \"$cur\"))\n"
                "}\ncomplete -o filenames -F _ullage ullage\n");
    return finish(&t);
}

/* ------------------------------------------------------------------ zsh */

static void zsh_value(struct cli_text *t, const struct spelling *s)
{
    cli_add(t, ":value:");
    if (word_of(s, 0)) {
        cli_add(t, "(");
        add_words(t, s);
        cli_add(t, ")");
    } else if (strcmp(s->name, "-m") == 0 || strcmp(s->name, "--model") == 0) {
        cli_add(t, "_files -g \"*.gguf\"");
    }
}

/* Quotes end the word; brackets and colons end its parts. */
static void zsh_flag(struct cli_text *t, const struct spelling *s)
{
    cli_add(t, "        '*%s[", s->name);
    for (const char *p = s->help; *p; p++)
        cli_add(t, *p == '\'' ? "'\\''" : strchr("[]:\\", *p) ? "\\%c" : "%c", *p);
    cli_add(t, "]");
    if (s->takes_value)
        zsh_value(t, s);
    cli_add(t, "' \\\n");
}

static int zsh(void)
{
    struct cli_text t = {0};
    cli_add(&t, "#compdef ullage\n# zsh completion for ullage; made by the program itself\n"
                "local command=${words[2]}\n"
                "if (( CURRENT == 2 )) && [[ ${words[2]} != -* ]]; then\n"
                "    _alternative 'commands:subcommand:(");
    add_names(&t);
    cli_add(&t, ")' 'files:model:_files -g \"*.gguf\"'\n    return\nfi\ncase $command in\n");
    for (size_t i = cli_n_commands; i-- > 0;) {
        const struct cli_command *c = &cli_commands[i];
        if (c->hidden)
            continue;
        cli_add(&t, "%s)\n    _arguments \\\n", i == 0 ? "*" : c->name);
        each_flag(&t, c, zsh_flag);
        cli_add(&t, "        '*:model:_files -g \"*.gguf\"' ;;\n");
    }
    cli_add(&t, "esac\n");
    return finish(&t);
}

/* ------------------------------------------------------------------ fish */

/* Without a subcommand the words are plan's: its options stand for all but the others. */
static void add_others(struct cli_text *t)
{
    for (size_t i = 1; i < cli_n_commands; i++)
        if (!cli_commands[i].hidden)
            cli_add(t, " %s", cli_commands[i].name);
}

/* fish writes a dash before a letter, "old" options of one dash, and long ones apart. */
static void fish_flag(struct cli_text *t, const struct spelling *s)
{
    bool is_long = s->name[1] == '-';
    const char *bare = s->name + (is_long ? 2 : 1);
    bool plan = s->command == &cli_commands[0];
    cli_add(t, "complete -c ullage -n '%s__fish_seen_subcommand_from", plan ? "not " : "");
    if (plan)
        add_others(t);
    else
        cli_add(t, " %s", s->command->name);
    cli_add(t, "'");
    cli_add(t, " -%c %s", is_long ? 'l' : bare[1] ? 'o' : 's', bare);
    if (s->takes_value)
        cli_add(t, " -r");
    if (word_of(s, 0)) {
        cli_add(t, " -f -a '");
        add_words(t, s);
        cli_add(t, "'");
    }
    cli_add(t, " -d '");
    add_escaped(t, s->help, "'\\", '\\');
    cli_add(t, "'\n");
}

static int fish(void)
{
    struct cli_text t = {0};
    cli_add(&t, "# fish completion for ullage; made by the program itself\n");
    for (size_t i = 0; i < cli_n_commands; i++) {
        if (cli_commands[i].hidden)
            continue;
        cli_add(&t, "complete -c ullage -n __fish_use_subcommand -a %s -d '", cli_commands[i].name);
        add_escaped(&t, cli_commands[i].summary, "'\\", '\\');
        cli_add(&t, "'\n");
    }
    for (size_t i = 0; i < cli_n_commands; i++)
        if (!cli_commands[i].hidden)
            each_flag(&t, &cli_commands[i], fish_flag);
    return finish(&t);
}

int cmd_completion(const struct cli_args *args)
{
    const char *shell = args->word ? args->word : "";
    if (strcmp(shell, "bash") == 0)
        return bash();
    if (strcmp(shell, "zsh") == 0)
        return zsh();
    if (strcmp(shell, "fish") == 0)
        return fish();
    return cli_error(CLI_USAGE, "'%.40s' is none of bash, zsh or fish", shell);
}

/* ------------------------------------------------------------------ the man page */

/* A line that starts with a dot or a quote would be a request; a bare '-' would be a hyphen, which
 * cannot be pasted into a shell. */
static void roff(struct cli_text *t, const char *text)
{
    for (bool start = true; *text; start = *text++ == '\n') {
        if (start && (*text == '.' || *text == '\''))
            cli_add(t, "\\&");
        cli_add(t, *text == '\\' ? "\\e" : *text == '-' ? "\\-" : "%c", *text);
    }
}

static void man_flag(struct cli_text *t, const ullage_flag *flag)
{
    cli_add(t, ".TP\n.B ");
    for (size_t i = 0; i < flag->n_names + flag->n_negations; i++) {
        cli_add(t, "%s", i ? ", " : "");
        roff(t, i < flag->n_names ? flag->names[i] : flag->negations[i - flag->n_names]);
    }
    if (flag->value)
        cli_add(t, " \\fI%s\\fR", flag->value);
    if (flag->value2)
        cli_add(t, " \\fI%s\\fR", flag->value2);
    cli_add(t, "\n");
    roff(t, flag->help);
    if (flag->env)
        cli_add(t, " (%s)", flag->env);
    cli_add(t, "\n");
}

static void man_flags(struct cli_text *t, const char *title, int memory)
{
    ullage_flag flag;
    cli_add(t, ".SS %s\n", title);
    for (size_t i = 0; ullage_flag_at(i, &flag); i++)
        if (flag.memory == memory)
            man_flag(t, &flag);
}

static void man_command(struct cli_text *t, const struct cli_command *c)
{
    cli_add(t, ".SS ullage %s%s", c->name, *c->usage ? " " : "");
    roff(t, c->usage);
    cli_add(t, "\n");
    if (c->about) {
        cli_add(t, ".nf\n");
        roff(t, c->about);
        cli_add(t, ".fi\n");
    } else {
        roff(t, c->summary);
        cli_add(t, "\n");
    }
}

static void man_models(struct cli_text *t)
{
    cli_add(t, ".SH MODELS\n");
    for (size_t i = 0; i < cli_n_model_kinds; i++) {
        cli_add(t, ".TP\n.B ");
        roff(t, cli_model_kinds[i].name);
        cli_add(t, "\n");
        roff(t, cli_model_kinds[i].help);
        cli_add(t, "\n");
    }
}

static void man_options(struct cli_text *t)
{
    cli_add(t, ".SH OPTIONS\n");
    for (size_t i = 0; i < cli_n_options; i++) {
        const struct cli_option *o = &cli_options[i];
        if (!o->help)
            continue;
        cli_add(t, ".TP\n.B ");
        roff(t, o->name);
        if (o->value)
            cli_add(t, " \\fI%s\\fR", o->value);
        cli_add(t, "\n");
        roff(t, o->help);
        cli_add(t, "\n");
    }
}

int cmd_man(const struct cli_args *args)
{
    struct cli_text t = {0};
    (void)args;
    cli_add(&t, ".TH ULLAGE 1 \"\" \"ullage %s\"\n.SH NAME\nullage \\- what a language model will "
                "hold in memory, before it is loaded\n.SH SYNOPSIS\n", ULLAGE_VERSION);
    cli_add(&t, ".B ullage\n.I MODEL.gguf\n[\\fIllama\\-server flags\\fR]\n.br\n.B ullage\n"
                ".I SUBCOMMAND\n\\&...\n.SH DESCRIPTION\nReads the header of a GGUF file and prints "
                "what llama\\-server would hold for it, to the byte, for each device and kind of "
                "buffer, and whether it fits.\n.SH SUBCOMMANDS\n");
    for (size_t i = 0; i < cli_n_commands; i++)
        if (!cli_commands[i].hidden)
            man_command(&t, &cli_commands[i]);
    man_models(&t);
    man_options(&t);
    cli_add(&t, ".SH LLAMA\\-SERVER'S FLAGS\nVersion 0.7.0's. Each may be given by its environment "
                "variable too; flags win.\n");
    man_flags(&t, "They move memory", ULLAGE_FLAG_MODELLED);
    man_flags(&t, "They move memory by rules not known here", ULLAGE_FLAG_UNMODELLED);
    man_flags(&t, "They move none by themselves and are accepted", ULLAGE_FLAG_FREE);
    cli_add(&t, ".SH EXIT STATUS\n.TP\n.B 0\nit fits\n"
                ".TP\n.B 1\nthe known part alone does not fit\n"
                ".TP\n.B 2\nthe command line is wrong, or the engine would refuse it\n"
                ".TP\n.B 3\nthe input cannot be read or is not valid, or the output cannot be "
                "written\n.TP\n.B 4\nit may fit, but some figure is unknown\n"
                ".SH ENVIRONMENT\n.TP\n.B LLAMA_ARG_*\nas for llama\\-server\n"
                ".TP\n.B HF_TOKEN\ngoes to Hugging Face's endpoint with requests\n"
                ".TP\n.B MODEL_ENDPOINT, HF_ENDPOINT\nwhere that is, as for llama\\-server\n"
                ".TP\n.B MODELSCOPE_DOMAIN\nwhere ModelScope is\n"
                ".TP\n.B http_proxy, https_proxy, all_proxy, no_proxy\nas for curl\n"
                ".TP\n.B XDG_CACHE_HOME\nheaders of models on servers are kept below it, in "
                "ullage/headers\n"
                ".TP\n.B NO_COLOR\nno colours in tables\n");
    return finish(&t);
}
