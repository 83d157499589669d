/* The versions of vLLM, and what changed with each.
 *
 * Places are of the upstream repository, with the change's number where one says more. A row says
 * all; nothing is inherited from the row before. Versions from 0.30 on were read at one commit of
 * November 2026 (v1/core/kv_cache_planning.py), so a change between them would not be seen. */
#include "engine/vllm_era.h"

#include <stdlib.h>
#include <string.h>

/* gpu_memory_utilization: config/cache.py: CacheConfig (0.92 since #38284).
 * tokens_by_blocks: v1/core/kv_cache_utils.py: _report_kv_cache_config, until #41069.
 * two_batches: config/vllm.py: max_in_flight_tokens (#47728).
 * window_own_block: layers/attention/attention.py: get_kv_cache_spec (#42890).
 * request_by_bytes: get_max_concurrency_for_kv_cache_config, until #48317.
 * prefill_parallel: kv_cache_interface.py: FullAttentionSpec, until #46570.
 * v4: #44577 and #48993. null_block: #47272. latent_128: platforms/interface.py (#50000).
 * need_by_block: kv_cache_planning.py. */
static const struct ul_vera eras[] = {
    {.minor = 20, .name = "0.20", .share = 0.90, .tokens_by_blocks = true, .request_by_bytes = true,
     .prefill_parallel = true, .v4 = UL_V4_TUPLES},
    {.minor = 21, .name = "0.21", .share = 0.92, .request_by_bytes = true, .prefill_parallel = true,
     .graphs_estimated = true, .v4 = UL_V4_TUPLES},
    {.minor = 22, .name = "0.22", .share = 0.92, .request_by_bytes = true, .prefill_parallel = true,
     .graphs_estimated = true, .v4 = UL_V4_TUPLES},
    {.minor = 23, .name = "0.23", .share = 0.92, .request_by_bytes = true, .prefill_parallel = true,
     .graphs_estimated = true, .v4 = UL_V4_TUPLES},
    {.minor = 24, .name = "0.24", .share = 0.92, .request_by_bytes = true, .prefill_parallel = true,
     .graphs_estimated = true, .v4 = UL_V4_BY_SIZE},
    {.minor = 25, .name = "0.25", .share = 0.92, .request_by_bytes = true, .prefill_parallel = true,
     .graphs_estimated = true, .v4 = UL_V4_BY_SIZE},
    {.minor = 26, .name = "0.26", .share = 0.92, .request_by_bytes = true, .prefill_parallel = true,
     .two_batches = true, .window_own_block = true, .graphs_estimated = true, .v4 = UL_V4_BY_SIZE},
    {.minor = 27, .name = "0.27", .share = 0.92, .two_batches = true, .window_own_block = true,
     .graphs_estimated = true, .v4 = UL_V4_WIDEST},
    {.minor = 28, .name = "0.28", .share = 0.92, .two_batches = true, .window_own_block = true,
     .graphs_estimated = true, .one_line = true, .latent_128 = true, .v4 = UL_V4_WIDEST},
    {.minor = 29, .name = "0.29", .share = 0.92, .two_batches = true, .window_own_block = true,
     .graphs_estimated = true, .one_line = true, .latent_128 = true, .null_block = true, .v4 =
     UL_V4_WIDEST},
    {.minor = 30, .name = "0.30", .share = 0.92, .two_batches = true, .window_own_block = true,
     .graphs_estimated = true, .one_line = true, .latent_128 = true, .null_block = true,
     .need_by_block = true, .sampled = true, .v4 = UL_V4_WIDEST},
    {.minor = 31, .name = "0.31", .share = 0.92, .two_batches = true, .window_own_block = true,
     .graphs_estimated = true, .one_line = true, .latent_128 = true, .null_block = true,
     .need_by_block = true, .sampled = true, .v4 = UL_V4_WIDEST},
    {.minor = 32, .name = "0.32", .share = 0.92, .two_batches = true, .window_own_block = true,
     .graphs_estimated = true, .one_line = true, .latent_128 = true, .null_block = true,
     .need_by_block = true, .sampled = true, .v4 = UL_V4_WIDEST},
    {.minor = 33, .name = "0.33", .share = 0.92, .two_batches = true, .window_own_block = true,
     .graphs_estimated = true, .one_line = true, .latent_128 = true, .null_block = true,
     .need_by_block = true, .sampled = true, .v4 = UL_V4_WIDEST},
};

static const size_t n_eras = sizeof eras / sizeof eras[0];

const char *ul_vera_first(void) { return eras[0].name; }
const char *ul_vera_last(void) { return eras[n_eras - 1].name; }

const struct ul_vera *ul_vera_find(const char *text)
{
    if (!text)
        return &eras[n_eras - 1];
    text += *text == 'v';
    if (strncmp(text, "0.", 2) != 0)
        return NULL;
    char *end;
    long minor = strtol(text + 2, &end, 10);
    if (end == text + 2 || (*end && *end != '.' && *end != 'r'))
        return NULL;
    for (size_t i = 0; i < n_eras; i++)
        if (eras[i].minor == minor)
            return &eras[i];
    return NULL;
}
