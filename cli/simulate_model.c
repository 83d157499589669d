/* The models of a command line that is simulated. What is not here as a whole becomes a file
 * without weights, made of its header; what is here is used as it is, and its weights are not read
 * either. */
#define _GNU_SOURCE
#include "simulate.h"

#include "measure/stub.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ headers from servers */

/* A file of a server; what is read of it is kept on the disk under its own name, so that it can be
 * read again as a file that ends early. */
struct kept {
    const ullage_reader *from;
    void *remote; /* its handle */
    int fd;
};

struct keeping {
    const ullage_reader *from;
    const char *folder;
    char first[UL_SIM_PATH]; /* the first file's path */
};

static int cannot(ullage_error *err, const char *what)
{
    *err = (ullage_error){.code = ULLAGE_ERROR_IO, .position = ULLAGE_NO_POSITION};
    snprintf(err->message, sizeof err->message, "cannot keep the model's header: %.300s: %s", what,
             strerror(errno));
    return err->code;
}

static int keep_open(void *state, const char *name, void **file, uint64_t *size, ullage_error *err)
{
    struct keeping *k = state;
    char path[UL_SIM_PATH];
    struct kept *f = calloc(1, sizeof *f);
    snprintf(path, sizeof path, "%.700s/%.300s", k->folder, cli_base_name(name));
    int code = f ? k->from->open(k->from->state, name, &f->remote, size, err) : cannot(err, name);
    if (!code && (f->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0) {
        code = cannot(err, path);
        k->from->close(f->remote);
    }
    if (code) {
        free(f);
        return code;
    }
    if (!k->first[0])
        strcpy(k->first, path);
    f->from = k->from;
    *file = f;
    return ULLAGE_OK;
}

static long keep_read(void *file, uint64_t offset, void *buf, size_t n, ullage_error *err)
{
    struct kept *f = file;
    long got = f->from->read(f->remote, offset, buf, n, err);
    if (got > 0 && pwrite(f->fd, buf, (size_t)got, (off_t)offset) != got) {
        cannot(err, "its file");
        return -1;
    }
    return got;
}

static void keep_close(void *file)
{
    struct kept *f = file;
    f->from->close(f->remote);
    close(f->fd);
    free(f);
}

/* Takes a model's header, of all its shards, into the folder. That no rules are known for it does
 * not matter here. */
static int fetch_header(struct simulating *x, const ullage_reader *reader, const char *name,
                        char header[UL_SIM_PATH], ullage_error *err)
{
    struct keeping k = {.from = reader, .folder = x->sim.folder};
    ullage_reader keeping = {.open = keep_open, .read = keep_read, .close = keep_close,
                             .state = &k};
    ullage_model *model = NULL;
    int code = ullage_open_reader(&model, &keeping, name, NULL, err);
    ullage_close(model);
    strcpy(header, k.first);
    return code == ULLAGE_ERROR_UNKNOWN && k.first[0] ? ULLAGE_OK : code;
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
static int use_file(struct simulating *x, const char *file, bool vocabulary, const char **path)
{
    ullage_error err = {0};
    bool partial;
    if (ul_stub_files(file, &partial, add_weights, x, &err))
        return cli_fail(&err);
    if (partial)
        return write_stub(x, file, vocabulary, path, &err);
    if (strcmp(file, *path) != 0 && x->n_stubs < SIMULATE_MODELS) { /* a store's name for it */
        snprintf(x->stub[x->n_stubs], UL_SIM_PATH, "%s", file);
        *path = x->stub[x->n_stubs++];
    }
    return CLI_OK;
}

static int use_model(struct simulating *x, const char *word, bool vocabulary, bool main_model,
                     const char **path)
{
    ullage_error err = {0};
    struct cli_source *source;
    char header[UL_SIM_PATH];
    const char *name;
    if (cli_source_open(&source, x->args, word, false, &err))
        return cli_fail(&err);
    const ullage_reader *reader = cli_source_reader(source, &name);
    int status = CLI_OK;
    if (reader && fetch_header(x, reader, name, header, &err))
        status = cli_fail(&err);
    if (!status)
        status = reader ? write_stub(x, header, vocabulary, path, &err)
                        : use_file(x, name, vocabulary, path);
    if (main_model)
        snprintf(x->model, sizeof x->model, "%s", reader ? header : name);
    cli_source_close(source);
    return status;
}

/* ------------------------------------------------------------------ the words that name them */

static const struct {
    const char *name;
    bool main, repository, projector;
} flags[] = {{.name = "-m", .main = true}, {.name = "--model", .main = true},
             {.name = "-mu", .main = true}, {.name = "--model-url", .main = true},
             {.name = "-hf", .main = true, .repository = true},
             {.name = "-hfr", .main = true, .repository = true},
             {.name = "--hf-repo", .main = true, .repository = true},
             {.name = "-md"}, {.name = "--model-draft"}, {.name = "--spec-draft-model"},
             {.name = "-mm", .projector = true}, {.name = "--mmproj", .projector = true}};

/* Whatever named the main model, the engine gets a file. */
static int replace(struct simulating *x, int at)
{
    char word[512];
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(x->words[at], flags[i].name) != 0)
            continue;
        const char **path = &x->words[at + 1];
        snprintf(word, sizeof word, "%s%s", flags[i].repository ? "hf:" : "", *path);
        if (flags[i].main)
            x->words[at] = "-m";
        return use_model(x, word, !flags[i].projector, flags[i].main, path);
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
