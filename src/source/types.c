/* ggml's tensor types as one table.
 *
 * A row says how many values a block of the type holds and how many bytes that block takes, which
 * is all that a size needs. The figures are the ones that ggml_blck_size and ggml_type_size of the
 * pinned engine return (ggml 0.27.0 in llama.cpp 0.7.0); a test keeps a second copy of them,
 * printed by the engine's own library, and compares row by row.
 *
 * A removed type keeps its row, with block 0, so that a message can name it: a reader that indexes
 * the table without looking at `removed` would divide by zero, so none of the functions here does.
 */
#include "source/types.h"

#include "base/size.h"

/* Source: ggml/src/ggml.c: type_traits; ggml/include/ggml.h: enum ggml_type. */
static const struct ul_type_info types[UL_TYPE_COUNT] = {
    [UL_F32] = {.name = "f32", .block = 1, .bytes = 4},
    [UL_F16] = {.name = "f16", .block = 1, .bytes = 2},
    [UL_Q4_0] = {.name = "q4_0", .block = 32, .bytes = 18, .quantized = true},
    [UL_Q4_1] = {.name = "q4_1", .block = 32, .bytes = 20, .quantized = true},
    [4] = {.name = "q4_2", .removed = true},
    [5] = {.name = "q4_3", .removed = true},
    [UL_Q5_0] = {.name = "q5_0", .block = 32, .bytes = 22, .quantized = true},
    [UL_Q5_1] = {.name = "q5_1", .block = 32, .bytes = 24, .quantized = true},
    [UL_Q8_0] = {.name = "q8_0", .block = 32, .bytes = 34, .quantized = true},
    [UL_Q8_1] = {.name = "q8_1", .block = 32, .bytes = 36, .quantized = true},
    [UL_Q2_K] = {.name = "q2_K", .block = 256, .bytes = 84, .quantized = true},
    [UL_Q3_K] = {.name = "q3_K", .block = 256, .bytes = 110, .quantized = true},
    [UL_Q4_K] = {.name = "q4_K", .block = 256, .bytes = 144, .quantized = true},
    [UL_Q5_K] = {.name = "q5_K", .block = 256, .bytes = 176, .quantized = true},
    [UL_Q6_K] = {.name = "q6_K", .block = 256, .bytes = 210, .quantized = true},
    [UL_Q8_K] = {.name = "q8_K", .block = 256, .bytes = 292, .quantized = true},
    [UL_IQ2_XXS] = {.name = "iq2_xxs", .block = 256, .bytes = 66, .quantized = true},
    [UL_IQ2_XS] = {.name = "iq2_xs", .block = 256, .bytes = 74, .quantized = true},
    [UL_IQ3_XXS] = {.name = "iq3_xxs", .block = 256, .bytes = 98, .quantized = true},
    [UL_IQ1_S] = {.name = "iq1_s", .block = 256, .bytes = 50, .quantized = true},
    [UL_IQ4_NL] = {.name = "iq4_nl", .block = 32, .bytes = 18, .quantized = true},
    [UL_IQ3_S] = {.name = "iq3_s", .block = 256, .bytes = 110, .quantized = true},
    [UL_IQ2_S] = {.name = "iq2_s", .block = 256, .bytes = 82, .quantized = true},
    [UL_IQ4_XS] = {.name = "iq4_xs", .block = 256, .bytes = 136, .quantized = true},
    [UL_I8] = {.name = "i8", .block = 1, .bytes = 1},
    [UL_I16] = {.name = "i16", .block = 1, .bytes = 2},
    [UL_I32] = {.name = "i32", .block = 1, .bytes = 4},
    [UL_I64] = {.name = "i64", .block = 1, .bytes = 8},
    [UL_F64] = {.name = "f64", .block = 1, .bytes = 8},
    [UL_IQ1_M] = {.name = "iq1_m", .block = 256, .bytes = 56, .quantized = true},
    [UL_BF16] = {.name = "bf16", .block = 1, .bytes = 2},
    [31] = {.name = "q4_0_4_4", .removed = true},
    [32] = {.name = "q4_0_4_8", .removed = true},
    [33] = {.name = "q4_0_8_8", .removed = true},
    [UL_TQ1_0] = {.name = "tq1_0", .block = 256, .bytes = 54, .quantized = true},
    [UL_TQ2_0] = {.name = "tq2_0", .block = 256, .bytes = 66, .quantized = true},
    [36] = {.name = "iq4_nl_4_4", .removed = true},
    [37] = {.name = "iq4_nl_4_8", .removed = true},
    [38] = {.name = "iq4_nl_8_8", .removed = true},
    [UL_MXFP4] = {.name = "mxfp4", .block = 32, .bytes = 17, .quantized = true},
    [UL_NVFP4] = {.name = "nvfp4", .block = 64, .bytes = 36, .quantized = true},
    [UL_Q1_0] = {.name = "q1_0", .block = 128, .bytes = 18, .quantized = true},
    [UL_Q2_0] = {.name = "q2_0", .block = 64, .bytes = 18, .quantized = true},
};

