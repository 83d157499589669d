/* How well the laws of speed (src/fit/factors.c) predict published runs.
 *
 *     xz -dc tests/speed/pairs.tsv.xz | bench_speed [--check] [--devices]
 *
 * The runs of tests/speed/pairs.tsv.xz (made by tools/speed_pairs.py: each with what it had to
 * read) are predicted three ways: those of devices that the laws were never fitted to, by the law
 * and their family's multiples; those they were fitted to (of 2023 and 2024 apart: older kernels,
 * which the laws do not describe; Metal's changed less); and all against the bound, which no run
 * may beat by more than 3 %. "in range" is the share of runs between the printed low and high,
 * which should be eight of ten. Each device weighs the same. --devices says it for each device;
 * --check fails when the figures are worse than those that were reached. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit/factors.h"

#define GIB 1073741824.0
#define ROWS_MOST 4096
#define COLUMNS_MOST 32
#define BEATEN 1.03

struct run {
    char device[80], model[64];
    enum ul_backend backend;
    bool held, prompt, old;
    struct ul_speed_device with;
    struct ul_speed_work work;
    struct ul_prompt_work batch;
    double length; /* of a prompt, tokens */
    double tok_s, predicted, low, high, bound; /* tokens a second; bound 0: unknown */
};

static struct run rows[ROWS_MOST];
static size_t n_rows;

/* ------------------------------------------------------------------ reading */

static char *columns[COLUMNS_MOST];
static char header[1024];
static int n_columns;

static int split(char *line, char **fields)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (line && n < COLUMNS_MOST) {
        char *tab = strchr(line, '\t');
        fields[n++] = line;
        if (tab)
            *tab++ = '\0';
        line = tab;
    }
    return n;
}

static const char *text(char **fields, const char *name)
{
    for (int i = 0; i < n_columns; i++)
        if (strcmp(columns[i], name) == 0)
            return fields[i];
    fprintf(stderr, "bench_speed: no column %s\n", name);
    exit(2);
}

static double number(char **fields, const char *name)
{
    return strtod(text(fields, name), NULL);
}

static int index_of(const char *const *words, int n, const char *word)
{
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    fprintf(stderr, "bench_speed: unknown word %s\n", word);
    exit(2);
}

static const char *const backends[] = {[UL_CUDA] = "CUDA",   [UL_VULKAN] = "Vulkan",
                                       [UL_ROCM] = "ROCm",   [UL_METAL] = "Metal",
                                       [UL_SYCL] = "SYCL",   [UL_CPU] = "CPU"};
static const char *const classes[] = {
    [UL_CLASS_F16] = "f16", [UL_CLASS_BF16] = "bf16",   [UL_CLASS_Q8_0] = "q8_0",
    [UL_CLASS_LEGACY] = "legacy", [UL_CLASS_K] = "k", [UL_CLASS_LOW] = "low",
    [UL_CLASS_MXFP4] = "mxfp4"};

static const ullage_known_device *known(const char *device)
{
    const ullage_known_device *d;
    for (size_t i = 0; (d = ullage_known_device_at(i)) != NULL; i++)
        if (strcmp(d->name, device) == 0)
            return d;
    return NULL;
}

