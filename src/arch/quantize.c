/* The mixes of llama-quantize. See quantize.h.
 *
 * A mix is a type for most matrices and exceptions by what a tensor is for: the output and the
 * embedding, attention's values, the feed-forward block's way down. Some exceptions count the
 * tensors of a kind that came before, in the order of the engine's tensor map, so a file is walked
 * as a whole. The rules are tables where they are regular, and functions named like the kinds where
 * not. Source: src/llama-quant.cpp: llama_tensor_get_type_impl. */
#include "arch/quantize.h"

#include "arch/arch.h"
#include "model/convert.h"

#include <stdlib.h>

/* enum llama_ftype (include/llama.h), those that llama-quantize offers. */
enum ftype {
    F_F32 = 0, F_F16 = 1, F_Q4_0 = 2, F_Q4_1 = 3, F_Q8_0 = 7, F_Q5_0 = 8, F_Q5_1 = 9, F_Q2_K = 10,
    F_Q3_K_S = 11, F_Q3_K_M = 12, F_Q3_K_L = 13, F_Q4_K_S = 14, F_Q4_K_M = 15, F_Q5_K_S = 16,
    F_Q5_K_M = 17, F_Q6_K = 18, F_IQ2_XXS = 19, F_IQ2_XS = 20, F_Q2_K_S = 21, F_IQ3_XS = 22,
    F_IQ3_XXS = 23, F_IQ1_S = 24, F_IQ4_NL = 25, F_IQ3_S = 26, F_IQ3_M = 27, F_IQ2_S = 28,
    F_IQ2_M = 29, F_IQ4_XS = 30, F_IQ1_M = 31, F_BF16 = 32, F_TQ1_0 = 36, F_TQ2_0 = 37,
    F_MXFP4_MOE = 38, F_Q1_0 = 40, F_Q2_0 = 41
};

static const struct ul_quant quants[] = {
    {"Q1_0", F_Q1_0, UL_Q1_0, false, false},
    {"Q2_0", F_Q2_0, UL_Q2_0, false, false},
    {"Q4_0", F_Q4_0, UL_Q4_0, false, false},
    {"Q4_1", F_Q4_1, UL_Q4_1, false, false},
    {"MXFP4_MOE", F_MXFP4_MOE, UL_MXFP4, false, false},
    {"Q5_0", F_Q5_0, UL_Q5_0, false, false},
    {"Q5_1", F_Q5_1, UL_Q5_1, false, false},
    {"IQ2_XXS", F_IQ2_XXS, UL_IQ2_XXS, false, true},
    {"IQ2_XS", F_IQ2_XS, UL_IQ2_XS, false, true},
    {"IQ2_S", F_IQ2_S, UL_IQ2_XS, false, true},
    {"IQ2_M", F_IQ2_M, UL_IQ2_S, false, true},
    {"IQ1_S", F_IQ1_S, UL_IQ1_S, false, true},
    {"IQ1_M", F_IQ1_M, UL_IQ1_M, false, true},
    {"TQ1_0", F_TQ1_0, UL_TQ1_0, false, false},
    {"TQ2_0", F_TQ2_0, UL_TQ2_0, false, false},
    {"Q2_K", F_Q2_K, UL_Q2_K, false, false},
    {"Q2_K_S", F_Q2_K_S, UL_Q2_K, false, true},
    {"IQ3_XXS", F_IQ3_XXS, UL_IQ3_XXS, false, true},
    {"IQ3_S", F_IQ3_S, UL_IQ3_S, false, false},
    {"IQ3_M", F_IQ3_M, UL_IQ3_S, false, false},
    {"Q3_K", F_Q3_K_M, UL_Q3_K, true, false},
    {"IQ3_XS", F_IQ3_XS, UL_IQ3_S, false, true},
    {"Q3_K_S", F_Q3_K_S, UL_Q3_K, false, false},
    {"Q3_K_M", F_Q3_K_M, UL_Q3_K, false, false},
    {"Q3_K_L", F_Q3_K_L, UL_Q3_K, false, false},
    {"IQ4_NL", F_IQ4_NL, UL_IQ4_NL, false, false},
    {"IQ4_XS", F_IQ4_XS, UL_IQ4_XS, false, false},
    {"Q4_K", F_Q4_K_M, UL_Q4_K, true, false},
    {"Q4_K_S", F_Q4_K_S, UL_Q4_K, false, false},
    {"Q4_K_M", F_Q4_K_M, UL_Q4_K, false, false},
    {"Q5_K", F_Q5_K_M, UL_Q5_K, true, false},
    {"Q5_K_S", F_Q5_K_S, UL_Q5_K, false, false},
    {"Q5_K_M", F_Q5_K_M, UL_Q5_K, false, false},
    {"Q6_K", F_Q6_K, UL_Q6_K, false, false},
    {"Q8_0", F_Q8_0, UL_Q8_0, false, false},
    {"F16", F_F16, UL_F16, false, false},
    {"BF16", F_BF16, UL_BF16, false, false},
    {"F32", F_F32, UL_F32, false, false},
};
#define N_QUANTS (sizeof quants / sizeof *quants)

