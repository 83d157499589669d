/* The yardstick: a sum over a file, byte by byte. Always built with -O2 and without vector code,
 * whatever the build's type, because its instructions are what others are counted against. */
#include <stdio.h>

int main(int argc, char **argv)
{
    static unsigned char block[1 << 16];
    unsigned long long sum = 0;
    size_t n;
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f)
        return 1;
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        for (const unsigned char *p = block, *end = block + n; p != end; p++)
            sum += *p;
    printf("%llu\n", sum);
    return fclose(f) != 0;
}
