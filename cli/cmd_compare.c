/* ullage compare: llama.cpp and vLLM for the same model on the same cards. Both columns are plans
 * of exact command lines; what one of them cannot know is "unknown", and decides the exit
 * status. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>

struct column {
    bool context_known, requests_known, weights_known;
    uint64_t context[2], requests[2]; /* least and most; the same when exact */
    uint64_t weights;                 /* bytes on all cards */
    double bound;                     /* tokens a second; 0: unknown */
    char line[256];                   /* how it was planned */
    char why[512];                    /* why something is unknown */
};

/* ------------------------------------------------------------------ llama.cpp */

static uint64_t weights_of(const ullage_plan *plan, bool *known)
{
    size_t n;
    const ullage_device *d = ullage_plan_devices(plan, &n);
    uint64_t bytes = 0;
    *known = true;
    for (size_t i = 0; i + 1 < n; i++) { /* the host is last */
        *known &= d[i].model.source != ULLAGE_UNKNOWN;
        bytes += d[i].model.bytes;
    }
    return bytes;
}

static bool fit_one(ullage_fit **fit, const ullage_model *model, const ullage_machine *machine,
                    int want, uint32_t tokens, struct column *c)
{
    ullage_error err = {0};
    ullage_settings *s = ullage_settings_new();
    ullage_fit_options o = {.want = want, .min_context = tokens};
    int code = !s ? ULLAGE_ERROR_MEMORY : ULLAGE_OK;
    if (!code && want == ULLAGE_WANT_CONTEXT)
        code = ullage_settings_set(s, "-np", "1", &err);
    if (!code)
        code = ullage_fit_make(fit, model, s, machine, &o, &err);
    ullage_settings_free(s);
    if (code)
        snprintf(c->why, sizeof c->why, "%s", err.message);
    return code == ULLAGE_OK;
}

/* One slot as long as fits; then as many slots of the asked length as fit. */
static void plan_llama(struct column *c, const ullage_model *model, const ullage_machine *machine,
                       uint32_t tokens)
{
    ullage_fit *longest = NULL, *most = NULL;
    ullage_speed speed;
    if (fit_one(&longest, model, machine, ULLAGE_WANT_CONTEXT, 0, c)) {
        const ullage_plan *plan = ullage_fit_plan(longest);
        c->context_known = !ullage_plan_partial(plan);
        c->context[0] = c->context[1] =
            ullage_fit_found(longest) ? ullage_plan_context(plan)->n_ctx_seq : 0;
        c->weights = weights_of(plan, &c->weights_known);
        ullage_plan_speed(plan, 0, &speed);
        c->bound = speed.generation.bound;
        if (!c->context_known)
            snprintf(c->why, sizeof c->why, "some buffers of this plan are unknown");
    }
    if (fit_one(&most, model, machine, ULLAGE_WANT_SLOTS, tokens, c)) {
        const ullage_context *x = ullage_plan_context(ullage_fit_plan(most));
        bool holds = ullage_fit_found(most) && x->n_ctx_seq >= tokens;
        uint64_t slots = x->kv_unified ? x->n_ctx / tokens : x->n_seq_max;
        c->requests_known = !ullage_plan_partial(ullage_fit_plan(most));
        c->requests[0] = c->requests[1] = !holds ? 0 : slots < x->n_seq_max ? slots : x->n_seq_max;
    }
    snprintf(c->line, sizeof c->line, "llama-server, the flags of 'ullage fit'");
    ullage_fit_free(longest);
    ullage_fit_free(most);
}

/* A model that llama.cpp cannot have may be one for vLLM; one that is not there is nobody's. */
static int open_llama(struct column *c, const struct cli_args *args, const ullage_machine *machine,
                      uint32_t tokens)
{
    ullage_error err = {0};
    ullage_model *model = NULL;
    int code = cli_open_model(&model, args, args->word, args->quant, &err);
    if (code)
        snprintf(c->why, sizeof c->why, "%s", err.message);
    else
        plan_llama(c, model, machine, tokens);
    ullage_close(model);
    return code == ULLAGE_ERROR_IO || code == ULLAGE_ERROR_USAGE ? cli_fail(&err) : CLI_OK;
}

