# What the tests of models on servers share: the fixtures, the server that misbehaves as asked, and
# the commands.

start_server() {
    export W=$BATS_FILE_TMPDIR
    mkdir -p "$W/www"
    xz -dc "$TEST_DATA/corpus/headers.tar.xz" | tar -xf - -C "$W" models/Qwen3-8B--Q4_K_M.gguf
    python3 "$TEST_DATA/remote/fixtures.py" "$W/models/Qwen3-8B--Q4_K_M.gguf" "$W/www"
    python3 "$TEST_DATA/remote/server.py" "$W/www" "$W/port" 3>&- &
    echo $! >"$W/pid"
    for _ in $(seq 100); do [ -e "$W/port" ] && break; sleep 0.1; done
    export PORT=$(cat "$W/port")
    export URL=http://127.0.0.1:$PORT
}

stop_server() { kill "$(cat "$W/pid")"; }

fresh() {
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache HOME=$BATS_TEST_TMPDIR/home
    unset HF_TOKEN HF_ENDPOINT MODEL_ENDPOINT http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY
    unset OLLAMA_MODELS "${!LLAMA_ARG_@}"
    export no_proxy=127.0.0.1,localhost
    python3 -c 'import urllib.request as u, sys; u.urlopen(sys.argv[1] + "/__reset")' "$URL"
}

# stats EXPRESSION: of the requests `r` since the test began
stats() {
    sleep 0.2
    python3 -c '
import json, sys, urllib.request
r = json.load(urllib.request.urlopen(sys.argv[1] + "/__stats"))
print(eval("(" + sys.argv[2] + ")"))' "$URL" "$1"
}

show() { run --separate-stderr "$ULLAGE" show "$@"; }
