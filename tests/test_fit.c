/* The search against brute force: on small models and short lists of contexts, every combination of
 * the open settings is planned through the public interface, the best one that fits is taken by an
 * order written down here again, and the search must have found one that is as good. */
#include "mkgguf.h"

#include "ullage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB ((uint64_t)1 << 20)

/* ------------------------------------------------------------------ small models */

struct shape {
    uint32_t layers, experts, train; /* experts 0: dense */
    bool uneven;                     /* every second layer has four times the feed-forward */
};

static void matrix(struct mkgguf *m, uint32_t il, const char *part, uint64_t in, uint64_t out)
{
    char name[64];
    snprintf(name, sizeof name, "blk.%u.%s.weight", il, part);
    mk_tensor2(m, name, UL_Q4_K, in, out);
}

static void experts(struct mkgguf *m, uint32_t il, const char *part, uint64_t in, uint64_t out,
                    uint32_t n)
{
    char name[64];
    snprintf(name, sizeof name, "blk.%u.%s.weight", il, part);
    const uint64_t ne[] = {in, out, n};
    mk_tensor(m, name, UL_Q4_K, 3, ne);
}

static void layer(struct mkgguf *m, uint32_t il, const struct shape *s)
{
    uint64_t ff = s->uneven && il % 2 ? 8192 : 2048;
    char name[64];
    matrix(m, il, "attn_q", 2048, 2048);
    matrix(m, il, "attn_k", 2048, 512);
    matrix(m, il, "attn_v", 2048, 512);
    matrix(m, il, "attn_output", 2048, 2048);
    if (s->experts) {
        snprintf(name, sizeof name, "blk.%u.ffn_gate_inp.weight", il);
        mk_tensor2(m, name, UL_F32, 2048, s->experts);
        experts(m, il, "ffn_gate_exps", 2048, 1024, s->experts);
        experts(m, il, "ffn_up_exps", 2048, 1024, s->experts);
        experts(m, il, "ffn_down_exps", 1024, 2048, s->experts);
    } else {
        matrix(m, il, "ffn_gate", 2048, ff);
        matrix(m, il, "ffn_up", 2048, ff);
        matrix(m, il, "ffn_down", ff, 2048);
    }
    snprintf(name, sizeof name, "blk.%u.attn_norm.weight", il);
    mk_tensor1(m, name, UL_F32, 2048);
    snprintf(name, sizeof name, "blk.%u.ffn_norm.weight", il);
    mk_tensor1(m, name, UL_F32, 2048);
}

/* An array of feed-forward lengths, one a layer. */
static void lengths(struct mkgguf *m, const struct shape *s)
{
    mk_key(m, "llama.feed_forward_length", 9 /* array */);
    mk_32(m, 4 /* uint32 */);
    mk_64(m, s->layers);
    for (uint32_t il = 0; il < s->layers; il++)
        mk_32(m, s->uneven && il % 2 ? 8192 : 2048);
}

