/* Prints the graphs that this library builds for a model, before any split over devices: one line a
 * tensor, in the form in which the engine's own graphs are recorded (leafs first, then nodes in
 * order), less buffers and bytes. tools/graphdiff compares the two.
 *
 *     graphdump FILE [-c N] [-b N] [-ub N] [-np N] [-kvu] [-fa on|off] [-ctk T] [-ctv T]
 *               [--embedding] [--outputs N] [--swa-full]
 *
 * Two graphs: a prompt's and the generation's. It resolves the few flags that it knows on its own
 * and describes the caches itself, so that graphs can be looked at without the rest of the engine. */
#include "arch/build.h"

#include <stdio.h>
#include <stdlib.h>

struct options {
    const char *file;
    uint32_t ctx, batch, ubatch, slots, outputs;
    bool unified, fa, embedding, swa_full;
    int type_k, type_v;
};

static int read_options(struct options *o, int argc, char **argv)
{
    *o = (struct options){.ctx = 0, .batch = 2048, .ubatch = 512, .slots = 1, .fa = true,
                          .type_k = UL_F16, .type_v = UL_F16};
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : "";
        if (a[0] != '-') { o->file = a; continue; }
        if (strcmp(a, "-kvu") == 0) { o->unified = true; continue; }
        if (strcmp(a, "--embedding") == 0) { o->embedding = true; continue; }
        if (strcmp(a, "--swa-full") == 0) { o->swa_full = true; continue; }
        i++;
        if (strcmp(a, "-c") == 0) o->ctx = (uint32_t)atoi(v);
        else if (strcmp(a, "-b") == 0) o->batch = (uint32_t)atoi(v);
        else if (strcmp(a, "-ub") == 0) o->ubatch = (uint32_t)atoi(v);
        else if (strcmp(a, "-np") == 0) o->slots = (uint32_t)atoi(v);
        else if (strcmp(a, "--outputs") == 0) o->outputs = (uint32_t)atoi(v);
        else if (strcmp(a, "-fa") == 0) o->fa = strcmp(v, "on") == 0;
        else if (strcmp(a, "-ctk") == 0) o->type_k = ul_type_by_name(ul_cstr(v));
        else if (strcmp(a, "-ctv") == 0) o->type_v = ul_type_by_name(ul_cstr(v));
        else if (strcmp(a, "-ngl") != 0) return fprintf(stderr, "unknown flag %s\n", a), 2;
    }
    return o->file == NULL || o->slots == 0 || o->type_k < 0 || o->type_v < 0 ? 2 : 0;
}

static void resolve(struct ul_cparams *c, const struct options *o, const struct ul_model *m)
{
    uint32_t ctx = o->ctx ? o->ctx : m->n_ctx_train;
    *c = (struct ul_cparams){.n_seq_max = o->slots, .n_batch = o->batch, .n_ubatch = o->ubatch,
                             .type_k = (enum ul_type)o->type_k, .type_v = (enum ul_type)o->type_v,
                             .embeddings = o->embedding, .causal_attn = true, .offload_kqv = true,
                             .flash_attn = o->fa && !m->arch->no_flash_attn, .op_offload = true,
                             .kv_unified = o->unified || o->slots == 1, .swa_full = o->swa_full,
                             .fused_gdn_ar = true, .fused_gdn_ch = true, .fused_lid = true,
                             .fused_dsv4_hc_pre = true, .fused_dsv4_hc_comb = true,
                             .fused_dsv4_hc_post = true, .pooling_type = m->pooling_type};
    ctx = (uint32_t)ul_pad(ctx, 256);
    c->n_ctx_seq = c->kv_unified ? ctx : (uint32_t)ul_pad(ctx / o->slots, 256);
    c->n_ctx = c->kv_unified ? ctx : c->n_ctx_seq * o->slots;
    c->n_outputs_max = o->outputs ? o->outputs : o->embedding ? o->batch : o->slots;
}

static void add_layer(struct ul_kv_cache *c, const struct ul_model *m, const struct ul_cparams *p,
                      uint32_t il, bool values)
{
    struct ul_kv_layer *l = &c->layer[c->n_layers++];
    *l = (struct ul_kv_layer){.il = (int)il, .k_type = p->type_k, .v_type = p->type_v,
                                 .k_width = ul_n_embd_k_gqa(m, il)};
    l->v_width = !values ? 0
                 : c->v_trans && ul_n_embd_v_gqa_variable(m) ? ul_n_embd_v_gqa_max(m)
                                                             : ul_n_embd_v_gqa(m, il);
}

static uint32_t rotation(enum ul_type type, uint32_t head, bool grow)
{
    const struct ul_type_info *t = ul_type_info(type);
    uint32_t n = 64;
    if (t == NULL || !t->quantized || head == 0 || head % 64 != 0)
        return 0;
    while (grow && head % (2 * n) == 0)
        n *= 2;
    return n;
}

