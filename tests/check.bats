#!/usr/bin/env bats
# ullage check: logs as the engine prints them, as pipes, files and posts bring them along.

setup() {
    WORK="$BATS_TEST_TMPDIR"
    cat > "$WORK/plain.log" <<'LOG'
print_info: arch                  = llama
print_info: n_embd_k_gqa          = 1024
print_info: n_embd_v_gqa          = 1024
print_info: n_vocab               = 128256
load_tensors:        CUDA0 model buffer size =  1918.35 MiB
llama_context: constructing llama_context
llama_context: n_seq_max     = 4
llama_context: n_ctx         = 8192
llama_context: n_ctx_seq     = 8192
llama_context:  CUDA_Host  output buffer size =     1.96 MiB
llama_kv_cache:      CUDA0 KV buffer size =   896.00 MiB
llama_kv_cache: size =  896.00 MiB (  8192 cells,  28 layers,  4/1 seqs), K (f16):  448.00 MiB, V (f16):  448.00 MiB
LOG
}

@test "a log alone: caches and logits agree, weights are not checked" {
    run "$ULLAGE" check "$WORK/plain.log"
    [ "$status" -eq 0 ]
    [[ "$output" == *"5 agree, 0 differ, 1 not checked"* ]]
    [[ "$output" == *"takes the model's file"* ]]
}

@test "a pipe, carriage returns and times change nothing" {
    "$ULLAGE" check "$WORK/plain.log" > "$WORK/expected"
    "$ULLAGE" check - < "$WORK/plain.log" | cmp - "$WORK/expected"
    sed 's/$/\r/' "$WORK/plain.log" | "$ULLAGE" check - | cmp - "$WORK/expected"
    sed 's/^/0.00.035.000 I /' "$WORK/plain.log" | "$ULLAGE" check - | cmp - "$WORK/expected"
}

@test "a figure that is not layers x cells x width differs: status 1" {
    sed -i 's/K (f16):  448.00/K (f16):  449.00/' "$WORK/plain.log"
    run "$ULLAGE" check "$WORK/plain.log"
    [ "$status" -eq 1 ]
    [[ "$output" == *"449.00      448.00       +1.00  differs"* ]]
}

@test "a log that stops early is compared as far as it goes" {
    head -10 "$WORK/plain.log" > "$WORK/cut.log"
    run "$ULLAGE" check "$WORK/cut.log"
    [ "$status" -eq 0 ]
    [[ "$output" == *"1 agree, 0 differ, 1 not checked"* ]]
}

@test "nothing to compare is 4, no such file 3, no log 2" {
    head -c 200000 "$ULLAGE" > "$WORK/junk"
    run "$ULLAGE" check "$WORK/junk"
    [ "$status" -eq 4 ]
    [[ "$output" == *"-lv 4"* ]]
    run "$ULLAGE" check "$WORK/none.log"
    [ "$status" -eq 3 ]
    run "$ULLAGE" check
    [ "$status" -eq 2 ]
    run "$ULLAGE" check "$WORK"
    [ "$status" -eq 3 ]
}

@test "JSON has the same rows" {
    "$ULLAGE" check --json "$WORK/plain.log" > "$WORK/out.json"
    python3 - "$WORK/out.json" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema_version"] == 1 and d["agrees"] == 5 and d["differs"] == 0 and d["unchecked"] == 1, d
assert d["flags"].startswith("-c 8192 -np 4"), d["flags"]
keys = [r for r in d["rows"] if r["kind"] == "keys"]
assert keys[0]["logged_mib"] == 448.0 and keys[0]["verdict"] == "agrees"
PY
}

