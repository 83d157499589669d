/* Lines and bends. A total over the context's length is made of straight pieces: fixed parts, parts
 * that grow with each token, and peaks of which the largest counts, so that one piece takes over
 * from another. A bend is where it does. */
#include "measure/line.h"

#include <math.h>

struct ul_line ul_line_through(struct ul_point a, struct ul_point b)
{
    double rise = (double)b.bytes - (double)a.bytes, run = (double)b.n_ctx - (double)a.n_ctx;
    return (struct ul_line){.from = a, .slope = rise / run};
}

double ul_line_at(const struct ul_line *line, uint32_t n_ctx)
{
    return (double)line->from.bytes + line->slope * ((double)n_ctx - (double)line->from.n_ctx);
}

uint32_t ul_line_longest(const struct ul_line *line, uint64_t limit, uint32_t round, uint32_t cap)
{
    uint32_t most = cap ? cap / round * round : UINT32_MAX / round * round;
    if (line->slope <= 0)
        return ul_line_at(line, most) <= (double)limit ? most : 0;
    double n = (double)line->from.n_ctx + ((double)limit - (double)line->from.bytes) / line->slope;
    if (n < (double)round)
        return 0;
    return n >= (double)most ? most : (uint32_t)(n / (double)round) * round;
}

uint32_t ul_curve_longest(ul_curve curve, void *context, uint64_t limit, uint32_t round,
                          uint32_t cap)
{
    uint32_t low = 0, high = cap / round + 1; /* low fits, high does not */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        uint64_t bytes;
        if (curve(context, middle * round, &bytes) && bytes <= limit)
            low = middle;
        else
            high = middle;
    }
    return low * round;
}

/* Whether three points lie on one line, within the slack. */
static bool straight(const struct ul_point p[3], uint64_t slack)
{
    struct ul_line line = ul_line_through(p[0], p[2]);
    return fabs(ul_line_at(&line, p[1].n_ctx) - (double)p[1].bytes) <= (double)slack;
}

struct search {
    ul_curve curve;
    void *context;
    uint32_t step;
    uint64_t slack;
    uint32_t *bends;
    int n, most;
};

static bool point(const struct search *s, uint32_t n_ctx, struct ul_point *p)
{
    p->n_ctx = n_ctx;
    return s->curve(s->context, n_ctx, &p->bytes);
}

/* Halves a piece until it is straight or two steps long; a curve that is convex, as sums and peaks
 * of straight pieces are, is straight where its middle lies on the line between its ends. */
static bool bends_between(struct search *s, struct ul_point a, struct ul_point b)
{
    struct ul_point p[3] = {a, {0, 0}, b};
    uint32_t steps = (b.n_ctx - a.n_ctx) / s->step;
    if (steps < 2)
        return true;
    if (!point(s, a.n_ctx + steps / 2 * s->step, &p[1]))
        return false;
    if (straight(p, s->slack))
        return true;
    if (steps == 2) {
        if (s->n < s->most)
            s->bends[s->n++] = p[1].n_ctx;
        return true;
    }
    int before = s->n;
    if (!bends_between(s, a, p[1]) || !bends_between(s, p[1], b))
        return false;
    if (s->n == before && s->n < s->most) /* both halves are straight: it bends at the middle */
        s->bends[s->n++] = p[1].n_ctx;
    return true;
}

int ul_curve_bends(ul_curve curve, void *context, uint32_t step, uint32_t cap, uint64_t slack,
                   uint32_t *bends, int most)
{
    struct search s = {.curve = curve, .context = context, .step = step, .slack = slack,
                       .bends = bends, .most = most};
    struct ul_point a, b;
    uint32_t last = cap / step * step;
    if (last < step || !point(&s, step, &a) || !point(&s, last, &b))
        return -1;
    return bends_between(&s, a, b) ? s.n : -1;
}
