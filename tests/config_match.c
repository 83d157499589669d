/* Configurations against headers: for each line "HEADER.gguf TAB MODEL TAB QUANT" the model
 * that MODEL (a config.json, or a name of the catalogue) describes, quantised (QUANT may be
 * empty), is compared with the one in the header: every
 * hyper-parameter that the engine reads, every tensor's name, shape and type, the bytes. Prints one
 * line a difference and at the end of each pair a line "= N". Not a test by itself:
 * conformance_config.py drives it. */
#include "report/handles.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static struct ul_arena arena;
static int differences;

struct field {
    const char *name;
    size_t at, size;
};

#define F(f) {#f, offsetof(struct ul_model, f), sizeof(((struct ul_model *)0)->f)}
#define L(f) {#f, offsetof(struct ul_layer, f), sizeof(((struct ul_layer *)0)->f)}

/* What the engine reads of a model, and of each layer. */
static const struct field fields[] = {
    F(n_ctx_train), F(n_embd), F(n_vocab), F(n_layer_all), F(n_layer_nextn), F(n_layer),
    F(n_expert), F(n_expert_used), F(n_expert_shared), F(n_expert_groups), F(n_group_used),
    F(n_group_experts), F(n_ff_exp), F(n_ff_shexp), F(n_ff_chexp), F(n_layer_dense_lead),
    F(moe_every_n_layers), F(moe_latent_size), F(expert_gating_func), F(expert_weights_norm),
    F(expert_weights_scale), F(expert_group_scale), F(n_embd_head_k_full), F(n_embd_head_v_full),
    F(n_embd_head_k_swa), F(n_embd_head_v_swa), F(n_rot_full), F(n_rot_swa),
    F(n_embd_head_k_mla_impl), F(n_embd_head_v_mla_impl), F(n_lora_q), F(n_lora_kv),
    F(n_lora_kv_swa), F(n_embd_head_k_mla_swa), F(n_embd_head_v_mla_swa), F(n_embd_inp),
    F(n_embd_out), F(n_embd_inp_enc), F(swa_type), F(n_swa), F(n_layer_kv_from_start),
    F(ssm_d_conv), F(ssm_d_inner), F(ssm_d_state), F(ssm_dt_rank), F(ssm_n_group),
    F(ssm_dt_b_c_rms), F(n_shortconv_l_cache), F(n_embd_head_kda), F(n_embd_head_la),
    F(wkv_head_size), F(token_shift_count), F(time_mix_extra_dim), F(time_decay_extra_dim),
    F(n_lora_decay), F(n_lora_iclr), F(n_lora_value_res_mix), F(n_lora_gate),
    F(rescale_every_n_layers), F(indexer_n_head), F(indexer_head_size), F(indexer_top_k),
    F(indexer_block_size), F(indexer_local_blocks), F(dsv4_o_group_count), F(dsv4_o_lora_rank),
    F(dsv4_hc_mult), F(dsv4_hash_layer_count), F(n_embd_per_layer), F(n_altup), F(i_altup_act),
    F(laurel_rank), F(n_embd_altup), F(n_deepstack_layers), F(n_cls_out), F(dec_n_layer),
    F(n_rel_attn_bkts), F(n_no_rope_layer_step), F(n_moe_layer_step), F(attn_temp_length),
    F(f_clamp_kqv), F(f_max_alibi_bias), F(f_logit_scale), F(f_residual_scale),
    F(f_embedding_scale), F(f_attention_scale), F(f_attn_logit_softcapping),
    F(f_final_logit_softcapping), F(f_router_logit_softcapping), F(f_attn_temp_scale),
    F(causal_attn), F(use_alibi), F(attn_soft_cap), F(use_kq_norm), F(use_par_res), F(swin_norm),
    F(pooling_type), F(rope_type), F(rope_scaling_type), F(rope_sections), F(f_norm_eps),
    F(f_norm_rms_eps), F(f_norm_group_eps), F(f_attn_out_scale), F(f_attn_value_scale),
    F(rope_freq_base_train), F(rope_freq_scale_train), F(rope_freq_base_train_swa),
    F(rope_freq_scale_train_swa), F(rope_attn_factor), F(rope_scaling_alpha),
    F(rope_yarn_log_mul), F(yarn_ext_factor), F(yarn_attn_factor), F(yarn_beta_fast),
    F(yarn_beta_slow), F(kda_gate_lower_bound), F(situ_beta), F(situ_linear_beta),
    F(f_attn_temp_offset), F(dsv4_compress_rope_base), F(dsv4_hc_eps), F(n_ctx_orig_yarn),
    F(n_norm_groups), F(n_expert_latent), F(attn_res_block_size), F(n_attn_temp_floor_scale),
    F(dsv4_hc_sinkhorn_iters), F(n_embd_out_impl), F(n_embd_inp_impl), F(n_embd_inp_enc_impl),
    F(dense_2_feat_in), F(dense_2_feat_out), F(dense_3_feat_in), F(dense_3_feat_out),
    F(posnet_n_embd), F(posnet_n_layer), F(convnext_n_embd), F(convnext_n_layer),
    F(skip_loop_final_norm), F(num_loops), F(n_layer_phys), F(router_layer), F(indexer_kpool),
    F(indexer_parts), F(ple_conv_kernel), F(ple_ngram_size), F(ple_heads_per_ngram),
    F(hc_low_rank), F(ple_layer), F(hrm_layers_per_stack), F(hrm_h_cycles), F(hrm_l_cycles),
    F(n_adapters), F(max_lora_rank), F(rope_finetuned), F(kda_safe_gate), F(norm_before_residual),
    F(norm_before_fc), F(cls_pooling), F(load_mtp),
};

