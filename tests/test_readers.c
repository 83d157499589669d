/* AMD's reader against trees as Linux shows them: two cards, one of them with a process of two open
 * files of one client, a child process, and figures of the compute driver beside DRM's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/log.h"
#include "measure/proc.h"
#include "measure/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROOT TEST_BUILD "/amdgpu"
#define MIB ((uint64_t)1 << 20)

static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", ROOT, path);
    for (char *p = full + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        mkdir(full, 0777);
    }
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void put_process(int pid, int parent)
{
    char path[64], text[64];
    snprintf(path, sizeof path, "proc/%d/stat", pid);
    snprintf(text, sizeof text, "%d (llama (x) server) S %d 1 1 0", pid, parent);
    put(path, text);
}

/* /proc/PID/fdinfo/N as the kernel writes it for a file on a card. */
static void put_file(int pid, int fd, const char *pdev, int client, const char *memory)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "proc/%d/fdinfo/%d", pid, fd);
    snprintf(text, sizeof text, "pos:\t0\nflags:\t02100002\nmnt_id:\t26\nino:\t660\n"
             "drm-driver:\tamdgpu\ndrm-client-id:\t%d\ndrm-pdev:\t%s\npasid:\t32771\n"
             "drm-memory-gtt: \t2048 KiB\ndrm-memory-cpu: \t0 KiB\n%s", client, pdev, memory);
    put(path, text);
}

static void put_card(int n, const char *slot, const char *total, const char *used)
{
    char path[128], text[128];
    snprintf(path, sizeof path, "sys/class/drm/card%d/device/mem_info_vram_total", n);
    put(path, total);
    snprintf(path, sizeof path, "sys/class/drm/card%d/device/mem_info_vram_used", n);
    put(path, used);
    snprintf(path, sizeof path, "sys/class/drm/card%d/device/uevent", n);
    snprintf(text, sizeof text, "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_SLOT_NAME=%s\n", slot);
    put(path, text);
}

static int setup(void **state)
{
    (void)state;
    if (system("rm -rf '" ROOT "'") != 0)
        return 1;
    put("proc/sys/kernel/osrelease", "6.8.0-45-generic\n");
    put_card(0, "0000:03:00.0", "17163091968\n", "9000000000\n");
    put("sys/class/drm/card0/device/product_name", "Radeon RX 7800 XT\n");
    put("sys/class/drm/card1/device/vendor", "0x8086\n"); /* another maker's: no such files */
    put_card(2, "0000:0c:00.0", "536870912\n", "100000000\n");
    put_process(100, 1);
    put_process(101, 100);
    put_process(200, 1);
    put_file(100, 7, "0000:03:00.0", 41, "drm-memory-vram: \t4194304 KiB\n");
    put_file(100, 8, "0000:03:00.0", 41, "drm-memory-vram: \t4194304 KiB\n");
    put_file(101, 7, "0000:03:00.0", 42,
             "drm-total-vram: \t2 GiB\ndrm-resident-vram: \t1024 MiB\n");
    put_file(101, 9, "0000:0c:00.0", 43, "drm-memory-vram: \t512 KiB\n");
    put_file(200, 7, "0000:03:00.0", 44, "drm-memory-vram: \t999 KiB\n");
    put("proc/101/fdinfo/1", "pos:\t0\nflags:\t02\n");
    return 0;
}

static void test_amdgpu(void **state)
{
    (void)state;
    struct ul_reader r;
    struct ul_reading now;
    assert_int_equal(ul_reader_open(&r, "amdgpu", ROOT, NULL), 0);
    assert_int_equal(r.n, 2);
    assert_string_equal(r.device[0].name, "Radeon RX 7800 XT");
    assert_string_equal(r.device[0].id, "0000:03:00.0");
    assert_string_equal(r.device[1].name, "AMD GPU");
    assert_string_equal(r.driver, "amdgpu 6.8.0-45-generic");
    ul_reader_read(&r, 100, &now);
    assert_true(now.device[0].process.known && now.device[1].process.known);
    assert_int_equal(now.device[0].process.bytes, 4096 * MIB + 1024 * MIB);
    assert_int_equal(now.device[1].process.bytes, MIB / 2);
    assert_int_equal(now.device[0].free.bytes, 17163091968ull - 9000000000ull);
    ul_reader_read(&r, 300, &now); /* no such process: unknown, not zero */
    assert_false(now.device[0].process.known);
    assert_true(now.device[0].used.known);
    ul_reader_close(&r);
}