const struct ul_quant *ul_quant_at(size_t i) { return i < N_QUANTS ? &quants[i] : NULL; }

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

const struct ul_quant *ul_quant_find(const char *name)
{
    for (size_t i = 0; i < N_QUANTS; i++) {
        size_t k = 0;
        while (name[k] != '\0' && upper(name[k]) == quants[i].name[k])
            k++;
        if (name[k] == '\0' && quants[i].name[k] == '\0')
            return &quants[i];
    }
    return NULL;
}

/* ------------------------------------------------------------------ what a tensor is for */

enum kind { EMBEDDING, Q, K, V, QKV, KV_B, ATTN_OUT, UP, GATE, DOWN, OUTPUT, OTHER };

static bool contains(struct ul_str s, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= s.n; i++)
        if (memcmp(s.p + i, part, n) == 0)
            return true;
    return false;
}

/* Source: tensor_get_category. */
static enum kind kind_of(struct ul_str name)
{
    static const struct {
        const char *part;
        enum kind kind;
    } parts[] = {
        {"attn_qkv.weight", QKV}, {"attn_kv_b.weight", KV_B}, {"attn_v.weight", V},
        {"attn_k.weight", K},     {"attn_q.weight", Q},       {"attn_output.weight", ATTN_OUT},
        {"ffn_up", UP},           {"ffn_gate", GATE},         {"ffn_down", DOWN},
    };
    if (ul_str_is(name, "output.weight"))
        return OUTPUT;
    if (ul_str_is(name, "token_embd.weight") || ul_str_is(name, "per_layer_token_embd.weight"))
        return EMBEDDING;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (contains(name, parts[i].part))
            return parts[i].kind;
    return OTHER;
}

static bool like_v(enum kind k) { return k == V || k == QKV || k == KV_B; }

/* Whether a tensor is quantised at all. Source: tensor_allows_quantization. */
static bool allowed(const struct ul_gguf_tensor *t)
{
    static const char *const kept[] = {
        "_norm.weight", "ffn_gate_inp.weight", "ffn_gate_tid2eid.weight", "altup", "laurel",
        "per_layer_model_proj", "ssm_conv1d", "shortconv.conv.weight", "indexer.k_proj.weight",
        "indexer.q_proj.weight", "time_mix_first.weight", "time_mix_w0.weight",
        "time_mix_w1.weight", "time_mix_w2.weight", "time_mix_v0.weight", "time_mix_v1.weight",
        "time_mix_v2.weight", "time_mix_a0.weight", "time_mix_a1.weight", "time_mix_a2.weight",
        "time_mix_g1.weight", "time_mix_g2.weight", "time_mix_decay_w1.weight",
        "time_mix_decay_w2.weight", "time_mix_lerp_fused.weight", "attn_rel_b.weight",
        ".position_embd", "sam.pos_embd", "sam.neck.", "sam.net_", ".rel_pos", ".patch_embd",
        ".patch_merger", "a.rvq.codebook", "mm.a.code_embd",
    };
    struct ul_str name = t->name;
    bool matrix = t->ne[1] > 1 || t->ne[2] > 1 || t->ne[3] > 1;
    if (!matrix || name.n < 6 || memcmp(name.p + name.n - 6, "weight", 6) != 0 ||
        ul_str_is(name, "position_embd.weight") || ul_str_is(name, "token_types.weight"))
        return false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (contains(name, kept[i]))
            return false;
    return true;
}

/* ------------------------------------------------------------------ the mixes */

