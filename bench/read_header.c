/* The reader alone: opens a GGUF file and prints what it counted. */
#include "source/gguf.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct ul_arena a = {0};
    struct ul_gguf g;
    ullage_error e = {0};
    if (argc < 2 || ul_gguf_open(&g, argv[1], &a, &e) != ULLAGE_OK) {
        fprintf(stderr, "%s\n", e.message);
        return 3;
    }
    printf("%zu keys, %zu tensors\n", g.n_kv, g.n_tensors);
    ul_arena_free(&a);
    return 0;
}
