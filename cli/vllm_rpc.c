/* vllm --launch llama-rpc: what llama.cpp would hold on each device for the line that was printed.
 * The cards of the workers come first, as the engine lists RPC devices before its own. */
#define _POSIX_C_SOURCE 200809L /* strndup, strtok_r */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The flags of the line that starts the server, from -c to the first that is about the network. */
static char *flags_of(const char *launch)
{
    const char *line = strstr(launch, "llama-server "), *from = line ? strstr(line, " -c ") : NULL;
    const char *to = from ? strstr(from, " --") : NULL;
    return to ? strndup(from, (size_t)(to - from)) : NULL;
}

/* The line's flags, and of the machine's cards only as many as it is for. */
static int settings_of(ullage_settings *s, const char *launch, uint32_t cards, ullage_error *err)
{
    char devices[512];
    const char *words[32];
    int n = 0;
    size_t k = 0;
    char *text = flags_of(launch), *rest = NULL;
    for (char *w = text ? strtok_r(text, " ", &rest) : NULL; w && n < 28;
         w = strtok_r(NULL, " ", &rest))
        words[n++] = w;
    words[n++] = "-fit";
    words[n++] = "off";
    words[n++] = "-dev";
    for (uint32_t i = 0; i < cards && k < sizeof devices; i++)
        k += (size_t)snprintf(devices + k, sizeof devices - k, "%sCUDA%u", i ? "," : "", i);
    words[n++] = devices;
    int code = ullage_settings_parse(s, n, words, err);
    free(text);
    return code;
}

int cli_vllm_rpc(const struct cli_args *args, const ullage_vllm *vllm, const char *launch,
                 const ullage_machine *machine)
{
    const ullage_vllm_info *i = ullage_vllm_describe(vllm);
    ullage_settings *settings = ullage_settings_new();
    ullage_model *model = NULL;
    ullage_plan *plan = NULL;
    ullage_error err = {0};
    int code = settings ? cli_open_model(&model, args, i->model, args->quant, &err)
                        : ULLAGE_ERROR_MEMORY;
    if (!code)
        code = settings_of(settings, launch, i->n_gpus, &err);
    if (!code)
        code = ullage_plan_make(&plan, model, settings, machine, &err);
    char *text = code ? NULL : ullage_plan_render(plan, ULLAGE_TABLE, ULLAGE_BY_DEVICE, 0);
    if (text)
        fprintf(stderr, "\nllama.cpp, each device, the workers' first:\n%s", text);
    else
        fprintf(stderr, "\nllama.cpp: not planned: %s\n", err.message);
    ullage_text_free(text);
    ullage_plan_free(plan);
    ullage_close(model);
    ullage_settings_free(settings);
    return CLI_OK;
}