static const struct field layer_fields[] = {
    L(n_head), L(n_head_kv), L(n_ff), L(is_swa), L(is_recr), L(rope), L(rope_factors),
    L(indexer_full), L(swiglu_clamp_exp), L(swiglu_clamp_shexp), L(xielu_alpha_n),
    L(xielu_alpha_p), L(xielu_beta), L(xielu_eps), L(dsv4_compress_ratio), L(deepstack),
};

static void differ(const char *what, const char *name, const char *a, const char *b)
{
    printf("%s\t%s\theader %s\tconfig %s\n", what, name, a, b);
    differences++;
}

static const char *bytes_text(const void *p, size_t n)
{
    uint32_t u = 0;
    float f;
    if (n != 4)
        return n == 1 ? (*(const bool *)p ? "1" : "0") : "?";
    memcpy(&u, p, 4);
    memcpy(&f, p, 4);
    return u > 0x1000000 ? ul_format(&arena, "%.9g (%" PRIu32 ")", (double)f, u)
                         : ul_format(&arena, "%" PRIu32, u);
}

static void compare(const char *what, const struct field *f, size_t n, const void *a,
                    const void *b, int layer)
{
    for (size_t i = 0; i < n; i++) {
        const char *x = (const char *)a + f[i].at, *y = (const char *)b + f[i].at;
        if (memcmp(x, y, f[i].size) == 0)
            continue;
        differ(what, layer < 0 ? f[i].name : ul_format(&arena, "%s of layer %d", f[i].name, layer),
               bytes_text(x, f[i].size), bytes_text(y, f[i].size));
    }
}

static const struct ul_gguf_tensor *tensor(const struct ul_gguf *g, struct ul_str name)
{
    for (size_t i = 0; i < g->n_tensors; i++)
        if (ul_str_eq(g->tensors[i].name, name))
            return &g->tensors[i];
    return NULL;
}

static const char *shape(const struct ul_gguf_tensor *t)
{
    return ul_format(&arena, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, t->ne[0], t->ne[1], t->ne[2]);
}

static void compare_tensors(const struct ul_gguf *h, const struct ul_gguf *c)
{
    for (size_t i = 0; i < h->n_tensors; i++) {
        const struct ul_gguf_tensor *a = &h->tensors[i], *b = tensor(c, a->name);
        const char *name = ul_format(&arena, "%.*s", (int)a->name.n, a->name.p);
        if (b == NULL)
            differ("tensor", name, shape(a), "none");
        else if (memcmp(a->ne, b->ne, sizeof a->ne) != 0)
            differ("shape", name, shape(a), shape(b));
        else if (a->type != b->type)
            differ("type", name, ul_type_info(a->type)->name, ul_type_info(b->type)->name);
    }
    for (size_t i = 0; i < c->n_tensors; i++)
        if (tensor(h, c->tensors[i].name) == NULL)
            differ("tensor", ul_format(&arena, "%.*s", (int)c->tensors[i].name.n,
                                       c->tensors[i].name.p), "none", shape(&c->tensors[i]));
}

static void compare_models(const struct ul_model *a, const struct ul_model *b)
{
    if (!ul_str_eq(a->arch_name, b->arch_name))
        differ("hparam", "architecture", ul_format(&arena, "%.*s", (int)a->arch_name.n, a->arch_name.p),
               ul_format(&arena, "%.*s", (int)b->arch_name.n, b->arch_name.p));
    if (a->old_latent != b->old_latent || a->n_unknown != b->n_unknown)
        differ("hparam", "unknown tensors", "?", "?");
    compare("hparam", fields, sizeof fields / sizeof *fields, a, b, -1);
    for (uint32_t il = 0; il < a->n_layer_all && il < b->n_layer_all; il++)
        compare("hparam", layer_fields, sizeof layer_fields / sizeof *layer_fields, &a->layer[il],
                &b->layer[il], (int)il);
    if (a->n_bytes != b->n_bytes)
        differ("bytes", "total", ul_format(&arena, "%" PRIu64, a->n_bytes),
               ul_format(&arena, "%" PRIu64, b->n_bytes));
}

static void pair(const char *header, const char *config, const char *quant)
{
    struct ul_gguf h = {0};
    struct ul_model a = {0};
    ullage_model *made = NULL;
    ullage_error err = {0};
    if (ul_gguf_open(&h, header, &arena, &err) != ULLAGE_OK ||
        ul_model_load(&a, &h, NULL, &arena, &err) != ULLAGE_OK)
        differ("header", err.message, "", "");
    else if (ullage_open_as(&made, config, quant, &err) != ULLAGE_OK)
        differ("error", err.message, "", "");
    else {
        compare_tensors(&h, &made->file);
        compare_models(&a, &made->m);
    }
    ullage_close(made);
}

int main(void)
{
    static char line[8192];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *config, *quant;
        line[strcspn(line, "\n")] = '\0';
        if ((config = strchr(line, '\t')) == NULL || (quant = strchr(config + 1, '\t')) == NULL)
            return 2;
        *config++ = *quant++ = '\0';
        differences = 0;
        pair(line, config, *quant != '\0' ? quant : NULL);
        printf("= %d\n", differences);
        ul_arena_free(&arena);
    }
    return 0;
}
