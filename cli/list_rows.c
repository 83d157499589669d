/* The rows of `ullage list`: each model's header is read and three plans are made. Headers with a
 * vocabulary are megabytes, so a few threads share the work; a model is opened, planned and closed
 * by one of them. */
#define _POSIX_C_SOURCE 200809L
#include "list.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_THREADS 8

struct worker {
    struct listing *l;
    pthread_mutex_t *lock;
    size_t *next;
    ullage_settings *settings;
    ullage_plan *plan; /* used again for every plan */
    int status;
};

/* ------------------------------------------------------------------ one plan */

/* With so many layers on the GPUs. Returns the library's code. */
static int attempt(struct worker *w, const ullage_model *model, uint32_t n_ctx, uint32_t layers,
                   ullage_error *err)
{
    char text[16];
    snprintf(text, sizeof text, "%u", (unsigned)n_ctx);
    int code = ullage_settings_set(w->settings, "-c", text, err);
    snprintf(text, sizeof text, "%u", (unsigned)layers);
    if (!code && !w->l->own_layers)
        code = ullage_settings_set(w->settings, "-ngl", text, err);
    if (!code && w->plan)
        return ullage_plan_remake(w->plan, model, w->settings, w->l->machine, err);
    return code ? code : ullage_plan_make(&w->plan, model, w->settings, w->l->machine, err);
}

/* What is left on the fullest device. */
static void measure(struct list_cell *c, const ullage_plan *plan)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    for (size_t i = 0; i < n; i++)
        if (d[i].fits >= 0 && (!c->known || d[i].left_bytes < c->left)) {
            c->left = d[i].left_bytes;
            c->known = true;
        }
}

/* Whether what all devices lack together is there at all. */
static bool hopeless(const ullage_plan *plan)
{
    size_t n;
    int64_t sum = 0;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    for (size_t i = 0; i < n; i++) {
        if (d[i].fits < 0)
            return false;
        sum += d[i].left_bytes;
    }
    return sum < 0;
}

static bool gpus_fit(const ullage_plan *plan)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    for (size_t i = 0; i + 1 < n; i++)
        if (d[i].fits == 0)
            return false;
    return true;
}

/* Whether some number of layers fits on the GPUs and the rest in host memory: none first; where the
 * host cannot take all, the most that the GPUs take. More layers never hold less on a GPU. */
static bool splits(struct worker *w, const ullage_model *model, uint32_t n_ctx)
{
    ullage_error ignored = {0};
    uint32_t low = 0, high = ullage_describe(model)->n_layer + 1;
    if (attempt(w, model, n_ctx, 0, &ignored) || !gpus_fit(w->plan))
        return false;
    while (ullage_plan_fits(w->plan) == 0 && high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (attempt(w, model, n_ctx, middle, &ignored))
            return false;
        if (gpus_fit(w->plan))
            low = middle;
        else
            high = middle;
        if (high - low == 1 && attempt(w, model, n_ctx, low, &ignored))
            return false;
    }
    return ullage_plan_fits(w->plan) != 0;
}

static struct list_cell plan_cell(struct worker *w, const ullage_model *model, uint32_t n_ctx)
{
    ullage_error ignored = {0};
    struct list_cell c = {.n_ctx = n_ctx, .fits = LIST_UNKNOWN};
    uint32_t layers = ullage_describe(model)->n_layer + 1;
    if (attempt(w, model, n_ctx, layers, &ignored))
        return c;
    measure(&c, w->plan);
    int fits = ullage_plan_fits(w->plan);
    if (fits > 0 && !ullage_plan_partial(w->plan))
        c.fits = LIST_YES;
    if (fits != 0)
        return c;
    bool can = ullage_machine_gpus(w->l->machine) > 0 && !w->l->own_layers && !hopeless(w->plan);
    c.fits = can && splits(w, model, n_ctx) ? LIST_SPLIT : LIST_NO;
    return c;
}

/* ------------------------------------------------------------------ one model */

/* "(guessed) Q4_K - Medium" as llama-quantize takes it: Q4_K_M. */
static void short_type(char *out, size_t size, const char *type)
{
    static const struct { const char *words, *mark; } sizes[] = {
        {" - Extra Small", "_XS"}, {" - Small", "_S"}, {" - Medium", "_M"}, {" - Large", "_L"}};
    if (strncmp(type, "(guessed) ", 10) == 0)
        type += 10;
    size_t n = strcspn(type, "-");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *at = strstr(type, sizes[i].words);
        if (at) {
            snprintf(out, size, "%.*s%s", (int)(at - type), type, sizes[i].mark);
            return;
        }
    }
    while (n > 0 && type[n - 1] == ' ')
        n--;
    snprintf(out, size, "%.*s", (int)n, type);
}

