/* What goes out: results on standard output, all else on standard error, and the status that
 * follows. A write that fails (a closed pipe, a full disk) is an error like any other. */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_error(int status, const char *fmt, ...)
{
    va_list args;
    fflush(stdout);
    fputs("ullage: ", stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    return status;
}

/* Errors of the command line and of settings are 2, all of the input's are 3. */
int cli_fail(const ullage_error *err)
{
    bool usage = err->code == ULLAGE_ERROR_USAGE || err->code == ULLAGE_ERROR_REFUSED;
    return cli_error(usage ? CLI_USAGE : CLI_INPUT, "%s", err->message);
}

/* Flushed here, because what is still buffered at exit fails unseen. */
int cli_print(const char *text)
{
    if (fputs(text, stdout) < 0 || fflush(stdout) != 0)
        return cli_error(CLI_INPUT, "cannot write the output: %s", strerror(errno));
    return CLI_OK;
}

bool cli_color(const struct cli_args *args)
{
    const char *no_color = getenv("NO_COLOR");
    return !args->no_color && !(no_color && *no_color) && isatty(STDOUT_FILENO);
}

int cli_format(const struct cli_args *args)
{
    if (args->json && args->csv) {
        cli_error(CLI_USAGE, "--json and --csv exclude each other");
        return -1;
    }
    return args->json ? ULLAGE_JSON : args->csv ? ULLAGE_CSV : ULLAGE_TABLE;
}

void cli_add(struct cli_text *t, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    size_t need = t->n + (size_t)(n > 0 ? n : 0) + 1;
    if (need > t->cap) {
        size_t cap = need * 2;
        char *p = realloc(t->p, cap);
        t->failed |= !p;
        t->p = p ? p : t->p;
        t->cap = p ? cap : t->cap;
    }
    if (!t->failed && n > 0)
        t->n += (size_t)vsnprintf(t->p + t->n, t->cap - t->n, fmt, again);
    va_end(again);
    va_end(args);
}

void cli_add_json(struct cli_text *t, const char *text)
{
    char *quoted = text ? ullage_json_string(text) : NULL;
    t->failed |= text && !quoted;
    cli_add(t, "%s", quoted ? quoted : "null");
    ullage_text_free(quoted);
}

int cli_print_text(struct cli_text *t)
{
    int status = t->failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(t->p ? t->p : "");
    free(t->p);
    *t = (struct cli_text){0};
    return status;
}
