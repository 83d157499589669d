/* Two runs, one line, one check.
 *
 * The server is started at two lengths of context, and the memory that it holds is read; a line
 * through the two readings gives the longest length within the limit; there it is started once more
 * and given a prompt. The readings decide. The computed plan helps to ask the right question: it
 * says where the total over the length bends, so that both readings lie on the straight piece that
 * the answer lies on; and it names each buffer that the server's log has otherwise. Where there is
 * no plan, a third length shows whether the line is one. When the check is off the line all the
 * same, the check's own reading becomes a point, and the line is drawn again. */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MIB 1048576.0
#define SHORT_POINT 4096u
#define STEP 1024u             /* in which bends are looked for */
#define ALIGN 4096u            /* what the driver rounds up is the same share at such lengths */
#define BEND_SLACK (1u << 16)
#define LINE_SLACK (4.0 * MIB) /* what the driver's steps of 2 MiB may do to two readings */
#define CHECKS_MOST 4
#define NO_CAP 1048576u        /* where no training context is known */

/* ------------------------------------------------------------------ the points */

static bool counts_gpus(struct measuring *x)
{
    return x->reader.n > 0 && measure_curve_gpus(&x->curve) == x->reader.n;
}

/* The longest length by the plan: the shortest over the devices. 0: no plan. */
static uint32_t computed_longest(struct measuring *x, uint32_t cap)
{
    uint32_t best = 0;
    int n = counts_gpus(x) ? x->reader.n : 0;
    for (int i = 0; i < n; i++) {
        const struct ul_measure_place *p = &x->m->place[i];
        x->curve.device = i;
        uint32_t longest = ul_curve_longest(measure_curve_charged, &x->curve,
                                            p->limit > p->margin ? p->limit - p->margin : 0,
                                            x->m->round, cap);
        best = i == 0 || longest < best ? longest : best;
    }
    return best;
}

/* Adds a device's bends to those known, in order. */
static int add_bends(struct measuring *x, int device, uint32_t cap, uint32_t bends[32], int n)
{
    x->curve.device = device;
    int more = ul_curve_bends(measure_curve_bytes, &x->curve, STEP, cap, BEND_SLACK, bends + n,
                              32 - n);
    if (more < 0)
        return -1;
    n += more;
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && bends[k - 1] > bends[k]; k--) {
            uint32_t swap = bends[k];
            bends[k] = bends[k - 1];
            bends[k - 1] = swap;
        }
    return n;
}

static uint32_t up(uint32_t n, uint32_t step) { return (n + step - 1) / step * step; }

/* Two lengths on the piece between two bends where the answer lies, no longer than the answer. */
static void points_on_piece(struct measuring *x, uint32_t low, uint32_t longest)
{
    uint32_t a = low ? up(low + STEP, ALIGN) : SHORT_POINT;
    uint32_t b = low ? up(a + (longest > a ? (longest - a) / 2 : 0), ALIGN) : 2 * SHORT_POINT;
    if (b <= a)
        b = a + ALIGN;
    if (b > longest) { /* the piece, or the budget, is short */
        a = low ? up(low + STEP, STEP) : longest / 2 / STEP * STEP;
        b = longest;
    }
    if (a < STEP || a >= b) {
        a = longest > 2 * STEP ? longest / 2 / STEP * STEP : STEP;
        b = longest > a ? longest : 2 * STEP;
    }
    x->m->points[0] = a;
    x->m->points[1] = b;
}

/* By the plan where there is one. Returns whether the two points need a third to be trusted. */
static bool choose_points(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    uint32_t cap = m->cap ? m->cap : NO_CAP, bends[32], low = 0;
    int n = 0, gpus = measure_curve_gpus(&x->curve);
    m->points[0] = SHORT_POINT;
    m->points[1] = 2 * SHORT_POINT;
    if (x->forced[0]) {
        memcpy(m->points, x->forced, sizeof x->forced);
        return false;
    }
    if (cap < m->points[1])
        points_on_piece(x, 0, cap);
    if (!x->curve.model)
        return true;
    if (x->reader.n == 0 || gpus == 0)
        n = add_bends(x, -1, cap, bends, n);
    for (int i = 0; i < gpus && n >= 0; i++)
        n = add_bends(x, i, cap, bends, n);
    if (n < 0)
        return true;
    uint32_t longest = counts_gpus(x) ? computed_longest(x, cap) : cap;
    for (int i = 0; i < n && bends[i] < longest; i++)
        low = bends[i];
    if (low == 0 && longest >= m->points[1])
        return false;
    points_on_piece(x, low, longest ? longest : m->points[1]);
    if (low)
        ul_measure_note(m, "the computed total bends at -c %u, where one part overtakes another: "
                        "measured at %u and %u, past it", low, m->points[0], m->points[1]);
    else
        ul_measure_note(m, "little fits: measured at %u and %u", m->points[0], m->points[1]);
    return false;
}

