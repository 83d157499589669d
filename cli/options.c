/* The command's own options, and taking a command line apart: own options, llama-server's flags
 * (known from the library's table, so that a flag's value is never mistaken for something else),
 * and one word that is neither, the model. A pasted command line may begin with variables and the
 * program's name. */
#include "cli.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const by_words[] = {"device", "buffer", "layer", "op", NULL};
static const char *const want_words[] = {"context", "speed", "slots", NULL};
static const char *const reader_words[] = {"nvml", "smi", "amdgpu", "host", NULL};
static const char *const outputs_words[] = {"slots", "batch", NULL};

static const char *const fits_words[] = {"trained", "32k", "8k", NULL};
static const char *const sort_words[] = {"name", "size", "params", "store", NULL};
static const char *const launch_words[] = {"native", "ray", "lws", "llama-rpc", NULL};

#define AT(member) .at = offsetof(struct cli_args, member)

const struct cli_option cli_options[] = {
    {.name = "--gpu", .value = "SPEC", .kind = CLI_LIST,
     .uses = CLI_STORES | CLI_PLANS | CLI_MEASURE | CLI_VLLM | CLI_COMPARE | CLI_CHECK
             | CLI_SIMULATE,
     AT(gpu), .count = offsetof(struct cli_args, n_gpus), .most = CLI_MAX_GPUS,
     .help = "A GPU, in order: 24GiB, a known device ('RTX 4090', '2x RTX 3090,used=1GiB'; see "
             "'devices'), or one described: 'total=24564MiB,used=1203MiB,cc=8.9,sm=128', with "
             "name=, backend=, bandwidth=, link=, driver= as known; none: CPU only. Missing: "
             "those of this machine"},
    {.name = "--ram", .value = "SIZE", .kind = CLI_VALUE,
     .uses = CLI_STORES | CLI_PLANS | CLI_MEASURE | CLI_CHECK | CLI_SIMULATE, AT(ram),
     .help = "Memory that the host can give. Missing: this machine's, unless --gpu names others"},
    {.name = "--ram-bandwidth", .value = "RATE", .kind = CLI_VALUE, .uses = CLI_PLANS,
     AT(ram_bandwidth),
     .help = "What the CPU can read of its memory: 89.6GB/s, or a platform of 'devices' ('DDR5-5600 "
             "dual channel'); for speeds"},
    {.name = "--cpu", .value = "VARIANT", .kind = CLI_VALUE,
     .uses = CLI_STORES | CLI_PLANS | CLI_MEASURE | CLI_CHECK | CLI_SIMULATE, AT(cpu),
     .help = "ggml's CPU back-end (x64, haswell, zen4, apple_m1 ...), which decides what is "
             "repacked. Missing: the one of a named Apple chip, else this machine's"},
    {.name = "--reserve", .value = "SIZE|PERCENT", .kind = CLI_VALUE,
     .uses = CLI_STORES | CLI_PLANS | CLI_SIMULATE, AT(reserve),
     .help = "What shall stay free on each device (0); a percentage is of its total"},
    {.name = "--runtime", .value = "SIZE", .kind = CLI_VALUE,
     .uses = CLI_STORES | CLI_PLANS | CLI_SIMULATE, AT(runtime),
     .help = "What the process takes on each device besides buffers (480MiB, assumed)"},
    {.name = "--prompt-peak", .value = "SIZE", .kind = CLI_VALUE, .uses = CLI_STORES | CLI_PLANS,
     AT(prompt_peak), .help = "What reading a prompt adds on each device. Missing: computed for CUDA where "
                              "cc and sm are known, else 16MiB, assumed"},
    {.name = "--outputs", .value = "slots|batch|N", .kind = CLI_VALUE, .uses = CLI_PLANS | CLI_CHECK,
     .words = outputs_words, AT(outputs),
     .help = "Rows of logits that the compute graph reserves: slots as llama-server, batch as "
             "llama-completion"},
    {.name = "--assume-compute", .value = "SIZE", .kind = CLI_VALUE, .uses = CLI_PLAN | CLI_FIT,
     AT(assume_compute), .help = "Take this for each device's compute buffer"},
    {.name = "--want", .value = "context|speed|slots", .kind = CLI_VALUE, .uses = CLI_FIT,
     .words = want_words, AT(want),
     .help = "The goal: the longest context at full speed (context), the fastest generation that is "
             "expected with --min-context tokens in the cache (speed), or the most slots (slots)"},
    {.name = "--min-context", .value = "N", .kind = CLI_VALUE, .uses = CLI_FIT, AT(min_context),
     .help = "The shortest context that a sequence may have (4096, or --fit-ctx's)"},
    {.name = "--allow", .value = "LIST", .kind = CLI_VALUE, .uses = CLI_FIT, AT(allow),
     .help = "What may be given up besides: ctk=q8_0,ctv=q8_0,ub=256,np=1,nkvo; kv=q8_0 is both "
             "types"},
    {.name = "--vllm-version", .value = "VERSION", .kind = CLI_VALUE,
     .uses = CLI_VLLM | CLI_COMPARE, AT(vllm_version), .help = "Whose rules and log: 0.20 to 0.33 (0.33)"},
    {.name = "--weights", .value = "SIZE", .kind = CLI_VALUE, .uses = CLI_VLLM, AT(weights),
     .help = "Weights on each rank. Missing: computed from the headers or the shape"},
    {.name = "--fit", .kind = CLI_SWITCH, .uses = CLI_VLLM, AT(fit),
     .help = "Find the fewest of the GPUs, and -tp, -pp, -dp and the cache type, that serve "
             "--requests of --tokens each"},
    {.name = "--requests", .value = "N", .kind = CLI_VALUE, .uses = CLI_VLLM, AT(requests),
     .help = "For --fit: requests at once (1)"},
    {.name = "--tokens", .value = "N", .kind = CLI_VALUE, .uses = CLI_VLLM | CLI_COMPARE,
     AT(tokens), .help = "Tokens of each request, prompt and answer (for --fit; 8192 to compare)"},
    {.name = "--per-node", .value = "N", .kind = CLI_VALUE, .uses = CLI_VLLM, AT(per_node),
     .help = "GPUs of one machine, for --fit and --launch. Missing: all are in one"},
    {.name = "--launch", .value = "native|ray|lws|llama-rpc", .kind = CLI_VALUE, .uses = CLI_VLLM,
     .words = launch_words, AT(launch),
     .help = "Print the commands, or the Kubernetes objects, that start it; the plan goes to "
             "standard error"},
    {.name = "--profiled", .value = "SIZE", .kind = CLI_VALUE, .uses = CLI_VLLM, AT(profiled),
     .help = "What profiling takes beside the weights, when you measured it. Missing: an interval"},
    {.name = "--keep", .kind = CLI_SWITCH, .uses = CLI_CHECK, AT(keep),
     .help = "Keep what a vLLM log says of profiling for later 'ullage vllm' on this machine"},
    {.name = "--depth", .value = "N", .kind = CLI_VALUE, .uses = CLI_PLAN | CLI_SPEED, AT(depth),
     .help = "For speeds: tokens already in the cache (0)"},
    {.name = "--like-llama", .kind = CLI_SWITCH, .uses = CLI_FIT, AT(like_llama),
     .help = "What llama.cpp's own --fit would choose instead"},
    {.name = "--by", .value = "device|buffer|layer|op", .kind = CLI_VALUE,
     .uses = CLI_PLAN | CLI_SIMULATE,
     .words = by_words, AT(by), .help = "What the table's rows are"},
    {.name = "--gpu-budget", .value = "SIZE", .kind = CLI_VALUE, .uses = CLI_MEASURE,
     AT(measure.budget),
     .help = "What each GPU has for the server (24GB is decimal, 24GiB binary), or the host where no "
             "GPU is used. Missing: what is free now"},
    {.name = "--reserve", .value = "SIZE", .kind = CLI_VALUE, .uses = CLI_MEASURE, AT(reserve),
     .help = "What shall stay free of the budget (512MiB)"},
    {.name = "--prompt-peak", .value = "SIZE", .kind = CLI_VALUE, .uses = CLI_MEASURE,
     AT(prompt_peak), .help = "What to keep for reading a prompt. Missing: what was measured here or "
                              "is computed, 16MiB at least"},
    {.name = "--round", .value = "N", .kind = CLI_VALUE, .uses = CLI_MEASURE, AT(measure.round),
     .help = "Round the length down to a multiple of N (1024)"},
    {.name = "--cap", .value = "N", .kind = CLI_VALUE, .uses = CLI_MEASURE, AT(measure.cap),
     .help = "No length above N. Missing: what the model was trained for"},
    {.name = "--points", .value = "A,B", .kind = CLI_VALUE, .uses = CLI_MEASURE, AT(measure.points),
     .help = "Measure at these two lengths. Missing: 4096,8192, or two on the straight piece of the "
             "computed curve where the answer lies"},
    {.name = "--repeat", .value = "N", .kind = CLI_VALUE, .uses = CLI_MEASURE, AT(measure.repeat),
     .help = "Runs at each length (2)"},
    {.name = "--fill", .value = "PERCENT", .kind = CLI_VALUE,
     .uses = CLI_MEASURE | CLI_SIMULATE, AT(measure.fill),
     .help = "How much of the context the prompt of the check fills (90%; simulate: all); 0: none"},
    {.name = "--generate", .value = "N", .kind = CLI_VALUE, .uses = CLI_MEASURE | CLI_SIMULATE,
     AT(measure.generate), .help = "Tokens to generate after the prompt (1)"},
    {.name = "--interval", .value = "SECONDS", .kind = CLI_VALUE, .uses = CLI_MEASURE,
     AT(measure.interval), .help = "Between two readings (0.2)"},
    {.name = "--settle", .value = "SECONDS", .kind = CLI_VALUE, .uses = CLI_MEASURE,
     AT(measure.settle), .help = "From ready to the reading, at least; readings must stand still (1)"},
    {.name = "--timeout", .value = "SECONDS", .kind = CLI_VALUE, .uses = CLI_MEASURE | CLI_SIMULATE,
     AT(measure.timeout), .help = "Until the server is ready (600)"},
    {.name = "--grace", .value = "SECONDS", .kind = CLI_VALUE, .uses = CLI_MEASURE | CLI_SIMULATE,
     AT(measure.grace), .help = "Between asking the server to end and killing it (10)"},
    {.name = "--prompt-timeout", .value = "SECONDS", .kind = CLI_VALUE,
     .uses = CLI_MEASURE | CLI_SIMULATE,
     AT(measure.prompt_timeout), .help = "Until the prompt is answered (3600)"},
    {.name = "--ready", .value = "URL|REGEX", .kind = CLI_VALUE, .uses = CLI_MEASURE | CLI_SIMULATE,
     AT(measure.ready), .help = "Ready when http://... answers, or when a line of its output matches "
                                "(llama-server: its /health)"},
    {.name = "--ctx-flag", .value = "FLAG", .kind = CLI_VALUE, .uses = CLI_MEASURE,
     AT(measure.ctx_flag), .help = "How the program takes the context's length (-c)"},
    {.name = "--prompt-cmd", .value = "COMMAND", .kind = CLI_VALUE, .uses = CLI_MEASURE,
     AT(measure.prompt_cmd), .help = "Shell command that sends the prompt; it finds ULLAGE_URL, "
                                     "ULLAGE_TOKENS and ULLAGE_GENERATE in its environment"},
    {.name = "--reader", .value = "nvml|smi|amdgpu|host", .kind = CLI_VALUE, .uses = CLI_MEASURE,
     .words = reader_words, AT(measure.reader),
     .help = "Where memory is read. Missing: the first that finds something"},
    {.name = "--html", .value = "FILE", .kind = CLI_VALUE, .uses = CLI_MEASURE, AT(measure.html),
     .help = "Write a page with the line, the points and the use over time"},
    {.name = "--log-dir", .value = "DIR", .kind = CLI_VALUE, .uses = CLI_MEASURE | CLI_SIMULATE,
     AT(measure.log_dir), .help = "Where the server's logs go (beside the stored measurements)"},
    {.name = "--fresh", .kind = CLI_SWITCH, .uses = CLI_MEASURE, AT(measure.fresh),
     .help = "Do not go on from an unfinished measurement"},
    {.name = "--quant", .value = "TYPE|all", .kind = CLI_VALUE,
     .uses = CLI_PLANS | CLI_SHOW | CLI_COMPARE | CLI_VLLM
             | CLI_CHECK, AT(quant),
     .help = "The model as llama-quantize would make it: Q4_K_M, IQ4_XS, MXFP4_MOE, F16 ...; with "
             "'plan' and 'table', all compares them. Missing: the types that it has"},
    {.name = "--header", .value = "'NAME: VALUE'", .kind = CLI_LIST,
     .uses = CLI_REMOTE | CLI_MEASURE | CLI_SIMULATE,
     AT(header), .count = offsetof(struct cli_args, n_headers), .most = CLI_MAX_HEADERS,
     .help = "Sent with requests for a model on a server (HF_TOKEN goes to Hugging Face by itself)"},
    {.name = "--timeout", .value = "SECONDS", .kind = CLI_VALUE, .uses = CLI_REMOTE,
     AT(timeout), .help = "Give a server up that sends less than 1 KiB a second for so long (30)"},
    {.name = "--offline", .kind = CLI_SWITCH,
     .uses = CLI_REMOTE | CLI_MEASURE | CLI_SIMULATE, AT(offline),
     .help = "No network: of models on servers, only headers that were fetched before"},
    {.name = "--store", .value = "NAME", .kind = CLI_VALUE, .uses = CLI_STORES, AT(store),
     .help = "Only this store: hub, llama.cpp, lmstudio, ollama, gpt4all, jan, textgen, modelscope"},
    {.name = "--hf", .brief = "-hf", .value = "OWNER/REPO", .kind = CLI_VALUE, .uses = CLI_STORES, AT(hf),
     .help = "The models of a repository of Hugging Face's instead: their headers are fetched"},
    {.name = "--fits", .value = "trained|32k|8k", .kind = CLI_VALUE, .uses = CLI_STORES,
     .words = fits_words, AT(fits), .help = "Only what fits at this context, all layers on the GPUs"},
    {.name = "--sort", .value = "name|size|params|store", .kind = CLI_VALUE, .uses = CLI_STORES,
     .words = sort_words, AT(sort), .help = "The rows' order (name)"},
    {.name = "--json", .kind = CLI_SWITCH,
     .uses = CLI_SNIFF | CLI_STORES | CLI_PLANS | CLI_SHOW | CLI_ARCHS | CLI_DEVICES | CLI_MEASURE | CLI_HISTORY | CLI_VLLM | CLI_COMPARE
             | CLI_CHECK | CLI_SIMULATE,
     AT(json),
     .help = "JSON instead of a table"},
    {.name = "--csv", .kind = CLI_SWITCH, .uses = CLI_PLAN | CLI_CURVE, AT(csv),
     .help = "CSV instead of a table"},
    {.name = "--svg", .kind = CLI_SWITCH, .uses = CLI_CURVE, AT(svg),
     .help = "An SVG picture instead of a table"},
    {.name = "--to", .value = "N", .kind = CLI_VALUE, .uses = CLI_CURVE, AT(to),
     .help = "The longest context, in tokens. Missing: the model's training context"},
    {.name = "--no-color", .kind = CLI_SWITCH,
     .uses = CLI_PLANS | CLI_SHOW | CLI_ARCHS | CLI_VLLM | CLI_COMPARE | CLI_SIMULATE, AT(no_color),
     .help = "No colours (NO_COLOR does the same)"},
    {.name = "--sysroot", .value = "DIR", .kind = CLI_VALUE,
     .uses = CLI_SNIFF | CLI_STORES | CLI_PLANS | CLI_MACHINE | CLI_MEASURE | CLI_VLLM | CLI_COMPARE
             | CLI_CHECK | CLI_SIMULATE, AT(sysroot)},
    {.name = "--help", .brief = "-h", .kind = CLI_SWITCH,
     .uses = CLI_SNIFF | CLI_STORES | CLI_PLANS | CLI_SHOW | CLI_MACHINE | CLI_HELP | CLI_ARCHS | CLI_DEVICES | CLI_VLLM | CLI_COMPARE
             | CLI_MEASURE | CLI_HISTORY
             | CLI_CHECK | CLI_SIMULATE,
     AT(help),
     .help = "This help"},
};

