/* The allocator's plan, after ggml/src/ggml-alloc.c. Two parts: the free-block search within one
 * buffer's chunks (ggml_dyn_tallocr), and the walk over a graph that decides when a tensor comes
 * and goes (ggml_gallocr_alloc_graph_impl). ggml keeps its notes in a hash table by pointer; here
 * every tensor of a graph has an index, so the notes are an array. */
#include "graph/alloc.h"

#include "graph/ops.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FREE_BLOCKS 256
#define NO_STEP (-1)
#define ENDLESS ((uint64_t)INT64_MAX) /* SIZE_MAX/2: the last chunk takes whatever comes */

struct block {
    uint64_t offset, size;
};

struct chunk {
    uint64_t max_size;
    int n_free;
    struct block free[MAX_FREE_BLOCKS]; /* by address; the last one is the open end */
};

/* One buffer type's allocator. */
struct pool {
    uint64_t alignment, max_chunk;
    struct chunk *chunks[UL_MAX_CHUNKS]; /* kept over graphs; only the first n_chunks are in use */
    int n_chunks;
    int peak_step;
};

/* ggml's hash_node. */
struct note {
    int32_t children, views;
    int8_t buffer;
    int8_t chunk;
    bool allocated;
    uint64_t offset;
    uint64_t size; /* in `buffer`, with alignment */
};

struct ul_alloc_state {
    struct pool pool[UL_MAX_BUFFERS];
    struct note *notes;
    int cap_notes;
    int step;
    const char *failure;
};

/* --- free blocks ------------------------------------------------------------------------------ */

static void remove_block(struct chunk *c, int i)
{
    c->n_free--;
    memmove(&c->free[i], &c->free[i + 1], (size_t)(c->n_free - i) * sizeof c->free[0]);
}

static bool insert_block(struct chunk *c, uint64_t offset, uint64_t size)
{
    int i = 0;
    if (c->n_free == MAX_FREE_BLOCKS)
        return false;
    while (i < c->n_free && c->free[i].offset < offset)
        i++;
    memmove(&c->free[i + 1], &c->free[i], (size_t)(c->n_free - i) * sizeof c->free[0]);
    c->free[i] = (struct block){offset, size};
    c->n_free++;
    return true;
}

/* The closest fit among the blocks before each chunk's open end. Within a chunk the later of two
 * equal blocks wins, and a later chunk's wins over an earlier's however it fits, as in
 * ggml_dyn_tallocr_alloc. */
static bool find_inner(struct pool *p, uint64_t size, int *at_chunk, int *at_block)
{
    bool found = false;
    for (int c = 0; c < p->n_chunks; c++) {
        const struct chunk *k = p->chunks[c];
        uint64_t best = UINT64_MAX;
        for (int i = 0; i < k->n_free - 1; i++) {
            if (k->free[i].size >= size && k->free[i].size <= best) {
                best = k->free[i].size;
                *at_chunk = c;
                *at_block = i;
                found = true;
            }
        }
    }
    return found;
}

/* Else an open end: the one that wastes least of what its chunk has already grown to, or grows it
 * least. */
static bool find_end(struct pool *p, uint64_t size, int *at_chunk, int *at_block)
{
    bool found = false;
    int64_t best = INT64_MIN;
    for (int c = 0; c < p->n_chunks; c++) {
        const struct chunk *k = p->chunks[c];
        if (!k->n_free)
            continue;
        const struct block *end = &k->free[k->n_free - 1];
        int64_t over = (int64_t)(k->max_size - end->offset - size);
        bool better = (best < 0 && over > best) || (over >= 0 && over < best);
        if (end->size >= size && better) {
            best = over;
            *at_chunk = c;
            *at_block = k->n_free - 1;
            found = true;
        }
    }
    return found;
}

