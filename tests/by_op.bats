# What fills the compute buffers: the tensors of a buffer, and what is free between them, add up to it.

bats_require_minimum_version 1.5.0

setup_file() {
    xz -dc "$TEST_DATA/corpus/headers.tar.xz" | tar -xf - -C "$BATS_FILE_TMPDIR" --strip-components=1
    export MODEL=$BATS_FILE_TMPDIR/qwen3-dense.gguf
}

plan() {
    "$ULLAGE" plan "$MODEL" -c 8192 -ngl 99 -np 1 --gpu name=X,total=24564MiB,cc=8.9,sm=128 --cpu zen4 "$@"
}

@test "--by op --csv: the rows of a buffer add up to its bytes" {
    for flags in "-fa on" "-fa off" "-fa on -ctk q8_0 -ctv q8_0" "-fa on -ub 128"; do
        buffers=$(plan $flags --by buffer --csv | awk -F, '$2 == "compute" {print $1, $3}' | sort)
        sums=$(plan $flags --by op --csv | awk -F, 'NR > 1 {n[$1] += $2} END {for (b in n) print b, n[b]}' | sort)
        [ -n "$buffers" ]
        [ "$buffers" = "$sums" ] || { echo "$flags: $buffers / $sums"; false; }
    done
}

@test "--by op: without flash attention the scores fill the buffer, largest first" {
    run -0 plan -fa off --by op
    first=$(printf '%s\n' "$output" | grep '^CUDA0 ' | head -1)
    [[ "$first" == *"kq-"*"MUL_MAT"* ]] || { echo "$first"; false; }
}
