/* Choosing among the files of a repository. See remote.h.
 *
 * Rules: llama.cpp, common/hf-cache.cpp: get_repo_commit, get_repo_files (what an answer holds) and
 * common/download.cpp: find_best_model, find_best_sibling (the choice). ModelScope's answers: its
 * own client, modelscope/hub/api.py: get_model_files. Manifests: Ollama, types/model and
 * server/internal/manifest. */
#include "source/remote.h"

#include "source/jsonread.h"

#include <stdlib.h>

#define MOST_FILES ((size_t)1 << 16)

/* ------------------------------------------------------------------ what may come out */

static bool is_hex(struct ul_str s, size_t n)
{
    bool ok = s.n == n;
    for (size_t i = 0; ok && i < n; i++)
        ok = strchr("0123456789abcdefABCDEF", s.p[i]) != NULL && s.p[i] != '\0';
    return ok;
}

/* Upstream: common/hf-cache.cpp: is_valid_subpath. No empty part, no "..", nothing unprintable. */
static bool is_path(struct ul_str s)
{
    size_t part = 0;
    bool ok = s.n > 0 && s.n < 1024;
    for (size_t i = 0; ok && i <= s.n; i++) {
        if (i < s.n && s.p[i] != '/') {
            ok = (unsigned char)s.p[i] >= 0x20 && s.p[i] != 0x7f && s.p[i] != '\\';
            continue;
        }
        bool up = i - part == 2 && s.p[part + 1] == '.';
        ok = i > part && !(s.p[part] == '.' && (i - part == 1 || up));
        part = i + 1;
    }
    return ok;
}

static bool is_digest(struct ul_str s)
{
    static const char algorithm[] = "sha256:";
    size_t n = sizeof algorithm - 1;
    return ul_str_starts(s, algorithm) && is_hex((struct ul_str){s.p + n, s.n - n}, 64);
}

/* ------------------------------------------------------------------ answers */

static int not_one(ullage_error *err, const char *what)
{
    return ul_fail(err, ULLAGE_ERROR_INPUT, ULLAGE_NO_POSITION, "the server's answer is no %s",
                   what);
}

/* The document, when it is of that kind; else NULL with the error set. */
static const struct ul_jvalue *parse(const char *what, enum ul_jkind kind, const char *text,
                                     size_t n, struct ul_arena *a, ullage_error *err)
{
    const struct ul_jvalue *v = ul_json_parse("the server's answer", text, n, a, err);
    if (v != NULL && v->kind != kind) {
        not_one(err, what);
        return NULL;
    }
    return v;
}

static void start(struct ul_remote *r, const struct ul_jvalue *list, struct ul_arena *a)
{
    size_t n = list != NULL && list->n < MOST_FILES ? list->n : MOST_FILES;
    *r = (struct ul_remote){.files = UL_NEWS(a, struct ul_remote_file, list != NULL ? n + 1 : 1)};
}

static void add(struct ul_remote *r, struct ul_str path, int64_t bytes, struct ul_arena *a)
{
    if (r->n == MOST_FILES)
        return;
    r->files[r->n++] = (struct ul_remote_file){.path = ul_arena_copy(a, path.p, path.n),
                                               .bytes = bytes < 0 ? UINT64_MAX : (uint64_t)bytes};
}

/* The branch "main", else the first one. */
int ul_remote_refs(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                   ullage_error *err)
{
    const struct ul_jvalue *root = parse("list of branches", UL_J_OBJECT, text, n, a, err);
    const struct ul_jvalue *list = ul_jget(root, "branches");
    if (root == NULL)
        return ULLAGE_ERROR_INPUT;
    start(r, NULL, a);
    for (const struct ul_jvalue *v = list != NULL ? list->first : NULL; v != NULL; v = v->next) {
        struct ul_str name = ul_jstr(v, "name", ""), commit = ul_jstr(v, "targetCommit", "");
        bool main = ul_str_is(name, "main");
        if (is_path(name) && is_hex(commit, 40) && (main || r->commit == NULL))
            r->commit = ul_arena_copy(a, commit.p, commit.n);
        if (main && r->commit != NULL)
            break;
    }
    return r->commit != NULL ? ULLAGE_OK : not_one(err, "list of branches");
}

