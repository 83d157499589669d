/* A program that uses simulated GPUs, for simgpu.bats: it loads libcudart of a major version and
 * libcuda at run time, as ggml's CUDA back-end does, and carries its words out one after the other.
 *
 *     simgpu_user MAJOR WORD...
 *
 *   use=D      cudaSetDevice              malloc=MIB    cudaMalloc, kept on a stack; bytes=N
 *   info       free and total, MiB        free          cudaFree of the last
 *   pool=MIB   cuMemCreate, mapped        unpool        unmapped, and so given back
 *   managed=MIB, pinned=MIB               error         cudaGetLastError, and again
 *   props=D    figures of a device        int=D:OFFSET  an int of its cudaDeviceProp
 *   call=NAME  any function               copy          of device memory to the host
 *   hold       waits until standard input ends
 *
 * Each word prints one line: its result, and what it was asked for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((size_t)1 << 20)

static void *runtime, *driver;
static void *blocks[64];
static int n_blocks;
static unsigned long long pool;
static size_t pool_bytes;

/* dlsym gives an object pointer; POSIX lets it be copied into a function pointer. */
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    if (!symbol) {
        printf("no %s\n", name);
        exit(1);
    }
    memcpy(function, &symbol, sizeof symbol);
}

#define CUDA(name, ...) int (*name)(__VA_ARGS__); find(runtime, #name, &name)
#define DRIVER(name, ...) int (*name)(__VA_ARGS__); find(driver, #name, &name)

static int allocate(const char *function, size_t n)
{
    int (*f)(void **, size_t, unsigned);
    find(runtime, function, &f);
    int rc = f(&blocks[n_blocks], n, 1);
    if (rc == 0)
        n_blocks++;
    return rc;
}

static int release(void)
{
    CUDA(cudaFree, void *);
    return n_blocks ? cudaFree(blocks[--n_blocks]) : cudaFree(&n_blocks);
}

static void info(void)
{
    size_t room, total;
    CUDA(cudaMemGetInfo, size_t *, size_t *);
    int rc = cudaMemGetInfo(&room, &total);
    printf("%d info %zu of %zu\n", rc, room / MIB, total / MIB);
}

/* As ggml_cuda_pool_vmm does it. */
static int pool_grow(size_t n)
{
    int where[8] = {1, 0, 1, 0};
    unsigned long long handle;
    DRIVER(cuMemCreate, unsigned long long *, size_t, const void *, unsigned long long);
    DRIVER(cuMemAddressReserve, unsigned long long *, size_t, size_t, unsigned long long,
           unsigned long long);
    DRIVER(cuMemMap, unsigned long long, size_t, size_t, unsigned long long, unsigned long long);
    DRIVER(cuMemRelease, unsigned long long);
    int rc = cuMemCreate(&handle, n, where, 0);
    if (rc)
        return rc;
    if (!pool && (rc = cuMemAddressReserve(&pool, (size_t)1 << 35, 0, 0, 0)) != 0)
        return rc;
    rc = cuMemMap(pool + pool_bytes, n, 0, handle, 0);
    pool_bytes += n;
    return rc ? rc : cuMemRelease(handle);
}

static int pool_end(void)
{
    DRIVER(cuMemUnmap, unsigned long long, size_t);
    DRIVER(cuMemAddressFree, unsigned long long, size_t);
    int rc = cuMemUnmap(pool, pool_bytes);
    return rc ? rc : cuMemAddressFree(pool, (size_t)1 << 35);
}

static void errors(void)
{
    CUDA(cudaGetLastError, void);
    const char *(*text)(int);
    find(runtime, "cudaGetErrorString", &text);
    int first = cudaGetLastError(), second = cudaGetLastError();
    printf("%d error %s, then %d\n", first, text(first), second);
}

static void *properties(int device, int *rc)
{
    static char p[4096];
    CUDA(cudaGetDeviceProperties, void *, int);
    *rc = cudaGetDeviceProperties(p, device);
    return p;
}

static void props(int device)
{
    int rc, sm = 0, optin = 0, major = 0, minor = 0, threads = 0;
    char *p = properties(device, &rc);
    CUDA(cudaDeviceGetAttribute, int *, int, int);
    cudaDeviceGetAttribute(&sm, 16, device);
    cudaDeviceGetAttribute(&major, 75, device);
    cudaDeviceGetAttribute(&minor, 76, device);
    cudaDeviceGetAttribute(&optin, 97, device);
    cudaDeviceGetAttribute(&threads, 39, device);
    printf("%d props %s, %d.%d, %d sm, %d shared, %d threads\n", rc, p, major, minor, sm, optin,
           threads);
}

static void one_int(const char *word)
{
    int rc, value, device = 0, at = 0;
    sscanf(word, "%d:%d", &device, &at);
    memcpy(&value, (char *)properties(device, &rc) + at, sizeof value);
    printf("%d int %d\n", rc, value);
}

static void copy(void)
{
    char host[64];
    memset(host, 7, sizeof host);
    CUDA(cudaMemcpy, void *, const void *, size_t, int);
    int rc = cudaMemcpy(host, blocks[0], sizeof host, 4);
    printf("%d copy %d %d\n", rc, host[0], host[63]);
}

static void call(const char *name)
{
    int (*f)(void);
    void *library = strncmp(name, "cuda", 4) == 0 ? runtime : driver;
    find(library, name, &f);
    int rc = f();
    printf("%d call %s\n", rc, name);
}

static void say(int rc, const char *word) { printf("%d %s\n", rc, word); }

static void carry_out(const char *word)
{
    const char *value = strchr(word, '=');
    size_t n = value ? (size_t)strtoull(++value, NULL, 10) : 0, key = strcspn(word, "=");
#define IS(name) (strlen(name) == key && strncmp(word, name, key) == 0)
    CUDA(cudaSetDevice, int);
    if (IS("use")) say(cudaSetDevice((int)n), word);
    else if (IS("malloc")) say(allocate("cudaMalloc", n * MIB), word);
    else if (IS("bytes")) say(allocate("cudaMalloc", n), word);
    else if (IS("async")) say(allocate("cudaMallocAsync", n * MIB), word);
    else if (IS("managed")) say(allocate("cudaMallocManaged", n * MIB), word);
    else if (IS("pinned")) say(allocate("cudaMallocHost", n * MIB), word);
    else if (IS("free")) say(release(), word);
    else if (IS("pool")) say(pool_grow(n * MIB), word);
    else if (IS("unpool")) say(pool_end(), word);
    else if (IS("info")) info();
    else if (IS("error")) errors();
    else if (IS("props")) props((int)n);
    else if (IS("int")) one_int(value);
    else if (IS("copy")) copy();
    else if (IS("call")) call(value);
    else if (IS("hold")) while (getchar() != EOF) ;
    else printf("? %s\n", word);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char name[64];
    if (argc < 2)
        return 2;
    snprintf(name, sizeof name, "libcudart.so.%s", argv[1]);
    runtime = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!runtime || !driver) {
        printf("%s\n", dlerror());
        return 1;
    }
    for (int i = 2; i < argc; i++)
        carry_out(argv[i]);
    return 0;
}
