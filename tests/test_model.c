/* Models from headers: tensor names, the engine's rules for keys, windows, draft heads, tied
 * outputs. Files are generated as small as each rule allows. What the pinned engine does with such
 * files was seen by loading them with it; the cases state its verdicts. */
#include "gguf_case.h"

#include "arch/arch.h"
#include "arch/describe.h"

/* ------------------------------------------------------------------ files */

struct file {
    struct mkgguf m;
    const char *arch;
    const char *without; /* a key that is left out */
};

static const char *key(const struct file *f, const char *name)
{
    static char buf[128];
    snprintf(buf, sizeof buf, "%s.%s", f->arch, name);
    return buf;
}

static void u32(struct file *f, const char *name, uint32_t v)
{
    if (f->without == NULL || strcmp(f->without, name) != 0)
        mk_kv_u32(&f->m, key(f, name), v);
}

static void f32(struct file *f, const char *name, float v)
{
    if (f->without == NULL || strcmp(f->without, name) != 0)
        mk_kv_f32(&f->m, key(f, name), v);
}

/* Keys must all stand before tensors: `begin` writes those of an ordinary model of n layers, and
 * the case adds its own; then `tensors`. */
static struct file begin(const char *arch, uint32_t n_layer, const char *without)
{
    struct file f = {.m = {.version = 3}, .arch = arch, .without = without};
    mk_begin(&f.m);
    mk_kv_str(&f.m, "general.architecture", arch);
    u32(&f, "context_length", 512);
    u32(&f, "embedding_length", 64);
    u32(&f, "block_count", n_layer);
    u32(&f, "feed_forward_length", 128);
    u32(&f, "attention.head_count", 4);
    f32(&f, "attention.layer_norm_rms_epsilon", 1e-5f);
    return f;
}

static void layer_tensor(struct file *f, uint32_t il, const char *rest, uint64_t a, uint64_t b)
{
    char name[64];
    snprintf(name, sizeof name, "blk.%u.%s", il, rest);
    mk_tensor2(&f->m, name, UL_F32, a, b);
}

static void tensors(struct file *f, uint32_t n_layer, bool output)
{
    mk_tensor2(&f->m, "token_embd.weight", UL_F16, 64, 100);
    mk_tensor1(&f->m, "output_norm.weight", UL_F32, 64);
    if (output)
        mk_tensor2(&f->m, "output.weight", UL_F16, 64, 100);
    for (uint32_t il = 0; il < n_layer; il++) {
        layer_tensor(f, il, "attn_norm.weight", 64, 1);
        layer_tensor(f, il, "attn_q.weight", 64, 64);
    }
}

struct loaded {
    struct read *file;
    struct ul_model m;
    ullage_error err;
    int code;
};

static struct loaded *load_with(struct file *f, const struct ul_model_options *opt)
{
    struct loaded *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->file = expect_good(&f->m);
    l->code = ul_model_load(&l->m, &l->file->g, opt, &l->file->arena, &l->err);
    assert_int_equal(l->code, l->err.code);
    return l;
}

static void unload(struct file *f, struct loaded *l)
{
    read_free(l->file);
    free(l);
    mk_free(&f->m);
}

static struct loaded *good_with(struct file *f, const struct ul_model_options *opt)
{
    struct loaded *l = load_with(f, opt);
    if (l->code != ULLAGE_OK)
        fail_msg("refused: %s", l->err.message);
    return l;
}

static struct loaded *good(struct file *f) { return good_with(f, NULL); }

/* The key must be named, and why. */
static void bad(struct file *f, const char *name, const char *fragment)
{
    struct loaded *l = load_with(f, NULL);
    if (l->code != ULLAGE_ERROR_INPUT || strstr(l->err.message, name) == NULL ||
        strstr(l->err.message, fragment) == NULL)
        fail_msg("expected \"%s\" and \"%s\", got %d: %s", name, fragment, l->code, l->err.message);
    unload(f, l);
}

