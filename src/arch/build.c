/* The blocks of graph building that every program needs: weights as tensors, names and pins, norms,
 * inputs, the head, and what comes behind an architecture's own graph. Attention, feed-forward and
 * recurrent states have files of their own (build_attn.c, build_ffn.c, build_rs.c).
 *
 * Everything here follows src/llama-graph.cpp. Its August form knows one input of embeddings beside
 * the tokens; the pinned engine has a third, tokens and embeddings mixed in one batch, which the
 * recorded graphs show (inp_mixed_tokens and its neighbours). */
#include "arch/build.h"

/* A weight's tensor in one place. Most weights have one; what every device has its own copy of
 * (rope factors, a tied output) is a short list. */
struct ul_placed_weight {
    int place;
    struct ul_tensor *t;
    struct ul_placed_weight *next;      /* the same weight in another place */
    const struct ul_weight *twin;       /* in the list of twins: whose this is */
    struct ul_placed_weight *next_twin;
};

void ul_build_init(struct ul_build *b, const struct ul_model *m, const struct ul_cparams *c,
                   struct ul_graph *g, struct ul_arena *a)
{
    *b = (struct ul_build){.model = m, .cparams = c, .graph = g, .arena = a, .cpu_backend = -1};
    b->weight = UL_NEWS(a, struct ul_placed_weight, m->n_weights);
}

/* llama_context::graph_reserve (src/llama-context.cpp): the batch is n_seqs sequences of equal
 * length. */
void ul_build_batch(struct ul_build *b, uint32_t n_tokens, uint32_t n_seqs, uint32_t n_outputs)
{
    b->n_seqs = n_seqs;
    b->n_tokens = (int64_t)ul_pad(n_tokens, n_seqs);
    b->n_seq_tokens = b->n_tokens / n_seqs;
    b->n_outputs = n_outputs;
    b->n_stream = b->cparams->kv_unified ? 1 : n_seqs;
}

/* --- weights and caches as tensors ------------------------------------------------------------ */

static struct ul_tensor *make_weight(struct ul_build *b, const struct ul_weight *w, int place)
{
    int64_t ne[4];
    for (int i = 0; i < 4; i++)
        ne[i] = (int64_t)w->t->ne[i];
    struct ul_tensor *t = ul_placed_tensor(b->arena, w->t->type, ne, place, true);
    t->name = ul_arena_copy(b->arena, w->t->name.p, w->t->name.n);
    t->origin = w;
    return t;
}

/* Where a weight's tensors are kept. A twin (the embedding as output) is outside the model's
 * array. */
static struct ul_placed_weight *kept(struct ul_build *b, const struct ul_weight *w)
{
    const struct ul_model *m = b->model;
    if (w >= m->weights && w < m->weights + m->n_weights)
        return &b->weight[w - m->weights];
    struct ul_placed_weight **p = &b->twins;
    while (*p != NULL && (*p)->twin != w)
        p = &(*p)->next_twin;
    if (*p == NULL) {
        *p = UL_NEW(b->arena, struct ul_placed_weight);
        (*p)->twin = w;
    }
    return *p;
}

struct ul_tensor *ul_wt_suffix(struct ul_build *b, enum ul_role role, enum ul_suffix suffix, int il)
{
    const struct ul_arch *arch = b->model->arch;
    if (arch->weights_layer && il >= 0 && suffix != UL_SCALE)
        il = (int)arch->weights_layer(b->model, (uint32_t)il);
    const struct ul_weight *w = ul_weight_of(b->model, role, suffix, il);
    if (w == NULL && suffix == UL_WEIGHT) /* some are called by their stem alone (ssm_a) */
        w = ul_weight_of(b->model, role, UL_NO_SUFFIX, il);
    if (w == NULL)
        return NULL;
    int place = b->place_of ? b->place_of(b->place_ctx, w, il) : 0;
    if (place < 0)
        return NULL;
    struct ul_placed_weight *p = kept(b, w);
    while (p->t != NULL && p->place != place && p->next != NULL)
        p = p->next;
    if (p->t != NULL && p->place != place)
        p = p->next = UL_NEW(b->arena, struct ul_placed_weight);
    if (p->t == NULL) {
        p->place = place;
        p->t = make_weight(b, w, place);
    }
    return p->t;
}

