# ullage measure as a person runs it, with a real child process that stands in for a server and does
# all that can go wrong. Every test ends by looking for what may be left of it.

bats_require_minimum_version 1.5.0

setup() {
    export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data ULLAGE_FAKE_PIDS=$BATS_TEST_TMPDIR/pids
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    ln -s "$TEST_BUILD/fake_server" "$BATS_TEST_TMPDIR/bin/llama-server"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
    quick=(--settle 0.1 --interval 0.05 --reader host --repeat 1 --gpu-budget 600MiB)
}

measure() { ULLAGE_FAKE=${FAKE:-} run --separate-stderr "$ULLAGE" measure "${quick[@]}" "$@"; }

none_left() {
    local pid
    for pid in $(cat "$ULLAGE_FAKE_PIDS" 2>/dev/null); do
        for _ in $(seq 100); do
            [ -d "/proc/$pid" ] && [ "$(cut -d' ' -f3 "/proc/$pid/stat" 2>/dev/null)" != Z ] || continue 2
            sleep 0.05
        done
        echo "process $pid is still running"
        return 1
    done
}

teardown() { none_left; }

# fault TEXT ARGS...: exit 3, and TEXT in what is said.
fault() {
    local text=$1
    shift
    measure "$@"
    [ "$status" -eq 3 ] || { echo "exit $status: $output $stderr"; false; }
    [[ "$stderr" == *"$text"* ]] || { echo "$stderr"; false; }
}

# The fake holds 16 MiB and 2 KiB a token, and 6 MiB for a prompt.
@test "two runs, one line, one check" {
    quick[7]=2 # --repeat
    measure --reserve 64MiB --cap 131072 --json -- llama-server
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    python3 -c '
import json, sys
m = json.loads(sys.argv[1])
host = m["places"][-1]
assert host["counts"] and host["limit_bytes"] == 536 << 20, host
assert abs(host["bytes_per_token"] - 2048) < 10, host
assert m["points"] == [4096, 8192] and m["fits"], m["points"]
assert 128 * 1024 >= m["n_ctx"] >= 120 * 1024, m["n_ctx"]
assert abs(m["worst_error_bytes"]) < 2 << 20, m["worst_error_bytes"]
assert 5 << 20 < host["prompt_bytes"] < 7 << 20, host
runs = [(r["purpose"], r["n_ctx"], r["attempt"]) for r in m["runs"]]
assert runs[:4] == [("load", 4096, 1), ("load", 4096, 2), ("load", 8192, 1), ("load", 8192, 2)], runs
assert ("load", 16384, 1) in runs, runs      # no plan says where it bends: a third length
assert runs[-1] == ("check", m["n_ctx"], 2), runs
check = m["runs"][-1]["readings"][-1]
assert check["logged_bytes"] == (16 << 20) + m["n_ctx"] * 2048, check
assert m["runs"][-1]["prompt_tokens"] == m["n_ctx"] * 9 // 10, m["runs"][-1]
' "$output"
    run -0 "$ULLAGE" history
    [[ "$output" == *"done  (no model file)"* ]]
    run -0 "$ULLAGE" history --json
    python3 -c 'import json, sys; assert len(json.loads(sys.argv[1])["measurements"]) == 1' "$output"
}

@test "a total that bends: the line is drawn again" {
    FAKE=bend=10000 measure --reserve 64MiB --cap 131072 --json -- llama-server
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    python3 -c '
import json, sys
m = json.loads(sys.argv[1])
assert abs(m["places"][-1]["bytes_per_token"] - 4096) < 20, m["places"]
assert m["fits"] and m["n_ctx"] == 131072 and m["worst_error_bytes"] > 20 << 20, m
assert any("off the line" in n for n in m["notes"]), m["notes"]
assert any("measured with -fit off" in n for n in m["notes"]), m["notes"] # its layers are open
' "$output"
}

@test "a table to paste, and a page" {
    measure --cap 20480 --html "$BATS_TEST_TMPDIR/page.html" -- llama-server
    [ "$status" -eq 0 ]
    [[ "$output" == *"| check |   20480 |   1 |"* ]]
    [[ "$output" == *"Longest context: -c 20480 (no more: "* ]]
    grep -q '<polyline class="line"' "$BATS_TEST_TMPDIR/page.html"
    grep -q '<circle class="check"' "$BATS_TEST_TMPDIR/page.html"
    python3 -c '
import sys, xml.dom.minidom, re
page = open(sys.argv[1]).read()
for svg in re.findall(r"<svg.*?</svg>", page, re.S):
    xml.dom.minidom.parseString(svg)
' "$BATS_TEST_TMPDIR/page.html"
}