struct mix {
    const struct ul_quant *q;
    int ftype;
    bool imatrix, falcon, bailing3, large; /* large: the 70B of the families that name one */
    bool tied;                             /* no output.weight: the embedding is the output too */
    uint32_t n_gqa, n_expert;
    int n_layer;                           /* all, those that predict further tokens included */
    int n_v, i_v, i_down, i_gate, i_up;    /* how many there are, and were */
};

/* A layer near either end, or every third between. */
static bool more_bits(int i, int n)
{
    return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
}

/* The layer that rules by layer mean: the name's in models with experts, else a count. */
static int layer_of(const struct mix *x, struct ul_str name, int count)
{
    bool named = x->n_expert > 1 && name.n > 4 && memcmp(name.p, "blk.", 4) == 0;
    return named ? (int)strtol(name.p + 4, NULL, 10) : count;
}

static bool one_of(int f, const uint8_t *set)
{
    for (size_t i = 0; set[i] != UINT8_MAX; i++)
        if (set[i] == f)
            return true;
    return false;
}

static const uint8_t low[] = {F_IQ2_XXS, F_IQ2_XS, F_IQ1_S, F_IQ2_S, F_IQ2_M, F_IQ1_M, UINT8_MAX};
static const uint8_t s_or_m[] = {F_IQ2_S, F_IQ2_M, UINT8_MAX};
static const uint8_t ones[] = {F_IQ1_S, F_IQ1_M, UINT8_MAX};

static enum ul_type for_output(const struct mix *x, const struct ul_gguf_tensor *t)
{
    enum ul_type type = x->q->type;
    if (x->ftype == F_MXFP4_MOE || x->falcon || t->ne[0] % ul_type_info(type)->block != 0)
        return UL_Q8_0;
    if (one_of(x->ftype, low) || x->ftype == F_IQ3_XXS)
        return UL_Q5_K;
    return type != UL_Q8_0 ? UL_Q6_K : type;
}

static enum ul_type for_embedding(const struct mix *x)
{
    switch (x->ftype) {
    case F_IQ2_XXS: case F_IQ2_XS: case F_IQ1_S: case F_IQ1_M: return UL_Q2_K;
    case F_IQ2_S: case F_IQ2_M: case F_IQ3_XXS: return UL_IQ3_S;
    case F_TQ1_0: case F_TQ2_0: case F_Q2_0: return UL_Q4_K;
    default: return x->q->type;
    }
}

/* The mixes of two bits and fewer. */
static enum ul_type for_low(struct mix *x, enum kind k)
{
    bool better = one_of(x->ftype, s_or_m);
    if (like_v(k)) {
        x->i_v++;
        return x->n_gqa >= 4 || x->n_expert >= 4 ? UL_Q4_K : better ? UL_IQ3_S : UL_Q2_K;
    }
    if (x->n_expert == 8 && k == K)
        return UL_Q4_K;
    if (k == DOWN)
        return x->i_down++ < x->n_layer / 8 ? (better ? UL_IQ3_S : UL_Q2_K) : x->q->type;
    if (k == ATTN_OUT && x->n_expert == 8)
        return UL_Q5_K;
    if (k == ATTN_OUT && one_of(x->ftype, ones))
        return UL_IQ2_XXS;
    return k == ATTN_OUT && better ? UL_IQ3_S : x->q->type;
}

static enum ul_type v_by_ftype(const struct mix *x)
{
    bool grouped = x->n_gqa >= 4;
    switch (x->ftype) {
    case F_Q2_K: return grouped ? UL_Q4_K : UL_Q3_K;
    case F_Q2_K_S: case F_IQ3_XS: case F_IQ3_S: return grouped ? UL_Q4_K : x->q->type;
    case F_IQ3_XXS: return grouped ? UL_Q4_K : x->imatrix ? UL_IQ3_XXS : UL_IQ3_S;
    case F_IQ3_M: return UL_Q4_K;
    case F_Q3_K_M: return x->i_v < 2 ? UL_Q5_K : UL_Q4_K;
    case F_Q3_K_L: return UL_Q5_K;
    case F_IQ4_NL: case F_IQ4_XS: return grouped ? UL_Q5_K : x->q->type;
    case F_Q4_K_M: case F_Q5_K_M: return more_bits(x->i_v, x->n_v) ? UL_Q6_K : x->q->type;
    case F_Q4_K_S: return x->i_v < 4 ? UL_Q5_K : x->q->type;
    default: return x->q->type;
    }
}

