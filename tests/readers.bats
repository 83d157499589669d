# Readers of GPU memory, end to end: a server that stands in for llama-server, and NVIDIA's library and
# command that say of it what a driver would. With ULLAGE_LAB set, the simulated library too, and a
# real llama-server.

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    mkdir now old bin
    cc -shared -fPIC "$TEST_DATA/driver/nvml.c" -o now/libnvidia-ml.so.1
    cc -shared -fPIC -DOLD "$TEST_DATA/driver/nvml.c" -o old/libnvidia-ml.so.1
    cp "$TEST_DATA/driver/nvidia-smi" bin/
    ln -s "$TEST_BUILD/fake_server" bin/llama-server
}

# measured LIBRARY OPTIONS...: the fake's 16 MiB + 2 KiB a token are read as they are, and 6 MiB for
# the prompt; JSON in $output.
measured() {
    local library=$1
    shift
    XDG_DATA_HOME=$BATS_TEST_TMPDIR ULLAGE_FAKE_USE=$BATS_TEST_TMPDIR/use \
        LD_LIBRARY_PATH=$BATS_FILE_TMPDIR/$library PATH=$BATS_FILE_TMPDIR/bin:$PATH \
        run --separate-stderr "$ULLAGE" measure --settle 0.1 --interval 0.05 --repeat 1 --cap 16384 \
        --json "$@" -- llama-server
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    python3 -c '
import json, sys
m = json.loads(sys.argv[1])
gpu, host = m["places"]
assert gpu["name"] == "Fake GPU" and gpu["counts"] and not host["counts"], m["places"]
assert m["driver"] == "1.2.3" and m["reader"] == sys.argv[2], m
assert gpu["budget_bytes"] == (8192 - 700) << 20, gpu
for run in m["runs"]:
    reading = run["readings"][0]
    assert reading["load_bytes"] == (16 << 20) + 2048 * run["n_ctx"], run
assert m["worst_error_bytes"] == 0 and gpu["prompt_bytes"] == 6 << 20, m
' "$output" "$reader"
}

@test "NVML tells what the process holds, once though it is on two lists" {
    reader=nvml measured now
    ULLAGE_FAKE_NVML=old reader=nvml measured old
}

@test "NVML that hides processes, or their figures: the device less what was in use before" {
    # growth below 32 MiB may be anyone's, so the lengths are longer
    ULLAGE_FAKE_NVML=hidden reader=nvml measured now --points 12288,16384
    ULLAGE_FAKE_NVML=withheld reader=nvml measured now --points 12288,16384
}

@test "the nvidia-smi command, where the library is missing or is not wanted" {
    if ! ldconfig -p 2>/dev/null | grep -q 'libnvidia-ml\.so\.1'; then reader=smi measured none; fi
    reader=smi measured now --reader smi
}

@test "no reader knows the GPU: the log's buffers, and what a process takes besides, stand for it" {
    XDG_DATA_HOME=$BATS_TEST_TMPDIR ULLAGE_FAKE=gpu PATH=$BATS_FILE_TMPDIR/bin:$PATH \
        run --separate-stderr "$ULLAGE" measure --settle 0.1 --interval 0.05 --repeat 1 --cap 8192 \
        --reader host --json -- llama-server
    [ "$status" -eq 1 ] || { echo "$stderr"; false; } # 1000 - 512 is less than the load
    python3 -c '
import json, sys
m = json.loads(sys.argv[1])
gpu, host = m["places"]
assert gpu["name"] == "Fake GPU" and gpu["device"] == "Vulkan0" and not host["counts"], m["places"]
assert gpu["budget_bytes"] == 1000 << 20 and gpu["runtime_bytes"] is None, gpu
assert m["runs"][0]["readings"][0]["load_bytes"] == (480 + 16 + 8) << 20, m["runs"][0]
assert any("no reader knows Vulkan0" in n for n in m["notes"]), m["notes"]
' "$output"
}

