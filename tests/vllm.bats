# ullage vllm: what it prints of a server, what it says when it does not know, and that the commands
# and objects it writes are ones that the engines and Kubernetes take.

bats_require_minimum_version 1.5.0

setup() {
    M=$BATS_TEST_TMPDIR/llama
    mkdir -p "$M"
    cat > "$M/config.json" <<'JSON'
{"architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 32,
 "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
 "vocab_size": 128256, "max_position_embeddings": 131072, "attention_bias": false,
 "rope_scaling": {"rope_type": "llama3", "factor": 8.0}}
JSON
}

ullage() { env -u NO_COLOR "$ULLAGE" "$@"; }

# The headers of Llama-3.1-8B's files, in one file without its data.
write_headers() {
    python3 - "$M/model.safetensors" <<'PY'
import json, struct, sys
names = [("model.embed_tokens.weight", [128256, 4096]), ("lm_head.weight", [128256, 4096]),
         ("model.norm.weight", [4096])]
for i in range(32):
    p = f"model.layers.{i}."
    names += [(p + "input_layernorm.weight", [4096]), (p + "post_attention_layernorm.weight", [4096]),
              (p + "self_attn.q_proj.weight", [4096, 4096]), (p + "self_attn.k_proj.weight", [1024, 4096]),
              (p + "self_attn.v_proj.weight", [1024, 4096]), (p + "self_attn.o_proj.weight", [4096, 4096]),
              (p + "mlp.gate_proj.weight", [14336, 4096]), (p + "mlp.up_proj.weight", [14336, 4096]),
              (p + "mlp.down_proj.weight", [4096, 14336])]
header, at = {}, 0
for name, shape in names:
    size = 2
    for n in shape:
        size *= n
    header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, at + size]}
    at += size
text = json.dumps(header).encode()
open(sys.argv[1], "wb").write(struct.pack("<Q", len(text)) + text)
PY
}

@test "a fixed budget gives the log's own lines" {
    run -0 ullage vllm "$M" --kv-cache-memory-bytes 21388853248 --max-model-len 32768 --gpu none
    [[ "$output" == *"GPU blocks: 10,199"* ]]
    [[ "$output" == *"GPU KV cache size: 163,184 tokens"* ]]
    [[ "$output" == *"Maximum concurrency for 32,768 tokens per request: 4.98x"* ]]
    [[ "$output" == *$'\nstarts\n'* ]]
}

@test "the lesson's card, weights and profile: 2,691 blocks" {
    run -0 ullage vllm "$M/config.json" --gpu 24564MiB --gpu-memory-utilization 0.92 \
        --weights 16060000000 --profiled 1900MiB --max-model-len 16384
    [[ "$output" == *"GPU blocks: 2,691"*"GPU KV cache size: 43,056 tokens"*": 2.63x"* ]]
}

@test "weights by shape and by headers agree with the engine's log of Llama-3.1-8B: 14.9888 GiB" {
    run -0 ullage vllm "$M" --gpu 80GiB --json
    [ "$(python3 -c 'import json,sys; print("%.4f" % (json.load(sys.stdin)["stages"][0]["weights"]["bytes"] / 2**30))' <<< "$output")" = 14.9888 ]
    write_headers
    run -0 ullage vllm "$M" --gpu 80GiB --json
    [ "$(python3 -c 'import json,sys; print("%.4f" % (json.load(sys.stdin)["stages"][0]["weights"]["bytes"] / 2**30))' <<< "$output")" = 14.9888 ]
}

@test "JSON: schema version 1, bytes are integers, what is not known is null" {
    run -4 ullage vllm "$M" --gpu 80GiB -q bitsandbytes --json
    python3 - <<PY
import json
o = json.loads('''$output''')
assert o["schema_version"] == 1
assert o["low"] is None and o["stages"][0]["weights"] == {"bytes": None, "source": "unknown"}
assert type(o["stages"][0]["block"]["bytes"]) is int
assert "bitsandbytes" in o["unknown_weights"]
PY
}

