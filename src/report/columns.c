#include "report/columns.h"

#define AT(member) offsetof(ullage_device, member)

const struct ul_column ul_columns[] = {
    {.label = "device", .key = "total_bytes", .at = AT(total), .show = UL_SHOW_NEVER},
    {.label = "used by others", .key = "used_bytes", .at = AT(used), .show = UL_SHOW_NEVER},
    {.label = "weights", .key = "model_bytes", .at = AT(model)},
    {.label = "context", .key = "context_bytes", .at = AT(context), .show = UL_SHOW_NEVER},
    {.label = "KV cache", .key = "kv_bytes", .at = AT(kv)},
    {.label = "recurrent state", .key = "state_bytes", .at = AT(state), .show = UL_SHOW_NONZERO},
    {.label = "output", .key = "output_bytes", .at = AT(output)},
    {.label = "compute", .key = "compute_bytes", .at = AT(compute)},
    {.label = "draft", .key = "draft_bytes", .at = AT(draft), .show = UL_SHOW_NONZERO},
    {.label = "projector", .key = "projector_bytes", .at = AT(projector), .show = UL_SHOW_NONZERO},
    {.label = "adapters", .key = "adapters_bytes", .at = AT(adapters), .show = UL_SHOW_NONZERO},
    {.label = "runtime", .key = "runtime_bytes", .at = AT(runtime)},
    {.label = "prompt peak", .key = "prompt_peak_bytes", .at = AT(prompt_peak)},
    {.label = "cuBLAS workspace", .key = "workspace_bytes", .at = AT(workspace),
     .show = UL_SHOW_NONZERO},
    {.label = "driver's rounding", .key = "rounding_bytes", .at = AT(rounding),
     .show = UL_SHOW_NONZERO},
    {.label = "total", .key = "needed_bytes", .at = AT(needed), .sum = true},
    {.label = "budget", .key = "budget_bytes", .at = AT(budget)},
};

const size_t ul_n_columns = sizeof ul_columns / sizeof *ul_columns;

ullage_bytes ul_column_of(const struct ul_column *c, const ullage_device *d)
{
    return *(const ullage_bytes *)(const void *)((const char *)d + c->at);
}