static void describe_caches(struct ul_memory_desc *d, const struct ul_model *m,
                            const struct ul_cparams *p, struct ul_arena *a)
{
    uint32_t streams = p->kv_unified ? 1 : p->n_seq_max;
    uint32_t window = (uint32_t)ul_pad(m->n_swa * (p->kv_unified ? p->n_seq_max : 1) + p->n_ubatch, 256);
    for (int i = 0; i < 2; i++) {
        struct ul_kv_cache *c = &d->cache[i];
        c->layer = UL_NEWS(a, struct ul_kv_layer, m->n_layer_all + 1);
        c->cells = i == 0 || p->swa_full || window > p->n_ctx_seq ? p->n_ctx_seq : window;
        c->streams = streams;
        c->v_trans = !p->flash_attn;
        c->v_width_max = ul_n_embd_v_gqa_max(m);
        c->rot_k = rotation(p->type_k, ul_n_embd_head_k(m, 0), true);
        c->rot_v = rotation(p->type_v, ul_n_embd_head_v(m, 0), false);
    }
    for (uint32_t il = 0; il < m->n_layer; il++) {
        bool swa = m->swa_type != UL_SWA_NONE && m->layer[il].is_swa;
        if (m->arch->reuses && m->arch->reuses(m, il) >= 0)
            continue;
        if (m->arch->has_kv ? m->arch->has_kv(m, il) : m->layer[il].n_head_kv > 0)
            add_layer(&d->cache[swa ? UL_KV_SWA : UL_KV_BASE], m, p, il, !ul_is_mla(m));
    }
    d->state.layer = UL_NEWS(a, struct ul_state_layer, m->n_layer_all + 1);
    d->state.cells = d->state.size = p->n_seq_max;
    if (m->arch->memory != UL_MEMORY_RECURRENT && m->arch->memory != UL_MEMORY_HYBRID)
        return;
    for (uint32_t il = 0; il < m->n_layer; il++)
        if (m->arch->has_state == NULL || m->arch->has_state(m, il))
            d->state.layer[d->state.n_layers++] = (struct ul_state_layer){
                .il = (int)il, .r_type = UL_F32, .s_type = UL_F32, .r_width = ul_n_embd_r(m),
                .s_width = ul_n_embd_s(m)};
}

/* --- printing --------------------------------------------------------------------------------------- */

static void print_id(const struct ul_tensor *t)
{
    bool leaf = t->op == UL_OP_NONE;
    printf(leaf ? "L%d" : "%d", (int)t->id);
}

static void print_tensor(const char *what, int i, const struct ul_tensor *t)
{
    char name[UL_NAME_MAX];
    const struct ul_type_info *info = ul_type_info(t->type);
    uint64_t want = info->bytes;
    bool plain = t->nb[0] == want;
    ul_tensor_name(t, name);
    printf("%s %d %s %s [%lld,%lld,%lld,%lld] %s", what, i, ul_op_name(t), info->name,
           (long long)t->ne[0], (long long)t->ne[1], (long long)t->ne[2], (long long)t->ne[3],
           name[0] ? name : "-");
    want *= (uint64_t)(t->ne[0] / info->block);
    for (int j = 1; j < 4; j++) {
        plain = plain && t->nb[j] == want;
        want *= (uint64_t)t->ne[j];
    }
    if (!plain)
        printf(" nb=[%llu,%llu,%llu,%llu]", (unsigned long long)t->nb[0], (unsigned long long)t->nb[1],
               (unsigned long long)t->nb[2], (unsigned long long)t->nb[3]);
    const char *sep = " src=";
    for (int j = 0; j < UL_MAX_SRC; j++)
        if (t->src[j]) {
            fputs(sep, stdout);
            print_id(t->src[j]);
            sep = ",";
        }
    if (t->view_src) {
        fputs(" view=", stdout);
        print_id(t->view_src);
        printf("+%llu", (unsigned long long)t->view_offs);
    }
    fputs(t->flags & UL_TENSOR_INPUT ? " input" : "", stdout);
    fputs(t->flags & UL_TENSOR_OUTPUT ? " output" : "", stdout);
    bool placed = t->flags & UL_TENSOR_PLACED || (t->view_src && t->view_src->flags & UL_TENSOR_PLACED);
    fputs(placed ? " placed\n" : "\n", stdout);
}

static void print_graph(int n, const struct ul_graph *g)
{
    printf("graph %d nodes=%d leafs=%d\n", n, g->n_nodes, g->n_leafs);
    for (int i = 0; i < g->n_leafs; i++)
        print_tensor("leaf", i, g->leafs[i]);
    for (int i = 0; i < g->n_nodes; i++)
        print_tensor("node", i, g->nodes[i]);
}

int main(int argc, char **argv)
{
    struct options o;
    struct ul_arena a = {0};
    struct ul_gguf file;
    struct ul_model m = {0};
    struct ul_cparams c;
    struct ul_graph g;
    struct ul_build b;
    struct ul_memory_desc d = {0};
    ullage_error err = {0};
    if (read_options(&o, argc, argv) != 0)
        return fprintf(stderr, "usage: graphdump FILE [flags]\n"), 2;
    if (ul_gguf_open(&file, o.file, &a, &err) || ul_model_load(&m, &file, NULL, &a, &err))
        return fprintf(stderr, "%s\n", err.message), 3;
    resolve(&c, &o, &m);
    describe_caches(&d, &m, &c, &a);
    ul_graph_init(&g, &a);
    ul_build_init(&b, &m, &c, &g, &a);
    b.memory = &d;
    uint32_t tokens = c.n_ubatch < c.n_ctx ? c.n_ubatch : c.n_ctx;
    for (int n = 0; n < 2; n++) {
        uint32_t t = n == 0 ? tokens : c.n_seq_max;
        ul_build_batch(&b, t, c.n_seq_max, n == 0 ? (uint32_t)ul_min(t, c.n_outputs_max) : c.n_seq_max);
        if (ul_build_graph(&b, &err))
            return fprintf(stderr, "%s\n", err.message), 3;
        print_graph(n, &g);
    }
    ul_arena_free(&a);
    return 0;
}
