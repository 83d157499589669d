/* What fuzz targets share. Each fuzz_NAME.c here defines LLVMFuzzerTestOneInput and is built twice:
 * with driver.c, to replay corpus/NAME in the ordinary tests under any compiler, and with libFuzzer
 * when clang is there (-DULLAGE_FUZZ=ON, `make fuzz`). Include ullage.h or, as the tests do, the
 * library's own headers. */
#ifndef ULLAGE_FUZZ_H
#define ULLAGE_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise was broken: says so and stops, in every build. */
static inline void fuzz_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
    abort();
}

#endif
