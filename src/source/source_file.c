/* The source that reads a file. Only a regular file will do: a folder has no bytes, and a pipe
 * cannot be read by offset and would block. Opening never waits (O_NONBLOCK), so that even a pipe
 * put in the file's place between two calls is refused and not waited for. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_TEXT ((size_t)65536) /* where nobody says how long a text is */

/* The errors that a person meets; the system's own wording depends on locale and library. */
static const char *reason(int e)
{
    switch (e) {
    case ENOENT: return "no such file";
    case ENOTDIR: return "a part of the path is not a folder";
    case EACCES: case EPERM: return "no permission to read it";
    case ELOOP: return "too many symbolic links";
    case EMFILE: case ENFILE: return "too many open files";
    case ENAMETOOLONG: return "the name is too long";
    case EIO: return "the device reports a read error";
    default: return strerror(e);
    }
}

/* What stands at the path instead of a file, in the word a person would use. */
static const char *kind(mode_t mode)
{
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    if (S_ISCHR(mode) || S_ISBLK(mode))
        return "a device";
    return "not a regular file";
}

/* The path is looked at twice, by name before it is opened and by descriptor after: the first
 * keeps devices and pipes from being opened at all, the second cannot be fooled by a change in
 * between. */
struct file_state {
    int fd;
};

/* pread and not read: the cursor says where, and a window that jumps needs no seek. Files that end
 * earlier than their size said (cut while being read) give 0, which the cursor reports as the end.
 */
static long file_read(struct ul_source *s, uint64_t offset, void *buf, size_t n, ullage_error *err)
{
    struct file_state *f = s->state;
    ssize_t got;
    if (offset > INT64_MAX) /* off_t is signed; no file reaches so far */
        return 0;
    do
        got = pread(f->fd, buf, n, (off_t)offset);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        ul_fail(err, ULLAGE_ERROR_IO, offset, "%s: cannot read: %s",
                ul_path_tail(s->name), reason(errno));
    return (long)got;
}

static void file_close(struct ul_source *s)
{
    struct file_state *f = s->state;
    if (f && f->fd >= 0)
        close(f->fd);
    s->state = NULL;
}

/* No position: these errors are about the file, not about a byte of it. */
static int refuse(ullage_error *err, const char *path, const char *what)
{
    return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "%s: %s", ul_path_tail(path), what);
}

int ul_source_file(struct ul_source *s, const char *path, struct ul_arena *a, ullage_error *err)
{
    struct file_state *f = UL_NEW(a, struct file_state);
    char *name = ul_arena_copy(a, path, strlen(path));
    struct stat st;
    *s = (struct ul_source){.name = name};
    if (!*path)
        return refuse(err, "(no name)", "the file's name is empty");
    /* Looked at before it is opened: opening a device can do things. */
    if (stat(path, &st) != 0)
        return refuse(err, path, reason(errno));
    if (!S_ISREG(st.st_mode))
        return refuse(err, path, ul_format(a, "is %s, not a model file", kind(st.st_mode)));
    f->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (f->fd < 0)
        return refuse(err, path, reason(errno));
    *s = (struct ul_source){
        .name = name, .read = file_read, .close = file_close, .state = f};
    if (fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        file_close(s);
        return refuse(err, path, "is not a regular file any more");
    }
    s->size = (uint64_t)st.st_size;
    return ULLAGE_OK;
}

bool ul_source_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int ul_source_open(struct ul_source *s, const struct ul_opener *opener, const char *path,
                   struct ul_arena *a, ullage_error *err)
{
    return opener != NULL ? opener->open(opener->state, s, path, a, err)
                          : ul_source_file(s, path, a, err);
}

int ul_source_look(struct ul_source *s, const struct ul_opener *opener, const char *path,
                   bool *found, struct ul_arena *a, ullage_error *err)
{
    ullage_error own = {0};
    int code = ul_source_open(s, opener, path, a, &own);
    *found = code == ULLAGE_OK;
    if (*found || opener == NULL || code == ULLAGE_ERROR_MISSING)
        return ULLAGE_OK;
    return ul_fail(err, code, own.position, "%s", own.message);
}

/* Read piece by piece into memory that doubles, because a server may not say how much will come. */
char *ul_source_rest(struct ul_source *s, size_t most, size_t *n, struct ul_arena *a,
                     ullage_error *err)
{
    size_t room = s->size <= most ? (size_t)s->size : FIRST_TEXT;
    char *text = ul_arena_alloc(a, room + 1, 1);
    long got = s->size != UINT64_MAX && s->size > most ? 0 : 1;
    for (*n = 0; got > 0 && *n <= most; *n += got > 0 ? (size_t)got : 0) {
        if (*n == room && s->size != UINT64_MAX)
            break;
        if (*n == room) {
            char *more = ul_arena_alloc(a, room * 2 + 1, 1);
            memcpy(more, text, room);
            text = more;
            room *= 2;
        }
        got = s->read(s, *n, text + *n, room - *n, err);
    }
    if (got >= 0 && (*n > most || (s->size != UINT64_MAX && s->size > most))) {
        ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION, "%s: more than %zu bytes",
                ul_path_tail(s->name), most);
        got = -1;
    }
    s->close(s);
    return got < 0 ? NULL : text;
}

char *ul_source_text(const struct ul_opener *opener, const char *path, size_t most, size_t *n,
                     struct ul_arena *a, ullage_error *err)
{
    struct ul_source s;
    return ul_source_open(&s, opener, path, a, err) ? NULL : ul_source_rest(&s, most, n, a, err);
}
