#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# Models on servers, against a server on loopback that misbehaves as asked (remote/server.py) and
# counts what it was asked for and what was taken of it.

load remote/helpers

setup_file() { start_server; }
teardown_file() { stop_server; }
setup() { fresh; }

# The description without the file's name and size, which are the server's.
shown() { grep -v -e gguf -e 'size' <<<"$1"; }

@test "a small header: one request, not more than 256 KiB, and the same description as from the disk" {
    show "$URL/ranges/small.gguf" --json
    [ "$status" -eq 0 ]
    local remote=$output
    [ "$(stats 'len(r), sum(x["sent"] for x in r) <= 262144')" = "(1, True)" ]
    show "$W/www/small.gguf" --json
    diff <(grep -v '"path"' <<<"$remote") <(grep -v '"path"' <<<"$output")
}

@test "a header of 12 MiB: at most 4 requests, at most 256 KiB more than the header" {
    show "$URL/ranges/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats "len(r) <= 4, sum(x['sent'] for x in r) <= $(cat "$W/www/header-bytes") + 262144")" = "(True, True)" ]
    [ "$(stats 'len({x["port"] for x in r})')" = 1 ]
}

@test "without ranges: read until the header ends, then closed" {
    show "$URL/noranges/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats "len(r), r[0]['sent'] <= $(cat "$W/www/header-bytes") + 262144")" = "(1, True)" ]
    show "$URL/nolength/small.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats 'r[-1]["sent"] < 1 << 20')" = True ]
}

@test "HTTP/1.0 without ranges and without a length" {
    show "$URL/http10/small.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats 'len(r), r[0]["sent"] < 1 << 20')" = "(1, True)" ]
}

@test "an answer that is compressed without being asked for is refused in one line" {
    show "$URL/gzip/small.gguf"
    [ "$status" -eq 3 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"sends it compressed (gzip)"* ]]
}

@test "plan, fit, curve and speed take a URL, as a word and with -m" {
    local args=(-c 8192 -np 1 --gpu 24GiB --assume-compute 300MiB)
    run --separate-stderr "$ULLAGE" plan "$URL/ranges/small.gguf" "${args[@]}" --cpu zen4 --json
    local remote=$output
    run --separate-stderr "$ULLAGE" plan "$W/www/small.gguf" "${args[@]}" --cpu zen4 --json
    diff <(grep -v -e '"path"' -e gguf <<<"$remote") <(grep -v -e '"path"' -e gguf <<<"$output")
    run -0 --separate-stderr "$ULLAGE" fit "$URL/ranges/small.gguf" -np 1 --gpu 24GiB
    run -0 --separate-stderr "$ULLAGE" curve "$URL/ranges/small.gguf" -np 1 --gpu 24GiB --to 8k
    run -0 --separate-stderr "$ULLAGE" speed "$URL/ranges/small.gguf" --gpu 'RTX 4090'
    run -0 --separate-stderr "$ULLAGE" show -m "$URL/ranges/small.gguf"
}

@test "shards are found by their names, with the query kept; one connection" {
    show "$URL/ranges/two-00001-of-00002.gguf?download=true"
    [ "$status" -eq 0 ]
    [ "$(stats 'len(r), all("?download=true" in x["path"] for x in r), len({x["port"] for x in r})')" = "(2, True, 1)" ]
    rm -f "$W/www/alone-00001-of-00002.gguf"
    ln "$W/www/two-00001-of-00002.gguf" "$W/www/alone-00001-of-00002.gguf"
    show "$URL/ranges/alone-00001-of-00002.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"shard 2 of 2 is missing: "*"alone-00002-of-00002.gguf: the server answers 404"* ]]
}

@test "redirects are followed, the long request goes where they ended" {
    show "$URL/redirect/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats '[x["path"].split("/")[1] for x in r]')" = "['redirect', 'ranges', 'ranges']" ]
    show "$URL/loop/x.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *redirect* ]]
    show "$URL/tofile/x.gguf"
    [ "$status" -eq 3 ]
    [[ "$output" != *root* ]]
}

