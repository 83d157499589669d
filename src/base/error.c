#include "base/error.h"

#include <stdio.h>

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
    return code;
}
