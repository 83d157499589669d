/* The walk: folders from the top down, each once, and what in them is a model by its name.
 *
 * Links are followed, since caches are made of them: a folder that was met before is not entered
 * again, so no link makes a circle. Depth and the number of entries are bounded. Hidden folders
 * hold programs' own business and are passed over.
 *
 * Layouts, and where they are described:
 *   - a Hugging Face repository: models--OWNER--NAME with refs/REVISION (a commit), blobs/HASH, and
 *     snapshots/COMMIT/PATH, links to blobs; a download that did not end is blobs/HASH.incomplete.
 *     huggingface.co/docs/hub/local-cache; llama.cpp keeps its downloads the same way since 2026,
 *     common/hf-cache.cpp: get_cached_files, which takes refs/main's commit or else any ref's;
 *   - shards NAME-00001-of-00003.gguf: llama.cpp, src/llama.cpp: llama_split_path;
 *   - an encoder beside its model: a name with "mmproj", the nearest folder, then the nearest number
 *     of bits: llama.cpp, common/download.cpp: find_best_sibling;
 *   - unfinished: ".downloadInProgress" (llama.cpp, common/download.cpp), ".incomplete"
 *     (huggingface_hub), "incomplete-" (GPT4All, gpt4all-chat/src/modellist.cpp),
 *     ".part" and others as browsers and downloaders write them. */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "source/stores_walk.h"

#include "base/size.h"
#include "source/source.h"

#include <stdlib.h>
#include <strings.h>

#define MOST_DEPTH 12
#define MOST_ENTRIES ((size_t)1 << 18)
#define REPO_MARK "models--"

/* ------------------------------------------------------------------ what was seen */

static struct ul_seen_file *slot(struct ul_seen_file *at, size_t room, uint64_t device,
                                 uint64_t inode)
{
    size_t i = (size_t)(inode * 0x9E3779B97F4A7C15u ^ device) & (room - 1);
    while (at[i].used && (at[i].device != device || at[i].inode != inode))
        i = (i + 1) & (room - 1);
    return &at[i];
}

static void grow_seen(struct ul_seen *s, struct ul_arena *a)
{
    size_t room = s->room ? s->room * 2 : 256;
    struct ul_seen_file *at = UL_NEWS(a, struct ul_seen_file, room);
    for (size_t i = 0; i < s->room; i++)
        if (s->at[i].used)
            *slot(at, room, s->at[i].device, s->at[i].inode) = s->at[i];
    s->at = at;
    s->room = room;
}

/* False when it was there. */
static bool see(struct ul_seen *s, const struct stat *st, struct ul_arena *a)
{
    if (s->n * 2 >= s->room)
        grow_seen(s, a);
    struct ul_seen_file *f = slot(s->at, s->room, (uint64_t)st->st_dev, (uint64_t)st->st_ino);
    if (f->used)
        return false;
    *f = (struct ul_seen_file){(uint64_t)st->st_dev, (uint64_t)st->st_ino, true};
    s->n++;
    return true;
}

/* ------------------------------------------------------------------ folders */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct ul_entry *)a)->name, ((const struct ul_entry *)b)->name);
}

/* Listed to the end and closed before anything is done with it, so that one is open at a time. */
struct ul_entry *ul_walk_list(struct ul_walk *w, const char *path, size_t *n)
{
    struct ul_entry *list = NULL;
    size_t room = 0;
    *n = 0;
    w->open = opendir(path);
    if (!w->open)
        return NULL;
    for (struct dirent *d; (d = readdir(w->open)) != NULL;) {
        if (d->d_name[0] == '.')
            continue;
        if (w->entries++ >= MOST_ENTRIES) {
            w->out->cut = true;
            break;
        }
        if (*n == room) {
            size_t more = room ? room * 2 : 32;
            struct ul_entry *p = UL_NEWS(w->arena, struct ul_entry, more);
            if (*n)
                memcpy(p, list, *n * sizeof *p);
            list = p;
            room = more;
        }
        list[(*n)++] = (struct ul_entry){ul_arena_copy(w->arena, d->d_name, strlen(d->d_name)),
                                         d->d_type};
    }
    closedir(w->open);
    w->open = NULL;
    if (*n)
        qsort(list, *n, sizeof *list, by_name);
    return list ? list : UL_NEW(w->arena, struct ul_entry);
}

static char *join(struct ul_walk *w, const char *folder, const char *name)
{
    size_t n = strlen(folder);
    return ul_format(w->arena, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);
}

