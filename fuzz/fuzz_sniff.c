/* Any bytes, as a file that someone asks about: always an answer of a kind that is known, with faults
 * that have words, in memory that the input's size bounds. And the small texts of stores: a manifest
 * of Ollama's, a name, whatever is typed for one. */
#include "fuzz.h"
#include "source/sniff.h"
#include "source/stores.h"

#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))
#define MEMORY_PER_BYTE 512
#define MEMORY_FIXED ((size_t)1 << 22)

static void names(const uint8_t *data, size_t size)
{
    char a[128] = "", b[128] = "";
    size_t n = size / 2 < sizeof a - 1 ? size / 2 : sizeof a - 1;
    memcpy(a, data, n);
    memcpy(b, data + n, n);
    CHECK(ul_ollama_same(a, b) == ul_ollama_same(b, a));
    CHECK(ul_ollama_same(a, a));
    ul_name_is_unfinished(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ul_arena arena = {0};
    struct ul_source source;
    struct ul_sniff s;
    ullage_error err = {0};
    ul_source_memory(&source, data, size, size);
    CHECK(ul_sniff(&s, &source, NULL, &arena, &err) == ULLAGE_OK);
    CHECK(s.kind && s.what && s.shard >= 1 && s.shards >= 1 && s.n_faults <= UL_SNIFF_FAULTS);
    for (size_t i = 0; i < s.n_faults; i++)
        CHECK(s.faults[i].code && s.faults[i].text && *s.faults[i].text);
    CHECK(arena.total <= MEMORY_FIXED + MEMORY_PER_BYTE * size);
    ul_arena_free(&arena);
    names(data, size);
    return 0;
}
