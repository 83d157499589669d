/* Sizes are uint64_t bytes. Arithmetic on them saturates: UL_SIZE_OVERFLOW is sticky through every
 * add and multiply, so a chain of operations is checked once, at its end. */
#ifndef UL_BASE_SIZE_H
#define UL_BASE_SIZE_H

#include <stdint.h>

#define UL_SIZE_OVERFLOW UINT64_MAX

static inline uint64_t ul_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UL_SIZE_OVERFLOW : a + b;
}

static inline uint64_t ul_mul(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    return a > UINT64_MAX / b ? UL_SIZE_OVERFLOW : a * b;
}

/* x rounded up to a multiple of n (n > 0). */
static inline uint64_t ul_pad(uint64_t x, uint64_t n)
{
    uint64_t r = x % n;
    return r == 0 ? x : ul_add(x, n - r);
}

static inline uint64_t ul_min(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t ul_max(uint64_t a, uint64_t b) { return a > b ? a : b; }

#endif
