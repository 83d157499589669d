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
