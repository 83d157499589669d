/* Reading config.json for vLLM: dimensions, the longest sequence, quantisation, and the caches of
 * each layer.
 *
 * Where vLLM and the configuration classes of transformers agree on a default it is filled in;
 * where a key is missing that has none, the caches are unknown and the key is named. */
#include "engine/vllm_model.h"

#define MOST_LAYERS 4096 /* of one model; a number past it is no layer count */
#define MOST_DIM ((int64_t)1 << 40)

/* ------------------------------------------------------------------ values */

/* A size: whole, not negative, not absurd; else `otherwise`. */
static uint64_t number(const struct ul_jvalue *v, const char *key, uint64_t otherwise)
{
    int64_t n = ul_jint(v, key, -1);
    return n < 0 || n > MOST_DIM ? otherwise : (uint64_t)n;
}

static uint64_t first_of(const struct ul_jvalue *v, const char *const *keys, uint64_t otherwise)
{
    for (; *keys; keys++)
        if (number(v, *keys, 0))
            return number(v, *keys, 0);
    return otherwise;
}

static const char *text_of(struct ul_arena *a, struct ul_str s)
{
    return s.n ? ul_arena_copy(a, s.p, s.n) : NULL;
}

/* A missing key that has no default: the first one is the reason. */
static uint64_t needed(struct ul_vmodel *m, struct ul_arena *a, const char *key)
{
    uint64_t n = number(m->text, key, 0);
    if (!n && !m->unknown)
        m->unknown = ul_format(a, "the configuration does not say '%s'", key);
    return n;
}

/* ------------------------------------------------------------------ dimensions */

/* The language model's part of a multimodal configuration. */
static const struct ul_jvalue *text_part(const struct ul_jvalue *root)
{
    static const char *const keys[] = {"text_config", "llm_config", "language_config", NULL};
    for (const char *const *k = keys; *k; k++)
        if (ul_jget(root, *k))
            return ul_jget(root, *k);
    return root;
}

/* model_arch_config_convertor.py: get_total_num_kv_heads, get_head_size. */
static void read_heads(struct ul_vmodel *m)
{
    static const char *const kv_keys[] = {"n_head_kv", "num_kv_heads", "num_key_value_heads",
                                          "multi_query_group_num", "num_attention_groups", NULL};
    static const char *const head_keys[] = {"head_dim", "hidden_size_per_head", NULL};
    static const char *const layer_keys[] = {"num_hidden_layers", "n_layer", "num_layers", NULL};
    static const char *const hidden_keys[] = {"hidden_size", "d_model", "n_embd", NULL};
    const struct ul_vclass none = {0}, *c = m->class ? m->class : &none;
    m->n_layers = (uint32_t)ul_min(first_of(m->text, layer_keys, 0), MOST_LAYERS);
    m->hidden = first_of(m->text, hidden_keys, 0);
    m->heads = number(m->text, "num_attention_heads", c->heads);
    m->kv_heads = first_of(m->text, kv_keys, c->kv_heads ? c->kv_heads : m->heads);
    m->head_dim = first_of(m->text, head_keys,
                           c->head_dim ? c->head_dim : m->heads ? m->hidden / m->heads : 0);
    m->vocab = number(m->text, "vocab_size", c->vocab);
    m->inter = number(m->text, "intermediate_size", 0);
    m->tied = ul_jbool(m->text, "tie_word_embeddings",
                       ul_jbool(m->root, "tie_word_embeddings", false));
}

static void read_experts(struct ul_vmodel *m)
{
    static const char *const count[] = {"num_experts", "moe_num_experts", "n_routed_experts",
                                        "num_local_experts", NULL};
    static const char *const inter[] = {"moe_intermediate_size", "expert_intermediate_size", NULL};
    static const char *const drafts[] = {"mtp_num_hidden_layers", "num_nextn_predict_layers",
                                         "num_mtp_modules", NULL};
    m->n_experts = first_of(m->text, count, 0);
    m->expert_inter = first_of(m->text, inter, m->inter);
    m->n_shared = number(m->text, "n_shared_experts", 0);
    m->n_drafts = (uint32_t)ul_min(first_of(m->text, drafts, 0), MOST_LAYERS);
}

