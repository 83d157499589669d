/* ullage: what a language model will hold in memory, to the byte, before it is loaded.
 *
 *     ullage_open -> ullage_describe -> ullage_plan_make -> ullage_plan_* / ullage_plan_render
 *
 * A model is opened from the header of its file alone. Settings are llama-server's own flags, by
 * its own names. A machine is a list of GPUs, the host's memory and the CPU's kind, real or not.
 * A plan joins the three: every buffer that llama-server would allocate, by the engine's rules.
 *
 * Rules of the house:
 *   - Sizes are bytes in uint64_t. A figure carries its source (enum ullage_source); a figure that
 *     no rule gives has the source ULLAGE_UNKNOWN and no meaning as a number.
 *   - Functions that can fail return ULLAGE_OK (0) or a code from enum ullage_code, and fill the
 *     error struct, which is the caller's, when it is not NULL.
 *   - The library never prints, never exits, and reads no environment variable on its own. What it returns by pointer belongs to the
 *     handle it came from and lives until that handle is freed.
 *   - A function that returns an array says its length in *n; n may be NULL.
 *   - Handles are not locked: use one handle from one thread at a time. An opened model is not
 *     changed by planning, so many threads may plan with one model at once.
 *
 * C99 and C++ can include this header. It needs libc and libm only.
 */
#ifndef ULLAGE_H
#define ULLAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define ULLAGE_API
#elif defined(ULLAGE_BUILDING)
#define ULLAGE_API __attribute__((visibility("default")))
#else
#define ULLAGE_API
#endif

/* ------------------------------------------------------------------ errors */

/* What went wrong. The command's exit status follows from it: USAGE and REFUSED 2, the rest 3. */
enum ullage_code {
    ULLAGE_OK = 0,
    ULLAGE_ERROR_USAGE,    /* an unknown flag, a value that cannot be read */
    ULLAGE_ERROR_REFUSED,  /* settings that the engine itself refuses, or that contradict each other */
    ULLAGE_ERROR_IO,       /* the file cannot be opened or read */
    ULLAGE_ERROR_INPUT,    /* the file is not what it should be; the message names the byte or key */
    ULLAGE_ERROR_UNKNOWN,  /* a well-formed file of a kind no rule is known for */
    ULLAGE_ERROR_MEMORY,   /* out of memory */
    ULLAGE_ERROR_MISSING   /* a reader's own: there is no file of that name (ullage_open_reader) */
};

#define ULLAGE_NO_POSITION UINT64_MAX

/* Filled by the first failure; zero it before use. */
typedef struct ullage_error {
    int code;          /* enum ullage_code */
    uint64_t position; /* byte offset in the input, or ULLAGE_NO_POSITION */
    char message[512]; /* one line, no new line at its end */
} ullage_error;

/* ------------------------------------------------------------------ figures */

/* Where a figure comes from. */
enum ullage_source {
    ULLAGE_UNKNOWN = 0, /* no rule is known; the number means nothing */
    ULLAGE_COMPUTED,    /* the engine's own rule, exact to the byte */
    ULLAGE_MODELLED,    /* a rule that no recorded figure has confirmed yet */
    ULLAGE_ASSUMED,     /* a default or a value the caller gave */
    ULLAGE_SIMULATED,   /* the engine run on a simulated device */
    ULLAGE_MEASURED     /* the engine run on the real device */
};

typedef struct ullage_bytes {
    uint64_t bytes;
    int source; /* enum ullage_source */
} ullage_bytes;

/* "computed", "assumed" ... as in the JSON. */
ULLAGE_API const char *ullage_source_name(int source);

ULLAGE_API const char *ullage_version(void);

/* What a person should know beside the figures. */
typedef struct ullage_note {
    const char *code; /* stable, for programs: "fit_not_applied" */
    const char *text; /* one sentence for people */
} ullage_note;

/* ------------------------------------------------------------------ models */

typedef struct ullage_model ullage_model;

/* Opens the model at `path` and reads its header only. What it may be: a GGUF file (v2 or v3; any
 * shard of a split model opens all of them); a Hugging Face config.json, or a folder with one, as
 * llama.cpp's converter would write it (with safetensors beside it, in their own type); or a name
 * of the catalogue ("llama-3.1-8b"). Errors: IO, INPUT, UNKNOWN, MEMORY. */
ULLAGE_API int ullage_open(ullage_model **model, const char *path, ullage_error *err);

/* The same as it would be after llama-quantize: "Q4_K_M", "IQ4_XS", "MXFP4_MOE", "F16" ... in any
 * case; NULL: as it is. Errors: those, USAGE (no such quantisation), REFUSED (a shape that has no
 * type). */
ULLAGE_API int ullage_open_as(ullage_model **model, const char *path, const char *quant,
                              ullage_error *err);

/* The same from a configuration's text; `name` stands for its path. */
ULLAGE_API int ullage_open_config(ullage_model **model, const char *name, const void *text,
                                  size_t size, const char *quant, ullage_error *err);

/* The quantisations that llama-quantize makes, from 0; NULL past the last. Some are other names. */
ULLAGE_API const char *ullage_quant_at(size_t i);

/* The catalogue's i-th model and whose configuration its numbers are; 0 past the last, else 1. */
typedef struct ullage_catalogue_info {
    const char *name, *source;
} ullage_catalogue_info;

ULLAGE_API int ullage_catalogue_at(size_t i, ullage_catalogue_info *info);

/* The same from memory: the first `size` bytes of a file of `file_size` bytes. The bytes are read
 * during the call only. A header that goes on past `size` is an INPUT error. */
ULLAGE_API int ullage_open_memory(ullage_model **model, const void *data, size_t size,
                                  uint64_t file_size, ullage_error *err);

/* How a program reads files that are not on the disk: a server's, an archive's. */
typedef struct ullage_reader {
    /* Opens the file called `name`: its handle, and its size (UINT64_MAX when it is not known). A
     * code from enum ullage_code, with the error set, when it cannot; MISSING when there is no such
     * file, which may be no error. */
    int (*open)(void *state, const char *name, void **file, uint64_t *size, ullage_error *err);
    /* Up to n bytes at `offset`; 0 at the end of the file, -1 with the error set when it cannot.
     * Offsets only grow, but for the last one, which may be just before. */
    long (*read)(void *file, uint64_t offset, void *buf, size_t n, ullage_error *err);
    void (*close)(void *file);
    void *state; /* handed to open */
} ullage_reader;

/* A GGUF file by its name, as ullage_open_as, but opened and read by `reader`: of a split model each
 * shard, one after the other, by the name that follows from the first's. A name that ends in ".json"
 * is a configuration, and the checkpoint is looked for beside it: model.safetensors, or
 * model.safetensors.index.json and the shards that it names. */
ULLAGE_API int ullage_open_reader(ullage_model **model, const ullage_reader *reader,
                                  const char *name, const char *quant, ullage_error *err);

ULLAGE_API void ullage_close(ullage_model *model);

/* ------------------------------------------------------------------ models on servers */

/* The library asks no server, but knows what to ask and understands the answer: the files of a
 * repository, and which of them llama-server would take. */
enum ullage_repo_kind {
    ULLAGE_REPO_REFS = 0,   /* Hugging Face: api/models/OWNER/REPO/refs, for the commit */
    ULLAGE_REPO_TREE,       /* Hugging Face: api/models/OWNER/REPO/tree/COMMIT?recursive=true */
    ULLAGE_REPO_MODELSCOPE, /* ModelScope: api/v1/models/OWNER/REPO/repo/files?Recursive=true */
    ULLAGE_REPO_MANIFEST    /* an Ollama registry: v2/NAMESPACE/MODEL/manifests/TAG */
};