static enum ul_type for_v(struct mix *x)
{
    enum ul_type type = v_by_ftype(x);
    if (x->large && (type == UL_Q3_K || type == UL_Q4_K))
        type = UL_Q5_K;
    x->i_v++;
    return x->n_expert == 8 ? UL_Q8_0 : type;
}

static enum ul_type for_k_or_q(const struct mix *x, enum kind k)
{
    if (k == K && x->n_expert == 8)
        return UL_Q8_0;
    return x->ftype == F_IQ3_XS ? UL_IQ3_XXS : x->ftype == F_IQ3_XXS ? UL_IQ2_S : x->q->type;
}

static enum ul_type for_down(struct mix *x, struct ul_str name)
{
    int n = x->n_layer, i = layer_of(x, name, x->i_down++);
    enum ul_type type = x->q->type;
    switch (x->ftype) {
    case F_Q2_K: return UL_Q3_K;
    case F_Q2_K_S: return i < n / 8 ? UL_Q4_K : type;
    case F_IQ3_XXS: return x->imatrix ? type : i < n / 8 ? UL_Q4_K : UL_Q3_K;
    case F_Q3_K_M:
        return i < n / 16 ? UL_Q5_K : !x->falcon || more_bits(i, n) ? UL_Q4_K : UL_Q3_K;
    case F_IQ3_M:
        return i < n / 8 || (x->n_expert == 8 && more_bits(i, n)) ? UL_Q4_K : type;
    case F_Q3_K_L: return x->falcon ? UL_Q4_K : UL_Q5_K;
    case F_Q4_K_M:
        if (x->falcon)
            return i < n / 16 ? UL_Q6_K : more_bits(i, n) ? UL_Q5_K : UL_Q4_K;
        return more_bits(i, n) ? UL_Q6_K : type;
    case F_IQ4_NL: case F_IQ4_XS: return i < n / 8 && !x->imatrix ? UL_Q5_K : type;
    case F_Q5_K_M: return more_bits(i, n) ? UL_Q6_K : type;
    case F_Q4_K_S: return !x->falcon && i < n / 8 ? UL_Q5_K : type;
    case F_Q4_0: return x->imatrix && i < n / 8 ? UL_Q4_1 : type;
    case F_Q5_0: return x->imatrix && i < n / 8 ? UL_Q5_1 : type;
    default: return type;
    }
}

static enum ul_type for_attn_out(const struct mix *x)
{
    static const uint8_t raised[] = {F_Q2_K, F_IQ3_XS, F_IQ3_XXS, F_Q3_K_S, F_Q3_K_M, F_IQ4_NL,
                                     F_Q4_K_S, F_Q4_K_M, F_IQ3_S, F_IQ3_M, F_IQ4_XS, UINT8_MAX};
    if (x->falcon)
        return x->ftype == F_Q3_K_L ? UL_Q4_K : x->q->type;
    if (x->n_expert == 8)
        return one_of(x->ftype, raised) ? UL_Q5_K : x->q->type;
    switch (x->ftype) {
    case F_Q2_K: return UL_Q3_K;
    case F_IQ3_XXS: return UL_IQ3_S;
    case F_Q3_K_M: case F_IQ3_M: return UL_Q4_K;
    case F_Q3_K_L: return UL_Q5_K;
    default: return x->q->type;
    }
}

static enum ul_type for_gate_or_up(const struct mix *x, int layer)
{
    bool middle = layer >= x->n_layer / 8 && layer < 7 * x->n_layer / 8;
    return x->ftype == F_IQ3_XS && middle ? UL_IQ3_XXS : x->q->type;
}

static enum ul_type for_mxfp4(const struct mix *x, const struct ul_gguf_tensor *t, enum kind k)
{
    bool expert = t->ne[2] > 1 && (!x->bailing3 || k == UP || k == GATE || k == DOWN);
    return expert ? UL_MXFP4 : UL_Q8_0;
}

/* Source: llama_tensor_get_type_impl. Its branch for a fused qkv comes after the one for values,
 * which takes it, so it is never reached. */
