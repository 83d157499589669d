/* Files that a caller's program reads (ullage_reader): a server's, an archive's. */
#include "base/arena.h"
#include "source/source.h"

#include <string.h>

/* A caller's file as the reader of headers takes it. */
struct handed {
    const ullage_reader *reader;
    void *file;
};

static long handed_read(struct ul_source *s, uint64_t offset, void *buf, size_t n,
                        ullage_error *err)
{
    struct handed *f = s->state;
    return f->reader->read(f->file, offset, buf, n, err);
}

static void handed_close(struct ul_source *s)
{
    struct handed *f = s->state;
    if (f && f->reader->close)
        f->reader->close(f->file);
    s->state = NULL;
}

static int handed_open(void *state, struct ul_source *s, const char *name, struct ul_arena *a,
                       ullage_error *err)
{
    struct handed *f = UL_NEW(a, struct handed);
    f->reader = state;
    *s = (struct ul_source){.name = ul_arena_copy(a, name, strlen(name)), .read = handed_read,
                            .close = handed_close};
    int code = f->reader->open(f->reader->state, name, &f->file, &s->size, err);
    s->state = code ? NULL : f;
    return code;
}

struct ul_opener ul_source_handed(const ullage_reader *reader)
{
    return (struct ul_opener){.open = handed_open, .state = (void *)reader};
}
