/* From settings to cache specs: defaults filled in as vLLM fills them, the block size that the
 * attention back-end and the states ask for, and one spec for each cache of each layer.
 *
 * Where a default depends on something that nobody said (a GPU's compute capability), the usual
 * value is taken and a note says so. */
#include "engine/vllm_server.h"

#define GIB ((uint64_t)1 << 30)
#define MOST_RANKS 1024
#define V4_ALIGN 576 /* pages of fp8_ds_mla are multiples of it */

static void unknown(struct ul_vserver *v, const char *why)
{
    if (!v->m.unknown)
        v->m.unknown = why;
}

/* ------------------------------------------------------------------ batches */

/* engine/arg_utils.py: get_batch_defaults, of the API server. */
static void batch_defaults(const struct ul_gpu *gpu, uint64_t *batched, uint64_t *seqs)
{
    uint64_t total = gpu ? gpu->total : 0;
    bool a100 = gpu && (strstr(gpu->name, "A100") || strstr(gpu->name, "a100"));
    bool large = total >= 160 * GIB, middle = total >= 70 * GIB && !a100;
    *batched = large ? 16384 : middle ? 8192 : 2048;
    *seqs = large || middle ? 1024 : 256;
}

/* _set_default_max_num_seqs_and_batched_tokens_args. */
static void fill_batches(struct ul_vserver *v)
{
    const struct ul_vsettings *s = &v->s;
    const struct ul_gpu *gpu = ul_vserver_gpu(v, 0);
    bool twice = s->performance && strcmp(s->performance, "throughput") == 0;
    batch_defaults(gpu, &v->batched, &v->seqs);
    v->batched = s->batched ? s->batched : v->batched << twice;
    v->seqs = s->seqs ? s->seqs : v->seqs << twice;
    if (!s->batched && s->chunked == 0)
        v->batched = ul_max(v->batched, v->max_len);
    if (!s->batched)
        v->batched = ul_min(v->batched, ul_mul(v->seqs, v->max_len));
    if (!s->seqs)
        v->seqs = ul_min(v->seqs, v->batched);
    if (!gpu && (!s->batched || !s->seqs))
        ul_note(&v->notes, "batch_default",
                "No GPU was named, so the defaults of cards below 70 GiB are taken: %llu tokens a "
                "batch, %llu requests.", (unsigned long long)v->batched,
                (unsigned long long)v->seqs);
}

/* config/vllm.py: methods whose drafts come from a model go with asynchronous scheduling. */
static bool drafts_by_lookup(const char *method)
{
    static const char *const names[] = {"ngram", "suffix", "medusa", "mlp_speculator", NULL};
    for (const char *const *n = names; method && *n; n++)
        if (strcmp(method, *n) == 0)
            return true;
    return false;
}

/* config/vllm.py: max_concurrent_batches; which runner it is, default_v2_model_runner. */
static uint64_t concurrent_batches(const struct ul_vserver *v)
{
    const struct ul_vsettings *s = &v->s;
    bool async = s->async >= 0 ? s->async == 1 : !drafts_by_lookup(s->spec_method);
    bool second = v->m.class && (v->m.class->runner2
                                 || (!v->m.n_experts && !ul_vmodel_has_state(&v->m)));
    if (!v->era->two_batches)
        return 1;
    if (!async || (s->pp > 1 && !second))
        return s->pp;
    return second ? s->pp + 1 : 2;
}

/* ------------------------------------------------------------------ speculation */

static bool is_word(const char *s, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(s, *words) == 0)
            return true;
    return false;
}

/* Layers of multi-token prediction come with the model; a draft of another file is not known. */
static void fill_speculation(struct ul_vserver *v)
{
    static const char *const own[] = {
        "mtp", "deepseek_mtp", "qwen3_next_mtp", "qwen3_5_mtp", "glm4_moe_mtp", "mimo_mtp",
        "ernie_mtp", "longcat_flash_mtp", "glm4_moe_lite_mtp", "kimi_linear_mtp", NULL};
    const char *method = v->s.spec_method;
    v->load.draft_tokens = method || v->s.spec_model ? v->s.spec_tokens : 0;
    if (!method && v->s.spec_model)
        method = "draft_model";
    if (!method || drafts_by_lookup(method))
        return;
    if (!is_word(method, own)) {
        unknown(v, ul_format(v->a, "no rule for the cache of a draft by '%.40s': its layers are in "
                                   "another file", method));
        return;
    }
    if (v->m.class && (v->m.class->read == UL_VR_V4 || v->m.class->read == UL_VR_GEMMA4))
        unknown(v, "no rule for this model's own draft layers");
    v->n_drafts = v->m.n_drafts ? v->m.n_drafts : 1;
    if (v->n_drafts > 1 && v->load.draft_tokens && v->era->null_block)
        v->load.retained = v->load.draft_tokens - 1; /* get_kv_cache_configs: multi-module MTP */
}

