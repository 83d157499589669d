/* vLLM's KV cache types: what a token takes of each.
 *
 * A type has a value's bits, and what each head adds for scales. Per-tensor scales are a few
 * numbers a layer outside the cache and count nothing.
 * Source: v1/kv_cache_interface.py: get_kv_quant_mode, and the back-ends' customize_spec. */
#include "engine/vllm_model.h"

struct dtype {
    const char *name;
    uint32_t bits;      /* of a value; 0: as the model */
    uint32_t head_more; /* bytes a head and side: a scale of 32 bits */
    uint32_t group;     /* values that share an 8-bit scale; 0: none */
};

static const struct dtype dtypes[] = {
    {.name = "auto"},
    {.name = "bfloat16", .bits = 16},
    {.name = "float16", .bits = 16},
    {.name = "half", .bits = 16},
    {.name = "fp8", .bits = 8},
    {.name = "fp8_e4m3", .bits = 8},
    {.name = "fp8_e5m2", .bits = 8},
    {.name = "fp8_inc", .bits = 8},
    {.name = "fp8_per_token_head", .bits = 8, .head_more = 4},
    {.name = "int8_per_token_head", .bits = 8, .head_more = 4},
    {.name = "int4_per_token_head", .bits = 4, .head_more = 4},
    {.name = "nvfp4", .bits = 4, .group = 16},
    {.name = "nvfp4_4over6", .bits = 4, .group = 16},
};

static const struct dtype *find(const char *name)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        if (strcmp(dtypes[i].name, name) == 0)
            return &dtypes[i];
    return NULL;
}

bool ul_vdtype_known(const char *dtype) { return find(dtype) != NULL; }

static uint64_t side(const struct dtype *t, uint64_t head, uint32_t element)
{
    uint64_t bits = t->bits ? t->bits : 8 * (uint64_t)element;
    return ul_mul(head, bits) / 8 + (t->group ? head / t->group : 0) + t->head_more;
}

uint64_t ul_vdtype_token(const char *dtype, uint64_t kv_heads, uint64_t head_k, uint64_t head_v,
                         uint32_t element)
{
    const struct dtype *t = find(dtype);
    if (!t || (head_v == 0 && t->group))
        return 0;
    uint64_t v = head_v ? side(t, head_v, element) : 0;
    return ul_mul(kv_heads, ul_add(side(t, head_k, element), v));
}
