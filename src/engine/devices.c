/* Names of devices as people write them: "4090", "rtx4090", "RTX 4090 24GB", "NVIDIA GeForce RTX
 * 4090", "M3 Max 64GB". A name is cut into words; makers' and machines' words and memory sizes are
 * set aside, and what is left is compared with the rows. Rows may have several names: "GB10 (DGX
 * Spark)"; a few have one more, that a driver prints or that the maker's machine is called by.
 *
 * A device's total is a matter of the driver as much as of the card: CUDA on Linux reports 1.5 to
 * 5 % less than nvidia-smi prints, Metal a share of the machine's memory that changed with macOS.
 * The catalogue has what logs show; what they do not show is said to be assumed. */
#include "engine/devices.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS_MOST 24
#define WORD_SIZE 24
#define NAMES_MOST 4     /* of one row */
#define SHOWN_MOST 5     /* names in a message */

const ullage_known_device *ullage_known_device_at(size_t index)
{
    return index < ul_n_known_devices ? &ul_known_devices[index] : NULL;
}

/* ------------------------------------------------------------------ words */

struct words {
    char word[WORDS_MOST][WORD_SIZE];
    size_t n;
    double memory_gib; /* of a word such as 64GB; 0: none */
    bool machine;      /* the last word was of a machine: "MacBook" before "Pro" */
};

/* Words that name a maker or say nothing. */
static bool is_noise(const char *w)
{
    static const char *const noise[] = {
        "nvidia",   "amd",         "intel", "apple", "geforce",    "radeon", "gpu",
        "graphics", "corporation", "r",     "tm",    "generation", "cores",  "core"};
    for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++)
        if (strcmp(w, noise[i]) == 0)
            return true;
    return false;
}

/* "MacBook Pro", "Mac Studio": the machine around a chip, which says nothing of it. */
static bool of_machine(struct words *s, const char *w)
{
    static const char *const kinds[] = {"pro", "air", "mini", "studio"};
    bool after = s->machine;
    s->machine = strcmp(w, "macbook") == 0 || strcmp(w, "mac") == 0 || strcmp(w, "imac") == 0;
    for (size_t i = 0; after && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(w, kinds[i]) == 0)
            return true;
    return s->machine;
}

/* "64gb", "64gib", "64g": 64; else 0. */
static double size_word(const char *w)
{
    char *end;
    double n = isdigit((unsigned char)w[0]) ? strtod(w, &end) : 0;
    if (n > 0 && (strcmp(end, "gb") == 0 || strcmp(end, "gib") == 0 || strcmp(end, "g") == 0))
        return n;
    return 0;
}

static void add_word(struct words *s, const char *w)
{
    bool unit = strcmp(w, "gb") == 0 || strcmp(w, "gib") == 0; /* of "64 GB" */
    double size = size_word(w);
    if (of_machine(s, w))
        return;
    if (unit && s->n && isdigit((unsigned char)s->word[s->n - 1][0]))
        s->memory_gib = strtod(s->word[--s->n], NULL);
    else if (size > 0)
        s->memory_gib = size;
    else if (!is_noise(w) && s->n < WORDS_MOST)
        snprintf(s->word[s->n++], WORD_SIZE, "%s", w);
}

/* Whether a word ends before c: "rtx4090" and "4060ti" are two words each, "a100", "m3" and "64gb"
 * are one. */
static bool turns(const char *w, size_t k, char c)
{
    if (k < 2)
        return false;
    if (isdigit((unsigned char)c))
        return isalpha((unsigned char)w[0]) && isalpha((unsigned char)w[k - 1]);
    return k >= 3 && isdigit((unsigned char)w[0]) && isdigit((unsigned char)w[k - 1])
           && isalpha((unsigned char)c) && c != 'g';
}

/* Words of letters and digits, in lower case; a '+' is often left out. */
static void cut(struct words *s, const char *p, size_t n)
{
    char w[WORD_SIZE];
    size_t k = 0;
    *s = (struct words){0};
    for (size_t i = 0; i <= n; i++) {
        char c = i < n ? (char)tolower((unsigned char)p[i]) : ' ';
        bool inside = isalnum((unsigned char)c);
        if (k && (!inside || turns(w, k, c))) {
            w[k] = '\0';
            add_word(s, w);
            k = 0;
        }
        if (inside && k + 1 < WORD_SIZE)
            w[k++] = c;
    }
}

