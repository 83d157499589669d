#!/usr/bin/env python3
"""Makes what remote.bats serves from one published header: fixtures.py HEADER FOLDER.

small.gguf   the header as it is        big.gguf   the same with a vocabulary: 12 MiB of header
two-0000N-of-00002.gguf   in two shards. All have their full size, as holes. header-bytes: of big."""
import json, os, struct, sys

source, out = sys.argv[1:]
data = open(source, "rb").read()
n_tensors, n_kv = struct.unpack("<QQ", data[8:24])


def text(s):
    return struct.pack("<Q", len(s)) + s


def write(name, body, size):
    with open(os.path.join(out, name), "wb") as f:
        f.write(body)
        f.truncate(size)


def with_keys(keys, count):
    return data[:16] + struct.pack("<Q", n_kv + count) + keys + data[24:]


FULL = 6 << 30
write("small.gguf", data, FULL)
n = 12 * 1024 * 1024 // 32
vocabulary = b"".join(text(b"token%019d" % i) for i in range(n))
tokens = text(b"tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, n) + vocabulary
big = with_keys(tokens, 1)
write("big.gguf", big, FULL)
open(os.path.join(out, "header-bytes"), "w").write(str(len(big)))


def split(no):
    return (text(b"split.no") + struct.pack("<IH", 2, no) + text(b"split.count")
            + struct.pack("<IH", 2, 2) + text(b"split.tensors.count")
            + struct.pack("<Ii", 5, n_tensors))


write("two-00001-of-00002.gguf", with_keys(split(0), 3), FULL)
write("two-00002-of-00002.gguf", b"GGUF" + struct.pack("<IQQ", 3, 0, 3) + split(1), 4096)


def hub(folder, names):
    """A repository: names that end in .gguf are small.gguf, others have their content."""
    for name, content in names.items():
        path = os.path.join(out, "hub", "owner", folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if content is None:
            os.link(os.path.join(out, "small.gguf"), path)
        else:
            open(path, "wb").write(content)


def safetensors(shapes):
    at, header = 0, {}
    for name, shape in shapes:
        n = 2
        for d in shape:
            n *= d
        header[name] = dict(dtype="BF16", shape=shape, data_offsets=[at, at + n])
        at += n
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(at)


config = dict(architectures=["LlamaForCausalLM"], model_type="llama", hidden_size=256, intermediate_size=512,
              num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, vocab_size=1024,
              max_position_embeddings=2048, rms_norm_eps=1e-5, torch_dtype="bfloat16",
              tie_word_embeddings=False)
shapes = [("model.embed_tokens.weight", [1024, 256]), ("model.norm.weight", [256])]
for i in range(2):
    p = "model.layers.%d." % i
    shapes += [(p + "self_attn.q_proj.weight", [256, 256]), (p + "self_attn.k_proj.weight", [128, 256]),
               (p + "self_attn.v_proj.weight", [128, 256]), (p + "self_attn.o_proj.weight", [256, 256]),
               (p + "mlp.gate_proj.weight", [512, 256]), (p + "mlp.up_proj.weight", [512, 256]),
               (p + "mlp.down_proj.weight", [256, 512]), (p + "input_layernorm.weight", [256]),
               (p + "post_attention_layernorm.weight", [256])]
head = [("lm_head.weight", [1024, 256])]
index = dict(weight_map={n: "model-0000%d-of-00002.safetensors" % (1 + (n == "lm_head.weight"))
                         for n, _ in shapes + head})
json_of = lambda x: json.dumps(x).encode()
hub("repo", {"README.md": b"hello", "mmproj-Q8_0.gguf": None, "mmproj-F16.gguf": None, "small-Q8_0.gguf": None,
             "m-Q4_K_M-00002-of-00002.gguf": None, "small-Q6_K.gguf": None, "deep/IQ 2/a#b-IQ2_M.gguf": None})
hub("text", {"README.md": b"hello"})
hub("preset", {"preset.ini": b"[a]\n", "small-Q8_0.gguf": None})
hub("shards", {"config.json": json_of(config), "model.safetensors.index.json": json_of(index),
               "model-00001-of-00002.safetensors": safetensors(shapes),
               "model-00002-of-00002.safetensors": safetensors(head)})
hub("whole", {"config.json": json_of(config), "model.safetensors": safetensors(shapes + head)})
hub("lost", {"config.json": json_of(config), "model.safetensors.index.json": json_of(index),
             "model-00001-of-00002.safetensors": safetensors(shapes)})
hub("bare", {"config.json": json_of(config)})
hub("both", {"config.json": json_of(config), "small-Q8_0.gguf": None})
write("half.gguf", data[:len(data) // 2], len(data) // 2)
write("empty.gguf", b"", 0)
write("page.gguf", b"<!DOCTYPE html><html>sign in</html>", 35)
