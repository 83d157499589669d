/* A model from a header: the keys that every architecture has, the keys of its row, its windows,
 * and what becomes of its tensors. The order is the engine's (src/llama-model.cpp, load_hparams),
 * since later keys take their defaults from earlier ones. What a row needs beyond its tables is a
 * function of the row. */
#include "arch/arch.h"
#include "model/ftype.h"

#include <inttypes.h>

/* ------------------------------------------------------------------ common keys */

static void defaults(struct ul_model *m)
{
    m->n_layer_kv_from_start = -1;
    m->router_layer = -1;
    m->ple_layer = -1;
    m->expert_group_scale = 0.05f;
    m->f_attn_logit_softcapping = 50.0f;
    m->f_router_logit_softcapping = 30.0f;
    m->f_final_logit_softcapping = 30.0f;
    m->token_shift_count = 2;
    m->rope_attn_factor = 1.0f;
    m->rope_freq_base_train = 10000.0f;
    m->rope_freq_base_train_swa = 10000.0f;
    m->rope_freq_scale_train_swa = 1.0f;
    m->yarn_ext_factor = -1.0f;
    m->yarn_attn_factor = 1.0f;
    m->yarn_beta_fast = 32.0f;
    m->yarn_beta_slow = 1.0f;
    m->situ_beta = 1.0f;
    m->causal_attn = true;
    m->n_cls_out = 1;
    m->n_no_rope_layer_step = 4;
    m->n_altup = 4;
    m->laurel_rank = 64;
    m->n_embd_altup = 256;
}

static void read_sizes(struct ul_keys *k, struct ul_model *m)
{
    uint32_t pooling = (uint32_t)UL_POOLING_UNSPECIFIED;
    ul_key_str(k, "general.name", &m->name);
    ul_need_u32(k, "context_length", &m->n_ctx_train);
    ul_need_u32(k, "embedding_length", &m->n_embd);
    ul_key_u32(k, "embedding_length_out", &m->n_embd_out_impl);
    ul_key_bool(k, "attention.causal", &m->causal_attn);
    ul_key_u32(k, "pooling_type", &pooling);
    ul_need_u32(k, "block_count", &m->n_layer_all);
    m->pooling_type = (int)pooling;
    pooling = (uint32_t)UL_POOLING_UNSPECIFIED;
    ul_key_u32(k, "classifier.pooling_type", &pooling);
    ul_key_str(k, "classifier.activation", &m->cls_act);
    m->cls_pooling = (int)pooling;
    if (m->n_layer_all == 0 || m->n_layer_all > UL_MAX_LAYERS)
        ul_key_fail(k, "block_count", "%u layers; the engine takes 1 to %u", m->n_layer_all,
                    UL_MAX_LAYERS);
}

static void read_experts(struct ul_keys *k, struct ul_model *m)
{
    ul_key_u32(k, "expert_count", &m->n_expert);
    ul_key_u32(k, "expert_used_count", &m->n_expert_used);
    ul_key_u32(k, "expert_group_count", &m->n_expert_groups);
    ul_key_u32(k, "expert_group_used_count", &m->n_group_used);
    if (m->arch->one_expert_is_dense && m->n_expert <= 1)
        m->n_expert = m->n_expert_used = 0;
    if (m->n_expert > UL_MAX_EXPERTS)
        ul_key_fail(k, "expert_count", "%u experts; the engine takes at most %u", m->n_expert,
                    UL_MAX_EXPERTS);
    if (m->n_expert_used > m->n_expert || (m->n_expert > 0 && m->n_expert_used == 0))
        ul_key_fail(k, "expert_used_count", "%u of %u experts", m->n_expert_used, m->n_expert);
    if (m->n_expert_groups > 0 && m->n_expert_groups >= m->n_expert)
        ul_key_fail(k, "expert_group_count", "%u groups of %u experts", m->n_expert_groups,
                    m->n_expert);
    if (m->n_expert_groups > 1 &&
        (m->n_expert % m->n_expert_groups != 0 || m->n_group_used == 0 ||
         m->n_group_used >= m->n_expert_groups))
        ul_key_fail(k, "expert_group_used_count", "%u of %u groups of %u experts", m->n_group_used,
                    m->n_expert_groups, m->n_expert);
}

