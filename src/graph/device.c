/* The table of back-ends, and the CPU's rules, which are those of ggml/src/ggml-cpu/ggml-cpu.cpp
 * (ggml_backend_cpu_device_supports_op, ggml_backend_cpu_device_supports_buft). */
#include "graph/device.h"

#include "graph/device_impl.h"
#include "graph/ops.h"

#include <stddef.h>

static uint64_t plain_size(const struct ul_hw *hw, const struct ul_tensor *t)
{
    (void)hw;
    return ul_tensor_bytes(t);
}

/* The CPU multiplies by rows of 32-bit floats, or of the type that its dot products convert to. */
static bool cpu_mul_mat(const struct ul_tensor *o)
{
    const struct ul_tensor *a = o->src[0], *b = o->src[1];
    const struct ul_type_info *info = ul_type_info(a->type);
    return b->type == UL_F32 || (info && !info->quantized && a->type == b->type);
}

static bool cpu_supports_op(const struct ul_hw *hw, const struct ul_tensor *o)
{
    (void)hw;
    switch (o->op) {
    case UL_OP_CPY: case UL_OP_SET_ROWS:
        return o->type != UL_IQ3_XXS && o->type != UL_IQ3_S && o->type != UL_IQ2_XXS &&
               o->type != UL_IQ2_XS && o->type != UL_IQ2_S && o->type != UL_IQ1_S &&
               o->type != UL_IQ1_M;
    case UL_OP_MUL_MAT:
        return cpu_mul_mat(o);
    case UL_OP_CONV_2D:
        return ul_tensor_contiguous(o->src[0]);
    case UL_OP_SSM_SCAN:
        return o->p[0] <= 1 || o->src[3]->ne[0] == 1;
    default:
        return true;
    }
}

/* get_op_batch_size and GGML_OP_OFFLOAD_MIN_BATCH's default (ggml-cuda.cu; the other back-ends have
 * the same rule). */
static bool large_batch(const struct ul_hw *hw, const struct ul_tensor *o)
{
    (void)hw;
    const int64_t least = 32;
    switch (o->op) {
    case UL_OP_GET_ROWS:
        return false;
    case UL_OP_MUL_MAT:
        return o->ne[1] >= least;
    case UL_OP_MUL_MAT_ID: case UL_OP_ROPE: case UL_OP_ROPE_BACK:
        return o->ne[2] >= least;
    default:
        return ul_tensor_rows(o) >= least;
    }
}

const struct ul_backend_rules ul_backend_rules[UL_BACKEND_COUNT] = {
    [UL_CUDA] = {.name = "CUDA", .alignment = 128, .host_alignment = 32, .max_buffer = UL_NO_LIMIT,
                 .alloc_size = ul_cuda_alloc_size, .supports_op = ul_cuda_supports_op,
                 .offload_op = large_batch, .optimize = ul_fuse_cuda},
    [UL_ROCM] = {.name = "ROCm", .alignment = 128, .host_alignment = 32, .max_buffer = UL_NO_LIMIT,
                 .modelled = true, .alloc_size = ul_cuda_alloc_size,
                 .supports_op = ul_cuda_supports_op, .offload_op = large_batch,
                 .optimize = ul_fuse_cuda},
    /* The alignments are the device's (minStorageBufferOffsetAlignment, minMemoryMapAlignment):
     * usual ones stand here. Host memory is made 32 bytes larger, as the CPU's would be
     * (ggml_backend_vk_host_buffer_type_alloc_buffer). */
    [UL_VULKAN] = {.name = "Vulkan", .alignment = 16, .host_alignment = 64, .host_extra = 32,
                   .max_buffer = (uint64_t)1 << 30, .modelled = true, .alloc_size = plain_size,
                   .supports_op = ul_vulkan_supports_op, .offload_op = large_batch,
                   .optimize = ul_reorder_vulkan},
    [UL_METAL] = {.name = "MTL", .alignment = 32, .max_buffer = UL_NO_LIMIT, .modelled = true,
                  .alloc_size = ul_metal_alloc_size, .supports_op = ul_metal_supports_op,
                  .offload_op = ul_metal_offload_op, .optimize = ul_reorder_metal},
    [UL_SYCL] = {.name = "SYCL", .alignment = 128, .host_alignment = 32, .max_buffer = UL_NO_LIMIT,
                 .modelled = true, .alloc_size = plain_size, .supports_op = ul_cuda_supports_op,
                 .offload_op = large_batch},
    [UL_CPU] = {.name = "CPU", .alignment = 32, .max_buffer = UL_NO_LIMIT,
                .alloc_size = plain_size, .supports_op = cpu_supports_op},
};

uint64_t ul_alloc_size(const struct ul_hw *hw, const struct ul_tensor *t)
{
    return ul_backend_rules[hw->backend].alloc_size(hw, t);
}

uint64_t ul_alloc_size_of(enum ul_backend backend, enum ul_type type, const int64_t ne[4])
{
    const struct ul_hw hw = {.backend = backend};
    const struct ul_type_info *info = ul_type_info(type);
    struct ul_tensor t = {.type = (uint8_t)type};
    t.nb[0] = info ? info->bytes : 0;
    for (int i = 0; i < 4; i++) {
        t.ne[i] = ne[i];
        if (i)
            t.nb[i] = i == 1 ? ul_row_bytes(type, (uint64_t)ne[0])
                             : ul_mul(t.nb[i - 1], (uint64_t)ne[i - 1]);
    }
    return ul_alloc_size(&hw, &t);
}

/* A source in another device's memory cannot be read; one in repacked memory only by the CPU's
 * matrix products, whose other source must be plain floats in host memory
 * (ggml-cpu/repack.cpp: extra_buffer_type::supports_op). */
bool ul_supports_op(const struct ul_hw *hw, const struct ul_tensor *op,
                    const struct ul_buffer_type *bufts)
{
    if (op->op == UL_OP_NONE || ul_op_is_view(op->op))
        return true;
    int n = !bufts ? 0 : op->n_src ? op->n_src : UL_MAX_SRC;
    for (int i = 0; i < n; i++) {
        const struct ul_tensor *s = op->src[i];
        if (!s || s->place < 0 || s->view_src)
            continue;
        const struct ul_buffer_type *b = &bufts[s->place];
        if (hw->backend == UL_CPU && b->extra)
            return i == 0 && op->src[1] && op->src[1]->type == UL_F32 &&
                   (op->op == UL_OP_MUL_MAT || op->op == UL_OP_MUL_MAT_ID);
        if (hw->backend != UL_CPU && !b->host && !b->extra && b->device != hw->index)
            return false;
    }
    return ul_backend_rules[hw->backend].supports_op(hw, op);
}

bool ul_supports_buft(const struct ul_hw *hw, const struct ul_buffer_type *b)
{
    if (hw->backend == UL_CPU)
        return b->host || b->extra;
    return b->backend == hw->backend && b->device == hw->index && !b->host && !b->extra;
}

bool ul_offload_op(const struct ul_hw *hw, const struct ul_tensor *op)
{
    const struct ul_backend_rules *r = &ul_backend_rules[hw->backend];
    return r->offload_op && r->offload_op(hw, op);
}