static void read_latent(struct ul_vmodel *m)
{
    m->latent = number(m->text, "kv_lora_rank", 0);
    m->rope = number(m->text, "qk_rope_head_dim", 0);
    m->nope = number(m->text, "qk_nope_head_dim", 0);
    m->v_dim = number(m->text, "v_head_dim", 0);
    m->index_dim = number(m->text, "index_topk", 0) ? number(m->text, "index_head_dim", 128) : 0;
    m->window = number(m->text, "sliding_window", 0);
}

/* ------------------------------------------------------------------ the longest sequence */

/* config/model.py: _get_and_verify_max_len: a scaled rotation lengthens what the keys say. */
static uint64_t scaled_length(const struct ul_vmodel *m, uint64_t length)
{
    const struct ul_jvalue *rope = ul_jget(m->text, "rope_parameters");
    if (!rope)
        rope = ul_jget(m->text, "rope_scaling");
    struct ul_str type = ul_jstr(rope, "rope_type", "");
    if (!type.n)
        type = ul_jstr(rope, "type", "default");
    struct ul_str family = ul_jstr(m->root, "model_type", "");
    bool gemma3 = family.n >= 6 && memcmp(family.p, "gemma3", 6) == 0;
    bool longer = ul_str_is(type, "longrope") || ul_str_is(type, "su");
    if (!rope || gemma3 || ul_str_is(type, "llama3"))
        return length;
    if (longer)
        return number(m->root, "original_max_position_embeddings",
                      number(m->text, "original_max_position_embeddings", length));
    if (ul_str_is(type, "yarn"))
        length = number(rope, "original_max_position_embeddings", length);
    double factor = ul_jreal(rope, "factor", 1.0);
    return factor > 0 ? (uint64_t)((double)length * factor) : length;
}

/* model_arch_config_convertor.py: derive_max_model_len_and_key: the least of several keys. */
static uint64_t max_length(const struct ul_vmodel *m)
{
    static const char *const keys[] = {
        "max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "model_max_length",
        "max_target_positions", "max_sequence_length", "max_seq_length", "seq_len", NULL};
    uint64_t length = UINT64_MAX;
    for (const char *const *k = keys; *k; k++)
        length = ul_min(length, number(m->text, *k, UINT64_MAX));
    length = number(m->text, "model_max_length", length);
    if (length == UINT64_MAX)
        length = m->class && m->class->max_len ? m->class->max_len : 2048;
    return scaled_length(m, length);
}

/* ------------------------------------------------------------------ quantisation */

static bool starts(struct ul_str s, const char *with)
{
    return ul_str_starts(s, with);
}

/* What `auto` becomes: torch_utils.py: resolve_kv_cache_dtype_string. */
static const char *cache_type(const struct ul_vmodel *m, struct ul_str method)
{
    const struct ul_jvalue *scheme = ul_jget(m->quant_config, "kv_cache_scheme");
    struct ul_str algo = ul_jstr(m->quant_config, "kv_cache_quant_algo", "");
    if (ul_str_is(method, "compressed-tensors"))
        return scheme ? "fp8" : "auto";
    if (!starts(method, "modelopt"))
        return "auto";
    if (ul_str_is(algo, "FP8") || ul_jint(scheme, "num_bits", 0) == 8)
        return "fp8";
    return ul_str_is(algo, "NVFP4") || ul_jint(scheme, "num_bits", 0) == 4 ? "nvfp4" : "auto";
}

static void read_quant(struct ul_vmodel *m, struct ul_arena *a)
{
    m->quant_config = ul_jget(m->root, "quantization_config");
    if (!m->quant_config)
        m->quant_config = ul_jget(m->text, "quantization_config");
    if (!m->quant_config)
        m->quant_config = ul_jget(m->root, "compression_config");
    struct ul_str method = ul_jstr(m->quant_config, "quant_method", "");
    m->quant = text_of(a, method);
    m->cache_dtype = cache_type(m, method);
}

