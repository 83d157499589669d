/* Processes as /proc shows them: who descends from whom, and what each holds in memory. Every
 * function takes a root that stands for "/", so that recorded trees can be read. */
#ifndef UL_MEASURE_PROC_H
#define UL_MEASURE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define UL_PROC_MOST 256

/* Reads up to size - 1 bytes of a small file below the root and ends them with NUL; false when it
 * cannot be read or is empty. */
bool ul_proc_read(const char *root, const char *path, char *text, size_t size);

/* The number after a word at the start of a line ("" for a file of one number). */
bool ul_proc_number(const char *text, const char *word, uint64_t *value);

/* `top` and all that descend from it, `top` first; how many were written. */
int ul_proc_tree(const char *root, pid_t top, pid_t out[UL_PROC_MOST]);

struct ul_proc_memory {
    uint64_t pss, anonymous, peak; /* peak: the most the process itself ever had resident */
};

/* The sum over a process and its descendants: proportional set size, its anonymous part, and the
 * peak that the kernel keeps. False when no process could be read. */
bool ul_proc_memory(const char *root, pid_t top, struct ul_proc_memory *m);

#endif
