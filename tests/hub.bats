#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# Models of repositories: Hugging Face, ModelScope, Ollama's registry and its store here, checkpoints;
# and every command with every kind of name. The server on loopback answers as these do.

load remote/helpers

setup_file() { start_server; }
teardown_file() { stop_server; }
setup() {
    fresh
    export HF_ENDPOINT=$URL MODELSCOPE_DOMAIN=$URL ULLAGE_OLLAMA_REGISTRY=$URL
    unset no_proxy
    COMMIT=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
}

PLAN=(-c 4096 -np 1 --gpu 24GiB --ram 64GiB --cpu zen4)

# took FLAGS...: the path of the file that a plan takes
took() {
    run --separate-stderr "$ULLAGE" plan "$@" "${PLAN[@]}" --no-mmproj --json
    [ -n "$output" ] || { echo "$stderr"; return 1; }
    python3 -c 'import json, sys; print(json.load(sys.stdin)["model"]["path"])' <<<"$output"
}

@test "-hf chooses the file that llama-server would, all files from one commit" {
    [ "$(took -hf owner/repo)" = "$URL/owner/repo/resolve/$COMMIT/small-Q8_0.gguf" ]
    [ "$(stats '[x["path"] for x in r]')" = "['/api/models/owner/repo/refs', '/api/models/owner/repo/tree/$COMMIT?recursive=true', '/owner/repo/resolve/$COMMIT/small-Q8_0.gguf']" ]
    [[ "$(took -hf owner/repo:q6_k)" == */small-Q6_K.gguf ]]
    [[ "$(took --hf-repo owner/repo:Q6_K)" == */small-Q6_K.gguf ]]
    [[ "$(took hf:owner/repo:iq2_m)" == "$URL/owner/repo/resolve/$COMMIT/deep/IQ%202/a%23b-IQ2_M.gguf" ]]
    [[ "$(stats 'r[-1]["path"]')" == *"/deep/IQ%202/a%23b-IQ2_M.gguf" ]]
}

@test "-hff names the file, and counts before a quantisation; so does a path behind the repository" {
    [[ "$(took -hf owner/repo:Q8_0 -hff small-Q6_K.gguf)" == */small-Q6_K.gguf ]]
    [[ "$(took --hf-file small-Q6_K.gguf -hf owner/repo)" == */small-Q6_K.gguf ]]
    [[ "$(took "hf:owner/repo/deep/IQ 2/a#b-IQ2_M.gguf")" == */a%23b-IQ2_M.gguf ]]
    show -hf owner/repo -hff none.gguf
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"no GGUF model called none.gguf; its files: "*"small-Q6_K.gguf"* ]]
}

@test "variables name the model as flags do, and flags win; -hf comes before -mu before -m" {
    LLAMA_ARG_HF_REPO=owner/repo run took
    [[ "$output" == */small-Q8_0.gguf ]]
    LLAMA_ARG_HF_REPO=owner/repo LLAMA_ARG_HF_FILE=small-Q6_K.gguf run took
    [[ "$output" == */small-Q6_K.gguf ]]
    LLAMA_ARG_HF_REPO=owner/repo run took -hf owner/repo:Q6_K
    [[ "$output" == */small-Q6_K.gguf ]]
    LLAMA_ARG_MODEL_URL=$URL/ranges/small.gguf run took
    [ "$output" = "$URL/ranges/small.gguf" ]
    [[ "$(took -m "$W/www/small.gguf" -hf owner/repo)" == */small-Q8_0.gguf ]]
    [[ "$(took -mu "$URL/ranges/small.gguf" -hf owner/repo)" == */small-Q8_0.gguf ]]
    [ "$(took -mu "$URL/ranges/small.gguf" -m /nonexistent.gguf)" = "$URL/ranges/small.gguf" ]
    [ "$(took -mu "$URL/ranges/none.gguf" -m "$W/www/small.gguf")" = "$W/www/small.gguf" ]
    run --separate-stderr "$ULLAGE" plan LLAMA_ARG_HF_REPO=owner/repo llama-server "${PLAN[@]}" --no-mmproj
    [[ "$output" == *small-Q8_0.gguf* ]]
}

