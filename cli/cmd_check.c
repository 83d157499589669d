/* ullage check: what a server's log says it took, beside what is computed. */
#include "check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_log(struct ul_evidence *e, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : fopen(path, "rb");
    if (!f)
        return cli_error(CLI_INPUT, "%.200s: %s", path, strerror(errno));
    bool ok = ul_evidence_read(e, f);
    int error = errno;
    if (!standard)
        fclose(f);
    return ok ? CLI_OK : cli_error(CLI_INPUT, "%.200s: %s", path, strerror(error));
}

static void note_rest(struct ul_check *c)
{
    const struct ul_evidence *e = c->e;
    char names[256] = "";
    for (int i = 0; i < e->n_others; i++) {
        size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "",
                 e->other[i][0] ? e->other[i] : "lines without a name");
    }
    if (e->n_others)
        ul_check_note(c, "the log is of several programs: checked is %s; passed over are %s",
                      e->source[0] ? e->source : "what has no name", names);
    if (e->starts > 1)
        ul_check_note(c, "the log has %d starts: the last that got furthest is checked", e->starts);
    for (int i = 0; i < e->n_parts; i++)
        if (i == 0 || strcmp(e->part[i].what, e->part[i - 1].what) != 0)
            ul_check_note(c, "%s %d is %s: it is listed, and not compared",
                          e->part[i].model ? "model" : "context",
                          1 + (e->part[i].model ? e->part[i].model : e->part[i].context),
                          e->part[i].what);
    if (e->dropped)
        ul_check_note(c, "%d buffers and caches beyond the first %d were left out", e->dropped,
                      UL_EV_BUFFERS);
    if (e->log.out_of_memory)
        ul_check_note(c, "this log tells of memory that ran out: buffers after that are missing");
    if (!c->by_plan && !c->vllm)
        ul_check_note(c, "with the model's file behind the log, weights and compute buffers are "
                      "compared too");
}

static int print_check(const struct cli_args *args, const struct ul_check *c)
{
    char *text = args->json ? ul_check_json(c) : ul_check_table(c);
    int status = text ? cli_print(text) : cli_error(CLI_INPUT, "out of memory");
    free(text);
    return status;
}

static int verdict(const struct ul_check *c)
{
    if (ul_check_count(c, UL_CHECK_DIFFERS))
        return CLI_NO_FIT;
    return ul_check_count(c, UL_CHECK_AGREES) ? CLI_OK : CLI_UNKNOWN;
}

static int check(const struct cli_args *args, struct ul_evidence *e, struct ul_check *c)
{
    struct check_words words = {0};
    const char *path = args->second ? args->second : cli_flagged_model(args);
    int status = read_log(e, args->word);
    if (status)
        return status;
    if (e->vllm.any && e->n_buffers == 0) {
        status = check_vllm(c, args, path);
        if (status)
            return status;
        note_rest(c);
        status = print_check(args, c);
        return status ? status : verdict(c);
    }
    if (e->n_buffers == 0 && e->n_caches == 0 && (e->n_rows == 0 || !path))
        return cli_error(CLI_UNKNOWN,
                         "%.200s: no line of a llama.cpp log that says a buffer's size "
                         "(start the server with -lv 4), and none of a vLLM log",
                         args->word);
    status = check_words_make(&words, args, c);
    if (!status && path)
        status = check_by_plan(c, &words, path);
    else if (!status)
        check_by_shape(c);
    check_words_free(&words);
    if (status)
        return status;
    note_rest(c);
    status = print_check(args, c);
    return status ? status : verdict(c);
}

int cmd_check(const struct cli_args *args)
{
    struct ul_evidence *e = malloc(sizeof *e);
    struct ul_check *c = calloc(1, sizeof *c);
    int status;
    if (c)
        c->e = e;
    if (!args->word)
        status = cli_error(CLI_USAGE, "no log: name its file, or - for standard input, as in "
                           "'ullage check server.log model.gguf'");
    else
        status = e && c ? check(args, e, c) : cli_error(CLI_INPUT, "out of memory");
    free(e);
    free(c);
    return status;
}
