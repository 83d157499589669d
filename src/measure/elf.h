/* What a program or a shared library says of itself to the loader: the interpreter it asks for, the
 * libraries it needs, the names it uses and defines. Read from the file's own tables, within its
 * bounds; 64-bit little-endian files only. */
#ifndef UL_MEASURE_ELF_H
#define UL_MEASURE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ul_elf_table {
    uint64_t at, n; /* of the file; n items */
    uint64_t strings, strings_n;
};

struct ul_elf {
    const unsigned char *p;
    uint64_t n;
    bool mapped;
    uint64_t interpreter; /* 0: none */
    struct ul_elf_table dynamic, symbols;
};

/* Reads n bytes that stay where they are; false when they are no such file. */
bool ul_elf_read(struct ul_elf *e, const void *bytes, uint64_t n);
/* Maps a file and reads that; to be closed. */
bool ul_elf_open(struct ul_elf *e, const char *path);
void ul_elf_close(struct ul_elf *e);

const char *ul_elf_interpreter(const struct ul_elf *e); /* "/lib64/ld-linux-x86-64.so.2", or NULL */
const char *ul_elf_needed(const struct ul_elf *e, size_t i); /* "libc.so.6"; NULL past the last */

/* The i-th dynamic symbol, from 0; NULL past the last. */
const char *ul_elf_symbol(const struct ul_elf *e, size_t i, bool *defined);
bool ul_elf_defines(const struct ul_elf *e, const char *name);

#endif
