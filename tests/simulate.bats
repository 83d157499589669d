# ullage simulate: what it refuses, how it ends, and what it says: with a few lines that stand in for
# llama.cpp, and with real builds where they are: the lab's (ULLAGE_LAB), and the libraries that
# tools/fetch_engine.sh brought.

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    tar -xJf "$TEST_DATA/corpus/headers.tar.xz" models/Qwen3-8B--Q4_K_M.gguf
    local lib=$TEST_BUILD/../simgpu/lib fake=$TEST_DATA/fake_engine.c
    mkdir engine none vulkan inside eleven newer
    cc -shared -fPIC -DCUDA "$fake" -o engine/libggml-cuda.so -Wl,-soname,libggml-cuda.so \
        "$lib/libcudart.so.13" "$lib/libcuda.so.1" -Wl,-rpath-link,"$lib"
    cc -shared -fPIC -DBASE "$fake" -o engine/libggml-base.so -Wl,-soname,libggml-base.so \
        engine/libggml-cuda.so -Wl,-rpath,'$ORIGIN' -Wl,-rpath-link,"$lib"
    cc "$fake" -o engine/llama-bench engine/libggml-base.so engine/libggml-cuda.so \
        -Wl,-rpath,'$ORIGIN' -Wl,-rpath-link,"$lib"
    # programs that cannot be simulated
    echo 'int main(void) { return 0; }' > empty.c
    cc empty.c -o none/llama-bench
    cc empty.c -o vulkan/llama-bench
    cc empty.c -o inside/llama-bench
    cc empty.c -o eleven/llama-bench
    cc empty.c -o newer/llama-bench
    cc -static empty.c -o static-llama-bench
    cc empty.c -o musl-llama-bench -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1
    echo 'int nothing;' > lib.c
    cc -shared -fPIC lib.c -o vulkan/libggml-vulkan.so
    cc -shared -fPIC lib.c -o inside/libggml-cuda.so
    echo 'int cudaMalloc(void) { return 0; } int cudaFromTheFuture(void) { return 0; }' > cudart.c
    cc -shared -fPIC cudart.c -o libcudart.so.11.0 -Wl,-soname,libcudart.so.11.0
    cc -shared -fPIC cudart.c -o libcudart.so.12 -Wl,-soname,libcudart.so.12
    echo 'int cudaMalloc(void); int f(void) { return cudaMalloc(); }' > eleven.c
    cc -shared -fPIC eleven.c -o eleven/libggml-cuda.so ./libcudart.so.11.0
    echo 'int cudaFromTheFuture(void); int f(void) { return cudaFromTheFuture(); }' > newer.c
    cc -shared -fPIC newer.c -o newer/libggml-cuda.so ./libcudart.so.12
}

setup() {
    unset GGML_BACKEND_PATH LLAMA_ARG_LOG_VERBOSITY
    export TMPDIR=$BATS_TEST_TMPDIR
    cd "$BATS_FILE_TMPDIR"
    model=models/Qwen3-8B--Q4_K_M.gguf
}

# Nothing is left of a simulation, whatever became of it.
teardown() { [ -z "$(ls -d "$BATS_TEST_TMPDIR"/ullage-simulate.* 2>/dev/null)" ]; }

# refuses STATUS TEXT ARGS...
refuses() {
    local want=$1 text=$2
    shift 2
    run --separate-stderr "$ULLAGE" simulate "$@"
    [ "$status" -eq "$want" ] || { echo "exit $status: $stderr"; false; }
    [[ "$stderr" == *"$text"* ]] || { echo "$stderr"; false; }
    [ -z "$output" ]
}

@test "no program, no GPU, another kind of GPU" {
    refuses 2 "no program: name its command line" --gpu 24GiB
    refuses 2 "neither device nor buffer" --by layer --gpu 24GiB -- engine/llama-bench -m $model
    refuses 2 "no GPU to simulate" --gpu none -- engine/llama-bench -m $model
    refuses 2 "only CUDA is simulated" --gpu '24GiB,backend=vulkan' -- engine/llama-bench -m $model
    refuses 3 "cannot start 'llama-nothing'" --gpu 24GiB -- llama-nothing -m $model
}

@test "builds that nothing can stand in front of say why" {
    refuses 2 "linked statically" --gpu 24GiB -- ./static-llama-bench
    refuses 2 "built for the C library musl" --gpu 24GiB -- ./musl-llama-bench
    refuses 2 "no CUDA build of llama.cpp is found" --gpu 24GiB -- none/llama-bench
    refuses 2 "its back-end is Vulkan, and only CUDA is simulated" --gpu 24GiB -- vulkan/llama-bench
    refuses 2 "the CUDA runtime is linked into it" --gpu 24GiB -- inside/llama-bench
    refuses 2 "built for CUDA 11; CUDA 12 and 13 are simulated" --gpu 24GiB -- eleven/llama-bench
    refuses 2 "does not have: cudaFromTheFuture" --gpu 24GiB -- newer/llama-bench
}

