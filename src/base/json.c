#include "base/json.h"

#include <inttypes.h>
#include <math.h>

/* What stands before a value: a comma after a sibling, a new line and indentation when pretty. */
static void before(struct ul_json *j)
{
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    if (j->depth == 0)
        return;
    if (j->any[j->depth - 1])
        ul_text_puts(j->out, ",");
    j->any[j->depth - 1] = true;
    if (j->pretty)
        ul_text_printf(j->out, "\n%*s", j->depth * 2, "");
}

void ul_json_open(struct ul_json *j, char bracket)
{
    before(j);
    ul_text_add(j->out, &bracket, 1);
    if (j->depth < UL_JSON_DEPTH)
        j->any[j->depth] = false;
    j->depth++;
}

void ul_json_close(struct ul_json *j, char bracket)
{
    j->depth--;
    if (j->pretty && j->any[j->depth])
        ul_text_printf(j->out, "\n%*s", j->depth * 2, "");
    ul_text_add(j->out, &bracket, 1);
}

/* The length of the well-formed UTF-8 sequence at p (RFC 3629: no overlong forms, no surrogates,
 * nothing past U+10FFFF), 0 if there is none. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
    static const unsigned char low[] = {[0xE0 - 0xC2] = 0xA0, [0xF0 - 0xC2] = 0x90};
    static const unsigned char high[] = {[0xED - 0xC2] = 0x9F, [0xF4 - 0xC2] = 0x8F};
    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xC2 || p[0] > 0xF4)
        return 0;
    size_t len = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    size_t i = (size_t)(p[0] - 0xC2);
    unsigned char lo = i < sizeof low && low[i] ? low[i] : 0x80;
    unsigned char hi = i < sizeof high && high[i] ? high[i] : 0xBF;
    if (n < len || p[1] < lo || p[1] > hi)
        return 0;
    for (size_t k = 2; k < len; k++)
        if ((p[k] & 0xC0) != 0x80)
            return 0;
    return len;
}

static void quoted(struct ul_json *j, struct ul_str s)
{
    ul_text_puts(j->out, "\"");
    for (size_t i = 0; i < s.n;) {
        const unsigned char *p = (const unsigned char *)s.p + i;
        size_t len = utf8_length(p, s.n - i);
        if (len == 0) {
            ul_text_puts(j->out, "\xEF\xBF\xBD");
            i++;
            continue;
        }
        if (*p == '"' || *p == '\\')
            ul_text_printf(j->out, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7F)
            ul_text_printf(j->out, "\\u%04x", *p);
        else
            ul_text_add(j->out, (const char *)p, len);
        i += len;
    }
    ul_text_puts(j->out, "\"");
}

void ul_json_key(struct ul_json *j, const char *key)
{
    before(j);
    quoted(j, ul_cstr(key));
    ul_text_puts(j->out, j->pretty ? ": " : ":");
    j->after_key = true;
}

void ul_json_str(struct ul_json *j, struct ul_str s)
{
    before(j);
    quoted(j, s);
}

void ul_json_u64(struct ul_json *j, uint64_t v)
{
    before(j);
    ul_text_printf(j->out, "%" PRIu64, v);
}

void ul_json_i64(struct ul_json *j, int64_t v)
{
    before(j);
    ul_text_printf(j->out, "%" PRId64, v);
}

void ul_json_double(struct ul_json *j, double v, int decimals)
{
    if (!isfinite(v)) {
        ul_json_null(j);
        return;
    }
    before(j);
    ul_text_printf(j->out, "%.*f", decimals, v);
}

void ul_json_bool(struct ul_json *j, bool v)
{
    before(j);
    ul_text_puts(j->out, v ? "true" : "false");
}

void ul_json_null(struct ul_json *j)
{
    before(j);
    ul_text_puts(j->out, "null");
}

void ul_json_put_str(struct ul_json *j, const char *key, const char *value)
{
    ul_json_key(j, key);
    if (value)
        ul_json_str(j, ul_cstr(value));
    else
        ul_json_null(j);
}

void ul_json_put_u64(struct ul_json *j, const char *key, uint64_t value)
{
    ul_json_key(j, key);
    ul_json_u64(j, value);
}

void ul_json_put_bool(struct ul_json *j, const char *key, bool value)
{
    ul_json_key(j, key);
    ul_json_bool(j, value);
}

void ul_json_put_known(struct ul_json *j, const char *key, double value, int decimals)
{
    ul_json_key(j, key);
    if (value > 0)
        ul_json_double(j, value, decimals);
    else
        ul_json_null(j);
}
