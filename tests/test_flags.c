/* The flag table and its reading, as a launcher would use them. What the engine itself does with
 * each of these was looked up by giving it the same arguments (llama-server 0.7.0). */
#include "engine/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define ARGS(...) COUNT(((const char *[]){__VA_ARGS__})), (const char *const[]){__VA_ARGS__}

struct read {
    ullage_settings *settings;
    const struct ul_settings *s;
    ullage_error err;
    int rc;
};

static struct read read_args(int n, const char *const *args)
{
    struct read r = {.settings = ullage_settings_new()};
    assert_non_null(r.settings);
    r.s = &r.settings->s;
    r.rc = ullage_settings_parse(r.settings, n, args, &r.err);
    return r;
}

static struct read read_good(int n, const char *const *args)
{
    struct read r = read_args(n, args);
    if (r.rc)
        fail_msg("%s", r.err.message);
    return r;
}

static void done(struct read *r)
{
    ullage_settings_free(r->settings);
}

static int has_note(const struct read *r, const char *code)
{
    size_t n;
    const ullage_note *notes = ullage_settings_notes(r->settings, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(notes[i].code, code) == 0)
            return 1;
    return 0;
}

static void refused(const char *says, int n, const char *const *args)
{
    struct read r = read_args(n, args);
    if (r.rc != ULLAGE_ERROR_USAGE || !strstr(r.err.message, says))
        fail_msg("%s: %d '%s', not '%s'", args[0], r.rc, r.err.message, says);
    assert_int_equal(r.err.code, r.rc);
    done(&r);
}

/* ------------------------------------------------------------------ the table */

/* A value that the flag can read. */
static const char *sample(const ullage_flag *flag, size_t index)
{
    const char *word = ullage_flag_word(index, 0);
    if (word)
        return word;
    if (strcmp(flag->names[0], "-ot") == 0 || strcmp(flag->names[0], "--override-kv") == 0
        || strcmp(flag->names[0], "--spec-draft-override-tensor") == 0)
        return "a=bool:true";
    if (strstr(flag->names[0], "-scaled"))
        return "f:1";
    return strcmp(flag->names[0], "--spec-type") == 0 ? "none" : "1";
}

static size_t index_of(const char *name)
{
    ullage_flag flag;
    for (size_t i = 0; ullage_flag_at(i, &flag); i++)
        for (size_t k = 0; k < flag.n_names + flag.n_negations; k++)
            if (strcmp(k < flag.n_names ? flag.names[k] : flag.negations[k - flag.n_names],
                       name) == 0)
                return i;
    fail_msg("%s is in no row", name);
    return 0;
}

static void check_spelling(const char *name, const char *env)
{
    ullage_flag flag, found;
    size_t i = index_of(name);
    assert_int_equal(ullage_flag_at(i, &flag), 1);
    assert_int_equal(ullage_flag_find(name, &found), 1);
    assert_ptr_equal(flag.names, found.names); /* no other row has the spelling */
    if (env[0])
        assert_string_equal(flag.env, env);
    else
        assert_null(flag.env);
    const char *args[3] = {name, sample(&flag, i), "2"};
    struct read r = read_good(1 + (flag.value != NULL) + (flag.value2 != NULL), args);
    done(&r);
}

/* tests/flags-0.7.0.txt: the spellings and variables of `llama-server --help`, a flag a line. */
static void every_flag_of_the_help_text_is_known(void **state)
{
    (void)state;
    char line[512];
    int spellings = 0, lines = 0;
    FILE *f = fopen(TEST_DATA "/flags-0.7.0.txt", "r");
    assert_non_null(f);
    for (; fgets(line, sizeof line, f); lines++) {
        char *bar = strchr(line, '|');
        assert_non_null(bar);
        char *env = bar + 1 + strspn(bar + 1, " ");
        env[strcspn(env, "\n")] = '\0';
        *bar = '\0';
        for (char *name = strtok(line, " "); name; name = strtok(NULL, " "), spellings++)
            check_spelling(name, env);
    }
    fclose(f);
    assert_int_equal(lines, 258);
    assert_int_equal(spellings, 415);
}

