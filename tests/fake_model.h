/* A model and a place made by hand, for tests of single rules. */
#ifndef FAKE_MODEL_H
#define FAKE_MODEL_H

#include "engine/context.h"

#include <stdio.h>

#define FAKE_LAYERS 6

struct fake {
    struct ul_arch arch;
    struct ul_model m;
    struct ul_layer layer[FAKE_LAYERS];
    struct ul_settings s;
    struct ul_machine machine;
    struct ul_place p;
    int8_t layer_device[FAKE_LAYERS + 1];
    int device_buft[1];
    struct ul_arena arena;
    struct ul_notes notes;
};

/* Six layers of 8 heads over 2 KV heads of 128 values, trained on 4096 tokens; llama-server's
 * defaults; one CUDA GPU that holds every layer. */
static inline void fake_init(struct fake *f)
{
    *f = (struct fake){0};
    f->arch.memory = UL_MEMORY_KV;
    f->m.arch = &f->arch;
    f->m.layer = f->layer;
    f->m.n_layer = f->m.n_layer_all = FAKE_LAYERS;
    f->m.n_ctx_train = 4096;
    f->m.n_embd = f->m.n_embd_out = 1024;
    f->m.n_vocab = 1000;
    f->m.n_embd_head_k_full = f->m.n_embd_head_v_full = 128;
    f->m.n_embd_head_k_swa = f->m.n_embd_head_v_swa = 128;
    f->m.n_layer_kv_from_start = -1;
    f->m.causal_attn = true;
    f->m.pooling_type = UL_POOLING_NONE;
    for (int i = 0; i < FAKE_LAYERS; i++) {
        f->layer[i].n_head = 8;
        f->layer[i].n_head_kv = 2;
    }
    f->s.n_parallel = 1;
    f->s.kv_unified = UL_AUTO;
    f->s.n_ctx = 8192;
    f->s.n_batch = 2048;
    f->s.n_ubatch = 512;
    f->s.type_k = f->s.type_v = UL_F16;
    f->s.flash_attn = UL_AUTO;
    f->s.split_mode = UL_SPLIT_LAYER;
    f->s.pooling = UL_POOLING_UNSPECIFIED;
    f->p.layer_device = f->layer_device;
    f->p.device_buft = f->device_buft;
    f->p.n_devices = f->p.n_gpus = 1;
    f->p.n_gpu_layers = FAKE_LAYERS + 1;
    f->p.n_bufts = 3;
    f->p.cpu_buft = 0;
    f->p.host_buft = 2;
    f->device_buft[0] = 1;
    f->p.buft[0] = (struct ul_buft){.name = "CPU", .kind = UL_BUFT_CPU, .device = UL_DEV_CPU, .host = true, .alignment = 32,
                                        .backend = UL_CPU, .gpu = -1};
    f->p.buft[1] = (struct ul_buft){.name = "CUDA0", .kind = UL_BUFT_DEVICE, .device = 0, .host = false, .alignment = 128,
                                        .backend = UL_CUDA, .gpu = 0};
    f->p.buft[2] = (struct ul_buft){.name = "CUDA_Host", .kind = UL_BUFT_HOST, .device = 0, .host = true, .alignment = 32,
                                        .backend = UL_CUDA, .gpu = 0};
    snprintf(f->p.device[0].name, sizeof f->p.device[0].name, "CUDA0");
    f->notes.arena = &f->arena;
}

static inline void fake_done(struct fake *f)
{
    ul_arena_free(&f->arena);
}

static inline bool fake_noted(const struct fake *f, const char *code)
{
    for (size_t i = 0; i < f->notes.n; i++)
        if (strcmp(f->notes.v[i].code, code) == 0)
            return true;
    return false;
}

#endif
