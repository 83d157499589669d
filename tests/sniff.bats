#!/usr/bin/env bats
bats_require_minimum_version 1.5.0
# Every kind of file that people take for a model, made here, and what is said of it.

setup_file() {
    export W=$BATS_FILE_TMPDIR
    xz -dc "$TEST_DATA/corpus/headers.tar.xz" | tar -xf - -C "$W" models/Qwen3-8B--Q4_K_M.gguf \
        models/DeepSeek-V2-Lite-oldmla--Q4_K_M.gguf
    cat >"$W/make.py" <<'PY'
import json, os, pickle, struct, sys, tarfile, zipfile, gzip, io
out = sys.argv[1]
def path(name):
    return os.path.join(out, name)
def put(name, data):
    open(path(name), "wb").write(data)
def text(s):
    return struct.pack("<Q", len(s)) + s
def string(k, v):
    return text(k) + struct.pack("<I", 8) + text(v)
def number(k, v):
    return text(k) + struct.pack("<II", 4, v)
def u16(k, v):
    return text(k) + struct.pack("<IH", 2, v)
def gguf(keys, tensors=(), fill=True, magic=b"GGUF", version=3):
    body = magic + struct.pack("<IQQ", version, len(tensors), len(keys)) + b"".join(keys)
    at = 0
    for name, shape in tensors:
        n = 4
        for d in shape:
            n *= d
        body += text(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", d) for d in shape) + struct.pack("<IQ", 0, at)
        at += (n + 31) // 32 * 32
    body += bytes(-len(body) % 32)
    return body + (b"\1" * at if fill else b"")
t = [("blk.0.attn_q.weight", [64, 64])]
put("mmproj.gguf", gguf([string(b"general.architecture", b"clip"), string(b"clip.projector_type", b"gemma3")], [(b"v.patch_embd.weight", [14, 14])]))
put("lora.gguf", gguf([string(b"general.architecture", b"llama"), string(b"general.type", b"adapter"), string(b"adapter.type", b"lora")], [(b"blk.0.attn_q.weight.lora_a", [64, 8])]))
put("cvec.gguf", gguf([string(b"general.architecture", b"controlvector"), string(b"controlvector.model_hint", b"qwen2")], [(b"direction.1", [64])]))
put("imatrix.gguf", gguf([string(b"general.type", b"imatrix"), number(b"imatrix.chunk_count", 4)], [(b"blk.0.attn_q.weight.in_sum2", [64])]))
put("vocab.gguf", gguf([string(b"general.architecture", b"llama"), string(b"tokenizer.ggml.model", b"gpt2")]))
put("bare.gguf", gguf([string(b"general.architecture", b"llama")]))
put("version1.gguf", gguf([], version=1))
put("big.gguf", b"GGUF" + struct.pack(">IQQ", 3, 0, 1) + struct.pack(">Q", 20) + b"general.architecture" + struct.pack(">I", 8) + struct.pack(">Q", 5) + b"llama")
put("swapped.gguf", b"FUGG" + bytes(60))
# a model with weights, llama of one layer, and the same in which the keys count heads wrongly
def llama(kv, zero=False):
    keys = [string(b"general.architecture", b"llama"), number(b"llama.block_count", 1), number(b"llama.context_length", 512),
            number(b"llama.embedding_length", 256), number(b"llama.feed_forward_length", 512), number(b"llama.attention.head_count", 8),
            number(b"llama.attention.head_count_kv", kv), text(b"llama.attention.layer_norm_rms_epsilon") + struct.pack("<If", 6, 1e-5),
            string(b"tokenizer.ggml.model", b"llama"), number(b"llama.vocab_size", 1024)]
    tensors = [(b"token_embd.weight", [256, 1024]), (b"output_norm.weight", [256]), (b"output.weight", [256, 1024])]
    for n, s in (("attn_norm", [256]), ("attn_q", [256, 256]), ("attn_k", [256, 64]), ("attn_v", [256, 64]), ("attn_output", [256, 256]),
                 ("ffn_norm", [256]), ("ffn_gate", [256, 512]), ("ffn_up", [256, 512]), ("ffn_down", [512, 256])):
        tensors.append((("blk.0.%s.weight" % n).encode(), s))
    return gguf(keys, tensors, fill=not zero) + (bytes(4 * (2 * 256 * 1024 + 2 * 256 + 256 + 2 * 65536 + 2 * 16384 + 3 * 131072)) if zero else b"")
put("good.gguf", llama(2))
put("heads.gguf", llama(8))
put("zeros.gguf", llama(2, zero=True))
put("good.gguf.part", llama(2)[:100000])
put("reserved.gguf.incomplete", llama(2))
put("tail.gguf", llama(2) + b"x" * 100)
put("cut.gguf", llama(2)[:700])
put("aria.gguf", llama(2)); put("aria.gguf.aria2", b"")
# shards
for i in range(3):
    put("split-0000%d-of-00003.gguf" % (i + 1), gguf([u16(b"split.no", i), u16(b"split.count", 3), text(b"split.tensors.count") + struct.pack("<Ii", 5, 3)], [(b"t%d" % i, [32])]))
os.mkdir(path("lost")); os.link(path("split-00002-of-00003.gguf"), path("lost/split-00002-of-00003.gguf"))
os.link(path("split-00002-of-00003.gguf"), path("lost/renamed.gguf"))
# safetensors
def st(tensors):
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, n in tensors:
        header[name] = dict(dtype="F32", shape=[n], data_offsets=[at, at + 4 * n]); at += 4 * n
    h = json.dumps(header).encode()
    return struct.pack("<Q", len(h)) + h + bytes(at)
put("whole.safetensors", st([("a", 10), ("b", 20)]))
put("half.safetensors", st([("a", 1000), ("b", 2000)])[:6000])
put("peft.safetensors", st([("base.q.lora_A.weight", 10), ("base.q.lora_B.weight", 10)]))
put("model-00001-of-00003.safetensors", st([("a", 10)]))
put("model.safetensors.index.json", json.dumps(dict(weight_map=dict(a="model-00001-of-00003.safetensors", b="model-00002-of-00003.safetensors"))).encode())
put("bad.safetensors", struct.pack("<Q", 40) + b'{"a": {"dtype": "F99", "shape": [1]}}   ')
put("config.json", b'{"model_type": "llama", "architectures": ["LlamaForCausalLM"]}')
put("manifest.json", b'{"schemaVersion": 2, "layers": []}')
put("error.gguf", b'{"error": "Access to model x is restricted"}')
put("plain.json", b'{"a": 1}'); put("broken.json", b'{"a": ')
# PyTorch: a pickle that would leave a file behind when loaded
class Evil:
    def __reduce__(self):
        return (os.system, ("touch " + path("LOADED"),))
with zipfile.ZipFile(path("pytorch_model.bin"), "w") as z:
    z.writestr("archive/data.pkl", pickle.dumps(Evil())); z.writestr("archive/data/0", b"x" * 100)
put("old.pt", pickle.dumps(Evil(), protocol=2)); put("new.pkl", pickle.dumps(Evil(), protocol=5))
with zipfile.ZipFile(path("arrays.npz"), "w") as z:
    z.writestr("w.npy", b"x")
with zipfile.ZipFile(path("other.zip"), "w") as z:
    z.writestr("README", b"x")
with tarfile.open(path("a.nemo"), "w") as z:
    z.addfile(tarfile.TarInfo("x"), io.BytesIO())
put("a.gz", gzip.compress(b"x")); put("a.zst", b"\x28\xb5\x2f\xfd" + bytes(20)); put("a.xz", b"\xfd7zXZ\0" + bytes(20))
# old GGML
hp = struct.pack("<7I", 32000, 4096, 256, 32, 32, 128, 2)
put("ggml.bin", b"lmgg" + hp + bytes(64)); put("ggmf.bin", b"fmgg" + struct.pack("<I", 1) + hp + bytes(64))
for v in (1, 2, 3):
    put("ggjt%d.bin" % v, b"tjgg" + struct.pack("<I", v) + hp + bytes(64))
put("ggla.bin", b"algg" + struct.pack("<IIi", 1, 8, 16) + bytes(64))
# the old importance matrix
def dat(n, k):
    out = struct.pack("<i", n)
    for i in range(k):
        name = b"blk.%d.attn_q.weight" % i
        out += struct.pack("<i", len(name)) + name + struct.pack("<ii", 7, 16) + bytes(64)
    return out
put("imatrix.dat", dat(3, 3) + struct.pack("<i", 5)); put("imatrix-cut.dat", dat(3, 2)[:-8])
put("model.onnx", b"\x08\x08\x12\x07pytorch\x1a\x052.0.1:\x0a" + bytes(64))
put("pointer.gguf", b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 4831838208\n")
put("page.gguf", b"\n  <!DOCTYPE html>\n<html><head><title>Sign in - Hub</title></head></html>")
put("page2.gguf", b"<!doctype html><html><body>404</body></html>")
put("empty.gguf", b""); put("holes.gguf", bytes(4096)); put("notes.txt", b"hello\n"); put("noise", bytes(range(1, 256)) * 4)
put("model.gguf.part2of3", bytes([200, 1, 3, 7, 9, 255, 254]) * 100)
put("weights.h5", b"\x89HDF\r\n\x1a\n" + bytes(100))
PY
    mkdir "$W/f"
    python3 "$W/make.py" "$W/f"
}

# is FILE KIND STATUS [FAULT...]: what is said of it, as JSON and as text
is() {
    local file=$W/f/$1 kind=$2 want=$3
    shift 3
    run --separate-stderr "$ULLAGE" sniff "$file" --json
    [ "$status" -eq "$want" ] || { echo "$file: exit $status: $output"; false; }
    local got
    got=$(python3 -c 'import json,sys
s = json.load(sys.stdin)
print(s["kind"], *[f["code"] for f in s["faults"]])' <<<"$output")
    [ "$got" = "$kind${*:+ $*}" ] || { echo "$file: $got"; false; }
    run --separate-stderr "$ULLAGE" sniff "$file"
    [ "$status" -eq "$want" ]
    [ -z "$stderr" ]
}

@test "GGUF files that are no models" {
    is mmproj.gguf mmproj 0
    [[ "$output" == *"encoder in GGUF (gemma3)"*"--mmproj FILE"* ]]
    is lora.gguf lora 0
    is cvec.gguf control-vector 0
    [[ "$output" == *"for qwen2"* ]]
    is imatrix.gguf imatrix 0
    is vocab.gguf vocab 0
    is bare.gguf gguf 0
}

@test "a model, whole and half, reserved and joined" {
    is good.gguf model 0
    [[ "$output" == *"a GGUF model: llama, "*" 1 layers, 4."*" MiB"* ]]
    is good.gguf.part model 1 missing_bytes
    [[ "$output" =~ 4\.[0-9]+\ of\ 4\.[0-9]+\ MiB\ are\ missing\ \(9[0-9]\.[0-9]\ %\) ]]
    is reserved.gguf.incomplete model 1 unfinished_name
    is aria.gguf model 1 unfinished_name
    is zeros.gguf model 1 zeros
    is tail.gguf model 1 extra_bytes
    is cut.gguf gguf 1 header
    is heads.gguf model 1 refused
    [[ "$output" == *"attn_k.weight is 256 x 64, but the keys ("*"attention.head_count_kv"*"make it 256 x 256"* ]]
    is version1.gguf gguf 1 header
    is big.gguf gguf 1 big_endian
    is swapped.gguf gguf 1 big_endian
    run --separate-stderr "$ULLAGE" sniff "$W/models/DeepSeek-V2-Lite-oldmla--Q4_K_M.gguf"
    [ "$status" -eq 1 ]
    [[ "$output" == *"8.88 times the latent"*"[old_latent_conversion]"* ]]
}

@test "shards: which they are, and which are missing" {
    is split-00002-of-00003.gguf model 1 refused
    [[ "$output" == *"shard 2 of 3"* ]]
    is lost/split-00002-of-00003.gguf model 1 missing_shards
    [[ "$output" == *"of its 3 shards 2 are missing: 1, 3"* ]]
    is lost/renamed.gguf model 1 shard_name
    is model-00001-of-00003.safetensors safetensors 1 missing_shards
    is model.safetensors.index.json safetensors-index 1 missing_shards
    [[ "$output" == *"of its 2 shards 1 are missing"* ]]
}

@test "safetensors, configurations and other JSON" {
    is whole.safetensors safetensors 0
    is half.safetensors safetensors 1 missing_bytes
    is bad.safetensors safetensors 1 header
    is peft.safetensors safetensors 0
    [[ "$output" == *"LoRA adapter in safetensors"*"convert_lora_to_gguf.py"* ]]
    is config.json config 0
    is manifest.json json 4
    is plain.json json 4
    is broken.json json 1 json
    is error.gguf json 1 server_error
    [[ "$output" == *"Access to model x is restricted"* ]]
}

@test "pickles are told apart and never loaded" {
    is pytorch_model.bin pytorch 0
    is old.pt pickle 0
    is new.pkl pickle 0
    [ ! -e "$W/f/LOADED" ]
}

@test "old GGML of every kind, and the old importance matrix" {
    is ggml.bin ggml 1 too_old
    is ggmf.bin ggml 1 too_old
    for v in 1 2 3; do
        is ggjt$v.bin ggml 1 too_old
        [[ "$output" == *"GGJT v$v file, from before GGUF: 32 layers of width 4096, 32000 tokens"* ]]
    done
    is ggla.bin ggml 1 too_old
    is imatrix.dat imatrix-dat 0
    [[ "$output" == *"3 tensors"* ]]
    is imatrix-cut.dat imatrix-dat 1 cut
    [[ "$output" == *"within entry 2 of 3"* ]]
}

@test "archives and other formats" {
    is arrays.npz numpy 0
    is other.zip zip 0
    is a.nemo tar 0
    is a.gz gzip 0
    is a.zst zstd 0
    is a.xz xz 0
    is model.onnx onnx 0
    is weights.h5 hdf5 0
}

@test "what came instead of the file" {
    is pointer.gguf git-lfs 1 pointer
    [[ "$output" == *"of 4608.00 MiB"*"git lfs pull"* ]]
    is page.gguf html 1 web_page
    is page2.gguf html 1 web_page
    is empty.gguf empty 1 empty
    is holes.gguf zeros 1 zeros
    is notes.txt text 4
    is noise unknown 4
    is model.gguf.part2of3 unknown 1 piece
}

@test "several files: the worst status; none, a folder, a missing one" {
    run "$ULLAGE" sniff "$W/f/good.gguf" "$W/f/notes.txt" "$W/f/empty.gguf"
    [ "$status" -eq 1 ]
    run --separate-stderr "$ULLAGE" sniff "$W/f/good.gguf" "$W/f/none.gguf"
    [ "$status" -eq 3 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    run "$ULLAGE" sniff "$W/f"
    [ "$status" -eq 3 ]
    run "$ULLAGE" sniff
    [ "$status" -eq 2 ]
}

@test "no text of a file reaches a terminal as it is" {
    printf 'GGUF\3\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\033[2J\377' >"$W/f/esc.gguf"
    printf '<html><title>\033[31mred</title>' >"$W/f/esc.html"
    for f in esc.gguf esc.html; do
        run "$ULLAGE" sniff "$W/f/$f"
        [[ "$output" != *$'\033'* ]]
    done
}
