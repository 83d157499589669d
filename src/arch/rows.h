/* The files of rows. Each ends with a row without a name. */
#ifndef UL_ARCH_ROWS_H
#define UL_ARCH_ROWS_H

#include "arch/arch.h"

extern const struct ul_arch ul_rows_first[];  /* rows_first.c: llama to arwkv7 */
extern const struct ul_arch ul_rows_second[]; /* rows_second.c: granite and after */
extern const struct ul_arch ul_rows_newer[];  /* rows_newer.c: newer than the source that was read */

/* Layer programs (arch/prog_*.c), and the row's text for the one that has options. */
int ul_prog_dense(struct ul_build *b);
#define UL_DENSE(...) .build = ul_prog_dense, .dense = {__VA_ARGS__}

#endif
