/* Delta nets: a recurrent state of heads x length x length, read and rewritten by one fused
 * operation (src/models/delta-net-base.cpp). The form that is spelled out, for devices without the
 * fused one, is not built: no back-end that is modelled lacks it. */
#include "arch/build.h"

/* The pinned engine's ggml_l2_norm call sites: a root mean square's norm, scaled. */
struct ul_tensor *ul_l2_norm(struct ul_build *b, struct ul_tensor *t)
{
    return ulg_scale(b->graph, ulg_rms_norm(b->graph, t));
}

/* The result's first part: what attention would give, [length, heads, tokens of a sequence,
 * sequences]. */
static struct ul_tensor *output_of(struct ul_build *b, const struct ul_delta *d,
                                   struct ul_tensor *net)
{
    int64_t length = d->v->ne[0], heads = d->v->ne[1], tokens = d->v->ne[2], seqs = d->v->ne[3];
    uint64_t row = ul_row_bytes(net->type, (uint64_t)length);
    return ulg_view_4d(b->graph, net, length, heads, tokens, seqs, row, row * (uint64_t)heads,
                       row * (uint64_t)(heads * tokens), 0);
}

static struct ul_tensor *fused(struct ul_build *b, const struct ul_delta *d, int64_t snapshots)
{
    struct ul_tensor *const in[6] = {d->q, d->k, d->v, d->g, d->beta, d->state};
    return ulg_gated_delta_net(b->graph, in, snapshots);
}

struct ul_tensor *ul_delta_net(struct ul_build *b, const struct ul_delta *d,
                               struct ul_tensor **state)
{
    struct ul_tensor *net = fused(b, d, 1);
    int64_t length = d->v->ne[0], heads = d->v->ne[1], tokens = d->v->ne[2], seqs = d->v->ne[3];
    uint64_t row = ul_row_bytes(net->type, (uint64_t)length);
    *state = ulg_view_4d(b->graph, net, length, length, heads, seqs, row, row * (uint64_t)length,
                         row * (uint64_t)(length * heads), row * (uint64_t)(heads * tokens * seqs));
    return output_of(b, d, net);
}

/* As many snapshots of the state as the context keeps for taking back tokens. */
static struct ul_tensor *delta_snapshots(struct ul_build *b, const struct ul_delta *d,
                                         struct ul_tensor *s_all, uint64_t size)
{
    struct ul_graph *g = b->graph;
    int64_t snapshots = (int64_t)b->cparams->n_rs_seq + 1, tokens = d->v->ne[2], seqs = d->v->ne[3];
    int64_t written = tokens < snapshots ? tokens : snapshots;
    struct ul_tensor *net = fused(b, d, snapshots);
    uint64_t row = ul_row_bytes(net->type, size);
    uint64_t scores =
        ul_row_bytes(net->type, (uint64_t)(d->v->ne[0] * d->v->ne[1] * tokens * seqs));
    struct ul_tensor *out = output_of(b, d, net);
    struct ul_tensor *from = ulg_view_3d(g, net, (int64_t)size, seqs, written, row,
                                         row * (uint64_t)seqs, scores);
    struct ul_tensor *to = ulg_view_3d(g, s_all, (int64_t)size, seqs, written, s_all->nb[1],
                                       b->memory->state.size * ul_row_bytes(s_all->type, size), 0);
    ul_expand(b, ulg_cpy(g, from, to));
    return out;
}

struct ul_tensor *ul_delta_block(struct ul_build *b, const struct ul_delta *d,
                                 struct ul_tensor *s_all)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *state, *out;
    uint64_t size = ul_n_embd_s(b->model);
    if (b->cparams->n_rs_seq > 0)
        return delta_snapshots(b, d, s_all, size);
    out = ul_delta_net(b, d, &state);
    ul_expand(b,
              ulg_cpy(g, state, ulg_view_2d(g, s_all, (int64_t)size, b->n_seqs, s_all->nb[1], 0)));
    return out;
}

/* --- the convolution before it ---------------------------------------------------------------- */

/* Keeps the columns that end `back` tokens before the batch's end as snapshot `slot`. */
static void store_columns(struct ul_build *b, struct ul_tensor *input, struct ul_tensor *all,
                          int64_t columns, int64_t channels, int64_t slot, bool named, int il)
{
    struct ul_graph *g = b->graph;
    int64_t first = input->ne[0] - columns - slot;
    uint64_t row = ul_row_bytes(all->type, (uint64_t)(columns * channels));
    struct ul_tensor *last =
        ulg_view_3d(g, input, columns, channels, b->n_seqs, input->nb[1], input->nb[2],
                    ul_row_bytes(input->type, (uint64_t)(first > 0 ? first : 0)));
    struct ul_tensor *to = ulg_view_2d(g, all, columns * channels, b->n_seqs, all->nb[1],
                                       (uint64_t)slot * b->memory->state.size * row);
    if (named) {
        ul_cb(b, last, "conv_state_last", il);
        ul_cb(b, to, "conv_state_update", il);
    }
    ul_expand(b, ulg_cpy(g, last, to));
}

struct ul_tensor *ul_conv_state_block(struct ul_build *b, const struct ul_rs_inp *inp,
                                      struct ul_tensor *mixed, int64_t kernel, int64_t channels,
                                      int il)
{
    struct ul_graph *g = b->graph;
    struct ul_tensor *all = ul_state_of(b, il)->r;
    struct ul_tensor *t = ul_rs_block(b, inp, all, (int64_t)ul_n_embd_r(b->model));
    ul_cb(b, t, "conv_states", il);
    t = ul_cb(b, ulg_reshape_3d(g, t, kernel - 1, channels, b->n_seqs), "conv_states_reshaped", il);
    mixed = ul_cb(b, ulg_transpose(g, mixed), "qkv_mixed_transposed", il);
    struct ul_tensor *input = ul_cb(b, ulg_concat(g, t, mixed, 0), "conv_input", il);
    for (int64_t slot = b->cparams->n_rs_seq; slot >= 0; slot--)
        store_columns(b, input, all, kernel - 1, channels, slot, b->cparams->n_rs_seq == 0, il);
    return input;
}
