/* Who holds how much memory, behind one struct. Each reader answers for a process and all that
 * descend from it, and for each device as a whole; what it cannot tell is unknown, never zero.
 *
 *   nvml     NVIDIA's library, a process's use on each GPU
 *   smi      the nvidia-smi command, where the library cannot be loaded
 *   amdgpu   Linux's own files: DRM's fdinfo for a process, mem_info_vram_used for the card
 *   host     process memory, for runs without a GPU (it comes with each of the others too)
 *
 * Where a driver tells devices' use but not processes' (containers, Windows' subsystem for Linux),
 * the process's share is the device's use less what was in use before it started. */
#ifndef UL_MEASURE_READER_H
#define UL_MEASURE_READER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define UL_READER_DEVICES 16

struct ul_amount {
    uint64_t bytes;
    bool known;
};

struct ul_reading_device {
    struct ul_amount process; /* of the process and its descendants */
    struct ul_amount total, used, free;
};

struct ul_reading {
    struct ul_reading_device device[UL_READER_DEVICES];
    struct ul_amount pss, anonymous, host_peak;
};

struct ul_reader_device {
    char name[96], id[64]; /* id: the PCI address, "0000:01:00.0", or the UUID; "" when unknown */
};

struct ul_reader;

struct ul_reader_kind {
    const char *name;
    /* Finds its devices; false when there is nothing for it here. */
    bool (*open)(struct ul_reader *r);
    void (*read)(struct ul_reader *r, pid_t top, struct ul_reading *out);
    void (*close)(struct ul_reader *r);
};

struct ul_reader {
    const struct ul_reader_kind *kind;
    const char *root; /* stands for "/"; NULL */
    struct ul_reader_device device[UL_READER_DEVICES];
    int n;
    char driver[64];
    bool difference;  /* processes are not told: device less `before` */
    struct ul_amount before[UL_READER_DEVICES];
    void *state;
};

/* The first that finds something here; `name` forces one. Errors: IO when the one that was asked
 * for finds nothing, USAGE for a name that there is not. */
int ul_reader_open(struct ul_reader *r, const char *name, const char *root, ullage_error *err);
void ul_reader_close(struct ul_reader *r);

/* What is in use before the server starts; the difference is taken from it. */
void ul_reader_before(struct ul_reader *r);

/* To be asked once the server is ready: when no device tells of the process but some device's use
 * has grown, goes over to the difference. */
void ul_reader_adapt(struct ul_reader *r, pid_t top);

/* A moment's view of a process and its descendants (top 0: of the devices only). */
void ul_reader_read(struct ul_reader *r, pid_t top, struct ul_reading *out);

extern const struct ul_reader_kind ul_reader_nvml, ul_reader_smi, ul_reader_amdgpu, ul_reader_host;

#endif
