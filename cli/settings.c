/* The settings that a command line means, for the subcommands that plan. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* The variables of a pasted command line count instead of the real ones of the same name, so they
 * are read last. */
static int read_settings(ullage_settings *settings, const struct cli_args *args, ullage_error *err)
{
    int rc = ullage_settings_environment(settings, (const char *const *)environ, err);
    if (!rc && args->n_environment)
        rc = ullage_settings_environment(settings, args->environment, err);
    if (!rc)
        rc = ullage_settings_parse(settings, args->n_flags, args->flags, err);
    return rc;
}

/* llama-server 0.7.0 also takes settings from two files, before all else (common/arg.cpp:
 * common_params_apply_system_config). They are not read here: a plan says so where one exists. */
static void note_config(ullage_settings *settings, const char *root, const char *folder,
                        const char *below)
{
    char path[1024], text[1200];
    if (!folder || (size_t)snprintf(path, sizeof path, "%s%s%s/llama.cpp/config.ini",
                                    root ? root : "", folder, below) >= sizeof path)
        return;
    if (access(path, F_OK) != 0)
        return;
    snprintf(text, sizeof text, "llama-server would read %s too: give its settings as flags", path);
    ullage_settings_note(settings, "config_file", text);
}

static void note_configs(ullage_settings *settings, const struct cli_args *args)
{
    const char *own = getenv("XDG_CONFIG_HOME");
    note_config(settings, args->sysroot, "/etc", "");
    if (own && *own)
        note_config(settings, args->sysroot, own, "");
    else
        note_config(settings, args->sysroot, getenv("HOME"), "/.config");
}

static int set_outputs(ullage_settings *settings, const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (strcmp(text, "slots") == 0)
        n = ULLAGE_OUTPUTS_SLOTS;
    else if (strcmp(text, "batch") == 0)
        n = ULLAGE_OUTPUTS_BATCH;
    else if (*end || n < 1 || n > 1000000)
        return cli_error(CLI_USAGE, "--outputs: '%.40s' is none of slots, batch or a number", text);
    ullage_settings_outputs(settings, (int)n);
    return CLI_OK;
}

/* The options of a plan that are no flags of llama-server's. */
static int set_own(ullage_settings *settings, const struct cli_args *args)
{
    ullage_error err = {0};
    uint64_t bytes;
    if (args->outputs && set_outputs(settings, args->outputs))
        return CLI_USAGE;
    if (args->depth) {
        if (ullage_parse_size(args->depth, &bytes, &err) || bytes > INT32_MAX)
            return cli_error(CLI_USAGE,
                             "--depth: '%.40s' is no number of tokens, as in 32768 or 32k",
                             args->depth);
        ullage_settings_depth(settings, (uint32_t)bytes);
    }
    if (!args->assume_compute)
        return CLI_OK;
    if (ullage_parse_size(args->assume_compute, &bytes, &err))
        return cli_error(CLI_USAGE, "--assume-compute: %s", err.message);
    ullage_settings_assume_compute(settings, bytes);
    return CLI_OK;
}

/* The headers of the files that the flags name beside the model. */
static int open_companions(ullage_settings *settings, const struct cli_args *args,
                           ullage_error *err)
{
    int code = 0;
    for (size_t i = 0; i < ullage_settings_companions(settings) && !code; i++) {
        ullage_companion c = ullage_settings_companion(settings, i);
        ullage_model *file = NULL;
        code = cli_open_model(&file, args, c.name, NULL, err);
        if (!code)
            code = ullage_settings_attach(settings, i, file, err);
        if (code)
            ullage_close(file);
    }
    return code;
}

int cli_settings(ullage_settings **settings, const struct cli_args *args)
{
    ullage_error err = {0};
    *settings = ullage_settings_new();
    if (!*settings)
        return cli_error(CLI_INPUT, "out of memory");
    if (read_settings(*settings, args, &err))
        return cli_fail(&err);
    if (set_own(*settings, args))
        return CLI_USAGE;
    if (cli_beside(*settings, args, &err) || open_companions(*settings, args, &err))
        return cli_fail(&err);
    if (args->n_gpus == 0)
        note_configs(*settings, args);
    return CLI_OK;
}

int cli_no_model(const ullage_settings *settings, const char *command)
{
    const char *remote = ullage_settings_remote_model(settings);
    if (remote)
        return cli_error(CLI_USAGE, "'%.80s' is not a file here: download it and name the file, "
                         "as in 'ullage %s MODEL.gguf'", remote, command);
    return cli_error(CLI_USAGE, "no model: name its file, as in 'ullage %s MODEL.gguf -c 8192'",
                     command);
}

/* Not fitting is certain whatever is unknown besides; fitting is not. */
int cli_verdict(const ullage_plan *plan)
{
    int fits = ullage_plan_fits(plan);
    if (fits == 0)
        return CLI_NO_FIT;
    return fits < 0 || ullage_plan_partial(plan) ? CLI_UNKNOWN : CLI_OK;
}
