/* A llama.cpp program of a few lines, for builds that come as libraries only: loads a model, makes a
 * context and decodes some tokens, through llama.h's functions, found at run time in the program's
 * own folder.
 *
 *     llama-loader -m MODEL.gguf [-c N_CTX] [-n TOKENS]
 *
 * Parameter structs grow with every version, so none is declared here. They are returned to a
 * caller's memory and passed by value as a call's last argument, on the stack (System V ABI,
 * x86-64): a larger one does for all versions. The context's length has always been its first
 * member. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct params {
    char bytes[1024];
};

static void *load(const char *folder, const char *pattern)
{
    char path[4096];
    glob_t found;
    void *library = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, pattern);
    if (glob(path, 0, NULL, &found) == 0)
        library = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "%s: %s\n", pattern, dlerror());
        exit(3);
    }
    globfree(&found);
    return library;
}

/* dlsym gives an object pointer; POSIX lets it be copied into a function pointer. */
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "no %s\n", name);
        exit(3);
    }
    memcpy(function, &symbol, sizeof symbol);
}

static int decode(void *llama, void *context, int n)
{
    struct params (*batch_of)(int32_t *, int32_t);
    int (*run)(void *, struct params);
    int32_t *tokens = calloc((size_t)n, sizeof *tokens);
    find(llama, "llama_batch_get_one", &batch_of);
    find(llama, "llama_decode", &run);
    int rc = run(context, batch_of(tokens, n));
    free(tokens);
    return rc;
}

int main(int argc, char **argv)
{
    const char *model_path = "";
    uint32_t n_ctx = 4096;
    int option, n = 0;
    struct params (*model_params)(void), (*context_params)(void);
    void (*load_backends)(const char *);
    void *(*load_model)(const char *, struct params), *(*make)(void *, struct params);
    while ((option = getopt(argc, argv, "m:c:n:")) != -1)
        if (option == 'm') model_path = optarg;
        else if (option == 'c') n_ctx = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'n') n = atoi(optarg);
        else return 2;
    char *self = realpath("/proc/self/exe", NULL), *folder = dirname(self);
    load(folder, "libggml-base.so*");
    void *ggml = load(folder, "libggml.*so*"), *llama = load(folder, "libllama.*so*");
    find(ggml, "ggml_backend_load_all_from_path", &load_backends);
    find(llama, "llama_model_default_params", &model_params);
    find(llama, "llama_context_default_params", &context_params);
    find(llama, "llama_model_load_from_file", &load_model);
    find(llama, "llama_init_from_model", &make);
    load_backends(folder);
    void *model = load_model(model_path, model_params());
    if (!model)
        return 4;
    struct params p = context_params();
    memcpy(p.bytes, &n_ctx, sizeof n_ctx);
    void *context = make(model, p);
    int rc = !context ? 5 : n > 0 && decode(llama, context, n) ? 6 : 0;
    fflush(stderr);
    _exit(rc); /* freeing is not what is looked at */
}