@test "another server: its own flag, its own sign, its own prompt" {
    FAKE=line measure --cap 16384 --ctx-flag --max-model-len --ready '^READY' \
        --prompt-cmd 'test "$ULLAGE_TOKENS" -gt 1000 && echo $ULLAGE_URL' -- "$TEST_BUILD/fake_server"
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    [[ "$output" == *"| check |   16384"* ]]
    fault "is not llama-server: say how it shows" -- "$TEST_BUILD/fake_server" || [ "$status" -eq 2 ]
}

@test "an OpenAI-compatible server: ready by URL, a prompt over its own interface" {
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    cat > "$BATS_TEST_TMPDIR/send.py" <<'PY'
import json, os, urllib.request
body = {"prompt": "x " * int(os.environ["ULLAGE_TOKENS"]), "max_tokens": int(os.environ["ULLAGE_GENERATE"])}
url = os.environ["ULLAGE_URL"] + "/v1/completions"
with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode()), timeout=20) as answer:
    assert json.load(answer)["choices"], "no answer"
PY
    measure --reserve 64MiB --cap 32768 --points 8192,16384 --ctx-flag --max-model-len --ready "http://127.0.0.1:$port/health" \
        --prompt-cmd "python3 '$BATS_TEST_TMPDIR/send.py'" --generate 4 --json \
        -- python3 "$TEST_DATA/openai_server.py" serve model --port "$port"
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    python3 -c '
import json, sys
m = json.loads(sys.argv[1])
host = m["places"][-1]
assert m["n_ctx"] == 32768 and m["fits"], m["n_ctx"]
assert abs(host["bytes_per_token"] - 2048) < 700, host
assert abs(m["worst_error_bytes"]) < 8 << 20, m["worst_error_bytes"]
# the reading is of proportional memory: what others share with it moves it by some MiB
assert 40 << 20 < host["prompt_bytes"] < 60 << 20, host
assert m["runs"][-1]["prompt_tokens"] == 32768 * 9 // 10, m["runs"][-1]
' "$output"
    # a prompt that is refused is said in the command's own words
    fault '--prompt-cmd exited with status 1: "HTTP Error 400' --cap 8192 --points 4096,8192 --fresh \
        --ctx-flag --max-model-len --ready 'startup complete' \
        --prompt-cmd 'python3 -c "
import os, urllib.request
try: urllib.request.urlopen(os.environ[\"ULLAGE_URL\"] + \"/v1/completions\", b\"{}\")
except OSError as error: raise SystemExit(str(error))"' \
        -- python3 "$TEST_DATA/openai_server.py" serve model --port "$port"
}

@test "the command line is checked before anything starts" {
    for words in "--fill 120" "--repeat 0" "--points 8192,4096" "--points 1" "--gpu-budget much" \
        "--interval x" "--round 1.5" "--reader radeon"; do
        measure $words -- llama-server
        [ "$status" -eq 2 ] || { echo "$words: $status $stderr"; false; }
        [ ! -e "$ULLAGE_FAKE_PIDS" ]
    done
    measure
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"no server: name its command line"* ]]
}

@test "server missing" {
    fault "cannot start 'no-such-dir/llama-server': No such file or directory; install it" \
        -- no-such-dir/llama-server
}

@test "exits at once" {
    FAKE=exit fault "exited with status 1 before it was ready: \"llama_model_load: error loading" \
        -- llama-server
    [[ "$stderr" == *"see its log: $XDG_DATA_HOME/ullage/logs/c4096-run1.log"* ]]
}

@test "never ready" {
    FAKE=never fault "not ready after 1 s" --timeout 1 -- llama-server
    FAKE=silent fault "(--timeout), or say how it shows" --timeout 1 -- llama-server
}

@test "ready, then dies" {
    FAKE=die fault "after it was ready" --settle 2 -- llama-server
}

