/* Settings become the context's parameters. The order below is the engine's: the server's own
 * rules first (slots, embedding batches, how many rows of logits), then what llama_init_from_model
 * refuses or switches on, then what llama_context derives. Flash attention left on auto is decided
 * last, because the engine decides it by where its scheduler puts the operation. */
#include "engine/context.h"

#include "engine/arith.h"
#include "engine/cache.h"
#include "engine/companions.h"

bool ul_layer_attends(const struct ul_model *m, uint32_t il)
{
    switch (m->arch->memory) {
    case UL_MEMORY_RECURRENT:
        return false;
    case UL_MEMORY_HYBRID:
        return ul_layer_keeps_kv(m, il);
    default:
        return m->layer[il].n_head > 0 && m->layer[il].n_head_kv > 0;
    }
}

/* ------------------------------------------------------------------ the server's rules */

/* tools/server/server.cpp, main: an embedding server processes a prompt in one micro-batch. The
 * other programs, which reserve logits for the whole batch, have no such rule. */
static void server_batches(struct ul_cparams *c, const struct ul_settings *s,
                           struct ul_notes *notes)
{
    c->n_batch = s->n_batch;
    c->n_ubatch = s->n_ubatch;
    if (s->embedding && s->outputs != ULLAGE_OUTPUTS_BATCH && c->n_batch > c->n_ubatch) {
        ul_note(notes, "batch_limited",
                "an embedding server takes n_batch = n_ubatch: %u instead of %u", c->n_ubatch,
                c->n_batch);
        c->n_batch = c->n_ubatch;
    }
}

/* A drafting server verifies a draft's tokens at once (common/speculative.cpp:
 * common_speculative_get_output_limits). */
static uint64_t rows_a_slot(const struct ul_settings *s)
{
    return 1 + (uint64_t)ul_spec_n_max(s);
}

/* tools/server/server-context.cpp, server_output_limits: a row of logits for each slot, or for
 * each token when every token's embedding may be asked for. 0: for the whole batch, as the
 * programs that set no limit. */
static uint32_t outputs_asked(const struct ul_cparams *c, const struct ul_settings *s)
{
    if (s->outputs == ULLAGE_OUTPUTS_BATCH)
        return 0;
    if (s->outputs > 0)
        return (uint32_t)s->outputs;
    if (s->draft_role)
        return (uint32_t)ul_min(ul_mul(c->n_seq_max, s->draft_role->rows), UINT32_MAX);
    if (s->embedding || s->pooling > UL_POOLING_NONE)
        return c->n_batch;
    return (uint32_t)ul_max(1, ul_min(c->n_batch, ul_mul(c->n_seq_max, rows_a_slot(s))));
}

/* ------------------------------------------------------------------ flash attention and types */

static int refuse_block(enum ul_type type, const char *which, const char *width, uint32_t n,
                        ullage_error *err)
{
    const struct ul_type_info *t = ul_type_info(type);
    if (!t->quantized || n % t->block == 0)
        return ULLAGE_OK;
    return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                   "the engine refuses: %s cache type %s with block size %u does not divide %s=%u",
                   which, t->name, t->block, width, n);
}

/* With flash attention not off, each head's row must hold whole blocks. */
static int check_blocks(const struct ul_cparams *c, const struct ul_model *m, ullage_error *err)
{
    for (uint32_t il = 0; il < m->n_layer; il++) {
        int code = refuse_block(c->type_k, "K", "n_embd_head_k", ul_n_embd_head_k(m, il), err);
        if (code)
            return code;
    }
    for (uint32_t il = 0; il < m->n_layer; il++) {
        int code = refuse_block(c->type_v, "V", "n_embd_head_v", ul_n_embd_head_v(m, il), err);
        if (code)
            return code;
    }
    return ULLAGE_OK;
}

/* src/llama-context.cpp, llama_init_from_model: what is switched and what is refused, in its order.
 * Sets *fa to on, off or still auto. */
