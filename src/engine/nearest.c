/* The nearest known word to a mistyped one, for every message that says "did you mean". */
#include "engine/devices.h"

#include <ctype.h>
#include <string.h>

#define WORD_MOST 64 /* longer words are compared by their beginning */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Case is no slip. */
static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment: insertions, deletions, changes, and swaps of neighbours. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[3][WORD_MOST + 1];
    for (size_t j = 0; j <= nb; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t change = before[j - 1] + !same(a[i - 1], b[j - 1]);
            now[j] = least(change, least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return row[na % 3][nb];
}

/* Dashes before the word say nothing about what was meant: -ctx-size is near --ctx-size. */
static const char *bare(const char *word)
{
    return word + strspn(word, "-");
}

size_t ul_slips(const char *a, const char *b)
{
    return distance(a, least(strlen(a), WORD_MOST), b, least(strlen(b), WORD_MOST));
}

#define BEGINNING 3 /* letters from which on a word is the beginning of another and no accident */

/* A word that was not finished is one slip: --ctx is nearer to --ctx-size than to -ctk. */
static size_t slips(const char *word, const char *known)
{
    size_t d = ul_slips(word, known), n = strlen(word), i = 0;
    while (i < n && known[i] && same(word[i], known[i]))
        i++;
    return n >= BEGINNING && i == n && d > 1 ? 1 : d;
}

static const char *find(const char *word, const char *const *words, size_t n, size_t most)
{
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        const char *a = bare(word), *b = bare(words[i]);
        size_t dashes = (size_t)(a - word) == (size_t)(b - words[i]) ? 0 : 1;
        size_t d = slips(a, b);
        if (d <= most && 2 * d + dashes < best_distance) {
            best_distance = 2 * d + dashes;
            best = words[i];
        }
    }
    return best;
}

const char *ullage_nearest(const char *word, const char *const *words, size_t n)
{
    return find(word, words, n, SIZE_MAX);
}

const char *ullage_near(const char *word, const char *const *words, size_t n)
{
    size_t third = strlen(bare(word)) / 3;
    return find(word, words, n, third > 1 ? third : 1);
}
