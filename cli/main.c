/* The command: finds the subcommand, reads its options, runs it. */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct cli_command cli_commands[] = {
    {.name = "plan", .usage = "MODEL.gguf [llama-server flags] [--gpu SPEC]...", .run = cmd_plan,
     .use = CLI_PLAN, .takes_flags = true,
     .summary = "what llama-server would hold in memory, and whether it fits",
     .about =
         "Prints what llama-server would hold for exactly this command: per device, per kind of\n"
         "buffer, whether it fits, and by how much. Only the file's header is read; no engine and\n"
         "no GPU are needed. A whole llama-server command line can be pasted after 'plan'. Where it\n"
         "leaves -c or -ngl open, the plan is of what the server's own --fit would choose (-fitt and\n"
         "-fitc count), and a note says what and why; -fit off plans every layer on the GPUs and the\n"
         "training context.\n"
         "\n"
         "  ullage plan model.gguf -c 32768 -np 1 --gpu 24GiB\n"
         "  ullage plan llama-server -m model.gguf -ngl 99 -fa on     (this machine's GPUs)\n"
         "  ullage plan model.gguf -ngl 20 --gpu 'name=RTX 4090,total=24564MiB,cc=8.9,sm=128'\n"
         "  ullage plan model.gguf --mmproj mmproj.gguf -md draft.gguf --spec-type draft-simple\n"
         "\n"
         "The model may also be a Hugging Face config.json, the folder of a checkpoint, or a name of\n"
         "the catalogue, as llama.cpp's converter would write it; --quant says which file of it.\n"
         "\n"
         "  ullage plan -hf ggml-org/gemma-3-4b-it-GGUF -c 32k   (its header only is fetched)\n"
         "  ullage plan config.json --quant Q4_K_M -c 32768 --gpu 24GiB\n"
         "  ullage plan llama-3.1-8b --quant all --gpu 'RTX 4090'\n"},
    {.name = "fit", .usage = "MODEL.gguf [flags that stay as they are] [--gpu SPEC]...",
     .run = cmd_fit, .use = CLI_FIT, .takes_flags = true,
     .summary = "the best llama-server flags that fit",
     .about =
         "Finds the settings that were left open and prints one llama-server command line; the plan\n"
         "and the reasons go to standard error: which constraint bound, and the price of more. What\n"
         "is given stays as it is. By default: as few layers off the GPUs as possible (experts\n"
         "first), then the longest context. Nothing that costs quality is given up unless --allow\n"
         "names it.\n"
         "\n"
         "  ullage fit model.gguf --gpu 24GiB\n"
         "  ullage fit model.gguf -np 1 -c 32768 --gpu 24GiB --gpu 12GiB --ram 64GiB\n"
         "  ullage fit model.gguf --gpu 8GiB --allow ctk=q8_0,ctv=q8_0 --min-context 16384\n"
         "  ullage fit model.gguf --want speed --gpu 'RTX 4090' --gpu 'RTX 3060 12GB' --min-context 16384\n"
         "  $(ullage fit model.gguf)          (this machine's GPUs, and start the server)\n"},
    {.name = "curve", .usage = "MODEL.gguf [llama-server flags] [--gpu SPEC]... [--to N]",
     .run = cmd_curve, .use = CLI_CURVE, .takes_flags = true,
     .summary = "load memory against the context's length, and where it bends",
     .about = "Plans at many lengths of context and prints what each device holds after loading. The\n"
              "line is straight in pieces only: a window's cache stops growing, a quantised cache's\n"
              "scratch overtakes the other tensors. Two measured lengths tell the truth only for\n"
              "lengths on the same piece. Layers stay where they are (-fit off).\n"
              "\n"
              "  ullage curve model.gguf -np 1 -ctk q8_0 -ctv q8_0 --gpu 80GiB --to 128k\n"
              "  ullage curve model.gguf -np 1 --gpu 24GiB --svg > curve.svg\n"},
    {.name = "measure", .usage = "[--gpu-budget SIZE] [options] -- llama-server -m MODEL.gguf [flags]",
     .run = cmd_measure, .use = CLI_MEASURE, .takes_program = true,
     .summary = "the longest context that fits, from two short runs of the server itself",
     .about =
         "Starts the server at two lengths of context, reads the memory that it holds, and draws a line;\n"
         "starts it once more at the longest length that the line allows, sends a prompt, and watches\n"
         "the peak. Where a plan can be computed, it says where the line bends, and each buffer in the\n"
         "server's log is compared with it. What is measured is kept for later plans on this machine\n"
         "('ullage history'); a measurement that was broken off goes on when it is started again.\n"
         "\n"
         "  ullage measure -- llama-server -m model.gguf -ngl 99 -fa on -np 1\n"
         "  ullage measure --gpu-budget 8GB --html report.html -- ./llama-server -m model.gguf -ngl 99\n"
         "  ullage measure --ctx-flag --max-model-len --ready http://127.0.0.1:8000/health \\\n"
         "      --prompt-cmd ./send.sh -- vllm serve model --port 8000\n"},
    {.name = "simulate", .usage = "[--gpu SPEC]... -- llama-server -m MODEL.gguf [flags]",
     .run = cmd_simulate, .use = CLI_SIMULATE, .takes_program = true,
     .summary = "what your own llama.cpp holds on GPUs that are not here",
     .about =
         "Runs a CUDA build of llama.cpp in front of a simulated CUDA: it plans and allocates as on the\n"
         "GPUs that are named, memory is counted and runs out, and kernels do nothing. No GPU is\n"
         "needed, and no weights: a model may be its header alone, or on a server. Prints the plan's\n"
         "table with the engine's own figures, and how far the computed ones are from them.\n"
         "llama-server is given a prompt when it is ready; other programs run to their end.\n"
         "\n"
         "  ullage simulate --gpu 'RTX 4090' -- llama-server -m model.gguf -ngl 99 -c 32768\n"
         "  ullage simulate --gpu '2x RTX 3090' -- ./llama-bench -m hf:owner/repo:Q4_K_M\n"},
    {.name = "history", .usage = "", .run = cmd_history, .use = CLI_HISTORY,
     .summary = "what was measured on this machine",
     .about = "Lists the measurements that are stored, newest first, with their conditions and figures.\n"},
    {.name = "table", .usage = "MODEL.gguf [llama-server flags] [--gpu SPEC]...", .run = cmd_table,
     .use = CLI_FIT, .takes_flags = true,
     .summary = "which cache type or quantisation fits which context, in one picture",
     .about =
         "Plans the model with each cache type at each context, or with --quant all in each of\n"
         "llama-quantize's types, and prints what is left on the fullest device, or what it lacks.\n"
         "Every layer is on the GPUs, unless -ngl says otherwise; other flags are kept.\n"
         "\n"
         "  ullage table model.gguf -np 1 --gpu 24GiB\n"
         "  ullage table llama-3.1-8b --quant all -ctk q8_0 -ctv q8_0 --gpu 'RTX 3060 12GB'\n"},
    {.name = "check", .usage = "LOG|- [MODEL] [llama-server flags] [--gpu SPEC]...",
     .run = cmd_check, .use = CLI_CHECK, .takes_flags = true, .takes_two = true,
     .summary = "a server's log beside what is computed, buffer by buffer",
     .about =
         "Reads the log of a llama.cpp program (llama-server -lv 4, of any build), finds its flags,\n"
         "devices and buffers, and sets beside each what a plan of MODEL has. Where a figure differs,\n"
         "the flags, GPU or back-end that give it exactly are named, if any do. Flags and GPUs that\n"
         "the log does not show can be given, and a command line pasted before the log is read too.\n"
         "Without MODEL, what the log prints of the model's shape gives caches, states and logits.\n"
         "\n"
         "vLLM's start-up logs are read as well: MODEL is then a config.json or a folder with one.\n"
         "From the logged budget on, tokens and concurrency are compared to the integer, and what\n"
         "profiling took is measured.\n"
         "\n"
         "The status is 0 when all that was compared agrees, 1 when something differs, 3 when the log\n"
         "cannot be read, 4 when it has nothing to compare.\n"
         "\n"
         "  llama-server -m model.gguf -lv 4 2>&1 | tee server.log\n"
         "  ullage check server.log model.gguf\n"
         "  ullage check - < server.log\n"
         "  ullage check vllm.log Qwen3-8B/config.json --gpu 'RTX 5090'\n"},
    {.name = "show", .usage = "MODEL.gguf", .run = cmd_show, .use = CLI_SHOW,
     .summary = "what a model file holds: layers, heads, types, parameters",
     .about = "Describes the file from its header: architecture, parameters, bits per weight by\n"
              "type, layers by kind, and the bytes of cache that a token costs.\n"},
    {.name = "list", .usage = "[DIR|TEXT]... [--hf OWNER/REPO] [llama-server flags] [--gpu SPEC]...", .run = cmd_list,
     .use = CLI_STORES, .takes_flags = true, .takes_many = true,
     .summary = "the models on this machine, and which of them fit",
     .about =
         "Looks into the stores of other programs (Hugging Face's hub, llama.cpp, LM Studio, Ollama,\n"
         "GPT4All, Jan ...), or into folders that are named, and prints each model with its size and\n"
         "whether it fits here at its training context, at 32K and at 8K: yes; split (some layers in\n"
         "host memory); no; ? (some figure is unknown); - (longer than it was trained for). Other\n"
         "words are parts of names. The last column is what every subcommand takes as MODEL. Nothing\n"
         "is asked of a network, but with --hf: the same table of a repository, its headers by range.\n"
         "\n"
         "  ullage list\n"
         "  ullage list qwen --fits 32k --gpu 'RTX 4090' -np 1 -ctk q8_0 -ctv q8_0\n"
         "  ullage list ~/models /mnt/disk --sort size --json\n"
         "  ullage list --hf unsloth/Qwen3-8B-GGUF --sort size\n"
         "  ullage plan ollama:llama3.2:3b -c 8192\n"},
    {.name = "sniff", .usage = "FILE|URL...", .run = cmd_sniff, .use = CLI_SNIFF, .takes_many = true,
     .summary = "what a file is, and what is wrong with it",
     .about =
         "Says by its first bytes what a file is: a GGUF model or one shard of it, an encoder, a LoRA\n"
         "adapter, a control vector, an importance matrix, safetensors, a PyTorch pickle (which is not\n"
         "loaded), GGML from before GGUF, an archive, a git-lfs pointer, a web page that came instead;\n"
         "and what is wrong with it: half a download and how much is missing, missing shards, the wrong\n"
         "byte order, conversions that the engine refuses or that waste memory. The status is 0 when\n"
         "nothing is wrong, 1 when something is, 3 when it cannot be read, 4 when it is not known.\n"
         "--json prints one object a file.\n"
         "\n"
         "  ullage sniff Downloads/*.gguf\n"
         "  ullage sniff https://example.org/model.gguf --json\n"},
    {.name = "machine", .usage = "", .run = cmd_machine, .use = CLI_MACHINE,
     .summary = "this machine, as options that 'plan' takes elsewhere",
     .about = "Prints what is found here, GPUs, memory and CPU, as options for 'ullage plan'.\n"},
    {.name = "archs", .usage = "[PATTERN]", .run = cmd_archs, .use = CLI_ARCHS,
     .summary = "the architectures, and how far plans of each go",
     .about = "Lists every architecture that the engine knows. 'exact': every recorded run of the engine\n"
              "agrees to the byte in every buffer; 'modelled': the rules are followed, but not all\n"
              "recorded runs agree or there is none; else the compute buffers are unknown.\n"},
    {.name = "speed", .usage = "MODEL.gguf [llama-server flags] [--gpu SPEC]... [--depth N]",
     .run = cmd_speed, .use = CLI_SPEED, .takes_flags = true,
     .summary = "how fast the model would answer: a bound, and what is to be expected",
     .about = "Prints what one token reads on each device and how long that takes: at the memory's full\n"
              "bandwidth (no run is faster), and as published runs of such devices suggest, with the\n"
              "range that eight of ten runs are in. It is for one conversation; --depth says how many\n"
              "tokens it has already. Bandwidths are the catalogue's ('ullage devices'), or\n"
              "bandwidth=RATE in --gpu; what the CPU computes needs --ram-bandwidth. docs/speed.md\n"
              "says what the figures rest on and where they fail.\n"
              "\n"
              "  ullage speed model.gguf -c 32768 --depth 16384 --gpu 'RTX 4090'\n"
              "  ullage speed model.gguf -c 8192 --gpu 'RX 7900 XTX,backend=vulkan'\n"
              "  ullage speed model.gguf -ngl 41 --gpu 'RTX 4090' --ram-bandwidth 'DDR5-5600 dual'\n"},
    {.name = "vllm", .usage = "MODEL [vllm serve flags] [--gpu SPEC]...", .run = cmd_vllm,
     .use = CLI_VLLM, .takes_words = true,
     .summary = "how many KV blocks, tokens and requests a vLLM server will have",
     .about =
         "Prints what vLLM's start-up log will say of its KV cache, from a config.json (a folder with\n"
         "one, a name of the catalogue) and the flags. From the available bytes on it is vLLM's own\n"
         "arithmetic; what profiling takes is an interval, unless --profiled or\n"
         "--kv-cache-memory-bytes fixes it. A whole 'vllm serve' line can be pasted.\n"
         "\n"
         "  ullage vllm Qwen3-8B/config.json --max-model-len 32768 --gpu 'RTX 4090'\n"
         "  ullage vllm vllm serve Qwen3-235B -tp 4 --kv-cache-dtype fp8 --gpu '4x H100 SXM'\n"
         "  ullage vllm config.json --kv-cache-memory-bytes 20G --vllm-version 0.27\n"
         "  ullage vllm Qwen3-235B --fit --requests 64 --tokens 32k --gpu '16x H100 SXM' --per-node 8 \\\n"
         "      --launch lws | kubectl apply -f -\n"},
    {.name = "compare", .usage = "MODEL --gpu SPEC... [--tokens N] [--quant TYPE]",
     .run = cmd_compare, .use = CLI_COMPARE,
     .summary = "llama.cpp and vLLM side by side, for the same model and cards",
     .about =
         "Plans llama-server (as 'ullage fit' would run it) and vLLM (all cards with -tp) for a\n"
         "config.json, a folder with one, or a name of the catalogue, and prints the longest context\n"
         "of one request, how many requests of --tokens each fit at once, the memory that weights\n"
         "take, and the tokens a second that memory bandwidth allows one request at most. llama.cpp's\n"
         "weights are those of --quant, vLLM's those of the checkpoint.\n"
         "\n"
         "  ullage compare Qwen3-8B/ --gpu 'RTX 4090' --quant Q4_K_M\n"
         "  ullage compare Llama-3.1-8B/ --gpu '2x RTX 3090' --tokens 16k\n"},
    {.name = "devices", .usage = "[PATTERN]", .run = cmd_devices, .use = CLI_DEVICES,
     .summary = "known GPUs, chips and platforms, as --gpu takes them by name",
     .about = "Lists the catalogue: memory as sold and as a driver reported it, bandwidth, arithmetic.\n"
              "PATTERN is the beginnings of words: 'rtx 30', '4090', 'apple max'. A dash is unknown;\n"
              "--json has every figure and its source.\n"
              "\n"
              "  ullage devices 'rtx 50'\n"
              "  ullage plan model.gguf --gpu '2x RTX 3090,used=1GiB'\n"},
    {.name = "help", .usage = "[SUBCOMMAND | flags | models]", .run = cmd_help, .use = CLI_HELP,
     .summary = "help for a subcommand; 'help flags': llama-server's flags; 'help models'"},
    {.name = "__completion", .usage = "bash|zsh|fish", .run = cmd_completion, .use = CLI_HELP,
     .hidden = true},
    {.name = "__man", .usage = "", .run = cmd_man, .use = CLI_HELP, .hidden = true},
};