static int check_types(enum ul_auto *fa, const struct ul_cparams *c, const struct ul_model *m,
                       const struct ul_settings *s, struct ul_notes *notes, ullage_error *err)
{
    const struct ul_type_info *v = ul_type_info(c->type_v);
    if (*fa != UL_OFF && m->arch->no_flash_attn) {
        ul_note(notes, "flash_attn_off",
                "flash attention is not compatible with this architecture: off");
        *fa = UL_OFF;
    }
    if (s->split_mode == UL_SPLIT_TENSOR && *fa == UL_AUTO) {
        ul_note(notes, "flash_attn_on", "-sm tensor needs flash attention: on");
        *fa = UL_ON;
    }
    if (s->split_mode == UL_SPLIT_TENSOR && *fa == UL_OFF)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "the engine refuses: -sm tensor requires flash attention to be enabled");
    if ((ul_is_mla(m) || m->arch->memory == UL_MEMORY_DSV4) && c->type_k != c->type_v)
        return ul_fail(
            err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
            "the engine refuses: this model does not support different K (%s) and V (%s) "
            "cache types",
            ul_type_info(c->type_k)->name, v->name);
    if (v->quantized && *fa == UL_AUTO) {
        ul_note(notes, "flash_attn_on", "a quantized V cache needs flash attention: on");
        *fa = UL_ON;
    }
    if (v->quantized && *fa == UL_OFF)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "the engine refuses: a quantized V cache (%s) requires flash attention",
                       v->name);
    if (*fa != UL_OFF && m->arch->flash_attn_aborts) /* seen in the pinned engine, with auto, too */
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "the engine aborts: this architecture works with -fa off only");
    return *fa == UL_OFF ? ULLAGE_OK : check_blocks(c, m, err);
}

/* ggml/src/ggml-cuda/fattn.cu, ggml_cuda_fattn_kv_type_supported; in 0.7.0 all of these run, mixed
 * too, those without a kernel of their own through a copy in half precision. */
static bool cuda_fattn_type(enum ul_type t)
{
    return t == UL_F32 || t == UL_F16 || t == UL_BF16 || t == UL_Q4_0 || t == UL_Q8_0 ||
           t == UL_Q4_1 || t == UL_Q5_0 || t == UL_Q5_1;
}

/* ggml/src/ggml-cuda/fattn.cu, ggml_cuda_get_best_fattn_kernel: which head sizes have a kernel.
 * `wide` says whether the heads that share a key can be processed together, which the larger ones
 * need: two or more of them, and a cache padded to 256 cells. */
static bool cuda_fattn_heads(uint32_t k, uint32_t v, uint32_t gqa, bool wide)
{
    switch (k) {
    case 40: case 64: case 72: case 80: case 96: case 112: case 128: case 256:
        return v == k;
    case 192:
        return v == 128 && wide && gqa % 8 == 0;
    case 320:
        return v == 256 && wide && gqa % 32 == 0;
    case 512:
        return v == 512 && wide;
    case 576:
        return v == 512 && wide;
    default:
        return false;
    }
}

static bool cuda_fattn(const struct ul_model *m, const struct ul_cparams *c, uint32_t il)
{
    const struct ul_layer *l = &m->layer[il];
    uint32_t gqa = l->n_head_kv ? l->n_head / l->n_head_kv : 0;
    bool padded = m->arch->memory != UL_MEMORY_NONE;
    bool wide = gqa >= 2 && padded && m->f_max_alibi_bias == 0;
    uint32_t k = ul_n_embd_head_k(m, il), v = ul_n_embd_head_v(m, il);
    if (ul_is_mla(m)) /* the values are the latent itself, a part of the key */
        v = m->layer[il].is_swa && m->n_lora_kv_swa ? m->n_lora_kv_swa : m->n_lora_kv;
    if (m->arch->memory == UL_MEMORY_NONE) /* keys come straight from the graph, not from a cache */
        return cuda_fattn_heads(k, v, gqa, wide);
    return cuda_fattn_heads(k, v, gqa, wide) && cuda_fattn_type(c->type_k) &&
           cuda_fattn_type(c->type_v);
}

/* ggml_backend_cuda_device_offload_op (ggml/src/ggml-cuda/ggml-cuda.cu): products of at least so
 * many rows go to the GPU though their matrix is the host's. */
#define OFFLOAD_ROWS 32

/* A decoder's cross attention on the host projects all that the encoder gave (as many rows as the
 * model was trained on, while nothing was encoded), even when one token is decoded: the GPU takes
 * that, and the attention behind it. */
