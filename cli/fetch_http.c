/* The first bytes of a file on a server.
 *
 * A header's length is known only at its end, and asking often costs a round trip each time. So
 * the first request takes a fixed piece, which is all of most shards' headers and keeps the
 * connection for the next; when that was not enough, one request without an end follows, read only
 * as fast as the header is understood and closed where it ends. What the system takes beyond is
 * bounded by a small receive buffer. A server that knows no ranges sends the whole file to the
 * first request, and is closed in the same way.
 *
 * A transfer that breaks off goes on where it was, a few times, with pauses that double or that the
 * server names. Every answer must be about the same file as the first: its ETag (or date) and its
 * size are compared. */
#define _POSIX_C_SOURCE 200809L
#include "fetch.h"

#include "fetch_curl.h"
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define FIRST_PIECE ((uint64_t)256 * 1024)
#define RECEIVE_BUFFER (96 * 1024) /* what the system may take ahead of us */
#define LONGEST_HEADER ((uint64_t)512 << 20)
#define MOST_REDIRECTS 10L
#define MOST_TRIES 4      /* without a byte of progress */
#define MOST_REQUESTS 12  /* for one file, whatever the progress */
#define LONGEST_WAIT 60   /* seconds that a server may make us wait */
#define SLOW_BYTES 1024L  /* a second; slower than this for the time limit is given up */
#define TIME_LIMIT 30L
#define N_SIGNALS 3
#define FIRST_SHOWN 0.4 /* seconds without a line on the terminal, */
#define SHOWN_EACH 0.1  /* and between two of them */

struct fetch_session {
    CURLM *multi;
    const struct cli_args *args;
    const char *token;        /* Hugging Face's: -hft, or HF_TOKEN */
    struct fetch_file *kept;  /* files that were closed; they may be opened again */
    long timeout;
    bool progress;
    struct sigaction before[N_SIGNALS];
};

/* A person who is tired of waiting ends the program by a signal. What was read until then is kept
 * for the next time, so the signal is noted, the transfer ends, and the program dies of it then. */
