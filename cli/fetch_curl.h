/* libcurl, loaded when the first URL is opened: a plan of a local file needs none of the thirty
 * libraries that it brings, and starting them costs more than the plan. The functions keep their
 * names; each is a pointer that fetch_curl_load fills. */
#ifndef UL_CLI_FETCH_CURL_H
#define UL_CLI_FETCH_CURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FETCH_CURL_FUNCTIONS(X)                                                                 \
    X(easy_init)                                                                                \
    X(easy_setopt) X(easy_cleanup) X(easy_getinfo) X(easy_strerror) X(easy_pause) X(multi_init) \
        X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_info_read)          \
            X(multi_poll) X(multi_cleanup) X(slist_append) X(slist_free_all) X(global_init)     \
                X(global_cleanup)

struct fetch_curl {
#define X(name) __typeof__(&curl_##name) name;
    FETCH_CURL_FUNCTIONS(X)
#undef X
};

extern struct fetch_curl fetch_curl;

/* Loads the library once. False when it is not installed or lacks a function. */
bool fetch_curl_load(void);

#ifndef FETCH_CURL_NAMES
#define curl_easy_init fetch_curl.easy_init
#define curl_easy_setopt fetch_curl.easy_setopt
#define curl_easy_cleanup fetch_curl.easy_cleanup
#define curl_easy_getinfo fetch_curl.easy_getinfo
#define curl_easy_strerror fetch_curl.easy_strerror
#define curl_easy_pause fetch_curl.easy_pause
#define curl_multi_init fetch_curl.multi_init
#define curl_multi_add_handle fetch_curl.multi_add_handle
#define curl_multi_remove_handle fetch_curl.multi_remove_handle
#define curl_multi_perform fetch_curl.multi_perform
#define curl_multi_info_read fetch_curl.multi_info_read
#define curl_multi_poll fetch_curl.multi_poll
#define curl_multi_cleanup fetch_curl.multi_cleanup
#define curl_slist_append fetch_curl.slist_append
#define curl_slist_free_all fetch_curl.slist_free_all
#define curl_global_init fetch_curl.global_init
#define curl_global_cleanup fetch_curl.global_cleanup
#endif

#endif
