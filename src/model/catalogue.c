/* Finding a model of the catalogue by name. */
#include "model/catalogue.h"

#include <stdbool.h>
#include <string.h>

static char plain(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' || c == ' ' ? '-' : c;
}

const struct ul_catalogue_row *ul_catalogue_at(size_t i)
{
    return i < ul_n_catalogue ? &ul_catalogue[i] : NULL;
}

/* Whether the first n characters of a name are a row's. */
static bool same(const char *name, size_t n, const char *row)
{
    for (size_t i = 0; i < n; i++)
        if (plain(name[i]) != row[i])
            return false;
    return row[n] == '\0';
}

static const struct ul_catalogue_row *find(const char *name, size_t n)
{
    for (size_t i = 0; i < ul_n_catalogue; i++)
        if (same(name, n, ul_catalogue[i].name))
            return &ul_catalogue[i];
    return NULL;
}

/* Tuned models have the shape of the model they were tuned from, and are called so. */
const struct ul_catalogue_row *ul_catalogue_find(const char *name)
{
    static const char *const endings[] = {"-instruct", "-it", "-chat", "-hf", "-base"};
    size_t n = strlen(name);
    const struct ul_catalogue_row *row = find(name, n);
    for (size_t i = 0; i < sizeof endings / sizeof *endings && row == NULL; i++) {
        size_t e = strlen(endings[i]);
        if (n > e && same(name + n - e, e, endings[i]))
            row = find(name, n - e);
    }
    return row;
}