static const int signals[N_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

/* What one answer's header said; a redirect's is forgotten when the next begins. */
struct answer {
    long status;
    struct fetch_identity id; /* size: from Content-Range, or from Content-Length of a 200 */
    uint64_t from, to;        /* of Content-Range */
    uint64_t length;          /* Content-Length; UINT64_MAX: none */
    bool ranged;              /* has a Content-Range that can be read */
    bool begun;               /* its first bytes were looked at */
    char encoding[32];        /* Content-Encoding; "": as it is */
};

struct fetch_file {
    struct fetch_session *session;
    struct fetch_file *next; /* of the session's kept ones */
    char *url, *shown;   /* as asked, and without its query for messages */
    char *final;         /* where redirects ended */
    CURL *easy;          /* the request under way */
    struct curl_slist *headers;
    struct answer answer;
    uint64_t asked;      /* where the request begins */
    uint64_t skip;       /* bytes still to be passed over: the server began earlier */
    bool validating;     /* asks only whether the cached bytes are still right */
    bool paused, refused; /* refused: we ended the transfer, `error` says why */
    ullage_error error;
    bool missing;        /* there is none, as `error` says */
    bool known;          /* id is of an answer */
    struct fetch_identity id;
    unsigned char *bytes;
    size_t n, room, saved;
    uint64_t want;       /* the transfer rests once n is this */
    bool ended;          /* nothing follows the bytes */
    bool fixed;          /* the address names the content, which cannot change */
    int tries, requests;
    struct timespec start;
    double shown_at;     /* seconds after the start: the progress line on the screen; 0: none */
};

/* ------------------------------------------------------------------ errors */

int fetch_fail(ullage_error *err, int code, const char *fmt, ...)
{
    va_list args;
    if (err && err->code == ULLAGE_OK) {
        va_start(args, fmt);
        vsnprintf(err->message, sizeof err->message, fmt, args);
        va_end(args);
        err->code = code;
        err->position = ULLAGE_NO_POSITION;
    }
    return code;
}

static const char *why_status(const struct fetch_file *f)
{
    switch (f->answer.status) {
    case 401:
        return strstr(f->url, "/api/models/")
               ? ": no such repository, or it wants to know who asks (HF_TOKEN, -hft)"
               : ": it wants to know who asks (HF_TOKEN, or --header 'Authorization: ...')";
    case 403: return ": not allowed with what was sent of who asks";
    case 404: case 410: return ": no such file";
    case 407: return ": the proxy wants to know who asks";
    case 429: return ": too many requests, try again later";
    default: return f->answer.status >= 500 ? ": the server's own trouble, try again later" : "";
    }
}

static int status_error(struct fetch_file *f, ullage_error *err)
{
    bool missing = f->answer.status == 404 || f->answer.status == 410;
    return fetch_fail(err, missing ? ULLAGE_ERROR_MISSING : ULLAGE_ERROR_IO,
                      "%.200s: the server answers %ld%s", f->shown, f->answer.status,
                      why_status(f));
}

/* ------------------------------------------------------------------ what comes in */

static bool field(const char *line, size_t n, const char *name, char *out, size_t size)
{
    size_t k = strlen(name);
    if (n <= k || line[k] != ':' || strncasecmp(line, name, k) != 0)
        return false;
    for (k++; k < n && (line[k] == ' ' || line[k] == '\t');)
        k++;
    while (n > k && (unsigned char)line[n - 1] <= ' ')
        n--;
    snprintf(out, size, "%.*s", (int)(n - k), line + k);
    return true;
}

static size_t on_header(char *line, size_t one, size_t n, void *state)
{
    struct fetch_file *f = state;
    struct answer *a = &f->answer;
    char text[256];
    (void)one;
    if (n > 9 && strncmp(line, "HTTP/", 5) == 0) {
        const char *blank = memchr(line, ' ', n);
        *a = (struct answer){.id.size = UINT64_MAX, .length = UINT64_MAX};
        a->status = blank ? strtol(blank, NULL, 10) : 0;
    } else if (field(line, n, "ETag", a->id.etag, sizeof a->id.etag)
               || field(line, n, "Last-Modified", a->id.modified, sizeof a->id.modified)) {
        return n;
    } else if (field(line, n, "Content-Encoding", a->encoding, sizeof a->encoding)) {
        if (strcasecmp(a->encoding, "identity") == 0)
            *a->encoding = '\0';
    } else if (field(line, n, "Content-Length", text, sizeof text)) {
        sscanf(text, "%" SCNu64, &a->length);
    } else if (field(line, n, "Content-Range", text, sizeof text)) {
        a->ranged = sscanf(text, "bytes %" SCNu64 "-%" SCNu64 "/%" SCNu64, &a->from, &a->to,
                           &a->id.size) >= 2;
        if (!a->ranged)
            sscanf(text, "bytes */%" SCNu64, &a->id.size);
    }
    return n;
}

/* Weak and strong ETags count alike: it is the file that matters, not its encoding. */
static bool same(const struct fetch_identity *a, const struct fetch_identity *b)
{
    const char *x = a->etag, *y = b->etag;
    x += strncmp(x, "W/", 2) == 0 ? 2 : 0;
    y += strncmp(y, "W/", 2) == 0 ? 2 : 0;
    if (a->size != b->size && a->size != UINT64_MAX && b->size != UINT64_MAX)
        return false;
    if (*x && *y)
        return strcmp(x, y) == 0;
    return !*a->modified || !*b->modified || strcmp(a->modified, b->modified) == 0;
}

/* No validator: it cannot be known whether bytes kept earlier are still the file's. */
static bool has_validator(const struct fetch_identity *id)
{
    return *id->etag || *id->modified;
}

static int changed(struct fetch_file *f)
{
    return fetch_fail(&f->error, ULLAGE_ERROR_IO,
                "%.200s: the file on the server changed while it was read: run it again", f->shown);
}

static int contradicts(struct fetch_file *f)
{
    return fetch_fail(&f->error, ULLAGE_ERROR_IO, "%.200s: the lengths that the server states "
                      "contradict each other or the range that was asked for", f->shown);
}

/* The first look at an answer that has bytes of the file. 0: they can be used. */
static int begin(struct fetch_file *f)
{
    struct answer *a = &f->answer;
    a->begun = true;
    f->skip = 0;
    if (*a->encoding)
        return fetch_fail(&f->error, ULLAGE_ERROR_IO, "%.200s: the server sends it compressed "
                          "(%.20s), though asked not to: ranges of that are none of the file",
                          f->shown, a->encoding);
    if (a->status == 206) {
        bool wrong = !a->ranged || a->from != f->asked || a->to < a->from || a->to >= a->id.size
                     || (a->length != UINT64_MAX && a->length != a->to - a->from + 1);
        if (wrong)
            return contradicts(f);
    } else {
        a->id.size = a->length;
        f->skip = f->asked; /* from the beginning, whatever was asked */
    }
    if (f->known && !same(&f->id, &a->id))
        return changed(f);
    if (!f->known)
        f->id = a->id;
    f->known = true;
    return ULLAGE_OK;
}

static bool grow(struct fetch_file *f, size_t n)
{
    if (f->n + n > LONGEST_HEADER) {
        fetch_fail(&f->error, ULLAGE_ERROR_INPUT, "%.200s: no header ends within %d MiB", f->shown,
             (int)(LONGEST_HEADER >> 20));
        return false;
    }
    if (f->n + n > f->room) {
        size_t room = (f->n + n) * 2;
        unsigned char *p = realloc(f->bytes, room);
        if (!p) {
            fetch_fail(&f->error, ULLAGE_ERROR_MEMORY, "out of memory");
            return false;
        }
        f->bytes = p;
        f->room = room;
    }
    return true;
}

/* Anything but n and the pause ends the transfer. */
static size_t on_bytes(char *p, size_t one, size_t n, void *state)
{
    struct fetch_file *f = state;
    size_t all = n;
    (void)one;
    if (f->answer.status != 200 && f->answer.status != 206)
        return n; /* the words of an error or a redirect */
    if (f->validating && f->answer.status == 206)
        return n; /* one byte, which is had */
    f->refused = f->validating;
    if (f->refused)
        return 0;
    if (f->n >= f->want) {
        f->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    f->refused = (!f->answer.begun && begin(f)) || !grow(f, n);
    if (f->refused)
        return 0;
    size_t pass = f->skip < n ? (size_t)f->skip : n;
    f->skip -= pass;
    memcpy(f->bytes + f->n, p + pass, n - pass);
    f->n += n - pass;
    if (n > pass)
        f->tries = 0;
    return all;
}

/* Set before the connection is made, so that the window is never offered larger. */
static int on_socket(void *state, curl_socket_t s, curlsocktype purpose)
{
    int size = RECEIVE_BUFFER;
    (void)state;
    (void)purpose;
    setsockopt(s, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    return CURL_SOCKOPT_OK;
}

/* ------------------------------------------------------------------ requests */

/* Scheme, host and port: "https://host:1". */
static size_t origin_length(const char *url)
{
    const char *host = strstr(url, "://");
    return host ? (size_t)(host + 3 - url) + strcspn(host + 3, "/?#") : strlen(url);
}

static bool same_origin(const char *a, const char *b)
{
    size_t n = origin_length(a);
    return n == origin_length(b) && strncasecmp(a, b, n) == 0;
}

/* The token is Hugging Face's, and goes nowhere else; not in the clear either, but to an endpoint
 * that is named so. */
static const char *token_for(const char *token, const char *url)
{
    return token && *token && same_origin(url, fetch_endpoint()) ? token : NULL;
}

/* What tells who asks goes to the host that was named, not to where it sends us; curl does the
 * same while it follows. */
static void set_headers(struct fetch_file *f, bool elsewhere)
{
    char text[1024];
    const struct cli_args *args = f->session->args;
    const char *token = token_for(f->session->token, f->url);
    bool own = false;
    curl_slist_free_all(f->headers);
    f->headers = NULL;
    for (int i = 0; i < args->n_headers; i++) {
        bool secret = strncasecmp(args->header[i], "Authorization:", 14) == 0;
        own |= secret;
        if (!elsewhere || !(secret || strncasecmp(args->header[i], "Cookie:", 7) == 0))
            f->headers = curl_slist_append(f->headers, args->header[i]);
    }
    if (token && !own && !elsewhere
        && (size_t)snprintf(text, sizeof text, "Authorization: Bearer %s", token) < sizeof text)
        f->headers = curl_slist_append(f->headers, text);
    if (strstr(f->url, "/manifests/")) /* a registry has several kinds */
        f->headers = curl_slist_append(
            f->headers, "Accept: application/vnd.docker.distribution.manifest.v2+json");
    f->headers = curl_slist_append(f->headers, "Accept-Encoding: identity");
    if (f->validating) {
        bool tag = *f->id.etag != '\0';
        snprintf(text, sizeof text, "%s: %s", tag ? "If-None-Match" : "If-Modified-Since",
                 tag ? f->id.etag : f->id.modified);
        f->headers = curl_slist_append(f->headers, text);
    }
}

static void stop(struct fetch_file *f)
{
    if (!f->easy)
        return;
    curl_multi_remove_handle(f->session->multi, f->easy);
    curl_easy_cleanup(f->easy);
    f->easy = NULL;
    f->paused = false;
}

static void set_range(struct fetch_file *f)
{
    char range[64];
    if (f->validating)
        snprintf(range, sizeof range, "0-0");
    else if (f->n == 0)
        snprintf(range, sizeof range, "0-%" PRIu64, FIRST_PIECE - 1);
    else
        snprintf(range, sizeof range, "%zu-", f->n);
    curl_easy_setopt(f->easy, CURLOPT_RANGE, range);
}

static int start(struct fetch_file *f, ullage_error *err)
{
    CURL *e = f->easy = curl_easy_init();
    const char *url = f->final && f->n > 0 && !f->validating ? f->final : f->url;
    if (!e)
        return fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    f->requests++;
    f->asked = f->validating ? 0 : f->n;
    f->answer = (struct answer){.length = UINT64_MAX};
    f->error = (ullage_error){0};
    f->refused = f->paused = false;
    set_headers(f, url != f->url && !same_origin(url, f->url));
    set_range(f);
    curl_easy_setopt(e, CURLOPT_URL, url);
    curl_easy_setopt(e, CURLOPT_PRIVATE, f);
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(e, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L); /* a proxy's, not the file's */
    curl_easy_setopt(e, CURLOPT_MAXREDIRS, MOST_REDIRECTS);
    /* One stream a connection: HTTP/2's window would take megabytes ahead. */
    curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(e, CURLOPT_HTTPHEADER, f->headers);
    curl_easy_setopt(e, CURLOPT_USERAGENT, "ullage/" ULLAGE_VERSION);
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT, f->session->timeout);
    curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, SLOW_BYTES);
    curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, f->session->timeout);
    curl_easy_setopt(e, CURLOPT_SOCKOPTFUNCTION, on_socket);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, f);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, f);
    curl_multi_add_handle(f->session->multi, e);
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ the end of a request */

