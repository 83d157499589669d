/* Reads graphs that the engine's allocator was given, recorded one line a tensor. Several recordings
 * follow one another in a file, each with a line about itself:
 *   file cc=.. op_offload=.. pin_always=.. exact_down=.. split=.. TITLE
 *   graph N nodes=.. leafs=..
 *   buffer B NAME align=.. max=..
 *   leaf|node ID OP TYPE [ne] name b=B bytes=ALLOC nb=[..] src=ID,ID view=ID+OFFSET input output placed is=ID
 *   size B BYTES
 * ID is a position in its list, with an L for leafs. `bytes` is what the buffer's back-end asks for the tensor. */
#ifndef UL_TESTS_GRAPH_TEXT_H
#define UL_TESTS_GRAPH_TEXT_H

#include "graph/alloc.h"
#include "graph/ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recorded {
    struct ul_arena *arena;
    struct ul_tensor **nodes, **leafs;
    int8_t *node_buffer, *leaf_buffer;
    uint64_t *bytes;              /* by index */
    int n_nodes, n_leafs, n_index;
    struct ul_alloc_buffer buffer[UL_MAX_BUFFERS];
    char buffer_name[UL_MAX_BUFFERS][32];
    int n_buffers;
    uint64_t size[UL_MAX_BUFFERS];
    int n_sizes;
    char title[256];              /* the "file" line */
    int n_files;
};

static inline struct ul_tensor *recorded_tensor(struct recorded *r, const char *id)
{
    if (*id == '(') { /* a weight or cache that is in no list */
        struct ul_tensor *t = UL_NEW(r->arena, struct ul_tensor);
        t->flags = UL_TENSOR_PLACED;
        t->index = r->n_index++;
        return t;
    }
    return *id == 'L' ? r->leafs[atoi(id + 1)] : r->nodes[atoi(id)];
}

static inline void recorded_op(struct ul_tensor *t, const char *name)
{
    for (int op = 0; op < UL_OP_COUNT; op++) {
        t->op = (uint8_t)op;
        int subs = op == UL_OP_UNARY ? UL_UNARY_COUNT : op == UL_OP_GLU ? UL_GLU_COUNT : 1;
        for (int sub = 0; sub < subs; sub++) {
            t->sub = (uint8_t)sub;
            if (!strcmp(ul_op_name(t), name))
                return;
        }
    }
    fprintf(stderr, "unknown operation %s\n", name);
    abort();
}

static inline void recorded_sources(struct recorded *r, struct ul_tensor *t, char *list)
{
    int n = 0;
    while (*list && *list != ' ') {
        t->src[n++] = recorded_tensor(r, list);
        if (*list == '(') /* names may hold anything: up to the closing parenthesis before , or blank */
            while (*list && !(list[0] == ')' && (list[1] == ',' || list[1] == ' ' || list[1] == '\n')))
                list++;
        while (*list && *list != ',' && *list != ' ' && *list != '\n')
            list++;
        if (*list != ',')
            break;
        list++;
    }
}

static inline void recorded_tail(struct recorded *r, struct ul_tensor *t, char *s)
{
    char *p;
    uint64_t next = t->nb[0];
    const struct ul_type_info *info = ul_type_info(t->type);
    next *= (uint64_t)(t->ne[0] / info->block);
    for (int i = 1; i < 4; i++) {
        t->nb[i] = next;
        next *= (uint64_t)t->ne[i];
    }
    if ((p = strstr(s, " nb=[")))
        sscanf(p, " nb=[%lu,%lu,%lu,%lu]", &t->nb[0], &t->nb[1], &t->nb[2], &t->nb[3]);
    if ((p = strstr(s, " src=")))
        recorded_sources(r, t, p + 5);
    if ((p = strstr(s, " view="))) {
        t->view_src = recorded_tensor(r, p + 6);
        t->view_offs = strtoull(strchr(p, '+') + 1, NULL, 10);
    }
    ul_tensor_count_src(t);
    if (strstr(s, " input"))
        t->flags |= UL_TENSOR_INPUT;
    if (strstr(s, " output"))
        t->flags |= UL_TENSOR_OUTPUT;
    if (strstr(s, " placed"))
        t->flags |= UL_TENSOR_PLACED;
}