@test "-hft and HF_TOKEN go to the endpoint of either variable, the flag before the variable" {
    HF_TOKEN=one took -hf owner/repo
    [ "$(stats '{x["auth"] for x in r}')" = "{'Bearer one'}" ]
    HF_TOKEN=one took -hf owner/repo -hft two --header 'X-Key: 1'
    [ "$(stats 'r[-1]["auth"], r[-1]["key"]')" = "('Bearer two', '1')" ]
    HF_ENDPOINT=http://127.0.0.1:1 MODEL_ENDPOINT=$URL/ HF_TOKEN=three took -hf owner/repo:Q6_K
    [ "$(stats 'r[-1]["auth"]')" = "Bearer three" ]
    took -mu "http://localhost:$PORT/ranges/small.gguf" -hft two
    [ "$(stats 'r[-1]["auth"]')" = None ]
}

@test "what a repository lacks is one clear line" {
    show hf:owner/repo:Q5_K_M
    [ "$status" -eq 3 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"owner/repo has no GGUF model of Q5_K_M; its files: "*"mmproj-Q8_0.gguf, small-Q6_K.gguf"* ]]
    show hf:owner/text
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"owner/text has no .gguf file"* ]]
    show hf:owner/none
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"/api/models/owner/none/refs: the server answers 404"* ]]
    show -hf owner/preset
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"preset.ini"*"router"* ]]
    for bad in owner owner/ /repo owner/repo: owner/repo/ 'owner/re po' owner/../x; do
        show "hf:$bad"
        [ "$status" -eq 2 ]
        [[ "$stderr" == *"names no repository"* ]]
    done
}

@test "a page of the browser is the model that it shows" {
    [[ "$(took "$URL/owner/repo")" == */small-Q8_0.gguf ]]
    show "$URL/owner/repo/blob/$COMMIT/small-Q6_K.gguf"
    [ "$status" -eq 0 ]
    [[ "$output" == *"/owner/repo/resolve/$COMMIT/small-Q6_K.gguf"* ]]
}

@test "a fixed commit's header is not asked for twice; --offline knows the repository" {
    took -hf owner/repo
    took -hf owner/repo
    [ "$(stats '[x["path"].count("/resolve/") for x in r].count(1)')" = 1 ]
    local n=$(stats 'len(r)')
    [[ "$(took -hf owner/repo --offline)" == */small-Q8_0.gguf ]]
    LLAMA_ARG_OFFLINE=1 run took -hf owner/repo
    [[ "$output" == */small-Q8_0.gguf ]]
    show hf:owner/preset --offline
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"--offline"* ]]
    [ "$(stats 'len(r)')" = "$n" ]
}

@test "ModelScope, by the newest of its files' commits" {
    [ "$(took ms:owner/repo:Q6_K)" = "$URL/models/owner/repo/resolve/cccccccccccccccccccccccccccccccccccccccc/small-Q6_K.gguf" ]
    show ms:owner/repo:Q5_K_M
    [[ "$stderr" == *"no GGUF model of Q5_K_M"* ]]
}

@test "Ollama's registry: by name, with a namespace, with a host; what is not there" {
    [[ "$(took ollama:owner/whole:latest 2>&1)" != *sha256* ]] # no model among its layers
    [[ "$(took ollama:owner/both)" == "$URL/v2/owner/both/blobs/sha256:"* ]]
    [ "$(stats 'r[-2]["path"], r[-1]["range"]')" = "('/v2/owner/both/manifests/latest', 'bytes=0-262143')" ]
    [[ "$(took "ollama:$URL/owner/both:Q8_0")" == "$URL/v2/owner/both/blobs/sha256:"* ]]
    show ollama:nothing
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"has no model 'library/nothing' with the tag 'latest'"* ]]
    show ollama:a/b/c/d
    [ "$status" -eq 2 ]
}

