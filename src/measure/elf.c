/* Reading ELF (System V ABI, "Object Files"; the numbers are elf.h's). Every offset is checked
 * against the file's size before it is followed, and every text must end within its table. */
#define _GNU_SOURCE
#include "measure/elf.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PT_INTERP = 3, SHT_DYNAMIC = 6, SHT_DYNSYM = 11, DT_NEEDED = 1 };
enum { HEADER = 64, SEGMENT = 56, SECTION = 64, DYNAMIC = 16, SYMBOL = 24 };

/* Bytes that lie outside read as zero. */
static uint64_t number(const struct ul_elf *e, uint64_t at, size_t size)
{
    uint64_t value = 0;
    if (at > e->n || size > e->n - at)
        return 0;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | e->p[at + i];
    return value;
}

static bool within(const struct ul_elf *e, uint64_t at, uint64_t n)
{
    return at <= e->n && n <= e->n - at;
}

/* A text that ends before `end`, or NULL. */
static const char *text(const struct ul_elf *e, uint64_t at, uint64_t end)
{
    if (at >= end || end > e->n || !memchr(e->p + at, '\0', end - at))
        return NULL;
    return (const char *)e->p + at;
}

static void read_segments(struct ul_elf *e)
{
    uint64_t at = number(e, 32, 8), n = number(e, 56, 2);
    for (uint64_t i = 0; i < n && within(e, at, (i + 1) * SEGMENT); i++) {
        uint64_t segment = at + i * SEGMENT;
        if (number(e, segment, 4) == PT_INTERP)
            e->interpreter = number(e, segment + 8, 8);
    }
}

/* A section of items, with the section of texts that it names. */
static void read_table(const struct ul_elf *e, uint64_t sections, uint64_t n, uint64_t section,
                       uint64_t item, struct ul_elf_table *t)
{
    uint64_t link = number(e, section + 40, 4), strings = sections + link * SECTION;
    if (link >= n)
        return;
    t->at = number(e, section + 24, 8);
    t->n = number(e, section + 32, 8) / item;
    t->strings = number(e, strings + 24, 8);
    t->strings_n = number(e, strings + 32, 8);
    if (!within(e, t->at, t->n * item) || !within(e, t->strings, t->strings_n))
        *t = (struct ul_elf_table){0};
}

static void read_sections(struct ul_elf *e)
{
    uint64_t at = number(e, 40, 8), n = number(e, 60, 2);
    if (!within(e, at, n * SECTION))
        return;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t section = at + i * SECTION, type = number(e, section + 4, 4);
        if (type == SHT_DYNAMIC)
            read_table(e, at, n, section, DYNAMIC, &e->dynamic);
        else if (type == SHT_DYNSYM)
            read_table(e, at, n, section, SYMBOL, &e->symbols);
    }
}

bool ul_elf_read(struct ul_elf *e, const void *bytes, uint64_t n)
{
    *e = (struct ul_elf){.p = bytes, .n = n};
    if (n < HEADER || memcmp(bytes, "\177ELF\2\1", 6) != 0)
        return false;
    read_segments(e);
    read_sections(e);
    return true;
}

bool ul_elf_open(struct ul_elf *e, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *p = MAP_FAILED;
    *e = (struct ul_elf){0};
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (p == MAP_FAILED)
        return false;
    bool ok = ul_elf_read(e, p, (uint64_t)st.st_size);
    e->mapped = true;
    if (!ok)
        ul_elf_close(e);
    return ok;
}

void ul_elf_close(struct ul_elf *e)
{
    if (e->mapped)
        munmap((void *)(uintptr_t)e->p, e->n);
    *e = (struct ul_elf){0};
}

const char *ul_elf_interpreter(const struct ul_elf *e)
{
    return e->interpreter ? text(e, e->interpreter, e->n) : NULL;
}

const char *ul_elf_needed(const struct ul_elf *e, size_t i)
{
    const struct ul_elf_table *t = &e->dynamic;
    for (uint64_t k = 0; k < t->n; k++) {
        uint64_t at = t->at + k * DYNAMIC, name = number(e, at + 8, 8);
        if (number(e, at, 8) == DT_NEEDED && name < t->strings_n && i-- == 0)
            return text(e, t->strings + name, t->strings + t->strings_n);
    }
    return NULL;
}

const char *ul_elf_symbol(const struct ul_elf *e, size_t i, bool *defined)
{
    const struct ul_elf_table *t = &e->symbols;
    if (i >= t->n)
        return NULL;
    uint64_t at = t->at + i * SYMBOL, name = number(e, at, 4);
    *defined = number(e, at + 6, 2) != 0; /* its section's number */
    const char *p = name < t->strings_n
                        ? text(e, t->strings + name, t->strings + t->strings_n) : NULL;
    return p ? p : "";
}

bool ul_elf_defines(const struct ul_elf *e, const char *name)
{
    bool defined;
    const char *symbol;
    for (size_t i = 0; (symbol = ul_elf_symbol(e, i, &defined)) != NULL; i++)
        if (defined && strcmp(symbol, name) == 0)
            return true;
    return false;
}
