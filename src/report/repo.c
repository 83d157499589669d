/* The public face of what servers of models answer (source/remote.h). */
#include "base/error.h"
#include "source/remote.h"

#include <stdlib.h>

struct ullage_repo {
    struct ul_arena arena;
    struct ul_remote r;
};

typedef int read_answer(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                        ullage_error *err);

/* The text is copied: the tree's strings point into it. */
static int guarded(struct ullage_repo *h, int kind, const void *text, size_t size,
                   ullage_error *err)
{
    static read_answer *const readers[] = {[ULLAGE_REPO_REFS] = ul_remote_refs,
                                           [ULLAGE_REPO_TREE] = ul_remote_tree,
                                           [ULLAGE_REPO_MODELSCOPE] = ul_remote_modelscope,
                                           [ULLAGE_REPO_MANIFEST] = ul_remote_manifest};
    jmp_buf oom;
    if (kind < 0 || (size_t)kind >= sizeof readers / sizeof *readers)
        return ul_fail(err, ULLAGE_ERROR_USAGE, ULLAGE_NO_POSITION, "no such kind of answer");
    if (setjmp(oom))
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    h->arena.oom = &oom;
    int code = readers[kind](&h->r, ul_arena_copy(&h->arena, text, size), size, &h->arena, err);
    h->arena.oom = NULL;
    return code;
}

int ullage_repo_read(ullage_repo **repo, int kind, const void *text, size_t size, ullage_error *err)
{
    struct ullage_repo *h = calloc(1, sizeof *h);
    ullage_error own = {0};
    *repo = NULL;
    if (!h)
        return ul_fail(err, ULLAGE_ERROR_MEMORY, ULLAGE_NO_POSITION, "out of memory");
    int code = guarded(h, kind, text, size, err ? err : &own);
    if (code)
        ullage_repo_free(h);
    else
        *repo = h;
    return code;
}

void ullage_repo_free(ullage_repo *repo)
{
    if (!repo)
        return;
    ul_arena_free(&repo->arena);
    free(repo);
}

const char *ullage_repo_commit(const ullage_repo *repo)
{
    return repo->r.commit;
}

int ullage_repo_at(const ullage_repo *repo, size_t i, ullage_repo_file *file)
{
    if (i >= repo->r.n)
        return 0;
    const struct ul_remote_file *f = &repo->r.files[i];
    *file = (ullage_repo_file){.path = f->path, .bytes = f->bytes,
                               .model = ul_remote_is_model(f->path)};
    return 1;
}

const char *ullage_repo_model(const ullage_repo *repo, const char *quant)
{
    const struct ul_remote_file *f = ul_remote_choose(&repo->r, quant ? quant : "");
    return f ? f->path : NULL;
}

const char *ullage_repo_beside(ullage_repo *repo, const char *model, const char *what,
                               const char *quant)
{
    const struct ul_remote_file *volatile f = NULL;
    jmp_buf oom;
    if (!setjmp(oom)) {
        repo->arena.oom = &oom;
        f = ul_remote_beside(&repo->r, model, what, quant ? quant : "", &repo->arena);
    }
    repo->arena.oom = NULL;
    return f ? f->path : NULL;
}
