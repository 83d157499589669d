/* The source that reads from memory: tests, fuzzing, a page that was handed the first megabytes of
 * a file. The bytes stay the caller's. They may be fewer than the file has: a read past them gives
 * nothing, and the reader above says where they ended. */
#include "source/source.h"

/* Less than asked for at the end, and 0 past it, as a file would do. */
static long memory_read(struct ul_source *s, uint64_t offset, void *buf, size_t n,
                        ullage_error *err)
{
    (void)err;
    if (offset >= s->held)
        return 0;
    if (n > s->held - offset)
        n = (size_t)(s->held - offset);
    memcpy(buf, (const char *)s->state + offset, n);
    return (long)n;
}

/* Nothing was copied, so there is nothing to free; a read after closing finds no bytes. */
static void memory_close(struct ul_source *s)
{
    s->state = NULL;
    s->held = 0;
}

void ul_source_memory(struct ul_source *s, const void *p, size_t n, uint64_t size)
{
    *s = (struct ul_source){
        .name = "(memory)",
        .size = size < n ? n : size,
        .read = memory_read,
        .close = memory_close,
        .state = (void *)p,
        .held = n,
    };
}

/* A message has 512 bytes, a path may have 4096. What is kept is the end: the file's name says more
 * than the folders above it. */
#define PATH_SHOWN 160

const char *ul_path_tail(const char *path)
{
    size_t n = strlen(path);
    return n > PATH_SHOWN ? path + n - PATH_SHOWN : path;
}
