/* The fixed-size states of linear attention and state-space layers, as vLLM shapes them.
 *
 * Two parts a layer: the convolution's last inputs, in the model's type (or --mamba-cache-dtype),
 * and the recurrent state, in a type of its own (--mamba-ssm-cache-dtype, else the
 * configuration's). Both are divided among tensor-parallel ranks.
 * Source: model_executor/layers/mamba/mamba_utils.py, and get_mamba_state_shape_from_config of each
 * model for the names of its dimensions. */
#include "engine/vllm_model.h"

#define MOST ((int64_t)1 << 32)

static uint64_t number(const struct ul_jvalue *v, const char *key, uint64_t otherwise)
{
    int64_t n = ul_jint(v, key, -1);
    return n < 0 || n > MOST ? otherwise : (uint64_t)n;
}

/* The names of a Mamba's dimensions, by the family of names. */
struct mamba_keys {
    const char *kernel, *state, *groups, *heads, *head_dim, *expand;
};

static const struct mamba_keys names[] = {
    [UL_VK_NEMOTRON] = {.kernel = "conv_kernel", .state = "ssm_state_size", .groups = "n_groups",
                        .heads = "mamba_num_heads", .head_dim = "mamba_head_dim",
                        .expand = "expand"},
    [UL_VK_GRANITE] = {.kernel = "mamba_d_conv", .state = "mamba_d_state",
                       .groups = "mamba_n_groups", .heads = "mamba_n_heads",
                       .head_dim = "mamba_d_head", .expand = "mamba_expand"},
    [UL_VK_FALCON] = {.kernel = "mamba_d_conv", .state = "mamba_d_state",
                      .groups = "mamba_n_groups", .heads = "mamba_n_heads",
                      .head_dim = "mamba_d_head", .expand = "mamba_expand"},
    [UL_VK_MAMBA] = {.kernel = "conv_kernel", .state = "state_size", .groups = "n_groups",
                     .heads = "num_heads", .head_dim = "head_dim", .expand = "expand"},
};

/* The inner width: heads x their length (Nemotron-H), a key of its own (Falcon-H1, Mamba), or a
 * multiple of the hidden size. */
static uint64_t inner_width(const struct ul_vmodel *m, const struct mamba_keys *k)
{
    uint64_t expanded = ul_mul(number(m->text, k->expand, 2), m->hidden);
    if (m->class->keys == UL_VK_NEMOTRON)
        return ul_mul(number(m->text, k->heads, 0), number(m->text, k->head_dim, 0));
    if (m->class->keys == UL_VK_FALCON)
        return number(m->text, "mamba_d_ssm", expanded);
    if (m->class->keys == UL_VK_MAMBA && m->class->state == UL_VS_MAMBA1)
        return number(m->text, "intermediate_size", expanded);
    return expanded;
}

/* Granite writes the head's length as "auto": the inner width divided among the heads. */
static void read_mamba(struct ul_vmodel *m)
{
    const struct mamba_keys *k = &names[m->class->keys];
    struct ul_vstates *s = &m->states;
    s->kernel = number(m->text, k->kernel, 0);
    s->state = number(m->text, k->state, 0);
    s->groups = number(m->text, k->groups, 1);
    s->heads = number(m->text, k->heads, 0);
    s->inner = inner_width(m, k);
    s->head_dim = number(m->text, k->head_dim, s->heads ? s->inner / s->heads : 0);
    s->chunk = number(m->text, "mamba_chunk_size", number(m->text, "chunk_size", 2048));
    if (m->class->keys == UL_VK_NEMOTRON)
        s->ssm_dtype = "float32";
}

static void read_delta(struct ul_vmodel *m)
{
    m->states.kernel = number(m->text, "linear_conv_kernel_dim", 0);
    m->states.heads = number(m->text, "linear_num_value_heads", 0);
    m->states.head_dim = number(m->text, "linear_value_head_dim", 0);
    m->states.k_heads = number(m->text, "linear_num_key_heads", 0);
    m->states.k_dim = number(m->text, "linear_key_head_dim", 0);
}

