/* With the model's file: a plan for the flags and the machine that the log shows, set beside its
 * buffers. Where they differ, plans with one thing changed are tried, and one that explains the
 * figure names the likely cause; else the build or the back-end may be it. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#define MIB 1048576.0
/* llama.cpp's build whose rules plans follow (0.7.0). */
#define BUILD 11669u
/* Less is 0.00 in a log. */
#define SHOWN 5243u

/* ------------------------------------------------------------------ plans */

/* `flag` and `value` (NULL: none) come after all other flags. */
static int make_plan(ullage_plan **plan, const struct check_words *w, const ullage_model *model,
                     const char *flag, const char *value, bool quiet)
{
    const char *flags[1024];
    struct cli_args args = w->args;
    ullage_error err = {0};
    ullage_settings *settings = NULL;
    ullage_machine *machine = NULL;
    if (args.n_flags + 2 > (int)(sizeof flags / sizeof *flags))
        return cli_error(CLI_USAGE, "too many flags");
    memcpy(flags, args.flags, (size_t)args.n_flags * sizeof *flags);
    args.flags = flags;
    if (flag && strcmp(flag, "--outputs") == 0)
        args.outputs = value;
    else if (flag && strcmp(flag, "--cpu") == 0)
        args.cpu = value;
    else if (flag) {
        flags[args.n_flags++] = flag;
        if (value)
            flags[args.n_flags++] = value;
    }
    int status = cli_settings(&settings, &args);
    if (!status)
        status = cli_machine(&machine, &args);
    if (!status && ullage_plan_make(plan, model, settings, machine, &err))
        status = quiet ? CLI_USAGE : cli_fail(&err);
    ullage_settings_free(settings);
    ullage_machine_free(machine);
    return status;
}

static const ullage_buffer *find(const ullage_plan *plan, const char *buffer, const char *kind)
{
    size_t n;
    const ullage_buffer *all = ullage_plan_buffers(plan, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].buffer, buffer) == 0 && strcmp(all[i].kind, kind) == 0)
            return &all[i];
    return NULL;
}

static double computed_mib(const ullage_plan *plan, const char *buffer, const char *kind)
{
    const ullage_buffer *b = find(plan, buffer, kind);
    return !b ? 0 : b->size.source == ULLAGE_UNKNOWN ? -1 : (double)b->size.bytes / MIB;
}

/* ------------------------------------------------------------------ rows */

static void logged_row(struct ul_check *c, const ullage_plan *plan, const struct ul_ev_buffer *b)
{
    bool own = b->model == 0 && b->context == 0 && strcmp(b->kind, "mmproj") != 0;
    double computed = own ? computed_mib(plan, b->buffer, b->kind) : -1;
    struct ul_check_row *row = ul_check_row(c, b->buffer, b->kind, b->mib, computed, b->lines);
    row->model = b->model;
    row->context = b->context;
    if (computed < 0)
        snprintf(row->why, sizeof row->why, "%s", own ? "no rule is known"
                 : b->model ? "another model: check it with its own file and log"
                 : b->context ? "a second context of the model" : "a projector's");
}

static bool logged(const struct ul_evidence *e, const char *buffer, const char *kind)
{
    for (int i = 0; i < e->n_buffers; i++)
        if ((!buffer || strcmp(e->buffer[i].buffer, buffer) == 0)
            && strcmp(e->buffer[i].kind, kind) == 0 && !e->buffer[i].model && !e->buffer[i].context)
            return true;
    return false;
}

/* A kind that the log has nowhere is not missing: the log ends before, or starts after. */
static void missing_rows(struct ul_check *c, const ullage_plan *plan)
{
    size_t n;
    const ullage_buffer *all = ullage_plan_buffers(plan, &n);
    for (size_t i = 0; i < n; i++) {
        if (all[i].size.source == ULLAGE_UNKNOWN || all[i].size.bytes < SHOWN
            || logged(c->e, all[i].buffer, all[i].kind))
            continue;
        struct ul_check_row *row =
            ul_check_row(c, all[i].buffer, all[i].kind, -1, (double)all[i].size.bytes / MIB, 1);
        if (logged(c->e, NULL, all[i].kind))
            row->verdict = UL_CHECK_DIFFERS;
        else
            snprintf(row->why, sizeof row->why, "the log has no %s buffer: it is cut off, or of "
                     "lower verbosity than -lv 4", all[i].kind);
    }
}

/* ------------------------------------------------------------------ causes */

static bool agrees_with(const struct ul_check_row *row, const ullage_plan *plan)
{
    double computed = computed_mib(plan, row->buffer, row->kind);
    return computed >= 0 && ul_check_same(row->logged < 0 ? 0 : row->logged, computed, row->lines);
}

struct change {
    const char *flag, *value;
};

/* How many rows that differ, and have no cause yet, agree with the change; `mark` names it there. */
static int explains(struct ul_check *c, const struct check_words *w, const ullage_model *model,
                    const struct change *x, bool mark)
{
    int n = 0;
    ullage_plan *plan = NULL;
    if (make_plan(&plan, w, model, x->flag, x->value, true) == CLI_OK)
        for (int i = 0; i < c->n_rows; i++) {
            struct ul_check_row *row = &c->row[i];
            if (row->verdict != UL_CHECK_DIFFERS || row->why[0] || !agrees_with(row, plan))
                continue;
            n++;
            if (mark)
                snprintf(row->why, sizeof row->why, "a flag: agrees with %s%s%s", x->flag,
                         x->value ? " " : "", x->value ? x->value : "");
        }
    ullage_plan_free(plan);
    return n;
}

