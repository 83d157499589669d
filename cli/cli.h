/* The command's own interface: subcommands, their options, and what they share. Everything below
 * the command goes through include/ullage.h. */
#ifndef UL_CLI_H
#define UL_CLI_H

#include "ullage.h"

#include <signal.h>
#include <stdbool.h>

/* Exit statuses, as `ullage --help` lists them. */
enum cli_exit {
    CLI_OK = 0,
    CLI_NO_FIT = 1,  /* the known part alone does not fit */
    CLI_USAGE = 2,   /* the command line, or settings that the engine refuses */
    CLI_INPUT = 3,   /* the input cannot be read or is not valid; the output cannot be written */
    CLI_UNKNOWN = 4, /* it may fit, but some figure is unknown */
    CLI_INTERRUPTED = 130
};

/* ------------------------------------------------------------------ options */

#define CLI_MAX_GPUS 16
#define CLI_MAX_HEADERS 16

/* The options of `measure` alone. */
struct cli_measure_args {
    const char *budget, *round, *cap, *points, *repeat, *fill, *generate, *interval, *settle;
    const char *timeout, *grace, *prompt_timeout, *ready, *ctx_flag, *prompt_cmd, *reader, *html, *log_dir;
    bool fresh;
};

/* What the command line said. Values are as typed; whoever uses one reads it. */
struct cli_args {
    const char *gpu[CLI_MAX_GPUS];
    int n_gpus;
    const char *ram_bandwidth, *depth;
    const char *ram, *cpu, *reserve, *runtime, *prompt_peak, *outputs, *assume_compute, *by, *to;
    const char *want, *min_context, *allow;
    bool like_llama;
    const char *quant;
    const char *sysroot;
    const char *vllm_version, *weights, *profiled, *requests, *tokens, *per_node, *launch;
    bool fit, keep;
    const char *timeout, *header[CLI_MAX_HEADERS]; /* of requests */
    int n_headers;
    bool offline;
    bool json, csv, svg, no_color, help;
    const char *word;          /* the word that is no flag: the model, or help's topic */
    const char *second;        /* the word after it: check's model */
    const char **words;        /* all plain words, of a subcommand that takes many */
    int n_words;
    const char *store, *fits, *sort, *hf; /* of `list` */
    const char **flags;        /* llama-server's, in order */
    int n_flags;
    const char **environment;  /* NAME=value words before a pasted program's name */
    int n_environment;
    struct cli_measure_args measure;
    const char *const *program; /* a command to run, as it was given */
    int n_program;
};

/* Which subcommands know an option. */
enum cli_use {
    CLI_PLAN = 1, CLI_SHOW = 2, CLI_MACHINE = 4, CLI_HELP = 8, CLI_ARCHS = 16, CLI_FIT = 32,
    CLI_CURVE = 64, CLI_DEVICES = 128, CLI_SPEED = 256, CLI_MEASURE = 512, CLI_HISTORY = 1024,
    CLI_VLLM = 2048, CLI_COMPARE = 4096, CLI_CHECK = 8192, CLI_STORES = 16384, CLI_SNIFF = 32768,
    CLI_SIMULATE = 65536,
    CLI_PLANS = CLI_PLAN | CLI_FIT | CLI_CURVE | CLI_SPEED, /* those that take settings and a machine */
    /* a server's models */
    CLI_REMOTE = CLI_PLANS | CLI_SHOW | CLI_CHECK | CLI_COMPARE | CLI_VLLM | CLI_STORES | CLI_SNIFF
};

enum cli_kind { CLI_SWITCH, CLI_VALUE, CLI_LIST };

struct cli_option {
    const char *name, *brief; /* "--json"; "-h" or NULL */
    const char *value;        /* NULL: takes none */
    const char *help;         /* NULL: not shown */
    const char *const *words; /* the values it takes, NULL at the end; or NULL */
    enum cli_kind kind;
    unsigned uses;            /* enum cli_use, together */
    size_t at;                /* offset in struct cli_args */
    size_t count;             /* of a list: that of how many there are, */
    int most;                 /* and how many there may be */
};

extern const struct cli_option cli_options[];
extern const size_t cli_n_options;

struct cli_command {
    const char *name, *usage, *summary;
    const char *about;   /* paragraphs for its help */
    enum cli_use use;
    bool takes_flags;    /* llama-server's flags may follow */
    bool takes_words;    /* all words but own options are kept: another engine's command line */
    bool takes_two;      /* a second plain word may follow the first */
    bool takes_many;     /* any number of plain words */
    bool takes_program;  /* a command to run follows, from "--" or the first plain word on */
    bool hidden;
    int (*run)(const struct cli_args *args);
};

extern const struct cli_command cli_commands[];
extern const size_t cli_n_commands;

/* Reads argv[0..argc-1], the words after the subcommand. 0, or an exit status (reported). */
int cli_read(struct cli_args *args, const struct cli_command *command, int argc,
             const char *const *argv);
