/* Bytes of weights on a rank, from the configuration's shape alone: common decoders, dense or of
 * experts, with plain or latent attention.
 *
 * Matrices that are split by output or input divide among the tensor-parallel ranks; what is not
 * (norms, routers, the latents' projections) is on every rank. Embedding and output are split by
 * rows of the vocabulary, padded to a multiple of 64. Tables of rotations count: they are resident
 * and torch sees them. Figures are modelled: the files themselves, when their headers are at hand,
 * say more.
 * Source: model_executor/layers/linear.py, vocab_parallel_embedding.py, fused_moe/layer.py. */
#include "engine/vllm_format.h"
#include "engine/vllm_server.h"
#include "engine/vllm_weights.h"

struct sums {
    const struct ul_vserver *v;
    struct ul_vformat format, plain;
    uint64_t tp, expert_ranks; /* ranks among which one expert's matrices are divided */
    uint64_t experts;          /* whole or divided, on each rank */
};

static uint64_t number(const struct ul_vmodel *m, const char *key, uint64_t otherwise)
{
    int64_t n = ul_jint(m->text, key, -1);
    return n < 0 || n > (int64_t)1 << 40 ? otherwise : (uint64_t)n;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return b ? a / b + (a % b != 0) : a;
}

/* Grouped-query attention; KV heads are repeated when there are fewer than ranks. Biases as the
 * configuration says; Qwen2's has no key for the one it always has. */
static uint64_t plain_attention(const struct sums *s, const struct ul_vlayer *l)
{
    const struct ul_vmodel *m = &s->v->m;
    uint64_t q = ul_mul(m->heads, l->head_k) / s->tp;
    uint64_t kv = ul_mul(ul_max(1, l->kv_heads / s->tp), l->head_k);
    bool bias = ul_jbool(m->text, "attention_bias",
                         m->class->window_switch && !ul_jget(m->text, "head_dim"));
    uint64_t bytes = ul_add(ul_vformat_linear(&s->format, m->hidden, ul_add(q, ul_mul(2, kv))),
                            ul_vformat_linear(&s->format, q, m->hidden));
    return ul_add(bytes, bias ? ul_mul(ul_add(q, ul_mul(2, kv)), m->element) : 0);
}

/* Latent attention, and the copies of kv_b that it multiplies into queries and outputs:
 * layers/attention/mla_attention.py: process_weights_after_loading. */
static uint64_t latent_attention(const struct sums *s, bool indexer)
{
    const struct ul_vmodel *m = &s->v->m;
    uint64_t lora = number(m, "q_lora_rank", 0), heads = m->heads / s->tp;
    uint64_t q = ul_mul(heads, m->nope + m->rope), kv = ul_mul(heads, m->nope + m->v_dim);
    uint64_t index = ul_mul(number(m, "index_n_heads", 0), m->index_dim);
    uint64_t bytes = ul_vformat_linear(&s->format, lora ? lora : m->hidden, q);
    bytes = ul_add(bytes, lora ? ul_vformat_linear(&s->format, m->hidden, lora) : 0);
    bytes = ul_add(bytes, ul_vformat_linear(&s->format, m->hidden, m->latent + m->rope));
    bytes = ul_add(bytes, ul_vformat_linear(&s->format, m->latent, kv));
    bytes = ul_add(bytes, ul_vformat_linear(&s->format, ul_mul(heads, m->v_dim), m->hidden));
    bytes = ul_add(bytes, ul_mul(ul_mul(m->latent, kv), m->element));
    if (!indexer)
        return bytes;
    bytes = ul_add(bytes, ul_vformat_linear(&s->format, lora, index));
    bytes = ul_add(bytes, ul_vformat_linear(&s->format, m->hidden, m->index_dim));
    return ul_add(bytes, ul_vformat_linear(&s->plain, m->hidden, number(m, "index_n_heads", 0)));
}

/* Gate, up and down of `inter` values, divided among `ranks`. */
static uint64_t mlp(const struct sums *s, uint64_t inter, uint64_t ranks)
{
    const struct ul_vmodel *m = &s->v->m;
    uint64_t part = divide_up(inter, ranks);
    return ul_add(ul_vformat_linear(&s->format, m->hidden, ul_mul(2, part)),
                  ul_vformat_linear(&s->format, part, m->hidden));
}

static bool has_experts(const struct ul_vmodel *m, uint32_t layer)
{
    uint64_t step = number(m, "decoder_sparse_step", 1), every = number(m, "moe_layer_freq", 1);
    if (!m->n_experts || layer < number(m, "first_k_dense_replace", 0) || !step || !every)
        return false;
    return (layer + 1) % step == 0 && layer % every == 0;
}

static uint64_t feed_forward(const struct sums *s, uint32_t layer)
{
    const struct ul_vmodel *m = &s->v->m;
    if (!has_experts(m, layer))
        return mlp(s, m->inter, s->tp);
    uint64_t shared = number(m, "shared_expert_intermediate_size",
                             ul_mul(m->n_shared, m->expert_inter));
    uint64_t bytes = ul_mul(s->experts, mlp(s, m->expert_inter, s->expert_ranks));
    bytes = ul_add(bytes, ul_vformat_linear(&s->plain, m->hidden, m->n_experts));
    return ul_add(bytes, shared ? mlp(s, shared, s->tp) : 0);
}

