/* The files of rows. Each ends with a row without a name. */
#ifndef UL_ARCH_ROWS_H
#define UL_ARCH_ROWS_H

#include "arch/arch.h"

extern const struct ul_arch ul_rows_first[];  /* rows_first.c: llama to arwkv7 */
extern const struct ul_arch ul_rows_second[]; /* rows_second.c: granite and after */
extern const struct ul_arch ul_rows_newer[];  /* rows_newer.c: newer than the source that was read */

#endif
