/* What a file holds: one screen for `ullage show`. */
#include "report/companions.h"
#include "report/render.h"

#include <inttypes.h>

/* What one sequence with f16 caches costs a token past the windows, and what does not grow. The
 * caches are made as for a plan on the host alone, long enough that nothing is rounded. */
void ul_model_growth(const struct ullage_model *h, struct ul_arena *a, uint64_t *per_token,
                     uint64_t *fixed)
{
    const struct ul_model *m = &h->m;
    const uint32_t n = 1u << 24;
    *per_token = *fixed = 0;
    if (h->info.role)
        return;
    struct ul_cparams c = {.n_ctx = n, .n_ctx_seq = n, .n_seq_max = 1, .n_batch = 2048,
                           .n_ubatch = 512, .type_k = UL_F16, .type_v = UL_F16,
                           .flash_attn = true};
    struct ul_settings s = {0};
    struct ul_place p = {.layer_device = UL_NEWS(a, int8_t, (size_t)m->n_layer_all + 1)};
    for (uint32_t il = 0; il <= m->n_layer_all; il++)
        p.layer_device[il] = UL_DEV_CPU;
    struct ul_caches k;
    ul_caches_make(&k, m, &c, &s, &p, a);
    for (size_t i = 0; i < k.n; i++) {
        uint64_t sum = ul_add(k.cache[i].k_bytes, k.cache[i].v_bytes);
        if (k.cache[i].role == UL_CACHE_WINDOW || k.cache[i].role == UL_CACHE_STATE)
            *fixed = ul_add(*fixed, sum);
        else
            *per_token = ul_add(*per_token, sum / n);
    }
}

static void line(struct ul_text *out, const char *label, const char *value)
{
    if (value && value[0])
        ul_text_printf(out, "%-16s%s\n", label, value);
}

static void numbers(struct ul_text *out, const ullage_model_info *m)
{
    struct ul_arena *a = out->arena;
    line(out, "parameters",
         ul_format(a, "%" PRIu64 " (%.2f B)", m->n_params, (double)m->n_params / 1e9));
    line(out, "weights",
         ul_format(a, "%.2f MiB, %.2f bits a weight", (double)m->weight_bytes / UL_MIB,
                   m->bits_per_weight));
    line(out, "files", ul_format(a, "%" PRIu32 ", %.2f MiB%s", m->n_files,
                                 (double)m->size_bytes / UL_MIB,
                                 m->partial ? ", tensor data missing or cut off here" : ""));
}

static void sizes(struct ul_text *out, const ullage_model_info *m)
{
    struct ul_arena *a = out->arena;
    line(out, "trained on", ul_format(a, "%" PRIu32 " tokens of context", m->n_ctx_train));
    line(out, "width", ul_format(a, "%" PRIu32, m->n_embd));
    line(out, "tokenizer", ul_format(a, "%" PRIu32 " tokens", m->n_vocab));
    if (m->n_expert)
        line(out, "experts", ul_format(a, "%" PRIu32 ", %" PRIu32 " used", m->n_expert,
                                       m->n_expert_used));
}

static bool same(const ullage_layer_info *a, const ullage_layer_info *b)
{
    return a->kind == b->kind && a->window == b->window && a->n_head == b->n_head
        && a->n_head_kv == b->n_head_kv && a->n_ff == b->n_ff;
}

/* Which layers are like this one: "0-4,6-10". */
static char *who(struct ul_arena *a, const ullage_model_info *m, uint32_t like)
{
    struct ul_text t = {.arena = a};
    for (uint32_t il = 0; il < m->n_layer; il++) {
        if (!same(&m->layers[il], &m->layers[like]))
            continue;
        uint32_t end = il;
        while (end + 1 < m->n_layer && same(&m->layers[end + 1], &m->layers[like]))
            end++;
        ul_text_printf(&t, end > il ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, t.n ? "," : "", il,
                       end);
        il = end;
    }
    return t.p;
}

/* Whether an earlier layer was like it. */
static bool listed(const ullage_model_info *m, uint32_t il)
{
    for (uint32_t i = 0; i < il; i++)
        if (same(&m->layers[i], &m->layers[il]))
            return true;
    return false;
}

static void layers(struct ul_text *out, const ullage_model_info *m)
{
    struct ul_table t;
    ul_table_open(&t, out->arena, 7);
    t.left[1] = t.left[6] = true;
    const char *head[] = {"layers",   "keeps",        "window", "heads",
                          "KV heads", "feed-forward", "which"};
    for (size_t i = 0; i < 7; i++)
        ul_table_add(&t, head[i]);
    for (uint32_t il = 0; il < m->n_layer; il++) {
        const ullage_layer_info *l = &m->layers[il];
        if (listed(m, il))
            continue;
        uint32_t n = 0;
        for (uint32_t i = il; i < m->n_layer; i++)
            n += same(&m->layers[i], l);
        ul_table_add(&t, ul_format(t.arena, "%" PRIu32, n));
        ul_table_add(&t, ul_layer_kind_name(l->kind));
        ul_table_add(&t, l->window ? ul_format(t.arena, "%" PRIu32, l->window) : "");
        ul_table_add(&t, ul_format(t.arena, "%" PRIu32, l->n_head));
        ul_table_add(&t, ul_format(t.arena, "%" PRIu32, l->n_head_kv));
        ul_table_add(&t, ul_format(t.arena, "%" PRIu32, l->n_ff));
        ul_table_add(&t, who(t.arena, m, il));
    }
    ul_table_print(&t, out);
}

static void types(struct ul_text *out, const ullage_model_info *m)
{
    struct ul_table t;
    ul_table_open(&t, out->arena, 5);
    const char *head[] = {"type", "tensors", "elements", "MiB", "bits a weight"};
    for (size_t i = 0; i < 5; i++)
        ul_table_add(&t, head[i]);
    for (size_t i = 0; i < m->n_types; i++) {
        const ullage_type_info *y = &m->types[i];
        ul_table_add(&t, y->name);
        ul_table_add(&t, ul_format(t.arena, "%" PRIu64, y->n_tensors));
        ul_table_add(&t, ul_format(t.arena, "%" PRIu64, y->n_elements));
        ul_table_mib(&t, (ullage_bytes){y->bytes, ULLAGE_COMPUTED});
        ul_table_add(&t,
                     ul_format(t.arena, "%.2f",
                               y->n_elements ? (double)y->bytes * 8 / (double)y->n_elements : 0));
    }
    ul_table_print(&t, out);
}

void ul_model_table(struct ul_text *out, const struct ullage_model *h, bool color)
{
    const ullage_model_info *m = &h->info;
    uint64_t per_token, fixed;
    ul_text_printf(out, "%s%s%s\n", color ? "\033[1m" : "", m->name[0] ? m->name : m->path,
                   color ? "\033[0m" : "");
    line(out, "architecture", m->arch);
    line(out, "figures", m->status);
    line(out, "file type", m->file_type);
    numbers(out, m);
    if (m->role) {
        const char *what, *flag = ul_companion_flag(m->role, &what);
        line(out, "loaded", ul_format(out->arena, "beside a model, as %s: %s", what, flag));
        return;
    }
    sizes(out, m);
    ul_model_growth(h, out->arena, &per_token, &fixed);
    line(out, "a token", ul_format(out->arena, "%" PRIu64 " bytes of f16 cache past the windows",
                                   per_token));
    line(out, "fixed", ul_format(out->arena, "%" PRIu64 " bytes of windows and states a sequence",
                                 fixed));
    ul_text_puts(out, "\n");
    layers(out, m);
    ul_text_puts(out, "\n");
    types(out, m);
}