/* ------------------------------------------------------------------ vLLM */

static uint64_t whole_requests(const ullage_vllm_pool *p)
{
    return p->starts && p->request_blocks && p->blocks ? (p->blocks - 1) / p->request_blocks : 0;
}

static void read_vllm(struct column *c, const ullage_vllm *plan)
{
    const ullage_vllm_info *i = ullage_vllm_describe(plan);
    size_t n;
    const ullage_vllm_stage *s = ullage_vllm_stages(plan, &n);
    c->context_known = c->requests_known = i->known;
    c->context[0] = i->low.longest;
    c->context[1] = i->high.longest;
    c->requests[0] = whole_requests(&i->low);
    c->requests[1] = whole_requests(&i->high);
    c->weights_known = s->weights.source != ULLAGE_UNKNOWN;
    c->weights = s->weights.bytes * i->tp;
    c->bound = i->speed_bound;
    if (!i->known)
        snprintf(c->why, sizeof c->why, "%s", i->unknown ? i->unknown
                 : i->unknown_weights ? i->unknown_weights : "no GPU is known");
}

static void plan_vllm(struct column *c, const struct cli_args *args, const ullage_machine *machine,
                      int gpus, uint32_t tokens)
{
    ullage_error err = {0};
    ullage_vllm *plan = NULL;
    ullage_vllm_options o = {.version = args->vllm_version};
    struct cli_source *source = NULL;
    char tp[16], length[16];
    const char *words[] = {args->word, "-tp", tp, "--max-model-len", length};
    snprintf(tp, sizeof tp, "%d", gpus > 0 ? gpus : 1);
    snprintf(length, sizeof length, "%u", tokens);
    snprintf(c->line, sizeof c->line, "vllm serve -tp %s --max-model-len %s", tp, length);
    int code = cli_is_remote(args->word) ? cli_source_open(&source, args, args->word, true, &err)
                                         : ULLAGE_OK;
    if (source)
        o.reader = cli_source_reader(source, &o.name);
    if (code || ullage_vllm_make(&plan, 5, words, machine, &o, &err))
        snprintf(c->why, sizeof c->why, "%s", err.message);
    else
        read_vllm(c, plan);
    ullage_vllm_free(plan);
    cli_source_close(source);
}

/* ------------------------------------------------------------------ output */

static const char *range(char *buf, size_t size, bool known, const uint64_t v[2])
{
    if (!known)
        snprintf(buf, size, "unknown");
    else if (v[0] == v[1])
        snprintf(buf, size, "%llu", (unsigned long long)v[0]);
    else
        snprintf(buf, size, "%llu to %llu", (unsigned long long)v[0], (unsigned long long)v[1]);
    return buf;
}

static const char *figure(char *buf, size_t size, bool known, double v)
{
    snprintf(buf, size, known ? "%.2f" : "unknown", v);
    return buf;
}

static void table(struct cli_text *t, const struct column c[2], uint32_t tokens)
{
    char a[64], b[64], name[64];
    cli_add(t, "%-36s %20s  %20s\n", "", "llama.cpp", "vLLM");
    cli_add(t, "%-36s %20s  %20s\n", "longest context of one request",
            range(a, sizeof a, c[0].context_known, c[0].context),
            range(b, sizeof b, c[1].context_known, c[1].context));
    snprintf(name, sizeof name, "requests of %u tokens at once", tokens);
    cli_add(t, "%-36s %20s  %20s\n", name,
            range(a, sizeof a, c[0].requests_known, c[0].requests),
            range(b, sizeof b, c[1].requests_known, c[1].requests));
    cli_add(t, "%-36s %20s  %20s\n", "weights on the cards, MiB",
            figure(a, sizeof a, c[0].weights_known, (double)c[0].weights / 1048576),
            figure(b, sizeof b, c[1].weights_known, (double)c[1].weights / 1048576));
    cli_add(t, "%-36s %20s  %20s\n\n", "one request, at most, tokens/s",
            figure(a, sizeof a, c[0].bound > 0, c[0].bound),
            figure(b, sizeof b, c[1].bound > 0, c[1].bound));
    for (int i = 0; i < 2; i++) {
        cli_add(t, "%s: %s\n", i ? "vLLM" : "llama.cpp", c[i].line[0] ? c[i].line : "not planned");
        if (c[i].why[0])
            cli_add(t, "%s: %s\n", i ? "vLLM" : "llama.cpp", c[i].why);
    }
}

