#!/usr/bin/env python3
"""Runs the console blocks of README.md and compares what they print with what README shows.

    tools/readme.py BUILD            exit 1 and a diff when README is not what the command prints
    tools/readme.py BUILD --update   writes what the commands print into README.md

A block is ```console, then `$ ullage ...` lines, each followed by its output. Commands run in a
folder that holds the model headers of tests/corpus under the names that README uses."""
import difflib
import os
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.S | re.M)


def extract(folder, text):
    """Puts the headers that README names (NAME-QUANT.gguf) into the folder."""
    wanted = set(re.findall(r"[\w.-]+\.gguf", text))
    with tarfile.open(os.path.join(ROOT, "tests/corpus/headers.tar.xz")) as tar:
        for m in tar:
            name = os.path.basename(m.name).replace("--", "-")
            if name in wanted:
                with open(os.path.join(folder, name), "wb") as f:
                    f.write(tar.extractfile(m).read())


def run(ullage, folder, command):
    """What a person would see in a terminal: stdout and stderr together."""
    words = shlex.split(command)
    env = {"PATH": os.environ["PATH"], "NO_COLOR": "1", "HOME": folder, "COLUMNS": "100"}
    r = subprocess.run([ullage] + words[1:], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return r.stdout


def rendered(block, ullage, folder):
    out = []
    for line in block.splitlines():
        if line.startswith("$ ullage "):
            out += [line] + run(ullage, folder, line[2:]).splitlines()
    return "\n".join(out) + "\n"


def main():
    build, update = sys.argv[1], "--update" in sys.argv
    path = os.path.join(ROOT, "README.md")
    text = open(path).read()
    ullage = os.path.abspath(os.path.join(build, "ullage"))
    with tempfile.TemporaryDirectory() as folder:
        extract(folder, text)
        new = BLOCK.sub(lambda m: "```console\n" + rendered(m.group(1), ullage, folder) + "```"
                        if "$ ullage " in m.group(1) else m.group(0), text)
    if update:
        open(path, "w").write(new)
    elif new != text:
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True),
                                                   "README.md", "what the commands print"))
        print("README.md is out of date: tools/readme.py BUILD --update writes it anew")
        sys.exit(1)


if __name__ == "__main__":
    main()
