# The simulated CUDA libraries, used by a small program as ggml's CUDA back-end uses the real ones.

bats_require_minimum_version 1.5.0

setup() {
    LIBRARIES=$TEST_BUILD/../simgpu/lib
    export LD_LIBRARY_PATH=$LIBRARIES
    export ULLAGE_SIMGPU='name=RTX 4090,total=24564MiB,cc=8.9,sm=128,context=300MiB; name=RTX 3060,total=12GiB,cc=8.6,sm=28'
    export ULLAGE_SIMGPU_LEDGER=$BATS_TEST_TMPDIR/ledger
    unset CUDA_VISIBLE_DEVICES
}

teardown() { [ -z "${holder:-}" ] || kill -9 "$holder" 2>/dev/null || true; }

# gives EXPECTED WORD...: the words' lines, joined by "; ", with both runtimes.
gives() {
    local expected=$1 major
    shift
    for major in 12 13; do
        rm -rf "$ULLAGE_SIMGPU_LEDGER"
        run --separate-stderr "$TEST_BUILD/simgpu_user" "$major" "$@"
        [ "$status" -eq 0 ] || { echo "$output$stderr"; false; }
        output=$(paste -sd';' <<< "$output" | sed 's/;/; /g')
        [ "$output" = "$expected" ] || { echo "runtime $major:"; echo "$output"; echo "$expected"; false; }
    done
}

smi() { "$LIBRARIES/nvidia-smi" "$@" --format=csv,noheader,nounits; }

