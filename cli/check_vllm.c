/* A vLLM start-up log beside `ullage vllm`'s rules. What profiling left for the cache is the log's
 * own figure, printed to a hundredth of a GiB: the blocks that it may stand for are an interval,
 * and everything after it is integers: some number of blocks in the interval must give the tokens
 * and the concurrency that the log has, exactly. */
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GIB 1073741824.0
#define BLOCKS_MOST ((uint64_t)1 << 32)
#define WEIGHTS_SLACK 0.001 /* what tables and allocator's steps add: see the row's own words */

struct pool {
    struct ul_check *c;
    const struct ul_vlog *v;
    struct vllm_words words;
    ullage_machine *machine;
    ullage_vllm_options options;
    char version[32];
    bool failed;                /* a plan could not be made: reported */
    const char *flag, *value;   /* one thing otherwise, or NULL */
};

/* ------------------------------------------------------------------ plans */

/* The plan with one more flag of a number; NULL when vLLM refuses, or nothing is known. */
static ullage_vllm *plan_with(struct pool *p, const char *flag, uint64_t number, ullage_error *err)
{
    const char *words[VLLM_WORDS + 4];
    char text[32];
    ullage_vllm *plan = NULL;
    int n = p->words.n;
    memcpy(words, p->words.words, (size_t)n * sizeof *words);
    if (p->flag) {
        words[n++] = p->flag;
        words[n++] = p->value;
    }
    if (flag) {
        snprintf(text, sizeof text, "%" PRIu64, number);
        words[n++] = flag;
        words[n++] = text;
    }
    return ullage_vllm_make(&plan, n, words, p->machine, &p->options, err) ? NULL : plan;
}

static bool pool_with(struct pool *p, const char *flag, uint64_t number, ullage_vllm_pool *out)
{
    ullage_error err = {0};
    ullage_vllm *plan = plan_with(p, flag, number, &err);
    bool ok = plan && ullage_vllm_describe(plan)->known;
    if (ok)
        *out = ullage_vllm_describe(plan)->high;
    ullage_vllm_free(plan);
    return ok;
}

static bool at_blocks(struct pool *p, uint64_t blocks, ullage_vllm_pool *out)
{
    return pool_with(p, "--num-gpu-blocks-override", blocks, out);
}

static bool at_gib(struct pool *p, double gib, ullage_vllm_pool *out)
{
    return gib > 0 && pool_with(p, "--kv-cache-memory-bytes", (uint64_t)(gib * GIB), out);
}

/* ------------------------------------------------------------------ rows */

static struct ul_check_row *row(struct pool *p, const char *what, const char *unit, double logged,
                                double computed, bool same)
{
    struct ul_check_row *r = ul_check_row(p->c, "vLLM", what, logged, computed, 0);
    snprintf(r->unit, sizeof r->unit, "%s", unit);
    if (logged >= 0 && computed >= 0)
        r->verdict = same ? UL_CHECK_AGREES : UL_CHECK_DIFFERS;
    return r;
}

static bool within(struct ul_vfigure f, double computed)
{
    return fabs(f.value - computed) <= f.half * (1 + 1e-9);
}

/* ------------------------------------------------------------------ the pool */

struct found {
    bool known, any;            /* plans can be made; a number of blocks gives the log's tokens */
    uint64_t low, high;         /* the blocks that the logged budget may stand for; 0: not said */
    uint64_t blocks;            /* the least in it, or of all, that gives the tokens */
    ullage_vllm_pool at;        /* there, or at `high` */
    bool inside;
};