/* An open file on the card as kernels of five ages write it: before DRM agreed on names (5.14),
 * with them (5.19), with the driver's own beside (6.4), with DRM's statistics by region (6.14),
 * where sizes are in the largest unit that divides them, and with no old name left. Source:
 * drivers/gpu/drm/amd/amdgpu/amdgpu_fdinfo.c: amdgpu_show_fdinfo; drivers/gpu/drm/drm_file.c:
 * drm_print_memory_stats, print_size; Documentation/gpu/drm-usage-stats.rst. */
#define OPENED "pos:\t0\nflags:\t02100002\nmnt_id:\t26\nino:\t660\n"
#define NAMED                                                                                      \
    OPENED "drm-driver:\tamdgpu\ndrm-client-id:\t41\ndrm-pdev:\t0000:03:00.0\npasid:\t32771\n"

static void test_ages(void **state)
{
    static const struct {
        const char *kernel, *file;
        uint64_t bytes;
    } ages[] = {
        {"5.15.0-113-generic",
         OPENED "pdev:\t0000:03:00.0\npasid:\t32771\nvram mem:\t4194304 kB\n"
                "gtt mem:\t2048 kB\ncpu mem:\t0 kB\ngfx0:\t3.14%\nenc0:\t0.00%\n",
         4096 * MIB},
        {"6.1.0-25-amd64",
         NAMED "drm-memory-vram:\t4194304 KiB\ndrm-memory-gtt: \t2048 KiB\n"
               "drm-memory-cpu: \t0 KiB\ndrm-engine-gfx:\t1234567 ns\n",
         4096 * MIB},
        {"6.8.0-45-generic",
         NAMED "drm-memory-vram:\t4194304 KiB\ndrm-memory-gtt: \t2048 KiB\n"
               "drm-memory-cpu: \t0 KiB\namd-memory-visible-vram:\t65536 "
               "KiB\namd-evicted-vram:\t1024 KiB\n"
               "amd-evicted-visible-vram:\t0 KiB\namd-requested-vram:\t4195328 KiB\n"
               "amd-requested-visible-vram:\t65536 KiB\namd-requested-gtt:\t2048 KiB\n"
               "drm-shared-vram:\t0 KiB\ndrm-shared-gtt:\t0 KiB\ndrm-engine-compute:\t99 ns\n",
         4096 * MIB},
        {"6.14.0-27-generic",
         NAMED
         "drm-total-cpu:\t0\ndrm-shared-cpu:\t0\ndrm-total-gtt:\t2 MiB\n"
         "drm-shared-gtt:\t0\ndrm-resident-gtt:\t2 MiB\ndrm-total-vram:\t4097 "
         "MiB\ndrm-shared-vram:\t0\n"
         "drm-active-vram:\t4 MiB\ndrm-resident-vram:\t4096 MiB\ndrm-purgeable-vram:\t0\n"
         "drm-memory-vram:\t4194304 KiB\ndrm-memory-gtt: \t2048 KiB\namd-evicted-vram:\t1024 KiB\n",
         4096 * MIB},
        {"7.1.2-arch1-1",
         NAMED "drm-total-vram:\t4097 MiB\ndrm-shared-vram:\t0\n"
               "drm-resident-vram:\t4194308 KiB\ndrm-purgeable-vram:\t0\n",
         4096 * MIB + 4096},
    };
    (void)state;
    for (size_t i = 0; i < sizeof ages / sizeof *ages; i++) {
        struct ul_reader r;
        struct ul_reading now;
        char release[64];
        snprintf(release, sizeof release, "%s\n", ages[i].kernel);
        assert_int_equal(system("rm -rf '" ROOT "/proc/100' '" ROOT "/proc/101'"), 0);
        put("proc/sys/kernel/osrelease", release);
        put_process(100, 1);
        put("proc/100/fdinfo/0", OPENED); /* a file that is no card's */
        put("proc/100/fdinfo/7", ages[i].file);
        put("proc/100/fdinfo/8", ages[i].file); /* the same client once more */
        assert_int_equal(ul_reader_open(&r, "amdgpu", ROOT, NULL), 0);
        assert_int_equal(strncmp(r.driver, "amdgpu ", 7), 0);
        assert_string_equal(r.driver + 7, ages[i].kernel);
        ul_reader_read(&r, 100, &now);
        if (!now.device[0].process.known || now.device[0].process.bytes != ages[i].bytes)
            fail_msg("%s: %llu", ages[i].kernel, (unsigned long long)now.device[0].process.bytes);
        assert_false(now.device[1].process.known); /* nothing open there */
        ul_reader_close(&r);
    }
    setup(NULL);
}

