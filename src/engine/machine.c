/* The machine: what a user says about GPUs, the host and the CPU, read into numbers.
 *
 * Everything here is an input, so every message says what would have been right. Sizes are read
 * without floating point: "1.5GiB" is exact. */
#include "engine/machine.h"

#include "base/size.h"
#include "engine/backend.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>

#define MiB ((uint64_t)1 << 20)

/* A CUDA context and its modules on a current driver, measured once with two runs of one server;
 * and what a prompt was seen to add. Both are printed as assumed, and assumed of other back-ends.
 * Metal's own account of a device (currentAllocatedSize) is of buffers only: a server's breakdown
 * on exit leaves nothing unaccounted for. */
#define RUNTIME_BYTES (480 * MiB)
#define PROMPT_PEAK_BYTES (16 * MiB)

#define FRACTION_DIGITS 9 /* of a size; more are refused */

/* ------------------------------------------------------------------ sizes */

struct unit {
    const char *name;
    uint64_t bytes;
};

/* A letter alone is binary, as llama.cpp and the drivers print sizes. */
static const struct unit units[] = {
    {"", 1}, {"b", 1}, {"k", 1 << 10}, {"m", MiB}, {"g", MiB << 10}, {"t", MiB << 20},
    {"kib", 1 << 10}, {"mib", MiB}, {"gib", MiB << 10}, {"tib", MiB << 20},
    {"kb", 1000}, {"mb", 1000000}, {"gb", 1000000000}, {"tb", 1000000000000}};

/* `b` is lower case. */
static bool same_word(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == *b)
        a++, b++;
    return *a == *b;
}

/* 0: no such unit. */
static uint64_t unit_bytes(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (same_word(name, units[i].name))
            return units[i].bytes;
    return 0;
}

/* Reads digits and says how many there were; a number past 64 bits saturates. */
static const char *digits(const char *p, uint64_t *value, int *count)
{
    *value = 0;
    *count = 0;
    for (; *p >= '0' && *p <= '9'; p++, ++*count)
        *value = ul_add(ul_mul(*value, 10), (uint64_t)(*p - '0'));
    return p;
}

/* unit x value / 10^count without losing bits: count is small. */
static uint64_t part_of(uint64_t unit, uint64_t value, int count)
{
    uint64_t power = 1;
    while (count-- > 0)
        power *= 10;
    return unit / power * value + unit % power * value / power;
}

int ullage_parse_size(const char *text, uint64_t *bytes, ullage_error *err)
{
    uint64_t whole, part = 0;
    int n, n_part = 0;
    const char *p = digits(text, &whole, &n);
    if (n > 0 && *p == '.')
        p = digits(p + 1, &part, &n_part);
    while (*p == ' ')
        p++;
    uint64_t unit = n > 0 ? unit_bytes(p) : 0;
    if (!unit || n_part > FRACTION_DIGITS)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "'%.40s' is not a size: write 24GiB, 24GB, 24564MiB or bytes", text);
    uint64_t size = ul_add(ul_mul(whole, unit), part_of(unit, part, n_part));
    if (size >= INT64_MAX)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "'%.40s' is too large", text);
    *bytes = size;
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ GPUs */

static const char *const backends[] = {
    [UL_CUDA] = "cuda", [UL_VULKAN] = "vulkan", [UL_ROCM] = "rocm",
    [UL_METAL] = "metal", [UL_SYCL] = "sycl"};

const char *ul_backend_name(enum ul_backend backend)
{
    return backends[backend];
}

static int set_backend(struct ul_gpu *gpu, const char *value, ullage_error *err)
{
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
        if (same_word(value, backends[i])) {
            gpu->backend = (enum ul_backend)i;
            return ULLAGE_OK;
        }
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "backend '%.40s' is none of cuda, vulkan, rocm, metal or sycl", value);
}

/* "8.9" as 890, ggml's way to write it (ggml/src/ggml-cuda/common.cuh: GGML_CUDA_CC_*). One digit
 * after the point is all there is, and 12 is 12.0. */
