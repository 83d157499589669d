#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# Speeds through the command: two splits that a published lesson works out by hand ("Memory Math",
# examples 11 and 12), with its bandwidths and assumptions, and what the catalogue adds. The lesson
# counts norms as Q4_K (example 11) or not at all (12); files have them as F32, which moves its printed
# figures by less than one in the last place: `near`.

setup_file() {
    export H=$BATS_FILE_TMPDIR
    "$TEST_BUILD/mklesson" "$H"
    xz -dc "$TEST_DATA/corpus/headers.tar.xz" | tar -xf - -C "$H" models/Qwen3-8B--Q4_K_M.gguf \
        models/gemma-3-27b-it--Q4_K_M.gguf models/gpt-oss-20b--MXFP4_MOE.gguf
}

# speed COMMAND MODEL FLAGS...: what the expression $E gives of the JSON `p`, its speed `s`, devices `d`
speed() {
    run --separate-stderr "$ULLAGE" "$@" --json --cpu zen4
    python3 -c '
import json, sys
p = json.load(sys.stdin)
s = p["speed"]
g, d = s["generation"], {x["name"]: x for x in s["devices"]}
m = {x["name"]: x for x in p.get("devices", [])}
GiB, MiB = 2.0 ** 30, 2.0 ** 20
near = lambda value, printed, last: abs(value - printed) < last
print(eval("(" + sys.argv[1] + ")"))' "$E" <<<"$output"
}

# The lesson's machine: 1008 GB/s beside 89.6 GB/s.
L=(--gpu total=24GiB,bandwidth=1008GB/s --ram 64GiB --ram-bandwidth 89.6GB/s --runtime 0 --prompt-peak 0 -np 1)

@test "a 70B on one card: -ngl 41 takes 20.5 and 19.7 GiB" {
    E='"%.1f %.1f" % ((m["CUDA0"]["model_bytes"] + m["CUDA0"]["context_bytes"] + m["CUDA0"]["compute_bytes"]) / GiB,
                      (m["Host"]["model_bytes"] + m["Host"]["context_bytes"]) / GiB)'
    [ "$(speed plan "$H/llama-70b.gguf" -ngl 41 -c 8192 "${L[@]}" --assume-compute 819.2MiB)" = "20.5 19.7" ]
}

@test "a 70B on one card: 21.0 + 229.8 ms at 8K, 4.0 tokens/s at most" {
    E='near(d["CUDA0"]["weight_ms"] + d["CUDA0"]["cache_ms"], 21.0, 0.1),
       near(d["Host"]["weight_ms"] + d["Host"]["cache_ms"], 229.8, 0.1), "%.1f" % g["bound"]'
    [ "$(speed speed "$H/llama-70b.gguf" -ngl 41 -c 8192 "${L[@]}" --depth 8192)" = "(True, True, '4.0')" ]
}

@test "experts on the host: 3.68 and 15.35 GiB" {
    E='near((m["CUDA0"]["model_bytes"] + m["CUDA0"]["context_bytes"]) / GiB, 3.68, 0.01),
       near(m["Host"]["model_bytes"] / GiB, 15.35, 0.01)'
    [ "$(speed plan "$H/qwen3-30b-a3b.gguf" -cmoe -ngl 99 -c 32768 "${L[@]}")" = "(True, True)" ]
}

@test "experts on the host: 3.68 and 0.95 GiB a token at 32K, 65 tokens/s at most" {
    E='near((d["CUDA0"]["weight_bytes"] + d["CUDA0"]["cache_bytes"]) / GiB, 3.68, 0.01),
       "%.2f" % (d["Host"]["weight_bytes"] / GiB), "%.0f" % g["bound"]'
    [ "$(speed speed "$H/qwen3-30b-a3b.gguf" -cmoe -ngl 99 -c 32768 "${L[@]}" --depth 32k)" = "(True, '0.95', '65')" ]
}

@test "weights are read once, whatever the depth; keys and values grow with it" {
    Q="$H/models/Qwen3-8B--Q4_K_M.gguf"
    E='d["CUDA0"]["weight_bytes"], d["CUDA0"]["cache_bytes"]'
    run speed speed "$Q" -c 32768 -np 1 --gpu 'RTX 4090'
    [ "$output" = "(4671766528, 0)" ]
    run speed speed "$Q" -c 32768 -np 1 --gpu 'RTX 4090' --depth 10000
    [ "$output" = "(4671766528, 1474560000)" ] # 36 layers x 8 heads x 128 x 2 x 2 bytes a token
    run speed speed "$Q" -c 32768 -np 1 --gpu 'RTX 4090' --depth 10000 -ctk q8_0 -ctv q8_0
    [ "$output" = "(4671766528, 783360000)" ]
}

