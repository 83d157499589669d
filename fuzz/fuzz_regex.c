/* Any pattern over any text: the pattern is the first line, the text the rest. Compiling ends with a
 * program or one refusal, searching with an answer or by giving up, both in bounded memory; and the
 * answer is the same when asked again. */
#include "engine/regex.h"
#include "fuzz.h"

#include <setjmp.h>

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))
#define MEMORY_MOST ((size_t)256 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = memchr(data, '\n', size);
    size_t n = line ? (size_t)(line - (const char *)data) : size;
    struct ul_str pattern = {(const char *)data, n};
    struct ul_str text = {(const char *)data + n + (line != NULL), size - n - (line != NULL)};
    struct ul_arena arena = {0};
    struct ul_regex *re;
    ullage_error err = {0};
    int code = ul_regex_compile(&re, pattern, &arena, &err);
    CHECK(code == err.code && (code == ULLAGE_OK || code == ULLAGE_ERROR_REFUSED));
    if (code == ULLAGE_OK) {
        int found = ul_regex_search(re, text);
        CHECK(found >= -1 && found <= 1);
        CHECK(ul_regex_search(re, text) == found);
    }
    CHECK(arena.total < MEMORY_MOST);
    ul_arena_free(&arena);
    return 0;
}