static int set_cc(struct ul_gpu *gpu, const char *value, ullage_error *err)
{
    uint64_t major, minor = 0;
    int n_major, n_minor = 1;
    const char *p = digits(value, &major, &n_major);
    if (*p == '.')
        p = digits(p + 1, &minor, &n_minor);
    if (*p || n_major < 1 || n_major > 2 || n_minor != 1)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "cc '%.40s' is not a compute capability such as 8.9", value);
    gpu->cc = (int)(major * 100 + minor * 10);
    return ULLAGE_OK;
}

/* The runtime pool of flash attention depends on how many there are. */
static int set_sm(struct ul_gpu *gpu, const char *value, ullage_error *err)
{
    uint64_t sm;
    int n;
    if (*digits(value, &sm, &n) || n < 1 || n > 5 || sm == 0)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "sm '%.40s' is not a number of multiprocessors such as 128", value);
    gpu->sm = (int)sm;
    return ULLAGE_OK;
}

/* A rate of bytes: "1008GB/s", "1008" (GB/s, as data sheets print it), "1.008TB/s". */
static int set_rate(double *rate, const char *what, const char *value, ullage_error *err)
{
    static const struct {
        const char *name;
        double bytes;
    } rates[] = {{"", 1e9}, {"gb/s", 1e9}, {"mb/s", 1e6}, {"tb/s", 1e12},
                 {"gib/s", 1073741824.0}};
    char *end;
    double n = strtod(value, &end);
    while (*end == ' ')
        end++;
    for (size_t i = 0; isdigit((unsigned char)value[0]) && i < sizeof rates / sizeof rates[0]; i++)
        if (same_word(end, rates[i].name) && n > 0 && n < 1e9) {
            *rate = n * rates[i].bytes;
            return ULLAGE_OK;
        }
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "%s '%.40s' is not a rate such as 1008GB/s", what, value);
}

int ullage_parse_rate(const char *text, double *bytes_per_second, ullage_error *err)
{
    return set_rate(bytes_per_second, "bandwidth", text, err);
}

static int set_driver(struct ul_gpu *gpu, const char *value, ullage_error *err)
{
    static const char *const names[] = {
        [UL_DRIVER_LINUX] = "linux", [UL_DRIVER_WINDOWS] = "windows", [UL_DRIVER_SMI] = "smi",
        [UL_DRIVER_MACOS15] = "macos15", [UL_DRIVER_MACOS26] = "macos26"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (same_word(value, names[i])) {
            gpu->driver = (enum ul_driver)i;
            return ULLAGE_OK;
        }
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "driver '%.40s' is none of linux, windows, smi, macos15 or macos26", value);
}

static int set_key(struct ul_machine *m, struct ul_gpu *gpu, struct ul_str key, const char *value,
                   ullage_error *err)
{
    if (ul_str_is(key, "name"))
        gpu->name = value;
    else if (ul_str_is(key, "total"))
        return ullage_parse_size(value, &gpu->total, err);
    else if (ul_str_is(key, "used"))
        return ullage_parse_size(value, &gpu->used, err);
    else if (ul_str_is(key, "cc"))
        return set_cc(gpu, value, err);
    else if (ul_str_is(key, "sm"))
        return set_sm(gpu, value, err);
    else if (ul_str_is(key, "backend"))
        return set_backend(gpu, value, err);
    else if (ul_str_is(key, "bandwidth"))
        return set_rate(&gpu->bandwidth, "bandwidth", value, err);
    else if (ul_str_is(key, "link"))
        return set_rate(&gpu->link, "link", value, err);
    else if (ul_str_is(key, "driver"))
        return set_driver(gpu, value, err);
    else
        return ul_fail(
            err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
            "'%.40s' is no key of a GPU: name, total, used, cc, sm, backend, bandwidth, link and "
            "driver are",
            ul_arena_copy(&m->arena, key.p, key.n));
    return ULLAGE_OK;
}

/* What a user says behind a device's name; a name may hold blanks and an '=', but no comma. */
static int read_keys(struct ul_machine *m, struct ul_gpu *gpu, const char *spec, ullage_error *err)
{
    for (const char *p = spec + strspn(spec, " "); *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, ",");
        const char *eq = memchr(p, '=', n);
        if (!eq)
            return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                           "'%.*s' in a GPU's description is not key=value (of several GPUs, each "
                           "has a --gpu of its own)", (int)(n < 40 ? n : 40), p);
        struct ul_str key = {p, (size_t)(eq - p)};
        const char *value = ul_arena_copy(&m->arena, eq + 1, n - key.n - 1);
        int rc = set_key(m, gpu, key, value, err);
        if (rc)
            return rc;
        p += n;
        p += *p == ',';
    }
    return ULLAGE_OK;
}

