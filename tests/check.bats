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
assert d["agrees"] == 5 and d["differs"] == 0 and d["unchecked"] == 1, d
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

# Logs of build 11669 on simulated devices, without lines that say nothing of memory.
@test "recorded logs agree with the model's file in every buffer" {
    tar -C "$WORK" -xJf "$TEST_DATA/logs.tar.xz"
    tar -C "$WORK" -xJf "$TEST_DATA/corpus/headers.tar.xz"
    for pair in a-dsv4:deepseek4-moe:9 a-gemma3:gemma3-dense:6 a-qwen35:qwen35-dense:7; do
        IFS=: read -r log model count <<< "$pair"
        run "$ULLAGE" check "$WORK/$log.log" "$WORK/archs/$model.gguf"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ "$output" == *"$count agree, 0 differ, 0 not checked"* ]]
    done
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

@test "another build or back-end is named as the cause" {
    tar -C "$WORK" -xJf "$TEST_DATA/logs.tar.xz"
    tar -C "$WORK" -xJf "$TEST_DATA/corpus/headers.tar.xz"
    sed -E 's/build 11669/build 9849/; s/(CUDA0 compute buffer size =) .*/\1 99.99 MiB/' \
        "$WORK/a-gemma3.log" > "$WORK/old.log"
    run "$ULLAGE" check "$WORK/old.log" "$WORK/archs/gemma3-dense.gguf"
    [ "$status" -eq 1 ]
    [[ "$output" == *"the version: build 9849, and plans follow 11669"* ]]
    sed -E 's/CUDA/Vulkan/g; s/(Vulkan0 compute buffer size =) .*/\1 99.99 MiB/' \
        "$WORK/a-gemma3.log" > "$WORK/vulkan.log"
    run "$ULLAGE" check "$WORK/vulkan.log" "$WORK/archs/gemma3-dense.gguf"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *"the back-end: rules were compared with CUDA and the CPU only"* ]]
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
