/* What stands in for a CUDA build of llama.cpp in simulate.bats, in three pieces as llama.cpp has them:
 * -DBASE is libggml-base, -DCUDA libggml-cuda, and the rest a program that "loads a model" and prints
 * what llama.cpp would. ULLAGE_FAKE says what else it does. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct buffer {
    const char *name;
    size_t size;
    void *p;
};

int fake_cuda_alloc(void **p, size_t n);
int fake_cuda_pool(size_t n);
void *ggml_backend_buft_alloc_buffer(const char *type, size_t n);
const char *ggml_backend_buffer_name(struct buffer *b);
size_t ggml_backend_buffer_get_size(struct buffer *b);
void ggml_backend_buffer_free(struct buffer *b);

#ifdef BASE
void *ggml_backend_buft_alloc_buffer(const char *type, size_t n)
{
    struct buffer *b = malloc(sizeof *b);
    *b = (struct buffer){type, n, NULL};
    if (strncmp(type, "CUDA0", 5) == 0 && fake_cuda_alloc(&b->p, n)) {
        free(b);
        return NULL;
    }
    return b;
}
const char *ggml_backend_buffer_name(struct buffer *b) { return b->name; }
size_t ggml_backend_buffer_get_size(struct buffer *b) { return b->size; }
void ggml_backend_buffer_free(struct buffer *b) { free(b); }
#elif defined CUDA
int cudaMalloc(void **p, size_t n);
int cuMemCreate(unsigned long long *handle, size_t n, const void *where, unsigned long long flags);
int fake_cuda_alloc(void **p, size_t n) { return cudaMalloc(p, n); }
int fake_cuda_pool(size_t n)
{
    int where[8] = {1, 0, 1, 0};
    unsigned long long handle;
    return cuMemCreate(&handle, n, where, 0);
}
#else
static void line(const char *function, const char *buffer, const char *kind, size_t n)
{
    if (!ggml_backend_buft_alloc_buffer(buffer, n)) {
        fprintf(stderr, "E %s: failed to allocate %s buffer: out of memory\n", function, buffer);
        exit(1);
    }
    printf("%s: %10s %s buffer size = %.2f MiB\n", function, buffer, kind, (double)n / 1048576);
}

int main(int argc, char **argv)
{
    const char *what = getenv("ULLAGE_FAKE");
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "-m") == 0 && access(argv[i + 1], R_OK) != 0)
            return 9;
    if (what && strcmp(what, "idle") == 0)
        return 0;
    if (what && strcmp(what, "hang") == 0)
        sleep(1000);
    if (what && strcmp(what, "fail") == 0) {
        fprintf(stderr, "E error: invalid argument: --frobnicate\n");
        return 1;
    }
    printf("build: 1234 (abcdef) with nothing\n");
    line("load_tensors", "CPU_Mapped", "model", 350060544);
    line("load_tensors", "CUDA0", "model", 4671766528u);
    printf("llama_context: constructing llama_context\nllama_context: n_seq_max     = 1\n"
           "llama_context: n_ctx         = 4096\nllama_context: n_ctx_seq     = 4096\n"
           "llama_context: n_batch       = 2048\nllama_context: n_ubatch      = 512\n"
           "llama_context: flash_attn    = enabled\nllama_context: kv_unified    = false\n");
    line("llama_context", "CUDA_Host", "output", 607744);
    line("llama_kv_cache", "CUDA0", "KV", 603979776);
    line("sched_reserve", "CUDA0", "compute", 113260672 + 4096); /* another build's */
    fake_cuda_pool(2 << 20);
    return 0;
}
#endif