@test "an architecture or layer kind without a rule is unknown, and nothing is guessed" {
    sed -i 's/LlamaForCausalLM/NovelForCausalLM/' "$M/config.json"
    run -4 ullage vllm "$M" --gpu 80GiB --kv-cache-memory-bytes 10G
    [[ "$output" == *"unknown: no rule for the caches of 'NovelForCausalLM'"* ]]
    [[ "$output" != *"GPU KV cache size"* ]]
    sed -i 's/NovelForCausalLM/LlamaForCausalLM/; s/"vocab_size"/"layer_types": ["spiral_attention"], "vocab_size"/' "$M/config.json"
    run -4 ullage vllm "$M" --gpu 80GiB --kv-cache-memory-bytes 10G
    [[ "$output" == *"no rule for layers of the kind 'spiral_attention'"* ]]
}

@test "a KV cache type, a back-end, a draft and a version without a rule: exit 4" {
    run -4 ullage vllm "$M" --gpu 80GiB --kv-cache-dtype turboquant_k8v4 --kv-cache-memory-bytes 9G
    [[ "$output" == *"unknown: no rule for the KV cache type 'turboquant_k8v4'"* ]]
    run -4 ullage vllm "$M" --gpu 80GiB --attention-backend NOVEL --kv-cache-memory-bytes 9G
    run -4 ullage vllm "$M" --gpu 80GiB --kv-cache-memory-bytes 9G \
        --speculative-config '{"method": "eagle3", "model": "x", "num_speculative_tokens": 3}'
    [[ "$output" == *"its layers are in another file"* ]]
    run -4 --separate-stderr ullage vllm "$M" --vllm-version 0.99
    [[ "$stderr" == *"0.20 to 0.33 are"* ]]
}

@test "what vLLM refuses is refused, and a mistyped flag gets a suggestion" {
    run -2 --separate-stderr ullage vllm "$M" -tp 3 --gpu 80GiB
    [[ "$stderr" == *"-tp 3 does not divide"* ]]
    run -2 --separate-stderr ullage vllm "$M" --max-model-len 1M --gpu 80GiB
    run -2 --separate-stderr ullage vllm "$M" --max-model-lenn 4096
    [[ "$stderr" == *"did you mean --max-model-len?"* ]]
    run -2 --separate-stderr ullage vllm
    [[ "$stderr" == *"no model"* ]]
    run -3 --separate-stderr ullage vllm "$BATS_TEST_TMPDIR/nowhere"
}

@test "a pasted line, with variables and the flags of a real server" {
    run -0 ullage vllm VLLM_LOGGING_LEVEL=INFO vllm serve "$M" --host 0.0.0.0 --port 8000 \
        --served-model-name a b --tensor_parallel_size=2 --max-model-len 16K --enable-auto-tool-choice \
        --tool-call-parser llama3_json --no-enable-prefix-caching -O3 --gpu '2x 80GiB'
    [[ "$output" == *"tp 2"*"per request"* ]]
    [[ "$output" == *"Maximum concurrency for 16,384 tokens"* ]]
}

@test "too long a context does not start, and the flags that would are named" {
    run -1 ullage vllm "$M" --gpu 24GiB --profiled 2GiB
    [[ "$output" == *"does not start"* ]]
    [[ "$output" =~ --max-model-len\ ([0-9]+)\ starts ]]
    longest=${BASH_REMATCH[1]}
    run -0 ullage vllm "$M" --gpu 24GiB --profiled 2GiB --max-model-len "$longest"
    run -1 ullage vllm "$M" --gpu 24GiB --profiled 2GiB --max-model-len $((longest + 16))
    run -0 ullage vllm "$M" --gpu 24GiB --profiled 2GiB --max-model-len auto
    [[ "$output" == *"for ${longest:0:2},${longest:2} tokens per request: 1.00x"* ]]
}

@test "--fit takes no more cards than it needs; a miss says so with exit 1" {
    run -0 ullage vllm "$M" --fit --requests 4 --tokens 8k --gpu '4x 24GiB'
    [[ "${lines[0]}" == "serves with: --tensor-parallel-size 2 --max-model-len 8192  (2 GPUs)" ]]
    run -0 ullage vllm "$M" --fit --requests 4 --tokens 8k --gpu '4x 80GiB'
    [[ "${lines[0]}" == *"(1 GPUs)" ]]
    run -1 ullage vllm "$M" --fit --requests 400 --tokens 128k --gpu '2x 24GiB'
    [[ "${lines[0]}" == "nearest miss:"* ]]
    run -2 ullage vllm "$M" --fit --gpu 24GiB
}