@test "models that the engine could not load" {
    refuses 3 "no-such.gguf" --gpu 24GiB -- engine/llama-bench -m no-such.gguf
    refuses 3 "llama-3.1-8b" --gpu 24GiB -- engine/llama-bench -m llama-3.1-8b # a catalogue's name
}

@test "programs that fail, hang, or use no GPU" {
    ULLAGE_FAKE=fail refuses 3 'exited with status 1: "E error: invalid argument' --gpu 24GiB -- engine/llama-bench
    ULLAGE_FAKE=hang refuses 3 "did not end within 1 s" --timeout 1 --grace 1 --gpu 24GiB -- engine/llama-bench
    ULLAGE_FAKE=idle refuses 3 "asked for no GPU" --gpu 24GiB -- engine/llama-bench
    run ! pgrep -f "$BATS_FILE_TMPDIR/engine"
}

@test "buffers to the byte beside the computed ones, and the pool" {
    run --separate-stderr "$ULLAGE" simulate --gpu 'RTX 4090' --runtime 300MiB --json -- engine/llama-bench -m $model
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    python3 -c '
import json, sys
p = json.loads(sys.argv[1])
seen = {(b["buffer"], b["kind"]): b for b in p["buffers"]}
assert all(b["source"] == "simulated" for b in p["buffers"]), p["buffers"]
assert seen["CUDA0", "model"]["bytes"] == 4671766528, seen
assert seen["CUDA0", "compute"]["bytes"] == 113260672 + 4096, seen
both = {(c["buffer"], c["kind"]): (c["bytes"], c["computed_bytes"]) for c in p["compared"]}
assert both["CUDA0", "model"] == (4671766528, 4671766528), both
assert both["CUDA0", "kv"] == (603979776, 603979776), both
assert both["CUDA_Host", "compute"][0] == 0 < both["CUDA_Host", "compute"][1], both # not in the log
gpu = p["devices"][0]
assert gpu["runtime_bytes"] == 300 << 20 and gpu["prompt_peak_bytes"] == 2 << 20, gpu
steps = sum(-(-n // (2 << 20)) * 2 for n in (4671766528, 603979776, 113264768))
assert gpu["needed_bytes"] == (300 + 2 + steps) << 20, gpu
' "$output"
    run "$ULLAGE" simulate --gpu 'RTX 4090' -- engine/llama-bench -m $model
    [[ "$output" == *"simulated  computed  difference in bytes"* ]]
    [[ "$output" == *"on simulated GPUs; no kernel ran"* ]]
}

@test "an architecture that no rules are known for: what was seen alone" {
    sed 's/qwen3/qwenX/g' $model > "$BATS_TEST_TMPDIR/new.gguf"
    run --separate-stderr "$ULLAGE" simulate --gpu 'RTX 4090' -- engine/llama-bench -m "$BATS_TEST_TMPDIR/new.gguf"
    [ "$status" -eq 0 ] || { echo "$status: $stderr"; false; }
    [[ "$output" == *"CUDA0        model                   4455.34       4671766528"* ]] || { echo "$output"; false; }
    [[ "$stderr" == *"nothing is computed beside it"* ]]
    run --separate-stderr "$ULLAGE" simulate --gpu 'RTX 4090' --json -- engine/llama-bench -m "$BATS_TEST_TMPDIR/new.gguf"
    python3 -c 'import json, sys; assert json.loads(sys.argv[1])["buffers"][1]["bytes"] == 4671766528' "$output"
}

@test "out of memory as the engine reports it: status 1" {
    refuses 1 "out of memory: CUDA0 was asked for 4456.00 MiB and had 3616.00 MiB free" --gpu 4GiB,cc=8.6,sm=28 -- engine/llama-bench -m $model
    run --separate-stderr "$ULLAGE" simulate --gpu 4GiB --json -- engine/llama-bench -m $model
    [ "$status" -eq 1 ]
    python3 -c 'import json, sys; assert json.loads(sys.argv[1])["out_of_memory"]["device"] == "CUDA0"' "$output"
}

@test "the log is kept where it is asked for" {
    run "$ULLAGE" simulate --gpu 'RTX 4090' --log-dir "$BATS_TEST_TMPDIR" -- engine/llama-bench -m $model
    grep -q 'CUDA0 model buffer size = 4455.34 MiB' "$BATS_TEST_TMPDIR/simulate.log"
}

@test "interrupted: nothing is left running" {
    ULLAGE_FAKE=hang "$ULLAGE" simulate --gpu 24GiB -- engine/llama-bench 2> "$BATS_TEST_TMPDIR/said" &
    pid=$!
    for _ in $(seq 100); do pgrep -P "$(pgrep -P $pid || echo 0)" > /dev/null && break; sleep 0.05; done
    sleep 0.2
    kill -INT $pid
    wait $pid || status=$?
    [ "$status" -eq 130 ]
    run ! pgrep -f "^engine/llama-bench"
}

# ---------------------------------------------------------------- real builds

# exact JSON KIND...: these kinds of buffers are as computed.
exact() {
    local json=$1
    shift
    python3 -c '
import json, sys
p = json.loads(sys.argv[1])
kinds = sys.argv[2:]
for c in p["compared"]:
    assert c["kind"] not in kinds or c["bytes"] == c["computed_bytes"], c
assert set(kinds) <= {c["kind"] for c in p["compared"]}, p["compared"]
' "$json" "$@"
}

@test "llama.cpp's libraries for CUDA 13, from npm: a model from its header" {
    engine=$("$TEST_DATA/../tools/fetch_engine.sh" --where) || skip "SKIPPED: llama.cpp's libraries are not here (make check tries to fetch them)"
    cc -O1 -o "$BATS_TEST_TMPDIR/llama-loader" "$TEST_DATA/llama_loader.c" -ldl
    for f in "$engine"/*.so; do ln -s "$f" "$BATS_TEST_TMPDIR/"; done
    for size in 24564MiB 6GiB; do
        run --separate-stderr "$ULLAGE" simulate --gpu "$size,cc=8.9,sm=128" --json -- "$BATS_TEST_TMPDIR/llama-loader" -m $model -c 8192 -n 512
        if [ "$size" = 6GiB ]; then # weights and cache fill it
            [ "$status" -eq 1 ] || { echo "$status $stderr"; false; }
            [[ "$stderr" == *"out of memory: CUDA0"* ]]
        else
            [ "$status" -eq 0 ] || { echo "$stderr"; false; }
            exact "$output" model kv output
        fi
    done
}

# in_lab NAME SPEC FLAGS...: llama-server of the lab.
in_lab() {
    [ -f "${ULLAGE_LAB:-}/run" ] || skip "SKIPPED: ULLAGE_LAB is not set: no llama-server here"
    local where
    where=$("$ULLAGE_LAB/run" -- printenv ULLAGE_LAB_ENGINE)
    PATH=$where/bin:$PATH GGML_BACKEND_PATH=$where/backends/libggml-cuda.so \
        run --separate-stderr "$ULLAGE" simulate --json "$@"
    [ "$status" -eq 0 ] || { echo "$status: $stderr"; false; }
}

@test "the lab's llama-server, one card and two" {
    in_lab --gpu 'name=RTX 4090,total=24564MiB,cc=8.9,sm=128' -- llama-server -m $model -c 32768 -ngl 99 -np 1 -fa on
    exact "$output" model kv output compute prompt
    in_lab --gpu '2x RTX 3090' -- llama-server -m $model -c 16384 -np 2
    exact "$output" model kv output compute prompt
}

@test "the lab's llama-bench and llama-completion" {
    in_lab --gpu 'RTX 4090' -- llama-bench -m $model -ngl 99 -p 64 -n 4 -r 1
    exact "$output" model kv output compute
    in_lab --gpu 'RTX 4090' -- llama-completion -m $model -ngl 99 -c 4096 -p x -n 2 -no-cnv
    exact "$output" model kv output compute
}

@test "a model on a server: its header only is fetched" {
    [ -f "${ULLAGE_LAB:-}/run" ] || skip "SKIPPED: ULLAGE_LAB is not set: no llama-server here"
    python3 -m http.server 0 --bind 127.0.0.1 --directory models > "$BATS_TEST_TMPDIR/http" 2>&1 3>&- &
    server=$!
    for _ in $(seq 100); do grep -q 'port' "$BATS_TEST_TMPDIR/http" && break; sleep 0.05; done
    port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$BATS_TEST_TMPDIR/http")
    XDG_CACHE_HOME=$BATS_TEST_TMPDIR in_lab --gpu 'RTX 4090' -- llama-server -m "http://127.0.0.1:$port/Qwen3-8B--Q4_K_M.gguf" -c 4096 -ngl 99 -np 1
    kill $server
    exact "$output" model kv output compute prompt
}