@test "every wording of a cache's size, old and new, is read" {
    shape=$'print_info: n_embd_k_gqa = 256\nprint_info: n_embd_v_gqa = 256\n'
    while IFS='|' read -r wording; do
        printf '%s%b\n' "$shape" "$wording" > "$WORK/w.log"
        run "$ULLAGE" check "$WORK/w.log"
        echo "$wording: $output"
        [ "$status" -eq 0 ]
        [[ "$output" == *"3 agree, 0 differ, 0 not checked"* ]]
    done <<'LOG'
llama_kv_cache: size =  104.00 MiB (  4096 cells,  26 layers,  1/1 seqs), K (f16):   52.00 MiB, V (f16):   52.00 MiB
llama_kv_cache_unified: size =  104.00 MiB (  4096 cells,  26 layers,  1/1 seqs), K (f16):   52.00 MiB, V (f16):   52.00 MiB
llama_kv_cache_unified: size =  104.00 MiB (  4096 cells,  26 layers,  1 seqs), K (f16):   52.00 MiB, V (f16):   52.00 MiB
llama_kv_cache: size = 104.00 MiB (1024 cells, 26 layers, 4/4 seqs), K (f16): 52 MiB, V (f16): 52 MiB
init: kv_size = 4096, offload = 1, type_k = 'f16', type_v = 'f16', n_layer = 26, can_shift = 1\nllama_context: KV self size  =  104.00 MiB, K (f16):   52.00 MiB, V (f16):   52.00 MiB
llama_kv_cache_init: kv_size = 4096, offload = 1, n_layer = 26\nllama_new_context_with_model: KV self size  =   55.25 MiB, K (q8_0):   27.62 MiB, V (q8_0):   27.62 MiB
LOG
}

@test "a state's size with and without snapshots" {
    shape=$'print_info: n_layer = 64\nprint_info: ssm_d_conv = 4\nprint_info: ssm_d_inner = 6144\nprint_info: ssm_d_state = 128\nprint_info: ssm_n_group = 16\nx: - kv  1: qwen35.full_attention_interval u32 = 4\n'
    for wording in \
        "llama_memory_recurrent: size =  149.62 MiB (     1 cells,  64 layers,  1 seqs), R (f32):    5.62 MiB, S (f32):  144.00 MiB" \
        "llama_memory_recurrent: size = 1795.50 MiB (     4 cells,  64 layers,  4 seqs  2 rs_seq), R (f32):   67.50 MiB, S (f32): 1728.00 MiB"; do
        run "$ULLAGE" check - <<< "$shape$wording"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ "$output" == *"3 agree, 0 differ, 0 not checked"* ]]
    done
}

unpack() {
    tar -C "$WORK" -xJf "$TEST_DATA/logs.tar.xz"
    tar -C "$WORK" -xJf "$TEST_DATA/corpus/headers.tar.xz" "$@"
}

@test "recorded logs agree with the model's file in every buffer" {
    unpack archs/deepseek4-moe.gguf archs/gemma3-dense.gguf archs/qwen35-dense.gguf
    for pair in a-dsv4:deepseek4-moe:9 a-gemma3:gemma3-dense:6 a-qwen35:qwen35-dense:7; do
        IFS=: read -r log model count <<< "$pair"
        run "$ULLAGE" check "$WORK/$log.log" "$WORK/archs/$model.gguf"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ "$output" == *"$count agree, 0 differ, 0 not checked"* ]]
    done
}

# 46 more of published models: caches of all kinds, one to three GPUs alike and unlike, experts on the
# CPU, the engine's own fit, drafts, embeddings, the CPU alone.
@test "logs of many models and flags agree in every buffer" {
    unpack models
    while read -r log model agree unchecked extra; do
        [ "$log" != "#" ] || continue
        run "$ULLAGE" check "$WORK/$log.log" "$WORK/models/$model.gguf" $extra
        echo "$log: $output"
        [ "$status" -eq 0 ]
        [[ "$output" == *"$agree agree, 0 differ, $unchecked not checked"* ]]
    done < "$TEST_DATA/logs.tsv"
}

@test "the table at a log's end is compared, and says what is in no buffer" {
    unpack models/Qwen3-8B--Q4_K_M.gguf
    model="$WORK/models/Qwen3-8B--Q4_K_M.gguf"
    run "$ULLAGE" check "$WORK/exit.log" "$model"
    [[ "$output" == *"context, table "*" 1152.00     1152.00           0  agrees"* ]]
    [[ "$output" == *"CUDA0: 304 MiB in no buffer"*"--runtime 304MiB"* ]]
    sed -i 's/4455 +    1152/4456 +    1152/' "$WORK/exit.log"
    run "$ULLAGE" check "$WORK/exit.log"       # beside the log's own buffers
    [ "$status" -eq 1 ]
    [[ "$output" == *"model, table "*" 4456.00     4455.00       +1.00  differs"* ]]
    # the table alone, as people post it
    cat > "$WORK/posted.txt" <<'LOG'
llama-server -m qwen.gguf -c 8192 -ngl 99 --parallel 1 -fa on
| memory breakdown [MiB] | total free self model context compute unaccounted |
|   - CUDA0 (RTX 4090)   | 24564 = 18540 + (5719 =  4455 +    1152 +     112) +         304 |
|   - Host               |                   373 =   333 +       0 +      40                |
LOG
    run "$ULLAGE" check "$WORK/posted.txt" "$model" --gpu 'name=RTX 4090,total=24564MiB,cc=8.9,sm=128' \
        --cpu zen4
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"5 agree, 0 differ, 0 not checked"* ]]
}