static void json_pair(struct cli_text *t, const char *key, bool known, const uint64_t v[2])
{
    if (known)
        cli_add(t, "\"%s\": [%llu, %llu], ", key, (unsigned long long)v[0],
                (unsigned long long)v[1]);
    else
        cli_add(t, "\"%s\": null, ", key);
}

static void json_text(struct cli_text *t, const char *key, const char *text)
{
    cli_add(t, "%s", key);
    if (*text)
        cli_add_json(t, text);
    else
        cli_add(t, "null");
}

static void json(struct cli_text *t, const struct column c[2], uint32_t tokens)
{
    cli_add(t, "{\"schema_version\": 1, \"tokens\": %u", tokens);
    for (int i = 0; i < 2; i++) {
        cli_add(t, ",\n \"%s\": {", i ? "vllm" : "llama_cpp");
        json_pair(t, "longest_context", c[i].context_known, c[i].context);
        json_pair(t, "requests", c[i].requests_known, c[i].requests);
        if (c[i].weights_known)
            cli_add(t, "\"weight_bytes\": %llu, ", (unsigned long long)c[i].weights);
        else
            cli_add(t, "\"weight_bytes\": null, ");
        cli_add(t, c[i].bound > 0 ? "\"speed_bound\": %.2f, " : "\"speed_bound\": null, ",
                c[i].bound);
        json_text(t, "\"planned_as\": ", c[i].line);
        json_text(t, ", \"why_unknown\": ", c[i].why);
        cli_add(t, "}");
    }
    cli_add(t, "}\n");
}

static int print_both(const struct cli_args *args, const struct column c[2], uint32_t tokens)
{
    struct cli_text t = {0};
    if (args->json)
        json(&t, c, tokens);
    else
        table(&t, c, tokens);
    int status = t.failed ? cli_error(CLI_INPUT, "out of memory") : cli_print(t.p);
    free(t.p);
    bool known = c[0].context_known && c[0].requests_known && c[1].context_known;
    return status ? status : known ? CLI_OK : CLI_UNKNOWN;
}

int cmd_compare(const struct cli_args *args)
{
    ullage_error err = {0};
    ullage_machine *machine = NULL;
    struct column c[2] = {0};
    uint64_t tokens = 8192;
    if (!args->word)
        return cli_error(CLI_USAGE, "no model: name a config.json or a folder with one");
    if (args->tokens && (ullage_parse_size(args->tokens, &tokens, &err) || !tokens
                         || tokens > INT32_MAX))
        return cli_error(CLI_USAGE, "--tokens: '%.40s' is no number above 0", args->tokens);
    int status = cli_machine(&machine, args);
    if (!status && (int)ullage_machine_gpus(machine) == 0)
        status = cli_error(CLI_USAGE, "no GPU: name one with --gpu");
    if (!status)
        status = open_llama(&c[0], args, machine, (uint32_t)tokens);
    if (!status) {
        plan_vllm(&c[1], args, machine, (int)ullage_machine_gpus(machine), (uint32_t)tokens);
        status = print_both(args, c, (uint32_t)tokens);
    }
    ullage_machine_free(machine);
    return status;
}
