/* Finding a model of the catalogue by the name that somebody types.
 *
 * In this order: the name itself in any case, with or without the ending of a tuned model (these
 * have the shape of the model they were tuned from); the same letters with other strokes between
 * them ("llama3.1:8b", "phi4"); words that only one name of the catalogue has together
 * ("mixtral-8x7b", "nemotron-3-ultra"). An owner before a slash does not count. What fits two
 * models fits none. */
#include "model/catalogue.h"

#include <stdbool.h>
#include <string.h>

#define PART_LEAST 3 /* letters of a name's part that may stand for the name */

/* A name as it was typed. */
struct word {
    const char *p;
    size_t n;
};

static char plain(char c)
{
    return c >= 'A' && c <= 'Z'                       ? (char)(c - 'A' + 'a')
           : c == '_' || c == ' ' || c == ':' ? '-' : c;
}

const struct ul_catalogue_row *ul_catalogue_at(size_t i)
{
    return i < ul_n_catalogue ? &ul_catalogue[i] : NULL;
}

static bool same(struct word w, const char *row)
{
    for (size_t i = 0; i < w.n; i++)
        if (plain(w.p[i]) != row[i])
            return false;
    return row[w.n] == '\0';
}

/* What follows in `row` when the word's letters stand at its beginning, strokes aside; else
 * NULL. */
static const char *behind(struct word w, const char *row)
{
    for (size_t i = 0; i < w.n; i++) {
        if (plain(w.p[i]) == '-')
            continue;
        while (*row == '-')
            row++;
        if (plain(w.p[i]) != *row++)
            return NULL;
    }
    return row;
}

static bool same_letters(struct word w, const char *row)
{
    const char *rest = behind(w, row);
    return rest != NULL && *rest == '\0';
}

/* Whole words of the row's name. */
static bool part_of(struct word w, const char *row)
{
    for (const char *at = row; *at != '\0' && w.n >= PART_LEAST; at++) {
        const char *rest = at == row || at[-1] == '-' ? behind(w, at) : NULL;
        if (rest != NULL && (*rest == '\0' || *rest == '-'))
            return true;
    }
    return false;
}

static const struct ul_catalogue_row *only(struct word w, bool (*fits)(struct word, const char *))
{
    const struct ul_catalogue_row *found = NULL;
    for (size_t i = 0; i < ul_n_catalogue; i++)
        if (fits(w, ul_catalogue[i].name)) {
            if (found != NULL)
                return NULL;
            found = &ul_catalogue[i];
        }
    return found;
}

/* By `fits`, with the ending of a tuned model or without. */
static const struct ul_catalogue_row *find(struct word w, bool (*fits)(struct word, const char *))
{
    static const char *const endings[] = {"-instruct", "-it", "-chat", "-hf", "-base"};
    const struct ul_catalogue_row *row = only(w, fits);
    for (size_t i = 0; i < sizeof endings / sizeof *endings && row == NULL; i++) {
        size_t e = strlen(endings[i]);
        if (w.n > e && same((struct word){w.p + w.n - e, e}, endings[i]))
            row = only((struct word){w.p, w.n - e}, fits);
    }
    return row;
}

const struct ul_catalogue_row *ul_catalogue_find(const char *name)
{
    const char *slash = strchr(name, '/');
    struct word w = {slash != NULL ? slash + 1 : name, 0};
    const struct ul_catalogue_row *row;
    w.n = strlen(w.p);
    if (w.n == 0 || *name == '.' || strchr(w.p, '/') != NULL)
        return NULL; /* a path */
    if ((row = find(w, same)) == NULL && (row = find(w, same_letters)) == NULL)
        row = find(w, part_of);
    return row;
}

size_t ul_catalogue_like(const char *name, const char *like[], size_t most)
{
    struct word w = {name, strlen(name)};
    size_t n = 0;
    for (size_t i = 0; i < ul_n_catalogue && n < most; i++)
        if (part_of(w, ul_catalogue[i].name) || behind(w, ul_catalogue[i].name) != NULL)
            like[n++] = ul_catalogue[i].name;
    return n;
}