static void refused(struct file *f, const char *fragment)
{
    struct loaded *l = good(f);
    if (l->m.refusal == NULL || strstr(l->m.refusal, fragment) == NULL)
        fail_msg("expected the refusal \"%s\", got: %s", fragment,
                 l->m.refusal ? l->m.refusal : "none");
    unload(f, l);
}

/* ------------------------------------------------------------------ names */

static void names_are_taken_apart(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum ul_role role;
        enum ul_suffix suffix;
        int layer;
    } cases[] = {
        {"token_embd.weight", UL_ROLE_TOKEN_EMBD, UL_WEIGHT, -1},
        {"blk.7.attn_q.bias", UL_ROLE_ATTN_Q, UL_BIAS, 7},
        {"blk.511.ffn_gate_exps.scale", UL_ROLE_FFN_GATE_EXPS, UL_SCALE, 511},
        {"blk.0.ffn_up.input_scale", UL_ROLE_FFN_UP, UL_INPUT_SCALE, 0},
        {"blk.3.ssm_a", UL_ROLE_SSM_A, UL_NO_SUFFIX, 3},
        {"blk.3.nextn.eh_proj.weight", UL_ROLE_NEXTN_EH_PROJ, UL_WEIGHT, 3},
        {"blk.2.ffn.act.scales", UL_ROLE_FFN_ACT, UL_SCALES, 2},
        {"blk.2.attn_q.lora_a", UL_ROLE_ATTN_Q, UL_LORA_A, 2},
        {"enc.blk.5.attn_q.weight", UL_ROLE_ENC_ATTN_Q, UL_WEIGHT, 5},
        {"dec.blk.5.cross_attn_k.weight", UL_ROLE_DEC_CROSS_ATTN_K, UL_WEIGHT, 5},
        {"dec.output_norm.weight", UL_ROLE_DEC_OUTPUT_NORM, UL_WEIGHT, -1},
        {"posnet.4.attn_norm.weight", UL_ROLE_POS_NET_ATTN_NORM, UL_WEIGHT, 4},
        {"rope_freqs.weight", UL_ROLE_ROPE_FREQS, UL_WEIGHT, -1},
        {"cls.output.weight", UL_ROLE_CLS_OUT, UL_WEIGHT, -1},
        /* no role */
        {"v.blk.0.attn_q.weight", UL_ROLE_UNKNOWN, UL_WEIGHT, 0},
        {"mtp.eh_proj.weight", UL_ROLE_UNKNOWN, UL_WEIGHT, -1},
        {"blk.x.attn_q.weight", UL_ROLE_UNKNOWN, UL_WEIGHT, -1},
        {"blk..attn_q.weight", UL_ROLE_UNKNOWN, UL_WEIGHT, -1},
        {"blk.99999999999999999999.attn_q.weight", UL_ROLE_UNKNOWN, UL_WEIGHT, -1},
        {"blk.007.attn_q.weight", UL_ROLE_UNKNOWN, UL_WEIGHT, -1},
        {"blk.%d.attn_q.weight", UL_ROLE_UNKNOWN, UL_WEIGHT, -1},
        {"blk.0.", UL_ROLE_UNKNOWN, UL_NO_SUFFIX, 0},
        {"attn_q.weight", UL_ROLE_UNKNOWN, UL_WEIGHT, -1},
        {".weight", UL_ROLE_UNKNOWN, UL_WEIGHT, -1},
        {"", UL_ROLE_UNKNOWN, UL_NO_SUFFIX, -1},
    };
    struct ul_arena a = {0};
    const struct ul_role_index *x = ul_role_index_new(&a);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        enum ul_suffix suffix;
        int layer;
        enum ul_role role = ul_role_of(x, ul_cstr(cases[i].name), &suffix, &layer);
        if (role != cases[i].role || suffix != cases[i].suffix || layer != cases[i].layer)
            fail_msg("%s: role %d, suffix %d, layer %d", cases[i].name, role, suffix, layer);
    }
    ul_arena_free(&a);
}

