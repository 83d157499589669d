# The command line as a person types it: wrong in the usual ways, and what it says then. Errors are
# one line on standard error that starts with "ullage: " and says what to do.

bats_require_minimum_version 1.5.0

ullage() { env -u NO_COLOR "$ULLAGE" "$@"; }

# usage TEXT ARGS...: exit 2, nothing on standard output, one line with TEXT on standard error.
usage() {
    local text=$1
    shift
    run --separate-stderr ullage "$@"
    [ "$status" -eq 2 ] || { echo "exit $status: $stderr"; false; }
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "ullage: "*"$text"* ]] || { echo "$stderr"; false; }
}

@test "no arguments: help, and the status of a wrong command line" {
    run ullage
    [ "$status" -eq 2 ]
    [[ "$output" == *"ullage model.gguf -c 32768"* ]]
}

@test "--help and help teach, --version answers" {
    run -0 ullage --help
    [[ "$output" == *"Exit status: 0 it fits"* ]]
    run -0 ullage plan --help
    [[ "$output" == *"--reserve SIZE|PERCENT"* ]]
    run -0 ullage help plan
    [[ "$output" == *"Usage: ullage plan MODEL.gguf"* ]]
    run -0 ullage help flags
    [[ "$output" == *"-c, --ctx-size N"*"LLAMA_ARG_CTX_SIZE"* ]]
    run -0 ullage --version
    [[ "$output" == "ullage "[0-9]*.[0-9]*.[0-9]* ]]
    usage "did you mean show?" help shwo
}

@test "no line of help is wider than a terminal of 100 columns" {
    for topic in "" models $(ullage help | sed -n 's/^  \([a-z]*\)  .*/\1/p') flags; do
        run -0 ullage help $topic
        while read -r line; do
            [ "${#line}" -le 100 ] || { echo "$line"; false; }
        done <<<"$output"
    done
}

