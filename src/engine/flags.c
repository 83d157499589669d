/* Reading flags: a command line or the environment, by the one table (flags_table.c).
 *
 * The reading follows the engine's own (common/arg.cpp: common_params_parse_ex) in all that
 * changes a result: the environment first and in the table's order, then the arguments from left
 * to right; '_' counts as '-' in long names; a number is what stands at the text's start. Where a
 * person would be surprised by it, the settings get a note. Two things are kinder than the engine:
 * "64k" means 65536 (the engine would read 64), and spellings that it has dropped still act. */
#include "engine/flags.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_MOST 96 /* longest flag that is compared; the longest known has 33 characters */

int ul_flag_fail(struct ul_flag_use *u, int code, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return ul_fail(u->err, code, ULLAGE_NO_POSITION, "%.64s: %s", u->name, text);
}

bool ul_flag_stoi(const char *text, int *number, const char **end)
{
    char *stop;
    errno = 0;
    long v = strtol(text, &stop, 10);
    if (stop == text || errno == ERANGE || v < INT_MIN || v > INT_MAX)
        return false;
    *number = (int)v;
    *end = stop;
    return true;
}

/* ------------------------------------------------------------------ names */

/* Empty places are at the end. */
static bool has_name(const char *const *names, size_t most, const char *name)
{
    for (size_t i = 0; i < most && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Writes the name as the table spells it. False when it is too long to be one. */
static bool canonical(const char *name, char out[NAME_MOST])
{
    size_t n = strlen(name);
    if (n >= NAME_MOST)
        return false;
    memcpy(out, name, n + 1);
    bool is_long = out[0] == '-' && out[1] == '-';
    for (char *p = out; is_long && *p; p++)
        if (*p == '_')
            *p = '-';
    return true;
}

/* A search from the front: a command line has some ten flags, and the table some 400 spellings. */
static const struct ul_flag *find(const char *name, bool *on)
{
    char spelled[NAME_MOST];
    if (!canonical(name, spelled))
        return NULL;
    for (size_t i = 0; i < ul_n_flags; i++) {
        *on = has_name(ul_flags[i].names, UL_FLAG_NAMES, spelled);
        if (*on || has_name(ul_flags[i].negations, UL_FLAG_NEGATIONS, spelled))
            return &ul_flags[i];
    }
    return NULL;
}

/* ------------------------------------------------------------------ values */

/* A number with something after it. A k or m is taken as people mean it, in flags that act. */
static int read_tail(struct ul_flag_use *u, const char *end)
{
    if (u->flag->effect != UL_FLAG_ACTS)
        return ULLAGE_OK;
    bool k = *end == 'k' || *end == 'K', m = *end == 'm' || *end == 'M';
    if (!(k || m) || end[1]) {
        ul_note(&u->s->notes, "number_tail", "%s %.40s: the engine reads %d and ignores the rest",
                         u->name, u->value, u->number);
        return ULLAGE_OK;
    }
    long long v = (long long)u->number * (k ? 1 << 10 : 1 << 20);
    if (v > INT_MAX || v < INT_MIN)
        return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%.40s' is too large", u->value);
    ul_note(&u->s->notes, "number_suffix",
                     "%s %.40s is taken as %lld; the engine itself would read %d: write %s %lld",
                     u->name, u->value, v, u->number, u->name, v);
    u->number = (int)v;
    return ULLAGE_OK;
}

/* The engine's error says "stoi" and nothing else. */
static int read_int(struct ul_flag_use *u)
{
    const char *end;
    if (!ul_flag_stoi(u->value, &u->number, &end))
        return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%.40s' is not a number that fits", u->value);
    return *end ? read_tail(u, end) : ULLAGE_OK;
}

static int read_float(struct ul_flag_use *u, float *value)
{
    char *end;
    double d = strtod(u->value, &end);
    *value = (float)d;
    if (end == u->value || (isinf(*value) && !isinf(d)))
        return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%.40s' is not a number that fits", u->value);
    return ULLAGE_OK;
}

/* The error that lists the words: "none, layer, row or tensor". */
static int no_such_word(struct ul_flag_use *u)
{
    char list[160] = "";
    size_t n = 0;
    for (const struct ul_choice *c = u->flag->choices; c->word; c++) {
        if (c->alias)
            continue;
        const struct ul_choice *next = c + 1;
        while (next->word && next->alias)
            next++;
        const char *before = n == 0 ? "" : next->word ? ", " : " or ";
        int more = snprintf(list + n, sizeof list - n, "%s%s", before, c->word);
        n += (size_t)more < sizeof list - n ? (size_t)more : 0;
    }
    return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%.40s' is none of %s", u->value, list);
}

/* Case counts, as in the engine. */
static int read_choice(struct ul_flag_use *u)
{
    for (const struct ul_choice *c = u->flag->choices; c->word; c++)
        if (strcmp(c->word, u->value) == 0) {
            u->number = c->value;
            return ULLAGE_OK;
        }
    return no_such_word(u);
}

/* Puts a value where the row says: a bool, an int (or enum) or a float by the member's size. */
static void store(struct ul_flag_use *u, int value, float number)
{
    char *at = (char *)u->s + u->flag->at;
    if (u->flag->store == UL_STORE_NOT)
        value = !value;
    if (u->flag->kind == UL_FLAG_FLOAT)
        memcpy(at, &number, sizeof number);
    else if (u->flag->size == sizeof(bool))
        *(bool *)at = value != 0;
    else
        memcpy(at, &value, sizeof value);
}

/* Values of flags that move no memory are read too, so that a slip there is found as well. */
static int read_value(struct ul_flag_use *u, float *number)
{
    switch (u->flag->kind) {
    case UL_FLAG_INT: return read_int(u);
    case UL_FLAG_FLOAT: return read_float(u, number);
    case UL_FLAG_CHOICE: return read_choice(u);
    case UL_FLAG_SWITCH: case UL_FLAG_BOOL: u->number = u->on; break;
    case UL_FLAG_TEXT: break;
    }
    return ULLAGE_OK;
}

/* What is noted of a flag whatever its value is. */
static void note_effect(struct ul_flag_use *u)
{
    const struct ul_flag *f = u->flag;
    if (f->effect == UL_FLAG_UNMODELLED)
        ul_settings_unmodelled(u->s, u->name, f->why);
    if (f->effect == UL_FLAG_STOPS)
        ul_note(&u->s->notes, "flag_stops", "with %s the engine prints something and stops; "
                         "the plan is for the other flags", u->name);
    if (f->engine)
        ul_note(&u->s->notes, f->effect == UL_FLAG_OLDER ? "flag_older" : "flag_deprecated", "%s",
                         f->engine);
}

/* One flag with its value, from either source. */
static int take(struct ul_flag_use *u)
{
    float number = 0;
    int rc = read_value(u, &number);
    if (rc)
        return rc;
    size_t at = (size_t)(u->flag - ul_flags);
    u->s->given[at / 64] |= (uint64_t)1 << (at % 64);
    note_effect(u);
    if (u->flag->draft)
        u->s = ul_settings_draft(u->s);
    if (u->flag->set)
        return u->flag->set(u);
    if (u->flag->store != UL_STORE_NONE)
        store(u, u->number, number);
    return ULLAGE_OK;
}

/* With -hf the engine also loads the projector that it finds in the repository
 * (common/arg.cpp: common_models_handler_init), whatever the flags' order. */
static void settle(struct ul_settings *s)
{
    static const char why[] = "the repository's projector is loaded too; --no-mmproj leaves it out";
    bool known = s->no_mmproj || ul_companion_of(s, ULLAGE_PROJECTOR, 0);
    if (s->hf_repo && !known)
        ul_settings_unmodelled(s, "-hf", why);
    size_t n = 0;
    for (size_t i = 0; i < s->n_unmodelled; i++)
        if (!(known && s->unmodelled[i].why == why))
            s->unmodelled[n++] = s->unmodelled[i];
    s->n_unmodelled = n;
}

bool ul_settings_given(const struct ul_settings *s, const char *flag)
{
    bool on;
    const struct ul_flag *f = find(flag, &on);
    size_t at = f ? (size_t)(f - ul_flags) : 0;
    return f && (s->given[at / 64] >> (at % 64) & 1);
}

/* ------------------------------------------------------------------ arguments */

/* Spells the flag without the "=value" that people add: the engine takes none. */
static int joined_value(const char *arg, ullage_error *err)
{
    const char *eq = strchr(arg, '=');
    char name[NAME_MOST];
    size_t n = eq ? (size_t)(eq - arg) : 0;
    bool on;
    if (n == 0 || n >= sizeof name)
        return ULLAGE_OK;
    memcpy(name, arg, n);
    name[n] = '\0';
    if (!find(name, &on))
        return ULLAGE_OK;
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "unknown flag '%.80s': llama-server takes no '=', write %s %.80s", arg, name,
                   eq + 1);
}

/* A word without a dash is mostly a second value for a flag that takes one. */
static int unknown(struct ul_settings *s, const char *arg, ullage_error *err)
{
    if (arg[0] != '-')
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "'%.80s' is not a flag: flags start with '-', and the one before it takes "
                       "no further value", arg);
    if (joined_value(arg, err))
        return ULLAGE_ERROR_USAGE;
    const char **names = ul_arena_alloc(&s->arena, ul_n_flags,
                                        (UL_FLAG_NAMES + UL_FLAG_NEGATIONS) * sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < ul_n_flags; i++) {
        for (size_t k = 0; k < UL_FLAG_NAMES && ul_flags[i].names[k]; k++)
            names[n++] = ul_flags[i].names[k];
        for (size_t k = 0; k < UL_FLAG_NEGATIONS && ul_flags[i].negations[k]; k++)
            names[n++] = ul_flags[i].negations[k];
    }
    const char *near = ullage_near(arg, names, n);
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "unknown flag '%.80s'%s%s%s", arg,
                   near ? ": did you mean " : " of llama-server", near ? near : "", near ? "?" : "");
}