static void wait_seconds(double s)
{
    struct timespec t = {.tv_sec = (time_t)s, .tv_nsec = (long)((s - (double)(time_t)s) * 1e9)};
    nanosleep(&t, NULL);
}

/* Half a second, one, two; or what the server asks for. */
static int again(struct fetch_file *f, curl_off_t asked, const ullage_error *why, ullage_error *err)
{
    if (asked > LONGEST_WAIT)
        return fetch_fail(err, ULLAGE_ERROR_IO, "%.200s: the server answers %ld and asks to wait "
                          "%ld seconds", f->shown, f->answer.status, (long)asked);
    if (caught)
        return fetch_fail(err, ULLAGE_ERROR_IO, "interrupted");
    if (++f->tries >= MOST_TRIES || f->requests >= MOST_REQUESTS) {
        *err = *why;
        return why->code;
    }
    wait_seconds(asked > 0 ? (double)asked : 0.25 * (double)(1 << f->tries));
    return ULLAGE_OK;
}

static bool transient(CURLcode rc)
{
    switch (rc) {
    case CURLE_COULDNT_CONNECT: case CURLE_PARTIAL_FILE: case CURLE_OPERATION_TIMEDOUT:
    case CURLE_GOT_NOTHING: case CURLE_SEND_ERROR: case CURLE_RECV_ERROR:
    case CURLE_HTTP2: case CURLE_HTTP2_STREAM: case CURLE_COULDNT_RESOLVE_HOST:
        return true;
    default:
        return false;
    }
}

