/* Runs of a real child process (tests/fake_server.c) that does all that can go wrong, and what is
 * said then. After each, nothing of it is left: the child, and where it has one its grandchild in a
 * session of its own, are looked for by number. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "measure/child.h"
#include "measure/log.h"
#include "measure/proc.h"
#include "measure/run.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SERVER TEST_BUILD "/fake_server"
#define PIDS TEST_BUILD "/run.pids"
#define LOG TEST_BUILD "/run.log"
#define MIB (1ul << 20)

static volatile sig_atomic_t interrupted;

static bool alive(pid_t pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!ul_proc_read(NULL, path, text, sizeof text))
        return false;
    const char *end = strrchr(text, ')');
    return end && end[2] != 'Z' && end[2] != 'X';
}

/* Every process that the fake noted is gone; how many there were. */
static int none_left(void)
{
    int n = 0, pid;
    FILE *f = fopen(PIDS, "r");
    while (f && fscanf(f, "%d", &pid) == 1) {
        n++;
        if (alive(pid))
            fail_msg("process %d is still running", pid);
    }
    if (f)
        fclose(f);
    return n;
}

struct result {
    struct ul_run run;
    ullage_error err;
    int rc;
};

/* One run of the fake with the given faults; `port` 0 takes a free one. */
static struct result run_fake(const char *faults, struct ul_run_spec spec, int port)
{
    static struct result r;
    static char text[16];
    struct ul_reader reader;
    const char *argv[] = {SERVER, "-c", "4096", "--port", text, NULL};
    interrupted = 0;
    unlink(PIDS);
    setenv("ULLAGE_FAKE", faults, 1);
    setenv("ULLAGE_FAKE_PIDS", PIDS, 1);
    port = port ? port : ul_port_free();
    snprintf(text, sizeof text, "%d", port);
    memset(&r, 0, sizeof r);
    assert_int_equal(ul_reader_open(&reader, "host", NULL, NULL), 0);
    spec.argv = spec.argv ? spec.argv : argv;
    spec.log = LOG;
    spec.url = (struct ul_url){.host = "127.0.0.1", .path = "/health", .port = port};
    spec.own_port = true;
    spec.reader = &reader;
    spec.interval = spec.interval > 0 ? spec.interval : 0.05;
    spec.settle = 0.2;
    spec.timeout = spec.timeout > 0 ? spec.timeout : 10;
    spec.prompt_timeout = 10;
    spec.grace_ms = spec.grace_ms ? spec.grace_ms : 5000;
    spec.interrupted = &interrupted;
    r.rc = ul_run(&r.run, &spec, &r.err);
    free(r.run.samples);
    ul_reader_close(&reader);
    return r;
}

#define SAYS(r, text) \
    do { \
        if (!strstr((r).err.message, text)) \
            fail_msg("'%s' is not in '%s'", text, (r).err.message); \
    } while (0)

/* The fake holds 16 MiB and 2 KiB a token of its own, all touched. */
static void test_load_and_prompt(void **state)
{
    (void)state;
    struct ul_run_spec spec = {.prompt = "{}", .prompt_path = "/completion"};
    struct result r = run_fake("", spec, 0);
    assert_int_equal(r.rc, 0);
    assert_true(r.run.load.anonymous.known);
    assert_in_range(r.run.load.anonymous.bytes, 24 * MIB, 25 * MIB);
    uint64_t added = r.run.peak.anonymous.bytes - r.run.load.anonymous.bytes;
    assert_in_range(added, 6 * MIB, 6 * MIB + MIB / 4);
    assert_in_range(r.run.peak.host_peak.bytes, r.run.load.pss.bytes, 40 * MIB);
    assert_true(r.run.n_samples > 8);
    assert_false(r.run.forced);
    assert_int_equal(none_left(), 1);
}

static void test_missing(void **state)
{
    (void)state;
    const char *argv[] = {"no-such-llama-server", NULL};
    struct result r = run_fake("", (struct ul_run_spec){.argv = argv}, 0);
    assert_int_equal(r.run.failure, UL_RUN_START);
    SAYS(r, "cannot start 'no-such-llama-server': No such file or directory; install it");
    const char *not_executable[] = {TEST_DATA "/CMakeLists.txt", NULL};
    r = run_fake("", (struct ul_run_spec){.argv = not_executable}, 0);
    SAYS(r, "Permission denied");
}

