/* A JSON writer: commas, indentation and escapes are its business, order is the caller's.
 * Strings may hold any bytes; what is not UTF-8 is written as U+FFFD, so the output is always
 * valid JSON. Numbers are integers; a byte count that is not known is null. */
#ifndef UL_BASE_JSON_H
#define UL_BASE_JSON_H

#include "base/str.h"

#include <stdint.h>

#define UL_JSON_DEPTH 16

struct ul_json {
    struct ul_text *out;
    int depth;
    bool pretty;
    bool after_key;
    bool any[UL_JSON_DEPTH]; /* whether the object or array at this depth has a member yet */
};

void ul_json_open(struct ul_json *j, char bracket); /* '{' or '[' */
void ul_json_close(struct ul_json *j, char bracket); /* '}' or ']' */
void ul_json_key(struct ul_json *j, const char *key);
void ul_json_str(struct ul_json *j, struct ul_str s);
void ul_json_u64(struct ul_json *j, uint64_t v);
void ul_json_i64(struct ul_json *j, int64_t v);
void ul_json_double(struct ul_json *j, double v, int decimals);
void ul_json_bool(struct ul_json *j, bool v);
void ul_json_null(struct ul_json *j);

/* A member: its key and its value. A text that is NULL is null; so is a figure that is not above 0,
 * which stands for one that is not known. */
void ul_json_put_str(struct ul_json *j, const char *key, const char *value);
void ul_json_put_u64(struct ul_json *j, const char *key, uint64_t value);
void ul_json_put_bool(struct ul_json *j, const char *key, bool value);
void ul_json_put_known(struct ul_json *j, const char *key, double value, int decimals);

#endif
