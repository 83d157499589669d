/* Errors: a code, a message, and where. The struct is the public one, so nothing is translated. */
#ifndef UL_BASE_ERROR_H
#define UL_BASE_ERROR_H

#include "base/str.h"
#include "ullage.h"

/* Sets the error unless one is set already (the first error is the cause), and returns its code.
 * `position` is a byte offset in the input or ULLAGE_NO_POSITION. err may be NULL. */
int ul_fail(ullage_error *err, int code, uint64_t position, const char *fmt, ...) UL_PRINTF(4, 5);

#endif