@test "the man page has no request that is none; fish offers a subcommand its own options only" {
    run -0 ullage __man
    [[ $'\n'"$output" != *$'\n..'* && "$output" == *$'\n\\&...\n'* ]]
    run -0 ullage __completion fish
    for command in $(ullage help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
        [ "$command" = plan ] || grep -q "'not __fish_seen_subcommand_from .*\b$command\b.*' -l by " <<<"$output"
    done
}

@test "an unknown subcommand names the nearest" {
    usage "'plna' is neither a file nor a subcommand: did you mean plan?" plna
    usage "'nosuch' is neither a file nor a subcommand ('ullage help' lists them)" nosuch
    usage "no help for 'nosuch': 'ullage help' lists the subcommands" help nosuch
}

@test "a name of the catalogue needs no subcommand" {
    run -0 ullage gpt-oss-20b -c 4096 --gpu 24GiB
    [[ "$output" == *"gpt-oss, MXFP4"* ]]
}

@test "an unknown flag names the nearest, its own or llama-server's" {
    usage "unknown flag '--resrve': did you mean --reserve?" plan x.gguf --resrve 5%
    usage "unknown flag '--ctx-sise': did you mean --ctx-size?" plan x.gguf --ctx-sise 5
    usage "unknown flag '--jsno': did you mean --json?" show x.gguf --jsno
    usage "unknown flag '--ctx': did you mean --ctx-size?" plan x.gguf --ctx 5
    usage "unknown flag '--bogus'. See 'ullage help plan'" plan x.gguf --bogus
    usage "unknown flag" show x.gguf -c 512
}

@test "llama-server's flags take no '='" {
    usage "write --ctx-size 4096" plan x.gguf --ctx-size=4096
}

@test "no model, two models, a model elsewhere" {
    usage "no model: name its file" plan
    usage "no model" plan -c 512
    usage "no model" show
    usage "'y.gguf' is one word too many after 'x.gguf'" plan x.gguf y.gguf
    usage "two models: 'x.gguf' and 'y.gguf' (-m)" plan x.gguf -m y.gguf
    usage "'gemma3' is not a file here" plan -dr gemma3
}

@test "a file that is not there is an input error, not a usage error" {
    run --separate-stderr ullage plan /nonexistent.gguf
    [ "$status" -eq 3 ]
    [[ "$stderr" == "ullage: "*"/nonexistent.gguf"* ]]
    run --separate-stderr ullage show /nonexistent.gguf
    [ "$status" -eq 3 ]
}

@test "a bare model, a path or a flag first means plan" {
    for first in nothing.gguf ./nothing /no/thing; do
        run --separate-stderr ullage "$first"
        [ "$status" -eq 3 ]
        [[ "$stderr" == *"$first"* ]]
    done
    run --separate-stderr ullage -m nothing.gguf
    [ "$status" -eq 3 ]
}

@test "a pasted command line works, with its path and its variables" {
    run --separate-stderr ullage plan llama-server -m nothing.gguf -ngl 99 --host 0.0.0.0
    [ "$status" -eq 3 ]
    run --separate-stderr ullage ./build/bin/llama-server --model nothing.gguf
    [ "$status" -eq 3 ]
    usage "LLAMA_ARG_CTX_SIZE: 'x' is not a number" \
        plan LLAMA_ARG_CTX_SIZE=x CUDA_VISIBLE_DEVICES=0 /usr/bin/llama-server -m nothing.gguf
    run --separate-stderr ullage plan LLAMA_ARG_MODEL=variable.gguf llama-server
    [ "$status" -eq 3 ]
    [[ "$stderr" == *variable.gguf* ]]
}

@test "command lines of llama.cpp's other programs are not taken for models" {
    usage "'llama-cli' is another program" plan llama-cli -m nothing.gguf
    usage "'./llama-bench' is another program" ./llama-bench -m nothing.gguf
    run --separate-stderr ullage plan llama-3.gguf
    [ "$status" -eq 3 ]
}

@test "values are checked before the file is opened" {
    usage "-c: 'many' is not a number" plan nothing.gguf -c many
    usage "-ctk: 'q3_K' is none of f32, f16" plan nothing.gguf -ctk q3_K
    usage "-c: needs a value (N)" plan nothing.gguf -c
    usage "--gpu needs a value" plan nothing.gguf --gpu
    usage "--json takes no value" plan nothing.gguf --json=1
    usage "--gpu: '24Gib!' is neither a size (24GiB) nor a known device" plan nothing.gguf --gpu '24Gib!'
    usage "'mib' is no key of a GPU" plan nothing.gguf --gpu 'name=x,mib=24564'
    usage "has no memory: say total=" plan nothing.gguf --gpu name=x
    usage "uses more than its total" plan nothing.gguf --gpu total=1GiB,used=2GiB
    usage "cc 'new' is not a compute capability" plan nothing.gguf --gpu total=1GiB,cc=new
    usage "sm '0' is not a number" plan nothing.gguf --gpu total=1GiB,sm=0
    usage "backend 'cpu' is none of cuda, vulkan" plan nothing.gguf --gpu total=1GiB,backend=cpu
    usage "--ram: 'lots' is not a size" plan nothing.gguf --ram lots
    usage "no CPU back-end 'zen5': did you mean zen4?" plan nothing.gguf --cpu zen5
    usage "--reserve: '105%' is not a share" plan nothing.gguf --reserve 105%
    usage "--runtime: '' is not a size" plan nothing.gguf --runtime ''
    usage "--prompt-peak: '-1' is not a size" plan nothing.gguf --prompt-peak -1
    usage "--outputs: 'some' is none of slots, batch" plan nothing.gguf --outputs some
    usage "--assume-compute: 'x' is not a size" plan nothing.gguf --assume-compute x
    usage "--by: 'tensor' is none of" plan nothing.gguf --by tensor
    usage "--json and --csv exclude each other" plan nothing.gguf --json --csv
    usage "more than 16 --gpu" plan nothing.gguf $(printf -- '--gpu 1GiB %.0s' {1..17})
}

@test "the environment is read, and a wrong variable is named" {
    LLAMA_ARG_N_PARALLEL=zero run --separate-stderr ullage plan nothing.gguf
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"LLAMA_ARG_N_PARALLEL: 'zero' is not a number"* ]]
}

@test "a closed pipe and a full disk are reported" {
    run --separate-stderr bash -c "'$ULLAGE' help flags > /dev/full"
    [ "$status" -eq 3 ]
    [[ "$stderr" == "ullage: cannot write the output: No space left on device" ]]
    run --separate-stderr bash -c "( '$ULLAGE' help flags; echo \$? >&2 ) | true"
    [[ "$stderr" == *"cannot write the output"*3 || "$stderr" == 0 ]] # 0: true had not ended yet
}

