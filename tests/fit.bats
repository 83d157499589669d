#!/usr/bin/env bats
# ullage fit as a person uses it: the line on standard output, the rest on standard error.
bats_require_minimum_version 1.5.0

setup_file() {
    export H=$BATS_FILE_TMPDIR
    xz -dc "$TEST_DATA/corpus/headers.tar.xz" | tar -xf - -C "$H" --strip-components=1
    "$TEST_BUILD/mklesson" "$H"
    export CARD='name=RTX 4090,total=24082MiB,cc=8.9,sm=128'
}

fit() { run --separate-stderr "$ULLAGE" fit "$H/$1.gguf" --cpu zen4 "${@:2}"; }

# What the expression $E gives of the fit `f` in JSON.
fit_json() {
    fit "$@" --json
    python3 -c '
import json, sys
f = json.load(sys.stdin)
s = {x["name"]: x["value"] for x in f["settings"]}
reasons = [r["code"] for r in f["reasons"]]
print(eval(sys.argv[1]))' "$E" <<<"$output"
}

@test "one line that starts the server, and nothing else, on standard output" {
    fit Qwen3-8B--Q4_K_M -np 1 --gpu "$CARD" --ram 64GiB
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 1 ]
    [ "$output" = "llama-server -m $H/Qwen3-8B--Q4_K_M.gguf -np 1 -c 40960 -ngl 37 -fit off" ]
    [[ "$stderr" == *"bound by the training context: 40,960"* ]]
    [[ "$stderr" == *"Fits: CUDA0 has"* ]]
}

@test "a word with a blank is quoted as shells and xargs take it" {
    cp "$H/Qwen3-8B--Q4_K_M.gguf" "$BATS_TEST_TMPDIR/a b.gguf"
    run --separate-stderr "$ULLAGE" fit "$BATS_TEST_TMPDIR/a b.gguf" --gpu "$CARD"
    [ "$(xargs -n 1 <<<"$output" | sed -n 3p)" = "$BATS_TEST_TMPDIR/a b.gguf" ]
}

@test "what is given stays, and the engine is told numbers that it can read" {
    fit Qwen3-8B--Q4_K_M -c 16k -ctk q8_0 -ctv q8_0 --port 8081 --gpu 24GiB --ram 64GiB
    [ "$status" -eq 0 ]
    [[ "$output" == *" -c 16384 -ctk q8_0 -ctv q8_0 --port 8081 -ngl 37 -fit off" ]]
    [[ "$stderr" == *"as given: -c 16384"* ]]
}

@test "a plan of the line is the plan that it was chosen by" {
    fit Qwen3-8B--Q4_K_M --gpu 8GiB --ram 64GiB
    run --separate-stderr "$ULLAGE" plan $output --cpu zen4 --gpu 8GiB --ram 64GiB
    [ "$status" -eq 0 ]
    [[ "$output" == *"Fits: CUDA0 has"* ]]
}

@test "the budgets of a measured article: decimal gigabytes less 512 MiB, longest context" {
    E='(f["plan"]["context"]["n_ctx"], reasons[0] == "bound_training" or "bound_training" in reasons)'
    budget() { fit_json "$1" -ngl 99 -fa on -np 1 --gpu "name=A100,total=$2GB,cc=8.0,sm=108" --reserve 512MiB; }
    [ "$(budget Qwen3-8B--Q4_K_M 8)" = "(14336, False)" ]
    [ "$(budget Qwen3.5-9B--Q4_K_M 8)" = "(51200, False)" ]
    [ "$(budget Qwen3.5-9B--Q4_K_M 12)" = "(169472, False)" ]
    [ "$(budget gemma-3-4b-it--Q8_0 8)" = "(118528, False)" ]
    for gb in 12 16 24; do
        [ "$(budget Qwen3-8B--Q4_K_M $gb)" = "(40960, True)" ]
        [ "$(budget gemma-3-4b-it--Q8_0 $gb)" = "(131072, True)" ]
    done
    for gb in 16 24; do
        [ "$(budget Qwen3.5-9B--Q4_K_M $gb)" = "(262144, True)" ]
    done
}

@test "the price of 8-bit keys and values at 32K: 2,160 MiB of cache saved, 64 MiB of scratch" {
    fit Qwen3-8B--Q4_K_M -c 32768 -np 1 --gpu "$CARD"
    [[ "$stderr" == *"q8_0 keys and values save 2,160 MiB of cache and cost 64 MiB of scratch here"* ]]
}

@test "experts leave the GPU before layers do" {
    E='(s["ngl"], int(s["ncmoe"]) > 0, "price_context" in reasons)'
    [ "$(fit_json Qwen3-30B-A3B--Q4_K_M --gpu 8GiB --ram 64GiB)" = "('49', True, True)" ]
}

@test "devices of unequal size: the layers of each" {
    E='(sum(map(int, s["ts"].split(","))), f["plan"]["verdict"]["fits"])'
    [ "$(fit_json Qwen3-30B-A3B--Q4_K_M --gpu 8GiB --gpu 6GiB --ram 64GiB)" = "(49, True)" ]
}

