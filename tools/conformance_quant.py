#!/usr/bin/env python3
"""Compares --quant with what llama-quantize itself would do, tensor by tensor.

    tools/conformance_quant.py build

tests/corpus/quants.tsv.xz was recorded from llama-quantize --dry-run --allow-requantize (llama.cpp
0.7.0) on sparse files made from the headers of headers.tar.xz and converted.tar.xz, without an
importance matrix: the header's name, the quantisation, how many tensors get which type, and the
CRC-32 of the lines "name type" in the order of names. Every row is computed again from the header and
compared.
"""
import collections
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
import zlib


HEADERS = ("headers", "converted")  # real models', and small ones of every other class


def headers(tar, folder):
    """From a name to its file."""
    found = {}
    with tarfile.open(f"tests/corpus/{tar}.tar.xz") as t:
        for member in t.getmembers():
            name = os.path.basename(member.name)
            if name.endswith(".gguf"):
                t.extract(member, folder)  # a tar of our own; older Pythons know no filter
                found[name[:-5]] = f"{folder}/{member.name}"
    return found


def blocks(text):
    """Of each model asked for: its tensors' types, or None when it was refused."""
    types = {}
    for line in text.splitlines():
        if line.startswith("T "):
            _, name, kind, *_ = line.split()
            types[name] = kind
        elif line[:2] in ("= ", "! "):
            yield types if line[0] == "=" else None
            types = {}


def main():
    build = os.path.abspath(sys.argv[1])
    os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/..")
    with lzma.open("tests/corpus/quants.tsv.xz", "rt") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    with tempfile.TemporaryDirectory() as folder:
        where = {name: found for tar in HEADERS for name, found in headers(tar, folder).items()}
        asked = "".join(f"{where[row[0]]}\t{row[1]}\n" for row in rows)
        done = subprocess.run([f"{build}/tools/config_dump"], input=asked, text=True,
                              capture_output=True, check=True)
    answers = list(blocks(done.stdout))
    wrong = 0
    for row, types in zip(rows, answers):
        if types is None:
            same = row[2] == "refused"
        else:
            count = collections.Counter(types.values())
            text = "\n".join(f"{name} {types[name]}" for name in sorted(types))
            same = row[2:] == [" ".join(f"{k}:{count[k]}" for k in sorted(count)),
                               f"{zlib.crc32(text.encode()):08x}"]
        if not same:
            wrong += 1
            print("differs:", *row)
    models = len({row[0] for row in rows})
    print(f"{len(rows) - wrong} of {len(rows)} quantisations of {models} models equal llama-quantize's")
    if wrong or len(answers) != len(rows) or not rows:
        sys.exit(1)


main()
