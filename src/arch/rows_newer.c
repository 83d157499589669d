/* Rows of architectures that the pinned engine has and the source that was read has not. */
#include "arch/rows.h"

const struct ul_arch ul_rows_newer[] = {
    {0},
};
