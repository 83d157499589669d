#!/usr/bin/env python3
"""Compares what configurations describe with the headers that the converter and llama-quantize made.

    tools/conformance_config.py build [--check]

For every header of the corpus (tests/corpus/headers.tar.xz, NAME--QUANT.gguf) whose model has a
configuration, the model is described from the configuration and --quant QUANT, and compared: every
hyper-parameter that the engine reads, every tensor's name, shape and type, the bytes of all. With
ULLAGE_CONFIGS=FOLDER the configurations are NAME.json there, {"config": {...}}; else the numbers of
the built-in catalogue, which were taken from them. ULLAGE_HEADERS=FOLDER takes the headers from
there instead. Prints the score and the differences; --check fails when a model differs that is
not listed below with its reason, or one is listed that does not.
"""
import json
import os
import subprocess
import sys
import tarfile
import tempfile

KNOWN = {
    "Falcon-H1-7B-Instruct--Q4_K_M": "the configuration asks for a norm in the scan (mamba_rms_norm), "
                                     "and the header was made without one",
    "gemma-3-1b-it--Q4_K_M": "the header's window is the configuration class's default, not the "
                             "configuration's 512",
    "AI21-Jamba-Reasoning-3B--Q4_K_M": "the configuration is incomplete",
    "granite-4.0-h-tiny--Q4_K_M": "the configuration is incomplete",
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
                json.dump(json.load(f)["config"], out)
            found[file[:-5]] = path
    return found


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
        blocks = compare(build, jobs)
    wrong = [(job[0], block) for job, block in zip(jobs, blocks) if block]
    for name, block in wrong:
        print(f"{name}: {len(block)} differences{': ' + KNOWN[name] if name in KNOWN else ''}")
        for line in block[:8]:
            print("    " + line.expandtabs(2))
    print(f"{len(jobs) - len(wrong)} of {len(jobs)} models equal their headers")
    bad = [n for n, _ in wrong if n not in KNOWN]
    if not jobs or (check and bad):
        sys.exit(f"not equal: {' '.join(bad) or 'no model was compared'}")


main()
