#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# Models on this machine: every store in its own layout, made anew below a home of the test's own,
# from real headers that are as long as the whole file (sparse).

setup_file() {
    export W=$BATS_FILE_TMPDIR
    xz -dc "$TEST_DATA/corpus/headers.tar.xz" | tar -xf - -C "$W" models
    cat >"$W/whole.py" <<'PY'
# whole.py HEADER OUT: the file that the header belongs to, as long as it says, without its data.
import json, subprocess, sys, os
out = subprocess.run([os.environ["ULLAGE"], "show", sys.argv[1], "--json"], capture_output=True)
size = json.loads(out.stdout)["model"]["size_bytes"]
data = open(sys.argv[1], "rb").read()
os.makedirs(os.path.dirname(sys.argv[2]) or ".", exist_ok=True)
with open(sys.argv[2], "wb") as f:
    f.write(data)
    f.truncate(max(size, len(data)))
PY
    export SMALL=$W/small.gguf OTHER=$W/other.gguf
    python3 "$W/whole.py" "$W/models/Qwen3-8B--Q4_K_M.gguf" "$SMALL"
    python3 "$W/whole.py" "$W/models/gemma-3-1b-it--Q4_K_M.gguf" "$OTHER"
}

setup() {
    for v in $(env | sed -n 's/^\(HF_[A-Z_]*\|HUGGINGFACE_[A-Z_]*\|LLAMA_[A-Z_]*\|OLLAMA_[A-Z_]*\|LMSTUDIO_HOME\|JAN_DATA_FOLDER\|MODELSCOPE_CACHE\|XDG_[A-Z_]*\)=.*/\1/p'); do
        unset "$v"
    done
    export HOME=$BATS_TEST_TMPDIR/home
    mkdir -p "$HOME"
}

# at PATH [FILE]: the small model at that path, its data not copied
at() {
    mkdir -p "$(dirname "$1")"
    cp --sparse=always "${2:-$SMALL}" "$1"
}

list() { run --separate-stderr "$ULLAGE" list --gpu 24GiB --ram 64GiB --cpu zen4 --sysroot "$BATS_TEST_TMPDIR/root" "$@"; }

# rows EXPRESSION: of the models m, in JSON's form
rows() {
    python3 -c '
import json, sys
m = json.load(sys.stdin)["models"]
print(eval(sys.argv[1]))' "$1" <<<"$output"
}

@test "nothing here: an empty table, where was looked, and no error" {
    list
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ "$stderr" == *"hub, llama.cpp, lmstudio, ollama, gpt4all, jan"* ]]
    list --json
    [ "$(rows 'm')" = "[]" ]
}

@test "Hugging Face's hub: the main revision by the repository's name, blobs once, the rest by commit" {
    local r=$HOME/.cache/huggingface/hub/models--own--Qwen3-8B-GGUF
    local new=1111111111111111111111111111111111111111 old=2222222222222222222222222222222222222222
    mkdir -p "$r/refs" "$r/snapshots/$new" "$r/snapshots/$old/sub"
    printf %s $new >"$r/refs/main"
    at "$r/blobs/aaaa"
    at "$r/blobs/bbbb" "$OTHER"
    ln -s ../../blobs/aaaa "$r/snapshots/$new/Qwen3-8B-Q4_K_M.gguf"
    ln -s ../../blobs/aaaa "$r/snapshots/$old/Qwen3-8B-Q4_K_M.gguf"
    ln -s ../../../blobs/bbbb "$r/snapshots/$old/sub/old.gguf"
    ln -s ../../blobs/gone "$r/snapshots/$new/gone.gguf"
    head -c 4096 "$SMALL" >"$r/blobs/cccc.incomplete"
    list --json
    [ "$(rows 'sorted((x["model"], bool(x["problem"])) for x in m)')" = "[('Qwen3-8B-Q4_K_M.gguf', False), ('gone.gguf', True), ('hub:own/Qwen3-8B-GGUF/cccc.incomplete', True), ('old.gguf', False)]" ]
    [ "$(rows '[x["problem"] for x in m if x["model"] == "gone.gguf"]')" = "['a link to a file that is not there']" ]
    run -0 --separate-stderr "$ULLAGE" show "hub:own/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf"
    run -0 --separate-stderr "$ULLAGE" show "hub:own/Qwen3-8B-GGUF@2222222/sub/old.gguf"
    # the variables that move it
    mv "$HOME/.cache/huggingface/hub" "$HOME/elsewhere"
    HF_HUB_CACHE=$HOME/elsewhere list --json
    [ "$(rows 'len(m)')" = 4 ]
    mkdir "$HOME/hf" && mv "$HOME/elsewhere" "$HOME/hf/hub"
    HF_HOME=$HOME/hf list --json
    [ "$(rows 'len(m)')" = 4 ]
}

