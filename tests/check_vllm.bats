#!/usr/bin/env bats
# ullage check with vLLM's start-up logs: figures of real logs, in the wordings of their versions.

bats_require_minimum_version 1.5.0
setup() {
    WORK="$BATS_TEST_TMPDIR"
}

config() { "$TEST_BUILD/vllm_config" "$1" > "$WORK/config.json"; }

# log VERSION ARGUMENTS AVAILABLE TOKENS LENGTH CONCURRENCY: as versions to 0.27 have it, and after.
log() {
    local at='(EngineCore_DP0 pid=272) INFO 08-21 10:00:00'
    echo "(APIServer pid=1) INFO 08-21 09:59:00 [api_server.py:1896] vLLM API server version $1"
    [ -z "$2" ] || echo "(APIServer pid=1) INFO 08-21 09:59:00 [utils.py:233] non-default args: {'model': 'a/b', $2}"
    [ -z "$3" ] || echo "$at [gpu_worker.py:298] Available KV cache memory: $3 GiB"
    case $1 in
    0.2[89]*) echo "$at [kv_cache_utils.py:1] GPU KV cache size: $4 tokens, Maximum concurrency for $5 tokens per request: $6x" ;;
    *)  echo "$at [kv_cache_utils.py:1087] GPU KV cache size: $4 tokens"
        [ -z "$6" ] || echo "$at [kv_cache_utils.py:1091] Maximum concurrency for $5 tokens per request: $6x" ;;
    esac
}

@test "logs of 22 servers: some number of blocks in the logged budget gives tokens and concurrency" {
    n=0
    while IFS='|' read -r name version arguments available tokens length concurrency; do
        config "$name"
        log "$version" "$arguments" "$available" "$tokens" "$length" "$concurrency" > "$WORK/v.log"
        run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
        echo "$name $version: $output"
        [ "$status" -eq 0 ]
        [[ "$output" == *" 0 differ, 0 not checked"* ]]
        [[ "$output" == *"KV cache, tokens "*"agrees: "*" blocks"* ]]
        [ -z "$concurrency" ] || [[ "$output" == *"2 agree"* ]]
        n=$((n + 1))
    done <<'ROWS'
qwen25-1.5b|0.27.0||0.56|20,992||
llama-8b|0.11.0|'max_model_len': 32768|19.92|163,168||
qwen3-14b|0.21.0||11.00|72,064|40,960|1.76
qwen3-8b|0.9.2||18.69|136,080|40,960|3.32
qwen3-0.6b|0.27.1||69.4|649,728||
kimi-k2|0.20.0|'tensor_parallel_size': 8|46.80|715,072||
kimi-k2|0.20.0|'tensor_parallel_size': 8, 'decode_context_parallel_size': 8|46.80|5,721,088||
glm-5.2|0.20.0|'tensor_parallel_size': 4, 'kv_cache_dtype': 'fp8', 'max_model_len': 400000, 'cpu_offload_gb': 40.0|28.85|574,336|400,000|1.44
qwen36-35b|0.24.0|'kv_cache_dtype': 'fp8', 'max_model_len': 131072|5.98|567,978|131,072|4.33
qwen36-35b|0.24.0|'kv_cache_dtype': 'fp8', 'max_model_len': 131072|6.01|569,878|131,072|4.35
qwen36-27b|0.24.0|'tensor_parallel_size': 2, 'kv_cache_dtype': 'fp8_e5m2', 'speculative_config': {'method': 'mtp', 'num_speculative_tokens': 3}|11.05|623,873|262,144|2.38
qwen35-122b|0.19.0|'kv_cache_dtype': 'fp8', 'max_model_len': 131072|21.43|467,712|131,072|11.79
qwen35-122b|0.19.0|'kv_cache_dtype': 'fp8', 'speculative_config': {'method': 'mtp', 'num_speculative_tokens': 1}|24.05|482,080|262,144|6.42
qwen35-9b|0.27.0|'enable_prefix_caching': False, 'max_model_len': 65536|10.78|342,528||
gemma4-26b|0.19.2rc1|'kv_cache_dtype': 'fp8', 'max_num_batched_tokens': 2048, 'max_model_len': 98304|8.29|72,400|98,304|6.73
gemma4-26b|0.19.2rc1|'kv_cache_dtype': 'fp8', 'max_num_batched_tokens': 8192, 'max_num_seqs': 2, 'max_model_len': 98304|9.08|79,344|98,304|5.00
gemma4-31b|0.25.0|'kv_cache_dtype': 'fp8', 'max_num_batched_tokens': 4096||1,563,739|262,144|5.97
gemma4-e2b|0.27.0|'max_num_batched_tokens': 16384, 'max_model_len': 32768|155.04|9,026,017|32,768|275.45
dsv4-flash|0.27.1|'tensor_parallel_size': 2, 'max_num_batched_tokens': 8192, 'max_model_len': 98304|50.51|752,889|98,304|7.66
dsv4-flash|0.28.0|'max_num_batched_tokens': 8192, 'max_model_len': 131072|77.53|1,513,358|131,072|11.55
dsv4-flash|0.25.0|'tensor_parallel_size': 2, 'max_num_batched_tokens': 8192, 'max_model_len': 131072|7.75|301,529|131,072|2.30
dsv4-flash|0.25.0|'tensor_parallel_size': 2, 'max_num_batched_tokens': 8192, 'max_model_len': 262144|32.08|2,175,276|262,144|8.30
ROWS
    [ "$n" -eq 22 ]
}

