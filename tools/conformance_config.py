#!/usr/bin/env python3
"""Compares what configurations describe with the headers that the converter and llama-quantize made.

    tools/conformance_config.py build [--check]

For every header of the corpus (tests/corpus/headers.tar.xz, NAME--QUANT.gguf) whose model has a
configuration, the model is described from the configuration and --quant QUANT, and compared: every
hyper-parameter that the engine reads, every tensor's name, shape and type, the bytes of all. So are
the small configurations of tests/corpus/converted.tar.xz: of each class without a header there, what
llama.cpp's converter itself made of shapes (NAME.json, NAME.gguf, unquantised). With
ULLAGE_CONFIGS=FOLDER the configurations are NAME.json there, {"config": {...}}; else the numbers of
the built-in catalogue, which were taken from them. ULLAGE_HEADERS=FOLDER takes the headers from
there instead. Prints the score and the differences; --check fails when a model differs that is
not listed below with its reason.
"""
import json
import os
import subprocess
import sys
import tarfile
import tempfile

# Headers that were made from other numbers than the configuration's: what was put in its place, and
# why. With full configurations the models are compared with these numbers; None: no numbers give it.
AMENDED = {
    "Falcon-H1-7B-Instruct--Q4_K_M": (
        {"mamba_rms_norm": False},
        "the configuration asks for a norm in the scan, and the header was made without one"),
    "gemma-3-1b-it--Q4_K_M": (
        {"sliding_window": 4096},
        "the header's window is the configuration class's default, not the configuration's 512"),
    "AI21-Jamba-Reasoning-3B--Q4_K_M": (
        None,
        "the configuration lacks its heads and its width, and the header has one expert and a router "
        "where the model's code has a plain feed-forward part"),
    "granite-4.0-h-tiny--Q4_K_M": (
        {"layer_types": ["attention" if i % 10 == 5 else "mamba" for i in range(40)],
         "num_experts_per_tok": 6, "tie_word_embeddings": True},
        "the configuration lacks the layers' kinds, the experts a token and the shared output"),
}


def headers(folder):
    given = os.environ.get("ULLAGE_HEADERS")
    if given:
        return given
    with tarfile.open("tests/corpus/headers.tar.xz") as tar:
        for member in tar.getmembers():
            if member.name.startswith("models/") and member.name.endswith(".gguf"):
                tar.extract(member, folder)  # a tar of our own; older Pythons know no filter
    return folder + "/models"


def amended(name, config):
    for header, (numbers, _) in AMENDED.items():
        if header.rpartition("--")[0] == name and numbers:
            return {**config, **numbers}
    return config


def models(folder):
    """From a model's name to what the program is to open."""
    given = os.environ.get("ULLAGE_CONFIGS")
    if not given:
        with open("tests/corpus/catalogue.tsv", encoding="utf-8") as f:
            return dict(line.rstrip("\n").split("\t") for line in f)
    found = {}
    os.makedirs(folder + "/configs")
    for file in os.listdir(given):
        if file.endswith(".json"):
            path = f"{folder}/configs/{file}"
            with open(f"{given}/{file}", encoding="utf-8") as f, open(path, "w") as out:
                json.dump(amended(file[:-5], json.load(f)["config"]), out)
            found[file[:-5]] = path
    return found


def converted(folder):
    """What the converter made of small configurations."""
    with tarfile.open("tests/corpus/converted.tar.xz") as tar:
        for member in tar.getmembers():
            tar.extract(member, folder)
    where = folder + "/converted/"
    return [(file[:-5], where + file, where + file[:-5] + ".json", "")
            for file in sorted(os.listdir(where)) if file.endswith(".gguf")]


def compare(build, jobs):
    """The differences of each job."""
    text = "".join(f"{header}\t{model}\t{quant}\n" for _, header, model, quant in jobs)
    done = subprocess.run([f"{build}/tests/config_match"], input=text, text=True,
                          capture_output=True, check=True)
    blocks, block = [], []
    for line in done.stdout.splitlines():
        if line.startswith("= "):
            blocks.append(block)
            block = []
        else:
            block.append(line)
    assert len(blocks) == len(jobs), (len(blocks), len(jobs))
    return blocks


def main():
    build, check = sys.argv[1], "--check" in sys.argv
    build = os.path.abspath(build)
    os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/..")
    jobs = []
    with tempfile.TemporaryDirectory() as folder:
        where, known = headers(folder), models(folder)
        for file in sorted(os.listdir(where)):
            name, _, quant = file.removesuffix(".gguf").rpartition("--")
            if file.endswith(".gguf") and name in known:
                jobs.append((file.removesuffix(".gguf"), f"{where}/{file}", known[name], quant))
        n_headers = len(jobs)
        jobs += converted(folder)
        blocks = compare(build, jobs)
    wrong = [(job[0], block) for job, block in zip(jobs, blocks) if block]
    for name, block in wrong:
        why = ": " + AMENDED[name][1] if name in AMENDED else ""
        print(f"{name}: {len(block)} differences{why}")
        for line in block[:8]:
            print("    " + line.expandtabs(2))
    full = os.environ.get("ULLAGE_CONFIGS")
    fixed = [name for name in AMENDED if full and AMENDED[name][0]]
    count = sum(job[0] in fixed for job in jobs)
    right = [not block for block in blocks]
    print(f"{sum(right[:n_headers])} of {n_headers} models equal their headers"
          + (f", {count} of them with numbers amended" if count else ""))
    print(f"{sum(right[n_headers:])} of {len(jobs) - n_headers} small configurations equal what the "
          "converter made of them")
    bad = [n for n, _ in wrong if n in fixed or n not in AMENDED]
    if not jobs or (check and bad):
        sys.exit(f"not equal: {' '.join(bad) or 'no model was compared'}")


main()