/* ------------------------------------------------------------------ layers */

static struct ul_vlayer attention(const struct ul_vmodel *m)
{
    return (struct ul_vlayer){.attention = true, .kind = UL_V_FULL,
                              .kv_heads = (uint32_t)m->kv_heads, .head_k = (uint32_t)m->head_dim,
                              .head_v = (uint32_t)m->head_dim};
}

static struct ul_vlayer windowed(const struct ul_vmodel *m)
{
    struct ul_vlayer l = attention(m);
    l.kind = m->window ? UL_V_WINDOW : UL_V_FULL;
    l.window = m->window;
    return l;
}

static struct ul_vlayer latent(const struct ul_vmodel *m)
{
    return (struct ul_vlayer){.attention = true, .kind = UL_V_LATENT, .kv_heads = 1,
                              .head_k = (uint32_t)(m->latent + m->rope)};
}

/* A layer by its word in layer_types. False: no such kind is known. */
static bool by_word(const struct ul_vmodel *m, struct ul_str word, struct ul_vlayer *l)
{
    static const char *const states[] = {"linear_attention", "mamba", "mamba2", "conv", NULL};
    if (ul_str_is(word, "full_attention") || ul_str_is(word, "attention")) {
        *l = attention(m);
        return true;
    }
    if (ul_str_is(word, "sliding_attention")) {
        *l = windowed(m);
        return m->window != 0;
    }
    for (const char *const *s = states; *s; s++)
        if (ul_str_is(word, *s)) {
            *l = (struct ul_vlayer){.state = true};
            return m->states.kind != UL_VS_NONE;
        }
    return false;
}

static void unknown_word(struct ul_vmodel *m, struct ul_arena *a, struct ul_str word)
{
    if (!m->unknown)
        m->unknown = ul_format(a, "no rule for layers of the kind '%.*s'",
                               (int)(word.n > 60 ? 60 : word.n), word.p);
}

/* The list of words, one a layer; false: the configuration has none. */
static bool read_words(struct ul_vmodel *m, struct ul_arena *a)
{
    const struct ul_jvalue *list = ul_jget(m->text, "layer_types");
    if (!list)
        list = ul_jget(m->text, "layers_block_type");
    if (!list)
        return false;
    const struct ul_jvalue *v = list->first;
    for (uint32_t i = 0; i < m->n_layers; i++, v = v ? v->next : NULL) {
        struct ul_str word = v && v->kind == UL_J_STRING ? v->s : UL_STR("missing");
        if (!by_word(m, word, &m->layers[i]))
            unknown_word(m, a, word);
    }
    return true;
}

static void all_layers(struct ul_vmodel *m, struct ul_vlayer l)
{
    for (uint32_t i = 0; i < m->n_layers; i++)
        m->layers[i] = l;
}

/* engine/arg_utils.py: a window is for all layers only when the configuration does not mix. */
static void read_dense(struct ul_vmodel *m)
{
    const struct ul_jvalue *list = ul_jget(m->text, "layer_types");
    bool sliding = list == NULL;
    if (m->class->window_switch && !ul_jbool(m->text, "use_sliding_window", false))
        m->window = 0;
    else if (m->class->window_switch && m->window && !m->unknown)
        m->unknown = "no rule for use_sliding_window with max_window_layers";
    for (const struct ul_jvalue *v = list ? list->first : NULL; v; v = v->next)
        if (!(sliding = v->kind == UL_J_STRING && ul_str_is(v->s, "sliding_attention")))
            break;
    all_layers(m, sliding ? windowed(m) : attention(m));
}

/* Windows but for every n-th layer: what configuration classes make of a missing layer_types. */
static void read_types(struct ul_vmodel *m, struct ul_arena *a)
{
    uint64_t n = number(m->text, "sliding_window_pattern",
                        number(m->text, "_sliding_window_pattern", (uint64_t)m->class->pattern));
    if (read_words(m, a))
        return;
    for (uint32_t i = 0; i < m->n_layers; i++)
        m->layers[i] = n && (i + 1) % n ? windowed(m) : attention(m);
    if (!n)
        all_layers(m, windowed(m));
}