/* What the engine says about a flag that is given again, or that the environment sets too. */
static void note_again(struct ul_flag_use *u, bool *seen)
{
    bool acts = u->flag->effect == UL_FLAG_ACTS;
    if (*seen && acts && !u->flag->appends)
        ul_note(&u->s->notes, "flag_repeated", "%s is given more than once: the last one counts",
                         u->flag->names[0]);
    *seen = true;
    for (size_t i = 0; acts && i < u->s->n_env_seen; i++)
        if (u->s->env_seen[i] == u->flag->env)
            ul_note(&u->s->notes, "environment_overridden",
                             u->flag->appends ? "%s is set too: it counts before %s"
                                              : "%s is set, but %s on the command line wins",
                             u->flag->env, u->flag->names[0]);
}

/* Left to right. A value is the next word even when it starts with a dash, as in the engine: for
 * "-c -ngl" the error is about "-ngl", not about a missing value. */
static int parse(struct ul_settings *s, int n, const char *const *args, ullage_error *err)
{
    bool *seen = ul_arena_alloc(&s->arena, ul_n_flags, sizeof *seen);
    for (int i = 0; i < n; i++) {
        struct ul_flag_use u = {.s = s, .name = args[i], .err = err};
        u.flag = find(args[i], &u.on);
        if (!u.flag)
            return unknown(s, args[i], err);
        int values = (u.flag->value != NULL) + (u.flag->value2 != NULL);
        if (n - 1 - i < values)
            return ul_flag_fail(&u, ULLAGE_ERROR_USAGE, "needs a value (%s)",
                                i + 1 < n ? u.flag->value2 : u.flag->value);
        u.value = values > 0 ? args[i + 1] : NULL;
        u.value2 = values > 1 ? args[i + 2] : NULL;
        i += values;
        note_again(&u, &seen[u.flag - ul_flags]);
        int rc = take(&u);
        if (rc)
            return rc;
    }
    settle(s);
    return ULLAGE_OK;
}