@test "llama.cpp's cache: flat with manifests, and a hub's layout under LLAMA_CACHE" {
    at "$HOME/.cache/llama.cpp/own_Qwen3-8B-GGUF_Qwen3-8B-Q4_K_M.gguf"
    echo '{"ggufFile": {"rfilename": "Qwen3-8B-Q4_K_M.gguf"}}' >"$HOME/.cache/llama.cpp/manifest=own=Qwen3-8B-GGUF=Q4_K_M.json"
    head -c 5000 "$OTHER" >"$HOME/.cache/llama.cpp/own_x.gguf.downloadInProgress"
    local c=3333333333333333333333333333333333333333
    at "$HOME/lc/models--a--b/snapshots/$c/x-Q8_0.gguf" "$OTHER"
    mkdir -p "$HOME/lc/models--a--b/refs" && printf %s $c >"$HOME/lc/models--a--b/refs/other"
    LLAMA_CACHE=$HOME/lc list --json
    [ "$(rows 'sorted((x["store"], x["model"]) for x in m)')" = "[('llama.cpp', 'llama.cpp:own_x.gguf.downloadInProgress'), ('llama.cpp', 'own_Qwen3-8B-GGUF_Qwen3-8B-Q4_K_M.gguf'), ('llama.cpp', 'x-Q8_0.gguf')]" ]
    run --separate-stderr env LLAMA_CACHE="$HOME/lc" "$ULLAGE" show llama.cpp:a/b/x-Q8_0.gguf
    [ "$status" -eq 0 ]
}

@test "LM Studio: the home, the old home, the pointer to another, the folder of its settings" {
    at "$HOME/.lmstudio/models/pub/one/one-Q4_K_M.gguf"
    at "$HOME/.cache/lm-studio/models/pub/two/two-Q4_K_M.gguf" "$OTHER"
    at "$HOME/far/models/pub/three/three-Q4_K_M.gguf"
    printf '%s\n' "$HOME/far" >"$HOME/.lmstudio-home-pointer"
    at "$HOME/disk/pub/four/four-Q4_K_M.gguf" "$OTHER"
    printf '{"downloadsFolder": "%s/disk"}' "$HOME" >"$HOME/.lmstudio/settings.json"
    list --store lmstudio --json
    [ "$(rows 'sorted(x["model"] for x in m)')" = "['four-Q4_K_M.gguf', 'one-Q4_K_M.gguf', 'three-Q4_K_M.gguf', 'two-Q4_K_M.gguf']" ]
    [ "$(rows 'all(x["store"] == "lmstudio" and x["fits"]["8k"]["fits"] == "yes" for x in m)')" = True ]
    run -0 --separate-stderr "$ULLAGE" show lmstudio:pub/three/three-Q4_K_M.gguf
}

# ollama STORE HOST/SPACE/MODEL/TAG HASH [PROJECTOR-HASH]: a manifest, as Ollama writes it
manifest() {
    mkdir -p "$1/manifests/$(dirname "$2")" "$1/blobs"
    python3 - "$@" <<'PY'
import json, os, sys
store, name, model, *projector = sys.argv[1:]
def layer(kind, digit):
    path = "%s/blobs/sha256-%s" % (store, digit * 64)
    size = os.path.getsize(path) if os.path.exists(path) else 5
    return {"mediaType": "application/vnd.ollama.image." + kind, "digest": "sha256:" + digit * 64, "size": size}
layers = [layer("model", model)] if model else []
layers += [layer("projector", p) for p in projector] + [{"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:" + "e" * 64, "size": 1}]
json.dump({"schemaVersion": 2, "mediaType": "application/vnd.docker.distribution.manifest.v2+json", "layers": layers}, open("%s/manifests/%s" % (store, name), "w"))
PY
}

