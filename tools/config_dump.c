/* What a model's file holds, or would hold: reads lines "MODEL" or "MODEL TAB QUANT" and prints for
 * each its keys (K key value), its tensors (T name type shape), and "= bytes", or "! error". For the
 * scripts that compare conversions and quantisations. With --hash: one number instead, the same
 * for the same description and for the same plans of vLLM servers. */
#include "report/handles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool hash_only;
static uint64_t hash;

static void out(const char *p)
{
    if (!hash_only)
        fputs(p, stdout);
    for (; *p != '\0'; p++)
        hash = (hash ^ (unsigned char)*p) * 1099511628211u; /* FNV-1a */
}

static void number(const struct ul_gguf_kv *kv, uint64_t i, char *text, size_t n)
{
    uint32_t type = kv->type == UL_GGUF_ARRAY ? kv->item : kv->type;
    const bool list = kv->type == UL_GGUF_ARRAY;
    if (type == UL_GGUF_F32 || type == UL_GGUF_F64)
        snprintf(text, n, " %.9g", list ? kv->v.fs[i] : kv->v.f);
    else if (type == UL_GGUF_I32 || type == UL_GGUF_I64)
        snprintf(text, n, " %" PRId64, list ? kv->v.is[i] : kv->v.i);
    else
        snprintf(text, n, " %" PRIu64, list ? kv->v.us[i] : kv->v.u);
}

static void key(const struct ul_gguf_kv *kv)
{
    char text[512];
    snprintf(text, sizeof text, "K %.*s", (int)kv->key.n, kv->key.p);
    out(text);
    if (kv->type == UL_GGUF_STRING) {
        snprintf(text, sizeof text, " %.*s", (int)kv->v.s.n, kv->v.s.p ? kv->v.s.p : "");
        out(text);
    } else if (kv->type != UL_GGUF_ARRAY || kv->v.us != NULL) {
        for (uint64_t i = 0; i < kv->count; i++) {
            number(kv, i, text, sizeof text);
            out(text);
        }
    }
    out("\n");
}

static void tensor(const struct ul_gguf_tensor *t)
{
    char text[512];
    snprintf(text, sizeof text, "T %.*s %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", (int)t->name.n,
             t->name.p, ul_type_info(t->type)->name, t->ne[0], t->ne[1], t->ne[2]);
    out(text);
}

/* A server on one card, and one on eight: what either says goes into the hash. */
static void vllm(const char *path)
{
    static const char *const flags[][3] = {{"-tp", "1"}, {"-tp", "8"}};
    ullage_machine *machine = ullage_machine_new();
    ullage_error err = {0};
    if (machine == NULL || ullage_machine_add_gpu(machine, "8x H100 80GB", &err))
        return;
    for (int i = 0; i < 2; i++) {
        const char *const words[] = {path, flags[i][0], flags[i][1]};
        ullage_vllm *plan = NULL;
        char *text = NULL;
        if (!ullage_vllm_make(&plan, 3, words, machine, NULL, &err))
            text = ullage_vllm_render(plan, ULLAGE_JSON, 0);
        out(text != NULL ? text : "none");
        ullage_text_free(text);
        ullage_vllm_free(plan);
    }
    ullage_machine_free(machine);
}

static void dump(const char *path, const char *quant)
{
    ullage_error err = {0};
    ullage_model *h;
    if (ullage_open_as(&h, path, quant, &err)) {
        printf("! %s\n", err.message);
        return;
    }
    hash = 14695981039346656037u;
    for (size_t i = 0; i < h->file.n_kv; i++)
        key(&h->file.kv[i]);
    for (size_t i = 0; i < h->file.n_tensors; i++)
        tensor(&h->file.tensors[i]);
    if (hash_only)
        vllm(path);
    printf("= %" PRIu64, ullage_describe(h)->weight_bytes);
    printf(hash_only ? " %016" PRIx64 "\n" : "\n", hash);
    ullage_close(h);
}

int main(int argc, char **argv)
{
    static char line[8192];
    hash_only = argc > 1 && strcmp(argv[1], "--hash") == 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *quant = strchr(line, '\t');
        if (quant != NULL)
            *quant++ = '\0';
        dump(line, quant);
        fflush(stdout);
    }
    return 0;
}
