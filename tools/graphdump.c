/* Prints the graphs that this library builds for a model, before any split over devices: one line a
 * tensor, in the form in which the engine's own graphs are recorded (leafs first, then nodes in
 * order), less buffers and bytes. tools/graphdiff compares the two.
 *
 *     graphdump FILE [llama-server flags]
 *     graphdump --split GPU FILE [llama-server flags]
 *
 * Two graphs: a prompt's and the generation's. The weights count as being on one GPU. With --split:
 * every graph that the allocator is given, after the split over that GPU and the host, with buffers
 * and bytes, as the engine's are recorded. */
#include "engine/context.h"
#include "engine/graph_memory.h"
#include "engine/machine.h"
#include "engine/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One GPU with everything on it. */
static void make_place(struct ul_place *p, const struct ul_model *m, struct ul_arena *a)
{
    p->n_devices = p->n_gpus = 1;
    p->device[0] = (struct ul_device){.name = "CUDA0", .backend = UL_CUDA};
    p->n_gpu_layers = (int)m->n_layer_all + 1;
    p->layer_device = UL_NEWS(a, int8_t, m->n_layer_all + 1);
    p->device_buft = UL_NEWS(a, int, 1);
    p->buft[0] = (struct ul_buft){.name = "CUDA0", .kind = UL_BUFT_DEVICE, .alignment = 128};
    p->buft[1] = (struct ul_buft){.name = "CPU", .kind = UL_BUFT_CPU, .device = UL_DEV_CPU,
                                  .host = true, .alignment = 32};
    p->n_bufts = 2;
    p->cpu_buft = 1;
    p->host_buft = -1;
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

static int fail(const ullage_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    return 3;
}

static int split(const char *gpu, const char *path, int n, char **flags)
{
    struct ul_arena a = {0};
    struct ul_gguf file;
    struct ul_model m = {0};
    struct ul_plan plan;
    struct ul_text text = {0};
    ullage_error err = {0};
    ullage_settings *set = ullage_settings_new();
    ullage_machine *machine = ullage_machine_new();
    if (!set || !machine || ullage_settings_parse(set, n, (const char *const *)flags, &err) ||
        ullage_machine_add_gpu(machine, gpu, &err) || ullage_machine_cpu(machine, "haswell", &err) ||
        ul_gguf_open(&file, path, &a, &err) || ul_model_load(&m, &file, NULL, &a, &err) ||
        ul_plan_make(&plan, &m, &set->s, &machine->m, &a, &err))
        return fail(&err);
    text.arena = &a;
    if (ul_compute_dump(&text, &m, &plan.c, &set->s, &plan.place, &plan.caches, &machine->m, &err))
        return fail(&err);
    fwrite(text.p, 1, text.n, stdout);
    ullage_machine_free(machine);
    ullage_settings_free(set);
    ul_arena_free(&a);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "--split") == 0)
        return split(argv[2], argv[3], argc - 4, argv + 4);
    struct ul_arena a = {0};
    struct ul_gguf file;
    struct ul_model m = {0};
    struct ul_cparams c = {0};
    struct ul_graph g;
    struct ul_build b;
    struct ul_place place = {0};
    struct ul_machine machine = {.n_gpus = 1, .gpu = {{.backend = UL_CUDA, .cc = 890, .sm = 128}}};
    struct ul_caches caches = {0};
    struct ul_memory_desc d;
    struct ul_notes notes = {.arena = &a};
    ullage_error err = {0};
    ullage_settings *set = ullage_settings_new();
    if (argc < 2 || set == NULL)
        return fprintf(stderr, "usage: graphdump [--split GPU] FILE [flags]\n"), 2;
    if (ullage_settings_parse(set, argc - 2, (const char *const *)argv + 2, &err) ||
        ul_gguf_open(&file, argv[1], &a, &err) || ul_model_load(&m, &file, NULL, &a, &err))
        return fail(&err);
    make_place(&place, &m, &a);
    if (ul_context_resolve(&c, &m, &set->s, &place, &machine, &notes, &err))
        return fail(&err);
    ul_caches_make(&caches, &m, &c, &set->s, &place, &a);
    ul_graph_memory(&d, &caches, &m, &c, &place, &a);
    ul_graph_init(&g, &a);
    ul_build_init(&b, &m, &c, &g, &a);
    b.memory = &d;
    uint32_t tokens = c.n_ubatch < c.n_ctx ? c.n_ubatch : c.n_ctx;
    for (int n = 0; n < 2; n++) {
        uint32_t t = n == 0 ? tokens : c.n_seq_max;
        ul_build_batch(&b, t, c.n_seq_max, n == 0 ? (uint32_t)ul_min(t, c.n_outputs_max) : c.n_seq_max);
        if (ul_build_graph(&b, &err))
            return fail(&err);
        print_graph(n, &g);
    }
    ullage_settings_free(set);
    ul_arena_free(&a);
    return 0;
}
