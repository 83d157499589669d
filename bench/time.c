/* Times a command: the median wall time of N runs, and the largest resident set of any. Python
 * could, but a child's resident set counts from its parent's, and this parent is small.
 *
 *     bench_time N COMMAND ARGS...     prints "NANOSECONDS BYTES"; a run must end with 0, 1 or 4 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_RUNS 100

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void quiet_exec(char **argv)
{
    int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    execvp(argv[0], argv);
    _exit(127);
}

int main(int argc, char **argv)
{
    int64_t times[MOST_RUNS];
    long rss = 0;
    int n = argc > 2 ? atoi(argv[1]) : 0;
    if (n < 1 || n > MOST_RUNS)
        return 2;
    for (int i = 0; i < n; i++) {
        struct rusage usage;
        int status = 0;
        int64_t start = now();
        pid_t pid = fork();
        if (pid == 0)
            quiet_exec(argv + 2);
        if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
            return 1;
        times[i] = now() - start;
        rss = usage.ru_maxrss > rss ? usage.ru_maxrss : rss;
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (code != 0 && code != 1 && code != 4)
            return fprintf(stderr, "%s ended with %d\n", argv[2], code), 1;
    }
    qsort(times, (size_t)n, sizeof *times, by_value);
    printf("%lld %lld\n", (long long)times[n / 2], (long long)rss * 1024);
    return 0;
}