@test "the block that attention was stretched to, and the number of blocks, where the log has them" {
    config qwen36-35b
    { log 0.24.0 "'kv_cache_dtype': 'fp8', 'max_model_len': 131072" 5.98 567,978 131,072 4.33
      echo 'INFO [interface.py:1] Setting attention block size to 2096 tokens to ensure that attention page size is >= mamba page size.'
      echo 'INFO [core.py:1] # GPU blocks: 299, # CPU blocks: 0'; } > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"4 agree, 0 differ, 0 not checked"* ]]
}

@test "one rank's budget is printed, and the least decides: said, with the budget that it takes" {
    config qwen3-235b
    log 0.20.0 "'tensor_parallel_size': 4" 8.11 178,880 40,960 4.37 > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *"11180 blocks (8.018 GiB) give it: one rank's budget is printed, the least of 4 decides"* ]]
}

@test "a refusal: what it needs and the longest that would start" {
    config dsv4-flash
    { echo 'INFO [api_server.py:1] vLLM API server version 0.22.0'
      echo "INFO [utils.py:233] non-default args: {'max_num_batched_tokens': 16384, 'max_model_len': 30000}"
      echo "ValueError: To serve at least one request with the model's max seq len (30000), (6.66 GiB KV cache is needed, which is larger than the available KV cache memory (5.44 GiB). Based on the available memory, the estimated maximum model length is 13528. Try increasing"; } > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"needed for one request, GiB"*"6.66        6.66"* ]]
    [[ "$output" == *"longest that starts, tokens"*"13528       13528           0  agrees"* ]]
}

@test "another version's rules, or another batch, are named where they give the figure" {
    config gemma4-31b
    log 0.27.0 "'kv_cache_dtype': 'fp8', 'max_num_batched_tokens': 8192" '' 1,563,739 262,144 5.97 > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *"differs: "*"agrees with --max-num-batched-tokens 2048"* ]]
    config qwen35-122b
    log 0.24.0 "'kv_cache_dtype': 'fp8', 'max_model_len': 131072" 21.43 467,712 131,072 11.79 > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [[ "$output" == *"the version: agrees with the rules of 0.20"* ]]
}