# holds WORD...: a program that holds what its words took; its number in $holder.
holds() {
    mkfifo "$BATS_TEST_TMPDIR/hold"
    "$TEST_BUILD/simgpu_user" 12 "$@" hold < "$BATS_TEST_TMPDIR/hold" > "$BATS_TEST_TMPDIR/held" &
    holder=$!
    exec 9> "$BATS_TEST_TMPDIR/hold"
    for _ in $(seq 100); do
        [ "$(wc -l < "$BATS_TEST_TMPDIR/held")" -ge $# ] && return
        sleep 0.05
    done
    return 1
}

@test "a context is taken at first use, large requests in steps of 2 MiB" {
    gives '0 info 24264 of 24564; 0 malloc=3; 0 info 24260 of 24564; 0 free; 0 info 24264 of 24564' \
        info malloc=3 info free info
    gives '0 use=1; 0 malloc=4; 0 info 12284 of 12288' use=1 malloc=4 info
}

@test "small requests share a step, which goes when all of them have" {
    gives '0 bytes=1000; 0 bytes=1048576; 0 info 24262 of 24564; 0 bytes=1048576; 0 info 24260 of 24564; 0 free; 0 free; 0 info 24262 of 24564; 0 free; 0 info 24264 of 24564' \
        bytes=1000 bytes=1048576 info bytes=1048576 info free free info free info
    gives '0 bytes=0; 0 info 24264 of 24564' bytes=0 info
}

@test "out of memory is the runtime's error, kept until it is asked for; nothing was taken" {
    gives '0 malloc=24000; 2 malloc=265; 0 info 264 of 24564; 2 error out of memory, then 0; 0 malloc=264; 0 info 0 of 24564; 2 malloc=1' \
        malloc=24000 malloc=265 info error malloc=264 info malloc=1
    gives '2 malloc=17592186044415; 0 info 24264 of 24564' malloc=17592186044415 info
}

@test "a context that does not fit fails where it is made" {
    ULLAGE_SIMGPU='total=200MiB,context=300MiB'
    gives '2 use=0; 2 error out of memory, then 0' use=0 error
}

@test "the runtime's pool: physical memory that lives while it is mapped" {
    gives '0 pool=2; 0 pool=8; 0 info 24254 of 24564; 0 unpool; 0 info 24264 of 24564' \
        pool=2 pool=8 info unpool info
    gives '1 pool=3; 2 pool=24266; 0 info 24264 of 24564' pool=3 pool=24266 info # not of the granularity
}

@test "managed memory makes way; pinned and asynchronous memory" {
    gives '0 managed=30000; 0 info 0 of 24564; 0 malloc=24264; 0 info 0 of 24564; 0 free; 0 free; 0 info 24264 of 24564' \
        managed=30000 info malloc=24264 info free free info
    gives '0 pinned=64; 0 info 24264 of 24564; 0 async=64; 0 info 24200 of 24564' \
        pinned=64 info async=64 info
}

@test "memory of the device copied to the host is zeros" {
    gives '0 malloc=2; 0 copy 0 0' malloc=2 copy
}

@test "what is not ours to free, and devices that are not there" {
    gives '1 free; 1 error invalid argument, then 0; 101 use=2; 101 error invalid device ordinal, then 0' \
        free error use=2 error
}

@test "a device's figures follow its description and generation" {
    gives '0 props RTX 4090, 8.9, 128 sm, 101376 shared, 1536 threads; 0 props RTX 3060, 8.6, 28 sm, 101376 shared, 1536 threads' \
        props=0 props=1
    ULLAGE_SIMGPU='name=H100,total=80GiB,cc=9.0,sm=132; name=P40,total=24GiB,cc=6.1,sm=30; name=B200,total=180GiB,cc=10.0,sm=148'
    gives '0 props H100, 9.0, 132 sm, 232448 shared, 2048 threads; 0 props P40, 6.1, 30 sm, 49152 shared, 2048 threads; 0 props B200, 10.0, 148 sm, 232448 shared, 2048 threads' \
        props=0 props=1 props=2
}

# Offsets of driver_types.h's struct: major, minor, multiProcessorCount; sharedMemPerBlockOptin.
@test "the properties' layout is the major version's" {
    run "$TEST_BUILD/simgpu_user" 12 int=0:360 int=0:364 int=0:388
    [ "${lines[*]}" = "0 int 8 0 int 9 0 int 128" ]
    run "$TEST_BUILD/simgpu_user" 13 int=0:360 int=0:364 int=0:384
    [ "${lines[*]}" = "0 int 8 0 int 9 0 int 128" ]
}

@test "CUDA_VISIBLE_DEVICES by number and by identity; the list ends at what is no device" {
    export CUDA_VISIBLE_DEVICES=1,0
    gives '0 props RTX 3060, 8.6, 28 sm, 101376 shared, 1536 threads; 0 malloc=2; 0 info 12286 of 12288' \
        props=0 malloc=2 info
    [ "$(smi --query-gpu=memory.used)" = "$(printf '0\n0')" ]
    CUDA_VISIBLE_DEVICES=$(smi -i 1 --query-gpu=uuid)
    gives '0 props RTX 3060, 8.6, 28 sm, 101376 shared, 1536 threads; 101 use=1' props=0 use=1
    CUDA_VISIBLE_DEVICES=7,0
    run "$TEST_BUILD/simgpu_user" 12 use=0
    [ "$output" = "101 use=0" ]
}

@test "two programs, one card: each sees what the other took; nvidia-smi sees both" {
    holds malloc=20000
    run "$TEST_BUILD/simgpu_user" 13 info malloc=4000 malloc=3000
    [ "${lines[*]}" = "0 info 3964 of 24564 2 malloc=4000 0 malloc=3000" ] || { echo "$output"; false; }
    [ "$(smi --query-compute-apps=pid,used_memory)" = "$holder, 20300" ]
    [ "$(smi --query-gpu=index,memory.total,memory.free)" = "$(printf '0, 24564, 4264\n1, 12288, 12288')" ]
}

@test "what a killed program held is free again" {
    holds malloc=20000
    kill -9 "$holder"
    wait "$holder" || true
    [ "$(smi --query-gpu=memory.used)" = "$(printf '0\n0')" ]
    [ -z "$(smi --query-compute-apps=pid)" ]
    run "$TEST_BUILD/simgpu_user" 12 malloc=24000
    [ "$output" = "0 malloc=24000" ]
}

@test "what others hold, and the driver's reserve" {
    ULLAGE_SIMGPU='total=24564MiB,used=1000MiB,reserved=400MiB'
    gives '0 info 23564 of 24564' info
    [ "$(smi --query-gpu=memory.total,memory.reserved,memory.used,memory.free)" = "24964, 400, 1000, 23564" ]
}

@test "a call without a simulation fails, and says its name once" {
    run --separate-stderr "$TEST_BUILD/simgpu_user" 12 call=cudaGraphAddKernelNode call=cudaGraphAddKernelNode error
    [ "${lines[*]}" = "801 call cudaGraphAddKernelNode 801 call cudaGraphAddKernelNode 801 error operation not supported, then 0" ]
    [ "$(grep -c "cudaGraphAddKernelNode is not simulated" <<< "$stderr")" -eq 1 ]
    run --separate-stderr "$TEST_BUILD/simgpu_user" 12 call=cuModuleLoad
    [[ "$stderr" == *"cuModuleLoad is not simulated"* ]]
}

@test "a description that cannot be read is no device" {
    for spec in 'total=lots' 'name=X,total=1GiB,speed=9' 'name=X' 'total=1GiB,cc=8'; do
        rm -rf "$ULLAGE_SIMGPU_LEDGER"
        ULLAGE_SIMGPU=$spec run --separate-stderr "$TEST_BUILD/simgpu_user" 12 use=0
        [ "$output" = "101 use=0" ]
        [[ "$stderr" == *"simgpu: "* ]] || { echo "$spec: $stderr"; false; }
    done
}

# exports LIBRARY TABLE VERSION
exports() {
    nm -D --defined-only "$LIBRARIES/$1" | awk '{print $3}' | grep -v "^$3\$" | grep -v "@@$3\$" | sort > have
    [ -z "$3" ] || nm -D --defined-only "$LIBRARIES/$1" | sed -n "s/.* \\(.*\\)@@$3\$/\\1/p" | sort > have
    grep -oE '^ *(SIMULATED|EMPTY|REFUSED)\([A-Za-z0-9_]+|\) (EMPTY|REFUSED)\([A-Za-z0-9_]+' \
        "$TEST_DATA/../simgpu/$2" | sed 's/.*(//' | sort > want
    diff want have
}

@test "each library exports its table, under the version that the real one has" {
    cd "$BATS_TEST_TMPDIR"
    for major in 12 13; do
        exports "libcudart.so.$major" cudart.def "libcudart.so.$major"
        exports "libcublas.so.$major" cublas.def "libcublas.so.$major"
        exports "libcublasLt.so.$major" cublaslt.def "libcublasLt.so.$major"
    done
    exports libcuda.so.1 cuda.def ''
    exports libnvidia-ml.so.1 nvml.def ''
}

# The program of ullage itself asks the driver's libraries what is there.
@test "ullage machine finds the simulated cards" {
    run "$ULLAGE" machine
    [[ "$output" == *"name=RTX 4090,total=24564MiB,used=0MiB,backend=cuda,cc=8.9,sm=128"* ]] || { echo "$output"; false; }
    [[ "$output" == *"name=RTX 3060,total=12288MiB"* ]]
}