@test "Ollama's store here comes before its registry, and asks nobody" {
    local store=$BATS_TEST_TMPDIR/models digest=$(printf 'e%.0s' {1..64})
    mkdir -p "$store/blobs" "$store/manifests/registry.ollama.ai/library/here"
    ln "$W/www/small.gguf" "$store/blobs/sha256-$digest"
    printf '{"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:%s"},
      {"mediaType":"application/vnd.ollama.image.model","digest":"sha256:%s"}]}' \
      "$(printf 'd%.0s' {1..64})" "$digest" >"$store/manifests/registry.ollama.ai/library/here/8b"
    unset ULLAGE_OLLAMA_REGISTRY
    OLLAMA_MODELS=$store run took ollama:here:8b
    [ "$output" = "$store/blobs/sha256-$digest" ]
    mkdir -p "$HOME/.ollama"
    mv "$store" "$HOME/.ollama/models"
    run took ollama:here:8b
    [ "$output" = "$HOME/.ollama/models/blobs/sha256-$digest" ]
    [ "$(stats 'len(r)')" = 0 ]
}

@test "a checkpoint on a server is the one of the same folder here" {
    for name in whole shards lost bare; do
        run --separate-stderr "$ULLAGE" plan "hf:owner/$name" "${PLAN[@]}" --json
        local remote=$output
        run --separate-stderr "$ULLAGE" plan "$W/www/hub/owner/$name" "${PLAN[@]}" --json
        diff <(grep -v '"path"' <<<"$remote") <(grep -v '"path"' <<<"$output")
        [ "$(grep -c '"path"' <<<"$output")" -ge 1 ]
    done
    show "$URL/owner/shards/resolve/$COMMIT/config.json" --quant Q4_K_M
    [ "$status" -eq 0 ]
    [[ "$output" == *"Q4_K - Medium"* ]]
    [[ "$(took hf:owner/both)" == */small-Q8_0.gguf ]] # GGUF files come first
    show hf:owner/whole:Q4_K_M
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"no .gguf file, but a config.json"*"--quant"* ]]
}

@test "vllm and compare plan a checkpoint on a server as the same folder here" {
    for name in whole shards bare; do
        run --separate-stderr "$ULLAGE" vllm "hf:owner/$name" --gpu 24GiB --json
        [ "$status" -eq 0 ]
        local remote=$output
        run --separate-stderr "$ULLAGE" vllm "$W/www/hub/owner/$name" --gpu 24GiB --json
        diff <(grep -v '"model"' <<<"$remote") <(grep -v '"model"' <<<"$output")
        [ "$(grep -c '"model"' <<<"$output")" -eq 1 ]
    done
    run --separate-stderr "$ULLAGE" compare hf:owner/shards --gpu 'RTX 4090'
    [[ "$output" == *"vLLM: vllm serve -tp 1"* && "$output" != *"vLLM: hf:"* ]]
}

@test "--quant all asks once, whatever the number of quantisations" {
    run --separate-stderr "$ULLAGE" plan "$URL/ranges/small.gguf" --quant all "${PLAN[@]}"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -gt 20 ]
    [ "$(stats 'len(r)')" = 1 ]
    run --separate-stderr "$ULLAGE" plan hf:owner/shards --quant all "${PLAN[@]}"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -gt 20 ]
    # refs, tree, config.json, no model.safetensors, the index, two shards
    [ "$(stats 'len(r)')" = 8 ]
}

# Each command with each kind of name; a kind that a command does not know would be "no such file".
@test "fit's command line names the model as llama-server takes it" {
    # line WORD...: the model's part of the command
    line() {
        run -0 --separate-stderr "$ULLAGE" fit "$@" --no-mmproj --gpu 24GiB --ram 64GiB --cpu zen4
        sed 's/ --no-mmproj.*//; s/ -c [0-9].*//' <<<"$output"
    }
    [ "$(line hf:owner/repo:Q6_K)" = "llama-server -hf owner/repo:Q6_K" ]
    [ "$(line -hf owner/repo:Q6_K)" = "llama-server -hf owner/repo:Q6_K" ]
    [ "$(line -hff small-Q6_K.gguf -hf owner/repo)" = "llama-server -hf owner/repo -hff small-Q6_K.gguf" ]
    [ "$(line "$URL/ranges/small.gguf?a=b")" = "llama-server -mu '$URL/ranges/small.gguf?a=b'" ]
    [[ "$(line ms:owner/repo)" == "llama-server -mu $URL/models/owner/repo/resolve/"*/small-Q8_0.gguf ]]
    [ "$(line "$W/www/small.gguf")" = "llama-server -m $W/www/small.gguf" ]
}

