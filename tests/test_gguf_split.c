#define _XOPEN_SOURCE 700
/* Models in several files, and what goes wrong with them: a shard renamed, lost, of another model,
 * or joined with its siblings by `cat`. And files that cannot be opened at all. The rules are
 * llama.cpp's: split.no counts from 0, names from 1; only the first shard has the model's keys. */
#include "gguf_case.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* gcc says it is sanitizing by a macro, clang by a feature. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITHOUT_RLIMIT
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WITHOUT_RLIMIT
#endif

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/shards.XXXXXX", TEST_BUILD);
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const char *in_folder(const char *name)
{
    static char path[2][1024];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static const char *shard_name(const char *model, int no, int count)
{
    char name[200];
    snprintf(name, sizeof name, "%s-%05d-of-%05d.gguf", model, no + 1, count);
    return in_folder(name);
}

/* The common part of one shard's header: shard `no` of `count`, `total` tensors in all. */
static struct mkgguf shard(int no, int count, int total)
{
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    if (no == 0) {
        mk_kv_str(&m, "general.architecture", "llama");
        mk_kv_u32(&m, "llama.block_count", 3);
    }
    mk_kv_u16(&m, "split.no", (uint16_t)no);
    mk_kv_u16(&m, "split.count", (uint16_t)count);
    mk_kv_i32(&m, "split.tensors.count", total);
    return m;
}

static void put(struct mkgguf *m, const char *path)
{
    mk_end(m);
    mk_zeros(m, mk_full_size(m));
    mk_write(m, path);
    mk_free(m);
}

/* Three shards: keys only, two tensors, one tensor. */
static void put_model(const char *model)
{
    struct mkgguf m = shard(0, 3, 3);
    put(&m, shard_name(model, 0, 3));
    m = shard(1, 3, 3);
    mk_tensor1(&m, "a", UL_F32, 10);
    mk_tensor1(&m, "b", UL_F32, 10);
    put(&m, shard_name(model, 1, 3));
    m = shard(2, 3, 3);
    mk_tensor1(&m, "c", UL_F32, 10);
    put(&m, shard_name(model, 2, 3));
}

static void expect_file_refused(const char *path, int code, const char *fragment)
{
    struct read *r = read_file(path);
    check_message(r, code, fragment);
    assert_int_equal(r->g.n_tensors, 0);
    read_free(r);
}

static void any_shard_opens_all(void **state)
{
    (void)state;
    put_model("model");
    for (int named = 0; named < 3; named++) {
        struct read *r = read_file(shard_name("model", named, 3));
        if (r->code != ULLAGE_OK)
            fail_msg("shard %d: %s", named, r->err.message);
        assert_int_equal(r->g.n_files, 3);
        assert_int_equal(r->g.n_tensors, 3);
        assert_true(ul_str_is(r->g.tensors[0].name, "a"));
        assert_true(ul_str_is(r->g.tensors[2].name, "c"));
        assert_int_equal(r->g.tensors[0].file, 1);
        assert_int_equal(r->g.tensors[1].file, 1);
        assert_int_equal(r->g.tensors[2].file, 2);
        for (int i = 0; i < 3; i++) {
            assert_string_equal(r->g.files[i].path, shard_name("model", i, 3));
            assert_true(r->g.files[i].size == r->g.files[i].full_size);
        }
        assert_true(r->g.tensors[2].offset == r->g.files[2].data);
        /* the keys are the first shard's */
        assert_non_null(ul_gguf_find(&r->g, UL_STR("general.architecture")));
        assert_int_equal(ul_gguf_find(&r->g, UL_STR("split.no"))->v.u, 0);
        assert_false(r->g.partial);
        read_free(r);
    }
}

/* One tensor a shard, 300 shards: as some hosts split models. */
static void hundreds_of_shards(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        char name[16];
        struct mkgguf m = shard(i, 300, 300);
        snprintf(name, sizeof name, "t%d", i);
        mk_tensor1(&m, name, UL_F32, 8);
        put(&m, shard_name("many", i, 300));
    }
    struct read *r = read_file(shard_name("many", 200, 300));
    if (r->code != ULLAGE_OK)
        fail_msg("%s", r->err.message);
    assert_int_equal(r->g.n_files, 300);
    assert_int_equal(r->g.n_tensors, 300);
    assert_true(ul_str_is(r->g.tensors[299].name, "t299"));
    assert_int_equal(r->g.tensors[299].file, 299);
    if (r->arena.total > 1024 * 1024)
        fail_msg("%zu bytes of memory", r->arena.total);
    read_free(r);
}

