#!/usr/bin/env python3
"""Runs the console blocks of README.md and compares what they print with what README shows.

    tools/readme.py BUILD            exit 1 and a diff when README is not what the command prints
    tools/readme.py BUILD --update   writes what the commands print into README.md

A block is ```console, then `$ ullage ...` lines, each followed by its output. Commands run in a
folder that holds the model headers of tests/corpus under the names that README uses, and whose stores
of other programs (it is HOME too) hold three of them. Hugging Face is the tests' own server on loopback,
whose repositories hold those headers too: nothing is asked of the internet."""
import difflib
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import time

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


def stores(ullage, folder):
    """What `ullage list` finds: files as long as the whole model, one in each of three stores."""
    def whole(name, path):
        size = json.loads(run(ullage, folder, "", "ullage show %s --json" % name))["model"]["size_bytes"]
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, name), "rb") as f, open(os.path.join(folder, path), "wb") as out:
            out.write(f.read())
            out.truncate(size)

    hub = ".cache/huggingface/hub/models--google--gemma-3-27b-it/"
    whole("gemma-3-27b-it-Q4_K_M.gguf", hub + "snapshots/" + "a" * 40 + "/gemma-3-27b-it-Q4_K_M.gguf")
    whole("Qwen3-8B-Q4_K_M.gguf", ".lmstudio/models/Qwen/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf")
    digest = hashlib.sha256(b"blob").hexdigest()
    blob = ".ollama/models/blobs/sha256-" + digest
    whole("Qwen3-30B-A3B-Q4_K_M.gguf", blob)
    manifest = os.path.join(folder, ".ollama/models/manifests/registry.ollama.ai/library/qwen3/30b")
    os.makedirs(os.path.dirname(manifest))
    with open(manifest, "w") as f:
        json.dump({"schemaVersion": 2, "layers": [{
            "mediaType": "application/vnd.ollama.image.model", "digest": "sha256:" + digest,
            "size": os.path.getsize(os.path.join(folder, blob))}]}, f)


def make_repositories(folder, text, ullage):
    """A repository that README names holds the corpus' headers of that model, as files of full size."""
    names = {n for n in re.findall(r"hf[ :]([\w.-]+/[\w.-]+-GGUF)", text)}
    with tarfile.open(os.path.join(ROOT, "tests/corpus/headers.tar.xz")) as tar:
        for m in tar:
            model, _, quant = os.path.basename(m.name).partition("--")
            for name in names:
                if name.endswith("/%s-GGUF" % model):
                    path = os.path.join(folder, "hub", name, "%s-%s" % (model, quant))
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as f:
                        f.write(tar.extractfile(m).read())
                    shown = subprocess.run([ullage, "show", path, "--json"], stdout=subprocess.PIPE)
                    os.truncate(path, json.loads(shown.stdout)["model"]["size_bytes"])


def serve(folder):
    """Starts the tests' server; the process, and its address."""
    port = os.path.join(folder, "port")
    process = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests/remote/server.py"), folder, port])
    for _ in range(100):
        if os.path.exists(port):
            break
        time.sleep(0.1)
    return process, "http://127.0.0.1:" + open(port).read()


def run(ullage, folder, endpoint, command):
    """What a person would see in a terminal: stdout and stderr together."""
    words = shlex.split(command)
    env = {"PATH": os.environ["PATH"], "NO_COLOR": "1", "HOME": folder, "COLUMNS": "100",
           "HF_ENDPOINT": endpoint, "no_proxy": "127.0.0.1"}
    r = subprocess.run([ullage] + words[1:], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return r.stdout


def rendered(block, ullage, folder, endpoint):
    out = []
    for line in block.splitlines():
        if line.startswith("$ ullage "):
            out += [line] + run(ullage, folder, endpoint, line[2:]).splitlines()
    return "\n".join(out) + "\n"


def main():
    build, update = sys.argv[1], "--update" in sys.argv
    path = os.path.join(ROOT, "README.md")
    text = open(path).read()
    ullage = os.path.abspath(os.path.join(build, "ullage"))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as served:
        extract(folder, text)
        stores(ullage, folder)
        make_repositories(served, text, ullage)
        process, endpoint = serve(served)
        try:
            new = BLOCK.sub(lambda m: "```console\n" + rendered(m.group(1), ullage, folder, endpoint)
                            + "```" if "$ ullage " in m.group(1) else m.group(0), text)
        finally:
            process.terminate()
            process.wait()
    if update:
        open(path, "w").write(new)
    elif new != text:
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True),
                                                   "README.md", "what the commands print"))
        print("README.md is out of date: tools/readme.py BUILD --update writes it anew")
        sys.exit(1)


if __name__ == "__main__":
    main()
