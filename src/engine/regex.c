/* A small backtracking matcher for ECMAScript regular expressions.
 *
 * The pattern is compiled to a list of instructions, which is then run over the text with a stack
 * of choices to come back to. That is how std::regex works too, so what is accepted, and what
 * greedy, lazy, back-referencing and looking ahead mean, comes out the same; where the standard
 * library is laxer or stricter than ECMAScript (a lone `]` is a character, `{` must begin a count,
 * quantifiers may follow each other) this follows it: libstdc++'s bits/regex_scanner.tcc and
 * bits/regex_compiler.tcc. POSIX classes ([:alpha:]) are known, in the C locale. */
#include "engine/regex.h"

#include <stdint.h>

#define MAX_CODE 100000    /* instructions; libstdc++ allows as many states */
#define MAX_DEPTH 200      /* groups in groups */
#define MAX_GROUPS 99
#define MAX_STEPS 2000000  /* instructions run for one search */

enum op {
    OP_CHAR, OP_ANY, OP_SET, OP_SPLIT, OP_JUMP, OP_SAVE, OP_MARK, OP_AGAIN, OP_BEGIN, OP_END,
    OP_WORD, OP_NOT_WORD, OP_BACK, OP_AHEAD, OP_NOT_AHEAD, OP_MATCH
};

/* x and y are distances from the instruction itself, so that code can be copied for a count; for
 * OP_CHAR the character, OP_SET the set, OP_SAVE, OP_MARK and OP_AGAIN the register. */
struct inst {
    uint8_t op;
    int32_t x, y;
};

struct set {
    uint8_t bits[32];
};

/* A place to come back to: an instruction and a position, or a register's value to put back. */
struct choice {
    int32_t pc; /* below 0: register -1 - pc */
    uint32_t at;
};

struct ul_regex {
    struct ul_arena *arena;
    struct inst *code;
    int n, cap;
    struct set *sets;
    int n_sets, cap_sets;
    int n_groups, n_regs;
    uint32_t *regs;
    struct choice *stack;
    size_t depth, cap_stack;
    long steps;
    bool first_any;      /* whether any byte can begin a match */
    struct set first;    /* else these */
    char prefix[32];     /* the bytes that every match begins with */
    size_t n_prefix;
};

struct parser {
    struct ul_regex *re;
    const char *p, *end;
    int depth, n_marks;
    bool failed;
    ullage_error *err;
};

static void fail(struct parser *ps, const char *why)
{
    if (!ps->failed)
        ul_fail(ps->err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION, "error loading model: %s", why);
    ps->failed = true;
}

/* ------------------------------------------------------------------ code */

static void *grown(struct ul_arena *a, const void *old, size_t n, size_t cap, size_t size)
{
    char *p = ul_arena_alloc(a, cap, size);
    if (n)
        memcpy(p, old, n * size);
    return p;
}

static int emit(struct parser *ps, enum op op, int x, int y)
{
    struct ul_regex *re = ps->re;
    if (re->n >= MAX_CODE) {
        fail(ps, "Number of NFA states exceeds limit. Please use shorter regex string, or use "
                 "smaller brace expression, or make _GLIBCXX_REGEX_STATE_LIMIT larger.");
        return 0;
    }
    if (re->n == re->cap) {
        re->cap = re->cap ? re->cap * 2 : 64;
        re->code = grown(re->arena, re->code, (size_t)re->n, (size_t)re->cap, sizeof *re->code);
    }
    re->code[re->n] = (struct inst){(uint8_t)op, x, y};
    return re->n++;
}

/* Makes room for `count` instructions at `at`. Jumps are relative and never cross `at` from the
 * left, because what follows is one finished atom: nothing needs adjusting. */
static void insert(struct parser *ps, int at, int count)
{
    for (int i = 0; i < count; i++)
        emit(ps, OP_JUMP, 1, 0);
    if (ps->failed)
        return;
    struct inst *c = ps->re->code;
    memmove(c + at + count, c + at, (size_t)(ps->re->n - count - at) * sizeof *c);
}

static struct set *new_set(struct parser *ps, int *index)
{
    struct ul_regex *re = ps->re;
    if (re->n_sets == re->cap_sets) {
        re->cap_sets = re->cap_sets ? re->cap_sets * 2 : 8;
        re->sets = grown(re->arena, re->sets, (size_t)re->n_sets, (size_t)re->cap_sets,
                         sizeof *re->sets);
    }
    *index = re->n_sets++;
    return &re->sets[*index];
}

