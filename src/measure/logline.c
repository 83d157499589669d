/* What carries a log's lines. Each carrier is a function that looks at the beginning of a line and
 * returns what follows, or NULL; they stand in any order and number before the engine's text. */
#include "measure/logline.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CARRIERS_MOST 8

void ul_log_plain(char *line)
{
    char *out = line;
    for (const char *p = line; *p;) {
        if (*p != '\033') {
            *out++ = *p++;
            continue;
        }
        p++;
        if (*p == '[') { /* ESC [ numbers letter */
            p++;
            while (*p && !isalpha((unsigned char)*p))
                p++;
        }
        p += *p != '\0';
    }
    *out = '\0';
}

static void name_source(char *source, const char *from, size_t n)
{
    if (source)
        snprintf(source, UL_LOG_SOURCE, "%.*s", (int)(n < UL_LOG_SOURCE ? n : UL_LOG_SOURCE - 1),
                 from);
}

/* Whether the text begins as the pattern does: 0 stands for a digit, all else for itself. */
static const char *shaped(const char *p, const char *pattern)
{
    for (; *pattern; p++, pattern++)
        if (*pattern == '0' ? !isdigit((unsigned char)*p) : *p != *pattern)
            return NULL;
    return p;
}

static const char *blanks(const char *p) { return p + strspn(p, " \t"); }

/* ------------------------------------------------------------------ carriers */

/* "llama-1  | ...": docker compose. */
static const char *compose(const char *p, char *source)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || (p[n] && strchr("_.-/", p[n])))
        n++;
    const char *bar = p + n + strspn(p + n, " ");
    if (n == 0 || bar == p + n || bar[0] != '|' || (bar[1] != ' ' && bar[1] != '\0'))
        return NULL;
    name_source(source, p, n);
    return bar + 1 + (bar[1] == ' ');
}

/* "[55001] ..." of a router's child, "[pod/name/server] ..." of kubectl, and times and levels in
 * brackets. */
static const char *bracket(const char *p, char *source)
{
    size_t n = p[0] == '[' ? strcspn(p + 1, "]") : 0;
    if (n == 0 || n > 100 || p[n + 1] != ']')
        return NULL;
    bool number = strspn(p + 1, " 0123456789") == n, pod = strncmp(p + 1, "pod/", 4) == 0;
    bool level = isupper((unsigned char)p[1]) && isupper((unsigned char)p[2]) && n <= 7;
    if (!number && !pod && !level && !shaped(p + 1, "00") && strncmp(p + 1, "20", 2) != 0)
        return NULL;
    if (number || pod)
        name_source(source, p + 1, n);
    return blanks(p + n + 2);
}

/* "host llama-server[812]: ", after a journal's time. The service is the source. */
static const char *service(const char *p, char *source)
{
    const char *host = p + strcspn(p, " "), *name = blanks(host);
    const char *end = name + strcspn(name, " ");
    if (host == p || *host != ' ' || end - name < 3 || end[-1] != ':' || end[-2] != ']'
        || !memchr(name, '[', (size_t)(end - name)))
        return NULL;
    name_source(source, name, (size_t)(end - name - 1));
    return *end ? end + 1 : end;
}

/* "Nov 30 01:02:03 host name[1]: " */
static const char *journal(const char *p, char *source)
{
    if (!isupper((unsigned char)p[0]) || !islower((unsigned char)p[1])
        || !islower((unsigned char)p[2]) || p[3] != ' ')
        return NULL;
    const char *day = blanks(p + 4), *time = blanks(day + strspn(day, "0123456789"));
    const char *rest = shaped(time, "00:00:00");
    return rest ? service(blanks(rest + strspn(rest, ".0123456789")), source) : NULL;
}

/* "2026-11-30T01:02:03.123456789Z ", and "stdout F " or a journal's service after it. */
static const char *date(const char *p, char *source)
{
    const char *rest = shaped(p, "0000-00-00"), *more;
    if (!rest || (*rest != 'T' && *rest != ' ') || !(rest = shaped(rest + 1, "00:00:00")))
        return NULL;
    rest += strspn(rest, ".,0123456789");
    rest += *rest == 'Z' ? 1 : strspn(rest, "+-0123456789:");
    rest = blanks(rest);
    if (strncmp(rest, "stdout F ", 9) == 0 || strncmp(rest, "stderr F ", 9) == 0)
        return rest + 9;
    return (more = service(rest, source)) ? more : rest;
}

/* "0.00.148.460 I load_tensors:   CUDA0 model ...": a time and one letter. The server's own lines
 * have a module and a function's name, shortened, as well. Source: common/log.cpp. */
static const char *engine(const char *p, char *source)
{
    const char *end = p + strspn(p, ".0123456789");
    (void)source;
    if (end == p || *end != ' ' || !end[1] || !strchr("IWEDT", end[1]) || end[2] != ' ')
        return NULL;
    return end + 3;
}

const char *ul_log_carried(const char *line, char source[UL_LOG_SOURCE])
{
    static const char *(*const carriers[])(const char *, char *) = {compose, bracket, journal, date,
                                                                    engine};
    const char *p = line, *next = line;
    if (source)
        source[0] = '\0';
    for (int i = 0; next && i < CARRIERS_MOST; i++) {
        p = next;
        next = NULL;
        for (size_t k = 0; !next && k < sizeof carriers / sizeof *carriers; k++)
            next = carriers[k](p, source);
    }
    return p;
}

const char *ul_log_text(const char *line) { return ul_log_carried(line, NULL); }