@test "a pasted vllm serve line, the engine's own line, and Namespace arguments" {
    config llama-8b
    { echo '$ vllm serve meta-llama/Llama-3.1-8B --max-model-len 32768 2>&1 | tee vllm.log'
      log 0.20.0 '' 19.92 163,168 '' ''; } > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"model meta-llama/Llama-3.1-8B"* ]]
    { echo "INFO 08-21 [core.py:64] Initializing a V1 LLM engine (v0.20.0) with config: model='meta-llama/Llama-3.1-8B', speculative_config=None, tokenizer='x', dtype=torch.bfloat16, max_seq_len=32768, load_format=auto, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=auto, observability_config=ObservabilityConfig(a=None, b=[1, 2]), enable_prefix_caching=True, use_async_output_proc=True"
      log '' '' 19.92 163,168 '' '' | tail -2; } > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"log       vLLM 0.20.0, model meta-llama/Llama-3.1-8B"* ]]
    { echo "INFO 01-01 [api_server.py:913] args: Namespace(subparser='serve', model_tag='m', host=None, port=8000, max_model_len=32768, allowed_origins=['*'], tensor_parallel_size=1)"
      log 0.20.0 '' 19.92 163,168 '' ''; } > "$WORK/v.log"
    "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
}

@test "what profiling took is measured, and how to plan with it is said" {
    config llama-8b
    { echo 'INFO 11-01 [__init__.py:1] vLLM API server version 0.20.0'
      echo "INFO [utils.py:233] non-default args: {'max_model_len': 32768}"
      echo 'INFO [gpu_model_runner.py:1] Model loading took 14.9888 GiB and 3.1 seconds'
      echo 'INFO [worker.py:267] Memory profiling takes 3.52 seconds the current vLLM instance can use total_gpu_memory (39.49GiB) x gpu_memory_utilization (0.90) = 35.54GiB; model weights take 14.99GiB; non_torch_memory takes 0.06GiB; PyTorch activation peak memory takes 0.57GiB; the rest of the memory reserved for KV Cache is 19.92GiB.'
      log 0.20.0 "" 19.92 163,168 '' '' | tail -1; } > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"weights, GiB"*"14.99       14.99"*"agrees"* ]]
    [[ "$output" == *"measured: profiling took 6"??" MiB of 35.54 GiB asked for"*"--profiled 6"??"MiB"* ]]
    [[ "$output" == *"--kv-cache-memory-bytes 213"* ]]
    # kept, it stands for the interval in plans of such servers on such a GPU, and in no other
    export XDG_DATA_HOME="$WORK/data"
    run -2 "$ULLAGE" check "$WORK/v.log" "$WORK/config.json" --keep --gpu 39.49GiB
    run -0 "$ULLAGE" check "$WORK/v.log" "$WORK/config.json" --keep --gpu 'name=X1,total=39.49GiB'
    kept() { "$ULLAGE" vllm "$WORK/config.json" --gpu "$1" --vllm-version 0.20 "${@:2}" || true; }
    [[ "$(kept 'name=X1,total=39.49GiB' --max-model-len 32768)" == *"measured on this machine"* ]]
    [[ "$(kept 'name=X2,total=39.49GiB' --max-model-len 32768)" == *"published start-up logs"* ]]
    [[ "$(kept 'name=X1,total=39.49GiB' --max-num-seqs 7)" == *"published start-up logs"* ]]
    [[ "$(kept 'name=X1,total=39.49GiB' --profiled 1GiB)" != *"measured on this machine"* ]]
}

@test "by the log alone, in JSON, and what is no vLLM model" {
    log 0.27.0 '' 11.00 72,064 40,960 1.76 > "$WORK/v.log"
    run "$ULLAGE" check "$WORK/v.log"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"1 agree, 0 differ"*"config.json behind the log"* ]]
    config qwen3-14b
    "$ULLAGE" check --json "$WORK/v.log" "$WORK/config.json" > "$WORK/out.json"
    python3 - "$WORK/out.json" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["engine"] == "vLLM" and d["agrees"] == 2, d
assert [r["unit"] for r in d["rows"]] == ["tokens", "x"] and d["rows"][0]["logged"] == 72064, d
PY
    sed -i 's/Qwen3ForCausalLM/NovelForCausalLM/' "$WORK/config.json"
    run "$ULLAGE" check "$WORK/v.log" "$WORK/config.json"
    echo "$output"
    [ "$status" -eq 4 ]
    run "$ULLAGE" check "$WORK/v.log" "$WORK/none.json"
    [ "$status" -eq 3 ]
}
