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

/* By what somebody types (see catalogue.c); NULL when it fits no model or several. And by place. */
const struct ul_catalogue_row *ul_catalogue_find(const char *name);
/* Up to `most` names that it fits or begins; how many. */
size_t ul_catalogue_like(const char *name, const char *like[], size_t most);
const struct ul_catalogue_row *ul_catalogue_at(size_t i);

#endif