@test "drafts are kept apart, and named" {
    unpack models/Qwen3-8B--Q4_K_M.gguf models/Qwen3.6-27B--Q4_K_M.gguf
    run "$ULLAGE" check "$WORK/q06-draft.log" "$WORK/models/Qwen3-8B--Q4_K_M.gguf"
    [[ "$output" == *"model 2 is the draft model Qwen3-0.6B--Q8_0.gguf: it is listed, and not compared"* ]]
    run "$ULLAGE" check "$WORK/q36-mtp.log" "$WORK/models/Qwen3.6-27B--Q4_K_M.gguf"
    [[ "$output" == *"--spec-type draft-mtp --spec-draft-n-max 3"* ]]
    [[ "$output" == *"context 2 is the model's own draft layers (MTP)"* ]]
    [[ "$output" == *" rs  "*" 598.50      598.50           0  agrees"* ]]
}

@test "what carries lines changes nothing: colours, compose, journals, containers, a router" {
    "$ULLAGE" check "$WORK/plain.log" | sed '/^note: the log is of/d' > "$WORK/expected"
    while IFS= read -r carrier; do
        sed "s#^#$carrier#" "$WORK/plain.log" > "$WORK/carried.log"
        "$ULLAGE" check "$WORK/carried.log" > "$WORK/out" || { echo "$carrier"; cat "$WORK/out"; false; }
        cmp "$WORK/out" "$WORK/expected" || { echo "$carrier"; false; }
    done <<'CARRIERS'
llama-server-1  | 
Nov 30 01:02:03 box llama-server[812]: 
2026-11-30T01:02:03+0000 box llama-server[812]: 
2026-11-30T01:02:03.123456789Z stderr F 
[2026-11-30 01:02:03][INFO] 
[55001] 0.00.035.000 I 
[pod/llm-0/server] 
CARRIERS
    sed $'s/^/\033[32m/; s/$/\033[0m/' "$WORK/plain.log" | "$ULLAGE" check - | cmp - "$WORK/expected"
}

@test "two programs in one log: one is checked, the other named" {
    sed 's/^/big-1    | /' "$WORK/plain.log" > "$WORK/a"
    sed 's/^/small-1  | /; s/896.00/111.00/; s/448.00/55.50/g; s/8192/1024/g' "$WORK/plain.log" > "$WORK/b"
    paste -d '\n' "$WORK/b" "$WORK/a" > "$WORK/both.log"
    run "$ULLAGE" check "$WORK/both.log"
    echo "$output"
    [[ "$output" == *"the log is of several programs: checked is big-1; passed over are small-1"* ]]
    [[ "$output" == *"448.00      448.00           0  agrees"* ]]
}

@test "several starts in one log: the last that got furthest" {
    { echo 'build: 9849 (799fcc04a) with GNU'; sed 's/448.00/449.00/g' "$WORK/plain.log"
      echo 'build: 9849 (799fcc04a) with GNU'; cat "$WORK/plain.log"
      echo 'build: 9849 (799fcc04a) with GNU'; head -5 "$WORK/plain.log"; } > "$WORK/starts.log"
    sed -i 's/^llama_kv_cache: size/sched_reserve: CUDA0 compute buffer size = 1.00 MiB\n&/' "$WORK/starts.log"
    run "$ULLAGE" check "$WORK/starts.log"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"the log has 3 starts: the last that got furthest is checked"* ]]
}

