/* Why a figure differs. Plans with one thing changed are tried, then with two: a flag, a GPU's
 * compute capability, a back-end, a CPU's variant. A change is a cause only when it gives the
 * logged figure and spoils none that agreed; where none does, that is what is said. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* llama.cpp's build whose rules plans follow (0.7.0). */
#define BUILD 11669u
#define CHANGES_MOST 256
#define TOGETHER 3
#define NAMED 160

void check_change_apply(struct cli_args *args, const char **flags, char gpu[CLI_MAX_GPUS][256],
                        const struct check_change *x)
{
    switch (x->kind) {
    case CHECK_OUTPUTS: args->outputs = x->value; break;
    case CHECK_CPU: args->cpu = x->value; break;
    case CHECK_GPU:
        for (int i = 0; i < args->n_gpus && strcmp(args->gpu[i], "none") != 0; i++) {
            char spec[256]; /* its own words may be in gpu[i] already */
            snprintf(spec, sizeof spec, "%.200s,%s=%s", args->gpu[i], x->word, x->value);
            memcpy(gpu[i], spec, sizeof spec);
            args->gpu[i] = gpu[i];
        }
        break;
    case CHECK_FLAG:
        flags[args->n_flags++] = x->word;
        if (x->value)
            flags[args->n_flags++] = x->value;
    }
}

/* ------------------------------------------------------------------ what to try */

static const struct check_change changes[] = {
    {CHECK_FLAG, "-fa", "on"}, {CHECK_FLAG, "-fa", "off"}, {CHECK_FLAG, "-lm", "mmap"},
    {CHECK_FLAG, "-lm", "none"}, {CHECK_FLAG, "--no-repack", NULL}, {CHECK_FLAG, "--repack", NULL},
    {CHECK_FLAG, "-nkvo", NULL}, {CHECK_FLAG, "-kvo", NULL}, {CHECK_FLAG, "-kvu", NULL},
    {CHECK_FLAG, "-no-kvu", NULL}, {CHECK_FLAG, "--swa-full", NULL},
    {CHECK_FLAG, "--no-host", NULL}, {CHECK_FLAG, "--no-op-offload", NULL},
    {CHECK_FLAG, "-ctk", "q8_0"}, {CHECK_FLAG, "-ctk", "f16"}, {CHECK_FLAG, "-ctv", "q8_0"},
    {CHECK_FLAG, "-ctv", "f16"}, {CHECK_FLAG, "-ub", "128"}, {CHECK_FLAG, "-ub", "256"},
    {CHECK_FLAG, "-ub", "512"}, {CHECK_FLAG, "-ub", "1024"}, {CHECK_FLAG, "-ub", "2048"},
    {CHECK_FLAG, "-ub", "4096"}, {CHECK_FLAG, "-np", "1"}, {CHECK_FLAG, "-np", "2"},
    {CHECK_FLAG, "-np", "4"}, {CHECK_FLAG, "-np", "8"}, {CHECK_FLAG, "-ngl", "0"},
    {CHECK_FLAG, "-ngl", "99"}, {CHECK_FLAG, "--cpu-moe", NULL}, {CHECK_FLAG, "-sm", "none"},
    {CHECK_FLAG, "-sm", "tensor"}, {CHECK_FLAG, "--embedding", NULL},
    {CHECK_FLAG, "--spec-type", "draft-mtp"}, {CHECK_OUTPUTS, "--outputs", "batch"},
    {CHECK_OUTPUTS, "--outputs", "slots"}, {CHECK_CPU, "--cpu", "haswell"},
    {CHECK_CPU, "--cpu", "x64"}, {CHECK_CPU, "--cpu", "zen4"}, {CHECK_GPU, "cc", "6.1"},
    {CHECK_GPU, "cc", "7.0"}, {CHECK_GPU, "cc", "7.5"}, {CHECK_GPU, "cc", "8.6"},
    {CHECK_GPU, "cc", "9.0"}, {CHECK_GPU, "cc", "12.0"}, {CHECK_GPU, "backend", "cuda"},
    {CHECK_GPU, "backend", "vulkan"}, {CHECK_GPU, "backend", "rocm"},
    {CHECK_GPU, "backend", "metal"}, {CHECK_GPU, "backend", "sycl"}};