static void every_row_has_a_help_line_and_a_group(void **state)
{
    (void)state;
    ullage_flag flag;
    size_t n = 0, modelled = 0, unmodelled = 0;
    for (; ullage_flag_at(n, &flag); n++) {
        assert_true(flag.n_names > 0);
        assert_in_range(strlen(flag.help), 5, 90);
        assert_non_null(flag.group);
        modelled += flag.memory == ULLAGE_FLAG_MODELLED;
        unmodelled += flag.memory == ULLAGE_FLAG_UNMODELLED;
    }
    assert_int_equal(n, 261); /* the engine's, and three of earlier versions */
    assert_true(modelled > 40);
    assert_in_range(unmodelled, 1, 8);
}

/* ------------------------------------------------------------------ values */

static void defaults_are_the_servers(void **state)
{
    (void)state;
    struct read r = read_good(0, NULL);
    assert_int_equal(r.s->n_parallel, -1);
    assert_int_equal(r.s->kv_unified, UL_AUTO);
    assert_false(r.s->ctx_given);
    assert_int_equal(r.s->n_batch, 2048);
    assert_int_equal(r.s->n_ubatch, 512);
    assert_int_equal(r.s->type_k, UL_F16);
    assert_int_equal(r.s->n_gpu_layers, UL_NGL_AUTO);
    assert_int_equal(r.s->cache_ram_mib, 8192);
    assert_int_equal(r.s->ctx_checkpoints, 32);
    assert_true(r.s->fit);
    assert_int_equal(r.s->fit_target_mib[15], 1024);
    done(&r);
}

static void a_long_command_line_is_read(void **state)
{
    (void)state;
    struct read r = read_good(ARGS(
        "-m", "a.gguf", "-c", "32768", "-np", "3", "-no-kvu", "-b", "1024", "-ub", "256", "-ctk",
        "q8_0", "--cache-type-v", "q4_0", "-fa", "on", "-ngl", "24", "-sm", "row", "-ts", "3,1/2",
        "-mg", "1", "-nkvo", "--swa-full", "-lm", "mmap+mlock", "-lzm", "off", "--no-host", "-nr",
        "--no-op-offload", "--moe-cache-mib", "1024", "-cram", "-1", "--swa-checkpoints", "7",
        "--embeddings", "--pooling", "cls", "-bs", "--temp", "0.7", "--host", "0.0.0.0"));
    const struct ul_settings *s = r.s;
    assert_string_equal(ullage_settings_model(r.settings), "a.gguf");
    assert_int_equal(s->n_ctx, 32768);
    assert_int_equal(s->n_parallel, 3);
    assert_int_equal(s->kv_unified, UL_OFF);
    assert_int_equal(s->n_batch, 1024);
    assert_int_equal(s->n_ubatch, 256);
    assert_int_equal(s->type_k, UL_Q8_0);
    assert_int_equal(s->type_v, UL_Q4_0);
    assert_int_equal(s->flash_attn, UL_ON);
    assert_int_equal(s->n_gpu_layers, 24);
    assert_true(s->ngl_given);
    assert_int_equal(s->split_mode, UL_SPLIT_ROW);
    assert_int_equal(s->n_tensor_split, 3);
    assert_float_equal(s->tensor_split[0], 3.0, 0);
    assert_float_equal(s->tensor_split[2], 2.0, 0);
    assert_int_equal(s->main_gpu, 1);
    assert_true(s->no_kv_offload && s->swa_full && s->no_host && s->no_repack && s->no_op_offload);
    assert_int_equal(s->load_mode, UL_LOAD_MMAP_MLOCK);
    assert_int_equal(s->lazy_mode, UL_OFF);
    assert_int_equal(s->moe_cache_bytes, 1024ull << 20);
    assert_int_equal(s->cache_ram_mib, -1);
    assert_int_equal(s->ctx_checkpoints, 7);
    assert_true(s->embedding && s->backend_sampling);
    assert_int_equal(s->pooling, 2);
    assert_int_equal(s->n_unmodelled, 0);
    assert_int_equal(s->notes.n, 0);
    done(&r);
}

static void negations_undo_what_stands_before(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-nkvo", "-kvo", "--no-repack", "--repack", "--kv-unified",
                                   "--no-kv-unified", "--no-op-offload", "--op-offload"));
    assert_false(r.s->no_kv_offload || r.s->no_repack || r.s->no_op_offload);
    assert_int_equal(r.s->kv_unified, UL_OFF);
    assert_true(has_note(&r, "flag_repeated"));
    done(&r);
}

static void the_last_of_two_counts(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-c", "4096", "--ctx-size", "8192"));
    assert_int_equal(r.s->n_ctx, 8192);
    assert_true(has_note(&r, "flag_repeated"));
    done(&r);
}