@test "a command line in the log gives the flags that no log shows" {
    unpack archs/gpt-oss-moe.gguf
    for line in '$ ./build/bin/llama-server -m gpt-oss.gguf --n-cpu-moe 1 --port 8080 2>&1 | tee log' \
        'ExecStart=/usr/bin/llama-server --model "my model.gguf" -ncmoe 1' \
        'docker run --gpus all -p 8080:8080 ghcr.io/ggml-org/llama.cpp:server-cuda -m /m.gguf -ncmoe 1'; do
        { echo "$line"; cat "$WORK/a-gptoss.log"; } > "$WORK/with.log"
        run "$ULLAGE" check "$WORK/with.log" "$WORK/archs/gpt-oss-moe.gguf"
        echo "$line: $output"
        [ "$status" -eq 0 ]
    done
    { printf '%s\n' 'llama-server \' '  -m x.gguf \' '  -ncmoe 1'; cat "$WORK/a-gptoss.log"; } > "$WORK/with.log"
    "$ULLAGE" check "$WORK/with.log" "$WORK/archs/gpt-oss-moe.gguf"
}

@test "a flag that no log shows is named as the cause, and agrees when given" {
    tar -C "$WORK" -xJf "$TEST_DATA/logs.tar.xz"
    tar -C "$WORK" -xJf "$TEST_DATA/corpus/headers.tar.xz"
    run "$ULLAGE" check "$WORK/a-gptoss.log" "$WORK/archs/gpt-oss-moe.gguf"
    [ "$status" -eq 1 ]
    [[ "$output" == *"differs: a flag: agrees with --n-cpu-moe 1"* ]]
    run "$ULLAGE" check "$WORK/a-gptoss.log" "$WORK/archs/gpt-oss-moe.gguf" --n-cpu-moe 1
    [ "$status" -eq 0 ]
    [[ "$output" == *"6 agree, 0 differ, 0 not checked"* ]]
}

@test "two flags together are found" {
    unpack models/Qwen3.5-35B-A3B--Q4_K_M.gguf
    run "$ULLAGE" check "$WORK/q35-35b-moe.log" "$WORK/models/Qwen3.5-35B-A3B--Q4_K_M.gguf" -ub 1024
    [ "$status" -eq 1 ]
    echo "$output"
    [[ "$output" == *"differs: a flag: agrees with --n-cpu-moe 12"* ]]
    [[ "$output" == *"-ub 512"* ]]
}

@test "a GPU of another capability is named" {
    unpack models/Qwen3-8B--Q4_K_M.gguf
    run "$ULLAGE" check "$WORK/q3-8b-faoff.log" "$WORK/models/Qwen3-8B--Q4_K_M.gguf" -fa on
    [ "$status" -eq 1 ]
    [[ "$output" == *"a flag: agrees with -fa off"* ]]
}

@test "what no change gives is unknown, with what is known of the build and the back-end" {
    unpack archs/gemma3-dense.gguf
    sed -E 's/build 11669/build 9849/; s/(CUDA0 compute buffer size =) .*/\1 99.99 MiB/' \
        "$WORK/a-gemma3.log" > "$WORK/old.log"
    run "$ULLAGE" check "$WORK/old.log" "$WORK/archs/gemma3-dense.gguf"
    [ "$status" -eq 1 ]
    [[ "$output" == *"differs: unknown: none of "*" changes gives it; the log is of build 9849, plans follow 11669"* ]]
    sed -E 's/CUDA/Vulkan/g; s/(Vulkan0 compute buffer size =) .*/\1 99.99 MiB/' \
        "$WORK/a-gemma3.log" > "$WORK/vulkan.log"
    run "$ULLAGE" check "$WORK/vulkan.log" "$WORK/archs/gemma3-dense.gguf"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *"rules were compared with CUDA and the CPU only"* ]]
}

@test "a file with other layers than the log's model is said to be another" {
    tar -C "$WORK" -xJf "$TEST_DATA/logs.tar.xz"
    tar -C "$WORK" -xJf "$TEST_DATA/corpus/headers.tar.xz"
    run "$ULLAGE" check "$WORK/a-qwen35.log" "$WORK/archs/qwen35-dense.gguf"
    [[ "$output" != *"another file may be"* ]]
    sed -E 's/(print_info: n_layer  +=) .*/\1 7/' "$WORK/a-qwen35.log" > "$WORK/other.log"
    run "$ULLAGE" check "$WORK/other.log" "$WORK/archs/qwen35-dense.gguf"
    echo "$output"
    [[ "$output" == *"the log's model has 7 layers, the file's 2: another file may be"* ]]
}