/* The least number of blocks with at least so many tokens. */
static uint64_t least_blocks(struct pool *p, uint64_t tokens)
{
    uint64_t low = 0, high = 1;
    ullage_vllm_pool at;
    while (high < BLOCKS_MOST && at_blocks(p, high, &at) && at.tokens < tokens)
        low = high, high *= 2;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (at_blocks(p, middle, &at) && at.tokens < tokens)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static struct found search(struct pool *p)
{
    const struct ul_vlog *v = p->v;
    struct found f = {0};
    ullage_vllm_pool low, high, at;
    f.known = at_blocks(p, 1, &at);
    if (!f.known)
        return f;
    if (v->available_gib.half > 0) {
        if (at_gib(p, v->available_gib.value - v->available_gib.half, &low))
            f.low = low.blocks;
        if (at_gib(p, v->available_gib.value + v->available_gib.half, &high))
            f.high = high.blocks;
    }
    f.blocks = least_blocks(p, v->tokens);
    if (f.low > f.blocks && at_blocks(p, f.low, &at) && at.tokens == v->tokens)
        f.blocks = f.low; /* several numbers give as many tokens */
    f.any = at_blocks(p, f.blocks, &f.at) && f.at.tokens == v->tokens;
    f.inside = f.any && (!f.high || (f.blocks >= f.low && f.blocks <= f.high));
    if (!f.any && f.high)
        at_blocks(p, f.high, &f.at);
    return f;
}

static uint64_t block_bytes(struct pool *p)
{
    size_t n = 0;
    uint64_t most = 0;
    ullage_error err = {0};
    ullage_vllm *plan = plan_with(p, NULL, 0, &err);
    const ullage_vllm_stage *s = plan ? ullage_vllm_stages(plan, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        most = s[i].block_bytes > most ? s[i].block_bytes : most;
    ullage_vllm_free(plan);
    return most;
}

/* The rules of another version that give the tokens within the budget. */
static bool try_versions(struct pool *p, struct ul_check_row *r)
{
    const char *first, *last, *was = p->options.version;
    int from = 0, to = -1;
    bool found = false;
    ullage_vllm_versions(&first, &last);
    sscanf(first, "0.%d", &from);
    sscanf(last, "0.%d", &to);
    for (int i = from; i <= to && !found; i++) {
        char version[16];
        snprintf(version, sizeof version, "0.%d", i);
        p->options.version = version;
        found = search(p).inside;
        if (found)
            snprintf(r->why, sizeof r->why, "the version: agrees with the rules of %s", version);
    }
    p->options.version = was;
    return found;
}

/* Windows keep a batch's tokens too; where its size is not given it is a default of the GPU's. */
static bool try_batches(struct pool *p, struct ul_check_row *r)
{
    static const char *const sizes[] = {"2048", "4096", "8192", "16384", "32768"};
    bool found = false;
    p->flag = "--max-num-batched-tokens";
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !found; i++) {
        p->value = sizes[i];
        found = search(p).inside;
        if (found)
            snprintf(r->why, sizeof r->why, "a flag: agrees with %s %s", p->flag, p->value);
    }
    p->flag = NULL;
    return found;
}

/* Ranks print, the least decides, and the log may have one's line only. */
static void explain_tokens(struct pool *p, const struct found *f, struct ul_check_row *r,
                           uint32_t ranks)
{
    uint64_t bytes = block_bytes(p);
    if (try_versions(p, r) || try_batches(p, r))
        return;
    if (!f->any)
        snprintf(r->why, sizeof r->why,
                 "unknown: no number of blocks gives it, by no version's rules");
    else if (ranks > 1)
        snprintf(r->why, sizeof r->why,
                 "%" PRIu64 " blocks (%.3f GiB) give it: one rank's budget is "
                 "printed, the least of %u decides",
                 f->blocks, (double)(f->blocks * bytes) / GIB, ranks);
    else
        snprintf(r->why, sizeof r->why, "%" PRIu64 " blocks (%.3f GiB) give it, and the budget is "
                 "%" PRIu64 " to %" PRIu64 ": a draft model, or a flag that the log does not show",
                 f->blocks, (double)(f->blocks * bytes) / GIB, f->low, f->high);
}

static void check_pool(struct pool *p, uint32_t ranks)
{
    const struct ul_vlog *v = p->v;
    struct found f = search(p);
    bool blocks = v->blocks > 0;
    if (!f.known)
        return;
    struct ul_check_row *r = row(p, "KV cache", "tokens", (double)v->tokens, (double)f.at.tokens,
                                 f.inside);
    if (!f.inside)
        explain_tokens(p, &f, r, ranks);
    else if (!f.high)
        snprintf(r->why, sizeof r->why,
                 "%" PRIu64 " blocks give it; the log does not say the budget", f.blocks);
    else
        snprintf(r->why, sizeof r->why, "%" PRIu64 " blocks, of %" PRIu64 " to %" PRIu64
                 " in the budget", f.blocks, f.low, f.high);
    if (blocks)
        row(p, "blocks", "", (double)v->blocks, (double)f.blocks, v->blocks == f.blocks);
    if (v->concurrency.half > 0 && f.any) {
        ullage_vllm_pool more = f.at;
        bool same = within(v->concurrency, f.at.concurrency);
        for (uint64_t i = f.blocks + 1; !same && i <= f.high; i++) /* as many tokens, more blocks */
            same = at_blocks(p, i, &more) && more.tokens == v->tokens
                && within(v->concurrency, more.concurrency);
        row(p, "concurrency", "x", v->concurrency.value, more.concurrency, same);
    }
}

/* ------------------------------------------------------------------ the rest */

/* "(16.00 GiB KV cache is needed ...": it did not start. */
static void check_refusal(struct pool *p, const ullage_vllm *plan)
{
    size_t n;
    double need = 0;
    ullage_vllm_pool low, high;
    const struct ul_vlog *v = p->v;
    const ullage_vllm_stage *s = ullage_vllm_stages(plan, &n);
    if (v->need_gib.half <= 0)
        return;
    for (size_t i = 0; i < n; i++)
        need = fmax(need, (double)s[i].need_bytes / GIB);
    row(p, "needed for one request", "GiB", v->need_gib.value, need, within(v->need_gib, need));
    if (v->longest && at_gib(p, v->available_gib.value - v->available_gib.half, &low)
        && at_gib(p, v->available_gib.value + v->available_gib.half, &high))
        row(p, "longest that starts", "tokens", (double)v->longest,
            (double)(v->longest >= low.longest && v->longest <= high.longest ? v->longest
                                                                             : high.longest),
            v->longest >= low.longest && v->longest <= high.longest);
}

/* Within a thousandth: tables of rotations of other layers and the allocator's steps are not in the
 * headers. */
static void check_weights(struct pool *p, const ullage_vllm *plan)
{
    size_t n;
    const struct ul_vlog *v = p->v;
    const ullage_vllm_stage *s = ullage_vllm_stages(plan, &n);
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    double computed =
        n && s[0].weights.source != ULLAGE_UNKNOWN ? (double)s[0].weights.bytes / GIB : -1;
    if (v->weights_gib.half <= 0)
        return;
    bool same = computed >= 0 && (within(v->weights_gib, computed)
                                  || fabs(v->weights_gib.value - computed)
                                         <= WEIGHTS_SLACK * v->weights_gib.value);
    struct ul_check_row *r = row(p, "weights", "GiB", v->weights_gib.value, computed, same);
    if (computed < 0)
        snprintf(r->why, sizeof r->why, "%.150s", i->unknown_weights ? i->unknown_weights
                                                                      : "not known");
    else if (same && !within(v->weights_gib, computed))
        snprintf(r->why, sizeof r->why,
                 "within a thousandth: the allocator's steps and buffers that "
                 "no header has");
    else if (!same)
        snprintf(r->why, sizeof r->why, "a draft model, a projector, or formats that are padded");
}

/* Requested less weights less what was left is what profiling found, the one thing that no rule
 * has. */
static double profiled(struct pool *p, const ullage_vllm *plan)
{
    size_t n;
    const struct ul_vlog *v = p->v;
    const ullage_vllm_stage *s = ullage_vllm_stages(plan, &n);
    double requested = v->total_gib.half > 0 && v->share > 0 ? v->total_gib.value * v->share
                     : n && s[0].requested.source != ULLAGE_UNKNOWN
                         ? (double)s[0].requested.bytes / GIB
                         : -1;
    if (v->available_gib.half <= 0 || v->weights_gib.half <= 0)
        return -1;
    if (requested < 0) {
        ul_check_note(p->c, "with the GPU's memory (--gpu) this log also says what profiling took");
        return -1;
    }
    double took = (requested - v->weights_gib.value - v->available_gib.value) * 1024;
    ul_check_note(
        p->c,
        "measured: profiling took %.0f MiB of %.2f GiB asked for, to within %.0f MiB; "
        "'ullage vllm ... --profiled %.0fMiB' plans with it on such a GPU, with these flags "
        "and this version; --keep keeps it for such plans here",
        took, requested, (v->available_gib.half + v->weights_gib.half + 0.005) * 1024,
        took > 0 ? took : 0);
    if (v->available_gib.half > 0 && v->tokens)
        ul_check_note(p->c,
                      "to start it again without profiling's chance: --kv-cache-memory-bytes %.0f",
                      floor((v->available_gib.value - v->available_gib.half) * GIB));
    return took > 0 ? took : 0;
}

static int keep(const struct cli_args *args, const struct pool *p, const ullage_vllm *plan,
                double mib)
{
    if (!args->keep)
        return CLI_OK;
    if (mib < 0)
        return cli_error(CLI_UNKNOWN, "--keep: this log does not say what profiling took");
    return cli_vllm_keep(plan, p->machine, (uint64_t)(mib * 1048576));
}

static int check_rows(struct pool *p, const struct cli_args *args, const ullage_vllm *plan)
{
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    const struct ul_vlog *v = p->v;
    if (i->unknown) {
        ul_check_note(p->c, "%.200s", i->unknown);
        return CLI_OK;
    }
    check_weights(p, plan);
    if (v->block_tokens)
        row(p, "block size", "tokens", (double)v->block_tokens, (double)i->block_tokens,
            v->block_tokens == i->block_tokens);
    check_refusal(p, plan);
    if (v->tokens)
        check_pool(p, i->tp * i->pp * i->pcp);
    return keep(args, p, plan, profiled(p, plan));
}

/* ------------------------------------------------------------------ without the model */

/* Tokens are concurrency times the length, to the rounding of what is printed. */
static void check_by_log(struct pool *p)
{
    const struct ul_vlog *v = p->v;
    if (v->tokens && v->max_len && v->concurrency.half > 0) {
        double x = (double)v->tokens / (double)v->max_len;
        struct ul_check_row *r = row(p, "concurrency", "x", v->concurrency.value, x,
                                     fabs(x - v->concurrency.value)
                                         <= v->concurrency.half + 1.0 / (double)v->max_len);
        if (r->verdict == UL_CHECK_DIFFERS)
            snprintf(r->why, sizeof r->why,
                     "tokens are not concurrency x length: a version up to 0.20, "
                     "which counts the tokens of the smallest block");
    }
    ul_check_note(p->c,
                  "with the model's config.json behind the log, the cache is compared exactly");
}

/* ------------------------------------------------------------------ all of it */

/* The rules of the log's version; of the first known for older ones, with a note. */
static void choose_version(struct pool *p)
{
    const char *first, *last;
    int minor = -1, from = 0, to = 0;
    ullage_vllm_versions(&first, &last);
    sscanf(first, "0.%d", &from);
    sscanf(last, "0.%d", &to);
    snprintf(p->version, sizeof p->version, "%s", p->c->e->vllm.version);
    p->options.version = NULL;
    if (sscanf(p->version, "0.%d", &minor) != 1 || minor < 2)
        ul_check_note(p->c, "the log does not say its version: the rules of %s are taken", last);
    else if (minor < from) {
        p->options.version = first;
        ul_check_note(p->c, "rules are known from %s on: its are taken for %s", first, p->version);
    } else if (minor > to) {
        ul_check_note(p->c, "rules are known up to %s: its are taken for %s", last, p->version);
    } else
        p->options.version = p->version;
}

/* The user's GPUs; else one of the size that the log says, else none. */
static int open_machine(struct pool *p, const struct cli_args *args)
{
    struct cli_args own = *args;
    char spec[64] = "none";
    const struct ul_vlog *v = p->v;
    double gib = v->total_gib.half > 0 ? v->total_gib.value
        : v->device_gib.half > 0       ? v->device_gib.value : 0;
    if (gib > 0)
        snprintf(spec, sizeof spec, "name=GPU,total=%.0fMiB", gib * 1024);
    if (own.n_gpus == 0)
        own.gpu[own.n_gpus++] = spec;
    return cli_machine(&p->machine, &own);
}

int check_vllm(struct ul_check *c, const struct cli_args *args, const char *path)
{
    struct pool p = {.c = c, .v = &c->e->vllm};
    ullage_error err = {0};
    c->vllm = true;
    c->by_plan = path != NULL;
    vllm_words_make(&p.words, c, path);
    snprintf(c->model, sizeof c->model, "%s", p.words.model);
    int status = open_machine(&p, args);
    if (status || !path) {
        if (!status)
            check_by_log(&p);
        ullage_machine_free(p.machine);
        return status;
    }
    choose_version(&p);
    ullage_vllm *plan = plan_with(&p, NULL, 0, &err);
    if (plan)
        status = check_rows(&p, args, plan);
    else
        status = err.code == ULLAGE_ERROR_UNKNOWN ? cli_error(CLI_UNKNOWN, "%s", err.message)
                                                  : cli_fail(&err);
    ullage_vllm_free(plan);
    ullage_machine_free(p.machine);
    return status;
}
