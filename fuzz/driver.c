/* Runs a fuzz target over files, without libFuzzer: every argument is a file, or a folder of files.
 * No file at all is a failure, so that a lost corpus is noticed. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static int run_file(const char *path, long size)
{
    FILE *f = fopen(path, "rb");
    /* exactly as large as the file, so that a sanitizer sees every byte past its end */
    uint8_t *p = malloc(size ? (size_t)size : 1);
    if (!f || !p || fread(p, 1, (size_t)size, f) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(f);
    LLVMFuzzerTestOneInput(p, (size_t)size);
    free(p);
    return 1;
}

static int run_path(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        perror(path);
        exit(1);
    }
    if (!S_ISDIR(st.st_mode))
        return run_file(path, (long)st.st_size);
    DIR *d = opendir(path);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        char inner[4096];
        if (e->d_name[0] == '.')
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
        n += run_path(inner);
    }
    if (d)
        closedir(d);
    return n;
}

int main(int argc, char **argv)
{
    int n = 0;
    for (int i = 1; i < argc; i++)
        n += run_path(argv[i]);
    printf("%d inputs\n", n);
    return n > 0 ? 0 : 1;
}
