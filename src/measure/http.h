/* A request to the server on this machine, over a plain socket: no TLS, no redirects, one request a
 * connection. While it waits it lets the caller look at other things. */
#ifndef UL_MEASURE_HTTP_H
#define UL_MEASURE_HTTP_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct ul_url {
    char host[128], path[512];
    int port;
};

/* "http://127.0.0.1:8080/health"; false when it is none that can be asked. */
bool ul_url_read(struct ul_url *u, const char *text);

/* Called several times a second while a request waits; false gives the request up. */
typedef bool (*ul_idle)(void *context);

/* Sends a GET, or a POST of JSON when there is a body; returns the status, 0 when there was no
 * answer. The answer's first `size` - 1 bytes (head and body) go to `answer`, which may be NULL. */
int ul_http(const struct ul_url *u, const char *body, char *answer, size_t size, int timeout_ms,
            ul_idle idle, void *context);

/* A port of the loopback device that nothing listens on; 0 when there is none. */
int ul_port_free(void);
/* Whether something listens on it. */
bool ul_port_taken(const char *host, int port);

#endif
