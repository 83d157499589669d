/* A bounded reader of JSON. See jsonread.h.
 *
 * The parser is a loop without recursion: what may come next is one of five states, and which kind
 * of container is open is an array of flags. So depth costs nothing, and its cap is only there to
 * keep that array small. Numbers are read here and not by strtod, whose decimal point changes with
 * the caller's locale. */
#include "source/jsonread.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum want {
    WANT_VALUE,        /* after a key's colon, after a comma in an array, at the start */
    WANT_VALUE_OR_END, /* after '[' */
    WANT_KEY,          /* after a comma in an object */
    WANT_KEY_OR_END,   /* after '{' */
    WANT_COMMA_OR_END, /* after a value inside a container */
    WANT_NOTHING       /* after the document */
};

void ul_jread_start(struct ul_jread *r, const char *name, const char *text, size_t n, uint64_t base,
                    struct ul_arena *a, ullage_error *err)
{
    *r = (struct ul_jread){.name = name, .start = text, .p = text, .end = text + n, .base = base,
                           .arena = a, .err = err, .want = WANT_VALUE, .ok = true};
    if (n > UL_JREAD_BYTES)
        ul_jread_fail(r, base, "%zu bytes of JSON, and at most %zu are read", n, UL_JREAD_BYTES);
}

void ul_jread_fail(struct ul_jread *r, uint64_t at, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    if (!r->ok)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    r->ok = false;
    ul_fail(r->err, ULLAGE_ERROR_INPUT, at, "%s: %s at byte %llu", r->name, text,
            (unsigned long long)at);
}

static uint64_t here(const struct ul_jread *r)
{
    return r->base + (uint64_t)(r->p - r->start);
}

static enum ul_jtoken bad(struct ul_jread *r, const char *what)
{
    if (r->p < r->end)
        ul_jread_fail(r, here(r), "not JSON: %s", what);
    else
        ul_jread_fail(r, here(r), "JSON that ends too early: %s", what);
    return UL_JT_ERROR;
}

static void skip_space(struct ul_jread *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t'))
        r->p++;
}

/* ------------------------------------------------------------------ strings */

static int hex4(const char *p, const char *end)
{
    int v = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int d = c >= '0' && c <= '9' ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    return v;
}

static char *put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    } else {
        *out++ = (char)(0xF0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}

/* "\uXXXX", p behind the u: a pair of surrogates is one character, one alone is U+FFFD. NULL when
 * it is not four hexadecimal digits. */
static const char *unicode_escape(const char *p, const char *end, uint32_t *c)
{
    int hi = hex4(p, end), lo;
    if (hi < 0)
        return NULL;
    p += 4;
    *c = (uint32_t)hi;
    if (hi < 0xD800 || hi > 0xDFFF)
        return p;
    *c = 0xFFFD;
    if (hi > 0xDBFF || end - p < 2 || p[0] != '\\' || p[1] != 'u')
        return p;
    lo = hex4(p + 2, end);
    if (lo < 0xDC00 || lo > 0xDFFF)
        return p;
    *c = 0x10000 + (((uint32_t)hi - 0xD800) << 10) + ((uint32_t)lo - 0xDC00);
    return p + 6;
}

/* Writes what a checked string with escapes means; it is never longer than its spelling. */
static bool unescape(struct ul_jread *r, const char *from, const char *to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char *text = ul_arena_alloc(r->arena, (size_t)(to - from) + 1, 1), *out = text;
    for (const char *p = from; p < to;) {
        if (*p != '\\') {
            *out++ = *p++;
            continue;
        }
        const char *name = strchr(names, p[1]);
        uint32_t c;
        if (p[1] == 'u' && (p = unicode_escape(p + 2, to, &c)) != NULL) {
            out = put_utf8(out, c);
        } else if (p != NULL && name != NULL && p[1] != '\0') {
            *out++ = values[name - names];
            p += 2;
        } else {
            return false;
        }
    }
    r->s = (struct ul_str){text, (size_t)(out - text)};
    return true;
}

/* A string, r->p at its first quote. */
static bool string(struct ul_jread *r)
{
    const char *from = ++r->p;
    bool escapes = false;
    while (r->p < r->end && *r->p != '"' && (unsigned char)*r->p >= 0x20) {
        bool escape = *r->p == '\\';
        escapes = escapes || escape;
        r->p += escape && r->end - r->p > 1 ? 2 : 1;
    }
    if (r->p >= r->end || *r->p != '"') {
        bad(r, "a string without its end");
        return false;
    }
    r->s = (struct ul_str){from, (size_t)(r->p - from)};
    if (escapes && !unescape(r, from, r->p)) {
        bad(r, "an escape that does not exist in the string before");
        return false;
    }
    r->p++;
    return true;
}

/* ------------------------------------------------------------------ numbers */

#define DIGITS_KEPT 19 /* decimal digits that 64 bits always hold */

/* A number taken apart: digits x 10^exponent. */
struct number {
    uint64_t digits;
    int64_t exponent;
    int kept;
    bool negative, real;
};

/* Digits from r->p on; `step` is what each moves the exponent by (-1 behind the point). Digits past
 * those kept do not change a double by more than its last bit. */
static size_t digits(struct ul_jread *r, struct number *n, int step)
{
    const char *from = r->p;
    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++) {
        if (n->kept < DIGITS_KEPT) {
            n->digits = n->digits * 10 + (uint64_t)(*r->p - '0');
            n->kept += n->digits != 0;
            n->exponent += step;
        } else {
            n->exponent += step + 1;
        }
    }
    return (size_t)(r->p - from);
}