static bool new_chunk(struct pool *p, struct ul_arena *arena, uint64_t size, int *at_chunk,
                      int *at_block)
{
    if (p->n_chunks == UL_MAX_CHUNKS)
        return false;
    struct chunk **c = &p->chunks[p->n_chunks];
    if (!*c)
        *c = UL_NEW(arena, struct chunk);
    bool last = p->n_chunks == UL_MAX_CHUNKS - 1;
    (*c)->max_size = 0;
    (*c)->n_free = 1;
    (*c)->free[0] = (struct block){0, last ? ENDLESS : ul_max(size, p->max_chunk)};
    *at_chunk = p->n_chunks++;
    *at_block = 0;
    return true;
}

static bool take(struct ul_alloc *a, struct pool *p, struct note *n)
{
    int c = 0, i = 0;
    if (n->size > ENDLESS) {
        a->state->failure = "a tensor of the graph is larger than any memory";
        return false;
    }
    if (!find_inner(p, n->size, &c, &i) && !find_end(p, n->size, &c, &i) &&
        !new_chunk(p, a->arena, n->size, &c, &i)) {
        a->state->failure = "the graph needs more chunks than the allocator has";
        return false;
    }
    struct chunk *k = p->chunks[c];
    struct block *b = &k->free[i];
    n->chunk = (int8_t)c;
    n->offset = b->offset;
    b->offset += n->size;
    b->size -= n->size;
    if (!b->size)
        remove_block(k, i);
    if (n->offset + n->size > k->max_size) {
        k->max_size = n->offset + n->size;
        p->peak_step = a->state->step;
    }
    return true;
}

/* Returns memory: grows the neighbour before or after it, else becomes a block of its own. */
static void give_back(struct ul_alloc *a, struct pool *p, int at, uint64_t offset, uint64_t size)
{
    struct chunk *c = p->chunks[at];
    for (int i = 0; i < c->n_free; i++) {
        struct block *b = &c->free[i];
        if (b->offset + b->size == offset) {
            b->size += size;
            if (i + 1 < c->n_free && b->offset + b->size == b[1].offset) {
                b->size += b[1].size;
                remove_block(c, i + 1);
            }
            return;
        }
        if (offset + size == b->offset) {
            b->offset = offset;
            b->size += size;
            if (i > 0 && b[-1].offset + b[-1].size == offset) {
                b[-1].size += b->size;
                remove_block(c, i);
            }
            return;
        }
    }
    if (!insert_block(c, offset, size))
        a->state->failure = "the allocator runs out of free blocks";
}

/* --- the walk --------------------------------------------------------------------------------- */

static struct note *note_of(struct ul_alloc *a, const struct ul_tensor *t)
{
    return &a->state->notes[t->index];
}

static struct pool *pool_of(struct ul_alloc *a, int buffer)
{
    return &a->state->pool[a->buffers[buffer].same];
}

/* Memory of its own elsewhere: a weight, a cache, or a view of one. */
static bool external(const struct ul_tensor *t)
{
    return (t->flags & UL_TENSOR_PLACED) ||
           (t->view_src && (t->view_src->flags & UL_TENSOR_PLACED));
}

static uint64_t aligned(struct ul_alloc *a, int buffer, const struct ul_tensor *t)
{
    return ul_pad(a->size(a->context, buffer, t), pool_of(a, buffer)->alignment);
}

static bool same_layout(const struct ul_tensor *a, const struct ul_tensor *b)
{
    return a->type == b->type && !memcmp(a->ne, b->ne, sizeof a->ne) &&
           !memcmp(a->nb, b->nb, sizeof a->nb);
}

/* Whether the source's memory can become the node's: it is planned here, nobody else needs it, it
 * is no output of the graph. A view's memory is never taken: ggml_gallocr_is_own is false for
 * it. */
static bool reusable(struct ul_alloc *a, const struct ul_tensor *node,
                     const struct ul_tensor *source)
{
    const struct note *n = note_of(a, source);
    return n->allocated && !(source->flags & UL_TENSOR_OUTPUT) && n->children == 1 &&
           n->views == 0 && same_layout(node, source);
}

