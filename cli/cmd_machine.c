/* ullage machine, and the machine that a plan is for: what the options say, completed by what is
 * found here. When the GPUs are named, they are another machine's, and so is the host: its memory
 * stays unknown unless --ram says it. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Reads an option that is a size; names the option in the error. */
static int size_option(const char *name, const char *text, uint64_t *bytes)
{
    ullage_error err = {0};
    if (ullage_parse_size(text, bytes, &err))
        return cli_error(CLI_USAGE, "%s: %s", name, err.message);
    return CLI_OK;
}

static int add_gpus(ullage_machine *machine, const struct cli_args *args)
{
    ullage_error err = {0};
    struct cli_gpu here[CLI_MAX_GPUS];
    int n = args->n_gpus || args->sysroot ? 0 : cli_detect_gpus(here);
    if (args->n_gpus == 1 && strcmp(args->gpu[0], "none") == 0)
        return CLI_OK;
    for (int i = 0; i < args->n_gpus; i++)
        if (strcmp(args->gpu[i], "none") == 0)
            return cli_error(CLI_USAGE, "--gpu: 'none' goes with no other --gpu");
        else if (ullage_machine_add_gpu(machine, args->gpu[i], &err))
            return cli_error(CLI_USAGE, "--gpu: %s", err.message);
    for (int i = 0; i < n; i++)
        if (ullage_machine_add_gpu(machine, here[i].spec, &err))
            return cli_error(CLI_INPUT, "a GPU of this machine: %s", err.message);
    return CLI_OK;
}

static bool other_machine(const struct cli_args *args)
{
    return args->n_gpus > 0 && strcmp(args->gpu[0], "none") != 0;
}

static int set_ram(ullage_machine *machine, const struct cli_args *args)
{
    uint64_t bytes;
    if (args->ram) {
        if (size_option("--ram", args->ram, &bytes))
            return CLI_USAGE;
        ullage_machine_ram(machine, bytes);
    } else if (!other_machine(args) && cli_detect_ram(args->sysroot, &bytes)) {
        ullage_machine_ram(machine, bytes);
        if (cli_detect_ram_total(args->sysroot, &bytes))
            ullage_machine_ram_total(machine, bytes);
    }
    return CLI_OK;
}

/* A rate, or the name of a platform in the catalogue. */
static int set_ram_bandwidth(ullage_machine *machine, const struct cli_args *args)
{
    ullage_error err = {0};
    double rate;
    if (!args->ram_bandwidth)
        return CLI_OK;
    if (ullage_parse_rate(args->ram_bandwidth, &rate, &err) != ULLAGE_OK) {
        rate = ullage_known_bandwidth(args->ram_bandwidth);
        if (rate <= 0)
            return cli_error(CLI_USAGE,
                             "--ram-bandwidth: '%.60s' is neither a rate such as 89.6GB/s "
                             "nor one known platform ('ullage devices ddr5')",
                             args->ram_bandwidth);
    }
    ullage_machine_ram_bandwidth(machine, rate);
    return CLI_OK;
}

/* Apple's GPUs and CPUs are one chip, so a named one tells the CPU; NULL: it is no such chip.
 * The builds are those of ggml/src/CMakeLists.txt: ggml_add_cpu_backend_variant. */
static const char *apple_cpu(const ullage_machine *machine)
{
    const char *name = ullage_machine_gpu_name(machine, 0);
    if (!name || strncmp(name, "Apple M", 7) != 0)
        return NULL;
    int generation = atoi(name + 7);
    return generation == 1 ? "apple_m1" : generation <= 3 ? "apple_m2_m3" : "apple_m4";
}

static int set_cpu(ullage_machine *machine, const struct cli_args *args)
{
    ullage_error err = {0};
    const char *cpu = args->cpu ? args->cpu : apple_cpu(machine);
    if (!cpu)
        cpu = cli_detect_cpu();
    if (cpu && ullage_machine_cpu(machine, cpu, &err))
        return cli_error(CLI_USAGE, "--cpu: %s", err.message);
    return CLI_OK;
}

static int set_rest(ullage_machine *machine, const struct cli_args *args)
{
    ullage_error err = {0};
    uint64_t bytes;
    if (args->reserve && ullage_machine_reserve(machine, args->reserve, &err))
        return cli_error(CLI_USAGE, "--reserve: %s", err.message);
    if (args->runtime) {
        if (size_option("--runtime", args->runtime, &bytes))
            return CLI_USAGE;
        ullage_machine_runtime(machine, (ullage_bytes){bytes, ULLAGE_ASSUMED});
    }
    if (args->prompt_peak) {
        if (size_option("--prompt-peak", args->prompt_peak, &bytes))
            return CLI_USAGE;
        ullage_machine_prompt_peak(machine, (ullage_bytes){bytes, ULLAGE_ASSUMED});
    }
    return CLI_OK;
}

int cli_machine(ullage_machine **machine, const struct cli_args *args)
{
    *machine = ullage_machine_new();
    if (!*machine)
        return cli_error(CLI_INPUT, "out of memory");
    int status = add_gpus(*machine, args);
    if (!status)
        status = set_ram(*machine, args);
    if (!status)
        status = set_ram_bandwidth(*machine, args);
    if (!status)
        status = set_cpu(*machine, args);
    return status ? status : set_rest(*machine, args);
}

int cmd_machine(const struct cli_args *args)
{
    struct cli_gpu gpus[CLI_MAX_GPUS];
    struct cli_text t = {0};
    uint64_t ram;
    if (args->word)
        return cli_error(CLI_USAGE, "'%.80s': 'machine' takes no words", args->word);
    int n = args->sysroot ? 0 : cli_detect_gpus(gpus);
    const char *cpu = cli_detect_cpu();
    for (int i = 0; i < n; i++)
        cli_add(&t, "--gpu '%s'\n", gpus[i].spec);
    if (n == 0)
        cli_add(&t, "--gpu none\n");
    if (cli_detect_ram(args->sysroot, &ram))
        cli_add(&t, "--ram %lluMiB\n", (unsigned long long)(ram >> 20));
    if (cpu)
        cli_add(&t, "--cpu %s\n", cpu);
    int status = t.failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(t.p);
    free(t.p);
    return status;
}