/* Each line of the table finds itself, or an earlier line with the same stem. */
static void every_stem_is_found(void **state)
{
    (void)state;
    struct ul_arena a = {0};
    const struct ul_role_index *x = ul_role_index_new(&a);
    int shared = 0;
    for (int r = 1; r < UL_ROLE_COUNT; r++) {
        const char *stem = ul_role_info((enum ul_role)r)->stem;
        const char *at = strstr(stem, "%d");
        char name[96];
        enum ul_suffix suffix;
        int layer;
        snprintf(name, sizeof name, "%.*s%s%s.weight", at ? (int)(at - stem) : (int)strlen(stem),
                 stem, at ? "41" : "", at ? at + 2 : "");
        enum ul_role found = ul_role_of(x, ul_cstr(name), &suffix, &layer);
        assert_int_equal(suffix, UL_WEIGHT);
        assert_int_equal(layer, at ? 41 : -1);
        assert_string_equal(ul_role_info(found)->stem, stem);
        shared += found != (enum ul_role)r;
    }
    assert_int_equal(shared, 3); /* token_embd_norm, ssm_a, attn_kv_a_norm */
    ul_arena_free(&a);
}

static void every_row_has_a_name_of_its_own(void **state)
{
    (void)state;
    size_t n = 0;
    for (const struct ul_arch *r; (r = ul_arch_at(n)) != NULL; n++)
        assert_ptr_equal(ul_arch_find(ul_cstr(r->name)), r);
    assert_true(n >= 86);
    assert_null(ul_arch_find(UL_STR("")));
    assert_null(ul_arch_find(UL_STR("llam")));
}

/* ------------------------------------------------------------------ keys */

static void an_ordinary_model(void **state)
{
    (void)state;
    struct file f = begin("llama", 2, NULL);
    u32(&f, "attention.head_count_kv", 2);
    tensors(&f, 2, true);
    struct loaded *l = good(&f);
    assert_int_equal(l->m.n_layer, 2);
    assert_int_equal(l->m.n_embd, 64);
    assert_int_equal(l->m.n_vocab, 100); /* no tokenizer: the embedding's rows */
    assert_int_equal(l->m.n_embd_head_k_full, 16);
    assert_int_equal(ul_n_embd_k_gqa(&l->m, 1), 32);
    assert_int_equal(ul_n_gqa(&l->m, 1), 2);
    assert_int_equal(l->m.layer[1].n_ff, 128);
    assert_null(l->m.refusal);
    const struct ul_weight *q = ul_weight_of(&l->m, UL_ROLE_ATTN_Q, UL_WEIGHT, 1);
    assert_non_null(q);
    assert_true(ul_str_is(q->t->name, "blk.1.attn_q.weight"));
    assert_null(ul_weight_of(&l->m, UL_ROLE_ATTN_Q, UL_WEIGHT, 2));
    assert_null(ul_weight_of(&l->m, UL_ROLE_ATTN_Q, UL_BIAS, 1));
    assert_int_equal(l->m.n_bytes, 2 * 64 * 100 * 2 + 4 * 64 + 2 * (4 * 64 + 4 * 64 * 64));
    unload(&f, l);
}

static void a_missing_key_is_named(void **state)
{
    (void)state;
    static const char *const keys[] = {"context_length", "embedding_length", "block_count",
                                       "attention.layer_norm_rms_epsilon"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        struct file f = begin("llama", 1, keys[i]);
        tensors(&f, 1, true);
        bad(&f, keys[i], "missing");
    }
    struct file f = {.m = {.version = 3}};
    mk_begin(&f.m);
    mk_tensor1(&f.m, "x", UL_F32, 1);
    bad(&f, "general.architecture", "missing");
}

