/* The engine copies what a batch yields from the devices into one buffer that it makes with the
 * context: a row of logits for each sequence, whatever the graph reserves. It grows later when more
 * rows are asked for at once. */
#include "engine/output.h"

uint64_t ul_output_bytes(const struct ul_place *p, const struct ul_model *m,
                         const struct ul_cparams *c, bool sampling)
{
    uint64_t rows = c->n_seq_max;
    uint64_t floats = ul_mul(m->n_vocab, rows);
    if (c->embeddings || m->arch->outputs_embd)
        floats = ul_add(floats, ul_mul(m->n_embd_out, rows));
    if (c->keeps_hidden_rows)
        floats = ul_add(floats, ul_mul(m->n_embd_out, rows));
    uint64_t tokens = 0;
    if (sampling) { /* logits and probabilities; the sampled token and the candidates */
        floats = ul_add(floats, ul_mul(2, ul_mul(m->n_vocab, rows)));
        tokens = ul_mul(1 + (uint64_t)m->n_vocab, rows);
    }
    return ul_add(ul_mul(4, ul_add(floats, tokens)), ul_buft_extra(&p->buft[ul_output_buft(p, m)]));
}

/* The pinned memory of the device with the output layer, plain memory when that is the CPU. */
int ul_output_buft(const struct ul_place *p, const struct ul_model *m)
{
    int device = p->layer_device[m->n_layer_all];
    if (device == UL_DEV_CPU)
        return p->cpu_buft;
    for (uint32_t i = 0; i < p->n_bufts; i++)
        if (p->buft[i].kind == UL_BUFT_HOST && p->buft[i].device == device)
            return (int)i;
    return p->host_buft >= 0 ? p->host_buft : p->cpu_buft;
}