/* Reads a row into a run; false when the device's figures are not known. */
static bool read_run(struct run *r, char **f)
{
    snprintf(r->device, sizeof r->device, "%s", text(f, "device"));
    snprintf(r->model, sizeof r->model, "%s", text(f, "model"));
    r->backend = (enum ul_backend)index_of(backends, UL_BACKEND_COUNT, text(f, "backend"));
    r->held = number(f, "hold") > 0;
    r->old = number(f, "old") > 0;
    r->prompt = strcmp(text(f, "test"), "pp") == 0;
    r->tok_s = number(f, "tok_s");
    r->length = number(f, "length");
    r->with = (struct ul_speed_device){
        .known = known(r->device), .backend = r->backend, .bandwidth = number(f, "gbs") * 1e9,
        .flops32 = number(f, "tflops") * 1e12};
    r->work = (struct ul_speed_work){
        .weight_bytes = number(f, "read_gib") * GIB, .elements = number(f, "gparams") * 1e9,
        .cache_bytes = number(f, "cache_gib") * GIB, .flash = number(f, "flash") > 0,
        .attention_flops = number(f, "attention_gflop") * 1e9,
        .type = (enum ul_weight_class)index_of(classes, UL_CLASS_COUNT, text(f, "class")),
        .mixers = (uint32_t)number(f, "mixers"), .states = (uint32_t)number(f, "states"),
        .experts = (uint32_t)number(f, "moe"), .further = (uint32_t)number(f, "n") - 1};
    r->batch = (struct ul_prompt_work){
        .elements = r->work.elements, .all_bytes = number(f, "size_gib") * GIB,
        .attention_flops = r->work.attention_flops, .type = r->work.type, .mixers = r->work.mixers,
        .experts = r->work.experts, .batch = (uint32_t)number(f, "ubatch")};
    return r->with.known && r->with.bandwidth > 0
           && (r->with.flops32 > 0 || r->backend == UL_CPU);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The factors were fitted with the columns' figures: they must be those that the program uses. */
static void check_rate(const struct run *r, double column, bool matrix)
{
    double rate = ul_unpacking(r->with.known, r->with.flops32) / 1e12;
    if (matrix != ul_has_matrix_units(r->with.known)) {
        fprintf(stderr, "bench_speed: whether %s has matrix units\n", r->device);
        exit(2);
    }
    if (fabs(rate / column - 1) > 0.005 && r->with.flops32 > 0) {
        fprintf(stderr, "bench_speed: %s unpacks at %.4g, not %.4g\n", r->device, rate, column);
        exit(2);
    }
}

/* Several GPUs share a prompt alike, and the engine's usual batch is of 2048 tokens. */
static void pipeline(const struct run *r, struct ul_expectation *e)
{
    double devices = r->work.further + 1, batches = least(r->length, 2048) / r->batch.batch;
    double share = ul_pipelined(1, 1 / devices, batches);
    e->ms *= share;
    e->fast *= share;
    e->slow *= share;
}

/* As src/fit/speed.c does, on one device or several alike. */
static void predict(struct run *r)
{
    struct ul_expectation e;
    double best = ul_best_arithmetic(r->with.known, r->work.type);
    bool known = r->prompt ? ul_expect_prompt(&e, &r->with, &r->batch, false)
                           : ul_expect_token(&e, &r->with, &r->work, false);
    if (r->prompt)
        r->bound = best > 0 && r->backend != UL_CPU
                       ? (r->work.further + 1) * best / (2 * r->work.elements) : 0;
    else
        r->bound = r->with.bandwidth / (r->work.weight_bytes + r->work.cache_bytes);
    if (!known)
        return;
    if (r->prompt)
        pipeline(r, &e);
    double most = r->bound > 0 ? r->bound : HUGE_VAL;
    r->predicted = least(1000 / e.ms, most);
    r->low = least(1000 / e.slow, r->predicted);
    r->high = least(1000 / e.fast, most);
}

static void read_all(void)
{
    char line[1024], *fields[COLUMNS_MOST];
    if (!fgets(header, sizeof header, stdin))
        exit(2);
    n_columns = split(header, columns);
    while (fgets(line, sizeof line, stdin) && n_rows < ROWS_MOST) {
        if (split(line, fields) != n_columns) {
            fprintf(stderr, "bench_speed: a row of other columns\n");
            exit(2);
        }
        rows[n_rows] = (struct run){.device = ""};
        if (read_run(&rows[n_rows], fields)) {
            check_rate(&rows[n_rows], number(fields, "unpacking"),
                       number(fields, "matrix") > 0);
            predict(&rows[n_rows]);
            n_rows++;
        }
    }
}

/* ------------------------------------------------------------------ errors */

struct error {
    double error, weight;
};

static int by_error(const void *a, const void *b)
{
    double x = ((const struct error *)a)->error, y = ((const struct error *)b)->error;
    return (x > y) - (x < y);
}

/* What of the runs is looked at. */
struct set {
    const char *name;
    enum ul_backend backend;
    bool prompt, held;
    const char *device; /* NULL: all */
    bool old;           /* builds of 2023 and 2024 only */
};

static bool in_set(const struct run *r, const struct set *s)
{
    bool old = r->old && r->backend != UL_METAL;
    return r->backend == s->backend && r->prompt == s->prompt && r->held == s->held
           && old == s->old && r->predicted > 0
           && (!s->device || strcmp(r->device, s->device) == 0);
}

static int runs_of(const struct run *like, const struct set *s)
{
    int n = 0;
    for (size_t i = 0; i < n_rows; i++)
        n += in_set(&rows[i], s) && strcmp(rows[i].device, like->device) == 0;
    return n;
}

static double quantile(const struct error *e, size_t n, double q)
{
    double all = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        all += e[i].weight;
    for (size_t i = 0; i < n; i++)
        if ((sum += e[i].weight) >= q * all)
            return e[i].error;
    return n ? e[n - 1].error : 0;
}

struct result {
    size_t n;
    double median, most; /* most: the 90th percentile */
    double inside;       /* of the runs, in the printed range */
};

static struct result errors_of(const struct set *s)
{
    static struct error e[ROWS_MOST];
    struct result r = {0};
    double all = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const struct run *x = &rows[i];
        if (!in_set(x, s))
            continue;
        double weight = 1.0 / runs_of(x, s);
        e[r.n++] = (struct error){.error = fabs(x->predicted / x->tok_s - 1), .weight = weight};
        all += weight;
        r.inside += x->low <= x->tok_s && x->tok_s <= x->high ? weight : 0;
    }
    r.inside = all > 0 ? 100 * r.inside / all : 0;
    qsort(e, r.n, sizeof e[0], by_error);
    r.median = 100 * quantile(e, r.n, 0.5);
    r.most = 100 * quantile(e, r.n, 0.9);
    return r;
}

