/* A stream as evidence. Several programs may write to one log (compose, a journal, a router's
 * children), and one may have been started many times: each source's lines are read apart, and the
 * start that got furthest, the last of equals, is what the caller gets. */
#include "measure/evidence_lines.h"

#include <stdlib.h>

#define LINE_MOST 16384
#define SOURCES_MOST 16

struct stream {
    char name[UL_LOG_SOURCE];
    struct ul_evidence *e;
    uint32_t last;      /* the line that it said last */
    int starts;         /* that said anything of memory */
};

struct reading {
    struct stream stream[SOURCES_MOST];
    int n;
    uint32_t lines;
    struct ul_evidence *best;
    int best_reach;
    char names[UL_EV_OTHERS][UL_LOG_SOURCE]; /* that had something to say of memory */
    int n_names;
    bool failed;
};

static void note_name(struct reading *r, const char *name)
{
    for (int i = 0; i < r->n_names; i++)
        if (strcmp(r->names[i], name) == 0)
            return;
    if (r->n_names < UL_EV_OTHERS)
        memcpy(r->names[r->n_names++], name, UL_LOG_SOURCE);
}

/* A start is over: it is kept when it got as far as any before. */
static void end_start(struct reading *r, struct stream *s)
{
    int reach = ul_evidence_reach(s->e);
    if (reach == 0)
        return;
    s->starts++;
    note_name(r, s->name);
    memcpy(s->e->source, s->name, sizeof s->name);
    s->e->starts = s->starts;
    if (r->best && reach < r->best_reach)
        return;
    if (!r->best && !(r->best = malloc(sizeof *r->best))) {
        r->failed = true;
        return;
    }
    *r->best = *s->e;
    r->best_reach = reach;
}

/* The stream of that name; with no room left, that of whoever is silent longest becomes it. */
static struct stream *stream_of(struct reading *r, const char name[UL_LOG_SOURCE])
{
    struct stream *s = r->stream;
    for (int i = 0; i < r->n; i++) {
        if (strcmp(r->stream[i].name, name) == 0)
            return &r->stream[i];
        if (r->stream[i].last < s->last)
            s = &r->stream[i];
    }
    if (r->n < SOURCES_MOST) {
        s = &r->stream[r->n];
        s->e = malloc(sizeof *s->e);
        r->failed |= !s->e;
        if (!s->e)
            return NULL;
        r->n++;
    } else {
        end_start(r, s);
    }
    memcpy(s->name, name, UL_LOG_SOURCE);
    s->starts = 0;
    ul_evidence_start(s->e);
    return s;
}

/* A program says its build once a start, before anything of memory. */
static bool begins_again(const struct ul_evidence *e, const char *text)
{
    bool build = strstr(text, "print_info: build ") || strncmp(text, "build: ", 7) == 0
        || strstr(text, "main: build = ") || strstr(text, "vLLM API server version");
    return build && ul_evidence_reach(e) > 0;
}

static void take_line(struct reading *r, char *line)
{
    char name[UL_LOG_SOURCE];
    ul_log_plain(line);
    const char *text = ul_log_carried(line, name);
    struct stream *s = stream_of(r, name);
    if (!s)
        return;
    if (begins_again(s->e, text)) {
        end_start(r, s);
        ul_evidence_start(s->e);
    }
    s->last = ++r->lines;
    ul_evidence_line(s->e, line);
}

static void finish(struct reading *r, struct ul_evidence *e)
{
    ul_evidence_start(e);
    for (int i = 0; i < r->n; i++)
        end_start(r, &r->stream[i]);
    if (r->best)
        *e = *r->best;
    for (int i = 0; i < r->n_names; i++)
        if (strcmp(r->names[i], e->source) != 0)
            memcpy(e->other[e->n_others++], r->names[i], UL_LOG_SOURCE);
    for (int i = 0; i < r->n; i++) {
        if (strcmp(r->stream[i].name, e->source) == 0)
            e->starts = r->stream[i].starts;
        free(r->stream[i].e);
    }
    free(r->best);
    e->lines = r->lines;
}

bool ul_evidence_read(struct ul_evidence *e, FILE *f)
{
    char line[LINE_MOST];
    size_t n = 0;
    int c = 0;
    struct reading r = {0};
    while (!r.failed && c != EOF) {
        c = getc(f);
        if (c != '\n' && c != '\r' && c != '\0' && c != EOF) {
            if (n + 1 < sizeof line)
                line[n++] = (char)c;
            continue;
        }
        line[n] = '\0';
        if (n > 0)
            take_line(&r, line);
        n = 0;
    }
    bool ok = !r.failed && !ferror(f);
    finish(&r, e);
    return ok;
}