static uint64_t layer_bytes(const struct sums *s, uint32_t i)
{
    const struct ul_vmodel *m = &s->v->m;
    const struct ul_vlayer *l = &m->layers[i < m->n_layers ? i : m->n_layers];
    uint64_t attention = l->kind == UL_V_LATENT ? latent_attention(s, l->indexer)
                                                : plain_attention(s, l);
    uint64_t norms = ul_mul(2, m->hidden);
    if (l->kind == UL_V_LATENT)
        norms = ul_add(norms, m->latent + number(m, "q_lora_rank", 0));
    return ul_add(ul_add(attention, feed_forward(s, i)), ul_mul(norms, m->element));
}

/* Rows of the vocabulary on a rank: DEFAULT_VOCAB_PADDING_SIZE. */
static uint64_t embedding(const struct sums *s)
{
    const struct ul_vmodel *m = &s->v->m;
    return ul_mul(ul_mul(divide_up(ul_pad(m->vocab, 64), s->tp), m->hidden), m->element);
}

/* rotary_embedding/base.py: cosines and sines of every position, in the model's type. */
static uint64_t rotations(const struct sums *s)
{
    const struct ul_vmodel *m = &s->v->m;
    uint64_t dim = m->rope ? m->rope : m->head_dim;
    double part = ul_jreal(m->text, "partial_rotary_factor", 1.0);
    if (part > 0 && part < 1 && !m->rope)
        dim = (uint64_t)((double)dim * part);
    return ul_mul(ul_mul(ul_max(m->max_len, number(m, "max_position_embeddings", 0)), dim),
                  m->element);
}

static uint64_t stage_bytes(const struct sums *s, uint32_t stage)
{
    const struct ul_vserver *v = s->v;
    struct ul_vstage r = ul_vserver_stage(v, stage);
    bool first = stage == 0, last = stage + 1 == v->s.pp;
    uint64_t bytes = rotations(s);
    for (uint32_t i = r.first; i < r.end; i++)
        bytes = ul_add(bytes, layer_bytes(s, i));
    if (first || (last && v->m.tied))
        bytes = ul_add(bytes, embedding(s));
    if (last)
        bytes = ul_add(bytes, ul_add(v->m.tied ? 0 : embedding(s),
                                     ul_mul(v->m.hidden, v->m.element)));
    return bytes;
}

/* Why the shape does not give the weights; NULL: it does. */
static const char *reason(const struct ul_vserver *v, const struct ul_vformat *f)
{
    if (!v->m.class)
        return "the architecture's weights are not known, and no safetensors headers were found";
    if (v->m.class->own_layout || v->m.text != v->m.root)
        return "this architecture's weights need the safetensors headers beside config.json";
    if (f->scheme == UL_VQ_UNKNOWN)
        return ul_format(v->a, "no rule for the quantisation '%.40s'",
                         v->m.quant ? v->m.quant : v->s.quant);
    if (!v->m.hidden || !v->m.vocab || (!v->m.inter && !v->m.n_experts))
        return "the configuration does not say all dimensions";
    if (v->m.element == 4)
        return "no rule for weights of 32 bits";
    return NULL;
}

/* utils: UVA offload takes whole parameters until the limit; the last may pass it. */
static uint64_t offloaded(const struct ul_vserver *v, uint64_t bytes)
{
    double limit = v->s.offload_gb * 1073741824.0;
    return limit >= (double)bytes ? 0 : bytes - (uint64_t)limit;
}

/* Experts: whole ones with expert parallelism, else divided among all tensor-parallel ranks of all
 * data-parallel engines. */
static void divide_experts(struct sums *s)
{
    const struct ul_vsettings *set = &s->v->s;
    uint64_t ranks = set->tp * set->dp;
    s->experts = set->ep == 1 ? divide_up(s->v->m.n_experts, ranks) : s->v->m.n_experts;
    s->expert_ranks = set->ep == 1 ? 1 : ranks;
}

/* By the headers when there are any, else by the shape. */
ullage_bytes ul_vserver_weights(struct ul_vserver *v, uint32_t stage)
{
    struct sums s = {.v = v, .format = ul_vformat_of(&v->m, v->s.quant), .tp = v->s.tp,
                     .plain = {.scheme = UL_VQ_PLAIN, .element = v->m.element}};
    const char *why = v->headers ? NULL : reason(v, &s.format);
    uint64_t bytes = v->headers ? ul_vtensors_bytes(v, v->headers, stage, &why) : 0;
    v->info.unknown_weights = why;
    if (why || (v->m.unknown && !v->headers))
        return (ullage_bytes){0};
    divide_experts(&s);
    bytes = v->headers ? ul_add(bytes, rotations(&s)) : stage_bytes(&s, stage);
    return (ullage_bytes){.bytes = offloaded(v, bytes), .source = ULLAGE_MODELLED};
}

uint64_t ul_vserver_read_bytes(const struct ul_vserver *v, uint32_t stage)
{
    struct sums s = {.v = v, .tp = v->s.tp};
    uint64_t bytes = v->stages[stage].weights.bytes, other = rotations(&s);
    if (!v->stages[stage].weights.source || v->m.n_experts || v->s.offload_gb > 0)
        return 0;
    if (stage == 0 && !v->m.tied)
        other = ul_add(other, embedding(&s));
    return bytes > other ? bytes - other : 0;
}