static bool exponent(struct ul_jread *r, struct number *n)
{
    bool negative = false;
    int64_t e = 0;
    const char *from;
    r->p++;
    if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
        negative = *r->p++ == '-';
    from = r->p;
    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
        e = e > 100000 ? e : e * 10 + (*r->p - '0');
    n->exponent += negative ? -e : e;
    return r->p > from;
}

/* Through long double, so that the powers of ten in use (up to 10^27) are exact. */
static double value_of(const struct number *n)
{
    long double v = (long double)n->digits;
    int64_t e = n->exponent < -400 ? -400 : n->exponent > 400 ? 400 : n->exponent;
    long double ten = 1;
    for (int64_t i = 0; i < (e < 0 ? -e : e) && v != 0; i++)
        ten *= 10;
    v = v == 0 ? 0 : e < 0 ? v / ten : v * ten;
    return (double)(n->negative ? -v : v);
}

static enum ul_jtoken number(struct ul_jread *r)
{
    struct number n = {0};
    const char *first;
    if (*r->p == '-') {
        n.negative = true;
        r->p++;
    }
    first = r->p;
    size_t count = digits(r, &n, 0);
    if (count == 0 || (count > 1 && *first == '0'))
        return bad(r, "a number that is not one");
    if (r->p < r->end && *r->p == '.') {
        n.real = true;
        r->p++;
        if (digits(r, &n, -1) == 0)
            return bad(r, "no digits behind a decimal point");
    }
    if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
        n.real = true;
        if (!exponent(r, &n))
            return bad(r, "no digits in an exponent");
    }
    r->d = value_of(&n);
    if (n.real || n.exponent != 0 || n.digits > (uint64_t)INT64_MAX)
        return UL_JT_REAL;
    r->i = n.negative ? -(int64_t)n.digits : (int64_t)n.digits;
    return UL_JT_INT;
}

/* ------------------------------------------------------------------ tokens */

static bool word(struct ul_jread *r, const char *w)
{
    size_t n = strlen(w);
    if ((size_t)(r->end - r->p) < n || memcmp(r->p, w, n) != 0)
        return false;
    r->p += n;
    return true;
}

static enum ul_jtoken literal(struct ul_jread *r)
{
    if (word(r, "null"))
        return UL_JT_NULL;
    if (word(r, "true"))
        return UL_JT_TRUE;
    if (word(r, "false"))
        return UL_JT_FALSE;
    r->d = word(r, "NaN") ? (double)NAN
           : word(r, "Infinity") ? (double)INFINITY
           : word(r, "-Infinity") ? -(double)INFINITY : 0;
    if (r->d != 0)
        return UL_JT_REAL;
    return bad(r, "no value");
}

