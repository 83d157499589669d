/* What llama-server loads from the same repository when -hf names the model: the projector of
 * images and sound unless --no-mmproj is given, and the draft model of the kind that --spec-type
 * asks for. They become the flags that would name them, so that the rest of the program knows one
 * way only.
 *
 * Rules: llama.cpp, common/arg.cpp: common_models_handler_init, common_models_handler_apply. */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include <stdlib.h>
#include <string.h>

/* In the engine's order: the first that is there is taken. */
static const struct {
    const char *type, *what;
} drafts[] = {
    {"draft-mtp", "mtp-"}, {"draft-dflash", "dflash-"}, {"draft-eagle3", "eagle3-"},
    {"draft-dspark", "dspark-"},
};

/* Sets the flag to the file's address; *found says whether there is one. */
static int bring(ullage_settings *settings, struct cli_source *s, const char *what,
                 const char *flag, bool *found, ullage_error *err)
{
    char *word = cli_source_beside(s, what);
    *found = word != NULL;
    int code = word ? ullage_settings_set(settings, flag, word, err) : ULLAGE_OK;
    free(word);
    return code;
}

/* A repository without a projector loads none. */
static int projector(ullage_settings *settings, const struct cli_args *args, struct cli_source *s,
                     ullage_error *err)
{
    bool found;
    if (cli_flag_value(args, "-mm") || cli_flag_value(args, "-mmu"))
        return ULLAGE_OK;
    int code = bring(settings, s, "mmproj", "--mmproj", &found, err);
    return code || found ? code : ullage_settings_set(settings, "--no-mmproj", NULL, err);
}

static int draft(ullage_settings *settings, const struct cli_args *args, struct cli_source *s,
                 ullage_error *err)
{
    const char *types = cli_flag_value(args, "--spec-type");
    bool found = !types || cli_flag_value(args, "--spec-draft-model")
                 || cli_flag_value(args, "--spec-draft-hf");
    int code = ULLAGE_OK;
    for (size_t i = 0; i < sizeof drafts / sizeof *drafts && !found && !code; i++)
        if (strstr(types, drafts[i].type))
            code = bring(settings, s, drafts[i].what, "-md", &found, err);
    return code;
}

static bool no_projector(const struct cli_args *args)
{
    bool off = false;
    for (int i = 0; i < args->n_flags; i++) {
        off |= strcmp(args->flags[i], "--no-mmproj") == 0
               || strcmp(args->flags[i], "--no-mmproj-auto") == 0;
        if (strcmp(args->flags[i], "--mmproj-auto") == 0)
            off = false;
    }
    return off;
}

int cli_beside(ullage_settings *settings, const struct cli_args *args, ullage_error *err)
{
    const char *word = args->word ? args->word : cli_flagged_model(args);
    bool wanted = !no_projector(args) || cli_flag_value(args, "--spec-type");
    struct cli_source *s;
    if (!word || strncmp(word, CLI_HF, strlen(CLI_HF)) != 0 || !wanted)
        return ULLAGE_OK;
    int code = cli_source_open(&s, args, word, false, err);
    if (!code && !no_projector(args))
        code = projector(settings, args, s, err);
    if (!code)
        code = draft(settings, args, s, err);
    cli_source_close(s);
    return code;
}