/* ------------------------------------------------------------------ KV cache type */

static bool has_indexer(const struct ul_vmodel *m)
{
    return m->index_dim != 0;
}

static bool is_latent(const struct ul_vmodel *m)
{
    return m->class && (m->class->read == UL_VR_LATENT || m->class->read == UL_VR_KDA);
}

/* layers/attention/mla: sparse back-ends store quantised latents in a form of their own, and the
 * one of compute capability 12 does so always. */
static const char *sparse_type(const struct ul_vserver *v, const char *type)
{
    const struct ul_gpu *gpu = ul_vserver_gpu(v, 0);
    bool plain = strcmp(type, "auto") == 0 || strcmp(type, "bfloat16") == 0;
    return !plain || (gpu && gpu->cc >= 1200) ? "fp8_ds_mla" : type;
}

static void fill_cache_type(struct ul_vserver *v)
{
    const char *type = v->s.cache_dtype ? v->s.cache_dtype : "auto";
    if (strcmp(type, "auto") == 0)
        type = v->m.cache_dtype;
    if (v->m.class && v->m.class->read == UL_VR_V4)
        type = "fp8_ds_mla";
    else if (has_indexer(&v->m) && is_latent(&v->m))
        type = sparse_type(v, type);
    else if (!ul_vdtype_known(type))
        unknown(v, ul_format(v->a, "no rule for the KV cache type '%.40s'", type));
    if (v->s.skip && strcmp(type, "auto") != 0)
        unknown(v, "no rule for --kv-cache-dtype-skip-layers with a quantised cache");
    v->cache_dtype = type;
}

/* ------------------------------------------------------------------ block size */

struct backend {
    const char *name;
    uint32_t kernel, preferred; /* tokens */
};

/* v1/attention/backends: get_supported_kernel_block_sizes, get_preferred_block_size. */
static const struct backend backends[] = {
    {.name = "FLASH_ATTN", .kernel = 16, .preferred = 16},
    {.name = "FLASHINFER", .kernel = 16, .preferred = 16},
    {.name = "TRITON_ATTN", .kernel = 16, .preferred = 16},
    {.name = "FLEX_ATTENTION", .kernel = 16, .preferred = 16},
    {.name = "TRITON_MLA", .kernel = 16, .preferred = 16},
    {.name = "FLASH_ATTN_MLA", .kernel = 16, .preferred = 16},
    {.name = "FLASHMLA", .kernel = 64, .preferred = 64},
    {.name = "FLASHMLA_SPARSE", .kernel = 64, .preferred = 64},
    {.name = "FLASHINFER_MLA", .kernel = 32, .preferred = 32},
    {.name = "FLASHINFER_MLA_SPARSE", .kernel = 32, .preferred = 64},
    {.name = "FLASHINFER_MLA_SPARSE_SM120", .kernel = 64, .preferred = 64},
    {.name = "CUTLASS_MLA", .kernel = 128, .preferred = 128},
    {.name = "XPU_FLASH_ATTN", .kernel = 64, .preferred = 64},
};

static const struct backend *backend_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
        if (strcmp(backends[i].name, name) == 0)
            return &backends[i];
    return NULL;
}

/* The one that is tried first for a card: platforms/cuda.py: _get_backend_priorities. An indexer
 * asks for 64 whatever the latents' back-end is. */
static const char *usual_backend(struct ul_vserver *v, const struct ul_gpu *gpu)
{
    int major = gpu ? gpu->cc / 100 : 0;
    if (gpu && gpu->backend == UL_SYCL)
        return "XPU_FLASH_ATTN";
    if (!is_latent(&v->m))
        return "FLASH_ATTN";
    if (has_indexer(&v->m))
        return "FLASHMLA_SPARSE";
    if (!major && !v->s.block)
        ul_note(&v->notes, "block_assumed",
                "Latent attention's back-end follows from the GPU's compute capability, which is "
                "not known: blocks of 16 tokens are assumed (32 on 10.x).");
    return major == 10 ? "FLASHINFER_MLA" : "TRITON_MLA";
}