/* Arrays here have one item a layer, draft layers included: the nextn key is read only later. */
static void read_layers(struct ul_keys *k, struct ul_model *m, struct ul_arena *a)
{
    uint32_t n = m->n_layer_all;
    m->layer = UL_NEWS(a, struct ul_layer, m->arch->adds_layers ? UL_MAX_LAYERS : n);
    for (uint32_t il = 0; il < n; il++) {
        m->layer[il].rope = true;
        m->layer[il].is_recr = m->arch->memory == UL_MEMORY_RECURRENT;
        m->layer[il].deepstack = -1;
    }
    ul_key_u32s(k, "feed_forward_length", UL_PER_LAYER(m, n_ff), n);
    ul_key_u32s(k, "attention.head_count", UL_PER_LAYER(m, n_head), n);
    for (uint32_t il = 0; il < n; il++)
        m->layer[il].n_head_kv = m->layer[il].n_head;
    ul_key_u32s(k, "attention.head_count_kv", UL_PER_LAYER(m, n_head_kv), n);
}

/* The order of the sections of a multi-dimensional rope: no shape depends on it, but the engine
 * (not yet the source that was read) takes two orders only. */
static void read_section_order(struct ul_keys *k)
{
    struct ul_str order = UL_STR("tyxz");
    ul_key_str(k, "rope.section_order", &order);
    if (!ul_str_is(order, "tyxz") && !ul_str_is(order, "zyxt"))
        ul_key_fail(k, "rope.section_order", "\"%.*s\", and the engine knows tyxz and zyxt",
                    (int)order.n, order.p);
}

static void read_rope(struct ul_keys *k, struct ul_model *m)
{
    static const char *const types[] = {"none", "linear", "yarn", "longrope"};
    struct ul_str type = UL_STR("linear");
    float scale = 0.0f;
    read_section_order(k);
    ul_key_bool(k, "rope.scaling.finetuned", &m->rope_finetuned);
    m->n_ctx_orig_yarn = m->n_ctx_train;
    ul_key_u32(k, "rope.scaling.original_context_length", &m->n_ctx_orig_yarn);
    ul_key_f32(k, "rope.freq_base", &m->rope_freq_base_train);
    ul_key_str(k, "rope.scaling.type", &type);
    m->rope_scaling_type = -1;
    for (int i = 0; i < 4; i++)
        if (ul_str_is(type, types[i]))
            m->rope_scaling_type = i;
    if (m->rope_scaling_type < 0)
        ul_key_fail(k, "rope.scaling.type", "\"%.*s\" is no type of scaling", (int)type.n, type.p);
    if (!ul_key_f32(k, "rope.scaling.factor", &scale))
        ul_key_f32(k, "rope.scale_linear", &scale);
    m->rope_freq_scale_train = scale == 0.0f ? 1.0f : 1.0f / scale;
    ul_key_f32(k, "rope.scaling.attn_factor", &m->rope_attn_factor);
    ul_key_f32(k, "rope.scaling.alpha", &m->rope_scaling_alpha);
}

static void read_heads(struct ul_keys *k, struct ul_model *m)
{
    uint32_t n_head = m->layer[0].n_head;
    if (n_head > 0) {
        m->n_embd_head_k_full = m->n_embd_head_v_full = m->n_embd / n_head;
        ul_key_u32(k, "attention.key_length", &m->n_embd_head_k_full);
        ul_key_u32(k, "attention.value_length", &m->n_embd_head_v_full);
        m->n_rot_full = m->n_embd_head_k_full;
        ul_key_u32(k, "rope.dimension_count", &m->n_rot_full);
        if (m->arch->rope_is_head && m->n_rot_full != m->n_embd_head_k_full)
            ul_key_fail(k, "rope.dimension_count", "%u, and the engine requires the key length %u",
                        m->n_rot_full, m->n_embd_head_k_full);
    }
    m->n_embd_head_k_swa = m->n_embd_head_k_full;
    m->n_embd_head_v_swa = m->n_embd_head_v_full;
    ul_key_u32(k, "attention.key_length_swa", &m->n_embd_head_k_swa);
    ul_key_u32(k, "attention.value_length_swa", &m->n_embd_head_v_swa);
    m->n_rot_swa = m->n_rot_full;
    ul_key_u32(k, "rope.dimension_count_swa", &m->n_rot_swa);
}

