/* libullage-preload: stands before the engine's own libraries, for three things that the CUDA
 * libraries cannot do.
 *
 * Weights are not read. The files that ULLAGE_SIMGPU_FILES names ("device:inode:offset", with
 * commas between) hold nothing, or nothing that matters, from the offset on: no read-ahead, no
 * locked pages, and reads and uploads from there are passed over. So a model larger than the
 * machine loads in seconds, and its buffers on the host are addresses only.
 *
 * Buffers are listed. Every buffer that ggml makes is a line of the file ULLAGE_SIMGPU_TRACE, with
 * its exact size, which a log rounds:
 *
 *     alloc NUMBER PARENT BYTES NAME     PARENT: the one that it is part of ("Meta()"); or 0
 *     map NUMBER PARENT BYTES NAME       made of a file's mapping
 *     free NUMBER
 *
 * The CPU does not compute either: its share of a graph would take minutes for a large model, would
 * make its weights' pages real, and says nothing of memory.
 *
 * ggml's functions here are of its public interface (ggml/include/ggml-backend.h). Where a program
 * is linked so that they cannot be stood before, the list stays empty, and a log's figures must
 * do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define FILES 16
#define RANGES 256
#define BUFFERS 65536
#define LEAST ((size_t)4096)     /* smaller reads are a header's, or nobody's */
#define CLEAR_MOST ((size_t)1 << 20)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The next definition of a function: the engine's, or libc's. dlsym gives an object pointer; POSIX
 * lets it be copied into a function pointer. */
static void find_next(void *function, const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, sizeof symbol);
}

#define NEXT(function)                              \
    static __typeof__(&function) next;              \
    if (!next)                                      \
    find_next(&next, #function)

/* ------------------------------------------------------------------ the weights' files */

struct file {
    unsigned long long device, inode, offset;
};

struct range {
    const char *from, *to;
};

static struct file files[FILES];
static int n_files;
static struct range mapped[RANGES]; /* of those files */
static int n_mapped;
static _Thread_local struct range unread; /* the last read that was passed over */

__attribute__((constructor)) static void read_files(void)
{
    const char *p = getenv("ULLAGE_SIMGPU_FILES");
    for (; p && *p && n_files < FILES; p += strcspn(p, ","), p += *p == ',') {
        struct file *f = &files[n_files];
        n_files += sscanf(p, "%llu:%llu:%llu", &f->device, &f->inode, &f->offset) == 3;
    }
}

/* The file of that descriptor when it is one of them, and its size. */
static const struct file *weights_of(int fd, off_t *size)
{
    struct stat st;
    int error = errno;
    if (n_files == 0 || fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        errno = error;
        return NULL;
    }
    *size = st.st_size;
    for (int i = 0; i < n_files; i++)
        if (files[i].device == st.st_dev && files[i].inode == st.st_ino)
            return &files[i];
    return NULL;
}

static bool inside(const void *p, const struct range *r)
{
    return (const char *)p >= r->from && (const char *)p < r->to;
}

/* Whether these bytes are weights that were not read. */
static bool not_there(const void *p)
{
    bool found = inside(p, &unread);
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < n_mapped && !found; i++)
        found = inside(p, &mapped[i]);
    pthread_mutex_unlock(&mutex);
    return found;
}

API void *mmap(void *at, size_t n, int access, int flags, int fd, off_t offset)
{
    off_t size;
    const struct file *f = weights_of(fd, &size);
    if (f)
        flags &= ~MAP_POPULATE;
    void *p = (void *)syscall(SYS_mmap, at, n, access, flags, fd, offset);
    if (f && p != MAP_FAILED) {
        pthread_mutex_lock(&mutex);
        if (n_mapped < RANGES)
            mapped[n_mapped++] = (struct range){p, (char *)p + n};
        pthread_mutex_unlock(&mutex);
    }
    return p;
}

API void *mmap64(void *at, size_t n, int access, int flags, int fd, off_t offset)
{
    return mmap(at, n, access, flags, fd, offset);
}

API int madvise(void *p, size_t n, int advice)
{
    if (advice == MADV_WILLNEED && not_there(p))
        return 0;
    return (int)syscall(SYS_madvise, p, n, advice);
}

API int posix_madvise(void *p, size_t n, int advice)
{
    (void)p;
    (void)n;
    (void)advice;
    return 0;
}

API int posix_fadvise(int fd, off_t offset, off_t n, int advice)
{
    (void)fd;
    (void)offset;
    (void)n;
    (void)advice;
    return 0;
}

API int posix_fadvise64(int fd, off_t offset, off_t n, int advice)
{
    return posix_fadvise(fd, offset, n, advice);
}

API ssize_t readahead(int fd, off64_t offset, size_t n)
{
    NEXT(readahead);
    off_t size;
    return weights_of(fd, &size) ? 0 : next(fd, offset, n);
}

API int mlock(const void *p, size_t n)
{
    NEXT(mlock);
    return not_there(p) ? 0 : next(p, n);
}

/* How many of n bytes at a position are passed over: all or none. */
static size_t passed_over(int fd, off_t at, const void *to, size_t n)
{
    off_t size;
    const struct file *f = n >= LEAST && at >= 0 ? weights_of(fd, &size) : NULL;
    if (!f || (uint64_t)at < f->offset || (uint64_t)at + n > (uint64_t)size)
        return 0;
    unread = (struct range){to, (const char *)to + n};
    return n;
}