static void gpu_layers_take_words_and_numbers(void **state)
{
    (void)state;
    static const struct { const char *value; int n; bool given; } cases[] = {
        {"auto", UL_NGL_AUTO, false}, {"-1", UL_NGL_AUTO, false}, {"all", UL_NGL_ALL, true},
        {"-2", UL_NGL_ALL, true}, {"-7", UL_NGL_ALL, true}, {"0", 0, true}, {"99", 99, true}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct read r = read_good(ARGS("-ngl", cases[i].value));
        assert_int_equal(r.s->n_gpu_layers, cases[i].n);
        assert_int_equal(r.s->ngl_given, cases[i].given);
        done(&r);
    }
}

static void underscores_are_dashes_in_long_names(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("--ctx_size", "512", "--no_kv_offload"));
    assert_int_equal(r.s->n_ctx, 512);
    assert_true(r.s->no_kv_offload);
    done(&r);
}

static void expert_flags_become_patterns_in_order(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-ot", "output\\.weight=CPU,attn=CUDA1", "-ncmoe", "2", "-cmoe",
                                   "-ncffn", "1", "-ot", "x=CUDA0"));
    static const char *const want[][2] = {
        {"output\\.weight", "CPU"}, {"attn", "CUDA1"},
        {"blk\\.0\\.ffn_(gate|up|gate_up|down)_(ch|)exps", "CPU"},
        {"blk\\.1\\.ffn_(gate|up|gate_up|down)_(ch|)exps", "CPU"},
        {"\\.ffn_(gate|up|gate_up|down)_(ch|)exps", "CPU"},
        {"blk\\.0\\.ffn_(gate|up|down)\\.", "CPU"}, {"x", "CUDA0"}};
    assert_int_equal(r.s->n_overrides, COUNT(want));
    for (int i = 0; i < COUNT(want); i++) {
        assert_string_equal(r.s->overrides[i].pattern, want[i][0]);
        assert_string_equal(r.s->overrides[i].buft, want[i][1]);
    }
    assert_false(has_note(&r, "flag_repeated"));
    done(&r);
}

static void many_patterns_are_kept(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-ncmoe", "100"));
    assert_int_equal(r.s->n_overrides, 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(atoi(r.s->overrides[i].pattern + strlen("blk\\.")), i);
    done(&r);
    r = read_good(ARGS("-ncmoe", "2000000000")); /* no model has more than 512 layers */
    assert_int_equal(r.s->n_overrides, 512);
    done(&r);
}

static void devices_are_a_list(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-dev", "CUDA1,CUDA0"));
    assert_int_equal(r.s->n_devices, 2);
    assert_string_equal(r.s->devices[0], "CUDA1");
    done(&r);
    r = read_good(ARGS("-dev", "none"));
    assert_true(r.s->no_devices);
    done(&r);
    refused("no list of devices", ARGS("-dev", "CUDA0,,CUDA1"));
    refused("no list of devices", ARGS("-dev", "CPU"));
}

static void fit_flags(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("--fit", "off", "-fitt", "512", "-fitc", "2048"));
    assert_false(r.s->fit);
    assert_int_equal(r.s->fit_target_mib[7], 512);
    assert_int_equal(r.s->fit_ctx, 2048);
    done(&r);
    r = read_good(ARGS("-fitt", "512,256"));
    assert_int_equal(r.s->fit_target_mib[1], 256);
    assert_int_equal(r.s->fit_target_mib[2], 1024);
    done(&r);
    r = read_good(ARGS("-c", "0"));
    assert_int_equal(r.s->fit_ctx, UINT32_MAX); /* asked for the whole context */
    assert_true(r.s->ctx_given);
    done(&r);
}

static void keys_are_overridden(void **state)
{
    (void)state;
    struct read r = read_good(ARGS(
        "--override-kv",
        "llama.expert_used_count=int:4,a=float:1.5,b=bool:true,\"c=str:x,\"\"y\""));
    const struct ul_kv_override *o = r.s->kv_overrides;
    assert_int_equal(r.s->n_kv_overrides, 4);
    assert_string_equal(o[0].key.p, "llama.expert_used_count");
    assert_int_equal(o[0].i, 4);
    assert_float_equal(o[1].f, 1.5, 0);
    assert_true(o[2].b);
    assert_string_equal(o[3].s.p, "x,\"y");
    done(&r);
    refused("KEY=int:", ARGS("--override-kv", "a=bool:perhaps"));
    refused("KEY=int:", ARGS("--override-kv", "a"));
}

