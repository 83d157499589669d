/* The kind of quantisation that a file is called by: what its key general.file_type says, or what
 * most of its tensors have. It is a name only, never used to size anything: files lie about it.
 * Source: src/llama-model-loader.cpp, llama_ftype_name and the constructor; include/llama.h,
 * enum llama_ftype. */
#include "model/ftype.h"

#define GUESSED 1024 /* LLAMA_FTYPE_GUESSED */
#define PREFIX "(guessed) "

/* By the number in the file; names carry the prefix, which is cut off when the file says it. */
static const char *const names[] = {
    [0] = PREFIX "all F32",
    [1] = PREFIX "F16",
    [2] = PREFIX "Q4_0",
    [3] = PREFIX "Q4_1",
    [7] = PREFIX "Q8_0",
    [8] = PREFIX "Q5_0",
    [9] = PREFIX "Q5_1",
    [10] = PREFIX "Q2_K - Medium",
    [11] = PREFIX "Q3_K - Small",
    [12] = PREFIX "Q3_K - Medium",
    [13] = PREFIX "Q3_K - Large",
    [14] = PREFIX "Q4_K - Small",
    [15] = PREFIX "Q4_K - Medium",
    [16] = PREFIX "Q5_K - Small",
    [17] = PREFIX "Q5_K - Medium",
    [18] = PREFIX "Q6_K",
    [19] = PREFIX "IQ2_XXS - 2.0625 bpw",
    [20] = PREFIX "IQ2_XS - 2.3125 bpw",
    [21] = PREFIX "Q2_K - Small",
    [22] = PREFIX "IQ3_XS - 3.3 bpw",
    [23] = PREFIX "IQ3_XXS - 3.0625 bpw",
    [24] = PREFIX "IQ1_S - 1.5625 bpw",
    [25] = PREFIX "IQ4_NL - 4.5 bpw",
    [26] = PREFIX "IQ3_S - 3.4375 bpw",
    [27] = PREFIX "IQ3_S mix - 3.66 bpw",
    [28] = PREFIX "IQ2_S - 2.5 bpw",
    [29] = PREFIX "IQ2_M - 2.7 bpw",
    [30] = PREFIX "IQ4_XS - 4.25 bpw",
    [31] = PREFIX "IQ1_M - 1.75 bpw",
    [32] = PREFIX "BF16",
    [36] = PREFIX "TQ1_0 - 1.69 bpw ternary",
    [37] = PREFIX "TQ2_0 - 2.06 bpw ternary",
    [38] = PREFIX "MXFP4 MoE",
    [39] = PREFIX "NVFP4",
    [40] = PREFIX "Q1_0",
    [41] = PREFIX "Q2_0",
};

/* What a file is called when most of its tensors have a type; types that are not here count as F32,
 * as in the engine. */
static const uint8_t by_type[UL_TYPE_COUNT] = {
    [UL_F16] = 1,      [UL_BF16] = 32,   [UL_Q4_0] = 2,    [UL_Q4_1] = 3,     [UL_Q5_0] = 8,
    [UL_Q5_1] = 9,     [UL_Q8_0] = 7,    [UL_Q2_K] = 10,   [UL_Q3_K] = 12,    [UL_Q4_K] = 15,
    [UL_Q5_K] = 17,    [UL_Q6_K] = 18,   [UL_TQ1_0] = 36,  [UL_TQ2_0] = 37,   [UL_IQ2_XXS] = 19,
    [UL_IQ2_XS] = 20,  [UL_IQ2_S] = 28,  [UL_IQ3_XXS] = 23, [UL_IQ1_S] = 24,  [UL_IQ1_M] = 31,
    [UL_IQ4_NL] = 25,  [UL_IQ4_XS] = 30, [UL_IQ3_S] = 26,  [UL_NVFP4] = 39,   [UL_Q1_0] = 40,
    [UL_Q1_0 + 1] = 41, /* Q2_0 */
};

static const char *name_of(uint32_t ftype)
{
    uint32_t n = ftype & ~(uint32_t)GUESSED;
    const char *s = n < sizeof(names) / sizeof(names[0]) ? names[n] : NULL;
    if (s == NULL)
        s = PREFIX "unknown, may not work";
    return ftype & GUESSED ? s : s + sizeof(PREFIX) - 1;
}

/* The order of the engine's tensor map: by layer, then by name. */
static bool before(const struct ul_weight *a, const struct ul_weight *b)
{
    int la = ul_str_starts(a->t->name, "blk.") ? a->layer : -1;
    int lb = ul_str_starts(b->t->name, "blk.") ? b->layer : -1;
    if (la != lb)
        return la < lb;
    size_t n = a->t->name.n < b->t->name.n ? a->t->name.n : b->t->name.n;
    int c = memcmp(a->t->name.p, b->t->name.p, n);
    return c != 0 ? c < 0 : a->t->name.n < b->t->name.n;
}

/* The type with the most tensors; of several, the one that comes to its count first in that order,
 * so the one whose last tensor is earliest. */
static uint32_t guess(const struct ul_model *m)
{
    size_t count[UL_TYPE_COUNT] = {0};
    const struct ul_weight *last[UL_TYPE_COUNT] = {NULL};
    uint32_t best = UL_F32;
    for (size_t i = 0; i < m->n_weights; i++) {
        uint32_t t = (uint32_t)m->weights[i].t->type;
        count[t]++;
        if (last[t] == NULL || before(last[t], &m->weights[i]))
            last[t] = &m->weights[i];
    }
    for (uint32_t t = 0; t < UL_TYPE_COUNT; t++)
        if (count[t] > count[best] ||
            (count[t] == count[best] && count[t] > 0 && before(last[t], last[best])))
            best = t;
    return by_type[best];
}

const char *ul_file_type(const struct ul_model *m, struct ul_keys *k)
{
    uint32_t ftype = 0;
    if (ul_key_u32(k, "general.file_type", &ftype))
        return name_of(ftype);
    return name_of(guess(m) | GUESSED);
}