static const struct change changes[] = {
    {"-fa", "on"}, {"-fa", "off"}, {"-lm", "mmap"}, {"-lm", "none"}, {"--no-repack", NULL},
    {"--repack", NULL}, {"-nkvo", NULL}, {"-kvo", NULL}, {"-kvu", NULL}, {"-no-kvu", NULL},
    {"--swa-full", NULL}, {"-ctk", "q8_0"}, {"-ctk", "f16"}, {"-ctv", "q8_0"}, {"-ctv", "f16"},
    {"-ub", "512"}, {"-ub", "1024"}, {"-ub", "2048"}, {"-ngl", "0"}, {"-ngl", "99"},
    {"--cpu-moe", NULL}, {"--outputs", "batch"}, {"--outputs", "slots"}, {"--cpu", "haswell"},
    {"--cpu", "x64"}, {"-sm", "none"}};

static void better(struct ul_check *c, const struct check_words *w, const ullage_model *model,
                   const struct change *x, struct change *best, int *most)
{
    int n = explains(c, w, model, x, false);
    if (n > *most) {
        *most = n;
        *best = *x;
    }
}

/* The one change that explains most. How many layers' experts are on the CPU no log says. */
static void try_changes(struct ul_check *c, const struct check_words *w, const ullage_model *model)
{
    static char counts[128][8];
    const ullage_model_info *info = ullage_describe(model);
    struct change best = {0};
    int most = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        better(c, w, model, &changes[i], &best, &most);
    for (uint32_t i = 1; info->n_expert && i < info->n_layer && i < 128; i++) {
        snprintf(counts[i], sizeof counts[i], "%u", i);
        better(c, w, model, &(struct change){"--n-cpu-moe", counts[i]}, &best, &most);
    }
    if (most > 0)
        explains(c, w, model, &best, true);
}

static bool modelled_backend(const char *buffer)
{
    return strncmp(buffer, "CUDA", 4) == 0 || strncmp(buffer, "CPU", 3) == 0;
}

static void name_causes(struct ul_check *c)
{
    uint32_t build = ul_evidence_build(c->e);
    for (int i = 0; i < c->n_rows; i++) {
        struct ul_check_row *row = &c->row[i];
        if (row->verdict != UL_CHECK_DIFFERS || row->why[0])
            continue;
        if (!modelled_backend(row->buffer))
            snprintf(row->why, sizeof row->why, "the back-end: rules were compared with CUDA and "
                     "the CPU only");
        else if (build && build != BUILD)
            snprintf(row->why, sizeof row->why, "the version: build %u, and plans follow %u", build,
                     BUILD);
        else if (!build)
            snprintf(row->why, sizeof row->why, "the version, which the log does not say; or a flag "
                     "or a device that it does not show");
        else
            snprintf(row->why, sizeof row->why, "not explained: the same build. A flag or a device "
                     "that the log does not show, another file, or our mistake");
    }
}

/* ------------------------------------------------------------------ all of it */

static void compare(struct ul_check *c, const struct check_words *w, const ullage_model *model,
                    const ullage_plan *plan)
{
    size_t n = 0;
    for (int i = 0; i < c->e->n_buffers; i++)
        logged_row(c, plan, &c->e->buffer[i]);
    missing_rows(c, plan);
    if (ul_check_count(c, UL_CHECK_DIFFERS)) {
        try_changes(c, w, model); /* twice: two flags may have been given */
        try_changes(c, w, model);
        name_causes(c);
    }
    const char *arch = ullage_describe(model)->arch;
    if (c->e->arch[0] && strcmp(arch, c->e->arch) != 0)
        ul_check_note(c, "the log's model is %s, the file's %s", c->e->arch, arch);
    const struct ul_ev_value *layers = &c->e->key[UL_EV_N_LAYER]; /* without draft layers */
    if (layers->n == 1 && layers->v[0] != ullage_describe(model)->n_layer)
        ul_check_note(c, "the log's model has %u layers, the file's %u: another file may be the cause "
                      "of differences", layers->v[0], ullage_describe(model)->n_layer);
    const ullage_note *notes = ullage_plan_notes(plan, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(notes[i].code, "flag_repeated"))
            ul_check_note(c, "%s", notes[i].text);
}

/* On auto the engine decides by a trial graph, and another build or back-end otherwise than ours. */
static int plan_as_decided(ullage_plan **plan, struct ul_check *c, struct check_words *w,
                           const ullage_model *model)
{
    int status = make_plan(plan, w, model, NULL, NULL, false);
    int decided = c->e->context[UL_EV_FLASH] >= 0 ? -1 : c->e->flash;
    if (status || decided < 0 || ullage_plan_context(*plan)->flash_attn == decided)
        return status;
    ullage_plan_free(*plan);
    *plan = NULL;
    check_words_flash(w, c, decided);
    ul_check_note(c, "this build or back-end decided on flash attention otherwise than a plan would");
    return make_plan(plan, w, model, NULL, NULL, false);
}

int check_by_plan(struct ul_check *c, struct check_words *w, const char *path)
{
    ullage_error err = {0};
    ullage_model *model = NULL;
    ullage_plan *plan = NULL;
    int status = CLI_OK;
    c->by_plan = true;
    if (cli_open_model(&model, &w->args, path, w->args.quant, &err))
        return cli_fail(&err);
    status = plan_as_decided(&plan, c, w, model);
    if (!status)
        compare(c, w, model, plan);
    ullage_plan_free(plan);
    ullage_close(model);
    return status;
}