static void add(struct set *s, unsigned c) { s->bits[c >> 3 & 31] |= (uint8_t)(1u << (c & 7)); }

static bool has(const struct set *s, unsigned char c) { return s->bits[c >> 3] >> (c & 7) & 1; }

static void invert(struct set *s)
{
    for (int i = 0; i < 32; i++)
        s->bits[i] = (uint8_t)~s->bits[i];
}

/* ------------------------------------------------------------------ classes */

static bool is_upper(int c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(int c) { return c >= 'a' && c <= 'z'; }
static bool is_alpha(int c) { return is_upper(c) || is_lower(c); }
static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_alnum(int c) { return is_alpha(c) || is_digit(c); }
static bool is_word(int c) { return is_alnum(c) || c == '_'; }
static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_blank(int c) { return c == ' ' || c == '\t'; }
static bool is_graph(int c) { return c > ' ' && c < 127; }
static bool is_print(int c) { return c >= ' ' && c < 127; }
static bool is_punct(int c) { return is_graph(c) && !is_alnum(c); }
static bool is_cntrl(int c) { return c < ' ' || c == 127; }
static bool is_xdigit(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static const struct {
    const char *name;
    bool (*test)(int c);
} classes[] = {
    {"d", is_digit}, {"w", is_word}, {"s", is_space}, {"alnum", is_alnum}, {"alpha", is_alpha},
    {"blank", is_blank}, {"cntrl", is_cntrl}, {"digit", is_digit}, {"graph", is_graph},
    {"lower", is_lower}, {"print", is_print}, {"punct", is_punct}, {"space", is_space},
    {"upper", is_upper}, {"xdigit", is_xdigit},
};

static bool add_class(struct set *s, struct ul_str name, bool negated)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (!ul_str_is(name, classes[i].name))
            continue;
        for (int c = 0; c < 256; c++)
            if (classes[i].test(c) != negated)
                add(s, (unsigned)c);
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------ parsing */

static int peek(const struct parser *ps) { return ps->p < ps->end ? (unsigned char)*ps->p : -1; }

static bool take(struct parser *ps, char c)
{
    if (peek(ps) != (unsigned char)c)
        return false;
    ps->p++;
    return true;
}

static int hex(struct parser *ps, int digits)
{
    int v = 0;
    for (int i = 0; i < digits; i++) {
        int c = peek(ps);
        if (!is_xdigit(c)) {
            fail(ps, digits == 2 ? "Invalid '\\xNN' control character in regular expression"
                                 : "Invalid '\\uNNNN' control character in regular expression");
            return 0;
        }
        v = v * 16 + (is_digit(c) ? c - '0' : (c | 32) - 'a' + 10);
        ps->p++;
    }
    return v & 255;
}

/* The character that an escape stands for; the backslash and the letter are taken already. */
static int escaped(struct parser *ps, int c)
{
    switch (c) {
    case '0': return 0;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case 'x': return hex(ps, 2);
    case 'u': return hex(ps, 4);
    case 'c':
        if (peek(ps) < 0) {
            fail(ps, "invalid '\\cX' control character in regular expression");
            return 0;
        }
        return *ps->p++;
    default: return c;
    }
}

/* [:alpha:], [=a=] and [.a.] inside a bracket; the opening pair is taken already. */
static void bracket_class(struct parser *ps, struct set *s, char kind, int *single)
{
    const char *start = ps->p;
    while (ps->p + 1 < ps->end && !(ps->p[0] == kind && ps->p[1] == ']'))
        ps->p++;
    if (ps->p + 1 >= ps->end) {
        fail(ps, "Unexpected character within '[...]' in regular expression");
        return;
    }
    struct ul_str name = {start, (size_t)(ps->p - start)};
    ps->p += 2;
    if (kind == ':') {
        if (!add_class(s, name, false))
            fail(ps, "Invalid character class.");
    } else if (name.n == 1 && kind == '=' && is_alpha((unsigned char)name.p[0])) {
        /* equal in the first order of the collation: both cases */
        add(s, (unsigned char)name.p[0]);
        add(s, (unsigned char)name.p[0] ^ 32);
    } else if (name.n == 1) {
        *single = (unsigned char)name.p[0];
    } else {
        fail(ps, "Invalid collate element.");
    }
}

/* One member of a bracket: a character (returned) or a class (added; -1). */
static int bracket_item(struct parser *ps, struct set *s)
{
    int c = (unsigned char)*ps->p++;
    if (c == '[' && (peek(ps) == ':' || peek(ps) == '=' || peek(ps) == '.')) {
        int single = -1;
        bracket_class(ps, s, *ps->p++, &single);
        return single;
    }
    if (c != '\\')
        return c;
    if (peek(ps) < 0) {
        fail(ps, "Invalid escape in regular expression");
        return -1;
    }
    c = (unsigned char)*ps->p++;
    int lower = c | 32;
    if (c == 'B') {
        fail(ps, "Unexpected character within '[...]' in regular expression");
        return -1;
    }
    if (lower == 'd' || lower == 'w' || lower == 's') {
        char name = (char)lower;
        add_class(s, (struct ul_str){&name, 1}, c != lower);
        return -1;
    }
    return escaped(ps, c);
}

static void bracket(struct parser *ps)
{
    int index;
    bool negated = take(ps, '^');
    struct set s = {{0}};
    while (!ps->failed && peek(ps) != ']') {
        if (peek(ps) < 0) {
            fail(ps, "Unexpected character within '[...]' in regular expression");
            return;
        }
        int low = bracket_item(ps, &s);
        bool range = peek(ps) == '-' && ps->p + 1 < ps->end && ps->p[1] != ']';
        if (range && low < 0) {
            fail(ps, "Invalid start of '[x-x]' range in regular expression");
            return;
        }
        if (low < 0)
            continue;
        int high = low;
        if (range) {
            ps->p++;
            high = bracket_item(ps, &s);
            if (high < 0)
                fail(ps, "Invalid end of '[x-x]' range in regular expression");
            else if (high < low)
                fail(ps, "Invalid range in bracket expression.");
        }
        for (int c = low; c <= high; c++)
            add(&s, (unsigned)c);
    }
    ps->p++;
    if (negated)
        invert(&s);
    *new_set(ps, &index) = s;
    emit(ps, OP_SET, index, 0);
}

static void escape(struct parser *ps)
{
    if (peek(ps) < 0) {
        fail(ps, "Invalid escape at end of regular expression");
        return;
    }
    int c = (unsigned char)*ps->p++, lower = c | 32;
    if (c >= '1' && c <= '9') {
        int group = c - '0';
        while (is_digit(peek(ps)) && group <= MAX_GROUPS)
            group = group * 10 + (*ps->p++ - '0');
        if (group > ps->re->n_groups)
            fail(ps, "Back-reference index exceeds current sub-expression count.");
        emit(ps, OP_BACK, group, 0);
    } else if (c == 'b' || c == 'B') {
        emit(ps, c == 'b' ? OP_WORD : OP_NOT_WORD, 0, 0);
    } else if (lower == 'd' || lower == 'w' || lower == 's') {
        int index;
        char name = (char)lower;
        add_class(new_set(ps, &index), (struct ul_str){&name, 1}, c != lower);
        emit(ps, OP_SET, index, 0);
    } else {
        emit(ps, OP_CHAR, escaped(ps, c), 0);
    }
}

static void disjunction(struct parser *ps);

static void close_group(struct parser *ps)
{
    if (!take(ps, ')'))
        fail(ps, "Mismatched '(' and ')' in regular expression");
}

/* A group or a look-ahead; the opening parenthesis is taken. Returns whether it can be repeated. */
static bool group(struct parser *ps)
{
    struct ul_regex *re = ps->re;
    if (++ps->depth > MAX_DEPTH) {
        fail(ps, "the regular expression is nested too deeply");
        return false;
    }
    bool repeatable = true;
    if (take(ps, '?')) {
        int kind = peek(ps);
        if (kind != ':' && kind != '=' && kind != '!') {
            fail(ps, "Invalid '(?...)' zero-width assertion in regular expression");
            return false;
        }
        ps->p++;
        int at = kind == ':' ? 0 : emit(ps, kind == '=' ? OP_AHEAD : OP_NOT_AHEAD, 0, 0);
        disjunction(ps);
        if (kind != ':') {
            emit(ps, OP_MATCH, 0, 0);
            re->code[at].x = re->n - at;
            repeatable = false;
        }
    } else {
        int n = ++re->n_groups;
        if (n > MAX_GROUPS)
            fail(ps, "the regular expression has too many groups");
        emit(ps, OP_SAVE, 2 * n, 0);
        disjunction(ps);
        emit(ps, OP_SAVE, 2 * n + 1, 0);
    }
    close_group(ps);
    ps->depth--;
    return repeatable;
}

static int number(struct parser *ps)
{
    int v = 0;
    if (!is_digit(peek(ps))) {
        fail(ps, "Invalid range in '{}' in regular expression");
        return 0;
    }
    while (is_digit(peek(ps))) {
        v = v * 10 + (*ps->p++ - '0');
        if (v > MAX_CODE)
            v = MAX_CODE;
    }
    return v;
}

static void append_copy(struct parser *ps, int from, int count)
{
    for (int i = 0; i < count && !ps->failed; i++) {
        struct inst in = ps->re->code[from + i];
        emit(ps, (enum op)in.op, in.x, in.y);
    }
}

/* x?: SPLIT over the atom at `at`. */
static void optional(struct parser *ps, int at, bool lazy)
{
    insert(ps, at, 1);
    int over = ps->re->n - at;
    if (!ps->failed)
        ps->re->code[at] = (struct inst){OP_SPLIT, lazy ? over : 1, lazy ? 1 : over};
}

/* x*: a loop that ends when a round took nothing. */
static void star(struct parser *ps, int at, bool lazy)
{
    int mark = ps->n_marks++;
    insert(ps, at, 2);
    int again = emit(ps, OP_AGAIN, mark, 0);
    int over = ps->re->n - at;
    if (ps->failed)
        return;
    ps->re->code[at] = (struct inst){OP_SPLIT, lazy ? over : 1, lazy ? 1 : over};
    ps->re->code[at + 1] = (struct inst){OP_MARK, mark, 0};
    ps->re->code[again].y = at - again;
}

/* The atom at `at`, at least `low` and at most `high` times (-1: no limit). */
static void repeat(struct parser *ps, int at, int low, int high, bool lazy)
{
    int size = ps->re->n - at;
    struct inst *atom = grown(ps->re->arena, ps->re->code + at, (size_t)size, (size_t)size + 1,
                              sizeof *atom);
    ps->re->n = at;
    for (int i = 0; i < low && !ps->failed; i++)
        for (int k = 0; k < size && !ps->failed; k++)
            emit(ps, (enum op)atom[k].op, atom[k].x, atom[k].y);
    if (high < 0) {
        int start = ps->re->n;
        for (int k = 0; k < size && !ps->failed; k++)
            emit(ps, (enum op)atom[k].op, atom[k].x, atom[k].y);
        star(ps, start, lazy);
        return;
    }
    for (int i = low; i < high && !ps->failed; i++) {
        int start = ps->re->n;
        for (int k = 0; k < size && !ps->failed; k++)
            emit(ps, (enum op)atom[k].op, atom[k].x, atom[k].y);
        optional(ps, start, lazy);
    }
}

static void braces(struct parser *ps, int at)
{
    int low = number(ps), high = low;
    if (take(ps, ','))
        high = peek(ps) == '}' ? -1 : number(ps);
    if (!ps->failed && !take(ps, '}'))
        fail(ps, "Invalid range in '{}' in regular expression");
    if (!ps->failed && high >= 0 && high < low)
        fail(ps, "Invalid range in brace expression.");
    if (!ps->failed)
        repeat(ps, at, low, high, take(ps, '?'));
}

/* Quantifiers after an atom; there may be several, each over all that is before it. */
static void quantifiers(struct parser *ps, int at)
{
    while (!ps->failed) {
        if (take(ps, '*')) {
            star(ps, at, take(ps, '?'));
        } else if (take(ps, '+')) {
            bool lazy = take(ps, '?');
            int size = ps->re->n - at;
            append_copy(ps, at, size);
            star(ps, at + size, lazy);
        } else if (take(ps, '?')) {
            optional(ps, at, take(ps, '?'));
        } else if (take(ps, '{')) {
            braces(ps, at);
        } else {
            return;
        }
    }
}

/* One term; false at the end of an alternative. */
static bool term(struct parser *ps)
{
    int at = ps->re->n;
    int c = peek(ps);
    if (c < 0 || c == '|' || c == ')')
        return false;
    ps->p++;
    switch (c) {
    case '^': emit(ps, OP_BEGIN, 0, 0); return true;
    case '$': emit(ps, OP_END, 0, 0); return true;
    case '*': case '+': case '?': case '{':
        /* what libstdc++ says: nothing is there to repeat, so the pattern ends before it does */
        fail(ps, "Mismatched '(' and ')' in regular expression");
        return false;
    case '.': emit(ps, OP_ANY, 0, 0); break;
    case '[': bracket(ps); break;
    case '(':
        if (!group(ps))
            return true;
        break;
    case '\\':
        escape(ps);
        if (ps->re->n > at &&
            (ps->re->code[at].op == OP_WORD || ps->re->code[at].op == OP_NOT_WORD))
            return true;
        break;
    default: emit(ps, OP_CHAR, c, 0); break;
    }
    quantifiers(ps, at);
    return true;
}

static void disjunction(struct parser *ps)
{
    int at = ps->re->n;
    while (!ps->failed && term(ps))
        ;
    if (ps->failed || !take(ps, '|'))
        return;
    insert(ps, at, 1);
    int jump = emit(ps, OP_JUMP, 0, 0);
    int other = ps->re->n;
    disjunction(ps);
    if (ps->failed)
        return;
    ps->re->code[at] = (struct inst){OP_SPLIT, 1, other - at};
    ps->re->code[jump].x = ps->re->n - jump;
}

/* ------------------------------------------------------------------ running */

static void push(struct ul_regex *re, int pc, uint32_t at)
{
    if (re->depth == re->cap_stack) {
        size_t cap = re->cap_stack ? re->cap_stack * 2 : 256;
        re->stack = grown(re->arena, re->stack, re->depth, cap, sizeof *re->stack);
        re->cap_stack = cap;
    }
    re->stack[re->depth++] = (struct choice){pc, at};
}

static void set_reg(struct ul_regex *re, int reg, uint32_t value)
{
    push(re, -1 - reg, re->regs[reg]);
    re->regs[reg] = value;
}

static bool word_boundary(struct ul_str s, uint32_t at)
{
    bool before = at > 0 && is_word((unsigned char)s.p[at - 1]);
    bool after = at < s.n && is_word((unsigned char)s.p[at]);
    return before != after;
}

/* A back-reference to a group that took no part in the match matches nothing: false. */
static bool back(const struct ul_regex *re, int n, struct ul_str s, uint32_t *at)
{
    uint32_t from = re->regs[2 * n], to = re->regs[2 * n + 1];
    if (from == UINT32_MAX || to == UINT32_MAX)
        return false;
    uint32_t len = to - from;
    if (s.n - *at < len || memcmp(s.p + from, s.p + *at, len) != 0)
        return false;
    *at += len;
    return true;
}

/* One instruction that tests the text; moves *at on. */
static bool test(const struct ul_regex *re, const struct inst *in, struct ul_str s, uint32_t *at)
{
    unsigned char c = *at < s.n ? (unsigned char)s.p[*at] : 0;
    switch (in->op) {
    case OP_BEGIN: return *at == 0;
    case OP_END: return *at == s.n;
    case OP_WORD: return word_boundary(s, *at);
    case OP_NOT_WORD: return !word_boundary(s, *at);
    case OP_BACK: return back(re, in->x, s, at);
    case OP_CHAR: return *at < s.n && c == (unsigned char)in->x && ++*at;
    case OP_ANY: return *at < s.n && c != '\n' && c != '\r' && ++*at;
    default: return *at < s.n && has(&re->sets[in->x], c) && ++*at;
    }
}

/* Goes back to the newest choice above `base`; false when there is none. */
static bool retreat(struct ul_regex *re, size_t base, int *pc, uint32_t *at)
{
    while (re->depth > base) {
        struct choice c = re->stack[--re->depth];
        if (c.pc >= 0) {
            *pc = c.pc;
            *at = c.at;
            return true;
        }
        re->regs[-1 - c.pc] = c.at;
    }
    return false;
}

/* After a look-ahead: the choices above `depth` are void. The registers it set are kept (and can
 * still be put back) or put back now. */
static void forget(struct ul_regex *re, size_t depth, bool keep)
{
    size_t kept = depth;
    if (keep) {
        for (size_t i = depth; i < re->depth; i++)
            if (re->stack[i].pc < 0)
                re->stack[kept++] = re->stack[i];
        re->depth = kept;
        return;
    }
    while (re->depth > depth) {
        struct choice c = re->stack[--re->depth];
        if (c.pc < 0)
            re->regs[-1 - c.pc] = c.at;
    }
}

/* Runs from pc at `at` to OP_MATCH: 1, 0, or -1 when it takes too long. */
static int run(struct ul_regex *re, int pc, struct ul_str s, uint32_t at)
{
    size_t base = re->depth;
    for (;;) {
        const struct inst *in = &re->code[pc];
        bool ok = true;
        if (++re->steps > MAX_STEPS)
            return -1;
        switch (in->op) {
        case OP_MATCH: return 1;
        case OP_JUMP: pc += in->x; continue;
        case OP_SPLIT: push(re, pc + in->y, at); pc += in->x; continue;
        case OP_SAVE: case OP_MARK: set_reg(re, in->x, at); break;
        case OP_AGAIN:
            if (re->regs[in->x] != at) {
                pc += in->y;
                continue;
            }
            break;
        case OP_AHEAD: case OP_NOT_AHEAD: {
            size_t depth = re->depth;
            int found = run(re, pc + 1, s, at);
            if (found < 0)
                return -1;
            forget(re, depth, found && in->op == OP_AHEAD);
            ok = found == (in->op == OP_AHEAD);
            if (ok) {
                pc += in->x;
                continue;
            }
            break;
        }
        default: ok = test(re, in, s, &at); break;
        }
        if (ok)
            pc++;
        else if (!retreat(re, base, &pc, &at))
            return 0;
    }
}

/* ------------------------------------------------------------------ what can come first */

/* Collects the bytes that can begin a match; false when it may begin with anything or nothing. */
static bool first_bytes(const struct ul_regex *re, int pc, struct set *s, int budget)
{
    for (; budget > 0; budget--) {
        const struct inst *in = &re->code[pc];
        switch (in->op) {
        case OP_CHAR: add(s, (unsigned char)in->x); return true;
        case OP_SET:
            for (int i = 0; i < 32; i++)
                s->bits[i] |= re->sets[in->x].bits[i];
            return true;
        case OP_JUMP: pc += in->x; break;
        case OP_SPLIT:
            if (!first_bytes(re, pc + in->x, s, budget / 2))
                return false;
            pc += in->y;
            budget /= 2;
            break;
        case OP_SAVE: case OP_MARK: pc++; break;
        default: return false;
        }
    }
    return false;
}

int ul_regex_compile(struct ul_regex **out, struct ul_str pattern, struct ul_arena *a,
                     ullage_error *err)
{
    struct ul_regex *re = UL_NEW(a, struct ul_regex);
    re->arena = a;
    /* marks have registers after the groups'; their count is known only at the end */
    struct parser ps = {.re = re, .p = pattern.p, .end = pattern.p + pattern.n, .err = err,
                        .n_marks = 2 * (MAX_GROUPS + 1)};
    disjunction(&ps);
    if (!ps.failed && ps.p < ps.end)
        fail(&ps, "Mismatched '(' and ')' in regular expression");
    emit(&ps, OP_MATCH, 0, 0);
    if (ps.failed)
        return ULLAGE_ERROR_REFUSED;
    re->n_regs = ps.n_marks;
    re->regs = UL_NEWS(a, uint32_t, (size_t)re->n_regs);
    re->first_any = !first_bytes(re, 0, &re->first, 4096);
    while (re->n_prefix < sizeof re->prefix && re->code[re->n_prefix].op == OP_CHAR) {
        re->prefix[re->n_prefix] = (char)re->code[re->n_prefix].x;
        re->n_prefix++;
    }
    *out = re;
    return ULLAGE_OK;
}

/* The first place from `at` on where a match can begin; past the text's end: nowhere. */
static size_t next_start(const struct ul_regex *re, struct ul_str text, size_t at)
{
    if (re->n_prefix == 0) {
        while (at <= text.n && !re->first_any
               && (at == text.n || !has(&re->first, (unsigned char)text.p[at])))
            at++;
        return at;
    }
    for (; at + re->n_prefix <= text.n; at++) {
        const char *p = memchr(text.p + at, re->prefix[0], text.n - at - re->n_prefix + 1);
        if (!p)
            break;
        at = (size_t)(p - text.p);
        if (memcmp(p, re->prefix, re->n_prefix) == 0)
            return at;
    }
    return text.n + 1;
}

int ul_regex_search(struct ul_regex *re, struct ul_str text)
{
    re->steps = 0;
    for (size_t at = next_start(re, text, 0); at <= text.n; at = next_start(re, text, at + 1)) {
        memset(re->regs, 0xff, (size_t)re->n_regs * sizeof *re->regs);
        re->depth = 0;
        int found = run(re, 0, text, (uint32_t)at);
        if (found != 0)
            return found;
    }
    return 0;
}
