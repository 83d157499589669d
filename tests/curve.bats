# Load memory against the context's length. The figures are those of llama.cpp 0.7.0 on a simulated
# A100 (-ngl 99 -np 1 -fa on): the sum of the CUDA0 buffers in MiB at six lengths, and how far the
# line through 4,096 and 8,192 tokens is off there, for three models and two cache types.

bats_require_minimum_version 1.5.0

setup_file() {
    tar -xJf "$TEST_DATA/corpus/headers.tar.xz" -C "$BATS_FILE_TMPDIR" --wildcards \
        'models/Qwen3-8B--Q4_K_M.gguf' 'models/Qwen3.5-9B--Q4_K_M.gguf' 'models/gemma-3-4b-it--Q8_0.gguf'
}

curve() {
    local model=$1 type=$2
    shift 2
    "$ULLAGE" curve "$BATS_FILE_TMPDIR/models/$model.gguf" -ngl 99 -np 1 -fa on -ctk "$type" -ctv "$type" \
        --gpu 'name=A100,total=81151MiB,cc=8.0,sm=108' --to 131072 "$@"
}

# figures MODEL TYPE SLOPE "LOADS at 4K 8K 16K 32K 64K 128K" "ERRORS at 16K 32K 64K 128K" "BENDS"
figures() {
    curve "$1" "$2" --json > "$BATS_TEST_TMPDIR/curve.json"
    python3 - "$BATS_TEST_TMPDIR/curve.json" "$3" "$4" "$5" "$6" <<'PY'
import json, sys
curve = json.load(open(sys.argv[1]))
slope, loads, errors = float(sys.argv[2]), sys.argv[3].split(), [int(x) for x in sys.argv[4].split()]
at = {p["n_ctx"]: p["devices"][0]["load_bytes"] for p in curve["points"]}
mib = 1 << 20
got = ["%.2f" % (at[4096 << i] / mib) for i in range(6)]
assert got == loads, (got, loads)
assert "%.2f" % ((at[8192] - at[4096]) / 4 / mib) == "%.2f" % slope
for i, want in enumerate(errors):
    n = 16384 << i
    off = (at[4096] + (at[8192] - at[4096]) * (n - 4096) / 4096 - at[n]) / mib
    assert round(off) == want, (n, off, want)
bends = [s["from"] for s in curve["stretches"] if s["device"] == "CUDA0" and s["bend"]]
assert bends == [int(x) for x in sys.argv[5].split()], bends
assert [p["n_ctx"] for p in curve["points"] if p["bend"]] == sorted(set(
    s["from"] for s in curve["stretches"] if s["bend"]))
PY
}

@test "Qwen3-8B, f16: one line" {
    figures Qwen3-8B--Q4_K_M f16 145.00 "5139.36 5719.36 6879.36 9199.36 13839.36 23119.36" "0 0 0 0" ""
}

@test "Qwen3-8B, q8_0: flash attention's scratch bends it" {
    figures Qwen3-8B--Q4_K_M q8_0 77.50 "4869.44 5179.44 5799.44 7103.44 9711.44 14927.44" \
        "0 -64 -192 -448" "16384"
}

@test "Qwen3.5-9B, f16: one line" {
    figures Qwen3.5-9B--Q4_K_M f16 33.00 "5098.52 5230.52 5494.52 6022.52 7078.52 9190.52" "0 0 0 0" ""
}

@test "Qwen3.5-9B, q8_0" {
    figures Qwen3.5-9B--Q4_K_M q8_0 18.00 "5038.79 5110.79 5278.79 5630.79 6334.79 7742.79" \
        "-24 -88 -216 -472" "10240"
}

@test "Gemma 3 4B, f16: the window's cache is full at 1,536 tokens" {
    figures gemma-3-4b-it--Q8_0 f16 21.00 "4272.34 4356.34 4524.34 4860.34 5532.34 6876.34" "0 0 0 0" "1536"
}

@test "Gemma 3 4B, q8_0: both" {
    figures gemma-3-4b-it--Q8_0 q8_0 11.62 "4153.81 4200.31 4301.31 4551.31 5051.31 6051.31" \
        "-8 -72 -200 -456" "1536 14336"
}

@test "the table marks the bend, the picture is an SVG, and a length is a number" {
    run curve Qwen3-8B--Q4_K_M q8_0
    [ "$status" -eq 0 ]
    [[ "$output" == *"16384      5799.44   120.09    382.52    48.10  bends here"* ]]
    [[ "$output" == *"16384 to  131072      81.50 MiB per 1,024 tokens  (compute bends)"* ]]
    run curve Qwen3-8B--Q4_K_M q8_0 --svg
    [ "$status" -eq 0 ]
    [[ "$output" == "<svg "*"compute bends at 16384"*"</svg>" ]]
    run curve Qwen3-8B--Q4_K_M q8_0 --to soon
    [ "$status" -eq 2 ]
    [[ "$output" == *"--to: 'soon'"* ]]
    run curve Qwen3-8B--Q4_K_M q8_0 --svg --json
    [ "$status" -eq 2 ]
}