static void types_are_exact(void **state)
{
    (void)state;
    struct file f = begin("llama", 1, "context_length");
    mk_key(&f.m, "llama.context_length", UL_GGUF_U64);
    mk_64(&f.m, 512);
    bad(&f, "llama.context_length", "u64");
    f = begin("llama", 1, "context_length");
    mk_kv_u16(&f.m, "llama.context_length", 512);
    bad(&f, "llama.context_length", "u16");
    f = begin("llama", 1, NULL);
    mk_kv_i32(&f.m, "llama.attention.head_count_kv", 2);
    bad(&f, "llama.attention.head_count_kv", "i32");
    f = begin("llama", 1, NULL);
    mk_key(&f.m, "llama.rope.freq_base", UL_GGUF_F64);
    mk_f64(&f.m, 1e4);
    bad(&f, "llama.rope.freq_base", "f64");
    f = begin("llama", 1, NULL);
    mk_kv_str(&f.m, "llama.rope.scaling.type", "stretched");
    bad(&f, "llama.rope.scaling.type", "stretched");
    f = begin("llama", 1, NULL);
    mk_kv_str(&f.m, "llama.rope.section_order", "xyzt");
    bad(&f, "llama.rope.section_order", "xyzt");
}

static void arrays_have_one_item_a_layer(void **state)
{
    (void)state;
    struct file f = begin("llama", 3, NULL);
    mk_kv_u32s(&f.m, "llama.attention.head_count_kv", (uint32_t[]){4, 0, 2}, 3);
    tensors(&f, 3, true);
    struct loaded *l = good(&f);
    assert_int_equal(ul_n_embd_k_gqa(&l->m, 0), 64);
    assert_int_equal(ul_n_embd_k_gqa(&l->m, 1), 0);
    assert_int_equal(ul_n_gqa(&l->m, 1), 0);
    assert_int_equal(ul_n_embd_v_gqa(&l->m, 2), 32);
    assert_true(ul_n_embd_k_gqa_variable(&l->m));
    assert_int_equal(ul_n_embd_v_gqa_max(&l->m), 64);
    unload(&f, l);
    for (uint32_t n = 2; n <= 4; n += 2) {
        f = begin("llama", 3, NULL);
        mk_kv_u32s(&f.m, "llama.attention.head_count_kv", (uint32_t[]){4, 4, 4, 4}, n);
        bad(&f, "llama.attention.head_count_kv", "requires 3");
    }
    f = begin("llama", 1, NULL);
    mk_array(&f.m, "llama.attention.head_count_kv", UL_GGUF_U64, 1);
    mk_64(&f.m, 2);
    bad(&f, "llama.attention.head_count_kv", "u64");
    f = begin("qwen2vl", 1, NULL);
    mk_kv_u32s(&f.m, "qwen2vl.rope.dimension_sections", (uint32_t[]){8, 8, 8}, 3);
    bad(&f, "qwen2vl.rope.dimension_sections", "requires 4");
}

static void limits(void **state)
{
    (void)state;
    struct file f = begin("llama", 0, NULL);
    bad(&f, "llama.block_count", "0 layers");
    f = begin("llama", 513, NULL);
    bad(&f, "llama.block_count", "513");
    f = begin("llama", UINT32_MAX, NULL);
    bad(&f, "llama.block_count", "4294967295");
    f = begin("llama", 512, NULL);
    struct loaded *l = good(&f);
    assert_int_equal(l->m.n_layer, 512);
    unload(&f, l);
    f = begin("llama", 1, NULL);
    u32(&f, "expert_count", 1025);
    u32(&f, "expert_used_count", 1);
    bad(&f, "llama.expert_count", "1025");
    f = begin("llama", 1, NULL);
    u32(&f, "expert_count", 8);
    bad(&f, "llama.expert_used_count", "0 of 8");
    f = begin("llama", 1, NULL);
    u32(&f, "rope.dimension_count", 8);
    bad(&f, "llama.rope.dimension_count", "requires the key length 16");
    f = begin("llama", 2, NULL);
    u32(&f, "nextn_predict_layers", 2);
    bad(&f, "llama.nextn_predict_layers", "2 of 2");
}