@test "machine speaks in plan's options" {
    run -0 ullage machine
    [[ "$output" == *"--ram "*MiB* ]]
    usage "takes no words" machine x
    root=$BATS_TEST_TMPDIR/root
    mkdir -p "$root/proc/self" "$root/sys/fs/cgroup/a/b"
    printf 'MemTotal: 4194304 kB\nMemAvailable: 2097152 kB\n' > "$root/proc/meminfo"
    run -0 ullage machine --sysroot "$root"
    [[ "$output" == *"--gpu none"*"--ram 2048MiB"* ]]
    # version 2: the group's own limit is "max", the one above it allows less
    echo '0::/a/b' > "$root/proc/self/cgroup"
    echo max > "$root/sys/fs/cgroup/a/b/memory.max"
    echo 1073741824 > "$root/sys/fs/cgroup/a/memory.max"
    echo 314572800 > "$root/sys/fs/cgroup/a/memory.current"
    printf 'anon 1\ninactive_file 104857600\n' > "$root/sys/fs/cgroup/a/memory.stat"
    run -0 ullage machine --sysroot "$root"
    [[ "$output" == *"--ram 824MiB"* ]] # 1024 - (300 - 100)
    # version 1
    mkdir -p "$root/sys/fs/cgroup/memory/c"
    printf '9:memory:/c\n8:cpu:/a\n' > "$root/proc/self/cgroup"
    echo 536870912 > "$root/sys/fs/cgroup/memory/c/memory.limit_in_bytes"
    echo 0 > "$root/sys/fs/cgroup/memory/c/memory.usage_in_bytes"
    run -0 ullage machine --sysroot "$root"
    [[ "$output" == *"--ram 512MiB"* ]]
    # over its limit: nothing is left
    echo 636870912 > "$root/sys/fs/cgroup/memory/c/memory.usage_in_bytes"
    run -0 ullage machine --sysroot "$root"
    [[ "$output" == *"--ram 0MiB"* ]]
}

@test "a plan for this machine takes its memory, and notes what it did not read" {
    tar -xJf "$TEST_DATA/corpus/headers.tar.xz" -C "$BATS_TEST_TMPDIR" models/Qwen3-8B--Q4_K_M.gguf
    model=$BATS_TEST_TMPDIR/models/Qwen3-8B--Q4_K_M.gguf
    root=$BATS_TEST_TMPDIR/root
    mkdir -p "$root/proc" "$root/etc/llama.cpp"
    echo 'MemAvailable: 8388608 kB' > "$root/proc/meminfo"
    echo '[*]' > "$root/etc/llama.cpp/config.ini"
    run bash -c "LLAMA_ARG_CTX_SIZE=512 '$ULLAGE' '$model' --sysroot '$root' --json"
    [ "$status" -eq 4 ] || [ "$status" -eq 0 ]
    python3 -c '
import json, sys
plan = json.loads(sys.argv[1])
host = plan["devices"][-1]
assert host["left_bytes"] + host["needed_bytes"] == 8 << 30, host
assert plan["context"]["n_ctx"] == 512, plan["context"]
codes = [n["code"] for n in plan["notes"]]
assert "config_file" in codes and "environment_used" in codes, codes
' "$output"
    # a GPU that is named is another machine's
    run bash -c "'$ULLAGE' '$model' --sysroot '$root' --gpu 24GiB --json"
    [[ "$output" != *config_file* ]]
    [[ "$output" == *host_budget_unknown* ]]
}

@test "archs: every architecture has a status, and a pattern narrows the list" {
    run "$ULLAGE" archs
    [ "$status" -eq 0 ]
    [[ "$output" == *"llama  "*exact* ]]
    run "$ULLAGE" archs starcoder2 --json
    [ "$status" -eq 0 ]
    python3 -c 'import json, sys
a = json.load(sys.stdin)
assert a["schema_version"] == 1 and [x["name"] for x in a["architectures"]] == ["starcoder2"]' <<<"$output"
    usage "no architecture has 'no-such' in its name" archs no-such
}

@test "Apple's GPUs: mapped weights are theirs, and nothing is held besides the buffers" {
    run -0 --separate-stderr "$ULLAGE" plan llama-3.1-8b --quant Q4_K_M -c 8192 -ngl 99 -np 1 -fit off \
        --gpu 'M3 Max 64GB' --ram 64GiB --json
    python3 -c '
import json, sys
gpu, host = json.loads(sys.argv[1])["devices"]
assert gpu["name"] == "MTL0" and gpu["model_bytes"] > 4 << 30, gpu
assert host["model_bytes"] < 1 << 30, host
assert gpu["runtime_bytes"] == 0 and gpu["prompt_peak_bytes"] == 0, gpu
assert gpu["needed_bytes"] == sum(gpu[k + "_bytes"] for k in ("model", "context", "compute")), gpu
' "$output"
}