@test "a window is not read past its length" {
    E='d["CUDA0"]["cache_bytes"]' # 10 full layers, 52 of 1024 tokens; 16 heads x 128 x 2 x 2 bytes
    [ "$(speed speed "$H/models/gemma-3-27b-it--Q4_K_M.gguf" -c 32768 -np 1 --gpu 80GiB --depth 20000)" \
        = $((8192 * (10 * 20000 + 52 * 1024))) ]
}

@test "of experts, the used ones: 4 of 32" {
    E='"%.2f" % (d["CUDA0"]["weight_bytes"] / GiB)'
    [ "$(speed speed "$H/models/gpt-oss-20b--MXFP4_MOE.gguf" -c 4096 -np 1 --gpu 80GiB)" = 2.40 ]
}

@test "an expectation lies in its range, and under the bound" {
    E='0 < g["low"] <= g["expected"] <= g["high"] <= g["bound"]'
    for gpu in 'RTX 4090' '2x RTX 3090' 'M3 Max 64GB' 'RX 7900 XTX' 'RX 7900 XTX,backend=vulkan'; do
        [ "$(speed speed "$H/models/Qwen3-8B--Q4_K_M.gguf" -c 8192 -np 1 --gpu "$gpu")" = True ]
    done
}

@test "depth makes it slower, a narrower card too" {
    E='g["expected"]'
    Q="$H/models/Qwen3-8B--Q4_K_M.gguf"
    fast=$(speed speed "$Q" -c 32768 -np 1 --gpu 'RTX 4090')
    deep=$(speed speed "$Q" -c 32768 -np 1 --gpu 'RTX 4090' --depth 30000)
    narrow=$(speed speed "$Q" -c 32768 -np 1 --gpu 'RTX 4060 Ti 16GB')
    python3 -c "import sys; sys.exit(not $fast > $deep > $narrow)"
}

@test "a named Apple chip brings its own CPU" {
    Q="$H/models/Qwen3-8B--Q4_K_M.gguf"
    for pair in 'M1 Pro 16GB:apple_m1' 'M3 Max 64GB:apple_m2_m3' 'M4 Pro:apple_m4'; do
        run -0 --separate-stderr "$ULLAGE" plan "$Q" -c 4096 -np 1 --gpu "${pair%:*}" --json
        [ "$(python3 -c 'import json, sys; print(json.load(sys.stdin)["devices"][-1]["description"])' \
            <<<"$output")" = "${pair#*:}" ]
    done
    run -0 --separate-stderr "$ULLAGE" plan "$Q" -c 4096 -np 1 --gpu 'M3 Max 64GB' --cpu zen4
    [[ $output == *zen4* ]]
}

@test "a depth past the context is cut to it, and said" {
    Q="$H/models/Qwen3-8B--Q4_K_M.gguf"
    run -0 "$ULLAGE" speed "$Q" -c 4096 -np 1 --gpu 'RTX 4090' --depth 9000
    [[ $output == *"generation at depth 4096: "*"depth 9000 is taken as that [depth_cut]"* ]]
    run -0 "$ULLAGE" speed "$Q" -c 4096 -np 1 --gpu 'RTX 4090' --depth 4096
    [[ $output != *depth_cut* ]]
}

@test "what is not known is null, and the status says so" {
    E='g["bound"], g["expected"], s["prompt"]["bound"]'
    [ "$(speed speed "$H/models/Qwen3-8B--Q4_K_M.gguf" -c 8192 -np 1 --gpu 24GiB)" = "(None, None, None)" ]
    run -4 "$ULLAGE" speed "$H/models/Qwen3-8B--Q4_K_M.gguf" -c 8192 -np 1 --gpu 24GiB
    [[ $output == *"bandwidth of a device that takes part is not known"* ]]
    # a bandwidth gives the bound; what such a device reaches of it, no run tells
    E='g["bound"] > 200, g["expected"]'
    [ "$(speed speed "$H/models/Qwen3-8B--Q4_K_M.gguf" -c 8192 -np 1 --gpu 'total=24GiB,bandwidth=1000')" = "(True, None)" ]
}