typedef struct ullage_repo ullage_repo;

typedef struct ullage_repo_file {
    const char *path; /* in the repository; of a registry, the digest of a blob: "sha256:..." */
    uint64_t bytes;   /* UINT64_MAX when the answer does not say */
    int model;        /* a model by its name, and of a split one the first file */
} ullage_repo_file;

/* Reads such an answer. Paths and digests that could lead elsewhere are left out. Errors: INPUT,
 * MEMORY. */
ULLAGE_API int ullage_repo_read(ullage_repo **repo, int kind, const void *text, size_t size,
                                ullage_error *err);
ULLAGE_API void ullage_repo_free(ullage_repo *repo);

/* A revision that has all of the files, or NULL. */
ULLAGE_API const char *ullage_repo_commit(const ullage_repo *repo);
/* The i-th file, from 0; 0 past the last, else 1. */
ULLAGE_API int ullage_repo_at(const ullage_repo *repo, size_t i, ullage_repo_file *file);
/* The file that llama-server takes for a quantisation, in any case; NULL: the one that it takes by
 * itself. NULL when there is none. */
ULLAGE_API const char *ullage_repo_model(const ullage_repo *repo, const char *quant);
/* What it loads beside that file: `what` is "mmproj", "mtp-", "eagle3-", "dflash-" or "dspark-".
 * NULL when there is nothing. */
ULLAGE_API const char *ullage_repo_beside(ullage_repo *repo, const char *model, const char *what,
                                          const char *quant);

/* What a layer keeps between tokens. */
enum ullage_layer_kind {
    ULLAGE_LAYER_NONE = 0,  /* keeps nothing (a feed-forward block, or it shares another's cache) */
    ULLAGE_LAYER_FULL,      /* keys and values of every token */
    ULLAGE_LAYER_WINDOW,    /* keys and values of a sliding window or chunk */
    ULLAGE_LAYER_LATENT,    /* one compressed latent a token, no values */
    ULLAGE_LAYER_RECURRENT, /* a state of fixed size */
    ULLAGE_LAYER_HYBRID     /* keys and values and a state */
};

typedef struct ullage_layer_info {
    int kind;          /* enum ullage_layer_kind */
    uint32_t window;   /* tokens; 0 when there is none */
    uint32_t n_head, n_head_kv, n_ff;
    uint64_t weight_bytes;
} ullage_layer_info;

typedef struct ullage_type_info {
    const char *name; /* ggml's name: "q4_K" */
    uint64_t n_tensors, n_elements, bytes;
} ullage_type_info;

typedef struct ullage_model_info {
    int role;            /* 0: a model; else what it is beside one: enum ullage_companion_kind, of which
                            only path, the tensors' figures and the files' are told */
    const char *path, *arch, *name, *file_type; /* file_type as llama.cpp prints it */
    const char *status;                         /* how far the architecture is modelled */
    uint64_t n_params;                          /* elements of all tensors */
    uint64_t weight_bytes;                      /* bytes of all tensors, without padding */
    uint64_t size_bytes;                        /* the files' full size as the header states it */
    double bits_per_weight;
    uint32_t n_layer, n_ctx_train, n_embd, n_vocab, n_expert, n_expert_used;
    uint32_t n_files;
    int partial;                                /* 1 when tensor data is missing or cut off */
    const ullage_layer_info *layers;            /* n_layer of them */
    const ullage_type_info *types;              /* by bytes, largest first */
    size_t n_types;
    const char *origin;          /* "gguf", "config.json", "safetensors" or "catalogue" */
    const char *quant;           /* what the types were asked to be; NULL: they are as found */
    uint64_t checkpoint_bytes;   /* of safetensors beside a configuration, as stored; else 0 */
    uint32_t checkpoint_missing; /* of their shards, how many are not there */
} ullage_model_info;

ULLAGE_API const ullage_model_info *ullage_describe(const ullage_model *model);

/* An architecture that the engine knows, and how far plans of it go. */
typedef struct ullage_arch_info {
    const char *name;    /* as general.architecture spells it */
    const char *status;  /* "exact", "modelled", "weights and cache only", or for models that the
                            engine refuses to run alone "draft model: not by itself" */
    uint32_t rows;       /* recorded runs of the engine that plans are compared with */
    uint32_t exact;      /* of these, equal to the byte in every buffer */
} ullage_arch_info;

/* The i-th architecture in the engine's order; 0 past the last, else 1. */
ULLAGE_API int ullage_arch_at(size_t i, ullage_arch_info *info);

/* ------------------------------------------------------------------ models on this machine
 *
 * Where other programs keep their models: the Hugging Face hub's cache ("hub"), "llama.cpp",
 * "lmstudio", "ollama", "gpt4all", "jan", "textgen" and "modelscope"; and folders that are named.
 * Folders are listed and small manifests read, model files are not opened. */

typedef struct ullage_stores ullage_stores;

typedef struct ullage_found {
    const char *store;    /* one of those, or "folder" */
    const char *name;     /* within its store, as STORE:NAME names it */
    const char *argument; /* what names it wherever a model is asked for, shortest: a file's own name
                             where no other has it, STORE:NAME, a path */
    const char *path;     /* to open: a GGUF file, the first shard that is there, or a checkpoint */
    const char *mmproj, *adapter; /* companions beside it, or NULL */
    const char *problem;  /* why it cannot be used, as far as names tell; NULL: nothing seen */
    uint64_t size_bytes;  /* of its files here */
    uint32_t n_files, n_missing; /* shards: here, and missing by their numbers */
    int folder;           /* path is a checkpoint's folder */
    int unfinished;       /* a download that did not end */
    int duplicate;        /* another name of a file that is in the list already */
} ullage_found;

typedef struct ullage_stores_options {
    const char *const *env;  /* "NAME=value", NULL at the end: HOME and the programs' own variables */
    const char *root;        /* stands for "/" in places that no variable moves; NULL: "/" */
    const char *store;       /* only this one; NULL: all */
    const char *const *folders; /* n_folders of them instead of the stores */
    size_t n_folders;
} ullage_stores_options;

/* Errors: USAGE (no such store), IO (a named folder cannot be read), MEMORY. */
ULLAGE_API int ullage_stores_find(ullage_stores **stores, const ullage_stores_options *options,
                                  ullage_error *err);
ULLAGE_API void ullage_stores_free(ullage_stores *stores);
ULLAGE_API const ullage_found *ullage_stores_list(const ullage_stores *stores, size_t *n);
/* Whether there was more than a walk goes through. */
ULLAGE_API int ullage_stores_cut(const ullage_stores *stores);

/* The one that a text names: STORE:NAME, the end of such a name from a slash on, a file's own name.
 * Of Ollama's, what is missing is the default ("ollama:llama3.2" is llama3.2:latest). NULL with the
 * error set: IO (none), USAGE (several files). */
ULLAGE_API const ullage_found *ullage_stores_named(const ullage_stores *stores, const char *text,
                                                   ullage_error *err);
/* The i-th store's name, from 0; NULL past the last. */
ULLAGE_API const char *ullage_store_at(size_t i);
/* The store that a text begins with ("ollama:..."), or NULL. */
ULLAGE_API const char *ullage_store_of(const char *text);