static int broken(struct fetch_file *f, CURLcode rc, long proxy, ullage_error *err)
{
    ullage_error why = {0};
    if (proxy >= 300 && !f->answer.status)
        return fetch_fail(err, ULLAGE_ERROR_IO, "%.200s: the proxy refuses to connect to it, with "
                          "%ld (https_proxy names it, no_proxy lists hosts to ask directly)",
                          f->shown, proxy);
    if (rc == CURLE_OPERATION_TIMEDOUT && f->answer.status)
        fetch_fail(&why, ULLAGE_ERROR_IO, "%.200s: less than %ld bytes a second for %ld seconds "
                   "(--timeout)", f->shown, SLOW_BYTES, f->session->timeout);
    else if (rc == CURLE_PARTIAL_FILE)
        fetch_fail(&why, ULLAGE_ERROR_IO, "%.200s: the transfer ends at byte %zu, before what the "
                   "server said would come", f->shown, f->n);
    else
        fetch_fail(&why, ULLAGE_ERROR_IO, "%.200s: %s", f->shown, curl_easy_strerror(rc));
    if (transient(rc))
        return again(f, 0, &why, err);
    return fetch_fail(err, ULLAGE_ERROR_IO, "%s", why.message);
}

/* What was cached is wrong or cannot be checked: everything from the beginning. */
static void forget(struct fetch_file *f)
{
    f->n = f->saved = 0;
    f->known = f->ended = false;
    f->id = (struct fetch_identity){.size = UINT64_MAX};
}