static void describe(struct list_row *r, const ullage_model *model, bool local)
{
    const ullage_model_info *info = ullage_describe(model);
    char text[160];
    snprintf(r->arch, sizeof r->arch, "%s", info->arch);
    short_type(r->quant, sizeof r->quant, info->file_type);
    r->n_params = info->n_params;
    r->bits = info->bits_per_weight;
    r->n_ctx_train = info->n_ctx_train;
    r->opened = true;
    if (local && info->partial && !r->problem) {
        snprintf(text, sizeof text, "half a download: %.2f of %.2f MiB are here",
                 (double)r->bytes / 1048576.0, (double)info->size_bytes / 1048576.0);
        r->problem = strdup(text);
    }
    r->bytes = info->size_bytes ? info->size_bytes : info->weight_bytes;
    if (info->checkpoint_bytes)
        r->bytes = info->checkpoint_bytes;
}

static void plan_all(struct worker *w, struct list_row *r, const ullage_model *model)
{
    const uint32_t contexts[LIST_CONTEXTS] = {r->n_ctx_train, 32768, 8192};
    for (int i = 0; i < LIST_CONTEXTS; i++) {
        r->cell[i] = (struct list_cell){.n_ctx = contexts[i], .fits = LIST_UNKNOWN};
        if (i > 0 && contexts[i] > r->n_ctx_train)
            r->cell[i].fits = LIST_LONGER;
        else if (i > 0 && contexts[i] == r->n_ctx_train)
            r->cell[i] = r->cell[LIST_TRAINED];
        else if (contexts[i] > 0)
            r->cell[i] = plan_cell(w, model, contexts[i]);
    }
}

static void fill(struct worker *w, struct list_row *r)
{
    ullage_model *model = NULL;
    ullage_error err = {0};
    struct listing *l = w->l;
    int code = l->open ? l->open(l->state, &model, r, &err) : ullage_open(&model, r->path, &err);
    if (code) {
        if (!r->problem)
            r->problem = strdup(err.message);
        return;
    }
    describe(r, model, l->open == NULL);
    plan_all(w, r, model);
    ullage_close(model);
}

/* ------------------------------------------------------------------ all of them */

static void *work(void *state)
{
    struct worker *w = state;
    for (;;) {
        pthread_mutex_lock(w->lock);
        size_t i = (*w->next)++;
        pthread_mutex_unlock(w->lock);
        if (i >= w->l->n)
            return NULL;
        fill(w, &w->l->rows[i]);
    }
}

static size_t thread_count(const struct listing *l)
{
    long here = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = here > 1 ? (size_t)here : 1;
    if (l->open)
        return 1;
    n = n < MOST_THREADS ? n : MOST_THREADS;
    return n < l->n / 8 + 1 ? n : l->n / 8 + 1;
}

/* --fit has nothing to choose where -c and -ngl are given: without it no plan is made to find that
 * out. */
static int worker_settings(struct worker *w)
{
    ullage_error err = {0};
    int status = cli_settings(&w->settings, w->l->args);
    if (!status && ullage_settings_set(w->settings, "-fit", "off", &err))
        status = cli_fail(&err);
    return status;
}

/* A thread that cannot be started is done without: the others take its work. */
int list_fill(struct listing *l)
{
    struct worker workers[MOST_THREADS] = {{0}};
    pthread_t threads[MOST_THREADS];
    bool started[MOST_THREADS] = {false};
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    size_t next = 0, n = thread_count(l);
    int status = CLI_OK;
    for (size_t i = 0; i < n && !status; i++) {
        workers[i] = (struct worker){.l = l, .lock = &lock, .next = &next};
        status = worker_settings(&workers[i]);
    }
    for (size_t i = 1; i < n && !status; i++)
        started[i] = pthread_create(&threads[i], NULL, work, &workers[i]) == 0;
    if (!status)
        work(&workers[0]);
    for (size_t i = 0; i < n; i++) {
        if (started[i])
            pthread_join(threads[i], NULL);
        ullage_plan_free(workers[i].plan);
        ullage_settings_free(workers[i].settings);
    }
    return status;
}