struct trial {
    struct check_change all[CHANGES_MOST];
    int n;
    char counts[128][8];
};

/* How many layers' experts are on the CPU no log says. */
static void list_changes(struct trial *t, const ullage_model *model)
{
    const ullage_model_info *info = ullage_describe(model);
    memcpy(t->all, changes, sizeof changes);
    t->n = (int)(sizeof changes / sizeof *changes);
    for (uint32_t i = 1; info->n_expert && i < info->n_layer && i < 128; i++) {
        snprintf(t->counts[i], sizeof t->counts[i], "%u", i);
        t->all[t->n++] = (struct check_change){CHECK_FLAG, "--n-cpu-moe", t->counts[i]};
    }
}

/* ------------------------------------------------------------------ trying */

static bool agrees_with(const struct ul_check_row *row, const ullage_plan *plan)
{
    double computed = check_computed_mib(plan, row->buffer, row->kind);
    return computed >= 0 && ul_check_same(row->logged < 0 ? 0 : row->logged, computed, row->lines);
}

static bool open_row(const struct ul_check_row *row)
{
    return row->verdict == UL_CHECK_DIFFERS && !row->why[0] && !row->table;
}

/* Whether the plan has a buffer of a kind that the log names, and the log nothing of that name. */
static bool adds_buffer(const struct ul_check *c, const ullage_plan *plan)
{
    size_t n;
    const ullage_buffer *all = ullage_plan_buffers(plan, &n);
    for (size_t i = 0; i < n; i++) {
        bool kind = false, same = false;
        for (int k = 0; k < c->n_rows && !same; k++) {
            bool of_kind = strcmp(c->row[k].kind, all[i].kind) == 0;
            kind |= of_kind && c->row[k].logged >= 0;
            same = of_kind && strcmp(c->row[k].buffer, all[i].buffer) == 0;
        }
        if (kind && !same && all[i].size.bytes >= CHECK_SHOWN)
            return true;
    }
    return false;
}

/* How many rows that differ, and have no cause yet, agree with the changes; 0 when one that agreed
 * does not any more. */
static int explains(const struct ul_check *c, const struct check_words *w,
                    const ullage_model *model, const struct check_change *x, int n_changes)
{
    int n = 0;
    ullage_plan *plan = NULL;
    bool spoils = check_plan_with(&plan, w, model, x, n_changes, true) != CLI_OK
        || adds_buffer(c, plan);
    for (int i = 0; i < c->n_rows && !spoils; i++) {
        const struct ul_check_row *row = &c->row[i];
        bool same = (open_row(row) || row->verdict == UL_CHECK_AGREES) && !row->table
            && agrees_with(row, plan);
        n += open_row(row) && same;
        spoils = row->verdict == UL_CHECK_AGREES && !row->table && !row->model && !row->context
            && !same;
    }
    ullage_plan_free(plan);
    return spoils ? 0 : n;
}

static const char *kind_name(enum check_change_kind kind)
{
    return kind == CHECK_GPU ? "the GPU or back-end" : kind == CHECK_CPU ? "the CPU's back-end"
                                                                        : "a flag";
}

/* "a flag: agrees with -ub 1024 and --swa-full" */
static void name_changes(const struct check_change *x, int n, char out[NAMED])
{
    int at = snprintf(out, NAMED, "%s: agrees with ", kind_name(x[n - 1].kind));
    for (int i = 0; i < n && at < NAMED; i++)
        at += snprintf(out + at, (size_t)(NAMED - at), "%s%s%s%s", i ? " and " : "", x[i].word,
                       !x[i].value ? "" : x[i].kind == CHECK_GPU ? "=" : " ",
                       x[i].value ? x[i].value : "");
}

