/* Any bytes as a model, all the way to its plan: header, architecture, placement, caches, text. The
 * first byte chooses one of the command lines and machines below, the rest is a GGUF file. What the
 * reader lets pass may still be absurd as a model (a layer count of 2^32, heads that do not divide,
 * tensors in the wrong places), and must end as one error or as a plan whose parts add up:
 *   - an error has a code and one line;
 *   - text comes out in every format, and JSON without a control character in it;
 *   - nothing is smaller than its parts: no sum has wrapped. */
#include "fuzz.h"
#include "ullage.h"

#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))
#define GPUS_MOST 4
#define ARGS_MOST 12

struct setup {
    const char *args[ARGS_MOST];
    const char *gpus[GPUS_MOST];
};

static const struct setup setups[] = {
    {.args = {"-c", "8192", "-ngl", "99", "-np", "1", "-fa", "on"}, .gpus = {"24GiB"}},
    {.args = {"-c", "0"}},
    {.args = {"-c", "8192", "-np", "3", "-fa", "off", "-ngl", "5"}, .gpus = {"8GiB", "4GiB"}},
    {.args = {"-ctk", "q8_0", "-ctv", "q4_0", "-ub", "64", "-b", "64", "-ngl", "99"},
     .gpus = {"24GiB"}},
    {.args = {"-sm", "tensor", "-ngl", "99"}, .gpus = {"24GiB", "24GiB", "24GiB"}},
    {.args = {"-cmoe", "-nkvo", "--swa-full", "-np", "7", "-ngl", "99"}, .gpus = {"80GiB"}},
    {.args = {"--embedding", "--pooling", "mean", "-lm", "none"}, .gpus = {"1GiB"}},
    {.args = {"-ncmoe", "2", "-c", "1000000", "-kvu", "-ts", "1,3", "-ngl", "99"},
     .gpus = {"16GiB", "16GiB"}},
    {.args = {"-fitt", "100000", "-fitc", "64"}, .gpus = {"24GiB", "8GiB", "1GiB"}}, /* --fit works hard */
    {.args = {"-fitt", "520", "-np", "3"}, .gpus = {"1GiB"}},
};
#define N_SETUPS (sizeof setups / sizeof *setups)

static void check_error(int code, const ullage_error *e)
{
    CHECK(code == e->code && code > ULLAGE_OK && code <= ULLAGE_ERROR_MEMORY);
    CHECK(e->message[0] && strlen(e->message) < sizeof e->message);
    for (const char *c = e->message; *c; c++)
        CHECK((unsigned char)*c >= 0x20);
}

static void check_text(char *text, int format)
{
    CHECK(text && text[0]);
    if (format == ULLAGE_JSON) {
        for (const char *c = text; *c; c++)
            CHECK((unsigned char)*c >= 0x20 || *c == '\n');
    }
    ullage_text_free(text);
}

static void check_plan(const ullage_plan *p)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(p, &n);
    CHECK(n > 0);
    for (size_t i = 0; i < n; i++)
        CHECK(d[i].needed.bytes >= d[i].model.bytes && d[i].needed.bytes >= d[i].context.bytes);
    const ullage_buffer *b = ullage_plan_buffers(p, &n);
    for (size_t i = 0; i < n; i++)
        CHECK(b[i].buffer && b[i].kind);
    CHECK(ullage_plan_context(p)->n_seq_max > 0);
    for (int format = ULLAGE_TABLE; format <= ULLAGE_CSV; format++)
        for (int by = ULLAGE_BY_DEVICE; by <= ULLAGE_BY_LAYER; by++)
            check_text(ullage_plan_render(p, format, by, 0), format);
}

static void plan(const ullage_model *model, const struct setup *u)
{
    ullage_error e = {0};
    ullage_settings *s = ullage_settings_new();
    ullage_machine *m = ullage_machine_new();
    ullage_plan *p = NULL;
    int n = 0;
    CHECK(s && m);
    while (n < ARGS_MOST && u->args[n])
        n++;
    CHECK(ullage_settings_parse(s, n, u->args, &e) == ULLAGE_OK);
    for (size_t i = 0; i < GPUS_MOST && u->gpus[i]; i++)
        CHECK(ullage_machine_add_gpu(m, u->gpus[i], &e) == ULLAGE_OK);
    CHECK(ullage_machine_cpu(m, "zen4", &e) == ULLAGE_OK);
    int code = ullage_plan_make(&p, model, s, m, &e);
    if (code != ULLAGE_OK)
        check_error(code, &e);
    else
        check_plan(p);
    ullage_plan_free(p);
    ullage_machine_free(m);
    ullage_settings_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ullage_model *model = NULL;
    ullage_error e = {0};
    if (size < 1)
        return 0;
    int code = ullage_open_memory(&model, data + 1, size - 1, size - 1, &e);
    if (code != ULLAGE_OK) {
        check_error(code, &e);
        return 0;
    }
    CHECK(ullage_describe(model)->arch);
    check_text(ullage_model_render(model, ULLAGE_TABLE, 0), ULLAGE_TABLE);
    check_text(ullage_model_render(model, ULLAGE_JSON, 0), ULLAGE_JSON);
    plan(model, &setups[data[0] % N_SETUPS]);
    ullage_close(model);
    return 0;
}
