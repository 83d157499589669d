/* The fewest GPUs that serve so many requests of so many tokens, and how to use them.
 *
 * Every candidate is planned like a line that a person wrote, so what is found is what `ullage
 * vllm` says of exactly these flags. It must hold at the worse end of what profiling may take. */
#include "engine/vllm_server.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_CHOSEN 12
#define MOST_WORD 24

struct search {
    int n;
    const char *const *words;
    const struct ullage_machine *machine;
    const ullage_vllm_options *options;
    ullage_vllm_goal goal;
    struct ul_vsettings fixed; /* what the words say */
    ullage_vllm *best;         /* the first that serves, or the nearest miss */
    ullage_error *err;
};

struct candidate {
    uint64_t tp, pp, dp;
    const char *cache; /* NULL: as it is */
};

/* ------------------------------------------------------------------ cards */

static int by_size(const void *a, const void *b)
{
    const struct ul_gpu *x = a, *y = b;
    return (x->total < y->total) - (x->total > y->total);
}

/* The n largest cards, as a machine of their own that borrows the strings. */
static void largest(struct ullage_machine *part, const struct ullage_machine *all, uint32_t n)
{
    *part = *all;
    part->m.arena = (struct ul_arena){0};
    qsort(part->m.gpu, part->m.n_gpus, sizeof part->m.gpu[0], by_size);
    part->m.n_gpus = n;
}

/* ------------------------------------------------------------------ one candidate */

struct words {
    const char **list;
    size_t n;
    char (*text)[MOST_WORD];
    size_t n_text;
};

static void put(struct words *w, const char *flag, uint64_t value)
{
    if (w->n_text == MOST_CHOSEN)
        return;
    snprintf(w->text[w->n_text], MOST_WORD, "%llu", (unsigned long long)value);
    w->list[w->n++] = flag;
    w->list[w->n++] = w->text[w->n_text++];
}

static void choose(struct words *w, const struct search *s, const struct candidate *c)
{
    if (c->tp > 1)
        put(w, "--tensor-parallel-size", c->tp);
    if (c->pp > 1)
        put(w, "--pipeline-parallel-size", c->pp);
    if (c->dp > 1)
        put(w, "--data-parallel-size", c->dp);
    if (!s->fixed.max_len)
        put(w, "--max-model-len", s->goal.tokens);
    if (!s->fixed.seqs && s->goal.requests > 256)
        put(w, "--max-num-seqs", s->goal.requests);
    if (c->cache) {
        w->list[w->n++] = "--kv-cache-dtype";
        w->list[w->n++] = c->cache;
    }
}

/* One block is the pool's null block; the others hold whole requests. */
static bool serves(const ullage_vllm *plan, const ullage_vllm_goal *goal)
{
    const ullage_vllm_info *i = &plan->v.info;
    uint64_t each = goal->requests / i->dp + (goal->requests % i->dp != 0);
    if (!i->known || !i->low.starts || !i->low.blocks || i->max_seqs < each)
        return false;
    return (i->low.blocks - 1) / ul_max(i->low.request_blocks, 1) >= each;
}

/* Keeps the flags with the plan: its arena outlives the search. */
static void keep(ullage_vllm *plan, const struct words *w, const ullage_vllm_goal *goal)
{
    plan->goal = *goal;
    plan->serves = serves(plan, goal);
    plan->flags = calloc(w->n + 1, sizeof *plan->flags + MOST_WORD);
    char *text = plan->flags ? (char *)(plan->flags + w->n + 1) : NULL;
    for (size_t i = 0; text && i < w->n; i++, text += MOST_WORD) {
        bool ours = w->list[i][0] != '-';
        if (ours)
            snprintf(text, MOST_WORD, "%s", w->list[i]);
        plan->flags[plan->n_flags++] = ours ? text : w->list[i];
    }
}

static double room(const ullage_vllm *plan)
{
    const ullage_vllm_info *i = &plan->v.info;
    return i->known ? i->low.concurrency * i->dp : -1;
}