static void mark(struct ul_check *c, const struct check_words *w, const ullage_model *model,
                 const struct check_change *x, int n)
{
    char why[NAMED];
    ullage_plan *plan = NULL;
    name_changes(x, n, why);
    if (check_plan_with(&plan, w, model, x, n, true) == CLI_OK)
        for (int i = 0; i < c->n_rows; i++)
            if (open_row(&c->row[i]) && agrees_with(&c->row[i], plan))
                memcpy(c->row[i].why, why, sizeof why);
    ullage_plan_free(plan);
}

/* The one change on top of `n` that explains most; whether any explains more than `least`. */
static bool best_next(const struct ul_check *c, const struct check_words *w,
                      const ullage_model *model, const struct trial *t, struct check_change *x,
                      int n, int least)
{
    struct check_change best = {0};
    for (int i = 0; i < t->n; i++) {
        x[n] = t->all[i];
        int found = explains(c, w, model, x, n + 1);
        if (found > least) {
            least = found;
            best = x[n];
        }
    }
    x[n] = best;
    return best.word != NULL;
}

static int still_open(const struct ul_check *c)
{
    int n = 0;
    for (int i = 0; i < c->n_rows; i++)
        n += open_row(&c->row[i]);
    return n;
}

/* ------------------------------------------------------------------ all of it */

static bool modelled_backend(const char *buffer)
{
    return strncmp(buffer, "CUDA", 4) == 0 || strncmp(buffer, "CPU", 3) == 0;
}

/* Builds before 0.7.0 counted a mapped file from the first tensor of such a buffer to the last,
 * with what lies between (src/llama-model.cpp: get_mapping_range); since then it is pieces. */
static bool older_span(const struct ul_check_row *row, uint32_t build)
{
    return build != BUILD && strcmp(row->kind, "model") == 0 && strstr(row->buffer, "_Mapped")
        && row->logged > row->computed && row->computed > 0;
}

/* No change that was tried gives the figure: that it is unknown, and what may be behind it. */
static void admit(struct ul_check *c, int tried)
{
    uint32_t build = ul_evidence_build(c->e);
    for (int i = 0; i < c->n_rows; i++) {
        struct ul_check_row *row = &c->row[i];
        if (!open_row(row))
            continue;
        if (older_span(row, build)) {
            snprintf(row->why, sizeof row->why, "the version: older builds count the file's span "
                     "around these tensors, with those of other devices in it");
            continue;
        }
        int n = snprintf(row->why, sizeof row->why, "unknown: none of %d changes gives it", tried);
        char *at = row->why + n;
        size_t left = sizeof row->why - (size_t)n;
        if (!modelled_backend(row->buffer))
            snprintf(at, left, "; rules were compared with CUDA and the CPU only");
        else if (build && build != BUILD)
            snprintf(at, left, "; the log is of build %u, plans follow %u", build, BUILD);
        else if (!build)
            snprintf(at, left, "; the log does not say its build");
        else
            snprintf(at, left, "; the same build: another file, or our mistake");
    }
}

/* Each round finds the smallest set of changes, up to three, that explains a row, and marks it. */
void check_name_causes(struct ul_check *c, const struct check_words *w, const ullage_model *model)
{
    struct check_change x[TOGETHER];
    struct trial *t = malloc(sizeof *t);
    bool found = t != NULL;
    if (t)
        list_changes(t, model);
    while (found && still_open(c)) {
        found = best_next(c, w, model, t, x, 0, 0);
        if (found)
            mark(c, w, model, x, 1);
        /* A second flag on top of the first may explain what is left. */
        for (int n = 1; found && still_open(c) && n < TOGETHER; n++) {
            if (!best_next(c, w, model, t, x, n, 0))
                break;
            mark(c, w, model, x, n + 1);
        }
    }
    if (still_open(c))
        admit(c, t ? t->n : 0);
    free(t);
}
