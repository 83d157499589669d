/* A weightless model file from a header, for runs of the engine on simulated GPUs:
 *
 *     stub HEADER.gguf OUT.gguf [--keep-vocabulary]
 *
 * A vocabulary is made up when the header has none, unless it is to be kept so. */
#include "measure/stub.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct ul_stub stub;
    ullage_error err = {0};
    bool keep = argc == 4 && strcmp(argv[3], "--keep-vocabulary") == 0;
    if (argc != 3 && !keep) {
        fprintf(stderr, "usage: stub HEADER.gguf OUT.gguf [--keep-vocabulary]\n");
        return 2;
    }
    if (ul_stub_write(&stub, argv[1], argv[2], keep ? UL_STUB_KEEP : UL_STUB_MISSING, &err)) {
        fprintf(stderr, "stub: %s\n", err.message);
        return 1;
    }
    printf("%s: header %" PRIu64 " bytes, file %" PRIu64 " bytes, %" PRIu64 " tensors, %" PRIu32
           " tokens made up\n", argv[2], stub.header_bytes, stub.file_bytes, stub.n_tensors,
           stub.n_vocab);
    return 0;
}
