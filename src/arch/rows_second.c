/* Rows of the architectures from granite on, in the engine's order. */
#include "arch/rows.h"

const struct ul_arch ul_rows_second[] = {
    {0},
};
