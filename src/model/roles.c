/* Tensor names taken apart: "blk.7.attn_q.bias" is the role ATTN_Q, the suffix BIAS, the layer 7.
 *
 * A stem in the table has at most one "%d". So a name is cut into what stands before its layer
 * number ("blk.", "enc.blk.", "posnet." ...), the number, the stem proper and the suffix, and the
 * pair (before, stem) is hashed. The index is built from the table at each load: some 270 short
 * strings, against a few hundred to a few thousand tensor names that are then looked up once each.
 * */
#include "model/roles.h"

#define INDEX_SLOTS 1024 /* a power of two, far above the number of roles */
#define MAX_LAYER_NUMBER 3200 /* no number read is above ten times this: it fits 16 bits */

static const struct ul_role_info infos[UL_ROLE_COUNT] = {
    [UL_ROLE_UNKNOWN] = {"", UL_CLASS_REPEATING, UL_USE_NONE},
#define ROLE(id, stem, class, op) [UL_ROLE_##id] = {stem, UL_CLASS_##class, UL_USE_##op},
#include "model/roles.def"
#undef ROLE
};

struct ul_role_index {
    uint16_t slot[INDEX_SLOTS]; /* a role, or 0 */
    uint16_t tag[INDEX_SLOTS];  /* the upper half of its hash: most others differ in it */
};

static const struct {
    struct ul_str text;
    enum ul_suffix suffix;
} suffixes[] = {
    {{".weight", 7}, UL_WEIGHT},   {{".bias", 5}, UL_BIAS},
    {{".scale", 6}, UL_SCALE},     {{".input_scale", 12}, UL_INPUT_SCALE},
    {{".lora_a", 7}, UL_LORA_A},   {{".lora_b", 7}, UL_LORA_B},
    {{".scales", 7}, UL_SCALES},
};

/* A name or a table's stem, cut at its layer number. */
struct parts {
    struct ul_str before, stem;
    int layer;
};

static uint32_t hash_text(uint32_t h, struct ul_str s)
{
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 16777619u; /* FNV-1a */
    return h;
}

static uint32_t hash_parts(const struct parts *p)
{
    return hash_text(hash_text(2166136261u, p->before) * 31u, p->stem);
}

/* The bytes that a layer number at `i` takes, or 0: digits up to a dot, as the engine prints them;
 * in a stem of the table the two of "%d". */
static size_t layer_number(struct ul_str s, size_t i, bool stem, int *layer)
{
    size_t from = i;
    int v = 0;
    if (stem)
        return i + 2 < s.n && s.p[i] == '%' ? 2 : 0;
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && v < MAX_LAYER_NUMBER)
        v = v * 10 + (s.p[i++] - '0');
    bool padded = i > from + 1 && s.p[from] == '0';
    if (i == from || padded || i >= s.n || s.p[i] != '.')
        return 0;
    *layer = v;
    return i - from;
}

static struct parts cut(struct ul_str s, bool stem)
{
    struct parts p = {{s.p, 0}, s, -1};
    for (size_t i = 0; i < s.n; i++) {
        size_t n = s.p[i] == '.' ? layer_number(s, i + 1, stem, &p.layer) : 0;
        if (n == 0)
            continue;
        p.before.n = i;
        p.stem = (struct ul_str){s.p + i + n + 2, s.n - i - n - 2};
        break;
    }
    return p;
}

const struct ul_role_info *ul_role_info(enum ul_role role)
{
    return &infos[role < UL_ROLE_COUNT ? role : UL_ROLE_UNKNOWN];
}

bool ul_role_layered(enum ul_role role)
{
    const char *stem = ul_role_info(role)->stem;
    return strncmp(stem, "blk.", 4) == 0 || strchr(stem, '%') != NULL;
}

static bool same(const struct parts *a, const struct parts *b)
{
    return ul_str_eq(a->stem, b->stem) && ul_str_eq(a->before, b->before);
}

/* The role in the table of a name's parts, or UNKNOWN; *at is its slot or the free one. */
static enum ul_role find(const struct ul_role_index *x, const struct parts *p, uint32_t hash,
                         uint32_t *at)
{
    for (*at = hash % INDEX_SLOTS; x->slot[*at] != 0; *at = (*at + 1) % INDEX_SLOTS) {
        if (x->tag[*at] != hash >> 16)
            continue;
        struct parts q = cut(ul_cstr(infos[x->slot[*at]].stem), true);
        if (same(p, &q))
            return (enum ul_role)x->slot[*at];
    }
    return UL_ROLE_UNKNOWN;
}

const struct ul_role_index *ul_role_index_new(struct ul_arena *a)
{
    struct ul_role_index *x = UL_NEW(a, struct ul_role_index);
    for (int r = 1; r < UL_ROLE_COUNT; r++) {
        struct parts p = cut(ul_cstr(infos[r].stem), true);
        uint32_t hash = hash_parts(&p), at;
        if (find(x, &p, hash, &at) != UL_ROLE_UNKNOWN)
            continue; /* of two roles with one stem the first counts */
        x->slot[at] = (uint16_t)r;
        x->tag[at] = (uint16_t)(hash >> 16);
    }
    return x;
}

static enum ul_suffix cut_suffix(struct ul_str *name)
{
    size_t dot = name->n;
    while (dot > 0 && name->p[dot - 1] != '.')
        dot--;
    if (dot == 0)
        return UL_NO_SUFFIX;
    struct ul_str tail = {name->p + dot - 1, name->n - dot + 1};
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
        if (ul_str_eq(tail, suffixes[i].text)) {
            name->n = dot - 1;
            return suffixes[i].suffix;
        }
    return UL_NO_SUFFIX;
}

enum ul_role ul_role_of(const struct ul_role_index *index, struct ul_str name,
                        enum ul_suffix *suffix, int *layer)
{
    uint32_t at;
    *suffix = cut_suffix(&name);
    struct parts p = cut(name, false);
    *layer = p.layer;
    return find(index, &p, hash_parts(&p), &at);
}
