/* Ollama's store: a manifest for each model, MODELS/manifests/HOST/NAMESPACE/MODEL/TAG, which names
 * its layers by their hashes, and MODELS/blobs/sha256-HASH with their bytes (with a colon instead
 * of the dash in old stores). A blob that is being fetched has "-partial" behind its name.
 *
 * Sources: ollama/ollama, server/modelpath.go and types/model/name.go (names, their defaults),
 * server/internal/manifest/manifest.go and server/images.go (layers' media types),
 * server/download.go (partial blobs). */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "source/stores_walk.h"

#include "source/jsonread.h"
#include "source/source.h"

#include <inttypes.h>
#include <strings.h>

#define MANIFEST_BYTES ((size_t)1 << 20)
#define MANIFEST_DEPTH 4 /* host, namespace, model, tag */
#define DEFAULT_HOST "registry.ollama.ai"
#define DEFAULT_SPACE "library"
#define DEFAULT_TAG "latest"
#define LAYER "application/vnd.ollama.image."

/* ------------------------------------------------------------------ names */

struct parts {
    struct ul_str host, space, model, tag;
};

static struct ul_str or_else(struct ul_str s, const char *otherwise)
{
    return s.n ? s : ul_cstr(otherwise);
}

/* [HOST/][NAMESPACE/]MODEL[:TAG]. A colon before the last slash is a port's. */
static struct parts parts_of(const char *name)
{
    struct parts p = {{0}, {0}, {0}, {0}};
    const char *slash = strrchr(name, '/'), *model = slash ? slash + 1 : name;
    const char *colon = strchr(model, ':');
    p.model = (struct ul_str){model, colon ? (size_t)(colon - model) : strlen(model)};
    if (colon)
        p.tag = ul_cstr(colon + 1);
    const char *space = slash;
    while (space && space > name && space[-1] != '/')
        space--;
    if (slash)
        p.space = (struct ul_str){space, (size_t)(slash - space)};
    if (slash && space > name)
        p.host = (struct ul_str){name, (size_t)(space - 1 - name)};
    p.host = or_else(p.host, DEFAULT_HOST);
    p.space = or_else(p.space, DEFAULT_SPACE);
    p.tag = or_else(p.tag, DEFAULT_TAG);
    return p;
}

static bool same(struct ul_str a, struct ul_str b)
{
    return a.n == b.n && strncasecmp(a.p, b.p, a.n) == 0;
}

bool ul_ollama_same(const char *name, const char *typed)
{
    struct parts a = parts_of(name), b = parts_of(typed);
    return same(a.host, b.host) && same(a.space, b.space) && same(a.model, b.model)
           && same(a.tag, b.tag);
}

/* As `ollama list` shows it: what is the default is left out, but for the tag. */
static char *shown(struct ul_arena *a, const char *const part[MANIFEST_DEPTH])
{
    bool own = strcmp(part[0], DEFAULT_HOST) == 0;
    if (own && strcmp(part[1], DEFAULT_SPACE) == 0)
        return ul_format(a, "%s:%s", part[2], part[3]);
    if (own)
        return ul_format(a, "%s/%s:%s", part[1], part[2], part[3]);
    return ul_format(a, "%s/%s/%s:%s", part[0], part[1], part[2], part[3]);
}

/* ------------------------------------------------------------------ layers */

/* A hash goes into a path, so it must be one: 64 digits behind the name of the function. */
static bool is_digest(struct ul_str s)
{
    if (s.n != 71 || !ul_str_starts(s, "sha256:"))
        return false;
    for (size_t i = 7; i < s.n; i++)
        if (!strchr("0123456789abcdefABCDEF", s.p[i]) || s.p[i] == '\0')
            return false;
    return true;
}

/* The layer's blob, and its size here; *there is false when it has not come, or not all of it. */
static char *blob_of(struct ul_walk *w, const char *models, struct ul_str digest, struct stat *st,
                     bool *there)
{
    for (int form = 0; form < 3; form++) {
        char *path = ul_format(w->arena, "%s/blobs/sha256%c%.64s%s", models, form == 1 ? ':' : '-',
                               digest.p + 7, form == 2 ? "-partial" : "");
        *there = form < 2;
        if (stat(path, st) == 0 && S_ISREG(st->st_mode))
            return path;
    }
    *there = false;
    return ul_format(w->arena, "%s/blobs/sha256-%.64s", models, digest.p + 7);
}