/* Labels of a classifier are its outputs. */
static void read_labels(struct ul_keys *k, struct ul_model *m)
{
    uint64_t n = 0;
    if (ul_key_string_count(k, "classifier.output_labels", &n) && n > 0)
        m->n_cls_out = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* ------------------------------------------------------------------ the row's keys */

static void read_spec(struct ul_keys *k, struct ul_model *m, const struct ul_key_spec *s)
{
    void *field = (char *)m + s->field;
    bool found = false;
    switch ((enum ul_key_kind)s->kind) {
    case UL_KEY_U32: found = ul_key_u32(k, s->name, field); break;
    case UL_KEY_F32: found = ul_key_f32(k, s->name, field); break;
    case UL_KEY_BOOL: found = ul_key_bool(k, s->name, field); break;
    case UL_KEY_STR: found = ul_key_str(k, s->name, field); break;
    }
    if (!found && s->required)
        ul_key_missing(k, s->name);
}

static void read_nextn(struct ul_keys *k, struct ul_model *m)
{
    ul_key_u32(k, "nextn_predict_layers", &m->n_layer_nextn);
    bool all = m->arch->nextn == UL_NEXTN_LOADED && m->n_layer_nextn == m->n_layer_all;
    if (m->n_layer_nextn >= m->n_layer_all && !all) {
        ul_key_fail(k, "nextn_predict_layers", "%u of %u layers", m->n_layer_nextn, m->n_layer_all);
        m->n_layer_nextn = 0;
    }
    m->n_layer = m->n_layer_all - m->n_layer_nextn;
}

static const char pattern_key[] = "attention.sliding_window_pattern";

/* One value a layer, as an array of any length: the engine takes what there is of it. */
static bool read_swa_array(struct ul_keys *k, struct ul_model *m)
{
    uint32_t values[UL_MAX_LAYERS], n = 0;
    if (!ul_key_array(k, pattern_key, values, UL_MAX_LAYERS, &n))
        return false;
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].is_swa = il < n && values[il] != 0;
    return true;
}

/* A value a layer, or a period (0: all layers, n: every n-th is dense). The pinned engine reads
 * both for every architecture; the source that was read ignores arrays for most. */
void ul_read_swa_pattern(struct ul_keys *k, struct ul_model *m, uint32_t period, bool dense_first)
{
    if (read_swa_array(k, m))
        return;
    ul_key_u32(k, pattern_key, &period);
    ul_set_swa_pattern(m, period, dense_first);
}

static void read_pattern(struct ul_keys *k, struct ul_model *m, const struct ul_window_rule *r)
{
    if (!r->per_layer)
        ul_read_swa_pattern(k, m, r->period, r->dense_first);
    else if (!read_swa_array(k, m))
        ul_key_missing(k, pattern_key);
}

static void read_window(struct ul_keys *k, struct ul_model *m)
{
    const struct ul_window_rule *r = &m->arch->window;
    if (r->when == UL_WINDOW_NEVER)
        return;
    m->n_swa = r->n_swa;
    bool found = ul_key_u32(k, "attention.sliding_window", &m->n_swa);
    if (r->when == UL_WINDOW_IF_SET && (!found || m->n_swa == 0))
        return;
    if (!found && r->n_swa == 0)
        ul_key_missing(k, "attention.sliding_window");
    m->swa_type = (enum ul_swa_type)r->type;
    read_pattern(k, m, r);
    if (r->same_rope) {
        m->rope_freq_base_train_swa = m->rope_freq_base_train;
        m->rope_freq_scale_train_swa = m->rope_freq_scale_train;
    }
    ul_key_f32(k, "rope.freq_base_swa", &m->rope_freq_base_train_swa);
}