void cli_release(struct cli_args *args);

/* ------------------------------------------------------------------ what subcommands share */

/* "ullage: ..." on standard error; returns `status`. */
int cli_error(int status, const char *fmt, ...);
/* The same for a library error; the status follows from its code. */
int cli_fail(const ullage_error *err);
/* Writes to standard output; a failed write is reported. Returns CLI_OK or CLI_INPUT. */
int cli_print(const char *text);
/* Whether a table may have colours. */
bool cli_color(const struct cli_args *args);
/* The format that --json and --csv ask for: enum ullage_format, or -1 (reported). */
int cli_format(const struct cli_args *args);
/* The settings that the environment and the flags make, with the options that are no flags of
 * llama-server's. 0 or an exit status. */
int cli_settings(ullage_settings **settings, const struct cli_args *args);
/* No model was named: says how to name one. */
int cli_no_model(const ullage_settings *settings, const char *command);
/* The exit status that a plan's verdict means. */
int cli_verdict(const ullage_plan *plan);
/* The word that names the model: the plain one, or what -m, -mu, -hf and -hff, or their variables,
 * say (NULL: none). As cli_open_model takes it. */
int cli_model_path(const struct cli_args *args, const char **path);
/* The same without the plain word. */
const char *cli_flagged_model(const struct cli_args *args);
/* Whether a flag says which model: -m, -mu, -hf, -hff. */
bool cli_names_model(const ullage_flag *flag);
/* How llama-server is told of the model that the word names, whose file is at `path`: n words. */
struct cli_model_flags {
    const char *words[4];
    int n;
    char repo[300];
};
void cli_model_flags(struct cli_model_flags *f, const char *word, const char *path);
/* What a flag of llama-server's was given, or its variable; NULL: nothing. By its first name. */
const char *cli_flag_value(const struct cli_args *args, const char *name);

/* ------------------------------------------------------------------ local stores */

/* What is in the stores of this machine (in that one; NULL: in all), or in the folders. The
 * library's code. */
int cli_stores(ullage_stores **stores, const struct cli_args *args, const char *store,
               const char *const *folders, size_t n_folders, ullage_error *err);
/* Whether a word can only be the name of a model in a store: STORE:NAME, or a file's name when there
 * is no such file here. */
bool cli_is_local(const char *word);
/* The path of the model that it names, to be freed; NULL with the error set. */
char *cli_local_path(const struct cli_args *args, const char *word, ullage_error *err);

/* Text that grows, for output made here. */
struct cli_text {
    char *p;
    size_t n, cap;
    bool failed; /* out of memory */
};
void cli_add(struct cli_text *t, const char *fmt, ...);
/* As a JSON string; NULL: null. */
void cli_add_json(struct cli_text *t, const char *text);
/* Prints and frees it. Returns an exit status. */
int cli_print_text(struct cli_text *t);

/* ------------------------------------------------------------------ programs that are started */

extern volatile sig_atomic_t cli_interrupted; /* set by Ctrl-C and its kin from here on */
void cli_watch_signals(void);
/* An option's number, NULL: the fallback. Refused (reported) outside its range. */
int cli_number(const char *name, const char *text, double fallback, double least, double most,
               double *value);
int cli_whole(const char *name, const char *text, uint32_t fallback, uint32_t most, uint32_t *value);
/* A path's last part. */
const char *cli_base_name(const char *word);
/* The program of that name (or with that beginning: "llama-") among the words, which may stand behind
 * others that start it (env, numactl, a launcher); -1: none. */
int cli_find_program(const struct cli_args *args, const char *name);
/* The value of the last such flag among the program's words, or NULL. */
const char *cli_program_value(const struct cli_args *args, const char *flag);
/* A request of so many tokens, as numbers, so that no tokenizer changes its length; to be freed. */
char *cli_prompt(uint32_t n_vocab, uint32_t n, uint32_t generate);

/* ------------------------------------------------------------------ this machine */

struct cli_gpu {
    char spec[256]; /* as ullage_machine_add_gpu takes it */
};

/* The GPUs that NVIDIA's driver reports, in the engine's order. */
int cli_detect_gpus(struct cli_gpu gpus[CLI_MAX_GPUS]);
/* What the host can give: available memory within the cgroup's limits. `root` stands for "/". */
bool cli_detect_ram(const char *root, uint64_t *bytes);
/* What it has, used or not: llama-server's --fit looks at that where there is no GPU. */
bool cli_detect_ram_total(const char *root, uint64_t *bytes);
/* The CPU back-end that ggml would pick here, or NULL. */
const char *cli_detect_cpu(void);
/* What was measured on this machine stands for what is assumed: of the runtime, and of a prompt to
 * the same model with the same flags. Only a machine that was found here has such figures. */