int ullage_settings_parse(ullage_settings *settings, int n, const char *const *args,
                          ullage_error *err)
{
    jmp_buf oom;
    settings->s.arena.oom = &oom;
    if (setjmp(oom))
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    return parse(&settings->s, n, args, err);
}

int ullage_settings_set(ullage_settings *settings, const char *flag, const char *value,
                        ullage_error *err)
{
    const char *args[2] = {flag, value};
    return ullage_settings_parse(settings, value ? 2 : 1, args, err);
}

/* ------------------------------------------------------------------ environment */

/* The value of a variable in environ-style text, or NULL. */
static const char *variable(const char *const *env, const char *name, size_t n)
{
    for (size_t i = 0; env[i]; i++)
        if (strncmp(env[i], name, n) == 0 && env[i][n] == '=')
            return env[i] + n + 1;
    return NULL;
}

/* For flags with a negation, LLAMA_ARG_NO_X set to anything means off, before LLAMA_ARG_X
 * (common/arg.cpp: common_arg::get_value_from_env). */
static const char *flag_variable(const struct ul_flag *f, const char *const *env)
{
    static const char prefix[] = "LLAMA_ARG_";
    size_t n = sizeof prefix - 1;
    if (f->negations[0] && strncmp(f->env, prefix, n) == 0) {
        char name[NAME_MOST];
        int length = snprintf(name, sizeof name, "%sNO_%s", prefix, f->env + n);
        if (variable(env, name, (size_t)length))
            return "0";
    }
    return variable(env, f->env, strlen(f->env));
}