static struct ul_tensor *make_cache(struct ul_build *b, const char *name, int il, enum ul_type type,
                                    const int64_t ne[4], int place, const void *origin)
{
    struct ul_tensor *t = ul_placed_tensor(b->arena, type, ne, place, false);
    ulg_name(t, name, il);
    t->origin = origin;
    return t;
}

/* Hybrids that have an indexer beside keys, values and states call its keys so. */
static bool names_of_index(const struct ul_build *b, const struct ul_kv_cache *c)
{
    return c->indexer && b->model->arch->memory == UL_MEMORY_HYBRID;
}

/* src/llama-kv-cache.cpp, llama_kv_cache: one tensor [width, cells, streams] a layer. */
static void make_caches(struct ul_build *b, struct ul_kv_cache *c)
{
    for (uint32_t i = 0; i < c->n_layers; i++) {
        struct ul_kv_layer *l = &c->layer[i];
        const int64_t k[4] = {(int64_t)l->k_width, c->cells, c->streams, 1};
        const int64_t v[4] = {(int64_t)l->v_width, c->cells, c->streams, 1};
        if (l->k == NULL)
            l->k = make_cache(b, names_of_index(b, c) ? "cache_idx_k_l%d" : "cache_k_l%d", l->il,
                              l->k_type, k, l->place, l);
        if (l->v == NULL && l->v_width > 0)
            l->v = make_cache(b, "cache_v_l%d", l->il, l->v_type, v, l->place, l);
    }
}

/* src/llama-memory-recurrent.cpp: [width, cells] a layer. R is there even when it is empty
 * (minimax-01). */
static void make_states(struct ul_build *b, struct ul_state *s)
{
    for (uint32_t i = 0; i < s->n_layers; i++) {
        struct ul_state_layer *l = &s->layer[i];
        const int64_t r[4] = {(int64_t)l->r_width, s->cells, 1, 1};
        const int64_t t[4] = {(int64_t)l->s_width, s->cells, 1, 1};
        const int64_t p[4] = {(int64_t)l->p_width, s->cells, 1, 1};
        if (l->r == NULL)
            l->r = make_cache(b, "cache_r_l%d", l->il, l->r_type, r, l->place, l);
        if (l->s == NULL && l->s_width > 0)
            l->s = make_cache(b, "cache_s_l%d", l->il, l->s_type, t, l->place, l);
        if (l->p == NULL && l->p_width > 0)
            l->p = make_cache(b, "cache_ple_r_l%d", l->il, l->p_type, p, l->place, l);
    }
}

static void make_memory(struct ul_build *b)
{
    if (b->memory == NULL)
        return;
    for (int i = 0; i < UL_KV_COUNT; i++)
        make_caches(b, &b->memory->cache[i]);
    make_states(b, &b->memory->state);
    for (uint32_t i = 0; i < b->memory->n_extra; i++) {
        struct ul_kv_extra *e = &b->memory->extra[i];
        if (e->t == NULL)
            e->t = make_cache(b, e->name, e->il, e->type, e->ne, e->place, e);
    }
}

struct ul_kv_layer *ul_kv_of(struct ul_build *b, enum ul_kv_role cache, int il)
{
    struct ul_kv_cache *c = &b->memory->cache[cache];
    for (uint32_t i = 0; i < c->n_layers; i++)
        if (c->layer[i].il == il)
            return &c->layer[i];
    int other = b->model->arch->reuses ? b->model->arch->reuses(b->model, (uint32_t)il) : -1;
    return other >= 0 && other != il ? ul_kv_of(b, cache, other) : NULL;
}

struct ul_state_layer *ul_state_of(struct ul_build *b, int il)
{
    struct ul_state *s = &b->memory->state;
    for (uint32_t i = 0; i < s->n_layers; i++)
        if (s->layer[i].il == il)
            return &s->layer[i];
    return NULL;
}

struct ul_tensor *ul_kv_extra_of(struct ul_build *b, const char *name, int il)
{
    for (uint32_t i = 0; i < b->memory->n_extra; i++) {
        struct ul_kv_extra *e = &b->memory->extra[i];
        if (e->il == il && strcmp(e->name, name) == 0)
            return e->t;
    }
    return NULL;
}