const size_t cli_n_options = sizeof cli_options / sizeof cli_options[0];

struct reader {
    struct cli_args *args;
    const struct cli_command *command;
    const char *const *argv;
    int argc, at;
};

/* ------------------------------------------------------------------ errors */

/* The nearest to a mistyped option, among own options and llama-server's flags. */
static int unknown(const struct reader *r, const char *word)
{
    const char *words[1024];
    size_t n = 0, most = sizeof words / sizeof words[0];
    ullage_flag flag;
    for (size_t i = 0; i < cli_n_options; i++)
        if ((cli_options[i].uses & r->command->use) && cli_options[i].help)
            words[n++] = cli_options[i].name;
    for (size_t i = 0; r->command->takes_flags && ullage_flag_at(i, &flag); i++) {
        for (size_t k = 0; k < flag.n_names && n < most; k++)
            words[n++] = flag.names[k];
        for (size_t k = 0; k < flag.n_negations && n < most; k++)
            words[n++] = flag.negations[k];
    }
    const char *near = ullage_near(word, words, n);
    return cli_error(CLI_USAGE, "unknown flag '%.80s'%s%s%s See 'ullage help %s'", word,
                     near ? ": did you mean " : ".", near ? near : "", near ? "?" : "",
                     r->command->name);
}

