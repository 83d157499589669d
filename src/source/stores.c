/* The stores: a table of places. All places that are there are walked, not only the one that a
 * program would use today, because models stay behind when a variable is set or a version moves.
 *
 * A place is written as a shell would: "$NAME/rest", "~/rest", "/rest". One that depends on a
 * variable which is not set is no place. Some programs say in a file where their models are; such a
 * row has the file and how to read it, and `place` is what comes behind what it says. */
#define _POSIX_C_SOURCE 200809L
#include "source/stores_walk.h"

#include "source/jsonread.h"
#include "source/source.h"

#include <stdlib.h>

#define SETTING_BYTES ((size_t)1 << 20)

enum how { PLAIN, TEXT, JSON, INI };

struct place {
    const char *store;
    const char *place;
    enum how how;      /* the file's form, when there is one */
    const char *file, *member;
};

/* In the order of search: of two names for one file the first counts. */
static const struct place places[] = {
    /* huggingface.co/docs/hub/local-cache; huggingface_hub, constants.py; the fourth is llama.cpp's:
     * common/hf-cache.cpp: get_cache_directory. */
    {.store = "hub", .place = "$HF_HUB_CACHE"},
    {.store = "hub", .place = "$HUGGINGFACE_HUB_CACHE"},
    {.store = "hub", .place = "$HF_HOME/hub"},
    {.store = "hub", .place = "$XDG_CACHE_HOME/huggingface/hub"},
    {.store = "hub", .place = "~/.cache/huggingface/hub"},
    /* llama.cpp, common/common.cpp: fs_get_cache_directory. Flat, as owner_repo_file.gguf with
     * manifest=owner=repo=tag.json beside it, until 2026; then a hub's layout under LLAMA_CACHE. */
    {.store = "llama.cpp", .place = "$LLAMA_CACHE"},
    {.store = "llama.cpp", .place = "$XDG_CACHE_HOME/llama.cpp"},
    {.store = "llama.cpp", .place = "~/.cache/llama.cpp"},
    {.store = "llama.cpp", .place = "~/Library/Caches/llama.cpp"},
    /* lmstudio-ai/lmstudio-js, packages/lms-common-server/src/findLMStudioHome.ts (the home);
     * lmstudio.ai/docs/advanced/sideload (models/publisher/model/file below it); settings.json in it
     * has the folder when it was moved. */
    {.store = "lmstudio", .place = "$LMSTUDIO_HOME/models"},
    {.store = "lmstudio", .place = "/models", .how = TEXT, .file = "~/.lmstudio-home-pointer"},
    {.store = "lmstudio", .place = "~/.lmstudio/models"},
    {.store = "lmstudio", .place = "~/.cache/lm-studio/models"},
    {.store = "lmstudio", .place = "", .how = JSON, .file = "~/.lmstudio/settings.json",
     .member = "downloadsFolder"},
    {.store = "lmstudio", .place = "", .how = JSON, .file = "~/.cache/lm-studio/settings.json",
     .member = "downloadsFolder"},
    /* ollama/ollama, docs/faq.md (where models are stored), envconfig/config.go; the third is the
     * home of the user that the installer makes for the service. */
    {.store = UL_STORE_OLLAMA, .place = "$OLLAMA_MODELS"},
    {.store = UL_STORE_OLLAMA, .place = "~/.ollama/models"},
    {.store = UL_STORE_OLLAMA, .place = "/usr/share/ollama/.ollama/models"},
    {.store = UL_STORE_OLLAMA, .place = "/var/snap/ollama/common/models"},
    /* nomic-ai/gpt4all, gpt4all-chat/src/mysettings.cpp: defaultLocalModelsPath (Qt's
     * AppLocalDataLocation), and the setting modelPath. */
    {.store = "gpt4all", .place = "$XDG_DATA_HOME/nomic.ai/GPT4All"},
    {.store = "gpt4all", .place = "~/.local/share/nomic.ai/GPT4All"},
    {.store = "gpt4all", .place = "~/Library/Application Support/nomic.ai/GPT4All"},
    {.store = "gpt4all", .place = "", .how = INI, .file = "$XDG_CONFIG_HOME/nomic.ai/GPT4All.ini",
     .member = "modelPath"},
    {.store = "gpt4all", .place = "", .how = INI, .file = "~/.config/nomic.ai/GPT4All.ini",
     .member = "modelPath"},
    /* janhq/jan, src-tauri/src/core/app/commands.rs: resolve_jan_data_folder; llamacpp/models below
     * it, models in older versions (jan.ai/docs/data-folder); ~/jan was the first home. */
    {.store = "jan", .place = "$JAN_DATA_FOLDER/llamacpp/models"},
    {.store = "jan", .place = "$JAN_DATA_FOLDER/models"},
    {.store = "jan", .place = "/llamacpp/models", .how = JSON, .file = "$XDG_DATA_HOME/Jan/settings.json",
     .member = "data_folder"},
    {.store = "jan", .place = "/llamacpp/models", .how = JSON,
     .file = "~/.local/share/Jan/settings.json", .member = "data_folder"},
    {.store = "jan", .place = "/llamacpp/models", .how = JSON, .file = "~/.config/Jan/settings.json",
     .member = "data_folder"},
    {.store = "jan", .place = "$XDG_DATA_HOME/Jan/data/llamacpp/models"},
    {.store = "jan", .place = "~/.local/share/Jan/data/llamacpp/models"},
    {.store = "jan", .place = "~/.local/share/Jan/data/models"},
    {.store = "jan", .place = "~/.config/Jan/data/models"},
    {.store = "jan", .place = "~/Library/Application Support/Jan/data/llamacpp/models"},
    {.store = "jan", .place = "~/Library/Application Support/Jan/data/models"},
    {.store = "jan", .place = "~/jan/models"},
    /* oobabooga/text-generation-webui, README.md: user_data/models, models before 2025; where it is
     * most often cloned. */
    {.store = "textgen", .place = "~/text-generation-webui/user_data/models"},
    {.store = "textgen", .place = "~/text-generation-webui/models"},
    /* modelscope.cn/docs, models: download; its cache is a plain tree of repositories. */
    {.store = "modelscope", .place = "$MODELSCOPE_CACHE"},
    {.store = "modelscope", .place = "~/.cache/modelscope/hub"},
};

