/* The client's side of HTTP/1.1, as little of it as a health check and a prompt need. */
#define _GNU_SOURCE
#include "measure/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define IDLE_MS 20

bool ul_url_read(struct ul_url *u, const char *text)
{
    *u = (struct ul_url){.port = 80};
    if (strncmp(text, "http://", 7) != 0)
        return false;
    const char *host = text + 7, *end = host + strcspn(host, ":/");
    if (end == host || (size_t)(end - host) >= sizeof u->host)
        return false;
    memcpy(u->host, host, (size_t)(end - host));
    if (*end == ':') {
        char *after;
        long port = strtol(end + 1, &after, 10);
        if (port < 1 || port > 65535 || (*after && *after != '/'))
            return false;
        u->port = (int)port;
        end = after;
    }
    return (size_t)snprintf(u->path, sizeof u->path, "%s", *end ? end : "/") < sizeof u->path;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct wait {
    int fd;
    int64_t until;
    ul_idle idle;
    void *context;
};

/* Until the socket is ready for `events`; false when the time is over or the caller gives up. */
static bool ready(const struct wait *w, short events)
{
    struct pollfd p = {.fd = w->fd, .events = events};
    while (now_ms() < w->until) {
        int n = poll(&p, 1, IDLE_MS);
        if (w->idle && !w->idle(w->context))
            return false;
        if (n > 0)
            return true;
    }
    return false;
}

static int connect_to(const struct ul_url *u, struct wait *w)
{
    char port[16];
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
    snprintf(port, sizeof port, "%d", u->port);
    if (getaddrinfo(u->host, port, &hints, &found))
        return -1;
    int error = 0;
    socklen_t n = sizeof error;
    w->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool ok = w->fd >= 0
              && (connect(w->fd, found->ai_addr, found->ai_addrlen) == 0
                  || (errno == EINPROGRESS && ready(w, POLLOUT)
                      && getsockopt(w->fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && error == 0));
    freeaddrinfo(found);
    if (!ok && w->fd >= 0)
        close(w->fd);
    return ok ? w->fd : -1;
}

static bool send_all(const struct wait *w, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t k = send(w->fd, p, n, MSG_NOSIGNAL);
        if (k < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        if (k > 0) {
            p += k;
            n -= (size_t)k;
        } else if (!ready(w, POLLOUT)) {
            return false;
        }
    }
    return true;
}

/* To the end of the connection, which the server closes when it has answered; true when it did. */
static bool receive(const struct wait *w, char *answer, size_t size)
{
    char rest[4096];
    size_t n = 0;
    for (;;) {
        bool room = n + 1 < size;
        ssize_t k = recv(w->fd, room ? answer + n : rest, room ? size - n - 1 : sizeof rest, 0);
        if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR)) {
            answer[n] = '\0';
            return k == 0;
        }
        if (k > 0)
            n += room ? (size_t)k : 0;
        else if (!ready(w, POLLIN))
            return false;
    }
}

int ul_http(const struct ul_url *u, const char *body, char *answer, size_t size, int timeout_ms,
            ul_idle idle, void *context)
{
    char head[1024], own[512];
    int status = 0;
    struct wait w = {.until = now_ms() + timeout_ms, .idle = idle, .context = context};
    if (connect_to(u, &w) < 0)
        return 0;
    int n = snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n",
                     body ? "POST" : "GET", u->path, u->host, u->port);
    n += body ? snprintf(head + n, sizeof head - (size_t)n,
                         "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                         strlen(body))
              : snprintf(head + n, sizeof head - (size_t)n, "\r\n");
    answer = answer ? answer : own;
    size = answer == own ? sizeof own : size;
    if (send_all(&w, head, (size_t)n) && (!body || send_all(&w, body, strlen(body)))
        && receive(&w, answer, size) && sscanf(answer, "HTTP/%*d.%*d %d", &status) != 1)
        status = 0;
    close(w.fd);
    return status;
}

int ul_port_free(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&a, n) == 0
              && getsockname(fd, (struct sockaddr *)&a, &n) == 0;
    if (fd >= 0)
        close(fd);
    return ok ? ntohs(a.sin_port) : 0;
}

bool ul_port_taken(const char *host, int port)
{
    struct ul_url u = {.port = port};
    struct wait w = {.until = now_ms() + 1000};
    snprintf(u.host, sizeof u.host, "%s", host);
    if (connect_to(&u, &w) < 0)
        return false;
    close(w.fd);
    return true;
}
