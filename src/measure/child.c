/* Starting and ending a child, and its guardian. See child.h for who watches whom.
 *
 * What travels between us: to the guardian one letter, 'T' (ask the child to end) or 'K' (end it),
 * or the end of the pipe; from the guardian a few reports of one size, small enough that a pipe
 * keeps each whole. Only the guardian is the child's parent, so only it signals by number: a number
 * cannot be reused while its parent has not asked for it. */
#define _GNU_SOURCE
#include "measure/child.h"
#include "measure/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* kind: 'P' the child's number, once it runs; 'X' why it could not be executed; 'E' its end. */
struct report {
    int kind, value;
};

static void tell(int fd, int kind, int value)
{
    struct report r = {kind, value};
    ssize_t n = write(fd, &r, sizeof r);
    (void)n; /* we are gone: nobody is left to be told */
}

/* ------------------------------------------------------------------ the child, before exec */

static _Noreturn void become(const char *const *argv, int log, int failure, pid_t guardian)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guardian) /* it died before the line above */
        _exit(127);
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    tell(failure, 'X', errno);
    _exit(127);
}

/* ------------------------------------------------------------------ the guardian */

/* Starts the child and says how that went: the pipe closes by itself when the program runs. */
static pid_t start(const char *const *argv, int log, int status)
{
    struct report r;
    int failure[2];
    pid_t self = getpid(), pid = pipe2(failure, O_CLOEXEC) ? -1 : fork();
    if (pid == 0)
        become(argv, log, failure[1], self);
    if (pid < 0) {
        tell(status, 'X', errno);
        return pid;
    }
    setpgid(pid, pid); /* whichever of the two comes first */
    close(failure[1]);
    if (read(failure[0], &r, sizeof r) == sizeof r)
        tell(status, 'X', r.value);
    else
        tell(status, 'P', pid);
    close(failure[0]);
    return pid;
}

/* Kills the group and everything that descends from here; orphans become our children, because we
 * adopt them (PR_SET_CHILD_SUBREAPER). Returns when none is left. */
static void end_all(pid_t pid, int *exit_status)
{
    pid_t family[UL_PROC_MOST];
    int status;
    kill(-pid, SIGKILL);
    for (;;) {
        for (int i = 1, n = ul_proc_tree(NULL, getpid(), family); i < n; i++)
            kill(family[i], SIGKILL);
        pid_t ended = waitpid(-1, &status, 0);
        if (ended < 0 && errno != EINTR)
            return; /* ECHILD: no one is left */
        if (ended == pid)
            *exit_status = status;
    }
}

/* Whether the child itself has ended. Others that ended are taken note of by the same call. */
static bool reap(pid_t pid, int *exit_status)
{
    int status;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
        if (ended == pid) {
            *exit_status = status;
            return true;
        }
    return false;
}

