/* What a file is, by its bytes: a model of one kind or another, a part of one, something that came
 * instead, or half of it. Headers are read, data are not; a pickle is never executed. Nothing is an
 * error here but a file that cannot be read: what is wrong with it is the answer. */
#ifndef UL_SOURCE_SNIFF_H
#define UL_SOURCE_SNIFF_H

#include "source/gguf.h"

#define UL_SNIFF_FAULTS 16

/* What is wrong. The code is for programs. */
struct ul_sniff_fault {
    const char *code, *text;
};

struct ul_sniff {
    const char *kind;    /* "model", "mmproj", "pytorch" ...: see sniff.c; "unknown" */
    const char *what;    /* in words */
    const char *hint;    /* what it is for, or what to do with it */
    uint64_t size;       /* as it is here; UINT64_MAX: not known */
    uint64_t whole;      /* as its header says; UINT64_MAX: not known */
    uint64_t shard, shards; /* from 1; 1 of 1 */
    struct ul_gguf gguf; /* when has_gguf: of this file alone */
    bool has_gguf;
    struct ul_sniff_fault faults[UL_SNIFF_FAULTS];
    size_t n_faults;
};

/* `path`: a file's on this machine, whose neighbours are looked at; NULL: it is somewhere else, and
 * is read from the front only. Everything lives in the arena. Errors: IO. */
int ul_sniff(struct ul_sniff *s, struct ul_source *source, const char *path, struct ul_arena *a,
             ullage_error *err);

void ul_sniff_fault(struct ul_sniff *s, const char *code, const char *text);

#endif