@test "the table says what the figures rest on and where a token's time goes" {
    Q="$H/models/Qwen3-8B--Q4_K_M.gguf"
    run -0 --separate-stderr "$ULLAGE" speed "$Q" -c 8192 -np 1 --gpu 'RTX 4090' --depth 4096
    [[ $output == *"from published runs of this very device"*"a prompt of 4096 tokens: about "*" s ("* ]]
    [[ $output != *Host* ]] # nothing is read there
    run -0 --separate-stderr "$ULLAGE" speed "$Q" -c 8192 -np 1 --gpu 'RTX 4060 Ti 8GB'
    [[ $output == *"from published runs of its family; this device was not measured"* ]]
    run -0 --separate-stderr "$ULLAGE" speed "$Q" -c 8192 -np 1 --gpu 'RTX 4070,backend=vulkan'
    [[ $output == *"from published runs of other families with this back-end"* ]]
    run -0 --separate-stderr "$ULLAGE" speed "$Q" -ngl 20 -c 8192 -np 1 --gpu 'RTX 4090' --ram-bandwidth 89.6GB/s
    [[ $output == *"where a token's time goes: CUDA0 "*" %, Host "*" %, "*" % of all whatever memory's speed"* ]]
}

@test "GPUs in a row read a prompt together, and answer one after the other" {
    Q="$H/models/Qwen3-8B--Q4_K_M.gguf"
    E='s["prompt"]["bound"], s["prompt"]["expected"], g["bound"], g["expected"]'
    one=$(speed speed "$Q" -c 8192 -np 1 -ngl 99 --gpu 'RTX 3090')
    two=$(speed speed "$Q" -c 8192 -np 1 -ngl 99 --gpu '2x RTX 3090')
    tensor=$(speed speed "$Q" -c 8192 -np 1 -ngl 99 --gpu '2x RTX 3090' -sm tensor)
    python3 -c "
one, two, tensor = $one, $two, $tensor
assert 1.8 < two[0] / one[0] < 2.1 and 1.2 < two[1] / one[1] < 2 # layers do not divide evenly
assert abs(two[2] / one[2] - 1) < 1e-6 and 0.9 < two[3] / one[3] < 1
assert 1.9 < tensor[0] / one[0] < 2.1 and 1.9 < tensor[2] / one[2] < 2.1 and tensor[3] is None"
}

@test "a plan prints its speed where the bandwidth is known, or --depth asks" {
    Q="$H/models/Qwen3-8B--Q4_K_M.gguf"
    run --separate-stderr "$ULLAGE" plan "$Q" -c 8192 -np 1 --gpu 'RTX 4090' --depth 4096
    [[ $output == *"generation at depth 4096: "*"tokens/s expected"*"at most"* ]]
    run --separate-stderr "$ULLAGE" plan "$Q" -c 8192 -np 1 --gpu 24GiB
    [[ $output != *"generation"* ]]
    run --separate-stderr "$ULLAGE" plan "$Q" -c 8192 -np 1 --gpu 24GiB --depth 0
    [[ $output == *"generation at depth 0: unknown"* ]]
}

@test "--ram-bandwidth takes a rate or a platform, --depth a number" {
    Q="$H/models/Qwen3-8B--Q4_K_M.gguf"
    E='d["Host"]["bandwidth_bytes_per_s"]'
    [ "$(speed speed "$Q" -c 8192 --gpu none --ram-bandwidth 'DDR5-5600 dual channel')" = 89600000000 ]
    [ "$(speed speed "$Q" -c 8192 --gpu none --ram-bandwidth 0.46TB/s)" = 460000000000 ]
    run -2 "$ULLAGE" speed "$Q" --gpu none --ram-bandwidth swift
    [[ $output == *"neither a rate such as 89.6GB/s"* ]]
    run -2 "$ULLAGE" speed "$Q" --gpu none --depth deep
    [[ $output == *"--depth: 'deep' is no number of tokens"* ]]
}

@test "devices: a table, JSON with sources, and suggestions" {
    run -0 "$ULLAGE" devices 'rtx 4090'
    [[ $output == *"GeForce RTX 4090 D"*"1008"* ]]
    run -0 --separate-stderr "$ULLAGE" devices --json
    python3 -c '
import json, sys
d = json.load(sys.stdin)["devices"]
assert len(d) == 301 and all(x["source"] and x["name"] for x in d)
assert all(x["bandwidth_gbs"] is None or x["bandwidth_gbs"] > 0 for x in d)' <<<"$output"
    run -2 "$ULLAGE" devices 'rtx 4909'
    [[ $output == *"did you mean RTX 4090"* ]]
    run -2 "$ULLAGE" plan "$H/models/Qwen3-8B--Q4_K_M.gguf" --gpu 'RTX 3080'
    [[ $output == *"may be GeForce RTX 3080 10GB, GeForce RTX 3080 12GB"* ]]
}