/* The i-th layer of a kind, or NULL. */
static const struct ul_jvalue *layer(const struct ul_jvalue *manifest, const char *kind)
{
    const struct ul_jvalue *layers = ul_jget(manifest, "layers");
    for (const struct ul_jvalue *l = layers ? layers->first : NULL; l; l = l->next) {
        struct ul_str type = ul_jstr(l, "mediaType", "");
        size_t n = sizeof LAYER - 1, k = strlen(kind);
        if (ul_str_starts(type, LAYER) && type.n >= n + k && memcmp(type.p + n, kind, k) == 0
            && (type.n == n + k || type.p[n + k] == ';'))
            return l;
    }
    return NULL;
}

/* A companion's path, when its blob is here. */
static const char *companion(struct ul_walk *w, const char *models,
                             const struct ul_jvalue *manifest, const char *kind)
{
    const struct ul_jvalue *l = layer(manifest, kind);
    struct ul_str digest = ul_jstr(l, "digest", "");
    struct stat st;
    bool there;
    if (!l || !is_digest(digest))
        return NULL;
    const char *path = blob_of(w, models, digest, &st, &there);
    return there ? path : NULL;
}

static struct ul_found *named(struct ul_walk *w, const char *name, const char *path,
                              const struct stat *st)
{
    struct ul_found *f = ul_walk_add(w, path, st);
    f->name = name;
    return f;
}

static void add_model(struct ul_walk *w, const char *models, const char *name,
                      const struct ul_jvalue *manifest)
{
    const struct ul_jvalue *l = layer(manifest, "model");
    struct ul_str digest = ul_jstr(l, "digest", "");
    struct stat st;
    bool there;
    if (!is_digest(digest)) {
        named(w, name, models, NULL)->problem =
            l ? "its manifest names no SHA-256 of the weights"
            : layer(manifest, "tensor")
                ? "its weights are in a layer for each tensor, not in a GGUF file"
                : "no weights here: a model that runs on Ollama's servers";
        return;
    }
    char *path = blob_of(w, models, digest, &st, &there);
    bool any = there || stat(path, &st) == 0;
    struct ul_found *f = named(w, name, path, any ? &st : NULL);
    int64_t size = ul_jint(l, "size", -1);
    f->mmproj = companion(w, models, manifest, "projector");
    f->adapter = companion(w, models, manifest, "adapter");
    if (!any)
        f->problem = "the blob with its weights is not there";
    else if (!there)
        f->problem = "half a download";
    else if (size >= 0 && (uint64_t)size != f->bytes)
        f->problem = ul_format(
            w->arena, "its manifest says %" PRId64 " bytes, the blob has %" PRIu64, size, f->bytes);
    f->unfinished = any && !there;
}

/* ------------------------------------------------------------------ manifests */

static void add_manifest(struct ul_walk *w, const char *models, const char *path, const char *name)
{
    size_t n;
    ullage_error err = {0};
    char *text = ul_source_text(NULL, path, MANIFEST_BYTES, &n, w->arena, &err);
    const struct ul_jvalue *v =
        text ? ul_json_parse(ul_path_tail(path), text, n, w->arena, &err) : NULL;
    if (v)
        add_model(w, models, name, v);
    else
        named(w, name, path, NULL)->problem =
            ul_format(w->arena, "its manifest cannot be read: %s", err.message);
}

static void walk_manifests(struct ul_walk *w, const char *models, const char *path,
                           const char *part[MANIFEST_DEPTH], int depth)
{
    size_t n;
    struct ul_entry *list = ul_walk_list(w, path, &n);
    for (size_t i = 0; list && i < n; i++) {
        char *below = ul_format(w->arena, "%s/%s", path, list[i].name);
        bool folder = ul_walk_is_folder(w, path, &list[i]);
        part[depth] = list[i].name;
        if (folder && depth + 1 < MANIFEST_DEPTH)
            walk_manifests(w, models, below, part, depth + 1);
        else if (!folder && depth + 1 == MANIFEST_DEPTH)
            add_manifest(w, models, below, shown(w->arena, part));
    }
}

/* The names are Ollama's wherever the store is, so that ollama:NAME finds what a folder's walk
 * met. */
void ul_walk_ollama(struct ul_walk *w, const char *path)
{
    const char *part[MANIFEST_DEPTH], *store = w->store;
    w->store = UL_STORE_OLLAMA;
    walk_manifests(w, path, ul_format(w->arena, "%s/manifests", path), part, 0);
    w->store = store;
}