const size_t cli_n_commands = sizeof cli_commands / sizeof cli_commands[0];

static const struct cli_command *find(const char *name)
{
    for (size_t i = 0; i < cli_n_commands; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

/* `ullage MODEL.gguf ...` and `ullage llama-server ...` mean `plan`: a word that starts with a
 * dash, looks like a path or a model of the catalogue (letters alone name none), or is a file. */
static bool means_plan(const char *word)
{
    return word[0] == '-' || strpbrk(word, "/.=:0123456789") || strncmp(word, "llama-", 6) == 0
           || access(word, F_OK) == 0;
}

static int unknown_command(const char *word)
{
    const char *names[32];
    size_t n = 0;
    for (size_t i = 0; i < cli_n_commands && n < 32; i++)
        if (!cli_commands[i].hidden)
            names[n++] = cli_commands[i].name;
    const char *near = ullage_near(word, names, n);
    return cli_error(CLI_USAGE, "'%.80s' is neither a file nor a subcommand%s%s%s", word,
                     near ? ": did you mean " : " ('ullage help' lists them)", near ? near : "",
                     near ? "?" : "");
}

static int run(const struct cli_command *command, int argc, const char *const *argv)
{
    struct cli_args args;
    int status = cli_read(&args, command, argc, argv);
    if (!status)
        status = args.help ? cli_command_help(command) : command->run(&args);
    cli_release(&args);
    return status;
}

int main(int argc, char **argv)
{
    const char *const *words = (const char *const *)argv + 1;
    const char *first = argc > 1 ? words[0] : NULL;
    signal(SIGPIPE, SIG_IGN); /* so that a closed pipe is a failed write, which is reported */
    if (!first) {
        cmd_help(&(struct cli_args){0});
        return CLI_USAGE;
    }
    if (strcmp(first, "--version") == 0)
        return cli_print("ullage " ULLAGE_VERSION "\n");
    if (argc == 2 && (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0))
        return cmd_help(&(struct cli_args){0});
    const struct cli_command *command = find(first);
    if (command)
        return run(command, argc - 2, words + 1);
    if (!means_plan(first))
        return unknown_command(first);
    return run(&cli_commands[0], argc - 1, words);
}
