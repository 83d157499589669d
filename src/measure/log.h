/* What a llama.cpp program's log says of memory. Lines carry a time and a level in newer builds and
 * none in older ones; what follows is read in either. */
#ifndef UL_MEASURE_LOG_H
#define UL_MEASURE_LOG_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define UL_LOG_BUFFERS 128
#define UL_LOG_DEVICES 16

struct ul_log_buffer {
    char buffer[64], kind[32]; /* "CUDA0"; "model", "kv", "rs", "output", "compute" */
    double mib;                /* the sum of its lines, each rounded to 0.01 */
    int lines;
};

struct ul_log_device {
    char name[32], description[96], id[32]; /* "CUDA0", "NVIDIA A100 80GB PCIe", "0000:01:00.0" */
    double total_mib, free_mib;             /* 0: not said */
    bool used;                              /* the model was put on it: "using device" */
};

struct ul_log {
    struct ul_log_buffer buffer[UL_LOG_BUFFERS];
    int n_buffers;
    struct ul_log_device device[UL_LOG_DEVICES];
    int n_devices;
    char build[128];                        /* "11669 (Debian) with GNU 16.2.0 for ..." */
    uint32_t n_ctx, n_ctx_slot, n_slots, n_vocab;
    bool out_of_memory;
};

/* Reads one line, without its end, into what is known so far. */
void ul_log_line(struct ul_log *log, const char *line);

/* Reads a file of lines; false when it cannot be opened. */
bool ul_log_file(struct ul_log *log, const char *path);

/* The line of the file that best says why the program failed, or its last; "" for none. */
void ul_log_reason(const char *path, char *out, size_t size);

#endif
