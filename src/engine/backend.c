/* Back-end rules about weights.
 *
 * The engine asks a device "could you run this operation if its weight lay in your memory?" by
 * building the one operation and asking the back-end. Here too: the operation is put together from
 * a few tensors on the stack, and the rules that the scheduler uses answer (graph/device.h). What
 * the CPU repacks depends on which of its variants runs, so that is a table of its own. */
#include "engine/backend.h"

#include "base/size.h"
#include "graph/ops.h"

/* ------------------------------------------------------------------ CPU variants */

#define X86_512 (UL_CPU_AVX2 | UL_CPU_AVX512)
#define X86_VNNI (X86_512 | UL_CPU_AVX512_VNNI)
#define ARM_DOT (UL_CPU_NEON | UL_CPU_DOTPROD)
#define ARM_I8MM (ARM_DOT | UL_CPU_I8MM)

/* ggml/src/CMakeLists.txt: ggml_add_cpu_backend_variant. On x86 the engine ships all; on ARM those
 * of its system. Confirmed: the pinned engine's own library of that name was asked for every type,
 * operation and number of rows; the others could not be loaded on the machine at hand. */
static const struct ul_cpu_variant variants[] = {
    {"x64", 0, true},
    {"sse42", 0, true},
    {"sandybridge", 0, true},
    {"ivybridge", 0, true},
    {"piledriver", 0, true},
    {"haswell", UL_CPU_AVX2, true},
    {"skylakex", X86_512, true},
    {"cannonlake", X86_512, true},
    {"cascadelake", X86_VNNI, true},
    {"icelake", X86_VNNI, true},
    {"cooperlake", X86_VNNI, true},
    {"zen4", X86_VNNI, true},
    {"alderlake", UL_CPU_AVX2, false},
    {"sapphirerapids", X86_VNNI | UL_CPU_AMX, false},
    {"armv8.0_1", UL_CPU_NEON, false},
    {"armv8.2_1", ARM_DOT, false},
    {"armv8.2_2", ARM_DOT, false},
    {"armv8.2_3", ARM_DOT | UL_CPU_SVE, false},
    {"armv8.6_1", ARM_I8MM | UL_CPU_SVE, false},
    {"armv8.6_2", ARM_I8MM | UL_CPU_SVE, false},
    {"armv9.2_1", ARM_I8MM | UL_CPU_SVE, false},
    {"armv9.2_2", ARM_I8MM | UL_CPU_SVE, false},
    {"android_armv8.0_1", UL_CPU_NEON, false},
    {"android_armv8.2_1", ARM_DOT, false},
    {"android_armv8.2_2", ARM_DOT, false},
    {"android_armv8.6_1", ARM_I8MM, false},
    {"android_armv9.0_1", ARM_I8MM | UL_CPU_SVE, false},
    {"android_armv9.2_1", ARM_I8MM | UL_CPU_SVE, false},
    {"android_armv9.2_2", ARM_I8MM | UL_CPU_SVE, false},
    {"apple_m1", ARM_DOT, false},
    {"apple_m2_m3", ARM_I8MM, false},
    {"apple_m4", ARM_I8MM, false},
    {"power0", 0, false},
    {"power7_1", 0, false},
    {"power7_2", 0, false},
    {"power8_1", 0, false},
    {"power8_2", 0, false},
    {"power9", 0, false},
    {"power10", 0, false},
    {"power11", 0, false},
    {"z15", 0, false},
    {"z16", 0, false},
    {"riscv64_0", 0, false},
    {"riscv64_v", UL_CPU_RVV, false},
};

const struct ul_cpu_variant *ul_cpu_variant_at(size_t i)
{
    return i < sizeof variants / sizeof *variants ? &variants[i] : NULL;
}

const struct ul_cpu_variant *ul_cpu_variant_find(const char *name)
{
    for (size_t i = 0; ul_cpu_variant_at(i); i++)
        if (strcmp(variants[i].name, name) == 0)
            return &variants[i];
    return NULL;
}

static int dims_of(const uint64_t ne[4])
{
    int n = 4;
    while (n > 1 && ne[n - 1] == 1)
        n--;
    return n;
}

/* ggml-cpu/repack.cpp: ggml_repack_get_optimal_repack_type. One row a type: what the CPU must have,
 * and what the number of rows must be a multiple of. (Q4_0 on SVE is the same as on I8MM but for
 * the multiple, and needs vectors of 256 bits, which no name tells; RISC-V likewise.) */
