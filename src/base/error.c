#include "base/error.h"

#include <stdio.h>

/* Paths and names from files may hold control characters; a message is one line of text. */
static void one_line(char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            *s = '?';
}

int ul_fail(ullage_error *err, int code, uint64_t position, const char *fmt, ...)
{
    if (!err || err->code != ULLAGE_OK)
        return err ? err->code : code;
    err->code = code;
    err->position = position;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    one_line(err->message);
    return code;
}