bool ul_walk_is_folder(struct ul_walk *w, const char *path, const struct ul_entry *e)
{
    struct stat st;
    if (e->kind == DT_DIR || e->kind == DT_REG)
        return e->kind == DT_DIR;
    return stat(join(w, path, e->name), &st) == 0 && S_ISDIR(st.st_mode);
}

static bool has(const struct ul_entry *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return true;
    return false;
}

/* ------------------------------------------------------------------ rows */

static const char *name_of(struct ul_walk *w, const char *path)
{
    const char *rest = path + w->base;
    while (w->base && *rest == '/')
        rest++;
    return *w->prefix && *rest ? ul_format(w->arena, "%s/%s", w->prefix, rest)
           : *w->prefix        ? w->prefix
                               : rest;
}

struct ul_found *ul_walk_add(struct ul_walk *w, const char *path, const struct stat *st)
{
    struct ul_stores *s = w->out;
    if (s->n == s->room) {
        size_t room = s->room ? s->room * 2 : 64;
        struct ul_found *p = UL_NEWS(w->arena, struct ul_found, room);
        if (s->n)
            memcpy(p, s->found, s->n * sizeof *p);
        s->found = p;
        s->room = room;
    }
    struct ul_found *f = &s->found[s->n++];
    *f = (struct ul_found){.store = w->store, .name = name_of(w, path), .path = path, .n_files = 1,
                           .given = w->given};
    if (st) {
        f->bytes = S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0;
        f->duplicate = !see(&w->files, st, w->arena);
    }
    return f;
}

/* ------------------------------------------------------------------ files by their names */

static bool ends_in(const char *name, const char *tail)
{
    size_t n = strlen(name), t = strlen(tail);
    return n > t && strcasecmp(name + n - t, tail) == 0;
}

static bool contains(const char *name, const char *part)
{
    size_t n = strlen(part);
    for (; *name; name++)
        if (strncasecmp(name, part, n) == 0)
            return true;
    return false;
}

/* A .gguf, with what a downloader puts behind or before its name. */
bool ul_name_is_unfinished(const char *name)
{
    static const char *const tails[] = {".downloadInProgress", ".incomplete", ".part", ".partial",
                                        ".download", ".crdownload", ".tmp", ".aria2", ".!qB"};
    if (strncmp(name, "incomplete-", 11) == 0 && ends_in(name, ".gguf"))
        return true;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        if (ends_in(name, tails[i]) && contains(name, ".gguf"))
            return true;
    return false;
}

/* "-00002-of-00003.gguf": how long the name is before it, 0 when it is no shard's. */
static size_t shard_of(const char *name, uint32_t *count)
{
    size_t n = strlen(name);
    unsigned long total;
    if (n < 21 || !ends_in(name, ".gguf"))
        return 0;
    const char *p = name + n - 20;
    if (p[0] != '-' || strncmp(p + 6, "-of-", 4) != 0 || strspn(p + 1, "0123456789") != 5
        || strspn(p + 10, "0123456789") != 5)
        return 0;
    total = strtoul(p + 10, NULL, 10);
    *count = (uint32_t)total;
    return total > 0 ? n - 20 : 0;
}

/* The first number in a name's last part ("-Q4_K_M.gguf": 4), 0 when it has none; what
 * extract_quant_bits makes of get_gguf_split_info's tag. */
static int bits_of(const char *name)
{
    uint32_t count;
    size_t n = shard_of(name, &count);
    if (n == 0)
        n = ends_in(name, ".gguf") ? strlen(name) - 5 : strlen(name);
    size_t tag = n;
    while (tag > 0 && name[tag - 1] != '-' && name[tag - 1] != '.')
        tag--;
    while (tag < n && !(name[tag] >= '0' && name[tag] <= '9'))
        tag++;
    return tag < n ? atoi(name + tag) : 0;
}

/* The nearest encoder of those in one folder. */
static const char *nearest(const char *const *mmproj, size_t n, const char *model)
{
    const char *best = NULL;
    int least = 0;
    for (size_t i = 0; i < n; i++) {
        int away = abs(bits_of(mmproj[i]) - bits_of(model));
        if (!best || away < least) {
            best = mmproj[i];
            least = away;
        }
    }
    return best;
}

/* What a folder holds that rows are made of. */
struct folder {
    const char *path;
    const struct ul_entry *list;
    size_t n;
    const char *const *mmproj; /* its encoders' paths, or those of the nearest folder above */
    size_t n_mmproj;
};