static void read_row(struct ul_keys *k, struct ul_model *m)
{
    const struct ul_arch *row = m->arch;
    m->rope_type = row->rope_type;
    read_nextn(k, m);
    if (row->norm == UL_NORM_LAYER)
        ul_need_f32(k, "attention.layer_norm_epsilon", &m->f_norm_eps);
    if (row->norm == UL_NORM_RMS)
        ul_need_f32(k, "attention.layer_norm_rms_epsilon", &m->f_norm_rms_eps);
    for (const struct ul_key_spec *s = row->keys; s != NULL && s->name != NULL; s++)
        read_spec(k, m, s);
    read_window(k, m);
    if (row->hparams != NULL && k->code == ULLAGE_OK)
        row->hparams(k, m);
}

/* ------------------------------------------------------------------ tensors */

void ul_rename_role(struct ul_model *m, enum ul_role from, enum ul_role to)
{
    for (size_t i = 0; i < m->n_weights; i++)
        if (m->weights[i].role == from)
            m->weights[i].role = to;
}

static bool factors(enum ul_role r)
{
    return r == UL_ROLE_ROPE_FREQS || r == UL_ROLE_ROPE_FACTORS_LONG ||
           r == UL_ROLE_ROPE_FACTORS_SHORT;
}

/* Roles that a name without a layer has, and that go with layer 0 all the same: the engine makes
 * them for its first layer (load_arch_tensors: tn(..., 0)). */
static void set_layer(struct ul_model *m, struct ul_weight *w)
{
    if (w->layer < 0 && ul_role_info(w->role)->layer_class == UL_CLASS_REPEATING && !w->unknown)
        w->layer = 0;
    w->per_layer = factors(w->role);
    if (w->layer >= (int)m->n_layer_all && ul_role_layered(w->role))
        w->unknown = true; /* a layer that the keys do not have */
}

static bool kept(const struct ul_arch *row, const struct ul_weight *w)
{
    for (const struct ul_role_ref *r = row->draft_kept; r != NULL && r->role != 0; r++)
        if (r->role == w->role && r->suffix == w->suffix)
            return true;
    return false;
}

/* Scales that load_tensors makes for every architecture, when it made what they scale: those of a
 * skipped tensor stay unread, and a file with unread tensors is refused. */
static bool is_scale(const struct ul_weight *w)
{
    return w->suffix == UL_SCALE || w->suffix == UL_INPUT_SCALE;
}

static void set_draft(struct ul_model *m, struct ul_weight *w)
{
    enum ul_nextn nextn = m->arch->nextn;
    if (nextn == UL_NEXTN_LOADED || (nextn == UL_NEXTN_DRAFT && m->load_mtp))
        return;
    w->skipped = !kept(m->arch, w);
    if (nextn == UL_NEXTN_NONE || is_scale(w))
        w->unknown = true;
}

/* Source: create_tensor: tensors without an operation are counted and passed over, as are those of
 * a draft head that is not asked for. */
static void set_skipped(struct ul_model *m, struct ul_weight *w)
{
    if (ul_role_info(w->role)->use == UL_USE_NONE)
        w->skipped = true;
    if (ul_role_layered(w->role) && w->layer >= (int)m->n_layer && m->n_layer_nextn > 0)
        set_draft(m, w);
    w->skipped = w->skipped || w->unknown;
    m->n_unknown += w->unknown;
}

static struct ul_weight *first_of(struct ul_model *m, enum ul_role role)
{
    for (size_t i = 0; i < m->n_weights; i++)
        if (m->weights[i].role == role && m->weights[i].suffix == UL_WEIGHT)
            return &m->weights[i];
    return NULL;
}

static void tie_output(struct ul_model *m, struct ul_arena *a)
{
    struct ul_weight *embd = first_of(m, UL_ROLE_TOKEN_EMBD);
    struct ul_weight *out = first_of(m, UL_ROLE_OUTPUT);
    enum ul_tied tied = m->arch->tied;
    if (out != NULL && tied == UL_TIED_ALWAYS) {
        out->skipped = out->unknown = true;
        m->n_unknown++;
        out = NULL;
    }
    if (out == NULL && embd != NULL && (tied == UL_TIED_IF_MISSING || tied == UL_TIED_ALWAYS))
        ul_model_tie(embd, UL_ROLE_OUTPUT, a);
    if (out == NULL && tied == UL_TIED_NEVER)
        m->refusal = "the file has no output.weight, and this architecture requires it";
}

