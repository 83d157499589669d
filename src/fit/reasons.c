/* Why the answer is what it is: which constraint bound, and what more would cost. Every price is
 * the difference of two plans. */
#include "fit/fit.h"

#include "base/size.h"

#define MIB (1024.0 * 1024.0)
#define MORE_TOKENS 8192 /* the step that prices are given for */

/* 8192 as "8,192". */
static const char *grouped(struct ul_fit *f, uint64_t n)
{
    if (n < 1000)
        return ul_format(f->a, "%u", (unsigned)n);
    return ul_format(f->a, "%s,%03u", grouped(f, n / 1000), (unsigned)(n % 1000));
}

static const char *mib(struct ul_fit *f, double bytes)
{
    return ul_format(f->a, "%s MiB", grouped(f, (uint64_t)(bytes / MIB + 0.5)));
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ------------------------------------------------------------------ what bound */

/* The device that is short by most; the host after the GPUs. */
static const char *shortest(struct ul_fit *f, const struct ul_fit_view *v, double *lacks)
{
    int at = -1;
    int64_t least = v->host_left < 0 ? v->host_left : 0;
    for (uint32_t i = 0; i < v->n_gpus; i++)
        if (v->left[i] < least) {
            least = v->left[i];
            at = (int)i;
        }
    *lacks = -(double)least;
    return at < 0 ? "the host" : f->device[at];
}

static void explain_context(struct ul_fit *f, const struct ul_fit_view *v)
{
    struct ul_fit_point p = v->p;
    if (f->fixed[UL_FIT_C])
        return;
    if (p.context >= f->cap) {
        ul_note(&f->reasons, "bound_training",
                "the context is bound by the training context: %s tokens a sequence",
                grouped(f, p.context));
        return;
    }
    p.context += UL_FIT_STEP;
    bool stay = f->o.want == ULLAGE_WANT_SPEED; /* another cut would be slower */
    const struct ul_fit_view *next = stay ? ul_fit_view(f, &p) : ul_fit_try(f, &p);
    double lacks;
    const char *who = shortest(f, next, &lacks);
    ul_note(
        &f->reasons, "bound_memory",
        "the context is bound by memory: with %u tokens a sequence more, %s would lack %.2f MiB",
        UL_FIT_STEP, who, lacks / MIB);
}

/* The point with one layer (or one layer's experts) more on the GPUs. */
static void explain_layers(struct ul_fit *f, const struct ul_fit_view *v)
{
    uint32_t off = ul_fit_layers_off(f, &v->p), experts = ul_fit_experts_off(f, &v->p);
    struct ul_fit_point p = v->p;
    p.context = f->least;
    if (off && f->lowest_ngl < f->highest_ngl)
        p.ngl++;
    else if (!experts || !f->highest_moe || !ul_fit_one_back(v, &p))
        return;
    const struct ul_fit_view *next = ul_fit_try(f, &p);
    double lacks;
    const char *who = shortest(f, next, &lacks);
    const char *tokens = f->fixed[UL_FIT_C] ? "this context" : ul_format(
        f->a, "%s tokens a sequence", grouped(f, f->least));
    const char *what = off ? ul_format(f->a, "%u layer%s", off, plural(off)) : "";
    if (experts)
        what = ul_format(f->a, "%s%sthe experts of %u layer%s", what, off ? " and " : "", experts,
                         plural(experts));
    ul_note(&f->reasons, "bound_layers",
            "%s stay on the CPU: with one fewer there, and %s, %s would lack %.2f MiB", what,
            tokens, who, lacks / MIB);
}

static void explain_slots(struct ul_fit *f, const struct ul_fit_view *v)
{
    struct ul_fit_point p = v->p;
    if (f->o.want != ULLAGE_WANT_SLOTS || f->fixed[UL_FIT_NP] || p.slots >= 256)
        return;
    p.slots++;
    p.context = f->least;
    const struct ul_fit_view *next = ul_fit_try(f, &p);
    double lacks;
    const char *who = shortest(f, next, &lacks);
    if (!next->fits)
        ul_note(&f->reasons, "bound_slots",
                "the slots are bound by memory: with one more of %s tokens, %s would lack %.2f MiB",
                grouped(f, f->least), who, lacks / MIB);
}

static void explain_speed(struct ul_fit *f, const struct ul_fit_view *v)
{
    double ms = v->ms > 0 ? v->ms : v->bound_ms;
    if (f->o.want != ULLAGE_WANT_SPEED)
        return;
    if (ms > 0)
        ul_note(&f->reasons, "goal_speed",
                "%.1f tokens/s %s with %s tokens in the cache: nothing that fits and is allowed "
                "goes faster", 1000 / ms, v->ms > 0 ? "expected" : "at most", grouped(f, f->depth));
    else
        ul_note(&f->reasons, "goal_speed",
                "the speed is not known here (a bandwidth is missing: name the devices, or "
                "--ram-bandwidth): as many layers on the GPUs as fit");
}

/* ------------------------------------------------------------------ prices */

static void price_tokens(struct ul_fit *f, const struct ul_fit_view *v)
{
    struct ul_fit_point p = v->p;
    if (f->fixed[UL_FIT_C] || p.context >= f->cap || f->lowest_ngl == f->highest_ngl)
        return;
    uint32_t more = (uint32_t)ul_min(MORE_TOKENS, f->cap - p.context);
    const struct ul_fit_view *w = ul_fit_place_more(f, v, p.context + more);
    if (!w) {
        ul_note(&f->reasons, "price_context",
                "%s more tokens do not fit, whatever stays on the CPU", grouped(f, more));
        return;
    }
    uint32_t layers = ul_fit_layers_off(f, &w->p) - ul_fit_layers_off(f, &v->p);
    int experts = (int)ul_fit_experts_off(f, &w->p) - (int)ul_fit_experts_off(f, &v->p);
    if (layers)
        ul_note(&f->reasons, "price_context", "%s more tokens = %u more layer%s on the CPU",
                grouped(f, more), layers, plural(layers));
    else if (experts > 0)
        ul_note(&f->reasons, "price_context", "%s more tokens = %d more expert layer%s on the CPU",
                grouped(f, more), experts, plural((uint64_t)experts));
}

/* Signed: a cache that is smaller can cost scratch, or spare some. */
static void price_types(struct ul_fit *f, const struct ul_fit_view *v)
{
    struct ul_fit_point p = v->p;
    if (f->fixed[UL_FIT_CTK] || f->fixed[UL_FIT_CTV] || p.type_k != UL_F16 || p.type_v != UL_F16)
        return;
    p.type_k = p.type_v = UL_Q8_0;
    const struct ul_fit_view *w = ul_fit_view(f, &p);
    if (w->err.code || w->kv >= v->kv)
        return;
    double saved = (double)(v->kv - w->kv), cost = (double)w->compute - (double)v->compute;
    if (v->partial)
        ul_note(&f->reasons, "price_types", "q8_0 keys and values save %s of cache here "
                "(--allow kv=q8_0)", mib(f, saved));
    else
        ul_note(&f->reasons, "price_types",
                "q8_0 keys and values save %s of cache and %s %s of scratch here (--allow kv=q8_0)",
                mib(f, saved), cost < 0 ? "save" : "cost", mib(f, cost < 0 ? -cost : cost));
}

static void price_ubatch(struct ul_fit *f, const struct ul_fit_view *v)
{
    struct ul_fit_point p = v->p;
    if (f->fixed[UL_FIT_UB] || p.ubatch < 512 || v->partial)
        return;
    p.ubatch /= 2;
    const struct ul_fit_view *w = ul_fit_view(f, &p);
    int64_t saved = w->sum_left - v->sum_left;
    if (!w->err.code && saved >= (int64_t)(16 * MIB) && v->n_gpus)
        ul_note(&f->reasons, "price_ubatch", "-ub %u instead of %u saves %s (--allow ub=%u)",
                p.ubatch, v->p.ubatch, mib(f, (double)saved), p.ubatch);
}

static void price_slots(struct ul_fit *f, const struct ul_fit_view *v)
{
    struct ul_fit_point p = v->p;
    if (f->fixed[UL_FIT_NP] || p.slots >= 0 || v->partial)
        return;
    p.slots = 1;
    const struct ul_fit_view *w = ul_fit_view(f, &p);
    int64_t saved = w->sum_left - v->sum_left;
    if (!w->err.code && saved >= (int64_t)(16 * MIB) && v->n_gpus)
        ul_note(&f->reasons, "price_slots", "one slot instead of four saves %s (--allow np=1)",
                mib(f, (double)saved));
}

/* ------------------------------------------------------------------ all of it */

static void explain_miss(struct ul_fit *f)
{
    double lacks;
    const char *who = shortest(f, f->best, &lacks);
    ul_note(
        &f->reasons, "no_fit",
        "nothing fits: even with %u layer%s on GPUs and %s tokens a sequence, %s lacks %.2f MiB",
        f->best->p.ngl, plural(f->best->p.ngl), grouped(f, f->best->p.context), who, lacks / MIB);
}

void ul_fit_explain(struct ul_fit *f)
{
    const struct ul_fit_view *v = f->best;
    if (!f->found) {
        explain_miss(f);
        return;
    }
    explain_speed(f, v);
    explain_layers(f, v);
    explain_slots(f, v);
    explain_context(f, v);
    price_tokens(f, v);
    price_types(f, v);
    price_ubatch(f, v);
    price_slots(f, v);
}