static void add_unfinished(struct ul_walk *w, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    struct ul_found *f = ul_walk_add(w, path, &st);
    f->unfinished = true;
    f->problem = "half a download";
}

/* A file, or one more shard of the model before it. */
static void add_file(struct ul_walk *w, const struct folder *d, const char *name,
                     const char *before)
{
    struct stat st;
    uint32_t count, other;
    size_t prefix = shard_of(name, &count);
    struct ul_found *last = w->out->n ? &w->out->found[w->out->n - 1] : NULL;
    char *path = join(w, d->path, name);
    int there = stat(path, &st);
    if (there == 0 && !S_ISREG(st.st_mode))
        return;
    if (prefix && before && last && shard_of(before, &other) == prefix && other == count
        && strncmp(before, name, prefix) == 0) {
        last->bytes = ul_add(last->bytes, there == 0 ? (uint64_t)st.st_size : 0);
        last->n_files++;
        last->n_missing = count > last->n_files ? count - last->n_files : 0;
        if (there == 0)
            see(&w->files, &st, w->arena);
        return;
    }
    struct ul_found *f = ul_walk_add(w, path, there == 0 ? &st : NULL);
    f->n_missing = prefix ? count - 1 : 0;
    f->mmproj = nearest(d->mmproj, d->n_mmproj, name);
    if (there != 0)
        f->problem = "a link to a file that is not there";
}

static bool is_encoder(const char *name)
{
    return ends_in(name, ".gguf") && contains(name, "mmproj");
}

/* Encoders are companions where there is a model for them, else rows of their own. */
static void find_encoders(struct ul_walk *w, struct folder *d)
{
    const char **paths = NULL;
    size_t n = 0;
    bool models = false;
    for (size_t i = 0; i < d->n; i++)
        models |= ends_in(d->list[i].name, ".gguf") && !is_encoder(d->list[i].name);
    for (size_t i = 0; i < d->n; i++) {
        if (!is_encoder(d->list[i].name))
            continue;
        if (!paths)
            paths = UL_NEWS(w->arena, const char *, d->n);
        paths[n++] = join(w, d->path, d->list[i].name);
        if (!models)
            add_file(w, d, d->list[i].name, NULL);
    }
    if (n) {
        d->mmproj = paths;
        d->n_mmproj = n;
    }
}

static void add_files(struct ul_walk *w, struct folder *d)
{
    const char *before = NULL;
    find_encoders(w, d);
    for (size_t i = 0; i < d->n; i++) {
        const char *name = d->list[i].name;
        if (d->list[i].kind == DT_DIR)
            continue;
        if (ul_name_is_unfinished(name))
            add_unfinished(w, join(w, d->path, name));
        else if (ends_in(name, ".gguf") && !is_encoder(name)) {
            add_file(w, d, name, before);
            before = name;
        }
    }
}

/* A checkpoint as transformers keeps it, which is planned as its conversion would be. */
static void add_checkpoint(struct ul_walk *w, const struct folder *d)
{
    uint64_t bytes = 0;
    uint32_t n = 0;
    struct stat st, own;
    if (!has(d->list, d->n, "config.json"))
        return;
    for (size_t i = 0; i < d->n; i++)
        if (ends_in(d->list[i].name, ".safetensors")
            && stat(join(w, d->path, d->list[i].name), &st) == 0 && S_ISREG(st.st_mode)) {
            bytes = ul_add(bytes, (uint64_t)st.st_size);
            n++;
        }
    if (n == 0 || stat(join(w, d->path, "config.json"), &own) != 0)
        return;
    struct ul_found *f = ul_walk_add(w, d->path, &own);
    f->bytes = bytes;
    f->n_files = n;
    f->folder = true;
}

/* ------------------------------------------------------------------ a Hugging Face repository */

/* The commit in a file of refs, or "". */
static const char *commit_of(struct ul_walk *w, const char *path)
{
    size_t n;
    ullage_error ignored = {0};
    char *text = ul_source_text(NULL, path, 4096, &n, w->arena, &ignored);
    if (!text)
        return "";
    text[strcspn(text, " \t\r\n")] = '\0';
    return strchr(text, '/') ? "" : text;
}