static void validated(struct fetch_file *f)
{
    struct answer *a = &f->answer;
    if (a->status == 200)
        a->id.size = a->length;
    bool right = a->status == 304
                 || ((a->status == 206 || a->status == 200) && has_validator(&a->id)
                     && same(&f->id, &a->id));
    f->validating = false;
    if (!right)
        forget(f);
}

/* A request's end. An error, or 0: the caller looks at what there is now. */
static int finished(struct fetch_file *f, CURLcode rc, ullage_error *err)
{
    char *url = NULL;
    curl_off_t after = 0;
    long status = f->answer.status, proxy = 0;
    ullage_error why = {0};
    curl_easy_getinfo(f->easy, CURLINFO_HTTP_CONNECTCODE, &proxy);
    curl_easy_getinfo(f->easy, CURLINFO_EFFECTIVE_URL, &url);
    curl_easy_getinfo(f->easy, CURLINFO_RETRY_AFTER, &after);
    if (url && (status == 200 || status == 206)) {
        char *copy = strdup(url);
        free(f->final);
        f->final = copy;
    }
    stop(f);
    if (f->validating && (status == 304 || status == 206 || (status == 200 && f->refused)
                          || status == 416)) {
        validated(f);
        return ULLAGE_OK;
    }
    if (f->refused) {
        *err = f->error;
        return err->code;
    }
    if (status == 429 || status == 502 || status == 503 || status == 504) {
        status_error(f, &why);
        return again(f, after, &why, err);
    }
    if (rc != CURLE_OK)
        return broken(f, rc, proxy, err);
    if (status == 416 && (f->answer.id.size == f->n || f->n == 0)) {
        f->id.size = f->n;
        f->ended = true;
        return ULLAGE_OK;
    }
    if (status == 416)
        return fetch_fail(err, ULLAGE_ERROR_IO, "%.200s: the file on the server is shorter than it "
                          "said", f->shown);
    if (status == 403 && f->final && f->n > 0) { /* a signed address that is too old */
        free(f->final);
        f->final = NULL;
        status_error(f, &why);
        return again(f, 0, &why, err);
    }
    if (status != 200 && status != 206)
        return status_error(f, err);
    if (!f->answer.begun && begin(f)) {
        *err = f->error;
        return err->code;
    }
    f->ended = status == 200 || f->n >= f->id.size;
    if (f->ended && f->id.size == UINT64_MAX)
        f->id.size = f->n;
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ pumping */

static void show_progress(struct fetch_file *f)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double s = (double)(now.tv_sec - f->start.tv_sec)
               + 1e-9 * (double)(now.tv_nsec - f->start.tv_nsec);
    if (!f->session->progress || s < FIRST_SHOWN || s - f->shown_at < SHOWN_EACH)
        return;
    fprintf(stderr, "\r\033[Kreading the header: %.1f MiB", (double)f->n / 1048576.0);
    f->shown_at = s;
}

