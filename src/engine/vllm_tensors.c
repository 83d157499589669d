/* Bytes of weights on a rank from the headers of the checkpoint's own files: what is stored, less
 * what the engine does not load or keep, divided as its layers divide it.
 *
 * How a tensor is divided follows from its name. With one rank a stage no division is needed and
 * every name will do; with several, a name that no rule is known for makes the weights unknown.
 * Source: model_executor/layers/linear.py (column, row, QKV and replicated), fused_moe/layer.py,
 * vocab_parallel_embedding.py; the models' stacked_params_mapping for the names. */
#include "engine/vllm_format.h"
#include "engine/vllm_server.h"
#include "engine/vllm_weights.h"

#include <ctype.h>

enum part {
    PART_UNKNOWN,
    PART_WHOLE,     /* on every rank */
    PART_SPLIT,     /* among the tensor-parallel ranks */
    PART_KV,        /* among as many ranks as there are KV heads, then repeated */
    PART_EXPERT,    /* an expert's */
    PART_VOCAB,     /* rows of the vocabulary, padded */
    PART_DROPPED    /* not loaded, or not kept */
};

struct name_rule {
    const char *contains;
    enum part part;
};

/* The first that the name contains decides. */
static const struct name_rule rules[] = {
    {"rotary_emb.inv_freq", PART_DROPPED},
    {".weight_shape", PART_DROPPED},
    {".experts.", PART_EXPERT},
    {"embed_tokens", PART_VOCAB},
    {"lm_head", PART_VOCAB},
    {"q_a_proj", PART_WHOLE},
    {"kv_a_proj_with_mqa", PART_WHOLE},
    {"indexer", PART_WHOLE},
    {"norm", PART_WHOLE},
    {".shared_expert_gate", PART_WHOLE},
    {".mlp.gate.", PART_WHOLE},
    {".block_sparse_moe.gate.", PART_WHOLE},
    {".router.", PART_WHOLE},
    {"e_score_correction_bias", PART_WHOLE},
    {".k_proj", PART_KV},
    {".v_proj", PART_KV},
    {".q_proj", PART_SPLIT},
    {".o_proj", PART_SPLIT},
    {".q_b_proj", PART_SPLIT},
    {".kv_b_proj", PART_SPLIT},
    {".gate_proj", PART_SPLIT},
    {".up_proj", PART_SPLIT},
    {".gate_up_proj", PART_SPLIT},
    {".down_proj", PART_SPLIT},
    {".qkv_proj", PART_SPLIT},
    {".in_proj", PART_SPLIT},
    {".out_proj", PART_SPLIT},
    {".conv1d", PART_SPLIT},
    {".A_log", PART_SPLIT},
    {".dt_bias", PART_SPLIT},
    {".mixer.D", PART_SPLIT},
    {".sinks", PART_SPLIT},
};

/* Parts of a multimodal model that the language part does without. */
static const char *const towers[] = {"visual.", "vision_tower.", "vision_model.", "audio_tower.",
                                     "multi_modal_projector.", "mm_projector.", NULL};

static bool has(struct ul_str s, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.n; i++)
        if (memcmp(s.p + i, what, n) == 0)
            return true;
    return false;
}

static bool ends(struct ul_str s, const char *with)
{
    size_t n = strlen(with);
    return s.n >= n && memcmp(s.p + s.n - n, with, n) == 0;
}

static bool is_tower(struct ul_str name)
{
    for (const char *const *t = towers; *t; t++)
        if (has(name, *t))
            return true;
    return false;
}