/* --- small blocks ----------------------------------------------------------------------------- */

static struct ul_tensor *steer(struct ul_build *b, struct ul_tensor *t, int il);

struct ul_tensor *ul_cb(struct ul_build *b, struct ul_tensor *t, const char *name, int il)
{
    if (t == NULL)
        return NULL;
    if (b->cparams->control_place && strcmp(name, "l_out") == 0)
        t = steer(b, t, il);
    ulg_name(t, name, il);
    /* llama_context::graph_get_cb */
    if (il >= 0 && b->layer_backend != NULL &&
        (strcmp(name, "norm") == 0 || strcmp(name, "l_last") == 0))
        t->backend = b->layer_backend[il];
    return t;
}

struct ul_tensor *ul_note_fused(struct ul_build *b, struct ul_tensor *t, int il)
{
    struct ul_fused *f = UL_NEW(b->arena, struct ul_fused);
    *f = (struct ul_fused){.t = t, .il = il, .next = b->fused};
    b->fused = f;
    return t;
}

void ul_expand(struct ul_build *b, struct ul_tensor *t)
{
    ul_graph_expand(b->graph, t);
}

/* A tensor that the graph cannot do without is not in the file: the graph is bad, and building goes
 * on. */
static struct ul_tensor *missing(struct ul_build *b, struct ul_tensor *instead)
{
    if (b->graph->bad == NULL)
        b->graph->bad = "a tensor is missing";
    return instead;
}

struct ul_tensor *ul_wt_needed(struct ul_build *b, enum ul_role role, int il)
{
    struct ul_tensor *t = ul_wt(b, role, il);
    return t ? t : missing(b, ulg_new_1d(b->graph, UL_F32, 1));
}

struct ul_adapter_tensors {
    const struct ul_adapter_pair *pair;
    struct ul_tensor *a, *b;
    struct ul_adapter_tensors *next;
};

static struct ul_tensor *adapter_matrix(struct ul_build *b, const struct ul_gguf_tensor *t,
                                        int place)
{
    const int64_t ne[4] = {(int64_t)t->ne[0], (int64_t)t->ne[1], (int64_t)t->ne[2],
                           (int64_t)t->ne[3]};
    struct ul_tensor *m = ul_placed_tensor(b->arena, t->type, ne, place, false);
    m->name = ul_arena_copy(b->arena, t->name.p, t->name.n);
    return m;
}

/* A pair's tensors, made once like a weight's. */
static const struct ul_adapter_tensors *pair_tensors(struct ul_build *b,
                                                     const struct ul_adapter_pair *p)
{
    struct ul_adapter_tensors *t = b->adapters;
    while (t != NULL && t->pair != p)
        t = t->next;
    if (t == NULL) {
        t = UL_NEW(b->arena, struct ul_adapter_tensors);
        *t = (struct ul_adapter_tensors){.pair = p,
                                         .a = adapter_matrix(b, p->a, p->place),
                                         .b = adapter_matrix(b, p->b, p->place),
                                         .next = b->adapters};
        b->adapters = t;
    }
    return t;
}

/* Each adapter's pair for this weight adds its own product (ids: of the experts chosen, or
 * NULL). */
static struct ul_tensor *adapt(struct ul_build *b, const struct ul_tensor *w, struct ul_tensor *cur,
                               struct ul_tensor *ids, struct ul_tensor *r)
{
    struct ul_graph *g = b->graph;
    for (const struct ul_adapter_pair *p = b->cparams->adapters; p != NULL; p = p->next) {
        if (p->weight != w->origin)
            continue;
        const struct ul_adapter_tensors *t = pair_tensors(b, p);
        struct ul_tensor *x = ids ? ulg_mul_mat_id(g, t->b, ulg_mul_mat_id(g, t->a, cur, ids), ids)
                                  : ulg_mul_mat(g, t->b, ulg_mul_mat(g, t->a, cur));
        r = ulg_add(g, r, ulg_scale(g, x));
    }
    return r;
}