/* Plans a candidate; the best so far stays. A refusal rules the candidate out, nothing more. */
static int try(struct search *s, uint32_t n_gpus, const struct candidate *c)
{
    char text[MOST_CHOSEN][MOST_WORD];
    struct words w = {.text = text, .list = calloc((size_t)s->n + 2 * MOST_CHOSEN, sizeof *w.list)};
    struct ullage_machine part;
    ullage_vllm *plan = NULL;
    ullage_error err = {0};
    if (!w.list)
        return ul_fail(s->err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    largest(&part, s->machine, n_gpus);
    for (int i = 0; i < s->n; i++)
        w.list[i] = s->words[i];
    struct words chosen = {.list = w.list + s->n, .text = text};
    choose(&chosen, s, c);
    int code = ullage_vllm_make(&plan, s->n + (int)chosen.n, w.list, &part, s->options, &err);
    if (!code) {
        keep(plan, &chosen, &s->goal);
        plan->v.machine = NULL; /* a part of the caller's, which ends here */
    }
    if (!code && (!s->best || plan->serves || room(plan) > room(s->best))) {
        ullage_vllm_free(s->best);
        s->best = plan;
    } else
        ullage_vllm_free(plan);
    free(w.list);
    if (code && code != ULLAGE_ERROR_REFUSED)
        return ul_fail(s->err, code, err.position, "%s", err.message);
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ the search */

static bool allowed(uint64_t given, uint64_t chosen)
{
    return given <= 1 || given == chosen;
}

/* Machines hold whole engines, or an engine whole machines with whole stages. */
static bool divides(const struct search *s, uint32_t n, const struct candidate *c)
{
    uint64_t engine = c->tp * c->pp, node = s->goal.per_node;
    if (engine * c->dp != n)
        return false;
    if (!node || n <= node)
        return true;
    return engine > node ? c->dp == 1 && engine % node == 0 && node % c->tp == 0
                         : node % engine == 0 && n % node == 0;
}

/* All ways to use n cards, in the order of preference, until one serves. */
static int try_cards(struct search *s, uint32_t n, const char *cache)
{
    for (uint64_t pp = 1; pp <= n; pp++)
        for (uint64_t dp = 1; n % pp == 0 && dp <= n / pp; dp++) {
            struct candidate c = {.tp = n / pp / dp, .pp = pp, .dp = dp, .cache = cache};
            bool fits = allowed(s->fixed.tp, c.tp) && allowed(s->fixed.pp, pp)
                        && allowed(s->fixed.dp, dp);
            if (!divides(s, n, &c) || !fits)
                continue;
            int code = try(s, n, &c);
            if (code || (s->best && s->best->serves))
                return code;
        }
    return ULLAGE_OK;
}

static int search(struct search *s)
{
    for (uint32_t n = 1; n <= s->machine->m.n_gpus; n++)
        for (int fp8 = 0; fp8 <= (s->fixed.cache_dtype == NULL); fp8++) {
            int code = try_cards(s, n, fp8 ? "fp8" : NULL);
            if (code || (s->best && s->best->serves))
                return code;
        }
    return ULLAGE_OK;
}

static int check_goal(const struct search *s)
{
    if (!s->goal.requests || !s->goal.tokens)
        return ul_fail(s->err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "a fit needs the number of requests and their tokens");
    if (!s->machine || !s->machine->m.n_gpus)
        return ul_fail(s->err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "a fit needs GPUs");
    return ULLAGE_OK;
}

int ullage_vllm_fit(ullage_vllm **plan, int n, const char *const *words,
                    const ullage_machine *machine, const ullage_vllm_options *options,
                    const ullage_vllm_goal *goal, ullage_error *err)
{
    struct ul_arena a = {0};
    struct search s = {.n = n, .words = words, .machine = machine, .options = options,
                       .goal = *goal, .err = err};
    *plan = NULL;
    int code = check_goal(&s);
    if (!code)
        code = ul_vsettings_parse(&s.fixed, n, words, &a, err);
    if (!code)
        code = search(&s);
    if (!code && !s.best)
        code = ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                       "vLLM refuses every way to use these GPUs");
    ul_arena_free(&a);
    if (code)
        ullage_vllm_free(s.best);
    else
        *plan = s.best;
    return code;
}

void ullage_vllm_goal_set(ullage_vllm *plan, const ullage_vllm_goal *goal) { plan->goal = *goal; }

int ullage_vllm_serves(const ullage_vllm *plan) { return plan->serves; }

const char *const *ullage_vllm_flags(const ullage_vllm *plan, size_t *n)
{
    if (n)
        *n = plan->n_flags;
    return plan->flags;
}