static enum ul_type mixed(struct mix *x, const struct ul_gguf_tensor *t, enum kind k)
{
    if (k == OUTPUT || (x->tied && k == EMBEDDING))
        return for_output(x, t);
    if (x->ftype == F_MXFP4_MOE)
        return for_mxfp4(x, t, k);
    if (k == EMBEDDING)
        return for_embedding(x);
    if (one_of(x->ftype, low))
        return for_low(x, k);
    if (like_v(k))
        return for_v(x);
    switch (k) {
    case K: case Q: return for_k_or_q(x, k);
    case DOWN: return for_down(x, t->name);
    case ATTN_OUT: return for_attn_out(x);
    case GATE: return for_gate_or_up(x, layer_of(x, t->name, x->i_gate++));
    case UP: return for_gate_or_up(x, layer_of(x, t->name, x->i_up++));
    default: return x->q->type;
    }
}

/* A row that blocks of 256 do not divide gets a type of smaller blocks, or F16 where these do not
 * either. Source: tensor_type_fallback. */
static enum ul_type fallback(const struct ul_gguf_tensor *t, enum ul_type type)
{
    enum ul_type other;
    if (t->ne[0] % ul_type_info(type)->block == 0)
        return type;
    switch (type) {
    case UL_IQ1_S: case UL_IQ1_M: case UL_IQ2_XXS: case UL_IQ2_XS: case UL_IQ2_S: case UL_IQ3_XXS:
    case UL_IQ3_S: case UL_IQ4_XS: other = UL_IQ4_NL; break;
    case UL_Q2_0: case UL_Q2_K: case UL_Q3_K: case UL_TQ1_0: case UL_TQ2_0: other = UL_Q4_0; break;
    case UL_Q4_K: other = UL_Q5_0; break;
    case UL_Q5_K: other = UL_Q5_1; break;
    case UL_Q6_K: other = UL_Q8_0; break;
    default: return UL_F16;
    }
    return t->ne[0] % ul_type_info(other)->block == 0 ? other : UL_F16;
}

/* ------------------------------------------------------------------ a whole file */

static struct mix start(const struct ul_gguf *g, const struct ul_model *m,
                        const struct ul_quant *q, bool imatrix)
{
    struct mix x = {.q = q, .ftype = q->ftype, .imatrix = imatrix, .tied = true,
                    .n_expert = m->n_expert, .n_layer = (int)m->n_layer_all};
    x.falcon = ul_str_is(m->arch_name, "falcon");
    x.bailing3 = ul_str_is(m->arch_name, "bailingmoe3");
    x.n_gqa = m->n_layer_all > 0 ? ul_n_gqa(m, 0) : 0;
    /* LLM_TYPE_70B: src/models/llama.cpp, deci.cpp, qwen2.cpp, olmo.cpp, jais2.cpp */
    bool llama = ul_str_is(m->arch_name, "llama"), deci = ul_str_is(m->arch_name, "deci");
    bool others = ul_str_is(m->arch_name, "qwen2") || ul_str_is(m->arch_name, "olmo");
    x.large = (m->n_layer == 80 && ((llama && x.n_gqa != 1) || deci || others)) ||
              (m->n_layer == 68 && ul_str_is(m->arch_name, "jais2"));
    for (size_t i = 0; i < g->n_tensors; i++) {
        x.n_v += like_v(kind_of(g->tensors[i].name));
        x.tied = x.tied && kind_of(g->tensors[i].name) != OUTPUT;
    }
    return x;
}

static void set_file_type(struct ul_gguf *g, const struct ul_quant *q)
{
    for (size_t i = 0; i < g->n_kv; i++)
        if (ul_str_is(g->kv[i].key, "general.file_type"))
            g->kv[i].v.u = q->ftype;
}

void ul_quantize(struct ul_gguf *g, const struct ul_model *m, const struct ul_quant *q,
                 bool imatrix, struct ul_arena *a)
{
    const struct ul_type_info *info = ul_type_info(q->type);
    struct ul_gguf_tensor *tensors = UL_NEWS(a, struct ul_gguf_tensor, g->n_tensors + 1);
    for (size_t i = 0; i < g->n_tensors; i++)
        tensors[i] = g->tensors[i];
    g->tensors = tensors;
    ul_gguf_sort(g); /* counts go in the order of the engine's map, and so does the new file */
    struct mix x = start(g, m, q, imatrix);
    for (size_t i = 0; i < g->n_tensors; i++) {
        struct ul_gguf_tensor *t = &tensors[i];
        if (allowed(t))
            t->type = info->quantized ? fallback(t, mixed(&x, t, kind_of(t->name))) : q->type;
    }
    set_file_type(g, q);
    ul_gguf_lay_out(g);
}