/* "--ctx-size=4096": llama-server takes no '='. */
static int joined(const struct reader *r, const char *word)
{
    const char *eq = strchr(word, '=');
    char name[64];
    ullage_flag flag;
    if (eq && (size_t)(eq - word) < sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)(eq - word), word);
        if (r->command->takes_flags && ullage_flag_find(name, &flag))
            return cli_error(CLI_USAGE, "llama-server's flags take no '=': write %s %.80s", name,
                             eq + 1);
    }
    return unknown(r, word);
}

/* ------------------------------------------------------------------ own options */

/* `n` and not a whole word, so that --gpu=24GiB is found without a copy. */
static const struct cli_option *find(unsigned use, const char *word, size_t n)
{
    for (size_t i = 0; i < cli_n_options; i++) {
        const struct cli_option *o = &cli_options[i];
        bool same = (strlen(o->name) == n && memcmp(o->name, word, n) == 0)
                    || (o->brief && strlen(o->brief) == n && memcmp(o->brief, word, n) == 0);
        if (same && (o->uses & use))
            return o;
    }
    return NULL;
}

/* The table's offsets point at a string, or at the first of a list with its count elsewhere. */
static int keep_value(struct reader *r, const struct cli_option *o, const char *value)
{
    char *at = (char *)r->args + o->at;
    if (o->kind != CLI_LIST) {
        memcpy(at, &value, sizeof value);
        return CLI_OK;
    }
    int *n = (int *)((char *)r->args + o->count);
    if (*n == o->most)
        return cli_error(CLI_USAGE, "more than %d %s", o->most, o->name);
    ((const char **)at)[(*n)++] = value;
    return CLI_OK;
}