static void position_flags(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("--rope-scaling", "yarn", "--rope-scale", "4", "--yarn-orig-ctx",
                                   "32768", "--yarn-beta-fast", "32", "--rope-freq-base", "1e6"));
    assert_int_equal(r.s->rope_scaling, 2);
    assert_float_equal(r.s->rope_freq_scale, 0.25, 0);
    assert_int_equal(r.s->yarn_orig_ctx, 32768);
    assert_float_equal(r.s->yarn_beta_fast, 32, 0);
    assert_float_equal(r.s->rope_freq_base, 1e6, 0);
    done(&r);
}

static void reranking_is_embedding_with_rank_pooling(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("--reranking"));
    assert_true(r.s->embedding);
    assert_int_equal(r.s->pooling, 4);
    done(&r);
}

/* ------------------------------------------------------------------ notes */

static void a_suffix_is_taken_and_noted(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-c", "64k"));
    assert_int_equal(r.s->n_ctx, 65536);
    assert_true(has_note(&r, "number_suffix"));
    assert_non_null(strstr(r.s->notes.v[0].text, "would read 64:"));
    done(&r);
    r = read_good(ARGS("-c", "1M"));
    assert_int_equal(r.s->n_ctx, 1048576);
    done(&r);
    refused("too large", ARGS("-c", "4096M"));
}

static void a_tail_is_ignored_and_noted(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-c", "32,768"));
    assert_int_equal(r.s->n_ctx, 32); /* as std::stoi reads it */
    assert_true(has_note(&r, "number_tail"));
    done(&r);
}

static void older_spellings_act_and_are_noted(void **state)
{
    (void)state;
    static const struct { const char *flag; int mode; } cases[] = {
        {"--no-mmap", UL_LOAD_NONE}, {"--mmap", UL_LOAD_MMAP}, {"--mlock", UL_LOAD_MLOCK},
        {"-dio", UL_LOAD_DIO}, {"--no-direct-io", UL_LOAD_NONE}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct read r = read_good(ARGS(cases[i].flag));
        assert_int_equal(r.s->load_mode, cases[i].mode);
        assert_true(has_note(&r, "flag_older"));
        done(&r);
    }
    struct read r = read_good(ARGS("--draft-max", "8"));
    assert_true(has_note(&r, "flag_older"));
    done(&r);
}

static void what_is_not_modelled_is_kept(void **state)
{
    (void)state;
    static const char *const flags[][2] = {{"--rpc", "h:1"}, {"-hf", "a/b"}};
    for (int i = 0; i < COUNT(flags); i++) {
        struct read r = read_good(ARGS(flags[i][0], flags[i][1]));
        assert_int_equal(r.s->n_unmodelled, 1);
        assert_string_equal(r.s->unmodelled[0].flag, flags[i][0]);
        assert_true(strlen(r.s->unmodelled[0].why) > 10);
        done(&r);
    }
}

static void files_beside_the_model_are_listed(void **state)
{
    (void)state;
    static const struct {
        const char *flag, *value, *name;
        int kind;
    } cases[] = {{"-md", "d.gguf", "d.gguf", ULLAGE_DRAFT_MODEL},
                 {"-hfd", "a/b", "hf:a/b", ULLAGE_DRAFT_MODEL},
                 {"--mmproj", "p.gguf", "p.gguf", ULLAGE_PROJECTOR},
                 {"-mmu", "http://h/p.gguf", "http://h/p.gguf", ULLAGE_PROJECTOR},
                 {"--lora", "l.gguf", "l.gguf", ULLAGE_ADAPTER},
                 {"--lora-scaled", "l:0.5", "l", ULLAGE_ADAPTER},
                 {"--control-vector", "v.gguf", "v.gguf", ULLAGE_CONTROL_VECTOR},
                 {"--control-vector-scaled", "v:2", "v", ULLAGE_CONTROL_VECTOR}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct read r = read_good(ARGS(cases[i].flag, cases[i].value));
        assert_int_equal(ullage_settings_companions(r.settings), 1);
        ullage_companion c = ullage_settings_companion(r.settings, 0);
        assert_int_equal(c.kind, cases[i].kind);
        assert_string_equal(c.name, cases[i].name);
        assert_string_equal(c.flag, cases[i].flag);
        assert_false(c.opened);
        assert_int_equal(r.s->n_unmodelled, 0);
        done(&r);
    }
    struct read r = read_good(ARGS("--lora", "a,b", "--lora", "c", "-md", "d", "-md", "e"));
    assert_int_equal(ullage_settings_companions(r.settings), 4); /* of draft models the last */
    assert_string_equal(ullage_settings_companion(r.settings, 3).name, "e");
    assert_int_equal(ullage_settings_companion(r.settings, 4).kind, ULLAGE_NO_COMPANION);
    done(&r);
    refused("is not FILE:SCALE", ARGS("--lora-scaled", "a"));
    refused("is not FILE:SCALE", ARGS("--control-vector-scaled", "a:b"));
    refused("only one device", ARGS("-mmdev", "CUDA0,CUDA1"));
}