static enum ul_jtoken open_container(struct ul_jread *r, bool object)
{
    if (r->depth >= UL_JREAD_DEPTH) {
        ul_jread_fail(r, here(r), "JSON nested deeper than %d", UL_JREAD_DEPTH);
        return UL_JT_ERROR;
    }
    r->p++;
    r->object[r->depth++] = object;
    r->want = object ? WANT_KEY_OR_END : WANT_VALUE_OR_END;
    return object ? UL_JT_OBJECT : UL_JT_ARRAY;
}

static void after_value(struct ul_jread *r)
{
    r->want = r->depth > 0 ? WANT_COMMA_OR_END : WANT_NOTHING;
}

static enum ul_jtoken close_container(struct ul_jread *r)
{
    bool object = r->object[--r->depth];
    r->p++;
    after_value(r);
    return object ? UL_JT_OBJECT_END : UL_JT_ARRAY_END;
}

static enum ul_jtoken value(struct ul_jread *r)
{
    enum ul_jtoken t;
    if (r->p >= r->end)
        return bad(r, "no value");
    if (*r->p == '{' || *r->p == '[')
        return open_container(r, *r->p == '{');
    if (*r->p == '"')
        t = string(r) ? UL_JT_STRING : UL_JT_ERROR;
    else if ((*r->p >= '0' && *r->p <= '9') ||
             (*r->p == '-' && r->end - r->p > 1 && r->p[1] != 'I'))
        t = number(r);
    else
        t = literal(r);
    after_value(r);
    return t;
}

static enum ul_jtoken key(struct ul_jread *r)
{
    if (r->p >= r->end || *r->p != '"')
        return bad(r, "no name of a member");
    if (!string(r))
        return UL_JT_ERROR;
    skip_space(r);
    if (r->p >= r->end || *r->p != ':')
        return bad(r, "no colon behind a member's name");
    r->p++;
    r->want = WANT_VALUE;
    return UL_JT_KEY;
}

enum ul_jtoken ul_jread_next(struct ul_jread *r)
{
    if (!r->ok)
        return UL_JT_ERROR;
    skip_space(r);
    r->at = here(r);
    bool closes = r->p < r->end && r->depth > 0 &&
                  *r->p == (r->object[r->depth - 1] ? '}' : ']');
    if (r->want == WANT_NOTHING)
        return r->p == r->end ? UL_JT_END : bad(r, "text behind the document");
    if (closes && r->want != WANT_VALUE && r->want != WANT_KEY)
        return close_container(r);
    if (r->want == WANT_COMMA_OR_END) {
        if (r->p >= r->end || *r->p != ',')
            return bad(r, "no comma and no end of the object or array");
        r->p++;
        skip_space(r);
        r->at = here(r);
        r->want = r->object[r->depth - 1] ? WANT_KEY : WANT_VALUE;
    }
    return r->want == WANT_KEY || r->want == WANT_KEY_OR_END ? key(r) : value(r);
}

bool ul_jread_skip(struct ul_jread *r)
{
    int depth = r->depth;
    do {
        enum ul_jtoken t = ul_jread_next(r);
        if (t == UL_JT_ERROR || t == UL_JT_END)
            return false;
    } while (r->depth > depth);
    return true;
}

/* ------------------------------------------------------------------ trees */

static const enum ul_jkind kinds[] = {
    [UL_JT_NULL] = UL_J_NULL,   [UL_JT_TRUE] = UL_J_BOOL,     [UL_JT_FALSE] = UL_J_BOOL,
    [UL_JT_INT] = UL_J_INT,     [UL_JT_REAL] = UL_J_REAL,     [UL_JT_STRING] = UL_J_STRING,
    [UL_JT_ARRAY] = UL_J_ARRAY, [UL_JT_OBJECT] = UL_J_OBJECT,
};

