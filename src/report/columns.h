/* The table of figures: one line a figure of a device. It makes the rows of the human table, the
 * keys of the JSON and the columns of the CSV, so that none of them can forget one. */
#ifndef UL_REPORT_COLUMNS_H
#define UL_REPORT_COLUMNS_H

#include "base/json.h"
#include "ullage.h"

enum ul_show {
    UL_SHOW_ALWAYS,
    UL_SHOW_NONZERO, /* in the human table only when some device has any of it, or does not know */
    UL_SHOW_NEVER    /* not in the human table */
};

struct ul_column {
    const char *label; /* in the human table */
    const char *key;   /* in JSON and CSV */
    size_t at;         /* offset of an ullage_bytes in ullage_device */
    enum ul_show show;
    bool sum;          /* a line above it in the human table */
};

extern const struct ul_column ul_columns[];
extern const size_t ul_n_columns;

ullage_bytes ul_column_of(const struct ul_column *c, const ullage_device *d);

#endif