struct ul_tensor *ul_mm(struct ul_build *b, struct ul_tensor *w, struct ul_tensor *cur,
                        struct ul_tensor *w_s)
{
    if (w == NULL)
        return missing(b, cur);
    struct ul_tensor *r = ulg_mul_mat(b->graph, w, cur);
    return adapt(b, w, cur, NULL, w_s ? ulg_mul(b->graph, r, w_s) : r);
}

struct ul_tensor *ul_mm_id(struct ul_build *b, struct ul_tensor *w, struct ul_tensor *cur,
                           struct ul_tensor *ids, struct ul_tensor *w_s)
{
    struct ul_graph *g = b->graph;
    if (w == NULL)
        return missing(b, cur);
    struct ul_tensor *r = ulg_mul_mat_id(g, w, cur, ids);
    if (w_s != NULL) {
        int64_t n_expert = w_s->ne[0], n_tokens = cur->ne[2];
        struct ul_tensor *s = ulg_reshape_3d(g, w_s, 1, n_expert, 1);
        s = ulg_repeat_4d(g, s, 1, n_expert, n_tokens, 1);
        r = ulg_mul(g, r, ulg_get_rows(g, s, ids));
    }
    return adapt(b, w, cur, ids, r);
}

/* The embedding's pair is the other way round: rows of the first, times the second. */
static struct ul_tensor *adapt_rows(struct ul_build *b, const struct ul_tensor *table,
                                    struct ul_tensor *ids, struct ul_tensor *r)
{
    struct ul_graph *g = b->graph;
    for (const struct ul_adapter_pair *p = b->cparams->adapters; p != NULL; p = p->next) {
        if (p->weight != table->origin)
            continue;
        const struct ul_adapter_tensors *t = pair_tensors(b, p);
        r = ulg_add(g, r, ulg_scale(g, ulg_mul_mat(g, t->b, ulg_get_rows(g, t->a, ids))));
    }
    return r;
}

/* llama_adapter_cvec::apply_to, which the engine calls just before it names a layer's output. */
static struct ul_tensor *steer(struct ul_build *b, struct ul_tensor *t, int il)
{
    const struct ul_cparams *c = b->cparams;
    const int64_t ne[4] = {b->model->n_embd, 1, 1, 1};
    if (!c->control_place || il < 1 || il < c->control_first || il > c->control_last
        || il >= (int)b->model->n_layer)
        return t;
    return ulg_add(b->graph, t,
                   ul_placed_tensor(b->arena, UL_F32, ne, c->control_place[il], false));
}

struct ul_tensor *ul_add_opt(struct ul_build *b, struct ul_tensor *a, struct ul_tensor *bias)
{
    return bias ? ulg_add(b->graph, a, bias) : a;
}

struct ul_tensor *ul_norm_block(struct ul_build *b, struct ul_tensor *cur, struct ul_tensor *w,
                                struct ul_tensor *bias, enum ul_norm_key kind, int il)
{
    struct ul_graph *g = b->graph;
    cur = kind == UL_NORM_LAYER ? ulg_norm(g, cur) : ulg_rms_norm(g, cur);
    if (w || bias)
        ul_cb(b, cur, "norm", il);
    if (w) {
        cur = ulg_mul(g, cur, w);
        if (bias)
            ul_cb(b, cur, "norm_w", il);
    }
    return ul_add_opt(b, cur, bias);
}

struct ul_tensor *ul_norm_of(struct ul_build *b, struct ul_tensor *cur, enum ul_role role,
                             enum ul_norm_key kind, int il)
{
    return ul_norm_block(b, cur, ul_wt(b, role, il), ul_wt_bias(b, role, il), kind, il);
}

/* --- inputs ----------------------------------------------------------------------------------- */

static struct ul_tensor *input(struct ul_build *b, enum ul_type type, const char *name, int64_t n0,
                               int64_t n1)
{
    struct ul_tensor *t = ulg_new_2d(b->graph, type, n0, n1);
    ulg_set_input(t);
    return ulg_name(t, name, -1);
}

/* As wide as raw embeddings are (deepstack models have wider ones). */
static struct ul_tensor *widen(struct ul_build *b, struct ul_tensor *t)
{
    int64_t more = (int64_t)b->model->n_embd_inp - (int64_t)b->model->n_embd;
    return more > 0 ? ulg_pad(b->graph, t, more, 0, 0, 0) : t;
}