static void read_even(struct ul_vmodel *m)
{
    for (uint32_t i = 0; i < m->n_layers; i++)
        m->layers[i] = i % 2 == 0 ? windowed(m) : attention(m);
}

/* configs/gemma4.py: gemma4_layer_config; models/gemma4.py: the last layers share earlier ones'. */
static void read_gemma4(struct ul_vmodel *m, struct ul_arena *a)
{
    uint64_t dim = number(m->text, "global_head_dim", m->head_dim);
    uint64_t shared = number(m->text, "num_kv_shared_layers", 0);
    uint64_t kv = ul_jbool(m->text, "attention_k_eq_v", false)
                      ? number(m->text, "num_global_key_value_heads", m->kv_heads) : m->kv_heads;
    if (!read_words(m, a) && !m->unknown)
        m->unknown = "the configuration does not say 'layer_types'";
    for (uint32_t i = 0; i < m->n_layers; i++) {
        struct ul_vlayer *l = &m->layers[i];
        if (i + shared >= m->n_layers)
            *l = (struct ul_vlayer){0};
        else if (l->kind == UL_V_FULL) {
            l->kv_heads = (uint32_t)kv;
            l->head_k = l->head_v = (uint32_t)dim;
        }
    }
}

/* models/llama4.py: layers without positions attend to everything. */
static void read_llama4(struct ul_vmodel *m)
{
    const struct ul_jvalue *list = ul_jget(m->text, "no_rope_layers");
    uint64_t chunk = number(m->text, "attention_chunk_size", 0);
    uint64_t step = number(m->text, "no_rope_layer_interval", 4);
    for (uint32_t i = 0; i < m->n_layers; i++) {
        const struct ul_jvalue *v = list && list->n ? ul_jitem(list, i) : NULL;
        bool rope = v ? v->i != 0 : step == 0 || (i + 1) % step != 0;
        m->layers[i] = attention(m);
        if (rope && chunk) {
            m->layers[i].kind = UL_V_CHUNK;
            m->layers[i].window = chunk;
        }
    }
}

/* models/deepseek_v2.py: layers may use the choice of an earlier layer's indexer. */
static bool own_indexer(const struct ul_vmodel *m, uint32_t i)
{
    struct ul_str pattern = ul_jstr(m->text, "index_topk_pattern", "");
    uint64_t every = number(m->text, "index_topk_freq", 1);
    uint64_t from = number(m->text, "index_skip_topk_offset", 2);
    if (pattern.n)
        return i >= pattern.n || pattern.p[i] != 'S';
    return every < 2 || i + 1 <= from || (i + 1 - from) % every == 0;
}

static void read_latent_layers(struct ul_vmodel *m, struct ul_arena *a)
{
    if (!needed(m, a, "kv_lora_rank") || !needed(m, a, "qk_rope_head_dim"))
        return;
    for (uint32_t i = 0; i < m->n_layers; i++) {
        m->layers[i] = latent(m);
        m->layers[i].indexer = m->index_dim && own_indexer(m, i);
    }
}

/* models/deepseek_v4: every layer has a window; some also compressed history. */
static void read_v4(struct ul_vmodel *m, struct ul_arena *a)
{
    const struct ul_jvalue *list = ul_jget(m->text, "compress_ratios");
    if (!list && !m->unknown)
        m->unknown = "the configuration does not say 'compress_ratios'";
    if (list && m->head_dim != 512 && !m->unknown)
        m->unknown = "no rule for compressed latents whose length is not 512";
    needed(m, a, "sliding_window");
    m->index_dim = number(m->text, "index_head_dim", 128);
    for (uint32_t i = 0; list && i < m->n_layers; i++) {
        const struct ul_jvalue *v = ul_jitem(list, i);
        uint32_t ratio = v && v->i > 1 && v->i <= 1 << 20 ? (uint32_t)v->i : 1;
        m->layers[i] = (struct ul_vlayer){.attention = true, .kind = UL_V_WINDOW_MLA,
                                          .kv_heads = 1, .head_k = 512, .window = m->window,
                                          .ratio = ratio};
        if (ratio != 1 && ratio != 4 && ratio != 128 && !m->unknown)
            m->unknown = ul_format(a, "no rule for a compression of %u", ratio);
    }
}

