/* The buffers that a program held, to the byte: the log says what each is for and rounds its size,
 * the list of buffers (simgpu/preload.c) has the exact size and not what for. Here each line of
 * the log is given the entries of the list that make it up. */
#ifndef UL_MEASURE_SEEN_H
#define UL_MEASURE_SEEN_H

#include "measure/evidence.h"

#define UL_SEEN_PARTS 512

struct ul_seen_buffer {
    const char *buffer, *kind; /* the evidence's */
    uint64_t bytes;
    uint32_t count;
    bool exact;                /* else the log's figure, rounded */
};

struct ul_seen_part {
    char device[64];           /* "CUDA0"; "Host" */
    const char *kind;
    uint64_t bytes, charged;   /* charged: in the driver's steps */
};

struct ul_seen {
    struct ul_seen_buffer buffer[UL_EV_BUFFERS];
    struct ul_seen_part part[UL_SEEN_PARTS];
    int n_buffers, n_parts;
    int rounded;               /* buffers that are not exact */
    double other_mib;          /* of other models and contexts, which are not among them */
};

/* `trace` is read up to `most` bytes (0: all of it). False when memory is out. */
bool ul_seen_make(struct ul_seen *seen, const struct ul_evidence *e, const char *trace,
                  uint64_t most);

#endif