static int own_option(struct reader *r, const struct cli_option *o, const char *joined_value)
{
    if (o->kind == CLI_SWITCH) {
        *(bool *)((char *)r->args + o->at) = true;
        return joined_value ? cli_error(CLI_USAGE, "%s takes no value", o->name) : CLI_OK;
    }
    if (!joined_value && r->at == r->argc)
        return cli_error(CLI_USAGE, "%s needs a value: %s", o->name, o->value);
    return keep_value(r, o, joined_value ? joined_value : r->argv[r->at++]);
}

/* ------------------------------------------------------------------ llama-server's flags */

/* Copies a flag and as many values as its row says. */
static int engine_flag(struct reader *r, const char *word, const ullage_flag *flag)
{
    int values = (flag->value != NULL) + (flag->value2 != NULL);
    r->args->flags[r->args->n_flags++] = word;
    for (; values > 0 && r->at < r->argc; values--)
        r->args->flags[r->args->n_flags++] = r->argv[r->at++];
    return CLI_OK; /* a missing value is the library's to report */
}

/* `show` takes no flags but names its model as the others do. */
static bool names_model(const ullage_flag *flag)
{
    return cli_names_model(flag) || strcmp(flag->names[0], "-hft") == 0;
}

/* A second word is most often a value that lost its quotes, or its flag. */
static int plain_word(struct reader *r, const char *word)
{
    if (r->command->takes_two && r->args->word && !r->args->second) {
        r->args->second = word;
        return CLI_OK;
    }
    if (r->command->takes_many) {
        r->args->words[r->args->n_words++] = word;
        return CLI_OK;
    }
    if (r->args->word)
        return cli_error(CLI_USAGE, "'%.80s' is one word too many after '%.80s': values with "
                         "blanks need quotes", word, r->args->word);
    r->args->word = word;
    return CLI_OK;
}

