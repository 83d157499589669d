/* Files that are well-formed and contradict themselves as models: what the keys say of widths and
 * heads is not what the tensors are. The engine refuses them (check_tensor_dims); a plan of one
 * would take its caches from one half and its weights from the other. */
#include "mkgguf.h"
#include "ullage.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

struct shape {
    uint32_t embd, heads, kv, key, value; /* by the keys; the tensors are those of 64, 4, 2, 16, 16 */
};

static const struct shape right = {.embd = 64, .heads = 4, .kv = 2, .key = 16, .value = 16};

static int open_model(struct shape s, ullage_error *err)
{
    struct mkgguf m = {.version = 3};
    ullage_model *model = NULL;
    mk_begin(&m);
    mk_kv_str(&m, "general.architecture", "llama");
    mk_kv_u32(&m, "llama.block_count", 1);
    mk_kv_u32(&m, "llama.context_length", 2048);
    mk_kv_u32(&m, "llama.embedding_length", s.embd);
    mk_kv_u32(&m, "llama.feed_forward_length", 128);
    mk_kv_u32(&m, "llama.attention.head_count", s.heads);
    mk_kv_u32(&m, "llama.attention.head_count_kv", s.kv);
    mk_kv_u32(&m, "llama.attention.key_length", s.key);
    mk_kv_u32(&m, "llama.attention.value_length", s.value);
    mk_kv_f32(&m, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
    mk_tensor2(&m, "token_embd.weight", UL_Q8_0, 64, 32);
    mk_tensor1(&m, "output_norm.weight", UL_F32, 64);
    mk_tensor2(&m, "blk.0.attn_k.weight", UL_Q8_0, 64, 32);
    mk_tensor2(&m, "blk.0.attn_v.weight", UL_Q8_0, 64, 32);
    mk_end(&m);
    *err = (ullage_error){0};
    int code = ullage_open_memory(&model, m.p, m.n, mk_full_size(&m), err);
    ullage_close(model);
    mk_free(&m);
    return code;
}

static void expect_contradiction(struct shape s, const char *tensor, const char *key)
{
    ullage_error err;
    int code = open_model(s, &err);
    if (code != ULLAGE_ERROR_INPUT || !strstr(err.message, tensor) || !strstr(err.message, key) ||
        !strstr(err.message, "at byte "))
        fail_msg("%d %s", code, err.message);
    assert_true(err.position != ULLAGE_NO_POSITION);
}

static void keys_and_tensors_agree(void **state)
{
    (void)state;
    ullage_error err;
    if (open_model(right, &err) != ULLAGE_OK)
        fail_msg("%s", err.message);
}

static void a_contradiction_names_the_tensor_and_the_key(void **state)
{
    (void)state;
    static const uint32_t widths[] = {0, 1, 63, 128, UINT32_MAX};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct shape s = right;
        s.embd = widths[i];
        expect_contradiction(s, "token_embd.weight is 64 x 32", "embedding_length");
        s = right;
        s.key = widths[i];
        expect_contradiction(s, "blk.0.attn_k.weight is 64 x 32", "key_length");
        s = right;
        s.value = widths[i];
        expect_contradiction(s, "blk.0.attn_v.weight is 64 x 32", "value_length");
        s = right;
        s.kv = widths[i];
        expect_contradiction(s, "blk.0.attn_k.weight is 64 x 32", "head_count_kv");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_tensors_agree),
        cmocka_unit_test(a_contradiction_names_the_tensor_and_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