static bool cross_attention_leaves(const struct ul_cparams *c, const struct ul_model *m,
                                   const struct ul_place *p, uint32_t il)
{
    const struct ul_weight *w = ul_weight_of(m, UL_ROLE_DEC_CROSS_ATTN_K, UL_WEIGHT, (int)il);
    int buft = w ? ul_place_of(p, m, w, -1) : -1;
    return buft >= 0 && p->buft[buft].host && c->op_offload && p->n_devices > 0 &&
           m->n_ctx_train >= OFFLOAD_ROWS;
}

/* src/llama-context.cpp, resolve_fused_ops: auto stays on unless some layer's flash attention would
 * run on another device than the layer. The CPU supports every head size. With -nkvo the caches are
 * on the CPU, and which device attention follows, that of the caches or that of the weights behind
 * it, depends on what stands between them: the graph is asked once it can be built (probe_fa). */
static bool fattn_on_its_device(const struct ul_cparams *c, const struct ul_model *m,
                                const struct ul_place *p, uint32_t *where)
{
    for (uint32_t il = 0; il < m->n_layer; il++) {
        int dev = p->layer_device[il];
        *where = il;
        if (dev == UL_DEV_CPU && cross_attention_leaves(c, m, p, il))
            return false;
        if (dev == UL_DEV_CPU || !ul_layer_attends(m, il))
            continue;
        enum ul_backend b = p->device[dev].backend;
        if ((b == UL_CUDA || b == UL_ROCM) && !cuda_fattn(m, c, il))
            return false;
    }
    return true;
}

void ul_context_no_flash_attn(struct ul_cparams *c, uint32_t il, struct ul_notes *notes)
{
    c->flash_attn = false;
    ul_note(notes, "flash_attn_off",
            "flash attention on auto is off: layer %u's would run on another device", il);
}

static void resolve_flash_attn(struct ul_cparams *c, enum ul_auto fa, const struct ul_model *m,
                               const struct ul_place *p, struct ul_notes *notes)
{
    uint32_t il = 0;
    c->flash_attn = fa != UL_OFF;
    c->v_trans = fa == UL_OFF; /* the caches are made before auto is decided */
    if (fa != UL_AUTO)
        return;
    if (!fattn_on_its_device(c, m, p, &il))
        ul_context_no_flash_attn(c, il, notes);
    c->probe_fa = c->flash_attn && !c->offload_kqv;
}

/* ------------------------------------------------------------------ llama_context */

static void resolve_pooling(struct ul_cparams *c, const struct ul_model *m,
                            const struct ul_settings *s, struct ul_notes *notes)
{
    c->pooling_type = s->pooling;
    if (s->pooling != UL_POOLING_UNSPECIFIED && s->pooling != m->pooling_type)
        ul_note(notes, "pooling_differs", "the model's pooling type is %d, %d was asked for",
                m->pooling_type, s->pooling);
    if (c->pooling_type == UL_POOLING_UNSPECIFIED)
        c->pooling_type = m->pooling_type == UL_POOLING_UNSPECIFIED ? UL_POOLING_NONE
                                                                     : m->pooling_type;
}

/* With causal attention a batch is no longer than the context as it was asked for, before it is
 * rounded. */
static void resolve_batches(struct ul_cparams *c, uint32_t n_ctx, const struct ul_model *m,
                            const struct ul_settings *s, struct ul_notes *notes)
{
    uint32_t asked = c->n_batch;
    if (c->causal_attn && n_ctx < c->n_batch)
        c->n_batch = n_ctx;
    if (c->n_batch < asked)
        ul_note(notes, "batch_limited", "n_batch is limited to the context: %u instead of %u",
                c->n_batch, asked);
    c->n_ubatch = (uint32_t)ul_min(c->n_batch, c->n_ubatch == 0 ? s->n_batch : c->n_ubatch);
    if (c->n_outputs_max == 0 || m->arch->has_encoder)
        c->n_outputs_max = c->n_batch;
    c->n_outputs_max_per_seq = c->n_outputs_max;
    if (s->outputs == ULLAGE_OUTPUTS_SLOTS)
        c->n_outputs_max_per_seq = (uint32_t)ul_min(c->n_batch, rows_a_slot(s));
}