static void take_over(struct ul_alloc *a, struct note *n, const struct ul_tensor *node,
                      struct note *source)
{
    uint64_t size = aligned(a, source->buffer, node);
    n->buffer = source->buffer;
    n->chunk = source->chunk;
    n->offset = source->offset;
    n->size = size;
    source->allocated = false;
    if (source->size > size) /* ggml_gallocr_free_extra_space */
        give_back(a, pool_of(a, n->buffer), n->chunk, n->offset + size, source->size - size);
}

/* ggml_gallocr_allocate_node */
static void allocate(struct ul_alloc *a, const struct ul_tensor *t, int buffer)
{
    struct note *n = note_of(a, t);
    if (n->allocated || t->view_src || external(t))
        return;
    n->allocated = true;
    for (int i = 0; ul_op_inplace(t->op) && i < t->n_src; i++) {
        if (t->src[i] && reusable(a, t, t->src[i])) {
            take_over(a, n, t, note_of(a, t->src[i]));
            return;
        }
    }
    n->buffer = (int8_t)buffer;
    n->size = aligned(a, buffer, t);
    take(a, pool_of(a, buffer), n);
}

static void release(struct ul_alloc *a, const struct ul_tensor *t)
{
    struct note *n = note_of(a, t);
    if (t->flags & UL_TENSOR_OUTPUT)
        return;
    give_back(a, pool_of(a, n->buffer), n->chunk, n->offset, n->size);
    n->allocated = false;
}

/* A source has been used once more: it, or what it is a view of, may be done with. */
static void used(struct ul_alloc *a, const struct ul_tensor *t)
{
    struct note *n = note_of(a, t);
    if (--n->children || n->views || external(t))
        return;
    if (t->view_src) {
        struct note *base = note_of(a, t->view_src);
        if (--base->views == 0 && base->children == 0 && base->allocated)
            release(a, t->view_src);
    } else if (n->allocated) {
        release(a, t);
    }
}

/* Children and views are counted, and inputs allocated first so that nothing overwrites them. A
 * node without operation is the scheduler's way to keep a tensor alive: its view does not count. */
static void count(struct ul_alloc *a, const struct ul_alloc_graph *g)
{
    for (int i = 0; i < g->n_nodes; i++) {
        const struct ul_tensor *t = g->nodes[i];
        if (t->view_src && t->op != UL_OP_NONE && !external(t))
            note_of(a, t->view_src)->views++;
        if (t->flags & UL_TENSOR_INPUT)
            allocate(a, t, g->node_buffer[i]);
        for (int j = 0; j < t->n_src; j++) {
            if (!t->src[j])
                continue;
            note_of(a, t->src[j])->children++;
            if (t->src[j]->flags & UL_TENSOR_INPUT)
                allocate(a, t->src[j], g->node_buffer[i]);
        }
    }
}

static void step(struct ul_alloc *a, const struct ul_tensor *t, int buffer)
{
    for (int j = 0; j < t->n_src; j++)
        if (t->src[j])
            allocate(a, t->src[j], buffer);
    allocate(a, t, buffer);
}

static void reset(struct ul_alloc *a, const struct ul_alloc_graph *g)
{
    struct ul_alloc_state *s = a->state;
    if (s->cap_notes < g->n_index) {
        s->cap_notes = g->n_index + g->n_index / 4;
        s->notes = UL_NEWS(a->arena, struct note, (size_t)s->cap_notes);
    } else {
        memset(s->notes, 0, (size_t)g->n_index * sizeof *s->notes);
    }
    for (int b = 0; b < a->n_buffers; b++) {
        s->pool[b].n_chunks = 0;
        s->pool[b].peak_step = NO_STEP;
    }
    s->failure = NULL;
    s->step = NO_STEP;
}

/* ggml_gallocr_alloc_graph_impl, up to the moment when node `last` has its memory. */
static void walk(struct ul_alloc *a, const struct ul_alloc_graph *g, int last)
{
    reset(a, g);
    for (int i = 0; i < g->n_leafs; i++)
        allocate(a, g->leafs[i], g->leaf_buffer[i]);
    count(a, g);
    for (int i = 0; i < g->n_nodes && i <= last && !a->state->failure; i++) {
        const struct ul_tensor *t = g->nodes[i];
        a->state->step = i;
        step(a, t, g->node_buffer[i]);
        if (i == last)
            break;
        for (int j = 0; j < t->n_src; j++)
            if (t->src[j])
                used(a, t->src[j]);
    }
}

