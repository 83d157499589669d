/* What the layers of a model keep, by architecture: one small header a case, and a letter a layer.
 * F: keys and values of all tokens, W: of a window, L: a latent, R: a recurrent state, B: keys and
 * values and a state, a point: nothing. The letters follow from the source that a row names. The
 * pinned engine was given headers with the same keys for gpt-oss, afmoe, mellum, smallthinker, maple,
 * spark2_5, maion-coder, hrm_text, hy_v4, bailingmoe2 and gemma-embedding2, and marked the same
 * layers; for the others its recorded runs of whole models agree with the rows. */
#include "gguf_case.h"

#include "arch/arch.h"
#include "arch/describe.h"

struct row_case {
    const char *arch;
    uint32_t n_layer;
    const char *keys;   /* "name=1 name=1.5 name=1,0,1": u32, f32, array of u32 */
    const char *layers; /* draft layers are not among them */
    uint32_t window;
};

#define MOE "expert_count=4 expert_used_count=2 expert_feed_forward_length=64 "
#define SHARED "expert_shared_count=1 "
#define SWA "attention.sliding_window=32 "
#define SSM "ssm.conv_kernel=4 ssm.inner_size=128 ssm.state_size=16 ssm.time_step_rank=4 "
#define LATENT "attention.kv_lora_rank=32 attention.key_length_mla=24 attention.value_length_mla=16 "
#define INDEXER \
    "attention.indexer.head_count=2 attention.indexer.key_length=16 attention.indexer.top_k=64 "

static const struct row_case cases[] = {
    /* windows by a default period, with the dense layer last or first, and by a period of the file */
    {"gemma3", 13, SWA, "WWWWWFWWWWWFW", 32},
    {"gpt-oss", 13, MOE SWA, "WFWFWFWFWFWFW", 32},
    {"cohere2", 8, SWA "logit_scale=1.0", "WWWFWWWF", 32},
    {"afmoe", 13, MOE SHARED SWA, "WWWFWWWFWWWFW", 32},
    {"afmoe", 13, MOE SHARED SWA "attention.sliding_window_pattern=3", "WWFWWFWWFWWFW", 32},
    {"afmoe", 3, MOE SHARED, "FFF", 0},
    {"mellum", 8, MOE SWA, "WWWFWWWF", 32},
    {"laguna", 8, MOE SWA "leading_dense_block_count=1", "FWWWFWWW", 32},
    /* any window of smallthinker's means 4096; llama4's is a chunk of 8192 */
    {"smallthinker", 13, MOE SWA, "FWWWFWWWFWWWF", 4096},
    {"smallthinker", 3, MOE, "FFF", 0},
    {"llama4", 8, MOE "interleave_moe_layer_step=1", "WWWFWWWF", 8192},
    {"llama4", 4, MOE "interleave_moe_layer_step=1 attention.sliding_window=0", "FFFF", 0},
    /* windows layer by layer */
    {"granite_swa", 4, SWA "logit_scale=1.0 attention.sliding_window_pattern=1,0,0,1", "WFFW", 32},
    {"mimo2", 3, MOE SWA "attention.sliding_window_pattern=1,0,0 nextn_predict_layers=1", "WF", 32},
    {"maple", 2, SWA "attention.sliding_window_pattern=0,1", "FW", 32},
    {"spark2_5", 2, SWA "attention.sliding_window_pattern=0,1", "FW", 32},
    {"maion-coder", 4, MOE SWA "attention.sliding_window_pattern=1,1,0,0 interleave_moe_layer_step=2",
     "WWFF", 32},
    /* shared caches: layers behind the last owner have none of their own */
    {"gemma3n", 24, SWA, "WWWWFWWWWFWWWWFWWWWF....", 32},
    {"gemma4", 6, SWA "attention.sliding_window_pattern=1,1,0,1,1,0 attention.shared_kv_layers=3 "
     "embedding_length_per_layer_input=0 attention.key_length_swa=16 attention.value_length_swa=16",
     "WWF...", 32},
    /* hybrids */
    {"qwen3next", 8, SSM "ssm.group_count=2", "RRRFRRRF", 0},
    {"minimax-01", 9, MOE "residual_scale=1.0", "RRRRRRRFR", 0},
    {"minimax-01", 4, MOE "residual_scale=1.0 full_attention_interval=2", "RFRF", 0},
    {"jamba", 4, SSM "attention.head_count_kv=0,0,2,0", "RRFR", 0},
    {"falcon-h1", 2, SSM "ssm.group_count=1", "BB", 0},
    {"nemotron_h", 4, SSM "ssm.group_count=1 attention.head_count_kv=0,0,2,0 "
     "feed_forward_length=0,128,0,0", "R.FR", 0},
    {"granitehybrid", 3, SSM "ssm.group_count=1 attention.head_count_kv=0,2,0", "RFR", 0},
    {"lfm2", 4, "shortconv.l_cache=3 attention.head_count_kv=0,2,0,2", "RFRF", 0},
    {"lfm2", 4, SWA "shortconv.l_cache=3 attention.head_count_kv=0,2,0,2", "RWRW", 32},
    {"kimi-linear", 3, MOE SHARED LATENT "ssm.conv_kernel=4 kda.head_dim=16 expert_gating_func=2 "
     "attention.head_count_kv=0,1,0", "RLR", 0},
    {"glm5-next", 3, MOE LATENT INDEXER "hyper_connection.count=4 ssm.conv_kernel=4 kda.head_dim=16 "
     "attention.indexer.kpool=4 attention.head_count_kv=1,0,1", "LRL", 0},
    /* latents with an indexer, with and without windows */
    {"hy_v4", 2, MOE LATENT INDEXER "hyper_connection.count=4 attention.indexer.types=1,0", "LL", 0},
    {"dots3note", 2, MOE SHARED LATENT INDEXER SWA "leading_dense_block_count=1 expert_gating_func=2 "
     "attention.q_lora_rank=32 attention.kv_lora_rank_swa=32 attention.key_length_mla_swa=24 "
     "attention.value_length_mla_swa=16 rope.freq_base_swa=10000.0 attention.indexer.types=1,0 "
     "attention.sliding_window_pattern=0,1", "LL", 32},
    /* layers that the file does not count, or counts and does not keep */
    {"nanbeige", 2, "num_loops=3", "FFFFFF", 0},
    {"hrm_text", 6, "hrm.layers_per_stack=1 hrm.h_cycles=2 hrm.l_cycles=2", "FFFFFF", 0},
    {"bailingmoe2", 3, MOE SHARED "expert_gating_func=2 nextn_predict_layers=1", "FF", 0},
    /* encoders and diffusion models keep nothing */
    {"dream", 2, "", "..", 0},
    {"gemma-embedding2", 6, SWA "embedding_length_per_layer_input=8", "......", 32},
};