@test "Ollama: manifests and blobs, projectors, half blobs, copies, models of its servers" {
    local o=$HOME/.ollama/models
    mkdir -p "$o/blobs"
    at "$o/blobs/sha256-$(printf '%064d' 0)"
    at "$o/blobs/sha256-$(printf '1%.0s' {1..64})" "$OTHER"
    head -c 4096 "$SMALL" >"$o/blobs/sha256-$(printf '2%.0s' {1..64})-partial"
    manifest "$o" registry.ollama.ai/library/qwen3/8b 0 1
    manifest "$o" registry.ollama.ai/library/qwen3/latest 0 1
    manifest "$o" hf.co/own/repo/Q4_K_M 1
    manifest "$o" registry.ollama.ai/me/half/latest 2
    manifest "$o" registry.ollama.ai/library/gpt-oss/120b-cloud ""
    mkdir -p "$o/manifests/registry.ollama.ai/library/broken" && echo '{' >"$o/manifests/registry.ollama.ai/library/broken/latest"
    list --json
    [ "$(rows 'sorted(x["model"] for x in m)')" = "['ollama:broken:latest', 'ollama:gpt-oss:120b-cloud', 'ollama:hf.co/own/repo:Q4_K_M', 'ollama:me/half:latest', 'ollama:qwen3:8b']" ]
    [ "$(rows '[x["mmproj"][-8:] for x in m if x["mmproj"]]')" = "['11111111']" ]
    [ "$(rows 'sorted(x["model"] for x in m if x["problem"])')" = "['ollama:broken:latest', 'ollama:gpt-oss:120b-cloud', 'ollama:me/half:latest']" ]
    for name in ollama:qwen3:8b ollama:qwen3 ollama:Qwen3:latest ollama:library/qwen3:8b registry.ollama.ai/library/qwen3:8b hf.co/own/repo:q4_k_m; do
        run -0 --separate-stderr "$ULLAGE" show "ollama:${name#ollama:}"
    done
    run --separate-stderr "$ULLAGE" plan ollama:qwen3:8b -c 8192 --gpu 24GiB --cpu zen4
    [ "$status" -eq 0 ]
    OLLAMA_MODELS=$BATS_TEST_TMPDIR/none list --store ollama --json
    [ "$(rows 'len(m)')" = 5 ]
    # the service's own home
    mkdir -p "$BATS_TEST_TMPDIR/root/usr/share/ollama/.ollama"
    mv "$o" "$BATS_TEST_TMPDIR/root/usr/share/ollama/.ollama/models"
    list --store ollama --json
    [ "$(rows 'len(m)')" = 5 ]
}

@test "a manifest's hash is no path" {
    local o=$HOME/.ollama/models
    mkdir -p "$o/blobs" "$o/manifests/registry.ollama.ai/library/evil"
    at "$HOME/secret.gguf"
    echo '{"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:../../../secret.gguf", "size": 1}]}' \
        >"$o/manifests/registry.ollama.ai/library/evil/latest"
    list --json
    [ "$(rows '[(x["model"], x["problem"]) for x in m]')" = "[('ollama:evil:latest', 'its manifest names no SHA-256 of the weights')]" ]
}

@test "GPT4All, Jan, text-generation-webui, ModelScope" {
    at "$HOME/.local/share/nomic.ai/GPT4All/one.Q4_0.gguf"
    head -c 4096 "$SMALL" >"$HOME/.local/share/nomic.ai/GPT4All/incomplete-two.gguf"
    mkdir -p "$HOME/.config/nomic.ai"
    printf '[General]\nmodelPath=%s/moved/\n' "$HOME" >"$HOME/.config/nomic.ai/GPT4All.ini"
    at "$HOME/moved/three.gguf" "$OTHER"
    at "$HOME/.local/share/Jan/data/llamacpp/models/qwen/model.gguf"
    at "$HOME/.local/share/Jan/data/llamacpp/models/gemma/model.gguf" "$OTHER"
    mkdir -p "$HOME/.local/share/Jan" && printf '{"data_folder": "%s/jandata"}' "$HOME" >"$HOME/.local/share/Jan/settings.json"
    at "$HOME/jandata/llamacpp/models/o/r/model.gguf" "$OTHER"
    at "$HOME/jan/models/first/first.gguf"
    at "$HOME/text-generation-webui/user_data/models/tg.gguf"
    at "$HOME/.cache/modelscope/hub/models/own/repo/ms.gguf"
    list --json
    [ "$(rows 'sorted(x["model"] for x in m)')" = "['first.gguf', 'incomplete-two.gguf', 'jan:gemma/model.gguf', 'jan:o/r/model.gguf', 'jan:qwen/model.gguf', 'ms.gguf', 'one.Q4_0.gguf', 'tg.gguf', 'three.gguf']" ]
    XDG_DATA_HOME=$HOME/.local/share JAN_DATA_FOLDER=$HOME/jandata list --store jan --json
    [ "$(rows 'len(m)')" = 4 ]
    # a name of two models is refused, with what to say
    run --separate-stderr "$ULLAGE" show jan:model.gguf
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"names 3 models"*"jan:"*"/model.gguf"* ]]
    run -0 --separate-stderr "$ULLAGE" show jan:qwen/model.gguf
}

