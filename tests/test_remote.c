/* What servers of models answer: which file of a repository llama-server takes, and what goes with
 * it; answers that are none, and names that lead elsewhere. */
#include "source/remote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static struct ul_arena arena;
static ullage_error err;

static int drop(void **state)
{
    (void)state;
    ul_arena_free(&arena);
    return 0;
}

/* A repository of these files, a name each line. */
static struct ul_remote repository(const char *names)
{
    struct ul_text t = {.arena = &arena};
    struct ul_remote r;
    ul_text_puts(&t, "[{\"type\": \"directory\", \"path\": \"d\"}");
    while (*names != '\0') {
        size_t n = strcspn(names, "\n");
        ul_text_printf(&t, ",{\"type\": \"file\", \"path\": \"%.*s\", \"size\": 7}", (int)n, names);
        names += n + (names[n] == '\n');
    }
    ul_text_puts(&t, "]");
    err = (ullage_error){0};
    assert_int_equal(ul_remote_tree(&r, t.p, t.n, &arena, &err), ULLAGE_OK);
    return r;
}

static void takes(const char *names, const char *tag, const char *path)
{
    struct ul_remote r = repository(names);
    const struct ul_remote_file *f = ul_remote_choose(&r, tag);
    if (path == NULL)
        assert_null(f);
    else
        assert_string_equal(f != NULL ? f->path : "(none)", path);
}

static void beside(const char *names, const char *model, const char *what, const char *tag,
                   const char *path)
{
    struct ul_remote r = repository(names);
    const struct ul_remote_file *f = ul_remote_beside(&r, model, what, tag, &arena);
    if (path == NULL)
        assert_null(f);
    else
        assert_string_equal(f != NULL ? f->path : "(none)", path);
}

/* Expected: what find_best_model of llama.cpp's common/download.cpp returns for the list. */
static void chooses_the_model(void **state)
{
    (void)state;
    takes("a-Q8_0.gguf\na-Q4_K_M.gguf", "", "a-Q4_K_M.gguf");
    takes("a-Q6_K.gguf\na-Q8_0.gguf", "", "a-Q8_0.gguf");
    takes("README.md\na-Q6_K.gguf\na-Q5_0.gguf", "", "a-Q6_K.gguf"); /* else the first */
    takes("a-Q6_K.gguf", "q6_k", "a-Q6_K.gguf");
    takes("a.Q6_K.gguf\nb-Q6_K.gguf", "Q6_K", "a.Q6_K.gguf");
    takes("a-Q6_K.gguf", "Q4_K_M", NULL);                       /* no fallback from a tag */
    takes("a-Q6_K_L.gguf\na-Q6_K.gguf", "Q6_K", "a-Q6_K.gguf"); /* a dot or dash behind it */
    takes("Q4_K_M-x/a.gguf\nb-Q4_K_M.gguf", "Q4_K_M", "Q4_K_M-x/a.gguf"); /* anywhere in the path */
    takes("mmproj-Q4_K_M.gguf\na-imatrix-Q4_K_M.gguf\nmtp-Q4_K_M.gguf\neagle3-Q4_K_M.gguf\n"
          "dflash-Q4_K_M.gguf\ndspark-Q4_K_M.gguf\nx-Q4_K_M.gguf", "", "x-Q4_K_M.gguf");
    takes("mtp-d/x-Q4_K_M.gguf", "", "mtp-d/x-Q4_K_M.gguf"); /* of the name alone */
    takes("x-Q4_K_M-00002-of-00003.gguf\nx-Q4_K_M-00001-of-00003.gguf", "",
          "x-Q4_K_M-00001-of-00003.gguf");
    takes("x-00002-of-00003.gguf", "", NULL);
    takes("x-00002-of-00001.gguf", "", "x-00002-of-00001.gguf"); /* of one: no shard */
    takes("x-Q4_K_M.GGUF", "", NULL);
    takes("", "", NULL);
}

/* Expected: find_best_sibling of the same file. */
static void chooses_what_goes_with_it(void **state)
{
    (void)state;
    beside("mmproj-F16.gguf\nmmproj-Q8_0.gguf", "m-Q4_K_M.gguf", "mmproj", "", "mmproj-Q8_0.gguf");
    beside("mmproj-F16.gguf\nmmproj-BF16.gguf", "m-Q4_K_M.gguf", "mmproj", "", "mmproj-F16.gguf");
    beside("mmproj-F16.gguf\nmmproj-Q8_0.gguf", "m-BF16.gguf", "mmproj", "", "mmproj-F16.gguf");
    beside("mmproj-F16.gguf\nd/mmproj-F32.gguf", "d/m-F16.gguf", "mmproj", "", "d/mmproj-F32.gguf");
    beside("d/mmproj-F16.gguf", "m-F16.gguf", "mmproj", "", NULL); /* not above the model */
    beside("d/mmproj-F16.gguf", "e/m-F16.gguf", "mmproj", "", NULL);
    beside("mmproj-F16.txt", "m.gguf", "mmproj", "", NULL);
    beside("mmproj.gguf", "m.gguf", "mmproj", "", "mmproj.gguf");
    beside("mtp-Q8_0.gguf\nmtp-Q4_0.gguf\nx-mtp-Q4_K_M.gguf", "m-Q8_0.gguf", "mtp-", "Q4_K_M",
           "x-mtp-Q4_K_M.gguf"); /* the tag itself */
    beside("mtp-Q8_0.gguf\nmtp-Q5_0.gguf", "m.gguf", "mtp-", "q4_k_m", "mtp-Q5_0.gguf");
    beside("mmproj-x-00001-of-00002.gguf\nmmproj-Q8_0.gguf", "m-Q8_0-00001-of-00009.gguf", "mmproj",
           "", "mmproj-Q8_0.gguf"); /* a shard's number is no quantisation */
}