static void fill_block(struct ul_vserver *v)
{
    const struct ul_gpu *gpu = ul_vserver_gpu(v, 0);
    const char *name = v->s.backend;
    if (gpu && gpu->backend == UL_METAL) /* platforms/__init__.py: builtin_platform_plugins */
        unknown(v, "vLLM itself has no platform for Apple's GPUs");
    if (!name)
        name = usual_backend(v, gpu);
    const struct backend *b = backend_by_name(name);
    if (!b) {
        unknown(v, ul_format(v->a, "no rule for the attention back-end '%.40s'", name));
        b = &backends[0];
    }
    v->kernel_block = b->kernel;
    v->block = v->s.block ? v->s.block : b->preferred;
}

/* ------------------------------------------------------------------ states */

static uint32_t state_element(struct ul_vserver *v, const char *dtype, uint32_t otherwise)
{
    if (!dtype || strcmp(dtype, "auto") == 0)
        return otherwise;
    if (strcmp(dtype, "float32") == 0)
        return 4;
    if (strcmp(dtype, "float16") == 0 || strcmp(dtype, "bfloat16") == 0)
        return 2;
    unknown(v, ul_format(v->a, "no rule for states of the type '%.40s'", dtype));
    return otherwise;
}

/* models/config.py: MambaModelConfig; models without attention have no prefix cache. */
static enum ul_vstate_mode state_mode(const struct ul_vserver *v)
{
    bool alone = v->m.class && v->m.class->read == UL_VR_STATES;
    bool prefix = v->s.prefix >= 0 ? v->s.prefix == 1 : !alone;
    if (!prefix)
        return UL_V_STATE_NONE;
    bool all = v->s.mamba_mode && strcmp(v->s.mamba_mode, "all") == 0;
    return all && v->m.class->state_all ? UL_V_STATE_ALL : UL_V_STATE_ALIGN;
}

