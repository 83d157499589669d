/* Any bytes as a safetensors file, and as an index of shards: one error, or tensors whose places
 * fill the file in order; in memory that the input's size bounds. */
#include "fuzz.h"
#include "source/safetensors.h"

#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))
#define MEMORY_PER_BYTE 160
#define MEMORY_FIXED ((size_t)1 << 22)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ul_arena arena = {0};
    struct ul_source s;
    struct ul_st st = {0};
    ullage_error err = {0};
    uint64_t at = 0;
    size_t n = 0;
    ul_source_memory(&s, data, size, size);
    int code = ul_st_read(&st, &s, &arena, &err);
    CHECK(code == err.code && (code == ULLAGE_OK || err.message[0]));
    for (size_t i = 0; i < st.n_tensors && code == ULLAGE_OK; i++) {
        CHECK(st.tensors[i].begin == at && st.tensors[i].end >= at);
        at = st.tensors[i].end;
    }
    CHECK(code != ULLAGE_OK || st.bytes == at);
    err = (ullage_error){0};
    const struct ul_str *files =
        ul_st_index(&n, "index", (const char *)data, size, &arena, &err);
    CHECK((files != NULL) == (err.code == ULLAGE_OK));
    for (size_t i = 0; files != NULL && i < n; i++)
        CHECK(files[i].n > 0 && memchr(files[i].p, '/', files[i].n) == NULL);
    CHECK(arena.total <= MEMORY_FIXED + MEMORY_PER_BYTE * size);
    ul_arena_free(&arena);
    return 0;
}