/* ------------------------------------------------------------------ the line */

/* The largest reading at a length. */
static uint64_t reading_at(const struct ul_measurement *m, int place, uint32_t n_ctx)
{
    uint64_t most = 0;
    for (int i = 0; i < m->n_runs; i++)
        if (m->runs[i].n_ctx == n_ctx && m->runs[i].at[place].load.bytes > most)
            most = m->runs[i].at[place].load.bytes;
    return most;
}

static void draw_lines(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    bool any = false;
    m->n_ctx = UINT32_MAX;
    for (int i = 0; i < m->n_places; i++) {
        struct ul_measure_place *p = &m->place[i];
        struct ul_point a = {m->points[0], reading_at(m, i, m->points[0])};
        struct ul_point b = {m->points[1], reading_at(m, i, m->points[1])};
        if (!p->counts)
            continue;
        any = true;
        p->line = ul_line_through(a, b);
        p->longest = ul_line_longest(&p->line, p->limit > p->margin ? p->limit - p->margin : 0,
                                     m->round, m->cap ? m->cap : NO_CAP);
        m->n_ctx = p->longest < m->n_ctx ? p->longest : m->n_ctx;
    }
    m->n_ctx = any ? m->n_ctx : 0;
}

/* How far the readings at a length are from the lines, the worst of all places. */
static double off_line(const struct ul_measurement *m, uint32_t n_ctx)
{
    double worst = 0;
    for (int i = 0; i < m->n_places; i++) {
        double off = (double)reading_at(m, i, n_ctx) - ul_line_at(&m->place[i].line, n_ctx);
        if (m->place[i].counts && fabs(off) > fabs(worst))
            worst = off;
    }
    return worst;
}

/* Takes the length in place of the nearer of the two points. */
static void replace_point(struct ul_measurement *m, uint32_t n_ctx)
{
    if (n_ctx > m->points[1]) {
        m->points[0] = m->points[1];
        m->points[1] = n_ctx;
    } else {
        m->points[0] = n_ctx;
    }
}

/* Without a plan nothing says that the line is one: a third reading, well beyond the two. */
static int third_point(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    uint32_t third = m->points[1] * 2;
    int failure, status;
    draw_lines(x);
    if (third >= m->n_ctx)
        return CLI_OK;
    status = measure_runs_at(x, third, false, &failure);
    if (status)
        return status;
    double off = off_line(m, third);
    if (fabs(off) <= LINE_SLACK) {
        ul_measure_note(m, "no plan says where the total bends; a third length, %u, is on the line "
                        "(%+.2f MiB)", third, off / MIB);
        return CLI_OK;
    }
    ul_measure_note(m, "the total bends: a third length, %u, is %+.2f MiB off the line through "
                    "%u and %u; the line goes through %u and %u", third, off / MIB, m->points[0],
                    m->points[1], m->points[1], third);
    replace_point(m, third);
    return CLI_OK;
}

/* ------------------------------------------------------------------ the check */

/* The load holds what the warm-up left in the runtime's pools, which the prompt's addition is on
 * top of: what the pools come to by the plan, less what the prompt added. The rest is the
 * runtime's. */
static void split_runtime(struct measuring *x, struct ul_measure_place *p, uint64_t beside,
                          uint32_t tokens)
{
    struct ul_amount all = measure_pool(&x->curve, x->m->n_ctx, tokens, p->device);
    p->pool = (struct ul_amount){0};
    if (all.known && p->added.known && all.bytes >= p->added.bytes
        && all.bytes - p->added.bytes <= beside)
        p->pool = (struct ul_amount){all.bytes - p->added.bytes, true};
    p->runtime = (struct ul_amount){beside - p->pool.bytes, true};
}

/* What the check runs say: whether every peak is within the limits, and this machine's figures. */
static void judge(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    m->fits = true;
    for (int i = 0; i < m->n_places; i++) {
        struct ul_measure_place *p = &m->place[i];
        p->added = p->runtime = p->pool = (struct ul_amount){0};
        for (int k = 0; k < m->n_runs; k++) {
            const struct ul_measure_run *run = &m->runs[k];
            const struct ul_figure *f = &run->at[i];
            struct ul_amount inside = f->computed.known ? f->computed : f->logged;
            if (!run->check || run->n_ctx != m->n_ctx || !p->counts || !f->load.known)
                continue;
            m->fits &= f->peak.bytes <= p->limit;
            if (p->slot == UL_SLOT_LOG)
                continue; /* what was assumed is no figure of this machine's */
            if (run->prompt_tokens && f->peak.bytes - f->load.bytes >= p->added.bytes)
                p->added = (struct ul_amount){f->peak.bytes - f->load.bytes, true};
            if (inside.known && f->load.bytes >= inside.bytes)
                split_runtime(x, p, f->load.bytes - inside.bytes, run->prompt_tokens);
        }
    }
}

