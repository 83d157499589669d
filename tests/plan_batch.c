/* Many plans in one process, through the public interface: one line in, one line out, so that
 * thousands of recorded runs can be compared in seconds. Not a test by itself: conformance.py
 * drives it.
 *
 *     in:  model TAB program TAB runtime TAB number of GPUs TAB GPU specs ... TAB flags ...
 *     out: "ok" TAB kind:buffer:bytes ... TAB cells:N:layers:streams ... TAB devices:weights and
 *          context of each GPU TAB peak:what a prompt adds on each GPU TAB
 *          graph:nodes, splits of prompt and generation, copies TAB context:n_ctx:n_ctx_seq:slots:batch:ubatch:outputs:flash attention,
 *          or "no" TAB the error */
#include "ullage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 256

static int split(char *line, char **field)
{
    int n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *p = line; p && n < MAX_FIELDS; n++) {
        field[n] = p;
        p = strchr(p, '\t');
        if (p)
            *p++ = '\0';
    }
    return n;
}

/* Rows of one model follow each other: the last one stays open. */
static ullage_model *model_at(const char *path, ullage_error *err)
{
    static ullage_model *open;
    static char name[4096];
    if (open && strcmp(name, path) == 0)
        return open;
    ullage_close(open);
    snprintf(name, sizeof name, "%s", path);
    return ullage_open(&open, path, err) == ULLAGE_OK ? open : (open = NULL);
}

static void print_plan(const ullage_plan *plan)
{
    size_t n;
    const ullage_buffer *b = ullage_plan_buffers(plan, &n);
    printf("ok");
    for (size_t i = 0; i < n; i++) {
        printf("\t%s:%s:", b[i].kind, b[i].buffer);
        if (b[i].size.source == ULLAGE_UNKNOWN)
            printf("unknown");
        else
            printf("%" PRIu64, b[i].size.bytes);
    }
    const ullage_cache *k = ullage_plan_caches(plan, &n);
    for (size_t i = 0; i < n; i++)
        printf("\tcells:%" PRIu32 ":%" PRIu32 ":%" PRIu32, k[i].cells, k[i].layers, k[i].streams);
    const ullage_device *d = ullage_plan_devices(plan, &n);
    printf("\tdevices");
    for (size_t i = 0; i + 1 < n; i++) /* the host is last */
        printf(":%" PRIu64, d[i].model.bytes + d[i].context.bytes);
    printf("\tpeak");
    for (size_t i = 0; i + 1 < n; i++)
        if (d[i].prompt_peak.source == ULLAGE_ASSUMED || d[i].prompt_peak.source == ULLAGE_UNKNOWN)
            printf(":unknown");
        else
            printf(":%" PRIu64, d[i].prompt_peak.bytes);
    ullage_graph_info g = ullage_plan_graphs(plan);
    printf("\tgraph:%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32, g.nodes[0], g.nodes[1],
           g.splits[0], g.splits[1], g.copies);
    const ullage_context *c = ullage_plan_context(plan);
    printf("\tcontext:%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%d\n",
           c->n_ctx, c->n_ctx_seq, c->n_seq_max, c->n_batch, c->n_ubatch, c->n_outputs, c->flash_attn);
}

static int fill(ullage_settings *s, ullage_machine *m, char **f, int n, ullage_error *err)
{
    uint64_t runtime = 0;
    int gpus = atoi(f[3]), code = ullage_parse_size(f[2], &runtime, err);
    if (!code) /* the runs were recorded by a program that knows no --fit */
        code = ullage_settings_set(s, "-fit", "off", err);
    ullage_machine_runtime(m, (ullage_bytes){runtime, ULLAGE_ASSUMED});
    if (!code)
        code = ullage_machine_cpu(m, "zen4", err);
    for (int i = 0; i < gpus && !code && 4 + i < n; i++)
        code = ullage_machine_add_gpu(m, f[4 + i], err);
    ullage_settings_outputs(s, strcmp(f[1], "completion") == 0 ? ULLAGE_OUTPUTS_BATCH
                                                                : ULLAGE_OUTPUTS_SLOTS);
    if (!code && n > 4 + gpus)
        code = ullage_settings_parse(s, n - 4 - gpus, (const char *const *)(f + 4 + gpus), err);
    return code;
}

static void run(char *line)
{
    char *f[MAX_FIELDS];
    int n = split(line, f);
    if (n < 4) {
        printf("no\tbad line\n");
        return;
    }
    ullage_error err = {0};
    ullage_plan *plan = NULL;
    ullage_settings *s = ullage_settings_new();
    ullage_machine *m = ullage_machine_new();
    const ullage_model *model = model_at(f[0], &err);
    if (!model || !s || !m || fill(s, m, f, n, &err)
        || ullage_plan_make(&plan, model, s, m, &err))
        printf("no\t%d: %s\n", err.code, err.message);
    else
        print_plan(plan);
    ullage_plan_free(plan);
    ullage_settings_free(s);
    ullage_machine_free(m);
}

int main(void)
{
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin))
        run(line);
    return 0;
}
