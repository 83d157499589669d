/* With the model's file: a plan for the flags and the machine that the log shows, set beside its
 * buffers and the table that the engine prints at its end. Why they differ is check_causes.c's. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#define MIB 1048576.0
#define MOST_FLAGS 1024

/* ------------------------------------------------------------------ plans */

int check_plan_with(ullage_plan **plan, const struct check_words *w, const ullage_model *model,
                    const struct check_change *changes, int n, bool quiet)
{
    const char *flags[MOST_FLAGS];
    char gpu[CLI_MAX_GPUS][256];
    struct cli_args args = w->args;
    ullage_error err = {0};
    ullage_settings *settings = NULL;
    ullage_machine *machine = NULL;
    *plan = NULL;
    if (args.n_flags + 2 * n > MOST_FLAGS)
        return cli_error(CLI_USAGE, "too many flags");
    memcpy(flags, args.flags, (size_t)args.n_flags * sizeof *flags);
    args.flags = flags;
    for (int i = 0; i < n; i++)
        check_change_apply(&args, flags, gpu, &changes[i]);
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

double check_computed_mib(const ullage_plan *plan, const char *buffer, const char *kind)
{
    const ullage_buffer *b = find(plan, buffer, kind);
    return !b ? 0 : b->size.source == ULLAGE_UNKNOWN ? -1 : (double)b->size.bytes / MIB;
}

/* ------------------------------------------------------------------ rows */

/* Whose a buffer is that is not the server's own. */
const char *check_not_own(const struct ul_check *c, const struct ul_ev_buffer *b)
{
    const char *what = ul_evidence_part(c->e, b->model, b->context);
    return what ? what : b->model ? "another model's" : b->context ? "a second context's"
                                                                   : "a projector's";
}

static void logged_row(struct ul_check *c, const ullage_plan *plan, const struct ul_ev_buffer *b)
{
    bool own = b->model == 0 && b->context == 0 && strcmp(b->kind, "mmproj") != 0;
    double computed = own ? check_computed_mib(plan, b->buffer, b->kind) : -1;
    struct ul_check_row *row = ul_check_row(c, b->buffer, b->kind, b->mib, computed, b->lines);
    row->model = b->model;
    row->context = b->context;
    if (computed < 0)
        snprintf(row->why, sizeof row->why, "%s", own ? "no rule is known" : check_not_own(c, b));
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
        if (all[i].size.source == ULLAGE_UNKNOWN || all[i].size.bytes < CHECK_SHOWN
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

/* ------------------------------------------------------------------ all of it */

static void compare(struct ul_check *c, const struct check_words *w, const ullage_model *model,
                    const ullage_plan *plan)
{
    size_t n = 0;
    for (int i = 0; i < c->e->n_buffers; i++)
        logged_row(c, plan, &c->e->buffer[i]);
    if (c->e->n_buffers > 0) /* else there is a table alone */
        missing_rows(c, plan);
    check_table_by_plan(c, plan);
    if (ul_check_count(c, UL_CHECK_DIFFERS))
        check_name_causes(c, w, model);
    const char *arch = ullage_describe(model)->arch;
    if (c->e->arch[0] && strcmp(arch, c->e->arch) != 0)
        ul_check_note(c, "the log's model is %s, the file's %s", c->e->arch, arch);
    const struct ul_ev_value *layers = &c->e->key[UL_EV_N_LAYER]; /* without draft layers */
    if (layers->n == 1 && layers->v[0] != ullage_describe(model)->n_layer)
        ul_check_note(c,
                      "the log's model has %u layers, the file's %u: another file may be the cause "
                      "of differences",
                      layers->v[0], ullage_describe(model)->n_layer);
    const ullage_note *notes = ullage_plan_notes(plan, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(notes[i].code, "flag_repeated") && strcmp(notes[i].code, "host_budget_unknown"))
            ul_check_note(c, "%s", notes[i].text);
}

/* On auto the engine decides by a trial graph; another build or back-end may do otherwise. */
static int plan_as_decided(ullage_plan **plan, struct ul_check *c, struct check_words *w,
                           const ullage_model *model)
{
    int status = check_plan_with(plan, w, model, NULL, 0, false);
    int decided = c->e->context[UL_EV_FLASH] >= 0 ? -1 : c->e->flash;
    if (status || decided < 0 || ullage_plan_context(*plan)->flash_attn == decided)
        return status;
    ullage_plan_free(*plan);
    *plan = NULL;
    check_words_flash(w, c, decided);
    ul_check_note(c,
                  "this build or back-end decided on flash attention otherwise than a plan would");
    return check_plan_with(plan, w, model, NULL, 0, false);
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
