/* The tables of rows. Order: a class is looked for from the first on; most are in one row only. */
#include "model/convert.h"

const struct ul_conv_row *const ul_conv_tables[] = {
    ul_conv_rows_dense,
};

const size_t ul_n_conv_tables = sizeof ul_conv_tables / sizeof ul_conv_tables[0];