static void print_devices(struct set s)
{
    for (size_t i = 0; i < n_rows; i++) {
        bool first = in_set(&rows[i], &s);
        for (size_t k = 0; k < i && first; k++)
            first = !in_set(&rows[k], &s) || strcmp(rows[k].device, rows[i].device) != 0;
        if (!first)
            continue;
        struct set one = s;
        one.device = rows[i].device;
        struct result r = errors_of(&one);
        printf("    %-52s %4zu  %6.1f  %6.1f  %6.0f\n", rows[i].device, r.n, r.median, r.most,
               r.inside);
    }
}

static struct result print_set(struct set s, bool devices)
{
    struct result r = errors_of(&s);
    if (!r.n)
        return r;
    printf("%-22s %-7s %4zu  %6.1f  %6.1f  %6.0f\n", s.name, backends[s.backend], r.n, r.median,
           r.most, r.inside);
    if (devices)
        print_devices(s);
    return r;
}

/* Runs that beat the bound: the bound is wrong, or the run is. */
static int beaten(void)
{
    int n = 0, known_bounds = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const struct run *r = &rows[i];
        known_bounds += r->bound > 0;
        if (r->bound <= 0 || r->tok_s <= BEATEN * r->bound)
            continue;
        printf("beaten: %s, %s, %s, %s: %.4g tokens/s, bound %.4g\n", r->device,
               backends[r->backend], r->model, r->prompt ? "prompt" : "generation", r->tok_s,
               r->bound);
        n++;
    }
    printf("bound beaten by more than 3 %%: %d of %d runs\n", n, known_bounds);
    return n;
}

/* What was reached, a little rounded: a change that makes it worse is seen. */
static const struct {
    struct set set;
    double median, most, inside;
} limits[] = {
    {{"unknown devices", UL_CUDA, false, true, NULL, false}, 12, 20, 80},
    {{"unknown devices", UL_METAL, false, true, NULL, false}, 8, 25, 70},
    {{"unknown devices", UL_ROCM, false, true, NULL, false}, 12, 30, 80},
    {{"unknown devices", UL_VULKAN, false, true, NULL, false}, 15, 50, 80},
    {{"fitted devices", UL_CUDA, false, false, NULL, false}, 5, 15, 80},
    {{"fitted devices", UL_METAL, false, false, NULL, false}, 5, 10, 80},
    {{"fitted devices", UL_ROCM, false, false, NULL, false}, 5, 15, 80},
    {{"fitted devices", UL_VULKAN, false, false, NULL, false}, 5, 25, 80},
    {{"fitted devices", UL_SYCL, false, false, NULL, false}, 25, 30, 80},
    {{"fitted devices", UL_CPU, false, false, NULL, false}, 50, 50, 0},
    {{"builds of 2023-24", UL_CUDA, false, false, NULL, true}, 8, 20, 70},
    {{"prompts, unknown", UL_CUDA, true, true, NULL, false}, 35, 60, 55},
    {{"prompts, unknown", UL_METAL, true, true, NULL, false}, 15, 50, 80},
    {{"prompts, unknown", UL_ROCM, true, true, NULL, false}, 40, 95, 80},
    {{"prompts, unknown", UL_VULKAN, true, true, NULL, false}, 60, 150, 80},
    {{"prompts, fitted", UL_CUDA, true, false, NULL, false}, 5, 25, 80},
    {{"prompts, fitted", UL_METAL, true, false, NULL, false}, 5, 15, 80},
    {{"prompts, fitted", UL_ROCM, true, false, NULL, false}, 5, 20, 80},
    {{"prompts, fitted", UL_VULKAN, true, false, NULL, false}, 8, 40, 80},
    {{"prompts, fitted", UL_SYCL, true, false, NULL, false}, 5, 20, 80},
    {{"prompts, 2023-24", UL_CUDA, true, false, NULL, true}, 40, 90, 45},
};

int main(int argc, char **argv)
{
    bool check = false, devices = false, good = true;
    for (int i = 1; i < argc; i++) {
        check = check || strcmp(argv[i], "--check") == 0;
        devices = devices || strcmp(argv[i], "--devices") == 0;
    }
    read_all();
    printf("error of the expectation, %%      runs  median    90th  in range\n");
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct result r = print_set(limits[i].set, devices);
        good = r.n && r.median <= limits[i].median && r.most <= limits[i].most
               && r.inside >= limits[i].inside && good;
    }
    good = beaten() == 0 && good;
    return check && !good;
}