/* configs/qwen3_next.py: every n-th layer is full. */
static void read_linear(struct ul_vmodel *m, struct ul_arena *a)
{
    uint64_t every = number(m->text, "full_attention_interval", 4);
    if (read_words(m, a))
        return;
    for (uint32_t i = 0; i < m->n_layers; i++)
        m->layers[i] = every && (i + 1) % every == 0 ? attention(m)
                                                     : (struct ul_vlayer){.state = true};
}

/* configs/kimi_linear.py: layers are counted from 1. */
static void read_kda(struct ul_vmodel *m, struct ul_arena *a)
{
    const struct ul_jvalue *list =
        ul_jget(ul_jget(m->text, "linear_attn_config"), "kda_layers");
    if (!list && !m->unknown)
        m->unknown = "the configuration does not say 'kda_layers'";
    read_latent_layers(m, a);
    for (const struct ul_jvalue *v = list ? list->first : NULL; v; v = v->next)
        if (v->kind == UL_J_INT && v->i >= 1 && v->i <= (int64_t)m->n_layers)
            m->layers[v->i - 1] = (struct ul_vlayer){.state = true};
}

/* models/nemotron_h.py: M a state, * attention, - and E nothing. */
static void read_pattern(struct ul_vmodel *m, struct ul_arena *a)
{
    struct ul_str p = ul_jstr(m->text, "hybrid_override_pattern", "");
    if (read_words(m, a))
        return;
    if (p.n < m->n_layers && !m->unknown)
        m->unknown = "the configuration does not say 'hybrid_override_pattern'";
    for (uint32_t i = 0; i < m->n_layers && i < p.n; i++) {
        if (p.p[i] == '*')
            m->layers[i] = attention(m);
        else if (p.p[i] == 'M')
            m->layers[i].state = true;
        else if (p.p[i] != '-' && p.p[i] != 'E')
            unknown_word(m, a, (struct ul_str){&p.p[i], 1});
    }
}

/* Words, or the older keys: attention at some indices (Bamba), or at every n-th layer (Jamba). */
static void read_blocks(struct ul_vmodel *m, struct ul_arena *a)
{
    const struct ul_jvalue *list = ul_jget(m->text, "attn_layer_indices");
    const struct ul_jvalue *full = ul_jget(m->text, "full_attn_idxs");
    uint64_t period = number(m->text, "attn_layer_period", 0);
    uint64_t offset = number(m->text, "attn_layer_offset", 0);
    if (read_words(m, a))
        return;
    if (!list)
        list = full;
    if (!list && !period && !m->unknown)
        m->unknown = "the configuration does not say 'layer_types'";
    all_layers(m, (struct ul_vlayer){.state = true});
    for (const struct ul_jvalue *v = list ? list->first : NULL; v; v = v->next)
        if (v->kind == UL_J_INT && v->i >= 0 && v->i < (int64_t)m->n_layers)
            m->layers[v->i] = attention(m);
    for (uint32_t i = 0; !list && period && i < m->n_layers; i++)
        if (i % period == offset)
            m->layers[i] = attention(m);
}

static void read_both(struct ul_vmodel *m)
{
    struct ul_vlayer l = attention(m);
    l.state = true;
    all_layers(m, l);
}

static void read_list(struct ul_vmodel *m)
{
    const struct ul_jvalue *list = ul_jget(m->text, "attn_type_list");
    if (!list && !m->unknown)
        m->unknown = "the configuration does not say 'attn_type_list'";
    for (uint32_t i = 0; i < m->n_layers; i++) {
        const struct ul_jvalue *v = ul_jitem(list, i);
        m->layers[i] = v && v->i == 1 ? attention(m) : (struct ul_vlayer){.state = true};
    }
}