static void a_shard_without_its_data_makes_the_model_partial(void **state)
{
    (void)state;
    put_model("cut");
    assert_int_equal(truncate(shard_name("cut", 1, 3), 200), 0);
    struct read *r = read_file(shard_name("cut", 2, 3));
    if (r->code != ULLAGE_OK)
        fail_msg("%s", r->err.message);
    assert_true(r->g.partial);
    read_free(r);
}

static void a_lost_shard_is_named(void **state)
{
    (void)state;
    put_model("lost");
    unlink(shard_name("lost", 1, 3));
    expect_file_refused(shard_name("lost", 0, 3), ULLAGE_ERROR_IO, "shard 2 of 3 is missing");
    expect_file_refused(shard_name("lost", 2, 3), ULLAGE_ERROR_IO,
                        "lost-00002-of-00003.gguf: no such file");
    put_model("lost1");
    unlink(shard_name("lost1", 0, 3));
    expect_file_refused(shard_name("lost1", 2, 3), ULLAGE_ERROR_IO, "shard 1 of 3 is missing");
}

static void a_renamed_shard_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "best-of-breed.gguf",            /* looks a little like a shard's name */
        "renamed-00001-of-00013.gguf",   /* the wrong count */
        "renamed-00002-of-00003.gguf",   /* the wrong number */
        "renamed-1-of-3.gguf",           /* digits missing */
        "-00001-of-00003.gguf.bak",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct mkgguf m = shard(0, 3, 0);
        put(&m, in_folder(names[i]));
        expect_file_refused(in_folder(names[i]), ULLAGE_ERROR_INPUT,
                            "its name must end in -00001-of-00003.gguf");
    }
    /* The right name but another shard's number inside. */
    put_model("swapped");
    assert_int_equal(rename(shard_name("swapped", 1, 3), in_folder("x")), 0);
    assert_int_equal(rename(shard_name("swapped", 2, 3), shard_name("swapped", 1, 3)), 0);
    assert_int_equal(rename(in_folder("x"), shard_name("swapped", 2, 3)), 0);
    expect_file_refused(shard_name("swapped", 0, 3), ULLAGE_ERROR_INPUT,
                        "swapped-00002-of-00003.gguf: split.no is 2 but by its name it must be 1");
}

static void a_file_with_a_shards_name_and_no_split_keys_is_one_model(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_tensor1(&m, "a", UL_F32, 10);
    put(&m, shard_name("single", 0, 13));
    struct read *r = read_file(shard_name("single", 0, 13));
    assert_int_equal(r->code, ULLAGE_OK);
    assert_int_equal(r->g.n_files, 1);
    read_free(r);
    /* and so is one that says it is the only one, whatever its name */
    m = shard(0, 1, 1);
    mk_tensor1(&m, "a", UL_F32, 10);
    put(&m, in_folder("only.gguf"));
    r = read_file(in_folder("only.gguf"));
    assert_int_equal(r->code, ULLAGE_OK);
    read_free(r);
}

static void shards_agree_on_their_count(void **state)
{
    (void)state;
    put_model("count");
    struct mkgguf m = shard(1, 4, 3);
    mk_tensor1(&m, "a", UL_F32, 10);
    put(&m, shard_name("count", 1, 3));
    expect_file_refused(shard_name("count", 0, 3), ULLAGE_ERROR_INPUT,
                        "split.count is 4 here but 3 in the first shard");
}

static void the_tensors_add_up(void **state)
{
    (void)state;
    put_model("sum");
    struct mkgguf m = shard(2, 3, 3);
    mk_tensor1(&m, "c", UL_F32, 10);
    mk_tensor1(&m, "d", UL_F32, 10);
    put(&m, shard_name("sum", 2, 3));
    expect_file_refused(shard_name("sum", 0, 3), ULLAGE_ERROR_INPUT,
                        "split.tensors.count is 3 but the 3 shards hold 4 tensors");
    expect_file_refused(shard_name("sum", 2, 3), ULLAGE_ERROR_INPUT, "the 3 shards hold 4");
}