static uint64_t common_multiple(uint64_t a, uint64_t b)
{
    uint64_t x = a, y = b;
    while (y) {
        uint64_t r = x % y;
        x = y;
        y = r;
    }
    return ul_mul(a / x, b);
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint64_t kv_heads_of_rank(uint64_t kv_heads, uint64_t tp)
{
    return ul_max(1, kv_heads / tp);
}

/* platforms/interface.py: _align_hybrid_block_size: attention's blocks grow until a page of theirs
 * holds a state, and the state's page is padded to it. */
static void align_states(struct ul_vserver *v, uint64_t state)
{
    const struct ul_vmodel *m = &v->m;
    uint64_t token = is_latent(m)
        ? ul_vdtype_token(v->cache_dtype, 1, m->latent + m->rope, 0, m->element)
        : ul_vdtype_token(v->cache_dtype, kv_heads_of_rank(m->kv_heads, v->s.tp), m->head_dim,
                          m->head_dim, m->element);
    uint64_t step = ul_max(v->kernel_block, v->block), block;
    if (is_latent(m) && v->era->latent_128)
        step = ul_max(step, 128);
    if (!token)
        return;
    if (v->load.mode == UL_V_STATE_ALL) {
        uint64_t model = m->states.chunk ? m->states.chunk : 2048;
        uint64_t own = v->s.mamba_block ? v->s.mamba_block : model;
        uint64_t chunk = common_multiple(own, step);
        block = ul_mul(chunk, divide_up(divide_up(state, token), chunk));
    } else
        block = ul_mul(step, divide_up(state, ul_mul(step, token)));
    v->block = ul_max(v->block, block);
    v->state_page = ul_mul(v->block, token);
}

static void fill_states(struct ul_vserver *v)
{
    const struct ul_vstates *s = &v->m.states;
    v->conv_bytes = state_element(v, v->s.mamba_dtype, v->m.element);
    v->ssm_bytes = s->kind == UL_VS_KDA ? 4
        : state_element(v, v->s.ssm_dtype && strcmp(v->s.ssm_dtype, "auto") != 0 ? v->s.ssm_dtype
                                                                              : s->ssm_dtype,
                        v->conv_bytes);
    v->load.mode = state_mode(v);
    uint64_t grown = v->m.class->conv_grows ? v->load.draft_tokens : 0;
    uint64_t state = ul_vstates_bytes(s, v->s.tp, grown, v->conv_bytes, v->ssm_bytes);
    if (!state)
        unknown(v, "its states cannot be divided among that many ranks");
    if (v->s.replay == 1)
        unknown(v, "no rule for --use-replayssm");
    v->state_page = state;
    if (v->m.class->read != UL_VR_STATES)
        align_states(v, state);
}

/* ------------------------------------------------------------------ specs */

static struct ul_vspec *add(struct ul_vserver *v, uint32_t layer, enum ul_vkind kind)
{
    struct ul_vspec *s = &v->specs[v->n_specs++];
    *s = (struct ul_vspec){.kind = kind, .layer = layer, .block = v->block};
    return s;
}

/* Layers have the same shape when heads agree; the first of them names it. */
static uint32_t shape_of(const struct ul_vmodel *m, const struct ul_vlayer *l)
{
    for (uint32_t i = 0; i < m->n_layers; i++)
        if (m->layers[i].attention && m->layers[i].kv_heads == l->kv_heads
            && m->layers[i].head_k == l->head_k && m->layers[i].head_v == l->head_v)
            return i + 1;
    return m->n_layers + 1;
}

/* kv_cache_interface.py: MLAAttentionSpec with the type fp8_ds_mla: 512 values of 8 bits, 4 scales
 * of 32 and 64 values of 16 bits. */
static uint64_t token_bytes(const struct ul_vserver *v, const struct ul_vlayer *l)
{
    if (l->kind == UL_V_LATENT && strcmp(v->cache_dtype, "fp8_ds_mla") == 0)
        return l->head_k == 576 ? 656 : 0;
    return ul_vdtype_token(v->cache_dtype, kv_heads_of_rank(l->kv_heads, v->s.tp), l->head_k,
                           l->head_v, v->m.element);
}

static void add_attention(struct ul_vserver *v, uint32_t layer, const struct ul_vlayer *l)
{
    struct ul_vspec *s = add(v, layer, l->kind);
    if (l->kind == UL_V_WINDOW && v->era->window_own_block)
        s->block = v->kernel_block;
    s->window = l->window;
    s->shape = shape_of(&v->m, l);
    s->page = ul_mul(s->block, token_bytes(v, l));
    if (!s->page)
        unknown(v, ul_format(v->a, "no rule for this model's layers in the KV cache type '%s'",
                             v->cache_dtype));
    if (l->indexer) { /* 128 values of 8 bits and a scale of 32 */
        s = add(v, layer, UL_V_LATENT);
        s->page = ul_mul(s->block, ul_add(v->m.index_dim, v->m.index_dim / 128 * 4));
        s->shape = UINT32_MAX;
    }
}

static void add_state(struct ul_vserver *v, uint32_t layer)
{
    struct ul_vspec *s = add(v, layer, UL_V_STATE);
    s->page = v->state_page;
    if (v->load.mode == UL_V_STATE_NONE)
        s->block = v->max_len;
}

/* models/deepseek_v4: a window of latents; for compressed history the entries, an indexer's (of
 * every fourth token), and the compressors' states, which are windows too. Entries take 448 values
 * of 8 bits, 64 of 16 and 8 bytes of scales. */
static void add_v4(struct ul_vserver *v, uint32_t layer, const struct ul_vlayer *l)
{
    struct { enum ul_vkind kind; uint64_t block, bytes, window; bool on; } const caches[] = {
        {UL_V_WINDOW_MLA, 64, 64 * 584, l->window, true},
        {UL_V_LATENT, 256, 64 * 584, 0, l->ratio == 4},
        {UL_V_LATENT, 256, 64 * (v->m.index_dim + v->m.index_dim / 128 * 4), 0, l->ratio == 4},
        {UL_V_WINDOW_MLA, 4, (uint64_t)4 * 4 * 4 * 512, 8, l->ratio == 4},
        {UL_V_WINDOW_MLA, 4, 4 * 4 * 4 * v->m.index_dim, 8, l->ratio == 4},
        {UL_V_LATENT, 256, 2 * 584, 0, l->ratio == 128},
        {UL_V_WINDOW_MLA, 8, (uint64_t)8 * 4 * 2 * 512, 128, l->ratio == 128},
    };
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++)
        if (caches[i].on) {
            struct ul_vspec *s = add(v, layer, caches[i].kind);
            s->block = caches[i].block;
            s->page = ul_pad(caches[i].bytes, V4_ALIGN);
            s->window = caches[i].window;
            s->shape = (uint32_t)i;
        }
}