/* Until the child has ended, or we ask for its end, or we are gone. */
static void watch(pid_t pid, int control, int signals, int *exit_status)
{
    struct pollfd fds[] = {{.fd = control, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    struct signalfd_siginfo info;
    char letter;
    while (!reap(pid, exit_status)) {
        if (poll(fds, 2, -1) < 0)
            continue;
        if (fds[1].revents && read(signals, &info, sizeof info) < 0)
            continue;
        if (!fds[0].revents)
            continue;
        if (read(control, &letter, 1) != 1 || letter == 'K')
            return;
        kill(-pid, SIGTERM);
    }
}

static _Noreturn void guard(const char *const *argv, int log, int control, int status)
{
    sigset_t all, child_only;
    int ended = 0, devnull = open("/dev/null", O_RDWR | O_CLOEXEC);
    setpgid(0, 0); /* a terminal's Ctrl-C is ours to answer, not its */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigemptyset(&child_only);
    sigaddset(&child_only, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    int signals = signalfd(-1, &child_only, SFD_CLOEXEC | SFD_NONBLOCK);
    for (int fd = 0; fd < 3; fd++)
        dup2(devnull, fd);
    pid_t pid = start(argv, log, status);
    if (pid > 0) {
        watch(pid, control, signals, &ended);
        end_all(pid, &ended);
    }
    tell(status, 'E', ended);
    _exit(0);
}

/* The four ends of two pipes, and the log, on numbers that the guardian keeps; all else that we
 * have open is closed there, so that it holds nothing of ours. */
static _Noreturn void begin_guard(const char *const *argv, int log, int control, int status)
{
    int keep[] = {log, control, status}, high[3];
    for (int i = 0; i < 3; i++)
        high[i] = fcntl(keep[i], F_DUPFD_CLOEXEC, 64);
    close_range(3, 63, 0);
    for (int i = 0; i < 3; i++)
        keep[i] = dup3(high[i], 10 + i, O_CLOEXEC);
    close_range(13, ~0u, 0);
    guard(argv, keep[0], keep[1], keep[2]);
}

/* ------------------------------------------------------------------ our side */

/* Takes one report; the pipe's end means that the guardian is gone, and then the group is ours. */
static void take_report(struct ul_child *c, int *exec_error)
{
    struct report r;
    ssize_t n = read(c->status, &r, sizeof r);
    if (n < 0 && errno == EINTR)
        return;
    if (n != sizeof r) {
        if (c->pid > 0)
            kill(-c->pid, SIGKILL);
        r = (struct report){'E', SIGKILL};
    }
    if (r.kind == 'P')
        c->pid = r.value;
    else if (r.kind == 'X')
        *exec_error = r.value;
    else if (r.kind == 'E') {
        c->ended = true;
        c->exit = r.value;
    }
}

static void finish(struct ul_child *c)
{
    int status;
    close(c->control);
    close(c->status);
    c->control = c->status = -1;
    while (waitpid(c->guardian, &status, 0) < 0 && errno == EINTR)
        ;
}

/* A program that ends at once has started all the same. */
static int started(struct ul_child *c, const char *program, ullage_error *err)
{
    int exec_error = 0;
    while (!c->ended && c->pid == 0)
        take_report(c, &exec_error);
    if (!exec_error && c->pid > 0)
        return ULLAGE_OK;
    finish(c);
    return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION,
                   exec_error == ENOENT ? "cannot start '%.200s': %s; install it, or name it with "
                                          "its path"
                                        : "cannot start '%.200s': %s",
                   program, strerror(exec_error));
}

int ul_child_start(struct ul_child *c, const char *const *argv, const char *log, ullage_error *err)
{
    int control[2], status[2];
    *c = (struct ul_child){.control = -1, .status = -1, .ended = true};
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "cannot write the log %.300s: %s",
                       log, strerror(errno));
    if (pipe2(control, O_CLOEXEC) || pipe2(status, O_CLOEXEC)) {
        close(fd);
        return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "no pipe: %s", strerror(errno));
    }
    pid_t pid = fork();
    if (pid == 0)
        begin_guard(argv, fd, control[0], status[1]);
    close(fd);
    close(control[0]);
    close(status[1]);
    *c = (struct ul_child){.guardian = pid, .control = control[1], .status = status[0],
                           .ended = pid < 0};
    if (pid < 0)
        return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "no new process: %s",
                       strerror(errno));
    return started(c, argv[0], err);
}

bool ul_child_wait(struct ul_child *c, int ms)
{
    struct pollfd fd = {.fd = c->status, .events = POLLIN};
    int ignored;
    if (!c->ended && poll(&fd, 1, ms) > 0)
        take_report(c, &ignored);
    if (c->ended && c->status >= 0)
        finish(c);
    return c->ended;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool ul_child_stop(struct ul_child *c, int grace_ms)
{
    int64_t until = now_ms() + grace_ms;
    bool asked = true;
    if (!ul_child_wait(c, 0) && write(c->control, "T", 1) == 1)
        for (int64_t left; (left = until - now_ms()) > 0 && !ul_child_wait(c, (int)left);)
            ;
    for (; !ul_child_wait(c, 0); ul_child_wait(c, 1000)) {
        if (asked && write(c->control, "K", 1) < 1)
            continue; /* the guardian is gone: its pipe says so next */
        asked = false;
    }
    return asked;
}

void ul_child_ending(const struct ul_child *c, char text[64])
{
    if (WIFSIGNALED(c->exit))
        snprintf(text, 64, "was killed by signal %d (%s)", WTERMSIG(c->exit),
                 strsignal(WTERMSIG(c->exit)));
    else
        snprintf(text, 64, "exited with status %d", WEXITSTATUS(c->exit));
}