void cli_measured(ullage_machine *machine, const struct cli_args *args, const ullage_model *model);
/* What stands before a model's name: owner/repo[:QUANT] or owner/repo/FILE of Hugging Face (-hf is the
 * same) or of ModelScope; [HOST/][NAMESPACE/]MODEL[:TAG] of Ollama. */
#define CLI_HF "hf:"
#define CLI_MS "ms:"
#define CLI_OLLAMA "ollama:"
/* A model by whatever names it: a path, a name of the catalogue, a URL, or one of those. As
 * ullage_open_as. */
int cli_open_model(ullage_model **model, const struct cli_args *args, const char *path,
                   const char *quant, ullage_error *err);
/* Whether such a word makes the command ask a server. */
bool cli_is_remote(const char *word);
/* The same in steps, for what is opened more than once: servers are asked on opening, and when more
 * of a header is needed, never twice for the same. `config`: of a repository its config.json. */
struct cli_source;
int cli_source_open(struct cli_source **source, const struct cli_args *args, const char *word,
                    bool config, ullage_error *err);
void cli_source_close(struct cli_source *source);
int cli_source_model(struct cli_source *source, const char *quant, ullage_model **model,
                     ullage_error *err);
/* The name of the model's first file and what reads it, and those beside it; NULL: a path here. */
const ullage_reader *cli_source_reader(const struct cli_source *source, const char **name);
/* Of a repository, what llama-server loads beside the model ("mmproj", "mtp-" ...), as a word for
 * cli_open_model; NULL: nothing. To be freed. */
char *cli_source_beside(struct cli_source *source, const char *what);
/* The i-th file of a repository and the word for it, to be freed; 0 past the last. */
int cli_source_at(struct cli_source *source, size_t i, ullage_repo_file *file, char **word);
/* What llama-server takes from the model's repository beside it, as the flags that name it. */
int cli_beside(ullage_settings *settings, const struct cli_args *args, ullage_error *err);
/* Opens the model, and does what cli_measured does. Returns the library's code. */
int cli_open(ullage_model **model, ullage_machine *machine, const struct cli_args *args,
             const char *path, ullage_error *err);
/* The flags as they are compared and shown: without the model, the length, the port and what moves
 * no memory. */
void cli_flags_text(const struct cli_args *args, char *out, size_t size);

/* The machine that the options describe, completed by what is here. 0 or an exit status. */
int cli_machine(ullage_machine **machine, const struct cli_args *args);

/* What llama.cpp would hold on each device for the line that --launch llama-rpc printed, to standard
 * error; also that this is not known. */
int cli_vllm_rpc(const struct cli_args *args, const ullage_vllm *vllm, const char *launch,
                 const ullage_machine *machine);

/* What profiling took in such a server on a GPU of that name, kept here, and what was kept. */
int cli_vllm_keep(const ullage_vllm *plan, const ullage_machine *machine, uint64_t bytes);
bool cli_vllm_kept(const ullage_vllm *plan, const ullage_machine *machine, ullage_bytes *profiled);

/* ------------------------------------------------------------------ subcommands */

int cmd_plan(const struct cli_args *args);
/* plan --quant all: every quantisation of one model, side by side. */
int cli_quants(const struct cli_args *args, const char *path, const ullage_settings *settings);
/* Calls `each` for the model in every quantisation that llama-quantize makes of it without help (0, or
 * an exit status that ends it; the model is closed after the call). 0 or an exit status. */
#define CLI_MAX_QUANTS 64
typedef int cli_quant_fn(void *state, const char *quant, const ullage_model *model);
int cli_each_quant(const struct cli_args *args, const char *path, cli_quant_fn *each, void *state);
int cmd_table(const struct cli_args *args);
int cmd_fit(const struct cli_args *args);
int cmd_show(const struct cli_args *args);
int cmd_machine(const struct cli_args *args);
int cmd_archs(const struct cli_args *args);
int cmd_curve(const struct cli_args *args);
int cmd_speed(const struct cli_args *args);
int cmd_devices(const struct cli_args *args);
int cmd_measure(const struct cli_args *args);
int cmd_history(const struct cli_args *args);
int cmd_vllm(const struct cli_args *args);
int cmd_compare(const struct cli_args *args);
int cmd_check(const struct cli_args *args);
int cmd_list(const struct cli_args *args);
int cmd_simulate(const struct cli_args *args);
int cmd_sniff(const struct cli_args *args);
int cmd_help(const struct cli_args *args);
int cmd_completion(const struct cli_args *args);
int cmd_man(const struct cli_args *args);

/* The ways to name a model, for help and manual. */
struct cli_model_kind {
    const char *name, *help;
};
extern const struct cli_model_kind cli_model_kinds[];
extern const size_t cli_n_model_kinds;
/* The help of one subcommand. */
int cli_command_help(const struct cli_command *command);

#endif