/* The number behind "layers."; false: the tensor belongs to no layer. */
static bool layer_of(struct ul_str name, uint32_t *layer)
{
    for (size_t i = 0; i + 7 < name.n; i++) {
        if (memcmp(name.p + i, "layers.", 7) != 0 || !isdigit((unsigned char)name.p[i + 7]))
            continue;
        *layer = 0;
        for (i += 7; i < name.n && isdigit((unsigned char)name.p[i]) && *layer < 100000; i++)
            *layer = *layer * 10 + (uint32_t)(name.p[i] - '0');
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------ one tensor */

struct sums {
    struct ul_vserver *v;
    struct ul_vformat made;    /* what matrices of 16 bits become: -q, or a configuration's own
                                * quantisation where its files are not at hand */
    uint32_t stage;
    uint64_t bytes;
    const char *why;           /* why the sum is not known */
};

static bool drafted(const struct ul_vmodel *m, struct ul_str name)
{
    uint32_t layer;
    return ul_str_starts(name, "mtp.") || has(name, ".mtp.")
           || (layer_of(name, &layer) && layer >= m->n_layers && !is_tower(name));
}

static enum part part_of(const struct ul_vserver *v, struct ul_str name)
{
    bool symmetric = v->m.quant_config && ul_jbool(v->m.quant_config, "sym", true)
                     && !ul_jget(v->m.quant_config, "zero_point");
    if (v->s.language == 1 && is_tower(name))
        return PART_DROPPED;
    if ((drafted(&v->m, name) && !v->n_drafts) || (has(name, "lm_head") && v->m.tied))
        return PART_DROPPED;
    if (ends(name, ".g_idx") && !ul_jbool(v->m.quant_config, "desc_act", false))
        return PART_DROPPED;
    if (ends(name, ".qzeros") && symmetric)
        return PART_DROPPED;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (has(name, rules[i].contains))
            return rules[i].part;
    return PART_UNKNOWN;
}

/* Whether this stage loads it: layers by number, the embedding first, the output and what comes
 * before it last, a vision tower first. */
static bool loaded_here(const struct sums *s, struct ul_str name)
{
    const struct ul_vserver *v = s->v;
    struct ul_vstage r = ul_vserver_stage(v, s->stage);
    bool last = s->stage + 1 == v->s.pp;
    uint32_t layer;
    if (v->s.pp == 1)
        return true;
    if (drafted(&v->m, name))
        return last;
    if (layer_of(name, &layer) && !is_tower(name))
        return layer >= r.first && layer < r.end;
    if (has(name, "embed_tokens"))
        return s->stage == 0 || (last && v->m.tied);
    if (has(name, "lm_head") || has(name, "norm"))
        return last;
    return s->stage == 0;
}

/* Weights of 32 bits become the model's type; scales stay. -q quantises the matrices. */
static uint64_t resident(const struct sums *s, const struct ul_st_tensor *t, enum part part)
{
    uint64_t bytes = t->end - t->begin;
    bool weight = ends(t->name, ".weight") || ends(t->name, ".bias");
    bool matrix = (t->n_dims == 2 || t->n_dims == 3) && ends(t->name, ".weight");
    bool linear = part == PART_SPLIT || part == PART_KV || part == PART_EXPERT
                  || (part == PART_WHOLE && has(t->name, "_a_proj"));
    if (s->made.scheme != UL_VQ_PLAIN && matrix && linear)
        return ul_mul(
            t->n_dims == 3 ? t->shape[0] : 1,
            ul_vformat_linear(&s->made, t->shape[t->n_dims - 1], t->shape[t->n_dims - 2]));
    return weight && t->dtype->bits == 32 ? bytes / 2 : bytes;
}

static uint64_t ranks_of(const struct ul_vserver *v, enum part part)
{
    switch (part) {
    case PART_KV: return ul_min(v->s.tp, ul_max(1, v->m.kv_heads));
    case PART_EXPERT: return v->s.tp * v->s.dp;
    case PART_SPLIT:
    case PART_VOCAB: return v->s.tp;
    default: return 1;
    }
}

/* Whole experts go to ranks with expert parallelism: each has as many as the fullest. */
static uint64_t expert_share(const struct ul_vserver *v, uint64_t bytes, uint64_t ranks)
{
    uint64_t n = v->m.n_experts;
    if (v->s.ep != 1 || !n)
        return bytes / ranks;
    return (uint64_t)((double)bytes / (double)n * (double)((n + ranks - 1) / ranks) + 0.5);
}

static void add(struct sums *s, const struct ul_st_tensor *t)
{
    const struct ul_vserver *v = s->v;
    enum part part = part_of(v, t->name);
    uint64_t ranks = ranks_of(v, part), bytes;
    if (part == PART_DROPPED || !loaded_here(s, t->name))
        return;
    if (part == PART_UNKNOWN && v->s.tp * v->s.dp > 1 && !s->why)
        s->why = ul_format(v->a, "no rule for how '%.*s' is divided among ranks",
                           (int)(t->name.n > 80 ? 80 : t->name.n), t->name.p);
    bytes = resident(s, t, part);
    if (part == PART_VOCAB && t->n_dims == 2 && t->shape[0])
        bytes = ul_mul(bytes / t->shape[0], ul_pad(t->shape[0], 64));
    s->bytes = ul_add(s->bytes, part == PART_EXPERT ? expert_share(v, bytes, ranks)
                                                    : bytes / ranks);
}

/* ------------------------------------------------------------------ a stage */

/* MXFP4's experts are padded to what the kernel wants, which depends on the card:
 * fused_moe/oracle/mxfp4.py. */
static const char *padded_experts(const struct ul_vserver *v)
{
    bool mxfp4 = v->m.quant && strstr(v->m.quant, "mxfp4") && v->m.n_experts;
    return mxfp4 ? "MXFP4's experts are padded by a kernel that is not known for this card" : NULL;
}

/* mla_attention.py: kv_b is kept a second time, multiplied into queries and outputs. */
static uint64_t absorbed(const struct sums *s)
{
    const struct ul_vmodel *m = &s->v->m;
    struct ul_vstage r = ul_vserver_stage(s->v, s->stage);
    uint64_t layers = 0;
    for (uint32_t i = r.first; i < r.end; i++)
        layers += m->layers[i < m->n_layers ? i : m->n_layers].kind == UL_V_LATENT
                  && m->layers[i < m->n_layers ? i : m->n_layers].attention;
    return ul_mul(ul_mul(layers, ul_mul(m->latent, m->heads / s->v->s.tp)),
                  ul_mul(m->nope + m->v_dim, m->element));
}

uint64_t ul_vtensors_bytes(struct ul_vserver *v, const struct ul_st *st, uint32_t stage,
                           const char **why)
{
    struct sums s = {.v = v, .stage = stage, .why = padded_experts(v)};
    if (v->m.quant ? st == v->listed : v->s.quant != NULL)
        s.made = ul_vformat_of(&v->m, v->s.quant);
    if (s.made.scheme == UL_VQ_UNKNOWN && !s.why)
        s.why = ul_format(v->a, "no rule for the quantisation '%.40s'",
                          v->m.quant ? v->m.quant : v->s.quant);
    if (st->n_missing && !s.why)
        s.why = "some of the checkpoint's files are missing";
    for (size_t i = 0; i < st->n_tensors && !s.why; i++)
        add(&s, &st->tensors[i]);
    *why = s.why;
    return ul_add(s.bytes, s.why ? 0 : absorbed(&s));
}