@test "ignores SIGTERM" {
    FAKE=deaf,family measure --grace 0.3 --cap 4096 --points 1024,2048 --fill 0 -- llama-server
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    [[ "$output" == *"note: the server did not end on SIGTERM and was killed"* ]]
    [ "$(wc -l < "$ULLAGE_FAKE_PIDS")" -eq 6 ] # three runs, and a grandchild of each
}

@test "port taken" {
    python3 -c '
import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print(s.getsockname()[1], flush=True); time.sleep(20)' > "$BATS_TEST_TMPDIR/port" 3>&- &
    holder=$!
    while [ ! -s "$BATS_TEST_TMPDIR/port" ]; do sleep 0.05; done
    fault "is in use: end what listens there" -- llama-server --port "$(cat "$BATS_TEST_TMPDIR/port")"
    kill $holder
    [ ! -e "$ULLAGE_FAKE_PIDS" ]
}

@test "out of memory at the second run: the first is kept, and the same command goes on" {
    FAKE=oom=4096 fault "-c 8192: out of memory" --cap 16384 -- llama-server
    [[ "$stderr" == *"take a shorter length"* ]]
    [[ "$stderr" == *"1 finished runs are saved"* ]]
    run -0 "$ULLAGE" history
    [[ "$output" == *"unfinished  (no model file)"* ]]
    rm "$ULLAGE_FAKE_PIDS"
    measure --cap 16384 --json -- llama-server
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    [[ "$stderr" == *"-c 4096, run 1:"*"read earlier"* ]]
    [ "$(wc -l < "$ULLAGE_FAKE_PIDS")" -eq 2 ] # 8192 and the check
}

@test "out of memory at the check: shorter, until it runs" {
    FAKE=oom=50000 measure --reserve 64MiB --cap 131072 --json -- llama-server
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    python3 -c '
import json, sys
m = json.loads(sys.argv[1])
assert 16384 < m["n_ctx"] <= 50000 and m["fits"], m["n_ctx"]
assert any("out of memory at -c" in n for n in m["notes"]), m["notes"]
' "$output"
}

@test "our own death and Ctrl-C: the child ends too" {
    for signal in KILL INT TERM; do
        rm -f "$ULLAGE_FAKE_PIDS"
        ULLAGE_FAKE=never,deaf,family "$ULLAGE" measure "${quick[@]}" --grace 0.3 -- llama-server \
            2> "$BATS_TEST_TMPDIR/said" 3>&- &
        pid=$!
        while [ "$(wc -l < "$ULLAGE_FAKE_PIDS" 2>/dev/null || echo 0)" -lt 2 ]; do sleep 0.05; done
        kill -$signal $pid
        if [ $signal = KILL ]; then
            wait $pid || true
        else
            wait $pid || [ $? -eq 130 ]
            grep -q "interrupted; the same command goes on" "$BATS_TEST_TMPDIR/said"
        fi
        none_left
    done
}

@test "no room for the store: measured all the same, and said" {
    ULLAGE_FAKE= run --separate-stderr bash -c "ulimit -f 8; exec '$ULLAGE' measure ${quick[*]} \
        --cap 8192 --log-dir '$BATS_TEST_TMPDIR' -- llama-server"
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    [[ "$stderr" == *"cannot save the measurement: "*"make room, or set XDG_DATA_HOME"* ]]
    [[ "$output" == *"Longest context: -c 8192"*"note: not stored"* ]]
}

@test "two measures at once: the second is told of the first" {
    ULLAGE_FAKE=never "$ULLAGE" measure "${quick[@]}" -- llama-server 2> /dev/null 3>&- &
    first=$!
    while [ ! -s "$ULLAGE_FAKE_PIDS" ]; do sleep 0.05; done
    fault "another measurement is under way (process $first): wait for it, or end it" -- llama-server
    kill -TERM $first
    wait $first || true
}

@test "nothing measured: history says so" {
    run -0 "$ULLAGE" history
    [[ "$output" == *"Nothing was measured here yet"* ]]
}

@test "the server's own --fit is switched off where it could move layers, and only there" {
    measure --points 4096,8192 --cap 8192 --reserve 64MiB -- llama-server
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    [[ "$output" == *"measured with -fit off"* ]]
    measure --fresh --points 4096,8192 --cap 8192 --reserve 64MiB -- llama-server -ngl 99
    [ "$status" -eq 0 ] || { echo "$stderr"; false; }
    [[ "$output" != *"-fit off"* ]]
}