int ul_remote_tree(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                   ullage_error *err)
{
    const struct ul_jvalue *root = parse("list of files", UL_J_ARRAY, text, n, a, err);
    if (root == NULL)
        return ULLAGE_ERROR_INPUT;
    start(r, root, a);
    for (const struct ul_jvalue *v = root->first; v != NULL; v = v->next) {
        struct ul_str path = ul_jstr(v, "path", "");
        if (ul_str_is(ul_jstr(v, "type", ""), "file") && is_path(path))
            add(r, path, ul_jint(v, "size", -1), a);
    }
    return ULLAGE_OK;
}

/* Each file names the commit that wrote it; the newest of these has all of them. */
int ul_remote_modelscope(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                         ullage_error *err)
{
    const struct ul_jvalue *root = parse("list of files", UL_J_OBJECT, text, n, a, err);
    const struct ul_jvalue *list = ul_jget(ul_jget(root, "Data"), "Files");
    int64_t newest = -1;
    if (root == NULL)
        return ULLAGE_ERROR_INPUT;
    if (list == NULL || list->kind != UL_J_ARRAY)
        return not_one(err, "list of files");
    start(r, list, a);
    for (const struct ul_jvalue *v = list->first; v != NULL; v = v->next) {
        struct ul_str path = ul_jstr(v, "Path", ""), revision = ul_jstr(v, "Revision", "");
        int64_t date = ul_jint(v, "CommittedDate", -1);
        if (ul_str_is(ul_jstr(v, "Type", ""), "tree") || !is_path(path))
            continue;
        add(r, path, ul_jint(v, "Size", -1), a);
        if (is_hex(revision, 40) && date > newest) {
            newest = date;
            r->commit = ul_arena_copy(a, revision.p, revision.n);
        }
    }
    return ULLAGE_OK;
}

int ul_remote_manifest(struct ul_remote *r, const char *text, size_t n, struct ul_arena *a,
                       ullage_error *err)
{
    const struct ul_jvalue *root = parse("manifest", UL_J_OBJECT, text, n, a, err);
    const struct ul_jvalue *list = ul_jget(root, "layers");
    if (root == NULL)
        return ULLAGE_ERROR_INPUT;
    if (list == NULL || list->kind != UL_J_ARRAY)
        return not_one(err, "manifest");
    start(r, list, a);
    for (const struct ul_jvalue *v = list->first; v != NULL; v = v->next) {
        struct ul_str digest = ul_jstr(v, "digest", ""), media = ul_jstr(v, "mediaType", "");
        if (!is_digest(digest) || r->n == MOST_FILES)
            continue;
        add(r, digest, ul_jint(v, "size", -1), a);
        r->files[r->n - 1].media = ul_arena_copy(a, media.p, media.n);
    }
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ names */

/* Letters of any case count alike; the locale has no say. */
static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool starts(const char *text, const char *head)
{
    for (; *head != '\0'; text++, head++)
        if (upper(*text) != upper(*head))
            return false;
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool is_gguf(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && strcmp(path + n - 5, ".gguf") == 0;
}

/* "NAME-00002-of-00003.gguf": 2, and where NAME ends; 1 for a file that is no shard.
 * Upstream: common/download.cpp: get_gguf_split_info. */
static int shard(const char *path, size_t *end)
{
    size_t n = strlen(path) - 5;
    const char *p = path + n;
    *end = n;
    if (n < 16 || p[-15] != '-' || !starts(p - 9, "-of-") || strspn(p - 14, "0123456789") != 5 ||
        strspn(p - 5, "0123456789") != 5)
        return 1;
    *end = n - 15;
    return atoi(p - 5) > 1 ? atoi(p - 14) : 1;
}

/* The first number of what stands behind the name's last dash or dot: Q4_0 is 4, F16 is 16; 0
 * without one. Upstream: common/download.cpp: extract_quant_bits. */
static int bits_of(const char *path)
{
    size_t end, at;
    shard(path, &end);
    for (at = end; at > 0 && path[at - 1] != '-' && path[at - 1] != '.'; at--)
        if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", upper(path[at - 1])) == NULL)
            return 0;
    if (at == 0)
        return 0;
    while (at < end && (path[at] < '0' || path[at] > '9'))
        at++;
    return at < end && end - at < 9 ? atoi(path + at) : 0;
}

/* Upstream: common/download.cpp: gguf_filename_is_model; a later shard is no choice, the first
 * brings it along. */
bool ul_remote_is_model(const char *path)
{
    static const char *const others[] = {"mmproj", "imatrix", "mtp-", "eagle3-", "dflash-",
                                         "dspark-"};
    size_t end;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(base_name(path), others[i]) != NULL)
            return false;
    return is_gguf(path) && shard(path, &end) == 1;
}

/* ------------------------------------------------------------------ the choice */

/* The tag anywhere in the path, with a dot or a dash behind it. */
static bool has_tag(const char *path, const char *tag)
{
    size_t n = strlen(tag);
    for (; *path != '\0'; path++)
        if (starts(path, tag) && (path[n] == '.' || path[n] == '-'))
            return true;
    return false;
}

static const struct ul_remote_file *of_media(const struct ul_remote *r, const char *media)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->files[i].media != NULL && strcmp(r->files[i].media, media) == 0)
            return &r->files[i];
    return NULL;
}

