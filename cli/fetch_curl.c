#define FETCH_CURL_NAMES
#include "fetch_curl.h"

#include <dlfcn.h>
#include <string.h>

struct fetch_curl fetch_curl;

/* ISO C has no cast from an object's address to a function's; POSIX promises that the bits do. */
static bool take(void *library, const char *name, void *into, size_t size)
{
    void *at = dlsym(library, name);
    memcpy(into, &at, size);
    return at != NULL;
}

bool fetch_curl_load(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"};
    void *library = NULL;
    bool all = true;
    if (fetch_curl.easy_init)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
#define X(name) all &= take(library, "curl_" #name, &fetch_curl.name, sizeof fetch_curl.name);
    FETCH_CURL_FUNCTIONS(X)
#undef X
    return all;
}
