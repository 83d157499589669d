/* ullage fit: settings left open are chosen; the command line goes to standard output alone, so
 * that $(ullage fit ...) and xargs start the server. The plan and the reasons go to standard
 * error. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ options */

static int read_want(const struct cli_args *args, int *want)
{
    static const char *const names[] = {[ULLAGE_WANT_CONTEXT] = "context",
                                        [ULLAGE_WANT_SPEED] = "speed",
                                        [ULLAGE_WANT_SLOTS] = "slots"};
    for (int i = 0; i < 3; i++)
        if (!args->want || strcmp(args->want, names[i]) == 0) {
            *want = i;
            return CLI_OK;
        }
    return cli_error(CLI_USAGE, "--want: '%.40s' is none of context, speed or slots", args->want);
}

/* "64k" as llama-server's flags are read here too. */
static int read_min_context(const struct cli_args *args, uint32_t *least)
{
    char *end;
    if (!args->min_context)
        return CLI_OK;
    unsigned long n = strtoul(args->min_context, &end, 10);
    if ((*end == 'k' || *end == 'K') && n <= 1 << 20) {
        n *= 1024;
        end++;
    }
    if (*end || end == args->min_context || n < 1 || n > 1 << 30)
        return cli_error(CLI_USAGE, "--min-context: '%.40s' is not a number of tokens",
                         args->min_context);
    *least = (uint32_t)n;
    return CLI_OK;
}

static int read_options(const struct cli_args *args, ullage_fit_options *o)
{
    *o = (ullage_fit_options){.allow = args->allow};
    int status = read_want(args, &o->want);
    return status ? status : read_min_context(args, &o->min_context);
}

/* ------------------------------------------------------------------ the line */

/* A word as a shell and xargs read it; plain words stay plain, so that $(...) takes them too. */
static void add_word(struct cli_text *t, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+./,:@%^";
    if (t->n)
        cli_add(t, " ");
    if (*word && strspn(word, plain) == strlen(word)) {
        cli_add(t, "%s", word);
        return;
    }
    cli_add(t, "'");
    for (; *word; word++)
        cli_add(t, *word == '\'' ? "'\\''" : "%c", *word);
    cli_add(t, "'");
}

static bool is_one_of(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return true;
    return false;
}

/* The user's own flags, without the model's (it stands first) and without --fit, which is off in
 * the end. The engine reads no "64k": -c is spelled out. */
static void add_users(struct cli_text *t, const struct cli_args *args, const ullage_plan *plan)
{
    static const char *const fit[] = {"-fit", "--fit", NULL};
    static const char *const context[] = {"-c", "--ctx-size", NULL};
    ullage_flag flag;
    for (int i = 0; i < args->n_flags; i++) {
        bool pair = i + 1 < args->n_flags;
        bool model = ullage_flag_find(args->flags[i], &flag) && cli_names_model(&flag);
        if (pair && (model || is_one_of(args->flags[i], fit))) {
            i++;
        } else if (pair && is_one_of(args->flags[i], context)) {
            char tokens[16];
            snprintf(tokens, sizeof tokens, "%u", (unsigned)ullage_plan_context(plan)->n_ctx);
            add_word(t, args->flags[i++]);
            add_word(t, strspn(args->flags[i], "0123456789") == strlen(args->flags[i])
                            ? args->flags[i] : tokens);
        } else {
            add_word(t, args->flags[i]);
        }
    }
}

static void add_model(struct cli_text *t, const struct cli_model_flags *model)
{
    for (int i = 0; i < model->n; i++)
        add_word(t, model->words[i]);
}

static void make_line(struct cli_text *t, const struct cli_args *args,
                      const struct cli_model_flags *model, const ullage_fit *fit)
{
    size_t n;
    const char *const *words = ullage_fit_flags(fit, &n);
    if (args->n_environment)
        add_word(t, "env");
    for (int i = 0; i < args->n_environment; i++)
        add_word(t, args->environment[i]);
    add_word(t, "llama-server");
    add_model(t, model);
    add_users(t, args, ullage_fit_plan(fit));
    for (size_t i = 0; i < n; i++)
        add_word(t, words[i]);
}

