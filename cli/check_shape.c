/* Without the model's file: a log prints enough of the model's shape for the sizes of its caches,
 * its states and its logits, and says most sizes twice. What takes the file (weights, the compute
 * graph) is listed as not checked. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#define MIB 1048576.0

static const struct ul_ev_value *key(const struct ul_check *c, enum ul_ev_key k)
{
    return &c->e->key[k];
}

/* ------------------------------------------------------------------ keys and values */

/* The values of all `layers` layers' rows together: one number for all, or the sum over the layers
 * that have any when they are as many as the cache's. */
static bool all_values(const struct ul_ev_value *gqa, uint32_t layers, uint64_t *values)
{
    uint64_t sum = 0, some = 0;
    if (gqa->n == 1) {
        *values = (uint64_t)gqa->v[0] * layers;
        return layers > 0;
    }
    for (uint32_t i = 0; i < gqa->n; i++) {
        sum += gqa->v[i];
        some += gqa->v[i] > 0;
    }
    *values = sum;
    return gqa->n > 1 && some == layers;
}

static bool one_head(const struct ul_check *c)
{
    return key(c, UL_EV_N_HEAD_KV)->n == 1 && key(c, UL_EV_N_HEAD_KV)->v[0] == 1;
}

/* A row's values are whole blocks in every layer, so that all layers are one row here. */
static void cache_part(struct ul_check *c, const struct ul_ev_cache *cache, int part)
{
    const struct ul_ev_value *gqa = key(c, part ? UL_EV_V_GQA : UL_EV_K_GQA);
    uint64_t values, bytes;
    double computed = -1;
    const char *why = "";
    if (cache->model > 0)
        why = "another model's";
    else if (cache->of == UL_EV_OTHER)
        why = "this cache has a width of its own, which the log does not say";
    else if (part && key(c, UL_EV_MLA_KEY)->n && one_head(c))
        why = "what a latent cache keeps of values depends on the build";
    else if (!all_values(gqa, cache->layers, &values))
        why = gqa->n ? "the log does not say which layers are in this cache"
                     : "the log does not say how wide the model's keys and values are";
    else if (!cache->cells)
        why = "the log does not say the number of cells";
    else if (ullage_kv_bytes(1, 1, values, 0, cache->type[part], cache->type[part],
                             (uint64_t)cache->cells * cache->streams, &bytes, NULL))
        why = "a type of cache that plans do not know";
    else
        computed = (double)bytes / MIB;
    if (cache->part[part] < 0)
        return;
    struct ul_check_row *row = ul_check_row(c, "cache", part ? "values" : "keys",
                                            cache->part[part], computed, 1);
    row->model = cache->model;
    row->context = cache->context;
    snprintf(row->why, sizeof row->why, "%s",
             row->verdict == UL_CHECK_DIFFERS ? "this build or model keeps other rows than "
                                                "layers x cells x width" : why);
}

/* The whole is its two parts, whatever they are. */
static void cache_whole(struct ul_check *c, const struct ul_ev_cache *cache)
{
    if (cache->part[0] < 0 || cache->part[1] < 0)
        return;
    double parts = cache->part[0] + cache->part[1];
    struct ul_check_row *row = ul_check_row(
        c, "cache", cache->state ? "states, R + S" : "keys + values", cache->mib, parts, 3);
    row->model = cache->model;
    row->context = cache->context;
    if (row->verdict == UL_CHECK_DIFFERS)
        snprintf(row->why, sizeof row->why, "the log's own parts do not add up: a third part, or a "
                                            "line cut off");
}

/* ------------------------------------------------------------------ states */

/* How many layers have a state; 0: the log does not say. Attention in every n-th layer is Qwen's
 * way; heads of 0 in a layer are LFM2's. */
