/* The method's arithmetic: a line through two readings, and the longest context on it that fits.
 * And where a computed curve of a total over the context's length bends, so that the two readings
 * are taken on the same straight piece as the answer. */
#ifndef UL_MEASURE_LINE_H
#define UL_MEASURE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ul_point {
    uint32_t n_ctx;
    uint64_t bytes;
};

struct ul_line {
    struct ul_point from;
    double slope; /* bytes a token */
};

/* The points' lengths differ. */
struct ul_line ul_line_through(struct ul_point a, struct ul_point b);
double ul_line_at(const struct ul_line *line, uint32_t n_ctx);

/* The longest length, a multiple of `round` and at most `cap` (0: no cap), where the line is within
 * `limit`; 0 when not even `round` is. A line that does not rise fits up to the cap. */
uint32_t ul_line_longest(const struct ul_line *line, uint64_t limit, uint32_t round, uint32_t cap);

/* A total at a length; false when it is unknown. */
typedef bool (*ul_curve)(void *context, uint32_t n_ctx, uint64_t *bytes);

/* The longest multiple of `round` up to `cap` where the curve is within the limit (0: none). The
 * curve does not fall. */
uint32_t ul_curve_longest(ul_curve curve, void *context, uint64_t limit, uint32_t round,
                          uint32_t cap);

/* Lengths, multiples of `step` up to `cap`, where the curve's slope changes by more than what
 * rounding to `slack` bytes explains; at most `most`, in order. How many, or -1 when the curve is
 * unknown somewhere. */
int ul_curve_bends(ul_curve curve, void *context, uint32_t step, uint32_t cap, uint64_t slack,
                   uint32_t *bends, int most);

#endif