/* build_inp_embd. All ways into the graph are built, one is computed (ggml_build_forward_select):
 * tokens; raw embeddings; embeddings written over the rows that tokens gave. */
struct ul_tensor *ul_inp_embd(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    int64_t width = b->model->n_embd_inp, n = b->n_tokens;
    struct ul_tensor *table = ul_wt(b, UL_ROLE_TOKEN_EMBD, -1);
    if (table == NULL)
        return missing(b, input(b, UL_F32, "inp_embd", b->model->n_embd, n));
    b->t_inp_tokens = input(b, UL_I32, "inp_tokens", n, 1);
    struct ul_tensor *cur = ulg_get_rows(g, table, b->t_inp_tokens);
    struct ul_tensor *embd = input(b, UL_F32, "inp_embd", width, n);
    struct ul_tensor *mixed = NULL, *mixed_ids = NULL;
    ul_expand(b, cur);
    if (!b->model->arch->no_mixed_input) {
        mixed_ids = input(b, UL_I32, "inp_mixed_tokens", n, 1);
        mixed = ulg_get_rows(g, table, mixed_ids);
        ul_expand(b, mixed);
    }
    cur = widen(b, adapt_rows(b, table, b->t_inp_tokens, cur));
    ul_expand(b, cur);
    ul_expand(b, embd);
    if (mixed != NULL) {
        struct ul_tensor *slots = input(b, UL_I64, "inp_mixed_slots", n, 1);
        struct ul_tensor *over = ulg_dup(g, input(b, UL_F32, "inp_mixed_embd", width, n));
        ul_expand(b, ulg_set_rows(g, over, widen(b, adapt_rows(b, table, mixed_ids, mixed)),
                                   slots));
    }
    if (b->model->n_embd_inp != b->model->n_embd)
        cur = ulg_view_2d(g, cur, b->model->n_embd, n, cur->nb[1], 0);
    b->t_inp_embd = cur;
    if (b->model->f_embedding_scale != 0.0f) {
        if (!ul_tensor_contiguous(cur))
            cur = ulg_cont(g, cur);
        cur = ulg_scale(g, cur);
    }
    ul_cb(b, cur, "embd", -1);
    ul_expand(b, cur);
    return cur;
}

struct ul_tensor *ul_inp_pos(struct ul_build *b)
{
    if (b->inp_pos == NULL)
        b->inp_pos = input(b, UL_I32, "inp_pos", b->n_tokens * ul_n_pos_per_embd(b->model), 1);
    return b->inp_pos;
}

struct ul_tensor *ul_inp_out_ids(struct ul_build *b)
{
    if (b->inp_out_ids == NULL)
        b->inp_out_ids = input(b, UL_I32, "out_ids", b->n_outputs, 1);
    return b->inp_out_ids;
}

struct ul_tensor *ul_inp_attn_scale(struct ul_build *b)
{
    struct ul_tensor *t = ulg_new_3d(b->graph, UL_F32, 1, 1, b->n_tokens);
    ulg_set_input(t);
    return ulg_name(t, "attn_scale", -1);
}

struct ul_tensor *ul_inp_scale_rows(struct ul_build *b)
{
    return input(b, UL_F32, "inp_scale_rows", 1, b->n_tokens);
}

struct ul_tensor *ul_last_rows(struct ul_build *b, struct ul_tensor *t, int il)
{
    if (t == NULL || il != (int)b->model->n_layer - 1)
        return t;
    return ulg_get_rows(b->graph, t, ul_inp_out_ids(b));
}

/* --- the head --------------------------------------------------------------------------------- */

struct ul_tensor *ul_result_norm(struct ul_build *b, struct ul_tensor *cur, enum ul_norm_key kind)
{
    cur = ul_norm_of(b, cur, UL_ROLE_OUTPUT_NORM, kind, -1);
    ul_cb(b, cur, "result_norm", -1);
    b->t_embd = cur;
    return cur;
}

/* Newer than the source that was read: who pools embeddings gets no logits, and who does not has
 * the embeddings in the graph before them. */
