#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# What stands around a transfer: proxies, the line on a terminal, a signal in the middle, the cache and
# several programs at once, limits of memory.

load remote/helpers

setup_file() {
    start_server
    python3 "$TEST_DATA/remote/proxy.py" "$W/proxy-port" "$W/proxy-log" 3>&- &
    echo $! >"$W/proxy-pid"
    for _ in $(seq 100); do [ -e "$W/proxy-port" ] && break; sleep 0.1; done
    export PROXY=http://127.0.0.1:$(cat "$W/proxy-port")
}

teardown_file() {
    stop_server
    kill "$(cat "$W/proxy-pid")"
}

setup() {
    fresh
    : >"$W/proxy-log"
    CACHE=$XDG_CACHE_HOME/ullage/headers
}

@test "http_proxy is asked, but not for the hosts of no_proxy" {
    unset no_proxy
    http_proxy=$PROXY show "$URL/ranges/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(cut -d' ' -f1,2 "$W/proxy-log" | sort -u)" = "GET $URL/ranges/big.gguf" ]
    http_proxy=$PROXY no_proxy=localhost,127.0.0.1 show "$URL/ranges/small.gguf"
    [ "$status" -eq 0 ]
    ! grep small "$W/proxy-log"
    http_proxy=http://127.0.0.1:1 show "$URL/ranges/two-00002-of-00002.gguf"
    [ "$status" -eq 3 ]
}

@test "https_proxy is asked to connect; its refusal is named as the proxy's, and not asked again" {
    https_proxy=$PROXY show https://example.invalid/x.gguf
    [ "$status" -eq 3 ]
    [ "$(cat "$W/proxy-log")" = "CONNECT example.invalid:443 HTTP/1.1" ]
    [[ "$stderr" == *"https://example.invalid/x.gguf: the proxy refuses to connect to it, with 403"* ]]
}

@test "a terminal sees how much was read, a file does not" {
    script -qec true /dev/null 2>/dev/null || skip "no terminal can be made here"
    run script -qec "'$ULLAGE' show '$URL/slow/small.gguf'" /dev/null
    [ "$status" -eq 0 ]
    [[ "$output" == *$'\r\033[K'"reading the header: 0.0 MiB"*$'\r\033[K'* ]]
    rm -rf "$XDG_CACHE_HOME"
    show "$URL/slow/small.gguf"
    [ "$stderr" = "" ]
}

interrupt() {
    "$ULLAGE" show "$URL/stall/big.gguf" 2>"$BATS_TEST_TMPDIR/err" >/dev/null &
    local pid=$!
    for _ in $(seq 100); do
        sent=$(stats 'sum(x["sent"] for x in r) >= 3000000 + 262144')
        [ "$sent" = True ] && break
        sleep 0.1
    done
    [ "$sent" = True ]
    kill -"$1" $pid
    status=0 # not by run, whose subshell has no such child to wait for
    wait $pid || status=$?
    echo "status $status: $(cat "$BATS_TEST_TMPDIR/err")"
    [ "$status" -gt 128 ]
}

@test "a signal ends the program, which has kept what it read; the next one goes on there" {
    for signal in HUP TERM; do
        interrupt $signal
        [ "$(stat -c %s "$CACHE"/*)" -gt 3000000 ]
        local n=$(stats 'len(r)')
        show "$URL/stall/big.gguf"
        [ "$status" -eq 0 ]
        [ "$(stats "[int(x['range'][6:].split('-')[0]) > 3000000 for x in r[$n:]]")" = "[False, True]" ]
        [ "$(stats "r[$n]['range'], r[$n]['status']")" = "('bytes=0-0', 304)" ]
        [ "$(stats "sum(x['sent'] for x in r) <= $(cat "$W/www/header-bytes") + 262144")" = True ]
        fresh
        rm -rf "$XDG_CACHE_HOME"
    done
}

@test "what an interrupted transfer left of another file is not used" {
    interrupt HUP
    touch "$W/www/big.gguf"
    local n=$(stats 'len(r)')
    show "$URL/stall/big.gguf"
    [ "$status" -eq 0 ]
    [ "$(stats "[x['range'] for x in r[$n:]]")" = "['bytes=0-0', 'bytes=0-262143', 'bytes=262144-']" ]
}

@test "many programs at once: each has the answer, and the cache is whole" {
    show "$W/www/big.gguf" --json
    grep -v '"path"' <<<"$output" >"$BATS_TEST_TMPDIR/want"
    local i pids=()
    for i in 1 2 3 4 5 6; do
        "$ULLAGE" show "$URL/ranges/big.gguf" --json >"$BATS_TEST_TMPDIR/got$i" 2>&1 &
        pids+=($!)
    done
    for i in "${pids[@]}"; do wait "$i"; done
    for i in 1 2 3 4 5 6; do diff "$BATS_TEST_TMPDIR/want" <(grep -v '"path"' "$BATS_TEST_TMPDIR/got$i"); done
    [ "$(ls "$CACHE" | wc -l)" -eq 1 ]
    show "$URL/ranges/big.gguf"
    [ "$(stats 'r[-1]["status"]')" = 304 ]
}

@test "the cache is bounded: what was used longest ago goes, and nothing that is not its own" {
    mkdir -p "$CACHE"
    for i in 1 2 3; do
        truncate -s 250M "$CACHE/000000000000000$i"
        touch -d "$i days ago" "$CACHE/000000000000000$i"
    done
    touch -d '2 hours ago' "$CACHE/0000000000000004.123" "$CACHE/notes"
    touch "$CACHE/0000000000000005.124"
    show "$URL/ranges/small.gguf"
    [ "$status" -eq 0 ]
    [ ! -e "$CACHE/0000000000000003" ] && [ ! -e "$CACHE/0000000000000002" ]
    [ -e "$CACHE/0000000000000001" ] && [ -e "$CACHE/notes" ] && [ -e "$CACHE/0000000000000005.124" ]
    [ ! -e "$CACHE/0000000000000004.123" ]
}

@test "a signature in an address is for this user's eyes only" {
    show "$URL/ranges/small.gguf?signature=secret"
    [ "$status" -eq 0 ]
    [ "$(stat -c %a "$CACHE" "$CACHE"/* | tr "\n" " ")" = "700 600 " ]
    show "$URL/404/small.gguf?signature=secret"
    [[ "$stderr" != *secret* ]]
}

# checkpoint LENGTH SIZE FIRST: a header that claims LENGTH bytes, in a file of SIZE that is mostly a hole
checkpoint() {
    local folder=$W/www/st
    mkdir -p "$folder"
    cp "$W/www/hub/owner/bare/config.json" "$folder"
    python3 -c 'import struct, sys
f = open(sys.argv[1], "wb"); f.write(struct.pack("<Q", int(sys.argv[2])) + sys.argv[4].encode()); f.truncate(int(sys.argv[3]))' \
        "$folder/model.safetensors" "$@"
}

@test "a header of safetensors that lies about its length takes no memory" {
    for case in "90000000 100 {" "90000000 900000000 x" "99999999999 999999999999 {"; do
        checkpoint $case
        run --separate-stderr bash -c "ulimit -v 120000; exec '$ULLAGE' show '$W/www/st'"
        [ "$status" -eq 3 ]
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == *"model.safetensors: not a safetensors file: "* ]]
    done
    checkpoint 90000000 100 '{'
    show "$URL/nolength/st/config.json"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"model.safetensors: not a safetensors file: "* ]]
}
