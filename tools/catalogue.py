#!/usr/bin/env python3
"""Makes src/model/catalogue_table.c: the numbers of well-known models' configurations, by name.

    ULLAGE_CONFIGS=FOLDER tools/catalogue.py build

The folder holds one JSON file a model: {"hf_id": ..., "config": {...}}. Of each configuration only
the members are kept without which its description would be another one (each is left out in turn
and the description compared); so what is written are the numbers that a conversion or a plan of a
vLLM server reads. Configurations that cannot be converted, re-quantised releases and those of which
only parts are known are left out.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

STRING_MOST = 4000  # of one string literal in C11
ENDINGS = ("-instruct-2512-bf16", "-instruct-hf", "-instruct", "-chat-hf", "-it", "-hf", "-chat")
SKIPPED = re.compile(r"nvfp4|fp8|-base$|-pt-base|assistant|reward|-rm$|-0324$|-mt-", re.I)


class Describer:
    """A hash of the description that a configuration gives, or None."""

    def __init__(self, build):
        self.program = subprocess.Popen([f"{build}/tools/config_dump", "--hash"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.path = tempfile.mkdtemp() + "/config.json"

    def __call__(self, config):
        with open(self.path, "w", encoding="utf-8") as f:
            json.dump(config, f)
        self.program.stdin.write(self.path + "\n")
        self.program.stdin.flush()
        answer = self.program.stdout.readline()
        return answer if answer.startswith("=") else None


def reduced(describe, config, wanted, part):
    """Leaves out of `part` (an object inside `config`) what changes nothing."""
    for key in list(part):
        value = part.pop(key)
        if describe(config) == wanted:
            continue
        part[key] = value
        if isinstance(value, dict):
            reduced(describe, config, wanted, value)


def name_of(file):
    name = file.lower().replace("_", "-")
    name = re.sub(r"^meta-(llama)", r"\1", name)
    for ending in ENDINGS:
        if name.endswith(ending):
            return name[:-len(ending)]
    return name


def literal(text):
    """A C string in lines of at most 96 columns."""
    pieces, line = [], ""
    for char in text:
        char = {'"': '\\"', "\\": "\\\\"}.get(char, char)
        if len(line) + len(char) > 88:
            pieces.append(line)
            line = ""
        line += char
    pieces.append(line)
    return "\n".join(f'     "{p}"' for p in pieces)


def rows(build, folder):
    describe = Describer(build)
    made = {}
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".json") or SKIPPED.search(file[:-5]):
            continue
        with open(f"{folder}/{file}", encoding="utf-8") as f:
            entry = json.load(f)
        config = entry["config"]
        wanted = describe(config)
        if wanted is None and config.pop("quantization_config", None):
            wanted = describe(config)
        name = name_of(file[:-5])
        if wanted is None or (name in made and made[name][0] != file[:-5]):
            continue
        reduced(describe, config, wanted, config)
        text = json.dumps(config, separators=(",", ":"), ensure_ascii=True)
        if len(text) <= STRING_MOST:
            made[name] = (file[:-5], entry.get("hf_id") or file[:-5], text)
    return made


def main():
    build, folder = sys.argv[1], os.environ["ULLAGE_CONFIGS"]
    made = rows(build, folder)
    with open("src/model/catalogue_table.c", "w", encoding="utf-8") as out:
        out.write("/* Made by tools/catalogue.py: the numbers of published configurations. */\n"
                  '#include "model/catalogue.h"\n\n'
                  "const struct ul_catalogue_row ul_catalogue[] = {\n")
        for name, (_, source, text) in sorted(made.items()):
            out.write(f'    {{"{name}", "{source}",\n{literal(text)}}},\n')
        out.write("};\n\nconst size_t ul_n_catalogue = sizeof ul_catalogue / "
                  "sizeof ul_catalogue[0];\n")
    with open("tests/corpus/catalogue.tsv", "w", encoding="utf-8") as out:
        for name, (file, _, _) in sorted(made.items()):
            out.write(f"{file}\t{name}\n")
    print(len(made), "models")


main()