static void read_layers(struct ul_vmodel *m, struct ul_arena *a)
{
    switch (m->class->read) {
    case UL_VR_DENSE: read_dense(m); break;
    case UL_VR_TYPES: read_types(m, a); break;
    case UL_VR_EVEN: read_even(m); break;
    case UL_VR_GEMMA4: read_gemma4(m, a); break;
    case UL_VR_LLAMA4: read_llama4(m); break;
    case UL_VR_LATENT: read_latent_layers(m, a); break;
    case UL_VR_V4: read_v4(m, a); break;
    case UL_VR_LINEAR: read_linear(m, a); break;
    case UL_VR_KDA: read_kda(m, a); break;
    case UL_VR_PATTERN: read_pattern(m, a); break;
    case UL_VR_BLOCKS: read_blocks(m, a); break;
    case UL_VR_BOTH: read_both(m); break;
    case UL_VR_STATES: all_layers(m, (struct ul_vlayer){.state = true}); break;
    case UL_VR_LIST: read_list(m); break;
    }
}

/* What a layer of multi-token prediction keeps: it is the model's last kind of attention. */
static void read_draft(struct ul_vmodel *m)
{
    struct ul_vlayer *draft = &m->layers[m->n_layers];
    enum ul_vread read = m->class->read;
    *draft = read == UL_VR_LATENT || read == UL_VR_KDA ? latent(m) : attention(m);
    draft->indexer = read == UL_VR_LATENT && m->index_dim != 0;
}

/* ------------------------------------------------------------------ all together */

bool ul_vmodel_has_state(const struct ul_vmodel *m)
{
    for (uint32_t i = 0; i < m->n_layers; i++)
        if (m->layers[i].state)
            return true;
    return false;
}

/* Attention needs heads; a model of states alone does not. */
static void check_heads(struct ul_vmodel *m, struct ul_arena *a)
{
    for (uint32_t i = 0; i < m->n_layers && !m->unknown; i++)
        if (m->layers[i].attention && (!m->layers[i].kv_heads || !m->layers[i].head_k)) {
            needed(m, a, "num_attention_heads");
            needed(m, a, "hidden_size");
        }
}

static int read_class(struct ul_vmodel *m, struct ul_arena *a, ullage_error *err)
{
    const struct ul_jvalue *name = ul_jitem(ul_jget(m->root, "architectures"), 0);
    if (!name || name->kind != UL_J_STRING)
        return ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                       "%s: no 'architectures': is this a model's config.json?", m->name);
    m->class = ul_vclass_find(name->s);
    m->class_name = ul_arena_copy(a, name->s.p, name->s.n);
    if (!m->class)
        m->unknown = ul_format(a, "no rule for the caches of '%.80s'", m->class_name);
    return ULLAGE_OK;
}

int ul_vmodel_read(struct ul_vmodel *m, const char *name, const char *text, size_t n,
                   struct ul_arena *a, ullage_error *err)
{
    *m = (struct ul_vmodel){.name = name, .root = ul_json_parse(name, text, n, a, err)};
    if (!m->root)
        return ULLAGE_ERROR_INPUT;
    m->text = text_part(m->root);
    int code = read_class(m, a, err);
    if (code)
        return code;
    read_heads(m);
    read_experts(m);
    read_latent(m);
    read_quant(m, a);
    m->element = 2; /* weights of 32 bits are loaded as 16: config/model.py */
    m->max_len = max_length(m);
    if (!m->n_layers)
        return ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                       "%s: no 'num_hidden_layers' between 1 and %d", name, MOST_LAYERS);
    m->layers = UL_NEWS(a, struct ul_vlayer, (size_t)m->n_layers + 1);
    if (m->class) {
        ul_vstates_read(m, a);
        read_layers(m, a);
        read_draft(m);
        check_heads(m, a);
    }
    return ULLAGE_OK;
}
