# What an installed tree gives to others: files in their places, a header for C99 and C++, and a
# program compiled by pkg-config against the shared and the static library.

setup_file() {
    export TREE="$BATS_FILE_TMPDIR/tree"
    cmake --install "$TEST_BUILD/.." --prefix "$TREE" >/dev/null
    PKG_CONFIG_PATH=$(dirname "$(find "$TREE" -name ullage.pc)")
    export PKG_CONFIG_PATH
    LIBRARIES=$(pkg-config --variable=libdir ullage)
    export LIBRARIES
    # README's program, and a model for it
    sed -n '/^```c$/,/^```$/p' "$TEST_DATA/../README.md" | sed '1d;$d' > "$BATS_FILE_TMPDIR/readme.c"
    tar -xJf "$TEST_DATA/corpus/headers.tar.xz" -C "$BATS_FILE_TMPDIR" models/Qwen3-8B--Q4_K_M.gguf
    export MODEL="$BATS_FILE_TMPDIR/models/Qwen3-8B--Q4_K_M.gguf"
}

plain_build() {
    if grep -q '^ULLAGE_SANITIZE:BOOL=ON' "$TEST_BUILD/../CMakeCache.txt"; then
        skip "a sanitized library needs its own link flags"
    fi
}

@test "every file is in its place" {
    for f in bin/ullage include/ullage.h share/man/man1/ullage.1 \
             share/bash-completion/completions/ullage share/zsh/site-functions/_ullage \
             share/fish/vendor_completions.d/ullage.fish; do
        [ -s "$TREE/$f" ] || { echo "missing: $f"; false; }
    done
    [ -e "$LIBRARIES/libullage.a" ]
    [ -e "$LIBRARIES/libullage.so" ]
    [ -e "$LIBRARIES/libullage.so.0" ]
    for f in libcudart.so.12 libcudart.so.13 libcuda.so.1 libnvidia-ml.so.1 libullage-preload.so nvidia-smi; do
        [ -s "$LIBRARIES/ullage/$f" ] || { echo "missing: $f"; false; }
    done
}

@test "the header compiles as C99 and as C++" {
    echo '#include <ullage.h>' > "$BATS_TEST_TMPDIR/h.c"
    cc -std=c99 -Wall -Wextra -pedantic -Werror -I"$TREE/include" -fsyntax-only "$BATS_TEST_TMPDIR/h.c"
    command -v c++ || skip "no C++ compiler"
    c++ -x c++ -Wall -Wextra -pedantic -Werror -I"$TREE/include" -fsyntax-only "$BATS_TEST_TMPDIR/h.c"
}

# What the program prints is what the command says is left.
says_what_is_left() {
    run env LD_LIBRARY_PATH="$LIBRARIES" "$1" "$MODEL" -c 32768 -np 1 -ngl 99
    [ "$status" -eq 0 ]
    run bash -c "'$ULLAGE' '$MODEL' -c 32768 -np 1 -ngl 99 --gpu 24GiB --json | \
        python3 -c 'import json,sys; print(json.load(sys.stdin)[\"devices\"][0][\"left_bytes\"])'"
    [ "$("$1" "$MODEL" -c 32768 -np 1 -ngl 99)" = "CUDA0: $output bytes left" ]
}

@test "README's program uses the shared library by pkg-config" {
    plain_build
    cc -Wall -Wextra -Werror "$BATS_FILE_TMPDIR/readme.c" $(pkg-config --cflags --libs ullage) \
        -o "$BATS_TEST_TMPDIR/shared"
    export LD_LIBRARY_PATH="$LIBRARIES"
    says_what_is_left "$BATS_TEST_TMPDIR/shared"
}

@test "README's program uses the static library by pkg-config" {
    plain_build
    cc "$BATS_FILE_TMPDIR/readme.c" $(pkg-config --cflags ullage) "$LIBRARIES/libullage.a" -lm \
        -o "$BATS_TEST_TMPDIR/static"
    says_what_is_left "$BATS_TEST_TMPDIR/static"
}

@test "the library exports its own names only and needs libc and libm only" {
    plain_build
    run bash -c "nm -D --defined-only '$LIBRARIES/libullage.so' | awk '{print \$3}' | grep -v '^ullage_'"
    [ -z "$output" ]
    run bash -c "objdump -p '$LIBRARIES/libullage.so' | awk '/NEEDED/{print \$2}' | grep -v '^libc\.\|^libm\.'"
    [ -z "$output" ]
}

@test "the completions and the man page know the flags" {
    bash -n "$TREE/share/bash-completion/completions/ullage"
    for f in share/bash-completion/completions/ullage share/zsh/site-functions/_ullage; do
        grep -q -- '--n-gpu-layers' "$TREE/$f"
        grep -q -- '--no-mmap' "$TREE/$f"
        grep -q -- '--reserve' "$TREE/$f"
    done
    grep -q -- '-l n-gpu-layers -r' "$TREE/share/fish/vendor_completions.d/ullage.fish"
    grep -q 'n\\-gpu\\-layers' "$TREE/share/man/man1/ullage.1"
    grep -q 'LLAMA_ARG_N_GPU_LAYERS' "$TREE/share/man/man1/ullage.1"
}

@test "bash completes flags, words and subcommands" {
    source "$TREE/share/bash-completion/completions/ullage"
    COMP_WORDS=(ullage plan x.gguf --n-cpu-f); COMP_CWORD=3; _ullage || true
    [ "${COMPREPLY[*]}" = "--n-cpu-ffn" ]
    COMP_WORDS=(ullage plan x.gguf -sm t); COMP_CWORD=4; _ullage || true
    [ "${COMPREPLY[*]}" = "tensor" ]
    COMP_WORDS=(ullage sh); COMP_CWORD=1; _ullage || true
    [[ " ${COMPREPLY[*]} " == *" show "* ]]
}