API ssize_t read(int fd, void *to, size_t n)
{
    NEXT(read);
    off_t at = n_files && n >= LEAST ? lseek(fd, 0, SEEK_CUR) : -1;
    if (!passed_over(fd, at, to, n))
        return next(fd, to, n);
    lseek(fd, at + (off_t)n, SEEK_SET);
    return (ssize_t)n;
}

API ssize_t pread(int fd, void *to, size_t n, off_t at)
{
    NEXT(pread);
    return passed_over(fd, at, to, n) ? (ssize_t)n : next(fd, to, n, at);
}

API ssize_t pread64(int fd, void *to, size_t n, off_t at) { return pread(fd, to, n, at); }

API size_t fread(void *to, size_t size, size_t count, FILE *f)
{
    NEXT(fread);
    size_t n = size && count <= SIZE_MAX / size ? size * count : 0;
    off_t at = n_files && n >= LEAST ? ftello(f) : -1;
    if (at < 0 || !passed_over(fileno(f), at, to, n))
        return next(to, size, count, f);
    return fseeko(f, at + (off_t)n, SEEK_SET) == 0 ? count : 0;
}

/* ------------------------------------------------------------------ what ggml does with them */

API void ggml_backend_tensor_set(void *tensor, const void *data, size_t offset, size_t n)
{
    NEXT(ggml_backend_tensor_set);
    if (!not_there(data))
        next(tensor, data, offset, n);
}

API void ggml_backend_tensor_set_async(void *backend, void *tensor, const void *data, size_t offset,
                                       size_t n)
{
    NEXT(ggml_backend_tensor_set_async);
    if (!not_there(data))
        next(backend, tensor, data, offset, n);
}

static size_t size_of(void *buffer, size_t asked)
{
    static size_t (*size)(void *);
    if (!size)
        find_next(&size, "ggml_backend_buffer_get_size");
    return size ? size(buffer) : asked;
}

/* A large one is new, and zero as it comes from the kernel; touching it all would make it real. */
API void ggml_backend_buffer_clear(void *buffer, uint8_t value)
{
    NEXT(ggml_backend_buffer_clear);
    if (size_of(buffer, 0) < CLEAR_MOST)
        next(buffer, value);
}

/* ggml-backend.cpp, ggml_backend_sched_compute_splits: each piece of a graph to its back-end. */
static bool computes_nothing(void *backend)
{
    static const char *(*name)(void *);
    if (!name)
        find_next(&name, "ggml_backend_name");
    return name && strncmp(name(backend), "CPU", 3) == 0;
}

API int ggml_backend_graph_compute_async(void *backend, void *graph)
{
    NEXT(ggml_backend_graph_compute_async);
    return computes_nothing(backend) ? 0 : next(backend, graph);
}

API int ggml_backend_graph_compute(void *backend, void *graph)
{
    NEXT(ggml_backend_graph_compute);
    return computes_nothing(backend) ? 0 : next(backend, graph);
}

/* ------------------------------------------------------------------ the list */

static int trace = -2;
static unsigned numbers;
static _Thread_local unsigned parent;
static struct {
    void *buffer;
    unsigned number;
} live[BUFFERS];
static int n_live;

static void say(const char *text, int n)
{
    if (trace == -2) {
        const char *path = getenv("ULLAGE_SIMGPU_TRACE");
        trace = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    }
    if (trace >= 0 && write(trace, text, (size_t)n) != n)
        trace = -1; /* the list ends here; the program goes on */
}

static const char *name_of(void *buffer)
{
    static const char *(*name)(void *);
    if (!name)
        find_next(&name, "ggml_backend_buffer_name");
    return name ? name(buffer) : "?";
}

static void list(const char *event, unsigned number, unsigned of, void *buffer, size_t asked)
{
    char text[256];
    if (!buffer)
        return;
    int n = snprintf(text, sizeof text, "%s %u %u %zu %s\n", event, number, of,
                     size_of(buffer, asked), name_of(buffer));
    pthread_mutex_lock(&mutex);
    say(text, n);
    if (n_live < BUFFERS) {
        live[n_live].buffer = buffer;
        live[n_live++].number = number;
    }
    pthread_mutex_unlock(&mutex);
}

static void unlist(void *buffer)
{
    char text[64];
    pthread_mutex_lock(&mutex);
    for (int i = n_live - 1; i >= 0; i--)
        if (live[i].buffer == buffer) {
            say(text, snprintf(text, sizeof text, "free %u\n", live[i].number));
            live[i] = live[--n_live];
            break;
        }
    pthread_mutex_unlock(&mutex);
}

static unsigned begin(unsigned *outer)
{
    *outer = parent;
    parent = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
    return parent;
}

API void *ggml_backend_buft_alloc_buffer(void *type, size_t n)
{
    NEXT(ggml_backend_buft_alloc_buffer);
    unsigned outer, number = begin(&outer);
    void *buffer = next(type, n);
    parent = outer;
    if (n > 0)
        list("alloc", number, outer, buffer, n);
    return buffer;
}

API void *ggml_backend_dev_buffer_from_host_ptr(void *device, void *p, size_t n, size_t tensor)
{
    NEXT(ggml_backend_dev_buffer_from_host_ptr);
    unsigned outer, number = begin(&outer);
    void *buffer = next(device, p, n, tensor);
    parent = outer;
    list("map", number, outer, buffer, n);
    return buffer;
}

API void ggml_backend_buffer_free(void *buffer)
{
    NEXT(ggml_backend_buffer_free);
    if (buffer)
        unlist(buffer);
    next(buffer);
}