/* One transfer, until it rests or ends. */
static int run(struct fetch_file *f, ullage_error *err)
{
    int running, left;
    if (f->paused) {
        f->paused = false;
        curl_easy_pause(f->easy, CURLPAUSE_CONT);
    }
    for (;;) {
        if (curl_multi_perform(f->session->multi, &running) != CURLM_OK)
            return fetch_fail(err, ULLAGE_ERROR_IO, "%.200s: the transfer failed", f->shown);
        for (CURLMsg *m; (m = curl_multi_info_read(f->session->multi, &left));)
            if (m->msg == CURLMSG_DONE && m->easy_handle == f->easy)
                return finished(f, m->data.result, err);
        show_progress(f);
        if (!f->validating && f->n >= f->want)
            return ULLAGE_OK;
        if (caught)
            return fetch_fail(err, ULLAGE_ERROR_IO, "interrupted");
        curl_multi_poll(f->session->multi, NULL, 0, 1000, NULL);
    }
}

/* Until `want` bytes are here or the file ends. */
static int pump(struct fetch_file *f, uint64_t want, ullage_error *err)
{
    int code = ULLAGE_OK;
    f->want = want;
    while (!code && (f->validating || (f->n < want && !f->ended))) {
        if (fetch_offline(f->session->args))
            return fetch_fail(err, ULLAGE_ERROR_IO, "%.200s: not in the cache, and --offline "
                              "forbids to ask for it", f->shown);
        if (!f->easy && f->requests >= MOST_REQUESTS)
            return fetch_fail(err, ULLAGE_ERROR_IO, "%.200s: no end after %d requests", f->shown,
                        MOST_REQUESTS);
        if (!f->easy)
            code = start(f, err);
        if (!code)
            code = run(f, err);
    }
    return code;
}

/* ------------------------------------------------------------------ a file */

