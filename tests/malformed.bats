#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# Damaged files as a person meets them: one line on standard error that names the file, nothing on
# standard output, exit 3, at once. The files are the fuzzer's seeds, one of each kind of damage.

@test "every damaged file is refused in one line, exit 3" {
    n=0
    for f in "$TEST_DATA"/../fuzz/corpus/gguf/bad-*; do
        for command in plan show; do
            run --separate-stderr "$ULLAGE" $command "$f"
            [ "$status" -eq 3 ] || { echo "$command $f: exit $status"; return 1; }
            [ -z "$output" ]
            [ "${#stderr_lines[@]}" -eq 1 ]
            [[ "$stderr" == *"$(basename "$f")"*" at byte "* ]] || { echo "$stderr"; return 1; }
        done
        n=$((n + 1))
    done
    [ "$n" -ge 25 ]
}

@test "JSON is asked for, the file is damaged: no half an object comes out" {
    run --separate-stderr "$ULLAGE" plan "$TEST_DATA/../fuzz/corpus/gguf/bad-sum" --json
    [ "$status" -eq 3 ]
    [ -z "$output" ]
}

@test "a folder, a pipe, a device and nothing are refused, exit 3" {
    pipe=$BATS_TEST_TMPDIR/pipe
    mkfifo "$pipe"
    for f in "$BATS_TEST_TMPDIR" "$pipe" /dev/null "$BATS_TEST_TMPDIR/nothing.gguf"; do
        run --separate-stderr timeout 5 "$ULLAGE" plan "$f"
        [ "$status" -eq 3 ] || { echo "$f: exit $status"; return 1; }
        [ "${#stderr_lines[@]}" -eq 1 ]
    done
}

@test "a header of gigabytes by its counts alone costs no memory" {
    ldd "$ULLAGE" | grep -q libasan && skip "the sanitizer needs more address space"
    f=$BATS_TEST_TMPDIR/sparse.gguf
    # 2^28 keys are claimed, and a sparse file has room for them
    printf 'GGUF\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\20\0\0\0\0' > "$f"
    truncate -s 8G "$f"
    run --separate-stderr bash -c "ulimit -v 100000; exec '$ULLAGE' plan '$f'"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"an empty key at byte 24"* ]]
}