/* A device without memory, or with less than nothing free, is a slip of the pen. */
static int check_gpu(const struct ul_gpu *gpu, const char *spec, ullage_error *err)
{
    if (gpu->total == 0)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "GPU '%.80s' has no memory%s: say total=24564MiB", spec,
                       !gpu->known ? "" : gpu->unified ? " of its own, but the host's"
                                                       : " that is known");
    if (gpu->used > gpu->total)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "GPU '%.80s' uses more than its total", spec);
    return ULLAGE_OK;
}

/* One way, in bytes a second, after the encoding; from generation 3 on each doubles the rate. */
static double pcie_rate(int generation, int lanes)
{
    static const double lane[] = {[1] = 0.25e9, [2] = 0.5e9, [3] = 0.985e9, [4] = 1.969e9,
                                  [5] = 3.938e9, [6] = 7.563e9};
    return generation > 0 && generation <= 6 ? lane[generation] * lanes : 0;
}

/* Figures of speed that the user did not give. */
static void know(struct ul_gpu *gpu, const ullage_known_device *d)
{
    gpu->known = d;
    gpu->bandwidth = gpu->bandwidth > 0 ? gpu->bandwidth : d->bandwidth_gbs * 1e9;
    gpu->link = gpu->link > 0 ? gpu->link : pcie_rate(d->pcie_gen, d->pcie_lanes);
    gpu->flops16 = d->fp16_tflops * 1e12;
    gpu->flops32 = d->fp32_tflops * 1e12;
    gpu->l2 = (uint64_t)(d->l2_mib * (double)MiB);
    gpu->unified = d->unified;
}

/* The first word of a spec: a size, or a device of the catalogue. */
static int read_head(struct ul_gpu *gpu, struct ul_found_device *found, const char *head,
                     ullage_error *err)
{
    /* "4090" is a name, not bytes; so is "780M". */
    bool number = head[strspn(head, "0123456789")] == '\0';
    bool size = ullage_parse_size(head, &gpu->total, NULL) == ULLAGE_OK
                && (!number || gpu->total >= MiB);
    if (size && (gpu->total >= 1024 * MiB || ul_device_find(found, head, NULL) != ULLAGE_OK)) {
        *found = (struct ul_found_device){0};
        return ULLAGE_OK;
    }
    gpu->total = 0;
    int rc = ul_device_find(found, head, err);
    if (rc)
        return rc;
    const ullage_known_device *d = found->row;
    gpu->name = d->name;
    if (strcmp(d->kind, "cpu-platform") == 0)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "'%.60s' is no GPU: say its memory's rate with --ram-bandwidth", d->name);
    return set_backend(gpu, d->backend, err);
}

/* A catalogue's device after the user's keys: what these left open. */
static void fill_found(struct ul_machine *m, struct ul_gpu *gpu,
                       const struct ul_found_device *found)
{
    char how[200];
    const ullage_known_device *d = found->row;
    know(gpu, d);
    if (gpu->backend == UL_CUDA && strcmp(d->vendor, "NVIDIA") == 0) {
        if (!gpu->cc && d->chip)
            set_cc(gpu, d->chip, NULL);
        gpu->sm = gpu->sm ? gpu->sm : d->units;
    }
    if (!gpu->total && (gpu->total = ul_device_total(found, gpu->driver, how, sizeof how)) > 0)
        gpu->total_basis = ul_arena_copy(&m->arena, how, strlen(how));
}

static bool starts_with(const char *text, const char *word)
{
    while (*word && tolower((unsigned char)*text) == *word)
        text++, word++;
    return *word == '\0';
}

static bool is_x(char c)
{
    return c == 'x' || c == 'X';
}

