/* Recurrent states: fetching the states of a batch's sequences and keeping the others in order.
 * Source: src/llama-graph.cpp (build_rs, build_rs_inp). While memory is reserved, head is 0, the
 * first state is the one to clear, and all cells count as used (llama_memory_recurrent_context:
 * get_head, get_rs_z, get_n_rs).
 *
 * The pinned engine differs from the source that was read so that a graph's operations have the
 * same shapes however many sequences a batch has: rows are fetched for all cells at once, and what
 * belongs to the batch and what must only be moved are views of the result. */
#include "arch/build.h"

struct ul_rs_inp ul_rs_inputs(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    int64_t n_rs = b->memory->state.size, n_seqs = b->n_seqs;
    struct ul_rs_inp r;
    r.s_copy = ulg_name(ulg_set_input(ulg_new_1d(g, UL_I32, n_rs)), "rs_s_copy", -1);
    r.main = ulg_view_1d(g, r.s_copy, n_seqs, 0);
    r.extra = ulg_view_1d(g, r.s_copy, n_rs - 1, r.s_copy->nb[0]);
    return r;
}

struct ul_tensor *ul_rs_clear(struct ul_build *b, struct ul_tensor *s, int64_t state_size)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *states = ulg_reshape_2d(g, s, state_size, s->ne[1]);
    ul_expand(b, ulg_scale_inplace(g, ulg_view_1d(g, states, state_size, 0)));
    return states;
}

/* Moves those of the fetched rows that are of no sequence in the batch; the first of them is
 * `first`. */
static void move_rest(struct ul_build *b, struct ul_tensor *s, struct ul_tensor *rows,
                      int64_t first, int64_t state_size)
{
    struct ul_graph *g = b->graph;
    int64_t n_seqs = b->n_seqs, n_rest = b->memory->state.size - n_seqs;
    struct ul_tensor *rest = ulg_view_2d(g, rows, state_size, n_rest, rows->nb[1],
                                         (uint64_t)first * rows->nb[1]);
    ul_expand(b, ulg_cpy(g, rest, ulg_view_2d(g, s, state_size, n_rest, s->nb[1],
                                              (uint64_t)n_seqs * s->nb[1])));
}

void ul_rs_copy_extra(struct ul_build *b, const struct ul_rs_inp *inp, struct ul_tensor *s,
                      struct ul_tensor *states, int64_t state_size)
{
    move_rest(b, s, ulg_get_rows(b->graph, states, inp->extra), b->n_seqs - 1, state_size);
}

struct ul_tensor *ul_rs_block(struct ul_build *b, const struct ul_rs_inp *inp, struct ul_tensor *s,
                              int64_t state_size)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *states = ul_rs_clear(b, s, state_size);
    struct ul_tensor *rows = ulg_get_rows(g, states, inp->s_copy);
    struct ul_tensor *mine = ulg_view_2d(g, rows, state_size, b->n_seqs, rows->nb[1], 0);
    ul_expand(b, mine);
    move_rest(b, s, rows, b->n_seqs, state_size);
    return mine;
}