/* The names of a row: before a parenthesis or slash, inside or behind, and the whole. */
static size_t names_of(const ullage_known_device *row, struct words names[NAMES_MOST])
{
    size_t n = 0;
    struct words whole;
    for (const char *p = row->name; *p && n < NAMES_MOST;) {
        size_t k = strcspn(p, "/()");
        cut(&names[n], p, k);
        n += names[n].n > 0;
        p += k;
        p += strspn(p, "/() ");
    }
    cut(&whole, row->name, strlen(row->name));
    if (n < NAMES_MOST)
        names[n++] = whole;
    for (size_t i = 0; i < n; i++)
        names[i].memory_gib = whole.memory_gib;
    return n;
}

static bool has(const struct words *s, const char *w)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->word[i], w) == 0)
            return true;
    return false;
}

/* How many words of `row` the name leaves out, or -1 when one of the name's is not among them. */
static int missing(const struct words *name, const struct words *row)
{
    for (size_t i = 0; i < name->n; i++)
        if (!has(row, name->word[i]))
            return -1;
    return (int)(row->n - (name->n < row->n ? name->n : row->n));
}

static bool begins(const struct words *s, const char *w)
{
    for (size_t i = 0; i < s->n; i++)
        if (strncmp(s->word[i], w, strlen(w)) == 0)
            return true;
    return false;
}

/* Makers' names are set aside when names are compared, but a pattern may ask for one. */
static bool other_maker(const char *vendor, const char *pattern)
{
    static const char *const makers[] = {"nvidia", "amd", "apple", "intel"};
    bool asked = false;
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        size_t n = strlen(makers[i]), k = 0;
        while (k < n && tolower((unsigned char)pattern[k]) == makers[i][k])
            k++;
        if (k < n)
            continue;
        asked = true;
        if (tolower((unsigned char)vendor[1]) == makers[i][1])
            return false;
    }
    return asked;
}

int ullage_known_device_matches(const ullage_known_device *device, const char *pattern)
{
    struct words want, name, family;
    cut(&want, pattern, strlen(pattern));
    cut(&name, device->name, strlen(device->name));
    cut(&family, device->family, strlen(device->family));
    for (size_t i = 0; i < want.n; i++)
        if (!begins(&name, want.word[i]) && !has(&family, want.word[i]))
            return 0;
    if (other_maker(device->vendor, pattern))
        return 0;
    return want.memory_gib <= 0 || device->memory_gib == want.memory_gib;
}

/* ------------------------------------------------------------------ one device of a name */

struct search {
    struct words want;
    int best;                /* words left out, at least; -1: nothing fits */
    const ullage_known_device *row; /* one of them */
    size_t n;                /* rows that leave out as few */
};

/* A size that was asked for: the row's own; of a chip that is sold with several, any up to the
 * largest. */
static bool size_fits(const ullage_known_device *row, const struct words *want)
{
    struct words name;
    if (want->memory_gib <= 0)
        return true;
    cut(&name, row->name, strlen(row->name));
    if (row->unified && name.memory_gib <= 0 && row->memory_gib >= want->memory_gib)
        return true;
    return row->memory_gib == want->memory_gib;
}

/* Words left out by the row's nearest name, four times; a size that the row has, but not its name,
 * counts one, and any other difference in size two. */
static int fit_of(const ullage_known_device *row, const struct words *want)
{
    struct words names[NAMES_MOST];
    int best = -1;
    if (!size_fits(row, want))
        return -1;
    size_t n = names_of(row, names);
    for (size_t i = 0; i < n; i++) {
        int left = missing(want, &names[i]);
        if (left < 0)
            continue;
        left = 4 * left + (names[i].memory_gib == want->memory_gib ? 0
                           : row->memory_gib == want->memory_gib   ? 1 : 2);
        if (best < 0 || left < best)
            best = left;
    }
    return best;
}

/* Names that a driver prints, or that are on the box, and that the row's own words are not in. */
static const struct {
    const char *said, *row;
} aliases[] = {
    {"H100 80GB HBM3", "H100 SXM5 80GB"},
    {"H100 SXM", "H100 SXM5 80GB"},
    {"Framework Desktop 128GB", "Ryzen AI Max+ 395 / Radeon 8060S 128GB (Strix Halo)"},
};

static bool same_words(const char *a, const char *b)
{
    struct words x, y;
    cut(&x, a, strlen(a));
    cut(&y, b, strlen(b));
    return x.n == y.n && missing(&x, &y) == 0 && x.memory_gib == y.memory_gib;
}