static void passes_over_what_leads_elsewhere(void **state)
{
    (void)state;
    static const char *const bad[] = {"../a-Q4_K_M.gguf", "/a-Q4_K_M.gguf", "d/../../a-Q4_K_M.gguf",
                                      "./a-Q4_K_M.gguf", "d//a-Q4_K_M.gguf", "a\\\\b-Q4_K_M.gguf",
                                      "a\\nb-Q4_K_M.gguf", "a\\u0000b-Q4_K_M.gguf", ".."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        takes(bad[i], "", NULL);
    takes("..a/b...c-Q4_K_M.gguf", "", "..a/b...c-Q4_K_M.gguf"); /* odd, but a name */
}

typedef int read_answer(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                        ullage_error *err);

static struct ul_remote read_as(read_answer *read, const char *text, int code)
{
    struct ul_remote r = {0};
    err = (ullage_error){0};
    assert_int_equal(read(&r, text, strlen(text), &arena, &err), code);
    assert_int_equal(err.code, code);
    return r;
}

#define A40 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B40 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define D64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void reads_commits(void **state)
{
    (void)state;
    static const char head[] = "{\"branches\": [{\"name\": \"first\", \"targetCommit\": \"" B40 "\"}";
    struct ul_remote r = read_as(ul_remote_refs, ul_format(&arena, "%s,{\"name\": \"main\", "
                                 "\"targetCommit\": \"" A40 "\"}]}", head), ULLAGE_OK);
    assert_string_equal(r.commit, A40);
    r = read_as(ul_remote_refs, ul_format(&arena, "%s]}", head), ULLAGE_OK);
    assert_string_equal(r.commit, B40); /* no main: the first */
    r = read_as(ul_remote_refs, ul_format(&arena, "%s,{\"name\": \"main\", \"targetCommit\": "
                                          "\"../../x\"}]}", head), ULLAGE_OK);
    assert_string_equal(r.commit, B40); /* what is no commit is none */
    read_as(ul_remote_refs, "{\"branches\": []}", ULLAGE_ERROR_INPUT);
    read_as(ul_remote_refs, "{}", ULLAGE_ERROR_INPUT);
    r = read_as(ul_remote_modelscope,
                "{\"Data\": {\"Files\": ["
                "{\"Path\": \"a\", \"Type\": \"blob\", \"Revision\": \"" A40 "\", \"CommittedDate\": 9},"
                "{\"Path\": \"b\", \"Type\": \"blob\", \"Revision\": \"" B40 "\", \"CommittedDate\": 8},"
                "{\"Path\": \"c\", \"Type\": \"tree\", \"Revision\": \"" B40 "\", \"CommittedDate\": 10}"
                "]}}", ULLAGE_OK);
    assert_string_equal(r.commit, A40);
    assert_int_equal(r.n, 2);
    assert_true(r.files[0].bytes == UINT64_MAX);
}

static void reads_manifests(void **state)
{
    (void)state;
    struct ul_remote r = read_as(
        ul_remote_manifest,
        "{\"layers\": [{\"digest\": \"sha256:../../../etc/passwd\", \"mediaType\": "
        "\"application/vnd.ollama.image.model\"},"
        "{\"digest\": \"sha256:" D64 "\", \"size\": 3, \"mediaType\": "
        "\"application/vnd.ollama.image.model\"}]}", ULLAGE_OK);
    assert_int_equal(r.n, 1);
    assert_string_equal(ul_remote_choose(&r, "")->path, "sha256:" D64);
    assert_null(ul_remote_beside(&r, "", "mmproj", "", &arena));
    assert_null(ul_remote_beside(&r, "", "mtp-", "", &arena));
    read_as(ul_remote_manifest, "{\"errors\": []}", ULLAGE_ERROR_INPUT);
}

static void refuses_other_answers(void **state)
{
    (void)state;
    static read_answer *const readers[] = {ul_remote_refs, ul_remote_tree, ul_remote_modelscope,
                                           ul_remote_manifest};
    static const char *const texts[] = {"", "<html>", "7", "null", "\"x\"", "{\"a\":", "[{]"};
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            read_as(readers[k], texts[i], ULLAGE_ERROR_INPUT);
    read_as(ul_remote_tree, "{}", ULLAGE_ERROR_INPUT);
    read_as(ul_remote_modelscope, "{\"Data\": {\"Files\": 7}}", ULLAGE_ERROR_INPUT);
    assert_int_equal(read_as(ul_remote_tree, "[7, null, {\"path\": 7}, {\"type\": \"file\"}]",
                             ULLAGE_OK).n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(chooses_the_model, drop),
        cmocka_unit_test_teardown(chooses_what_goes_with_it, drop),
        cmocka_unit_test_teardown(passes_over_what_leads_elsewhere, drop),
        cmocka_unit_test_teardown(reads_commits, drop),
        cmocka_unit_test_teardown(reads_manifests, drop),
        cmocka_unit_test_teardown(refuses_other_answers, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
