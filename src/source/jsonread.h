/* Reading JSON that nobody vouches for: config.json, the header of a safetensors file, the index of
 * its shards.
 *
 * Below is a pull parser that walks text and keeps nothing: a header of 25 MiB costs its bytes and
 * no more. Above it a tree in an arena, for documents that are small and are asked in any order.
 * The first error sticks, with its byte. Depth, size and the number of a tree's nodes are capped.
 *
 * What Python's reader takes is taken, since Python wrote these files: NaN, Infinity, -Infinity,
 * whole numbers of any length (those past 64 bits become doubles), members given twice (the last
 * one counts). Strings without escapes are not copied: the text
 * must live as long as what was read from it. Their bytes are not checked to be UTF-8. */
#ifndef UL_SOURCE_JSONREAD_H
#define UL_SOURCE_JSONREAD_H

#include "base/error.h"
#include "base/str.h"

#include <stdint.h>

#define UL_JREAD_DEPTH 64                         /* objects and arrays inside one another */
#define UL_JREAD_BYTES ((size_t)100 * 1000 * 1000) /* the cap that safetensors sets to its header */
#define UL_JREAD_NODES ((size_t)1 << 20)          /* values of one tree */

enum ul_jtoken {
    UL_JT_END,   /* the document is over, and nothing but white space follows */
    UL_JT_ERROR, /* the error is set; every later call gives this */
    UL_JT_NULL, UL_JT_TRUE, UL_JT_FALSE,
    UL_JT_INT,    /* in i */
    UL_JT_REAL,   /* in d */
    UL_JT_STRING, /* in s */
    UL_JT_KEY,    /* in s: the value's tokens follow */
    UL_JT_OBJECT, UL_JT_OBJECT_END, UL_JT_ARRAY, UL_JT_ARRAY_END
};

struct ul_jread {
    const char *name;       /* the file, for messages */
    const char *start, *p, *end;
    uint64_t base;          /* the file's byte at `start`: positions are in the file */
    struct ul_arena *arena; /* for strings with escapes */
    ullage_error *err;
    uint64_t at;            /* byte of the token read last */
    struct ul_str s;
    int64_t i;
    double d;
    int depth;
    int want;               /* what may come next: see jsonread.c */
    bool ok;
    bool object[UL_JREAD_DEPTH]; /* the containers that are open: object, else array */
};

void ul_jread_start(struct ul_jread *r, const char *name, const char *text, size_t n, uint64_t base,
                    struct ul_arena *a, ullage_error *err);
enum ul_jtoken ul_jread_next(struct ul_jread *r);
/* After UL_JT_KEY: walks over the value, whatever it is. False after an error. */
bool ul_jread_skip(struct ul_jread *r);
/* Fails with "<file>: <message> at byte N". */
void ul_jread_fail(struct ul_jread *r, uint64_t at, const char *fmt, ...) UL_PRINTF(3, 4);

/* ------------------------------------------------------------------ trees */

enum ul_jkind { UL_J_NULL, UL_J_BOOL, UL_J_INT, UL_J_REAL, UL_J_STRING, UL_J_ARRAY, UL_J_OBJECT };

struct ul_jvalue {
    struct ul_jvalue *next;  /* the next item or member of the same array or object */
    struct ul_jvalue *first; /* arrays and objects: of n */
    size_t n;
    struct ul_str key;       /* members of objects */
    struct ul_str s;         /* strings */
    int64_t i;               /* whole numbers; bools: 0 or 1 */
    double d;                /* numbers of both kinds */
    uint64_t position;
    enum ul_jkind kind;
};

/* The tree of a document, or NULL with the error set. Everything lives in the arena. */
const struct ul_jvalue *ul_json_parse(const char *name, const char *text, size_t n,
                                      struct ul_arena *a, ullage_error *err);

/* The member of that name, or NULL: not there, null, or `v` is no object (or NULL itself). Of
 * several, the last. */
const struct ul_jvalue *ul_jget(const struct ul_jvalue *v, const char *key);
/* The i-th item of an array, or NULL. */
const struct ul_jvalue *ul_jitem(const struct ul_jvalue *v, size_t i);

/* What a member holds, when it is of that kind; else `otherwise`. Whole numbers also serve as
 * reals, reals without a fraction also as whole numbers. */
int64_t ul_jint(const struct ul_jvalue *v, const char *key, int64_t otherwise);
double ul_jreal(const struct ul_jvalue *v, const char *key, double otherwise);
bool ul_jbool(const struct ul_jvalue *v, const char *key, bool otherwise);
struct ul_str ul_jstr(const struct ul_jvalue *v, const char *key, const char *otherwise);

#endif