/* ------------------------------------------------------------------ headers */

/* The text up to `end`, and *at behind it; NULL when nothing is left. */
static char *next(char **at, char end)
{
    char *start = *at;
    if (start == NULL || *start == '\0')
        return NULL;
    *at = strchr(start, end);
    if (*at != NULL)
        *(*at)++ = '\0';
    return start;
}

static void put_value(struct mkgguf *m, const char *key, char *value)
{
    uint32_t items[32];
    size_t n = 0;
    if (strchr(value, '.') != NULL) {
        mk_kv_f32(m, key, strtof(value, NULL));
        return;
    }
    for (char *p; n < 32 && (p = next(&value, ',')) != NULL;)
        items[n++] = (uint32_t)strtoul(p, NULL, 10);
    if (n == 1)
        mk_kv_u32(m, key, items[0]);
    else
        mk_kv_u32s(m, key, items, n);
}

static void put(struct mkgguf *m, const char *arch, const char *keys)
{
    char text[1024], key[1200], *at = text;
    snprintf(text, sizeof text, "%s", keys);
    for (char *p; (p = next(&at, ' ')) != NULL;) {
        char *value = strchr(p, '=');
        assert_non_null(value);
        *value++ = '\0';
        snprintf(key, sizeof key, "%s.%s", arch, p);
        put_value(m, key, value);
    }
}

/* The keys of an ordinary small model, less those that the case gives itself. */
static void put_common(struct mkgguf *m, const struct row_case *c)
{
    static const char *const common[] = {
        "context_length=512", "embedding_length=64", "feed_forward_length=128",
        "attention.head_count=4", "attention.layer_norm_rms_epsilon=0.00001",
        "attention.layer_norm_epsilon=0.00001",
    };
    char block[32];
    snprintf(block, sizeof block, "block_count=%u", c->n_layer);
    put(m, c->arch, block);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(strchr(common[i], '=') - common[i] + 1), common[i]);
        const char *at = strstr(c->keys, name);
        if (at == NULL || (at != c->keys && at[-1] != ' '))
            put(m, c->arch, common[i]);
    }
}

static char letter_of(const ullage_layer_info *l)
{
    switch (l->kind) {
    case ULLAGE_LAYER_FULL: return 'F';
    case ULLAGE_LAYER_WINDOW: return 'W';
    case ULLAGE_LAYER_LATENT: return 'L';
    case ULLAGE_LAYER_RECURRENT: return 'R';
    case ULLAGE_LAYER_HYBRID: return l->window ? 'W' : 'B';
    default: return '.';
    }
}

static void check_case(const struct row_case *c)
{
    struct mkgguf m = {.version = 3};
    struct ul_model model;
    ullage_model_info info = {0};
    ullage_error err = {0};
    char letters[64] = "";
    uint32_t window = 0;
    mk_begin(&m);
    mk_kv_str(&m, "general.architecture", c->arch);
    put_common(&m, c);
    put(&m, c->arch, c->keys);
    mk_tensor2(&m, "token_embd.weight", UL_F32, 64, 32);
    struct read *r = expect_good(&m);
    if (ul_model_load(&model, &r->g, NULL, &r->arena, &err) != ULLAGE_OK)
        fail_msg("%s %s: %s", c->arch, c->keys, err.message);
    ul_model_describe(&model, &r->arena, &info);
    for (uint32_t il = 0; il < info.n_layer && il + 1 < sizeof letters; il++) {
        letters[il] = letter_of(&info.layers[il]);
        if (info.layers[il].window != 0)
            window = info.layers[il].window;
    }
    if (strcmp(letters, c->layers) != 0 || window != c->window)
        fail_msg("%s %s: %s with a window of %u, expected %s with %u", c->arch, c->keys, letters,
                 window, c->layers, c->window);
    read_free(r);
    mk_free(&m);
}

static void layers_keep(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&cases[i]);
}

/* A name stands in one row only, and every row has one. */
static void names_are_single(void **state)
{
    (void)state;
    size_t n = 0;
    for (const struct ul_arch *row; (row = ul_arch_at(n)) != NULL; n++)
        assert_ptr_equal(ul_arch_find(ul_cstr(row->name)), row);
    assert_true(n > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_keep),
        cmocka_unit_test(names_are_single),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
