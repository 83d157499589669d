/* A command line in a log: a prompt's, a shell script's trace, docker's, a unit's ExecStart. People
 * paste it before the log or the log's writer put it there; it has the flags that no log shows. */
#include "measure/evidence_lines.h"

#include <ctype.h>

static bool is_program(const char *word, size_t n)
{
    static const char *const names[] = {"llama-server", "llama-cli", "llama-completion",
                                        "llama-perplexity", "llama-bench", "llama-server.exe",
                                        "llama-cli.exe"};
    size_t from = n;
    while (from > 0 && word[from - 1] != '/' && word[from - 1] != '\\')
        from--;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n - from && strncmp(word + from, names[i], n - from) == 0)
            return true;
    /* Once the programs had plain names: only as "./server" are they one. */
    return (n == 8 && strncmp(word, "./server", 8) == 0)
        || (n == 6 && strncmp(word, "./main", 6) == 0);
}

/* "ghcr.io/ggml-org/llama.cpp:server-cuda" of docker run; "vllm/vllm-openai:latest" too. */
static bool is_image(const char *word, size_t n)
{
    const char *colon = memchr(word, ':', n);
    return colon && ((colon - word >= 9 && strncmp(colon - 9, "llama.cpp", 9) == 0)
                     || (colon - word >= 11 && strncmp(colon - 11, "vllm-openai", 11) == 0));
}

/* Where the program's flags begin: after its name (or docker's image), when a flag follows. */
static const char *find_flags(const char *text)
{
    bool docker = strstr(text, "docker ") || strstr(text, "podman ");
    for (const char *p = text; *p;) {
        p += strspn(p, " \t");
        size_t n = strcspn(p, " \t");
        const char *quoted = n > 2 && (*p == '"' || *p == '\'') ? p + 1 : p;
        size_t length = quoted > p ? n - 2 : n;
        const char *next = p + n + strspn(p + n, " \t");
        bool flag = next[0] == '-' && (isalpha((unsigned char)next[1]) || next[1] == '-');
        bool end = next[0] == '\\' || next[0] == '\0';
        if (flag || (end && next[0]))
            if (is_program(quoted, length) || (docker && is_image(quoted, length)))
                return next;
        if (n == 4 && strncmp(p, "vllm", 4) == 0 && strncmp(next, "serve ", 6) == 0)
            return next + 6;
        p += n;
    }
    return NULL;
}

static void append(struct ul_evidence *e, const char *text)
{
    size_t have = strlen(e->command), n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    e->command_open = n > 0 && (text[n - 1] == '\\' || text[n - 1] == '^' || text[n - 1] == '`');
    n -= e->command_open;
    snprintf(e->command + have, sizeof e->command - have, "%s%.*s", have ? " " : "", (int)n, text);
}

/* The last command before the first buffer is the one; a later one starts something else. */
bool ul_ev_command_line(struct ul_evidence *e, const char *text)
{
    if (e->command_open) {
        append(e, text);
        return true;
    }
    if (e->n_buffers > 0 && e->command[0])
        return false;
    const char *flags = strstr(text, "llama") || strstr(text, "vllm") || strstr(text, "./")
                            ? find_flags(text) : NULL;
    if (!flags || strstr(text, "Usage:") || strstr(text, "usage:"))
        return false;
    e->command[0] = '\0';
    append(e, flags);
    return true;
}

/* ------------------------------------------------------------------ words */

static bool ends_command(const char *word)
{
    static const char *const ends[] = {"|",  "||",   "&", "&&", ";", ">",
                                       ">>", "2>&1", "<", "&>", "#"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(word, ends[i]) == 0)
            return true;
    return strncmp(word, "2>", 2) == 0 || strncmp(word, ">/", 2) == 0;
}

/* One word, its quotes and backslashes taken away; returns where the text goes on. */
static char *one_word(char *from, char *out)
{
    char quote = '\0';
    for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (quote ? *from == quote : *from == '"' || *from == '\'')
            quote = quote ? '\0' : *from;
        else if (*from == '\\' && from[1] && quote != '\'')
            *out++ = *++from;
        else
            *out++ = *from;
    }
    char *next = *from ? from + 1 : from;
    *out = '\0';
    return next;
}

int ul_command_words(char *text, const char **words, int most)
{
    int n = 0;
    char *p = text, *out = text;
    while (n < most) {
        while (isspace((unsigned char)*p))
            p++;
        if (!*p)
            break;
        p = one_word(p, out);
        if (ends_command(out))
            break;
        words[n++] = out;
        out += strlen(out) + 1;
    }
    return n;
}