static void an_unknown_architecture(void **state)
{
    (void)state;
    struct file f = begin("nosuch", 1, NULL);
    struct loaded *l = load_with(&f, NULL);
    assert_int_equal(l->code, ULLAGE_ERROR_UNKNOWN);
    assert_non_null(strstr(l->err.message, "nosuch"));
    unload(&f, l);
}

static void overrides_go_before_the_file(void **state)
{
    (void)state;
    struct ul_kv_override o[] = {
        {.key = UL_STR("llama.context_length"), .kind = UL_OVERRIDE_INT, .i = 2048},
        {.key = UL_STR("llama.embedding_length"), .kind = UL_OVERRIDE_STR, .s = UL_STR("128")},
        {.key = UL_STR("llama.expert_used_count"), .kind = UL_OVERRIDE_INT, .i = 3},
    };
    struct ul_model_options opt = {.overrides = o, .n_overrides = 3};
    struct file f = begin("llama", 1, NULL);
    u32(&f, "expert_count", 8);
    tensors(&f, 1, true);
    struct loaded *l = good_with(&f, &opt);
    assert_int_equal(l->m.n_ctx_train, 2048);
    assert_int_equal(l->m.n_embd, 64); /* of another kind: ignored, as the engine does */
    assert_int_equal(l->m.n_expert_used, 3); /* the file has no such key */
    unload(&f, l);
}

/* ------------------------------------------------------------------ windows */

static struct file gemma3(const char *without)
{
    struct file f = begin("gemma3", 7, without);
    u32(&f, "attention.sliding_window", 32);
    return f;
}

static void expect_windows(struct file *f, const char *layers)
{
    tensors(f, (uint32_t)strlen(layers), true);
    struct loaded *l = good(f);
    assert_int_equal(l->m.n_layer, strlen(layers));
    for (uint32_t il = 0; il < l->m.n_layer; il++)
        if (l->m.layer[il].is_swa != (layers[il] == 'w'))
            fail_msg("layer %u of \"%s\"", il, layers);
    assert_int_equal(l->m.swa_type, strchr(layers, 'w') ? UL_SWA_STANDARD : UL_SWA_NONE);
    unload(f, l);
}

static void window_patterns(void **state)
{
    (void)state;
    static const char pattern[] = "gemma3.attention.sliding_window_pattern";
    struct file f = gemma3(NULL);
    expect_windows(&f, "wwwwwfw"); /* gemma3's period is 6 */
    f = gemma3(NULL);
    mk_kv_u32(&f.m, pattern, 3);
    expect_windows(&f, "wwfwwfw");
    f = gemma3(NULL);
    mk_kv_u32(&f.m, pattern, 0);
    expect_windows(&f, "wwwwwww");
    f = gemma3(NULL);
    mk_kv_u32s(&f.m, pattern, (uint32_t[]){0, 1, 0, 1, 0, 1, 1}, 7);
    expect_windows(&f, "fwfwfww");
    f = gemma3(NULL); /* shorter and longer arrays are taken as they are */
    mk_kv_u32s(&f.m, pattern, (uint32_t[]){0, 1}, 2);
    expect_windows(&f, "fwfffff");
    f = gemma3(NULL);
    mk_kv_u32s(&f.m, pattern, (uint32_t[]){1, 0, 0, 0, 0, 0, 0, 1, 1}, 9);
    expect_windows(&f, "wffffff");
    f = gemma3("attention.sliding_window");
    expect_windows(&f, "fffffff");
    f = begin("cohere2", 5, NULL); /* a period of 4 */
    u32(&f, "attention.sliding_window", 32);
    f32(&f, "attention.layer_norm_epsilon", 1e-5f);
    f32(&f, "logit_scale", 1.0f);
    f.arch = "cohere2";
    tensors(&f, 5, false);
    struct loaded *l = good(&f);
    assert_true(l->m.layer[2].is_swa && !l->m.layer[3].is_swa && l->m.layer[4].is_swa);
    unload(&f, l);
}