static uint32_t state_layers(const struct ul_check *c, uint32_t layers)
{
    const struct ul_ev_value *every = key(c, UL_EV_FULL_EVERY), *heads = key(c, UL_EV_N_HEAD_KV);
    uint32_t n = 0;
    if (every->n == 1 && every->v[0] > 1) {
        uint32_t all = key(c, UL_EV_N_LAYER)->n == 1 ? key(c, UL_EV_N_LAYER)->v[0] : layers;
        return all % every->v[0] == 0 ? all - all / every->v[0] : 0;
    }
    for (uint32_t i = 0; i < heads->n && key(c, UL_EV_SHORTCONV)->n; i++)
        n += heads->v[i] == 0;
    if (heads->n == 1 && heads->v[0] == 0) /* no attention at all */
        n = layers;
    return n;
}

static bool one(const struct ul_ev_value *v) { return v->n == 1 && v->v[0] > 0; }

static void cache_state(struct ul_check *c, const struct ul_ev_cache *cache)
{
    uint64_t r = 0, s = 0;
    const char *why = "the log does not say how many layers have a state";
    uint32_t layers = state_layers(c, cache->layers);
    uint64_t times = (uint64_t)layers * cache->cells * (1 + cache->rs_seq);
    if (one(key(c, UL_EV_SHORTCONV)) && one(key(c, UL_EV_N_EMBD)))
        r = (uint64_t)(key(c, UL_EV_SHORTCONV)->v[0] - 1) * key(c, UL_EV_N_EMBD)->v[0];
    else if (one(key(c, UL_EV_SSM_CONV)) && one(key(c, UL_EV_SSM_INNER)))
        ullage_state_values(key(c, UL_EV_SSM_CONV)->v[0], key(c, UL_EV_SSM_INNER)->v[0],
                            key(c, UL_EV_SSM_STATE)->v[0], key(c, UL_EV_SSM_GROUP)->v[0], &s, &r);
    else
        times = 0, why = "the log does not say the state's shape";
    for (int part = 0; part < 2; part++) {
        if (cache->part[part] < 0)
            continue;
        double computed =
            times && cache->model == 0 ? (double)(times * (part ? s : r) * 4) / MIB : -1;
        struct ul_check_row *row = ul_check_row(c, "state", part ? "recurrent" : "convolution",
                                                cache->part[part], computed, 1);
        row->model = cache->model;
        row->context = cache->context;
        snprintf(row->why, sizeof row->why, "%s", computed < 0 ? why
                 : row->verdict == UL_CHECK_DIFFERS ? "this build keeps other states" : "");
    }
}

/* ------------------------------------------------------------------ buffers */

/* Caches' lines and buffers' lines say the same sum. */
static double caches_of(const struct ul_check *c, const struct ul_ev_buffer *b, bool state, int *n)
{
    double sum = 0;
    for (int i = 0; i < c->e->n_caches; i++) {
        const struct ul_ev_cache *k = &c->e->cache[i];
        if (k->state != state || k->model != b->model || k->context != b->context)
            continue;
        sum += k->mib;
        ++*n;
    }
    return sum;
}

static void buffers_of_caches(struct ul_check *c, const char *kind, bool state)
{
    for (int i = 0; i < c->e->n_buffers; i++) {
        const struct ul_ev_buffer *b = &c->e->buffer[i];
        double sum = 0;
        int lines = 0, caches = 0;
        bool first = true;
        if (strcmp(b->kind, kind) != 0)
            continue;
        for (int k = 0; k < c->e->n_buffers; k++) {
            const struct ul_ev_buffer *o = &c->e->buffer[k];
            if (strcmp(o->kind, kind) || o->model != b->model || o->context != b->context)
                continue;
            first &= k >= i;
            sum += o->mib;
            lines += o->lines;
        }
        double whole = caches_of(c, b, state, &caches);
        if (!first)
            continue;
        struct ul_check_row *row = ul_check_row(c, "all devices", kind, sum, caches ? whole : -1,
                                                lines + caches);
        row->model = b->model;
        row->context = b->context;
        if (row->verdict != UL_CHECK_AGREES)
            snprintf(row->why, sizeof row->why, "%s",
                     caches ? "buffers and sizes of caches differ: the log is incomplete, or "
                              "copies are kept "
                              "on several devices"
                            : "no line says the cache's size");
    }
}

