/* Well-known models by name: the numbers of their configurations, for machines without a network.
 * The table (catalogue_table.c) is made by tools/catalogue.py. */
#ifndef UL_MODEL_CATALOGUE_H
#define UL_MODEL_CATALOGUE_H

#include <stddef.h>

struct ul_catalogue_row {
    const char *name;   /* "llama-3.1-8b" */
    const char *source; /* whose configuration: "meta-llama/Llama-3.1-8B" */
    const char *config; /* what a conversion reads of it, under its own names */
};

extern const struct ul_catalogue_row ul_catalogue[];
extern const size_t ul_n_catalogue;

/* By name, in any case, '_' and ' ' as '-', with or without "-instruct" and the like; NULL when
 * there is none. And by place. */
const struct ul_catalogue_row *ul_catalogue_find(const char *name);
const struct ul_catalogue_row *ul_catalogue_at(size_t i);

#endif
