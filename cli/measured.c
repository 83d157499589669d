/* What was measured on this machine, for plans made on it later. */
#include "cli.h"

#include "measure/store.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Flags by their first names, with their values; the length is what a measurement varies, and the
 * model is compared apart. */
void cli_flags_text(const struct cli_args *args, char *out, size_t size)
{
    size_t n = 0;
    ullage_flag flag;
    out[0] = '\0';
    for (int i = 0; i < args->n_flags && n < size; i++) {
        if (!ullage_flag_find(args->flags[i], &flag))
            continue;
        int values = (flag.value != NULL) + (flag.value2 != NULL);
        bool named = strcmp(flag.names[0], "-c") == 0 || strcmp(flag.names[0], "-m") == 0;
        if (flag.memory != ULLAGE_FLAG_FREE && !named) {
            bool negated = true;
            for (size_t k = 0; k < flag.n_names; k++)
                negated &= strcmp(flag.names[k], args->flags[i]) != 0;
            n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " " : "",
                                  negated ? args->flags[i] : flag.names[0]);
            for (int k = 1; k <= values && i + k < args->n_flags && n < size; k++)
                n += (size_t)snprintf(out + n, size - n, " %s", args->flags[i + k]);
        }
        i += values;
    }
}

/* The driver's version, as a measurement has it; false when no GPU is found here. */
static bool this_driver(char driver[64])
{
    struct ul_reader r;
    if (ul_reader_open(&r, NULL, NULL, NULL))
        return false;
    bool any = r.n > 0;
    snprintf(driver, 64, "%s", r.driver);
    ul_reader_close(&r);
    return any;
}

static ullage_bytes measured(struct ul_amount a, bool wanted)
{
    return (ullage_bytes){a.bytes, a.known && wanted ? ULLAGE_MEASURED : ULLAGE_UNKNOWN};
}

/* Each GPU has what was measured on one of its name, under this driver. */
static void set_figures(ullage_machine *machine, const struct cli_args *args,
                        struct ul_store *store, const char *model, uint64_t model_bytes)
{
    char driver[64], flags[1024];
    struct ul_amount runtime, prompt;
    struct utsname u;
    if (uname(&u) || !this_driver(driver))
        return;
    cli_flags_text(args, flags, sizeof flags);
    for (uint32_t i = 0; i < ullage_machine_gpus(machine); i++) {
        ul_store_figures(store, u.nodename, ullage_machine_gpu_name(machine, i), driver,
                         base_name(model), model_bytes, flags, &runtime, &prompt);
        ullage_machine_gpu_figures(machine, i, measured(runtime, !args->runtime),
                                   measured(prompt, !args->prompt_peak));
    }
}

void cli_measured(ullage_machine *machine, const struct cli_args *args, const ullage_model *model)
{
    char folder[2048];
    struct ul_store *store;
    const ullage_model_info *info = ullage_describe(model);
    if (args->n_gpus > 0 || args->sysroot || !ul_store_folder(folder, sizeof folder, false)
        || ul_store_open_read(&store, folder, NULL) || !store)
        return;
    set_figures(machine, args, store, info->path, info->size_bytes);
    ul_store_close(store);
}

int cli_open(ullage_model **model, ullage_machine *machine, const struct cli_args *args,
             const char *path, ullage_error *err)
{
    int rc = cli_open_model(model, args, path, args->quant, err);
    if (!rc)
        cli_measured(machine, args, *model);
    return rc;
}