static void windows_that_the_engine_refuses(void **state)
{
    (void)state;
    struct file f = gemma3(NULL);
    mk_kv_u32(&f.m, "gemma3.attention.sliding_window_pattern", 1);
    tensors(&f, 7, true);
    refused(&f, "no layer has the window");
    f = gemma3(NULL);
    mk_array(&f.m, "gemma3.attention.sliding_window_pattern", UL_GGUF_U16, 7);
    for (int i = 0; i < 7; i++)
        mk_16(&f.m, 1);
    bad(&f, "sliding_window_pattern", "u16");
    f = begin("gemma4", 1, NULL);
    u32(&f, "attention.sliding_window", 32);
    bad(&f, "gemma4.", "missing");
}

/* ------------------------------------------------------------------ tensors */

static void a_tied_output_is_made_twice(void **state)
{
    (void)state;
    struct file f = begin("llama", 1, NULL);
    tensors(&f, 1, false);
    struct loaded *l = good(&f);
    const struct ul_weight *embd = ul_weight_of(&l->m, UL_ROLE_TOKEN_EMBD, UL_WEIGHT, -1);
    const struct ul_weight *out = ul_weight_of(&l->m, UL_ROLE_OUTPUT, UL_WEIGHT, -1);
    assert_non_null(out);
    assert_ptr_equal(out, embd->twin);
    assert_ptr_equal(out->t, embd->t);
    assert_int_equal(ul_weight_use(&l->m, embd), UL_USE_GET_ROWS);
    assert_int_equal(ul_weight_use(&l->m, out), UL_USE_MUL_MAT);
    assert_null(l->m.refusal);
    unload(&f, l);

    f = begin("llama", 1, NULL);
    tensors(&f, 1, true);
    l = good(&f);
    assert_null(ul_weight_of(&l->m, UL_ROLE_TOKEN_EMBD, UL_WEIGHT, -1)->twin);
    unload(&f, l);

    f = begin("qwen", 1, NULL); /* never tied */
    tensors(&f, 1, false);
    refused(&f, "output.weight");
    f = begin("gemma", 1, NULL); /* always tied: an output of its own is one tensor too many */
    tensors(&f, 1, true);
    refused(&f, "does not know");
}

static void tensors_that_no_role_fits(void **state)
{
    (void)state;
    struct file f = begin("llama", 1, NULL);
    tensors(&f, 1, true);
    mk_tensor1(&f.m, "v.patch_embd.weight", UL_F32, 64);
    layer_tensor(&f, 5, "attn_q.weight", 64, 64); /* no such layer */
    struct loaded *l = good(&f);
    assert_int_equal(l->m.n_unknown, 2);
    assert_non_null(l->m.refusal);
    assert_null(ul_weight_of(&l->m, UL_ROLE_ATTN_Q, UL_WEIGHT, 5));
    unload(&f, l);
}

static void headers_that_contradict_themselves(void **state)
{
    (void)state;
    struct file f = begin("llama", 1, "embedding_length");
    u32(&f, "attention.key_length", 16);
    mk_kv_u32(&f.m, "llama.embedding_length", 96);
    tensors(&f, 1, true);
    bad(&f, "token_embd.weight", "embedding_length");
    f = begin("llama", 1, NULL);
    u32(&f, "vocab_size", 99);
    tensors(&f, 1, true);
    refused(&f, "token_embd.weight");
    f = begin("llama", 3, NULL);
    tensors(&f, 2, true);
    refused(&f, "no tensors for some of its layers");
}

static void rope_factors_go_with_layers(void **state)
{
    (void)state;
    struct file f = begin("llama", 2, NULL);
    tensors(&f, 2, true);
    mk_tensor1(&f.m, "rope_freqs.weight", UL_F32, 8);
    struct loaded *l = good(&f);
    const struct ul_weight *w = ul_weight_of(&l->m, UL_ROLE_ROPE_FREQS, UL_WEIGHT, 1);
    assert_non_null(w);
    assert_true(w->per_layer);
    assert_int_equal(w->layer, 0);
    assert_true(l->m.layer[0].rope_factors && l->m.layer[1].rope_factors);
    assert_int_equal(ul_weight_use(&l->m, w), UL_USE_ROPE);
    unload(&f, l);
}