launch() {
    ullage vllm "$M" --fit --requests 40 --tokens 32k --gpu '8x 24GiB' --per-node 2 --launch "$1" 2> /dev/null
}

@test "a LeaderWorkerSet and its Service are what Kubernetes takes" {
    launch lws > "$BATS_TEST_TMPDIR/lws.yaml"
    run -0 python3 "$TEST_DATA/check_yaml.py" < "$BATS_TEST_TMPDIR/lws.yaml"
    [ "${#lines[@]}" -eq 2 ]
    [[ "${lines[1]}" == *"--headless" ]]
    for line in "${lines[@]}"; do # the container's commands are lines that vLLM's flags read
        run -0 ullage vllm $line --gpu '8x 24GiB'
    done
    run -1 python3 "$TEST_DATA/check_yaml.py" < <(sed 's/containerPort/containerport/' "$BATS_TEST_TMPDIR/lws.yaml")
    [[ "$output" == *"no such field of ContainerPort"* ]]
    run -1 python3 "$TEST_DATA/check_yaml.py" < <(sed 's/size: 4/size: "4"/' "$BATS_TEST_TMPDIR/lws.yaml")
    run -1 python3 "$TEST_DATA/check_yaml.py" < <(sed 's/    workerTemplate/    workertemplate/' "$BATS_TEST_TMPDIR/lws.yaml")
    run -1 python3 "$TEST_DATA/check_yaml.py" < <(sed 's/targetPort/targetport/' "$BATS_TEST_TMPDIR/lws.yaml")
}

@test "launch lines are read by the engines' flag tables" {
    for how in native ray; do
        n=0
        while IFS= read -r line; do
            [[ "$line" == "vllm serve "* ]] || continue
            n=$((n + 1))
            run -0 ullage vllm $line --gpu '8x 24GiB'
            [[ "$output" == *"8 GPUs (tp 2, pp 4, dp 1)"* ]]
        done < <(launch $how)
        [ "$n" -eq $([ $how = native ] && echo 4 || echo 1) ]
    done
    line=$(launch llama-rpc | grep '^llama-server')
    [[ "$line" == *"--rpc WORKER1:50052,WORKER2:50052,WORKER3:50052 --host"* ]]
    run -3 --separate-stderr ullage plan $line --gpu 24GiB # every flag is read; the file is missing
    [[ "$stderr" == *"MODEL.gguf"* ]]
    [ "$(launch llama-rpc | grep -c '^ggml-rpc-server -H 0.0.0.0 -p 50052$')" -eq 1 ]
    [ "$(launch ray | grep -c '^ray start --head --port=6379$')" -eq 1 ]
}

@test "compare: both engines for the same cards; what one cannot know is unknown, exit 4" {
    run -0 ullage compare "$M" --gpu '2x RTX 3090' --tokens 16k --json
    python3 - <<PY
import json
o = json.loads('''$output''')
l, v = o["llama_cpp"], o["vllm"]
assert o["schema_version"] == 1 and o["tokens"] == 16384
assert l["longest_context"] == [131072, 131072] and l["requests"][0] > 1
assert v["requests"][0] <= v["requests"][1] and v["weight_bytes"] > 2 * 8.03e9
assert v["speed_bound"] > l["speed_bound"] > 0  # ranks read at the same time, layers in turn do not
PY
    run -0 ullage compare "$M" --gpu 24GiB
    [[ "$output" == *"llama.cpp"*"vLLM"*"requests of 8192 tokens at once"* ]]
    sed -i 's/LlamaForCausalLM/NovelForCausalLM/' "$M/config.json"
    run -4 ullage compare "$M" --gpu 24GiB
    [[ "$output" == *"vLLM: no rule for the caches of 'NovelForCausalLM'"* ]]
    run -4 --separate-stderr ullage compare "$M" --gpu 24GiB --json
    [ "$(python3 -c 'import json, sys; print(json.load(sys.stdin)["vllm"]["why_unknown"][:7])' \
        <<<"$output")" = "no rule" ]
    run -2 ullage compare "$M" --gpu none
    run -2 ullage compare --gpu 24GiB
}