/* "2x RTX 3090", "2 x 3090", "2x3090", "dual RTX 3090": 2, and where the name begins. */
static int count_before(const char **head)
{
    static const char *const words[] = {[2] = "dual ", [3] = "triple ", [4] = "quad "};
    uint64_t n;
    int digits_seen;
    const char *p = digits(*head, &n, &digits_seen);
    p += strspn(p, " ");
    if (digits_seen >= 1 && digits_seen <= 2 && is_x(*p)) {
        *head = p + 1 + strspn(p + 1, " ");
        return (int)n;
    }
    for (int i = 2; i <= 4; i++)
        if (starts_with(*head, words[i])) {
            *head += strlen(words[i]);
            return i;
        }
    return 1;
}

/* "RTX 3090 x2": 2, and how long the name before it is. */
static int count_behind(const char *head, size_t *length)
{
    size_t n = *length, k = n;
    while (k && isdigit((unsigned char)head[k - 1]))
        k--;
    if (k == n || n - k > 2 || k < 2 || !is_x(head[k - 1]) || head[k - 2] != ' ')
        return 1;
    *length = k - 2;
    return atoi(head + k);
}

/* One GPU's figures from the spec without its count. */
static int read_gpu(struct ul_machine *m, struct ul_gpu *gpu, const char *spec, ullage_error *err)
{
    struct ul_found_device found = {0};
    size_t n = strcspn(spec, ",");
    int rc = ULLAGE_OK;
    if (!memchr(spec, '=', n)) {
        rc = read_head(gpu, &found, ul_arena_copy(&m->arena, spec, n), err);
        spec += n;
        spec += *spec == ',';
    }
    if (!rc)
        rc = read_keys(m, gpu, spec, err);
    if (rc)
        return rc;
    if (found.row)
        fill_found(m, gpu, &found);
    else if (gpu->name[0] && (found.row = ul_device_named(gpu->name, (double)gpu->total / MiB)))
        know(gpu, found.row);
    return ULLAGE_OK;
}

/* A GPU whose kind was not said is an NVIDIA one: most are. All are added or none. */
static int add_gpu(struct ul_machine *m, const char *spec, ullage_error *err)
{
    struct ul_gpu gpu = {.name = "", .backend = UL_CUDA};
    const char *one = spec;
    int count = count_before(&one);
    size_t head = strcspn(one, ","), name = head;
    if (count == 1 && !memchr(one, '=', head) && (count = count_behind(one, &name)) > 1)
        one = ul_format(&m->arena, "%.*s%s", (int)name, one, one + head);
    if (count < 1)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "'%.60s' is no GPU: 'none' is, for a plan without", spec);
    if (m->n_gpus + (uint32_t)count > UL_MAX_GPUS)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "more than %d GPUs",
                       UL_MAX_GPUS);
    int rc = read_gpu(m, &gpu, one, err);
    if (!rc)
        rc = check_gpu(&gpu, spec, err);
    for (int i = 0; !rc && i < count; i++)
        m->gpu[m->n_gpus++] = gpu;
    return rc;
}

int ullage_machine_add_gpu(ullage_machine *machine, const char *spec, ullage_error *err)
{
    jmp_buf oom;
    machine->m.arena.oom = &oom;
    if (setjmp(oom))
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    return add_gpu(&machine->m, spec, err);
}

/* ------------------------------------------------------------------ the CPU */

/* The table that says what each repacks, without Android's builds. */
#define CPU_VARIANTS_MOST 64

static size_t cpu_variants(const char *names[CPU_VARIANTS_MOST])
{
    size_t n = 0;
    const struct ul_cpu_variant *v;
    for (size_t i = 0; (v = ul_cpu_variant_at(i)) != NULL && n < CPU_VARIANTS_MOST; i++)
        if (!ul_str_starts(ul_cstr(v->name), "android_"))
            names[n++] = v->name;
    return n;
}

const char *ullage_cpu_variant(size_t index)
{
    const char *names[CPU_VARIANTS_MOST];
    return index < cpu_variants(names) ? names[index] : NULL;
}

int ullage_machine_cpu(ullage_machine *machine, const char *variant, ullage_error *err)
{
    const char *names[CPU_VARIANTS_MOST];
    size_t n = cpu_variants(names);
    for (size_t i = 0; i < n; i++)
        if (same_word(variant, names[i])) {
            machine->m.cpu = names[i];
            return ULLAGE_OK;
        }
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                   "ggml has no CPU back-end '%.40s': did you mean %s?", variant,
                   ullage_nearest(variant, names, n));
}