static const struct repack {
    uint8_t type;
    uint16_t needs;
    uint8_t rows;
} repacks[] = {
    {UL_Q4_0, UL_CPU_AVX2, 8},
    {UL_Q4_0, ARM_I8MM & ~UL_CPU_DOTPROD, 4},
    {UL_Q4_0, ARM_DOT, 4},
    {UL_Q4_K, UL_CPU_AVX2, 8},
    {UL_Q4_K, ARM_I8MM & ~UL_CPU_DOTPROD, 8},
    {UL_Q4_K, ARM_DOT, 8},
    {UL_Q2_K, UL_CPU_AVX512, 8},
    {UL_Q5_K, ARM_I8MM & ~UL_CPU_DOTPROD, 8},
    {UL_Q5_K, ARM_DOT, 8},
    {UL_Q6_K, ARM_I8MM & ~UL_CPU_DOTPROD, 8},
    {UL_Q6_K, ARM_DOT, 8},
    {UL_IQ4_NL, UL_CPU_AVX2, 8},
    {UL_IQ4_NL, ARM_DOT, 4},
    {UL_MXFP4, UL_CPU_AVX2, 8},
    {UL_MXFP4, ARM_DOT, 4},
    {UL_Q8_0, ARM_I8MM & ~UL_CPU_DOTPROD, 4},
    {UL_Q8_0, ARM_DOT, 4},
};

/* ggml-cpu/repack.cpp: extra_buffer_type::supports_op. Matrices, and stacks of experts. */
bool ul_repack_takes(unsigned features, enum ul_use use, enum ul_type type, const uint64_t ne[4])
{
    int dims = dims_of(ne);
    if (!(use == UL_USE_MUL_MAT && dims == 2) && !(use == UL_USE_MUL_MAT_ID && dims == 3))
        return false;
    for (size_t i = 0; i < sizeof repacks / sizeof *repacks; i++) {
        const struct repack *r = &repacks[i];
        if (r->type == type && (features & r->needs) == r->needs && ne[1] % r->rows == 0)
            return true;
    }
    return false;
}

/* ggml-cpu/amx/amx.cpp: extra_buffer_type::supports_op. */
bool ul_amx_takes(enum ul_use use, enum ul_type type, const uint64_t ne[4])
{
    if (use != UL_USE_MUL_MAT || ne[1] % 32 != 0)
        return false;
    switch (type) {
    case UL_Q4_0: case UL_Q4_1: case UL_Q8_0:
        return ne[0] % 32 == 0;
    case UL_Q4_K: case UL_Q5_K: case UL_Q6_K: case UL_IQ4_XS:
        return ne[0] % 256 == 0;
    case UL_F16:
        return ne[0] % 16 == 0;
    default:
        return false;
    }
}

/* ggml-cpu/amx/mmq.cpp: ggml_backend_amx_get_alloc_size, get_row_size. Some blocks grow when they
 * are packed; only the first two dimensions count. */
uint64_t ul_amx_bytes(enum ul_type type, const uint64_t ne[4])
{
    if (type == UL_F16)
        return ul_shape_bytes(type, ne);
    const struct ul_type_info *info = ul_type_info(type);
    uint64_t extra = type == UL_Q8_0 || type == UL_Q4_K || type == UL_Q5_K ? 4
                     : type == UL_IQ4_XS                                  ? 2
                                                                          : 0;
    return ul_mul(ul_mul(ne[0] / info->block, info->bytes + extra), ne[1]);
}

/* ------------------------------------------------------------------ trying a device out */

uint64_t ul_shape_bytes(enum ul_type type, const uint64_t ne[4])
{
    return ul_mul(ul_mul(ul_row_bytes(type, ne[0]), ne[1]), ul_mul(ne[2], ne[3]));
}

const char *ul_host_buffer_name(enum ul_backend backend)
{
    switch (backend) {
    case UL_CUDA: return "CUDA_Host";
    case UL_VULKAN: return "Vulkan_Host";
    case UL_ROCM: return "ROCm_Host";
    case UL_SYCL: return "SYCL_Host";
    default: return NULL;
    }
}

bool ul_backend_maps_files(enum ul_backend backend)
{
    return backend == UL_METAL || backend == UL_CPU;
}

/* A tensor of the trial: contiguous, in no buffer. */
static struct ul_tensor shape(enum ul_type type, uint64_t n0, uint64_t n1, uint64_t n2, uint64_t n3)
{
    struct ul_tensor t = {.type = (uint8_t)type, .place = -1, .backend = -1};
    const uint64_t ne[4] = {n0, n1, n2, n3};
    t.nb[0] = ul_type_info(type)->bytes;
    for (int i = 0; i < 4; i++) {
        t.ne[i] = (int64_t)ne[i];
        if (i > 0)
            t.nb[i] = i == 1 ? ul_row_bytes(type, n0) : ul_mul(t.nb[i - 1], ne[i - 1]);
    }
    return t;
}

#define TRIAL_TOKENS 512
#define TRIAL_SEQS 3
#define F32(...) shape(UL_F32, __VA_ARGS__)

/* ssm_a is the scan's fourth source; it tells Mamba 1 (a value a state) from Mamba 2 (one a
 * head). */