@test "what list prints is taken as MODEL, every row of it" {
    at "$HOME/.lmstudio/models/a/b/same.gguf"
    at "$HOME/.cache/lm-studio/models/a/b/same.gguf" "$OTHER"
    at "$HOME/.cache/llama.cpp/alone.gguf"
    at "$HOME/jan/models/x/same.gguf" "$OTHER"
    list --json
    [ "$(rows 'len(m)')" = 4 ]
    local before=$output
    while read -r model path; do
        run -0 --separate-stderr "$ULLAGE" show "$model" --json
        [ "$(python3 -c 'import json,sys; print(json.loads(sys.argv[1])["model"]["path"])' "$output")" = "$path" ]
    done < <(python3 -c 'import json,sys
for x in json.loads(sys.argv[1])["models"]: print(x["model"], x["path"])' "$before")
    run --separate-stderr "$ULLAGE" show none.gguf
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"none.gguf: no such file, and no model of this name"* ]]
}

@test "shards are one model; encoders are companions; a checkpoint is planned as its conversion" {
    mkdir -p "$HOME/m/vision" "$HOME/m/ckpt"
    for i in 1 2 3; do head -c 5000 "$SMALL" >"$HOME/m/big-0000$i-of-00004.gguf"; done
    at "$HOME/m/vision/v-Q4_K_M.gguf" "$OTHER"
    for q in F32 F16 BF16; do echo x >"$HOME/m/vision/mmproj-v-$q.gguf"; done
    list "$HOME/m" --json
    [ "$(rows 'sorted((x["model"][len(x["path"]) - 20:], x["files"], x["problem"][:20] if x["problem"] else "") for x in m if "big" in x["path"])[0][1:]')" = "(3, '1 of its 4 shards ar')" ]
    [ "$(rows '[x["mmproj"].split("/")[-1] for x in m if x["mmproj"]]')" = "['mmproj-v-BF16.gguf']" ]
    [ "$(rows 'len(m)')" = 2 ]
}

@test "links: circles end, one file is one model, a hidden folder is passed over" {
    at "$HOME/m/a/one.gguf"
    ln -s .. "$HOME/m/a/up"
    ln -s "$HOME/m/a" "$HOME/m/b"
    ln -s a/one.gguf "$HOME/m/again.gguf"
    at "$HOME/m/.trash/two.gguf" "$OTHER"
    run --separate-stderr timeout 20 "$ULLAGE" list "$HOME/m" --gpu 24GiB --json
    [ "$status" -eq 0 ]
    [ "$(rows 'len(m)')" = 1 ]
}

