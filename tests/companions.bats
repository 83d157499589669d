#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# Files beside the model, as a person names them; the figures are conformance_companions.py's.

setup_file() {
    xz -dc "$TEST_DATA/corpus/headers.tar.xz" | tar -xf - -C "$BATS_FILE_TMPDIR" --strip-components=1 \
        models/Qwen3-8B--Q4_K_M.gguf models/Qwen3-0.6B--Q8_0.gguf models/Qwen3.5-9B--Q4_K_M.gguf
    xz -dc "$TEST_DATA/corpus/companions-headers.tar.xz" | tar -xf - -C "$BATS_FILE_TMPDIR"
    cd "$BATS_FILE_TMPDIR"
    export ULLAGE_CACHE=$BATS_FILE_TMPDIR/cache
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

# on COMMAND MODEL FLAG...
on() {
    local command=$1
    shift
    run --separate-stderr "$ULLAGE" "$command" "$@" --gpu 'name=RTX 4090,total=24564MiB,cc=8.9,sm=128' \
        --ram 64GiB --cpu zen4
}

@test "each part has its line, and only where there is one" {
    on plan Qwen3-8B--Q4_K_M.gguf -c 8192 -ngl 99 -np 1
    [[ "$output" != *draft* && "$output" != *projector* && "$output" != *adapters* ]]
    on plan Qwen3-8B--Q4_K_M.gguf -c 8192 -ngl 99 -np 1 --spec-type draft-simple -md Qwen3-0.6B--Q8_0.gguf \
        --lora l8.gguf --mmproj mm6-gemma3.gguf
    [ "$status" -eq 0 ]
    [[ "$output" == *$'\ndraft '* && "$output" == *$'\nprojector '* && "$output" == *$'\nadapters '* ]]
    on plan Qwen3.5-9B--Q4_K_M.gguf -c 8192 -ngl 99 -np 1 --spec-type draft-mtp
    [[ "$status" -eq 0 && "$output" == *$'\ndraft '* ]]
}

@test "buffers say of which part they are: table, CSV, JSON" {
    flags=(-c 8192 -ngl 99 -np 1 --lora l8.gguf)
    on plan Qwen3-8B--Q4_K_M.gguf "${flags[@]}" --by buffer
    [[ "$output" == *"source    of"* && "$output" == *"adapter"* ]]
    on plan Qwen3-8B--Q4_K_M.gguf --csv --by buffer "${flags[@]}"
    [[ "$output" == *",source,of"* && "$output" == *"CUDA0,model,"*",adapter"* ]]
    on plan Qwen3-8B--Q4_K_M.gguf --json "${flags[@]}"
    [[ "$output" == *'"of": "adapter"'* ]]
}

@test "a projector's place and its image change the plan" {
    flags=(Qwen3-8B--Q4_K_M.gguf -c 8192 -ngl 99 -np 1 --mmproj mm6-qwen25vl.gguf)
    on plan "${flags[@]}"
    [[ "$output" == *"[image_size]"* ]]
    on plan "${flags[@]}" --no-mmproj-offload --csv
    gpu=$(sed -n 2p <<<"$output")
    on plan "${flags[@]:0:7}" --csv
    [ "$(sed -n 2p <<<"$output" | cut -d, -f1-6)" = "$(cut -d, -f1-6 <<<"$gpu")" ]
    on plan "${flags[@]:0:7}" --no-mmproj
    [[ "$output" != *projector* ]]
}

@test "fit leaves room for the draft" {
    on fit Qwen3-8B--Q4_K_M.gguf -np 1
    alone=$(grep -o -- '-c [0-9]*' <<<"$output" | cut -c4-)
    on fit Qwen3-8B--Q4_K_M.gguf -np 1 --spec-type draft-simple -md Qwen3-0.6B--Q8_0.gguf -ctkd f16
    with=$(grep -o -- '-c [0-9]*' <<<"$output" | cut -c4-)
    [ "$with" -gt 0 ] && [ "$with" -le "$alone" ]
}

@test "a file of the wrong kind, and one that is missing" {
    on plan Qwen3-8B--Q4_K_M.gguf --lora mm6-gemma3.gguf
    [[ "$status" -ne 0 && "$stderr" == *"the file is a projector, not an adapter"* ]]
    on plan Qwen3-8B--Q4_K_M.gguf --mmproj nothing.gguf
    [[ "$status" -eq 3 && "$stderr" == *nothing.gguf* ]]
    on plan Qwen3-8B--Q4_K_M.gguf --spec-type draft-mtp
    [[ "$status" -ne 0 && "$stderr" == *"no draft head"* ]]
    for command in plan fit curve table; do
        on "$command" mm6-gemma3.gguf
        [[ "$status" -ne 0 && "$stderr" == *"is a projector, not a model"*"--mmproj"* ]]
    done
}

@test "show describes such a file" {
    for f in mm6-gemma3:--mmproj l8:--lora c8:--control-vector; do
        run -0 --separate-stderr "$ULLAGE" show "${f%%:*}.gguf"
        [[ "$output" == *"beside a model"*"${f#*:}"* ]]
        run -0 --separate-stderr "$ULLAGE" show --json "${f%%:*}.gguf"
        [[ "$output" == *"\"flag\": \"${f#*:}\""* ]]
    done
}