@test "-hf brings the repository's projector, unless there is none or --no-mmproj is given" {
    run --separate-stderr "$ULLAGE" plan -hf owner/both "${PLAN[@]}"
    [ "$status" -eq 0 ] # nothing is unknown: the repository has no projector
    run --separate-stderr "$ULLAGE" plan -hf owner/repo:Q6_K "${PLAN[@]}" --no-mmproj
    [ "$status" -eq 0 ]
    run --separate-stderr "$ULLAGE" plan -hf owner/repo:Q6_K "${PLAN[@]}"
    [ "$status" -ne 0 ]
    [[ "$output$stderr" == *mmproj* ]]
    [ "$(stats '[x["path"].endswith("/refs") for x in r].count(True)')" = 3 ]
}

@test "every command opens every kind of model" {
    local log=$BATS_TEST_TMPDIR/log
    printf '%s\n' 'load_tensors:        CUDA0 model buffer size =  4455.34 MiB' \
        'llama_kv_cache:      CUDA0 KV buffer size =   576.00 MiB' >"$log"
    for model in "$URL/ranges/small.gguf" hf:owner/repo ms:owner/repo ollama:owner/both hf:owner/shards \
                 llama-3.2-1b "$W/www/hub/owner/bare/config.json"; do
        echo "$model"
        run -0 --separate-stderr "$ULLAGE" show "$model"
        run -0 --separate-stderr "$ULLAGE" plan "$model" "${PLAN[@]}" --no-mmproj
        run -0 --separate-stderr "$ULLAGE" fit "$model" --no-mmproj --gpu 24GiB --ram 64GiB --cpu zen4
        run -0 --separate-stderr "$ULLAGE" table "$model" --no-mmproj --gpu 24GiB --ram 64GiB --cpu zen4
        run -0 --separate-stderr "$ULLAGE" curve "$model" --no-mmproj -np 1 --gpu 24GiB --to 4k
        run -0 --separate-stderr "$ULLAGE" speed "$model" --no-mmproj --gpu 'RTX 4090'
        run --separate-stderr "$ULLAGE" check "$log" "$model" --gpu 24GiB
        [[ "$status" -le 1 && "$output" == *CUDA0* ]]
        run --separate-stderr "$ULLAGE" compare "$model" --gpu 'RTX 4090'
        [[ "$output" == *"llama.cpp: llama-server, the flags of 'ullage fit'"* ]]
    done
}

@test "measure plans a server's model too, and goes on where it cannot be fetched" {
    ln -s "$TEST_BUILD/fake_server" "$BATS_TEST_TMPDIR/llama-server"
    run --separate-stderr timeout 60 "$ULLAGE" measure --reader host --repeat 1 --points 512,1024 --cap 2048 \
        --fill 0 --settle 0 --gpu-budget 64GiB -- "$BATS_TEST_TMPDIR/llama-server" -hf owner/repo -ngl 0
    [ "$(stats 'len([x for x in r if "/resolve/" in x["path"]])')" = 2 ] # the model and its projector
    run --separate-stderr timeout 60 "$ULLAGE" measure --reader host --repeat 1 --points 512,1024 --cap 2048 \
        --fill 0 --settle 0 --gpu-budget 64GiB -- "$BATS_TEST_TMPDIR/llama-server" -hf owner/none -ngl 0
    [[ "$stderr" == *"no plan beside the measurement: "*"404"* ]]
}

@test "help and the manual tell every way to name a model" {
    run -0 "$ULLAGE" help models
    for kind in https: hf:OWNER ms:OWNER ollama:MODEL STORE:NAME; do
        [[ "$output" == *"$kind"* ]]
    done
    [[ "$("$ULLAGE" __man)" == *'.SH MODELS'*'ollama:MODEL[:TAG]'*'.SH OPTIONS'*'HF_TOKEN'* ]]
}