@test "what is allowed is given up for the goal, and no more" {
    E='(s["ctk"], s["ctv"])'
    [ "$(fit_json Qwen3-8B--Q4_K_M --gpu 8GiB --allow ctk=q8_0,ctv=q8_0)" = "('q8_0', 'q8_0')" ]
    [ "$(fit_json Qwen3-8B--Q4_K_M --gpu "$CARD" --allow kv=q8_0)" = "('f16', 'f16')" ]
}

@test "slots and speed" {
    E='(int(s["np"]) > 8, f["plan"]["context"]["n_ctx_seq"] >= 4096)'
    [ "$(fit_json Qwen3-8B--Q4_K_M --want slots --gpu "$CARD")" = "(True, True)" ]
    E='s["ub"]'
    [ "$(fit_json Qwen3-8B--Q4_K_M --want speed --gpu "$CARD")" = 2048 ]
}

@test "nothing fits: exit 1, no line, and what is missing" {
    fit Qwen3-8B--Q4_K_M -ngl 99 --gpu 2GiB --ram 64GiB
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ "$stderr" == *"nothing fits"*"CUDA0 lacks"* ]]
}

@test "a wrong goal, a wrong allowance" {
    fit Qwen3-8B--Q4_K_M --want more --gpu 8GiB
    [ "$status" -eq 2 ]
    [[ "$stderr" == "ullage: --want: 'more' is none of"* ]]
    fit Qwen3-8B--Q4_K_M --allow ctk=q3 --gpu 8GiB
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"names no cache type"* ]]
    fit Qwen3-8B--Q4_K_M --min-context many --gpu 8GiB
    [ "$status" -eq 2 ]
}

# The published lesson "Memory Math" with its stated assumptions: example 10's card of 8 GiB with 300
# MiB for a display, 500 for the runtime and 400 of headroom; a compute buffer of 600 MiB.
layers_of() {
    fit_json llama-8b -np 1 --gpu total=8GiB,used=300MiB --reserve 400MiB --runtime 500MiB --prompt-peak 0 "$@"
}

@test "an 8B on a card of 8 GiB: -ngl 33 at 8K, 25 at 32K" {
    E='s["ngl"]'
    [ "$(layers_of -c 8192 --assume-compute 600MiB)" = 33 ]
    [ "$(layers_of -c 32768 --assume-compute 600MiB)" = 25 ]
}

@test "the same with the lesson's later compute buffer of 307 MiB: 27, and 33 with 8-bit keys and values" {
    E='s["ngl"]'
    [ "$(layers_of -c 32768 --assume-compute 307MiB)" = 27 ]
    [ "$(layers_of -c 32768 --assume-compute 307MiB -ctk q8_0 -ctv q8_0)" = 33 ]
}

@test "a 70B within 21 GiB: -ngl 41" {
    E='s["ngl"]'
    [ "$(fit_json llama-70b -np 1 -c 8192 --gpu 21GiB --runtime 0 --prompt-peak 0 --assume-compute 819.2MiB)" = 41 ]
}

# The lesson counts the token embedding (281.8 MiB) on the GPU too, looks past the training context, and
# counts norms as Q4_K (0.9 MiB less than a file has), and knows no driver that gives memory in steps
# (CUDA's does, Vulkan's is not counted so).
@test "the longest context within 6, 10 and 20 GiB" {
    E='s["c"]'
    longest() {
        fit_json llama-8b -np 1 --gpu "total=$1,backend=vulkan" --runtime 294586624 --prompt-peak 0 --assume-compute 600MiB \
            -ngl 99 --override-kv llama.context_length=int:262144 "${@:2}"
    }
    [ "$(longest 6GiB)" = 9728 ]
    [ "$(longest 10GiB)" = 42496 ]
    [ "$(longest 20GiB)" = 124416 ]
    [ "$(longest 6GiB -ctk q8_0 -ctv q8_0)" = 18432 ]
    [ "$(longest 10GiB -ctk q8_0 -ctv q8_0)" = 80128 ]
    [ "$(longest 20GiB -ctk q8_0 -ctv q8_0)" = 234496 ]
}

@test "what llama.cpp's own --fit would choose: less, by a straight line and a margin of 1 GiB" {
    fit Qwen3-8B--Q4_K_M --like-llama --outputs batch -np 4 --runtime 480MiB --gpu 'name=X,total=8192MiB,cc=8.9,sm=128'
    [ "$status" -eq 0 ]
    [[ "$output" == *" -np 4 -c 16384 -ngl 34" ]]
    fit Qwen3-8B--Q4_K_M --like-llama -ngl 99 --gpu 4GiB # set by the user: it gives up
    [ "$status" -eq 1 ]
}