#define N_PLACES (sizeof places / sizeof places[0])

const char *ul_store_name(size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < N_PLACES; k++)
        if (k == 0 || strcmp(places[k].store, places[k - 1].store) != 0)
            if (n++ == i)
                return places[k].store;
    return NULL;
}

/* ------------------------------------------------------------------ where a place is */

static const char *variable(const struct ul_stores_ask *ask, const char *name, size_t n)
{
    for (size_t i = 0; ask->env && ask->env[i]; i++)
        if (strncmp(ask->env[i], name, n) == 0 && ask->env[i][n] == '=' && ask->env[i][n + 1])
            return ask->env[i] + n + 1;
    return NULL;
}

/* A place's path, or NULL. */
static char *expand(const struct ul_stores_ask *ask, const char *place, struct ul_arena *a)
{
    size_t n = strcspn(place, "/");
    const char *base = place[0] == '~'   ? variable(ask, "HOME", 4)
                       : place[0] == '$' ? variable(ask, place + 1, n - 1)
                       : ask->root       ? ask->root
                                         : "";
    size_t k = base ? strlen(base) : 0;
    while (k > 0 && base[k - 1] == '/')
        k--;
    return base ? ul_format(a, "%.*s%s", (int)k, base, place + n) : NULL;
}

/* The value of a line "member=..." in a file as Qt keeps settings. */
static const char *ini_value(char *text, const char *member)
{
    size_t n = strlen(member);
    for (char *line = text, *next; *line; line = next) {
        size_t k = strcspn(line, "\r\n");
        next = line + k + (line[k] != '\0');
        line[k] = '\0';
        if (strncmp(line, member, n) == 0 && line[n] == '=')
            return line + n + 1;
    }
    return "";
}

