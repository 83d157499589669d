#!/usr/bin/env python3
"""Makes what remote.bats serves from one published header: fixtures.py HEADER FOLDER.

small.gguf   the header as it is        big.gguf   the same with a vocabulary: 12 MiB of header
two-0000N-of-00002.gguf   in two shards. All have their full size, as holes. header-bytes: of big."""
import os, struct, sys

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
write("half.gguf", data[:len(data) // 2], len(data) // 2)
write("empty.gguf", b"", 0)
write("page.gguf", b"<!DOCTYPE html><html>sign in</html>", 35)