/* ------------------------------------------------------------------ what a file is
 *
 * By its bytes: a GGUF model, an encoder, an adapter, a control vector, an importance matrix, other
 * formats of models, half a download, and what servers send instead. */

typedef struct ullage_sniffing ullage_sniffing;

typedef struct ullage_sniff_info {
    const char *path;
    const char *kind;      /* "model", "mmproj", "lora", "control-vector", "imatrix", "vocab", "gguf",
                              "safetensors", "safetensors-index", "config", "pytorch", "pickle", "numpy",
                              "ggml", "imatrix-dat", "onnx", "zip", "tar", "gzip", "zstd", "xz", "hdf5",
                              "git-lfs", "html", "json", "text", "program", "zeros", "empty", "unknown" */
    const char *what;      /* in words, with what the file says of itself */
    const char *hint;      /* what it is for; NULL: nothing to say */
    uint64_t size_bytes;   /* as it is here; UINT64_MAX: not known */
    uint64_t whole_bytes;  /* as its header says; UINT64_MAX: it does not */
    uint32_t shard, shards; /* from 1 */
    const ullage_note *faults; /* what is wrong with it */
    size_t n_faults;
} ullage_sniff_info;

/* `reader`: opens and reads `name`, from the front only; NULL: a path on this machine, whose
 * neighbours (other shards) are looked for. Errors: IO, MEMORY. */
ULLAGE_API int ullage_sniff(ullage_sniffing **sniffing, const ullage_reader *reader,
                            const char *name, ullage_error *err);
ULLAGE_API void ullage_sniff_free(ullage_sniffing *sniffing);
ULLAGE_API const ullage_sniff_info *ullage_sniff_describe(const ullage_sniffing *sniffing);
/* A few lines, or JSON of schema_version 1. */
ULLAGE_API char *ullage_sniff_render(const ullage_sniffing *sniffing, int format);

/* ------------------------------------------------------------------ settings */

typedef struct ullage_settings ullage_settings;

/* llama-server's defaults. NULL when out of memory. */
ULLAGE_API ullage_settings *ullage_settings_new(void);
ULLAGE_API void ullage_settings_free(ullage_settings *settings);

/* Reads llama-server flags: args[0..n-1], without the program's name. Every flag of the pinned
 * llama-server is known; those that do not move memory are accepted and ignored. A flag given
 * twice counts the last time, as in the engine. Errors: USAGE (the message names the nearest
 * spelling), MEMORY. */
ULLAGE_API int ullage_settings_parse(ullage_settings *settings, int n, const char *const *args,
                                     ullage_error *err);

/* The same for the LLAMA_ARG_* variables in `environ`-style text ("NAME=value", NULL at the end).
 * Call it before ullage_settings_parse: flags win. */
ULLAGE_API int ullage_settings_environment(ullage_settings *settings, const char *const *env,
                                           ullage_error *err);

/* One flag and its value (NULL when it takes none), for launchers that keep settings as pairs:
 * ullage_settings_set(s, "-c", "32768", &err). */
ULLAGE_API int ullage_settings_set(ullage_settings *settings, const char *flag, const char *value,
                                   ullage_error *err);

/* The model's path (-m) that the flags named, or NULL; and what -hf, -dr, -mu or a preset named: a
 * model that is not a file here. */
ULLAGE_API const char *ullage_settings_model(const ullage_settings *settings);
ULLAGE_API const char *ullage_settings_remote_model(const ullage_settings *settings);

/* What the engine reads otherwise, warns about or refuses in the flags given so far. A plan's notes
 * hold them too. */
ULLAGE_API const ullage_note *ullage_settings_notes(const ullage_settings *settings, size_t *n);

/* Files that the flags name and that the engine loads beside the model: a draft model (-md), a
 * projector for images and sound (--mmproj), adapters (--lora), control vectors. A plan counts those
 * whose headers it was given; of the others it says that they are missing. */
enum ullage_companion_kind {
    ULLAGE_NO_COMPANION, ULLAGE_DRAFT_MODEL, ULLAGE_PROJECTOR, ULLAGE_ADAPTER, ULLAGE_CONTROL_VECTOR
};
typedef struct ullage_companion {
    int kind;          /* ULLAGE_NO_COMPANION: there is none */
    const char *name;  /* the file, as the flag names it */
    const char *flag;  /* which flag that was */
    int opened;        /* 1 when its header was given */
} ullage_companion;

ULLAGE_API size_t ullage_settings_companions(const ullage_settings *settings);
ULLAGE_API ullage_companion ullage_settings_companion(const ullage_settings *settings, size_t i);

/* Gives the header of the i-th one, opened as a model is (ullage_open and its like). It is the
 * settings' then, and closed with them; after an error it stays the caller's. Plans made with the
 * settings point to it. Errors: USAGE (not a file of that kind, or no such companion). */
ULLAGE_API int ullage_settings_attach(ullage_settings *settings, size_t i, ullage_model *file,
                                      ullage_error *err);

/* Adds a note of the caller's own. Errors: MEMORY. */
ULLAGE_API int ullage_settings_note(ullage_settings *settings, const char *code, const char *text);

/* For how many rows of logits the compute graph reserves: ULLAGE_OUTPUTS_SLOTS as llama-server,
 * ULLAGE_OUTPUTS_BATCH as llama-completion and llama-fit-params, or a number. */
#define ULLAGE_OUTPUTS_SLOTS 0
#define ULLAGE_OUTPUTS_BATCH (-1)
ULLAGE_API void ullage_settings_outputs(ullage_settings *settings, int outputs);

/* Takes `bytes` a device for the compute buffers instead of computing them (source: assumed). */
ULLAGE_API void ullage_settings_assume_compute(ullage_settings *settings, uint64_t bytes);

/* For speeds: how many tokens are in the cache (0). */
ULLAGE_API void ullage_settings_depth(ullage_settings *settings, uint32_t tokens);

/* The flag table, for help texts and completion. */
enum ullage_flag_memory {
    ULLAGE_FLAG_FREE = 0,  /* moves no memory by itself */
    ULLAGE_FLAG_MODELLED,  /* moves memory, and a plan follows it */
    ULLAGE_FLAG_UNMODELLED /* moves memory, and makes what it touches unknown */
};

typedef struct ullage_flag {
    const char *const *names;     /* n_names spellings: "-c", "--ctx-size" */
    const char *const *negations; /* n_negations: "-nkvo", "--no-kv-offload" */
    size_t n_names, n_negations;
    const char *value, *value2;   /* what its values are called, "N"; NULL when it takes none */
    const char *env;              /* its environment variable, or NULL */
    const char *help;             /* one line */
    const char *group;            /* "common", "sampling", "speculative", "server", "older" */
    int memory;                   /* enum ullage_flag_memory */
} ullage_flag;

/* Fills *flag with the flag of that index (from 0) or spelling; 0 when there is none. */
ULLAGE_API int ullage_flag_at(size_t index, ullage_flag *flag);
ULLAGE_API int ullage_flag_find(const char *name, ullage_flag *flag);

/* The words that the flag of that index takes ("none", "layer" ...), from 0; NULL past the last and
 * for flags that take anything. */
ULLAGE_API const char *ullage_flag_word(size_t index, size_t word);

/* The nearest of n words to a mistyped one; NULL when n is 0. */
ULLAGE_API const char *ullage_nearest(const char *word, const char *const *words, size_t n);
/* The same; NULL also when more than a third of its letters would have to be wrong. */
ULLAGE_API const char *ullage_near(const char *word, const char *const *words, size_t n);

