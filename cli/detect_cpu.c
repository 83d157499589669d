/* Which of its CPU back-ends ggml would load here. Each build of it scores itself: 0 when the
 * processor lacks something that it was built for, else the sum of what it uses; the highest wins
 * (ggml/src/ggml-backend-reg.cpp: ggml_backend_load_best). The builds and what each uses:
 * ggml/src/CMakeLists.txt, ggml_add_cpu_backend_variant. */
#include "cli.h"

#include <stddef.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* The bits are the scores. ggml/src/ggml-cpu/arch/x86/cpu-feats.cpp: ggml_backend_cpu_x86_score */
enum {
    FMA = 1, F16C = 1 << 1, SSE42 = 1 << 2, BMI2 = 1 << 3, AVX = 1 << 4, AVX2 = 1 << 5,
    AVX_VNNI = 1 << 6, AVX512 = 1 << 7, VBMI = 1 << 8, BF16 = 1 << 9, VNNI = 1 << 10,
    AMX_INT8 = 1 << 11,
    HASWELL = SSE42 | AVX | F16C | FMA | AVX2 | BMI2
};

struct variant {
    const char *name;
    unsigned needs;
};

static const struct variant variants[] = {
    {"x64", 0},
    {"sse42", SSE42},
    {"sandybridge", SSE42 | AVX},
    {"ivybridge", SSE42 | AVX | F16C},
    {"piledriver", SSE42 | AVX | F16C | FMA},
    {"haswell", HASWELL},
    {"skylakex", HASWELL | AVX512},
    {"cannonlake", HASWELL | AVX512 | VBMI},
    {"cascadelake", HASWELL | AVX512 | VNNI},
    {"icelake", HASWELL | AVX512 | VBMI | VNNI},
    {"cooperlake", HASWELL | AVX512 | VNNI | BF16},
    {"zen4", HASWELL | AVX512 | VBMI | VNNI | BF16},
    {"alderlake", HASWELL | AVX_VNNI},
    {"sapphirerapids", HASWELL | AVX512 | VBMI | VNNI | BF16 | AMX_INT8},
};

/* The feature when bit n of what cpuid said is set. As ggml, this asks the processor only, not
 * whether the system saves the wide registers. */
static unsigned bit(unsigned reg, int n, unsigned feature)
{
    return reg >> n & 1 ? feature : 0;
}

static unsigned features(void)
{
    unsigned a, b, c, d, have = 0;
    /* F, DQ, CD, BW and VL: the builds with AVX-512 use all five */
    const unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;
    if (__get_cpuid(1, &a, &b, &c, &d))
        have |= bit(c, 12, FMA) | bit(c, 20, SSE42) | bit(c, 28, AVX) | bit(c, 29, F16C);
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return have;
    have |= bit(b, 5, AVX2) | bit(b, 8, BMI2) | bit(c, 1, VBMI) | bit(c, 11, VNNI)
            | bit(d, 25, AMX_INT8);
    have |= (b & avx512) == avx512 ? AVX512 : 0;
    if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d))
        have |= bit(a, 4, AVX_VNNI) | bit(a, 5, BF16);
    return have;
}

#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

/* ggml/src/ggml-cpu/arch/arm/cpu-feats.cpp: ggml_backend_cpu_aarch64_score */
enum {
    DOTPROD = 1 << 1, FP16 = 1 << 2, SVE = 1 << 3, I8MM = 1 << 4, SVE2 = 1 << 5, SME = 1 << 6
};

struct variant {
    const char *name;
    unsigned needs;
};

static const struct variant variants[] = {
    {"armv8.0_1", 0},
    {"armv8.2_1", DOTPROD},
    {"armv8.2_2", DOTPROD | FP16},
    {"armv8.2_3", DOTPROD | FP16 | SVE},
    {"armv8.6_1", DOTPROD | FP16 | SVE | I8MM},
    {"armv8.6_2", DOTPROD | FP16 | SVE | I8MM | SVE2},
    {"armv9.2_1", DOTPROD | FP16 | SVE | I8MM | SME},
    {"armv9.2_2", DOTPROD | FP16 | SVE | I8MM | SVE2 | SME},
};

/* arch/arm64/include/uapi/asm/hwcap.h of Linux */
static unsigned features(void)
{
    unsigned long one = getauxval(AT_HWCAP), two = getauxval(AT_HWCAP2);
    unsigned have = 0;
    have |= one >> 20 & 1 ? DOTPROD : 0;
    have |= (one >> 9 & 1) && (one >> 10 & 1) ? FP16 : 0;
    have |= one >> 22 & 1 ? SVE : 0;
    have |= two >> 13 & 1 ? I8MM : 0;
    have |= two >> 1 & 1 ? SVE2 : 0;
    have |= two >> 23 & 1 ? SME : 0;
    return have;
}

#else
#define NO_FEATURES
#endif

#ifdef NO_FEATURES
const char *cli_detect_cpu(void)
{
    return NULL;
}
#else
/* The scores are sums of distinct bits, so the build that needs most is the one that wins, and no
 * two that run here score the same. */
const char *cli_detect_cpu(void)
{
    unsigned have = features(), best = 0;
    const char *name = NULL;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        const struct variant *v = &variants[i];
        if ((v->needs & have) == v->needs && (!name || v->needs > best)) {
            best = v->needs;
            name = v->name;
        }
    }
    return name;
}
#endif