/* The prompt took more than was kept for it: keep that much. */
static bool widen_margins(struct ul_measurement *m)
{
    bool any = false;
    for (int i = 0; i < m->n_places; i++) {
        struct ul_measure_place *p = &m->place[i];
        if (!p->counts || !p->added.known || p->added.bytes <= p->margin)
            continue;
        ul_measure_note(m, "the prompt added %.2f MiB on %s, more than the %.2f kept for it",
                        (double)p->added.bytes / MIB, p->name, (double)p->margin / MIB);
        p->margin = p->added.bytes;
        any = true;
    }
    return any;
}

/* After a check that did not hold, or was off the line: what to change before the next. False when
 * there is no other length to try. */
static bool correct(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    uint32_t was = m->n_ctx;
    bool changed = widen_margins(m);
    if (fabs(m->worst_error) > LINE_SLACK && was != m->points[0] && was != m->points[1]) {
        ul_measure_note(m, "the load at -c %u was %+.2f MiB off the line; drawn again with that "
                        "point", was, m->worst_error / MIB);
        replace_point(m, was);
        changed = true;
    }
    if (changed)
        draw_lines(x);
    if (m->fits && m->n_ctx < was)
        m->n_ctx = was; /* it was seen to fit */
    return changed && m->n_ctx != was && m->n_ctx > 0;
}

/* Memory ran out although the line has room: the answer is shorter by half of what is unknown. */
static bool shorten(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    uint32_t known = m->points[1] < m->n_ctx ? m->points[1] : m->points[0];
    uint32_t next = (known + (m->n_ctx - known) / 2) / m->round * m->round;
    ul_measure_note(m, "out of memory at -c %u, where the line has room: something else holds "
                    "memory, or the total bends", m->n_ctx);
    bool shorter = next > 0 && next < m->n_ctx && m->n_ctx > known;
    m->n_ctx = next;
    return shorter;
}

static int check(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    for (int i = 0; i < CHECKS_MOST; i++) {
        int failure;
        int status = measure_runs_at(x, m->n_ctx, true, &failure);
        if (failure == UL_RUN_MEMORY && shorten(x))
            continue;
        if (status)
            return status;
        m->worst_error = off_line(m, m->n_ctx);
        judge(x);
        if ((m->fits && fabs(m->worst_error) <= LINE_SLACK) || !correct(x))
            break;
        fprintf(stderr, "the next check is at -c %u\n", m->n_ctx);
    }
    return CLI_OK;
}

/* ------------------------------------------------------------------ all of it */

/* What the plan computes for a prompt, or what was measured before, where it is more. */
static void take_margins(struct measuring *x)
{
    size_t n = 0;
    const ullage_plan *plan = measure_curve_at(&x->curve, SHORT_POINT);
    const ullage_device *d = plan ? ullage_plan_devices(plan, &n) : NULL;
    for (int i = 0; !x->margin && counts_gpus(x) && i < x->reader.n; i++) {
        uint64_t bytes = d[i].prompt_peak.bytes + d[i].workspace.bytes;
        if (d[i].prompt_peak.source != ULLAGE_UNKNOWN && bytes > MARGIN_LEAST)
            x->m->place[i].margin = bytes;
    }
}

int measure_method(struct measuring *x)
{
    struct ul_measurement *m = x->m;
    int failure = UL_RUN_OK;
    take_margins(x);
    bool third = choose_points(x);
    int status = measure_runs_at(x, m->points[0], false, &failure);
    if (!status && x->m->n_runs > 0 && x->m->n_runs == (int)x->repeat) {
        bool any = false;
        for (int i = 0; i < m->n_places; i++)
            any |= m->place[i].counts;
        if (!any)
            return cli_error(CLI_INPUT, "the reader '%s' cannot tell what the server holds: try "
                             "another (--reader)", m->reader);
    }
    if (!status)
        status = measure_runs_at(x, m->points[1], false, &failure);
    if (!status && third && m->points[1] == 2 * m->points[0])
        status = third_point(x);
    if (status)
        return status;
    draw_lines(x);
    if (m->n_ctx == 0) {
        ul_measure_note(m, "not even -c %u fits by the line", m->round);
        return CLI_NO_FIT;
    }
    return check(x);
}
