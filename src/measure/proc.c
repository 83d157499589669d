/* Reading /proc. A process may end between two reads, so nothing here is an error: what cannot be
 * read does not count. The proportional set size shares pages among those who map them, so the sum
 * over a family counts each page once; the resident sizes would count shared ones twice. */
#define _GNU_SOURCE
#include "measure/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ul_proc_read(const char *root, const char *path, char *text, size_t size)
{
    char full[4096];
    text[0] = '\0';
    if ((size_t)snprintf(full, sizeof full, "%s%s", root ? root : "", path) >= sizeof full)
        return false;
    FILE *f = fopen(full, "re");
    if (!f)
        return false;
    size_t n = fread(text, 1, size - 1, f);
    fclose(f);
    text[n] = '\0';
    return n > 0;
}

bool ul_proc_number(const char *text, const char *word, uint64_t *value)
{
    size_t n = strlen(word);
    for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        char *end;
        if (strncmp(p, word, n) != 0)
            continue;
        *value = strtoull(p + n, &end, 10);
        return end != p + n;
    }
    return false;
}

/* The parent: the second field after the name, which may itself hold blanks and brackets. */
static pid_t parent_of(const char *root, pid_t pid)
{
    char path[64], text[1024];
    int parent;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!ul_proc_read(root, path, text, sizeof text))
        return 0;
    const char *end = strrchr(text, ')');
    return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

struct pair {
    pid_t pid, parent;
};

static size_t all_processes(const char *root, struct pair **out)
{
    char path[4096];
    size_t n = 0, cap = 0;
    *out = NULL;
    snprintf(path, sizeof path, "%s/proc", root ? root : "");
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (!isdigit((unsigned char)e->d_name[0]))
            continue;
        if (n == cap) {
            struct pair *p = realloc(*out, (cap = cap * 2 + 64) * sizeof *p);
            if (!p)
                break;
            *out = p;
        }
        pid_t pid = (pid_t)atoi(e->d_name);
        (*out)[n++] = (struct pair){pid, parent_of(root, pid)};
    }
    if (dir)
        closedir(dir);
    return n;
}

/* Grows the list by the children of its members until none is new. */
int ul_proc_tree(const char *root, pid_t top, pid_t out[UL_PROC_MOST])
{
    struct pair *all;
    size_t n_all = all_processes(root, &all);
    int n = 0;
    out[n++] = top;
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < n_all && n < UL_PROC_MOST; k++)
            if (all[k].parent == out[i] && all[k].pid != top)
                out[n++] = all[k].pid;
    free(all);
    return n;
}

static bool one_memory(const char *root, pid_t pid, struct ul_proc_memory *m)
{
    char path[64], text[8192];
    uint64_t pss, value;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    if (!ul_proc_read(root, path, text, sizeof text) || !ul_proc_number(text, "Pss:", &pss))
        return false;
    m->pss += pss * 1024;
    if (ul_proc_number(text, "Pss_Anon:", &value) || ul_proc_number(text, "Anonymous:", &value))
        m->anonymous += value * 1024;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (ul_proc_read(root, path, text, sizeof text) && ul_proc_number(text, "VmHWM:", &value))
        m->peak += value * 1024;
    return true;
}

bool ul_proc_memory(const char *root, pid_t top, struct ul_proc_memory *m)
{
    pid_t family[UL_PROC_MOST];
    bool any = false;
    *m = (struct ul_proc_memory){0};
    for (int i = 0, n = ul_proc_tree(root, top, family); i < n; i++)
        any |= one_memory(root, family[i], m);
    return any;
}