bool ul_wants_logits(struct ul_build *b)
{
    if (!b->cparams->embeddings || b->t_embd == NULL)
        return true;
    if (b->cparams->pooling_type != UL_POOLING_NONE)
        return false;
    ul_expand(b, b->t_embd);
    return true;
}

void ul_result_output(struct ul_build *b, struct ul_tensor *cur)
{
    struct ul_graph *g = b->graph;
    if (!ul_wants_logits(b))
        return;
    struct ul_tensor *out = ul_wt(b, UL_ROLE_OUTPUT, -1);
    if (out == NULL && b->model->arch->tied == UL_TIED_NO_OUTPUT) /* bitnet: the embedding itself */
        out = ul_wt(b, UL_ROLE_TOKEN_EMBD, -1);
    cur = ul_mm(b, out, cur, ul_wt_scale(b, UL_ROLE_OUTPUT, -1));
    if (!b->model->arch->dense.no_output_bias)
        cur = ul_add_opt(b, cur, ul_wt_bias(b, UL_ROLE_OUTPUT, -1));
    if (b->model->f_logit_scale != 0.0f)
        cur = ulg_scale(g, cur);
    if (b->model->arch->dense.soft_cap && b->model->f_final_logit_softcapping != 0.0f)
        cur = ulg_scale(g, ulg_tanh(g, ulg_scale(g, cur)));
    ul_cb(b, cur, "result_output", -1);
    b->t_logits = cur;
    ul_expand(b, cur);
}

/* --- a whole graph ---------------------------------------------------------------------------- */

static struct ul_tensor *mean_rows(struct ul_build *b, struct ul_tensor *rows)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *mean = input(b, UL_F32, "inp_mean", b->n_tokens, b->n_seqs);
    return ulg_mul_mat(g, ulg_cont(g, ulg_transpose(g, rows)), mean);
}

static struct ul_tensor *cls_rows(struct ul_build *b, struct ul_tensor *rows)
{
    return ulg_get_rows(b->graph, rows, input(b, UL_I32, "inp_cls", b->n_seqs, 1));
}

/* %s.classifier.activation, newer than the source that was read. */
static struct ul_tensor *rank_activation(struct ul_build *b, struct ul_tensor *cur)
{
    struct ul_str name = b->model->cls_act;
    if (name.n == 0)
        name = b->model->arch->rank_mean ? UL_STR("gelu") : UL_STR("tanh");
    if (ul_str_is(name, "gelu"))
        return ulg_gelu_erf(b->graph, cur);
    return ul_str_is(name, "silu") ? ulg_silu(b->graph, cur) : ulg_tanh(b->graph, cur);
}

/* The classifier behind a ranking model's pooling. */
static struct ul_tensor *rank_head(struct ul_build *b, struct ul_tensor *cur)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *cls = ul_wt(b, UL_ROLE_CLS, -1), *out = ul_wt(b, UL_ROLE_CLS_OUT, -1);
    if (cls) {
        cur = ul_add_opt(b, ulg_mul_mat(g, cls, cur), ul_wt_bias(b, UL_ROLE_CLS, -1));
        cur = rank_activation(b, cur);
        if (ul_wt(b, UL_ROLE_CLS_NORM, -1))
            cur = ul_norm_block(b, cur, ul_wt(b, UL_ROLE_CLS_NORM, -1), NULL, UL_NORM_LAYER, -1);
    }
    if (out)
        cur = ul_add_opt(b, ulg_mul_mat(g, out, cur), ul_wt_bias(b, UL_ROLE_CLS_OUT, -1));
    return b->model->arch->rank_soft_max ? ulg_soft_max(g, cur) : cur;
}

/* %s.classifier.pooling_type, newer than the source that was read. */
static bool rank_is_mean(const struct ul_build *b)
{
    int type = b->model->cls_pooling;
    return type == UL_POOLING_UNSPECIFIED ? b->model->arch->rank_mean : type == UL_POOLING_MEAN;
}