const struct ul_remote_file *ul_remote_choose(const struct ul_remote *r, const char *tag)
{
    const char *const tags[] = {*tag != '\0' ? tag : "Q4_K_M", *tag != '\0' ? NULL : "Q8_0"};
    if (r->n > 0 && r->files[0].media != NULL)
        return of_media(r, "application/vnd.ollama.image.model");
    for (int t = 0; t < 2 && tags[t] != NULL; t++)
        for (size_t i = 0; i < r->n; i++)
            if (ul_remote_is_model(r->files[i].path) && has_tag(r->files[i].path, tags[t]))
                return &r->files[i];
    for (size_t i = 0; *tag == '\0' && i < r->n; i++)
        if (ul_remote_is_model(r->files[i].path))
            return &r->files[i];
    return NULL;
}

/* The folders above a file of this path, when those of the other begin with them: how many; else
 * -1. */
static int shared_folders(const char *sibling, const char *model)
{
    size_t n = (size_t)(base_name(sibling) - sibling);
    int count = 0;
    if (n > (size_t)(base_name(model) - model) || memcmp(sibling, model, n) != 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        count += sibling[i] == '/';
    return count;
}

static bool names_tag(const char *path, const char *tag, struct ul_arena *a)
{
    const char *word = ul_format(a, "-%s.", tag);
    for (; *tag != '\0' && *path != '\0'; path++)
        if (starts(path, word))
            return true;
    return false;
}

static int number_in(const char *tag)
{
    tag += strcspn(tag, "0123456789");
    return *tag != '\0' ? (int)strtol(tag, NULL, 10) : 0;
}

/* The deepest folder that the model is in too, then the tag itself, then the nearest number of
 * bits. Upstream: common/download.cpp: find_best_sibling. */
const struct ul_remote_file *ul_remote_beside(const struct ul_remote *r, const char *model,
                                              const char *what, const char *tag, struct ul_arena *a)
{
    const struct ul_remote_file *best = NULL;
    int depth = 0, away = 0;
    int bits = *tag != '\0' ? number_in(tag) : is_gguf(model) ? bits_of(model) : 0;
    bool exact = false;
    if (r->n > 0 && r->files[0].media != NULL)
        return strcmp(what, "mmproj") == 0 ? of_media(r, "application/vnd.ollama.image.projector")
                                           : NULL;
    for (size_t i = 0; i < r->n; i++) {
        const char *path = r->files[i].path;
        int d = shared_folders(path, model);
        if (!is_gguf(path) || strstr(path, what) == NULL || d < 0)
            continue;
        int off = abs(bits_of(path) - bits);
        bool same = names_tag(path, tag, a);
        if (best == NULL || d > depth || (d == depth && same && !exact)
            || (d == depth && same == exact && off < away)) {
            best = &r->files[i];
            depth = d;
            away = off;
            exact = same;
        }
    }
    return best;
}
