/* llama.cpp comes in three shapes: CUDA linked into the program, a library libggml-cuda that the
 * program needs, or one that it loads when it starts (ggml/src/ggml-backend-reg.cpp,
 * ggml_backend_load_best: beside the program, in the current folder, in a folder that libggml was
 * built with, or where GGML_BACKEND_PATH says). Which files are meant the dynamic loader itself
 * says, asked to list and not to run; and libggml's folder is a text in libggml. */
#define _GNU_SOURCE
#include "measure/build.h"
#include "measure/child.h"
#include "measure/elf.h"

#include <dirent.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_MS 10000
#define FOLDERS 16

struct search {
    struct ul_build *b;
    char folder[FOLDERS][UL_BUILD_PATH];
    int n_folders;
};

static int refuse(ullage_error *err, const struct ul_build *b, const char *why)
{
    const char *tail = strrchr(b->program, '/');
    return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION, "%.100s cannot be simulated: %s",
                   tail ? tail + 1 : b->program, why);
}

/* ------------------------------------------------------------------ the program */

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static bool find_program(char out[UL_BUILD_PATH], const char *word)
{
    const char *path = strchr(word, '/') ? "" : getenv("PATH");
    for (const char *p = path ? path : "/usr/local/bin:/usr/bin:/bin";; p += strcspn(p, ":") + 1) {
        size_t n = strcspn(p, ":");
        if (snprintf(out, UL_BUILD_PATH, "%.*s%s%s", (int)n, p, n ? "/" : "", word) < UL_BUILD_PATH
            && is_program(out))
            return true;
        if (p[n] == '\0')
            return false;
    }
}

/* ------------------------------------------------------------------ its back-ends */

static const struct {
    const char *library, *name;
} backends[] = {{"libggml-vulkan", "Vulkan"}, {"libggml-hip", "ROCm"}, {"libggml-sycl", "SYCL"},
                {"libggml-musa", "MUSA"}, {"libggml-cann", "CANN"}, {"libggml-opencl", "OpenCL"},
                {"libggml-metal", "Metal"}, {"libvulkan.so", "Vulkan"}, {"libamdhip64", "ROCm"}};

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void note_backend(struct ul_build *b, const char *file)
{
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        size_t n = strlen(b->others);
        if (starts(file, backends[i].library) && !strstr(b->others, backends[i].name))
            snprintf(b->others + n, sizeof b->others - n, "%s%s", n ? ", " : "", backends[i].name);
    }
}

/* A library of the build's, by its name and where it is. */
static void note_library(struct search *s, const char *name, const char *path)
{
    note_backend(s->b, name);
    if (starts(name, "libggml-cuda"))
        snprintf(s->b->cuda, sizeof s->b->cuda, "%s", path);
    else if (starts(name, "libcudart.so") && !s->b->cuda[0])
        snprintf(s->b->cuda, sizeof s->b->cuda, "%s", s->b->program);
}

static void look_in(struct search *s, const char *folder)
{
    char path[UL_BUILD_PATH];
    DIR *d = opendir(folder);
    for (struct dirent *f; d && (f = readdir(d)) != NULL;)
        if (starts(f->d_name, "libggml-")
            && snprintf(path, sizeof path, "%s/%s", folder, f->d_name) < (int)sizeof path)
            note_library(s, f->d_name, path);
    if (d)
        closedir(d);
}

