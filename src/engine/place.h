/* Where every weight goes, and the model buffers that follow: which devices take part, which layer
 * is on which, which buffer type takes each weight, and the bytes of each buffer as the engine
 * allocates or maps it. Source: src/llama-model.cpp (load_tensors, make_cpu_buft_list,
 * make_gpu_buft_list), src/llama-model-loader.cpp (create_tensor, weight_buft_supported,
 * get_mapping_range), src/llama.cpp (llama_prepare_model_devices). */
#ifndef UL_ENGINE_PLACE_H
#define UL_ENGINE_PLACE_H

#include "engine/machine.h"
#include "engine/settings.h"
#include "model/model.h"

#define UL_DEV_CPU (-1)       /* a layer, or a buffer type, of the host */
#define UL_MAX_BUFTS (2 * UL_MAX_DEVICES + 8)

/* A device that the engine uses, in its order. With -sm tensor there is one, the "Meta()" device,
 * which stands for several GPUs. */
struct ul_device {
    char name[16];            /* "CUDA0", "Vulkan1", "Meta()" */
    enum ul_backend backend;
    uint32_t gpu;             /* index into ul_machine.gpu; Meta: the first of its GPUs */
    uint64_t free_bytes;      /* as the engine sees it: total - used - runtime */
};

enum ul_buft_kind {
    UL_BUFT_CPU,              /* plain host memory; mapped weights are logged as CPU_Mapped */
    UL_BUFT_HOST,             /* pinned host memory of a device's runtime: CUDA_Host */
    UL_BUFT_REPACK,           /* CPU_REPACK */
    UL_BUFT_AMX,              /* AMX */
    UL_BUFT_DEVICE,           /* a GPU's memory: CUDA0 ... */
    UL_BUFT_META              /* -sm tensor */
};

struct ul_buft {
    char name[16];            /* the engine's name of the buffer type */
    enum ul_buft_kind kind;
    enum ul_backend backend;  /* whose memory it is; pinned memory: whose runtime pins it */
    int device;               /* index into ul_place.device; UL_DEV_CPU: of the host, or (-ot) of a
                                 GPU that takes no other part */
    int gpu;                  /* index into ul_machine.gpu, -1: of the host */
    bool host;                /* its memory is the host's, and the CPU can use it as it is */
    uint64_t alignment;       /* of tensors in it */
};

/* A tensor that the engine creates. A weight of the file may give several: the token embedding that
 * is also the output, rope factors that each device has for its layers. */
struct ul_placed {
    const struct ul_weight *weight;
    int layer;                /* the first layer it was created for; -1: none */
    int16_t buft;             /* index into ul_place.buft */
    enum ul_use use;          /* the operation that decided */
    bool copy;                /* made besides the first one */
    bool lazy;                /* read row by row from the file on demand (-lzm) */
};

enum ul_model_buffer_kind { UL_BUFFER_MODEL, UL_BUFFER_MOE_CACHE };

/* Buffers of one kind and buffer type. */
struct ul_model_buffer {
    const char *name; /* as llama.cpp logs it: CUDA0, CPU_Mapped, CUDA_Host, CPU_REPACK ... */
    enum ul_model_buffer_kind kind;
    int16_t buft;             /* index into ul_place.buft */
    bool mapped;              /* pieces of the mapped files, not copies */
    uint32_t count;           /* allocations or mapped pieces */
    uint64_t bytes; /* their sum; Meta: the largest device's share, as the engine prints it */
    uint64_t share[UL_MAX_DEVICES]; /* Meta: bytes on each GPU of ul_place.gpus */
};

struct ul_place {
    struct ul_device device[UL_MAX_DEVICES];
    uint32_t n_devices;
    uint32_t gpus[UL_MAX_DEVICES]; /* the GPUs in use, as indices into ul_machine.gpu */
    uint32_t n_gpus; /* n_devices, but with -sm tensor the GPUs behind the Meta device */

    int n_gpu_layers;         /* resolved: at most n_layer_all + 1 */
    int i_gpu_start;          /* the first layer on a GPU */
    int8_t *layer_device;     /* n_layer_all + 1 of them, the output layer last: index into device,
                                 or UL_DEV_CPU */
    struct ul_buft buft[UL_MAX_BUFTS];
    uint32_t n_bufts;
    int cpu_buft;             /* the index of the plain CPU buffer type */
    int host_buft;            /* of the first device's pinned host memory, -1 when there is none */
    int *device_buft;         /* n_devices: each device's own buffer type */

    struct ul_placed *tensors; /* in the file's order; a weight's copies follow it */
    size_t n_tensors;
    uint32_t *first; /* by weight index: its first entry in tensors, UINT32_MAX: not created */

    struct ul_model_buffer *buffers;
    size_t n_buffers;
    /* By layer (n_layer_all + 1, the output and what is of no layer last) and device: bytes of
     * weights without padding; [layer * (n_devices + 1) + device], the host's column last. */
    uint64_t *layer_bytes;
    bool use_mmap;            /* resolved -lm */
    bool modelled;            /* some rule used is not confirmed by a recorded figure */
    bool cpu_unknown;         /* a weight's buffer depends on the CPU, which the machine does not
                                 name: it was taken for one that repacks nothing */
};

/* Places all weights. Everything lives in the arena. Errors: REFUSED, with the engine's reason. */
int ul_place_make(struct ul_place *p, const struct ul_model *m, const struct ul_settings *s,
                  const struct ul_machine *machine, struct ul_arena *a, ullage_error *err);

/* --moe-cache-mib: appends the buffers that cache experts on the GPUs, once the caches are known.
 * taken[i]: bytes that weights and caches hold of device i, as its driver charges them. Errors:
 * REFUSED. */
int ul_place_moe_cache(struct ul_place *p, const struct ul_model *m, const struct ul_settings *s,
                       const uint64_t *taken, struct ul_arena *a, ullage_error *err);

/* Bytes that each buffer of a type is made larger than what is in it. */
static inline uint64_t ul_buft_extra(const struct ul_buft *b)
{
    return b->kind == UL_BUFT_HOST ? ul_backend_rules[b->backend].host_extra : 0;
}

/* "CUDA1": the index of a GPU of the machine by its engine name, or -1; and the name itself. */
int ul_gpu_by_name(const struct ul_machine *machine, const char *name);
void ul_gpu_name(const struct ul_machine *machine, uint32_t gpu, char *out, size_t size);

/* The buffer type (index into p->buft) of a weight (or of a weight's twin) as used by `layer` (-1:
 * its own), or -1 when the engine does not create it. */
int ul_place_of(const struct ul_place *p, const struct ul_model *m, const struct ul_weight *w,
                int layer);

#endif