static void test_exits_at_once(void **state)
{
    (void)state;
    struct result r = run_fake("exit", (struct ul_run_spec){0}, 0);
    assert_int_equal(r.run.failure, UL_RUN_EXITED);
    SAYS(r, "exited with status 1 before it was ready: \"llama_model_load: error loading model: "
            "tensor 'x' is missing\"; see its log: " LOG);
    assert_int_equal(none_left(), 1);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    struct result r = run_fake("oom=2048", (struct ul_run_spec){0}, 0);
    assert_int_equal(r.run.failure, UL_RUN_MEMORY);
    SAYS(r, "out of memory: \"");
    SAYS(r, "cudaMalloc failed: out of memory\"; take a shorter length");
    assert_int_equal(none_left(), 1);
}

static void test_never_ready(void **state)
{
    (void)state;
    struct result r = run_fake("never", (struct ul_run_spec){.timeout = 0.5}, 0);
    assert_int_equal(r.run.failure, UL_RUN_NEVER_READY);
    SAYS(r, "not ready after 0 s");
    SAYS(r, "(--timeout)");
    assert_int_equal(none_left(), 1);
    r = run_fake("silent", (struct ul_run_spec){.timeout = 0.5}, 0);
    assert_int_equal(r.run.failure, UL_RUN_NEVER_READY);
    assert_int_equal(none_left(), 1);
}

static void test_ready_then_dies(void **state)
{
    (void)state;
    struct result r = run_fake("die", (struct ul_run_spec){.interval = 0.3}, 0);
    assert_int_equal(r.run.failure, UL_RUN_DIED);
    SAYS(r, "was killed by signal 6");
    SAYS(r, "after it was ready: \"");
    assert_int_equal(none_left(), 1);
}

static void test_prompt_fails(void **state)
{
    (void)state;
    struct ul_run_spec spec = {.prompt = "{}", .prompt_path = "/completion"};
    struct result r = run_fake("refuse", spec, 0);
    assert_int_equal(r.run.failure, UL_RUN_PROMPT);
    SAYS(r, "refused with 400");
    r = run_fake("dieprompt", spec, 0);
    assert_int_equal(r.run.failure, UL_RUN_DIED);
    SAYS(r, "CUDA error: an illegal memory access");
    assert_int_equal(none_left(), 1);
    r = run_fake("", (struct ul_run_spec){.prompt_cmd = "echo no such model; exit 3"}, 0);
    assert_int_equal(r.run.failure, UL_RUN_PROMPT);
    SAYS(r, "--prompt-cmd exited with status 3: \"no such model\"");
    r = run_fake("", (struct ul_run_spec){.prompt_cmd = "sleep 0.2"}, 0);
    assert_int_equal(r.rc, 0);
    assert_int_equal(none_left(), 1);
}

static void test_ignores_sigterm(void **state)
{
    (void)state;
    struct result r = run_fake("deaf", (struct ul_run_spec){.grace_ms = 300}, 0);
    assert_int_equal(r.rc, 0);
    assert_true(r.run.forced);
    assert_int_equal(none_left(), 1);
}

static void test_family(void **state)
{
    (void)state;
    struct result r = run_fake("family", (struct ul_run_spec){0}, 0);
    assert_int_equal(r.rc, 0);
    assert_int_equal(none_left(), 2);
}

static void test_port_taken(void **state)
{
    (void)state;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, n) | listen(fd, 1), 0);
    getsockname(fd, (struct sockaddr *)&a, &n);
    struct result r = run_fake("", (struct ul_run_spec){0}, ntohs(a.sin_port));
    assert_int_equal(r.run.failure, UL_RUN_PORT);
    SAYS(r, "is in use: end what listens there");
    assert_int_equal(none_left(), 0); /* it was not even started */
    close(fd);
    r = run_fake("bind", (struct ul_run_spec){0}, 0); /* taken in between */
    assert_int_equal(r.run.failure, UL_RUN_PORT);
    SAYS(r, "couldn't bind HTTP server socket");
}