static void add_folder(struct search *s, const char *folder)
{
    struct stat st;
    if (s->n_folders < FOLDERS && stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
        snprintf(s->folder[s->n_folders++], UL_BUILD_PATH, "%s", folder);
}

/* Texts in libggml that are folders of libraries: the one it was built to look in is among them. */
static void folders_of(struct search *s, const char *libggml)
{
    struct ul_elf e;
    if (!ul_elf_open(&e, libggml))
        return;
    for (uint64_t i = 1; i < e.n; i++) {
        const char *p = (const char *)e.p + i;
        if (p[-1] != '\0' || p[0] != '/')
            continue;
        size_t n = strnlen(p, e.n - i < UL_BUILD_PATH ? e.n - i : UL_BUILD_PATH - 1);
        if (i + n < e.n && p[n] == '\0' && strstr(p, "ggml"))
            add_folder(s, p);
        i += n;
    }
    ul_elf_close(&e);
}

/* "\tlibggml.so.0 => /usr/lib/x86_64-linux-gnu/libggml.so.0 (0x00007f...)" */
static void listed(struct search *s, char *line)
{
    char *name = line + strspn(line, " \t"), *arrow = strstr(name, " => ");
    if (!arrow)
        return;
    char *path = arrow + 4;
    *arrow = '\0';
    path[strcspn(path, " \n")] = '\0';
    note_library(s, name, path);
    if (starts(name, "libggml.so") || starts(name, "libggml."))
        folders_of(s, path);
}

/* Asks the loader for the libraries that the program would start with; it does not start. */
static int list_libraries(struct search *s, const char *scratch, ullage_error *err)
{
    const char *const argv[] = {s->b->program, NULL};
    char line[2 * UL_BUILD_PATH];
    struct ul_child child;
    setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    int rc = ul_child_start(&child, argv, scratch, err);
    unsetenv("LD_TRACE_LOADED_OBJECTS");
    if (rc)
        return rc;
    ul_child_wait(&child, LIST_MS);
    while (!ul_child_wait(&child, 10) && ul_child_stop(&child, 0))
        ;
    FILE *f = fopen(scratch, "re");
    while (f && fgets(line, sizeof line, f))
        listed(s, line);
    if (f)
        fclose(f);
    return ULLAGE_OK;
}

static void find_backends(struct search *s)
{
    const char *path = getenv("GGML_BACKEND_PATH");
    char folder[UL_BUILD_PATH];
    if (path) {
        const char *tail = strrchr(path, '/');
        note_library(s, tail ? tail + 1 : path, path);
    }
    snprintf(folder, sizeof folder, "%s", s->b->program);
    add_folder(s, dirname(folder));
    add_folder(s, ".");
    for (int i = 0; i < s->n_folders && !s->b->cuda[0]; i++)
        look_in(s, s->folder[i]);
}

/* ------------------------------------------------------------------ its CUDA */

/* "libcudart.so.12": 12; 0 when the file needs no runtime. */
static int runtime_of(const struct ul_elf *e)
{
    const char *name;
    for (size_t i = 0; (name = ul_elf_needed(e, i)) != NULL; i++)
        if (starts(name, "libcudart.so."))
            return atoi(name + strlen("libcudart.so."));
    return 0;
}

/* Whether a name is one of those libraries' that are simulated. */
static bool is_ours(const char *name)
{
    return starts(name, "cuda") || starts(name, "__cuda") || starts(name, "cublas")
           || (starts(name, "cu") && name[2] >= 'A' && name[2] <= 'Z');
}

/* Names that the file uses and no simulated library has. */
static int missing_of(const struct ul_elf *e, int major, const char *libraries, char out[200])
{
    static const char *const names[] = {"libcudart.so", "libcublas.so", "libcuda.so"};
    struct ul_elf have[3] = {{0}};
    char path[UL_BUILD_PATH];
    const char *symbol;
    bool defined;
    int n = 0;
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%.4000s/%s.%d", libraries, names[i], i < 2 ? major : 1);
        ul_elf_open(&have[i], path);
    }
    for (size_t i = 0; (symbol = ul_elf_symbol(e, i, &defined)) != NULL; i++) {
        if (defined || !is_ours(symbol) || ul_elf_defines(&have[0], symbol)
            || ul_elf_defines(&have[1], symbol) || ul_elf_defines(&have[2], symbol))
            continue;
        size_t used = strlen(out);
        snprintf(out + used, 200 - used, "%s%s", n++ ? ", " : "", symbol);
    }
    for (int i = 0; i < 3; i++)
        ul_elf_close(&have[i]);
    return n;
}

static int check_cuda(struct ul_build *b, const char *libraries, ullage_error *err)
{
    struct ul_elf e;
    char why[400], missing[200] = "";
    if (!ul_elf_open(&e, b->cuda))
        return refuse(err, b, "its CUDA back-end cannot be read");
    b->cudart = runtime_of(&e);
    bool known = b->cudart == 12 || b->cudart == 13;
    int n = known ? missing_of(&e, b->cudart, libraries, missing) : 0;
    ul_elf_close(&e);
    if (b->cudart == 0)
        return refuse(err, b, "the CUDA runtime is linked into it (it needs no libcudart.so) where "
                              "nothing can stand in front of it: take a build with shared CUDA "
                              "libraries");
    if (!known) {
        snprintf(why, sizeof why, "it is built for CUDA %d; CUDA 12 and 13 are simulated",
                 b->cudart);
        return refuse(err, b, why);
    }
    if (n > 0) {
        snprintf(why, sizeof why, "it calls what the simulated CUDA does not have: %s", missing);
        return refuse(err, b, why);
    }
    return ULLAGE_OK;
}

static int no_cuda(const struct ul_build *b, ullage_error *err)
{
    char why[300];
    if (!b->others[0])
        return refuse(err, b, "no CUDA build of llama.cpp is found: no libggml-cuda.so beside it, "
                              "among its libraries or in its folder of back-ends "
                              "(GGML_BACKEND_PATH)");
    snprintf(why, sizeof why, "its back-end is %s, and only CUDA is simulated: take a CUDA build",
             b->others);
    return refuse(err, b, why);
}

/* ------------------------------------------------------------------ all of it */

static int check_program(struct ul_build *b, ullage_error *err)
{
    struct ul_elf e;
    b->script = !ul_elf_open(&e, b->program);
    if (b->script)
        return ULLAGE_OK;
    const char *interpreter = ul_elf_interpreter(&e);
    bool musl = interpreter && strstr(interpreter, "ld-musl"), fixed = !interpreter;
    ul_elf_close(&e);
    if (musl)
        return refuse(err, b, "it is built for the C library musl, and the simulated libraries for "
                              "glibc");
    if (fixed)
        return refuse(err, b, "it is linked statically: nothing can stand in front of its CUDA");
    return ULLAGE_OK;
}

int ul_build_find(struct ul_build *b, const char *program, const char *libraries,
                  const char *scratch, ullage_error *err)
{
    struct search *s = calloc(1, sizeof *s);
    *b = (struct ul_build){0};
    if (!s)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    s->b = b;
    int rc = ULLAGE_OK;
    if (!find_program(b->program, program))
        rc = ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "cannot start '%.200s': no such "
                     "program; install it, or name it with its path", program);
    if (!rc)
        rc = check_program(b, err);
    if (!rc && !b->script) {
        rc = list_libraries(s, scratch, err);
        if (!rc && !b->cuda[0])
            find_backends(s);
        if (!rc)
            rc = b->cuda[0] ? check_cuda(b, libraries, err) : no_cuda(b, err);
    }
    free(s);
    return rc;
}