/* ------------------------------------------------------------------ machines */

typedef struct ullage_machine ullage_machine;

/* A machine with no GPU, unknown host memory and an unknown CPU. NULL when out of memory. */
ULLAGE_API ullage_machine *ullage_machine_new(void);
ULLAGE_API void ullage_machine_free(ullage_machine *machine);
ULLAGE_API uint32_t ullage_machine_gpus(const ullage_machine *machine); /* how many it has */

/* A GPU as the machine has it. */
typedef struct ullage_gpu {
    const char *name, *backend; /* "" when it has no name; "cuda" ... */
    uint64_t total, used, l2;   /* bytes; l2 0: not known */
    int cc, sm, unified;        /* compute capability x 10 (89), multiprocessors; 0: not known */
    uint64_t runtime;           /* what a process takes on it besides buffers */
} ullage_gpu;

/* The i-th; 0 past the last, else 1. */
ULLAGE_API int ullage_machine_gpu_at(const ullage_machine *machine, uint32_t i, ullage_gpu *gpu);

/* Adds a GPU: a size ("24GiB"), or a device of the catalogue ("RTX 4090", "2x RTX 3090", "M3 Max
 * 64GB"), each with keys behind it or keys alone ("name=RTX 4090,total=24564MiB,used=1203MiB,cc=8.9,
 * sm=128,backend=cuda,bandwidth=1008GB/s,link=32GB/s,driver=windows"). `driver` chooses among the
 * totals that a catalogue's device was seen to report: linux (when missing), windows, smi; macos15
 * and macos26 among Apple's shares. `total` is what the runtime reports (cudaMemGetInfo on CUDA), `used` what other
 * programs hold of it. The first is CUDA0. Errors: USAGE, MEMORY. */
ULLAGE_API int ullage_machine_add_gpu(ullage_machine *machine, const char *spec, ullage_error *err);

/* What the CPU can read of its memory a second, in bytes; 0: unknown. With it, and each GPU's
 * bandwidth (bandwidth=1008GB/s, or the catalogue's), a plan has a speed. */
ULLAGE_API void ullage_machine_ram_bandwidth(ullage_machine *machine, double bytes_per_second);

/* Memory the host can give: the smaller of what is available and the cgroup's limit. */
ULLAGE_API void ullage_machine_ram(ullage_machine *machine, uint64_t bytes);

/* What the host has in all, used or not: where no GPU is used, llama-server's --fit compares with
 * that. Missing: what it can give. */
ULLAGE_API void ullage_machine_ram_total(ullage_machine *machine, uint64_t bytes);

/* The CPU back-end by ggml's variant name (x64, haswell, skylakex, zen4, apple_m1 ...). It decides
 * which weights are repacked. Errors: USAGE. */
ULLAGE_API int ullage_machine_cpu(ullage_machine *machine, const char *variant, ullage_error *err);

/* What stays free on each device: bytes, or a percentage of its total ("5%"). */
ULLAGE_API int ullage_machine_reserve(ullage_machine *machine, const char *spec, ullage_error *err);

/* A size in bytes: "24GiB", "24GB" (decimal), "24564MiB", "1.5G" (binary, as GiB), "1048576".
 * Errors: USAGE. */
ULLAGE_API int ullage_parse_size(const char *text, uint64_t *bytes, ullage_error *err);

/* A bandwidth in bytes a second: "1008GB/s", "1.008TB/s", "1008" (GB/s). Errors: USAGE. */
ULLAGE_API int ullage_parse_rate(const char *text, double *bytes_per_second, ullage_error *err);

/* The names that ullage_machine_cpu takes, from 0; NULL past the last. */
ULLAGE_API const char *ullage_cpu_variant(size_t index);

/* The process's own context on each device, and what a prompt adds (both assumed when not set). */
ULLAGE_API void ullage_machine_runtime(ullage_machine *machine, ullage_bytes runtime);
ULLAGE_API void ullage_machine_prompt_peak(ullage_machine *machine, ullage_bytes peak);
/* The same for one GPU alone, from 0, where they were measured; UNKNOWN leaves the machine's. */
ULLAGE_API void ullage_machine_gpu_figures(ullage_machine *machine, uint32_t gpu,
                                           ullage_bytes runtime, ullage_bytes prompt_peak);
/* What its spec calls it; NULL: there is no such GPU. */
ULLAGE_API const char *ullage_machine_gpu_name(const ullage_machine *machine, uint32_t gpu);

/* ------------------------------------------------------------------ known devices */

/* A GPU, a chip with one, or a platform, as the catalogue knows it. Numbers that nobody was seen to
 * state are 0, texts NULL. */
typedef struct ullage_known_device {
    const char *name, *vendor, *family;
    const char *chip;    /* "8.9" (compute capability), "gfx1151" */
    const char *kind;    /* "gpu", "soc", "cpu-platform" */
    const char *backend; /* its usual one: "cuda", "rocm", "metal", "sycl", "cpu" */
    double memory_gib;   /* as sold */
    double total_mib;    /* as `reported_by` printed it */
    double total_linux_mib, total_windows_mib; /* the least that CUDA reported there */
    double bandwidth_gbs, fp16_tflops, fp32_tflops; /* peaks; fp16: matrix units, dense */
    double l2_mib;
    double share;        /* of a shared memory, what the GPU may use by default */
    int units;           /* multiprocessors, compute units, Xe or GPU cores */
    int unified;         /* its memory is the host's */
    int tdp_w, pcie_gen, pcie_lanes;
    const char *released, *confidence, *reported_by, *reported_also, *reported_source, *notes;
    const char *source;  /* where the figures were seen */
} ullage_known_device;

/* The row of that index, from 0; NULL past the last. */
ULLAGE_API const ullage_known_device *ullage_known_device_at(size_t index);

/* Bytes a second that the one device of that name reads of its memory; 0 when there is not exactly
 * one, or it is not known. */
ULLAGE_API double ullage_known_bandwidth(const char *name);

/* Whether every word of `pattern` begins a word of the row's names ("rtx 30", "3090", "amd 7900");
 * case, blanks and dashes do not count. */
ULLAGE_API int ullage_known_device_matches(const ullage_known_device *device, const char *pattern);

/* ------------------------------------------------------------------ arithmetic
 *
 * The parts of a plan that are school arithmetic, for people who have a handful of numbers and no
 * file. Where a plan's rule is this simple the plan uses these functions. Every assumption is an
 * argument: a uniform weight type, a compute buffer, a cap. Nothing here needs a handle. */

/* Values and bytes a block of a ggml type ("q8_0": 32 and 34; any case). USAGE for an unknown name. */
ULLAGE_API int ullage_type_block(const char *type, uint32_t *values, uint32_t *bytes,
                                 ullage_error *err);

/* Bytes of `values` values in a type; a fraction of a block counts as that fraction, as when one
 * averages over a model. Negative when the type is unknown. */
ULLAGE_API double ullage_type_bytes(const char *type, double values);

/* A dense decoder by its published numbers. head_dim 0 means n_embd / n_head. */
typedef struct ullage_shape {
    uint64_t n_embd, n_layer, n_head, n_head_kv, head_dim, n_ff, n_vocab;
    int tied;               /* the output projection is the embedding */
    uint64_t n_expert;      /* 0: dense; else n_ff is one expert's */
    uint64_t n_expert_used;
} ullage_shape;

