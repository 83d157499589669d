/* Finding a model of the catalogue by name. */
#include "model/catalogue.h"

static char plain(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' || c == ' ' ? '-' : c;
}

const struct ul_catalogue_row *ul_catalogue_at(size_t i)
{
    return i < ul_n_catalogue ? &ul_catalogue[i] : NULL;
}

const struct ul_catalogue_row *ul_catalogue_find(const char *name)
{
    for (size_t i = 0; i < ul_n_catalogue; i++) {
        const char *a = name, *b = ul_catalogue[i].name;
        while (*a != '\0' && plain(*a) == *b) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0')
            return &ul_catalogue[i];
    }
    return NULL;
}
