/* Any bytes as a program or library: every text stays within the file, and every list ends. The
 * bytes are copied to a block of their own size, so that one read too far is seen. */
#include "fuzz.h"
#include "measure/elf.h"

#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))

static void within(const char *text, const unsigned char *p, size_t n)
{
    const unsigned char *at = (const unsigned char *)text;
    if (text && *text)
        CHECK(at >= p && at + strlen(text) < p + n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ul_elf e;
    bool defined;
    const char *text;
    unsigned char *p = malloc(size ? size : 1);
    if (!p)
        return 0;
    if (size)
        memcpy(p, data, size);
    if (ul_elf_read(&e, p, size)) {
        within(ul_elf_interpreter(&e), p, size);
        for (size_t i = 0; i < 64 && (text = ul_elf_needed(&e, i)) != NULL; i++)
            within(text, p, size);
        size_t n = 0;
        for (; (text = ul_elf_symbol(&e, n, &defined)) != NULL; n++)
            within(text, p, size);
        CHECK(n <= size / 24);
        ul_elf_defines(&e, "cudaMalloc");
    }
    free(p);
    return 0;
}