static void one_tensor_in_two_shards_is_refused(void **state)
{
    (void)state;
    put_model("twice");
    struct mkgguf m = shard(2, 3, 3);
    mk_tensor1(&m, "a", UL_F32, 10);
    put(&m, shard_name("twice", 2, 3));
    expect_file_refused(shard_name("twice", 0, 3), ULLAGE_ERROR_INPUT,
                        "twice-00003-of-00003.gguf: tensor 'a' is there twice");
}

static void split_keys_are_there_and_of_the_right_type(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    mk_kv_u16(&m, "split.count", 2);
    put(&m, shard_name("no", 0, 2));
    expect_file_refused(shard_name("no", 0, 2), ULLAGE_ERROR_INPUT, "key split.no is missing");

    mk_begin(&m);
    mk_kv_u32(&m, "split.count", 2);
    put(&m, shard_name("type", 0, 2));
    expect_file_refused(shard_name("type", 0, 2), ULLAGE_ERROR_INPUT,
                        "split.count must be of type u16 but is of type u32");

    m = shard(5, 2, 1);
    put(&m, shard_name("beyond", 5, 2));
    expect_file_refused(shard_name("beyond", 5, 2), ULLAGE_ERROR_INPUT,
                        "split.no is 5 but split.count is 2");

    mk_begin(&m);
    mk_kv_u16(&m, "split.no", 0);
    mk_kv_u16(&m, "split.count", 2);
    put(&m, shard_name("total", 0, 2));
    m = shard(1, 2, 0);
    put(&m, shard_name("total", 1, 2));
    expect_file_refused(shard_name("total", 0, 2), ULLAGE_ERROR_INPUT,
                        "key split.tensors.count is missing");

    /* a second shard that is a model of its own */
    m = shard(0, 2, 0);
    put(&m, shard_name("alien", 0, 2));
    mk_begin(&m);
    mk_kv_str(&m, "general.architecture", "qwen3");
    put(&m, shard_name("alien", 1, 2));
    expect_file_refused(shard_name("alien", 0, 2), ULLAGE_ERROR_INPUT,
                        "split.count is 1 here but 2 in the first shard");
}

/* `cat model-0000*.gguf > model.gguf`: the first header says 3 shards, and bytes follow its end. */
static void shards_joined_with_cat_are_recognised(void **state)
{
    (void)state;
    struct mkgguf m = shard(0, 3, 3);
    mk_end(&m);
    mk_raw(&m, "GGUF", 4);
    mk_zeros(&m, 4000);
    mk_write(&m, in_folder("joined.gguf"));
    mk_free(&m);
    expect_file_refused(in_folder("joined.gguf"), ULLAGE_ERROR_INPUT, "shards joined with cat?");
}

static void a_bad_second_shard_is_named_with_its_byte(void **state)
{
    (void)state;
    put_model("bad");
    struct mkgguf m = {.version = 3};
    mk_raw(&m, "U: not a header", 15);
    mk_write(&m, shard_name("bad", 1, 3));
    mk_free(&m);
    expect_file_refused(shard_name("bad", 0, 3), ULLAGE_ERROR_INPUT,
                        "bad-00002-of-00003.gguf: not a GGUF file: no GGUF magic at byte 0");
}

/* From memory there is no way to the other shards. */
static void a_shard_in_memory_is_refused(void **state)
{
    (void)state;
    struct mkgguf m = shard(0, 3, 0);
    mk_end(&m);
    expect_bytes_refused(m.p, m.n, m.n, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION,
                         "is shard 1 of 3, and the others cannot be read from here");
    mk_free(&m);
}

/* ------------------------------------------------------------------ opening */

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    expect_file_refused(folder, ULLAGE_ERROR_IO, "is a folder");
    expect_file_refused("/dev/null", ULLAGE_ERROR_IO, "is a device");
    expect_file_refused(in_folder("nothing.gguf"), ULLAGE_ERROR_IO, "no such file");
    expect_file_refused("", ULLAGE_ERROR_IO, "the file's name is empty");
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    expect_file_refused(in_folder("pipe"), ULLAGE_ERROR_IO, "is a pipe"); /* and does not wait */
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    expect_file_refused(in_folder("loop"), ULLAGE_ERROR_IO, "symbolic links");
    struct mkgguf m = {.version = 3};
    mk_write(&m, in_folder("empty.gguf"));
    expect_file_refused(in_folder("empty.gguf"), ULLAGE_ERROR_INPUT, "the file is empty");
    char path[1024];
    snprintf(path, sizeof path, "%s", in_folder("empty.gguf"));
    strcat(path, "/below");
    expect_file_refused(path, ULLAGE_ERROR_IO, "not a folder");
}

