/* Any bytes as a log: reading ends, keeps within its tables, and both reports can be made of it
 * (without a model, so that only what the log says is used). */
#define _GNU_SOURCE
#include "fuzz.h"
#include "measure/check.h"

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))

static struct ul_evidence e;
static struct ul_check c;

static void check_evidence(void)
{
    CHECK(e.n_buffers >= 0 && e.n_buffers <= UL_EV_BUFFERS);
    CHECK(e.n_caches >= 0 && e.n_caches <= UL_EV_CACHES);
    CHECK(e.n_rows >= 0 && e.n_rows <= UL_EV_ROWS);
    CHECK(e.log.n_devices <= UL_LOG_DEVICES && e.log.n_buffers <= UL_LOG_BUFFERS);
    for (int i = 0; i < UL_EV_KEYS; i++)
        CHECK(e.key[i].n <= UL_EV_LAYERS);
}

/* What the command makes of it: a pasted command's words, vLLM's arguments. */
static void split_words(void)
{
    const char *words[64];
    char text[sizeof e.command], name[64], value[256];
    memcpy(text, e.command, sizeof text);
    int n = ul_command_words(text, words, 64), pairs = 0;
    CHECK(n >= 0 && n <= 64);
    const char *const lists[] = {e.vllm.arguments, e.vllm.engine};
    for (int i = 0; i < 2; i++)
        for (const char *at = lists[i]; ul_vlog_pair(&at, name, sizeof name, value, sizeof value);)
            CHECK(++pairs < 20000 && at <= lists[i] + strlen(lists[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *f = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!f)
        return 0;
    CHECK(ul_evidence_read(&e, f));
    fclose(f);
    check_evidence();
    split_words();
    c = (struct ul_check){.e = &e};
    for (int i = 0; i < e.n_buffers; i++)
        ul_check_row(&c, e.buffer[i].buffer, e.buffer[i].kind, e.buffer[i].mib, -1, 1);
    char *table = ul_check_table(&c), *json = ul_check_json(&c);
    CHECK(table && json);
    free(table);
    free(json);
    return 0;
}
