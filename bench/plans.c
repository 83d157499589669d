/* Times plans inside one process: for each model the median of N whole plans, compute buffers and
 * all, as a search makes them by the thousand. The process's own time counts, so that what else the
 * machine does does not.
 *
 *     bench_plans N MODEL.gguf...     prints "NANOSECONDS LAYERS EXPERTS PATH" a line */
#define _POSIX_C_SOURCE 199309L
#include "ullage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_RUNS 1000

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* One plan's time, or -1. The handle is used again, as a search would. */
static int64_t once(ullage_plan **plan, const ullage_model *model, const ullage_settings *settings,
                    const ullage_machine *machine)
{
    int64_t start = now();
    int code = *plan ? ullage_plan_remake(*plan, model, settings, machine, NULL)
                     : ullage_plan_make(plan, model, settings, machine, NULL);
    return code ? -1 : now() - start;
}

static int bench(const char *path, int runs, const ullage_settings *settings,
                 const ullage_machine *machine)
{
    static int64_t ns[MOST_RUNS];
    ullage_error err = {0};
    ullage_model *model = NULL;
    ullage_plan *plan = NULL;
    if (ullage_open(&model, path, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    for (int i = 0; i < runs; i++)
        if ((ns[i] = once(&plan, model, settings, machine)) < 0)
            return fprintf(stderr, "%s: no plan\n", path), 1;
    qsort(ns, (size_t)runs, sizeof ns[0], by_value);
    const ullage_model_info *info = ullage_describe(model);
    printf("%" PRId64 " %" PRIu32 " %" PRIu32 " %s\n", ns[runs / 2], info->n_layer, info->n_expert, path);
    ullage_plan_free(plan);
    ullage_close(model);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const flags[] = {"-c", "8192", "-ngl", "99", "-np", "1", "-fa", "on",
                                        "-fit", "off"}; /* --fit would make plans of its own */
    int runs = argc > 2 ? atoi(argv[1]) : 0, bad = 0;
    ullage_settings *settings = ullage_settings_new();
    ullage_machine *machine = ullage_machine_new();
    if (runs < 1 || runs > MOST_RUNS || !settings || !machine)
        return 2;
    if (ullage_settings_parse(settings, 10, flags, NULL) || ullage_machine_cpu(machine, "zen4", NULL)
        || ullage_machine_add_gpu(machine, "total=8000GiB,cc=8.9,sm=128", NULL))
        return 2;
    for (int i = 2; i < argc; i++)
        bad |= bench(argv[i], runs, settings, machine);
    ullage_settings_free(settings);
    ullage_machine_free(machine);
    return bad;
}