static int keep_word(struct reader *r, const char *word)
{
    r->args->flags[r->args->n_flags++] = word;
    return CLI_OK;
}

/* One word and what belongs to it. Own options come first: none of them is spelled as a flag of
 * llama-server that moves memory, and -h is the command's. */
static int next(struct reader *r)
{
    const char *word = r->argv[r->at++];
    ullage_flag flag;
    if (r->command->takes_program && (word[0] != '-' || strcmp(word, "--") == 0)) {
        r->at -= word[0] != '-';
        r->args->program = r->argv + r->at;
        r->args->n_program = r->argc - r->at;
        r->at = r->argc;
        return CLI_OK;
    }
    if (word[0] != '-' || !word[1])
        return r->command->takes_words ? keep_word(r, word) : plain_word(r, word);
    if (strcmp(word, "--") == 0)
        return CLI_OK;
    const char *eq = strchr(word, '=');
    const struct cli_option *o =
        find(r->command->use, word, eq ? (size_t)(eq - word) : strlen(word));
    if (o)
        return own_option(r, o, eq ? eq + 1 : NULL);
    if (r->command->takes_words)
        return keep_word(r, word);
    if (ullage_flag_find(word, &flag)
        && (r->command->takes_flags || ((r->command->use & CLI_SHOW) && names_model(&flag))))
        return engine_flag(r, word, &flag);
    return joined(r, word);
}