static void list_specs(struct ul_vserver *v)
{
    const struct ul_vmodel *m = &v->m;
    v->specs = UL_NEWS(v->a, struct ul_vspec, ((size_t)m->n_layers + v->n_drafts) * 5);
    for (uint32_t i = 0; i < m->n_layers + v->n_drafts; i++) {
        const struct ul_vlayer *l = &m->layers[i < m->n_layers ? i : m->n_layers];
        if (l->state)
            add_state(v, i);
        if (l->attention && m->class->read == UL_VR_V4)
            add_v4(v, i, l);
        else if (l->attention)
            add_attention(v, i, l);
    }
}

/* ------------------------------------------------------------------ what is refused or unknown */

static int check(const struct ul_vserver *v, ullage_error *err)
{
    const struct ul_vsettings *s = &v->s;
    if (s->tp > MOST_RANKS || s->pp > MOST_RANKS || s->dp > MOST_RANKS || s->pcp > MOST_RANKS)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "more than %d ranks of a kind", MOST_RANKS);
    if (v->m.heads && v->m.heads % s->tp)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "-tp %llu does not divide the model's %llu attention heads",
                       (unsigned long long)s->tp, (unsigned long long)v->m.heads);
    if (s->pp > v->m.n_layers)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "-pp %llu is more than the model's %u layers", (unsigned long long)s->pp,
                       v->m.n_layers);
    if (s->tp % s->dcp)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "--decode-context-parallel-size %llu does not divide -tp %llu",
                       (unsigned long long)s->dcp, (unsigned long long)s->tp);
    if (s->max_len > v->m.max_len)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "--max-model-len %llu is more than the model's %llu (vLLM needs "
                       "VLLM_ALLOW_LONG_MAX_MODEL_LEN=1 for it)", (unsigned long long)s->max_len,
                       (unsigned long long)v->m.max_len);
    return ULLAGE_OK;
}

static void check_known(struct ul_vserver *v)
{
    const struct ul_vsettings *s = &v->s;
    bool windows = false;
    for (uint32_t i = 0; i < v->m.n_layers; i++)
        windows |= v->m.layers[i].attention && v->m.layers[i].kind == UL_V_WINDOW;
    if (s->overrides)
        unknown(v, "no rule for --hf-overrides: write the values into config.json");
    if (s->no_window == 1 && windows)
        unknown(v, "no rule for --disable-sliding-window");
    if (s->dcp > 1 && (windows || ul_vmodel_has_state(&v->m)))
        unknown(v, "no rule for decode context parallelism with windows or states");
    if (s->runner && strcmp(s->runner, "generate") != 0 && strcmp(s->runner, "auto") != 0)
        unknown(v, "no rule for models that do not generate");
    if (s->transfer)
        ul_note(&v->notes, "connector", "A KV connector may switch the hybrid cache manager off; "
                "--disable-hybrid-kv-cache-manager shows what that gives.");
    if (s->dtype && (strcmp(s->dtype, "float32") == 0 || strcmp(s->dtype, "float") == 0))
        v->m.element = 4;
}

int ul_vserver_specs(struct ul_vserver *v, ullage_error *err)
{
    int code = check(v, err);
    if (code)
        return code;
    v->max_len = v->s.max_len ? v->s.max_len : v->m.max_len;
    v->load = (struct ul_vload){.era = v->era, .dcp = v->s.dcp, .pcp = v->s.pcp};
    check_known(v);
    fill_batches(v);
    fill_speculation(v);
    fill_cache_type(v);
    fill_block(v);
    v->load.in_flight = ul_mul(concurrent_batches(v), v->batched);
    if (v->m.unknown)
        return ULLAGE_OK;
    if (v->m.class->state != UL_VS_NONE)
        fill_states(v);
    list_specs(v);
    return ULLAGE_OK;
}