/* Elements of each part; norms are two vectors a layer and one at the end. */
typedef struct ullage_counts {
    uint64_t attention, mlp, router, norms, layer; /* of one layer; layer is the sum */
    uint64_t expert;                               /* one expert of one layer; 0 when dense */
    uint64_t embedding, output, total;
} ullage_counts;

ULLAGE_API int ullage_shape_counts(const ullage_shape *shape, ullage_counts *counts,
                                   ullage_error *err);

/* Bytes of keys and values for `tokens` cells in every layer that keeps them:
 * layers x KV heads x (K length x K type + V length x V type) x tokens. head_v 0: no values are
 * kept (latent attention). USAGE for an unknown type or a row that its block does not divide. */
ULLAGE_API int ullage_kv_bytes(uint64_t n_layer, uint64_t n_head_kv, uint64_t head_k,
                               uint64_t head_v, const char *type_k, const char *type_v,
                               uint64_t tokens, uint64_t *bytes, ullage_error *err);

/* Cells of a sliding-window cache: min(base, window x (unified ? sequences : 1) + ubatch), rounded
 * up to 256. Source: src/llama-kv-cache-iswa.cpp, llama_kv_cache_iswa. */
ULLAGE_API uint64_t ullage_window_cells(uint64_t base, uint64_t window, uint64_t n_seq_max,
                                        int kv_unified, uint64_t n_ubatch);

/* The state of one linear-attention layer and sequence, in 32-bit floats: the recurrent part
 * (d_state x d_inner) and the convolution's ((d_conv - 1) x (d_inner + 2 x n_group x d_state)).
 * Source: src/llama-hparams.cpp, n_embd_s and n_embd_r. */
ULLAGE_API void ullage_state_values(uint64_t d_conv, uint64_t d_inner, uint64_t d_state,
                                    uint64_t n_group, uint64_t *recurrent, uint64_t *convolution);

/* How llama-server divides a context among slots. n_parallel < 0: auto (4 slots, one pool). */
typedef struct ullage_slots {
    uint32_t n_ctx, n_ctx_seq, n_seq_max;
    int kv_unified;
} ullage_slots;

ULLAGE_API ullage_slots ullage_slots_divide(uint32_t n_ctx, int n_parallel, int kv_unified);

/* What a device has left for a model: total - used - runtime - share x total. 0 when nothing is. */
ULLAGE_API uint64_t ullage_budget(uint64_t total, uint64_t used, uint64_t runtime, double share);

/* The longest context, a multiple of 256, whose cache fits beside `fixed` bytes in `budget`, at
 * most `cap` tokens (0: no cap). */
ULLAGE_API uint64_t ullage_longest_context(uint64_t budget, uint64_t fixed,
                                           uint64_t bytes_per_token, uint64_t cap);

/* The largest -ngl whose layers fit: the output layer first, then whole blocks with their cache.
 * n_layer blocks, so at most n_layer + 1. Source: src/llama-model.cpp, load_tensors. */
ULLAGE_API uint32_t ullage_layers_that_fit(uint64_t budget, uint64_t compute, uint64_t output,
                                           uint64_t layer_weights, uint64_t layer_kv,
                                           uint32_t n_layer);

/* Milliseconds that reading `bytes` takes at a bandwidth: of a token, at best, on one device. Devices
 * work one after the other, so their times add up. */
ULLAGE_API double ullage_read_ms(uint64_t bytes, double bytes_per_second);

/* ------------------------------------------------------------------ plans */

typedef struct ullage_plan ullage_plan;

/* What llama-server would hold if it were started with these settings. Where they leave -c or -ngl
 * open, its own --fit chooses first, and the plan is that of its choice (ullage_plan_engine_fit says
 * what it did). With "-fit off" among the settings nothing is chosen: what is open follows the plain
 * rule, every layer on the GPUs and the training context. Errors: REFUSED, UNKNOWN, MEMORY. */
ULLAGE_API int ullage_plan_make(ullage_plan **plan, const ullage_model *model,
                                const ullage_settings *settings, const ullage_machine *machine,
                                ullage_error *err);
/* The same in a handle that holds a plan already, whose memory is used again: for programs that make
 * plans by the thousand. What the old plan returned is gone, and after an error the plan is empty. */
ULLAGE_API int ullage_plan_remake(ullage_plan *plan, const ullage_model *model,
                                  const ullage_settings *settings, const ullage_machine *machine,
                                  ullage_error *err);
ULLAGE_API void ullage_plan_free(ullage_plan *plan);

/* What llama-server's own --fit did before the plan. It looks whether every device keeps its target
 * free (-fitt), else shortens a context that is open (to -fitc at least), then moves layers and
 * experts to the host, and gives up when -ngl, -ts, -ot, -ncmoe or -sm stands in its way: the
 * server goes on with the flags as they are then. A plan's notes say it in words ("fit_applied",
 * "fit_gave_up"). */
typedef struct ullage_engine_fit {
    int ran;           /* 0: -fit off, or nothing is known that it could compare with */
    int changed;       /* the plan is not that of the plain rule */
    int certain;       /* 0: some compute buffer is not known, and the choice may differ */
    const char *flags; /* its choice as llama-fit-params prints it, -ot unquoted: "-c 13312 -ngl -1" */
    const char *why_not; /* why it gave up, as the engine says it; NULL: it did not */
    const char *short_of; /* the device that keeps least of its target, before any change; NULL: none */
    uint64_t short_bytes, target_bytes; /* what it lacks of the target, and the target */
} ullage_engine_fit;

ULLAGE_API const ullage_engine_fit *ullage_plan_engine_fit(const ullage_plan *plan);

typedef struct ullage_buffer {
    const char *buffer; /* the engine's buffer type: CUDA0, CPU_Mapped, CUDA_Host, CPU_REPACK ... */
    const char *kind;   /* model, kv, rs, output, compute, or a newer cache's own name */
    ullage_bytes size;  /* the sum over the objects of this kind in this buffer type */
    uint32_t count;     /* how many objects (allocations) make it up */
    const char *of;     /* whose: "model", "draft", "projector", "adapter" or "control vector" */
} ullage_buffer;

typedef struct ullage_cache {
    uint32_t cells, layers, streams; /* cells a stream */
    const char *k_type, *v_type;
    uint64_t k_bytes, v_bytes;
} ullage_cache;

typedef struct ullage_device {
    const char *name, *description; /* "CUDA0", "RTX 4090"; the host is last, "Host" */
    ullage_bytes total, used;
    ullage_bytes model;   /* weights, and copies of experts kept for them (moe_cache) */
    ullage_bytes context; /* kv + state */
    ullage_bytes kv, state;
    ullage_bytes output, compute, runtime, prompt_peak;
    ullage_bytes workspace; /* cuBLAS's, taken when a product first needs it */
    ullage_bytes rounding; /* what the driver adds when it gives memory in steps */
    ullage_bytes draft;    /* of the draft model or draft head: weights, caches, outputs, compute */
    ullage_bytes projector; /* weights and compute */
    ullage_bytes adapters; /* and control vectors */
    ullage_bytes needed;  /* the sum of all parts that are known, as the driver charges it */
    ullage_bytes budget;  /* total - used - reserve */
    int64_t left_bytes;   /* budget - needed: the ullage; negative when it does not fit */
    int fits;             /* what is known fits: 1 yes, 0 no, -1 the budget is unknown */
} ullage_device;

