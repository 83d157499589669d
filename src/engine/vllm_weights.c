/* Bytes of weights on a rank: the tensors of the checkpoint's own headers, or those that a
 * conversion would find by the configuration, divided as the layers divide them (vllm_tensors.c);
 * tables of rotations, which are resident and which torch sees; less what is offloaded. Figures are
 * modelled: of the files themselves nothing is read. Source: rotary_embedding/base.py;
 * config/offload.py for --cpu-offload-gb. */
#include "engine/vllm_format.h"
#include "engine/vllm_server.h"
#include "engine/vllm_weights.h"

static uint64_t number(const struct ul_vmodel *m, const char *key, uint64_t otherwise)
{
    int64_t n = ul_jint(m->text, key, -1);
    return n < 0 || n > (int64_t)1 << 40 ? otherwise : (uint64_t)n;
}

/* Rows of the vocabulary on a rank: DEFAULT_VOCAB_PADDING_SIZE. */
static uint64_t embedding(const struct ul_vserver *v)
{
    uint64_t rows = ul_pad(v->m.vocab, 64);
    return ul_mul(ul_mul(rows / v->s.tp + (rows % v->s.tp != 0), v->m.hidden), v->m.element);
}

/* rotary_embedding/base.py: cosines and sines of every position, in the model's type. */
static uint64_t rotations(const struct ul_vserver *v)
{
    const struct ul_vmodel *m = &v->m;
    uint64_t dim = m->rope ? m->rope : m->head_dim;
    double part = ul_jreal(m->text, "partial_rotary_factor", 1.0);
    if (part > 0 && part < 1 && !m->rope)
        dim = (uint64_t)((double)dim * part);
    return ul_mul(ul_mul(ul_max(m->max_len, number(m, "max_position_embeddings", 0)), dim),
                  m->element);
}

/* A vision or audio tower is loaded, too. */
static bool has_towers(const struct ul_vserver *v)
{
    return v->s.language != 1
           && (ul_jget(v->m.root, "vision_config") || ul_jget(v->m.root, "audio_config"));
}

/* Why nothing is known of the weights without headers. */
static const char *no_list(const struct ul_vserver *v)
{
    return has_towers(v)
             ? "the towers of this model need the safetensors headers beside config.json; "
               "--language-model-only does without"
             : "this architecture's weights need the safetensors headers beside "
               "config.json";
}

/* The checkpoint's tensors: as its headers say, else as a conversion would read them. Which of the
 * two is decided once. */
static const struct ul_st *tensors_of(struct ul_vserver *v, const char **why)
{
    if (v->headers)
        return v->headers;
    if (!v->listed && !has_towers(v))
        v->listed = ul_vconvert_headers(v);
    if (!v->listed)
        *why = no_list(v);
    return v->listed;
}

/* utils: UVA offload takes whole parameters until the limit; the last may pass it. */
static uint64_t offloaded(const struct ul_vserver *v, uint64_t bytes)
{
    double limit = v->s.offload_gb * 1073741824.0;
    return limit >= (double)bytes ? 0 : bytes - (uint64_t)limit;
}

ullage_bytes ul_vserver_weights(struct ul_vserver *v, uint32_t stage)
{
    const char *why = NULL;
    const struct ul_st *st = tensors_of(v, &why);
    uint64_t bytes = st ? ul_vtensors_bytes(v, st, stage, &why) : 0;
    v->info.unknown_weights = why;
    if (why)
        return (ullage_bytes){0};
    return (ullage_bytes){.bytes = offloaded(v, ul_add(bytes, rotations(v))),
                          .source = ULLAGE_MODELLED};
}

uint64_t ul_vserver_read_bytes(const struct ul_vserver *v, uint32_t stage)
{
    uint64_t bytes = v->stages[stage].weights.bytes, other = rotations(v);
    if (!v->stages[stage].weights.source || v->m.n_experts || v->s.offload_gb > 0)
        return 0;
    if (stage == 0 && !v->m.tied)
        other = ul_add(other, embedding(v));
    return bytes > other ? bytes - other : 0;
}