static void test_ready_by_line(void **state)
{
    (void)state;
    struct result r = run_fake("line", (struct ul_run_spec){.ready = "^READY.*[0-9]+$"}, 0);
    assert_int_equal(r.rc, 0);
    assert_int_equal(none_left(), 1);
    r = run_fake("line", (struct ul_run_spec){.ready = "("}, 0);
    assert_int_equal(r.err.code, ULLAGE_ERROR_USAGE);
}

static void on_alarm(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void test_interrupted(void **state)
{
    (void)state;
    signal(SIGALRM, on_alarm);
    ualarm(400000, 0);
    struct result r = run_fake("never,family", (struct ul_run_spec){0}, 0);
    assert_int_equal(r.run.failure, UL_RUN_INTERRUPTED);
    SAYS(r, "interrupted");
    assert_int_equal(none_left(), 2);
}

/* ------------------------------------------------------------------ unannounced deaths */

static void wait_for_pids(int n)
{
    for (int i = 0; i < 400; i++, usleep(20000)) {
        int have = 0, pid;
        FILE *f = fopen(PIDS, "r");
        while (f && fscanf(f, "%d", &pid) == 1)
            have++;
        if (f)
            fclose(f);
        if (have >= n)
            return;
    }
    fail_msg("the fake did not start");
}

static void wait_for_none(void)
{
    int pid;
    for (int i = 0; i < 200; i++, usleep(20000)) {
        bool any = false;
        FILE *f = fopen(PIDS, "r");
        while (f && fscanf(f, "%d", &pid) == 1)
            any |= alive(pid);
        if (f)
            fclose(f);
        if (!any)
            return;
    }
    none_left();
}

/* We are killed: the guardian ends the child and its stray grandchild. */
static void test_our_own_death(void **state)
{
    (void)state;
    unlink(PIDS);
    setenv("ULLAGE_FAKE", "deaf,family", 1);
    pid_t pid = fork();
    if (pid == 0) {
        run_fake("deaf,family,silent", (struct ul_run_spec){0}, 0);
        _exit(0);
    }
    wait_for_pids(2);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    wait_for_none();
}

/* The guardian is killed: the kernel kills the child, and we see it. */
static void test_guardians_death(void **state)
{
    (void)state;
    struct ul_child c;
    const char *argv[] = {SERVER, NULL};
    unlink(PIDS);
    setenv("ULLAGE_FAKE", "deaf,silent", 1);
    assert_int_equal(ul_child_start(&c, argv, LOG, NULL), 0);
    wait_for_pids(1);
    kill(c.guardian, SIGKILL);
    assert_true(ul_child_stop(&c, 5000));
    assert_true(c.ended);
    wait_for_none();
}

/* ------------------------------------------------------------------ readings of a process */

/* What the kernel says of a process of 300 MiB, and what the reader does: within 2 %. */
static void test_process_memory(void **state)
{
    (void)state;
    struct ul_proc_memory m;
    size_t n = 300 * MIB;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(p, 1, n);
        byte = (char)write(ready[1], "x", 1);
        pause();
        _exit(byte);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    bool ok = ul_proc_memory(NULL, pid, &m);
    char path[64], text[4096];
    uint64_t resident = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    ul_proc_read(NULL, path, text, sizeof text);
    ul_proc_number(text, "RssAnon:", &resident);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_true(ok);
    assert_in_range(m.anonymous, resident * 1024 * 98 / 100, resident * 1024 * 102 / 100);
    assert_in_range(m.anonymous, n, n + n / 50);
    assert_in_range(m.pss, n, n + n / 50);
    assert_true(m.peak >= m.pss);
    assert_false(ul_proc_memory(NULL, 0x7ffffff0, &m)); /* no such process: unknown, not zero */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_and_prompt), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_exits_at_once),   cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_never_ready),     cmocka_unit_test(test_ready_then_dies),
        cmocka_unit_test(test_prompt_fails),    cmocka_unit_test(test_ignores_sigterm),
        cmocka_unit_test(test_family),          cmocka_unit_test(test_port_taken),
        cmocka_unit_test(test_ready_by_line),   cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_our_own_death),   cmocka_unit_test(test_guardians_death),
        cmocka_unit_test(test_process_memory),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
