/* Quantisation methods by name, and the bytes of a matrix in each.
 *
 * The figures are of what stays resident after loading: GPTQ's group indices go when the
 * activations' order is not kept, its zero points when the values are symmetric, since the kernel
 * that vLLM repacks for needs neither.
 * Source: model_executor/layers/quantization/, one file a method. */
#include "engine/vllm_format.h"

struct method {
    const char *name;
    enum ul_vscheme scheme;
    uint32_t bits;
};

/* Names of quant_method and of -q. The last rows are quantised while loading. */
static const struct method methods[] = {
    {.name = "gptq", .scheme = UL_VQ_PACKED, .bits = 4},
    {.name = "auto_gptq", .scheme = UL_VQ_PACKED, .bits = 4},
    {.name = "gptq_marlin", .scheme = UL_VQ_PACKED, .bits = 4},
    {.name = "awq", .scheme = UL_VQ_PACKED, .bits = 4},
    {.name = "auto_awq", .scheme = UL_VQ_PACKED, .bits = 4},
    {.name = "awq_marlin", .scheme = UL_VQ_PACKED, .bits = 4},
    {.name = "mxfp4", .scheme = UL_VQ_MXFP4},
    {.name = "gpt_oss_mxfp4", .scheme = UL_VQ_MXFP4},
    {.name = "modelopt", .scheme = UL_VQ_FP8_ROW},
    {.name = "modelopt_fp4", .scheme = UL_VQ_NVFP4},
    {.name = "modelopt_mxfp8", .scheme = UL_VQ_MXFP8},
    {.name = "fbgemm_fp8", .scheme = UL_VQ_FP8_ROW},
    {.name = "fp8_per_tensor", .scheme = UL_VQ_FP8_ROW},
    {.name = "fp8_per_channel", .scheme = UL_VQ_FP8_ROW},
    {.name = "fp8_per_block", .scheme = UL_VQ_FP8_BLOCK},
    {.name = "int8_per_channel_weight_only", .scheme = UL_VQ_INT8},
    {.name = "mxfp8", .scheme = UL_VQ_MXFP8},
};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return b ? a / b + (a % b != 0) : 1;
}

static uint32_t small(const struct ul_jvalue *v, const char *key, uint32_t otherwise)
{
    int64_t n = ul_jint(v, key, otherwise);
    return n > 0 && n <= 65536 ? (uint32_t)n : 0;
}

/* GPTQ and AWQ: bits, group_size (-1: one), sym or zero_point. */
static struct ul_vformat packed(const struct ul_jvalue *c, bool awq)
{
    return (struct ul_vformat){
        .scheme = UL_VQ_PACKED, .bits = small(c, "bits", small(c, "w_bit", 4)),
        .group = small(c, "group_size", small(c, "q_group_size", 128)),
        .zeros = awq ? ul_jbool(c, "zero_point", true) : !ul_jbool(c, "sym", true)};
}

/* compressed-tensors: the first group's weights say it all, when there is one group. */
static struct ul_vformat compressed(const struct ul_jvalue *c)
{
    const struct ul_jvalue *groups = ul_jget(c, "config_groups");
    const struct ul_jvalue *w = groups ? ul_jget(groups->first, "weights") : NULL;
    struct ul_str type = ul_jstr(w, "type", ""), how = ul_jstr(w, "strategy", "");
    struct ul_vformat f = {.scheme = UL_VQ_UNKNOWN, .bits = small(w, "num_bits", 0),
                           .group = small(w, "group_size", 0),
                           .zeros = !ul_jbool(w, "symmetric", true)};
    if (!groups || groups->n != 1)
        return f;
    if (ul_str_is(type, "float") && f.bits == 8)
        f.scheme = ul_str_is(how, "block") ? UL_VQ_FP8_BLOCK : UL_VQ_FP8_ROW;
    else if (ul_str_is(type, "float") && f.bits == 4)
        f.scheme = f.group == 32 ? UL_VQ_MXFP4 : UL_VQ_NVFP4;
    else if (ul_str_is(type, "int") && f.bits == 8 && ul_str_is(how, "channel"))
        f.scheme = UL_VQ_INT8;
    else if (ul_str_is(type, "int") && (f.bits == 4 || f.bits == 8))
        f.scheme = UL_VQ_PACKED;
    return f;
}

static struct ul_vformat by_name(const struct ul_vmodel *m, const char *name)
{
    const struct ul_jvalue *c = m->quant_config;
    bool awq = strstr(name, "awq") != NULL;
    if (strcmp(name, "fp8") == 0)
        return (struct ul_vformat){.scheme = ul_jget(c, "weight_block_size") ? UL_VQ_FP8_BLOCK
                                                                             : UL_VQ_FP8_ROW};
    if (strcmp(name, "compressed-tensors") == 0)
        return compressed(c);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(methods[i].name, name) == 0)
            return methods[i].scheme == UL_VQ_PACKED
                       ? packed(c, awq) : (struct ul_vformat){.scheme = methods[i].scheme};
    return (struct ul_vformat){.scheme = UL_VQ_UNKNOWN};
}

struct ul_vformat ul_vformat_of(const struct ul_vmodel *m, const char *method)
{
    const char *name = m->quant ? m->quant : method;
    struct ul_vformat f = {.scheme = UL_VQ_PLAIN};
    if (name)
        f = by_name(m, name);
    f.element = m->element;
    return f;
}

/* Words of 32 bits, 16-bit scales, and zero points packed as the values are. */
static uint64_t packed_bytes(const struct ul_vformat *f, uint64_t in, uint64_t out)
{
    uint64_t groups = f->group ? divide_up(in, f->group) : 1, each = 32 / f->bits;
    uint64_t values = ul_mul(ul_mul(divide_up(in, each), out), 4);
    uint64_t scales = ul_mul(ul_mul(groups, out), f->element);
    return ul_add(ul_add(values, scales),
                  f->zeros ? ul_mul(ul_mul(groups, divide_up(out, each)), 4) : 0);
}

uint64_t ul_vformat_linear(const struct ul_vformat *f, uint64_t in, uint64_t out)
{
    uint64_t values = ul_mul(in, out);
    switch (f->scheme) {
    case UL_VQ_PLAIN: return ul_mul(values, f->element);
    case UL_VQ_PACKED: return f->bits ? packed_bytes(f, in, out) : UL_SIZE_OVERFLOW;
    case UL_VQ_FP8_ROW:
    case UL_VQ_INT8: return ul_add(values, ul_mul(4, out));
    case UL_VQ_FP8_BLOCK:
        return ul_add(values, ul_mul(4, ul_mul(divide_up(in, 128), divide_up(out, 128))));
    case UL_VQ_MXFP4: return ul_add(values / 2, values / 32);
    case UL_VQ_MXFP8: return ul_add(values, values / 32);
    case UL_VQ_NVFP4: return ul_add(ul_add(values / 2, values / 16), 8);
    case UL_VQ_UNKNOWN: break;
    }
    return UL_SIZE_OVERFLOW;
}