/* One leaf or node; the tail begins at " b=", for names may hold blanks. */
static inline void recorded_line(struct recorded *r, char *line)
{
    bool leaf = line[0] == 'l';
    int id, b;
    char op[64], type[32];
    long ne[4];
    unsigned long bytes;
    char *tail = strstr(line, " b=");
    for (char *p = tail; p && (p = strstr(p + 1, " b=")) != NULL;)
        tail = strncmp(p + 4, " bytes=", 7) == 0 || strncmp(p + 5, " bytes=", 7) == 0 ? p : tail;
    if (sscanf(line, "%*s %d %63s %31s [%ld,%ld,%ld,%ld]", &id, op, type, &ne[0], &ne[1], &ne[2], &ne[3]) != 7 ||
        sscanf(tail, " b=%d bytes=%lu", &b, &bytes) != 2) {
        fprintf(stderr, "cannot read: %s\n", line);
        abort();
    }
    char *same = leaf ? strstr(tail, " is=") : NULL;
    if (same) {
        r->leafs[id] = recorded_tensor(r, same + 4);
        r->leaf_buffer[id] = (int8_t)b;
        return;
    }
    struct ul_tensor *t = leaf ? r->leafs[id] : r->nodes[id];
    recorded_op(t, op);
    t->type = (uint8_t)ul_type_by_name(ul_cstr(type));
    for (int i = 0; i < 4; i++)
        t->ne[i] = ne[i];
    t->nb[0] = ul_type_info(t->type)->bytes;
    r->bytes[t->index] = bytes;
    char *name = strchr(line, ']') + 2;
    t->name = ul_arena_copy(r->arena, name, name < tail ? (size_t)(tail - name) : 0);
    (leaf ? r->leaf_buffer : r->node_buffer)[id] = (int8_t)b;
    recorded_tail(r, t, tail);
}

static inline void recorded_head(struct recorded *r, const char *line)
{
    if (sscanf(line, "graph %*d nodes=%d leafs=%d", &r->n_nodes, &r->n_leafs) != 2)
        abort();
    r->n_index = r->n_nodes + r->n_leafs;
    r->n_buffers = r->n_sizes = 0;
    size_t n = (size_t)r->n_index + 4096; /* room for weights in no list */
    r->nodes = UL_NEWS(r->arena, struct ul_tensor *, (size_t)r->n_nodes + 1);
    r->leafs = UL_NEWS(r->arena, struct ul_tensor *, (size_t)r->n_leafs + 1);
    r->node_buffer = UL_NEWS(r->arena, int8_t, (size_t)r->n_nodes + 1);
    r->leaf_buffer = UL_NEWS(r->arena, int8_t, (size_t)r->n_leafs + 1);
    r->bytes = UL_NEWS(r->arena, uint64_t, n);
    struct ul_tensor *t = UL_NEWS(r->arena, struct ul_tensor, (size_t)r->n_index + 1);
    for (int i = 0; i < r->n_index; i++) {
        t[i].index = i;
        t[i].place = t[i].backend = -1;
        t[i].layer = t[i].id = -1;
        if (i < r->n_nodes)
            r->nodes[i] = &t[i];
        else
            r->leafs[i - r->n_nodes] = &t[i];
    }
}

/* Reads the next graph; false at the end. n_files tells when another recording has begun. */
static inline bool recorded_next(struct recorded *r, FILE *f)
{
    static char line[8192];
    bool any = false;
    while (fgets(line, sizeof line, f)) {
        int b;
        unsigned long align, max, size;
        char name[32];
        if (!strncmp(line, "file ", 5)) {
            snprintf(r->title, sizeof r->title, "%.*s", (int)strcspn(line, "\n"), line);
            r->n_files++;
        } else if (!strncmp(line, "graph ", 6)) {
            recorded_head(r, line);
            any = true;
        } else if (sscanf(line, "buffer %d %31s align=%lu max=%lu", &b, name, &align, &max) == 4) {
            /* pinned Vulkan memory is made 32 bytes larger than asked for */
            r->buffer[b] = (struct ul_alloc_buffer){align, max, strcmp(name, "Vulkan_Host") ? 0 : 32, b};
            strcpy(r->buffer_name[b], name);
            for (int i = b - 1; i >= 0; i--)
                if (!strcmp(r->buffer_name[i], name))
                    r->buffer[b].same = i;
            r->n_buffers = b + 1;
        } else if (sscanf(line, "size %d %lu", &b, &size) == 2) {
            r->size[b] = size;
            if (++r->n_sizes == r->n_buffers)
                return true;
        } else if (any) {
            recorded_line(r, line);
        }
    }
    return false;
}

static inline FILE *recorded_open(void)
{
    FILE *f = popen("xz -dc '" TEST_DATA "/graphs/recorded.txt.xz'", "r");
    if (!f)
        abort();
    return f;
}

static inline uint64_t recorded_size(const void *context, int buffer, const struct ul_tensor *t)
{
    (void)buffer;
    return ((const struct recorded *)context)->bytes[t->index];
}

#endif