/* ------------------------------------------------------------------ pasted command lines */

/* NAME=value as a shell takes it before a command; names in capitals only, since a file may have an
 * '=' in its name. */
static bool is_assignment(const char *word)
{
    size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return n > 0 && !isdigit((unsigned char)word[0]) && word[n] == '=';
}

static const char *base_name(const char *word)
{
    const char *slash = strrchr(word, '/'), *back = strrchr(word, '\\');
    return slash ? slash + 1 : back ? back + 1 : word;
}

static bool is_program(const char *word)
{
    const char *name = base_name(word);
    return strcmp(name, "llama-server") == 0 || strcmp(name, "llama-server.exe") == 0;
}

/* llama.cpp's other programs have other flags; a digit there is a model's (llama-2-7b). */
static bool is_other_program(const char *word)
{
    const char *name = base_name(word);
    return strncmp(name, "llama-", 6) == 0 && !isdigit((unsigned char)name[6]) && !strchr(name, '.');
}

/* LLAMA_ARG_X=1 ./llama-server -m ... */
static int skip_program(struct reader *r)
{
    int at = 0;
    while (at < r->argc && is_assignment(r->argv[at]))
        at++;
    if (at < r->argc && !is_program(r->argv[at]) && is_other_program(r->argv[at]))
        return cli_error(CLI_USAGE, "'%.80s' is another program: only llama-server's command lines "
                         "are known", r->argv[at]);
    if (at == r->argc || !is_program(r->argv[at]))
        return CLI_OK;
    for (int i = 0; i < at; i++)
        r->args->environment[r->args->n_environment++] = r->argv[i];
    r->at = at + 1;
    return CLI_OK;
}

int cli_read(struct cli_args *args, const struct cli_command *command, int argc,
             const char *const *argv)
{
    struct reader r = {.args = args, .command = command, .argv = argv, .argc = argc};
    *args = (struct cli_args){0};
    args->flags = calloc((size_t)argc + 1, sizeof *args->flags);
    args->environment = calloc((size_t)argc + 1, sizeof *args->environment);
    args->words = calloc((size_t)argc + 1, sizeof *args->words);
    if (!args->flags || !args->environment || !args->words)
        return cli_error(CLI_INPUT, "out of memory");
    if (command->takes_flags && skip_program(&r))
        return CLI_USAGE;
    while (r.at < argc) {
        int status = next(&r);
        if (status)
            return status;
    }
    return CLI_OK;
}

void cli_release(struct cli_args *args)
{
    free(args->flags);
    free(args->environment);
    free(args->words);
}