/* What llama-server may take in host memory while it serves, beyond the load. */
typedef struct ullage_growth {
    const char *name;     /* "prompt cache", "context checkpoints" */
    const char *flag;     /* the flag that limits it */
    ullage_bytes up_to;   /* unknown source: no limit is set, or no rule is known */
} ullage_growth;

/* A layer: its weights and what it keeps, and the device it is on. The output layer is last. */
typedef struct ullage_layer_row {
    const char *device;
    int kind;             /* enum ullage_layer_kind */
    uint64_t weight_bytes, kv_bytes, state_bytes;
} ullage_layer_row;

typedef struct ullage_context {
    uint32_t n_ctx, n_ctx_seq, n_seq_max, n_batch, n_ubatch, n_outputs;
    int kv_unified, flash_attn;
    const char *type_k, *type_v;
} ullage_context;

ULLAGE_API const ullage_context *ullage_plan_context(const ullage_plan *plan);
ULLAGE_API const ullage_buffer *ullage_plan_buffers(const ullage_plan *plan, size_t *n);
ULLAGE_API const ullage_cache *ullage_plan_caches(const ullage_plan *plan, size_t *n);
ULLAGE_API const ullage_device *ullage_plan_devices(const ullage_plan *plan, size_t *n);
ULLAGE_API const ullage_note *ullage_plan_notes(const ullage_plan *plan, size_t *n);

ULLAGE_API const ullage_growth *ullage_plan_growth(const ullage_plan *plan, size_t *n);
ULLAGE_API const ullage_layer_row *ullage_plan_layers(const ullage_plan *plan, size_t *n);

/* The graphs that the engine would log: of the prompt's batch and of the generation's. `copies` is
 * how often inputs are kept (4 with pipeline parallelism). 0 when they are not known. */
typedef struct ullage_graph_info {
    uint32_t nodes[2], splits[2], copies;
} ullage_graph_info;

ULLAGE_API ullage_graph_info ullage_plan_graphs(const ullage_plan *plan);

/* Whether everything known fits on every device whose budget is known (1, 0; -1 when no budget is),
 * and whether some figure that belongs to the load is unknown. */
ULLAGE_API int ullage_plan_fits(const ullage_plan *plan);
ULLAGE_API int ullage_plan_partial(const ullage_plan *plan);

/* ------------------------------------------------------------------ what was seen
 *
 * The engine itself, run with a plan's settings on a simulated device, shows what it holds. Put into
 * the plan, that stands where computed figures stood, and the two can be compared. */

typedef struct ullage_seen_part {
    const char *device, *kind; /* "CUDA0" or "Host"; a buffer's kind */
    uint64_t bytes;
} ullage_seen_part;

typedef struct ullage_seen_device {
    const char *name;
    uint64_t context; /* what the process took besides buffers when it had loaded */
    uint64_t prompt;  /* what its pool grew to, at most */
    uint64_t workspace; /* and what else it took after loading */
    uint64_t charged; /* all of it, as the driver counts */
    int whole_prompt; /* 1: a whole batch was read, so that `prompt` can be compared */
} ullage_seen_device;

typedef struct ullage_seen {
    const ullage_buffer *buffers;      /* as the engine names them */
    const ullage_seen_part *parts;     /* the same by the device whose memory it is */
    const ullage_seen_device *devices; /* GPUs */
    size_t n_buffers, n_parts, n_devices;
} ullage_seen;

/* Names are copied. Errors: MEMORY. */
ULLAGE_API int ullage_plan_observe(ullage_plan *plan, const ullage_seen *seen, ullage_error *err);

/* A buffer as it was seen and as it was computed; and with the kinds "prompt" and "workspace" what
 * was taken for a prompt. None until something was seen. */
typedef struct ullage_compared {
    const char *buffer, *kind;
    ullage_bytes seen, computed; /* 0 bytes: not there; source UNKNOWN: no rule is known */
} ullage_compared;

ULLAGE_API const ullage_compared *ullage_plan_compared(const ullage_plan *plan, size_t *n);

/* ------------------------------------------------------------------ speed */

/* Tokens a second. No run is faster than `bound`, which reads every byte once at the full
 * bandwidth; `expected` adds what a back-end was seen to lose, and most runs are between `low` and
 * `high`. 0: not known. */
typedef struct ullage_rate {
    double bound, expected, low, high;
} ullage_rate;

/* What one device does for a token, and for a prompt. Times are milliseconds; 0 where unknown. */
typedef struct ullage_speed_part {
    const char *device;      /* "CUDA0" ...; the host is last, "Host" */
    double bandwidth;        /* bytes a second; 0: unknown */
    uint64_t weight_bytes;   /* weights that a token reads: of experts, the used ones */
    uint64_t cache_bytes;    /* keys, values and states that it reads at this depth */
    double weight_ms, cache_ms;                    /* at the full bandwidth: the bound */
    double fixed_ms;         /* as seen: what its layers take whatever they read */
    double expected_ms;      /* all of it, as seen; 0: no run of such a device was */
    uint64_t crossing_bytes; /* weights of the host that a prompt's batch copies to this device */
    double prompt_flops;     /* arithmetic of a prompt's token on this device */
} ullage_speed_part;

#define ULLAGE_MAX_PARTS 17

typedef struct ullage_speed {
    uint32_t depth;          /* tokens in the cache before the one that is generated: as asked, or
                                what a sequence holds when that is less */
    ullage_rate generation, prompt;
    const char *basis;       /* what the expectation rests on, or why there is none */
    ullage_speed_part part[ULLAGE_MAX_PARTS];
    size_t n_parts;
} ullage_speed;

/* How fast one sequence goes with `depth` tokens in its cache, each of the devices after the other.
 * Rates are 0 where a bandwidth of a device that takes part is unknown. */
ULLAGE_API void ullage_plan_speed(const ullage_plan *plan, uint32_t depth, ullage_speed *speed);

/* ------------------------------------------------------------------ vLLM
 *
 * What a `vllm serve` line will have for its KV cache: blocks, tokens, requests. From the available
 * bytes on it is vLLM's own integer arithmetic; what is available depends on a profiling run, and
 * is an interval unless the caller has a measured figure or the line fixes it
 * (--kv-cache-memory-bytes). */

typedef struct ullage_vllm ullage_vllm;

typedef struct ullage_vllm_options {
    const char *version;     /* "0.27"; NULL: the newest known */
    ullage_bytes weights;    /* of each rank, when the caller knows them */
    ullage_bytes profiled;   /* what profiling takes beside the weights, when it was measured */
    const ullage_reader *reader; /* reads the model that the words name, when it is not on the disk */
    const char *name;        /* and what its config.json is called there */
} ullage_vllm_options;

/* A group of layers that share block ids. */
typedef struct ullage_vllm_group {
    const char *kind;        /* "full", "latent", "window", "chunk", "state" */
    uint32_t layers;         /* caches in it: a layer may have several */
    uint64_t block_tokens;
    uint64_t page_bytes;     /* of a block, in one layer; in all when their sizes differ */
    uint64_t request_blocks; /* that one request of the longest length holds */
} ullage_vllm_group;

/* A pipeline stage: what each of its ranks has. */
typedef struct ullage_vllm_stage {
    uint32_t first_layer, end_layer;
    ullage_bytes total;      /* of the smallest of its GPUs */
    ullage_bytes requested, weights;
    ullage_bytes available_low, available_high; /* for the cache */
    uint64_t block_bytes, need_bytes; /* need: of one request, as the start-up check counts */
} ullage_vllm_stage;