static void a_file_without_permission_is_refused(void **state)
{
    (void)state;
    struct mkgguf m = {.version = 3};
    mk_write(&m, in_folder("secret.gguf"));
    assert_int_equal(chmod(in_folder("secret.gguf"), 0), 0);
    bool root = geteuid() == 0; /* who may read everything: be nobody for a moment */
    if (root && seteuid(65534) != 0)
        skip();
    struct read *r = read_file(in_folder("secret.gguf"));
    if (root)
        assert_int_equal(seteuid(0), 0);
    check_message(r, ULLAGE_ERROR_IO, "no permission to read it");
    read_free(r);
}

/* In a process that may have no more memory: opening jumps to the arena's owner, and the file that
 * was open is closed on the way. Exit 0: so it was. */
static int open_without_memory(const char *path)
{
    struct ul_arena a = {0};
    struct ul_gguf g;
    ullage_error err = {0};
    jmp_buf oom;
    int before = open("/dev/null", O_RDONLY); /* the lowest number that is free */
    close(before);
    if (setjmp(oom) == 0) {
        a.oom = &oom;
        setrlimit(RLIMIT_AS, &(struct rlimit){0, 0});
        ul_gguf_open(&g, path, &a, &err);
        return 2; /* it did not run out */
    }
    int after = open("/dev/null", O_RDONLY);
    if (a.oom != &oom)
        return 3; /* the owner's jump was not put back */
    ul_arena_free(&a);
    return after == before ? 0 : 4;
}

static void running_out_of_memory_leaks_no_file(void **state)
{
    (void)state;
#if defined(WITHOUT_RLIMIT)
    skip(); /* the sanitizer needs memory itself */
#endif
    struct mkgguf m = {.version = 3};
    mk_begin(&m);
    for (int i = 0; i < 50000; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", i);
        mk_tensor1(&m, name, UL_F32, 1);
    }
    mk_end(&m);
    mk_write(&m, in_folder("large.gguf"));
    mk_free(&m);
    const char *path = in_folder("large.gguf");
    int status = 0;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(open_without_memory(path));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* Names on disk may hold anything; the message stays one line. */
static void odd_paths_do_not_break_the_line(void **state)
{
    (void)state;
    expect_file_refused(in_folder("two\nlines\033[31m"), ULLAGE_ERROR_IO,
                        "two?lines?[31m: no such");
}

/* A path of thousands of bytes does not push the reason out of the message. */
static void long_paths_leave_room_for_the_reason(void **state)
{
    (void)state;
    char path[3000];
    memset(path, 'd', sizeof path);
    for (size_t i = 100; i < sizeof path - 1; i += 100)
        path[i] = '/';
    path[sizeof path - 1] = '\0';
    expect_file_refused(path, ULLAGE_ERROR_IO, ": no such file");
    memset(path, 'd', sizeof path - 1);
    expect_file_refused(path, ULLAGE_ERROR_IO, ": the name is too long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_shard_opens_all),
        cmocka_unit_test(hundreds_of_shards),
        cmocka_unit_test(a_shard_without_its_data_makes_the_model_partial),
        cmocka_unit_test(a_lost_shard_is_named),
        cmocka_unit_test(a_renamed_shard_is_refused),
        cmocka_unit_test(a_file_with_a_shards_name_and_no_split_keys_is_one_model),
        cmocka_unit_test(shards_agree_on_their_count),
        cmocka_unit_test(the_tensors_add_up),
        cmocka_unit_test(one_tensor_in_two_shards_is_refused),
        cmocka_unit_test(split_keys_are_there_and_of_the_right_type),
        cmocka_unit_test(shards_joined_with_cat_are_recognised),
        cmocka_unit_test(a_bad_second_shard_is_named_with_its_byte),
        cmocka_unit_test(a_shard_in_memory_is_refused),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(a_file_without_permission_is_refused),
        cmocka_unit_test(running_out_of_memory_leaks_no_file),
        cmocka_unit_test(odd_paths_do_not_break_the_line),
        cmocka_unit_test(long_paths_leave_room_for_the_reason),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