/* Numbers come from files: any of 32 bits may be asked for. */
const struct ul_type_info *ul_type_info(uint32_t type)
{
    return type < UL_TYPE_COUNT && types[type].name ? &types[type] : NULL;
}

/* Files of forks are common enough on model hosts that their types get names. These numbers are
 * ik_llama.cpp's (its ggml/include/ggml.h: enum ggml_type); no size is known here for any. */
static const char *const foreign[] = {
    [133] = "q6_0 of ik_llama.cpp",    [134] = "iq1_bn of ik_llama.cpp",
    [135] = "iq2_bn of ik_llama.cpp",  [137] = "iq2_k of ik_llama.cpp",
    [138] = "iq3_k of ik_llama.cpp",   [139] = "iq4_k of ik_llama.cpp",
    [140] = "iq5_k of ik_llama.cpp",   [141] = "iq6_k of ik_llama.cpp",
    [144] = "iq4_ks of ik_llama.cpp",  [145] = "iq2_ks of ik_llama.cpp",
    [146] = "iq4_kss of ik_llama.cpp", [152] = "iq5_ks of ik_llama.cpp",
    [153] = "iq2_kt of ik_llama.cpp",  [154] = "iq3_kt of ik_llama.cpp",
    [155] = "iq4_kt of ik_llama.cpp",  [156] = "iq3_ks of ik_llama.cpp",
    [157] = "iq2_kl of ik_llama.cpp",  [158] = "iq1_kt of ik_llama.cpp",
};

const char *ul_type_foreign(uint32_t type)
{
    return type < sizeof foreign / sizeof *foreign ? foreign[type] : NULL;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The engine's names have capitals in some places (q4_K); people type what they like. */
static bool same_name(struct ul_str a, const char *b)
{
    size_t i = 0;
    while (i < a.n && b[i] && lower(a.p[i]) == lower(b[i]))
        i++;
    return i == a.n && !b[i];
}

/* For flags and overrides, where a removed type is as unknown as any other word. */
int ul_type_by_name(struct ul_str name)
{
    for (int t = 0; t < UL_TYPE_COUNT; t++)
        if (types[t].name && !types[t].removed && same_name(name, types[t].name))
            return t;
    return -1;
}

/* Source: ggml/src/ggml.c: ggml_row_size. A type without a size has a row that fits nowhere, so
 * that a caller who did not look is stopped by the first check of a sum, and not by a division. */
uint64_t ul_row_bytes(enum ul_type type, uint64_t n)
{
    const struct ul_type_info *t = ul_type_info((uint32_t)type);
    if (!t || t->block == 0)
        return UL_SIZE_OVERFLOW;
    return ul_mul(n / t->block, t->bytes);
}
