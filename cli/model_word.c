/* Which model a command line names, in one word: the plain word, or what llama-server's flags and
 * variables say. Of several flags the engine takes -hf before -mu before -m, in whatever order they
 * stand.
 *
 * Rules: llama.cpp, common/arg.cpp: common_models_handler_apply (what comes last there wins). */
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A variable of a pasted command line, which counts before the real one of that name. */
static const char *variable(const struct cli_args *args, const char *name)
{
    size_t n = strlen(name);
    for (int i = args->n_environment - 1; i >= 0; i--)
        if (strncmp(args->environment[i], name, n) == 0 && args->environment[i][n] == '=')
            return args->environment[i] + n + 1;
    return getenv(name);
}

/* The value that a flag was given last, under any of its names; else its variable's. */
const char *cli_flag_value(const struct cli_args *args, const char *name)
{
    const char *value = NULL;
    ullage_flag flag;
    for (int i = 0; i < args->n_flags; i++) {
        if (!ullage_flag_find(args->flags[i], &flag))
            continue;
        if (strcmp(flag.names[0], name) == 0 && i + 1 < args->n_flags)
            value = args->flags[i + 1];
        i += (flag.value != NULL) + (flag.value2 != NULL);
    }
    if (!value && ullage_flag_find(name, &flag) && flag.env)
        value = variable(args, flag.env);
    return value && *value ? value : NULL;
}

bool fetch_offline(const struct cli_args *args)
{
    const char *said = variable(args, "LLAMA_ARG_OFFLINE");
    static const char *const yes[] = {"1", "on", "enabled", "true"};
    for (size_t i = 0; said && i < sizeof yes / sizeof *yes; i++)
        if (strcasecmp(said, yes[i]) == 0)
            return true;
    return args->offline;
}

/* owner/repo and the file of -hff, which counts before a quantisation. */
static const char *hf_word(const struct cli_args *args, const char *repo)
{
    static char word[1024];
    const char *file = cli_flag_value(args, "-hff");
    int n = file ? (int)strcspn(repo, ":") : (int)strlen(repo);
    snprintf(word, sizeof word, CLI_HF "%.*s%s%s", n, repo, file ? "/" : "", file ? file : "");
    return word;
}

/* With -mu, -m is where the engine puts the download: what is there needs no server. */
const char *cli_flagged_model(const struct cli_args *args)
{
    const char *repo = cli_flag_value(args, "-hf"), *url = cli_flag_value(args, "-mu"),
               *path = cli_flag_value(args, "-m");
    if (repo)
        return hf_word(args, repo);
    return url && !(path && access(path, R_OK) == 0) ? url : path;
}

bool cli_names_model(const ullage_flag *flag)
{
    static const char *const names[] = {"-m", "-mu", "-hf", "-hff"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(flag->names[0], names[i]) == 0)
            return true;
    return false;
}

/* hf:owner/repo/FILE is -hf and -hff. */
static void hf_flags(struct cli_model_flags *f, const char *spec)
{
    const char *slash = strchr(spec, '/'), *file = slash ? strchr(slash + 1, '/') : NULL;
    snprintf(f->repo, sizeof f->repo, "%.*s", file ? (int)(file - spec) : (int)strlen(spec), spec);
    *f->words = "-hf";
    f->words[1] = f->repo;
    f->words[2] = "-hff";
    f->words[3] = file ? file + 1 : NULL;
    f->n = file ? 4 : 2;
}

void cli_model_flags(struct cli_model_flags *f, const char *word, const char *path)
{
    bool repo = fetch_is_repo(word), url = fetch_is_url(repo ? path : word);
    if (strncmp(word, CLI_HF, strlen(CLI_HF)) == 0) {
        hf_flags(f, word + strlen(CLI_HF));
        return;
    }
    f->words[0] = url ? "-mu" : "-m";
    f->words[1] = repo || cli_is_local(word) ? path : word;
    f->n = 2;
}

int cli_model_path(const struct cli_args *args, const char **path)
{
    const char *said = cli_flagged_model(args);
    if (args->word && said && strcmp(args->word, said) != 0)
        return cli_error(CLI_USAGE, "two models: '%.80s' and '%.80s' (-m)", args->word, said);
    *path = args->word ? args->word : said;
    return CLI_OK;
}