static bool takes_scan(const struct ul_hw *hw, struct ul_tensor *w, const struct ul_trial *d)
{
    uint64_t state = w->ne[0] == 1 ? d->ssm_d_state : (uint64_t)w->ne[0];
    uint64_t heads = (uint64_t)w->ne[1];
    uint64_t head = heads ? d->ssm_d_inner / heads : 0;
    uint64_t groups = d->ssm_n_group ? d->ssm_n_group : 1;
    struct ul_tensor s = F32(state, head, heads, TRIAL_SEQS);
    struct ul_tensor x = F32(head, heads, TRIAL_TOKENS, TRIAL_SEQS);
    struct ul_tensor dt = F32(heads, TRIAL_TOKENS, TRIAL_SEQS, 1);
    struct ul_tensor b = F32(state, groups, TRIAL_TOKENS, TRIAL_SEQS);
    struct ul_tensor ids = shape(UL_I32, TRIAL_SEQS, 1, 1, 1);
    struct ul_tensor o = F32(head, heads, TRIAL_TOKENS, TRIAL_SEQS);
    o.op = UL_OP_SSM_SCAN;
    o.p[0] = 1;
    o.src[0] = &s;
    o.src[1] = &x;
    o.src[2] = &dt;
    o.src[3] = w;
    o.src[4] = o.src[5] = &b;
    o.src[6] = &ids;
    return ul_supports_op(hw, &o, NULL);
}

static bool takes2(const struct ul_hw *hw, enum ul_op op, struct ul_tensor o, struct ul_tensor *a,
                   struct ul_tensor *b)
{
    o.op = (uint8_t)op;
    o.src[0] = a;
    o.src[1] = b;
    return ul_supports_op(hw, &o, NULL);
}

static bool takes3(const struct ul_hw *hw, enum ul_op op, struct ul_tensor o, struct ul_tensor *a,
                   struct ul_tensor *b, struct ul_tensor *c)
{
    o.src[2] = c;
    return takes2(hw, op, o, a, b);
}

static bool takes_product(const struct ul_hw *hw, struct ul_tensor *w, uint64_t used, bool by_id)
{
    uint64_t n0 = (uint64_t)w->ne[0], n1 = (uint64_t)w->ne[1];
    uint64_t n2 = (uint64_t)w->ne[2], n3 = (uint64_t)w->ne[3];
    struct ul_tensor ids = shape(UL_I32, used, TRIAL_TOKENS, 1, 1);
    struct ul_tensor x = by_id ? F32(n0, used, TRIAL_TOKENS, 1) : F32(n0, TRIAL_TOKENS, n2, n3);
    struct ul_tensor o = by_id ? F32(n1, used, TRIAL_TOKENS, 1) : F32(n1, TRIAL_TOKENS, n2, n3);
    if (by_id)
        return takes3(hw, UL_OP_MUL_MAT_ID, o, w, &x, &ids);
    return takes2(hw, UL_OP_MUL_MAT, o, w, &x);
}

bool ul_device_takes(const struct ul_hw *hw, enum ul_use use, enum ul_type type,
                     const uint64_t ne[4], const struct ul_trial *d)
{
    struct ul_tensor w = shape(type, ne[0], ne[1], ne[2], ne[3]);
    struct ul_tensor same = F32(ne[0], ne[1], ne[2], ne[3]); /* an operand of the weight's shape */
    struct ul_tensor ids = shape(UL_I32, TRIAL_TOKENS, 1, 1, 1), x;
    switch (use) {
    case UL_USE_MUL_MAT: return takes_product(hw, &w, 0, false);
    case UL_USE_MUL_MAT_ID: return takes_product(hw, &w, d->n_expert_used, true);
    case UL_USE_GET_ROWS:
        return takes2(hw, UL_OP_GET_ROWS, F32(ne[0], TRIAL_TOKENS, 1, 1), &w, &ids);
    case UL_USE_ADD: return takes2(hw, UL_OP_ADD, same, &same, &w);
    case UL_USE_MUL: return takes2(hw, UL_OP_MUL, same, &same, &w);
    case UL_USE_DIV:
        x = F32(ne[0], 1, 1, 1);
        return takes2(hw, UL_OP_DIV, x, &x, &w);
    case UL_USE_ADD_ID:
        x = F32(ne[0], d->n_expert_used, TRIAL_TOKENS, 1);
        return takes3(hw, UL_OP_ADD_ID, x, &x, &w, &ids);
    case UL_USE_ROPE:
        x = F32(d->n_embd_head_v, d->n_head, TRIAL_TOKENS, 1);
        return takes3(hw, UL_OP_ROPE, x, &x, &ids, &w);
    case UL_USE_SSM_CONV:
        x = F32(ne[0] - 1 + TRIAL_TOKENS, ne[1], TRIAL_SEQS, 1);
        return takes2(hw, UL_OP_SSM_CONV, F32(ne[1], TRIAL_TOKENS, TRIAL_SEQS, 1), &x, &w);
    case UL_USE_SSM_SCAN: return takes_scan(hw, &w, d);
    case UL_USE_IM2COL:
        x = F32(d->n_embd_inp, ne[1], 1, 1);
        return takes2(hw, UL_OP_IM2COL, shape(UL_F16, ne[0] * ne[1], d->n_embd_inp, 1, 1), &w, &x);
    case UL_USE_SCALE: return takes2(hw, UL_OP_SCALE, w, &w, NULL);
    default: return true; /* RWKV_WKV6: its shapes are fixed, and every back-end runs it */
    }
}