/* --- results ---------------------------------------------------------------------------------- */

void ul_alloc_init(struct ul_alloc *a, struct ul_arena *arena,
                   const struct ul_alloc_buffer *buffers, int n_buffers, ul_alloc_size_fn *size,
                   const void *context)
{
    *a = (struct ul_alloc){.arena = arena, .buffers = buffers, .n_buffers = n_buffers, .size = size,
                           .context = context, .state = UL_NEW(arena, struct ul_alloc_state)};
    for (int b = 0; b < n_buffers; b++) {
        a->state->pool[b].alignment = buffers[b].alignment;
        a->state->pool[b].max_chunk = ul_min(buffers[b].max_chunk, ENDLESS);
    }
}

/* A buffer is made anew, in the new graph's sizes, when any of its chunks is too small
 * (ggml_gallocr_reserve_n_impl); a smaller graph leaves it as it is. */
static void hold(struct ul_alloc_held *h, const struct pool *p, uint64_t extra)
{
    bool anew = !h->made;
    for (int c = 0; c < p->n_chunks; c++)
        anew |= p->chunks[c]->max_size > (c < h->n_chunks ? h->chunk[c] : 0);
    if (!anew)
        return;
    h->made = true;
    h->n_chunks = p->n_chunks;
    for (int c = 0; c < p->n_chunks; c++)
        h->chunk[c] = ul_add(p->chunks[c]->max_size, p->chunks[c]->max_size ? extra : 0);
}

int ul_alloc_reserve(struct ul_alloc *a, const struct ul_alloc_graph *g, ullage_error *err)
{
    walk(a, g, g->n_nodes);
    if (a->state->failure)
        return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION, "%s", a->state->failure);
    for (int b = 0; b < a->n_buffers; b++) {
        if (a->buffers[b].same == b)
            hold(&a->held[b], &a->state->pool[b], a->buffers[b].extra);
        a->peak_step[b] = a->state->pool[b].peak_step;
    }
    return ULLAGE_OK;
}

uint64_t ul_alloc_bytes(const struct ul_alloc *a, int buffer)
{
    const struct ul_alloc_held *h = &a->held[buffer];
    uint64_t n = 0;
    for (int c = 0; a->buffers[buffer].same == buffer && c < h->n_chunks; c++)
        n = ul_add(n, h->chunk[c]);
    return n;
}

static int by_address(const void *a, const void *b)
{
    const struct ul_alive *x = a, *y = b;
    if (x->chunk != y->chunk)
        return x->chunk - y->chunk;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void gather(struct ul_alloc *a, struct ul_tensor *const *list, int n, int buffer,
                   struct ul_alive *out, int *n_out)
{
    for (int i = 0; i < n; i++) {
        struct note *k = note_of(a, list[i]);
        if (!k->allocated || a->buffers[k->buffer].same != buffer || external(list[i]) ||
            list[i]->view_src)
            continue;
        out[(*n_out)++] = (struct ul_alive){list[i], k->offset, k->size, k->chunk};
        k->allocated = false; /* a leaf may be listed twice */
    }
}

int ul_alloc_alive(struct ul_alloc *a, const struct ul_alloc_graph *g, int buffer,
                   struct ul_alive **out, ullage_error *err)
{
    walk(a, g, g->n_nodes);
    walk(a, g, a->state->pool[buffer].peak_step);
    if (a->state->failure) {
        ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION, "%s", a->state->failure);
        return -1;
    }
    int n = 0;
    *out = UL_NEWS(a->arena, struct ul_alive, (size_t)g->n_index);
    gather(a, g->leafs, g->n_leafs, buffer, *out, &n);
    gather(a, g->nodes, g->n_nodes, buffer, *out, &n);
    qsort(*out, (size_t)n, sizeof **out, by_address);
    return n;
}
