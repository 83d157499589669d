/* A run is one loop of short waits: each turn looks whether the child still runs, whether we were
 * interrupted, and takes a reading when one is due. Waiting for readiness, for quiet and for the
 * answer to a prompt are the same loop with another question, so no phase is blind to the child's
 * death and no reading is missed while a request is under way. */
#define _GNU_SOURCE
#include "measure/run.h"
#include "measure/child.h"
#include "measure/log.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TURN_MS 20
#define HEALTH_TIMEOUT_MS 2000
#define HEALTH_EVERY 0.1
#define QUIET_READINGS 3             /* so many equal ones in a row */
#define QUIET_MOST 10.0              /* seconds; after that the last one counts */
#define QUIET_SLACK ((uint64_t)1 << 20) /* process memory breathes a little */

struct watch {
    const struct ul_run_spec *spec;
    struct ul_run *run;
    struct ul_child child;
    double begin, next;
    size_t cap;
    struct ul_reading now;
    int quiet;          /* equal readings in a row */
    const char *phase;
    char *asked;        /* what at_ready gave */
    FILE *log;          /* for a regular expression */
    regex_t pattern;
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ------------------------------------------------------------------ readings */

static void raise_to(struct ul_amount *most, struct ul_amount now)
{
    if (now.known && (!most->known || now.bytes > most->bytes))
        *most = now;
}

static void raise_peak(struct ul_reading *peak, const struct ul_reading *now)
{
    for (int i = 0; i < UL_READER_DEVICES; i++) {
        raise_to(&peak->device[i].process, now->device[i].process);
        raise_to(&peak->device[i].used, now->device[i].used);
    }
    raise_to(&peak->pss, now->pss);
    raise_to(&peak->anonymous, now->anonymous);
    raise_to(&peak->host_peak, now->host_peak);
}

static bool near(struct ul_amount a, struct ul_amount b, uint64_t slack)
{
    uint64_t more = a.bytes > b.bytes ? a.bytes : b.bytes, less = a.bytes ^ b.bytes ^ more;
    return a.known == b.known && more - less <= slack;
}

static bool same(const struct ul_reading *a, const struct ul_reading *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!near(a->device[i].process, b->device[i].process, 0))
            return false;
    return n > 0 || near(a->pss, b->pss, QUIET_SLACK);
}

static void keep_sample(struct watch *w, double now)
{
    struct ul_run *run = w->run;
    if (run->n_samples == w->cap) {
        size_t cap = w->cap * 2 + 256;
        struct ul_sample *p = realloc(run->samples, cap * sizeof *p);
        if (!p)
            return; /* the curve ends here; peaks go on */
        run->samples = p;
        w->cap = cap;
    }
    struct ul_sample *s = &run->samples[run->n_samples++];
    *s = (struct ul_sample){.seconds = now - w->begin, .host = w->now.pss.bytes};
    for (int i = 0; i < UL_READER_DEVICES; i++)
        s->device[i] = w->now.device[i].process.bytes;
}

static void take_reading(struct watch *w, double now)
{
    struct ul_reading before = w->now;
    ul_reader_read(w->spec->reader, w->child.pid, &w->now);
    w->quiet = same(&before, &w->now, w->spec->reader->n) ? w->quiet + 1 : 0;
    raise_peak(&w->run->peak, &w->now);
    keep_sample(w, now);
    if (w->spec->progress)
        w->spec->progress(w->spec->context, w->phase, now - w->begin);
}

/* One turn; false when there is nothing left to wait for. */
static bool turn(void *context)
{
    struct watch *w = context;
    double now = seconds();
    if (*w->spec->interrupted || ul_child_wait(&w->child, 0))
        return false;
    if (now >= w->next) {
        take_reading(w, now);
        w->next = now + w->spec->interval;
    }
    return true;
}

/* A turn that also lets time pass. */
static bool pass(struct watch *w)
{
    return turn(w) && !ul_child_wait(&w->child, TURN_MS) && !*w->spec->interrupted;
}

/* ------------------------------------------------------------------ readiness */

/* Lines that arrived since the last look; an unfinished one is looked at again. */
static bool log_says_ready(struct watch *w)
{
    char line[8192];
    long at = ftell(w->log);
    while (fgets(line, sizeof line, w->log)) {
        size_t n = strlen(line);
        if (n > 0 && line[n - 1] != '\n' && n + 1 < sizeof line)
            break;
        line[strcspn(line, "\r\n")] = '\0';
        if (regexec(&w->pattern, line, 0, NULL, 0) == 0)
            return true;
        at = ftell(w->log);
    }
    clearerr(w->log);
    fseek(w->log, at, SEEK_SET);
    return false;
}