static struct ul_jvalue *node(struct ul_jread *r, enum ul_jtoken t, struct ul_str key_text)
{
    struct ul_jvalue *v = UL_NEW(r->arena, struct ul_jvalue);
    v->kind = kinds[t];
    v->key = key_text;
    v->position = r->at;
    v->i = t == UL_JT_TRUE ? 1 : t == UL_JT_INT ? r->i : 0;
    v->d = t == UL_JT_REAL || t == UL_JT_INT ? r->d : 0;
    if (t == UL_JT_STRING)
        v->s = r->s;
    return v;
}

const struct ul_jvalue *ul_json_parse(const char *name, const char *text, size_t n,
                                      struct ul_arena *a, ullage_error *err)
{
    struct ul_jread r;
    struct ul_jvalue *open[UL_JREAD_DEPTH + 1], *last[UL_JREAD_DEPTH + 1], root = {0};
    struct ul_str name_of = {NULL, 0};
    size_t count = 0;
    int depth = 0;
    enum ul_jtoken t;
    open[0] = &root;
    last[0] = NULL;
    ul_jread_start(&r, name, text, n, 0, a, err);
    while ((t = ul_jread_next(&r)) != UL_JT_END && t != UL_JT_ERROR) {
        if (t == UL_JT_OBJECT_END || t == UL_JT_ARRAY_END) {
            depth--;
        } else if (t == UL_JT_KEY) {
            name_of = r.s;
        } else if (++count > UL_JREAD_NODES) {
            ul_jread_fail(&r, r.at, "more than %zu values", UL_JREAD_NODES);
        } else {
            struct ul_jvalue *v = node(&r, t, name_of);
            *(last[depth] != NULL ? &last[depth]->next : &open[depth]->first) = v;
            last[depth] = v;
            open[depth]->n++;
            name_of = (struct ul_str){NULL, 0};
            if (t == UL_JT_OBJECT || t == UL_JT_ARRAY) {
                open[++depth] = v;
                last[depth] = NULL;
            }
        }
    }
    return t == UL_JT_END ? root.first : NULL;
}

const struct ul_jvalue *ul_jget(const struct ul_jvalue *v, const char *name)
{
    const struct ul_jvalue *found = NULL;
    if (v == NULL || v->kind != UL_J_OBJECT)
        return NULL;
    for (const struct ul_jvalue *m = v->first; m != NULL; m = m->next)
        if (ul_str_is(m->key, name))
            found = m;
    return found != NULL && found->kind != UL_J_NULL ? found : NULL;
}

const struct ul_jvalue *ul_jitem(const struct ul_jvalue *v, size_t i)
{
    if (v == NULL || v->kind != UL_J_ARRAY)
        return NULL;
    const struct ul_jvalue *m = v->first;
    while (m != NULL && i-- > 0)
        m = m->next;
    return m;
}

int64_t ul_jint(const struct ul_jvalue *v, const char *name, int64_t otherwise)
{
    const struct ul_jvalue *m = ul_jget(v, name);
    if (m != NULL && m->kind == UL_J_INT)
        return m->i;
    bool whole = m != NULL && m->kind == UL_J_REAL && m->d >= -9e15 && m->d <= 9e15 &&
                 m->d == (double)(int64_t)m->d;
    return whole ? (int64_t)m->d : otherwise;
}

double ul_jreal(const struct ul_jvalue *v, const char *name, double otherwise)
{
    const struct ul_jvalue *m = ul_jget(v, name);
    return m != NULL && (m->kind == UL_J_INT || m->kind == UL_J_REAL) ? m->d : otherwise;
}

bool ul_jbool(const struct ul_jvalue *v, const char *name, bool otherwise)
{
    const struct ul_jvalue *m = ul_jget(v, name);
    return m != NULL && m->kind == UL_J_BOOL ? m->i != 0 : otherwise;
}

struct ul_str ul_jstr(const struct ul_jvalue *v, const char *name, const char *otherwise)
{
    const struct ul_jvalue *m = ul_jget(v, name);
    return m != NULL && m->kind == UL_J_STRING ? m->s : ul_cstr(otherwise);
}
