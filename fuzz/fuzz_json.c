/* Any bytes as JSON: a tree or one error, in bounded memory; the pull parser ends, agrees with the
 * tree on whether it is JSON, and never steps outside the text. */
#include "fuzz.h"
#include "source/jsonread.h"

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))
/* A value of a tree against the least text it takes ("1,"), and the arena's own rounding. */
#define MEMORY_PER_BYTE 64
#define MEMORY_FIXED ((size_t)1 << 21)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct ul_arena arena = {0};
    ullage_error err = {0}, pulled = {0};
    struct ul_jread r;
    enum ul_jtoken t;
    size_t tokens = 0;
    const struct ul_jvalue *v = ul_json_parse("input", text, size, &arena, &err);
    CHECK((v != NULL) == (err.code == ULLAGE_OK));
    CHECK(v != NULL || (err.position <= size && err.message[0]));
    CHECK(arena.total <= MEMORY_FIXED + MEMORY_PER_BYTE * size);
    ul_jread_start(&r, "input", text, size, 0, &arena, &pulled);
    while ((t = ul_jread_next(&r)) != UL_JT_END && t != UL_JT_ERROR)
        CHECK(++tokens <= size && r.at < size && r.p <= r.end && r.depth <= UL_JREAD_DEPTH);
    CHECK((t == UL_JT_END) == (v != NULL));
    CHECK(pulled.position == err.position || v != NULL);
    ul_arena_free(&arena);
    return 0;
}
