/* What profiling took on this machine, kept for later plans of vLLM servers: what a start-up log
 * gave once is measured from then on, for servers of the same conditions. */
#include "cli.h"

#include "measure/store.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* What profiling hangs on: the version, the model's class and size, how it is divided, its
 * batches. */
static void conditions(const ullage_vllm *plan, char out[256])
{
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    size_t n;
    const ullage_vllm_stage *s = ullage_vllm_stages(plan, &n);
    snprintf(out, 256, "%s %s L%u w%llu tp%u pp%u dp%u batch%llu seqs%llu %s %s", i->version,
             i->model_class, n ? s[n - 1].end_layer : 0,
             n ? (unsigned long long)s[0].weights.bytes : 0, i->tp, i->pp, i->dp,
             (unsigned long long)i->batched_tokens, (unsigned long long)i->max_seqs, i->cache_type,
             i->quantization ? i->quantization : "-");
}

static const char *gpu_of(const ullage_machine *machine)
{
    return ullage_machine_gpus(machine) ? ullage_machine_gpu_name(machine, 0) : "";
}

int cli_vllm_keep(const ullage_vllm *plan, const ullage_machine *machine, uint64_t bytes)
{
    char folder[2048], key[256];
    struct ul_store *store;
    struct utsname u;
    ullage_error err = {0};
    if (!*gpu_of(machine))
        return cli_error(CLI_USAGE,
                         "--keep: name the GPU that the log is of, as in --gpu 'RTX 3090'");
    if (uname(&u) || !ul_store_folder(folder, sizeof folder, true))
        return cli_error(CLI_INPUT, "--keep: no folder to keep it in: set HOME or XDG_DATA_HOME");
    conditions(plan, key);
    int code = ul_store_open(&store, folder, &err);
    if (!code) {
        code = ul_store_keep_profile(store, u.nodename, gpu_of(machine), key, bytes, &err);
        ul_store_close(store);
    }
    return code ? cli_fail(&err) : CLI_OK;
}

bool cli_vllm_kept(const ullage_vllm *plan, const ullage_machine *machine, ullage_bytes *profiled)
{
    char folder[2048], key[256];
    struct ul_store *store;
    struct utsname u;
    struct ul_amount a = {0};
    if (!*gpu_of(machine) || uname(&u) || !ul_store_folder(folder, sizeof folder, false)
        || ul_store_open_read(&store, folder, NULL) || !store)
        return false;
    conditions(plan, key);
    a = ul_store_profile(store, u.nodename, gpu_of(machine), key);
    ul_store_close(store);
    if (a.known)
        *profiled = (ullage_bytes){a.bytes, ULLAGE_MEASURED};
    return a.known;
}