static bool answers(struct watch *w)
{
    int status = ul_http(&w->spec->url, NULL, NULL, 0, HEALTH_TIMEOUT_MS, turn, w);
    return status >= 200 && status < 300;
}

static bool wait_ready(struct watch *w)
{
    double until = w->begin + w->spec->timeout, ask = 0;
    while (seconds() < until && pass(w)) {
        if (seconds() < ask)
            continue;
        if (w->spec->ready ? log_says_ready(w) : answers(w))
            return !w->child.ended;
        ask = seconds() + HEALTH_EVERY;
    }
    return false;
}

/* Until the readings stand still. */
static bool wait_quiet(struct watch *w)
{
    double from = seconds();
    ul_reader_adapt(w->spec->reader, w->child.pid);
    w->quiet = 0;
    while (seconds() - from < w->spec->settle
           || (w->quiet < QUIET_READINGS && seconds() - from < QUIET_MOST))
        if (!pass(w))
            return false;
    w->run->load = w->now;
    return true;
}

/* ------------------------------------------------------------------ failures */

static int fail(struct watch *w, int failure, ullage_error *err, const char *fmt, ...)
    UL_PRINTF(4, 5);

static int fail(struct watch *w, int failure, ullage_error *err, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    w->run->failure = failure;
    return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "%s", text);
}

static int fail_interrupted(struct watch *w, ullage_error *err)
{
    return fail(w, UL_RUN_INTERRUPTED, err, "interrupted; the same command goes on from here");
}

/* Why a child ended by itself, in its own words. */
static int fail_ended(struct watch *w, bool was_ready, ullage_error *err)
{
    char how[64], why[200];
    struct ul_log *log = malloc(sizeof *log);
    ul_child_ending(&w->child, how);
    ul_log_reason(w->spec->log, why, sizeof why);
    bool memory = log && ul_log_file(log, w->spec->log) && log->out_of_memory;
    free(log);
    if (strstr(why, "couldn't bind") || strstr(why, "ddress already in use"))
        return fail(w, UL_RUN_PORT, err, "the server could not listen on port %d: \"%.100s\"; end "
                    "what uses the port, or leave --port out", w->spec->url.port, why);
    if (memory)
        return fail(w, UL_RUN_MEMORY, err, "out of memory%s: \"%.160s\"; take a shorter length or "
                    "fewer layers (-ngl); log: %.140s", was_ready ? " after it was ready" : "",
                    why, w->spec->log);
    return fail(w, was_ready ? UL_RUN_DIED : UL_RUN_EXITED, err,
                "the server %s %s: \"%.120s\"; see its log: %.140s", how,
                was_ready ? "after it was ready" : "before it was ready", why, w->spec->log);
}

static int fail_waiting(struct watch *w, ullage_error *err)
{
    char last[200];
    if (*w->spec->interrupted)
        return fail_interrupted(w, err);
    if (w->child.ended)
        return fail_ended(w, false, err);
    ul_log_reason(w->spec->log, last, sizeof last);
    return fail(w, UL_RUN_NEVER_READY, err, "not ready after %.0f s (\"%.100s\"): give it longer "
                "(--timeout), or say how it shows (--ready URL|REGEX); log: %.140s",
                w->spec->timeout, last, w->spec->log);
}

/* ------------------------------------------------------------------ the prompt */

/* The body of an answer, on one line. */
static const char *body_of(char *answer)
{
    char *body = strstr(answer, "\r\n\r\n");
    return body ? body + 4 : answer;
}

static int post_prompt(struct watch *w, ullage_error *err)
{
    char answer[4096] = "";
    struct ul_url url = w->spec->url;
    snprintf(url.path, sizeof url.path, "%s", w->spec->prompt_path);
    int status = ul_http(&url, w->asked ? w->asked : w->spec->prompt, answer, sizeof answer,
                         (int)(w->spec->prompt_timeout * 1000), turn, w);
    if (status >= 200 && status < 300)
        return ULLAGE_OK;
    if (*w->spec->interrupted)
        return fail_interrupted(w, err);
    ul_child_wait(&w->child, 500); /* a connection that breaks off is often a death */
    if (w->child.ended)
        return fail_ended(w, true, err);
    if (status == 0)
        return fail(w, UL_RUN_PROMPT, err, "the prompt was not answered within %.0f s: fill less "
                    "(--fill) or wait longer (--prompt-timeout)", w->spec->prompt_timeout);
    return fail(w, UL_RUN_PROMPT, err, "the prompt was refused with %d: %.200s; fill less (--fill) "
                "or send your own (--prompt-cmd)", status, body_of(answer));
}