/* A commit of a repository, or a blob by its digest: what is there stays as it is. */
static bool is_fixed(const char *url)
{
    static const char hex[] = "0123456789abcdefABCDEF";
    const char *commit = strstr(url, "/resolve/"), *tree = strstr(url, "/tree/"),
               *blob = strstr(url, "/blobs/sha256:");
    return (commit && strspn(commit + 9, hex) == 40 && commit[49] == '/')
           || (tree && strspn(tree + 6, hex) == 40) || (blob && strspn(blob + 14, hex) == 64);
}

static void use_cache(struct fetch_file *f)
{
    struct fetch_cached c;
    fetch_cache_load(&c, f->url);
    bool believed = fetch_offline(f->session->args) || f->fixed;
    if (!c.bytes || (!believed && !has_validator(&c.id))) {
        free(c.bytes);
        return;
    }
    f->bytes = c.bytes;
    f->n = f->room = f->saved = c.n;
    f->id = c.id;
    f->known = true;
    f->validating = !believed;
    f->ended = c.n >= c.id.size;
}

static void keep(struct fetch_file *f)
{
    f->next = f->session->kept;
    f->session->kept = f;
}

/* A file that was read before by this session, or looked for: nobody is asked again. */
static struct fetch_file *take_kept(struct fetch_session *s, const char *url)
{
    for (struct fetch_file **at = &s->kept; *at; at = &(*at)->next)
        if (strcmp((*at)->url, url) == 0) {
            struct fetch_file *f = *at;
            *at = f->next;
            return f;
        }
    return NULL;
}

static void release(struct fetch_file *f)
{
    curl_slist_free_all(f->headers);
    free(f->bytes);
    free(f->final);
    free(f->shown);
    free(f->url);
    free(f);
}

/* The transfer ends, and what it brought is kept for the next time. */
static void stop_and_save(struct fetch_file *f)
{
    stop(f);
    if (f->shown_at > 0)
        fputs("\r\033[K", stderr);
    f->shown_at = 0;
    if (f->n > f->saved)
        fetch_cache_save(&(struct fetch_cached){.id = f->id, .bytes = f->bytes, .n = f->n}, f->url);
    f->saved = f->n;
}

static int missing(struct fetch_file *f, ullage_error *err)
{
    stop(f);
    if (!f->missing)
        f->error = *err;
    f->missing = true;
    keep(f);
    *err = f->error;
    return ULLAGE_ERROR_MISSING;
}

int fetch_open(void *state, const char *url, void **file, uint64_t *size, ullage_error *err)
{
    struct fetch_file *f = take_kept(state, url);
    *file = NULL;
    if (f && f->missing)
        return missing(f, err);
    *file = f;
    if (f) {
        *size = f->id.size;
        return ULLAGE_OK;
    }
    f = calloc(1, sizeof *f);
    if (!f)
        return fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    f->session = state;
    f->url = strdup(url);
    f->shown = strdup(url);
    f->id.size = UINT64_MAX;
    f->fixed = is_fixed(url);
    clock_gettime(CLOCK_MONOTONIC, &f->start);
    if (!f->url || !f->shown) {
        release(f);
        return fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    }
    f->shown[strcspn(url, "?#")] = '\0';
    use_cache(f);
    int code = pump(f, 1, err);
    if (code == ULLAGE_ERROR_MISSING)
        return missing(f, err);
    if (code) {
        stop_and_save(f);
        release(f);
        return code;
    }
    *file = f;
    *size = f->id.size;
    return ULLAGE_OK;
}

long fetch_read(void *file, uint64_t offset, void *buf, size_t n, ullage_error *err)
{
    struct fetch_file *f = file;
    if (offset >= LONGEST_HEADER) {
        fetch_fail(err, ULLAGE_ERROR_INPUT, "%.200s: no header ends within %d MiB", f->shown,
             (int)(LONGEST_HEADER >> 20));
        return -1;
    }
    if (f->n <= offset && pump(f, offset + 1, err))
        return -1;
    if (offset >= f->n)
        return 0;
    if (n > f->n - offset)
        n = (size_t)(f->n - offset);
    memcpy(buf, f->bytes + offset, n);
    return (long)n;
}