static struct file with_draft_head(const char *arch)
{
    struct file f = begin(arch, 3, NULL);
    u32(&f, "nextn_predict_layers", 1);
    return f;
}

static void a_draft_head_is_passed_over(void **state)
{
    (void)state;
    struct ul_model_options draft = {.load_mtp = true};
    for (int with = 0; with < 2; with++) {
        struct file f = with_draft_head("qwen35");
        mk_kv_u32s(&f.m, key(&f, "rope.dimension_sections"), (uint32_t[]){4, 2, 2, 0}, 4);
        u32(&f, "ssm.conv_kernel", 4);
        u32(&f, "ssm.inner_size", 128);
        u32(&f, "ssm.state_size", 16);
        u32(&f, "ssm.time_step_rank", 8);
        u32(&f, "ssm.group_count", 2);
        u32(&f, "full_attention_interval", 2);
        tensors(&f, 3, true);
        layer_tensor(&f, 2, "nextn.eh_proj.weight", 128, 64);
        layer_tensor(&f, 0, "ssm_a", 8, 1);
        struct loaded *l = good_with(&f, with ? &draft : NULL);
        assert_int_equal(l->m.n_layer, 2);
        assert_int_equal(l->m.n_layer_all, 3);
        assert_int_equal(ul_weight_of(&l->m, UL_ROLE_ATTN_Q, UL_WEIGHT, 2) != NULL, with);
        assert_int_equal(ul_weight_of(&l->m, UL_ROLE_NEXTN_EH_PROJ, UL_WEIGHT, 2) != NULL, with);
        assert_null(l->m.refusal);
        /* the delta net's decay is multiplied, not scanned */
        assert_null(ul_weight_of(&l->m, UL_ROLE_SSM_A, UL_NO_SUFFIX, 0));
        assert_non_null(ul_weight_of(&l->m, UL_ROLE_SSM_A_NOSCAN, UL_NO_SUFFIX, 0));
        assert_true(l->m.layer[0].is_recr && !l->m.layer[1].is_recr && !l->m.layer[2].is_recr);
        assert_true(ul_layer_keeps_state(&l->m, 0) && !ul_layer_keeps_kv(&l->m, 0));
        assert_true(!ul_layer_keeps_state(&l->m, 1) && ul_layer_keeps_kv(&l->m, 1));
        assert_false(ul_layer_keeps_kv(&l->m, 2));
        assert_int_equal(ul_n_embd_r(&l->m), 3 * (128 + 2 * 2 * 16));
        assert_int_equal(ul_n_embd_s(&l->m), 16 * 128);
        unload(&f, l);
    }
}

static void a_draft_head_that_no_rule_loads(void **state)
{
    (void)state;
    struct file f = with_draft_head("llama"); /* the key counts, the layer has no meaning */
    tensors(&f, 3, true);
    refused(&f, "does not know");
}

/* Two headers that differ in the lengths of the latent only. */
static void old_latent_conversions(void **state)
{
    (void)state;
    for (int newer = 0; newer < 2; newer++) {
        struct file f = begin("deepseek2", 27, NULL); /* 27 layers: no low-rank queries */
        u32(&f, "attention.kv_lora_rank", 32);
        u32(&f, "rope.dimension_count", 8);
        u32(&f, "attention.key_length", newer ? 40 : 24);
        u32(&f, "attention.value_length", newer ? 32 : 16);
        u32(&f, "attention.head_count_kv", newer ? 1 : 4);
        u32(&f, "expert_feed_forward_length", 16);
        u32(&f, "expert_shared_count", 1);
        if (newer) {
            u32(&f, "attention.key_length_mla", 24);
            u32(&f, "attention.value_length_mla", 16);
        }
        tensors(&f, 27, true);
        struct loaded *l = good(&f);
        assert_int_equal(ul_is_mla(&l->m), newer);
        assert_int_equal(ul_n_embd_k_gqa(&l->m, 0), newer ? 40 : 96);
        assert_int_equal(l->m.old_latent, newer ? 0 : 400); /* (96 + 64) / (32 + 8) */
        unload(&f, l);
    }
}