/* ------------------------------------------------------------------ output */

static int print_line(const struct cli_args *args, const ullage_fit *fit, struct cli_text *line)
{
    char *text = ullage_fit_render(fit, NULL, ULLAGE_TABLE, cli_color(args));
    if (!text)
        return cli_error(CLI_INPUT, "out of memory");
    fputs(text, stderr);
    ullage_text_free(text);
    if (!ullage_fit_found(fit))
        return CLI_OK;
    cli_add(line, "\n");
    return line->failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(line->p);
}

static int print_json(const ullage_fit *fit, const struct cli_text *line)
{
    char *text = ullage_fit_render(fit, ullage_fit_found(fit) ? line->p : NULL, ULLAGE_JSON, 0);
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    ullage_text_free(text);
    return status;
}

static int print_fit(const struct cli_args *args, const struct cli_model_flags *model,
                     const ullage_fit *fit)
{
    struct cli_text line = {0};
    make_line(&line, args, model, fit);
    int status = args->json ? print_json(fit, &line) : print_line(args, fit, &line);
    free(line.p);
    return status ? status : cli_verdict(ullage_fit_plan(fit));
}

/* Exit 1: --fit gives up, and the engine goes on with what is left. */
static int like_llama(const struct cli_model_flags *named, const ullage_model *model,
                      const ullage_settings *settings, const ullage_machine *machine,
                      const struct cli_args *args)
{
    ullage_error err = {0};
    char *flags;
    int failed;
    if (ullage_fit_like_llama(&flags, &failed, model, settings, machine, &err))
        return cli_fail(&err);
    struct cli_text t = {0};
    add_word(&t, "llama-server");
    add_model(&t, named);
    ullage_flag flag;
    for (int i = 0; i < args->n_flags; i++)
        if (!ullage_flag_find(args->flags[i], &flag) || !cli_names_model(&flag) ||
            !args->flags[++i])
            add_word(&t, args->flags[i]);
    for (char *at = flags, *end; at && *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, " ");
        char keep = *end;
        *end = '\0';
        add_word(&t, at);
        *end = keep;
    }
    cli_add(&t, "\n");
    int status = t.failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(t.p);
    free(t.p);
    ullage_text_free(flags);
    return status ? status : failed ? CLI_NO_FIT : CLI_OK;
}

static int fit_model(const struct cli_args *args, const char *path,
                     const ullage_settings *settings, const ullage_fit_options *options)
{
    ullage_error err = {0};
    ullage_machine *machine = NULL;
    ullage_model *model = NULL;
    ullage_fit *fit = NULL;
    int status = cli_machine(&machine, args);
    if (!status && cli_open(&model, machine, args, path, &err))
        status = cli_fail(&err);
    struct cli_model_flags named;
    if (!status)
        cli_model_flags(&named, path, ullage_describe(model)->path);
    if (!status && args->like_llama)
        status = like_llama(&named, model, settings, machine, args);
    else if (!status && ullage_fit_make(&fit, model, settings, machine, options, &err))
        status = cli_fail(&err);
    if (fit)
        status = print_fit(args, &named, fit);
    ullage_fit_free(fit);
    ullage_close(model);
    ullage_machine_free(machine);
    return status;
}

int cmd_fit(const struct cli_args *args)
{
    const char *path = NULL;
    ullage_settings *settings = NULL;
    ullage_fit_options options;
    int status = read_options(args, &options);
    if (!status)
        status = cli_settings(&settings, args);
    if (!status)
        status = cli_model_path(args, &path);
    if (!status)
        status = path ? fit_model(args, path, settings, &options) : cli_no_model(settings, "fit");
    ullage_settings_free(settings);
    return status;
}
