/* What subcommands share that start a program: its words, numbers among the options, a prompt to
 * send, and being interrupted meanwhile. */
#define _GNU_SOURCE
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile sig_atomic_t cli_interrupted;

static void on_signal(int signal)
{
    (void)signal;
    cli_interrupted = 1;
}

void cli_watch_signals(void)
{
    struct sigaction a = {.sa_handler = on_signal};
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &a, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is a full disk like any other */
}

/* ------------------------------------------------------------------ numbers */

int cli_number(const char *name, const char *text, double fallback, double least, double most,
               double *value)
{
    char *end;
    *value = fallback;
    if (!text)
        return CLI_OK;
    *value = strtod(text, &end);
    if (end == text || (*end && strcmp(end, "%") != 0) || !(*value >= least && *value <= most))
        return cli_error(CLI_USAGE, "%s: '%.40s' is not a number from %g to %g", name, text, least,
                         most);
    return CLI_OK;
}

int cli_whole(const char *name, const char *text, uint32_t fallback, uint32_t most, uint32_t *value)
{
    double number;
    int status = cli_number(name, text, fallback, fallback ? 1 : 0, most, &number);
    *value = (uint32_t)number;
    if (!status && number != floor(number))
        return cli_error(CLI_USAGE, "%s: '%.40s' is not a whole number", name, text);
    return status;
}

/* ------------------------------------------------------------------ words */

const char *cli_base_name(const char *word)
{
    const char *slash = strrchr(word, '/');
    return slash ? slash + 1 : word;
}

int cli_find_program(const struct cli_args *args, const char *name)
{
    size_t n = strlen(name);
    bool begins = n > 0 && name[n - 1] == '-';
    for (int i = 0; i < args->n_program; i++) {
        const char *word = cli_base_name(args->program[i]);
        if (begins ? strncmp(word, name, n) == 0 : strcmp(word, name) == 0)
            return i;
    }
    return -1;
}

const char *cli_program_value(const struct cli_args *args, const char *flag)
{
    for (int i = args->n_program - 2; i > 0; i--)
        if (strcmp(args->program[i], flag) == 0)
            return args->program[i + 1];
    return NULL;
}

/* ------------------------------------------------------------------ a prompt */

/* The numbers run through the vocabulary's middle, where no token means anything special to the
 * server. */
char *cli_prompt(uint32_t n_vocab, uint32_t n, uint32_t generate)
{
    uint32_t most = n_vocab > 4096 ? n_vocab - 2048 : 256;
    char *text = malloc((size_t)n * 11 + 160), *p = text;
    if (!text)
        return NULL;
    p += sprintf(p, "{\"prompt\":[");
    for (uint32_t i = 0; i < n; i++)
        p += sprintf(p, "%s%u", i ? "," : "", 259 + (uint32_t)((uint64_t)i * 7919 % most));
    sprintf(p, "],\"n_predict\":%u,\"ignore_eos\":true,\"cache_prompt\":false}", generate);
    return text;
}
