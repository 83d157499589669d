/* Any bytes as a command line: words end at a NUL or a new line; a first byte of 'E' makes the rest
 * an environment. Beyond not crashing, each input is held to what the parser promises:
 *   - it fails with a usage error and one line of text, or leaves settings in range;
 *   - what was accepted is accepted again by settings that have read it before;
 *   - memory stays within a multiple of the input. */
#include "engine/settings.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))

/* A word may be -ncmoe N: a pattern a layer, up to 512 of them, each under 100 bytes, and arrays
 * that double add as much; all words twice. */
#define MEMORY_A_WORD ((size_t)512 * 1024)
#define MEMORY_FIXED ((size_t)2 * 1024 * 1024)
#define WORDS_MOST 64

struct words {
    char *text;
    const char *at[WORDS_MOST + 1];
    int n;
};

static struct words split(const uint8_t *data, size_t size)
{
    struct words w = {.text = malloc(size + 1)};
    CHECK(w.text);
    if (size)
        memcpy(w.text, data, size);
    w.text[size] = '\0';
    for (size_t i = 0, start = 0; i <= size && w.n < WORDS_MOST; i++) {
        if (i < size && w.text[i] != '\n' && w.text[i] != '\0')
            continue;
        w.text[i] = '\0';
        if (i < size || i > start)
            w.at[w.n++] = w.text + start;
        start = i + 1;
    }
    return w;
}

static void check_settings(const struct ul_settings *s)
{
    CHECK(s->n_batch >= 1 && s->n_ctx <= INT32_MAX);
    CHECK(s->n_parallel == -1 || s->n_parallel > 0);
    CHECK(s->n_gpu_layers >= UL_NGL_ALL);
    CHECK(s->n_tensor_split < UL_MAX_DEVICES && s->n_devices <= UL_MAX_DEVICES);
    CHECK(s->flash_attn >= UL_AUTO && s->flash_attn <= UL_ON);
    CHECK(ul_type_info(s->type_k) && ul_type_info(s->type_v));
    CHECK(s->split_mode <= UL_SPLIT_TENSOR && s->load_mode <= UL_LOAD_DIO);
    CHECK(s->pooling >= -1 && s->pooling <= 4);
    for (size_t i = 0; i < s->n_overrides; i++)
        CHECK(s->overrides[i].pattern && s->overrides[i].buft[0]);
    for (size_t i = 0; i < s->n_unmodelled; i++)
        CHECK(s->unmodelled[i].flag[0] && s->unmodelled[i].why[0]);
    for (size_t i = 0; i < s->notes.n; i++)
        CHECK(s->notes.v[i].code[0] && !strchr(s->notes.v[i].text, '\n'));
}

static int read_words(ullage_settings *settings, const struct words *w, bool environment)
{
    ullage_error err = {0};
    int rc = environment ? ullage_settings_environment(settings, w->at, &err)
                         : ullage_settings_parse(settings, w->n, w->at, &err);
    CHECK(rc == err.code && (rc == ULLAGE_OK || rc == ULLAGE_ERROR_USAGE));
    CHECK((rc == ULLAGE_OK) == (err.message[0] == '\0'));
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool environment = size > 0 && data[0] == 'E';
    struct words w = split(data + environment, size - environment);
    ullage_settings *settings = ullage_settings_new();
    CHECK(settings);
    if (read_words(settings, &w, environment) == ULLAGE_OK) {
        check_settings(&settings->s);
        CHECK(read_words(settings, &w, environment) == ULLAGE_OK);
        check_settings(&settings->s);
    }
    CHECK(settings->s.arena.total <= MEMORY_FIXED + (size_t)w.n * MEMORY_A_WORD);
    ullage_settings_free(settings);
    free(w.text);
    return 0;
}