static void note_context(const struct ul_cparams *c, uint32_t asked, const struct ul_model *m,
                         struct ul_notes *notes)
{
    uint32_t padded = (uint32_t)ul_pad(asked, UL_CTX_PAD);
    if (!c->kv_unified && c->n_ctx != padded)
        ul_note(notes, "n_ctx_not_divisible",
                "n_ctx %u is not divisible by %u slots in steps of 256: the engine takes %u", asked,
                c->n_seq_max, c->n_ctx);
    else if (c->n_ctx != asked)
        ul_note(notes, "n_ctx_rounded", "n_ctx %u is rounded up to %u", asked, c->n_ctx);
    if (c->n_ctx_seq > m->n_ctx_train)
        ul_note(notes, "over_training_context",
                "n_ctx_seq (%u) is more than the model was trained on (%u)", c->n_ctx_seq,
                m->n_ctx_train);
}

static int refuse_limits(const struct ul_settings *s, const struct ul_model *m, ullage_error *err)
{
    if (s->n_parallel > UL_MAX_SEQ)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "the engine refuses: -np %d is more than %d", s->n_parallel, UL_MAX_SEQ);
    if (s->n_batch == 0 && s->n_ubatch == 0)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "the engine refuses: -b and -ub cannot both be zero");
    if (s->n_ctx == 0 && m->n_ctx_train == 0)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "the engine refuses: -c 0, and the model states no training context");
    return ULLAGE_OK;
}

/* The slots: the server's automatic number is 4, the other programs' is 1 (common/arg.cpp sets
 * n_parallel to -1 for the server alone). */
static int slots_asked(const struct ul_settings *s)
{
    if (s->n_parallel < 0)
        return s->outputs == ULLAGE_OUTPUTS_BATCH ? 1 : -1;
    return s->n_parallel;
}

/* -c, or what the slots need together when each was given its share, or the training context. */
static uint32_t context_asked(const struct ul_settings *s, const struct ul_model *m)
{
    int slots = slots_asked(s) < 0 ? 4 : slots_asked(s);
    if (!s->ctx_given && s->ctx_per_slot)
        return (uint32_t)ul_min(ul_mul(s->ctx_per_slot, (uint64_t)slots), UINT32_MAX);
    return s->n_ctx ? s->n_ctx : m->n_ctx_train;
}

int ul_context_resolve(struct ul_cparams *c, const struct ul_model *m, const struct ul_settings *s,
                       const struct ul_place *place, const struct ul_machine *machine,
                       struct ul_notes *notes, ullage_error *err)
{
    (void)machine;
    int code = refuse_limits(s, m, err);
    if (code)
        return code;
    uint32_t n_ctx = context_asked(s, m);
    ullage_slots slots = ullage_slots_divide(n_ctx, slots_asked(s), s->kv_unified == UL_ON);
    *c = (struct ul_cparams){
        .n_ctx = slots.n_ctx, .n_ctx_seq = slots.n_ctx_seq, .n_seq_max = slots.n_seq_max,
        .kv_unified = slots.kv_unified != 0, .type_k = s->type_k, .type_v = s->type_v,
        .embeddings = s->embedding, .causal_attn = m->causal_attn,
        .offload_kqv = !s->no_kv_offload, .op_offload = !s->no_op_offload,
        .swa_full = s->swa_full, .n_rs_seq = m->arch->rolls_back ? ul_spec_snapshots(s) : 0,
        .fused_gdn_ar = true, .fused_gdn_ch = true, .fused_lid = true, .fused_dsv4_hc_pre = true,
        .fused_dsv4_hc_comb = true, .fused_dsv4_hc_post = true,
    };
    if (s->draft_role) {
        c->mtp = s->draft_role->head;
        c->draft_top_k = s->draft_role->top_k;
        c->keeps_hidden_rows = s->draft_role->hidden;
    }
    server_batches(c, s, notes);
    c->n_outputs_max = outputs_asked(c, s);
    enum ul_auto fa = s->flash_attn;
    code = check_types(&fa, c, m, s, notes, err);
    if (code)
        return code;
    resolve_pooling(c, m, s, notes);
    resolve_batches(c, n_ctx, m, s, notes);
    note_context(c, n_ctx, m, notes);
    /* src/llama-context.cpp: several devices by layer, everything offloaded, nothing overridden */
    c->pipeline_parallel = place->n_devices > 1
        && (uint32_t)place->n_gpu_layers > m->n_layer_all
        && s->split_mode == UL_SPLIT_LAYER && c->offload_kqv && s->n_overrides == 0;
    resolve_flash_attn(c, fa, m, place, notes);
    return ULLAGE_OK;
}
