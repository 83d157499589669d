/* A small server that stands in for llama-server in tests: it takes -c and --port, holds memory in
 * proportion, writes lines as llama-server does, answers /health and takes a prompt. What it does
 * wrong is said in ULLAGE_FAKE, words with commas between:
 *
 *     exit       ends at once, with an error        never     listens, and is never ready
 *     silent     does not even listen               die       is ready, and ends soon after
 *     deaf       ignores SIGTERM                    oom=N     out of memory above -c N
 *     bind       says that its port is taken        refuse    refuses the prompt
 *     dieprompt  ends when the prompt comes         family    leaves a grandchild, its own session
 *     bend=N     above -c N a token costs twice     line      logs READY, and answers nothing
 *     wobble     holds another amount every time
 *     gpu        says in its log that all of it is on a GPU
 *
 * It writes its number, and its grandchild's, to the file $ULLAGE_FAKE_PIDS, and it ends by itself
 * after a minute whatever happens. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define MIB (1ul << 20)
#define BASE (16 * MIB)
#define TOKEN 2048ul
#define PROMPT (6 * MIB)
#define LIFE 60

/* Whether the word is among ULLAGE_FAKE's; *value is what follows its '='. */
static bool fake(const char *word, unsigned long *value)
{
    const char *p = getenv("ULLAGE_FAKE");
    size_t n = strlen(word);
    for (; p && *p; p = strchr(p, ','), p = p ? p + 1 : NULL)
        if (strncmp(p, word, n) == 0 && (p[n] == '\0' || p[n] == ',' || p[n] == '=')) {
            if (value)
                *value = strtoul(p + n + 1, NULL, 10);
            return true;
        }
    return false;
}

/* What it holds, for tests whose GPU library is made up too: "PID BYTES" in $ULLAGE_FAKE_USE. */
static void show_use(long more)
{
    static long held;
    const char *path = getenv("ULLAGE_FAKE_USE");
    FILE *f = path ? fopen(path, "w") : NULL;
    held += more;
    if (!f)
        return;
    fprintf(f, "%d %ld\n", (int)getpid(), held);
    fclose(f);
}

static void *hold(size_t n)
{
    show_use((long)n);
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        exit(3);
    memset(p, 1, n);
    return p;
}

static void note_pid(void)
{
    const char *path = getenv("ULLAGE_FAKE_PIDS");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (!f)
        return;
    fprintf(f, "%d\n", (int)getpid());
    fclose(f);
}

static void grandchild(void)
{
    if (fork() != 0)
        return;
    setsid();
    signal(SIGTERM, SIG_IGN);
    note_pid();
    sleep(LIFE);
    _exit(0);
}

static int listen_on(int port)
{
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 8)) {
        fprintf(stderr, "E main: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: %d\n",
                port);
        exit(1);
    }
    return fd;
}

static void answer(int fd, const char *status)
{
    dprintf(fd, "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n{}\n",
            status);
}

/* Reads the request whole, so that the connection closes cleanly, and says whether it is a POST. */
static bool is_post(int fd)
{
    char head[8192];
    size_t n = 0;
    char *body = NULL;
    while (!body && n + 1 < sizeof head) {
        ssize_t k = read(fd, head + n, sizeof head - 1 - n);
        if (k <= 0)
            return false;
        n += (size_t)k;
        head[n] = '\0';
        body = strstr(head, "\r\n\r\n");
    }
    char *length = strstr(head, "Content-Length: ");
    size_t left = body && length ? strtoul(length + 16, NULL, 10) : 0;
    size_t have = body ? n - (size_t)(body + 4 - head) : 0;
    for (char rest[4096]; left > have;) {
        ssize_t k = read(fd, rest, sizeof rest);
        if (k <= 0)
            break;
        have += (size_t)k;
    }
    return strncmp(head, "POST", 4) == 0;
}

static void serve(int server)
{
    for (;;) {
        int fd = accept(server, NULL, NULL);
        if (fd < 0)
            continue;
        if (!is_post(fd)) {
            answer(fd, fake("never", NULL) ? "503 Service Unavailable" : "200 OK");
        } else if (fake("dieprompt", NULL)) {
            fprintf(stderr, "E ggml_cuda: CUDA error: an illegal memory access\n");
            abort();
        } else if (fake("refuse", NULL)) {
            answer(fd, "400 Bad Request");
        } else {
            void *p = hold(PROMPT);
            usleep(600000);
            munmap(p, PROMPT);
            show_use(-(long)PROMPT);
            answer(fd, "200 OK");
        }
        close(fd);
    }
}

static void load(unsigned long n_ctx)
{
    unsigned long most, bend;
    size_t kv = n_ctx * TOKEN;
    if (fake("exit", NULL)) {
        fprintf(stderr, "0.00.001.000 E llama_model_load: error loading model: tensor 'x' is "
                "missing\n");
        exit(1);
    }
    if (fake("oom", &most) && n_ctx > most) {
        fprintf(stderr, "0.00.001.000 E ggml_backend_cuda_buffer_type_alloc_buffer: allocating "
                "%.2f MiB on device 0: cudaMalloc failed: out of memory\n", (double)kv / MIB);
        exit(1);
    }
    if (fake("bend", &bend) && n_ctx > bend)
        kv += (n_ctx - bend) * TOKEN;
    if (fake("wobble", NULL))
        kv += (size_t)(getpid() % 7 + 1) * 3 * MIB;
    hold(BASE + kv);
    fprintf(stderr, "0.00.000.500 I build: 1 (fake)\n");
    const char *device = fake("gpu", NULL) ? "Vulkan0" : "CPU";
    if (fake("gpu", NULL))
        fprintf(stderr, "0.00.000.800 I llama_prepare_model_devices: using device Vulkan0 (Fake "
                "GPU) (0000:0b:00.0) - 1000 MiB free\n");
    fprintf(stderr, "0.00.001.000 I load_tensors:          %s model buffer size =   %.2f MiB\n",
            device, (double)BASE / MIB);
    fprintf(stderr, "0.00.002.000 I llama_kv_cache:        %s KV buffer size =   %.2f MiB\n",
            device, (double)kv / MIB);
    fprintf(stderr, "0.00.003.000 I srv    load_model: initializing, n_slots = 1, "
            "n_ctx_slot = %lu\n", n_ctx);
}

int main(int argc, char **argv)
{
    unsigned long n_ctx = 4096;
    int port = 8080;
    alarm(LIFE);
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "-c") == 0 || strcmp(argv[i], "--max-model-len") == 0)
            n_ctx = strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--port") == 0)
            port = atoi(argv[i + 1]);
    }
    note_pid();
    if (fake("deaf", NULL))
        signal(SIGTERM, SIG_IGN);
    if (fake("family", NULL))
        grandchild();
    if (fake("bind", NULL)) {
        fprintf(stderr, "E main: couldn't bind HTTP server socket, port: %d\n", port);
        return 1;
    }
    load(n_ctx);
    if (fake("line", NULL)) {
        usleep(200000);
        fprintf(stderr, "READY to serve %lu\n", n_ctx);
        pause();
    }
    if (fake("silent", NULL))
        pause();
    int server = listen_on(port);
    if (fake("die", NULL)) {
        if (fork() == 0) { /* the server itself ends, its child only waits for that */
            pid_t parent = getppid();
            usleep(400000);
            fprintf(stderr, "E srv: something broke\n");
            kill(parent, SIGABRT);
            _exit(0);
        }
    }
    serve(server);
}