@test "what vLLM does not run on is not planned; what is not there is an input error" {
    run -4 ullage vllm llama-3.1-8b --gpu 'M3 Max 64GB'
    [[ "$output" == *"vLLM itself has no platform for Apple's GPUs"* ]]
    run -3 --separate-stderr ullage vllm nosuch --gpu 24GiB
    [[ "$stderr" == *"nosuch: no such folder, and no model of that name in the catalogue" ]]
    run -3 --separate-stderr ullage compare nosuch --gpu 24GiB
    [[ -z "$output" && "$stderr" == *"nosuch: no such file, and no model of that name"* ]]
    run -2 --separate-stderr ullage compare llama-3.1-8b --quant nothing --gpu 24GiB
    [[ -z "$output" && "$stderr" == *"no quantisation is called 'nothing'"* ]]
}

@test "a GGUF file is no model for vLLM, and the message says what is" {
    : >"$BATS_TEST_TMPDIR/model.gguf"
    run -3 --separate-stderr ullage vllm "$BATS_TEST_TMPDIR/model.gguf" --gpu 24GiB
    [[ "$stderr" == *"a GGUF file is not planned for vLLM: name the config.json"* ]]
}

@test "names of the catalogue: the same plan as of the configuration that they stand for" {
    run -0 --separate-stderr ullage vllm llama-3.1-8b --gpu 48GiB
    [[ "$output" == *"LlamaForCausalLM"*"longest --max-model-len that starts: 131,072"* ]]
    run -2 ullage vllm afm-4.5b --gpu 48GiB -tp 8
    [[ "$output" == *"does not divide the model's 20 attention heads"* ]]
    run -3 ullage vllm lama-3.1-8b --gpu 48GiB
}

@test "weights by a configuration alone: gates, ties, experts in their own format, towers" {
    # weights NAME: MiB on the one card
    weights() { ullage vllm "$1" --gpu '4x 141GiB' "${@:2}" --json | python3 -c '
import json, sys
w = json.load(sys.stdin)["stages"][0]["weights"]["bytes"]
print("unknown" if w is None else w // (1 << 20))'; }
    # AFM has no gate: 4.6 billion weights; its table of rotations is 16 MiB
    [ "$(weights afm-4.5b)" -eq 8830 ]
    # Gemma's embedding is its output matrix, which its configuration does not say
    [ "$(weights gemma-3-1b)" -eq 1923 ]
    [ "$(weights gemma-3-4b)" = unknown ] # a vision tower, of which the configuration is not enough
    [ "$(weights gemma-3-4b --language-model-only)" -gt 7400 ]
    [ "$(weights lfm2-1.2b)" -gt 2232 ]   # convolutions
    [ "$(weights gpt-oss-20b)" = unknown ] # MXFP4 is padded by the card's kernel
    # 8 bits as the configuration says: 671 billion weights in eight parts
    [ "$(weights deepseek-v3 -tp 4)" -gt 160000 ]
    [ "$(weights deepseek-v3 -tp 4)" -lt 166000 ]
    # experts are divided among the ranks of all engines, the rest is in each of them
    local one=$(weights qwen3-30b-a3b) two=$(weights qwen3-30b-a3b -dp 2)
    [ "$two" -gt $((one / 2)) ]
    [ "$two" -lt $((one * 6 / 10)) ]
}

@test "what was seen on one maker's cards is said to be of those" {
    run ullage vllm llama-3.1-8b --gpu 'name=X,total=48GiB,backend=rocm'
    [[ "$output" == *"known of NVIDIA's cards only"* ]]
    run ullage vllm llama-3.1-8b --gpu 'name=X,total=48GiB,backend=rocm' --profiled 2GiB
    [[ "$output" != *"NVIDIA"* ]]
    run ullage vllm llama-3.1-8b --gpu 'name=X,total=48GiB'
    [[ "$output" != *"NVIDIA"* ]]
}

@test "llama.cpp over RPC: the plan of each device beside the commands" {
    run --separate-stderr ullage vllm llama-3.1-8b --quant Q8_0 --gpu '2x RTX 4090' -pp 2 --per-node 1 --tokens 8k --launch llama-rpc
    [ "$status" -eq 0 ]
    [[ "$output" == *"llama-server -m MODEL.gguf -c 8192 -np 1 -ngl all -fa on --rpc WORKER1:50052 --host"* ]]
    [[ "$stderr" == *"each device, the workers' first"*"CUDA0"*"CUDA1"*"weights"* ]]
}
