/* The models of a command line that is simulated. What is not here as a whole becomes a file
 * without weights, made of its header; what is here is used as it is, and its weights are not read
 * either. */
#define _GNU_SOURCE
#include "simulate.h"
#include "fetch.h"

#include "measure/stub.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ headers from servers */

/* A file of a server, what is read of it kept on the disk under its own name, so that it can be
 * read again as a file that ends early. */
struct kept {
    void *remote;
    int fd;
};

struct keeping {
    struct fetch_session *session;
    const char *query;
    const char *folder;
    char first[UL_SIM_PATH]; /* the first file's path */
};

static int keep_open(void *state, const char *name, void **file, uint64_t *size, ullage_error *err)
{
    struct keeping *k = state;
    char path[UL_SIM_PATH], url[4096];
    struct kept *f = calloc(1, sizeof *f);
    if (snprintf(url, sizeof url, "%s%s", name, k->query) >= (int)sizeof url
        || snprintf(path, sizeof path, "%s/%s", k->folder, cli_base_name(name)) >= (int)sizeof path
        || !f) {
        free(f);
        *err = (ullage_error){.code = ULLAGE_ERROR_IO, .position = ULLAGE_NO_POSITION,
                              .message = "the model's address is too long"};
        return err->code;
    }
    int code = fetch_open(k->session, url, &f->remote, size, err);
    f->fd = code ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (!code && f->fd < 0) {
        *err = (ullage_error){.code = ULLAGE_ERROR_IO, .position = ULLAGE_NO_POSITION};
        snprintf(err->message, sizeof err->message, "cannot write %.300s: %s", path,
                 strerror(errno));
        fetch_close(f->remote);
        code = err->code;
    }
    if (code) {
        free(f);
        return code;
    }
    if (!k->first[0])
        strcpy(k->first, path);
    *file = f;
    return ULLAGE_OK;
}

static long keep_read(void *file, uint64_t offset, void *buf, size_t n, ullage_error *err)
{
    struct kept *f = file;
    long got = fetch_read(f->remote, offset, buf, n, err);
    if (got > 0 && pwrite(f->fd, buf, (size_t)got, (off_t)offset) != got) {
        *err = (ullage_error){.code = ULLAGE_ERROR_IO, .position = offset};
        snprintf(err->message, sizeof err->message, "cannot keep the model's header: %s",
                 strerror(errno));
        return -1;
    }
    return got;
}

static void keep_close(void *file)
{
    struct kept *f = file;
    fetch_close(f->remote);
    close(f->fd);
    free(f);
}

/* Fetches a model's header, of all its shards, into the folder. */
static int fetch_header(struct simulating *x, const char *url, ullage_error *err)
{
    size_t n = strcspn(url, "?#");
    char name[4096];
    struct keeping k = {.query = url + n, .folder = x->sim.folder};
    ullage_reader reader = {.open = keep_open, .read = keep_read, .close = keep_close, .state = &k};
    ullage_model *model = NULL;
    snprintf(name, sizeof name, "%.*s", (int)n, url);
    int code = fetch_session_open(&k.session, x->args, err);
    if (!code)
        code = ullage_open_reader(&model, &reader, name, NULL, err);
    fetch_session_close(k.session);
    ullage_close(model);
    snprintf(x->model, sizeof x->model, "%s", k.first);
    return code;
}

static int fetch_repository(struct simulating *x, const char *spec, ullage_error *err)
{
    struct fetch_session *s;
    char *url = NULL;
    int code = fetch_session_open(&s, x->args, err);
    if (!code)
        code = fetch_hf_url(s, spec, &url, err);
    fetch_session_close(s);
    if (!code)
        code = fetch_header(x, url, err);
    free(url);
    return code;
}

/* ------------------------------------------------------------------ files */

static void add_weights(void *context, const char *path, uint64_t weights)
{
    ul_sim_file(&((struct simulating *)context)->sim, path, weights);
}

static int write_stub(struct simulating *x, const char *header, bool vocabulary, const char **path,
                      ullage_error *err)
{
    struct ul_stub made;
    if (x->n_stubs == SIMULATE_MODELS)
        return cli_error(CLI_USAGE, "more than %d models", SIMULATE_MODELS);
    char *out = x->stub[x->n_stubs++];
    snprintf(out, UL_SIM_PATH, "%.900s/stub-%d.gguf", x->sim.folder, x->n_stubs);
    if (ul_stub_write(&made, header, out, vocabulary ? UL_STUB_MISSING : UL_STUB_KEEP, err))
        return cli_fail(err);
    add_weights(x, out, made.header_bytes);
    *path = out;
    return CLI_OK;
}

/* A file here: as it is, when all of it is here. */
static int use_file(struct simulating *x, const char **path, bool vocabulary)
{
    ullage_error err = {0};
    ullage_model *model = NULL;
    if (ullage_open(&model, *path, &err))
        return cli_fail(&err);
    const ullage_model_info *info = ullage_describe(model);
    bool gguf = strcmp(info->origin, "gguf") == 0, whole = !info->partial;
    ullage_close(model);
    if (!gguf)
        return cli_error(CLI_USAGE, "'%.200s' is no GGUF file: the engine loads nothing else",
                         *path);
    if (!whole)
        return write_stub(x, *path, vocabulary, path, &err);
    return ul_stub_files(*path, add_weights, x, &err) ? cli_fail(&err) : CLI_OK;
}

static int use_remote(struct simulating *x, const char **path, bool repository)
{
    ullage_error err = {0};
    const char *spec = *path;
    if (strncmp(spec, CLI_HF, sizeof CLI_HF - 1) == 0) {
        spec += sizeof CLI_HF - 1;
        repository = true;
    }
    if (repository ? fetch_repository(x, spec, &err) : fetch_header(x, spec, &err))
        return cli_fail(&err);
    return write_stub(x, x->model, true, path, &err);
}

/* ------------------------------------------------------------------ the words that name them */

static const struct {
    const char *name;
    bool vocabulary, repository, remote, main;
} flags[] = {{"-m", true, false, false, true}, {"--model", true, false, false, true},
             {"-mu", true, false, true, true}, {"--model-url", true, false, true, true},
             {"-hf", true, true, true, true}, {"-hfr", true, true, true, true},
             {"--hf-repo", true, true, true, true}, {"-md", true, false, false, false},
             {"--model-draft", true, false, false, false},
             {"--spec-draft-model", true, false, false, false},
             {"-mm", false, false, false, false}, {"--mmproj", false, false, false, false}};

/* What names a model on a server becomes -m and the file made of it. */
static int replace(struct simulating *x, int at)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(x->words[at], flags[i].name) != 0)
            continue;
        const char **path = &x->words[at + 1];
        bool remote = flags[i].remote || fetch_is_url(*path)
                      || strncmp(*path, CLI_HF, sizeof CLI_HF - 1) == 0;
        if (flags[i].main && !remote)
            snprintf(x->model, sizeof x->model, "%s", *path);
        if (flags[i].remote)
            x->words[at] = "-m";
        return remote ? use_remote(x, path, flags[i].repository)
                      : use_file(x, path, flags[i].vocabulary);
    }
    return CLI_OK;
}

int simulate_models(struct simulating *x)
{
    int status = CLI_OK;
    for (int i = x->at + 1; !status && i + 1 < x->n_words; i++)
        status = replace(x, i);
    return status;
}