static void drafting_is_read(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("--spec-type", "draft-mtp,none", "--spec-type", "ngram-mod",
                                   "--spec-draft-n-max", "7", "-ctkd", "q8_0", "-ngld", "5",
                                   "-devd", "CUDA1", "-ncmoed", "2"));
    assert_int_equal(r.s->spec.types, UL_SPEC_BIT(UL_SPEC_DRAFT_MTP) | UL_SPEC_BIT(UL_SPEC_NGRAM_MOD));
    assert_int_equal(r.s->spec.n_max, 7);
    assert_int_equal(r.s->type_k, UL_F16); /* the model's own are as they were */
    assert_int_equal(r.s->n_gpu_layers, UL_NGL_AUTO);
    assert_int_equal(r.s->n_overrides, 0);
    assert_int_equal(r.s->draft->type_k, UL_Q8_0);
    assert_int_equal(r.s->draft->n_gpu_layers, 5);
    assert_int_equal(r.s->draft->n_overrides, 2);
    assert_string_equal(r.s->draft->devices[0], "CUDA1");
    done(&r);
    r = read_good(ARGS("--spec-default"));
    assert_int_equal(r.s->spec.types, UL_SPEC_BIT(UL_SPEC_NGRAM_MOD));
    done(&r);
    refused("no kind of speculative decoding", ARGS("--spec-type", "draft-magic"));
}

static void draft_flags_alone_are_free(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-ctkd", "q8_0", "-ngld", "99", "--draft-p-min", "0.5",
                                   "--spec-type", "none", "--mmproj-offload"));
    assert_int_equal(r.s->n_unmodelled, 0);
    done(&r);
}

static void a_repository_brings_its_projector(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("--no-mmproj", "-hf", "a/b:Q8_0"));
    assert_int_equal(r.s->n_unmodelled, 0);
    assert_string_equal(ullage_settings_remote_model(r.settings), "a/b:Q8_0");
    done(&r);
    r = read_good(ARGS("-hf", "a/b"));
    assert_int_equal(r.s->n_unmodelled, 1);
    assert_int_equal(ullage_settings_set(r.settings, "--no-mmproj", NULL, &r.err), 0);
    assert_int_equal(r.s->n_unmodelled, 0);
    done(&r);
}

static void flags_that_stop_the_engine_are_noted(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("--list-devices", "-c", "512"));
    assert_true(has_note(&r, "flag_stops"));
    assert_int_equal(r.s->n_ctx, 512);
    done(&r);
}

/* ------------------------------------------------------------------ refusals */