/* Before the row's keys are read, since some of them ask what tensors there are. */
static void name_weights(struct ul_model *m, struct ul_arena *a)
{
    ul_model_weights(m, m->file, a);
    for (size_t i = 0; i < m->n_weights; i++)
        set_layer(m, &m->weights[i]);
    ul_model_index(m, a);
}

/* A layer without a single tensor: the engine looks for its norms and stops. A draft head alone in
 * a file (mtp_only in load_arch_tensors) has no other layers, and may. */
static bool lacks_layers(const struct ul_model *m)
{
    bool seen[UL_MAX_LAYERS] = {false};
    bool any = false;
    for (size_t i = 0; i < m->n_weights; i++)
        if (ul_role_layered(m->weights[i].role) && m->weights[i].layer < (int)m->n_layer)
            any = seen[m->weights[i].layer] = true;
    for (uint32_t il = 0; il < m->n_layer; il++)
        if (!seen[il])
            return any || m->n_layer_nextn == 0;
    return false;
}

static void load_weights(struct ul_model *m, struct ul_arena *a)
{
    if (m->arch->tensors != NULL)
        m->arch->tensors(m, a);
    for (size_t i = 0; i < m->n_weights; i++)
        set_skipped(m, &m->weights[i]);
    tie_output(m, a);
    for (uint32_t il = 0; il < m->n_layer_all; il++)
        m->layer[il].rope_factors =
            m->arch->rope_factors != NULL ? m->arch->rope_factors(m, il) : il < m->n_layer;
    ul_model_index(m, a);
    if (m->n_unknown > 0 && m->refusal == NULL)
        m->refusal = "the file has tensors that the engine does not know for this architecture";
    if (m->refusal == NULL && !m->arch->bare_layers && lacks_layers(m))
        m->refusal = "the file has no tensors for some of its layers";
}

/* A cache with windows must have a windowed layer, one without must have none: the engine checks it
 * and aborts (create_memory). */
static void check_windows(struct ul_model *m)
{
    bool window = m->swa_type != UL_SWA_NONE;
    if (m->arch->memory == UL_MEMORY_KV && window != ul_is_swa_any(m) && m->refusal == NULL)
        m->refusal = window ? "no layer has the window that the file states"
                            : "layers are windowed, but the file states no window";
}

/* ------------------------------------------------------------------ the whole */

/* Tokens of the vocabulary. A file without a tokenizer may name their number
 * (llama_vocab::impl::load); otherwise only the embedding tells it. */
static void read_vocab(struct ul_keys *k, struct ul_model *m)
{
    uint64_t n = 0;
    const struct ul_weight *embd = first_of(m, UL_ROLE_TOKEN_EMBD);
    if (ul_key_count(k, "tokenizer.ggml.tokens", &n) && n <= UINT32_MAX)
        m->n_vocab = (uint32_t)n;
    else if (!ul_key_u32(k, "vocab_size", &m->n_vocab) && embd != NULL)
        m->n_vocab = (uint32_t)embd->t->ne[1];
}

#define ANY_COLUMNS UINT64_MAX

static void expect_shape(struct ul_keys *k, const struct ul_gguf_tensor *t, uint64_t row,
                         uint64_t columns, const char *keys)
{
    if (t->ne[0] == row && (columns == ANY_COLUMNS || t->ne[1] == columns))
        return;
    k->code = ul_fail(k->err, ULLAGE_ERROR_INPUT, t->position,
                      "tensor %.*s is %" PRIu64 " x %" PRIu64 ", but %s make it %" PRIu64
                      " x %" PRIu64 ", at byte %" PRIu64,
                      (int)t->name.n, t->name.p, t->ne[0], t->ne[1], keys, row,
                      columns == ANY_COLUMNS ? t->ne[1] : columns, t->position);
}

/* Sizes that the keys state and the tensors have must be one: caches are planned by the keys,
 * weights by the tensors, and a file in which they differ does not load. The embedding and ordinary
 * keys and values are enough to find an absurd width, head count or head size.
 * Source: src/llama-model-loader.cpp: check_tensor_dims. */
