#include "engine/arith.h"

#include "base/error.h"
#include "base/size.h"
#include "source/types.h"

static const struct ul_type_info *type_of(const char *name)
{
    int type = ul_type_by_name(ul_cstr(name));
    return type < 0 ? NULL : ul_type_info((uint32_t)type);
}

int ullage_type_block(const char *type, uint32_t *values, uint32_t *bytes, ullage_error *err)
{
    const struct ul_type_info *t = type_of(type);
    if (!t)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "unknown tensor type '%s'",
                       type);
    *values = t->block;
    *bytes = t->bytes;
    return ULLAGE_OK;
}

double ullage_type_bytes(const char *type, double values)
{
    const struct ul_type_info *t = type_of(type);
    return t ? values * t->bytes / t->block : -1.0;
}

/* ------------------------------------------------------------------ shapes */

int ullage_shape_counts(const ullage_shape *s, ullage_counts *c, ullage_error *err)
{
    if (s->n_head == 0 && s->head_dim == 0)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "a shape needs n_head or head_dim");
    uint64_t dim = s->head_dim ? s->head_dim : s->n_embd / s->n_head;
    uint64_t q = ul_mul(s->n_head, dim), kv = ul_mul(s->n_head_kv, dim);
    uint64_t gated = ul_mul(ul_mul(3, s->n_embd), s->n_ff); /* gate, up, down */

    *c = (ullage_counts){0};
    c->attention = ul_mul(s->n_embd, ul_add(ul_mul(2, q), ul_mul(2, kv))); /* q, o and k, v */
    c->expert = s->n_expert ? gated : 0;
    c->mlp = s->n_expert ? ul_mul(s->n_expert, gated) : gated;
    c->router = ul_mul(s->n_embd, s->n_expert);
    c->norms = ul_mul(2, s->n_embd);
    c->layer = ul_add(ul_add(c->attention, c->mlp), ul_add(c->router, c->norms));
    c->embedding = ul_mul(s->n_vocab, s->n_embd);
    c->output = s->tied ? 0 : c->embedding;
    c->total = ul_add(ul_add(ul_mul(s->n_layer, c->layer), s->n_embd),
                      ul_add(c->embedding, c->output));
    if (c->total == UL_SIZE_OVERFLOW)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "the shape has more than 2^64 elements");
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ caches */

/* Bytes of one cell's row of `values` in a cache type. */
static int row_bytes(const char *type, uint64_t values, uint64_t *bytes, ullage_error *err)
{
    *bytes = 0;
    if (values == 0)
        return ULLAGE_OK;
    const struct ul_type_info *t = type_of(type);
    if (!t)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "unknown cache type '%s'",
                       type);
    if (values % t->block)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "a cache row of %llu values is not a multiple of %s's block of %u",
                       (unsigned long long)values, t->name, (unsigned)t->block);
    *bytes = ul_mul(values / t->block, t->bytes);
    return ULLAGE_OK;
}

int ullage_kv_bytes(uint64_t n_layer, uint64_t n_head_kv, uint64_t head_k, uint64_t head_v,
                    const char *type_k, const char *type_v, uint64_t tokens, uint64_t *bytes,
                    ullage_error *err)
{
    uint64_t k, v;
    int code = row_bytes(type_k, ul_mul(n_head_kv, head_k), &k, err);
    if (code == ULLAGE_OK)
        code = row_bytes(type_v, ul_mul(n_head_kv, head_v), &v, err);
    if (code != ULLAGE_OK)
        return code;
    *bytes = ul_mul(ul_mul(n_layer, ul_add(k, v)), tokens);
    return ULLAGE_OK;
}

uint64_t ullage_window_cells(uint64_t base, uint64_t window, uint64_t n_seq_max, int kv_unified,
                             uint64_t n_ubatch)
{
    uint64_t reach = ul_add(ul_mul(window, kv_unified ? n_seq_max : 1), n_ubatch);
    return ul_pad(ul_min(base, reach), UL_CTX_PAD);
}

void ullage_state_values(uint64_t d_conv, uint64_t d_inner, uint64_t d_state, uint64_t n_group,
                         uint64_t *recurrent, uint64_t *convolution)
{
    *recurrent = ul_mul(d_state, d_inner);
    *convolution = d_conv == 0 ? 0
        : ul_mul(d_conv - 1, ul_add(d_inner, ul_mul(ul_mul(2, n_group), d_state)));
}

/* Source: src/llama-context.cpp, llama_context::llama_context; the automatic slots are
 * tools/server/server.cpp's. */
ullage_slots ullage_slots_divide(uint32_t n_ctx, int n_parallel, int kv_unified)
{
    if (n_parallel < 0) {
        n_parallel = 4;
        kv_unified = 1;
    }
    ullage_slots s = {.n_seq_max = n_parallel > 0 ? (uint32_t)n_parallel : 1,
                      .kv_unified = kv_unified != 0};
    s.n_ctx = (uint32_t)ul_min(ul_pad(n_ctx, UL_CTX_PAD), UINT32_MAX / UL_CTX_PAD * UL_CTX_PAD);
    s.n_ctx_seq = s.n_ctx;
    if (!s.kv_unified) {
        s.n_ctx_seq = (uint32_t)ul_pad(s.n_ctx / s.n_seq_max, UL_CTX_PAD);
        s.n_ctx = (uint32_t)ul_min(ul_mul(s.n_ctx_seq, s.n_seq_max), UINT32_MAX);
    }
    return s;
}

/* ------------------------------------------------------------------ what fits */

uint64_t ullage_budget(uint64_t total, uint64_t used, uint64_t runtime, double share)
{
    double reserve = share > 0 ? share * (double)total : 0;
    uint64_t taken = ul_add(ul_add(used, runtime), (uint64_t)reserve);
    return total > taken ? total - taken : 0;
}

uint64_t ullage_longest_context(uint64_t budget, uint64_t fixed, uint64_t bytes_per_token,
                                uint64_t cap)
{
    if (budget <= fixed)
        return 0;
    uint64_t tokens = bytes_per_token ? (budget - fixed) / bytes_per_token : UINT64_MAX;
    if (cap)
        tokens = ul_min(tokens, cap);
    return tokens / UL_CTX_PAD * UL_CTX_PAD;
}

uint32_t ullage_layers_that_fit(uint64_t budget, uint64_t compute, uint64_t output,
                                uint64_t layer_weights, uint64_t layer_kv, uint32_t n_layer)
{
    uint64_t fixed = ul_add(compute, output), layer = ul_add(layer_weights, layer_kv);
    if (budget < fixed)
        return 0;
    uint64_t blocks = layer ? (budget - fixed) / layer : n_layer;
    return 1 + (uint32_t)ul_min(blocks, n_layer);
}

double ullage_read_ms(uint64_t bytes, double bytes_per_second)
{
    return (double)bytes / bytes_per_second * 1000;
}
