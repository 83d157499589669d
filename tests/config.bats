# Models that are no GGUF file yet, through the command.
setup() {
    folder=$BATS_TEST_TMPDIR
    cat > "$folder/config.json" <<'JSON'
{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 256,
 "intermediate_size": 512, "num_hidden_layers": 2, "num_attention_heads": 4,
 "num_key_value_heads": 2, "vocab_size": 1024, "max_position_embeddings": 4096,
 "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "tie_word_embeddings": false,
 "torch_dtype": "bfloat16"}
JSON
}

plan() {
    "$ULLAGE" plan "$@" -c 4096 -np 1 --gpu 24GiB --ram 32GiB --cpu x64
}

# 2 x 1024 x 256 for embedding and output; a layer's attention 256 x (256 + 128 + 128 + 256) and
# ffn 3 x 256 x 512; norms of 256 floats
@test "a configuration's weights are counted to the byte" {
    run "$ULLAGE" show "$folder/config.json" --json
    [ "$status" -eq 0 ]
    bytes=$(( (2 * 1024 * 256 + 2 * (256 * 768 + 3 * 256 * 512)) * 2 + 5 * 256 * 4 ))
    echo "$output" | grep -q "\"weight_bytes\": $bytes"
    echo "$output" | grep -q '"BF16"'
}

@test "the folder of a configuration is the same model" {
    run "$ULLAGE" show "$folder" --quant Q8_0
    [ "$status" -eq 0 ]
    [ "$output" != "" ]
    [[ "$output" == *Q8_0* ]]
}

@test "--quant all is for what compares; elsewhere the message says so" {
    run -2 "$ULLAGE" show qwen3-0.6b --quant all
    [[ "$output" == *"--quant all goes with 'plan' and 'table'"* ]]
    run -2 "$ULLAGE" show qwen3-0.6b --quant nothing
    [[ "$output" == *"no quantisation is called 'nothing': Q4_K_M, IQ4_XS"* ]]
    run -0 "$ULLAGE" plan qwen3-0.6b --quant all --gpu none --ram 1GiB --json
    python3 -c 'import json, sys
rows = json.load(sys.stdin)["quantisations"]
assert len({tuple(r) for r in rows}) == 1 and any(r["fits"] is False for r in rows), rows' <<<"$output"
}

@test "--quant takes any case and names the nearest when there is none" {
    run plan "$folder/config.json" --quant q4_k_m
    [ "$status" -eq 0 ]
    [[ "$output" == *"Q4_K - Medium"* ]]
    run plan "$folder/config.json" --quant Q4_K_N
    [ "$status" -eq 2 ]
    [[ "$output" == *"did you mean Q4_K"* ]]
}

@test "--quant all compares sizes" {
    run plan "$folder/config.json" --quant all --json
    [ "$status" -eq 0 ]
    python3 -c "import json,sys; q = json.load(sys.stdin)['quantisations']
sizes = [x['bytes'] for x in q]
assert len(q) > 25 and sizes == sorted(sizes) and all(x['fits'] for x in q)" <<< "$output"
}

@test "a checkpoint's headers say what the configuration does not" {
    python3 - "$folder" <<'PY'
import json, struct, sys
shape = {"model.embed_tokens.weight": [1024, 256], "model.norm.weight": [256]}
at, header = 0, {}
for name, s in shape.items():
    n = 2
    for d in s:
        n *= d
    header[name] = {"dtype": "F16", "shape": s, "data_offsets": [at, at + n]}
    at += n
text = json.dumps(header).encode()
open(sys.argv[1] + "/model.safetensors", "wb").write(struct.pack("<Q", len(text)) + text)
PY
    run "$ULLAGE" show "$folder/config.json" --json
    [ "$status" -eq 0 ]
    bytes=$(( (1024 * 256 + 2 * (256 * 768 + 3 * 256 * 512)) * 2 + 5 * 256 * 4 ))
    echo "$output" | grep -q "\"weight_bytes\": $bytes"
    echo "$output" | grep -q '"F16"'
}

@test "a broken checkpoint is one clear error" {
    printf 'garbage' > "$folder/model.safetensors"
    run plan "$folder/config.json"
    [ "$status" -eq 3 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "a model of the catalogue, by name, in any case" {
    run plan Llama-3.1-8B-Instruct --quant Q4_K_M
    [ "$status" -eq 0 ]
    [[ "$output" == *"4685.30 MiB in the file"* ]]
    [[ "$output" == *from_configuration* ]]
}

@test "a model of the catalogue, as people write it" {
    for name in llama3.1:8b meta-llama/Llama-3.1-8B-Instruct "llama 3.1 8b" LLAMA_3.1_8B; do
        run "$ULLAGE" show "$name"
        [ "$status" -eq 0 ]
        [ "${lines[0]}" = llama-3.1-8b ]
    done
    run "$ULLAGE" show mixtral-8x7b
    [ "${lines[0]}" = mixtral-8x7b-v0.1 ]
    run plan llama-2-7b --quant Q4_K_M
    [ "$status" -eq 0 ]
}

@test "a name that fits several models fits none, and they are named" {
    run plan gpt-oss
    [ "$status" -eq 3 ]
    [[ "$output" == *"did you mean gpt-oss-120b or gpt-oss-20b?"* ]]
    run plan ./phi-4
    [ "$status" -eq 3 ]
    [[ "$output" == *"no such file"* ]]
}

@test "a name that is nowhere" {
    run plan lama-3.1-8b
    [ "$status" -eq 3 ]
    [[ "$output" == *"did you mean llama-3.1-8b"* ]]
}

@test "a configuration that cannot be read, and a class without a conversion" {
    echo '{"hidden_size": }' > "$folder/config.json"
    run plan "$folder/config.json"
    [ "$status" -eq 3 ]
    [[ "$output" == *"at byte 16"* ]]
    echo '{"architectures": ["NobodyForCausalLM"], "hidden_size": 1}' > "$folder/config.json"
    run plan "$folder/config.json"
    [ "$status" -eq 3 ]
    [[ "$output" == *NobodyForCausalLM* ]]
}

@test "what llama.cpp cannot convert is said so, in one line" {
    refused() {
        echo "$1" > "$folder/config.json"
        run plan "$folder/config.json"
        [ "$status" -eq 3 ]
        [ "${#lines[@]}" -eq 1 ]
        [[ "$output" == *"$2"* ]]
    }
    rest='"hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 1024'
    refused '{"architectures": ["Zamba2ForCausalLM"]}' "llama.cpp cannot convert Zamba2ForCausalLM"
    refused '{"hidden_size": 256}' "names no class"
    refused '{"architectures": ["LlamaForCausalLM"], '"$rest"',
              "quantization_config": {"quant_method": "bitsandbytes"}}' "quantised by bitsandbytes"
    refused '{"architectures": ["LlamaForCausalLM"], '"$rest"',
              "quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4"}}' NVFP4
    refused '{"architectures": ["Eagle3DraftModel"]}' "give the GGUF file"
    refused '{"ssm_cfg": {"layer": "Mamba2"}, "d_model": 256, "n_layer": 2, "vocab_size": 1024,
              "attn_layer_idx": [1]}' "no Mamba 2 with attention"
}

@test "a checkpoint in FP8 comes out as its floats" {
    bytes() { "$ULLAGE" show "$folder/config.json" --json | grep -o '"weight_bytes": [0-9]*'; }
    plain=$(bytes)
    sed -i 's/"torch_dtype"/"quantization_config": {"quant_method": "fp8"}, "torch_dtype"/' \
        "$folder/config.json"
    [ "$(bytes)" = "$plain" ]
}