static void check_shapes(struct ul_keys *k, const struct ul_model *m)
{
    for (size_t i = 0; i < m->n_weights && k->code == ULLAGE_OK; i++) {
        const struct ul_weight *w = &m->weights[i];
        uint32_t il = (uint32_t)w->layer;
        if (w->suffix != UL_WEIGHT || w->skipped)
            continue;
        if (w->role == UL_ROLE_TOKEN_EMBD)
            expect_shape(k, w->t, m->n_embd, ANY_COLUMNS, "the keys (embedding_length)");
        /* a recurrent layer's keys are no cache's, a latent cache's widths are not its heads', and
         * eagle3 attends to two vectors at once */
        if (w->layer < 0 || il >= m->n_layer_all || m->layer[il].is_recr || ul_is_mla(m) ||
            m->arch->draft_only)
            continue;
        if (w->role == UL_ROLE_ATTN_K)
            expect_shape(k, w->t, m->n_embd, ul_n_embd_k_gqa(m, il),
                         "the keys (embedding_length, attention.head_count_kv, key_length)");
        else if (w->role == UL_ROLE_ATTN_V)
            expect_shape(k, w->t, m->n_embd, ul_n_embd_v_gqa(m, il),
                         "the keys (embedding_length, attention.head_count_kv, value_length)");
    }
}

/* The same check of the embedding's other side, which a tokenizer of another model fails. */
static void check_vocab(struct ul_model *m)
{
    const struct ul_weight *w = first_of(m, UL_ROLE_TOKEN_EMBD);
    if (w != NULL && w->t->ne[1] != m->n_vocab && m->refusal == NULL)
        m->refusal = "token_embd.weight does not have a row for each token of the vocabulary";
}

static void finish(struct ul_model *m)
{
    check_windows(m);
    check_vocab(m);
    if (m->arch->draft_only) /* whatever else there is to say */
        m->refusal = "a draft model, which the engine runs beside the model it drafts for only";
    if (m->f_max_alibi_bias > 0.0f)
        m->use_alibi = true;
    m->n_embd_inp = m->n_embd_inp_impl != 0 ? m->n_embd_inp_impl
                                            : m->n_embd * (1 + m->n_deepstack_layers);
    m->n_embd_inp_enc = m->n_embd_inp_enc_impl != 0 ? m->n_embd_inp_enc_impl : m->n_embd_inp;
    m->n_embd_out = m->n_embd_out_impl != 0 ? m->n_embd_out_impl : m->n_embd;
}

static int find_row(struct ul_keys *k, struct ul_model *m)
{
    ul_key_str(k, "general.architecture", &m->arch_name);
    if (k->code == ULLAGE_OK && m->arch_name.p == NULL)
        ul_key_missing(k, "general.architecture");
    if (k->code != ULLAGE_OK)
        return k->code;
    m->arch = ul_arch_find(m->arch_name);
    if (m->arch == NULL)
        return k->code = ul_fail(k->err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                                 "unknown architecture \"%.*s\"", (int)m->arch_name.n,
                                 m->arch_name.p);
    k->arch = m->arch_name;
    return ULLAGE_OK;
}

int ul_model_load(struct ul_model *m, const struct ul_gguf *g, const struct ul_model_options *opt,
                  struct ul_arena *a, ullage_error *err)
{
    struct ul_keys k = {.g = g, .err = err};
    *m = (struct ul_model){.file = g};
    if (opt != NULL) {
        k.overrides = opt->overrides;
        k.n_overrides = opt->n_overrides;
        m->load_mtp = opt->load_mtp;
    }
    defaults(m);
    if (find_row(&k, m) != ULLAGE_OK)
        return k.code;
    read_sizes(&k, m);
    read_experts(&k, m);
    if (k.code != ULLAGE_OK)
        return k.code;
    read_layers(&k, m, a);
    read_rope(&k, m);
    read_heads(&k, m);
    read_labels(&k, m);
    name_weights(m, a);
    m->file_type = ul_file_type(m, &k);
    read_vocab(&k, m);
    read_row(&k, m);
    if (k.code != ULLAGE_OK)
        return k.code;
    load_weights(m, a);
    finish(m);
    check_shapes(&k, m);
    return k.code;
}
