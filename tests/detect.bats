# GPUs of this machine, found through libraries that stand in for NVIDIA's.

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    mkdir both nvml
    cc -shared -fPIC -DCUDA "$TEST_DATA/driver/fake.c" -o both/libcuda.so.1
    cc -shared -fPIC "$TEST_DATA/driver/fake.c" -o both/libnvidia-ml.so.1
    cp both/libnvidia-ml.so.1 nvml/
}

machine() {
    LD_LIBRARY_PATH="$BATS_FILE_TMPDIR/$1" run "$ULLAGE" machine
    [ "$status" -eq 0 ]
    echo "$output"
}

@test "CUDA's driver gives order, totals and multiprocessors; NVML what is used" {
    machine both
    # used is what leaves CUDA's total the free memory that NVML sees, byte for byte
    [ "${lines[0]}" = "--gpu 'name=NVIDIA RTX 4090  founders,total=25249714176,used=4096,backend=cuda,cc=8.9,sm=128'" ]
    [ "${lines[1]}" = "--gpu 'name=NVIDIA GeForce RTX 3060,total=12582916096,used=734007296,backend=cuda,cc=8.6,sm=28'" ]
}

@test "NVML alone gives the bus's order and totals without the driver's reserve" {
    if ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then skip "this machine has the real one"; fi
    machine nvml
    [ "${lines[0]}" = "--gpu 'name=NVIDIA GeForce RTX 3060,total=12000MiB,used=700MiB,backend=cuda,cc=8.6'" ]
    [ "${lines[1]}" = "--gpu 'name=NVIDIA RTX 4090  founders,total=24080MiB,used=0MiB,backend=cuda,cc=8.9'" ]
}