/* The words of the environment for flags without a value. */
static int truth(struct ul_flag_use *u, bool *skip)
{
    static const char *const words[2][4] = {{"off", "disabled", "false", "0"},
                                            {"on", "enabled", "true", "1"}};
    for (int on = 0; on < 2; on++)
        for (size_t i = 0; i < 4; i++)
            if (strcmp(u->value, words[on][i]) == 0) {
                u->on = on;
                *skip = !on && u->flag->kind == UL_FLAG_SWITCH;
                return ULLAGE_OK;
            }
    *skip = u->flag->kind == UL_FLAG_SWITCH; /* a switch ignores what it cannot read */
    if (*skip)
        return ULLAGE_OK;
    return ul_flag_fail(u, ULLAGE_ERROR_USAGE, "'%.40s' is neither on nor off", u->value);
}

/* A switch that the environment turns off is as if it was not set. */
static int take_variable(struct ul_settings *s, const struct ul_flag *f, const char *value,
                         ullage_error *err)
{
    struct ul_flag_use u = {.s = s, .flag = f, .name = f->env, .value = value, .on = true,
                            .err = err};
    bool skip = false;
    int rc = f->value ? ULLAGE_OK : truth(&u, &skip);
    if (rc || skip)
        return rc;
    if (f->effect == UL_FLAG_ACTS)
        ul_note(&s->notes, "environment_used", "%s=%.60s is set: it counts as %s would", f->env,
                value, f->names[0]);
    s->env_seen = ul_settings_grow(s, s->env_seen, s->n_env_seen, sizeof *s->env_seen);
    s->env_seen[s->n_env_seen++] = f->env;
    return take(&u);
}

/* A variable of another version does nothing, which its owner may not know. */
static void note_unknown(struct ul_settings *s, const char *const *env)
{
    for (size_t i = 0; env[i]; i++) {
        bool known = strncmp(env[i], "LLAMA_ARG_", strlen("LLAMA_ARG_")) != 0;
        for (size_t k = 0; k < ul_n_flags && !known; k++) {
            const char *name = ul_flags[k].env;
            const char *const one[] = {env[i], NULL};
            known = name && flag_variable(&ul_flags[k], one);
        }
        if (!known)
            ul_note(&s->notes, "environment_unknown",
                    "%.*s is set, but llama-server 0.7.0 knows no such variable",
                    (int)(strcspn(env[i], "=") < 60 ? strcspn(env[i], "=") : 60), env[i]);
    }
}

int ullage_settings_environment(ullage_settings *settings, const char *const *env,
                                ullage_error *err)
{
    struct ul_settings *s = &settings->s;
    jmp_buf oom;
    s->arena.oom = &oom;
    if (setjmp(oom))
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    for (size_t i = 0; i < ul_n_flags; i++) {
        const char *value = ul_flags[i].env ? flag_variable(&ul_flags[i], env) : NULL;
        int rc = value ? take_variable(s, &ul_flags[i], value, err) : ULLAGE_OK;
        if (rc)
            return rc;
    }
    note_unknown(s, env);
    settle(s);
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ the table, for others */

static const char *group_name(enum ul_flag_group group)
{
    static const char *const names[] = {
        [UL_GROUP_COMMON] = "common", [UL_GROUP_SAMPLING] = "sampling",
        [UL_GROUP_SPECULATIVE] = "speculative", [UL_GROUP_SERVER] = "server",
        [UL_GROUP_OLDER] = "older"};
    return names[group];
}

static void describe(const struct ul_flag *f, ullage_flag *out)
{
    *out = (ullage_flag){.names = f->names, .negations = f->negations, .value = f->value,
                         .value2 = f->value2, .env = f->env, .help = f->help,
                         .group = group_name(f->group),
                         .memory = f->effect == UL_FLAG_ACTS ? ULLAGE_FLAG_MODELLED
                                   : f->effect == UL_FLAG_UNMODELLED ? ULLAGE_FLAG_UNMODELLED
                                                                     : ULLAGE_FLAG_FREE};
    while (out->n_names < UL_FLAG_NAMES && f->names[out->n_names])
        out->n_names++;
    while (out->n_negations < UL_FLAG_NEGATIONS && f->negations[out->n_negations])
        out->n_negations++;
}

int ullage_flag_at(size_t index, ullage_flag *flag)
{
    if (index >= ul_n_flags)
        return 0;
    describe(&ul_flags[index], flag);
    return 1;
}

int ullage_flag_find(const char *name, ullage_flag *flag)
{
    bool on;
    const struct ul_flag *f = find(name, &on);
    if (f)
        describe(f, flag);
    return f != NULL;
}

const char *ullage_flag_word(size_t index, size_t word)
{
    if (index >= ul_n_flags || !ul_flags[index].choices)
        return NULL;
    for (const struct ul_choice *c = ul_flags[index].choices; c->word; c++)
        if (!c->alias && word-- == 0)
            return c->word;
    return NULL;
}