@test "folders, parts of names, --fits, --sort and --store; a table within a terminal" {
    at "$HOME/m/Qwen3-8B-Q4_K_M.gguf"
    at "$HOME/m/gemma-3-1b-it-Q4_K_M.gguf" "$OTHER"
    python3 "$W/whole.py" "$W/models/DeepSeek-R1--Q4_K_M.gguf" "$HOME/m/DeepSeek-R1-Q4_K_M.gguf"
    cd "$HOME"
    list m
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [[ "${lines[1]}" =~ 376.71\ +671B\ +Q4_K_M\ +deepseek2\ +160K\ +no\ +no\ +no\ +folder\ +m/DeepSeek-R1-Q4_K_M.gguf ]]
    [[ "${lines[2]}" == *"gemma3"*"yes"*"m/gemma"* && "${lines[3]}" == *" 8.19B "*"40K"* ]]
    for line in "${lines[@]:1}"; do
        local before=${line%m/*} # all but the name, which is what it is
        [ "${#before}" -le 76 ] || { echo "$line"; false; }
    done
    list m GEMMA
    [ "${#lines[@]}" -eq 2 ]
    list m nosuch
    [[ "$status" -eq 0 && "$stderr" == *"no model here has 'nosuch' in its name"* ]]
    list m --fits 8k
    [ "${#lines[@]}" -eq 3 ]
    list m deepseek --fits 8k
    [[ "$status" -eq 0 && "$stderr" == *"no model here fits so (--fits 8k)"* ]]
    list m --sort size --json
    [ "$(rows '[x["size_bytes"] for x in m] == sorted((x["size_bytes"] for x in m), reverse=True)')" = True ]
    list --store nowhere
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"no store is called 'nowhere'"* ]]
    list m -c 8192
    [ "$status" -eq 2 ]
    list no/such/folder
    [ "$status" -eq 3 ]
}

@test "fits says what plan says: yes, split, no" {
    at "$HOME/m/Qwen3-8B-Q4_K_M.gguf"
    for gpu in 24GiB 9GiB 4GiB; do
        run --separate-stderr "$ULLAGE" list "$HOME/m" --gpu $gpu --ram 7GiB --cpu zen4 --json
        local rows=$output
        for pair in trained:40960 32k:32768 8k:8192; do
            run --separate-stderr "$ULLAGE" plan "$HOME/m/Qwen3-8B-Q4_K_M.gguf" -c "${pair#*:}" -ngl 99 --gpu $gpu --ram 7GiB --cpu zen4
            local whole=$status best=1
            for n in 0 12 24 30 34 36; do
                run --separate-stderr "$ULLAGE" plan "$HOME/m/Qwen3-8B-Q4_K_M.gguf" -c "${pair#*:}" -ngl "$n" --gpu $gpu --ram 7GiB --cpu zen4
                [ "$status" -eq 0 ] && best=0
            done
            output=$rows
            [ "$(rows "m[0]['fits']['${pair%:*}']['fits']")" = "$([ $whole = 0 ] && echo yes || { [ $best = 0 ] && echo split || echo no; })" ]
        done
    done
}

@test "nothing is asked of a network: libcurl is not loaded, and no socket is made" {
    at "$HOME/.cache/llama.cpp/alone.gguf"
    mkdir -p "$HOME/.ollama/models/manifests" "$HOME/.ollama/models/blobs"
    run -0 env LD_DEBUG=files "$ULLAGE" list --gpu 24GiB
    [[ "$output" == *"alone.gguf"* && "$output" != *libcurl* ]]
    cat >"$W/nosocket.c" <<'C'
#include <stdlib.h>
int socket(int a, int b, int c) { (void)a; (void)b; (void)c; abort(); }
int connect(int a, const void *b, unsigned c) { (void)a; (void)b; (void)c; abort(); }
C
    ldd "$ULLAGE" | grep -q libasan && skip "the sanitizer must be loaded first"
    cc -shared -fPIC -o "$W/nosocket.so" "$W/nosocket.c"
    run -0 env LD_PRELOAD="$W/nosocket.so" "$ULLAGE" list --gpu 24GiB
    [[ "$output" == *"alone.gguf"* ]]
}

@test "500 models: within the time that is promised, on a machine that is busy" {
    python3 - "$W/models" "$HOME/m" <<'PY'
import json, os, subprocess, sys
names = sorted(os.listdir(sys.argv[1]))
size = {n: json.loads(subprocess.run([os.environ["ULLAGE"], "show", f"{sys.argv[1]}/{n}", "--json"],
        capture_output=True).stdout)["model"]["size_bytes"] for n in names}
for i in range(500):
    n = names[i % len(names)]
    folder = f"{sys.argv[2]}/pub{i % 17}/{i}"
    os.makedirs(folder)
    with open(f"{folder}/{n}", "wb") as f:
        f.write(open(f"{sys.argv[1]}/{n}", "rb").read())
        f.truncate(max(size[n], f.tell()))
PY
    # the processor's time, since the machine may be busy: 2 seconds are promised on two idle cores
    run --separate-stderr bash -c 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>"$0"' "$W/time" \
        "$ULLAGE" list "$HOME/m" --gpu 24GiB --ram 64GiB --json
    [ "$status" -eq 0 ]
    [ "$(rows 'len(m), sum(x["problem"] is None for x in m) > 480')" = "(500, True)" ]
    cat "$W/time"
    ldd "$ULLAGE" | grep -q libasan || python3 -c 'import sys; sys.exit(sum(map(float, sys.argv[1:])) > 8)' $(cat "$W/time")
}
