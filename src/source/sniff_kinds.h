/* Between telling files apart (sniff.c) and looking closer at those that are no GGUF
 * (sniff_kinds.c). */
#ifndef UL_SOURCE_SNIFF_KINDS_H
#define UL_SOURCE_SNIFF_KINDS_H

#include "source/sniff.h"

#define UL_SNIFF_HEAD 512 /* the first bytes, which tell most kinds apart */

struct ul_sniffer {
    struct ul_sniff *out;
    struct ul_source *source;
    const char *path; /* NULL: not on this machine */
    struct ul_arena *arena;
    unsigned char head[UL_SNIFF_HEAD + 1];
    size_t n;         /* of head that there are */
};

/* Sets kind, words and hint of the kinds' table. */
void ul_sniff_is(struct ul_sniffer *f, const char *kind);
/* The same with words of the file's own. */
void ul_sniff_says(struct ul_sniffer *f, const char *fmt, ...) UL_PRINTF(2, 3);
void ul_sniff_wrong(struct ul_sniffer *f, const char *code, const char *fmt, ...) UL_PRINTF(3, 4);
/* The file should have so many bytes. */
void ul_sniff_whole(struct ul_sniffer *f, uint64_t whole);
/* Exactly n bytes at `offset`; false when they are not there. */
bool ul_sniff_bytes(struct ul_sniffer *f, uint64_t offset, void *out, size_t n);
/* The shards of "NAME-00002-of-00003TAIL" that are not there. */
void ul_sniff_siblings(struct ul_sniffer *f, uint64_t no, uint64_t count, const char *tail);
/* What a file is that has no GGUF magic. */
void ul_sniff_other(struct ul_sniffer *f);

#endif
