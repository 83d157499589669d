/* SGLang's pool for DeepSeek-V4, as far as its start-up log states it: bytes a token, and the
 * tokens that a budget gives.
 *
 * Every layer has a window whose share of the pool is a ratio; compressed layers keep an entry for
 * every 4th or 128th token, those of 4 an indexer's too; compressors' states live in rings within
 * the windows. Entries take 584 bytes, an indexer's 132.
 * Source: sglang/srt/model_executor/pool_configurator.py. */
#include "base/error.h"
#include "ullage.h"

#define ENTRY 584.0
#define INDEX 132.0

double ullage_sglang_v4_token(const ullage_sglang_v4 *s)
{
    double n4 = s->layers_4, n128 = s->layers_128, share = s->window_share;
    double rings =
        share * s->ring / 128.0 * (2048.0 * s->state_bytes + 512.0 * s->state_bytes) * n4;
    double bytes = share * ENTRY * s->layers + ENTRY * n4 / 4 + ENTRY * n128 / 128 + INDEX * n4 / 4;
    return bytes + rings + (s->states_128 ? share * 1024.0 * s->state_bytes * n128 : 0);
}

int ullage_sglang_tokens(double available, double fixed, double bytes_per_token, uint64_t page,
                         uint64_t *tokens, ullage_error *err)
{
    if (!(bytes_per_token > 0) || !page || !(available >= 0 && available < 1e18))
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "a token and a page must not be empty");
    double left = available > fixed ? available - fixed : 0;
    *tokens = (uint64_t)(left / bytes_per_token) / page * page;
    return ULLAGE_OK;
}
