/* The model's shape and what a context was made with, as a log prints them: one name and one value
 * a line. Only the server's own model and its first context count; a load that only tries settings
 * says so (no_alloc) and is passed over. */
#include "measure/evidence_lines.h"

#include <ctype.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ the model's shape */

/* "= 8", "= [0, 0, 8, ...]". An array that the log cuts off ("...") is not said. */
static void read_values(struct ul_ev_value *value, const char *p)
{
    uint32_t n = 0;
    bool array = *p == '[';
    p += array;
    for (; n < UL_EV_LAYERS; n++) {
        char *end;
        p += strspn(p, " ,");
        if (!isdigit((unsigned char)*p))
            break;
        value->v[n] = (uint32_t)strtoul(p, &end, 10);
        p = end;
        if (!array) {
            n = 1;
            break;
        }
    }
    value->n = array && *p != ']' ? 0 : n;
}

/* "print_info: n_head_kv             = 8" */
bool ul_ev_info_line(struct ul_evidence *e, const char *text)
{
    static const struct {
        const char *name;
        enum ul_ev_key key;
    } keys[] = {
        {"n_ctx_train", UL_EV_N_CTX_TRAIN},
        {"n_embd", UL_EV_N_EMBD},
        {"n_layer", UL_EV_N_LAYER},
        {"n_layer_all", UL_EV_N_LAYER_ALL},
        {"n_head", UL_EV_N_HEAD},
        {"n_head_kv", UL_EV_N_HEAD_KV},
        {"n_swa", UL_EV_N_SWA},
        {"n_embd_head_k", UL_EV_HEAD_K},
        {"n_embd_head_v", UL_EV_HEAD_V},
        {"n_embd_k_gqa", UL_EV_K_GQA},
        {"n_embd_v_gqa", UL_EV_V_GQA},
        {"ssm_d_conv", UL_EV_SSM_CONV},
        {"ssm_d_inner", UL_EV_SSM_INNER},
        {"ssm_d_state", UL_EV_SSM_STATE},
        {"ssm_n_group", UL_EV_SSM_GROUP},
        {"n_vocab", UL_EV_N_VOCAB},
        {"n_lora_kv", UL_EV_LORA_KV},
    };
    const char *p = ul_ev_after(text, "print_info:"), *equals;
    char name[32];
    if (!p && !(p = ul_ev_after(text, "llm_load_print_meta:")))
        return false;
    ul_ev_copy(name, sizeof name, p, " =");
    if (!(equals = ul_ev_after(p, "=")))
        return false;
    if (strcmp(name, "no_alloc") == 0)
        e->trial = *equals == '1';
    if (e->trial || e->model_at > 0)
        return true;
    const char *word = ul_ev_after(p, "arch ");
    if (word == p + 4 + strspn(p + 4, " ")) /* at the line's beginning */
        ul_ev_copy(e->arch, sizeof e->arch, equals, " ");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i].name, name) == 0)
            read_values(&e->key[keys[i].key], equals);
    return true;
}

/* "- kv  15:   qwen35.full_attention_interval u32   = 4" */
bool ul_ev_metadata_line(struct ul_evidence *e, const char *text)
{
    static const struct {
        const char *name;
        enum ul_ev_key key;
    } keys[] = {{".full_attention_interval", UL_EV_FULL_EVERY},
                {".shortconv.l_cache", UL_EV_SHORTCONV},
                {".attention.key_length_mla", UL_EV_MLA_KEY}};
    const char *p = ul_ev_after(text, "- kv "), *equals = p ? ul_ev_after(p, " = ") : NULL;
    if (!equals)
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && e->model_at == 0; i++)
        if (strstr(p, keys[i].name))
            read_values(&e->key[keys[i].key], equals);
    return true;
}

/* ------------------------------------------------------------------ the context */

static void begin_context(struct ul_evidence *e)
{
    if (e->trial)
        return;
    e->context_at += e->any_context;
    if (e->any_context || e->model_at > 0)
        ul_ev_begin_part(e);
    e->any_context = true;
}

/* "llama_context: n_ubatch              = 512" */
bool ul_ev_context_line(struct ul_evidence *e, const char *text)
{
    static const char *const names[] = {
        [UL_EV_N_SEQ] = "n_seq_max",     [UL_EV_N_CTX] = "n_ctx",
        [UL_EV_N_CTX_SEQ] = "n_ctx_seq", [UL_EV_N_BATCH] = "n_batch",
        [UL_EV_N_UBATCH] = "n_ubatch",   [UL_EV_UNIFIED] = "kv_unified",
        [UL_EV_RS_SEQ] = "n_rs_seq",     [UL_EV_OUTPUTS] = "n_outputs_max",
        [UL_EV_FLASH] = "flash_attn"};
    const char *p = ul_ev_after(text, "llama_context:"), *equals;
    char name[32];
    if (!p && !(p = ul_ev_after(text, "llama_new_context_with_model:"))
        && !(p = ul_ev_after(text, "llama_init_from_model:")))
        return false;
    if (strstr(p, "constructing llama_context")) {
        begin_context(e);
        return true;
    }
    ul_ev_copy(name, sizeof name, p, " =");
    equals = ul_ev_after(p, "=");
    if (!equals || e->trial || e->context_at > 0 || e->model_at > 0)
        return equals != NULL;
    for (int i = 0; i < UL_EV_CONTEXTS; i++)
        if (strcmp(names[i], name) == 0)
            e->context[i] = isdigit((unsigned char)*equals) ? (int64_t)strtoull(equals, NULL, 10)
                : strncmp(equals, "true", 4) == 0 || strncmp(equals, "enabled", 7) == 0 ? 1
                : strncmp(equals, "false", 5) == 0 || strncmp(equals, "disabled", 8) == 0 ? 0 : -1;
    return true;
}