static void wrong_values_are_refused(void **state)
{
    (void)state;
    refused("-ctk: 'q6_K' is none of f32, f16, bf16, q8_0, q4_0, q4_1, iq4_nl, q5_0 or q5_1",
            ARGS("-ctk", "q6_K"));
    refused("-ctk: 'Q8_0' is none of", ARGS("-ctk", "Q8_0"));
    refused("-fa: 'maybe' is none of on, off or auto", ARGS("-fa", "maybe"));
    refused("-ngl: 'many' is not", ARGS("-ngl", "many"));
    refused("-np: there must be a slot", ARGS("-np", "0"));
    refused("-c: 'abc' is not a number", ARGS("-c", "abc"));
    refused("-b: '99999999999' is not a number that fits", ARGS("-b", "99999999999"));
    refused("-c: -5 is too small", ARGS("-c", "-5"));
    refused("-b: 0 is too small", ARGS("-b", "0"));
    refused("-b: -1 is too small", ARGS("-b", "-1"));
    refused("-lzm: '1' is none of auto, on or off", ARGS("-lzm", "1"));
    refused("-ts: '1,x' is no list", ARGS("-ts", "1,x"));
    refused("-ts: more than 15", ARGS("-ts", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"));
    refused("--moe-cache-mib: -4 is too small", ARGS("--moe-cache-mib", "-4"));
    refused("-ncffn: -2 is too small", ARGS("-ncffn", "-2"));
    refused("-ot: 'abc' is not PATTERN=BUFFER", ARGS("-ot", "abc"));
    refused("-sm: 'col' is none of none, layer, row or tensor", ARGS("-sm", "col"));
    refused("--pooling: 'max' is none of", ARGS("--pooling", "max"));
    refused("--temp: 'hot' is not a number", ARGS("--temp", "hot"));
    refused("--spec-type: 'eagle' is no kind", ARGS("--spec-type", "eagle"));
    refused("-cms: -1 is too small", ARGS("-cms", "-1"));
}

static void the_engine_accepts_these_too(void **state)
{
    (void)state;
    struct read r = read_good(ARGS("-np", "-7", "-ub", "-3", "-cram", "-5", "-mg", "-1", "-fa", "1",
                                   "-fitt", "10x", "-ub", "0", "--kv-unified-per-slot", "-1"));
    assert_int_equal(r.s->n_parallel, -1);
    assert_int_equal(r.s->n_ubatch, UINT32_MAX); /* as large as the batch */
    assert_int_equal(r.s->cache_ram_mib, -1);
    assert_int_equal(r.s->ctx_per_slot, 0);
    done(&r);
}

static void missing_values_are_named(void **state)
{
    (void)state;
    refused("-c: needs a value (N)", ARGS("-c"));
    refused("--control-vector-layer-range: needs a value (END)",
            ARGS("--control-vector-layer-range", "1"));
}

static void unknown_flags_name_the_nearest(void **state)
{
    (void)state;
    refused("unknown flag '--ctx-sise': did you mean --ctx-size?", ARGS("--ctx-sise", "4096"));
    refused("did you mean --ctx-size?", ARGS("-ctx-size", "4096"));
    refused("did you mean -ngl?", ARGS("-nlg", "4"));
    refused("did you mean --no-kv-offload?", ARGS("--no-kv-ofload"));
    refused("did you mean --n-gpu-layers?", ARGS("--n-gpu-layer", "1"));
    refused("takes no '=', write --ctx-size 4096", ARGS("--ctx-size=4096"));
    refused("'8192' is not a flag", ARGS("-c", "4096", "8192"));
    char *endless = calloc(1, 5000);
    assert_non_null(endless);
    memset(endless, '-', 4999);
    refused("unknown flag", ARGS(endless));
    free(endless);
    refused("unknown flag", ARGS("-"));
}

/* ------------------------------------------------------------------ environment */

static struct read read_env(const char *const *env)
{
    struct read r = read_args(0, NULL);
    r.rc = ullage_settings_environment(r.settings, env, &r.err);
    return r;
}

static void the_environment_is_read(void **state)
{
    (void)state;
    struct read r = read_env((const char *const[]){
        "PATH=/bin", "LLAMA_ARG_CTX_SIZE=4096", "LLAMA_ARG_SWA_FULL=1", "LLAMA_ARG_NO_HOST=off",
        "LLAMA_ARG_KV_OFFLOAD=false", "LLAMA_ARG_NO_REPACK=0", "LLAMA_ARG_CACHE_TYPE_K=q8_0",
        "LLAMA_ARG_MLOCK=1", NULL});
    assert_int_equal(r.rc, 0);
    assert_int_equal(r.s->n_ctx, 4096);
    assert_true(r.s->swa_full);
    assert_false(r.s->no_host);
    assert_true(r.s->no_kv_offload);
    assert_true(r.s->no_repack); /* LLAMA_ARG_NO_X means off, whatever it is set to */
    assert_int_equal(r.s->type_k, UL_Q8_0);
    assert_int_equal(r.s->load_mode, UL_LOAD_AUTO); /* 0.7.0 does not know this one any more */
    done(&r);
}

static void variables_that_act_or_do_nothing_are_noted(void **state)
{
    (void)state;
    struct read r = read_env((const char *const[]){
        "LLAMA_ARG_UBATCH=256", "LLAMA_ARG_THREADS=4", "LLAMA_ARG_NO_JINJA=1", "LLAMA=1", NULL});
    assert_int_equal(r.s->notes.n, 1);
    assert_true(has_note(&r, "environment_used"));
    done(&r);
    r = read_env((const char *const[]){"LLAMA_ARG_MLOCK=1", "LLAMA_ARG_NO_THREADS=1", NULL});
    assert_int_equal(r.s->notes.n, 2); /* dropped in 0.7.0; and threads have no negation */
    assert_true(has_note(&r, "environment_unknown"));
    done(&r);
}

static void launchers_add_notes(void **state)
{
    (void)state;
    struct read r = read_good(0, NULL);
    char code[] = "mine", text[] = "100% text";
    assert_int_equal(ullage_settings_note(r.settings, code, text), 0);
    code[0] = text[0] = 'x'; /* both were copied */
    assert_true(has_note(&r, "mine"));
    assert_string_equal(r.s->notes.v[0].text, "100% text");
    done(&r);
}

static void flags_win_over_the_environment(void **state)
{
    (void)state;
    struct read r = read_env((const char *const[]){
        "LLAMA_ARG_CTX_SIZE=4096", "LLAMA_ARG_CPU_MOE=1", "LLAMA_ARG_OVERRIDE_TENSOR=a=CPU", NULL});
    assert_int_equal(ullage_settings_parse(r.settings, ARGS("-c", "512", "-ot", "b=CPU"), &r.err),
                     0);
    assert_int_equal(r.s->n_ctx, 512);
    assert_true(has_note(&r, "environment_overridden"));
    assert_int_equal(r.s->n_overrides, 3); /* in the order of the engine's table */
    assert_string_equal(r.s->overrides[0].pattern, "a");
    assert_string_equal(r.s->overrides[2].pattern, "b");
    done(&r);
}

static void a_wrong_variable_is_named(void **state)
{
    (void)state;
    struct read r = read_env((const char *const[]){"LLAMA_ARG_CTX_SIZE=", NULL});
    assert_int_equal(r.rc, ULLAGE_ERROR_USAGE);
    assert_non_null(strstr(r.err.message, "LLAMA_ARG_CTX_SIZE: '' is not a number"));
    done(&r);
    r = read_env((const char *const[]){"LLAMA_ARG_KV_UNIFIED=perhaps", NULL});
    assert_int_equal(r.rc, ULLAGE_ERROR_USAGE);
    done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flag_of_the_help_text_is_known),
        cmocka_unit_test(every_row_has_a_help_line_and_a_group),
        cmocka_unit_test(defaults_are_the_servers),
        cmocka_unit_test(a_long_command_line_is_read),
        cmocka_unit_test(negations_undo_what_stands_before),
        cmocka_unit_test(the_last_of_two_counts),
        cmocka_unit_test(gpu_layers_take_words_and_numbers),
        cmocka_unit_test(underscores_are_dashes_in_long_names),
        cmocka_unit_test(expert_flags_become_patterns_in_order),
        cmocka_unit_test(many_patterns_are_kept),
        cmocka_unit_test(devices_are_a_list),
        cmocka_unit_test(fit_flags),
        cmocka_unit_test(keys_are_overridden),
        cmocka_unit_test(position_flags),
        cmocka_unit_test(reranking_is_embedding_with_rank_pooling),
        cmocka_unit_test(a_suffix_is_taken_and_noted),
        cmocka_unit_test(a_tail_is_ignored_and_noted),
        cmocka_unit_test(older_spellings_act_and_are_noted),
        cmocka_unit_test(what_is_not_modelled_is_kept),
        cmocka_unit_test(files_beside_the_model_are_listed),
        cmocka_unit_test(drafting_is_read),
        cmocka_unit_test(draft_flags_alone_are_free),
        cmocka_unit_test(a_repository_brings_its_projector),
        cmocka_unit_test(flags_that_stop_the_engine_are_noted),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(the_engine_accepts_these_too),
        cmocka_unit_test(missing_values_are_named),
        cmocka_unit_test(unknown_flags_name_the_nearest),
        cmocka_unit_test(the_environment_is_read),
        cmocka_unit_test(variables_that_act_or_do_nothing_are_noted),
        cmocka_unit_test(launchers_add_notes),
        cmocka_unit_test(flags_win_over_the_environment),
        cmocka_unit_test(a_wrong_variable_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