/* The compute driver's own figures: by its number for the card, which its topology gives. */
static void test_compute(void **state)
{
    (void)state;
    struct ul_reader r;
    struct ul_reading now;
    put("sys/class/kfd/kfd/topology/nodes/0/properties", "cpu_cores_count 16\nlocation_id 0\n");
    put("sys/class/kfd/kfd/topology/nodes/0/gpu_id", "0\n");
    put("sys/class/kfd/kfd/topology/nodes/1/properties", "cpu_cores_count 0\nlocation_id 768\n");
    put("sys/class/kfd/kfd/topology/nodes/1/gpu_id", "51234\n");
    put("sys/class/kfd/kfd/proc/100/vram_51234", "8589934592\n");
    assert_int_equal(ul_reader_open(&r, NULL, ROOT, NULL), 0); /* the first that finds something */
    assert_string_equal(r.kind->name, "amdgpu");
    ul_reader_read(&r, 100, &now);
    assert_int_equal(now.device[0].process.bytes, 8192 * MIB); /* more than DRM's 5 GiB */
    put("sys/class/kfd/kfd/proc/100/vram_51234", "1000\n");
    ul_reader_read(&r, 100, &now);
    assert_int_equal(now.device[0].process.bytes, 5120 * MIB);
    ul_reader_close(&r);
}

/* A card whose files tell nothing of processes: the difference, once its use has grown. */
static void test_difference(void **state)
{
    (void)state;
    struct ul_reader r;
    struct ul_reading now;
    assert_int_equal(ul_reader_open(&r, "amdgpu", ROOT, NULL), 0);
    ul_reader_before(&r);
    ul_reader_adapt(&r, 300);
    assert_false(r.difference);
    put("sys/class/drm/card0/device/mem_info_vram_used", "10073741824\n");
    ul_reader_adapt(&r, 100);
    assert_false(r.difference); /* it tells of this one */
    ul_reader_adapt(&r, 300);
    assert_true(r.difference);
    ul_reader_read(&r, 300, &now);
    assert_int_equal(now.device[0].process.bytes, 1073741824);
    assert_int_equal(now.device[1].process.bytes, 0);
    ul_reader_close(&r);
}

/* The host's figures, from a recorded smaps_rollup and status; children count. */
static void test_host(void **state)
{
    (void)state;
    struct ul_proc_memory m;
    put("proc/100/smaps_rollup", "00400000-7ffc8 ---p 00000000 00:00 0  [rollup]\nRss:  5000 kB\n"
        "Pss:   4000 kB\nPss_Dirty:  3000 kB\nPss_Anon:   2500 kB\nPss_File:  1500 kB\n");
    put("proc/100/status", "Name:\tllama-server\nVmPeak:\t 90000 kB\nVmHWM:\t    7000 kB\n");
    assert_true(ul_proc_memory(ROOT, 100, &m));
    assert_int_equal(m.pss, 4000 * 1024);
    assert_int_equal(m.anonymous, 2500 * 1024);
    assert_int_equal(m.peak, 7000 * 1024);
    put("proc/101/smaps_rollup", "Pss:  100 kB\n");
    assert_true(ul_proc_memory(ROOT, 100, &m));
    assert_int_equal(m.pss, 4100 * 1024);
    assert_false(ul_proc_memory(ROOT, 200, &m)); /* it may not be read */
}