/* What the log will say, and what it follows from. */
typedef struct ullage_vllm_pool {
    uint64_t max_len;        /* tokens of the longest request */
    uint64_t blocks, request_blocks;
    uint64_t tokens;         /* "GPU KV cache size" */
    double concurrency;      /* "Maximum concurrency" */
    uint64_t longest;        /* the longest --max-model-len that starts; 0: none does */
    int starts;
} ullage_vllm_pool;

typedef struct ullage_vllm_info {
    const char *model, *model_class, *version;
    const char *quantization;    /* NULL: none */
    const char *cache_type, *state_mode; /* state_mode NULL: no states */
    const char *unknown;         /* why the caches are not known; NULL: they are */
    const char *unknown_weights; /* why the weights are not; NULL: they are */
    uint32_t tp, pp, dp, dcp, pcp, n_gpus; /* n_gpus: that the line asks for */
    uint64_t block_tokens, batched_tokens, max_seqs, in_flight_tokens, draft_tokens;
    double speed_bound;          /* tokens a second of one request that no run exceeds; 0: unknown */
    uint64_t profiled_low, profiled_high; /* bytes */
    const char *profiled_basis;
    int known;                   /* whether low and high mean something */
    int exact;                   /* whether they are the same by rule */
    ullage_vllm_pool low, high;  /* with the least and the most that may be available */
} ullage_vllm_info;

/* Plans `vllm serve` for the model that the words name: a config.json, or a folder with one; headers
 * of safetensors files beside it are read for the weights. Caches and weights that no rule is known
 * for are unknown in the result, which is no error. Errors: USAGE, IO, INPUT, REFUSED (as vLLM
 * refuses), UNKNOWN (the version), MEMORY. */
ULLAGE_API int ullage_vllm_make(ullage_vllm **plan, int n, const char *const *words,
                                const ullage_machine *machine, const ullage_vllm_options *options,
                                ullage_error *err);
/* The same with the configuration's text given; the words name a model for headings, or none. */
ULLAGE_API int ullage_vllm_make_memory(ullage_vllm **plan, const char *config, size_t size, int n,
                                       const char *const *words, const ullage_machine *machine,
                                       const ullage_vllm_options *options, ullage_error *err);
ULLAGE_API void ullage_vllm_free(ullage_vllm *plan);
/* Which of the words names the model, as it stands there; NULL when none does or the line is wrong. */
ULLAGE_API const char *ullage_vllm_model(int n, const char *const *words);

ULLAGE_API const ullage_vllm_info *ullage_vllm_describe(const ullage_vllm *plan);
ULLAGE_API const ullage_vllm_group *ullage_vllm_groups(const ullage_vllm *plan, size_t *n);
ULLAGE_API const ullage_vllm_stage *ullage_vllm_stages(const ullage_vllm *plan, size_t *n);
ULLAGE_API const ullage_note *ullage_vllm_notes(const ullage_vllm *plan, size_t *n);
/* A table, or JSON of schema_version 1. The text is the caller's. */
ULLAGE_API char *ullage_vllm_render(const ullage_vllm *plan, int format, int color);

/* How many requests of how many tokens shall be served at once, and how many GPUs a machine has
 * (0: all are in one). */
typedef struct ullage_vllm_goal {
    uint64_t requests, tokens;
    uint32_t per_node;
} ullage_vllm_goal;

/* The fewest of the machine's GPUs that serve the goal whatever profiling takes, and how they are
 * used: the largest ones first; one engine before several, tensor parallelism within a machine
 * before pipelines, the model's cache type before fp8. What the words fix stays. That nothing does
 * is an answer, not an error: ullage_vllm_serves is 0, and the plan is that of the nearest miss.
 * Errors: as ullage_vllm_make. */
ULLAGE_API int ullage_vllm_fit(ullage_vllm **plan, int n, const char *const *words,
                               const ullage_machine *machine, const ullage_vllm_options *options,
                               const ullage_vllm_goal *goal, ullage_error *err);
/* What a plan that was not fitted is for: its launch commands follow it. */
ULLAGE_API void ullage_vllm_goal_set(ullage_vllm *plan, const ullage_vllm_goal *goal);
ULLAGE_API int ullage_vllm_serves(const ullage_vllm *plan);
/* The flags that the fit chose, one word each. */
ULLAGE_API const char *const *ullage_vllm_flags(const ullage_vllm *plan, size_t *n);

/* Commands that start what was planned, on machines of the goal's size: vLLM's own way over
 * several machines, Ray, a LeaderWorkerSet with its Service (YAML), or llama.cpp with RPC servers
 * for the same requests (of a GGUF file, which is a placeholder). */
enum ullage_launch {
    ULLAGE_LAUNCH_NATIVE, ULLAGE_LAUNCH_RAY, ULLAGE_LAUNCH_LWS, ULLAGE_LAUNCH_LLAMA_RPC
};
ULLAGE_API char *ullage_vllm_launch(const ullage_vllm *plan, int how, ullage_error *err);

/* The versions whose rules are known: from, to. */
ULLAGE_API void ullage_vllm_versions(const char **first, const char **last);

/* The budget as a lesson teaches it: a share of the card, less weights, activations and the rest,
 * all of it assumed; tokens are counted before they are rounded to blocks. vLLM rounds to blocks
 * first, so `printed_tokens` is what its log would say. */
typedef struct ullage_vllm_budget {
    double usable, cache;        /* bytes; cache 0: nothing is left */
    uint64_t tokens, blocks, printed_tokens;
    double requests;             /* of request_tokens each */
} ullage_vllm_budget;

ULLAGE_API int ullage_vllm_arithmetic(double total, double share, double weights,
                                      double activations, double overhead,
                                      uint64_t bytes_per_token, uint64_t block_tokens,
                                      uint64_t request_tokens, ullage_vllm_budget *budget,
                                      ullage_error *err);

/* SGLang's pool for DeepSeek-V4: bytes that a token takes, and the tokens of a budget less what is
 * fixed, rounded down to pages. */
typedef struct ullage_sglang_v4 {
    uint32_t layers, layers_4, layers_128; /* all; compressed by 4; by 128 */
    double window_share;                   /* --swa-full-tokens-ratio: 0.1 */
    uint32_t ring, state_bytes;            /* tokens of a state's ring, 8; of a value, 4 */
    int states_128;                        /* older versions: these states grow with the pool */
} ullage_sglang_v4;

ULLAGE_API double ullage_sglang_v4_token(const ullage_sglang_v4 *shape);
ULLAGE_API int ullage_sglang_tokens(double available, double fixed, double bytes_per_token,
                                    uint64_t page, uint64_t *tokens, ullage_error *err);

/* ------------------------------------------------------------------ fits
 *
 * The best settings that fit, for a model and a machine: whatever the settings given to the call
 * fix stays as it is, the rest is chosen. Every answer is backed by a plan of exactly those flags. */

typedef struct ullage_fit ullage_fit;

enum ullage_want {
    ULLAGE_WANT_CONTEXT = 0, /* fewest layers off the GPUs, then the longest context */
    ULLAGE_WANT_SPEED,       /* the fastest generation expected once min_context tokens are in the
                                cache, then the longest context that moves no layer; as CONTEXT
                                where no speed is known */
    ULLAGE_WANT_SLOTS        /* fewest layers off the GPUs, then the most slots */
};

typedef struct ullage_fit_options {
    int want;             /* enum ullage_want */
    uint32_t min_context; /* the shortest context a sequence may have; 0: --fit-ctx's (4096) */
    const char *allow;    /* what may be given up: "ctk=q8_0,ctv=q8_0,ub=256,np=1,nkvo"; or NULL */
} ullage_fit_options;