static ullage_model *build(const struct shape *s)
{
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_kv_str(&m, "general.architecture", "llama");
    mk_kv_u32(&m, "llama.context_length", s->train);
    mk_kv_u32(&m, "llama.embedding_length", 2048);
    mk_kv_u32(&m, "llama.block_count", s->layers);
    if (s->uneven)
        lengths(&m, s);
    else
        mk_kv_u32(&m, "llama.feed_forward_length", 2048);
    mk_kv_u32(&m, "llama.attention.head_count", 16);
    mk_kv_u32(&m, "llama.attention.head_count_kv", 4);
    mk_kv_u32(&m, "llama.vocab_size", 32000);
    mk_kv_f32(&m, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
    if (s->experts) {
        mk_kv_u32(&m, "llama.expert_count", s->experts);
        mk_kv_u32(&m, "llama.expert_used_count", 2);
    }
    mk_tensor2(&m, "token_embd.weight", UL_Q4_K, 2048, 32000);
    mk_tensor1(&m, "output_norm.weight", UL_F32, 2048);
    mk_tensor2(&m, "output.weight", UL_Q4_K, 2048, 32000);
    for (uint32_t il = 0; il < s->layers; il++)
        layer(&m, il, s);
    mk_end(&m);
    ullage_model *model;
    ullage_error err = {0};
    if (ullage_open_memory(&model, m.p, m.n, mk_full_size(&m), &err))
        fail_msg("%s", err.message);
    mk_free(&m);
    return model;
}

/* ------------------------------------------------------------------ a question */

#define MOST_FLAGS 24

struct question {
    struct shape shape;
    const char *gpu[4];
    uint64_t ram;             /* 0: unknown */
    const char *fixed[8];
    ullage_fit_options options;
};

/* One combination, and how good it is: the first difference decides, less is better. */
struct answer {
    uint32_t layers_off, experts_off;
    int64_t slots, context; /* negated: more is better */
    int types;              /* q8_0: 1 each */
    bool any;
};

static ullage_machine *machine(const struct question *q)
{
    ullage_error err = {0};
    ullage_machine *m = ullage_machine_new();
    assert_int_equal(ullage_machine_cpu(m, "x64", &err), 0);
    ullage_machine_runtime(m, (ullage_bytes){64 * MIB, ULLAGE_ASSUMED});
    ullage_machine_ram_bandwidth(m, 80e9);
    for (int i = 0; i < 4 && q->gpu[i]; i++)
        assert_int_equal(ullage_machine_add_gpu(m, q->gpu[i], &err), 0);
    if (q->ram)
        ullage_machine_ram(m, q->ram);
    return m;
}

static ullage_settings *settings(const struct question *q)
{
    ullage_error err = {0};
    int n = 0;
    ullage_settings *s = ullage_settings_new();
    while (n < 8 && q->fixed[n])
        n++;
    assert_int_equal(ullage_settings_parse(s, n, q->fixed, &err), 0);
    return s;
}

static bool fixes(const struct question *q, const char *flag)
{
    for (int i = 0; i < 8 && q->fixed[i]; i++)
        if (strcmp(q->fixed[i], flag) == 0)
            return true;
    return false;
}

static bool allows(const struct question *q, const char *word)
{
    return q->options.allow && strstr(q->options.allow, word);
}

static int compare(const struct question *q, const struct answer *a, const struct answer *b)
{
    bool slots = q->options.want == ULLAGE_WANT_SLOTS;
    int64_t d[] = {(int64_t)a->layers_off - b->layers_off, (int64_t)a->experts_off - b->experts_off,
                   slots ? a->slots - b->slots : 0, a->context - b->context, a->types - b->types};
    for (size_t i = 0; i < sizeof d / sizeof *d; i++)
        if (d[i])
            return d[i] < 0 ? -1 : 1;
    return 0;
}

/* ------------------------------------------------------------------ brute force */

struct force {
    const struct question *q;
    const ullage_model *model;
    ullage_machine *machine;
    struct answer best;
    unsigned tried;
};

static bool fits(struct force *f, const char *const *flags, int n)
{
    ullage_error err = {0};
    ullage_settings *s = settings(f->q);
    ullage_plan *plan = NULL;
    assert_int_equal(ullage_settings_parse(s, n, flags, &err), 0);
    bool yes = ullage_plan_make(&plan, f->model, s, f->machine, &err) == 0 && ullage_plan_fits(plan) != 0;
    ullage_plan_free(plan);
    ullage_settings_free(s);
    f->tried++;
    return yes;
}

/* All cuts of `ngl` layers over the GPUs, and the engine's own. */
static bool any_split(struct force *f, const char **flags, int n, uint32_t ngl)
{
    char text[64];
    const char *with[MOST_FLAGS];
    memcpy(with, flags, (size_t)n * sizeof *flags);
    if (fits(f, flags, n))
        return true;
    if (!f->q->gpu[1] || fixes(f->q, "-ts"))
        return false;
    with[n] = "-ts";
    with[n + 1] = text;
    for (uint32_t a = 0; a <= ngl; a++)
        for (uint32_t b = 0; b <= (f->q->gpu[2] ? ngl - a : 0); b++) {
            if (f->q->gpu[2])
                snprintf(text, sizeof text, "%u,%u,%u", a, b, ngl - a - b);
            else
                snprintf(text, sizeof text, "%u,%u", a, ngl - a);
            if (ngl && fits(f, with, n + 2))
                return true;
        }
    return false;
}

static void try_types(struct force *f, uint32_t ngl, uint32_t moe, uint32_t context, uint32_t slots)
{
    const struct question *q = f->q;
    char c[16], l[16], e[16], np[16];
    uint32_t layers = q->shape.layers + 1;
    for (int types = 0; types <= (allows(q, "kv=q8_0") ? 1 : 0); types++) {
        const char *flags[MOST_FLAGS];
        int n = 0;
        struct answer a = {.any = true, .layers_off = layers - ngl, .types = types,
                           .context = -(int64_t)context, .slots = -(int64_t)slots};
        a.experts_off = moe > layers - ngl && q->shape.experts ? moe - (layers - ngl) : 0;
        if (f->best.any && compare(q, &f->best, &a) <= 0)
            continue;
        snprintf(c, sizeof c, "%u", context * (slots ? slots : 1));
        snprintf(l, sizeof l, "%u", ngl);
        snprintf(e, sizeof e, "%u", moe);
        snprintf(np, sizeof np, "%u", slots);
        const char *open[][3] = {{"-c", c, ""}, {"-ngl", l, ""}, {"-ncmoe", e, ""}};
        for (size_t i = 0; i < 3; i++)
            if (!fixes(q, open[i][0]) && (i < 2 || moe)) {
                flags[n++] = open[i][0];
                flags[n++] = open[i][1];
            }
        if (slots) {
            flags[n++] = "-np";
            flags[n++] = np;
        }
        if (types) {
            flags[n++] = "-ctk", flags[n++] = "q8_0";
            flags[n++] = "-ctv", flags[n++] = "q8_0";
        }
        if (any_split(f, flags, n, ngl))
            f->best = a;
    }
}

static void all(struct force *f)
{
    const struct question *q = f->q;
    uint32_t layers = q->shape.layers + 1, least = q->options.min_context;
    bool open_slots = q->options.want == ULLAGE_WANT_SLOTS;
    uint32_t first_ngl = fixes(q, "-ngl") ? layers : 0;
    uint32_t last_moe = q->shape.experts && !fixes(q, "-ncmoe") ? q->shape.layers : 0;
    uint32_t last = fixes(q, "-c") ? least : q->shape.train;
    for (uint32_t ngl = layers + 1; ngl-- > first_ngl;)
        for (uint32_t moe = 0; moe <= last_moe; moe++)
            for (uint32_t slots = open_slots ? 24 : 0; slots + 1 > (open_slots ? 1u : 0u); slots--) {
                for (uint32_t context = last; context >= least; context -= 256)
                    try_types(f, ngl, moe, context, slots);
                if (slots == 0)
                    break;
            }
}

/* ------------------------------------------------------------------ the search's answer */

static uint32_t chosen(const ullage_fit *fit, const char *name)
{
    size_t n;
    const ullage_choice *c = ullage_fit_choices(fit, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(c[i].name, name) == 0)
            return (uint32_t)strtoul(c[i].value, NULL, 10);
    fail_msg("no setting %s", name);
    return 0;
}

static struct answer found(const struct question *q, const ullage_fit *fit)
{
    uint32_t layers = q->shape.layers + 1, ngl = chosen(fit, "ngl"), moe = chosen(fit, "ncmoe");
    struct answer a = {.any = ullage_fit_found(fit), .layers_off = layers - ngl};
    const ullage_context *c = ullage_plan_context(ullage_fit_plan(fit));
    a.experts_off = moe > layers - ngl && q->shape.experts ? moe - (layers - ngl) : 0;
    a.context = -(int64_t)c->n_ctx_seq;
    a.slots = q->options.want == ULLAGE_WANT_SLOTS ? -(int64_t)c->n_seq_max : 0;
    a.types = strcmp(c->type_k, "q8_0") == 0;
    return a;
}

/* The flags that the search gives must be a plan that fits by themselves. */
static void flags_fit(struct force *f, const ullage_fit *fit)
{
    size_t n;
    const char *const *flags = ullage_fit_flags(fit, &n);
    assert_true(fits(f, flags, (int)n));
    assert_int_equal(ullage_plan_fits(ullage_fit_plan(fit)) != 0, 1);
}

static void agree(const struct question *q)
{
    struct force f = {.q = q, .model = build(&q->shape), .machine = machine(q)};
    ullage_error err = {0};
    ullage_fit *fit;
    ullage_settings *s = settings(q);
    all(&f);
    if (ullage_fit_make(&fit, f.model, s, f.machine, &q->options, &err))
        fail_msg("%s", err.message);
    struct answer a = found(q, fit);
    assert_int_equal(a.any, f.best.any);
    if (a.any) {
        flags_fit(&f, fit);
        if (compare(q, &a, &f.best) != 0)
            fail_msg("search: %u layers and %u experts off, %d slots, %d tokens, %d; brute force of %u: "
                     "%u, %u, %d, %d, %d", a.layers_off, a.experts_off, (int)-a.slots, (int)-a.context,
                     a.types, f.tried, f.best.layers_off, f.best.experts_off, (int)-f.best.slots,
                     (int)-f.best.context, f.best.types);
    }
    ullage_fit_free(fit);
    ullage_settings_free(s);
    ullage_machine_free(f.machine);
    ullage_close((ullage_model *)f.model);
}

/* ------------------------------------------------------------------ the fastest */

/* Milliseconds a token, with the shortest context full; 0: it does not fit. */
static double token_ms(const ullage_plan *plan, uint32_t depth)
{
    ullage_speed speed;
    if (!ullage_plan_fits(plan))
        return 0;
    ullage_plan_speed(plan, depth, &speed);
    assert_true(speed.generation.expected > 0);
    return 1000 / speed.generation.expected;
}

static void time_flags(struct force *f, const char *const *flags, int n, double *best)
{
    ullage_error err = {0};
    ullage_settings *s = settings(f->q);
    ullage_plan *plan = NULL;
    assert_int_equal(ullage_settings_parse(s, n, flags, &err), 0);
    if (ullage_plan_make(&plan, f->model, s, f->machine, &err) == 0) {
        double ms = token_ms(plan, f->q->options.min_context);
        if (ms > 0 && (*best <= 0 || ms < *best))
            *best = ms;
    }
    ullage_plan_free(plan);
    ullage_settings_free(s);
    f->tried++;
}

static void time_splits(struct force *f, const char **flags, int n, uint32_t ngl, double *best)
{
    char text[32];
    time_flags(f, flags, n, best);
    for (uint32_t a = 0; f->q->gpu[1] && ngl && a <= ngl; a++) {
        snprintf(text, sizeof text, "%u,%u", a, ngl - a);
        flags[n] = "-ts";
        flags[n + 1] = text;
        time_flags(f, flags, n + 2, best);
    }
}

/* Every number of layers and of experts on the GPUs, every cut, both cache types. */
static double fastest(struct force *f)
{
    const struct question *q = f->q;
    char c[16], l[16], e[16];
    double best = 0;
    snprintf(c, sizeof c, "%u", q->options.min_context);
    for (uint32_t ngl = 0; ngl <= q->shape.layers + 1; ngl++)
        for (uint32_t moe = 0; moe <= (q->shape.experts ? q->shape.layers : 0); moe++)
            for (int types = 0; types <= (allows(q, "kv=q8_0") ? 1 : 0); types++) {
                const char *flags[MOST_FLAGS] = {"-c", c, "-ngl", l, "-ncmoe", e, "-ctk", "q8_0",
                                                 "-ctv", "q8_0"};
                snprintf(l, sizeof l, "%u", ngl);
                snprintf(e, sizeof e, "%u", moe);
                const char *plain[MOST_FLAGS] = {"-c", c, "-ngl", l, "-ncmoe", e};
                time_splits(f, types ? flags : plain, types ? 10 : 6, ngl, &best);
            }
    return best;
}

static void is_fastest(const struct question *q)
{
    struct force f = {.q = q, .model = build(&q->shape), .machine = machine(q)};
    ullage_error err = {0};
    ullage_fit *fit;
    ullage_settings *s = settings(q);
    if (ullage_fit_make(&fit, f.model, s, f.machine, &q->options, &err))
        fail_msg("%s", err.message);
    double best = fastest(&f);
    assert_int_equal(ullage_fit_found(fit), best > 0);
    double ms = token_ms(ullage_fit_plan(fit), q->options.min_context);
    if (best > 0 && !(ms < best * (1 + 1e-6)))
        fail_msg("search: %.6f ms a token with -ngl %u -ncmoe %u; brute force of %u: %.6f", ms,
                 chosen(fit, "ngl"), chosen(fit, "ncmoe"), f.tried, best);
    if (best > 0)
        flags_fit(&f, fit);
    ullage_fit_free(fit);
    ullage_settings_free(s);
    ullage_machine_free(f.machine);
    ullage_close((ullage_model *)f.model);
}

/* ------------------------------------------------------------------ experts by device */

/* Of all sets of layers whose experts stay on the host, the fewest with which it fits; -1: none. */
static int fewest_away(struct force *f)
{
    uint32_t n = f->q->shape.layers;
    int best = -1;
    for (uint32_t set = 0; set < 1u << n; set++) {
        char pattern[128] = "blk.(99", c[16];
        int away = 0;
        for (uint32_t il = 0; il < n; il++)
            if (set >> il & 1) {
                size_t at = strlen(pattern);
                snprintf(pattern + at, sizeof pattern - at, "|%u", il);
                away++;
            }
        strcat(pattern, ")[.]ffn_(gate|up|down)_exps=CPU");
        snprintf(c, sizeof c, "%u", f->q->options.min_context);
        const char *flags[] = {"-c", c, "-ngl", "99", "-ot", pattern};
        if ((best < 0 || away < best) && fits(f, flags, 6))
            best = away;
    }
    return best;
}

/* Layers whose experts the answer keeps on the host: by -ncmoe, or named by -ot. */
static int away_of(const ullage_fit *fit)
{
    size_t n;
    int away = 0;
    const char *const *flags = ullage_fit_flags(fit, &n);
    for (size_t i = 0; i + 1 < n; i++) {
        if (strcmp(flags[i], "-ncmoe") == 0)
            return atoi(flags[i + 1]);
        if (strcmp(flags[i], "-ot") == 0) {
            away = 1;
            for (const char *p = flags[i + 1]; *p != ')'; p++)
                away += *p == '|';
        }
    }
    return away;
}

static void fewest_by_device(const struct question *q)
{
    struct force f = {.q = q, .model = build(&q->shape), .machine = machine(q)};
    ullage_error err = {0};
    ullage_fit *fit;
    ullage_settings *s = settings(q);
    if (ullage_fit_make(&fit, f.model, s, f.machine, &q->options, &err))
        fail_msg("%s", err.message);
    int best = fewest_away(&f);
    assert_int_equal(ullage_fit_found(fit), 1);
    assert_true(best > 0);
    assert_int_equal(chosen(fit, "ngl"), q->shape.layers + 1);
    assert_int_equal(away_of(fit), best);
    flags_fit(&f, fit);
    ullage_fit_free(fit);
    ullage_settings_free(s);
    ullage_machine_free(f.machine);
    ullage_close((ullage_model *)f.model);
}

/* ------------------------------------------------------------------ the grids */

#define CARD(mib) "name=X,cc=8.9,sm=128,total=" #mib "MiB"
#define DENSE {.layers = 6, .train = 8192}
#define EXPERTS {.layers = 5, .experts = 16, .train = 4096}
#define UNEVEN {.layers = 7, .train = 6144, .uneven = true}

static void dense_on_one(void **state)
{
    (void)state;
    static const struct question q[] = {
        {.shape = DENSE, .gpu = {CARD(400)}, .options = {.min_context = 1024}},
        {.shape = DENSE, .gpu = {CARD(300)}, .options = {.min_context = 1024}},
        {.shape = DENSE, .gpu = {CARD(330)}, .options = {.min_context = 2048}, .fixed = {"-np", "1"}},
        {.shape = DENSE, .gpu = {CARD(250)}, .options = {.min_context = 4096}},
        {.shape = DENSE, .gpu = {CARD(340)}, .options = {.min_context = 4096}, .fixed = {"-c", "4096"}},
        {.shape = DENSE, .gpu = {CARD(340)}, .options = {.min_context = 512}, .fixed = {"-ngl", "99"}},
        {.shape = DENSE, .gpu = {CARD(100)}, .options = {.min_context = 512}, .fixed = {"-ngl", "99"}},
        {.shape = DENSE, .gpu = {CARD(2000)}, .options = {.min_context = 1024}},
        {.shape = UNEVEN, .gpu = {CARD(380)}, .options = {.min_context = 1024}},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        agree(&q[i]);
}

static void cache_types(void **state)
{
    (void)state;
    static const struct question q[] = {
        {.shape = DENSE, .gpu = {CARD(330)}, .options = {.min_context = 1024, .allow = "kv=q8_0"}},
        {.shape = DENSE, .gpu = {CARD(1000)}, .options = {.min_context = 1024, .allow = "kv=q8_0"}},
        {.shape = DENSE, .gpu = {CARD(280)}, .options = {.min_context = 4096, .allow = "kv=q8_0"}},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        agree(&q[i]);
}

static void experts_on_one(void **state)
{
    (void)state;
    static const struct question q[] = {
        {.shape = EXPERTS, .gpu = {CARD(500)}, .options = {.min_context = 1024}},
        {.shape = EXPERTS, .gpu = {CARD(350)}, .options = {.min_context = 1024}},
        {.shape = EXPERTS, .gpu = {CARD(260)}, .options = {.min_context = 1024}},
        {.shape = EXPERTS, .gpu = {CARD(220)}, .options = {.min_context = 2048}},
        {.shape = EXPERTS, .gpu = {CARD(190)}, .options = {.min_context = 1024}},
        {.shape = EXPERTS, .gpu = {CARD(350)}, .options = {.min_context = 1024}, .fixed = {"-ncmoe", "2"}},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        agree(&q[i]);
}

static void several_devices(void **state)
{
    (void)state;
    static const struct question q[] = {
        {.shape = DENSE, .gpu = {CARD(260), CARD(200)}, .options = {.min_context = 1024}},
        {.shape = DENSE, .gpu = {CARD(200), CARD(300)}, .options = {.min_context = 1024}},
        {.shape = UNEVEN, .gpu = {CARD(260), CARD(260)}, .options = {.min_context = 1024}},
        {.shape = UNEVEN, .gpu = {CARD(330), CARD(180)}, .options = {.min_context = 1024}},
        {.shape = UNEVEN, .gpu = {CARD(230), CARD(200), CARD(180)}, .options = {.min_context = 2048}},
        {.shape = EXPERTS, .gpu = {CARD(260), CARD(220)}, .options = {.min_context = 1024}},
        {.shape = EXPERTS, .gpu = {CARD(200), CARD(300)}, .options = {.min_context = 1024}},
        {.shape = DENSE, .gpu = {CARD(260), CARD(200)}, .options = {.min_context = 1024},
         .fixed = {"-ts", "1,1"}},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        agree(&q[i]);
}

static void most_slots(void **state)
{
    (void)state;
    static const struct question q[] = {
        {.shape = {.layers = 4, .train = 2048}, .gpu = {CARD(280)},
         .options = {.want = ULLAGE_WANT_SLOTS, .min_context = 1024}},
        {.shape = {.layers = 4, .train = 2048}, .gpu = {CARD(320)},
         .options = {.want = ULLAGE_WANT_SLOTS, .min_context = 1536}},
        {.shape = {.layers = 4, .train = 1024}, .gpu = {CARD(220), CARD(180)},
         .options = {.want = ULLAGE_WANT_SLOTS, .min_context = 1024}},
        {.shape = {.layers = 3, .experts = 16, .train = 1024}, .gpu = {CARD(260)},
         .options = {.want = ULLAGE_WANT_SLOTS, .min_context = 512}},
        {.shape = {.layers = 4, .train = 2048}, .gpu = {CARD(320)}, .fixed = {"-ub", "256"},
         .options = {.want = ULLAGE_WANT_SLOTS, .min_context = 1536}},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        agree(&q[i]);
}

#define FAST(mib) "RTX 4090,total=" #mib "MiB"
#define SLOW(mib) "RTX 3060 12GB,total=" #mib "MiB"

static void most_speed(void **state)
{
    (void)state;
    static const struct ullage_fit_options o = {.want = ULLAGE_WANT_SPEED, .min_context = 1024},
        types = {.want = ULLAGE_WANT_SPEED, .min_context = 2048, .allow = "kv=q8_0"};
    const struct question q[] = {
        {.shape = DENSE, .gpu = {FAST(300)}, .options = o},
        {.shape = DENSE, .gpu = {FAST(2000)}, .options = o},
        {.shape = DENSE, .gpu = {FAST(280)}, .options = types},
        {.shape = DENSE, .gpu = {FAST(1000)}, .options = types},
        {.shape = DENSE, .gpu = {SLOW(260), FAST(300)}, .options = o},
        {.shape = DENSE, .gpu = {SLOW(900), FAST(300)}, .options = o},
        {.shape = DENSE, .gpu = {SLOW(900), FAST(900)}, .options = o},
        {.shape = DENSE, .gpu = {FAST(900), FAST(900)}, .options = o},
        {.shape = UNEVEN, .gpu = {FAST(300), SLOW(500)}, .options = o},
        {.shape = UNEVEN, .gpu = {SLOW(230), FAST(230)}, .options = o},
        {.shape = EXPERTS, .gpu = {FAST(350)}, .options = o},
        {.shape = EXPERTS, .gpu = {FAST(220)}, .options = o},
        {.shape = EXPERTS, .gpu = {SLOW(400), FAST(260)}, .options = o},
        {.shape = EXPERTS, .gpu = {FAST(240), SLOW(200)}, .options = o},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        is_fastest(&q[i]);
}

static void experts_by_device(void **state)
{
    (void)state;
    static const struct question q[] = {
        {.shape = EXPERTS, .gpu = {CARD(500), CARD(220)}, .fixed = {"-ts", "1,1"}, .options = {.min_context = 1024}},
        {.shape = EXPERTS, .gpu = {CARD(220), CARD(500)}, .fixed = {"-ts", "1,1"}, .options = {.min_context = 1024}},
        {.shape = EXPERTS, .gpu = {CARD(230), CARD(230)}, .fixed = {"-ts", "2,1"}, .options = {.min_context = 1024}},
        {.shape = EXPERTS, .gpu = {CARD(230), CARD(210), CARD(180)}, .fixed = {"-ts", "1,2,2"},
         .options = {.min_context = 1024}},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        fewest_by_device(&q[i]);
}

/* The host's memory is a limit too. */
static void host_budget(void **state)
{
    (void)state;
    static const struct question q[] = {
        {.shape = DENSE, .gpu = {CARD(200)}, .ram = 4096 * MIB, .options = {.min_context = 1024}},
        {.shape = DENSE, .gpu = {CARD(200)}, .ram = 40 * MIB, .options = {.min_context = 1024}},
    };
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        agree(&q[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_on_one), cmocka_unit_test(cache_types), cmocka_unit_test(experts_on_one),
        cmocka_unit_test(several_devices), cmocka_unit_test(most_slots), cmocka_unit_test(host_budget),
        cmocka_unit_test(most_speed), cmocka_unit_test(experts_by_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
