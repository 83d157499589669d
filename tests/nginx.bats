#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# Models on a server as people run it: nginx of Debian's package, started here on loopback with a
# configuration of its own, and asked by its own log what it sent. Skipped where it is not installed.

load remote/helpers

setup_file() {
    export NGINX=$(PATH=$PATH:/usr/sbin command -v nginx)
    [ -n "$NGINX" ] || return 0
    export W=$BATS_FILE_TMPDIR
    mkdir -p "$W/www" "$W/tmp"
    xz -dc "$TEST_DATA/corpus/headers.tar.xz" | tar -xf - -C "$W" models/Qwen3-8B--Q4_K_M.gguf
    python3 "$TEST_DATA/remote/fixtures.py" "$W/models/Qwen3-8B--Q4_K_M.gguf" "$W/www"
    export PORT=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
    export URL=http://127.0.0.1:$PORT
    sed -e "s|@W@|$W|g" -e "s|@PORT@|$PORT|g" "$TEST_DATA/remote/nginx.conf" >"$W/nginx.conf"
    "$NGINX" -p "$W" -e "$W/error.log" -c "$W/nginx.conf" 3>&- >"$W/nginx.out" 2>&1 &
    echo $! >"$W/pid"
    for _ in $(seq 100); do (: >"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null && break; sleep 0.1; done
}

teardown_file() {
    [ -z "$NGINX" ] || kill "$(cat "$W/pid")"
}

setup() {
    [ -n "$NGINX" ] || skip "nginx is not installed (tools/install_deps.sh installs it)"
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache HOME=$BATS_TEST_TMPDIR/home
    unset HF_TOKEN HF_ENDPOINT MODEL_ENDPOINT http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY
    export no_proxy=127.0.0.1,localhost
    : >"$W/access.log"
}

# log EXPRESSION: of the requests `r` that nginx logged since the test began; it logs at their end
log() {
    sleep 0.3
    python3 -c '
import json, sys
r = [json.loads(line) for line in open(sys.argv[1])]
print(eval("(" + sys.argv[2] + ")"))' "$W/access.log" "$1"
}

show() { run --separate-stderr "$ULLAGE" show "$@"; }
more_than_header() { echo "sum(x['sent'] for x in r) - $(cat "$W/www/header-bytes")"; }

@test "a small header takes one request and at most 256 KiB" {
    show "$URL/small.gguf" --json
    [ "$status" -eq 0 ]
    local remote=$output
    [ "$(log 'len(r), r[0]["status"], r[0]["sent"] <= 262144')" = "(1, 206, True)" ]
    show "$W/www/small.gguf" --json
    diff <(grep -v '"path"' <<<"$remote") <(grep -v '"path"' <<<"$output")
}

@test "a header of 12 MiB takes at most 4 requests and 256 KiB more than it has" {
    show "$URL/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(log "len(r) <= 4, $(more_than_header) <= 262144")" = "(True, True)" ]
    [ "$(log '{x["connection"] for x in r}.__len__()')" = 1 ]
    : >"$W/access.log"
    show "$URL/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(log '[(x["status"], x["sent"]) for x in r]')" = "[(304, 0)]" ]
}

@test "without ranges it is closed where the header ends" {
    show "$URL/noranges/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(log "len(r), r[0]['status'], $(more_than_header) <= 262144")" = "(1, 200, True)" ]
}

@test "shards over one connection" {
    show "$URL/two-00001-of-00002.gguf?download=true"
    [ "$status" -eq 0 ]
    [ "$(log 'len(r), len({x["connection"] for x in r}), all("?download=true" in x["uri"] for x in r)')" = "(2, 1, True)" ]
}

@test "a redirect to another host drops the token and keeps the range" {
    show "$URL/away/big.gguf" --header 'Authorization: Bearer secret' --header 'Cookie: a=b'
    [ "$status" -eq 0 ]
    [ "$(log '[(x["status"], x["auth"], x["cookie"]) for x in r]')" = "[(302, 'Bearer secret', 'a=b'), (206, '', ''), (206, '', '')]" ]
    [ "$(log 'r[1]["range"], r[2]["range"]')" = "('bytes=0-262143', 'bytes=262144-')" ]
}

@test "401 and a password, 403, 404" {
    show "$URL/secret/small.gguf"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"401"*"wants to know who asks"* ]]
    show "$URL/secret/small.gguf" --header 'Authorization: Bearer secret'
    [ "$status" -eq 0 ]
    show "$URL/forbidden/small.gguf"
    [[ "$stderr" == *"403: not allowed"* ]]
    show "$URL/none.gguf"
    [[ "$stderr" == *"404: no such file"* ]]
    [ "$(log 'len(r)')" = 4 ]
}

@test "429 with Retry-After is waited for" {
    show "$URL/limited/small.gguf"
    [ "$status" -eq 0 ]
    local before=$(date +%s%N)
    show "$URL/limited/big.gguf"
    [ "$status" -eq 0 ]
    [ $(($(date +%s%N) - before)) -ge 900000000 ]
    [ "$(log '429 in [x["status"] for x in r], [x["status"] for x in r].count(206)')" = "(True, 3)" ]
}

@test "gzip is not asked for, so ranges stay those of the file" {
    show "$URL/gzip/small.gguf"
    [ "$status" -eq 0 ]
    [ "$(log 'r[0]["status"], r[0]["encoding"]')" = "(206, '')" ]
}

@test "a file that is replaced between two runs is read anew" {
    cp "$W/www/page.gguf" "$W/www/swap.gguf"
    show "$URL/swap.gguf"
    [ "$status" -eq 3 ]
    cp --sparse=always "$W/www/small.gguf" "$W/www/swap.gguf"
    show "$URL/swap.gguf"
    [ "$status" -eq 0 ]
    truncate -s 5G "$W/www/swap.gguf"
    show "$URL/swap.gguf"
    [ "$status" -eq 0 ]
    [ "$(log '[x["range"] for x in r]')" = "['bytes=0-262143', 'bytes=0-0', 'bytes=0-262143', 'bytes=0-0', 'bytes=0-262143']" ]
}

@test "a slow server is read; HTTP/1.0's keep-alive is not needed" {
    show "$URL/slow/small.gguf"
    [ "$status" -eq 0 ]
    show "$URL/close/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(log 'len({x["connection"] for x in r if "close" in x["uri"]})')" = 2 ]
}