static const char *without_alias(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (same_words(name, aliases[i].said))
            return aliases[i].row;
    return name;
}

static bool same_text(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return *a == *b;
}

/* A row's whole name is that row, even when it is a part of another's. */
static void search(struct search *s, const char *name)
{
    name = without_alias(name);
    cut(&s->want, name, strlen(name));
    s->best = -1;
    s->n = 0;
    for (size_t i = 0; i < ul_n_known_devices && s->want.n; i++) {
        if (same_text(ul_known_devices[i].name, name)) {
            s->row = &ul_known_devices[i];
            s->n = 1;
            return;
        }
        int fit = fit_of(&ul_known_devices[i], &s->want);
        if (fit < 0 || (s->best >= 0 && fit > s->best))
            continue;
        if (fit < s->best || s->best < 0)
            s->n = 0;
        s->best = fit;
        s->row = &ul_known_devices[i];
        s->n++;
    }
}

static void add_name(char *out, size_t size, const char *name, bool first)
{
    size_t n = strlen(out);
    snprintf(out + n, size - n, "%s%s", first ? "" : ", ", name);
}

/* Makers' first words are set aside where a name is compared by its spelling. */
static const char *short_name(const ullage_known_device *d)
{
    static const char *const makers[] = {"GeForce ", "Radeon ", "Apple ", "Instinct "};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (strncmp(d->name, makers[i], strlen(makers[i])) == 0)
            return d->name + strlen(makers[i]);
    return d->name;
}

/* The device of that name, if one has it, with another memory than was asked for. */
static const ullage_known_device *of_other_size(const char *name, double *asked)
{
    struct search s = {0};
    const ullage_known_device *only = NULL;
    cut(&s.want, name, strlen(name));
    *asked = s.want.memory_gib;
    s.want.memory_gib = 0;
    for (size_t i = 0; i < ul_n_known_devices && *asked > 0 && s.want.n; i++) {
        int fit = fit_of(&ul_known_devices[i], &s.want);
        if (fit < 0 || fit > 2) /* words differ */
            continue;
        if (only)
            return NULL;
        only = &ul_known_devices[i];
    }
    return only;
}

/* Up to three names that a slip or two of the pen make of it. */
static void nearest(char *out, size_t size, const char *name)
{
    size_t most = strlen(name) / 3 + 1;
    for (size_t slips = 0, n = 0; slips <= most; slips++)
        for (size_t i = 0; i < ul_n_known_devices && n < 3; i++)
            if (ul_slips(name, short_name(&ul_known_devices[i])) == slips)
                add_name(out, size, short_name(&ul_known_devices[i]), n++ == 0);
}

static int not_found(const char *name, ullage_error *err)
{
    char shown[300] = "";
    double asked;
    const ullage_known_device *other = of_other_size(name, &asked);
    if (other)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "%s has %g GiB, not %g: say '%s,total=%gGiB' for one that was changed",
                       other->name, other->memory_gib, asked, short_name(other), asked);
    nearest(shown, sizeof shown, name);
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "'%.60s' is neither a size (24GiB) nor a known device: %s%s%s'ullage devices' "
                   "lists them, and 'total=24GiB,bandwidth=1008GB/s' describes any other", name,
                   shown[0] ? "did you mean " : "", shown, shown[0] ? "? " : "");
}

static int ambiguous(const struct search *s, const char *name, ullage_error *err)
{
    char shown[400] = "";
    size_t n = 0;
    for (size_t i = 0; i < ul_n_known_devices; i++)
        if (fit_of(&ul_known_devices[i], &s->want) >= 0 && n++ < SHOWN_MOST)
            add_name(shown, sizeof shown, ul_known_devices[i].name, n == 1);
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "'%.60s' may be %s%s: say which",
                   name, shown, n > SHOWN_MOST ? " and others" : "");
}

int ul_device_find(struct ul_found_device *found, const char *name, ullage_error *err)
{
    struct search s;
    search(&s, name);
    if (s.n == 0)
        return not_found(name, err);
    if (s.n > 1)
        return ambiguous(&s, name, err);
    found->row = s.row;
    found->memory_gib = s.want.memory_gib > 0 ? s.want.memory_gib : s.row->memory_gib;
    return ULLAGE_OK;
}

double ullage_known_bandwidth(const char *name)
{
    struct ul_found_device found;
    return ul_device_find(&found, name, NULL) == ULLAGE_OK ? found.row->bandwidth_gbs * 1e9 : 0;
}