/* build_pooling */
static void pool(struct ul_build *b)
{
    struct ul_tensor *cur = b->t_embd;
    if (!b->cparams->embeddings || cur == NULL)
        return;
    switch (b->cparams->pooling_type) {
    case UL_POOLING_MEAN: cur = mean_rows(b, cur); break;
    case UL_POOLING_CLS:
    case UL_POOLING_LAST: cur = cls_rows(b, cur); break;
    case UL_POOLING_RANK:
        cur = rank_head(b, rank_is_mean(b) ? mean_rows(b, cur) : cls_rows(b, cur));
        break;
    default: break;
    }
    b->t_embd_pooled = ul_cb(b, cur, "result_embd_pooled", -1);
    ul_expand(b, cur);
}

/* build_dense_out */
static void dense_out(struct ul_build *b)
{
    struct ul_tensor *two = ul_wt(b, UL_ROLE_DENSE_2_OUT, -1);
    struct ul_tensor *bias = ul_wt_bias(b, UL_ROLE_DENSE_2_OUT, -1);
    struct ul_tensor *three = ul_wt(b, UL_ROLE_DENSE_3_OUT, -1);
    struct ul_tensor *cur = b->t_embd_pooled ? b->t_embd_pooled : b->t_embd;
    if (!b->cparams->embeddings || cur == NULL || !(two || bias || three))
        return;
    if (two)
        cur = ulg_mul_mat(b->graph, two, cur);
    cur = ul_add_opt(b, cur, bias);
    if (three)
        cur = ulg_mul_mat(b->graph, three, cur);
    b->t_embd_pooled = ul_cb(b, cur, "result_embd_pooled", -1);
    ul_expand(b, cur);
}

static void set_output(struct ul_tensor *t)
{
    if (t != NULL)
        ulg_set_output(t);
}

/* llm_graph_context::build_sampling, for the one sampler that drafts use on the device
 * (common/speculative.cpp: llama_sampler_init_top_k): the candidates of each sequence's row. A row
 * more than there are stands for sequences without one. */
static void sample_draft(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    if (b->cparams->draft_top_k == 0 || b->t_logits == NULL)
        return;
    struct ul_tensor *all = ulg_pad(g, b->t_logits, 0, 1, 0, 0);
    for (int64_t i = 0; i < b->n_outputs && i < b->cparams->n_seq_max; i++) {
        struct ul_tensor *row = ulg_view_1d(g, all, all->ne[0], (uint64_t)i * all->nb[1]);
        row = ulg_reshape_1d(g, ulg_name(row, "logits_seq", (int)i), all->ne[0]);
        struct ul_tensor *ids = ulg_top_k(g, row, b->cparams->draft_top_k);
        struct ul_tensor *rows = ulg_get_rows(g, ulg_reshape_2d(g, row, 1, all->ne[0]), ids);
        ul_expand(b, rows);
        set_output(ulg_name(ids, "top_k", -1));
        set_output(ulg_name(rows, "top_k_rows", -1));
    }
}

int ul_build_graph(struct ul_build *b, ullage_error *err)
{
    const struct ul_arch *arch = b->model->arch;
    int (*program)(struct ul_build *) = b->cparams->mtp ? arch->build_mtp : arch->build;
    if (program == NULL)
        return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                       "no graph is known for %sarchitecture %s",
                       b->cparams->mtp ? "the draft head of " : "", arch->name);
    ul_graph_clear(b->graph);
    b->fused = NULL;
    b->t_inp_tokens = b->t_inp_embd = b->t_embd = b->t_logits = b->t_embd_pooled = b->t_h_nextn =
        NULL;
    b->inp_pos = b->inp_out_ids = NULL;
    make_memory(b);
    int code = program(b);
    if (code != ULLAGE_OK)
        return ul_fail(err, code, ULLAGE_NO_POSITION,
                       "architecture %s: this file's graph is unknown", arch->name);
    pool(b);
    dense_out(b);
    if (b->t_embd != NULL) /* bert leaves it to what comes behind */
        ul_expand(b, b->t_embd);
    set_output(b->t_logits);
    set_output(b->t_embd);
    set_output(b->t_embd_pooled);
    set_output(b->t_h_nextn);
    sample_draft(b);
    if (b->graph->bad != NULL)
        return ul_fail(err, ULLAGE_ERROR_UNKNOWN, ULLAGE_NO_POSITION,
                       "architecture %s: tensor shapes do not fit together (%s)", arch->name,
                       b->graph->bad);
    return ULLAGE_OK;
}