@test "plan: flags left open are what llama-server's own --fit would make of them" {
    plan() { run --separate-stderr "$ULLAGE" plan "$H/$1.gguf" --cpu zen4 --gpu 'name=X,total=8192MiB,cc=8.9,sm=128' "${@:2}"; }
    plan Qwen3-8B--Q4_K_M -np 1
    [ "$status" -eq 0 ]
    [[ "$output" == *"n_ctx 14848,"* ]]
    [[ "$output" == *"--fit chooses -c 14848: with every layer on GPUs and 40960 tokens CUDA0 would lack "*" of the 1024 MiB"*"[fit_applied]"* ]]
    plan Qwen3-8B--Q4_K_M -np 1 -fitt 512
    [[ "$output" == *"n_ctx 18432,"* ]]
    plan Qwen3-8B--Q4_K_M -np 1 -fit off
    [ "$status" -eq 1 ]
    [[ "$output" == *"n_ctx 40960,"* ]]
    [[ "$output" != *"fit_"* ]]
    plan Qwen3-8B--Q4_K_M -np 1 -c 20480 -ngl 99
    [[ "$output" == *"--fit gives up"*"n_gpu_layers already set by user to 99"*"[fit_gave_up]"* ]]
    run --separate-stderr "$ULLAGE" speed "$H/Qwen3-8B--Q4_K_M.gguf" --gpu 'RTX 3070' --cpu zen4
    [[ "$output" == *"[fit_applied]"* ]]
    plan Qwen3-8B--Q4_K_M -np 1 --json
    python3 -c '
import json, sys
f = json.load(sys.stdin)["engine_fit"]
assert f["ran"] and f["changed"] and f["why_not"] is None and f["flags"].startswith("-c 14848 -ngl"), f' <<<"$output"
}

@test "table: cache types against contexts, each cell a plan" {
    run --separate-stderr "$ULLAGE" table "$H/Qwen3-8B--Q4_K_M.gguf" -np 1 -ngl 99 --gpu 8GiB --cpu zen4
    [ "$status" -eq 0 ]
    [[ "$output" == *$'\n'"cache"*" 8192 "*" 40960"$'\n'"f16 "*"+"*"-"*$'\n'"q8_0 "*$'\n'"q4_0 "* ]]
    run --separate-stderr "$ULLAGE" table "$H/Qwen3-8B--Q4_K_M.gguf" -np 1 -ngl 99 --gpu 8GiB --cpu zen4 --json
    python3 -c '
import json, sys
c = {(x["cache_type"], x["n_ctx"]): x["fits"] for x in json.load(sys.stdin)["cells"]}
assert c["f16", 16384] and not c["f16", 32768] and c["q8_0", 32768], c' <<<"$output"
}

@test "table: quantisations against contexts, smallest first; the same models as 'plan --quant all'" {
    run --separate-stderr "$ULLAGE" table llama-3.1-8b --quant all -np 1 --gpu 8GiB --cpu zen4
    [ "$status" -eq 0 ]
    [[ "$output" == *$'\n'"Q4_K_M "*"+"*"-"* ]]
    [[ "$output" != *"Q4_K "* ]]
    run --separate-stderr "$ULLAGE" table llama-3.1-8b --quant all -np 1 --gpu 8GiB --cpu zen4 --json
    table=$output
    run --separate-stderr "$ULLAGE" plan llama-3.1-8b --quant all -np 1 --gpu 8GiB --cpu zen4 --json
    python3 -c '
import json, sys
cells, quants = json.loads(sys.argv[1])["cells"], json.loads(sys.argv[2])["quantisations"]
assert list(dict.fromkeys(c["quant"] for c in cells)) == [q["quant"] for q in quants]
fits = {(c["quant"], c["n_ctx"]): c["fits"] for c in cells}
assert fits["Q4_K_M", 8192] and not fits["Q4_K_M", 131072] and not fits["F16", 4096]
for q in quants: # where every layer fits, the longest context lies between the last cell that fits and the next
    if q["fits"] and "-ngl 33" in q["flags"] and "ncmoe" not in q["flags"]:
        assert all(f == (n <= q["n_ctx_seq"]) for (name, n), f in fits.items() if name == q["quant"]), q' "$table" "$output"
}

@test "a cut that is the user's: experts leave device by device" {
    E='[(x["flag"], "(25|26|27|28)" in x["value"]) for x in f["settings"] if x["name"] == "ncmoe"]'
    [ "$(fit_json Qwen3-30B-A3B--Q4_K_M -ts 1,1 --gpu 12GiB --gpu 8GiB)" = "[('-ot', True)]" ]
    E='s["ncmoe"]'
    [ "$(fit_json Qwen3-30B-A3B--Q4_K_M -ts 3,1 --gpu 8GiB --gpu 12GiB)" = 18 ]
    fit Qwen3-30B-A3B--Q4_K_M -ts 3,1 -cmoe --gpu 8GiB --gpu 12GiB
    [[ "$stderr" == *$'\n'"as given: -cmoe -ts 3,1"$'\n'* ]]
}

@test "the fastest: all on the faster of two cards" {
    E='(s["ts"], reasons[0])'
    [ "$(fit_json Qwen3-14B--Q4_K_M --want speed --gpu 'RTX 3060 12GB' --gpu 'RTX 4090')" = "('0,41', 'goal_speed')" ]
}
