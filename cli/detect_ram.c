/* What the host can give a new process: available memory, and within it what each cgroup above
 * this process still allows (its limit less what it holds, without the file cache that the kernel
 * would give up first). */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MOST 4096

/* Files of /proc and /sys have no size beforehand; what matters here is in their first pages. */
static bool read_file(const char *root, const char *path, char *text, size_t size)
{
    char full[PATH_MOST];
    if ((size_t)snprintf(full, sizeof full, "%s%s", root ? root : "", path) >= sizeof full)
        return false;
    FILE *f = fopen(full, "r");
    if (!f)
        return false;
    size_t n = fread(text, 1, size - 1, f);
    fclose(f);
    text[n] = '\0';
    return n > 0;
}

/* The number after a word at the start of a line; the word is "" for a file of one number. */
static bool number_after(const char *text, const char *word, uint64_t *value)
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

static bool read_number(const char *root, const char *folder, const char *name, const char *word,
                        uint64_t *value)
{
    char path[PATH_MOST], text[16384];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
        return false;
    return read_file(root, path, text, sizeof text) && number_after(text, word, value);
}

/* The names of one cgroup version's files. */
struct cgroup_files {
    const char *limit, *used, *cache; /* cache: a word in memory.stat */
};

static const struct cgroup_files files_v2 = {"memory.max", "memory.current", "inactive_file "};
static const struct cgroup_files files_v1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                             "total_inactive_file "};

/* Lowers *bytes to what the group may still take. A group without the files (the root has none) or
 * with "max" sets no limit; version 1 writes a huge number instead, which sets none either. */
static void within_group(const char *root, const char *folder, const struct cgroup_files *files,
                         uint64_t *bytes)
{
    uint64_t limit, used = 0, cache = 0;
    if (!read_number(root, folder, files->limit, "", &limit))
        return; /* no such file, or "max" */
    read_number(root, folder, files->used, "", &used);
    read_number(root, folder, "memory.stat", files->cache, &cache);
    used = used > cache ? used - cache : 0;
    uint64_t left = limit > used ? limit - used : 0;
    if (left < *bytes)
        *bytes = left;
}

/* The group and all groups above it. */
static void within_groups(const char *root, const char *mount, const char *group,
                          const struct cgroup_files *files, uint64_t *bytes)
{
    char folder[PATH_MOST];
    size_t top = strlen(mount);
    if ((size_t)snprintf(folder, sizeof folder, "%s%s", mount, group) >= sizeof folder)
        return;
    for (;;) {
        within_group(root, folder, files, bytes);
        char *slash = strrchr(folder + top, '/');
        if (!slash)
            return;
        *slash = '\0';
    }
}

/* /proc/self/cgroup: "0::/group" for version 2, "9:memory:/group" for version 1. */
static void within_cgroups(const char *root, uint64_t *bytes)
{
    char text[16384];
    if (!read_file(root, "/proc/self/cgroup", text, sizeof text))
        return;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *first = strchr(line, ':'), *second = first ? strchr(first + 1, ':') : NULL;
        if (!second)
            continue;
        *second = '\0';
        const char *group = strcmp(second + 1, "/") == 0 ? "" : second + 1;
        if (first[1] == '\0')
            within_groups(root, "/sys/fs/cgroup", group, &files_v2, bytes);
        else if (strcmp(first + 1, "memory") == 0)
            within_groups(root, "/sys/fs/cgroup/memory", group, &files_v1, bytes);
    }
}

bool cli_detect_ram_total(const char *root, uint64_t *bytes)
{
    char text[16384];
    uint64_t kib;
    if (!read_file(root, "/proc/meminfo", text, sizeof text)
        || !number_after(text, "MemTotal:", &kib))
        return false;
    *bytes = kib * 1024;
    return true;
}

bool cli_detect_ram(const char *root, uint64_t *bytes)
{
    char text[16384];
    uint64_t kib;
    if (!read_file(root, "/proc/meminfo", text, sizeof text)
        || !number_after(text, "MemAvailable:", &kib))
        return false;
    *bytes = kib * 1024;
    within_cgroups(root, bytes);
    return true;
}