/* What llama.cpp's own --fit would choose for these settings on this machine, whatever -fit says, as
 * its flags: one text for the caller ("-c 13312 -ngl -1", "-c 4096 -ngl 20 -ts 12,8 -ot ..."), to be freed by
 * ullage_text_free. *failed is set when --fit gives up (the text is then what it leaves). Errors: those
 * of a plan. */
ULLAGE_API int ullage_fit_like_llama(char **flags, int *failed, const ullage_model *model,
                                     const ullage_settings *settings, const ullage_machine *machine,
                                     ullage_error *err);

/* Who chose a setting. */
enum ullage_chosen { ULLAGE_BY_ENGINE, ULLAGE_BY_USER, ULLAGE_BY_FIT };

typedef struct ullage_choice {
    const char *name, *flag; /* "ctk", "-ctk" */
    const char *value;       /* as the flag spells it; "" when there is none */
    const char *domain;      /* what it may be */
    const char *cost;        /* what a step away from the engine's default costs */
    int order;               /* of sacrifice, 1 first; 0: never given up */
    int asked;               /* 1: given up only when the options allow it by name */
    int by;                  /* enum ullage_chosen */
} ullage_choice;

/* Searches. That nothing fits is an answer, not an error: ullage_fit_found is 0, and the plan is
 * that of the nearest miss. Errors: USAGE (the options), REFUSED, UNKNOWN, MEMORY. */
ULLAGE_API int ullage_fit_make(ullage_fit **fit, const ullage_model *model,
                               const ullage_settings *settings, const ullage_machine *machine,
                               const ullage_fit_options *options, ullage_error *err);
ULLAGE_API void ullage_fit_free(ullage_fit *fit);

ULLAGE_API int ullage_fit_found(const ullage_fit *fit);
ULLAGE_API const ullage_plan *ullage_fit_plan(const ullage_fit *fit);
/* The flags to add to those that the settings were read from, one word each. */
ULLAGE_API const char *const *ullage_fit_flags(const ullage_fit *fit, size_t *n);
ULLAGE_API const ullage_choice *ullage_fit_choices(const ullage_fit *fit, size_t *n);
/* Which constraint bound ("bound_...") and the price of more ("price_..."). */
ULLAGE_API const ullage_note *ullage_fit_reasons(const ullage_fit *fit, size_t *n);
/* How many plans the search made. */
ULLAGE_API uint32_t ullage_fit_plans(const ullage_fit *fit);

/* ------------------------------------------------------------------ curves
 *
 * Load memory against the context's length. It is made of straight pieces: a window's cache stops
 * growing, the compute buffer's largest moment changes. Two measured lengths tell the truth for
 * lengths on the same piece only. */

typedef struct ullage_curve ullage_curve;

/* What a device holds after loading. */
typedef struct ullage_curve_load {
    uint64_t load;    /* the sum: all buffers, without the process's own context */
    uint64_t kv;      /* keys and values */
    uint64_t compute; /* the compute buffer */
} ullage_curve_load;

typedef struct ullage_curve_point {
    uint32_t n_ctx;
    int bend;                      /* 1 when some device's line bends here */
    const ullage_curve_load *load; /* one a device, the host last */
} ullage_curve_point;

/* A straight piece of one device's load, both ends included. */
typedef struct ullage_curve_stretch {
    uint32_t device, from, to; /* tokens */
    double bytes_per_token;
    const char *bend;          /* what bends at `from`: "KV cache", "compute"; NULL at the start */
} ullage_curve_stretch;

/* Plans with the settings' own flags but for -c, from the smallest length that fills a ubatch up
 * to `to` tokens (0: the training context). Errors: as ullage_plan_make; UNKNOWN when the compute
 * buffers are. */
ULLAGE_API int ullage_curve_make(ullage_curve **curve, const ullage_model *model,
                                 const ullage_settings *settings, const ullage_machine *machine,
                                 uint32_t to, ullage_error *err);
ULLAGE_API void ullage_curve_free(ullage_curve *curve);
ULLAGE_API const ullage_curve_point *ullage_curve_points(const ullage_curve *curve, size_t *n);
ULLAGE_API const ullage_curve_stretch *ullage_curve_stretches(const ullage_curve *curve, size_t *n);
ULLAGE_API const char *const *ullage_curve_devices(const ullage_curve *curve, size_t *n);

/* How far the line through two lengths is from the truth at a third, in bytes, on one device:
 * negative when it promises less than will be held. Lengths are rounded up as the engine does, and
 * must lie on the curve. Errors: USAGE, and those of ullage_plan_make. */
ULLAGE_API int ullage_curve_line_error(ullage_curve *curve, uint32_t device, uint32_t a, uint32_t b,
                                       uint32_t at, int64_t *bytes, ullage_error *err);

/* The same for a model that is known by its shape alone, all of it on GPUs: `type` is the weights'
 * ("q4_K"), `bits` their average a weight in the file (0: the type's), `gpu` as
 * ullage_machine_add_gpu takes it ("RTX 4090", "2x RTX 3090"). The link and prompts are not
 * considered. Errors: USAGE, MEMORY. */
ULLAGE_API int ullage_shape_speed(ullage_speed *speed, const ullage_shape *shape, const char *type,
                                  double bits, const char *type_kv, const char *gpu,
                                  uint32_t depth, ullage_error *err);

/* ------------------------------------------------------------------ text */

enum ullage_format { ULLAGE_TABLE, ULLAGE_JSON, ULLAGE_CSV, ULLAGE_SVG };
/* OP: the tensors that fill each compute buffer when it is fullest. */
enum ullage_by { ULLAGE_BY_DEVICE, ULLAGE_BY_BUFFER, ULLAGE_BY_LAYER, ULLAGE_BY_OP };

/* A plan as text: a table for people (`by` chooses its rows; `color` allows terminal colours), JSON
 * of schema_version 1 (always the whole plan), or CSV. The text is the caller's: give it to
 * ullage_text_free. NULL when out of memory. */
ULLAGE_API char *ullage_plan_render(const ullage_plan *plan, int format, int by, int color);

/* A fit as text for people (the plan, who chose what, the reasons), or as JSON with the plan in it.
 * `line` is the command line that the JSON shall quote, or NULL. */
ULLAGE_API char *ullage_fit_render(const ullage_fit *fit, const char *line, int format, int color);

/* What the file holds, as a table or JSON. */
ULLAGE_API char *ullage_model_render(const ullage_model *model, int format, int color);

/* The architectures, as a table or JSON; `pattern` (NULL: all) is looked for in their names. */
ULLAGE_API char *ullage_archs_render(const char *pattern, int format, int color);

/* A curve as a table with a plot below it, JSON, CSV or an SVG picture. */
ULLAGE_API char *ullage_curve_render(const ullage_curve *curve, int format, int color);

/* A plan's speed at the settings' depth, with its terms, as a table or JSON. */
ULLAGE_API char *ullage_speed_render(const ullage_plan *plan, int format);

/* The catalogue's devices that match `pattern` (NULL: all), as a table or JSON. */
ULLAGE_API char *ullage_known_devices_render(const char *pattern, int format);

/* A text as a JSON string, quotes included; what is no UTF-8 becomes U+FFFD. */
ULLAGE_API char *ullage_json_string(const char *text);

ULLAGE_API void ullage_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