/* A driver's name has all the words of the row's: "NVIDIA GeForce RTX 4090" is no "RTX 4090 D". Of
 * rows that differ in memory only, the one whose memory the total nearly fills. */
const ullage_known_device *ul_device_named(const char *name, double total_mib)
{
    const ullage_known_device *only = NULL;
    struct words want;
    size_t n = 0;
    name = without_alias(name);
    cut(&want, name, strlen(name));
    for (size_t i = 0; i < ul_n_known_devices && want.n; i++) {
        const ullage_known_device *row = &ul_known_devices[i];
        int fit = fit_of(row, &want);
        double share = row->memory_gib > 0 ? total_mib / 1024 / row->memory_gib : 0;
        if (fit < 0 || fit > 2 || (!row->unified && total_mib > 0 && (share < 0.9 || share > 1.01)))
            continue;
        only = row;
        n++;
    }
    return n == 1 ? only : NULL;
}

/* ------------------------------------------------------------------ its total */

#define MIB 1048576.0

/* The share of memory that Metal gives (recommendedMaxWorkingSetSize): a law fitted to logs. */
static double metal_share(double gib, bool newer)
{
    if (!newer)
        return gib < 36 ? 2.0 / 3 : 0.75;
    return gib < 32 ? 0.74 : gib < 64 ? 0.78 : gib < 96 ? 0.81 : 0.84;
}

static uint64_t metal_total(const struct ul_found_device *f, enum ul_driver driver, char *how,
                            size_t size)
{
    double gib = f->memory_gib;
    if (gib <= 0)
        return 0;
    if (f->row->total_mib > 0 && gib == f->row->memory_gib && driver != UL_DRIVER_MACOS15
        && driver != UL_DRIVER_MACOS26) {
        snprintf(how, size, "%.0f MiB as Metal printed it on such a machine", f->row->total_mib);
        return (uint64_t)(f->row->total_mib * MIB);
    }
    double share = metal_share(gib, driver != UL_DRIVER_MACOS15);
    snprintf(how, size,
             "%.0f MiB: %.0f %% of %.0f GiB, as %s gives Metal (from logs of 15 machines; "
             "driver=%s says otherwise)",
             share * gib * 1024, 100 * share, gib,
             driver == UL_DRIVER_MACOS15 ? "macOS 13 to 15" : "macOS 26",
             driver == UL_DRIVER_MACOS15 ? "macos26" : "macos15");
    return (uint64_t)(share * gib * 1024 * MIB);
}

static uint64_t seen_total(const ullage_known_device *d, enum ul_driver driver, char *how,
                           size_t size)
{
    double linux_mib = d->total_linux_mib, windows = d->total_windows_mib, any = d->total_mib;
    if (driver == UL_DRIVER_LINUX && linux_mib > 0) {
        snprintf(how, size,
                 "%.0f MiB, the least that CUDA was seen to report on Linux (driver=windows "
                 "or total= say otherwise)",
                 linux_mib);
        return (uint64_t)(linux_mib * MIB);
    }
    if (driver == UL_DRIVER_WINDOWS && windows > 0) {
        snprintf(how, size, "%.0f MiB as CUDA reports it on Windows", windows);
        return (uint64_t)(windows * MIB);
    }
    if (any <= 0)
        return 0;
    bool less = driver == UL_DRIVER_LINUX && strcmp(d->vendor, "NVIDIA") == 0;
    snprintf(how, size, "%.0f MiB as %s printed it%s", any, d->reported_by,
             less ? "; CUDA on Linux reports 1.5 to 5 % less" : "");
    return (uint64_t)(any * MIB);
}

uint64_t ul_device_total(const struct ul_found_device *found, enum ul_driver driver, char *how,
                         size_t size)
{
    const ullage_known_device *d = found->row;
    if (strcmp(d->vendor, "Apple") == 0)
        return metal_total(found, driver, how, size);
    uint64_t total = found->memory_gib == d->memory_gib ? seen_total(d, driver, how, size) : 0;
    if (total || found->memory_gib <= 0)
        return total;
    double share = d->share > 0 ? d->share : 1;
    snprintf(how, size, "%.0f MiB, %s: no driver's total was seen, and it may be some percent less "
             "(total= says it)", share * found->memory_gib * 1024,
             d->share > 0 && d->share < 1 ? "the usual share of its memory" : "as sold");
    return (uint64_t)(share * found->memory_gib * 1024 * MIB);
}