@test "--header is sent; what tells who asks is not sent to another host" {
    show "$URL/auth/small.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"401"*"HF_TOKEN"* ]]
    show "$URL/auth/small.gguf" --header 'Authorization: Bearer secret' --header 'X-Key: 7'
    [ "$status" -eq 0 ]
    [ "$(stats 'r[-1]["key"]')" = 7 ]
    show "$URL/away/big.gguf" --header 'Authorization: Bearer secret'
    [ "$status" -eq 0 ]
    [ "$(stats '[x["auth"] for x in r[-3:]]')" = "['Bearer secret', None, None]" ]
    show "$URL/ranges/small.gguf" --header nonsense
    [ "$status" -eq 2 ]
}

@test "HF_TOKEN goes to Hugging Face's endpoint and nowhere else" {
    HF_TOKEN=secret show "$URL/auth/small.gguf"
    [ "$status" -eq 3 ]
    HF_TOKEN=secret HF_ENDPOINT=$URL show "$URL/auth/small.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats '[x["auth"] for x in r]')" = "[None, 'Bearer secret']" ]
}

@test "404, 403 and 500 are one clear line" {
    for code in 404 403 500; do
        show "$URL/$code/x.gguf"
        [ "$status" -eq 3 ]
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == "ullage: $URL/$code/x.gguf: the server answers $code"* ]]
    done
    [ "$(stats 'len(r)')" = 3 ]
}

@test "429 waits as long as Retry-After says; an hour is refused; 503 is tried again" {
    local before=$(date +%s%N)
    show "$URL/busy/small.gguf"
    [ "$status" -eq 0 ]
    [ $(($(date +%s%N) - before)) -ge 1000000000 ]
    show "$URL/429/long"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"429 and asks to wait 3600 seconds"* ]]
    show "$URL/down/small.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats '[x["path"] for x in r].count("/down/small.gguf")')" = 3 ]
}

@test "a transfer that breaks off goes on where it was; one that never comes is given up" {
    show "$URL/cut/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats "len(r), sum(x['sent'] for x in r) <= $(cat "$W/www/header-bytes") + 262144")" = "(6, True)" ]
    show "$URL/nothing/small.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"the transfer ends at byte "* ]]
}

@test "a file that changes between two requests is noticed" {
    show "$URL/changing/big.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"changed while it was read"* ]]
    show "$URL/wrongtotal/big.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"changed while it was read"* ]]
}

@test "lengths that contradict each other are refused" {
    for mode in wronglength wrongstart; do
        show "$URL/$mode/small.gguf"
        [ "$status" -eq 3 ]
        [[ "$stderr" == *"contradict each other"* ]]
    done
}

@test "a server that sends a few bytes a second is given up" {
    show "$URL/slow/small.gguf" --timeout 1
    [ "$status" -eq 0 ] # 32 KiB a second is slow, not dead
    python3 - "$W/silent" <<'P' 3>&- &
import socket, sys, time
s = socket.create_server(("127.0.0.1", 0))
open(sys.argv[1], "w").write(str(s.getsockname()[1]))
kept = []
s.settimeout(20)
try:
    while True:
        c = s.accept()[0]
        c.recv(4096)
        c.sendall(b"HTTP/1.1 206 X\r\nContent-Range: bytes 0-262143/300000\r\nContent-Length: 262144\r\n\r\n")
        kept.append(c)
except OSError:
    pass
P
    local pid=$!
    for _ in $(seq 50); do [ -s "$W/silent" ] && break; sleep 0.1; done
    show "http://127.0.0.1:$(cat "$W/silent")/x.gguf" --timeout 1
    kill $pid
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"bytes a second for 1 seconds"* ]]
}

@test "what is no model is refused by what it is" {
    show "$URL/ranges/page.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"a web page"* ]]
    show "$URL/ranges/half.gguf"
    [ "$status" -eq 3 ]
    show "$URL/ranges/empty.gguf"
    [ "$status" -eq 3 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    show "http://127.0.0.1:1/x.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"connect"* ]]
}

@test "the cache is asked about before it is believed; --offline believes it" {
    show "$URL/ranges/big.gguf"
    local first=$output
    show "$URL/ranges/big.gguf"
    [ "$output" = "$first" ]
    [ "$(stats 'r[-1]["status"], r[-1]["sent"]')" = "(304, 0)" ]
    local n=$(stats 'len(r)')
    show "$URL/ranges/big.gguf" --offline
    [ "$output" = "$first" ]
    show "$URL/ranges/small.gguf" --offline
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"--offline"* ]]
    [ "$(stats 'len(r)')" = "$n" ]
    # Another file in its place: read again.
    cp --sparse=always "$W/www/small.gguf" "$W/www/swap.gguf"
    show "$URL/ranges/swap.gguf"
    [ "$status" -eq 0 ]
    cp "$W/www/page.gguf" "$W/www/swap.gguf"
    show "$URL/ranges/swap.gguf"
    [ "$status" -eq 3 ]
}