/* What the row's file says, or NULL: only a whole path is believed. */
static const char *said(const struct ul_stores_ask *ask, const struct place *p, struct ul_arena *a)
{
    ullage_error ignored = {0};
    size_t n;
    char *file = expand(ask, p->file, a);
    char *text = file ? ul_source_text(NULL, file, SETTING_BYTES, &n, a, &ignored) : NULL;
    const char *value = text;
    if (!text)
        return NULL;
    if (p->how == JSON) {
        struct ul_str s = ul_jstr(ul_json_parse(file, text, n, a, &ignored), p->member, "");
        value = ul_arena_copy(a, s.p, s.n);
    } else if (p->how == INI) {
        value = ini_value(text, p->member);
    } else {
        text[strcspn(text, "\r\n")] = '\0';
    }
    return *value == '/' ? value : NULL;
}

static char *path_of(const struct ul_stores_ask *ask, const struct place *p, struct ul_arena *a)
{
    if (p->how == PLAIN)
        return expand(ask, p->place, a);
    const char *value = said(ask, p, a);
    return value ? ul_format(a, "%s%s", value, p->place) : NULL;
}

/* ------------------------------------------------------------------ all of them */

static int check_store(const char *store, ullage_error *err)
{
    const char *names[16];
    size_t n = 0;
    for (; ul_store_name(n) && n < 16; n++) {
        names[n] = ul_store_name(n);
        if (!store || strcmp(store, names[n]) == 0)
            return ULLAGE_OK;
    }
    char list[160] = "";
    for (size_t i = 0; i < n; i++) {
        strcat(list, i ? ", " : "");
        strcat(list, names[i]);
    }
    return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "no store is called '%.40s': there are %s",
                   store, list);
}

static void walk_places(struct ul_walk *w, const struct ul_stores_ask *ask)
{
    for (size_t i = 0; i < N_PLACES; i++) {
        if (ask->store && strcmp(ask->store, places[i].store) != 0)
            continue;
        char *path = path_of(ask, &places[i], w->arena);
        if (!path)
            continue;
        w->store = places[i].store;
        w->base = strlen(path);
        ul_walk(w, path);
    }
}

static int walk_folders(struct ul_walk *w, const struct ul_stores_ask *ask, ullage_error *err)
{
    w->store = UL_STORE_FOLDER;
    w->base = 0;
    w->given = true;
    for (size_t i = 0; i < ask->n_folders; i++) {
        size_t n;
        if (!ul_walk_list(w, ask->folders[i], &n))
            return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION, "%s: no folder that can be read",
                           ul_path_tail(ask->folders[i]));
        ul_walk(w, ul_arena_copy(w->arena, ask->folders[i], strlen(ask->folders[i])));
    }
    return ULLAGE_OK;
}

/* A folder may be open when memory runs out and the arena jumps: it is closed on the way. */
int ul_stores_find(struct ul_stores *s, const struct ul_stores_ask *ask, struct ul_arena *a,
                   ullage_error *err)
{
    struct ul_walk *w = UL_NEW(a, struct ul_walk);
    jmp_buf *outer = a->oom, here;
    *s = (struct ul_stores){.found = NULL};
    *w = (struct ul_walk){.out = s, .arena = a, .prefix = ""};
    if (outer) {
        if (setjmp(here)) {
            if (w->open)
                closedir(w->open);
            a->oom = outer;
            longjmp(*outer, 1);
        }
        a->oom = &here;
    }
    int code = check_store(ask->store, err);
    if (code == ULLAGE_OK)
        code = walk_folders(w, ask, err);
    w->given = false;
    if (code == ULLAGE_OK && ask->n_folders == 0)
        walk_places(w, ask);
    a->oom = outer;
    return code;
}
