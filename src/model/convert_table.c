/* The tables of rows. A class is looked for from the first on: a row that asks for more than the
 * class stands before those that do not. */
#include "model/convert.h"

const struct ul_conv_row *const ul_conv_tables[] = {
    ul_conv_rows_latent,
    ul_conv_rows_dense,
    ul_conv_rows_sparse,
    ul_conv_rows_gemma,
    ul_conv_rows_hybrid,
    ul_conv_rows_early,
    ul_conv_rows_experts,
    ul_conv_rows_rwkv,
    ul_conv_rows_others,
};

const size_t ul_n_conv_tables = sizeof ul_conv_tables / sizeof ul_conv_tables[0];