@test "a reader that finds nothing says so" {
    XDG_DATA_HOME=$BATS_TEST_TMPDIR run --separate-stderr "$ULLAGE" measure --reader amdgpu \
        --sysroot "$BATS_TEST_TMPDIR" -- llama-server
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"'amdgpu' finds no GPU here: is its driver loaded?"* ]]
}

@test "the simulated library and a real llama-server, where the lab is" {
    [ -f "${ULLAGE_LAB:-}/run" ] || skip "ULLAGE_LAB is not set: no llama.cpp on a simulated GPU here"
    cd "$BATS_TEST_TMPDIR"
    tar -xJf "$TEST_DATA/corpus/headers.tar.xz" models/Qwen3-8B--Q4_K_M.gguf
    "$TEST_BUILD/../tools/stub" models/Qwen3-8B--Q4_K_M.gguf qwen.gguf
    XDG_DATA_HOME=$BATS_TEST_TMPDIR run --separate-stderr "$ULLAGE_LAB/run" \
        --gpu 'name=NVIDIA A100 80GB PCIe,mib=81151,cc=8.0,sm=108,base=480' -- \
        "$ULLAGE" measure --gpu-budget 8GB --settle 0.3 --repeat 1 --json -- \
        llama-server -m qwen.gguf -ngl 99 -fa on -np 1
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    python3 -c '
import json, sys
m = json.loads(sys.argv[1])
gpu = m["places"][0]
assert m["n_ctx"] == 14336 and m["worst_error_bytes"] == 0, m
assert gpu["bytes_per_token"] * 1024 == 145 << 20, gpu
assert gpu["prompt_bytes"] == 12 << 20 and gpu["runtime_bytes"] == 480 << 20, gpu
assert gpu["pool_bytes"] == 2 << 20, gpu
assert all(r["buffers_differing"] == 0 for r in m["runs"]), m["runs"]
' "$output"
}

# A server whose memory is on a simulated card: our own NVML and nvidia-smi say what it holds.
simulated() {
    local reader=$1 libraries=$TEST_BUILD/../simgpu/lib
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    cat > "$BATS_TEST_TMPDIR/bin/llama-server" <<SERVER
#!/bin/bash
for word; do [ "\$last" != -c ] || n=\$word; last=\$word; done
"$TEST_BUILD/simgpu_user" 13 malloc=\$((64 + n * 2 / 1024)) pool=8 hold < <(sleep 60) > "\$0.held.\$\$" &
while [ "\$(wc -l < "\$0.held.\$\$")" -lt 2 ]; do sleep 0.02; done
exec "$TEST_BUILD/fake_server" "\$@"
SERVER
    chmod +x "$BATS_TEST_TMPDIR/bin/llama-server"
    ULLAGE_SIMGPU='name=Card,total=8192MiB,used=1000MiB,reserved=200MiB,cc=8.9,sm=46,context=300MiB' \
        ULLAGE_SIMGPU_LEDGER=$BATS_TEST_TMPDIR/ledger LD_LIBRARY_PATH=$libraries \
        XDG_DATA_HOME=$BATS_TEST_TMPDIR PATH=$BATS_TEST_TMPDIR/bin:$libraries:$PATH \
        run --separate-stderr "$ULLAGE" measure --settle 0.1 --interval 0.05 --repeat 1 --cap 16384 \
        --reader "$reader" --json -- llama-server
    [ "$status" -eq 0 ] || { echo "$output$stderr"; false; }
    python3 -c '
import json, sys
m = json.loads(sys.argv[1])
gpu, host = m["places"]
assert gpu["name"] == "Card" and gpu["counts"] and not host["counts"], m["places"]
assert m["reader"] == sys.argv[2], m["reader"]
assert gpu["budget_bytes"] == (8192 - 1000) << 20, gpu
for run in m["runs"]:
    assert run["readings"][0]["load_bytes"] == (300 + 64 + 8 + run["n_ctx"] * 2 // 1024) << 20, run
assert m["worst_error_bytes"] == 0, m
' "$output" "$reader"
}

@test "the simulated NVML tells what a process holds of a simulated card" { simulated nvml; }

@test "the simulated nvidia-smi tells the same" { simulated smi; }