/* refs/main's commit, else that of any ref. */
static const char *main_commit(struct ul_walk *w, const char *repo)
{
    char *refs = join(w, repo, "refs");
    size_t n;
    const char *commit = commit_of(w, join(w, refs, "main"));
    struct ul_entry *list = *commit ? NULL : ul_walk_list(w, refs, &n);
    for (size_t i = 0; list && !*commit && i < n; i++)
        commit = commit_of(w, join(w, refs, list[i].name));
    return commit;
}

/* "models--owner--name" as owner/name. */
static char *repo_name(struct ul_walk *w, const char *folder)
{
    char *name = ul_arena_copy(w->arena, folder + sizeof REPO_MARK - 1,
                               strlen(folder) - (sizeof REPO_MARK - 1));
    char *to = name;
    for (const char *p = name; *p; p++) {
        bool dashes = p[0] == '-' && p[1] == '-';
        *to++ = dashes ? '/' : *p;
        p += dashes;
    }
    *to = '\0';
    return name;
}

static void walk_folder(struct ul_walk *w, struct folder *above, const char *path, int depth);

static void walk_snapshot(struct ul_walk *w, const char *snapshots, const char *commit,
                          const char *prefix, int depth)
{
    struct folder none = {0};
    char *path = join(w, snapshots, commit);
    w->prefix = prefix;
    w->base = strlen(path);
    size_t first = w->out->n;
    walk_folder(w, &none, path, depth + 1);
    /* The same blob in an older revision is no second model. */
    size_t kept = first;
    for (size_t i = first; i < w->out->n; i++)
        if (!w->out->found[i].duplicate)
            w->out->found[kept++] = w->out->found[i];
    w->out->n = kept;
}

static void walk_unfinished_blobs(struct ul_walk *w, const char *repo, const char *name)
{
    char *blobs = join(w, repo, "blobs");
    size_t n;
    struct ul_entry *list = ul_walk_list(w, blobs, &n);
    w->prefix = name;
    w->base = strlen(blobs);
    for (size_t i = 0; list && i < n; i++)
        if (ends_in(list[i].name, ".incomplete") || ends_in(list[i].name, ".downloadInProgress"))
            add_unfinished(w, join(w, blobs, list[i].name));
}

/* The main revision under the repository's name, others with their commit's beginning. */
static void walk_repo(struct ul_walk *w, const char *repo, const char *folder, int depth)
{
    const char *prefix = w->prefix, *name = repo_name(w, folder);
    size_t base = w->base, n;
    char *snapshots = join(w, repo, "snapshots");
    struct ul_entry *list = ul_walk_list(w, snapshots, &n);
    const char *first = list ? main_commit(w, repo) : "";
    if (*first && has(list, n, first))
        walk_snapshot(w, snapshots, first, name, depth);
    for (size_t i = 0; list && i < n; i++)
        if (strcmp(list[i].name, first) != 0)
            walk_snapshot(w, snapshots, list[i].name,
                          ul_format(w->arena, "%s@%.7s", name, list[i].name), depth);
    walk_unfinished_blobs(w, repo, name);
    w->prefix = prefix;
    w->base = base;
}

/* ------------------------------------------------------------------ the walk */

static void walk_below(struct ul_walk *w, struct folder *d, int depth)
{
    for (size_t i = 0; i < d->n; i++) {
        const char *name = d->list[i].name;
        if (!ul_walk_is_folder(w, d->path, &d->list[i]))
            continue;
        char *path = join(w, d->path, name);
        struct stat st;
        if (strncmp(name, REPO_MARK, sizeof REPO_MARK - 1) == 0
            && stat(join(w, path, "snapshots"), &st) == 0)
            walk_repo(w, path, name, depth);
        else
            walk_folder(w, d, path, depth + 1);
    }
}

static void walk_folder(struct ul_walk *w, struct folder *above, const char *path, int depth)
{
    struct folder d = {.path = path, .mmproj = above->mmproj, .n_mmproj = above->n_mmproj};
    struct stat st;
    if (depth > MOST_DEPTH || stat(path, &st) != 0 || !S_ISDIR(st.st_mode)
        || !see(&w->folders, &st, w->arena))
        return;
    d.list = ul_walk_list(w, path, &d.n);
    if (!d.list)
        return;
    if (has(d.list, d.n, "blobs") && has(d.list, d.n, "manifests")) {
        ul_walk_ollama(w, path);
        return;
    }
    add_files(w, &d);
    add_checkpoint(w, &d);
    walk_below(w, &d, depth);
}

void ul_walk(struct ul_walk *w, const char *path)
{
    struct folder none = {0};
    walk_folder(w, &none, path, 0);
}