static void read_log(struct ul_log *log, const char *const *lines)
{
    memset(log, 0, sizeof *log);
    while (*lines)
        ul_log_line(log, *lines++);
}

/* Lines of two eras of the engine, as they were printed. */
static void test_log(void **state)
{
    (void)state;
    static struct ul_log log;
    static const char *const lines[] = {
        "0.00.042.476 I cmn  common_param: common_params_print_info: build 11669 (Debian) with GNU",
        "0.00.124.546 I llama_prepare_model_devices: using device CUDA0 (NVIDIA A100 (80GB)) "
        "(0000:01:00.0) - 80671 MiB free",
        "0.00.148.460 I load_tensors:   CPU_Mapped model buffer size =   333.84 MiB",
        "0.00.148.474 I load_tensors:        CUDA0 model buffer size =  4455.34 MiB",
        "0.00.148.474 I load_tensors:        CUDA0 model buffer size =  1.00 MiB",
        "0.00.160.075 I llama_context: n_ctx                 = 4096",
        "0.00.160.696 I llama_context:  CUDA_Host  output buffer size =     0.58 MiB",
        "0.00.160.844 I llama_kv_cache:      CUDA0 KV buffer size =   576.00 MiB",
        "llama_memory_recurrent:      CUDA0 RS buffer size =    50.25 MiB",
        "0.00.136.701 I print_info: n_vocab               = 151936",
        "0.00.206.243 I srv    load_model: initializing, n_slots = 2, n_ctx_slot = 2048", NULL};
    read_log(&log, lines);
    assert_int_equal(log.n_buffers, 5);
    assert_string_equal(log.buffer[1].buffer, "CUDA0");
    assert_string_equal(log.buffer[1].kind, "model");
    assert_true(log.buffer[1].mib > 4456.33 && log.buffer[1].mib < 4456.35);
    assert_int_equal(log.buffer[1].lines, 2);
    assert_string_equal(log.buffer[2].kind, "output");
    assert_string_equal(log.buffer[3].kind, "kv");
    assert_string_equal(log.buffer[4].kind, "rs");
    assert_string_equal(log.device[0].id, "0000:01:00.0");
    assert_string_equal(log.device[0].description, "NVIDIA A100 (80GB)");
    assert_true(log.device[0].free_mib > 80670 && log.device[0].free_mib < 80672);
    assert_string_equal(log.build, "11669 (Debian) with GNU");
    assert_int_equal(log.n_ctx, 4096);
    assert_int_equal(log.n_ctx_slot, 2048);
    assert_int_equal(log.n_slots, 2);
    assert_int_equal(log.n_vocab, 151936);
    assert_false(log.out_of_memory);
}

static void test_older_log(void **state)
{
    (void)state;
    static struct ul_log log;
    static const char *const lines[] = {
        "build: 4589 (eb7cf15a) with cc (Debian 12.2.0-14) 12.2.0 for x86_64-linux-gnu",
        "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3090) - "
        "23880 MiB free",
        "llm_load_tensors:      CUDA0 buffer size =  4403.49 MiB", /* no kind in those days */
        "llama_kv_cache_init:      CUDA0 KV buffer size =   512.00 MiB",
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 896.00 MiB on device 0: cudaMalloc "
        "failed: out of memory", NULL};
    read_log(&log, lines);
    assert_string_equal(log.build,
                        "4589 (eb7cf15a) with cc (Debian 12.2.0-14) 12.2.0 for x86_64-linux-gnu");
    assert_string_equal(log.device[0].description, "NVIDIA GeForce RTX 3090");
    assert_string_equal(log.device[0].id, "");
    assert_int_equal(log.n_buffers, 2);
    assert_string_equal(log.buffer[0].kind, "model");
    assert_string_equal(log.buffer[1].kind, "kv");
    assert_true(log.out_of_memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_amdgpu),     cmocka_unit_test(test_ages),
        cmocka_unit_test(test_compute),
        cmocka_unit_test(test_difference), cmocka_unit_test(test_host),
        cmocka_unit_test(test_log),        cmocka_unit_test(test_older_log),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