@test "a cache that was damaged or cannot be written is no error" {
    show "$URL/ranges/small.gguf"
    for f in "$XDG_CACHE_HOME"/ullage/headers/*; do truncate -s 100 "$f"; done
    show "$URL/ranges/small.gguf"
    [ "$status" -eq 0 ]
    XDG_CACHE_HOME=/proc/none show "$URL/ranges/small.gguf"
    [ "$status" -eq 0 ]
}

@test "no network without being asked" {
    unset HF_ENDPOINT
    show "$W/www/small.gguf"
    [ "$(stats 'len(r)')" = 0 ]
}


@test "-hf chooses the file that llama-server would, and lists the files when there is none" {
    export HF_ENDPOINT=$URL
    local args=(-c 4096 --gpu 24GiB --no-mmproj --json)
    run --separate-stderr "$ULLAGE" plan -hf owner/repo "${args[@]}"
    [[ "$output" == *"/owner/repo/resolve/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/small-Q8_0.gguf"* ]]
    run --separate-stderr "$ULLAGE" plan -hf owner/repo:q6_k "${args[@]}"
    [[ "$output" == *"small-Q6_K.gguf"* ]]
    show hf:owner/repo:Q6_K
    [ "$status" -eq 0 ]
    show hf:owner/repo:Q5_K_M
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"no GGUF model of Q5_K_M; its files: "*"mmproj-Q8_0.gguf, small-Q6_K.gguf"* ]]
    show hf:owner
    [ "$status" -eq 2 ]
    show hf:owner/none
    [ "$status" -eq 3 ]
    run --separate-stderr "$ULLAGE" plan -mu "$URL/ranges/small.gguf" "${args[@]}"
    [[ "$output" == *"/ranges/small.gguf"* ]]
}

@test "list --hf: the table of a repository, its first files only, headers by range" {
    export HF_ENDPOINT=$URL
    run --separate-stderr "$ULLAGE" list --hf owner/repo --gpu 24GiB --ram 64GiB --cpu zen4
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [[ "${lines[1]}" == *" 8.19B "*" qwen3 "*" yes "*" yes "*" yes "*"remote"*"hf:owner/repo/deep/IQ 2/a#b-IQ2_M.gguf  +mmproj" ]]
    # the list at a commit, and of each model one piece of 256 KiB
    [ "$(stats 'len(r), sum(x["sent"] for x in r) <= 3 * 262144 + 8192')" = "(5, True)" ]
    show "hf:owner/repo/deep/IQ 2/a#b-IQ2_M.gguf"
    [ "$status" -eq 0 ]
    run -0 --separate-stderr "$ULLAGE" list hf:owner/repo:Q6_K --gpu 6GiB --fits 8k --json
    [ "$(python3 -c 'import json,sys; print(json.loads(sys.argv[1])["models"])' "$output")" = "[]" ]
    run --separate-stderr "$ULLAGE" list --hf owner/text --gpu 24GiB
    [ "$status" -eq 3 ]
    run --separate-stderr "$ULLAGE" list --hf owner/none --gpu 24GiB
    [ "$status" -eq 3 ]
    run --separate-stderr "$ULLAGE" list --hf owner/repo --offline --gpu 24GiB
    [ "$status" -eq 0 ] # cached above
}

@test "sniff a URL: its first piece is enough" {
    run --separate-stderr "$ULLAGE" sniff "$URL/ranges/small.gguf"
    [ "$status" -eq 1 ] # the test's file is longer than the model
    [[ "$output" == *"a GGUF model: qwen3, Q4_K - Medium, 8.19 B parameters, 36 layers, 6144.00 MiB"*"[extra_bytes]"* ]]
    [ "$(stats 'len(r), sum(x["sent"] for x in r) <= 262144')" = "(1, True)" ]
    run --separate-stderr "$ULLAGE" sniff "$URL/ranges/page.gguf"
    [ "$status" -eq 1 ]
    [[ "$output" == *"a web page"* ]]
    run --separate-stderr "$ULLAGE" sniff "$URL/404/x.gguf"
    [ "$status" -eq 3 ]
}