static void read_kda(struct ul_vmodel *m)
{
    const struct ul_jvalue *c = ul_jget(m->text, "linear_attn_config");
    m->states.kernel = number(c, "short_conv_kernel_size", 4);
    m->states.heads = m->states.k_heads = number(c, "num_heads", 0);
    m->states.head_dim = m->states.k_dim = number(c, "head_dim", 0);
    m->states.ssm_dtype = "float32";
}

static void read_others(struct ul_vmodel *m)
{
    m->states.kernel = number(m->text, "conv_L_cache", 0);
    m->states.inner = number(m->text, "conv_dim", m->hidden);
    m->states.heads = m->heads;
    m->states.head_dim = m->head_dim;
}

void ul_vstates_read(struct ul_vmodel *m, struct ul_arena *a)
{
    m->states.kind = m->class->state;
    switch (m->class->state) {
    case UL_VS_NONE: return;
    case UL_VS_MAMBA1:
    case UL_VS_MAMBA2: read_mamba(m); break;
    case UL_VS_DELTA: read_delta(m); break;
    case UL_VS_KDA: read_kda(m); break;
    case UL_VS_LINEAR:
    case UL_VS_CONV: read_others(m); break;
    }
    struct ul_str own = ul_jstr(m->text, "mamba_ssm_dtype", "");
    if (!own.n && m->class->keys == UL_VK_NEMOTRON)
        own = ul_jstr(m->text, "mamba_ssm_cache_dtype", "");
    if (own.n)
        m->states.ssm_dtype = ul_arena_copy(a, own.p, own.n);
    if (!ul_vstates_bytes(&m->states, 1, 0, 2, 4) && !m->unknown)
        m->unknown = "the configuration does not say all of its states' dimensions";
}

/* ------------------------------------------------------------------ bytes */

/* Groups that ranks do not divide are repeated on them: extra_groups_for_head_shards. */
static uint64_t conv_width(const struct ul_vstates *s, uint64_t tp)
{
    uint64_t groups = s->groups % tp == 0 ? s->groups : tp;
    switch (s->kind) {
    case UL_VS_MAMBA2: return ul_add(s->inner, ul_mul(ul_mul(2, groups), s->state));
    case UL_VS_DELTA:
    case UL_VS_KDA:
        return ul_add(ul_mul(ul_mul(2, s->k_heads), s->k_dim), ul_mul(s->heads, s->head_dim));
    case UL_VS_LINEAR: return 0;
    default: return s->inner;
    }
}

static uint64_t recurrent(const struct ul_vstates *s)
{
    switch (s->kind) {
    case UL_VS_MAMBA1: return ul_mul(s->inner, s->state);
    case UL_VS_MAMBA2: return ul_mul(ul_mul(s->heads, s->head_dim), s->state);
    case UL_VS_DELTA: return ul_mul(ul_mul(s->heads, s->head_dim), s->k_dim);
    case UL_VS_KDA:
    case UL_VS_LINEAR: return ul_mul(ul_mul(s->heads, s->head_dim), s->head_dim);
    default: return 0;
    }
}

uint64_t ul_vstates_bytes(const struct ul_vstates *s, uint64_t tp, uint64_t draft_tokens,
                          uint32_t conv_bytes, uint32_t ssm_bytes)
{
    uint64_t width = conv_width(s, tp), values = recurrent(s);
    uint64_t kept = ul_add(s->kernel ? s->kernel - 1 : 0, draft_tokens);
    if (width % tp || values % tp || (s->kind != UL_VS_CONV && !values)
        || (s->kind != UL_VS_LINEAR && (!width || !s->kernel)))
        return 0;
    return ul_add(ul_mul(ul_mul(width / tp, kept), conv_bytes), ul_mul(values / tp, ssm_bytes));
}