/* ------------------------------------------------------------------ the rest */

/* calloc: no GPU, and ULLAGE_UNKNOWN is 0. */
ullage_machine *ullage_machine_new(void)
{
    ullage_machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        return NULL;
    machine->m.runtime = (ullage_bytes){RUNTIME_BYTES, ULLAGE_ASSUMED};
    machine->m.prompt_peak = (ullage_bytes){PROMPT_PEAK_BYTES, ULLAGE_ASSUMED};
    return machine;
}

void ullage_machine_free(ullage_machine *machine)
{
    if (!machine)
        return;
    ul_arena_free(&machine->m.arena);
    free(machine);
}

uint32_t ullage_machine_gpus(const ullage_machine *machine) { return machine->m.n_gpus; }

int ullage_machine_gpu_at(const ullage_machine *machine, uint32_t i, ullage_gpu *gpu)
{
    const struct ul_machine *m = &machine->m;
    if (i >= m->n_gpus)
        return 0;
    *gpu = (ullage_gpu){.name = m->gpu[i].name, .backend = backends[m->gpu[i].backend],
                        .total = m->gpu[i].total, .used = m->gpu[i].used, .l2 = m->gpu[i].l2,
                        .cc = m->gpu[i].cc / 10, .sm = m->gpu[i].sm, .unified = m->gpu[i].unified,
                        .runtime = m->runtime.bytes};
    return 1;
}

void ullage_machine_ram(ullage_machine *machine, uint64_t bytes)
{
    machine->m.ram = (ullage_bytes){bytes, ULLAGE_ASSUMED};
}

void ullage_machine_ram_total(ullage_machine *machine, uint64_t bytes)
{
    machine->m.ram_total = bytes;
}

void ullage_machine_ram_bandwidth(ullage_machine *machine, double bytes_per_second)
{
    machine->m.ram_bandwidth = bytes_per_second;
}

ullage_bytes ul_machine_runtime(const struct ul_machine *machine, uint32_t gpu)
{
    if (machine->gpu[gpu].runtime.source != ULLAGE_UNKNOWN)
        return machine->gpu[gpu].runtime;
    if (!machine->runtime_given && machine->gpu[gpu].backend == UL_METAL)
        return (ullage_bytes){0, ULLAGE_ASSUMED};
    return machine->runtime;
}

void ullage_machine_runtime(ullage_machine *machine, ullage_bytes runtime)
{
    machine->m.runtime_given = true;
    machine->m.runtime = runtime;
}

void ullage_machine_prompt_peak(ullage_machine *machine, ullage_bytes peak)
{
    machine->m.prompt_peak = peak;
    machine->m.prompt_peak_given = true;
}

const char *ullage_machine_gpu_name(const ullage_machine *machine, uint32_t gpu)
{
    return gpu < machine->m.n_gpus ? machine->m.gpu[gpu].name : NULL;
}

void ullage_machine_gpu_figures(ullage_machine *machine, uint32_t gpu, ullage_bytes runtime,
                                ullage_bytes prompt_peak)
{
    if (gpu >= machine->m.n_gpus)
        return;
    machine->m.gpu[gpu].runtime = runtime;
    machine->m.gpu[gpu].prompt_peak = prompt_peak;
}

/* A percentage may have a fraction; it is of each device's total. */
static int reserve_percent(struct ul_machine *m, const char *spec, ullage_error *err)
{
    char *end;
    double percent = strtod(spec, &end);
    if (!isdigit((unsigned char)spec[0]) || strcmp(end, "%") != 0 || !(percent <= 100))
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION,
                       "'%.40s' is not a share of a device: write 5%% or a size", spec);
    m->reserve_fraction = percent / 100;
    m->reserve_bytes = 0;
    return ULLAGE_OK;
}

int ullage_machine_reserve(ullage_machine *machine, const char *spec, ullage_error *err)
{
    if (strchr(spec, '%'))
        return reserve_percent(&machine->m, spec, err);
    machine->m.reserve_fraction = 0;
    return ullage_parse_size(spec, &machine->m.reserve_bytes, err);
}