/* A connection can be used again only when its answer was read to the end: of a shard's first
 * piece that is worth it. */
static void drain(struct fetch_file *f)
{
    ullage_error ignored = {0};
    if (f->easy && !caught && f->answer.status == 206 && f->asked == 0 && strstr(f->url, "-of-")) {
        f->want = UINT64_MAX;
        run(f, &ignored);
    }
}

void fetch_close(void *file)
{
    struct fetch_file *f = file;
    drain(f);
    stop_and_save(f);
    keep(f);
}

/* ------------------------------------------------------------------ a session */

static int read_timeout(long *seconds, const char *text, ullage_error *err)
{
    char *end;
    *seconds = text ? strtol(text, &end, 10) : TIME_LIMIT;
    if (text && (*end || *seconds < 1 || *seconds > 86400))
        return fetch_fail(err, ULLAGE_ERROR_USAGE, "--timeout: '%.40s' is no number of seconds",
                          text);
    return ULLAGE_OK;
}

static int check_headers(const struct cli_args *args, ullage_error *err)
{
    for (int i = 0; i < args->n_headers; i++)
        if (!strchr(args->header[i], ':') || strpbrk(args->header[i], "\r\n"))
            return fetch_fail(err, ULLAGE_ERROR_USAGE, "--header wants 'Name: value'");
    return ULLAGE_OK;
}

static void watch_signals(struct fetch_session *s)
{
    struct sigaction ours = {.sa_handler = on_signal};
    for (int i = 0; i < N_SIGNALS; i++) {
        sigaction(signals[i], NULL, &s->before[i]);
        if (s->before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &ours, NULL);
    }
}

static void leave_signals(struct fetch_session *s)
{
    for (int i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &s->before[i], NULL);
    if (caught)
        raise(caught);
}

/* One for the whole program, so that what a repository answered to one question need not be asked
 * for the next. Signals are the program's own again while nobody has it open. */
static struct fetch_session *shared;
static int opened;

static void release_shared(void)
{
    for (struct fetch_file *f = shared->kept, *next; f; f = next) {
        next = f->next;
        release(f);
    }
    curl_multi_cleanup(shared->multi);
    curl_global_cleanup();
    free(shared);
}

static int make_shared(ullage_error *err)
{
    shared = calloc(1, sizeof *shared);
    if (!shared || curl_global_init(CURL_GLOBAL_DEFAULT) || !(shared->multi = curl_multi_init())) {
        free(shared);
        shared = NULL;
        return fetch_fail(err, ULLAGE_ERROR_MEMORY, "out of memory");
    }
    shared->progress = isatty(STDERR_FILENO);
    atexit(release_shared);
    return ULLAGE_OK;
}

int fetch_session_open(struct fetch_session **s, const struct cli_args *args, ullage_error *err)
{
    long timeout;
    *s = NULL;
    int code = read_timeout(&timeout, args->timeout, err);
    if (!code)
        code = check_headers(args, err);
    if (!code && !fetch_curl_load())
        code = fetch_fail(err, ULLAGE_ERROR_IO, "a model on a server needs libcurl (Debian: apt "
                          "install libcurl4), which is not here");
    if (code)
        return code;
    if (!shared)
        code = make_shared(err);
    if (code)
        return code;
    *s = shared;
    shared->args = args;
    shared->timeout = timeout;
    shared->token = cli_flag_value(args, "-hft");
    if (opened++ == 0)
        watch_signals(shared);
    return ULLAGE_OK;
}

void fetch_session_close(struct fetch_session *s)
{
    if (s && --opened == 0)
        leave_signals(s);
}

bool fetch_is_url(const char *text)
{
    return strncasecmp(text, "http://", 7) == 0 || strncasecmp(text, "https://", 8) == 0;
}