/* The command's output is kept beside the server's log. */
static int run_prompt_cmd(struct watch *w, ullage_error *err)
{
    char log[4096], how[64], why[200];
    const char *const argv[] = {"/bin/sh", "-c", w->spec->prompt_cmd, NULL};
    double until = seconds() + w->spec->prompt_timeout;
    struct ul_child command;
    snprintf(log, sizeof log, "%.4000s.prompt", w->spec->log);
    int rc = ul_child_start(&command, argv, log, err);
    if (rc)
        return rc;
    while (!ul_child_wait(&command, TURN_MS) && seconds() < until && turn(w))
        ;
    bool done = command.ended;
    ul_child_stop(&command, w->spec->grace_ms);
    if (*w->spec->interrupted)
        return fail_interrupted(w, err);
    if (w->child.ended)
        return fail_ended(w, true, err);
    if (done && command.exit == 0)
        return ULLAGE_OK;
    ul_child_ending(&command, how);
    ul_log_reason(log, why, sizeof why);
    return fail(w, UL_RUN_PROMPT, err, "--prompt-cmd %s: \"%.160s\"", done ? how : "did not end",
                why);
}

static int prompt(struct watch *w, ullage_error *err)
{
    double from = seconds();
    w->phase = "prompt";
    int rc = w->spec->prompt_cmd ? run_prompt_cmd(w, err) : post_prompt(w, err);
    w->run->prompt_seconds = seconds() - from;
    if (rc == ULLAGE_OK && !w->child.ended)
        take_reading(w, seconds());
    return rc;
}

/* ------------------------------------------------------------------ all of it */

static int serve(struct watch *w, ullage_error *err)
{
    w->phase = "load";
    if (!wait_ready(w))
        return fail_waiting(w, err);
    w->run->ready_seconds = seconds() - w->begin;
    w->phase = "read";
    if (!wait_quiet(w))
        return *w->spec->interrupted ? fail_interrupted(w, err) : fail_ended(w, true, err);
    if (w->spec->at_ready)
        w->asked = w->spec->at_ready(w->spec->context);
    bool any = w->asked || w->spec->prompt || w->spec->prompt_cmd;
    return any ? prompt(w, err) : ULLAGE_OK;
}

static int open_ready(struct watch *w, ullage_error *err)
{
    if (!w->spec->ready)
        return ULLAGE_OK;
    w->log = fopen(w->spec->log, "re");
    return w->log ? ULLAGE_OK : fail(w, UL_RUN_START, err, "cannot read the log %.300s: %s",
                                     w->spec->log, strerror(errno));
}

int ul_run(struct ul_run *run, const struct ul_run_spec *spec, ullage_error *err)
{
    struct watch w = {.spec = spec, .run = run, .begin = seconds(), .phase = "start"};
    *run = (struct ul_run){0};
    if (spec->ready && regcomp(&w.pattern, spec->ready, REG_EXTENDED | REG_NOSUB))
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "--ready: '%.80s' is neither a URL nor a regular expression", spec->ready);
    int rc = ULLAGE_OK;
    if (spec->own_port && ul_port_taken(spec->url.host, spec->url.port))
        rc = fail(&w, UL_RUN_PORT, err, "port %d is in use: end what listens there, or leave "
                  "--port out, and a free one is taken", spec->url.port);
    ul_reader_before(spec->reader);
    if (!rc && (rc = ul_child_start(&w.child, spec->argv, spec->log, err)))
        run->failure = UL_RUN_START;
    if (!rc) {
        rc = open_ready(&w, err);
        rc = rc ? rc : serve(&w, err);
        run->forced = !ul_child_stop(&w.child, spec->grace_ms);
    }
    free(w.asked);
    if (w.log)
        fclose(w.log);
    if (spec->ready)
        regfree(&w.pattern);
    return rc;
}
