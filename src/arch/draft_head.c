/* The two ends of a draft head's graph. Sources: graph_mtp of src/models/qwen35.cpp, deepseek2.cpp,
 * step35.cpp and their like. A head may have an embedding, a norm and an output matrix of its own,
 * and uses the model's where it has none. */
#include "arch/draft_head.h"

int ul_head_layer(const struct ul_build *b)
{
    return (int)b->model->n_layer;
}

static struct ul_tensor *own_or(struct ul_build *b, enum ul_role own, enum ul_role shared)
{
    struct ul_tensor *w = ul_wt(b, own, ul_head_layer(b));
    return w ? w : ul_wt(b, shared, -1);
}

/* llm_graph_input_embd_h */
struct ul_tensor *ul_head_inputs(struct ul_build *b)
{
    struct ul_graph *g = b->graph;
    int il = ul_head_layer(b);
    struct ul_tensor *ids = ulg_set_input(ulg_new_1d(g, UL_I32, b->n_tokens));
    struct ul_tensor *embd = ulg_get_rows(g, own_or(b, UL_ROLE_NEXTN_EMBED_TOKENS,
                                                    UL_ROLE_TOKEN_EMBD),
                                          ids);
    ul_cb(b, embd, "mtp_tok_embd", il);
    struct ul_tensor *h = ulg_set_input(ulg_new_2d(g, UL_F32, b->model->n_embd, b->n_tokens));
    ulg_name(h, "mtp_h_input", -1);
    h = ul_norm_block(b, h, ul_wt_needed(b, UL_ROLE_NEXTN_HNORM, il), NULL, UL_NORM_RMS, il);
    ul_cb(b, h, "mtp_hnorm", il);
    embd = ul_norm_block(b, embd, ul_wt_needed(b, UL_ROLE_NEXTN_ENORM, il), NULL, UL_NORM_RMS, il);
    ul_cb(b, embd, "mtp_enorm", il);
    struct ul_tensor *both = ul_cb(b, ulg_concat(g, embd, h, 0), "mtp_concat", il);
    return ul_cb(b, ul_mm(b, ul_wt_needed(b, UL_ROLE_NEXTN_EH_PROJ, il), both,
                          ul_wt_scale(b, UL_ROLE_NEXTN_EH_PROJ, il)), "mtp_eh_proj", il);
}

void ul_head_outputs(struct ul_build *b, struct ul_tensor *x, enum ul_head_rows rows)
{
    int il = ul_head_layer(b);
    struct ul_tensor *own = ul_wt(b, UL_ROLE_NEXTN_SHARED_HEAD_HEAD, il);
    if (rows == UL_HEAD_ROWS_BEFORE)
        b->t_h_nextn = x = ul_cb(b, ulg_get_rows(b->graph, x, ul_inp_out_ids(b)), "h_nextn", -1);
    x = ul_norm_block(b, x, own_or(b, UL_ROLE_NEXTN_SHARED_HEAD_NORM, UL_ROLE_OUTPUT_NORM), NULL,
                      UL_NORM_RMS, -1);
    if (rows != UL_HEAD_ROWS_BEFORE)
        b->t_h_nextn = ul_cb(b, x, "h_nextn", -1);
    if (rows == UL_HEAD_ROWS_LAST)
        x = ulg_get_rows(b->graph, x, ul_inp_out_ids(b));
    if (rows != UL_HEAD_ROWS_GONE)
        ul_cb(b, x, "mtp_shared_head_norm", -1);
    struct ul_tensor *scale = own ? ul_wt_scale(b, UL_ROLE_NEXTN_SHARED_HEAD_HEAD, il)
                                  : ul_wt_scale(b, UL_ROLE_OUTPUT, -1);
    x = ul_mm(b, own ? own : ul_wt(b, UL_ROLE_OUTPUT, -1), x, scale);
    b->t_logits = ul_cb(b, x, "result_output", -1);
    ul_expand(b, x);
}