/* ------------------------------------------------------------------ descriptions */

static void file_types(void **state)
{
    (void)state;
    struct file f = begin("llama", 1, NULL);
    mk_kv_u32(&f.m, "general.file_type", 15);
    tensors(&f, 1, true);
    struct loaded *l = good(&f);
    assert_string_equal(l->m.file_type, "Q4_K - Medium");
    unload(&f, l);
    f = begin("llama", 1, NULL);
    tensors(&f, 1, true); /* F32 has three tensors, F16 two */
    l = good(&f);
    assert_string_equal(l->m.file_type, "(guessed) all F32");
    unload(&f, l);
    f = begin("llama", 1, NULL);
    tensors(&f, 1, true);
    mk_tensor2(&f.m, "blk.0.attn_k.weight", UL_F16, 64, 64);
    l = good(&f); /* three each: F16's third, attn_k, is named before F32's, attn_q */
    assert_string_equal(l->m.file_type, "(guessed) F16");
    unload(&f, l);
    f = begin("llama", 1, NULL);
    mk_kv_u32(&f.m, "general.file_type", 777);
    l = good(&f);
    assert_string_equal(l->m.file_type, "unknown, may not work");
    unload(&f, l);
}

static void a_description(void **state)
{
    (void)state;
    struct file f = gemma3(NULL);
    mk_kv_str(&f.m, "general.name", "Small");
    tensors(&f, 7, false);
    struct loaded *l = good(&f);
    ullage_model_info info = {0};
    ul_model_describe(&l->m, &l->file->arena, &info);
    assert_string_equal(info.arch, "gemma3");
    assert_string_equal(info.name, "Small");
    assert_int_equal(info.n_layer, 7);
    assert_int_equal(info.layers[0].kind, ULLAGE_LAYER_WINDOW);
    assert_int_equal(info.layers[0].window, 32);
    assert_int_equal(info.layers[5].kind, ULLAGE_LAYER_FULL);
    assert_int_equal(info.layers[5].window, 0);
    assert_int_equal(info.layers[5].weight_bytes, 4 * 64 + 4 * 64 * 64);
    assert_int_equal(info.n_types, 2);
    assert_string_equal(info.types[0].name, "f32");
    assert_int_equal(info.types[0].bytes + info.types[1].bytes, info.weight_bytes);
    assert_int_equal(info.types[1].n_elements, 6400);
    assert_true(info.bits_per_weight > 16 && info.bits_per_weight < 32);
    unload(&f, l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_apart),
        cmocka_unit_test(every_stem_is_found),
        cmocka_unit_test(every_row_has_a_name_of_its_own),
        cmocka_unit_test(an_ordinary_model),
        cmocka_unit_test(a_missing_key_is_named),
        cmocka_unit_test(types_are_exact),
        cmocka_unit_test(arrays_have_one_item_a_layer),
        cmocka_unit_test(limits),
        cmocka_unit_test(an_unknown_architecture),
        cmocka_unit_test(overrides_go_before_the_file),
        cmocka_unit_test(window_patterns),
        cmocka_unit_test(windows_that_the_engine_refuses),
        cmocka_unit_test(a_tied_output_is_made_twice),
        cmocka_unit_test(tensors_that_no_role_fits),
        cmocka_unit_test(headers_that_contradict_themselves),
        cmocka_unit_test(rope_factors_go_with_layers),
        cmocka_unit_test(a_draft_head_is_passed_over),
        cmocka_unit_test(a_draft_head_that_no_rule_loads),
        cmocka_unit_test(old_latent_conversions),
        cmocka_unit_test(file_types),
        cmocka_unit_test(a_description),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