/* One row of logits a sequence, and one of embeddings where they are asked for too (--embedding, a
 * projector's). Source: src/llama-context.cpp, llama_context::output_reserve. */
static void output_buffer(struct ul_check *c, const struct ul_ev_buffer *b)
{
    const struct ul_ev_value *vocab = key(c, UL_EV_N_VOCAB);
    int64_t n = c->e->context[UL_EV_N_SEQ];
    bool can = b->model == 0 && b->context == 0 && one(vocab) && n > 0;
    double computed = can ? (double)vocab->v[0] * (double)n * 4 / MIB : -1;
    const struct ul_ev_value *embd = key(c, UL_EV_N_EMBD);
    double both = can && one(embd) ? computed + (double)embd->v[0] * (double)n * 4 / MIB : computed;
    bool embeds = can && !ul_check_same(b->mib, computed, b->lines)
        && ul_check_same(b->mib, both, b->lines);
    struct ul_check_row *row = ul_check_row(c, b->buffer, b->kind, b->mib, embeds ? both : computed,
                                            b->lines);
    row->model = b->model;
    row->context = b->context;
    if (embeds)
        snprintf(row->why, sizeof row->why, "with embeddings beside the logits");
    else if (!can)
        snprintf(row->why, sizeof row->why, "the log does not say its vocabulary or its sequences");
    else if (row->verdict == UL_CHECK_DIFFERS)
        snprintf(row->why, sizeof row->why, "not one row of logits a sequence: embeddings, or "
                                            "another build's rule");
}

/* The cells of a cache against the context; of a window's by its rule. */
static void cells(struct ul_check *c, const struct ul_ev_cache *k)
{
    const int64_t *x = c->e->context;
    const struct ul_ev_value *swa = key(c, UL_EV_N_SWA);
    int64_t seq = x[UL_EV_N_CTX_SEQ] > 0 ? x[UL_EV_N_CTX_SEQ] : x[UL_EV_N_CTX];
    if (k->state || k->model || k->context || seq <= 0 || !k->cells || k->of == UL_EV_OTHER)
        return;
    uint64_t want = k->of == UL_EV_WINDOW && one(swa) && !c->e->swa_full && x[UL_EV_N_UBATCH] > 0
        ? ullage_window_cells((uint64_t)seq, swa->v[0], x[UL_EV_UNIFIED] == 1 ? k->seqs : 1,
                              x[UL_EV_UNIFIED] == 1, (uint64_t)x[UL_EV_N_UBATCH])
        : (uint64_t)seq;
    if (want != k->cells)
        ul_check_note(c, "a cache of %u cells, %llu by the rule of current builds", k->cells,
                      (unsigned long long)want);
}

void check_by_shape(struct ul_check *c)
{
    for (int i = 0; i < c->e->n_caches; i++) {
        const struct ul_ev_cache *k = &c->e->cache[i];
        cells(c, k);
        if (k->state)
            cache_state(c, k);
        for (int part = 0; part < 2 && !k->state; part++)
            cache_part(c, k, part);
        cache_whole(c, k);
    }
    check_table_by_log(c);
    buffers_of_caches(c, "kv", false);
    buffers_of_caches(c, "rs", true);
    for (int i = 0; i < c->e->n_buffers; i++) {
        const struct ul_ev_buffer *b = &c->e->buffer[i];
        if (strcmp(b->kind, "output") == 0) {
            output_buffer(c, b);
        } else if (strcmp(b->kind, "kv") && strcmp(b->kind, "rs")) {
            struct ul_check_row *row = ul_check_row(c, b->buffer, b->kind, b->mib, -1, 1);
            row->model = b->model;
            row->context = b->context;
            bool own = !b->model && !b->context && strcmp(b->kind, "mmproj") != 0;
            snprintf(row->why, sizeof row->why, "%s", own ? "takes the model's file"
                                                          : check_not_own(c, b));
        }
    }
}
